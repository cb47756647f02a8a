/* The rocking block of halm-2023 section 4.3. Expected values: the published numbers, the table of
 * section 3.2 of the specification, quadratures of the equation of motion, and the inclusion (53)
 * itself. */
#include "impact_scene.h"

#include <carom/models/internal.h>
#include <carom/models/zeno_block.h>

#include <gsl/gsl_integration.h>
#include <gsl/gsl_math.h>

/* Half a unit of the seventh decimal, to which the specification prints its table. */
static const double SEVEN_DECIMALS = 5.1e-8;

enum { RANDOM_CASES = 12, POINTS = 400 };

static carom_zeno_block *block_of(const carom_zeno_block_params *params) {
    carom_zeno_block *block = NULL;
    carom_report report = carom_report_empty();
    const carom_status status = carom_zeno_block_alloc(params, &block, &report);
    ck_assert_msg(status == CAROM_OK, "%s %.17g", report.quantity, report.value);
    return block;
}

static carom_zeno_block *default_block(void) {
    const carom_zeno_block_params params = carom_zeno_block_params_default();
    return block_of(&params);
}

static carom_zeno_block_params uneven_params(void) {
    const carom_zeno_block_params params = {
        .width = 0.837,
        .height = 1.613,
        .mass = 2.385,
        .friction = 0.71,
        .initial_rate = 0.729,
        .gravity = 9.731,
        .reference_force = 1.0,
    };
    return params;
}

/* Blocks that neither tip over nor lift off, for any of these widths. */
static carom_zeno_block_params random_params(gsl_rng *generator) {
    carom_zeno_block_params params = {
        .height = uniform(generator, 0.5, 3.0),
        .mass = uniform(generator, 0.2, 5.0),
        .friction = 2.0,
        .gravity = uniform(generator, 2.0, 20.0),
        .reference_force = 1.0,
    };
    params.width = params.height * uniform(generator, 0.2, 1.3);
    /* Half of the rise to tipping over at most: w^2/(4 h) bounds it from below. */
    params.initial_rate = uniform(generator, 0.02, 0.9) *
                          sqrt(0.5 * params.gravity * params.width / params.height * params.width /
                               (params.width * params.width + params.height * params.height));
    return params;
}

TEST(unit, published_numbers_are_met) {
    carom_zeno_block *block = default_block();
    /* As many digits as the paper prints. */
    assert_close(block->half_cycles[0].apex_angle, 0.22, 0.0, 0.005);
    assert_close(block->transfer, 0.7, 0.0, ROUNDING);
    assert_close(block->accumulation_time, 2.67, 0.0, 0.005);
    assert_close(block->accumulation_s, 28.4, 0.0, 0.05);
    carom_zeno_block_free(block);
}

TEST(unit, half_cycles_are_those_of_the_table) {
    carom_zeno_block *block = default_block();
    const double table[6][5] = {
        {1, 0.9873278, 9.6730136, 0.85, 0.2197594},
        {0.7, 1.5312698, 15.7030270, 0.595, 0.0917983},
        {0.49, 1.8845703, 19.6272053, 0.4165, 0.0426209},
        {0.343, 2.1242217, 22.2913370, 0.29155, 0.0204057},
        {0.2401, 2.2895753, 24.1302586, 0.204085, 0.0098921},
        {0.16807, 2.4045322, 25.4089576, 0.1428595, 0.0048224},
    };
    ck_assert_int_gt(block->half_cycle_count, 50);
    for (int i = 0; i < 6; i++) {
        const carom_zeno_half_cycle *cycle = &block->half_cycles[i];
        assert_close(cycle->rate, table[i][0], 0.0, ROUNDING);
        assert_close(cycle->impact_time, table[i][1], 0.0, SEVEN_DECIMALS);
        assert_close(cycle->impact_s, table[i][2], 0.0, SEVEN_DECIMALS);
        assert_close(cycle->impulse, table[i][3], 0.0, ROUNDING);
        assert_close(cycle->apex_angle, table[i][4], 0.0, SEVEN_DECIMALS);
    }
    assert_close(block->accumulation_time, 2.6714214, 0.0, SEVEN_DECIMALS);
    assert_close(block->accumulation_s, 28.3780653, 0.0, SEVEN_DECIMALS);
    carom_zeno_block_free(block);
}

