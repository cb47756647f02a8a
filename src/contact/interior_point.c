#include <carom/contact/internal.h>

// Real matrices alone; the complex ones would need <complex.h>.
#define NCOMPLEX
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <suitesparse/cs.h>

/* Nearer to the border of a cone than this part a step does not go. */
static const double NEARLY = 0.995;
/* Of the diagonal, added: what is left of redundant contacts has pivots. */
static const double REGULARIZATION = 1e-13;
/* First impulses and velocities beside the fastest free velocity. */
static const double FIRST = 10.0;
/* A gap of this part of the sliding work is small. */
static const double CLOSE = 1e-3;
/* Steps so short lead nowhere. */
static const double SHORTEST = 1e-3;
/* Of the inverse masses: what W may lack of symmetry by rounding. */
static const double ASYMMETRY = 1e-12;

/*
 * Where all contacts stick or open the laws are K* \\ni W r + q _|_ r \\in K, the conditions of a
 * convex problem: least r'W r/2 + q'r in the cones (Acary, Cadoux et al. 2011; where contacts slide
 * it lacks the work of friction). The central path is followed in x = r/c, y = c u with c = w^-1/2,
 * of normals 1/mu of it: both are in the round cone and in units of energy^1/2. With E x = y, E =
 * W^2 of the cones' scalings, a step is one factorisation of A + E, A = c W c.
 */
struct carom_contact_interior_point {
    const carom_contact_problem *problem;
    size_t row_capacity;
    size_t entry_capacity;
    double *unit;              /* [rows] c: r = x/c, u = c y */
    double *x;                 /* [rows] */
    double *y;                 /* [rows] */
    double *missing;           /* [rows] y - (A x + b), b = c q */
    double *aim;               /* [rows] W dx + W^-1 dy */
    double *dx;                /* [rows] */
    double *dy;                /* [rows] */
    double *impulse;           /* [rows] */
    double *memory;            /* owns the arrays above */
    carom_contact_cone *cones; /* [blocks] */
    int *start;                /* [rows+1] of the columns of A's upper half, diagonal blocks last */
    int *row;                  /* [entries] */
    double *entries;           /* [entries] of A + E */
    css *symbolic;
    csn *factor;
};

carom_status carom_contact_interior_point_alloc(carom_contact_interior_point **out) {
    *out = calloc(1, sizeof **out);
    return *out == NULL ? CAROM_STATUS_OUT_OF_MEMORY : CAROM_OK;
}

static void free_factors(carom_contact_interior_point *work) {
    cs_sfree(work->symbolic);
    cs_nfree(work->factor);
    work->symbolic = NULL;
    work->factor = NULL;
}

void carom_contact_interior_point_free(carom_contact_interior_point *work) {
    if (work == NULL) {
        return;
    }
    free_factors(work);
    free(work->memory);
    free(work->cones);
    free(work->start);
    free(work->row);
    free(work->entries);
    free(work);
}

static carom_status grow(carom_contact_interior_point *work, const carom_contact_problem *p) {
    const size_t rows = (size_t)p->row_count;
    const size_t blocks = (size_t)p->start[p->block_count];
    const size_t entries = blocks * CAROM_CONTACT_MOST_ROWS * CAROM_CONTACT_MOST_ROWS;
    if (rows > work->row_capacity || entries > work->entry_capacity || work->memory == NULL) {
        free(work->memory);
        free(work->cones);
        free(work->start);
        free(work->row);
        free(work->entries);
        work->memory = malloc((8 * rows + 1) * sizeof *work->memory);
        work->cones = malloc((rows + 1) * sizeof *work->cones);
        work->start = malloc((rows + 1) * sizeof *work->start);
        work->row = malloc((entries + 1) * sizeof *work->row);
        work->entries = malloc((entries + 1) * sizeof *work->entries);
        work->row_capacity = rows;
        work->entry_capacity = entries;
    }
    if (work->memory == NULL || work->cones == NULL || work->start == NULL || work->row == NULL ||
        work->entries == NULL) {
        work->row_capacity = 0;
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    double **const arrays[] = {&work->unit, &work->x,  &work->y,  &work->missing,
                               &work->aim,  &work->dx, &work->dy, &work->impulse};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        *arrays[i] = work->memory + i * rows;
    }
    work->problem = p;
    return CAROM_OK;
}

