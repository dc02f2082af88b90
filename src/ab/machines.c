/* The parts of one experiment, put together by machine. */
#include "ab/machines.h"

#include <errno.h>
#include <string.h>

#include "ab/command_line.h"
#include "base/memory.h"

/* Digits alone: strtoull(3) would take signs and spaces too. */
static bool read_number(const char *text, char end, uint64_t *ret)
{
	size_t digits = strspn(text, "0123456789");

	errno = 0;
	*ret = strtoull(text, NULL, 10);
	return digits && text[digits] == end && !errno;
}

bool machine_share_parse(const char *text, struct machine_share *ret)
{
	const char *slash = strchr(text, '/');

	return slash && read_number(text, '/', &ret->index) && read_number(slash + 1, '\0', &ret->count) && ret->index &&
	       ret->index <= ret->count && ret->count <= MACHINE_SHARES_MOST;
}

bool machines_is_part(const struct runs *runs)
{
	return runs_plan(runs, "share") != NULL;
}

static struct error *read_share(const struct runs *runs, const char *path, struct machine_share *ret)
{
	const char *text = runs_plan(runs, "share");

	if (!text)
		return error_hint(error_new(ERROR_USAGE, "%s is no part of an experiment over machines", path),
				  "parts are made with: perfmini ab --share I/N --seed S -o DIR");
	return machine_share_parse(text, ret) ? NULL :
						 error_new(ERROR_FORMAT, "%s: its share '%s' is not I/N", path, text);
}

static bool same(const char *one, const char *other)
{
	return one == other || (one && other && !strcmp(one, other));
}

/* Rules that each part has of its own. */
static bool is_of_part(const char *setting)
{
	static const char *const names[] = { "share=", "blocks=", "comparison=", "repeat=", "machine-id=" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strncmp(setting, names[i], strlen(names[i])))
			return true;
	return false;
}

/* The next rule from *at on that all parts must share, or NULL. */
static const char *next_rule(const struct runs *runs, size_t *at)
{
	while (*at < runs->plan_count && is_of_part(runs->plan[*at]))
		++*at;
	return *at < runs->plan_count ? runs->plan[(*at)++] : NULL;
}

static bool same_rules(const struct runs *a, const struct runs *b)
{
	size_t at_a = 0, at_b = 0;
	const char *one, *other;

	do {
		one = next_rule(a, &at_a);
		other = next_rule(b, &at_b);
		if (!same(one, other))
			return false;
	} while (one);
	return true;
}

/* Of the same bytes the arguments alone: the program may lie elsewhere, as the control's copy does. */
static bool same_command(const struct run_arm *a, const struct run_arm *b)
{
	bool same_bytes = a->content_hash && b->content_hash && a->command && b->command && a->command[0] && b->command[0];
	auto_free char *one = command_line_join(a->command + same_bytes);
	auto_free char *other = command_line_join(b->command + same_bytes);

	return !strcmp(one, other);
}

static const char *arm_difference(const struct run_arm *a, const struct run_arm *b)
{
	if (!same(a->name, b->name))
		return "its commands have other names";
	if (a->content_hash && b->content_hash && strcmp(a->content_hash, b->content_hash))
		return "it ran other builds";
	if (!same(a->build_id, b->build_id))
		return "it ran other builds";
	return same_command(a, b) ? NULL : "it ran other commands";
}

/* Why b cannot be merged with a, or NULL. */
static const char *difference(const struct runs *a, const struct runs *b)
{
	if (a->arm_count != b->arm_count)
		return "it ran another number of commands";
	for (size_t i = 0; i < a->arm_count; i++) {
		const char *why = arm_difference(&a->arms[i], &b->arms[i]);

		if (why)
			return why;
	}
	if (a->event_count != b->event_count || a->printed_count != b->printed_count)
		return "it counted other events";
	for (size_t i = 0; i < a->event_count; i++)
		if (!same(a->events[i].name, b->events[i].name))
			return "it counted other events";
	for (size_t i = 0; i < a->printed_count; i++)
		if (!same(a->printed[i], b->printed[i]))
			return "it has other metrics";
	if (!same(runs_plan(a, "experiment-seed"), runs_plan(b, "experiment-seed")))
		return "its seed is another one";
	return same_rules(a, b) ? NULL : "it was planned by other rules";
}

