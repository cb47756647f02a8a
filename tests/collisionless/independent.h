/**
 * A second, independent route to collisionless motions, from the paper's own equations: time
 * functions (11), the matrix B of (13) without poles (42), ranks by singular values, and all roots
 * of a box by Newton iterations from every point of a grid. No directions of modes, no orthonormal
 * factors, no exclusion of boxes. The matching matrix A (12) of a body is in impact_matrix.c.
 */
#ifndef CAROM_TESTS_COLLISIONLESS_INDEPENDENT_H
#define CAROM_TESTS_COLLISIONLESS_INDEPENDENT_H

#include <carom/base/random.h>
#include <carom/collisionless/motion/internal.h>
#include <carom/collisionless/motion/spectral_motion.h>

#include "../support.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_math.h>

/** Largest number of unconstrained modes here. */
#define MODES 8

/** Random numbers of one sample, in order. */
typedef struct draws {
    unsigned long seed;
    unsigned long sample;
    unsigned long next;
} draws;

static inline double draw(draws *d, double low, double high) {
    return low + (high - low) * carom_counter_uniform(d->seed, d->sample, d->next++);
}

/** Interlacing spectra with the given numbers of oscillating modes, steps of 0.15 to 1.1 apart. */
static inline carom_phase_spectra *random_spectra(draws *d, int N, int oscillating,
                                                  int constrained_oscillating) {
    // lambda_1, lambda'_1, lambda_2, ...: the first positive one among all 2N - 1
    const int first = 2 * N - 1 - oscillating - constrained_oscillating;
    double value[2 * MODES] = {0.0};
    double sum = 0.0;
    for (int k = first; k < 2 * N - 1; k++) {
        sum += draw(d, 0.15, 1.1);
        value[k] = sum;
    }
    sum = 0.0;
    for (int k = first - 1; k >= 0; k--) {
        sum -= draw(d, 0.15, 1.1);
        value[k] = sum;
    }
    carom_phase_spectra *s;
    assert_ok(carom_phase_spectra_alloc(N, &s));
    for (int k = 0; k < 2 * N - 1; k++) {
        *(k % 2 == 0 ? &s->unconstrained[k / 2] : &s->constrained[k / 2]) = value[k];
    }
    ck_assert_int_eq(carom_phase_spectra_oscillating_count(s), oscillating);
    ck_assert_int_eq(carom_phase_spectra_constrained_oscillating_count(s), constrained_oscillating);
    return s;
}

/** One parity for each phase, drawn; or one for each mode. */
static inline void draw_parities(draws *d, carom_phase_spectra *s, bool mixed) {
    carom_parity p = CAROM_PARITY_EVEN;
    for (int i = 0; i < s->mode_count; i++) {
        p = mixed || i == 0 ? (carom_parity)(draw(d, 0.0, 1.0) < 0.5) : p;
        s->unconstrained_parity[i] = p;
    }
    for (int j = 0; j < s->mode_count - 1; j++) {
        p = mixed || j == 0 ? (carom_parity)(draw(d, 0.0, 1.0) < 0.5) : p;
        s->constrained_parity[j] = p;
    }
}

/** Spectra with the same parity within each phase. */
static inline carom_phase_spectra *uniform_spectra(int N, const double *lambda,
                                                   const double *constrained, carom_parity parity,
                                                   carom_parity constrained_parity) {
    carom_phase_spectra *s;
    assert_ok(
        carom_phase_spectra_make(N, lambda, constrained, parity, constrained_parity, &s, NULL));
    return s;
}

/** g of (11) and its derivatives, over cosh where hyperbolic. */
typedef struct time_function {
    long double g;
    long double gd;
    long double gdd;
    long double gddd;
} time_function;

static inline time_function time_function_at(double lambda, carom_parity parity, double t) {
    const long double w = sqrtl(fabsl((long double)lambda));
    const bool is_even = parity == CAROM_PARITY_EVEN;
    if (lambda > 0.0) {
        const long double c = cosl(w * (long double)t);
        const long double s = sinl(w * (long double)t);
        return is_even ? (time_function){c, -w * s, -w * w * c, w * w * w * s}
                       : (time_function){s, w * c, -w * w * s, -w * w * w * c};
    }
    const long double tangent = tanhl(w * (long double)t);
    return is_even ? (time_function){1.0L, w * tangent, w * w, w * w * w * tangent}
                   : (time_function){tangent, w, w * w * tangent, w * w * w};
}

/** A time function and its derivatives over the length of (g, gd): columns and rows of B, which are
 * linear in it, are then of the order of 1 without loss of smoothness. */
static inline time_function scaled_time_function(double lambda, carom_parity parity, double t) {
    const time_function f = time_function_at(lambda, parity, t);
    const long double length = hypotl(f.g, f.gd);
    return (time_function){f.g / length, f.gd / length, f.gdd / length, f.gddd / length};
}

/** Shares of the modes in the contact W_i = prod (lambda'_j - lambda_i) / prod (lambda_k -
 * lambda_i). */
