/*
 * carom/collisionless/curves/critical_region.h: the paper's reduction of the matching conditions to
 * spectra, done again with matrices; its conditions at the roots of the reference tables
 * (A.3, A.4, A.8: computed by an independent prototype, confirmed with 40 digits).
 */
#include <carom/collisionless/curves/critical_region.h>
#include <carom/collisionless/motion/collisionless_motion.h>

#include "../curves/determinant_cases.h"

static gsl_matrix *product(const gsl_matrix *a, const gsl_matrix *b) {
    gsl_matrix *c = gsl_matrix_calloc(a->size1, b->size2);
    gsl_blas_dgemm(CblasNoTrans, CblasNoTrans, 1.0, a, b, 0.0, c);
    return c;
}

/* ------------------------------------------------------------------------------ (12), (13), (49)
 */

/** A of (12) [2N+1][2N]. */
static gsl_matrix *matching_matrix(const carom_phase_modes *modes, const paper_mode *u,
                                   const paper_mode *c) {
    const int N = modes->spectra->mode_count;
    gsl_matrix *A = zeros(2 * N + 1, 2 * N);
    for (int a = 0; a < N; a++) {
        for (int i = 0; i < N; i++) {
            set(A, a, i, modes->shape[a * N + i] * u[i].g);
            set(A, N + a, i, modes->shape[a * N + i] * u[i].g_dot);
        }
        for (int j = 0; j < N - 1; j++) {
            set(A, a, N + j, -modes->constrained_shape[a * (N - 1) + j] * c[j].g);
            set(A, N + a, N + j, -modes->constrained_shape[a * (N - 1) + j] * c[j].g_dot);
        }
        set(A, a, 2 * N - 1, -modes->static_shape[a]);
    }
    for (int i = 0; i < N; i++) {
        set(A, 2 * N, i, modes->shape[(N - 1) * N + i] * u[i].g_ddot);
    }
    return A;
}

/** X^-1 = c X'm. */
static gsl_matrix *inverse_shape(const carom_phase_modes *modes, const double *mass) {
    const int N = modes->spectra->mode_count;
    gsl_matrix *inverse = zeros(N, N);
    for (int i = 0; i < N; i++) {
        for (int a = 0; a < N; a++) {
            double sum = 0.0;
            for (int b = 0; b < N; b++) {
                sum += modes->shape[b * N + i] * mass[b * N + a];
            }
            set(inverse, i, a, modes->normalisation * sum);
        }
    }
    return inverse;
}

/** S_L of (49) [2N+1][2N+1]. */
static gsl_matrix *left_factor(const carom_phase_modes *modes, const gsl_matrix *inverse,
                               const paper_mode *u) {
    const int N = modes->spectra->mode_count;
    gsl_matrix *sums = zeros(2 * N + 1, 2 * N + 1);
    gsl_matrix *blocks = zeros(2 * N + 1, 2 * N + 1);
    gsl_matrix_set_identity(sums);
    for (int i = 0; i < N; i++) {
        const double last = modes->shape[(N - 1) * N + i];
        set(sums, N + i, i, 1.0);
        set(sums, 2 * N, i, modes->participation[i] * modes->spectra->unconstrained[i]);
        for (int a = 0; a < N; a++) {
            set(blocks, i, a, element(inverse, i, a) / last);
            set(blocks, N + i, N + a, -u[i].g / u[i].g_dot * element(inverse, i, a) / last);
        }
    }
    set(blocks, 2 * N, 2 * N, 1.0);
    gsl_matrix *left = product(sums, blocks);
    gsl_matrix_free(sums);
    gsl_matrix_free(blocks);
    return left;
}

