/* carom/collisionless: the matrix of the impact equations. */
#include <carom/collisionless/motion/internal.h>

#include "../../failing_malloc.h"
#include "../independent.h"

#include <gsl/gsl_eigen.h>

static const unsigned long SEED = 24021602;

/** A body, as mass and stiffness alone, with its modes by GSL. */
typedef struct body {
    int N;
    gsl_matrix *mass;
    gsl_matrix *stiffness;
    gsl_matrix *shape;      /* X [N][N] of any scale */
    gsl_matrix *held_shape; /* X' [N][N-1] of any scale, last row 0 */
    gsl_vector *frequency;  /* lambda [N] */
    gsl_vector *held_frequency;
    gsl_vector *compliance; /* column N of k^-1 */
} body;

static void body_free(body *b) {
    gsl_matrix_free(b->mass);
    gsl_matrix_free(b->stiffness);
    gsl_matrix_free(b->shape);
    gsl_matrix_free(b->held_shape);
    gsl_vector_free(b->frequency);
    gsl_vector_free(b->held_frequency);
    gsl_vector_free(b->compliance);
}

/** Eigenvalues and vectors of the leading n rows and columns of stiffness and mass. */
static void leading_modes(const body *b, size_t n, gsl_vector *values, gsl_matrix *vectors) {
    gsl_matrix *m = gsl_matrix_alloc(n, n);
    gsl_matrix *k = gsl_matrix_alloc(n, n);
    gsl_matrix_const_view mass = gsl_matrix_const_submatrix(b->mass, 0, 0, n, n);
    gsl_matrix_const_view stiffness = gsl_matrix_const_submatrix(b->stiffness, 0, 0, n, n);
    gsl_matrix_memcpy(m, &mass.matrix);
    gsl_matrix_memcpy(k, &stiffness.matrix);
    gsl_eigen_gensymmv_workspace *work = gsl_eigen_gensymmv_alloc(n);
    ck_assert_int_eq(gsl_eigen_gensymmv(k, m, values, vectors, work), 0);
    gsl_eigen_gensymmv_sort(values, vectors, GSL_EIGEN_SORT_VAL_ASC);
    gsl_eigen_gensymmv_free(work);
    gsl_matrix_free(m);
    gsl_matrix_free(k);
}

/** Modes of both phases and column N of k^-1, from the mass and stiffness in place. */
static void body_compute(body *b) {
    const size_t n = (size_t)b->N;
    leading_modes(b, n, b->frequency, b->shape);
    gsl_matrix *held = gsl_matrix_alloc(n - 1, n - 1);
    leading_modes(b, n - 1, b->held_frequency, held);
    gsl_matrix_set_zero(b->held_shape);
    gsl_matrix_view top = gsl_matrix_submatrix(b->held_shape, 0, 0, n - 1, n - 1);
    gsl_matrix_memcpy(&top.matrix, held);
    gsl_matrix_free(held);
    gsl_matrix *lu = gsl_matrix_alloc(n, n);
    gsl_permutation *order = gsl_permutation_alloc(n);
    gsl_matrix_memcpy(lu, b->stiffness);
    int sign;
    gsl_linalg_LU_decomp(lu, order, &sign);
    gsl_vector_set_basis(b->compliance, n - 1);
    gsl_linalg_LU_svx(lu, order, b->compliance);
    gsl_permutation_free(order);
    gsl_matrix_free(lu);
}

/**
 * A random body with given spectra. With orthonormal modes O whose last row is sqrt(W) the matrix
 * O diag(lambda) O' has both spectra; then the other coordinates are mixed, x = P y with the last
 * row of P kept: m = P^-T P^-1, k = P^-T O diag(lambda) O' P^-1. G = P^-1 is drawn.
 */
