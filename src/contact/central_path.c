#include <carom/contact/internal.h>

#include <carom/base/random.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Impulses and velocities of the first point, beside the fastest free velocity. */
static const double FIRST = 10.0;
/* The first step, the longest, and one so short that the path is given up. */
static const double FIRST_STEP = 0.5;
static const double LONGEST = 8.0;
static const double SHORTEST = 1e-6;
/* A point is on the path when its last correction is such a part of the step; the step leads too
 * far where the first is such a part of it, or one is not such a part of the one before. */
static const double CLOSE = 0.1;
static const double FAR = 0.5;
static const double FALL = 0.7;
enum { MOST_CORRECTIONS = 4 };
/* The next step aims at a first correction of this part of it, and is at most so much shorter or
 * longer than the last. */
static const double AIM = 0.07;
static const double CHANGE = 2.0;
/* The square of a length is that of lambda and so many times the mean of those of the rows. */
static const double WEIGHT = 16.0;
/* Of the contacts in the plane, one path after the other; in space the first z of later paths are
 * drawn, so large beside those of x y = g. */
static const double COMPLIANCES[CAROM_CONTACT_MOST_PATHS] = {0.0, 0.1, 1.0, 0.03, 0.3, 3.0};
static const double DRAWN = 0.5;
/* Rounding ends a path in space whose residual was below the former and has grown by the inverse of
 * the latter. */
static const double LOST = 1e-6;
static const double LOST_PART = 1e-2;
/* A path that has so many e-folds of its first gap does not come back. */
static const double FARTHEST = 12.0;

/*
 * The interior-point method's conditions x, y in the cone, x y = 0, v(y) = A x + b in coordinates
 * of the cones, whose central path may turn back. Here it is followed by its length, through its
 * turns: with z = x - y, both of them smooth functions of z where x y = e^lambda g in Jordan's
 * product,
 *
 *     v(y) - (A x + b) = e^lambda (m + k z),
 *
 * m being what is missing at the first point, lambda = 0, x = y or drawn, and k a compliance of the
 * contacts, with which the path is another one. In the frame of z a round cone is one with axes,
 * but for what turns the frame. Lengths are those of log(x/y) in it and of lambda, so that no unit
 * counts. A step along the tangent is followed by corrections across it, each by one factorisation
 * of A + G E + e^lambda k (1 + E), dy = y dlambda - E dx, G = dv/dy (allgower-2012).
 */
struct carom_contact_path {
    const carom_contact_problem *problem;
    int size;      /* b = 1 + t */
    int row_count; /* [blocks] b */
    size_t capacity;
    double first;      /* g */
    double lambda;     /* 0 at first */
    double *unit;      /* [rows] c: r = c x, v = c u, before they are turned; 0: no part */
    double *z;         /* [rows]; of joints x */
    double *x;         /* [rows] */
    double *y;         /* [rows] */
    double *frame;     /* [blocks][b][b] columns: idempotents of x and y, and what is across them */
    double *part_x;    /* [rows] of x, y and x + y in the frame, across it geometric means */
    double *part_y;    /* [rows] */
    double *part_both; /* [rows] */
    double *missing;   /* [rows] v(y) - (A x + b) - e^lambda (m + k z) */
    double *begun;     /* [rows] m */
    double *stiffness; /* [rows] k in units of A */
    double *tangent;   /* [rows] dz of a unit length */
    double *along;     /* [rows] dz/dlambda */
    double *correction; /* [rows] dz towards the path */
    double *kept;       /* [rows] z of the last point */
    double *best;       /* [rows] impulses of the least residual */
    double least;       /* residual, 1 */
    double *slope;      /* [blocks][b][b] G */
    double *F;          /* [blocks][b][b] */
    double *memory;     /* owns the arrays above */
    carom_contact_cone_system *system;
};

typedef carom_contact_path path;

