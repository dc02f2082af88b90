/* A report for programs: CSV and JSON; and in kprof's form. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "output/report.h"

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0.0;
}

static bool is_shown(const struct entries *entries, const struct report_view *view, size_t entry)
{
	return report_share(entries, view, entry) >= view->percent_limit;
}

static void append_csv_row(const struct entries *entries, const struct report_view *view, size_t entry,
			   size_t member, struct text *out)
{
	const struct profile *profile = resolver_profile(entries->resolver);
	const struct entry_total *total = &entry_totals(entries, entry)[member];
	uint64_t whole = report_whole(entries, view, member);
	auto_text struct text cell = { 0 };

	text_append_csv(out, profile->events[entries->setup->event + member].name, ",");
	text_format(out, ",%.4f,%.4f,%llu,%llu,%llu", percent(total->children, whole),
		    percent(total->period, whole), (unsigned long long)total->samples,
		    (unsigned long long)total->period, (unsigned long long)total->children);
	for (size_t i = 0; i < entries->setup->key_count; i++) {
		text_clear(&cell);
		sort_key_append(entries->setup->keys[i], entries->resolver, entry_values(entries, entry)[i], &cell);
		text_append_char(out, ',');
		text_append_csv(out, cell.bytes ? cell.bytes : "", ",");
	}
	text_append_char(out, '\n');
}

void report_csv(struct entries *entries, const struct report_view *view, bool with_header, struct text *out)
{
	if (with_header) {
		text_append(out, "event,children_percent,self_percent,samples,period,children_period");
		for (size_t i = 0; i < entries->setup->key_count; i++)
			text_format(out, ",%s", entries->setup->keys[i]->name);
		text_append_char(out, '\n');
	}
	for (size_t i = 0; i < entries->shown; i++)
		for (size_t member = 0; member < entries->members; member++)
			if (is_shown(entries, view, entries->order[i]))
				append_csv_row(entries, view, entries->order[i], member, out);
}

struct report_json {
	json_t *root, *events;
};

struct report_json *report_json_create(const struct profile *profile)
{
	struct report_json *json = memory_zeroed(1, sizeof(*json));
	const struct perfdata_losses *losses = &profile->losses;

	json->events = json_array();
	json->root = json_pack("{s:s, s:i, s:{s:I, s:I, s:I, s:I, s:I, s:b}, s:o}", "format", "perfmini-report",
			       "version", 1, "losses", "lost_samples", (json_int_t)losses->lost_samples,
			       "lost_events", (json_int_t)losses->lost_events, "throttles",
			       (json_int_t)losses->throttles, "out_of_order", (json_int_t)losses->out_of_order,
			       "unknown_ids", (json_int_t)losses->unknown_ids, "truncated", losses->truncated,
			       "events", json->events);
	return json;
}

/* Names may hold anything; JSON text is UTF-8, so they are escaped first. */
static json_t *json_text(const char *text)
{
	auto_text struct text escaped = { 0 };

	text_append_escaped(&escaped, text);
	return json_string(escaped.bytes ? escaped.bytes : "");
}

static json_t *key_json(const struct entries *entries, size_t entry, size_t key)
{
	const struct sort_key *sort = entries->setup->keys[key];
	uint64_t value = entry_values(entries, entry)[key];
	auto_text struct text cell = { 0 };

	if (sort->kind == KEY_PLACE) {
		const struct place *place = resolver_place_at(entries->resolver, (uint32_t)value);

		if (place->function)
			return json_text(place_name(place));
		text_format(&cell, "0x%llx", (unsigned long long)place->offset);
		return json_string(cell.bytes);
	}
	if (sort->kind == KEY_NUMBER)
		return json_integer((json_int_t)value);
	if (sort->kind == KEY_TEXT)
		return json_text(value ? (const char *)(uintptr_t)value : "");
	sort_key_append(sort, entries->resolver, value, &cell);
	return json_string(cell.bytes + strspn(cell.bytes, " "));
}

static json_t *entry_json(const struct entries *entries, const struct report_view *view, size_t entry, size_t member)
{
	const struct entry_total *total = &entry_totals(entries, entry)[member];
	uint64_t whole = report_whole(entries, view, member);
	json_t *object = json_pack("{s:f, s:f, s:I, s:I, s:I}", "children_percent", percent(total->children, whole),
				   "self_percent", percent(total->period, whole), "samples",
				   (json_int_t)total->samples, "period", (json_int_t)total->period,
				   "children_period", (json_int_t)total->children);
	const struct place *place = resolver_place_at(entries->resolver, entries->items[entry].place);

	for (size_t i = 0; i < entries->setup->key_count; i++)
		json_object_set_new(object, entries->setup->keys[i]->name, key_json(entries, entry, i));
	json_object_set_new(object, "resolved", json_boolean(place->function != NULL));
	return object;
}

void report_json_add(struct report_json *json, struct entries *entries, const struct report_view *view)
{
	const struct profile *profile = resolver_profile(entries->resolver);

	for (size_t member = 0; member < entries->members; member++) {
		const struct profile_event *event = &profile->events[entries->setup->event + member];
		json_t *list = json_array();

		for (size_t i = 0; i < entries->shown; i++)
			if (is_shown(entries, view, entries->order[i]))
				json_array_append_new(list,
						      entry_json(entries, view, entries->order[i], member));
		json_array_append_new(json->events,
				      json_pack("{s:o, s:I, s:I, s:o}", "event", json_text(event->name), "samples",
						(json_int_t)entries->sums[member].samples, "period",
						(json_int_t)entries->sums[member].period, "entries", list));
	}
}

char *report_json_finish(struct report_json *json)
{
	char *text = json_dumps(json->root, JSON_INDENT(1) | JSON_PRESERVE_ORDER);

	json_decref(json->root);
	free(json);
	return text;
}

/* Source: 9front, sys/src/cmd/kprof.c: totals in ms, then "ms  %  sym", percent of the time in the kernel. */
void report_kprof(struct entries *entries, struct text *out)
{
	const struct profile *profile = resolver_profile(entries->resolver);
	bool is_clock = profile->events[entries->setup->event].attr.type == PERF_TYPE_SOFTWARE;
	uint64_t unit = is_clock ? 1000000 : 1, inside = 0, all = entries->sums[0].period;

	for (size_t i = 0; i < entries->shown; i++)
		if (resolver_place_at(entries->resolver, entries->items[entries->order[i]].place)->mark == 'k')
			inside += entry_totals(entries, entries->order[i])->period;
	text_format(out, "total: %llu\tin kernel text: %llu\toutside kernel text: %llu\n",
		    (unsigned long long)(all / unit), (unsigned long long)(inside / unit),
		    (unsigned long long)((all - inside) / unit));
	text_format(out, "%s\t  %%\tsym\n", is_clock ? "ms" : "period");
	for (size_t i = 0; i < entries->shown; i++) {
		const struct entry *entry = &entries->items[entries->order[i]];
		const struct place *place = resolver_place_at(entries->resolver, entry->place);
		uint64_t period = entry_totals(entries, entries->order[i])->period;

		if (place->mark != 'k' || !period)
			continue;
		text_format(out, "%llu\t%5.1f\t", (unsigned long long)(period / unit), percent(period, inside));
		if (place->function)
			text_append_escaped(out, place_name(place));
		else
			text_format(out, "0x%llx", (unsigned long long)place->offset);
		text_append_char(out, '\n');
	}
}
