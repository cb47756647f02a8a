/* The variational integrator of seghete-2014 section VI against a second one that shares no
 * formula with it (independent_variational.h): flights, impacts within a step, simultaneous ones
 * in both orders, and chatter. */
#include "../../derivatives.h"
#include "independent_systems.h"

#include <carom/mechanism/mechanism.h>
#include <carom/timestepping/variational/step_internal.h>

/* ------------------------------------------------------------------------------------- flights */

TEST(unit, the_systems_of_this_suite_have_right_derivatives) {
    for (int i = 0; i < 2 * 8; i++) {
        twin both;
        twin_init(&both, i % 2, (unsigned long)i);
        assert_derivatives(&both.mechanism, 0.3, both.q, both.v, 1e-6, 5, (unsigned)i);
    }
}

EXTENDED_TEST(property, flights_are_those_of_the_differenced_discrete_lagrangian) {
    for (int i = 0; i < KINDS * 6; i++) {
        const unsigned long seed = (unsigned long)i;
        twin both;
        twin_init(&both, i % KINDS, seed);
        const carom_variational_step_params params = carom_variational_step_params_default();
        carom_variational_step *step;
        assert_ok(carom_variational_step_alloc(&both.mechanism, &params, &step, NULL));
        const int n = both.reference.coordinates;
        double t = random_in(seed, 90, -1.0, 1.0);
        double q[N] = {0.0};
        double p[N] = {0.0};
        discrete_state state = state_of(&both.reference, t, both.q, both.v);
        carom_variational_momentum(step, both.q, both.v, p);
        memcpy(q, both.q, sizeof q);
        for (int k = 0; k < 8; k++) {
            // steps of any length, down to those of an event search
            const double h = k == 4 ? 1e-5 : random_in(seed, 91 + (unsigned long)k, 0.001, 0.06);
            discrete_step next = {.endings = 0};
            ck_assert(discrete_solve(&both.reference, &state, h, NULL, &next));
            state = next.end;
            assert_ok(carom_variational_step_solve(step, t, q, p, h, NULL, NULL));
            memcpy(q, step->position, (size_t)n * sizeof *q);
            memcpy(p, step->momentum, (size_t)n * sizeof *p);
            t = step->time;
        }
        assert_state(&state, n, q, p, SOLVED);
        carom_variational_step_free(step);
    }
}

/* ------------------------------------------------------------------------------------- impacts */

/* Let the first `count` contacts close together after `flight`. false: one of them would not come
 * on briskly, or penetrates before */
static bool arrange_impact(twin *both, double t, double flight, int count, discrete_state *begin) {
    *begin = state_of(&both->reference, t, both->q, both->v);
    discrete_step there;
    ck_assert(discrete_solve(&both->reference, begin, flight, NULL, &there));
    long double gap[CONTACTS] = {0.0L};
    long double along[CONTACTS] = {0.0L};
    bool is_fit = true;
    for (int c = 0; c < count; c++) {
        if (speed_of(both, &there.end, c) > 0.0) {
            turn_wall(both, c);
        }
        is_fit = is_fit && speed_of(both, &there.end, c) < -0.2;
        set_gap(both, c, there.end.q, 0.0);
    }
    both->reference.contact(begin->q, gap, along, both->reference.context);
    for (int c = 0; c < count; c++) {
        is_fit = is_fit && gap[c] > 1e-4L;
    }
    return is_fit;
}

/* The rest of a step after an impact; false if a contact closes once more. */
static bool finish_step(const twin *both, long double end, discrete_state *state) {
    discrete_step next;
    ck_assert(discrete_solve(&both->reference, state, end - state->time, NULL, &next));
    *state = next.end;
    for (int c = 0; c < CONTACTS; c++) {
        if (next.gap[c] < 0.0L) {
            return false;
        }
    }
    return true;
}

/* The impulses of an impact in which momentum p turned into that of `after`: what p+ - p- is made
 * of, which the projection takes away. */
