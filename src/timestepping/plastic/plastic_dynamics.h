/** Internal: equations of motion with one contact, open or closed, at one state. */
#ifndef CAROM_TIMESTEPPING_PLASTIC_PLASTIC_DYNAMICS_H
#define CAROM_TIMESTEPPING_PLASTIC_PLASTIC_DYNAMICS_H

#include <carom/base/factor.h>
#include <carom/mechanism/mechanism.h>

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

#endif
