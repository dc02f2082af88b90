/* cmocka with what it needs included before it. Tests are collected by name:
 * void test_MODULE__what_holds(void **state), alone on its line. */
#ifndef TESTS_UNIT_TEST_H
#define TESTS_UNIT_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
/* cmocka.h must stand after these. */
#include <cmocka.h>

#include "base/error.h"

/* Fails with the error's message. Takes err. */
void assert_success(struct error *err);
/* Fails unless err is of that kind and its message holds the text. Takes err. */
void assert_failure(struct error *err, enum error_kind kind, const char *text);

#endif
