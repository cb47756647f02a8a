#include "../../failing_malloc.h"
#include "../../support.h"

#include <carom/mechanism/planar_tree.h>
#include <carom/timestepping/inclusion/inclusion_projection.h>
#include <carom/timestepping/inclusion/inclusion_trajectory.h>
#include <carom/timestepping/series.h>

#include <string.h>

/** Sums over a run of some thousand steps, of terms of order one, each rounded. */
static const double ROUNDING = 1e-11;

/** Gaps of a run: those that curvature has made negative are closed up to rounding. */
static const double GAP_ROUNDING = 1e-12;

static const double GRAVITY = 9.81;

/** Parameters with a step. */
static carom_inclusion_params with_step(double step) {
    carom_inclusion_params params = carom_inclusion_params_default();
    params.step = step;
    params.reference_force = 1.0;
    return params;
}

static carom_trajectory *run(const carom_mechanism *mechanism, double step, const double *q0,
                             const double *v0, double length) {
    const carom_inclusion_params params = with_step(step);
    carom_trajectory *trajectory;
    assert_ok(carom_inclusion_run(mechanism, &params, q0, v0, length, INFINITY, &trajectory, NULL));
    return trajectory;
}

static int last_row(const carom_trajectory *trajectory) {
    return trajectory->row_count - 1;
}

/** The first row from which on time stands still no more; -1 if it never stands. */
static int end_of_impact(const carom_trajectory *trajectory) {
    int end = -1;
    for (int k = 1; k < trajectory->row_count; k++) {
        if (!(trajectory->time_rate[k] > 0.0)) {
            end = k;
        }
    }
    return end;
}

/* ---- Positions below a wall: q + M^-1 G' nu. ---- */

static void wall_gap(const double *q, double *g, void *context) {
    (void)context;
    g[0] = 0.6 * q[0] + 0.8 * q[1];
}

static void wall_jacobian(const double *q, double *G, void *context) {
    (void)q;
    (void)context;
    G[0] = 0.6;
    G[1] = 0.8;
}

TEST(unit, a_position_below_a_wall_goes_to_the_nearest_one_on_it) {
    // q = (-1, -1/2), gap -1; M = diag(1, 4): G M^-1 G' = 0.36 + 0.16, nu = 1/0.52. A flat wall is
    // reached at once, up to rounding.
    const carom_mechanism wall = {.coordinate_count = 2,
                                  .contact_count = 1,
                                  .layout = carom_layout_full(2),
                                  .constraints = wall_gap,
                                  .constraint_jacobian = wall_jacobian};
    const double M[4] = {1.0, 0.0, 0.0, 4.0};
    carom_factor *factor;
    carom_inclusion_projection *projection;
    assert_ok(carom_factor_alloc(wall.layout, &factor));
    assert_ok(carom_factor_compute(factor, M));
    assert_ok(carom_inclusion_projection_alloc(&wall, &projection));
    double q[2] = {-1.0, -0.5};
    assert_ok(carom_inclusion_projection_apply(projection, factor, q));
    assert_close(q[0], -1.0 + 0.6 / 0.52, 0.0, 1e-14);
    assert_close(q[1], -0.5 + 0.2 / 0.52, 0.0, 1e-14);
    // Above it nothing happens.
    double free[2] = {1.385, -0.27};
    assert_ok(carom_inclusion_projection_apply(projection, factor, free));
    assert_close(free[0], 1.385, 0.0, 0.0);
    assert_close(free[1], -0.27, 0.0, 0.0);
    carom_inclusion_projection_free(projection);
    carom_factor_free(factor);
}

/* ---- A ball above the ground (Fig. 6): q = phi = z, mass 1, gravity 1. ---- */

static void ball_mass(const double *q, double *M, void *context) {
    (void)q;
    (void)context;
    M[0] = 1.0;
}

static void ball_force(double t, const double *q, const double *v, double *f, void *context) {
    (void)t;
    (void)q;
    (void)v;
    (void)context;
    f[0] = -1.0;
}

static double ball_energy(const double *q, void *context) {
    (void)context;
    return q[0];
}

static void ball_gap(const double *q, double *g, void *context) {
    (void)context;
    g[0] = q[0];
}

static void ball_jacobian(const double *q, double *G, void *context) {
    (void)q;
    (void)context;
    G[0] = 1.0;
}

static carom_mechanism ball(void) {
    static const double restitution = 0.0;
    return (carom_mechanism){
        .name = "ball",
        .coordinate_count = 1,
        .contact_count = 1,
        .layout = carom_layout_full(1),
        .position_units = "m",
        .velocity_units = "m s-1",
        .restitution = &restitution,
        .mass = ball_mass,
        .force = ball_force,
        .potential_energy = ball_energy,
        .constraints = ball_gap,
        .constraint_jacobian = ball_jacobian,
    };
}

TEST(unit, the_ball_falls_lands_and_rests) {
    // Specification 3.8, Fig. 6: from (2/3, 2/3) to the ground at t = 2 with -4/3, an impact of
    // s-length 4/3, then rest with dt/ds = 1/(1 + m g) = 1/2.
    const carom_mechanism mechanism = ball();
    const double q0 = 2.0 / 3.0;
    const double v0 = 2.0 / 3.0;
    const double step = 1e-3;
    carom_trajectory *trajectory = run(&mechanism, step, &q0, &v0, 5.0);
    double fastest = 0.0;
    for (int k = 0; k < trajectory->row_count; k++) {
        fastest = fmin(fastest, trajectory->velocity[k]);
    }
    // Speeds and places within some steps: first order.
    assert_close(fastest, -4.0 / 3.0, 0.0, 3.0 * step);
    assert_close(carom_inclusion_trajectory_time(trajectory, 2.0), 2.0, 0.0, 3.0 * step);
    const int end = end_of_impact(trajectory);
    assert_close(trajectory->s[end], 2.0 + 4.0 / 3.0, 0.0, 3.0 * step);
    assert_close(trajectory->time[end], 2.0, 0.0, 3.0 * step);
    ck_assert(carom_trajectory_smallest_gap(trajectory) >= -GAP_ROUNDING);
    const int last = last_row(trajectory);
    // At rest; t follows from the balance of momentum, which the scheme keeps: s = 2 t - 2/3.
    assert_close(trajectory->velocity[last], 0.0, 0.0, ROUNDING);
    assert_close(trajectory->time_rate[last], 0.5, ROUNDING, 0.0);
    assert_close(trajectory->normal_rate[last], 0.5, ROUNDING, 0.0);
    assert_close(trajectory->time[last], 17.0 / 6.0, ROUNDING, 0.0);
    ck_assert_int_eq(carom_trajectory_total(trajectory, trajectory->shortened), 0);
    carom_trajectory_free(trajectory);
}

