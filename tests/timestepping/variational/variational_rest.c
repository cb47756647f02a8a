/* carom/timestepping/variational/variational.h: contacts that come to rest, are held and
 * released, and what rounding makes of contacts far from the origin. */
#include <carom/timestepping/variational/step_internal.h>

#include "variational_stepping.h"

#include <float.h>
#include <gsl/gsl_math.h>

/* ------------------------------------------------------------------------- contacts at rest */

/* Bounces shrink by R: at rest after t_1 (1 + R)/(1 - R), then held by its weight. */
TEST(unit, a_ball_that_bounces_ever_less_comes_to_rest_and_is_held) {
    const double g = 9.81;
    const double height = 0.4;
    pile ball;
    pile_ball(&ball, 2.385, g);
    const carom_variational_params params = params_of_step(1.3e-3);
    pile_restitute(&ball, 0.5);
    const double rest = 0.0;
    carom_variational_stepper *stepper = start(&ball.mechanism, &params, 0.0, &height, &rest, NULL);
    const double end = 3.0 * sqrt(2.0 * height / g);
    double lost = 0.0;
    int plastic = 0;
    const carom_variational_result *now = NULL;
    for (int i = 0; i < 2000; i++) {
        now = advance(stepper);
        lost += now->impact_loss;
        for (int j = 0; j < now->impact_count; j++) {
            plastic += now->impacts[j].is_plastic;
            ck_assert_int_eq(now->impacts[j].is_plastic, j == 2);
            ck_assert_int_eq(now->impacts[j].reflection_count, j == 2 ? 0 : 1);
        }
        /* it may be plastic before, by the little that bounces within a step reach */
        ck_assert(now->is_held[0] || now->time < end);
        if (now->is_held[0] && now->time > end) {
            assert_close(now->holding_impulse[0], 2.385 * g * params.step, 1e-12, 0.0);
            assert_close(now->contact_impulse[0], now->holding_impulse[0], 1e-15, 0.0);
            assert_close(now->position[0], 0.0, 0.0, 1e-12);
            assert_close(now->velocity[0], 0.0, 0.0, 1e-12);
            ck_assert_int_eq(now->impact_count, 0);
        }
    }
    ck_assert_int_eq(plastic, 1);
    /* up to what a bounce of a step is worth: (g h)^2/2 */
    assert_close(lost, 2.385 * g * height, 0.0, 2.385 * gsl_pow_2(g * params.step));
    carom_variational_stepper_free(stepper);
}

/* A spring presses it to the wall so strongly that the third hit comes within the step. */
TEST(unit, elastic_chatter_becomes_plastic_and_ends) {
    for (int most_hits = 0; most_hits < 5; most_hits++) {
        pile ball;
        pile_ball(&ball, 0.5, 0.0);
        ball.K[0] = 2e4;
        ball.load[0] = -1e3;
        carom_variational_params params = params_of_step(1e-2);
        params.most_hits = most_hits;
        const double q = 1e-4;
        const double rest = 0.0;
        carom_variational_stepper *stepper = start(&ball.mechanism, &params, 0.0, &q, &rest, NULL);
        const carom_variational_result *now = advance(stepper);
        ck_assert_int_eq(now->impact_count, most_hits + 1);
        for (int j = 0; j <= most_hits; j++) {
            ck_assert(now->impacts[j].is_plastic == (j == most_hits));
        }
        ck_assert(now->is_held[0]);
        /* the kinetic energy of the fall, constant through the bounces before */
        assert_close(now->impact_loss, 1e3 * 1e-4 + 0.5 * 2e4 * 1e-8, 5e-2, 0.0);
        const double held = now->impacts[most_hits].time;
        assert_close(now->holding_impulse[0], 1e3 * (params.step - held), 1e-11, 0.0);
        assert_close(advance(stepper)->holding_impulse[0], 1e3 * params.step, 1e-12, 0.0);
        carom_variational_stepper_free(stepper);
    }
}

