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

#include <carom/drawing/models.h>
#include <carom/models/clamped_bar.h>
#include <carom/models/serial_chain.h>
#include <carom/modes/few_impacts_internal.h>
#include <carom/program/memory.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- the structure, and what options must not combine ----------------------------------------- */

bool nonsmooth_modes_is_picture(const settings *values) {
    return values->flight_times.count == 0 && values->search == 0 && !values->has_intervals;
}

/** What does not go together. */
typedef struct conflict {
    bool is_there;
    const char *what;
} conflict;

/** Refuse the first conflict. */
static carom_status refuse(const conflict *conflicts, int count, carom_report *report) {
    for (int i = 0; i < count; i++) {
        if (conflicts[i].is_there) {
            return carom_report_fail(report, CAROM_STATUS_CONFLICT, conflicts[i].what, (double)NAN,
                                     -1);
        }
    }
    return CAROM_OK;
}

/** Refuse a structure that is given twice or by halves. */
static carom_status check_structure(const settings *v, carom_report *report) {
    const bool is_chain = v->masses.count > 0 || v->stiffnesses.count > 0;
    const bool is_general =
        v->mass.size > 0 || v->stiffness.size > 0 || v->contact_normal.count > 0;
    const conflict conflicts[] = {
        {is_chain && is_general, "a chain (--masses, --stiffnesses) together with matrix files"},
        {is_chain && v->masses.count == 0, "--stiffnesses without --masses"},
        {is_chain && v->stiffnesses.count == 0, "--masses without --stiffnesses"},
        {is_general && v->mass.size == 0, "a structure without --mass-file"},
        {is_general && v->stiffness.size == 0, "a structure without --stiffness-file"},
        {is_general && v->contact_normal.count == 0, "a structure without --contact-normal"},
    };
    CAROM_TRY(refuse(conflicts, COUNT(conflicts), report));
    if (v->masses.count != v->stiffnesses.count) {
        return carom_report_say(report, CAROM_STATUS_CONFLICT,
                                "the number of --stiffnesses is %d, that of --masses %d",
                                v->stiffnesses.count, v->masses.count);
    }
    if (v->mass.size != v->stiffness.size) {
        return carom_report_say(report, CAROM_STATUS_CONFLICT,
                                "the rows of --stiffness-file are %d, those of --mass-file %d",
                                v->stiffness.size, v->mass.size);
    }
    if (v->contact_normal.count != v->mass.size) {
        return carom_report_say(report, CAROM_STATUS_CONFLICT,
                                "the number of --contact-normal is %d, --mass-file has %d rows",
                                v->contact_normal.count, v->mass.size);
    }
    return CAROM_OK;
}

/** Refuse options about one solution where none is given, or that exclude each other. */
static carom_status check_solution(const settings *v, carom_report *report) {
    const bool has_guess = v->flight_times.count > 0;
    const conflict conflicts[] = {
        {!has_guess && v->impact_speeds.count > 0, "--impact-speeds without --flight-times"},
        {!has_guess && !isnan(v->period), "--period without --flight-times"},
        {!has_guess && v->grazing_impact > 0, "--grazing-impact without --flight-times"},
        {!has_guess && v->has_branch, "--continue without --flight-times"},
        {v->grazing_impact > 0 && !isnan(v->period), "--grazing-impact together with --period"},
    };
    CAROM_TRY(refuse(conflicts, COUNT(conflicts), report));
    if (has_guess && v->flight_times.count != v->impacts) {
        return carom_report_say(report, CAROM_STATUS_CONFLICT,
                                "the number of --flight-times is %d, --impacts %d",
                                v->flight_times.count, v->impacts);
    }
    if (v->impact_speeds.count > 0 && v->impact_speeds.count != v->impacts) {
        return carom_report_say(report, CAROM_STATUS_CONFLICT,
                                "the number of --impact-speeds is %d, --impacts %d",
                                v->impact_speeds.count, v->impacts);
    }
    if (v->grazing_impact > v->impacts) {
        return carom_report_bound(report, "grazing impact", v->grazing_impact,
                                  "up to --impacts =", v->impacts);
    }
    if (v->trajectory == 1) {
        return carom_report_refuse(report, "trajectory", v->trajectory, -1, "0 or at least 2");
    }
    return CAROM_OK;
}

