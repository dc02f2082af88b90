/* Runs one after another, each with its own counts. */
#include "measure/meter.h"

#include <string.h>

#include "base/memory.h"
#include "measure/target_private.h"

struct meter {
	struct meter_setup setup;
	struct counters *counters; /* open now; NULL between runs that open anew */
	bool shared;               /* on the launcher: counts add up over the runs */
	bool stale;                /* shared, but children of an ended command still count into them */
	bool has_cpus;             /* events of a command that count CPUs: to be switched off at its end */
	int signal;
	struct target *command;    /* of this run */
	struct count *before;      /* what the counters held when this run began */
	size_t count_count;
	uint64_t start_ns, start_realtime_ns;
};

static bool may_share(const struct meter *meter)
{
	const struct meter_setup *setup = &meter->setup;

	return !setup->place && !setup->no_inherit && !setup->reopen && !setup->start_off;
}

static struct error *open_counters(struct meter *meter)
{
	const struct meter_setup *setup = &meter->setup;
	struct counters_setup counters = { .kernel = setup->kernel, .events = setup->events, .chosen = setup->chosen,
					   .inherit = !setup->no_inherit, .launcher = setup->launcher };

	meter->shared = may_share(meter);
	if (!meter->shared) {
		counters.target = setup->place ? setup->place : meter->command;
		counters.enable_on_exec = !setup->place && !setup->start_off;
	}
	return counters_open(&counters, &meter->counters);
}

static void remember_places(struct meter *meter)
{
	const struct place *places;
	size_t place_count = counters_places(meter->counters, &places);
	size_t count = event_list_count(meter->setup.events) * place_count;

	meter->has_cpus = place_count && places[place_count - 1].pid < 0;
	if (count == meter->count_count)
		return;
	free(meter->before);
	meter->before = memory_zeroed(count, sizeof(*meter->before));
	meter->count_count = count;
}

struct error *meter_create(const struct meter_setup *setup, struct meter **ret)
{
	cleanup(meter_guard) struct meter *meter = memory_zeroed(1, sizeof(*meter));

	meter->setup = *setup;
	if (setup->place || may_share(meter)) {
		struct error *err = open_counters(meter);

		if (err && setup->place)
			return err;
		/* Each run then opens its own, or says why not. */
		if (err)
			meter->setup.reopen = true;
		else
			remember_places(meter);
		error_destroy(err);
	}
	*ret = take(meter);
	return NULL;
}

size_t meter_places(const struct meter *meter, const struct place **ret)
{
	return counters_places(meter->counters, ret);
}

const struct error *meter_why(const struct meter *meter, size_t event)
{
	return counters_why(meter->counters, event);
}

bool meter_user_only(const struct meter *meter, size_t event)
{
	return counters_user_only(meter->counters, event);
}

struct error *meter_begin(struct meter *meter, const struct command_setup *command)
{
	bool anew = !meter->counters || meter->stale || (!meter->setup.place && !meter->shared);
	struct error *err = NULL;

	meter->signal = 0;
	if (command)
		err = target_from_command(meter->setup.launcher, command, &meter->command);
	if (!err && anew) {
		counters_destroy(take(meter->counters));
		meter->stale = false;
		err = open_counters(meter);
	}
	if (err)
		return err;
	remember_places(meter);
	return counters_read(meter->counters, meter->before);
}

struct error *meter_start(struct meter *meter)
{
	struct error *err = NULL;

	meter->start_realtime_ns = target_clock_ns(CLOCK_REALTIME);
	meter->start_ns = target_clock_ns(CLOCK_MONOTONIC);
	if (!meter->setup.start_off)
		err = counters_enable(meter->counters);
	return err || !meter->command ? err : target_start(meter->command);
}

struct error *meter_wait(struct meter *meter, uint64_t timeout_ns, bool *done)
{
	struct target *target = meter->command ? meter->command : meter->setup.place;
	struct error *err = target_wait(target, timeout_ns, done);

	if (target_signal(target))
		meter->signal = target_signal(target);
	return err;
}

int meter_signal(const struct meter *meter)
{
	return meter->signal;
}

void meter_kill(struct meter *meter, int signal)
{
	if (meter->command)
		target_kill(meter->command, signal);
}

struct error *meter_switch(struct meter *meter, bool on)
{
	return on ? counters_enable(meter->counters) : counters_disable(meter->counters);
}

struct error *meter_read(struct meter *meter, struct count *counts)
{
	struct error *err = counters_read(meter->counters, counts);

	for (size_t i = 0; !err && i < meter->count_count; i++) {
		counts[i].value -= meter->before[i].value;
		counts[i].enabled_ns -= meter->before[i].enabled_ns;
		counts[i].running_ns -= meter->before[i].running_ns;
	}
	return err;
}

uint64_t meter_elapsed_ns(const struct meter *meter)
{
	return target_clock_ns(CLOCK_MONOTONIC) - meter->start_ns;
}

static struct error *end_command(struct meter *meter)
{
	struct error *err = NULL;
	bool done = false;

	if (!meter->command)
		return NULL;
	err = target_wait(meter->command, 1, &done);
	if (!err && !done)
		target_kill(meter->command, SIGTERM);
	while (!err && !done)
		err = target_wait(meter->command, 0, &done);
	return err;
}

/* An exec that left an inherited event off: this kernel is not to be trusted with events opened once. */
static void distrust_idle(struct meter *meter, const struct count *counts)
{
	const struct place *places;
	size_t place_count = counters_places(meter->counters, &places);

	for (size_t i = 0; i < meter->count_count; i++)
		if (counters_fd(meter->counters, i / place_count, i % place_count) >= 0 && !counts[i].enabled_ns)
			meter->setup.reopen = meter->stale = true;
}

static void fill_result(const struct meter *meter, struct command_result *result)
{
	if (meter->command)
		*result = *target_result(meter->command);
	else
		*result = (struct command_result){ .start_ns = meter->start_realtime_ns, .cpu = -1,
						   .wall_ns = meter_elapsed_ns(meter) };
}

struct error *meter_end(struct meter *meter, struct count *counts, struct command_result *result, bool *left_children)
{
	struct error *err = end_command(meter);
	bool left = false;

	fill_result(meter, result);
	if (!err && (meter->setup.place || meter->has_cpus))
		err = counters_disable(meter->counters);
	if (!err && counts)
		err = meter_read(meter, counts);
	if (meter->command)
		left = launcher_has_orphans(meter->setup.launcher);
	target_destroy(take(meter->command));
	meter->stale = left && meter->shared;
	if (!err && counts && meter->shared)
		distrust_idle(meter, counts);
	if (left_children)
		*left_children = left;
	return err;
}

void meter_destroy(struct meter *meter)
{
	if (!meter)
		return;
	target_destroy(meter->command);
	counters_destroy(meter->counters);
	free(meter->before);
	free(meter);
}

struct error *meter_run(struct meter *meter, const struct command_setup *command, struct count *counts,
			struct command_result *result, bool *left_children)
{
	struct error *err = meter_begin(meter, command), *end;
	bool done = false;

	if (!err)
		err = meter_start(meter);
	while (!err && !done)
		err = meter_wait(meter, 0, &done);
	end = meter_end(meter, counts, result, left_children);
	if (!err)
		return end;
	error_destroy(end);
	return err;
}
