#include "../../failing_malloc.h"
#include "inclusion_runs.h"

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
