/* Distributions and special functions: GSL behind checks, since GSL ends the program on a bad argument. */
#include "stats/distribution.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_sf_psi.h>
#include <math.h>

double normal_cdf(double x)
{
	return gsl_cdf_ugaussian_P(x);
}

double normal_quantile(double probability)
{
	if (!(probability >= 0 && probability <= 1))
		return NAN;
	return gsl_cdf_ugaussian_Pinv(probability);
}

double t_cdf(double t, double df)
{
	if (isnan(t) || !(df > 0))
		return NAN;
	return isinf(df) ? normal_cdf(t) : gsl_cdf_tdist_P(t, df);
}

double t_quantile(double probability, double df)
{
	if (!(probability >= 0 && probability <= 1) || !(df > 0))
		return NAN;
	if (probability > 0.5) /* the lower tail keeps its digits */
		return -t_quantile(1 - probability, df);
	if (probability == 0.5)
		return 0;
	if (probability == 0)
		return -INFINITY;
	if (isinf(df))
		return normal_quantile(probability);

	double t = gsl_cdf_tdist_Pinv(probability, df);

	/* GSL's inverse loses half its digits far out, its CDF does not: Newton takes them back. */
	for (int i = 0; i < 3; i++) {
		double step = (gsl_cdf_tdist_P(t, df) - probability) / gsl_ran_tdist_pdf(t, df);

		if (isfinite(step))
			t -= step;
	}
	return t;
}

double t_two_sided(double t, double df)
{
	return 2 * t_cdf(-fabs(t), df);
}

double f_upper(double f, double df1, double df2)
{
	if (isnan(f) || !(df1 > 0) || !(df2 > 0))
		return NAN;
	return f <= 0 ? 1 : gsl_cdf_fdist_Q(f, df1, df2);
}

/* Logarithms: trials exceed the integers that GSL's own takes. */
double binomial_pmf(double successes, double trials, double probability)
{
	double failures = trials - successes;

	if (!(successes >= 0) || !(failures >= 0) || !(probability >= 0 && probability <= 1))
		return NAN;
	if (probability == 0 || probability == 1)
		return successes == trials * probability ? 1 : 0;
	if (trials < 4e9)
		return gsl_ran_binomial_pdf((unsigned int)successes, probability, (unsigned int)trials);
	return exp(lgamma(trials + 1) - lgamma(successes + 1) - lgamma(failures + 1) +
		   successes * log(probability) + failures * log1p(-probability));
}

double binomial_cdf(double successes, double trials, double probability)
{
	if (isnan(successes) || !(trials >= 0) || !(probability >= 0 && probability <= 1))
		return NAN;
	if (successes < 0)
		return 0;
	if (successes >= trials || probability == 0)
		return 1;
	if (probability == 1)
		return 0;
	return gsl_cdf_beta_Q(probability, floor(successes) + 1, trials - floor(successes));
}

double gamma_quantile(double probability, double shape)
{
	double low = 0, high = shape + 40 * sqrt(shape) + 800;

	if (!(probability >= 0 && probability < 1) || !(shape > 0) || !isfinite(high))
		return NAN;
	for (int i = 0; i < 1100 && high - low > 1e-15 * high; i++) {
		double middle = low + (high - low) / 2;

		if (gsl_cdf_gamma_P(middle, shape, 1) < probability)
			low = middle;
		else
			high = middle;
	}
	return low + (high - low) / 2;
}

double beta_quantile(double probability, double a, double b)
{
	double low = 0, high = 1, middle = a / (a + b), next;

	if (!(probability >= 0 && probability <= 1) || !(a > 0) || !(b > 0))
		return NAN;
	/* Newton's steps on the CDF, halves where one leaves the bracket: GSL's own inverse gives up for large a and b. */
	for (int i = 0; i < 1100 && high - low > 1e-16 * high; i++) {
		double above = gsl_cdf_beta_P(middle, a, b) - probability;

		if (above < 0)
			low = middle;
		else
			high = middle;
		next = middle - above / gsl_ran_beta_pdf(middle, a, b);
		if (fabs(next - middle) <= 4e-16 * middle)
			return next;
		middle = next > low && next < high ? next : low + (high - low) / 2;
		if (middle == 0)
			break;
	}
	return low + (high - low) / 2;
}

double digamma(double x)
{
	return x > 0 ? gsl_sf_psi(x) : NAN;
}

double trigamma(double x)
{
	return x > 0 ? gsl_sf_psi_1(x) : NAN;
}

/* Newton on 1/trigamma, which is nearly linear (Smyth 2004, appendix). */
double trigamma_inverse(double y)
{
	if (!(y > 0))
		return NAN;
	if (y > 1e7)
		return 1 / sqrt(y);
	if (y < 1e-6)
		return 1 / y;

	double x = 0.5 + 1 / y;

	for (int i = 0; i < 50; i++) {
		double value = trigamma(x);
		double step = value * (1 - value / y) / gsl_sf_psi_n(2, x);

		x += step;
		if (-step / x < 1e-14)
			break;
	}
	return x;
}