TEST(unit, a_contact_at_rest_is_held_if_something_presses_it) {
    const double gravities[3] = {9.81, 0.0, -9.81};
    for (int k = 0; k < 3; k++) {
        pile ball;
        pile_ball(&ball, 2.385, gravities[k]);
        const carom_variational_params params = params_of_step(0.01);
        const double zero = 0.0;
        carom_variational_stepper *stepper =
            start(&ball.mechanism, &params, 0.0, &zero, &zero, NULL);
        for (int i = 1; i <= 20; i++) {
            const carom_variational_result *now = advance(stepper);
            ck_assert_int_eq(now->impact_count, 0);
            ck_assert(now->is_held[0] == (k == 0));
            assert_close(now->holding_impulse[0], k == 0 ? 2.385 * 9.81 * 0.01 : 0.0, 1e-13, 0.0);
            const double lift = k < 2 ? 0.0 : 0.5 * 9.81 * gsl_pow_2(0.01 * i);
            assert_close(now->position[0], lift, 1e-13, 1e-18);
        }
        carom_variational_stepper_free(stepper);
    }
}

/* Lower mass on the floor, upper on a spring above it, started with the spring extended so that it
 * lifts the lower one: released when the pull is its weight. */
TEST(unit, a_held_contact_is_released_when_it_is_pulled_up) {
    const double upper = 1.37;
    const double lower = 0.62;
    const double k = 310.0;
    const double g = 9.81;
    const double steps[2] = {2e-4, 1e-4};
    for (int is_fine = 0; is_fine < 2; is_fine++) {
        pile hopper;
        pile_init(&hopper, 2, 1);
        hopper.M[0] = upper;
        hopper.M[3] = lower;
        hopper.K[0] = k;
        hopper.K[1] = -k;
        hopper.K[2] = -k;
        hopper.K[3] = k;
        hopper.load[0] = -upper * g;
        hopper.load[1] = -lower * g;
        hopper.N[1] = 1.0;
        const carom_variational_params params = params_of_step(steps[is_fine]);
        const double q[2] = {-2.5 * (upper + lower) * g / k, 0.0};
        const double v[2] = {0.0, 0.0};
        const bool held[1] = {true};
        carom_variational_stepper *stepper = start(&hopper.mechanism, &params, 0.0, q, v, held);
        ck_assert(carom_variational_stepper_result(stepper)->is_held[0]);
        const carom_variational_result *now = NULL;
        do {
            now = advance(stepper);
            ck_assert_int_eq(now->impact_count, 0);
            if (now->is_held[0]) {
                assert_close(now->position[1], 0.0, 0.0, 1e-12);
                ck_assert(now->holding_impulse[0] > 0.0);
            }
        } while (now->is_held[0]);
        /* x + upper g/k = A cos(w t), k x = lower g */
        const double A = q[0] + upper * g / k;
        const double released = acos((lower + upper) * g / k / A) / sqrt(k / upper);
        assert_close(now->time, released, 0.0, 2.0 * params.step);
        ck_assert(now->gap[0] >= 0.0);
        for (int i = 0; i < 50; i++) {
            now = advance(stepper);
        }
        ck_assert(now->gap[0] > 0.0 && !now->is_held[0]);
        assert_close(now->contact_impulse[0], 0.0, 0.0, 0.0);
        carom_variational_stepper_free(stepper);
    }
}

