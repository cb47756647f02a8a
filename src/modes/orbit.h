/** A periodic motion with k impacts per period: its sequence of impacts, state and energy. */
#ifndef CAROM_MODES_ORBIT_H
#define CAROM_MODES_ORBIT_H

#include <carom/base/attributes.h>
#include <carom/modes/modal_basis.h>

CAROM_BEGIN_DECLARATIONS

/**
 * A solution of the impact equations (potential, until its admissibility is certified). The impact
 * j = 1..k happens at t_j = sigma_1 + ... + sigma_j, the last at t_k = T, which is also t = 0^-.
 */
typedef struct carom_orbit {
    int impact_count;     /**< k >= 1 */
    int mode_count;       /**< m, visible modes */
    double *flight_times; /**< sigma [k], s; sigma_j ends with impact j */
    double *lambda;       /**< [k], J^1/2; pre-impact speed / sqrt(G), >= 0 if admissible */
    double *state;        /**< [m][2] z_1, z_2 just after the impact at t = 0, J^1/2 */
    double period;        /**< T, s */
    double energy;        /**< J */
    double residual;      /**< scaled residual of the impact equations, 1 */
} carom_orbit;

/** An orbit filled with NaN. @return CAROM_OK; OUT_OF_RANGE if k < 1; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_orbit_alloc(const carom_modal_basis *basis, int impact_count,
                                                carom_orbit **out);

/** Free; NULL is accepted. */
void carom_orbit_free(carom_orbit *orbit);
CAROM_AUTO_TYPE(carom_orbit)

/** Fill every number with NaN: nothing is known. */
void carom_orbit_clear(carom_orbit *orbit);

/** Copy an orbit into one of the same sizes. */
void carom_orbit_copy(const carom_orbit *from, carom_orbit *to);

/**
 * Complete an orbit whose flight times and lambda are set: period, state just after t = 0 and
 * energy.
 *
 * @param[in]     basis the structure
 * @param[in,out] orbit flight_times and lambda are read, period, state and energy written; the
 * residual is left alone
 * @return CAROM_OK; SINGULAR if the period is a harmonic of a visible mode to rounding, where the
 * state does not follow from the impacts (carom_orbit_solve gives it)
 * Source: thorin-2017 (3.1g); energy sum rho^2 |sum lambda_j e^{i w t_j}|^2 / (2 sin^2(w T/2)).
 * Cost: O(m k).
 */
CAROM_MUST_CHECK carom_status carom_orbit_complete(const carom_modal_basis *basis,
                                                   carom_orbit *orbit);

/** Impact times t_1 .. t_k = T [k], s. */
void carom_orbit_impact_times(const carom_orbit *orbit, double *times);

/**
 * Modal state just after impact i, reached by rotation from t = 0 and the orbit's own lambda.
 *
 * @param[in]  basis  the structure
 * @param[in]  orbit  complete
 * @param[in]  impact i in 0..k; 0 is the impact at t = 0, k that at t = T
 * @param[out] state  [m][2], J^1/2
 * Cost: O(m i).
 */
void carom_orbit_state_after(const carom_modal_basis *basis, const carom_orbit *orbit, int impact,
                             double *state);

/**
 * Position and velocity at a time; at an impact the right limit.
 *
 * @param[in]  basis    the structure
 * @param[in]  orbit    complete
 * @param[in]  time     s, in [0, T]
 * @param[out] position [n] m; may be NULL
 * @param[out] velocity [n] m/s; may be NULL
 * @param[out] state    [m][2] modal state, J^1/2: work memory as well, not NULL
 * Cost: O(m (n + k)).
 */
void carom_orbit_motion(const carom_modal_basis *basis, const carom_orbit *orbit, double time,
                        double *position, double *velocity, double *state);

/** Energy z'z/2 of a modal state [m][2], J. */
double carom_orbit_energy_of(const carom_modal_basis *basis, const double *state);

CAROM_END_DECLARATIONS

#endif
