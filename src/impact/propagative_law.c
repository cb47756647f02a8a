/*
 * The propagative model as one of the impact laws: all outcomes, whatever the order of the single
 * impacts, or that of a rule. Friction is not part of it, tangential impulses are zero. Below 1 the
 * restitution R of (16) mixes every outcome with the plastic impact of all contacts, (17); with R =
 * 0 that is the only one. The multiplicity of an outcome counts the sequences that lead there, its
 * residual is the fastest approach left beside its speed scale.
 * Source: seghete-2014 (14), (16), (17); R is the weight as in carom_propagative_impact_run.
 */
#include <carom/impact/impact_law.h>
#include <carom/impact/internal.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/** Reflections after which the sequence of a rule is given up. */
enum { MOST_STEPS = 1000000 };

/** Add the outcome of normal impulses [m], tangential ones being zero, once for each of the
 * sequences that lead there. Momenta are merged already. */
static carom_status add_normal(const carom_impact_problem *problem, const double *impulse,
                               double sequences, carom_impact_outcomes *outcomes) {
    const size_t r = (size_t)problem->row_count;
    CAROM_AUTO_MEMORY double *L = calloc(2 * r, sizeof *L);
    if (L == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    double *c = L + r;
    memcpy(L, impulse, (size_t)problem->contact_count * sizeof *L);
    carom_impact_add_impulse(problem, L, problem->contact_velocity, c);
    double approach = 0.0;
    for (int i = 0; i < problem->contact_count; i++) {
        approach = c[i] < 0.0 ? fmax(approach, -c[i] / problem->speed_scale[i]) : approach;
    }
    return carom_impact_outcomes_add_solutions(outcomes, problem, L, approach, 0.0, sequences);
}

/** The plastic impact of all contacts, (11): impulses [m]. */
static carom_status find_plastic(const carom_impact_problem *problem,
                                 const carom_propagative_contacts *contacts, double *impulse) {
    CAROM_AUTO(carom_propagative_impact) memory = NULL;
    CAROM_TRY(carom_propagative_impact_alloc(problem->contact_count, 1, &memory));
    return carom_propagative_plastic(contacts, CAROM_PROPAGATIVE_HELD, problem->contact_velocity,
                                     impulse, memory);
}

/** All outcomes of the tree, mixed with the plastic impact if R < 1, (17). */
static carom_status add_tree(const carom_impact_problem *problem,
                             const carom_propagative_contacts *contacts, double R,
                             const carom_propagative_outcomes *tree,
                             carom_impact_outcomes *outcomes) {
    const int m = problem->contact_count;
    CAROM_AUTO_MEMORY double *mixed = calloc(2 * (size_t)m, sizeof *mixed);
    if (mixed == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    double *plastic = mixed + m;
    CAROM_TRY(R < 1.0 ? find_plastic(problem, contacts, plastic) : CAROM_OK);
    for (int k = 0; k < tree->count; k++) {
        for (int i = 0; i < m; i++) {
            mixed[i] = R * tree->impulse[k * m + i] + (1.0 - R) * plastic[i];
        }
        CAROM_TRY(add_normal(problem, mixed, tree->sequences[k], outcomes));
    }
    return CAROM_OK;
}

/** The contacts, without friction and of one restitution. */
static carom_status start(const carom_impact_problem *problem, carom_impact_result *result,
                          double *R, carom_report *report) {
    CAROM_TRY(carom_impact_require_smooth(problem, "propagative", report));
    CAROM_TRY(carom_impact_require_one_restitution(problem, "propagative", R, report));
    return carom_propagative_contacts_of_problem(problem, &result->contacts, report);
}

/** All sequences. */
static carom_status follow_all(const carom_impact_problem *problem,
                               const carom_propagative_tree_params *params,
                               carom_impact_result *result, carom_report *report) {
    double R = 0.0;
    CAROM_TRY(start(problem, result, &R, report));
    CAROM_TRY(carom_propagative_outcomes_find(result->contacts, params, problem->contact_velocity,
                                              problem->kinetic_energy, &result->tree, report));
    result->cost = result->tree->momentum_count;
    return add_tree(problem, result->contacts, R, result->tree, result->outcomes);
}

/** The sequence of a rule. */
static carom_status follow_one(const carom_impact_problem *problem,
                               const carom_propagative_params *params, carom_impact_result *result,
                               carom_report *report) {
    double R = 0.0;
    CAROM_TRY(start(problem, result, &R, report));
    CAROM_TRY(
        carom_propagative_impact_alloc(problem->contact_count, MOST_STEPS, &result->reflections));
    CAROM_TRY(carom_propagative_impact_run(result->contacts, params, R, problem->contact_velocity,
                                           problem->kinetic_energy, result->reflections, report));
    result->cost = result->reflections->step_count;
    return add_normal(problem, result->reflections->impulse, 1, result->outcomes);
}

static carom_status run_law(const carom_impact_problem *problem,
                            const carom_impact_law_params *params, carom_impact_result *result,
                            carom_report *report) {
    return params->has_rule ? follow_one(problem, &params->rule, result, report)
                            : follow_all(problem, &params->tree, result, report);
}

const carom_impact_law carom_impact_law_propagative = {
    .name = "propagative",
    .title = "reflections of the momentum across one contact after the other",
    .cost = "distinct momenta that reflections lead to",
    .has_restitution = true,
    .run = run_law,
};
