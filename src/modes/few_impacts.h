/** One and two impacts per period (thorin-2017): closed forms, all intervals of the period, curves
 * of flight times, families at constant period. */
#ifndef CAROM_MODES_FEW_IMPACTS_H
#define CAROM_MODES_FEW_IMPACTS_H

#include <carom/base/base.h>
#include <carom/base/workers.h>
#include <carom/modes/modal_basis.h>
#include <carom/modes/orbit.h>
#include <carom/modes/orbit_search.h>

CAROM_BEGIN_DECLARATIONS

/* ----------------------------------------------------------------------------------- one impact */
/* One impact per period: closed-form motions, and all admissible intervals of the period. */

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

/**
 * Changes of sign of phi_c,T(T) = -Gamma_T(T) between two consecutive harmonics, and its least
 * slope, at 64 periods, denser towards both harmonics, where roots may hide.
 *
 * @param[in]     basis the structure
 * @param[in]     lower harmonic below, or 0; s
 * @param[in]     upper the next harmonic above, s
 * @param[in,out] slope lowered to the least slope met, m J^-1/2 / s
 * @return changes of sign
 * Source: thorin-2017 (7.15), section 7.2.3.
 */
int carom_single_impact_scan(const carom_modal_basis *basis, double lower, double upper,
                             double *slope);

/** A maximal interval of periods whose motions with one impact are all admissible. */
typedef struct carom_period_interval {
    double lower;               /**< s */
    double upper;               /**< s */
    carom_branch_end lower_end; /**< what ends it below */
    carom_branch_end upper_end; /**< and above */
    double lower_grazing_time;  /**< instant of the new contact at that end, s; else NaN */
    double upper_grazing_time;  /**< in (0, T/2]: the other is at T minus it */
} carom_period_interval;

/** A list of intervals. */
typedef struct carom_period_intervals {
    int count;                        /**< of intervals */
    carom_period_interval *intervals; /**< [count] ascending */
} carom_period_intervals;

/** Told now and then up to which period, s, the search has come. */
typedef void (*carom_period_intervals_progress)(double period, void *context);

/** Most harmonics that a search for intervals passes: beyond, memory and time have no end. */
#define CAROM_PERIOD_INTERVALS_MOST_HARMONICS 1000000

/** Most samples of a half interval. */
#define CAROM_PERIOD_INTERVALS_MOST_SAMPLES 1000000

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
 * there is one interval at most is our own. Cost: O(samples) penetrations per half interval.
 */
CAROM_MUST_CHECK carom_status
carom_single_impact_intervals(const carom_modal_basis *basis, double max_period, int samples,
                              carom_period_intervals_progress progress, void *context,
                              carom_period_intervals **out, carom_report *report);

/** The part of the periods from `lower` to `upper`, s, lower < upper, that lies in the intervals.
 */
double carom_period_intervals_part(const carom_period_intervals *intervals, double lower,
                                   double upper);

/** Free; NULL is accepted. */
void carom_period_intervals_free(carom_period_intervals *intervals);
CAROM_AUTO_TYPE(carom_period_intervals)

/** Periods of motions with one impact that are all neutrally stable, s. */
typedef struct carom_neutral_window {
    double lower; /**< s */
    double upper; /**< s */
} carom_neutral_window;

/** Which motions with one impact are stable. */
typedef struct carom_period_stability {
    int count;                     /**< windows */
    carom_neutral_window *windows; /**< [count] ascending */
    double smallest_radius;        /**< of all samples, 1; NaN: none has multipliers */
    double unstable_part;          /**< part of the samples that is unstable, 1; NaN likewise */
} carom_period_stability;

/**
 * Where the motions of admissible intervals are neutrally stable: each interval is sampled at
 * middles of equal parts, and the ends of runs of neutral samples are bisected to rounding. Missed
 * is what lies between two samples.
 *
 * @param[in]  basis     the structure
 * @param[in]  intervals from carom_single_impact_intervals
 * @param[in]  samples   of each interval, 1..CAROM_PERIOD_INTERVALS_MOST_SAMPLES
 * @param[in]  workers   who computes; the result does not depend on them
 * @param[out] out       belongs to the caller, to be freed by carom_period_stability_free
 * @param[out] report    quantity and value if refused; may be NULL
 * @return CAROM_OK; OUT_OF_RANGE; OUT_OF_MEMORY
 * Source: thorin-2017 section 8. Cost: O(m^3) a sample.
 */
