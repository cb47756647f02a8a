#include <carom/contact/assembly.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

carom_status carom_contact_assembly_alloc(carom_contact_assembly **out) {
    CAROM_ASSERT(out != NULL);
    *out = calloc(1, sizeof **out);
    return *out == NULL ? CAROM_STATUS_OUT_OF_MEMORY : CAROM_OK;
}

static void free_factors(carom_contact_assembly *a) {
    for (int k = 0; k < a->factor_room; k++) {
        carom_factor_free(a->factors[k]);
    }
    free(a->factors);
    a->factors = NULL;
    a->factor_room = 0;
}

void carom_contact_assembly_free(carom_contact_assembly *assembly) {
    if (assembly == NULL) {
        return;
    }
    free_factors(assembly);
    carom_contact_problem_free(assembly->problem);
    free(assembly->response_of);
    free(assembly->response);
    free(assembly->ints);
    free(assembly->doubles);
    free(assembly);
}

/* ------------------------------------------------------------------------------------- refusals */

static carom_status check_rows(const carom_contact_bodies *b, int row_count, carom_report *report) {
    const int n = b->layout.size;
    if (n < 1) {
        return carom_report_refuse(report, "layout.size", n, -1, ">= 1");
    }
    for (int i = 0; i < row_count; i++) {
        if (b->row_start[i] < 0 || b->row_start[i + 1] < b->row_start[i]) {
            return carom_report_refuse(report, "row_start", b->row_start[i + 1], i + 1,
                                       "not decreasing");
        }
        for (int k = b->row_start[i]; k < b->row_start[i + 1]; k++) {
            const int least = k > b->row_start[i] ? b->row_column[k - 1] + 1 : 0;
            if (b->row_column[k] < least || b->row_column[k] >= n) {
                return carom_report_refuse(report, "row_column", b->row_column[k], k,
                                           "increasing and below the number of coordinates");
            }
        }
    }
    return CAROM_OK;
}

static carom_status check_mass(const carom_contact_bodies *b, carom_report *report) {
    for (int i = 0; i < b->layout.size; i++) {
        for (int j = carom_layout_first_column(b->layout, i);
             j < carom_layout_end_column(b->layout, i); j++) {
            const double entry = b->mass[carom_layout_index(b->layout, i, j)];
            if (!isfinite(entry)) {
                return carom_report_fail(report, CAROM_STATUS_NOT_FINITE, "mass", entry, i);
            }
        }
        const double inertia = b->mass[carom_layout_index(b->layout, i, i)];
        if (!b->is_tangent && !(inertia > 0.0)) {
            return carom_report_refuse(report, "mass", inertia, i, "> 0 on the diagonal");
        }
    }
    if (!b->is_tangent && carom_layout_asymmetry(b->layout, b->mass) > 0.0) {
        return carom_report_fail(report, CAROM_STATUS_NOT_SYMMETRIC, "mass",
                                 carom_layout_asymmetry(b->layout, b->mass), -1);
    }
    return CAROM_OK;
}

static carom_status check_velocities(const carom_contact_bodies *b, int row_count,
                                     carom_report *report) {
    const int n = b->layout.size;
    for (int i = 0; i < b->contact_count && b->restitution != NULL; i++) {
        if (!(b->restitution[i] >= 0.0 && b->restitution[i] <= 1.0)) {
            return carom_report_refuse(report, "restitution", b->restitution[i], i, "in [0,1]");
        }
    }
    CAROM_TRY(carom_report_require_finite(report, "free_velocity", n, b->free_velocity));
    if (b->previous_velocity != NULL) {
        CAROM_TRY(
            carom_report_require_finite(report, "previous_velocity", n, b->previous_velocity));
    }
    if (b->support_velocity != NULL) {
        CAROM_TRY(carom_report_require_finite(report, "support_velocity", row_count,
                                              b->support_velocity));
    }
    return CAROM_OK;
}

/* --------------------------------------------------------------------------------------- memory */

