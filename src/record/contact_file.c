#include <carom/record/contact_file.h>

#include <carom/base/linear_algebra.h>
#include <carom/record/contact_sparse.h>
#include <carom/record/internal.h>

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Longest name of a data set of the layout. */
enum { NAME_SIZE = 64 };

/* A file being read, of which all messages speak. */
typedef struct source {
    carom_reader *reader;
    const char *path;
    const char *group; /* "/fclib_local" */
    carom_report *report;
} source;

static carom_status fail(const source *s, carom_status status, const char *name,
                         const char *defect) {
    return carom_report_say(s->report, status, "%.80s: %s/%s %s", s->path, s->group, name, defect);
}

/* A list of numbers; `count` < 0: of any length. */
static carom_status read_list(const source *s, const char *name, int count, carom_dataset *list) {
    char path[2 * NAME_SIZE];
    char defect[NAME_SIZE];
    snprintf(path, sizeof path, "%s/%s", s->group, name);
    const carom_status status = carom_reader_numbers(s->reader, path, list);
    if (status == CAROM_STATUS_NOT_FOUND) {
        return fail(s, status, name, "is missing");
    }
    if (status != CAROM_OK) {
        return fail(s, status, name, "cannot be read as numbers");
    }
    const int found = list->rows * list->columns;
    if (count >= 0 && found != count) {
        snprintf(defect, sizeof defect, "has %d numbers, accepted are %d", found, count);
        return fail(s, CAROM_STATUS_BAD_FORMAT, name, defect);
    }
    for (int i = 0; i < found; i++) {
        if (!isfinite(list->values[i])) {
            snprintf(defect, sizeof defect, "is %g in place %d", list->values[i], i);
            return fail(s, CAROM_STATUS_NOT_FINITE, name, defect);
        }
    }
    return CAROM_OK;
}

static carom_status read_integers(const source *s, const char *name, int count, int low, int high,
                                  int *values) {
    CAROM_AUTO_VALUE(carom_dataset) list = {0};
    CAROM_TRY(read_list(s, name, count, &list));
    for (int i = 0; i < count; i++) {
        const double value = list.values[i];
        if (!(value >= low && value <= high) || fabs(value - floor(value)) > 0.0) {
            char defect[2 * NAME_SIZE];
            snprintf(defect, sizeof defect, "is %g in place %d, accepted is %d to %d", value, i,
                     low, high);
            return fail(s, CAROM_STATUS_OUT_OF_RANGE, name, defect);
        }
        values[i] = (int)value;
    }
    return CAROM_OK;
}

static carom_status read_vector(const source *s, const char *name, int count, double *values) {
    CAROM_AUTO_VALUE(carom_dataset) list = {0};
    CAROM_TRY(read_list(s, name, count, &list));
    memcpy(values, list.values, (size_t)count * sizeof *values);
    return CAROM_OK;
}

/* Whether a group has a member of this name, whatever it is. */
static bool has_member(const source *s, const char *group, const char *name) {
    char child[NAME_SIZE];
    carom_status status = CAROM_OK;
    for (int k = 0; status != CAROM_STATUS_NOT_FOUND; k++) {
        // A longer name, which is cut, is another one.
        status = carom_reader_child(s->reader, group, k, (int)sizeof child, child);
        if (status == CAROM_OK && strcmp(child, name) == 0) {
            return true;
        }
    }
    return false;
}

/* Starts of compressed columns or rows: from 0, not decreasing, to the number of entries. */
static carom_status check_starts(const source *s, const char *name, int count, const int *start,
                                 int entries) {
    bool is_right = start[0] == 0 && start[count] == entries;
    for (int i = 0; i < count; i++) {
        is_right = is_right && start[i] <= start[i + 1];
    }
    return is_right ? CAROM_OK
                    : fail(s, CAROM_STATUS_BAD_FORMAT, name,
                           "does not rise from 0 to the number of entries");
}

/* Places of the entries: triplets, or compressed columns of what is [m][n]. */
static carom_status read_places(const source *s, const char *starts, const char *indices, int count,
                                carom_sparse *read) {
    if (read->nz >= 0) {
        // Of triplets p are rows and i columns.
        CAROM_TRY(read_integers(s, starts, count, 0, read->m - 1, read->i));
        CAROM_TRY(read_integers(s, indices, count, 0, read->n - 1, read->p));
        read->nz = count;
        return CAROM_OK;
    }
    CAROM_TRY(read_integers(s, starts, read->n + 1, 0, count, read->p));
    CAROM_TRY(check_starts(s, starts, read->n, read->p, count));
    return read_integers(s, indices, count, 0, read->m - 1, read->i);
}

