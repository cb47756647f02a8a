/** Bipeds of 3 to 12 links with and without an arm: the hanging arm is all that a standing torso
 * needs, however many links it has (pankov-2024 section 6). */
#include "results.h"

#include <math.h>

/** Numbers N of coordinates: stance leg, torso links, arm. */
enum { FIRST = 3, LAST = 12, SIZES = LAST - FIRST + 1 };

/** Lengths in m and masses in kg of all links. */
static const double ONES[LAST + 1] = {1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0,
                                      1.0, 1.0, 1.0, 1.0, 1.0, 1.0};

/** One entry, or a row, for every N; spectra end with NaN. */
typedef struct chains {
    double coordinates[SIZES]; /**< N */
    double torso_links[SIZES];
    double time[SIZES];
    double constrained_time[SIZES];
    double residual[SIZES];
    double arm[SIZES];               /**< at P from hanging, over theta */
    double energy[SIZES];            /**< per theta^2 */
    double least_force[SIZES];       /**< on two feet, over F_N^0 */
    double force_rate[SIZES];        /**< just after the landing, over F_N^0 */
    double spectrum[SIZES][LAST];    /**< lambda */
    double constrained[SIZES][LAST]; /**< lambda' */
    double armless[SIZES];           /**< lambda'_(N-1) without an arm */
    double armless_roots[SIZES];     /**< 0 if it is known that there is none */
    double realizable[SIZES];        /**< 1, 0, or NaN: undecided */
} chains;

/** A biped of unit links with N coordinates, in units of theta. */
static carom_armed_biped_params unit_chain(int N, bool has_arm) {
    return (carom_armed_biped_params){
        .torso_count = N - 1 - (has_arm ? 1 : 0),
        .has_arm = has_arm,
        .lengths = ONES,
        .masses = ONES,
        .gravity = 1.0,
        .half_step_angle = 1.0,
    };
}

/** Its modes. */
static carom_status find_modes(const carom_armed_biped_params *biped, carom_phase_modes **modes,
                               carom_armed_biped_statics *statics, carom_report *report) {
    double mass[LAST * LAST];
    double stiffness[LAST * LAST];
    double equilibrium[LAST];
    CAROM_TRY(carom_armed_biped_linear(biped, mass, stiffness, equilibrium, statics, report));
    return carom_phase_modes_compute(carom_armed_biped_coordinate_count(biped), mass, stiffness,
                                     CAROM_PARITY_EVEN, CAROM_PARITY_ODD, modes, report);
}

/** The gait of the leftmost cell of the bottom row, and whether its feet can follow it. */
static carom_status find_gait(const carom_phase_modes *modes,
                              const carom_armed_biped_statics *statics, int k, chains *all,
                              carom_report *report) {
    carom_impact_root root;
    CAROM_TRY(carom_impact_roots_cell(modes->spectra, 2, 0, &root, report));
    carom_collisionless_motion *motion = NULL;
    CAROM_TRY(carom_collisionless_motion_compute(modes, root.time, root.constrained_time,
                                                 CAROM_MOTION_SCALE_CONTACT_LEVEL,
                                                 statics->contact_level, &motion, report));
    const carom_motion_bounds bounds = carom_motion_bounds_compute(motion->spectral);
    const bool is_decided =
        bounds.is_realizable || (bounds.is_gap_decided && bounds.is_force_decided);
    double position[LAST];
    const carom_motion_state state = {.position = position};
    carom_collisionless_motion_state(motion, CAROM_MOTION_UNCONSTRAINED, 0.0,
                                     CAROM_MOTION_FROM_EQUILIBRIUM, &state);
    all->arm[k] = position[0];
    all->time[k] = root.time;
    all->constrained_time[k] = root.constrained_time;
    all->residual[k] = root.residual;
    all->energy[k] = motion->energy;
    all->least_force[k] = bounds.minimum_force_ratio;
    all->force_rate[k] = motion->spectral->force_rate;
    all->realizable[k] = is_decided ? (bounds.is_realizable ? 1.0 : 0.0) : (double)NAN;
    carom_collisionless_motion_free(motion);
    return CAROM_OK;
}

