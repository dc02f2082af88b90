/* Symbols of the kernel and its modules. The running kernel answers only for samples of its own build id. */
#include <libgen.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/file.h"
#include "base/text.h"
#include "symbol/binary_private.h"
#include "symbol/debug_file.h"
#include "symbol/elf_image.h"
#include "symbol/elf_symbols.h"
#include "symbol/kallsyms.h"
#include "symbol/kallsyms_lookup.h"
#include "symbol/symbol_table.h"

const uint8_t *symbolizer_kernel_build_id(struct symbolizer *symbolizer, size_t *size)
{
	if (!symbolizer->has_kernel_build_id) {
		struct error *err = build_id_of_file("/sys/kernel/notes", symbolizer->kernel_build_id,
						     &symbolizer->kernel_build_id_size);

		error_destroy(err);
		symbolizer->has_kernel_build_id = true;
	}
	*size = symbolizer->kernel_build_id_size;
	return symbolizer->kernel_build_id;
}

/* Takes path. True when it gave symbols. */
static bool read_kallsyms(struct binary *binary, char *path, const struct kallsyms_selection *selection)
{
	auto_free char *owned = path, *text = NULL;
	size_t size;
	bool all_zero;
	struct error *err = file_read(owned, &text, &size);

	if (err) {
		error_destroy(err);
		binary->state = BINARY_UNREADABLE;
		return false;
	}
	if (!kallsyms_add(binary->table, text, size, selection, &all_zero)) {
		binary->state = all_zero ? BINARY_RESTRICTED : BINARY_NO_SYMBOLS;
		return false;
	}
	binary->text = take(text);
	binary->file = take(owned);
	binary->state = BINARY_OK;
	return true;
}

/* As read_kallsyms(), but most of it is never looked at. */
static bool use_kallsyms(struct binary *binary, char *path, const struct kallsyms_selection *selection)
{
	const struct symbolizer *symbolizer = binary->symbolizer;

	if (!selection->module)
		binary->kallsyms = kallsyms_lookup_open(path, &selection->reference, symbolizer->arena,
							symbolizer->setup.demangle);
	if (!binary->kallsyms)
		return read_kallsyms(binary, path, selection);
	binary->file = path;
	binary->state = BINARY_OK;
	return true;
}

void binary_load_all_kallsyms(struct binary *binary)
{
	struct kallsyms_selection selection = { .reference = binary->reference };
	auto_free char *file = NULL;

	if (!binary->kallsyms || binary->has_all_kallsyms)
		return;
	binary->has_all_kallsyms = true;
	file = take(binary->file);
	if (!read_kallsyms(binary, memory_strdup(file), &selection))
		binary->file = take(file);
	binary->state = BINARY_OK;
}

/* How far the kernel was moved from where the file was linked (KASLR). */
static uint64_t displacement_of(struct binary *binary, const struct elf_image *image)
{
	struct symbol_table *linked = symbol_table_create(binary->symbolizer->arena, false);
	uint64_t text, moved = 0;

	elf_symbols_add(linked, image, false, 0);
	if (binary->reference.address && symbol_table_start_of(linked, binary->reference.symbol, &text))
		moved = binary->reference.address - text;
	symbol_table_destroy(linked);
	return moved;
}

/* Takes path. must_match: a file without a build id to compare is refused. Sets debug and its bias. */
static bool open_vmlinux(struct binary *binary, char *path, bool must_match)
{
	auto_free char *owned = path;
	cleanup(elf_image_guard) struct elf_image *image = NULL;
	struct error *err = elf_image_open(owned, &image);
	bool can_compare;

	if (err) {
		error_destroy(err);
		return false;
	}
	can_compare = binary->build_id_size && image->build_id_size;
	if (can_compare ? !build_id_equal(binary->build_id, binary->build_id_size, image->build_id,
					  image->build_id_size) : must_match) {
		binary->state = BINARY_MISMATCH;
		return false;
	}
	binary->debug_bias = displacement_of(binary, image);
	binary->debug = take(image);
	return true;
}

/* As open_vmlinux(); and takes the symbols from there. */
static bool use_vmlinux(struct binary *binary, char *path, bool must_match)
{
	if (!open_vmlinux(binary, path, must_match) ||
	    !elf_symbols_add(binary->table, binary->debug, false, binary->debug_bias))
		return false;
	binary->file = memory_strdup(binary->debug->path);
	binary->state = BINARY_OK;
	return true;
}

static bool cached_file(const struct binary *binary, const char *file, char **path)
{
	struct error *err;

	if (!binary->symbolizer->cache || !binary->build_id_size)
		return false;
	err = build_id_cache_find_file(binary->symbolizer->cache, binary->build_id, binary->build_id_size, file, path);
	error_destroy(err);
	return !err;
}

static bool is_running_kernel(const struct binary *binary)
{
	size_t size;
	const uint8_t *running = symbolizer_kernel_build_id(binary->symbolizer, &size);

	return build_id_equal(binary->build_id, binary->build_id_size, running, size);
}

