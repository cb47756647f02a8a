#include <carom/contact/internal.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Velocities from 2^-64 to 2^64 m/s are solved as they are: their squares, by masses as far from 1,
 * are far from the ends of the range of numbers. */
enum { MOST_EXPONENT = 64 };

/* Rows that an int counts with room to spare, and those whose full matrix has so many entries. */
enum { MOST_ROWS = 1 << 30, MOST_FULL_ROWS = 32768 };

int carom_contact_problem_row(const carom_contact_problem *problem, int block) {
    return carom_contact_block_row(problem, block);
}

carom_status carom_contact_check_counts(const carom_contact_rows *rows, carom_report *report) {
    if (rows->joint_count < 0) {
        return carom_report_refuse(report, "joint_count", rows->joint_count, -1, ">= 0");
    }
    if (rows->contact_count < 0) {
        return carom_report_refuse(report, "contact_count", rows->contact_count, -1, ">= 0");
    }
    if (rows->tangent_count < 0 || rows->tangent_count > 2) {
        return carom_report_refuse(report, "tangent_count", rows->tangent_count, -1, "0, 1 or 2");
    }
    const double count =
        rows->joint_count + (double)rows->contact_count * (1 + rows->tangent_count);
    if (count > (rows->start == NULL ? MOST_FULL_ROWS : MOST_ROWS)) {
        return carom_report_bound(report, "rows", count, "at most",
                                  rows->start == NULL ? MOST_FULL_ROWS : MOST_ROWS);
    }
    return CAROM_OK;
}

