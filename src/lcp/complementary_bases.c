#include <carom/lcp/active_set.h>
#include <carom/lcp/lemke_internal.h>

#include <gsl/gsl_linalg.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct carom_lcp_bases_workspace {
    int capacity;
    double *row;       /**< [n] R */
    double *column;    /**< [n] C */
    double *matrix;    /**< [n][n] M' = R M C */
    double *constant;  /**< [n] q' = R q / unit */
    double *factors;   /**< [m][m] of M'_aa */
    int *members;      /**< [m] of a */
    int *order;        /**< [m] columns as they were eliminated */
    double *unknowns;  /**< [n] z'_a; or z'_a, w'_b of the nonnegative problem */
    double *z;         /**< [n] z', then z */
    double *columns;   /**< [n][n] passive columns of (M'_a, -I_b) */
    double *tau;       /**< [n] of their QR factors */
    double *target;    /**< [n] -q' */
    double *rest;      /**< [n] -q' - (M' z' - w') */
    double *passive_x; /**< [n] least squares on the passive columns */
    int *passive;      /**< [n] their indices */
};

/** A pivot of complete elimination below this, entries being of size 1, is one of a singular M_aa.
 */
static const double SINGULAR_PIVOT = 1e-11;

/** A gradient of the nonnegative least-squares problem below this is rounding, q' of size 1. */
static const double LEAST_GRADIENT = 1e-14;

/** Steps of that problem for each unknown: a few are usual. */
enum { STEPS_PER_UNKNOWN = 6 };

