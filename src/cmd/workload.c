/* perfmini workload: run a built-in workload, say how many operations it did. */
#include "workload/workload.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "cmd/cmd.h"

struct workload_options {
	bool list;
	const char *markers, *pressure;
	uint64_t threads, array_bytes;
	uint64_t cpu;
};

/* Not what anyone asks for: tells "not given" from 0, which is refused by name. */
static const uint64_t not_given = UINT64_MAX;

static const struct option options[] = {
	{ 'l', "list", OPTION_FLAG, offsetof(struct workload_options, list), NULL,
	  "list the workloads, their units of work and default counts", NULL, NULL },
	{ 't', "threads", OPTION_COUNT, offsetof(struct workload_options, threads), "N",
	  "share the work among N threads (burn, lock)", NULL, NULL },
	{ 0, "array", OPTION_SIZE, offsetof(struct workload_options, array_bytes), "BYTES",
	  "size of the memory gone through (branch, syscall)", NULL, NULL },
	{ 0, "markers", OPTION_TEXT, offsetof(struct workload_options, markers), "KIND",
	  "dormant markers in the call: none, global, imm (syscall)", NULL, "none global imm" },
	{ 0, "pressure", OPTION_TEXT, offsetof(struct workload_options, pressure), "KIND",
	  "what writes memory between calls: none, sweep, random (syscall)", NULL, "none sweep random" },
	{ 0, "pin", OPTION_COUNT, offsetof(struct workload_options, cpu), "CPU",
	  "keep both ends on this CPU (pipe)", NULL, NULL },
	{ .type = OPTION_END },
};

static void print_kinds(const struct workload *workload)
{
	for (size_t i = 0; workload->kinds && workload->kinds[i]; i++)
		printf("%s%s", i ? "|" : " ", workload->kinds[i]);
}

static void print_options(const struct workload *workload)
{
	static const struct {
		enum workload_takes takes;
		const char *text;
	} shown[] = {
		{ TAKES_THREADS, "[--threads N]" },
		{ TAKES_ARRAY, "[--array BYTES]" },
		{ TAKES_MARKERS, "[--markers none|global|imm]" },
		{ TAKES_PRESSURE, "[--pressure none|sweep|random]" },
		{ TAKES_PIN, "[--pin CPU]" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(shown); i++)
		if (workload->takes & shown[i].takes)
			printf(" %s", shown[i].text);
}

static void print_list(void)
{
	for (size_t i = 0; i < workload_count(); i++) {
		const struct workload *workload = workload_at(i);

		printf("%s%s", i ? "\n" : "", workload->name);
		print_kinds(workload);
		print_options(workload);
		printf(" [N]\n  %s\n  N: %s, default %" PRIu64 "\n", workload->summary, workload->unit,
		       workload->count);
	}
}

static struct workload_request request_from(const struct workload_options *chosen)
{
	return (struct workload_request){
		.markers = chosen->markers,
		.pressure = chosen->pressure,
		.threads = chosen->threads,
		.threads_given = chosen->threads != not_given,
		.array_bytes = chosen->array_bytes,
		.array_given = chosen->array_bytes != not_given,
		.cpu = chosen->cpu,
	};
}

/* operands: NAME [KIND] [COUNT]. */
static struct error *plan_from(char **operands, struct workload_request *request,
			       const struct workload **workload, struct workload_plan *plan)
{
	struct error *err = workload_find(*operands++, workload);

	if (err)
		return err;
	if ((*workload)->kinds && *operands)
		request->kind = *operands++;
	if (*operands)
		request->count = *operands++;
	if (*operands)
		return error_new(ERROR_USAGE, "unexpected argument '%s'", *operands);
	return workload_plan(*workload, request, plan);
}

static struct error *run_workload(char **operands, const struct workload_options *chosen)
{
	struct workload_request request = request_from(chosen);
	struct workload_plan plan;
	const struct workload *workload;
	struct error *err = plan_from(operands, &request, &workload, &plan);

	if (err)
		return err;
	err = workload->run(&plan);
	if (err)
		return err;
	/* What stat's --ops-from reads. */
	printf("%" PRIu64 " %s\n", plan.count, workload->unit);
	return NULL;
}

static struct error *run(int argc, char **argv, int *status)
{
	struct workload_options chosen = { .threads = not_given, .array_bytes = not_given, .cpu = WORKLOAD_ANY_CPU };
	struct options_parse parse = { options, &chosen, false, argc, argv };
	auto_free char **operands = NULL;
	bool helped;
	struct error *err = command_parse(&command_workload, &parse, &operands, &helped);

	if (err)
		return err;
	*status = 0;
	if (helped)
		return NULL;
	if (chosen.list) {
		print_list();
		return NULL;
	}
	if (!operands[0])
		return error_hint(error_new(ERROR_USAGE, "no workload named"), "'perfmini workload --list' shows all");
	return run_workload(operands, &chosen);
}

const struct command command_workload = { "workload", "run a built-in workload whose work is known exactly", run,
					  options, "[OPTIONS] NAME [KIND] [N]" };
