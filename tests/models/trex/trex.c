/* The tailed biped of seghete-2014 section VII-B. Expected values: table I, sums over the seven
 * bodies whose places are written out here, differences of the energies, and values of a separate
 * program that derives the Lagrangian symbolically from body frames. */
#include "../../derivatives.h"
#include "../../failing_malloc.h"
#include "trex_robots.h"

#include <carom/base/linear_algebra.h>
#include <carom/mechanism/mechanism.h>
#include <carom/models/trex/internal.h>
#include <carom/models/trex/trex.h>

#include <gsl/gsl_math.h>
#include <gsl/gsl_odeiv2.h>
#include <string.h>

enum { N = CAROM_TREX_COORDINATES, CONTACTS = CAROM_TREX_CONTACTS, BODIES = 7, RANDOM_CASES = 30 };

/* Rounding of some tens of operations, relative to the largest term. */
static const double ROUNDING = 1e-13;
/* Central differences of step eps^(1/3): error eps^(2/3) = 4e-11, times some tens for the size of
 * the higher derivatives. */
static const double STEP = 6e-6;
static const double DIFFERENCES = 2e-9;

/* Of the random numbers. */
static const unsigned long STREAM = 29;

static double random_in(unsigned long seed, unsigned long dimension, double low, double high) {
    return robot_random(STREAM, seed, dimension, low, high);
}

/* A robot with no special values, its springs, dashpots and hips unequal. */
static carom_trex_params random_robot(unsigned long seed) {
    carom_trex_params params = carom_trex_params_default();
    draw_robot_shape(STREAM, seed, &params);
    params.knee_stiffness = random_in(seed, 7, 1e3, 1e4);
    params.knee_damping = random_in(seed, 8, 1e2, 1e3);
    params.body_stiffness = random_in(seed, 9, 1e3, 1e4);
    params.body_damping = random_in(seed, 10, 1e2, 1e3);
    params.hip_stiffness = random_in(seed, 11, 1e3, 1e4);
    params.hip_damping = random_in(seed, 12, 1e2, 1e3);
    params.hip_rates[0] = random_in(seed, 13, -6.0, 6.0);
    params.hip_rates[1] = random_in(seed, 14, -6.0, 6.0);
    params.hip_start_time = random_in(seed, 15, 0.1, 0.3);
    params.gravity = random_in(seed, 16, 500.0, 1500.0);
    for (unsigned long j = 0; j < N; j++) {
        params.stance[j] = random_in(seed, 20 + j, -3.0, 3.0);
    }
    return params;
}

static void random_state(unsigned long seed, double *q, double *v) {
    for (unsigned long j = 0; j < N; j++) {
        q[j] = random_in(seed, 40 + j, -3.0, 3.0);
        v[j] = random_in(seed, 50 + j, -5.0, 5.0);
    }
}

/* No springs, dashpots and hips. */
static carom_trex_params limp(carom_trex_params params) {
    params.knee_stiffness = 0.0;
    params.knee_damping = 0.0;
    params.body_stiffness = 0.0;
    params.body_damping = 0.0;
    params.hip_stiffness = 0.0;
    params.hip_damping = 0.0;
    return params;
}

static carom_model *model_of(const carom_trex_params *params) {
    carom_model *model = NULL;
    assert_ok(carom_trex_alloc(params, &model, NULL));
    return model;
}

/* Masses and central moments of inertia: two spheres, upper and lower rods left and right, tail. */
static void body_inertias(const carom_trex_params *p, double *mass, double *spin) {
    const double radii[2] = {p->anterior_radius, p->posterior_radius};
    const double lengths[5] = {
        p->upper_length, p->lower_length, p->upper_length, p->lower_length,
        carom_trex_tail_length(p->tail, p->anterior_radius, p->posterior_radius)};
    for (int i = 0; i < 2; i++) {
        mass[i] = p->body_density * 4.0 * M_PI * pow(radii[i], 3.0) / 3.0;
        spin[i] = 2.0 / 5.0 * mass[i] * radii[i] * radii[i];
    }
    for (int i = 0; i < 5; i++) {
        mass[2 + i] = p->limb_density * p->limb_section * lengths[i];
        spin[2 + i] = mass[2 + i] * lengths[i] * lengths[i] / 12.0;
    }
}

/* Centres (x, y) and angles of the same bodies. */
static void body_places(const carom_trex_params *p, const double *q, double place[BODIES][3]) {
    const double theta = q[2];
    const double tail = carom_trex_tail_length(p->tail, p->anterior_radius, p->posterior_radius);
    const double joint_x = q[0] + (p->anterior_radius + p->posterior_radius) * cos(theta);
    const double joint_y = q[1] + (p->anterior_radius + p->posterior_radius) * sin(theta);
    const double bodies[2][3] = {{q[0], q[1], theta}, {joint_x, joint_y, theta + q[7]}};
    memcpy(place, bodies, sizeof(bodies));
    for (int leg = 0; leg < 2; leg++) {
        const double upper = theta + q[3 + 2 * leg];
        const double lower = upper + q[4 + 2 * leg];
        double *u = place[2 + 2 * leg];
        double *l = place[3 + 2 * leg];
        u[0] = q[0] + 0.5 * p->upper_length * cos(upper);
        u[1] = q[1] + 0.5 * p->upper_length * sin(upper);
        u[2] = upper;
        l[0] = q[0] + p->upper_length * cos(upper) + 0.5 * p->lower_length * cos(lower);
        l[1] = q[1] + p->upper_length * sin(upper) + 0.5 * p->lower_length * sin(lower);
        l[2] = lower;
    }
    place[6][0] = joint_x + 0.5 * tail * cos(theta + q[7]);
    place[6][1] = joint_y + 0.5 * tail * sin(theta + q[7]);
    place[6][2] = theta + q[7];
}

