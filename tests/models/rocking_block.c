/* The rocking block (bruls-2014 section 10.4) and its event-driven reference. */
#include "../derivatives.h"
#include "refused_members.h"

#include <carom/mechanism/mechanism.h>
#include <carom/models/rocking_block.h>

/* Half a unit of the ninth, and of the twelfth, decimal place: rounding of the printed digits. */
static const double NINE_DECIMALS = 5.1e-10;
static const double TWELVE_DECIMALS = 5.1e-13;
/* Rounding of a handful of operations on numbers of order one to hundred. */
static const double ROUNDING = 1e-13;

enum { RANDOM_CASES = 30, CAPACITY = 60 };

static carom_rocking_block_params uneven_params(void) {
    const carom_rocking_block_params params = {
        .mass = 2.385,
        .width = 0.913,
        .height = 1.371,
        .gravity = 9.731,
        .restitution = 0.617,
        .initial_x = -0.271,
        .initial_y = 1.313,
        .initial_angle = -0.317,
        .initial_x_velocity = 0.773,
        .initial_y_velocity = 0.431,
        .initial_rate = 1.193,
    };
    return params;
}

/* A block thrown and turning above the floor, as high as its half diagonal at least. */
static carom_rocking_block_params random_params(gsl_rng *generator) {
    carom_rocking_block_params params = {
        .mass = uniform(generator, 0.3, 4.0),
        .width = uniform(generator, 0.3, 2.0),
        .height = uniform(generator, 0.3, 2.0),
        .gravity = uniform(generator, 2.0, 20.0),
        .restitution = uniform(generator, 0.1, 1.0),
        .initial_x = uniform(generator, -1.0, 1.0),
        .initial_angle = uniform(generator, -1.0, 1.0),
        .initial_x_velocity = uniform(generator, -1.0, 1.0),
        .initial_y_velocity = uniform(generator, -1.0, 1.0),
        .initial_rate = uniform(generator, -5.0, 5.0),
    };
    params.initial_y = hypot(params.width, params.height) * uniform(generator, 0.5, 1.0);
    return params;
}

static carom_model *model_of(const carom_rocking_block_params *params) {
    carom_model *model = NULL;
    assert_ok(carom_rocking_block_alloc(params, &model, NULL));
    ck_assert_ptr_nonnull(model);
    return model;
}

static double inertia_of(const carom_rocking_block_params *params) {
    return params->mass * (params->width * params->width + params->height * params->height) / 12.0;
}

static double total_energy(const carom_rocking_block_params *params, const double *q,
                           const double *v) {
    return 0.5 * params->mass * (v[0] * v[0] + v[1] * v[1]) +
           0.5 * inertia_of(params) * v[2] * v[2] + params->mass * params->gravity * q[1];
}

TEST(unit, default_parameters_are_those_of_the_paper) {
    const carom_rocking_block_params params = carom_rocking_block_params_default();
    assert_close(params.mass, 1.0, 0.0, 0.0);
    assert_close(params.width, 1.0, 0.0, 0.0);
    assert_close(params.height, 1.5, 0.0, 0.0);
    assert_close(params.gravity, 9.81, 0.0, 0.0);
    assert_close(params.restitution, 0.5, 0.0, 0.0);
    assert_close(params.initial_x, 0.0, 0.0, 0.0);
    assert_close(params.initial_y, 1.0, 0.0, 0.0);
    assert_close(params.initial_angle, 0.2, 0.0, 0.0);
    assert_close(params.initial_x_velocity, 0.0, 0.0, 0.0);
    assert_close(params.initial_y_velocity, 0.0, 0.0, 0.0);
    assert_close(params.initial_rate, 0.0, 0.0, 0.0);
}

