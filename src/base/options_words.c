/* An options struct as the command-line words that would make it. */
#include "base/options.h"

#include <string.h>

#include "base/memory.h"

struct words {
	char **items;
	size_t count, capacity;
};

/* Takes word. */
static void add(struct words *words, char *word)
{
	array_grow(&words->items, words->count, &words->capacity);
	words->items[words->count++] = word;
}

static bool same_text(const char *one, const char *other)
{
	return one == other || (one && other && !strcmp(one, other));
}

static void add_texts(struct words *words, const struct option *option, const struct option_texts *texts, size_t first)
{
	for (size_t i = first; i < texts->count; i++)
		add(words, memory_format("--%s=%s", option->name, texts->items[i]));
}

static void add_option(struct words *words, const struct option *option, const void *now, const void *before)
{
	switch (option->type) {
	case OPTION_FLAG:
	case OPTION_TOGGLE:
		if (*(const bool *)now != *(const bool *)before)
			add(words, memory_format("--%s%s", *(const bool *)now ? "" : "no-", option->name));
		break;
	case OPTION_REPEATED:
		for (unsigned i = *(const unsigned *)before; i < *(const unsigned *)now; i++)
			add(words, memory_format("--%s", option->name));
		break;
	case OPTION_TEXT:
		if (*(const char *const *)now && !same_text(*(const char *const *)now, *(const char *const *)before))
			add(words, memory_format("--%s=%s", option->name, *(const char *const *)now));
		break;
	case OPTION_TEXTS:
		add_texts(words, option, now, ((const struct option_texts *)before)->count);
		break;
	case OPTION_COUNT:
	case OPTION_SIZE:
		if (*(const uint64_t *)now != *(const uint64_t *)before)
			add(words, memory_format("--%s=%llu", option->name, (unsigned long long)*(const uint64_t *)now));
		break;
	case OPTION_INTEGER:
		if (*(const int64_t *)now != *(const int64_t *)before)
			add(words, memory_format("--%s=%lld", option->name, (long long)*(const int64_t *)now));
		break;
	case OPTION_REAL:
		if (*(const double *)now != *(const double *)before)
			add(words, memory_format("--%s=%.17g", option->name, *(const double *)now));
		break;
	case OPTION_CALL:
	case OPTION_END:
		break;
	}
}

char **options_words(const struct option *table, const void *chosen, const void *defaults)
{
	struct words words = { NULL, 0, 0 };

	for (; table->type != OPTION_END; table++)
		if (table->name)
			add_option(&words, table, (const char *)chosen + table->offset,
				   (const char *)defaults + table->offset);
	add(&words, NULL);
	return words.items;
}

void options_words_free(char **words)
{
	for (char **word = words; word && *word; word++)
		free(*word);
	free(words);
}