/* Cosine of two contacts in the metric of the inverse mass matrix, and their norms. */
static double cosine_of(const carom_mechanism *mechanism, const double *q, int i, int j,
                        double *norm_i, double *norm_j) {
    double M[N * N];
    double G[CONTACTS * N];
    mechanism->mass(q, M, mechanism->context);
    mechanism->constraint_jacobian(q, G, mechanism->context);
    carom_factor *factor = NULL;
    assert_ok(carom_factor_alloc(mechanism->layout, &factor));
    assert_ok(carom_factor_compute(factor, M));
    double raised[2][N];
    memcpy(raised[0], G + i * N, sizeof(raised[0]));
    memcpy(raised[1], G + j * N, sizeof(raised[1]));
    carom_factor_solve(factor, raised[0]);
    carom_factor_solve(factor, raised[1]);
    carom_factor_free(factor);
    double ii = 0.0;
    double ij = 0.0;
    double jj = 0.0;
    for (int k = 0; k < N; k++) {
        ii += G[i * N + k] * raised[0][k];
        ij += G[i * N + k] * raised[1][k];
        jj += G[j * N + k] * raised[1][k];
    }
    *norm_i = sqrt(ii);
    *norm_j = sqrt(jj);
    return ij / sqrt(ii * jj);
}

TEST(unit, tail_lengths_are_those_of_the_two_formulas) {
    /* Ten digits of a separate program; the cone of (7, 4) is 44/3. */
    assert_close(carom_trex_tail_length(CAROM_TREX_TAIL_CONE, 7.0, 4.0), 44.0 / 3.0, ROUNDING, 0.0);
    assert_close(carom_trex_tail_length(CAROM_TREX_TAIL_CONE, 6.69, 4.22), 18.6397571, 0.0, 5.1e-8);
    assert_close(carom_trex_tail_length(CAROM_TREX_TAIL_PRINTED, 7.0, 4.0), 15.8627534, 0.0,
                 5.1e-8);
    for (unsigned long seed = 0; seed < RANDOM_CASES; seed++) {
        const double r1 = random_in(seed, 60, 5.0, 9.0);
        const double r2 = random_in(seed, 61, 0.5, 4.9);
        const double printed = (pow(r1, 3.0) + r1 * r1 * r2 +
                                M_SQRT2 * sqrt(pow(r1, 4.0) * r2 * r2 + pow(r1 * r2, 3.0))) /
                                   (r1 * r1 - r2 * r2) -
                               (r1 + r2);
        const double length = carom_trex_tail_length(CAROM_TREX_TAIL_PRINTED, r1, r2);
        assert_close(length, printed, 1e-12, 0.0); /* r1 - r2 down to 0.1 */

        /* The wedge over the anterior diameter and the cone are tangent to the posterior circle. */
        const double X = length + r1 + r2;
        assert_close(r1 * length / sqrt(r1 * r1 + X * X), r2, 1e-12, 0.0);
        const double cone = carom_trex_tail_length(CAROM_TREX_TAIL_CONE, r1, r2);
        assert_close(r1 / (cone + r1 + r2), r2 / cone, 1e-12, 0.0);
    }
}

/* Section VII-B: the larger the ratio of the radii, the shorter the tail, by both formulas. */
TEST(property, tails_are_the_shorter_the_larger_the_ratio_of_the_radii) {
    for (int formula = 0; formula < 2; formula++) {
        const carom_trex_tail tail = formula == 0 ? CAROM_TREX_TAIL_CONE : CAROM_TREX_TAIL_PRINTED;
        double before = HUGE_VAL;
        for (int i = 1; i <= 64; i++) {
            const double length = carom_trex_tail_length(tail, 1.0 + 3.0 * i / 64.0, 1.0);
            ck_assert_double_lt(length, before);
            before = length;
        }
    }
}

/* Heights in cm, to the three decimals in which they are known. */
TEST(unit, tips_of_table_one_are_on_the_floor_within_its_rounding) {
    const carom_trex_params rows[2] = {carom_trex_params_hand_picked(),
                                       carom_trex_params_default()};
    const double foot[2] = {0.131, 0.058};
    const double cone_tip[2] = {0.003, 0.021};
    const double printed_tip[2] = {-0.574, -0.624};
    for (int i = 0; i < 2; i++) {
        carom_trex_params params = rows[i];
        params.drop_height = 0.0;
        for (int tail = 0; tail < 2; tail++) {
            params.tail = tail == 0 ? CAROM_TREX_TAIL_CONE : CAROM_TREX_TAIL_PRINTED;
            carom_model *model = model_of(&params);
            double g[CONTACTS] = {(double)NAN};
            model->mechanism.constraints(model->initial_position, g, model->mechanism.context);
            assert_close(g[CAROM_TREX_RIGHT_FOOT], foot[i], 0.0, 5.1e-4);
            assert_close(g[CAROM_TREX_TAIL_TIP], tail == 0 ? cone_tip[i] : printed_tip[i], 0.0,
                         5.1e-4);
            ck_assert(g[CAROM_TREX_LEFT_FOOT] > 1.0);
            carom_model_free(model);
        }
    }
}

