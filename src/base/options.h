/* Command-line options as a constant table. Parsing (by popt), -h, shell completion and the check that
 * every option stands in its man page all read the same table. */
#ifndef BASE_OPTIONS_H
#define BASE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* What an option stores at its offset of the command's options struct. */
enum option_type {
	OPTION_END,
	OPTION_FLAG,     /* bool: true when given */
	OPTION_TOGGLE,   /* bool: true for --name, false for --no-name */
	OPTION_REPEATED, /* unsigned: how many times given (-v -v) */
	OPTION_TEXT,     /* const char *: the last one given; borrowed from argv */
	OPTION_TEXTS,    /* struct option_texts: all, in order */
	OPTION_COUNT,    /* uint64_t: a whole number, not negative */
	OPTION_INTEGER,  /* int64_t: a whole number */
	OPTION_REAL,     /* double: finite */
	OPTION_SIZE,     /* uint64_t bytes: 4096, 64K, 16M, 1G (powers of 1024) */
	OPTION_CALL,     /* call(text, where) decides; text is NULL without an argument */
};

struct option_texts {
	const char **items; /* borrowed from argv */
	size_t count, capacity;
};

struct option {
	char letter;          /* 0: long name only */
	const char *name;     /* without the dashes; NULL: letter only */
	enum option_type type;
	size_t offset;        /* offsetof() in the options struct */
	const char *argument; /* its name in -h: "FILE"; NULL for a flag */
	const char *help;
	struct error *(*call)(const char *text, void *where);
	const char *words;    /* what completion offers for the argument: "a b c", or NULL for files */
};

struct options_parse {
	const struct option *table;   /* ends with OPTION_END */
	void *into;                   /* the options struct, holding the defaults */
	bool stop_at_operand;         /* the rest is a command to run: its options are not ours */
	int argc;
	char **argv;                  /* argv[0] is the subcommand */
};

/**
 * Parse argv.
 *
 * operands: what is no option, NULL-terminated, in order; an array the caller frees, its strings borrowed
 *           from argv.
 * help:     -h or --help was given; nothing else was checked then.
 * Errors:   ERROR_USAGE names the option and suggests a near one.
 */
must_use struct error *options_parse(const struct options_parse *parse, char ***operands, bool *help);

/* The other way: words ("--name=value") that set what chosen has other than defaults, NULL-terminated; OPTION_CALL is left
 * out. Both are options structs of the table. The caller frees the words and the array: options_words_free(). */
char **options_words(const struct option *table, const void *chosen, const void *defaults);
void options_words_free(char **words);

void option_texts_release(struct option_texts *texts);

/* One line an option, as -h shows them. */
void options_print_help(const struct option *table, FILE *out);
/* "--name\tletter\targument\thelp" a line, for completion and for the man-page check. */
void options_print_words(const struct option *table, FILE *out);

#endif
