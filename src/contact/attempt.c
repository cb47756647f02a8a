#include <carom/contact/attempt.h>

#include <float.h>
#include <math.h>
#include <string.h>

typedef carom_attempt attempt;

/* Sweeps between looks at the certificate at most, a product with W beside ten being little. */
enum { SWEEPS_BETWEEN_LOOKS = 10 };

/* Contacts in the plane whose path begins with all of them open, where none else ends. */
enum { MOST_OPENED_CONTACTS = 256 };

static double beside_data(const carom_contact_certificate *c) {
    return (c->residual + DBL_EPSILON) * fmin(c->growth, DBL_MAX);
}

double carom_attempt_badness(const attempt *a, const carom_contact_certificate *c) {
    return a->verdict == CAROM_ATTEMPT_HAS_SOLUTION
               ? c->residual
               : fmax(c->residual, beside_data(c) * sqrt(a->params.tolerance));
}

/*
 * With W = J M^-1 J' there are velocities that open all contacts, J_n v + w >= 0, and then a
 * solution with friction (Klarbring and Pang 1998), or z >= 0 with J_n' z = 0, w'z < 0 (Farkas),
 * and then none without friction either: Lemke's method on the normals alone decides, in space too.
 */
void carom_attempt_ask(attempt *a) {
    const carom_contact_problem *p = a->problem;
    if (a->verdict != CAROM_ATTEMPT_NOT_ASKED) {
        return;
    }
    a->verdict = CAROM_ATTEMPT_UNDECIDED;
    if (p->contact_count <= CAROM_ATTEMPT_MOST_PIVOTED && carom_contact_is_semidefinite(p)) {
        const carom_status status = carom_contact_pivot(a->solver->pivoting, p, false,
                                                        a->solver->trial, &a->result->pivots, NULL);
        a->verdict = status == CAROM_OK           ? CAROM_ATTEMPT_HAS_SOLUTION
                     : status == CAROM_STATUS_RAY ? CAROM_ATTEMPT_HAS_NONE
                                                  : CAROM_ATTEMPT_UNDECIDED;
    }
}

bool carom_attempt_is_settled(attempt *a) {
    const carom_contact_certificate *c = &a->result->certificate;
    if (a->params.method == CAROM_CONTACT_AUTOMATIC && c->residual <= a->params.tolerance &&
        c->growth > CAROM_ATTEMPT_LARGE_GROWTH && beside_data(c) > a->params.tolerance) {
        carom_attempt_ask(a);
    }
    return a->verdict == CAROM_ATTEMPT_HAS_NONE ||
           carom_attempt_badness(a, c) <= a->params.tolerance;
}

/* Of a residual that is small beside the data too, if impulses stay as large. */
static double inner_tolerance(const attempt *a, double growth) {
    const double tolerance = a->params.tolerance;
    return tolerance / fmax(1.0, fmin(growth, DBL_MAX) * sqrt(tolerance));
}

void carom_attempt_certify(attempt *a) {
    if (!a->is_certified) {
        carom_contact_certify(a->problem, a->r, a->solver->velocity, &a->result->certificate);
        a->is_certified = true;
    }
}

/* Keep r where it is better than the best so far. @return whether it is */
static bool keep_better(attempt *a) {
    if (!isnan(a->best.residual) &&
        !(carom_attempt_badness(a, &a->result->certificate) < carom_attempt_badness(a, &a->best))) {
        return false;
    }
    a->best = a->result->certificate;
    memcpy(a->solver->best, a->r, (size_t)a->problem->row_count * sizeof *a->r);
    return true;
}