static void assert_impulses(const twin *both, const discrete_state *after, const long double *p,
                            const bool *closed, const double *impulse) {
    long double change[DISCRETE_COORDINATES] = {0.0L};
    long double kappa[DISCRETE_CONTACTS] = {0.0L};
    for (int i = 0; i < both->reference.coordinates; i++) {
        change[i] = after->p[i] - p[i];
    }
    ck_assert(discrete_project(&both->reference, after->q, closed, change, kappa));
    for (int c = 0; c < CONTACTS; c++) {
        assert_close(impulse[c], -(double)kappa[c], LOCATED, LOCATED);
    }
}

EXTENDED_TEST(property, an_impact_within_a_step_is_that_of_bisection_and_reflection) {
    int checked = 0;
    for (int i = 0; i < KINDS * 8; i++) {
        const unsigned long seed = (unsigned long)i;
        const double h = random_in(seed, 100, 0.01, 0.05);
        const double R = i % 4 == 3 ? random_in(seed, 101, 0.1, 0.9) : 1.0;
        const double t = random_in(seed, 102, -1.0, 1.0);
        twin both;
        twin_init(&both, i % KINDS, seed);
        discrete_state state;
        if (!arrange_impact(&both, t, random_in(seed, 103, 0.1, 0.9) * h, 1, &state)) {
            continue;
        }
        discrete_step flight;
        ck_assert_int_eq(discrete_first_impact(&both.reference, &state, h, &flight), 0);
        const bool closed[CONTACTS] = {true, false, false};
        int sequence[DISCRETE_REFLECTIONS] = {0};
        discrete_state after = flight.end;
        ck_assert_int_eq(discrete_impact(&both.reference, closed, -1, R, &after, sequence), 1);
        const long double before_energy = discrete_energy(&both.reference, &flight.end);
        const long double after_energy = discrete_energy(&both.reference, &after);
        const discrete_state bounced = after;
        if (!finish_step(&both, (long double)t + h, &after)) {
            continue;
        }
        checked++;
        carom_variational_stepper *stepper = stepper_of(&both, t, h, -1, R);
        assert_ok(carom_variational_stepper_advance(stepper, NULL));
        const carom_variational_result *result = carom_variational_stepper_result(stepper);
        assert_state(&after, both.reference.coordinates, result->position, result->momentum,
                     LOCATED);
        ck_assert_int_eq(result->impact_count, 1);
        const carom_variational_impact *impact = &result->impacts[0];
        assert_close(impact->time, (double)flight.end.time, 0.0, LOCATED);
        assert_close(impact->energy_before, (double)before_energy, LOCATED, LOCATED);
        assert_close(impact->energy_after, (double)after_energy, LOCATED, LOCATED);
        assert_impulses(&both, &bounced, flight.end.p, closed, result->contact_impulse);
        assert_close(result->impact_loss, (double)(before_energy - after_energy), 1e-9, 1e-11);
        carom_variational_stepper_free(stepper);
    }
    ck_assert_int_ge(checked, KINDS * 4);
}

