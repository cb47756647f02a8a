#include <carom/modes/impact_equations.h>

#include <carom/base/linear_algebra.h>

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/** Singular values below this fraction of the largest count as zero unless said otherwise: the
 * Jacobian is known to about 1e-14 of its entries. */
static const double RANK_THRESHOLD = 1e-11;

/** Weight of a vanishing lambda in a fit, against equations with kernels of order one. */
static const double GRAZING_WEIGHT = 100.0;

struct carom_impact_newton {
    const carom_modal_basis *basis;
    carom_impact_equations *equations;
    int impact_count;                        /**< k */
    int resonant_count;                      /**< r */
    int resonant[CAROM_IMPACT_RESONANT_MAX]; /**< modes of the present choice */
    int capacity;                            /**< 2k + 1 + 2 R */
    int row_capacity;                        /**< equations and conditions */
    int rows;                                /**< of the present system */
    double time_scale;
    double lambda_scale;
    double gap_scale;
    double rank_threshold;
    double *y;          /**< [capacity] physical unknowns */
    double *F;          /**< [row_capacity] physical residual */
    double *J;          /**< [row_capacity][capacity] physical Jacobian, rows as they come */
    double *residual;   /**< [row_capacity] scaled, projected */
    double *matrix;     /**< [row_capacity][capacity] scaled, projected */
    double *redundancy; /**< [row_capacity] scaled left null vector */
    double *bordered;   /**< [capacity + 1][capacity + 1] for the orientation */
    double *left;       /**< [row_capacity][capacity] of the decomposition */
    double *right;      /**< [capacity][capacity] */
    double *singular;   /**< [capacity] descending */
    double *work;       /**< [capacity] */
};

