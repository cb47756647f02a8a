#include <carom/contact/internal.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How Newton's method goes in the rounds, from the best impulses, from none, and, round after
 * round, from others that are drawn. */
static const carom_contact_newton_params ROUNDS[] = {
    {.is_smoothed = true, .stiffening = 1.0, .reduction = 0.1},
    {.is_smoothed = true, .stiffening = 1.0, .reduction = 0.5},
    {.is_smoothed = true, .stiffening = 0.3, .reduction = 0.3},
    {.is_smoothed = true, .stiffening = 3.0, .reduction = 0.7},
};
enum { MOST_KINDS = sizeof ROUNDS / sizeof *ROUNDS, MOST_ROUNDS = 50 };

/* Sweeps between looks at the certificate at most, a product with W beside ten being little; the
 * first go on as long as so many bring the residual to a tenth, the cost of some factorisations of
 * a pile, later ones as long as so many and one more a block do. */
enum {
    SWEEPS_BETWEEN_LOOKS = 10,
    FIRST_PATIENCE = 50,
    SECOND_PATIENCE = 100,
    MOST_PATIENCE = 500,
};

/* Contacts with friction that Lemke's method is asked about when all else has failed. */
enum { MOST_PIVOTED_CONTACTS = 64 };

/* Contacts in the plane whose path begins with all of them open, where none else ends. */
enum { MOST_OPENED_CONTACTS = 256 };

/* Beside the impulses that stop the contacts one by one. */
static const double LARGE_GROWTH = 1e3;

struct carom_contact_solver {
    size_t capacity;
    double *velocity;  /* [rows] */
    double *best;      /* [rows] impulses of the smallest residual */
    double *before;    /* [rows] of sweeps */
    double *direction; /* [rows] of sweeps */
    double *trial;     /* [rows] of another problem */
    double *scaled;    /* [rows] free velocities times a power of two */
    double *memory;
    carom_contact_newton *newton;
    carom_contact_interior_point *interior;
    carom_contact_path *path;
    carom_contact_pivoting *pivoting;
    carom_contact_piecewise *piecewise;
};

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

/* What is known of whether there is a solution. */
typedef enum verdict { NOT_ASKED, UNDECIDED, HAS_SOLUTION, HAS_NONE } verdict;

/* One problem being solved. */
typedef struct attempt {
    carom_contact_solver *solver;
    const carom_contact_problem *problem;
    carom_contact_params params;
    double *r;
    carom_contact_report *result;
    bool is_certified; /* the certificate and the solver's velocity are those of r */
    verdict verdict;
    int path_iterations; /* along paths by their length, beside those of the result */
} attempt;

static double beside_data(const carom_contact_certificate *c) {
    return (c->residual + DBL_EPSILON) * fmin(c->growth, DBL_MAX);
}

/*
 * The residual, small beside the impulses, or what it is with rounding beside the data: where there
 * is no solution impulses may grow until all is small beside them.
 */
static double badness(const attempt *a, const carom_contact_certificate *c) {
    return a->verdict == HAS_SOLUTION
               ? c->residual
               : fmax(c->residual, beside_data(c) * sqrt(a->params.tolerance));
}

/*
 * With W = J M^-1 J' there are velocities that open all contacts, J_n v + w >= 0, and then a
 * solution with friction (Klarbring and Pang 1998), or z >= 0 with J_n' z = 0, w'z < 0 (Farkas),
 * and then none without friction either: Lemke's method on the normals alone decides, in space too.
 */
static void ask(attempt *a) {
    const carom_contact_problem *p = a->problem;
    if (a->verdict != NOT_ASKED) {
        return;
    }
    a->verdict = UNDECIDED;
    if (p->contact_count <= MOST_PIVOTED_CONTACTS && carom_contact_is_semidefinite(p)) {
        const carom_status status = carom_contact_pivot(a->solver->pivoting, p, false,
                                                        a->solver->trial, &a->result->pivots, NULL);
        a->verdict = status == CAROM_OK           ? HAS_SOLUTION
                     : status == CAROM_STATUS_RAY ? HAS_NONE
                                                  : UNDECIDED;
    }
}

