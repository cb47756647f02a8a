#include <carom/lcp/active_set.h>

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

/** A pivot below this many roundings of M_ii, for each row, means that the contact depends on
 * others. */
static const double RANK_ROUNDINGS_PER_ROW = 64.0;

/**
 * In the order of the contacts, rounding can leave a dependent one a pivot that is larger by the
 * square of its weights on the others. Blocks whose pivots all exceed this part of M_ii are regular
 * without further search: the weights would have to be 1e5.
 */
static const double SAFE_PIVOT = 1e-4;

static double rank_threshold(const carom_lcp_active_block *block) {
    return RANK_ROUNDINGS_PER_ROW * DBL_EPSILON * (double)block->size;
}

double carom_lcp_active_block_entry(const carom_lcp_active_block *block, int i, int j) {
    const bool is_stored = !block->layout.is_banded || abs(i - j) <= block->layout.half_bandwidth;
    return is_stored ? block->matrix[carom_layout_index(block->layout, i, j)] : 0.0;
}

/** Row i of M, entry (i,j) at index j within the band. */
static const double *matrix_row(const carom_lcp_active_block *block, int i) {
    const ptrdiff_t first = carom_layout_first_column(block->layout, i);
    return block->matrix + carom_layout_index(block->layout, i, (int)first) - first;
}

/** Row i of L, entry (i,j) at index j. */
static double *lower_row(double *lower, int bandwidth, int i) {
    const int stride = bandwidth > 1 ? bandwidth - 1 : 0;
    return lower + (size_t)i * (size_t)stride + (size_t)bandwidth;
}

/**
 * Row i of L D L' from the rows above it; on entry the row holds a_ij, j < i. Returns the pivot.
 */
static double factor_row(int i, int b, double diagonal, double *lower, const double *reciprocals) {
    const int first = i > b ? i - b : 0;
    double *row = lower_row(lower, b, i);
    // v_j = L_ij d_j, then L_ij = v_j / d_j and d_i = a_ii - sum L_ij v_j.
    for (int j = first; j < i; j++) {
        const double *above = lower_row(lower, b, j);
        const int first_above = j > b ? j - b : 0;
        double v = row[j];
        for (int s = first_above > first ? first_above : first; s < j; s++) {
            v -= above[s] * row[s];
        }
        row[j] = v;
    }
    double pivot = diagonal;
    for (int j = first; j < i; j++) {
        const double v = row[j];
        row[j] = v * reciprocals[j];
        pivot -= row[j] * v;
    }
    return pivot;
}

/** Overwrite x by (L D L')^-1 x. */
static void solve_factored(int m, int b, double *lower, const double *reciprocals, double *x) {
    for (int i = 1; i < m; i++) {
        const double *row = lower_row(lower, b, i);
        double sum = x[i];
        for (int j = i > b ? i - b : 0; j < i; j++) {
            sum -= row[j] * x[j];
        }
        x[i] = sum;
    }
    for (int i = 0; i < m; i++) {
        x[i] *= reciprocals[i];
    }
    for (int i = m - 1; i > 0; i--) {
        const double *row = lower_row(lower, b, i);
        const double x_i = x[i];
        for (int j = i > b ? i - b : 0; j < i; j++) {
            x[j] -= row[j] * x_i;
        }
    }
}

/** G of M_AA = G G' by pivoted Cholesky, columns until what is left is rounding; then G'G. */
static void factor_singular_block(carom_lcp_active_block *block) {
    const int m = block->active_count;
    const size_t stride = (size_t)block->size;
    for (int k = 0; k < m; k++) {
        block->remaining[k] =
            carom_lcp_active_block_entry(block, block->active[k], block->active[k]);
    }
    int rank = 0;
    for (; rank < m; rank++) {
        // The contact of which the largest part, relative to its own size, is not yet explained.
        int next = -1;
        double largest = rank_threshold(block);
        for (int k = 0; k < m; k++) {
            const double whole =
                carom_lcp_active_block_entry(block, block->active[k], block->active[k]);
            if (block->remaining[k] > largest * whole) {
                largest = block->remaining[k] / whole;
                next = k;
            }
        }
        if (next < 0) {
            break;
        }
        const double *next_row = block->root + (size_t)next * stride;
        const double pivot = sqrt(block->remaining[next]);
        for (int k = 0; k < m; k++) {
            double *row = block->root + (size_t)k * stride;
            double sum = carom_lcp_active_block_entry(block, block->active[k], block->active[next]);
            for (int s = 0; s < rank; s++) {
                sum -= row[s] * next_row[s];
            }
            row[rank] = k == next ? pivot : sum / pivot;
            block->remaining[k] -= row[rank] * row[rank];
        }
        block->remaining[next] = 0.0;
    }
    block->rank = rank;
}

