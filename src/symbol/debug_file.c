/* Where debug files lie: the places that distributions, GDB and perf agree on. */
#include "symbol/debug_file.h"

#include <byteswap.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <string.h>
#include <zlib.h>

#include "base/memory.h"
#include "symbol/build_id_cache.h"
#include "symbol/debuginfod.h"
#include "symbol/decompress.h"
#include "symbol/elf_image.h"
#include "symbol/elf_symbols.h"

static const char debug_root[] = "/usr/lib/debug";

/* What one search carries from try to try. */
struct looking {
	const struct debug_search *search;
	const struct elf_image *runtime;
	const char *symfs;      /* "" without */
	const char *directory, *base; /* of search->path */
	const char *link_name;  /* of .gnu_debuglink, or NULL */
	uint32_t link_checksum;
};

static bool is_enough(const struct debug_search *search, const struct elf_image *image)
{
	GElf_Shdr header;

	return (!search->needs_dwarf && elf_symbols_has_table(image)) ||
	       elf_image_section(image, ".debug_info", &header);
}

static bool checksum_is(const char *path, uint32_t wanted)
{
	auto_close int fd = open(path, O_RDONLY | O_CLOEXEC);
	auto_free Bytef *chunk = memory_alloc(1 << 16);
	uLong sum = crc32(0, NULL, 0);
	ssize_t got;

	if (fd < 0)
		return false;
	while ((got = read(fd, chunk, 1 << 16)) > 0)
		sum = crc32(sum, chunk, (uInt)got);
	return got == 0 && sum == wanted;
}

/* Opens path when it belongs to the binary; takes path. */
static struct elf_image *candidate(const struct looking *looking, char *path, bool by_checksum)
{
	cleanup(elf_image_guard) struct elf_image *image = NULL;
	auto_free char *owned = path;
	const struct debug_search *search = looking->search;
	struct error *err = elf_image_open(owned, &image);

	if (err) {
		error_destroy(err);
		return NULL;
	}
	if (!is_enough(search, image))
		return NULL;
	if (search->build_id_size && image->build_id_size)
		return build_id_equal(search->build_id, search->build_id_size, image->build_id,
				      image->build_id_size) ? take(image) : NULL;
	return by_checksum && checksum_is(owned, looking->link_checksum) ? take(image) : NULL;
}

static struct elf_image *by_debug_link(const struct looking *looking)
{
	struct elf_image *image;

	if (!looking->link_name)
		return NULL;
	image = candidate(looking, memory_format("%s%s/%s", looking->symfs, looking->directory, looking->link_name),
			  true);
	if (!image)
		image = candidate(looking, memory_format("%s%s/.debug/%s", looking->symfs, looking->directory,
							 looking->link_name), true);
	if (!image)
		image = candidate(looking, memory_format("%s%s%s/%s", looking->symfs, debug_root, looking->directory,
							 looking->link_name), true);
	return image;
}

static struct elf_image *by_cache(const struct looking *looking)
{
	static const char *const files[] = { "debug", "elf" };
	const struct debug_search *search = looking->search;

	for (size_t i = 0; search->cache && search->build_id_size && i < ARRAY_SIZE(files); i++) {
		char *path = NULL;
		struct error *err = build_id_cache_find_file(search->cache, search->build_id, search->build_id_size,
							     files[i], &path);
		struct elf_image *image = err ? NULL : candidate(looking, path, false);

		error_destroy(err);
		if (image)
			return image;
	}
	return NULL;
}

static struct elf_image *by_build_id(const struct looking *looking)
{
	const struct debug_search *search = looking->search;
	char id[BUILD_ID_TEXT_MAX];

	if (search->build_id_size < 2)
		return NULL;
	build_id_format(search->build_id, search->build_id_size, id);
	return candidate(looking, memory_format("%s%s/.build-id/%.2s/%s.debug", looking->symfs, debug_root, id, id + 2),
			 false);
}

/* Fedora's form, then Ubuntu's, then OpenEmbedded's. */
static struct elf_image *by_path(const struct looking *looking)
{
	const char *path = looking->search->path;
	struct elf_image *image = NULL;

	if (path[0] != '/')
		return NULL;
	image = candidate(looking, memory_format("%s%s%s.debug", looking->symfs, debug_root, path), false);
	if (!image)
		image = candidate(looking, memory_format("%s%s%s", looking->symfs, debug_root, path), false);
	if (!image)
		image = candidate(looking, memory_format("%s%s/.debug/%s", looking->symfs, looking->directory,
							 looking->base), false);
	return image;
}

static struct elf_image *by_download(const struct looking *looking)
{
	char *path = debuginfod_fetch(looking->search, "debuginfo");

	return path ? candidate(looking, path, false) : NULL;
}

static void read_debug_link(struct looking *looking)
{
	size_t size = 0;
	const char *bytes = looking->runtime ? elf_image_bytes(looking->runtime, ".gnu_debuglink", &size) : NULL;
	size_t length = bytes ? strnlen(bytes, size) : 0, at = (length + 4) & ~(size_t)3;

	/* The name is a plain file name; with a slash it could lead anywhere. */
	if (!length || length == size || at + 4 > size || memchr(bytes, '/', length))
		return;
	looking->link_name = bytes;
	memcpy(&looking->link_checksum, bytes + at, 4);
	if (elf_image_is_swapped(looking->runtime))
		looking->link_checksum = bswap_32(looking->link_checksum);
}

struct elf_image *debug_file_find(const struct debug_search *search, const struct elf_image *runtime)
{
	static struct elf_image *(*const ways[])(const struct looking *) = {
		by_debug_link, by_cache, by_build_id, by_path, by_download,
	};
	auto_free char *for_directory = memory_strdup(search->path), *for_base = memory_strdup(search->path);
	struct looking looking = { .search = search, .runtime = runtime, .symfs = search->symfs ? search->symfs : "",
				   .directory = dirname(for_directory), .base = basename(for_base) };
	struct elf_image *image = NULL;

	read_debug_link(&looking);
	for (size_t i = 0; i < ARRAY_SIZE(ways) && !image; i++)
		image = ways[i](&looking);
	return image;
}

struct elf_image *debug_file_embedded(const struct elf_image *runtime)
{
	struct elf_image *image = NULL;
	size_t size, whole_size;
	const void *bytes = elf_image_bytes(runtime, ".gnu_debugdata", &size);
	char *whole;
	struct error *err;

	if (!bytes)
		return NULL;
	err = decompress(bytes, size, COMPRESSION_XZ, &whole, &whole_size);
	if (!err)
		err = elf_image_from_memory(whole, whole_size, &image);
	error_destroy(err);
	return image;
}

struct elf_image *debug_file_download_binary(const struct debug_search *search)
{
	auto_free char *path = debuginfod_fetch(search, "executable");
	struct elf_image *image = NULL;
	struct error *err = path ? elf_image_open(path, &image) : NULL;

	error_destroy(err);
	if (image && !build_id_equal(image->build_id, image->build_id_size, search->build_id, search->build_id_size)) {
		elf_image_destroy(image);
		return NULL;
	}
	return image;
}
