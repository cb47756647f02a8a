/* carom/modes/internal.h: the defining equations, and cases in which half the digits would be
 * lost without refinement. */
#include "../support.h"

#include <carom/base/linear_algebra.h>
#include <carom/modes/internal.h>

#include <float.h>
#include <gsl/gsl_eigen.h>
#include <gsl/gsl_math.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST 12

/* Calls of the library that end here (linker option --wrap): memory as it may be found, full of
 * NaN, and failures on request. */
void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);
gsl_eigen_symmv_workspace *__real_gsl_eigen_symmv_alloc(size_t n);
gsl_eigen_symmv_workspace *__wrap_gsl_eigen_symmv_alloc(size_t n);
int __real_gsl_eigen_symmv(gsl_matrix *A, gsl_vector *eval, gsl_matrix *evec,
                           gsl_eigen_symmv_workspace *w);
int __wrap_gsl_eigen_symmv(gsl_matrix *A, gsl_vector *eval, gsl_matrix *evec,
                           gsl_eigen_symmv_workspace *w);

static int successes_left = -1;

/** What is added to the eigenvectors of GSL, to see whether refinement takes it out again. */
static double disturbance = 0.0;

void *__wrap_calloc(size_t count, size_t size) {
    if (successes_left == 0) {
        return NULL;
    }
    successes_left -= successes_left > 0 ? 1 : 0;
    void *memory = __real_calloc(count, size);
    return memory == NULL ? NULL : memset(memory, 0xff, count * size);
}

gsl_eigen_symmv_workspace *__wrap_gsl_eigen_symmv_alloc(size_t n) {
    if (successes_left == 0) {
        return NULL;
    }
    successes_left -= successes_left > 0 ? 1 : 0;
    return __real_gsl_eigen_symmv_alloc(n);
}

int __wrap_gsl_eigen_symmv(gsl_matrix *A, gsl_vector *eval, gsl_matrix *evec,
                           gsl_eigen_symmv_workspace *w) {
    const int code = __real_gsl_eigen_symmv(A, eval, evec, w);
    for (size_t i = 0; i < evec->size1; i++) {
        for (size_t j = 0; j < evec->size2; j++) {
            *gsl_matrix_ptr(evec, i, j) += disturbance * sin((double)(1 + 7 * i + 3 * j));
        }
    }
    return code;
}

/** Random symmetric positive definite, A'A + I/2. */
static void random_definite(gsl_rng *generator, int n, double *S) {
    double A[LARGEST * LARGEST] = {0.0};
    for (int k = 0; k < n * n; k++) {
        A[k] = uniform(generator, -1.0, 1.0);
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = i == j ? 0.5 : 0.0;
            for (int k = 0; k < n; k++) {
                sum += A[k * n + i] * A[k * n + j];
            }
            S[i * n + j] = S[j * n + i] = sum;
        }
    }
}

/** x_k' A x_l for columns k and l. */
static double form(int n, const double *A, const double *X, int k, int l) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            sum += X[i * n + k] * A[i * n + j] * X[j * n + l];
        }
    }
    return sum;
}

/** X'M X = 1 and X'K X = Lambda. */
static void assert_modes(int n, const double *M, const double *K, const double *lambda,
                         const double *X) {
    /* The sums of n^2 terms that are formed here; entries of X are at most sqrt(2) since M >= 1/2,
     * those of M and K at most LARGEST. */
    const double rounding = 4.0 * n * n * DBL_EPSILON;
    double largest = 0.0;
    for (int l = 0; l < n; l++) {
        largest = fmax(largest, fabs(lambda[l]));
    }
    for (int k = 0; k < n; k++) {
        for (int l = 0; l < n; l++) {
            assert_close(form(n, M, X, k, l), k == l ? 1.0 : 0.0, 0.0, rounding);
            assert_close(form(n, K, X, k, l), k == l ? lambda[l] : 0.0, 0.0,
                         rounding * fmax(1.0, largest));
        }
        ck_assert(k == 0 || lambda[k] >= lambda[k - 1]);
    }
}

