/** Modes of a linear system with one impacting coordinate, free and held. */
#ifndef CAROM_COLLISIONLESS_MOTION_PHASE_MODES_H
#define CAROM_COLLISIONLESS_MOTION_PHASE_MODES_H

#include <carom/base/attributes.h>
#include <carom/collisionless/motion/phase_spectra.h>

CAROM_BEGIN_DECLARATIONS

/**
 * Modes of m x'' + k x = F in the paper's scaling: c X'm X = 1, X_N = (.., .., 1) positive, x_N the
 * contact coordinate, last. The stiffness may be indefinite or singular.
 *
 * Modes that do not move the contact (X_Ni = 0), and all but one of a multiple eigenvalue, decouple
 * from the problem: they stay at rest and are left out, so that the N of everything else is the
 * number of coupled modes; `coordinate_count` may be larger. Eigenvalues are equal, or zero, within
 * carom_linear_modes_resolution. A mode does not move the contact if it has less than 1e-12 of the
 * whole motion, or if a constrained eigenvalue differs from its own by no more than a rounding of
 * the largest one.
 */
typedef struct carom_phase_modes {
    int coordinate_count;         /**< n, rows of the matrices */
    int decoupled_count;          /**< n - N */
    carom_phase_spectra *spectra; /**< N modes, owned; parities as given */
    double *shape;                /**< X [n][N] row-major, last row > 0 with X_NN = 1 */
    double *constrained_shape;    /**< X' [n][N-1], X' = X.X_N M (8), last row 0 */
    double *participation;        /**< eta [N], squares of the last row of X; eta_N = 1 */
    double normalisation;         /**< c, 1/kg: 1/c = X^N' m X^N */
    double inverse_mass;          /**< (m^-1)_NN, 1/kg */
    bool is_stiffness_singular; /**< a coupled eigenvalue within rounding of zero (and set to zero):
                                   no static equilibrium without contact */
    double compliance;          /**< (k^-1)_NN = c sum eta/lambda, m/N; NaN if singular */
    double
        *static_shape; /**< (k^-1)^N [n], m/N: displacement by a unit force on x_N; NaN if singular
                        */
} carom_phase_modes;

/**
 * Modes of both phases.
 *
 * @param[in]  n                    coordinates, >= 2; the last one is frozen at the impact
 * @param[in]  mass                 m [n][n] row-major, symmetric positive definite, kg
 * @param[in]  stiffness            k [n][n] row-major, symmetric, N/m
 * @param[in]  unconstrained_parity of all unconstrained modes; change in ->spectra mode by mode
 * @param[in]  constrained_parity   of all constrained modes
 * @param[out] out                  belongs to the caller, to be freed by carom_phase_modes_free;
 * NULL on failure
 * @param[out] report               quantity ("mass", "stiffness", ...) and value; may be NULL
 * @return CAROM_OK; OUT_OF_RANGE if n < 2, if the mass is not positive definite, or if fewer than
 * two modes are coupled to the contact; NOT_FINITE; NOT_SYMMETRIC; NOT_CONVERGED; OUT_OF_MEMORY
 * Source: pankov-2024 (2) to (10); constrained eigenvalues as roots of the secular equation sum
 * eta_i/(lambda_i - s) = 0, one between each two. Cost: O(n3).
 */
CAROM_MUST_CHECK carom_status carom_phase_modes_compute(
    int n, const double *mass, const double *stiffness, carom_parity unconstrained_parity,
    carom_parity constrained_parity, carom_phase_modes **out, carom_report *report);

/** Free modes; NULL is accepted. */
void carom_phase_modes_free(carom_phase_modes *modes);
CAROM_AUTO_TYPE(carom_phase_modes)

CAROM_END_DECLARATIONS

#endif
