/* Mangled names to those of the source: C++, Rust (legacy and v0), D, Java, by libiberty. */
#ifndef SYMBOL_DEMANGLE_H
#define SYMBOL_DEMANGLE_H

struct arena;

/* The demangled name in arena, or name itself when it is not mangled. What linkers and
 * compilers add stays at the end: "x::y@plt", "x::y [clone .cold]". */
const char *demangle(struct arena *arena, const char *name);

#endif
