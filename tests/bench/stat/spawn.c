/* The floor of stat, and its stop-watch: run a command N times by vfork, exec and wait, and nothing else.
 * usage: spawn N COMMAND... 3>FILE; FILE takes the microseconds of wall and of CPU time of all of it. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double cpu_us(int who)
{
	struct rusage usage;

	getrusage(who, &usage);
	return 1e6 * (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
	       (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static double clock_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return 1e6 * (double)now.tv_sec + 1e-3 * (double)now.tv_nsec;
}

static int run_once(char **command)
{
	int status;
	pid_t pid = vfork();

	if (pid == 0) {
		execvp(command[0], command);
		_exit(127);
	}
	return pid < 0 || waitpid(pid, &status, 0) != pid || status;
}

int main(int argc, char **argv)
{
	double start = clock_us(), own = cpu_us(RUSAGE_SELF);

	if (argc < 3 || fcntl(3, F_SETFD, FD_CLOEXEC))
		return 2;
	for (long left = atol(argv[1]); left > 0; left--)
		if (run_once(argv + 2))
			return 1;
	dprintf(3, "%.0f %.0f\n", clock_us() - start, cpu_us(RUSAGE_SELF) - own + cpu_us(RUSAGE_CHILDREN));
	return 0;
}