carom_status carom_impact_newton_alloc(const carom_modal_basis *basis, int impact_count,
                                       carom_impact_newton **out) {
    *out = NULL;
    carom_impact_equations *equations = NULL;
    CAROM_TRY(carom_impact_equations_alloc(basis, impact_count, &equations));
    // No more modes can be resonant than are visible.
    const int resonant_max = basis->visible_count < CAROM_IMPACT_RESONANT_MAX
                                 ? basis->visible_count
                                 : CAROM_IMPACT_RESONANT_MAX;
    const int capacity = 2 * impact_count + 1 + 2 * resonant_max;
    const int row_capacity = capacity + CAROM_IMPACT_CONDITIONS_MAX;
    const size_t c = (size_t)capacity;
    const size_t d = (size_t)row_capacity;
    carom_impact_newton *n = malloc(
        sizeof *n + (c + d + d * c + d + d * c + d + (c + 1) * (c + 1) + d * c + c * c + 2 * c) *
                        sizeof(double));
    if (n == NULL) {
        carom_impact_equations_free(equations);
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    *n = (carom_impact_newton){
        .basis = basis,
        .equations = equations,
        .impact_count = impact_count,
        .capacity = capacity,
        .row_capacity = row_capacity,
        .time_scale = 1.0,
        .lambda_scale = 1.0,
        .gap_scale = 1.0,
        .rank_threshold = RANK_THRESHOLD,
    };
    n->y = (double *)(n + 1);
    n->F = n->y + c;
    n->J = n->F + d;
    n->residual = n->J + d * c;
    n->matrix = n->residual + d;
    n->redundancy = n->matrix + d * c;
    n->bordered = n->redundancy + d;
    n->left = n->bordered + (c + 1) * (c + 1);
    n->right = n->left + d * c;
    n->singular = n->right + c * c;
    n->work = n->singular + c;
    *out = n;
    return CAROM_OK;
}

void carom_impact_newton_free(carom_impact_newton *newton) {
    if (newton != NULL) {
        carom_impact_equations_free(newton->equations);
        free(newton);
    }
}

int carom_impact_newton_capacity(const carom_impact_newton *newton) {
    return newton->capacity;
}

int carom_impact_newton_size(const carom_impact_newton *newton) {
    return 2 * newton->impact_count + 1 + 2 * newton->resonant_count;
}

void carom_impact_newton_set_scales(carom_impact_newton *newton, double time, double lambda,
                                    double gap) {
    newton->time_scale = time;
    newton->lambda_scale = lambda;
    newton->gap_scale = gap;
}

void carom_impact_newton_set_rank_threshold(carom_impact_newton *newton, double fraction) {
    newton->rank_threshold = fraction;
}

/** Unit of an unknown. */
static double column_scale(const carom_impact_newton *n, int column) {
    const int k = n->impact_count;
    if (column < k) {
        return n->time_scale;
    }
    return column == 2 * k ? n->gap_scale : n->lambda_scale;
}

/** Unit of an equation: velocities and resonances in that of lambda, gaps in that of the gap. */
static double row_scale(const carom_impact_newton *n, int row) {
    const int k = n->impact_count;
    return row >= k && row < 2 * k ? n->gap_scale : n->lambda_scale;
}

/** Physical unknowns of Y, to n->y. */
static void unscale(carom_impact_newton *n, const double *Y) {
    const int size = carom_impact_newton_size(n);
    for (int i = 0; i < size; i++) {
        n->y[i] = Y[i] * column_scale(n, i);
    }
}

static double period_of(const carom_impact_newton *n, const double *Y) {
    double period = 0.0;
    for (int i = 0; i < n->impact_count; i++) {
        period += Y[i] * n->time_scale;
    }
    return period;
}

void carom_impact_newton_choose_resonant(carom_impact_newton *newton, double *Y) {
    carom_impact_newton *n = newton;
    const int count = carom_impact_equations_choose_resonant(n->equations, period_of(n, Y),
                                                             CAROM_IMPACT_RESONANCE);
    const int *modes = carom_impact_equations_resonant_modes(n->equations);
    bool is_same = count == n->resonant_count;
    for (int i = 0; is_same && i < count; i++) {
        is_same = modes[i] == n->resonant[i];
    }
    if (is_same) {
        return;
    }
    // Amplitudes that are known already keep their values.
    double kept[2 * CAROM_IMPACT_RESONANT_MAX];
    const int first = 2 * n->impact_count + 1;
    memcpy(kept, Y + first, 2 * (size_t)n->resonant_count * sizeof(double));
    const int old_count = n->resonant_count;
    n->resonant_count = count;
    for (int i = 0; i < 2 * count; i++) {
        Y[first + i] = 0.0;
    }
    unscale(n, Y);
    carom_impact_equations_guess_resonant(n->equations, n->y);
    for (int i = 0; i < count; i++) {
        Y[first + 2 * i] = n->y[first + 2 * i] / n->lambda_scale;
        Y[first + 2 * i + 1] = n->y[first + 2 * i + 1] / n->lambda_scale;
        for (int j = 0; j < old_count; j++) {
            if (n->resonant[j] == modes[i]) {
                Y[first + 2 * i] = kept[2 * j];
                Y[first + 2 * i + 1] = kept[2 * j + 1];
            }
        }
    }
    memcpy(n->resonant, modes, (size_t)count * sizeof(int));
}

double carom_impact_newton_residual(carom_impact_newton *newton, const double *Y, double *norm) {
    carom_impact_newton *n = newton;
    const int equations = carom_impact_newton_size(n) - 1;
    unscale(n, Y);
    carom_impact_equations_evaluate(n->equations, n->y, n->F, NULL);
    double largest = 0.0;
    double sum = 0.0;
    for (int i = 0; i < equations; i++) {
        const double entry = n->F[i] / row_scale(n, i);
        // A NaN stays one.
        largest = fabs(entry) <= largest ? largest : fabs(entry);
        sum += entry * entry;
    }
    *norm = sqrt(sum);
    return largest;
}

double carom_impact_newton_rounding(const carom_impact_newton *newton, const double *Y) {
    double amplitude = 0.0;
    for (int i = newton->impact_count; i < carom_impact_newton_size(newton); i++) {
        amplitude = fmax(amplitude, fabs(Y[i]));
    }
    const double sensitivity = carom_impact_equations_phase_sensitivity(newton->equations);
    // A unit of lambda moves the contact by up to sqrt(G)/w; the gap may be small against that.
    const double reach =
        newton->basis->root_inverse_mass * newton->lambda_scale / newton->basis->frequency[0];
    return 4.0 * DBL_EPSILON * newton->impact_count * amplitude * sensitivity *
           fmax(1.0, reach / newton->gap_scale);
}

double carom_impact_newton_begin(carom_impact_newton *newton, const double *Y, bool is_projected) {
    carom_impact_newton *n = newton;
    const int size = carom_impact_newton_size(n);
    const int equations = size - 1;
    unscale(n, Y);
    carom_impact_equations_evaluate(n->equations, n->y, n->F, n->J);
    carom_impact_equations_redundancy(n->equations, n->y, n->redundancy);
    double square = 0.0;
    for (int i = 0; i < equations; i++) {
        n->redundancy[i] *= row_scale(n, i);
        square += n->redundancy[i] * n->redundancy[i];
    }
    const double factor = is_projected && square > 0.0 ? 1.0 / sqrt(square) : 0.0;
    double largest = 0.0;
    for (int i = 0; i < equations; i++) {
        n->redundancy[i] *= factor;
        n->residual[i] = n->F[i] / row_scale(n, i);
        largest = fabs(n->residual[i]) <= largest ? largest : fabs(n->residual[i]);
    }
    for (int j = 0; j < size; j++) {
        const double scale = column_scale(n, j);
        double column_along = 0.0;
        for (int i = 0; i < equations; i++) {
            const double entry = n->J[i * size + j] * (scale / row_scale(n, i));
            n->matrix[i * size + j] = entry;
            column_along += n->redundancy[i] * entry;
        }
        for (int i = 0; i < equations; i++) {
            n->matrix[i * size + j] -= n->redundancy[i] * column_along;
        }
    }
    n->rows = equations;
    return largest;
}

double *carom_impact_newton_add_row(carom_impact_newton *newton, double residual) {
    const int size = carom_impact_newton_size(newton);
    CAROM_ASSERT(newton->rows < newton->row_capacity);
    double *row = newton->matrix + newton->rows * size;
    memset(row, 0, (size_t)size * sizeof(double));
    newton->residual[newton->rows++] = residual;
    return row;
}

/** Decompose rows x columns of a matrix into left, singular, right. */
static carom_status decompose(carom_impact_newton *n, int rows, int columns) {
    for (int i = 0; i < rows * columns; i++) {
        if (!isfinite(n->left[i])) {
            return CAROM_STATUS_NOT_FINITE;
        }
    }
    gsl_matrix_view U = gsl_matrix_view_array(n->left, (size_t)rows, (size_t)columns);
    gsl_matrix_view V = gsl_matrix_view_array(n->right, (size_t)columns, (size_t)columns);
    gsl_vector_view S = gsl_vector_view_array(n->singular, (size_t)columns);
    gsl_vector_view work = gsl_vector_view_array(n->work, (size_t)columns);
    return carom_singular_values_compute(&U.matrix, &V.matrix, &S.vector, &work.vector);
}

carom_status carom_impact_newton_decompose(carom_impact_newton *newton) {
    const int size = carom_impact_newton_size(newton);
    memcpy(newton->left, newton->matrix, (size_t)newton->rows * (size_t)size * sizeof(double));
    return decompose(newton, newton->rows, size);
}

/** Least-squares solution of minimum norm of the decomposed system for a right-hand side [rows]. */
static void solve(const carom_impact_newton *n, int rows, int columns, const double *right_side,
                  double damping, double *solution) {
    const double largest = n->singular[0];
    const double mu = damping * largest;
    memset(solution, 0, (size_t)columns * sizeof(double));
    for (int c = 0; c < columns && n->singular[c] > n->rank_threshold * largest; c++) {
        double along = 0.0;
        for (int i = 0; i < rows; i++) {
            along += n->left[i * columns + c] * right_side[i];
        }
        const double s = n->singular[c];
        const double weight = along * s / (s * s + mu * mu);
        for (int j = 0; j < columns; j++) {
            solution[j] += weight * n->right[j * columns + c];
        }
    }
}

void carom_impact_newton_step(const carom_impact_newton *newton, double damping, double *step) {
    const int size = carom_impact_newton_size(newton);
    solve(newton, newton->rows, size, newton->residual, damping, step);
    for (int i = 0; i < size; i++) {
        step[i] = -step[i];
    }
}

double carom_impact_newton_singular_value(const carom_impact_newton *newton, int i) {
    const int size = carom_impact_newton_size(newton);
    return newton->singular[size - 1 - i] / newton->singular[0];
}

void carom_impact_newton_null_vector(const carom_impact_newton *newton, int i, double *vector) {
    const int size = carom_impact_newton_size(newton);
    for (int j = 0; j < size; j++) {
        vector[j] = newton->right[j * size + size - 1 - i];
    }
}

/** Column of the scaled matrix for the i-th of the unknowns that a fit looks for: lambda (unless
 * kept), then the amplitudes; the gap stands between them. */
static int sought_column(int impact_count, bool keep_lambda, int i) {
    if (keep_lambda) {
        return 2 * impact_count + 1 + i;
    }
    return i < impact_count ? impact_count + i : impact_count + 1 + i;
}

carom_status carom_impact_newton_fit(carom_impact_newton *newton, double *Y, bool keep_lambda,
                                     int grazing_impact) {
    carom_impact_newton *n = newton;
    const int k = n->impact_count;
    const int size = carom_impact_newton_size(n);
    const bool has_grazing = !keep_lambda && grazing_impact > 0;
    const int equations = size - 1;
    const int rows = has_grazing ? equations + 1 : equations;
    const int columns = keep_lambda ? 2 * n->resonant_count : size - 1 - k;
    if (columns == 0) {
        return CAROM_OK;
    }
    // The equations are linear in what is sought: what remains of them without it is the right-hand
    // side, and their columns are those of the Jacobian.
    for (int i = 0; i < columns; i++) {
        Y[sought_column(k, keep_lambda, i)] = 0.0;
    }
    (void)carom_impact_newton_begin(n, Y, false);
    if (has_grazing) {
        carom_impact_newton_add_row(n, 0.0)[k + grazing_impact - 1] = GRAZING_WEIGHT;
    }
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < columns; j++) {
            n->left[i * columns + j] = n->matrix[i * size + sought_column(k, keep_lambda, j)];
        }
    }
    CAROM_TRY(decompose(n, rows, columns));
    const bool is_homogeneous = !keep_lambda && !(fabs(Y[2 * k]) > 0.0);
    if (is_homogeneous) {
        for (int i = 0; i < columns; i++) {
            Y[sought_column(k, keep_lambda, i)] = n->right[i * columns + columns - 1];
        }
    } else {
        solve(n, rows, columns, n->residual, 0.0, n->y);
        for (int i = 0; i < columns; i++) {
            Y[sought_column(k, keep_lambda, i)] = -n->y[i];
        }
    }
    return CAROM_OK;
}

