/* Unwinding by libdwfl: one session a process, kept over all its samples so that call frame information is read once. */
#include "symbol/unwind.h"

#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <string.h>

#include "arch/arch.h"
#include "base/memory.h"
#include "symbol/binary_private.h"
#include "symbol/elf_image.h"

/* One binary at one place. Others may lie in the gaps between its segments, as the vdso does in the loader's. */
struct module {
	struct binary *binary;
	uint64_t start, end;           /* of all segments, up to the first other binary behind the code */
	uint64_t code_start, code_end; /* mapped */
	bool is_gone;
};

struct unwinder {
	const struct arch *arch;
	struct symbolizer *symbolizer;
	Dwfl *dwfl;
	struct module **modules; /* each at a fixed place: libdwfl keeps pointers to them */
	size_t count, capacity;
	bool has_changed, is_attached;
	/* the sample at hand */
	const struct stack_snapshot *stack;
	uint64_t stack_pointer;
	uint64_t *addresses;
	size_t found, limit;
};

enum { THREAD = 1 };

static bool register_value(const struct stack_snapshot *stack, unsigned bit, uint64_t *ret)
{
	if (bit >= 64 || !(stack->register_mask >> bit & 1))
		return false;
	*ret = stack->registers[__builtin_popcountll(stack->register_mask & ((1ull << bit) - 1))];
	return true;
}

static int find_elf(Dwfl_Module *mod unused, void **data, const char *name unused, Dwarf_Addr base unused,
		    char **file_name, Elf **elf)
{
	const struct module *module = *data;
	const struct elf_image *image = module->binary->runtime;

	if (!image)
		return -1;
	*file_name = memory_strdup(image->path ? image->path : "[memory]");
	/* A reference more to what is open already. */
	*elf = image->path && !image->memory ? NULL : elf_begin(-1, ELF_C_READ, image->elf);
	return *elf || !image->path ? -1 : open(image->path, O_RDONLY | O_CLOEXEC);
}

/* Separate files: only what lies here already; libdwfl's own search could ask the network. */
static int find_debug_file(Dwfl_Module *mod unused, void **data, const char *name unused, Dwarf_Addr base unused,
			   const char *file unused, const char *link unused, GElf_Word crc unused, char **file_name)
{
	const struct module *module = *data;
	const struct elf_image *debug = module->binary->debug;

	if (!debug || !debug->path || debug->memory)
		return -1;
	*file_name = memory_strdup(debug->path);
	return open(debug->path, O_RDONLY | O_CLOEXEC);
}

static const Dwfl_Callbacks callbacks = { .find_elf = find_elf, .find_debuginfo = find_debug_file };

static pid_t next_thread(Dwfl *dwfl unused, void *unwinder, void **thread)
{
	if (*thread)
		return 0;
	*thread = unwinder;
	return THREAD;
}

static bool get_thread(Dwfl *dwfl unused, pid_t tid unused, void *unwinder, void **thread)
{
	*thread = unwinder;
	return true;
}

static Dwarf_Word word_at(const struct unwinder *unwinder, const void *bytes)
{
	uint32_t half;
	uint64_t whole;

	if (unwinder->arch->pointer_size == 4) {
		memcpy(&half, bytes, sizeof(half));
		return half;
	}
	memcpy(&whole, bytes, sizeof(whole));
	return whole;
}

/* Constants the program could read come from its file. */
static bool read_file(const struct unwinder *unwinder, uint64_t address, Dwarf_Word *ret)
{
	Dwfl_Module *module = dwfl_addrmodule(unwinder->dwfl, address);
	Dwarf_Addr bias, inside = address;
	Elf_Scn *section = module ? dwfl_module_address_section(module, &inside, &bias) : NULL;
	Elf_Data *data = section ? elf_rawdata(section, NULL) : NULL;
	size_t size = unwinder->arch->pointer_size;

	if (!data || !data->d_buf || inside >= data->d_size || data->d_size - inside < size)
		return false;
	*ret = word_at(unwinder, (const char *)data->d_buf + inside);
	return true;
}

static bool read_memory(Dwfl *dwfl unused, Dwarf_Addr address, Dwarf_Word *ret, void *arg)
{
	const struct unwinder *unwinder = arg;
	uint64_t at = address - unwinder->stack_pointer;

	if (address >= unwinder->stack_pointer && at < unwinder->stack->size &&
	    unwinder->stack->size - at >= unwinder->arch->pointer_size) {
		*ret = word_at(unwinder, (const char *)unwinder->stack->bytes + at);
		return true;
	}
	return read_file(unwinder, address, ret);
}

static bool set_registers(Dwfl_Thread *thread, void *arg)
{
	const struct unwinder *unwinder = arg;
	const struct arch *arch = unwinder->arch;
	uint64_t pc;

	for (size_t i = 0; i < arch->register_count; i++) {
		const struct arch_register *reg = &arch->registers[i];
		Dwarf_Word value;

		/* One it does not unwind by is no loss. */
		if (reg->dwarf_number >= 0 && register_value(unwinder->stack, reg->perf_bit, &value))
			dwfl_thread_state_registers(thread, reg->dwarf_number, 1, &value);
	}
	if (!register_value(unwinder->stack, arch->pc_bit, &pc))
		return false;
	dwfl_thread_state_register_pc(thread, pc);
	return true;
}

static const Dwfl_Thread_Callbacks thread_callbacks = {
	.next_thread = next_thread,
	.get_thread = get_thread,
	.memory_read = read_memory,
	.set_initial_registers = set_registers,
};

