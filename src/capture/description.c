/* The feature sections that say where and how a recording was made. Source of their layouts:
 * tools/perf/Documentation/perf.data-file-format.txt. */
#include "capture/description.h"

#include <string.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "capture/section.h"
#include "capture/tracing_data.h"
#include "perfdata/deflate.h"
#include "perfdata/format.h"

static struct error *set(struct perfdata_writer *writer, unsigned feature, struct text *section)
{
	struct error *err = perfdata_set_feature(writer, feature, section->bytes, section->length);

	text_clear(section);
	return err;
}

static struct error *set_string(struct perfdata_writer *writer, unsigned feature, const char *string)
{
	auto_text struct text section = { 0 };

	append_string(&section, string);
	return set(writer, feature, &section);
}

/* The text behind "key   : " in a file such as /proc/cpuinfo; NULL when there is none. The caller frees. */
static char *value_of(const char *text, const char *key)
{
	const char *at = strstr(text, key), *end;

	if (!at || !(at = strchr(at, ':')))
		return NULL;
	at += strspn(at, ": \t");
	end = strchrnul(at, '\n');
	return memory_strndup(at, (size_t)(end - at));
}

/* x86: as perf's "GenuineIntel,6,85,7"; ARM: the implementer and part. */
static char *cpu_id(const char *cpuinfo)
{
	auto_free char *vendor = value_of(cpuinfo, "vendor_id"), *family = value_of(cpuinfo, "cpu family");
	auto_free char *model = value_of(cpuinfo, "model\t"), *stepping = value_of(cpuinfo, "stepping");
	auto_free char *implementer = value_of(cpuinfo, "CPU implementer"), *part = value_of(cpuinfo, "CPU part");

	if (vendor && family && model)
		return memory_format("%s,%s,%s,%s", vendor, family, model, stepping ? stepping : "0");
	return implementer && part ? memory_format("%s,%s", implementer, part) : NULL;
}

static struct error *describe_cpu(struct perfdata_writer *writer)
{
	auto_free char *cpuinfo = NULL;
	struct error *err = file_read("/proc/cpuinfo", &cpuinfo, NULL);

	if (err) {
		error_destroy(err);
		return NULL;
	}

	auto_free char *name = value_of(cpuinfo, "model name"), *id = cpu_id(cpuinfo);

	if (name)
		err = set_string(writer, PERFDATA_FEATURE_CPUDESC, name);
	if (!err && id)
		err = set_string(writer, PERFDATA_FEATURE_CPUID, id);
	return err;
}

static struct error *describe_machine(struct perfdata_writer *writer)
{
	auto_text struct text section = { 0 };
	struct utsname name;
	struct sysinfo memory;
	struct error *err = NULL;

	if (!uname(&name)) {
		err = set_string(writer, PERFDATA_FEATURE_HOSTNAME, name.nodename);
		if (!err)
			err = set_string(writer, PERFDATA_FEATURE_OSRELEASE, name.release);
		if (!err)
			err = set_string(writer, PERFDATA_FEATURE_ARCH, name.machine);
	}
	if (!err)
		err = set_string(writer, PERFDATA_FEATURE_VERSION, "perfmini " PERFMINI_VERSION);
	append_u32(&section, (uint32_t)sysconf(_SC_NPROCESSORS_CONF));
	append_u32(&section, (uint32_t)sysconf(_SC_NPROCESSORS_ONLN));
	if (!err)
		err = set(writer, PERFDATA_FEATURE_NRCPUS, &section);
	if (!err && !sysinfo(&memory)) {
		append_u64(&section, (uint64_t)memory.totalram * memory.mem_unit / 1024);
		err = set(writer, PERFDATA_FEATURE_TOTAL_MEM, &section);
	}
	return err ? err : describe_cpu(writer);
}

static struct error *describe_command(struct perfdata_writer *writer, const char *const *words)
{
	auto_text struct text section = { 0 };
	uint32_t count = 0;

	while (words[count])
		count++;
	append_u32(&section, count);
	for (uint32_t i = 0; i < count; i++)
		append_string(&section, words[i]);
	return set(writer, PERFDATA_FEATURE_CMDLINE, &section);
}

static struct error *describe_events(struct perfdata_writer *writer, const struct description *description)
{
	auto_text struct text section = { 0 };

	append_u32(&section, (uint32_t)description->written_count);
	append_u32(&section, sizeof(struct perf_event_attr));
	for (size_t i = 0; i < description->written_count; i++) {
		const struct perfdata_writer_event *event = &description->written[i];

		text_append_bytes(&section, (const char *)event->attr, sizeof(*event->attr));
		append_u32(&section, (uint32_t)event->id_count);
		append_string(&section, event->name);
		text_append_bytes(&section, (const char *)event->ids, event->id_count * sizeof(*event->ids));
	}
	return set(writer, PERFDATA_FEATURE_EVENT_DESC, &section);
}

/* u32 groups, then of each: name, u32 leader, u32 members. */
static struct error *describe_groups(struct perfdata_writer *writer, const struct event_list *events)
{
	auto_text struct text groups = { 0 };
	auto_text struct text section = { 0 };
	size_t count = event_list_count(events);
	uint32_t group_count = 0;

	for (size_t leader = 0; leader < count; leader++) {
		uint32_t members = 0;

		for (size_t i = leader; i < count; i++)
			members += event_list_at(events, i)->leader == leader;
		if (members < 2)
			continue;
		append_string(&groups, "{anon_group}");
		append_u32(&groups, (uint32_t)leader);
		append_u32(&groups, members);
		group_count++;
	}
	if (!group_count)
		return NULL;
	append_u32(&section, group_count);
	text_append_bytes(&section, groups.bytes, groups.length);
	return set(writer, PERFDATA_FEATURE_GROUP_DESC, &section);
}

static struct error *describe_compression(struct perfdata_writer *writer, uint32_t ring_bytes)
{
	enum { VERSION = 1, ZSTD = 1, RATIO_UNKNOWN = 1 };
	auto_text struct text section = { 0 };

	append_u32(&section, VERSION);
	append_u32(&section, ZSTD);
	append_u32(&section, DEFLATE_LEVEL);
	append_u32(&section, RATIO_UNKNOWN);
	/* What one COMPRESSED record may hold: readers make that much room. */
	append_u32(&section, ring_bytes > DEFLATE_PIECE ? ring_bytes : DEFLATE_PIECE);
	return set(writer, PERFDATA_FEATURE_COMPRESSED, &section);
}

struct error *describe(struct perfdata_writer *writer, const struct description *description)
{
	struct error *err = describe_machine(writer);

	if (!err)
		err = describe_topology(writer);
	if (!err)
		err = describe_command(writer, description->words);
	if (!err)
		err = describe_events(writer, description);
	if (!err)
		err = describe_groups(writer, description->events);
	if (!err)
		err = describe_tracepoints(writer, description->events);
	if (!err && description->is_compressed)
		err = describe_compression(writer, description->ring_bytes);
	return err;
}
