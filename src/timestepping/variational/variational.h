/** The midpoint variational integrator that carries the discrete momentum through impacts
 * (seghete-2014): the stepper by hand, or a whole run. */
#ifndef CAROM_TIMESTEPPING_VARIATIONAL_VARIATIONAL_H
#define CAROM_TIMESTEPPING_VARIATIONAL_VARIATIONAL_H

#include <carom/base/base.h>
#include <carom/impact/propagative_impact.h>
#include <carom/mechanism/mechanism.h>
#include <carom/timestepping/trajectory.h>

#include <stdbool.h>

CAROM_BEGIN_DECLARATIONS

/* ---------------------------------------------------------------------------- between impacts */
/* Steps between impacts, joints and contacts held closed with Coulomb friction included. */

/** What a held contact does in a step. */
typedef enum carom_variational_contact_mode {
    CAROM_VARIATIONAL_RELEASED, /**< it is open */
    CAROM_VARIATIONAL_STICK,    /**< no sliding */
    CAROM_VARIATIONAL_SLIDE     /**< slides, friction mu lambda against it */
} carom_variational_contact_mode;

/** When a step is accepted. */
typedef struct carom_variational_step_params {
    double tolerance;    /**< of the residual momentum and of the gaps of held contacts, of the sums
                            of the sizes of their terms; where an iteration stalls at its rounding,
                            100 of them are accepted; in (0, 1) */
    int most_iterations; /**< of Newton's method, >= 1 */
} carom_variational_step_params;

/** 1e-14, 50. */
carom_variational_step_params carom_variational_step_params_default(void);

/** What the variational integrator computes, its stepper included. */
extern const carom_mechanism_support carom_variational_support;

/* -------------------------------------------------------------------------------------- stepper */
/* Time stepping of a mechanism with impacts that carries the discrete momentum through them:
 * midpoint variational integrator, propagative simultaneous impact. */

/**
 * Gaps are compared with the distance D that gaps change in a step: the largest h sum_j |G_ij|
 * (|v_j| + h |a_j|) of all contacts and joints, G their rows, a = M^-1 f, at the beginning of the
 * step.
 * Coordinates far from their origin let no gap be told better than they are rounded themselves:
 * wherever a step compares a gap with `gap_tolerance` or `simultaneity`, it takes the rounding of
 * that gap instead if this is more, 8 epsilon sum_j |G_ij| (|q_j| + h |v_j|).
 */
typedef struct carom_variational_params {
    double step;                 /**< h > 0, s */
    carom_propagative_rule rule; /**< of simultaneous impacts */
    int first;                   /**< contact of the mechanism that CYCLIC begins at */
    unsigned long seed;          /**< of RANDOM; grows by one an impact */
    double impact_tolerance;     /**< a contact approaches if (w_i,p) < -impact_tolerance |p|; 1, in
                                    (0, 1) */
    bool impacts_without_friction; /**< reflect contacts with friction as if they had none, as
                                      seghete-2014 does */
    carom_propagative_plastic_law plastic_law; /**< of contacts that chatter */
    int most_hits;        /**< N_c: a contact that hits more often within a step is plastic, >= 0 */
    int most_reflections; /**< of an impact, >= 1 */
    int most_events;      /**< impacts within a step before it fails, >= 1 */
    double gap_tolerance; /**< a gap below minus this of D, or its rounding if that is more, is a
                             penetration; 1, in (0, 1) */
    double simultaneity;  /**< contacts with a gap up to this of D at an impact take part in it; 1,
                             in [gap_tolerance, 1) */
    carom_variational_step_params solution; /**< of the steps between impacts */
    /** Check the derivatives of the mechanism at every start (carom_mechanism_check_directions). */
    bool check_derivatives;
    /** Told the contact problem of every impact that carom_contact_solve decides, at its instant
     * and in the metric that the joints leave; no one where `tell` is NULL. */
    carom_contact_listener contacts;
} carom_variational_params;

/** h = 1e-3 s, most approaching first, 1e-12, impacts with friction, HELD, N_c = 2, 1000
 * reflections, 100 events, 1e-11 and 1e-8, no
 * listener. */
carom_variational_params carom_variational_params_default(void);

/** What happened at one impact of the last step. */
typedef struct carom_variational_impact {
    double time;          /**< t*, s */
    bool is_plastic;      /**< projection instead of reflections: chatter */
    int closed_count;     /**< contacts that took part: held, touching or closing */
    int reflection_count; /**< length of the sequence, 0 if plastic or if nothing approaches: a gap
                             may close at the end of a flight whose momentum opens it already */
    double energy_before; /**< kinetic and potential, J */
    double energy_after;  /**< J */
    int first_closed;     /**< where its contacts begin in `closed` of the stepper's result */
    int first_reflection; /**< where its sequence begins in `reflection` */
} carom_variational_impact;