TEST(unit, defaults_are_the_rows_of_table_one) {
    const carom_trex_params optimized = carom_trex_params_default();
    const carom_trex_params initial = carom_trex_params_hand_picked();
    /* Differences of the rows, in the last printed digit. */
    assert_close(optimized.stance[CAROM_TREX_RIGHT_HIP] - initial.stance[CAROM_TREX_RIGHT_HIP],
                 -0.34, ROUNDING, 0.0);
    assert_close(optimized.stance[CAROM_TREX_LEFT_HIP] - initial.stance[CAROM_TREX_LEFT_HIP], 0.86,
                 ROUNDING, 0.0);
    assert_close(optimized.stance[CAROM_TREX_Y] - initial.stance[CAROM_TREX_Y], 1.31, ROUNDING,
                 0.0);
    assert_close(initial.stance[CAROM_TREX_RIGHT_HIP] - initial.stance[CAROM_TREX_LEFT_HIP], 3.14,
                 ROUNDING, 0.0);
    assert_close(optimized.hip_stiffness, 1e5, 0.0, 0.0);
    assert_close(optimized.hip_damping, 1e4, 0.0, 0.0);
    assert_close(optimized.drop_height, 17.0, 0.0, 0.0);
    assert_close(optimized.hip_start_time, 0.18616797, 0.0, 5.1e-9);
    assert_ok(carom_trex_check(&optimized, NULL));
    assert_ok(carom_trex_check(&initial, NULL));
}

TEST(unit, chosen_parameters_are_those_of_the_documentation) {
    carom_trex_params params = carom_trex_params_default();
    ck_assert_int_eq((int)params.tail, CAROM_TREX_TAIL_CONE);
    assert_close(params.body_density, 1e-3, 0.0, 0.0);
    assert_close(params.limb_density * params.limb_section, 2.5e-3, ROUNDING, 0.0);
    assert_close(params.knee_stiffness, 1e5, 0.0, 0.0);
    assert_close(params.body_stiffness, 1e5, 0.0, 0.0);
    assert_close(params.knee_damping, 5e2, 0.0, 0.0);
    assert_close(params.body_damping, 5e2, 0.0, 0.0);
    assert_close(params.hip_rates[0], 6.0, 0.0, 0.0);
    assert_close(params.hip_rates[1], 6.0, 0.0, 0.0);
    assert_close(params.gravity, 981.0, 0.0, 0.0);
    assert_close(params.friction, 0.8, 0.0, 0.0);
    assert_close(params.restitution, 1.0, 0.0, 0.0);
}

TEST(unit, contacts_have_the_coefficients_that_were_asked_for) {
    carom_trex_params params = carom_trex_params_default();
    params.friction = 0.237;
    params.restitution = 0.619;
    carom_model *model = model_of(&params);
    const carom_mechanism *mechanism = &model->mechanism;
    ck_assert_int_eq(mechanism->joint_count, 0);
    ck_assert_int_eq(mechanism->contact_count, CONTACTS);
    ck_assert_int_eq(mechanism->tangent_count, 1);
    for (int i = 0; i < CONTACTS; i++) {
        assert_close(mechanism->friction[i], 0.237, 0.0, 0.0);
        assert_close(mechanism->restitution[i], 0.619, 0.0, 0.0);
    }
    carom_model_free(model);
}

/* Ten decimals of the separate program. */
TEST(unit, hand_picked_row_has_the_reference_inertia_and_normals) {
    carom_trex_params params = carom_trex_params_hand_picked();
    carom_model *model = model_of(&params);
    const carom_mechanism *mechanism = &model->mechanism;
    const double digits = 5.1e-11;
    const carom_trex_inertia inertia = carom_trex_inertia_of(&params);
    assert_close(inertia.mass, 1.8315042800, 0.0, digits);
    double M[N * N];
    mechanism->mass(params.stance, M, mechanism->context);
    assert_close(M[2 * N + 2], 83.0293593128, 0.0, digits);
    assert_close(M[5 * N + 5], 3.8669413428, 0.0, digits);
    assert_close(M[5 * N + 6], 1.3368040047, 0.0, digits);
    assert_close(M[6 * N + 6], 0.8333333333, 0.0, digits);
    assert_close(M[7 * N + 7], 4.3448642703, 0.0, digits);

    double G[CONTACTS * N];
    mechanism->constraint_jacobian(params.stance, G, mechanism->context);
    const double foot[N] = {0.0, 1.0, -9.7225816906, 0.0, 0.0, -9.7225816906, -9.0388226268, 0.0};
    const double tail[N] = {0.0, 1.0, 22.4853088668, 0.0, 0.0, 0.0, 0.0, 12.8487479239};
    for (int j = 0; j < N; j++) {
        assert_close(G[CAROM_TREX_RIGHT_FOOT * N + j], foot[j], 0.0, digits);
        assert_close(G[CAROM_TREX_TAIL_TIP * N + j], tail[j], 0.0, digits);
    }
    double foot_norm = (double)NAN;
    double tail_norm = (double)NAN;
    const double c = cosine_of(mechanism, params.stance, CAROM_TREX_RIGHT_FOOT, CAROM_TREX_TAIL_TIP,
                               &foot_norm, &tail_norm);
    assert_close(foot_norm, 10.5532371578, 0.0, digits);
    assert_close(tail_norm, 6.1758992862, 0.0, digits);
    assert_close(c, -4.2778133e-4, 0.0, 5.1e-12);
    carom_model_free(model);

    params = carom_trex_params_default();
    model = model_of(&params);
    const double optimized = cosine_of(&model->mechanism, params.stance, CAROM_TREX_RIGHT_FOOT,
                                       CAROM_TREX_TAIL_TIP, &foot_norm, &tail_norm);
    assert_close(optimized, 6.2950658e-4, 0.0, 5.1e-12);
    carom_model_free(model);
}

