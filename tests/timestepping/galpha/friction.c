/* Friction in steps of fixed length: closed forms of sticking, sliding, rolling and impacts. */
#include "friction_bodies.h"

#include <carom/mechanism/planar_tree.h>
#include <carom/models/bouncing_pendulum.h>

/* Rounding of the sums of a step. */
static const double ROUNDING = 1e-13;

/* ------------------------------------------------------------ slopes and planes */

TEST(unit, a_block_sticks_below_the_friction_angle_and_slides_above) {
    const double mu = 0.437;
    const double way = 0.7;
    for (int k = 0; k < 2 * SCHEME_COUNT; k++) {
        const bool is_space = k % 2 == 1;
        const carom_stepper_params params = scheme_with_step(SCHEMES[k / 2], 1e-3);
        body b;
        if (is_space) {
            cube_init(&b, MASS, 0.7, mu);
        } else {
            point_init(&b, MASS, mu);
        }
        const double turn = is_space ? way : 0.0;
        b.q[0] = 1.37;
        tilt(&b, atan(0.999 * mu), turn);
        carom_stepper *stepper = stepped(&b.mechanism, &params, b.q, b.v, 100);
        const carom_step *step = carom_stepper_result(stepper);
        for (int i = 0; i < b.mechanism.coordinate_count; i++) {
            /* what the tolerance leaves of the first steps, from no impulse to the limit */
            assert_close(step->position[i], b.q[i], 0.0, 1e-14);
        }
        carom_stepper_free(stepper);

        const double slope = atan(1.1 * mu);
        tilt(&b, slope, turn);
        stepper = stepped(&b.mechanism, &params, b.q, b.v, 100);
        step = carom_stepper_result(stepper);
        const double speed = GRAVITY * (sin(slope) - mu * cos(slope)) * 0.1;
        assert_close(step->velocity[0], speed * cos(turn), ROUNDING, 0.0);
        assert_close(step->velocity[1], is_space ? speed * sin(turn) : 0.0, ROUNDING, 1e-15);
        carom_stepper_free(stepper);
    }
}

/* x by theta: v_n - mu g h in each step, until it stands. */
TEST(unit, a_block_stops_after_v_squared_over_2_mu_g) {
    const double mu = 0.3;
    const double v0 = 1.7;
    const double deceleration = mu * GRAVITY;
    const int steps = 250;
    body b;
    point_init(&b, MASS, mu);
    tilt(&b, 0.0, 0.0);
    b.v[0] = v0;
    carom_stepper_params params = scheme_with_step(CAROM_SCHEME_MOREAU_JEAN, 0.0);
    params.step = v0 / deceleration / steps; /* it stands at the end of a step */
    params.theta = 0.5;
    for (int k = 0; k < SCHEME_COUNT; k++) {
        params.scheme = SCHEMES[k];
        carom_stepper *stepper = stepped(&b.mechanism, &params, b.q, b.v, steps + 30);
        const carom_step *step = carom_stepper_result(stepper);
        assert_close(step->position[0], v0 * v0 / (2.0 * deceleration), ROUNDING, 0.0);
        assert_close(step->velocity[0], 0.0, 0.0, ROUNDING);
        carom_stepper_free(stepper);
    }
}

TEST(unit, a_trajectory_keeps_the_impulses_of_friction) {
    const double mu = 0.3;
    body b;
    sphere_init(&b, MASS, 0.5, mu);
    tilt(&b, 0.0, 0.0);
    b.v[0] = 3.0;
    b.v[1] = -4.0;
    const carom_stepper_params params = scheme_with_step(CAROM_SCHEME_MOREAU_JEAN, 1e-3);
    carom_trajectory *t = run_mechanism(&b.mechanism, &params, b.q, b.v, 0.01);
    const double limit = mu * MASS * GRAVITY * params.step;
    for (int row = 0; row < t->row_count; row++) {
        const double part = row == 0 ? 0.0 : 1.0; /* it slides in every step */
        assert_close(run_at(t->friction_impulse, 2, row, 0), -0.6 * limit * part, ROUNDING, 0.0);
        assert_close(run_at(t->friction_impulse, 2, row, 1), 0.8 * limit * part, ROUNDING, 0.0);
    }
    carom_trajectory_free(t);
}

