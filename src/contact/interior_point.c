#include <carom/contact/internal.h>

#include <carom/base/random.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Nearer to the border of a cone than this part a step does not go. */
static const double NEARLY = 0.995;
/* Impulses and velocities that a path begins with, beside the fastest free velocity: the first
 * ones, and others, which are drawn between so much and so many times that. */
static const double FIRST = 10.0;
static const double LEAST_FIRST = 1.0;
static const double FIRST_RATIO = 4.0;
/* A gap of this part of the sliding work is small: the convex problem is another one. */
static const double CLOSE = 1e-2;
/* In space, from where such a gap beside it is left the laws as they are lead on. */
static const double CLOSE_ENOUGH = 0.3;
/* A path in space that ends with such a residual is at an answer but for rounding. */
static const double AT_ANSWER = 1e-6;
/* Where the predictor's step is shorter, its products are not taken off; after one so short the
 * next goes to the centre, by such a part of the gap. */
static const double SHORT = 0.1;
static const double SHORTEST = 0.1;
static const double CENTRE = 0.5;
/* A start from which so many steps do not halve the gap leads nowhere, nor does one with so many
 * short steps in a row once the gap is such a part of the first. */
enum { PATIENCE = 15, SHORT_STEPS = 3 };
static const double BEGUN = 0.1;
/*
 * Contacts obey the laws if x = r/c is in the round cone K and normal to y in K, where y has the
 * tangents of v = A x + b and the normal part v_0 + |v|; A = c W c, b = c q, c = w^-1/2, of normals
 * 1/mu of it, so that all is in units of energy^1/2. It is De Saxce and Feng's law with |v| for
 * |v_t|, which is smooth inside K: v = v(y). With v = y these are the conditions of a convex
 * problem, least r'W r/2 + q'r in the cones, which has the same answers where all contacts stick or
 * open (Acary, Cadoux et al. 2011) and lacks the work of friction elsewhere. It is solved first,
 * since what can rest shall rest; then the laws as they are. In space their path turns back where
 * much slides a little: it is then begun near an answer of the convex problem in which |v_t| of the
 * one before is added to v_0, which is De Saxce and Feng's law where that has settled.
 *
 * The central path is followed: with E x = y, E = W^2 of the cones' scalings, and G = dv/dy a step
 * is one factorisation of A + G E.
 */
struct carom_contact_interior_point {
    const carom_contact_problem *problem;
    int size;       /* b = 1 + t, rows of a block here */
    int row_count;  /* [blocks] b */
    bool is_convex; /* the convex problem is solved */
    double fastest; /* free velocity, m/s */
    size_t row_capacity;
    size_t size_capacity;
    double *unit;              /* [rows] c: r = c x, v = c u, before they are turned; 0: no part */
    double *x;                 /* [rows] */
    double *y;                 /* [rows] */
    double *missing;           /* [rows] v(y) - (A x + b), b = c q */
    double *aim;               /* [rows] W dx + W^-1 dy */
    double *dx;                /* [rows] */
    double *dy;                /* [rows] */
    double *slip;              /* [rows] |u_t| that the convex problem takes as given, m/s */
    double *slope;             /* [blocks][b][b] G = dv/dy */
    double *F;                 /* [blocks][b][b] G E */
    double *memory;            /* owns the arrays above */
    carom_contact_cone *cones; /* [blocks] */
    carom_contact_cone_system *system;
};

