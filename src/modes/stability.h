/** Linear stability of a periodic motion: the reduced return map and its multipliers. */
#ifndef CAROM_MODES_STABILITY_H
#define CAROM_MODES_STABILITY_H

#include <carom/base/attributes.h>
#include <carom/modes/orbit.h>

#include <stdbool.h>

CAROM_BEGIN_DECLARATIONS

/**
 * Workspace for a structure; borrows the basis. The return map acts on the perturbations of the
 * visible modes that stay on the section just after an impact and on the energy level, of dimension
 * 2m - 2; the trivial multipliers 1, 1 (time shift and energy) are removed exactly.
 */
typedef struct carom_stability carom_stability;

/** Workspace. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_stability_alloc(const carom_modal_basis *basis,
                                                    carom_stability **out);

/** Free; NULL is accepted. */
void carom_stability_free(carom_stability *stability);
CAROM_AUTO_TYPE(carom_stability)

/** Multipliers with modulus within this of 1 count as neutral. */
#define CAROM_STABILITY_TOLERANCE 1e-7

/**
 * Monodromy matrix of the visible modes over one period, saltation included.
 *
 * @param[in,out] stability workspace
 * @param[in]     orbit     complete, no lambda zero
 * @param[out]    Phi       [2m][2m] row-major, coordinates (z_1 [m], z_2 [m]); symplectic for
 * J = [[0, 1/w], [-1/w, 0]]
 * @return CAROM_OK; SINGULAR if a |lambda| is below 1e-10 of the root of twice the energy (a
 * graze has no linearization)
 * Source: thorin-2017 (8.1)-(8.3), as saltation matrices. Cost: O(m^2 k).
 */
CAROM_MUST_CHECK carom_status carom_stability_monodromy(carom_stability *stability,
                                                        const carom_orbit *orbit, double *Phi);

/**
 * Reduced return map R in an orthonormal basis of {delta: h'delta = 0, z_0'delta = 0}.
 *
 * @param[in,out] stability workspace
 * @param[in]     orbit     complete, no lambda zero
 * @param[out]    R         [2m-2][2m-2] row-major
 * @param[out]    basis     [2m][2m-2] row-major, columns orthonormal; may be NULL
 * @return CAROM_OK; SINGULAR
 * Cost: O(m^2 (k + 1)).
 */
CAROM_MUST_CHECK carom_status carom_stability_return_map(carom_stability *stability,
                                                         const carom_orbit *orbit, double *R,
                                                         double *basis);

/**
 * Multipliers and spectral radius: neutrally stable if the radius is 1 (to
 * CAROM_STABILITY_TOLERANCE), unstable if larger; it is never smaller, since multipliers come in
 * reciprocal pairs. Those of invisible modes, e^{+-i w T}, follow at the end.
 *
 * @param[in,out] stability       workspace
 * @param[in]     orbit           complete
 * @param[out]    multipliers     [2n-2][2] real and imaginary parts, by falling modulus within the
 * visible ones (then by angle); n coordinates; may be NULL; NaN after a failure
 * @param[out]    spectral_radius largest modulus, at least 1 (n = 1: 1); NaN after a failure
 * @return CAROM_OK; SINGULAR if a lambda vanishes; NOT_CONVERGED
 * Cost: O(m^3).
 */
CAROM_MUST_CHECK carom_status carom_stability_multipliers(carom_stability *stability,
                                                          const carom_orbit *orbit,
                                                          double *multipliers,
                                                          double *spectral_radius);

/** Whether a spectral radius is that of a neutrally stable orbit. */
bool carom_stability_is_neutral(double spectral_radius);

CAROM_END_DECLARATIONS

#endif
