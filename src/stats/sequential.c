/* Looking at the data before the end without being fooled by it. */
#include "stats/sequential.h"

#include <math.h>

#include "stats/descriptive.h"

static const struct {
	double blocks, alpha;
} shares[SEQUENTIAL_LOOKS] = { { 0.125, 0.1 }, { 0.25, 0.2 }, { 0.5, 0.3 }, { 1, 0.4 } };

void sequential_plan(size_t most, double alpha, struct look plan[SEQUENTIAL_LOOKS])
{
	for (size_t i = 0; i < SEQUENTIAL_LOOKS; i++)
		plan[i] = (struct look){ (size_t)ceil(shares[i].blocks * most), shares[i].alpha * alpha };
}

static double log_e_around(const double *differences, size_t count, double tau, double centre)
{
	double sum = 0, squares = 0;

	for (size_t i = 0; i < count; i++) {
		sum += differences[i] - centre;
		squares += (differences[i] - centre) * (differences[i] - centre);
	}
	return -0.5 * log1p(tau * tau * squares) + tau * tau * sum * sum / (2 * (1 + tau * tau * squares));
}

double sequential_log_e(const double *differences, size_t count, double tau)
{
	return log_e_around(differences, count, tau, 0);
}

/* From the mean outwards to the first centre that is rejected, then bisection. */
static double first_rejected(const double *differences, size_t count, double tau, double limit, int direction)
{
	double mean = descriptive_mean(differences, count), inside = 0, step = 1e-3 / tau, outside;

	for (outside = step; log_e_around(differences, count, tau, mean + direction * outside) < limit;) {
		inside = outside;
		outside *= 1.05;
		if (outside > 1e6 / tau)
			return direction * INFINITY;
	}
	for (int i = 0; i < 60; i++) {
		double middle = (inside + outside) / 2;

		if (log_e_around(differences, count, tau, mean + direction * middle) < limit)
			inside = middle;
		else
			outside = middle;
	}
	return mean + direction * outside;
}

struct interval sequential_confidence(const double *differences, size_t count, double tau, double alpha)
{
	double limit = -log(alpha);

	if (!count || !(tau > 0) || !(alpha > 0 && alpha < 1))
		return (struct interval){ NAN, NAN, NAN };
	return (struct interval){ first_rejected(differences, count, tau, limit, -1),
				  first_rejected(differences, count, tau, limit, 1), 1 - alpha };
}
