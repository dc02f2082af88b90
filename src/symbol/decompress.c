/* Decompression in one go, bounded, by liblzma, libzstd and zlib. */
#include "symbol/decompress.h"

#include <lzma.h>
#include <stdbool.h>
#include <stdint.h>
#include <zlib.h>
#include <zstd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"

enum { OUTPUT_MAX = 256 << 20, CHUNK = 1 << 20 };

enum compression compression_of_name(const char *path)
{
	if (text_ends_with(path, ".xz"))
		return COMPRESSION_XZ;
	if (text_ends_with(path, ".zst"))
		return COMPRESSION_ZSTD;
	return text_ends_with(path, ".gz") ? COMPRESSION_GZIP : COMPRESSION_NONE;
}

/* Room for one more chunk behind what is there; false once the limit is reached. */
static bool make_room(struct text *out)
{
	if (out->length + CHUNK > OUTPUT_MAX)
		return false;
	if (out->capacity - out->length < CHUNK) {
		out->capacity = out->capacity ? out->capacity * 2 : 2 * CHUNK;
		out->bytes = memory_resize(out->bytes, out->capacity, 1);
	}
	return true;
}

static bool xz(const void *bytes, size_t size, struct text *out)
{
	lzma_stream stream = LZMA_STREAM_INIT;
	lzma_ret result = lzma_stream_decoder(&stream, OUTPUT_MAX, LZMA_CONCATENATED);

	stream.next_in = bytes;
	stream.avail_in = size;
	while (result == LZMA_OK && make_room(out)) {
		stream.next_out = (uint8_t *)out->bytes + out->length;
		stream.avail_out = CHUNK;
		result = lzma_code(&stream, LZMA_FINISH);
		out->length += CHUNK - stream.avail_out;
	}
	lzma_end(&stream);
	return result == LZMA_STREAM_END;
}

static bool gzip(const void *bytes, size_t size, struct text *out)
{
	z_stream stream = { .next_in = (Bytef *)bytes, .avail_in = (uInt)size };
	int result = inflateInit2(&stream, 15 + 32);

	while (result == Z_OK && make_room(out)) {
		stream.next_out = (Bytef *)out->bytes + out->length;
		stream.avail_out = CHUNK;
		result = inflate(&stream, Z_NO_FLUSH);
		out->length += CHUNK - stream.avail_out;
	}
	inflateEnd(&stream);
	return result == Z_STREAM_END;
}

static bool zstd(const void *bytes, size_t size, struct text *out)
{
	ZSTD_DStream *stream = ZSTD_createDStream();
	ZSTD_inBuffer in = { bytes, size, 0 };
	size_t left = 1;

	while (left && !ZSTD_isError(left) && make_room(out)) {
		ZSTD_outBuffer to = { out->bytes + out->length, CHUNK, 0 };

		left = ZSTD_decompressStream(stream, &to, &in);
		out->length += to.pos;
		if (!to.pos && in.pos == in.size)
			break;
	}
	ZSTD_freeDStream(stream);
	return left == 0;
}

struct error *decompress(const void *bytes, size_t size, enum compression compression, char **ret, size_t *ret_size)
{
	static bool (*const ways[])(const void *, size_t, struct text *) = {
		[COMPRESSION_XZ] = xz, [COMPRESSION_ZSTD] = zstd, [COMPRESSION_GZIP] = gzip,
	};
	auto_text struct text out = { 0 };

	if (!ways[compression](bytes, size, &out))
		return error_new(ERROR_FORMAT, "damaged compressed data, or more than 256 MiB of it");
	*ret_size = out.length;
	*ret = text_steal(&out);
	return NULL;
}

struct error *decompress_file(const char *path, enum compression compression, char **ret, size_t *ret_size)
{
	auto_free char *bytes = NULL;
	size_t size;
	struct error *err = file_read(path, &bytes, &size);

	return err ? err : decompress(bytes, size, compression, ret, ret_size);
}
