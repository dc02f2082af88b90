/* Protocol buffers' wire format, as much as writing takes. Source: protobuf.dev/programming-guides/encoding. */
#ifndef OUTPUT_PROTOBUF_H
#define OUTPUT_PROTOBUF_H

#include <stdint.h>

#include "base/text.h"

/* Append a field. A number of 0 is the default and is left out. */
void protobuf_number(struct text *message, unsigned field, uint64_t number);
void protobuf_bytes(struct text *message, unsigned field, const char *bytes, size_t size);
void protobuf_message(struct text *message, unsigned field, const struct text *inner);
/* A packed repeated field; zeros stay. */
void protobuf_numbers(struct text *message, unsigned field, const uint64_t *numbers, size_t count);

#endif
