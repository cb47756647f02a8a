/** The laws: each applied to the problem and written as a group. */
#include "results.h"

#include <carom/impact/anitescu_potra.h>
#include <carom/impact/contact_modes.h>
#include <carom/impact/planar_inclusion.h>
#include <carom/impact/routh_contact.h>
#include <carom/impact/routh_spatial.h>
#include <stdio.h>

bool impact_problem_applies(const carom_impact_problem *problem, impact_law law) {
    const bool is_planar = problem->tangent_count == 1;
    switch (law) {
    case LAW_ANITESCU_POTRA_ALL:
        return is_planar && problem->contact_count <= CAROM_MODES_MOST_UNCAPPED;
    case LAW_INCLUSION:
        return is_planar;
    default:
        return true;
    }
}

const char *impact_problem_group(impact_law law) {
    static const char *const groups[LAW_COUNT] = {"/routh",      "/simultaneous", "/simultaneous",
                                                  "/sequential", "/set",          "/inclusion",
                                                  "/bounds",     "/propagative",  "/newton_moreau"};
    return groups[law];
}

/** Routh's impact of contact i alone. */
static carom_status add_routh(const application *a, int i, carom_impact_outcomes *outcomes) {
    const carom_impact_problem *p = a->study->target.problem;
    return p->tangent_count == 1 ? carom_routh_impact_planar(p, i, outcomes, a->report)
                                 : carom_routh_impact_spatial(p, i, outcomes, a->report);
}

/** Routh's impact of each contact with all others left out: /routh/A and so on. */
static carom_status apply_routh(const application *a) {
    const carom_impact_record *target = &a->study->target;
    const carom_impact_problem *p = target->problem;
    carom_impact_outcomes *outcomes = NULL;
    CAROM_TRY(carom_impact_outcomes_alloc(p, &outcomes));
    carom_status status = CAROM_OK;
    for (int i = 0; i < p->contact_count && status == CAROM_OK; i++) {
        char name[CAROM_IMPACT_NAME_SIZE];
        char group[PATH_SIZE];
        carom_impact_record_name(target, i, name);
        snprintf(group, sizeof group, "/routh/%s", name);
        carom_impact_outcomes_clear(outcomes);
        status = add_routh(a, i, outcomes);
        if (status == CAROM_OK) {
            status = carom_impact_record_outcomes(target, group, outcomes);
        }
    }
    carom_impact_outcomes_free(outcomes);
    return status;
}

/** One solution of Anitescu and Potra's law, or all of them. */
static carom_status apply_simultaneous(const application *a, bool has_all) {
    const carom_impact_problem *p = a->study->target.problem;
    CAROM_TRY(carom_impact_outcomes_alloc(p, &a->findings->simultaneous));
    CAROM_TRY(has_all ? carom_anitescu_potra_all(p, a->findings->simultaneous, a->report)
                      : carom_anitescu_potra_lemke(p, a->values->facets, NULL,
                                                   a->findings->simultaneous, a->report));
    return carom_impact_record_outcomes(&a->study->target, "/simultaneous",
                                        a->findings->simultaneous);
}

/** The name of a sequence that is one of all permutations: its contacts in order. */
static void name_permutation(const carom_impact_record *target,
                             const carom_sequential_impact *sequence, char *group, size_t size) {
    int length = snprintf(group, size, "/sequential/");
    for (int i = 0; i < sequence->contact_count && length < (int)size; i++) {
        char name[CAROM_IMPACT_NAME_SIZE];
        carom_impact_record_name(target, sequence->order[i], name);
        length += snprintf(group + length, size - (size_t)length, "%s%s", i > 0 ? "_" : "", name);
    }
}

/** Sequences in all orders. */
static carom_status apply_permutations(const application *a) {
    carom_sequential_params params = carom_sequential_params_default();
    params.facets = a->values->facets;
    carom_sequential_impacts *impacts = NULL;
    CAROM_TRY(carom_sequential_impacts_run(a->study->target.problem, CAROM_SEQUENTIAL_PERMUTATIONS,
                                           &params, &impacts, a->report));
    carom_status status = CAROM_OK;
    for (int i = 0; i < impacts->count && status == CAROM_OK; i++) {
        // Names of contacts of 16 letters and what lies between them.
        char group[16 + 17 * CAROM_SEQUENTIAL_MOST_CONTACTS];
        name_permutation(&a->study->target, impacts->sequences[i], group, sizeof group);
        status = carom_impact_record_sequence(&a->study->target, group, impacts->sequences[i]);
    }
    carom_sequential_impacts_free(impacts);
    return status;
}

/** The sampled set, its bounds and its coverage. */
static carom_status apply_sampling(const application *a) {
    CAROM_TRY(carom_impact_study_sample(a->study, a->findings, a->report));
    CAROM_TRY(carom_impact_study_bounds(a->study, a->findings, a->report));
    return carom_impact_study_coverage(a->study, a->findings, a->report);
}

/** The bounds alone: without them the law fails. */
static carom_status apply_bounds(const application *a) {
    CAROM_TRY(carom_impact_bounds_compute(a->study->target.problem, a->values->facets,
                                          a->study->options->impulse_step, NULL,
                                          &a->findings->bounds, a->report));
    a->findings->has_bounds = true;
    return carom_impact_record_bounds(&a->study->target, &a->findings->bounds);
}

/** The contacts get the restitution that was given; else that of the laws that have one, and none
 * for the others. */
static carom_status restore(const application *a, impact_law law) {
    const settings *v = a->values;
    const bool has_one = law == LAW_PROPAGATIVE || law == LAW_NEWTON_MOREAU;
    double e[CAROM_PROBLEM_FILE_MOST_CONTACTS];
    for (int i = 0; i < v->file->problem->contact_count; i++) {
        e[i] = has_one || v->has_restitution ? v->restitution : 0.0;
    }
    return carom_impact_problem_set_restitution(v->file->problem, e, a->report);
}

carom_status impact_problem_apply(const application *a, impact_law law) {
    CAROM_TRY(restore(a, law));
    switch (law) {
    case LAW_ROUTH:
        return apply_routh(a);
    case LAW_ANITESCU_POTRA:
        return apply_simultaneous(a, false);
    case LAW_ANITESCU_POTRA_ALL:
        return apply_simultaneous(a, true);
    case LAW_SEQUENTIAL:
        return a->values->orders == (int)CAROM_SEQUENTIAL_PERMUTATIONS
                   ? apply_permutations(a)
                   : carom_impact_study_sequential(a->study, a->findings, a->report);
    case LAW_SAMPLING:
        return apply_sampling(a);
    case LAW_INCLUSION:
        return impact_problem_include(a);
    case LAW_BOUNDS:
        return apply_bounds(a);
    case LAW_PROPAGATIVE:
        return impact_problem_propagate(a);
    case LAW_NEWTON_MOREAU:
        return impact_problem_newton_moreau(a);
    case LAW_COUNT:
        break;
    }
    return CAROM_OK;
}