TEST(unit, flight_is_of_first_order) {
    const carom_mechanism mechanism = ball();
    const double q0 = 2.0 / 3.0;
    const double v0 = 2.0 / 3.0;
    double error[2];
    for (int k = 0; k < 2; k++) {
        carom_trajectory *trajectory = run(&mechanism, 0.01 / (1 + k), &q0, &v0, 1.0);
        error[k] = trajectory->position[last_row(trajectory)] - (2.0 / 3.0 + 2.0 / 3.0 - 0.5);
        carom_trajectory_free(trajectory);
    }
    // Of v+ = v - dt, q+ = q + dt v+ exactly -dt/2 after t = 1.
    assert_close(error[0], -0.005, 0.0, ROUNDING);
    assert_close(error[1], -0.0025, 0.0, ROUNDING);
}

/* ---- Planar bodies ---- */

/** One body on the floor with up to two corners. */
static carom_planar_tree *body_on_floor(carom_planar_shape shape, int corner_count,
                                        const double (*corners)[2], double mu, double gravity) {
    const carom_planar_body body = carom_planar_floating(shape);
    carom_planar_contact contacts[2];
    for (int i = 0; i < corner_count; i++) {
        contacts[i] = carom_planar_corner_on_wall(0, corners[i][0], corners[i][1],
                                                  carom_planar_floor(0.0), mu);
    }
    carom_planar_tree_spec spec = carom_planar_tree_spec_default();
    spec.body_count = 1;
    spec.bodies = &body;
    spec.contact_count = corner_count;
    spec.contacts = contacts;
    spec.gravity[1] = -gravity;
    carom_planar_tree *tree;
    assert_ok(carom_planar_tree_alloc(&spec, &tree, NULL));
    return tree;
}

/** A uniform rectangle on its lower left (A) and lower right (B) corner. */
static carom_planar_tree *block(double width, double height, double mu, double gravity) {
    const double corners[2][2] = {{-0.5 * width, -0.5 * height}, {0.5 * width, -0.5 * height}};
    return body_on_floor(carom_planar_box(1.0, width, height), 2, corners, mu, gravity);
}

/** A uniform rod of mass 1 and half length 1 with one end on the floor. */
static carom_planar_tree *rod(double mu) {
    const double corner[1][2] = {{-1.0, 0.0}};
    const carom_planar_shape shape = {.mass = 1.0, .inertia = 1.0 / 3.0, .center = {0.0, 0.0}};
    return body_on_floor(shape, 1, corner, mu, GRAVITY);
}

/** The Zeno block of the specification, 3.2: flat, turning about A with 1 rad/s. */
static carom_trajectory *zeno_block(double step, double length) {
    carom_planar_tree *tree = block(1.0, 2.0, 1.0, GRAVITY);
    const double q0[3] = {0.0, 1.0, 0.0};
    const double v0[3] = {-1.0, 0.5, 1.0};
    carom_trajectory *trajectory = run(carom_planar_tree_mechanism(tree), step, q0, v0, length);
    carom_planar_tree_free(tree);
    return trajectory;
}

/** The last row in which the block still turns. */
static int row_of_rest(const carom_trajectory *trajectory) {
    int row = last_row(trajectory);
    while (row > 0 && fabs(trajectory->velocity[3 * row + 2]) < 1e-9) {
        row--;
    }
    return row;
}

TEST(unit, the_zeno_block_comes_to_rest_with_half_its_weight_on_each_corner) {
    const double step = 0.01;
    carom_trajectory *trajectory = zeno_block(step, 35.0);
    const int last = last_row(trajectory);
    assert_close(trajectory->time_rate[last], 1.0 / (1.0 + GRAVITY), 1e-9, 0.0);
    for (int i = 0; i < 2; i++) {
        assert_close(trajectory->normal_rate[2 * last + i], 0.5 * GRAVITY / (1.0 + GRAVITY), 1e-9,
                     0.0);
    }
    // From the balance of momentum: t* = 2.6714214 at s* = 28.3780653 (specification 3.2).
    assert_close(carom_inclusion_trajectory_time(trajectory, 28.3780653), 2.6714214, 0.0, 2e-7);
    ck_assert(carom_trajectory_smallest_gap(trajectory) >= -GAP_ROUNDING);
    ck_assert(carom_series_maximum(carom_series_whole(trajectory, trajectory->residual, 1, 0)) <=
              1e-12);
    // Flat again and, sticking all the time, where it was: within the first-order slip of pivots.
    assert_close(trajectory->position[3 * last + 2], 0.0, 0.0, 1e-8);
    assert_close(trajectory->position[3 * last], 0.0, 0.0, step);
    carom_trajectory_free(trajectory);
}

TEST(unit, the_zeno_block_converges_to_its_accumulation_point) {
    // Specification 3.2: first impact at s = 9.6730136, t = 0.9873278; rest at t* = 2.6714214.
    const double steps[3] = {0.008, 0.004, 0.002};
    double impact[3];
    double rest[3];
    double ratio[3];
    for (int k = 0; k < 3; k++) {
        carom_trajectory *trajectory = zeno_block(steps[k], 29.0);
        const int row = row_of_rest(trajectory);
        impact[k] = carom_inclusion_trajectory_time(trajectory, 9.6730136) - 0.9873278;
        rest[k] = trajectory->time[row] - 2.6714214;
        ratio[k] = trajectory->time[row] / trajectory->s[row];
        carom_trajectory_free(trajectory);
    }
    for (int k = 0; k < 2; k++) {
        // First order: halved with the step.
        assert_close(impact[k] / impact[k + 1], 2.0, 0.02, 0.0);
    }
    // Each of the log(1/ds) bounces that the scheme resolves costs the same time, O(ds): of
    // ds log(1/ds) a fourth of the step leaves 1/3.1.
    ck_assert(rest[0] / rest[2] > 2.6 && rest[0] / rest[2] < 3.6);
    assert_close(impact[2], 0.0, 0.0, 0.5 * steps[2]);
    assert_close(rest[2], 0.0, 0.0, 20.0 * steps[2]);
    // Theorem 5: t*/s* = 0.09414.
    assert_close(ratio[2], 0.09414, 3e-4, 0.0);
}

