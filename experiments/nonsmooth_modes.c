/**
 * nonsmooth_modes: periodic motions of any linear structure that strikes an obstacle elastically
 * (thorin-2017), from a guess, by continuation, by random search, or all with one impact per
 * period.
 *
 *     M u'' + K u = 0,   gap w'u + g_0 >= 0,   contact velocity reversed at an impact
 *
 * A structure is a serial chain, two matrix files with a contact normal, or, if neither is given, a
 * bar that the paper does not have: clamped at one end, two-node elements with consistent mass, its
 * free end before the obstacle; Young's modulus, density, length, section and gap are 1. For it the
 * default analysis makes one picture: the admissible periods of one impact with the branch of
 * motions in each, and motions with two and three impacts from random guesses. Nothing here is
 * printed in the paper; the number of guesses and the longest period (that of the lowest mode) are
 * chosen.
 */
#include "nonsmooth_modes/results.h"

#include <math.h>
#include <stdlib.h>

/** Numbers of impacts that the picture searches: two and three. */
enum { PICTURE_SEARCHES = 2, PICTURE_FEWEST_IMPACTS = 2 };

/** Branches and motions of the picture; branches and lists belong to the caller. */
static carom_status fill_picture(const analysis *a, const carom_period_intervals *intervals,
                                 carom_orbit_branch **branches, carom_orbit_list **lists) {
    CAROM_TRY(nonsmooth_modes_follow_intervals(a, intervals, branches));
    CAROM_TRY(nonsmooth_modes_write_curves(a, branches, intervals->count));
    for (int i = 0; i < PICTURE_SEARCHES; i++) {
        CAROM_TRY(nonsmooth_modes_search(a, PICTURE_FEWEST_IMPACTS + i,
                                         NONSMOOTH_MODES_PICTURE_GUESSES, &lists[i]));
    }
    CAROM_TRY(nonsmooth_modes_write_found(a, lists, PICTURE_SEARCHES));
    return nonsmooth_modes_write_density(a);
}