/* The root of the design equations near the hand-picked row, to ten decimals. */
static carom_trex_params orthogonal_robot(void) {
    const double stance[N] = {0.0,          12.3792712192, 5.7604710940, 1.9919160627,
                              5.2406961059, 5.0062751636,  5.4185293811, 0.0736648933};
    carom_trex_params params = carom_trex_params_hand_picked();
    memcpy(params.stance, stance, sizeof(stance));
    params.anterior_radius = 6.9555857243;
    params.posterior_radius = 4.0940741014;
    params.upper_length = 7.9982332467;
    params.lower_length = 9.9904062117;
    params.drop_height = 0.0;
    return params;
}

/* The rounded digits leave some 1e-9 of lengths of 20 cm and of the cosine. */
TEST(unit, orthogonal_design_has_both_tips_down_and_right_angles) {
    const carom_trex_params params = orthogonal_robot();
    carom_model *model = model_of(&params);
    const carom_mechanism *mechanism = &model->mechanism;
    double g[CONTACTS] = {(double)NAN};
    mechanism->constraints(params.stance, g, mechanism->context);
    assert_close(g[CAROM_TREX_RIGHT_FOOT], 0.0, 0.0, 5e-9);
    assert_close(g[CAROM_TREX_TAIL_TIP], 0.0, 0.0, 5e-9);
    double norms[2];
    assert_close(cosine_of(mechanism, params.stance, CAROM_TREX_RIGHT_FOOT, CAROM_TREX_TAIL_TIP,
                           norms, norms + 1),
                 0.0, 0.0, 1e-10);

    /* Statically stable: the centre of mass is between foot and tail. */
    double points[2 * CAROM_TREX_POINTS];
    double centre[2] = {(double)NAN, (double)NAN};
    carom_trex_points(&params, params.stance, points);
    carom_trex_centre_of_mass(&params, params.stance, centre);
    assert_close(points[2 * CAROM_TREX_POINT_RIGHT_FOOT], -10.688, 0.0, 5.1e-4);
    assert_close(points[2 * CAROM_TREX_POINT_TAIL_TIP], 23.816, 0.0, 5.1e-4);
    assert_close(centre[0], 1.850, 0.0, 5.1e-4);
    carom_model_free(model);
}

TEST(unit, straight_stance_has_the_reference_hips_and_both_tips_down) {
    const carom_trex_params params = orthogonal_robot();
    carom_model *model = model_of(&params);
    const double hips[2] = {4.4232729039, 6.0469334833};
    const double cosines[2] = {-3.9678621501e-4, 2.9015345821e-3};
    for (int is_ahead = 0; is_ahead < 2; is_ahead++) {
        double q[N];
        assert_ok(carom_trex_straight_stance(&params, is_ahead == 1, q, NULL));
        assert_close(q[CAROM_TREX_RIGHT_HIP], hips[is_ahead], 0.0, 1e-9);
        assert_close(q[CAROM_TREX_LEFT_HIP], hips[is_ahead] - M_PI, 0.0, 1e-9);
        assert_close(q[CAROM_TREX_PITCH], params.stance[CAROM_TREX_PITCH], 0.0, 0.0);
        assert_close(q[CAROM_TREX_BODY_JOINT], params.stance[CAROM_TREX_BODY_JOINT], 0.0, 0.0);
        double points[2 * CAROM_TREX_POINTS];
        carom_trex_points(&params, q, points);
        const double *foot = points + 2 * CAROM_TREX_POINT_RIGHT_FOOT;
        const double *other = points + 2 * CAROM_TREX_POINT_LEFT_FOOT;
        ck_assert(is_ahead == 1 ? foot[0] > 10.0 : foot[0] < -10.0);
        assert_close(foot[1], 0.0, 0.0, 30.0 * ROUNDING);
        assert_close(points[2 * CAROM_TREX_POINT_TAIL_TIP + 1], 0.0, 0.0, 30.0 * ROUNDING);
        for (int k = 0; k < 2; k++) {
            const double hip = points[2 * CAROM_TREX_POINT_ANTERIOR + k];
            assert_close(foot[k] + other[k], 2.0 * hip, 0.0, 30.0 * ROUNDING);
        }
        double norms[2];
        assert_close(cosine_of(&model->mechanism, q, CAROM_TREX_RIGHT_FOOT, CAROM_TREX_TAIL_TIP,
                               norms, norms + 1),
                     cosines[is_ahead], 0.0, 1e-10);
    }
    carom_model_free(model);
}

