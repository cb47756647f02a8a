/** The parts of compliant contact: equations, scales, integrator, one step, events. */
#ifndef CAROM_TIMESTEPPING_COMPLIANT_INTERNAL_H
#define CAROM_TIMESTEPPING_COMPLIANT_INTERNAL_H

#include <carom/base/base.h>
#include <carom/base/linear_algebra.h>
#include <carom/timestepping/compliant/compliant.h>

/* ---------------------------------------------------------------------------------------- Radau */
/* Internal: collocation at the nodes of Radau, the implicit Runge-Kutta method IIA of 7 stages. */

/** Stages s: order 2 s - 1 at the end of a step, s within it; stiff components are damped out. */
enum { CAROM_RADAU_STAGES = 7 };

/** Nodes c_i in (0, 1], the last one 1: the zeros of P_s - P_(s-1) on [0, 1]. */
extern const double carom_radau_nodes[CAROM_RADAU_STAGES];

/** Coefficients, with l_j the Lagrange polynomials of the nodes. */
typedef struct carom_radau {
    double A[CAROM_RADAU_STAGES][CAROM_RADAU_STAGES];  /**< integral of l_j from 0 to c_i */
    double AA[CAROM_RADAU_STAGES][CAROM_RADAU_STAGES]; /**< A A */
    double at_start[CAROM_RADAU_STAGES];               /**< l_j(0) */

    double legendre[CAROM_RADAU_STAGES][CAROM_RADAU_STAGES]; /**< [k][j]: l_j is the sum over k of
                                                                this times P_k on [0, 1] */
} carom_radau;

/** Fill the coefficients. Source: Hairer and Wanner, Solving ordinary differential equations II,
 * section IV.5. */
void carom_radau_init(carom_radau *radau);

/**
 * Integrals of l_j from 0 to x: after a part x of a step of length h from y, with stage rates f_j,
 * the state is y + h sum_j w_j f_j.
 *
 * @param[in]  x       in [0, 1]
 * @param[out] weights [s] w_j
 */
void carom_radau_weights(const carom_radau *radau, double x, double *weights);

/* ------------------------------------------------------------------------------------ equations */
/* Internal: the smooth equations of motion between changes of contact law, and their derivatives.
 * */

/** Normal law of a contact. */
typedef enum carom_compliant_contact_mode {
    CAROM_COMPLIANT_OPEN,     /**< phi > 0: no force */
    CAROM_COMPLIANT_PRESSING, /**< phi <= 0: lambda_n = -k phi - d phi' > 0 */
    CAROM_COMPLIANT_UNLOADED  /**< phi <= 0, leaving faster than the spring: no force */
} carom_compliant_contact_mode;

/**
 * State y [2 n + m (1 + t)]: displacement q - q(0), velocity v, accumulated normal impulses,
 * accumulated tangential impulses. The displacement is small where q is not: its rounding and its
 * tolerance are those of the compression.
 */