/* Whether r is a solution, or there is none. Impulses that are many times those that stop the
 * contacts one by one raise the question. */
static bool is_settled(attempt *a) {
    const carom_contact_certificate *c = &a->result->certificate;
    if (a->params.method == CAROM_CONTACT_AUTOMATIC && c->residual <= a->params.tolerance &&
        c->growth > LARGE_GROWTH && beside_data(c) > a->params.tolerance) {
        ask(a);
    }
    return a->verdict == HAS_NONE || badness(a, c) <= a->params.tolerance;
}

/* Of a residual that is small beside the data too, if impulses stay as large. */
static double inner_tolerance(const attempt *a, double growth) {
    const double tolerance = a->params.tolerance;
    return tolerance / fmax(1.0, fmin(growth, DBL_MAX) * sqrt(tolerance));
}

static void certify(attempt *a) {
    if (!a->is_certified) {
        carom_contact_certify(a->problem, a->r, a->solver->velocity, &a->result->certificate);
        a->is_certified = true;
    }
}

/* Keep r where it is better than the best so far. @return whether it is */
static bool keep_better(attempt *a, carom_contact_certificate *best) {
    if (!isnan(best->residual) && !(badness(a, &a->result->certificate) < badness(a, best))) {
        return false;
    }
    *best = a->result->certificate;
    memcpy(a->solver->best, a->r, (size_t)a->problem->row_count * sizeof *a->r);
    return true;
}

/* Keep the better of r and the best so far; its certificate is the one of `result`. */
static void keep_best(attempt *a, carom_contact_certificate *best) {
    if (!keep_better(a, best)) {
        a->result->certificate = *best;
        memcpy(a->r, a->solver->best, (size_t)a->problem->row_count * sizeof *a->r);
        a->is_certified = false;
    }
}

/* What rounding and conjugate directions have left outside the cones is put back, and judged there.
 */
static void enter_cones(attempt *a) {
    const carom_contact_problem *p = a->problem;
    for (int i = p->joint_count; i < p->block_count; i++) {
        carom_contact_project(p->tangent_count, carom_contact_block_friction(p, i),
                              a->r + carom_contact_block_row(p, i));
    }
    a->is_certified = false;
    certify(a);
}

/* Sweeps until the certificate holds, as long as `patience` of them leave such a part of the
 * residual. */
static void sweep(attempt *a, int patience, double part) {
    carom_contact_sweeps sweeps = {.before = a->solver->before, .direction = a->solver->direction};
    double goal = INFINITY;
    int count = 0;
    int end = 0;
    memset(sweeps.direction, 0, (size_t)a->problem->row_count * sizeof *sweeps.direction);
    while (!is_settled(a) && a->result->sweeps < a->params.most_sweeps) {
        if (a->result->certificate.residual <= goal) {
            goal = part * a->result->certificate.residual;
            end = count + patience;
        }
        if (count >= end) {
            return;
        }
        // After the first, then after as many again.
        const int left = a->params.most_sweeps - a->result->sweeps;
        int next = count < 1 ? 1 : count > SWEEPS_BETWEEN_LOOKS ? SWEEPS_BETWEEN_LOOKS : count;
        for (next = next > left ? left : next; next > 0; next--) {
            carom_contact_sweep(a->problem, &sweeps, a->r);
            a->result->sweeps++;
            count++;
        }
        enter_cones(a);
        // At rest, or run away.
        if (!(sweeps.change > 0.0) || isnan(a->result->certificate.residual)) {
            return;
        }
    }
    if (is_settled(a) && count > 0) {
        a->result->method = CAROM_CONTACT_GAUSS_SEIDEL;
    }
}

