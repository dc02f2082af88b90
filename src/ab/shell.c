/* Shell commands beside the measured ones: hooks, builds, the co-runner. */
#include "ab/shell.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "base/memory.h"

/* In the child: never returns. */
static _Noreturn void become_shell(const struct shell *shell, const char *text, int stdout_fd)
{
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	dup2(stdout_fd, STDOUT_FILENO);
	for (size_t i = 0; shell->variables && shell->variables[i]; i++)
		putenv((char *)shell->variables[i]);
	if (shell->directory && chdir(shell->directory))
		_exit(126);
	execl("/bin/sh", "sh", "-c", text, NULL);
	_exit(127);
}

static struct error *status_error(const struct shell *shell, const char *text, int status)
{
	if (WIFSIGNALED(status))
		return error_new(ERROR_OS, "%s '%s' was killed by signal %d", shell->what, text, WTERMSIG(status));
	if (WEXITSTATUS(status))
		return error_new(ERROR_OS, "%s '%s' failed: exit status %d", shell->what, text, WEXITSTATUS(status));
	return NULL;
}

static struct error *wait_for(const struct shell *shell, const char *text, pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return error_os(errno, "wait for %s", shell->what);
	return status_error(shell, text, status);
}

struct error *shell_run(const struct shell *shell, const char *text)
{
	pid_t pid = fork();

	if (pid < 0)
		return error_os(errno, "fork");
	if (!pid)
		become_shell(shell, text, STDERR_FILENO);
	return wait_for(shell, text, pid);
}

struct error *shell_line(const struct shell *shell, const char *text, char **ret)
{
	int ends[2];
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC))
		return error_os(errno, "pipe");
	pid = fork();
	if (!pid)
		become_shell(shell, text, ends[1]);
	close(ends[1]);

	auto_fclose FILE *stream = fdopen(ends[0], "r");
	auto_free char *line = NULL;
	size_t capacity = 0;

	if (pid < 0)
		return error_os(errno, "fork");
	if (getline(&line, &capacity, stream) < 0)
		free(line), line = memory_strdup("");
	while (fgetc(stream) != EOF)
		continue;

	struct error *err = wait_for(shell, text, pid);

	if (err)
		return err;
	line[strcspn(line, "\n")] = '\0';
	*ret = take(line);
	return NULL;
}

struct co_runner {
	pid_t pid;
};

struct error *co_runner_start(const char *text, struct co_runner **ret)
{
	static const struct shell shell = { "--background", NULL, NULL };
	auto_close int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	int status;
	pid_t pid = fork();

	if (pid < 0)
		return error_os(errno, "fork");
	if (!pid) {
		setpgid(0, 0);
		become_shell(&shell, text, null);
	}
	setpgid(pid, pid);
	poll(NULL, 0, 100);
	if (waitpid(pid, &status, WNOHANG) == pid) {
		kill(-pid, SIGKILL);

		struct error *err = status_error(&shell, text, status);

		return err ? err : error_new(ERROR_OS, "--background '%s' ended at once: it must keep running", text);
	}
	*ret = memory_zeroed(1, sizeof(**ret));
	(*ret)->pid = pid;
	return NULL;
}

void co_runner_destroy(struct co_runner *runner)
{
	if (!runner)
		return;
	kill(-runner->pid, SIGKILL);
	while (waitpid(runner->pid, NULL, 0) < 0 && errno == EINTR)
		continue;
	free(runner);
}
