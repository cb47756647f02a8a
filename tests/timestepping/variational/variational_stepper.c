/* carom/timestepping/variational/variational.h: impacts within steps against closed forms,
 * against collisions one after the other, and what is refused. */
#include "variational_stepping.h"

#include <carom/mechanism/planar_tree.h>
#include <carom/models/ball_chain.h>

#include <gsl/gsl_math.h>

/* ----------------------------------------------------------------------------------------- ball */

TEST(unit, a_bouncing_ball_is_where_the_parabola_is_and_hits_when_it_does) {
    const double g = 9.731;
    const double height = 0.7385;
    const double steps[3] = {0.00137, 0.0731, 0.61};
    for (int k = 0; k < 3; k++) {
        pile ball;
        pile_ball(&ball, 2.385, g);
        carom_variational_params params = params_of_step(steps[k]);
        params.most_hits = 10;
        const double rest = 0.0;
        const double t0 = 1.25;
        carom_variational_stepper *stepper =
            start(&ball.mechanism, &params, t0, &height, &rest, NULL);
        const double fall = sqrt(2.0 * height / g);
        int hits = 0;
        double impulse = 0.0;
        for (int i = 1; t0 + i * steps[k] < t0 + 9.5 * fall; i++) {
            const carom_variational_result *now = advance(stepper);
            assert_close(now->time, t0 + i * steps[k], 1e-15, 0.0);
            for (int j = 0; j < now->impact_count; j++) {
                const carom_variational_impact *impact = &now->impacts[j];
                assert_close(impact->time, t0 + (2 * hits + 1) * fall, 0.0, 10.0 * EVENT);
                ck_assert_int_eq(impact->closed_count, 1);
                ck_assert_int_eq(impact->reflection_count, 1);
                ck_assert_int_eq(impact->first_closed, j);
                ck_assert_int_eq(impact->first_reflection, j);
                ck_assert_int_eq(now->closed[j] + now->reflection[j], 0);
                ck_assert(!impact->is_plastic);
                assert_close(impact->energy_before, 2.385 * g * height, 1e-12, 0.0);
                assert_close(impact->energy_after, impact->energy_before, 1e-15, 0.0);
                hits++;
            }
            impulse += now->contact_impulse[0];
            /* Time since the last top, of the parabola that bounces. */
            const double since = fmod(now->time - t0 + fall, 2.0 * fall) - fall;
            if (now->time - t0 > fall || since > 0.0) {
                assert_close(now->position[0], height - 0.5 * g * since * since, 0.0, 100 * EVENT);
                assert_close(now->velocity[0], -g * since, 0.0, 100.0 * EVENT);
            }
            assert_close(now->momentum[0], 2.385 * now->velocity[0], 1e-15, 0.0);
            assert_close(now->kinetic_energy, 0.5 * 2.385 * gsl_pow_2(now->velocity[0]), 1e-14,
                         0.0);
            assert_close(now->kinetic_energy + now->potential_energy, 2.385 * g * height, 1e-11,
                         0.0);
            assert_close(now->gap[0], now->position[0], 0.0, 0.0);
            ck_assert(!now->is_held[0]);
            assert_close(now->holding_impulse[0], 0.0, 0.0, 0.0);
            assert_close(now->impact_loss, 0.0, 0.0, 1e-13);
            /* with an impact those of the search as well */
            ck_assert_int_ge(now->iterations, now->impact_count > 0 ? 5 : 1);
        }
        ck_assert_int_eq(hits, 5);
        assert_close(impulse, 5.0 * 2.0 * 2.385 * g * fall, 1e-11, 0.0);
        carom_variational_stepper_free(stepper);
    }
}

/* y = v t - g t^2/2 from the floor itself: the root t = 0 is not an impact, t = 2 v/g is. */
TEST(unit, a_ball_thrown_from_the_floor_comes_back_within_the_step) {
    pile ball;
    pile_ball(&ball, 1.31, 9.81);
    const double speeds[4] = {2.17, 0.0113, 2.9e-5, 4.51};
    for (int k = 0; k < 4; k++) {
        const double q = 0.0;
        const carom_variational_params params = params_of_step(2.6 * speeds[k] / 9.81);
        carom_variational_stepper *stepper =
            start(&ball.mechanism, &params, 0.0, &q, &speeds[k], NULL);
        const carom_variational_result *now = advance(stepper);
        ck_assert_int_eq(now->impact_count, 1);
        /* the gap, 1e-16 m, at that speed */
        assert_close(now->impacts[0].time, 2.0 * speeds[k] / 9.81, 1e-12, 1e-15 / speeds[k]);
        assert_close(now->velocity[0], speeds[k] * (1.0 - 0.6), 1e-12, 1e-14 / speeds[k]);
        assert_close(now->contact_impulse[0], 2.0 * 1.31 * speeds[k], 1e-12, 1e-14 / speeds[k]);
        carom_variational_stepper_free(stepper);
    }
}