static carom_status iterate_newton(attempt *a, carom_contact_newton_params params) {
    params.tolerance = inner_tolerance(a, a->result->certificate.growth);
    params.most = a->params.most_newton_iterations - a->result->newton_iterations;
    a->is_certified = false;
    const carom_status status = carom_contact_newton_solve(
        a->solver->newton, a->problem, &params, a->r, a->solver->velocity, &a->result->certificate,
        &a->result->newton_iterations);
    if (status == CAROM_OK) {
        a->result->method = CAROM_CONTACT_NEWTON;
        enter_cones(a);
    }
    return status == CAROM_STATUS_NOT_CONVERGED ? CAROM_OK : status;
}

static carom_status say_none(carom_report *report) {
    return carom_report_say(report, CAROM_STATUS_RAY,
                            "the contact problem has no solution within 1e9 times the impulses "
                            "that stop its contacts one by one");
}

static carom_status pivot(attempt *a, carom_report *report) {
    const carom_status status = carom_contact_pivot(a->solver->pivoting, a->problem, true, a->r,
                                                    &a->result->pivots, report);
    if (status == CAROM_STATUS_RAY) {
        return say_none(report);
    }
    CAROM_TRY(status);
    enter_cones(a);
    a->result->method = CAROM_CONTACT_PIVOTING;
    return CAROM_OK;
}

/* Whether Lemke's method has a say: few contacts, without friction or in the plane. */
static bool can_pivot(const carom_contact_problem *p) {
    double friction = 0.0;
    for (int i = 0; i < p->contact_count; i++) {
        friction = fmax(friction, p->friction[i]);
    }
    return p->contact_count <= MOST_PIVOTED_CONTACTS && (p->tangent_count < 2 || !(friction > 0.0));
}

static carom_status follow_from(attempt *a, carom_contact_certificate *best) {
    a->is_certified = false;
    const carom_status status = carom_contact_piecewise_solve(
        a->solver->piecewise, a->problem, inner_tolerance(a, best->growth), a->r,
        a->solver->velocity, &a->result->certificate, &a->result->pivots);
    if (status == CAROM_OK) {
        a->result->method = CAROM_CONTACT_PIVOTING;
        enter_cones(a);
    }
    keep_best(a, best);
    return status;
}

/* In the plane, paths of the piecewise linear equations from the best impulses so far; of few
 * contacts, from all open. */
static carom_status follow_pieces(attempt *a, carom_contact_certificate *best) {
    if (is_settled(a) || a->problem->tangent_count == 2 || a->params.most_newton_iterations == 0) {
        return CAROM_OK;
    }
    carom_status status = follow_from(a, best);
    if (status == CAROM_STATUS_NOT_CONVERGED && a->problem->contact_count <= MOST_OPENED_CONTACTS) {
        status = carom_contact_piecewise_pivot(a->solver->piecewise, a->problem, a->r,
                                               &a->result->pivots);
        status = status == CAROM_OK ? follow_from(a, best) : status;
        keep_best(a, best);
    }
    return status == CAROM_STATUS_OUT_OF_MEMORY ? status : CAROM_OK;
}

/* Newton's method from the best impulses so far, swept on, from none, or from drawn ones. */
static carom_status go_round(attempt *a, int round, carom_contact_certificate *best) {
    if (round % 3 == 2) {
        sweep(a, MOST_PATIENCE, 0.5);
        keep_best(a, best);
        if (is_settled(a)) {
            return CAROM_OK;
        }
    } else if (round == 1) {
        memset(a->r, 0, (size_t)a->problem->row_count * sizeof *a->r);
    } else if (round > 1) {
        carom_contact_draw_impulses(a->problem, round, a->r);
    }
    CAROM_TRY(iterate_newton(a, ROUNDS[round % MOST_KINDS]));
    keep_best(a, best);
    return CAROM_OK;
}

