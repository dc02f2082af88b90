/* Finding the file of a binary, and its symbols: the build id decides, never the path. */
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/text.h"
#include "symbol/binary_private.h"
#include "symbol/debug_file.h"
#include "symbol/elf_image.h"
#include "symbol/elf_symbols.h"
#include "symbol/perf_map.h"
#include "symbol/symbol_table.h"

static bool is_wanted(const struct binary *binary, const struct elf_image *image)
{
	return !binary->build_id_size || build_id_equal(binary->build_id, binary->build_id_size, image->build_id,
							image->build_id_size);
}

/* Without build id the time of the last change is all there is. */
static bool is_newer(const struct binary *binary, const char *path)
{
	struct stat status;

	return !binary->build_id_size && binary->recorded_ns && !stat(path, &status) &&
	       (uint64_t)status.st_mtim.tv_sec * 1000000000 + (uint64_t)status.st_mtim.tv_nsec > binary->recorded_ns;
}

static void worst_of(struct binary *binary, enum binary_state state)
{
	/* A file that is there but not usable tells more than one that is missing. */
	if (binary->state == BINARY_OK || binary->state == BINARY_NO_FILE)
		binary->state = state;
}

/* Takes path. */
static bool try_file(struct binary *binary, char *path)
{
	auto_free char *owned = path;
	cleanup(elf_image_guard) struct elf_image *image = NULL;
	struct error *err = elf_image_open(owned, &image);

	if (err) {
		worst_of(binary, error_kind(err) == ERROR_NOT_FOUND ? BINARY_NO_FILE : BINARY_UNREADABLE);
		error_destroy(err);
		return false;
	}
	if (!is_wanted(binary, image)) {
		worst_of(binary, BINARY_MISMATCH);
		return false;
	}
	if (is_newer(binary, owned)) {
		worst_of(binary, BINARY_CHANGED);
		return false;
	}
	binary->runtime = take(image);
	binary->file = take(owned);
	binary->state = BINARY_OK;
	return true;
}

static bool is_in_other_namespace(uint32_t pid)
{
	auto_free char *path = memory_format("/proc/%u/ns/mnt", pid);
	struct stat own, other;

	return !stat("/proc/self/ns/mnt", &own) && !stat(path, &other) &&
	       (own.st_ino != other.st_ino || own.st_dev != other.st_dev);
}

static bool try_cache(struct binary *binary, const char *file)
{
	char *path = NULL;
	struct error *err;

	if (!binary->symbolizer->cache || !binary->build_id_size)
		return false;
	err = build_id_cache_find_file(binary->symbolizer->cache, binary->build_id, binary->build_id_size, file, &path);
	if (err) {
		error_destroy(err);
		return false;
	}
	return try_file(binary, path);
}

static struct debug_search search_for(const struct binary *binary)
{
	const struct symbolizer *symbolizer = binary->symbolizer;
	struct debug_search search = { binary->path, binary->build_id, binary->build_id_size, symbolizer->symfs,
				       symbolizer->cache, symbolizer->download_deadline_ns, false };

	if (!search.build_id_size && binary->runtime) {
		search.build_id = binary->runtime->build_id;
		search.build_id_size = binary->runtime->build_id_size;
	}
	return search;
}

static bool try_download(struct binary *binary)
{
	struct debug_search search = search_for(binary);
	struct elf_image *image = binary->build_id_size ? debug_file_download_binary(&search) : NULL;

	if (!image)
		return false;
	binary->runtime = image;
	binary->file = memory_strdup(image->path);
	binary->state = BINARY_OK;
	return true;
}

static void find_file(struct binary *binary)
{
	const char *symfs = binary->symbolizer->symfs;
	bool found = false;

	if (binary->path[0] == '/' && symfs)
		found = try_file(binary, memory_format("%s%s", symfs, binary->path));
	if (!found && binary->path[0] == '/' && binary->pid && is_in_other_namespace(binary->pid))
		found = try_file(binary, memory_format("/proc/%u/root%s", binary->pid, binary->path));
	if (!found && binary->path[0] == '/' && !symfs)
		found = try_file(binary, memory_strdup(binary->path));
	found = found || try_cache(binary, "elf") || try_download(binary);
	if (!found && binary->state == BINARY_OK)
		binary->state = BINARY_NO_FILE;
}