static body body_with_spectra(const carom_phase_spectra *s, draws *d) {
    const size_t n = (size_t)s->mode_count;
    body b = {s->mode_count,           gsl_matrix_alloc(n, n),     gsl_matrix_alloc(n, n),
              gsl_matrix_alloc(n, n),  gsl_matrix_alloc(n, n - 1), gsl_vector_alloc(n),
              gsl_vector_alloc(n - 1), gsl_vector_alloc(n)};
    // a reflection that takes e_N to sqrt(W)
    long double W[MODES];
    contact_shares(s, W);
    gsl_vector *mirror = gsl_vector_alloc(n);
    for (size_t i = 0; i < n; i++) {
        gsl_vector_set(mirror, i, (double)sqrtl(W[i]) - (i == n - 1 ? 1.0 : 0.0));
    }
    gsl_vector_scale(mirror, 1.0 / gsl_blas_dnrm2(mirror));
    gsl_matrix *O = gsl_matrix_alloc(n, n);
    gsl_matrix_set_identity(O);
    gsl_blas_dger(-2.0, mirror, mirror, O);
    gsl_vector_free(mirror);
    gsl_matrix *G = gsl_matrix_alloc(n, n);
    for (size_t i = 0; i < n * n; i++) {
        const size_t row = i / n;
        const double own = row == i % n ? 1.0 : 0.0;
        G->data[i] = row == n - 1 ? own : own + draw(d, -0.4, 0.4);
    }
    gsl_blas_dgemm(CblasTrans, CblasNoTrans, 1.0, G, G, 0.0, b.mass);
    gsl_matrix *OG = gsl_matrix_alloc(n, n);
    gsl_matrix *scaled = gsl_matrix_alloc(n, n);
    gsl_blas_dgemm(CblasTrans, CblasNoTrans, 1.0, O, G, 0.0, OG);
    for (size_t i = 0; i < n * n; i++) {
        scaled->data[i] = s->unconstrained[i / n] * OG->data[i];
    }
    gsl_blas_dgemm(CblasTrans, CblasNoTrans, 1.0, OG, scaled, 0.0, b.stiffness);
    gsl_matrix_free(OG);
    gsl_matrix_free(scaled);
    gsl_matrix_free(O);
    gsl_matrix_free(G);
    body_compute(&b);
    return b;
}

/**
 * Rank of the matching matrix A (12): its smallest and second smallest singular value over the
 * largest, columns of unit length; b of A b = 0 (q, q', F_N^0 in those columns) if asked for.
 */
static void matching_rank(const body *b, const carom_parity *parity,
                          const carom_parity *held_parity, double time, double constrained_time,
                          double gap[2]) {
    const int N = b->N;
    const size_t n = (size_t)N;
    gsl_matrix *A = gsl_matrix_calloc(2 * n + 1, 2 * n);
    for (int c = 0; c < 2 * N - 1; c++) {
        const size_t i = (size_t)(c < N ? c : c - N);
        const bool is_free = c < N;
        const double lambda = gsl_vector_get(is_free ? b->frequency : b->held_frequency, i);
        const time_function f = is_free
                                    ? time_function_at(lambda, parity[i], time)
                                    : time_function_at(lambda, held_parity[i], -constrained_time);
        const double sign = is_free ? 1.0 : -1.0;
        for (size_t row = 0; row < n; row++) {
            const double x = sign * gsl_matrix_get(is_free ? b->shape : b->held_shape, row, i);
            gsl_matrix_set(A, row, (size_t)c, x * (double)f.g);
            gsl_matrix_set(A, n + row, (size_t)c, x * (double)f.gd);
        }
        if (is_free) {
            gsl_matrix_set(A, 2 * n, i, gsl_matrix_get(b->shape, n - 1, i) * (double)f.gdd);
        }
    }
    for (size_t row = 0; row < n; row++) {
        gsl_matrix_set(A, row, 2 * n - 1, -gsl_vector_get(b->compliance, row));
    }
    for (size_t c = 0; c < 2 * n; c++) {
        gsl_vector_view column = gsl_matrix_column(A, c);
        gsl_vector_scale(&column.vector, 1.0 / gsl_blas_dnrm2(&column.vector));
    }
    double values[2 * MODES];
    singular_values(A, values, NULL);
    gap[0] = values[2 * N - 1] / values[0];
    gap[1] = values[2 * N - 2] / values[0];
    gsl_matrix_free(A);
}

static carom_impact_matrix *matrix_of(const carom_phase_spectra *s) {
    carom_impact_matrix *matrix;
    assert_ok(carom_impact_matrix_alloc(s, &matrix, NULL));
    return matrix;
}

/** Spectra of all kinds: N = 2..6, any number of oscillating modes, any parities. */
static carom_phase_spectra *any_spectra(draws *d) {
    const int N = 2 + (int)draw(d, 0.0, 5.0);
    const int positive = (int)draw(d, 0.0, 2.0 * N);
    carom_phase_spectra *s = random_spectra(d, N, (positive + 1) / 2, positive / 2);
    draw_parities(d, s, draw(d, 0.0, 1.0) < 0.7);
    return s;
}

