#include <carom/contact/internal.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

int carom_contact_problem_row(const carom_contact_problem *problem, int block) {
    const int contact = block - problem->joint_count;
    return contact < 0 ? block : problem->joint_count + contact * (1 + problem->tangent_count);
}

static carom_status check_counts(int joint_count, int contact_count, int tangent_count,
                                 carom_report *report) {
    if (joint_count < 0) {
        return carom_report_refuse(report, "joint_count", joint_count, -1, ">= 0");
    }
    if (contact_count < 0) {
        return carom_report_refuse(report, "contact_count", contact_count, -1, ">= 0");
    }
    if (tangent_count < 0 || tangent_count > 2) {
        return carom_report_refuse(report, "tangent_count", tangent_count, -1, "0, 1 or 2");
    }
    return CAROM_OK;
}

carom_status carom_contact_problem_make(int joint_count, int contact_count, int tangent_count,
                                        size_t block_count, size_t entry_count,
                                        carom_contact_problem **out, carom_report *report) {
    *out = NULL;
    CAROM_TRY(check_counts(joint_count, contact_count, tangent_count, report));
    CAROM_AUTO(carom_contact_problem) p = calloc(1, sizeof *p);
    if (p == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    p->joint_count = joint_count;
    p->contact_count = contact_count;
    p->tangent_count = tangent_count;
    p->block_count = joint_count + contact_count;
    p->row_count = joint_count + contact_count * (1 + tangent_count);
    const size_t blocks = (size_t)p->block_count;
    p->start = calloc(blocks + 1, sizeof *p->start);
    p->diagonal = calloc(blocks + 1, sizeof *p->diagonal);
    p->column = calloc(block_count + 1, sizeof *p->column);
    p->offset = calloc(block_count + 1, sizeof *p->offset);
    p->entries = calloc(entry_count + 1, sizeof *p->entries);
    p->free_velocity = calloc((size_t)p->row_count + 1, sizeof *p->free_velocity);
    p->friction = calloc((size_t)contact_count + 1, sizeof *p->friction);
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
    free(problem);
}

void carom_contact_problem_finish(carom_contact_problem *p) {
    double largest = 0.0;
    for (int i = 0; i < p->block_count; i++) {
        const int size = carom_contact_block_size(p, i);
        for (int k = p->start[i]; k < p->start[i + 1]; k++) {
            if (p->column[k] != i) {
                continue;
            }
            p->diagonal[i] = k;
            for (int a = 0; a < size; a++) {
                p->inverse_mass[i] =
                    fmax(p->inverse_mass[i], p->entries[p->offset[k] + (size_t)(a * size + a)]);
            }
        }
        largest = fmax(largest, p->inverse_mass[i]);
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

/* The blocks that are given, or of a full matrix all. */
typedef struct block_reader {
    const carom_contact_blocks *given;
    int block_count;
    int row_count;
} block_reader;

static int size_of(const block_reader *reader, int block) {
    return block < reader->given->joint_count ? 1 : 1 + reader->given->tangent_count;
}

static int row_of(const block_reader *reader, int block) {
    const int contact = block - reader->given->joint_count;
    return contact < 0 ? block
                       : reader->given->joint_count + contact * (1 + reader->given->tangent_count);
}

static carom_status check_pattern(const block_reader *reader, carom_report *report) {
    const carom_contact_blocks *b = reader->given;
    if (b->start == NULL) {
        return CAROM_OK;
    }
    for (int i = 0; i < reader->block_count; i++) {
        if (b->start[i] < 0 || b->start[i + 1] < b->start[i]) {
            return carom_report_refuse(report, "start", b->start[i + 1], i + 1, "not decreasing");
        }
        for (int k = b->start[i]; k < b->start[i + 1]; k++) {
            const int least = k > b->start[i] ? b->column[k - 1] + 1 : 0;
            if (b->column[k] < least || b->column[k] >= reader->block_count) {
                return carom_report_refuse(report, "column", b->column[k], k,
                                           "increasing and below the number of blocks");
            }
        }
    }
    return CAROM_OK;
}

/* Copy a block to `to`; @return whether any entry is not zero, of the diagonal always. */
static bool copy_block(const double *from, int stride, int rows, int columns, double *to) {
    bool is_stored = false;
    for (int a = 0; a < rows; a++) {
        for (int c = 0; c < columns; c++) {
            to[a * columns + c] = from[(size_t)a * (size_t)stride + (size_t)c];
            is_stored = is_stored || fabs(to[a * columns + c]) > 0.0;
        }
    }
    return is_stored;
}

static carom_status fill_blocks(const block_reader *reader, carom_contact_problem *p,
                                carom_report *report) {
    const carom_contact_blocks *b = reader->given;
    int stored = 0;
    size_t used = 0;
    size_t read = 0;
    for (int i = 0; i < p->block_count; i++) {
        const int rows = size_of(reader, i);
        const int end = b->start == NULL ? p->block_count : b->start[i + 1];
        bool has_diagonal = false;
        for (int k = b->start == NULL ? 0 : b->start[i]; k < end || !has_diagonal; k++) {
            // A diagonal block that is not given is one of zeros, in its place.
            const int given = k < end ? (b->start == NULL ? k : b->column[k]) : p->block_count;
            const bool is_missing = !has_diagonal && given > i;
            const int j = is_missing ? i : given;
            const int columns = size_of(reader, j);
            double *to = p->entries + used;
            bool is_stored = is_missing;
            if (is_missing) {
                memset(to, 0, (size_t)(rows * columns) * sizeof *to);
                k--;
            } else if (b->start == NULL) {
                const double *from = b->entries +
                                     (size_t)row_of(reader, i) * (size_t)reader->row_count +
                                     (size_t)row_of(reader, j);
                is_stored = copy_block(from, reader->row_count, rows, columns, to);
            } else {
                is_stored = copy_block(b->entries + read, columns, rows, columns, to);
                read += (size_t)(rows * columns);
            }
            CAROM_TRY(carom_report_require_finite(report, "delassus", rows * columns, to));
            has_diagonal = has_diagonal || j == i;
            if (is_stored || j == i) {
                p->column[stored] = j;
                p->offset[stored++] = used;
                used += (size_t)(rows * columns);
            }
        }
        p->start[i + 1] = stored;
    }
    return CAROM_OK;
}

carom_status carom_contact_problem_alloc(const carom_contact_blocks *blocks,
                                         carom_contact_problem **out, carom_report *report) {
    CAROM_ASSERT(blocks != NULL && out != NULL);
    *out = NULL;
    CAROM_TRY(
        check_counts(blocks->joint_count, blocks->contact_count, blocks->tangent_count, report));
    const block_reader reader = {.given = blocks,
                                 .block_count = blocks->joint_count + blocks->contact_count,
                                 .row_count = blocks->joint_count +
                                              blocks->contact_count * (1 + blocks->tangent_count)};
    CAROM_TRY(check_pattern(&reader, report));
    const size_t n = (size_t)reader.block_count;
    const size_t size = (size_t)(1 + blocks->tangent_count);
    const size_t count = blocks->start == NULL ? n * n : (size_t)blocks->start[n] + n;
    const size_t entries = blocks->start == NULL
                               ? (size_t)reader.row_count * (size_t)reader.row_count
                               : count * size * size;
    CAROM_AUTO(carom_contact_problem) p = NULL;
    CAROM_TRY(carom_contact_problem_make(blocks->joint_count, blocks->contact_count,
                                         blocks->tangent_count, count, entries, &p, report));
    CAROM_TRY(fill_blocks(&reader, p, report));
    CAROM_TRY(
        carom_report_require_finite(report, "free_velocity", p->row_count, blocks->free_velocity));
    memcpy(p->free_velocity, blocks->free_velocity, (size_t)p->row_count * sizeof(double));
    CAROM_TRY(carom_contact_problem_set_friction(p, blocks->friction, report));
    carom_contact_problem_finish(p);
    CAROM_HAND_OVER(p, out);
    return CAROM_OK;
}

void carom_contact_block_velocity(const carom_contact_problem *p, int block, const double *r,
                                  double *u) {
    const int rows = carom_contact_block_size(p, block);
    const double *q = p->free_velocity + carom_contact_problem_row(p, block);
    for (int a = 0; a < rows; a++) {
        u[a] = q[a];
    }
    for (int k = p->start[block]; k < p->start[block + 1]; k++) {
        const int columns = carom_contact_block_size(p, p->column[k]);
        const double *x = r + carom_contact_problem_row(p, p->column[k]);
        const double *W = p->entries + p->offset[k];
        for (int a = 0; a < rows; a++) {
            for (int c = 0; c < columns; c++) {
                u[a] += W[a * columns + c] * x[c];
            }
        }
    }
}

void carom_contact_problem_velocity(const carom_contact_problem *problem, const double *r,
                                    double *u) {
    for (int i = 0; i < problem->block_count; i++) {
        carom_contact_block_velocity(problem, i, r, u + carom_contact_problem_row(problem, i));
    }
}
