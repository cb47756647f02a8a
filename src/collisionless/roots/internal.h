/** The parts of the search for impact times: exclusion, subdivision, Newton, and families of roots.
 * */
#ifndef CAROM_COLLISIONLESS_ROOTS_INTERNAL_H
#define CAROM_COLLISIONLESS_ROOTS_INTERNAL_H

#include <carom/base/base.h>
#include <carom/collisionless/motion/internal.h>
#include <carom/collisionless/motion/spectral_motion.h>
#include <carom/collisionless/roots/impact_roots.h>

#include <stdbool.h>

/* --------------------------------------------------------------------------------------- Newton */
/* Internal: bordered Newton iteration for the impact times, and the ball in which its root is
 * alone. */

/** Work memory of the iteration for one impact matrix. */
typedef struct carom_root_newton carom_root_newton;

/**
 * @param[in]  matrix borrowed; its scratch memory is used
 * @param[out] out    belongs to the caller, to be freed by carom_root_newton_free
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_root_newton_alloc(carom_impact_matrix *matrix,
                                                      carom_root_newton **out);

/** Free work memory; NULL is accepted. */
void carom_root_newton_free(carom_root_newton *newton);
CAROM_AUTO_TYPE(carom_root_newton)

/**
 * Solve Z u = 0, a'u = 1 for (tau, tau', u), a the null vector at the guess; quadratic convergence.
 *
 * @param[in,out] newton           work memory
 * @param[in]     time             guess of tau, s, > 0
 * @param[in]     constrained_time guess of tau', s, > 0
 * @param[out]    root             without column and row (0, -1); NaN on failure
 * @param[out]    report           residual and iterations of a failure; may be NULL
 * @return CAROM_OK; NOT_CONVERGED, also where a time leaves the positive numbers. Cost: O(N3).
 */
CAROM_MUST_CHECK carom_status carom_root_newton_polish(carom_root_newton *newton, double time,
                                                       double constrained_time,
                                                       carom_impact_root *root,
                                                       carom_report *report);

/**
 * Radius of a ball around a root that holds no other, in units of 1/kappa, distances in (tau,
 * tau'); 0 if none can be shown.
 *
 * Let q_0 be the null vector at the root, A the derivative of Z q by (tau, tau', q orthogonal to
 * q_0) with smallest singular value s, s_2 the second smallest one of Z. A root at the distance d
 * has a null vector q_0 + p with |p| <= t = R d / sqrt(s_2^2 - R^2 d^2), R the rates' norm, and s d
 * <= K d^2/2 + R d t, K a bound of the second derivatives. Where that fails for all smaller d,
 * there is none.
 *
 * @param[in,out] newton work memory
 * @param[in]     root   polished
 * @return radius, 1
 */
double carom_root_newton_solitary_radius(carom_root_newton *newton, const carom_impact_root *root);

/**
 * A multiple root: A has lost its rank, so that Z u is zero to rounding along a piece of a curve.
 * Newton's iteration for the same unknowns, but for the direction that A has lost, leads from a
 * guess across to it; the piece must end on both sides.
 *
 * @param[in,out] newton           work memory
 * @param[in]     time             guess of tau, s, > 0
 * @param[in]     constrained_time guess of tau', s, > 0
 * @param[in]     reach            half the length that the piece may have, in units of 1/kappa
 * @param[out]    root             on the piece, as of carom_root_newton_polish
 * @return whether there is one next to the guess; not on a longer curve
 */
bool carom_root_newton_polish_singular(carom_root_newton *newton, double time,
                                       double constrained_time, double reach,
                                       carom_impact_root *root);

/* ------------------------------------------------------------------------------------ exclusion */
/* Internal: proof that a small rectangle of impact times holds no root. */

/** A rectangle of impact times. */
typedef struct carom_time_rectangle {
    double centre[2]; /**< tau, tau', s */
    double half[2];   /**< half widths, s */
} carom_time_rectangle;

