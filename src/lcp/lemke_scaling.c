#include <carom/base/vector.h>
#include <carom/lcp/lemke_internal.h>

#include <float.h>
#include <math.h>
#include <stddef.h>

/* -------------------------------------------------------------------------------------- scaling */

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

/* ------------------------------------------------------------------------------------- measures */

/** A residual of this many roundings, for each row, is not worth more effort. */
static const double RESIDUAL_ROUNDINGS_PER_ROW = 16.0;

/**
 * However large z and with it the rounding of M z, a residual above this part of the largest -q'
 * is none of a solution: large z come from bases that are singular but for rounding.
 */
static const double LARGEST_RESIDUAL = 1e-8;

/** M' z of a certificate may exceed zero by this part of -q' z: it excludes points up to 1e9. */
static const double CERTIFICATE_EXCESS = 5e-10;

/** Grade of a z whose residual exceeds the rounding of q: by that of the terms of M z as well. */
static carom_lcp_grade grade_by_rows(const carom_lcp_workspace *work, const double *z,
                                     double scaled) {
    const int n = work->size;
    const double roundings = RESIDUAL_ROUNDINGS_PER_ROW * DBL_EPSILON * (double)n;
    const double largest_constant = work->largest_constant;
    double largest = largest_constant;
    bool is_exact = true;
    const double *row = work->M;
    for (int i = 0; i < n; i++) {
        const double w = work->q[i] + carom_lcp_inner_product(n, row, z);
        double size = fabs(work->q[i]);
        for (int j = 0; j < n; j++) {
            size += fabs(row[j]) * z[j];
        }
        const double scale = work->row[i] * work->inverse_unit;
        const double scaled_z = z[i] * (work->inverse_column[i] * work->inverse_unit);
        const double residual = fabs(scaled_z < w * scale ? scaled_z : w * scale);
        size = size * scale > largest_constant ? size * scale : largest_constant;
        largest = size > largest ? size : largest;
        is_exact = is_exact && residual <= roundings * size;
        row += n;
    }
    if (scaled <= LARGEST_RESIDUAL * largest_constant) {
        if (is_exact) {
            return CAROM_LCP_EXACT;
        }
        if (scaled <= roundings * largest) {
            return CAROM_LCP_ROUNDED;
        }
    }
    const double accepted = CAROM_LCP_ACCEPTED_RESIDUAL * largest_constant;
    return scaled <= accepted ? CAROM_LCP_TOLERATED : CAROM_LCP_WRONG;
}

/* Of a file: the dispatcher of a wide function that others call would be exported. */
CAROM_VECTOR_WIDE static carom_lcp_measure measure_answer(const carom_lcp_workspace *work,
                                                          const double *z) {
    const int n = work->size;
    double residual = 0.0;
    double scaled = 0.0;
    double sum = 0.0;
    const double *row = work->M;
    for (int i = 0; i < n; i++) {
        const double w = work->q[i] + carom_lcp_inner_product(n, row, z);
        const double smaller = z[i] < w ? z[i] : w;
        const double scaled_z = z[i] * work->inverse_column[i];
        const double scaled_w = w * work->row[i];
        const double scaled_smaller = scaled_z < scaled_w ? scaled_z : scaled_w;
        // |smaller| without a branch on which of the two is zero, which nobody can predict.
        residual = smaller > residual ? smaller : residual;
        residual = -smaller > residual ? -smaller : residual;
        scaled = scaled_smaller > scaled ? scaled_smaller : scaled;
        scaled = -scaled_smaller > scaled ? -scaled_smaller : scaled;
        // The comparisons lose a NaN, this sum keeps it.
        sum += w * 0.0;
        row += n;
    }
    carom_lcp_measure measure = {.residual = residual + sum,
                                 .scaled = scaled * work->inverse_unit + sum,
                                 .grade = CAROM_LCP_EXACT};
    const double roundings = RESIDUAL_ROUNDINGS_PER_ROW * DBL_EPSILON * (double)n;
    // The terms of M z only matter where q alone does not explain the residual.
    if (!(measure.scaled <= roundings * work->largest_constant)) {
        measure.grade = grade_by_rows(work, z, measure.scaled);
    }
    return measure;
}

carom_lcp_measure carom_lcp_measure_answer(const carom_lcp_workspace *work, const double *z) {
    return measure_answer(work, z);
}

bool carom_lcp_is_certificate(const carom_lcp_workspace *work, const double *z) {
    const int n = work->size;
    double gain = 0.0;
    double size = 0.0;
    for (int i = 0; i < n; i++) {
        gain -= work->q[i] * z[i];
        size += z[i] * carom_lcp_power_inverse(work->row[i]);
    }
    gain *= work->inverse_unit;
    // z'(M x + q) is at least -1e-10 size if the residual of x is accepted.
    bool holds = gain > 2.0 * CAROM_LCP_ACCEPTED_RESIDUAL * size;
    const double roundings = RESIDUAL_ROUNDINGS_PER_ROW * DBL_EPSILON * (double)n;
    for (int j = 0; j < n && holds; j++) {
        double sum = 0.0;
        double terms = 0.0;
        for (int i = 0; i < n; i++) {
            const double term = work->M[(size_t)i * (size_t)n + (size_t)j] * z[i];
            sum += term;
            terms += fabs(term);
        }
        holds = sum <= roundings * terms || sum * work->column[j] <= CERTIFICATE_EXCESS * gain;
    }
    return holds;
}
