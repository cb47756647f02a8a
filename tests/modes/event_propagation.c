/*
 * carom/modes/internal.h: closed forms for one mode, the [C] orbits of the specification
 * 5.2 and 5.6 over many periods, conservation and reversal for random motions of chains.
 */
#include <carom/modes/internal.h>

#include "independent.h"
#include "reference_orbits.h"

#include <float.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

enum { MOST_IMPACTS = 64 };

/** What an observer has seen. */
typedef struct history {
    int count;
    double time[MOST_IMPACTS];
    double lambda[MOST_IMPACTS];
    double energy_deviation; /**< largest relative change since the start */
    double energy;           /**< at the start */
    int mode_count;
    int stop_after; /**< fail at this impact; 0: never */
} history;

static double energy_of(int m, const double *state) {
    double sum = 0.0;
    for (int i = 0; i < 2 * m; i++) {
        sum += state[i] * state[i];
    }
    return 0.5 * sum;
}

static carom_status observe(int impact, double time, double lambda, const double *state,
                            void *context) {
    history *seen = context;
    ck_assert_int_eq(impact, seen->count + 1);
    if (seen->count < MOST_IMPACTS) {
        seen->time[seen->count] = time;
        seen->lambda[seen->count] = lambda;
    }
    seen->count++;
    if (seen->energy > 0.0) {
        const double change = energy_of(seen->mode_count, state) / seen->energy - 1.0;
        seen->energy_deviation = fmax(seen->energy_deviation, fabs(change));
    }
    return impact == seen->stop_after ? CAROM_STATUS_IO : CAROM_OK;
}

/** Propagate a state of a chain. */
static carom_status propagate(const chain *c, double *state, int max_impacts, double max_time,
                              history *seen, carom_event_end *end) {
    carom_report report = carom_report_empty();
    const carom_status status =
        carom_event_propagate(c->basis, c->motion, state, max_impacts, max_time,
                              seen == NULL ? NULL : observe, seen, end, &report);
    ck_assert_int_eq(report.quantity != NULL, status != CAROM_OK && status != CAROM_STATUS_IO);
    return status;
}

/** One mass: x_c = A cos phi at the start, towards the obstacle if phi < 0. */
static void single_mass_state(const chain *c, double A, double phi, double *state) {
    const double w = c->basis->frequency[0];
    state[0] = w * A * cos(phi) / c->basis->root_inverse_mass;
    state[1] = -w * A * sin(phi) / c->basis->root_inverse_mass;
}

/** A random state with the contact open; amplitude of x_c about `size`. */
static void random_state(const chain *c, gsl_rng *generator, double size, double *state) {
    do {
        for (int l = 0; l < c->basis->visible_count; l++) {
            const double scale = size * c->basis->frequency[0] / c->basis->root_inverse_mass;
            state[2 * l] = scale * uniform(generator, -1.0, 1.0);
            state[2 * l + 1] = scale * uniform(generator, -1.0, 1.0);
        }
    } while (carom_modal_basis_contact_displacement(c->basis, state) >=
             c->basis->gap_at_rest - 0.01 * size);
}

/** Largest difference of two states [m][2], relative to the root of twice the energy. */
static double distance(int m, const double *a, const double *b) {
    double largest = 0.0;
    for (int i = 0; i < 2 * m; i++) {
        largest = fmax(largest, fabs(a[i] - b[i]));
    }
    return largest / sqrt(2.0 * energy_of(m, b));
}

/* ------------------------------------------------------------------------------------------ unit
 */