/** Bounds of the derivatives of Z that hold in a rectangle (carom_impact_matrix_bounds). */
typedef struct carom_impact_bounds_of_change {
    double rates[2];      /**< by tau and tau', 1/s */
    double curvatures[2]; /**< second ones, 1/s2 */
} carom_impact_bounds_of_change;

/** Work memory of the test for one impact matrix. */
typedef struct carom_root_exclusion carom_root_exclusion;

/**
 * @param[in]  matrix borrowed; its scratch memory is used
 * @param[out] out    belongs to the caller, to be freed by carom_root_exclusion_free
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_root_exclusion_alloc(carom_impact_matrix *matrix,
                                                         carom_root_exclusion **out);

/** Free work memory; NULL is accepted. */
void carom_root_exclusion_free(carom_root_exclusion *exclusion);
CAROM_AUTO_TYPE(carom_root_exclusion)

/**
 * Whether Z keeps its rank in a rectangle.
 *
 * At the centre Z P = Q R with pivoted columns; v is the vector that R maps to its last diagonal
 * entry r, f = (r, 0). In the basis Q and with the last column replaced by Z v, Z at the offset
 * delta has the blocks [R_11 + E_11, e_1; E_21, f + e_2]; while R_11 + E_11 is regular it loses
 * rank only where f + e_2 - E_21 (R_11 + E_11)^-1 e_1 = 0, two equations. With J the derivative of
 * e_2 by the times, l the largest change of Z and m that of second order, f + J delta must come
 * within |v| (m + l2/(s - l)) of zero, s the least singular value of R_11.
 *
 * @param[in,out] exclusion work memory
 * @param[in]     rectangle of times
 * @param[in]     bounds    that hold in it
 * @param[out]    offset    [2] delta with f + J delta = 0, a guess of the nearest root from the
 * centre, s; infinite where the test does not come to it
 * @return true: there is no root; false: nothing is known. Cost: O(N3).
 */
bool carom_root_exclusion_holds(carom_root_exclusion *exclusion,
                                const carom_time_rectangle *rectangle,
                                const carom_impact_bounds_of_change *bounds, double offset[2]);

/* ---------------------------------------------------------------------------------- subdivision */
/* Internal: all roots of a box of impact times, by excluding all parts of it that hold none. */

/** A list of roots that grows. */
typedef struct carom_root_store {
    int count;
    int capacity;
    carom_impact_root *roots; /**< [capacity], owned */
} carom_root_store;

/** Append a root; OUT_OF_MEMORY. */
CAROM_MUST_CHECK carom_status carom_root_store_add(carom_root_store *store,
                                                   const carom_impact_root *root);

/** What a search leaves beside roots; summed over several. */
typedef struct carom_root_outcome {
    int boxes;              /**< parts examined */
    int undecided;          /**< parts neither excluded nor closed */
    double undecided_share; /**< of the box that these make up, 1 */
    int region_count;
    int region_capacity;
    carom_undecided_region *regions; /**< [region_capacity], owned */
} carom_root_outcome;

/** Append a region and count what is in it; OUT_OF_MEMORY. */
CAROM_MUST_CHECK carom_status carom_root_outcome_add(carom_root_outcome *outcome,
                                                     const carom_undecided_region *region);

/** Whether a root lies in the box or on its edge: beyond it by no more than roundings of both. */
bool carom_root_is_inside(const carom_impact_root *root, const carom_root_search_params *box);

/**
 * Find all roots of a box, those on its edges included.
 *
 * @param[in,out] matrix  its scratch memory is used
 * @param[in]     params  the box and the largest number of parts
 * @param[in]     share   of the box that is searched in all, of which this one is a part, 1
 * @param[in,out] store   roots are appended, by tau, then tau'
 * @param[in,out] outcome parts that are examined, and those neither excluded nor closed, nor around
 * a singular root, are added
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_root_subdivision_find(carom_impact_matrix *matrix,
                                                          const carom_root_search_params *params,
                                                          double share, carom_root_store *store,
                                                          carom_root_outcome *outcome);

/* ------------------------------------------------------------------------------- solitary roots */
/* Internal: known roots, each alone in a ball of the plane of impact times, found by their place.
 * */