/* A matrix [rows][columns] by rows, each with increasing columns, entries given twice added up:
 * [n] rows, [m] columns. */
static carom_status read_matrix(const source *s, const char *matrix, int rows, int columns,
                                carom_sparse **out) {
    static const char *const members[6] = {"m", "n", "nz", "p", "i", "x"};
    char name[6][NAME_SIZE];
    int size[3];
    for (int k = 0; k < 6; k++) {
        snprintf(name[k], sizeof name[k], "%s/%s", matrix, members[k]);
    }
    *out = NULL;
    CAROM_TRY(read_integers(s, name[0], 1, rows, rows, size));
    CAROM_TRY(read_integers(s, name[1], 1, columns, columns, size + 1));
    CAROM_TRY(read_integers(s, name[2], 1, CAROM_COMPRESSED_ROWS, INT_MAX - 1, size + 2));
    CAROM_AUTO_VALUE(carom_dataset) values = {0};
    CAROM_TRY(read_list(s, name[5], size[2] < 0 ? -1 : size[2], &values));
    const int count = values.rows * values.columns;
    // Compressed rows are the compressed columns of the transposed.
    const bool by_rows = size[2] == CAROM_COMPRESSED_ROWS;
    CAROM_AUTO(carom_sparse)
    read = cs_spalloc(size[by_rows ? 1 : 0], size[by_rows ? 0 : 1], count + 1, 1, size[2] >= 0);
    if (read == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    memcpy(read->x, values.values, (size_t)count * sizeof *read->x);
    CAROM_TRY(read_places(s, name[3], name[4], count, read));
    CAROM_AUTO(carom_sparse) columnwise = NULL;
    if (by_rows) {
        columnwise = cs_transpose(read, 1);
    } else if (size[2] >= 0) {
        columnwise = cs_compress(read);
    } else {
        CAROM_HAND_OVER(read, &columnwise);
    }
    if (columnwise == NULL || !cs_dupl(columnwise)) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    *out = cs_transpose(columnwise, 1);
    return *out == NULL ? CAROM_STATUS_OUT_OF_MEMORY : CAROM_OK;
}

/* What both forms begin with: the dimension, the contacts and their friction. */
static carom_status read_friction(const source *s, int *contact_count, int *tangent_count,
                                  carom_dataset *friction) {
    int dimension = 0;
    CAROM_TRY(read_integers(s, "spacedim", 1, 2, 3, &dimension));
    CAROM_TRY(read_list(s, "vectors/mu", -1, friction));
    *contact_count = friction->rows * friction->columns;
    for (int i = 0; i < *contact_count; i++) {
        if (friction->values[i] < 0.0) {
            char defect[2 * NAME_SIZE];
            snprintf(defect, sizeof defect, "is %g in place %d, accepted is >= 0",
                     friction->values[i], i);
            return fail(s, CAROM_STATUS_OUT_OF_RANGE, "vectors/mu", defect);
        }
    }
    *tangent_count = dimension - 1;
    return CAROM_OK;
}

/* Append the entries of one row, columns moved. */
static void append_row(const carom_sparse *from, int row, int moved, carom_sparse *to, int *used) {
    for (int k = from == NULL ? 0 : from->p[row]; from != NULL && k < from->p[row + 1]; k++) {
        to->i[*used] = from->i[k] + moved;
        to->x[(*used)++] = from->x[k];
    }
}

/* `top` rows of `upper` over `bottom` ones of `lower`, each [a b] with the columns of b moved
 * behind a's. */
static carom_status stack(const carom_sparse *upper[2], int top, const carom_sparse *lower[2],
                          int bottom, int moved, carom_sparse **out) {
    int entries = 1;
    for (int k = 0; k < 2; k++) {
        entries += upper[k] != NULL ? upper[k]->p[upper[k]->n] : 0;
        entries += lower[k] != NULL ? lower[k]->p[lower[k]->n] : 0;
    }
    carom_sparse *stacked = cs_spalloc(top + bottom, top + bottom, entries, 1, 0);
    if (stacked == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    int used = 0;
    stacked->p[0] = 0;
    for (int i = 0; i < top + bottom; i++) {
        const carom_sparse *const *from = i < top ? upper : lower;
        const int row = i < top ? i : i - top;
        append_row(from[0], row, 0, stacked, &used);
        append_row(from[1], row, moved, stacked, &used);
        stacked->p[i + 1] = used;
    }
    *out = stacked;
    return CAROM_OK;
}

static carom_status read_local(const source *s, carom_contact_problem **out) {
    carom_contact_rows rows = {0};
    int joint_count = 0;
    CAROM_AUTO_VALUE(carom_dataset) friction = {0};
    CAROM_AUTO_VALUE(carom_dataset) joint_velocity = {0};
    CAROM_AUTO(carom_sparse) W = NULL;
    CAROM_AUTO(carom_sparse) V = NULL;
    CAROM_AUTO(carom_sparse) V_transposed = NULL;
    CAROM_AUTO(carom_sparse) R = NULL;
    CAROM_AUTO(carom_sparse) joined = NULL;
    CAROM_TRY(read_friction(s, &rows.contact_count, &rows.tangent_count, &friction));
    const int contact_rows = rows.contact_count * (1 + rows.tangent_count);
    CAROM_TRY(read_matrix(s, "W", contact_rows, contact_rows, &W));
    if (has_member(s, s->group, "V") || has_member(s, s->group, "R")) {
        CAROM_TRY(read_list(s, "vectors/s", -1, &joint_velocity));
        joint_count = joint_velocity.rows * joint_velocity.columns;
        CAROM_TRY(read_matrix(s, "V", contact_rows, joint_count, &V));
        CAROM_TRY(read_matrix(s, "R", joint_count, joint_count, &R));
        V_transposed = cs_transpose(V, 1);
    }
    CAROM_AUTO_MEMORY double *q =
        malloc(((size_t)joint_count + (size_t)contact_rows + 1) * sizeof *q);
    if (q == NULL || (V != NULL && V_transposed == NULL)) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    if (joint_count > 0) {
        memcpy(q, joint_velocity.values, (size_t)joint_count * sizeof *q);
    }
    CAROM_TRY(read_vector(s, "vectors/q", contact_rows, q + joint_count));
    // [R V'; V W]
    const carom_sparse *joints[2] = {R, V_transposed};
    const carom_sparse *contacts[2] = {V, W};
    CAROM_TRY(stack(joints, joint_count, contacts, contact_rows, joint_count, &joined));
    rows.joint_count = joint_count;
    rows.start = joined->p;
    rows.column = joined->i;
    rows.entries = joined->x;
    rows.free_velocity = q;
    rows.friction = friction.values;
    return carom_contact_problem_alloc(&rows, out, s->report);
}

/* M in the layout of its band, or full where that is no larger. */
static carom_status store_mass(const carom_sparse *M, carom_layout *layout, double **mass) {
    int half = 0;
    for (int i = 0; i < M->n; i++) {
        for (int k = M->p[i]; k < M->p[i + 1]; k++) {
            half = abs(M->i[k] - i) > half ? abs(M->i[k] - i) : half;
        }
    }
    *layout = 2 * half + 1 < M->n ? carom_layout_banded(M->n, half) : carom_layout_full(M->n);
    *mass = calloc(carom_layout_entry_count(*layout), sizeof **mass);
    if (*mass == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int i = 0; i < M->n; i++) {
        for (int k = M->p[i]; k < M->p[i + 1]; k++) {
            (*mass)[carom_layout_index(*layout, i, M->i[k])] = M->x[k];
        }
    }
    return CAROM_OK;
}

/* v_free = M^-1 f. */
static carom_status solve_free_velocity(const source *s, carom_layout layout, const double *mass,
                                        double *f) {
    CAROM_AUTO(carom_factor) factor = NULL;
    CAROM_TRY(carom_factor_alloc(layout, &factor));
    const carom_status status = carom_factor_compute(factor, mass);
    if (status != CAROM_OK) {
        return fail(s, status, "M", "is singular");
    }
    carom_factor_solve(factor, f);
    return CAROM_OK;
}

static carom_status read_global(const source *s, carom_contact_problem **out) {
    carom_contact_bodies bodies = {0};
    int joint_count = 0;
    CAROM_AUTO_VALUE(carom_dataset) friction = {0};
    CAROM_AUTO_VALUE(carom_dataset) force = {0};
    CAROM_AUTO_VALUE(carom_dataset) joint_support = {0};
    CAROM_AUTO(carom_sparse) M = NULL;
    CAROM_AUTO(carom_sparse) H = NULL;
    CAROM_AUTO(carom_sparse) G = NULL;
    CAROM_AUTO(carom_sparse) J = NULL;
    CAROM_AUTO_MEMORY double *mass = NULL;
    CAROM_TRY(read_friction(s, &bodies.contact_count, &bodies.tangent_count, &friction));
    CAROM_TRY(read_list(s, "vectors/f", -1, &force));
    const int n = force.rows * force.columns;
    if (n == 0) {
        return fail(s, CAROM_STATUS_BAD_FORMAT, "vectors/f", "has no numbers");
    }
    const int contact_rows = bodies.contact_count * (1 + bodies.tangent_count);
    CAROM_TRY(read_matrix(s, "M", n, n, &M));
    CAROM_TRY(read_matrix(s, "H", n, contact_rows, &H));
    if (has_member(s, s->group, "G")) {
        CAROM_TRY(read_list(s, "vectors/b", -1, &joint_support));
        joint_count = joint_support.rows * joint_support.columns;
        CAROM_TRY(read_matrix(s, "G", n, joint_count, &G));
    }
    CAROM_AUTO_MEMORY double *support =
        malloc(((size_t)joint_count + (size_t)contact_rows + 1) * sizeof *support);
    CAROM_AUTO(carom_sparse) H_transposed = cs_transpose(H, 1);
    CAROM_AUTO(carom_sparse) G_transposed = G == NULL ? NULL : cs_transpose(G, 1);
    if (support == NULL || H_transposed == NULL || (G != NULL && G_transposed == NULL)) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    if (joint_count > 0) {
        memcpy(support, joint_support.values, (size_t)joint_count * sizeof *support);
    }
    CAROM_TRY(read_vector(s, "vectors/w", contact_rows, support + joint_count));
    CAROM_TRY(store_mass(M, &bodies.layout, &mass));
    CAROM_TRY(solve_free_velocity(s, bodies.layout, mass, force.values));
    // J = [G'; H']
    const carom_sparse *joints[2] = {G_transposed, NULL};
    const carom_sparse *contacts[2] = {H_transposed, NULL};
    CAROM_TRY(stack(joints, joint_count, contacts, contact_rows, 0, &J));
    bodies.joint_count = joint_count;
    bodies.mass = mass;
    bodies.row_start = J->p;
    bodies.row_column = J->i;
    bodies.row_value = J->x;
    bodies.free_velocity = force.values;
    bodies.support_velocity = support;
    bodies.friction = friction.values;
    carom_report report = carom_report_empty();
    const carom_status status = carom_contact_problem_of_bodies(&bodies, out, &report);
    if (status != CAROM_OK && report.quantity != NULL && strcmp(report.quantity, "mass") == 0) {
        return fail(s, status, "M", "is not symmetric and positive definite");
    }
    if (s->report != NULL) {
        *s->report = report;
    }
    return status;
}

carom_status carom_contact_file_read(const char *path, carom_contact_problem **out,
                                     carom_report *report) {
    CAROM_ASSERT(path != NULL && out != NULL);
    *out = NULL;
    source s = {.path = path, .report = report};
    const carom_status status = carom_reader_open(path, &s.reader);
    if (status != CAROM_OK) {
        return carom_report_say(report, status, "%.80s %s", path,
                                status == CAROM_STATUS_IO ? "cannot be read" : "is no HDF5 file");
    }
    carom_status outcome = CAROM_OK;
    s.group = "/fclib_local";
    if (has_member(&s, "/", "fclib_local")) {
        outcome = read_local(&s, out);
    } else {
        s.group = "/fclib_global";
        outcome = has_member(&s, "/", "fclib_global")
                      ? read_global(&s, out)
                      : carom_report_say(report, CAROM_STATUS_NOT_FOUND,
                                         "%.80s has no group fclib_local or "
                                         "fclib_global",
                                         path);
    }
    carom_reader_close(s.reader);
    return outcome;
}
