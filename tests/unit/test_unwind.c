#include "symbol/unwind.h"

#include <execinfo.h>
#include <stdio.h>
#include <ucontext.h>

#include "arch/arch.h"
#include "symbol/symbolizer.h"
#include "unit/test.h"

static const struct symbolizer_setup plain = { .cache = "/nonexistent" };

/* Every executable mapping of this process. */
static void map_self(struct symbolizer *symbolizer, struct unwinder *unwinder)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[1024], path[512], rights[8];
	unsigned long start, end, offset;

	while (fgets(line, sizeof(line), maps)) {
		if (sscanf(line, "%lx-%lx %7s %lx %*s %*s %511s", &start, &end, rights, &offset, path) != 5 ||
		    rights[2] != 'x')
			continue;
		unwinder_map(unwinder, symbolizer_binary(symbolizer, &(struct binary_name){ .path = path }), start, end,
			     path[0] == '[' ? 0 : offset);
	}
	fclose(maps);
}

#if defined(__x86_64__)
static uint64_t own_register(const ucontext_t *context, unsigned bit)
{
	static const int of_bit[] = { REG_RAX, REG_RBX, REG_RCX, REG_RDX, REG_RSI, REG_RDI, REG_RBP, REG_RSP, REG_RIP,
				      0, 0, 0, 0, 0, 0, 0, REG_R8, REG_R9, REG_R10, REG_R11, REG_R12, REG_R13,
				      REG_R14, REG_R15 };

	return (uint64_t)context->uc_mcontext.gregs[of_bit[bit]];
}
#elif defined(__aarch64__)
static uint64_t own_register(const ucontext_t *context, unsigned bit)
{
	return bit < 31 ? context->uc_mcontext.regs[bit]
			: bit == 31 ? context->uc_mcontext.sp : context->uc_mcontext.pc;
}
#else
static uint64_t own_register(const ucontext_t *context, unsigned bit)
{
	(void)context;
	(void)bit;
	return 0;
}
#endif

static size_t fill_registers(const struct arch *arch, const ucontext_t *context, uint64_t *values, uint64_t *mask)
{
	size_t count = 0;

	*mask = 0;
	for (size_t i = 0; i < arch->register_count; i++)
		*mask |= 1ull << arch->registers[i].perf_bit;
	for (unsigned bit = 0; bit < 64; bit++)
		if (*mask >> bit & 1)
			values[count++] = own_register(context, bit);
	return count;
}

/* The stack from the pointer up; a copy may read what the sanitizer keeps from the program. */
__attribute__((no_sanitize_address)) static void copy_stack(const unsigned char *from, unsigned char *to, size_t size)
{
	for (size_t i = 0; i < size; i++)
		to[i] = ((const volatile unsigned char *)from)[i];
}

static size_t stack_left(uint64_t stack_pointer, size_t at_most)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[1024];
	unsigned long start, end;
	size_t left = 0;

	while (fgets(line, sizeof(line), maps))
		if (sscanf(line, "%lx-%lx", &start, &end) == 2 && stack_pointer >= start && stack_pointer < end)
			left = end - stack_pointer;
	fclose(maps);
	return left < at_most ? left : at_most;
}

enum { STACK = 32768, FRAMES = 64 };

static __attribute__((noinline)) void unwind_here(struct unwinder *unwinder, const struct arch *arch, int repeat)
{
	static unsigned char bytes[STACK];
	uint64_t registers[64], addresses[FRAMES];
	void *expected[FRAMES];
	struct stack_snapshot stack = { .registers = registers, .bytes = bytes };
	ucontext_t context;
	int wanted;
	size_t count, sp;

	getcontext(&context);
	wanted = backtrace(expected, FRAMES);
	fill_registers(arch, &context, registers, &stack.register_mask);
	sp = own_register(&context, arch->sp_bit);
	stack.size = stack_left(sp, STACK);
	copy_stack((const unsigned char *)sp, bytes, stack.size);
	for (int i = 0; i < repeat; i++) {
		count = unwind(unwinder, &stack, addresses, FRAMES);
		assert_int_equal(count, wanted);
		/* The innermost: after getcontext() for us, after backtrace() for the C library. */
		for (int j = 1; j < wanted; j++)
			assert_int_equal(addresses[j], (uint64_t)expected[j] - 1);
	}
}

static __attribute__((noinline)) int recurse(int depth, struct unwinder *unwinder, const struct arch *arch)
{
	if (!depth)
		unwind_here(unwinder, arch, 20);
	else
		recurse(depth - 1, unwinder, arch);
	__asm__ volatile("" ::: "memory");
	return depth;
}