/** S_R of (49) [2N][2N]. */
static gsl_matrix *right_factor(const carom_phase_modes *modes, const paper_mode *u,
                                const paper_mode *c) {
    const int N = modes->spectra->mode_count;
    gsl_matrix *right = zeros(2 * N, 2 * N);
    for (int i = 0; i < N; i++) {
        set(right, i, i, modes->shape[(N - 1) * N + i] / u[i].g);
    }
    for (int j = 0; j < N - 1; j++) {
        set(right, N + j, N + j, -1.0 / c[j].g);
    }
    set(right, 2 * N - 1, 2 * N - 1, -1.0 / modes->normalisation);
    return right;
}

/** A random positive definite mass and an indefinite stiffness [N][N]. */
static void random_system(unsigned long seed, int N, double *mass, double *stiffness) {
    double factor[64] = {0.0};
    for (int k = 0; k < N * N; k++) {
        factor[k] = carom_counter_uniform(SEED, seed, (unsigned long)k) - 0.5;
    }
    for (int a = 0; a < N; a++) {
        for (int b = 0; b < N; b++) {
            double sum = a == b ? 0.7 : 0.0;
            for (int k = 0; k < N; k++) {
                sum += factor[a * N + k] * factor[b * N + k];
            }
            mass[a * N + b] = sum;
            const int low = a < b ? a : b;
            const int high = a < b ? b : a;
            stiffness[a * N + b] =
                3.0 * (carom_counter_uniform(SEED, seed,
                                             100 + (unsigned long)(low * N) + (unsigned long)high) -
                       0.5);
        }
    }
}

static carom_phase_modes *random_modes(unsigned long seed, int N, double *mass) {
    double stiffness[64] = {0.0};
    random_system(seed, N, mass, stiffness);
    carom_phase_modes *modes = NULL;
    assert_ok(carom_phase_modes_compute(N, mass, stiffness, CAROM_PARITY_EVEN, CAROM_PARITY_ODD,
                                        &modes, NULL));
    ck_assert_int_eq(modes->decoupled_count, 0);
    mix_parities(modes->spectra, seed);
    return modes;
}

/** A-tilde of (13) [2N+1][2N] at an entry. */
static double reduced_entry(const carom_phase_spectra *spectra, const double *B, int i, int j) {
    const int N = spectra->mode_count;
    if (j < N) {
        return i == j ? 1.0 : 0.0;
    }
    if (i >= N) {
        return B[(i - N) * N + j - N];
    }
    return 1.0 / (j < 2 * N - 1 ? spectra->unconstrained[i] - spectra->constrained[j - N]
                                : spectra->unconstrained[i]);
}

TEST(property, appendix_b_reduces_the_matching_conditions_to_spectra) {
    for (unsigned long seed = 0; seed < SEEDS; seed++) {
        const int N = 2 + (int)(seed % 4);
        double mass[64] = {0.0};
        carom_phase_modes *modes = random_modes(seed, N, mass);
        const double time = random_time(seed, 200);
        const double constrained_time = random_time(seed, 201);
        paper_mode u[8] = {{0.0, 0.0, 0.0}};
        paper_mode c[8] = {{0.0, 0.0, 0.0}};
        paper_modes(modes->spectra, time, constrained_time, u, c);
        gsl_matrix *A = matching_matrix(modes, u, c);
        gsl_matrix *inverse = inverse_shape(modes, mass);
        gsl_matrix *left = left_factor(modes, inverse, u);
        gsl_matrix *right = right_factor(modes, u, c);
        gsl_matrix *half = product(left, A);
        gsl_matrix *whole = product(half, right);

        carom_reduced_matrix *reduced = reduced_of(modes->spectra);
        double B[72] = {0.0};
        carom_reduced_matrix_printed(reduced, time, constrained_time, NULL, B);
        for (int i = 0; i <= 2 * N; i++) {
            for (int j = 0; j < 2 * N; j++) {
                // sums of terms of the size of the factors cancel
                double size = 1.0;
                for (int k = 0; k <= 2 * N; k++) {
                    for (int l = 0; l <= 2 * N; l++) {
                        size += fabs(element(left, i, k) * (l < 2 * N ? element(A, k, l) : 0.0) *
                                     (l < 2 * N ? element(right, l, j) : 0.0));
                    }
                }
                assert_close(element(whole, i, j), reduced_entry(modes->spectra, B, i, j), 1e-10,
                             1e-12 * size);
            }
        }
        carom_reduced_matrix_free(reduced);
        gsl_matrix_free(whole);
        gsl_matrix_free(half);
        gsl_matrix_free(right);
        gsl_matrix_free(left);
        gsl_matrix_free(inverse);
        gsl_matrix_free(A);
        carom_phase_modes_free(modes);
    }
}

