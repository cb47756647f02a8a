#include <carom/contact/internal.h>

// Real matrices alone; the complex ones would need <complex.h>.
#define NCOMPLEX
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <suitesparse/cs.h>

/*
 * B = L U by blocks of one size, L with unit blocks on its diagonal, in an order that spares fill:
 * column j of L and row j of U have their blocks at the same places. Row i of L and column i of U
 * follow from those before, by sums over the blocks of the row, `path` (Davis 2006, chapter 4).
 */
struct carom_contact_factor {
    int size; /* b: rows of a block, of the largest */
    int block_count;
    int *place;      /* [blocks] of a block of the problem in the order */
    int *block;      /* [blocks] of the problem at a place */
    int *start;      /* [blocks+1] of the blocks below the diagonal, by columns */
    int *next;       /* [blocks] where a column goes on */
    int *row;        /* [below] */
    int *path_start; /* [blocks+1] */
    int *path;       /* [below] columns of a row, each before those that it leads to */
    double *lower;   /* [below][b][b] L_ij */
    double *upper;   /* [below][b][b] U_ji */
    double *inverse; /* [blocks][b][b] of U_jj */
    double *left;    /* [blocks][b][b] row of L so far, zero between rows */
    double *right;   /* [blocks][b][b] column of U so far */
    double *x;       /* [blocks][b] */
    double sign;     /* of the determinant */
    int *ints;       /* owns the former */
    double *doubles; /* owns the latter */
    int kept_blocks; /* of the pattern that was ordered last */
    int kept_joints;
    int *kept;   /* [blocks+1 + stored] its start and column */
    int *mirror; /* [stored] the stored block (j, i) of each (i, j) */
};

carom_status carom_contact_factor_alloc(carom_contact_factor **out) {
    *out = calloc(1, sizeof **out);
    return *out == NULL ? CAROM_STATUS_OUT_OF_MEMORY : CAROM_OK;
}

static void forget(carom_contact_factor *f) {
    free(f->ints);
    free(f->doubles);
    free(f->kept);
    free(f->mirror);
    *f = (carom_contact_factor){0};
}

void carom_contact_factor_free(carom_contact_factor *factor) {
    if (factor != NULL) {
        forget(factor);
        free(factor);
    }
}

static bool is_ordered(const carom_contact_factor *f, const carom_contact_problem *p) {
    const size_t starts = (size_t)p->block_count + 1;
    return f->kept != NULL && f->kept_blocks == p->block_count &&
           f->kept_joints == p->joint_count && f->size == 1 + p->tangent_count &&
           memcmp(f->kept, p->start, starts * sizeof *f->kept) == 0 &&
           memcmp(f->kept + starts, p->column,
                  (size_t)p->start[p->block_count] * sizeof *f->kept) == 0;
}

/* The blocks on and above the diagonal, as a matrix without values, ordered. */
static css *order(const carom_contact_problem *p) {
    const int n = p->block_count;
    css *symbolic = NULL;
    cs A = {.nzmax = p->start[n], .m = n, .n = n, .nz = -1};
    A.p = malloc(((size_t)n + 1) * sizeof *A.p);
    A.i = malloc(((size_t)A.nzmax + 1) * sizeof *A.i);
    if (A.p != NULL && A.i != NULL) {
        int count = 0;
        for (int i = 0; i < n; i++) {
            A.p[i] = count;
            for (int k = p->start[i]; k <= p->diagonal[i]; k++) {
                A.i[count++] = p->column[k];
            }
        }
        A.p[n] = count;
        symbolic = cs_schol(1, &A);
    }
    free(A.p);
    free(A.i);
    return symbolic;
}

