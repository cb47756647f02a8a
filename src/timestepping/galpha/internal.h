/** What the schemes of fixed steps share: parameters, scales, evaluations and the state of a step.
 * */
#ifndef CAROM_TIMESTEPPING_GALPHA_INTERNAL_H
#define CAROM_TIMESTEPPING_GALPHA_INTERNAL_H

#include <carom/base/base.h>
#include <carom/mechanism/mechanism.h>
#include <carom/timestepping/galpha/galpha.h>

#include <stdbool.h>

/* ----------------------------------------------------------------------------------- parameters */
/* Internal: what a stepper accepts as parameters. */

/**
 * Refuse a number that is not finite or outside [low, high].
 * @return CAROM_OK; NOT_FINITE or OUT_OF_RANGE with name, value and what is accepted in the report
 */
CAROM_MUST_CHECK carom_status carom_stepper_check_real(const char *name, double value, double low,
                                                       double high, const char *accepted,
                                                       carom_report *report);

/** Refuse parameters outside their ranges. @return CAROM_OK; NOT_FINITE; OUT_OF_RANGE */
CAROM_MUST_CHECK carom_status carom_stepper_params_check(const carom_stepper_params *params,
                                                         carom_report *report);

/* --------------------------------------------------------------------------------- coefficients */
/* The coefficients of the generalized-alpha method. */

/** Dimensionless coefficients (bruls-2014 eq. 31). */
typedef struct carom_galpha_coefficients {
    double alpha_m;
    double alpha_f;
    double gamma;
    double beta;
} carom_galpha_coefficients;

/**
 * Second-order accurate, unconditionally stable coefficients with a given spectral radius.
 *
 * @param[in] spectral_radius rho_infinity in [0,1], 1
 * Source: Chung and Hulbert 1993; bruls-2014 eq. 31.
 */
carom_galpha_coefficients carom_galpha_coefficients_from_radius(double spectral_radius);

/* --------------------------------------------------------------------------------------- scales */
/* Internal: how large the terms of a step's equations are, row by row: what its residuals are
 * measured in. */

typedef struct carom_step_context carom_step_context;

/**
 * A residual is small against what the step does to its row, or against the rounding of the row's
 * terms. With the impulses mu = h |lambda| + |Lambda| + |nu|/h of the constraints and the roundings
 * k = 16 DBL_EPSILON / tolerance,
 *
 *     delta = h |v~'| + |W| + |U|/h + k (|v| + |v_n|)
 *     P_i = (|M| delta + h |f| + |G'| mu)_i + k h (|K| |q| + |C| |v|)_i
 *           + k sqrt(M_ii) max_k sqrt(M_kk) delta_k
 *     rate = |G| (delta + k h |f_i|/M_ii) + k |w| + k max rate,
 *     gap/h = rate + k (|G| |q| + |s| + |l|)/h,   l other lengths in g
 *
 * of rows by their entries or with friction, which are solved as contact problems, with 8 k (|G'|
 * mu)_i/M_ii in delta of the rates.
 *
 * The forces on a light coordinate enter the rates by their rounding only: what they would do to it
 * alone is no measure of what it does among constraints.
 */
typedef struct carom_step_scales {
    double *momentum;      /**< [n] P, in the unit of the row */
    double *rate;          /**< [row_count] of G v, and of H v, m/s */
    double *gap;           /**< [row_count] of g/h, m/s */
    double *tangent;       /**< [n] h (|K| |q| + |C| |v|) of the step's last Newton matrix */
    double *change;        /**< [n] delta, then scratch */
    double *size;          /**< [n] scratch: |q| along the velocities */
    double *last_size;     /**< [n] the same of `last` */
    double *constraint;    /**< [row_count] scratch */
    double largest_change; /**< of v~ by the last linear step, of a coordinate */
    double *memory;        /**< owns the numbers */
    int *
        first; /**< [row_count] first entry of G_j, of a linear mechanism not zero; owns the ints */
    int *end;  /**< [row_count] one past the last */
} carom_step_scales;

/** Allocate for n coordinates and the rows of an evaluation. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_step_scales_init(carom_step_scales *scales, int n,
                                                     int row_count);

/** Free; zeroed scales are accepted. */
void carom_step_scales_clear(carom_step_scales *scales);

/** Find the entries of G at the start of a motion; no change yet. */
void carom_step_scales_start(carom_step_context *step);

/** |G| (|q_n| + h (|v_n| + |W_n| + h |v~'_n|)) + |s| + h |w| of contact j by the last evaluation:
 * the terms of its gap in the step from `last`. */
double carom_step_gap_size(const carom_step_context *step, int j);

/** Whether a gap of contact j counts as closed in that step: up to tie_tolerance of its terms, or
 * what the rounded time leaves of it if that is more. */
