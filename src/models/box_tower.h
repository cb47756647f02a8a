/** A tower of N equal boxes in the plane, on a slope and on each other by their corners, with
 * friction. */
#ifndef CAROM_MODELS_BOX_TOWER_H
#define CAROM_MODELS_BOX_TOWER_H

#include <carom/models/model.h>

CAROM_BEGIN_DECLARATIONS

/** What a tower is made of. */
typedef struct carom_box_tower_params {
    int boxes;          /**< N >= 1 */
    double mass;        /**< kg each */
    double width;       /**< m each */
    double height;      /**< m each */
    double gravity;     /**< m/s2 */
    double slope;       /**< of the ground, down in x, rad in (-pi/2, pi/2) */
    double friction;    /**< mu of every corner, 1 */
    double restitution; /**< e of every corner, 1 */
} carom_box_tower_params;

/** 10 boxes of 1 kg, 1 m wide and 0.5 m high on level ground, 9.81 m/s2, mu = 0.5, e = 0. */
carom_box_tower_params carom_box_tower_params_default(void);

/**
 * q = (x, y, turn) of each box from below, x along the ground and y above it; it starts at rest,
 * stacked. Contacts 2 k and 2 k + 1 are the left and the right lower corner of box k on the top of
 * box k - 1, or on the ground; a corner slides by its velocity along that top. Jacobians by their
 * entries, 12 of a corner.
 * @return CAROM_OK; OUT_OF_RANGE or NOT_FINITE with the parameter in the report; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_box_tower_alloc(const carom_box_tower_params *params,
                                                    carom_model **out, carom_report *report);

CAROM_END_DECLARATIONS

#endif
