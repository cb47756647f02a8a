/** Closed forms for collisionless motions whose hyperbolic modes have saturated: tanh(nu t) = 1. */
#ifndef CAROM_COLLISIONLESS_ROOTS_ASYMPTOTIC_ROOTS_H
#define CAROM_COLLISIONLESS_ROOTS_ASYMPTOTIC_ROOTS_H

#include <carom/collisionless/motion/spectral_motion.h>

/*
 * All functions of this file want exactly one oscillating mode in each phase
 * (carom_phase_spectra_has_single_oscillations); nu_i = sqrt(-lambda_i) are the growth rates of the
 * others. With saturated ones the ratios of acceleration to velocity at the impact are w_i = -nu_i
 * and w'_j = -nu'_j, and the impact equations say that the polynomial with the zeros nu_i (i < N)
 * and -nu'_j (j < N-1) has a known argument at i omega_N and i omega'_{N-1}. What follows is exact
 * up to terms of order exp(-2 nu tau), exp(-2 nu' tau').
 *
 * A free mode lambda_{N-1} = 0 (even) enters as nu_{N-1} = 0: w_{N-1} = -1/tau vanishes only as a
 * power of the time, so that the error is of order 1/tau; and for N = 2 the closed forms then lie
 * on the edge of their cell.
 */

/**
 * Phi(w) = sum_{i<N} arctan(w/nu_i) - sum_{j<N-1} arctan(w/nu'_j), summed in terms that are all
 * positive: arctan(w/nu_1) + sum_j [arctan(w/nu_{j+1}) - arctan(w/nu'_j)].
 *
 * @param[in] spectra one oscillating mode in each phase
 * @param[in] w       > 0, 1/s
 * @return an angle in (0, pi/2), rad, to a few roundings; pi/2 for N = 2 and lambda_1 = 0; NaN if
 * the phases have not one oscillating mode each
 * Source: not in pankov-2024; derived from its impact equations (15). Cost: O(N).
 */
double carom_asymptotic_roots_angle(const carom_phase_spectra *spectra, double w);

/**
 * 1/c_0 = sum_{i<N} 1/nu_i - sum_{j<N-1} 1/nu'_j > 0, c_0 the limit of w'_{N-1} as lambda'_{N-1}
 * falls to zero and tau is large; summed in positive terms.
 *
 * @return s; HUGE_VAL for lambda_{N-1} = 0; NaN if the phases have not one oscillating mode each
 * Source: closed form of pankov-2024 (62). Cost: O(N).
 */
double carom_asymptotic_roots_inverse_slope(const carom_phase_spectra *spectra);

/**
 * The cell of the plane of impact phases that holds the one root of column n and row r: o_N in
 * ((n-1) pi, (n-1/2) pi) if mode N is even, in ((n-1/2) pi, n pi) if odd; o'_{N-1} in ((r+1/2) pi,
 * (r+1) pi) if even, in (r pi, (r+1/2) pi) if odd.
 *
 * @param[in]  spectra checked here
 * @param[in]  column  n >= 1; >= 2 if the oscillating unconstrained mode is even
 * @param[in]  row     r >= 0
 * @param[out] bounds  [4] lower and upper o_N, lower and upper o'_{N-1}, rad
 * @return CAROM_OK; what carom_phase_spectra_check returns; CONFLICT if the phases have not one
 * oscillating mode each; OUT_OF_RANGE for a column or row that is none
 */
CAROM_MUST_CHECK carom_status carom_asymptotic_roots_cell(const carom_phase_spectra *spectra,
                                                          int column, int row, double bounds[4]);

/**
 * Impact phases of column n and row r: o_N = omega_N tau is the lower bound of the cell plus
 * Phi(omega_N), o'_{N-1} = omega'_{N-1} tau' the upper one minus Phi(omega'_{N-1}), for modes of
 * either parity.
 *
 * @param[in]  spectra           as carom_asymptotic_roots_cell
 * @param[in]  column            n
 * @param[in]  row               r
 * @param[out] phase             o_N, rad
 * @param[out] constrained_phase o'_{N-1}, rad
 * @return as carom_asymptotic_roots_cell
 * Source: not in pankov-2024; for N = 2 the limits of (26) and (28). Cost: O(N).
 */
CAROM_MUST_CHECK carom_status carom_asymptotic_roots_phases(const carom_phase_spectra *spectra,
                                                            int column, int row, double *phase,
                                                            double *constrained_phase);

/**
 * The same as impact times: the guess from which the root of every cell is found.
 *
 * @param[out] time             tau, s
 * @param[out] constrained_time tau', s
 * @return as carom_asymptotic_roots_cell
 */
CAROM_MUST_CHECK carom_status carom_asymptotic_roots_times(const carom_phase_spectra *spectra,
                                                           int column, int row, double *time,
                                                           double *constrained_time);

/**
 * Height of a row far to the right: o'_{N-1} at the finite tau' that solves
 *
 *     det[(w'_j(tau') - nu_i) / (lambda_i - lambda'_j)]_{i,j<N} = 0,
 *
 * the limit of the impact equations for tau -> infinity, in the cell of row r.
 *
 * @param[in]  spectra           checked here
 * @param[in]  row               r >= 0
 * @param[out] constrained_phase o'_{N-1}, rad, to rounding
 * @return CAROM_OK; what carom_phase_spectra_check returns; CONFLICT if the phases have not one
 * oscillating mode each; OUT_OF_RANGE for r < 0; SINGULAR if the determinant cannot be evaluated
 * (eigenvalues that all but touch, or spread over too many orders); NOT_CONVERGED; OUT_OF_MEMORY
 * Source: not in pankov-2024; figures 2 and 4 show these heights. Cost: O(N3) per iteration.
 */
CAROM_MUST_CHECK carom_status carom_asymptotic_roots_row_height(const carom_phase_spectra *spectra,
                                                                int row, double *constrained_phase);

#endif
