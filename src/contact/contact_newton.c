#include <carom/contact/internal.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A shorter step than 2^-10 of Newton's leads nowhere, nor do so many without progress. */
enum { MOST_HALVINGS = 10, PATIENCE = 15 };
enum { BLOCK = CAROM_CONTACT_MOST_ROWS * CAROM_CONTACT_MOST_ROWS };
/* A lower merit is one below this part of the least so far. */
static const double PROGRESS = 0.9;
/* Smoothed equations are solved well enough for the next ones when the merit is such a part of the
 * smoothing; smoothing below this part of the first is none. */
static const double CLOSE = 0.01;
static const double LEAST_SMOOTHING = 1e-16;
/* Of the inverse mass, added to the diagonal of W in the matrix alone: redundant contacts then have
 * a step, and what a regular problem loses is one such factor of the error an iteration. */
static const double REGULARIZATION = 1e-10;
/* The same by velocities, which lose as many digits of the stiffness; these come back by
 * refinement. */
static const double REGULARIZATION_BY_VELOCITIES = 1e-7;
/* A merit must fall by this part of what Newton's step promises. */
static const double LEAST_DECREASE = 1e-4;

struct carom_contact_newton {
    size_t row_capacity;
    double *step;          /* [rows] -F, then the step */
    double *trial;         /* [rows] */
    double *velocity;      /* [rows] of the trial */
    double *padded;        /* [blocks][1+t] the step, joints with rows that they do not have */
    double *memory;        /* owns the arrays above */
    double stiffening;     /* of the inverse masses in F */
    double smoothing;      /* of F, an energy */
    double *blocks;        /* [stored blocks][1+t][1+t] F', or [blocks][2][3][3] of a system by
                              velocities: S, then B of all */
    size_t entry_capacity; /* of `blocks` */
    carom_contact_factor *factor;
    carom_contact_newton_system *by_velocities; /* of kept bodies in space */
};