/* An elastic impact leaves a held contact held only if it does not set it in motion. */
TEST(unit, an_impact_lifts_held_contacts_that_it_moves) {
    /* block 0 rests at the wall, pressed; ball 1 hits it: the pair of unequal masses moves off.
     * Block 2 is held by its weight beside them, without a part in it. */
    pile p;
    pile_init(&p, 3, 3);
    p.M[0] = 3.1;
    p.M[4] = 1.2;
    p.M[8] = 0.7;
    p.load[0] = -0.5;
    p.load[2] = -0.7 * 9.81;
    p.N[0] = 1.0;
    p.N[3] = -1.0;
    p.N[4] = 1.0;
    p.N[8] = 1.0;
    const carom_variational_params params = params_of_step(0.02);
    const double q[3] = {0.0, 0.01, 0.0};
    const double v[3] = {0.0, -1.0, 0.0};
    const bool held[3] = {true, false, true};
    carom_variational_stepper *stepper = start(&p.mechanism, &params, 0.0, q, v, held);
    const carom_variational_result *now = advance(stepper);
    ck_assert_int_eq(now->impact_count, 1);
    ck_assert_int_eq(now->impacts[0].closed_count, 3);
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(now->closed[i], i);
    }
    ck_assert(!now->is_held[0] && !now->is_held[1] && now->is_held[2]);
    ck_assert(now->velocity[0] > 0.0);
    /* held over both parts of the step, block 0 over the first alone */
    assert_close(now->impacts[0].time, 0.01, 0.0, EVENT);
    assert_close(now->holding_impulse[2], 0.7 * 9.81 * 0.02, 1e-12, 0.0);
    assert_close(now->contact_impulse[2], 0.7 * 9.81 * 0.02, 1e-12, 0.0);
    assert_close(now->holding_impulse[0], 0.5 * 0.01, 1e-11, 0.0);
    ck_assert(now->contact_impulse[0] > now->holding_impulse[0]);
    assert_close(now->impacts[0].energy_after, now->impacts[0].energy_before, 1e-14, 0.0);
    carom_variational_stepper_free(stepper);
}

/* Pressed so strongly that it comes back within the step: it is not held in between. */
TEST(unit, a_held_contact_that_an_impact_lifts_flies_and_hits_again) {
    pile p;
    pile_init(&p, 2, 2);
    p.M[0] = 3.1;
    p.M[3] = 1.2;
    p.load[0] = -400.0;
    p.N[0] = 1.0;
    p.N[2] = -1.0;
    p.N[3] = 1.0;
    carom_variational_params params = params_of_step(0.02);
    params.most_hits = 50;
    const double q[2] = {0.0, 1e-3};
    const double v[2] = {0.0, -1.0};
    const bool held[2] = {true, false};
    carom_variational_stepper *stepper = start(&p.mechanism, &params, 0.0, q, v, held);
    const carom_variational_result *now = advance(stepper);
    ck_assert_int_ge(now->impact_count, 2);
    ck_assert(!now->is_held[0]);
    assert_close(now->holding_impulse[0], 400.0 * 1e-3, 1e-10, 0.0);
    /* constant forces: the midpoint rule keeps the energy */
    assert_close(now->kinetic_energy + now->potential_energy, 0.5 * 1.2, 1e-11, 0.0);
    carom_variational_stepper_free(stepper);
}

static void force_that_grows(double t, const double *q, const double *v, double *f, void *context) {
    (void)q;
    (void)v;
    (void)context;
    f[0] = 3.0 * t;
}

/* f = 3 t: p = p0 + 3 t^2/2, reflected at the impact, exact for the midpoint rule. */
TEST(unit, forces_know_the_time_within_the_step) {
    pile ball;
    pile_ball(&ball, 1.0, 0.0);
    ball.mechanism.force = force_that_grows;
    const carom_variational_params params = params_of_step(0.5);
    const double q = 0.3;
    const double v = -2.0;
    carom_variational_stepper *stepper = start(&ball.mechanism, &params, 1.0, &q, &v, NULL);
    const carom_variational_result *now = advance(stepper);
    ck_assert_int_eq(now->impact_count, 1);
    const double t = now->impacts[0].time;
    const double before = -2.0 + 1.5 * (t * t - 1.0);
    assert_close(now->momentum[0], -before + 1.5 * (1.5 * 1.5 - t * t), 1e-13, 0.0);
    carom_variational_stepper_free(stepper);
}

static void force_that_presses_and_then_pulls(double t, const double *q, const double *v, double *f,
                                              void *context) {
    (void)q;
    (void)v;
    (void)context;
    f[0] = t < 0.03 ? -1.0 : 10.0;
}

