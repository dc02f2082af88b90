/* Which binaries the samples fell into. */
#include "capture/hits.h"

#include <linux/perf_event.h>
#include <string.h>

#include "base/hash.h"
#include "base/intern.h"
#include "base/log.h"
#include "base/memory.h"
#include "capture/kernel_maps.h"
#include "perfdata/format.h"
#include "perfdata/record.h"
#include "symbol/binary.h"
#include "symbol/build_id_cache.h"

enum { PAGE_SHIFT = 12, FIRST_SLOTS = 1024 };

struct hit_mapping {
	uint64_t start, end;
	size_t binary;
};

struct hit_binary {
	const char *path;
	uint8_t build_id[BUILD_ID_MAX];
	size_t build_id_size; /* 0: the file has to be asked */
	bool is_hit;
};

struct hits {
	uint64_t *pages; /* open addressing; 0: free */
	size_t page_slots, page_count;
	struct hit_mapping *mappings;
	size_t mapping_count, mapping_capacity;
	struct hit_binary *binaries;
	size_t binary_count, binary_capacity;
	size_t *slots;   /* of binaries, + 1; open addressing */
	size_t slot_count;
	struct intern *paths;
};

struct hits *hits_create(void)
{
	struct hits *hits = memory_zeroed(1, sizeof(*hits));

	hits->page_slots = hits->slot_count = FIRST_SLOTS;
	hits->pages = memory_zeroed(hits->page_slots, sizeof(*hits->pages));
	hits->slots = memory_zeroed(hits->slot_count, sizeof(*hits->slots));
	hits->paths = intern_create();
	return hits;
}

static bool put_page(uint64_t *pages, size_t slots, uint64_t page)
{
	size_t at = hash_word(page) & (slots - 1);

	while (pages[at] && pages[at] != page)
		at = (at + 1) & (slots - 1);
	if (pages[at])
		return false;
	pages[at] = page;
	return true;
}

static void grow_pages(struct hits *hits)
{
	uint64_t *old = hits->pages;
	size_t old_slots = hits->page_slots;

	hits->page_slots *= 2;
	hits->pages = memory_zeroed(hits->page_slots, sizeof(*hits->pages));
	for (size_t i = 0; i < old_slots; i++) {
		if (old[i])
			put_page(hits->pages, hits->page_slots, old[i]);
	}
	free(old);
}

void hits_add_address(struct hits *hits, uint64_t address)
{
	if (!put_page(hits->pages, hits->page_slots, address >> PAGE_SHIFT | 1ull << 63))
		return;
	if (++hits->page_count * 2 > hits->page_slots)
		grow_pages(hits);
}

static uint64_t binary_hash(const struct hit_binary *binary)
{
	return hash_combine(hash_bytes(binary->build_id, binary->build_id_size), (uintptr_t)binary->path);
}

static size_t *binary_slot(const struct hits *hits, const struct hit_binary *wanted)
{
	size_t at = binary_hash(wanted) & (hits->slot_count - 1);

	for (; hits->slots[at]; at = (at + 1) & (hits->slot_count - 1)) {
		const struct hit_binary *binary = &hits->binaries[hits->slots[at] - 1];

		if (binary->path == wanted->path && binary->build_id_size == wanted->build_id_size &&
		    !memcmp(binary->build_id, wanted->build_id, wanted->build_id_size))
			break;
	}
	return &hits->slots[at];
}

static void grow_slots(struct hits *hits)
{
	hits->slot_count *= 2;
	free(hits->slots);
	hits->slots = memory_zeroed(hits->slot_count, sizeof(*hits->slots));
	for (size_t i = 0; i < hits->binary_count; i++)
		*binary_slot(hits, &hits->binaries[i]) = i + 1;
}

static size_t add_binary(struct hits *hits, const struct mapping_record *mapping)
{
	struct hit_binary binary = { .path = intern_text(hits->paths, mapping->path),
				     .build_id_size = mapping->build_id_size };

	if (mapping->build_id_size)
		memcpy(binary.build_id, mapping->build_id, mapping->build_id_size);

	size_t *slot = binary_slot(hits, &binary);

	if (*slot)
		return *slot - 1;
	array_grow(&hits->binaries, hits->binary_count, &hits->binary_capacity);
	hits->binaries[hits->binary_count++] = binary;
	*slot = hits->binary_count;
	if (hits->binary_count * 2 > hits->slot_count)
		grow_slots(hits);
	return hits->binary_count - 1;
}

void hits_add_mapping(struct hits *hits, uint32_t type, uint16_t misc, const void *body, size_t size)
{
	struct record record = { .type = type, .misc = misc, .size = (uint32_t)(size + sizeof(struct perf_event_header)),
				 .body = body };
	struct mapping_record mapping;
	struct error *err = mapping_record_decode(&record, &mapping);

	/* Only files: what has none has no build id to keep. */
	if (err || mapping.path[0] != '/' || !strcmp(mapping.path, "//anon")) {
		error_destroy(err);
		return;
	}

	size_t binary = add_binary(hits, &mapping);

	array_grow(&hits->mappings, hits->mapping_count, &hits->mapping_capacity);
	hits->mappings[hits->mapping_count++] =
		(struct hit_mapping){ mapping.address, mapping.address + mapping.length, binary };
}

static int by_number(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

	return (a > b) - (a < b);
}