bool carom_step_is_closed(const carom_step_context *step, int j, double gap);

/** Fill last_size at the beginning of a step. Of rows by their entries there may be many on each
 * other, whose reactions are far larger than what they leave of each other: h |M^-1| |G'| |Lambda|
 * is part of the size. */
void carom_step_scales_size_last(carom_step_context *step);

/** Begin the iteration of a step: no Newton matrix yet. */
void carom_step_scales_begin(carom_step_context *step);

/** Keep the roundings of the forces by the evaluation's stiffness and damping. */
void carom_step_scales_keep_tangents(carom_step_context *step);

/** Fill momentum and rate at the iterate of the last evaluation. */
void carom_step_scales_compute(carom_step_context *step);

/** Fill gap, of the rates filled last. */
void carom_step_scales_compute_gaps(carom_step_context *step);

/** Scale of row j: that of its constraint if imposed, else the impulse that brings it about, by the
 * r of the activation tests. */
double carom_step_scales_of(const carom_step_context *step, int j, const double *constraint,
                            bool is_imposed);

/* ---------------------------------------------------------------------------------------- state */
/* Internal: everything that a step knows at one instant. */

/** n coordinates, m constraints (joints first) and with friction n_u t tangents behind: row_count
 * rows. Letters of bruls-2014. */
typedef struct carom_step_state {
    double time;                 /**< t, s */
    double *position;            /**< [n_q] q */
    double *velocity;            /**< [n] v */
    double *smooth_acceleration; /**< [n] derivative of v~ */
    double *pseudo_acceleration; /**< [n] a */
    double *smooth_velocity;     /**< [n] v~ */
    double *velocity_jump;       /**< [n] W */
    double *position_correction; /**< [n] U */
    double *rate;                /**< [row_count] G v, then H v, both plus w(t), m/s */
    double *force;               /**< [row_count] lambda~, N; smooth_galpha: lambda */
    double *impulse;             /**< [row_count] Lambda, then Lambda_t, N s */
    double *position_multiplier; /**< [row_count] nu, N s2 */
    bool *position_active;       /**< [row_count] A */
    bool *velocity_active;       /**< [row_count] B */
    double *memory;              /**< owns the numbers */
    bool *flags;                 /**< owns the flags */
    double *rate_before;         /**< [row_count] the rates at the start of the step to here, by its
                                      rows where they are predicted, m/s */
} carom_step_state;

/** Allocate the arrays for n_q positions, n velocities and row_count rows, all zero. @return
 * CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_step_state_init(carom_step_state *state, int position_count,
                                                    int n, int row_count);

/** Free the arrays; a zeroed state is accepted. */
void carom_step_state_clear(carom_step_state *state);

/* ----------------------------------------------------------------------------------- evaluation */
/* Internal: a mechanism evaluated at one iterate, absent parts read as zero. */

/** Buffers and last values; [layout] matrices, n coordinates, m constraints; with friction the rows
 * of the tangents, contact by contact, follow those of the constraints. */
typedef struct carom_evaluation {
    const carom_mechanism *mechanism;
    int n;
    int position_count; /**< n_q */
    int m;
    int tangent_count;  /**< t of a contact; 0 without friction */
    int row_count;      /**< m + n_u t */
    double *mass;       /**< [layout] M(q) */
    double *stiffness;  /**< [layout] see the functions */
    double *damping;    /**< [layout] C */
    double *derivative; /**< [layout] scratch of directional derivatives */
    double *force;      /**< [n] f */
    double *constraint; /**< [m] g(t,q) = g(q) + s(t) */
    double *offset;   /**< [m] s(t), of the constraints evaluated last; zero where supports stay */
    double *supports; /**< [m + n_u t] w(t), zero where supports stay */
    double *jacobian; /**< [row_count][n] G, then H; by the pattern of a mechanism that has one */
    double *rates;    /**< d(G v)/dq, then d(H v)/dq, stored as these */
    size_t entry_count; /**< stored entries of all rows */
    int *row_start;     /**< [row_count+1] of the pattern; NULL: full */
    int *row_column;    /**< [row_start[row_count]] */
    double *multiplier; /**< [m] scratch: masked multipliers */
    double *coordinate; /**< [n] scratch */
    double *row;        /**< [n] scratch: a row with all of its entries */
    double *rate_row;   /**< [n] scratch */
    double *memory;     /**< owns all numbers */

    bool has_point;       /**< mass, force, jacobian and rate are those of the point below */
    bool has_constraints; /**< so is constraint */
    double time;          /**< t, s */
    double *position;     /**< [n_q] q */
    double *velocity;     /**< [n] v */
    double *rate;         /**< [row_count] G v + w, with friction H v + w below, m/s */
    bool holds_rows;      /**< G and H are those at row_position, whatever the point */
    double *row_position; /**< [n_q] */
} carom_evaluation;

