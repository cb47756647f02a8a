/** Compliant contact: stiff springs and dampers with regularised friction instead of impacts. */
#ifndef CAROM_TIMESTEPPING_COMPLIANT_COMPLIANT_H
#define CAROM_TIMESTEPPING_COMPLIANT_COMPLIANT_H

#include <carom/base/base.h>
#include <carom/mechanism/mechanism.h>

#include <stdbool.h>

CAROM_BEGIN_DECLARATIONS

/** The coefficient d of the damper of (88), k the stiffness and m the reference mass. */
typedef enum carom_compliant_damping {
    CAROM_COMPLIANT_DAMPING_CONSISTENT, /**< d = 2 zeta sqrt(k m), in N s/m */
    CAROM_COMPLIANT_DAMPING_PRINTED     /**< d = 2 zeta sqrt(k/m), as printed: right for m = 1 kg */
} carom_compliant_damping;

/** One instant of a run, borrowed until the observer returns. */
typedef struct carom_compliant_instant {
    double time;                    /**< s */
    const double *position;         /**< [n] */
    const double *velocity;         /**< [n] */
    const double *gap;              /**< [m], m */
    const double *gap_rate;         /**< [m], m/s */
    const double *normal_force;     /**< [m] lambda_n, N */
    const double *tangential_force; /**< [m t] lambda_t, contact by contact, N */
} carom_compliant_instant;

/** Called at the start, after every step, and once more where a contact changes its law: the forces
 * before and after a jump have the same time. */
typedef void (*carom_compliant_observer)(const carom_compliant_instant *instant, void *context);

/** Springs and dampers of the contacts, when to stop, and how exactly. */
typedef struct carom_compliant_params {
    const double *stiffness;         /**< [m] k > 0, N/m; borrowed */
    double damping_ratio;            /**< zeta >= 0, 1 */
    double reference_mass;           /**< m > 0 of the damping, kg; NaN: 1/w of each contact */
    carom_compliant_damping damping; /**< formula of the damping */
    double regularisation_speed;     /**< epsilon > 0: friction grows linearly up to it, m/s; NaN:
                                        2e-10 of the speed of the run, times mu/100 where that is
                                        more than 1 */

    double relative_tolerance; /**< > 0, of the integrator */
    double absolute_tolerance; /**< > 0, of the integrator, in parts of the speeds and impulses that
                                  the energy of the run can bring about, and of what a coordinate
                                  moves by such a speed in a contact time */
    double time_span;          /**< > 0, s; NaN: 100 (1 + zeta) contact times */
    int most_steps;            /**< >= 1, of the integrator */

    bool stops_when_separating; /**< end where no watched contact is closing; false: at time_span */
    double stop_speed;          /**< delta >= 0: closing slower than this is not closing, m/s; NaN:
                                   2e-9 of the speed of the run */
    double least_impulse; /**< >= 0: accumulated normal impulse that every watched contact must
                             have before the run may stop, N s */
    double watched_gap;   /**< contacts with a gap up to this are watched, m; infinity: all */

    carom_compliant_observer observer; /**< may be NULL */
    void *observer_context;            /**< handed to it */

    /** Check the derivatives of the mechanism at every start (carom_mechanism_check_directions). */
    bool check_derivatives;
} carom_compliant_params;

/** zeta = 5, consistent damping, tolerances 1e-10 and 1e-11, 10^5 steps, stop at delta of all
 * contacts, no least impulse; mass, epsilon, time span and delta from the run's own scales, near
 * those of halm-2023 section 5.4.1 for its block; the stiffness is to be filled in. */
carom_compliant_params carom_compliant_params_default(void);

/** What compliant contact computes: no joints, and no restitution, which its dampers decide. */
extern const carom_mechanism_support carom_compliant_support;

