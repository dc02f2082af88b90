/* The words and strings that feature sections are made of. */
#ifndef CAPTURE_SECTION_H
#define CAPTURE_SECTION_H

#include <string.h>

#include "base/text.h"

static inline void append_u32(struct text *section, uint32_t word)
{
	text_append_bytes(section, (const char *)&word, sizeof(word));
}

static inline void append_u64(struct text *section, uint64_t word)
{
	text_append_bytes(section, (const char *)&word, sizeof(word));
}

/* u32 room, then the text and NULs up to a multiple of 64 bytes. */
static inline void append_string(struct text *section, const char *string)
{
	size_t length = strlen(string) + 1, room = (length + 63) & ~(size_t)63;

	append_u32(section, (uint32_t)room);
	text_append_bytes(section, string, length);
	text_append_repeated(section, '\0', room - length);
}

#endif