/** With an arm. */
static carom_status solve_armed(int k, chains *all, carom_report *report) {
    const int N = FIRST + k;
    const carom_armed_biped_params biped = unit_chain(N, true);
    carom_armed_biped_statics statics;
    carom_phase_modes *modes = NULL;
    CAROM_TRY(find_modes(&biped, &modes, &statics, report));
    all->coordinates[k] = N;
    all->torso_links[k] = biped.torso_count;
    for (int i = 0; i < LAST; i++) {
        const carom_phase_spectra *spectra = modes->spectra;
        const int n = spectra->mode_count;
        all->spectrum[k][i] = i < n ? spectra->unconstrained[i] : (double)NAN;
        all->constrained[k][i] = i < n - 1 ? spectra->constrained[i] : (double)NAN;
    }
    const carom_status status = find_gait(modes, &statics, k, all, report);
    carom_phase_modes_free(modes);
    return status;
}

/** Without an arm, with as many coordinates: no mode oscillates on two feet. */
static carom_status solve_armless(int k, chains *all, carom_report *report) {
    const carom_armed_biped_params biped = unit_chain(FIRST + k, false);
    carom_armed_biped_statics statics;
    carom_phase_modes *modes = NULL;
    CAROM_TRY(find_modes(&biped, &modes, &statics, report));
    const carom_root_search_params box = carom_root_search_params_default();
    carom_root_list *roots = NULL;
    const carom_status status = carom_impact_roots_find(modes->spectra, &box, &roots, report);
    if (status == CAROM_OK) {
        all->armless[k] = modes->spectra->constrained[modes->spectra->mode_count - 2];
        all->armless_roots[k] = roots->method == CAROM_ROOTS_NONE ? roots->count : (double)NAN;
    }
    carom_root_list_free(roots);
    carom_phase_modes_free(modes);
    return status;
}

static void write_chains(carom_record *record, const chains *all) {
    const carom_column columns[] = {
        {"torso_links", all->torso_links, "1", "links of the torso"},
        {"impact_time", all->time, "s", "tau, from P to the landing"},
        {"constrained_time", all->constrained_time, "s", "tau', from the landing to P'"},
        {"residual", all->residual, "1", "of the impact equations"},
        {"arm_at_P", all->arm, "1", "angle of the arm at P from hanging, over theta"},
        {"energy", all->energy, "J", "above the equilibrium on one foot, over theta^2"},
        {"minimum_force_ratio", all->least_force, "1", "least force of the contact, over F_N^0"},
        {"force_rate", all->force_rate, "s-1", "of the force after the landing, over F_N^0"},
        {"realizable", all->realizable, "1", "1: proved by bounds; NaN: undecided"},
        {"armless_constrained_eigenvalue", all->armless, "s-2",
         "largest lambda' of a chain with as many coordinates and no arm"},
        {"armless_roots", all->armless_roots, "1",
         "pairs of impact times of that chain; NaN: not known"},
    };
    const carom_column spectra[] = {
        {"spectrum", all->spectrum[0], "s-2", "lambda, ascending; NaN beyond the last"},
        {"constrained_spectrum", all->constrained[0], "s-2",
         "lambda', ascending; NaN beyond the last"},
    };
    carom_record group = carom_record_group(record, "/chain");
    carom_record_axis(&group, "coordinates", SIZES, all->coordinates, "1",
                      "N: stance leg, torso links, arm");
    carom_record_index_axis(&group, "mode", LAST, "of the spectra, from 0");
    carom_record_columns(&group, "coordinates", NULL, columns, COUNT(columns));
    carom_record_columns(&group, "coordinates", "mode", spectra, COUNT(spectra));
}

carom_status biped_rocking_write_chain(const results *r) {
    chains all;
    for (int k = 0; k < SIZES; k++) {
        CAROM_TRY(solve_armed(k, &all, r->report));
        CAROM_TRY(solve_armless(k, &all, r->report));
    }
    write_chains(r->record, &all);
    return CAROM_OK;
}