TEST(unit, two_modes_have_a_closed_form) {
    // W = (lambda' - lambda_1, lambda_2 - lambda')/(lambda_2 - lambda_1), V = (lambda' -
    // lambda_1)(lambda_2 - lambda')
    const double lambda[] = {-0.731, 1.618};
    const double held = 0.385;
    carom_phase_spectra *s = uniform_spectra(2, lambda, &held, CAROM_PARITY_EVEN, CAROM_PARITY_ODD);
    carom_impact_matrix *matrix = matrix_of(s);
    ck_assert_ptr_eq(carom_impact_matrix_spectra(matrix), s);
    const double k = carom_impact_matrix_frequency_scale(matrix);
    ck_assert(k > 0.0);
    const double nu = sqrt(0.731);
    const double w = sqrt(1.618);
    const double w_held = sqrt(held);
    const double times[] = {0.83, 1.31};
    const double phi[] = {atan2(k * tanh(nu * times[0]) / nu, 1.0),
                          atan2(k * sin(w * times[0]) / w, cos(w * times[0]))};
    const double phi_held = atan2(k * cos(w_held * times[1]), w_held * sin(w_held * times[1]));
    const double below = (held - lambda[0]) / (lambda[1] - lambda[0]);
    double Z[2];
    carom_impact_matrix_evaluate(matrix, times[0], times[1], Z, NULL, NULL);
    assert_close(Z[0], -sqrt(1.0 - below) * sin(phi[0] - phi_held), 1e-14, 0.0);
    assert_close(Z[1], sqrt(below) * sin(phi[1] - phi_held), 1e-14, 0.0);
    assert_close(carom_impact_matrix_constrained_weights(matrix)[0],
                 (held - lambda[0]) * (lambda[1] - held), 1e-14, 0.0);
    carom_impact_rank rank;
    double u = (double)NAN;
    assert_ok(carom_impact_matrix_rank(matrix, times[0], times[1], &rank, &u));
    assert_close(rank.smallest, hypot(Z[0], Z[1]), 1e-14, 0.0);
    assert_close(rank.second, 1.0, 0.0, 0.0);
    assert_close(fabs(u), 1.0, 1e-15, 0.0);
    carom_impact_matrix_free(matrix);
    carom_phase_spectra_free(s);
}

TEST(unit, the_armed_biped_impacts_where_published_with_the_published_amplitudes) {
    // Reference: tau, tau' of 40 digits; q' of (68), q'_1 : q'_2 to 12 digits
    const double lambda[] = {-5.850284901586612, -0.673191369894797, 1.523476271481409};
    const double held[] = {-M_SQRT2, M_SQRT2};
    carom_phase_spectra *s = uniform_spectra(3, lambda, held, CAROM_PARITY_EVEN, CAROM_PARITY_ODD);
    carom_impact_matrix *matrix = matrix_of(s);
    const double k = carom_impact_matrix_frequency_scale(matrix);
    carom_impact_rank rank;
    double u[2];
    const double held_time = 0.777845030699011;
    assert_ok(carom_impact_matrix_rank(matrix, 3.07947715534506, held_time, &rank, u));
    // the eigenvalues are rounded to 5e-16 and the times to 5e-15
    ck_assert(rank.smallest < 1e-14);
    ck_assert(rank.second > 0.01);
    double q[2];
    for (int j = 0; j < 2; j++) {
        // (g', g'') of sin or sinh at -tau'
        const time_function f = time_function_at(held[j], CAROM_PARITY_ODD, -held_time);
        const double cosh_of_it = held[j] < 0.0 ? cosh(sqrt(M_SQRT2) * held_time) : 1.0;
        const double length = cosh_of_it * hypot(k * (double)f.gd, (double)f.gdd);
        q[j] = u[j] * sqrt(carom_impact_matrix_constrained_weights(matrix)[j]) / length;
    }
    assert_close(q[0] / q[1], -8.746238111811e-3 / 0.135702694856, 1e-11, 0.0);
    carom_impact_matrix_free(matrix);
    carom_phase_spectra_free(s);
}

TEST(unit, a_free_mode_needs_no_special_case) {
    // Reference table A.8, hopper of unit masses and spring: lambda_1 = 0, times of 10 decimals
    const double lambda[] = {0.0, 2.0};
    const double held = 1.0;
    const double times[][2] = {{3.1773202983, 1.8757120725}, {5.4625779603, 1.7518552707}};
    carom_phase_spectra *s =
        uniform_spectra(2, lambda, &held, CAROM_PARITY_EVEN, CAROM_PARITY_EVEN);
    carom_impact_matrix *matrix = matrix_of(s);
    for (int i = 0; i < 2; i++) {
        carom_impact_rank rank;
        assert_ok(carom_impact_matrix_rank(matrix, times[i][0], times[i][1], &rank, NULL));
        ck_assert(rank.smallest < 1e-9);
        assert_ok(carom_impact_matrix_rank(matrix, times[i][0] + 1e-3, times[i][1], &rank, NULL));
        ck_assert(rank.smallest > 1e-5);
    }
    carom_impact_matrix_free(matrix);
    carom_phase_spectra_free(s);
}

