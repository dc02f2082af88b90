/* What is measured: a command we start. The other targets are in target_tasks.c. */
#include "measure/target_private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"

enum { NS_PER_S = 1000000000 };

uint64_t target_clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

struct error *target_from_command(struct launcher *launcher, const struct command_setup *setup, struct target **ret)
{
	cleanup(target_guard) struct target *target = target_create();
	struct error *err;

	target->launcher = launcher;
	target->find_cpu = setup->find_cpu;
	target->name = memory_strdup(setup->argv[0]);
	err = launcher_fork(launcher, setup, &target->pid);
	if (err)
		return err;
	target_add_place(target, (struct place){ .pid = target->pid, .cpu = -1 });
	*ret = take(target);
	return NULL;
}

struct error *target_start(struct target *target)
{
	if (!target->pid)
		return NULL;
	target->started = true;
	target->result.start_ns = target_clock_ns(CLOCK_REALTIME);
	target->start_ns = target_clock_ns(CLOCK_MONOTONIC);
	return launcher_release(target->launcher);
}

static uint64_t timeval_ns(struct timeval time)
{
	return (uint64_t)time.tv_sec * NS_PER_S + (uint64_t)time.tv_usec * 1000;
}

static void fill_result(struct target *target, int status, const struct rusage *usage)
{
	struct command_result *result = &target->result;

	result->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	result->status = result->signal ? 128 + result->signal : WEXITSTATUS(status);
	result->user_ns = timeval_ns(usage->ru_utime);
	result->sys_ns = timeval_ns(usage->ru_stime);
	result->peak_bytes = (uint64_t)usage->ru_maxrss * 1024;
	result->minor_faults = (uint64_t)usage->ru_minflt;
	result->major_faults = (uint64_t)usage->ru_majflt;
	result->voluntary_switches = (uint64_t)usage->ru_nvcsw;
	result->involuntary_switches = (uint64_t)usage->ru_nivcsw;
}

/* Of a command that ended and is not reaped yet. Source: proc_pid_stat(5), "processor"; its name may hold anything. */
static int last_cpu(pid_t pid)
{
	enum { PROCESSOR = 39, AFTER_NAME = 3 };
	char path[32], text[1024];
	auto_close int fd = -1;
	const char *at;
	ssize_t size;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	size = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
	if (size <= 0)
		return -1;
	text[size] = '\0';
	at = strrchr(text, ')');
	if (at)
		at = strchr(at, ' ');
	for (int field = AFTER_NAME; at && field < PROCESSOR; field++)
		at = strchr(at + 1, ' ');
	return at ? atoi(at) : -1;
}

/* Its end is seen before it is reaped, for what /proc still knows. false: it runs. */
static bool see_end(struct target *target, int flags)
{
	siginfo_t info = { 0 };
	int failed;

	do
		failed = waitid(P_PID, (id_t)target->pid, &info, flags | WEXITED | WNOWAIT | __WALL);
	while (failed && errno == EINTR);
	if (failed || info.si_pid != target->pid)
		return failed;
	target->result.wall_ns = target_clock_ns(CLOCK_MONOTONIC) - target->start_ns;
	target->result.cpu = last_cpu(target->pid);
	return true;
}

/* Reap it when it has ended. */
static struct error *reap(struct target *target, int flags, bool *ended)
{
	struct rusage usage;
	int status;
	pid_t pid;

	*ended = !target->find_cpu || see_end(target, flags);
	if (!*ended)
		return NULL;
	do
		pid = wait4(target->pid, &status, flags | __WALL, &usage);
	while (pid < 0 && errno == EINTR);
	if (pid < 0)
		return error_os(errno, "wait for %s", target->name);
	*ended = pid == target->pid;
	if (!*ended)
		return NULL;
	if (!target->result.wall_ns)
		target->result.wall_ns = target_clock_ns(CLOCK_MONOTONIC) - target->start_ns;
	target->ended = true;
	fill_result(target, status, &usage);
	if (target->result.signal)
		launcher_close_gate(target->launcher);
	return NULL;
}

