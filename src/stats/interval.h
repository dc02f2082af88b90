/* An interval of values with the level it achieves. */
#ifndef STATS_INTERVAL_H
#define STATS_INTERVAL_H

/* Closed. An unbounded side is infinite; what cannot be computed is NaN on both sides with level NaN. */
struct interval {
	double low, high;
	double level; /* achieved, not asked for: 0.9375 for the widest exact interval of five blocks */
};

/* A point with its interval. */
struct estimate {
	double value;
	struct interval interval;
};

#endif