carom_status carom_contact_problem_make(const carom_contact_rows *rows, size_t block_count,
                                        size_t entry_count, carom_contact_problem **out,
                                        carom_report *report) {
    *out = NULL;
    CAROM_TRY(carom_contact_check_counts(rows, report));
    CAROM_AUTO(carom_contact_problem) p = calloc(1, sizeof *p);
    if (p == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    p->joint_count = rows->joint_count;
    p->contact_count = rows->contact_count;
    p->tangent_count = rows->tangent_count;
    p->block_count = p->joint_count + p->contact_count;
    p->row_count = p->joint_count + p->contact_count * (1 + p->tangent_count);
    const size_t blocks = (size_t)p->block_count;
    p->start = calloc(blocks + 1, sizeof *p->start);
    p->diagonal = calloc(blocks + 1, sizeof *p->diagonal);
    p->column = calloc(block_count + 1, sizeof *p->column);
    p->offset = calloc(block_count + 1, sizeof *p->offset);
    p->entries = calloc(entry_count + 1, sizeof *p->entries);
    p->free_velocity = calloc((size_t)p->row_count + 1, sizeof *p->free_velocity);
    p->friction = calloc((size_t)p->contact_count + 1, sizeof *p->friction);
    p->inverse_mass = calloc(blocks + 1, sizeof *p->inverse_mass);
    if (p->start == NULL || p->diagonal == NULL || p->column == NULL || p->offset == NULL ||
        p->entries == NULL || p->free_velocity == NULL || p->friction == NULL ||
        p->inverse_mass == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_HAND_OVER(p, out);
    return CAROM_OK;
}

void carom_contact_problem_free(carom_contact_problem *problem) {
    if (problem == NULL) {
        return;
    }
    free(problem->start);
    free(problem->diagonal);
    free(problem->column);
    free(problem->offset);
    free(problem->entries);
    free(problem->free_velocity);
    free(problem->friction);
    free(problem->inverse_mass);
    carom_contact_kept_free(problem->kept);
    free(problem);
}

void carom_contact_problem_find_diagonal(carom_contact_problem *p) {
    double largest = 0.0;
    for (int i = 0; i < p->block_count; i++) {
        p->inverse_mass[i] = 0.0;
        const int size = carom_contact_block_size(p, i);
        for (int k = p->start[i]; k < p->start[i + 1]; k++) {
            if (p->column[k] != i) {
                continue;
            }
            p->diagonal[i] = k;
            for (int a = 0; a < size; a++) {
                const double entry = p->entries[p->offset[k] + (size_t)(a * size + a)];
                p->inverse_mass[i] = entry > p->inverse_mass[i] ? entry : p->inverse_mass[i];
            }
        }
        largest = p->inverse_mass[i] > largest ? p->inverse_mass[i] : largest;
    }
    // A block that nothing moves is measured by the others.
    for (int i = 0; i < p->block_count; i++) {
        if (!(p->inverse_mass[i] > 0.0)) {
            p->inverse_mass[i] = largest > 0.0 ? largest : 1.0;
        }
    }
}

carom_status carom_contact_problem_set_friction(carom_contact_problem *problem,
                                                const double *friction, carom_report *report) {
    memset(problem->friction, 0, (size_t)problem->contact_count * sizeof *problem->friction);
    for (int i = 0; friction != NULL && i < problem->contact_count; i++) {
        if (!isfinite(friction[i])) {
            return carom_report_fail(report, CAROM_STATUS_NOT_FINITE, "friction", friction[i], i);
        }
        if (friction[i] < 0.0) {
            return carom_report_refuse(report, "friction", friction[i], i, ">= 0");
        }
        if (friction[i] > 0.0 && problem->tangent_count == 0) {
            return carom_report_refuse(report, "friction", friction[i], i, "0 without tangents");
        }
        problem->friction[i] = friction[i];
    }
    return CAROM_OK;
}

static int block_of(const carom_contact_problem *p, int row) {
    const int contact_row = row - p->joint_count;
    return contact_row < 0 ? row : p->joint_count + contact_row / (1 + p->tangent_count);
}

/* For each block of columns the blocks of the rows that have entries there, one for each entry. */
static void list_rows(const carom_contact_rows *rows, const carom_contact_problem *p, int *start,
                      int *row) {
    for (int k = 0; k < rows->start[p->row_count]; k++) {
        start[block_of(p, rows->column[k])] += fabs(rows->entries[k]) > 0.0 ? 1 : 0;
    }
    for (int i = 1; i <= p->block_count; i++) {
        start[i] += start[i - 1];
    }
    // From the ends of the blocks to their beginnings.
    for (int i = p->row_count - 1; i >= 0; i--) {
        for (int k = rows->start[i]; k < rows->start[i + 1]; k++) {
            if (fabs(rows->entries[k]) > 0.0) {
                row[--start[block_of(p, rows->column[k])]] = block_of(p, i);
            }
        }
    }
}

/* Room to list the blocks of a row of blocks. */
typedef struct block_list {
    const int *row_start; /* [blocks+1] */
    const int *row;       /* blocks of the rows with entries in a block of columns */
    int *block;           /* [blocks] */
    bool *is_listed;      /* [blocks] */
    int count;
} block_list;

static void list_block(block_list *list, int block) {
    if (list->is_listed[block]) {
        return;
    }
    list->is_listed[block] = true;
    int at = list->count++;
    for (; at > 0 && list->block[at - 1] > block; at--) {
        list->block[at] = list->block[at - 1];
    }
    list->block[at] = block;
}

/* Blocks of a row of blocks of which they or their mirrors are not zero, and its own, by increasing
 * column. */
static void list_blocks(const carom_contact_rows *rows, const carom_contact_problem *p, int self,
                        block_list *list) {
    const int first = carom_contact_block_row(p, self);
    list->count = 0;
    list_block(list, self);
    for (int k = rows->start[first]; k < rows->start[first + carom_contact_block_size(p, self)];
         k++) {
        if (fabs(rows->entries[k]) > 0.0) {
            list_block(list, block_of(p, rows->column[k]));
        }
    }
    for (int k = list->row_start[self]; k < list->row_start[self + 1]; k++) {
        list_block(list, list->row[k]);
    }
    for (int k = 0; k < list->count; k++) {
        list->is_listed[list->block[k]] = false;
    }
}

/* The pattern by blocks: `start` and counts, and once there is room for them columns and offsets.
 */
static void fill_pattern(const carom_contact_rows *rows, carom_contact_problem *p, bool has_room,
                         block_list *list, size_t *blocks, size_t *entries) {
    *blocks = 0;
    *entries = 0;
    for (int i = 0; i < p->block_count; i++) {
        list_blocks(rows, p, i, list);
        for (int k = 0; k < list->count; k++) {
            if (has_room) {
                p->column[*blocks] = list->block[k];
                p->offset[*blocks] = *entries;
            }
            ++*blocks;
            *entries += (size_t)(carom_contact_block_size(p, i) *
                                 carom_contact_block_size(p, list->block[k]));
        }
        p->start[i + 1] = (int)*blocks;
    }
}

/* The entries of each row into its blocks: both have increasing columns. */
static void fill_entries(const carom_contact_rows *rows, carom_contact_problem *p) {
    for (int row = 0; row < p->row_count; row++) {
        const int i = block_of(p, row);
        int at = p->start[i];
        for (int k = rows->start[row]; k < rows->start[row + 1]; k++) {
            const int j = block_of(p, rows->column[k]);
            while (at + 1 < p->start[i + 1] && p->column[at] < j) {
                at++;
            }
            if (p->column[at] == j) {
                const int within = row - carom_contact_block_row(p, i);
                const int across = rows->column[k] - carom_contact_block_row(p, j);
                p->entries[p->offset[at] + (size_t)(within * carom_contact_block_size(p, j) +
                                                    across)] = rows->entries[k];
            }
        }
    }
}

static carom_status check_pattern(const carom_contact_rows *rows, int row_count,
                                  carom_report *report) {
    if (rows->start[0] != 0) {
        return carom_report_refuse(report, "start", rows->start[0], 0, "0");
    }
    for (int i = 0; i < row_count; i++) {
        if (rows->start[i + 1] < rows->start[i]) {
            return carom_report_refuse(report, "start", rows->start[i + 1], i + 1,
                                       "not decreasing");
        }
        for (int k = rows->start[i]; k < rows->start[i + 1]; k++) {
            const int least = k > rows->start[i] ? rows->column[k - 1] + 1 : 0;
            if (rows->column[k] < least || rows->column[k] >= row_count) {
                return carom_report_refuse(report, "column", rows->column[k], k,
                                           "increasing and below the number of rows");
            }
        }
    }
    return carom_report_require_finite(report, "delassus", rows->start[row_count], rows->entries);
}

static carom_status copy_rows(const carom_contact_rows *rows, carom_contact_problem **out,
                              carom_report *report) {
    CAROM_AUTO(carom_contact_problem) counted = NULL;
    CAROM_AUTO(carom_contact_problem) p = NULL;
    size_t blocks = 0;
    size_t entries = 0;
    CAROM_TRY(carom_contact_problem_make(rows, 0, 0, &counted, report));
    CAROM_TRY(check_pattern(rows, counted->row_count, report));
    CAROM_TRY(carom_report_require_finite(report, "free_velocity", counted->row_count,
                                          rows->free_velocity));
    const size_t most = (size_t)counted->block_count + 1;
    const size_t entry_count = (size_t)rows->start[counted->row_count];
    CAROM_AUTO_MEMORY int *block = calloc(2 * most + entry_count, sizeof *block);
    CAROM_AUTO_MEMORY bool *is_listed = calloc(most, sizeof *is_listed);
    if (block == NULL || is_listed == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    block_list list = {
        .row_start = block + most, .row = block + 2 * most, .block = block, .is_listed = is_listed};
    list_rows(rows, counted, block + most, block + 2 * most);
    fill_pattern(rows, counted, false, &list, &blocks, &entries);
    CAROM_TRY(carom_contact_problem_make(rows, blocks, entries, &p, report));
    fill_pattern(rows, p, true, &list, &blocks, &entries);
    fill_entries(rows, p);
    memcpy(p->free_velocity, rows->free_velocity, (size_t)p->row_count * sizeof(double));
    CAROM_TRY(carom_contact_problem_set_friction(p, rows->friction, report));
    carom_contact_problem_find_diagonal(p);
    CAROM_HAND_OVER(p, out);
    return CAROM_OK;
}

carom_status carom_contact_problem_alloc(const carom_contact_rows *rows,
                                         carom_contact_problem **out, carom_report *report) {
    CAROM_ASSERT(rows != NULL && out != NULL);
    *out = NULL;
    if (rows->start != NULL) {
        return copy_rows(rows, out, report);
    }
    // A full matrix is one of full rows.
    CAROM_TRY(carom_contact_check_counts(rows, report));
    const int n = rows->joint_count + rows->contact_count * (1 + rows->tangent_count);
    CAROM_AUTO_MEMORY int *start = calloc((size_t)n + 1, sizeof *start);
    CAROM_AUTO_MEMORY int *column = calloc((size_t)n * (size_t)n + 1, sizeof *column);
    if (start == NULL || column == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int i = 0; i <= n; i++) {
        start[i] = i * n;
        for (int j = 0; j < n && i < n; j++) {
            column[i * n + j] = j;
        }
    }
    carom_contact_rows full = *rows;
    full.start = start;
    full.column = column;
    return copy_rows(&full, out, report);
}

/* u += W x of a stored block. */
static inline void add_block(int rows, int columns, const double *W, const double *x, double *u) {
    // What there is most of has loops of its own.
    if (rows == 2 && columns == 2) {
        u[0] += W[0] * x[0] + W[1] * x[1];
        u[1] += W[2] * x[0] + W[3] * x[1];
    } else if (rows == 1 && columns == 1) {
        u[0] += W[0] * x[0];
    } else if (rows == 3 && columns == 3) {
        u[0] += W[0] * x[0] + W[1] * x[1] + W[2] * x[2];
        u[1] += W[3] * x[0] + W[4] * x[1] + W[5] * x[2];
        u[2] += W[6] * x[0] + W[7] * x[1] + W[8] * x[2];
    } else {
        for (int a = 0; a < rows; a++) {
            for (int c = 0; c < columns; c++) {
                u[a] += W[a * columns + c] * x[c];
            }
        }
    }
}

/* The sums of its |W x|. */
static inline void add_terms(int rows, int columns, const double *W, const double *x,
                             double *terms) {
    if (rows == 2 && columns == 2) {
        terms[0] = terms[0] + fabs(W[0] * x[0]) + fabs(W[1] * x[1]);
        terms[1] = terms[1] + fabs(W[2] * x[0]) + fabs(W[3] * x[1]);
        return;
    }
    if (rows == 1 && columns == 1) {
        terms[0] += fabs(W[0] * x[0]);
        return;
    }
    for (int a = 0; a < rows; a++) {
        for (int c = 0; c < columns; c++) {
            terms[a] += fabs(W[a * columns + c] * x[c]);
        }
    }
}

void carom_contact_block_velocity(const carom_contact_problem *p, int block, int without,
                                  const double *r, double *u) {
    const int rows = carom_contact_block_size(p, block);
    memcpy(u, p->free_velocity + carom_contact_block_row(p, block), (size_t)rows * sizeof *u);
    for (int k = p->start[block]; k < p->start[block + 1]; k++) {
        if (k != without) {
            add_block(rows, carom_contact_block_size(p, p->column[k]), p->entries + p->offset[k],
                      r + carom_contact_block_row(p, p->column[k]), u);
        }
    }
}

double carom_contact_block_terms(const carom_contact_problem *p, int block, const double *r,
                                 double *u) {
    const int rows = carom_contact_block_size(p, block);
    const double *q = p->free_velocity + carom_contact_block_row(p, block);
    double velocity[CAROM_CONTACT_MOST_ROWS];
    double terms[CAROM_CONTACT_MOST_ROWS];
    for (int a = 0; a < rows; a++) {
        velocity[a] = q[a];
        terms[a] = fabs(q[a]);
    }
    for (int k = p->start[block]; k < p->start[block + 1]; k++) {
        const int columns = carom_contact_block_size(p, p->column[k]);
        const double *W = p->entries + p->offset[k];
        const double *x = r + carom_contact_block_row(p, p->column[k]);
        add_block(rows, columns, W, x, velocity);
        add_terms(rows, columns, W, x, terms);
    }
    double largest = 0.0;
    for (int a = 0; a < rows; a++) {
        u[a] = velocity[a];
        largest = terms[a] > largest ? terms[a] : largest;
    }
    return largest;
}

void carom_contact_problem_velocity(const carom_contact_problem *problem, const double *r,
                                    double *u) {
    for (int i = 0; i < problem->block_count; i++) {
        carom_contact_block_velocity(problem, i, -1, r, u + carom_contact_block_row(problem, i));
    }
}

int carom_contact_far_exponent(const carom_contact_problem *p) {
    double largest = 0.0;
    int exponent = 0;
    for (int i = 0; i < p->row_count; i++) {
        const double size = fabs(p->free_velocity[i]);
        largest = size > largest ? size : largest;
    }
    (void)frexp(largest, &exponent);
    return largest > 0.0 && abs(exponent) > MOST_EXPONENT ? exponent : 0;
}

void carom_contact_scale(int count, int exponent, const double *x, double *y) {
    for (int i = 0; i < count; i++) {
        y[i] = ldexp(x[i], exponent);
    }
}