TEST(unit, hips_hold_the_stance_and_then_turn_at_the_set_rates) {
    carom_trex_params params = carom_trex_params_default();
    params.hip_rates[0] = 2.385;
    params.hip_rates[1] = -1.713;
    params.gravity = 0.0;
    params.hip_start_time = 0.2;
    carom_model *model = model_of(&params);
    const carom_mechanism *mechanism = &model->mechanism;
    double v[N] = {0.0};
    double f[N] = {(double)NAN};

    /* At rest in the stance nothing pulls, until the references start. */
    mechanism->force(0.2, params.stance, v, f, mechanism->context);
    for (int j = 0; j < N; j++) {
        assert_close(f[j], 0.0, 0.0, 0.0);
    }
    mechanism->force(0.23, params.stance, v, f, mechanism->context);
    const double gain = 1e5 * 0.03 + 1e4;
    assert_close(f[CAROM_TREX_LEFT_HIP], 2.385 * gain, ROUNDING, 0.0);
    assert_close(f[CAROM_TREX_RIGHT_HIP], -1.713 * gain, ROUNDING, 0.0);

    /* On its reference, only the reference's rate is missing. */
    double q[N];
    memcpy(q, params.stance, sizeof(q));
    q[CAROM_TREX_LEFT_HIP] += 2.385 * 0.03;
    mechanism->force(0.23, q, v, f, mechanism->context);
    assert_close(f[CAROM_TREX_LEFT_HIP], 2.385 * 1e4, ROUNDING, 0.0);

    /* The start is at rest above the stance. */
    assert_close(model->initial_position[CAROM_TREX_Y], 13.69 + 17.0, ROUNDING, 0.0);
    assert_close(model->initial_velocity[CAROM_TREX_Y], 0.0, 0.0, 0.0);
    carom_model_free(model);
}

TEST(property, derivatives_are_those_of_their_functions) {
    for (unsigned long seed = 0; seed < RANDOM_CASES; seed++) {
        const carom_trex_params params = random_robot(seed);
        carom_model *model = model_of(&params);
        double q[N];
        double v[N];
        random_state(seed, q, v);
        const double t = seed % 3 == 0 ? 0.05 : 0.4;
        assert_ok(carom_mechanism_validate(&model->mechanism, t, q, v, NULL));
        assert_derivatives(&model->mechanism, t, q, v, 1e-7, seed, seed);
        carom_model_free(model);
    }
}

/* M = sum_i m_i J_i' J_i + I_i a_i' a_i with Jacobians of the places, which are differenced. */
TEST(property, energies_are_sums_over_the_bodies) {
    for (unsigned long seed = 0; seed < RANDOM_CASES; seed++) {
        const carom_trex_params params = random_robot(seed);
        carom_model *model = model_of(&params);
        const carom_mechanism *mechanism = &model->mechanism;
        double q[N];
        double v[N];
        random_state(seed, q, v);
        double m[BODIES];
        double spin[BODIES];
        body_inertias(&params, m, spin);
        double jacobian[N][BODIES][3];
        for (int j = 0; j < N; j++) {
            double moved[N];
            double after[BODIES][3];
            double before[BODIES][3];
            memcpy(moved, q, sizeof(q));
            moved[j] = q[j] + STEP;
            body_places(&params, moved, after);
            moved[j] = q[j] - STEP;
            body_places(&params, moved, before);
            for (int i = 0; i < 3 * BODIES; i++) {
                jacobian[j][i / 3][i % 3] =
                    (after[i / 3][i % 3] - before[i / 3][i % 3]) / (2.0 * STEP);
            }
        }
        double M[N * N];
        mechanism->mass(q, M, mechanism->context);
        for (int j = 0; j < N; j++) {
            for (int k = 0; k < N; k++) {
                double sum = 0.0;
                for (int i = 0; i < BODIES; i++) {
                    const double *a = jacobian[j][i];
                    const double *b = jacobian[k][i];
                    sum += m[i] * (a[0] * b[0] + a[1] * b[1]) + spin[i] * a[2] * b[2];
                }
                assert_close(M[j * N + k], sum, 0.0, DIFFERENCES * M[2 * N + 2]);
            }
        }

        double place[BODIES][3];
        body_places(&params, q, place);
        double V = 0.5 * params.knee_stiffness *
                       (gsl_pow_2(q[4] - params.stance[4]) + gsl_pow_2(q[6] - params.stance[6])) +
                   0.5 * params.body_stiffness * gsl_pow_2(q[7] - params.stance[7]);
        double scale = V;
        double total = 0.0;
        double weighted[2] = {0.0, 0.0};
        for (int i = 0; i < BODIES; i++) {
            V += params.gravity * m[i] * place[i][1];
            scale += params.gravity * m[i] * fabs(place[i][1]);
            total += m[i];
            weighted[0] += m[i] * place[i][0];
            weighted[1] += m[i] * place[i][1];
        }
        assert_close(mechanism->potential_energy(q, mechanism->context), V, 0.0, ROUNDING * scale);
        double centre[2];
        carom_trex_centre_of_mass(&params, q, centre);
        assert_close(centre[0], weighted[0] / total, 0.0, 30.0 * ROUNDING);
        assert_close(centre[1], weighted[1] / total, 0.0, 30.0 * ROUNDING);
        carom_model_free(model);
    }
}

