#include <carom/impact/propagative_law.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/** Add the outcome of normal impulses [m], tangential ones being zero, once for each of the
 * sequences that lead there. Momenta are merged already. */
static carom_status add_normal(const carom_impact_problem *problem, const double *impulse,
                               double sequences, carom_impact_outcomes *outcomes) {
    const size_t r = (size_t)problem->row_count;
    double *L = calloc(2 * r, sizeof *L);
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
    const carom_status status =
        carom_impact_outcomes_add_solutions(outcomes, problem, L, approach, 0.0, sequences);
    free(L);
    return status;
}

/** What the law reads of the contacts: no friction, and one coefficient of restitution for all. */
static carom_status read_restitution(const carom_impact_problem *problem, double *R,
                                     carom_report *report) {
    CAROM_TRY(carom_impact_require_smooth(problem, "propagative", report));
    *R = problem->restitution[0];
    for (int i = 1; i < problem->contact_count; i++) {
        const double e = problem->restitution[i];
        if (e > *R || e < *R) {
            return carom_report_say(report, CAROM_STATUS_UNSUPPORTED,
                                    "propagative computes impacts with one restitution; contact 0 "
                                    "has %.6g, contact %d has %.6g",
                                    *R, i, e);
        }
    }
    return CAROM_OK;
}

carom_status carom_propagative_law_run(const carom_impact_problem *problem,
                                       const carom_propagative_params *params,
                                       carom_impact_outcomes *outcomes, carom_report *report) {
    CAROM_ASSERT(problem != NULL && params != NULL && outcomes != NULL);
    CAROM_AUTO(carom_propagative_contacts) contacts = NULL;
    CAROM_AUTO(carom_propagative_impact) impact = NULL;
    double restitution = 0.0;
    CAROM_TRY(read_restitution(problem, &restitution, report));
    CAROM_TRY(carom_propagative_contacts_of_problem(problem, &contacts, report));
    CAROM_TRY(carom_propagative_impact_alloc(problem->contact_count,
                                             CAROM_PROPAGATIVE_LAW_MOST_STEPS, &impact));
    CAROM_TRY(carom_propagative_impact_run(contacts, params, restitution, problem->contact_velocity,
                                           problem->kinetic_energy, impact, report));
    return add_normal(problem, impact->impulse, 1, outcomes);
}

/** The plastic impact of all contacts, (11): impulses [m]. */
static carom_status find_plastic(const carom_impact_problem *problem,
                                 const carom_propagative_contacts *contacts, double *impulse) {
    carom_propagative_impact *memory = NULL;
    CAROM_TRY(carom_propagative_impact_alloc(problem->contact_count, 1, &memory));
    const carom_status status = carom_propagative_plastic(
        contacts, CAROM_PROPAGATIVE_HELD, problem->contact_velocity, impulse, memory);
    carom_propagative_impact_free(memory);
    return status;
}

/** All outcomes of the tree, mixed with the plastic impact if R < 1, (17). */
static carom_status add_tree(const carom_impact_problem *problem,
                             const carom_propagative_contacts *contacts, double R,
                             const carom_propagative_outcomes *tree,
                             carom_impact_outcomes *outcomes) {
    const int m = problem->contact_count;
    double *mixed = calloc(2 * (size_t)m, sizeof *mixed);
    if (mixed == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    double *plastic = mixed + m;
    carom_status status = R < 1.0 ? find_plastic(problem, contacts, plastic) : CAROM_OK;
    for (int k = 0; k < tree->count && status == CAROM_OK; k++) {
        for (int i = 0; i < m; i++) {
            mixed[i] = R * tree->impulse[k * m + i] + (1.0 - R) * plastic[i];
        }
        status = add_normal(problem, mixed, tree->sequences[k], outcomes);
    }
    free(mixed);
    return status;
}

carom_status carom_propagative_law_all(const carom_impact_problem *problem,
                                       const carom_propagative_tree_params *params,
                                       carom_impact_outcomes *outcomes, carom_report *report) {
    CAROM_ASSERT(problem != NULL && params != NULL && outcomes != NULL);
    double restitution = 0.0;
    CAROM_TRY(read_restitution(problem, &restitution, report));
    CAROM_AUTO(carom_propagative_contacts) contacts = NULL;
    CAROM_AUTO(carom_propagative_outcomes) tree = NULL;
    CAROM_TRY(carom_propagative_contacts_of_problem(problem, &contacts, report));
    CAROM_TRY(carom_propagative_outcomes_find(contacts, params, problem->contact_velocity,
                                              problem->kinetic_energy, &tree, report));
    return add_tree(problem, contacts, restitution, tree, outcomes);
}