/** Allocate for a mechanism (borrowed). @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_evaluation_init(carom_evaluation *evaluation,
                                                    const carom_mechanism *mechanism);

/** Free; a zeroed evaluation is accepted. */
void carom_evaluation_clear(carom_evaluation *evaluation);

/** Take the patterns of the mechanism again, whose contacts have changed; the last point is
 * forgotten. */
void carom_evaluation_take_patterns(carom_evaluation *evaluation);

/** Forget the last point: the mechanism may have changed. */
void carom_evaluation_forget(carom_evaluation *evaluation);

/** Take G and H at q exp(a), row_position, and hold them: they are those wherever it is evaluated,
 * with a [n]. */
void carom_evaluation_hold_rows(carom_evaluation *evaluation, const double *q, const double *a);

/** Take G and H at each point again. */
void carom_evaluation_release_rows(carom_evaluation *evaluation);

/** Fill constraint [m] = g(t,q). */
void carom_evaluation_constraints(carom_evaluation *evaluation, double t, const double *q);

/** Fill supports [row_count] = w(t). */
void carom_evaluation_supports(carom_evaluation *evaluation, double t);

/** What a rounded time leaves of s(t) in row j: 4 epsilon |t w_j|, w the supports filled last. */
double carom_evaluation_time_rounding(const carom_evaluation *evaluation, int j, double t);

/** Fill mass, force, jacobian if it is not held, supports and rate at (q, v, t); they are kept
 * where that was the last point too. */
void carom_evaluation_motion(carom_evaluation *evaluation, double t, const double *q,
                             const double *v);

/** The same, and constraint. */
void carom_evaluation_point(carom_evaluation *evaluation, double t, const double *q,
                            const double *v);

/**
 * matrix += sign d(M(q) a - G' lambda)/dq, lambda masked by `active` (NULL: all rows below
 * `count`). What the directions of friction change, d(H' Lambda_t)/dq, is left out: no mechanism
 * has it, and an iteration without it converges by a factor O(h) each time.
 *
 * @param[in,out] evaluation scratch
 * @param[in]     q          [n]
 * @param[in]     a          [n] acceleration, U or W
 * @param[in]     lambda     [m]
 * @param[in]     active     [m]; rows that are false count as zero
 * @param[in,out] matrix     [layout]
 */
void carom_evaluation_add_inertia_derivative(carom_evaluation *evaluation, const double *q,
                                             const double *a, const double *lambda,
                                             const bool *active, double *matrix);

/** Fill stiffness = -df/dq and damping = -df/dv at (q, v, t); absent ones become zero. */
void carom_evaluation_tangents(carom_evaluation *evaluation, double t, const double *q,
                               const double *v);

/** Fill rates = d(G(q) v)/dq, with friction d(H(q) v)/dq below; returns false if all are zero, as
 * of rows that are held. */
bool carom_evaluation_rate_derivative(carom_evaluation *evaluation, const double *q,
                                      const double *v);

/** Row j of the last Jacobian with all of its entries, [n]; by a pattern, until the next such call.
 */
const double *carom_evaluation_row(const carom_evaluation *evaluation, int j);

/** The same of the last rates. */
const double *carom_evaluation_rate_row(const carom_evaluation *evaluation, int j);

/** Stored entries of a row: value[k] at coordinate column[k], or at k itself where `column` is
 * NULL, for k in [first, end). */
typedef struct carom_evaluation_entries {
    const double *value;
    const int *column;
    int first;
    int end;
} carom_evaluation_entries;

/** Those of row j of the last Jacobian. */
static inline carom_evaluation_entries
carom_evaluation_entries_of(const carom_evaluation *evaluation, int j) {
    if (evaluation->row_start == NULL) {
        const double *row = evaluation->jacobian + (size_t)j * (size_t)evaluation->n;
        return (carom_evaluation_entries){.value = row, .end = evaluation->n};
    }
    return (carom_evaluation_entries){.value = evaluation->jacobian,
                                      .column = evaluation->row_column,
                                      .first = evaluation->row_start[j],
                                      .end = evaluation->row_start[j + 1]};
}

/** Whether a row stands for something: those of contacts that are not there have no entries. */
static inline bool carom_evaluation_has_row(const carom_evaluation *evaluation, int j) {
    return evaluation->row_start == NULL || evaluation->row_start[j] < evaluation->row_start[j + 1];
}

/** Row j of the last Jacobian times x [n]. */
double carom_evaluation_product(const carom_evaluation *evaluation, int j, const double *x);

/** Row j of the last rates times x [n]. */
double carom_evaluation_rate_product(const carom_evaluation *evaluation, int j, const double *x);

/** Velocity of row j with a velocity v [n] that need not be the point's, that of its support with
 * it: G_j v + w_j, m/s. */
