/** Time stepping as in engines for games: one velocity-level contact problem a step, with Newton's
 * restitution, Coulomb's friction, joints, and an additive correction of penetration (error
 * reduction, Baumgarte). */
#ifndef CAROM_TIMESTEPPING_ENGINE_ERROR_REDUCTION_H
#define CAROM_TIMESTEPPING_ENGINE_ERROR_REDUCTION_H

#include <carom/base/base.h>
#include <carom/mechanism/mechanism.h>
#include <carom/timestepping/trajectory.h>

#include <stdbool.h>

CAROM_BEGIN_DECLARATIONS

/** How the contact problem of a step is solved. */
typedef enum carom_error_reduction_solver {
    CAROM_ERROR_REDUCTION_SWEEPS, /**< projected Gauss-Seidel, a fixed number of sweeps: each joint
                                     and contact by itself in turn */
    CAROM_ERROR_REDUCTION_EXACT   /**< carom_contact_solve, by Lemke's method where there is neither
                                     friction nor a joint; to 1e-12, where that fails to 1e-9. From
                                     the impulses of the last step at contacts, from none at joints:
                                     those of redundant joints are of their step alone */
} carom_error_reduction_solver;

/** How a step is taken. */
typedef struct carom_error_reduction_params {
    double step;            /**< h > 0, s */
    double error_reduction; /**< part of a penetration that a step removes, in [0, 1]; 1 */
    carom_error_reduction_solver solver; /**< of the contact problem */
    int sweeps;                          /**< of SWEEPS, >= 1 */
    bool is_warm_started; /**< SWEEPS begin with the impulses of the last step, not with zeros */
    bool is_speculative;  /**< contacts that do not touch yet take part, see below */
    /** Gaps up to this part of their terms |G| (|q| + h |v| + h |v*|) are closed, in [0,1), v* the
     * velocity without contacts; never below what the rounding of the time leaves of a support. */
    double touching;
    /** Check the derivatives of the mechanism at every start (carom_mechanism_check_directions). */
    bool check_derivatives;
    /** Told the contact problem of every step that has one, at the time of its end; no one where
     * `tell` is NULL. */
    carom_contact_listener contacts;
} carom_error_reduction_params;

/** h = 1/60 s, 0.2, 10 sweeps from zeros, not speculative, 1e-12, no listener. */
carom_error_reduction_params carom_error_reduction_params_default(void);

/** The last step, borrowed from the stepper until the next call on it. n coordinates, m contacts of
 * t tangents. */
typedef struct carom_error_reduction_result {
    double time;                    /**< t_k, s */
    const double *position;         /**< [n_q] q_k */
    const double *velocity;         /**< [n] v_k */
    const double *joint;            /**< [n_b] joint residuals at q_k */
    const double *gap;              /**< [m] at q_k */
    const double *joint_impulse;    /**< [n_b] of the step that ended here, N s; zeros after a start
                                     */
    const double *impulse;          /**< [m] likewise, normal */
    const double *friction_impulse; /**< [m t] likewise; nothing without friction */
    double kinetic_energy;          /**< J */
    double potential_energy;        /**< J */
    int contact_count;              /**< contacts of the problem of that step */
    double residual; /**< of that problem (carom_contact_certify), 1; 0 without one */
} carom_error_reduction_result;

/** The scheme at work on one mechanism: its state and its memory. */
typedef struct carom_error_reduction_stepper carom_error_reduction_stepper;

/**
 * @param[in]  mechanism borrowed. Its restitution is Newton's e_i, its friction Coulomb's mu_i
 * @param[in]  params    copied
 * @param[out] out       belongs to the caller; NULL on failure
 * @param[out] report    what was refused; may be NULL
 * @return CAROM_OK; OUT_OF_RANGE, NOT_FINITE: parameters; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_error_reduction_stepper_alloc(
    const carom_mechanism *mechanism, const carom_error_reduction_params *params,
    carom_error_reduction_stepper **out, carom_report *report);

/** Free; NULL is accepted. */
void carom_error_reduction_stepper_free(carom_error_reduction_stepper *stepper);
CAROM_AUTO_TYPE(carom_error_reduction_stepper)

/**
 * Start in a state; contacts may penetrate, which the steps will reduce.
 *
 * @param[in,out] stepper the stepper
 * @param[in]     t       s
 * @param[in]     q       [n_q]
 * @param[in]     v       [n]
 * @param[out]    report  may be NULL
 * @return as carom_mechanism_validate and carom_mechanism_check_directions; SINGULAR: M;
 * OUT_OF_RANGE: a step so short that t + h = t
 */
CAROM_MUST_CHECK carom_status
carom_error_reduction_stepper_start(carom_error_reduction_stepper *stepper, double t,
                                    const double *q, const double *v, carom_report *report);

/**
 * Advance by h, semi-implicitly, with M, G, H, the joints g, the gaps phi and f taken at the
 * beginning, velocities of supports included in G v and H v:
 *
 *     M (v_{k+1} - v_k) = h f + G' Lambda + H' F,   q_{k+1} = q_k exp(h v_{k+1}),
 *     0 <= Lambda_i  _|_  (G v_{k+1})_i - s_i >= 0   where phi_i <= touching, else Lambda_i = 0,
 *     s_i = e_i max(0, -(G v_k)_i) + erp max(0, -phi_i)/h,
 *     |F_i| <= mu_i Lambda_i, against (H v_{k+1})_i,   (G v_{k+1})_b = -erp g_b/h of joints.
 *
 * where errors |phi_i|, |g_b| up to `touching` count as none. The correction of penetration stays
 * in the velocity. A collision at the speed w is found after a penetration of f w h, f in [0, 1),
 * and is left with (e + erp f) w whatever h is: this explains gains of energy that do not vanish
 * with the step (figure 2b), up to erp f (2 e + erp f) of the energy that a perfectly plastic
 * impact would lose. Speculative contacts have phi_i > 0 and take part with s_i = e_i max(0, -(G
 * v_k)_i) - phi_i/h, which makes impacts early and too weak.
 *
 * After a failure the state is that before the step.
 *
 * @param[in,out] stepper after a start
 * @param[out]    report  quantity, index and time; may be NULL
 * @return CAROM_OK; SINGULAR: M; OUT_OF_RANGE: a joint or closed contact that no impulse moves, or
 * t + h = t; NOT_FINITE; RAY, NOT_CONVERGED: EXACT; OUT_OF_MEMORY; what the listener says. Sweeps
 * that have not converged are no failure: see the residual Source: ours, to explain seghete-2014
 * figure 2b; stabilisation: Baumgarte 1972. The engine that the paper ran is public, the version
 * and its settings are not stated. Cost: carom_contact_assemble, and a product with its matrix a
 * sweep. Memory grows with the largest problem so far.
 */
CAROM_MUST_CHECK carom_status
carom_error_reduction_stepper_advance(carom_error_reduction_stepper *stepper, carom_report *report);

/** The last step (after a start: the initial state). */
const carom_error_reduction_result *
carom_error_reduction_stepper_result(const carom_error_reduction_stepper *stepper);

CAROM_END_DECLARATIONS

#endif
