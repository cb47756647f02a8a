/** The continuous-time inclusion of halm-2023, stepped in its arc parameter s: flight, sustained
 * contact, impacts and their accumulation without events. A stepper by hand, or a whole run. */
#ifndef CAROM_TIMESTEPPING_INCLUSION_INCLUSION_H
#define CAROM_TIMESTEPPING_INCLUSION_INCLUSION_H

#include <carom/base/base.h>
#include <carom/mechanism/mechanism.h>
#include <carom/timestepping/trajectory.h>

CAROM_BEGIN_DECLARATIONS

/* -------------------------------------------------------------------------------------- stepper */
/* The continuous-time inclusion of halm-2023, stepped in its arc parameter s: flight, sustained
 * contact, impacts and their accumulation without events. */

/** How the inclusion is stepped. */
typedef struct carom_inclusion_params {
    double step;            /**< ds > 0, s */
    double reference_force; /**< kappa > 0, N: ds = dt + (sum of normal impulses)/kappa. 1 N in
                               halm-2023; of the size of the weight, a body at rest takes 2 dt */
    double closed_gap;      /**< contacts nearer than this part of what a step can bring them are
                               closed; 1, in (0, 1) */
    int facets;             /**< of spatial friction cones, even, >= 4; ignored in the plane */
    const double *approach_weight; /**< [contact] > 0: which contacts an impact stops first, see
                                        carom_inclusion_stepper_advance; NULL: ones; borrowed */
    /** Check the derivatives of the mechanism at every start (carom_mechanism_check_directions). */
    bool check_derivatives;
} carom_inclusion_params;

/** Step and reference force zero, to be chosen; closed gap 1e-8, 8 facets, weights one. */
carom_inclusion_params carom_inclusion_params_default(void);

/** A mechanism with the work memory of its steps. */
typedef struct carom_inclusion_stepper carom_inclusion_stepper;

/** What a step did. Arrays are borrowed until the next step. */
typedef struct carom_inclusion_step {
    double length;                    /**< ds, s, shorter than asked for only if is_shortened */
    double time;                      /**< dt in [0, ds], s */
    double approach;                  /**< beta >= 0, m/s: > 0 only during an impact */
    const double *normal_impulse;     /**< [m] Lambda_n, N s; dt + sum / kappa = ds */
    const double *tangential_impulse; /**< [m t] Lambda_t, N s */
    int is_shortened;                 /**< 1: it ends where a contact closes, or was halved */
    int is_early;                     /**< 1: a contact presses that closes within ds/1000 */
    int problems;                     /**< complementarity problems solved */
    int pivots;                       /**< in them */
    double residual;                  /**< largest |min(z, w)| of the last one, of units of its w */
} carom_inclusion_step;

/**
 * @param[in]  mechanism without joints and restitution; friction where it has tangents. Borrowed
 * until freed
 * @param[in]  params    as above, copied but for the weights
 * @param[out] out       belongs to the caller
 * @param[out] report    what is refused; may be NULL
 * @return CAROM_OK; UNSUPPORTED: joints, restitution, moving supports, rotations; OUT_OF_RANGE:
 * params, friction without a tangential Jacobian or above 1/sqrt(epsilon), where cones are half
 * spaces up to rounding; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_inclusion_stepper_alloc(const carom_mechanism *mechanism,
                                                            const carom_inclusion_params *params,
                                                            carom_inclusion_stepper **out,
                                                            carom_report *report);

/** Free; NULL is accepted. */
void carom_inclusion_stepper_free(carom_inclusion_stepper *stepper);
CAROM_AUTO_TYPE(carom_inclusion_stepper)

/**
 * Start a motion: what the stepper has kept of an earlier one, the longest way of its contacts and
 * its last dt, is forgotten, so that the motion is that of a new stepper to the bit.
 *
 * @param[in,out] stepper the stepper
 * @param[in]     t       s
 * @param[in]     q       [n]
 * @param[in]     v       [n]
 * @param[out]    report  may be NULL
 * @return as carom_mechanism_validate and carom_mechanism_check_directions
 */