TEST(unit, initial_values_of_the_paper_have_their_known_digits) {
    const carom_rocking_block_params params = carom_rocking_block_params_default();
    carom_model *model = model_of(&params);
    double g[2];
    double M[9];
    model->mechanism.constraints(model->initial_position, g, model->mechanism.context);
    model->mechanism.mass(model->initial_position, M, model->mechanism.context);
    assert_close(g[0], 0.3642847, 0.0, 5e-8);
    assert_close(g[1], 0.1656154, 0.0, 5e-8);
    assert_close(M[8], 0.2708333, 0.0, 5e-8);
    assert_close(
        model->mechanism.potential_energy(model->initial_position, model->mechanism.context), 9.81,
        ROUNDING, 0.0);

    /* Rest: upright on both corners, each carrying half the weight, energy 7.3575 J. */
    const double rest[3] = {0.0, 0.75, 0.0};
    const double still[3] = {0.0, 0.0, 0.0};
    double f[3];
    double G[6];
    model->mechanism.constraints(rest, g, model->mechanism.context);
    model->mechanism.force(0.0, rest, still, f, model->mechanism.context);
    model->mechanism.constraint_jacobian(rest, G, model->mechanism.context);
    for (int j = 0; j < 2; j++) {
        assert_close(g[j], 0.0, 0.0, ROUNDING);
    }
    for (int i = 0; i < 3; i++) {
        assert_close(f[i] + 4.905 * (G[i] + G[3 + i]), 0.0, 0.0, ROUNDING);
    }
    assert_close(model->mechanism.potential_energy(rest, model->mechanism.context), 7.3575,
                 ROUNDING, 0.0);
    carom_model_free(model);
}

TEST(unit, mechanism_is_that_of_section_10_4) {
    const carom_rocking_block_params params = uneven_params();
    carom_model *model = model_of(&params);
    const carom_mechanism *mechanism = &model->mechanism;
    void *context = mechanism->context;
    ck_assert_int_eq(mechanism->coordinate_count, 3);
    ck_assert_int_eq(mechanism->joint_count, 0);
    ck_assert_int_eq(mechanism->contact_count, 2);
    ck_assert(!mechanism->is_linear);
    ck_assert_str_eq(mechanism->position_units, "m, m, rad");
    ck_assert_str_eq(mechanism->velocity_units, "m s-1, m s-1, rad s-1");
    assert_close(mechanism->restitution[0], 0.617, 0.0, 0.0);
    assert_close(mechanism->restitution[1], 0.617, 0.0, 0.0);

    /* Half height 0.6855, half width 0.4565. */
    const double q[3] = {0.37, 0.83, 0.57};
    const double v[3] = {1.7, -2.3, 0.91};
    const double s = sin(0.57);
    const double c = cos(0.57);
    double M[9];
    double f[3];
    double g[2];
    double G[6];
    mechanism->mass(q, M, context);
    mechanism->force(0.3, q, v, f, context);
    mechanism->constraints(q, g, context);
    mechanism->constraint_jacobian(q, G, context);
    const double inertia = 2.385 * (0.913 * 0.913 + 1.371 * 1.371) / 12.0;
    const double expected_mass[9] = {2.385, 0, 0, 0, 2.385, 0, 0, 0, inertia};
    for (int i = 0; i < 9; i++) {
        assert_close(M[i], expected_mass[i], ROUNDING, 0.0);
    }
    const double expected_force[3] = {0.0, -2.385 * 9.731, 0.0};
    for (int i = 0; i < 3; i++) {
        assert_close(f[i], expected_force[i], ROUNDING, 0.0);
    }
    assert_close(g[0], 0.83 - 0.6855 * c + 0.4565 * s, 0.0, ROUNDING);
    assert_close(g[1], 0.83 - 0.6855 * c - 0.4565 * s, 0.0, ROUNDING);
    const double expected_jacobian[6] = {0, 1, 0.6855 * s + 0.4565 * c,
                                         0, 1, 0.6855 * s - 0.4565 * c};
    for (int i = 0; i < 6; i++) {
        assert_close(G[i], expected_jacobian[i], 0.0, ROUNDING);
    }
    assert_close(mechanism->potential_energy(q, context), 2.385 * 9.731 * 0.83, ROUNDING, 0.0);

    /* Second derivatives: (3,3) of the first, column 3 of the second. */
    const double lambda[2] = {3.1, -1.9};
    const double curvature[2] = {0.6855 * c - 0.4565 * s, 0.6855 * c + 0.4565 * s};
    double D[9];
    mechanism->constraint_force_derivative(q, lambda, D, context);
    for (int i = 0; i < 9; i++) {
        assert_close(D[i], i == 8 ? 3.1 * curvature[0] - 1.9 * curvature[1] : 0.0, 0.0, ROUNDING);
    }
    mechanism->constraint_rate_derivative(q, v, D, context);
    for (int i = 0; i < 6; i++) {
        assert_close(D[i], i % 3 == 2 ? 0.91 * curvature[i / 3] : 0.0, 0.0, ROUNDING);
    }
    carom_model_free(model);
}

