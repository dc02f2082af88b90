/* Binaries, each opened once, and the questions asked of them. */
#include "symbol/symbolizer.h"

#include <string.h>
#include <time.h>

#include "base/hash.h"
#include "base/text.h"
#include "symbol/binary_private.h"
#include "symbol/debug_info.h"
#include "symbol/elf_image.h"
#include "symbol/elf_symbols.h"
#include "symbol/kallsyms_lookup.h"
#include "symbol/perf_map.h"
#include "symbol/symbol_table.h"

/* debuginfod may take so long over all binaries together. */
enum { DOWNLOAD_SECONDS = 60, BINARIES_START = 64 };

static int64_t deadline_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return ((int64_t)now.tv_sec + DOWNLOAD_SECONDS) * 1000000000;
}

static char *copy_or_null(const char *text)
{
	return text && *text ? memory_strdup(text) : NULL;
}

struct error *symbolizer_create(const struct symbolizer_setup *setup, struct symbolizer **ret)
{
	struct symbolizer *symbolizer = memory_zeroed(1, sizeof(*symbolizer));
	struct error *err;

	symbolizer->setup = *setup;
	symbolizer->symfs = copy_or_null(setup->symfs);
	symbolizer->vmlinux = copy_or_null(setup->vmlinux);
	symbolizer->kallsyms = copy_or_null(setup->kallsyms);
	symbolizer->download_deadline_ns = setup->debuginfod ? deadline_ns() : 0;
	symbolizer->arena = arena_create();
	symbolizer->strings = intern_create();
	symbolizer->capacity = BINARIES_START;
	symbolizer->binaries = memory_zeroed(symbolizer->capacity, sizeof(struct binary *));
	/* Without a home there is no cache to look into: that is no reason to fail. */
	err = build_id_cache_open(setup->cache, &symbolizer->cache);
	error_destroy(err);
	*ret = symbolizer;
	return NULL;
}

static void binary_destroy(struct binary *binary)
{
	if (!binary)
		return;
	debug_info_destroy(binary->debug_info);
	kallsyms_lookup_destroy(binary->kallsyms);
	symbol_table_destroy(binary->table);
	elf_image_destroy(binary->dwarf);
	elf_image_destroy(binary->embedded);
	elf_image_destroy(binary->debug);
	elf_image_destroy(binary->runtime);
	free(binary->text);
	free(binary->file);
	free(binary);
}

void symbolizer_destroy(struct symbolizer *symbolizer)
{
	if (!symbolizer)
		return;
	for (size_t i = 0; i < symbolizer->capacity; i++)
		binary_destroy(symbolizer->binaries[i]);
	free(symbolizer->binaries);
	build_id_cache_destroy(symbolizer->cache);
	intern_destroy(symbolizer->strings);
	arena_destroy(symbolizer->arena);
	free(symbolizer->symfs);
	free(symbolizer->vmlinux);
	free(symbolizer->kallsyms);
	free(symbolizer);
}

static bool is_module(const char *path)
{
	static const char *const ends[] = { ".ko", ".ko.xz", ".ko.zst", ".ko.gz" };

	for (size_t i = 0; i < ARRAY_SIZE(ends); i++)
		if (text_ends_with(path, ends[i]))
			return true;
	return false;
}

static enum binary_kind kind_of(const char *path)
{
	if (text_starts_with(path, "[kernel") || text_starts_with(path, "[guest.kernel"))
		return BINARY_KERNEL;
	if (text_starts_with(path, "[vdso"))
		return BINARY_VDSO;
	if (perf_map_is_anonymous(path))
		return BINARY_ANONYMOUS_CODE;
	if (is_module(path))
		return BINARY_MODULE;
	if (path[0] == '[' && text_ends_with(path, "]"))
		return text_starts_with(path, "[vsyscall") || text_starts_with(path, "[guest") ? BINARY_NOTHING
											       : BINARY_MODULE;
	return BINARY_FILE;
}

static const char *without_deleted(struct symbolizer *symbolizer, const char *path)
{
	static const char suffix[] = " (deleted)";
	size_t length = strlen(path);

	if (text_ends_with(path, suffix))
		length -= sizeof(suffix) - 1;
	return intern_bytes(symbolizer->strings, path, length);
}

/* What tells this binary from others; a pid only where the same name means other code in each process. */
static struct binary key_of(struct symbolizer *symbolizer, const struct binary_name *name)
{
	struct binary key = { .symbolizer = symbolizer, .kind = kind_of(name->path) };

	key.path = without_deleted(symbolizer, name->path);
	key.build_id_size = name->build_id_size <= BUILD_ID_MAX ? name->build_id_size : BUILD_ID_MAX;
	if (key.build_id_size)
		memcpy(key.build_id, name->build_id, key.build_id_size);
	key.pid = name->pid;
	if (key.kind == BINARY_KERNEL && name->reference.address)
		key.reference = (struct kernel_reference){ intern_text(symbolizer->strings, name->reference.symbol),
							   name->reference.address };
	key.hash = hash_combine((uint64_t)(uintptr_t)key.path, hash_bytes(key.build_id, key.build_id_size));
	key.recorded_ns = key.build_id_size ? 0 : name->recorded_ns;
	key.hash = hash_combine(hash_combine(key.hash, key.reference.address), key.recorded_ns);
	if (key.kind == BINARY_ANONYMOUS_CODE)
		key.hash = hash_combine(key.hash, key.pid);
	return key;
}

