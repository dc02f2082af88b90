/* Measured runs in memory. */
#include "runs/runs.h"

#include <math.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"

/* "model name" of /proc/cpuinfo; other architectures name the CPU elsewhere or not at all. */
static const char *cpu_model(struct runs *runs)
{
	static const char *const keys[] = { "\nmodel name", "\nuarch", "\ncpu model", "\nCPU part", "\ncpu\t" };
	auto_free char *info = NULL;
	struct error *err = file_read("/proc/cpuinfo", &info, NULL);

	error_destroy(err);
	for (size_t i = 0; info && i < ARRAY_SIZE(keys); i++) {
		char *line = strstr(info, keys[i]);
		char *value = line ? strchr(line, ':') : NULL;

		if (!value)
			continue;
		value += 1 + strspn(value + 1, " \t");
		value[strcspn(value, "\n")] = '\0';
		return runs_text(runs, value);
	}
	return NULL;
}

struct runs *runs_create(const char *kind)
{
	struct runs *runs = memory_zeroed(1, sizeof(*runs));
	struct utsname system;

	runs->arena = arena_create();
	runs->kind = runs_text(runs, kind);
	runs->version = PERFMINI_VERSION;
	runs->cpu_model = cpu_model(runs);
	if (!uname(&system)) {
		runs->host = runs_text(runs, system.nodename);
		runs->kernel = runs_text(runs, system.release);
		runs->machine = runs_text(runs, system.machine);
	}
	return runs;
}

void runs_destroy(struct runs *runs)
{
	if (!runs)
		return;
	arena_destroy(runs->arena);
	free(runs->items);
	free(runs);
}

const char *runs_text(struct runs *runs, const char *text)
{
	return text ? arena_strdup(runs->arena, text) : NULL;
}

void *runs_alloc(struct runs *runs, size_t count, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(count, size, &bytes))
		abort();
	return arena_alloc(runs->arena, bytes ? bytes : 1);
}

struct run *runs_add(struct runs *runs)
{
	array_grow(&runs->items, runs->count, &runs->capacity);

	struct run *run = &runs->items[runs->count++];

	*run = (struct run){ .cpu = -1 };
	run->counts = runs_alloc(runs, runs->event_count, sizeof(*run->counts));
	run->printed = runs_alloc(runs, runs->printed_count, sizeof(*run->printed));
	for (size_t i = 0; i < runs->printed_count; i++)
		run->printed[i] = NAN;
	return run;
}

static const char *find_value(const char *const *list, size_t count, const char *name)
{
	size_t length = strlen(name);

	for (size_t i = 0; i < count; i++)
		if (!strncmp(list[i], name, length) && list[i][length] == '=')
			return list[i] + length + 1;
	return NULL;
}

const char *runs_plan(const struct runs *runs, const char *name)
{
	return find_value(runs->plan, runs->plan_count, name);
}

const char *runs_setting(const struct runs *runs, const char *name)
{
	return find_value(runs->settings, runs->setting_count, name);
}