/* What the place changes in some steps of rest: a part of 1e-12 of a body of 1 m in 1e6 steps. */
static void check_creep(const carom_mechanism *mechanism, carom_scheme scheme, double h,
                        const double *q, int steps) {
    carom_stepper_params params = scheme_with_step(scheme, h);
    params.tie_tolerance = 1e-14; /* rounding adds up to more */
    const double rest[BODY_COORDINATES] = {0.0};
    carom_stepper *stepper = stepped(mechanism, &params, q, rest, steps);
    const carom_step *step = carom_stepper_result(stepper);
    for (int i = 0; i < mechanism->coordinate_count; i++) {
        assert_close(step->position[i], q[i], 0.0, 1e-18 * steps);
    }
    carom_stepper_free(stepper);
}

/* A square of the plane on a slope, by its corners: a tree whose rows turn. */
static carom_planar_tree *square_on_slope(double edge, double slope, double mu, double *q) {
    const carom_planar_body square = carom_planar_floating(carom_planar_box(MASS, edge, edge));
    const carom_planar_wall wall = {{0.3, -0.2}, {-sin(slope), cos(slope)}};
    const double half = 0.5 * edge;
    const carom_planar_contact corners[2] = {carom_planar_corner_on_wall(0, -half, -half, wall, mu),
                                             carom_planar_corner_on_wall(0, half, -half, wall, mu)};
    carom_planar_tree_spec spec = carom_planar_tree_spec_default();
    spec.body_count = 1;
    spec.bodies = &square;
    spec.contact_count = 2;
    spec.contacts = corners;
    carom_planar_tree *tree = NULL;
    assert_ok(carom_planar_tree_alloc(&spec, &tree, NULL));
    q[0] = wall.point[0] + 1.37 * cos(slope) - half * sin(slope);
    q[1] = wall.point[1] + 1.37 * sin(slope) + half * cos(slope);
    q[2] = slope;
    return tree;
}

TEST(property, what_sticks_on_a_slope_does_not_creep) {
    gsl_rng *generator = seeded_generator(7);
    for (int k = 0; k < 24; k++) {
        const carom_scheme scheme = SCHEMES[k % SCHEME_COUNT];
        const double slope = uniform(generator, 0.01, 0.45);
        const double h = pow(10.0, uniform(generator, -4.0, -2.0));
        double q[3];
        carom_planar_tree *tree = square_on_slope(1.0, slope, 0.5, q);
        check_creep(carom_planar_tree_mechanism(tree), scheme, h, q, 1000);
        carom_planar_tree_free(tree);
        body b;
        cube_init(&b, uniform(generator, 0.3, 5.0), uniform(generator, 0.2, 2.0), 0.5);
        tilt(&b, slope, uniform(generator, 0.0, 6.0));
        b.q[0] = uniform(generator, -2.0, 2.0);
        b.q[1] = uniform(generator, -2.0, 2.0);
        check_creep(&b.mechanism, scheme, h, b.q, 1000);
    }
    gsl_rng_free(generator);
}

/* A block b wide and H high slides where mu < tan(slope) and mu < b/H; where tan(slope) > b/H and
 * mu > b/H it tips about its lower corner, (I + m (b^2 + H^2)/4) theta'' = m g (H sin - b cos)/2.
 */