TEST(property, equation_48_writes_the_positions_in_unconstrained_modes) {
    for (unsigned long seed = 0; seed < SEEDS; seed++) {
        const int N = 2 + (int)(seed % 4);
        double mass[64] = {0.0};
        carom_phase_modes *modes = random_modes(seed, N, mass);
        gsl_matrix *inverse = inverse_shape(modes, mass);
        for (int i = 0; i < N; i++) {
            const double last = modes->shape[(N - 1) * N + i];
            const double lambda = modes->spectra->unconstrained[i];
            double load = 0.0;
            double size = 0.0;
            for (int a = 0; a < N; a++) {
                load += element(inverse, i, a) * modes->static_shape[a];
                size += fabs(element(inverse, i, a) * modes->static_shape[a]);
            }
            assert_close(load, modes->normalisation * last / lambda, 1e-10, 1e-12 * size);
            for (int j = 0; j < N - 1; j++) {
                double sum = 0.0;
                size = 0.0;
                for (int a = 0; a < N; a++) {
                    const double term =
                        element(inverse, i, a) * modes->constrained_shape[a * (N - 1) + j];
                    sum += term;
                    size += fabs(term);
                }
                assert_close(sum, last / (lambda - modes->spectra->constrained[j]), 1e-10,
                             1e-12 * size);
            }
        }
        gsl_matrix_free(inverse);
        carom_phase_modes_free(modes);
    }
}

/** eta_i = W_i/W_N. */
TEST(property, equation_50_gives_the_last_row_of_B) {
    for (unsigned long seed = 0; seed < SEEDS; seed++) {
        const int N = 2 + (int)(seed % 7);
        carom_phase_spectra *spectra = random_spectra(SEED + seed, N, -4.0, 1.0, 1.3, 2.9);
        carom_reduced_matrix *reduced = reduced_of(spectra);
        double B[90] = {0.0};
        carom_reduced_matrix_printed(reduced, 1.1, 0.7, NULL, B);
        double share[9] = {0.0};
        carom_cauchy_shares(N, spectra->unconstrained, spectra->constrained, share);
        double inertia = 0.0;
        for (int i = 0; i < N; i++) {
            inertia += share[i] / share[N - 1];
        }
        for (int j = 0; j < N - 1; j++) {
            double sum = 0.0;
            double size = 0.0;
            for (int i = 0; i < N; i++) {
                const double lambda = spectra->unconstrained[i];
                const double term =
                    share[i] / share[N - 1] * lambda / (lambda - spectra->constrained[j]);
                sum += term;
                size += fabs(term);
            }
            assert_close(B[N * N + j], sum, 0.0, 1e-12 * size);
            assert_close(B[N * N + j], inertia, 1e-12, 0.0);
        }
        assert_close(B[N * N + N - 1], inertia, 1e-12, 0.0);
        carom_reduced_matrix_free(reduced);
        carom_phase_spectra_free(spectra);
    }
}

/* --------------------------------------------------------------------------- two modes: (17), (18)
 */

/** Models of two modes with closed forms (A.8). */
typedef struct two_mode_case {
    double unconstrained[2];
    double constrained;
    carom_parity parity;
    carom_parity constrained_parity;
    double time;
    double constrained_time;
} two_mode_case;

