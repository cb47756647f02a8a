/* carom/base/linear_algebra.h, lapack: known spectra to rounding, GSL's below so many rows and not
 * from there on, and the same bits from two threads at a time. */
#include "../support.h"

#include "../failing_malloc.h"

#include <carom/base/linear_algebra.h>

#include <float.h>
#include <gsl/gsl_math.h>
#include <omp.h>
#include <string.h>

enum { LEAST = CAROM_LAPACK_LEAST, BELOW = LEAST - 1, ROTATIONS = LEAST / 2 };

static double *numbers(int count) {
    double *x = malloc((size_t)count * sizeof *x);
    ck_assert_ptr_nonnull(x);
    return x;
}

static bool are_same_bits(int count, const void *x, const void *y) {
    return memcmp(x, y, (size_t)count * sizeof(double)) == 0;
}

/** The stiffness of a chain between walls, tridiagonal (-1, 2, -1); NaN in the upper triangle. */
static double *chain(int n) {
    double *A = numbers(n * n);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            A[i * n + j] = j > i ? (double)NAN : j == i ? 2.0 : j == i - 1 ? -1.0 : 0.0;
        }
    }
    return A;
}

/** A <- (1 - 2 v v') A (1 - 2 v v') for a unit vector v. */
static void reflect(int n, const double *v, double *A) {
    double *row = numbers(2 * n);
    double *column = row + n;
    memset(row, 0, 2 * (size_t)n * sizeof *row);
    double both = 0.0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            row[j] += v[i] * A[i * n + j];
            column[i] += A[i * n + j] * v[j];
        }
        both += v[i] * column[i];
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            A[i * n + j] += 4.0 * both * v[i] * v[j] - 2.0 * (v[i] * row[j] + column[i] * v[j]);
        }
    }
    free(row);
}

static double angle_of(int k) {
    return M_PI * (k + 0.385) / ROTATIONS;
}

/** A symplectic and orthogonal map, whose multipliers are exp(+-i angle_of(k)), in coordinates that
 * leave no zeros; with an odd number of rows the last multiplier is 1/2. */
static double *rotations(int n) {
    double *A = numbers(n * n);
    memset(A, 0, (size_t)(n * n) * sizeof *A);
    for (int k = 0; k < n / 2; k++) {
        double *block = A + 2 * k * (n + 1);
        block[0] = block[n + 1] = cos(angle_of(k));
        block[n] = sin(angle_of(k));
        block[1] = -block[n];
    }
    if (n % 2 == 1) {
        A[n * n - 1] = 0.5;
    }
    gsl_rng *generator = seeded_generator(20020213);
    double *v = numbers(n);
    for (int turn = 0; turn < 3; turn++) {
        double square = 0.0;
        for (int i = 0; i < n; i++) {
            v[i] = uniform(generator, -1.0, 1.0);
            square += v[i] * v[i];
        }
        for (int i = 0; i < n; i++) {
            v[i] /= sqrt(square);
        }
        reflect(n, v, A);
    }
    free(v);
    gsl_rng_free(generator);
    return A;
}

static int compare_angles(const void *a, const void *b) {
    const double *x = a;
    const double *y = b;
    const double difference = atan2(x[1], x[0]) - atan2(y[1], y[0]);
    return (difference > 0.0) - (difference < 0.0);
}

/** Eigenvalues [n][2] of the rotations by what programs call. */
static double *computed_eigenvalues(int n) {
    double *values = numbers(2 * n);
    double *A = rotations(n);
    gsl_matrix_view view = gsl_matrix_view_array(A, (size_t)n, (size_t)n);
    gsl_vector_complex_view list = gsl_vector_complex_view_array(values, (size_t)n);
    gsl_eigen_nonsymm_workspace *work = gsl_eigen_nonsymm_alloc((size_t)n);
    assert_ok(carom_eigenvalues_compute(&view.matrix, &list.vector, work));
    gsl_eigen_nonsymm_free(work);
    free(A);
    return values;
}

/** The same by LAPACK, or by GSL. */
static double *eigenvalues_of(bool is_lapack, int n) {
    double *values = numbers(2 * n);
    double *A = rotations(n);
    if (is_lapack) {
        assert_ok(carom_lapack_eigenvalues(n, A, values));
    } else {
        gsl_matrix_view view = gsl_matrix_view_array(A, (size_t)n, (size_t)n);
        gsl_vector_complex_view list = gsl_vector_complex_view_array(values, (size_t)n);
        gsl_eigen_nonsymm_workspace *work = gsl_eigen_nonsymm_alloc((size_t)n);
        ck_assert_int_eq(gsl_eigen_nonsymm(&view.matrix, &list.vector, work), GSL_SUCCESS);
        gsl_eigen_nonsymm_free(work);
    }
    free(A);
    return values;
}

/* Eigenvalues of orthogonal and symmetric matrices move no further than rounding moves the matrix,
 * in the norm: some roundings for each row, of the largest eigenvalue. */
static const double ROUNDINGS = 4.0 * DBL_EPSILON;