EXTENDED_TEST(property, simultaneous_impacts_in_both_orders_are_products_of_reflections) {
    int checked = 0;
    int different = 0;
    for (int i = 0; i < 24; i++) {
        const unsigned long seed = 1000 + (unsigned long)i;
        const double h = random_in(seed, 100, 0.01, 0.04);
        const double R = i % 5 == 4 ? 0.7 : 1.0;
        const int count = 2 + i / 2 % 2;
        twin both;
        twin_init(&both, i % 2 == 0 ? 0 : 2, seed);
        discrete_state begin;
        if (!arrange_impact(&both, 0.3, random_in(seed, 101, 0.2, 0.8) * h, count, &begin)) {
            continue;
        }
        const bool closed[CONTACTS] = {true, true, count == 3};
        discrete_step flight;
        ck_assert_int_ge(discrete_first_impact(&both.reference, &begin, h, &flight), 0);
        double end[2][N] = {{0.0}};
        for (int run = 0; run < 2; run++) {
            const int order = run == 0 ? -1 : 1;
            int sequence[DISCRETE_REFLECTIONS] = {0};
            discrete_state after = flight.end;
            const int steps = discrete_impact(&both.reference, closed, order, R, &after, sequence);
            const discrete_state bounced = after;
            if (steps < 0 || !finish_step(&both, 0.3L + h, &after)) {
                continue;
            }
            carom_variational_stepper *stepper = stepper_of(&both, 0.3, h, order, R);
            assert_ok(carom_variational_stepper_advance(stepper, NULL));
            const carom_variational_result *result = carom_variational_stepper_result(stepper);
            ck_assert_int_eq(result->impact_count, 1);
            assert_impulses(&both, &bounced, flight.end.p, closed, result->contact_impulse);
            ck_assert_int_eq(result->impacts[0].closed_count, count);
            ck_assert_int_eq(result->impacts[0].reflection_count, steps);
            for (int k = 0; k < steps; k++) {
                ck_assert_int_eq(result->reflection[result->impacts[0].first_reflection + k],
                                 sequence[k]);
            }
            assert_state(&after, both.reference.coordinates, result->position, result->momentum,
                         LOCATED);
            memcpy(end[run], result->momentum, (size_t)both.reference.coordinates * sizeof(double));
            checked++;
            carom_variational_stepper_free(stepper);
        }
        different += fabs(end[0][0] - end[1][0]) > 1e-3;
    }
    ck_assert_int_ge(checked, 12);
    ck_assert_int_ge(different, 5);
}

/* Runge and Kutta's fourth order with the accelerations M^-1 f, all derived here. */
static void runge_kutta(twin *both, double t, double h, double *q, double *v) {
    const double part[4] = {0.0, 0.5, 0.5, 1.0};
    const double weight[4] = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};
    double rate[4] = {0.0};
    double change[4] = {0.0};
    for (int k = 0; k < 4; k++) {
        const double q_k[2] = {q[0] + part[k] * h * rate[0], q[1] + part[k] * h * rate[1]};
        const double v_k[2] = {v[0] + part[k] * h * rate[2], v[1] + part[k] * h * rate[3]};
        double M[4] = {0.0};
        double f[2] = {0.0};
        bead_mass(q_k, M, &both->bead);
        bead_force(t + part[k] * h, q_k, v_k, f, &both->bead);
        const double determinant = M[0] * M[3] - M[1] * M[2];
        rate[0] = v_k[0];
        rate[1] = v_k[1];
        rate[2] = (M[3] * f[0] - M[1] * f[1]) / determinant;
        rate[3] = (M[0] * f[1] - M[2] * f[0]) / determinant;
        for (int i = 0; i < 4; i++) {
            change[i] += h * weight[k] * rate[i];
        }
    }
    for (int i = 0; i < 2; i++) {
        q[i] += change[i];
        v[i] += change[2 + i];
    }
}

