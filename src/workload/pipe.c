/* Workload pipe: two processes pass a byte to and fro; each round trip is two switches. */
#include <errno.h>
#include <sched.h>
#include <sys/wait.h>

#include "workload/workload.h"

struct pipes {
	int there[2], back[2];
};

static void pipes_release(struct pipes *pipes)
{
	for (int i = 0; i < 2; i++) {
		close_guard(&pipes->there[i]);
		close_guard(&pipes->back[i]);
	}
}

static struct error *pipes_open(struct pipes *ret)
{
	if (pipe(ret->there) || pipe(ret->back))
		return error_os(errno, "pipe: open two pipes");
	return NULL;
}

static bool pass(int from, int to)
{
	char byte;

	return read(from, &byte, 1) == 1 && write(to, &byte, 1) == 1;
}

/* Runs in the child: must not return into its caller, whose buffers and guards are the parent's. */
static void echo(const struct pipes *pipes, uint64_t count)
{
	close(pipes->there[1]);
	close(pipes->back[0]);
	while (count && pass(pipes->there[0], pipes->back[1]))
		count--;
	_exit(count ? 1 : 0);
}

static struct error *call_and_wait(struct pipes *pipes, uint64_t count)
{
	close(pipes->there[0]);
	close(pipes->back[1]);
	pipes->there[0] = pipes->back[1] = -1;
	if (write(pipes->there[1], "x", 1) != 1)
		return error_os(errno, "pipe: write the first byte");
	for (uint64_t i = 1; i < count; i++)
		if (!pass(pipes->back[0], pipes->there[1]))
			return error_new(ERROR_OS, "pipe: the other end is gone after %ju round trips", (uintmax_t)i);

	char last;

	if (read(pipes->back[0], &last, 1) != 1)
		return error_new(ERROR_OS, "pipe: the other end is gone before the last round trip");
	return NULL;
}

static struct error *pin(uint64_t cpu)
{
	cpu_set_t set;

	if (cpu == WORKLOAD_ANY_CPU)
		return NULL;
	CPU_ZERO(&set);
	if (cpu < CPU_SETSIZE)
		CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		return error_hint(error_os(errno, "pipe: run on CPU %ju", (uintmax_t)cpu),
				  "Cpus_allowed_list in /proc/self/status names the CPUs there are");
	return NULL;
}

struct error *workload_pipe(const struct workload_plan *plan)
{
	cleanup(pipes_release) struct pipes pipes = { { -1, -1 }, { -1, -1 } };
	struct error *err = pin(plan->cpu);

	if (!err)
		err = pipes_open(&pipes);
	if (err)
		return err;

	pid_t child = fork();

	if (child < 0)
		return error_os(errno, "pipe: start the second process");
	if (!child)
		echo(&pipes, plan->count);
	err = call_and_wait(&pipes, plan->count);
	/* A child that still reads must see the end of the pipe, or waiting for it would not end. */
	pipes_release(&pipes);
	pipes = (struct pipes){ { -1, -1 }, { -1, -1 } };
	waitpid(child, NULL, 0);
	return err;
}