TEST(property, entries_are_an_orthonormal_factor_times_sines_of_angles) {
    for (unsigned long sample = 0; sample < 300; sample++) {
        draws d = {SEED, sample, 0};
        carom_phase_spectra *s = any_spectra(&d);
        const int N = s->mode_count;
        carom_impact_matrix *matrix = matrix_of(s);
        const double k = carom_impact_matrix_frequency_scale(matrix);
        const double times[] = {draw(&d, 0.1, 6.0), draw(&d, 0.1, 6.0)};
        double Z[MODES * MODES];
        carom_impact_matrix_evaluate(matrix, times[0], times[1], Z, NULL, NULL);
        long double W[MODES];
        contact_shares(s, W);
        gsl_matrix *Q = gsl_matrix_alloc((size_t)N, (size_t)N - 1);
        for (int j = 0; j < N - 1; j++) {
            long double sum = 0.0L;
            for (int i = 0; i < N; i++) {
                const long double gap =
                    (long double)s->unconstrained[i] - (long double)s->constrained[j];
                sum += W[i] / gap / gap;
            }
            assert_close(carom_impact_matrix_constrained_weights(matrix)[j], (double)(1.0L / sum),
                         1e-13, 0.0);
            const carom_modal_direction held =
                carom_modal_direction_at(s->constrained[j], s->constrained_parity[j], k, -times[1]);
            for (int i = 0; i < N; i++) {
                const carom_modal_direction own = carom_modal_direction_at(
                    s->unconstrained[i], s->unconstrained_parity[i], k, times[0]);
                const long double gap =
                    (long double)s->unconstrained[i] - (long double)s->constrained[j];
                const double factor = (double)(sqrtl(W[i] / sum) / gap);
                const double sine = own.sine * held.cosine - own.cosine * held.sine;
                assert_close(Z[i * (N - 1) + j], factor * sine, 0.0, 1e-14);
                // the factor behind the entry, where the sine leaves it enough digits
                gsl_matrix_set(Q, (size_t)i, (size_t)j,
                               fabs(sine) > 1e-3 ? Z[i * (N - 1) + j] / sine : factor);
            }
        }
        gsl_matrix *product = gsl_matrix_alloc((size_t)N - 1, (size_t)N - 1);
        gsl_blas_dgemm(CblasTrans, CblasNoTrans, 1.0, Q, Q, 0.0, product);
        for (size_t i = 0; i < (size_t)(N - 1) * (size_t)(N - 1); i++) {
            assert_close(product->data[i], i % (size_t)N == 0 ? 1.0 : 0.0, 0.0, 1e-11);
        }
        gsl_matrix_free(product);
        gsl_matrix_free(Q);
        ck_assert(spectral_norm(Z, N, N - 1) <= 1.0 + 1e-14);
        carom_impact_matrix_free(matrix);
        carom_phase_spectra_free(s);
    }
}

/** Free or held modes of a body as unit vectors (kappa v, a) in a coordinate of unit mass: the
 * Cholesky factor of m times the modes. [2N][modes] */
static gsl_matrix *unit_states(const body *b, const carom_parity *parity, bool is_free, double k,
                               double t) {
    const size_t n = (size_t)b->N;
    const size_t modes = is_free ? n : n - 1;
    gsl_matrix *L = gsl_matrix_alloc(n, n);
    gsl_matrix_memcpy(L, b->mass);
    gsl_linalg_cholesky_decomp1(L);
    gsl_matrix *shapes = gsl_matrix_alloc(n, modes);
    gsl_matrix_memcpy(shapes, is_free ? b->shape : b->held_shape);
    gsl_blas_dtrmm(CblasLeft, CblasLower, CblasTrans, CblasNonUnit, 1.0, L, shapes);
    gsl_matrix *states = gsl_matrix_alloc(2 * n, modes);
    for (size_t c = 0; c < modes; c++) {
        const double lambda = gsl_vector_get(is_free ? b->frequency : b->held_frequency, c);
        const time_function f = time_function_at(lambda, parity[c], t);
        gsl_vector_const_view shape = gsl_matrix_const_column(shapes, c);
        const double length =
            gsl_blas_dnrm2(&shape.vector) * hypot(k * (double)f.gd, (double)f.gdd);
        for (size_t row = 0; row < n; row++) {
            const double x = gsl_matrix_get(shapes, row, c) / length;
            gsl_matrix_set(states, row, c, x * k * (double)f.gd);
            gsl_matrix_set(states, n + row, c, x * (double)f.gdd);
        }
    }
    gsl_matrix_free(L);
    gsl_matrix_free(shapes);
    return states;
}

