/* The Firefox Profiler's processed profile, version 47: a thread for each command. Chains are put together, so a sample is a
 * chain with its weight, and times only put them in order.
 * Source: firefox-devtools/profiler, docs-developer/processed-profile-format.md and CHANGELOG-formats.md. */
#include <jansson.h>

#include "base/memory.h"
#include "output/export.h"
#include "profile/index.h"

enum { FORMAT_VERSION = 47, GECKO_VERSION = 28 };

/* One thread being made: the nodes below one command. */
struct thread {
	const struct export *exported;
	struct tuples names;        /* [1]: pointer of a name: number of its string, function and frame */
	uint32_t *row_of;           /* [nodes]: its row of the stack table + 1; 0: none of this thread's */
	size_t rows;
	json_t *strings, *frame, *prefix, *stack, *time, *weight;
	double clock;               /* ms */
};

static json_t *name_json(const char *name)
{
	auto_text struct text clean = { 0 };

	text_append_escaped(&clean, name);
	return json_string(clean.bytes ? clean.bytes : "");
}

/* Clocks weigh milliseconds, other events their samples: the format has no other unit that fits. */
static bool weighs_time(const struct export *exported)
{
	return exported->is_time && !exported->hits;
}

static void add_node(struct thread *thread, uint32_t node)
{
	const struct flame_node *at = &thread->exported->tree->nodes[node];
	uint64_t key = (uintptr_t)at->name;
	size_t known = thread->names.count;
	uint32_t name = tuples_intern(&thread->names, &key);
	double weight = weighs_time(thread->exported) ? (double)at->self.period / 1e6 : (double)at->self.samples;

	if (name == known)
		json_array_append_new(thread->strings, name_json(at->name));
	json_array_append_new(thread->frame, json_integer(name));
	json_array_append_new(thread->prefix, thread->row_of[at->parent] ? json_integer(thread->row_of[at->parent] - 1) :
									  json_null());
	thread->row_of[node] = (uint32_t)++thread->rows;
	if (!at->self.samples)
		return;
	json_array_append_new(thread->stack, json_integer((json_int_t)thread->rows - 1));
	json_array_append_new(thread->time, json_real(thread->clock));
	json_array_append_new(thread->weight, weighs_time(thread->exported) ? json_real(weight) :
									     json_integer((json_int_t)at->self.samples));
	thread->clock += weighs_time(thread->exported) ? weight : 1;
}

/* A column of count times one value. Takes value. */
static json_t *column(size_t count, json_t *value)
{
	json_t *array = json_array();

	for (size_t i = 0; i < count; i++)
		json_array_append(array, value);
	json_decref(value);
	return array;
}

static json_t *numbered(size_t count)
{
	json_t *array = json_array();

	for (size_t i = 0; i < count; i++)
		json_array_append_new(array, json_integer((json_int_t)i));
	return array;
}

static json_t *functions_json(size_t count)
{
	return json_pack("{s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:I}", "name", numbered(count), "isJS", column(count, json_false()),
			 "relevantForJS", column(count, json_false()), "resource", column(count, json_integer(-1)), "fileName",
			 column(count, json_null()), "lineNumber", column(count, json_null()), "columnNumber",
			 column(count, json_null()), "length", (json_int_t)count);
}

static json_t *frames_json(size_t count)
{
	return json_pack("{s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:I}", "address", column(count, json_integer(-1)),
			 "inlineDepth", column(count, json_integer(0)), "category", column(count, json_integer(0)),
			 "subcategory", column(count, json_integer(0)), "func", numbered(count), "nativeSymbol",
			 column(count, json_null()), "innerWindowID", column(count, json_null()), "implementation",
			 column(count, json_null()), "line", column(count, json_null()), "column", column(count, json_null()),
			 "length", (json_int_t)count);
}

static json_t *stacks_json(struct thread *thread)
{
	return json_pack("{s:o,s:o,s:o,s:o,s:I}", "frame", thread->frame, "category",
			 column(thread->rows, json_integer(0)), "subcategory", column(thread->rows, json_integer(0)), "prefix",
			 thread->prefix, "length", (json_int_t)thread->rows);
}

