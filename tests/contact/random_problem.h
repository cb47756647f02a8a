/* Contact problems drawn by index, and the laws that their solutions satisfy. */
#ifndef CAROM_TESTS_RANDOM_PROBLEM_H
#define CAROM_TESTS_RANDOM_PROBLEM_H

#include "../support.h"

#include <carom/base/random.h>
#include <carom/contact/contact.h>

enum {
    MOST_CONTACTS = 64,
    MOST_ROWS = 2 + 3 * MOST_CONTACTS,
    MOST_COORDINATES = 4 + 2 * MOST_ROWS
};

static const unsigned long SEED = 20261127;

static inline double drawn(int problem, int i, int j) {
    return 2.0 * carom_counter_uniform(SEED, (unsigned long)problem,
                                       512 * (unsigned long)i + (unsigned long)j) -
           1.0;
}

/* W = J J' and q = J v of `rows` rows, on n coordinates; the first joints. */
typedef struct random_problem {
    int joint_count;
    int contact_count;
    int tangent_count;
    int row_count;
    int coordinate_count;
    double J[MOST_ROWS * MOST_COORDINATES];
    double W[MOST_ROWS * MOST_ROWS];
    double q[MOST_ROWS];
    double v[MOST_COORDINATES];
    double friction[MOST_ROWS];
} random_problem;

/* q and W from J and v. */
static inline void fill_delassus(random_problem *p) {
    const int n = p->coordinate_count;
    for (int i = 0; i < p->row_count; i++) {
        p->q[i] = 0.0;
        for (int c = 0; c < n; c++) {
            p->q[i] += p->J[i * n + c] * p->v[c];
        }
        for (int j = 0; j < p->row_count; j++) {
            p->W[i * p->row_count + j] = 0.0;
            for (int c = 0; c < n; c++) {
                p->W[i * p->row_count + j] += p->J[i * n + c] * p->J[j * n + c];
            }
        }
    }
}

static inline void draw_problem(int k, int contacts, double most_friction, random_problem *p) {
    p->tangent_count = k % 3;
    p->joint_count = k % 5 == 0 ? 1 + k % 2 : 0;
    p->contact_count = contacts;
    p->row_count = p->joint_count + p->contact_count * (1 + p->tangent_count);
    // Every other problem has more rows than coordinates: its contacts are redundant.
    p->coordinate_count = p->joint_count + 2 + k % 2 * p->row_count;
    const int n = p->coordinate_count;
    for (int j = 0; j < n; j++) {
        p->v[j] = drawn(k, 1003, j);
    }
    for (int i = 0; i < p->row_count * n; i++) {
        p->J[i] = drawn(k, i / n, i % n);
    }
    for (int i = 0; i < p->contact_count; i++) {
        p->friction[i] =
            p->tangent_count == 0 ? 0.0 : most_friction * 0.5 * (1.0 + drawn(k, 1002, i));
    }
    fill_delassus(p);
}

static inline carom_contact_problem *problem_of(const random_problem *p) {
    const carom_contact_rows blocks = {.joint_count = p->joint_count,
                                       .contact_count = p->contact_count,
                                       .tangent_count = p->tangent_count,
                                       .entries = p->W,
                                       .free_velocity = p->q,
                                       .friction = p->friction};
    carom_contact_problem *problem = NULL;
    assert_ok(carom_contact_problem_alloc(&blocks, &problem, NULL));
    return problem;
}

/* The laws, term by term from W and q, in units of the largest impulse and velocity. */
static inline void assert_laws_hold(const random_problem *p, const double *r, double tolerance) {
    double u[MOST_ROWS] = {0.0};
    double size = 0.0;
    for (int i = 0; i < p->row_count; i++) {
        u[i] = p->q[i];
        for (int j = 0; j < p->row_count; j++) {
            u[i] += p->W[i * p->row_count + j] * r[j];
            size = fmax(size, fabs(p->W[i * p->row_count + j] * r[j]));
        }
        size = fmax(size, fabs(p->q[i]));
    }
    for (int i = 0; i < p->joint_count; i++) {
        ck_assert(fabs(u[i]) <= tolerance * size);
    }
    for (int i = 0; i < p->contact_count; i++) {
        const int row = p->joint_count + i * (1 + p->tangent_count);
        double impulse = 0.0;
        double speed = 0.0;
        double power = 0.0;
        for (int a = 1; a <= p->tangent_count; a++) {
            impulse = hypot(impulse, r[row + a]);
            speed = hypot(speed, u[row + a]);
            power += r[row + a] * u[row + a];
        }
        const double most = p->friction[i] * r[row];
        const double scale = size * fmax(1.0, fabs(r[row]));
        ck_assert(r[row] >= 0.0 && u[row] >= -tolerance * size);
        ck_assert(r[row] * fabs(u[row]) <= tolerance * scale);
        ck_assert(impulse <= most + tolerance * fmax(1.0, r[row]));
        // Sliding gives away the most that friction can: r_t' u_t = -mu r_n |u_t|.
        ck_assert(fabs(power + most * speed) <= tolerance * scale * fmax(1.0, p->friction[i]));
    }
}

#endif
