#include <carom/collisionless/roots/internal.h>

#include <carom/base/linear_algebra.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/** Quadratic convergence takes 5 to 8 iterations from a fair guess. */
enum { MAX_ITERATIONS = 40 };

/** Longest step of a time in units of 1/kappa: a third of a radian of the fastest mode. */
static const double LONGEST_STEP = 0.35;

/** A residual |Z u| that counts as zero: some roundings of a matrix of norm 1, times N and the
 * radians up to the times, whose last digit turns the angles. */
static const double RESIDUAL_TOLERANCE = 64.0 * DBL_EPSILON;

/** At times so long that angles have no digits left to speak of, nothing counts as a root. */
static const double LARGEST_RESIDUAL = 1e-6;

/** A derivative whose least singular value is below this has lost its rank as far as parts of the
 * box that are given up (root_subdivision.c) can tell. */
static const double LOST_STRENGTH = 1e-5;

/** Quadratic convergence across the curve, from within the parts given up. */
enum { SINGULAR_ITERATIONS = 4 };

struct carom_root_newton {
    carom_impact_matrix *matrix; /**< borrowed */
    int mode_count;              /**< N */
    double *Z;                   /**< [N][N-1] */
    double *Z_time;              /**< [N][N-1] */
    double *Z_constrained;       /**< [N][N-1] */
    double *border;              /**< a [N-1] */
    double *null_vector;         /**< u [N-1] */
    double *system;              /**< [N+1][N+1] */
    double *step;                /**< [N+1] */
    carom_factor *factor;        /**< of the system */
    gsl_matrix *derivative;      /**< A, N x N */
    gsl_matrix *vectors;         /**< N x N */
    gsl_vector *values;          /**< N */
};

