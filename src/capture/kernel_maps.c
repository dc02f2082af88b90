/* Where the kernel and its modules lie, from /proc. */
#include "capture/kernel_maps.h"

#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>

#include "base/attr.h"
#include "base/file.h"
#include "base/memory.h"
#include "capture/synthesis.h"

/* They stand among the first symbols; the whole table has 200 000 and takes the kernel 30 ms to print. arm64 lists
 * no _text. */
static struct kernel_reference find_reference(void)
{
	auto_fclose FILE *file = fopen("/proc/kallsyms", "re");
	struct kernel_reference reference = { NULL, 0 };
	char line[512], name[256];
	uint64_t address;

	for (int i = 0; file && i < 4096 && fgets(line, sizeof(line), file); i++) {
		if (sscanf(line, "%" SCNx64 " %*c %255s", &address, name) != 2)
			continue;
		if (!strcmp(name, "_text"))
			return (struct kernel_reference){ "_text", address };
		if (!strcmp(name, "_stext"))
			reference = (struct kernel_reference){ "_stext", address };
	}
	return reference;
}

/* "  01000000-02276f47 : Kernel code": physical, but of the right size. Zeros unless root reads it. */
static uint64_t text_size(void)
{
	auto_free char *text = NULL;
	struct error *err = file_read("/proc/iomem", &text, NULL);
	uint64_t start, end;

	if (err) {
		error_destroy(err);
		return 0;
	}
	for (char *rest = text, *line; (line = strsep(&rest, "\n"));) {
		if (strstr(line, ": Kernel code") && sscanf(line, " %" SCNx64 "-%" SCNx64, &start, &end) == 2 && end)
			return end - start + 1;
	}
	return 0;
}

static void read_modules(struct kernel_maps *maps)
{
	auto_free char *text = NULL;
	struct error *err = file_read("/proc/modules", &text, NULL);
	char name[128];
	uint64_t size, address;

	error_destroy(err);
	for (char *rest = text, *line; rest && (line = strsep(&rest, "\n"));) {
		if (sscanf(line, "%127s %" SCNu64 " %*s %*s %*s 0x%" SCNx64, name, &size, &address) != 3 || !address)
			continue;
		array_grow(&maps->modules, maps->count, &maps->capacity);
		maps->modules[maps->count++] = (struct kernel_module){ memory_format("[%s]", name), address, size };
	}
}

void kernel_maps_read(struct kernel_maps *ret)
{
	enum { GUESS = 64 * 1024 * 1024 };
	uint64_t size = text_size();

	*ret = (struct kernel_maps){ .reference = find_reference() };
	if (!ret->reference.address)
		return;
	ret->end = ret->reference.address + (size ? size : GUESS);
	read_modules(ret);
	for (size_t i = 0; !size && i < ret->count; i++) {
		if (ret->modules[i].address > ret->reference.address && ret->modules[i].address < ret->end)
			ret->end = ret->modules[i].address;
	}
}

void kernel_maps_release(struct kernel_maps *maps)
{
	for (size_t i = 0; i < maps->count; i++)
		free(maps->modules[i].name);
	free(maps->modules);
}

void synthesize_kernel(struct text *records, size_t tail_bytes)
{
	cleanup(kernel_maps_release) struct kernel_maps maps;

	kernel_maps_read(&maps);
	uint64_t start = maps.reference.address;

	if (!start)
		return;

	auto_free char *name = memory_format("[kernel.kallsyms]%s", maps.reference.symbol);

	/* pgoff is the address of the symbol in the name: by it a reader finds how far the kernel was moved. */
	append_mapping(records, tail_bytes, PERF_RECORD_MISC_KERNEL, UINT32_MAX, start, maps.end - start, start, name);
	for (size_t i = 0; i < maps.count; i++)
		append_mapping(records, tail_bytes, PERF_RECORD_MISC_KERNEL, UINT32_MAX, maps.modules[i].address,
			       maps.modules[i].size, 0, maps.modules[i].name);
}
