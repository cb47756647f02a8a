/** What the parts of the experiment share: options, and the steps that make the record. */
#ifndef CAROM_EXPERIMENTS_DIFFERENTIAL_INCLUSION_H
#define CAROM_EXPERIMENTS_DIFFERENTIAL_INCLUSION_H

#include <carom/carom.h>

#include <math.h>

/** Number of entries of an array. */
#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/** Radians of a degree. */
#define DEGREE 0.017453292519943295

/** Everything that options set. */
typedef struct settings {
    double mass;                /**< of the rod, kg */
    double length;              /**< of the rod, m */
    double lean;                /**< of the rod, from the floor, deg */
    double friction;            /**< of its end */
    double closing_speed;       /**< with which it strikes, m/s */
    double tangential_velocity; /**< m/s */
    double jam_friction;        /**< of the rod that is pressed into the floor by friction */
    double jam_velocity;        /**< tangential velocity of that rod, m/s */
    int decades;                /**< up to 10^decades increments */
    double block_friction;      /**< of the block whose corners slide */
    int paths;                  /**< random paths of that block */
    double scale;               /**< factor k of velocities and impulses */
    double space_friction;      /**< of the cuboid's corner */
    double space_speed;         /**< with which it slides, m/s */
    int directions;             /**< of sliding */
    int largest_facets;         /**< most directions of a polyhedral cone */
    int space_increments;       /**< increments of an impact in space */
} settings;

/** What the record is made of. */
typedef struct results {
    const settings *values;
    const carom_common_options *common;
    carom_record *record;
    carom_report *report;
} results;

/** Write /slow: the dissipation of (42), and how long these impacts take; and /homogeneity: random
 * paths of the block, and the same with all velocities and impulses multiplied. */
CAROM_MUST_CHECK carom_status differential_inclusion_write_paths(const results *r);

/** Write GROUP/NAME: the rod's impact as a motion, up to it by the velocity of the problem and on
 * by that at the end of Routh's path. */
CAROM_MUST_CHECK carom_status differential_inclusion_write_motion(
    const results *r, const carom_impact_problem *problem, const carom_routh_path *path,
    carom_record *around, const char *name);

/** Write GROUP/geometry: the rod and the floor. */
CAROM_MUST_CHECK carom_status differential_inclusion_write_rod(const results *r,
                                                               carom_record *around);

/** Write /facets: a sliding corner in space with polyhedral cones beside the exact one. */
CAROM_MUST_CHECK carom_status differential_inclusion_write_facets(const results *r);

#endif
