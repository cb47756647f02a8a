/** Event-driven motion with one perfectly plastic contact: flights and stances, exact between
 * landing and release. */
#ifndef CAROM_TIMESTEPPING_PLASTIC_PLASTIC_H
#define CAROM_TIMESTEPPING_PLASTIC_PLASTIC_H

#include <carom/base/base.h>
#include <carom/mechanism/mechanism.h>

#include <stdbool.h>

CAROM_BEGIN_DECLARATIONS

/**
 * A quantity whose fall to zero from above ends an advance.
 *
 * @param[in] t             time, s
 * @param[in] q             [n] position
 * @param[in] v             [n] velocity
 * @param[in] a             [n] acceleration in the present phase
 * @param[in] contact_force F of the contact, N; zero while it is open
 * @param[in] context       user_context of the parameters
 */
typedef double (*carom_plastic_quantity)(double t, const double *q, const double *v,
                                         const double *a, double contact_force, void *context);

/**
 * How a motion is followed. Tolerances count in the scales of a start (q, v): with w = G M^-1 G',
 * the length L = sqrt(w q' M q), the largest gap that a displacement as large as q makes; the
 * energy E = v' M v/2 + sqrt(f' M^-1 f q' M q), the kinetic one and what the force could do over q;
 * the speed U = sqrt(2 E w), the largest gap rate of that energy.
 */
typedef struct carom_plastic_params {
    double relative_tolerance; /**< > 0, of the integrator */
    double absolute_tolerance; /**< > 0, of the integrator, in parts of the velocities that the
                                  energy of the motion can bring about, and of the way of a
                                  coordinate in a step at such a velocity */
    double largest_step;       /**< > 0, s; infinity: as the tolerances of q and v allow. Events are
                                  looked for at quarters of a step: bound it where the gap varies on
                                  lengths that a smooth flight passes in one */
    int most_steps;            /**< >= 1, of one advance */

    double gap_tolerance; /**< >= 0: a gap of this size is touch at the start, and a gap that dips
                             less below zero and rises again is none, m; NaN: 1e-12 of L, and four
                             roundings of the gap at least */
    double gap_rate_tolerance; /**< >= 0: a gap rate of this size is rest at the start, m/s; NaN:
                                  1e-9 of U, and its rounding at least */

    double shortest_flight; /**< >= 0: shorter flights are micro-flights, s; NaN: 1e-9 of L/U */
    int most_micro_flights; /**< >= 0: more of them in a row are a failure */

    carom_plastic_quantity user_quantity; /**< NULL: none */
    double user_level;  /**< >= 0: the quantity must have exceeded it, since the start or its last
                           event, before its fall to zero counts */
    void *user_context; /**< borrowed */

    /** Check the derivatives of the mechanism at every start (carom_mechanism_check_directions). */
    bool check_derivatives;
} carom_plastic_params;

/** Tolerances 1e-13 and 1e-14, no largest step, 10^6 steps an advance; touch, rest and
 * micro-flights from the scales of each start, at most 16 of the last in a row; no user event;
 * derivatives checked at every start. */
carom_plastic_params carom_plastic_params_default(void);

/** Why an advance ended. */
typedef enum carom_plastic_event_kind {
    CAROM_PLASTIC_END,     /**< the time asked for is reached */
    CAROM_PLASTIC_LANDING, /**< the gap has closed; the contact is closed now */
    CAROM_PLASTIC_RELEASE, /**< the contact force has fallen to zero; the contact is open now */
    CAROM_PLASTIC_USER     /**< the user's quantity has fallen to zero; nothing else has changed */
} carom_plastic_event_kind;

/** What happened, when, and what it cost. */
typedef struct carom_plastic_event {
    carom_plastic_event_kind kind; /**< what happened */
    double time;                   /**< s */
    double gap_rate_before;        /**< G v before the impact, m/s, <= 0; NaN unless a landing */
    double energy_lost;            /**< (G v)^2 / (2 G M^-1 G'), J; zero unless a landing */
    double contact_force; /**< F just after, N; negative just after a landing that bounces */
} carom_plastic_event;

/** What plastic motion computes: one contact without joints, friction and restitution. */
extern const carom_mechanism_support carom_plastic_support;

/** A motion: mechanism, present state and work memory. */
typedef struct carom_plastic_motion carom_plastic_motion;

