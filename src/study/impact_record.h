/** The layout of impacts in a record: velocities before, outcomes of every law, sampled sets. */
#ifndef CAROM_STUDY_IMPACT_RECORD_H
#define CAROM_STUDY_IMPACT_RECORD_H

#include <carom/impact/impact_bounds.h>
#include <carom/impact/impact_inclusion.h>
#include <carom/impact/impact_problem.h>
#include <carom/impact/sequential_impact.h>
#include <carom/record/record.h>
#include <carom/study/plane_raster.h>

/** Characters of the name of a contact or of a mode class, the closing zero included. */
#define CAROM_IMPACT_NAME_SIZE 40

/**
 * Where impacts are written, and what contacts are called. Velocities of contacts stand over
 * (solution, sample or stage) x `/contact`; tangential ones in space x `/tangent`, two rows for
 * each contact, else x `/contact` too.
 */
typedef struct carom_impact_record {
    carom_record *record;
    const carom_impact_problem *problem;
    const char *const *names; /**< [m] of contacts; NULL: A, B, ..., Z, A1, ... */
} carom_impact_record;

/** The name of contact i: of those given, or a letter. */
void carom_impact_record_name(const carom_impact_record *self, int i,
                              char name[CAROM_IMPACT_NAME_SIZE]);

/**
 * Write the axes /contact, /coordinate, in space /tangent, and the group /before: velocity,
 * normal_velocity, tangential_velocity, kinetic_energy, is_colliding, names of the contacts. To be
 * called first.
 * @return CAROM_OK; OUT_OF_MEMORY: of all functions here that fail
 */
CAROM_MUST_CHECK carom_status carom_impact_record_before(const carom_impact_record *self);

/** Write the problem itself as /problem: mass, normal, tangential, friction. */
void carom_impact_record_problem(const carom_impact_record *self);

/** What rows of contact space mean. */
typedef struct carom_impact_quantity {
    const char *name;  /**< "velocity" */
    const char *when;  /**< "after the impact": completes the long names */
    const char *units; /**< "m s-1" */
} carom_impact_quantity;

/**
 * Write rows of contact space as GROUP/normal_NAME and GROUP/tangential_NAME.
 *
 * @param[in] self     as above
 * @param[in] group    "/simultaneous"
 * @param[in] axis     path of an axis of `count` rows
 * @param[in] count    >= 1
 * @param[in] rows     [count][r]
 * @param[in] quantity what they are
 */
CAROM_MUST_CHECK carom_status carom_impact_record_rows(const carom_impact_record *self,
                                                       const char *group, const char *axis,
                                                       int count, const double *rows,
                                                       const carom_impact_quantity *quantity);

/**
 * Write a list of outcomes as a group ("/simultaneous"): count, and, if it is not zero, velocity
 * (solution x coordinate), normal_velocity, tangential_velocity, normal_impulse, tangential_impulse
 * (solution x contact), kinetic_energy, residual, multiplicity.
 */
CAROM_MUST_CHECK carom_status carom_impact_record_outcomes(const carom_impact_record *self,
                                                           const char *group,
                                                           const carom_impact_outcomes *outcomes);

/**
 * Write a sequence of impacts as a group ("/sequential/A_first"): stage_count, finished, residual,
 * and, if there are stages, contact (stage), velocity (stage x coordinate), normal_velocity,
 * tangential_velocity, normal_impulse, tangential_impulse (stage x contact), kinetic_energy: all
 * after the stage, impulses since v-.
 */
CAROM_MUST_CHECK carom_status carom_impact_record_sequence(const carom_impact_record *self,
                                                           const char *group,
                                                           const carom_sequential_impact *sequence);

/** Write the bounds of a sampling as /bounds: its fields by their names, and is_available 1; NULL:
 * is_available 0 alone. */
void carom_impact_record_bounds(const carom_impact_record *self, const carom_impact_bounds *bounds);

/**
 * Write a sample as /set: final_velocity, normal_velocity, tangential_velocity (sample x ...),
 * kinetic_energy, impulse, increments, finished, with CAROM_SELECTION_ALL over branches instead,
 * whose sample is told; the scalars count, sample_count, impulse_step,
 * mean_increments, mean_increments_standard_error, fraction_finished, mean_kinetic_energy,
 * increment_count, multivalued_fraction (NaN unless all solutions are enumerated),
 * energy_rise_count, unsolved_count, rescue_count, truncated_count, largest_residual, mean_pivots;
 * the histogram increment_histogram (how many samples took 0 .. N increments); over finished
 * samples the extents normal_velocity_min, normal_velocity_max, tangential_velocity_min,
 * tangential_velocity_max of each contact; and the mode classes: /set/modes/fraction (class, of the
 * finished samples), finished_count, count (of all), names, class_count, and the fraction of each
 * class as a scalar, /set/modes/SL and so on.
 */
CAROM_MUST_CHECK carom_status carom_impact_record_samples(
    const carom_impact_record *self, const carom_impact_sampling_params *params,
    const carom_impact_samples *samples);

/**
 * Write the paths that have crossed a plane as /set/paths/NAME/{x,y}, and the velocities in which
 * finished samples end as /set/points/NAME/{x,y}, one for each cell; with the limits x_min, x_max,
 * y_min, y_max of the plane in /set/paths/NAME. A plane without any is left out.
 */
CAROM_MUST_CHECK carom_status carom_impact_record_plane(const carom_impact_record *self,
                                                        const carom_plane_raster *raster,
                                                        const carom_impact_samples *samples);

#endif
