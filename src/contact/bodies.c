#include <carom/contact/internal.h>

#include <carom/base/linear_algebra.h>

// Real matrices alone; the complex ones would need <complex.h>.
#define NCOMPLEX
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <suitesparse/cs.h>

/* Sparse matrices and lists of an assembly. */
typedef struct assembly {
    const carom_contact_bodies *bodies;
    int row_count;
    int part_count;  /* coordinates that M couples form parts, numbered by their first coordinate */
    int *part;       /* [n] of a coordinate */
    int *place;      /* [n] of a coordinate within its part */
    int *part_start; /* [parts+1] into `coordinate` */
    int *coordinate; /* [n] by parts, increasing within one */
    int *last;       /* [rows+1] part that a row was met in */
    int *memory;     /* owns the lists */
    cs J;            /* the user's arrays, seen as the columns of J' */
    cs *columns;     /* J by columns */
    cs *responses;   /* M^-1 J' */
    cs *delassus;    /* W by rows */
} assembly;

static void assembly_clear(assembly *a) {
    free(a->memory);
    cs_spfree(a->columns);
    cs_spfree(a->responses);
    cs_spfree(a->delassus);
}

static int root_of(int *parent, int i) {
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

/* Join the coordinates of each entry of M, then number the parts. */
static carom_status find_parts(assembly *a) {
    const carom_contact_bodies *b = a->bodies;
    const int n = b->layout.size;
    a->memory = calloc(5 * (size_t)n + (size_t)a->row_count + 2, sizeof *a->memory);
    if (a->memory == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    a->part = a->memory;
    a->place = a->part + n;
    a->coordinate = a->place + n;
    int *parent = a->coordinate + n;
    a->part_start = parent + n;
    a->last = a->part_start + n + 1;
    for (int i = 0; i < n; i++) {
        parent[i] = i;
        for (int j = carom_layout_first_column(b->layout, i); j < i; j++) {
            if (fabs(b->mass[carom_layout_index(b->layout, i, j)]) > 0.0) {
                const int one = root_of(parent, i);
                const int other = root_of(parent, j);
                parent[one > other ? one : other] = one > other ? other : one;
            }
        }
    }
    for (int i = 0; i < n; i++) {
        const int root = root_of(parent, i);
        a->part[i] = root == i ? a->part_count++ : a->part[root];
        a->place[i] = a->part_start[a->part[i] + 1]++;
    }
    for (int k = 0; k < a->part_count; k++) {
        a->part_start[k + 1] += a->part_start[k];
    }
    for (int i = 0; i < n; i++) {
        a->coordinate[a->part_start[a->part[i]] + a->place[i]] = i;
    }
    return CAROM_OK;
}

/* The part's own matrix, full; its entries outside the storage of M are zero. */
static void gather_mass(const assembly *a, int part, double *A) {
    const carom_contact_bodies *b = a->bodies;
    const int size = a->part_start[part + 1] - a->part_start[part];
    const int *coordinate = a->coordinate + a->part_start[part];
    memset(A, 0, (size_t)size * (size_t)size * sizeof *A);
    for (int i = 0; i < size; i++) {
        const int row = coordinate[i];
        for (int j = 0; j < size; j++) {
            const int column = coordinate[j];
            if (column >= carom_layout_first_column(b->layout, row) &&
                column < carom_layout_end_column(b->layout, row)) {
                A[i * size + j] = b->mass[carom_layout_index(b->layout, row, column)];
            }
        }
    }
}

/* M^-1 J' of the rows that touch a part, into the triplets. */
static carom_status respond(assembly *a, int part, const carom_factor *factor, double *x,
                            cs *triplets) {
    const cs *J = a->columns;
    const int size = a->part_start[part + 1] - a->part_start[part];
    const int *coordinate = a->coordinate + a->part_start[part];
    for (int i = 0; i < size; i++) {
        for (int k = J->p[coordinate[i]]; k < J->p[coordinate[i] + 1]; k++) {
            const int row = J->i[k];
            if (a->last[row] == part + 1) {
                continue;
            }
            a->last[row] = part + 1;
            memset(x, 0, (size_t)size * sizeof *x);
            for (int e = a->J.p[row]; e < a->J.p[row + 1]; e++) {
                if (a->part[a->J.i[e]] == part) {
                    x[a->place[a->J.i[e]]] = a->J.x[e];
                }
            }
            carom_factor_solve(factor, x);
            for (int c = 0; c < size; c++) {
                if (!cs_entry(triplets, coordinate[c], row, x[c])) {
                    return CAROM_STATUS_OUT_OF_MEMORY;
                }
            }
        }
    }
    return CAROM_OK;
}

static carom_status factor_parts(assembly *a, cs *triplets, carom_report *report) {
    CAROM_AUTO(carom_factor) factor = NULL;
    int largest = 0;
    for (int k = 0; k < a->part_count; k++) {
        const int size = a->part_start[k + 1] - a->part_start[k];
        largest = size > largest ? size : largest;
    }
    CAROM_AUTO_MEMORY double *A =
        malloc(((size_t)largest * (size_t)largest + (size_t)largest + 1) * sizeof *A);
    if (A == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    double *x = A + (size_t)largest * (size_t)largest;
    int made = 0;
    for (int k = 0; k < a->part_count; k++) {
        const int size = a->part_start[k + 1] - a->part_start[k];
        if (size != made) {
            carom_factor_free(factor);
            factor = NULL;
            CAROM_TRY(carom_factor_alloc(carom_layout_full(size), &factor));
            made = size;
        }
        gather_mass(a, k, A);
        const carom_status status = carom_factor_compute(factor, A);
        if (status != CAROM_OK) {
            return carom_report_fail(report, status, "mass", NAN, a->coordinate[a->part_start[k]]);
        }
        CAROM_TRY(respond(a, k, factor, x, triplets));
    }
    return CAROM_OK;
}

/* W = J (M^-1 J'), by rows. */
static carom_status multiply(assembly *a, carom_report *report) {
    const int n = a->bodies->layout.size;
    a->columns = cs_transpose(&a->J, 1);
    cs *triplets = cs_spalloc(n, a->row_count, a->J.p[a->row_count] + 1, 1, 1);
    carom_status status = a->columns == NULL || triplets == NULL
                              ? CAROM_STATUS_OUT_OF_MEMORY
                              : factor_parts(a, triplets, report);
    if (status == CAROM_OK) {
        a->responses = cs_compress(triplets);
    }
    cs_spfree(triplets);
    CAROM_TRY(status);
    // The columns of J are those of a matrix [rows][n]: J = (J')'.
    cs *W = a->responses == NULL ? NULL : cs_multiply(a->columns, a->responses);
    a->delassus = W == NULL ? NULL : cs_transpose(W, 1);
    cs_spfree(W);
    return a->delassus == NULL ? CAROM_STATUS_OUT_OF_MEMORY : CAROM_OK;
}

/* q = J v_free + w, and of normals + e (J v- + w). */
static void fill_velocity(const carom_contact_bodies *b, int row_count, double *q) {
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
            after += b->row_value[k] * b->free_velocity[b->row_column[k]];
            before += e > 0.0 ? b->row_value[k] * b->previous_velocity[b->row_column[k]] : 0.0;
        }
        q[row] = after + e * before;
    }
}

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
    for (int i = 0; i < b->contact_count && b->restitution != NULL; i++) {
        if (!(b->restitution[i] >= 0.0 && b->restitution[i] <= 1.0)) {
            return carom_report_refuse(report, "restitution", b->restitution[i], i, "in [0,1]");
        }
    }
    return CAROM_OK;
}

