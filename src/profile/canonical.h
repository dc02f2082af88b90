/* Names as they stay across builds: what compilers and linkers append is taken off again. */
#ifndef PROFILE_CANONICAL_H
#define PROFILE_CANONICAL_H

#include <stdbool.h>

#include "base/text.h"

/* What taking the suffixes off found. */
enum name_variant {
	NAME_PLAIN,   /* nothing: the name is its own canonical name */
	NAME_PIECE,   /* a part or clone of the base: .cold, .part.N, .constprop.N, .isra.N */
	NAME_PRIVATE, /* a static renamed to be unique: .llvm.N, .lto_priv.N, .__uniq.N, a Rust hash, a version */
};

/* Append the canonical form of a mangled name. Suffixes that name another function (.avx2, .ifunc, .resolver, @plt)
 * stay. Source: GCC's and LLVM's clone names; Rust's legacy mangling ends in 17h and 16 hex digits. */
enum name_variant canonical_name(const char *mangled, struct text *ret);

/* Append a demangled name without parameters, template arguments, return type and lambda numbers:
 * "unsigned long n::f<int>(char) const" is "n::f". */
void name_without_signature(const char *demangled, struct text *ret);

/* The compiler numbered a part of this name ({lambda(int)#2}): equal numbers do not mean equal functions. */
bool name_is_numbered(const char *demangled);

/* Append an object's name without directory, "(deleted)" and library version: "/usr/lib/libx.so.1.2" is "libx.so"; a
 * kernel image is "[kernel]", a module "[name]". */
void canonical_object(const char *path, struct text *ret);

#endif
