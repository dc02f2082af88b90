#include "base/options.h"

#include "unit/test.h"

struct chosen {
	bool all, scale;
	unsigned detail;
	const char *output;
	struct option_texts events;
	uint64_t repeat, size;
};

static const struct option table[] = {
	{ 'a', "all", OPTION_FLAG, offsetof(struct chosen, all), NULL, "all", NULL, NULL },
	{ 0, "scale", OPTION_TOGGLE, offsetof(struct chosen, scale), NULL, "scale", NULL, NULL },
	{ 'd', "detailed", OPTION_REPEATED, offsetof(struct chosen, detail), NULL, "more", NULL, NULL },
	{ 'o', "output", OPTION_TEXT, offsetof(struct chosen, output), "FILE", "to", NULL, NULL },
	{ 'e', "event", OPTION_TEXTS, offsetof(struct chosen, events), "EVENT", "count", NULL, NULL },
	{ 'r', "repeat", OPTION_COUNT, offsetof(struct chosen, repeat), "N", "runs", NULL, NULL },
	{ 0, "size", OPTION_SIZE, offsetof(struct chosen, size), "BYTES", "size", NULL, NULL },
	{ .type = OPTION_END },
};

static struct error *parse_words(struct chosen *chosen, bool stop, char **argv, char ***operands)
{
	int argc = 0;
	bool help;

	while (argv[argc])
		argc++;

	struct options_parse parse = { table, chosen, stop, argc, argv };

	return options_parse(&parse, operands, &help);
}

void test_options__a_command_keeps_its_own_options(void **state)
{
	(void)state;
	struct chosen chosen = { .scale = true };
	char *argv[] = { "stat", "-ddd", "-ecycles", "--event", "faults", "--no-scale", "-r5", "-o", "f", "--size=2M",
			 "prog", "-a", "--", "-r", NULL };
	auto_free char **operands = NULL;

	assert_success(parse_words(&chosen, true, argv, &operands));
	assert_false(chosen.all);
	assert_false(chosen.scale);
	assert_int_equal(chosen.detail, 3);
	assert_int_equal(chosen.repeat, 5);
	assert_int_equal(chosen.size, 2 << 20);
	assert_int_equal(chosen.events.count, 2);
	assert_string_equal(chosen.events.items[1], "faults");
	assert_string_equal(operands[0], "prog");
	assert_string_equal(operands[1], "-a");
	assert_string_equal(operands[3], "-r");
	assert_null(operands[4]);
	option_texts_release(&chosen.events);
}

void test_options__options_may_follow_operands_of_readers(void **state)
{
	(void)state;
	struct chosen chosen = { 0 };
	char *argv[] = { "diff", "a.data", "-a", "b.data", "--", "-odd-name", NULL };
	auto_free char **operands = NULL;

	assert_success(parse_words(&chosen, false, argv, &operands));
	assert_true(chosen.all);
	assert_string_equal(operands[0], "a.data");
	assert_string_equal(operands[2], "-odd-name");
}

void test_options__bad_values_are_named(void **state)
{
	(void)state;
	struct chosen chosen = { 0 };
	char **operands = NULL;
	char *negative[] = { "stat", "-r", "-1", NULL }, *unknown[] = { "stat", "--repaet", NULL },
	     *missing[] = { "stat", "-o", NULL };

	assert_failure(parse_words(&chosen, true, negative, &operands), ERROR_USAGE, "--repeat: '-1'");
	assert_failure(parse_words(&chosen, true, unknown, &operands), ERROR_USAGE, "--repaet");
	assert_failure(parse_words(&chosen, true, missing, &operands), ERROR_USAGE, "-o");
	assert_null(operands);
}