static inline void contact_shares(const carom_phase_spectra *s, long double *W) {
    for (int i = 0; i < s->mode_count; i++) {
        const long double l = (long double)s->unconstrained[i];
        W[i] = 1.0L;
        for (int k = 0; k < s->mode_count; k++) {
            W[i] /= k == i ? 1.0L : (long double)s->unconstrained[k] - l;
        }
        for (int j = 0; j < s->mode_count - 1; j++) {
            W[i] *= (long double)s->constrained[j] - l;
        }
    }
}

/** Singular values of an [m][n] matrix, m >= n, its last right singular vector if asked for. */
static inline void singular_values(const gsl_matrix *matrix, double *values, double *last) {
    const size_t n = matrix->size2;
    gsl_matrix *U = gsl_matrix_alloc(matrix->size1, n);
    gsl_matrix *V = gsl_matrix_alloc(n, n);
    gsl_vector *S = gsl_vector_alloc(n);
    gsl_matrix_memcpy(U, matrix);
    ck_assert_int_eq(gsl_linalg_SV_decomp_jacobi(U, V, S), 0);
    for (size_t i = 0; i < n; i++) {
        values[i] = gsl_vector_get(S, i);
        if (last != NULL) {
            last[i] = gsl_matrix_get(V, i, n - 1);
        }
    }
    gsl_matrix_free(U);
    gsl_matrix_free(V);
    gsl_vector_free(S);
}

/** Largest singular value of a row-major [m][n] array. */
static inline double spectral_norm(const double *array, int m, int n) {
    double values[2 * MODES] = {0.0};
    gsl_matrix_const_view view = gsl_matrix_const_view_array(array, (size_t)m, (size_t)n);
    singular_values(&view.matrix, values, NULL);
    return values[0];
}

/**
 * B of (42) at a point and its derivatives by the two times, the common factor eta'1 of the last
 * row left out. Its rows and columns are scaled, by the same factors in all three; no eigenvalue is
 * 0.
 */
static inline void reduced_matrices(const carom_phase_spectra *s, const double *times,
                                    gsl_matrix *const B[3]) {
    const int N = s->mode_count;
    time_function held[MODES];
    for (int j = 0; j < N - 1; j++) {
        held[j] = scaled_time_function(s->constrained[j], s->constrained_parity[j], -times[1]);
        gsl_matrix_set(B[0], (size_t)N, (size_t)j, (double)held[j].g);
        gsl_matrix_set(B[1], (size_t)N, (size_t)j, 0.0);
        gsl_matrix_set(B[2], (size_t)N, (size_t)j, (double)-held[j].gd);
    }
    for (int i = 0; i < N; i++) {
        const long double l = (long double)s->unconstrained[i];
        const time_function f =
            scaled_time_function(s->unconstrained[i], s->unconstrained_parity[i], times[0]);
        for (int j = 0; j < N - 1; j++) {
            const long double M = 1.0L / (l - (long double)s->constrained[j]);
            const time_function h = held[j];
            gsl_matrix_set(B[0], (size_t)i, (size_t)j, (double)((f.gd * h.g - f.g * h.gd) * M));
            gsl_matrix_set(B[1], (size_t)i, (size_t)j, (double)((f.gdd * h.g - f.gd * h.gd) * M));
            gsl_matrix_set(B[2], (size_t)i, (size_t)j, (double)((f.g * h.gdd - f.gd * h.gd) * M));
        }
        gsl_matrix_set(B[0], (size_t)i, (size_t)N - 1, (double)(f.gd / l));
        gsl_matrix_set(B[1], (size_t)i, (size_t)N - 1, (double)(f.gdd / l));
        gsl_matrix_set(B[2], (size_t)i, (size_t)N - 1, 0.0);
    }
    gsl_matrix_set(B[0], (size_t)N, (size_t)N - 1, 1.0);
    gsl_matrix_set(B[1], (size_t)N, (size_t)N - 1, 0.0);
    gsl_matrix_set(B[2], (size_t)N, (size_t)N - 1, 0.0);
}

/** Memory of the iteration in reduced_newton_step. */
typedef struct reduced_newton {
    gsl_matrix *B[3];
    gsl_matrix *bordered; /* [N+2][N+2] */
    gsl_vector *right;
    gsl_vector *step;
    gsl_permutation *order;
} reduced_newton;

static inline reduced_newton reduced_newton_alloc(int N) {
    const size_t n = (size_t)N;
    return (reduced_newton){
        {gsl_matrix_alloc(n + 1, n), gsl_matrix_alloc(n + 1, n), gsl_matrix_alloc(n + 1, n)},
        gsl_matrix_alloc(n + 2, n + 2),
        gsl_vector_alloc(n + 2),
        gsl_vector_alloc(n + 2),
        gsl_permutation_alloc(n + 2)};
}

static inline void reduced_newton_free(reduced_newton *r) {
    for (int which = 0; which < 3; which++) {
        gsl_matrix_free(r->B[which]);
    }
    gsl_matrix_free(r->bordered);
    gsl_vector_free(r->right);
    gsl_vector_free(r->step);
    gsl_permutation_free(r->order);
}

