/** The scalar and vector kernels that express a periodic motion by its impacts. */
#ifndef CAROM_MODES_KERNELS_H
#define CAROM_MODES_KERNELS_H

#include <carom/modes/modal_basis.h>

CAROM_BEGIN_DECLARATIONS

/** Kernels at one argument, with their derivatives. */
typedef struct carom_kernels {
    double velocity;             /**< Upsilon_T(s) = sum rho^2 sin(w s/2)/sin(w T/2), 1 */
    double velocity_by_argument; /**< d Upsilon / d s at fixed T, 1/s */
    double velocity_by_period;   /**< d Upsilon / d T at fixed s, 1/s */
    double gap; /**< Gamma_T(s) = sqrt(G) sum rho^2 cos(w s/2)/(w sin(w T/2)), m J^-1/2 */
    double gap_by_argument; /**< d Gamma / d s = -sqrt(G) Upsilon / 2, m J^-1/2 / s */
    double gap_by_period;   /**< d Gamma / d T at fixed s, m J^-1/2 / s */
} carom_kernels;

/**
 * Evaluate the scalar kernels; infinite or NaN where T is a harmonic of a visible mode.
 *
 * @param[in] basis    the structure
 * @param[in] period   T > 0, s
 * @param[in] argument s, in s
 * Source: thorin-2017 (3.1d), (4.27), (6.3); phi_c of (7.8) is -gap. Cost: O(m).
 */
carom_kernels carom_kernels_evaluate(const carom_modal_basis *basis, double period,
                                     double argument);

/**
 * Vector kernels phi_T(s) and psi_T(s) = 2 d phi/d s of all coordinates: the motion at time t of a
 * unit lambda is phi_T(2 (t - t_j) -+ T), - after and + before its impact (theorem 3.4).
 *
 * @param[in]  basis        the structure
 * @param[in]  period       T > 0, s
 * @param[in]  argument     s, in s
 * @param[out] displacement phi [n], m J^-1/2
 * @param[out] velocity     psi [n], m/s J^-1/2
 * Source: thorin-2017 (3.1f), (4.35), (4.36), (7.8), (7.9). Cost: O(n m).
 */
void carom_kernels_shape(const carom_modal_basis *basis, double period, double argument,
                         double *displacement, double *velocity);

/** A period at which the kernels have a pole: an integer multiple of that of a visible mode. */
typedef struct carom_harmonic {
    double period; /**< p T_l, s */
    int mode;      /**< l, from 0 */
    int multiple;  /**< p >= 1 */
} carom_harmonic;

/** The first harmonic above a period in s (of two at the same period, that of the lower mode). */
carom_harmonic carom_harmonic_above(const carom_modal_basis *basis, double period);

/** The harmonic nearest to a period in s. */
carom_harmonic carom_harmonic_nearest(const carom_modal_basis *basis, double period);

CAROM_END_DECLARATIONS

#endif
