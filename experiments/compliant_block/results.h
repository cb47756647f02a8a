/** What the parts of the experiment share: options, the two sweeps, and the steps of the record. */
#ifndef CAROM_EXPERIMENTS_COMPLIANT_BLOCK_RESULTS_H
#define CAROM_EXPERIMENTS_COMPLIANT_BLOCK_RESULTS_H

#include <carom/carom.h>
#include <carom/models/rigid_block_exact.h>
#include <carom/program/program.h>
#include <carom/timestepping/compliant/compliant.h>

#include <math.h>

/** Contacts A and B, and q = (x, y, theta). */
enum { CORNERS = 2, COORDINATES = 3 };

/** Everything that options set. */
typedef struct settings {
    carom_rigid_block_params block; /**< flat; the tilts are those of the sweep */
    double stiffness;               /**< of the softer corner, N/m */
    double damping_ratio;           /**< zeta, 1 */
    int damping;                    /**< carom_compliant_damping */
    double regularisation_speed;    /**< epsilon, m/s */
    double stop_speed;              /**< delta, m/s */
    double least_impulse;           /**< of each corner before a run may stop, as a part of m v0 */
    double largest_exponent;        /**< of the ratio of stiffnesses, base 10 */
    double largest_angle;           /**< deg */
    int ratios;                     /**< runs of the first sweep */
    int angles;                     /**< runs of the second sweep */
    double relative_tolerance;
    double absolute_tolerance;
    double time_span; /**< s */
} settings;

/** One run: what is varied, and what came of it. */
typedef struct block_run {
    double stiffness[CORNERS];           /**< N/m */
    double tilt;                         /**< rad */
    double energy;                       /**< before, kinetic and of the height, J */
    double velocity[COORDINATES];        /**< at the end */
    double normal_velocity[CORNERS];     /**< at the end, m/s */
    double tangential_velocity[CORNERS]; /**< at the end, m/s */
    double normal_impulse[CORNERS];      /**< N s */
    double start_time[CORNERS];          /**< s; NaN: never touched */
    double end_time;                     /**< s */
    double first_share; /**< of the first corner's impulse, before the second one touches */
    int first_contact;
    int has_stopped;
    int steps;
    int events;
} block_run;

/** The runs along one parameter. */
typedef struct sweep {
    const char *group;     /**< "/stiffness_sweep" */
    const char *parameter; /**< "exponent" */
    const char *units;
    const char *long_name;
    int count;
    double *values;  /**< [count] of the parameter, antisymmetric */
    block_run *runs; /**< [count] */
} sweep;

/** What is found of a sweep beside the outcomes of rigid impacts. */
typedef struct sweep_measures {
    bool all_stopped;
    double largest;      /**< normal velocity, m/s */
    double slip;         /**< largest tangential speed, m/s */
    double set_distance; /**< largest distance of an outcome from the exact set, m/s */
    double coverage;     /**< largest distance of the exact set from an outcome, m/s */
    double exceeding;    /**< smallest |parameter| with more than the exact set has; NaN: none */
} sweep_measures;

/** What the record is made of. */
typedef struct results {
    const settings *values;
    const carom_common_options *common;
    carom_record *record;
    carom_report *report;
    sweep stiffness;
    sweep angle;
    carom_progress *progress; /**< of the runs; NULL: not shown */
    bool has_exact;           /**< no corner slides: the closed forms hold */
    carom_rigid_block_exact exact;
} results;

/* --- sweeps.c --------------------------------------------------------------------------------- */

/** Compute both sweeps; their memory is freed by compliant_block_free. */
CAROM_MUST_CHECK carom_status compliant_block_run(results *r);

/** Free what compliant_block_run has made. */
void compliant_block_free(results *r);

/* --- writing.c -------------------------------------------------------------------------------- */

/** Write a sweep as a group, one dataset for each quantity. */
CAROM_MUST_CHECK carom_status compliant_block_write_sweep(const results *r, const sweep *s);

/** Find and write the set of rigid outcomes: /exact, /exact/is_available alone if a corner slides.
 */
void compliant_block_write_exact(results *r);

/* --- variants.c ------------------------------------------------------------------------------- */

/** Write /variants/NAME: how far the ends of both sweeps reach with other parameters. */
CAROM_MUST_CHECK carom_status compliant_block_write_variants(const results *r);

/* --- claims.c --------------------------------------------------------------------------------- */

/** Write /measures and /claims: the statements of the paper about both sweeps. */
void compliant_block_write_claims(const results *r);

#endif
