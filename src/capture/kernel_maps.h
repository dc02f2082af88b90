/* Where the kernel and its modules lie. */
#ifndef CAPTURE_KERNEL_MAPS_H
#define CAPTURE_KERNEL_MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbol/binary.h"

struct kernel_module {
	char *name; /* "[ext4]" */
	uint64_t address, size;
};

struct kernel_maps {
	struct kernel_reference reference; /* the kernel's start; address 0: hidden by kptr_restrict */
	uint64_t end;
	struct kernel_module *modules;
	size_t count, capacity;
};

void kernel_maps_read(struct kernel_maps *ret);
void kernel_maps_release(struct kernel_maps *maps);

#endif