double carom_evaluation_rate(const carom_evaluation *evaluation, int j, const double *v);

/** y [n] += alpha times row j of the last Jacobian. */
void carom_evaluation_add_row(const carom_evaluation *evaluation, int j, double alpha, double *y);

/** y [rows] += |G| |x|, x [n], of the first rows of the last Jacobian. */
void carom_evaluation_add_sizes(const carom_evaluation *evaluation, int rows, const double *x,
                                double *y);

/** y [n] += |G'| |x|, x [row_count]. */
void carom_evaluation_add_transposed_sizes(const carom_evaluation *evaluation, const double *x,
                                           double *y);

/* -------------------------------------------------------------------------------------- context */
/* Internal: what every scheme needs to compute one step. */

/** The step from `last` (t_n, kept) to `next` (t_{n+1}, computed); m = n_b + n_u constraints. */
struct carom_step_context {
    const carom_mechanism *mechanism;
    carom_stepper_params params;
    carom_galpha_coefficients galpha;
    double theta; /**< of Moreau-Jean, 1 */
    int n;
    int joint_count;
    int m;
    double time; /**< t_{n+1}, s */

    const carom_step_state *last;
    carom_step_state *next;
    carom_evaluation evaluation; /**< at the current iterate */
    double *activation;          /**< [row_count] r of the activation tests, kg; zero for joints */
    bool *rests;                 /**< [m] contacts without restitution in this step */
    carom_step_scales scales;    /**< of the rows at the current iterate */
};

/** e of row j, the mechanism's; zero for joints, tangents and contacts that rest. */
static inline double carom_step_restitution(const carom_step_context *step, int j) {
    const bool is_normal = j >= step->joint_count && j < step->m;
    return is_normal && !step->rests[j] ? step->mechanism->restitution[j - step->joint_count] : 0.0;
}

/** e u_n of row j. */
static inline double carom_step_restituted(const carom_step_context *step, int j) {
    return carom_step_restitution(step, j) * step->next->rate_before[j];
}

/** The row whose set decides about row j: of a tangent that of its contact. */
static inline int carom_step_deciding_row(const carom_step_context *step, int j) {
    return j < step->m ? j : step->joint_count + (j - step->m) / step->evaluation.tangent_count;
}

/** Which contacts [n_u] are there: all, but where they come and go. */
static inline void carom_step_contacts_there(const carom_step_context *step, bool *contacts) {
    for (int j = step->joint_count; j < step->m; j++) {
        contacts[j - step->joint_count] = carom_evaluation_has_row(&step->evaluation, j);
    }
}

/* ------------------------------------------------------------------------------------- friction */
/* Internal: Coulomb's law at the velocity level. */

/**
 * Coulomb's law of every contact as a natural map,
 *
 *     Lambda_t - P(Lambda_t - r H v),   P onto |x| <= mu max(Lambda_n, 0),
 *
 * at the iterate of the last evaluation; [n_u t] N s, zero where it holds.
 */
void carom_step_friction_residual(const carom_step_context *step, double *residual);

/** What that is measured in: r times what the step does to the contact, normally or along;
 * [n_u t]. */
void carom_step_friction_scale(const carom_step_context *step, double *scale);

/* ----------------------------------------------------------------------------------- prediction */
/* Internal: start and end of a generalized-alpha step. */

/**
 * Prediction (bruls-2014 eq. 40) into the next state: pseudo-acceleration, smooth velocity,
 * velocity and position for v~' = 0 and no reaction.
 */
void carom_galpha_predict(carom_step_context *step);

/** The same for the smooth motion going on, v~' = v~'_n: off by O(h), where (40) is off by all of
 * it. */
void carom_galpha_predict_on(carom_step_context *step);

/** Pseudo-acceleration a_{n+1} from (30e), out of the predicted one and v~'. */
void carom_galpha_finish(carom_step_context *step);

/* -------------------------------------------------------------------------------- initial state */
/* Internal: an admissible initial state and its consistent acceleration. */

/**
 * Check that the state of `step->next` closes the joints and opens no contact below zero, and fill
 * its rates, v~' = v~'_0, a = v~'_0 and the joint forces:  [M -G'; G 0] (v~', lambda~) = (f, -d(G
 * v)/dq v - dw/dt), contacts ignored (bruls-2014 section 6.3). With `has_joint_forces` false the
 * joints are ignored too.
 *
 * @param[in,out] step             state in step->next, time in step->time
 * @param[in]     has_joint_forces whether the scheme has smooth joint forces
 * @param[out]    report           what was refused
 * @return CAROM_OK; PENETRATION; INCONSISTENT; SINGULAR; NOT_FINITE; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_initial_state_solve(carom_step_context *step,
                                                        bool has_joint_forces,
                                                        carom_report *report);

#endif
