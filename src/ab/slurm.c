/* A job array of Slurm, through sbatch, squeue, scancel and sinfo. */
#include "ab/slurm.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "ab/command_line.h"
#include "base/memory.h"
#include "base/text.h"

enum { NOT_FOUND_STATUS = 127 };

/* What a shell command prints, its errors with it. status: as of wait(2). Errors: ERROR_OS when no shell runs. */
static struct error *ask(const char *command, struct text *answer, int *status)
{
	char line[4096];
	FILE *pipe = popen(command, "r");
	size_t got;

	if (!pipe)
		return error_os(errno, "run %s", command);
	while ((got = fread(line, 1, sizeof(line), pipe)) > 0)
		text_append_bytes(answer, line, got);
	*status = pclose(pipe);
	return NULL;
}

static char *first_line(const struct text *answer)
{
	const char *bytes = answer->bytes ? answer->bytes : "";

	return memory_strndup(bytes, strcspn(bytes, "\n"));
}

static struct error *ask_slurm(const char *program, const char *arguments, struct text *answer)
{
	auto_free char *command = memory_format("LC_ALL=C %s %s 2>&1", program, arguments);
	int status;
	struct error *err = ask(command, answer, &status);

	if (err || !status)
		return err;
	if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_FOUND_STATUS)
		return error_hint(error_new(ERROR_NOT_FOUND, "%s is not here: Slurm is not installed", program),
				  "--share I/N needs no scheduler; see MACHINES in perfmini-ab(1)");

	auto_free char *said = first_line(answer);

	return error_new(ERROR_OS, "%s: %s", program, *said ? said : "failed without a word");
}

static bool is_listed(char *const *names, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

struct error *slurm_count_nodes(size_t *ret)
{
	auto_text struct text answer = { 0 };
	struct error *err = ask_slurm("sinfo", "-h -N -o %N", &answer);
	char **names = NULL, *rest = answer.bytes, *name;
	size_t count = 0, capacity = 0;

	if (err)
		return err;
	while (rest && (name = strsep(&rest, "\n"))) {
		if (!*name || is_listed(names, count, name))
			continue;
		array_grow(&names, count, &capacity);
		names[count++] = name;
	}
	free(names);
	*ret = count;
	return count ? NULL : error_new(ERROR_OS, "sinfo lists no node");
}

struct error *slurm_submit(const char *options, const char *elements, const char *log, const char *script, char *job)
{
	auto_free char *output = memory_format("--output=%s", log), *array = memory_format("--array=%s", elements);
	const char *const ours[] = { "--parsable", "--job-name=perfmini-ab", "--requeue", "--open-mode=append", array,
				     output, NULL };
	const char *const scripts[] = { script, NULL };
	auto_free char *first = command_line_join(ours), *last = command_line_join(scripts);
	auto_free char *arguments = memory_format("%s %s %s", first, options, last);
	auto_text struct text answer = { 0 };
	struct error *err = ask_slurm("sbatch", arguments, &answer);

	if (err && answer.bytes && strstr(answer.bytes, "job array"))
		return error_hint(err, "the cluster's MaxArraySize limits the parts: fewer --machines, more --per-machine");
	if (err)
		return *options ? error_hint(err, "the options were: %s", options) : err;

	auto_free char *said = first_line(&answer);

	/* "1234;cluster" */
	said[strspn(said, "0123456789")] = '\0';
	if (!*said || strlen(said) > 31)
		return error_new(ERROR_OS, "sbatch gave no job number: %s", answer.bytes ? answer.bytes : "");
	strcpy(job, said);
	return NULL;
}

static enum slurm_state state_of(const char *word)
{
	static const char *const pending[] = { "PENDING", "REQUEUED", "REQUEUE_FED", "CONFIGURING" };
	static const char *const running[] = { "RUNNING", "COMPLETING", "SUSPENDED", "RESIZING", "SIGNALING", "STAGE_OUT",
					       "STOPPED" };

	for (size_t i = 0; i < ARRAY_SIZE(pending); i++)
		if (!strcmp(word, pending[i]))
			return SLURM_PENDING;
	for (size_t i = 0; i < ARRAY_SIZE(running); i++)
		if (!strcmp(word, running[i]))
			return SLURM_RUNNING;
	return SLURM_ENDED;
}

/* "3|RUNNING|n2|None" */
static void read_element(char *line, struct slurm_element *elements, size_t count)
{
	char *index = strsep(&line, "|"), *word = strsep(&line, "|"), *node = strsep(&line, "|");
	size_t i = index ? strtoul(index, NULL, 10) : 0;
	struct slurm_element *element;

	if (!i || i > count || !word)
		return;
	element = &elements[i - 1];
	element->state = state_of(word);
	snprintf(element->word, sizeof(element->word), "%s", word);
	snprintf(element->node, sizeof(element->node), "%s", node ? node : "");
	snprintf(element->reason, sizeof(element->reason), "%s", line && strcmp(line, "None") ? line : "");
}

struct error *slurm_look(const char *job, struct slurm_element *elements, size_t count)
{
	auto_text struct text answer = { 0 };
	auto_free char *arguments = memory_format("-h -r -t all -o '%%K|%%T|%%N|%%r' -j %s", job);
	struct error *err = ask_slurm("squeue", arguments, &answer);
	char *rest = answer.bytes, *line;

	memset(elements, 0, count * sizeof(*elements));
	if (err && answer.bytes && strstr(answer.bytes, "Invalid job id")) {
		error_destroy(err);
		return NULL;
	}
	if (err)
		return err;
	while (rest && (line = strsep(&rest, "\n")))
		read_element(line, elements, count);
	return NULL;
}

struct error *slurm_cancel(const char *job)
{
	auto_text struct text answer = { 0 };

	return ask_slurm("scancel", job, &answer);
}
