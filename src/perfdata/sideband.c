/* Records beside the samples: mappings, names, tasks, kernel symbols. */
#include <string.h>

#include "perfdata/byteorder.h"
#include "perfdata/format.h"
#include "perfdata/record.h"

static size_t body_size(const struct record *record)
{
	return record->size - sizeof(struct perf_event_header);
}

static uint32_t u32_at(const struct record *record, size_t offset)
{
	return get_u32((const char *)record->body + offset, false);
}

static uint64_t u64_at(const struct record *record, size_t offset)
{
	return get_u64((const char *)record->body + offset, false);
}

static struct error *malformed(const struct record *record, const char *what)
{
	return error_new(ERROR_FORMAT, "offset 0x%llx: %s record of %u bytes: %s",
			 (unsigned long long)record->file_offset, perfdata_record_name(record->type), record->size,
			 what);
}

/* The text at offset; it must end in a NUL within the record. */
static struct error *text_at(const struct record *record, size_t offset, const char **ret)
{
	if (body_size(record) <= offset)
		return malformed(record, "too short");

	const char *text = (const char *)record->body + offset;

	if (strnlen(text, body_size(record) - offset) == body_size(record) - offset)
		return malformed(record, "its text has no end");
	*ret = text;
	return NULL;
}

/* The 24 bytes that hold the file's identity, or its build id. */
static void decode_identity(const struct record *record, size_t offset, struct mapping_record *ret)
{
	enum { ID_MAX = 20 };
	const uint8_t *bytes = (const uint8_t *)record->body + offset;

	if (!(record->misc & PERF_RECORD_MISC_MMAP_BUILD_ID)) {
		ret->device_major = u32_at(record, offset);
		ret->device_minor = u32_at(record, offset + 4);
		ret->inode = u64_at(record, offset + 8);
	} else if (bytes[0] && bytes[0] <= ID_MAX) {
		ret->build_id = bytes + 4;
		ret->build_id_size = bytes[0];
	}
}

struct error *mapping_record_decode(const struct record *record, struct mapping_record *ret)
{
	enum { IDENTITY = 32, PROTECTION = 56, PATH = 64 };
	bool is_long = record->type == PERF_RECORD_MMAP2;
	struct mapping_record mapping = { 0 };
	struct error *err = text_at(record, is_long ? PATH : IDENTITY, &mapping.path);

	if (err)
		return err;
	mapping.pid = u32_at(record, 0);
	mapping.tid = u32_at(record, 4);
	mapping.address = u64_at(record, 8);
	mapping.length = u64_at(record, 16);
	mapping.file_offset = u64_at(record, 24);
	if (is_long) {
		decode_identity(record, IDENTITY, &mapping);
		mapping.prot = u32_at(record, PROTECTION);
		mapping.flags = u32_at(record, PROTECTION + 4);
	}
	*ret = mapping;
	return NULL;
}

struct error *comm_record_decode(const struct record *record, struct comm_record *ret)
{
	struct comm_record comm = { .is_exec = record->misc & PERF_RECORD_MISC_COMM_EXEC };
	struct error *err = text_at(record, 8, &comm.comm);

	if (err)
		return err;
	comm.pid = u32_at(record, 0);
	comm.tid = u32_at(record, 4);
	*ret = comm;
	return NULL;
}

struct error *task_record_decode(const struct record *record, struct task_record *ret)
{
	if (body_size(record) < 16)
		return malformed(record, "too short");
	*ret = (struct task_record){ u32_at(record, 0), u32_at(record, 4), u32_at(record, 8), u32_at(record, 12) };
	return NULL;
}

struct error *ksymbol_record_decode(const struct record *record, struct ksymbol_record *ret)
{
	struct ksymbol_record symbol = { 0 };
	struct error *err = text_at(record, 16, &symbol.name);

	if (err)
		return err;
	symbol.address = u64_at(record, 0);
	symbol.length = u32_at(record, 8);
	memcpy(&symbol.symbol_type, (const char *)record->body + 12, sizeof(symbol.symbol_type));
	memcpy(&symbol.flags, (const char *)record->body + 14, sizeof(symbol.flags));
	*ret = symbol;
	return NULL;
}