TEST(property, singular_values_are_distances_between_motions_of_the_phases) {
    // What is left of held states after projection on free ones, all in the norm of the mass: from
    // mass and stiffness alone.
    for (unsigned long sample = 0; sample < 150; sample++) {
        draws d = {SEED + 1, sample, 0};
        carom_phase_spectra *s = any_spectra(&d);
        body b = body_with_spectra(s, &d);
        const size_t n = (size_t)b.N;
        carom_impact_matrix *matrix = matrix_of(s);
        const double k = carom_impact_matrix_frequency_scale(matrix);
        const double times[] = {draw(&d, 0.1, 6.0), draw(&d, 0.1, 6.0)};
        gsl_matrix *own = unit_states(&b, s->unconstrained_parity, true, k, times[0]);
        gsl_matrix *held = unit_states(&b, s->constrained_parity, false, k, -times[1]);
        gsl_matrix *overlap = gsl_matrix_alloc(n, n - 1);
        gsl_blas_dgemm(CblasTrans, CblasNoTrans, 1.0, own, held, 0.0, overlap);
        gsl_blas_dgemm(CblasNoTrans, CblasNoTrans, -1.0, own, overlap, 1.0, held);
        double expected[MODES];
        singular_values(held, expected, NULL);
        carom_impact_rank rank;
        assert_ok(carom_impact_matrix_rank(matrix, times[0], times[1], &rank, NULL));
        // modes by GSL to 1e-13 and the gaps of the spectra
        assert_close(rank.smallest, expected[n - 2], 0.0, 1e-10);
        assert_close(rank.second, n == 2 ? 1.0 : expected[n - 3], 0.0, 1e-10);
        // columns of at most unit length, turned to rounding
        assert_close(rank.norm_error, 0.0, 0.0, 1e-14);
        gsl_matrix_free(own);
        gsl_matrix_free(held);
        gsl_matrix_free(overlap);
        body_free(&b);
        carom_impact_matrix_free(matrix);
        carom_phase_spectra_free(s);
    }
}

TEST(property, rank_is_lost_exactly_where_the_matching_matrix_loses_it) {
    int roots = 0;
    for (unsigned long sample = 0; sample < 10; sample++) {
        draws d = {SEED + 2, sample, 0};
        const int N = 2 + (int)(sample % 4);
        const int positive = 2 + (int)draw(&d, 0.0, 2.0 * N - 2.0);
        carom_phase_spectra *s = random_spectra(&d, N, (positive + 1) / 2, positive / 2);
        draw_parities(&d, s, sample % 2 == 0);
        body b = body_with_spectra(s, &d);
        carom_impact_matrix *matrix = matrix_of(s);
        grid_roots found;
        grid_roots_find(s, (double[]){0.3, 5.0, 0.3, 5.0}, 0.2, &found);
        roots += found.count;
        for (int i = 0; i < found.count; i++) {
            for (int away = 0; away < 4; away++) {
                const double distance = away == 0 ? 0.0 : pow(10.0, -away);
                const double angle = draw(&d, 0.0, 2.0 * M_PI);
                const double tau = found.times[i][0] + distance * cos(angle);
                const double tau_held = found.times[i][1] + distance * sin(angle);
                carom_impact_rank rank;
                double gap[2];
                assert_ok(carom_impact_matrix_rank(matrix, tau, tau_held, &rank, NULL));
                matching_rank(&b, s->unconstrained_parity, s->constrained_parity, tau, tau_held,
                              gap);
                if (away == 0) {
                    // roots are polished to 1e-11
                    ck_assert_msg(rank.smallest < 1e-10 && gap[0] < 1e-10, "Z %g, A %g",
                                  rank.smallest, gap[0]);
                    ck_assert(rank.second > 1e-6 && gap[1] > 1e-8);
                } else if (grid_roots_distance(&found, tau, tau_held) > 0.9 * distance) {
                    // both grow with the distance, by rates of the modes' order over the condition
                    ck_assert_msg(rank.smallest > 1e-5 * distance && gap[0] > 1e-8 * distance,
                                  "seed %lu sample %lu: Z %g, A %g at %g", SEED, sample,
                                  rank.smallest, gap[0], distance);
                }
            }
        }
        body_free(&b);
        carom_impact_matrix_free(matrix);
        carom_phase_spectra_free(s);
    }
    ck_assert_int_ge(roots, 25);
}

