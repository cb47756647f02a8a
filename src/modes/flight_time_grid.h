/** The grid on which the curves of two_impacts.c are found; not for users of the library. */
#ifndef CAROM_MODES_FLIGHT_TIME_GRID_H
#define CAROM_MODES_FLIGHT_TIME_GRID_H

#include <carom/base/bracket.h>
#include <carom/modes/few_impacts.h>

/** What a grid edge carries: the index of its point, or none, or one on the axis sigma_2 = 0. */
enum { CAROM_FLIGHT_TIME_NO_POINT = -1, CAROM_FLIGHT_TIME_AXIS_POINT = -2 };

/**
 * The grid has lines of constant period T and of constant theta = (sigma_1 - sigma_2)/T: theta = 0
 * is the diagonal and theta = 1 the axis sigma_2 = 0. Between two lines of T lies at most one
 * harmonic.
 */
typedef struct carom_flight_time_grid {
    const carom_modal_basis *basis;
    int harmonic_count; /**< harmonics up to the largest period, coincident ones once */
    double *harmonics;  /**< ascending, s */
    int repeated_count; /**< harmonics left out of the list above */
    double *repeated;   /**< ascending, s */
    int cells;          /**< along theta */
    int line_count;     /**< lines of constant T */
    double *lines;      /**< [line_count] T, ascending, s */
    signed char *signs; /**< [line_count][cells + 1] of the function at the nodes */
    int *on_lines;      /**< [line_count][cells] points on the edges along theta */
    int *across;        /**< [line_count - 1][cells + 1] points on the edges along T */
    int point_count;
    double *sigma;   /**< [point_count][2] s */
    int *neighbours; /**< [point_count][2] points joined to each by a cell */
    carom_bracket bracket;
} carom_flight_time_grid;

/**
 * Lay out the grid up to a period and compute all points where its edges cross a curve.
 *
 * @param[in,out] work       basis and cells are set, all else zero; to be cleared also on failure
 * @param[in]     max_period s
 * @return CAROM_OK; OUT_OF_RANGE for more harmonics than can be counted; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_flight_time_grid_compute(carom_flight_time_grid *work,
                                                             double max_period);

/** Free what a grid holds. */
void carom_flight_time_grid_clear(carom_flight_time_grid *work);

/**
 * The function whose zeros are sought: -a / theta in regular form, with its limit on the diagonal.
 * All modes that are resonant together change sign together at their harmonic, which the product
 * of the signs does not undo: it is counted once.
 */
double carom_flight_time_grid_value(const carom_flight_time_grid *work, double T, double theta);

/** theta of the column j. */
double carom_flight_time_grid_theta(const carom_flight_time_grid *work, int j);

/** Sign of the function at node (i, j), 1 or -1. */
int carom_flight_time_grid_sign(const carom_flight_time_grid *work, int i, int j);

/** The point on the edge from node (i, j) to (i, j + 1), along theta. */
int carom_flight_time_grid_on_line(const carom_flight_time_grid *work, int i, int j);

/** The point on the edge from node (i, j) to (i + 1, j), along T. */
int carom_flight_time_grid_across(const carom_flight_time_grid *work, int i, int j);

#endif
