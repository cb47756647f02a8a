#include <carom/record/contact_file.h>

#include <carom/record/contact_sparse.h>

#include <math.h>
#include <stdlib.h>

/* Of the inverse masses: what rounding leaves between rows and columns of joints. */
static const double ASYMMETRY = 1e-12;

/* Rows of a block. */
static int size_of(const carom_contact_problem *p, int block) {
    return carom_contact_problem_row(p, block + 1) - carom_contact_problem_row(p, block);
}

/* W by its rows. */
static carom_sparse *rows_of(const carom_contact_problem *p) {
    int entries = 1;
    for (int i = 0; i < p->block_count; i++) {
        for (int k = p->start[i]; k < p->start[i + 1]; k++) {
            entries += size_of(p, i) * size_of(p, p->column[k]);
        }
    }
    carom_sparse *W = cs_spalloc(p->row_count, p->row_count, entries, 1, 0);
    int used = 0;
    for (int i = 0; W != NULL && i < p->block_count; i++) {
        for (int a = 0; a < size_of(p, i); a++) {
            W->p[carom_contact_problem_row(p, i) + a] = used;
            for (int k = p->start[i]; k < p->start[i + 1]; k++) {
                const int columns = size_of(p, p->column[k]);
                for (int c = 0; c < columns; c++) {
                    W->i[used] = carom_contact_problem_row(p, p->column[k]) + c;
                    W->x[used++] = p->entries[p->offset[k] + (size_t)(a * columns + c)];
                }
            }
        }
    }
    if (W != NULL) {
        W->p[p->row_count] = used;
    }
    return W;
}

/* Whether the rows of the joints are their columns but for rounding, as the layout has one of them
 * alone. */
static bool has_symmetric_joints(const carom_contact_problem *p, const carom_sparse *W,
                                 const carom_sparse *turned) {
    const int joints = p->joint_count;
    bool is_symmetric = true;
    for (int i = 0; i < joints; i++) {
        is_symmetric = is_symmetric && W->p[i + 1] == turned->p[i + 1];
        for (int k = W->p[i]; k < W->p[i + 1] && is_symmetric; k++) {
            const int j = W->i[k];
            const int block = j < joints ? j : joints + (j - joints) / (1 + p->tangent_count);
            const double most = ASYMMETRY * sqrt(p->inverse_mass[i] * p->inverse_mass[block]);
            is_symmetric = j == turned->i[k] && fabs(W->x[k] - turned->x[k]) <= most;
        }
    }
    return is_symmetric;
}