TEST(unit, initial_state_is_that_of_the_parameters) {
    const carom_rocking_block_params params = uneven_params();
    carom_model *model = model_of(&params);
    const double q[3] = {-0.271, 1.313, -0.317};
    const double v[3] = {0.773, 0.431, 1.193};
    double position[3];
    double velocity[3];
    carom_rocking_block_exact_state(&params, 0, NULL, 0.0, position, velocity);
    for (int i = 0; i < 3; i++) {
        assert_close(model->initial_position[i], q[i], 0.0, 0.0);
        assert_close(model->initial_velocity[i], v[i], 0.0, 0.0);
        assert_close(position[i], q[i], 0.0, 0.0);
        assert_close(velocity[i], v[i], 0.0, 0.0);
    }
    carom_model_free(model);
}

/* Expected: an event-driven reference made independently of this code. */
TEST(unit, first_impacts_of_the_paper_have_their_known_digits) {
    const carom_rocking_block_impact expected[9] = {
        {0.183751483783, 1, -1.802602056, 1.891603211, 8.957548041},
        {0.296296864350, 0, -2.081747663, 1.794102064, 8.023831096},
        {0.472693233898, 1, -1.228206749, 1.008121566, 7.714285668},
        {0.518576580968, 0, -0.965281714, 0.773874828, 7.527533863},
        {0.614645847041, 1, -0.666961945, 0.521169148, 7.440633866},
        {0.617555529320, 0, -0.443815552, 0.346640462, 7.402172759},
        {0.662839336396, 0, -0.221907544, 0.174580843, 7.392487558},
        {0.685535530371, 0, -0.110954159, 0.086696661, 7.390082719},
        {0.689229063157, 1, -0.348639377, 0.271993030, 7.366375849},
    };
    const carom_rocking_block_params params = carom_rocking_block_params_default();
    carom_rocking_block_impact impacts[9];
    int count = 0;
    assert_ok(carom_rocking_block_exact_impacts(&params, 1e-3, 9, impacts, &count, NULL));
    ck_assert_int_eq(count, 9);
    for (int k = 0; k < 9; k++) {
        assert_close(impacts[k].time, expected[k].time, 0.0, TWELVE_DECIMALS);
        ck_assert_int_eq(impacts[k].corner, expected[k].corner);
        assert_close(impacts[k].gap_rate, expected[k].gap_rate, 0.0, NINE_DECIMALS);
        assert_close(impacts[k].impulse, expected[k].impulse, 0.0, NINE_DECIMALS);
        assert_close(impacts[k].energy, expected[k].energy, 0.0, NINE_DECIMALS);
    }
}

/* The first corner accumulates near 0.7136 s; the list stops within a few resolutions of it. */
TEST(unit, list_stops_before_the_accumulation_of_one_corner) {
    const carom_rocking_block_params params = carom_rocking_block_params_default();
    const double resolution[3] = {1e-3, 1e-5, 1e-7};
    int previous = 0;
    for (int i = 0; i < 3; i++) {
        carom_rocking_block_impact impacts[CAPACITY];
        int count = 0;
        assert_ok(carom_rocking_block_exact_impacts(&params, resolution[i], CAPACITY, impacts,
                                                    &count, NULL));
        ck_assert(count > previous && count < CAPACITY);
        assert_close(impacts[count - 1].time, 0.7136, 0.0, 5e-5 + 2.0 * resolution[i]);
        ck_assert_int_eq(impacts[count - 1].corner, 0);
        for (int k = 10; k < count; k++) {
            ck_assert(impacts[k].time - impacts[k - 1].time >= resolution[i]);
        }
        previous = count;
    }
}