TEST(unit, a_contact_that_starts_closed_and_approaches_hits_at_once) {
    pile ball;
    pile_ball(&ball, 1.31, 0.0);
    const carom_variational_params params = params_of_step(0.25);
    const double gaps[3] = {0.0, 0.9e-12, -0.9e-12};
    for (int k = 0; k < 3; k++) {
        const double v = -1.73;
        carom_variational_stepper *stepper =
            start(&ball.mechanism, &params, 3.0, &gaps[k], &v, NULL);
        const carom_variational_result *now = carom_variational_stepper_result(stepper);
        assert_close(now->time, 3.0, 0.0, 0.0);
        assert_close(now->velocity[0], v, 1e-15, 0.0);
        assert_close(now->kinetic_energy, 0.5 * 1.31 * v * v, 1e-15, 0.0);
        ck_assert_int_eq(now->impact_count, 0);
        now = advance(stepper);
        ck_assert_int_eq(now->impact_count, 1);
        assert_close(now->impacts[0].time, 3.0, 0.0, 0.0);
        assert_close(now->position[0], 1.73 * 0.25, 1e-11, 0.0);
        assert_close(now->velocity[0], 1.73, 1e-14, 0.0);
        carom_variational_stepper_free(stepper);
    }
}

TEST(unit, an_impact_at_the_end_of_a_step_belongs_to_one_step_alone) {
    pile ball;
    pile_ball(&ball, 1.0, 0.0);
    const carom_variational_params params = params_of_step(0.25);
    const double q = 0.5;
    const double v = -1.0;
    carom_variational_stepper *stepper = start(&ball.mechanism, &params, 0.0, &q, &v, NULL);
    ck_assert_int_eq(advance(stepper)->impact_count, 0);
    int hits = advance(stepper)->impact_count;
    const carom_variational_result *now = advance(stepper);
    hits += now->impact_count;
    ck_assert_int_eq(hits, 1);
    assert_close(now->position[0], 0.25, 0.0, ROUNDING);
    assert_close(now->velocity[0], 1.0, ROUNDING, 0.0);
    carom_variational_stepper_free(stepper);
}

/* x'' = 4.5 - 4 t from 0.75 m at -2 m/s: after a flight of one second, the force read at its
 * middle, x = 0.75 - 2 + 4.5/2 - 4/4 = 0 and falling with the length, while v = -2 + 4.5 - 2 = 0.5
 * m/s. */
static void force_that_fades(double t, const double *q, const double *v, double *f, void *context) {
    (void)q;
    (void)v;
    (void)context;
    f[0] = 4.5 - 4.0 * t;
}

/* Counted as a hit, so that it cannot go on for ever: N_c = 0 makes it plastic. */
TEST(unit, a_contact_that_closes_while_its_momentum_opens_it_has_hit) {
    for (int most_hits = 0; most_hits < 2; most_hits++) {
        pile ball;
        pile_ball(&ball, 1.0, 0.0);
        ball.mechanism.force = force_that_fades;
        ball.mechanism.is_linear = false;
        carom_variational_params params = params_of_step(1.2);
        params.most_hits = most_hits;
        const double q = 0.75;
        const double v = -2.0;
        carom_variational_stepper *stepper = start(&ball.mechanism, &params, 0.0, &q, &v, NULL);
        const carom_variational_result *now = advance(stepper);
        ck_assert_int_eq(now->impact_count, 1);
        assert_close(now->impacts[0].time, 1.0, 0.0, 2.0 * EVENT);
        ck_assert_int_eq(now->impacts[0].closed_count, 1);
        ck_assert_int_eq(now->impacts[0].reflection_count, 0);
        ck_assert_int_eq(now->impacts[0].is_plastic, most_hits == 0);
        /* the force at 1.1 s over the last 0.2 s */
        const double left = most_hits == 0 ? 0.0 : 0.5;
        assert_close(now->velocity[0], left + 0.2 * 0.1, 0.0, 1e-11);
        assert_close(now->contact_impulse[0], left - 0.5, 0.0, 1e-11);
        carom_variational_stepper_free(stepper);
    }
}

