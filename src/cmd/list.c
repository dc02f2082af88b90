/* perfmini list: every event of every source, and whether it opens here. */
#include <inttypes.h>
#include <jansson.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "cmd/cmd.h"
#include "event/catalog.h"
#include "measure/probe.h"
#include "measure/refusal.h"

struct list_options {
	bool json, check, details;
};

static const struct option options[] = {
	{ 'j', "json", OPTION_FLAG, offsetof(struct list_options, json), NULL, "print one JSON document", NULL, NULL },
	{ 0, "check", OPTION_FLAG, offsetof(struct list_options, check), NULL,
	  "check the tables of aliases and metrics against libpfm4, and print what is wrong", NULL, NULL },
	{ 'd', "details", OPTION_FLAG, offsetof(struct list_options, details), NULL,
	  "show unit masks and terms, and why an event does not open", NULL, NULL },
	{ .type = OPTION_END },
};

struct listing {
	struct event_roots roots;
	char *group;               /* the one last printed */
	bool details;
	json_t *entries;           /* NULL: print text */
	size_t count, opens, user_only;
};

/* What became of one entry when it was tried. */
struct trial {
	enum probe_answer answer;
	struct error *why; /* PROBE_REFUSED: the caller destroys */
};

static struct trial try_open(struct listing *listing, const char *text)
{
	cleanup(event_list_guard) struct event_list *events = event_list_create_in(&listing->roots);
	struct trial trial = { .answer = PROBE_REFUSED };
	int os_errno;

	trial.why = event_list_add(events, text);
	if (trial.why)
		return trial;

	const struct event *event = event_list_at(events, 0);

	trial.answer = probe_event(&kernel_linux, event, &os_errno);
	if (trial.answer != PROBE_REFUSED)
		return trial;

	struct refusal refusal = { .event = event->name, .attr = &event->attr, .os_errno = os_errno,
				   .system_wide = event->system_wide };

	trial.why = refusal_explain(&refusal, NULL);
	return trial;
}

static void print_group(struct listing *listing, const char *group)
{
	if (listing->group && !strcmp(listing->group, group))
		return;
	printf("%s%s:\n", listing->group ? "\n" : "", group);
	free(listing->group);
	listing->group = memory_strdup(group);
}

static const char *answer_text(const struct catalog_entry *entry, const struct trial *trial)
{
	static const char *const texts[] = { [PROBE_OPENS] = "yes", [PROBE_USER_ONLY] = ":u", [PROBE_REFUSED] = "no" };

	return entry->is_event ? texts[trial->answer] : "-";
}

enum { NAME_WIDTH = 42 };

static void print_entry(struct listing *listing, const struct catalog_entry *entry, const struct trial *trial)
{
	auto_free char *name = entry->alias ? memory_format("%s, %s", entry->name, entry->alias)
					    : memory_strdup(entry->name);
	auto_text struct text shown = { 0 };
	auto_text struct text description = { 0 };

	text_append_escaped(&shown, name);
	text_append_escaped(&description, entry->description);
	if (entry->is_detail) {
		printf("        :%-36s %s\n", shown.bytes, description.length ? description.bytes : "");
		return;
	}
	print_group(listing, entry->group);
	printf("  %-3s %u  %s%*s%s\n", answer_text(entry, trial), entry->counters, shown.bytes,
	       (int)text_width(shown.bytes) < NAME_WIDTH ? NAME_WIDTH - (int)text_width(shown.bytes) : 1, "",
	       description.length ? description.bytes : "");
	if (listing->details && trial->why)
		printf("         %s\n", error_message(trial->why));
}