TEST(unit, a_block_on_a_slope_tips_or_slides) {
    const double width = 0.3;
    const double height = 0.8; /* b/H = 0.375 */
    const double slope = atan(0.5);
    for (int k = 0; k < 2 * SCHEME_COUNT; k++) {
        const bool tips = k % 2 == 1;
        const double mu = tips ? 0.9 : 0.3;
        const carom_planar_shape shape = carom_planar_box(MASS, width, height);
        const carom_planar_body block = carom_planar_floating(shape);
        const carom_planar_contact corners[2] = {
            carom_planar_corner_on_wall(0, -0.5 * width, -0.5 * height, carom_planar_floor(0.0),
                                        mu),
            carom_planar_corner_on_wall(0, 0.5 * width, -0.5 * height, carom_planar_floor(0.0),
                                        mu)};
        carom_planar_tree_spec spec = carom_planar_tree_spec_default();
        spec.body_count = 1;
        spec.bodies = &block;
        spec.contact_count = 2;
        spec.contacts = corners;
        spec.gravity[0] = GRAVITY * sin(slope);
        spec.gravity[1] = -GRAVITY * cos(slope);
        carom_planar_tree *tree = NULL;
        assert_ok(carom_planar_tree_alloc(&spec, &tree, NULL));
        const double q[3] = {0.0, 0.5 * height, 0.0};
        const double v[3] = {0.0};
        const int steps = 100;
        const carom_stepper_params params = scheme_with_step(SCHEMES[k / 2], 1e-5);
        carom_stepper *stepper = stepped(carom_planar_tree_mechanism(tree), &params, q, v, steps);
        const carom_step *step = carom_stepper_result(stepper);
        const double time = 1e-5 * steps;
        if (tips) {
            const double inertia = shape.inertia + 0.25 * MASS * (width * width + height * height);
            const double moment = 0.5 * MASS * GRAVITY * (height * sin(slope) - width * cos(slope));
            /* the first order of the scheme and of the arm, which turns */
            assert_close(step->velocity[2], -moment / inertia * time, 1e-5, 0.0);
            ck_assert(!step->velocity_active[0] && step->velocity_active[1]);
        } else {
            assert_close(step->velocity[0], GRAVITY * (sin(slope) - mu * cos(slope)) * time, 1e-9,
                         0.0);
            assert_close(step->velocity[2], 0.0, 0.0, ROUNDING);
            ck_assert(step->velocity_active[0] && step->velocity_active[1]);
        }
        carom_stepper_free(stepper);
        carom_planar_tree_free(tree);
    }
}

/* ------------------------------------------------------------ rolling and impacts */

/* A disc or a sphere that slides at v0 without spin slows down by mu g and rolls after
 * v0 (1 - part)/(mu g) at part v0: 2/3 and 5/7. */
TEST(unit, a_disc_rolls_at_two_thirds_of_its_speed_and_a_sphere_at_five_sevenths) {
    const double radius = 0.37;
    const double mu = 0.23;
    const double way = 0.6;
    const double v0 = 1.9;
    for (int k = 0; k < 2 * SCHEME_COUNT; k++) {
        const bool is_space = k % 2 == 1;
        const double part = is_space ? 5.0 / 7.0 : 2.0 / 3.0;
        const double duration = v0 * (1.0 - part) / (mu * GRAVITY);
        const int steps = 64;
        carom_stepper_params params = scheme_with_step(SCHEMES[k / 2], duration / steps);
        body b;
        if (is_space) {
            sphere_init(&b, MASS, radius, mu);
        } else {
            disc_init(&b, MASS, radius, mu);
        }
        tilt(&b, 0.0, 0.0);
        const double turn = is_space ? way : 0.0;
        b.v[0] = v0 * cos(turn);
        b.v[1] = is_space ? v0 * sin(turn) : 0.0;
        /* halfway it slides, later it rolls */
        for (int when = 0; when < 2; when++) {
            carom_stepper *stepper =
                stepped(&b.mechanism, &params, b.q, b.v, when == 0 ? steps / 2 : 2 * steps);
            const carom_step *step = carom_stepper_result(stepper);
            const double speed = when == 0 ? v0 - 0.5 * mu * GRAVITY * duration : part * v0;
            assert_close(step->velocity[0], speed * cos(turn), ROUNDING, 0.0);
            if (is_space) {
                assert_close(step->velocity[1], speed * sin(turn), ROUNDING, 0.0);
            }
            const double rolling = fabs(step->sliding_velocity[0]);
            ck_assert(when == 0 ? rolling > 0.1 * v0 : rolling < ROUNDING * v0);
            carom_stepper_free(stepper);
        }
    }
}

/* Lambda_n = (1 + e) m |v_n|; Lambda_t = -m_t u_t with 1/m_t = 1/m + R^2/I if that is within
 * mu Lambda_n, else of that length. */
