/*
 * The reference LAPACK, for matrices of so many rows that it is much faster than GSL. The Makefile
 * links its archives into this object and makes every name but those of carom local: no other BLAS
 * of the process takes over, which would change digits, and none is taken over.
 */
#include <carom/base/linear_algebra.h>

#include <stdlib.h>
#include <string.h>

/* Fortran: matrices by columns, and the length of each text at the end. */
void dsyevd_(const char *job, const char *triangle, const int *n, double *A, const int *lda,
             double *values, double *work, const int *lwork, int *iwork, const int *liwork,
             int *info, size_t job_length, size_t triangle_length);
void dgehd2_(const int *n, const int *first, const int *last, double *A, const int *lda,
             double *tau, double *work, int *info);
void dlahqr_(const int *with_form, const int *with_vectors, const int *n, const int *first,
             const int *last, double *H, const int *ldh, double *real, double *imaginary,
             const int *first_row, const int *last_row, double *Z, const int *ldz, int *info);

/* What these call of libgfortran, which then is not needed. */
void xerbla_(const char *routine, const int *argument, size_t length);
void join(size_t length, char *text, size_t first_length, const char *first, size_t second_length,
          const char *second) __asm__("_gfortran_concat_string");

void xerbla_(const char *routine, const int *argument, size_t length) {
    (void)routine;
    (void)argument;
    (void)length;
    CAROM_ASSERT(!"an argument of LAPACK");
}

void join(size_t length, char *text, size_t first_length, const char *first, size_t second_length,
          const char *second) {
    CAROM_ASSERT(length == first_length + second_length);
    memcpy(text, first, first_length);
    memcpy(text + first_length, second, second_length);
}

/* More rows have work memory of more numbers than LAPACK counts. */
enum { MOST_ROWS = 32000 };

carom_status carom_lapack_eigenvectors(int n, double *A, double *values) {
    CAROM_ASSERT(n >= 1 && A != NULL && values != NULL);
    if (n > MOST_ROWS) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    const int work_size = 1 + 6 * n + 2 * n * n;
    const int index_size = 3 + 5 * n;
    CAROM_AUTO_MEMORY double *work = malloc((size_t)work_size * sizeof *work);
    CAROM_AUTO_MEMORY int *indices = malloc((size_t)index_size * sizeof *indices);
    if (work == NULL || indices == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    int info = 0;
    dsyevd_("V", "U", &n, A, &n, values, work, &work_size, indices, &index_size, &info, 1, 1);
    return info == 0 ? CAROM_OK : CAROM_STATUS_NOT_CONVERGED;
}

carom_status carom_lapack_eigenvalues(int n, double *A, double *values) {
    CAROM_ASSERT(n >= 1 && A != NULL && values != NULL);
    if (n > MOST_ROWS) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_AUTO_MEMORY double *real = malloc(2 * (size_t)n * sizeof *real);
    if (real == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    double *imaginary = real + n;
    const int first = 1;
    const int no = 0;
    int info = 0;
    dgehd2_(&n, &first, &n, A, &n, real, imaginary, &info);
    dlahqr_(&no, &no, &n, &first, &n, A, &n, real, imaginary, &first, &n, NULL, &first, &info);
    for (int i = 0; i < n; i++) {
        values[2 * i] = real[i];
        values[2 * i + 1] = imaginary[i];
    }
    return info == 0 ? CAROM_OK : CAROM_STATUS_NOT_CONVERGED;
}