TEST(unit, bounds_and_forces_have_the_digits_of_the_specification) {
    carom_zeno_block *block = default_block();
    assert_close(block->first_swing_bound, 1.2586, 0.0, 5.1e-5);
    assert_close(block->time_bound, 3.29109, 0.0, 5.1e-6);
    assert_close(block->s_bound, 35.0767, 0.0, 5.1e-5);
    ck_assert(block->half_cycles[0].impact_time <= block->first_swing_bound);
    ck_assert(block->accumulation_time <= block->time_bound);
    ck_assert(block->accumulation_s <= block->s_bound);
    assert_close(block->smallest_force, 7.3385, 0.0, 5.1e-5);
    assert_close(block->largest_force, 9.38097, 0.0, 5.1e-6);
    assert_close(block->friction_ratio, 0.33290, 0.0, 5.1e-6);
    assert_close(1.0 / (1.0 + block->smallest_force), 0.11993, 0.0, 5.1e-6);
    assert_close(1.0 / (1.0 + block->largest_force), 0.09633, 0.0, 5.1e-6);
    assert_close(block->stick_friction, 6.0 / 17.0, ROUNDING, 0.0);
    assert_close(block->resting_share, 0.0925069, 0.0, SEVEN_DECIMALS);
    assert_close(block->accumulation_time / block->accumulation_s, 0.09414, 0.0, 5.1e-6);
    const carom_zeno_state rest = carom_zeno_block_state(block, 30.0);
    assert_close(rest.normal_rate[0], 0.4537465, 0.0, SEVEN_DECIMALS);
    assert_close(rest.normal_rate[1], 0.4537465, 0.0, SEVEN_DECIMALS);
    carom_zeno_block_free(block);
}

TEST(unit, scene_turns_about_its_left_corner) {
    const carom_zeno_block_params params = uneven_params();
    carom_impact_scene *scene = NULL;
    assert_ok(carom_zeno_block_scene(&params, &scene, NULL));
    carom_impact_problem *problem = problem_of(scene);
    const double speeds[4] = {0.0, 0.837 * 0.729, 0.0, 0.0};
    assert_values(problem->contact_velocity, speeds, 4, 0.0, ROUNDING);
    assert_close(scene->velocity[2], 0.729, 0.0, 0.0);
    assert_close(problem->mass[0], 2.385, 0.0, 0.0);
    assert_close(problem->friction[1], 0.71, 0.0, 0.0);
    double force[3];
    const carom_mechanism *mechanism = carom_impact_scene_mechanism(scene);
    mechanism->force(0.0, scene->position, scene->velocity, force, mechanism->context);
    assert_close(force[1], -2.385 * 9.731, ROUNDING, 0.0);
    carom_impact_problem_free(problem);
    carom_impact_scene_free(scene);
}

/* What the quadrature of a half swing needs. */
typedef struct half_swing {
    double amplitude;
    double apex;
    double k;
} half_swing;

/* dt/du with theta = theta* (1 - u^2), the sine difference as a product. */
static double time_per_u(double u, void *context) {
    const half_swing *swing = context;
    const double x = 0.5 * swing->amplitude * u * u;
    const double per_square =
        x > 0.0 ? sin(x) / x * 0.5 * swing->amplitude : 0.5 * swing->amplitude;
    return 2.0 * swing->amplitude / sqrt(4.0 * swing->k * cos(swing->apex - x) * per_square);
}

