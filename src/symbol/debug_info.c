/* DWARF by libdw: each unit's functions and inlined calls are put in order once, when an address first falls there. */
#include "symbol/debug_info.h"

#include <dwarf.h>
#include <elfutils/libdw.h>

#include "base/intern.h"
#include "base/memory.h"
#include "symbol/address_ranges.h"
#include "symbol/demangle.h"
#include "symbol/elf_image.h"
#include "symbol/symbolizer.h"

/* A function, or a call of one that was inlined. */
struct node {
	Dwarf_Die die;
	uint32_t parent;                 /* the node around it; NO_NODE: none */
	bool is_inlined;
	const struct function *function; /* made when first asked for */
};

enum { NO_NODE = UINT32_MAX, DEPTH_MAX = 200, RANGES_MAX = 4 << 20, FRAMES_MAX = 128 };

struct unit {
	Dwarf_Die lines; /* the unit whose line table counts: the skeleton of split DWARF */
	Dwarf_Die tree;  /* the one with the functions: of the .dwo file then */
	struct node *nodes;
	size_t count, capacity;
	struct address_ranges ranges; /* value: node */
	bool has_tree, descends_types;
};

struct debug_info {
	struct debug_info_setup setup;
	Dwarf *dwarf;
	struct unit *units;
	size_t count, capacity;
	struct address_ranges ranges; /* value: unit */
};

static void add_ranges(struct address_ranges *ranges, Dwarf_Die *die, uint32_t value)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;

	while (ranges->count < RANGES_MAX && (at = dwarf_ranges(die, at, &base, &start, &end)) > 0)
		address_ranges_add(ranges, start, end, value);
}

static void add_unit(struct debug_info *info, Dwarf_Die *die, Dwarf_Die *split)
{
	int language = dwarf_srclang(die);
	struct unit *unit;

	array_grow(&info->units, info->count, &info->capacity);
	unit = &info->units[info->count];
	*unit = (struct unit){ .lines = *die, .tree = split->addr ? *split : *die };
	/* C and C++ define no function within a type; Rust, D and others may. */
	unit->descends_types = language != DW_LANG_C_plus_plus_14 && language != DW_LANG_C_plus_plus_11 &&
			       language != DW_LANG_C_plus_plus && language != DW_LANG_C_plus_plus_03 &&
			       language != DW_LANG_C99 && language != DW_LANG_C11 && language != DW_LANG_C89;
	add_ranges(&info->ranges, die, (uint32_t)info->count++);
}

/* .debug_aranges is often incomplete or missing; the units' own ranges are not. */
static void read_units(struct debug_info *info)
{
	Dwarf_CU *unit = NULL;
	Dwarf_Die die, split;
	uint8_t type;

	while (dwarf_get_units(info->dwarf, unit, &unit, NULL, &type, &die, &split) == 0)
		if (type == DW_UT_compile || type == DW_UT_skeleton)
			add_unit(info, &die, &split);
	address_ranges_sort(&info->ranges);
}

struct debug_info *debug_info_create(struct elf_image *image, const struct debug_info_setup *setup)
{
	Dwarf *dwarf = dwarf_begin_elf(image->elf, DWARF_C_READ, NULL);
	struct debug_info *info;

	if (!dwarf)
		return NULL;
	info = memory_zeroed(1, sizeof(*info));
	info->setup = *setup;
	info->dwarf = dwarf;
	read_units(info);
	return info;
}

void debug_info_destroy(struct debug_info *info)
{
	if (!info)
		return;
	for (size_t i = 0; i < info->count; i++) {
		free(info->units[i].nodes);
		address_ranges_release(&info->units[i].ranges);
	}
	free(info->units);
	address_ranges_release(&info->ranges);
	dwarf_end(info->dwarf);
	free(info);
}

static void add_children(struct unit *unit, Dwarf_Die *die, uint32_t parent, int depth);

static void add_code(struct unit *unit, Dwarf_Die *die, int tag, uint32_t parent, int depth)
{
	uint32_t index = (uint32_t)unit->count;
	size_t ranges = unit->ranges.count;

	add_ranges(&unit->ranges, die, index);
	/* Declarations and abstract instances have no code. */
	if (unit->ranges.count == ranges)
		return;
	array_grow(&unit->nodes, unit->count, &unit->capacity);
	unit->nodes[unit->count++] = (struct node){ .die = *die, .parent = parent,
						    .is_inlined = tag == DW_TAG_inlined_subroutine };
	add_children(unit, die, index, depth);
}

static void add_child(struct unit *unit, Dwarf_Die *die, uint32_t parent, int depth)
{
	int tag = dwarf_tag(die);

	switch (tag) {
	case DW_TAG_subprogram:
	case DW_TAG_inlined_subroutine:
		add_code(unit, die, tag, parent, depth);
		break;
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
	case DW_TAG_enumeration_type:
		if (!unit->descends_types)
			break;
		add_children(unit, die, parent, depth);
		break;
	case DW_TAG_lexical_block:
	case DW_TAG_try_block:
	case DW_TAG_catch_block:
	case DW_TAG_namespace:
	case DW_TAG_module:
		add_children(unit, die, parent, depth);
		break;
	default:
		break;
	}
}