/* Rows of the block's cone: none of a joint, the normal alone without friction. */
static int cone_size(const carom_contact_problem *p, int block) {
    return block < p->joint_count                         ? 0
           : carom_contact_block_friction(p, block) > 0.0 ? carom_contact_block_size(p, block)
                                                          : 1;
}

/* The stored block (j, i) of the stored block k = (i, j); -1 without one. */
static int mirror_of(const carom_contact_problem *p, int i, int k) {
    int low = p->start[p->column[k]];
    int high = p->start[p->column[k] + 1] - 1;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (p->column[middle] < i) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low <= high && p->column[low] == i ? low : -1;
}

bool carom_contact_is_symmetric(const carom_contact_problem *p) {
    for (int i = 0; i < p->block_count; i++) {
        const int size = carom_contact_block_size(p, i);
        for (int k = p->start[i]; k < p->start[i + 1]; k++) {
            const int j = p->column[k];
            const int columns = carom_contact_block_size(p, j);
            const int mirror = mirror_of(p, i, k);
            const double most = ASYMMETRY * sqrt(p->inverse_mass[i] * p->inverse_mass[j]);
            for (int a = 0; a < size * columns; a++) {
                const double other = mirror < 0
                                         ? 0.0
                                         : p->entries[p->offset[mirror] +
                                                      (size_t)(a % columns * size + a / columns)];
                if (!(fabs(p->entries[p->offset[k] + (size_t)a] - other) <= most)) {
                    return false;
                }
            }
        }
    }
    return true;
}

/* The upper half of A by columns: those of a row of blocks are the rows of its mirror. */
static void fill_matrix(carom_contact_interior_point *work) {
    const carom_contact_problem *p = work->problem;
    int count = 0;
    for (int i = 0; i < p->block_count; i++) {
        const int row = carom_contact_block_row(p, i);
        for (int a = 0; a < carom_contact_block_size(p, i); a++) {
            work->start[row + a] = count;
            for (int k = p->start[i]; k <= p->diagonal[i]; k++) {
                const int columns = carom_contact_block_size(p, p->column[k]);
                const int first = carom_contact_block_row(p, p->column[k]);
                for (int c = 0; c < columns && first + c <= row + a; c++) {
                    work->row[count] = first + c;
                    work->entries[count++] = work->unit[row + a] * work->unit[first + c] *
                                             p->entries[p->offset[k] + (size_t)(a * columns + c)];
                }
            }
        }
    }
    work->start[p->row_count] = count;
}

/* A + E factored, E = W^2 of the cones. */
static carom_status factor(carom_contact_interior_point *work) {
    const carom_contact_problem *p = work->problem;
    for (int i = 0; i < p->block_count; i++) {
        const int row = carom_contact_block_row(p, i);
        const int size = carom_contact_block_size(p, i);
        const int cone = cone_size(p, i);
        const double *W = p->entries + p->offset[p->diagonal[i]];
        double E[CAROM_CONTACT_MOST_ROWS * CAROM_CONTACT_MOST_ROWS] = {0.0};
        carom_contact_cone_square(cone, &work->cones[i], E);
        for (int a = 0; a < size; a++) {
            double *own = work->entries + work->start[row + a + 1] - (a + 1);
            for (int c = 0; c <= a; c++) {
                const double unit = work->unit[row + a] * work->unit[row + c];
                own[c] = unit * W[a * size + c] + (a < cone ? E[a * cone + c] : 0.0);
            }
            // A tangent without friction has no part.
            own[a] += a >= cone && i >= p->joint_count
                          ? 1.0
                          : REGULARIZATION * work->unit[row + a] * work->unit[row + a] *
                                p->inverse_mass[i];
        }
    }
    cs A = {.nzmax = work->start[p->row_count],
            .m = p->row_count,
            .n = p->row_count,
            .p = work->start,
            .i = work->row,
            .x = work->entries,
            .nz = -1};
    if (work->symbolic == NULL) {
        work->symbolic = cs_schol(1, &A);
    }
    cs_nfree(work->factor);
    work->factor = work->symbolic == NULL ? NULL : cs_chol(&A, work->symbolic);
    return work->factor == NULL ? CAROM_STATUS_SINGULAR : CAROM_OK;
}

