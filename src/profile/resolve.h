/* Sites named: each distinct address is symbolized once, when something asks for it. */
#ifndef PROFILE_RESOLVE_H
#define PROFILE_RESOLVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "profile/profile.h"
#include "symbol/symbolizer.h"

struct resolver;

/* A function in an object, or one address that has none. Numbered: equal places are equal numbers. */
struct place {
	uint32_t object;
	char mark;                       /* 'k', '.', …: of the first site seen there */
	bool is_inlined;
	const struct function *function; /* NULL: no symbol */
	uint64_t offset;                 /* without symbol: as site.offset */
	uint64_t address;                /* without symbol: as site.address */
};

/* profile and setup's strings are borrowed until resolver_destroy(). Errors: as symbolizer_create(). */
must_use struct error *resolver_create(const struct profile *profile, const struct symbolizer_setup *setup,
				       struct resolver **ret);
/* As resolver_create(), with a symbolizer that several recordings share; it must outlive the resolver. */
struct resolver *resolver_create_shared(const struct profile *profile, struct symbolizer *symbolizer, bool inlines);
const struct profile *resolver_profile(const struct resolver *resolver);
struct symbolizer *resolver_symbolizer(struct resolver *resolver);
/* NULL for objects that are no binaries. */
struct binary *resolver_binary(struct resolver *resolver, uint32_t object);

/* The function of the symbol table that holds the site. */
uint32_t resolver_place(struct resolver *resolver, uint32_t site);
/* Its inlined frames too, innermost first; always one at least. Borrowed until the next call. */
size_t resolver_frames(struct resolver *resolver, uint32_t site, const uint32_t **ret);
/* Borrowed until the next call that takes a site. */
const struct place *resolver_place_at(const struct resolver *resolver, uint32_t place);
/* "file.c:12", else "function+31", else "object[1f]"; interned. */
const char *resolver_line(struct resolver *resolver, uint32_t site);
/* "file.c", or "." when unknown; interned. */
const char *resolver_file(struct resolver *resolver, uint32_t site);
/* The site's ELF address; false when no segment holds it. */
bool resolver_address(struct resolver *resolver, uint32_t site, uint64_t *ret);
/* Why a site without function has none: "stripped; no debug file found". */
const char *resolver_reason(struct resolver *resolver, uint32_t site);
/* Its object's short name. */
const char *place_object(const struct resolver *resolver, const struct place *place);
/* The function's shown name, or NULL. */
const char *place_name(const struct place *place);

void resolver_destroy(struct resolver *resolver);
DEFINE_GUARD(resolver)

#endif