static void check_oblique_impact(gsl_rng *generator, carom_scheme scheme, int tangents) {
    const double radius = uniform(generator, 0.1, 0.9);
    const double mu = uniform(generator, 0.01, 0.8);
    body b;
    if (tangents == 2) {
        sphere_init(&b, MASS, radius, mu);
    } else {
        disc_init(&b, MASS, radius, mu);
    }
    b.restitution[0] = uniform(generator, 0.0, 1.0);
    const int n = b.mechanism.coordinate_count;
    for (int i = 0; i < n; i++) {
        b.v[i] = uniform(generator, -2.0, 2.0);
    }
    const double approach = uniform(generator, 0.1, 2.0);
    b.v[tangents] = -approach;

    double sliding[2] = {0.0, 0.0};
    for (int a = 0; a < tangents; a++) {
        for (int i = 0; i < n; i++) {
            sliding[a] += b.H[a * n + i] * b.v[i];
        }
    }
    const double normal = (1.0 + b.restitution[0]) * MASS * approach;
    const double part = tangents == 2 ? 0.4 : 0.5; /* I = part m R^2 */
    const double sticking = MASS * part / (1.0 + part) * hypot(sliding[0], sliding[1]);
    const double length = fmin(sticking, mu * normal);

    const carom_stepper_params params = scheme_with_step(scheme, 1e-3);
    carom_stepper *stepper = stepped(&b.mechanism, &params, b.q, b.v, 1);
    const carom_step *step = carom_stepper_result(stepper);
    assert_close(step->impulse[0], normal, ROUNDING, 0.0);
    double kinetic = 0.0;
    double before = 0.0;
    for (int a = 0; a < tangents; a++) {
        const double expected = -length * sliding[a] / hypot(sliding[0], sliding[1]);
        assert_close(step->friction_impulse[a], expected, ROUNDING, ROUNDING * normal);
        assert_close(step->sliding_velocity[a], sliding[a] * (1.0 - length / sticking), ROUNDING,
                     8.0 * ROUNDING);
    }
    for (int i = 0; i < n; i++) {
        double impulse = b.G[i] * normal;
        for (int a = 0; a < tangents; a++) {
            impulse += b.H[a * n + i] * step->friction_impulse[a];
        }
        assert_close(step->velocity[i], b.v[i] + impulse / b.mass[i], ROUNDING, ROUNDING);
        kinetic += 0.5 * b.mass[i] * step->velocity[i] * step->velocity[i];
        before += 0.5 * b.mass[i] * b.v[i] * b.v[i];
    }
    ck_assert_msg(kinetic <= before * (1.0 + ROUNDING), "%.17g > %.17g", kinetic, before);
    carom_stepper_free(stepper);
}

TEST(property, oblique_impacts_with_spin_stick_or_slide) {
    gsl_rng *generator = seeded_generator(20261127);
    for (int k = 0; k < 400; k++) {
        check_oblique_impact(generator, SCHEMES[k % SCHEME_COUNT], 1 + k / SCHEME_COUNT % 2);
    }
    gsl_rng_free(generator);
}

/* Housner 1963: a block that rocks on one corner goes on about the other with 1 - 3/2 sin^2 alpha
 * of its rate, tan alpha = b/H. */
TEST(unit, a_rocking_block_keeps_one_minus_three_halves_sine_squared_of_its_rate) {
    const double width = 0.41;
    const double height = 0.93;
    const double rate = -0.8; /* about the left corner */
    const double alpha = atan2(width, height);
    for (int k = 0; k < SCHEME_COUNT; k++) {
        const carom_planar_body block =
            carom_planar_floating(carom_planar_box(MASS, width, height));
        const carom_planar_contact corners[2] = {
            carom_planar_corner_on_wall(0, -0.5 * width, -0.5 * height, carom_planar_floor(0.0),
                                        2.0),
            carom_planar_corner_on_wall(0, 0.5 * width, -0.5 * height, carom_planar_floor(0.0),
                                        2.0)};
        carom_planar_tree_spec spec = carom_planar_tree_spec_default();
        spec.body_count = 1;
        spec.bodies = &block;
        spec.contact_count = 2;
        spec.contacts = corners;
        carom_planar_tree *tree = NULL;
        assert_ok(carom_planar_tree_alloc(&spec, &tree, NULL));
        const double q[3] = {0.0, 0.5 * height, 0.0};
        const double v[3] = {-rate * 0.5 * height, rate * 0.5 * width, rate};
        const carom_stepper_params params = scheme_with_step(SCHEMES[k], 1e-9);
        carom_stepper *stepper = stepped(carom_planar_tree_mechanism(tree), &params, q, v, 1);
        const carom_step *step = carom_stepper_result(stepper);
        /* the step turns the block by 1e-9 and gravity acts as long */
        assert_close(step->velocity[2], (1.0 - 1.5 * sin(alpha) * sin(alpha)) * rate, 1e-7, 0.0);
        ck_assert(!step->velocity_active[0] && step->velocity_active[1]);
        ck_assert(step->constraint_rate[0] > 0.0);
        carom_stepper_free(stepper);
        carom_planar_tree_free(tree);
    }
}