/* At rest the gaps fall together: sqrt(2 g / a_g), speed sqrt(2 g a_g). */
TEST(unit, first_impact_after_a_release_at_rest_is_a_free_fall) {
    carom_rocking_block_params params = uneven_params();
    params.initial_y_velocity = 0.0;
    params.initial_rate = 0.0;
    carom_rocking_block_impact impact;
    int count = 0;
    assert_ok(carom_rocking_block_exact_impacts(&params, 1e-3, 1, &impact, &count, NULL));
    ck_assert_int_eq(count, 1);
    /* Inclined by -0.317 the corner of contact 0 is the lower one. */
    const double gap = 1.313 - 0.6855 * cos(0.317) - 0.4565 * sin(0.317);
    const double arm = -0.6855 * sin(0.317) + 0.4565 * cos(0.317);
    const double speed = sqrt(2.0 * 9.731 * gap);
    ck_assert_int_eq(impact.corner, 0);
    assert_close(impact.time, sqrt(2.0 * gap / 9.731), ROUNDING, 0.0);
    assert_close(impact.gap_rate, -speed, ROUNDING, 0.0);
    assert_close(impact.impulse, 1.617 * speed / (1.0 / 2.385 + arm * arm / inertia_of(&params)),
                 ROUNDING, 0.0);
}

/* A corner right below the mass centre: the block bounces on it like a ball, without turning. */
TEST(unit, block_on_its_tip_bounces_like_a_ball) {
    carom_rocking_block_params params = uneven_params();
    params.width = 0.9;
    params.height = 1.2;
    params.initial_angle = -atan2(0.9, 1.2);
    params.initial_rate = 0.0;
    params.initial_y_velocity = 0.0;
    params.initial_y = 0.75 + 0.4;
    carom_rocking_block_impact impacts[6];
    int count = 0;
    assert_ok(carom_rocking_block_exact_impacts(&params, 1e-3, 6, impacts, &count, NULL));
    ck_assert_int_eq(count, 6);
    const double first = sqrt(2.0 * 0.4 / 9.731);
    double time = first;
    double speed = 9.731 * first;
    for (int k = 0; k < 6; k++) {
        assert_close(impacts[k].time, time, 1e-12, 0.0);
        assert_close(impacts[k].gap_rate, -speed, 1e-12, 0.0);
        assert_close(impacts[k].impulse, 2.385 * 1.617 * speed, 1e-12, 0.0);
        ck_assert_int_eq(impacts[k].corner, 0);
        speed *= 0.617;
        time += 2.0 * speed / 9.731;
    }
}

TEST(unit, corner_without_restitution_stays_down_after_one_impact) {
    carom_rocking_block_params params = uneven_params();
    params.restitution = 0.0;
    carom_rocking_block_impact impacts[4];
    int count = 0;
    assert_ok(carom_rocking_block_exact_impacts(&params, 1e-3, 4, impacts, &count, NULL));
    ck_assert_int_eq(count, 1);
    carom_model *model = model_of(&params);
    double q[3];
    double v[3];
    double G[6];
    carom_rocking_block_exact_state(&params, 1, impacts, impacts[0].time, q, v);
    model->mechanism.constraint_jacobian(q, G, model->mechanism.context);
    const double *row = &G[(size_t)impacts[0].corner * 3];
    assert_close(row[1] * v[1] + row[2] * v[2], 0.0, 0.0, ROUNDING);
    carom_model_free(model);
}

TEST(unit, block_released_at_rest_on_a_corner_has_no_impact) {
    carom_rocking_block_params params = uneven_params();
    params.initial_y = 0.6855 * cos(0.317) + 0.4565 * sin(0.317);
    params.initial_y_velocity = 0.0;
    params.initial_rate = 0.0;
    carom_rocking_block_impact impacts[4];
    int count = -1;
    /* The gap is zero or a rounding: an impact of a rounding's speed at most. */
    assert_ok(carom_rocking_block_exact_impacts(&params, 1e-3, 4, impacts, &count, NULL));
    ck_assert(count == 0 || (count == 1 && impacts[0].time < 1e-7));
}