TEST(unit, one_mass_bounces_with_its_closed_form) {
    // Between impacts the phase runs from alpha to 2 pi - alpha, cos alpha = g_0/A.
    const double gaps[] = {0.83, -0.71};
    for (int i = 0; i < 2; i++) {
        chain c = chain_alloc(1, gaps[i]);
        const double w = c.basis->frequency[0];
        const double A = 1.27;
        const double alpha = acos(gaps[i] / A);
        double state[2];
        single_mass_state(&c, A, PI, state);
        history seen = {.mode_count = 1, .energy = energy_of(1, state)};
        carom_event_end end;
        assert_ok(propagate(&c, state, 40, (double)INFINITY, &seen, &end));
        ck_assert_int_eq(seen.count, 40);
        ck_assert_int_eq(end.impacts, 40);
        const double flight = 2.0 * (PI - alpha) / w;
        const double lambda = sqrt(1.0 - gaps[i] * gaps[i] / (A * A)) * sqrt(2.0 * seen.energy);
        for (int j = 0; j < 40; j++) {
            assert_close(seen.time[j], (j + 0.5) * flight, 1e-14, 0.0);
            assert_close(seen.lambda[j], lambda, 1e-13, 0.0);
        }
        assert_close(end.time, seen.time[39], 0.0, 0.0);
        chain_free(&c);
    }
}

TEST(unit, hops_of_a_prestressed_contact_take_their_closed_form) {
    // g_0 < 0: a release with x_c' = -v hops for 2 atan(v/(w |g_0|))/w, down to far below rounding
    // of x_c.
    const double speeds[] = {0.5, 1e-3, 1e-6, 1e-9};
    for (int i = 0; i < 4; i++) {
        chain c = chain_alloc(1, -0.71);
        const double w = c.basis->frequency[0];
        double state[2] = {-0.71 * w / c.basis->root_inverse_mass,
                           -speeds[i] / c.basis->root_inverse_mass};
        history seen = {.count = 0};
        assert_ok(propagate(&c, state, 50, (double)INFINITY, &seen, NULL));
        const double hop = 2.0 * atan(speeds[i] / (0.71 * w)) / w;
        for (int j = 0; j < 50; j++) {
            // Each impact costs z_2 some roundings of its own size only.
            assert_close(seen.time[j], (j + 1) * hop, 1e-6, 0.0);
            assert_close(seen.lambda[j] * c.basis->root_inverse_mass, speeds[i], 1e-5, 0.0);
        }
        chain_free(&c);
    }
}

TEST(unit, a_grazing_linear_mode_never_impacts) {
    chain c = chain_alloc(1, 0.83);
    double state[2];
    single_mass_state(&c, 0.83, 1.0, state);
    const double start[2] = {state[0], state[1]};
    const double period = 2.0 * PI / c.basis->frequency[0];
    carom_event_end end;
    assert_ok(propagate(&c, state, -1, 20.0 * period, NULL, &end));
    ck_assert_int_eq(end.impacts, 0);
    assert_close(end.time, 20.0 * period, 0.0, 0.0);
    assert_close(distance(1, state, start), 0.0, 0.0, 1e-13);
    chain_free(&c);
}

TEST(unit, the_paper_chain_follows_its_periodic_motions) {
    // Specification 5.2 and 5.6: unstable and stable orbits over three periods; digits printed 12.
    chain c = chain_alloc(5, 1.0);
    const double periods[] = {3.76, 3.80, 4.30, 3.5355};
    for (int i = 0; i < 4; i++) {
        carom_orbit *orbit = single_impact_of(&c, periods[i]);
        double state[10];
        memcpy(state, orbit->state, sizeof state);
        history seen = {.count = 0};
        assert_ok(propagate(&c, state, 3, (double)INFINITY, &seen, NULL));
        for (int j = 0; j < 3; j++) {
            assert_close(seen.time[j], (j + 1) * periods[i], 1e-12, 0.0);
            assert_close(seen.lambda[j], orbit->lambda[0], 1e-11, 0.0);
        }
        assert_close(distance(5, state, orbit->state), 0.0, 0.0, 1e-11);
        carom_orbit_free(orbit);
    }
    carom_orbit *three = orbit_of(&c, 3, THREE_SIGMA, THREE_LAMBDA);
    double state[10];
    memcpy(state, three->state, sizeof state);
    history seen = {.count = 0};
    assert_ok(propagate(&c, state, 6, (double)INFINITY, &seen, NULL));
    for (int j = 0; j < 6; j++) {
        const double before = j > 0 ? seen.time[j - 1] : 0.0;
        assert_close(seen.time[j] - before, THREE_SIGMA[j % 3], 0.0, 1e-10);
        assert_close(seen.lambda[j], THREE_LAMBDA[j % 3], 0.0, 1e-10);
    }
    carom_orbit_free(three);
    chain_free(&c);
}