/** The last step, borrowed from the stepper until the next call on it. n coordinates, m contacts of
 * t tangents. */
typedef struct carom_variational_result {
    double time;                    /**< t_k, s */
    const double *position;         /**< [n] q_k */
    const double *momentum;         /**< [n] p_k */
    const double *velocity;         /**< [n] M(q_k)^-1 p_k */
    const double *gap;              /**< [m] */
    const bool *is_held;            /**< [m] closed at the end */
    const double *contact_impulse;  /**< [m] normal impulses over the step, impacts included, N s;
                                       negative where a plastic impact pulls, which HELD may do */
    const double *holding_impulse;  /**< [m] those of held contacts alone, N s; negative, of order
                                       h^2, where a contact is about to open */
    const double *friction_impulse; /**< [m t] over the step, N s */
    double kinetic_energy;          /**< J */
    double potential_energy;        /**< J */
    double friction_work; /**< lost to friction in the step, >= 0, J; an estimate in a step in which
                             contacts come to stick while others press */
    double impact_loss;   /**< lost in its impacts, J */
    int impact_count;     /**< impacts in the step */
    const carom_variational_impact *impacts; /**< [impact_count] in order */
    const int *closed;                       /**< contacts of the impacts, one after the other */
    const int *reflection;                   /**< sequences of the impacts, one after the other */
    int iterations;                          /**< of Newton, partial steps and searches included */
} carom_variational_result;

/** The integrator at work on one mechanism: its state and its memory. */
typedef struct carom_variational_stepper carom_variational_stepper;

/**
 * @param[in]  mechanism full or banded layout; borrowed. Its restitution is R of
 * (16)
 * @param[in]  params    copied
 * @param[out] out       belongs to the caller
 * @param[out] report    what was refused; may be NULL
 * @return CAROM_OK; UNSUPPORTED: moving supports, rotations; OUT_OF_RANGE: parameters;
 * OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_variational_stepper_alloc(
    const carom_mechanism *mechanism, const carom_variational_params *params,
    carom_variational_stepper **out, carom_report *report);

/** Free; NULL is accepted. */
void carom_variational_stepper_free(carom_variational_stepper *stepper);
CAROM_AUTO_TYPE(carom_variational_stepper)

/**
 * Start in a state. Joints and contacts of `held` must be closed and not moving, up to a millionth
 * of the distance D of a step and of D/h (gaps up to their rounding if that is more); others may
 * touch, and if they approach the impact happens at once, within the first step.
 *
 * @param[in,out] stepper the stepper
 * @param[in]     t       s
 * @param[in]     q       [n]
 * @param[in]     v       [n]
 * @param[in]     held    [m]; NULL: none
 * @param[out]    report  may be NULL
 * @return CAROM_OK; PENETRATION with the gap; CONFLICT: a joint or a held contact that is open or
 * moves, or moving ones that cannot separate; SINGULAR: M; NOT_FINITE; as carom_mechanism_validate;
 * OUT_OF_RANGE: a step so short that t + h = t; DERIVATIVE_MISMATCH. The state before is kept after
 * a failure
 */
CAROM_MUST_CHECK carom_status carom_variational_stepper_start(carom_variational_stepper *stepper,
                                                              double t, const double *q,
                                                              const double *v, const bool *held,
                                                              carom_report *report);

