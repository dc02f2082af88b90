/* Format terms of sysfs PMUs: which bits of config, config1… a value goes to, scattered ranges included. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "event/pmu.h"

/* Bits the attribute has no room for in the headers this was built with (config3) are refused. */
static __u64 *config_word(struct perf_event_attr *attr, const char *name, size_t length)
{
	static const struct {
		const char *name;
		size_t offset;
	} words[] = {
		{ "config", offsetof(struct perf_event_attr, config) },
		{ "config1", offsetof(struct perf_event_attr, config1) },
		{ "config2", offsetof(struct perf_event_attr, config2) },
		/* config3 is the last word of PERF_ATTR_SIZE_VER8 (Linux 6.3). */
#ifdef PERF_ATTR_SIZE_VER8
		{ "config3", offsetof(struct perf_event_attr, config3) },
#endif
	};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (strlen(words[i].name) == length && !strncmp(words[i].name, name, length))
			return (__u64 *)((char *)attr + words[i].offset);
	return NULL;
}

/* One bit or range: "7" or "0-7". Advances *at; false when it is neither. */
static bool range_parse(const char **at, unsigned *first, unsigned *last)
{
	char *end;

	if (!isdigit((unsigned char)**at))
		return false;

	unsigned long low = strtoul(*at, &end, 10), high = low;

	if (*end == '-') {
		if (!isdigit((unsigned char)end[1]))
			return false;
		high = strtoul(end + 1, &end, 10);
	}
	*at = end;
	*first = (unsigned)low;
	*last = (unsigned)high;
	return low <= high && high < 64;
}

/* Move the low bits of *value to first…last of word. */
static void range_fill(uint64_t *word, unsigned first, unsigned last, uint64_t *value)
{
	unsigned width = last - first + 1;
	uint64_t mask = width == 64 ? UINT64_MAX : (1ull << width) - 1;

	*word = (*word & ~(mask << first)) | (*value & mask) << first;
	*value = width == 64 ? 0 : *value >> width;
}

struct error *pmu_format_apply(const char *format, uint64_t value, struct perf_event_attr *attr)
{
	struct perf_event_attr filled = *attr;
	size_t length = strcspn(format, ":");
	__u64 *word = config_word(&filled, format, length);
	const char *at = format + length;
	unsigned first, last;

	if (!word && length == strlen("config3") && !strncmp(format, "config3", length))
		return error_new(ERROR_UNSUPPORTED, "config3 needs kernel headers of Linux 6.3 in the build");
	if (!word || *at != ':')
		return error_new(ERROR_FORMAT, "format '%s' is not understood", format);

	uint64_t bits = *word, left = value;

	do {
		at++;
		if (!range_parse(&at, &first, &last))
			return error_new(ERROR_FORMAT, "format '%s' is not understood", format);
		range_fill(&bits, first, last, &left);
	} while (*at == ',');
	if (*at)
		return error_new(ERROR_FORMAT, "format '%s' is not understood", format);
	if (left)
		return error_new(ERROR_USAGE, "value %#llx does not fit into %s", (unsigned long long)value, format);
	*word = bits;
	*attr = filled;
	return NULL;
}

struct error *pmu_format_set(const struct pmu *pmu, const char *term, uint64_t value, struct perf_event_attr *attr)
{
	auto_free char *path = memory_format("%s/format/%s", pmu->directory, term);
	auto_free char *format = NULL;
	struct error *err;

	if (strchr(term, '/') || term[0] == '.' || term[0] == '\0')
		return error_new(ERROR_NOT_FOUND, "PMU %s has no term '%s'", pmu->name, term);
	err = file_read_line(path, &format);
	if (err && error_kind(err) == ERROR_NOT_FOUND) {
		error_destroy(err);
		return error_new(ERROR_NOT_FOUND, "PMU %s has no term '%s'", pmu->name, term);
	}
	if (err)
		return err;
	err = pmu_format_apply(format, value, attr);
	return err ? error_wrap(err, "term '%s' of PMU %s", term, pmu->name) : NULL;
}
