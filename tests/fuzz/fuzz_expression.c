/* Metric expressions: any text parses or is refused; what parses has a value or NaN. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/memory.h"
#include "event/expression.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static double value_of(const char *name, void *closure)
{
	(void)closure;
	return name[0] == 'n' ? NAN : (double)name[0];
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	auto_free char *text = memory_strndup((const char *)bytes, size);
	cleanup(expression_guard) struct expression *expression = NULL;
	struct error *err = expression_parse(text, &expression);

	if (!err && isinf(expression_value(expression, value_of, NULL)))
		abort();
	error_destroy(err);
	return 0;
}
