/* perfmini ab --record: sampled runs beside the counted ones. */
#include "cmd/ab_record.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>

#include "ab/drain.h"
#include "ab/program.h"
#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmd/bundle.h"
#include "cmd/record_open.h"
#include "cmd/record_options.h"

struct ab_recording {
	struct ab_recording_setup setup;
	struct sampling sampling;
	char *binaries;
	bool by_clock; /* there is no PMU */
	uint64_t lost, failed;
	int signal;
	int null_fd;
};

static struct error *remove_recordings(const char *directory)
{
	DIR *entries = opendir(directory);
	struct error *err = NULL;

	if (!entries)
		return error_os(errno, "open %s", directory);
	for (struct dirent *entry; !err && (entry = readdir(entries));)
		if (text_ends_with(entry->d_name, ".data") && unlinkat(dirfd(entries), entry->d_name, 0))
			err = error_os(errno, "remove %s/%s", directory, entry->d_name);
	closedir(entries);
	return err;
}

static struct error *make_directories(const struct ab_recording_setup *setup, bool keep)
{
	const struct plan *plan = setup->plan;
	struct error *err = NULL;

	for (size_t arm = 0; arm < plan->arm_count && !err; arm++) {
		auto_free char *path = bundle_profiles(setup->directory, arm, plan->arms[arm].name);

		err = file_make_directories(path, 0755);
		if (!err && !keep)
			err = remove_recordings(path);
	}
	return err;
}

struct error *ab_recording_create(const struct ab_recording_setup *setup, bool keep, struct ab_recording **ret)
{
	struct ab_recording *recording = memory_zeroed(1, sizeof(*recording));
	struct error *err = make_directories(setup, keep);

	if (!err)
		err = record_sampling(&record_defaults, &recording->sampling);
	if (err) {
		free(recording);
		return err;
	}
	recording->setup = *setup;
	recording->binaries = bundle_binaries(setup->directory);
	recording->null_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	*ret = recording;
	return NULL;
}

void ab_recording_destroy(struct ab_recording *recording)
{
	if (!recording)
		return;
	if (recording->failed)
		log_warning("%llu recorded runs failed and are not used", (unsigned long long)recording->failed);
	if (recording->lost)
		log_warning("the recorded runs lost %llu samples", (unsigned long long)recording->lost);
	if (recording->null_fd >= 0)
		close(recording->null_fd);
	free(recording->binaries);
	free(recording);
}

int ab_recording_signal(const struct ab_recording *recording)
{
	return recording->signal;
}

/* All that lives for one recorded run. */
struct sampled_run {
	struct ab_recording *recording;
	const struct run_request *request;
	char *path;
	char **words, **environment;
	char *variable;
	struct drain *drain;
	struct target *target;
	struct event_list *events;
	struct recorder *recorder;
};

static void sampled_run_release(struct sampled_run *run)
{
	recorder_destroy(run->recorder);
	event_list_destroy(run->events);
	target_destroy(run->target);
	drain_destroy(run->drain);
	free(run->path);
	free(run->words);
	free(run->environment);
	free(run->variable);
}

/* The command as the counted runs start it. */
static struct error *hold_command(struct sampled_run *run)
{
	const struct ab_recording_setup *setup = &run->recording->setup;
	const struct run_request *request = run->request;
	struct command_setup command = { .stdin_fd = run->recording->null_fd, .cpus = setup->cpus,
					 .cpu_count = setup->cpu_count,
					 .directory = request->plan->arms[request->arm].directory };
	size_t padding = request->padding_bytes + program_shortfall(request->plan, request->arm, request->cell.layout);
	struct error *err = NULL;

	run->words = program_words(request->plan, request->arm, request->cell.layout);
	run->environment = program_environment(padding, &run->variable);
	command.argv = run->words;
	command.environment = run->environment;
	if (!setup->show_output)
		err = drain_create(0, &command.stdout_fd, &command.stderr_fd, &run->drain);
	if (!err)
		err = target_from_command(setup->launcher, &command, &run->target);
	if (err || !run->drain)
		return err;
	drain_started(run->drain);
	return drain_read(run->drain);
}

static struct error *open_recorder(struct sampled_run *run)
{
	struct ab_recording *recording = run->recording;
	struct recorder_setup setup = {
		.kernel = &kernel_linux, .target = run->target, .command = run->target,
		.sampling = &recording->sampling, .output = run->path, .words = (const char *const *)run->words,
		.inherit = true, .keep_build_ids = true, .keep_binaries = true, .cache = recording->binaries,
		.timeout_ns = recording->setup.timeout_ns,
	};
	struct error *err;

	setup.events = run->events = event_list_create();
	err = event_list_add(run->events, recording->by_clock ? record_clock_event : record_default_event);
	if (!err)
		err = record_open(&setup, &run->events, !recording->by_clock, &run->recorder);
	if (!err)
		recording->by_clock = !strcmp(event_list_at(run->events, 0)->name, record_clock_event);
	return err;
}

/* A command that outlived --timeout, or was interrupted, has no result. */
static bool is_good(const struct sampled_run *run)
{
	bool ended = false;

	error_destroy(target_wait(run->target, 1, &ended));
	return ended && (!target_result(run->target)->status || run->request->plan->ignore_failure);
}

static struct error *record(struct sampled_run *run)
{
	struct ab_recording *recording = run->recording;
	struct recorder_result result;
	struct error *err = recorder_run(run->recorder, &result);

	if (err)
		return err;
	recording->signal = result.signal;
	recording->lost += result.lost_records + result.lost_samples;
	if (!is_good(run)) {
		target_kill(run->target, SIGKILL);
		unlink(run->path);
		recording->failed += !result.signal;
	}
	return NULL;
}

struct error *ab_recording_run(void *context, const struct run_request *request, uint32_t block)
{
	struct ab_recording *recording = context;
	const char *name = request->plan->arms[request->arm].name;
	cleanup(sampled_run_release) struct sampled_run sampled = { .recording = recording, .request = request };
	struct error *err;

	sampled.path = bundle_profile(recording->setup.directory, request->arm, name, block);
	unlink(sampled.path);
	live_runner_pause(recording->setup.live);
	err = hold_command(&sampled);
	if (!err)
		err = open_recorder(&sampled);
	if (!err)
		err = record(&sampled);
	return err ? error_wrap(err, "--record: %s", name) : NULL;
}
