#include <carom/base/linear_algebra.h>

#include <carom/base/vector.h>

#include <float.h>
#include <gsl/gsl_blas.h>
#include <gsl/gsl_complex_math.h>
#include <gsl/gsl_linalg.h>

/* Of entries graded over so many decades no iteration of GSL was seen to miss its end, in half a
 * million random matrices each; the first were at half as many again, and twice as many. */
static const double GRADED_SINGULAR = 1e-40;
static const double GRADED_EIGEN = 1e-20;

/* Products of larger entries keep their digits; less is nothing beside a largest entry of 1e-75. */
static const double LEAST_ENTRY = 0x1p-450;

static int entry_count(const gsl_matrix *A) {
    CAROM_ASSERT(A->tda == A->size2);
    return (int)(A->size1 * A->size2);
}

/** Whether an entry that is not zero is below this part of the largest. */
static bool is_graded(const gsl_matrix *A, double part) {
    const int count = entry_count(A);
    const double least = part * carom_vector_largest(count, A->data);
    for (int i = 0; i < count; i++) {
        if (fabs(A->data[i]) < least && fabs(A->data[i]) > 0.0) {
            return true;
        }
    }
    return false;
}

/** Zero in place of smaller entries. */
static void drop_below(double least, gsl_matrix *A) {
    for (int i = 0; i < entry_count(A); i++) {
        A->data[i] = fabs(A->data[i]) < least ? 0.0 : A->data[i];
    }
}

/** The columns j and k of a matrix turned: x' = c x + s y, y' = c y - s x. */
static void turn(gsl_matrix *A, size_t j, size_t k, double cosine, double sine) {
    for (size_t i = 0; i < A->size1; i++) {
        const double x = gsl_matrix_get(A, i, j);
        const double y = gsl_matrix_get(A, i, k);
        gsl_matrix_set(A, i, j, x * cosine + y * sine);
        gsl_matrix_set(A, i, k, -x * sine + y * cosine);
    }
}

/** Make the columns j < k orthogonal, the longer one first; whether they were. S bounds what
 * rounding left in the columns. Columns in the wrong order change places and no more, unless it is
 * late: two that are almost parallel may change places for ever. */
static bool turn_pair(gsl_matrix *A, gsl_matrix *V, gsl_vector *S, size_t j, size_t k,
                      double tolerance, bool is_late) {
    const gsl_vector_const_view x = gsl_matrix_const_column(A, j);
    const gsl_vector_const_view y = gsl_matrix_const_column(A, k);
    const double a = gsl_blas_dnrm2(&x.vector);
    const double b = gsl_blas_dnrm2(&y.vector);
    const double noise_a = gsl_vector_get(S, j);
    const double noise_b = gsl_vector_get(S, k);
    double p = 0.0;
    gsl_blas_ddot(&x.vector, &y.vector, &p);
    p *= 2.0;
    const bool is_sorted = a >= b;
    if (is_sorted && (fabs(p) <= tolerance * (a * b) || a < noise_a || b < noise_b)) {
        return true;
    }

    /* tan(2 angle) = p/q */
    const double q = a * a - b * b;
    const double v = hypot(p, q);
    double cosine = is_late ? cos(0.5 * atan2(p, q)) : 0.0;
    double sine = is_late ? sin(0.5 * atan2(p, q)) : 1.0;
    if (is_sorted && v > 0.0) {
        cosine = sqrt((v + q) / (2.0 * v));
        sine = p / (2.0 * v * cosine);
    }
    turn(A, j, k, cosine, sine);
    turn(V, j, k, cosine, sine);
    gsl_vector_set(S, j, fabs(cosine) * noise_a + fabs(sine) * noise_b);
    gsl_vector_set(S, k, fabs(sine) * noise_a + fabs(cosine) * noise_b);
    return false;
}

/** Lengths of the orthogonal columns, and the columns of length 1; all zero from the first that is
 * nothing beside the one before. */
