/* Options of commands that read a recording. */
#include "cmd/report_options.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <string.h>
#include <time.h>

#include "base/log.h"
#include "base/memory.h"

void word_list_add(struct word_list *list, const char *text)
{
	char *saved = NULL;

	if (!text || list->copy)
		return;
	list->copy = memory_strdup(text);
	for (char *word = strtok_r(list->copy, ",", &saved); word; word = strtok_r(NULL, ",", &saved)) {
		array_grow(&list->items, list->count, &list->capacity);
		list->items[list->count++] = word;
	}
}

void word_list_release(struct word_list *list)
{
	free(list->copy);
	free(list->items);
	*list = (struct word_list){ 0 };
}

/* "3,7-9" to numbers. what: the option's name. */
static struct error *parse_numbers(const char *what, const char *text, uint32_t **ret, size_t *count)
{
	auto_free uint32_t *found = NULL;
	size_t got = 0, capacity = 0;
	const char *at = text;

	while (at && *at) {
		char *end;
		unsigned long long first = strtoull(at, &end, 10), last = first;

		if (end == at || !isdigit((unsigned char)*at) || first > UINT32_MAX)
			return error_new(ERROR_USAGE, "--%s: '%s' is no list of numbers", what, text);
		if (*end == '-') {
			at = end + 1;
			last = strtoull(at, &end, 10);
		}
		if (last < first || last > UINT32_MAX || last - first > 65536 || (*end && *end != ','))
			return error_new(ERROR_USAGE, "--%s: '%s' is no list of numbers", what, text);
		for (; first <= last; first++) {
			array_grow(&found, got, &capacity);
			found[got++] = (uint32_t)first;
		}
		at = *end ? end + 1 : end;
	}
	*ret = take(found);
	*count = got;
	return NULL;
}

/* Seconds with up to nine decimals. */
static bool parse_seconds(const char *text, const char *end, uint64_t *ret)
{
	uint64_t whole = 0, part = 0, unit = 1000000000;

	if (text == end)
		return false;
	for (; text < end && isdigit((unsigned char)*text); text++)
		whole = whole * 10 + (uint64_t)(*text - '0');
	if (text < end && *text == '.')
		for (text++; text < end && isdigit((unsigned char)*text); text++) {
			unit /= 10;
			part += unit * (uint64_t)(*text - '0');
		}
	if (text != end || whole > UINT64_MAX / 1000000000 - 1)
		return false;
	*ret = whole * 1000000000 + part;
	return true;
}

static struct error *parse_time(const char *text, struct sample_filter *ret)
{
	const char *comma = text ? strchr(text, ',') : NULL;

	if (!text)
		return NULL;
	if (!comma)
		comma = text + strlen(text);
	if (comma != text && !parse_seconds(text, comma, &ret->first_ns))
		return error_new(ERROR_USAGE, "--time: '%s' is not FROM,TO in seconds", text);
	if (*comma && comma[1] && !parse_seconds(comma + 1, comma + strlen(comma), &ret->last_ns))
		return error_new(ERROR_USAGE, "--time: '%s' is not FROM,TO in seconds", text);
	return NULL;
}

struct error *recording_filter_parse(const struct recording_options *options, struct recording_filter *ret)
{
	struct sample_filter *sample = &ret->sample;
	struct error *err = parse_numbers("pid", options->pids, &ret->pids, &sample->pid_count);

	if (!err)
		err = parse_numbers("tid", options->tids, &ret->tids, &sample->tid_count);
	if (!err)
		err = parse_numbers("cpu", options->cpus, &ret->cpus, &sample->cpu_count);
	if (!err)
		err = parse_time(options->time, sample);
	sample->pids = ret->pids;
	sample->tids = ret->tids;
	sample->cpus = ret->cpus;
	return err;
}

void recording_filter_release(struct recording_filter *filter)
{
	free(filter->pids);
	free(filter->tids);
	free(filter->cpus);
}

struct symbolizer_setup recording_symbols(const struct recording_options *options, bool lines)
{
	return (struct symbolizer_setup){
		.symfs = options->symfs,
		.vmlinux = options->vmlinux,
		.kallsyms = options->kallsyms,
		.debuginfod = options->debuginfod,
		.demangle = options->demangle,
		.inlines = options->inlines,
		.lines = lines,
	};
}

void print_text(struct text *text)
{
	if (text->length)
		fwrite(text->bytes, 1, text->length, stdout);
	text_clear(text);
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

void progress_start(struct progress *progress)
{
	*progress = (struct progress){ .started_ns = now_ns(),
				       .is_quiet = !isatty(STDERR_FILENO) || log_level() == LOG_QUIET };
}

bool progress_show(void *data, uint64_t done, uint64_t all)
{
	struct progress *progress = data;

	if (progress->is_quiet || !all || (!progress->is_shown && now_ns() - progress->started_ns < 1000000000))
		return true;
	progress->is_shown = true;
	fprintf(stderr, "\rreading: %3.0f %%", 100.0 * (double)done / (double)all);
	return true;
}

void progress_end(struct progress *progress)
{
	if (progress->is_shown)
		fputs("\r\033[K", stderr);
	progress->is_shown = false;
}