static void add_children(struct unit *unit, Dwarf_Die *die, uint32_t parent, int depth)
{
	Dwarf_Die child;

	if (depth > DEPTH_MAX || dwarf_child(die, &child))
		return;
	do
		add_child(unit, &child, parent, depth + 1);
	while (unit->count < RANGES_MAX && dwarf_siblingof(&child, &child) == 0);
}

static void read_tree(struct unit *unit)
{
	if (unit->has_tree)
		return;
	unit->has_tree = true;
	add_children(unit, &unit->tree, NO_NODE, 0);
	address_ranges_sort(&unit->ranges);
}

static const char *name_of(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	const char *name = NULL;

	if (dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute) ||
	    dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attribute))
		name = dwarf_formstring(&attribute);
	if (!name)
		name = dwarf_diename(die);
	return name ? name : "(unnamed)";
}

static const struct function *function_of(struct debug_info *info, struct node *node)
{
	Dwarf_Addr start = 0, end = 0;
	struct function *function;

	if (node->function)
		return node->function;
	function = arena_alloc(info->setup.arena, sizeof(*function));
	function->name = intern_text(info->setup.strings, name_of(&node->die));
	function->shown = info->setup.demangle ? demangle(info->setup.arena, function->name) : function->name;
	dwarf_lowpc(&node->die, &start);
	dwarf_highpc(&node->die, &end);
	function->start = start + info->setup.bias;
	function->end = end + info->setup.bias;
	function->is_inlined = node->is_inlined;
	node->function = function;
	return function;
}

static void set_line(struct debug_info *info, struct unit *unit, uint64_t address, struct frame *frame)
{
	Dwarf_Line *line = dwarf_getsrc_die(&unit->lines, address);
	const char *file = line ? dwarf_linesrc(line, NULL, NULL) : NULL;
	int number;

	if (!file || dwarf_lineno(line, &number) || number < 0)
		return;
	frame->file = intern_text(info->setup.strings, file);
	frame->line = (uint32_t)number;
}

static bool number_of(Dwarf_Die *die, unsigned name, Dwarf_Word *ret)
{
	Dwarf_Attribute attribute;

	return dwarf_attr(die, name, &attribute) && !dwarf_formudata(&attribute, ret);
}

static void set_call_site(struct debug_info *info, struct unit *unit, struct node *node, struct frame *frame)
{
	Dwarf_Word file = 0, line = 0;
	Dwarf_Files *files;
	size_t count;
	const char *path;

	if (!number_of(&node->die, DW_AT_call_file, &file) || !number_of(&node->die, DW_AT_call_line, &line) ||
	    dwarf_getsrcfiles(&unit->tree, &files, &count) || file >= count)
		return;
	path = dwarf_filesrc(files, file, NULL, NULL);
	if (!path)
		return;
	frame->file = intern_text(info->setup.strings, path);
	frame->line = (uint32_t)line;
}

/* frames: [FRAMES_MAX], the first with its line already. Returns how many. */
static size_t expand_inlines(struct debug_info *info, struct unit *unit, uint64_t address,
			     const struct function *outermost, struct frame *frames)
{
	const struct address_range *range;
	uint32_t at;
	size_t count = 1;

	read_tree(unit);
	range = address_ranges_find(&unit->ranges, address);
	for (at = range ? range->value : NO_NODE; at != NO_NODE && unit->nodes[at].is_inlined && count < FRAMES_MAX;
	     at = unit->nodes[at].parent) {
		frames[count - 1].function = function_of(info, &unit->nodes[at]);
		frames[count] = (struct frame){ 0 };
		set_call_site(info, unit, &unit->nodes[at], &frames[count++]);
	}
	frames[count - 1].function = outermost;
	if (!outermost && at != NO_NODE)
		frames[count - 1].function = function_of(info, &unit->nodes[at]);
	return count;
}

size_t debug_info_frames(struct debug_info *info, uint64_t address, const struct function *outermost,
			 const struct frame **ret)
{
	struct frame found[FRAMES_MAX] = { { .function = outermost } };
	const struct address_range *range = address_ranges_find(&info->ranges, address - info->setup.bias);
	size_t count = 1;

	if (range) {
		struct unit *unit = &info->units[range->value];

		set_line(info, unit, address - info->setup.bias, &found[0]);
		if (info->setup.inlines)
			count = expand_inlines(info, unit, address - info->setup.bias, outermost, found);
	}

	struct frame *frames = arena_alloc(info->setup.arena, count * sizeof(*frames));

	for (size_t i = 0; i < count; i++)
		frames[i] = found[i];
	*ret = frames;
	return count;
}