/* Where distributions put an uncompressed kernel. way: open_vmlinux() or use_vmlinux(). */
static bool try_installed(struct binary *binary, bool (*way)(struct binary *binary, char *path, bool must_match))
{
	static const char *const before[] = { "/usr/lib/debug/boot/vmlinux-", "/boot/vmlinux-",
					      "/usr/lib/debug/lib/modules/", "/lib/modules/" };
	static const char *const after[] = { "", "", "/vmlinux", "/build/vmlinux" };
	const char *symfs = binary->symbolizer->symfs ? binary->symbolizer->symfs : "";
	char id[BUILD_ID_TEXT_MAX];
	struct utsname host;

	build_id_format(binary->build_id, binary->build_id_size, id);
	if (binary->build_id_size > 1 &&
	    way(binary, memory_format("%s/usr/lib/debug/.build-id/%.2s/%s.debug", symfs, id, id + 2), true))
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(before) && !uname(&host); i++)
		if (way(binary, memory_format("%s%s%s%s", symfs, before[i], host.release, after[i]), true))
			return true;
	return false;
}

static enum binary_state why_no_kernel(const struct binary *binary, enum binary_state running_state)
{
	if (is_running_kernel(binary))
		return running_state;
	return binary->build_id_size ? BINARY_MISMATCH : BINARY_NO_FILE;
}

/* Reading /proc/kallsyms makes the kernel format every line; a copy in the cache is many times faster. */
void binary_load_kernel(struct binary *binary)
{
	const struct symbolizer *symbolizer = binary->symbolizer;
	struct kallsyms_selection selection = { .reference = binary->reference };
	enum binary_state running_state = BINARY_NO_FILE;
	bool is_guest = text_starts_with(binary->path, "[guest");
	char *path;

	if (symbolizer->kallsyms && !is_guest) {
		use_kallsyms(binary, memory_strdup(symbolizer->kallsyms), &selection);
		return;
	}
	if (symbolizer->vmlinux && !is_guest) {
		binary->state = BINARY_UNREADABLE;
		use_vmlinux(binary, memory_strdup(symbolizer->vmlinux), false);
		return;
	}
	if (cached_file(binary, "kallsyms", &path) && use_kallsyms(binary, path, &selection))
		return;
	if (is_running_kernel(binary) && use_kallsyms(binary, memory_strdup("/proc/kallsyms"), &selection))
		return;
	running_state = binary->state;
	if (cached_file(binary, "elf", &path) && use_vmlinux(binary, path, true))
		return;
	if (!try_installed(binary, use_vmlinux))
		binary->state = why_no_kernel(binary, running_state);
}

void binary_find_vmlinux(struct binary *binary)
{
	enum binary_state state = binary->state;
	const char *given = binary->symbolizer->vmlinux;
	char *path;

	if (given)
		open_vmlinux(binary, memory_strdup(given), false);
	else if (!cached_file(binary, "elf", &path) || !open_vmlinux(binary, path, true))
		try_installed(binary, open_vmlinux);
	binary->state = state;
}

/* "/lib/modules/6.1/kernel/fs/ext4/ext4.ko.xz" or "[ext4]" → "ext4", as kallsyms has it; the caller frees. */
static char *module_name(const char *path)
{
	auto_free char *copy = memory_strdup(path);
	char *base = basename(copy), *name;

	if (*base == '[')
		base++;
	name = memory_strndup(base, strcspn(base, ".]"));
	for (char *at = name; *at; at++)
		if (*at == '-')
			*at = '_';
	return name;
}

/* The address in "ext4 1 2 - Live 0xffffffffc0000000"; 0 when it is hidden or not loaded. */
static uint64_t module_address(const char *name)
{
	auto_free char *text = NULL;
	struct error *err = file_read("/proc/modules", &text, NULL);
	auto_free char *start = memory_format("\n%s ", name);
	char *line, *address, *end;

	if (err) {
		error_destroy(err);
		return 0;
	}
	line = text_starts_with(text, start + 1) ? text : strstr(text, start);
	if (!line)
		return 0;
	end = line + 1 + strcspn(line + 1, "\n");
	*end = '\0';
	address = strstr(line, " 0x");
	return address ? strtoull(address + 1, NULL, 16) : 0;
}

static bool is_loaded_module(const struct binary *binary, const char *name)
{
	auto_free char *path = memory_format("/sys/module/%s/notes/.note.gnu.build-id", name);
	uint8_t build_id[BUILD_ID_MAX];
	size_t size = 0;
	struct error *err = build_id_of_file(path, build_id, &size);

	error_destroy(err);
	return !err && build_id_equal(build_id, size, binary->build_id, binary->build_id_size);
}

static bool use_module_file(struct binary *binary)
{
	struct debug_search search = { binary->path, binary->build_id, binary->build_id_size,
				       binary->symbolizer->symfs, binary->symbolizer->cache,
				       binary->symbolizer->download_deadline_ns, false };

	if (!binary->runtime || !elf_symbols_add(binary->table, binary->runtime, false, 0)) {
		binary->debug = debug_file_find(&search, binary->runtime);
		if (!binary->debug || !elf_symbols_add(binary->table, binary->debug, false, 0))
			return false;
	}
	binary->state = BINARY_OK;
	return true;
}

void binary_load_module(struct binary *binary)
{
	auto_free char *name = module_name(binary->path);
	struct kallsyms_selection selection = { .module = name };

	binary->kind = BINARY_FILE;
	binary->has_runtime = false;
	binary_load_runtime(binary);
	binary->kind = BINARY_MODULE;
	if (use_module_file(binary))
		return;
	if (!is_loaded_module(binary, name))
		return;
	selection.load_address = module_address(name);
	if (!selection.load_address)
		binary->state = BINARY_RESTRICTED;
	else
		use_kallsyms(binary, memory_strdup("/proc/kallsyms"), &selection);
}
