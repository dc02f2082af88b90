/* Resolving events of sysfs PMUs and tracepoints. */
#include <errno.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "event/generic.h"
#include "event/terms.h"

static struct event *last_event(struct event_found *found)
{
	return &found->items[found->count - 1];
}

/* A term with a value, or a one-bit format. A "core=?" is left to the user's own term, which comes after. */
static struct error *format_apply(const struct pmu *pmu, const struct term *term, struct event_found *found)
{
	uint64_t number = 1;
	bool known;
	struct error *err = term_apply(term, last_event(found), found, &known);

	if (err || known || (term->value && !strcmp(term->value, "?")))
		return err;
	if (term->value)
		err = term_number(term, &number);
	return err ? err : pmu_format_set(pmu, term->name, number, &last_event(found)->attr);
}

static struct error *sysfs_event_apply(const struct pmu *pmu, const struct pmu_event *known,
				       struct event_machine *machine, struct event_found *found)
{
	cleanup(terms_release) struct terms terms = { 0 };
	struct error *err = terms_parse(known->terms, strlen(known->terms), machine->arena, &terms);

	last_event(found)->scale = known->scale;
	last_event(found)->unit = known->unit;
	for (size_t i = 0; !err && i < terms.count; i++)
		err = format_apply(pmu, &terms.items[i], found);
	return err;
}

/* A word without a value: one of the PMU's events, else a kernel event on this core PMU, else a one-bit format. */
static struct error *word_apply(const struct pmu *pmu, const struct term *term, struct event_machine *machine,
				struct event_found *found)
{
	const char *word = term->name;
	struct perf_event_attr *attr = &last_event(found)->attr;
	struct generic_event generic;
	struct pmu_event known;

	if (pmu_event_find(pmu, word, machine->arena, &known))
		return sysfs_event_apply(pmu, &known, machine, found);
	if (pmu->core && generic_find(word, strlen(word), &generic) && generic.type != PERF_TYPE_SOFTWARE) {
		bool hybrid = event_machine_pmus(machine)->core_count > 1;

		attr->type = generic.type;
		attr->config = generic.config | (hybrid ? (uint64_t)pmu->type << PERF_PMU_TYPE_SHIFT : 0);
		return NULL;
	}
	return format_apply(pmu, term, found);
}

static struct error *term_unknown(const struct pmu *pmu, const char *word, struct event_machine *machine)
{
	const char **formats = pmu_format_names(pmu, machine->arena);
	const char **events = pmu_event_names(pmu, machine->arena);
	auto_text struct text hint = { 0 };

	text_append(&hint, "its terms are");
	for (const char **name = formats; *name; name++)
		text_format(&hint, " %s", *name);
	text_append(&hint, *formats ? "" : " none");
	if (*events)
		text_format(&hint, "; 'perfmini list' shows its events");
	return error_hint(error_new(ERROR_NOT_FOUND, "PMU %s has no event or term '%s'", pmu->name, word), "%s",
			  hint.bytes);
}

static struct error *pmu_term_apply(const struct pmu *pmu, const struct term *term, struct event_machine *machine,
				    struct event_found *found)
{
	struct error *err = term->value ? format_apply(pmu, term, found) : word_apply(pmu, term, machine, found);

	if (!err || error_kind(err) != ERROR_NOT_FOUND)
		return err;
	error_destroy(err);
	return term_unknown(pmu, term->name, machine);
}

/* A "core=?" of the event's sysfs terms must be among the words the user gave. */
static struct error *parameter_check(const struct pmu *pmu, const struct terms *given, struct event_machine *machine)
{
	struct pmu_event event;

	if (!given->count || given->items[0].value ||
	    !pmu_event_find(pmu, given->items[0].name, machine->arena, &event))
		return NULL;

	const char *mark = strstr(event.terms, "=?");

	if (!mark)
		return NULL;

	const char *start = mark;

	while (start > event.terms && start[-1] != ',')
		start--;
	for (size_t i = 1; i < given->count; i++)
		if (given->items[i].value && strlen(given->items[i].name) == (size_t)(mark - start) &&
		    !strncmp(given->items[i].name, start, (size_t)(mark - start)))
			return NULL;
	return error_new(ERROR_USAGE, "event '%s' of PMU %s needs %.*s=VALUE", given->items[0].name, pmu->name,
			 (int)(mark - start), start);
}