/* Two points of a plane, (x, y, z) each, that a bar along x keeps apart slide in its direction with
 * the deceleration (mu_1 m_1 + mu_2 m_2) g/(m_1 + m_2), and the bar carries the difference. */
TEST(unit, two_blocks_on_a_bar_share_their_friction) {
    const double mu[2] = {0.45, 0.17};
    const double mass[2] = {1.3, 2.9};
    const double h = 1e-3;
    const int steps = 200;
    const double deceleration = (mu[0] * mass[0] + mu[1] * mass[1]) * GRAVITY / (mass[0] + mass[1]);
    for (int k = 0; k < SCHEME_COUNT; k++) {
        body b;
        body_init(&b, 6, 2, 2);
        b.mechanism.joint_count = 1;
        b.G[0] = 1.0;
        b.G[3] = -1.0;
        for (int j = 0; j < 2; j++) {
            b.friction[j] = mu[j];
            b.v[3 * j] = 1.9;
            b.force[3 * j + 2] = -mass[j] * GRAVITY;
            b.G[6 * (1 + j) + 3 * j + 2] = 1.0;
            for (int i = 0; i < 3; i++) {
                b.mass[3 * j + i] = mass[j];
            }
            for (int a = 0; a < 2; a++) {
                b.H[6 * (2 * j + a) + 3 * j + a] = 1.0;
            }
        }
        const carom_stepper_params params = scheme_with_step(SCHEMES[k], h);
        carom_stepper *stepper = stepped(&b.mechanism, &params, b.q, b.v, steps);
        const carom_step *step = carom_stepper_result(stepper);
        assert_close(step->velocity[0], 1.9 - deceleration * h * steps, ROUNDING, 0.0);
        assert_close(step->velocity[3], step->velocity[0], ROUNDING, 0.0);
        const double bar = h * step->force[0] + step->impulse[0];
        assert_close(bar, mass[0] * h * (mu[0] * GRAVITY - deceleration), ROUNDING, 0.0);
        carom_stepper_free(stepper);
    }
}

/* A pendulum in redundant coordinates strikes a rough wall: with one degree of freedom the rate
 * after is -e times that before, and (J + m l^2) times its change is G Lambda_n + H Lambda_t with
 * Lambda_t = -mu Lambda_n against the sliding after. */

typedef struct rough_pendulum {
    carom_mechanism mechanism;
    carom_model *model;
    double friction;
} rough_pendulum;

static void pendulum_tangent(const double *q, double *H, void *context) {
    (void)q;
    (void)context;
    H[0] = 0.0;
    H[1] = 1.0;
    H[2] = 0.0;
}

static void rough_pendulum_init(rough_pendulum *p, const carom_bouncing_pendulum_params *params,
                                double mu) {
    assert_ok(carom_bouncing_pendulum_alloc(params, &p->model, NULL));
    p->friction = mu;
    p->mechanism = p->model->mechanism;
    p->mechanism.tangent_count = 1;
    p->mechanism.friction = &p->friction;
    p->mechanism.tangential_jacobian = pendulum_tangent;
}

