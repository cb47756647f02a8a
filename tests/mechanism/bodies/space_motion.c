/* Bodies in space on their way: closed forms, what is kept, and what a motion does not know. */
#include "space.h"

#include "../../units.h"

static carom_bodies_mass ball(double mass, double radius) {
    const carom_bodies_solid solid = sphere(0, radius, 0.0);
    return carom_bodies_uniform_in_space(1, &solid, mass);
}

/* --- one sphere --------------------------------------------------------------------------------
 */

/** A sphere that slides comes to roll with 5/7 of its speed, in the direction in which it slid. */
TEST(property, a_sphere_comes_to_roll) {
    const carom_bodies_mass body = ball(2.385, 0.4);
    const carom_bodies_solid solids[2] = {sphere(0, 0.4, 0.21), ground(0.21)};
    const carom_bodies_space_spec spec = spec_of(1, &body, 2, solids);
    CAROM_AUTO(carom_bodies) bodies = build(&spec);
    double q[POSITIONS];
    double v[VELOCITIES];
    place_body(q, v, 0, (double[]){0.0, 0.0, 0.4}, (double[]){1.7, -0.6, 0.0}, ZERO);
    /* it slides for 2 v/(7 mu g) = 0.25 s */
    CAROM_AUTO(carom_stepper) s = run(carom_bodies_mechanism(bodies), 1e-3, 150, q, v);
    const double speed = hypot(1.7, 0.6);
    const double slow = 1.0 - 0.21 * 9.81 * 0.15 / speed;
    assert_close(carom_stepper_result(s)->velocity[0], 1.7 * slow, 1e-9, 0.0);
    assert_close(carom_stepper_result(s)->velocity[1], -0.6 * slow, 1e-9, 0.0);
    for (int k = 0; k < 150; k++) {
        assert_ok(carom_stepper_advance(s, NULL));
    }
    const carom_step *end = carom_stepper_result(s);
    assert_close(end->velocity[0], 1.7 * 5.0 / 7.0, 1e-9, 0.0);
    assert_close(end->velocity[1], -0.6 * 5.0 / 7.0, 1e-9, 0.0);
    /* the angular velocity in space is (0.6, 1.7, 0) 5/7/r */
    double R[9];
    carom_rotation_matrix(end->position + 3, R);
    const double expected[3] = {0.6 * 5.0 / 7.0 / 0.4, 1.7 * 5.0 / 7.0 / 0.4, 0.0};
    for (int k = 0; k < 3; k++) {
        const double w = R[3 * k] * end->velocity[3] + R[3 * k + 1] * end->velocity[4] +
                         R[3 * k + 2] * end->velocity[5];
        assert_close(w, expected[k], 0.0, 1e-8);
    }
}

/** Down a slope it rolls with 5/7 g sin a, if tan a is below 7/2 mu. */
TEST(property, a_sphere_rolls_down_a_slope) {
    const double a = 0.3;
    const double normal[3] = {sin(a), 0.0, cos(a)};
    const carom_bodies_mass body = ball(0.7, 0.25);
    const carom_bodies_solid solids[2] = {sphere(0, 0.25, 0.3), half_space(normal, 0.3)};
    const carom_bodies_space_spec spec = spec_of(1, &body, 2, solids);
    CAROM_AUTO(carom_bodies) bodies = build(&spec);
    double q[POSITIONS];
    double v[VELOCITIES];
    place_body(q, v, 0, (double[]){0.25 * sin(a), 0.3, 0.25 * cos(a)}, ZERO, ZERO);
    CAROM_AUTO(carom_stepper) s = run(carom_bodies_mechanism(bodies), 1e-3, 500, q, v);
    const double speed = 5.0 / 7.0 * 9.81 * sin(a) * 0.5;
    const double *end = carom_stepper_result(s)->velocity;
    assert_close(end[0], speed * cos(a), 1e-8, 0.0);
    assert_close(end[2], -speed * sin(a), 1e-8, 0.0);
    assert_close(end[4], speed / 0.25, 1e-8, 0.0);
}

/** With spin against a plane: normal e, and the tangential impulse that ends sliding, which has the
 * effective mass 2 m/7, or mu times the normal one along it. Axes turn with the body by h w in the
 * step of the impact: it is of first order there. */
