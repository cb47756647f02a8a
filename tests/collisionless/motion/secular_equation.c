/* carom/collisionless/motion/internal.h: closed forms, and the equation in extended
 * precision. */
#include "../../support.h"

#include <carom/base/random.h>
#include <carom/collisionless/motion/internal.h>

#include <float.h>
#include <gsl/gsl_roots.h>

/* Calls of the library that end here (linker option --wrap), to make them fail on request. */
gsl_root_fsolver *__real_gsl_root_fsolver_alloc(const gsl_root_fsolver_type *T);
gsl_root_fsolver *__wrap_gsl_root_fsolver_alloc(const gsl_root_fsolver_type *T);
int __real_gsl_root_fsolver_iterate(gsl_root_fsolver *s);
int __wrap_gsl_root_fsolver_iterate(gsl_root_fsolver *s);

static int is_memory_left = 1;

/** What an iteration does: its work, fail, or nothing. */
static enum { ITERATES, FAILS, RESTS } iteration = ITERATES;

gsl_root_fsolver *__wrap_gsl_root_fsolver_alloc(const gsl_root_fsolver_type *T) {
    return is_memory_left ? __real_gsl_root_fsolver_alloc(T) : NULL;
}

int __wrap_gsl_root_fsolver_iterate(gsl_root_fsolver *s) {
    switch (iteration) {
    case FAILS:
        return GSL_EBADFUNC;
    case RESTS:
        return GSL_SUCCESS;
    default:
        return __real_gsl_root_fsolver_iterate(s);
    }
}

enum { LARGEST = 40 };

/** The root as a number. */
static double value_of(const double *lambda, carom_secular_root root) {
    return lambda[root.pole] + root.offset;
}

TEST(unit, the_root_of_two_poles_divides_their_distance_by_the_weights) {
    const double lambda[2] = {-1.3, 2.9};
    for (int k = -18; k <= 18; k++) {
        const double weight[2] = {pow(10.0, (double)k), 1.7};
        carom_secular_root root;
        assert_ok(carom_secular_equation_solve(2, lambda, weight, &root));
        const double sum = weight[0] + weight[1];
        ck_assert_int_eq(root.pole, k <= 0 ? 0 : 1);
        const double expected = root.pole == 0 ? 4.2 * weight[0] / sum : -4.2 * weight[1] / sum;
        // The bracket, and roundings of the sum.
        assert_close(root.offset, expected, 12.0 * DBL_EPSILON, 0.0);
    }
}

TEST(unit, the_roots_of_three_poles_are_those_of_a_quadratic) {
    // w = (1, 2, 3) at 0, 1, 3: 6 s^2 - (1 (1 + 3) + 2 (0 + 3) + 3 (0 + 1)) s + 3 = 0.
    const double lambda[3] = {0.0, 1.0, 3.0};
    const double weight[3] = {1.0, 2.0, 3.0};
    carom_secular_root roots[2];
    assert_ok(carom_secular_equation_solve(3, lambda, weight, roots));
    const double discriminant = sqrt(13.0 * 13.0 - 4.0 * 6.0 * 3.0);
    assert_close(value_of(lambda, roots[0]), (13.0 - discriminant) / 12.0, 16.0 * DBL_EPSILON, 0.0);
    assert_close(value_of(lambda, roots[1]), (13.0 + discriminant) / 12.0, 16.0 * DBL_EPSILON, 0.0);
}

TEST(property, a_symmetric_equation_has_a_root_in_the_middle) {
    for (unsigned long sample = 0; sample < 200; sample++) {
        // Pairs of poles at -x and x with equal weights: the middle, 0, is halfway.
        const int pairs = 1 + (int)(sample % 5);
        double lambda[10];
        double weight[10];
        double x = 0.0;
        for (int k = 0; k < pairs; k++) {
            x += 0.1 + carom_counter_uniform(31, sample, 2 * (unsigned long)k);
            lambda[pairs + k] = x;
            lambda[pairs - 1 - k] = -x;
            weight[pairs + k] = 0.1 + carom_counter_uniform(31, sample, 2 * (unsigned long)k + 1);
            weight[pairs - 1 - k] = weight[pairs + k];
        }
        carom_secular_root roots[9];
        assert_ok(carom_secular_equation_solve(2 * pairs, lambda, weight, roots));
        // A sum of terms up to 11, whose derivative is at least 0.1.
        assert_close(value_of(lambda, roots[pairs - 1]), 0.0, 0.0, 1e3 * DBL_EPSILON);
        for (int j = 0; j < 2 * pairs - 1; j++) {
            const double mirrored = -value_of(lambda, roots[2 * pairs - 2 - j]);
            assert_close(value_of(lambda, roots[j]), mirrored, 0.0, 1e3 * DBL_EPSILON);
        }
    }
}

