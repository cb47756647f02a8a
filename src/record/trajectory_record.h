/** A trajectory as one group of a record. */
#ifndef CAROM_RECORD_TRAJECTORY_RECORD_H
#define CAROM_RECORD_TRAJECTORY_RECORD_H

#include <carom/record/record.h>
#include <carom/timestepping/trajectory.h>

CAROM_BEGIN_DECLARATIONS

/**
 * Write every series of a trajectory below `group`: axes time, coordinate, contact, joint;
 * position, velocity, gap, gap_rate, contact_impulse, contact_position_multiplier (contact_force
 * for smooth_galpha), joint_* where there are joints, energy, residual, newton_iterations,
 * position_active, velocity_active. What a system has not (contacts, joints) is left out
 * with its axis; smooth_galpha has joint_force alone, the others also joint_impulse and
 * joint_position_multiplier.
 *
 * @param[in,out] record     open record
 * @param[in]     group      "/moreau_jean"
 * @param[in]     mechanism  for the units of position and velocity
 * @param[in]     trajectory what to write
 * @return as carom_record_series
 */
CAROM_MUST_CHECK carom_status carom_record_trajectory(carom_record *record, const char *group,
                                                      const carom_mechanism *mechanism,
                                                      const carom_trajectory *trajectory);

CAROM_END_DECLARATIONS

#endif
