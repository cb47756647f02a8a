#include <carom/contact/internal.h>

#include <carom/base/random.h>

#include <math.h>

/* Squares beyond it, or below its inverse, have lost digits. */
static const double LEAST_SQUARE = 1e-280;

/* |x|, where squares leave the range of numbers. */
static double size_beyond_squares(int count, const double *x) {
    double size = fabs(x[0]);
    for (int a = 1; a < count; a++) {
        size = hypot(size, x[a]);
    }
    return size;
}

/* |x|; of one number it is exact. */
static inline double size_of(int count, const double *x) {
    if (count < 2) {
        return count < 1 ? 0.0 : fabs(x[0]);
    }
    double sum = x[0] * x[0];
    for (int a = 1; a < count; a++) {
        sum += x[a] * x[a];
    }
    return sum > LEAST_SQUARE && sum < 1.0 / LEAST_SQUARE ? sqrt(sum)
                                                          : size_beyond_squares(count, x);
}

/* The larger; of a NaN and a number the number, if that is x. */
static inline double larger(double x, double y) {
    return y > x ? y : x;
}

void carom_contact_project(int t, double mu, double *x) {
    const double size = size_of(t, x + 1);
    if (x[0] >= 0.0 && size <= mu * x[0]) {
        return;
    }
    double onto = 0.0;
    if (mu * size > -x[0]) {
        const double normal = (mu * size + x[0]) / (1.0 + mu * mu);
        onto = size > 0.0 ? mu * normal / size : 0.0;
        x[0] = normal;
    } else {
        x[0] = 0.0;
    }
    for (int a = 1; a <= t; a++) {
        x[a] *= onto;
    }
}

void carom_contact_draw_impulses(const carom_contact_problem *p, int round, double *r) {
    for (int i = p->joint_count; i < p->block_count; i++) {
        const unsigned long draw = (unsigned long)i;
        const int row = carom_contact_block_row(p, i);
        const double mu = carom_contact_block_friction(p, i);
        double *own = r + row;
        own[0] = 2.0 * carom_counter_uniform((unsigned long)round, draw, 0) *
                 (fabs(own[0]) + fabs(p->free_velocity[row]) / p->inverse_mass[i]);
        for (int t = 1; t <= p->tangent_count; t++) {
            own[t] =
                (2.0 * carom_counter_uniform((unsigned long)round, draw, (unsigned long)t) - 1.0) *
                mu * own[0];
        }
        carom_contact_project(p->tangent_count, mu, own);
    }
}

double carom_contact_impulse_scale(const carom_contact_problem *p, int block, const double *r) {
    double u[CAROM_CONTACT_MOST_ROWS];
    const double terms = carom_contact_block_terms(p, block, r, u);
    return size_of(carom_contact_block_size(p, block), r + carom_contact_block_row(p, block)) +
           terms / p->inverse_mass[block];
}

/* The four measures of one block, relative to s; 0/0 is 0. */
static carom_contact_certificate certify_block(const carom_contact_problem *p, int block,
                                               const double *r, const double *u, double s) {
    carom_contact_certificate c = {0};
    const double w = p->inverse_mass[block];
    // Beside what leaves the range of numbers everything is nothing.
    if (!isfinite(s)) {
        c.residual = (double)NAN;
        return c;
    }
    if (block < p->joint_count) {
        c.residual = fabs(*u) > 0.0 ? fabs(*u) / (w * s) : *u;
        return c;
    }
    const int t = p->tangent_count;
    const double mu = carom_contact_block_friction(p, block);
    const double radius = mu * larger(0.0, r[0]);
    double F[CAROM_CONTACT_MOST_ROWS] = {r[0] - larger(0.0, r[0] - u[0] / w)};
    for (int a = 1; a <= t; a++) {
        F[a] = r[a] - u[a] / w;
    }
    const double length = size_of(t, F + 1);
    for (int a = 1; a <= t; a++) {
        F[a] = length > radius ? r[a] - radius * (F[a] / length) : u[a] / w;
    }
    const double excess = size_of(t, r + 1) - mu * r[0];
    s = s > 0.0 ? s : 1.0;
    c.residual = size_of(1 + t, F) / s;
    c.penetration = larger(0.0, -u[0]) / (w * s);
    c.cone = larger(larger(0.0, excess), -r[0]) / s;
    c.complementarity = sqrt(fabs(r[0] * u[0]) / w) / s;
    return c;
}

void carom_contact_certify(const carom_contact_problem *problem, const double *r, double *velocity,
                           carom_contact_certificate *certificate) {
    carom_contact_certificate worst = {.worst = -1};
    double stopping = 0.0;
    double largest = 0.0;
    for (int i = 0; i < problem->block_count; i++) {
        const int row = carom_contact_block_row(problem, i);
        const int rows = carom_contact_block_size(problem, i);
        const double w = problem->inverse_mass[i];
        const double size = size_of(rows, r + row);
        const double terms = carom_contact_block_terms(problem, i, r, velocity + row);
        largest = larger(largest, size);
        stopping = larger(stopping, size_of(rows, problem->free_velocity + row) / w);
        if (isnan(worst.residual)) {
            continue;
        }
        const carom_contact_certificate c =
            certify_block(problem, i, r + row, velocity + row, size + terms / w);
        if (worst.worst < 0 || !(c.residual <= worst.residual)) {
            worst.residual = c.residual;
            worst.worst = i;
        }
        worst.penetration = larger(worst.penetration, c.penetration);
        worst.cone = larger(worst.cone, c.cone);
        worst.complementarity = larger(worst.complementarity, c.complementarity);
    }
    worst.growth = largest > 0.0 ? largest / stopping : 0.0;
    *certificate = worst;
}