TEST(property, roots_interlace_and_solve_the_equation_in_extended_precision) {
    for (unsigned long sample = 0; sample < 300; sample++) {
        const int N = 2 + (int)(sample % (LARGEST - 1));
        double lambda[LARGEST];
        double weight[LARGEST];
        double place = -0.5 * N;
        for (int i = 0; i < N; i++) {
            const unsigned long k = 2 * (unsigned long)i;
            // Distances from 1e-6 to 1, weights from 1e-12 to 1.
            place += pow(10.0, -6.0 * carom_counter_uniform(32, sample, k));
            lambda[i] = place;
            weight[i] = pow(10.0, -12.0 * carom_counter_uniform(32, sample, k + 1));
        }
        carom_secular_root roots[LARGEST];
        assert_ok(carom_secular_equation_solve(N, lambda, weight, roots));
        for (int j = 0; j < N - 1; j++) {
            // Between its poles, at most halfway from the nearer one.
            const double distance = lambda[j + 1] - lambda[j];
            const int pole = roots[j].pole;
            ck_assert(pole == j || pole == j + 1);
            ck_assert(pole == j ? roots[j].offset > 0.0 : roots[j].offset < 0.0);
            ck_assert(fabs(roots[j].offset) <= 0.5 * distance);
            long double sum = 0.0L;
            long double size = 0.0L;
            long double slope = 0.0L;
            for (int i = 0; i < N; i++) {
                const long double difference = (long double)lambda[i] - (long double)lambda[pole] -
                                               (long double)roots[j].offset;
                const long double term = (long double)weight[i] / difference;
                sum += term;
                size += fabsl(term);
                slope += term / difference;
            }
            // The rounding of the terms, and the last bracket.
            const double bound = 4.0 * N * DBL_EPSILON * (double)size +
                                 4.0 * DBL_EPSILON * fabs(roots[j].offset) * (double)slope;
            assert_close((double)sum, 0.0, 0.0, bound);
        }
    }
}

/** The call fails with the status and leaves no root. */
#define assert_no_roots(lambda, weight, code)                                       \
    do {                                                                            \
        carom_secular_root none[2];                                                 \
        assert_status(carom_secular_equation_solve(3, lambda, weight, none), code); \
        for (int none_j = 0; none_j < 2; none_j++) {                                \
            ck_assert_int_eq(none[none_j].pole, -1);                                \
            ck_assert(isnan(none[none_j].offset));                                  \
        }                                                                           \
    } while (0)

TEST(errors, an_equation_without_roots_is_refused) {
    const double lambda[3] = {0.0, 1.0, 3.0};
    const double weight[3] = {1.0, (double)NAN, 3.0};
    assert_no_roots(lambda, weight, NOT_CONVERGED);
    const double negative[3] = {1.0, 2.0, -3.0};
    assert_no_roots(lambda, negative, NOT_CONVERGED);
}

TEST(errors, failures_of_the_iteration_and_of_memory_are_reported) {
    const double lambda[3] = {0.0, 1.0, 3.0};
    const double weight[3] = {1.0, 2.0, 3.0};
    iteration = FAILS;
    assert_no_roots(lambda, weight, NOT_CONVERGED);
    iteration = RESTS;
    assert_no_roots(lambda, weight, NOT_CONVERGED);
    iteration = ITERATES;
    is_memory_left = 0;
    assert_no_roots(lambda, weight, OUT_OF_MEMORY);
    is_memory_left = 1;
}
