/* Resolving the kernel's own events, raw codes and breakpoints. */
#include <ctype.h>
#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <stdlib.h>
#include <string.h>

#include "event/generic.h"
#include "event/terms.h"

static struct error *not_ours(const char *text)
{
	return error_new(ERROR_NOT_FOUND, "unknown event '%s'", text);
}

/* One event for each core PMU of a hybrid CPU, its type in config[63:32]; elsewhere one.
 * Source: PERF_PMU_CAP_EXTENDED_HW_TYPE, Linux 5.13 on x86, 6.6 on ARM. */
static void hardware_add(struct event_machine *machine, const struct generic_event *generic, struct event_found *found)
{
	const struct pmu_set *pmus = event_machine_pmus(machine);
	bool hybrid = pmus->core_count > 1;

	for (size_t i = 0; i < (hybrid ? pmus->core_count : 1); i++) {
		struct event *event = event_found_add(found);

		event->attr.type = generic->type;
		event->attr.config = generic->config;
		if (!hybrid)
			continue;
		event->attr.config |= (uint64_t)pmus->items[i].type << PERF_PMU_TYPE_SHIFT;
		event->pmu = pmus->items[i].name;
		event->cpus = pmus->items[i].cpus;
	}
}

static void software_add(const struct generic_event *generic, struct event_found *found)
{
	struct event *event = event_found_add(found);
	bool clock = generic->config == PERF_COUNT_SW_CPU_CLOCK || generic->config == PERF_COUNT_SW_TASK_CLOCK;

	event->attr.type = generic->type;
	event->attr.config = generic->config;
	if (clock) {
		event->scale = 1e-6;
		event->unit = "msec";
	}
}

static struct error *generic_terms(const struct slashed *parts, struct event_machine *machine,
				   struct event_found *found)
{
	cleanup(terms_release) struct terms terms = { 0 };
	struct error *err = terms_parse(parts->terms, parts->terms_length, machine->arena, &terms);

	for (size_t i = 0; !err && i < terms.count; i++)
		for (size_t j = 0; !err && j < found->count; j++) {
			bool known;

			err = term_apply(&terms.items[i], &found->items[j], found, &known);
			if (!err && !known)
				err = error_hint(error_new(ERROR_USAGE, "unknown event term '%s' in '%s'",
							   terms.items[i].name, parts->head),
						 "a generic event takes name=, period= and freq=");
		}
	return err;
}

struct error *generic_resolve(struct event_machine *machine, const char *text, struct event_found *found)
{
	struct slashed parts;
	bool slashed = slashed_split(text, &parts);
	size_t length = slashed ? parts.head_length : strcspn(text, ":");
	struct generic_event generic;

	if (!slashed)
		parts.modifiers = text[length] ? text + length + 1 : text + length;
	if (!generic_find(text, length, &generic))
		return not_ours(text);
	if (generic.type == PERF_TYPE_SOFTWARE)
		software_add(&generic, found);
	else
		hardware_add(machine, &generic, found);

	struct error *err = slashed ? generic_terms(&parts, machine, found) : NULL;

	return err ? err : modifiers_parse(parts.modifiers, strlen(parts.modifiers), &found->modifiers);
}

struct error *raw_resolve(struct event_machine *machine, const char *text, struct event_found *found)
{
	const struct pmu_set *pmus;
	char *end;

	if (text[0] != 'r' || !isxdigit((unsigned char)text[1]) || !strncasecmp(text + 1, "0x", 2))
		return not_ours(text);
	errno = 0;

	unsigned long long config = strtoull(text + 1, &end, 16);

	if (errno || (*end && *end != ':'))
		return not_ours(text);
	pmus = event_machine_pmus(machine);
	for (size_t i = 0; i < (pmus->core_count > 1 ? pmus->core_count : 1); i++) {
		struct event *event = event_found_add(found);
		bool hybrid = pmus->core_count > 1;

		event->attr.type = hybrid ? pmus->items[i].type : PERF_TYPE_RAW;
		event->attr.config = config;
		event->pmu = hybrid ? pmus->items[i].name : NULL;
		event->cpus = hybrid ? pmus->items[i].cpus : NULL;
	}
	return modifiers_parse(*end ? end + 1 : end, strlen(*end ? end + 1 : end), &found->modifiers);
}

/* "rw", "x"… to HW_BREAKPOINT_*; false when some letter is none, or x comes with another. */
static bool access_parse(const char *text, size_t length, uint32_t *type)
{
	uint32_t bits = 0;

	for (size_t i = 0; i < length; i++) {
		uint32_t bit = text[i] == 'r'   ? HW_BREAKPOINT_R
			       : text[i] == 'w' ? HW_BREAKPOINT_W
			       : text[i] == 'x' ? HW_BREAKPOINT_X
						: 0;

		if (!bit || bits & bit)
			return false;
		bits |= bit;
	}
	*type = bits ? bits : HW_BREAKPOINT_RW;
	return bits == HW_BREAKPOINT_X || !(bits & HW_BREAKPOINT_X);
}

static struct error *breakpoint_usage(const char *text)
{
	return error_hint(error_new(ERROR_USAGE, "bad breakpoint '%s'", text),
			  "write mem:ADDRESS[/LENGTH][:rwx], LENGTH 1, 2, 4 or 8, as in mem:0x4011a0/8:w");
}

static bool is_breakpoint_length(unsigned long long length)
{
	return length == 1 || length == 2 || length == 4 || length == 8;
}

/* Source: perf_event_open(2), bp_type, bp_addr, bp_len; the default length is perf's. */
struct error *breakpoint_resolve(struct event_machine *machine unused, const char *text, struct event_found *found)
{
	unsigned long long address, length = 0;
	uint32_t type = HW_BREAKPOINT_RW;
	char *end;

	if (strncmp(text, "mem:", 4))
		return not_ours(text);
	errno = 0;
	address = strtoull(text + 4, &end, 0);
	if (end == text + 4 || text[4] == '-' || errno)
		return breakpoint_usage(text);
	if (*end == '/') {
		length = strtoull(end + 1, &end, 0);
		if (!is_breakpoint_length(length))
			return breakpoint_usage(text);
	}

	const char *word = *end == ':' ? end + 1 : end;
	size_t word_length = strcspn(word, ":");

	if (*end == ':' && access_parse(word, word_length, &type))
		end = (char *)word + word_length;
	if (*end && *end != ':')
		return breakpoint_usage(text);

	struct event *event = event_found_add(found);

	event->attr.type = PERF_TYPE_BREAKPOINT;
	event->attr.bp_type = type;
	event->attr.bp_addr = address;
	event->attr.bp_len = length ? length : type == HW_BREAKPOINT_X ? sizeof(long) : HW_BREAKPOINT_LEN_4;
	return modifiers_parse(*end ? end + 1 : end, strlen(*end ? end + 1 : end), &found->modifiers);
}