/** Largest size of the time histories of a record. */
static const double MOST_HISTORY_BYTES = 0x1p30;

/** Refuse time histories that memory may not hold, counting every guess as a motion. */
static carom_status check_histories(const settings *v, const carom_modal_basis *basis,
                                    carom_report *report) {
    const double motions = nonsmooth_modes_is_picture(v) ? 2.0 * NONSMOOTH_MODES_PICTURE_GUESSES
                                                         : fmax(1.0, v->search);
    const double row = (1.0 + 2.0 * basis->coordinate_count) * (double)sizeof(double);
    const double bytes = motions * v->trajectory * row;
    if (bytes > MOST_HISTORY_BYTES) {
        return carom_report_bound(report, "trajectory", v->trajectory,
                                  "1 GiB for all motions that may be found, up to",
                                  floor(MOST_HISTORY_BYTES / (motions * row)));
    }
    return CAROM_OK;
}

/** Refuse more periods than can be gone through. */
static carom_status check_harmonics(const settings *v, const carom_modal_basis *basis,
                                    carom_report *report) {
    const bool is_picture = nonsmooth_modes_is_picture(v);
    if (isnan(v->max_period) || !(v->has_intervals || is_picture)) {
        return CAROM_OK;
    }
    const double windows = is_picture ? NONSMOOTH_MODES_WINDOWS : 1.0;
    const double most = CAROM_PERIOD_INTERVALS_MOST_HARMONICS;
    if (!(carom_single_impact_harmonics(basis, windows * v->max_period) <= most)) {
        double rate = 0.0;
        for (int l = 0; l < basis->visible_count; l++) {
            rate += windows * basis->frequency[l] / (2.0 * acos(-1.0));
        }
        return carom_report_bound(report, "max period", v->max_period, "up to a million harmonics,",
                                  most / rate);
    }
    return CAROM_OK;
}

/** Refuse a gap at rest of zero where the theory needs its sign. */
static carom_status check_gap(const settings *v, carom_report *report) {
    const bool needs_gap = v->has_intervals || v->has_branch || nonsmooth_modes_is_picture(v);
    if (needs_gap && fpclassify(v->gap) == FP_ZERO) {
        return carom_report_refuse(report, "gap", v->gap, -1, "not 0");
    }
    return CAROM_OK;
}

/** A structure from matrices. */
static carom_status make_general(const settings *v, carom_linear_system **out) {
    const size_t n = (size_t)v->mass.size;
    CAROM_TRY(carom_linear_system_alloc(v->mass.size, out));
    memcpy((*out)->mass, v->mass.values, n * n * sizeof(double));
    memcpy((*out)->stiffness, v->stiffness.values, n * n * sizeof(double));
    memcpy((*out)->contact_normal, v->contact_normal.values, n * sizeof(double));
    (*out)->gap_at_rest = v->gap;
    return CAROM_OK;
}

/** Bytes for each place in the matrices of the bar: mass, stiffness, modes, and two of their work.
 */
#define ENTRY_SIZE (5.0 * sizeof(double))

/** The structure that was asked for. */
static carom_status make_system(const settings *v, carom_linear_system **out,
                                carom_report *report) {
    if (v->masses.count > 0) {
        return carom_serial_chain_alloc(v->masses.count, v->masses.values, v->stiffnesses.values,
                                        v->gap, out, report);
    }
    if (v->mass.size > 0) {
        return make_general(v, out);
    }
    const double n = v->elements;
    CAROM_TRY(carom_memory_check(n * n, ENTRY_SIZE, "entries of the matrices", report));
    carom_clamped_bar_params bar = carom_clamped_bar_params_default();
    bar.elements = v->elements;
    bar.gap_at_rest = v->gap;
    return carom_clamped_bar_alloc(&bar, out, report);
}

