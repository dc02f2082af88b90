/* A filter is one name; the same key lifts it. */
#include "tui/report_filter.h"

#include "base/intern.h"

void report_filter_init(struct report_filter *filter, const struct entry_filter *chosen)
{
	*filter = (struct report_filter){ .chosen = *chosen, .names = intern_create() };
}

static const char *comm_of(const struct filter_choice *choice)
{
	return (const char *)(uintptr_t)row_word(resolver_profile(choice->resolver), choice->row, ROW_COMM);
}

static const char *name_of(const struct filter_choice *choice, enum request request)
{
	const struct place *place = resolver_place_at(choice->resolver, choice->place);

	if (request == REQUEST_FILTER_THREAD)
		return comm_of(choice);
	return request == REQUEST_FILTER_OBJECT ? place_object(choice->resolver, place) : place_name(place);
}

/* The user's filter again where no key set another. */
void report_filter_apply(const struct report_filter *filter, struct entry_filter *ret)
{
	*ret = filter->chosen;
	if (filter->comm) {
		ret->comms = &filter->comm;
		ret->comm_count = 1;
	}
	if (filter->object) {
		ret->objects = &filter->object;
		ret->object_count = 1;
	}
	if (filter->symbol) {
		ret->symbols = &filter->symbol;
		ret->symbol_count = 1;
	}
}

bool report_filter_toggle(struct report_filter *filter, enum request request, const struct filter_choice *choice,
			  struct tui *tui)
{
	const char **held = request == REQUEST_FILTER_THREAD ? &filter->comm :
			    request == REQUEST_FILTER_OBJECT ? &filter->object : &filter->symbol;
	const char *name = NULL;

	if (!*held) {
		name = choice->has_line ? name_of(choice, request) : NULL;
		if (!name) {
			tui_say(tui, request == REQUEST_FILTER_THREAD ? "no thread names here: sort by comm too" :
									"the line has no such name");
			return false;
		}
	}
	*held = name ? intern_text(filter->names, name) : NULL;
	report_filter_apply(filter, choice->filter);
	return true;
}

static void describe(struct text *out, const char *what, const char *name)
{
	if (!name)
		return;
	text_format(out, ", %s: ", what);
	text_append_escaped(out, name);
}

void report_filter_describe(const struct report_filter *filter, struct text *out)
{
	describe(out, "Thread", filter->comm);
	describe(out, "Object", filter->object);
	describe(out, "Symbol", filter->symbol);
}

void report_filter_release(struct report_filter *filter)
{
	intern_destroy(filter->names);
}
