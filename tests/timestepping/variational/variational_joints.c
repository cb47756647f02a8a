/* carom/timestepping/variational/variational.h: joints in steps and in impacts, against minimal
 * coordinates and closed forms. */
#include "variational_start.h"

#include <carom/base/vector.h>
#include <carom/mechanism/mechanism.h>
#include <carom/timestepping/variational/step_internal.h>
#include <carom/timestepping/variational/variational.h>

#include <math.h>
#include <string.h>

static const double GRAVITY = 9.81;

/* Points in a vertical plane on rods, the first of which hangs at the origin: q = (x1, y1, x2, y2),
 * joints (|x_i - x_{i-1}|^2 - l_i^2)/(2 l_i). A wall stands to the right of the last point, with
 * the gap wall - x and the tangent y. The struct is the mechanism's context. */
enum { POINTS = 2, LENGTHS = 2 * POINTS };

typedef struct rods {
    carom_mechanism mechanism;
    int points;
    int copies; /**< of each joint */
    double mass[POINTS];
    double length[POINTS];
    double wall;
    double restitution[1];
    double friction[1];
} rods;

static void rods_mass(const double *q, double *M, void *context) {
    (void)q;
    const rods *r = context;
    const int n = 2 * r->points;
    memset(M, 0, (size_t)(n * n) * sizeof *M);
    for (int i = 0; i < n; i++) {
        M[i * n + i] = r->mass[i / 2];
    }
}

static void rods_force(double t, const double *q, const double *v, double *f, void *context) {
    (void)t;
    (void)q;
    (void)v;
    const rods *r = context;
    for (int i = 0; i < r->points; i++) {
        f[2 * i] = 0.0;
        f[2 * i + 1] = -r->mass[i] * GRAVITY;
    }
}

static double rods_energy(const double *q, void *context) {
    const rods *r = context;
    double energy = 0.0;
    for (int i = 0; i < r->points; i++) {
        energy += r->mass[i] * GRAVITY * q[2 * i + 1];
    }
    return energy;
}

static double part_of(const double *q, int point, int axis) {
    return q[2 * point + axis] - (point > 0 ? q[2 * (point - 1) + axis] : 0.0);
}

static void rods_constraints(const double *q, double *g, void *context) {
    const rods *r = context;
    for (int k = 0; k < r->points * r->copies; k++) {
        const int i = k % r->points;
        const double l = r->length[i];
        const double x = part_of(q, i, 0);
        const double y = part_of(q, i, 1);
        g[k] = (x * x + y * y - l * l) / (2.0 * l);
    }
    if (r->mechanism.contact_count > 0) {
        g[r->mechanism.joint_count] = r->wall - q[2 * r->points - 2];
    }
}

static void rods_jacobian(const double *q, double *G, void *context) {
    const rods *r = context;
    const int n = 2 * r->points;
    memset(G, 0, (size_t)(carom_mechanism_constraint_count(&r->mechanism) * n) * sizeof *G);
    for (int k = 0; k < r->points * r->copies; k++) {
        const int i = k % r->points;
        for (int axis = 0; axis < 2; axis++) {
            const double part = part_of(q, i, axis) / r->length[i];
            G[k * n + 2 * i + axis] = part;
            if (i > 0) {
                G[k * n + 2 * (i - 1) + axis] = -part;
            }
        }
    }
    if (r->mechanism.contact_count > 0) {
        G[r->mechanism.joint_count * n + n - 2] = -1.0;
    }
}

static void rods_rates(const double *q, const double *v, double *D, void *context) {
    (void)q;
    const rods *r = context;
    const int n = 2 * r->points;
    memset(D, 0, (size_t)(carom_mechanism_constraint_count(&r->mechanism) * n) * sizeof *D);
    for (int k = 0; k < r->points * r->copies; k++) {
        const int i = k % r->points;
        for (int axis = 0; axis < 2; axis++) {
            const double part = part_of(v, i, axis) / r->length[i];
            D[k * n + 2 * i + axis] = part;
            if (i > 0) {
                D[k * n + 2 * (i - 1) + axis] = -part;
            }
        }
    }
}