TEST(unit, a_sliding_block_stops_by_coulombs_law) {
    const double mu = 0.3;
    const double v = 2.1;
    const double step = 0.005;
    carom_planar_tree *tree = block(1.2, 0.9, mu, GRAVITY);
    const double q0[3] = {0.0, 0.45, 0.0};
    const double v0[3] = {v, 0.0, 0.0};
    carom_trajectory *trajectory = run(carom_planar_tree_mechanism(tree), step, q0, v0, 12.0);
    const int last = last_row(trajectory);
    const double stop = v / (mu * GRAVITY);
    assert_close(trajectory->velocity[3 * last], 0.0, 0.0, ROUNDING);
    assert_close(trajectory->time[last], 12.0 / (1.0 + GRAVITY), ROUNDING, 0.0);
    // q+ = q + dt v+ is behind by v dt/2, and dt = ds/(1 + m g).
    const double behind = 0.5 * v * step / (1.0 + GRAVITY);
    assert_close(trajectory->position[3 * last], 0.5 * v * stop - behind, 0.0, behind);
    for (int k = 1; k <= last; k++) {
        const double *tangential = trajectory->tangential_rate + 2 * k;
        const double *normal = trajectory->normal_rate + 2 * k;
        const double sum = tangential[0] + tangential[1];
        const bool is_sliding = trajectory->time[k] < stop - step;
        assert_close(normal[0] + normal[1], GRAVITY / (1.0 + GRAVITY), ROUNDING, 0.0);
        if (is_sliding) {
            assert_close(sum, -mu * (normal[0] + normal[1]), ROUNDING, 0.0);
        }
        // Lost on the way: one problem, no search, where nothing opens or closes.
    }
    ck_assert_int_le(carom_trajectory_total(trajectory, trajectory->problems), 3L * last);
    carom_trajectory_free(trajectory);
    carom_planar_tree_free(tree);
}

TEST(unit, a_sliding_disc_begins_to_roll) {
    // v = 2/3 v0: the angular momentum about the floor stays.
    const double radius = 0.7;
    const double v = 1.9;
    const carom_planar_body body = carom_planar_floating(carom_planar_disc(2.3, radius));
    const carom_planar_contact contact =
        carom_planar_disc_on_wall(0, 0.0, 0.0, radius, carom_planar_floor(0.0), 0.25);
    carom_planar_tree_spec spec = carom_planar_tree_spec_default();
    spec.body_count = 1;
    spec.bodies = &body;
    spec.contact_count = 1;
    spec.contacts = &contact;
    carom_planar_tree *tree;
    assert_ok(carom_planar_tree_alloc(&spec, &tree, NULL));
    const double q0[3] = {0.0, radius, 0.0};
    const double v0[3] = {v, 0.0, 0.0};
    const double step = 0.01;
    const double length = 15.0;
    carom_trajectory *trajectory = run(carom_planar_tree_mechanism(tree), step, q0, v0, length);
    const int last = last_row(trajectory);
    assert_close(trajectory->velocity[3 * last], 2.0 / 3.0 * v, ROUNDING, 0.0);
    assert_close(trajectory->velocity[3 * last + 2], -2.0 / 3.0 * v / radius, ROUNDING, 0.0);
    // Rolling from t = v0/(3 mu g) on, without friction.
    const double rolling = v / (3.0 * 0.25 * GRAVITY);
    for (int k = 1; k <= last; k++) {
        const double slip = trajectory->velocity[3 * k] + radius * trajectory->velocity[3 * k + 2];
        ck_assert(slip >= -ROUNDING);
        if (trajectory->time[k] > rolling + step) {
            assert_close(slip, 0.0, 0.0, ROUNDING);
            assert_close(trajectory->tangential_rate[k], 0.0, 0.0, ROUNDING);
        } else if (trajectory->time[k] < rolling - step) {
            ck_assert(slip > 0.0);
        }
    }
    const double travelled = v * rolling - 0.5 * 0.25 * GRAVITY * rolling * rolling +
                             2.0 / 3.0 * v * (trajectory->time[last] - rolling);
    assert_close(trajectory->position[3 * last], travelled, 0.0, v * step);
    carom_trajectory_free(trajectory);
    carom_planar_tree_free(tree);
}

/** The inclination of the Painleve rod and what its contact feels. */
typedef struct painleve {
    double angle;
    double c_nn;
    double c_nt;
    double c_tt;
} painleve;

static painleve painleve_rod(void) {
    const double angle = 65.0 * atan(1.0) / 45.0;
    return (painleve){angle, 1.0 + 3.0 * cos(angle) * cos(angle), -3.0 * cos(angle) * sin(angle),
                      1.0 + 3.0 * sin(angle) * sin(angle)};
}

TEST(unit, a_painleve_rod_has_an_impact_without_collision) {
    // Specification 2.1: sliding with v_n = 0 where friction presses the tip in; slide, then stick.
    const double mu = 2.0;
    const double v_t = -0.731;
    const painleve p = painleve_rod();
    const double slide = -v_t / (p.c_nt + mu * p.c_tt);
    const double deepest = slide * (p.c_nn + mu * p.c_nt);
    ck_assert(deepest < 0.0);
    const double s_end = slide - deepest / (p.c_nn - p.c_nt * p.c_nt / p.c_tt);
    const double L_t = mu * slide - p.c_nt / p.c_tt * (s_end - slide);
    const double step = 1e-4;
    carom_planar_tree *tree = rod(mu);
    const double q0[3] = {0.0, sin(p.angle), p.angle};
    const double v0[3] = {v_t, 0.0, 0.0};
    carom_trajectory *trajectory =
        run(carom_planar_tree_mechanism(tree), step, q0, v0, 1.2 * s_end);
    const int end = end_of_impact(trajectory);
    assert_close(trajectory->s[end], s_end, 0.0, 3.0 * step);
    assert_close(trajectory->time[end], 0.0, 0.0, step);
    // Deepest speed and velocity after, M^-1 J'L: within the steps of the corners of the path.
    double lowest = 0.0;
    for (int k = 1; k <= end; k++) {
        const double *v = trajectory->velocity + 3 * k;
        lowest = fmin(lowest, v[1] - cos(p.angle) * v[2]);
    }
    assert_close(lowest, deepest, 0.0, 20.0 * step);
    const double *v = trajectory->velocity + 3 * (end + 1);
    assert_close(v[0], v_t + L_t, 0.0, 20.0 * step);
    assert_close(v[1], s_end, 0.0, 20.0 * step);
    assert_close(v[2], 3.0 * (-cos(p.angle) * s_end + sin(p.angle) * L_t), 0.0, 20.0 * step);
    ck_assert(carom_trajectory_smallest_gap(trajectory) >= -GAP_ROUNDING);
    carom_trajectory_free(trajectory);
    carom_planar_tree_free(tree);
}

