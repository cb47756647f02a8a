/** More contacts than the motion needs: a body that two walls hold without play, a box on many
 * points, walls that leave no room. */
#include "friction_bodies.h"

/* ------------------------------------------------------------ held between two walls */

enum { HELD_COORDINATES = 3, MOST_CONTACTS = 6, STEPS = 100 };

/** A box in a slot of its own height that is inclined: corners on both sides, and on request a
 * point between them on each. N pushes it to the upper wall, T along the slot, per kg. */
typedef struct held_box {
    carom_planar_tree *tree;
    const carom_mechanism *mechanism;
    double mu;
    double N;
    double T;
    double along[2];
    double q[HELD_COORDINATES];
    double v[HELD_COORDINATES];
} held_box;

static void held_box_init(held_box *b, gsl_rng *generator, double mu, double N,
                          double height_by_width) {
    const double slope = uniform(generator, -3.0, 3.0);
    const double width = uniform(generator, 0.5, 2.0);
    const double height = height_by_width * width;
    const double place = uniform(generator, -20.0, 20.0);
    const double up[2] = {-sin(slope), cos(slope)};
    const double low[2] = {0.37, -0.23};
    *b = (held_box){.mu = mu,
                    .N = N,
                    .T = uniform(generator, -8.0, 8.0),
                    .along = {cos(slope), sin(slope)},
                    .v = {cos(slope), sin(slope), 0.0}};
    const carom_planar_wall lower = {{low[0], low[1]}, {up[0], up[1]}};
    const carom_planar_wall upper = {{low[0] + up[0] * height, low[1] + up[1] * height},
                                     {-up[0], -up[1]}};
    const double x = 0.5 * width;
    const double y = 0.5 * height;
    const carom_planar_contact contacts[MOST_CONTACTS] = {
        carom_planar_corner_on_wall(0, -x, -y, lower, mu),
        carom_planar_corner_on_wall(0, -x, y, upper, mu),
        carom_planar_corner_on_wall(0, x, -y, lower, mu),
        carom_planar_corner_on_wall(0, x, y, upper, mu),
        carom_planar_corner_on_wall(0, 0.2 * x, -y, lower, mu),
        carom_planar_corner_on_wall(0, -0.3 * x, y, upper, mu)};
    const carom_planar_body box = carom_planar_floating(carom_planar_box(MASS, width, height));
    carom_planar_tree_spec spec = carom_planar_tree_spec_default();
    spec.body_count = 1;
    spec.bodies = &box;
    spec.contact_count = uniform(generator, 0.0, 1.0) < 0.5 ? 4 : MOST_CONTACTS;
    spec.contacts = contacts;
    for (int i = 0; i < 2; i++) {
        spec.gravity[i] = b->T * b->along[i] + N * up[i];
        b->q[i] = low[i] + place * b->along[i] + y * up[i];
    }
    b->q[2] = slope;
    assert_ok(carom_planar_tree_alloc(&spec, &b->tree, NULL));
    b->mechanism = carom_planar_tree_mechanism(b->tree);
}

/* The wall it is pushed to carries m |N| h, the other nothing; it slides on with what the applied
 * forces and friction give, which is less than it takes to stop it. */
static void check_held(const held_box *b, carom_scheme scheme, double h) {
    const carom_stepper_params params = scheme_with_step(scheme, h);
    carom_stepper *stepper = started(b->mechanism, &params, b->q, b->v);
    const double rounding = 1e-9 * MASS * 10.0 * h;
    for (int k = 1; k <= STEPS; k++) {
        carom_report report = carom_report_empty();
        const carom_status status = carom_stepper_advance(stepper, &report);
        ck_assert_msg(status == CAROM_OK,
                      "%s, mu %g, N %g: %s in step %d, contact %d, residual %.3g, %d iterations",
                      carom_scheme_name(scheme), b->mu, b->N, carom_status_name(status), k,
                      report.index, report.residual, report.iterations);
        const carom_step *step = carom_stepper_result(stepper);
        double wall[2] = {0.0, 0.0};
        for (int j = 0; j < b->mechanism->contact_count; j++) {
            wall[j % 2] += step->impulse[j];
        }
        assert_close(wall[0], fmax(-b->N, 0.0) * MASS * h, 0.0, rounding);
        assert_close(wall[1], fmax(b->N, 0.0) * MASS * h, 0.0, rounding);
        const double speed = step->velocity[0] * b->along[0] + step->velocity[1] * b->along[1];
        assert_close(speed, 1.0 + k * h * (b->T - b->mu * fabs(b->N)), 1e-9, 0.0);
        assert_close(step->position[2], b->q[2], 0.0, 1e-12);
    }
    carom_stepper_free(stepper);
}