/* AddressSanitizer puts a frame of its own between backtrace() and its caller. */
static void skip_where_backtrace_is_replaced(void)
{
#ifdef __SANITIZE_ADDRESS__
	skip();
#endif
}

void test_unwind__agrees_with_backtrace(void **state)
{
	(void)state;
	skip_where_backtrace_is_replaced();
	cleanup(symbolizer_guard) struct symbolizer *symbolizer = NULL;
	cleanup(unwinder_guard) struct unwinder *unwinder = NULL;
	const struct arch *arch = arch_host();

	if (strcmp(arch->name, "x86_64") && strcmp(arch->name, "aarch64"))
		skip();
	assert_success(symbolizer_create(&plain, &symbolizer));
	assert_success(unwinder_create(arch, symbolizer, &unwinder));
	map_self(symbolizer, unwinder);
	recurse(10, unwinder, arch);
}

/* End of the executable mapping that holds the address. */
static uint64_t code_end(uint64_t address)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[1024];
	unsigned long start, end;
	uint64_t found = 0;

	while (fgets(line, sizeof(line), maps))
		if (sscanf(line, "%lx-%lx", &start, &end) == 2 && address >= start && address < end)
			found = end;
	fclose(maps);
	return found;
}

/* As the vdso lies in the gap of an arm64 loader. */
void test_unwind__another_binary_behind_the_code_takes_no_code(void **state)
{
	(void)state;
	skip_where_backtrace_is_replaced();
	cleanup(symbolizer_guard) struct symbolizer *symbolizer = NULL;
	cleanup(unwinder_guard) struct unwinder *unwinder = NULL;
	const struct arch *arch = arch_host();
	uint64_t end = code_end((uint64_t)(uintptr_t)recurse);
	struct binary *other;

	if (strcmp(arch->name, "x86_64") && strcmp(arch->name, "aarch64"))
		skip();
	assert_success(symbolizer_create(&plain, &symbolizer));
	assert_success(unwinder_create(arch, symbolizer, &unwinder));
	map_self(symbolizer, unwinder);
	other = symbolizer_binary(symbolizer, &(struct binary_name){ .path = "/usr/bin/env" });
	unwinder_map(unwinder, other, end, end + 4096, 0);
	recurse(10, unwinder, arch);
}

void test_unwind__a_stack_cut_short_gives_what_it_has(void **state)
{
	(void)state;
	cleanup(symbolizer_guard) struct symbolizer *symbolizer = NULL;
	cleanup(unwinder_guard) struct unwinder *unwinder = NULL;
	uint64_t registers[64] = { 0 }, addresses[4];
	struct stack_snapshot stack = { registers, 1ull << 7 | 1ull << 8, "", 0 };

	registers[0] = 0x7ffc0000;
	registers[1] = 0x1234;
	assert_success(symbolizer_create(&plain, &symbolizer));
	assert_success(unwinder_create(arch_by_name("x86_64"), symbolizer, &unwinder));
	assert_int_equal(unwind(unwinder, &stack, addresses, 4), 1);
	assert_int_equal(addresses[0], 0x1234);
	stack.register_mask = 0;
	assert_int_equal(unwind(unwinder, &stack, addresses, 4), 0);
}

void test_unwind__an_architecture_without_registers_is_an_error(void **state)
{
	(void)state;
	cleanup(symbolizer_guard) struct symbolizer *symbolizer = NULL;
	struct unwinder *unwinder;

	assert_success(symbolizer_create(&plain, &symbolizer));
	assert_failure(unwinder_create(&arch_generic, symbolizer, &unwinder), ERROR_UNSUPPORTED, "generic");
}

void test_arch__other_names_and_registers(void **state)
{
	(void)state;
	assert_ptr_equal(arch_by_name("i386"), &arch_i386);
	assert_ptr_equal(arch_by_name("armv7l"), &arch_arm);
	assert_ptr_equal(arch_by_name("ppc64"), &arch_ppc64);
	assert_null(arch_by_name("vax"));
	assert_int_equal(arch_register_by_dwarf(&arch_x86_64, 7)->perf_bit, arch_x86_64.sp_bit);
	assert_int_equal(arch_register_by_dwarf(&arch_aarch64, 31)->perf_bit, arch_aarch64.sp_bit);
	assert_int_equal(arch_register_by_dwarf(&arch_i386, 4)->perf_bit, arch_i386.sp_bit);
	assert_string_equal(arch_register_by_dwarf(&arch_s390x, 17)->name, "f2");
}