TEST(unit, a_painleve_rod_lands_at_the_place_of_its_tip) {
    // Falling and sliding, Routh's path from the touchdown on.
    const double mu = 2.0;
    const double height = 0.0321;
    const double v_t = -0.731;
    const painleve p = painleve_rod();
    const double v_n = -sqrt(2.0 * GRAVITY * height);
    const double fall = -v_n / GRAVITY;
    const double slide = -v_t / (p.c_nt + mu * p.c_tt);
    const double deepest = v_n + slide * (p.c_nn + mu * p.c_nt);
    const double impulse = slide - deepest / (p.c_nn - p.c_nt * p.c_nt / p.c_tt);
    const double step = 1e-3;
    carom_planar_tree *tree = rod(mu);
    const double q0[3] = {0.0, sin(p.angle) + height, p.angle};
    const double v0[3] = {v_t, 0.0, 0.0};
    carom_trajectory *trajectory =
        run(carom_planar_tree_mechanism(tree), step, q0, v0, fall + impulse + 0.01);
    const int end = end_of_impact(trajectory);
    assert_close(trajectory->time[end], fall, 0.0, 3.0 * step);
    assert_close(trajectory->s[end], fall + impulse, 0.0, 20.0 * step);
    ck_assert_int_le(carom_trajectory_total(trajectory, trajectory->shortened), 2);
    ck_assert(carom_trajectory_smallest_gap(trajectory) >= -GAP_ROUNDING);
    // Nothing presses before the tip is down: 1e-8 of the last step.
    for (int k = 1; k < trajectory->row_count; k++) {
        if (trajectory->normal_rate[k] > 0.0) {
            ck_assert(trajectory->gap[k] <= 1e-6);
        }
    }
    carom_trajectory_free(trajectory);
    carom_planar_tree_free(tree);
}

TEST(unit, weights_decide_the_order_of_a_simultaneous_impact) {
    // Specification 3.1 without gravity: rest, or one corner lifts with e(1-e) v0 = 0.21 v0.
    const double weights[3][2] = {{1.0, 1.0}, {1e-4, 1.0}, {1.0, 1e-4}};
    const double expected[3][2] = {{0.0, 0.0}, {0.21, 0.0}, {0.0, 0.21}};
    carom_planar_tree *tree = block(1.0, 2.0, 1.0, 0.0);
    const double q0[3] = {0.0, 1.0, 0.0};
    const double v0[3] = {0.0, -1.0, 0.0};
    const double step = 1e-3;
    for (int k = 0; k < 3; k++) {
        carom_inclusion_params params = with_step(step);
        params.approach_weight = weights[k];
        carom_trajectory *trajectory;
        assert_ok(carom_inclusion_run(carom_planar_tree_mechanism(tree), &params, q0, v0, 1.2,
                                      INFINITY, &trajectory, NULL));
        const double *v = trajectory->velocity + 3 * last_row(trajectory);
        // First order in the step, and in the weight.
        assert_close(v[1] - 0.5 * v[2], expected[k][0], 0.0, 3.0 * step);
        assert_close(v[1] + 0.5 * v[2], expected[k][1], 0.0, 3.0 * step);
        const int end = end_of_impact(trajectory);
        // Specification 3.1: s = v0 + a/2.
        assert_close(trajectory->s[end], 1.0 + 0.5 * (expected[k][0] + expected[k][1]), 0.0,
                     3.0 * step);
        carom_trajectory_free(trajectory);
    }
    carom_planar_tree_free(tree);
}

/** Three discs, two on the floor and one dropped upon them (specification 3.5), mu = sqrt 3. */
static carom_planar_tree *disc_stack(void) {
    enum { DISCS = 3, CONTACTS = 5 };
    carom_planar_body bodies[DISCS];
    for (int i = 0; i < DISCS; i++) {
        bodies[i] = carom_planar_floating(carom_planar_disc(1.0, 1.0));
    }
    const double mu = sqrt(3.0);
    const carom_planar_wall floor = carom_planar_floor(0.0);
    const carom_planar_contact contacts[CONTACTS] = {
        carom_planar_disc_on_wall(1, 0.0, 0.0, 1.0, floor, mu),
        carom_planar_disc_on_wall(2, 0.0, 0.0, 1.0, floor, mu),
        carom_planar_disc_on_disc(0, 1.0, 1, 1.0, mu),
        carom_planar_disc_on_disc(0, 1.0, 2, 1.0, mu),
        carom_planar_disc_on_disc(1, 1.0, 2, 1.0, mu),
    };
    carom_planar_tree_spec spec = carom_planar_tree_spec_default();
    spec.body_count = DISCS;
    spec.bodies = bodies;
    spec.contact_count = CONTACTS;
    spec.contacts = contacts;
    carom_planar_tree *tree;
    assert_ok(carom_planar_tree_alloc(&spec, &tree, NULL));
    return tree;
}

TEST(unit, a_stack_of_discs_stays_at_rest) {
    // It may if mu >= tan 15 deg (specification 3.5); each lower disc then stands with 3/2 m g.
    carom_planar_tree *tree = disc_stack();
    const double q0[9] = {1.0, 1.0 + sqrt(3.0), 0.0, 0.0, 1.0, 0.0, 2.0, 1.0, 0.0};
    const double v0[9] = {0.0};
    carom_trajectory *trajectory = run(carom_planar_tree_mechanism(tree), 0.01, q0, v0, 5.0);
    const int last = last_row(trajectory);
    ck_assert(carom_trajectory_smallest_gap(trajectory) >= -GAP_ROUNDING);
    for (int i = 0; i < 9; i++) {
        assert_close(trajectory->velocity[9 * last + i], 0.0, 0.0, 1e-9);
    }
    const double dt = trajectory->time_rate[last];
    const double *normal = trajectory->normal_rate + 5 * last;
    const double *tangential = trajectory->tangential_rate + 5 * last;
    assert_close(normal[0] / dt, 1.5 * GRAVITY, 1e-8, 0.0);
    assert_close(normal[1] / dt, 1.5 * GRAVITY, 1e-8, 0.0);
    // Weight of the top disc: normals at 30 deg to the vertical, friction at 60 deg.
    const double lift =
        (normal[2] + normal[3]) * sqrt(0.75) + 0.5 * (fabs(tangential[2]) + fabs(tangential[3]));
    assert_close(lift / dt, GRAVITY, 1e-8, 0.0);
    carom_trajectory_free(trajectory);
    carom_planar_tree_free(tree);
}

/* ---- Random constant data: M, f, J, mu, gaps affine in q ---- */

enum { MOST_COORDINATES = 6, MOST_CONTACTS = 4, MOST_ROWS = 3 * MOST_CONTACTS };

typedef struct affine {
    int n;
    int m;
    int t;
    double M[MOST_COORDINATES * MOST_COORDINATES];
    double f[MOST_COORDINATES];
    double J[MOST_ROWS * MOST_COORDINATES];
    double g0[MOST_CONTACTS];
    double mu[MOST_CONTACTS];
    double restitution[MOST_CONTACTS];
} affine;

static void affine_mass(const double *q, double *M, void *context) {
    (void)q;
    const affine *a = context;
    memcpy(M, a->M, (size_t)(a->n * a->n) * sizeof(double));
}

static void affine_force(double t, const double *q, const double *v, double *f, void *context) {
    (void)t;
    (void)q;
    (void)v;
    const affine *a = context;
    memcpy(f, a->f, (size_t)a->n * sizeof(double));
}

