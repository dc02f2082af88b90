/* An arm's program as it is executed: its path, its words, and a stack that begins alike for all arms. */
#include "ab/program.h"

#include <string.h>

#include "ab/command_line.h"
#include "base/memory.h"

extern char **environ;

char *program_find(const char *directory, const char *name)
{
	const char *path = getenv("PATH");
	auto_free char *list = memory_strdup(path ? path : "/bin:/usr/bin");

	if (strchr(name, '/'))
		return *name != '/' && directory ? memory_format("%s/%s", directory, name) : memory_strdup(name);
	for (char *rest = list, *place; (place = strsep(&rest, ":"));) {
		char *candidate = memory_format("%s/%s", *place ? place : ".", name);

		if (!access(candidate, X_OK))
			return candidate;
		free(candidate);
	}
	return memory_strdup(name);
}

char **program_words(const struct plan *plan, size_t arm, uint32_t layout)
{
	const char *const *words = plan->arms[arm].words;
	size_t count = 0;
	char number[16];

	while (words[count])
		count++;

	char **filled = memory_zeroed(count + 1, sizeof(*filled));

	snprintf(number, sizeof(number), "%u", layout);
	for (size_t i = 0; i < count; i++)
		filled[i] = strstr(words[i], "{layout}") ?
				    (char *)command_line_replace(plan->arena, words[i], "layout", number) :
				    (char *)words[i];
	return filled;
}

/* Bytes of the start of the stack that the words take: strings, their pointers, and the path (AT_EXECFN). */
static size_t stack_bytes(char *const *words)
{
	auto_free char *path = program_find(NULL, words[0]);
	size_t bytes = strlen(path) + 1;

	for (size_t i = 0; words[i]; i++)
		bytes += strlen(words[i]) + 1 + sizeof(char *);
	return bytes;
}

/* The most that any arm takes: the others are padded up to it, so that all stacks begin alike. */
static size_t most_stack_bytes(const struct plan *plan, uint32_t layout)
{
	size_t most = 0;

	for (size_t arm = 0; arm < plan->arm_count; arm++) {
		auto_free char **words = program_words(plan, arm, layout);
		size_t bytes = stack_bytes(words);

		most = bytes > most ? bytes : most;
	}
	return most;
}

size_t program_shortfall(const struct plan *plan, size_t arm, uint32_t layout)
{
	auto_free char **words = program_words(plan, arm, layout);

	return most_stack_bytes(plan, layout) - stack_bytes(words);
}

char **program_environment(size_t padding, char **variable)
{
	static const char name[] = "PERFMINI_PAD=";
	size_t count = 0;

	while (environ[count])
		count++;

	char **environment = memory_zeroed(count + 2, sizeof(*environment));

	memcpy(environment, environ, count * sizeof(*environment));
	*variable = memory_alloc(sizeof(name) + padding);
	memcpy(*variable, name, sizeof(name) - 1);
	memset(*variable + sizeof(name) - 1, 'x', padding);
	(*variable)[sizeof(name) - 1 + padding] = '\0';
	environment[count] = *variable;
	return environment;
}