/**
 * Advance by h. If an open contact would penetrate, the instant t* and place q* of the first impact
 * are found such that its gap vanishes at the end of the partial step, the momentum p- = F+ + f+ of
 * that partial step is reflected in the metric M(q*) by the propagative law over all contacts that
 * are closed there, and the rest of the step begins with p+: (30). A contact that hits more than
 * most_hits times within the step becomes plastic: the momentum is projected on the tangent space
 * of all closed contacts (RELEASED: on the cone of what opens) and they are held until they would
 * have to pull in the steps that follow; the impulse of the projection itself is negative where
 * HELD holds a contact that the others push open. Released contacts can set each other in motion
 * for ever: those that hit more than twice as often plus once are HELD. With R = 0 every impact is
 * plastic. A contact that touches at rest is held as soon as something presses it.
 *
 * That law has one R and no friction. An impact that pushes a contact with friction, unless the
 * parameters say so, or contacts of different R, is that of all closed contacts at once, each with
 * its own restitution (Newton) and friction (Coulomb), carom_contact_solve; of contacts that
 * chatter with R = 0. So is an impact of contacts that cannot be separated at once, as between two
 * walls without play, if one of them has friction: by R = 0 they rest; a velocity that comes back
 * as -R v may have no friction to fit. All laws act in the part of the metric that joints leave.
 * With friction and R > 0 at once Newton's law may give energy, as it does for a rod that slides in
 * at a slant; a method of steps cannot mend that.
 *
 * A penetration that opens again within the step, so that the gap is negative only in between, is
 * not seen: the step must resolve how bodies pass each other.
 *
 * After a failure the state is that before the step.
 *
 * @param[in,out] stepper after a start
 * @param[out]    report  quantity, time and step; may be NULL
 * @return CAROM_OK; CONFLICT: contacts without friction that cannot separate, or no consistent
 * contact modes: with friction, redundant rows and large mu each combination may be beyond its
 * bounds by more than a tolerance, once in some thousand random steps; RAY: no impulses with
 * friction; NOT_CONVERGED: also more than most_events, or most_reflections in an
 * impact; SINGULAR: M, or a closed contact without a normal; NOT_FINITE; OUT_OF_RANGE: t + h = t;
 * OUT_OF_MEMORY: lists of impacts that grow Source: seghete-2014 (30), section VII-B; forces in
 * (30), the contacts at rest and the guaranteed end of chatter are ours.
 */
CAROM_MUST_CHECK carom_status carom_variational_stepper_advance(carom_variational_stepper *stepper,
                                                                carom_report *report);

/** The last step (after a start: the initial state). */
const carom_variational_result *
carom_variational_stepper_result(const carom_variational_stepper *stepper);

/* ----------------------------------------------------------------------------------- whole runs */
/* A whole run of the variational integrator in memory. */

/** Row 0 is the start, row k what happened in the step that ends at t_k. Read, never written, by
 * users. */
typedef struct carom_variational_trajectory {
    carom_trajectory *rows;            /**< the motion in time */
    int impact_count;                  /**< impacts of the whole run */
    carom_variational_impact *impacts; /**< [impact_count] of the whole run */
    int *closed;     /**< contacts of the impacts, one after the other; first_closed counts here */
    int *reflection; /**< sequences, likewise */
} carom_variational_trajectory;

/**
 * Run from (q0, v0) at t0 over round(duration/h) steps, at least one.
 *
 * @param[in]  mechanism as carom_variational_stepper_alloc
 * @param[in]  params    likewise
 * @param[in]  t0        s
 * @param[in]  q0        [n]
 * @param[in]  v0        [n]
 * @param[in]  duration  s, >= h/2
 * @param[in]  progress  told after every row; may be NULL
 * @param[in]  context   handed to progress
 * @param[out] out       belongs to the caller; NULL on failure
 * @param[out] report    may be NULL
 * @return as carom_variational_stepper_alloc, _start and _advance; OUT_OF_RANGE: duration
 */
CAROM_MUST_CHECK carom_status carom_variational_trajectory_run(
    const carom_mechanism *mechanism, const carom_variational_params *params, double t0,
    const double *q0, const double *v0, double duration, carom_trajectory_progress progress,
    void *context, carom_variational_trajectory **out, carom_report *report);

/** Free; NULL is accepted. */
void carom_variational_trajectory_free(carom_variational_trajectory *trajectory);
CAROM_AUTO_TYPE(carom_variational_trajectory)

/**
 * How far apart the momenta of two runs are at the instants of the first, in the metric at its
 * positions: |p_1 - p_2|/|p_1|, and |p_1 - p_2| over its kinetic energy |p_1|^2/2; 0 while it is at
 * rest.
 *
 * @param[in]  mechanism of both runs, n coordinates
 * @param[in]  one       rows of a run, with position and momentum
 * @param[in]  other     of another with the same step, at least as many rows
 * @param[out] by_norm   [rows of one] 1
 * @param[out] by_energy [rows of one] |p| over energy
 * @param[out] report    "mass matrix"; may be NULL
 * @return CAROM_OK; OUT_OF_MEMORY; as carom_factor_compute for a singular mass matrix
 * Source: seghete-2014 section VII-B, figure 8. Cost: O(n^3) a row.
 */
CAROM_MUST_CHECK carom_status carom_variational_difference(const carom_mechanism *mechanism,
                                                           const carom_trajectory *one,
                                                           const carom_trajectory *other,
                                                           double *by_norm, double *by_energy,
                                                           carom_report *report);

CAROM_END_DECLARATIONS

#endif
