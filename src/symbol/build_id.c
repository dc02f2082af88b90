/* Build ids: found in ELF files and notes, compared, written as text. */
#include "symbol/binary.h"

#include <byteswap.h>
#include <elf.h>
#include <string.h>

#include "base/file.h"
#include "symbol/elf_image.h"

const char *binary_state_text(enum binary_state state)
{
	static const char *const texts[] = {
		[BINARY_OK] = "no function at the address",
		[BINARY_NO_FILE] = "file not found, nor in the build-id cache",
		[BINARY_MISMATCH] = "the file was replaced: it has another build id",
		[BINARY_CHANGED] = "the file has no build id and was written after the recording",
		[BINARY_UNREADABLE] = "no permission to read the file, or not ELF",
		[BINARY_NO_SYMBOLS] = "stripped; no debug file found",
		[BINARY_RESTRICTED] = "kernel addresses are hidden (kptr_restrict) or of another boot",
		[BINARY_ANONYMOUS] = "no file, and no perf map of the process",
	};

	return texts[state];
}

void build_id_format(const uint8_t *build_id, size_t size, char text[BUILD_ID_TEXT_MAX])
{
	static const char digits[] = "0123456789abcdef";

	if (size > BUILD_ID_MAX)
		size = BUILD_ID_MAX;
	for (size_t i = 0; i < size; i++) {
		text[2 * i] = digits[build_id[i] >> 4];
		text[2 * i + 1] = digits[build_id[i] & 15];
	}
	text[2 * size] = '\0';
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool build_id_parse(const char *text, uint8_t build_id[BUILD_ID_MAX], size_t *size)
{
	uint8_t bytes[BUILD_ID_MAX];
	size_t length = strlen(text);

	if (!length || length % 2 || length / 2 > BUILD_ID_MAX)
		return false;
	for (size_t i = 0; i < length / 2; i++) {
		int high = hex_digit(text[2 * i]), low = hex_digit(text[2 * i + 1]);

		if (high < 0 || low < 0)
			return false;
		bytes[i] = (uint8_t)(high << 4 | low);
	}
	*size = length / 2;
	memcpy(build_id, bytes, *size);
	return true;
}

bool build_id_equal(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size)
{
	while (a_size > b_size && !a[a_size - 1])
		a_size--;
	while (b_size > a_size && !b[b_size - 1])
		b_size--;
	return a_size == b_size && a_size && !memcmp(a, b, a_size);
}

/* Notes are three words, a name and a description, both padded to 4 bytes. */
bool build_id_in_notes(const void *bytes, size_t size, bool swapped, uint8_t build_id[BUILD_ID_MAX], size_t *id_size)
{
	const uint8_t *at = bytes, *end = at + size;

	while ((size_t)(end - at) > sizeof(Elf32_Nhdr)) {
		Elf32_Nhdr note;

		memcpy(&note, at, sizeof(note));
		at += sizeof(note);

		uint64_t name_size = swapped ? bswap_32(note.n_namesz) : note.n_namesz;
		uint64_t text_size = swapped ? bswap_32(note.n_descsz) : note.n_descsz;
		uint32_t type = swapped ? bswap_32(note.n_type) : note.n_type;
		uint64_t text_at = (name_size + 3) & ~3ull;

		if (text_at > (uint64_t)(end - at) || text_size > (uint64_t)(end - at) - text_at)
			return false;
		if (type == NT_GNU_BUILD_ID && name_size == 4 && !memcmp(at, "GNU", 4) && text_size &&
		    text_size <= BUILD_ID_MAX) {
			memcpy(build_id, at + text_at, text_size);
			*id_size = text_size;
			return true;
		}
		at += text_at;
		at += ((text_size + 3) & ~3ull) < (uint64_t)(end - at) ? (text_size + 3) & ~3ull : (uint64_t)(end - at);
	}
	return false;
}

static struct error *build_id_of_notes(const char *path, uint8_t build_id[BUILD_ID_MAX], size_t *size)
{
	auto_free char *bytes = NULL;
	size_t length;
	struct error *err = file_read(path, &bytes, &length);

	if (err)
		return err;
	if (!build_id_in_notes(bytes, length, false, build_id, size))
		return error_new(ERROR_FORMAT, "%s: neither an ELF file nor a note with a build id", path);
	return NULL;
}

/* Long enough for the notes of any kernel; a file that is no ELF and longer is something else. */
enum { NOTES_MAX = 64 * 1024 };

struct error *build_id_of_file(const char *path, uint8_t build_id[20], size_t *size)
{
	cleanup(elf_image_guard) struct elf_image *image = NULL;
	struct error *err = elf_image_open(path, &image);

	if (err && error_kind(err) == ERROR_FORMAT && elf_file_size(path) <= NOTES_MAX) {
		error_destroy(err);
		return build_id_of_notes(path, build_id, size);
	}
	if (err)
		return err;
	memcpy(build_id, image->build_id, image->build_id_size);
	*size = image->build_id_size;
	return NULL;
}
