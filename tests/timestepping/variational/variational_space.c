/* carom/timestepping/variational/variational.h in space, with Coulomb's round cone: a point, a bead
 * in a bowl, spheres and a cube, against closed forms, the equations of motion, and in other units
 * and orders of their contacts. */
#include "../galpha/friction_bodies.h"
#include "variational_start.h"

#include <carom/base/vector.h>
#include <carom/timestepping/variational/variational.h>

#include <math.h>

static carom_variational_stepper *stepper_at(const carom_mechanism *mechanism, double step,
                                             const double *q, const double *v, const bool *held) {
    carom_variational_params params = carom_variational_params_default();
    params.step = step;
    return start(mechanism, &params, 0.0, q, v, held);
}

/* ------------------------------------------------------------------------------------- spheres */

/* The sphere slides with u = (v_x - R w_y, v_y + R w_x) in a direction that stays; friction takes
 * mu g off v and 7/2 of that off u, so that it rolls after 2 |u|/(7 mu g) with v - 2/7 u: from
 * sliding without spin with 5/7 v. */
LOOP_TEST(property, a_sphere_slides_and_comes_to_roll, 3) {
    const double spin[3][3] = {{0.0, 0.0, 0.0}, {4.1, -7.3, 2.0}, {-11.0, 3.0, 0.0}};
    const double mu = 0.27;
    const double R = 0.13;
    body b;
    sphere_init(&b, MASS, R, mu);
    b.force[2] = -MASS * GRAVITY;
    const double q[6] = {0.0};
    const double v[6] = {1.1, 0.7, 0.0, spin[_i][0], spin[_i][1], spin[_i][2]};
    const double u[2] = {v[0] - R * v[4], v[1] + R * v[3]};
    const double rolls = 2.0 * hypot(u[0], u[1]) / (7.0 * mu * GRAVITY);
    const bool held[1] = {true};
    const double h = rolls / 50.5;
    carom_variational_stepper *stepper = stepper_at(&b.mechanism, h, q, v, held);
    double lost = 0.0;
    const carom_variational_result *now = carom_variational_stepper_result(stepper);
    const double begin = now->kinetic_energy;
    for (int k = 1; k <= 80; k++) {
        now = advance(stepper);
        lost += now->friction_work;
        const double part = fmin(now->time / rolls, 1.0);
        // Exact while it slides and while it rolls: the laws are linear there.
        for (int i = 0; i < 2 && k != 51; i++) {
            assert_close(now->velocity[i], v[i] - part * 2.0 / 7.0 * u[i], 0.0, 1e-12);
        }
        assert_close(begin - now->kinetic_energy, lost, 1e-11, 1e-12);
        ck_assert_double_le(hypot(now->friction_impulse[0], now->friction_impulse[1]),
                            mu * now->holding_impulse[0] * (1.0 + 1e-13));
    }
    assert_close(now->velocity[0] - R * now->velocity[4], 0.0, 0.0, 1e-13);
    assert_close(now->velocity[1] + R * now->velocity[3], 0.0, 0.0, 1e-13);
    assert_close(now->velocity[5], v[5], 1e-14, 0.0);
    // What sliding has lost: m |u|^2/7.
    assert_close(lost, MASS * carom_vector_dot(2, u, u) / 7.0, 1e-11, 0.0);
    carom_variational_stepper_free(stepper);
}

/* Oblique impact with spin: the normal impulse is m (1 + e) v_n, what stops the sliding 2/7 m u;
 * it rolls off if that is at most mu times the normal one, else friction is all along -u. */
