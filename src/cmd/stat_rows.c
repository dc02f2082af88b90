/* `perfmini stat`: the rows of the result: events, at places kept apart or taken together. */
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmd/stat.h"
#include "measure/topology.h"

static char *thread_name(pid_t tid)
{
	auto_free char *path = memory_format("/proc/%d/comm", (int)tid), *name = NULL;
	struct error *err = file_read_line(path, &name);

	error_destroy(err);
	return memory_format("%s-%d", name ? name : "?", (int)tid);
}

/* NULL: all places are one. The caller frees. */
static char *place_name(const struct stat_options *options, const struct place *place)
{
	if (place->pid >= 0)
		return options->per_thread ? thread_name(place->pid) : NULL;
	if (options->per_cpu || !options->aggregate)
		return topology_name(TOPOLOGY_CPU, place->cpu);
	if (options->per_core)
		return topology_name(TOPOLOGY_CORE, place->cpu);
	if (options->per_die)
		return topology_name(TOPOLOGY_DIE, place->cpu);
	if (options->per_socket)
		return topology_name(TOPOLOGY_SOCKET, place->cpu);
	return options->per_node ? topology_name(TOPOLOGY_NODE, place->cpu) : NULL;
}

static bool same_text(const char *one, const char *other)
{
	return one && other ? !strcmp(one, other) : one == other;
}

/* Names of all places, and which of the distinct ones each has. */
struct labels {
	const char **names; /* [count] distinct, of the runs' arena */
	uint32_t *cpus;     /* [count] how many CPUs */
	size_t count;
	size_t *of_place;   /* [place_count] */
};

static void labels_release(struct labels *labels)
{
	free(labels->names);
	free(labels->cpus);
	free(labels->of_place);
}

static void label_place(struct stat_session *session, struct labels *labels, const struct place *place, size_t index)
{
	auto_free char *name = place_name(session->options, place);
	size_t at = 0;

	while (at < labels->count && !same_text(labels->names[at], name))
		at++;
	if (at == labels->count)
		labels->names[labels->count++] = runs_text(session->runs, name);
	labels->cpus[at] += place->pid < 0 && name;
	labels->of_place[index] = at;
}

static struct labels label_places(struct stat_session *session, const struct place *places, size_t count)
{
	struct labels labels = { memory_zeroed(count, sizeof(*labels.names)), memory_zeroed(count, sizeof(*labels.cpus)),
				 0, memory_zeroed(count, sizeof(*labels.of_place)) };

	for (size_t i = 0; i < count; i++)
		label_place(session, &labels, &places[i], i);
	return labels;
}

/* The kernel let it count user mode only: its name says so. */
static const char *event_name(struct stat_session *session, const struct meter *meter, size_t index)
{
	const struct event *event = event_list_at(session->events, index);

	if (!meter_user_only(meter, index))
		return runs_text(session->runs, event->name);

	auto_free char *name = memory_format("%s%s", event->name, strchr(event->name, ':') ? "u" : ":u");

	return runs_text(session->runs, name);
}

/* Without the event's name: equal reasons are shown once, with the names of all their events. */
static const char *why_text(struct stat_session *session, const struct meter *meter, size_t index)
{
	const struct error *why = meter_why(meter, index);
	const char *name = event_list_at(session->events, index)->name, *message;

	if (!why)
		return NULL;
	message = error_message(why);
	if (text_starts_with(message, name) && !strncmp(message + strlen(name), ": ", 2))
		message += strlen(name) + 2;
	if (!error_hint_text(why))
		return runs_text(session->runs, message);

	auto_free char *both = memory_format("%s; %s", message, error_hint_text(why));

	return runs_text(session->runs, both);
}

