#include <carom/collisionless/curves/critical_region.h>

#include <stddef.h>

void carom_cauchy_matrix(int rows, int columns, const double *a, const double *b, double *M) {
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < columns; j++) {
            M[(size_t)i * (size_t)columns + (size_t)j] = 1.0 / (a[i] - b[j]);
        }
    }
}

/* prod_(j < i) (a_i - a_j)(b_j - b_i) / prod_ij (a_i - b_j), bordered by one row and column at a
 * time: as many factors above as below, so that only the result can leave the range. */
double carom_cauchy_determinant(int n, const double *a, const double *b) {
    double determinant = 1.0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            determinant *= ((a[i] - a[j]) / (a[i] - b[j])) * ((b[j] - b[i]) / (a[j] - b[i]));
        }
        determinant /= a[i] - b[i];
    }
    return determinant;
}

/** prod_k (a_i - b_k) / prod_(k != i) (a_i - a_k), by quotients of like size. */
static double pole_product(int n, const double *a, const double *b, int i) {
    double product = a[i] - b[i];
    for (int k = 0; k < n; k++) {
        if (k != i) {
            product *= (a[i] - b[k]) / (a[i] - a[k]);
        }
    }
    return product;
}

void carom_cauchy_inverse(int n, const double *a, const double *b, double *inverse) {
    const size_t size = (size_t)n;
    for (int j = 0; j < n; j++) {
        const double column_product = pole_product(n, a, b, j);
        for (int i = 0; i < n; i++) {
            inverse[(size_t)i * size + (size_t)j] = column_product / (a[j] - b[i]);
        }
    }

    /* prod_k (a_k - b_i) / prod_(k != i) (b_k - b_i): one sign more above than below. */
    for (int i = 0; i < n; i++) {
        const double row_product = -pole_product(n, b, a, i);
        for (size_t j = 0; j < size; j++) {
            inverse[(size_t)i * size + j] *= row_product;
        }
    }
}

void carom_cauchy_shares(int N, const double *lambda, const double *constrained, double *share) {
    for (int i = 0; i < N; i++) {
        double product = 1.0;
        for (int j = 0; j + 1 < N; j++) {
            /* lambda'_j lies between lambda_i and its partner below: a quotient in (0, 1). */
            const int k = j < i ? j : j + 1;
            product *= (constrained[j] - lambda[i]) / (lambda[k] - lambda[i]);
        }
        share[i] = product;
    }
}
