#include <errno.h>

#include "unit/test.h"

void test_error__wrap_puts_what_failed_first(void **state)
{
	(void)state;
	struct error *err = error_wrap(error_os(ENOENT, "open %s", "a.data"), "report");

	assert_failure(err, ERROR_OS, "report: open a.data: No such file or directory");
}

void test_error__refused_call_is_a_permission_error(void **state)
{
	(void)state;
	assert_failure(error_os(EPERM, "open cycles"), ERROR_PERMISSION, "open cycles");
}
