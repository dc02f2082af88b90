/* The table of export formats. */
#include "output/export.h"

static const struct export_format formats[] = {
#define EXPORT_FORMAT(id, ending, by_site, summary) { #id, ending, summary, by_site, export_##id },
#include "output/formats.def"
#undef EXPORT_FORMAT
};

size_t export_format_count(void)
{
	return ARRAY_SIZE(formats);
}

const struct export_format *export_format_at(size_t index)
{
	return &formats[index];
}
