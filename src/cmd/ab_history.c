/* How often the same builds were compared today: a line a comparison, "DAY PROGRAM-ARGUMENTS PROGRAM-ARGUMENTS" as hashes, in
 * order. */
#include "cmd/ab_history.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/text.h"

/* The caller frees; NULL without a home. */
static char *state_directory(void)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");

	if (state && state[0] == '/')
		return memory_format("%s/perfmini", state);
	return home && home[0] == '/' ? memory_format("%s/.local/state/perfmini", home) : NULL;
}

/* The program and its arguments; NULL when the program could not be read. The caller frees. */
static char *identity(const struct run_arm *arm)
{
	uint64_t arguments = 0;

	if (!arm->content_hash)
		return NULL;
	for (const char *const *word = arm->command; word && word[0] && word[1]; word++)
		arguments = hash_combine(arguments, hash_bytes(word[1], strlen(word[1])));
	return memory_format("%s-%016llx", arm->content_hash, (unsigned long long)arguments);
}

static char *line_of(const struct runs *runs)
{
	auto_free char *a = identity(&runs->arms[0]), *b = identity(&runs->arms[1]);
	time_t now = time(NULL);
	struct tm day;
	char date[16];

	if (!a || !b || !gmtime_r(&now, &day) || !strftime(date, sizeof(date), "%Y-%m-%d", &day))
		return NULL;
	return strcmp(a, b) < 0 ? memory_format("%s %s %s\n", date, a, b) : memory_format("%s %s %s\n", date, b, a);
}

static uint64_t count_lines(const char *text, const char *line)
{
	uint64_t count = 0;

	for (const char *at = strstr(text, line); at; at = strstr(at + 1, line))
		count++;
	return count;
}

/* One write of one line: experiments that begin at the same time do not mix theirs. */
static bool append(const char *path, const char *line)
{
	auto_close int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);

	return fd >= 0 && write(fd, line, strlen(line)) == (ssize_t)strlen(line);
}

uint64_t ab_history_note(const struct runs *runs)
{
	auto_free char *directory = state_directory(), *path = NULL, *text = NULL;
	auto_free char *line = runs->arm_count > 1 ? line_of(runs) : NULL;
	uint64_t before = 0;

	if (!directory || !line)
		return 0;
	error_destroy(file_make_directories(directory, 0700));
	path = memory_format("%s/comparisons", directory);
	error_destroy(file_read(path, &text, NULL));
	if (text)
		before = count_lines(text, line);
	return append(path, line) ? before + 1 : 0;
}
