#include "measure/target.h"

#include <signal.h>
#include <stdlib.h>

#include "unit/test.h"

static struct launcher *start_launcher(void)
{
	struct launcher *launcher = NULL;

	assert_success(launcher_create(&launcher));
	return launcher;
}

static struct target *hold(struct launcher *launcher, char *const *argv)
{
	struct command_setup setup = { .argv = argv };
	struct target *target = NULL;

	assert_success(target_from_command(launcher, &setup, &target));
	return target;
}

static struct command_result run_shell(const char *script)
{
	char *const argv[] = { "sh", "-c", (char *)script, NULL };
	cleanup(launcher_guard) struct launcher *launcher = start_launcher();
	cleanup(target_guard) struct target *target = hold(launcher, argv);
	bool done;

	assert_success(target_start(target));
	assert_success(target_wait(target, 0, &done));
	assert_true(done);
	return *target_result(target);
}

void test_target__a_status_passes_through(void **state)
{
	(void)state;
	assert_int_equal(run_shell("exit 3").status, 3);
	assert_int_equal(run_shell("exit 127").status, 127);
	assert_int_equal(run_shell("kill -9 $$").status, 137);
	assert_int_equal(run_shell("kill -9 $$").signal, SIGKILL);
}

void test_target__a_command_is_our_child_in_our_group(void **state)
{
	(void)state;
	char script[160];

	snprintf(script, sizeof(script), "set -- $(cut -d' ' -f4,5,6 /proc/$$/stat); [ \"$*\" = '%d %d %d' ]",
		 (int)getpid(), (int)getpgrp(), (int)getsid(0));
	assert_int_equal(run_shell(script).status, 0);
}

void test_target__a_command_gets_the_old_signal_mask(void **state)
{
	(void)state;
	assert_int_equal(run_shell("grep -q 'SigBlk:.0000000000000000' /proc/self/status").status, 0);
}

void test_target__a_missing_command_is_127_and_a_forbidden_one_126(void **state)
{
	(void)state;
	char *const missing[] = { "/nonexistent/command", NULL }, *const forbidden[] = { "/etc/passwd", NULL };
	cleanup(launcher_guard) struct launcher *launcher = start_launcher();
	cleanup(target_guard) struct target *first = hold(launcher, missing);
	bool done;

	assert_success(target_start(first));

	struct error *err = target_wait(first, 0, &done);

	assert_int_equal(error_status(err, 1), 127);
	assert_failure(err, ERROR_NOT_FOUND, "command not found");

	cleanup(target_guard) struct target *second = hold(launcher, forbidden);

	assert_success(target_start(second));
	err = target_wait(second, 0, &done);
	assert_int_equal(error_status(err, 1), 126);
	assert_failure(err, ERROR_PERMISSION, "Permission denied");
}

void test_target__a_held_command_waits_and_can_be_dropped(void **state)
{
	(void)state;
	char *const argv[] = { "sh", "-c", "exit 5", NULL };
	cleanup(launcher_guard) struct launcher *launcher = start_launcher();
	struct target *dropped = hold(launcher, argv);
	bool done = true;

	assert_success(target_wait(dropped, 20000000, &done));
	assert_false(done);
	assert_int_equal(target_signal(dropped), 0);
	target_destroy(dropped);

	/* Nothing of the first is left at the gate. */
	cleanup(target_guard) struct target *target = hold(launcher, argv);

	assert_success(target_wait(target, 20000000, &done));
	assert_false(done);
	assert_success(target_start(target));
	assert_success(target_wait(target, 0, &done));
	assert_int_equal(target_result(target)->status, 5);
}

void test_target__a_command_killed_at_the_gate_leaves_it_closed(void **state)
{
	(void)state;
	char *const argv[] = { "sh", "-c", "exit 5", NULL };
	cleanup(launcher_guard) struct launcher *launcher = start_launcher();
	cleanup(target_guard) struct target *killed = hold(launcher, argv);
	bool done;

	kill(target_pid(killed), SIGKILL);
	assert_success(target_start(killed));
	assert_success(target_wait(killed, 0, &done));
	assert_int_equal(target_result(killed)->signal, SIGKILL);

	cleanup(target_guard) struct target *target = hold(launcher, argv);

	assert_success(target_wait(target, 20000000, &done));
	assert_false(done);
}