/** Sign of the determinant of a matrix [n][n], by elimination with row exchanges, in place. */
static int determinant_sign(double *A, int n) {
    int sign = 1;
    for (int c = 0; c < n; c++) {
        int pivot = c;
        for (int i = c + 1; i < n; i++) {
            pivot = fabs(A[i * n + c]) > fabs(A[pivot * n + c]) ? i : pivot;
        }
        const double value = A[pivot * n + c];
        if (!(fabs(value) > 0.0)) {
            return 0;
        }
        sign = (value < 0.0) != (pivot != c) ? -sign : sign;
        for (int j = c; j < n; j++) {
            const double entry = A[pivot * n + j];
            A[pivot * n + j] = A[c * n + j];
            A[c * n + j] = entry;
        }
        for (int i = c + 1; i < n; i++) {
            const double factor = A[i * n + c] / A[c * n + c];
            for (int j = c; j < n; j++) {
                A[i * n + j] -= factor * A[c * n + j];
            }
        }
    }
    return sign;
}

int carom_impact_newton_orientation(carom_impact_newton *newton, const double *tangent) {
    carom_impact_newton *n = newton;
    const int size = carom_impact_newton_size(n);
    const int order = size + 1;
    CAROM_ASSERT(n->rows == size);
    memset(n->bordered, 0, (size_t)order * (size_t)order * sizeof(double));
    for (int i = 0; i < size; i++) {
        for (int j = 0; j < size; j++) {
            n->bordered[i * order + j] = n->matrix[i * size + j];
        }
        n->bordered[size * order + i] = tangent[i];
    }
    // The redundancy concerns the equations, not the condition below them.
    for (int i = 0; i < size - 1; i++) {
        n->bordered[i * order + size] = n->redundancy[i];
    }
    return determinant_sign(n->bordered, order);
}

void carom_impact_newton_state(carom_impact_newton *newton, const double *Y, double *state) {
    unscale(newton, Y);
    carom_impact_equations_state(newton->equations, newton->y, state);
}