static void rods_forces(const double *q, const double *lambda, double *D, void *context) {
    (void)q;
    const rods *r = context;
    const int n = 2 * r->points;
    memset(D, 0, (size_t)(n * n) * sizeof *D);
    for (int k = 0; k < r->points * r->copies; k++) {
        const int i = k % r->points;
        const double s = lambda[k] / r->length[i];
        for (int axis = 0; axis < 2; axis++) {
            const int a = 2 * i + axis;
            D[a * n + a] += s;
            if (i > 0) {
                D[(a - 2) * n + a - 2] += s;
                D[a * n + a - 2] -= s;
                D[(a - 2) * n + a] -= s;
            }
        }
    }
}

static void rods_tangents(const double *q, double *H, void *context) {
    (void)q;
    const rods *r = context;
    const int n = 2 * r->points;
    memset(H, 0, (size_t)n * sizeof *H);
    H[n - 1] = 1.0;
}

static void rods_init(rods *r, int points, int copies, bool has_wall) {
    *r = (rods){
        .points = points, .copies = copies, .mass = {1.7, 0.6}, .length = {0.9, 1.3}, .wall = 10.0};
    r->mechanism = (carom_mechanism){.name = "rods",
                                     .coordinate_count = 2 * points,
                                     .joint_count = points * copies,
                                     .contact_count = has_wall ? 1 : 0,
                                     .tangent_count = has_wall ? 1 : 0,
                                     .layout = carom_layout_full(2 * points),
                                     .position_units = "m",
                                     .velocity_units = "m s-1",
                                     .restitution = has_wall ? r->restitution : NULL,
                                     .friction = has_wall ? r->friction : NULL,
                                     .mass = rods_mass,
                                     .force = rods_force,
                                     .potential_energy = rods_energy,
                                     .constraints = rods_constraints,
                                     .constraint_jacobian = rods_jacobian,
                                     .constraint_force_derivative = rods_forces,
                                     .constraint_rate_derivative = rods_rates,
                                     .tangential_jacobian = has_wall ? rods_tangents : NULL,
                                     .context = r};
}

/* Places and velocities of angles from the vertical and their rates. */
static void place(const rods *r, const double *angle, const double *rate, double *q, double *v) {
    double x[2] = {0.0, 0.0};
    double u[2] = {0.0, 0.0};
    for (int i = 0; i < POINTS && i < r->points; i++) {
        x[0] += r->length[i] * sin(angle[i]);
        x[1] -= r->length[i] * cos(angle[i]);
        u[0] += r->length[i] * cos(angle[i]) * rate[i];
        u[1] += r->length[i] * sin(angle[i]) * rate[i];
        memcpy(q + 2 * i, x, sizeof x);
        memcpy(v + 2 * i, u, sizeof u);
    }
}

static carom_variational_stepper *started(const carom_mechanism *mechanism, double step,
                                          const double *q, const double *v) {
    carom_variational_params params = carom_variational_params_default();
    params.step = step;
    return start(mechanism, &params, 0.0, q, v, NULL);
}

/* ------------------------------------------------------------------------ the double pendulum */

/* Its equations in angles. */
static void swing(const rods *r, const double *y, double *slope) {
    const double m1 = r->mass[0];
    const double m2 = r->mass[1];
    const double l1 = r->length[0];
    const double l2 = r->length[1];
    const double c = cos(y[0] - y[1]);
    const double s = sin(y[0] - y[1]);
    const double a = (m1 + m2) * l1 * l1;
    const double b = m2 * l1 * l2 * c;
    const double d = m2 * l2 * l2;
    const double f = -m2 * l1 * l2 * s * y[3] * y[3] - (m1 + m2) * GRAVITY * l1 * sin(y[0]);
    const double g = m2 * l1 * l2 * s * y[2] * y[2] - m2 * GRAVITY * l2 * sin(y[1]);
    slope[0] = y[2];
    slope[1] = y[3];
    slope[2] = (d * f - b * g) / (a * d - b * b);
    slope[3] = (a * g - b * f) / (a * d - b * b);
}

