/* Pyramids of spheres, for tests and for what measures them. */
#ifndef CAROM_TESTS_CONTACT_SPHERE_PILE_H
#define CAROM_TESTS_CONTACT_SPHERE_PILE_H

#include <carom/base/base.h>
#include <carom/base/random.h>
#include <carom/contact/contact.h>

#include <math.h>
#include <stdlib.h>

/* Row i of three, the normal, the tangents, of a contact of spheres of radius 1 at x from another
 * at the origin, in the six coordinates of that at x (`side` 1) or of the other (-1). */
static inline int add_sphere_row(int i, const double *x, int body, double side, int *column,
                                 double *value) {
    const double size = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    const double n[3] = {x[0] / size, x[1] / size, x[2] / size};
    const double flat = hypot(n[0], n[2]);
    const double t[3] = {n[2] / flat, 0.0, -n[0] / flat};
    const double s[3] = {n[1] * t[2] - n[2] * t[1], n[2] * t[0] - n[0] * t[2],
                         n[0] * t[1] - n[1] * t[0]};
    const double *d = i == 0 ? n : i == 1 ? t : s;
    int count = 0;
    for (int k = 0; k < 6; k++) {
        const int a = (k + 1) % 3;
        const int b = (k + 2) % 3;
        // The point of contact is at -side n: d . (w x -side n) = -side w . (n x d).
        const double entry = k < 3 ? side * d[k] : -(n[a] * d[b] - n[b] * d[a]);
        if (fabs(entry) > 1e-15) {
            column[count] = 6 * body + k;
            value[count++] = entry;
        }
    }
    return count;
}

/* Layers of spheres, each in the hollows of the one below, on the ground, after gravity has acted,
 * or, `is_falling`, as they meet the ground and each other with other velocities. */
static inline carom_status make_sphere_pile(int layers, double friction, bool is_falling,
                                            carom_contact_problem **out) {
    enum { MOST = 285 };
    double centre[MOST][3];
    int count = 0;
    for (int k = 0; k < layers; k++) {
        for (int i = 0; i < (layers - k) * (layers - k) && count < MOST; i++) {
            const int row = i / (layers - k);
            centre[count][0] = 2.0 * (i % (layers - k)) + k;
            centre[count][1] = 2.0 * row + k;
            centre[count++][2] = 1.0 + sqrt(2.0) * k;
        }
    }
    CAROM_AUTO_MEMORY int *start = calloc((size_t)(36 * count + 1) * 13, sizeof *start);
    CAROM_AUTO_MEMORY double *value = calloc((size_t)(36 * count + 1) * 14, sizeof *value);
    if (start == NULL || value == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    int *column = start + 36 * count + 1;
    double *mu = value + (36 * count + 1) * 12;
    double mass[6 * MOST];
    double fall[6 * MOST] = {0.0};
    int rows = 0;
    for (int b = 0; b < count; b++) {
        for (int k = 0; k < 6; k++) {
            mass[6 * b + k] = k < 3 ? 1.0 : 0.4;
        }
        fall[6 * b + 2] = -9.81e-3;
        for (int k = 0; k < 6 && is_falling; k++) {
            fall[6 * b + k] =
                (k == 2 ? -1.0 : 0.0) +
                0.6 * carom_counter_uniform(2385, (unsigned long)b, (unsigned long)k) - 0.3;
        }
        for (int a = -1; a < b; a++) {
            double x[3] = {0.0, 0.0, 1.0};
            for (int k = 0; k < 3 && a >= 0; k++) {
                x[k] = centre[b][k] - centre[a][k];
            }
            const bool meets =
                a < 0 ? centre[b][2] < 1.5 : x[0] * x[0] + x[1] * x[1] + x[2] * x[2] < 4.1;
            for (int i = 0; i < 3 && meets; i++) {
                int used = start[rows];
                used += a < 0 ? 0 : add_sphere_row(i, x, a, -1.0, column + used, value + used);
                used += add_sphere_row(i, x, b, 1.0, column + used, value + used);
                mu[rows / 3] = friction;
                start[++rows] = used;
            }
        }
    }
    const carom_contact_bodies bodies = {.layout = carom_layout_banded(6 * count, 0),
                                         .mass = mass,
                                         .contact_count = rows / 3,
                                         .tangent_count = 2,
                                         .row_start = start,
                                         .row_column = column,
                                         .row_value = value,
                                         .free_velocity = fall,
                                         .friction = mu};
    return carom_contact_problem_of_bodies(&bodies, out, NULL);
}

#endif