carom_status carom_contact_newton_alloc(carom_contact_newton **out) {
    *out = NULL;
    CAROM_AUTO(carom_contact_newton) newton = calloc(1, sizeof *newton);
    if (newton == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_TRY(carom_contact_factor_alloc(&newton->factor));
    CAROM_TRY(carom_contact_newton_system_alloc(&newton->by_velocities));
    CAROM_HAND_OVER(newton, out);
    return CAROM_OK;
}

void carom_contact_newton_free(carom_contact_newton *newton) {
    if (newton == NULL) {
        return;
    }
    free(newton->memory);
    free(newton->blocks);
    carom_contact_factor_free(newton->factor);
    carom_contact_newton_system_free(newton->by_velocities);
    free(newton);
}

/* Bodies in space have fewer coordinates than their contacts rows. */
static bool is_by_velocities(const carom_contact_problem *p) {
    return p->kept != NULL && p->tangent_count == 2;
}

static carom_status grow(carom_contact_newton *work, const carom_contact_problem *p) {
    const size_t rows = (size_t)p->block_count * (1 + (size_t)p->tangent_count);
    const size_t blocks =
        is_by_velocities(p) ? 2 * (size_t)p->block_count : (size_t)p->start[p->block_count];
    if (rows > work->row_capacity || work->memory == NULL) {
        free(work->memory);
        work->memory = malloc((4 * rows + 1) * sizeof *work->memory);
        work->row_capacity = work->memory == NULL ? 0 : rows;
    }
    if (blocks * BLOCK > work->entry_capacity || work->blocks == NULL) {
        free(work->blocks);
        work->blocks = malloc((blocks * BLOCK + 1) * sizeof *work->blocks);
        work->entry_capacity = work->blocks == NULL ? 0 : blocks * BLOCK;
    }
    if (work->memory == NULL || work->blocks == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    work->step = work->memory;
    work->trial = work->step + rows;
    work->velocity = work->trial + rows;
    work->padded = work->velocity + rows;
    return CAROM_OK;
}

/*[alartCurnier]*/
/* max(0, x), smoothed: the positive root p of p (p - x) = s^2/4; its derivative. */
static double positive_part(double x, double s, double *slope) {
    const double root = sqrt(x * x + s * s);
    *slope = root > 0.0 ? 0.5 * (1.0 + x / root) : 0.0;
    return x > 0.0 ? 0.5 * (x + root) : (s > 0.0 ? 0.5 * s * (s / (root - x)) : 0.0);
}

/*
 * F = r - P(x), x = r - u/w, of one contact, P_n = max(0, x_n), P_t = x_t cut to the disc of radius
 * mu P_n, that is mu P_n x_t / max(mu P_n, |x_t|), each maximum smoothed by s; D [1+t][1+t] is the
 * derivative dP/dx (alart-curnier 1991; smoothed as in Chen and Harker 1993).
 */
static void contact_function(int t, double mu, double w, double s, const double *r, const double *u,
                             double *F, double *D) {
    const int size = 1 + t;
    double normal_slope;
    double excess_slope;
    double x[2] = {0.0, 0.0};
    double length = 0.0;
    for (int a = 0; a < t; a++) {
        x[a] = r[1 + a] - u[1 + a] / w;
        length += x[a] * x[a];
    }
    length = sqrt(length);
    const double normal = positive_part(r[0] - u[0] / w, s, &normal_slope);
    const double radius = mu * normal;
    const double largest = radius + positive_part(length - radius, mu * s, &excess_slope);
    const double cut = largest > 0.0 ? radius / largest : 0.0;
    memset(D, 0, (size_t)(size * size) * sizeof *D);
    F[0] = r[0] - normal;
    D[0] = normal_slope;
    for (int a = 0; a < t; a++) {
        F[1 + a] = r[1 + a] - cut * x[a];
        if (largest > 0.0) {
            D[(1 + a) * size] =
                mu * normal_slope * (1.0 - cut * (1.0 - excess_slope)) * x[a] / largest;
            D[(1 + a) * size + 1 + a] = cut;
        }
        for (int c = 0; c < t && length > 0.0 && largest > 0.0; c++) {
            D[(1 + a) * size + 1 + c] -= cut * excess_slope * (x[a] / largest) * (x[c] / length);
        }
    }
}
/*[end alartCurnier]*/

static void block_function(const carom_contact_newton *work, const carom_contact_problem *p,
                           int block, const double *r, const double *u, double *F, double *D) {
    const double w = work->stiffening * p->inverse_mass[block];
    if (block < p->joint_count) {
        F[0] = u[0] / w;
        D[0] = 1.0;
        return;
    }
    contact_function(p->tangent_count, carom_contact_block_friction(p, block), w,
                     sqrt(work->smoothing / p->inverse_mass[block]), r, u, F, D);
}

/* sum of w F^2, an energy; `F` [rows] may be NULL. */
static double merit(const carom_contact_newton *work, const carom_contact_problem *p,
                    const double *r, const double *u, double *F) {
    double sum = 0.0;
    for (int i = 0; i < p->block_count; i++) {
        const int row = carom_contact_block_row(p, i);
        double own[CAROM_CONTACT_MOST_ROWS];
        double D[CAROM_CONTACT_MOST_ROWS * CAROM_CONTACT_MOST_ROWS];
        block_function(work, p, i, r + row, u + row, own, D);
        for (int a = 0; a < carom_contact_block_size(p, i); a++) {
            sum += p->inverse_mass[i] * own[a] * own[a];
            if (F != NULL) {
                F[row + a] = own[a];
            }
        }
    }
    return sum;
}

/* F' = 1 - D (1 - W/w - e), of joints W/w + e, and 1 in rows that they do not have. */
static void fill_matrix(carom_contact_newton *work, const carom_contact_problem *p, const double *r,
                        const double *u) {
    const int b = 1 + p->tangent_count;
    memset(work->blocks, 0, (size_t)(p->start[p->block_count] * b * b) * sizeof *work->blocks);
    for (int i = 0; i < p->block_count; i++) {
        const int size = carom_contact_block_size(p, i);
        const int row = carom_contact_block_row(p, i);
        const double w = work->stiffening * p->inverse_mass[i];
        double F[CAROM_CONTACT_MOST_ROWS];
        double D[BLOCK];
        block_function(work, p, i, r + row, u + row, F, D);
        for (int k = p->start[i]; k < p->start[i + 1]; k++) {
            const int columns = carom_contact_block_size(p, p->column[k]);
            const double *W = p->entries + p->offset[k];
            double *own = work->blocks + (size_t)k * (size_t)(b * b);
            for (int a = 0; a < size; a++) {
                for (int c = 0; c < columns; c++) {
                    for (int m = 0; m < size; m++) {
                        own[a * b + c] += D[a * size + m] * W[m * columns + c] / w;
                    }
                }
            }
        }
        double *own = work->blocks + (size_t)p->diagonal[i] * (size_t)(b * b);
        for (int a = 0; a < b; a++) {
            own[a * b + a] += i >= p->joint_count ? 1.0 : a == 0 ? REGULARIZATION : 1.0;
            for (int c = 0; c < size && i >= p->joint_count; c++) {
                own[a * b + c] -= (1.0 - REGULARIZATION) * D[a * size + c];
            }
        }
    }
}

/* F' = S + B W with S = 1 - (1 - e) D, of joints e, and B = D/w. */
static bool step_by_velocities(carom_contact_newton *work, const carom_contact_problem *p,
                               const double *r, const double *u) {
    const int b = CAROM_CONTACT_MOST_ROWS;
    double *S = work->blocks;
    double *B = S + p->block_count * BLOCK;
    memset(work->blocks, 0, (size_t)(2 * p->block_count * BLOCK) * sizeof *work->blocks);
    for (int i = 0; i < p->block_count; i++) {
        const int size = carom_contact_block_size(p, i);
        const int row = carom_contact_block_row(p, i);
        double F[CAROM_CONTACT_MOST_ROWS];
        double D[BLOCK];
        block_function(work, p, i, r + row, u + row, F, D);
        for (int a = 0; a < b; a++) {
            S[(i * b + a) * b + a] = size == 1 && a == 0 ? REGULARIZATION_BY_VELOCITIES : 1.0;
            for (int c = 0; c < size && a < size; c++) {
                B[(i * b + a) * b + c] = D[a * size + c] / (work->stiffening * p->inverse_mass[i]);
                S[(i * b + a) * b + c] -=
                    size == 1 ? 0.0 : (1.0 - REGULARIZATION_BY_VELOCITIES) * D[a * size + c];
            }
        }
    }
    for (int a = 0; a < p->row_count; a++) {
        work->step[a] = -work->step[a];
    }
    return carom_contact_newton_system_solve(work->by_velocities, S, B, work->step);
}

/* step = -F'^-1 F; false where the matrix has no pivots. */
static bool newton_step(carom_contact_newton *work, const carom_contact_problem *p, const double *r,
                        const double *u) {
    if (is_by_velocities(p)) {
        return step_by_velocities(work, p, r, u);
    }
    const int b = 1 + p->tangent_count;
    fill_matrix(work, p, r, u);
    if (!carom_contact_factor_compute(work->factor, p, work->blocks)) {
        return false;
    }
    memset(work->padded, 0, (size_t)(p->block_count * b) * sizeof *work->padded);
    for (int i = 0; i < p->block_count; i++) {
        for (int a = 0; a < carom_contact_block_size(p, i); a++) {
            work->padded[i * b + a] = -work->step[carom_contact_block_row(p, i) + a];
        }
    }
    carom_contact_factor_solve(work->factor, work->padded);
    for (int i = 0; i < p->block_count; i++) {
        memcpy(work->step + carom_contact_block_row(p, i), work->padded + i * b,
               (size_t)carom_contact_block_size(p, i) * sizeof *work->step);
    }
    return true;
}

/* The merit of r + length step, which becomes the trial. */
static double merit_along(carom_contact_newton *work, const carom_contact_problem *p, double length,
                          const double *r) {
    for (int a = 0; a < p->row_count; a++) {
        work->trial[a] = r[a] + length * work->step[a];
    }
    carom_contact_problem_velocity(p, work->trial, work->velocity);
    return merit(work, p, work->trial, work->velocity, NULL);
}

/* The longest of the halved steps that lowers the merit; where none does, the one that raises it
 * least: at a kink Newton's direction may rise and still lead on. @return the merit */
static double search_line(carom_contact_newton *work, const carom_contact_problem *p, double before,
                          double *r, double *u) {
    double length = 1.0;
    double best = INFINITY;
    double best_length = 0.0;
    for (int k = 0; k < MOST_HALVINGS; k++) {
        const double after = merit_along(work, p, length, r);
        if (after < best) {
            best = after;
            best_length = length;
        }
        if (after <= (1.0 - 2.0 * LEAST_DECREASE * length) * before) {
            break;
        }
        length *= 0.5;
    }
    if (isfinite(best)) {
        merit_along(work, p, best_length, r);
        memcpy(r, work->trial, (size_t)p->row_count * sizeof *r);
        memcpy(u, work->velocity, (size_t)p->row_count * sizeof *u);
    }
    return best;
}

/* An iteration at the smoothing as it is. @return the merit, infinite where there is no step */
static double iterate(carom_contact_newton *work, const carom_contact_problem *p, double *r,
                      double *u) {
    const double before = merit(work, p, r, u, work->step);
    return newton_step(work, p, r, u) ? search_line(work, p, before, r, u) : (double)INFINITY;
}

carom_status carom_contact_newton_solve(carom_contact_newton *newton,
                                        const carom_contact_problem *problem,
                                        const carom_contact_newton_params *params, double *r,
                                        double *u, carom_contact_certificate *certificate,
                                        int *iterations) {
    CAROM_TRY(grow(newton, problem));
    if (is_by_velocities(problem)) {
        CAROM_TRY(carom_contact_newton_system_set(newton->by_velocities, problem));
    } else {
        CAROM_TRY(carom_contact_factor_order(newton->factor, problem));
    }
    newton->stiffening = params->stiffening;
    newton->smoothing = 0.0;
    carom_contact_certify(problem, r, u, certificate);
    const double rows = fmax(1.0, problem->row_count);
    const double first = merit(newton, problem, r, u, NULL) / rows;
    newton->smoothing = params->is_smoothed ? first : 0.0;
    double best = INFINITY;
    int idle = 0;
    int lost = 0;
    for (int k = 0; k < params->most && certificate->residual > params->tolerance; k++) {
        ++*iterations;
        const double after = iterate(newton, problem, r, u);
        if (!isfinite(after)) {
            break;
        }
        carom_contact_certify(problem, r, u, certificate);
        idle = after < PROGRESS * best ? 0 : idle + 1;
        best = fmin(after, best);
        const double part = after / (rows * newton->smoothing);
        lost += idle == PATIENCE ? 1 : 0;
        if (newton->smoothing > 0.0 && lost < 2 && (part <= CLOSE || idle == PATIENCE)) {
            // The better they are solved, the farther from the next ones.
            newton->smoothing *= fmin(params->reduction * params->reduction, sqrt(part));
            newton->smoothing =
                newton->smoothing > LEAST_SMOOTHING * first ? newton->smoothing : 0.0;
            best = INFINITY;
            idle = 0;
        } else if (lost == 2 || idle == PATIENCE) {
            break;
        }
    }
    return certificate->residual <= params->tolerance ? CAROM_OK : CAROM_STATUS_NOT_CONVERGED;
}
