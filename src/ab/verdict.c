/* From an interval to a verdict, and from verdicts to an exit status. */
#include "ab/verdict.h"

enum verdict verdict_decide(const struct verdict_case *c)
{
	if (c->count < c->minimum)
		return VERDICT_INSUFFICIENT;
	if (c->wide.low > c->limit)
		return VERDICT_REGRESSED;
	if (c->wide.high < -c->limit)
		return VERDICT_IMPROVED;
	if (c->narrow.low >= -c->limit && c->narrow.high <= c->limit)
		return VERDICT_EQUIVALENT;
	if (c->wide.low > 0)
		return VERDICT_WORSE;
	if (c->wide.high < 0)
		return VERDICT_BETTER;
	return c->narrow.high <= c->limit ? VERDICT_NOT_WORSE : VERDICT_INCONCLUSIVE;
}

const char *verdict_name(enum verdict verdict)
{
	static const char *const names[] = {
		[VERDICT_INSUFFICIENT] = "INSUFFICIENT", [VERDICT_REGRESSED] = "REGRESSED",
		[VERDICT_IMPROVED] = "IMPROVED",         [VERDICT_EQUIVALENT] = "EQUIVALENT",
		[VERDICT_WORSE] = "WORSE",               [VERDICT_BETTER] = "BETTER",
		[VERDICT_NOT_WORSE] = "NOT WORSE",       [VERDICT_INCONCLUSIVE] = "INCONCLUSIVE",
	};

	return names[verdict];
}

bool verdict_is_decisive(enum verdict verdict)
{
	return verdict == VERDICT_REGRESSED || verdict == VERDICT_IMPROVED || verdict == VERDICT_EQUIVALENT;
}

int verdict_bisect_status(int status)
{
	switch (status) {
	case EXIT_NOT_WORSE:
	case EXIT_REGRESSED:
		return status;
	case EXIT_UNRESOLVED:
	case EXIT_NOT_MEASURED:
		return EXIT_BISECT_SKIP;
	default:
		return EXIT_BISECT_ABORT;
	}
}

static bool fails(const struct gate_outcome *gate, const struct exit_policy *policy)
{
	return gate->verdict == VERDICT_REGRESSED || (policy->fail_on_any_worse && gate->verdict == VERDICT_WORSE);
}

static int plain_status(const struct gate_outcome *gates, size_t count, const struct exit_policy *policy)
{
	size_t passed = 0, usable = 0;

	for (size_t i = 0; i < count; i++) {
		if (!gates[i].is_usable)
			continue;
		usable++;
		if (fails(&gates[i], policy))
			return policy->untrusted_sessions ? EXIT_UNRESOLVED : EXIT_REGRESSED;
		passed += gates[i].not_worse && gates[i].verdict != VERDICT_INSUFFICIENT;
	}
	if (!usable)
		return EXIT_NOT_MEASURED;
	return passed == count ? EXIT_NOT_WORSE : EXIT_UNRESOLVED;
}

int verdict_exit_status(const struct gate_outcome *gates, size_t count, const struct exit_policy *policy)
{
	int status = plain_status(gates, count, policy);

	return policy->is_bisect ? verdict_bisect_status(status) : status;
}