TEST(property, durations_of_swings_are_those_of_a_quadrature) {
    const unsigned long seed = 4;
    gsl_rng *generator = seeded_generator(seed);
    gsl_integration_workspace *work = gsl_integration_workspace_alloc(200);
    ck_assert_ptr_nonnull(work);
    for (int i = 0; i < RANDOM_CASES; i++) {
        const carom_zeno_block_params params = random_params(generator);
        carom_zeno_block *block = block_of(&params);
        const double inertia =
            params.mass * (params.width * params.width + params.height * params.height) / 3.0;
        const double r = 0.5 * hypot(params.width, params.height);
        const double a = atan(params.height / params.width);
        const double k = params.mass * params.gravity * r / inertia;
        assert_close(block->pendulum_share, k, ROUNDING, 0.0);
        for (int j = 0; j < block->half_cycle_count; j += 7) {
            const carom_zeno_half_cycle *cycle = &block->half_cycles[j];
            half_swing swing = {cycle->apex_angle, cycle->apex_angle + a, k};
            /* (57) as energy, in the form that small swings ask for. */
            const double climbed =
                2.0 * cos(a + 0.5 * swing.amplitude) * sin(0.5 * swing.amplitude);
            assert_close(climbed, 0.5 * cycle->rate * cycle->rate / k, 1e-12, 0.0);
            gsl_function integrand = {time_per_u, &swing};
            double half;
            double error;
            ck_assert_int_eq(gsl_integration_qag(&integrand, 0.0, 1.0, 0.0, 1e-13, 200,
                                                 GSL_INTEG_GAUSS31, work, &half, &error),
                             GSL_SUCCESS);
            const carom_zeno_swing swung = carom_zeno_swing_of(block, cycle->rate);
            ck_assert_msg(fabs(swung.half_time - half) <= 1e-12 * half,
                          "seed %lu case %d half cycle %d: %.17g, quadrature %.17g", seed, i, j,
                          swung.half_time, half);
        }
        carom_zeno_block_free(block);
    }
    gsl_integration_workspace_free(work);
    gsl_rng_free(generator);
}

/* The rates of the solution by central differences of the fourth order, with points d apart. */
static void differentiate(const carom_zeno_block *block, double s, double d, double q_rate[3],
                          double v_rate[3], double *t_rate) {
    static const double weights[4] = {1.0 / 12.0, -2.0 / 3.0, 2.0 / 3.0, -1.0 / 12.0};
    static const double offsets[4] = {-2.0, -1.0, 1.0, 2.0};
    *t_rate = 0.0;
    for (int i = 0; i < 3; i++) {
        q_rate[i] = 0.0;
        v_rate[i] = 0.0;
    }
    for (int k = 0; k < 4; k++) {
        const carom_zeno_state at = carom_zeno_block_state(block, s + offsets[k] * d);
        *t_rate += weights[k] * at.time / d;
        for (int i = 0; i < 3; i++) {
            q_rate[i] += weights[k] * at.position[i] / d;
            v_rate[i] += weights[k] * at.velocity[i] / d;
        }
    }
}

/* What (53) demands of a corner: no penetration; a force only where it is closed and neither slides
 * nor separates, inside the cone; no time while it closes. */
static void assert_corner(const carom_zeno_block *block, const carom_zeno_state *at, int c,
                          double gap, double normal_speed, double sliding) {
    const double size = 1e-14 * block->half_diagonal;
    const double speed = 1e-14 * block->half_diagonal * block->params.initial_rate;
    const double force = at->normal_rate[c];
    ck_assert(gap >= -size);
    ck_assert(force >= 0.0);
    ck_assert(fabs(at->tangential_rate[c]) <= block->stick_friction * force * (1.0 + 1e-12));
    if (force > 0.0) {
        assert_close(gap, 0.0, 0.0, size);
        assert_close(sliding, 0.0, 0.0, speed);
        ck_assert(normal_speed <= speed);
        ck_assert(!(at->time_rate > 0.0) || normal_speed >= -speed);
    }
}

static double speed_of(const double row[3], const double v[3]) {
    return row[0] * v[0] + row[1] * v[1] + row[2] * v[2];
}

/* At a place: M dv/ds = f dt/ds + J' dL/ds, dq/ds = v dt/ds, dt/ds + sum dL_n/ds = 1, in the
 * mechanism, which knows nothing of pendulums; its kinetic and potential energy. */
