/* What looks wrong with an experiment over machines. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ab/analysis_parts.h"
#include "base/memory.h"
#include "base/text.h"

enum { MOST_NAMED = 8 };        /* parts in a list, and machines with something to say of their runs */
#define MUCH_HETEROGENEITY 0.5  /* I2 from which the mean hides what machines do. Source: Higgins 2003, "moderate" */
#define LEAST_P 1e-4
static const uint64_t LONG_NS = 3600ull * 1000000000;

static struct diagnostic about(bool is_warning, const char *metric)
{
	return (struct diagnostic){ DIAGNOSTIC_MACHINES, is_warning, metric, NULL, NAN, NAN };
}

static void tell_absent(const struct machine_list *machines, struct diagnostic_list *list)
{
	struct diagnostic absent = about(true, NULL);
	auto_text struct text names = { 0 };
	size_t named = 0;

	absent.value = (double)machines->absent;
	for (uint64_t i = 0; i < machines->shares && named <= MOST_NAMED; i++) {
		if (machines->present[i])
			continue;
		if (named++ == MOST_NAMED)
			text_append(&names, ", …");
		else
			text_format(&names, "%s%llu", names.length ? ", " : "", (unsigned long long)i + 1);
	}
	if (named)
		diagnostics_add(list, &absent, "%zu of %llu parts are not here: %s", machines->absent,
				(unsigned long long)machines->shares, names.bytes);
}

/* A text that the runs of one or more machines have. */
struct shared_text {
	struct diagnostic about;
	const char *first; /* the first machine with it */
	size_t machines;
	const struct machine *last;
};

struct shared_texts {
	struct shared_text *items;
	size_t count, capacity;
};

static void note_text(struct shared_texts *texts, const struct diagnostic *diagnostic, const struct machine *machine)
{
	for (size_t i = 0; i < texts->count; i++) {
		struct shared_text *text = &texts->items[i];

		if (strcmp(text->about.text, diagnostic->text))
			continue;
		text->machines += text->last != machine;
		text->last = machine;
		return;
	}
	array_grow(&texts->items, texts->count, &texts->capacity);
	texts->items[texts->count++] = (struct shared_text){ *diagnostic, machine->name, 1, machine };
}

/* What the parts' own runs have, said once for all machines that share it. */
static void tell_parts(const struct machine_list *machines, struct diagnostic_list *list)
{
	struct shared_texts texts = { NULL, 0, 0 };
	struct diagnostic more = about(false, NULL);

	for (size_t m = 0; m < machines->count; m++)
		for (size_t p = 0; p < machines->items[m].part_count; p++) {
			struct diagnostic_list own = { .arena = list->arena };

			diagnostics_of_runs(machines->items[m].parts[p], &own);
			for (size_t i = 0; i < own.count; i++)
				note_text(&texts, &own.items[i], &machines->items[m]);
			free(own.items);
		}
	for (size_t i = 0; i < texts.count && i < MOST_NAMED; i++) {
		const struct shared_text *text = &texts.items[i];
		auto_text struct text name = { 0 };

		text_append_escaped(&name, text->first);
		if (text->machines > 1)
			text_format(&name, " and %zu more", text->machines - 1);
		diagnostics_add(list, &text->about, "%s: %s", name.bytes, text->about.text);
	}
	if (texts.count > MOST_NAMED)
		diagnostics_add(list, &more, "%zu more notes of single machines: perfmini compare PART has them",
				texts.count - MOST_NAMED);
	free(texts.items);
}

static const char *name_twice(const struct machine_list *machines, size_t m)
{
	const struct machine *machine = &machines->items[m];

	for (size_t i = 0; machine->identity && i < m; i++)
		if (machines->items[i].identity && !strcmp(machines->items[i].identity, machine->identity))
			return machines->items[i].name;
	return NULL;
}

static void tell_names(const struct machine_list *machines, struct diagnostic_list *list)
{
	struct diagnostic twice = about(true, NULL);
	size_t shared = 0;
	const char *one = NULL, *other = NULL;

	for (size_t m = 0; m < machines->count; m++) {
		const char *same = name_twice(machines, m);

		if (!same)
			continue;
		one = same;
		other = machines->items[m].name;
		shared++;
	}
	if (!shared)
		return;

	auto_text struct text a = { 0 }, b = { 0 };

	text_append_escaped(&a, one);
	text_append_escaped(&b, other);
	twice.value = (double)shared;
	diagnostics_add(list, &twice, "%s and %s are one machine by two names%s: they do not stand for other machines",
			a.bytes, b.bytes, shared > 1 ? ", as others are" : "");
}

static uint64_t start_of(const struct runs *runs)
{
	return runs->count ? runs->items[0].start_ns : 0;
}

static void tell_times(const struct machine_list *machines, struct diagnostic_list *list)
{
	uint64_t first = UINT64_MAX, last = 0;
	struct diagnostic apart = about(false, NULL);

	for (size_t m = 0; m < machines->count; m++)
		for (size_t p = 0; p < machines->items[m].part_count; p++) {
			uint64_t start = start_of(machines->items[m].parts[p]);

			if (!start)
				continue;
			first = start < first ? start : first;
			last = start > last ? start : last;
		}
	if (last <= first || last - first < LONG_NS)
		return;
	apart.value = (double)(last - first) / 1e9;
	diagnostics_add(list, &apart, "parts began %.1f hours apart, by their clocks: blocks are only compared inside a part",
			apart.value / 3600);
}

static void tell_heterogeneity(const struct comparison *c, struct diagnostic_list *list)
{
	struct diagnostic differ = about(false, c->quantity->name);
	const struct machine_effects *machines = c->machines;

	if (!c->is_gate || !machines || !(machines->fit.i2 > MUCH_HETEROGENEITY) || !(machines->fit.q_p < 0.05))
		return;
	differ.value = machines->fit.i2;
	differ.p = machines->fit.q_p;
	differ.is_warning = machines->better && machines->worse;
	diagnostics_add(list, &differ, "machines differ in the effect by more than their runs explain (I2 %.0f %%, p %s%.2g)%s",
			100 * machines->fit.i2, machines->fit.q_p < LEAST_P ? "< " : "", fmax(machines->fit.q_p, LEAST_P),
			differ.is_warning ? ": better on some, worse on others" : "");
}

static void tell_few(const struct analysis *analysis, struct diagnostic_list *list)
{
	struct diagnostic few = about(true, NULL);
	size_t count = analysis->machines->count;

	few.value = (double)count;
	if (count < 2)
		diagnostics_add(list, &few, "one machine says nothing of others: perfmini compare PART judges it alone");
	else if (count < 4)
		diagnostics_add(list, &few, "%zu machines leave a wide interval: 4 or more tell more than longer runs",
				count);
}

void analysis_add_machine_diagnostics(const struct analysis *analysis, struct diagnostic_list *list)
{
	tell_absent(analysis->machines, list);
	tell_few(analysis, list);
	tell_names(analysis->machines, list);
	tell_times(analysis->machines, list);
	for (size_t i = 0; i < analysis->comparison_count; i++)
		tell_heterogeneity(&analysis->comparisons[i], list);
	tell_parts(analysis->machines, list);
}
