#include <carom/contact/internal.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rounds differ, lest one cycle come again: sweeps in full and by halves, and the inverse masses
 * that Newton's function takes. */
static const double RELAXATIONS[] = {1.0, 0.5};
static const double STIFFENINGS[] = {1.0, 0.3};

/* Sweeps between looks at the certificate, and before Newton's method is tried: a product with W
 * beside ten is little, and what a hundred do not solve the next hundred rarely does. */
enum { SWEEPS_BETWEEN_LOOKS = 10, SWEEPS_BEFORE_NEWTON = 100 };

/* Contacts with friction that Lemke's method is asked about when all else has failed. */
enum { MOST_PIVOTED_CONTACTS = 64 };

struct carom_contact_solver {
    size_t capacity;
    double *velocity; /* [rows] */
    double *best;     /* [rows] impulses of the smallest residual */
    double *memory;
    carom_contact_newton *newton;
};

carom_contact_params carom_contact_params_default(void) {
    return (carom_contact_params){.method = CAROM_CONTACT_AUTOMATIC,
                                  .tolerance = 1e-12,
                                  .most_sweeps = 10000,
                                  .most_newton_iterations = 200};
}

carom_status carom_contact_solver_alloc(carom_contact_solver **out) {
    *out = NULL;
    CAROM_AUTO(carom_contact_solver) s = calloc(1, sizeof *s);
    if (s == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_TRY(carom_contact_newton_alloc(&s->newton));
    CAROM_HAND_OVER(s, out);
    return CAROM_OK;
}

void carom_contact_solver_free(carom_contact_solver *solver) {
    if (solver == NULL) {
        return;
    }
    carom_contact_newton_free(solver->newton);
    free(solver->memory);
    free(solver);
}

static carom_status grow(carom_contact_solver *s, int row_count) {
    const size_t rows = (size_t)row_count;
    if (rows > s->capacity || s->memory == NULL) {
        free(s->memory);
        s->memory = malloc((2 * rows + 1) * sizeof *s->memory);
        s->capacity = s->memory == NULL ? 0 : rows;
    }
    s->velocity = s->memory;
    s->best = s->memory == NULL ? NULL : s->memory + rows;
    return s->memory == NULL ? CAROM_STATUS_OUT_OF_MEMORY : CAROM_OK;
}

/* One problem being solved. */
typedef struct attempt {
    carom_contact_solver *solver;
    const carom_contact_problem *problem;
    carom_contact_params params;
    double *r;
    carom_contact_report *result;
} attempt;

static bool is_solved(const attempt *a) {
    return a->result->certificate.residual <= a->params.tolerance;
}

static void certify(attempt *a) {
    carom_contact_certify(a->problem, a->r, a->solver->velocity, &a->result->certificate);
}

/* Keep the better of r and the best so far; its certificate is the one of `result`. */
static void keep_best(attempt *a, carom_contact_certificate *best) {
    const size_t bytes = (size_t)a->problem->row_count * sizeof *a->r;
    if (isnan(best->residual) || a->result->certificate.residual < best->residual) {
        *best = a->result->certificate;
        memcpy(a->solver->best, a->r, bytes);
    } else {
        a->result->certificate = *best;
        memcpy(a->r, a->solver->best, bytes);
    }
}

/* Sweeps until the certificate holds, or as many as are left of `most`. */
static void sweep(attempt *a, double relaxation, int most) {
    while (!is_solved(a) && most > 0) {
        double change = INFINITY;
        for (int k = 0; k < SWEEPS_BETWEEN_LOOKS && most > 0 && change > a->params.tolerance; k++) {
            change = carom_contact_sweep(a->problem, relaxation, a->r);
            a->result->sweeps++;
            most--;
        }
        certify(a);
        if (!(change > 0.0)) {
            return;
        }
    }
    if (is_solved(a)) {
        a->result->method = CAROM_CONTACT_GAUSS_SEIDEL;
    }
}

/* What rounding has left outside the cones is put back, and judged there. */
static void enter_cones(attempt *a) {
    const carom_contact_problem *p = a->problem;
    for (int i = p->joint_count; i < p->block_count; i++) {
        carom_contact_project(p->tangent_count, carom_contact_block_friction(p, i),
                              a->r + carom_contact_problem_row(p, i));
    }
    certify(a);
}

static carom_status iterate_newton(attempt *a, double stiffening, int most) {
    const carom_status status = carom_contact_newton_solve(
        a->solver->newton, a->problem, a->params.tolerance, stiffening, most, a->r,
        a->solver->velocity, &a->result->certificate, &a->result->newton_iterations);
    if (status == CAROM_OK) {
        a->result->method = CAROM_CONTACT_NEWTON;
        enter_cones(a);
    }
    return status == CAROM_STATUS_NOT_CONVERGED ? CAROM_OK : status;
}

static carom_status pivot(attempt *a, carom_report *report) {
    CAROM_TRY(carom_contact_pivot(a->problem, a->r, &a->result->pivots, report));
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

/* Sweeps and Newton's method in turn, each going on from the better of the two, with twice the
 * sweeps in each round; then Lemke's method. */
static carom_status solve_automatically(attempt *a, carom_report *report) {
    carom_contact_certificate best = {.residual = NAN};
    certify(a);
    bool is_last = false;
    for (int round = 0; !is_solved(a) && !is_last; round++) {
        const int left = a->params.most_sweeps - a->result->sweeps;
        const int sweeps = SWEEPS_BEFORE_NEWTON << round;
        is_last = sweeps >= left / 2;
        sweep(a, RELAXATIONS[round % 2], is_last ? left : sweeps);
        keep_best(a, &best);
        if (!is_solved(a)) {
            const int most = a->params.most_newton_iterations - a->result->newton_iterations;
            CAROM_TRY(iterate_newton(a, STIFFENINGS[round % 2], most));
            keep_best(a, &best);
        }
    }
    if (is_solved(a) || !can_pivot(a->problem)) {
        return CAROM_OK;
    }
    const carom_status status = pivot(a, report);
    if (status == CAROM_STATUS_RAY) {
        return carom_report_say(
            report, status,
            "the contact problem has no solution: no impulses open all contacts "
            "that close");
    }
    keep_best(a, &best);
    return status == CAROM_STATUS_NOT_CONVERGED || status == CAROM_STATUS_SINGULAR ? CAROM_OK
                                                                                   : status;
}

/*
 * A normal row that no impulse in the cones can open: u_i <= q_i + sum_j (W_n + mu |W_t|)_ij r_j
 * < 0 where no term is positive.
 */
static bool is_closed_for_good(const carom_contact_problem *p, int block) {
    const int row = carom_contact_problem_row(p, block);
    if (block < p->joint_count || !(p->free_velocity[row] < 0.0)) {
        return false;
    }
    for (int k = p->start[block]; k < p->start[block + 1]; k++) {
        const double *W = p->entries + p->offset[k];
        if (p->column[k] < p->joint_count) {
            if (fabs(W[0]) > 0.0) {
                return false;
            }
            continue;
        }
        double tangential = 0.0;
        for (int a = 1; a <= p->tangent_count; a++) {
            tangential = hypot(tangential, W[a]);
        }
        if (W[0] + carom_contact_block_friction(p, p->column[k]) * tangential > 0.0) {
            return false;
        }
    }
    return true;
}

static carom_status check_rows(const carom_contact_problem *p, carom_report *report) {
    for (int i = p->joint_count; i < p->block_count; i++) {
        if (is_closed_for_good(p, i)) {
            return carom_report_say(report, CAROM_STATUS_RAY,
                                    "the contact problem has no solution: no impulse opens contact "
                                    "%d, which closes at %g m/s",
                                    i - p->joint_count,
                                    -p->free_velocity[carom_contact_problem_row(p, i)]);
        }
    }
    return CAROM_OK;
}

static carom_status run(attempt *a, carom_report *report) {
    certify(a);
    switch (a->params.method) {
    case CAROM_CONTACT_GAUSS_SEIDEL:
        sweep(a, 1.0, a->params.most_sweeps);
        return CAROM_OK;
    case CAROM_CONTACT_NEWTON:
        return iterate_newton(a, 1.0, a->params.most_newton_iterations);
    case CAROM_CONTACT_PIVOTING:
        return pivot(a, report);
    case CAROM_CONTACT_AUTOMATIC:
        break;
    }
    return solve_automatically(a, report);
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
    attempt a = {.solver = solver,
                 .problem = problem,
                 .params = params == NULL ? carom_contact_params_default() : *params,
                 .r = r,
                 .result = result};
    CAROM_TRY(check_rows(problem, report));
    CAROM_TRY(run(&a, report));
    certify(&a);
    if (u != NULL) {
        memcpy(u, solver->velocity, (size_t)problem->row_count * sizeof *u);
    }
    if (!is_solved(&a)) {
        carom_report_fail(report, CAROM_STATUS_NOT_CONVERGED, "contact", NAN,
                          result->certificate.worst - problem->joint_count);
        if (report != NULL) {
            report->residual = result->certificate.residual;
            report->iterations = result->sweeps + result->newton_iterations;
        }
        return CAROM_STATUS_NOT_CONVERGED;
    }
    return CAROM_OK;
}