TEST(property, walls_without_play_carry_what_is_applied_and_no_preload) {
    static const double pushes[] = {0.0, -4.7, 0.0, 7.3};
    gsl_rng *generator = seeded_generator(29);
    for (int k = 0; k < 120; k++) {
        const double mu = k % 4 == 0 ? 0.0 : uniform(generator, 0.05, 1.1);
        const double h = pow(10.0, uniform(generator, -4.0, -3.3));
        held_box b;
        /* a taller one would be wedged by its own friction */
        const double slender = uniform(generator, 0.2, 0.8) / fmax(mu, 1.0);
        held_box_init(&b, generator, mu, pushes[k / 4 % 4], slender);
        check_held(&b, CAROM_SCHEME_NONSMOOTH_GALPHA, h);
        if (k % 4 == 0) {
            check_held(&b, CAROM_SCHEME_MODIFIED_LCP, h);
        }
        /* at velocity level alone a preload that friction bears is a solution, too */
        if (k % 4 == 0 || fabs(b.N) <= 0.0) {
            check_held(&b, CAROM_SCHEME_MOREAU_JEAN, h);
            check_held(&b, CAROM_SCHEME_VELOCITY_GALPHA, h);
        }
        carom_planar_tree_free(b.tree);
    }
    gsl_rng_free(generator);
}

/* Friction turns a tall box until both walls press its corners: gaps that contradict each other in
 * every linearization. The motion goes on, slower than without friction, or ends with a contact. */
TEST(property, a_box_that_friction_wedges_goes_on) {
    enum { BOXES = 50, MOST_ENDED = BOXES / 5 };
    gsl_rng *generator = seeded_generator(37);
    int ended = 0;
    for (int k = 0; k < BOXES; k++) {
        const double mu = uniform(generator, 1.0, 1.3);
        const double h = pow(10.0, uniform(generator, -4.0, -3.0));
        held_box b;
        held_box_init(&b, generator, mu, k % 2 == 0 ? 3.1 : -4.7, uniform(generator, 1.0, 1.9));
        const carom_stepper_params params = scheme_with_step(CAROM_SCHEME_NONSMOOTH_GALPHA, h);
        carom_stepper *stepper = started(b.mechanism, &params, b.q, b.v);
        carom_report report = carom_report_empty();
        int done = 0;
        while (done < STEPS && carom_stepper_advance(stepper, &report) == CAROM_OK) {
            done++;
        }
        const carom_step *step = carom_stepper_result(stepper);
        const double speed = step->velocity[0] * b.along[0] + step->velocity[1] * b.along[1];
        ck_assert(speed <= 1.0 + fmax(b.T, 0.0) * done * h + 1e-9);
        assert_close(step->position[2], b.q[2], 0.0, 1e-6);
        if (done < STEPS) {
            ck_assert_str_eq(report.quantity, "contact");
            ck_assert(report.index >= 0 && report.index < b.mechanism->contact_count);
            ended++;
        }
        carom_stepper_free(stepper);
        carom_planar_tree_free(b.tree);
    }
    ck_assert_int_le(ended, MOST_ENDED);
    gsl_rng_free(generator);
}

/* ------------------------------------------------------------ a box on many points */

