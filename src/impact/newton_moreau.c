/*
 * The Newton-Moreau law: v+ and L with M (v+ - v-) = J' L, 0 <= L_n _|_ c+_n + e c-_n >= 0 and L_t
 * opposing the sliding that remains. In the plane it is Anitescu and Potra's problem with the
 * normal speeds (1 + e_i) c-_n: all solutions where they can be enumerated, else one by Lemke's
 * method. In space it is the contact problem with the round cone, one solution.
 *
 * Without friction and with the same e for all contacts there is a solution, and no energy is
 * gained; none is lost if e = 1. With different e, or with friction and e > 0, kinetic energy may
 * rise: the law's known paradox, which is not hidden. Different e may also contradict each other
 * (walls that face each other). A contact that separates before the impact may approach with up to
 * e c-_n after it: the law is made for closed contacts that rest or close.
 * Source: Moreau 1988; bruls-2014 (2) for the law of a contact; Anitescu and Potra 1997 for
 * friction.
 */
#include <carom/contact/contact.h>
#include <carom/impact/anitescu_potra.h>
#include <carom/impact/contact_modes.h>
#include <carom/impact/impact_law.h>
#include <carom/impact/internal.h>

#include <math.h>
#include <stdlib.h>

/*[newtonMoreau]*/
/** (1 + e) c-_n and c-_t, [r]. */
static void shift_speeds(const carom_impact_problem *problem, double *shifted) {
    for (int a = 0; a < problem->row_count; a++) {
        const double e = a < problem->contact_count ? problem->restitution[a] : 0.0;
        shifted[a] = (1.0 + e) * problem->contact_velocity[a];
    }
}
/*[end newtonMoreau]*/

/** The impulses of the solutions of the shifted problem, applied to the true one. */
static carom_status transfer(const carom_impact_problem *problem,
                             const carom_impact_outcomes *solutions,
                             carom_impact_outcomes *outcomes) {
    for (int k = 0; k < solutions->count; k++) {
        CAROM_TRY(carom_impact_outcomes_add_solutions(
            outcomes, problem, solutions->impulse + k * problem->row_count, solutions->residual[k],
            CAROM_IMPACT_MERGING, solutions->multiplicity[k]));
    }
    return CAROM_OK;
}

/** The row of a contact-space problem whose rows are normals, then tangents, at a place in the
 * order of the contact problem, each normal with its tangents. */
static int row_at(const carom_impact_problem *problem, int place) {
    const int t = problem->tangent_count;
    const int contact = place / (1 + t);
    const int a = place % (1 + t);
    return a == 0 ? contact : problem->contact_count + contact * t + a - 1;
}

/** The solution with the round cone. */
static carom_status solve_in_space(const carom_impact_problem *problem,
                                   carom_impact_outcomes *outcomes, carom_report *report) {
    const int rows = problem->row_count;
    const size_t count = (size_t)rows;
    CAROM_AUTO(carom_contact_solver) solver = NULL;
    CAROM_AUTO(carom_contact_problem) contacts = NULL;
    CAROM_AUTO_MEMORY double *W = calloc(count * count + 4 * count, sizeof *W);
    if (W == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    double *shifted = W + count * count;
    double *q = shifted + count;
    double *r = q + count;
    double *L = r + count;
    carom_contact_report result = {0};
    shift_speeds(problem, shifted);
    for (int i = 0; i < rows; i++) {
        q[i] = shifted[row_at(problem, i)];
        for (int k = 0; k < rows; k++) {
            W[i * rows + k] =
                problem->delassus_matrix[row_at(problem, i) * rows + row_at(problem, k)];
        }
    }
    const carom_contact_rows given = {.contact_count = problem->contact_count,
                                      .tangent_count = problem->tangent_count,
                                      .entries = W,
                                      .free_velocity = q,
                                      .friction = problem->friction};
    CAROM_TRY(carom_contact_problem_alloc(&given, &contacts, report));
    CAROM_TRY(carom_contact_solver_alloc(&solver));
    CAROM_TRY(carom_contact_solve(solver, contacts, NULL, r, NULL, &result, report));
    for (int i = 0; i < rows; i++) {
        L[row_at(problem, i)] = r[i];
    }
    return carom_impact_outcomes_add(outcomes, problem, L, result.certificate.residual,
                                     CAROM_IMPACT_MERGING);
}

/** In the plane Anitescu and Potra's solutions for the shifted speeds: one of them, or all. */
static carom_status solve_in_plane(const carom_impact_problem *problem, bool has_all,
                                   carom_impact_outcomes *outcomes, carom_report *report) {
    // The speeds, and no restitution.
    const size_t rows = (size_t)problem->row_count;
    CAROM_AUTO_MEMORY double *speeds =
        calloc(rows + (size_t)problem->contact_count, sizeof *speeds);
    if (speeds == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    shift_speeds(problem, speeds);
    // Whether contacts collide is decided by the true speeds.
    const bool is_colliding = carom_impact_is_colliding(problem, problem->contact_velocity);
    carom_impact_problem shifted = *problem;
    shifted.contact_velocity = is_colliding ? speeds : problem->contact_velocity;
    shifted.restitution = speeds + rows;
    CAROM_AUTO(carom_impact_outcomes) solutions = NULL;
    CAROM_TRY(carom_impact_outcomes_alloc(&shifted, &solutions));
    CAROM_TRY(has_all ? carom_anitescu_potra_all(&shifted, solutions, report)
                      : carom_anitescu_potra_lemke(&shifted, 0, NULL, solutions, report));
    return transfer(problem, solutions, outcomes);
}

static carom_status run_law(const carom_impact_problem *problem,
                            const carom_impact_law_params *params, carom_impact_result *result,
                            carom_report *report) {
    const int combinations = params->takes_one ? 0 : carom_contact_modes_combinations(problem);
    result->cost = combinations > 0 ? combinations : 1;
    return problem->tangent_count == 2
               ? solve_in_space(problem, result->outcomes, report)
               : solve_in_plane(problem, combinations > 0, result->outcomes, report);
}

const carom_impact_law carom_impact_law_newton_moreau = {
    .name = "newton_moreau",
    .title = "restitution of every contact in one complementarity problem",
    .cost = "combinations of contact modes, or one problem",
    .has_restitution = true,
    .has_friction = true,
    .run = run_law,
};
