/** One swing of the rocking block about a corner: an inverted pendulum between its landings. */
#ifndef CAROM_MODELS_ZENO_SWING_H
#define CAROM_MODELS_ZENO_SWING_H

#include <carom/models/zeno_block.h>

/**
 * d2(theta)/dt2 = -k cos(theta + a) from theta = 0 with the given rate. With phi = theta + a and
 * delta = phi + pi/2 it is a pendulum of amplitude delta* < pi, so that
 *     sin(delta/2) = sin(delta* /2) cd(sqrt(k) t | sin^2(delta* /2)),  t from the apex.
 * All differences are kept free of cancellation: swings may be arbitrarily small.
 */
typedef struct carom_zeno_swing {
    double rate;        /**< |dtheta/dt| at theta = 0, rad/s */
    double apex_angle;  /**< theta*, rad */
    double apex_cosine; /**< cos(theta* + a); NaN if the block tips over, like all below */
    double modulus;     /**< sin(delta* /2) */
    double complement;  /**< cos(delta* /2) */
    double half_time;   /**< from theta = 0 to the apex, s */
} carom_zeno_swing;

/** The swing that starts with a rate > 0; the block has its constants e, r, a, k. */
carom_zeno_swing carom_zeno_swing_of(const carom_zeno_block *block, double rate);

/** Angle and rate of turn, away from the floor positive, at a time in [0, 2 half_time]. */
void carom_zeno_swing_turn(const carom_zeno_block *block, const carom_zeno_swing *swing, double t,
                           double *angle, double *rate);

/** Normal force of the pivot, and its tangential one towards the block's middle, in N. */
void carom_zeno_swing_force(const carom_zeno_block *block, double angle, double rate,
                            double *normal, double *tangential);

/**
 * Smallest and largest normal force of a swing, N: at the floor and at the apex. It is m r (g/r - k
 * + 3 k z^2 - b z) with z = sin(theta + a), k = (3/4) g/r and b = rate^2 + 2 k sin a < 2 k, which
 * grows for z > 1/3, as it is where e > 0; and it is positive, above m g (1 - 3 sin a)^2/4.
 */
void carom_zeno_swing_normal_range(const carom_zeno_block *block, const carom_zeno_swing *swing,
                                   double *smallest, double *largest);

/** Largest |tangential/normal force| of a swing whose normal force is positive: it is stationary
 * where a quadratic in sin(theta + a) vanishes. */
double carom_zeno_swing_friction(const carom_zeno_block *block, const carom_zeno_swing *swing);

#endif