static const two_mode_case TWO_MODE_CASES[5] = {
    {{-0.36602540378443865, 1.3660254037844387},
     1.0,
     CAROM_PARITY_ODD,
     CAROM_PARITY_ODD,
     2.3199872833,
     0.4921138220},
    {{-0.36602540378443865, 1.3660254037844387},
     1.0,
     CAROM_PARITY_ODD,
     CAROM_PARITY_ODD,
     4.9689149276,
     0.5419219742},
    {{-M_SQRT2, M_SQRT2}, 1.0, CAROM_PARITY_ODD, CAROM_PARITY_ODD, 1.9887371532, 0.8629029622},
    {{-M_SQRT2, M_SQRT2}, 1.0, CAROM_PARITY_EVEN, CAROM_PARITY_ODD, 3.3018658083, 0.8719938807},
    {{-M_SQRT2, M_SQRT2}, 1.0, CAROM_PARITY_EVEN, CAROM_PARITY_ODD, 5.9439458917, 0.8716118765}};

/** sigma tan^sigma(omega t) omega (18), (19). */
static double two_mode_side(double lambda, carom_parity parity, double t) {
    const double omega = sqrt(fabs(lambda));
    const double tangent = lambda > 0.0 ? tan(omega * t) : tanh(omega * t);
    const double signed_tangent =
        parity == CAROM_PARITY_ODD ? tangent : (lambda > 0.0 ? -1.0 : 1.0) / tangent;
    return (lambda > 0.0 ? omega : -omega) * signed_tangent;
}

TEST(unit, two_modes_have_G_of_equation_17_where_equation_18_holds) {
    for (int k = 0; k < 5; k++) {
        const two_mode_case *e = &TWO_MODE_CASES[k];
        carom_phase_spectra *spectra =
            spectra_of(2, e->unconstrained, &e->constrained, e->parity, e->constrained_parity);
        carom_reduced_matrix *reduced = reduced_of(spectra);
        double G[2] = {0.0};
        double B[6] = {0.0};
        carom_reduced_matrix_printed(reduced, e->time, e->constrained_time, G, B);
        for (int i = 0; i < 2; i++) {
            // times are printed to 1e-10 and the slopes of all tangents are below 20
            const double side = two_mode_side(e->unconstrained[i], e->parity, e->time);
            const double other =
                two_mode_side(e->constrained, e->constrained_parity, e->constrained_time);
            assert_close(side / other, -1.0, 0.0, 1e-8);
            assert_close(G[i], e->constrained / e->unconstrained[i], 1e-8, 0.0);
            assert_close(B[2 * i], 1.0 / e->unconstrained[i], 1e-7, 0.0);
        }
        double values[2] = {0.0};
        smallest_singular_values(B, 3, 2, values);
        ck_assert_double_lt(values[0], 1e-8);
        carom_reduced_matrix_free(reduced);
        carom_phase_spectra_free(spectra);
    }
}

/** (16), written out: tangents instead of quotients of g and its rate. */
TEST(property, G_is_the_quotient_of_tangents_of_equation_16) {
    for (unsigned long seed = 0; seed < SEEDS; seed++) {
        const int N = 2 + (int)(seed % 4);
        carom_phase_spectra *spectra = random_spectra(SEED + seed, N, -2.0, 2.0, 2.1, 3.0);
        mix_parities(spectra, seed);
        const double time = random_time(seed, 210);
        const double constrained_time = random_time(seed, 211);
        carom_reduced_matrix *reduced = reduced_of(spectra);
        double G[20] = {0.0};
        carom_reduced_matrix_printed(reduced, time, constrained_time, G, NULL);
        for (int i = 0; i < N; i++) {
            const double lambda = spectra->unconstrained[i];
            const double w = two_mode_side(lambda, spectra->unconstrained_parity[i], time);
            for (int j = 0; j < N - 1; j++) {
                const double constrained = spectra->constrained[j];
                const double other =
                    two_mode_side(constrained, spectra->constrained_parity[j], constrained_time);
                // (31); near a pole the tangents lose digits: both are within 2 radians of many
                assert_close(G[i * (N - 1) + j], -(w / lambda) / (other / constrained), 1e-11, 0.0);
            }
        }
        carom_reduced_matrix_free(reduced);
        carom_phase_spectra_free(spectra);
    }
}