TEST(unit, a_thousand_periods_close_to_rounding) {
    // Specification 5.6: closure < 1e-11 for neutrally stable orbits.
    chain c = chain_alloc(5, 1.0);
    const double periods[] = {4.30, 3.5355};
    for (int i = 0; i < 2; i++) {
        carom_orbit *orbit = single_impact_of(&c, periods[i]);
        double state[10];
        memcpy(state, orbit->state, sizeof state);
        carom_event_end end;
        assert_ok(propagate(&c, state, 1000, (double)INFINITY, NULL, &end));
        ck_assert_int_eq(end.impacts, 1000);
        assert_close(distance(5, state, orbit->state), 0.0, 0.0, 1e-11);
        // A neighbouring orbit of the family, off by rounding, has another period: linear in time.
        assert_close(end.time, 1000.0 * periods[i], 0.0, 1e-9);
        carom_orbit_free(orbit);
    }
    chain_free(&c);
}

TEST(unit, an_impact_at_the_limit_of_time_has_happened) {
    chain c = chain_alloc(5, 1.0);
    carom_orbit *orbit = single_impact_of(&c, 4.30);
    for (int i = -4; i <= 4; i++) {
        double state[10];
        memcpy(state, orbit->state, sizeof state);
        carom_event_end end;
        assert_ok(propagate(&c, state, -1, 4.30 * (1.0 + i * DBL_EPSILON), NULL, &end));
        ck_assert_int_eq(end.impacts, 1);
        assert_close(distance(5, state, orbit->state), 0.0, 0.0, 1e-13);
        // So that the motion can go on from there.
        assert_ok(propagate(&c, state, 1, (double)INFINITY, NULL, &end));
        assert_close(end.time, 4.30, 1e-12, 0.0);
    }
    carom_orbit_free(orbit);
    chain_free(&c);
}

TEST(unit, no_impact_and_no_time_leave_the_state_alone) {
    chain c = chain_alloc(5, 1.0);
    carom_orbit *orbit = single_impact_of(&c, 4.30);
    double state[10];
    memcpy(state, orbit->state, sizeof state);
    carom_event_end end;
    assert_ok(propagate(&c, state, 0, (double)INFINITY, NULL, &end));
    ck_assert_int_eq(end.impacts, 0);
    assert_close(end.time, 0.0, 0.0, 0.0);
    assert_ok(propagate(&c, state, -1, 0.0, NULL, NULL));
    ck_assert_mem_eq(state, orbit->state, sizeof state);
    carom_orbit_free(orbit);
    chain_free(&c);
}

/* -------------------------------------------------------------------------------------- property
 */

TEST(property, the_clock_keeps_its_digits_over_many_impacts) {
    // One mass: each flight is the same number, off by a few roundings of its own; a sum that drops
    // what it cannot hold is off by the root of the number of impacts more.
    enum { IMPACTS = 200000 };
    chain c = chain_alloc(1, 0.83);
    double state[2];
    single_mass_state(&c, 1.27, PI, state);
    carom_event_end end;
    assert_ok(propagate(&c, state, 1, (double)INFINITY, NULL, &end));
    const double half = end.time;
    assert_ok(propagate(&c, state, IMPACTS, (double)INFINITY, NULL, &end));
    assert_close(end.time, 2.0 * half * IMPACTS, 2e-15, 0.0);
    chain_free(&c);
}

TEST(property, energy_is_kept_to_rounding_over_ten_thousand_impacts) {
    gsl_rng *generator = seeded_generator(20170901);
    chain c = chain_alloc(5, 0.4);
    double state[10];
    random_state(&c, generator, 3.0, state);
    history seen = {.mode_count = 5, .energy = energy_of(5, state)};
    assert_ok(propagate(&c, state, 10000, (double)INFINITY, &seen, NULL));
    ck_assert_int_eq(seen.count, 10000);
    // Two roundings of the energy for an impact if sum rho^2 is 1 to one of them, all of one sign:
    // 4 lambda^2 eps against 2 E, with lambda^2 about E/3.
    ck_assert_double_lt(seen.energy_deviation, 10000.0 * DBL_EPSILON);
    chain_free(&c);
    gsl_rng_free(generator);
}

