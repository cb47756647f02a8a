/** What the parts of the experiment share: options, the biped and its gait, the steps that make the
 * record. */
#ifndef CAROM_EXPERIMENTS_BIPED_ROCKING_RESULTS_H
#define CAROM_EXPERIMENTS_BIPED_ROCKING_RESULTS_H

#include <carom/carom.h>
#include <carom/collisionless/curves/determinant.h>

/** Number of entries of an array. */
#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/** Everything that options set. */
typedef struct settings {
    carom_real_list lengths;          /**< leg, torso links from the hip up, arm, m */
    carom_real_list masses;           /**< one foot, hip, tops of the torso links, hand, kg */
    double gravity;                   /**< m/s2 */
    double amplitude;                 /**< theta, rad; NaN: not given */
    int column;                       /**< n of the gait */
    int row;                          /**< r of the gait */
    bool is_nonlinear;                /**< the exact biped as well */
    double max_amplitude;             /**< largest theta of the branch, rad; NaN: not given */
    int samples;                      /**< instants from P to P' */
    carom_impact_phase_window window; /**< of the contours */
} settings;

/** theta of the harmonic gait, rad: as given, or that of the paper's figure 6. */
double biped_rocking_amplitude(const settings *values);

/** No option selects a part: the record of the document has them all. */
bool biped_rocking_is_picture(const settings *values);

/** The biped and its harmonic gait. */
typedef struct results {
    const settings *values;
    const carom_common_options *common;
    carom_record *record;
    carom_report *report;
    carom_armed_biped_params biped; /**< half_step_angle is theta */
    int coordinate_count;           /**< N */
    double *mass;                   /**< m [N][N], kg m2 */
    double *stiffness;              /**< k [N][N], N m */
    double *equilibrium;            /**< [N] rad */
    carom_armed_biped_statics statics;
    carom_phase_modes *modes;
    carom_root_list *roots;           /**< all in the window */
    carom_impact_root root;           /**< that of the gait: column and row of the options */
    carom_collisionless_motion *gait; /**< of that root, with size theta */
} results;

/* --- model.c ---------------------------------------------------------------------------------- */

/** The biped of the options; refuses lists that do not fit together. */
CAROM_MUST_CHECK carom_status biped_rocking_params(const settings *values,
                                                   carom_armed_biped_params *biped,
                                                   carom_report *report);

/** Matrices, modes, roots and gait; cleared by biped_rocking_clear whatever is returned. */
CAROM_MUST_CHECK carom_status biped_rocking_solve(results *r);

void biped_rocking_clear(results *r);

/* --- expansion.c ------------------------------------------------------------------------------ */

/** g, dg/dt, d2g/dt2, d3g/dt3 of the paper (11). */
void biped_rocking_time_function(double lambda, carom_parity parity, double t, double g[4]);

/** x and its first three derivatives [4][N] by the paper's sums with its q and q': X (q.g) at t
 * from P, X' (q'.g') + x^0 at t' from P'. Each phase is computed without the other. */
void biped_rocking_expand(const results *r, carom_motion_phase phase, double t, double *state);

/* --- modes.c ---------------------------------------------------------------------------------- */

/** Write /modes: m, k, spectra, M, X, X', c, eta, and (10) as printed. */
CAROM_MUST_CHECK carom_status biped_rocking_write_modes(const results *r);

/* --- roots.c ---------------------------------------------------------------------------------- */

/** Write /roots, a group /solution_NN for each, /unit (the gait over theta), /curves and /grid. */
CAROM_MUST_CHECK carom_status biped_rocking_write_roots(const results *r);

/* --- curves.c --------------------------------------------------------------------------------- */

/** Write /curves: where one of the two determinants vanishes; and where both do. */
CAROM_MUST_CHECK carom_status biped_rocking_write_curves(const results *r);

/* --- grid.c ----------------------------------------------------------------------------------- */

/** Write /grid: impact phases of the roots by row and column, and the limits they tend to. */
CAROM_MUST_CHECK carom_status biped_rocking_write_grid(const results *r);

/* --- drawing.c -------------------------------------------------------------------------------- */

/** Write /drawing: the biped of figure 3, and its places at P, impact and P' of the gait. */
CAROM_MUST_CHECK carom_status biped_rocking_write_drawing(const results *r);

/* --- matching.c ------------------------------------------------------------------------------- */

/** Write /impact: rank and condition of the matching conditions of the gait. */
CAROM_MUST_CHECK carom_status biped_rocking_write_matching(const results *r);

/* --- continuity.c ----------------------------------------------------------------------------- */

/** Write what happens at the impact, /impact, and the energy on the way. */
CAROM_MUST_CHECK carom_status biped_rocking_write_continuity(const results *r);

/* --- chain.c ---------------------------------------------------------------------------------- */

/** Write /chain: gaits of bipeds with 3 to 12 links, and that there is none without an arm. */
CAROM_MUST_CHECK carom_status biped_rocking_write_chain(const results *r);

/* --- nonlinear.c ------------------------------------------------------------------------------ */

/** Write /nonlinear: the branch of exact gaits, or the one at theta if only that was asked for. */
CAROM_MUST_CHECK carom_status biped_rocking_write_nonlinear(const results *r);

/* --- simulation.c ----------------------------------------------------------------------------- */

/** Write /simulation: harmonic and exact gait as nonsmooth motions with plastic contact. */
CAROM_MUST_CHECK carom_status biped_rocking_write_simulation(const results *r);

#endif