/** (59), and G_N and U_N before (60): hyperbolic modes of one parity at times at which tanh is one
 * to rounding. The minus of G_N is not printed. */
TEST(property, large_times_leave_the_matrix_of_equation_59) {
    for (unsigned long seed = 0; seed < SEEDS; seed++) {
        const int N = 3 + (int)(seed % 3);
        carom_phase_spectra *spectra = random_spectra(SEED + seed, N, -4.0, -0.3, 0.4, 1.9);
        // all |nu| > 0.5; omega_N tau is no multiple of pi/2
        const double time = 60.3;
        carom_reduced_matrix *reduced = reduced_of(spectra);
        double G[20] = {0.0};
        double B[30] = {0.0};
        carom_reduced_matrix_printed(reduced, time, 61.0, G, B);
        const double last = spectra->unconstrained[N - 1];
        const double w_N = two_mode_side(last, CAROM_PARITY_EVEN, time);
        for (int j = 0; j < N - 2; j++) {
            const double constrained = spectra->constrained[j];
            const double nu = sqrt(-constrained);
            for (int i = 0; i < N - 1; i++) {
                const double lambda = spectra->unconstrained[i];
                const double U = (1.0 + sqrt(constrained / lambda)) / (lambda - constrained);
                assert_close(B[i * N + j], U, 1e-12, 0.0);
            }
            const double M_Nj = 1.0 / (last - constrained);
            assert_close(G[(N - 1) * (N - 1) + j], -w_N * nu / last, 1e-12, 0.0);
            assert_close(B[(N - 1) * N + j], M_Nj + w_N * M_Nj * nu / last, 1e-11, 0.0);
        }
        carom_reduced_matrix_free(reduced);
        carom_phase_spectra_free(spectra);
    }
}

/* ------------------------------------------------------------------------------- roots: (15), rank
 */

/** sum_ij left_i (Ubar^-1)_ij / lambda_j. */
static double static_sum(int N, const double *lambda, const double *B, const double *left) {
    gsl_matrix *lu = zeros(N - 1, N - 1);
    gsl_vector *x = gsl_vector_alloc((size_t)N - 1);
    for (int i = 0; i < N - 1; i++) {
        for (int j = 0; j < N - 1; j++) {
            set(lu, i, j, B[i * N + j]);
        }
        gsl_vector_set(x, (size_t)i, 1.0 / lambda[i]);
    }
    gsl_permutation *permutation = gsl_permutation_alloc((size_t)N - 1);
    int sign = 0;
    gsl_linalg_LU_decomp(lu, permutation, &sign);
    gsl_linalg_LU_svx(lu, permutation, x);
    double sum = 0.0;
    for (int j = 0; j < N - 1; j++) {
        sum += left[j] * gsl_vector_get(x, (size_t)j);
    }
    gsl_permutation_free(permutation);
    gsl_vector_free(x);
    gsl_matrix_free(lu);
    return sum;
}

/** (15) and rank B = N - 1 at a root known to `known` rad. */
static void assert_root(const carom_phase_spectra *spectra, known_root root, double known) {
    const int N = spectra->mode_count;
    carom_reduced_matrix *reduced = reduced_of(spectra);
    const double time = carom_reduced_matrix_time(reduced, root.phase);
    const double constrained_time =
        carom_reduced_matrix_constrained_time(reduced, root.constrained_phase);
    double B[20] = {0.0};
    carom_reduced_matrix_printed(reduced, time, constrained_time, NULL, B);
    const double ones[4] = {1.0, 1.0, 1.0, 1.0};
    const double *lambda = spectra->unconstrained;
    assert_close(static_sum(N, lambda, B, ones), 1.0, 0.0, known);
    assert_close(lambda[N - 1] * static_sum(N, lambda, B, &B[(N - 1) * N]), 1.0, 0.0, known);
    double B_check[20] = {0.0};
    carom_reduced_matrix_pole_free(reduced, time, constrained_time, B_check);
    double values[2] = {0.0};
    smallest_singular_values(B, N + 1, N, values);
    ck_assert_double_lt(values[0], known);
    ck_assert_double_gt(values[1], 1e-3);
    smallest_singular_values(B_check, N + 1, N, values);
    ck_assert_double_lt(values[0], known);
    ck_assert_double_gt(values[1], 1e-3);
    carom_reduced_matrix_free(reduced);
}