/* Room for the arrays of so many coordinates, rows and entries; what was in them is lost. */
static carom_status make_room(carom_contact_assembly *a, size_t n, size_t rows, size_t entries,
                              size_t mass_entries) {
    const size_t ints = 8 * n + 3 + 2 * (rows + 1) + 8 * entries + 2 + rows;
    const size_t doubles = mass_entries + n + 2 * entries + 1;
    const size_t sizes = entries + 1 + n;
    CAROM_ASSERT(ints > 0 && doubles > 0 && sizes > 0);
    if (ints > a->int_room || a->ints == NULL) {
        free(a->ints);
        a->ints = calloc(ints, sizeof *a->ints);
        a->int_room = a->ints == NULL ? 0 : ints;
    }
    if (sizes > a->size_room || a->response_of == NULL) {
        free(a->response_of);
        a->response_of = calloc(sizes, sizeof *a->response_of);
        a->size_room = a->response_of == NULL ? 0 : sizes;
    }
    if (doubles > a->double_room || a->doubles == NULL) {
        free(a->doubles);
        a->doubles = calloc(doubles, sizeof *a->doubles);
        a->double_room = a->doubles == NULL ? 0 : doubles;
    }
    if (a->ints == NULL || a->response_of == NULL || a->doubles == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    a->signature = a->response_of + entries + 1;
    a->mass = a->doubles;
    a->diagonal = a->mass + mass_entries;
    a->values = a->diagonal + n;
    a->part = a->ints;
    a->place = a->part + n;
    a->coordinate = a->place + n;
    a->parent = a->coordinate + n;
    a->is_diagonal = a->parent + n;
    a->part_start = a->is_diagonal + n;
    a->part_piece = a->part_start + n + 1;
    a->start = a->part_piece + n + 1;
    a->row_piece = a->start + rows + 1;
    a->column = a->row_piece + rows + 1;
    a->piece_part = a->column + entries;
    a->piece_block = a->piece_part + entries;
    a->piece_within = a->piece_block + entries;
    a->piece_entry = a->piece_within + entries;
    a->entry = a->piece_entry + entries + 1;
    a->entry_place = a->entry + entries;
    a->pieces = a->entry_place + entries;
    a->mark = a->pieces + entries;
    return CAROM_OK;
}

/* -------------------------------------------------------------------------------------- numbers */

/* The part's own matrix, full; its entries outside the storage of M are zero. */
static void gather_mass(const carom_contact_assembly *a, int part, double *A) {
    const int size = a->part_start[part + 1] - a->part_start[part];
    const int *coordinate = a->coordinate + a->part_start[part];
    memset(A, 0, (size_t)size * (size_t)size * sizeof *A);
    for (int i = 0; i < size; i++) {
        const int row = coordinate[i];
        for (int j = 0; j < size; j++) {
            const int column = coordinate[j];
            if (column >= carom_layout_first_column(a->layout, row) &&
                column < carom_layout_end_column(a->layout, row)) {
                A[i * size + j] = a->mass[carom_layout_index(a->layout, row, column)];
            }
        }
    }
}

static int part_size(const carom_contact_assembly *a, int part) {
    return a->part_start[part + 1] - a->part_start[part];
}

/* Room for the responses and one full matrix of a part, and factors of the parts of more than one
 * coordinate; one coordinate is its own. */
static carom_status make_responses(carom_contact_assembly *a) {
    int largest = 1;
    for (int k = 0; k < a->part_count; k++) {
        largest = part_size(a, k) > largest ? part_size(a, k) : largest;
    }
    const size_t doubles = a->response_of[a->piece_count] + (size_t)largest * (size_t)largest;
    if (doubles > a->response_room) {
        free(a->response);
        a->response = malloc(doubles * sizeof *a->response);
        a->response_room = a->response == NULL ? 0 : doubles;
    }
    if (a->response == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    if (largest > 1) {
        a->factors = calloc((size_t)a->part_count, sizeof(carom_factor *));
        if (a->factors == NULL) {
            return CAROM_STATUS_OUT_OF_MEMORY;
        }
        a->factor_room = a->part_count;
    }
    return CAROM_OK;
}

/* Whether a full matrix is diagonal, and then whether it has an inverse. */
static bool is_diagonal(int size, const double *A, bool *is_regular) {
    *is_regular = true;
    for (int i = 0; i < size; i++) {
        for (int j = 0; j < size; j++) {
            if (i != j && fabs(A[i * size + j]) > 0.0) {
                return false;
            }
        }
        *is_regular = *is_regular && fabs(A[i * size + i]) > 0.0;
    }
    return true;
}

/* The matrix of a part, whose factor is made where it is not diagonal; a mass is positive definite.
 * What is in A is lost. */
static carom_status factor_part(carom_contact_assembly *a, int part, double *A) {
    bool is_regular = false;
    a->is_diagonal[part] = is_diagonal(part_size(a, part), A, &is_regular) ? 1 : 0;
    if (a->is_diagonal[part] != 0) {
        return is_regular ? CAROM_OK : CAROM_STATUS_SINGULAR;
    }
    if (a->factors[part] == NULL) {
        CAROM_TRY(carom_factor_alloc(carom_layout_full(part_size(a, part)), &a->factors[part]));
    }
    CAROM_TRY(carom_factor_compute(a->factors[part], A));
    return a->is_tangent ? CAROM_OK : carom_cholesky_compute(part_size(a, part), A);
}

static carom_status factor_parts(carom_contact_assembly *a, carom_report *report) {
    double *A = a->response + a->response_of[a->piece_count];
    for (int i = 0; i < a->layout.size; i++) {
        a->diagonal[i] = a->mass[carom_layout_index(a->layout, i, i)];
    }
    for (int k = 0; k < a->part_count; k++) {
        gather_mass(a, k, A);
        const carom_status status = factor_part(a, k, A);
        if (status != CAROM_OK) {
            return carom_report_fail(report, status, "mass", NAN, a->coordinate[a->part_start[k]]);
        }
    }
    return CAROM_OK;
}

/* M^-1 J' by pieces. */
static void respond(carom_contact_assembly *a) {
    for (int piece = 0; piece < a->piece_count; piece++) {
        const int part = a->piece_part[piece];
        const int size = a->part_start[part + 1] - a->part_start[part];
        double *x = a->response + a->response_of[piece];
        const int begin = a->piece_entry[piece];
        const int end = a->piece_entry[piece + 1];
        for (int i = end - begin < size ? 0 : size; i < size; i++) {
            x[i] = 0.0;
        }
        if (a->is_diagonal[part] != 0) {
            for (int k = begin; k < end; k++) {
                const int e = a->entry[k];
                x[a->entry_place[k]] = a->values[e] / a->diagonal[a->column[e]];
            }
            continue;
        }
        for (int k = begin; k < end; k++) {
            x[a->entry_place[k]] = a->values[a->entry[k]];
        }
        carom_factor_solve(a->factors[part], x);
    }
}

static inline double dot(int count, const double *a, const double *x) {
    // What there is most of, a body in the plane, has a sum of its own.
    if (count == 3) {
        return a[0] * x[0] + a[1] * x[1] + a[2] * x[2];
    }
    double sum = 0.0;
    for (int e = 0; e < count; e++) {
        sum += a[e] * x[e];
    }
    return sum;
}

static inline double dot_at(int count, const double *a, const int *place, const double *x) {
    double sum = 0.0;
    for (int e = 0; e < count; e++) {
        sum += a[e] * x[place[e]];
    }
    return sum;
}

/* Row `within` of a block of W from one piece of the row: with the responses of all pieces in its
 * part. */
static void multiply_piece(const carom_contact_assembly *a, const double *rates, int piece) {
    carom_contact_problem *p = a->problem;
    const int part = a->piece_part[piece];
    const int within = a->piece_within[piece];
    const int *place = a->entry_place + a->piece_entry[piece];
    const int count = a->piece_entry[piece + 1] - a->piece_entry[piece];
    const bool is_full = count == part_size(a, part);
    // Its entries side by side, where the full matrix of a part has been.
    double *own = a->response + a->response_of[a->piece_count];
    for (int e = 0; e < count; e++) {
        own[e] = rates[a->entry[a->piece_entry[piece] + e]];
    }
    int block = -1;
    double *W = NULL;
    for (int k = a->part_piece[part]; k < a->part_piece[part + 1]; k++) {
        const int other = a->pieces[k];
        const double *x = a->response + a->response_of[other];
        if (a->piece_block[other] != block) {
            block = a->piece_block[other];
            W = p->entries + p->offset[a->mark[block]] +
                within * carom_contact_block_size(p, block);
        }
        W[a->piece_within[other]] += is_full ? dot(count, own, x) : dot_at(count, own, place, x);
    }
}

/* W = J M^-1 J'. */
static void multiply(carom_contact_assembly *a, const double *rates) {
    carom_contact_problem *p = a->problem;
    int piece = 0;
    for (int i = 0; i < p->block_count; i++) {
        const int last = p->start[i + 1] - 1;
        const size_t begin = p->offset[p->start[i]];
        const size_t end = p->offset[last] + (size_t)(carom_contact_block_size(p, i) *
                                                      carom_contact_block_size(p, p->column[last]));
        memset(p->entries + begin, 0, (end - begin) * sizeof *p->entries);
        for (int k = p->start[i]; k <= last; k++) {
            a->mark[p->column[k]] = k;
        }
        for (; piece < a->piece_count && a->piece_block[piece] == i; piece++) {
            multiply_piece(a, rates, piece);
        }
    }
    carom_contact_problem_find_diagonal(p);
}

/* q = J v_free + w, and of normals + e (J v- + w). */
static void fill_velocity(const carom_contact_bodies *b, int row_count, double *q) {
    const double *values = b->rate_value != NULL ? b->rate_value : b->row_value;
    const int rows = 1 + b->tangent_count;
    for (int row = 0; row < row_count; row++) {
        const int contact_row = row - b->joint_count;
        const bool is_normal = contact_row >= 0 && contact_row % rows == 0;
        const double e = is_normal && b->restitution != NULL && b->previous_velocity != NULL
                             ? b->restitution[contact_row / rows]
                             : 0.0;
        const double support = b->support_velocity == NULL ? 0.0 : b->support_velocity[row];
        double after = support;
        double before = support;
        for (int k = b->row_start[row]; k < b->row_start[row + 1]; k++) {
            after += values[k] * b->free_velocity[b->row_column[k]];
            before += e > 0.0 ? values[k] * b->previous_velocity[b->row_column[k]] : 0.0;
        }
        q[row] = after + e * before;
    }
}

/* --------------------------------------------------------------------------------- the problem */

static bool same(const void *one, const void *other, size_t count, size_t size) {
    return count == 0 || memcmp(one, other, count * size) == 0;
}

/* The rows as they are now; what belongs to others is no longer there. */
static carom_status take_rows(carom_contact_assembly *a, const carom_contact_bodies *b, int rows,
                              carom_report *report) {
    const size_t entries = (size_t)b->row_start[rows];
    const size_t row_count = (size_t)rows;
    if (a->has_rows && a->layout.size == b->layout.size &&
        a->layout.is_banded == b->layout.is_banded &&
        a->layout.half_bandwidth == b->layout.half_bandwidth && a->row_count == rows &&
        a->joint_count == b->joint_count && a->contact_count == b->contact_count &&
        a->tangent_count == b->tangent_count &&
        same(a->start, b->row_start, row_count + 1, sizeof *a->start) &&
        same(a->column, b->row_column, entries, sizeof *a->column)) {
        return CAROM_OK;
    }
    a->has_rows = false;
    a->has_pieces = false;
    a->has_factors = false;
    a->has_matrix = false;
    CAROM_TRY(check_rows(b, rows, report));
    CAROM_TRY(make_room(a, (size_t)b->layout.size, row_count, entries,
                        carom_layout_entry_count(b->layout)));
    a->layout = b->layout;
    a->row_count = rows;
    a->joint_count = b->joint_count;
    a->contact_count = b->contact_count;
    a->tangent_count = b->tangent_count;
    memcpy(a->start, b->row_start, (row_count + 1) * sizeof *a->start);
    memcpy(a->column, b->row_column, entries * sizeof *a->column);
    carom_contact_assembly_sign(a);
    a->has_rows = true;
    return CAROM_OK;
}

/* The mass as it is now: its parts, the pieces of the rows, its factors. */
static carom_status take_mass(carom_contact_assembly *a, const carom_contact_bodies *b,
                              carom_report *report) {
    const size_t entries = carom_layout_entry_count(b->layout);
    if (a->has_factors && a->is_tangent == b->is_tangent &&
        same(a->mass, b->mass, entries, sizeof *a->mass)) {
        return CAROM_OK;
    }
    a->has_factors = false;
    a->has_matrix = false;
    CAROM_TRY(check_mass(b, report));
    a->is_tangent = b->is_tangent;
    memcpy(a->mass, b->mass, entries * sizeof *a->mass);
    if (!carom_contact_assembly_join(a)) {
        a->has_pieces = false;
        free_factors(a);
        carom_contact_assembly_divide(a);
        CAROM_TRY(make_responses(a));
        CAROM_TRY(carom_contact_assembly_make_blocks(a, report));
        a->has_pieces = true;
    }
    CAROM_TRY(factor_parts(a, report));
    a->has_factors = true;
    return CAROM_OK;
}

/* The values of the rows as they are now, and W. */
static carom_status take_values(carom_contact_assembly *a, const carom_contact_bodies *b,
                                carom_report *report) {
    const size_t entries = (size_t)b->row_start[a->row_count];
    const double *rates = b->rate_value != NULL ? b->rate_value : b->row_value;
    if (a->has_matrix && same(a->values, b->row_value, entries, sizeof *a->values) &&
        same(a->values + entries, rates, entries, sizeof *a->values)) {
        return CAROM_OK;
    }
    a->has_matrix = false;
    CAROM_TRY(carom_report_require_finite(report, "row_value", (int)entries, b->row_value));
    CAROM_TRY(carom_report_require_finite(report, "rate_value", (int)entries, rates));
    memcpy(a->values, b->row_value, entries * sizeof *a->values);
    memcpy(a->values + entries, rates, entries * sizeof *a->values);
    respond(a);
    multiply(a, rates);
    CAROM_TRY(carom_contact_kept_keep(a->problem, b));
    a->has_matrix = true;
    return CAROM_OK;
}

carom_status carom_contact_assemble(carom_contact_assembly *assembly,
                                    const carom_contact_bodies *bodies,
                                    const carom_contact_problem **out, carom_report *report) {
    CAROM_ASSERT(assembly != NULL && bodies != NULL && out != NULL);
    *out = NULL;
    const carom_contact_rows counts = {.start = bodies->row_start,
                                       .joint_count = bodies->joint_count,
                                       .contact_count = bodies->contact_count,
                                       .tangent_count = bodies->tangent_count};
    CAROM_TRY(carom_contact_check_counts(&counts, report));
    const int rows = bodies->joint_count + bodies->contact_count * (1 + bodies->tangent_count);
    CAROM_TRY(take_rows(assembly, bodies, rows, report));
    CAROM_TRY(take_mass(assembly, bodies, report));
    CAROM_TRY(take_values(assembly, bodies, report));
    CAROM_TRY(check_velocities(bodies, rows, report));
    fill_velocity(bodies, rows, assembly->problem->free_velocity);
    CAROM_TRY(carom_contact_problem_set_friction(assembly->problem, bodies->friction, report));
    *out = assembly->problem;
    return CAROM_OK;
}

carom_status carom_contact_problem_of_bodies(const carom_contact_bodies *bodies,
                                             carom_contact_problem **out, carom_report *report) {
    CAROM_ASSERT(bodies != NULL && out != NULL);
    *out = NULL;
    CAROM_AUTO(carom_contact_assembly) assembly = NULL;
    const carom_contact_problem *problem = NULL;
    CAROM_TRY(carom_contact_assembly_alloc(&assembly));
    CAROM_TRY(carom_contact_assemble(assembly, bodies, &problem, report));
    CAROM_HAND_OVER(assembly->problem, out);
    return CAROM_OK;
}