static void integrate(const rods *r, double *y, double duration, int count) {
    const double h = duration / count;
    for (int k = 0; k < count; k++) {
        double slope[4][4];
        double at[4] = {0.0};
        const double part[4] = {0.0, 0.5, 0.5, 1.0};
        for (int s = 0; s < 4; s++) {
            for (int i = 0; i < 4; i++) {
                at[i] = y[i] + (s == 0 ? 0.0 : part[s] * h * slope[s - 1][i]);
            }
            swing(r, at, slope[s]);
        }
        for (int i = 0; i < 4; i++) {
            y[i] += h / 6.0 * (slope[0][i] + 2.0 * slope[1][i] + 2.0 * slope[2][i] + slope[3][i]);
        }
    }
}

/* Joints hold at the ends of steps, and so do their rates. */
static void assert_joined(const rods *r, const carom_variational_result *now) {
    const int n = 2 * r->points;
    double g[LENGTHS] = {0.0};
    double G[LENGTHS * LENGTHS];
    rods_constraints(now->position, g, (void *)r);
    rods_jacobian(now->position, G, (void *)r);
    for (int k = 0; k < r->mechanism.joint_count; k++) {
        assert_close(g[k], 0.0, 0.0, 3e-15);
        assert_close(carom_vector_dot(n, G + k * n, now->velocity), 0.0, 0.0, 2e-14);
    }
}

LOOP_TEST(property, a_double_pendulum_of_joints_swings_as_in_angles_to_second_order, 2) {
    rods r;
    rods_init(&r, 2, 1 + _i, false); // joints given twice hold no better
    const double angle[2] = {1.9, -0.4};
    const double rate[2] = {0.7, 1.1};
    const double duration = 1.2;
    double q[4] = {0.0};
    double v[4] = {0.0};
    double y[4] = {angle[0], angle[1], rate[0], rate[1]};
    double exact[4] = {0.0};
    double exact_v[4] = {0.0};
    integrate(&r, y, duration, 20000);
    place(&r, y, y + 2, exact, exact_v);
    place(&r, angle, rate, q, v);
    double errors[3] = {0.0};
    for (int k = 0; k < 3; k++) {
        const int count = 150 << k;
        carom_variational_stepper *stepper = started(&r.mechanism, duration / count, q, v);
        const carom_variational_result *now = advance(stepper);
        for (int i = 1; i < count; i++) {
            assert_joined(&r, now);
            now = advance(stepper);
        }
        for (int i = 0; i < 4; i++) {
            errors[k] = fmax(errors[k], fabs(now->position[i] - exact[i]));
            errors[k] = fmax(errors[k], 0.2 * fabs(now->velocity[i] - exact_v[i]));
        }
        carom_variational_stepper_free(stepper);
    }
    ck_assert_msg(errors[1] < 0.27 * errors[0] && errors[2] < 0.27 * errors[1] && errors[2] < 2e-3,
                  "%g %g %g", errors[0], errors[1], errors[2]);
}

/* The band of the energy neither drifts nor widens: the scheme is symplectic and symmetric. */
TEST(property, the_energy_of_joints_does_not_drift_in_a_hundred_thousand_steps) {
    rods r;
    rods_init(&r, 2, 1, false);
    const double angle[2] = {0.8, -0.5};
    const double rate[2] = {0.0, 0.0};
    double q[4] = {0.0};
    double v[4] = {0.0};
    place(&r, angle, rate, q, v);
    carom_variational_stepper *stepper = started(&r.mechanism, 0.01, q, v);
    const double begin = rods_energy(q, &r);
    enum { PARTS = 10, EACH = 10000, STEPS = PARTS * EACH };
    double mean[PARTS] = {0.0};
    double band[PARTS] = {0.0};
    for (int k = 0; k < STEPS; k++) {
        const carom_variational_result *now = advance(stepper);
        const double error = now->kinetic_energy + now->potential_energy - begin;
        mean[k / EACH] += error / EACH;
        band[k / EACH] = fmax(band[k / EACH], fabs(error));
    }
    for (int part = 1; part < PARTS; part++) {
        ck_assert_msg(fabs(mean[part] - mean[0]) < 0.02 * band[0] && band[part] < 1.2 * band[0],
                      "part %d: %g +- %g, first %g +- %g", part, mean[part], band[part], mean[0],
                      band[0]);
    }
    assert_joined(&r, carom_variational_stepper_result(stepper));
    carom_variational_stepper_free(stepper);
}

