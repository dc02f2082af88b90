/* Which program an arm of saved runs is: its build id, and a hash of the file. */
#include "cmd/program_identity.h"

#include <zlib.h>

#include "base/file.h"
#include "base/memory.h"
#include "symbol/binary.h"

/* CRC-32, Adler-32 and size: tells files apart, not proof against forgery. */
static const char *content_hash(struct runs *runs, const char *path)
{
	auto_free char *bytes = NULL;
	size_t size;
	struct error *err = file_read(path, &bytes, &size);

	if (err) {
		error_destroy(err);
		return NULL;
	}

	uLong crc = crc32_z(crc32(0, NULL, 0), (const Bytef *)bytes, size);
	uLong adler = adler32_z(adler32(0, NULL, 0), (const Bytef *)bytes, size);
	auto_free char *text = memory_format("%08lx%08lx%zx", crc, adler, size);

	return runs_text(runs, text);
}

static const char *build_id(struct runs *runs, const char *path)
{
	char text[BUILD_ID_TEXT_MAX];
	uint8_t id[BUILD_ID_MAX];
	size_t size = 0;
	struct error *err = build_id_of_file(path, id, &size);

	if (err || !size) {
		error_destroy(err);
		return NULL;
	}
	build_id_format(id, size, text);
	return runs_text(runs, text);
}

void program_identify(struct runs *runs, const char *path, struct run_arm *arm)
{
	arm->content_hash = content_hash(runs, path);
	arm->build_id = build_id(runs, path);
}