/* The motion itself through one elastic impact of the bead's contact 0. */
static double exact_bead(twin *both, double duration, double *q, double *v) {
    const int steps = 4000;
    const double h = duration / steps;
    double t_impact = 0.0;
    for (int k = 0; k < steps; k++) {
        double q_next[2] = {q[0], q[1]};
        double v_next[2] = {v[0], v[1]};
        double gap[CONTACTS] = {0.0};
        runge_kutta(both, k * h, h, q_next, v_next);
        bead_gaps(q_next, gap, &both->bead);
        if (gap[0] < 0.0 && !(t_impact > 0.0)) {
            double low = 0.0;
            double high = h;
            for (int halving = 0; halving < 60; halving++) {
                const double middle = 0.5 * (low + high);
                memcpy(q_next, q, sizeof q_next);
                memcpy(v_next, v, sizeof v_next);
                runge_kutta(both, k * h, middle, q_next, v_next);
                bead_gaps(q_next, gap, &both->bead);
                low = gap[0] >= 0.0 ? middle : low;
                high = gap[0] >= 0.0 ? high : middle;
            }
            t_impact = k * h + high;
            double M[4] = {0.0};
            double G[2 * CONTACTS] = {0.0};
            bead_mass(q_next, M, &both->bead);
            bead_jacobian(q_next, G, &both->bead);
            // v+ = v - 2 y (u v)/(u y), y = M^-1 u'
            const double y[2] = {M[3] * G[0] - M[1] * G[1], M[0] * G[1] - M[2] * G[0]};
            const double factor =
                2.0 * (G[0] * v_next[0] + G[1] * v_next[1]) / (G[0] * y[0] + G[1] * y[1]);
            v_next[0] -= factor * y[0];
            v_next[1] -= factor * y[1];
            runge_kutta(both, t_impact, h - high, q_next, v_next);
        }
        memcpy(q, q_next, sizeof q_next);
        memcpy(v, v_next, sizeof v_next);
    }
    return t_impact;
}

EXTENDED_TEST(property, a_damped_and_driven_impact_converges_with_second_order) {
    int checked = 0;
    for (unsigned long seed = 0; seed < 8; seed++) {
        const double duration = 0.32;
        twin both;
        twin_init(&both, 1, 300 + seed);
        // strong dampers: leaving their impulse out of the impact would show at once
        both.bead.damping[0] = 3.0;
        both.bead.damping[1] = 1.0;
        discrete_state begin;
        if (!arrange_impact(&both, 0.0, 0.1234, 1, &begin)) {
            continue;
        }
        double q[2] = {both.q[0], both.q[1]};
        double v[2] = {both.v[0], both.v[1]};
        const double t_impact = exact_bead(&both, duration, q, v);
        double error[5] = {0.0};
        bool is_single = t_impact > 0.0;
        for (int level = 0; level < 5; level++) {
            const int steps = 8 << level;
            carom_variational_stepper *stepper = stepper_of(&both, 0.0, duration / steps, -1, 1.0);
            int impacts = 0;
            for (int k = 0; k < steps; k++) {
                assert_ok(carom_variational_stepper_advance(stepper, NULL));
                impacts += carom_variational_stepper_result(stepper)->impact_count;
            }
            const carom_variational_result *result = carom_variational_stepper_result(stepper);
            is_single = is_single && impacts == 1;
            for (int i = 0; i < 2; i++) {
                error[level] += fabs(result->position[i] - q[i]) + fabs(result->velocity[i] - v[i]);
            }
            carom_variational_stepper_free(stepper);
        }
        if (!is_single) {
            continue;
        }
        checked++;
        // where in its step the impact lies changes from level to level, and with it the constant
        ck_assert_msg(error[4] < 1e-3, "seed %lu: error %g", seed, error[4]);
        const double mean = pow(error[1] / error[4], 1.0 / 3.0);
        ck_assert_msg(mean > 3.4 && mean < 4.7, "seed %lu: ratio %g (%g %g %g %g %g)", seed, mean,
                      error[0], error[1], error[2], error[3], error[4]);
    }
    ck_assert_int_ge(checked, 3);
}

/* A step of the whole algorithm with one contact, as section VII-B tells it. */
static void reference_step(const twin *both, long double end, double R, int most_hits,
                           discrete_state *state, bool *is_held, int *hits_of_step) {
    int hits = 0;
    int sequence[DISCRETE_REFLECTIONS] = {0};
    const bool closed[CONTACTS] = {true, false, false};
    while (end - state->time > 1e-15L) {
        discrete_step next;
        discrete_mode mode[CONTACTS] = {DISCRETE_OPEN};
        if (*is_held) {
            ck_assert_int_eq(
                discrete_try_all(&both->reference, state, end - state->time, closed, &next, mode),
                1);
            *is_held = mode[0] != DISCRETE_OPEN;
            *state = next.end;
            break;
        }
        const int contact =
            discrete_first_impact(&both->reference, state, end - state->time, &next);
        *state = next.end;
        if (contact < 0) {
            break;
        }
        hits++;
        *is_held = hits > most_hits;
        ck_assert_int_ge(
            discrete_impact(&both->reference, closed, -1, *is_held ? 0.0L : R, state, sequence), 0);
    }
    *hits_of_step = hits;
    state->time = end;
}

