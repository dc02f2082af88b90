/* Interned strings: each text once, so that equal strings are equal pointers. */
#ifndef BASE_INTERN_H
#define BASE_INTERN_H

#include <stddef.h>

#include "base/attr.h"

struct intern;

struct intern *intern_create(void);
/* Valid until the table is destroyed. text need not end in NUL with intern_bytes(). */
const char *intern_text(struct intern *table, const char *text);
const char *intern_bytes(struct intern *table, const char *text, size_t length);
void intern_destroy(struct intern *table);
DEFINE_GUARD(intern)

#endif