/* Between impacts v' = -g - (c/m) v: exact state of the damped bouncing ball after one impact. */
static void damped_ball(double g, double rate, double height, double t, double *y, double *v) {
    /* y = y0 - v_inf t + (v0 + v_inf)(1 - exp(-rate t))/rate, v_inf = g/rate */
    const double limit = g / rate;
    double low = 0.0;
    double high = t;
    for (int i = 0; i < 200; i++) {
        const double middle = 0.5 * (low + high);
        const double at = height - limit * middle - limit * expm1(-rate * middle) / rate;
        *(at > 0.0 ? &low : &high) = middle;
    }
    const double bounce = limit * -expm1(-rate * low);
    const double left = t - low;
    *y = -limit * left - (bounce + limit) * expm1(-rate * left) / rate;
    *v = -limit + (bounce + limit) * exp(-rate * left);
}

/* The momentum before the impact as (30) prints it, F+ without the force f+, in the same scheme. */
static double printed_impact(double m, double g, double c, double height, double h, double t) {
    double y = height;
    double p = 0.0;
    bool has_hit = false;
    for (int k = 0; k < (int)lround(t / h); k++) {
        double left = h;
        /* p + (left/2)(-m g - c v_m) = m v_m */
        double v = (p - 0.5 * left * m * g) / (m + 0.5 * left * c);
        if (!has_hit && y + left * v < 0.0) {
            /* y + s v_m(s) = 0 */
            double low = 0.0;
            double high = left;
            for (int i = 0; i < 200; i++) {
                const double s = 0.5 * (low + high);
                *(y + s * (p - 0.5 * s * m * g) / (m + 0.5 * s * c) > 0.0 ? &low : &high) = s;
            }
            v = (p - 0.5 * low * m * g) / (m + 0.5 * low * c);
            y = 0.0;
            p = -(m * v - 0.5 * low * m * g);
            left -= low;
            v = (p - 0.5 * left * m * g) / (m + 0.5 * left * c);
            has_hit = true;
        }
        y += left * v;
        p = m * v + 0.5 * left * (-m * g - c * v);
    }
    return y;
}

/* Second order through an impact with a dashpot on; the printed (30), which leaves its force out
 * of the momentum before the impact, is of first order. */
TEST(unit, an_impact_keeps_the_order_of_the_flight_if_forces_enter) {
    const double g = 9.81;
    const double height = 0.613;
    const double rate = 2.7;
    const double duration = 0.7;
    double y;
    double v;
    damped_ball(g, rate, height, duration, &y, &v);
    double error[5];
    double speed_error[5];
    double printed[5];
    for (int k = 0; k < 5; k++) {
        const int count = 25 << k;
        pile ball;
        pile_ball(&ball, 1.9, g);
        ball.C[0] = 1.9 * rate;
        const carom_variational_params params = params_of_step(duration / count);
        const double rest = 0.0;
        carom_variational_stepper *stepper =
            start(&ball.mechanism, &params, 0.0, &height, &rest, NULL);
        const carom_variational_result *now = NULL;
        for (int i = 0; i < count; i++) {
            now = advance(stepper);
        }
        ck_assert_ptr_nonnull(now);
        error[k] = fabs(now->position[0] - y);
        speed_error[k] = fabs(now->velocity[0] - v);
        printed[k] =
            fabs(printed_impact(1.9, g, 1.9 * rate, height, duration / count, duration) - y);
        carom_variational_stepper_free(stepper);
    }
    for (int k = 1; k < 5; k++) {
        /* 4 + O(h), and where the impact is within its step changes the constant */
        ck_assert_msg(fabs(error[k - 1] / error[k] - 4.0) < 0.5, "position: %g",
                      error[k - 1] / error[k]);
        ck_assert_msg(fabs(speed_error[k - 1] / speed_error[k] - 4.0) < 0.5, "velocity: %g",
                      speed_error[k - 1] / speed_error[k]);
    }
    /* over four halvings the place in the step averages out: 2^4, not 4^4 */
    ck_assert_msg(printed[0] / printed[4] < 64.0, "%g", printed[0] / printed[4]);
    ck_assert_msg(printed[4] > 10.0 * error[4], "%g beside %g", printed[4], error[4]);
}

/* -------------------------------------------------------------------------------------- chains */

static carom_model *chain(int balls, const double *masses, const double *velocities,
                          const double *gaps, double restitution) {
    const double radii[8] = {0.31, 0.31, 0.31, 0.31, 0.31, 0.31, 0.31, 0.31};
    const carom_ball_chain_params params = {.balls = balls,
                                            .masses = masses,
                                            .radii = radii,
                                            .velocities = velocities,
                                            .gaps = gaps,
                                            .restitution = restitution};
    carom_model *model = NULL;
    assert_ok(carom_ball_chain_alloc(&params, &model, NULL));
    return model;
}