/* Four points of a line carry a box: which of them how much is open, their sum and its moment are
 * not. It slides by (T - mu g) t and stands still below the friction angle. */
TEST(property, a_box_on_four_points_is_carried_by_their_sum) {
    enum { POINTS = 4, STEPS_OF_BOX = 200 };
    gsl_rng *generator = seeded_generator(31);
    for (int k = 0; k < 8 * SCHEME_COUNT; k++) {
        const carom_scheme scheme = SCHEMES[k % SCHEME_COUNT];
        const bool slides = k / SCHEME_COUNT % 2 == 0;
        const double mu = uniform(generator, 0.1, 0.6);
        const double width = uniform(generator, 1.0, 2.0);
        const double height = uniform(generator, 0.2, 0.5); /* it does not tip */
        const double pull = mu * GRAVITY * uniform(generator, -0.9, 0.9);
        const double h = pow(10.0, uniform(generator, -3.5, -2.5));
        carom_planar_contact points[POINTS];
        for (int j = 0; j < POINTS; j++) {
            points[j] = carom_planar_corner_on_wall(0, width * (j / 3.0 - 0.5), -0.5 * height,
                                                    carom_planar_floor(0.13), mu);
        }
        const carom_planar_body box = carom_planar_floating(carom_planar_box(MASS, width, height));
        carom_planar_tree_spec spec = carom_planar_tree_spec_default();
        spec.body_count = 1;
        spec.bodies = &box;
        spec.contact_count = POINTS;
        spec.contacts = points;
        spec.gravity[0] = pull;
        spec.gravity[1] = -GRAVITY;
        carom_planar_tree *tree = NULL;
        assert_ok(carom_planar_tree_alloc(&spec, &tree, NULL));
        const double q[3] = {0.7, 0.13 + 0.5 * height, 0.0};
        const double v[3] = {slides ? 30.0 : 0.0, 0.0, 0.0};
        const carom_stepper_params params = scheme_with_step(scheme, h);
        carom_stepper *stepper =
            stepped(carom_planar_tree_mechanism(tree), &params, q, v, STEPS_OF_BOX);
        const carom_step *step = carom_stepper_result(stepper);
        double sum = 0.0;
        double moment = 0.0;
        double friction = 0.0;
        for (int j = 0; j < POINTS; j++) {
            sum += step->impulse[j];
            moment += width * (j / 3.0 - 0.5) * step->impulse[j];
            friction += step->friction_impulse[j];
        }
        const double weight = MASS * GRAVITY * h;
        const double braking = slides ? -mu * weight : -MASS * pull * h;
        assert_close(sum, weight, 1e-9, 0.0);
        assert_close(friction, braking, 1e-9, 1e-12 * weight);
        assert_close(moment, -0.5 * height * braking, 1e-9, 1e-9 * weight);
        const double time = STEPS_OF_BOX * h;
        assert_close(step->velocity[0], slides ? 30.0 + (pull - mu * GRAVITY) * time : 0.0, 1e-9,
                     1e-12);
        carom_stepper_free(stepper);
        carom_planar_tree_free(tree);
    }
    gsl_rng_free(generator);
}

/* ------------------------------------------------------------ no room */

/** A point between two walls that close in at a speed each, from a play each. */
static const double PLAY = 0.0137;
static const double CLOSING = 0.31;

static void closing_offset(double t, double *s, void *context) {
    (void)context;
    s[0] = s[1] = PLAY - CLOSING * t;
}

static void closing_velocity(double t, double *w, void *context) {
    const body *b = context;
    (void)t;
    memset(w, 0, (size_t)(2 + 2 * b->mechanism.tangent_count) * sizeof *w);
    w[0] = w[1] = -CLOSING;
}

/* A rod on a pivot that falls on a plane with friction and stays: four rows hold three coordinates.
 * What each step leaves of a speed is rounding, and ends no motion however long it rests. */
