/* "command;outermost;…;innermost WEIGHT" a line. */
#include "output/export.h"

#include "base/memory.h"

/* A semicolon in a name would end it. */
static void append_name(const char *name, struct text *out)
{
	size_t first = out->length;

	text_append_escaped(out, name);
	for (size_t i = first; i < out->length; i++)
		if (out->bytes[i] == ';')
			out->bytes[i] = ':';
}

static void append_chain(const struct flame_tree *tree, uint32_t node, uint32_t *chain, struct text *out)
{
	size_t count = 0;

	for (; node; node = tree->nodes[node].parent)
		chain[count++] = node;
	while (count--) {
		append_name(tree->nodes[chain[count]].name, out);
		text_append_char(out, count ? ';' : ' ');
	}
}

void export_folded(const struct export *exported, struct text *out)
{
	const struct flame_tree *tree = exported->tree;
	auto_free uint32_t *chain = memory_zeroed(tree->depth + 1, sizeof(*chain));

	for (uint32_t node = 1; node < tree->count; node++) {
		uint64_t weight = export_weight(exported, &tree->nodes[node].self);

		if (!weight)
			continue;
		append_chain(tree, node, chain, out);
		text_format(out, "%llu\n", (unsigned long long)weight);
	}
}
