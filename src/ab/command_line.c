/* Command lines given as text: split into words, scans expanded, placeholders filled in. */
#include "ab/command_line.h"

#include <popt.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

static const char *const *copy_words(struct arena *arena, const char *const *words, size_t count)
{
	const char **copy = arena_alloc(arena, (count + 1) * sizeof(*copy));

	for (size_t i = 0; i < count; i++)
		copy[i] = arena_strdup(arena, words[i]);
	return copy;
}

/* popt does not refuse an open quote. */
static bool quote_is_open(const char *text)
{
	char quote = 0;

	for (; *text; text++) {
		if (*text == '\\' && text[1])
			text++;
		else if (quote ? *text == quote : *text == '\'' || *text == '"')
			quote = quote ? 0 : *text;
	}
	return quote != 0;
}

struct error *command_line_split(struct arena *arena, const char *text, bool shell, const char *const **ret)
{
	const char *const shell_words[] = { "/bin/sh", "-c", text };
	const char **words = NULL;
	int count = 0, failed;

	if (shell) {
		*ret = copy_words(arena, shell_words, ARRAY_SIZE(shell_words));
		return NULL;
	}
	if (quote_is_open(text))
		return error_new(ERROR_USAGE, "'%s': a quote is left open", text);
	failed = poptParseArgvString(text, &count, &words);
	if (failed || !count) {
		free(words);
		return error_new(ERROR_USAGE, "'%s' is no command", text);
	}
	*ret = copy_words(arena, words, (size_t)count);
	free(words);
	return NULL;
}

static void append_word(struct text *out, const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%{}";

	if (*word && word[strspn(word, plain)] == '\0') {
		text_append(out, word);
		return;
	}
	text_append_char(out, '\'');
	for (; *word; word++) {
		if (*word == '\'')
			text_append(out, "'\\''");
		else
			text_append_char(out, *word);
	}
	text_append_char(out, '\'');
}

char *command_line_join(const char *const *words)
{
	auto_text struct text out = { 0 };

	for (size_t i = 0; words && words[i]; i++) {
		if (i)
			text_append_char(&out, ' ');
		append_word(&out, words[i]);
	}
	return text_steal(&out);
}

struct error *scan_parse(struct arena *arena, const char *text, struct scan *ret)
{
	const char *equals = strchr(text, '=');
	struct scan scan = { 0 };

	if (!equals || equals == text || !equals[1])
		return error_hint(error_new(ERROR_USAGE, "-L '%s' is not name=value,value…", text),
				  "such as: -L threads=1,2,4 -- './prog -t {threads}'");
	scan.name = strndupa(text, (size_t)(equals - text));
	scan.name = arena_strdup(arena, scan.name);

	char *values = arena_strdup(arena, equals + 1);

	scan.values = arena_alloc(arena, (strlen(values) + 1) * sizeof(*scan.values));
	for (char *value; (value = strsep(&values, ","));)
		scan.values[scan.count++] = value;
	*ret = scan;
	return NULL;
}

const char *command_line_replace(struct arena *arena, const char *text, const char *name, const char *value)
{
	auto_free char *key = memory_format("{%s}", name);
	auto_text struct text out = { 0 };

	for (const char *found; (found = strstr(text, key)); text = found + strlen(key)) {
		text_append_bytes(&out, text, (size_t)(found - text));
		text_append(&out, value);
	}
	text_append(&out, text);
	return arena_strdup(arena, out.bytes ? out.bytes : "");
}