static double assert_inclusion(const carom_zeno_block *block, const carom_mechanism *mechanism,
                               double s, double d) {
    const double kappa = block->params.reference_force;
    const carom_zeno_state at = carom_zeno_block_state(block, s);
    double q_rate[3];
    double v_rate[3];
    double t_rate;
    differentiate(block, s, d, q_rate, v_rate, &t_rate);
    double M[9];
    double f[3];
    double gaps[2];
    double J_n[6];
    double J_t[6];
    mechanism->mass(at.position, M, mechanism->context);
    mechanism->force(0.0, at.position, at.velocity, f, mechanism->context);
    mechanism->constraints(at.position, gaps, mechanism->context);
    mechanism->constraint_jacobian(at.position, J_n, mechanism->context);
    mechanism->tangential_jacobian(at.position, J_t, mechanism->context);

    /* s, which is rounded, over the shortest d, a millionth of s*; the error of the differences is
     * the fourth power of a thousandth of a phase. */
    const double tolerance = 1e-9;
    assert_close(t_rate, at.time_rate, 0.0, tolerance);
    assert_close(at.time_rate + at.normal_rate[0] + at.normal_rate[1], 1.0, 0.0, ROUNDING);
    ck_assert(at.time_rate >= 0.0 && at.time_rate <= 1.0);
    for (int j = 0; j < 3; j++) {
        double impulse = f[j] * at.time_rate;
        for (int c = 0; c < 2; c++) {
            impulse += kappa * J_n[3 * c + j] * at.normal_rate[c];
            impulse += kappa * J_t[3 * c + j] * at.tangential_rate[c];
        }
        const double length = j == 2 ? block->half_diagonal : 1.0;
        assert_close(M[4 * j] * v_rate[j], impulse, 0.0, tolerance * kappa * length);
        assert_close(q_rate[j] * length, at.velocity[j] * at.time_rate * length, 0.0,
                     tolerance * block->half_diagonal * block->params.initial_rate);
    }
    for (int c = 0; c < 2; c++) {
        assert_corner(block, &at, c, gaps[c], speed_of(J_n + 3 * c, at.velocity),
                      speed_of(J_t + 3 * c, at.velocity));
    }
    double work[12];
    return carom_mechanism_kinetic_energy(mechanism, at.position, at.velocity, work) +
           mechanism->potential_energy(at.position, mechanism->context);
}

/* The same inside a phase; the energy never rises. */
static void assert_phase(const carom_zeno_block *block, const carom_mechanism *mechanism,
                         double start, double length, double *energy) {
    enum { SAMPLES = 16 };
    for (int k = 0; k < SAMPLES; k++) {
        const double s = start + length * (k + 0.5) / SAMPLES;
        const double now = assert_inclusion(block, mechanism, s, 1e-3 * length);
        ck_assert(now <= *energy * (1.0 + 1e-14));
        *energy = now;
    }
}

/* The construction of section 4.3 solves (53): swings, impacts down to a thousandth of s*, rest. */
TEST(property, trajectory_satisfies_the_inclusion) {
    const carom_zeno_block_params params[2] = {carom_zeno_block_params_default(), uneven_params()};
    for (int k = 0; k < 2; k++) {
        carom_zeno_block *block = block_of(&params[k]);
        carom_impact_scene *scene = NULL;
        assert_ok(carom_zeno_block_scene(&params[k], &scene, NULL));
        const carom_mechanism *mechanism = carom_impact_scene_mechanism(scene);
        double energy = INFINITY;
        int i = 0;
        for (; block->half_cycles[i].impact_length > 1e-3 * block->accumulation_s; i++) {
            const carom_zeno_half_cycle *cycle = &block->half_cycles[i];
            assert_phase(block, mechanism, cycle->start_s, cycle->impact_s - cycle->start_s,
                         &energy);
            assert_phase(block, mechanism, cycle->impact_s, cycle->impact_length, &energy);
        }
        ck_assert_int_gt(i, 5);
        assert_phase(block, mechanism, block->accumulation_s, 0.1 * block->accumulation_s, &energy);
        carom_impact_scene_free(scene);
        carom_zeno_block_free(block);
    }
}

/* Theorem 5 of halm-2023, and (58) with its units mended: an impact lasts no longer than the first,
 * and two of them do not follow each other without a swing. */
TEST(property, time_passes_in_every_length_of_two_impacts) {
    const unsigned long seed = 15;
    gsl_rng *generator = seeded_generator(seed);
    for (int i = 0; i < RANDOM_CASES; i++) {
        const carom_zeno_block_params params = random_params(generator);
        carom_zeno_block *block = block_of(&params);
        ck_assert(block->half_cycles[0].impact_time <= block->first_swing_bound);
        const double window = 2.0 * block->half_cycles[0].impact_length;
        for (int j = 0; j <= POINTS; j++) {
            const double s = 1.1 * block->accumulation_s * j / POINTS;
            const double passed = carom_zeno_block_state(block, s + window).time -
                                  carom_zeno_block_state(block, s).time;
            ck_assert_msg(passed > 0.0, "seed %lu case %d at s = %.17g", seed, i, s);
        }
        carom_zeno_block_free(block);
    }
    gsl_rng_free(generator);
}