/* ------------------------------------------------------------------------------------- impacts */

/* Behind the joints the wall meets the inverse mass G M^-1 G' of the angles, M with a, b, d as in
 * swing() and G the last point's slope; momenta along the rods are none. */
TEST(property, the_metric_of_an_impact_is_that_of_the_angles) {
    rods r;
    rods_init(&r, 2, 1, true);
    const double angle[2] = {0.7, -1.1};
    const double rate[2] = {1.3, 0.4};
    double q[4] = {0.0};
    double v[4] = {0.0};
    double p[4] = {0.0};
    place(&r, angle, rate, q, v);
    for (int i = 0; i < 4; i++) {
        p[i] = r.mass[i / 2] * v[i];
    }
    const double l1 = r.length[0];
    const double l2 = r.length[1];
    const double a = (r.mass[0] + r.mass[1]) * l1 * l1;
    const double b = r.mass[1] * l1 * l2 * cos(angle[0] - angle[1]);
    const double d = r.mass[1] * l2 * l2;
    const double g1 = -l1 * cos(angle[0]);
    const double g2 = -l2 * cos(angle[1]);
    const double inverse = (d * g1 * g1 - 2.0 * b * g1 * g2 + a * g2 * g2) / (a * d - b * b);
    carom_variational_contacts at;
    assert_ok(carom_variational_contacts_init(&at, &r.mechanism));
    assert_ok(carom_variational_contacts_set(&at, q, p, NULL));
    assert_close(at.length[0] * at.length[0], inverse, 1e-14, 0.0);
    assert_close(at.length[0] * at.speed[0], g1 * rate[0] + g2 * rate[1], 1e-14, 0.0);
    // A momentum across the rods is the same for the wall as without the part that they take.
    double back[4] = {0.0};
    p[0] += 3.0;
    p[3] -= 2.0;
    carom_variational_contacts_set_momentum(&at, p);
    const double pushed = at.speed[0];
    carom_variational_contacts_restore(&at, at.white_momentum, back);
    carom_variational_contacts_set_momentum(&at, back);
    assert_close(at.speed[0], pushed, 1e-14, 0.0);
    carom_variational_contacts_velocity(&at, v);
    double G[LENGTHS * LENGTHS];
    rods_jacobian(q, G, &r);
    for (int k = 0; k < 2; k++) {
        assert_close(carom_vector_dot(4, G + 4 * k, v), 0.0, 0.0, 1e-14);
    }
    carom_variational_contacts_clear(&at);
}

/* A pendulum meets the wall at sin(a) = wall/l with the speed u along its circle: it turns round
 * with e u. The wall gives m (1 + e) u / (cos a - mu sin a), friction mu of that; the rod the rest.
 */