/* Touching or not, whatever the step: the last ball leaves alone with all the speed. The least gap
 * is just more than what counts as none beside the way of the longest step. */
TEST(unit, the_last_ball_of_a_cradle_leaves_alone_whatever_the_step) {
    const double masses[8] = {1.7, 1.7, 1.7, 1.7, 1.7, 1.7, 1.7, 1.7};
    const double speeds[8] = {2.31};
    const double steps[5] = {1e-3, 0.0137, 0.1, 1.0, 17.0};
    const double least = 1.3 * params_of_step(steps[4]).simultaneity * speeds[0] * steps[4];
    const double gaps[2][7] = {{0.03, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0},
                               {0.03, 0.01, 0.02, 1e-5, 0.007, least, 0.013}};
    for (int k = 0; k < 10; k++) {
        const double h = steps[k % 5];
        const bool is_touching = k < 5;
        carom_model *model = chain(8, masses, speeds, gaps[k / 5], 1.0);
        const carom_variational_params params = params_of_step(h);
        carom_variational_stepper *stepper =
            start(&model->mechanism, &params, 0.0, model->initial_position, model->initial_velocity,
                  NULL);
        int hits = 0;
        int reflections = 0;
        const carom_variational_result *now = NULL;
        do {
            now = advance(stepper);
            for (int i = 0; i < now->impact_count; i++) {
                reflections += now->impacts[i].reflection_count;
                ck_assert_int_eq(now->closed[now->impacts[i].first_closed], is_touching ? 0 : hits);
                ck_assert_int_eq(now->reflection[now->impacts[i].first_reflection],
                                 is_touching ? 0 : hits);
                hits++;
            }
        } while (now->time < 0.1);
        ck_assert_int_eq(hits, is_touching ? 1 : 7);
        ck_assert_int_eq(reflections, 7);
        for (int i = 0; i < 8; i++) {
            assert_close(now->velocity[i], i < 7 ? 0.0 : 2.31, 1e-14, 1e-14);
        }
        carom_variational_stepper_free(stepper);
        carom_model_free(model);
    }
}

/* Balls on a line without forces, collided one pair after the other. */
typedef struct collisions {
    int n;
    double x[4]; /* less the diameters */
    double v[4];
    double mass[4];
    double t;
    int count;
} collisions;

static void collide_until(collisions *c, double end) {
    for (;;) {
        int pair = -1;
        double soonest = end - c->t;
        for (int i = 0; i + 1 < c->n; i++) {
            const double closing = c->v[i] - c->v[i + 1];
            const double wait = (c->x[i + 1] - c->x[i]) / closing;
            if (closing > 0.0 && wait < soonest) {
                pair = i;
                soonest = fmax(wait, 0.0);
            }
        }
        for (int i = 0; i < c->n; i++) {
            c->x[i] += soonest * c->v[i];
        }
        c->t += soonest;
        if (pair < 0) {
            return;
        }
        const double a = c->mass[pair];
        const double b = c->mass[pair + 1];
        const double centre = (a * c->v[pair] + b * c->v[pair + 1]) / (a + b);
        c->v[pair] = 2.0 * centre - c->v[pair];
        c->v[pair + 1] = 2.0 * centre - c->v[pair + 1];
        c->count++;
    }
}

TEST(property, chains_with_gaps_collide_pair_by_pair_whatever_the_step) {
    int most = 0;
    for (unsigned long seed = 0; seed < 100; seed++) {
        double masses[4];
        double velocities[4];
        double gaps[3];
        collisions exact = {.n = 4};
        for (unsigned long i = 0; i < 4; i++) {
            masses[i] = 0.2 + 2.0 * carom_counter_uniform(seed, i, 0);
            velocities[i] = 2.0 * carom_counter_uniform(seed, i, 1) - 1.0 - 0.5 * (double)i;
            exact.mass[i] = masses[i];
            exact.v[i] = velocities[i];
            if (i < 3) {
                gaps[i] = 1e-3 + 0.2 * carom_counter_uniform(seed, i, 2);
                exact.x[i + 1] = exact.x[i] + gaps[i];
            }
        }
        carom_model *model = chain(4, masses, velocities, gaps, 1.0);
        carom_variational_params params =
            params_of_step(0.01 + 0.5 * carom_counter_uniform(seed, 0, 3));
        params.most_hits = 1000;
        carom_variational_stepper *stepper =
            start(&model->mechanism, &params, 0.0, model->initial_position, model->initial_velocity,
                  NULL);
        int hits = 0;
        while (carom_variational_stepper_result(stepper)->time < 2.0) {
            const carom_variational_result *now = advance(stepper);
            hits += now->impact_count;
            most = now->impact_count > most ? now->impact_count : most;
            collide_until(&exact, now->time);
            for (int i = 0; i < 4; i++) {
                /* times of impacts, 1e-12/speed, times speeds */
                assert_close(now->velocity[i], exact.v[i], 0.0, 1e-12);
                assert_close(now->position[i] - model->initial_position[i],
                             exact.x[i] - (i == 0   ? 0.0
                                           : i == 1 ? gaps[0]
                                           : i == 2 ? gaps[0] + gaps[1]
                                                    : gaps[0] + gaps[1] + gaps[2]),
                             0.0, 1e-10);
            }
        }
        ck_assert_msg(hits == exact.count, "seed %lu: %d of %d", seed, hits, exact.count);
        carom_variational_stepper_free(stepper);
        carom_model_free(model);
    }
    ck_assert_int_ge(most, 5);
}