TEST(unit, a_pendulum_with_joints_strikes_a_rough_wall) {
    const double mu = 0.35;
    carom_bouncing_pendulum_params params = carom_bouncing_pendulum_params_default();
    params.initial_angle = -acos(params.wall_position / params.length);
    params.initial_rate = -2.3;
    rough_pendulum p;
    rough_pendulum_init(&p, &params, mu);
    const double G = -params.length * sin(params.initial_angle);
    const double H = params.length * cos(params.initial_angle);
    const double inertia = params.inertia + params.mass * params.length * params.length;
    const double after = -params.restitution * params.initial_rate;
    const double normal = inertia * (after - params.initial_rate) / (G - mu * H);
    for (int k = 0; k < SCHEME_COUNT; k++) {
        const carom_stepper_params scheme = scheme_with_step(SCHEMES[k], 1e-9);
        carom_stepper *stepper =
            stepped(&p.mechanism, &scheme, p.model->initial_position, p.model->initial_velocity, 1);
        const carom_step *step = carom_stepper_result(stepper);
        assert_close(step->velocity[2], after, 1e-7, 0.0);
        assert_close(step->impulse[2], normal, 1e-7, 0.0);
        assert_close(step->friction_impulse[0], -mu * normal, 1e-7, 0.0);
        assert_close(step->constraint_rate[0], 0.0, 0.0, 1e-9);
        carom_stepper_free(stepper);
    }
    carom_model_free(p.model);
}

/* ------------------------------------------------------------ convergence */

/* A block on a spring before friction: half swings about +-mu m g/k, each by 2 mu m g/k smaller,
 * until one ends where the spring is weaker than friction. */
static double spring_block(double omega, double shift, double x0, double t) {
    const double half = acos(-1.0) / omega;
    double amplitude = x0 - shift;
    double center = shift;
    while (t > half) {
        t -= half;
        const double end = center - amplitude;
        if (fabs(end) <= shift) {
            return end;
        }
        center = end > 0.0 ? shift : -shift;
        amplitude = end - center;
    }
    return center + amplitude * cos(omega * t);
}

static double spring_block_order(carom_scheme scheme, double theta, double duration) {
    enum { COUNT = 4 };
    static const double h[COUNT] = {8e-3, 4e-3, 2e-3, 1e-3};
    const double stiffness = 173.0;
    const double mu = 0.21;
    const double x0 = 0.31;
    const double shift = mu * MASS * GRAVITY / stiffness;
    double error[COUNT];
    for (int i = 0; i < COUNT; i++) {
        body b;
        point_init(&b, MASS, mu);
        b.stiffness = stiffness;
        tilt(&b, 0.0, 0.0);
        b.q[0] = x0;
        carom_stepper_params params = scheme_with_step(scheme, h[i]);
        params.theta = theta;
        const int steps = (int)lround(duration / h[i]);
        carom_stepper *stepper = started(&b.mechanism, &params, b.q, b.v);
        error[i] = 0.0;
        for (int k = 1; k <= steps; k++) {
            assert_ok(carom_stepper_advance(stepper, NULL));
            const double exact = spring_block(sqrt(stiffness / MASS), shift, x0, k * h[i]);
            error[i] += h[i] * fabs(carom_stepper_result(stepper)->position[0] - exact);
        }
        carom_stepper_free(stepper);
    }
    return fitted_slope(COUNT, h, error);
}

TEST(property, sliding_converges_to_the_order_of_the_scheme_and_with_turns_to_the_first) {
    static const struct {
        carom_scheme scheme;
        double theta;
        double order;
    } cases[] = {{CAROM_SCHEME_MOREAU_JEAN, NAN, 1.0},
                 {CAROM_SCHEME_MOREAU_JEAN, 0.5, 2.0},
                 {CAROM_SCHEME_VELOCITY_GALPHA, NAN, 2.0},
                 {CAROM_SCHEME_NONSMOOTH_GALPHA, NAN, 2.0}};
    for (int k = 0; k < 4; k++) {
        const double smooth = spring_block_order(cases[k].scheme, cases[k].theta, 0.32);
        ck_assert_msg(fabs(smooth - cases[k].order) < 0.15, "case %d: order %.3f", k, smooth);
        /* some turns and the rest after them */
        const double turning = spring_block_order(cases[k].scheme, cases[k].theta, 4.0);
        ck_assert_msg(turning > 0.8, "case %d: order %.3f with turns", k, turning);
    }
}
