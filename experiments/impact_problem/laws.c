/** The laws: each applied to the problem and written as a group. */
#include "results.h"

#include <carom/base/parallel.h>
#include <carom/impact/contact_modes.h>
#include <carom/impact/impact_inclusion.h>
#include <carom/study/propagative_record.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** Gain of kinetic energy that rounding explains, relative to that before. */
static const double ROUNDING = 1e-9;

void impact_problem_announce(const application *a, const char *format, ...) {
    if (a->study->common->is_quiet) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    printf("impact_problem: ");
    vprintf(format, arguments);
    printf("\n");
    va_end(arguments);
}

bool impact_problem_applies(const carom_impact_problem *problem, int law) {
    if (law == LAW_ALL_SOLUTIONS) {
        return carom_contact_modes_combinations(problem) > 0;
    }
    return law >= CAROM_IMPACT_LAW_COUNT || problem->tangent_count == 1 ||
           !carom_impact_law_of((carom_impact_law_id)law)->is_planar;
}

/** The sampled set, its bounds and its coverage. */
static carom_status apply_sampling(const application *a) {
    CAROM_TRY(carom_impact_study_sample(a->study, a->study_results, a->report));
    CAROM_TRY(carom_impact_study_bounds(a->study, a->study_results, a->report));
    return carom_impact_study_coverage(a->study, a->study_results, a->report);
}

/** The bounds alone: without them the law fails. */
static carom_status apply_bounds(const application *a) {
    CAROM_TRY(carom_impact_bounds_compute(a->study->target.problem, a->values->facets,
                                          a->study->options->impulse_step, NULL,
                                          &a->study_results->bounds, a->report));
    a->study_results->has_bounds = true;
    carom_impact_record_bounds(&a->study->target, &a->study_results->bounds);
    return CAROM_OK;
}

/** The contacts get the restitution that was given; else that of the laws that have one, and none
 * for the others. */
static carom_status restore(const application *a, bool has_restitution) {
    const settings *v = a->values;
    double e[CAROM_PROBLEM_FILE_MOST_CONTACTS];
    for (int i = 0; i < v->file->problem->contact_count; i++) {
        e[i] = has_restitution || v->has_restitution ? v->restitution : 0.0;
    }
    return carom_impact_problem_set_restitution(v->file->problem, e, a->report);
}

/** The parameters of a law from the options. */
static carom_impact_law_params params_of(const application *a, int law) {
    const settings *v = a->values;
    carom_impact_law_params params = carom_impact_study_params(a->study);
    params.takes_one = v->law == CAROM_IMPACT_LAW_ANITESCU_POTRA && v->law == law;
    params.orders = (carom_sequential_orders)v->orders;
    params.tree.most_momenta = v->momenta;
    params.has_rule = v->rule != (int)RULE_ALL;
    params.rule.rule = params.has_rule ? (carom_propagative_rule)v->rule : params.rule.rule;
    params.rule.first = v->first;
    params.rule.seed = a->study->common->seed;
    return params;
}

/** Apply a law without friction to the problem without its friction, and say so. */
static carom_status apply_smooth(const application *a, const carom_impact_law *law,
                                 carom_impact_law_id id, const carom_impact_law_params *params) {
    double none[CAROM_PROBLEM_FILE_MOST_CONTACTS] = {0.0};
    carom_impact_problem smooth = *a->study->target.problem;
    carom_impact_study study = *a->study;
    if (carom_impact_law_lacks(law, &smooth) != NULL) {
        impact_problem_announce(a, "%s: the law has no friction, that of the contacts is left out",
                                law->name);
    }
    smooth.friction = none;
    study.target.problem = &smooth;
    return carom_impact_study_apply(&study, id, params, a->study_results, a->report);
}

/** Say which sequences of reflections are not in the record. */
static void announce_tree(const application *a, const carom_propagative_outcomes *tree) {
    if (tree->sequence_total > tree->sequence_count) {
        impact_problem_announce(a, "propagative: the first %d of %.15g sequences are listed",
                                tree->sequence_count, tree->sequence_total);
    }
    if (tree->count > CAROM_PROPAGATIVE_MOST_WRITTEN) {
        impact_problem_announce(a, "propagative: the first %d of %d outcomes are written",
                                CAROM_PROPAGATIVE_MOST_WRITTEN, tree->count);
    }
}

/** Whether an outcome of Newton and Moreau's law has more energy than v-. */
static void write_gain(const application *a, const carom_impact_result *result) {
    bool gains_energy = false;
    for (int k = 0; k < result->count; k++) {
        gains_energy =
            gains_energy ||
            result->kinetic_energy[k] > (1.0 + ROUNDING) * a->study->target.problem->kinetic_energy;
    }
    if (gains_energy) {
        impact_problem_announce(
            a, "newton_moreau: the kinetic energy rises, as this law permits with friction");
    }
    carom_record_integer(a->study->target.record, "/newton_moreau/gains_energy",
                         gains_energy ? 1 : 0, "1",
                         "1: an outcome has more kinetic energy than before");
}

/** Length for which random shares hold on average, as a part of the step of the sampling. */
static const double SHARE_LENGTH = 0.25;

