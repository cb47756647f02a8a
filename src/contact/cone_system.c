#include <carom/contact/internal.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of the largest inverse mass of a block, added to its diagonal in the matrix alone: redundant
 * contacts share what rounding would else distribute. Where more rows stick than bodies have
 * coordinates, and q has a little that no motion has, impulses that W does not see move by that
 * over what is added: less is faster. By velocities, contacts that hold are that much stiffer than
 * the bodies, whose digits it takes. */
static const double REGULARIZATION = 1e-12;
static const double REGULARIZATION_BY_VELOCITIES = 1e-8;

double carom_contact_cone_system_added(const carom_contact_problem *p, const double *unit,
                                       int row) {
    const int block = row / (1 + p->tangent_count);
    const double largest = fmax(unit[block * (1 + p->tangent_count)], unit[row]);
    const double part = p->kept != NULL ? REGULARIZATION_BY_VELOCITIES : REGULARIZATION;
    return unit[row] > 0.0 ? part * largest * largest * p->inverse_mass[block] : 1.0;
}

/*
 * A + F, A = T c W c T with the units c of the rows and T the turn to the coordinates of the cones,
 * factored by the blocks of W, or by the velocities of the bodies that the problem keeps.
 */
struct carom_contact_cone_system {
    const carom_contact_problem *problem;
    const double *unit; /* [rows] c, borrowed */
    int size;           /* b: rows of a block here */
    size_t row_capacity;
    size_t entry_capacity;
    double *F;       /* [blocks][b][b] of the last call, and what is added */
    double *right;   /* [blocks][b] */
    double *rest;    /* [blocks][b] */
    double *impulse; /* [rows] */
    double *memory;  /* owns the arrays above */
    double *A;       /* [stored blocks][b][b] without kept bodies */
    double *B;       /* [stored blocks][b][b] A + F */
    carom_contact_factor *factor;
    carom_contact_velocity_factor *by_velocities;
};

