/* carom/mechanism/planar_tree.h: on random trees the equations follow from the positions. */
#include <carom/mechanism/mechanism.h>

#include "planar_random.h"

#include <float.h>
#include <string.h>

enum { N = RANDOM_COORDINATES };

static const unsigned long TREES = 150;

/* Central differences of functions that vary over lengths of order one are good to about 1e-9;
 * several joints in a row and discs 0.7 m apart multiply their third derivatives. */
static const double DIFFERENCES = 1e-7;

/** A random tree at a random state; everything follows from the seed. */
typedef struct subject {
    carom_planar_tree *tree;
    const carom_mechanism *mechanism;
    int n;
    double q[N];
    double v[N];
} subject;

static void subject_make(subject *self, unsigned long seed) {
    memset(self, 0, sizeof(*self));
    gsl_rng *generator = seeded_generator(seed);
    random_parts parts;
    random_parts_make(&parts, generator);
    assert_ok(carom_planar_tree_alloc(&parts.spec, &self->tree, NULL));
    self->mechanism = carom_planar_tree_mechanism(self->tree);
    self->n = self->mechanism->coordinate_count;
    random_state(self->tree, generator, self->q, self->v);
    gsl_rng_free(generator);
}

static void fill_with_nan(int count, double *x) {
    for (int i = 0; i < count; i++) {
        x[i] = (double)NAN;
    }
}

TEST(property, every_derivative_agrees_with_finite_differences) {
    for (unsigned long seed = 1; seed <= TREES; seed++) {
        subject s;
        subject_make(&s, seed);
        carom_mechanism_mismatch worst;
        carom_report report = carom_report_empty();
        const carom_status validity = carom_mechanism_validate(s.mechanism, 0.0, s.q, s.v, &report);
        ck_assert_msg(validity == CAROM_OK, "seed %lu: %s", seed, report.quantity);
        const carom_status status =
            carom_mechanism_check(s.mechanism, 0.0, s.q, s.v, DIFFERENCES, seed, &worst);
        ck_assert_msg(status == CAROM_OK, "seed %lu: %s (%d,%d) is %.9g, differences say %.9g",
                      seed, worst.derivative, worst.row, worst.column, worst.supplied,
                      worst.finite_difference);
        carom_planar_tree_free(s.tree);
    }
}

/** q + h v, to move along the velocity. */
static void displace(const subject *s, double h, double *q) {
    for (int i = 0; i < s->n; i++) {
        q[i] = s->q[i] + h * s->v[i];
    }
}

/** Velocity of a body's material point by central differences of its place along v. */
static void differenced_velocity(const subject *s, int body, const double *local, double *u) {
    const double h = cbrt(DBL_EPSILON);
    double q[N];
    double before[2];
    displace(s, -h, q);
    carom_planar_tree_point(s->tree, q, NULL, body, local, before, NULL);
    displace(s, h, q);
    carom_planar_tree_point(s->tree, q, NULL, body, local, u, NULL);
    u[0] = (u[0] - before[0]) / (2.0 * h);
    u[1] = (u[1] - before[1]) / (2.0 * h);
}

/** Coordinates in a body frame of a place in the world. */
static void find_local(const subject *s, int body, const double *place, double *local) {
    double pose[3];
    carom_planar_tree_pose(s->tree, s->q, body, pose);
    const double x = place[0] - pose[0];
    const double y = place[1] - pose[1];
    local[0] = cos(pose[2]) * x + sin(pose[2]) * y;
    local[1] = -sin(pose[2]) * x + cos(pose[2]) * y;
}

TEST(property, the_kinetic_energy_is_that_of_the_moving_points) {
    for (unsigned long seed = 1; seed <= TREES; seed++) {
        subject s;
        double work[N * N + N];
        subject_make(&s, seed);
        fill_with_nan(N * N + N, work);
        double expected = 0.0;
        for (int i = 0; i < RANDOM_BODIES; i++) {
            const carom_planar_shape *shape = &carom_planar_tree_body(s.tree, i)->shape;
            double pose[2][3];
            double q[N];
            double u[2];
            const double h = cbrt(DBL_EPSILON);
            differenced_velocity(&s, i, shape->center, u);
            for (int side = 0; side < 2; side++) {
                displace(&s, side == 0 ? -h : h, q);
                carom_planar_tree_pose(s.tree, q, i, pose[side]);
            }
            const double rate = (pose[1][2] - pose[0][2]) / (2.0 * h);
            expected += 0.5 * shape->mass * (u[0] * u[0] + u[1] * u[1]);
            expected += 0.5 * shape->inertia * rate * rate;
        }
        const double energy = carom_mechanism_kinetic_energy(s.mechanism, s.q, s.v, work);
        const double error = fabs(energy - expected);
        ck_assert_msg(error <= DIFFERENCES * (1.0 + expected), "seed %lu: %.12g, not %.12g", seed,
                      energy, expected);
        carom_planar_tree_free(s.tree);
    }
}