/** Ends of random paths, [count] rows each. */
typedef struct path_ends {
    const application *a;
    double *velocity;       /**< [count][n] */
    double *speed;          /**< [count][r] */
    double *kinetic_energy; /**< [count] */
    double *impulse;        /**< [count] s */
    int *segments;          /**< [count] */
    int *finished;          /**< [count] */
} path_ends;

/** Follow one random path and keep its end. */
static carom_status follow(int item, void *context, carom_report *report) {
    path_ends *ends = context;
    const application *a = ends->a;
    const carom_impact_problem *p = a->study->target.problem;
    carom_inclusion_random shares = {
        .contact_count = p->contact_count,
        .seed = a->study->common->seed,
        .sample = (unsigned long)item,
        .mean_length = SHARE_LENGTH * a->study->options->impulse_step,
    };
    carom_planar_inclusion_params params = carom_planar_inclusion_params_default();
    params.policy = carom_inclusion_policy_random;
    params.context = &shares;
    CAROM_AUTO(carom_planar_inclusion_path) path = NULL;
    CAROM_TRY(carom_planar_inclusion_run(p, &params, &path, report));
    const size_t n = (size_t)p->coordinate_count;
    const size_t r = (size_t)p->row_count;
    const size_t i = (size_t)item;
    const size_t last = (size_t)path->segment_count;
    memcpy(ends->velocity + i * n, path->velocity, n * sizeof(double));
    memcpy(ends->speed + i * r, path->speed + last * r, r * sizeof(double));
    ends->kinetic_energy[i] = path->kinetic_energy[last];
    ends->impulse[i] = path->s[last];
    ends->segments[i] = path->segment_count;
    ends->finished[i] = path->is_finished ? 1 : 0;
    return CAROM_OK;
}

static carom_status write_ends(const path_ends *ends, int count) {
    const carom_impact_record *target = &ends->a->study->target;
    const carom_impact_quantity velocity = {"velocity", "at the end of the path", "m s-1"};
    carom_record group = carom_record_group(target->record, "/inclusion/random");
    carom_record_index_axis(&group, "path", count, "path of random shares");
    carom_record_series(&group, "final_velocity", ends->velocity, "path", "/coordinate", "m s-1",
                        "velocity at the end of the path");
    const carom_column columns[] = {
        {"kinetic_energy", ends->kinetic_energy, "J", "kinetic energy at the end of the path"},
        {"impulse", ends->impulse, "N s", "sum s of the normal impulses"},
    };
    carom_record_columns(&group, "path", NULL, columns, 2);
    carom_record_integer_series(&group, "segments", ends->segments, "path", NULL, "1",
                                "straight segments of the path");
    carom_record_integer_series(&group, "finished", ends->finished, "path", NULL, "1",
                                "1: no contact is colliding at the end of the path");
    return carom_impact_record_rows(target, &group, "path", count, ends->speed, &velocity);
}

/** Where random paths of the inclusion end: /inclusion/random. */
static carom_status write_random(const application *a) {
    const carom_impact_problem *p = a->study->target.problem;
    const size_t count = (size_t)a->values->paths;
    const size_t n = (size_t)p->coordinate_count;
    const size_t r = (size_t)p->row_count;
    CAROM_AUTO_MEMORY double *reals = calloc(count * (n + r + 2), sizeof *reals);
    CAROM_AUTO_MEMORY int *integers = calloc(count * 2, sizeof *integers);
    if (reals == NULL || integers == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    path_ends ends = {
        .a = a,
        .velocity = reals,
        .speed = reals + count * n,
        .kinetic_energy = reals + count * (n + r),
        .impulse = reals + count * (n + r + 1),
        .segments = integers,
        .finished = integers + count,
    };
    CAROM_TRY(
        carom_parallel_map(a->values->paths, a->study->common->threads, follow, &ends, a->report));
    return write_ends(&ends, a->values->paths);
}

carom_status impact_problem_apply(const application *a, int choice) {
    if (choice == LAW_BOUNDS) {
        CAROM_TRY(restore(a, false));
        return apply_bounds(a);
    }
    const carom_impact_law_id id =
        choice == LAW_ALL_SOLUTIONS ? CAROM_IMPACT_LAW_ANITESCU_POTRA : (carom_impact_law_id)choice;
    const carom_impact_law *law = carom_impact_law_of(id);
    const carom_impact_law_params params = params_of(a, choice);
    CAROM_TRY(restore(a, law->has_restitution));
    if (id == CAROM_IMPACT_LAW_SAMPLING) {
        return apply_sampling(a);
    }
    CAROM_TRY(law->has_friction
                  ? carom_impact_study_apply(a->study, id, &params, a->study_results, a->report)
                  : apply_smooth(a, law, id, &params));
    const carom_impact_result *result = a->study_results->results[id];
    if (result->tree != NULL) {
        announce_tree(a, result->tree);
    }
    if (id == CAROM_IMPACT_LAW_NEWTON_MOREAU) {
        write_gain(a, result);
        return CAROM_OK;
    }
    return id == CAROM_IMPACT_LAW_INCLUSION && a->values->paths > 0 ? write_random(a) : CAROM_OK;
}
