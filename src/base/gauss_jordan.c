#include <carom/base/linear_algebra.h>

#include <math.h>

/** Exchange rows and columns so that the largest remaining entry is the pivot; returns its size. */
static double choose_pivot(int k, int width, int step, double *A, int *columns) {
    int row = step;
    int column = step;
    double largest = -1.0;
    for (int i = step; i < k; i++) {
        for (int j = step; j < k; j++) {
            const double size = fabs(A[i * width + j]);
            if (size > largest) {
                largest = size;
                row = i;
                column = j;
            }
        }
    }
    for (int j = 0; j < width; j++) {
        const double entry = A[step * width + j];
        A[step * width + j] = A[row * width + j];
        A[row * width + j] = entry;
    }
    for (int i = 0; i < k; i++) {
        const double entry = A[i * width + step];
        A[i * width + step] = A[i * width + column];
        A[i * width + column] = entry;
    }
    const int kept = columns[step];
    columns[step] = columns[column];
    columns[column] = kept;
    return largest;
}

int carom_gauss_jordan_reduce(int k, int width, double tolerance, double *A, int *columns) {
    CAROM_ASSERT(k >= 0 && width >= k && A != NULL && columns != NULL);
    for (int j = 0; j < k; j++) {
        columns[j] = j;
    }
    double first = 0.0;
    for (int step = 0; step < k; step++) {
        const double size = choose_pivot(k, width, step, A, columns);
        first = step == 0 ? size : first;
        if (!(size > tolerance * first) || !(size > 0.0)) {
            return step;
        }
        double *pivot = A + step * width;
        const double reciprocal = 1.0 / pivot[step];
        for (int j = 0; j < width; j++) {
            pivot[j] *= reciprocal;
        }
        for (int i = 0; i < k; i++) {
            const double factor = A[i * width + step];
            for (int j = 0; j < width && i != step; j++) {
                A[i * width + j] -= factor * pivot[j];
            }
        }
    }
    return k;
}
