#include <carom/base/scales.h>
#include <carom/timestepping/compliant/internal.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------- Radau */

enum { S = CAROM_RADAU_STAGES };

const double carom_radau_nodes[S] = {
    0.02931642715978489197,
    0.14807859966848429184,
    0.33698469028115429909,
    0.55867151877155013208,
    0.76923386203005450091,
    0.92694567131974111485,
    1.0,
};

/* P_k(2 x - 1), k = 0 ... s. */
static void legendre(double x, double *P) {
    const double z = 2.0 * x - 1.0;
    P[0] = 1.0;
    P[1] = z;
    for (int k = 1; k < S; k++) {
        P[k + 1] = ((2 * k + 1) * z * P[k] - k * P[k - 1]) / (k + 1);
    }
}

void carom_radau_weights(const carom_radau *radau, double x, double *weights) {
    double P[S + 1];
    legendre(x, P);
    /* the integral of P_k from 0 to x is (P_(k+1) - P_(k-1))/(4 k + 2) */
    for (int j = 0; j < S; j++) {
        weights[j] = radau->legendre[0][j] * x;
        for (int k = 1; k < S; k++) {
            weights[j] += radau->legendre[k][j] * (P[k + 1] - P[k - 1]) / (4 * k + 2);
        }
    }
}

void carom_radau_init(carom_radau *radau) {
    for (int j = 0; j < S; j++) {
        double P[S + 1];
        legendre(carom_radau_nodes[j], P);
        /* weight of Radau's quadrature, which is exact for the products P_k l_j */
        const double b = carom_radau_nodes[j] / (S * S * P[S - 1] * P[S - 1]);
        radau->at_start[j] = 0.0;
        for (int k = 0; k < S; k++) {
            radau->legendre[k][j] = (2 * k + 1) * b * P[k];
            radau->at_start[j] += (k % 2 == 0 ? 1.0 : -1.0) * radau->legendre[k][j];
        }
    }
    for (int i = 0; i < S; i++) {
        carom_radau_weights(radau, carom_radau_nodes[i], radau->A[i]);
    }
    for (int i = 0; i < S; i++) {
        for (int j = 0; j < S; j++) {
            radau->AA[i][j] = 0.0;
            for (int k = 0; k < S; k++) {
                radau->AA[i][j] += radau->A[i][k] * radau->A[k][j];
            }
        }
    }
}

/* ------------------------------------------------------------------------------------- one step */

/* Newton's iterations of a step; more mean that it is too long. */
enum { MOST_ITERATIONS = 10 };

/* Last change of an iteration, in parts of the tolerated errors. Ratios of changes tell nothing of
 * what is left: slow and stiff components converge at rates of their own. */
static const double LAST_CHANGE = 1e-2;

/* A change that falls by less than this with new derivatives is rounding, if it is no larger than
 * that part of the tolerated errors. */
static const double STAGNATION = 0.5;
static const double LARGEST_ROUNDING = 0.3;

/* The derivatives are evaluated anew where an iteration reduces the change by less than this. */
static const double SLOW = 0.1;

/* Growth of the change from one iteration to the next that ends the attempt. */
static const double DIVERGENCE = 2.0;

/* Rows of derivatives: accelerations and forces. */
static int slope_rows(const carom_compliant_system *system) {
    return system->size - system->n;
}

/* Hand out the next piece of the block, or count only. */
static double *take(double *memory, size_t *used, size_t count) {
    double *piece = memory == NULL ? NULL : memory + *used;
    *used += count;
    return piece;
}