TEST(unit, two_masses_have_the_modes_of_paper_and_pencil) {
    // M = diag(2, 1), K = [3 -1; -1 1]: 2 x^2 - 5 x + 2 = 0 for x = lambda, 1/2 and 2.
    const double M[4] = {2.0, 0.0, 0.0, 1.0};
    const double K[4] = {3.0, -1.0, -1.0, 1.0};
    double lambda[2];
    double X[4];
    assert_ok(carom_linear_modes_compute(2, M, K, lambda, X));
    // The last digit.
    assert_close(lambda[0], 0.5, DBL_EPSILON, 0.0);
    assert_close(lambda[1], 2.0, DBL_EPSILON, 0.0);
    // (1, 2)/sqrt(6) and (1, -1)/sqrt(3).
    assert_close(fabs(X[0]), sqrt(1.0 / 6.0), 2.0 * DBL_EPSILON, 0.0);
    assert_close(X[2] / X[0], 2.0, 2.0 * DBL_EPSILON, 0.0);
    assert_close(fabs(X[1]), sqrt(1.0 / 3.0), 2.0 * DBL_EPSILON, 0.0);
    assert_close(X[3] / X[1], -1.0, 2.0 * DBL_EPSILON, 0.0);
}

TEST(property, random_pencils_are_diagonalized) {
    gsl_rng *generator = seeded_generator(5001);
    for (int round = 0; round < 200; round++) {
        const int n = 1 + (int)gsl_rng_uniform_int(generator, LARGEST);
        double M[LARGEST * LARGEST];
        double K[LARGEST * LARGEST];
        double X[LARGEST * LARGEST];
        double lambda[LARGEST];
        random_definite(generator, n, M);
        random_definite(generator, n, K);
        assert_ok(carom_linear_modes_compute(n, M, K, lambda, X));
        assert_modes(n, M, K, lambda, X);
    }
    gsl_rng_free(generator);
}

TEST(property, errors_of_the_eigenvectors_are_refined_away) {
    gsl_rng *generator = seeded_generator(5002);
    for (int round = 0; round < 50; round++) {
        const int n = 2 + (int)gsl_rng_uniform_int(generator, 5);
        double M[LARGEST * LARGEST];
        double K[LARGEST * LARGEST];
        double X[2][LARGEST * LARGEST];
        double lambda[2][LARGEST];
        random_definite(generator, n, M);
        random_definite(generator, n, K);
        assert_ok(carom_linear_modes_compute(n, M, K, lambda[0], X[0]));
        disturbance = 1e-7;
        const carom_status status = carom_linear_modes_compute(n, M, K, lambda[1], X[1]);
        disturbance = 0.0;
        assert_ok(status);
        for (int l = 0; l < n; l++) {
            // Two last digits, in the size of the largest eigenvalue and eigenvector.
            assert_close(lambda[1][l], lambda[0][l], 4.0 * DBL_EPSILON, 0.0);
        }
        for (int k = 0; k < n * n; k++) {
            assert_close(X[1][k], X[0][k], 0.0, 4.0 * DBL_EPSILON);
        }
    }
    gsl_rng_free(generator);
}

/** Started by GSL, and by LAPACK. */
LOOP_TEST(property, small_eigenvalues_of_a_long_chain_keep_all_digits, 2) {
    // 4 sin^2((2 l - 1) pi / (2 (2 n + 1))): the smallest is 1e-4 of the largest, and 2e-6.
    const int n = _i == 0 ? 100 : CAROM_LAPACK_LEAST;
    const size_t size = (size_t)n;
    double *M = calloc(size * size, sizeof *M);
    double *K = calloc(size * size, sizeof *K);
    double *X = calloc((size + 1) * size, sizeof *X);
    ck_assert(M != NULL && K != NULL && X != NULL);
    double *lambda = X + n * n;
    for (int i = 0; i < n * n; i++) {
        M[i] = K[i] = 0.0;
    }
    for (int i = 0; i < n; i++) {
        M[i * n + i] = 1.0;
        K[i * n + i] = i + 1 < n ? 2.0 : 1.0;
        if (i > 0) {
            K[i * n + i - 1] = K[(i - 1) * n + i] = -1.0;
        }
    }
    assert_ok(carom_linear_modes_compute(n, M, K, lambda, X));
    for (int l = 1; l <= n; l++) {
        const double s = 2.0 * sin((2 * l - 1) * M_PI / (2.0 * (2 * n + 1)));
        // The roundings of the closed form itself; without refinement 1e-13 is lost.
        assert_close(lambda[l - 1], s * s, 8.0 * DBL_EPSILON, 0.0);
    }
    free(M);
    free(K);
    free(X);
}

