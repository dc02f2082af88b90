/* Instructions with their cost before them and their source between them. */
#include <string.h>

#include "base/memory.h"
#include "output/annotate.h"
#include "output/jump_lanes.h"

enum { LANES_MAX = 8, COLUMN_WIDTH = 8, PERIOD_WIDTH = 14, TAB = 8, RAW_WIDTH = 22 };

/* One function being printed. */
struct printing {
	const struct annotation *annotation;
	const struct annotate_view *view;
	struct jump_lanes *lanes;
	size_t width;   /* of the columns of numbers */
	struct text *out;
};

const char *annotate_percent_type(const struct annotate_view *view)
{
	static const char *const names[] = { "local period", "local hits", "global period", "global hits" };

	return names[(view->global ? 2 : 0) + (view->hits ? 1 : 0)];
}

double annotate_percent(const struct annotate_view *view, const struct row_total *total,
			const struct annotated_event *event)
{
	const struct row_total *whole = view->global ? &event->whole : &event->function;
	uint64_t part = view->hits ? total->samples : total->period, all = view->hits ? whole->samples : whole->period;

	return all ? 100.0 * (double)part / (double)all : 0.0;
}

void annotate_append_source(const char *line, struct text *out)
{
	size_t column = 0;

	while (*line) {
		size_t length = strcspn(line, "\t\\");
		auto_free char *part = memory_strndup(line, length);

		text_append_escaped(out, part);
		column += text_width(part);
		line += length;
		/* A backslash of source is no escape. */
		if (*line == '\\') {
			text_append_char(out, '\\');
			column++;
		}
		if (*line == '\t')
			for (size_t until = (column / TAB + 1) * TAB; column < until; column++)
				text_append_char(out, ' ');
		line += *line != '\0';
	}
}

void annotate_append_place(const struct frame *frame, bool full_paths, struct text *out)
{
	const char *slash = strrchr(frame->file, '/');

	text_append_escaped(out, full_paths || !slash || !slash[1] ? frame->file : slash + 1);
	text_format(out, ":%u", frame->line);
}

static size_t column_width(const struct annotate_view *view)
{
	return view->value == ANNOTATE_PERIOD ? PERIOD_WIDTH : COLUMN_WIDTH;
}

static const char *color_of(double percent)
{
	if (percent >= 5)
		return "\033[31m";
	return percent >= 0.5 ? "\033[32m" : NULL;
}

static void append_value(const struct printing *printing, const struct row_total *total,
			 const struct annotated_event *event)
{
	const struct annotate_view *view = printing->view;
	int width = (int)column_width(view);
	double percent = annotate_percent(view, total, event);
	const char *color = view->color ? color_of(percent) : NULL;

	if (color)
		text_append(printing->out, color);
	if (view->value == ANNOTATE_PERCENT)
		text_format(printing->out, "%*.2f", width, percent);
	else
		text_format(printing->out, "%*llu", width,
			    (unsigned long long)(view->value == ANNOTATE_SAMPLES ? total->samples : total->period));
	if (color)
		text_append(printing->out, "\033[m");
}

/* The beginning of a line without numbers, that stands before an instruction. */
static void begin_line(const struct printing *printing, size_t item)
{
	text_format(printing->out, "%*s : ", (int)printing->width, "");
	if (!printing->lanes || !jump_lanes_width(printing->lanes))
		return;
	jump_lanes_draw(printing->lanes, item, true, printing->view->utf8, printing->out);
	text_append_char(printing->out, ' ');
}

static void append_function(const struct function *function, struct text *out)
{
	const char *name = function ? function->shown : "?";

	text_append_escaped(out, name);
	if (!strchr(name, '('))
		text_append(out, "()");
}

/* "mix(), inlined into burn() at prog.c:19". */
static void print_body(const struct printing *printing, size_t item)
{
	const struct annotated *at = &printing->annotation->items[item];

	begin_line(printing, item);
	append_function(at->frames[0].function, printing->out);
	for (size_t i = 1; i < at->frame_count; i++) {
		text_append(printing->out, ", inlined into ");
		append_function(at->frames[i].function, printing->out);
		if (!at->frames[i].file)
			continue;
		text_append(printing->out, " at ");
		annotate_append_place(&at->frames[i], printing->view->full_paths, printing->out);
	}
	text_append(printing->out, ":\n");
}

static void print_source(const struct printing *printing, size_t item)
{
	const struct frame *frame = printing->annotation->items[item].frames;
	const char *line = source_line(printing->view->sources, frame->file, frame->line);

	begin_line(printing, item);
	if (line) {
		text_format(printing->out, "%-4u ", frame->line);
		annotate_append_source(line, printing->out);
	} else {
		annotate_append_place(frame, printing->view->full_paths, printing->out);
	}
	text_append_char(printing->out, '\n');
}

