/* speedscope's JSON: each distinct chain is a sample. Source: speedscope's file-format-schema.json. */
#include <jansson.h>

#include "base/memory.h"
#include "output/export.h"
#include "profile/index.h"

static json_t *name_json(const char *name)
{
	auto_text struct text clean = { 0 };

	text_append_escaped(&clean, name);
	return json_string(clean.bytes ? clean.bytes : "");
}

/* The frame number of each node; equal names are one frame. */
static json_t *frames_json(const struct flame_tree *tree, uint32_t *frame_of)
{
	struct tuples names = { .words = 1 };
	json_t *frames = json_array();

	for (size_t i = 1; i < tree->count; i++) {
		uint64_t key = (uintptr_t)tree->nodes[i].name;
		size_t known = names.count;

		frame_of[i] = tuples_intern(&names, &key);
		if (frame_of[i] == known)
			json_array_append_new(frames, json_pack("{s:o}", "name", name_json(tree->nodes[i].name)));
	}
	tuples_release(&names);
	return frames;
}

static json_t *chain_json(const struct flame_tree *tree, uint32_t node, const uint32_t *frame_of)
{
	json_t *chain = json_array();
	auto_free uint32_t *nodes = memory_zeroed(tree->depth + 1, sizeof(*nodes));
	size_t count = 0;

	for (; node; node = tree->nodes[node].parent)
		nodes[count++] = node;
	while (count--)
		json_array_append_new(chain, json_integer(frame_of[nodes[count]]));
	return chain;
}

static json_t *profile_json(const struct export *exported, const uint32_t *frame_of)
{
	const struct flame_tree *tree = exported->tree;
	json_t *samples = json_array(), *weights = json_array();

	for (uint32_t node = 1; node < tree->count; node++) {
		uint64_t weight = export_weight(exported, &tree->nodes[node].self);

		if (!weight)
			continue;
		json_array_append_new(samples, chain_json(tree, node, frame_of));
		json_array_append_new(weights, json_integer((json_int_t)weight));
	}
	return json_pack("{s:s, s:o, s:s, s:i, s:I, s:o, s:o}", "type", "sampled", "name", name_json(exported->event), "unit",
			 exported->is_time && !exported->hits ? "nanoseconds" : "none", "startValue", 0, "endValue",
			 (json_int_t)export_weight(exported, &tree->nodes[0].total), "samples", samples, "weights", weights);
}

void export_speedscope(const struct export *exported, struct text *out)
{
	auto_free uint32_t *frame_of = memory_zeroed(exported->tree->count, sizeof(*frame_of));
	json_t *frames = frames_json(exported->tree, frame_of);
	json_t *root = json_pack("{s:s, s:{s:o}, s:[o], s:s, s:o}", "$schema",
				 "https://www.speedscope.app/file-format-schema.json", "shared", "frames", frames,
				 "profiles", profile_json(exported, frame_of), "exporter", "perfmini " PERFMINI_VERSION, "name",
				 name_json(exported->command ? exported->command : exported->event));
	auto_free char *json = json_dumps(root, JSON_COMPACT);

	text_append(out, json);
	text_append_char(out, '\n');
	json_decref(root);
}