LOOP_TEST(property, a_sphere_leaves_the_floor_as_coulomb_says, 4) {
    const double mu[4] = {0.05, 0.3, 0.3, 0.0};
    const double e[4] = {0.8, 0.35, 0.0, 0.6};
    const double spin[4][3] = {{3.0, -20.0, 5.0}, {1.0, -2.0, 0.0}, {30.0, 25.0, 7.0}, {9.0}};
    const double R = 0.2;
    body b;
    sphere_init(&b, MASS, R, mu[_i]);
    b.restitution[0] = e[_i];
    const double q[6] = {0.0, 0.0, 0.3, 0.0, 0.0, 0.0};
    const double v[6] = {2.0, -1.0, -3.0, spin[_i][0], spin[_i][1], spin[_i][2]};
    const double u[2] = {v[0] - R * v[4], v[1] + R * v[3]};
    const double speed = hypot(u[0], u[1]);
    const double most = mu[_i] * (1.0 + e[_i]) * 3.0;
    const double stop = 2.0 / 7.0 * speed;
    const double change = fmin(stop, most) / speed;
    carom_variational_stepper *stepper = stepper_at(&b.mechanism, 0.25, q, v, NULL);
    const carom_variational_result *now = advance(stepper);
    ck_assert_int_eq(now->impact_count, 1);
    for (int i = 0; i < 2; i++) {
        assert_close(now->velocity[i], v[i] - change * u[i], 1e-13, 0.0);
        assert_close(now->friction_impulse[i], -MASS * change * u[i], 1e-12, 1e-15);
    }
    assert_close(now->velocity[2], e[_i] * 3.0, 1e-13, 1e-14);
    assert_close(now->velocity[3], v[3] - 2.5 * change * u[1] / R, 1e-12, 1e-12);
    assert_close(now->velocity[4], v[4] + 2.5 * change * u[0] / R, 1e-12, 1e-12);
    assert_close(now->velocity[5], v[5], 1e-15, 0.0);
    ck_assert_double_ge(now->impact_loss, 0.0);
    carom_variational_stepper_free(stepper);
}

/* A point that a joint keeps on the floor has no part in the impact of another one there. */
TEST(unit, a_contact_that_a_joint_keeps_closed_does_not_collide) {
    body b;
    body_init(&b, 4, 2, 1);
    b.mechanism.joint_count = 1;
    for (int i = 0; i < 4; i++) {
        b.mass[i] = MASS;
    }
    b.G[1] = 1.0;     // y_1 = 0
    b.G[4 + 1] = 1.0; // y_1 >= 0
    b.G[8 + 3] = 1.0; // y_2 >= 0
    b.H[0] = 1.0;
    b.H[4 + 2] = 1.0;
    b.restitution[0] = 0.5;
    b.restitution[1] = 0.5;
    const double q[4] = {0.0, 0.0, 1.0, 0.1};
    const double v[4] = {0.3, 0.0, 0.0, -2.0};
    carom_variational_stepper *stepper = stepper_at(&b.mechanism, 0.1, q, v, NULL);
    const carom_variational_result *now = advance(stepper);
    ck_assert_int_eq(now->impact_count, 1);
    ck_assert_int_eq(now->impacts[0].closed_count, 1);
    ck_assert_int_eq(now->closed[0], 1);
    assert_close(now->velocity[3], 1.0, 1e-14, 0.0);
    assert_close(now->velocity[0], 0.3, 1e-14, 0.0);
    assert_close(now->position[1], 0.0, 0.0, 1e-15);
    carom_variational_stepper_free(stepper);
}

/* ------------------------------------------------------------------------------ a bead in a bowl
 */

/* A point inside of a sphere of radius 1.3 about the origin, which it presses: gap (r^2 - q^2)/2r,
 * tangents along the circles of latitude and of longitude, which turn as it moves. */
enum { BEAD = 3 };
static const double BOWL = 1.3;
static const double BEAD_MASS = 0.7;
static const double BEAD_FRICTION[1] = {0.35};

static void bead_mass(const double *q, double *M, void *context) {
    (void)q;
    (void)context;
    for (int i = 0; i < BEAD * BEAD; i++) {
        M[i] = i % (BEAD + 1) == 0 ? BEAD_MASS : 0.0;
    }
}

static void bead_force(double t, const double *q, const double *v, double *f, void *context) {
    (void)t;
    (void)q;
    (void)v;
    (void)context;
    f[0] = f[1] = 0.0;
    f[2] = -BEAD_MASS * GRAVITY;
}

static double bead_energy(const double *q, void *context) {
    (void)context;
    return BEAD_MASS * GRAVITY * q[2];
}

static void bead_gap(const double *q, double *g, void *context) {
    (void)context;
    g[0] = (BOWL * BOWL - carom_vector_dot(BEAD, q, q)) / (2.0 * BOWL);
}

static void bead_normal(const double *q, double *G, void *context) {
    (void)context;
    for (int i = 0; i < BEAD; i++) {
        G[i] = -q[i] / BOWL;
    }
}

static void bead_tangents(const double *q, double *H, void *context) {
    (void)context;
    const double radius = hypot(q[0], q[1]);
    const double length = sqrt(carom_vector_dot(BEAD, q, q));
    const double rows[6] = {-q[1] / radius,
                            q[0] / radius,
                            0.0,
                            -q[0] * q[2] / (radius * length),
                            -q[1] * q[2] / (radius * length),
                            radius / length};
    memcpy(H, rows, sizeof rows);
}

