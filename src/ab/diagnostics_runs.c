/* What looks wrong with an experiment as a whole: outputs, void runs, flags. */
#include <inttypes.h>
#include <math.h>

#include "ab/diagnostics.h"
#include "ab/foreign.h"
#include "base/memory.h"
#include "base/text.h"

static const struct diagnostic whole = { .value = NAN, .p = NAN };

static struct diagnostic about(enum diagnostic_kind kind, bool is_warning, double value)
{
	struct diagnostic diagnostic = whole;

	diagnostic.kind = kind;
	diagnostic.is_warning = is_warning;
	diagnostic.value = value;
	return diagnostic;
}

/* The output of an arm's first run that has one; differs: other runs of the arm print something else. */
struct arm_output {
	uint64_t hash;
	bool differs;
};

static struct arm_output output_of(const struct runs *runs, size_t arm)
{
	struct arm_output output = { 0, false };

	for (size_t i = 0; i < runs->count; i++) {
		const struct run *run = &runs->items[i];

		if (run->arm != arm || run->is_void || !run->output_hash)
			continue;
		if (!output.hash)
			output.hash = run->output_hash;
		output.differs |= run->output_hash != output.hash;
	}
	return output;
}

static void check_output(const struct runs *runs, struct diagnostic_list *list)
{
	struct arm_output first = output_of(runs, 0);
	struct diagnostic differs = about(DIAGNOSTIC_OUTPUT_DIFFERS, true, NAN);

	for (size_t arm = 0; arm < runs->arm_count; arm++) {
		struct arm_output output = output_of(runs, arm);
		auto_text struct text name = { 0 }, first_name = { 0 };

		text_append_escaped(&name, runs->arms[arm].name);
		text_append_escaped(&first_name, runs->arms[0].name);
		if (output.differs)
			diagnostics_add(list, &differs, "%s prints something else from run to run", name.bytes);
		else if (output.hash && first.hash && !first.differs && output.hash != first.hash)
			diagnostics_add(list, &differs, "%s prints something else than %s: they may not do the same work",
					name.bytes, first_name.bytes);
	}
}

static void check_void(const struct runs *runs, struct diagnostic_list *list)
{
	size_t count = 0;
	const struct run *first = NULL;
	struct diagnostic diagnostic;

	for (size_t i = 0; i < runs->count; i++) {
		if (!runs->items[i].is_void)
			continue;
		count++;
		if (!first || (!first->void_why && runs->items[i].void_why))
			first = &runs->items[i];
	}
	if (!first)
		return;
	auto_text struct text why = { 0 };

	text_append_escaped(&why, first->void_why ? first->void_why : "its block was void");
	diagnostic = about(DIAGNOSTIC_VOID, true, (double)count);
	diagnostics_add(list, &diagnostic, "%zu of %zu runs are void and not used; the first: block %u, %s", count,
			runs->count, (unsigned)first->block, why.bytes);
}

static void check_flags(const struct runs *runs, struct diagnostic_list *list)
{
	static const struct {
		uint32_t flag;
		const char *text;
	} flags[] = {
		{ RUN_STEAL, "had CPU time stolen by the hypervisor" },
		{ RUN_THROTTLED, "were throttled" },
		{ RUN_FOREIGN_LOAD, "shared the machine with more other load than the rest" },
		{ RUN_MAJOR_FAULT, "read from disk (major faults)" },
		{ RUN_MIGRATED, "moved between CPUs" },
		{ RUN_LEFT_CHILDREN, "left processes behind" },
		{ RUN_CHANGED_BINARY, "changed their own binary" },
	};

	for (size_t f = 0; f < ARRAY_SIZE(flags); f++) {
		size_t count = 0;
		struct diagnostic diagnostic;

		for (size_t i = 0; i < runs->count; i++)
			count += !runs->items[i].is_void && (runs->items[i].flags & flags[f].flag);
		diagnostic = about(DIAGNOSTIC_FLAGGED, true, (double)count);
		if (count)
			diagnostics_add(list, &diagnostic, "%zu of %zu runs %s", count, runs->count, flags[f].text);
	}
}

static void check_foreign(const struct runs *runs, struct diagnostic_list *list)
{
	double cpus = foreign_median(runs);
	struct diagnostic busy = about(DIAGNOSTIC_FLAGGED, false, cpus);

	if (cpus > 0.05)
		diagnostics_add(list, &busy, "other load took %.1f CPUs throughout", cpus);
}

void diagnostics_of_runs(const struct runs *runs, struct diagnostic_list *list)
{
	check_output(runs, list);
	check_void(runs, list);
	check_foreign(runs, list);
	check_flags(runs, list);
}
