/** One impact per period: closed-form motions, and all admissible intervals of the period. */
#ifndef CAROM_MODES_SINGLE_IMPACT_H
#define CAROM_MODES_SINGLE_IMPACT_H

#include <carom/base/attributes.h>
#include <carom/modes/admissibility.h>
#include <carom/modes/branch_end.h>
#include <carom/modes/kernels.h>

CAROM_BEGIN_DECLARATIONS

/**
 * The motion of period T with one impact, lambda = -g_0 / Gamma_T(T) in closed form.
 *
 * @param[in]     basis  the structure
 * @param[in]     period T > 0, s, not a harmonic
 * @param[in,out] orbit  allocated with one impact; all fields written. lambda < 0: no motion, only
 * a potential solution; lambda is 0 if the gap at rest is 0
 * @return CAROM_OK; OUT_OF_RANGE if T <= 0; SINGULAR at a harmonic, and where Gamma_T(T) = 0
 * Source: thorin-2017 (7.15), (7.16). Cost: O(m).
 */
CAROM_MUST_CHECK carom_status carom_single_impact_orbit(const carom_modal_basis *basis,
                                                        double period, carom_orbit *orbit);

/**
 * The one period between two consecutive harmonics at which Gamma_T(T) = 0: there a motion exists
 * only for a gap of zero, with any impact speed; elsewhere the speed grows without bound towards
 * it.
 *
 * @param[in]  basis  the structure
 * @param[in]  lower  harmonic below, or 0; s
 * @param[in]  upper  the next harmonic above, s
 * @param[out] root   s, to rounding
 * @return CAROM_OK; OUT_OF_RANGE if the bounds are not in order; NOT_CONVERGED if there is no
 * root between them, which are then no consecutive harmonics
 * Source: thorin-2017 section 7.2.3.
 */
CAROM_MUST_CHECK carom_status carom_single_impact_root(const carom_modal_basis *basis, double lower,
                                                       double upper, double *root);

/** A maximal interval of periods whose motions with one impact are all admissible. */
typedef struct carom_period_interval {
    double lower; /**< s */
    double upper; /**< s */
    carom_branch_end lower_end;
    carom_branch_end upper_end;
    double lower_grazing_time; /**< instant of the new contact at that end, s; else NaN */
    double upper_grazing_time; /**< in (0, T/2]: the other is at T minus it */
} carom_period_interval;

typedef struct carom_period_intervals {
    int count;
    carom_period_interval *intervals; /**< [count] ascending */
} carom_period_intervals;

/** Told now and then up to which period, s, the search has come. */
typedef void (*carom_period_intervals_progress)(double period, void *context);

/** Most harmonics that a search for intervals passes: beyond, memory and time have no end. */
#define CAROM_PERIOD_INTERVALS_MOST_HARMONICS 1000000

/** Most samples of a half interval. */
#define CAROM_PERIOD_INTERVALS_MOST_SAMPLES 1000000

/** Number of harmonics of all visible modes up to a period, those that coincide counted twice, 1;
 * no int need hold it. */
double carom_single_impact_harmonics(const carom_modal_basis *basis, double max_period);

/**
 * All admissible intervals in (0, max_period]. For a gap > 0 they lie between a root and the next
 * harmonic above it, for a gap < 0 between a harmonic and the next root. Such a half interval holds
 * at most one, and that ends at its upper end: as the period T rises between harmonics, the unit
 * motion's distance from the obstacle at a fixed s = 2 tau - T, Gamma_T(s) - Gamma_T(T), grows
 * everywhere, its derivative being (sqrt(G)/2) sum rho^2 (1 - cos(w s/2) cos(w T/2)) / sin^2(w
 * T/2). The half interval is sampled from its upper end downwards, and the first change of sign of
 * the largest interior maximum of the contact displacement bisected to rounding. Missed are windows
 * shorter than 1e-7 of their half interval. Intervals cut by max_period end as LIMIT.
 *
 * @param[in]  basis      the structure; gap at rest not zero
 * @param[in]  max_period s
 * @param[in]  samples    per half interval, >= 8; more of them only bring nearer guesses
 * @param[in]  progress   may be NULL
 * @param[in]  context    handed to progress
 * @param[out] out        belongs to the caller, to be freed by carom_period_intervals_free
 * @param[out] report     quantity and value if refused; may be NULL
 * @return CAROM_OK, also if there is none; OUT_OF_RANGE (gap zero, period not positive, samples,
 * more harmonics than CAROM_PERIOD_INTERVALS_MOST_HARMONICS); OUT_OF_MEMORY; NOT_CONVERGED
 * Source: thorin-2017 section 7.2.3 (its two bullets interchanged, see the list of misprints); that
 * there is one interval at most is our own. Cost: O(samples) excesses per half interval.
 */
CAROM_MUST_CHECK carom_status
carom_single_impact_intervals(const carom_modal_basis *basis, double max_period, int samples,
                              carom_period_intervals_progress progress, void *context,
                              carom_period_intervals **out, carom_report *report);

/** Free; NULL is accepted. */
void carom_period_intervals_free(carom_period_intervals *intervals);
CAROM_AUTO_TYPE(carom_period_intervals)

CAROM_END_DECLARATIONS

#endif