static void bead_tangent_rates(const double *q, const double *v, double *D, void *context) {
    // By differences of fourth order of H v, which the iteration alone uses.
    const double step = 1e-3;
    for (int j = 0; j < BEAD; j++) {
        double sums[2] = {0.0, 0.0};
        static const double weights[4] = {1.0 / 12.0, -2.0 / 3.0, 2.0 / 3.0, -1.0 / 12.0};
        static const double places[4] = {-2.0, -1.0, 1.0, 2.0};
        for (int k = 0; k < 4; k++) {
            double at[BEAD];
            double H[2 * BEAD];
            memcpy(at, q, sizeof at);
            at[j] += places[k] * step;
            bead_tangents(at, H, context);
            for (int row = 0; row < 2; row++) {
                sums[row] += weights[k] / step * carom_vector_dot(BEAD, H + row * BEAD, v);
            }
        }
        D[j] = sums[0];
        D[BEAD + j] = sums[1];
    }
}

static void bead_force_derivative(const double *q, const double *lambda, double *D, void *context) {
    (void)q;
    (void)context;
    for (int i = 0; i < BEAD * BEAD; i++) {
        D[i] = i % (BEAD + 1) == 0 ? -lambda[0] / BOWL : 0.0;
    }
}

static void bead_rate_derivative(const double *q, const double *v, double *D, void *context) {
    (void)q;
    (void)context;
    for (int i = 0; i < BEAD; i++) {
        D[i] = -v[i] / BOWL;
    }
}

static carom_mechanism bead_in_bowl(void) {
    static const double restitution[1] = {0.0};
    return (carom_mechanism){.name = "bead",
                             .coordinate_count = BEAD,
                             .contact_count = 1,
                             .tangent_count = 2,
                             .layout = carom_layout_full(BEAD),
                             .position_units = "m",
                             .velocity_units = "m s-1",
                             .restitution = restitution,
                             .friction = BEAD_FRICTION,
                             .mass = bead_mass,
                             .force = bead_force,
                             .potential_energy = bead_energy,
                             .constraints = bead_gap,
                             .constraint_jacobian = bead_normal,
                             .constraint_force_derivative = bead_force_derivative,
                             .constraint_rate_derivative = bead_rate_derivative,
                             .tangential_jacobian = bead_tangents,
                             .tangential_rate_derivative = bead_tangent_rates};
}

/* y = (q, v): N = m (v^2/r - g q_z/r) presses it, friction is mu N against v. */
static void bead_motion(const double *y, double *rate) {
    const double *v = y + BEAD;
    const double square = carom_vector_dot(BEAD, v, v);
    const double press = (square - GRAVITY * y[2]) / BOWL;
    for (int i = 0; i < BEAD; i++) {
        rate[i] = v[i];
        rate[BEAD + i] = -press * y[i] / BOWL - BEAD_FRICTION[0] * press * v[i] / sqrt(square) -
                         (i == 2 ? GRAVITY : 0.0);
    }
}

/* The classical method of fourth order. */
static void move_bead(double *y, double duration, int count) {
    const double h = duration / count;
    for (int k = 0; k < count; k++) {
        double slope[4][2 * BEAD];
        double at[2 * BEAD];
        const double part[4] = {0.0, 0.5, 0.5, 1.0};
        for (int s = 0; s < 4; s++) {
            for (int i = 0; i < 2 * BEAD; i++) {
                at[i] = y[i] + (s == 0 ? 0.0 : part[s] * h * slope[s - 1][i]);
            }
            bead_motion(at, slope[s]);
        }
        for (int i = 0; i < 2 * BEAD; i++) {
            y[i] += h / 6.0 * (slope[0][i] + 2.0 * slope[1][i] + 2.0 * slope[2][i] + slope[3][i]);
        }
    }
}