/* A onto a resting pair: 1 - R^2 of E_p = 2/3 E is lost, 34 % for R = 0.7. */
TEST(unit, restitution_is_the_root_of_the_energy_that_is_kept) {
    const double masses[3] = {1.0, 1.0, 1.0};
    const double speeds[3] = {1.0, 0.0, 0.0};
    const double gaps[2] = {0.1, 0.0};
    const double R[4] = {1.0, 0.7, 0.31, 0.0};
    for (int k = 0; k < 4; k++) {
        carom_model *model = chain(3, masses, speeds, gaps, R[k]);
        const carom_variational_params params = params_of_step(0.25);
        carom_variational_stepper *stepper =
            start(&model->mechanism, &params, 0.0, model->initial_position, model->initial_velocity,
                  NULL);
        const carom_variational_result *now = advance(stepper);
        ck_assert_int_eq(now->impact_count, 1);
        const double loss = now->impacts[0].energy_before - now->impacts[0].energy_after;
        assert_close(now->impact_loss, loss, 0.0, 1e-15);
        assert_close(now->impacts[0].energy_before, 0.5, 1e-15, 0.0);
        /* (16): R^2 = 1 - dE/E_p */
        assert_close(1.0 - loss / (1.0 / 3.0), R[k] * R[k], 0.0, 1e-12);
        ck_assert(now->impacts[0].is_plastic == (k == 3));
        ck_assert_int_eq(now->impacts[0].reflection_count, k == 3 ? 0 : 2);
        ck_assert(now->is_held[0] == (k == 3) && now->is_held[1] == (k == 3));
        const double third = (1.0 - R[k]) / 3.0;
        assert_close(now->velocity[0], third, 0.0, 1e-15);
        assert_close(now->velocity[1], third, 0.0, 1e-15);
        assert_close(now->velocity[2], third + R[k], 0.0, 1e-15);
        carom_variational_stepper_free(stepper);
        carom_model_free(model);
    }
}

/* Mass ratio 100: 31 reflections, the digits of pi, at once or one after the other. */
TEST(unit, a_wall_and_two_blocks_count_the_digits_of_pi) {
    const double masses[2] = {1.0, 100.0};
    const double starts[2][2] = {{0.0, 0.0}, {0.8, 1.7}};
    for (int is_apart = 0; is_apart < 2; is_apart++) {
        pile blocks;
        pile_blocks(&blocks, 2, masses);
        const double v[2] = {0.0, -1.3};
        carom_variational_params params = params_of_step(0.37);
        params.most_hits = 100;
        carom_variational_stepper *stepper =
            start(&blocks.mechanism, &params, 0.0, starts[is_apart], v, NULL);
        int hits = 0;
        int reflections = 0;
        for (int i = 0; i < 40; i++) {
            const carom_variational_result *now = advance(stepper);
            hits += now->impact_count;
            for (int j = 0; j < now->impact_count; j++) {
                reflections += now->impacts[j].reflection_count;
            }
            /* thirty reflections magnify the rounding of each */
            assert_close(now->kinetic_energy, 0.5 * 100.0 * 1.3 * 1.3, 1e-12, 0.0);
        }
        ck_assert_int_eq(reflections, 31);
        ck_assert_int_eq(hits, is_apart == 1 ? 31 : 1);
        carom_variational_stepper_free(stepper);
    }
}

/* ---------------------------------------------------------------------------- several contacts */

