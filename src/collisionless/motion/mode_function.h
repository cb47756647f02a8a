/** Time functions of one mode, for any sign of its squared frequency, zero included. */
#ifndef CAROM_COLLISIONLESS_MOTION_MODE_FUNCTION_H
#define CAROM_COLLISIONLESS_MOTION_MODE_FUNCTION_H

#include <carom/collisionless/motion/spectral_motion.h>

/**
 * A mode h(t) with h'' = -lambda h + (1 if even), scaled so that nothing is singular at lambda = 0
 * and all values multiplied by exp(-log_scale) so that nothing overflows.
 *
 * Odd: h = S(t), h' = C, h'' = -lambda S. Even: h = (1 - C)/lambda, h' = S, h'' = C. With C =
 * cos(sqrt(lambda) t), S = sin(sqrt(lambda) t)/sqrt(lambda), entire functions of lambda. The
 * paper's g (11) is omega h (odd, lambda > 0), nu h (odd, lambda < 0) or 1 - lambda h (even): the
 * even h is measured from the symmetry point, because the distance 1/lambda to the equilibrium has
 * no limit at lambda = 0.
 */
typedef struct carom_mode_function {
    double displacement; /**< h exp(-log_scale), s2 (even) or s (odd) */
    double velocity;     /**< h' exp(-log_scale), s (even) or 1 (odd) */
    double acceleration; /**< h'' exp(-log_scale), 1 (even) or 1/s (odd) */
    double jerk;         /**< h''' exp(-log_scale), 1/s (even) or 1/s2 (odd) */
    double log_scale;    /**< log cosh(nu t) for lambda < 0, else 0 */
} carom_mode_function;

/**
 * Evaluate a mode.
 *
 * @param[in] lambda squared frequency, 1/s2, any sign
 * @param[in] parity about t = 0
 * @param[in] t      s, any sign
 * Source: pankov-2024 (11), safe through lambda = 0 by series for small lambda t2.
 */
carom_mode_function carom_mode_function_evaluate(double lambda, carom_parity parity, double t);

/** The factor that turns an amplitude of h into one of the paper's g: q = factor a; -1/lambda
 * (even), 1/omega or 1/nu (odd); infinite at lambda = 0. */
double carom_mode_function_amplitude_factor(double lambda, carom_parity parity);

#endif