/* Rows first .. end-1 and columns from .. to-1 of W, given and written by compressed columns. */
static carom_status write_matrix(carom_record *record, const char *matrix, const carom_sparse *W,
                                 int first, int end, int from, int to) {
    const size_t count = (size_t)(W->p[to] - W->p[from]);
    CAROM_AUTO_MEMORY int *start = calloc((size_t)(to - from) + 1, sizeof *start);
    CAROM_AUTO_MEMORY int *row = calloc(count + 1, sizeof *row);
    CAROM_AUTO_MEMORY double *value = calloc(count + 1, sizeof *value);
    if (start == NULL || row == NULL || value == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    int used = 0;
    for (int j = from; j < to; j++) {
        for (int k = W->p[j]; k < W->p[j + 1]; k++) {
            if (W->i[k] >= first && W->i[k] < end) {
                row[used] = W->i[k] - first;
                value[used++] = W->x[k];
            }
        }
        start[j - from + 1] = used;
    }
    carom_record group = carom_record_group(record, "fclib_local/%s", matrix);
    carom_record_integer(&group, "m", end - first, "1", "rows");
    carom_record_integer(&group, "n", to - from, "1", "columns");
    carom_record_integer(&group, "nz", CAROM_COMPRESSED_COLUMNS, "1", "compressed columns");
    carom_record_integer(&group, "nzmax", used, "1", "entries");
    carom_record_index_axis(&group, "column", to - from + 1, "column, then the end");
    carom_record_index_axis(&group, "entry", used, "entry");
    carom_record_integer_series(&group, "p", start, "column", NULL, "1", "first of the column");
    carom_record_integer_series(&group, "i", row, "entry", NULL, "1", "row of the entry");
    carom_record_series(&group, "x", value, "entry", NULL, "kg-1", "value of the entry");
    return CAROM_OK;
}

static carom_status write_problem(carom_record *record, const carom_contact_problem *p,
                                  carom_report *report) {
    const int joints = p->joint_count;
    CAROM_AUTO(carom_sparse) W = rows_of(p);
    CAROM_AUTO(carom_sparse) turned = W == NULL ? NULL : cs_transpose(W, 1);
    if (turned == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    if (!has_symmetric_joints(p, W, turned)) {
        return carom_report_say(report, CAROM_STATUS_UNSUPPORTED,
                                "the layout of FCLIB has joints whose rows are their columns");
    }
    CAROM_TRY(write_matrix(record, "W", turned, joints, p->row_count, joints, p->row_count));
    if (joints > 0) {
        CAROM_TRY(write_matrix(record, "V", turned, joints, p->row_count, 0, joints));
        CAROM_TRY(write_matrix(record, "R", turned, 0, joints, 0, joints));
    }
    carom_record group = carom_record_group(record, "fclib_local");
    carom_record_integer(&group, "spacedim", 1 + p->tangent_count, "1",
                         "2 in the plane, 3 in space");
    carom_record_index_axis(&group, "contact", p->contact_count, "contact");
    carom_record_index_axis(&group, "row", p->row_count - joints,
                            "normal and tangents by contacts");
    carom_record_series(&group, "vectors/mu", p->friction, "contact", NULL, "1", "friction");
    carom_record_series(&group, "vectors/q", p->free_velocity + joints, "row", NULL, "m s-1",
                        "velocity without impulses");
    if (joints > 0) {
        carom_record_index_axis(&group, "joint", joints, "row of a joint");
        carom_record_series(&group, "vectors/s", p->free_velocity, "joint", NULL, "m s-1",
                            "velocity of joints without impulses");
    }
    return CAROM_OK;
}

/* The same contacts with a tangent each, which no other impulse moves, of the contact's own mass.
 */
static carom_status add_tangents(const carom_contact_problem *p, carom_contact_problem **out) {
    const int joints = p->joint_count;
    const int rows = joints + 2 * p->contact_count;
    const size_t most = (size_t)p->start[p->block_count] + (size_t)p->contact_count;
    CAROM_AUTO_MEMORY int *integers = calloc((size_t)rows + 2 + most, sizeof *integers);
    CAROM_AUTO_MEMORY double *numbers = calloc(most + (size_t)rows + 1, sizeof *numbers);
    if (integers == NULL || numbers == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    int *start = integers;
    int *column = integers + rows + 1;
    double *entries = numbers;
    double *q = numbers + most;
    int used = 0;
    for (int i = 0; i < p->block_count; i++) {
        const bool is_contact = i >= joints;
        int row = is_contact ? joints + 2 * (i - joints) : i;
        q[row] = p->free_velocity[i];
        for (int k = p->start[i]; k < p->start[i + 1]; k++) {
            const int j = p->column[k];
            column[used] = j < joints ? j : joints + 2 * (j - joints);
            entries[used++] = p->entries[p->offset[k]];
        }
        start[++row] = used;
        if (is_contact) {
            column[used] = row;
            entries[used++] = p->inverse_mass[i];
            start[row + 1] = used;
        }
    }
    const carom_contact_rows given = {.joint_count = joints,
                                      .contact_count = p->contact_count,
                                      .tangent_count = 1,
                                      .start = start,
                                      .column = column,
                                      .entries = entries,
                                      .free_velocity = q};
    return carom_contact_problem_alloc(&given, out, NULL);
}

carom_status carom_contact_file_write(carom_record *record, const carom_contact_problem *problem,
                                      carom_report *report) {
    CAROM_ASSERT(record != NULL && problem != NULL);
    if (problem->contact_count == 0) {
        return carom_report_say(report, CAROM_STATUS_UNSUPPORTED,
                                "the layout of FCLIB has contacts; this problem has none");
    }
    if (problem->tangent_count > 0) {
        return write_problem(record, problem, report);
    }
    CAROM_AUTO(carom_contact_problem) planar = NULL;
    CAROM_TRY(add_tangents(problem, &planar));
    return write_problem(record, planar, report);
}

void carom_contact_file_write_solution(carom_record *record, const carom_contact_problem *problem,
                                       const double *r, const double *u) {
    const int joints = problem->joint_count;
    carom_record group = carom_record_group(record, "solution");
    carom_record_index_axis(&group, "row", problem->row_count - joints,
                            "normal and tangents by contacts");
    carom_record_series(&group, "r", r + joints, "row", NULL, "N s", "impulse");
    carom_record_series(&group, "u", u + joints, "row", NULL, "m s-1", "velocity");
    if (joints > 0) {
        carom_record_index_axis(&group, "joint", joints, "row of a joint");
        carom_record_series(&group, "l", r, "joint", NULL, "N s", "impulse of joints");
    }
}
