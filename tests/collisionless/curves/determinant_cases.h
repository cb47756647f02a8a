/** Spectra on which the matrices and determinants of the impact equations are tested. */
#ifndef CAROM_TESTS_DETERMINANT_CASES_H
#define CAROM_TESTS_DETERMINANT_CASES_H

#include <carom/base/random.h>
#include <carom/collisionless/curves/critical_region.h>
#include <carom/collisionless/motion/internal.h>

#include "../../support.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_sort.h>

/** A collisionless motion of the reference tables. */
typedef struct known_root {
    double phase;
    double constrained_phase;
} known_root;

static inline carom_phase_spectra *spectra_of(int N, const double *unconstrained,
                                              const double *constrained, carom_parity parity,
                                              carom_parity constrained_parity) {
    carom_phase_spectra *spectra = NULL;
    assert_ok(carom_phase_spectra_make(N, unconstrained, constrained, parity, constrained_parity,
                                       &spectra, NULL));
    return spectra;
}

/** The unit biped: lambda' = -+sqrt(2), lambda the roots of L3 + 5 L2 - 6 L - 6 (section 5). */
static inline carom_phase_spectra *unit_biped(void) {
    const double lambda[3] = {-5.850284901586612, -0.673191369894797, 1.523476271481409};
    const double constrained[2] = {-M_SQRT2, M_SQRT2};
    return spectra_of(3, lambda, constrained, CAROM_PARITY_EVEN, CAROM_PARITY_ODD);
}

/** Its roots of table A.3: three rows, columns n = 2, 3, 4 and, last, n = 5, 6. */
static const known_root UNIT_BIPED_ROOTS[15] = {
    {3.800973431, 0.925018845},  {3.791376717, 4.076210264},  {3.791359137, 7.217820508},
    {6.945011349, 0.922542229},  {6.935156566, 4.073992841},  {6.935138528, 7.215603545},
    {10.086641420, 0.922504329}, {10.076782658, 4.073958937}, {10.076764614, 7.215569648},
    {13.228234648, 0.922503747}, {13.218375825, 4.073958417}, {13.218357781, 7.215569128},
    {16.369827310, 0.922503738}, {16.359968487, 4.073958409}, {16.359950442, 7.215569120}};

/** Row heights for tau to infinity (A.3). */
static const double UNIT_BIPED_HEIGHTS[3] = {0.9225037382, 4.0739584089, 7.2155691195};

/** The stand-in for figure 2, nearly critical (A.4). */
static inline carom_phase_spectra *critical_stand_in(void) {
    const double lambda[4] = {-3.1, -1.7, -0.8, 1.3};
    const double constrained[3] = {-2.4, -1.2, 0.01};
    return spectra_of(4, lambda, constrained, CAROM_PARITY_EVEN, CAROM_PARITY_ODD);
}

/** Its roots of table A.4: the bottom row, n = 2 to 5, then rows 1 and 2 of n = 3. */
static const known_root CRITICAL_ROOTS[6] = {
    {3.899532801, 1.481890685},  {7.042109107, 1.481670081}, {10.183708621, 1.481668523},
    {13.325301324, 1.481668512}, {7.042109107, 4.623262735}, {7.042109107, 7.764855388}};

/** Two oscillating constrained modes (4.2). */
static inline carom_phase_spectra *two_oscillating(void) {
    const double lambda[4] = {-2.0, -0.5, 1.1, 3.1};
    const double constrained[3] = {-1.3, 0.35, 1.7};
    return spectra_of(4, lambda, constrained, CAROM_PARITY_EVEN, CAROM_PARITY_ODD);
}

/** Where its determinants vanish together although B keeps its rank: tau, tau' (4.2). */
static const double SPURIOUS_TIMES[2][2] = {{2.41611, 4.02016}, {5.40294, 4.02699}};

/** Interlacing spectra: 2N-3 random numbers from low to high, dealt out in turn, then the two
 * largest ones as given. */
static inline carom_phase_spectra *random_spectra(unsigned long seed, int N, double low,
                                                  double high, double largest_constrained,
                                                  double largest) {
    double values[64] = {0.0};
    double lambda[32] = {0.0};
    double constrained[32] = {0.0};
    const int count = 2 * N - 3;
    for (int k = 0; k < count; k++) {
        values[k] =
            low + (high - low) * carom_counter_uniform(seed, (unsigned long)N, (unsigned long)k);
    }
    gsl_sort(values, 1, (size_t)count);
    values[count] = largest_constrained;
    values[count + 1] = largest;
    for (int k = 0; k < 2 * N - 1; k++) {
        if (k % 2 == 0) {
            lambda[k / 2] = values[k];
        } else {
            constrained[k / 2] = values[k];
        }
    }
    carom_phase_spectra *spectra =
        spectra_of(N, lambda, constrained, CAROM_PARITY_EVEN, CAROM_PARITY_ODD);
    return spectra;
}

