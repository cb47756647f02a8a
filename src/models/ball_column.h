/** A column of N equal balls at rest on the floor and on each other. */
#ifndef CAROM_MODELS_BALL_COLUMN_H
#define CAROM_MODELS_BALL_COLUMN_H

#include <carom/models/model.h>

CAROM_BEGIN_DECLARATIONS

/** What a column of balls is made of. */
typedef struct carom_ball_column_params {
    int balls;          /**< N >= 1 */
    double mass;        /**< kg each */
    double radius;      /**< m each */
    double gravity;     /**< m/s2 */
    double restitution; /**< e of every contact, 1 */
} carom_ball_column_params;

/** 10 balls of 1 kg and 0.2 m, 10 m/s2, e = 0.8. */
carom_ball_column_params carom_ball_column_params_default(void);

/**
 * q = displacements of the centres from the touching column; gap 0: q_0, gap i: q_i - q_{i-1}.
 * Linear, diagonal mass.
 * @return CAROM_OK; OUT_OF_RANGE or NOT_FINITE with the parameter in the report; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_ball_column_alloc(const carom_ball_column_params *params,
                                                      carom_model **out, carom_report *report);

CAROM_END_DECLARATIONS

#endif
