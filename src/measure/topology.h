/* Where a CPU sits: its core, die, socket and node, as the kernel says. */
#ifndef MEASURE_TOPOLOGY_H
#define MEASURE_TOPOLOGY_H

enum topology_level { TOPOLOGY_CPU, TOPOLOGY_CORE, TOPOLOGY_DIE, TOPOLOGY_SOCKET, TOPOLOGY_NODE };

/* "CPU3", "S0-D0-C1", "S0-D0", "S0", "N0"; what the kernel does not tell is 0. The caller frees. */
char *topology_name(enum topology_level level, int cpu);

#endif