/* A body on the floor under a ceiling. To the end of the step it is pulled (read at the middle) and
 * would hit the ceiling, over less than 0.06 s it is pressed: the gap jumps with the length. */
TEST(unit, a_release_that_depends_on_the_length_is_no_impact) {
    pile p;
    pile_init(&p, 1, 2);
    p.mechanism.force = force_that_presses_and_then_pulls;
    p.mechanism.is_linear = false;
    p.N[0] = 1.0;
    p.N[1] = -1.0;
    p.clearance[1] = 0.01;
    const carom_variational_params params = params_of_step(0.1);
    const double zero = 0.0;
    const bool held[2] = {true, false};
    carom_variational_stepper *stepper = start(&p.mechanism, &params, 0.0, &zero, &zero, held);
    const carom_variational_result *now = advance(stepper);
    ck_assert_int_eq(now->impact_count, 0);
    ck_assert(!now->is_held[0] && !now->is_held[1]);
    assert_close(now->position[0], 0.5 * 10.0 * 0.04 * 0.04, 1e-12, 0.0);
    assert_close(now->velocity[0], 10.0 * 0.04, 1e-12, 0.0);
    carom_variational_stepper_free(stepper);
}

/* A block slides on the floor while something else hits within the step: mu m g h, in two parts. */
TEST(unit, impulses_of_a_step_are_those_of_its_parts_together) {
    pile p;
    pile_init(&p, 3, 2);
    p.mechanism.tangent_count = 1;
    p.mechanism.tangential_jacobian = pile_tangents;
    p.mechanism.friction = p.friction;
    p.M[0] = 2.0;
    p.M[4] = 2.0;
    p.M[8] = 0.3;
    p.load[1] = -2.0 * 9.81;
    p.N[1] = 1.0;
    p.N[5] = 1.0;
    p.H[0] = 1.0;
    p.friction[0] = 0.4;
    const carom_variational_params params = params_of_step(0.05);
    const double q[3] = {0.0, 0.0, 0.02};
    const double v[3] = {1.5, 0.0, -1.0};
    const bool held[2] = {true, false};
    carom_variational_stepper *stepper = start(&p.mechanism, &params, 0.0, q, v, held);
    const carom_variational_result *now = advance(stepper);
    ck_assert_int_eq(now->impact_count, 1);
    assert_close(now->friction_impulse[0], -0.4 * 2.0 * 9.81 * 0.05, 1e-12, 0.0);
    assert_close(now->friction_impulse[1], 0.0, 0.0, 0.0);
    const double end = 1.5 - 0.4 * 9.81 * 0.05;
    assert_close(now->velocity[0], end, 1e-12, 0.0);
    assert_close(now->friction_work, 1.5 * 1.5 - end * end, 1e-12, 0.0);
    assert_close(now->holding_impulse[0], 2.0 * 9.81 * 0.05, 1e-12, 0.0);
    assert_close(now->contact_impulse[1], 2.0 * 0.3, 1e-12, 0.0);
    carom_variational_stepper_free(stepper);
}

/* --------------------------------------------------------------------------- far from the origin
 */

/** Origins, m, and units of length, of a metre. */
enum { PLACES = 5 };
static const double ORIGIN[PLACES] = {0.0, 1e3, 1e6, 0.0, 1e3};
static const double UNIT[PLACES] = {1.0, 1.0, 1.0, 1e3, 1e3};

/* What rounding leaves of gaps whose slopes add up to one: 8 epsilon of the coordinates, and of the
 * up to three metres that they move. */
static double tolerance_at(int place) {
    return fmax(1e-12, 8.0 * DBL_EPSILON * (ORIGIN[place] + 3.0) * UNIT[place]);
}

/* The same masses, springs and walls about another origin and in another unit of length. */
static void move(pile *p, int place) {
    for (int i = 0; i < p->n; i++) {
        p->load[i] *= UNIT[place];
        for (int j = 0; j < p->n; j++) {
            p->load[i] += p->K[i * p->n + j] * ORIGIN[place] * UNIT[place];
        }
    }
    for (int i = 0; i < p->m; i++) {
        p->clearance[i] *= UNIT[place];
        for (int j = 0; j < p->n; j++) {
            p->clearance[i] -= p->N[i * p->n + j] * ORIGIN[place] * UNIT[place];
        }
    }
}

