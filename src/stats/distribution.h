/* Distributions and special functions (GSL inside). Arguments outside the domain give NaN. */
#ifndef STATS_DISTRIBUTION_H
#define STATS_DISTRIBUTION_H

#include <stddef.h>

double normal_cdf(double x);
double normal_quantile(double probability);

/* Student's t; infinite df is the normal distribution. */
double t_cdf(double t, double df);
double t_quantile(double probability, double df);
double t_two_sided(double t, double df); /* P(|T| >= |t|) */

double f_upper(double f, double df1, double df2);

double binomial_pmf(double successes, double trials, double probability);
double binomial_cdf(double successes, double trials, double probability);
double beta_quantile(double probability, double a, double b);

double gamma_quantile(double probability, double shape); /* of scale 1 */

double digamma(double x);
double trigamma(double x);
double trigamma_inverse(double y);

#endif
