/* The table of workloads, and what may be asked of each. */
#include "workload/workload.h"

#include <errno.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"

static const struct workload workloads[] = {
#define WORKLOAD(id, name, unit, kinds, count, array, takes, summary) \
	{ name, unit, kinds, count, array, takes, summary, workload_##id },
#include "workload/workloads.def"
#undef WORKLOAD
};

const char *const workload_markers[] = { "none", "global", "imm", NULL };
const char *const workload_pressures[] = { "none", "sweep", "random", NULL };

/* More would not end in a year, or is a typing error. */
static const uint64_t count_limit = 1000000000000000, threads_limit = 4096, array_least = 4096;

size_t workload_count(void)
{
	return ARRAY_SIZE(workloads);
}

const struct workload *workload_at(size_t index)
{
	return &workloads[index];
}

static struct error *unknown_workload(const char *name)
{
	const char *names[ARRAY_SIZE(workloads)];
	struct error *err = error_new(ERROR_USAGE, "unknown workload '%s'", name);

	for (size_t i = 0; i < ARRAY_SIZE(workloads); i++)
		names[i] = workloads[i].name;

	const char *near = text_nearest(name, names, ARRAY_SIZE(names));

	if (near)
		return error_hint(err, "did you mean '%s'? 'perfmini workload --list' shows all", near);
	return error_hint(err, "'perfmini workload --list' shows all");
}

struct error *workload_find(const char *name, const struct workload **ret)
{
	for (size_t i = 0; i < ARRAY_SIZE(workloads); i++) {
		if (strcmp(workloads[i].name, name))
			continue;
		*ret = &workloads[i];
		return NULL;
	}
	return unknown_workload(name);
}

static char *joined(const char *const *words)
{
	struct text text = { 0 };

	for (size_t i = 0; words[i]; i++)
		text_format(&text, "%s%s", i ? ", " : "", words[i]);
	return text_steal(&text);
}

/* Which of words is meant; the first when none was given. what: "--markers", "kind". */
static struct error *choose(const char *what, const char *word, const char *const *words, unsigned *ret)
{
	auto_free char *all = NULL;

	if (!word) {
		*ret = 0;
		return NULL;
	}
	for (unsigned i = 0; words[i]; i++) {
		if (strcmp(words[i], word))
			continue;
		*ret = i;
		return NULL;
	}
	all = joined(words);
	return error_new(ERROR_USAGE, "unknown %s '%s': it is one of %s", what, word, all);
}

static struct error *choose_kind(const struct workload *workload, const char *kind, unsigned *ret)
{
	if (!workload->kinds) {
		*ret = 0;
		return NULL;
	}
	if (kind)
		return choose("kind", kind, workload->kinds, ret);

	auto_free char *all = joined(workload->kinds);

	return error_new(ERROR_USAGE, "%s needs its kind: one of %s", workload->name, all);
}

static struct error *check_count(const struct workload *workload, const char *text, uint64_t *ret)
{
	char *end;

	if (!text) {
		*ret = workload->count;
		return NULL;
	}
	errno = 0;

	unsigned long long count = strtoull(text, &end, 10);

	if (end == text || *end || strchr(text, '-'))
		return error_new(ERROR_USAGE, "'%s' is no number of %s", text, workload->unit);
	if (!count)
		return error_new(ERROR_USAGE, "0 %s is nothing to measure", workload->unit);
	if (errno || count > count_limit)
		return error_new(ERROR_USAGE, "%s %s are more than the limit of %ju", text, workload->unit,
				 (uintmax_t)count_limit);
	*ret = count;
	return NULL;
}

static struct error *check_threads(const struct workload_request *request, uint64_t *ret)
{
	uint64_t threads = request->threads_given ? request->threads : 1;

	if (!threads || threads > threads_limit)
		return error_new(ERROR_USAGE, "--threads: %ju is not from 1 to %ju", (uintmax_t)threads,
				 (uintmax_t)threads_limit);
	*ret = threads;
	return NULL;
}

/* MemAvailable of /proc/meminfo, or UINT64_MAX when it does not say. */
static uint64_t available_bytes(void)
{
	auto_free char *meminfo = NULL;
	struct error *err = file_read("/proc/meminfo", &meminfo, NULL);
	const char *line = err ? NULL : strstr(meminfo, "MemAvailable:");

	error_destroy(err);
	return line ? strtoull(line + strlen("MemAvailable:"), NULL, 10) * 1024 : UINT64_MAX;
}

static struct error *check_array(const struct workload *workload, const struct workload_request *request,
				 uint64_t *ret)
{
	uint64_t bytes = request->array_given ? request->array_bytes : workload->array_bytes;
	uint64_t available;

	if (!(workload->takes & TAKES_ARRAY)) {
		*ret = 0;
		return NULL;
	}
	if (bytes < array_least)
		return error_new(ERROR_USAGE, "--array: %ju bytes are less than a page of %ju", (uintmax_t)bytes,
				 (uintmax_t)array_least);
	available = available_bytes();
	if (bytes > available)
		return error_hint(error_os(ENOMEM, "an array of %ju MiB does not fit into the %ju MiB that are free",
					   (uintmax_t)(bytes >> 20), (uintmax_t)(available >> 20)),
				  "choose a smaller one: --array %juM", (uintmax_t)(available >> 22) + 1);
	*ret = bytes;
	return NULL;
}

/* An option that this workload has no use for is an error: the result would not be what was asked. */
static struct error *refuse_useless(const struct workload *workload, const struct workload_request *request)
{
	const struct {
		bool given;
		enum workload_takes needs;
		const char *option;
	} checks[] = {
		{ request->threads_given, TAKES_THREADS, "--threads" },
		{ request->array_given, TAKES_ARRAY, "--array" },
		{ request->markers, TAKES_MARKERS, "--markers" },
		{ request->pressure, TAKES_PRESSURE, "--pressure" },
		{ request->cpu != WORKLOAD_ANY_CPU, TAKES_PIN, "--pin" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(checks); i++)
		if (checks[i].given && !(workload->takes & checks[i].needs))
			return error_new(ERROR_USAGE, "%s has no use for %s", workload->name, checks[i].option);
	return NULL;
}

struct error *workload_plan(const struct workload *workload, const struct workload_request *request,
			    struct workload_plan *ret)
{
	struct workload_plan plan = { .cpu = request->cpu };
	struct error *err = refuse_useless(workload, request);

	if (!err)
		err = choose_kind(workload, request->kind, &plan.kind);
	if (!err)
		err = check_count(workload, request->count, &plan.count);
	if (!err)
		err = choose("--markers", request->markers, workload_markers, &plan.markers);
	if (!err)
		err = choose("--pressure", request->pressure, workload_pressures, &plan.pressure);
	if (!err)
		err = check_threads(request, &plan.threads);
	if (!err)
		err = check_array(workload, request, &plan.array_bytes);
	if (!err)
		*ret = plan;
	return err;
}