CAROM_MUST_CHECK carom_status carom_single_impact_stability(const carom_modal_basis *basis,
                                                            const carom_period_intervals *intervals,
                                                            int samples, carom_workers workers,
                                                            carom_period_stability **out,
                                                            carom_report *report);

/** Free; NULL is accepted. */
void carom_period_stability_free(carom_period_stability *stability);
CAROM_AUTO_TYPE(carom_period_stability)

/* ---------------------------------------------------------------------------------- two impacts */
/* Two impacts per period: the curves of solutions in the plane of flight times. */

/**
 * The motion with two impacts of equal speed at a point of the curves, lambda_1 = lambda_2 = -g_0 /
 * (Gamma_T(T) + Gamma_T(sigma_2 - sigma_1)); the residual says how well the point is on a curve.
 *
 * @param[in]     basis   the structure
 * @param[in]     sigma_1 > 0, s
 * @param[in]     sigma_2 > 0, s
 * @param[in,out] orbit   allocated with two impacts; all fields written
 * @return CAROM_OK; OUT_OF_RANGE; SINGULAR at a harmonic or an infinite speed
 * Source: thorin-2017 section 7.3.2, -d/(alpha + beta).
 */
CAROM_MUST_CHECK carom_status carom_two_impacts_orbit(const carom_modal_basis *basis,
                                                      double sigma_1, double sigma_2,
                                                      carom_orbit *orbit);

/** A point p/2, q - p/2 of the periods of a mode, where curves meet a harmonic q T_i, and which way
 * two impacts of equal speed push beside it. */
typedef struct carom_two_impacts_point {
    double sigma_1;      /**< p/2 T_i, s */
    double sigma_2;      /**< (q - p/2) T_i, s */
    int mode;            /**< i, from 1 */
    int half_periods;    /**< p */
    double lambda_below; /**< at the same t_1, of a period that is a millionth smaller, J^1/2; NaN:
                              infinite */
    double lambda_above; /**< of a period that is a millionth larger */
} carom_two_impacts_point;

/**
 * All points in the square of flight times up to `side`, by mode, harmonic and p.
 *
 * @param[in]  basis  the structure
 * @param[in]  side   s
 * @param[out] points [count], or NULL to count
 * @return count
 * Source: thorin-2017 (7.22), (7.26). Cost: O(m) a point.
 */
int carom_two_impacts_points(const carom_modal_basis *basis, double side,
                             carom_two_impacts_point *points);

/** One curve in the triangle sigma_1 >= sigma_2; its mirror image is a curve as well. */
typedef struct carom_flight_time_curve {
    int count;       /**< of points */
    double *sigma_1; /**< [count] s */
    double *sigma_2; /**< [count] s */
    int is_closed;   /**< 1 if the last point joins the first */
} carom_flight_time_curve;

/** A list of curves. */
typedef struct carom_flight_time_curves {
    int count;                       /**< of curves */
    carom_flight_time_curve *curves; /**< [count] */
} carom_flight_time_curves;

/**
 * All curves of the zero set of a in 0 < sigma_2 <= sigma_1, sigma_1 + sigma_2 <= max_period,
 * except the trivial line sigma_1 = sigma_2 (divided out). Found by marching squares on a grid in T
 * and (sigma_1 - sigma_2)/T, saddles decided at the centre, with the diagonal, the axis and a line
 * just above every harmonic among its lines; every point is polished onto the curve to rounding.
 * Curves end within a cell of the axis sigma_2 = 0.
 *
 * @param[in]  basis      the structure
 * @param[in]  max_period s
 * @param[in]  cells      of the grid along a side, 8..32768; 400 resolves the paper's chain
 * @param[out] out        belongs to the caller, to be freed by carom_flight_time_curves_free
 * @param[out] report     may be NULL
 * @return CAROM_OK; OUT_OF_RANGE; OUT_OF_MEMORY
 * Source: thorin-2017 (7.20), figure 9. Cost: O(m cells (cells + harmonics)).
 */
CAROM_MUST_CHECK carom_status carom_two_impacts_curves(const carom_modal_basis *basis,
                                                       double max_period, int cells,
                                                       carom_flight_time_curves **out,
                                                       carom_report *report);

