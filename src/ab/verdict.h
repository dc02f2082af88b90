/* From an interval to a verdict, and from verdicts to an exit status. */
#ifndef AB_VERDICT_H
#define AB_VERDICT_H

#include <stdbool.h>
#include <stddef.h>

#include "stats/interval.h"

/* In the order in which they are tried: the first that holds is the verdict. */
enum verdict {
	VERDICT_INSUFFICIENT, /* too few blocks for an exact statement; never "no difference" */
	VERDICT_REGRESSED,    /* L > hi: worse by at least L */
	VERDICT_IMPROVED,     /* U < lo */
	VERDICT_EQUIVALENT,   /* lo <= l and u <= hi: no change larger than the threshold */
	VERDICT_WORSE,        /* L > 0, size unresolved */
	VERDICT_BETTER,       /* U < 0, size unresolved */
	VERDICT_NOT_WORSE,    /* u <= hi, may be better */
	VERDICT_INCONCLUSIVE,
};

/* On a scale where 0 is no change and more is worse (log ratio, or difference of counts). */
struct verdict_case {
	size_t count, minimum;  /* blocks (or builds) there are, and needed */
	struct interval wide;   /* [L, U] at 1 - alpha */
	struct interval narrow; /* [l, u] at 1 - 2 alpha: two one-sided tests at alpha */
	double limit;           /* hi = limit, lo = -limit; >= 0 */
};

enum verdict verdict_decide(const struct verdict_case *c);
const char *verdict_name(enum verdict verdict); /* "REGRESSED" */
/* Is a look at this verdict allowed to end the experiment? */
bool verdict_is_decisive(enum verdict verdict);

/* How one gate metric came out. */
struct gate_outcome {
	enum verdict verdict;
	bool not_worse;  /* u <= hi, whatever the verdict's name */
	bool is_usable;  /* counted, and not scaled */
};

struct exit_policy {
	bool fail_on_any_worse; /* WORSE is a failure as well */
	bool is_bisect;         /* the codes of `git bisect run` */
	bool untrusted_sessions; /* not interleaved: never 1 */
};

enum exit_status {
	EXIT_NOT_WORSE = 0,
	EXIT_REGRESSED = 1,
	EXIT_BAD_USAGE = 2,
	EXIT_UNRESOLVED = 3,
	EXIT_NOT_MEASURED = 4,
	EXIT_BISECT_SKIP = 125,  /* this commit cannot be judged */
	EXIT_BISECT_ABORT = 255, /* nothing here can be: stop blaming commits */
};

/* Of all gates; none usable is EXIT_NOT_MEASURED. */
int verdict_exit_status(const struct gate_outcome *gates, size_t count, const struct exit_policy *policy);
/* A status outside bisection to the one inside. */
int verdict_bisect_status(int status);

#endif