/* f = -dV/dq + d(v'M v/2)/dq - (dM/dt) v + dashpots and hips, with differences of V and M. */
TEST(property, forces_are_those_of_the_lagrangian) {
    for (unsigned long seed = 0; seed < RANDOM_CASES; seed++) {
        const carom_trex_params params = random_robot(seed);
        carom_model *model = model_of(&params);
        const carom_mechanism *mechanism = &model->mechanism;
        double q[N];
        double v[N];
        random_state(seed, q, v);
        const double t = 0.4;
        double expected[N] = {0.0};
        for (int leg = 0; leg < 2; leg++) {
            const int hip = 3 + 2 * leg;
            const double rate = params.hip_rates[leg];
            const double reference = params.stance[hip] + rate * (t - params.hip_start_time);
            expected[hip] =
                -params.hip_stiffness * (q[hip] - reference) - params.hip_damping * (v[hip] - rate);
            expected[hip + 1] = -params.knee_damping * v[hip + 1];
        }
        expected[7] = -params.body_damping * v[7];
        double moved[N];
        memcpy(moved, q, sizeof(q));
        for (int j = 0; j < N; j++) {
            double after[N * N];
            double before[N * N];
            moved[j] = q[j] + STEP;
            mechanism->mass(moved, after, mechanism->context);
            const double V_after = mechanism->potential_energy(moved, mechanism->context);
            moved[j] = q[j] - STEP;
            mechanism->mass(moved, before, mechanism->context);
            const double V_before = mechanism->potential_energy(moved, mechanism->context);
            moved[j] = q[j];
            expected[j] -= (V_after - V_before) / (2.0 * STEP);
            for (int i = 0; i < N; i++) {
                for (int k = 0; k < N; k++) {
                    const double slope = (after[i * N + k] - before[i * N + k]) / (2.0 * STEP);
                    expected[j] += 0.5 * v[i] * slope * v[k];
                    expected[i] -= v[j] * slope * v[k];
                }
            }
        }
        double f[N];
        mechanism->force(t, q, v, f, mechanism->context);
        double scale = 0.0;
        for (int j = 0; j < N; j++) {
            scale = fmax(scale, fabs(f[j]));
        }
        for (int j = 0; j < N; j++) {
            assert_close(f[j], expected[j], 0.0, DIFFERENCES * scale);
        }
        carom_model_free(model);
    }
}

TEST(property, gaps_and_slips_are_those_of_the_drawn_tips) {
    const int tips[CONTACTS] = {CAROM_TREX_POINT_LEFT_FOOT, CAROM_TREX_POINT_RIGHT_FOOT,
                                CAROM_TREX_POINT_TAIL_TIP};
    for (unsigned long seed = 0; seed < RANDOM_CASES; seed++) {
        const carom_trex_params params = random_robot(seed);
        carom_model *model = model_of(&params);
        const carom_mechanism *mechanism = &model->mechanism;
        double q[N];
        double v[N];
        random_state(seed, q, v);
        double g[CONTACTS];
        double H[CONTACTS * N];
        double points[2 * CAROM_TREX_POINTS];
        mechanism->constraints(q, g, mechanism->context);
        mechanism->tangential_jacobian(q, H, mechanism->context);
        carom_trex_points(&params, q, points);
        for (int i = 0; i < CONTACTS; i++) {
            assert_close(g[i], points[2 * tips[i] + 1], 0.0, 50.0 * ROUNDING);
        }
        for (int j = 0; j < N; j++) {
            double moved[N];
            double before[2 * CAROM_TREX_POINTS];
            memcpy(moved, q, sizeof(q));
            moved[j] = q[j] + STEP;
            carom_trex_points(&params, moved, points);
            moved[j] = q[j] - STEP;
            carom_trex_points(&params, moved, before);
            for (int i = 0; i < CONTACTS; i++) {
                const double slope = (points[2 * tips[i]] - before[2 * tips[i]]) / (2.0 * STEP);
                assert_close(H[i * N + j], slope, 0.0, 50.0 * DIFFERENCES);
            }
        }
        carom_model_free(model);
    }
}

/* The drawn knees are where the middles of the links say, and the bodies touch. */
TEST(property, drawn_joints_are_the_ends_of_the_links) {
    for (unsigned long seed = 0; seed < RANDOM_CASES; seed++) {
        const carom_trex_params params = random_robot(seed);
        double q[N];
        double v[N];
        random_state(seed, q, v);
        double place[BODIES][3];
        double p[CAROM_TREX_POINTS][2];
        body_places(&params, q, place);
        carom_trex_points(&params, q, p[0]);
        const int ends[5][2] = {{CAROM_TREX_POINT_ANTERIOR, CAROM_TREX_POINT_LEFT_KNEE},
                                {CAROM_TREX_POINT_LEFT_KNEE, CAROM_TREX_POINT_LEFT_FOOT},
                                {CAROM_TREX_POINT_ANTERIOR, CAROM_TREX_POINT_RIGHT_KNEE},
                                {CAROM_TREX_POINT_RIGHT_KNEE, CAROM_TREX_POINT_RIGHT_FOOT},
                                {CAROM_TREX_POINT_POSTERIOR, CAROM_TREX_POINT_TAIL_TIP}};
        for (int k = 0; k < 2; k++) {
            for (int i = 0; i < 5; i++) {
                assert_close(0.5 * (p[ends[i][0]][k] + p[ends[i][1]][k]), place[2 + i][k], 0.0,
                             50.0 * ROUNDING);
            }
            assert_close(p[CAROM_TREX_POINT_POSTERIOR][k], place[1][k], 0.0, 50.0 * ROUNDING);
        }
    }
}

/* Exchange the coordinates of the legs. */
static void exchange_legs(double *q) {
    for (int j = 0; j < 2; j++) {
        const double left = q[3 + j];
        q[3 + j] = q[5 + j];
        q[5 + j] = left;
    }
}