carom_status carom_root_newton_alloc(carom_impact_matrix *matrix, carom_root_newton **out) {
    *out = NULL;
    CAROM_AUTO(carom_root_newton) newton = calloc(1, sizeof *newton);
    if (newton == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    const int mode_count = carom_impact_matrix_spectra(matrix)->mode_count;
    const size_t N = (size_t)mode_count;
    newton->matrix = matrix;
    newton->mode_count = mode_count;
    newton->Z = malloc(N * (N - 1) * sizeof *newton->Z);
    newton->Z_time = malloc(N * (N - 1) * sizeof *newton->Z_time);
    newton->Z_constrained = malloc(N * (N - 1) * sizeof *newton->Z_constrained);
    newton->border = malloc((N - 1) * sizeof *newton->border);
    newton->null_vector = malloc((N - 1) * sizeof *newton->null_vector);
    newton->system = malloc((N + 1) * (N + 1) * sizeof *newton->system);
    newton->step = malloc((N + 1) * sizeof *newton->step);
    newton->derivative = gsl_matrix_alloc(N, N);
    newton->vectors = gsl_matrix_alloc(N, N);
    newton->values = gsl_vector_alloc(N);
    if (newton->Z == NULL || newton->Z_time == NULL || newton->Z_constrained == NULL ||
        newton->border == NULL || newton->null_vector == NULL || newton->system == NULL ||
        newton->step == NULL || newton->derivative == NULL || newton->vectors == NULL ||
        newton->values == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_TRY(carom_factor_alloc(carom_layout_full(mode_count + 1), &newton->factor));
    CAROM_HAND_OVER(newton, out);
    return CAROM_OK;
}

void carom_root_newton_free(carom_root_newton *newton) {
    if (newton == NULL) {
        return;
    }
    gsl_vector_free(newton->values);
    gsl_matrix_free(newton->vectors);
    gsl_matrix_free(newton->derivative);
    carom_factor_free(newton->factor);
    free(newton->step);
    free(newton->system);
    free(newton->null_vector);
    free(newton->border);
    free(newton->Z_constrained);
    free(newton->Z_time);
    free(newton->Z);
    free(newton);
}

/** Row i of a matrix [N][N-1] times u. */
static double row_product(const carom_root_newton *newton, const double *matrix, int i,
                          const double *u) {
    const int columns = newton->mode_count - 1;
    double sum = 0.0;
    for (int j = 0; j < columns; ++j) {
        sum += matrix[i * columns + j] * u[j];
    }
    return sum;
}

/** The residuals (Z u, a'u - 1) into step; returns |Z u|/|u|. */
static double evaluate_residual(carom_root_newton *newton, const double *times) {
    const int N = newton->mode_count;
    const double *u = newton->null_vector;
    carom_impact_matrix_evaluate(newton->matrix, times[0], times[1], newton->Z, newton->Z_time,
                                 newton->Z_constrained);
    double square = 0.0;
    for (int i = 0; i < N; ++i) {
        newton->step[i] = row_product(newton, newton->Z, i, u);
        square += newton->step[i] * newton->step[i];
    }
    double length = 0.0;
    double along = -1.0;
    for (int j = 0; j < N - 1; ++j) {
        along += newton->border[j] * u[j];
        length += u[j] * u[j];
    }
    newton->step[N] = along;
    return sqrt(square / length);
}

/*[borderedNewton]*/
/** One Newton step of (u, tau, tau'): [Z, Z_tau u, Z_tau' u; a', 0, 0] step = (Z u, a'u - 1). */
static carom_status solve_step(carom_root_newton *newton) {
    const int N = newton->mode_count;
    const int columns = N - 1;
    // Times in the power of two of a second next to 1/kappa: then all entries are numbers of 1.
    const double unit = exp2(-ilogb(carom_impact_matrix_frequency_scale(newton->matrix)));
    memset(newton->system, 0, (size_t)(N + 1) * (size_t)(N + 1) * sizeof *newton->system);
    for (int i = 0; i < N; ++i) {
        double *row = newton->system + i * (N + 1);
        memcpy(row, newton->Z + i * columns, (size_t)columns * sizeof *row);
        row[N - 1] = unit * row_product(newton, newton->Z_time, i, newton->null_vector);
        row[N] = unit * row_product(newton, newton->Z_constrained, i, newton->null_vector);
    }
    memcpy(newton->system + N * (N + 1), newton->border, (size_t)columns * sizeof *newton->border);
    CAROM_TRY(carom_factor_compute(newton->factor, newton->system));
    carom_factor_solve(newton->factor, newton->step);
    newton->step[N - 1] *= unit;
    newton->step[N] *= unit;
    return CAROM_OK;
}
/*[end borderedNewton]*/

/** Take the step, shortened so that no time moves too far; returns the length of its times, 1. */
static double take_step(carom_root_newton *newton, double *times) {
    const int N = newton->mode_count;
    const double kappa = carom_impact_matrix_frequency_scale(newton->matrix);
    const double length = kappa * hypot(newton->step[N - 1], newton->step[N]);
    const double factor = length > LONGEST_STEP ? LONGEST_STEP / length : 1.0;
    for (int j = 0; j < N - 1; ++j) {
        newton->null_vector[j] -= factor * newton->step[j];
    }
    times[0] -= factor * newton->step[N - 1];
    times[1] -= factor * newton->step[N];
    return length;
}

/** Iterate from `times` until steps are rounding; the residual there, or NaN. */
static double iterate(carom_root_newton *newton, double *times, int *iterations) {
    const double kappa = carom_impact_matrix_frequency_scale(newton->matrix);
    double last_length = HUGE_VAL;
    double residual = evaluate_residual(newton, times);
    for (int k = 0; k < MAX_ITERATIONS; ++k) {
        *iterations = k;
        if (!isfinite(residual) || solve_step(newton) != CAROM_OK) {
            return (double)NAN;
        }
        const double length = take_step(newton, times);
        if (!(times[0] > 0.0 && times[1] > 0.0)) {
            return (double)NAN;
        }
        residual = evaluate_residual(newton, times);
        /* Converged when a step is rounding, or no longer shrinks close to it. */
        const double rounding = 4.0 * DBL_EPSILON * (1.0 + kappa * hypot(times[0], times[1]));
        if (length <= rounding || (length < 1e6 * rounding && length >= 0.5 * last_length)) {
            return residual;
        }
        last_length = length;
    }
    return (double)NAN;
}

/** Whether a residual is one of rounding. */
static bool is_zero(const carom_root_newton *newton, const double *times, double residual) {
    const double radians =
        carom_impact_matrix_frequency_scale(newton->matrix) * hypot(times[0], times[1]);
    return residual <=
           fmin(RESIDUAL_TOLERANCE * newton->mode_count * (1.0 + radians), LARGEST_RESIDUAL);
}

carom_status carom_root_newton_polish(carom_root_newton *newton, double time,
                                      double constrained_time, carom_impact_root *root,
                                      carom_report *report) {
    const double nan = (double)NAN;
    const int N = newton->mode_count;
    *root = (carom_impact_root){nan, nan, nan, nan, nan, 0, -1, false};
    double times[2] = {time, constrained_time};
    carom_impact_rank rank;
    CAROM_TRY(carom_impact_matrix_rank(newton->matrix, time, constrained_time, &rank,
                                       newton->null_vector));
    memcpy(newton->border, newton->null_vector, (size_t)(N - 1) * sizeof *newton->border);
    int iterations = 0;
    const double residual = iterate(newton, times, &iterations);
    if (!is_zero(newton, times, residual)) {
        const carom_status status =
            carom_report_fail(report, CAROM_STATUS_NOT_CONVERGED, "impact time", time, -1);
        if (report != NULL) {
            report->residual = residual;
            report->iterations = iterations;
        }
        return status;
    }
    CAROM_TRY(carom_impact_matrix_rank(newton->matrix, times[0], times[1], &rank, NULL));
    *root = (carom_impact_root){
        .time = times[0],
        .constrained_time = times[1],
        .residual = residual,
        .smallest_singular_value = rank.smallest,
        .second_singular_value = rank.second,
        .column = 0,
        .row = -1,
    };
    return CAROM_OK;
}

/** Smallest singular value of A = [Z on the complement of u, Z_tau u, Z_tau' u], |u| = 1, times in
 * units of 1/kappa; its decomposition stays in derivative, values, vectors. */
static double derivative_strength(carom_root_newton *newton, const carom_impact_root *root) {
    const int N = newton->mode_count;
    const double kappa = carom_impact_matrix_frequency_scale(newton->matrix);
    carom_impact_matrix_evaluate(newton->matrix, root->time, root->constrained_time, newton->Z,
                                 newton->Z_time, newton->Z_constrained);
    /* Columns: the N-2 images of unit vectors orthogonal to u, and the two of the times. */
    for (int i = 0; i < N; ++i) {
        gsl_matrix_set(newton->derivative, (size_t)i, (size_t)N - 2,
                       row_product(newton, newton->Z_time, i, newton->null_vector) / kappa);
        gsl_matrix_set(newton->derivative, (size_t)i, (size_t)N - 1,
                       row_product(newton, newton->Z_constrained, i, newton->null_vector) / kappa);
    }
    const double *u = newton->null_vector;
    /* A Householder reflection H u = -+ e_1 gives the orthogonal complement as columns of H. */
    const double sign = u[0] < 0.0 ? -1.0 : 1.0;
    const double scale = 1.0 / (1.0 + fabs(u[0]));
    for (int k = 1; k < N - 1; ++k) {
        for (int i = 0; i < N; ++i) {
            const double *row = newton->Z + i * (N - 1);
            const double along = row_product(newton, newton->Z, i, u) + sign * row[0];
            gsl_matrix_set(newton->derivative, (size_t)i, (size_t)k - 1,
                           row[k] - scale * u[k] * along);
        }
    }
    if (carom_singular_values_rotate(newton->derivative, newton->vectors, newton->values) !=
        CAROM_OK) {
        return 0.0;
    }
    return gsl_vector_get(newton->values, (size_t)N - 1);
}

double carom_root_newton_solitary_radius(carom_root_newton *newton, const carom_impact_root *root) {
    const double kappa = carom_impact_matrix_frequency_scale(newton->matrix);
    carom_impact_rank rank;
    if (carom_impact_matrix_rank(newton->matrix, root->time, root->constrained_time, &rank,
                                 newton->null_vector) != CAROM_OK) {
        return 0.0;
    }
    const double s = derivative_strength(newton, root);
    /* Bounds that hold from half the times of the root to three halves. */
    const double time[2] = {0.5 * root->time, 1.5 * root->time};
    const double constrained[2] = {0.5 * root->constrained_time, 1.5 * root->constrained_time};
    double rates[2] = {0.0, 0.0};
    double curvatures[2] = {0.0, 0.0};
    carom_impact_matrix_bounds(newton->matrix, time, constrained, rates, curvatures);
    const double R = hypot(rates[0], rates[1]) / kappa;
    const double mixed = rates[0] * rates[1];
    const double K = (fmax(curvatures[0], curvatures[1]) + mixed) / (kappa * kappa);
    const double nearest = 0.5 * kappa * fmin(root->time, root->constrained_time);
    if (newton->mode_count == 2) {
        return fmin(nearest, 2.0 * s / K);
    }
    /* With R d <= s_2/2 the square root is at least 0.866 s_2. */
    const double radius = s / (0.5 * K + R * R / (0.866 * rank.second));
    return fmin(nearest, fmin(radius, 0.5 * rank.second / R));
}

/** Take the least step to where A step = Z u, but for the direction in which A is weakest. */
static void step_across(carom_root_newton *newton, carom_impact_root *root) {
    const size_t N = (size_t)newton->mode_count;
    const double kappa = carom_impact_matrix_frequency_scale(newton->matrix);
    for (size_t k = 0; k + 1 < N; ++k) {
        double along = 0.0;
        for (size_t i = 0; i < N; ++i) {
            along += gsl_matrix_get(newton->derivative, i, k) *
                     row_product(newton, newton->Z, (int)i, newton->null_vector);
        }
        const double step = along / gsl_vector_get(newton->values, k) / kappa;
        root->time -= step * gsl_matrix_get(newton->vectors, N - 2, k);
        root->constrained_time -= step * gsl_matrix_get(newton->vectors, N - 1, k);
    }
}

/** Newton's iteration in all directions but the weakest; the strength of that one, or NaN. */
static double iterate_across(carom_root_newton *newton, carom_impact_root *root) {
    for (int k = 0;; ++k) {
        carom_impact_rank rank;
        if (!(root->time > 0.0 && root->constrained_time > 0.0) ||
            carom_impact_matrix_rank(newton->matrix, root->time, root->constrained_time, &rank,
                                     newton->null_vector) != CAROM_OK) {
            return (double)NAN;
        }
        root->residual = rank.smallest;
        root->smallest_singular_value = rank.smallest;
        root->second_singular_value = rank.second;
        const double strength = derivative_strength(newton, root);
        if (k == SINGULAR_ITERATIONS) {
            return strength;
        }
        step_across(newton, root);
    }
}

/** Whether all conditions hold at a root, to rounding. */
static bool holds(const carom_root_newton *newton, const carom_impact_root *root) {
    const double times[2] = {root->time, root->constrained_time};
    return is_zero(newton, times, root->residual);
}

bool carom_root_newton_polish_singular(carom_root_newton *newton, double time,
                                       double constrained_time, double reach,
                                       carom_impact_root *root) {
    const size_t N = (size_t)newton->mode_count;
    const double kappa = carom_impact_matrix_frequency_scale(newton->matrix);
    *root = (carom_impact_root){
        .time = time, .constrained_time = constrained_time, .row = -1, .is_singular = true};
    if (!(iterate_across(newton, root) < LOST_STRENGTH && holds(newton, root))) {
        return false;
    }
    // Along the curve to both sides.
    const double direction[2] = {gsl_matrix_get(newton->vectors, N - 2, N - 1),
                                 gsl_matrix_get(newton->vectors, N - 1, N - 1)};
    const double step = reach / kappa / hypot(direction[0], direction[1]);
    for (int sign = -1; sign <= 1; sign += 2) {
        carom_impact_root side = *root;
        side.time += sign * step * direction[0];
        side.constrained_time += sign * step * direction[1];
        if (isnan(iterate_across(newton, &side)) || holds(newton, &side)) {
            return false;
        }
    }
    return true;
}