TEST(unit, nothing_is_asked_and_nothing_is_given) {
    const carom_rocking_block_params params = uneven_params();
    int count = -1;
    assert_ok(carom_rocking_block_exact_impacts(&params, 1e-3, 0, NULL, &count, NULL));
    ck_assert_int_eq(count, 0);
}

TEST(property, every_derivative_agrees_with_finite_differences) {
    gsl_rng *generator = seeded_generator(21);
    for (int i = 0; i < RANDOM_CASES; i++) {
        const carom_rocking_block_params params = random_params(generator);
        carom_model *model = model_of(&params);
        double q[3];
        double v[3];
        for (int j = 0; j < 3; j++) {
            q[j] = uniform(generator, -3.0, 3.0);
            v[j] = uniform(generator, -3.0, 3.0);
        }
        assert_derivatives(&model->mechanism, 0.0, q, v, 1e-7, 200UL + (unsigned)i, (unsigned)i);
        assert_ok(carom_mechanism_validate(&model->mechanism, 0.0, q, v, NULL));
        carom_model_free(model);
    }
    gsl_rng_free(generator);
}

/* Dense samples of both gaps between impacts, from the mechanism and a ballistic flight written
 * here: the reference misses no impact. */
TEST(property, no_corner_goes_below_the_floor_between_impacts) {
    enum { SAMPLES = 400 };
    gsl_rng *generator = seeded_generator(22);
    for (int i = 0; i < RANDOM_CASES; i++) {
        const carom_rocking_block_params params = random_params(generator);
        carom_model *model = model_of(&params);
        carom_rocking_block_impact impacts[CAPACITY];
        int count = 0;
        assert_ok(carom_rocking_block_exact_impacts(&params, 1e-4, 20, impacts, &count, NULL));
        ck_assert(count > 0);
        double start = 0.0;
        for (int k = 0; k < count; k++) {
            double q_0[3];
            double v_0[3];
            carom_rocking_block_exact_state(&params, k, impacts, start, q_0, v_0);
            for (int s = 0; s <= SAMPLES; s++) {
                const double tau = (impacts[k].time - start) * s / SAMPLES;
                const double q[3] = {
                    q_0[0] + tau * v_0[0],
                    q_0[1] + tau * v_0[1] - 0.5 * params.gravity * tau * tau,
                    q_0[2] + tau * v_0[2],
                };
                double g[2];
                model->mechanism.constraints(q, g, model->mechanism.context);
                ck_assert_msg(g[0] >= -1e-12 && g[1] >= -1e-12, "seed 22, case %d, flight %d", i,
                              k);
                if (s == SAMPLES) {
                    assert_close(g[impacts[k].corner], 0.0, 0.0, 1e-12);
                }
            }
            start = impacts[k].time;
        }
        carom_model_free(model);
    }
    gsl_rng_free(generator);
}