static double affine_energy(const double *q, void *context) {
    const affine *a = context;
    double energy = 0.0;
    for (int i = 0; i < a->n; i++) {
        energy -= a->f[i] * q[i];
    }
    return energy;
}

static void affine_gaps(const double *q, double *g, void *context) {
    const affine *a = context;
    for (int i = 0; i < a->m; i++) {
        g[i] = a->g0[i];
        for (int j = 0; j < a->n; j++) {
            g[i] += a->J[i * a->n + j] * q[j];
        }
    }
}

static void affine_jacobian(const double *q, double *G, void *context) {
    (void)q;
    const affine *a = context;
    memcpy(G, a->J, (size_t)(a->m * a->n) * sizeof(double));
}

static void affine_tangential(const double *q, double *H, void *context) {
    (void)q;
    const affine *a = context;
    memcpy(H, a->J + a->m * a->n, (size_t)(a->m * a->t * a->n) * sizeof(double));
}

static carom_mechanism affine_mechanism(affine *a) {
    return (carom_mechanism){
        .name = "affine",
        .coordinate_count = a->n,
        .contact_count = a->m,
        .layout = carom_layout_full(a->n),
        .position_units = "m",
        .velocity_units = "m s-1",
        .restitution = a->restitution,
        .friction = a->mu,
        .tangent_count = a->t,
        .mass = affine_mass,
        .force = affine_force,
        .potential_energy = affine_energy,
        .constraints = affine_gaps,
        .constraint_jacobian = affine_jacobian,
        .tangential_jacobian = affine_tangential,
        .context = a,
    };
}

static affine random_affine(gsl_rng *generator, int n, int m, int t) {
    affine a = {.n = n, .m = m, .t = t};
    double A[MOST_COORDINATES * MOST_COORDINATES] = {0.0};
    for (int i = 0; i < n * n; i++) {
        A[i] = uniform(generator, -1.0, 1.0);
    }
    for (int i = 0; i < n; i++) {
        a.f[i] = uniform(generator, -2.0, 2.0);
        for (int j = 0; j < n; j++) {
            a.M[i * n + j] = i == j ? 0.5 : 0.0;
            for (int k = 0; k < n; k++) {
                a.M[i * n + j] += A[i * n + k] * A[j * n + k];
            }
        }
    }
    for (int i = 0; i < m * (1 + t) * n; i++) {
        a.J[i] = uniform(generator, -1.0, 1.0);
    }
    for (int i = 0; i < m; i++) {
        a.mu[i] = uniform(generator, 0.0, 1.0) < 0.2 ? 0.0 : uniform(generator, 0.0, 2.5);
        // Closed, about to close, or open.
        const double kind = uniform(generator, 0.0, 1.0);
        a.g0[i] = kind < 0.4 ? 0.0 : (kind < 0.8 ? 0.02 : 5.0) * uniform(generator, 0.0, 1.0);
    }
    return a;
}

/** sum_j J_row,j v_j. */
static double row_speed(const affine *a, int row, const double *v) {
    double sum = 0.0;
    for (int j = 0; j < a->n; j++) {
        sum += a->J[row * a->n + j] * v[j];
    }
    return sum;
}

static double kinetic_energy(const affine *a, const double *v) {
    double twice = 0.0;
    for (int i = 0; i < a->n; i++) {
        for (int j = 0; j < a->n; j++) {
            twice += v[i] * a->M[i * a->n + j] * v[j];
        }
    }
    return 0.5 * twice;
}

/** M (v+ - v) = dt f + J'L; dt + sum L_n = ds; dt and beta complementary. */
static void assert_balances(const affine *a, const carom_inclusion_step *step, const double *v,
                            const double *v_post) {
    double sum = step->time;
    for (int i = 0; i < a->m; i++) {
        sum += step->normal_impulse[i];
    }
    assert_close(sum, step->length, ROUNDING, 0.0);
    ck_assert(step->time >= 0.0 && step->approach >= 0.0);
    assert_close(step->time * step->approach, 0.0, 0.0, 0.0);
    for (int i = 0; i < a->n; i++) {
        double rest = -step->time * a->f[i];
        for (int j = 0; j < a->n; j++) {
            rest += a->M[i * a->n + j] * (v_post[j] - v[j]);
        }
        for (int l = 0; l < a->m; l++) {
            rest -= a->J[l * a->n + i] * step->normal_impulse[l];
        }
        for (int l = 0; l < a->m * a->t; l++) {
            rest -= a->J[(a->m + l) * a->n + i] * step->tangential_impulse[l];
        }
        assert_close(rest, 0.0, 0.0, ROUNDING);
    }
}

/** Of the steps of random systems, s. */
static const double STEP = 0.02;

/** The normal law, and planar friction, of one contact in the step. */
static void assert_contact_laws(const affine *a, int i, double gap,
                                const carom_inclusion_step *step, const double *v_post) {
    const double u = row_speed(a, i, v_post);
    const double L = step->normal_impulse[i];
    const double scale = ROUNDING + 1e-8 * step->length;
    ck_assert(L >= 0.0);
    // No gap is passed: rounding of the end, and 1e-8 of the gap (agreement of the search).
    const double end = gap + step->time * u;
    ck_assert_msg(end >= -1e-7 * gap - GAP_ROUNDING, "gap %.3g ends at %.3g", gap, end);
    if (L > 1e-9 * step->length) {
        // What presses approaches, or stays, and is closed at the end.
        ck_assert(u <= scale);
        // Or it is early, by a thousandth of the step; speeds stay below 10 m/s here.
        const double open = step->is_early ? 1e-3 * step->length * 10.0 : 0.0;
        const double closed = 1e-8 * STEP * 10.0;
        ck_assert_msg(end <= 1e-7 * gap + closed + open, "gap %.3g, end %.3g, L %.3g", gap, end, L);
        if (step->time > 0.0 && gap <= 0.0) {
            assert_close(u, 0.0, 0.0, scale);
        }
        if (!(step->time > 0.0) && !step->is_early) {
            assert_close(u, -step->approach, 0.0, scale);
        }
    }
    if (a->t == 1) {
        const double L_t = step->tangential_impulse[i];
        const double slip = row_speed(a, a->m + i, v_post);
        ck_assert(fabs(L_t) <= a->mu[i] * L + ROUNDING);
        if (fabs(slip) > scale) {
            assert_close(L_t, -a->mu[i] * L * copysign(1.0, slip), ROUNDING, ROUNDING);
        }
    }
}