TEST(property, reversed_velocities_return_to_the_start) {
    gsl_rng *generator = seeded_generator(20170902);
    for (int trial = 0; trial < 60; trial++) {
        const int n = 1 + trial % 8;
        chain c = chain_alloc(n, uniform(generator, -0.3, 1.0));
        double start[16];
        double state[16];
        random_state(&c, generator, 2.0, start);
        memcpy(state, start, sizeof state);
        carom_event_end there;
        carom_event_end back;
        assert_ok(propagate(&c, state, -1, 9.0, NULL, &there));
        for (int l = 0; l < n; l++) {
            state[2 * l + 1] = -state[2 * l + 1];
        }
        assert_ok(propagate(&c, state, -1, 9.0, NULL, &back));
        ck_assert_int_eq(back.impacts, there.impacts);
        for (int l = 0; l < n; l++) {
            state[2 * l + 1] = -state[2 * l + 1];
        }
        // Impacts amplify rounding, the more the weaker they are: about ten of them, by up to 1e5.
        assert_close(distance(n, state, start), 0.0, 0.0, 1e-9);
        chain_free(&c);
    }
    gsl_rng_free(generator);
}

TEST(property, a_motion_in_parts_is_the_motion_as_a_whole) {
    gsl_rng *generator = seeded_generator(20170903);
    for (int trial = 0; trial < 40; trial++) {
        chain c = chain_alloc(4, 0.6);
        double whole[8];
        random_state(&c, generator, 2.0, whole);
        double parts[8];
        memcpy(parts, whole, sizeof parts);
        carom_event_end end;
        assert_ok(propagate(&c, whole, -1, 8.0, NULL, &end));
        int impacts = 0;
        const double times[3] = {2.385, 0.811, 8.0 - 2.385 - 0.811};
        for (int i = 0; i < 3; i++) {
            carom_event_end part;
            assert_ok(propagate(&c, parts, -1, times[i], NULL, &part));
            impacts += part.impacts;
        }
        ck_assert_int_eq(impacts, end.impacts);
        assert_close(distance(4, parts, whole), 0.0, 0.0, 1e-9);
        chain_free(&c);
    }
    gsl_rng_free(generator);
}

TEST(property, impacts_are_those_of_the_motion_in_physical_coordinates) {
    // The second route flies by matrix exponentials and reflects with M^-1 w, at the instants found
    // here: the gap must be closed at each of them and open in between.
    gsl_rng *generator = seeded_generator(20170904);
    for (int trial = 0; trial < 12; trial++) {
        const int n = 2 + trial % 4;
        chain c = chain_alloc(n, 0.1);
        physical *p = physical_alloc(c.system);
        double state[16];
        double x[16];
        double *const v = x + n;
        random_state(&c, generator, 2.0, state);
        carom_modal_basis_expand(c.basis, state, x, v);
        history seen = {.count = 0};
        carom_event_end end;
        assert_ok(propagate(&c, state, 8, (double)INFINITY, &seen, &end));
        double now = 0.0;
        for (int j = 0; j < 8; j++) {
            // Samples between the impacts: no penetration.
            double y[16];
            for (int s = 1; s < 8; s++) {
                memcpy(y, x, sizeof y);
                physical_fly(p, (seen.time[j] - now) * s / 8.0, y);
                ck_assert_double_ge(physical_along_normal(p, y) + p->gap_at_rest, -1e-9);
            }
            physical_fly(p, seen.time[j] - now, x);
            now = seen.time[j];
            assert_close(physical_along_normal(p, x) + p->gap_at_rest, 0.0, 0.0, 1e-10);
            assert_close(seen.lambda[j], -physical_along_normal(p, v) / c.basis->root_inverse_mass,
                         0.0, 1e-9);
            physical_apply(p->reflection, x);
        }
        double modal[16];
        carom_modal_basis_project(c.basis, x, v, modal);
        assert_close(distance(n, modal, state), 0.0, 0.0, 1e-9);
        physical_free(p);
        chain_free(&c);
    }
    gsl_rng_free(generator);
}

