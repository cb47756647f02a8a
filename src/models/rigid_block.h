/** A rectangular block dropped flat, or slightly tilted, onto a floor (halm-2023 section 5.4.1). */
#ifndef CAROM_MODELS_RIGID_BLOCK_H
#define CAROM_MODELS_RIGID_BLOCK_H

#include <carom/models/model.h>

CAROM_BEGIN_DECLARATIONS

/** The block and how it falls. */
typedef struct carom_rigid_block_params {
    double width;         /**< w, m */
    double height;        /**< h, m */
    double mass;          /**< m, kg */
    double friction;      /**< mu at both corners, 1 */
    double initial_speed; /**< v0 of the flat block, downward, m/s */
    double tilt;          /**< theta_0, counter-clockwise, rad: positive lowers the left corner */
    double gravity;       /**< g, m/s2: only weighs what a tilt takes from the fall */
} carom_rigid_block_params;

/** 1 m, 2 m, 1 kg, 1, the speed sqrt(2 g 0.01 m) = 0.4429 m/s of a fall of 1 cm, flat, 9.81 m/s2
 * (table 4; the height of the fall from the authors' programs). */
carom_rigid_block_params carom_rigid_block_params_default(void);

/**
 * Refuse parameters that do not describe a block; the reasons are listed below.
 * @return CAROM_OK; OUT_OF_RANGE; NOT_FINITE
 */
CAROM_MUST_CHECK carom_status carom_rigid_block_params_check(const carom_rigid_block_params *params,
                                                             carom_report *report);

/**
 * The block with its lower corner on the floor y = 0: q = (x, y, theta), x = 0; contact A is the
 * left lower corner, B the right one; tangent +x.
 *
 * A tilt raises the centre by dy = (h/2) (cos theta_0 - 1) + (w/2) |sin theta_0|; a block that has
 * fallen less is slower: v- = (0, -sqrt(v0^2 - 2 g dy), 0).
 *
 * @param[in]  params the block; initial_speed may be negative (separating) if there is no tilt
 * @param[out] out    belongs to the caller, to be freed by carom_impact_scene_free
 * @param[out] report the parameter and its value; may be NULL
 * @return CAROM_OK; OUT_OF_RANGE: width, height, mass not positive, friction or gravity negative, a
 * tilt that turns the centre of mass beyond the lower corner (|theta_0| >= atan(w/h)), "initial
 * speed" if the tilted block cannot have fallen so far; NOT_FINITE; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_rigid_block_alloc(const carom_rigid_block_params *params,
                                                      carom_impact_scene **out,
                                                      carom_report *report);

CAROM_END_DECLARATIONS

#endif