TEST(property, legs_can_be_exchanged) {
    for (unsigned long seed = 0; seed < RANDOM_CASES; seed++) {
        carom_trex_params params = random_robot(seed);
        carom_model *model = model_of(&params);
        exchange_legs(params.stance);
        const double left_rate = params.hip_rates[0];
        params.hip_rates[0] = params.hip_rates[1];
        params.hip_rates[1] = left_rate;
        carom_model *other = model_of(&params);
        double q[N];
        double v[N];
        double f[N];
        double f_other[N];
        double g[CONTACTS];
        double g_other[CONTACTS];
        random_state(seed, q, v);
        model->mechanism.force(0.4, q, v, f, model->mechanism.context);
        model->mechanism.constraints(q, g, model->mechanism.context);
        exchange_legs(q);
        exchange_legs(v);
        other->mechanism.force(0.4, q, v, f_other, other->mechanism.context);
        other->mechanism.constraints(q, g_other, other->mechanism.context);
        exchange_legs(f_other);
        double scale = 0.0;
        for (int j = 0; j < N; j++) {
            scale = fmax(scale, fabs(f[j]));
        }
        for (int j = 0; j < N; j++) {
            assert_close(f_other[j], f[j], 0.0, ROUNDING * scale);
        }
        assert_close(g_other[0], g[1], 0.0, 50.0 * ROUNDING);
        assert_close(g_other[1], g[0], 0.0, 50.0 * ROUNDING);
        assert_close(g_other[2], g[2], 0.0, 50.0 * ROUNDING);
        carom_model_free(other);
        carom_model_free(model);
    }
}

/* Free flight. */
typedef struct flight {
    const carom_mechanism *mechanism;
    carom_factor *factor;
} flight;

static int rates(double t, const double *y, double *dydt, void *context) {
    const flight *self = context;
    const carom_mechanism *mechanism = self->mechanism;
    double M[N * N];
    mechanism->mass(y, M, mechanism->context);
    mechanism->force(t, y, y + N, dydt + N, mechanism->context);
    memcpy(dydt, y + N, N * sizeof(double));
    if (carom_factor_compute(self->factor, M) != CAROM_OK) {
        return GSL_EFAILED;
    }
    carom_factor_solve(self->factor, dydt + N);
    return GSL_SUCCESS;
}

static void fly(const carom_mechanism *mechanism, double duration, double *y) {
    flight self = {.mechanism = mechanism, .factor = NULL};
    assert_ok(carom_factor_alloc(mechanism->layout, &self.factor));
    gsl_odeiv2_system system = {.function = rates, .dimension = (size_t)(2 * N), .params = &self};
    gsl_odeiv2_driver *driver =
        gsl_odeiv2_driver_alloc_y_new(&system, gsl_odeiv2_step_rk8pd, 1e-4, 1e-12, 1e-12);
    ck_assert_ptr_nonnull(driver);
    double t = 0.0;
    ck_assert_int_eq(gsl_odeiv2_driver_apply(driver, &t, duration, y), GSL_SUCCESS);
    gsl_odeiv2_driver_free(driver);
    carom_factor_free(self.factor);
}

/* Momenta along x and y, and about the origin: x p_y - y p_x + p_theta. */
static void momenta(const carom_mechanism *mechanism, const double *y, double *momentum) {
    double M[N * N];
    mechanism->mass(y, M, mechanism->context);
    double p[3] = {0.0, 0.0, 0.0};
    for (int j = 0; j < 3; j++) {
        for (int k = 0; k < N; k++) {
            p[j] += M[j * N + k] * y[N + k];
        }
    }
    momentum[0] = p[0];
    momentum[1] = p[1];
    momentum[2] = y[0] * p[1] - y[1] * p[0] + p[2];
}

/* The integrator's tolerance of 1e-12 a step, over some hundred steps. */
TEST(property, energy_and_momenta_are_kept_in_flight) {
    for (unsigned long seed = 0; seed < 6; seed++) {
        carom_trex_params params = random_robot(seed);
        const bool has_dissipation = seed % 2 == 1;
        if (has_dissipation) {
            params.gravity = 0.0;
        } else {
            const double knee = params.knee_stiffness;
            const double body = params.body_stiffness;
            params = limp(params);
            params.knee_stiffness = knee;
            params.body_stiffness = body;
        }
        carom_model *model = model_of(&params);
        const carom_mechanism *mechanism = &model->mechanism;
        double y[2 * N];
        random_state(seed, y, y + N);
        double work[N * N + N];
        const double V_0 = mechanism->potential_energy(y, mechanism->context);
        const double T_0 = carom_mechanism_kinetic_energy(mechanism, y, y + N, work);
        double before[3];
        double after[3];
        momenta(mechanism, y, before);
        const double duration = 0.1;
        fly(mechanism, duration, y);
        const double V = mechanism->potential_energy(y, mechanism->context);
        const double T = carom_mechanism_kinetic_energy(mechanism, y, y + N, work);
        momenta(mechanism, y, after);
        const double scale = fabs(T_0) + fabs(V_0);
        if (has_dissipation) {
            assert_close(after[2], before[2], 0.0, 1e-9 * scale);
        } else {
            assert_close(T + V, T_0 + V_0, 0.0, 1e-9 * scale);
            ck_assert(fabs(T - T_0) > 1e-3 * scale);
        }
        const double weight = params.gravity * carom_trex_inertia_of(&params).mass;
        assert_close(after[0], before[0], 0.0, 1e-9 * scale);
        assert_close(after[1], before[1] - weight * duration, 0.0, 1e-9 * scale);
        carom_model_free(model);
    }
}

