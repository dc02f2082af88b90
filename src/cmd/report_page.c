/* perfmini report --html: what the page says of the recording. */
#include "base/memory.h"
#include "base/text.h"
#include "cmd/report.h"
#include "output/report_html.h"
#include "perfdata/format.h"
#include "profile/origin.h"

void report_page_begin(const struct profile *profile, FILE *out)
{
	static const struct {
		const char *name;
		enum perfdata_feature feature;
	} features[] = { { "host", PERFDATA_FEATURE_HOSTNAME }, { "CPU", PERFDATA_FEATURE_CPUDESC },
			 { "kernel", PERFDATA_FEATURE_OSRELEASE }, { "machine", PERFDATA_FEATURE_ARCH },
			 { "recorded by", PERFDATA_FEATURE_VERSION } };
	auto_free char *command = profile_command(profile);
	auto_text struct text lost = { 0 };
	struct report_page page = { .terms = { { "recording", profile->path }, { "command", command } }, .term_count = 2 };

	for (size_t i = 0; i < ARRAY_SIZE(features); i++)
		page.terms[page.term_count++] = (struct report_page_term){
			features[i].name, perfdata_feature_text(profile->reader, features[i].feature) };
	if (profile->losses.lost_samples || profile->losses.lost_events)
		text_format(&lost, "%llu samples, %llu events", (unsigned long long)profile->losses.lost_samples,
			    (unsigned long long)profile->losses.lost_events);
	page.terms[page.term_count++] = (struct report_page_term){ "lost", lost.bytes };
	report_html_begin(&page, out);
}