TEST(property, a_rod_on_a_pivot_rests_on_a_plane_with_friction) {
    for (int k = 0; k < 8 * SCHEME_COUNT; k++) {
        const double lever[2] = {0.21 + 0.043 * (k % 8), 0.48 - 0.031 * (k % 8)};
        const double rows[3][3] = {
            {1.0, 0.0, -lever[0]}, {0.0, 1.0, -lever[1]}, {0.0, 1.0, lever[1]}};
        const double tangent[3] = {1.0, 0.0, lever[0]};
        const double q[3] = {0.0};
        const double v[3] = {-3.7 * lever[0], -3.7 * lever[1], -3.7};
        body b;
        body_init(&b, 3, 1, 1);
        b.mechanism.joint_count = 2;
        b.mass[0] = b.mass[1] = MASS;
        b.mass[2] = 0.11 * MASS;
        b.force[1] = -MASS * GRAVITY;
        b.friction[0] = 0.35;
        memcpy(b.G, rows, sizeof rows);
        memcpy(b.H, tangent, sizeof tangent);
        const carom_stepper_params params = scheme_with_step(SCHEMES[k / 8], 1e-3);
        carom_stepper *stepper = started(&b.mechanism, &params, q, v);
        for (int step = 0; step < 2000; step++) {
            carom_report report = carom_report_empty();
            const carom_status status = carom_stepper_advance(stepper, &report);
            ck_assert_msg(status == CAROM_OK, "%s, rod %d, step %d: residual %g",
                          carom_scheme_name(params.scheme), k % 8, step, report.residual);
            const carom_step *now = carom_stepper_result(stepper);
            assert_close(now->velocity[2], 0.0, 0.0, 1e-12);
        }
        carom_stepper_free(stepper);
    }
}

TEST(errors, walls_that_leave_no_room_end_the_motion_with_time_contact_and_residual) {
    static const carom_scheme schemes[] = {CAROM_SCHEME_NONSMOOTH_GALPHA,
                                           CAROM_SCHEME_SMOOTH_GALPHA};
    for (int k = 0; k < 4; k++) {
        const bool is_rough = k == 2;
        const bool is_exact = k == 3;
        body b;
        body_init(&b, 2, 2, is_rough ? 1 : 0);
        b.mass[0] = b.mass[1] = MASS;
        b.G[1] = 1.0;
        b.G[3] = -1.0;
        b.H[0] = b.H[2] = 1.0;
        b.friction[0] = b.friction[1] = 0.4;
        b.v[0] = 0.7;
        b.v[1] = -0.2;
        b.mechanism.friction = is_rough ? b.friction : NULL;
        b.mechanism.tangential_jacobian = is_rough ? body_tangents : NULL;
        b.mechanism.constraint_offset = closing_offset;
        b.mechanism.constraint_velocity = closing_velocity;
        carom_stepper_params params = scheme_with_step(schemes[k == 1 ? 1 : 0], 1e-3);
        params.use_linear_step = is_exact;
        carom_stepper *stepper = started(&b.mechanism, &params, b.q, b.v);
        carom_report report = carom_report_empty();
        carom_status status = CAROM_OK;
        int done = 0;
        while (status == CAROM_OK && done < 100) {
            status = carom_stepper_advance(stepper, &report);
            done += status == CAROM_OK ? 1 : 0;
        }
        /* the last step with room is the 44th */
        ck_assert_int_eq(done, (int)(PLAY / CLOSING / params.step));
        ck_assert_msg(status == CAROM_STATUS_RAY || status == CAROM_STATUS_NOT_CONVERGED, "%s",
                      carom_status_name(status));
        ck_assert_str_eq(report.quantity, "contact");
        ck_assert(report.index == 0 || report.index == 1);
        assert_close(report.time, (done + 1) * params.step, 1e-15, 0.0);
        ck_assert(report.residual > params.tolerance);
        assert_close(carom_stepper_result(stepper)->time, done * params.step, 1e-15, 0.0);
        carom_stepper_free(stepper);
    }
}