static void bounce(double friction, double e) {
    const double m = 1.3;
    const double r = 0.21;
    const double h = 1e-8;
    const carom_bodies_mass body = ball(m, r);
    carom_bodies_solid solids[2] = {sphere(0, r, friction), ground(friction)};
    solids[0].restitution = e;
    solids[1].restitution = e;
    carom_bodies_space_spec spec = spec_of(1, &body, 2, solids);
    spec.gravity[2] = 0.0;
    CAROM_AUTO(carom_bodies) bodies = build(&spec);
    double q[POSITIONS];
    double v[VELOCITIES];
    const double velocity[3] = {2.1, -0.8, -3.0};
    const double rate[3] = {7.0, -11.0, 5.0};
    place_body(q, v, 0, (double[]){0.0, 0.0, r + 2.5 * h * 3.0}, velocity, rate);
    CAROM_AUTO(carom_stepper) s = run(carom_bodies_mechanism(bodies), h, 5, q, v);
    /* of the surface: v + w x (-r e_z) */
    const double u[2] = {velocity[0] - r * rate[1], velocity[1] + r * rate[0]};
    const double most = friction * (1.0 + e) * m * 3.0;
    const double ends = 2.0 * m / 7.0 * hypot(u[0], u[1]);
    const double impulse = fmin(most, ends) / hypot(u[0], u[1]);
    const carom_step *end = carom_stepper_result(s);
    double R[9];
    carom_rotation_matrix(end->position + 3, R);
    double w[3];
    for (int k = 0; k < 3; k++) {
        w[k] = R[3 * k] * end->velocity[3] + R[3 * k + 1] * end->velocity[4] +
               R[3 * k + 2] * end->velocity[5];
    }
    const double J = 0.4 * m * r * r;
    const double turned = h * 14.0 * r * impulse * hypot(u[0], u[1]) / J;
    assert_close(end->velocity[0], velocity[0] - impulse * u[0] / m, 1e-9, r * turned);
    assert_close(end->velocity[1], velocity[1] - impulse * u[1] / m, 1e-9, r * turned);
    assert_close(end->velocity[2], 3.0 * e, 0.0, 1e-9);
    /* J dw = -r e_z x (-impulse u) */
    assert_close(w[0], rate[0] - r * impulse * u[1] / J, 1e-9, turned);
    assert_close(w[1], rate[1] + r * impulse * u[0] / J, 1e-9, turned);
    assert_close(w[2], rate[2], 1e-9, turned);
}

TEST(property, a_spinning_sphere_bounces_as_it_must) {
    bounce(0.1, 0.7);  /* slides all the while */
    bounce(1.5, 0.7);  /* rolls off */
    bounce(0.0, 0.35); /* keeps its spin */
}

/** Two spheres of other sizes off centre: e of the closing speed, momentum and spin kept, the rest
 * of the velocity too. */
TEST(property, two_spheres_collide_exactly) {
    const carom_bodies_mass body[2] = {ball(1.3, 0.2), ball(0.45, 0.31)};
    carom_bodies_solid solids[2] = {sphere(0, 0.2, 0.0), sphere(1, 0.31, 0.0)};
    solids[0].restitution = solids[1].restitution = 0.62;
    carom_bodies_space_spec spec = spec_of(2, body, 2, solids);
    spec.gravity[2] = 0.0;
    CAROM_AUTO(carom_bodies) bodies = build(&spec);
    double q[2 * POSITIONS];
    double v[2 * VELOCITIES];
    const double one[3] = {3.0, 0.4, -0.2};
    const double other[3] = {-1.0, 0.1, 0.3};
    const double h = 1e-9;
    /* n (0.2 + 0.31) apart, but for what they close in a step and a half */
    const double n[3] = {0.8, -0.36, sqrt(1.0 - 0.64 - 0.1296)};
    const double way[3] = {(other[0] - one[0]) * 1.5 * h, (other[1] - one[1]) * 1.5 * h,
                           (other[2] - one[2]) * 1.5 * h};
    place_body(q, v, 0, ZERO, one, (double[]){1.0, 2.0, 3.0});
    place_body(q, v, 1,
               (double[]){0.51 * n[0] - way[0], 0.51 * n[1] - way[1], 0.51 * n[2] - way[2]}, other,
               ZERO);
    CAROM_AUTO(carom_stepper) s = run(carom_bodies_mechanism(bodies), h, 10, q, v);
    const double closing =
        (one[0] - other[0]) * n[0] + (one[1] - other[1]) * n[1] + (one[2] - other[2]) * n[2];
    const double impulse = 1.62 * closing * 1.3 * 0.45 / 1.75;
    for (int k = 0; k < 3; k++) {
        const double *end = carom_stepper_result(s)->velocity;
        const double turned = 2.0 * h * 4.1 / 0.51 * impulse / 0.45;
        assert_close(end[k], one[k] - impulse / 1.3 * n[k], 0.0, turned);
        assert_close(end[VELOCITIES + k], other[k] + impulse / 0.45 * n[k], 0.0, turned);
        assert_close(1.3 * end[k] + 0.45 * end[VELOCITIES + k], 1.3 * one[k] + 0.45 * other[k], 0.0,
                     1e-14);
        assert_close(end[3 + k], 1.0 + k, 0.0, 1e-14);
    }
}