TEST(unit, a_ball_far_from_the_origin_bounces_and_comes_to_rest) {
    const double g = 9.81;
    for (int place = 0; place < PLACES; place++) {
        pile ball;
        pile_ball(&ball, 2.385, g);
        move(&ball, place);
        const double floor = -ball.clearance[0];
        const double q = floor + 0.4 * UNIT[place];
        const double fall = sqrt(2.0 * (q - floor) / (g * UNIT[place]));
        const double rest = 0.0;
        const carom_variational_params params = params_of_step(1.3e-3);
        pile_restitute(&ball, 0.5);
        carom_variational_stepper *stepper = start(&ball.mechanism, &params, 0.0, &q, &rest, NULL);
        double first = 0.0;
        const carom_variational_result *now = carom_variational_stepper_result(stepper);
        while (now->time < 3.1 * fall) {
            now = advance(stepper);
            first = now->impact_count > 0 && !(first > 0.0) ? now->impacts[0].time : first;
            ck_assert(now->gap[0] >= -tolerance_at(place));
        }
        /* as exact as the gap, and as the place that each step rounds, over the speed */
        const double gap = tolerance_at(place) * (1.0 + 0.125 * fall / params.step) / UNIT[place];
        assert_close(first, fall, 1e-13, gap / (g * fall));
        ck_assert(now->is_held[0] && now->impact_count == 0);
        ck_assert(fabs(now->gap[0]) <= tolerance_at(place));
        assert_close(now->holding_impulse[0], 2.385 * g * UNIT[place] * params.step, 1e-11, 0.0);
        carom_variational_stepper_free(stepper);
    }
}

/* Two balls above one floor, one of them 1.4e-9 higher: at 1e6 m that is no difference. */
TEST(unit, contacts_are_simultaneous_up_to_their_rounding) {
    for (int place = 0; place < 3; place++) {
        pile p;
        pile_init(&p, 2, 2);
        p.N[0] = 1.0;
        p.N[3] = 1.0;
        move(&p, place);
        const double q[2] = {ORIGIN[place] + 0.05 + 1.4e-9, ORIGIN[place] + 0.05};
        const double v[2] = {-1.0, -1.0};
        const carom_variational_params params = params_of_step(0.1);
        carom_variational_stepper *stepper = start(&p.mechanism, &params, 0.0, q, v, NULL);
        ck_assert_int_eq(advance(stepper)->impact_count, place == 2 ? 1 : 2);
        ck_assert_int_eq(carom_variational_stepper_result(stepper)->impacts[0].closed_count,
                         place == 2 ? 2 : 1);
        carom_variational_stepper_free(stepper);
    }
}

/* In a step of 1 ms weight closes 9.81e-6 m of a gap. Of this a penetration may have 1e-11, a held
 * contact may be 1e-6 off, both the rounding there if that is more: 8 epsilon 1e6 m = 1.78e-9 m. */
TEST(unit, a_start_penetrates_by_more_than_rounding) {
    const double gaps[8] = {-0.9e-16, -1.1e-16, -0.9e-11, -1.1e-11,
                            1.1e-11,  -1.6e-9,  -2.0e-9,  1.6e-9};
    for (int k = 0; k < 8; k++) {
        for (int place = 0; place < 3; place += 2) {
            for (int is_held = 0; is_held < 2; is_held++) {
                pile ball;
                pile_ball(&ball, 1.0, 9.81);
                move(&ball, place);
                const double q = ORIGIN[place] + gaps[k];
                const double v = 0.0;
                const bool held = is_held == 1;
                const carom_variational_params params = params_of_step(1e-3);
                carom_variational_stepper *stepper = make_stepper(&ball.mechanism, &params);
                const double most = place == 2 ? 1.78e-9 : is_held == 1 ? 9.81e-12 : 9.81e-17;
                const carom_status expected = gaps[k] < -most          ? CAROM_STATUS_PENETRATION
                                              : held && gaps[k] > most ? CAROM_STATUS_CONFLICT
                                                                       : CAROM_OK;
                ck_assert_int_eq(carom_variational_stepper_start(stepper, 0.0, &q, &v, &held, NULL),
                                 expected);
                carom_variational_stepper_free(stepper);
            }
        }
    }
}

