#include <carom/base/linear_algebra.h>

#include <carom/base/scales.h>
#include <carom/base/vector.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct carom_saddle {
    carom_layout layout; /* of one block */
    int block_count;
    int multiplier_count; /* p */
    int kinematic_size;   /* block_count n */
    int size;             /* N */

    double *full; /* [N][N], full blocks only */

    /* the remaining system, the full matrix or the Schur complement, in units of its own:
     * powers of two that make its entries of the order of 1 whatever the units of mass and length
     */
    int scaled_size;     /* N, or p */
    int *place;          /* [scaled_size] of an unknown among them */
    double *placed;      /* [scaled_size] scratch */
    double *scaled;      /* [scaled_size][scaled_size] */
    double *row_unit;    /* [scaled_size] */
    double *column_unit; /* [scaled_size] */

    /* banded blocks only: J interleaved coordinate by coordinate, so that it is banded as a whole
     */
    carom_layout kinematic;
    double *J;               /* [kinematic] */
    double *columns;         /* [p][block_count n], interleaved */
    double *rows;            /* [p][block_count n], interleaved */
    double *corner;          /* [p][p] */
    double *inverse_columns; /* [p][block_count n]: J^-1 C */
    double *schur;           /* [p][p]: D - R J^-1 C */
    double *interleaved;     /* [block_count n] scratch */
    carom_factor *factor;    /* of J */

    carom_minimum_norm *solver; /* of the full matrix, or of the Schur complement */
};

/* Position of coordinate i of a block in the interleaved order. */
static int interleave(const carom_saddle *s, int block, int i) {
    return i * s->block_count + block;
}

static double *full_entry(const carom_saddle *s, int i, int j) {
    return s->full + (size_t)i * (size_t)s->size + (size_t)j;
}

static double *bordered(const carom_saddle *s, double *rows, int multiplier) {
    return rows + (size_t)multiplier * (size_t)s->kinematic_size;
}

/* The last block first, and the multipliers likewise: a step's blocks act on those behind them
 * and, but for stiffness and damping, not on those before, so that elimination in this order leaves
 * the zeros alone. */
static void place_unknowns(carom_saddle *s) {
    const int size = s->scaled_size;
    const int n = s->layout.size;
    const int k = size - s->multiplier_count;
    for (int i = 0; i < k; i++) {
        s->place[i] = k - n - i / n * n + i % n;
    }
    for (int j = k; j < size; j++) {
        s->place[j] = k + size - 1 - j;
    }
}

