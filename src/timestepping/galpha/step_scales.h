/** Internal: how large the terms of a step's equations are, row by row: what its residuals are
 * measured in. */
#ifndef CAROM_TIMESTEPPING_GALPHA_STEP_SCALES_H
#define CAROM_TIMESTEPPING_GALPHA_STEP_SCALES_H

#include <carom/base/base.h>

#include <stdbool.h>

typedef struct carom_step_context carom_step_context;

/**
 * A residual is small against what the step does to its row, or against the rounding of the row's
 * terms. With the impulses mu = h |lambda| + |Lambda| + |nu|/h of the constraints and the roundings
 * k = 16 DBL_EPSILON / tolerance,
 *
 *     delta = h |v~'| + |W| + |U|/h + k (|v| + |v_n|)
 *     P_i = (|M| delta + h |f| + |G'| mu)_i + k h (|K| |q| + |C| |v|)_i
 *           + k sqrt(M_ii) max_k sqrt(M_kk) delta_k
 *     rate = |G| (delta + k h |f_i|/M_ii) + k max rate,   gap/h = rate + k |G| |q|/h
 *
 * The forces on a light coordinate enter the rates by their rounding only: what they would do to it
 * alone is no measure of what it does among constraints.
 */
typedef struct carom_step_scales {
    double *momentum;      /**< [n] P, in the unit of the row */
    double *rate;          /**< [m] of G v, m/s */
    double *gap;           /**< [m] of g/h, m/s */
    double *tangent;       /**< [n] h (|K| |q| + |C| |v|) of the step's last Newton matrix */
    double *change;        /**< [n] delta, then scratch */
    double *constraint;    /**< [m] scratch */
    double largest_change; /**< of v~ by the last linear step, of a coordinate */
    double *memory;        /**< owns the numbers */
    int *first; /**< [m] first entry of G_j, of a linear mechanism not zero; owns the ints */
    int *end;   /**< [m] one past the last */
} carom_step_scales;

/** Allocate for n coordinates and m constraints. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_step_scales_init(carom_step_scales *scales, int n, int m);

/** Free; zeroed scales are accepted. */
void carom_step_scales_clear(carom_step_scales *scales);

/** Find the entries of G at the start of a motion; no change yet. */
void carom_step_scales_start(carom_step_context *step);

/** Whether a gap of contact j counts as closed in the step from `last`: up to tie_tolerance of |G|
 * (|q_n| + h (|v_n| + |W_n| + h |v~'_n|)), by the last Jacobian evaluated. */
bool carom_step_is_closed(const carom_step_context *step, int j, double gap);

/** Begin the iteration of a step: no Newton matrix yet. */
void carom_step_scales_begin(carom_step_context *step);

/** Keep the roundings of the forces by the evaluation's stiffness and damping. */
void carom_step_scales_keep_tangents(carom_step_context *step);

/** Fill momentum, rate and gap at the iterate of the last evaluation. */
void carom_step_scales_compute(carom_step_context *step);

/** Scale of row j: that of its constraint if imposed, else the impulse that brings it about, by the
 * r of the activation tests. */
double carom_step_scales_of(const carom_step_context *step, int j, const double *constraint,
                            bool is_imposed);

#endif