LOOP_TEST(property, a_pendulum_on_a_rod_leaves_a_wall_as_its_restitution_says, 6) {
    const double e[6] = {1.0, 0.6, 0.0, 0.6, 0.3, 1.0};
    const double mu[6] = {0.0, 0.0, 0.0, 0.4, 0.4, 0.0};
    const double units[6] = {1.0, 1.0, 1.0, 1.0, 1e-3, 1e3}; // kilograms, tonnes, grams
    rods r;
    rods_init(&r, 1, 1 + _i % 2, true);
    r.mass[0] *= units[_i];
    r.wall = 0.3;
    r.restitution[0] = e[_i];
    r.friction[0] = mu[_i];
    const double angle[POINTS] = {-0.7};
    const double rate[POINTS] = {1.3};
    double q[2] = {0.0};
    double v[2] = {0.0};
    place(&r, angle, rate, q, v);
    carom_variational_stepper *stepper = started(&r.mechanism, 2e-3, q, v);
    const carom_variational_result *now = NULL;
    do {
        now = advance(stepper);
        assert_joined(&r, now);
        ck_assert_double_lt(now->time, 1.0);
    } while (now->impact_count == 0);
    const double sine = 0.3 / 0.9;
    const double cosine = sqrt(1.0 - sine * sine);
    const double height = -r.mass[0] * GRAVITY * 0.9 * cosine;
    const double kinetic = now->impacts[0].energy_before - height;
    const double speed = sqrt(2.0 * kinetic / r.mass[0]);
    // What energy makes of it, up to the band of the scheme.
    const double exact = sqrt(0.9 * 0.9 * 1.3 * 1.3 + 2.0 * GRAVITY * 0.9 * (cosine - cos(0.7)));
    assert_close(speed, exact, 1e-5, 0.0);
    assert_close(now->impacts[0].energy_after - height, e[_i] * e[_i] * kinetic, 1e-11,
                 1e-11 * kinetic);
    const double push = r.mass[0] * (1.0 + e[_i]) * speed / (cosine - mu[_i] * sine);
    // The plastic one is held by the wall to the end of the step besides.
    const double held = now->holding_impulse[0];
    assert_close(now->contact_impulse[0] - held, push, 1e-11, 0.0);
    if (e[_i] > 0.0) {
        ck_assert(!now->is_held[0]);
        assert_close(now->friction_impulse[0], mu[_i] * push, 1e-11, 1e-15 * push);
    }
    carom_variational_stepper_free(stepper);
}

/* Held by the wall under an angle where gravity presses it there: the push is m g tan a, at rest
 * for good. */
TEST(property, a_pendulum_rests_at_a_wall_that_bears_a_part_of_its_weight) {
    rods r;
    rods_init(&r, 1, 1, true);
    r.wall = -0.4; // it leans against the wall from the left
    const double angle[POINTS] = {asin(-0.4 / 0.9)};
    const double rate[POINTS] = {0.0};
    double q[2] = {0.0};
    double v[2] = {0.0};
    place(&r, angle, rate, q, v);
    const double h = 0.01;
    carom_variational_stepper *stepper = started(&r.mechanism, h, q, v);
    for (int k = 0; k < 200; k++) {
        const carom_variational_result *now = advance(stepper);
        ck_assert(now->is_held[0]);
        ck_assert_int_eq(now->impact_count, 0);
        assert_close(now->holding_impulse[0], h * r.mass[0] * GRAVITY * tan(-angle[0]), 1e-12, 0.0);
        assert_close(now->position[0], q[0], 1e-15, 0.0);
        assert_close(now->position[1], q[1], 1e-15, 0.0);
    }
    carom_variational_stepper_free(stepper);
}

/* --------------------------------------------------------------------------------- two blocks */

/* Two blocks on one floor, x_2 - x_1 joined: q = (x_1, y_1, x_2, y_2). */
typedef struct train {
    carom_mechanism mechanism;
    double mass[2];
    double friction[2];
    double restitution[2];
} train;

static void train_mass(const double *q, double *M, void *context) {
    (void)q;
    const train *t = context;
    memset(M, 0, 16 * sizeof *M);
    for (int i = 0; i < 4; i++) {
        M[5 * i] = t->mass[i / 2];
    }
}

static void train_force(double time, const double *q, const double *v, double *f, void *context) {
    (void)time;
    (void)q;
    (void)v;
    const train *t = context;
    for (int i = 0; i < 4; i++) {
        f[i] = i % 2 == 0 ? 0.0 : -t->mass[i / 2] * GRAVITY;
    }
}

static double train_energy(const double *q, void *context) {
    const train *t = context;
    return GRAVITY * (t->mass[0] * q[1] + t->mass[1] * q[3]);
}

static void train_constraints(const double *q, double *g, void *context) {
    (void)context;
    g[0] = q[2] - q[0] - 1.1;
    g[1] = q[1];
    g[2] = q[3];
}