typedef struct carom_compliant_system {
    const carom_mechanism *mechanism;
    carom_compliant_params resolved;      /**< with numbers in the place of NaN */
    const carom_compliant_params *params; /**< these */
    const double *initial_position;       /**< [n] */
    int n;
    int m;
    int t;
    int size; /**< 2 n + m (1 + t) */
    bool has_constant_mass;

    double energy;       /**< scale of the energies so far, J: at the start kinetic, of the springs,
                            and what the largest force over the time span brings about within a
                            contact time */
    double contact_time; /**< longest sqrt(1/(w k)), s; 0: no contact can be pressed */
    double *inverse_mass; /**< [n] diagonal of M^-1 at the start */
    double *compliance;   /**< [m (1 + t)] w = J M^-1 J' at the start, J_n then J_t, 1/kg */
    double *touching;     /**< [m] gaps up to this are touch: 1e-9 of the compression sqrt(2 E/k),
                             four roundings of the gap at least, m */

    double *damping;                    /**< [m] d, N s/m */
    int stiffest_contact;               /**< where the rounding of the gap weighs most */
    double largest_stiffness;           /**< that rounding leaves to it, N/m */
    carom_compliant_contact_mode *mode; /**< [m] */
    bool *is_sliding;                   /**< [m] |r| > epsilon, but for hysteresis */
    double *sticking_speed; /**< [m] the larger of epsilon and |r| where sticking began, m/s */
    double *slip_direction; /**< [m t] unit vector of r where sliding began */
    double *hysteresis;     /**< [m] of stick and slip, in parts of epsilon */

    double *start_time;           /**< [m] first touch, s; NaN before */
    int first_contact;            /**< -1 before */
    int second_contact;           /**< -1 before */
    double impulse_before_second; /**< of the first contact, N s */

    double *position;         /**< [n] q: this and the following, of the last evaluation */
    double *gap;              /**< [m] phi */
    double *normal_rows;      /**< [m][n] J_n */
    double *tangential_rows;  /**< [m t][n] J_t */
    double *gap_rate;         /**< [m] J_n v */
    double *sliding;          /**< [m t] r = J_t v */
    double *normal_law;       /**< [m] -k phi - d phi', whatever the mode */
    double *normal_force;     /**< [m] lambda_n */
    double *friction_unit;    /**< [m t] -lambda_t / (mu lambda_n) */
    double *tangential_force; /**< [m t] lambda_t */
    double *acceleration;     /**< [n] v' */

    double *mass;              /**< [layout] */
    double *derivative;        /**< [layout] scratch */
    double *force_derivative;  /**< [n][2 n] of all forces by (q, v) */
    double *normal_rate;       /**< [m][n] d(J_n v)/dq */
    double *tangential_rate;   /**< [m t][n] d(J_t v)/dq */
    double *normal_slope;      /**< [2 n] of one lambda_n by (q, v) */
    double *tangential_slopes; /**< [m t][2 n] of lambda_t by (q, v) */
    double *column;            /**< [n] scratch */
    double *work;              /**< [layout + n] scratch */
    carom_factor *factor;      /**< of the mass matrix */
    double *memory;            /**< owns the numbers */
} carom_compliant_system;

/**
 * Allocate; all contacts open.
 *
 * @param[out] system           to be cleared by carom_compliant_system_clear, also after a failure;
 *                              must not be moved
 * @param[in]  mechanism        borrowed
 * @param[in]  params           copied, its arrays borrowed
 * @param[in]  initial_position [n], borrowed
 * @param[in]  initial_velocity [n]
 * @param[out] report           quantity refused; may be NULL
 * @return CAROM_OK; OUT_OF_MEMORY; SINGULAR or NOT_FINITE for the initial mass matrix; a status of
 * carom_compliant_take_scales
 */
CAROM_MUST_CHECK carom_status carom_compliant_system_init(carom_compliant_system *system,
                                                          const carom_mechanism *mechanism,
                                                          const carom_compliant_params *params,
                                                          const double *initial_position,
                                                          const double *initial_velocity,
                                                          carom_report *report);

/** Free the arrays; a zeroed system is accepted. */
void carom_compliant_system_clear(carom_compliant_system *system);

/** Position, gaps, rows, speeds and normal laws at a state y. */
void carom_compliant_kinematics(carom_compliant_system *system, const double *y);

/** Normal and tangential forces after carom_compliant_kinematics. */
void carom_compliant_forces(carom_compliant_system *system);

/**
 * y' [size] in the present modes.
 * @return CAROM_OK; SINGULAR; NOT_FINITE
 */
CAROM_MUST_CHECK carom_status carom_compliant_rate(carom_compliant_system *system, double t,
                                                   const double *y, double *y_dot);

/**
 * y' [size] and the derivatives of v', lambda_n and lambda_t by (q, v), which neither depend on
 * the accumulated impulses nor those on anything else: slopes [n + m (1 + t)][2 n].
 * @return CAROM_OK; SINGULAR; NOT_FINITE
 */
CAROM_MUST_CHECK carom_status carom_compliant_rate_derivative(carom_compliant_system *system,
                                                              double t, const double *y,
                                                              double *y_dot, double *slopes);

/* --------------------------------------------------------------------------------------- scales */
/* Internal: the scales of a compliant run, and what tolerances and parameters are in them. */

