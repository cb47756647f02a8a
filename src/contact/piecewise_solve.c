#include <carom/contact/piecewise.h>

#include <math.h>
#include <string.h>

typedef carom_contact_piecewise path;

/* The compliance beside the residual, at most and at least; it falls at least to such a part with
 * each path, and grows by a factor where one does not end. */
static const double COMPLIANCE = 10.0;
static const double MOST_COMPLIANCE = 0.3;
static const double LEAST_COMPLIANCE = 1e-12;
static const double PROGRESS = 0.1;
static const double LESS_COMPLIANCE = 0.5;
static const double MORE_COMPLIANCE = 30.0;
/* Pivots of a path for the rows, and beside those; of the softest; paths that do not end, and that
 * bring no progress. */
enum {
    ROWS_OF_A_PIVOT = 10,
    MORE_PIVOTS = 50,
    MOST_PIVOTS_OF_A_ROW = 2,
    MOST_FAILURES = 16,
    PATIENCE = 40
};
/* Pivots of one path of Lemke's method for each row, and paths. */
enum { PIVOTS_OF_A_ROW = 50, MOST_DRAWS = 2 };

/* Towards the solution near impulses, from their pieces; where the determinant is negative there,
 * a path from there would not end. */
static carom_status begin(path *work, int draw, const double *r) {
    carom_piecewise_begin(work, CAROM_PIECEWISE_FROM_IMPULSES, draw, r);
    CAROM_TRY(carom_piecewise_aim(work));
    if (carom_piecewise_basis_sign(&work->basis) < 0) {
        carom_piecewise_begin(work, CAROM_PIECEWISE_FROM_STUCK, draw, r);
        return carom_piecewise_aim(work);
    }
    return CAROM_OK;
}

/* The compliance of the next path, by what the last has left of the residual. */
static double next_compliance(double compliance, double before, double after) {
    const double next = after < PROGRESS * before ? fmin(compliance, COMPLIANCE * after)
                                                  : LESS_COMPLIANCE * compliance;
    return fmin(fmax(next, LEAST_COMPLIANCE), MOST_COMPLIANCE);
}

carom_status carom_contact_piecewise_solve(path *work, const carom_contact_problem *problem,
                                           double tolerance, double *r, double *u,
                                           carom_contact_certificate *certificate, int *pivots) {
    CAROM_TRY(carom_piecewise_set(work, problem));
    const int rows = problem->row_count;
    const size_t bytes = (size_t)rows * sizeof *r;
    const int few = rows / ROWS_OF_A_PIVOT + MORE_PIVOTS;
    double *compliance = &work->basis.compliance;
    carom_contact_certify(problem, r, u, certificate);
    memcpy(work->best, r, bytes);
    double residual = certificate->residual;
    double best = residual;
    *compliance = next_compliance(MOST_COMPLIANCE, INFINITY, residual);
    bool goes_on = false;
    int failures = 0;
    int idle = 0;
    for (int k = 0; failures < MOST_FAILURES && idle < PATIENCE && best > tolerance; k++) {
        // What is soft has no turns: its path may be long.
        const int most = *compliance < MOST_COMPLIANCE ? few : MOST_PIVOTS_OF_A_ROW * rows;
        carom_status status = goes_on ? carom_piecewise_aim(work) : begin(work, k, r);
        status = status == CAROM_OK ? carom_piecewise_follow(work, most) : status;
        if (status == CAROM_STATUS_OUT_OF_MEMORY) {
            return status;
        }
        goes_on = status == CAROM_OK;
        if (!goes_on) {
            failures++;
            *compliance = fmin(MORE_COMPLIANCE * *compliance, MOST_COMPLIANCE);
            continue;
        }
        carom_piecewise_impulses(work, r);
        carom_contact_certify(problem, r, u, certificate);
        *compliance = next_compliance(*compliance, residual, certificate->residual);
        residual = certificate->residual;
        idle = residual < 0.5 * best ? 0 : idle + 1;
        if (residual < best) {
            best = residual;
            memcpy(work->best, r, bytes);
        }
    }
    memcpy(r, work->best, bytes);
    carom_contact_certify(problem, r, u, certificate);
    *pivots += work->pivots;
    return certificate->residual <= tolerance ? CAROM_OK : CAROM_STATUS_NOT_CONVERGED;
}

carom_status carom_contact_piecewise_pivot(path *work, const carom_contact_problem *problem,
                                           double *r, int *pivots) {
    CAROM_TRY(carom_piecewise_set(work, problem));
    carom_status status = CAROM_STATUS_NOT_CONVERGED;
    const double most = fmin(PIVOTS_OF_A_ROW * (double)problem->row_count, INT_MAX);
    for (int k = 0; k < MOST_DRAWS && status == CAROM_STATUS_NOT_CONVERGED; k++) {
        memset(r, 0, (size_t)problem->row_count * sizeof *r);
        work->basis.compliance = 0.0;
        carom_piecewise_begin(work, CAROM_PIECEWISE_FROM_OPEN, k, r);
        status = carom_piecewise_aim(work);
        status = status == CAROM_OK ? carom_piecewise_follow(work, (int)most) : status;
    }
    *pivots += work->pivots;
    if (status == CAROM_OK) {
        carom_piecewise_impulses(work, r);
    }
    return status;
}