/** The default analysis. */
static carom_status draw_picture(const analysis *a, const carom_period_intervals *intervals) {
    carom_orbit_list *lists[PICTURE_SEARCHES] = {NULL};
    CAROM_AUTO_MEMORY carom_orbit_branch **branches =
        calloc((size_t)intervals->count + 1, sizeof(carom_orbit_branch *));
    if (branches == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    const carom_status status = fill_picture(a, intervals, branches, lists);
    for (int i = 0; i < PICTURE_SEARCHES; i++) {
        carom_orbit_list_free(lists[i]);
    }
    for (int i = 0; i < intervals->count; i++) {
        carom_orbit_branch_free(branches[i]);
    }
    return status;
}

/** Find and write the intervals; then the picture, if that was asked for. */
static carom_status find_intervals(const analysis *a) {
    CAROM_AUTO(carom_period_intervals) intervals = NULL;
    CAROM_TRY(nonsmooth_modes_find_intervals(a, a->max_period, &intervals));
    CAROM_TRY(nonsmooth_modes_write_intervals(a, intervals));
    return nonsmooth_modes_is_picture(a->values) ? draw_picture(a, intervals) : CAROM_OK;
}

/** Search and write what was found. */
static carom_status search(const analysis *a) {
    CAROM_AUTO(carom_orbit_list) found = NULL;
    CAROM_TRY(nonsmooth_modes_search(a, a->values->impacts, a->values->search, &found));
    return nonsmooth_modes_write_found(a, (carom_orbit_list *[]){found}, 1);
}

/** Everything that was asked for. */
static carom_status analyse(const analysis *a) {
    const settings *v = a->values;
    const bool has_intervals = v->has_intervals || nonsmooth_modes_is_picture(v);
    nonsmooth_modes_write_structure(a);
    if (has_intervals || v->has_branch) {
        nonsmooth_modes_write_ends(a);
    }
    if (v->flight_times.count > 0) {
        CAROM_TRY(nonsmooth_modes_solve(a));
    }
    if (v->search > 0) {
        CAROM_TRY(search(a));
    }
    return has_intervals ? find_intervals(a) : CAROM_OK;
}

static carom_status body(carom_record *record, const carom_common_options *common, void *context,
                         carom_report *report) {
    const settings *values = context;
    const carom_modal_basis *basis = values->basis;
    const double lowest_period = 2.0 * acos(-1.0) / basis->frequency[0];
    const size_t n = (size_t)basis->coordinate_count;
    CAROM_AUTO(carom_contact_motion) motion = NULL;
    CAROM_AUTO(carom_stability) stability = NULL;
    CAROM_AUTO_MEMORY double *memory = malloc(8 * n * sizeof *memory);
    CAROM_TRY(memory == NULL ? CAROM_STATUS_OUT_OF_MEMORY : CAROM_OK);
    CAROM_TRY(carom_contact_motion_alloc(basis, &motion));
    CAROM_TRY(carom_stability_alloc(basis, &stability));
    const analysis a = {
        .values = values,
        .basis = basis,
        .common = common,
        .record = record,
        .report = report,
        .max_period = isnan(values->max_period) ? lowest_period : values->max_period,
        .motion = motion,
        .stability = stability,
        .state = memory,
        .position = memory + 2 * n,
        .velocity = memory + 3 * n,
        .multipliers = memory + 4 * n,
    };
    return analyse(&a);
}

/** The parameters, as the command line sets them. */
static const carom_option options[] = {
    CAROM_REAL_LIST("masses", settings, masses, "kg",
                    "masses of a serial chain, the last faces the obstacle", "positive"),
    CAROM_REAL_LIST("stiffnesses", settings, stiffnesses, "N m-1",
                    "springs of the chain, the first is fixed to the ground", "positive"),
    CAROM_MATRIX("mass-file", settings, mass, "kg", "mass matrix of any structure, one row a line"),
    CAROM_MATRIX("stiffness-file", settings, stiffness, "N m-1", "its stiffness matrix"),
    CAROM_REAL_LIST("contact-normal", settings, contact_normal, "1",
                    "gradient w of its gap w'u + g_0", "any"),
    CAROM_INTEGER("elements", settings, elements, "1",
                  "elements of the bar that is taken if no structure is given", "positive"),
    CAROM_REAL("gap", settings, gap, "m", "gap at rest g_0; negative if the contact is prestressed",
               "any"),
    CAROM_INTEGER("impacts", settings, impacts, "1", "impacts k per period", "positive"),
    CAROM_REAL_LIST("flight-times", settings, flight_times, "s",
                    "solve from this guess: durations of the k flights", "positive"),
    CAROM_REAL_LIST("impact-speeds", settings, impact_speeds, "m s-1",
                    "of the guess: contact speeds before the k impacts; else those that fit best",
                    "not negative"),
    CAROM_REAL("period", settings, period, "s",
               "period of the solution; else that nearest to the guess", "positive"),
    CAROM_INTEGER("grazing-impact", settings, grazing_impact, "1",
                  "impact of the solution without speed, from 1; 0: none", "not negative"),
    CAROM_FLAG("continue", settings, has_branch, "follow the whole branch through the solution"),
    CAROM_INTEGER("search", settings, search, "1",
                  "search motions with k impacts from so many random guesses", "not negative"),
    CAROM_FLAG("keep-unclosed", settings, keep_unclosed,
               "keep certified motions too unstable for events to close a period to 1e-9"),
    CAROM_FLAG("keep-repeats", settings, keep_repeats,
               "keep motions with fewer than k impacts, found as their repetitions"),
    CAROM_FLAG("intervals", settings, has_intervals,
               "find all admissible periods of motions with one impact"),
    CAROM_REAL("max-period", settings, max_period, "s",
               "longest period of search and intervals, else that of the lowest mode, and of an "
               "branch, else none",
               "positive"),
    CAROM_REAL(
        "branch-step", settings, branch_step, "1",
        "longest step of a branch, in mean flight times and on the unit sphere of lambda and gap",
        "[1e-8, inf)"),
    CAROM_INTEGER("samples", settings, samples, "1",
                  "periods sampled between a root and a harmonic, 8 at least", "positive"),
    CAROM_INTEGER("trajectory", settings, trajectory, "1",
                  "instants of the time histories of all solutions; 0: none", "not negative"),
};

/** What was found: motions, and the intervals of periods of those with one impact. */
static const carom_table_column motions[] = {
    {.head = "period", .expression = "period", .digits = 10},
    {.head = "impacts", .expression = "impacts"},
    {.head = "energy", .expression = "energy"},
    {.head = "largest multiplier", .expression = "spectral_radius"},
    {.head = "admissible", .expression = "admissible", .words = "no|yes"},
    {.head = "guesses", .expression = "hits"},
};

#define WORD(code, name, sentence) name "|"
static const carom_table_column intervals[] = {
    {.head = "least period", .expression = "lower", .digits = 10},
    {.head = "largest period", .expression = "upper", .digits = 10},
    {.head = "lower end", .expression = "lower_end", .words = CAROM_BRANCH_END_LIST(WORD)},
    {.head = "upper end", .expression = "upper_end", .words = CAROM_BRANCH_END_LIST(WORD)},
};
#undef WORD

static const carom_table tables[] = {
    {.groups = "/solution /branch", .group_head = "motion", CAROM_COLUMNS(motions)},
    {.groups = "/solutions", CAROM_COLUMNS(motions)},
    {.groups = "/intervals", CAROM_COLUMNS(intervals)},
};

int main(int argc, char **argv) {
    settings v = {
        .elements = 10,
        .gap = 1.0,
        .impacts = 1,
        .period = NAN,
        .max_period = NAN,
        .branch_step = carom_orbit_branch_params_default().max_step,
        .samples = 400,
    };
    const carom_program program = {
        .name = "nonsmooth_modes",
        .title = "Periodic motions of a linear structure with elastic impacts",
        .source = "thorin-2017",
        .schema = "nonsmooth_modes 2",
        .options = CAROM_OPTIONS(options),
        CAROM_TABLES(tables),
    };
    const int status = carom_experiment_main(&program, argc, argv, nonsmooth_modes_check, body, &v);
    carom_modal_basis_free(v.basis);
    return status;
}
