/* Where a CPU sits. Source: Documentation/ABI/stable/sysfs-devices-system-cpu. */
#include "measure/topology.h"

#include <dirent.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"

static int id_of(int cpu, const char *name)
{
	auto_free char *path = memory_format("/sys/devices/system/cpu/cpu%d/topology/%s", cpu, name);
	long long id = 0;

	return file_read_number(path, &id) && id >= 0 ? (int)id : 0;
}

/* The CPU's directory links to its node: node0. */
static int node_of(int cpu)
{
	auto_free char *path = memory_format("/sys/devices/system/cpu/cpu%d", cpu);
	DIR *dir = opendir(path);
	struct dirent *entry;
	int node = 0;

	while (dir && (entry = readdir(dir)))
		if (!strncmp(entry->d_name, "node", 4))
			node = atoi(entry->d_name + 4);
	if (dir)
		closedir(dir);
	return node;
}

char *topology_name(enum topology_level level, int cpu)
{
	int socket = level == TOPOLOGY_CPU ? 0 : id_of(cpu, "physical_package_id");
	int die = level == TOPOLOGY_DIE || level == TOPOLOGY_CORE ? id_of(cpu, "die_id") : 0;

	switch (level) {
	case TOPOLOGY_CORE:
		return memory_format("S%d-D%d-C%d", socket, die, id_of(cpu, "core_id"));
	case TOPOLOGY_DIE:
		return memory_format("S%d-D%d", socket, die);
	case TOPOLOGY_SOCKET:
		return memory_format("S%d", socket);
	case TOPOLOGY_NODE:
		return memory_format("N%d", node_of(cpu));
	default:
		return memory_format("CPU%d", cpu);
	}
}
