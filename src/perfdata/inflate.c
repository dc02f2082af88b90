/* COMPRESSED records: a zstd stream in pieces, records inside. */
#include "perfdata/inflate.h"

#include <zstd.h>

#include "base/memory.h"

struct inflater {
	ZSTD_DStream *stream;
	ZSTD_inBuffer piece;
	struct source source;
};

static struct error *inflate(struct source *source, void *into, size_t room, size_t *got)
{
	struct inflater *inflater = source->context;
	ZSTD_outBuffer out = { into, room, 0 };

	/* Called at least once: zstd may still hold output of a piece it has swallowed whole. */
	do {
		size_t left = ZSTD_decompressStream(inflater->stream, &out, &inflater->piece);

		if (ZSTD_isError(left))
			return error_new(ERROR_FORMAT, "zstd: %s", ZSTD_getErrorName(left));
	} while (!out.pos && inflater->piece.pos < inflater->piece.size);
	*got = out.pos;
	return NULL;
}

struct inflater *inflater_create(void)
{
	struct inflater *inflater = memory_zeroed(1, sizeof(*inflater));

	inflater->stream = ZSTD_createDStream();
	if (!inflater->stream)
		abort();
	/* A hostile stream may ask for more. Source: zstd.h, ZSTD_d_windowLogMax; perf's level 22 needs 27. */
	ZSTD_DCtx_setParameter(inflater->stream, ZSTD_d_windowLogMax, 27);
	source_from_fill(&inflater->source, inflate, inflater);
	return inflater;
}

void inflater_feed(struct inflater *inflater, const void *bytes, size_t size)
{
	inflater->piece = (ZSTD_inBuffer){ bytes, size, 0 };
}

struct source *inflater_source(struct inflater *inflater)
{
	return &inflater->source;
}

void inflater_reset(struct inflater *inflater)
{
	ZSTD_DCtx_reset(inflater->stream, ZSTD_reset_session_only);
	inflater->piece = (ZSTD_inBuffer){ 0 };
	inflater->source.at = inflater->source.end = inflater->source.buffer;
	inflater->source.end_offset = 0;
}

void inflater_destroy(struct inflater *inflater)
{
	if (!inflater)
		return;
	ZSTD_freeDStream(inflater->stream);
	source_release(&inflater->source);
	free(inflater);
}