/* Two balls without a common mass above one floor. */
TEST(unit, contacts_that_close_within_the_tolerance_are_one_impact) {
    const double apart[3] = {0.0, 0.8e-9, 3e-9};
    for (int k = 0; k < 3; k++) {
        pile p;
        pile_init(&p, 2, 2);
        p.N[0] = 1.0;
        p.N[3] = 1.0;
        const carom_variational_params params = params_of_step(0.1);
        const double q[2] = {0.05 + apart[k], 0.05};
        const double v[2] = {-1.0, -1.0};
        carom_variational_stepper *stepper = start(&p.mechanism, &params, 0.0, q, v, NULL);
        const carom_variational_result *now = advance(stepper);
        ck_assert_int_eq(now->impact_count, k == 2 ? 2 : 1);
        assert_close(now->impacts[0].time, 0.05, 0.0, EVENT);
        if (k == 2) {
            ck_assert_int_eq(now->closed[0], 1);
            assert_close(now->impacts[1].time - now->impacts[0].time, 3e-9, 0.0, EVENT);
        }
        assert_close(now->velocity[0], 1.0, 1e-14, 0.0);
        assert_close(now->velocity[1], 1.0, 1e-14, 0.0);
        carom_variational_stepper_free(stepper);
    }
}

/* A point in a corner of two walls with unit normals of a cosine; gaps at zero. */
static void corner(pile *p, double cosine) {
    pile_init(p, 2, 2);
    p->N[0] = 1.0;
    p->N[2] = cosine;
    p->N[3] = sqrt(1.0 - cosine * cosine);
}

/* Reference: c = 1/2, (p,u) = -1, (p,v) = -0.2: held impulses (1.2, -0.4), the second pulls. */
TEST(unit, plastic_impacts_hold_or_release_acute_contacts) {
    for (int is_released = 0; is_released < 2; is_released++) {
        pile p;
        corner(&p, 0.5);
        carom_variational_params params = params_of_step(0.1);
        params.most_hits = 0;
        params.plastic_law = is_released == 1 ? CAROM_PROPAGATIVE_RELEASED : CAROM_PROPAGATIVE_HELD;
        const double q[2] = {0.0, 0.0};
        const double v[2] = {-1.0, (-0.2 + 0.5) / sqrt(0.75)};
        carom_variational_stepper *stepper = start(&p.mechanism, &params, 0.0, q, v, NULL);
        const carom_variational_result *now = advance(stepper);
        ck_assert_int_eq(now->impact_count, 1);
        ck_assert(now->impacts[0].is_plastic);
        ck_assert(now->is_held[0] && now->is_held[1] == (is_released == 0));
        assert_close(now->contact_impulse[0], is_released == 1 ? 1.0 : 1.2, 1e-14, 0.0);
        assert_close(now->contact_impulse[1], is_released == 1 ? 0.0 : -0.4, 1e-14, 0.0);
        assert_close(now->gap[0], 0.0, 0.0, 1e-15);
        assert_close(now->gap[1], is_released == 1 ? 0.3 * 0.1 : 0.0, 1e-13, 1e-15);
        carom_variational_stepper_free(stepper);
    }
}

/* The order of reflections matters in an acute corner, and `first` counts the mechanism's
 * contacts: contact 0 here is far away. */
TEST(unit, the_rule_of_the_law_is_that_of_the_parameters) {
    for (int first = 0; first < 3; first++) {
        pile p;
        pile_init(&p, 2, 3);
        p.N[0] = 1.0;
        p.clearance[0] = 10.0;
        p.N[2] = 1.0;
        p.N[4] = 0.6;
        p.N[5] = 0.8;
        carom_variational_params params = params_of_step(0.1);
        params.rule = CAROM_PROPAGATIVE_CYCLIC;
        params.first = first;
        const double q[2] = {0.0, 0.0};
        const double v[2] = {-1.0, -0.9};
        carom_variational_stepper *stepper = start(&p.mechanism, &params, 0.0, q, v, NULL);
        const carom_variational_result *now = advance(stepper);
        ck_assert_int_eq(now->impact_count, 1);
        ck_assert_int_eq(now->reflection[0], first == 2 ? 2 : 1);
        /* p Gamma(u) = p - 2 (p,u) u, by hand */
        double w[2] = {v[0], v[1]};
        for (int i = 0; i < now->impacts[0].reflection_count; i++) {
            const double *u = p.N + 2 * now->reflection[i];
            const double c = w[0] * u[0] + w[1] * u[1];
            ck_assert(c < 0.0);
            w[0] -= 2.0 * c * u[0];
            w[1] -= 2.0 * c * u[1];
        }
        assert_close(now->velocity[0], w[0], 1e-14, 0.0);
        assert_close(now->velocity[1], w[1], 1e-14, 0.0);
        carom_variational_stepper_free(stepper);
    }
}