/* ---------------------------------------------------------------------------------------- errors
 */

TEST(errors, a_state_beyond_the_obstacle_is_refused) {
    chain c = chain_alloc(1, 0.83);
    double state[2];
    single_mass_state(&c, 0.83 * (1.0 + 1e-9), 0.0, state);
    assert_status(propagate(&c, state, 1, 9.0, NULL, NULL), PENETRATION);
    chain_free(&c);
}

TEST(errors, a_state_that_moves_into_the_obstacle_is_refused) {
    chain c = chain_alloc(1, 0.83);
    double state[2];
    single_mass_state(&c, 1.27, -acos(0.83 / 1.27), state);
    assert_status(propagate(&c, state, 1, 9.0, NULL, NULL), PENETRATION);
    chain_free(&c);
    // At rest and pressed against it: the static position of a prestressed contact.
    c = chain_alloc(1, -0.71);
    single_mass_state(&c, 0.71, PI, state);
    state[1] = 0.0;
    assert_status(propagate(&c, state, 1, 9.0, NULL, NULL), PENETRATION);
    chain_free(&c);
}

TEST(errors, values_that_are_not_finite_are_refused) {
    chain c = chain_alloc(1, 0.83);
    double state[2] = {0.1, (double)NAN};
    assert_status(propagate(&c, state, 1, 9.0, NULL, NULL), NOT_FINITE);
    state[1] = 0.1;
    assert_status(propagate(&c, state, 1, (double)NAN, NULL, NULL), NOT_FINITE);
    assert_status(propagate(&c, state, 1, -1.0, NULL, NULL), OUT_OF_RANGE);
    chain_free(&c);
}

TEST(errors, a_motion_that_never_meets_the_obstacle_is_reported) {
    chain c = chain_alloc(2, 0.83);
    double state[4] = {0.1, 0.02, 0.03, 0.01};
    carom_report report = carom_report_empty();
    assert_status(carom_event_propagate(c.basis, c.motion, state, 1, (double)INFINITY, NULL, NULL,
                                        NULL, &report),
                  NOT_FOUND);
    ck_assert_str_eq(report.quantity, "impact");
    // A mode that grazes for ever does not impact either.
    chain_free(&c);
    c = chain_alloc(1, 0.83);
    single_mass_state(&c, 0.83, 1.0, state);
    assert_status(propagate(&c, state, 1, (double)INFINITY, NULL, NULL), NOT_FOUND);
    chain_free(&c);
}

TEST(errors, accumulating_impacts_are_reported) {
    // Hops of 2 v/(w^2 |g_0|) with v = 1e-12: a thousand of them within 1e-9 of the period.
    chain c = chain_alloc(1, -0.71);
    const double w = c.basis->frequency[0];
    double state[2] = {-0.71 * w / c.basis->root_inverse_mass, -1e-12 / c.basis->root_inverse_mass};
    carom_event_end end;
    assert_status(propagate(&c, state, -1, 5.0, NULL, &end), NOT_CONVERGED);
    ck_assert_int_ge(end.impacts, 999);
    ck_assert_double_le(end.time, 1e-9 * 2.0 * PI / w);
    chain_free(&c);
}

TEST(errors, an_observer_can_stop_the_motion) {
    chain c = chain_alloc(5, 1.0);
    carom_orbit *orbit = single_impact_of(&c, 4.30);
    double state[10];
    memcpy(state, orbit->state, sizeof state);
    history seen = {.stop_after = 2};
    carom_event_end end;
    assert_status(propagate(&c, state, -1, (double)INFINITY, &seen, &end), IO);
    ck_assert_int_eq(end.impacts, 2);
    assert_close(end.time, 8.60, 1e-12, 0.0);
    assert_close(distance(5, state, orbit->state), 0.0, 0.0, 1e-12);
    carom_orbit_free(orbit);
    chain_free(&c);
}