/* M (v+ - v-) = G' p, Newton's law, and the loss (1 - e^2) g_dot^2 / (2 G M^-1 G') of an impact. */
TEST(property, impacts_balance_momentum_and_energy_and_obey_the_impact_law) {
    gsl_rng *generator = seeded_generator(23);
    for (int i = 0; i < RANDOM_CASES; i++) {
        const carom_rocking_block_params params = random_params(generator);
        carom_model *model = model_of(&params);
        carom_rocking_block_impact impacts[CAPACITY];
        int count = 0;
        assert_ok(carom_rocking_block_exact_impacts(&params, 1e-4, 20, impacts, &count, NULL));
        double energy = total_energy(&params, model->initial_position, model->initial_velocity);
        const double scale = fabs(energy);
        for (int k = 0; k < count; k++) {
            double q[3];
            double v_pre[3];
            double v_post[3];
            double M[9];
            double G[6];
            carom_rocking_block_exact_state(&params, k, impacts, impacts[k].time, q, v_pre);
            carom_rocking_block_exact_state(&params, k + 1, impacts, impacts[k].time, q, v_post);
            model->mechanism.mass(q, M, model->mechanism.context);
            model->mechanism.constraint_jacobian(q, G, model->mechanism.context);
            const double *row = &G[(size_t)impacts[k].corner * 3];
            double g_dot_pre = 0.0;
            double g_dot_post = 0.0;
            double compliance = 0.0;
            for (int c = 0; c < 3; c++) {
                assert_close(M[(size_t)c * 4] * (v_post[c] - v_pre[c]), row[c] * impacts[k].impulse,
                             0.0, 1e-12 * scale);
                g_dot_pre += row[c] * v_pre[c];
                g_dot_post += row[c] * v_post[c];
                compliance += row[c] * row[c] / M[(size_t)c * 4];
            }
            ck_assert(impacts[k].gap_rate < 0.0 && impacts[k].impulse > 0.0);
            assert_close(impacts[k].gap_rate, g_dot_pre, 0.0, 1e-11);
            assert_close(g_dot_post, -params.restitution * g_dot_pre, 0.0, 1e-11);
            /* Flight keeps the energy. */
            assert_close(total_energy(&params, q, v_pre), energy, 0.0, 1e-12 * scale);
            energy -= 0.5 * (1.0 - params.restitution * params.restitution) * g_dot_pre *
                      g_dot_pre / compliance;
            assert_close(impacts[k].energy, energy, 0.0, 1e-11 * scale);
            energy = impacts[k].energy;
        }
        carom_model_free(model);
    }
    gsl_rng_free(generator);
}

TEST(property, full_restitution_keeps_the_energy) {
    carom_rocking_block_params params = uneven_params();
    params.restitution = 1.0;
    carom_rocking_block_impact impacts[CAPACITY];
    int count = 0;
    assert_ok(carom_rocking_block_exact_impacts(&params, 1e-9, CAPACITY, impacts, &count, NULL));
    ck_assert(count > 0);
    const double q[3] = {params.initial_x, params.initial_y, params.initial_angle};
    const double v[3] = {params.initial_x_velocity, params.initial_y_velocity, params.initial_rate};
    for (int k = 0; k < count; k++) {
        assert_close(impacts[k].energy, total_energy(&params, q, v), 1e-12, 0.0);
    }
}

/* The mirror image turns the other way and lands on the other corner. */
TEST(property, mirror_image_exchanges_the_corners) {
    const carom_rocking_block_params params = uneven_params();
    carom_rocking_block_params mirror = params;
    mirror.initial_angle = -params.initial_angle;
    mirror.initial_rate = -params.initial_rate;
    mirror.initial_x_velocity = -params.initial_x_velocity;
    carom_rocking_block_impact a[12];
    carom_rocking_block_impact b[12];
    int a_count = 0;
    int b_count = 0;
    assert_ok(carom_rocking_block_exact_impacts(&params, 1e-4, 12, a, &a_count, NULL));
    assert_ok(carom_rocking_block_exact_impacts(&mirror, 1e-4, 12, b, &b_count, NULL));
    ck_assert_int_eq(a_count, b_count);
    for (int k = 0; k < a_count; k++) {
        ck_assert_int_eq(a[k].corner, 1 - b[k].corner);
        assert_close(a[k].time, b[k].time, 1e-12, 0.0);
        assert_close(a[k].impulse, b[k].impulse, 1e-11, 0.0);
    }
}

/* Lengths by 2, times by 3, masses by 5. */
TEST(property, change_of_units_changes_only_units) {
    const carom_rocking_block_params params = uneven_params();
    carom_rocking_block_params other = params;
    other.mass *= 5.0;
    other.width *= 2.0;
    other.height *= 2.0;
    other.gravity *= 2.0 / 9.0;
    other.initial_y *= 2.0;
    other.initial_x_velocity *= 2.0 / 3.0;
    other.initial_y_velocity *= 2.0 / 3.0;
    other.initial_rate /= 3.0;
    carom_rocking_block_impact a[5];
    carom_rocking_block_impact b[5];
    int a_count = 0;
    int b_count = 0;
    assert_ok(carom_rocking_block_exact_impacts(&params, 1e-4, 5, a, &a_count, NULL));
    assert_ok(carom_rocking_block_exact_impacts(&other, 3e-4, 5, b, &b_count, NULL));
    ck_assert_int_eq(a_count, 5);
    ck_assert_int_eq(b_count, 5);
    for (int k = 0; k < 5; k++) {
        assert_close(b[k].time, 3.0 * a[k].time, 1e-12, 0.0);
        assert_close(b[k].gap_rate, 2.0 / 3.0 * a[k].gap_rate, 1e-11, 0.0);
        assert_close(b[k].impulse, 10.0 / 3.0 * a[k].impulse, 1e-11, 0.0);
        assert_close(b[k].energy, 20.0 / 9.0 * a[k].energy, 1e-11, 0.0);
    }
}