/** Free; NULL is accepted. */
void carom_flight_time_curves_free(carom_flight_time_curves *curves);
CAROM_AUTO_TYPE(carom_flight_time_curves)

/* ------------------------------------------------------------------------------ constant period */
/* Families of motions with two impacts at constant period and impact times, bridges among them. */

/**
 * Where a = 0 and alpha = beta, Gamma_T(T) = Gamma_T(sigma_2 - sigma_1), every pair lambda_1 +
 * lambda_2 = -g_0/alpha solves: a segment of motions, linear in lambda_1. With sigma_1 = sigma_2 it
 * is a bridge between motions with one and with two impacts per period (section 7.3.3).
 */
typedef struct carom_constant_period_family {
    double sigma_1;    /**< s; sigma_1 <= sigma_2 */
    double sigma_2;    /**< s */
    double lambda_sum; /**< lambda_1 + lambda_2, J^1/2 */
    int is_bridge;     /**< sigma_1 = sigma_2 */
    int is_full;       /**< the whole segment lambda_1, lambda_2 >= 0 is admissible */
    double
        lower_lambda; /**< admissible range of lambda_1, symmetric about half the sum; NaN both */
    double upper_lambda; /**< if no member is admissible */
} carom_constant_period_family;

/** A list of families. */
typedef struct carom_constant_period_families {
    int count;                              /**< of families */
    carom_constant_period_family *families; /**< [count] by rising period */
} carom_constant_period_families;

/**
 * The member of a family with a given lambda_1.
 *
 * @param[in]     basis    the structure
 * @param[in]     family   found by the functions below
 * @param[in]     lambda_1 J^1/2; lambda_2 is the rest of the sum
 * @param[in,out] orbit    allocated with two impacts; all fields written
 * @return CAROM_OK; SINGULAR at a harmonic
 * Source: thorin-2017 (7.27)-(7.30).
 */
CAROM_MUST_CHECK carom_status carom_constant_period_member(
    const carom_modal_basis *basis, const carom_constant_period_family *family, double lambda_1,
    carom_orbit *orbit);

/**
 * Solve for the family nearest to a guess of its flight times (two equations, two unknowns) and
 * judge its members: non-penetration is convex in lambda_1, so the admissible range is an interval.
 *
 * @param[in]  basis   the structure; gap at rest not zero
 * @param[in]  sigma_1 guess, s
 * @param[in]  sigma_2 guess, s
 * @param[out] family  complete
 * @param[out] report  may be NULL
 * @return CAROM_OK; NOT_CONVERGED; OUT_OF_RANGE; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_constant_period_solve(const carom_modal_basis *basis,
                                                          double sigma_1, double sigma_2,
                                                          carom_constant_period_family *family,
                                                          carom_report *report);

/**
 * All bridges with period <= max_period and lambda_sum > 0: the roots of sum (rho^2/w) tan(w T/4)
 * = 0, which rises between consecutive poles (odd multiples of the modes' periods), one root in
 * each.
 *
 * @param[in]  basis      the structure; gap at rest not zero
 * @param[in]  max_period s
 * @param[out] out        belongs to the caller, to be freed by carom_constant_period_families_free
 * @param[out] report     may be NULL
 * @return CAROM_OK; OUT_OF_RANGE; OUT_OF_MEMORY; NOT_CONVERGED
 */
CAROM_MUST_CHECK carom_status carom_constant_period_bridges(const carom_modal_basis *basis,
                                                            double max_period,
                                                            carom_constant_period_families **out,
                                                            carom_report *report);

/**
 * All families on given curves of the flight-time plane with sigma_1 != sigma_2 and lambda_sum >=
 * 0: each change of sign of alpha - beta along a curve, polished to rounding.
 *
 * @param[in]  basis  the structure; gap at rest not zero
 * @param[in]  curves from carom_two_impacts_curves
 * @param[out] out    belongs to the caller, to be freed by carom_constant_period_families_free
 * @param[out] report may be NULL
 * @return CAROM_OK; OUT_OF_RANGE; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_constant_period_on_curves(
    const carom_modal_basis *basis, const carom_flight_time_curves *curves,
    carom_constant_period_families **out, carom_report *report);

/** Free; NULL is accepted. */
void carom_constant_period_families_free(carom_constant_period_families *families);
CAROM_AUTO_TYPE(carom_constant_period_families)

CAROM_END_DECLARATIONS

#endif
