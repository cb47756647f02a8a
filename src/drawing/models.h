/** What the systems of the papers look like, for the records of their motions. */
#ifndef CAROM_DRAWING_MODELS_H
#define CAROM_DRAWING_MODELS_H

#include <carom/drawing/geometry.h>
#include <carom/mechanism/linear_system.h>
#include <carom/models/models.h>

/* Each writes the geometry (carom_geometry_record) of a system whose motions stand in the record,
 * or group, as GROUP/time and GROUP/position. @return CAROM_OK; OUT_OF_MEMORY */

/** A disc over a floor; q = (y). */
CAROM_MUST_CHECK carom_status
carom_geometry_record_bouncing_ball(carom_record *record, const carom_bouncing_ball_params *params);

/** A rod from its pivot to its centre, its shadow of q = (x, y, theta), and the wall. */
CAROM_MUST_CHECK carom_status carom_geometry_record_bouncing_pendulum(
    carom_record *record, const carom_bouncing_pendulum_params *params);

/** The nodes as lines across the bar, in front of the wall x = 0; q = displacements. */
CAROM_MUST_CHECK carom_status
carom_geometry_record_elastic_bar(carom_record *record, const carom_elastic_bar_params *params);

/** A rectangle over the floor; q = (x, y, theta) of its centre. */
CAROM_MUST_CHECK carom_status carom_geometry_record_block(carom_record *record, double width,
                                                          double height);

/** A disc over the floor; q = (x, y, theta) of its centre. */
CAROM_MUST_CHECK carom_status
carom_geometry_record_falling_disk(carom_record *record, const carom_falling_disk_params *params);

/** A sphere from the side, over the floor, with q of its model: that in the plane turns. */
CAROM_MUST_CHECK carom_status
carom_geometry_record_thrown_sphere(carom_record *record, const carom_thrown_sphere_params *params);

/** The three balls from above; q = (x, y) of each. */
CAROM_MUST_CHECK carom_status carom_geometry_record_billiard_break(
    carom_record *record, const carom_billiard_break_params *params);

/** A table and a ball; q = their heights. The ball's radius, the amplitude of the table, is no part
 * of the system. */
CAROM_MUST_CHECK carom_status carom_geometry_record_vibrating_table(
    carom_record *record, const carom_vibrating_table_params *params);

/** Both masses over the floor and the spring; q = x less `rest` [2]. */
CAROM_MUST_CHECK carom_status carom_geometry_record_hopper(carom_record *record,
                                                           const carom_hopper_params *params,
                                                           const double *rest);

/** The paddle on its spring and the ball; q = x less `rest` [2]. */
CAROM_MUST_CHECK carom_status carom_geometry_record_juggler(carom_record *record,
                                                            const carom_juggler_params *params,
                                                            const double *rest);

/** Balls on a line; q = their places. */
CAROM_MUST_CHECK carom_status
carom_geometry_record_ball_chain(carom_record *record, const carom_ball_chain_params *params);

/** Body, legs and tail over the floor; q in cm and rad. */
CAROM_MUST_CHECK carom_status carom_geometry_record_trex(carom_record *record,
                                                         const carom_trex_params *params);

/** Both legs on the stance foot, torso and arm; q = angles from the upward vertical. */
CAROM_MUST_CHECK carom_status
carom_geometry_record_armed_biped(carom_record *record, const carom_armed_biped_params *params);

/**
 * Masses side by side, the place of each in a motion as long as q says, and an obstacle where the
 * last stands that has a share in the contact; q = displacements. The distance of their places is
 * no part of the system: three times that of the obstacle, or a metre if it is none.
 */
CAROM_MUST_CHECK carom_status
carom_geometry_record_linear_system(carom_record *record, const carom_linear_system *system);

#endif