/* A parameter set refused by every function, with the offending quantity. */
static void assert_refused(const void *refused, carom_status expected, const char *quantity) {
    const carom_rocking_block_params *params = refused;
    carom_report report = carom_report_empty();
    carom_model *model = NULL;
    const carom_status status = carom_rocking_block_alloc(params, &model, &report);
    ck_assert_msg(status == expected, "%s: %s", quantity, carom_status_name(status));
    ck_assert_str_eq(report.quantity, quantity);
    ck_assert_ptr_null(model);
    carom_rocking_block_impact impact;
    int count = -1;
    ck_assert_int_eq(carom_rocking_block_exact_impacts(params, 1e-3, 1, &impact, &count, NULL),
                     expected);
    ck_assert_int_eq(count, 0);
}

TEST(errors, parameters_that_are_no_block_are_refused) {
    static const refused_member members[] = {
        {offsetof(carom_rocking_block_params, mass), "mass", -2.385, 0.0},
        {offsetof(carom_rocking_block_params, width), "width", -0.1, 0.0},
        {offsetof(carom_rocking_block_params, height), "height", -1.0, 0.0},
        {offsetof(carom_rocking_block_params, gravity), "gravity", -9.81, -1e-9},
        {offsetof(carom_rocking_block_params, restitution), "restitution", -0.1, 1.1},
        {offsetof(carom_rocking_block_params, initial_x), "initial x", 0.0, 0.0},
        {offsetof(carom_rocking_block_params, initial_y), "initial y", 0.0, 0.0},
        {offsetof(carom_rocking_block_params, initial_angle), "initial angle", 0.0, 0.0},
        {offsetof(carom_rocking_block_params, initial_x_velocity), "initial x velocity", 0.0, 0.0},
        {offsetof(carom_rocking_block_params, initial_y_velocity), "initial y velocity", 0.0, 0.0},
        {offsetof(carom_rocking_block_params, initial_rate), "initial rate", 0.0, 0.0},
    };
    carom_rocking_block_params params = uneven_params();
    check_refused_members(&params, members, sizeof members / sizeof members[0], assert_refused);
}

TEST(errors, initial_penetration_is_refused_with_its_gap_and_corner) {
    carom_rocking_block_params params = uneven_params();
    params.initial_angle = 0.317;
    params.initial_y = 0.75;
    carom_report report = carom_report_empty();
    carom_model *model = NULL;
    assert_status(carom_rocking_block_alloc(&params, &model, &report), PENETRATION);
    assert_close(report.value, 0.75 - 0.6855 * cos(0.317) - 0.4565 * sin(0.317), ROUNDING, 0.0);
    ck_assert_int_eq(report.index, 1);
    assert_refused(&params, CAROM_STATUS_PENETRATION, "initial gap");
    params.initial_angle = -0.317;
    assert_status(carom_rocking_block_alloc(&params, &model, &report), PENETRATION);
    ck_assert_int_eq(report.index, 0);
}

TEST(errors, reference_refuses_what_never_falls_and_what_it_cannot_resolve) {
    carom_rocking_block_params params = uneven_params();
    carom_report report = carom_report_empty();
    carom_rocking_block_impact impact;
    int count = -1;
    const double resolutions[2] = {0.0, -1e-3};
    for (int i = 0; i < 2; i++) {
        assert_status(
            carom_rocking_block_exact_impacts(&params, resolutions[i], 1, &impact, &count, &report),
            OUT_OF_RANGE);
        ck_assert_str_eq(report.quantity, "resolution");
    }
    assert_status(carom_rocking_block_exact_impacts(&params, (double)NAN, 1, &impact, &count, NULL),
                  NOT_FINITE);
    params.gravity = 0.0;
    assert_status(carom_rocking_block_exact_impacts(&params, 1e-3, 1, &impact, &count, &report),
                  OUT_OF_RANGE);
    ck_assert_str_eq(report.quantity, "gravity");
    ck_assert_int_eq(count, 0);
}

