/* Profiles in the formats of other viewers. */
#ifndef OUTPUT_EXPORT_H
#define OUTPUT_EXPORT_H

#include "base/text.h"
#include "profile/flame_tree.h"

struct export_label {
	const char *key, *value;
};

/* One event of a recording, ready to be written. */
struct export {
	const struct flame_tree *tree; /* of that event; NULL for a format by site */
	struct resolver *resolver;
	size_t event_number;
	const char *event, *command; /* command: may be NULL */
	bool is_time;                /* periods are nanoseconds */
	bool hits;                   /* weigh by samples, not by period */
	uint64_t written_ns;         /* of the recording, CLOCK_REALTIME; 0: unknown */
	const struct export_label *labels; /* [label_count]: of the whole recording */
	size_t label_count;
};

/* All of one kind: append the file's bytes. */
typedef void export_write(const struct export *exported, struct text *out);

struct export_format {
	const char *name, *ending, *summary;
	bool by_site; /* needs source lines of sites, and no tree */
	export_write *write;
};

#define EXPORT_FORMAT(id, ending, by_site, summary) export_write export_##id;
#include "output/formats.def"
#undef EXPORT_FORMAT

size_t export_format_count(void);
const struct export_format *export_format_at(size_t index);

/* The flame graph as an <svg> element, to stand in a page. */
void flame_svg_draw(const struct export *exported, struct text *out);

static inline uint64_t export_weight(const struct export *exported, const struct row_total *total)
{
	return exported->hits ? total->samples : total->period;
}

#endif