static json_t *samples_json(struct thread *thread)
{
	return json_pack("{s:o,s:o,s:o,s:s,s:I}", "stack", thread->stack, "time", thread->time, "weight", thread->weight,
			 "weightType", weighs_time(thread->exported) ? "tracing-ms" : "samples", "length",
			 (json_int_t)json_array_size(thread->stack));
}

static json_t *empty_tables(void)
{
	return json_pack("{s:{s:[],s:[],s:[],s:[],s:[],s:[],s:i}, s:{s:[],s:[],s:[],s:[],s:i}, s:{s:[],s:[],s:[],s:[],s:i}}",
			 "markers", "data", "name", "startTime", "endTime", "phase", "category", "length", 0, "resourceTable",
			 "lib", "name", "host", "type", "length", 0, "nativeSymbols", "libIndex", "address", "name",
			 "functionSize", "length", 0);
}

/* Parents stand before their children: one walk over the nodes finds those below the command. */
static json_t *thread_json(const struct export *exported, uint32_t command, size_t number)
{
	const struct flame_tree *tree = exported->tree;
	auto_free uint32_t *row_of = memory_zeroed(tree->count, sizeof(*row_of));
	auto_free bool *is_below = memory_zeroed(tree->count, sizeof(*is_below));
	struct thread thread = { exported, { .words = 1 }, row_of, 0, json_array(), json_array(), json_array(), json_array(),
				 json_array(), json_array(), 0 };
	auto_free char *id = memory_format("%zu", number + 1);
	json_t *object = empty_tables();

	for (uint32_t node = command; node < tree->count; node++) {
		is_below[node] = node == command || is_below[tree->nodes[node].parent];
		if (is_below[node])
			add_node(&thread, node);
	}
	json_object_set_new(object, "samples", samples_json(&thread));
	json_object_set_new(object, "stackTable", stacks_json(&thread));
	json_object_set_new(object, "frameTable", frames_json(thread.names.count));
	json_object_set_new(object, "funcTable", functions_json(thread.names.count));
	json_object_set_new(object, "stringArray", thread.strings);
	json_object_set_new(object, "name", name_json(tree->nodes[command].name));
	json_object_set_new(object, "processName", name_json(tree->nodes[command].name));
	json_object_set_new(object, "isMainThread", json_true());
	json_object_set_new(object, "processType", json_string("default"));
	json_object_set_new(object, "pid", json_string(id));
	json_object_set_new(object, "tid", json_string(id));
	json_object_set_new(object, "registerTime", json_integer(0));
	json_object_set_new(object, "unregisterTime", json_null());
	json_object_set_new(object, "processStartupTime", json_integer(0));
	json_object_set_new(object, "processShutdownTime", json_null());
	json_object_set_new(object, "pausedRanges", json_array());
	tuples_release(&thread.names);
	return object;
}

void export_firefox(const struct export *exported, struct text *out)
{
	const struct flame_tree *tree = exported->tree;
	json_t *threads = json_array();
	json_t *meta = json_pack("{s:i,s:f,s:i,s:o,s:i,s:i,s:i,s:b,s:[{s:s,s:s,s:[s]}],s:[]}", "interval", 1, "startTime",
				 (double)(exported->written_ns / 1000000), "processType", 0, "product",
				 name_json(exported->command ? exported->command : exported->event), "stackwalk", 1, "version",
				 GECKO_VERSION, "preprocessedProfileVersion", FORMAT_VERSION, "symbolicated", 1, "categories",
				 "name", "Other", "color", "grey", "subcategories", "Other", "markerSchema");

	for (uint32_t node = tree->nodes[0].first_child; node; node = tree->nodes[node].next)
		json_array_append_new(threads, thread_json(exported, node, json_array_size(threads)));

	json_t *root = json_pack("{s:o,s:[],s:o}", "meta", meta, "libs", "threads", threads);
	auto_free char *json = json_dumps(root, JSON_COMPACT | JSON_REAL_PRECISION(15));

	text_append(out, json ? json : "");
	text_append_char(out, '\n');
	json_decref(root);
}
