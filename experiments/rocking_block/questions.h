/** What is asked of a run, and the number that it answers. */
#ifndef CAROM_EXPERIMENTS_ROCKING_BLOCK_QUESTIONS_H
#define CAROM_EXPERIMENTS_ROCKING_BLOCK_QUESTIONS_H

#include "results.h"

/** Slower than this part of its largest value a component of the velocity is at rest. */
static const double REST_PART = 4e-10;

/** The questions in the order of the record; the table in questions.c says what each one means. */
typedef enum question {
    SMALLEST_GAP,
    POSITION_LEVEL_RESIDUAL,
    RESTITUTION_DEFECT,
    SMALLEST_IMPULSE,
    FIRST_IMPULSE_1,
    FIRST_IMPULSE_2,
    IMPULSE_ERROR,
    FEWEST_IMPACTS,
    FREE_ENERGY_CHANGE,
    THETA,
    ENERGY_INCREASE,
    LARGEST_ENERGY,
    HEIGHT_ERROR,
    ENERGY_ERROR,
    ORDER_OF_HEIGHT,
    SPEED_AT_REST,
    PART_AT_REST,
    REST_TIME,
    REST_FORCE,
    MOST_ITERATIONS,
    GAP_DIFFERENCE,
    SHORTEST_INTERVAL,
    QUESTION_COUNT
} question;

/** Ask a run; NaN if it was not selected or failed, or if it or the exact motion does not reach far
 * enough. */
double rocking_block_answer(const results *r, int run, question asked);

#endif