/* From the origin to a wall at 1e6 m, within one step or after some: a single event each. */
TEST(unit, a_ball_that_flies_far_hits_up_to_the_rounding_there) {
    for (unsigned long seed = 0; seed < 40; seed++) {
        pile p;
        pile_init(&p, 2, 1);
        double v[2];
        double approach = 0.0;
        for (int i = 0; i < 2; i++) {
            p.N[i] = 0.5 + carom_counter_uniform(seed, (unsigned long)i, 0);
            v[i] = -1e6 * (0.5 + carom_counter_uniform(seed, (unsigned long)i, 1));
            approach += p.N[i] * v[i];
        }
        p.clearance[0] = 1e6;
        const double q[2] = {0.0, 0.0};
        const double flight = -1e6 / approach;
        carom_variational_params params = params_of_step(seed % 2 == 0 ? 5.0 : 0.0117);
        params.most_events = 1;
        carom_variational_stepper *stepper = start(&p.mechanism, &params, 0.0, q, v, NULL);
        int impacts = 0;
        const carom_variational_result *now = NULL;
        do {
            now = advance(stepper);
            for (int j = 0; j < now->impact_count; j++) {
                /* half an ulp of each of up to 400 steps */
                assert_close(now->impacts[j].time, flight, 400.0 * DBL_EPSILON, 0.0);
                impacts++;
            }
        } while (now->time < 4.5);
        ck_assert_int_eq(impacts, 1);
        assert_close(p.N[0] * now->velocity[0] + p.N[1] * now->velocity[1], -approach, 1e-14, 0.0);
        carom_variational_stepper_free(stepper);
    }
}

/* ------------------------------------------------------------------------------------ properties
 */

/* Whatever falls onto whatever walls: no step fails, nothing penetrates, and energies add up. */
TEST(property, no_step_stalls_and_nothing_penetrates) {
    int held = 0;
    int plastic = 0;
    for (unsigned long seed = 0; seed < 60; seed++) {
        const int n = 1 + (int)(seed % 5);
        const int m = 1 + (int)(seed % 6);
        pile p;
        random_pile(&p, seed, n, m);
        double v[PILE_COORDINATES];
        const double q[PILE_COORDINATES] = {0.0};
        for (int i = 0; i < n; i++) {
            v[i] = 2.0 * carom_counter_uniform(seed, (unsigned long)i, 3) - 1.0;
        }
        carom_variational_params params = params_of_step(0.02);
        pile_restitute(&p, seed % 3 == 0 ? 1.0 : 0.6);
        params.plastic_law = seed % 2 == 0 ? CAROM_PROPAGATIVE_HELD : CAROM_PROPAGATIVE_RELEASED;
        carom_variational_stepper *stepper = start(&p.mechanism, &params, 0.0, q, v, NULL);
        double energy = carom_variational_stepper_result(stepper)->kinetic_energy +
                        carom_variational_stepper_result(stepper)->potential_energy;
        for (int k = 0; k < 150; k++) {
            carom_report report = carom_report_empty();
            const carom_status status = carom_variational_stepper_advance(stepper, &report);
            ck_assert_msg(status == CAROM_OK, "seed %lu, step %d: %s %s %g of %d", seed, k,
                          carom_status_name(status),
                          report.quantity == NULL ? "?" : report.quantity, report.value,
                          report.index);
            const carom_variational_result *now = carom_variational_stepper_result(stepper);
            for (int i = 0; i < m; i++) {
                ck_assert_msg(now->gap[i] >= -1e-12, "seed %lu, step %d: gap %g", seed, k,
                              now->gap[i]);
                ck_assert(!now->is_held[i] || now->gap[i] <= 1e-12);
                held += now->is_held[i];
            }
            for (int j = 0; j < now->impact_count; j++) {
                const carom_variational_impact *impact = &now->impacts[j];
                plastic += impact->is_plastic;
                ck_assert(impact->energy_after <= impact->energy_before + 1e-12);
                ck_assert(seed % 3 != 0 || impact->is_plastic ||
                          fabs(impact->energy_after - impact->energy_before) <= 1e-12);
            }
            /* affine forces: the midpoint rule keeps quadratic energies between the impacts but for
             * the projection of held momenta, which takes a little */
            const double left = now->kinetic_energy + now->potential_energy + now->impact_loss;
            ck_assert_msg(left <= energy + 1e-9, "seed %lu, step %d: %.17g > %.17g", seed, k, left,
                          energy);
            energy = now->kinetic_energy + now->potential_energy;
        }
        carom_variational_stepper_free(stepper);
    }
    ck_assert_int_gt(held, 100);
    ck_assert_int_gt(plastic, 10);
}