/* --- boxes -------------------------------------------------------------------------------------
 */

static carom_bodies_mass brick(double mass, const double edges[3]) {
    const carom_bodies_solid solid = cuboid(0, edges[0], edges[1], edges[2], 0.0);
    return carom_bodies_uniform_in_space(1, &solid, mass);
}

/** A crate on a slope within the cone lies where it is after 1e5 steps, on four corners: to what
 * the residuals of so many steps, each 1e-10 of what gravity moves in it, can add up to. */
TEST(property, a_box_on_a_slope_rests_for_1e5_steps) {
    enum { STEPS = 100000 };
    const double a = 0.31;
    const double h = 1e-3;
    const double normal[3] = {sin(a), 0.0, cos(a)};
    const double edges[3] = {0.5, 0.4, 0.3};
    const carom_bodies_mass body = brick(7.3, edges);
    const carom_bodies_solid solids[2] = {cuboid(0, 0.5, 0.4, 0.3, 0.4), half_space(normal, 0.4)};
    const carom_bodies_space_spec spec = spec_of(1, &body, 2, solids);
    CAROM_AUTO(carom_bodies) bodies = build(&spec);
    double q[POSITIONS];
    double v[VELOCITIES];
    place_body(q, v, 0, (double[]){0.15 * sin(a), 0.0, 0.15 * cos(a)}, ZERO, ZERO);
    const double turn[3] = {0.0, a, 0.0};
    carom_rotation_advance(NO_TURN, turn, q + 3);
    CAROM_AUTO(carom_stepper) s = run(carom_bodies_mechanism(bodies), h, STEPS, q, v);
    ck_assert_int_eq(carom_bodies_contact_count(bodies), 4);
    for (int i = 0; i < POSITIONS; i++) {
        assert_close(carom_stepper_result(s)->position[i], q[i], 0.0, STEPS * 1e-10 * 9.81 * h * h);
    }
}

/** A box that tumbles freely: what of its energy and of its spin in space it has lost after 2 s. */
static void tumble(int steps, double lost[2], double momentum_error[3]) {
    const double edges[3] = {0.5, 0.3, 0.1};
    const carom_bodies_mass body = brick(1.7, edges);
    carom_bodies_space_spec spec = spec_of(1, &body, 0, NULL);
    spec.gravity[2] = 0.0;
    CAROM_AUTO(carom_bodies) bodies = build(&spec);
    double q[POSITIONS];
    double v[VELOCITIES];
    const double rate[3] = {0.9, 5.0, 0.6}; /* about the middle axis, on which it turns over */
    place_body(q, v, 0, ZERO, (double[]){0.3, -0.2, 0.1}, rate);
    CAROM_AUTO(carom_stepper) s = run(carom_bodies_mechanism(bodies), 2.0 / steps, 1, q, v);
    double least = 5.0;
    for (int k = 1; k < steps; k++) {
        assert_ok(carom_stepper_advance(s, NULL));
        least = fmin(least, carom_stepper_result(s)->velocity[4]);
    }
    const carom_step *end = carom_stepper_result(s);
    double energy[2] = {0.0, 0.0};
    double R[9];
    carom_rotation_matrix(end->position + 3, R);
    double spin = 0.0;
    for (int k = 0; k < 3; k++) {
        energy[0] += body.inertia[k] * rate[k] * rate[k];
        energy[1] += body.inertia[k] * end->velocity[3 + k] * end->velocity[3 + k];
        double after = 0.0;
        for (int i = 0; i < 3; i++) {
            after += R[3 * k + i] * body.inertia[i] * end->velocity[3 + i];
        }
        spin = hypot(spin, after - body.inertia[k] * rate[k]);
        momentum_error[k] = end->velocity[k] - v[k];
    }
    lost[0] = fabs(energy[1] / energy[0] - 1.0);
    lost[1] = spin / (body.inertia[1] * 5.0);
    ck_assert_double_lt(least, -1.0); /* it has turned over */
}

