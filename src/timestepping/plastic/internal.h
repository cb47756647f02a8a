/** The parts of event-driven plastic motion. */
#ifndef CAROM_TIMESTEPPING_PLASTIC_INTERNAL_H
#define CAROM_TIMESTEPPING_PLASTIC_INTERNAL_H

#include <carom/base/linear_algebra.h>
#include <carom/mechanism/mechanism.h>
#include <carom/timestepping/plastic/plastic.h>

#include <gsl/gsl_odeiv2.h>

/* ------------------------------------------------------------------------------------- dynamics */
/* Internal: equations of motion with one contact, open or closed, at one state. */

/** Last values at a state, and work memory; read, never written, by users. */
typedef struct carom_plastic_dynamics {
    const carom_mechanism *mechanism;
    int n;

    /* carom_plastic_dynamics_accelerate */
    double *acceleration; /**< [n] a in the phase asked for */
    double contact_force; /**< F, N; zero while open */

    /* carom_plastic_dynamics_observe */
    double gap;               /**< g, m */
    double gap_rate;          /**< G v, m/s */
    double gap_rate_rounding; /**< of the sum G v, m/s */
    double normal_rounding;   /**< of the normal acceleration of the open contact, m/s2 */
    double normal_compliance; /**< G M^-1 G', 1/kg */
    double force_square;      /**< f' M^-1 f, N2/kg */

    /* carom_plastic_dynamics_measure */
    double energy;        /**< E, J: kinetic, and what the force could do over the position */
    double length;        /**< sqrt(G M^-1 G' q' M q), the largest gap that a displacement as large
                             as the position makes, m */
    double speed;         /**< sqrt(2 E G M^-1 G'), the largest gap rate of that energy, m/s */
    double *inverse_mass; /**< [n] diagonal of M^-1 */

    carom_factor *factor; /**< of the last M */
    double *mass;         /**< [layout] M */
    double *force;        /**< [n] f */
    double *jacobian;     /**< [n] G */
    double *rates;        /**< [n] d(G v)/dq */
    double *response;     /**< [n] M^-1 G' */
    double *column;       /**< [n] scratch */
    double *memory;       /**< owns the numbers */
} carom_plastic_dynamics;

/** Allocate for a mechanism (borrowed). @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_plastic_dynamics_init(carom_plastic_dynamics *dynamics,
                                                          const carom_mechanism *mechanism);

/** Free; a zeroed struct is accepted. */
void carom_plastic_dynamics_clear(carom_plastic_dynamics *dynamics);

/**
 * Fill acceleration and contact force of the phase: M a = f, or M a = f + G' F with
 * G a + (d(G v)/dq) v = 0.
 *
 * @return CAROM_OK; SINGULAR: M, or G M^-1 G' not positive where closed; NOT_FINITE; the report
 * (may be NULL) names the quantity
 */
CAROM_MUST_CHECK carom_status carom_plastic_dynamics_accelerate(carom_plastic_dynamics *dynamics,
                                                                double t, const double *q,
                                                                const double *v, bool is_closed,
                                                                carom_report *report);

/** As accelerate, and fill the quantities of the contact as well. */
CAROM_MUST_CHECK carom_status carom_plastic_dynamics_observe(carom_plastic_dynamics *dynamics,
                                                             double t, const double *q,
                                                             const double *v, bool is_closed,
                                                             carom_report *report);

/**
 * Fill the scales of the state last observed, open.
 *
 * @return CAROM_OK; SINGULAR: M is not positive
 */
CAROM_MUST_CHECK carom_status carom_plastic_dynamics_measure(carom_plastic_dynamics *dynamics,
                                                             const double *q, const double *v,
                                                             carom_report *report);

/** Kinetic energy with the last M, J. */
double carom_plastic_dynamics_kinetic_energy(carom_plastic_dynamics *dynamics, const double *v);

/**
 * Move the position onto g = 0 and then the velocity onto G v = 0 there, both along M^-1 G': one
 * step each, the gap being of rounding size.
 *
 * @param[in,out] dynamics afterwards with gap rate (before its removal) and normal compliance of
 * the moved position
 * @return as carom_plastic_dynamics_accelerate
 */
CAROM_MUST_CHECK carom_status carom_plastic_dynamics_project(carom_plastic_dynamics *dynamics,
                                                             double *q, double *v,
                                                             carom_report *report);

/* ----------------------------------------------------------------------------------- integrator */
/* Internal: steps of a motion within one phase, and the states inside the last of them. */

