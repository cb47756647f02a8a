/** Physical realizability of a collisionless motion, proved by bounds. */
#ifndef CAROM_COLLISIONLESS_MOTION_MOTION_BOUNDS_H
#define CAROM_COLLISIONLESS_MOTION_MOTION_BOUNDS_H

#include <carom/collisionless/motion/spectral_motion.h>

CAROM_BEGIN_DECLARATIONS

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

CAROM_END_DECLARATIONS

#endif