TEST(property, a_bead_that_slides_round_a_bowl_is_of_second_order) {
    const carom_mechanism mechanism = bead_in_bowl();
    const double q[BEAD] = {BOWL * sin(0.9), 0.0, -BOWL * cos(0.9)};
    const double v[BEAD] = {0.6 * cos(0.9), 3.1, 0.6 * sin(0.9)};
    const double duration = 0.4;
    const bool held[1] = {true};
    double exact[2 * BEAD];
    memcpy(exact, q, sizeof q);
    memcpy(exact + BEAD, v, sizeof v);
    move_bead(exact, duration, 4000);
    double errors[3] = {0.0};
    double balances[3] = {0.0};
    for (int k = 0; k < 3; k++) {
        const int count = 40 << k;
        carom_variational_stepper *stepper = stepper_at(&mechanism, duration / count, q, v, held);
        const carom_variational_result *now = carom_variational_stepper_result(stepper);
        const double begin = now->kinetic_energy + now->potential_energy;
        double lost = 0.0;
        for (int i = 0; i < count; i++) {
            now = advance(stepper);
            ck_assert(now->is_held[0]);
            lost += now->friction_work;
            ck_assert_double_le(hypot(now->friction_impulse[0], now->friction_impulse[1]),
                                BEAD_FRICTION[0] * now->holding_impulse[0] * (1.0 + 1e-12));
        }
        for (int i = 0; i < BEAD; i++) {
            errors[k] = fmax(errors[k], fabs(now->position[i] - exact[i]));
            errors[k] = fmax(errors[k], 0.1 * fabs(now->velocity[i] - exact[BEAD + i]));
        }
        balances[k] = fabs(now->kinetic_energy + now->potential_energy + lost - begin);
        carom_variational_stepper_free(stepper);
    }
    ck_assert_msg(errors[1] < 0.27 * errors[0] && errors[2] < 0.27 * errors[1], "%g %g %g",
                  errors[0], errors[1], errors[2]);
    ck_assert_msg(balances[2] < 0.3 * balances[1] && balances[2] < 1e-4, "%g %g %g", balances[0],
                  balances[1], balances[2]);
}

/* --------------------------------------------------------------------------- orders and units */

/* A cube on its four lower corners, more than carry it, that slides and turns; their order, its
 * units of mass, the length of the gaps. */
static void slide_cube(const int *order, double kilogram, double *end, double *lost) {
    body b;
    cube_init(&b, MASS * kilogram, 0.4, 0.3);
    b.force[2] = -MASS * kilogram * GRAVITY;
    body ordered = b;
    ordered.mechanism.context = &ordered;
    ordered.mechanism.friction = ordered.friction;
    ordered.mechanism.restitution = ordered.restitution;
    for (int j = 0; j < 4; j++) {
        memcpy(ordered.G + 6 * j, b.G + 6 * order[j], 6 * sizeof *b.G);
        memcpy(ordered.H + 12 * j, b.H + 12 * order[j], 12 * sizeof *b.H);
    }
    const double q[6] = {0.0};
    const double v[6] = {0.9, -0.4, 0.0, 0.0, 0.0, 1.7};
    const bool held[4] = {true, true, true, true};
    carom_variational_stepper *stepper = stepper_at(&ordered.mechanism, 2e-3, q, v, held);
    *lost = 0.0;
    for (int k = 0; k < 250; k++) {
        const carom_variational_result *now = advance(stepper);
        *lost += now->friction_work / kilogram;
        ck_assert_int_eq(now->impact_count, 0);
        memcpy(end, now->position, 6 * sizeof *end);
        memcpy(end + 6, now->velocity, 6 * sizeof *end);
    }
    carom_variational_stepper_free(stepper);
}

TEST(property, neither_the_order_of_contacts_nor_the_unit_of_mass_matters) {
    const int orders[3][4] = {{0, 1, 2, 3}, {3, 1, 0, 2}, {2, 3, 0, 1}};
    const double units[3] = {1.0, 1e3, 1e-3};
    double reference[12];
    double all = 0.0;
    slide_cube(orders[0], 1.0, reference, &all);
    // It has come to rest on the way, all of its energy lost.
    assert_close(all, 0.5 * MASS * (0.9 * 0.9 + 0.4 * 0.4 + 0.4 * 0.4 / 6.0 * 1.7 * 1.7), 1e-3,
                 0.0);
    for (int k = 1; k < 3; k++) {
        double end[12];
        double lost = 0.0;
        slide_cube(orders[k], units[k], end, &lost);
        for (int i = 0; i < 12; i++) {
            // Directions of sliding are known to 1e-12 of the momentum, and turn fast near the end.
            assert_close(end[i], reference[i], 0.0, 2e-8);
        }
        assert_close(lost, all, 1e-8, 0.0);
    }
}
