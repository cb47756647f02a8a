/** A trajectory as one group of a record. */
#ifndef CAROM_RECORD_TRAJECTORY_RECORD_H
#define CAROM_RECORD_TRAJECTORY_RECORD_H

#include <carom/record/record.h>
#include <carom/timestepping/trajectory.h>

CAROM_BEGIN_DECLARATIONS

/**
 * Write the columns that the trajectory's kind means something by (carom_trajectory_columns) below
 * `group`, with the axes time, coordinate, contact, tangent, joint. What a system has not
 * (contacts, tangents, joints) is left out with its axis.
 *
 * @param[in,out] record     open record
 * @param[in]     group      "/moreau_jean"
 * @param[in]     mechanism  for the units of position and velocity
 * @param[in]     trajectory what to write
 */
void carom_record_trajectory(carom_record *record, const char *group,
                             const carom_mechanism *mechanism, const carom_trajectory *trajectory);

/**
 * Write the time axis and some columns of a trajectory below `group`, named as given; the other
 * axes stand there already.
 *
 * @param[in,out] record     open record
 * @param[in]     group      "/moreau_jean"
 * @param[in]     trajectory what to write
 * @param[in]     columns    [count] of arrays that the trajectory has, with units
 * @param[in]     count      >= 0
 */
void carom_record_trajectory_columns(carom_record *record, const char *group,
                                     const carom_trajectory *trajectory,
                                     const carom_trajectory_column *columns, int count);

CAROM_END_DECLARATIONS

#endif
