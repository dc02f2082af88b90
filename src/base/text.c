/* Text under construction, escaping, and numbers as people read them. */
#include "base/text.h"

#include <stdarg.h>
#include <string.h>
#include <wchar.h>

#include "base/memory.h"

static void text_reserve(struct text *text, size_t more)
{
	size_t need = text->length + more + 1;

	if (need <= text->capacity)
		return;
	text->capacity = need > text->capacity * 2 ? need : text->capacity * 2;
	text->bytes = memory_resize(text->bytes, text->capacity, 1);
}

void text_append_bytes(struct text *text, const char *bytes, size_t length)
{
	text_reserve(text, length);
	if (length) /* memcpy() takes no NULL, not even for nothing */
		memcpy(text->bytes + text->length, bytes, length);
	text->length += length;
	text->bytes[text->length] = '\0';
}

void text_append(struct text *text, const char *more)
{
	text_append_bytes(text, more, strlen(more));
}

void text_append_repeated(struct text *text, char c, size_t count)
{
	text_reserve(text, count);
	memset(text->bytes + text->length, c, count);
	text->length += count;
	text->bytes[text->length] = '\0';
}

void text_format(struct text *text, const char *format, ...)
{
	va_list args, again;

	va_start(args, format);
	va_copy(again, args);

	int length = vsnprintf(NULL, 0, format, args);

	if (length > 0) {
		text_reserve(text, (size_t)length);
		vsnprintf(text->bytes + text->length, (size_t)length + 1, format, again);
		text->length += (size_t)length;
	}
	va_end(again);
	va_end(args);
}

char *text_steal(struct text *text)
{
	char *bytes = text->bytes ? text->bytes : memory_strdup("");

	*text = (struct text){ 0 };
	return bytes;
}

void text_clear(struct text *text)
{
	text->length = 0;
	if (text->bytes)
		text->bytes[0] = '\0';
}

void text_release(struct text *text)
{
	free(text->bytes);
	*text = (struct text){ 0 };
}

/* Length of the UTF-8 sequence at s, 0 when it is not valid there. Source: RFC 3629. */
static size_t utf8_length(const unsigned char *s)
{
	size_t length = s[0] < 0x80 ? 1 : s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : s[0] < 0xf5 ? 4 : 0;

	for (size_t i = 1; i < length; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) || (s[0] == 0xf0 && s[1] < 0x90) ||
	    (s[0] == 0xf4 && s[1] > 0x8f))
		return 0;
	return length;
}

/* C0, DEL, C1 (U+0080..U+009F) and the bidirectional controls that can hide text. */
static bool is_control(const unsigned char *s, size_t length)
{
	if (length == 1)
		return s[0] < 0x20 || s[0] == 0x7f;
	if (length == 2)
		return s[0] == 0xc2 && s[1] < 0xa0;
	return length == 3 && s[0] == 0xe2 &&
	       ((s[1] == 0x80 && s[2] >= 0xa8 && s[2] <= 0xae) || (s[1] == 0x81 && s[2] >= 0xa6 && s[2] <= 0xa9));
}

/* How many bytes from s on stand for themselves: printable ASCII without the backslash. */
static size_t plain_length(const unsigned char *s)
{
	size_t length = 0;

	while (s[length] >= 0x20 && s[length] < 0x7f && s[length] != '\\')
		length++;
	return length;
}

static void append_clean(struct text *text, const char *name, bool keeps_backslash)
{
	for (const unsigned char *s = (const unsigned char *)name; *s;) {
		size_t plain = plain_length(s), length;

		text_append_bytes(text, (const char *)s, plain);
		s += plain;
		length = utf8_length(s);
		if (!*s)
			break;
		if (length && !is_control(s, length) && (keeps_backslash || *s != '\\')) {
			text_append_bytes(text, (const char *)s, length);
			s += length;
			continue;
		}
		for (size_t i = length ? length : 1; i; i--)
			text_format(text, "\\x%02x", *s++);
	}
}

