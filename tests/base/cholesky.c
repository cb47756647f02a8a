/* carom/base/linear_algebra.h: the factor of GSL to the bit, without its error handler; what GSL's
 * iterations take. */
#include <carom/base/linear_algebra.h>
#include <carom/base/vector.h>

#include "../support.h"

#include <gsl/gsl_linalg.h>
#include <string.h>

enum { MOST = 90 };

static const unsigned long SEED = 20140825;

/** B B' + shift, B random. */
static void make_matrix(gsl_rng *generator, int n, double shift, double *M) {
    static double B[MOST * MOST];
    for (int i = 0; i < n * n; i++) {
        B[i] = uniform(generator, -1.0, 1.0);
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            M[i * n + j] = (i == j ? shift : 0.0) + carom_vector_dot(n, B + i * n, B + j * n);
        }
    }
}

TEST(property, factors_are_those_of_gsl_to_the_bit) {
    static double own[MOST * MOST];
    static double theirs[MOST * MOST];
    gsl_rng *generator = seeded_generator(SEED);
    for (int n = 1; n <= MOST; n++) {
        make_matrix(generator, n, 0.1, own);
        memcpy(theirs, own, sizeof own);
        gsl_matrix_view view = gsl_matrix_view_array(theirs, (size_t)n, (size_t)n);
        ck_assert_int_eq(gsl_linalg_cholesky_decomp1(&view.matrix), 0);
        assert_ok(carom_cholesky_compute(n, own));
        for (int i = 0; i < n; i++) {
            const size_t length = ((size_t)i + 1) * sizeof(double);
            ck_assert_msg(memcmp(own + i * n, theirs + i * n, length) == 0, "n = %d, row %d", n, i);
        }
    }
    gsl_rng_free(generator);
}

TEST(errors, what_is_not_positive_definite_is_singular) {
    static double M[MOST * MOST];
    gsl_rng *generator = seeded_generator(SEED);
    for (int n = 1; n <= MOST; n++) {
        make_matrix(generator, n, -4.0 * n, M);
        assert_status(carom_cholesky_compute(n, M), SINGULAR);
    }
    gsl_rng_free(generator);
    double zero = 0.0;
    assert_status(carom_cholesky_compute(1, &zero), SINGULAR);
    double not_a_number = (double)NAN;
    assert_status(carom_cholesky_compute(1, &not_a_number), SINGULAR);
}

TEST(errors, moderate_matrices_are_finite_and_of_moderate_size) {
    const double bound = CAROM_VECTOR_LARGEST_FOURTH;
    double x[3] = {2.385, 0.0, -0.71};
    ck_assert(carom_vector_is_moderate(3, x, bound));
    x[1] = (double)NAN;
    ck_assert(!carom_vector_is_moderate(3, x, bound));
    x[1] = -(double)INFINITY;
    ck_assert(!carom_vector_is_moderate(3, x, bound));
    x[1] = -2.0 * bound;
    ck_assert(!carom_vector_is_moderate(3, x, bound));
    const double small[2] = {0.0, 0.3 / bound};
    ck_assert(!carom_vector_is_moderate(2, small, bound));
    const double zeros[2] = {0.0, -0.0};
    ck_assert(carom_vector_is_moderate(2, zeros, bound));
}