/* Lay out the arrays in a block; the number of doubles it takes. */
static size_t lay_out(carom_compliant_step *step, double *memory) {
    const size_t n = (size_t)step->system->n;
    const size_t size = (size_t)step->system->size;
    const size_t slopes = (size_t)slope_rows(step->system) * 2 * n;
    size_t used = 0;
    step->start = take(memory, &used, size);
    step->start_rate = take(memory, &used, size);
    step->start_slopes = take(memory, &used, slopes);
    step->stage = take(memory, &used, S * size);
    step->stage_rate = take(memory, &used, S * size);
    step->law_rate = take(memory, &used, S * size);
    step->stage_slopes = take(memory, &used, S * slopes);
    step->newton_matrix = take(memory, &used, S * n * S * n);
    step->change = take(memory, &used, S * n);
    step->stage_change = take(memory, &used, S * 2 * n);
    step->damping_matrix = take(memory, &used, n * n);
    step->error = take(memory, &used, size);
    step->moved = take(memory, &used, size);
    return used;
}

carom_status carom_compliant_step_init(carom_compliant_step *step, carom_compliant_system *system) {
    *step = (carom_compliant_step){.system = system};
    carom_radau_init(&step->radau);
    step->memory = calloc(lay_out(step, NULL), sizeof *step->memory);
    if (step->memory == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    lay_out(step, step->memory);
    CAROM_TRY(carom_factor_alloc(carom_layout_full(S * system->n), &step->newton));
    return carom_factor_alloc(carom_layout_full(system->n), &step->damping);
}

void carom_compliant_step_clear(carom_compliant_step *step) {
    carom_factor_free(step->newton);
    carom_factor_free(step->damping);
    free(step->memory);
    *step = (carom_compliant_step){0};
}

carom_status carom_compliant_step_begin(carom_compliant_step *step, double t, const double *y) {
    memcpy(step->start, y, (size_t)step->system->size * sizeof *y);
    step->time = t;
    step->jacobian_evaluations++;
    return carom_compliant_rate_derivative(step->system, t, y, step->start_rate,
                                           step->start_slopes);
}

/* b += A x for a row-major A [rows][columns]. */
static void multiply_add(int rows, int columns, const double *A, const double *x, double *b) {
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < columns; j++) {
            b[i] += A[i * columns + j] * x[j];
        }
    }
}

/* ------------------------------------------------------------------------------ iteration */

/* y_i = y + h sum_j A_ij y'_j for the components from `first` to before `end`. */
static void integrate(carom_compliant_step *step, int first, int end) {
    const int size = step->system->size;
    for (int i = 0; i < S; i++) {
        for (int k = first; k < end; k++) {
            double sum = 0.0;
            for (int j = 0; j < S; j++) {
                sum += step->radau.A[i][j] * step->stage_rate[j * size + k];
            }
            step->stage[i * size + k] = step->start[k] + step->length * sum;
        }
    }
}

/* Velocities of the stages from their accelerations, positions from the velocities. */
static void place_stages(carom_compliant_step *step) {
    const int n = step->system->n;
    const int size = step->system->size;
    integrate(step, n, 2 * n);
    for (int i = 0; i < S; i++) {
        memcpy(&step->stage_rate[i * size], &step->stage[i * size + n], (size_t)n * sizeof(double));
    }
    integrate(step, 0, n);
}

/* The laws at the stages. */
static carom_status evaluate(carom_compliant_step *step, bool with_derivatives) {
    carom_compliant_system *at = step->system;
    const int slopes = slope_rows(at) * 2 * at->n;
    for (int i = 0; i < S; i++) {
        const double t = step->time + carom_radau_nodes[i] * step->length;
        const double *y = &step->stage[i * at->size];
        double *rate = &step->law_rate[i * at->size];
        if (with_derivatives) {
            CAROM_TRY(
                carom_compliant_rate_derivative(at, t, y, rate, &step->stage_slopes[i * slopes]));
        } else {
            CAROM_TRY(carom_compliant_rate(at, t, y, rate));
        }
    }
    if (with_derivatives) {
        step->jacobian_evaluations += S;
    } else {
        step->force_evaluations += S;
    }
    return CAROM_OK;
}