TEST(property, the_velocity_of_a_point_is_that_of_its_place) {
    for (unsigned long seed = 1; seed <= TREES; seed++) {
        subject s;
        subject_make(&s, seed);
        for (int i = 0; i < RANDOM_BODIES; i++) {
            const double local[2] = {0.37, -0.81};
            double expected[2];
            double velocity[2];
            differenced_velocity(&s, i, local, expected);
            carom_planar_tree_point(s.tree, s.q, s.v, i, local, NULL, velocity);
            for (int k = 0; k < 2; k++) {
                /* speeds reach 100 m/s at the end of a chain */
                ck_assert_msg(fabs(velocity[k] - expected[k]) <= 10.0 * DIFFERENCES,
                              "seed %lu, body %d", seed, i);
            }
        }
        carom_planar_tree_free(s.tree);
    }
}

/**
 * Normal and sliding speed of the material points that touch: with the gap closed along the normal
 * the place of contact is a point of the first body; the second's is beyond the gap.
 */
static void material_speeds(const subject *s, int contact, double *speeds) {
    const carom_planar_contact *it = carom_planar_tree_contact(s->tree, contact);
    const carom_planar_contact_place at = carom_planar_tree_contact_place(s->tree, s->q, contact);
    const bool is_disc_pair = it->kind == CAROM_PLANAR_DISC_DISC;
    double local[2];
    double u[2];
    double other[2] = {0.0, 0.0};
    /* midway between two discs, at the body above a wall */
    const double shift = is_disc_pair ? 0.5 * at.gap : 0.0;
    const double first[2] = {at.point[0] - shift * at.normal[0],
                             at.point[1] - shift * at.normal[1]};
    const double second[2] = {at.point[0] + shift * at.normal[0],
                              at.point[1] + shift * at.normal[1]};
    find_local(s, it->body, first, local);
    differenced_velocity(s, it->body, local, u);
    double sign = 1.0;
    if (is_disc_pair) {
        find_local(s, it->other_body, second, local);
        differenced_velocity(s, it->other_body, local, other);
        sign = -1.0;
    }
    const double relative[2] = {other[0] + sign * u[0], other[1] + sign * u[1]};
    speeds[0] = at.normal[0] * relative[0] + at.normal[1] * relative[1];
    speeds[1] = at.tangent[0] * relative[0] + at.tangent[1] * relative[1];
}

TEST(property, normal_and_sliding_speeds_are_those_of_the_material_points) {
    int kinds[3] = {0};
    for (unsigned long seed = 1; seed <= TREES; seed++) {
        subject s;
        double G[RANDOM_CONTACTS * N];
        double H[RANDOM_CONTACTS * N];
        subject_make(&s, seed);
        fill_with_nan(RANDOM_CONTACTS * N, G);
        fill_with_nan(RANDOM_CONTACTS * N, H);
        s.mechanism->constraint_jacobian(s.q, G, s.mechanism->context);
        s.mechanism->tangential_jacobian(s.q, H, s.mechanism->context);
        for (int i = 0; i < RANDOM_CONTACTS; i++) {
            double actual[2] = {0.0, 0.0};
            double expected[2];
            kinds[carom_planar_tree_contact(s.tree, i)->kind]++;
            for (int k = 0; k < s.n; k++) {
                actual[0] += G[i * s.n + k] * s.v[k];
                actual[1] += H[i * s.n + k] * s.v[k];
            }
            material_speeds(&s, i, expected);
            for (int k = 0; k < 2; k++) {
                ck_assert_msg(fabs(actual[k] - expected[k]) <= 10.0 * DIFFERENCES,
                              "seed %lu, contact %d: speed %d is %.9g, not %.9g", seed, i, k,
                              actual[k], expected[k]);
            }
        }
        carom_planar_tree_free(s.tree);
    }
    for (int k = 0; k < 3; k++) {
        ck_assert_int_gt(kinds[k], 0);
    }
}