TEST(property, states_at_s_and_at_time_are_the_same) {
    const unsigned long seed = 8;
    gsl_rng *generator = seeded_generator(seed);
    for (int i = 0; i < RANDOM_CASES; i++) {
        const carom_zeno_block_params params = random_params(generator);
        carom_zeno_block *block = block_of(&params);
        for (int j = 0; j < 40; j++) {
            const double t = uniform(generator, 0.0, 1.1) * block->accumulation_time;
            const carom_zeno_state at_time = carom_zeno_block_state_at_time(block, t);
            const carom_zeno_state at_s = carom_zeno_block_state(block, at_time.s);
            assert_close(at_time.time, t, 0.0, 0.0);
            ck_assert_int_eq(at_s.phase, at_time.phase);
            ck_assert_int_eq(at_s.half_cycle, at_time.half_cycle);
            /* Sums of times and of s are rounded; the largest rates are of order ten. */
            assert_close(at_s.time, t, 1e-12, 0.0);
            assert_values(at_s.position, at_time.position, 3, 0.0, 1e-11);
            assert_values(at_s.velocity, at_time.velocity, 3, 0.0, 1e-10);
        }
        carom_zeno_block_free(block);
    }
    gsl_rng_free(generator);
}

TEST(property, trajectory_joins_at_every_change_of_phase) {
    carom_zeno_block *block = default_block();
    for (int i = 0; i < 40; i++) {
        const carom_zeno_half_cycle *cycle = &block->half_cycles[i];
        const carom_zeno_half_cycle *next = &block->half_cycles[i + 1];
        assert_close(cycle->impact_time, next->start_time, 0.0, 0.0);
        assert_close(cycle->impact_s + cycle->impulse, next->start_s, 1e-14, 0.0);
        assert_close(next->rate, 0.7 * cycle->rate, ROUNDING, 0.0);
        const double places[3] = {cycle->start_s, cycle->impact_s, next->start_s};
        for (int k = 0; k < 3; k++) {
            /* s moves velocities by at most a few times its own step, and by its rounding. */
            const double step = 1e-9 * cycle->rate;
            const carom_zeno_state before =
                carom_zeno_block_state(block, fmax(0.0, places[k] - step));
            const carom_zeno_state after = carom_zeno_block_state(block, places[k] + step);
            assert_values(before.velocity, after.velocity, 3, 0.0, 20.0 * step + 1e-13);
            assert_values(before.position, after.position, 3, 0.0, 20.0 * step + 1e-13);
        }
    }
    const carom_zeno_state start = carom_zeno_block_state(block, 0.0);
    const double turning[3] = {-1.0, 0.5, 1.0};
    assert_values(start.velocity, turning, 3, 0.0, ROUNDING);
    ck_assert_int_eq(start.phase, CAROM_ZENO_SWING);

    /* The second half cycle is the mirror image of a slower first one, about B. */
    const carom_zeno_state second = carom_zeno_block_state(block, block->half_cycles[1].start_s);
    const double turning_back[3] = {0.7, 0.35, -0.7};
    assert_values(second.velocity, turning_back, 3, 0.0, 1e-12);
    assert_close(second.normal_rate[0], 0.0, 0.0, 0.0);
    ck_assert(second.normal_rate[1] > 0.8);
    carom_zeno_block_free(block);
}

TEST(unit, block_rests_after_the_accumulation) {
    carom_zeno_block *block = default_block();
    const double share = 1.0 / 10.81;
    const carom_zeno_state rest = carom_zeno_block_state(block, block->accumulation_s + 2.0);
    ck_assert_int_eq(rest.phase, CAROM_ZENO_REST);
    ck_assert_int_eq(rest.half_cycle, block->half_cycle_count);
    assert_close(rest.time, block->accumulation_time + 2.0 * share, ROUNDING, 0.0);
    assert_close(rest.time_rate, share, ROUNDING, 0.0);
    assert_close(rest.normal_rate[0] / rest.time_rate, 0.5 * 9.81, ROUNDING, 0.0);
    const double flat[3] = {0.0, 1.0, 0.0};
    const double still[3] = {0.0, 0.0, 0.0};
    assert_values(rest.position, flat, 3, 0.0, 0.0);
    assert_values(rest.velocity, still, 3, 0.0, 0.0);
    const carom_zeno_state later = carom_zeno_block_state_at_time(block, rest.time);
    assert_close(later.s, rest.s, ROUNDING, 0.0);
    carom_zeno_block_free(block);
}

