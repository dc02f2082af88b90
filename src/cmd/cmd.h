/* What a subcommand is: a function and a table of options, named in commands.def. */
#ifndef CMD_CMD_H
#define CMD_CMD_H

#include "base/error.h"
#include "base/options.h"

/**
 * Run one subcommand.
 *
 * argv:   argv[0] is the subcommand; NULL-terminated, borrowed.
 * status: exit status on success: 0, or the measured command's own.
 * Errors: ERROR_USAGE for a bad command line, else whatever failed.
 */
typedef struct error *command_run(int argc, char **argv, int *status);

struct command {
	const char *name, *summary;
	command_run *run;
	const struct option *options; /* ends with OPTION_END */
	const char *operands;         /* for the usage line: "[OPTIONS] COMMAND [ARGUMENT…]" */
};

#define COMMAND(id, name, summary) extern const struct command command_##id;
#include "cmd/commands.def"
#undef COMMAND

/* All commands, in the order of commands.def. */
size_t command_count(void);
const struct command *command_at(size_t index);
const struct command *command_find(const char *name); /* or NULL */

void command_print_usage(const struct command *command, FILE *out);

/* Parse for a command: prints the help itself and sets *helped, when it was asked for. Otherwise as options_parse(). */
must_use struct error *command_parse(const struct command *command, const struct options_parse *parse,
				     char ***operands, bool *helped);

#endif