static void train_jacobian(const double *q, double *G, void *context) {
    (void)q;
    (void)context;
    const double rows[12] = {-1.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0};
    memcpy(G, rows, sizeof rows);
}

static void train_tangents(const double *q, double *H, void *context) {
    (void)q;
    (void)context;
    const double rows[8] = {1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0};
    memcpy(H, rows, sizeof rows);
}

static void train_init(train *t, double first, double second) {
    *t = (train){.mass = {2.3, 0.9}, .friction = {first, second}};
    t->mechanism = (carom_mechanism){.name = "train",
                                     .coordinate_count = 4,
                                     .joint_count = 1,
                                     .contact_count = 2,
                                     .tangent_count = 1,
                                     .layout = carom_layout_full(4),
                                     .is_linear = true,
                                     .position_units = "m",
                                     .velocity_units = "m s-1",
                                     .restitution = t->restitution,
                                     .friction = t->friction,
                                     .mass = train_mass,
                                     .force = train_force,
                                     .potential_energy = train_energy,
                                     .constraints = train_constraints,
                                     .constraint_jacobian = train_jacobian,
                                     .tangential_jacobian = train_tangents,
                                     .context = t};
}

TEST(property, joined_blocks_share_what_friction_takes) {
    train t;
    train_init(&t, 0.15, 0.55);
    const double q[4] = {0.0, 0.0, 1.1, 0.0};
    const double v[4] = {1.9, 0.0, 1.9, 0.0};
    const double h = 1e-3;
    const double slowing = GRAVITY * (0.15 * 2.3 + 0.55 * 0.9) / (2.3 + 0.9);
    carom_variational_stepper *stepper = started(&t.mechanism, h, q, v);
    double lost = 0.0;
    for (int k = 1; k <= 1000; k++) {
        const carom_variational_result *now = advance(stepper);
        lost += now->friction_work;
        const double speed = fmax(0.0, 1.9 - slowing * now->time);
        const bool stops = fabs(1.9 - slowing * now->time) < slowing * h;
        for (int i = 0; i < 2; i++) {
            ck_assert(now->is_held[i]);
            if (!stops) {
                assert_close(now->velocity[2 * i], speed, 0.0, 1e-12);
            }
            if (speed > slowing * h) {
                assert_close(now->friction_impulse[i], -t.friction[i] * t.mass[i] * h * GRAVITY,
                             1e-12, 0.0);
            }
        }
        assert_close(now->position[2] - now->position[0], 1.1, 1e-15, 0.0);
    }
    assert_close(lost, 0.5 * 3.2 * 1.9 * 1.9, 1e-11, 0.0);
    carom_variational_stepper_free(stepper);
}

/* -------------------------------------------------------------------------------------- errors */

TEST(errors, a_start_beside_its_joints_or_across_them_is_refused) {
    rods r;
    rods_init(&r, 2, 1, false);
    const double angle[2] = {0.3, 0.2};
    const double rate[2] = {1.0, -1.0};
    double q[4] = {0.0};
    double v[4] = {0.0};
    place(&r, angle, rate, q, v);
    carom_variational_params params = carom_variational_params_default();
    carom_variational_stepper *stepper = NULL;
    assert_ok(carom_variational_stepper_alloc(&r.mechanism, &params, &stepper, NULL));
    assert_ok(carom_variational_stepper_start(stepper, 0.0, q, v, NULL, NULL));
    carom_report report = carom_report_empty();
    q[3] += 1e-4;
    assert_status(carom_variational_stepper_start(stepper, 0.0, q, v, NULL, &report), CONFLICT);
    ck_assert_str_eq(report.quantity, "joint");
    ck_assert_int_eq(report.index, 1);
    q[3] -= 1e-4;
    v[1] += 1e-2;
    assert_status(carom_variational_stepper_start(stepper, 0.0, q, v, NULL, &report), CONFLICT);
    ck_assert_str_eq(report.quantity, "speed of a joint");
    ck_assert_int_eq(report.index, 0);
    carom_variational_stepper_free(stepper);
}