/* What a path has left is an answer, nothing, or near one, often with its states. */
static carom_status end_path(attempt *a, carom_status status, carom_contact_certificate *best) {
    if (status == CAROM_OK || status == CAROM_STATUS_NOT_CONVERGED) {
        enter_cones(a);
    }
    if (status == CAROM_OK) {
        a->result->method = CAROM_CONTACT_NEWTON;
    } else if (status == CAROM_STATUS_NOT_CONVERGED &&
               a->result->certificate.residual <= CAROM_CONTACT_NEAR_ANSWER) {
        if (a->problem->tangent_count == 2) {
            (void)keep_better(a, best);
            CAROM_TRY(iterate_newton(a, (carom_contact_newton_params){.stiffening = 1.0}));
            keep_best(a, best);
        }
        sweep(a, FIRST_PATIENCE, 0.1);
    } else {
        a->result->certificate.residual = INFINITY;
    }
    keep_best(a, best);
    return status;
}

/* One call of the interior-point method; what it ends near to is swept to its end, else left. */
static carom_status follow_paths(attempt *a, int *starts, carom_contact_certificate *best) {
    const int most = a->params.most_newton_iterations / 2 - a->result->newton_iterations;
    a->is_certified = false;
    const carom_status status = carom_contact_interior_point_solve(
        a->solver->interior, a->problem, inner_tolerance(a, best->growth), most, starts, a->r,
        a->solver->velocity, &a->result->certificate, &a->result->newton_iterations);
    return end_path(a, status, best);
}

static void sweep_on(attempt *a, carom_contact_certificate *best) {
    sweep(a, (int)fmin(SECOND_PATIENCE + a->problem->block_count, MOST_PATIENCE), 0.5);
    keep_best(a, best);
}

/* By half of the factorisations; in space sweeps go on from the best of the convex problem. */
static carom_status follow_path(attempt *a, carom_contact_certificate *best) {
    const double before = best->residual;
    carom_status status = CAROM_STATUS_NOT_CONVERGED;
    int starts = 0;
    while (status == CAROM_STATUS_NOT_CONVERGED && !is_settled(a) &&
           starts < carom_contact_most_starts(a->problem) &&
           a->result->newton_iterations < a->params.most_newton_iterations / 2) {
        status = follow_paths(a, &starts, best);
        if (starts == 1 && !is_settled(a)) {
            sweep_on(a, best);
        }
    }
    if (starts != 1 && !is_settled(a) && !(best->residual < before)) {
        sweep_on(a, best);
    }
    return status == CAROM_STATUS_OUT_OF_MEMORY ? status : CAROM_OK;
}

/* The paths that the interior-point method has left, through their turns, by as many factorisations
 * each as Newton's methods have, in space, where there are many turns, by all that are left. */
static carom_status follow_turns(attempt *a, carom_contact_certificate *best) {
    carom_status status = CAROM_OK;
    const int most = a->params.most_newton_iterations;
    for (int k = 0; k < CAROM_CONTACT_MOST_PATHS && most > 0 && !is_settled(a); k++) {
        const double all = fmin((double)CAROM_CONTACT_MOST_PATHS * most, INT_MAX);
        const int left = (int)all - a->path_iterations;
        a->is_certified = false;
        status = carom_contact_path_solve(
            a->solver->path, a->problem, k, inner_tolerance(a, best->growth),
            a->problem->tangent_count < 2 ? (int)fmin(most, left) : left, a->r, a->solver->velocity,
            &a->result->certificate, &a->path_iterations);
        status = end_path(a, status, best);
        if (status != CAROM_OK && status != CAROM_STATUS_NOT_CONVERGED) {
            break;
        }
    }
    return status == CAROM_STATUS_OUT_OF_MEMORY ? status : CAROM_OK;
}

/* Sweeps, in the plane paths of the piecewise linear equations, the interior-point method, in space
 * Newton's method from several starts, sweeps to the last, and Lemke's method. */