static void take_lengths(gsl_matrix *A, gsl_vector *S, double tolerance) {
    double before = 0.0;
    for (size_t j = 0; j < A->size2; j++) {
        gsl_vector_view column = gsl_matrix_column(A, j);
        double length = gsl_blas_dnrm2(&column.vector);
        if (j > 0 && (length <= tolerance * before || !(before > 0.0))) {
            length = 0.0;
        }
        if (length > 0.0) {
            gsl_vector_scale(&column.vector, 1.0 / length);
        } else {
            gsl_vector_set_zero(&column.vector);
        }
        gsl_vector_set(S, j, length);
        before = length;
    }
}

carom_status carom_singular_values_rotate(gsl_matrix *A, gsl_matrix *V, gsl_vector *S) {
    const size_t n = A->size2;
    CAROM_ASSERT(A->size1 >= n && V->size1 == n && V->size2 == n && S->size == n);
    if (!carom_vector_is_moderate(entry_count(A), A->data, CAROM_VECTOR_LARGEST_FOURTH)) {
        return CAROM_STATUS_NOT_CONVERGED;
    }
    drop_below(LEAST_ENTRY, A);
    const double tolerance = 10.0 * (double)A->size1 * DBL_EPSILON;
    gsl_matrix_set_identity(V);
    for (size_t j = 0; j < n; j++) {
        const gsl_vector_const_view column = gsl_matrix_const_column(A, j);
        gsl_vector_set(S, j, DBL_EPSILON * gsl_blas_dnrm2(&column.vector));
    }
    const size_t late = n > 2 ? 5 * n + 1 : 13;
    bool is_orthogonal = false;
    for (size_t sweep = 0; !is_orthogonal && sweep < 2 * late; sweep++) {
        is_orthogonal = true;
        for (size_t j = 0; j < n; j++) {
            for (size_t k = j + 1; k < n; k++) {
                is_orthogonal = turn_pair(A, V, S, j, k, tolerance, sweep >= late) && is_orthogonal;
            }
        }
    }
    take_lengths(A, S, tolerance);
    return is_orthogonal ? CAROM_OK : CAROM_STATUS_NOT_CONVERGED;
}

carom_status carom_singular_values_compute(gsl_matrix *A, gsl_matrix *V, gsl_vector *S,
                                           gsl_vector *work) {
    if (is_graded(A, GRADED_SINGULAR)) {
        return carom_singular_values_rotate(A, V, S);
    }
    return carom_vector_is_moderate(entry_count(A), A->data, CAROM_VECTOR_LARGEST_FOURTH) &&
                   gsl_linalg_SV_decomp(A, V, S, work) == GSL_SUCCESS
               ? CAROM_OK
               : CAROM_STATUS_NOT_CONVERGED;
}

/** A + s 1 with s, twice the largest entry, without entries that are nothing beside that. */
static double shift(gsl_matrix *A) {
    const double largest = carom_vector_largest(entry_count(A), A->data);
    drop_below(GRADED_EIGEN * largest, A);
    gsl_vector_view diagonal = gsl_matrix_diagonal(A);
    gsl_vector_add_constant(&diagonal.vector, 2.0 * largest);
    return 2.0 * largest;
}

carom_status carom_eigenvalues_compute(gsl_matrix *A, gsl_vector_complex *values,
                                       gsl_eigen_nonsymm_workspace *work) {
    if (!carom_vector_is_moderate(entry_count(A), A->data, CAROM_VECTOR_LARGEST_SQUARED)) {
        return CAROM_STATUS_NOT_CONVERGED;
    }
    const double s = is_graded(A, GRADED_EIGEN) ? shift(A) : 0.0;
    if (A->size1 >= CAROM_LAPACK_LEAST) {
        CAROM_TRY(carom_lapack_eigenvalues((int)A->size1, A->data, values->data));
    } else if (gsl_eigen_nonsymm(A, values, work) != GSL_SUCCESS) {
        return CAROM_STATUS_NOT_CONVERGED;
    }
    for (size_t i = 0; s > 0.0 && i < values->size; i++) {
        gsl_vector_complex_set(values, i,
                               gsl_complex_sub_real(gsl_vector_complex_get(values, i), s));
    }
    return CAROM_OK;
}
