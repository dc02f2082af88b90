/* One kind of one built-in workload as a program of its own (make workloads). usage: branch-imm [OPTIONS] [N] */
#include <string.h>

#include "base/memory.h"
#include "cmd/cmd.h"

#define TEXT_OF(word) #word
#define TEXT(word) TEXT_OF(word)

static bool is_syscall(void)
{
	return !strcmp(SINGLE_WORKLOAD, "syscall");
}

int main(int argc, char **argv)
{
	/* As if perfmini workload were given the name and the kind that were compiled in. */
	const char *const fixed[] = { "workload", is_syscall() ? "--markers" : SINGLE_WORKLOAD, TEXT(SINGLE_KIND),
				      is_syscall() ? SINGLE_WORKLOAD : NULL };
	size_t given = is_syscall() ? 4 : 3;
	auto_free char **all = memory_zeroed((size_t)argc + given, sizeof(*all));
	int status = EXIT_FAILURE;

	memcpy(all, fixed, given * sizeof(*all));
	memcpy(all + given, argv + 1, (size_t)argc * sizeof(*all));

	struct error *err = command_workload.run(argc - 1 + (int)given, all, &status);

	if (err)
		fprintf(stderr, "%s: %s\n", argv[0], error_message(err));
	error_destroy(err);
	return err ? EXIT_FAILURE : status;
}
