/* The keys of the terminal interface. */
#include "unit/test.h"

#include <curses.h>
#include <string.h>

#include "tui/request.h"

void test_request__each_key_asks_for_one_thing(void **state)
{
	(void)state;
	for (enum request request = REQUEST_NONE + 1; request < REQUEST_COUNT; request++) {
		const struct request_info *info = request_info(request);

		assert_true(info->keys[0] != 0);
		for (size_t i = 0; i < 4 && info->keys[i]; i++)
			assert_int_equal(request_of_key(info->keys[i], info->keys[i] >= KEY_MIN), request);
	}
}

void test_request__a_letter_is_no_key_code_of_the_same_number(void **state)
{
	(void)state;
	assert_int_equal(request_of_key(KEY_DOWN, true), REQUEST_DOWN);
	assert_int_equal(request_of_key(KEY_DOWN, false), REQUEST_NONE); /* U+0102 */
	assert_int_equal(request_of_key('q', false), REQUEST_BACK);
	assert_int_equal(request_of_key('q', true), REQUEST_NONE);
	assert_int_equal(request_of_key(L'é', false), REQUEST_NONE);
}
