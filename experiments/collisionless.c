/**
 * collisionless: all collisionless motions of any linear system with one impacting coordinate
 * (pankov-2024), in a box of the two impact times.
 *
 *     m x'' + k x = e_N F_N,   F_N = 0 or x_N = x_N^0,   no velocity and no acceleration of the
 *                                                        contact at the impact
 *
 * A system is a pair of matrix files, or a pair of spectra, which a system of equal masses then
 * has; or, if neither is given, a chain of two unit masses and two unit springs that hangs from a
 * ceiling, its lower mass above a floor, 1 m below its place at rest. It is not in the paper: both
 * of its unconstrained modes oscillate, so that roots are found by subdivision, and of its roots
 * some are motions of a body and some are not. For it the crossings of the paper's two curves are
 * recorded as well; what the paper says is asked of them in data/published/collisionless.csv.
 */
#include "collisionless/results.h"

#include <carom/base/parallel.h>
#include <carom/drawing/models.h>
#include <carom/study/collisionless_record.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/** Number of entries of an array. */
#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/** What one analysis needs. */
typedef struct analysis {
    const settings *values;
    const carom_common_options *common;
    carom_record *record;
    carom_report *report;
    carom_collisionless_record writer; /**< of the motions of values->modes */
    carom_root_list *roots;
    carom_collisionless_realizability *realizabilities; /**< [roots->count] */
} analysis;

static void analysis_clear(analysis *a) {
    free(a->realizabilities);
    carom_root_list_free(a->roots);
}

/* --- roots ------------------------------------------------------------------------------------ */

/** Parts of the box of impact times that progress is counted in. */
enum { PROGRESS_PARTS = 10000 };

/** Pass on what share is settled. */
static void advance(double share, void *progress) {
    carom_progress_reach(progress, (long)(share * PROGRESS_PARTS));
}

/** All roots of the box. */
static carom_status find_roots(analysis *a) {
    const settings *v = a->values;
    carom_progress *progress =
        carom_progress_start("roots", PROGRESS_PARTS, "parts", a->common->is_quiet);
    const carom_root_search_params params = {
        .min_time = v->min_time,
        .max_time = v->max_time,
        .min_constrained_time = v->min_constrained_time,
        .max_constrained_time = v->max_constrained_time,
        .max_boxes = v->max_boxes,
        .use_subdivision = v->use_subdivision,
        .progress = advance,
        .context = progress,
    };
    const carom_status status =
        carom_impact_roots_find(v->modes->spectra, &params, &a->roots, a->report);
    carom_progress_finish(progress);
    return status;
}

/** Verdicts on all roots, each for itself. */
typedef struct judgement {
    const analysis *a;
    carom_progress *progress;
} judgement;

static carom_status judge_one(int item, void *context, carom_report *report) {
    const judgement *j = context;
    carom_progress_add(j->progress, 1);
    return carom_collisionless_record_judge(&j->a->writer, &j->a->roots->roots[item],
                                            &j->a->realizabilities[item], report);
}