/* Wherever a pile is and in whatever unit, it does the same in the first half a second, up to the
 * roundings of 25 steps and what impacts make of them; it goes on without a failure. */
TEST(property, piles_far_from_the_origin_do_the_same) {
    int held = 0;
    int impacts = 0;
    for (unsigned long seed = 0; seed < 40; seed++) {
        const int n = 1 + (int)(seed % 5);
        const int m = 1 + (int)(seed % 6);
        double near[PILE_COORDINATES] = {0.0};
        for (int place = 0; place < PLACES; place++) {
            pile p;
            random_pile(&p, seed, n, m);
            move(&p, place);
            double q[PILE_COORDINATES];
            double v[PILE_COORDINATES];
            for (int i = 0; i < n; i++) {
                q[i] = ORIGIN[place] * UNIT[place];
                v[i] = UNIT[place] * (2.0 * carom_counter_uniform(seed, (unsigned long)i, 3) - 1.0);
            }
            const carom_variational_params params = params_of_step(0.02);
            pile_restitute(&p, seed % 3 == 0 ? 1.0 : 0.6);
            carom_variational_stepper *stepper = start(&p.mechanism, &params, 0.0, q, v, NULL);
            for (int k = 0; k < 100; k++) {
                const carom_variational_result *now = advance(stepper);
                impacts += now->impact_count;
                for (int i = 0; i < m; i++) {
                    /* slopes of a gap add up to at most n */
                    ck_assert(now->gap[i] >= -n * tolerance_at(place));
                    held += now->is_held[i];
                }
                for (int j = 0; j < n && k == 24; j++) {
                    const double x = now->position[j] / UNIT[place] - ORIGIN[place];
                    near[j] = place == 0 ? x : near[j];
                    assert_close(x, near[j], 0.0, 30.0 * tolerance_at(place) / UNIT[place]);
                }
            }
            carom_variational_stepper_free(stepper);
        }
    }
    ck_assert_int_gt(held, 1000);
    ck_assert_int_gt(impacts, 1000);
}

/** A body of 1 kg without rotation in the plane, pressed by 10 N into a wedge of `count` walls,
 * normals [count] at angles from the vertical, with friction. */
static void make_wedge(pile *p, int count, const double *angle, const double *friction) {
    pile_init(p, 2, count);
    p->load[1] = -10.0;
    for (int i = 0; i < count; i++) {
        p->N[2 * i] = sin(angle[i]);
        p->N[2 * i + 1] = cos(angle[i]);
        p->H[2 * i] = cos(angle[i]);
        p->H[2 * i + 1] = -sin(angle[i]);
        p->friction[i] = friction[i];
    }
    p->mechanism.friction = p->friction;
    p->mechanism.tangent_count = 1;
    p->mechanism.tangential_jacobian = pile_tangents;
}