static struct error *terms_apply_text(const struct pmu *pmu, const char *text, size_t length,
				      struct event_machine *machine, struct event_found *found)
{
	cleanup(terms_release) struct terms terms = { 0 };
	struct error *err = terms_parse(text, length, machine->arena, &terms);

	if (!err)
		err = parameter_check(pmu, &terms, machine);
	for (size_t i = 0; !err && i < terms.count; i++)
		err = pmu_term_apply(pmu, &terms.items[i], machine, found);
	return err;
}

static struct error *pmu_add(const struct pmu *pmu, const char *terms, size_t length, struct event_machine *machine,
			     struct event_found *found)
{
	struct event *event = event_found_add(found);

	event->attr.type = pmu->type;
	event->pmu = pmu->name;
	event->cpus = pmu->cpus;
	event->system_wide = pmu->system_wide;
	return terms_apply_text(pmu, terms, length, machine, found);
}

struct error *pmu_resolve(struct event_machine *machine, const char *text, struct event_found *found)
{
	const struct pmu_set *pmus;
	struct slashed parts;

	if (!slashed_split(text, &parts))
		return error_new(ERROR_NOT_FOUND, "unknown event '%s'", text);
	pmus = event_machine_pmus(machine);

	auto_free char *name = memory_strndup(parts.head, parts.head_length);

	for (size_t i = 0; i < pmus->count; i++) {
		if (!pmu_matches(&pmus->items[i], name))
			continue;

		struct error *err = pmu_add(&pmus->items[i], parts.terms, parts.terms_length, machine, found);

		if (err)
			return err;
	}
	if (!found->count)
		return error_new(ERROR_NOT_FOUND, "unknown PMU in event '%s'", text);
	return modifiers_parse(parts.modifiers, strlen(parts.modifiers), &found->modifiers);
}

/* The bare name of a PMU's event: on every core PMU that has it, else on every other that has. */
struct error *pmu_name_resolve(struct event_machine *machine, const char *text, struct event_found *found)
{
	const struct pmu_set *pmus = event_machine_pmus(machine);
	size_t length = strcspn(text, ":");
	auto_free char *name = memory_strndup(text, length);
	struct pmu_event known;

	if (strchr(text, '/'))
		return error_new(ERROR_NOT_FOUND, "unknown event '%s'", text);
	for (size_t i = 0; i < pmus->count; i++) {
		if (i == pmus->core_count && found->count)
			break;
		if (!pmu_event_find(&pmus->items[i], name, machine->arena, &known))
			continue;

		struct error *err = pmu_add(&pmus->items[i], name, length, machine, found);

		if (err)
			return err;
	}
	if (!found->count)
		return error_new(ERROR_NOT_FOUND, "unknown event '%s'", text);
	text += text[length] ? length + 1 : length;
	return modifiers_parse(text, strlen(text), &found->modifiers);
}

/* Tracefs is root's alone by default: say so, rather than that the name is unknown. */
static struct error *tracing_refused(struct event_machine *machine, const char *text)
{
	auto_free char *events = memory_format("%s/events", machine->roots.tracing);

	if (!access(events, R_OK | X_OK) || errno != EACCES)
		return error_new(ERROR_NOT_FOUND, "unknown event '%s'", text);
	return error_hint(error_new(ERROR_PERMISSION, "tracepoint '%s': may not read %s", text, events),
			  "sudo mount -o remount,mode=755 %s", machine->roots.tracing);
}

struct error *tracepoint_resolve(struct event_machine *machine, const char *text, struct event_found *found)
{
	size_t system_length = strcspn(text, ":");
	const char *name = text[system_length] ? text + system_length + 1 : "";
	size_t name_length = strcspn(name, ":");
	const char *rest = name[name_length] ? name + name_length + 1 : name + name_length;

	if (!name_length || strchr(text, '/') || text[0] == '.' || name[0] == '.')
		return error_new(ERROR_NOT_FOUND, "unknown event '%s'", text);

	auto_free char *path = memory_format("%s/events/%.*s/%.*s/id", machine->roots.tracing, (int)system_length,
					     text, (int)name_length, name);
	long long id;

	if (!file_read_number(path, &id) || id < 0)
		return tracing_refused(machine, text);

	struct event *event = event_found_add(found);

	event->attr.type = PERF_TYPE_TRACEPOINT;
	event->attr.config = (uint64_t)id;
	return modifiers_parse(rest, strlen(rest), &found->modifiers);
}
