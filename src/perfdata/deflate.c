/* Records packed into COMPRESSED records. */
#include "perfdata/deflate.h"

#include <zstd.h>

#include "base/memory.h"
#include "perfdata/format.h"

struct deflater {
	ZSTD_CCtx *stream;
	uint8_t *record; /* [PERFDATA_RECORD_MAX] */
};

struct deflater *deflater_create(void)
{
	struct deflater *deflater = memory_zeroed(1, sizeof(*deflater));

	deflater->stream = ZSTD_createCCtx();
	if (!deflater->stream)
		abort();
	ZSTD_CCtx_setParameter(deflater->stream, ZSTD_c_compressionLevel, DEFLATE_LEVEL);
	deflater->record = memory_alloc(PERFDATA_RECORD_MAX);
	return deflater;
}

size_t deflate_piece(struct deflater *deflater, const void *bytes, size_t size, const void **ret)
{
	struct perf_event_header *header = (void *)deflater->record;
	ZSTD_inBuffer in = { bytes, size, 0 };
	ZSTD_outBuffer out = { deflater->record, PERFDATA_RECORD_MAX, sizeof(*header) };
	size_t left = ZSTD_compressStream2(deflater->stream, &out, &in, ZSTD_e_flush);

	/* A piece fits even when nothing can be saved: more than room is a broken library. */
	if (left || in.pos < in.size)
		abort();
	*header = (struct perf_event_header){ .type = PERFDATA_RECORD_COMPRESSED, .size = (uint16_t)out.pos };
	*ret = deflater->record;
	return out.pos;
}

void deflater_destroy(struct deflater *deflater)
{
	if (!deflater)
		return;
	ZSTD_freeCCtx(deflater->stream);
	free(deflater->record);
	free(deflater);
}
