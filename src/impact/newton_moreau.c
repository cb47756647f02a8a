#include <carom/impact/anitescu_potra.h>
#include <carom/impact/newton_moreau.h>

#include <math.h>
#include <stdlib.h>

static carom_status refuse(const carom_impact_problem *problem, const double *restitution,
                           carom_report *report) {
    for (int i = 0; i < problem->contact_count; i++) {
        if (!(restitution[i] >= 0.0 && restitution[i] <= 1.0)) {
            return carom_report_fail(report, CAROM_STATUS_OUT_OF_RANGE, "restitution",
                                     restitution[i], i);
        }
    }
    return CAROM_OK;
}

/*[newtonMoreau]*/
/** (1 + e) c-_n and c-_t, [r]. */
static void shift_speeds(const carom_impact_problem *problem, const double *restitution,
                         double *shifted) {
    for (int a = 0; a < problem->row_count; a++) {
        const double e = a < problem->contact_count ? restitution[a] : 0.0;
        shifted[a] = (1.0 + e) * problem->contact_velocity[a];
    }
}
/*[end newtonMoreau]*/

/** The impulses of the solutions of the shifted problem, applied to the true one. */
static carom_status transfer(const carom_impact_problem *problem,
                             const carom_impact_outcomes *solutions,
                             carom_impact_outcomes *outcomes) {
    for (int k = 0; k < solutions->count; k++) {
        const int before = outcomes->count;
        CAROM_TRY(carom_impact_outcomes_add(outcomes, problem,
                                            solutions->impulse + k * problem->row_count,
                                            solutions->residual[k], CAROM_IMPACT_MERGING));
        if (outcomes->count > before) {
            outcomes->multiplicity[before] = solutions->multiplicity[k];
        }
    }
    return CAROM_OK;
}

/** Anitescu and Potra's solutions for the shifted speeds: one of them, or all. */
static carom_status solve(const carom_impact_problem *problem, const double *restitution,
                          int facets, bool has_all, carom_impact_outcomes *outcomes,
                          carom_report *report) {
    CAROM_TRY(refuse(problem, restitution, report));
    double *speeds = calloc((size_t)problem->row_count, sizeof *speeds);
    if (speeds == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    shift_speeds(problem, restitution, speeds);
    // Whether contacts collide is decided by the true speeds.
    const bool is_colliding = carom_impact_is_colliding(problem, problem->contact_velocity);
    carom_impact_problem shifted = *problem;
    shifted.contact_velocity = is_colliding ? speeds : problem->contact_velocity;
    carom_impact_outcomes *solutions = NULL;
    carom_status status = carom_impact_outcomes_alloc(&shifted, &solutions);
    if (status == CAROM_OK) {
        status = has_all ? carom_anitescu_potra_all(&shifted, solutions, report)
                         : carom_anitescu_potra_lemke(&shifted, facets, NULL, solutions, report);
    }
    if (status == CAROM_OK) {
        status = transfer(problem, solutions, outcomes);
    }
    carom_impact_outcomes_free(solutions);
    free(speeds);
    return status;
}

carom_status carom_newton_moreau_lemke(const carom_impact_problem *problem,
                                       const double *restitution, int facets,
                                       carom_impact_outcomes *outcomes, carom_report *report) {
    CAROM_ASSERT(problem != NULL && restitution != NULL && outcomes != NULL);
    return solve(problem, restitution, facets, false, outcomes, report);
}

carom_status carom_newton_moreau_all(const carom_impact_problem *problem, const double *restitution,
                                     carom_impact_outcomes *outcomes, carom_report *report) {
    CAROM_ASSERT(problem != NULL && restitution != NULL && outcomes != NULL);
    return solve(problem, restitution, 0, true, outcomes, report);
}
