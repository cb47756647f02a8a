#include <carom/contact/internal.h>

#include <math.h>

/* Squares beyond it, or below its inverse, have lost digits. */
static const double LEAST_SQUARE = 1e-280;

/* |x|; of one number it is exact, and squares that leave the range of numbers are not formed. */
static double size_of(int count, const double *x) {
    double sum = 0.0;
    double size = 0.0;
    for (int a = 0; a < count; a++) {
        sum += x[a] * x[a];
    }
    if (count > 1 && sum > LEAST_SQUARE && sum < 1.0 / LEAST_SQUARE) {
        return sqrt(sum);
    }
    for (int a = 0; a < count; a++) {
        size = a == 0 ? fabs(x[a]) : hypot(size, x[a]);
    }
    return size;
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

double carom_contact_impulse_scale(const carom_contact_problem *p, int block, const double *r) {
    const int rows = carom_contact_block_size(p, block);
    const int row = carom_contact_block_row(p, block);
    double largest = 0.0;
    for (int a = 0; a < rows; a++) {
        double sum = fabs(p->free_velocity[row + a]);
        for (int k = p->start[block]; k < p->start[block + 1]; k++) {
            const int columns = carom_contact_block_size(p, p->column[k]);
            const double *x = r + carom_contact_block_row(p, p->column[k]);
            for (int c = 0; c < columns; c++) {
                sum += fabs(p->entries[p->offset[k] + (size_t)(a * columns + c)] * x[c]);
            }
        }
        largest = sum > largest ? sum : largest;
    }
    return size_of(rows, r + row) + largest / p->inverse_mass[block];
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
    const double radius = mu * fmax(r[0], 0.0);
    double F[CAROM_CONTACT_MOST_ROWS] = {r[0] - fmax(r[0] - u[0] / w, 0.0)};
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
    c.penetration = fmax(-u[0], 0.0) / (w * s);
    c.cone = fmax(fmax(excess, -r[0]), 0.0) / s;
    c.complementarity = sqrt(fabs(r[0] * u[0]) / w) / s;
    return c;
}

void carom_contact_certify(const carom_contact_problem *problem, const double *r, double *velocity,
                           carom_contact_certificate *certificate) {
    carom_contact_certificate worst = {.worst = -1};
    double stopping = 0.0;
    double largest = 0.0;
    carom_contact_problem_velocity(problem, r, velocity);
    for (int i = 0; i < problem->block_count; i++) {
        const int row = carom_contact_block_row(problem, i);
        const carom_contact_certificate c = certify_block(
            problem, i, r + row, velocity + row, carom_contact_impulse_scale(problem, i, r));
        const int rows = carom_contact_block_size(problem, i);
        largest = fmax(largest, size_of(rows, r + row));
        stopping =
            fmax(stopping, size_of(rows, problem->free_velocity + row) / problem->inverse_mass[i]);
        if (worst.worst < 0 || !(c.residual <= worst.residual)) {
            worst.residual = c.residual;
            worst.worst = i;
        }
        worst.penetration = fmax(worst.penetration, c.penetration);
        worst.cone = fmax(worst.cone, c.cone);
        worst.complementarity = fmax(worst.complementarity, c.complementarity);
        if (isnan(c.residual)) {
            break;
        }
    }
    worst.growth = largest > 0.0 ? largest / stopping : 0.0;
    *certificate = worst;
}
