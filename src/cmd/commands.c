/* The list of subcommands, made from commands.def. */
#include <string.h>

#include "cmd/cmd.h"

static const struct command *const commands[] = {
#define COMMAND(id, name, summary) &command_##id,
#include "cmd/commands.def"
#undef COMMAND
};

size_t command_count(void)
{
	return ARRAY_SIZE(commands);
}

const struct command *command_at(size_t index)
{
	return commands[index];
}

const struct command *command_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		if (!strcmp(commands[i]->name, name))
			return commands[i];
	return NULL;
}

void command_print_usage(const struct command *command, FILE *out)
{
	fprintf(out, "usage: perfmini %s %s\n\n%s\n\n", command->name, command->operands, command->summary);
	options_print_help(command->options, out);
	fprintf(out, "\nperfmini-%s(1) says more.\n", command->name);
}

struct error *command_parse(const struct command *command, const struct options_parse *parse, char ***operands,
			    bool *helped)
{
	struct error *err = options_parse(parse, operands, helped);

	if (!err && *helped)
		command_print_usage(command, stdout);
	return err;
}
