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
#include <carom/study/collisionless_record.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static carom_status check(void *context, carom_report *report) {
    return collisionless_check(context, report);
}

/** Parts of the box of impact times that progress is counted in. */
enum { PROGRESS_PARTS = 10000 };

/** Progress of a search, and the part of the box that it was told of so far. */
typedef struct progress_told {
    carom_progress *progress;
    long parts;
} progress_told;

/** Pass on what was settled since the last time. */
static void advance(double share, void *context) {
    progress_told *told = context;
    const long parts = (long)(share * PROGRESS_PARTS);
    carom_progress_add(told->progress, parts - told->parts);
    told->parts = parts;
}

/** All roots of the box. */
static carom_status find_roots(const analysis *a, carom_root_list **out) {
    const settings *v = a->values;
    progress_told told = {
        .progress = carom_progress_start("roots", PROGRESS_PARTS, "parts", a->common->is_quiet)};
    const carom_root_search_params params = {
        .min_time = v->min_time,
        .max_time = v->max_time,
        .min_constrained_time = v->min_constrained_time,
        .max_constrained_time = v->max_constrained_time,
        .max_boxes = v->max_boxes,
        .use_subdivision = v->use_subdivision,
        .progress = advance,
        .context = &told,
    };
    const carom_status status = carom_impact_roots_find(v->modes->spectra, &params, out, a->report);
    carom_progress_finish(told.progress);
    return status;
}

/** Verdicts on all roots, each for itself. */
typedef struct judgement {
    const analysis *a;
    carom_collisionless_realizability *realizabilities; /**< [roots->count] */
    carom_progress *progress;
} judgement;

static carom_status judge_one(int item, void *context, carom_report *report) {
    const judgement *j = context;
    carom_progress_add(j->progress, 1);
    return carom_collisionless_record_judge(&j->a->writer, &j->a->roots->roots[item],
                                            &j->realizabilities[item], report);
}

/** Whether the motion of each root is one of a body. */
static carom_status judge(const analysis *a, carom_collisionless_realizability *realizabilities) {
    const int count = a->roots->count;
    judgement j = {
        .a = a,
        .realizabilities = realizabilities,
        .progress = carom_progress_start("verdicts", count, "roots", a->common->is_quiet),
    };
    const carom_status status =
        carom_parallel_map(count, a->common->threads, judge_one, &j, a->report);
    carom_progress_finish(j.progress);
    return status;
}

/** Everything about the roots: the list, the motions, one of them followed, the curves. */
static carom_status write_results(const analysis *a) {
    CAROM_TRY(collisionless_write_system(a));
    CAROM_TRY(collisionless_write_motions(a));
    CAROM_TRY(collisionless_simulate(a));
    if (a->values->has_curves || a->values->is_picture) {
        CAROM_TRY(collisionless_write_curves(a));
    }
    if (!a->values->is_picture) {
        return CAROM_OK;
    }
    if (!collisionless_has_fine_grid(a->values)) {
        fputs("collisionless: the box of impact times is too large for the curves of the two "
              "determinants, their crossings are not looked for\n",
              stderr);
        return CAROM_OK;
    }
    return collisionless_write_crossings(a);
}

/** Find, judge, write, and say what was found. */
static carom_status analyse(analysis *a) {
    carom_root_list *roots = NULL;
    CAROM_TRY(find_roots(a, &roots));
    carom_collisionless_realizability *realizabilities =
        malloc(((size_t)roots->count + 1) * sizeof *realizabilities);
    a->roots = roots;
    a->realizabilities = realizabilities;
    carom_status status =
        realizabilities == NULL ? CAROM_STATUS_OUT_OF_MEMORY : judge(a, realizabilities);
    if (status == CAROM_OK) {
        status = write_results(a);
    }
    if (status == CAROM_OK && !a->common->is_quiet) {
        collisionless_print(a);
    }
    free(realizabilities);
    carom_root_list_free(roots);
    return status;
}

static carom_status body(carom_record *record, const carom_common_options *common, void *context,
                         carom_report *report) {
    const settings *values = context;
    const bool has_level = !isnan(values->contact_level);
    const bool has_force = !isnan(values->static_force);
    analysis a = {
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
    return analyse(&a);
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