/** theta = 1/2 is of second order: half the step, a quarter of the error. */
TEST(property, a_tumbling_box_keeps_energy_and_spin_to_second_order) {
    double error[3][2];
    for (int k = 0; k < 3; k++) {
        double momentum[3];
        tumble(1000 << k, error[k], momentum);
        for (int i = 0; i < 3; i++) {
            ck_assert_double_eq(momentum[i], 0.0);
        }
    }
    for (int what = 0; what < 2; what++) {
        for (int k = 0; k < 2; k++) {
            assert_close(error[k][what] / error[k + 1][what], 4.0, 0.05, 0.0);
        }
        ck_assert_double_lt(error[2][what], 1e-4);
    }
}

/* --- what a motion does not know ---------------------------------------------------------------
 */

enum { BODIES = 5, SOLIDS = 8, STEPS = 250 };

/** Three spheres, a box with a ball and a capsule fall on a rough floor, each other and a wall.
 * World turned by p, bodies in an order, told in units; where they end. */
static int move(test_units u, const double p[4], bool is_reversed, double end[BODIES][3]) {
    static const double places[BODIES][3] = {
        {0.0, 0.0, 0.55}, {0.1, 0.05, 1.05}, {-0.9, 0.1, 0.4}, {-0.75, 0.3, 1.1}, {1.1, 0.2, 0.5}};
    static const double speeds[BODIES][6] = {{0.3, -0.1, -0.5, 0.7, 0.2, -1.0},
                                             {0.1, 0.1, -1.0, 2.0, 0.0, 1.0},
                                             {1.4, 0.2, -0.3, 0.0, 0.0, 0.0},
                                             {0.5, -0.2, 0.0, 0.0, 3.0, 0.0},
                                             {-0.9, 0.3, 0.4, 1.0, 2.0, -0.5}};
    double R[9];
    carom_rotation_matrix(p, R);
    carom_bodies_mass bodies[BODIES];
    carom_bodies_solid solids[SOLIDS];
    double q[BODIES * POSITIONS];
    double v[BODIES * VELOCITIES];
    const double L = u.length;
    const double a[3] = {-0.2 * L, 0.0, 0.0};
    const double b[3] = {0.2 * L, 0.05 * L, 0.0};
    for (int k = 0; k < BODIES; k++) {
        const int at = is_reversed ? BODIES - 1 - k : k;
        solids[k] = at == 0   ? cuboid(k, 0.5 * L, 0.4 * L, 0.45 * L, 0.0)
                    : at == 4 ? capsule(k, a, b, 0.15 * L, 0.0)
                              : sphere(k, (0.2 + 0.03 * at) * L, 0.0);
        bodies[k] = carom_bodies_uniform_in_space(1, &solids[k], (0.7 + 0.2 * at) * u.mass);
        for (int i = 0; i < 3; i++) {
            q[POSITIONS * k + i] = 0.0;
            v[VELOCITIES * k + i] = 0.0;
            v[VELOCITIES * k + 3 + i] = speeds[at][3 + i] / u.time;
            for (int j = 0; j < 3; j++) {
                const double *c = bodies[k].center;
                q[POSITIONS * k + i] += R[3 * i + j] * (L * places[at][j] + c[j]);
                v[VELOCITIES * k + i] += R[3 * i + j] * L / u.time * speeds[at][j];
            }
        }
        memcpy(q + POSITIONS * k + 3, p, 4 * sizeof *p);
    }
    const double up[3] = {R[2], R[5], R[8]};
    const double wall[3] = {-R[0], -R[3], -R[6]};
    solids[BODIES] = half_space(up, 0.0);
    solids[BODIES + 1] = half_space(wall, 0.0);
    solids[BODIES + 2] = sphere(CAROM_BODIES_GROUND, 0.1 * L, 0.0);
    for (int k = 0; k < 3; k++) {
        solids[BODIES + 1].place[k] = -2.0 * L * wall[k];
        solids[BODIES + 2].place[k] = L * (R[3 * k] * 0.45 + R[3 * k + 2] * 0.05);
    }
    for (int k = 0; k < SOLIDS; k++) {
        solids[k].friction = 0.3;
        solids[k].restitution = 0.25;
    }
    carom_bodies_space_spec spec = spec_of(BODIES, bodies, SOLIDS, solids);
    for (int k = 0; k < 3; k++) {
        spec.gravity[k] = -9.81 * L / (u.time * u.time) * up[k];
    }
    CAROM_AUTO(carom_bodies) built = build(&spec);
    CAROM_AUTO(carom_stepper) s = run(carom_bodies_mechanism(built), 1e-3 * u.time, 1, q, v);
    int most = 0;
    for (int k = 0; k < STEPS; k++) {
        assert_ok(carom_stepper_advance(s, NULL));
        const int count = carom_bodies_contact_count(built);
        most = count > most ? count : most;
    }
    for (int k = 0; k < BODIES; k++) {
        const double *own = carom_stepper_result(s)->position + POSITIONS * k;
        for (int i = 0; i < 3; i++) {
            end[is_reversed ? BODIES - 1 - k : k][i] =
                (R[i] * own[0] + R[3 + i] * own[1] + R[6 + i] * own[2]) / L;
        }
    }
    return most;
}

