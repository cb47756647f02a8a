/** The laws: each applied to the problem and written as a group. */
#include "results.h"

#include <carom/impact/contact_modes.h>
#include <carom/impact/impact_inclusion.h>
#include <carom/study/propagative_record.h>

#include <stdarg.h>
#include <stdio.h>

/** Gain of kinetic energy that rounding explains, relative to that before. */
static const double ROUNDING = 1e-9;

/** Say what is not an error but should be known, unless --quiet. */
CAROM_PRINTF(2, 3) static void announce(const application *a, const char *format, ...) {
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
    if (!a->study_results->has_bounds) {
        announce(a, "jammed: impulses within the friction cones cancel (Assumption 2 fails), there "
                    "are no bounds");
    }
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
        announce(a, "%s: the law has no friction, that of the contacts is left out", law->name);
    }
    smooth.friction = none;
    study.target.problem = &smooth;
    return carom_impact_study_apply(&study, id, params, a->study_results, a->report);
}

/** Say which sequences of reflections are not in the record. */
static void announce_tree(const application *a, const carom_propagative_outcomes *tree) {
    if (tree->sequence_total > tree->sequence_count) {
        announce(a, "propagative: the first %d of %.15g sequences are listed", tree->sequence_count,
                 tree->sequence_total);
    }
    if (tree->count > CAROM_PROPAGATIVE_MOST_WRITTEN) {
        announce(a, "propagative: the first %d of %d outcomes are written",
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
        announce(a, "newton_moreau: the kinetic energy rises, as this law permits with friction");
    }
    carom_record_integer(a->study->target.record, "/newton_moreau/gains_energy",
                         gains_energy ? 1 : 0, "1",
                         "1: an outcome has more kinetic energy than before");
}

/** Where random paths of the inclusion end: /inclusion/random. */
static carom_status write_random(const application *a) {
    const double share_length = 0.25; // of random shares on average, of the step of the sampling
    const carom_impact_record *target = &a->study->target;
    const carom_inclusion_random shares = {
        .contact_count = target->problem->contact_count,
        .seed = a->study->common->seed,
        .mean_length = share_length * a->study->options->impulse_step,
    };
    CAROM_AUTO(carom_inclusion_ends) ends = NULL;
    CAROM_TRY(carom_inclusion_ends_find(target->problem, &shares, a->values->paths,
                                        a->study->common->workers, &ends, a->report));
    const carom_impact_quantity velocity = {"velocity", "at the end of the path", "m s-1"};
    const carom_column columns[] = {
        {"kinetic_energy", ends->kinetic_energy, "J", "kinetic energy at the end of the path"},
        {"impulse", ends->impulse, "N s", "sum s of the normal impulses"},
    };
    carom_record group = carom_record_group(target->record, "/inclusion/random");
    carom_record_index_axis(&group, "path", ends->count, "path of random shares");
    carom_record_series(&group, "final_velocity", ends->velocity, "path", "/coordinate", "m s-1",
                        "velocity at the end of the path");
    carom_record_columns(&group, "path", NULL, columns, COUNT(columns));
    carom_record_integer_series(&group, "segments", ends->segments, "path", NULL, "1",
                                "straight segments of the path");
    carom_record_integer_series(&group, "finished", ends->finished, "path", NULL, "1",
                                "1: no contact is colliding at the end of the path");
    return carom_impact_record_rows(target, &group, "path", ends->count, ends->speed, &velocity);
}

/** Apply a choice of --law and write its group. */
static carom_status apply_choice(const application *a, int choice) {
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

/** Whether a law has failed by what the problem is (OUT_OF_RANGE: a contact that impulses do not
 * move; CONFLICT: contacts that cannot separate; UNSUPPORTED: restitution), so that others may go
 * on. */
static bool is_of_law(carom_status status) {
    return status == CAROM_STATUS_RAY || status == CAROM_STATUS_NOT_CONVERGED ||
           status == CAROM_STATUS_SINGULAR || status == CAROM_STATUS_OUT_OF_RANGE ||
           status == CAROM_STATUS_CONFLICT || status == CAROM_STATUS_UNSUPPORTED;
}

/** Apply one of several laws: if it fails by its numbers, its group says so. */
static carom_status apply_one_of_many(const application *a, carom_impact_law_id law) {
    const carom_status status = apply_choice(a, law);
    if (!is_of_law(status)) {
        return status;
    }
    char reason[3 * PATH_SIZE];
    const char *group = carom_impact_study_group(law);
    const char *quantity = a->report->quantity;
    const char *sentence = a->report->sentence;
    snprintf(reason, sizeof reason, "%s%s%s",
             sentence[0] != '\0' ? sentence : carom_status_sentence(status),
             quantity != NULL ? ": " : "", quantity != NULL ? quantity : "");
    announce(a, "%s: %s", group, reason);
    *a->report = carom_report_empty();
    carom_record to = carom_record_group(a->study->target.record, "%s", group);
    carom_record_string(&to, "failure", reason, "why the law has no outcome");
    return CAROM_OK;
}

/** Apply all laws that the problem admits, but the one that follows contacts in time. */
static carom_status apply_all(const application *a) {
    for (int law = 0; law < CAROM_IMPACT_LAW_COUNT; law++) {
        if (law != CAROM_IMPACT_LAW_COMPLIANT &&
            impact_problem_applies(a->study->target.problem, law)) {
            CAROM_TRY(apply_one_of_many(a, (carom_impact_law_id)law));
        }
    }
    return CAROM_OK;
}

/** Write the problem, apply the selected laws, and say where no contact collides. */
carom_status impact_problem_apply(const application *a) {
    const carom_impact_record *target = &a->study->target;
    const carom_impact_problem *p = target->problem;
    CAROM_TRY(carom_impact_record_before(target));
    carom_impact_record_problem(target);
    if (!carom_impact_is_colliding(p, p->contact_velocity)) {
        announce(a, "no contact is colliding: the velocity stays as it is");
    }
    return a->values->law == LAW_ALL_THAT_APPLY ? apply_all(a) : apply_choice(a, a->values->law);
}
