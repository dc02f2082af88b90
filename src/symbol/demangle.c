/* Demangling by libiberty, bounded against hostile names. */
#include "symbol/demangle.h"

#include <libiberty/demangle.h>
/* libiberty has its own, spelt otherwise. */
#undef ARRAY_SIZE
#include <stdbool.h>
#include <string.h>

#include "base/memory.h"

/* Longer names are shown as they are: the work may grow with the square of the length. */
enum { NAME_MAX_BYTES = 16 * 1024 };

/* Without parameters: a report's rows stay readable, and names compare across builds. */
enum { HOW = DMGL_ANSI | DMGL_AUTO };

static bool looks_mangled(const char *name)
{
	return name[0] == '_' && (name[1] == 'Z' || name[1] == 'R' || name[1] == 'D' || name[1] == '_');
}

static char *demangled_or_null(const char *name)
{
	/* Rust before C++: its legacy names are valid C++ ones with a hash at the end. */
	char *rust = rust_demangle(name, HOW);

	return rust ? rust : cplus_demangle(name, HOW);
}

/* The bytes of a name before what linkers and compilers add: "@plt", "@@GLIBC_2.2.5", ".cold", ".constprop.0". */
static size_t bare_length(const char *name)
{
	return strcspn(name, name[1] == 'Z' || name[1] == 'R' ? "@." : "@");
}

const char *demangle(struct arena *arena, const char *name)
{
	if (!looks_mangled(name) || strnlen(name, NAME_MAX_BYTES) == NAME_MAX_BYTES)
		return name;

	size_t length = bare_length(name);
	const char *added = name + length;
	auto_free char *bare = memory_strndup(name, length);
	auto_free char *shown = demangled_or_null(bare);

	if (!shown)
		return name;

	auto_free char *whole = *added == '.' ? memory_format("%s [clone %s]", shown, added)
					      : memory_format("%s%s", shown, added);

	return arena_strdup(arena, whole);
}