void test_target__a_signal_sent_to_us_alone_is_passed_on(void **state)
{
	(void)state;
	char *const argv[] = { "sleep", "60", NULL };
	cleanup(launcher_guard) struct launcher *launcher = start_launcher();
	cleanup(target_guard) struct target *target = hold(launcher, argv);
	bool done;

	assert_success(target_start(target));
	kill(getpid(), SIGTERM);
	assert_success(target_wait(target, 0, &done));
	assert_false(done);
	assert_int_equal(target_signal(target), SIGTERM);
	assert_success(target_wait(target, 0, &done));
	assert_true(done);
	assert_int_equal(target_result(target)->signal, SIGTERM);
}

void test_target__orphans_are_noticed(void **state)
{
	(void)state;
	char *const leaving[] = { "sh", "-c", "sleep 60 & exit 0", NULL };
	cleanup(launcher_guard) struct launcher *launcher = start_launcher();
	cleanup(target_guard) struct target *target = hold(launcher, leaving);
	bool done;

	assert_false(launcher_has_orphans(launcher));
	assert_success(target_start(target));
	assert_success(target_wait(target, 0, &done));
	assert_true(launcher_has_orphans(launcher));
	assert_int_equal(system("pkill -P $PPID sleep"), 0);
	usleep(50000);
	assert_false(launcher_has_orphans(launcher));
}

void test_target__peak_memory_is_the_commands_own(void **state)
{
	(void)state;
	size_t size = 64 << 20;
	char *ours = malloc(size);

	memset(ours, 1, size);
	/* The launcher of this test is as large as the test; what is seen is that a command's own use is. */
	assert_true(run_shell("head -c 200000000 /dev/zero | tail -c 100000000 >/dev/null").peak_bytes > 90 << 20);
	free(ours);
}

void test_target__tasks_and_cpus(void **state)
{
	(void)state;
	struct target *target = NULL;
	const struct place *places;
	pid_t ours = getpid(), none = 0x3ffffffe;
	bool done;

	assert_success(target_from_pids(&ours, 1, &target));
	assert_true(target_places(target, &places) >= 1);
	assert_int_equal(places[0].pid, ours);
	assert_success(target_wait(target, 1000000, &done));
	assert_false(done);
	target_destroy(target);
	assert_failure(target_from_pids(&none, 1, &target), ERROR_NOT_FOUND, "no process");
	assert_failure(target_from_tids(&none, 1, &target), ERROR_NOT_FOUND, "no thread");
	assert_failure(target_from_cpus("0-", &target), ERROR_USAGE, "bad list of CPUs");
	assert_failure(target_from_cpus("60000", &target), ERROR_USAGE, "not online");
	assert_success(target_from_cpus("0", &target));
	assert_true(target_is_cpus(target));
	target_destroy(target);
}

void test_target__the_cpu_it_ended_on_is_found(void **state)
{
	char *const argv[] = { "true", NULL };
	cleanup(launcher_guard) struct launcher *launcher = start_launcher();
	struct command_setup setup = { .argv = argv, .find_cpu = true };

	(void)state;
	for (int cpu = 0; cpu < 2 && cpu < sysconf(_SC_NPROCESSORS_ONLN); cpu++) {
		cleanup(target_guard) struct target *target = NULL;
		bool done = false;

		setup.cpus = &cpu;
		setup.cpu_count = 1;
		assert_success(target_from_command(launcher, &setup, &target));
		assert_success(target_start(target));
		while (!done)
			assert_success(target_wait(target, 0, &done));
		assert_int_equal(target_result(target)->cpu, cpu);
		assert_true(target_result(target)->wall_ns > 0);
	}
}