static void find_vdso(struct binary *binary)
{
	struct elf_image *image = vdso_image();

	if (image && is_wanted(binary, image)) {
		binary->runtime = image;
		return;
	}
	elf_image_destroy(image);
	if (!try_cache(binary, "vdso") && !try_cache(binary, "elf"))
		binary->state = BINARY_NO_FILE;
}

void binary_load_runtime(struct binary *binary)
{
	if (binary->has_runtime)
		return;
	binary->has_runtime = true;
	if (binary->kind == BINARY_FILE)
		find_file(binary);
	else if (binary->kind == BINARY_VDSO)
		find_vdso(binary);
}

static void load_perf_map(struct binary *binary)
{
	size_t size;

	binary->state = BINARY_ANONYMOUS;
	if (!perf_map_read(binary->path, binary->pid, &binary->text, &size, &binary->file))
		return;
	if (perf_map_add(binary->table, binary->text, size))
		binary->state = BINARY_OK;
}

/* What is prelinked after its debug file was split off lies elsewhere. */
static void use_debug_file(struct binary *binary)
{
	binary->debug_bias = elf_image_base(binary->runtime) - elf_image_base(binary->debug);
	elf_symbols_add(binary->table, binary->debug, false, binary->debug_bias);
}

static void load_elf(struct binary *binary)
{
	struct debug_search search;
	size_t from_dynamic;

	if (!binary->runtime)
		return;
	if (elf_symbols_add(binary->table, binary->runtime, false, 0))
		return;
	search = search_for(binary);
	binary->debug = debug_file_find(&search, binary->runtime);
	if (binary->debug) {
		use_debug_file(binary);
		return;
	}
	binary->embedded = debug_file_embedded(binary->runtime);
	from_dynamic = elf_symbols_add(binary->table, binary->runtime, true, 0);
	if (binary->embedded && elf_symbols_add(binary->table, binary->embedded, false, 0))
		return;
	/* The vdso exports all that it has. */
	if (binary->kind != BINARY_VDSO || !from_dynamic)
		binary->state = BINARY_NO_SYMBOLS;
}

void binary_load_symbols(struct binary *binary)
{
	if (binary->has_symbols)
		return;
	binary->has_symbols = true;
	binary_load_runtime(binary);
	switch (binary->kind) {
	case BINARY_FILE:
	case BINARY_VDSO:
		load_elf(binary);
		break;
	case BINARY_KERNEL:
		binary_load_kernel(binary);
		break;
	case BINARY_MODULE:
		binary_load_module(binary);
		break;
	case BINARY_ANONYMOUS_CODE:
		load_perf_map(binary);
		break;
	case BINARY_NOTHING:
		binary->state = BINARY_NO_SYMBOLS;
		break;
	}
}

static bool has_dwarf(const struct elf_image *image)
{
	GElf_Shdr header;

	/* A relocatable file's DWARF would need its relocations applied first. */
	return image && image->header.e_type != ET_REL && elf_image_section(image, ".debug_info", &header) &&
	       header.sh_type != SHT_NOBITS;
}

struct elf_image *binary_debug_image(struct binary *binary, uint64_t *bias)
{
	struct debug_search search;

	*bias = 0;
	if (has_dwarf(binary->runtime))
		return binary->runtime;
	if (!binary->debug && binary->kind == BINARY_KERNEL)
		binary_find_vmlinux(binary);
	*bias = binary->debug_bias;
	if (has_dwarf(binary->debug))
		return binary->debug;
	if (binary->kind != BINARY_FILE || !binary->runtime)
		return NULL;
	search = search_for(binary);
	search.needs_dwarf = true;
	binary->dwarf = debug_file_find(&search, binary->runtime);
	if (!has_dwarf(binary->dwarf))
		return NULL;
	*bias = elf_image_base(binary->runtime) - elf_image_base(binary->dwarf);
	return binary->dwarf;
}
