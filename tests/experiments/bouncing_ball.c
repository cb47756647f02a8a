/**
 * The bouncing ball in integer arithmetic. With k h a_g for the velocity, h^2 a_g / 2 for the gap
 * and e = n/5, every state of the scheme (bruls-2014 eq. 35) is a whole number of units divided by
 * a power of five: a history without rounding, and the branch of a tie without doubt.
 */
#include "../timestepping/galpha/runs.h"

#include <stdint.h>

/** 5^20: twenty contacts leave whole numbers, and 40050 units of gap still fit into 63 bits. */
#define UNIT INT64_C(95367431640625)

/** State in units of h a_g / UNIT and h^2 a_g / (2 UNIT), and what the last step did. */
typedef struct whole_ball {
    int64_t gap;
    int64_t velocity;
    int64_t impulse;    /**< Lambda, in m h a_g / UNIT */
    int64_t multiplier; /**< nu, in m h^2 a_g / (2 UNIT) */
    bool acts;
    bool is_tie; /**< the gap of the smooth motion is exactly zero */
} whole_ball;

/** One step for e = fifths/5, a tie taken as closed; false when the velocity is no longer whole. */
static bool advance(whole_ball *ball, int fifths) {
    const int64_t smooth_gap = ball->gap + 2 * ball->velocity - UNIT;
    const int64_t smooth_velocity = ball->velocity - UNIT;
    ball->acts = smooth_gap <= 0;
    ball->is_tie = smooth_gap == 0;
    if (!ball->acts) {
        *ball = (whole_ball){.gap = smooth_gap, .velocity = smooth_velocity};
        return true;
    }
    const int64_t scaled = ball->velocity * fifths;
    if (scaled % 5 != 0) {
        return false;
    }
    ball->gap = 0;
    ball->velocity = -scaled / 5;
    ball->impulse = ball->velocity - smooth_velocity;
    ball->multiplier = -smooth_gap;
    return true;
}

/** A ball that is released so many units above the floor. */
static carom_bouncing_ball_params ball_of(int64_t units, int fifths, double h) {
    carom_bouncing_ball_params ball = carom_bouncing_ball_params_default();
    ball.restitution = fifths / 5.0;
    ball.initial_height = ball.radius + 0.5 * h * h * ball.gravity * (double)units;
    return ball;
}

/** Every row of a run against the integers; how many contacts were compared. */
static int compare(const carom_bouncing_ball_params *ball, const carom_stepper_params *params,
                   int64_t units, int fifths, double duration) {
    run r = run_ball(ball, params, duration);
    const carom_trajectory *t = r.trajectory;
    const double speed = params->step * ball->gravity / (double)UNIT;
    const double length = 0.5 * params->step * speed;
    whole_ball exact = {.gap = units * UNIT};
    int contacts = 0;
    for (int row = 1; row < t->row_count && advance(&exact, fifths); row++) {
        // rounding of a position of 1 m in each of at most 2500 steps
        assert_close(t->gap[row], length * (double)exact.gap, 0.0, 1e-12);
        assert_close(t->velocity[row], speed * (double)exact.velocity, 0.0, 1e-12);
        assert_close(t->contact_impulse[row], ball->mass * speed * (double)exact.impulse, 0.0,
                     1e-12);
        assert_close(t->contact_position_multiplier[row],
                     ball->mass * length * (double)exact.multiplier, 0.0, 1e-12);
        ck_assert_int_eq(t->velocity_active[row], exact.acts ? 1 : 0);
        if (!exact.is_tie) {
            ck_assert_int_eq(t->position_active[row], exact.acts ? 1 : 0);
        }
        contacts += exact.acts ? 1 : 0;
    }
    run_clear(&r);
    return contacts;
}

TEST(unit, every_step_of_the_paper_is_that_of_integer_arithmetic) {
    // 0.801 m over 2e-5 m; all contacts until after the ball has closed its gap for good
    const carom_bouncing_ball_params ball = carom_bouncing_ball_params_default();
    for (int solver = 0; solver < 3; solver++) {
        carom_stepper_params params = scheme_with_step(CAROM_SCHEME_NONSMOOTH_GALPHA, 2e-3);
        params.use_linear_step = solver == 0;
        params.newton = solver == 2 ? CAROM_NEWTON_SEQUENTIAL : CAROM_NEWTON_MONOLITHIC;
        ck_assert_int_ge(compare(&ball, &params, 40050, 4, 5.0), 20);
    }
}

TEST(unit, integers_give_the_rational_history_of_the_closed_branch) {
    // exact rationals of the specification: time, impulse, position multiplier
    static const struct {
        double time;
        double impulse;
        double multiplier;
    } table[] = {
        {0.402, 7.22, 7.02e-3},
        {1.042, 5.744, 0.0},
        {1.552, 4.5848, 3.06e-3},
        {1.958, 3.64016, 4.872e-4},
        {2.280, 2.883872, 3.3488e-4},
        {2.536, 2.3009024, 1.835008e-3},
        {2.740, 1.83127808, 1.2781824e-3},
        {2.902, 1.450977536, 8.0797824e-4},
    };
    const int count = (int)(sizeof(table) / sizeof(table[0]));
    const double h = 2e-3;
    whole_ball ball = {.gap = 40050 * UNIT};
    int found = 0;
    for (int step = 1; found < count; step++) {
        ck_assert(advance(&ball, 4));
        if (ball.acts) {
            assert_close(h * step, table[found].time, 1e-14, 0.0);
            assert_close(h * 10.0 * (double)ball.impulse / (double)UNIT, table[found].impulse,
                         1e-14, 0.0);
            assert_close(0.5 * h * h * 10.0 * (double)ball.multiplier / (double)UNIT,
                         table[found].multiplier, 1e-14, 0.0);
            ck_assert_int_eq(ball.is_tie, found == 1);
            found++;
        }
    }
}

TEST(property, random_balls_follow_their_integers_through_every_tie) {
    for (unsigned long seed = 1; seed <= 40; seed++) {
        gsl_rng *generator = seeded_generator(seed);
        const int64_t units = 100 + (int64_t)gsl_rng_uniform_int(generator, 39900);
        const int fifths = (int)gsl_rng_uniform_int(generator, 6);
        const double h = 1e-3 * uniform(generator, 0.5, 2.5);
        carom_stepper_params params = scheme_with_step(CAROM_SCHEME_NONSMOOTH_GALPHA, h);
        params.spectral_radius = uniform(generator, 0.0, 1.0);
        const carom_bouncing_ball_params ball = ball_of(units, fifths, h);
        ck_assert_int_ge(compare(&ball, &params, units, fifths, 2.0), 1);
        gsl_rng_free(generator);
    }
}