/**
 * Fill the scales of a system from its state at the start, the parameters that are NaN, the
 * dampers and what counts as touch.
 *
 * @param[in,out] system with its initial mass matrix factored
 * @param[in]     v      [n] initial velocity
 * @param[out]    report quantity refused; may be NULL
 * @return CAROM_OK; SINGULAR: the mass matrix is not positive; NOT_FINITE: forces; OUT_OF_RANGE: a
 * regularisation speed below the rounding of sliding speeds, a time span where no contact gives one
 */
CAROM_MUST_CHECK carom_status carom_compliant_take_scales(carom_compliant_system *system,
                                                          const double *v, carom_report *report);

/**
 * Errors of a state y that the tolerances allow: the relative tolerance of each component, and the
 * absolute one of what the energy of the run can make of it within a contact time.
 *
 * @param[in,out] system after carom_compliant_kinematics at y; its energy grows to that of y
 * @param[in]     y      [size]
 * @param[out]    weight [size]
 * @return CAROM_OK; OUT_OF_RANGE: a stiffness whose compressions are lost in the rounding of the
 * gap
 */
CAROM_MUST_CHECK carom_status carom_compliant_weigh(carom_compliant_system *system, const double *y,
                                                    double *weight);

/* ----------------------------------------------------------------------------------- integrator */
/* Internal: steps of chosen length through the equations of a compliant system, up to events. */

/** State, step and event functions. */
typedef struct carom_compliant_integrator carom_compliant_integrator;

/** How a step ended. */
typedef enum carom_compliant_progress {
    CAROM_COMPLIANT_STEPPED,  /**< within the present laws */
    CAROM_COMPLIANT_EVENT,    /**< at the zero of an event function */
    CAROM_COMPLIANT_FINISHED, /**< the time span is over */
    CAROM_COMPLIANT_FAILED    /**< see carom_compliant_integrator_failure */
} carom_compliant_progress;

/** Counts of a run. */
typedef struct carom_compliant_counts {
    long steps;
    long force_evaluations;
    long jacobian_evaluations;
    long error_test_failures;
    long convergence_failures;
} carom_compliant_counts;

/**
 * At time zero, in the state of rest displacement and velocity v, with the tolerances and the time
 * span of the system's parameters.
 *
 * @param[in]  system borrowed; its modes are the ones integrated
 * @param[in]  v      [n]
 * @param[out] out    belongs to the caller
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_compliant_integrator_alloc(carom_compliant_system *system,
                                                               const double *v,
                                                               carom_compliant_integrator **out);

/** Free; NULL is accepted. */
void carom_compliant_integrator_free(carom_compliant_integrator *integrator);
CAROM_AUTO_TYPE(carom_compliant_integrator)

/** Time reached, s. */
double carom_compliant_integrator_time(const carom_compliant_integrator *integrator);

/** State reached, [size of the system], borrowed. */
const double *carom_compliant_integrator_state(const carom_compliant_integrator *integrator);

/** Which event functions call for a change, [event count], borrowed; after CAROM_COMPLIANT_EVENT.
 */
const bool *carom_compliant_integrator_events(const carom_compliant_integrator *integrator);

/** One step, ending early at an event or at the end of the time span. Events are looked for at the
 * nodes of the step, and bisected to the rounding of its part; the state is that on their far
 * side. */
carom_compliant_progress carom_compliant_integrator_step(carom_compliant_integrator *integrator);

/** Time counts anew: to be called whenever a mode has changed. @return whether time is left */
bool carom_compliant_integrator_restart(carom_compliant_integrator *integrator);

/** Why the last step failed: a status of the equations, or NOT_CONVERGED. */
carom_status carom_compliant_integrator_failure(const carom_compliant_integrator *integrator);

/** Length of the next step to be tried, s. */
double carom_compliant_integrator_step_size(const carom_compliant_integrator *integrator);

/** Counts so far. */
carom_compliant_counts
carom_compliant_integrator_counts(const carom_compliant_integrator *integrator);

/* ------------------------------------------------------------------------------------- one step */
/* Internal: one step of a compliant system within its present laws, and the states inside it. */