carom_status carom_contact_interior_point_alloc(carom_contact_interior_point **out) {
    *out = NULL;
    CAROM_AUTO(carom_contact_interior_point) work = calloc(1, sizeof *work);
    if (work == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_TRY(carom_contact_cone_system_alloc(&work->system));
    CAROM_HAND_OVER(work, out);
    return CAROM_OK;
}

void carom_contact_interior_point_free(carom_contact_interior_point *work) {
    if (work == NULL) {
        return;
    }
    carom_contact_cone_system_free(work->system);
    free(work->memory);
    free(work->cones);
    free(work);
}

static carom_status grow(carom_contact_interior_point *work, const carom_contact_problem *p) {
    const size_t b = 1 + (size_t)p->tangent_count;
    const size_t rows = (size_t)p->block_count * b;
    if (rows > work->row_capacity || b > work->size_capacity || work->memory == NULL) {
        free(work->memory);
        free(work->cones);
        work->memory = malloc((8 + 2 * b) * (rows + 1) * sizeof *work->memory);
        work->cones = malloc((rows + 1) * sizeof *work->cones);
        work->row_capacity = rows;
        work->size_capacity = b;
    }
    if (work->memory == NULL || work->cones == NULL) {
        work->row_capacity = 0;
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    double **const arrays[] = {&work->unit, &work->x,  &work->y,    &work->missing, &work->aim,
                               &work->dx,   &work->dy, &work->slip, &work->slope};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        *arrays[i] = work->memory + i * rows;
    }
    work->F = work->slope + rows * b;
    work->problem = p;
    work->size = (int)b;
    work->row_count = (int)rows;
    return CAROM_OK;
}

/* F = G E, E = W^2 of the cones. */
static void fill_blocks(carom_contact_interior_point *work) {
    const carom_contact_problem *p = work->problem;
    const int b = work->size;
    memset(work->F, 0, (size_t)(work->row_count * b) * sizeof *work->F);
    for (int i = 0; i < p->block_count; i++) {
        const int cone = carom_contact_cone_size(p, i);
        const double *G = work->slope + i * b * b;
        double *own = work->F + i * b * b;
        double E[CAROM_CONTACT_MOST_ROWS * CAROM_CONTACT_MOST_ROWS];
        carom_contact_cone_square(cone, &work->cones[i], E);
        for (int a = 0; a < b; a++) {
            for (int c = 0; c < cone && a < cone; c++) {
                for (int k = 0; k < cone; k++) {
                    own[a * b + c] += G[a * cone + k] * E[k * cone + c];
                }
            }
        }
    }
}

/* dx and dy of W dx + W^-1 dy = aim, G dy = A dx - missing. The former has dy, however small, with
 * all its digits. */
static void find_direction(carom_contact_interior_point *work, bool is_refined) {
    const carom_contact_problem *p = work->problem;
    const int b = work->size;
    for (int i = 0; i < p->block_count; i++) {
        const int cone = carom_contact_cone_size(p, i);
        const double *G = work->slope + i * b * b;
        double toward[CAROM_CONTACT_MOST_ROWS];
        carom_contact_cone_apply(cone, &work->cones[i], false, work->aim + i * b, toward);
        for (int a = 0; a < b; a++) {
            work->dx[i * b + a] = work->missing[i * b + a];
            for (int c = 0; c < cone && a < cone; c++) {
                work->dx[i * b + a] += G[a * cone + c] * toward[c];
            }
        }
    }
    carom_contact_cone_system_solve(work->system, is_refined, work->dx);
    for (int i = p->joint_count; i < p->block_count; i++) {
        const int cone = carom_contact_cone_size(p, i);
        double *dy = work->dy + i * b;
        carom_contact_cone_apply(cone, &work->cones[i], false, work->dx + i * b, dy);
        for (int a = 0; a < cone; a++) {
            dy[a] = work->aim[i * b + a] - dy[a];
        }
        carom_contact_cone_apply(cone, &work->cones[i], false, dy, dy);
    }
}

/* The longest step at most 1, and the gap x.y after it. */
static double find_step(const carom_contact_interior_point *work, double *gap) {
    const carom_contact_problem *p = work->problem;
    const int b = work->size;
    double step = 1.0 / NEARLY;
    *gap = 0.0;
    for (int i = p->joint_count; i < p->block_count; i++) {
        const int cone = carom_contact_cone_size(p, i);
        step = fmin(step, carom_contact_cone_reach(cone, work->x + i * b, work->dx + i * b));
        step = fmin(step, carom_contact_cone_reach(cone, work->y + i * b, work->dy + i * b));
    }
    step *= NEARLY;
    for (int i = p->joint_count; i < p->block_count; i++) {
        for (int a = i * b; a < i * b + carom_contact_cone_size(p, i); a++) {
            *gap += (work->x[a] + step * work->dx[a]) * (work->y[a] + step * work->dy[a]);
        }
    }
    return step;
}

/* Of the predictor aim = -lambda; of the corrector that with the products of the former's steps,
 * towards the centre of the gap `centre` (Mehrotra 1992). */
static void set_aim(carom_contact_interior_point *work, double second, double centre) {
    const carom_contact_problem *p = work->problem;
    const int b = work->size;
    for (int i = p->joint_count; i < p->block_count; i++) {
        const int cone = carom_contact_cone_size(p, i);
        double lambda[CAROM_CONTACT_MOST_ROWS];
        double one[CAROM_CONTACT_MOST_ROWS];
        double other[CAROM_CONTACT_MOST_ROWS];
        double *aim = work->aim + i * b;
        carom_contact_cone_apply(cone, &work->cones[i], false, work->x + i * b, lambda);
        if (centre > 0.0) {
            carom_contact_cone_apply(cone, &work->cones[i], false, work->dx + i * b, one);
            carom_contact_cone_apply(cone, &work->cones[i], true, work->dy + i * b, other);
            carom_contact_cone_multiply(cone, one, other, one);
            for (int a = 0; a < cone; a++) {
                one[a] = (a == 0 || cone == 2 ? centre : 0.0) - second * one[a];
            }
            carom_contact_cone_divide(cone, lambda, one, aim);
        }
        for (int a = 0; a < cone; a++) {
            aim[a] = (centre > 0.0 ? aim[a] : 0.0) - lambda[a];
        }
    }
}

/* First x and y in the middle of the cones. */
static void begin(carom_contact_interior_point *work, double size) {
    const carom_contact_problem *p = work->problem;
    const int b = work->size;
    memset(work->x, 0, (size_t)work->row_count * sizeof *work->x);
    for (int i = 0; i < p->block_count; i++) {
        const int cone = carom_contact_cone_size(p, i);
        if (cone > 0) {
            work->x[i * b] = size * work->fastest / sqrt(p->inverse_mass[i]);
            carom_contact_cone_turn(cone, work->x + i * b);
        }
    }
    memcpy(work->y, work->x, (size_t)work->row_count * sizeof *work->y);
    // What a path that was lost has left.
    memset(work->dx, 0, (size_t)work->row_count * sizeof *work->dx);
    memset(work->dy, 0, (size_t)work->row_count * sizeof *work->dy);
}

/* |u_t| of a block, of a joint and without friction 0. */
static double slip_of(const carom_contact_problem *p, int block, const double *u) {
    const int row = carom_contact_block_row(p, block);
    double slip = 0.0;
    for (int a = 1; a < carom_contact_cone_size(p, block); a++) {
        slip = a == 1 ? fabs(u[row + a]) : hypot(slip, u[row + a]);
    }
    return slip;
}

/* sum of mu r_n | |u_t| - slip |, W: what the convex problem lacks of the laws' work. */
static double lacking_work(const carom_contact_interior_point *work, const double *r,
                           const double *u) {
    const carom_contact_problem *p = work->problem;
    double sum = 0.0;
    for (int i = p->joint_count; i < p->block_count; i++) {
        sum += carom_contact_block_friction(p, i) * r[carom_contact_block_row(p, i)] *
               fabs(slip_of(p, i, u) - work->slip[i]);
    }
    return sum;
}

/* v(y) - (A x + b) and G, of the convex problem with what it takes as given. */
static void find_missing(carom_contact_interior_point *work, const double *u) {
    const carom_contact_problem *p = work->problem;
    const int b = work->size;
    for (int i = 0; i < p->block_count; i++) {
        const int cone = carom_contact_cone_size(p, i);
        double v[CAROM_CONTACT_MOST_ROWS] = {0.0};
        double own[CAROM_CONTACT_MOST_ROWS];
        carom_contact_cone_velocity(cone, work->is_convex, work->y + i * b, v,
                                    work->slope + i * b * b);
        carom_contact_cone_coordinates(p, work->unit, i, u + carom_contact_block_row(p, i), own);
        for (int a = 0; a < b; a++) {
            work->missing[i * b + a] = work->unit[i * b + a] > 0.0 ? v[a] - own[a] : 0.0;
        }
        if (work->is_convex && cone == 3) {
            work->missing[i * b] -= work->unit[i * b + 1] * work->slip[i];
        }
    }
}

/* To `missing` what v(y + step dy) has beyond its linear part. */
static void add_curvature(carom_contact_interior_point *work, double step) {
    const carom_contact_problem *p = work->problem;
    const int b = work->size;
    for (int i = p->joint_count; i < p->block_count; i++) {
        const int cone = carom_contact_cone_size(p, i);
        const double *G = work->slope + i * b * b;
        double y[CAROM_CONTACT_MOST_ROWS];
        double before[CAROM_CONTACT_MOST_ROWS];
        double after[CAROM_CONTACT_MOST_ROWS];
        double slope[CAROM_CONTACT_MOST_ROWS * CAROM_CONTACT_MOST_ROWS];
        for (int a = 0; a < cone; a++) {
            y[a] = work->y[i * b + a] + step * work->dy[i * b + a];
        }
        carom_contact_cone_velocity(cone, work->is_convex, work->y + i * b, before, slope);
        carom_contact_cone_velocity(cone, work->is_convex, y, after, slope);
        for (int a = 0; a < cone; a++) {
            double linear = 0.0;
            for (int c = 0; c < cone; c++) {
                linear += G[a * cone + c] * step * work->dy[i * b + c];
            }
            work->missing[i * b + a] += after[a] - before[a] - linear;
        }
    }
}

/* Products that the path keeps alike: one of a round cone, two of one with axes. */
static int count_products(const carom_contact_problem *p) {
    int count = 0;
    for (int i = p->joint_count; i < p->block_count; i++) {
        count += carom_contact_cone_size(p, i) == 2 ? 2 : 1;
    }
    return count;
}

/* The scalings, and the factors of A + G E. @return whether there are pivots */
static bool factor(carom_contact_interior_point *work) {
    const carom_contact_problem *p = work->problem;
    const int b = work->size;
    for (int i = p->joint_count; i < p->block_count; i++) {
        carom_contact_cone_scale(carom_contact_cone_size(p, i), work->x + i * b, work->y + i * b,
                                 &work->cones[i]);
    }
    fill_blocks(work);
    return carom_contact_cone_system_compute(work->system, work->F);
}

/* The direction of one predictor and corrector, or after a short step the way to the centre alone;
 * near an answer the corrector has all its digits. */
static void find_way(carom_contact_interior_point *work, double gap, double last, bool is_near) {
    const int products = count_products(work->problem);
    double left;
    if (last > SHORTEST) {
        set_aim(work, 0.0, 0.0);
        find_direction(work, false);
        const double step = find_step(work, &left);
        const double part = fmin(fmax(left / gap, 1e-2), 1.0);
        add_curvature(work, fmin(step, 1.0));
        set_aim(work, step > SHORT ? 1.0 : 0.0, part * part * part * gap / products);
    } else {
        set_aim(work, 0.0, CENTRE * gap / products);
    }
    find_direction(work, is_near);
}

/* @return the step along the path, 0 where there are no pivots */
static double advance(carom_contact_interior_point *work, double gap, double last, bool is_near) {
    double left;
    if (!factor(work)) {
        return 0.0;
    }
    find_way(work, gap, last, is_near);
    const double step = find_step(work, &left);
    for (int a = 0; a < work->row_count && isfinite(step); a++) {
        work->x[a] += step * work->dx[a];
        work->y[a] += step * work->dy[a];
    }
    return isfinite(left) ? step : 0.0;
}

/* Along the central path from a start, that of the convex problem to where it is another one, or
 * on by the laws as they are. @return whether the certificate's residual is below the
 * tolerance */
static bool follow(carom_contact_interior_point *work, bool goes_on, double tolerance, int most,
                   double *r, double *u, carom_contact_certificate *certificate, int *iterations) {
    const carom_contact_problem *p = work->problem;
    double goal = INFINITY;
    double begun = 0.0;
    double step = 1.0;
    int idle = 0;
    int short_steps = 0;
    for (int k = 0; k < most && idle < PATIENCE && short_steps < SHORT_STEPS && step > 0.0; k++) {
        double gap = 0.0;
        carom_contact_cone_impulse(p, work->unit, work->x, r);
        carom_contact_certify(p, r, u, certificate);
        if (certificate->residual <= tolerance) {
            return true;
        }
        for (int a = 0; a < work->row_count; a++) {
            gap += work->x[a] * work->y[a];
        }
        if (work->is_convex && gap < (goes_on ? CLOSE_ENOUGH : CLOSE) * lacking_work(work, r, u)) {
            for (int i = 0; i < p->block_count; i++) {
                work->slip[i] = slip_of(p, i, u);
            }
            if (!goes_on) {
                break;
            }
            work->is_convex = false;
            goal = INFINITY;
            short_steps = 0;
        }
        find_missing(work, u);
        idle = gap < goal ? 0 : idle + 1;
        goal = idle == 0 ? 0.5 * gap : goal;
        ++*iterations;
        const double last = step;
        step = advance(work, gap, last, certificate->residual <= CAROM_CONTACT_NEAR_ANSWER);
        begun = k == 0 ? BEGUN * gap : begun;
        short_steps = step < SHORTEST && gap < begun ? short_steps + 1 : 0;
    }
    return false;
}

carom_status carom_contact_interior_point_solve(carom_contact_interior_point *work,
                                                const carom_contact_problem *problem,
                                                double tolerance, int most, int *starts, double *r,
                                                double *u, carom_contact_certificate *certificate,
                                                int *iterations) {
    if (!carom_contact_is_symmetric(problem)) {
        return CAROM_STATUS_UNSUPPORTED;
    }
    CAROM_TRY(grow(work, problem));
    const int end = *iterations + most;
    bool is_solved = false;
    bool is_left = false;
    work->fastest = 0.0;
    for (int a = 0; a < problem->row_count; a++) {
        work->fastest = fmax(work->fastest, fabs(problem->free_velocity[a]));
    }
    carom_contact_cone_units(problem, work->unit);
    CAROM_TRY(carom_contact_cone_system_set(work->system, problem, work->unit));
    const bool is_in_space = problem->tangent_count == 2;
    const int most_starts = carom_contact_most_starts(problem);
    for (; !is_solved && !is_left && *starts < most_starts && *iterations < end; ++*starts) {
        const double size =
            LEAST_FIRST * pow(FIRST_RATIO, carom_counter_uniform((unsigned long)*starts, 0, 1));
        const bool is_given = is_in_space && *starts > 1;
        work->is_convex = *starts == 0 || is_given;
        if (*starts == 0) {
            memset(work->slip, 0, (size_t)problem->block_count * sizeof *work->slip);
        }
        begin(work, *starts < 2 || is_given ? FIRST : size);
        is_solved =
            follow(work, is_given, tolerance, end - *iterations, r, u, certificate, iterations);
        is_left = is_given ? certificate->residual <= AT_ANSWER
                           : is_in_space || (!work->is_convex &&
                                             certificate->residual <= CAROM_CONTACT_NEAR_ANSWER);
    }
    return is_solved ? CAROM_OK : CAROM_STATUS_NOT_CONVERGED;
}