CAROM_MUST_CHECK carom_status carom_inclusion_stepper_start(carom_inclusion_stepper *stepper,
                                                            double t, const double *q,
                                                            const double *v, carom_report *report);

/**
 * One implicit step ds of xbar' in D(xbar), (53): find a share dt of time, normal and tangential
 * impulses with dt + sum Lambda_n / kappa = ds and
 *
 *     M (v+ - v) = dt f(t, q, v) + J_n' Lambda_n + J_t' Lambda_t,    q+ = q + dt v+,
 *     0 <= dt        _|_  beta >= 0,
 *     0 <= Lambda_n  _|_  J_n v+ + g/dt + a beta >= 0,
 *     Lambda_t,i in -mu_i Lambda_n,i Unit_D(J_t,i v+),
 *
 * M, J, g at q. With beta = 0 this is a step of contact dynamics of length dt; with beta > 0 time
 * stands still and the impulse kappa ds goes to the closed contacts that approach fastest, in units
 * of their weights a > 0, each choice of which gives one order of the impact that (40) allows.
 *
 * The scheme is of first order in ds; f is taken at the start, so that forces that are stiff beside
 * dt need a small ds. Kinetic energy never grows by contact: v+'M v+/2 <= v'M v/2 + dt f.v+. Gaps
 * that curvature has made negative are closed in the metric of M; v+ stays. Where an impact without
 * collision begins as a contact closes, the step is shortened to that place, or the contact presses
 * as much as ds/1000 early. The document explains the method under "Impacts within motion".
 *
 * Closed is a gap up to `closed_gap` times the longest way of a contact in a step since the start,
 * or up to its rounding, 8 epsilon sum_j |G_ij q_j|, if that is more.
 *
 * @param[in,out] stepper after a start; the last dt is where the search starts
 * @param[in]     ds      length of the step, > 0, s
 * @param[in,out] t       s
 * @param[in,out] q       [n], no gap below minus a closed one; unchanged on failure, like t and v
 * @param[in,out] v       [n]
 * @param[out]    step    what it did; may be NULL
 * @param[out]    report  time and step of a failure; may be NULL
 * @return CAROM_OK; PENETRATION, in the first step after a start; SINGULAR: M; NOT_FINITE: what the
 * mechanism returns, or overflow; RAY or NOT_CONVERGED: the complementarity problem, by rounding
 * only, of this step and of halves
 * Source: halm-2023 (53), section 4; the scheme is ours. Cost: a factorization of M, and some
 * O(k^3) for k contacts within reach.
 */
CAROM_MUST_CHECK carom_status carom_inclusion_stepper_advance(carom_inclusion_stepper *stepper,
                                                              double ds, double *t, double *q,
                                                              double *v, carom_inclusion_step *step,
                                                              carom_report *report);

/* ----------------------------------------------------------------------------------- whole runs */
/* A whole run of the inclusion in memory. */

/**
 * Run from (q0, v0) at t = 0 over an s-length, in steps of params->step; the last one is as long as
 * is left. Row 0 is the start, row k the end of step k. Rates are those of the step that led to a
 * row, per unit of s: dt/ds + sum of the normal rates = 1; NaN in row 0.
 *
 * @param[in]  mechanism the system
 * @param[in]  params    as for carom_inclusion_stepper_alloc
 * @param[in]  q0        [n]
 * @param[in]  v0        [n]
 * @param[in]  length    of s, > 0, s
 * @param[in]  duration  of t, s, > 0: the run ends after the first step that reaches it; INFINITY:
 * none
 * @param[out] out       belongs to the caller; NULL on failure
 * @param[out] report    may be NULL
 * @return as carom_inclusion_stepper_alloc, _start and _advance; OUT_OF_RANGE: length, duration
 */
CAROM_MUST_CHECK carom_status carom_inclusion_run(const carom_mechanism *mechanism,
                                                  const carom_inclusion_params *params,
                                                  const double *q0, const double *v0, double length,
                                                  double duration, carom_trajectory **out,
                                                  carom_report *report);

/** Time at a value of s, clamped to the run: linear between the rows, as the scheme is. */
double carom_inclusion_trajectory_time(const carom_trajectory *trajectory, double s);

CAROM_END_DECLARATIONS

#endif
