/* The header of a recording, as perf prints it. */
#include <byteswap.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "cmd/report.h"
#include "perfdata/format.h"
#include "perfdata/reader.h"

static void print_escaped(FILE *out, const char *text)
{
	auto_text struct text escaped = { 0 };

	text_append_escaped(&escaped, text);
	fputs(escaped.bytes ? escaped.bytes : "", out);
}

static void print_texts(const struct perfdata_reader *reader, unsigned first, unsigned last, FILE *out)
{
	static const struct {
		unsigned feature;
		const char *title;
	} texts[] = {
		{ PERFDATA_FEATURE_HOSTNAME, "hostname" },    { PERFDATA_FEATURE_OSRELEASE, "os release" },
		{ PERFDATA_FEATURE_VERSION, "perf version" }, { PERFDATA_FEATURE_ARCH, "arch" },
		{ PERFDATA_FEATURE_CPUDESC, "cpudesc" },      { PERFDATA_FEATURE_CPUID, "cpuid" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		const char *text = perfdata_feature_text(reader, texts[i].feature);

		if (!text || texts[i].feature < first || texts[i].feature > last)
			continue;
		fprintf(out, "# %s : ", texts[i].title);
		print_escaped(out, text);
		fputc('\n', out);
	}
}

static uint32_t feature_u32(const struct perfdata_reader *reader, const void *bytes)
{
	uint32_t word;

	memcpy(&word, bytes, sizeof(word));
	return perfdata_is_swapped(reader) ? bswap_32(word) : word;
}

static uint64_t feature_u64(const struct perfdata_reader *reader, const void *bytes)
{
	uint64_t word;

	memcpy(&word, bytes, sizeof(word));
	return perfdata_is_swapped(reader) ? bswap_64(word) : word;
}

static void print_machine(const struct perfdata_reader *reader, FILE *out)
{
	size_t size;
	const char *bytes = perfdata_feature(reader, PERFDATA_FEATURE_NRCPUS, &size);

	print_texts(reader, 0, PERFDATA_FEATURE_ARCH, out);
	if (bytes && size >= 8)
		fprintf(out, "# nrcpus online : %u\n# nrcpus avail : %u\n", feature_u32(reader, bytes + 4),
			feature_u32(reader, bytes));
	print_texts(reader, PERFDATA_FEATURE_CPUDESC, PERFDATA_FEATURE_CPUID, out);
	bytes = perfdata_feature(reader, PERFDATA_FEATURE_TOTAL_MEM, &size);
	if (bytes && size >= 8)
		fprintf(out, "# total memory : %" PRIu64 " kB\n", feature_u64(reader, bytes));
}

static void print_command(const struct perfdata_reader *reader, FILE *out)
{
	const char *const *words;
	size_t count = perfdata_command_line(reader, &words);

	if (!count)
		return;
	fputs("# cmdline : ", out);
	for (size_t i = 0; i < count; i++) {
		print_escaped(out, words[i]);
		fputc(' ', out);
	}
	fputc('\n', out);
}

static void print_event(const struct perfdata_event *event, FILE *out)
{
	fputs("# event : name = ", out);
	print_escaped(out, event->name);
	fprintf(out, ", type = %u, size = %u, config = %#" PRIx64 ", { sample_period, sample_freq } = %" PRIu64
		", sample_type = %#" PRIx64 ", read_format = %#" PRIx64 "\n", event->attr.type, event->attr.size,
		(uint64_t)event->attr.config, (uint64_t)event->attr.sample_period, (uint64_t)event->attr.sample_type,
		(uint64_t)event->attr.read_format);
}

static void print_times(const struct perfdata_reader *reader, FILE *out)
{
	size_t size;
	const char *bytes = perfdata_feature(reader, PERFDATA_FEATURE_SAMPLE_TIME, &size);

	if (!bytes || size < 16)
		return;

	uint64_t first = feature_u64(reader, bytes), last = feature_u64(reader, bytes + 8);

	fprintf(out, "# time of first sample : %" PRIu64 ".%06" PRIu64 "\n", first / 1000000000,
		first % 1000000000 / 1000);
	fprintf(out, "# time of last sample : %" PRIu64 ".%06" PRIu64 "\n", last / 1000000000,
		last % 1000000000 / 1000);
	fprintf(out, "# sample duration : %10.3f ms\n", (double)(last - first) / 1e6);
}

static void print_when(const char *path, FILE *out)
{
	struct stat file;
	char text[64];
	struct tm when;

	if (!stat(path, &file) && localtime_r(&file.st_mtime, &when) &&
	    strftime(text, sizeof(text), "%a %b %e %H:%M:%S %Y", &when))
		fprintf(out, "# captured on    : %s\n", text);
}

/* In a pipe the features are records: they are known after a pass. */
static struct error *read_all(struct perfdata_reader *reader)
{
	struct record record;
	bool done = false;
	struct error *err = NULL;

	while (!err && !done)
		err = perfdata_next(reader, &record, &done);
	return err;
}

struct error *report_header(const char *path, FILE *out)
{
	cleanup(perfdata_reader_guard) struct perfdata_reader *reader = NULL;
	struct error *err = perfdata_open(path, PERFDATA_FILE_ORDER, &reader);

	if (err)
		return err;
	if (perfdata_is_pipe(reader))
		err = read_all(reader);
	if (err)
		return err;
	fputs("# ========\n", out);
	print_when(path, out);
	print_machine(reader, out);
	print_command(reader, out);
	for (size_t i = 0; i < perfdata_event_count(reader); i++)
		print_event(perfdata_event_at(reader, i), out);
	print_times(reader, out);
	fputs("# ========\n#\n", out);
	return NULL;
}