struct error *unwinder_create(const struct arch *arch, struct symbolizer *symbolizer, struct unwinder **ret)
{
	struct unwinder *unwinder;

	if (!arch || !arch->register_count)
		return error_new(ERROR_UNSUPPORTED, "stacks of architecture %s cannot be unwound: its registers are not described",
				 arch ? arch->name : "(unknown)");
	unwinder = memory_zeroed(1, sizeof(*unwinder));
	unwinder->arch = arch;
	unwinder->symbolizer = symbolizer;
	unwinder->dwfl = dwfl_begin(&callbacks);
	if (!unwinder->dwfl) {
		free(unwinder);
		return error_new(ERROR_UNSUPPORTED, "libdwfl: %s", dwfl_errmsg(-1));
	}
	*ret = unwinder;
	return NULL;
}

void unwinder_destroy(struct unwinder *unwinder)
{
	if (!unwinder)
		return;
	dwfl_end(unwinder->dwfl);
	for (size_t i = 0; i < unwinder->count; i++)
		free(unwinder->modules[i]);
	free(unwinder->modules);
	free(unwinder);
}

/* Where all of the binary lies when its byte at file_offset lies at start. */
static bool place_of(struct binary *binary, uint64_t start, uint64_t file_offset, struct module *ret)
{
	const struct elf_image *image;
	uint64_t address, base, end = 0;

	if (!binary_address(binary, file_offset, &address) || !binary->runtime)
		return false;
	image = binary->runtime;
	for (size_t i = 0; i < image->segment_count; i++)
		if (image->segments[i].address + image->segments[i].memory_size > end)
			end = image->segments[i].address + image->segments[i].memory_size;
	base = elf_image_base(image) & ~4095ull;
	end = (end + 4095) & ~4095ull;
	if (end <= base)
		return false;
	*ret = (struct module){ binary, start - address + base, start - address + end, start, 0, false };
	return true;
}

/* The newer one takes from the older one what it covers with code, and data behind the code of either is given up.
 * False: nothing is left of the older one. */
static bool make_room(struct module *older, struct module *newer)
{
	if (newer->start > older->code_start) {
		older->end = newer->start;
		return true;
	}
	if (older->start < newer->code_end)
		return false;
	newer->end = older->start;
	return true;
}

static bool add_module(struct unwinder *unwinder, struct module *module)
{
	for (size_t i = 0; i < unwinder->count; i++) {
		struct module *other = unwinder->modules[i];

		if (other->is_gone || other->start >= module->end || other->end <= module->start)
			continue;
		if (other->binary == module->binary && other->start == module->start) {
			if (module->code_end > other->code_end)
				other->code_end = module->code_end;
			return false;
		}
		other->is_gone = !make_room(other, module);
	}
	array_grow(&unwinder->modules, unwinder->count, &unwinder->capacity);
	unwinder->modules[unwinder->count++] = memory_copy(module, sizeof(*module));
	return true;
}

void unwinder_map(struct unwinder *unwinder, struct binary *binary, uint64_t start, uint64_t end,
		  uint64_t file_offset)
{
	struct module module;

	if ((binary->kind != BINARY_FILE && binary->kind != BINARY_VDSO) ||
	    !place_of(binary, start, file_offset, &module))
		return;
	module.code_end = end;
	if (add_module(unwinder, &module))
		unwinder->has_changed = true;
}

static void report_module(struct unwinder *unwinder, struct module *module)
{
	Dwfl_Module *reported;
	void **data;

	if (module->is_gone)
		return;
	reported = dwfl_report_module(unwinder->dwfl, module->binary->path, module->start, module->end);
	if (!reported)
		return;
	dwfl_module_info(reported, &data, NULL, NULL, NULL, NULL, NULL, NULL);
	*data = module;
}

static bool attach(struct unwinder *unwinder)
{
	if (unwinder->has_changed) {
		dwfl_report_begin(unwinder->dwfl);
		for (size_t i = 0; i < unwinder->count; i++)
			report_module(unwinder, unwinder->modules[i]);
		dwfl_report_end(unwinder->dwfl, NULL, NULL);
		unwinder->has_changed = false;
	}
	if (!unwinder->is_attached)
		unwinder->is_attached = dwfl_attach_state(unwinder->dwfl, NULL, THREAD, &thread_callbacks, unwinder);
	return unwinder->is_attached;
}

static int take_frame(Dwfl_Frame *frame, void *arg)
{
	struct unwinder *unwinder = arg;
	Dwarf_Addr pc;
	bool is_interrupted;

	if (!dwfl_frame_pc(frame, &pc, &is_interrupted) || !pc)
		return DWARF_CB_ABORT;
	/* Behind a call another line, another inlined body, or another function may begin. */
	unwinder->addresses[unwinder->found++] = is_interrupted ? pc : pc - 1;
	return unwinder->found < unwinder->limit ? DWARF_CB_OK : DWARF_CB_ABORT;
}

size_t unwind(struct unwinder *unwinder, const struct stack_snapshot *stack, uint64_t *addresses, size_t limit)
{
	unwinder->stack = stack;
	unwinder->addresses = addresses;
	unwinder->limit = limit;
	unwinder->found = 0;
	if (!limit || !register_value(stack, unwinder->arch->pc_bit, &addresses[0]))
		return 0;
	if (register_value(stack, unwinder->arch->sp_bit, &unwinder->stack_pointer) && attach(unwinder))
		dwfl_getthread_frames(unwinder->dwfl, THREAD, take_frame, unwinder);
	return unwinder->found ? unwinder->found : 1;
}