carom_status carom_lcp_bases_workspace_alloc(int n, carom_lcp_bases_workspace **out) {
    CAROM_ASSERT(out != NULL && n >= 1);
    *out = NULL;
    if (n > CAROM_LCP_BASES_MOST) {
        return CAROM_STATUS_OUT_OF_RANGE;
    }
    CAROM_AUTO(carom_lcp_bases_workspace) work = calloc(1, sizeof *work);
    if (work == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    const size_t size = (size_t)n;
    double **const vectors[] = {&work->row,      &work->column, &work->constant,
                                &work->unknowns, &work->z,      &work->tau,
                                &work->target,   &work->rest,   &work->passive_x};
    double **const matrices[] = {&work->matrix, &work->factors, &work->columns};
    int **const indices[] = {&work->members, &work->order, &work->passive};
    bool is_complete = true;
    for (size_t k = 0; k < sizeof vectors / sizeof vectors[0]; k++) {
        *vectors[k] = calloc(size, sizeof(double));
        is_complete = is_complete && *vectors[k] != NULL;
    }
    for (size_t k = 0; k < 3; k++) {
        *matrices[k] = calloc(size * size, sizeof(double));
        *indices[k] = calloc(size, sizeof(int));
        is_complete = is_complete && *matrices[k] != NULL && *indices[k] != NULL;
    }
    work->capacity = n;
    if (!is_complete) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_HAND_OVER(work, out);
    return CAROM_OK;
}

void carom_lcp_bases_workspace_free(carom_lcp_bases_workspace *work) {
    if (work == NULL) {
        return;
    }
    free(work->row);
    free(work->column);
    free(work->matrix);
    free(work->constant);
    free(work->factors);
    free(work->members);
    free(work->order);
    free(work->unknowns);
    free(work->z);
    free(work->columns);
    free(work->tau);
    free(work->target);
    free(work->rest);
    free(work->passive_x);
    free(work->passive);
    free(work);
}

/** The indices of a set; how many. */
static int list_members(int n, unsigned set, int *members) {
    int count = 0;
    for (int i = 0; i < n; i++) {
        if ((set >> i & 1u) != 0) {
            members[count++] = i;
        }
    }
    return count;
}

/** Largest entry of the rest of the matrix to row and column k; its size. */
static double bring_pivot(int m, int k, carom_lcp_bases_workspace *work, double *x, int *sign) {
    double *A = work->factors;
    int row = k;
    int column = k;
    for (int i = k; i < m; i++) {
        for (int j = k; j < m; j++) {
            if (fabs(A[i * m + j]) > fabs(A[row * m + column])) {
                row = i;
                column = j;
            }
        }
    }
    for (int j = 0; j < m && row != k; j++) {
        const double kept = A[k * m + j];
        A[k * m + j] = A[row * m + j];
        A[row * m + j] = kept;
    }
    for (int i = 0; i < m && column != k; i++) {
        const double kept = A[i * m + k];
        A[i * m + k] = A[i * m + column];
        A[i * m + column] = kept;
    }
    const double kept_x = x[k];
    x[k] = x[row];
    x[row] = kept_x;
    const int kept_column = work->order[k];
    work->order[k] = work->order[column];
    work->order[column] = kept_column;
    *sign *= (row != k) == (column != k) ? 1 : -1;
    *sign *= A[k * m + k] > 0.0 ? 1 : -1;
    return fabs(A[k * m + k]);
}

/**
 * Solve M'_aa z'_a = -q'_a by elimination with complete pivoting into `z`, zero elsewhere. Sign of
 * the determinant; 0 if M'_aa is singular.
 */
static int solve_on_set(int n, int m, carom_lcp_bases_workspace *work) {
    double *A = work->factors;
    double *x = work->unknowns;
    for (int k = 0; k < m; k++) {
        const int i = work->members[k];
        x[k] = -work->constant[i];
        work->order[k] = i;
        for (int l = 0; l < m; l++) {
            A[k * m + l] = work->matrix[i * n + work->members[l]];
        }
    }
    int sign = 1;
    for (int k = 0; k < m; k++) {
        if (!(bring_pivot(m, k, work, x, &sign) > SINGULAR_PIVOT)) {
            return 0;
        }
        for (int i = k + 1; i < m; i++) {
            const double factor = A[i * m + k] / A[k * m + k];
            for (int j = k + 1; j < m; j++) {
                A[i * m + j] -= factor * A[k * m + j];
            }
            x[i] -= factor * x[k];
        }
    }
    memset(work->z, 0, (size_t)n * sizeof(double));
    for (int k = m - 1; k >= 0; k--) {
        for (int j = k + 1; j < m; j++) {
            x[k] -= A[k * m + j] * x[j];
        }
        x[k] /= A[k * m + k];
        work->z[work->order[k]] = x[k];
    }
    return sign;
}

/** Entry i of column j of (M'_a, -I_b), column j that of z'_j or w'_j. */
static double basis_entry(int n, unsigned set, int i, int j,
                          const carom_lcp_bases_workspace *work) {
    if ((set >> j & 1u) != 0) {
        return work->matrix[i * n + j];
    }
    return i == j ? -1.0 : 0.0;
}

/** Least squares on the passive columns into passive_x. */
static void solve_passive(int n, int count, unsigned set, carom_lcp_bases_workspace *work) {
    const size_t columns = (size_t)count;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < count; k++) {
            work->columns[i * count + k] = basis_entry(n, set, i, work->passive[k], work);
        }
    }
    gsl_matrix_view A = gsl_matrix_view_array(work->columns, (size_t)n, columns);
    gsl_vector_view tau = gsl_vector_view_array(work->tau, columns);
    gsl_vector_const_view b = gsl_vector_const_view_array(work->target, (size_t)n);
    gsl_vector_view x = gsl_vector_view_array(work->passive_x, columns);
    gsl_vector_view rest = gsl_vector_view_array(work->rest, (size_t)n);
    (void)gsl_linalg_QR_decomp(&A.matrix, &tau.vector);
    (void)gsl_linalg_QR_lssolve(&A.matrix, &tau.vector, &b.vector, &x.vector, &rest.vector);
}

/** rest = -q' - B x; the column outside the passive ones along which it falls fastest, -1: none. */
static int steepest_column(int n, unsigned set, carom_lcp_bases_workspace *work) {
    for (int i = 0; i < n; i++) {
        work->rest[i] = work->target[i];
        for (int j = 0; j < n; j++) {
            work->rest[i] -= basis_entry(n, set, i, j, work) * work->unknowns[j];
        }
    }
    int steepest = -1;
    double largest = LEAST_GRADIENT;
    for (int j = 0; j < n; j++) {
        double gradient = 0.0;
        for (int i = 0; i < n; i++) {
            gradient += basis_entry(n, set, i, j, work) * work->rest[i];
        }
        // Passive ones have none but rounding.
        if (!(work->unknowns[j] > 0.0) && gradient > largest) {
            largest = gradient;
            steepest = j;
        }
    }
    return steepest;
}

/** Go from x to the least-squares point as far as signs allow; whether it is reached. Columns that
 * come to zero on the way leave. */