EXTENDED_TEST(unit, chatter_ends_at_rest_where_and_when_the_reference_does) {
    const double h = 0.02;
    const double R = 0.45;
    const int most_hits = 2;
    twin both;
    twin_init(&both, 1, 4);
    both.bead.walls[0].normal[0] = 0.1;
    both.bead.walls[0].normal[1] = sqrt(1.0 - 0.01);
    set_friction(&both, 0, 0.3);
    both.bead.drive = 0.5;
    both.q[1] = -1.0;
    both.v[0] = 0.0;
    both.v[1] = 0.0;
    const discrete_state high = state_of(&both.reference, 0.0, both.q, both.v);
    set_gap(&both, 0, high.q, 0.02);
    discrete_state state = high;
    bool is_held = false;
    carom_variational_params params = carom_variational_params_default();
    params.step = h;
    set_restitution(&both, R);
    params.impacts_without_friction = true;
    params.most_hits = most_hits;
    carom_variational_stepper *stepper;
    assert_ok(carom_variational_stepper_alloc(&both.mechanism, &params, &stepper, NULL));
    assert_ok(carom_variational_stepper_start(stepper, 0.0, both.q, both.v, NULL, NULL));
    int impacts = 0;
    int held_steps = 0;
    for (int k = 1; k <= 26; k++) {
        int hits = 0;
        reference_step(&both, (long double)k * h, R, most_hits, &state, &is_held, &hits);
        assert_ok(carom_variational_stepper_advance(stepper, NULL));
        const carom_variational_result *result = carom_variational_stepper_result(stepper);
        impacts += hits;
        held_steps += is_held;
        ck_assert_msg(result->impact_count == hits, "step %d: %d impacts, %d expected", k,
                      result->impact_count, hits);
        ck_assert_int_eq(result->is_held[0], is_held);
        assert_state(&state, 2, result->position, result->momentum, 10.0 * LOCATED);
    }
    ck_assert_int_ge(impacts, 4);
    ck_assert_int_ge(held_steps, 5);
    carom_variational_stepper_free(stepper);
}

/* -------------------------------------------------------------------------------------- errors */

TEST(errors, what_cannot_be_answered_is_refused) {
    // a bead squeezed between two walls: no momentum opens both
    twin both;
    twin_init(&both, 1, 3);
    const discrete_state begin = state_of(&both.reference, 0.0, both.q, both.v);
    both.bead.walls[1] = both.bead.walls[0];
    turn_wall(&both, 1);
    both.bead.walls[1].offset = -both.bead.walls[0].offset;
    set_gap(&both, 0, begin.q, 0.0);
    set_gap(&both, 1, begin.q, 0.0);
    carom_variational_stepper *stepper = stepper_of(&both, 0.0, 0.01, -1, 1.0);
    assert_status(carom_variational_stepper_advance(stepper, NULL), CONFLICT);
    const carom_variational_result *result = carom_variational_stepper_result(stepper);
    for (int i = 0; i < 2; i++) {
        assert_close(result->position[i], both.q[i], 0.0, 0.0);
        assert_close(result->velocity[i], both.v[i], 1e-14, 0.0);
    }
    assert_close(result->time, 0.0, 0.0, 0.0);
    // one of them a little further in
    set_gap(&both, 1, begin.q, -1e-6);
    carom_report report = {0};
    assert_status(carom_variational_stepper_start(stepper, 0.0, both.q, both.v, NULL, &report),
                  PENETRATION);
    assert_close(report.value, -1e-6, 1e-9, 0.0);
    carom_variational_stepper_free(stepper);
}