/** Whether the motion of each root is one of a body. */
static carom_status judge(analysis *a) {
    const int count = a->roots->count;
    a->realizabilities = malloc(((size_t)count + 1) * sizeof *a->realizabilities);
    if (a->realizabilities == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    judgement j = {
        .a = a,
        .progress = carom_progress_start("verdicts", count, "roots", a->common->is_quiet),
    };
    const carom_status status =
        carom_parallel_map(a->common->workers, count, judge_one, &j,
                           CAROM_PARALLEL_ROWS(a->realizabilities, count), a->report);
    carom_progress_finish(j.progress);
    return status;
}

/* --- the record ------------------------------------------------------------------------------- */

/** Draw the system as masses in a row, the contact's before an obstacle: below the record, and of a
 * root that has the obstacle elsewhere below its own group. */
static carom_status write_geometry(const analysis *a, const carom_impact_root *root, bool is_first,
                                   carom_linear_system *drawn, carom_record *group) {
    CAROM_AUTO(carom_collisionless_motion) motion = NULL;
    CAROM_TRY(carom_collisionless_record_motion(&a->writer, root, &motion, a->report));
    // counted from where the contact closes if there is no equilibrium without it
    const double level = isnan(motion->contact_level) ? 0.0 : motion->contact_level;
    double *sign = &drawn->contact_normal[drawn->coordinate_count - 1];
    const double before[2] = {*sign, drawn->gap_at_rest};
    const double gap = -motion->contact_sign * level;
    if (!is_first && !(fabs(*sign - motion->contact_sign) > 0.0) &&
        !(fabs(drawn->gap_at_rest - gap) > 1e-9 * fabs(gap))) {
        return CAROM_OK;
    }
    *sign = motion->contact_sign;
    drawn->gap_at_rest = gap;
    const carom_status status =
        carom_geometry_record_linear_system(is_first ? a->record : group, drawn);
    *sign = is_first ? *sign : before[0];
    drawn->gap_at_rest = is_first ? gap : before[1];
    return status;
}

/** Write /roots, and /solution_NN for the first ones. */
static carom_status write_motions(const analysis *a) {
    CAROM_TRY(
        carom_collisionless_record_roots(&a->writer, a->roots, a->realizabilities, a->report));
    const int wanted = a->values->max_solutions;
    const int count = a->roots->count < wanted ? a->roots->count : wanted;
    const int n = a->values->modes->coordinate_count;
    CAROM_AUTO_MEMORY double *normal = calloc((size_t)n, sizeof *normal);
    if (normal == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    carom_linear_system drawn = {n, a->values->ordered_mass, a->values->ordered_stiffness, normal,
                                 0.0};
    carom_progress *progress =
        carom_progress_start("motions", count, "motions", a->common->is_quiet);
    carom_status status = CAROM_OK;
    for (int i = 0; i < count && status == CAROM_OK; i++) {
        carom_record group = carom_record_group(a->record, "/solution_%02d", i);
        status =
            carom_collisionless_record_solution(&a->writer, &group, &a->roots->roots[i], a->report);
        status = status == CAROM_OK ? write_geometry(a, &a->roots->roots[i], i == 0, &drawn, &group)
                                    : status;
        if (status != CAROM_OK) {
            carom_report_set_context(a->report, group.group + 1);
        }
        carom_progress_add(progress, 1);
    }
    carom_progress_finish(progress);
    return status;
}

/** Limits within which a motion is followed, so that it is fast and keeps its digits: an unstable
 * mode grows by no more than exp of this in a step of the motion, the fastest mode turns by so many
 * radians in it, and there are so many coordinates. */
static const double LARGEST_GROWTH = 25.0;
static const double LARGEST_PHASE = 2000.0;
enum { MOST_COORDINATES = 64 };

/** Whether a step can be followed in a moment, and keeps digits. */
static bool is_followable(const analysis *a, const carom_impact_root *root) {
    const carom_phase_spectra *s = a->values->modes->spectra;
    const double duration = 2.0 * (root->time + root->constrained_time);
    const double growth = s->unconstrained[0] < 0.0 ? sqrt(-s->unconstrained[0]) : 0.0;
    const double frequency = sqrt(fmax(s->unconstrained[s->mode_count - 1], 0.0));
    return duration * growth <= LARGEST_GROWTH && duration * frequency <= LARGEST_PHASE &&
           a->values->modes->coordinate_count <= MOST_COORDINATES;
}

/** The shortest realizable motion, -1 if there is none that can be followed. */
static int choose(const analysis *a) {
    int chosen = -1;
    double shortest = HUGE_VAL;
    for (int i = 0; i < a->roots->count; i++) {
        const carom_impact_root *root = &a->roots->roots[i];
        const double duration = root->time + root->constrained_time;
        if (a->realizabilities[i].realizable == 1 && duration < shortest &&
            is_followable(a, root)) {
            chosen = i;
            shortest = duration;
        }
    }
    return chosen;
}

/** Why no motion is followed. */
static const char *reason_against(const analysis *a) {
    if (!carom_phase_spectra_has_uniform_parity(a->values->modes->spectra)) {
        return "modes of a phase have different parities, which extend to no period";
    }
    for (int i = 0; i < a->roots->count; i++) {
        if (a->realizabilities[i].realizable == 1) {
            return "a step of every realizable motion is too long or too unstable";
        }
    }
    return "no motion is realizable";
}

/** Follow the shortest realizable motion over a step, from P to the next P. */
static carom_status write_simulation(const analysis *a) {
    enum { INTERVALS = 48 };
    const settings *v = a->values;
    carom_record group = carom_record_group(a->record, "/simulation");
    const bool is_uniform = carom_phase_spectra_has_uniform_parity(v->modes->spectra);
    const int number = is_uniform ? choose(a) : -1;
    if (number < 0) {
        carom_record_string(&group, "reason", reason_against(a), "why no motion was followed");
        return CAROM_OK;
    }
    CAROM_AUTO(carom_collisionless_motion) motion = NULL;
    CAROM_AUTO(carom_motion_simulation) s = NULL;
    CAROM_TRY(carom_collisionless_record_motion(&a->writer, &a->roots->roots[number], &motion,
                                                a->report));
    const carom_status status = carom_collisionless_motion_simulate(
        motion, v->ordered_mass, v->ordered_stiffness, INTERVALS, &s, a->report);
    if (status != CAROM_OK && status != CAROM_STATUS_NOT_CONVERGED) {
        return status;
    }
    carom_record_integer(&group, "solution", number, "1",
                         "number of the root whose motion was followed");
    if (status != CAROM_OK) {
        *a->report = carom_report_empty();
        carom_record_string(&group, "reason", "the events of the motion could not be followed",
                            "why there are no results");
        return CAROM_OK;
    }
    const carom_column columns[] = {
        {"gap", s->gap, a->writer.units.position, "gap"},
        {"force", s->force, a->writer.units.force, "contact force"},
    };
    const carom_measure numbers[] = {
        {"energy_lost", s->energy_lost, "1",
         "energy lost at landings over the largest kinetic energy"},
        {"return_distance", s->return_distance, "1",
         "distance from the state at P after a step, over the motion's"},
    };
    carom_record_integer(&group, "landings", s->landings, "1", "times that the contact closed");
    carom_record_integer(&group, "releases", s->releases, "1",
                         "times that it, or the other foot, opened");
    carom_record_scalars(&group, numbers, COUNT(numbers));
    carom_record_axis(&group, "time", s->count, s->time, "s", "time from P");
    carom_record_columns(&group, "time", NULL, columns, COUNT(columns));
    return CAROM_OK;
}

/** Write /curves: where each of the two determinants vanishes, in the box of impact times; or the
 * reason why there are none. */
static carom_status write_curves(const analysis *a, const carom_impact_phase_window *window) {
    const carom_phase_spectra *spectra = a->values->modes->spectra;
    CAROM_AUTO(carom_determinant_curves) curves = NULL;
    const carom_status status = carom_determinant_curves_trace(spectra, window, &curves, a->report);
    if (status == CAROM_STATUS_SINGULAR) {
        carom_record_string(a->record, "/curves/reason",
                            "an eigenvalue is zero: the matrix of the paper is not defined",
                            "why there are no curves");
        return CAROM_OK;
    }
    CAROM_TRY(status);
    return carom_collisionless_record_curves(a->record, spectra, curves, true);
}

/** The box of impact times as a window of impact phases. */
static carom_impact_phase_window window_of(const settings *v) {
    const carom_root_search_params box = {
        .min_time = v->min_time,
        .max_time = v->max_time,
        .min_constrained_time = v->min_constrained_time,
        .max_constrained_time = v->max_constrained_time,
    };
    return carom_impact_phase_window_of_box(&box, v->modes->spectra);
}

/** Everything about the roots: the list, the motions, one of them followed, the curves and, for the
 * picture, where they cross. */
static carom_status write_results(const analysis *a) {
    const settings *v = a->values;
    const carom_impact_phase_window window = window_of(v);
    CAROM_TRY(collisionless_write_system(v, a->record));
    CAROM_TRY(write_motions(a));
    CAROM_TRY(write_simulation(a));
    if (v->has_curves || v->is_picture) {
        CAROM_TRY(write_curves(a, &window));
    }
    if (v->is_picture && !collisionless_has_fine_grid(v)) {
        fputs("collisionless: the box of impact times is too large for the curves of the two "
              "determinants, their crossings are not looked for\n",
              stderr);
        return CAROM_OK;
    }
    return v->is_picture ? carom_collisionless_record_crossings(a->record, v->modes->spectra,
                                                                &window, a->roots, a->report)
                         : CAROM_OK;
}

/* --- the terminal ----------------------------------------------------------------------------- */

/** Why there is nothing to show. */
static const char *absence_of(const carom_root_list *roots) {
    if (roots->method == CAROM_ROOTS_NONE) {
        return "no mode oscillates in contact, so that there is no collisionless motion";
    }
    return roots->is_complete ? "there is no root in the box of impact times"
                              : "no root was found in the box of impact times";
}

/** The undecided part of the box: how much, and where. */
static void print_undecided(const analysis *a) {
    enum { MOST_REGIONS = 8 }; // shown
    const carom_root_list *roots = a->roots;
    if (roots->boxes >= a->values->max_boxes) {
        printf("collisionless: --max-boxes %d were not enough\n", a->values->max_boxes);
    }
    printf("collisionless: %d parts of the box, %.2g of it, are undecided, there may be further "
           "roots:\n",
           roots->undecided, roots->undecided_share);
    for (int k = 0; k < roots->region_count && k < MOST_REGIONS; k++) {
        const carom_undecided_region *r = &roots->regions[k];
        printf("  tau from %.6g to %.6g s, tau' from %.6g to %.6g s: ", r->time[0], r->time[1],
               r->constrained_time[0], r->constrained_time[1]);
        if (!r->is_searched) {
            puts("not searched");
        } else if (a->roots->method == CAROM_ROOTS_SUBDIVISION) {
            puts("the conditions hold to 1e-6, singular roots or nearly so");
        } else {
            puts("its root was not found");
        }
    }
    if (roots->region_count > MOST_REGIONS) {
        printf("  and %d further regions, which are in the record\n",
               roots->region_count - MOST_REGIONS);
    }
}

/** Why there are no roots, and which are not in the record. */
static void print(const analysis *a) {
    const carom_root_list *roots = a->roots;
    if (roots->count == 0) {
        printf("collisionless: %s\n", absence_of(roots));
    }
    if (roots->count > a->values->max_solutions) {
        printf("collisionless: motions were written for the first %d of %d roots\n",
               a->values->max_solutions, roots->count);
    }
    if (roots->singular > 0) {
        printf("collisionless: singular roots: %d, each to rounding a piece of a curve of which "
               "the middle is listed\n",
               roots->singular);
    }
    if (roots->undecided > 0) {
        print_undecided(a);
    }
}

/* --- the program ------------------------------------------------------------------------------ */

static carom_status check(void *context, carom_report *report) {
    return collisionless_check(context, report);
}

/** Find, judge, write, and say what was found. */
static carom_status body(carom_record *record, const carom_common_options *common, void *context,
                         carom_report *report) {
    const settings *values = context;
    const bool has_level = !isnan(values->contact_level);
    const bool has_force = !isnan(values->static_force);
    CAROM_AUTO_VALUE(analysis)
    a = {
        .values = values,
        .common = common,
        .record = record,
        .report = report,
        .writer =
            {
                .record = record,
                .modes = values->modes,
                .scale = has_level   ? CAROM_MOTION_SCALE_CONTACT_LEVEL
                         : has_force ? CAROM_MOTION_SCALE_STATIC_FORCE
                                     : CAROM_MOTION_SCALE_AMPLITUDE,
                .size = has_level   ? values->contact_level
                        : has_force ? values->static_force
                                    : 1.0,
                .samples = values->samples,
                .units = carom_collisionless_units_default(),
            },
    };
    CAROM_TRY(find_roots(&a));
    CAROM_TRY(judge(&a));
    CAROM_TRY(write_results(&a));
    if (!common->is_quiet) {
        print(&a);
    }
    return CAROM_OK;
}

/** The parameters, as the command line sets them. */
static const carom_option options[] = {
    CAROM_MATRIX("mass-file", settings, mass, "kg", "mass matrix m of any system, one row a line"),
    CAROM_MATRIX("stiffness-file", settings, stiffness, "N m-1",
                 "its stiffness matrix k, of any sign"),
    CAROM_INTEGER("contact-coordinate", settings, contact_coordinate, "1",
                  "coordinate that the contact stops, from 1; 0: the last", "not negative"),
    CAROM_REAL_LIST("spectrum", settings, spectrum, "s-2",
                    "or eigenvalues lambda_1, ..., lambda_N without contact, ascending", "any"),
    CAROM_REAL_LIST("constrained-spectrum", settings, constrained_spectrum, "s-2",
                    "eigenvalues lambda'_1, ..., lambda'_(N-1) in contact, between those", "any"),
    CAROM_REAL("inverse-mass", settings, inverse_mass, "kg-1",
               "entry (N,N) of the inverse mass matrix of a system with these spectra, else 1",
               "positive"),
    CAROM_TEXT("parity", settings, parity,
               "even or odd about P, for all modes or a comma-separated word for each, else even"),
    CAROM_TEXT("constrained-parity", settings, constrained_parity,
               "the same in contact, about P', else odd (the hanging chain: even)"),
    CAROM_REAL("min-time", settings, min_time, "s",
               "least impact time, of both phases, else 0.02 rad of the highest mode", "positive"),
    CAROM_REAL("max-time", settings, max_time, "s",
               "largest impact time, of both phases, else 16 rad and 10 rad", "positive"),
    CAROM_REAL("min-constrained-time", settings, min_constrained_time, "s",
               "least impact time in contact, if another one", "positive"),
    CAROM_REAL("max-constrained-time", settings, max_constrained_time, "s",
               "largest impact time in contact, if another one", "positive"),
    CAROM_REAL("static-force", settings, static_force, "N",
               "force of the contact at rest, which the motions are sized by, else 1", "any"),
    CAROM_REAL("contact-level", settings, contact_level, "m",
               "or place of the contact from the equilibrium without it", "any"),
    CAROM_INTEGER("max-boxes", settings, max_boxes, "1",
                  "most parts of the box that a subdivision examines, or cells", "positive"),
    CAROM_FLAG("subdivision", settings, use_subdivision,
               "subdivide even where each cell is known to hold one root"),
    CAROM_INTEGER("samples", settings, samples, "1",
                  "instants of a motion from P to P', 4 to 100000", "[4, 100000]"),
    CAROM_INTEGER("max-solutions", settings, max_solutions, "1",
                  "most motions written; the list of roots has all", "not negative"),
    CAROM_FLAG("curves", settings, has_curves, "trace the curves of both determinants in the box"),
};

int main(int argc, char **argv) {
    settings v = {
        .inverse_mass = NAN,
        .min_time = NAN,
        .max_time = NAN,
        .min_constrained_time = NAN,
        .max_constrained_time = NAN,
        .static_force = NAN,
        .contact_level = NAN,
        .max_boxes = 1000000,
        .samples = 201,
        .max_solutions = 100,
    };
    const carom_program program = {
        .name = "collisionless",
        .title = "Collisionless motions of a linear system with one impacting coordinate",
        .source = "pankov-2024",
        .schema = "collisionless 1",
        .options = CAROM_OPTIONS(options),
        CAROM_TABLES(carom_collisionless_tables),
    };
    const int status = carom_experiment_main(&program, argc, argv, check, body, &v);
    collisionless_clear(&v);
    return status;
}
