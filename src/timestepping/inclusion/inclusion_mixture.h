/** The complementarity problem of a step of the inclusion for an assumed duration. */
#ifndef CAROM_TIMESTEPPING_INCLUSION_INCLUSION_MIXTURE_H
#define CAROM_TIMESTEPPING_INCLUSION_INCLUSION_MIXTURE_H

#include <carom/base/base.h>
#include <carom/timestepping/inclusion/inclusion_system.h>

#include <stdbool.h>

/** How time and impulses share a step. */
typedef struct carom_inclusion_mixture {
    double dt;       /**< in [0, ds], s */
    double approach; /**< beta, m/s */
    bool is_early;   /**< a contact presses that is not closed */
    int problems;    /**< complementarity problems solved so far */
    int pivots;      /**< in them */
    double residual; /**< of the last one */
} carom_inclusion_mixture;

/** Work memory. */
typedef struct carom_inclusion_mixture_work carom_inclusion_mixture_work;

/**
 * @param[in]  system     its counts are taken
 * @param[in]  facets     k in space; 2 in the plane
 * @param[in]  directions [k][t], copied
 * @param[out] out        belongs to the caller
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status
carom_inclusion_mixture_work_alloc(const carom_inclusion_system *system, int facets,
                                   const double *directions, carom_inclusion_mixture_work **out);

/** Free; NULL is accepted. */
void carom_inclusion_mixture_work_free(carom_inclusion_mixture_work *sharing);
CAROM_AUTO_TYPE(carom_inclusion_mixture_work)

/**
 * Solve 0 <= z _|_ W z + w >= 0, z = (beta, x, x_D, gamma), impulses Lambda = kappa ds x, in the
 * rows
 *
 *     1 - sum x,    J_n v+ + [g - closed/2]/tau + a beta,    J_D v+ + gamma,    (mu x - sum
 * x_D)/max(1, mu), v+ = v + M^-1 (ds (1 - sum x) f + J' Lambda).
 *
 * @param[in,out] sharing    work memory
 * @param[in]     system     loaded
 * @param[in]     ds         step
 * @param[in]     tau        assumed duration in (0, ds], s
 * @param[in]     weight     [m] a > 0; NULL: ones
 * @param[out]    L          [r] impulses; zero on failure
 * @param[in,out] share      counts are added to
 * @return CAROM_OK; RAY, NOT_CONVERGED, NOT_FINITE
 * Source: halm-2023 (32)-(35), (53), (73)-(74). Contacts with [ ]/tau > reach are left out: their
 * row is positive whatever z is. [ ] is 0 where g <= closed.
 */
CAROM_MUST_CHECK carom_status carom_inclusion_mixture_solve(carom_inclusion_mixture_work *sharing,
                                                            const carom_inclusion_system *system,
                                                            double ds, double tau,
                                                            const double *weight, double *L,
                                                            carom_inclusion_mixture *share);

#endif