/** A root and the ball in which it is alone. */
typedef struct carom_solitary_root {
    carom_impact_root root;
    double radius; /**< in units of 1/kappa, at most 1 */
    int next;      /**< root of the same list, -1: none */
} carom_solitary_root;

/** Roots in a hash table by the square of width 1/kappa that they lie in; a zeroed one with kappa
 * set is empty. */
typedef struct carom_solitary_roots {
    double kappa; /**< 1/s */
    int count;
    int capacity;
    carom_solitary_root *roots; /**< [capacity] in the order in which they were added */
    int table_size;             /**< power of two, or 0 */
    int *first;                 /**< [table_size] head of each list, -1: empty */
} carom_solitary_roots;

/** Free what a table holds. */
void carom_solitary_roots_clear(carom_solitary_roots *table);

/**
 * Add a root unless one that is known is in reach of it: within that one's ball, or nearer than
 * `same`.
 *
 * @param[in,out] table  the table
 * @param[in]     root   the root
 * @param[in]     radius of its ball, in units of 1/kappa; what exceeds 1 is cut
 * @param[in]     same   < 1, in units of 1/kappa
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_solitary_roots_add(carom_solitary_roots *table,
                                                       const carom_impact_root *root, double radius,
                                                       double same);

/** A known root within reach of an instant, as carom_solitary_roots_add judges; -1: none. */
int carom_solitary_roots_find(const carom_solitary_roots *table, double time,
                              double constrained_time, double same);

/** Whether a rectangle, [2] centre and half its sides in s, lies in the ball of a known root: its
 * farthest corner does. */
bool carom_solitary_roots_hold(const carom_solitary_roots *table, const double *centre,
                               const double *half);

/* ----------------------------------------------------------------------------- asymptotic roots */
/* Closed forms for collisionless motions whose hyperbolic modes have saturated: tanh(nu t) = 1. */

/*
 * All functions of this file want exactly one oscillating mode in each phase
 * (carom_phase_spectra_has_single_oscillations); nu_i = sqrt(-lambda_i) are the growth rates of the
 * others. With saturated ones the ratios of acceleration to velocity at the impact are w_i = -nu_i
 * and w'_j = -nu'_j, and the impact equations say that the polynomial with the zeros nu_i (i < N)
 * and -nu'_j (j < N-1) has a known argument at i omega_N and i omega'_{N-1}. What follows is exact
 * up to terms of order exp(-2 nu tau), exp(-2 nu' tau').
 *
 * A free mode lambda_{N-1} = 0 (even) enters as nu_{N-1} = 0: w_{N-1} = -1/tau vanishes only as a
 * power of the time, so that the error is of order 1/tau; and for N = 2 the closed forms then lie
 * on the edge of their cell.
 */

/**
 * Phi(w) = sum_{i<N} arctan(w/nu_i) - sum_{j<N-1} arctan(w/nu'_j), summed in terms that are all
 * positive: arctan(w/nu_1) + sum_j [arctan(w/nu_{j+1}) - arctan(w/nu'_j)].
 *
 * @param[in] spectra one oscillating mode in each phase
 * @param[in] w       > 0, 1/s
 * @return an angle in (0, pi/2), rad, to a few roundings; pi/2 for N = 2 and lambda_1 = 0; NaN if
 * the phases have not one oscillating mode each
 * Source: not in pankov-2024; derived from its impact equations (15). Cost: O(N).
 */
double carom_asymptotic_roots_angle(const carom_phase_spectra *spectra, double w);

