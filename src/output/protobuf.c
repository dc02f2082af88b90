/* Protocol buffers' wire format, as much as writing takes. */
#include "output/protobuf.h"

enum wire { WIRE_VARINT = 0, WIRE_LENGTH = 2 };

static void append_varint(struct text *message, uint64_t number)
{
	for (; number >= 0x80; number >>= 7)
		text_append_char(message, (char)(0x80 | (number & 0x7f)));
	text_append_char(message, (char)number);
}

static void append_tag(struct text *message, unsigned field, enum wire wire)
{
	append_varint(message, (uint64_t)field << 3 | wire);
}

void protobuf_number(struct text *message, unsigned field, uint64_t number)
{
	if (!number)
		return;
	append_tag(message, field, WIRE_VARINT);
	append_varint(message, number);
}

void protobuf_bytes(struct text *message, unsigned field, const char *bytes, size_t size)
{
	append_tag(message, field, WIRE_LENGTH);
	append_varint(message, size);
	text_append_bytes(message, bytes, size);
}

void protobuf_message(struct text *message, unsigned field, const struct text *inner)
{
	protobuf_bytes(message, field, inner->bytes ? inner->bytes : "", inner->length);
}

void protobuf_numbers(struct text *message, unsigned field, const uint64_t *numbers, size_t count)
{
	auto_text struct text packed = { 0 };

	for (size_t i = 0; i < count; i++)
		append_varint(&packed, numbers[i]);
	protobuf_message(message, field, &packed);
}