TEST(property, every_step_satisfies_the_laws_of_the_inclusion) {
    gsl_rng *generator = seeded_generator(4201);
    int impacts = 0;
    int contacts = 0;
    int shortened = 0;
    int early = 0;
    for (int k = 0; k < 400; k++) {
        const int m = 1 + k % MOST_CONTACTS;
        affine a = random_affine(generator, 3 + k % 4, m, 1);
        const carom_mechanism mechanism = affine_mechanism(&a);
        const carom_inclusion_params params = with_step(STEP);
        carom_inclusion_stepper *stepper;
        assert_ok(carom_inclusion_stepper_alloc(&mechanism, &params, &stepper, NULL));
        double q[MOST_COORDINATES] = {0.0};
        double v[MOST_COORDINATES] = {0.0};
        for (int i = 0; i < a.n; i++) {
            v[i] = uniform(generator, -1.0, 1.0);
        }
        double t = 0.0;
        for (int j = 0; j < 20; j++) {
            double v_pre[MOST_COORDINATES];
            double gap[MOST_CONTACTS] = {0.0};
            memcpy(v_pre, v, sizeof v);
            affine_gaps(q, gap, &a);
            carom_inclusion_step step;
            assert_ok(carom_inclusion_stepper_advance(stepper, params.step, &t, q, v, &step, NULL));
            assert_balances(&a, &step, v_pre, v);
            double power = 0.0;
            for (int i = 0; i < a.n; i++) {
                power += a.f[i] * v[i];
            }
            ck_assert(kinetic_energy(&a, v) <=
                      kinetic_energy(&a, v_pre) + step.time * power + ROUNDING);
            for (int i = 0; i < m; i++) {
                assert_contact_laws(&a, i, gap[i], &step, v);
            }
            impacts += !(step.time > 0.0);
            contacts += step.time > 0.0 && step.time < 0.99 * step.length;
            shortened += step.is_shortened;
            early += step.is_early;
        }
        carom_inclusion_stepper_free(stepper);
    }
    ck_assert_int_gt(impacts, 200);
    ck_assert_int_gt(contacts, 200);
    // Jumps are rare, but there are some.
    ck_assert_int_gt(shortened, 0);
    ck_assert_int_lt(shortened + early, 200);
    gsl_rng_free(generator);
}

/** Twenty steps from q = 0 with v [n], which are overwritten; the time at the end. */
static double take_steps(carom_inclusion_stepper *stepper, double *q, double *v) {
    double t = 0.0;
    memset(q, 0, MOST_COORDINATES * sizeof *q);
    assert_ok(carom_inclusion_stepper_start(stepper, t, q, v, NULL));
    for (int j = 0; j < 20; j++) {
        assert_ok(carom_inclusion_stepper_advance(stepper, STEP, &t, q, v, NULL, NULL));
    }
    return t;
}

TEST(property, a_motion_that_starts_after_another_is_that_of_a_new_stepper) {
    gsl_rng *generator = seeded_generator(4204);
    for (int k = 0; k < 200; k++) {
        affine a = random_affine(generator, 3 + k % 4, 1 + k % MOST_CONTACTS, 1);
        const carom_mechanism mechanism = affine_mechanism(&a);
        const carom_inclusion_params params = with_step(STEP);
        carom_inclusion_stepper *used;
        carom_inclusion_stepper *fresh;
        assert_ok(carom_inclusion_stepper_alloc(&mechanism, &params, &used, NULL));
        assert_ok(carom_inclusion_stepper_alloc(&mechanism, &params, &fresh, NULL));
        double q[2][MOST_COORDINATES];
        double v[2][MOST_COORDINATES] = {{0.0}};
        double earlier[MOST_COORDINATES] = {0.0};
        for (int i = 0; i < a.n; i++) {
            v[0][i] = uniform(generator, -1.0, 1.0);
            v[1][i] = v[0][i];
            earlier[i] = (k % 2 == 0 ? 1e6 : 1.0) * uniform(generator, -1.0, 1.0);
        }
        // Before go ways a million times as long, beside which gaps of some 1e-4 m are closed, or
        // steps with shares of time of their own.
        take_steps(used, q[0], earlier);
        const double t[2] = {take_steps(used, q[0], v[0]), take_steps(fresh, q[1], v[1])};
        ck_assert_mem_eq(&t[0], &t[1], sizeof t[0]);
        ck_assert_mem_eq(q[0], q[1], sizeof q[0]);
        ck_assert_mem_eq(v[0], v[1], sizeof v[0]);
        carom_inclusion_stepper_free(used);
        carom_inclusion_stepper_free(fresh);
    }
    gsl_rng_free(generator);
}

TEST(property, rows_of_a_run_tell_the_shares_of_its_steps) {
    // Shortened steps among them: s grows by what dt and the impulses sum to.
    gsl_rng *generator = seeded_generator(4203);
    int shortened = 0;
    for (int k = 0; k < 200; k++) {
        affine a = random_affine(generator, 4, 3, 1);
        const carom_mechanism mechanism = affine_mechanism(&a);
        const double q0[4] = {0.0};
        double v0[4];
        for (int i = 0; i < 4; i++) {
            v0[i] = uniform(generator, -1.0, 1.0);
        }
        carom_trajectory *trajectory = run(&mechanism, 0.02, q0, v0, 0.4);
        for (int row = 1; row < trajectory->row_count; row++) {
            const double ds = trajectory->s[row] - trajectory->s[row - 1];
            double sum = trajectory->time_rate[row];
            for (int i = 0; i < 3; i++) {
                sum += trajectory->normal_rate[3 * row + i];
            }
            ck_assert(ds > 0.0);
            assert_close(sum, 1.0, 1e-9, 0.0);
            assert_close(trajectory->time[row] - trajectory->time[row - 1],
                         trajectory->time_rate[row] * ds, 1e-9, ROUNDING);
        }
        assert_close(trajectory->s[last_row(trajectory)], 0.4, ROUNDING, 0.0);
        shortened += (int)carom_trajectory_total(trajectory, trajectory->shortened);
        carom_trajectory_free(trajectory);
    }
    ck_assert_int_gt(shortened, 0);
    gsl_rng_free(generator);
}

TEST(property, steps_in_space_dissipate_and_keep_their_cones) {
    gsl_rng *generator = seeded_generator(4202);
    for (int k = 0; k < 60; k++) {
        const int m = 1 + k % 3;
        affine a = random_affine(generator, 5, m, 2);
        const carom_mechanism mechanism = affine_mechanism(&a);
        const carom_inclusion_params params = with_step(0.02);
        carom_inclusion_stepper *stepper;
        assert_ok(carom_inclusion_stepper_alloc(&mechanism, &params, &stepper, NULL));
        double q[MOST_COORDINATES] = {0.0};
        double v[MOST_COORDINATES] = {0.3, -0.9, 0.5, 0.2, -0.4, 0.0};
        double t = 0.0;
        for (int j = 0; j < 20; j++) {
            double v_pre[MOST_COORDINATES];
            double gap[MOST_CONTACTS] = {0.0};
            memcpy(v_pre, v, sizeof v);
            affine_gaps(q, gap, &a);
            carom_inclusion_step step;
            assert_ok(carom_inclusion_stepper_advance(stepper, params.step, &t, q, v, &step, NULL));
            assert_balances(&a, &step, v_pre, v);
            double power = 0.0;
            for (int i = 0; i < a.n; i++) {
                power += a.f[i] * v[i];
            }
            ck_assert(kinetic_energy(&a, v) <=
                      kinetic_energy(&a, v_pre) + step.time * power + ROUNDING);
            for (int i = 0; i < m; i++) {
                assert_contact_laws(&a, i, gap[i], &step, v);
                const double *L_t = step.tangential_impulse + 2 * i;
                ck_assert(hypot(L_t[0], L_t[1]) <= a.mu[i] * step.normal_impulse[i] + ROUNDING);
            }
        }
        carom_inclusion_stepper_free(stepper);
    }
    gsl_rng_free(generator);
}

