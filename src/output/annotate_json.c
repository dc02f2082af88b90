/* An annotated function as JSON. */
#include <jansson.h>

#include "output/annotate.h"

/* Names may hold any bytes: what is no UTF-8 is escaped. */
static json_t *text_or_null(const char *text)
{
	auto_text struct text clean = { 0 };
	json_t *made = text ? json_string(text) : json_null();

	if (made)
		return made;
	text_append_escaped(&clean, text);
	return json_string(clean.bytes);
}

static json_t *events_json(const struct annotation *annotation)
{
	json_t *events = json_array();

	for (size_t i = 0; i < annotation->event_count; i++) {
		const struct annotated_event *event = &annotation->events[i];

		json_array_append_new(events, json_pack("{s:o, s:I, s:I, s:I, s:I}", "event", text_or_null(event->name),
							"samples", (json_int_t)event->function.samples, "period",
							(json_int_t)event->function.period, "all_samples",
							(json_int_t)event->whole.samples, "all_period",
							(json_int_t)event->whole.period));
	}
	return events;
}

static json_t *frames_json(const struct annotated *item)
{
	json_t *frames = json_array();

	for (size_t i = 0; i < item->frame_count; i++) {
		const struct frame *frame = &item->frames[i];

		json_array_append_new(frames, json_pack("{s:o, s:o, s:o}", "function",
							text_or_null(frame->function ? frame->function->shown : NULL),
							"file", text_or_null(frame->file), "line",
							frame->line ? json_integer(frame->line) : json_null()));
	}
	return frames;
}

static json_t *instruction_json(const struct annotation *annotation, size_t item)
{
	const struct annotated *at = &annotation->items[item];
	const struct row_total *totals = annotation_totals(annotation, item);
	json_t *samples = json_array(), *period = json_array();

	for (size_t i = 0; i < annotation->event_count; i++) {
		json_array_append_new(samples, json_integer((json_int_t)totals[i].samples));
		json_array_append_new(period, json_integer((json_int_t)totals[i].period));
	}
	return json_pack("{s:I, s:I, s:o, s:o, s:o, s:o, s:o}", "address", (json_int_t)at->instruction->address, "size",
			 (json_int_t)at->instruction->size, "text", text_or_null(at->instruction->text), "samples", samples,
			 "period", period, "jump",
			 at->jump == SIZE_MAX ? json_null()
					      : json_integer((json_int_t)annotation->items[at->jump].instruction->address),
			 "frames", frames_json(at));
}

json_t *annotate_json(const struct annotation *annotation)
{
	json_t *instructions = json_array();

	for (size_t i = 0; i < annotation->count; i++)
		json_array_append_new(instructions, instruction_json(annotation, i));
	return json_pack("{s:o, s:o, s:o, s:I, s:I, s:o, s:o}", "function", text_or_null(annotation->function->shown),
			 "object", text_or_null(annotation->object), "file", text_or_null(binary_file(annotation->binary)),
			 "start", (json_int_t)annotation->function->start, "end", (json_int_t)annotation->function->end,
			 "events", events_json(annotation), "instructions", instructions);
}