/** |Z' - (Z(+h) - Z(-h))/(2h)| entry by entry. */
static void assert_derivative(const double *derivative, const double *after, const double *before,
                              int size, double h, double tolerance) {
    for (int i = 0; i < size; i++) {
        assert_close(derivative[i], (after[i] - before[i]) / (2.0 * h), 0.0, tolerance);
    }
}

TEST(property, derivatives_are_those_of_finite_differences) {
    for (unsigned long sample = 0; sample < 200; sample++) {
        draws d = {SEED + 3, sample, 0};
        carom_phase_spectra *s = any_spectra(&d);
        const int size = s->mode_count * (s->mode_count - 1);
        carom_impact_matrix *matrix = matrix_of(s);
        const double tau = draw(&d, 0.1, 6.0);
        const double held = draw(&d, 0.1, 6.0);
        double Z[3][MODES * MODES];
        double after[MODES * MODES];
        double before[MODES * MODES];
        carom_impact_matrix_evaluate(matrix, tau, held, Z[0], Z[1], Z[2]);
        // h2/6 of third derivatives of up to some 1e3 (rates of up to 10 1/s), rounding 1e-16/h
        const double h = 1e-5;
        carom_impact_matrix_evaluate(matrix, tau + h, held, after, NULL, NULL);
        carom_impact_matrix_evaluate(matrix, tau - h, held, before, NULL, NULL);
        assert_derivative(Z[1], after, before, size, h, 1e-7);
        carom_impact_matrix_evaluate(matrix, tau, held + h, after, NULL, NULL);
        carom_impact_matrix_evaluate(matrix, tau, held - h, before, NULL, NULL);
        assert_derivative(Z[2], after, before, size, h, 1e-7);
        // either derivative alone, and the matrix alone
        carom_impact_matrix_evaluate(matrix, tau, held, after, before, NULL);
        for (int i = 0; i < size; i++) {
            assert_close(after[i], Z[0][i], 0.0, 0.0);
            assert_close(before[i], Z[1][i], 0.0, 0.0);
        }
        carom_impact_matrix_evaluate(matrix, tau, held, after, NULL, before);
        for (int i = 0; i < size; i++) {
            assert_close(before[i], Z[2][i], 0.0, 0.0);
        }
        carom_impact_matrix_free(matrix);
        carom_phase_spectra_free(s);
    }
}

TEST(property, the_null_vector_is_the_least_stretched) {
    for (unsigned long sample = 0; sample < 200; sample++) {
        draws d = {SEED + 4, sample, 0};
        carom_phase_spectra *s = any_spectra(&d);
        const int N = s->mode_count;
        carom_impact_matrix *matrix = matrix_of(s);
        const double times[] = {draw(&d, 0.1, 6.0), draw(&d, 0.1, 6.0)};
        double Z[MODES * MODES];
        double values[MODES];
        double u[MODES];
        carom_impact_rank rank;
        carom_impact_matrix_evaluate(matrix, times[0], times[1], Z, NULL, NULL);
        gsl_matrix_const_view view = gsl_matrix_const_view_array(Z, (size_t)N, (size_t)N - 1);
        singular_values(&view.matrix, values, NULL);
        assert_ok(carom_impact_matrix_rank(matrix, times[0], times[1], &rank, u));
        assert_close(rank.smallest, values[N - 2], 0.0, 1e-14);
        assert_close(rank.second, N == 2 ? 1.0 : values[N - 3], 0.0, 1e-14);
        double image = 0.0;
        double length = 0.0;
        for (int i = 0; i < N; i++) {
            double row = 0.0;
            for (int j = 0; j < N - 1; j++) {
                row += Z[i * (N - 1) + j] * u[j];
            }
            image = hypot(image, row);
            length = i < N - 1 ? hypot(length, u[i]) : length;
        }
        assert_close(length, 1.0, 1e-14, 0.0);
        assert_close(image, rank.smallest, 0.0, 1e-14);
        carom_impact_matrix_free(matrix);
        carom_phase_spectra_free(s);
    }
}

/** Intervals of both times, from 0 in every fifth case. */
static void draw_intervals(draws *d, unsigned long sample, double intervals[2][2]) {
    for (int which = 0; which < 2; which++) {
        intervals[which][0] = sample % 5 == 0 ? 0.0 : draw(d, 0.0, 6.0);
        intervals[which][1] = intervals[which][0] + pow(10.0, draw(d, -3.0, 0.5));
    }
}