static void store_entry(struct listing *listing, const struct catalog_entry *entry, const struct trial *trial)
{
	json_t *object = json_pack("{s:s, s:s?, s:s, s:s?}", "name", entry->name, "group", entry->group, "description",
				   entry->description, "alias", entry->alias);

	if (!object)
		return; /* a name that is no UTF-8: sysfs has none */
	if (entry->is_event) {
		json_object_set_new(object, "opens", json_boolean(trial->answer != PROBE_REFUSED));
		json_object_set_new(object, "user_only", json_boolean(trial->answer == PROBE_USER_ONLY));
		json_object_set_new(object, "counters", json_integer(entry->counters));
	}
	if (trial->why)
		json_object_set_new(object, "why", json_string(error_message(trial->why)));
	if (entry->is_detail)
		json_object_set_new(object, "detail", json_true());
	json_array_append_new(listing->entries, object);
}

static void show(const struct catalog_entry *entry, void *closure)
{
	struct listing *listing = closure;
	struct trial trial = { PROBE_REFUSED, NULL };

	if (entry->is_event)
		trial = try_open(listing, entry->name);
	listing->count += entry->is_event;
	listing->opens += entry->is_event && trial.answer != PROBE_REFUSED;
	listing->user_only += trial.answer == PROBE_USER_ONLY;
	if (listing->entries)
		store_entry(listing, entry, &trial);
	else
		print_entry(listing, entry, &trial);
	error_destroy(trial.why);
}

static void print_footer(const struct listing *listing, const struct catalog_wish *wish)
{
	printf("\n%zu events, %zu of them open here", listing->count, listing->opens);
	if (listing->user_only)
		printf(", %zu for user mode only (':u')", listing->user_only);
	printf(". Columns: opens here, counters taken, name.\n");
	if (!wish->glob)
		printf("Tracepoints are listed by name: perfmini list 'sched:*'. Any rHEX and mem:ADDRESS is an event "
		       "too.\n");
	if (listing->opens < listing->count && !listing->details)
		printf("Why some do not open: perfmini doctor, or --details.\n");
}

static struct error *list_events(const struct list_options *chosen, const char *glob)
{
	struct catalog_wish wish = { .glob = glob, .details = chosen->details };
	struct listing listing = { .details = chosen->details };
	struct error *err;

	if (chosen->json)
		listing.entries = json_array();
	err = catalog_each(&listing.roots, &wish, show, &listing);
	free(listing.group);
	if (!err && !listing.count && glob)
		err = error_hint(error_new(ERROR_NOT_FOUND, "no event matches '%s'", glob), "'perfmini list' shows all");
	if (!err && chosen->json) {
		json_dumpf(listing.entries, stdout, JSON_INDENT(1));
		putchar('\n');
	} else if (!err) {
		print_footer(&listing, &wish);
	}
	json_decref(listing.entries);
	return err;
}

static struct error *check_tables(int *status)
{
	cleanup(tables_report_release) struct tables_report report = { 0 };
	struct error *err = tables_check(NULL, &report);

	if (err)
		return err;
	for (size_t i = 0; i < report.problem_count; i++)
		printf("%s\n", report.problems[i]);
	printf("%zu encodings checked, %zu wrong; %zu skipped: of architectures this libpfm4 does not know\n",
	       report.checked, report.problem_count, report.skipped);
	*status = report.problem_count ? EXIT_FAILURE : EXIT_SUCCESS;
	return NULL;
}

static struct error *run(int argc, char **argv, int *status)
{
	struct list_options chosen = { 0 };
	struct options_parse parse = { options, &chosen, false, argc, argv };
	auto_free char **operands = NULL;
	bool helped;
	struct error *err = command_parse(&command_list, &parse, &operands, &helped);

	if (err)
		return err;
	*status = 0;
	if (helped)
		return NULL;
	if (operands[0] && (operands[1] || chosen.check))
		return error_new(ERROR_USAGE, "unexpected argument '%s'", operands[chosen.check ? 0 : 1]);
	return chosen.check ? check_tables(status) : list_events(&chosen, operands[0]);
}

const struct command command_list = { "list", "list the events there are, and which open here", run, options,
				      "[OPTIONS] [GLOB]" };