/* The pages hit, rising; addresses again. */
static uint64_t *sorted_pages(const struct hits *hits)
{
	uint64_t *pages = memory_zeroed(hits->page_count, sizeof(*pages));
	size_t count = 0;

	for (size_t i = 0; i < hits->page_slots; i++) {
		if (hits->pages[i])
			pages[count++] = hits->pages[i] << PAGE_SHIFT;
	}
	qsort(pages, count, sizeof(*pages), by_number);
	return pages;
}

static bool any_page_in(const uint64_t *pages, size_t count, uint64_t start, uint64_t end)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (pages[middle] < (start & ~0xfffull))
			low = middle + 1;
		else
			high = middle;
	}
	return low < count && pages[low] < end;
}

static void append_build_id(struct text *records, uint16_t misc, const char *path, const uint8_t *build_id,
			    size_t size)
{
	uint8_t id[24] = { 0 };
	int32_t pid = -1;
	size_t length = strlen(path) + 1, padding = -(sizeof(struct perf_event_header) + 28 + length) & 7;
	struct perf_event_header header = { PERFDATA_RECORD_BUILD_ID, misc | PERFDATA_MISC_BUILD_ID_SIZE,
					    (uint16_t)(sizeof(header) + 28 + length + padding) };

	memcpy(id, build_id, size);
	id[20] = (uint8_t)size;
	text_append_bytes(records, (const char *)&header, sizeof(header));
	text_append_bytes(records, (const char *)&pid, sizeof(pid));
	text_append_bytes(records, (const char *)id, sizeof(id));
	text_append_bytes(records, path, length);
	text_append_bytes(records, "\0\0\0\0\0\0\0", padding);
}

static void keep(struct build_id_cache *cache, const char *file, const char *name, const uint8_t *build_id,
		 size_t size)
{
	auto_free char *there = NULL;
	struct error *err;

	if (!cache)
		return;
	err = build_id_cache_find(cache, build_id, size, &there);
	if (!err)
		return;
	error_destroy(err);
	err = build_id_cache_add(cache, file, name, build_id, size);
	if (err)
		log_verbose("not kept in the build-id cache: %s: %s", name ? name : file, error_message(err));
	error_destroy(err);
}

/* The file may have been replaced since: then the recorded id stands, and nothing is kept. */
static void finish_binary(const struct hit_binary *binary, struct build_id_cache *cache, struct text *build_ids)
{
	uint8_t now[BUILD_ID_MAX];
	size_t now_size = 0;
	struct error *err = build_id_of_file(binary->path, now, &now_size);
	const uint8_t *id = binary->build_id_size ? binary->build_id : now;
	size_t size = binary->build_id_size ? binary->build_id_size : now_size;

	if (size)
		append_build_id(build_ids, PERF_RECORD_MISC_USER, binary->path, id, size);
	if (!err && now_size && build_id_equal(id, size, now, now_size))
		keep(cache, binary->path, NULL, id, size);
	error_destroy(err);
}

static void finish_kernel(const struct hits *hits, const uint64_t *pages, struct build_id_cache *cache,
			  struct text *build_ids)
{
	cleanup(kernel_maps_release) struct kernel_maps maps;
	uint8_t id[BUILD_ID_MAX];
	size_t size = 0;

	kernel_maps_read(&maps);
	error_destroy(build_id_of_file("/sys/kernel/notes", id, &size));
	if (size && maps.reference.address &&
	    any_page_in(pages, hits->page_count, maps.reference.address, maps.end)) {
		append_build_id(build_ids, PERF_RECORD_MISC_KERNEL, "[kernel.kallsyms]", id, size);
		keep(cache, "/proc/kallsyms", "[kernel.kallsyms]", id, size);
	}
	for (size_t i = 0; i < maps.count; i++) {
		const struct kernel_module *module = &maps.modules[i];
		size_t length = strlen(module->name) - 2;
		auto_free char *notes = memory_format("/sys/module/%.*s/notes/.note.gnu.build-id", (int)length,
						      module->name + 1);

		if (!any_page_in(pages, hits->page_count, module->address, module->address + module->size))
			continue;
		size = 0;
		error_destroy(build_id_of_file(notes, id, &size));
		if (size)
			append_build_id(build_ids, PERF_RECORD_MISC_KERNEL, module->name, id, size);
	}
}

void hits_finish(struct hits *hits, bool keep_files, const char *directory, struct text *build_ids)
{
	cleanup(build_id_cache_guard) struct build_id_cache *cache = NULL;
	auto_free uint64_t *pages = sorted_pages(hits);
	struct error *err = keep_files ? build_id_cache_open(directory, &cache) : NULL;

	if (err)
		log_verbose("%s", error_message(err));
	error_destroy(err);
	for (size_t i = 0; i < hits->mapping_count; i++) {
		const struct hit_mapping *mapping = &hits->mappings[i];

		if (!hits->binaries[mapping->binary].is_hit)
			hits->binaries[mapping->binary].is_hit =
				any_page_in(pages, hits->page_count, mapping->start, mapping->end);
	}
	/* Addresses of the upper half are the kernel's. */
	if (hits->page_count && pages[hits->page_count - 1] >> 63)
		finish_kernel(hits, pages, cache, build_ids);
	for (size_t i = 0; i < hits->binary_count; i++) {
		if (hits->binaries[i].is_hit)
			finish_binary(&hits->binaries[i], cache, build_ids);
	}
}

void hits_destroy(struct hits *hits)
{
	if (!hits)
		return;
	free(hits->pages);
	free(hits->mappings);
	free(hits->binaries);
	free(hits->slots);
	intern_destroy(hits->paths);
	free(hits);
}
