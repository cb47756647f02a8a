/** What the parts of the experiment share: options, the two spectra, random ones. */
#ifndef CAROM_EXPERIMENTS_CRITICAL_REGION_RESULTS_H
#define CAROM_EXPERIMENTS_CRITICAL_REGION_RESULTS_H

#include <carom/carom.h>
#include <carom/collisionless/curves/critical_region.h>
#include <carom/collisionless/curves/determinant.h>
#include <carom/collisionless/motion/random_spectra.h>
#include <carom/collisionless/motion/spectral_motion.h>
#include <carom/collisionless/roots/impact_roots.h>
#include <carom/collisionless/roots/internal.h>

/** Number of entries of an array. */
#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/** Everything that options set. */
typedef struct settings {
    carom_real_list spectrum;
    carom_real_list constrained_spectrum;
    bool is_random;
    int mode_count;               /**< N of the spectrum that is drawn */
    double critical_eigenvalue;   /**< lambda'_{N-1} of the spectrum that is drawn, 1/s2 */
    int parity;                   /**< carom_parity */
    int constrained_parity;       /**< carom_parity */
    double max_phase;             /**< rad */
    double max_constrained_phase; /**< rad */
    int grid_columns;
    int grid_rows;
    double sweep_from; /**< 1/s2 */
    double sweep_to;   /**< 1/s2 */
    int sweep_points;
    int draws;
    int searches;
    int motions;
} settings;

/** What every part needs. */
typedef struct critical {
    const settings *values;
    const carom_common_options *common;
    carom_record *record;
    carom_report *report;
    carom_phase_spectra *spectra;  /**< of figure 2 */
    carom_critical_region *region; /**< its limit */
    int first_column;              /**< n of the first cell that holds a root */
    int column_count;              /**< columns whose cells lie within the window */
} critical;

/** The part of the plane that figure 2 shows. */
carom_impact_phase_window critical_region_window(const settings *v);

/* --- limit.c ---------------------------------------------------------------------------------- */

/** Write /crosses: (63) as printed and corrected, and our own closed form; /limit: what (40)
 * demands, over o_N; /sweep: one root as lambda'_{N-1} falls. */
CAROM_MUST_CHECK carom_status critical_region_write_limit(const critical *c);

/** The formulas of section 5 and appendix D against differences of B. */
CAROM_MUST_CHECK carom_status critical_region_write_equations(const critical *c);

/** Write /several: crossings that are no roots, of a spectrum with several oscillating modes. */
CAROM_MUST_CHECK carom_status critical_region_write_several(const critical *c);

/* --- random.c --------------------------------------------------------------------------------- */

/** Write /slopes: c_0 by N; /searches: boxes of impact times searched without a guess; /motions:
 * which cells are motions. */
CAROM_MUST_CHECK carom_status critical_region_write_random(const critical *c);

#endif