/* Three oscillators that hit their walls together. */
static void three_oscillators(pile *p) {
    pile_init(p, 3, 3);
    for (int i = 0; i < 3; i++) {
        p->N[3 * i + i] = 1.0;
        p->K[3 * i + i] = 400.0;
    }
}

/* The outcome is unique, the order is not. */
TEST(unit, random_sequences_differ_from_impact_to_impact) {
    pile p;
    three_oscillators(&p);
    carom_variational_params params = params_of_step(0.1);
    params.rule = CAROM_PROPAGATIVE_RANDOM;
    const double zero[3] = {0.0, 0.0, 0.0};
    const double v[3] = {-1.0, -1.0, -1.0};
    carom_variational_stepper *stepper = start(&p.mechanism, &params, 0.0, zero, v, NULL);
    int firsts[3] = {0};
    for (int i = 0; i < 40; i++) {
        const carom_variational_result *now = advance(stepper);
        for (int j = 0; j < now->impact_count; j++) {
            ck_assert_int_eq(now->impacts[j].reflection_count, 3);
            firsts[now->reflection[now->impacts[j].first_reflection]]++;
        }
    }
    ck_assert(firsts[0] > 0 && firsts[1] > 0 && firsts[2] > 0);
    carom_variational_stepper_free(stepper);
}

/* A pile whose force fails from a time on. */
typedef struct pile_that_fails {
    pile p;
    double time; /* s */
} pile_that_fails;

static void force_that_fails(double t, const double *q, const double *v, double *f, void *context) {
    const pile_that_fails *failing = context;
    pile_force(t, q, v, f, context);
    f[0] = t > failing->time ? (double)NAN : f[0];
}

/* The flight after an impact is read later than the middle of the step: it fails, the impact having
 * taken its random turn. */
TEST(unit, a_step_that_failed_is_taken_with_the_same_random_sequences) {
    pile p;
    three_oscillators(&p);
    pile_that_fails failing;
    three_oscillators(&failing.p);
    failing.p.mechanism.context = &failing;
    failing.p.mechanism.force = force_that_fails;
    failing.time = HUGE_VAL;
    carom_variational_params params = params_of_step(0.07);
    params.rule = CAROM_PROPAGATIVE_RANDOM;
    const double zero[3] = {0.0, 0.0, 0.0};
    const double v[3] = {-1.0, -1.0, -1.0};
    carom_variational_stepper *one = start(&p.mechanism, &params, 0.0, zero, v, NULL);
    carom_variational_stepper *other = start(&failing.p.mechanism, &params, 0.0, zero, v, NULL);
    int failures = 0;
    for (int i = 0; i < 40; i++) {
        failing.time = ((double)i + 0.5) * params.step + 1e-6;
        if (carom_variational_stepper_advance(other, NULL) != CAROM_OK) {
            failures++;
            failing.time = HUGE_VAL;
            (void)advance(other);
        }
        const carom_variational_result *expected = advance(one);
        const carom_variational_result *now = carom_variational_stepper_result(other);
        ck_assert_int_eq(now->impact_count, expected->impact_count);
        for (int j = 0; j < 3 * now->impact_count; j++) {
            ck_assert_int_eq(now->reflection[j], expected->reflection[j]);
        }
    }
    ck_assert_int_ge(failures, 5);
    carom_variational_stepper_free(one);
    carom_variational_stepper_free(other);
}

/* Both tips of the robot with orthogonal normals touch at once, sqrt(2 17/981) after the start. */
TEST(unit, the_robot_lands_on_foot_and_tail_in_one_impact) {
    const carom_trex_params robot = robot_with_both_tips_down();
    carom_model *model = NULL;
    assert_ok(carom_trex_alloc(&robot, &model, NULL));
    const carom_variational_params params = params_of_step(1e-3);
    carom_variational_stepper *stepper = start(
        &model->mechanism, &params, 0.0, model->initial_position, model->initial_velocity, NULL);
    const carom_variational_result *now = NULL;
    do {
        now = advance(stepper);
    } while (now->impact_count == 0);
    assert_close(now->impacts[0].time, 0.18616796642, 0.0, 5.1e-12);
    assert_close(now->impacts[0].time, sqrt(2.0 * 17.0 / 981.0), 0.0, 1e-12);
    ck_assert_int_eq(now->impacts[0].closed_count, 2);
    ck_assert_int_eq(now->closed[0], CAROM_TREX_RIGHT_FOOT);
    ck_assert_int_eq(now->closed[1], CAROM_TREX_TAIL_TIP);
    ck_assert_int_eq(now->impacts[0].reflection_count, 2);
    assert_close(now->impacts[0].energy_after, now->impacts[0].energy_before, 1e-12, 0.0);
    assert_close(now->time, 0.187, 1e-14, 0.0);
    carom_variational_stepper_free(stepper);
    carom_model_free(model);
}

