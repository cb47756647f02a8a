/** The numbers that are computed from a run. */
#ifndef CAROM_EXPERIMENTS_ROCKING_BLOCK_MEASURES_H
#define CAROM_EXPERIMENTS_ROCKING_BLOCK_MEASURES_H

#include "results.h"

/** Slower than this part of its largest value a component of the velocity is at rest. */
static const double REST_PART = 4e-10;

/** The measures in the order of the record; the table in measures.c says what each one means. */
typedef enum measure {
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
    MEASURE_COUNT
} measure;

/** A measure of a run; NaN if it was not selected or failed, or if it or the exact motion does not
 * reach far enough. */
double rocking_block_measure(const results *r, int run, measure what);

#endif
