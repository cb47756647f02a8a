/* carom/collisionless/curves/critical_region.h against LU factors, the Hilbert matrix and published
 * values.
 */
#include "../../support.h"

#include <carom/base/random.h>
#include <carom/collisionless/curves/critical_region.h>

#include <float.h>
#include <gsl/gsl_cblas.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_sf_gamma.h>
#include <string.h>

enum { LARGEST = 10 };

/** Interlacing a_1 < b_1 < a_2 < .. about zero, the distances between 0.05 and 1. */
static void interlacing(unsigned long sample, int n, double *a, double *b) {
    double place = -2.0;
    for (int k = 0; k < 2 * n; k++) {
        place += 0.05 + 0.95 * carom_counter_uniform(21, sample, (unsigned long)k);
        *(k % 2 == 0 ? &a[k / 2] : &b[k / 2]) = place;
    }
}

/** Determinant and inverse of [n][n] by LU factors. */
static double lu_inverse(int n, const double *M, double *inverse) {
    double LU[LARGEST * LARGEST];
    const size_t size = (size_t)n;
    memcpy(LU, M, size * size * sizeof(double));
    gsl_matrix_view A = gsl_matrix_view_array(LU, size, size);
    gsl_matrix_view B = gsl_matrix_view_array(inverse, size, size);
    gsl_permutation *p = gsl_permutation_alloc(size);
    int sign;
    gsl_linalg_LU_decomp(&A.matrix, p, &sign);
    gsl_linalg_LU_invert(&A.matrix, p, &B.matrix);
    gsl_permutation_free(p);
    return gsl_linalg_LU_det(&A.matrix, sign);
}

TEST(unit, the_matrix_has_the_reciprocal_differences) {
    const double a[2] = {2.5, -1.25};
    const double b[3] = {0.5, 3.0, -1.0};
    const double expected[6] = {0.5, -2.0, 1.0 / 3.5, -1.0 / 1.75, -1.0 / 4.25, -4.0};
    double M[6];
    carom_cauchy_matrix(2, 3, a, b, M);
    for (int k = 0; k < 6; k++) {
        assert_close(M[k], expected[k], DBL_EPSILON, 0.0);
    }
}

TEST(property, determinant_and_inverse_agree_with_lu_factors) {
    for (unsigned long sample = 0; sample < 200; sample++) {
        const int n = 1 + (int)(sample % LARGEST);
        double a[LARGEST];
        double b[LARGEST];
        double M[LARGEST * LARGEST];
        double expected[LARGEST * LARGEST];
        double inverse[LARGEST * LARGEST];
        interlacing(sample, n, a, b);
        carom_cauchy_matrix(n, n, a, b, M);
        const double determinant = lu_inverse(n, M, expected);
        carom_cauchy_inverse(n, a, b, inverse);
        // Both formulas are exact to roundings: the error is that of the factors.
        const double norm = cblas_dnrm2(n * n, M, 1);
        const double inverse_norm = cblas_dnrm2(n * n, expected, 1);
        const double rel = 4.0 * n * DBL_EPSILON * norm * inverse_norm;
        assert_close(carom_cauchy_determinant(n, a, b), determinant, rel, 0.0);
        for (int k = 0; k < n * n; k++) {
            assert_close(inverse[k], expected[k], 0.0, rel * inverse_norm);
        }
    }
}

/** Binomial coefficient, exact in double precision for the arguments used. */
static double choose(int n, int k) {
    return rint(gsl_sf_choose((unsigned int)n, (unsigned int)k));
}

