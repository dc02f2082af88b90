/* The formats of the recorded tracepoints. Source of the layout: trace-cmd.dat.v6(5), which perf.data embeds. */
#include "capture/tracing_data.h"

#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "capture/section.h"
#include "perfdata/format.h"

#define EVENTS "/sys/kernel/tracing/events"

/* "sched:sched_switch:k" has the system "sched" and the name "sched_switch". */
static size_t system_length(const struct event *event)
{
	return strcspn(event->name, ":");
}

static bool is_tracepoint(const struct event *event)
{
	return event->attr.type == PERF_TYPE_TRACEPOINT && event->name[system_length(event)] == ':';
}

static bool is_same_system(const struct event *a, const struct event *b)
{
	size_t length = system_length(a);

	return length == system_length(b) && !memcmp(a->name, b->name, length);
}

/* True for an event that an earlier one repeats: as a whole, or in its system alone. */
static bool is_repeated(const struct event_list *events, size_t at, bool system_alone)
{
	const struct event *event = event_list_at(events, at);

	for (size_t i = 0; i < at; i++) {
		const struct event *other = event_list_at(events, i);

		if (is_tracepoint(other) && (system_alone ? is_same_system(other, event) :
							   other->attr.config == event->attr.config))
			return true;
	}
	return false;
}

/* u64 size, then the file's text. Takes path. */
static struct error *append_file(struct text *section, char *path)
{
	auto_free char *owned = path, *text = NULL;
	size_t size;
	struct error *err = file_read(owned, &text, &size);

	if (err)
		return err;
	append_u64(section, size);
	text_append_bytes(section, text, size);
	return NULL;
}

static struct error *append_format(struct text *section, const struct event *event)
{
	size_t length = system_length(event);
	const char *name = event->name + length + 1;

	return append_file(section, memory_format(EVENTS "/%.*s/%.*s/format", (int)length, event->name,
						  (int)strcspn(name, ":"), name));
}

/* The system's name, how many events, their formats. */
static struct error *append_system(struct text *section, const struct event_list *events, size_t first)
{
	const struct event *leader = event_list_at(events, first);
	auto_text struct text formats = { 0 };
	struct error *err = NULL;
	uint32_t count = 0;

	for (size_t i = first; !err && i < event_list_count(events); i++) {
		const struct event *event = event_list_at(events, i);

		if (!is_tracepoint(event) || !is_same_system(event, leader) || is_repeated(events, i, false))
			continue;
		err = append_format(&formats, event);
		count++;
	}
	text_append_bytes(section, leader->name, system_length(leader));
	text_append_char(section, '\0');
	append_u32(section, count);
	text_append_bytes(section, formats.bytes, formats.length);
	return err;
}

static struct error *append_systems(struct text *section, const struct event_list *events)
{
	auto_text struct text systems = { 0 };
	struct error *err = NULL;
	uint32_t count = 0;

	for (size_t i = 0; !err && i < event_list_count(events); i++) {
		if (!is_tracepoint(event_list_at(events, i)) || is_repeated(events, i, true))
			continue;
		err = append_system(&systems, events, i);
		count++;
	}
	append_u32(section, count);
	text_append_bytes(section, systems.bytes, systems.length);
	return err;
}

static struct error *append_head(struct text *section)
{
	static const char magic[] = "\x17\x08\x44tracing" "0.6";
	struct error *err;

	text_append_bytes(section, magic, sizeof(magic));
	text_append_char(section, __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	text_append_char(section, sizeof(long));
	append_u32(section, (uint32_t)sysconf(_SC_PAGESIZE));
	text_append_bytes(section, "header_page", sizeof("header_page"));
	err = append_file(section, memory_strdup(EVENTS "/header_page"));
	if (err)
		return err;
	text_append_bytes(section, "header_event", sizeof("header_event"));
	return append_file(section, memory_strdup(EVENTS "/header_event"));
}

static bool has_tracepoint(const struct event_list *events)
{
	for (size_t i = 0; i < event_list_count(events); i++)
		if (is_tracepoint(event_list_at(events, i)))
			return true;
	return false;
}

struct error *describe_tracepoints(struct perfdata_writer *writer, const struct event_list *events)
{
	auto_text struct text section = { 0 };
	struct error *err;

	if (!has_tracepoint(events))
		return NULL;
	err = append_head(&section);
	append_u32(&section, 0); /* of ftrace's own events none */
	if (!err)
		err = append_systems(&section, events);
	append_u32(&section, 0); /* no kallsyms, no printk formats, no command names */
	append_u32(&section, 0);
	append_u64(&section, 0);
	return err ? err : perfdata_set_feature(writer, PERFDATA_FEATURE_TRACING_DATA, section.bytes, section.length);
}
