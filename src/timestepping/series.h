/** Questions that are asked of recorded series: extremes, means, jumps and impacts over a range of
 * rows. */
#ifndef CAROM_TIMESTEPPING_SERIES_H
#define CAROM_TIMESTEPPING_SERIES_H

#include <carom/timestepping/trajectory.h>

#include <stdbool.h>

CAROM_BEGIN_DECLARATIONS

/** One column of a [rows][columns] array, over the rows first .. end-1 (borrowed). */
typedef struct carom_series {
    const double *values; /**< [rows][columns] */
    int columns;          /**< of the array */
    int column;           /**< of this series */
    int first;            /**< first row */
    int end;              /**< one past the last row */
} carom_series;

/** The series of one column of a trajectory's array over all rows; arguments as below. */
carom_series carom_series_whole(const carom_trajectory *trajectory, const double *values,
                                int columns, int column);

/**
 * The series of one column of a trajectory's array over a time window, both ends included (up to a
 * thousandth of a step).
 *
 * @param[in] trajectory owner of the array
 * @param[in] values     one of its arrays, e.g. trajectory->gap
 * @param[in] columns    columns of that array
 * @param[in] column     which one
 * @param[in] from       s
 * @param[in] to         s; rows beyond the run do not exist
 */
carom_series carom_series_window(const carom_trajectory *trajectory, const double *values,
                                 int columns, int column, double from, double to);

/** Row whose time is nearest to t in a run of equal steps, clamped to the run. */
int carom_trajectory_row(const carom_trajectory *trajectory, double t);

/** Value in a row of the array (absolute row number, not relative to `first`). */
double carom_series_at(carom_series series, int row);

/** Smallest value; NaN of no rows. */
double carom_series_minimum(carom_series series);

/** Largest value; NaN of no rows. */
double carom_series_maximum(carom_series series);

/** Largest absolute value; 0 of no rows. */
double carom_series_magnitude(carom_series series);

/** Arithmetic mean; NaN of no rows. */
double carom_series_mean(carom_series series);

/** Largest increase from one row to the next; NaN of fewer than two rows. */
double carom_series_largest_increase(carom_series series);

/**
 * Largest absolute difference of two series of as many rows, first row from first row and so on; 0
 * of no rows. Differences that are NaN do not count.
 */
double carom_series_largest_difference(carom_series series, carom_series other);

/** Number of strict changes of sign from one nonzero value to the next nonzero one. */
int carom_series_sign_changes(carom_series series);

/** Time of the last row whose absolute value exceeds the threshold; NaN if none does. */
double carom_series_last_above(carom_series series, const carom_trajectory *trajectory,
                               double threshold);

/** Whether a contact presses in the step that ends with a row: its impulse, force or normal rate,
 * whichever the run has, is positive. */
bool carom_trajectory_is_pressed(const carom_trajectory *trajectory, int contact, int row);

/**
 * Impacts of one contact: the first rows of its spells of positive impulse (or force), not that of
 * row 0.
 *
 * @param[in]  trajectory a run
 * @param[in]  contact    which contact
 * @param[in]  capacity   length of rows
 * @param[out] rows       [capacity] row numbers
 * @return how many were found, at most capacity
 */
int carom_trajectory_impacts(const carom_trajectory *trajectory, int contact, int capacity,
                             int *rows);

/** Smallest gap over all contacts and rows, m; NaN without contacts. */
double carom_trajectory_smallest_gap(const carom_trajectory *trajectory);

/** Sum of a column of integers, [row]. */
long carom_trajectory_total(const carom_trajectory *trajectory, const int *values);

/** Most Newton iterations of any step. */
int carom_trajectory_most_iterations(const carom_trajectory *trajectory);

CAROM_END_DECLARATIONS

#endif