static void assert_same(double (*other)[3], double (*one)[3]) {
    for (int k = 0; k < BODIES; k++) {
        for (int i = 0; i < 3; i++) {
            /* steps are solved to 1e-10; impacts of few bodies make little more of it */
            assert_close(other[k][i], one[k][i], 0.0, 1e-7);
        }
    }
}

TEST(property, a_motion_is_the_same_in_any_units) {
    const test_units plain = {1.0, 1.0, 1.0};
    double one[BODIES][3];
    const int most = move(plain, NO_TURN, false, one);
    ck_assert_int_ge(most, 6);
    for (int c = 0; c < CHANGE_OF_UNITS_COUNT; c++) {
        double other[BODIES][3];
        ck_assert_int_eq(move(CHANGES_OF_UNITS[c], NO_TURN, false, other), most);
        assert_same(other, one);
    }
}

TEST(property, a_motion_turns_with_the_world) {
    const test_units plain = {1.0, 1.0, 1.0};
    double one[BODIES][3];
    (void)move(plain, NO_TURN, false, one);
    gsl_rng *generator = seeded_generator(5);
    for (int k = 0; k < 6; k++) {
        double turn[3];
        double p[4];
        double other[BODIES][3];
        for (int i = 0; i < 3; i++) {
            turn[i] = uniform(generator, -3.0, 3.0);
        }
        carom_rotation_advance(NO_TURN, turn, p);
        (void)move(plain, p, false, other);
        assert_same(other, one);
    }
    gsl_rng_free(generator);
}

TEST(property, a_motion_does_not_know_the_order_of_bodies) {
    const test_units plain = {1.0, 1.0, 1.0};
    double one[BODIES][3];
    double other[BODIES][3];
    (void)move(plain, NO_TURN, false, one);
    (void)move(plain, NO_TURN, true, other);
    assert_same(other, one);
}

/** The cost of a step is linear: from a hundred to ten thousand contacts of spheres in layers the
 * search looks at no more pairs for each. Time is not measured here, pairs are counted. */
TEST(property, rows_are_in_proportion_to_spheres) {
    for (int side = 4; side <= 20; side *= 2) {
        const int count = side * side * side;
        carom_bodies_mass *bodies = malloc((size_t)count * sizeof *bodies);
        carom_bodies_solid *solids = malloc(((size_t)count + 1) * sizeof *solids);
        double *q = malloc((size_t)count * POSITIONS * sizeof *q);
        double *v = malloc((size_t)count * VELOCITIES * sizeof *v);
        ck_assert(bodies != NULL && solids != NULL && q != NULL && v != NULL);
        for (int k = 0; k < count; k++) {
            bodies[k] = ball(1.0, 0.5);
            solids[k] = sphere(k, 0.5, 0.3);
            const int row = k / side % side;
            const int layer = k / side / side;
            place_body(q, v, k, (double[]){k % side, row, 0.5 + layer}, ZERO, ZERO);
        }
        solids[count] = ground(0.3);
        const carom_bodies_space_spec spec = spec_of(count, bodies, count + 1, solids);
        CAROM_AUTO(carom_bodies) built = build(&spec);
        const carom_mechanism *m = carom_bodies_mechanism(built);
        assert_ok(m->update_contacts(0.0, 1e-3, q, v, NULL, NULL, m->context));
        ck_assert_int_eq(carom_bodies_contact_count(built),
                         3 * side * side * (side - 1) + side * side);
        free(bodies);
        free(solids);
        free(q);
        free(v);
    }
}
