/** A block that rocks from corner to corner and comes to rest after infinitely many impacts in
 * finite time: the exact solution of the continuous-time inclusion (halm-2023 section 4.3). */
#ifndef CAROM_MODELS_ZENO_BLOCK_H
#define CAROM_MODELS_ZENO_BLOCK_H

#include <carom/base/base.h>
#include <carom/models/model.h>

CAROM_BEGIN_DECLARATIONS

/** The block and how it starts to turn. */
typedef struct carom_zeno_block_params {
    double width;           /**< w, m */
    double height;          /**< h, m */
    double mass;            /**< m, kg */
    double friction;        /**< mu at both corners, 1 */
    double initial_rate;    /**< dtheta/dt when it starts to turn, flat, about A, > 0, rad/s */
    double gravity;         /**< g, m/s2 */
    double reference_force; /**< kappa, N: s = t + (normal impulses)/kappa; NaN: the weight times
                               that of the default, 1 N over 9.81 N */
} carom_zeno_block_params;

/** 1 m, 2 m, 1 kg, 1, 1 rad/s, 9.81 m/s2, NaN: 1 N. */
carom_zeno_block_params carom_zeno_block_params_default(void);

/** kappa, N: as given, or from the weight. */
double carom_zeno_block_reference_force(const carom_zeno_block_params *params);

/**
 * The block at its start, as carom_rigid_block_alloc makes it, turning about its left corner A:
 * v = (-h/2, w/2, 1) times the initial rate.
 *
 * @param[in]  params the block
 * @param[out] out    belongs to the caller, to be freed by carom_impact_scene_free
 * @param[out] report the parameter and its value; may be NULL
 * @return CAROM_OK; OUT_OF_RANGE, NOT_FINITE; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_zeno_block_scene(const carom_zeno_block_params *params,
                                                     carom_impact_scene **out,
                                                     carom_report *report);

/** One swing about a corner, A if its index is even, and the impact of the other corner; s = t +
 * (normal impulses)/kappa. */
typedef struct carom_zeno_half_cycle {
    double rate;          /**< |dtheta/dt| at its start and its landing, rad/s */
    double start_time;    /**< t, s */
    double start_s;       /**< s */
    double apex_angle;    /**< theta*, from the floor, rad */
    double impact_time;   /**< t of the impact, s */
    double impact_s;      /**< s when the impact begins */
    double impulse;       /**< normal impulse of the impact, N s */
    double impact_length; /**< of the impact in s, impulse/kappa, s */
} carom_zeno_half_cycle;

/** The solution; read, never written, by users. */
typedef struct carom_zeno_block {
    carom_zeno_block_params params; /**< with kappa filled in */

    double transfer;       /**< e: from one half cycle to the next the rate falls to e */
    double half_diagonal;  /**< r, m */
    double corner_angle;   /**< a = atan(h/w), rad */
    double pendulum_share; /**< k = m g r/(I + m r^2): d2theta/dt2 = -k cos(theta + a), 1/s2 */

    int half_cycle_count;               /**< until the rest is below rounding of t* */
    carom_zeno_half_cycle *half_cycles; /**< [half_cycle_count] */
    double accumulation_time;           /**< t*, s */
    double accumulation_s;              /**< s* = (1 + m g/kappa) t* - m w rate/(2 kappa) */
    double resting_share;               /**< dt/ds at rest, 1/(1 + m g/kappa) */

    double first_swing_bound; /**< 2 rate/(k cos(theta* + a)), s, on the first swing (58) with the
                                 units mended */
    double time_bound;        /**< first swing/(1 - e) (70), on t*, s */
    double s_bound;           /**< (first swing and impact)/(1 - e) (69), on s* */

    double smallest_force; /**< normal force at the pivot during the first swing, N */
    double largest_force;  /**< N */
    double friction_ratio; /**< largest |tangential/normal force| of the first swing */
    double stick_friction; /**< smallest mu for which no corner ever slides: over all swings and
                              impacts */
} carom_zeno_block;

/** Most half cycles: with more, e > 0.9996, no corner is ever seen to fall. */
enum { CAROM_ZENO_BLOCK_MOST_HALF_CYCLES = 100000 };

/**
 * The half cycles and their accumulation. Swings are those of a pendulum, in elliptic functions.
 *
 * @param[in]  params the block
 * @param[out] out    belongs to the caller, to be freed by carom_zeno_block_free; NULL on failure
 * @param[out] report the parameter and its value; may be NULL
 * @return CAROM_OK; OUT_OF_RANGE: not a positive number; "width" with w >= sqrt(2) h, when the
 * corner at rest is hit too, or so small that e is next to one; "initial rate" if the block tips
 * over (before that its pivot never lifts off); "friction" if a corner slides; NOT_FINITE;
 * OUT_OF_MEMORY
 * Source: halm-2023 (56)-(70); (57) with + sin a, (58) with 2 rate/..., as its units ask. Cost: one
 * elliptic integral for each half cycle.
 */
CAROM_MUST_CHECK carom_status carom_zeno_block_alloc(const carom_zeno_block_params *params,
                                                     carom_zeno_block **out, carom_report *report);

/** Free; NULL is accepted. */
void carom_zeno_block_free(carom_zeno_block *block);
CAROM_AUTO_TYPE(carom_zeno_block)

/** What the block does at an instant. */
typedef enum carom_zeno_phase {
    CAROM_ZENO_SWING,  /**< about one corner: sustained contact */
    CAROM_ZENO_IMPACT, /**< of the other one: time stands still */
    CAROM_ZENO_REST    /**< on both, after the accumulation */
} carom_zeno_phase;

/** A point of the solution; at the change of two phases that of the later one. */
typedef struct carom_zeno_state {
    carom_zeno_phase phase;    /**< at s and just after */
    int half_cycle;            /**< index; half_cycle_count at rest */
    double s;                  /**< s */
    double time;               /**< t(s), s */
    double position[3];        /**< x, y, theta; m, m, rad */
    double velocity[3];        /**< dq/dt, m/s, m/s, rad/s */
    double time_rate;          /**< dt/ds */
    double normal_rate[2];     /**< dL_n/ds over kappa at A and B; with dt/ds their sum is 1 */
    double tangential_rate[2]; /**< dL_t/ds over kappa at A and B, along +x; 0 at rest, where it is
                                  not unique */
} carom_zeno_state;

/** The solution of (53) at s >= 0; NaN for any other s. Cost: a few elliptic functions; in a swing
 * t(s) is found by Newton's method, to rounding. */
carom_zeno_state carom_zeno_block_state(const carom_zeno_block *block, double s);

/** The state just after time t >= 0, s: of a time with an impact, the one after it. NaN for any
 * other t. */
carom_zeno_state carom_zeno_block_state_at_time(const carom_zeno_block *block, double t);

CAROM_END_DECLARATIONS

#endif