TEST(unit, the_hilbert_matrix_keeps_all_digits) {
    // 1/(i + j - 1): its inverse has integer entries, its determinant is 1 over an integer.
    const double determinants[LARGEST] = {1.0,
                                          1.0 / 12.0,
                                          1.0 / 2160.0,
                                          1.0 / 6048000.0,
                                          1.0 / 266716800000.0,
                                          1.0 / 186313420339200000.0};
    for (int n = 1; n <= LARGEST; n++) {
        double a[LARGEST];
        double b[LARGEST];
        double inverse[LARGEST * LARGEST];
        for (int i = 0; i < n; i++) {
            a[i] = i + 1;
            b[i] = -i;
        }
        // Two roundings for each of 2 n quotients.
        const double rel = 4.0 * n * DBL_EPSILON;
        if (determinants[n - 1] > 0.0) {
            assert_close(carom_cauchy_determinant(n, a, b), determinants[n - 1], n * rel, 0.0);
        }
        carom_cauchy_inverse(n, a, b, inverse);
        for (int i = 1; i <= n; i++) {
            for (int j = 1; j <= n; j++) {
                const double middle = choose(i + j - 2, i - 1);
                const double expected = ((i + j) % 2 == 0 ? 1.0 : -1.0) * (i + j - 1) *
                                        choose(n + i - 1, n - j) * choose(n + j - 1, n - i) *
                                        middle * middle;
                assert_close(inverse[(i - 1) * n + j - 1], expected, rel, 0.0);
            }
        }
    }
}

TEST(unit, only_results_leave_the_range_of_doubles) {
    // n = 60 with distances 1e-5: differences multiply up to 1e-300 and beyond, their quotients
    // not.
    enum { MANY = 60 };
    double a[MANY];
    double b[MANY];
    static double inverse[MANY * MANY];
    for (int i = 0; i < MANY; i++) {
        a[i] = 2e-5 * i;
        b[i] = 2e-5 * i + 1e-5;
    }
    carom_cauchy_inverse(MANY, a, b, inverse);
    static double M[MANY * MANY];
    carom_cauchy_matrix(MANY, MANY, a, b, M);
    for (int i = 0; i < MANY; i++) {
        for (int j = 0; j < MANY; j++) {
            // Sums of n products, each exact to 2 n roundings; the matrix is well conditioned.
            assert_close(cblas_ddot(MANY, inverse + i * MANY, 1, M + j, MANY), i == j ? 1.0 : 0.0,
                         0.0, 4.0 * MANY * DBL_EPSILON);
        }
    }
    ck_assert(isfinite(carom_cauchy_determinant(20, a, b)));
    ck_assert(fabs(carom_cauchy_determinant(20, a, b)) > 0.0);
}

TEST(unit, shares_of_two_modes_are_the_distances_to_the_other_one) {
    const double lambda[2] = {-1.3, 2.9};
    const double held[1] = {0.4};
    double share[2];
    carom_cauchy_shares(2, lambda, held, share);
    assert_close(share[0], 1.7 / 4.2, 4.0 * DBL_EPSILON, 0.0);
    assert_close(share[1], 2.5 / 4.2, 4.0 * DBL_EPSILON, 0.0);
}

TEST(unit, shares_of_published_and_reference_spectra) {
    // The armed biped: eta and 1/c = 1/W_N of the reference tables, A.1; its held spectrum is
    // closed.
    const double biped[3] = {-5.850284901586612, -0.673191369894797, 1.523476271481409};
    const double biped_held[2] = {-M_SQRT2, M_SQRT2};
    double share[4];
    carom_cauchy_shares(3, biped, biped_held, share);
    assert_close(share[0] / share[2], 42.599509109060, 0.0, 1e-12);
    assert_close(share[1] / share[2], 6.863775516282, 0.0, 1e-12);
    assert_close(1.0 / share[2], 50.463284625342, 0.0, 2e-12);
    // c as printed, 0.019816: (m^-1)_NN is 1.
    assert_close(share[2], 0.019816, 0.0, 0.5e-6);

    // The critical spectrum of A.4.
    const double critical[4] = {-3.1, -1.7, -0.8, 1.3};
    const double critical_held[3] = {-2.4, -1.2, 0.01};
    carom_cauchy_shares(4, critical, critical_held, share);
    assert_close(share[0] / share[3], 0.678211679829, 0.0, 1e-12);
    assert_close(share[1] / share[3], 0.367818981772, 0.0, 1e-12);
    assert_close(share[2] / share[3], 0.277036591698, 0.0, 1e-12);
    assert_close(share[3], 0.430465367965, 0.0, 1e-12);
}