TEST(property, forces_are_those_of_the_lagrangian) {
    /* d(dT/dv)/dt - dT/dq + dV/dq = 0: f = -dV/dq - D v + D' v/2 with D = d(M v)/dq */
    for (unsigned long seed = 1; seed <= TREES; seed++) {
        subject s;
        double D[N * N];
        double f[N];
        double q[N];
        subject_make(&s, seed);
        fill_with_nan(N * N, D);
        fill_with_nan(N, f);
        s.mechanism->mass_derivative(s.q, s.v, D, s.mechanism->context);
        s.mechanism->force(0.0, s.q, s.v, f, s.mechanism->context);
        memcpy(q, s.q, sizeof(q));
        for (int i = 0; i < s.n; i++) {
            const double h = cbrt(DBL_EPSILON);
            q[i] = s.q[i] + h;
            double expected = -s.mechanism->potential_energy(q, s.mechanism->context);
            q[i] = s.q[i] - h;
            expected += s.mechanism->potential_energy(q, s.mechanism->context);
            expected /= 2.0 * h;
            q[i] = s.q[i];
            double size = 1.0 + fabs(expected);
            for (int j = 0; j < s.n; j++) {
                expected += (0.5 * D[j * s.n + i] - D[i * s.n + j]) * s.v[j];
                size += fabs(D[i * s.n + j] * s.v[j]);
            }
            ck_assert_msg(fabs(f[i] - expected) <= DIFFERENCES * size,
                          "seed %lu: f[%d] = %.9g, not %.9g", seed, i, f[i], expected);
        }
        carom_planar_tree_free(s.tree);
    }
}

/** Turn a vector. */
static void turn(double angle, double *x) {
    const double across = sin(angle) * x[0] + cos(angle) * x[1];
    x[0] = cos(angle) * x[0] - sin(angle) * x[1];
    x[1] = across;
}

/** All functions of a tree at one state, one after the other. */
enum { VALUES = 3 * N * N + 2 * N + 5 * RANDOM_CONTACTS * N };
static int evaluate_all(const carom_mechanism *mechanism, const double *q, const double *v,
                        double *values) {
    const int n = mechanism->coordinate_count;
    const int rows = RANDOM_CONTACTS * n;
    void *context = mechanism->context;
    double *end = values;
    mechanism->mass(q, end, context);
    end += n * n;
    mechanism->stiffness(0.0, q, v, end, context);
    end += n * n;
    mechanism->constraint_force_derivative(q, v, end, context);
    end += n * n;
    mechanism->force(0.0, q, v, end, context);
    end += n;
    mechanism->constraints(q, end, context);
    end += RANDOM_CONTACTS;
    mechanism->constraint_jacobian(q, end, context);
    end += rows;
    mechanism->tangential_jacobian(q, end, context);
    end += rows;
    mechanism->constraint_rate_derivative(q, v, end, context);
    end += rows;
    mechanism->tangential_rate_derivative(q, v, end, context);
    end += rows;
    *end++ = mechanism->potential_energy(q, context);
    return (int)(end - values);
}

TEST(property, nothing_changes_when_the_world_is_turned) {
    for (unsigned long seed = 1; seed <= TREES; seed++) {
        subject s;
        random_parts parts;
        double values[2][VALUES];
        subject_make(&s, seed);
        gsl_rng *generator = seeded_generator(seed);
        random_parts_make(&parts, generator);
        gsl_rng_free(generator);

        /* gravity, walls and the body that all others hang on */
        const double angle = 0.1 + 0.04 * (double)seed;
        turn(angle, parts.spec.gravity);
        parts.bodies[0].joint_angle += angle;
        for (int i = 0; i < RANDOM_CONTACTS; i++) {
            turn(angle, parts.contacts[i].wall.point);
            turn(angle, parts.contacts[i].wall.normal);
        }
        carom_planar_tree *turned = NULL;
        assert_ok(carom_planar_tree_alloc(&parts.spec, &turned, NULL));

        fill_with_nan(2 * VALUES, values[0]);
        const int count = evaluate_all(s.mechanism, s.q, s.v, values[0]);
        evaluate_all(carom_planar_tree_mechanism(turned), s.q, s.v, values[1]);
        double largest = 1.0;
        for (int i = 0; i < count; i++) {
            largest = fmax(largest, fabs(values[0][i]));
        }
        for (int i = 0; i < count; i++) {
            /* roundings of a handful of rotations, of sums of the largest terms */
            ck_assert_msg(fabs(values[1][i] - values[0][i]) <= 1e-12 * largest,
                          "seed %lu: value %d is %.17g, not %.17g", seed, i, values[1][i],
                          values[0][i]);
        }
        carom_planar_tree_free(turned);
        carom_planar_tree_free(s.tree);
    }
}

TEST(property, the_same_state_gives_the_same_bytes) {
    subject s;
    double values[2][VALUES];
    subject_make(&s, 7);
    fill_with_nan(VALUES, values[0]);
    memset(values[1], 0x5a, sizeof(values[1]));
    const int count = evaluate_all(s.mechanism, s.q, s.v, values[0]);
    ck_assert_int_eq(evaluate_all(s.mechanism, s.q, s.v, values[1]), count);
    ck_assert_int_eq(memcmp(values[0], values[1], (size_t)count * sizeof(double)), 0);
    carom_planar_tree_free(s.tree);
}
