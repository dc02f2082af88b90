/* The feature section of CPU topology: which CPUs share a socket and a core. */
#include <inttypes.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "capture/description.h"
#include "capture/section.h"
#include "perfdata/format.h"

struct siblings {
	char **lists; /* distinct ones: "0-3" */
	uint32_t count;
	size_t capacity;
};

static void siblings_release(struct siblings *siblings)
{
	for (uint32_t i = 0; i < siblings->count; i++)
		free(siblings->lists[i]);
	free(siblings->lists);
}

static void add_list(struct siblings *siblings, int cpu, const char *name)
{
	auto_free char *path = memory_format("/sys/devices/system/cpu/cpu%d/topology/%s", cpu, name);
	auto_free char *list = NULL;
	struct error *err = file_read_line(path, &list);

	if (err) {
		error_destroy(err);
		return;
	}
	for (uint32_t i = 0; i < siblings->count; i++) {
		if (!strcmp(siblings->lists[i], list))
			return;
	}
	array_grow(&siblings->lists, siblings->count, &siblings->capacity);
	siblings->lists[siblings->count++] = take(list);
}

static void append_lists(struct text *section, const struct siblings *siblings)
{
	append_u32(section, siblings->count);
	for (uint32_t i = 0; i < siblings->count; i++)
		append_string(section, siblings->lists[i]);
}

static uint32_t topology_number(int cpu, const char *name)
{
	auto_free char *path = memory_format("/sys/devices/system/cpu/cpu%d/topology/%s", cpu, name);
	long long number;

	return file_read_number(path, &number) && number >= 0 ? (uint32_t)number : 0;
}

struct error *describe_topology(struct perfdata_writer *writer)
{
	cleanup(siblings_release) struct siblings sockets = { 0 }, cores = { 0 };
	auto_text struct text section = { 0 };
	int cpus = (int)sysconf(_SC_NPROCESSORS_CONF);

	for (int cpu = 0; cpu < cpus; cpu++) {
		add_list(&sockets, cpu, "core_siblings_list");
		add_list(&cores, cpu, "thread_siblings_list");
	}
	if (!sockets.count || !cores.count)
		return NULL;
	append_lists(&section, &sockets);
	append_lists(&section, &cores);
	for (int cpu = 0; cpu < cpus; cpu++) {
		append_u32(&section, topology_number(cpu, "core_id"));
		append_u32(&section, topology_number(cpu, "physical_package_id"));
	}
	return perfdata_set_feature(writer, PERFDATA_FEATURE_CPU_TOPOLOGY, section.bytes, section.length);
}