void carom_attempt_keep_best(attempt *a) {
    if (!keep_better(a)) {
        a->result->certificate = a->best;
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
    carom_attempt_certify(a);
}

void carom_attempt_sweep(attempt *a, int patience, double part) {
    carom_contact_sweeps sweeps = {.before = a->solver->before, .direction = a->solver->direction};
    double goal = INFINITY;
    int count = 0;
    int end = 0;
    memset(sweeps.direction, 0, (size_t)a->problem->row_count * sizeof *sweeps.direction);
    while (!carom_attempt_is_settled(a) && a->result->sweeps < a->params.most_sweeps) {
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
    if (carom_attempt_is_settled(a) && count > 0) {
        a->result->method = CAROM_CONTACT_GAUSS_SEIDEL;
    }
}

carom_status carom_attempt_iterate_newton(attempt *a, carom_contact_newton_params params) {
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

carom_status carom_attempt_say_none(carom_report *report) {
    return carom_report_say(report, CAROM_STATUS_RAY,
                            "the contact problem has no solution within 1e9 times the impulses "
                            "that stop its contacts one by one");
}

carom_status carom_attempt_pivot(attempt *a, carom_report *report) {
    const carom_status status = carom_contact_pivot(a->solver->pivoting, a->problem, true, a->r,
                                                    &a->result->pivots, report);
    if (status == CAROM_STATUS_RAY) {
        return carom_attempt_say_none(report);
    }
    CAROM_TRY(status);
    enter_cones(a);
    a->result->method = CAROM_CONTACT_PIVOTING;
    return CAROM_OK;
}

static carom_status follow_from(attempt *a) {
    a->is_certified = false;
    const carom_status status = carom_contact_piecewise_solve(
        a->solver->piecewise, a->problem, inner_tolerance(a, a->best.growth), a->r,
        a->solver->velocity, &a->result->certificate, &a->result->pivots);
    if (status == CAROM_OK) {
        a->result->method = CAROM_CONTACT_PIVOTING;
        enter_cones(a);
    }
    carom_attempt_keep_best(a);
    return status;
}

carom_status carom_attempt_follow_pieces(attempt *a) {
    if (carom_attempt_is_settled(a) || a->problem->tangent_count == 2 ||
        a->params.most_newton_iterations == 0) {
        return CAROM_OK;
    }
    carom_status status = follow_from(a);
    if (status == CAROM_STATUS_NOT_CONVERGED && a->problem->contact_count <= MOST_OPENED_CONTACTS) {
        status = carom_contact_piecewise_pivot(a->solver->piecewise, a->problem, a->r,
                                               &a->result->pivots);
        status = status == CAROM_OK ? follow_from(a) : status;
        carom_attempt_keep_best(a);
    }
    return status == CAROM_STATUS_OUT_OF_MEMORY ? status : CAROM_OK;
}

/* What a path has left is an answer, nothing, or near one, often with its states. */
static carom_status end_path(attempt *a, carom_status status) {
    if (status == CAROM_OK || status == CAROM_STATUS_NOT_CONVERGED) {
        enter_cones(a);
    }
    if (status == CAROM_OK) {
        a->result->method = CAROM_CONTACT_NEWTON;
    } else if (status == CAROM_STATUS_NOT_CONVERGED &&
               a->result->certificate.residual <= CAROM_CONTACT_NEAR_ANSWER) {
        if (a->problem->tangent_count == 2) {
            (void)keep_better(a);
            CAROM_TRY(
                carom_attempt_iterate_newton(a, (carom_contact_newton_params){.stiffening = 1.0}));
            carom_attempt_keep_best(a);
        }
        carom_attempt_sweep(a, CAROM_ATTEMPT_FIRST_PATIENCE, 0.1);
    } else {
        a->result->certificate.residual = INFINITY;
    }
    carom_attempt_keep_best(a);
    return status;
}

carom_status carom_attempt_follow_central_path(attempt *a, int *starts) {
    const int most = a->params.most_newton_iterations / 2 - a->result->newton_iterations;
    a->is_certified = false;
    const carom_status status = carom_contact_interior_point_solve(
        a->solver->interior, a->problem, inner_tolerance(a, a->best.growth), most, starts, a->r,
        a->solver->velocity, &a->result->certificate, &a->result->newton_iterations);
    return end_path(a, status);
}

carom_status carom_attempt_follow_turns(attempt *a) {
    carom_status status = CAROM_OK;
    const int most = a->params.most_newton_iterations;
    for (int k = 0; k < CAROM_CONTACT_MOST_PATHS && most > 0 && !carom_attempt_is_settled(a); k++) {
        const double all = fmin((double)CAROM_CONTACT_MOST_PATHS * most, INT_MAX);
        const int left = (int)all - a->path_iterations;
        a->is_certified = false;
        status = carom_contact_path_solve(
            a->solver->path, a->problem, k, inner_tolerance(a, a->best.growth),
            a->problem->tangent_count < 2 ? (int)fmin(most, left) : left, a->r, a->solver->velocity,
            &a->result->certificate, &a->path_iterations);
        status = end_path(a, status);
        if (status != CAROM_OK && status != CAROM_STATUS_NOT_CONVERGED) {
            break;
        }
    }
    return status == CAROM_STATUS_OUT_OF_MEMORY ? status : CAROM_OK;
}