/** Where a motion is. States are y = (q, v), [2 n]. */
typedef struct carom_plastic_integrator {
    carom_plastic_dynamics *dynamics; /**< borrowed */
    bool is_closed;                   /**< the phase integrated */
    double origin;                    /**< time of the last restart, s */
    double elapsed;                   /**< since then, s, so that what follows an event is resolved
                                         relative to it */
    double time;                      /**< reached, s */
    double step_size;                 /**< of the next step, s */
    double *state;                    /**< [2n] */

    double step_origin;  /**< elapsed at the beginning of the last step, s */
    double step_length;  /**< of the last step, s */
    double *step_state;  /**< [2n] at its beginning */
    double *probe_state; /**< [2n] within it */
    double *error;       /**< [2n] of a step, estimated */
    double *weight;      /**< [2n] of it, tolerated */
    double energy;       /**< the largest kinetic one tried since the measure, J */
    double relative_tolerance;
    double absolute_tolerance;

    carom_report refusal;         /**< why the equations could not be evaluated */
    carom_status equation_status; /**< likewise, or OK */
    gsl_odeiv2_system system;
    gsl_odeiv2_step *step;
    double *memory; /**< owns the numbers */
} carom_plastic_integrator;

/** Allocate around equations; must not be moved. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_plastic_integrator_init(carom_plastic_integrator *integrator,
                                                            carom_plastic_dynamics *dynamics,
                                                            double relative_tolerance,
                                                            double absolute_tolerance);

/** Free; a zeroed struct is accepted. */
void carom_plastic_integrator_clear(carom_plastic_integrator *integrator);

/** Tolerances count in the scales that the equations have measured; the next step is chosen anew.
 */
void carom_plastic_integrator_measure(carom_plastic_integrator *integrator);

/** Begin anew at a time, in a phase, from the state that has been set. */
void carom_plastic_integrator_restart(carom_plastic_integrator *integrator, double time,
                                      bool is_closed);

/**
 * One step, of the size that the tolerances allow, towards a time.
 *
 * @param[in,out] integrator after a restart
 * @param[in]     until   later than the time reached, s; may be reached, to the bit
 * @param[in]     largest step, s
 * @param[out]    report  may be NULL
 * @return CAROM_OK; a status of the equations; NOT_CONVERGED
 */
CAROM_MUST_CHECK carom_status carom_plastic_integrator_step(carom_plastic_integrator *integrator,
                                                            double until, double largest,
                                                            carom_report *report);

/**
 * Fill probe_state: that of `duration` after the beginning of the last step, in one step of the
 * pair, and observe the equations there.
 *
 * @param[in,out] integrator after a step
 * @param[in]     duration from zero to step_length, s
 * @param[out]    report   may be NULL
 * @return CAROM_OK; a status of the equations
 */
CAROM_MUST_CHECK carom_status carom_plastic_integrator_probe(carom_plastic_integrator *integrator,
                                                             double duration, carom_report *report);

/** Make the last probe, of a duration, the present state. */
void carom_plastic_integrator_go_back(carom_plastic_integrator *integrator, double duration);

/* ---------------------------------------------------------------------------------------- watch */
/* Internal: what ends a phase, and when it first does within a step. */

/** The quantities that decide about events, at one state. */
typedef struct carom_plastic_reading {
    double duration; /**< from the beginning of the step, s */
    double gap;      /**< m */
    double gap_rate; /**< m/s */
    double rounding; /**< of the gap rate, m/s */
    double force;    /**< of the contact, N */
    double pull;     /**< force of this size is rounding, N */
    double user;     /**< user's quantity; 1 without one */
} carom_plastic_reading;

/** What is watched for, in the present phase. */
typedef struct carom_plastic_watch {
    const carom_plastic_params *params;   /**< borrowed */
    carom_plastic_integrator *integrator; /**< borrowed */
    bool is_release_armed;       /**< the contact has pushed by more than rounding in this phase */
    bool is_user_armed;          /**< the user's quantity has exceeded its level */
    carom_plastic_reading first; /**< at the present state */
} carom_plastic_watch;

/** Read at the present state, into `first`. @return CAROM_OK; NOT_FINITE; SINGULAR */
CAROM_MUST_CHECK carom_status carom_plastic_watch_read_state(carom_plastic_watch *watch,
                                                             carom_report *report);

/** Whether what is read at the start of a phase ends it already: a gap closed and closing faster
 * than the tolerance, or a contact that would pull. */
bool carom_plastic_watch_ends_at_once(const carom_plastic_watch *watch);

/** Whether the user's quantity, once armed, has fallen to zero in a reading. */
bool carom_plastic_watch_calls_user(const carom_plastic_watch *watch,
                                    const carom_plastic_reading *reading);

/** Take note of what a reading makes possible: release, user event. */
void carom_plastic_watch_arm(carom_plastic_watch *watch, const carom_plastic_reading *reading);

/**
 * Look for the first event in the integrator's last step.
 *
 * @param[in,out] watch    `first` is that at the beginning of the step; afterwards, without an
 *                         event, that at its end
 * @param[out]    kind     CAROM_PLASTIC_END if there is none; of two at once that of the contact
 * @param[out]    report   may be NULL
 * @return CAROM_OK, the integrator having gone back to the event; NOT_FINITE; SINGULAR
 */
CAROM_MUST_CHECK carom_status carom_plastic_watch_search(carom_plastic_watch *watch,
                                                         carom_plastic_event_kind *kind,
                                                         carom_report *report);

#endif
