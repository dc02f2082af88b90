/* Run every collected test, or those whose name holds argv[1]. */
#include "unit/test.h"

#include <stdio.h>

#define TEST(name) void name(void **state);
#include "unit_tests.h"
#undef TEST

static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test(name),
#include "unit_tests.h"
#undef TEST
};

void assert_success(struct error *err)
{
	if (err)
		fail_msg("unexpected error: %s", error_message(err));
}

void assert_failure(struct error *err, enum error_kind kind, const char *text)
{
	if (!err)
		fail_msg("no error, expected one with '%s'", text);
	if (error_kind(err) != kind || !strstr(error_message(err), text))
		fail_msg("error '%s' of kind %d, expected '%s' of kind %d", error_message(err),
			 (int)error_kind(err), text, (int)kind);
	error_destroy(err);
}

int main(int argc, char **argv)
{
	char pattern[256];

	if (argc > 1) {
		snprintf(pattern, sizeof(pattern), "*%s*", argv[1]);
		cmocka_set_test_filter(pattern);
	}
	return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
