/** What the parts of the experiment share: options, and the steps that make the record. */
#ifndef CAROM_EXPERIMENTS_DIFFERENTIAL_INCLUSION_RESULTS_H
#define CAROM_EXPERIMENTS_DIFFERENTIAL_INCLUSION_RESULTS_H

#include <carom/carom.h>

#include <math.h>

/** Radians of a degree. */
#define DEGREE 0.017453292519943295

/** Longest path inside the record that is made here. */
enum { PATH_SIZE = 96 };

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

/** The rod as an impact problem in (x, y, angle): its lower end touches; with given friction and
 * speeds of that end. */
CAROM_MUST_CHECK carom_status rod_alloc(const results *r, double friction, double v_n, double v_t,
                                        carom_impact_problem **out);

/** Write GROUP/index and columns over it, of `count` numbers each. */
void write_columns(const results *r, const char *group, const char *index, int count,
                   const carom_column *columns, int column_count);

/** Write a path of Routh's impact: GROUP/{impulse, tangential_impulse, normal_velocity,
 * tangential_velocity} over its corners. */
void write_path(const results *r, const char *group, const carom_routh_path *path);

/* --- unit.c: figure 2 ------------------------------------------------------------------------- */

/** Write /unit: the graph of Unit, the field of -Unit and two solutions. */
CAROM_MUST_CHECK carom_status write_unit(const results *r);

/* --- routh.c: figure 3, slip reversal, impact without collision ------------------------------- */

/** Write /figure_3, /reversal and /jam. */
CAROM_MUST_CHECK carom_status write_routh(const results *r);

/* --- increments.c ----------------------------------------------------------------------------- */

/** Write /increments: the rod's impact in ever more increments beside Routh's. */
CAROM_MUST_CHECK carom_status write_increments(const results *r);

/* --- dissipation.c ---------------------------------------------------------------------------- */

/** Write /slow: the dissipation of (42), and how long these impacts take. */
CAROM_MUST_CHECK carom_status write_slow(const results *r);

/** Write /homogeneity: random paths and samples of the block, and the same with all velocities and
 * impulses multiplied; and that no path gains energy. */
CAROM_MUST_CHECK carom_status write_homogeneity(const results *r);

/* --- facets.c --------------------------------------------------------------------------------- */

/** Write /facets: a sliding corner in space with polyhedral cones beside the exact one. */
CAROM_MUST_CHECK carom_status write_facets(const results *r);

#endif