/* The derivative of the stage accelerations less those of the laws, by the former. */
static carom_status factor_newton(carom_compliant_step *step) {
    const int n = step->system->n;
    const int slopes = slope_rows(step->system) * 2 * n;
    const double h = step->length;
    for (int i = 0; i < S; i++) {
        for (int k = 0; k < n; k++) {
            const double *slope = &step->stage_slopes[i * slopes + k * 2 * n];
            double *row = &step->newton_matrix[(i * n + k) * S * n];
            for (int j = 0; j < S; j++) {
                const double by_v = h * step->radau.A[i][j];
                const double by_q = h * h * step->radau.AA[i][j];
                for (int l = 0; l < n; l++) {
                    row[j * n + l] = -by_v * slope[n + l] - by_q * slope[l];
                }
            }
            row[i * n + k] += 1.0;
        }
    }
    return carom_factor_compute(step->newton, step->newton_matrix);
}

/* Solve for the change of the stage accelerations, and what it makes of positions and velocities;
 * the largest of these over its weight. */
static double find_change(carom_compliant_step *step, const double *weight) {
    const int n = step->system->n;
    const int size = step->system->size;
    const double h = step->length;
    for (int i = 0; i < S; i++) {
        for (int k = 0; k < n; k++) {
            step->change[i * n + k] =
                step->law_rate[i * size + n + k] - step->stage_rate[i * size + n + k];
        }
    }
    carom_factor_solve(step->newton, step->change);
    double largest = 0.0;
    for (int i = 0; i < S; i++) {
        double *of_stage = &step->stage_change[i * 2 * n];
        memset(of_stage, 0, (size_t)(2 * n) * sizeof(double));
        for (int k = 0; k < n; k++) {
            for (int j = 0; j < S; j++) {
                of_stage[k] += h * h * step->radau.AA[i][j] * step->change[j * n + k];
                of_stage[n + k] += h * step->radau.A[i][j] * step->change[j * n + k];
            }
        }
        const double of_weight = carom_scale_largest_ratio(2 * n, of_stage, weight);
        largest = of_weight > largest || isnan(of_weight) ? of_weight : largest;
    }
    return largest;
}

/* Change accelerations, velocities and positions; the forces follow by their derivatives, so that
 * what a stiff law makes of the rest of the iteration does not enter the impulses. */
static void apply_change(carom_compliant_step *step) {
    const int n = step->system->n;
    const int size = step->system->size;
    const int forces = size - 2 * n;
    const int slopes = slope_rows(step->system) * 2 * n;
    for (int i = 0; i < S; i++) {
        double *rate = &step->stage_rate[i * size];
        for (int k = 0; k < n; k++) {
            rate[n + k] += step->change[i * n + k];
        }
        memcpy(rate + 2 * n, &step->law_rate[i * size + 2 * n], (size_t)forces * sizeof *rate);
        multiply_add(forces, 2 * n, &step->stage_slopes[i * slopes + n * 2 * n],
                     &step->stage_change[i * 2 * n], rate + 2 * n);
    }
    place_stages(step);
}

/* From constant accelerations on; derivatives at all stages, kept for as long as they serve. */
static carom_status iterate(carom_compliant_step *step, const double *weight) {
    const size_t size = (size_t)step->system->size;
    for (size_t i = 0; i < S; i++) {
        memcpy(&step->stage_rate[i * size], step->start_rate, size * sizeof(double));
    }
    place_stages(step);
    double before = 0.0;
    double ratio = 0.0;
    for (int iteration = 0; iteration < MOST_ITERATIONS; iteration++) {
        const bool is_renewed = iteration == 0 || ratio > SLOW;
        CAROM_TRY(evaluate(step, is_renewed));
        if (is_renewed) {
            CAROM_TRY(factor_newton(step));
        }
        const double change = find_change(step, weight);
        if (!isfinite(change)) {
            return CAROM_STATUS_NOT_FINITE;
        }
        apply_change(step);
        ratio = iteration == 0 ? 0.0 : change / before;
        const bool is_rounding = is_renewed && ratio > STAGNATION && change <= LARGEST_ROUNDING;
        if (change <= LAST_CHANGE || is_rounding) {
            return CAROM_OK;
        }
        if (ratio > DIVERGENCE) {
            return CAROM_STATUS_NOT_CONVERGED;
        }
        before = change;
    }
    return CAROM_STATUS_NOT_CONVERGED;
}

