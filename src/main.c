/* Find the command, run it, report its error. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "cmd/cmd.h"

enum { EXIT_USAGE = 129 };

static void print_usage(FILE *out)
{
	fputs("usage: perfmini COMMAND [OPTIONS] [ARGUMENTS]\n\n", out);
	for (size_t i = 0; i < command_count(); i++)
		fprintf(out, "  %-14s %s\n", command_at(i)->name, command_at(i)->summary);
	fputs("\n'perfmini COMMAND -h' lists a command's options; perfmini(1) is the overview.\n", out);
}

/* The only place that prints an error. Returns the exit status and destroys err. */
static int report_error(const char *command, struct error *err)
{
	int status = error_status(err, error_kind(err) == ERROR_USAGE ? EXIT_USAGE : EXIT_FAILURE);

	fflush(stdout);
	auto_text struct text said = { 0 };

	text_append_message(&said, error_message(err));
	if (error_hint_text(err)) {
		text_append(&said, "\nhint: ");
		text_append_message(&said, error_hint_text(err));
	}
	fprintf(stderr, "perfmini %s: %s\n", command, said.bytes ? said.bytes : "");
	error_destroy(err);
	return status;
}

/* Words for the shell to offer; src/cmd/completion/ asks with --complete [COMMAND]. */
static int print_completions(const char *name)
{
	const struct command *command = name ? command_find(name) : NULL;

	if (command)
		options_print_words(command->options, stdout);
	else if (name)
		return EXIT_FAILURE;
	else
		for (size_t i = 0; i < command_count(); i++)
			printf("%s\t%s\n", command_at(i)->name, command_at(i)->summary);
	return EXIT_SUCCESS;
}

static int unknown_command(const char *name)
{
	auto_free const char **names = memory_zeroed(command_count(), sizeof(*names));

	for (size_t i = 0; i < command_count(); i++)
		names[i] = command_at(i)->name;

	const char *near = text_nearest(name, names, command_count());

	fprintf(stderr, "perfmini: unknown command '%s'\n", name);
	if (near)
		fprintf(stderr, "hint: did you mean 'perfmini %s'? 'perfmini help' lists all\n", near);
	else
		fprintf(stderr, "hint: 'perfmini help' lists all\n");
	return EXIT_USAGE;
}

/* What was printed must have arrived: a closed or full stdout is an error, not silence. */
static int flush_output(const char *command, int status)
{
	if (!fflush(stdout) && !ferror(stdout))
		return status;
	if (errno != EPIPE)
		fprintf(stderr, "perfmini %s: write standard output: %s\n", command, strerror(errno));
	return status ? status : EXIT_FAILURE;
}

static int run_command(const struct command *command, int argc, char **argv)
{
	int status = EXIT_FAILURE;
	struct error *err = command->run(argc, argv, &status);

	return flush_output(command->name, err ? report_error(command->name, err) : status);
}

/* "help", or "help stat", which is "stat -h". */
static int help(const char *topic)
{
	static char option[] = "-h";
	const struct command *command = topic ? command_find(topic) : NULL;

	if (command)
		return run_command(command, 2, (char *[]){ (char *)topic, option, NULL });
	if (topic)
		return unknown_command(topic);
	print_usage(stdout);
	return flush_output("help", EXIT_SUCCESS);
}

static void ignore_signal(int number)
{
	(void)number;
}

/* A closed pipe is an error of the write, not our death. A handler, since a command we start would keep an
 * ignored signal ignored; what was ignored before stays so. */
static void survive_closed_pipes(void)
{
	struct sigaction action = { .sa_flags = SA_RESTART }, old;

	action.sa_handler = ignore_signal;
	if (!sigaction(SIGPIPE, NULL, &old) && old.sa_handler == SIG_DFL)
		sigaction(SIGPIPE, &action, NULL);
}

/* Recordings and binaries are mapped: one that is cut while it is read takes its pages away. */
static void tell_of_cut_file(int number)
{
	static const char text[] = "perfmini: a file was cut short while it was read; run again when nothing writes to it\n";

	(void)number;
	(void)!write(STDERR_FILENO, text, sizeof(text) - 1);
	_exit(EXIT_FAILURE);
}

static void survive_cut_files(void)
{
	struct sigaction action = { .sa_flags = 0 };

	action.sa_handler = tell_of_cut_file;
	sigaction(SIGBUS, &action, NULL);
}

/* A standard stream that is closed would be the next file opened. Opened the wrong way round, so that using it is
 * still the error it was. */
static void fill_closed_streams(void)
{
	for (int fd = 0; fd <= 2; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			(void)!open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : NULL;
	const struct command *command = name ? command_find(name) : NULL;

	fill_closed_streams();
	survive_closed_pipes();
	survive_cut_files();
	if (command)
		return run_command(command, argc - 1, argv + 1);
	if (!name) {
		print_usage(stderr);
		return EXIT_USAGE;
	}
	if (!strcmp(name, "--complete"))
		return print_completions(argc > 2 ? argv[2] : NULL);
	if (!strcmp(name, "help") || !strcmp(name, "--help") || !strcmp(name, "-h"))
		return help(argc > 2 ? argv[2] : NULL);
	if (!strcmp(name, "--version"))
		return run_command(command_find("version"), 1, argv + 1);
	return unknown_command(name);
}
