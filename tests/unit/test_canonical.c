#include "profile/canonical.h"

#include "unit/test.h"

static const struct {
	const char *mangled, *canonical;
	enum name_variant variant;
} names[] = {
	{ "work", "work", NAME_PLAIN },
	{ "work.constprop.0", "work", NAME_PIECE },
	{ "work.constprop.0.isra.0", "work", NAME_PIECE },
	{ "work.isra.12.cold", "work", NAME_PIECE },
	{ "work.cold.3", "work", NAME_PIECE },
	{ "work.part.7", "work", NAME_PIECE },
	{ "work.lto_priv.0", "work", NAME_PRIVATE },
	{ "work.lto_priv.0.cold", "work", NAME_PIECE },
	{ "work.llvm.1111111111", "work", NAME_PRIVATE },
	{ "work.__uniq.123456789.llvm.42", "work", NAME_PRIVATE },
	{ "work.localalias", "work", NAME_PRIVATE },
	{ "work.specialized.2", "work", NAME_PIECE },
	{ "co.resume", "co", NAME_PIECE },
	{ "_ZN3foo3bar17h0123456789abcdefE", "_ZN3foo3barE", NAME_PRIVATE },
	{ "_ZN3foo3bar17h0123456789abcdefE.llvm.77", "_ZN3foo3barE", NAME_PRIVATE },
	{ "_ZN3foo3bar17h0123456789abcdefE.cold", "_ZN3foo3barE", NAME_PIECE },
	{ "memcpy@GLIBC_2.2.5", "memcpy", NAME_PRIVATE },
	{ "memcpy@@GLIBC_2.14", "memcpy", NAME_PRIVATE },
	/* These name other functions. */
	{ "memcpy@plt", "memcpy@plt", NAME_PLAIN },
	{ "dot.avx2", "dot.avx2", NAME_PLAIN },
	{ "dot.resolver", "dot.resolver", NAME_PLAIN },
	{ "work.7", "work.7", NAME_PLAIN },
	{ ".cold", ".cold", NAME_PLAIN },
	{ "recold", "recold", NAME_PLAIN },
	{ "_ZN3foo17hnothexdigits0000E", "_ZN3foo17hnothexdigits0000E", NAME_PLAIN },
	{ "", "", NAME_PLAIN },
};

void test_canonical__names_lose_what_compilers_append(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		auto_text struct text out = { 0 };
		enum name_variant variant = canonical_name(names[i].mangled, &out);

		assert_string_equal(out.bytes ? out.bytes : "", names[i].canonical);
		assert_int_equal(variant, names[i].variant);
	}
}

static const char *const signatures[][2] = {
	{ "sig(unsigned long, int)", "sig" },
	{ "unsigned long tmpl<unsigned long>(unsigned long)", "tmpl" },
	{ "(anonymous namespace)::anon(unsigned long)", "(anonymous namespace)::anon" },
	{ "main::{lambda(unsigned long)#2}::operator()(unsigned long) const", "main::{lambda}::operator()" },
	{ "std::ostream& operator<< <char>(std::ostream&, char)", "operator<<" },
	{ "a::b<c<d>, e>::f(int) [clone .cold]", "a::b::f" },
	{ "A::operator bool() const", "A::operator bool" },
	{ "std::vector<int>::operator[](unsigned long)", "std::vector::operator[]" },
	{ "plain_c", "plain_c" },
	{ "broken<(", "broken" },
	{ "<odd>", "<odd>" },
};

void test_canonical__signatures_are_taken_off(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(signatures); i++) {
		auto_text struct text out = { 0 };

		name_without_signature(signatures[i][0], &out);
		assert_string_equal(out.bytes, signatures[i][1]);
	}
	assert_true(name_is_numbered("main::{lambda(int)#1}::operator()(int) const"));
	assert_false(name_is_numbered("lambda(int)"));
}

static const char *const objects[][2] = {
	{ "/usr/lib/libw.so.1.0", "libw.so" },
	{ "libw.so", "libw.so" },
	{ "/usr/lib/libc-2.36.so", "libc.so" },
	{ "/usr/lib/libc.so.6 (deleted)", "libc.so" },
	{ "/home/u/prog (deleted)", "prog" },
	{ "./a/prog_v1", "prog_v1" },
	{ "[kernel.kallsyms]", "[kernel]" },
	{ "[kernel.kallsyms]_text", "[kernel]" },
	{ "/usr/lib/debug/boot/vmlinux-6.1.0-57", "[kernel]" },
	{ "/lib/modules/6.1/kernel/net/nf-tables.ko.xz", "[nf_tables]" },
	{ "[nf_tables]", "[nf_tables]" },
	{ "[vdso]", "[vdso]" },
	{ "/opt/x.solid", "x.solid" },
};

void test_canonical__objects_lose_directory_and_version(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(objects); i++) {
		auto_text struct text out = { 0 };

		canonical_object(objects[i][0], &out);
		assert_string_equal(out.bytes, objects[i][1]);
	}
}
