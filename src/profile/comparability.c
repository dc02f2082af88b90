/* What makes two sides unlike. */
#include "profile/comparability.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "profile/diff_machines.h"

enum { FEW_SAMPLES = 200 };

/* A duration ratio beyond this says that the sides did different work, or one was cut. */
static const double unlike_duration = 1.5;
/* Share of samples lost from which totals can no longer be trusted. */
static const double much_lost = 0.01;

static void add_line(struct comparability *lines, const char *format, ...) printf_like(2, 3);

static void add_line(struct comparability *lines, const char *format, ...)
{
	char *line;
	va_list args;

	va_start(args, format);
	if (vasprintf(&line, format, args) < 0)
		abort();
	va_end(args);

	auto_text struct text clean = { 0 };

	text_append_escaped(&clean, line);
	free(line);
	array_grow(&lines->items, lines->count, &lines->capacity);
	lines->items[lines->count++] = text_steal(&clean);
}

static const char *const *text_field(const struct recording *recording, size_t offset)
{
	return (const char *const *)((const char *)recording + offset);
}

static const struct {
	const char *what;
	size_t offset;
} texts[] = {
	{ "CPU models differ", offsetof(struct recording, cpu) },
	{ "kernels differ", offsetof(struct recording, kernel) },
	{ "architectures differ", offsetof(struct recording, machine) },
};

static bool differ(const char *a, const char *b)
{
	return a && b && strcmp(a, b);
}

/* The words behind the recorder's own options: from "--" or the first that is no option of "record". */
static const char *workload_of(const char *command)
{
	const char *dashes = command ? strstr(command, " -- ") : NULL;

	return dashes ? dashes + 4 : NULL;
}

static void guard_texts(const struct recording *a, const struct recording *b, struct comparability *lines)
{
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		const char *left = *text_field(a, texts[i].offset), *right = *text_field(b, texts[i].offset);

		if (differ(left, right))
			add_line(lines, "%s: A %s, B %s", texts[i].what, left, right);
	}
	if (differ(workload_of(a->command), workload_of(b->command)))
		add_line(lines, "commands differ: A '%s', B '%s'", workload_of(a->command), workload_of(b->command));
}

/* Recordings of one side must be alike too. */
static void guard_inside(const struct gathering *side, char letter, struct comparability *lines)
{
	const struct recording *recordings;
	size_t count = gathering_recordings(side, &recordings);

	for (size_t i = 1; i < count; i++) {
		for (size_t j = 0; j < ARRAY_SIZE(texts); j++)
			if (differ(*text_field(&recordings[0], texts[j].offset),
				   *text_field(&recordings[i], texts[j].offset))) {
				add_line(lines, "inside %c, %s: %s and %s", letter, texts[j].what, recordings[0].path,
					 recordings[i].path);
				return;
			}
	}
}

static void guard_losses(const struct gathering *side, char letter, struct comparability *lines)
{
	const struct recording *recordings;
	size_t count = gathering_recordings(side, &recordings);
	uint64_t lost = 0, throttled = 0, samples = 0;

	for (size_t i = 0; i < count; i++) {
		lost += recordings[i].lost;
		throttled += recordings[i].throttled;
		samples += recordings[i].samples;
		if (recordings[i].truncated)
			add_line(lines, "%s was cut short: its recorder did not finish", recordings[i].path);
	}
	if (lost)
		add_line(lines, "%c lost %" PRIu64 " of %" PRIu64 " events%s", letter, lost, lost + samples,
			 (double)lost > much_lost * (double)(lost + samples) ? ": its totals are too low" : "");
	if (throttled)
		add_line(lines, "%c was throttled %" PRIu64 " times: record with a lower -F", letter, throttled);
}

static double mean_duration(const struct gathering *side)
{
	const struct recording *recordings;
	size_t count = gathering_recordings(side, &recordings);
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += recordings[i].duration_s;
	return sum / (double)count;
}

static void guard_event(const struct gathered_event *a, const struct gathered_event *b, struct comparability *lines)
{
	if (a->attr.freq != b->attr.freq)
		add_line(lines, "A samples by %s, B by %s", a->attr.freq ? "frequency" : "period",
			 b->attr.freq ? "frequency" : "period");
	else if (a->attr.sample_period != b->attr.sample_period)
		add_line(lines, "sampling %s differ: A %" PRIu64 ", B %" PRIu64 " (costs are in events, so they compare)",
			 a->attr.freq ? "frequencies" : "periods", (uint64_t)a->attr.sample_period,
			 (uint64_t)b->attr.sample_period);
	if (a->attr.precise_ip != b->attr.precise_ip)
		add_line(lines, "precision differs: A %u, B %u", a->attr.precise_ip, b->attr.precise_ip);
	if (a->samples < FEW_SAMPLES || b->samples < FEW_SAMPLES)
		add_line(lines, "few samples: A %" PRIu64 ", B %" PRIu64 "; record longer or with a higher -F", a->samples,
			 b->samples);
}

void comparability_check(const struct gathering *a, const struct gathering *b, size_t a_event, size_t b_event,
		struct comparability *ret)
{
	const struct recording *left, *right;
	const struct gathered_event *a_events, *b_events;
	double a_time = mean_duration(a), b_time = mean_duration(b);

	gathering_recordings(a, &left);
	gathering_recordings(b, &right);
	gathering_events(a, &a_events);
	gathering_events(b, &b_events);
	if (gatherings_same_builds(a, b, a_event, b_event) && !differ(left->kernel, right->kernel))
		add_line(ret, "programs and libraries are the same builds on both sides: this is an A/A comparison");
	guard_texts(left, right, ret);
	guard_inside(a, 'A', ret);
	guard_inside(b, 'B', ret);
	guard_event(&a_events[a_event], &b_events[b_event], ret);
	guard_losses(a, 'A', ret);
	guard_losses(b, 'B', ret);
	if (a_time > 0 && b_time > 0 && fmax(a_time, b_time) > unlike_duration * fmin(a_time, b_time))
		add_line(ret, "durations differ: A %.3f s, B %.3f s; with other amounts of work give --ops", a_time, b_time);
}

void comparability_tell_machines(const struct diff_machines *machines, struct comparability *ret)
{
	if (machines->count)
		add_line(ret, "recordings of %zu machines: each machine is one pair, so that the answer holds for machines like "
			 "these", machines->count);
	else if (machines->only_one)
		add_line(ret, "machine %s is on one side only: machines and builds cannot be told apart",
			 machines->only_one);
}

void comparability_release(struct comparability *lines)
{
	for (size_t i = 0; i < lines->count; i++)
		free(lines->items[i]);
	free(lines->items);
	*lines = (struct comparability){ 0 };
}
