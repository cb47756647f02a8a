/**
 * The integrator of the inclusion beside the exact solution of the rocking block, along s and
 * through the accumulation: for the block of halm-2023 section 4.3 against the specification's
 * table of half cycles (its section 3.2), for others against the closed form.
 */
#include "../support.h"

#include <carom/models/zeno_block.h>
#include <carom/timestepping/inclusion/inclusion.h>
#include <carom/timestepping/trajectory.h>

enum { COORDINATES = 3, ANGLE = 2 };

static carom_trajectory *integrate(const carom_zeno_block_params *params, double step,
                                   double length) {
    carom_impact_scene *scene = NULL;
    assert_ok(carom_zeno_block_scene(params, &scene, NULL));
    carom_inclusion_params inclusion = carom_inclusion_params_default();
    inclusion.reference_force = carom_zeno_block_reference_force(params);
    inclusion.step = step;
    carom_trajectory *trajectory = NULL;
    assert_ok(carom_inclusion_run(carom_impact_scene_mechanism(scene), &inclusion, scene->position,
                                  scene->velocity, length, INFINITY, &trajectory, NULL));
    carom_impact_scene_free(scene);
    return trajectory;
}

/** Largest errors over s of a run, in parts of t*, of theta* and of the first rate. */
typedef struct errors {
    double time;
    double angle;
    double rate;
} errors;

static errors compare(const carom_zeno_block *exact, const carom_trajectory *t) {
    errors out = {0.0, 0.0, 0.0};
    for (int k = 0; k < t->row_count; k++) {
        const carom_zeno_state state = carom_zeno_block_state(exact, t->s[k]);
        const double angle = t->position[COORDINATES * k + ANGLE];
        const double rate = t->velocity[COORDINATES * k + ANGLE];
        out.time = fmax(out.time, fabs(t->time[k] - state.time) / exact->accumulation_time);
        out.angle =
            fmax(out.angle, fabs(angle - state.position[ANGLE]) / exact->half_cycles[0].apex_angle);
        out.rate = fmax(out.rate, fabs(rate - state.velocity[ANGLE]) / exact->params.initial_rate);
    }
    return out;
}

/** Blocks that rock: e between 0.25 and 0.75, the first swing well below tipping over. */
static carom_zeno_block_params random_block(gsl_rng *generator) {
    carom_zeno_block_params params = carom_zeno_block_params_default();
    params.height = uniform(generator, 0.5, 3.0);
    params.width = params.height * uniform(generator, 0.45, 1.0);
    params.mass = uniform(generator, 0.3, 4.0);
    params.friction = uniform(generator, 1.0, 3.0);
    params.gravity = uniform(generator, 1.0, 12.0);
    const double size = hypot(params.width, params.height);
    // Half of the energy that lifts the mass centre above the corner.
    const double lift = 0.5 * params.gravity * (size - params.height);
    params.initial_rate = sqrt(0.5 * lift * 6.0 / (size * size));
    return params;
}

TEST(unit, impacts_of_the_integrator_are_those_of_the_table) {
    // t where the impact of half cycle i begins, at its s: specification 3.2, seven decimals.
    static const double s[] = {9.6730136, 15.7030270, 19.6272053, 22.2913370, 24.1302586};
    static const double time[] = {0.9873278, 1.5312698, 1.8845703, 2.1242217, 2.2895753};
    const carom_zeno_block_params params = carom_zeno_block_params_default();
    const double step = 1e-3;
    carom_trajectory *t = integrate(&params, step, 34.0);
    for (int i = 0; i < 5; i++) {
        // First order: each half cycle so far adds some steps.
        assert_close(carom_inclusion_trajectory_time(t, s[i]), time[i], 0.0, (1.0 + i) * step);
    }
    // Half the weight on each corner at rest.
    const int last = t->row_count - 1;
    assert_close(t->time_rate[last], 0.0925069, 0.0, 5e-8);
    assert_close(t->normal_rate[2 * last], 0.4537465, 0.0, 5e-8);
    assert_close(t->normal_rate[2 * last + 1], 0.4537465, 0.0, 5e-8);
    carom_trajectory_free(t);
}

TEST(property, integrator_follows_every_block_through_its_accumulation) {
    const unsigned long seed = 7;
    gsl_rng *generator = seeded_generator(seed);
    for (int i = 0; i < 8; i++) {
        const carom_zeno_block_params params = random_block(generator);
        carom_zeno_block *exact = NULL;
        assert_ok(carom_zeno_block_alloc(&params, &exact, NULL));
        errors found[2];
        for (int k = 0; k < 2; k++) {
            const double step = exact->accumulation_s / (k == 0 ? 1000.0 : 16000.0);
            carom_trajectory *t = integrate(&params, step, 1.1 * exact->accumulation_s);
            found[k] = compare(exact, t);
            ck_assert(carom_trajectory_smallest_gap(t) >= -1e-12 * params.height);
            carom_trajectory_free(t);
        }
        // A step 16 times smaller; less than the first order, since each impact adds an error of a
        // step and there are the more of them resolved the smaller the step: at least order 0.38.
        ck_assert_msg(found[1].time <= 0.35 * found[0].time && found[1].time <= 0.02,
                      "seed %lu, block %d: time %.3g %.3g", seed, i, found[0].time, found[1].time);
        ck_assert_msg(found[1].angle <= 0.35 * found[0].angle && found[1].angle <= 0.02,
                      "block %d: angle %.3g %.3g", i, found[0].angle, found[1].angle);
        ck_assert_msg(found[1].rate <= 0.35 * found[0].rate && found[1].rate <= 0.1,
                      "block %d: rate %.3g %.3g", i, found[0].rate, found[1].rate);
        carom_zeno_block_free(exact);
    }
    gsl_rng_free(generator);
}

TEST(property, time_at_rest_is_exact_whatever_the_step) {
    // Vertical momentum: sum of the normal impulses = m g t - m (w/2) rate, and s = t + this sum
    // over kappa.
    gsl_rng *generator = seeded_generator(11);
    for (int i = 0; i < 12; i++) {
        const carom_zeno_block_params params = random_block(generator);
        carom_zeno_block *exact = NULL;
        assert_ok(carom_zeno_block_alloc(&params, &exact, NULL));
        const double length = 1.2 * exact->accumulation_s;
        carom_trajectory *t = integrate(&params, length / 300.0, length);
        const double mass = params.mass / exact->params.reference_force;
        const double lost = 0.5 * mass * params.width * params.initial_rate;
        const int last = t->row_count - 1;
        assert_close(t->velocity[COORDINATES * last + ANGLE], 0.0, 0.0, 1e-9);
        assert_close(t->time[last], (length + lost) / (1.0 + mass * params.gravity), 1e-9, 0.0);
        carom_trajectory_free(t);
        carom_zeno_block_free(exact);
    }
    gsl_rng_free(generator);
}
