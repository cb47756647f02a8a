#include <carom/contact/internal.h>

#include <stdlib.h>
#include <string.h>

/* Solutions are refined so often: sticking contacts are ten decades stiffer than bodies. */
enum { REFINEMENTS = 2 };

/*
 * (S + B W) x = y with blocks S and B on the diagonal and W = J M^-1 J': with v = M^-1 J' x it is
 * (M + J' C J) v = J' z, x = z - C J v, where z = S^-1 y and C = S^-1 B, which may be singular.
 */
struct carom_contact_newton_system {
    const carom_contact_problem *problem;
    size_t row_capacity;
    double *unit;    /* [blocks][3] 1, 0 of rows that joints do not have */
    double *inverse; /* [blocks][3][3] S^-1 */
    double *C;       /* [blocks][3][3] */
    double *z;       /* [blocks][3] */
    double *moved;   /* [blocks][3] J v */
    double *rest;    /* [rows] */
    double *x;       /* [rows] */
    double *memory;  /* owns the arrays above */
    carom_contact_velocity_factor *factor;
};

enum { B = CAROM_CONTACT_MOST_ROWS, ARRAYS = 5 + 2 * B };

carom_status carom_contact_newton_system_alloc(carom_contact_newton_system **out) {
    *out = NULL;
    CAROM_AUTO(carom_contact_newton_system) s = calloc(1, sizeof *s);
    if (s == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_TRY(carom_contact_velocity_factor_alloc(&s->factor));
    CAROM_HAND_OVER(s, out);
    return CAROM_OK;
}

void carom_contact_newton_system_free(carom_contact_newton_system *system) {
    if (system != NULL) {
        carom_contact_velocity_factor_free(system->factor);
        free(system->memory);
        free(system);
    }
}

carom_status carom_contact_newton_system_set(carom_contact_newton_system *system,
                                             const carom_contact_problem *problem) {
    carom_contact_newton_system *s = system;
    const size_t rows = (size_t)problem->block_count * B;
    CAROM_ASSERT(problem->kept != NULL && problem->tangent_count == B - 1);
    if (rows > s->row_capacity || s->memory == NULL) {
        free(s->memory);
        s->memory = malloc((ARRAYS * rows + 1) * sizeof *s->memory);
        s->row_capacity = s->memory == NULL ? 0 : rows;
    }
    if (s->memory == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    double **const arrays[] = {&s->unit, &s->z, &s->moved, &s->rest, &s->x};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        *arrays[i] = s->memory + i * rows;
    }
    s->inverse = s->x + rows;
    s->C = s->inverse + B * rows;
    s->problem = problem;
    for (int i = 0; i < problem->block_count; i++) {
        for (int a = 0; a < B; a++) {
            s->unit[i * B + a] = a < carom_contact_block_size(problem, i) ? 1.0 : 0.0;
        }
    }
    return carom_contact_velocity_factor_set(s->factor, problem, s->unit);
}

/* y += sign A x of a block. */
static void add_product(const double *A, double sign, const double *x, double *y) {
    for (int a = 0; a < B; a++) {
        for (int c = 0; c < B; c++) {
            y[a] += sign * A[a * B + c] * x[c];
        }
    }
}

/*[newtonSystem]*/
/* x += the solution of (S + B W) x = rest. */
static void correct(carom_contact_newton_system *s, double *x) {
    const carom_contact_problem *p = s->problem;
    memset(s->z, 0, (size_t)p->block_count * B * sizeof *s->z);
    for (int i = 0; i < p->block_count; i++) {
        double own[B] = {0.0};
        for (int a = 0; a < carom_contact_block_size(p, i); a++) {
            own[a] = s->rest[carom_contact_block_row(p, i) + a];
        }
        add_product(s->inverse + i * B * B, 1.0, own, s->z + i * B);
    }
    carom_contact_velocity_factor_move(s->factor, s->z, s->moved);
    for (int i = 0; i < p->block_count; i++) {
        add_product(s->C + i * B * B, -1.0, s->moved + i * B, s->z + i * B);
        for (int a = 0; a < carom_contact_block_size(p, i); a++) {
            x[carom_contact_block_row(p, i) + a] += s->z[i * B + a];
        }
    }
}
/*[end newtonSystem]*/

/* rest = y - (S + B W) x. */
static void find_rest(carom_contact_newton_system *s, const double *S, const double *scale,
                      const double *y, const double *x) {
    const carom_contact_problem *p = s->problem;
    for (int i = 0; i < p->block_count; i++) {
        const int row = carom_contact_block_row(p, i);
        const int size = carom_contact_block_size(p, i);
        double u[B] = {0.0};
        double own[B] = {0.0};
        double rest[B] = {0.0};
        carom_contact_block_velocity(p, i, -1, x, u);
        for (int a = 0; a < size; a++) {
            u[a] -= p->free_velocity[row + a];
            own[a] = x[row + a];
            rest[a] = y[row + a];
        }
        add_product(S + i * B * B, -1.0, own, rest);
        add_product(scale + i * B * B, -1.0, u, rest);
        memcpy(s->rest + row, rest, (size_t)size * sizeof *rest);
    }
}

bool carom_contact_newton_system_solve(carom_contact_newton_system *system, const double *S,
                                       const double *scale, double *x) {
    carom_contact_newton_system *s = system;
    const carom_contact_problem *p = s->problem;
    const size_t bytes = (size_t)p->row_count * sizeof *x;
    bool is_regular = true;
    memset(s->C, 0, (size_t)(p->block_count * B * B) * sizeof *s->C);
    for (int i = 0; i < p->block_count; i++) {
        double A[B * B];
        memcpy(A, S + i * B * B, sizeof A);
        is_regular = carom_contact_block_invert(B, A, s->inverse + i * B * B) && is_regular;
        for (int a = 0; a < B; a++) {
            for (int k = 0; k < B; k++) {
                for (int c = 0; c < B; c++) {
                    s->C[(i * B + a) * B + c] +=
                        s->inverse[(i * B + a) * B + k] * scale[(i * B + k) * B + c];
                }
            }
        }
    }
    if (!carom_contact_velocity_factor_compute_by(s->factor, s->C) || !is_regular) {
        return false;
    }
    memcpy(s->rest, x, bytes);
    memset(s->x, 0, bytes);
    correct(s, s->x);
    for (int k = 0; k < REFINEMENTS; k++) {
        find_rest(s, S, scale, x, s->x);
        correct(s, s->x);
    }
    memcpy(x, s->x, bytes);
    return true;
}