TEST(unit, modes_of_a_chain_are_sines) {
    const int n = LEAST;
    double *A = chain(n);
    double *values = numbers(n);
    assert_ok(carom_lapack_eigenvectors(n, A, values));
    const double scale = sqrt(2.0 / (n + 1));
    for (int k = 0; k < n; k++) {
        const double half_angle = M_PI * (k + 1) / (2.0 * (n + 1));
        const double expected = 4.0 * sin(half_angle) * sin(half_angle);
        assert_close(values[k], expected, 0.0, n * ROUNDINGS * 4.0);
        // An eigenvector turns by the rounding over the gap, which is 4 sin(1.5 angle) sin(angle)
        // at least.
        const double sign = A[k * n] < 0.0 ? -1.0 : 1.0;
        for (int i = 0; i < n; i++) {
            const double sine = scale * sin(2.0 * half_angle * (i + 1));
            const double gap = 4.0 * sin(1.5 * M_PI / (n + 1)) * sin(0.5 * M_PI / (n + 1));
            assert_close(sign * A[k * n + i], sine, 0.0, n * ROUNDINGS * 4.0 / gap);
        }
    }
    free(A);
    free(values);
}

/** Both solvers, whose bits tell which one the rows of a matrix decide for. */
TEST(unit, multipliers_of_rotations_are_on_the_circle) {
    for (int n = BELOW; n <= LEAST; n++) {
        double *found = computed_eigenvalues(n);
        double *other = eigenvalues_of(n == BELOW, n);
        ck_assert(!are_same_bits(2 * n, found, other));
        const size_t size = 2 * sizeof *found;
        qsort(found, (size_t)n, size, compare_angles);
        qsort(other, (size_t)n, size, compare_angles);
        for (int i = 0; i < 2 * n; i++) {
            assert_close(found[i], other[i], 0.0, n * ROUNDINGS);
        }
        const int pairs = n / 2;
        for (int k = 0; k < pairs; k++) {
            const double *upper = found + 2 * (n - pairs + k);
            const double *lower = found + 2 * (pairs - 1 - k);
            assert_close(upper[0], cos(angle_of(k)), 0.0, n * ROUNDINGS);
            assert_close(upper[1], sin(angle_of(k)), 0.0, n * ROUNDINGS);
            assert_close(lower[0], cos(angle_of(k)), 0.0, n * ROUNDINGS);
            assert_close(lower[1], -sin(angle_of(k)), 0.0, n * ROUNDINGS);
        }
        if (n % 2 == 1) {
            assert_close(found[2 * pairs], 0.5, 0.0, n * ROUNDINGS);
        }
        free(found);
        free(other);
    }
}

/** LAPACK keeps nothing between calls and shares no work: two at a time give what one gives. */
TEST(property, bits_are_the_same_from_two_threads) {
    const int n = 120;
    double *values = eigenvalues_of(true, n);
    double *vectors = chain(n);
    double *squares = numbers(n);
    assert_ok(carom_lapack_eigenvectors(n, vectors, squares));
    int differing = 0;
#pragma omp parallel for num_threads(2) reduction(+ : differing)
    for (int i = 0; i < 8; i++) {
        double *A = rotations(n);
        double *again = numbers(2 * n);
        differing += carom_lapack_eigenvalues(n, A, again) != CAROM_OK ||
                     !are_same_bits(2 * n, values, again);
        free(A);
        A = chain(n);
        differing += carom_lapack_eigenvectors(n, A, again) != CAROM_OK ||
                     !are_same_bits(n, squares, again) || !are_same_bits(n * n, vectors, A);
        free(A);
        free(again);
    }
    ck_assert_int_eq(differing, 0);
    free(values);
    free(vectors);
    free(squares);
}

TEST(errors, failures_are_statuses) {
    enum { N = 20 };
    double *A = numbers(N * N);
    double values[2 * N];
    for (int k = 0; k < N * N; k++) {
        A[k] = (double)NAN;
    }
    assert_status(carom_lapack_eigenvectors(N, A, values), NOT_CONVERGED);
    assert_status(carom_lapack_eigenvalues(N, A, values), NOT_CONVERGED);
    assert_status(carom_lapack_eigenvectors(40000, A, values), OUT_OF_MEMORY);
    assert_status(carom_lapack_eigenvalues(40000, A, values), OUT_OF_MEMORY);
    for (int k = 0; k < 3; k++) {
        successes_left = k % 2;
        const carom_status status = k < 2 ? carom_lapack_eigenvectors(N, A, values)
                                          : carom_lapack_eigenvalues(N, A, values);
        successes_left = -1;
        assert_status(status, OUT_OF_MEMORY);
    }
    free(A);

    A = rotations(LEAST);
    gsl_matrix_view view = gsl_matrix_view_array(A, LEAST, LEAST);
    gsl_vector_complex *list = gsl_vector_complex_alloc(LEAST);
    gsl_eigen_nonsymm_workspace *work = gsl_eigen_nonsymm_alloc(LEAST);
    successes_left = 0;
    const carom_status status = carom_eigenvalues_compute(&view.matrix, list, work);
    successes_left = -1;
    assert_status(status, OUT_OF_MEMORY);
    gsl_eigen_nonsymm_free(work);
    gsl_vector_complex_free(list);
    free(A);
}