/** Smallest over largest singular value of B at two times. */
static inline double reduced_rank_gap(const carom_phase_spectra *s, double time,
                                      double constrained_time) {
    reduced_newton r = reduced_newton_alloc(s->mode_count);
    double values[MODES] = {0.0};
    reduced_matrices(s, (double[]){time, constrained_time}, r.B);
    singular_values(r.B[0], values, NULL);
    reduced_newton_free(&r);
    return values[s->mode_count - 1] / values[0];
}

/** One step of Newton's method for B q = 0, q the last right singular vector; its length, s. */
static inline double reduced_newton_step(const carom_phase_spectra *s, reduced_newton *r,
                                         double *times) {
    const size_t n = (size_t)s->mode_count;
    double values[MODES];
    double q[MODES];
    reduced_matrices(s, times, r->B);
    singular_values(r->B[0], values, q);
    gsl_vector_const_view null = gsl_vector_const_view_array(q, n);
    gsl_matrix_set_zero(r->bordered);
    gsl_vector_set_zero(r->right);
    gsl_matrix_view body = gsl_matrix_submatrix(r->bordered, 0, 0, n + 1, n);
    gsl_matrix_memcpy(&body.matrix, r->B[0]);
    for (size_t which = 0; which < 3; which++) {
        gsl_vector_view column = which == 0
                                     ? gsl_vector_subvector(r->right, 0, n + 1)
                                     : gsl_matrix_subcolumn(r->bordered, n + which - 1, 0, n + 1);
        gsl_blas_dgemv(CblasNoTrans, which == 0 ? -1.0 : 1.0, r->B[which], &null.vector, 0.0,
                       &column.vector);
    }
    gsl_vector_view border = gsl_matrix_subrow(r->bordered, n + 1, 0, n);
    gsl_vector_memcpy(&border.vector, &null.vector);
    int sign;
    gsl_linalg_LU_decomp(r->bordered, r->order, &sign);
    if (gsl_linalg_LU_solve(r->bordered, r->order, r->right, r->step) != 0) {
        return HUGE_VAL;
    }
    times[0] += gsl_vector_get(r->step, n);
    times[1] += gsl_vector_get(r->step, n + 1);
    return hypot(gsl_vector_get(r->step, n), gsl_vector_get(r->step, n + 1));
}

/** Most roots of a box here. */
#define ROOTS 400

/** Roots of a box found from a grid. */
typedef struct grid_roots {
    int count;
    double times[ROOTS][2]; /* tau, tau', s */
} grid_roots;

/** Iterate from a guess to a root within 3 reach of it; true if there is one. */
static inline bool reduced_newton_converges(const carom_phase_spectra *s, reduced_newton *r,
                                            double reach, double *times) {
    const double start[2] = {times[0], times[1]};
    double step = HUGE_VAL;
    for (int iteration = 0; iteration < 20 && step > 1e-11; iteration++) {
        step = reduced_newton_step(s, r, times);
        const double distance = hypot(times[0] - start[0], times[1] - start[1]);
        if (!(distance < 3.0 * reach) || times[0] <= 0.0 || times[1] <= 0.0) {
            return false;
        }
    }
    return step <= 1e-11 && reduced_rank_gap(s, times[0], times[1]) < 1e-9;
}

/** Newton iterations from the points of a grid of the box: tau of [0], [1], tau' of [2], [3]. */
static inline void grid_roots_find(const carom_phase_spectra *s, const double *box, double step,
                                   grid_roots *found) {
    reduced_newton r = reduced_newton_alloc(s->mode_count);
    found->count = 0;
    const int columns = (int)ceil((box[1] - box[0]) / step);
    const int rows = (int)ceil((box[3] - box[2]) / step);
    for (int k = 0; k < columns * rows; k++) {
        const int column = k / rows;
        const int row = k % rows;
        double times[2] = {box[0] + (column + 0.5) * (box[1] - box[0]) / columns,
                           box[2] + (row + 0.5) * (box[3] - box[2]) / rows};
        bool is_new = reduced_newton_converges(s, &r, step, times) && times[0] > box[0] &&
                      times[0] < box[1] && times[1] > box[2] && times[1] < box[3];
        for (int i = 0; is_new && i < found->count; i++) {
            const double *known = found->times[i];
            is_new = hypot(times[0] - known[0], times[1] - known[1]) > 1e-7;
        }
        if (is_new) {
            ck_assert_int_lt(found->count, ROOTS);
            found->times[found->count][0] = times[0];
            found->times[found->count++][1] = times[1];
        }
    }
    reduced_newton_free(&r);
}

/** Distance of the nearest of the roots to a point, s; infinite if there is none. */
static inline double grid_roots_distance(const grid_roots *found, double time,
                                         double constrained_time) {
    double distance = HUGE_VAL;
    for (int i = 0; i < found->count; i++) {
        distance =
            fmin(distance, hypot(found->times[i][0] - time, found->times[i][1] - constrained_time));
    }
    return distance;
}

#endif