TEST(property, changes_of_the_matrix_keep_within_their_bounds) {
    for (unsigned long sample = 0; sample < 400; sample++) {
        draws d = {SEED + 5, sample, 0};
        carom_phase_spectra *s = any_spectra(&d);
        const int N = s->mode_count;
        const int size = N * (N - 1);
        carom_impact_matrix *matrix = matrix_of(s);
        double intervals[2][2];
        draw_intervals(&d, sample, intervals);
        double rates[2];
        double curvatures[2];
        carom_impact_matrix_bounds(matrix, intervals[0], intervals[1], rates, curvatures);
        double points[2][2];
        double Z[2][3][MODES * MODES];
        for (int point = 0; point < 2; point++) {
            for (int which = 0; which < 2; which++) {
                points[point][which] = draw(&d, intervals[which][0], intervals[which][1]);
            }
            carom_impact_matrix_evaluate(matrix, points[point][0], points[point][1], Z[point][0],
                                         Z[point][1], Z[point][2]);
            ck_assert(spectral_norm(Z[point][1], N, N - 1) <= rates[0] * (1.0 + 1e-13));
            ck_assert(spectral_norm(Z[point][2], N, N - 1) <= rates[1] * (1.0 + 1e-13));
        }
        // differences of Z and of its derivatives, the mixed one by the product of the rates
        const double reach[] = {fabs(points[1][0] - points[0][0]),
                                fabs(points[1][1] - points[0][1])};
        const double bounds[] = {rates[0] * reach[0] + rates[1] * reach[1],
                                 curvatures[0] * reach[0] + rates[0] * rates[1] * reach[1],
                                 rates[0] * rates[1] * reach[0] + curvatures[1] * reach[1]};
        for (int which = 0; which < 3; which++) {
            for (int i = 0; i < size; i++) {
                Z[1][which][i] -= Z[0][which][i];
            }
            const double change = spectral_norm(Z[1][which], N, N - 1);
            ck_assert_msg(change <= bounds[which] * (1.0 + 1e-13) + 1e-13,
                          "seed %lu sample %lu: change %d is %g > %g", SEED, sample, which, change,
                          bounds[which]);
        }
        double rates_alone[2];
        carom_impact_matrix_bounds(matrix, intervals[0], intervals[1], rates_alone, NULL);
        assert_close(rates_alone[0], rates[0], 0.0, 0.0);
        assert_close(rates_alone[1], rates[1], 0.0, 0.0);
        carom_impact_matrix_free(matrix);
        carom_phase_spectra_free(s);
    }
}

TEST(property, bounds_are_no_larger_than_those_of_the_fastest_mode) {
    for (unsigned long sample = 0; sample < 200; sample++) {
        draws d = {SEED + 6, sample, 0};
        carom_phase_spectra *s = any_spectra(&d);
        carom_impact_matrix *matrix = matrix_of(s);
        const double k = carom_impact_matrix_frequency_scale(matrix);
        double intervals[2][2];
        draw_intervals(&d, sample, intervals);
        double rates[2];
        double curvatures[2];
        carom_impact_matrix_bounds(matrix, intervals[0], intervals[1], rates, curvatures);
        for (int which = 0; which < 2; which++) {
            const double *lambda = which == 0 ? s->unconstrained : s->constrained;
            const carom_parity *parity =
                which == 0 ? s->unconstrained_parity : s->constrained_parity;
            double fastest = 0.0;
            double bend = 0.0;
            for (int i = 0; i < s->mode_count - which; i++) {
                const double rate = carom_modal_direction_largest_rate(
                    lambda[i], parity[i], k, intervals[which][0], intervals[which][1]);
                fastest = fmax(fastest, rate);
                bend = fmax(bend, carom_modal_direction_curvature(lambda[i], k, rate));
            }
            assert_close(rates[which], fastest, 1e-14, 0.0);
            // |Z''| <= |phi'|2 + |phi''|
            ck_assert(curvatures[which] <= (fastest * fastest + bend) * (1.0 + 1e-13));
        }
        carom_impact_matrix_free(matrix);
        carom_phase_spectra_free(s);
    }
}