static struct machine *find_machine(struct machine_list *list, const char *name)
{
	for (size_t i = 0; i < list->count; i++)
		if (same(list->items[i].name, name))
			return &list->items[i];
	return NULL;
}

static size_t class_of(struct machine_list *list, const char *cpu_model)
{
	for (size_t i = 0; i < list->class_count; i++)
		if (same(list->classes[i], cpu_model))
			return i;
	list->classes[list->class_count] = cpu_model;
	return list->class_count++;
}

static struct error *add_part(struct machine_list *list, const struct runs *runs, const char *path)
{
	const char *name = runs->host ? runs->host : "unknown", *identity = runs_plan(runs, "machine-id");
	struct machine *machine = find_machine(list, name);

	if (!machine) {
		machine = &list->items[list->count++];
		*machine = (struct machine){ .name = name, .cpu_model = runs->cpu_model, .kernel = runs->kernel,
					     .identity = identity, .cpu_class = class_of(list, runs->cpu_model) };
	} else if (!same(machine->identity, identity) || !same(machine->cpu_model, runs->cpu_model)) {
		return error_hint(error_new(ERROR_USAGE, "%s: its machine is called '%s', as another machine is", path,
					    name),
				  "tell them apart with ab --machine NAME");
	}
	array_grow(&machine->parts, machine->part_count, &machine->part_capacity);
	machine->parts[machine->part_count++] = runs;
	return NULL;
}

static struct error *check_part(struct machine_list *list, const struct runs *const *parts, const char *const *paths,
				size_t i, size_t *owner)
{
	struct machine_share share;
	struct error *err = read_share(parts[i], paths[i], &share);
	const char *why;

	if (err)
		return err;
	if (!i) {
		const char *seed = runs_plan(parts[0], "experiment-seed");

		if (!seed || !read_number(seed, '\0', &list->seed))
			return error_new(ERROR_FORMAT, "%s: its seed '%s' is not a whole number", paths[0], seed ? seed : "");
		list->shares = share.count;
		list->present = memory_zeroed(share.count, sizeof(*list->present));
		list->absent = share.count;
	}
	why = share.count != list->shares ? "it is one of another number of parts" : difference(parts[0], parts[i]);
	if (why)
		return error_new(ERROR_USAGE, "%s is of another experiment than %s: %s", paths[i], paths[0], why);
	if (list->present[share.index - 1])
		return error_hint(error_new(ERROR_USAGE, "%s and %s are the same part %llu of %llu", paths[owner[share.index - 1]],
					    paths[i], (unsigned long long)share.index, (unsigned long long)share.count),
				  "a part counts once: leave one out");
	list->present[share.index - 1] = true;
	list->absent--;
	owner[share.index - 1] = i;
	return NULL;
}

struct error *machines_group(const struct runs *const *parts, const char *const *paths, size_t count,
			     struct machine_list **ret)
{
	cleanup(machine_list_guard) struct machine_list *list = memory_zeroed(1, sizeof(*list));
	auto_free size_t *owner = NULL;
	struct machine_share first;
	struct error *err = read_share(parts[0], paths[0], &first);

	if (err)
		return err;
	list->items = memory_zeroed(count, sizeof(*list->items));
	list->classes = memory_zeroed(count, sizeof(*list->classes));
	owner = memory_zeroed(first.count, sizeof(*owner));
	for (size_t i = 0; i < count && !err; i++) {
		err = check_part(list, parts, paths, i, owner);
		if (!err)
			err = add_part(list, parts[i], paths[i]);
	}
	if (!err)
		*ret = take(list);
	return err;
}

void machine_list_destroy(struct machine_list *list)
{
	if (!list)
		return;
	for (size_t i = 0; i < list->count; i++)
		free(list->items[i].parts);
	free(list->items);
	free(list->classes);
	free(list->present);
	free(list);
}
