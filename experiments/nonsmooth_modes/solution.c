/** One motion from a guess, and the branch through it. */
#include "results.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/** Lambda of the guess from the impact speeds; NULL if none are given, or out of memory. */
static double *guess_lambda(const settings *v, const carom_modal_basis *basis) {
    const int k = v->impact_speeds.count;
    double *lambda = k > 0 ? malloc((size_t)k * sizeof *lambda) : NULL;
    for (int j = 0; lambda != NULL && j < k; j++) {
        lambda[j] = v->impact_speeds.values[j] / basis->root_inverse_mass;
    }
    return lambda;
}

/** Solve the impact equations from the guess. */
static carom_status solve(const analysis *a, carom_orbit *orbit) {
    const settings *v = a->values;
    carom_orbit_target target = carom_orbit_target_default(a->basis);
    target.period = v->period;
    target.grazing_impact = v->grazing_impact;
    carom_orbit_solver *solver = NULL;
    CAROM_TRY(carom_orbit_solver_alloc(a->basis, v->impacts, &solver));
    double *lambda = guess_lambda(v, a->basis);
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    if (lambda != NULL || v->impact_speeds.count == 0) {
        status = carom_orbit_solve(solver, v->flight_times.values, lambda, &target, NULL, orbit,
                                   a->report);
    }
    free(lambda);
    carom_orbit_solver_free(solver);
    return status;
}

/** Say that a solution is no motion. */
static void tell_potential(const analysis *a, const examination *found) {
    if (a->common->is_quiet) {
        return;
    }
    const carom_admissibility *admissibility = &found->admissibility;
    if (admissibility->largest_gap_violation > 0.0) {
        printf("nonsmooth_modes: the solution is only potential: it passes the obstacle by %.6g m "
               "at t = %.6g s\n",
               admissibility->largest_gap_violation, admissibility->time);
    } else {
        printf("nonsmooth_modes: the solution is only potential: its smallest lambda is %.6g\n",
               admissibility->smallest_lambda);
    }
}

/** Follow the branch through the solution; a potential one as far as its equations go. */
static carom_status follow(const analysis *a, const carom_orbit *orbit, bool is_admissible) {
    carom_orbit_branch_params params = carom_orbit_branch_params_default();
    if (!isnan(a->values->max_period)) {
        params.max_period = a->values->max_period;
    }
    params.max_step = a->values->branch_step;
    params.step = fmin(params.step, params.max_step);
    params.follow_potential = !is_admissible;
    carom_orbit_branch *branch = NULL;
    CAROM_TRY(carom_orbit_branch_follow(a->basis, orbit, &params, NULL, NULL, &branch, a->report));
    for (int side = 0; side < 2 && !a->common->is_quiet; side++) {
        if (branch->ends[side] == CAROM_BRANCH_END_FAILED) {
            printf("nonsmooth_modes: the branch could not be followed beyond T = %.12g s; try a "
                   "shorter "
                   "--branch-step\n",
                   branch->period[side == 0 ? 0 : branch->point_count - 1]);
        }
    }
    nonsmooth_modes_write_branch(a, "/branch", branch);
    carom_orbit_branch_free(branch);
    return CAROM_OK;
}

/** Examine and write a solution, then its branch. */
static carom_status write_solution(const analysis *a, const carom_orbit *orbit) {
    const examination found = nonsmooth_modes_examine(a, orbit);
    CAROM_TRY(nonsmooth_modes_write_motion(a, "/solution", orbit, &found));
    if (!found.admissibility.is_admissible) {
        tell_potential(a, &found);
    }
    return a->values->has_branch ? follow(a, orbit, found.admissibility.is_admissible) : CAROM_OK;
}

carom_status nonsmooth_modes_solve(const analysis *a) {
    CAROM_AUTO(carom_orbit) orbit = NULL;
    CAROM_TRY(carom_orbit_alloc(a->basis, a->values->impacts, &orbit));
    CAROM_TRY(solve(a, orbit));
    return write_solution(a, orbit);
}
