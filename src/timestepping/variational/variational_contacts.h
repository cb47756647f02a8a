/** Internal: the contacts of an instant in the kinetic metric M(q): how fast they approach. */
#ifndef CAROM_TIMESTEPPING_VARIATIONAL_VARIATIONAL_CONTACTS_H
#define CAROM_TIMESTEPPING_VARIATIONAL_VARIATIONAL_CONTACTS_H

#include <carom/mechanism/mechanism.h>

/** n coordinates, m contacts. With M = L L', covectors a are stored as L^-1 a'. */
typedef struct carom_variational_contacts {
    const carom_mechanism *mechanism; /**< borrowed */
    double *mass_factor;              /**< [n][n] L, its upper half not to be read */
    double *normal;                   /**< [m][n] u_i = D phi_i(q) */
    double *white_normal;             /**< [m][n] L^-1 u_i' */
    double *length;                   /**< [m] |u_i|, (5b) */
    double *white_momentum;           /**< [n] L^-1 p' */
    double norm;                      /**< |p|, square root of twice the kinetic energy */
    double *speed;  /**< [m] (w_i,p), w_i = u_i/|u_i|; positive opens, 0 without a normal */
    double *mass;   /**< [layout] scratch */
    double *memory; /**< owns the numbers */
} carom_variational_contacts;

/** Room for a mechanism, m may be 0. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_variational_contacts_init(carom_variational_contacts *contacts,
                                                              const carom_mechanism *mechanism);

/** Free; a zeroed struct is accepted. */
void carom_variational_contacts_clear(carom_variational_contacts *contacts);

/**
 * Metric and normals of a place, speeds of a momentum.
 *
 * @param[in,out] contacts of no use after a failure
 * @param[in]     q        [n]
 * @param[in]     p        [n]
 * @param[out]    report   may be NULL
 * @return CAROM_OK; SINGULAR: M is not positive definite; NOT_FINITE
 */
CAROM_MUST_CHECK carom_status carom_variational_contacts_set(carom_variational_contacts *contacts,
                                                             const double *q, const double *p,
                                                             carom_report *report);

/** Speeds of another momentum [n] at the same place. */
void carom_variational_contacts_set_momentum(carom_variational_contacts *contacts, const double *p);

/** v = M^-1 p [n] of the momentum set last. */
void carom_variational_contacts_velocity(const carom_variational_contacts *contacts, double *v);

#endif
