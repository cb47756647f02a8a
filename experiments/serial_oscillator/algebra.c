/** Ranks and Pfaffians of small matrices. */
#include "results.h"

#include <gsl/gsl_linalg.h>
#include <math.h>

/** Largest matrix that a Pfaffian is expanded of: 105 products for eight rows. */
enum { PFAFFIAN_MOST = 8 };

carom_status serial_oscillator_singular_values(int rows, int columns, double *A, double *values,
                                               double *right, double *work) {
    const size_t n = (size_t)columns;
    gsl_matrix_view matrix = gsl_matrix_view_array(A, (size_t)rows, n);
    gsl_matrix_view V = gsl_matrix_view_array(right != NULL ? right : work + n, n, n);
    gsl_vector_view s = gsl_vector_view_array(values, n);
    gsl_vector_view scratch = gsl_vector_view_array(work, n);
    const int code = gsl_linalg_SV_decomp(&matrix.matrix, &V.matrix, &s.vector, &scratch.vector);
    return code == 0 ? CAROM_OK : CAROM_STATUS_NOT_CONVERGED;
}

/** Pfaffian of the listed rows and columns, by expansion along the first of them. */
static double expand(int k, const double *A, int count, const int *rows) {
    if (count == 0) {
        return 1.0;
    }
    double sum = 0.0;
    double sign = 1.0;
    for (int j = 1; j < count; j++) {
        int rest[PFAFFIAN_MOST];
        int length = 0;
        for (int i = 1; i < count; i++) {
            if (i != j) {
                rest[length++] = rows[i];
            }
        }
        sum += sign * A[rows[0] * k + rows[j]] * expand(k, A, length, rest);
        sign = -sign;
    }
    return sum;
}

double serial_oscillator_pfaffian(int k, const double *A, int left_out) {
    CAROM_ASSERT(k <= PFAFFIAN_MOST);
    int rows[PFAFFIAN_MOST];
    int count = 0;
    for (int i = 0; i < k; i++) {
        if (i != left_out) {
            rows[count++] = i;
        }
    }
    return count % 2 == 1 ? 0.0 : expand(k, A, count, rows);
}