/* Against the finest samples of the force law. */
TEST(property, extreme_forces_are_those_of_a_fine_sampling) {
    const unsigned long seed = 77;
    gsl_rng *generator = seeded_generator(seed);
    for (int i = 0; i < RANDOM_CASES; i++) {
        const carom_zeno_block_params params = random_params(generator);
        carom_zeno_block *block = block_of(&params);
        double smallest = INFINITY;
        double largest = 0.0;
        double friction = 0.0;
        const carom_zeno_swing swing = carom_zeno_swing_of(block, params.initial_rate);
        for (int j = 0; j <= 2000; j++) {
            double angle;
            double rate;
            double normal;
            double tangential;
            carom_zeno_swing_turn(block, &swing, swing.half_time * j / 2000.0, &angle, &rate);
            carom_zeno_swing_force(block, angle, rate, &normal, &tangential);
            smallest = fmin(smallest, normal);
            largest = fmax(largest, normal);
            friction = fmax(friction, fabs(tangential) / normal);
        }
        /* A maximum is missed by the square of half a sampling step. */
        assert_close(block->smallest_force, smallest, 1e-6, 0.0);
        assert_close(block->largest_force, largest, 1e-6, 0.0);
        assert_close(block->friction_ratio, friction, 1e-6, 0.0);
        ck_assert(block->stick_friction >= block->friction_ratio);
        const double sine = sin(block->corner_angle);
        ck_assert(block->smallest_force >
                  0.25 * params.mass * params.gravity * (1.0 - 3.0 * sine) * (1.0 - 3.0 * sine));
        carom_zeno_block_free(block);
    }
    gsl_rng_free(generator);
}

static void assert_refused(carom_zeno_block_params params, carom_status expected,
                           const char *quantity) {
    carom_report report = carom_report_empty();
    carom_zeno_block *block = (carom_zeno_block *)&report;
    ck_assert_int_eq(carom_zeno_block_alloc(&params, &block, &report), expected);
    ck_assert_ptr_null(block);
    ck_assert_str_eq(report.quantity, quantity);
}

/* Masses and kappa in other units. */
TEST(errors, solution_depends_on_the_mass_over_the_reference_force) {
    const carom_zeno_block_params params = uneven_params();
    carom_zeno_block_params light = params;
    light.mass *= 1e-9;
    light.reference_force *= 1e-9;
    carom_zeno_block *blocks[2] = {block_of(&params), block_of(&light)};
    assert_close(blocks[1]->largest_force, 1e-9 * blocks[0]->largest_force, 1e-12, 0.0);
    for (int i = 0; i <= POINTS; i++) {
        const double s = 1.1 * blocks[0]->accumulation_s * i / POINTS;
        const carom_zeno_state a = carom_zeno_block_state(blocks[0], s);
        const carom_zeno_state b = carom_zeno_block_state(blocks[1], s);
        assert_close(b.time, a.time, 0.0, 1e-9);
        assert_close(b.position[2], a.position[2], 0.0, 1e-9);
        assert_close(b.velocity[2], a.velocity[2], 0.0, 1e-9);
    }
    carom_zeno_block_free(blocks[0]);
    carom_zeno_block_free(blocks[1]);
}

/* A block of 1 mg, its kappa not given. */
TEST(errors, reference_force_that_is_not_given_follows_the_weight) {
    carom_zeno_block_params light = carom_zeno_block_params_default();
    light.mass = 1e-6;
    carom_zeno_block *blocks[2] = {default_block(), block_of(&light)};
    assert_close(blocks[0]->params.reference_force, 1.0, 0.0, 0.0);
    assert_close(blocks[1]->params.reference_force, 1e-6, ROUNDING, 0.0);
    assert_close(blocks[1]->accumulation_s, blocks[0]->accumulation_s, ROUNDING, 0.0);
    carom_zeno_block_free(blocks[0]);
    carom_zeno_block_free(blocks[1]);
}

