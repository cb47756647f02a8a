#include <carom/impact/anitescu_potra.h>
#include <carom/impact/contact_modes.h>
#include <carom/impact/impulse_increment.h>
#include <carom/impact/internal.h>
#include <carom/lcp/lcp.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/** v- itself, with no impulse. */
static carom_status add_unchanged(const carom_impact_problem *problem,
                                  carom_impact_outcomes *outcomes) {
    CAROM_AUTO_MEMORY double *L = calloc((size_t)problem->row_count, sizeof(double));
    if (L == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    return carom_impact_outcomes_add(outcomes, problem, L, 0.0, 0.0);
}

/** Pose the problem, solve it, and add its outcome. */
static carom_status solve(const carom_impact_problem *problem, const double *covering,
                          carom_cone_complementarity *cones, carom_lcp_workspace *lemke,
                          double *memory, carom_impact_outcomes *outcomes, carom_report *report) {
    const int size = cones->size;
    double *q = memory;
    double *z = q + size;
    double *L = z + size;
    double *unit_free = L + problem->row_count;
    carom_cone_complementarity_constant(cones, problem->contact_velocity, q);
    carom_cone_complementarity_covering(cones, 0.0, unit_free);
    carom_lcp_report lcp;
    const carom_status status = carom_lcp_solve_lemke_covering(
        size, cones->matrix, q, covering != NULL ? covering : unit_free, z, lemke, &lcp);
    if (status != CAROM_OK) {
        return carom_report_fail(report, status, "impulse of the simultaneous impact", (double)NAN,
                                 -1);
    }
    carom_cone_complementarity_impulse(cones, z, L);
    return carom_impact_outcomes_add(outcomes, problem, L, lcp.relative, CAROM_IMPACT_MERGING);
}

carom_status carom_anitescu_potra_lemke(const carom_impact_problem *problem, int facets,
                                        const double *covering, carom_impact_outcomes *outcomes,
                                        carom_report *report) {
    CAROM_ASSERT(problem != NULL && outcomes != NULL);
    CAROM_TRY(carom_impact_require_inelastic(problem, "anitescu_potra", report));
    CAROM_AUTO(carom_cone_complementarity) cones = NULL;
    CAROM_TRY(carom_cone_complementarity_alloc(problem, facets, false, &cones, report));
    if (!carom_impact_is_colliding(problem, problem->contact_velocity)) {
        return add_unchanged(problem, outcomes);
    }
    CAROM_AUTO(carom_lcp_workspace) lemke = NULL;
    CAROM_TRY(carom_lcp_workspace_alloc(cones->size, &lemke));
    CAROM_AUTO_MEMORY double *memory =
        calloc(3 * (size_t)cones->size + (size_t)problem->row_count, sizeof(double));
    if (memory == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    return solve(problem, covering, cones, lemke, memory, outcomes, report);
}

/** Add every solution of the enumeration. */
static carom_status add_solutions(const carom_impact_problem *problem,
                                  const carom_contact_modes *modes,
                                  carom_contact_mode_solutions *solutions,
                                  carom_impact_outcomes *outcomes, carom_report *report) {
    CAROM_TRY(carom_contact_modes_solve(modes, problem->contact_velocity, NULL, solutions));
    if (solutions->count == 0) {
        return carom_report_fail(report, CAROM_STATUS_NOT_CONVERGED,
                                 "impulse of the simultaneous impact (no mode holds)", (double)NAN,
                                 -1);
    }
    for (int k = 0; k < solutions->count; k++) {
        CAROM_TRY(carom_impact_outcomes_add_solutions(
            outcomes, problem, solutions->impulse + k * problem->row_count, solutions->residual[k],
            CAROM_IMPACT_MERGING, solutions->multiplicity[k]));
    }
    return CAROM_OK;
}

carom_status carom_anitescu_potra_all(const carom_impact_problem *problem,
                                      carom_impact_outcomes *outcomes, carom_report *report) {
    CAROM_ASSERT(problem != NULL && outcomes != NULL);
    CAROM_TRY(carom_impact_require_inelastic(problem, "anitescu_potra", report));
    CAROM_AUTO(carom_contact_modes) modes = NULL;
    CAROM_TRY(carom_contact_modes_alloc(problem, CAROM_CONTACT_MODES_UNCAPPED, &modes, report));
    if (!carom_impact_is_colliding(problem, problem->contact_velocity)) {
        return add_unchanged(problem, outcomes);
    }
    CAROM_AUTO(carom_contact_mode_solutions) solutions = NULL;
    CAROM_TRY(carom_contact_mode_solutions_alloc(modes, &solutions));
    return add_solutions(problem, modes, solutions, outcomes, report);
}
#include <carom/impact/impact_law.h>

static carom_status run_law(const carom_impact_problem *problem,
                            const carom_impact_law_params *params, carom_impact_result *result,
                            carom_report *report) {
    const int combinations = params->takes_one ? 0 : carom_contact_modes_combinations(problem);
    result->cost = combinations > 0 ? combinations : 1;
    return combinations > 0 ? carom_anitescu_potra_all(problem, result->outcomes, report)
                            : carom_anitescu_potra_lemke(problem, params->facets, NULL,
                                                         result->outcomes, report);
}

const carom_impact_law carom_impact_law_anitescu_potra = {
    .name = "anitescu_potra",
    .title = "one complementarity problem for the whole impulse, inelastic",
    .cost = "combinations of contact modes, or one problem by Lemke's method",
    .has_friction = true,
    .run = run_law,
};