/**
 * A motion of a mechanism, not yet started, of
 *
 *     open:    M(q) a = f(q,v,t)
 *     closed:  M(q) a = f(q,v,t) + G' F,   G a + (d(G v)/dq) v = 0
 *     landing: v+ = v - M^-1 G' (G M^-1 G')^-1 G v
 *
 * with gap g(q), G = dg/dq, q' = v.
 *
 * @param[in]  mechanism without joints, with one contact of restitution zero without friction, M(q)
 *                       positive definite; borrowed
 * @param[in]  params    as above, copied
 * @param[out] out       belongs to the caller, to be freed by carom_plastic_motion_free; NULL on
 *                       failure
 * @param[out] report    quantity refused; may be NULL
 * @return CAROM_OK; UNSUPPORTED: joints, restitution, friction, moving supports, rotations;
 * OUT_OF_RANGE: counts, layout, parameters; NOT_FINITE; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_plastic_motion_alloc(const carom_mechanism *mechanism,
                                                         const carom_plastic_params *params,
                                                         carom_plastic_motion **out,
                                                         carom_report *report);

/** Free; NULL is accepted. */
void carom_plastic_motion_free(carom_plastic_motion *motion);
CAROM_AUTO_TYPE(carom_plastic_motion)

/**
 * Start, or start anew, in a state; it may be that of an event. A closed start takes what the
 * tolerances allow of gap and gap rate away, as at a landing; an open one is taken as it is.
 *
 * @param[in,out] motion    its state is NaN after a failure
 * @param[in]     time      s
 * @param[in]     q         [n] position
 * @param[in]     v         [n] velocity
 * @param[in]     is_closed whether the contact is closed
 * @param[out]    report    quantity refused; may be NULL
 * @return CAROM_OK; a status of carom_mechanism_validate or carom_mechanism_check_directions;
 * NOT_FINITE; PENETRATION: an open start
 * below -gap_tolerance; CONFLICT: a closed start with a gap or a gap rate beyond the tolerances;
 * SINGULAR: M, or G = 0 in a closed start
 */
CAROM_MUST_CHECK carom_status carom_plastic_motion_start(carom_plastic_motion *motion, double time,
                                                         const double *q, const double *v,
                                                         bool is_closed, carom_report *report);

/**
 * Go on to the next event, or to a time.
 *
 * Between events: Prince and Dormand's pair of order 8. Events are looked for at the quarters of
 * each step and at the extremes in between, and bisected to rounding; of two at once that of the
 * contact comes first:
 *   - landing: the gap of an open contact is <= 0 and closes faster than the rounding of G v,
 *   - release: the force of a closed contact has fallen to zero,
 *   - the user's quantity has fallen to zero.
 *
 * A dip of force or quantity below some 1e-6 of their change in a step may go unseen, and what
 * changes with time while the mechanism rests, or a gap that varies on lengths that a smooth flight
 * passes in one step: bound the step. At landing and release position and velocity are moved onto
 * g = 0 and G v = 0 along M^-1 G'; the drift of a stance that this takes away is 1e-9 m after 1000
 * s for a body of 1 m. A collisionless landing may show as one short flight between three events;
 * more than most_micro_flights flights in a row that are shorter than shortest_flight are reported
 * instead of followed. The document explains both under "The nonlinear body".
 *
 * @param[in,out] motion after carom_plastic_motion_start; NaN after a failure, to be started anew;
 * as it was where `until` is refused
 * @param[in]     until  >= the present time, s
 * @param[out]    event  what happened; NaN on failure
 * @param[out]    report quantity, time, step and steps of a failure; may be NULL
 * @return CAROM_OK; OUT_OF_RANGE: until; NOT_FINITE; SINGULAR: M, or G = 0 at a closed contact;
 * NOT_CONVERGED: steps or micro-flights are too many
 * Source: pankov-2024 section 1 (plastic contact), section 2 (conditions (1)).
 * Cost: 14 evaluations of a, M's factorization included, for a step (at 1e-13, of some 0.13 rad of
 * the fastest oscillation), 56 more to look for events in it, 900 for an event.
 */
CAROM_MUST_CHECK carom_status carom_plastic_motion_advance(carom_plastic_motion *motion,
                                                           double until, carom_plastic_event *event,
                                                           carom_report *report);

/** Present time, s. */
double carom_plastic_motion_time(const carom_plastic_motion *motion);

/** Present position [n], borrowed until the next start or advance. */
const double *carom_plastic_motion_position(const carom_plastic_motion *motion);

/** Present velocity [n], after the impact at a landing; borrowed likewise. */
const double *carom_plastic_motion_velocity(const carom_plastic_motion *motion);

/** Present acceleration [n] in the present phase, borrowed likewise. */
const double *carom_plastic_motion_acceleration(const carom_plastic_motion *motion);

/** Present contact force, N: zero while the contact is open. */
double carom_plastic_motion_contact_force(const carom_plastic_motion *motion);

/** Whether the contact is closed. */
bool carom_plastic_motion_is_closed(const carom_plastic_motion *motion);

CAROM_END_DECLARATIONS

#endif