TEST(property, the_matrix_is_a_number_without_unit) {
    for (unsigned long sample = 0; sample < 100; sample++) {
        draws d = {SEED + 7, sample, 0};
        carom_phase_spectra *s = any_spectra(&d);
        const int N = s->mode_count;
        carom_impact_matrix *matrix = matrix_of(s);
        const double times[] = {draw(&d, 0.1, 6.0), draw(&d, 0.1, 6.0)};
        const double unit = pow(10.0, draw(&d, -4.0, 4.0));
        const double scale = carom_impact_matrix_frequency_scale(matrix);
        double Z[MODES * MODES];
        double scaled[MODES * MODES];
        carom_impact_matrix_evaluate(matrix, times[0], times[1], Z, NULL, NULL);
        carom_impact_matrix_free(matrix);
        for (int i = 0; i < N; i++) {
            s->unconstrained[i] *= unit * unit;
            s->constrained[i < N - 1 ? i : 0] *= i < N - 1 ? unit * unit : 1.0;
        }
        matrix = matrix_of(s);
        assert_close(carom_impact_matrix_frequency_scale(matrix), scale * unit, 1e-14, 0.0);
        carom_impact_matrix_evaluate(matrix, times[0] / unit, times[1] / unit, scaled, NULL, NULL);
        for (int i = 0; i < N * (N - 1); i++) {
            assert_close(scaled[i], Z[i], 0.0, 1e-13);
        }
        carom_impact_matrix_free(matrix);
        carom_phase_spectra_free(s);
    }
}

TEST(errors, spectra_that_are_none_are_refused) {
    const struct {
        bool is_constrained;
        int index;
        double value;
        carom_status status;
    } cases[] = {{false, 1, (double)NAN, CAROM_STATUS_NOT_FINITE},
                 {false, 2, HUGE_VAL, CAROM_STATUS_NOT_FINITE},
                 {true, 0, -HUGE_VAL, CAROM_STATUS_NOT_FINITE},
                 {true, 1, (double)NAN, CAROM_STATUS_NOT_FINITE},
                 {false, 0, 0.1, CAROM_STATUS_CONFLICT},
                 {true, 1, 3.1, CAROM_STATUS_CONFLICT},
                 {true, 0, -1.7, CAROM_STATUS_CONFLICT},
                 {false, 1, 0.5, CAROM_STATUS_CONFLICT}};
    const double lambda[] = {-1.7, 0.3, 2.2};
    const double held[] = {-0.4, 0.5};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        carom_phase_spectra *s =
            uniform_spectra(3, lambda, held, CAROM_PARITY_EVEN, CAROM_PARITY_ODD);
        (cases[i].is_constrained ? s->constrained : s->unconstrained)[cases[i].index] =
            cases[i].value;
        carom_impact_matrix *matrix = (carom_impact_matrix *)s;
        carom_report report = carom_report_empty();
        ck_assert_int_eq(carom_impact_matrix_alloc(s, &matrix, &report), cases[i].status);
        ck_assert_ptr_null(matrix);
        ck_assert_ptr_nonnull(report.quantity);
        matrix = (carom_impact_matrix *)s;
        ck_assert_int_eq(carom_impact_matrix_alloc(s, &matrix, NULL), cases[i].status);
        ck_assert_ptr_null(matrix);
        carom_phase_spectra_free(s);
    }
    carom_phase_spectra *s = uniform_spectra(3, lambda, held, CAROM_PARITY_EVEN, CAROM_PARITY_ODD);
    carom_impact_matrix *matrix = (carom_impact_matrix *)s;
    s->mode_count = 1;
    assert_status(carom_impact_matrix_alloc(s, &matrix, NULL), OUT_OF_RANGE);
    ck_assert_ptr_null(matrix);
    s->mode_count = 3;
    carom_phase_spectra_free(s);
}

TEST(errors, any_allocation_may_fail) {
    const double lambda[] = {-1.7, 0.3, 2.2};
    const double held[] = {-0.4, 0.5};
    carom_phase_spectra *s = uniform_spectra(3, lambda, held, CAROM_PARITY_EVEN, CAROM_PARITY_ODD);
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    int failures = 0;
    for (; status != CAROM_OK; failures++) {
        carom_impact_matrix *matrix = (carom_impact_matrix *)s;
        successes_left = failures;
        status = carom_impact_matrix_alloc(s, &matrix, NULL);
        successes_left = -1;
        if (status == CAROM_OK) {
            carom_impact_rank rank;
            // no allocation afterwards
            allocations = 0;
            status = carom_impact_matrix_rank(matrix, 1.3, 0.8, &rank, NULL);
            const int asked_for = allocations;
            assert_ok(status);
            ck_assert_int_eq(asked_for, 0);
        } else {
            ck_assert_int_eq(status, CAROM_STATUS_OUT_OF_MEMORY);
            ck_assert_ptr_null(matrix);
        }
        carom_impact_matrix_free(matrix);
        ck_assert_int_lt(failures, 100);
    }
    ck_assert_int_ge(failures, 2);
    carom_phase_spectra_free(s);
}