/** x'Mbar^-1 for the first N - 1 rows of M, by LU factors; returns the condition of Mbar. */
static double divide_by_upper_part(int N, const double *M, const double *x, double *quotient) {
    double inverse[LARGEST * LARGEST];
    (void)lu_inverse(N - 1, M, inverse);
    cblas_dgemv(CblasRowMajor, CblasTrans, N - 1, N - 1, 1.0, inverse, N - 1, x, 1, 0.0, quotient,
                1);
    return cblas_dnrm2((N - 1) * (N - 1), M, 1) * cblas_dnrm2((N - 1) * (N - 1), inverse, 1);
}

TEST(property, participations_are_the_quotients_of_10) {
    for (unsigned long sample = 0; sample < 200; sample++) {
        const int N = 2 + (int)(sample % (LARGEST - 1));
        double lambda[LARGEST];
        double held[LARGEST];
        double M[LARGEST * LARGEST];
        double share[LARGEST];
        double last_row[LARGEST];
        double eta[LARGEST];
        interlacing(1000 + sample, N, lambda, held);
        carom_cauchy_matrix(N, N - 1, lambda, held, M);
        carom_cauchy_shares(N, lambda, held, share);
        for (int j = 0; j < N - 1; j++) {
            last_row[j] = 1.0 / (held[j] - lambda[N - 1]);
        }
        const double condition = divide_by_upper_part(N, M, last_row, eta);
        double sum = 0.0;
        for (int i = 0; i < N; i++) {
            ck_assert(share[i] > 0.0);
            sum += share[i];
        }
        // Each share is exact to 3 N roundings.
        assert_close(sum, 1.0, 4.0 * N * DBL_EPSILON, 0.0);
        for (int i = 0; i < N - 1; i++) {
            // The error of the factors.
            assert_close(share[i] / share[N - 1], eta[i], 0.0,
                         4.0 * N * DBL_EPSILON * condition * cblas_dnrm2(N - 1, eta, 1));
        }
        // (9): eta'M = 0.
        for (int j = 0; j < N - 1; j++) {
            double balance = 0.0;
            double size = 0.0;
            for (int i = 0; i < N; i++) {
                balance += share[i] * M[i * (N - 1) + j];
                size += fabs(share[i] * M[i * (N - 1) + j]);
            }
            assert_close(balance, 0.0, 0.0, 4.0 * N * DBL_EPSILON * size);
        }
    }
}

TEST(unit, the_second_form_of_10_needs_the_reciprocal_that_the_paper_lost) {
    const double lambda[3] = {-5.850284901586612, -0.673191369894797, 1.523476271481409};
    const double held[2] = {-M_SQRT2, M_SQRT2};
    double M[6];
    double eta[2];
    carom_cauchy_matrix(3, 2, lambda, held, M);
    const double printed[2] = {held[0] - lambda[2], held[1] - lambda[2]};
    (void)divide_by_upper_part(3, M, printed, eta);
    // Reference: three decimals.
    assert_close(eta[0], 5.293, 0.0, 0.5e-3);
    assert_close(eta[1], -1.293, 0.0, 0.5e-3);
    const double corrected[2] = {1.0 / printed[0], 1.0 / printed[1]};
    (void)divide_by_upper_part(3, M, corrected, eta);
    assert_close(eta[0], 42.599509109060, 0.0, 1e-11);
    assert_close(eta[1], 6.863775516282, 0.0, 1e-11);
}

TEST(property, shares_have_no_unit) {
    double lambda[LARGEST];
    double held[LARGEST];
    double share[LARGEST];
    double scaled[LARGEST];
    for (unsigned long sample = 0; sample < 20; sample++) {
        interlacing(2000 + sample, LARGEST, lambda, held);
        carom_cauchy_shares(LARGEST, lambda, held, share);
        // Powers of two leave every rounding as it is; 10 distances of 2^-120 would underflow.
        for (int i = 0; i < LARGEST; i++) {
            lambda[i] = ldexp(lambda[i], -120);
            held[i] = ldexp(held[i], -120);
        }
        carom_cauchy_shares(LARGEST, lambda, held, scaled);
        for (int i = 0; i < LARGEST; i++) {
            assert_close(scaled[i], share[i], 0.0, 0.0);
        }
    }
}
