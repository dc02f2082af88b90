/* Whether the kernel that runs here is the one that was recorded, where no build id tells. */
#include "profile/origin.h"

#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>

#include "base/text.h"
#include "perfdata/format.h"
#include "profile/profile.h"

static bool says(const struct profile *profile, enum perfdata_feature feature, const char *wanted)
{
	const char *text = perfdata_feature_text(profile->reader, feature);

	return text && !strcmp(text, wanted);
}

uint64_t profile_written_ns(const struct profile *profile)
{
	struct stat status;

	/* A file without a name is memory of this process: what it tells of is there now. */
	if (!strcmp(profile->path, "-") || stat(profile->path, &status) || !status.st_nlink)
		return 0;
	return (uint64_t)status.st_mtim.tv_sec * 1000000000 + (uint64_t)status.st_mtim.tv_nsec;
}

static bool is_since_start(const char *path)
{
	struct timespec now, up;
	struct stat status;

	if (!strcmp(path, "-"))
		return true;
	if (stat(path, &status) || clock_gettime(CLOCK_REALTIME, &now) || clock_gettime(CLOCK_BOOTTIME, &up))
		return false;
	return !S_ISREG(status.st_mode) || status.st_mtim.tv_sec >= now.tv_sec - up.tv_sec;
}

bool profile_is_of_running_kernel(const struct profile *profile)
{
	struct utsname here;

	return !uname(&here) && says(profile, PERFDATA_FEATURE_HOSTNAME, here.nodename) &&
	       says(profile, PERFDATA_FEATURE_OSRELEASE, here.release) && is_since_start(profile->path);
}

char *profile_command(const struct profile *profile)
{
	const char *const *words;
	size_t count = perfdata_command_line(profile->reader, &words);
	auto_text struct text line = { 0 };

	for (size_t i = 0; i < count; i++)
		text_format(&line, "%s%s", i ? " " : "", words[i]);
	return count ? text_steal(&line) : NULL;
}