/** Where a run ended and how. Read, never written, by users. */
typedef struct carom_compliant_run {
    int coordinate_count;       /**< n */
    int contact_count;          /**< m */
    int tangent_count;          /**< t of the mechanism; 0 if its friction is NULL */
    double *position;           /**< [n] */
    double *velocity;           /**< [n] */
    double *gap_rate;           /**< [m] final normal speeds, m/s */
    double *normal_impulse;     /**< [m] time integral of lambda_n, N s */
    double *tangential_impulse; /**< [m t] time integral of lambda_t, N s */
    double *start_time;         /**< [m] when the contact first touches, s; NaN: never */
    double end_time;            /**< s */
    bool has_stopped;           /**< the stopping condition was met; false: the time span is over */

    int first_contact;  /**< the first to touch, -1: none */
    int second_contact; /**< the second to touch, -1: none; of two at once the lower index is first
                         */
    double first_share; /**< part of the first contact's whole impulse that it had got when the
                           second one touched; 1 without a second one, NaN without a first */

    long steps;                /**< of the integrator */
    long force_evaluations;    /**< right-hand sides */
    long jacobian_evaluations; /**< derivatives of the right-hand side */
    long error_test_failures;  /**< steps repeated because they were too coarse */
    long convergence_failures; /**< steps repeated because Newton's iteration failed */
    long events;               /**< changes of law located: touch, release, stick, slip */

    double *memory; /**< owns the numbers */
} carom_compliant_run;

/**
 * Integrate M(q) v' = f + J_n' lambda_n + J_t' lambda_t, q' = v from (q, v) at time zero with, for
 * every contact of gap phi and sliding velocity r = J_t v,
 *
 *     lambda_n = max(0, -k phi - d phi') where phi <= 0, else 0
 *     lambda_t = -mu lambda_n r / max(|r|, epsilon)
 *
 * by collocation at the seven nodes of Radau (IIA, order 13) with analytic derivatives. A step ends
 * where a contact changes its law: touch, unloading, release, stick or slip. Tolerances count in
 * scales of the run, which the document explains under "Compliant contact": the energy E, the
 * compliance w = J_n M^-1 J_n' of a contact, its contact time sqrt(1/(w k)), speed sqrt(2 E w) and
 * compression sqrt(2 E/k). Where the rounding of a gap is a tenth of the compression the run fails.
 *
 * @param[in]  mechanism without joints and restitution, with one contact at least; q' = v
 * @param[in]  params    as above
 * @param[in]  q         [n] initial position; gaps may be negative, those up to 1e-9 of the
 *                       compression touch
 * @param[in]  v         [n] initial velocity
 * @param[out] out       belongs to the caller, NULL on failure
 * @param[out] report    quantity refused, or time and step of a numerical failure; may be NULL
 * @return CAROM_OK; UNSUPPORTED: joints, restitution, moving supports, rotations; OUT_OF_RANGE:
 * parameters, no contacts, epsilon below mu times the rounding of sliding speeds, or on the way a
 * stiffness too large for the rounding of its gap; a status of carom_mechanism_validate;
 * DERIVATIVE_MISMATCH; NOT_FINITE; SINGULAR: the mass matrix; NOT_CONVERGED: steps fail or are too
 * many; OUT_OF_MEMORY Source: halm-2023 (88)-(90), section 5.4.1; the damping of (88) with its
 * units corrected unless the printed one is asked for. Cost: some five steps for each event, of 20
 * right-hand sides and as many derivatives; the block of section 5.4.1 takes 9 (flat) to 44 steps.
 * O((7 n)^3) for each matrix, one or two a step.
 */
CAROM_MUST_CHECK carom_status carom_compliant_simulate(const carom_mechanism *mechanism,
                                                       const carom_compliant_params *params,
                                                       const double *q, const double *v,
                                                       carom_compliant_run **out,
                                                       carom_report *report);

/** Free; NULL is accepted. */
void carom_compliant_run_free(carom_compliant_run *run);
CAROM_AUTO_TYPE(carom_compliant_run)

CAROM_END_DECLARATIONS

#endif
