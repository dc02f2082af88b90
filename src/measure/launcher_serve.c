/* The launcher process: forks commands that wait at the gate. It allocates little, so that a command's peak
 * memory, which starts at its parent's, is the command's own. */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include "base/memory.h"
#include "measure/launcher.h"

enum { STACK_BYTES = 16 << 20 };

/* What a request says, as a command needs it. */
struct launch {
	char **argv, **environment, *directory;
	int *cpus;
	size_t cpu_count;
	int streams[3]; /* -1: inherit */
};

static bool receive_all(int fd, void *into, size_t size)
{
	return !size || recv(fd, into, size, MSG_WAITALL) == (ssize_t)size;
}

static bool receive_head(int fd, struct launch_request *request, int streams[3])
{
	struct iovec io = { request, sizeof(*request) };
	union {
		char bytes[CMSG_SPACE(3 * sizeof(int))];
		struct cmsghdr head;
	} control;
	struct msghdr message = { .msg_iov = &io, .msg_iovlen = 1, .msg_control = control.bytes,
				  .msg_controllen = sizeof(control) };
	const int *fds;

	if (recvmsg(fd, &message, MSG_CMSG_CLOEXEC | MSG_WAITALL) != sizeof(*request))
		return false;
	fds = CMSG_FIRSTHDR(&message) ? (const int *)CMSG_DATA(CMSG_FIRSTHDR(&message)) : NULL;
	for (int i = 0; i < 3; i++)
		streams[i] = request->streams[i] && fds ? *fds++ : -1;
	return true;
}

static char **split_strings(char **block, size_t count)
{
	char **strings = memory_zeroed(count + 1, sizeof(*strings));

	for (size_t i = 0; i < count; i++) {
		strings[i] = *block;
		*block += strlen(*block) + 1;
	}
	return strings;
}

static void unpack(const struct launch_request *request, char *block, struct launch *ret)
{
	ret->argv = split_strings(&block, request->argument_count);
	if (request->own_environment)
		ret->environment = split_strings(&block, request->variable_count);
	if (request->own_directory) {
		ret->directory = block;
		block += strlen(block) + 1;
	}
	ret->cpu_count = request->cpu_count;
	if (ret->cpu_count)
		ret->cpus = memory_copy(block, ret->cpu_count * sizeof(*ret->cpus));
}

/* Between the clone and the exec a command runs in the launcher's memory on a stack of its own, which AddressSanitizer
 * does not know: what runs there is not instrumented. */
#define on_borrowed_memory __attribute__((__no_sanitize__("address")))

static on_borrowed_memory bool set_affinity(const struct launch *launch)
{
	int limit = 0;

	for (size_t i = 0; i < launch->cpu_count; i++)
		if (launch->cpus[i] >= limit)
			limit = launch->cpus[i] + 1;

	cpu_set_t *set = CPU_ALLOC(limit);
	size_t size = CPU_ALLOC_SIZE(limit);

	if (!set)
		return false;
	CPU_ZERO_S(size, set);
	for (size_t i = 0; i < launch->cpu_count; i++)
		CPU_SET_S(launch->cpus[i], size, set);

	bool done = !sched_setaffinity(0, size, set);

	CPU_FREE(set);
	return done;
}

static on_borrowed_memory bool set_streams(const struct launch *launch)
{
	for (int i = 0; i < 3; i++)
		if (launch->streams[i] >= 0 && dup2(launch->streams[i], i) < 0)
			return false;
	return true;
}

static on_borrowed_memory _Noreturn void fail(int failure_fd, enum launch_stage stage)
{
	struct launch_failure failure = { stage, errno };
	ssize_t written = write(failure_fd, &failure, sizeof(failure));

	_exit(written < 0 ? 126 : 127);
}

/* In the new process: everything but the exec is done before the gate, outside the measured time. */
static on_borrowed_memory _Noreturn void become_command(const struct launcher *launcher, const struct launch *launch, int failure_fd)
{
	char byte;

	if (!set_streams(launch))
		fail(failure_fd, LAUNCH_STREAMS);
	if (launch->directory && chdir(launch->directory))
		fail(failure_fd, LAUNCH_DIRECTORY);
	if (launch->cpu_count && !set_affinity(launch))
		fail(failure_fd, LAUNCH_AFFINITY);
	if (launch->environment)
		environ = launch->environment;
	while (true) {
		ssize_t size = read(launcher->gate_read_fd, &byte, 1);

		if (size == 1)
			break;
		if (size == 0 || errno != EINTR)
			_exit(127); /* the starter is gone */
	}
	/* Last, so that Ctrl-C while held is delivered now and ends it. */
	sigprocmask(SIG_SETMASK, &launcher->old_mask, NULL);
	execvp(launch->argv[0], launch->argv);
	fail(failure_fd, LAUNCH_EXEC);
}

static void release_launch(struct launch *launch)
{
	for (int i = 0; i < 3; i++)
		close_guard(&launch->streams[i]);
	free(launch->argv);
	free(launch->environment);
	free(launch->cpus);
}

/* What the new process needs, on the launcher's stack. */
struct entry {
	const struct launcher *launcher;
	const struct launch *launch;
	int socket_fd, failure_fd;
};

/* The launcher stands still until the exec: it is the command itself that tells its number. */
static on_borrowed_memory int enter(void *argument)
{
	const struct entry *entry = argument;
	int pid = getpid();

	if (send(entry->socket_fd, &pid, sizeof(pid), MSG_NOSIGNAL) != sizeof(pid))
		_exit(127);
	become_command(entry->launcher, entry->launch, entry->failure_fd);
}

/* Touched as far as it is needed only: execvp(3) of a script copies the arguments there. */
static char *make_stack(size_t size)
{
	void *stack = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1,
			   0);

	if (stack == MAP_FAILED)
		_exit(1);
	return stack;
}

/* CLONE_PARENT makes the command the starter's own child, which can wait for it without asking here. Memory is shared
 * until the exec, as vfork(2) does: copying page tables cost more than all the rest of a start. */
static void fork_command(const struct entry *entry, char *stack)
{
	char **environment = environ;
	int failed = 0;

	if (clone(enter, stack + STACK_BYTES, CLONE_PARENT | CLONE_VM | CLONE_VFORK, (void *)entry) < 0)
		failed = -errno;
	environ = environment;
	if (failed)
		send(entry->socket_fd, &failed, sizeof(failed), MSG_NOSIGNAL);
}

static bool serve_one(const struct launcher *launcher, int socket_fd, int failure_fd, char *stack)
{
	struct launch launch = { .streams = { -1, -1, -1 } };
	struct launch_request request;

	if (!receive_head(socket_fd, &request, launch.streams))
		return false;

	auto_free char *block = memory_zeroed(request.size + 1, 1);

	if (!receive_all(socket_fd, block, request.size))
		return false;
	unpack(&request, block, &launch);

	struct entry entry = { launcher, &launch, socket_fd, failure_fd };

	fork_command(&entry, stack);
	release_launch(&launch);
	return true;
}

_Noreturn void launcher_serve(const struct launcher *launcher, int socket_fd, int failure_fd)
{
	char *stack = make_stack(STACK_BYTES);
	sigset_t all;

	/* Ctrl-C is for the command; the launcher ends when its starter does. */
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	close(launcher->request_fd);
	close(launcher->gate_fd);
	close(launcher->failure_fd);
	while (serve_one(launcher, socket_fd, failure_fd, stack))
		;
	_exit(0);
}