/* With springs at rest and hips held, the drop is that of a point: it ends at sqrt(2 h/g). */
TEST(property, stance_is_frozen_during_the_drop) {
    const carom_trex_params params = carom_trex_params_default();
    carom_model *model = model_of(&params);
    double y[2 * N];
    memcpy(y, model->initial_position, N * sizeof(double));
    memcpy(y + N, model->initial_velocity, N * sizeof(double));
    fly(&model->mechanism, params.hip_start_time, y);
    for (int j = 0; j < N; j++) {
        const double speed = j == CAROM_TREX_Y ? -182.631 : 0.0;
        assert_close(y[j], params.stance[j], 0.0, 1e-10); /* the integrator's tolerance */
        assert_close(y[N + j], speed, 0.0, j == CAROM_TREX_Y ? 5.1e-4 : 1e-8);
    }
    carom_model_free(model);
}

/* A parameter, a value that is refused, and how. */
typedef struct refusal {
    size_t offset;
    const char *quantity;
    double value;
    carom_status status;
    int index;
} refusal;

#define REFUSE(member, quantity, value, code, index) \
    { offsetof(carom_trex_params, member), quantity, value, CAROM_STATUS_##code, index }

TEST(errors, what_is_no_robot_is_refused) {
    const refusal refusals[] = {
        REFUSE(anterior_radius, "anterior radius", 0.0, OUT_OF_RANGE, -1),
        REFUSE(posterior_radius, "posterior radius", -1.0, OUT_OF_RANGE, -1),
        REFUSE(posterior_radius, "posterior radius", 6.69, OUT_OF_RANGE, -1),
        REFUSE(upper_length, "upper length", 0.0, OUT_OF_RANGE, -1),
        REFUSE(lower_length, "lower length", 0.0, OUT_OF_RANGE, -1),
        REFUSE(body_density, "body density", 0.0, OUT_OF_RANGE, -1),
        REFUSE(limb_density, "limb density", 0.0, OUT_OF_RANGE, -1),
        REFUSE(limb_section, "limb section", 0.0, OUT_OF_RANGE, -1),
        REFUSE(stance[6], "stance", (double)NAN, NOT_FINITE, 6),
        REFUSE(knee_stiffness, "knee stiffness", -1.0, OUT_OF_RANGE, -1),
        REFUSE(knee_damping, "knee damping", -1.0, OUT_OF_RANGE, -1),
        REFUSE(body_stiffness, "body stiffness", -1.0, OUT_OF_RANGE, -1),
        REFUSE(body_damping, "body damping", -1.0, OUT_OF_RANGE, -1),
        REFUSE(hip_stiffness, "hip stiffness", -1.0, OUT_OF_RANGE, -1),
        REFUSE(hip_damping, "hip damping", -1.0, OUT_OF_RANGE, -1),
        REFUSE(hip_rates[0], "hip rate", (double)NAN, NOT_FINITE, 0),
        REFUSE(hip_rates[1], "hip rate", HUGE_VAL, NOT_FINITE, 1),
        REFUSE(hip_start_time, "hip start time", HUGE_VAL, NOT_FINITE, -1),
        REFUSE(drop_height, "drop height", -1.0, OUT_OF_RANGE, -1),
        REFUSE(gravity, "gravity", -1.0, OUT_OF_RANGE, -1),
        REFUSE(friction, "friction", -0.1, OUT_OF_RANGE, -1),
        REFUSE(restitution, "restitution", 1.1, OUT_OF_RANGE, -1),
    };
    for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
        const refusal *r = &refusals[i];
        carom_trex_params params = carom_trex_params_default();
        memcpy((char *)&params + r->offset, &r->value, sizeof(double));
        carom_report report = {.quantity = NULL};
        carom_model *model = (carom_model *)&params;
        const carom_status status = carom_trex_alloc(&params, &model, &report);
        ck_assert_msg(status == r->status, "%s: %s", r->quantity, carom_status_name(status));
        ck_assert_ptr_null(model);
        ck_assert_str_eq(report.quantity, r->quantity);
        ck_assert_int_eq(report.index, r->index);
        ck_assert_int_eq(carom_trex_check(&params, NULL), r->status);
    }
    carom_trex_params params = carom_trex_params_default();
    params.tail = (carom_trex_tail)7;
    carom_report report = {.quantity = NULL};
    assert_status(carom_trex_check(&params, &report), OUT_OF_RANGE);
    ck_assert_str_eq(report.quantity, "tail");
}

TEST(errors, stance_out_of_reach_is_refused) {
    /* The tail points upwards; then so steeply down that the leg is too short. */
    const double pitches[2] = {0.5, -1.2};
    for (int i = 0; i < 2; i++) {
        carom_trex_params params = carom_trex_params_default();
        params.stance[CAROM_TREX_PITCH] = pitches[i];
        double q[N] = {0.0};
        carom_report report = {.quantity = NULL};
        assert_status(carom_trex_straight_stance(&params, false, q, &report), OUT_OF_RANGE);
        ck_assert_str_eq(report.quantity, "hip height");
        ck_assert(i == 0 ? report.value < 0.0 : report.value > 17.67);
        for (int j = 0; j < N; j++) {
            ck_assert(isnan(q[j]));
        }
    }
}

TEST(errors, lack_of_memory_is_reported) {
    const carom_trex_params params = carom_trex_params_default();
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    int k = 0;
    while (status == CAROM_STATUS_OUT_OF_MEMORY && k < 20) {
        carom_model *model = NULL;
        successes_left = k;
        status = carom_trex_alloc(&params, &model, NULL);
        successes_left = -1;
        ck_assert((status == CAROM_OK) == (model != NULL));
        carom_model_free(model);
        k++;
    }
    ck_assert_int_eq(status, CAROM_OK);
    ck_assert_int_ge(k, 2);
}