/** Parities mode by mode. */
static inline void mix_parities(carom_phase_spectra *spectra, unsigned long seed) {
    const int N = spectra->mode_count;
    for (int i = 0; i < N; i++) {
        const bool is_odd = carom_counter_uniform(seed, 1000, (unsigned long)i) < 0.5;
        spectra->unconstrained_parity[i] = is_odd ? CAROM_PARITY_ODD : CAROM_PARITY_EVEN;
    }
    for (int j = 0; j < N - 1; j++) {
        const bool is_odd = carom_counter_uniform(seed, 1001, (unsigned long)j) < 0.5;
        spectra->constrained_parity[j] = is_odd ? CAROM_PARITY_ODD : CAROM_PARITY_EVEN;
    }
}

static const unsigned long SEED = 20240216;

/** Seeds of a property. */
enum { SEEDS = 40 };

/* ---------------------------------------------------------------------------- small matrices */

static inline double element(const gsl_matrix *a, int i, int j) {
    return gsl_matrix_get(a, (size_t)i, (size_t)j);
}

static inline void set(gsl_matrix *a, int i, int j, double value) {
    gsl_matrix_set(a, (size_t)i, (size_t)j, value);
}

static inline gsl_matrix *zeros(int rows, int columns) {
    return gsl_matrix_calloc((size_t)rows, (size_t)columns);
}

/** The two smallest singular values over the largest of [rows][columns], each row and then each
 * column of unit length. */
static inline void smallest_singular_values(const double *a, int rows, int columns,
                                            double *values) {
    gsl_matrix *u = zeros(rows, columns);
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < columns; j++) {
            set(u, i, j, a[i * columns + j]);
        }
        gsl_vector_view row = gsl_matrix_row(u, (size_t)i);
        gsl_vector_scale(&row.vector, 1.0 / gsl_blas_dnrm2(&row.vector));
    }
    for (int j = 0; j < columns; j++) {
        gsl_vector_view column = gsl_matrix_column(u, (size_t)j);
        gsl_vector_scale(&column.vector, 1.0 / gsl_blas_dnrm2(&column.vector));
    }
    gsl_matrix *v = zeros(columns, columns);
    gsl_vector *s = gsl_vector_alloc((size_t)columns);
    gsl_vector *work = gsl_vector_alloc((size_t)columns);
    gsl_linalg_SV_decomp(u, v, s, work);
    values[0] = gsl_vector_get(s, (size_t)columns - 1) / gsl_vector_get(s, 0);
    values[1] = gsl_vector_get(s, (size_t)columns - 2) / gsl_vector_get(s, 0);
    gsl_vector_free(work);
    gsl_vector_free(s);
    gsl_matrix_free(v);
    gsl_matrix_free(u);
}

/* ------------------------------------------------------------------------- time functions (11) */

/** g, gd and gdd of (11), undamped, from the functions of modal_function.c. */
typedef struct paper_mode {
    double g;
    double g_dot;
    double g_ddot;
} paper_mode;

static inline paper_mode paper_mode_at(double lambda, carom_parity parity, double t) {
    const carom_modal_function h = carom_modal_function_evaluate(lambda, parity, t);
    const double scale = exp(h.log_scale);
    if (parity == CAROM_PARITY_EVEN) {
        return (paper_mode){.g = 1.0 - lambda * h.displacement * scale,
                            .g_dot = -lambda * h.velocity * scale,
                            .g_ddot = -lambda * h.acceleration * scale};
    }
    const double omega = sqrt(fabs(lambda));
    return (paper_mode){.g = omega * h.displacement * scale,
                        .g_dot = omega * h.velocity * scale,
                        .g_ddot = omega * h.acceleration * scale};
}

/** cosh(nu t) for a hyperbolic mode, else 1. */
static inline double cosh_of(double lambda, double t) {
    return lambda < 0.0 ? cosh(sqrt(-lambda) * t) : 1.0;
}

static inline carom_reduced_matrix *reduced_of(const carom_phase_spectra *spectra) {
    carom_reduced_matrix *reduced = NULL;
    assert_ok(carom_reduced_matrix_alloc(spectra, &reduced, NULL));
    ck_assert_ptr_eq(carom_reduced_matrix_spectra(reduced), spectra);
    return reduced;
}

/** Times of moderate phases, away from zero. */
static inline double random_time(unsigned long seed, unsigned long which) {
    return 0.4 + 1.9 * carom_counter_uniform(SEED, seed, which);
}

/** The time functions of both phases at the impact. */
static inline void paper_modes(const carom_phase_spectra *spectra, double time,
                               double constrained_time, paper_mode *u, paper_mode *c) {
    for (int i = 0; i < spectra->mode_count; i++) {
        u[i] = paper_mode_at(spectra->unconstrained[i], spectra->unconstrained_parity[i], time);
    }
    for (int j = 0; j < spectra->mode_count - 1; j++) {
        c[j] = paper_mode_at(spectra->constrained[j], spectra->constrained_parity[j],
                             -constrained_time);
    }
}

#endif
