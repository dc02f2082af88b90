/* What a report could not name, and why. */
#include <stdlib.h>

#include "base/memory.h"
#include "output/report.h"

/* Samples without symbol of one object for one reason. */
struct unresolved {
	uint32_t object;
	const char *reason;
	uint64_t samples;
};

struct unresolved_list {
	struct unresolved *items;
	size_t count, capacity;
};

static void count_samples(struct unresolved_list *list, uint32_t object, const char *reason, uint64_t samples)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->items[i].object == object && list->items[i].reason == reason) {
			list->items[i].samples += samples;
			return;
		}
	array_grow(&list->items, list->count, &list->capacity);
	list->items[list->count++] = (struct unresolved){ object, reason, samples };
}

static int compare_unresolved(const void *left, const void *right)
{
	const struct unresolved *a = left, *b = right;

	if (a->samples != b->samples)
		return a->samples > b->samples ? -1 : 1;
	return a->object < b->object ? -1 : a->object > b->object;
}

static uint64_t gather_unresolved(const struct profile *profile, struct resolver *resolver,
				  struct unresolved_list *list)
{
	uint64_t all = 0;

	for (size_t row = 0; row < profile->rows.count; row++) {
		uint32_t site = row_site(profile, row);

		all += profile->totals[row].samples;
		if (!resolver_place_at(resolver, resolver_place(resolver, site))->function)
			count_samples(list, profile->sites[site].object, resolver_reason(resolver, site),
				      profile->totals[row].samples);
	}
	if (list->count)
		qsort(list->items, list->count, sizeof(*list->items), compare_unresolved);
	return all;
}

void report_unresolved(const struct profile *profile, struct resolver *resolver, struct text *out)
{
	struct unresolved_list list = { 0 };
	uint64_t all = gather_unresolved(profile, resolver, &list), missing = 0;

	for (size_t i = 0; i < list.count; i++)
		missing += list.items[i].samples;
	if (missing)
		text_format(out, "#\n# %llu of %llu samples have no symbol:\n", (unsigned long long)missing,
			    (unsigned long long)all);
	for (size_t i = 0; i < list.count; i++) {
		text_format(out, "# %10llu  ", (unsigned long long)list.items[i].samples);
		text_append_escaped(out, profile->objects->items[list.items[i].object].shown);
		text_format(out, ": %s\n", list.items[i].reason);
	}
	if (missing)
		text_append(out, "#\n");
	free(list.items);
}