static carom_status alloc_scaled(carom_saddle *s, int size) {
    const size_t rows = (size_t)size;
    s->scaled_size = size;
    s->scaled = calloc(rows * rows + 3 * rows + 1, sizeof(double));
    s->place = calloc(rows + 1, sizeof(int));
    if (s->scaled == NULL || s->place == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    s->row_unit = s->scaled + rows * rows;
    s->column_unit = s->row_unit + rows;
    s->placed = s->column_unit + rows;
    place_unknowns(s);
    return carom_minimum_norm_alloc(size, &s->solver);
}

static carom_status alloc_banded(carom_saddle *s) {
    const size_t k = (size_t)s->kinematic_size;
    const size_t p = (size_t)s->multiplier_count;
    const int half_bandwidth = s->block_count * (s->layout.half_bandwidth + 1) - 1;
    s->kinematic = carom_layout_banded(s->kinematic_size, half_bandwidth);
    s->J = calloc(carom_layout_entry_count(s->kinematic), sizeof(double));
    s->columns = calloc(p * k + 1, sizeof(double));
    s->rows = calloc(p * k + 1, sizeof(double));
    s->corner = calloc(p * p + 1, sizeof(double));
    s->inverse_columns = calloc(p * k + 1, sizeof(double));
    s->schur = calloc(p * p + 1, sizeof(double));
    s->interleaved = calloc(k, sizeof(double));
    if (s->J == NULL || s->columns == NULL || s->rows == NULL || s->corner == NULL ||
        s->inverse_columns == NULL || s->schur == NULL || s->interleaved == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_TRY(carom_factor_alloc(s->kinematic, &s->factor));
    return alloc_scaled(s, s->multiplier_count);
}

static carom_status alloc_full(carom_saddle *s) {
    s->full = calloc((size_t)s->size * (size_t)s->size, sizeof(double));
    if (s->full == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    return alloc_scaled(s, s->size);
}

carom_status carom_saddle_alloc(carom_layout layout, int block_count, int multiplier_count,
                                carom_saddle **out) {
    CAROM_ASSERT(block_count >= 1 && multiplier_count >= 0);
    *out = NULL;
    CAROM_AUTO(carom_saddle) s = calloc(1, sizeof *s);
    if (s == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    s->layout = layout;
    s->block_count = block_count;
    s->multiplier_count = multiplier_count;
    s->kinematic_size = block_count * layout.size;
    s->size = s->kinematic_size + multiplier_count;
    CAROM_TRY(layout.is_banded ? alloc_banded(s) : alloc_full(s));
    CAROM_HAND_OVER(s, out);
    return CAROM_OK;
}

void carom_saddle_free(carom_saddle *saddle) {
    if (saddle == NULL) {
        return;
    }
    free(saddle->full);
    free(saddle->scaled);
    free(saddle->place);
    free(saddle->J);
    free(saddle->columns);
    free(saddle->rows);
    free(saddle->corner);
    free(saddle->inverse_columns);
    free(saddle->schur);
    free(saddle->interleaved);
    carom_factor_free(saddle->factor);
    carom_minimum_norm_free(saddle->solver);
    free(saddle);
}

int carom_saddle_size(const carom_saddle *saddle) {
    return saddle->size;
}

void carom_saddle_clear(carom_saddle *saddle) {
    const size_t p = (size_t)saddle->multiplier_count;
    const size_t border = p * (size_t)saddle->kinematic_size;
    if (!saddle->layout.is_banded) {
        memset(saddle->full, 0, (size_t)saddle->size * (size_t)saddle->size * sizeof(double));
        return;
    }
    memset(saddle->J, 0, carom_layout_entry_count(saddle->kinematic) * sizeof(double));
    memset(saddle->columns, 0, border * sizeof(double));
    memset(saddle->rows, 0, border * sizeof(double));
    memset(saddle->corner, 0, p * p * sizeof(double));
}

void carom_saddle_add_block(carom_saddle *saddle, int row, int column, double alpha,
                            const double *A) {
    const carom_layout layout = saddle->layout;
    const int n = layout.size;
    for (int i = 0; i < n && !layout.is_banded; i++) {
        double *entries = full_entry(saddle, row * n + i, column * n);
        const double *a = carom_layout_row(layout, A, i);
        for (int j = 0; j < n; j++) {
            entries[j] += alpha * a[j];
        }
    }
    for (int i = 0; i < n && layout.is_banded; i++) {
        const int end = carom_layout_end_column(layout, i);
        const double *a = carom_layout_row(layout, A, i);
        for (int j = carom_layout_first_column(layout, i); j < end; j++) {
            saddle->J[carom_layout_index(saddle->kinematic, interleave(saddle, row, i),
                                         interleave(saddle, column, j))] += alpha * a[j];
        }
    }
}

void carom_saddle_add_column(carom_saddle *saddle, int row, int multiplier, double alpha,
                             const double *x) {
    const int n = saddle->layout.size;
    const bool is_banded = saddle->layout.is_banded;
    double *column = is_banded ? bordered(saddle, saddle->columns, multiplier) + row
                               : full_entry(saddle, row * n, saddle->kinematic_size + multiplier);
    const int stride = is_banded ? saddle->block_count : saddle->size;
    for (int i = 0; i < n; i++) {
        column[(size_t)i * (size_t)stride] += alpha * x[i];
    }
}

void carom_saddle_add_row(carom_saddle *saddle, int multiplier, int column, double alpha,
                          const double *x) {
    const int n = saddle->layout.size;
    const bool is_banded = saddle->layout.is_banded;
    double *row = is_banded ? bordered(saddle, saddle->rows, multiplier) + column
                            : full_entry(saddle, saddle->kinematic_size + multiplier, column * n);
    const int stride = is_banded ? saddle->block_count : 1;
    for (int j = 0; j < n; j++) {
        row[j * stride] += alpha * x[j];
    }
}

void carom_saddle_add_corner(carom_saddle *saddle, int i, int j, double alpha) {
    if (saddle->layout.is_banded) {
        saddle->corner[i * saddle->multiplier_count + j] += alpha;
    } else {
        *full_entry(saddle, saddle->kinematic_size + i, saddle->kinematic_size + j) += alpha;
    }
}

/* Interleaved position of entry k of a vector ordered block by block. */
static int interleaved_position(const carom_saddle *s, int k) {
    return interleave(s, k / s->layout.size, k % s->layout.size);
}

double carom_saddle_entry(const carom_saddle *saddle, int i, int j) {
    if (!saddle->layout.is_banded) {
        return *full_entry(saddle, i, j);
    }
    const int k = saddle->kinematic_size;
    if (i >= k && j >= k) {
        return saddle->corner[(i - k) * saddle->multiplier_count + (j - k)];
    }
    if (i >= k) {
        return bordered(saddle, saddle->rows, i - k)[interleaved_position(saddle, j)];
    }
    if (j >= k) {
        return bordered(saddle, saddle->columns, j - k)[interleaved_position(saddle, i)];
    }
    const int row = interleaved_position(saddle, i);
    const int column = interleaved_position(saddle, j);
    if (abs(row - column) > saddle->kinematic.half_bandwidth) {
        return 0.0;
    }
    return saddle->J[carom_layout_index(saddle->kinematic, row, column)];
}

void carom_saddle_get_column(const carom_saddle *saddle, int multiplier, double *column) {
    for (int i = 0; i < saddle->size; i++) {
        column[i] = carom_saddle_entry(saddle, i, saddle->kinematic_size + multiplier);
    }
}

void carom_saddle_get_row(const carom_saddle *saddle, int multiplier, double *row) {
    for (int j = 0; j < saddle->size; j++) {
        row[j] = carom_saddle_entry(saddle, saddle->kinematic_size + multiplier, j);
    }
}

void carom_saddle_release(carom_saddle *saddle, int multiplier) {
    const int p = saddle->multiplier_count;
    const int index = saddle->kinematic_size + multiplier;
    if (!saddle->layout.is_banded) {
        for (int k = 0; k < saddle->size; k++) {
            *full_entry(saddle, index, k) = 0.0;
            *full_entry(saddle, k, index) = 0.0;
        }
        *full_entry(saddle, index, index) = 1.0;
        return;
    }
    const size_t bytes = (size_t)saddle->kinematic_size * sizeof(double);
    memset(bordered(saddle, saddle->columns, multiplier), 0, bytes);
    memset(bordered(saddle, saddle->rows, multiplier), 0, bytes);
    for (int k = 0; k < p; k++) {
        saddle->corner[multiplier * p + k] = 0.0;
        saddle->corner[k * p + multiplier] = 0.0;
    }
    saddle->corner[multiplier * p + multiplier] = 1.0;
}

/* 1/x up to a factor of two; 1 of nothing. */
static double unit_of(double x) {
    return 1.0 / carom_scale_power_of_two(x);
}

/* As fmax of numbers that are not NaN, without a call. */
static double larger(double x, double y) {
    return y > x ? y : x;
}

/* Largest |A_ik u_k| of a row of `count` entries. */
static double largest_in(int count, const double *row, const double *units) {
    double largest = 0.0;
    for (int k = 0; k < count; k++) {
        largest = larger(largest, fabs(row[k]) * units[k]);
    }
    return largest;
}

/* Whether an entry of the corner decides a multiplier, not a constraint: exactly zero where not. */
static bool is_decided(double entry) {
    return fabs(entry) > 0.0;
}

/* Units of rows [first, end) of A: one for all constraints, of the largest, each other its own. */
static void choose_row_units(carom_saddle *s, const double *A, int first) {
    const int size = s->scaled_size;
    double largest = 0.0;
    for (int i = first; i < size; i++) {
        const double *row = A + (size_t)i * (size_t)size;
        const double entry = largest_in(size, row, s->column_unit);
        s->row_unit[i] = unit_of(entry);
        largest = is_decided(row[i]) ? largest : larger(largest, entry);
    }
    for (int i = first; i < size; i++) {
        if (!is_decided(A[(size_t)i * (size_t)size + (size_t)i])) {
            s->row_unit[i] = unit_of(largest);
        }
    }
}

/* J_ii of coordinate i, the largest of its blocks. */
static double inertia_of(const carom_saddle *s, int i) {
    double inertia = 0.0;
    for (int block = 0; block < s->block_count; block++) {
        const int row = block * s->layout.size + i;
        inertia = larger(inertia, fabs(*full_entry(s, row, row)));
    }
    return inertia;
}

/* Largest entry of coordinate i in the constraints. */
static double arm_of(const carom_saddle *s, int i) {
    double arm = 0.0;
    for (int block = 0; block < s->block_count; block++) {
        const int row = block * s->layout.size + i;
        for (int j = s->kinematic_size; j < s->size; j++) {
            arm = fmax(arm, fabs(*full_entry(s, row, j)));
            arm = fmax(arm, fabs(*full_entry(s, j, row)));
        }
    }
    return arm;
}

/* Largest J_ii/G_ji^2, square root: the heaviest that a constraint moves. */
static double heaviest_moved(const carom_saddle *s) {
    double heaviest = 0.0;
    for (int i = 0; i < s->layout.size; i++) {
        const double arm = arm_of(s, i);
        heaviest = arm > 0.0 ? fmax(heaviest, sqrt(inertia_of(s, i)) / arm) : heaviest;
    }
    return heaviest;
}

/* Units of the speeds, one for each coordinate, with their rows in the inverse units: 1/sqrt(J_ii);
 * at least the given root of a mass as far as constraints feel the coordinate. One unit of all
 * multipliers: the largest does to the momenta what they measure. */
static void choose_units(carom_saddle *s, double least_root) {
    const int n = s->layout.size;
    const int k = s->kinematic_size;
    double effect = 0.0;
    for (int i = 0; i < n; i++) {
        const double least = least_root > 0.0 ? least_root * arm_of(s, i) : 0.0;
        const double unit = unit_of(fmax(sqrt(inertia_of(s, i)), least));
        for (int block = 0; block < s->block_count; block++) {
            const int row = block * n + i;
            s->column_unit[row] = unit;
            s->row_unit[row] = unit;
            const double *entries = full_entry(s, row, 0);
            for (int j = k; j < s->size; j++) {
                effect = larger(effect, fabs(entries[j]) * unit);
            }
        }
    }
    for (int j = k; j < s->size; j++) {
        s->column_unit[j] = unit_of(effect);
    }
    choose_row_units(s, s->full, k);
}

/* The same of the Schur complement of the constraints, 1/kg. */
static void choose_multiplier_units(carom_saddle *s) {
    const int p = s->multiplier_count;
    double largest = 0.0;
    for (int j = 0; j < p; j++) {
        if (!is_decided(s->corner[j * p + j])) {
            largest = fmax(largest, fabs(s->schur[j * p + j]));
        }
    }
    for (int j = 0; j < p; j++) {
        s->column_unit[j] = unit_of(sqrt(largest));
    }
    for (int j = 0; j < p; j++) {
        s->row_unit[j] = is_decided(s->corner[j * p + j])
                             ? unit_of(largest_in(p, s->schur + j * p, s->column_unit))
                             : unit_of(sqrt(largest));
    }
}

/* A matrix [scaled_size][scaled_size] in the units chosen. */
static void scale(carom_saddle *s, const double *A) {
    const int size = s->scaled_size;
    for (int i = 0; i < size; i++) {
        const double *row = A + (size_t)i * (size_t)size;
        double *scaled = s->scaled + (size_t)s->place[i] * (size_t)size;
        for (int j = 0; j < size; j++) {
            scaled[s->place[j]] = row[j] * s->row_unit[i] * s->column_unit[j];
        }
    }
}

/* In units of the masses; where these leave no pivot, a coordinate without mass of its own may
 * still be regular in units of what constraints let it move. */
static carom_status factor_full(carom_saddle *s) {
    choose_units(s, 0.0);
    scale(s, s->full);
    carom_status status = carom_minimum_norm_compute_regular(s->solver, s->scaled);
    if (status != CAROM_STATUS_SINGULAR) {
        return status;
    }
    choose_units(s, heaviest_moved(s));
    scale(s, s->full);
    status = carom_minimum_norm_compute_regular(s->solver, s->scaled);
    if (status != CAROM_STATUS_SINGULAR) {
        return status;
    }
    choose_units(s, 0.0);
    scale(s, s->full);
    return carom_minimum_norm_compute(s->solver, s->scaled);
}

static carom_status solve_scaled(carom_saddle *s, double *b) {
    for (int i = 0; i < s->scaled_size; i++) {
        s->placed[s->place[i]] = b[i] * s->row_unit[i];
    }
    CAROM_TRY(carom_minimum_norm_solve(s->solver, s->placed));
    for (int i = 0; i < s->scaled_size; i++) {
        b[i] = s->placed[s->place[i]] * s->column_unit[i];
    }
    return CAROM_OK;
}

carom_status carom_saddle_factor(carom_saddle *saddle) {
    if (!saddle->layout.is_banded) {
        return factor_full(saddle);
    }
    CAROM_TRY(carom_factor_compute(saddle->factor, saddle->J));
    /* Schur complement D - R J^-1 C */
    const int p = saddle->multiplier_count;
    const int k = saddle->kinematic_size;
    for (int j = 0; j < p; j++) {
        double *column = bordered(saddle, saddle->inverse_columns, j);
        memcpy(column, bordered(saddle, saddle->columns, j), (size_t)k * sizeof *column);
        carom_factor_solve(saddle->factor, column);
        for (int i = 0; i < p; i++) {
            saddle->schur[i * p + j] =
                saddle->corner[i * p + j] -
                carom_vector_dot(k, bordered(saddle, saddle->rows, i), column);
        }
    }
    choose_multiplier_units(saddle);
    scale(saddle, saddle->schur);
    return carom_minimum_norm_compute(saddle->solver, saddle->scaled);
}

/* J y = b_1;  (D - R J^-1 C) z = b_2 - R y;  x = y - J^-1 C z. */
static carom_status solve_banded(carom_saddle *s, double *b) {
    const int k = s->kinematic_size;
    double *multipliers = b + k;
    for (int i = 0; i < k; i++) {
        s->interleaved[interleaved_position(s, i)] = b[i];
    }
    carom_factor_solve(s->factor, s->interleaved);
    for (int j = 0; j < s->multiplier_count; j++) {
        multipliers[j] -= carom_vector_dot(k, bordered(s, s->rows, j), s->interleaved);
    }
    CAROM_TRY(solve_scaled(s, multipliers));
    for (int j = 0; j < s->multiplier_count; j++) {
        const double *column = bordered(s, s->inverse_columns, j);
        for (int i = 0; i < k; i++) {
            s->interleaved[i] -= multipliers[j] * column[i];
        }
    }
    for (int i = 0; i < k; i++) {
        b[i] = s->interleaved[interleaved_position(s, i)];
        if (!isfinite(b[i])) {
            return CAROM_STATUS_NOT_FINITE;
        }
    }
    return CAROM_OK;
}

carom_status carom_saddle_solve(carom_saddle *saddle, double *b) {
    return saddle->layout.is_banded ? solve_banded(saddle, b) : solve_scaled(saddle, b);
}