static carom_status check_values(const carom_contact_bodies *b, int row_count,
                                 carom_report *report) {
    const int n = b->layout.size;
    for (int i = 0; i < n; i++) {
        for (int j = carom_layout_first_column(b->layout, i);
             j < carom_layout_end_column(b->layout, i); j++) {
            const double entry = b->mass[carom_layout_index(b->layout, i, j)];
            if (!isfinite(entry)) {
                return carom_report_fail(report, CAROM_STATUS_NOT_FINITE, "mass", entry, i);
            }
        }
        const double inertia = b->mass[carom_layout_index(b->layout, i, i)];
        if (!(inertia > 0.0)) {
            return carom_report_refuse(report, "mass", inertia, i, "> 0 on the diagonal");
        }
    }
    if (carom_layout_asymmetry(b->layout, b->mass) > 0.0) {
        return carom_report_fail(report, CAROM_STATUS_NOT_SYMMETRIC, "mass",
                                 carom_layout_asymmetry(b->layout, b->mass), -1);
    }
    CAROM_TRY(
        carom_report_require_finite(report, "row_value", b->row_start[row_count], b->row_value));
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

carom_status carom_contact_problem_of_bodies(const carom_contact_bodies *bodies,
                                             carom_contact_problem **out, carom_report *report) {
    CAROM_ASSERT(bodies != NULL && out != NULL);
    *out = NULL;
    carom_contact_rows delassus = {.start = bodies->row_start,
                                   .joint_count = bodies->joint_count,
                                   .contact_count = bodies->contact_count,
                                   .tangent_count = bodies->tangent_count,
                                   .friction = bodies->friction};
    CAROM_TRY(carom_contact_check_counts(&delassus, report));
    const int rows = bodies->joint_count + bodies->contact_count * (1 + bodies->tangent_count);
    CAROM_TRY(check_rows(bodies, rows, report));
    CAROM_TRY(check_values(bodies, rows, report));
    CAROM_AUTO_VALUE(assembly) a = {.bodies = bodies, .row_count = rows};
    CAROM_AUTO_MEMORY double *q = malloc(((size_t)rows + 1) * sizeof *q);
    if (q == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    // CXSparse takes pointers to what it does not change as if it did.
    a.J = (cs){.nzmax = bodies->row_start[rows], .m = bodies->layout.size, .n = rows, .nz = -1};
    memcpy(&a.J.p, &bodies->row_start, sizeof a.J.p);
    memcpy(&a.J.i, &bodies->row_column, sizeof a.J.i);
    memcpy(&a.J.x, &bodies->row_value, sizeof a.J.x);
    CAROM_TRY(find_parts(&a));
    CAROM_TRY(multiply(&a, report));
    fill_velocity(bodies, rows, q);
    delassus.start = a.delassus->p;
    delassus.column = a.delassus->i;
    delassus.entries = a.delassus->x;
    delassus.free_velocity = q;
    return carom_contact_problem_alloc(&delassus, out, report);
}