static carom_status solve_automatically(attempt *a, carom_contact_certificate *best,
                                        carom_report *report) {
    // What the caller starts from is often the answer.
    if (is_settled(a) && a->verdict != HAS_NONE) {
        return CAROM_OK;
    }
    bool is_warm = false;
    for (int i = 0; i < a->problem->row_count; i++) {
        is_warm = is_warm || fabs(a->r[i]) > 0.0;
    }
    sweep(a, FIRST_PATIENCE, 0.1);
    keep_best(a, best);
    // Of several answers the one that goes on; from none the one in the middle of the cones.
    if (is_warm) {
        CAROM_TRY(follow_pieces(a, best));
    }
    if (!is_settled(a)) {
        CAROM_TRY(follow_path(a, best));
    }
    if (!is_warm) {
        CAROM_TRY(follow_pieces(a, best));
    }
    if (!is_settled(a)) {
        CAROM_TRY(follow_turns(a, best));
    }
    if (!is_settled(a) && best->growth > LARGE_GROWTH) {
        ask(a);
    }
    const int rounds = a->problem->tangent_count == 2 ? MOST_ROUNDS : 0;
    for (int round = 0; round < rounds && !is_settled(a); round++) {
        CAROM_TRY(go_round(a, round, best));
    }
    sweep(a, a->params.most_sweeps, 0.5);
    keep_best(a, best);
    if (!is_settled(a)) {
        ask(a);
    }
    if (a->verdict == HAS_NONE) {
        return say_none(report);
    }
    if (is_settled(a) || !can_pivot(a->problem)) {
        return CAROM_OK;
    }
    const carom_status status = pivot(a, report);
    keep_best(a, best);
    return status == CAROM_STATUS_NOT_CONVERGED || status == CAROM_STATUS_SINGULAR ? CAROM_OK
                                                                                   : status;
}

/* One method alone, which ends where it began if it has run away, or all. */
static carom_status run(attempt *a, carom_report *report) {
    carom_contact_certificate best = {.residual = NAN};
    if (a->params.method != CAROM_CONTACT_PIVOTING) {
        certify(a);
        keep_best(a, &best);
    }
    switch (a->params.method) {
    case CAROM_CONTACT_GAUSS_SEIDEL:
        sweep(a, a->params.most_sweeps, 0.5);
        break;
    case CAROM_CONTACT_NEWTON:
        CAROM_TRY(iterate_newton(a, (carom_contact_newton_params){.stiffening = 1.0}));
        if (!is_settled(a)) {
            CAROM_TRY(iterate_newton(a, ROUNDS[1]));
        }
        break;
    case CAROM_CONTACT_PIVOTING:
        return pivot(a, report);
    case CAROM_CONTACT_AUTOMATIC:
        return solve_automatically(a, &best, report);
    }
    if (isnan(a->result->certificate.residual)) {
        keep_best(a, &best);
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
                 .result = result};
    carom_status status = carom_contact_refuse_hopeless(problem, report);
    if (status == CAROM_OK) {
        status = run(&a, report);
    }
    certify(&a);
    result->newton_iterations += a.path_iterations;
    if (exponent != 0) {
        carom_contact_scale(problem->row_count, exponent, r, r);
        carom_contact_scale(problem->row_count, exponent, solver->velocity, solver->velocity);
    }
    if (u != NULL) {
        memcpy(u, solver->velocity, (size_t)problem->row_count * sizeof *u);
    }
    CAROM_TRY(status);
    if (!is_settled(&a)) {
        const int contact = result->certificate.worst - problem->joint_count;
        carom_report_fail(report, CAROM_STATUS_NOT_CONVERGED, contact < 0 ? "joint" : "contact",
                          NAN, contact < 0 ? result->certificate.worst : contact);
        if (report != NULL) {
            report->residual = badness(&a, &result->certificate);
            report->iterations = result->sweeps + result->newton_iterations;
        }
        return CAROM_STATUS_NOT_CONVERGED;
    }
    return CAROM_OK;
}
