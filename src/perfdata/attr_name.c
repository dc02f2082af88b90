/* A name for an event of which a file has only the numbers. */
#include "base/memory.h"
#include "base/text.h"
#include "perfdata/events.h"

static const char *const hardware[] = {
	"cycles",	  "instructions", "cache-references",	     "cache-misses",	       "branches",
	"branch-misses", "bus-cycles",	  "stalled-cycles-frontend", "stalled-cycles-backend", "ref-cycles",
};

static const char *const software[] = {
	"cpu-clock",    "task-clock",	    "page-faults",	"context-switches", "cpu-migrations", "minor-faults",
	"major-faults", "alignment-faults", "emulation-faults", "dummy",	    "bpf-output",     "cgroup-switches",
};

static const char *const caches[] = { "L1-dcache", "L1-icache", "LLC", "dTLB", "iTLB", "branch", "node" };
static const char *const operations[] = { "load", "store", "prefetch" };

static void append_cache(struct text *text, uint64_t config)
{
	unsigned cache = config & 0xff, operation = config >> 8 & 0xff, result = config >> 16 & 0xff;

	if (cache >= ARRAY_SIZE(caches) || operation >= ARRAY_SIZE(operations))
		text_format(text, "cache 0x%llx", (unsigned long long)config);
	else
		text_format(text, "%s-%s%s", caches[cache], operations[operation], result ? "-misses" : "s");
}

static void append_event(struct text *text, const struct perf_event_attr *attr)
{
	/* A hybrid CPU's PMU type stands in the upper half. */
	uint64_t config = attr->type == PERF_TYPE_HARDWARE ? attr->config & 0xffffffff : attr->config;

	if (attr->type == PERF_TYPE_HARDWARE && config < ARRAY_SIZE(hardware))
		text_append(text, hardware[config]);
	else if (attr->type == PERF_TYPE_SOFTWARE && config < ARRAY_SIZE(software))
		text_append(text, software[config]);
	else if (attr->type == PERF_TYPE_HW_CACHE)
		append_cache(text, config);
	else if (attr->type == PERF_TYPE_RAW)
		text_format(text, "raw 0x%llx", (unsigned long long)config);
	else if (attr->type == PERF_TYPE_TRACEPOINT)
		text_format(text, "tracepoint %llu", (unsigned long long)config);
	else
		text_format(text, "type %u config 0x%llx", attr->type, (unsigned long long)config);
}

/* As perf writes them: what is counted, how exactly, and host or guest where that is not the usual. */
static void append_modifiers(struct text *text, const struct perf_event_attr *attr)
{
	bool chosen = attr->exclude_kernel || attr->exclude_user || attr->exclude_hv;
	bool usual = chosen || attr->precise_ip;
	bool places = attr->exclude_host || attr->exclude_guest == usual;

	if (!chosen && !attr->precise_ip && !places)
		return;
	text_append_char(text, ':');
	if (chosen) {
		text_append(text, attr->exclude_kernel ? "" : "k");
		text_append(text, attr->exclude_user ? "" : "u");
		text_append(text, attr->exclude_hv ? "" : "h");
	}
	for (unsigned i = 0; i < attr->precise_ip; i++)
		text_append_char(text, 'p');
	if (places) {
		text_append(text, attr->exclude_host ? "" : "H");
		text_append(text, attr->exclude_guest ? "" : "G");
	}
}

char *attr_name(const struct perf_event_attr *attr)
{
	auto_text struct text text = { 0 };

	append_event(&text, attr);
	if (attr->type == PERF_TYPE_HARDWARE || attr->type == PERF_TYPE_SOFTWARE || attr->type == PERF_TYPE_HW_CACHE)
		append_modifiers(&text, attr);
	return text_steal(&text);
}