/** L D L' of G'G, regular as G has full column rank. */
static void factor_gram(carom_lcp_active_block *block) {
    const size_t stride = (size_t)block->size;
    const int b = block->size - 1;
    for (int i = 0; i < block->rank; i++) {
        double *row = lower_row(block->gram_lower, b, i);
        double diagonal = 0.0;
        for (int j = 0; j <= i; j++) {
            double sum = 0.0;
            for (int k = 0; k < block->active_count; k++) {
                const double *root_row = block->root + (size_t)k * stride;
                sum += root_row[i] * root_row[j];
            }
            if (j < i) {
                row[j] = sum;
            } else {
                diagonal = sum;
            }
        }
        const double pivot = factor_row(i, b, diagonal, block->gram_lower, block->gram_reciprocals);
        block->gram_reciprocals[i] = 1.0 / pivot;
    }
}

/**
 * L D L' of M_AA from the first row on that differs from the last set. Returns the smallest pivot
 * relative to its M_ii; not positive if one is rounding.
 */
static double factor_regular_block(carom_lcp_active_block *block) {
    const int m = block->active_count;
    const int b = block->bandwidth;
    int kept = 0;
    while (kept < m && kept < block->factored_count &&
           block->active[kept] == block->factored[kept]) {
        kept++;
    }
    block->factored_count = kept;
    for (int i = kept; i < m; i++) {
        double *row = lower_row(block->lower, b, i);
        for (int j = i > b ? i - b : 0; j < i; j++) {
            row[j] = carom_lcp_active_block_entry(block, block->active[i], block->active[j]);
        }
        const double diagonal =
            carom_lcp_active_block_entry(block, block->active[i], block->active[i]);
        const double pivot = factor_row(i, b, diagonal, block->lower, block->reciprocals);
        if (!(pivot > rank_threshold(block) * diagonal)) {
            return 0.0;
        }
        block->reciprocals[i] = 1.0 / pivot;
        block->factored[i] = block->active[i];
        block->factored_count = i + 1;
    }
    double smallest = 1.0;
    for (int i = 0; i < m; i++) {
        const double diagonal =
            carom_lcp_active_block_entry(block, block->active[i], block->active[i]);
        smallest = fmin(smallest, 1.0 / (block->reciprocals[i] * diagonal));
    }
    return smallest;
}

/** Factor M_AA of the present set; whether it is singular is for pivoted Cholesky to say. */
static void factor_active_block(carom_lcp_active_block *block) {
    const double smallest_pivot = factor_regular_block(block);
    block->is_safe = smallest_pivot >= SAFE_PIVOT || block->root == NULL;
    block->is_singular = false;
    if (!block->is_safe) {
        factor_singular_block(block);
        block->is_singular = block->rank < block->active_count || !(smallest_pivot > 0.0);
    }
    if (block->is_singular) {
        factor_gram(block);
    }
}

void carom_lcp_active_block_factor(carom_lcp_active_block *block, const bool *members) {
    int count = 0;
    bool is_changed = false;
    for (int i = 0; i < block->size; i++) {
        if (members[i]) {
            is_changed = is_changed || count >= block->active_count || block->active[count] != i;
            block->active[count] = i;
            count++;
        }
    }
    is_changed = is_changed || count != block->active_count;
    block->active_count = count;
    if (is_changed) {
        factor_active_block(block);
    }
}

double carom_lcp_active_block_row(const carom_lcp_active_block *block, int i, const double *q,
                                  const double *z) {
    const int n = block->size;
    const int b = block->bandwidth;
    const int end = b < n - 1 - i ? i + b + 1 : n;
    const double *row = matrix_row(block, i);
    double w = q[i];
    for (int j = i > b ? i - b : 0; j < end; j++) {
        w += row[j] * z[j];
    }
    return w;
}

double carom_lcp_active_block_row_size(const carom_lcp_active_block *block, int i, const double *q,
                                       const double *z) {
    const int n = block->size;
    const int b = block->bandwidth;
    const int end = b < n - 1 - i ? i + b + 1 : n;
    const double *row = matrix_row(block, i);
    double size = fabs(q[i]);
    for (int j = i > b ? i - b : 0; j < end; j++) {
        size += fabs(row[j] * z[j]);
    }
    return size;
}

/** Overwrite x [m] by the minimum-norm solution of G G' z = x. */
static void solve_singular_block(carom_lcp_active_block *block, double *x) {
    const int m = block->active_count;
    const int b = block->size - 1;
    double *c = block->coefficients;
    for (int s = 0; s < block->rank; s++) {
        c[s] = 0.0;
        for (int k = 0; k < m; k++) {
            c[s] += block->root[(size_t)k * (size_t)block->size + (size_t)s] * x[k];
        }
    }
    solve_factored(block->rank, b, block->gram_lower, block->gram_reciprocals, c);
    solve_factored(block->rank, b, block->gram_lower, block->gram_reciprocals, c);
    for (int k = 0; k < m; k++) {
        const double *row = block->root + (size_t)k * (size_t)block->size;
        x[k] = 0.0;
        for (int s = 0; s < block->rank; s++) {
            x[k] += row[s] * c[s];
        }
    }
}

