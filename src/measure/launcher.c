/* Start the launcher process and ask it for commands. */
#include "measure/launcher.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "base/memory.h"
#include "base/text.h"

void target_signals(sigset_t *ret)
{
	static const int signals[] = { SIGCHLD, SIGURG, SIGINT, SIGTERM, SIGHUP };

	sigemptyset(ret);
	for (size_t i = 0; i < ARRAY_SIZE(signals); i++)
		sigaddset(ret, signals[i]);
}

/* The exit signal SIGURG makes the launcher, and a command until its exec, a child that a plain wait does not
 * see: launcher_has_orphans() relies on that. */
static pid_t fork_launcher(void)
{
	return (pid_t)syscall(SYS_clone, SIGURG, 0, 0, 0, 0);
}

static struct error *open_channels(struct launcher *launcher, int *socket_fd, int *failure_fd)
{
	int sockets[2], gate[2], failure[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets))
		return error_os(errno, "make the launcher's socket");
	launcher->request_fd = sockets[0];
	*socket_fd = sockets[1];
	if (pipe2(gate, O_CLOEXEC))
		return error_os(errno, "make the launcher's gate");
	launcher->gate_read_fd = gate[0];
	launcher->gate_fd = gate[1];
	if (pipe2(failure, O_CLOEXEC | O_NONBLOCK))
		return error_os(errno, "make the launcher's pipe");
	launcher->failure_fd = failure[0];
	*failure_fd = failure[1];
	return NULL;
}

struct error *launcher_create(struct launcher **ret)
{
	cleanup(launcher_guard) struct launcher *launcher = memory_zeroed(1, sizeof(*launcher));
	auto_close int socket_fd = -1, failure_fd = -1;
	sigset_t signals;

	launcher->request_fd = launcher->gate_read_fd = launcher->gate_fd = launcher->failure_fd = -1;
	target_signals(&signals);
	sigprocmask(SIG_BLOCK, &signals, &launcher->old_mask);

	struct error *err = open_channels(launcher, &socket_fd, &failure_fd);

	if (err)
		return err;
	launcher->pid = fork_launcher();
	if (launcher->pid == 0)
		launcher_serve(launcher, socket_fd, failure_fd);
	if (launcher->pid < 0)
		return error_os(errno, "fork the launcher");
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	*ret = take(launcher);
	return NULL;
}

static void drain_signals(void)
{
	const struct timespec now = { 0, 0 };
	sigset_t signals;

	target_signals(&signals);
	while (sigtimedwait(&signals, NULL, &now) > 0)
		;
}

void launcher_destroy(struct launcher *launcher)
{
	const int fds[] = { launcher ? launcher->request_fd : -1, launcher ? launcher->gate_read_fd : -1,
			    launcher ? launcher->gate_fd : -1, launcher ? launcher->failure_fd : -1 };

	if (!launcher)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(fds); i++)
		close_guard(&fds[i]);
	if (launcher->pid > 0)
		while (waitpid(launcher->pid, NULL, __WALL) < 0 && errno == EINTR)
			;
	drain_signals();
	sigprocmask(SIG_SETMASK, &launcher->old_mask, NULL);
	free(launcher);
}

pid_t launcher_pid(const struct launcher *launcher)
{
	return launcher->pid;
}

bool launcher_has_orphans(const struct launcher *launcher)
{
	pid_t pid;

	(void)launcher;
	while ((pid = waitpid(-1, NULL, WNOHANG)) > 0 || (pid < 0 && errno == EINTR))
		;
	return pid == 0;
}

static size_t append_strings(struct text *block, char *const *strings)
{
	size_t count = 0;

	for (; strings[count]; count++)
		text_append_bytes(block, strings[count], strlen(strings[count]) + 1);
	return count;
}

static struct launch_request make_request(const struct command_setup *setup, struct text *block)
{
	struct launch_request request = { 0 };

	request.argument_count = append_strings(block, setup->argv);
	if (setup->environment) {
		request.own_environment = true;
		request.variable_count = append_strings(block, setup->environment);
	}
	if (setup->directory) {
		request.own_directory = true;
		text_append_bytes(block, setup->directory, strlen(setup->directory) + 1);
	}
	if (setup->cpus && setup->cpu_count) {
		request.cpu_count = setup->cpu_count;
		text_append_bytes(block, (const char *)setup->cpus, setup->cpu_count * sizeof(*setup->cpus));
	}
	request.size = block->length;
	return request;
}

/* The head goes with the descriptors. */
static ssize_t send_head(int fd, struct launch_request *request, const int streams[3])
{
	struct iovec io = { request, sizeof(*request) };
	union {
		char bytes[CMSG_SPACE(3 * sizeof(int))];
		struct cmsghdr head;
	} control = { { 0 } };
	struct msghdr message = { .msg_iov = &io, .msg_iovlen = 1 };
	size_t count = 0;
	int fds[3];

	for (int i = 0; i < 3; i++) {
		request->streams[i] = streams[i] > 0;
		if (streams[i] > 0)
			fds[count++] = streams[i];
	}
	if (count) {
		message.msg_control = control.bytes;
		message.msg_controllen = CMSG_SPACE(count * sizeof(int));
		control.head.cmsg_level = SOL_SOCKET;
		control.head.cmsg_type = SCM_RIGHTS;
		control.head.cmsg_len = CMSG_LEN(count * sizeof(int));
		memcpy(CMSG_DATA(&control.head), fds, count * sizeof(int));
	}
	return sendmsg(fd, &message, MSG_NOSIGNAL);
}

static bool send_all(int fd, const char *bytes, size_t size)
{
	while (size) {
		ssize_t sent = send(fd, bytes, size, MSG_NOSIGNAL);

		if (sent < 0)
			return false;
		bytes += sent;
		size -= (size_t)sent;
	}
	return true;
}

struct error *launcher_fork(struct launcher *launcher, const struct command_setup *setup, pid_t *ret)
{
	const int streams[3] = { setup->stdin_fd, setup->stdout_fd, setup->stderr_fd };
	auto_text struct text block = { 0 };
	struct launch_request request = make_request(setup, &block);
	int answer;

	if (launcher->held)
		return error_new(ERROR_USAGE, "a command is held already");
	if (send_head(launcher->request_fd, &request, streams) != sizeof(request) ||
	    !send_all(launcher->request_fd, block.bytes, block.length))
		return error_os(errno, "ask the launcher for a command");

	ssize_t size = recv(launcher->request_fd, &answer, sizeof(answer), MSG_WAITALL);

	if (size != sizeof(answer))
		return error_new(ERROR_OS, "the launcher process is gone");
	if (answer < 0)
		return error_os(-answer, "fork a command");
	*ret = launcher->held = answer;
	return NULL;
}

struct error *launcher_release(struct launcher *launcher)
{
	launcher->held = 0;
	if (write(launcher->gate_fd, "g", 1) != 1)
		return error_os(errno, "start the command");
	return NULL;
}

void launcher_close_gate(struct launcher *launcher)
{
	int waiting = 0;
	char byte;

	launcher->held = 0;
	while (!ioctl(launcher->gate_read_fd, FIONREAD, &waiting) && waiting > 0)
		if (read(launcher->gate_read_fd, &byte, 1) != 1)
			return;
}

bool launcher_failure(struct launcher *launcher, struct launch_failure *ret)
{
	return read(launcher->failure_fd, ret, sizeof(*ret)) == sizeof(*ret);
}