static bool is_same(const struct binary *binary, const struct binary *key)
{
	return binary->hash == key->hash && binary->path == key->path &&
	       binary->build_id_size == key->build_id_size &&
	       !memcmp(binary->build_id, key->build_id, key->build_id_size) &&
	       binary->reference.address == key->reference.address && binary->reference.symbol == key->reference.symbol &&
	       binary->recorded_ns == key->recorded_ns &&
	       (binary->kind != BINARY_ANONYMOUS_CODE || binary->pid == key->pid);
}

static struct binary **place_of(struct binary **binaries, size_t capacity, const struct binary *key)
{
	size_t at = key->hash & (capacity - 1);

	while (binaries[at] && !is_same(binaries[at], key))
		at = (at + 1) & (capacity - 1);
	return &binaries[at];
}

static void make_room(struct symbolizer *symbolizer)
{
	size_t capacity = symbolizer->capacity * 2;
	struct binary **binaries;

	if (symbolizer->count * 2 < symbolizer->capacity)
		return;
	binaries = memory_zeroed(capacity, sizeof(struct binary *));
	for (size_t i = 0; i < symbolizer->capacity; i++)
		if (symbolizer->binaries[i])
			*place_of(binaries, capacity, symbolizer->binaries[i]) = symbolizer->binaries[i];
	free(symbolizer->binaries);
	symbolizer->binaries = binaries;
	symbolizer->capacity = capacity;
}

struct binary *symbolizer_binary(struct symbolizer *symbolizer, const struct binary_name *name)
{
	struct binary key = key_of(symbolizer, name);
	struct binary **place = place_of(symbolizer->binaries, symbolizer->capacity, &key);
	struct binary *binary;

	if (*place)
		return *place;
	binary = memory_copy(&key, sizeof(key));
	binary->table = symbol_table_create(symbolizer->arena, symbolizer->setup.demangle);
	*place = binary;
	symbolizer->count++;
	make_room(symbolizer);
	return binary;
}

/* Loading is put off until the first question: that changes nothing a caller can see. */
static struct binary *loaded(const struct binary *binary)
{
	binary_load_symbols((struct binary *)binary);
	return (struct binary *)binary;
}

static struct symbol_table *whole_table(struct binary *binary)
{
	binary_load_all_kallsyms(loaded(binary));
	return binary->table;
}

enum binary_state binary_state(const struct binary *binary)
{
	return loaded(binary)->state;
}

const char *binary_file(const struct binary *binary)
{
	return loaded(binary)->file;
}

bool binary_is_absolute(const struct binary *binary)
{
	return binary->kind == BINARY_KERNEL || binary->kind == BINARY_ANONYMOUS_CODE;
}

bool binary_address(struct binary *binary, uint64_t file_offset, uint64_t *ret)
{
	binary_load_runtime(binary);
	if (binary->kind == BINARY_FILE || binary->kind == BINARY_VDSO)
		return binary->runtime && elf_image_address(binary->runtime, file_offset, ret);
	*ret = file_offset;
	return true;
}

void binary_add_function(struct binary *binary, const char *name, uint64_t start, uint64_t size)
{
	symbol_table_add(whole_table(binary), intern_text(binary->symbolizer->strings, name), start, start + size,
			 SYMBOL_GLOBAL);
}

/* PLT entries are rarely hit, and reading them is dear: only when an address lies there. */
static bool load_plt(struct binary *binary, uint64_t address)
{
	if (binary->has_plt || !binary->runtime || binary->kind != BINARY_FILE ||
	    !elf_symbols_in_plt(binary->runtime, address))
		return false;
	binary->has_plt = true;
	return elf_symbols_add_plt(binary->table, binary->symbolizer->arena, binary->runtime) > 0;
}

const struct function *binary_function(struct binary *binary, uint64_t address)
{
	const struct function *function = loaded(binary)->kallsyms ? kallsyms_lookup_find(binary->kallsyms, address) : NULL;

	if (!function)
		function = symbol_table_find(whole_table(binary), address);
	if (function || !load_plt(binary, address))
		return function;
	return symbol_table_find(binary->table, address);
}

size_t binary_functions(struct binary *binary, const struct function *const **ret)
{
	return symbol_table_functions(whole_table(binary), ret);
}

static struct debug_info *debug_info_of(struct binary *binary)
{
	const struct symbolizer *symbolizer = binary->symbolizer;
	struct debug_info_setup setup = { symbolizer->arena, symbolizer->strings, 0, symbolizer->setup.demangle,
					  symbolizer->setup.inlines };
	struct elf_image *image;

	if (binary->has_debug_info || (!setup.inlines && !symbolizer->setup.lines))
		return binary->debug_info;
	binary->has_debug_info = true;
	image = binary_debug_image(binary, &setup.bias);
	if (image)
		binary->debug_info = debug_info_create(image, &setup);
	return binary->debug_info;
}

size_t binary_frames(struct binary *binary, uint64_t address, const struct frame **ret)
{
	const struct function *function = binary_function(binary, address);
	struct debug_info *info = debug_info_of(binary);
	struct frame *frame;

	if (info)
		return debug_info_frames(info, address, function, ret);
	frame = arena_alloc(binary->symbolizer->arena, sizeof(*frame));
	frame->function = function;
	*ret = frame;
	return 1;
}