/* impulse = c z, velocity = W impulse + q. */
static void find_velocity(carom_contact_interior_point *work, const double *z, double *velocity) {
    const carom_contact_problem *p = work->problem;
    for (int a = 0; a < p->row_count; a++) {
        work->impulse[a] = work->unit[a] * z[a];
    }
    carom_contact_problem_velocity(p, work->impulse, velocity);
}

/* dx and dy of W dx + W^-1 dy = aim, dy = A dx - missing. */
static void find_direction(carom_contact_interior_point *work, double *velocity) {
    const carom_contact_problem *p = work->problem;
    const int n = p->row_count;
    for (int i = 0; i < p->block_count; i++) {
        const int row = carom_contact_block_row(p, i);
        const int cone = cone_size(p, i);
        for (int a = cone; a < carom_contact_block_size(p, i); a++) {
            work->dy[row + a] = i < p->joint_count ? work->missing[row + a] : 0.0;
        }
        if (cone > 0) {
            carom_contact_cone_apply(cone, &work->cones[i], false, work->aim + row, work->dy + row);
        }
        for (int a = 0; a < cone; a++) {
            work->dy[row + a] += work->missing[row + a];
        }
    }
    cs_ipvec(work->symbolic->pinv, work->dy, work->dx, n);
    cs_lsolve(work->factor->L, work->dx);
    cs_ltsolve(work->factor->L, work->dx);
    memcpy(work->dy, work->dx, (size_t)n * sizeof *work->dx);
    cs_pvec(work->symbolic->pinv, work->dy, work->dx, n);
    find_velocity(work, work->dx, velocity);
    for (int a = 0; a < n; a++) {
        work->dy[a] = work->unit[a] * (velocity[a] - p->free_velocity[a]) - work->missing[a];
    }
}

/* The longest step at most 1, and the gap x.y after it. */
static double find_step(const carom_contact_interior_point *work, double *gap) {
    const carom_contact_problem *p = work->problem;
    double step = 1.0 / NEARLY;
    *gap = 0.0;
    for (int i = p->joint_count; i < p->block_count; i++) {
        const int row = carom_contact_block_row(p, i);
        const int cone = cone_size(p, i);
        step = fmin(step, carom_contact_cone_reach(cone, work->x + row, work->dx + row));
        step = fmin(step, carom_contact_cone_reach(cone, work->y + row, work->dy + row));
    }
    step *= NEARLY;
    for (int i = p->joint_count; i < p->block_count; i++) {
        const int row = carom_contact_block_row(p, i);
        for (int a = row; a < row + cone_size(p, i); a++) {
            *gap += (work->x[a] + step * work->dx[a]) * (work->y[a] + step * work->dy[a]);
        }
    }
    return step;
}

/* Of the predictor aim = -lambda; of the corrector that with the products of the former's steps,
 * towards the centre of the gap `centre` (Mehrotra 1992). */
static void set_aim(carom_contact_interior_point *work, bool is_corrector, double centre) {
    const carom_contact_problem *p = work->problem;
    for (int i = p->joint_count; i < p->block_count; i++) {
        const int row = carom_contact_block_row(p, i);
        const int cone = cone_size(p, i);
        double lambda[CAROM_CONTACT_MOST_ROWS];
        double one[CAROM_CONTACT_MOST_ROWS];
        double other[CAROM_CONTACT_MOST_ROWS];
        double *aim = work->aim + row;
        carom_contact_cone_apply(cone, &work->cones[i], false, work->x + row, lambda);
        if (is_corrector) {
            carom_contact_cone_apply(cone, &work->cones[i], false, work->dx + row, one);
            carom_contact_cone_apply(cone, &work->cones[i], true, work->dy + row, other);
            carom_contact_cone_multiply(cone, one, other, one);
            for (int a = 0; a < cone; a++) {
                one[a] = (a == 0 ? centre : 0.0) - one[a];
            }
            carom_contact_cone_divide(cone, lambda, one, aim);
        }
        for (int a = 0; a < cone; a++) {
            aim[a] = (is_corrector ? aim[a] : 0.0) - lambda[a];
        }
    }
}

