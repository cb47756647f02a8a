/** What the parts of the experiment share: options, the two spectra, and the steps that make the
 * record. */
#ifndef CAROM_EXPERIMENTS_CRITICAL_REGION_RESULTS_H
#define CAROM_EXPERIMENTS_CRITICAL_REGION_RESULTS_H

#include <carom/carom.h>
#include <carom/collisionless/curves/critical_region.h>
#include <carom/collisionless/curves/determinant.h>
#include <carom/collisionless/motion/spectral_motion.h>
#include <carom/collisionless/roots/impact_roots.h>
#include <carom/collisionless/roots/internal.h>

/** Number of entries of an array. */
#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/** Modes of random spectra. */
enum { FEWEST_MODES = 2, MOST_MODES = 16 };

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
    int row_count;                 /**< rows likewise */
} critical;

/* --- spectra.c -------------------------------------------------------------------------------- */

/** The paper's numbers, and those chosen where it is silent. */
settings critical_region_defaults(void);

/** Refuse options that do not fit together. */
CAROM_MUST_CHECK carom_status critical_region_check(const settings *v, carom_report *report);

/** Make the spectra; closed by critical_region_close, whatever is returned. */
CAROM_MUST_CHECK carom_status critical_region_open(critical *c);
void critical_region_close(critical *c);

/** omega_N and omega'_{N-1}, rad/s. */
double critical_region_frequency(const carom_phase_spectra *spectra);
double critical_region_constrained_frequency(const carom_phase_spectra *spectra);

/** Write /spectra: the eigenvalues that are used. */
void critical_region_write_spectra(const critical *c);

/* --- draws.c ---------------------------------------------------------------------------------- */

/** Least lambda_N that is drawn, 1/s2. */
#define CRITICAL_REGION_LEAST_OSCILLATING 0.5

/** How random spectra are drawn. */
typedef enum drawn_kind {
    DRAWN_CRITICAL, /**< lambda'_{N-1} is given; negative but for it and lambda_N */
    DRAWN_SINGLE,   /**< one oscillating mode in each phase, lambda'_{N-1} between 0.05 and 0.9
                       lambda_N */
    DRAWN_NONE,     /**< no oscillating constrained mode; in every eighth spectrum lambda'_{N-1} is
                       exactly zero */
    DRAWN_SEVERAL   /**< all modes but lambda_1 oscillate */
} drawn_kind;

/** What random spectra are made from; sample i of a recipe is the same whoever draws it. */
typedef struct recipe {
    unsigned long seed;
    unsigned long stream; /**< tells the statements apart, below 100 */
    drawn_kind kind;
    bool is_mixed;              /**< parities mode by mode, instead of one for each phase */
    double critical_eigenvalue; /**< of DRAWN_CRITICAL, 1/s2 */
} recipe;

/** Draw spectra of N modes; free them with carom_phase_spectra_free. */
CAROM_MUST_CHECK carom_status critical_region_draw(const recipe *from, int sample, int mode_count,
                                                   carom_phase_spectra **out, carom_report *report);

/** A uniform number beside those of the spectra, k below 100. */
double critical_region_uniform(const recipe *from, int sample, int k);

/* --- figure 2 --------------------------------------------------------------------------------- */

/** The part of the plane that figure 2 shows. */
carom_impact_phase_window critical_region_window(const settings *v);

/** curves.c: write /curves/{without_mode,without_force} and /crossings, the paper's way to the
 * roots. */
CAROM_MUST_CHECK carom_status critical_region_write_curves(const critical *c);

/** roots.c: write /roots: all roots of the window, and which of them are motions. */
CAROM_MUST_CHECK carom_status critical_region_write_roots(const critical *c);

/** crosses.c: write /crosses: (63) as printed and corrected, and our own closed form. */
CAROM_MUST_CHECK carom_status critical_region_write_crosses(const critical *c);

/* --- the limit -------------------------------------------------------------------------------- */

/** limit.c: write /limit: what (40) demands, over o_N. */
CAROM_MUST_CHECK carom_status critical_region_write_limit(const critical *c);

/** sweep.c: write /sweep: one root as lambda'_{N-1} falls. */
CAROM_MUST_CHECK carom_status critical_region_write_sweep(const critical *c);

/** equations.c: the formulas of section 5 and appendix D against differences of B. */
CAROM_MUST_CHECK carom_status critical_region_write_equations(const critical *c);

/** other.c: (41) for N = 2, and crossings that are no roots. */
CAROM_MUST_CHECK carom_status critical_region_write_other(const critical *c);

/* --- random spectra --------------------------------------------------------------------------- */

/** slopes.c: write /slopes: c_0 of random spectra by N. */
CAROM_MUST_CHECK carom_status critical_region_write_slopes(const critical *c);

/** searches.c: boxes of impact times searched without a guess. */
CAROM_MUST_CHECK carom_status critical_region_write_searches(const critical *c);

/** realizability.c: which cells are motions. */
CAROM_MUST_CHECK carom_status critical_region_write_realizability(const critical *c);

#endif