static void add_row(struct stat_session *session, const struct meter *meter, size_t index, const struct labels *labels,
		    size_t label)
{
	const struct event *event = event_list_at(session->events, index);
	struct run_event *row = &session->runs->events[session->runs->event_count++];

	*row = (struct run_event){
		.name = event_name(session, meter, index),
		.note = runs_text(session->runs, event->note),
		.unit = runs_text(session->runs, event->unit),
		.scale = event->scale,
		.why = why_text(session, meter, index),
		.place = labels->names[label],
		.place_cpus = labels->cpus[label],
	};
}

/* A row an event and label; events that are shown with another have its rows. */
static void add_event_rows(struct stat_session *session, const struct meter *meter, size_t index,
			   const struct labels *labels)
{
	size_t first = session->runs->event_count, shown = event_list_at(session->events, index)->merge;
	int *rows = &session->rows[index * session->place_count];

	memset(rows, 0xff, session->place_count * sizeof(*rows));
	if (shown != index) {
		memcpy(rows, &session->rows[shown * session->place_count], session->place_count * sizeof(*rows));
		return;
	}
	for (size_t label = 0; label < labels->count; label++)
		add_row(session, meter, index, labels, label);
	for (size_t place = 0; place < session->place_count; place++) {
		int leader = session->rows[event_list_at(session->events, index)->leader * session->place_count + place];

		rows[place] = (int)(first + labels->of_place[place]);
		session->runs->events[rows[place]].group = (size_t)(leader < 0 ? rows[place] : leader);
	}
}

void stat_make_rows(struct stat_session *session, const struct meter *meter)
{
	size_t event_count = event_list_count(session->events);
	const struct place *places;
	struct labels labels;

	if (session->rows)
		return;
	session->place_count = meter_places(meter, &places);
	labels = label_places(session, places, session->place_count);
	session->rows = memory_alloc(event_count * session->place_count * sizeof(*session->rows));
	session->counts = memory_zeroed(event_count * session->place_count, sizeof(*session->counts));
	session->last_counts = memory_zeroed(event_count * session->place_count, sizeof(*session->counts));
	session->runs->events = runs_alloc(session->runs, event_count * labels.count, sizeof(*session->runs->events));
	for (size_t i = 0; i < event_count; i++)
		if (session->set_count > 1 || session->chosen[0][i])
			add_event_rows(session, meter, i, &labels);
		else
			memset(&session->rows[i * session->place_count], 0xff,
			       session->place_count * sizeof(*session->rows));
	labels_release(&labels);
}

static void add_count(const struct stat_session *session, size_t event, size_t place, const struct count *count,
		      struct run *run)
{
	int row = session->rows[event * session->place_count + place];

	if (row < 0)
		return;

	struct run_count *into = &run->counts[row];

	into->value += count->value;
	into->running_ns += count->running_ns;
	/* A task runs on one core type at a time: the parts of a hybrid event share one enabled time. */
	if (event_list_at(session->events, event)->merge == event)
		into->enabled_ns += count->enabled_ns;
}

static enum count_state state_of(const struct stat_session *session, size_t set, size_t event,
				 const struct run_count *count)
{
	if (!session->chosen[set][event])
		return COUNT_NOT_IN_RUN;
	if (count->running_ns)
		return COUNT_OK;
	return meter_why(session->meters[set], event) ? COUNT_NOT_SUPPORTED : COUNT_NOT_COUNTED;
}

void stat_fill_run(const struct stat_session *session, size_t set, const struct count *counts, struct run *run)
{
	size_t event_count = event_list_count(session->events);

	for (size_t event = 0; event < event_count; event++)
		for (size_t place = 0; place < session->place_count; place++)
			add_count(session, event, place, &counts[event * session->place_count + place], run);
	for (size_t event = 0; event < event_count; event++)
		for (size_t place = 0; place < session->place_count; place++) {
			int row = session->rows[event * session->place_count + place];

			if (row >= 0 && event_list_at(session->events, event)->merge == event)
				run->counts[row].state = state_of(session, set, event, &run->counts[row]);
		}
}