TEST(errors, blocks_that_do_not_rock_are_refused) {
    const carom_zeno_block_params good = carom_zeno_block_params_default();
    carom_zeno_block_params bad = good;
    bad.mass = 0.0;
    assert_refused(bad, CAROM_STATUS_OUT_OF_RANGE, "mass");
    bad = good;
    bad.height = NAN;
    assert_refused(bad, CAROM_STATUS_NOT_FINITE, "height");
    bad = good;
    bad.gravity = 0.0;
    assert_refused(bad, CAROM_STATUS_OUT_OF_RANGE, "gravity");
    bad = good;
    bad.reference_force = 0.0;
    assert_refused(bad, CAROM_STATUS_OUT_OF_RANGE, "reference force");
    bad = good;
    bad.initial_rate = -1.0;
    assert_refused(bad, CAROM_STATUS_OUT_OF_RANGE, "initial rate");

    /* w = sqrt 2 h: e = 0. */
    bad = good;
    bad.width = sqrt(2.0) * good.height * (1.0 + 1e-12);
    assert_refused(bad, CAROM_STATUS_OUT_OF_RANGE, "width");
    bad.width = 0.01;
    bad.initial_rate = 1e-3;
    assert_refused(bad, CAROM_STATUS_OUT_OF_RANGE, "width");

    /* Tipping over: rate^2 > 2 k (1 - sin a), k = 9.81 sqrt(5)/2/(5/3), sin a = 2/sqrt 5. */
    const double k = 9.81 * 0.5 * sqrt(5.0) / (5.0 / 3.0);
    const double tipping = sqrt(2.0 * k * (1.0 - 2.0 / sqrt(5.0)));
    bad = good;
    bad.initial_rate = tipping * (1.0 + 1e-9);
    assert_refused(bad, CAROM_STATUS_OUT_OF_RANGE, "initial rate");

    /* So slow that the square of the rate is no number. */
    bad.initial_rate = 1e-200;
    carom_report report = carom_report_empty();
    carom_zeno_block *block = NULL;
    assert_status(carom_zeno_block_alloc(&bad, &block, &report), OUT_OF_RANGE);
    ck_assert_ptr_null(block);
    ck_assert_str_eq(report.sentence,
                     "with initial rate 1e-200 rad/s the square of the rate or the "
                     "impulses leave the range of numbers");

    /* Both thresholds of friction: 6/17 at the impacts. */
    bad = good;
    bad.friction = 6.0 / 17.0 * (1.0 - 1e-9);
    assert_refused(bad, CAROM_STATUS_OUT_OF_RANGE, "friction");
    bad.friction = 6.0 / 17.0 * (1.0 + 1e-9);
    carom_zeno_block_free(block_of(&bad));
}

TEST(errors, before_the_start_there_is_no_state) {
    const carom_zeno_block_params params = carom_zeno_block_params_default();
    carom_zeno_block *block = block_of(&params);
    const double places[2] = {-1e-9, NAN};
    for (int k = 0; k < 2; k++) {
        const carom_zeno_state by_s = carom_zeno_block_state(block, places[k]);
        const carom_zeno_state by_time = carom_zeno_block_state_at_time(block, places[k]);
        ck_assert_double_nan(by_s.time);
        ck_assert_double_nan(by_s.position[2]);
        ck_assert_double_nan(by_time.s);
        ck_assert_double_nan(by_time.velocity[2]);
    }
    carom_zeno_block_free(block);
}

/* The slowest swing that turns back: the apex is almost upright. */
TEST(unit, block_next_to_tipping_over_is_followed) {
    carom_zeno_block_params params = carom_zeno_block_params_default();
    const double k = 9.81 * 0.5 * sqrt(5.0) / (5.0 / 3.0);
    params.initial_rate = sqrt(2.0 * k * (1.0 - 2.0 / sqrt(5.0))) * (1.0 - 1e-6);
    params.friction = 10.0;
    carom_zeno_block *block = block_of(&params);
    ck_assert(block->half_cycles[0].apex_angle > 0.45);
    ck_assert(block->half_cycles[0].apex_angle < M_PI_2 - atan(2.0));
    const carom_zeno_state apex =
        carom_zeno_block_state_at_time(block, 0.5 * block->half_cycles[0].impact_time);
    assert_close(apex.position[2], block->half_cycles[0].apex_angle, 0.0, 1e-9);
    carom_zeno_block_free(block);
}