TEST(unit, equations_15_hold_and_B_loses_rank_at_the_roots_of_the_biped) {
    carom_phase_spectra *spectra = unit_biped();
    for (int k = 0; k < 15; k++) {
        // printed to 5e-10, slopes up to a hundred
        assert_root(spectra, UNIT_BIPED_ROOTS[k], 1e-7);
    }
    carom_phase_spectra_free(spectra);
}

TEST(unit, equations_15_hold_and_B_loses_rank_at_the_roots_of_the_critical_stand_in) {
    carom_phase_spectra *spectra = critical_stand_in();
    for (int k = 0; k < 6; k++) {
        assert_root(spectra, CRITICAL_ROOTS[k], 1e-6);
    }
    carom_phase_spectra_free(spectra);
}

TEST(unit, B_keeps_its_rank_at_the_spurious_crossings) {
    carom_phase_spectra *spectra = two_oscillating();
    carom_reduced_matrix *reduced = reduced_of(spectra);
    for (int k = 0; k < 2; k++) {
        double B_check[20] = {0.0};
        carom_reduced_matrix_pole_free(reduced, SPURIOUS_TIMES[k][0], SPURIOUS_TIMES[k][1],
                                       B_check);
        double values[2] = {0.0};
        smallest_singular_values(B_check, 5, 4, values);
        ck_assert_double_gt(values[0], 0.02);
        double determinants[CAROM_DETERMINANT_FAMILY_COUNT] = {0.0};
        carom_reduced_matrix_determinants(reduced, SPURIOUS_TIMES[k][0], SPURIOUS_TIMES[k][1],
                                          determinants);
        // times are printed to 5e-6
        assert_close(determinants[CAROM_DETERMINANT_WITHOUT_MODE], 0.0, 0.0, 1e-4);
        assert_close(determinants[CAROM_DETERMINANT_WITHOUT_FORCE], 0.0, 0.0, 1e-4);
    }
    carom_reduced_matrix_free(reduced);
    carom_phase_spectra_free(spectra);
}

/** C11: column N-1 of U is then 1/lambda, column N. */
TEST(unit, B_loses_rank_at_criticality_where_the_last_column_of_G_vanishes) {
    const double lambda[3] = {-2.9, -0.83, 1.7};
    double before = HUGE_VAL;
    for (int k = 2; k <= 10; k += 4) {
        const double constrained[2] = {-1.3, pow(10.0, -k)};
        carom_phase_spectra *spectra =
            spectra_of(3, lambda, constrained, CAROM_PARITY_EVEN, CAROM_PARITY_ODD);
        carom_reduced_matrix *reduced = reduced_of(spectra);
        // a quarter oscillation: tan is infinite, G^{N-1} zero
        const double constrained_time = carom_reduced_matrix_constrained_time(reduced, M_PI_2);
        double G[6] = {0.0};
        double B[12] = {0.0};
        carom_reduced_matrix_printed(reduced, 1.37, constrained_time, G, B);
        for (int i = 0; i < 3; i++) {
            assert_close(G[2 * i + 1], 0.0, 0.0, 1e-15);
        }
        double values[2] = {0.0};
        smallest_singular_values(B, 4, 3, values);
        ck_assert_double_lt(values[0], 10.0 * constrained[1]);
        ck_assert_double_lt(values[0], 1e-3 * before);
        before = values[0];
        carom_reduced_matrix_free(reduced);
        carom_phase_spectra_free(spectra);
    }
}
