/** A box on an inclined plane: it slides, brakes, rests, tips or rocks, in closed form as long as
 * both its corners stay. */
#ifndef CAROM_MODELS_SLIDING_BOX_H
#define CAROM_MODELS_SLIDING_BOX_H

#include <carom/models/model.h>

CAROM_BEGIN_DECLARATIONS

/** The box and how it starts. */
typedef struct carom_sliding_box_params {
    double mass;         /**< m, kg */
    double width;        /**< b, m */
    double height;       /**< H, m */
    double friction;     /**< mu at both corners, 1 */
    double slope;        /**< a, in [0, pi/2), rad: the plane falls along +x */
    double gravity;      /**< g, m/s2 */
    double speed;        /**< v0 along +x, m/s */
    double rocking_rate; /**< w, rad/s: it rocks about its left corner and falls onto the right one,
                            >= 0 */
} carom_sliding_box_params;

/** 1 kg, 0.2 m, 0.1 m, 0.3, no slope, 9.81 m/s2, 2 m/s, 0. */
carom_sliding_box_params carom_sliding_box_params_default(void);

/**
 * The box with both corners on the plane y = 0, in the axes of the plane: q = (x, y, theta) of its
 * centre, x = 0; contacts are the left and the right corner, tangent +x. v = (v0 + w H/2, -w b/2,
 * -w): with w > 0 the right corner strikes at once.
 *
 * @param[in]  params the box
 * @param[out] out    belongs to the caller, to be freed by carom_impact_scene_free
 * @param[out] report the parameter and its value; may be NULL
 * @return CAROM_OK; OUT_OF_RANGE: mass, width, height or gravity not positive, friction, slope or
 * rate negative, a slope of pi/2 or more; NOT_FINITE; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_sliding_box_alloc(const carom_sliding_box_params *params,
                                                      carom_impact_scene **out,
                                                      carom_report *report);

/** What a box does that starts without rate. */
typedef enum carom_sliding_box_motion {
    CAROM_SLIDING_BOX_RESTS,  /**< v0 = 0, tan a <= mu and tan a <= b/H */
    CAROM_SLIDING_BOX_SLIDES, /**< on both corners: mu <= b/H */
    CAROM_SLIDING_BOX_TIPS    /**< about a corner, which may slide */
} carom_sliding_box_motion;

/** Whether the line of what the plane carries, min(mu, tan a) or of a box that moves mu from the
 * normal, leaves the base. */
carom_sliding_box_motion carom_sliding_box_begins(const carom_sliding_box_params *params);

/**
 * Place and speed along the plane of a box that stays on both corners: x'' = g (sin a -+ mu cos a)
 * against the motion, until it stops and, with tan a <= mu, rests.
 *
 * @param[in]  params without rate, mu <= b/H
 * @param[in]  t      >= 0, s
 * @param[out] x      m
 * @param[out] speed  m/s
 */
void carom_sliding_box_exact(const carom_sliding_box_params *params, double t, double *x,
                             double *speed);

/** When it first stops, s: |v0|/(g (mu cos a -+ sin a)); infinite if it never does. */
double carom_sliding_box_stop(const carom_sliding_box_params *params);

/** What is left of the rate where a rough plane lets it rock on about the other corner, 1 - 3/2
 * sin^2 alpha, tan alpha = b/H; 1. Source: Housner 1963. */
double carom_sliding_box_rate_ratio(const carom_sliding_box_params *params);

CAROM_END_DECLARATIONS

#endif
