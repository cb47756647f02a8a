/** Internal: start and end of a generalized-alpha step. */
#ifndef CAROM_TIMESTEPPING_GALPHA_GALPHA_PREDICTION_H
#define CAROM_TIMESTEPPING_GALPHA_GALPHA_PREDICTION_H

#include <carom/timestepping/galpha/step_context.h>

/**
 * Prediction (bruls-2014 eq. 40) into the next state: pseudo-acceleration, smooth velocity,
 * velocity and position for v~' = 0 and no reaction.
 */
void carom_galpha_predict(carom_step_context *step);

/** Pseudo-acceleration a_{n+1} from (30e), out of the predicted one and v~'. */
void carom_galpha_finish(carom_step_context *step);

#endif