/** A step and its work memory; s stages, p = n + m (1 + t) rows of derivatives. */
typedef struct carom_compliant_step {
    carom_compliant_system *system; /**< borrowed */
    carom_radau radau;
    double time;   /**< at the beginning, s */
    double length; /**< h, s */

    double *start;        /**< [size] y at the beginning */
    double *start_rate;   /**< [size] y' there */
    double *start_slopes; /**< [p][2 n] derivatives there */
    double *stage;        /**< [s][size] y at the nodes; the last one ends the step */
    double *stage_rate;   /**< [s][size] y' of the collocation polynomial there */

    double *law_rate;      /**< [s][size] y' by the laws at the stages */
    double *stage_slopes;  /**< [s][p][2 n] */
    double *newton_matrix; /**< [s n][s n] 1 - h A x dv'/dv - h^2 A A x dv'/dq */
    double *change;        /**< [s n] of the stage accelerations */
    double *stage_change;  /**< [s][2 n] what this makes of position and velocity */
    carom_factor *newton;

    double *damping_matrix; /**< [n][n] 1 - h c_1 dv'/dv - (h c_1)^2 dv'/dq at the beginning */
    double *error;          /**< [size] estimated */
    double *moved;          /**< [size] scratch */
    carom_factor *damping;

    long force_evaluations;
    long jacobian_evaluations;
    double *memory; /**< owns the numbers */
} carom_compliant_step;

/** Allocate for a system (borrowed). @return CAROM_OK; OUT_OF_MEMORY, to be cleared nevertheless */
CAROM_MUST_CHECK carom_status carom_compliant_step_init(carom_compliant_step *step,
                                                        carom_compliant_system *system);

/** Free; a zeroed struct is accepted. */
void carom_compliant_step_clear(carom_compliant_step *step);

/** Steps are to begin at time t with the state y [size]. @return CAROM_OK; SINGULAR; NOT_FINITE */
CAROM_MUST_CHECK carom_status carom_compliant_step_begin(carom_compliant_step *step, double t,
                                                         const double *y);

/**
 * Try a step: y' of a polynomial of degree s - 1 agrees with the laws at the nodes. Newton's
 * iteration for the stage accelerations, with the derivatives of each stage; the positions follow
 * from the velocities, the impulses from both.
 *
 * @param[in,out] step   after a beginning; any number of steps may be tried from it
 * @param[in]     h      > 0, s
 * @param[in]     weight [size] > 0 tolerated errors of y
 * @param[out]    error  largest estimated error over its weight: the defect of the polynomial at
 *                       the beginning, over the time to the first node, damped where it is stiff
 * @return CAROM_OK; NOT_CONVERGED; SINGULAR; NOT_FINITE
 * Source: Hairer and Wanner, Solving ordinary differential equations II, section IV.8.
 */
CAROM_MUST_CHECK carom_status carom_compliant_step_try(carom_compliant_step *step, double h,
                                                       const double *weight, double *error);

/** State y [size] after a part x in [0, 1] of the last step tried. */
void carom_compliant_step_state(const carom_compliant_step *step, double x, double *y);

/* --------------------------------------------------------------------------------------- events */
/* Internal: when contacts change their law, and when a compliant run stops. */

/** Number of event functions: gap, normal law and friction of every contact, and the stop. */
int carom_compliant_event_count(const carom_compliant_system *system);

/** Set the laws of the contacts from the state y at time t: at the start. */
void carom_compliant_start(carom_compliant_system *system, double t, const double *y);

/** Event functions g [event count] at y: how far the state is beyond what the present laws allow;
 * rising through zero is an event. -1 for what cannot happen in the present modes. */
void carom_compliant_event_values(carom_compliant_system *system, const double *y, double *g);

/**
 * Mark the event functions [event count] that have risen through zero, and those that have been
 * above it from the start, where no crossing is seen, and exceed it by more than rounding now.
 * @return whether there are any
 */
bool carom_compliant_find_events(const carom_compliant_system *system, const double *before,
                                 const double *after, bool *found);

/** Change the laws whose event functions are marked in `found`. */
void carom_compliant_apply_events(carom_compliant_system *system, double t, const double *y,
                                  const bool *found);

/** Whether the run may end at y: every watched contact has its least impulse and is not closing. */
bool carom_compliant_may_stop(carom_compliant_system *system, const double *y);

#endif