void text_append_escaped(struct text *text, const char *name)
{
	append_clean(text, name, false);
}

void text_append_message(struct text *text, const char *message)
{
	append_clean(text, message, true);
}

void text_append_csv(struct text *text, const char *field, const char *separator)
{
	if (!strpbrk(field, "\"\r\n") && !strstr(field, separator)) {
		text_append(text, field);
		return;
	}
	text_append_char(text, '"');
	for (; *field; field++) {
		if (*field == '"')
			text_append_char(text, '"');
		text_append_char(text, *field);
	}
	text_append_char(text, '"');
}

const char *text_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

void text_append_grouped(struct text *text, uint64_t number)
{
	char digits[32];
	int length = snprintf(digits, sizeof(digits), "%llu", (unsigned long long)number);

	for (int i = 0; i < length; i++) {
		text_append_char(text, digits[i]);
		if (i + 1 < length && (length - i - 1) % 3 == 0)
			text_append_char(text, ',');
	}
}

void text_append_grouped_double(struct text *text, double number, int decimals)
{
	auto_free char *plain = memory_format("%.*f", decimals, number);
	const char *whole = plain + (plain[0] == '-');
	size_t digits = strspn(whole, "0123456789");

	text_append_bytes(text, plain, (size_t)(whole - plain));
	for (size_t i = 0; i < digits; i++) {
		text_append_char(text, whole[i]);
		if (i + 1 < digits && (digits - i - 1) % 3 == 0)
			text_append_char(text, ',');
	}
	text_append(text, whole + digits);
}

bool text_starts_with(const char *text, const char *prefix)
{
	return !strncmp(text, prefix, strlen(prefix));
}

bool text_ends_with(const char *text, const char *suffix)
{
	size_t length = strlen(text), tail = strlen(suffix);

	return length >= tail && !strcmp(text + length - tail, suffix);
}

static size_t smallest(size_t a, size_t b, size_t c)
{
	size_t least = a < b ? a : b;

	return least < c ? least : c;
}

/* Levenshtein distance, letters folded to lower case. */
static size_t edit_distance(const char *a, const char *b)
{
	size_t length = strlen(b);
	auto_free size_t *row = memory_zeroed(length + 1, sizeof(*row));

	for (size_t j = 0; j <= length; j++)
		row[j] = j;
	for (size_t i = 0; a[i]; i++) {
		size_t corner = row[0];

		row[0] = i + 1;
		for (size_t j = 0; j < length; j++) {
			size_t replace = corner + ((a[i] | 0x20) != (b[j] | 0x20));

			corner = row[j + 1];
			row[j + 1] = smallest(row[j + 1] + 1, row[j] + 1, replace);
		}
	}
	return row[length];
}

const char *text_nearest(const char *word, const char *const *candidates, size_t count)
{
	size_t best = strlen(word) / 3 + 2;
	const char *nearest = NULL;

	for (size_t i = 0; i < count; i++) {
		size_t distance = edit_distance(word, candidates[i]);

		if (distance < best) {
			best = distance;
			nearest = candidates[i];
		}
	}
	return nearest;
}

/* The code point of a valid sequence. */
static wchar_t utf8_decode(const unsigned char *s, size_t length)
{
	wchar_t code = length == 1 ? s[0] : s[0] & (0xff >> (length + 1));

	for (size_t i = 1; i < length; i++)
		code = (code << 6) | (s[i] & 0x3f);
	return code;
}

size_t text_width(const char *utf8)
{
	size_t width = 0;

	for (const unsigned char *s = (const unsigned char *)utf8; *s;) {
		size_t length = utf8_length(s);
		int columns = length ? wcwidth(utf8_decode(s, length)) : 1;

		width += columns < 0 ? 1 : (size_t)columns;
		s += length ? length : 1;
	}
	return width;
}