/* Each impact takes a flight to the end, three or four trials towards it, and one more of a contact
 * that rises before; a trial takes one to four iterations. Brent's method alone takes fifty.
 */
TEST(unit, impacts_of_the_robot_are_found_in_few_iterations) {
    const carom_trex_params robot = carom_trex_params_default();
    carom_model *model = NULL;
    assert_ok(carom_trex_alloc(&robot, &model, NULL));
    const carom_variational_params params = params_of_step(1e-3);
    carom_variational_stepper *stepper = start(
        &model->mechanism, &params, 0.0, model->initial_position, model->initial_velocity, NULL);
    int impacts = 0;
    int iterations = 0;
    for (int i = 0; i < 280; i++) {
        const carom_variational_result *now = advance(stepper);
        impacts += now->impact_count;
        iterations += now->impact_count > 0 ? now->iterations : 0;
    }
    ck_assert_int_gt(impacts, 50);
    ck_assert_msg(iterations <= 20 * impacts, "%d for %d impacts", iterations, impacts);
    carom_variational_stepper_free(stepper);
    carom_model_free(model);
}

/* ------------------------------------------------------------------------------------ properties
 */

/* One impact without forces: p+ - p- = N' impulses, all impulses >= 0, the energy kept, so that
 * the momentum along what is tangent to all closed contacts is. */
TEST(property, impacts_keep_energy_and_tangential_momentum) {
    for (unsigned long seed = 0; seed < 200; seed++) {
        const int n = 2 + (int)(seed % 5);
        const int m = 1 + (int)(seed % 4);
        pile p;
        random_pile(&p, seed, n, m);
        p.mechanism.stiffness = NULL;
        memset(p.K, 0, sizeof p.K);
        memset(p.load, 0, sizeof p.load);
        double v[PILE_COORDINATES];
        const double q[PILE_COORDINATES] = {0.0};
        for (int i = 0; i < n; i++) {
            v[i] = 2.0 * carom_counter_uniform(seed, (unsigned long)i, 3) - 1.0 - (i == 0);
        }
        carom_variational_params params = params_of_step(0.4);
        params.most_hits = 1000;
        carom_variational_stepper *stepper = start(&p.mechanism, &params, 0.0, q, v, NULL);
        const double before = carom_variational_stepper_result(stepper)->kinetic_energy;
        double momentum[PILE_COORDINATES];
        memcpy(momentum, carom_variational_stepper_result(stepper)->momentum,
               (size_t)n * sizeof(double));
        const carom_variational_result *now = advance(stepper);
        assert_close(now->kinetic_energy, before, 1e-12, 0.0);
        for (int j = 0; j < n; j++) {
            for (int i = 0; i < m; i++) {
                momentum[j] += p.N[i * n + j] * now->contact_impulse[i];
            }
            assert_close(now->momentum[j], momentum[j], 1e-13, 1e-13);
        }
        for (int i = 0; i < m; i++) {
            ck_assert(now->contact_impulse[i] >= 0.0);
            ck_assert(now->gap[i] >= -1e-12);
        }
        carom_variational_stepper_free(stepper);
    }
}

TEST(property, two_runs_are_alike_to_the_bit) {
    pile p;
    random_pile(&p, 7, 4, 4);
    const double q[4] = {0.0};
    const double v[4] = {-0.7, 0.2, 0.4, -0.3};
    const carom_variational_params params = params_of_step(0.02);
    carom_variational_stepper *one = start(&p.mechanism, &params, 0.0, q, v, NULL);
    carom_variational_stepper *other = start(&p.mechanism, &params, 0.0, q, v, NULL);
    for (int k = 0; k < 100; k++) {
        const carom_variational_result *a = advance(one);
        const carom_variational_result *b = advance(other);
        for (int i = 0; i < 4; i++) {
            assert_close(a->position[i], b->position[i], 0.0, 0.0);
            assert_close(a->momentum[i], b->momentum[i], 0.0, 0.0);
            assert_close(a->contact_impulse[i], b->contact_impulse[i], 0.0, 0.0);
        }
        ck_assert_int_eq(a->impact_count, b->impact_count);
    }
    carom_variational_stepper_free(one);
    carom_variational_stepper_free(other);
}
