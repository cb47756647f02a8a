/** The algebraic impact (31) restricted to one contact. */
#ifndef CAROM_IMPACT_CONTACT_RESOLUTION_H
#define CAROM_IMPACT_CONTACT_RESOLUTION_H

#include <carom/base/base.h>
#include <carom/impact/routh.h>

/**
 * The algebraic impact (31) of one planar contact, v_n+ = 0 and L_t in -mu L_n Unit(v_t+), which is
 * unique for v_n < 0: the tangential impulse that stops sliding, or the nearest one that friction
 * allows. No impulse for v_n >= 0, also where (31) has others (Painleve).
 *
 * @param[in]  contact the contact
 * @param[in]  v_n     normal speed before, m/s
 * @param[in]  v_t     tangential speed before, m/s
 * @param[out] L       [2] normal and tangential impulse, N s
 * Source: halm-2023 (31); uniqueness and the closed form are ours.
 */
void carom_contact_resolve_planar(const carom_routh_contact *contact, double v_n, double v_t,
                                  double *L);

/** Work memory for the contacts of one problem. */
typedef struct carom_contact_resolution carom_contact_resolution;

/**
 * @param[in]  problem borrowed until the resolution is freed
 * @param[in]  facets  directions of a spatial cone, even, >= 4; ignored in the plane
 * @param[out] out     belongs to the caller
 * @param[out] report  may be NULL
 * @return CAROM_OK; OUT_OF_RANGE (facets); OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_contact_resolution_alloc(const carom_impact_problem *problem,
                                                             int facets,
                                                             carom_contact_resolution **out,
                                                             carom_report *report);

/** Free; NULL is accepted. */
void carom_contact_resolution_free(carom_contact_resolution *resolution);
CAROM_AUTO_TYPE(carom_contact_resolution)

/**
 * (31) for contact i alone, by the closed form in the plane, with a polyhedral cone by Lemke's
 * method in space.
 *
 * @param[in,out] resolution of the problem
 * @param[in]     i          contact, c_i < 0
 * @param[in]     c          [r] speeds before, m/s
 * @param[out]    L          [1 + t] its normal and tangential impulse, N s
 * @param[out]    residual   largest violation, as of carom_impact_outcomes, 1
 * @return CAROM_OK; RAY, NOT_CONVERGED: in space
 */
CAROM_MUST_CHECK carom_status carom_contact_resolve(carom_contact_resolution *resolution, int i,
                                                    const double *c, double *L, double *residual);

#endif
