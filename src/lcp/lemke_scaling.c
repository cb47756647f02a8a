#include <carom/lcp/lemke_internal.h>

#include <math.h>
#include <stddef.h>

/**
 * R_i and C_i of a row without a positive diagonal entry, from the largest entries that it has in
 * common with rows that have one; with all rows, and R_i = C_i, if there are none.
 */
static void scale_by_neighbours(int n, const double *M, int i, double *row, double *column) {
    double in_row = 0.0;
    double in_column = 0.0;
    double anywhere = 0.0;
    for (int j = 0; j < n; j++) {
        const double right = fabs(M[(size_t)i * (size_t)n + (size_t)j]);
        const double left = fabs(M[(size_t)j * (size_t)n + (size_t)i]);
        anywhere = right > anywhere ? right : anywhere;
        if (M[(size_t)j * (size_t)n + (size_t)j] > 0.0) {
            in_row = right * column[j] > in_row ? right * column[j] : in_row;
            in_column = left * row[j] > in_column ? left * row[j] : in_column;
        }
    }
    const double both = anywhere > 0.0 ? carom_lcp_inverse_root_power(anywhere) : 1.0;
    row[i] = in_row > 0.0 ? 1.0 / carom_lcp_power_above(in_row) : both;
    column[i] = in_column > 0.0 ? 1.0 / carom_lcp_power_above(in_column) : both;
}

void carom_lcp_scale(int n, const double *M, double *row, double *column) {
    int positive = 0;
    const double *diagonal = M;
    for (int i = 0; i < n; i++) {
        row[i] = carom_lcp_inverse_root_power(*diagonal);
        column[i] = row[i];
        positive += *diagonal > 0.0;
        diagonal += n + 1;
    }
    for (int i = 0; positive < n && i < n; i++) {
        if (!(M[(size_t)i * (size_t)n + (size_t)i] > 0.0)) {
            scale_by_neighbours(n, M, i, row, column);
        }
    }
}