TEST(errors, flat_fall_is_reported_as_simultaneous) {
    carom_rocking_block_params params = uneven_params();
    params.initial_angle = 0.0;
    params.initial_rate = 0.0;
    params.initial_y_velocity = 0.0;
    carom_report report = carom_report_empty();
    carom_rocking_block_impact impact;
    int count = -1;
    assert_status(carom_rocking_block_exact_impacts(&params, 1e-3, 1, &impact, &count, &report),
                  NOT_CONVERGED);
    ck_assert_str_eq(report.quantity, "simultaneous impacts");
    assert_close(report.time, sqrt(2.0 * (1.313 - 0.6855) / 9.731), ROUNDING, 0.0);
    ck_assert_int_eq(count, 0);
}

/* A bound of 1e16 rad2/s2 cannot be marched through a flight of half a second. */
TEST(errors, flight_that_turns_too_often_is_reported) {
    carom_rocking_block_params params = uneven_params();
    params.initial_y = 2.0;
    params.initial_rate = 1e8;
    carom_report report = carom_report_empty();
    carom_rocking_block_impact impact;
    int count = -1;
    assert_status(carom_rocking_block_exact_impacts(&params, 1e-3, 1, &impact, &count, &report),
                  NOT_CONVERGED);
    ck_assert_str_eq(report.quantity, "landing time");
    ck_assert(report.iterations > 1000 && report.time > 0.0);
}

/* Corners are where the gaps have them; their speeds along x are differences of their places, and a
 * rough block is its own mechanism with tangents. */
TEST(property, corners_slide_as_their_places_move) {
    carom_rocking_block_params params = uneven_params();
    params.friction = 0.47;
    carom_model *model = NULL;
    assert_ok(carom_rocking_block_alloc(&params, &model, NULL));
    const carom_mechanism *m = &model->mechanism;
    ck_assert_int_eq(m->tangent_count, 1);
    assert_close(m->friction[0], 0.47, 0.0, 0.0);
    assert_close(m->friction[1], 0.47, 0.0, 0.0);
    assert_ok(carom_mechanism_check_directions(m, 0.3, model->initial_position,
                                               model->initial_velocity, 0, NULL));
    double H[6];
    double gaps[2];
    const double angle = -0.317;
    m->tangential_jacobian(model->initial_position, H, m->context);
    m->constraints(model->initial_position, gaps, m->context);
    for (int j = 0; j < 2; j++) {
        /* the corner (px, py) of the body, turned by the angle */
        const double px = (j == 0 ? 0.5 : -0.5) * params.width;
        const double py = -0.5 * params.height;
        assert_close(gaps[j], 1.313 + px * sin(angle) + py * cos(angle), ROUNDING, 0.0);
        assert_close(H[3 * j], 1.0, 0.0, 0.0);
        assert_close(H[3 * j + 1], 0.0, 0.0, 0.0);
        assert_close(H[3 * j + 2], -px * sin(angle) - py * cos(angle), ROUNDING, 0.0);
    }
    carom_model_free(model);
    params.friction = 0.0;
    assert_ok(carom_rocking_block_alloc(&params, &model, NULL));
    ck_assert(model->mechanism.friction == NULL && model->mechanism.tangent_count == 0);
    carom_model_free(model);
    params.friction = -0.1;
    ck_assert_int_eq(carom_rocking_block_alloc(&params, &model, NULL), CAROM_STATUS_OUT_OF_RANGE);
    params.friction = 0.1;
    int count = 0;
    ck_assert_int_eq(carom_rocking_block_exact_impacts(&params, 1e-6, 0, NULL, &count, NULL),
                     CAROM_STATUS_OUT_OF_RANGE);
}
