#include <carom/base/linear_algebra.h>

#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Diagonal of R below this fraction of the largest entry: dependent. Redundant constraints leave
 * 1e-16, the worst-conditioned regular Newton matrices of the models 1e-6. */
static const double RANK_TOLERANCE = 1e-11;

struct carom_minimum_norm {
    int n;
    bool is_deficient;       /* the last matrix needed the orthogonal decomposition */
    carom_factor *factor;    /* LU, the regular case */
    gsl_matrix *orthogonal;  /* [n][n] complete orthogonal decomposition */
    gsl_vector *tau_q;       /* [n] */
    gsl_vector *tau_z;       /* [n] */
    gsl_vector *scratch;     /* [n] */
    gsl_vector *right;       /* [n] */
    gsl_vector *residual;    /* [n] */
    gsl_permutation *pivots; /* [n] */
    size_t rank;
};

carom_status carom_minimum_norm_alloc(int n, carom_minimum_norm **out) {
    *out = NULL;
    CAROM_AUTO(carom_minimum_norm) solver = calloc(1, sizeof *solver);
    if (solver == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    solver->n = n;
    if (n == 0) {
        CAROM_HAND_OVER(solver, out);
        return CAROM_OK;
    }
    CAROM_TRY(carom_factor_alloc(carom_layout_full(n), &solver->factor));
    carom_factor_set_least_pivot(solver->factor, RANK_TOLERANCE);
    const size_t size = (size_t)n;
    solver->orthogonal = gsl_matrix_alloc(size, size);
    solver->tau_q = gsl_vector_alloc(size);
    solver->tau_z = gsl_vector_alloc(size);
    solver->scratch = gsl_vector_alloc(size);
    solver->right = gsl_vector_alloc(size);
    solver->residual = gsl_vector_alloc(size);
    solver->pivots = gsl_permutation_alloc(size);
    if (solver->orthogonal == NULL || solver->tau_q == NULL || solver->tau_z == NULL ||
        solver->scratch == NULL || solver->right == NULL || solver->residual == NULL ||
        solver->pivots == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_HAND_OVER(solver, out);
    return CAROM_OK;
}

void carom_minimum_norm_free(carom_minimum_norm *solver) {
    if (solver == NULL) {
        return;
    }
    carom_factor_free(solver->factor);
    gsl_matrix_free(solver->orthogonal);
    gsl_vector_free(solver->tau_q);
    gsl_vector_free(solver->tau_z);
    gsl_vector_free(solver->scratch);
    gsl_vector_free(solver->right);
    gsl_vector_free(solver->residual);
    gsl_permutation_free(solver->pivots);
    free(solver);
}

carom_status carom_minimum_norm_compute_regular(carom_minimum_norm *solver, const double *A) {
    solver->is_deficient = false;
    return solver->n == 0 ? CAROM_OK : carom_factor_compute(solver->factor, A);
}

carom_status carom_minimum_norm_compute(carom_minimum_norm *solver, const double *A) {
    const carom_status status = carom_minimum_norm_compute_regular(solver, A);
    if (status != CAROM_STATUS_SINGULAR) {
        return status;
    }
    /* no pivot left: the rank decides */
    const size_t entry_count = (size_t)solver->n * (size_t)solver->n;
    double largest = 0.0;
    for (size_t k = 0; k < entry_count; k++) {
        largest = fmax(largest, fabs(A[k]));
    }
    memcpy(solver->orthogonal->data, A, entry_count * sizeof *A);
    const int code =
        gsl_linalg_COD_decomp_e(solver->orthogonal, solver->tau_q, solver->tau_z, solver->pivots,
                                RANK_TOLERANCE * largest, &solver->rank, solver->scratch);
    solver->is_deficient = true;
    return code == GSL_SUCCESS ? CAROM_OK : CAROM_STATUS_NOT_FINITE;
}

carom_status carom_minimum_norm_solve(carom_minimum_norm *solver, double *b) {
    if (solver->n == 0) {
        return CAROM_OK;
    }
    for (int i = 0; i < solver->n; i++) {
        if (!isfinite(b[i])) {
            return CAROM_STATUS_NOT_FINITE;
        }
    }
    if (!solver->is_deficient) {
        carom_factor_solve(solver->factor, b);
    } else if (solver->rank == 0) {
        memset(b, 0, (size_t)solver->n * sizeof *b);
    } else {
        memcpy(solver->right->data, b, (size_t)solver->n * sizeof *b);
        gsl_vector_view solution = gsl_vector_view_array(b, (size_t)solver->n);
        const int code =
            gsl_linalg_COD_lssolve(solver->orthogonal, solver->tau_q, solver->tau_z, solver->pivots,
                                   solver->rank, solver->right, &solution.vector, solver->residual);
        if (code != GSL_SUCCESS) {
            return CAROM_STATUS_NOT_FINITE;
        }
    }
    for (int i = 0; i < solver->n; i++) {
        if (!isfinite(b[i])) {
            return CAROM_STATUS_NOT_FINITE;
        }
    }
    return CAROM_OK;
}