/** Refuse options that do not fit together; make the structure and its modes in the settings. */
static carom_status check(void *context, carom_report *report) {
    settings *values = context;
    CAROM_TRY(check_structure(values, report));
    CAROM_TRY(check_solution(values, report));
    CAROM_TRY(check_gap(values, report));
    CAROM_AUTO(carom_linear_system) system = NULL;
    CAROM_TRY(make_system(values, &system, report));
    CAROM_TRY(carom_modal_basis_compute(system, &values->basis, report));
    CAROM_TRY(check_harmonics(values, values->basis, report));
    return check_histories(values, values->basis, report);
}

/** Write /structure: frequencies and participations, and the axes that all groups share. */
static void write_structure(const analysis *a) {
    const int n = a->basis->coordinate_count;
    carom_record_index_axis(a->record, "/coordinate", n, "coordinate of the structure");
    carom_record_index_axis(a->record, "/part", 2, "real and imaginary part");
    carom_record_index_axis(a->record, "/end", 2, "lower and upper end");
    if (n > 1) {
        carom_record_index_axis(a->record, "/multiplier", 2 * n - 2,
                                "multiplier of the return map");
    }
    carom_record_index_axis(a->record, "/structure/mode", n,
                            "linear mode; those that do not move the contact come last");
    carom_record_series(a->record, "/structure/frequency", a->basis->frequency, "/structure/mode",
                        NULL, "rad s-1", "natural frequency omega");
    carom_record_series(a->record, "/structure/participation", a->basis->participation,
                        "/structure/mode", NULL, "1", "participation rho in the contact");
    const double G = a->basis->root_inverse_mass * a->basis->root_inverse_mass;
    carom_record_scalar(a->record, "/structure/inverse_mass", G, "kg-1",
                        "inverse mass G of the contact");
    carom_record_scalar(a->record, "/structure/max_period", a->max_period, "s",
                        "longest period looked at");
}

/** What the motion is drawn with, where its history is recorded. */
static carom_status write_geometry(const analysis *a) {
    CAROM_AUTO(carom_linear_system) system = NULL;
    if (a->values->trajectory == 0) {
        return CAROM_OK;
    }
    CAROM_TRY(make_system(a->values, &system, a->report));
    return carom_geometry_record_linear_system(a->record, system);
}

/* --- the analyses ----------------------------------------------------------------------------- */

/** The default analysis: the branch in each interval, and motions with two and three impacts. */
static carom_status draw_picture(const analysis *a, const carom_period_intervals *intervals) {
    enum { GUESSES = NONSMOOTH_MODES_PICTURE_GUESSES };
    CAROM_AUTO(carom_orbit_list) two = NULL;
    CAROM_AUTO(carom_orbit_list) three = NULL;
    CAROM_TRY(nonsmooth_modes_follow_intervals(a, intervals));
    CAROM_TRY(nonsmooth_modes_search(a, 2, GUESSES, &two));
    CAROM_TRY(nonsmooth_modes_search(a, 3, GUESSES, &three));
    CAROM_TRY(nonsmooth_modes_write_found(a, (carom_orbit_list *[]){two, three}, 2));
    return nonsmooth_modes_write_density(a);
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
    write_structure(a);
    if (has_intervals || v->has_branch) {
        nonsmooth_modes_write_ends(a);
    }
    if (v->flight_times.count > 0) {
        CAROM_TRY(write_geometry(a));
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
    CAROM_AUTO_MEMORY double *memory = malloc(6 * n * sizeof *memory);
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
        .multipliers = memory + 2 * n,
    };
    return analyse(&a);
}

/* --- the program ------------------------------------------------------------------------------ */

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
    const int status = carom_experiment_main(&program, argc, argv, check, body, &v);
    carom_modal_basis_free(v.basis);
    return status;
}