static bool step_to_passive(int *count, carom_lcp_bases_workspace *work) {
    double *x = work->unknowns;
    double step = 1.0;
    int first = -1;
    for (int k = 0; k < *count; k++) {
        const int j = work->passive[k];
        if (!(work->passive_x[k] > 0.0)) {
            const double ratio = x[j] > 0.0 ? x[j] / (x[j] - work->passive_x[k]) : 0.0;
            if (first < 0 || ratio < step) {
                step = ratio;
                first = k;
            }
        }
    }
    int kept = 0;
    for (int k = 0; k < *count; k++) {
        const int j = work->passive[k];
        x[j] += step * (work->passive_x[k] - x[j]);
        const bool leaves = first >= 0 && (k == first || !(x[j] > 0.0));
        x[j] = leaves ? 0.0 : x[j];
        work->passive[kept] = j;
        kept += !leaves;
    }
    *count = kept;
    return first < 0;
}

/** min |M' z' - w' + q'| over z'_a, w'_b >= 0 by Lawson and Hanson's method; z' into `z`. */
static void solve_nonnegative(int n, unsigned set, carom_lcp_bases_workspace *work) {
    int count = 0;
    for (int i = 0; i < n; i++) {
        work->unknowns[i] = 0.0;
        work->target[i] = -work->constant[i];
    }
    bool is_open = true;
    for (int step = 0; is_open && step < STEPS_PER_UNKNOWN * n; step++) {
        const int entering = count < n ? steepest_column(n, set, work) : -1;
        is_open = entering >= 0;
        if (is_open) {
            work->passive[count++] = entering;
            do {
                solve_passive(n, count, set, work);
            } while (!step_to_passive(&count, work) && count > 0);
        }
    }
    for (int i = 0; i < n; i++) {
        work->z[i] = (set >> i & 1u) != 0 ? work->unknowns[i] : 0.0;
    }
}

/** Whether z'_a >= 0, w'_a = 0 and w'_b >= 0 up to the tolerance; negative z' become zero. */
static bool satisfies_set(int n, unsigned set, double tolerance, carom_lcp_bases_workspace *work) {
    bool holds = true;
    for (int i = 0; i < n; i++) {
        holds = holds && work->z[i] >= -tolerance;
        work->z[i] = work->z[i] > 0.0 ? work->z[i] : 0.0;
    }
    for (int i = 0; i < n && holds; i++) {
        const double w =
            work->constant[i] + carom_lcp_inner_product(n, work->matrix + i * n, work->z);
        holds = ((set >> i & 1u) != 0 ? fabs(w) : -w) <= tolerance;
    }
    return holds;
}

/** M', q' and the power of two by which q' is divided. */
static double load(int n, const double *M, const double *q, carom_lcp_bases_workspace *work) {
    carom_lcp_scale(n, M, work->row, work->column);
    double largest = 0.0;
    for (int i = 0; i < n; i++) {
        largest = fmax(largest, fabs(q[i]) * work->row[i]);
    }
    const double unit = largest > 0.0 ? carom_lcp_power_above(largest) : 1.0;
    for (int i = 0; i < n; i++) {
        work->constant[i] = q[i] * work->row[i] / unit;
        for (int j = 0; j < n; j++) {
            work->matrix[i * n + j] = work->row[i] * M[i * n + j] * work->column[j];
        }
    }
    return unit;
}

static bool is_finite(int count, const double *x) {
    for (int k = 0; k < count; k++) {
        if (!isfinite(x[k])) {
            return false;
        }
    }
    return true;
}

carom_status carom_lcp_enumerate_bases(int n, const double *M, const double *q, double tolerance,
                                       carom_lcp_basis_visitor visit, void *context,
                                       carom_lcp_bases_workspace *work, int *count) {
    CAROM_ASSERT(work != NULL && n >= 0 && n <= work->capacity);
    CAROM_ASSERT(n == 0 || (M != NULL && q != NULL));
    int found = 0;
    if (count != NULL) {
        *count = 0;
    }
    if (!is_finite(n * n, M) || !is_finite(n, q)) {
        return CAROM_STATUS_NOT_FINITE;
    }
    const double unit = load(n, M, q, work);
    bool goes_on = true;
    for (unsigned set = 0; goes_on && set < 1u << n; set++) {
        const int m = list_members(n, set, work->members);
        const int sign = solve_on_set(n, m, work);
        if (sign == 0) {
            solve_nonnegative(n, set, work);
        }
        if (satisfies_set(n, set, tolerance, work)) {
            for (int i = 0; i < n; i++) {
                work->z[i] *= work->column[i] * unit;
            }
            const carom_lcp_basis basis = {.set = set,
                                           .index = sign,
                                           .residual = carom_lcp_residual(n, M, q, work->z),
                                           .z = work->z};
            found++;
            goes_on = visit(&basis, context);
        }
    }
    if (count != NULL) {
        *count = found;
    }
    return CAROM_OK;
}
