/* Arithmetic over event counts: + - * / parentheses, max(a, b), min(a, b), numbers and event names. */
#ifndef EVENT_EXPRESSION_H
#define EVENT_EXPRESSION_H

#include <stddef.h>

#include "base/error.h"

struct expression;

/* '-' belongs to a name when it follows one without a space. Errors: ERROR_USAGE with the place. */
must_use struct error *expression_parse(const char *text, struct expression **ret);
/* The names it needs, each once; borrowed. */
size_t expression_names(const struct expression *expression, const char *const **ret);
/* value_of: a name's value, NaN when there is none. A missing part or a division by zero makes NaN. */
double expression_value(const struct expression *expression, double (*value_of)(const char *name, void *closure),
			void *closure);
void expression_destroy(struct expression *expression);
DEFINE_GUARD(expression)

#endif