static void append_raw(const struct instruction *instruction, struct text *out)
{
	size_t before = out->length;

	for (size_t i = 0; i < instruction->size; i++)
		text_format(out, "%02x ", instruction->bytes[i]);
	while (out->length - before < RAW_WIDTH)
		text_append_char(out, ' ');
}

static void print_instruction(const struct printing *printing, size_t item)
{
	const struct annotation *annotation = printing->annotation;
	const struct row_total *totals = annotation_totals(annotation, item);
	const struct instruction *instruction = annotation->items[item].instruction;
	const struct frame *frame = annotation->items[item].frames;
	uint64_t samples = 0;

	for (size_t i = 0; i < annotation->event_count; i++) {
		append_value(printing, &totals[i], &annotation->events[i]);
		samples += totals[i].samples;
	}
	text_append(printing->out, " : ");
	if (printing->lanes && jump_lanes_width(printing->lanes)) {
		jump_lanes_draw(printing->lanes, item, false, printing->view->utf8, printing->out);
		text_append_char(printing->out, ' ');
	}
	text_format(printing->out, "  %llx:   ", (unsigned long long)instruction->address);
	if (printing->view->raw)
		append_raw(instruction, printing->out);
	text_append_escaped(printing->out, instruction->text);
	if (printing->view->lines && samples && frame->file && frame->line) {
		text_append(printing->out, " // ");
		annotate_append_place(frame, printing->view->full_paths, printing->out);
	}
	text_append_char(printing->out, '\n');
}

static void append_names(const struct annotation *annotation, struct text *out)
{
	for (size_t i = 0; i < annotation->event_count; i++) {
		text_append(out, i ? ", " : "");
		text_append_escaped(out, annotation->events[i].name);
	}
	text_append(out, " (");
	for (size_t i = 0; i < annotation->event_count; i++)
		text_format(out, "%s%llu", i ? ", " : "", (unsigned long long)annotation->events[i].function.samples);
}

static void print_head(const struct printing *printing)
{
	static const char *const heads[] = { "Percent", "Samples", "Period" };
	const struct annotation *annotation = printing->annotation;
	const struct annotate_view *view = printing->view;
	auto_text struct text head = { 0 };

	text_format(&head, " %-*s|\t", (int)printing->width, heads[view->value]);
	text_append(&head, view->source ? "Source code & Disassembly of " : "Disassembly of ");
	text_append_escaped(&head, annotation->object);
	text_append(&head, " for ");
	append_names(annotation, &head);
	text_format(&head, " samples, percent: %s)", annotate_percent_type(view));
	text_append(printing->out, head.bytes);
	text_append_char(printing->out, '\n');
	for (size_t i = text_width(head.bytes) + 4; i; i--)
		text_append_char(printing->out, '-');
	text_format(printing->out, "\n%*s :   %016llx <", (int)printing->width, "",
		    (unsigned long long)annotation->function->start);
	text_append_escaped(printing->out, annotation->function->shown);
	text_append(printing->out, ">:\n");
}

static void print_lines(const struct printing *printing, size_t column)
{
	auto_free struct annotated_line *lines = NULL;
	size_t count = annotation_lines(printing->annotation, column, &lines);
	const struct annotated_event *event = &printing->annotation->events[column];

	text_append(printing->out, "\nSorted summary of lines for ");
	text_append_escaped(printing->out, event->name);
	text_append(printing->out, "\n----------------------------------------------\n\n");
	for (size_t i = 0; i < count; i++) {
		struct frame frame = { NULL, lines[i].file, lines[i].line };

		append_value(printing, &lines[i].total, event);
		text_append_char(printing->out, ' ');
		annotate_append_place(&frame, printing->view->full_paths, printing->out);
		text_append_char(printing->out, '\n');
	}
	if (!count)
		text_append(printing->out, "    no debug information: its lines are unknown\n");
}

void annotate_text(const struct annotation *annotation, const struct annotate_view *view, struct text *out)
{
	cleanup(jump_lanes_guard) struct jump_lanes *lanes = view->jumps ? jump_lanes_create(annotation, LANES_MAX) : NULL;
	struct printing printing = { annotation, view, lanes, annotation->event_count * column_width(view), out };

	for (size_t i = 0; view->lines && i < annotation->event_count; i++)
		print_lines(&printing, i);
	print_head(&printing);
	for (size_t i = 0; i < annotation->count; i++) {
		if (annotation_changes_body(annotation, i))
			print_body(&printing, i);
		if (view->source && annotation_changes_line(annotation, i))
			print_source(&printing, i);
		print_instruction(&printing, i);
	}
}