TEST(unit, a_sliding_point_in_space_stops_along_a_facet) {
    // Mass 1.3 on a plane, sliding along the facet at 45 deg: t = |v|/(mu g), straight on.
    affine a = {.n = 3, .m = 1, .t = 2, .mu = {0.4}, .f = {0.0, 0.0, -1.3 * 9.81}};
    a.M[0] = a.M[4] = a.M[8] = 1.3;
    a.J[2] = 1.0;
    a.J[3] = 1.0;
    a.J[7] = 1.0;
    const carom_mechanism mechanism = affine_mechanism(&a);
    const double speed = 1.7;
    const double q0[3] = {0.0, 0.0, 0.0};
    const double v0[3] = {-speed * sqrt(0.5), speed * sqrt(0.5), 0.0};
    const double step = 0.005;
    carom_trajectory *trajectory = run(&mechanism, step, q0, v0, 8.0);
    const int last = last_row(trajectory);
    const double path = 0.5 * speed * speed / (0.4 * GRAVITY);
    assert_close(trajectory->velocity[3 * last], 0.0, 0.0, ROUNDING);
    assert_close(trajectory->position[3 * last + 1], -trajectory->position[3 * last], 0.0, 1e-9);
    assert_close(trajectory->position[3 * last + 1], path * sqrt(0.5), 0.0, speed * step);
    carom_trajectory_free(trajectory);
}

TEST(property, energy_never_grows_on_the_zeno_block) {
    // All of K + V: gravity is constant, so that v+ at the end of the step makes it dissipate.
    carom_trajectory *trajectory = zeno_block(0.02, 30.0);
    for (int k = 1; k < trajectory->row_count; k++) {
        const double rise = trajectory->kinetic_energy[k] + trajectory->potential_energy[k] -
                            trajectory->kinetic_energy[k - 1] - trajectory->potential_energy[k - 1];
        // Closing gaps of 1e-10 by projection may lift the block by as much.
        ck_assert_msg(rise <= 1e-9, "rise %.3g in row %d", rise, k);
    }
    carom_trajectory_free(trajectory);
}

TEST(unit, a_step_longer_than_the_run_is_shortened_to_it) {
    const carom_mechanism mechanism = ball();
    const double q = 2.0;
    const double v = 0.0;
    carom_trajectory *trajectory = run(&mechanism, 1e12, &q, &v, 0.5);
    ck_assert_int_eq(trajectory->row_count, 2);
    assert_close(trajectory->time[1], 0.5, 0.0, 0.0);
    assert_close(trajectory->velocity[1], -0.5, 1e-15, 0.0);
    carom_trajectory_free(trajectory);
}

TEST(unit, a_run_ends_at_its_duration) {
    const carom_mechanism mechanism = ball();
    const carom_inclusion_params params = with_step(0.01);
    const double q0 = 2.0 / 3.0;
    const double v0 = 2.0 / 3.0;
    carom_trajectory *trajectory;
    assert_ok(carom_inclusion_run(&mechanism, &params, &q0, &v0, 50.0, 0.5, &trajectory, NULL));
    const int last = last_row(trajectory);
    ck_assert(trajectory->time[last] >= 0.5 && trajectory->time[last] < 0.5 + 0.011);
    assert_close(trajectory->s[last], trajectory->time[last], ROUNDING, 0.0);
    ck_assert(isnan(trajectory->time_rate[0]) && isnan(trajectory->normal_rate[0]));
    // And interpolation is clamped.
    assert_close(carom_inclusion_trajectory_time(trajectory, -1.0), 0.0, 0.0, 0.0);
    assert_close(carom_inclusion_trajectory_time(trajectory, 1e9), trajectory->time[last], 0.0,
                 0.0);
    assert_close(carom_inclusion_trajectory_time(trajectory, 0.2345), 0.2345, ROUNDING, 0.0);
    carom_trajectory_free(trajectory);
}

TEST(property, runs_are_the_same_bytes_each_time) {
    carom_trajectory *first = zeno_block(0.05, 12.0);
    carom_trajectory *again = zeno_block(0.05, 12.0);
    ck_assert_int_eq(first->row_count, again->row_count);
    ck_assert_mem_eq(first->velocity, again->velocity,
                     (size_t)(3 * first->row_count) * sizeof(double));
    carom_trajectory_free(first);
    carom_trajectory_free(again);
}

TEST(errors, impossible_parameters_are_refused) {
    affine a = {.n = 1, .m = 1, .t = 1, .M = {1.0}, .J = {1.0, 0.0}, .mu = {0.1}};
    const double bad_weights[3] = {0.0, (double)NAN, INFINITY};
    carom_inclusion_params refused[14];
    int count = 0;
    const double bad_lengths[4] = {0.0, -1.0, (double)NAN, INFINITY};
    const double bad_gaps[3] = {0.0, 1.0, (double)NAN};
    for (int k = 0; k < 4; k++) {
        refused[count] = with_step(1.0);
        refused[count++].step = bad_lengths[k];
        refused[count] = with_step(1.0);
        refused[count++].reference_force = bad_lengths[k];
    }
    for (int k = 0; k < 3; k++) {
        refused[count] = with_step(1.0);
        refused[count++].closed_gap = bad_gaps[k];
        refused[count] = with_step(1.0);
        refused[count++].approach_weight = &bad_weights[k];
    }
    const carom_mechanism mechanism = affine_mechanism(&a);
    for (int k = 0; k < count; k++) {
        carom_report report = carom_report_empty();
        carom_inclusion_stepper *stepper = (void *)&a;
        ck_assert_int_eq(carom_inclusion_stepper_alloc(&mechanism, &refused[k], &stepper, &report),
                         CAROM_STATUS_OUT_OF_RANGE);
        ck_assert_ptr_null(stepper);
        ck_assert_ptr_nonnull(report.accepted);
    }
    a.mu[0] = 1e8;
    carom_report report = carom_report_empty();
    const carom_inclusion_params good = with_step(1e-2);
    carom_inclusion_stepper *stepper;
    assert_status(carom_inclusion_stepper_alloc(&mechanism, &good, &stepper, &report),
                  OUT_OF_RANGE);
    ck_assert_str_eq(report.quantity, "friction");
    a.mu[0] = 0.1;
    a.t = 2;
    const int facets[] = {0, -8, 2, 7};
    for (size_t k = 0; k < sizeof facets / sizeof facets[0]; k++) {
        carom_mechanism spatial = affine_mechanism(&a);
        carom_inclusion_params params = with_step(1e-2);
        params.facets = facets[k];

        assert_status(carom_inclusion_stepper_alloc(&spatial, &params, &stepper, NULL),
                      OUT_OF_RANGE);
    }
}

