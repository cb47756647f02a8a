/** The motion that belongs to a root of the impact equations, as far as the spectra determine it:
 * gap and force of the contact. */
#ifndef CAROM_COLLISIONLESS_MOTION_SPECTRAL_MOTION_H
#define CAROM_COLLISIONLESS_MOTION_SPECTRAL_MOTION_H

#include <carom/base/attributes.h>
#include <carom/collisionless/motion/mode_sum.h>
#include <carom/collisionless/motion/phase_spectra.h>

CAROM_BEGIN_DECLARATIONS

/** Smallest singular value of the impact matrix above which a pair of times is no root, and its
 * ratio to the second one above which the motion is not determined: times typed with six digits
 * pass. */
#define CAROM_SPECTRAL_MOTION_ROOT_TOLERANCE 1e-5

/**
 * Amplitudes a_i of h_i in the unconstrained phase, b_j of h'_j in the constrained one
 * (carom_mode_function), such that
 *
 *     x_N(t) = x_N^0 + sum_i eta_i a_i (h_i(t) - h_i(tau)),         |t| <= tau,
 *     c F_N(t') = sum_j b_j (h'_j(t') - h'_j(-tau')),               |t'| <= tau'.
 *
 * Normally they are scaled to c F_N^0 = 1, F_N^0 the force of the contact at the equilibrium of the
 * constrained phase. That is impossible in two cases. F_N^0 vanishes at exceptional roots of
 * several oscillating modes, and always if an odd unconstrained mode has lambda = 0: nothing then
 * pulls the body anywhere. F_N^0 does not exist if an even constrained mode has lambda' = 0: it has
 * no equilibrium. Then the null vector of the impact matrix has unit length, and c F_N grows
 * after the impact.
 *
 * Amplitudes are stored as they are at the impact: times exp(log_scale).
 */
typedef struct carom_spectral_motion {
    carom_phase_spectra *spectra;  /**< owned copy */
    double time;                   /**< tau, s */
    double constrained_time;       /**< tau', s */
    double *participation;         /**< eta [N], 1 */
    double *amplitude;             /**< a_i exp(log_scale_i) [N] */
    double *gap_amplitude;         /**< eta_i a_i exp(log_scale_i) [N] */
    double *log_scale;             /**< [N] of mode i at tau, 1 */
    double *constrained_amplitude; /**< b_j exp(log_scale'_j) [N-1] */
    double *constrained_log_scale; /**< [N-1] of mode j at tau', 1 */
    double gap_offset;             /**< sum_i eta_i a_i h_i(tau) */
    double force_offset;           /**< sum_j b_j h'_j(-tau') */
    bool is_per_static_force;      /**< c F_N^0 = 1 */
    double static_force;  /**< c F_N^0 of these amplitudes: 1; 0 if it vanishes; NaN if there is
                             no equilibrium of the constrained phase */
    double contact_level; /**< x_N^0 of these amplitudes, from the equilibrium of the unconstrained
                             phase (from P for an odd mode of lambda = 0); NaN if there is none */
    double force_rate;    /**< c dF_N/dt' just after the impact */
    int contact_sign;     /**< its sign, s of these amplitudes: where the gap opens to and which way
                             the force pushes; 0 if it vanishes within rounding */
    double residual;      /**< smallest singular value of the scaled impact matrix */
} carom_spectral_motion;

/**
 * The motion of a root.
 *
 * The null vector of the impact matrix gives the constrained amplitudes; an unconstrained one
 * follows from the velocity and the acceleration of its mode at the impact, projected onto the
 * direction in which the mode has them, so that neither needs to be different from zero.
 *
 * @param[in]  spectra          checked here; copied
 * @param[in]  time             tau > 0 of a root, s
 * @param[in]  constrained_time tau' > 0 of the root, s
 * @param[out] out              belongs to the caller, to be freed by carom_spectral_motion_free;
 * NULL on failure
 * @param[out] report           quantity and value if refused; may be NULL
 * @return CAROM_OK; what carom_phase_spectra_check returns; OUT_OF_RANGE for times that are not
 * positive; NOT_FINITE; CONFLICT if the times are no root (value: smallest singular value);
 * SINGULAR if a whole family of motions belongs to it (value: the second one); NOT_CONVERGED;
 * OUT_OF_MEMORY
 * Source: pankov-2024 (12), (46) reduced to the spectra as (13) is, in functions that are regular
 * at lambda = 0. Cost: O(N3).
 */
CAROM_MUST_CHECK carom_status carom_spectral_motion_compute(const carom_phase_spectra *spectra,
                                                            double time, double constrained_time,
                                                            carom_spectral_motion **out,
                                                            carom_report *report);

/** Free a motion; NULL is accepted. */
void carom_spectral_motion_free(carom_spectral_motion *motion);
CAROM_AUTO_TYPE(carom_spectral_motion)

/** The gap x_N - x_N^0 as a sum of modes; borrows from the motion. */
carom_mode_sum carom_spectral_motion_gap_sum(const carom_spectral_motion *motion);

/** The force c F_N as a sum of modes; borrows from the motion. */
carom_mode_sum carom_spectral_motion_force_sum(const carom_spectral_motion *motion);

/**
 * x_N - x_N^0, its velocity, acceleration and jerk, in the unit of c F_N^0 times s2, s, 1, 1/s.
 *
 * @param[in]  motion the motion
 * @param[in]  t      s from P, usually |t| <= tau
 * @param[out] gap    [4]; positive for an open contact if contact_sign is
 */
void carom_spectral_motion_gap(const carom_spectral_motion *motion, double t, double *gap);

/**
 * F_N/F_N^0 (c F_N where that is not possible) and its first three derivatives by t'.
 *
 * @param[in]  motion the motion
 * @param[in]  t      s from P', usually |t| <= tau'
 * @param[out] force  [4], 1, 1/s, 1/s2, 1/s3
 * Source: constraint force of pankov-2024 section 6, from the spectra.
 */
void carom_spectral_motion_force(const carom_spectral_motion *motion, double t, double *force);

CAROM_END_DECLARATIONS

#endif