TEST(property, close_pairs_of_a_symmetric_structure_are_told_apart) {
    /* Two equal chains of three masses, their ends joined by a weak spring: the modes are those of
     * one chain in phase and those of one chain with twice the spring in opposition. */
    const double half[9] = {3.3, -1.9, 0.0, -1.9, 4.2, -2.3, 0.0, -2.3, 2.3};
    double spring = 0.1;
    for (int decade = 1; decade <= 11; decade++) {
        double M[36] = {0.0};
        double K[36] = {0.0};
        double X[36];
        double lambda[6];
        for (int i = 0; i < 6; i++) {
            M[7 * i] = 1.0;
            for (int j = 0; j < 6; j++) {
                K[6 * i + j] = i / 3 == j / 3 ? half[3 * (i % 3) + j % 3] : 0.0;
            }
        }
        K[14] += spring;
        K[35] += spring;
        K[17] = K[32] = -spring;
        assert_ok(carom_linear_modes_compute(6, M, K, lambda, X));
        for (int l = 0; l < 6; l++) {
            const double sign = X[l] * X[18 + l] > 0.0 ? 1.0 : -1.0;
            ck_assert_msg(sign > 0.0 ? l % 2 == 0 : l % 2 == 1, "spring %g, mode %d", spring, l);
            for (int i = 0; i < 3; i++) {
                /* Exact symmetry; an eigenvector's last digits. Without refinement the error is
                 * 1e-16 over the spring. */
                assert_close(X[6 * i + l], sign * X[6 * (i + 3) + l], 0.0, 4.0 * DBL_EPSILON);
            }
        }
        spring *= 0.1;
    }
}

TEST(property, equal_eigenvalues_have_orthonormal_modes) {
    gsl_rng *generator = seeded_generator(5003);
    for (int n = 1; n <= LARGEST; n++) {
        double M[LARGEST * LARGEST];
        double K[LARGEST * LARGEST];
        double X[LARGEST * LARGEST];
        double lambda[LARGEST];
        random_definite(generator, n, M);
        for (int k = 0; k < n * n; k++) {
            K[k] = 2.9 * M[k];
        }
        assert_ok(carom_linear_modes_compute(n, M, K, lambda, X));
        for (int l = 0; l < n; l++) {
            // Rounding of the entries of K, times the condition of M, below 100.
            assert_close(lambda[l], 2.9, 100.0 * DBL_EPSILON, 0.0);
            for (int k = 0; k < n; k++) {
                assert_close(form(n, M, X, k, l), k == l ? 1.0 : 0.0, 0.0,
                             4.0 * n * n * DBL_EPSILON);
            }
        }
    }
    gsl_rng_free(generator);
}

TEST(unit, the_resolution_is_that_of_the_largest_modulus) {
    const double lambda[3] = {-4.0, 1.0, 3.0};
    assert_close(carom_linear_modes_resolution(3, lambda), 96.0 * DBL_EPSILON, 0.0, 0.0);
}

/** The call fails with the status and leaves nothing but NaN. */
#define assert_no_modes(n, M, K, code)                                             \
    do {                                                                           \
        double no_lambda[LARGEST] = {0.0};                                         \
        double no_X[LARGEST * LARGEST] = {0.0};                                    \
        assert_status(carom_linear_modes_compute(n, M, K, no_lambda, no_X), code); \
        for (int no_k = 0; no_k < (n); no_k++) {                                   \
            ck_assert(isnan(no_lambda[no_k]));                                     \
        }                                                                          \
        for (int no_k = 0; no_k < (n) * (n); no_k++) {                             \
            ck_assert(isnan(no_X[no_k]));                                          \
        }                                                                          \
    } while (0)

TEST(errors, eigenvalues_beyond_the_range_of_doubles_are_refused) {
    const double M[1] = {1e-200};
    const double K[1] = {1e200};
    assert_no_modes(1, M, K, NOT_FINITE);
}

TEST(errors, a_mass_without_cholesky_factor_is_refused) {
    const double M[4] = {1.0, 2.0, 2.0, 1.0};
    const double K[4] = {1.0, 0.0, 0.0, 1.0};
    assert_no_modes(2, M, K, NOT_CONVERGED);
}

TEST(errors, eigenvectors_that_refinement_cannot_mend_are_refused) {
    const double M[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
    const double K[9] = {1.0, 0.0, 0.0, 0.0, 1.0 + 1e-6, 0.0, 0.0, 0.0, 3.0};
    disturbance = 0.3;
    assert_no_modes(3, M, K, NOT_CONVERGED);
}

TEST(errors, every_allocation_that_fails_is_reported_without_a_leak) {
    const double M[1] = {0.5};
    const double K[1] = {2.0};
    for (int granted = 0; granted < 2; granted++) {
        successes_left = granted;
        assert_no_modes(1, M, K, OUT_OF_MEMORY);
    }
    successes_left = 2;
    double lambda;
    double X;
    assert_ok(carom_linear_modes_compute(1, M, K, &lambda, &X));
    assert_close(lambda, 4.0, DBL_EPSILON, 0.0);
}
