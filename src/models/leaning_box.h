/** A square box that slides on the floor into a wall (halm-2023 section 5.4.3). */
#ifndef CAROM_MODELS_LEANING_BOX_H
#define CAROM_MODELS_LEANING_BOX_H

#include <carom/models/model.h>

CAROM_BEGIN_DECLARATIONS

/** The box and how it moves. */
typedef struct carom_leaning_box_params {
    double side;             /**< w, m */
    double mass;             /**< m, kg */
    double tilt;             /**< theta, towards the wall (clockwise), in (0, 45 deg), rad */
    double initial_velocity; /**< v0, to the wall, m/s */
    double friction;         /**< mu at both corners, 1 */
    double gravity;          /**< g, m/s2: no part in an impact */
} carom_leaning_box_params;

/** 1 m, 1 kg, 10 deg, 1 m/s, 1, 9.81 m/s2 (table 6). */
carom_leaning_box_params carom_leaning_box_params_default(void);

/**
 * The box in the corner between the floor y = 0 and the wall x = 0 on its right: q = (x, y, theta)
 * with theta = -tilt. Contact A is the lowest corner on the floor, tangent +x; B the rightmost
 * corner on the wall, normal -x, tangent -y. v- = (v0, 0, 0).
 *
 * @param[in]  params the box
 * @param[out] out    belongs to the caller, to be freed by carom_impact_scene_free
 * @param[out] report the parameter and its value; may be NULL
 * @return CAROM_OK; OUT_OF_RANGE: side or mass not positive, tilt not strictly between 0 and 45
 * deg, friction negative; NOT_FINITE; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_leaning_box_alloc(const carom_leaning_box_params *params,
                                                      carom_impact_scene **out,
                                                      carom_report *report);

/** Smallest mu for which the simultaneous model brings a box of this tilt to rest: tan(45 deg -
 * tilt), from the balance of moments with both impulses at the limit of friction. */
double carom_leaning_box_rest_friction(double tilt);

CAROM_END_DECLARATIONS

#endif
