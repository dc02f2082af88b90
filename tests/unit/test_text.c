#include "base/text.h"

#include "unit/test.h"

static void assert_escaped(const char *name, const char *expected)
{
	auto_text struct text out = { 0 };

	text_append_escaped(&out, name);
	assert_string_equal(out.bytes, expected);
}

void test_text__names_cannot_command_a_terminal(void **state)
{
	(void)state;
	assert_escaped("plain::name<int>", "plain::name<int>");
	assert_escaped("\x1b[31mred", "\\x1b[31mred");
	assert_escaped("caf\xc3\xa9", "caf\xc3\xa9");
	assert_escaped("bad\xff", "bad\\xff");
	assert_escaped("c1\xc2\x9b", "c1\\xc2\\x9b");
	assert_escaped("back\\slash", "back\\x5cslash");
}

void test_text__numbers_are_grouped_by_thousands(void **state)
{
	(void)state;
	auto_text struct text out = { 0 };

	text_append_grouped(&out, 18446744073709551615u);
	assert_string_equal(out.bytes, "18,446,744,073,709,551,615");
	text_clear(&out);
	text_append_grouped_double(&out, -1234.567, 2);
	assert_string_equal(out.bytes, "-1,234.57");
}

void test_text__a_typing_error_finds_its_word(void **state)
{
	(void)state;
	static const char *const words[] = { "cycles", "instructions", "branches" };

	assert_string_equal(text_nearest("instrctions", words, 3), "instructions");
	assert_null(text_nearest("zzz", words, 3));
}

void test_text__nothing_of_nowhere_is_nothing(void **state)
{
	(void)state;
	auto_text struct text text = { 0 };

	text_append_bytes(&text, NULL, 0);
	assert_string_equal(text.bytes, "");
	text_append(&text, "a");
	text_append_bytes(&text, NULL, 0);
	assert_string_equal(text.bytes, "a");
}

void test_text__a_message_keeps_what_is_escaped_already(void **state)
{
	(void)state;
	auto_text struct text text = { 0 };

	text_append_message(&text, "\\x1b[31m \033[0m a\nb \xff قياس");
	assert_string_equal(text.bytes, "\\x1b[31m \\x1b[0m a\\x0ab \\xff قياس");
}
