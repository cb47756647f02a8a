/** Parts of single models: closed forms of an impact and of a swing, what tests and experiments ask
 * of one model alone. */
#ifndef CAROM_MODELS_INTERNAL_H
#define CAROM_MODELS_INTERNAL_H

#include <carom/models/billiard_break.h>
#include <carom/models/rigid_block.h>
#include <carom/models/two_mode_models.h>
#include <carom/models/zeno_block.h>

/* ------------------------------------------------------------------------------- billiard break */

/** Mass of a ball of the break, proportional to the volume of the sphere: 4 pi/3 density r^3, kg.
 */
double carom_billiard_break_mass(const carom_billiard_break_params *params, int ball);

/* ------------------------------------------------------------------------------- reaction wheel */

/** Foot of the stance spoke, hub, foot of the next spoke, foot of the last one, mark. */
enum { CAROM_REACTION_WHEEL_POINT_COUNT = 5 };

/** Places [5][2] in m with the stance foot at the origin of level ground; exact trigonometry. */
void carom_reaction_wheel_points(const carom_reaction_wheel_params *params, const double *x,
                                 double *points);

/* ----------------------------------------------------------------------------------- flat block */
/* Its impact in closed form (halm-2023 section 5.4.1; the formulas are derived in the
 * specification): every law's outcome where both corners stick. */

/**
 * What happens when a flat block falls with v0 > 0 on its corners A (left) and B (right). With
 * tan a = h/w and r the half diagonal, a corner that sticks passes on the share
 *     e = (I - m r^2 cos 2a)/(I + m r^2) = 1 - (3/2) w^2/(w^2 + h^2)
 * of the speed that it gains: an impulse p at A and q at B changes the normal speeds by
 * 2/(m (1 + e)) [1 e; e 1] (p, q).
 */
typedef struct carom_rigid_block_exact {
    double width;           /**< w, m */
    double height;          /**< h, m */
    double speed;           /**< v0, m/s */
    double transfer;        /**< e, in (-1/2, 1) */
    double stick_friction;  /**< smallest mu with which a single corner sticks,
                               3 w h/(w^2 + 4 h^2); at rest no friction is needed */
    double direct_rate;     /**< 2/(m (1 + e)), 1/kg */
    double cross_rate;      /**< 2 e/(m (1 + e)), 1/kg */
    double corner_impulse;  /**< simultaneous model: m v0/2 at each corner, then rest, N s */
    double largest_rebound; /**< max(e, 0) (1 - e) v0, m/s: the outcomes of the inclusion, and
                               of its increments, are (a, 0) and (0, a) with 0 <= a <= this */
    double shortest_impact; /**< m v0, length in s of the impact to rest, N s */
    double longest_impact;  /**< m (v0 + largest_rebound/2), N s */
} carom_rigid_block_exact;

/**
 * @param[in]  params the block
 * @param[out] exact  its closed forms; NaN on failure
 * @param[out] report the parameter and its value; may be NULL
 * @return CAROM_OK; a status of carom_rigid_block_alloc for what is no block; OUT_OF_RANGE where
 * the closed forms do not hold: "tilt" not zero, "initial speed" not positive, "friction" below
 * stick_friction, when a corner slides
 */
CAROM_MUST_CHECK carom_status carom_rigid_block_exact_compute(
    const carom_rigid_block_params *params, carom_rigid_block_exact *exact, carom_report *report);

/**
 * Velocity (dx, dy, dtheta) with which A and B separate at the given normal speeds and do not
 * slide.
 *
 * @param[in]  exact    of the block
 * @param[in]  speeds   [2] normal speeds of A and B, m/s
 * @param[out] velocity [3] m/s, m/s, rad/s
 */
void carom_rigid_block_exact_velocity(const carom_rigid_block_exact *exact, const double *speeds,
                                      double *velocity);

/**
 * Normal speeds after `stage` single impacts, at `first`, at the other corner, at `first`, ...: for
 * e >= 0 the second is the last, (e (1 - e) v0, 0) if A is first; for e < 0 the corners drive each
 * other down, by |e| less each time, and come to rest only in the limit.
 *
 * @param[in]  exact  of the block
 * @param[in]  first  0 for A, 1 for B
 * @param[in]  stage  >= 0; 0: before the impact
 * @param[out] speeds [2] m/s
 */
void carom_rigid_block_exact_sequence(const carom_rigid_block_exact *exact, int first, int stage,
                                      double *speeds);

/** Distance in m/s of normal speeds [2] from the set of outcomes. */
double carom_rigid_block_exact_distance(const carom_rigid_block_exact *exact, const double *speeds);

/** Length in s of any impact that ends with the speeds (a, 0) or (0, a): m (v0 + a/2), N s. */
double carom_rigid_block_exact_length(const carom_rigid_block_exact *exact, double a);

/* ---------------------------------------------------------------------- swing of the Zeno block */
/* An inverted pendulum between its landings about a corner. */

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