static carom_status make_room(carom_contact_factor *f, const carom_contact_problem *p,
                              const css *symbolic) {
    const size_t n = (size_t)p->block_count;
    const size_t stored = (size_t)p->start[n];
    // Counts of the columns of L, with their diagonals.
    const size_t below = (size_t)symbolic->cp[n] - n;
    const size_t b = 1 + (size_t)p->tangent_count;
    f->ints = malloc((5 * n + 2 + 2 * below) * sizeof *f->ints);
    f->doubles = malloc(((2 * below + 3 * n) * b * b + n * b + 1) * sizeof *f->doubles);
    f->kept = malloc((n + 1 + stored) * sizeof *f->kept);
    f->mirror = malloc((stored + 1) * sizeof *f->mirror);
    if (f->ints == NULL || f->doubles == NULL || f->kept == NULL || f->mirror == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    f->place = f->ints;
    f->block = f->place + n;
    f->next = f->block + n;
    f->start = f->next + n;
    f->path_start = f->start + n + 1;
    f->row = f->path_start + n + 1;
    f->path = f->row + below;
    f->left = f->doubles;
    f->right = f->left + n * b * b;
    f->inverse = f->right + n * b * b;
    f->lower = f->inverse + n * b * b;
    f->upper = f->lower + below * b * b;
    f->x = f->upper + below * b * b;
    memset(f->doubles, 0, ((2 * below + 3 * n) * b * b + n * b + 1) * sizeof *f->doubles);
    return CAROM_OK;
}

/* Rows that are gone through in order meet the blocks of each column in the order of its row. */
static void find_mirrors(carom_contact_factor *f, const carom_contact_problem *p) {
    for (int i = 0; i < p->block_count; i++) {
        f->next[i] = p->start[i];
    }
    for (int k = 0; k < p->start[p->block_count]; k++) {
        f->mirror[k] = f->next[p->column[k]]++;
        CAROM_ASSERT(f->mirror[k] < p->start[p->column[k] + 1]);
    }
}

/* The columns of each row of L: from each block of B in it up the tree of elimination. */
static void find_paths(carom_contact_factor *f, const carom_contact_problem *p,
                       const css *symbolic) {
    const int n = p->block_count;
    int count = 0;
    for (int i = 0; i < n; i++) {
        f->place[i] = symbolic->pinv[i];
        f->block[f->place[i]] = i;
        f->start[i] = symbolic->cp[i] - i;
        f->next[i] = -1;
    }
    f->start[n] = symbolic->cp[n] - n;
    for (int i = 0; i < n; i++) {
        const int block = f->block[i];
        f->path_start[i] = count;
        f->next[i] = i;
        int end = f->start[n];
        for (int k = p->start[block]; k < p->start[block + 1]; k++) {
            int length = 0;
            for (int j = f->place[p->column[k]]; j < i && f->next[j] != i;
                 j = symbolic->parent[j]) {
                f->path[count + length++] = j;
                f->next[j] = i;
            }
            // Later walks lead to what earlier ones lead from.
            while (length > 0) {
                f->row[--end] = f->path[count + --length];
            }
        }
        memcpy(f->path + count, f->row + end, (size_t)(f->start[n] - end) * sizeof *f->path);
        count += f->start[n] - end;
    }
    f->path_start[n] = count;
}

carom_status carom_contact_factor_order(carom_contact_factor *factor,
                                        const carom_contact_problem *problem) {
    const carom_contact_problem *p = problem;
    if (is_ordered(factor, p)) {
        return CAROM_OK;
    }
    forget(factor);
    css *symbolic = order(p);
    if (symbolic == NULL || make_room(factor, p, symbolic) != CAROM_OK) {
        cs_sfree(symbolic);
        forget(factor);
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    find_mirrors(factor, p);
    find_paths(factor, p, symbolic);
    cs_sfree(symbolic);
    const size_t starts = (size_t)p->block_count + 1;
    memcpy(factor->kept, p->start, starts * sizeof *factor->kept);
    memcpy(factor->kept + starts, p->column,
           (size_t)p->start[p->block_count] * sizeof *factor->kept);
    factor->kept_blocks = factor->block_count = p->block_count;
    factor->kept_joints = p->joint_count;
    factor->size = 1 + p->tangent_count;
    return CAROM_OK;
}

/* C -= A B of blocks; b is known where it is called, and no loop is left of it. */
static inline void subtract(int b, const double *restrict A, const double *restrict B,
                            double *restrict C) {
    if (b == 1) {
        C[0] -= A[0] * B[0];
    } else if (b == 2) {
        const double A00 = A[0], A01 = A[1], A10 = A[2], A11 = A[3];
        C[0] -= A00 * B[0] + A01 * B[2];
        C[1] -= A00 * B[1] + A01 * B[3];
        C[2] -= A10 * B[0] + A11 * B[2];
        C[3] -= A10 * B[1] + A11 * B[3];
    } else {
        for (int i = 0; i < 3; i++) {
            const double A0 = A[3 * i], A1 = A[3 * i + 1], A2 = A[3 * i + 2];
            C[3 * i] -= A0 * B[0] + A1 * B[3] + A2 * B[6];
            C[3 * i + 1] -= A0 * B[1] + A1 * B[4] + A2 * B[7];
            C[3 * i + 2] -= A0 * B[2] + A1 * B[5] + A2 * B[8];
        }
    }
}

/* The inverse of a block by Gauss and Jordan's method, rows chosen by their size. @return whether
 * it has pivots */
bool carom_contact_block_invert(int b, double *A, double *inverse) {
    for (int i = 0; i < b * b; i++) {
        inverse[i] = i % (b + 1) == 0 ? 1.0 : 0.0;
    }
    for (int k = 0; k < b; k++) {
        int row = k;
        for (int i = k + 1; i < b; i++) {
            row = fabs(A[i * b + k]) > fabs(A[row * b + k]) ? i : row;
        }
        const double pivot = 1.0 / A[row * b + k];
        if (!isfinite(pivot)) {
            return false;
        }
        for (int j = 0; j < b; j++) {
            const double a = A[row * b + j];
            const double c = inverse[row * b + j];
            A[row * b + j] = A[k * b + j];
            inverse[row * b + j] = inverse[k * b + j];
            A[k * b + j] = a * pivot;
            inverse[k * b + j] = c * pivot;
        }
        for (int i = 0; i < b; i++) {
            const double part = i == k ? 0.0 : A[i * b + k];
            for (int j = 0; j < b; j++) {
                A[i * b + j] -= part * A[k * b + j];
                inverse[i * b + j] -= part * inverse[k * b + j];
            }
        }
    }
    return true;
}

/* The blocks of B left and above of a diagonal block, to `left` and `right`. */
static void load_row(carom_contact_factor *f, const carom_contact_problem *p, const double *B,
                     int i) {
    const int b = f->size;
    const int block = f->block[i];
    for (int k = p->start[block]; k < p->start[block + 1]; k++) {
        const int j = f->place[p->column[k]];
        if (j < i) {
            const size_t bytes = (size_t)(b * b) * sizeof *B;
            memcpy(f->left + j * b * b, B + (size_t)k * (size_t)(b * b), bytes);
            memcpy(f->right + j * b * b, B + (size_t)f->mirror[k] * (size_t)(b * b), bytes);
        }
    }
}

/*[blockFactor]*/
/* Row i of L and column i of U, and the pivot that they leave of the diagonal block. */
static inline void eliminate(carom_contact_factor *f, int b, int i, double *pivot) {
    const int bb = b * b;
    for (int k = f->path_start[i]; k < f->path_start[i + 1]; k++) {
        const int j = f->path[k];
        const int end = f->next[j]++;
        double *L = f->lower + (size_t)end * (size_t)bb;
        double *U = f->upper + (size_t)end * (size_t)bb;
        double *left = f->left + j * bb;
        for (int a = 0; a < bb; a++) {
            left[a] = -left[a];
            L[a] = 0.0;
            U[a] = f->right[j * bb + a];
            f->right[j * bb + a] = 0.0;
        }
        subtract(b, left, f->inverse + j * bb, L);
        for (int a = 0; a < bb; a++) {
            left[a] = 0.0;
        }
        for (int m = f->start[j]; m < end; m++) {
            subtract(b, L, f->upper + (size_t)m * (size_t)bb, f->left + f->row[m] * bb);
            subtract(b, f->lower + (size_t)m * (size_t)bb, U, f->right + f->row[m] * bb);
        }
        subtract(b, L, U, pivot);
        f->row[end] = i;
    }
}
/*[end blockFactor]*/

/* Of a block of b rows, 1 to 3. */
static double determinant(int b, const double *A) {
    if (b < 3) {
        return b == 1 ? A[0] : A[0] * A[3] - A[1] * A[2];
    }
    return A[0] * (A[4] * A[8] - A[5] * A[7]) + A[1] * (A[5] * A[6] - A[3] * A[8]) +
           A[2] * (A[3] * A[7] - A[4] * A[6]);
}

bool carom_contact_factor_compute(carom_contact_factor *factor,
                                  const carom_contact_problem *problem, const double *B) {
    carom_contact_factor *f = factor;
    const int b = f->size;
    bool is_regular = true;
    f->sign = 1.0;
    for (int i = 0; i < f->block_count; i++) {
        f->next[i] = f->start[i];
    }
    for (int i = 0; i < f->block_count; i++) {
        double pivot[CAROM_CONTACT_MOST_ROWS * CAROM_CONTACT_MOST_ROWS];
        memcpy(pivot, B + (size_t)problem->diagonal[f->block[i]] * (size_t)(b * b),
               (size_t)(b * b) * sizeof *pivot);
        load_row(f, problem, B, i);
        if (b == 1) {
            eliminate(f, 1, i, pivot);
        } else if (b == 2) {
            eliminate(f, 2, i, pivot);
        } else {
            eliminate(f, 3, i, pivot);
        }
        f->sign *= copysign(1.0, determinant(b, pivot));
        is_regular =
            carom_contact_block_invert(b, pivot, f->inverse + (size_t)i * (size_t)(b * b)) &&
            is_regular;
    }
    return is_regular;
}

double carom_contact_factor_sign(const carom_contact_factor *factor) {
    return factor->sign;
}

/* y -= A x of a block. */
static inline void subtract_product(int b, const double *A, const double *x, double *y) {
    for (int i = 0; i < b; i++) {
        for (int j = 0; j < b; j++) {
            y[i] -= A[i * b + j] * x[j];
        }
    }
}

void carom_contact_factor_solve(carom_contact_factor *factor, double *x) {
    carom_contact_factor *f = factor;
    const int b = f->size;
    const size_t bb = (size_t)b * (size_t)b;
    for (int i = 0; i < f->block_count; i++) {
        memcpy(f->x + i * b, x + f->block[i] * b, (size_t)b * sizeof *x);
    }
    for (int j = 0; j < f->block_count; j++) {
        for (int m = f->start[j]; m < f->start[j + 1]; m++) {
            subtract_product(b, f->lower + (size_t)m * bb, f->x + j * b, f->x + f->row[m] * b);
        }
    }
    for (int j = f->block_count - 1; j >= 0; j--) {
        double rest[CAROM_CONTACT_MOST_ROWS];
        double *own = f->x + j * b;
        for (int m = f->start[j]; m < f->start[j + 1]; m++) {
            subtract_product(b, f->upper + (size_t)m * bb, f->x + f->row[m] * b, own);
        }
        for (int a = 0; a < b; a++) {
            rest[a] = -own[a];
            own[a] = 0.0;
        }
        subtract_product(b, f->inverse + (size_t)j * bb, rest, own);
        memcpy(x + f->block[j] * b, own, (size_t)b * sizeof *x);
    }
}