/**
 * 1/c_0 = sum_{i<N} 1/nu_i - sum_{j<N-1} 1/nu'_j > 0, c_0 the limit of w'_{N-1} as lambda'_{N-1}
 * falls to zero and tau is large; summed in positive terms.
 *
 * @return s; HUGE_VAL for lambda_{N-1} = 0; NaN if the phases have not one oscillating mode each
 * Source: closed form of pankov-2024 (62). Cost: O(N).
 */
double carom_asymptotic_roots_inverse_slope(const carom_phase_spectra *spectra);

/**
 * The cell of the plane of impact phases that holds the one root of column n and row r: o_N in
 * ((n-1) pi, (n-1/2) pi) if mode N is even, in ((n-1/2) pi, n pi) if odd; o'_{N-1} in ((r+1/2) pi,
 * (r+1) pi) if even, in (r pi, (r+1/2) pi) if odd.
 *
 * @param[in]  spectra checked here
 * @param[in]  column  n >= 1; >= 2 if the oscillating unconstrained mode is even
 * @param[in]  row     r >= 0
 * @param[out] bounds  [4] lower and upper o_N, lower and upper o'_{N-1}, rad
 * @return CAROM_OK; what carom_phase_spectra_check returns; CONFLICT if the phases have not one
 * oscillating mode each; OUT_OF_RANGE for a column or row that is none
 */
CAROM_MUST_CHECK carom_status carom_asymptotic_roots_cell(const carom_phase_spectra *spectra,
                                                          int column, int row, double bounds[4]);

/**
 * Impact phases of column n and row r: o_N = omega_N tau is the lower bound of the cell plus
 * Phi(omega_N), o'_{N-1} = omega'_{N-1} tau' the upper one minus Phi(omega'_{N-1}), for modes of
 * either parity.
 *
 * @param[in]  spectra           as carom_asymptotic_roots_cell
 * @param[in]  column            n
 * @param[in]  row               r
 * @param[out] phase             o_N, rad
 * @param[out] constrained_phase o'_{N-1}, rad
 * @return as carom_asymptotic_roots_cell
 * Source: not in pankov-2024; for N = 2 the limits of (26) and (28). Cost: O(N).
 */
CAROM_MUST_CHECK carom_status carom_asymptotic_roots_phases(const carom_phase_spectra *spectra,
                                                            int column, int row, double *phase,
                                                            double *constrained_phase);

/**
 * The same as impact times: the guess from which the root of every cell is found.
 *
 * @param[out] time             tau, s
 * @param[out] constrained_time tau', s
 * @return as carom_asymptotic_roots_cell
 */
CAROM_MUST_CHECK carom_status carom_asymptotic_roots_times(const carom_phase_spectra *spectra,
                                                           int column, int row, double *time,
                                                           double *constrained_time);

/**
 * Height of a row far to the right: o'_{N-1} at the finite tau' that solves
 *
 *     det[(w'_j(tau') - nu_i) / (lambda_i - lambda'_j)]_{i,j<N} = 0,
 *
 * the limit of the impact equations for tau -> infinity, in the cell of row r.
 *
 * @param[in]  spectra           checked here
 * @param[in]  row               r >= 0
 * @param[out] constrained_phase o'_{N-1}, rad, to rounding
 * @return CAROM_OK; what carom_phase_spectra_check returns; CONFLICT if the phases have not one
 * oscillating mode each; OUT_OF_RANGE for r < 0; SINGULAR if the determinant cannot be evaluated
 * (eigenvalues that all but touch, or spread over too many orders); NOT_CONVERGED; OUT_OF_MEMORY
 * Source: not in pankov-2024; figures 2 and 4 show these heights. Cost: O(N3) per iteration.
 */
CAROM_MUST_CHECK carom_status carom_asymptotic_roots_row_height(const carom_phase_spectra *spectra,
                                                                int row, double *constrained_phase);

#endif