void carom_lcp_active_block_solve(carom_lcp_active_block *block, const double *q, double *z) {
    const int m = block->active_count;
    double *y = block->unknowns;
    for (int i = 0; i < block->size; i++) {
        z[i] = 0.0;
    }
    for (int k = 0; k < m; k++) {
        y[k] = -q[block->active[k]];
    }
    if (!block->is_singular) {
        solve_factored(m, block->bandwidth, block->lower, block->reciprocals, y);
        for (int k = 0; k < m; k++) {
            z[block->active[k]] = y[k];
        }
        return;
    }
    solve_singular_block(block, y);
    for (int k = 0; k < m; k++) {
        z[block->active[k]] = y[k];
    }
    // (G'G)^-2 has the square of the condition of M: one step of refinement makes good for it.
    for (int k = 0; k < m; k++) {
        y[k] = -carom_lcp_active_block_row(block, block->active[k], q, z);
    }
    solve_singular_block(block, y);
    for (int k = 0; k < m; k++) {
        z[block->active[k]] += y[k];
    }
}

/** Copy the symmetric part of M and find its band. */
static void load_matrix(carom_lcp_active_block *block, const double *M) {
    const carom_layout layout = block->layout;
    for (int i = 0; i < block->size; i++) {
        for (int j = carom_layout_first_column(layout, i); j < carom_layout_end_column(layout, i);
             j++) {
            const size_t upper = carom_layout_index(layout, i, j);
            const size_t lower = carom_layout_index(layout, j, i);
            block->matrix[upper] = 0.5 * (M[upper] + M[lower]);
            if (fabs(block->matrix[upper]) > 0.0 && abs(i - j) > block->bandwidth) {
                block->bandwidth = abs(i - j);
            }
        }
    }
}

/** What every block needs; false if memory runs out. */
static bool alloc_arrays(carom_lcp_active_block *block, size_t n) {
    const size_t lower = block->layout.is_banded ? (size_t)block->layout.half_bandwidth : n;
    block->reciprocals = calloc(n, sizeof(double));
    block->unknowns = calloc(n, sizeof(double));
    block->matrix = calloc(carom_layout_entry_count(block->layout), sizeof(double));
    block->lower = calloc(n * lower + 1, sizeof(double));
    block->active = calloc(n, sizeof(int));
    block->factored = calloc(n, sizeof(int));
    return block->reciprocals != NULL && block->unknowns != NULL && block->matrix != NULL &&
           block->lower != NULL && block->active != NULL && block->factored != NULL;
}

/** What a set needs whose pivots are not far above rounding; false if memory runs out. */
static bool alloc_singular_arrays(carom_lcp_active_block *block, size_t n) {
    block->gram_reciprocals = calloc(n, sizeof(double));
    block->remaining = calloc(n, sizeof(double));
    block->coefficients = calloc(n, sizeof(double));
    block->root = calloc(n, n * sizeof(double));
    block->gram_lower = calloc(n, n * sizeof(double));
    return block->gram_reciprocals != NULL && block->remaining != NULL &&
           block->coefficients != NULL && block->root != NULL && block->gram_lower != NULL;
}

/** The set of all rows. */
static void take_all(carom_lcp_active_block *block) {
    for (int i = 0; i < block->size; i++) {
        block->active[i] = i;
    }
    block->active_count = block->size;
}

/*
 * The pivots of a set are no less than those of the set of all rows, each being what is left of
 * M_ii by the rows before it: where these are far above rounding, no set needs more.
 */
carom_status carom_lcp_active_block_alloc(carom_layout layout, int n, const double *M,
                                          carom_lcp_active_block **out) {
    CAROM_ASSERT(out != NULL && n >= 0);
    *out = NULL;
    CAROM_AUTO(carom_lcp_active_block) block = calloc(1, sizeof *block);
    if (block == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    const size_t rows = n > 0 ? (size_t)n : 1;
    block->layout = layout;
    block->size = n;
    if (!alloc_arrays(block, rows)) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    load_matrix(block, M);
    take_all(block);
    if (factor_regular_block(block) < SAFE_PIVOT && !alloc_singular_arrays(block, rows)) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    block->active_count = 0;
    block->is_safe = true;
    CAROM_HAND_OVER(block, out);
    return CAROM_OK;
}

void carom_lcp_active_block_free(carom_lcp_active_block *block) {
    if (block == NULL) {
        return;
    }
    free(block->reciprocals);
    free(block->gram_reciprocals);
    free(block->remaining);
    free(block->unknowns);
    free(block->coefficients);
    free(block->matrix);
    free(block->lower);
    free(block->root);
    free(block->gram_lower);
    free(block->active);
    free(block->factored);
    free(block);
}