carom_status carom_contact_path_alloc(carom_contact_path **out) {
    *out = NULL;
    CAROM_AUTO(carom_contact_path) work = calloc(1, sizeof *work);
    if (work == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_TRY(carom_contact_cone_system_alloc(&work->system));
    CAROM_HAND_OVER(work, out);
    return CAROM_OK;
}

void carom_contact_path_free(carom_contact_path *work) {
    if (work != NULL) {
        carom_contact_cone_system_free(work->system);
        free(work->memory);
        free(work);
    }
}

static carom_status grow(path *work, const carom_contact_problem *p) {
    const size_t b = 1 + (size_t)p->tangent_count;
    const size_t rows = (size_t)p->block_count * b;
    double **const arrays[] = {&work->unit,    &work->z,         &work->x,          &work->y,
                               &work->missing, &work->begun,     &work->stiffness,  &work->tangent,
                               &work->along,   &work->kept,      &work->correction, &work->part_x,
                               &work->part_y,  &work->part_both, &work->best,       &work->slope};
    const size_t count = sizeof arrays / sizeof *arrays;
    const size_t doubles = (count - 1 + 3 * b) * rows + 1;
    if (doubles > work->capacity) {
        free(work->memory);
        work->memory = malloc(doubles * sizeof *work->memory);
        work->capacity = work->memory == NULL ? 0 : doubles;
    }
    if (work->memory == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        *arrays[i] = work->memory + i * rows;
    }
    work->F = work->slope + rows * b;
    work->frame = work->F + rows * b;
    work->problem = p;
    work->size = (int)b;
    work->row_count = (int)rows;
    return CAROM_OK;
}

/* The frame of a point z of a cone: e_1, e_2 of one with axes, (1, n)/2^1/2, (1, -n)/2^1/2 and (0,
 * n') of a round one, n being the direction of z. */
static void find_frame(int cone, const double *z, double *frame) {
    const double root = sqrt(0.5);
    if (cone < 3) {
        for (int a = 0; a < cone * cone; a++) {
            frame[a] = a % (cone + 1) == 0 ? 1.0 : 0.0;
        }
        return;
    }
    const double length = hypot(z[1], z[2]);
    const double n[2] = {length > 0.0 ? z[1] / length : 1.0, length > 0.0 ? z[2] / length : 0.0};
    const double own[9] = {root,  root,        0.0,          root * n[0], -root * n[0],
                           -n[1], root * n[1], -root * n[1], n[0]};
    memcpy(frame, own, sizeof own);
}

/* x and y of z. */
static void split(path *work) {
    const carom_contact_problem *p = work->problem;
    const int b = work->size;
    const double gap = exp(work->lambda) * work->first;
    memcpy(work->x, work->z, (size_t)work->row_count * sizeof *work->z);
    memset(work->y, 0, (size_t)work->row_count * sizeof *work->z);
    for (int i = 0; i < p->block_count; i++) {
        const int cone = carom_contact_cone_size(p, i);
        const double *frame = work->frame + i * b * b;
        double *x = work->part_x + i * b;
        double *y = work->part_y + i * b;
        double *both = work->part_both + i * b;
        // What Jordan's product of a round cone gives is twice that of the parts.
        const double own_gap = cone < 3 ? gap : 0.5 * gap;
        find_frame(cone, work->z + i * b, work->frame + i * b * b);
        for (int k = 0; k < (cone < 3 ? cone : 2); k++) {
            double z = 0.0;
            for (int a = 0; a < cone; a++) {
                z += frame[a * cone + k] * work->z[i * b + a];
            }
            const double larger = 0.5 * (fabs(z) + sqrt(z * z + 4.0 * own_gap));
            x[k] = z > 0.0 ? larger : own_gap / larger;
            y[k] = z > 0.0 ? own_gap / larger : larger;
            both[k] = x[k] + y[k];
        }
        if (cone == 3) {
            x[2] = sqrt(x[0] * x[1]);
            y[2] = sqrt(y[0] * y[1]);
            both[2] = sqrt(both[0] * both[1]);
        }
        for (int a = 0; a < cone; a++) {
            work->x[i * b + a] = frame[a * cone] * x[0];
            work->y[i * b + a] = frame[a * cone] * y[0];
            if (cone > 1) {
                work->x[i * b + a] += frame[a * cone + 1] * x[1];
                work->y[i * b + a] += frame[a * cone + 1] * y[1];
            }
        }
    }
}

/* E d of a block, or (1 + E) d. */
static void apply(const path *work, int block, bool is_sum, const double *d, double *out) {
    const int cone = carom_contact_cone_size(work->problem, block);
    const double *frame = work->frame + block * work->size * work->size;
    const double *x = work->part_x + block * work->size;
    const double *y = work->part_y + block * work->size;
    double own[CAROM_CONTACT_MOST_ROWS] = {0.0};
    for (int k = 0; k < cone; k++) {
        for (int a = 0; a < cone; a++) {
            own[k] += frame[a * cone + k] * d[a];
        }
        own[k] = is_sum ? (1.0 + y[k] / x[k]) * own[k] : own[k] * y[k] / x[k];
    }
    for (int a = 0; a < cone; a++) {
        out[a] = 0.0;
        for (int k = 0; k < cone; k++) {
            out[a] += frame[a * cone + k] * own[k];
        }
    }
}

/* What is missing at z and lambda, and the certificate of its impulses. */
static void look(path *work, double *r, double *u, carom_contact_certificate *certificate) {
    const carom_contact_problem *p = work->problem;
    const int b = work->size;
    const double part = exp(work->lambda);
    split(work);
    carom_contact_cone_impulse(p, work->unit, work->x, r);
    carom_contact_certify(p, r, u, certificate);
    for (int i = 0; i < p->block_count; i++) {
        double v[CAROM_CONTACT_MOST_ROWS] = {0.0};
        double own[CAROM_CONTACT_MOST_ROWS];
        carom_contact_cone_velocity(carom_contact_cone_size(p, i), false, work->y + i * b, v,
                                    work->slope + i * b * b);
        carom_contact_cone_coordinates(p, work->unit, i, u + carom_contact_block_row(p, i), own);
        for (int a = 0; a < b; a++) {
            const int row = i * b + a;
            const double left = work->begun[row] + work->stiffness[row] * work->z[row];
            work->missing[row] = work->unit[row] > 0.0 ? v[a] - own[a] - part * left : 0.0;
        }
    }
}

/* The directions at the point that was looked at: along the path (A + G E + ...) dx = G y -
 * e^lambda (m + k (z - y)) by lambda, and towards it (A + G E + ...) dx = missing. @return whether
 * the matrix has pivots */
static bool find_directions(path *work, bool is_refined) {
    const carom_contact_problem *p = work->problem;
    const int b = work->size;
    const double part = exp(work->lambda);
    memset(work->F, 0, (size_t)(work->row_count * b) * sizeof *work->F);
    for (int i = 0; i < p->block_count; i++) {
        const int cone = carom_contact_cone_size(p, i);
        for (int a = 0; a < b; a++) {
            const int row = i * b + a;
            double *F = work->F + row * b;
            work->along[row] =
                -part * (work->begun[row] + work->stiffness[row] * (work->z[row] - work->y[row]));
            for (int c = 0; c < cone && a < cone; c++) {
                work->along[row] += work->slope[i * b * b + a * cone + c] * work->y[i * b + c];
            }
            if (a < cone) {
                // E is symmetric: rows of G E are products of E with those of G.
                apply(work, i, false, work->slope + i * b * b + a * cone, F);
            }
            if (a < cone && work->stiffness[row] > 0.0) {
                double own[CAROM_CONTACT_MOST_ROWS] = {0.0};
                double axis[CAROM_CONTACT_MOST_ROWS] = {0.0};
                axis[a] = part * work->stiffness[row];
                apply(work, i, true, axis, own);
                for (int c = 0; c < cone; c++) {
                    F[c] += own[c];
                }
            }
        }
    }
    if (!carom_contact_cone_system_compute(work->system, work->F)) {
        return false;
    }
    memcpy(work->correction, work->missing, (size_t)work->row_count * sizeof(double));
    carom_contact_cone_system_solve(work->system, is_refined, work->along);
    carom_contact_cone_system_solve(work->system, is_refined, work->correction);
    // dz = dx - dy, dy = y dlambda - E dx.
    for (int i = 0; i < p->block_count; i++) {
        apply(work, i, true, work->along + i * b, work->along + i * b);
        apply(work, i, true, work->correction + i * b, work->correction + i * b);
        for (int a = i * b; a < i * b + carom_contact_cone_size(p, i); a++) {
            work->along[a] -= work->y[a];
        }
    }
    return true;
}

/* Inner product of the rows of two directions, d log(x/y) = dz/(x + y). */
static double product(const path *work, const double *one, const double *other) {
    const carom_contact_problem *p = work->problem;
    const int b = work->size;
    double sum = 0.0;
    for (int i = 0; i < p->block_count; i++) {
        const int cone = carom_contact_cone_size(p, i);
        const double *frame = work->frame + i * b * b;
        for (int k = 0; k < cone; k++) {
            double first = 0.0;
            double second = 0.0;
            for (int a = 0; a < cone; a++) {
                first += frame[a * cone + k] * one[i * b + a];
                second += frame[a * cone + k] * other[i * b + a];
            }
            const double size = work->part_both[i * b + k];
            sum += first / size * (second / size);
        }
    }
    return WEIGHT / work->row_count * sum;
}

/* The tangent of unit length, `way` by lambda. @return its part of lambda */
static double find_tangent(path *work, double way) {
    const double rate = way / sqrt(1.0 + product(work, work->along, work->along));
    for (int a = 0; a < work->row_count; a++) {
        work->tangent[a] = rate * work->along[a];
    }
    return rate;
}

/* Towards the path, across the tangent. @return the length */
static double correct(path *work, double rate) {
    const double change = -product(work, work->tangent, work->correction) /
                          (product(work, work->tangent, work->along) + rate);
    for (int a = 0; a < work->row_count; a++) {
        work->correction[a] += change * work->along[a];
        work->z[a] += work->correction[a];
    }
    work->lambda += change;
    return sqrt(product(work, work->correction, work->correction) + change * change);
}

/* Units, and the first point: x = y, as large in all rows, or drawn. */
static void begin(path *work, int number, double *r, double *u,
                  carom_contact_certificate *certificate) {
    const carom_contact_problem *p = work->problem;
    const int b = work->size;
    const double compliance = p->tangent_count < 2 ? COMPLIANCES[number] : 0.0;
    const double drawn = p->tangent_count < 2 || number == 0 ? 0.0 : DRAWN;
    double fastest = 0.0;
    double mass = 0.0;
    carom_contact_cone_units(p, work->unit);
    for (int a = 0; a < p->row_count; a++) {
        fastest = fmax(fastest, fabs(p->free_velocity[a]));
    }
    for (int i = 0; i < p->block_count; i++) {
        mass += 1.0 / p->inverse_mass[i] / p->block_count;
        for (int a = i * b; a < (i + 1) * b; a++) {
            const double unit = fmax(work->unit[i * b], work->unit[a]);
            work->stiffness[a] = a - i * b < carom_contact_cone_size(p, i)
                                     ? compliance * unit * unit * p->inverse_mass[i]
                                     : 0.0;
        }
    }
    work->first = 0.5 * FIRST * FIRST * fastest * fastest * mass;
    work->lambda = 0.0;
    work->least = INFINITY;
    memset(work->z, 0, (size_t)work->row_count * sizeof *work->z);
    for (int i = 0; i < p->block_count && drawn > 0.0; i++) {
        for (int a = i * b; a < i * b + carom_contact_cone_size(p, i); a++) {
            const double own = carom_counter_uniform((unsigned long)number, (unsigned long)a, 0);
            work->z[a] = drawn * sqrt(work->first) * (2.0 * own - 1.0);
        }
    }
    memset(work->begun, 0, (size_t)work->row_count * sizeof *work->begun);
    look(work, r, u, certificate);
    memcpy(work->begun, work->missing, (size_t)work->row_count * sizeof *work->begun);
    memset(work->missing, 0, (size_t)work->row_count * sizeof *work->missing);
}

/* One look, and the directions there unless the certificate holds. @return whether there are any */
static bool look_around(path *work, double tolerance, double *r, double *u,
                        carom_contact_certificate *certificate, int *iterations) {
    look(work, r, u, certificate);
    ++*iterations;
    if (certificate->residual < work->least) {
        work->least = certificate->residual;
        memcpy(work->best, r, (size_t)work->problem->row_count * sizeof *r);
    } else if (work->size == 3 && work->least < LOST &&
               !(certificate->residual < work->least / LOST_PART)) {
        return false;
    }
    return certificate->residual > tolerance &&
           find_directions(work, certificate->residual <= CAROM_CONTACT_NEAR_ANSWER);
}

/*[pathByLength]*/
carom_status carom_contact_path_solve(carom_contact_path *work,
                                      const carom_contact_problem *problem, int number,
                                      double tolerance, int most, double *r, double *u,
                                      carom_contact_certificate *certificate, int *iterations) {
    if (!carom_contact_is_symmetric(problem)) {
        return CAROM_STATUS_UNSUPPORTED;
    }
    CAROM_TRY(grow(work, problem));
    begin(work, number, r, u, certificate);
    CAROM_TRY(carom_contact_cone_system_set(work->system, problem, work->unit));
    const int end = *iterations + most;
    const bool is_drawn = work->size == 3 && number > 0;
    double way = -1.0;
    double step = FIRST_STEP;
    bool is_open = look_around(work, tolerance, r, u, certificate, iterations);
    while (is_open && *iterations < end && step > SHORTEST && work->lambda < FARTHEST) {
        const double from = work->lambda;
        const double rate = find_tangent(work, way);
        double first = INFINITY;
        double last = FAR / FALL * step;
        bool is_near = true;
        memcpy(work->kept, work->z, (size_t)work->row_count * sizeof *work->z);
        for (int a = 0; a < work->row_count; a++) {
            work->z[a] += step * work->tangent[a];
        }
        work->lambda += step * rate;
        for (int k = 0; k < MOST_CORRECTIONS && is_near && last > CLOSE * step; k++) {
            is_near = look_around(work, tolerance, r, u, certificate, iterations);
            const double length = is_near ? correct(work, rate) : 0.0;
            first = k == 0 ? length : first;
            is_near = is_near && length <= FALL * last;
            last = length;
        }
        if (certificate->residual <= tolerance) {
            break;
        }
        if (is_near && last <= CLOSE * step) {
            // The tangent turns by less than a right angle; where the path has begun is drawn, it
            // has no branches, and the determinant's sign tells which way it goes (allgower-2012).
            way = is_drawn ? -carom_contact_cone_system_sign(work->system)
                  : product(work, work->tangent, work->along) + rate < 0.0 ? -1.0
                                                                           : 1.0;
            step = fmin(LONGEST, step * fmin(CHANGE, fmax(1.0 / CHANGE, AIM * step / first)));
            continue;
        }
        // Back, nearer to the path than before.
        step /= CHANGE;
        memcpy(work->z, work->kept, (size_t)work->row_count * sizeof *work->z);
        work->lambda = from;
        is_open = look_around(work, tolerance, r, u, certificate, iterations);
        if (is_open) {
            (void)correct(work, rate);
            is_open = look_around(work, tolerance, r, u, certificate, iterations);
        }
    }
    if (work->size == 3 && work->least < certificate->residual) {
        memcpy(r, work->best, (size_t)problem->row_count * sizeof *r);
        carom_contact_certify(problem, r, u, certificate);
    }
    return certificate->residual <= tolerance ? CAROM_OK : CAROM_STATUS_NOT_CONVERGED;
}
/*[end pathByLength]*/