static const char *const stage_texts[] = {
	[LAUNCH_STREAMS] = "redirect its streams",
	[LAUNCH_DIRECTORY] = "enter its directory",
	[LAUNCH_AFFINITY] = "pin it to its CPUs",
	[LAUNCH_EXEC] = "execute it",
};

/* Why it never ran, when it did not. */
static struct error *exec_error(struct target *target)
{
	struct launch_failure failure;
	struct error *err;

	if (!launcher_failure(target->launcher, &failure))
		return NULL;
	if (failure.stage == LAUNCH_EXEC && (failure.os_errno == ENOENT || failure.os_errno == ENOTDIR)) {
		err = error_new(ERROR_NOT_FOUND, "%s: command not found", target->name);
		return error_exit_status(err, 127);
	}
	err = error_new(ERROR_PERMISSION, "%s: cannot %s: %s", target->name, stage_texts[failure.stage],
			strerror(failure.os_errno));
	return error_exit_status(err, 126);
}

/* A signal from the terminal went to the whole process group; one that was sent to us alone is passed on. */
static void note_signal(struct target *target, const siginfo_t *info)
{
	if (info->si_signo == SIGCHLD || info->si_signo == SIGURG)
		return;
	target->signal = info->si_signo;
	if (info->si_code <= 0 && target->pid && !target->ended)
		kill(target->pid, info->si_signo);
}

/* Returns false when the time is up. */
bool target_wait_signal(struct target *target, uint64_t deadline_ns)
{
	struct timespec left = { 0, 0 };
	sigset_t signals;
	siginfo_t info;
	int number;

	target_signals(&signals);
	if (deadline_ns) {
		uint64_t now_ns = target_clock_ns(CLOCK_MONOTONIC);
		uint64_t left_ns = deadline_ns > now_ns ? deadline_ns - now_ns : 0;

		left.tv_sec = (time_t)(left_ns / NS_PER_S);
		left.tv_nsec = (long)(left_ns % NS_PER_S);
	}
	number = deadline_ns ? sigtimedwait(&signals, &info, &left) : sigwaitinfo(&signals, &info);
	if (number > 0)
		note_signal(target, &info);
	return number > 0 || errno != EAGAIN;
}

static struct error *wait_command(struct target *target, uint64_t deadline_ns, bool *done)
{
	struct error *err;

	for (;;) {
		err = reap(target, WNOHANG, done);
		if (err)
			return err;
		if (*done)
			return target->result.status == 127 || target->result.status == 126 ? exec_error(target) : NULL;
		if (target->signal || !target_wait_signal(target, deadline_ns))
			return NULL;
	}
}

struct error *target_wait(struct target *target, uint64_t timeout_ns, bool *done)
{
	uint64_t deadline_ns = timeout_ns ? target_clock_ns(CLOCK_MONOTONIC) + timeout_ns : 0;

	*done = target->ended;
	target->signal = 0;
	if (target->ended)
		return NULL;
	return target->pid ? wait_command(target, deadline_ns, done) : target_wait_tasks(target, deadline_ns, done);
}

int target_pidfd(struct target *target)
{
	pid_t pid = target->pid ? target->pid : target->task_count == 1 ? target->tasks[0] : 0;

	if (target->pidfd < 0 && pid)
		target->pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
	return target->pidfd;
}

void target_kill(struct target *target, int signal)
{
	if (target->pid && !target->ended)
		kill(target->pid, signal);
}

void target_destroy(struct target *target)
{
	bool ended;

	if (!target)
		return;
	if (target->pid && !target->ended) {
		kill(target->pid, target->started ? SIGTERM : SIGKILL);
		error_destroy(reap(target, 0, &ended));
		launcher_close_gate(target->launcher);
	}
	close_guard(&target->pidfd);
	free(target->places);
	free(target->tasks);
	free(target->name);
	free(target);
}
