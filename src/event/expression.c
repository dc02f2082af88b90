/* A recursive-descent parser to postfix, and a stack that evaluates it. */
#include "event/expression.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/memory.h"

enum { DEPTH_LIMIT = 64 }; /* of the stack, and of parentheses */

enum operation { PUSH_NUMBER, PUSH_NAME, ADD, SUBTRACT, MULTIPLY, DIVIDE, MAXIMUM, MINIMUM, NEGATE };

struct step {
	enum operation operation;
	double number;
	size_t name; /* index into names */
};

struct expression {
	struct step *steps;
	size_t count, capacity;
	const char **names; /* in the arena */
	size_t name_count, name_capacity;
	struct arena *arena;
};

struct parser {
	struct expression *into;
	const char *text, *at;
	unsigned nesting, stack;
};

static struct error *parse_sum(struct parser *parser);

static struct error *refuse(const struct parser *parser, const char *what)
{
	return error_new(ERROR_USAGE, "expression: %s at column %zu of '%s'", what,
			 (size_t)(parser->at - parser->text) + 1, parser->text);
}

static char peek(struct parser *parser)
{
	while (isspace((unsigned char)*parser->at))
		parser->at++;
	return *parser->at;
}

static bool accept(struct parser *parser, char c)
{
	if (peek(parser) != c)
		return false;
	parser->at++;
	return true;
}

static struct error *emit(struct parser *parser, struct step step)
{
	struct expression *into = parser->into;

	if (step.operation <= PUSH_NAME && ++parser->stack > DEPTH_LIMIT)
		return refuse(parser, "too deep");
	if (step.operation >= ADD && step.operation <= MINIMUM)
		parser->stack--;
	array_grow(&into->steps, into->count, &into->capacity);
	into->steps[into->count++] = step;
	return NULL;
}

static bool is_name_start(char c)
{
	return isalpha((unsigned char)c) || c == '_';
}

static size_t name_length(const char *at)
{
	size_t length = 0;

	while (isalnum((unsigned char)at[length]) || (at[length] && strchr("_-.:=", at[length])))
		length++;
	return length;
}

static size_t name_index(struct expression *into, const char *name, size_t length)
{
	char *copy = arena_alloc(into->arena, length + 1);

	memcpy(copy, name, length);
	for (size_t i = 0; i < into->name_count; i++)
		if (!strcmp(into->names[i], copy))
			return i;
	array_grow(&into->names, into->name_count, &into->name_capacity);
	into->names[into->name_count] = copy;
	return into->name_count++;
}

static struct error *parse_call(struct parser *parser, enum operation operation)
{
	struct error *err;

	parser->at += 3; /* "max" or "min" */
	if (!accept(parser, '('))
		return refuse(parser, "'(' expected");
	err = parse_sum(parser);
	if (!err && !accept(parser, ','))
		err = refuse(parser, "',' expected");
	if (!err)
		err = parse_sum(parser);
	if (!err && !accept(parser, ')'))
		err = refuse(parser, "')' expected");
	return err ? err : emit(parser, (struct step){ .operation = operation });
}

static struct error *parse_name(struct parser *parser)
{
	size_t length = name_length(parser->at);
	const char *name = parser->at;

	if (length == 3 && !strncmp(name, "max", 3))
		return parse_call(parser, MAXIMUM);
	if (length == 3 && !strncmp(name, "min", 3))
		return parse_call(parser, MINIMUM);
	parser->at += length;
	return emit(parser, (struct step){ .operation = PUSH_NAME, .name = name_index(parser->into, name, length) });
}

static struct error *parse_number(struct parser *parser)
{
	char *end;
	double number = strtod(parser->at, &end);

	if (end == parser->at || !isfinite(number))
		return refuse(parser, "number expected");
	parser->at = end;
	return emit(parser, (struct step){ .operation = PUSH_NUMBER, .number = number });
}

static struct error *parse_parentheses(struct parser *parser)
{
	struct error *err = parse_sum(parser);

	if (!err && !accept(parser, ')'))
		err = refuse(parser, "')' expected");
	return err;
}

static struct error *parse_factor(struct parser *parser)
{
	struct error *err;
	char c = peek(parser);

	if (++parser->nesting > DEPTH_LIMIT)
		return refuse(parser, "too deep");
	if (accept(parser, '(')) {
		err = parse_parentheses(parser);
	} else if (accept(parser, '-')) {
		err = parse_factor(parser);
		if (!err)
			err = emit(parser, (struct step){ .operation = NEGATE });
	} else if (is_name_start(c)) {
		err = parse_name(parser);
	} else if (isdigit((unsigned char)c) || c == '.') {
		err = parse_number(parser);
	} else {
		err = refuse(parser, "event name or number expected");
	}
	parser->nesting--;
	return err;
}

static struct error *parse_product(struct parser *parser)
{
	struct error *err = parse_factor(parser);

	while (!err && (peek(parser) == '*' || peek(parser) == '/')) {
		enum operation operation = *parser->at++ == '*' ? MULTIPLY : DIVIDE;

		err = parse_factor(parser);
		if (!err)
			err = emit(parser, (struct step){ .operation = operation });
	}
	return err;
}

static struct error *parse_sum(struct parser *parser)
{
	struct error *err = parse_product(parser);

	while (!err && (peek(parser) == '+' || peek(parser) == '-')) {
		enum operation operation = *parser->at++ == '+' ? ADD : SUBTRACT;

		err = parse_product(parser);
		if (!err)
			err = emit(parser, (struct step){ .operation = operation });
	}
	return err;
}

struct error *expression_parse(const char *text, struct expression **ret)
{
	cleanup(expression_guard) struct expression *expression = memory_zeroed(1, sizeof(*expression));
	struct parser parser = { .into = expression, .text = text, .at = text };

	expression->arena = arena_create();

	struct error *err = parse_sum(&parser);

	if (!err && peek(&parser))
		err = refuse(&parser, "operator expected");
	if (err)
		return err;
	*ret = take(expression);
	return NULL;
}

size_t expression_names(const struct expression *expression, const char *const **ret)
{
	*ret = expression->names;
	return expression->name_count;
}

static double apply(enum operation operation, double left, double right)
{
	if (isnan(left) || isnan(right))
		return NAN; /* fmax() and fmin() would pass over a missing part */
	switch (operation) {
	case ADD:
		return left + right;
	case SUBTRACT:
		return left - right;
	case MULTIPLY:
		return left * right;
	case DIVIDE:
		return right == 0 ? NAN : left / right;
	case MAXIMUM:
		return fmax(left, right);
	case MINIMUM:
		return fmin(left, right);
	default:
		return NAN;
	}
}

double expression_value(const struct expression *expression, double (*value_of)(const char *name, void *closure),
			void *closure)
{
	double stack[DEPTH_LIMIT] = { 0 };
	size_t top = 0;

	for (size_t i = 0; i < expression->count; i++) {
		const struct step *step = &expression->steps[i];

		if (step->operation == PUSH_NUMBER)
			stack[top++] = step->number;
		else if (step->operation == PUSH_NAME)
			stack[top++] = value_of(expression->names[step->name], closure);
		else if (step->operation == NEGATE)
			stack[top - 1] = -stack[top - 1];
		else {
			top--;
			stack[top - 1] = apply(step->operation, stack[top - 1], stack[top]);
		}
	}
	return isfinite(stack[0]) ? stack[0] : NAN;
}

void expression_destroy(struct expression *expression)
{
	if (!expression)
		return;
	free(expression->steps);
	free(expression->names);
	arena_destroy(expression->arena);
	free(expression);
}
