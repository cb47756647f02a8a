#include <carom/base/base.h>
#include <carom/base/linear_algebra.h>

#include <math.h>

carom_layout carom_layout_full(int size) {
    CAROM_ASSERT(size >= 1);
    const carom_layout layout = {.size = size, .is_banded = false, .half_bandwidth = size - 1};
    return layout;
}

carom_layout carom_layout_banded(int size, int half_bandwidth) {
    CAROM_ASSERT(size >= 1 && half_bandwidth >= 0);
    const carom_layout layout = {.size = size, .is_banded = true, .half_bandwidth = half_bandwidth};
    return layout;
}

size_t carom_layout_entry_count(carom_layout layout) {
    const size_t size = (size_t)layout.size;
    return layout.is_banded ? size * (2 * (size_t)layout.half_bandwidth + 1) : size * size;
}

static int first_column(carom_layout layout, int row) {
    const int first = row - layout.half_bandwidth;
    return layout.is_banded && first > 0 ? first : 0;
}

static int end_column(carom_layout layout, int row) {
    // Compared as a distance from the last row, so that a huge half bandwidth cannot overflow.
    const bool is_cut = layout.is_banded && layout.half_bandwidth < layout.size - 1 - row;
    return is_cut ? row + layout.half_bandwidth + 1 : layout.size;
}

int carom_layout_first_column(carom_layout layout, int row) {
    return first_column(layout, row);
}

int carom_layout_end_column(carom_layout layout, int row) {
    return end_column(layout, row);
}

size_t carom_layout_index(carom_layout layout, int row, int column) {
    CAROM_ASSERT(row >= 0 && row < layout.size);
    CAROM_ASSERT(column >= carom_layout_first_column(layout, row));
    CAROM_ASSERT(column < carom_layout_end_column(layout, row));
    if (!layout.is_banded) {
        return (size_t)row * (size_t)layout.size + (size_t)column;
    }
    const size_t width = 2 * (size_t)layout.half_bandwidth + 1;
    return (size_t)row * width + (size_t)(column - row + layout.half_bandwidth);
}

void carom_layout_multiply_add(carom_layout layout, double alpha, const double *A, const double *x,
                               double *y) {
    for (int i = 0; i < layout.size; i++) {
        const int end = end_column(layout, i);
        const double *row = carom_layout_row(layout, A, i);
        double sum = 0.0;
        for (int j = first_column(layout, i); j < end; j++) {
            sum += row[j] * x[j];
        }
        y[i] += alpha * sum;
    }
}

void carom_layout_add(carom_layout layout, double alpha, const double *A, double *B) {
    // Row by row, as the corners outside a band may hold anything and are not to be read.
    for (int i = 0; i < layout.size; i++) {
        const int end = end_column(layout, i);
        const double *row = carom_layout_row(layout, A, i);
        double *sum = B + (row - A);
        for (int j = first_column(layout, i); j < end; j++) {
            sum[j] += alpha * row[j];
        }
    }
}

double carom_layout_asymmetry(carom_layout layout, const double *A) {
    double largest = 0.0;
    for (int i = 1; i < layout.size; i++) {
        for (int j = carom_layout_first_column(layout, i); j < i; j++) {
            const double lower = A[carom_layout_index(layout, i, j)];
            const double upper = A[carom_layout_index(layout, j, i)];
            const double difference = fabs(lower - upper);
            // A NaN is taken over, and kept because nothing compares greater than it.
            if (difference > largest || isnan(difference)) {
                largest = difference;
            }
        }
    }
    return largest;
}