carom_status carom_contact_cone_system_alloc(carom_contact_cone_system **out) {
    *out = NULL;
    CAROM_AUTO(carom_contact_cone_system) s = calloc(1, sizeof *s);
    if (s == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_TRY(carom_contact_factor_alloc(&s->factor));
    CAROM_TRY(carom_contact_velocity_factor_alloc(&s->by_velocities));
    CAROM_HAND_OVER(s, out);
    return CAROM_OK;
}

void carom_contact_cone_system_free(carom_contact_cone_system *system) {
    if (system == NULL) {
        return;
    }
    carom_contact_factor_free(system->factor);
    carom_contact_velocity_factor_free(system->by_velocities);
    free(system->memory);
    free(system->A);
    free(system->B);
    free(system);
}

static carom_status grow(carom_contact_cone_system *s) {
    const carom_contact_problem *p = s->problem;
    const size_t b = (size_t)s->size;
    const size_t rows = (size_t)p->block_count * b;
    const size_t entries = p->kept != NULL ? 0 : (size_t)p->start[p->block_count] * b * b;
    if (rows * (3 + b) > s->row_capacity || s->memory == NULL) {
        free(s->memory);
        s->memory = malloc((rows * (3 + b) + 1) * sizeof *s->memory);
        s->row_capacity = s->memory == NULL ? 0 : rows * (3 + b);
    }
    if (entries > s->entry_capacity || s->A == NULL || s->B == NULL) {
        free(s->A);
        free(s->B);
        s->A = malloc((entries + 1) * sizeof *s->A);
        s->B = malloc((entries + 1) * sizeof *s->B);
        s->entry_capacity = s->A == NULL || s->B == NULL ? 0 : entries;
    }
    if (s->memory == NULL || s->A == NULL || s->B == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    s->F = s->memory;
    s->right = s->F + rows * b;
    s->rest = s->right + rows;
    s->impulse = s->rest + rows;
    return CAROM_OK;
}

/* A by the stored blocks. */
static void fill_matrix(carom_contact_cone_system *s) {
    const carom_contact_problem *p = s->problem;
    const int b = s->size;
    memset(s->A, 0, (size_t)p->start[p->block_count] * (size_t)(b * b) * sizeof *s->A);
    for (int i = 0; i < p->block_count; i++) {
        for (int k = p->start[i]; k < p->start[i + 1]; k++) {
            const int j = p->column[k];
            const int columns = carom_contact_block_size(p, j);
            double *A = s->A + (size_t)k * (size_t)(b * b);
            for (int a = 0; a < carom_contact_block_size(p, i); a++) {
                for (int c = 0; c < columns; c++) {
                    A[a * b + c] = s->unit[i * b + a] * s->unit[j * b + c] *
                                   p->entries[p->offset[k] + (size_t)(a * columns + c)];
                }
                carom_contact_cone_turn(carom_contact_cone_size(p, j), A + a * b);
            }
            for (int c = 0; c < b && b == 2; c++) {
                double column[2] = {A[c], A[2 + c]};
                carom_contact_cone_turn(carom_contact_cone_size(p, i), column);
                A[c] = column[0];
                A[2 + c] = column[1];
            }
        }
    }
}

carom_status carom_contact_cone_system_set(carom_contact_cone_system *system,
                                           const carom_contact_problem *problem,
                                           const double *unit) {
    system->problem = problem;
    system->unit = unit;
    system->size = 1 + problem->tangent_count;
    CAROM_TRY(grow(system));
    if (problem->kept != NULL) {
        return carom_contact_velocity_factor_set(system->by_velocities, problem, unit);
    }
    fill_matrix(system);
    return carom_contact_factor_order(system->factor, problem);
}

bool carom_contact_cone_system_compute(carom_contact_cone_system *system, const double *F) {
    carom_contact_cone_system *s = system;
    const carom_contact_problem *p = s->problem;
    const size_t bb = (size_t)s->size * (size_t)s->size;
    memcpy(s->F, F, (size_t)p->block_count * bb * sizeof *F);
    for (int row = 0; row < p->block_count * s->size; row++) {
        s->F[row * s->size + row % s->size] += carom_contact_cone_system_added(p, s->unit, row);
    }
    if (p->kept != NULL) {
        return carom_contact_velocity_factor_compute(s->by_velocities, s->F);
    }
    memcpy(s->B, s->A, (size_t)p->start[p->block_count] * bb * sizeof *s->B);
    for (int i = 0; i < p->block_count; i++) {
        for (size_t a = 0; a < bb; a++) {
            s->B[(size_t)p->diagonal[i] * bb + a] += s->F[(size_t)i * bb + a];
        }
    }
    return carom_contact_factor_compute(s->factor, p, s->B);
}

double carom_contact_cone_system_sign(const carom_contact_cone_system *system) {
    return system->problem->kept != NULL ? carom_contact_velocity_factor_sign(system->by_velocities)
                                         : carom_contact_factor_sign(system->factor);
}

void carom_contact_cone_units(const carom_contact_problem *p, double *unit) {
    const int b = 1 + p->tangent_count;
    for (int i = 0; i < p->block_count; i++) {
        const int cone = carom_contact_cone_size(p, i);
        for (int a = 0; a < b; a++) {
            const double mu = cone > 1 && a == 0 ? carom_contact_block_friction(p, i) : 1.0;
            const bool has_part = a < cone || (i < p->joint_count && a == 0);
            unit[i * b + a] = has_part ? 1.0 / (mu * sqrt(p->inverse_mass[i])) : 0.0;
        }
    }
}

void carom_contact_cone_impulse(const carom_contact_problem *p, const double *unit, const double *z,
                                double *r) {
    const int b = 1 + p->tangent_count;
    for (int i = 0; i < p->block_count; i++) {
        double own[CAROM_CONTACT_MOST_ROWS];
        memcpy(own, z + i * b, (size_t)b * sizeof *own);
        carom_contact_cone_turn(carom_contact_cone_size(p, i), own);
        for (int a = 0; a < carom_contact_block_size(p, i); a++) {
            r[carom_contact_block_row(p, i) + a] = unit[i * b + a] * own[a];
        }
    }
}

void carom_contact_cone_coordinates(const carom_contact_problem *p, const double *unit, int block,
                                    const double *u, double *v) {
    const int b = 1 + p->tangent_count;
    for (int a = 0; a < b; a++) {
        v[a] = a < carom_contact_block_size(p, block) ? unit[block * b + a] * u[a] : 0.0;
    }
    carom_contact_cone_turn(carom_contact_cone_size(p, block), v);
}

/* rest = right - (A + F) x. */
static void find_rest(carom_contact_cone_system *s, const double *x) {
    const carom_contact_problem *p = s->problem;
    const int b = s->size;
    carom_contact_cone_impulse(p, s->unit, x, s->impulse);
    for (int i = 0; i < p->block_count; i++) {
        const int row = carom_contact_block_row(p, i);
        double u[CAROM_CONTACT_MOST_ROWS];
        double v[CAROM_CONTACT_MOST_ROWS];
        carom_contact_block_velocity(p, i, -1, s->impulse, u);
        for (int a = 0; a < carom_contact_block_size(p, i); a++) {
            u[a] -= p->free_velocity[row + a];
        }
        carom_contact_cone_coordinates(p, s->unit, i, u, v);
        for (int a = 0; a < b; a++) {
            double sum = v[a];
            for (int c = 0; c < b; c++) {
                sum += s->F[(i * b + a) * b + c] * x[i * b + c];
            }
            s->rest[i * b + a] = s->right[i * b + a] - sum;
        }
    }
}

void carom_contact_cone_system_solve(carom_contact_cone_system *system, bool is_refined,
                                     double *x) {
    carom_contact_cone_system *s = system;
    const int rows = s->problem->block_count * s->size;
    if (s->problem->kept == NULL) {
        carom_contact_factor_solve(s->factor, x);
        return;
    }
    memcpy(s->right, x, (size_t)rows * sizeof *x);
    carom_contact_velocity_factor_solve(s->by_velocities, x);
    if (is_refined) {
        find_rest(s, x);
        carom_contact_velocity_factor_solve(s->by_velocities, s->rest);
        for (int a = 0; a < rows; a++) {
            x[a] += s->rest[a];
        }
    }
}
