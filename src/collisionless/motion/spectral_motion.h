/** What two spectra, of the free and of the held system, say of a collisionless motion: gap and
 * force of the contact, and bounds that prove it physical (pankov-2024). */
#ifndef CAROM_COLLISIONLESS_MOTION_SPECTRAL_MOTION_H
#define CAROM_COLLISIONLESS_MOTION_SPECTRAL_MOTION_H

#include <carom/base/base.h>

#include <stdbool.h>

CAROM_BEGIN_DECLARATIONS

/* -------------------------------------------------------------------------------------- spectra */
/* The two spectra of a collisionless motion: all that its impact times depend on. */

/** How a mode behaves under time reversal about the symmetry point of its phase. */
typedef enum carom_parity {
    CAROM_PARITY_EVEN, /**< sigma = -1: cos, cosh; at rest at the symmetry point */
    CAROM_PARITY_ODD   /**< sigma = +1: sin, sinh; passes its equilibrium there */
} carom_parity;

/**
 * Squared frequencies of the unconstrained phase (N modes) and of the constrained one (N-1: the
 * contact coordinate is held), and the parity of every mode. Negative ones are hyperbolic. They
 * interlace: lambda_1 < lambda'_1 < lambda_2 < ... < lambda'_{N-1} < lambda_N.
 */
typedef struct carom_phase_spectra {
    int mode_count;           /**< N >= 2 */
    double *unconstrained;    /**< lambda [N] ascending, 1/s2 */
    double *constrained;      /**< lambda' [N-1] ascending, 1/s2 */
    double *constrained_rest; /**< [N-1] what a lambda' computed beside a close lambda has below its
                                 last digit, 1/s2; zero if it was given as a number */
    carom_parity *unconstrained_parity; /**< sigma [N] */
    carom_parity *constrained_parity;   /**< sigma' [N-1] */
} carom_phase_spectra;

/**
 * Spectra of zeros with even modes, to be filled by the caller.
 *
 * @param[in]  mode_count N >= 2
 * @param[out] out        belongs to the caller, to be freed by carom_phase_spectra_free; NULL on
 * failure
 * @return CAROM_OK; OUT_OF_RANGE if N < 2; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_phase_spectra_alloc(int mode_count, carom_phase_spectra **out);

/** Free spectra; NULL is accepted. */
void carom_phase_spectra_free(carom_phase_spectra *spectra);
CAROM_AUTO_TYPE(carom_phase_spectra)

/**
 * Spectra from arrays, copied.
 *
 * @param[in]  mode_count           N >= 2
 * @param[in]  unconstrained        lambda [N], 1/s2
 * @param[in]  constrained          lambda' [N-1], 1/s2
 * @param[in]  unconstrained_parity of all modes of the unconstrained phase
 * @param[in]  constrained_parity   of all modes of the constrained phase
 * @param[out] out                  as carom_phase_spectra_alloc
 * @param[out] report               as carom_phase_spectra_check; may be NULL
 * @return CAROM_OK; what carom_phase_spectra_alloc and _check return
 */
CAROM_MUST_CHECK carom_status carom_phase_spectra_make(int mode_count, const double *unconstrained,
                                                       const double *constrained,
                                                       carom_parity unconstrained_parity,
                                                       carom_parity constrained_parity,
                                                       carom_phase_spectra **out,
                                                       carom_report *report);

/**
 * Refuse spectra that are not finite or do not interlace strictly (pankov-2024 (6)).
 *
 * @param[in]  spectra complete
 * @param[out] report  quantity ("unconstrained spectrum", "constrained spectrum"), the first value
 * out of place, its index from 0; may be NULL
 * @return CAROM_OK; OUT_OF_RANGE if N < 2, for a parity that is none, or if the third power of the
 * largest eigenvalue leaves the range of numbers; NOT_FINITE; CONFLICT if they do not interlace
 */
CAROM_MUST_CHECK carom_status carom_phase_spectra_check(const carom_phase_spectra *spectra,
                                                        carom_report *report);

/** |omega_N| = sqrt|lambda_N|, rad/s: the impact phase o_N over tau. */
double carom_phase_spectra_frequency(const carom_phase_spectra *spectra);

/** |omega'_{N-1}|, rad/s: the impact phase o'_{N-1} over tau'. */
double carom_phase_spectra_constrained_frequency(const carom_phase_spectra *spectra);

/** Whether all modes of each phase have one parity, as a symmetry of the whole body gives them. */
bool carom_phase_spectra_has_uniform_parity(const carom_phase_spectra *spectra);

/* -------------------------------------------------------------------------------- gap and force */
/* The motion that belongs to a root of the impact equations, as far as the spectra determine it:
 * gap and force of the contact. */

/** Smallest singular value of the impact matrix above which a pair of times is no root, and its
 * ratio to the second one above which the motion is not determined: times typed with six digits
 * pass. */
#define CAROM_SPECTRAL_MOTION_ROOT_TOLERANCE 1e-5

/**
 * Amplitudes a_i of h_i in the unconstrained phase, b_j of h'_j in the constrained one
 * (carom_modal_function), such that
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

/* --------------------------------------------------------------------------------------- bounds */
/* Physical realizability of a collisionless motion, proved by bounds. */

/**
 * The verdict: s (x_N - x_N^0) >= 0 for |t| <= tau and s F_N >= 0 for |t'| <= tau', s =
 * contact_sign of the motion. Lengths and forces are those of the spectral motion, per unit of
 * c F_N^0: with s = +1 force ratios are F_N/F_N^0, with s = -1 (the static force attracts)
 * -F_N/F_N^0.
 */
typedef struct carom_motion_bounds {
    bool is_realizable;         /**< both proved */
    bool is_gap_decided;        /**< proved open, or a penetration found beyond rounding */
    bool is_force_decided;      /**< proved repulsive, or an attraction found beyond rounding */
    int contact_sign;           /**< s, relative to the static force; 0: nothing is decided */
    double minimum_gap;         /**< of s (x_N - x_N^0); 0 if the impact is its minimum */
    double minimum_gap_time;    /**< t, s */
    double maximum_gap;         /**< of the same */
    double maximum_gap_time;    /**< t, s */
    double minimum_force_ratio; /**< of s c F_N; 0 if the impact is its minimum */
    double minimum_force_time;  /**< t', s */
    double maximum_force_ratio; /**< of the same */
    double maximum_force_time;  /**< t', s */
    int intervals;              /**< examined */
} carom_motion_bounds;

/**
 * Decide by adaptive subdivision: on each part a Taylor polynomial with a bound of its remainder;
 * on the part that ends at the impact the zero there, of third order for the gap and of first order
 * for the force, is divided out. If all modes of a phase are even one half of it suffices;
 * otherwise the whole is examined: an odd phase brings the other foot, or the other wall, to its
 * contact at the far end. What is proved holds for the times of the motion as given, rounding
 * errors included, and relies on the root for a vanishing velocity and acceleration at the impact.
 *
 * @param[in] motion the motion
 * Source: pankov-2024 section 3 asks for it without a method. Cost: O(N) per interval, some ten to
 * some hundred intervals.
 */
carom_motion_bounds carom_motion_bounds_compute(const carom_spectral_motion *motion);

/** What bounds say of a motion: 1 it is realizable, 0 it is not, -1 they do not decide. */
int carom_motion_bounds_realizability(const carom_motion_bounds *bounds);

CAROM_END_DECLARATIONS

#endif
