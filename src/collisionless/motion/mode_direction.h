/** Internal: the direction of velocity and acceleration of a mode, all that the impact equations
 * take from it. */
#ifndef CAROM_COLLISIONLESS_MOTION_MODE_DIRECTION_H
#define CAROM_COLLISIONLESS_MOTION_MODE_DIRECTION_H

#include <carom/collisionless/motion/spectral_motion.h>

/**
 * The unit vector (sin phi, cos phi) along (kappa h', h'') of a mode h at a time, and dphi/dt.
 *
 * Even modes have (h', h'') = (S, C), odd ones (C, -lambda S), C = cos(sqrt(lambda) t), S =
 * sin(sqrt(lambda) t)/sqrt(lambda). As C2 + lambda S2 = 1, the angle turns at the rate
 * kappa/(kappa2 S2 + C2) (even) or kappa lambda/(kappa2 C2 + lambda2 S2) (odd): steadily for
 * oscillating modes, and ever slower for hyperbolic ones, whose cosh is divided out.
 */
typedef struct carom_mode_direction {
    double sine;   /**< kappa h' / |(kappa h', h'')| */
    double cosine; /**< h'' / |(kappa h', h'')| */
    double rate;   /**< dphi/dt, 1/s */
} carom_mode_direction;

/**
 * The direction at a time of either sign.
 *
 * @param[in] lambda squared frequency, 1/s2
 * @param[in] parity about t = 0
 * @param[in] scale  kappa > 0, 1/s, the same for all modes of a problem
 * @param[in] t      s
 */
carom_mode_direction carom_mode_direction_at(double lambda, carom_parity parity, double scale,
                                             double t);

/**
 * The largest |dphi/dt| in an interval of time.
 *
 * @param[in] lambda squared frequency, 1/s2
 * @param[in] parity about t = 0
 * @param[in] scale  kappa > 0, 1/s
 * @param[in] from   s, >= 0
 * @param[in] to     s, >= from
 */
double carom_mode_direction_largest_rate(double lambda, carom_parity parity, double scale,
                                         double from, double to);

/** A bound of |d2phi/dt2| where |dphi/dt| <= rate: rate |lambda - kappa2|/kappa (2 kappa |S C| <=
 * kappa2 S2 + C2 in the derivative of the rate, and likewise for odd modes), 1/s2. */
double carom_mode_direction_curvature(double lambda, double scale, double rate);

#endif