/* First impulses and velocities in the middle of the cones. */
static void begin(carom_contact_interior_point *work) {
    const carom_contact_problem *p = work->problem;
    double fastest = 0.0;
    for (int a = 0; a < p->row_count; a++) {
        fastest = fmax(fastest, fabs(p->free_velocity[a]));
    }
    for (int i = 0; i < p->block_count; i++) {
        const int row = carom_contact_block_row(p, i);
        const int size = carom_contact_block_size(p, i);
        const int cone = cone_size(p, i);
        for (int a = 0; a < size; a++) {
            const double mu = cone > 1 && a == 0 ? carom_contact_block_friction(p, i) : 1.0;
            const bool has_part = a < cone || i < p->joint_count;
            work->unit[row + a] = has_part ? 1.0 / (mu * sqrt(p->inverse_mass[i])) : 0.0;
            work->x[row + a] =
                a == 0 && cone > 0 ? FIRST * fastest / sqrt(p->inverse_mass[i]) : 0.0;
            work->y[row + a] = work->x[row + a];
        }
    }
}

/* y - (A x + b); the impulses stay in `impulse`, their velocities in u. */
static void find_missing(carom_contact_interior_point *work, double *u) {
    const carom_contact_problem *p = work->problem;
    find_velocity(work, work->x, u);
    for (int i = 0; i < p->block_count; i++) {
        const int row = carom_contact_block_row(p, i);
        for (int a = row; a < row + carom_contact_block_size(p, i); a++) {
            work->missing[a] = work->y[a] - work->unit[a] * u[a];
        }
    }
}

/* sum of mu r_n |u_t|: what the convex problem lacks of the laws' work. */
static double sliding_work(const carom_contact_interior_point *work, const double *u) {
    const carom_contact_problem *p = work->problem;
    double sum = 0.0;
    for (int i = p->joint_count; i < p->block_count; i++) {
        const int row = carom_contact_block_row(p, i);
        double speed = 0.0;
        for (int a = 1; a < cone_size(p, i); a++) {
            speed = a == 1 ? fabs(u[row + a]) : hypot(speed, u[row + a]);
        }
        sum += carom_contact_block_friction(p, i) * work->impulse[row] * speed;
    }
    return sum;
}

/* One predictor and corrector. @return the step, 0 where there are no pivots */
static double advance(carom_contact_interior_point *work, double gap, int cones, double *velocity) {
    const carom_contact_problem *p = work->problem;
    double predicted;
    for (int i = p->joint_count; i < p->block_count; i++) {
        const int row = carom_contact_block_row(p, i);
        carom_contact_cone_scale(cone_size(p, i), work->x + row, work->y + row, &work->cones[i]);
    }
    if (factor(work) != CAROM_OK) {
        return 0.0;
    }
    set_aim(work, false, 0.0);
    find_direction(work, velocity);
    (void)find_step(work, &predicted);
    const double part = fmin(fmax(predicted / gap, 1e-2), 1.0);
    set_aim(work, true, part * part * part * gap / cones);
    find_direction(work, velocity);
    const double step = find_step(work, &predicted);
    for (int a = 0; a < p->row_count && isfinite(step); a++) {
        work->x[a] += step * work->dx[a];
        work->y[a] += step * work->dy[a];
    }
    return isfinite(predicted) ? step : 0.0;
}

carom_status carom_contact_interior_point_solve(carom_contact_interior_point *work,
                                                const carom_contact_problem *problem,
                                                double tolerance, int most, double *r, double *u,
                                                carom_contact_certificate *certificate,
                                                int *iterations) {
    const carom_contact_problem *p = problem;
    if (!carom_contact_is_symmetric(p)) {
        return CAROM_STATUS_UNSUPPORTED;
    }
    CAROM_TRY(grow(work, p));
    free_factors(work);
    begin(work);
    fill_matrix(work);
    for (int k = 0; k < most; k++) {
        double gap = 0.0;
        find_missing(work, u);
        for (int a = p->joint_count; a < p->row_count; a++) {
            gap += work->x[a] * work->y[a];
        }
        memcpy(r, work->impulse, (size_t)p->row_count * sizeof *r);
        carom_contact_certify(p, r, u, certificate);
        if (certificate->residual <= tolerance) {
            return CAROM_OK;
        }
        if (gap < CLOSE * sliding_work(work, u)) {
            break;
        }
        ++*iterations;
        if (!(advance(work, gap, p->contact_count, u) > SHORTEST)) {
            break;
        }
    }
    return CAROM_STATUS_NOT_CONVERGED;
}
