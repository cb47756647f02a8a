/** Rows and columns of a trajectory, for those who fill or record one. */
#ifndef CAROM_TIMESTEPPING_INTERNAL_H
#define CAROM_TIMESTEPPING_INTERNAL_H

#include <carom/timestepping/trajectory.h>

enum { CAROM_TRAJECTORY_COLUMNS = 32 };

/** All columns, time first. */
extern const carom_trajectory_column carom_trajectory_columns[CAROM_TRAJECTORY_COLUMNS];

/** The array of a column: of double, or of int if it is_integer; NULL if the kind has none. */
const void *carom_trajectory_values(const carom_trajectory *trajectory,
                                    const carom_trajectory_column *column);

/** Length of a row of a column along an axis. */
int carom_trajectory_length(const carom_trajectory *trajectory, carom_trajectory_axis axis);

/** Bytes of a row of a mechanism's trajectory. */
size_t carom_trajectory_row_size(const carom_mechanism *mechanism, carom_trajectory_kind kind);

/** Fill the last row with a time and what is not known: NaN, and zeros in columns of integers. */
void carom_trajectory_leave_unknown(carom_trajectory *trajectory, double time);

#endif