/* ---------------------------------------------------------------------------------------- error */

/* Solve e = factor (e_before + dy'/dy e): from position to velocity and to the impulses. */
static void damp(carom_compliant_step *step, double factor) {
    const int n = step->system->n;
    const int size = step->system->size;
    const double *slopes = step->start_slopes;
    double *e = step->error;
    for (int k = 0; k < n; k++) {
        double by_position = 0.0;
        for (int l = 0; l < n; l++) {
            by_position += slopes[k * 2 * n + l] * e[l];
        }
        e[n + k] = factor * (e[n + k] + factor * by_position);
    }
    carom_factor_solve(step->damping, e + n);
    for (int k = 0; k < n; k++) {
        e[k] = factor * (e[k] + e[n + k]);
    }
    multiply_add(size - 2 * n, 2 * n, slopes + n * 2 * n, e, e + 2 * n);
    for (int k = 2 * n; k < size; k++) {
        e[k] *= factor;
    }
}

/* The error from the defect against a rate at the beginning; the largest over its weight. */
static double estimate(carom_compliant_step *step, const double *rate, double factor,
                       const double *weight) {
    const int size = step->system->size;
    for (int k = 0; k < size; k++) {
        step->error[k] = rate[k];
        for (int j = 0; j < S; j++) {
            step->error[k] -= step->radau.at_start[j] * step->stage_rate[j * size + k];
        }
    }
    damp(step, factor);
    return carom_scale_largest_ratio(size, step->error, weight);
}

/* An estimate that is too large is made anew from the rate at a state moved by it: the part of it
 * that comes from a stiff law, which dies out within the step, then vanishes. */
static carom_status find_error(carom_compliant_step *step, const double *weight, double *error) {
    const int n = step->system->n;
    const int size = step->system->size;
    const double factor = carom_radau_nodes[0] * step->length;
    for (int k = 0; k < n; k++) {
        const double *slope = &step->start_slopes[k * 2 * n];
        for (int l = 0; l < n; l++) {
            step->damping_matrix[k * n + l] = -factor * (slope[n + l] + factor * slope[l]);
        }
        step->damping_matrix[k * n + k] += 1.0;
    }
    CAROM_TRY(carom_factor_compute(step->damping, step->damping_matrix));
    *error = estimate(step, step->start_rate, factor, weight);
    if (*error > 1.0) {
        for (int k = 0; k < size; k++) {
            step->moved[k] = step->start[k] + step->error[k];
        }
        step->force_evaluations++;
        CAROM_TRY(carom_compliant_rate(step->system, step->time, step->moved, step->law_rate));
        *error = fmin(*error, estimate(step, step->law_rate, factor, weight));
    }
    return isfinite(*error) ? CAROM_OK : CAROM_STATUS_NOT_FINITE;
}

carom_status carom_compliant_step_try(carom_compliant_step *step, double h, const double *weight,
                                      double *error) {
    step->length = h;
    CAROM_TRY(iterate(step, weight));
    integrate(step, 2 * step->system->n, step->system->size);
    return find_error(step, weight, error);
}

void carom_compliant_step_state(const carom_compliant_step *step, double x, double *y) {
    const int size = step->system->size;
    double weights[S];
    carom_radau_weights(&step->radau, x, weights);
    for (int k = 0; k < size; k++) {
        double sum = 0.0;
        for (int j = 0; j < S; j++) {
            sum += weights[j] * step->stage_rate[j * size + k];
        }
        y[k] = step->start[k] + step->length * sum;
    }
}
