/** Internal: the momentum of the variational integrator through an impact. */
#ifndef CAROM_TIMESTEPPING_VARIATIONAL_VARIATIONAL_IMPACT_H
#define CAROM_TIMESTEPPING_VARIATIONAL_VARIATIONAL_IMPACT_H

#include <carom/timestepping/variational/variational.h>
#include <carom/timestepping/variational/variational_contacts.h>

#include <stdbool.h>

/** Memory of the law for one number of closed contacts. */
typedef struct carom_variational_law {
    carom_propagative_contacts *contacts;
    carom_propagative_impact *impact;
} carom_variational_law;

/** The law of impact, and memory for any number of closed contacts. n coordinates, m contacts. */
typedef struct carom_variational_collision {
    int coordinate_count;            /**< n */
    int contact_count;               /**< m */
    carom_propagative_params params; /**< `first` is a contact of the mechanism */

    int closed_count;                          /**< k contacts that take part */
    int *closed;                               /**< [k] which, rising */
    double restitution;                        /**< R that these share, 1 */
    bool is_plastic;                           /**< projection instead of reflections */
    bool is_chatter;                           /**< plastic for having hit too often, whatever R */
    carom_propagative_plastic_law plastic_law; /**< of the projection */

    double *normal;       /**< [k][n] u_i of these */
    double *approach;     /**< [k] (p-,u_i), m/s */
    double *impulse;      /**< [k] N s */
    double *momentum;     /**< [n] p+ */
    int reflection_count; /**< 0 if plastic */
    const int
        *reflection; /**< [reflection_count] places in `closed`, borrowed until the next one */

    carom_variational_law *laws; /**< [m] for 1 .. m closed contacts */
    double *memory;              /**< owns the numbers */
} carom_variational_collision;

/**
 * @param[out] collision   to be cleared also after a failure
 * @param[in]  mechanism   its counts are taken
 * @param[in]  params      rule and limits of impacts
 * @return CAROM_OK; OUT_OF_MEMORY
 * Cost: O(m^2 (n + m)) numbers.
 */
CAROM_MUST_CHECK carom_status carom_variational_collision_init(
    carom_variational_collision *collision, const carom_mechanism *mechanism,
    const carom_variational_params *params);

/** Free; a zeroed struct is accepted. */
void carom_variational_collision_clear(carom_variational_collision *collision);

/**
 * p+ = p- prod Gamma(w_i) over all closed contacts, or the plastic projection of p-, in the metric
 * M(q*).
 *
 * @param[in,out] collision closed contacts and kind of impact are set before; the rest is
 * filled
 * @param[in]     at        the place q* and the momentum p-
 * @param[in]     p         [n] p-
 * @param[in]     turn      number of the impact, by which random sequences differ
 * @param[out]    report    may be NULL; the index is a contact of the mechanism
 * @return CAROM_OK; CONFLICT: contacts that cannot separate; SINGULAR: a normal of length zero;
 * NOT_CONVERGED; NOT_FINITE; OUT_OF_MEMORY
 * Source: seghete-2014 (30), (14), (17), (11).
 */
CAROM_MUST_CHECK carom_status carom_variational_collision_run(
    carom_variational_collision *collision, const carom_variational_contacts *at, const double *p,
    unsigned long turn, carom_report *report);

#endif