TEST(errors, impossible_mechanisms_and_starts_are_refused) {
    carom_mechanism mechanism = ball();
    const carom_inclusion_params params = with_step(1e-2);
    const double q = 1.0;
    const double below = -1e-6;
    const double v = 0.0;
    const double nan = (double)NAN;
    carom_trajectory *out;
    assert_status(carom_inclusion_run(&mechanism, &params, &below, &v, 1.0, 1.0, &out, NULL),
                  PENETRATION);
    assert_status(carom_inclusion_run(&mechanism, &params, &nan, &v, 1.0, 1.0, &out, NULL),
                  NOT_FINITE);
    assert_status(carom_inclusion_run(&mechanism, &params, &q, &v, 0.0, 1.0, &out, NULL),
                  OUT_OF_RANGE);
    assert_status(carom_inclusion_run(&mechanism, &params, &q, &v, INFINITY, 1.0, &out, NULL),
                  OUT_OF_RANGE);
    assert_status(carom_inclusion_run(&mechanism, &params, &q, &v, 1.0, nan, &out, NULL),
                  OUT_OF_RANGE);
    assert_status(carom_inclusion_run(&mechanism, &params, &q, &v, 1e12, 1.0, &out, NULL),
                  OUT_OF_RANGE);
    ck_assert_ptr_null(out);
    mechanism.joint_count = 1;
    mechanism.contact_count = 0;
    carom_inclusion_stepper *stepper;
    carom_report report = carom_report_empty();
    assert_status(carom_inclusion_stepper_alloc(&mechanism, &params, &stepper, &report),
                  UNSUPPORTED);
    ck_assert_str_eq(report.sentence,
                     "inclusion computes motion without joints; mechanism 'ball' has joints (1)");
    const double e = 0.3;
    mechanism = ball();
    mechanism.restitution = &e;
    assert_status(carom_inclusion_stepper_alloc(&mechanism, &params, &stepper, &report),
                  UNSUPPORTED);
    ck_assert_str_eq(report.sentence, "inclusion computes motion without restitution; mechanism "
                                      "'ball' has restitution 0.3");
    carom_trajectory_free(NULL);
    carom_inclusion_stepper_free(NULL);
}

static void no_mass(const double *q, double *M, void *context) {
    (void)q;
    (void)context;
    M[0] = 0.0;
}

static void no_force(double t, const double *q, const double *v, double *f, void *context) {
    (void)t;
    (void)q;
    (void)v;
    (void)context;
    f[0] = (double)NAN;
}

static void no_gap(const double *q, double *g, void *context) {
    (void)q;
    (void)context;
    g[0] = (double)NAN;
}

static void no_jacobian(const double *q, double *G, void *context) {
    (void)q;
    (void)context;
    G[0] = INFINITY;
}

TEST(errors, a_failed_step_changes_nothing_and_says_when) {
    carom_mechanism mechanisms[4] = {ball(), ball(), ball(), ball()};
    mechanisms[0].mass = no_mass;
    mechanisms[1].force = no_force;
    mechanisms[2].constraints = no_gap;
    mechanisms[3].constraint_jacobian = no_jacobian;
    for (int k = 0; k < 4; k++) {
        const carom_inclusion_params params = with_step(1e-2);
        carom_inclusion_stepper *stepper;
        assert_ok(carom_inclusion_stepper_alloc(&mechanisms[k], &params, &stepper, NULL));
        double t = 0.25;
        double q = 1.5;
        double v = -2.5;
        carom_report report = carom_report_empty();
        const carom_status status =
            carom_inclusion_stepper_advance(stepper, 0.1, &t, &q, &v, NULL, &report);
        ck_assert_int_eq(status, k == 0 ? CAROM_STATUS_SINGULAR : CAROM_STATUS_NOT_FINITE);
        assert_close(report.time, 0.25, 0.0, 0.0);
        assert_close(t, 0.25, 0.0, 0.0);
        assert_close(q, 1.5, 0.0, 0.0);
        assert_close(v, -2.5, 0.0, 0.0);
        carom_inclusion_stepper_free(stepper);
    }
}

TEST(errors, every_failed_allocation_is_reported_without_a_leak) {
    carom_planar_tree *tree = block(1.0, 2.0, 1.0, GRAVITY);
    const double q0[3] = {0.0, 1.0, 0.0};
    const double v0[3] = {-1.0, 0.5, 1.0};
    const carom_inclusion_params params = with_step(0.1);
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    for (int k = 0; status != CAROM_OK; k++) {
        ck_assert_int_lt(k, 200);
        carom_trajectory *trajectory = NULL;
        successes_left = k;
        status = carom_inclusion_run(carom_planar_tree_mechanism(tree), &params, q0, v0, 1.0,
                                     INFINITY, &trajectory, NULL);
        successes_left = -1;
        ck_assert_int_eq(status == CAROM_OK, trajectory != NULL);
        ck_assert(status == CAROM_OK || status == CAROM_STATUS_OUT_OF_MEMORY);
        carom_trajectory_free(trajectory);
    }
    carom_planar_tree_free(tree);
}

TEST(property, steps_allocate_nothing) {
    carom_planar_tree *tree = block(1.0, 2.0, 1.0, GRAVITY);
    const carom_inclusion_params params = with_step(0.05);
    carom_inclusion_stepper *stepper;
    assert_ok(
        carom_inclusion_stepper_alloc(carom_planar_tree_mechanism(tree), &params, &stepper, NULL));
    double t = 0.0;
    double q[3] = {0.0, 1.0, 0.0};
    double v[3] = {-1.0, 0.5, 1.0};
    // Through pivots, impacts and rest; assertions allocate, so that they come after.
    int failures = 0;
    allocations = 0;
    for (int k = 0; k < 800; k++) {
        failures +=
            carom_inclusion_stepper_advance(stepper, params.step, &t, q, v, NULL, NULL) != CAROM_OK;
    }
    const int made = allocations;
    ck_assert_int_eq(made, 0);
    ck_assert_int_eq(failures, 0);
    carom_inclusion_stepper_free(stepper);
    carom_planar_tree_free(tree);
}
