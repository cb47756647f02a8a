#include <carom/contact/attempt.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef carom_attempt attempt;

/* How Newton's method goes in the rounds, from the best impulses, from none, and, round after
 * round, from others that are drawn. */
static const carom_contact_newton_params ROUNDS[] = {
    {.is_smoothed = true, .stiffening = 1.0, .reduction = 0.1},
    {.is_smoothed = true, .stiffening = 1.0, .reduction = 0.5},
    {.is_smoothed = true, .stiffening = 0.3, .reduction = 0.3},
    {.is_smoothed = true, .stiffening = 3.0, .reduction = 0.7},
};
enum { MOST_KINDS = sizeof ROUNDS / sizeof *ROUNDS, MOST_ROUNDS = 50 };

carom_contact_params carom_contact_params_default(void) {
    return (carom_contact_params){.method = CAROM_CONTACT_AUTOMATIC,
                                  .tolerance = 1e-12,
                                  .most_sweeps = 30000,
                                  .most_newton_iterations = 1000};
}

carom_status carom_contact_solver_alloc(carom_contact_solver **out) {
    CAROM_ASSERT(out != NULL);
    *out = NULL;
    CAROM_AUTO(carom_contact_solver) s = calloc(1, sizeof *s);
    if (s == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_TRY(carom_contact_newton_alloc(&s->newton));
    CAROM_TRY(carom_contact_interior_point_alloc(&s->interior));
    CAROM_TRY(carom_contact_path_alloc(&s->path));
    CAROM_TRY(carom_contact_pivoting_alloc(&s->pivoting));
    CAROM_TRY(carom_contact_piecewise_alloc(&s->piecewise));
    CAROM_HAND_OVER(s, out);
    return CAROM_OK;
}

void carom_contact_solver_free(carom_contact_solver *solver) {
    if (solver == NULL) {
        return;
    }
    carom_contact_newton_free(solver->newton);
    carom_contact_interior_point_free(solver->interior);
    carom_contact_path_free(solver->path);
    carom_contact_pivoting_free(solver->pivoting);
    carom_contact_piecewise_free(solver->piecewise);
    free(solver->memory);
    free(solver);
}

static carom_status grow(carom_contact_solver *s, int row_count) {
    const size_t rows = (size_t)row_count;
    if (rows > s->capacity || s->memory == NULL) {
        free(s->memory);
        s->memory = malloc((6 * rows + 1) * sizeof *s->memory);
        s->capacity = s->memory == NULL ? 0 : rows;
    }
    if (s->memory == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    s->velocity = s->memory;
    s->best = s->velocity + rows;
    s->before = s->best + rows;
    s->direction = s->before + rows;
    s->trial = s->direction + rows;
    s->scaled = s->trial + rows;
    return CAROM_OK;
}

static void sweep_on(attempt *a) {
    carom_attempt_sweep(a,
                        (int)fmin(CAROM_ATTEMPT_SECOND_PATIENCE + a->problem->block_count,
                                  CAROM_ATTEMPT_MOST_PATIENCE),
                        0.5);
    carom_attempt_keep_best(a);
}

/* By half of the factorisations; in space sweeps go on from the best of the convex problem. */
static carom_status follow_central_paths(attempt *a) {
    const double before = a->best.residual;
    carom_status status = CAROM_STATUS_NOT_CONVERGED;
    int starts = 0;
    while (status == CAROM_STATUS_NOT_CONVERGED && !carom_attempt_is_settled(a) &&
           starts < carom_contact_most_starts(a->problem) &&
           a->result->newton_iterations < a->params.most_newton_iterations / 2) {
        status = carom_attempt_follow_central_path(a, &starts);
        if (starts == 1 && !carom_attempt_is_settled(a)) {
            sweep_on(a);
        }
    }
    if (starts != 1 && !carom_attempt_is_settled(a) && !(a->best.residual < before)) {
        sweep_on(a);
    }
    return status == CAROM_STATUS_OUT_OF_MEMORY ? status : CAROM_OK;
}

/* Newton's method from the best impulses so far, swept on, from none, or from drawn ones. */
static carom_status go_round(attempt *a, int round) {
    if (round % 3 == 2) {
        carom_attempt_sweep(a, CAROM_ATTEMPT_MOST_PATIENCE, 0.5);
        carom_attempt_keep_best(a);
        if (carom_attempt_is_settled(a)) {
            return CAROM_OK;
        }
    } else if (round == 1) {
        memset(a->r, 0, (size_t)a->problem->row_count * sizeof *a->r);
    } else if (round > 1) {
        carom_contact_draw_impulses(a->problem, round, a->r);
    }
    CAROM_TRY(carom_attempt_iterate_newton(a, ROUNDS[round % MOST_KINDS]));
    carom_attempt_keep_best(a);
    return CAROM_OK;
}

/* Sweeps, in the plane paths of the piecewise linear equations, the interior-point method, in space
 * Newton's method from several starts, sweeps to the last, and Lemke's method. */
static carom_status solve_automatically(attempt *a, carom_report *report) {
    // What the caller starts from is often the answer.
    if (carom_attempt_is_settled(a) && a->verdict != CAROM_ATTEMPT_HAS_NONE) {
        return CAROM_OK;
    }
    bool is_warm = false;
    for (int i = 0; i < a->problem->row_count; i++) {
        is_warm = is_warm || fabs(a->r[i]) > 0.0;
    }
    carom_attempt_sweep(a, CAROM_ATTEMPT_FIRST_PATIENCE, 0.1);
    carom_attempt_keep_best(a);
    // Of several answers the one that goes on; from none the one in the middle of the cones.
    if (is_warm) {
        CAROM_TRY(carom_attempt_follow_pieces(a));
    }
    if (!carom_attempt_is_settled(a)) {
        CAROM_TRY(follow_central_paths(a));
    }
    if (!is_warm) {
        CAROM_TRY(carom_attempt_follow_pieces(a));
    }
    if (!carom_attempt_is_settled(a)) {
        CAROM_TRY(carom_attempt_follow_turns(a));
    }
    if (!carom_attempt_is_settled(a) && a->best.growth > CAROM_ATTEMPT_LARGE_GROWTH) {
        carom_attempt_ask(a);
    }
    const int rounds = a->problem->tangent_count == 2 ? MOST_ROUNDS : 0;
    for (int round = 0; round < rounds && !carom_attempt_is_settled(a); round++) {
        CAROM_TRY(go_round(a, round));
    }
    carom_attempt_sweep(a, a->params.most_sweeps, 0.5);
    carom_attempt_keep_best(a);
    if (!carom_attempt_is_settled(a)) {
        carom_attempt_ask(a);
    }
    if (a->verdict == CAROM_ATTEMPT_HAS_NONE) {
        return carom_attempt_say_none(report);
    }
    if (carom_attempt_is_settled(a) || a->problem->contact_count > CAROM_ATTEMPT_MOST_PIVOTED) {
        return CAROM_OK;
    }
    // It has no say in space with friction.
    const carom_status status = carom_attempt_pivot(a, report);
    carom_attempt_keep_best(a);
    return status == CAROM_STATUS_RAY || status == CAROM_STATUS_OUT_OF_MEMORY ? status : CAROM_OK;
}

/* One method alone, which ends where it began if it has run away, or all. */
static carom_status run(attempt *a, carom_report *report) {
    if (a->params.method != CAROM_CONTACT_PIVOTING) {
        carom_attempt_certify(a);
        carom_attempt_keep_best(a);
    }
    switch (a->params.method) {
    case CAROM_CONTACT_GAUSS_SEIDEL:
        carom_attempt_sweep(a, a->params.most_sweeps, 0.5);
        break;
    case CAROM_CONTACT_NEWTON:
        CAROM_TRY(
            carom_attempt_iterate_newton(a, (carom_contact_newton_params){.stiffening = 1.0}));
        if (!carom_attempt_is_settled(a)) {
            CAROM_TRY(carom_attempt_iterate_newton(a, ROUNDS[1]));
        }
        break;
    case CAROM_CONTACT_PIVOTING:
        return carom_attempt_pivot(a, report);
    case CAROM_CONTACT_AUTOMATIC:
        return solve_automatically(a, report);
    }
    if (isnan(a->result->certificate.residual)) {
        carom_attempt_keep_best(a);
    }
    return CAROM_OK;
}

/* r(2^k q) = 2^k r(q): the problem in units of its velocities, whose answer has the same bits. What
 * is too large to start from in these units is none. */
static void begin_scaled(carom_contact_solver *s, carom_contact_problem *p, int exponent,
                         double *r) {
    carom_contact_scale(p->row_count, -exponent, p->free_velocity, s->scaled);
    p->free_velocity = s->scaled;
    carom_contact_scale(p->row_count, -exponent, r, r);
    for (int i = 0; i < p->row_count; i++) {
        r[i] = isfinite(r[i]) ? r[i] : 0.0;
    }
}

carom_status carom_contact_solve(carom_contact_solver *solver, const carom_contact_problem *problem,
                                 const carom_contact_params *params, double *r, double *u,
                                 carom_contact_report *result, carom_report *report) {
    CAROM_ASSERT(solver != NULL && problem != NULL && r != NULL);
    carom_contact_report own = {.certificate = {.residual = NAN}};
    result = result == NULL ? &own : result;
    *result = own;
    CAROM_TRY(carom_report_require_finite(report, "impulse", problem->row_count, r));
    CAROM_TRY(grow(solver, problem->row_count));
    const int exponent = carom_contact_far_exponent(problem);
    carom_contact_problem posed = *problem;
    if (exponent != 0) {
        begin_scaled(solver, &posed, exponent, r);
    }
    attempt a = {.solver = solver,
                 .problem = &posed,
                 .params = params == NULL ? carom_contact_params_default() : *params,
                 .r = r,
                 .result = result,
                 .best = {.residual = NAN}};
    carom_status status = carom_contact_refuse_hopeless(problem, report);
    if (status == CAROM_OK) {
        status = run(&a, report);
    }
    carom_attempt_certify(&a);
    result->newton_iterations += a.path_iterations;
    if (exponent != 0) {
        carom_contact_scale(problem->row_count, exponent, r, r);
        carom_contact_scale(problem->row_count, exponent, solver->velocity, solver->velocity);
    }
    if (u != NULL) {
        memcpy(u, solver->velocity, (size_t)problem->row_count * sizeof *u);
    }
    CAROM_TRY(status);
    if (!carom_attempt_is_settled(&a)) {
        const int contact = result->certificate.worst - problem->joint_count;
        carom_report_fail(report, CAROM_STATUS_NOT_CONVERGED, contact < 0 ? "joint" : "contact",
                          NAN, contact < 0 ? result->certificate.worst : contact);
        if (report != NULL) {
            report->residual = carom_attempt_badness(&a, &result->certificate);
            report->iterations = result->sweeps + result->newton_iterations;
        }
        return CAROM_STATUS_NOT_CONVERGED;
    }
    return CAROM_OK;
}