/** Both halves push and keep their cones; impulses of a step of 10 ms, 0.1 N s. */
static void assert_pushes(const carom_variational_step *step, const double *friction, int count) {
    const double tolerance = 1e-13;
    for (int i = 0; i < count; i++) {
        ck_assert_double_ge(step->first_impulse[i], -tolerance);
        ck_assert_double_ge(step->last_impulse[i], -tolerance);
        ck_assert_double_le(fabs(step->first_friction[i]),
                            friction[i] * step->first_impulse[i] + tolerance);
        ck_assert_double_le(fabs(step->last_friction[i]),
                            friction[i] * step->last_impulse[i] + tolerance);
    }
}

/* More contacts than coordinates: their load can be shared in many ways, and that of least norm may
 * ask a contact to pull in the second half although all push in the first. */
TEST(unit, a_body_that_rests_in_a_wedge_is_pushed_by_all_walls) {
    const double angle[3] = {atan2(-0.8, 0.6), atan2(-0.6, 0.8), atan2(0.6, 0.8)};
    const double friction[3] = {0.2, 0.1, 0.75};
    pile body;
    make_wedge(&body, 3, angle, friction);
    const carom_variational_step_params params = carom_variational_step_params_default();
    carom_variational_step *step = NULL;
    assert_ok(carom_variational_step_alloc(&body.mechanism, &params, &step, NULL));
    double q[2] = {0.0, 0.0};
    double p[2] = {0.0, 0.0};
    const bool held[3] = {true, true, true};
    for (int k = 0; k < 5; k++) {
        assert_ok(carom_variational_step_solve(step, 0.01 * k, q, p, 0.01, held, NULL));
        assert_pushes(step, friction, 3);
        double vertical = 0.0;
        for (int i = 0; i < 3; i++) {
            vertical +=
                step->normal_impulse[i] * cos(angle[i]) - step->friction_impulse[i] * sin(angle[i]);
        }
        assert_close(vertical, 0.01 * 10.0, 1e-12, 0.0);
        memcpy(q, step->position, sizeof q);
        memcpy(p, step->momentum, sizeof p);
        assert_close(hypot(q[0], q[1]) + hypot(p[0], p[1]), 0.0, 0.0, 1e-14);
    }
    carom_variational_step_free(step);
}

TEST(property, bodies_at_rest_are_pushed_and_have_no_impacts) {
    int resting = 0;
    for (unsigned long sample = 0; sample < 300; sample++) {
        const int count = 2 + (int)(sample % 3);
        double angle[PILE_CONTACTS] = {0.0};
        double friction[PILE_CONTACTS] = {0.0};
        for (int i = 0; i < count; i++) {
            const unsigned long k = (unsigned long)i;
            angle[i] = 2.4 * carom_counter_uniform(sample, k, 0) - 1.2;
            friction[i] = 1.5 * carom_counter_uniform(sample, k, 1);
        }
        pile body;
        make_wedge(&body, count, angle, friction);
        const carom_variational_params params = params_of_step(0.01);
        const double zero[2] = {0.0, 0.0};
        const bool held[PILE_CONTACTS] = {true, true, true, true};
        carom_variational_stepper *stepper = start(&body.mechanism, &params, 0.0, zero, zero, held);
        int impacts = 0;
        const carom_variational_result *now = NULL;
        for (int k = 0; k < 30; k++) {
            now = advance(stepper);
            impacts += now->impact_count;
        }
        ck_assert_ptr_nonnull(now);
        if (hypot(now->position[0], now->position[1]) < 1e-12) {
            resting++;
            ck_assert_int_eq(impacts, 0);
            for (int i = 0; i < count; i++) {
                ck_assert_double_ge(now->holding_impulse[i], -1e-13);
                ck_assert_double_le(fabs(now->friction_impulse[i]),
                                    friction[i] * now->holding_impulse[i] + 1e-13);
            }
        }
        carom_variational_stepper_free(stepper);
    }
    ck_assert_int_gt(resting, 100);
}
