/* carom/modes/internal.h: a motion at any time, compared with itself and others, and perturbed. */
#include <carom/modes/internal.h>

#include "single_impact_subject.h"

#include <math.h>

static const unsigned long SEED = 20261127UL;

/** A period inside the first admissible interval of the paper's chain that ends at 4 T_3. */
static const double PERIOD = 3.7867;

enum { N = 5 };

static subject moving_chain(void) {
    subject s = chain(1.0);
    assert_ok(carom_single_impact_orbit(s.basis, PERIOD, s.orbit));
    return s;
}

TEST(unit, a_history_over_a_period_begins_after_the_impact_and_ends_before_it) {
    // x_n' = -+ sqrt(G) lambda after and before the impact (thorin-2017 (7.3)), x_n = d at both.
    subject s = moving_chain();
    const double speed = s.basis->root_inverse_mass * s.orbit->lambda[0];
    double x[N];
    double v[N];
    carom_orbit_periodic_motion(s.basis, s.orbit, 0.0, x, v, s.state);
    assert_close(x[N - 1], 1.0, 1e-12, 0.0);
    assert_close(v[N - 1], -speed, 1e-12, 0.0);
    carom_orbit_periodic_motion(s.basis, s.orbit, PERIOD, x, v, s.state);
    assert_close(x[N - 1], 1.0, 1e-12, 0.0);
    assert_close(v[N - 1], speed, 1e-12, 0.0);
    free_subject(&s);
}

TEST(property, a_motion_repeats_in_past_and_future) {
    subject s = moving_chain();
    gsl_rng *generator = seeded_generator(SEED);
    for (int round = 0; round < 200; round++) {
        const double time = uniform(generator, 0.01, 0.99) * PERIOD;
        const int periods = (int)gsl_rng_uniform_int(generator, 21) - 10;
        double here[N];
        double there[N];
        carom_orbit_motion(s.basis, s.orbit, time, here, NULL, s.state);
        carom_orbit_periodic_motion(s.basis, s.orbit, time + periods * PERIOD, there, NULL,
                                    s.state);
        for (int p = 0; p < N; p++) {
            // Ten periods are rounded to 1e-14 s; speeds stay below 10 m/s.
            assert_close(there[p], here[p], 0.0, 1e-12);
        }
    }
    gsl_rng_free(generator);
    free_subject(&s);
}

TEST(unit, one_impact_is_symmetric_about_it_and_about_half_the_period_only) {
    // Remark 7.1: x(-t) = x(t) and x(T - t) = x(t); about no other instant, as the impact is one.
    subject s = moving_chain();
    double work[4 * N];
    assert_close(carom_orbit_difference(s.basis, s.orbit, s.orbit, -1.0, 0.0, work), 0.0, 0.0,
                 1e-12);
    assert_close(carom_orbit_difference(s.basis, s.orbit, s.orbit, -1.0, PERIOD, work), 0.0, 0.0,
                 1e-12);
    ck_assert(carom_orbit_difference(s.basis, s.orbit, s.orbit, -1.0, 0.3 * PERIOD, work) > 0.1);
    ck_assert(carom_orbit_difference(s.basis, s.orbit, s.orbit, 1.0, 0.3 * PERIOD, work) > 0.1);
    assert_close(carom_orbit_difference(s.basis, s.orbit, s.orbit, 1.0, -2.0 * PERIOD, work), 0.0,
                 0.0, 1e-12);
    free_subject(&s);
}

TEST(unit, motions_whose_gap_is_doubled_differ_by_the_motion_itself) {
    // Motions are linear in the gap at rest: |x - 2 x| / |x| = 1, and |2 x - x| / |2 x| = 1/2.
    subject s = moving_chain();
    subject twice = chain(2.0);
    double work[4 * N];
    assert_ok(carom_single_impact_orbit(twice.basis, PERIOD, twice.orbit));
    assert_close(carom_orbit_difference(s.basis, s.orbit, twice.orbit, 1.0, 0.0, work), 1.0, 1e-12,
                 0.0);
    assert_close(carom_orbit_difference(s.basis, twice.orbit, s.orbit, 1.0, 0.0, work), 0.5, 1e-12,
                 0.0);
    free_subject(&twice);
    free_subject(&s);
}

/** A member of the family of figure 12 with the part of lambda_1 in the sum. */
static carom_orbit *member_of(const subject *s, double part) {
    carom_constant_period_family family;
    carom_orbit *orbit;
    assert_ok(carom_constant_period_solve(s->basis, 0.292658294206, 3.455386166713, &family, NULL));
    assert_ok(carom_orbit_alloc(s->basis, 2, &orbit));
    assert_ok(carom_constant_period_member(s->basis, &family, part * family.lambda_sum, orbit));
    return orbit;
}

TEST(unit, two_impacts_end_their_history_before_the_second) {
    subject s = chain(1.0);
    carom_orbit *orbit = member_of(&s, 0.3);
    double x[N];
    double v[N];
    carom_orbit_periodic_motion(s.basis, orbit, orbit->period, x, v, s.state);
    assert_close(x[N - 1], 1.0, 1e-10, 0.0);
    assert_close(v[N - 1], s.basis->root_inverse_mass * orbit->lambda[1], 1e-10, 0.0);
    carom_orbit_free(orbit);
    free_subject(&s);
}

TEST(unit, members_with_exchanged_impacts_are_mirror_images_and_not_the_same) {
    // Section 7.3.3: x(t_1 - t) of the member with lambda_1 and lambda_2 exchanged.
    subject s = chain(1.0);
    carom_orbit *one = member_of(&s, 0.3);
    carom_orbit *other = member_of(&s, 0.7);
    double work[4 * N];
    const double t_1 = one->flight_times[0];
    assert_close(carom_orbit_difference(s.basis, one, other, -1.0, t_1, work), 0.0, 0.0, 1e-9);
    ck_assert(carom_orbit_difference(s.basis, one, other, 1.0, t_1, work) > 0.01);
    ck_assert(carom_orbit_difference(s.basis, one, one, -1.0, t_1, work) > 0.01);
    carom_orbit_free(one);
    carom_orbit_free(other);
    free_subject(&s);
}

TEST(property, a_perturbation_has_its_size_and_leaves_the_contact_where_it_is) {
    gsl_rng *generator = seeded_generator(SEED + 1);
    subject s = moving_chain();
    for (int round = 0; round < 100; round++) {
        const double size = uniform(generator, 1e-4, 0.3);
        double direction[2 * N];
        double norm = 0.0;
        double change = 0.0;
        for (int i = 0; i < 2 * N; i++) {
            direction[i] = uniform(generator, -1.0, 1.0);
        }
        carom_orbit_perturb(s.basis, s.orbit, size, direction, s.state);
        for (int i = 0; i < 2 * N; i++) {
            change = hypot(change, s.state[i] - s.orbit->state[i]);
            norm = hypot(norm, s.orbit->state[i]);
        }
        assert_close(change / norm, size, 1e-10, 0.0);
        assert_close(carom_modal_basis_contact_displacement(s.basis, s.state), 1.0, 1e-12, 0.0);
        // Of a direction, only the positions are projected: velocities keep their proportions.
        const double scale = (s.state[1] - s.orbit->state[1]) / direction[1];
        for (int l = 0; l < N; l++) {
            assert_close(s.state[2 * l + 1] - s.orbit->state[2 * l + 1],
                         scale * direction[2 * l + 1], 1e-8, 1e-12);
        }
    }
    gsl_rng_free(generator);
    free_subject(&s);
}

TEST(unit, one_mass_gains_or_loses_the_difference_of_its_periods) {
    // One mass returns after T(lambda): lambda = -g_0 w tan(w T/2), so T = 2 (pi - atan(lambda /
    // (g_0 w)))/w for the branch of T_1/2 < T < T_1. A perturbed speed is kept for ever.
    const double w = 2.385;
    const double gap = 0.731;
    subject s = one_mass(w, gap);
    const double T = 0.83 * 2.0 * acos(-1.0) / w;
    assert_ok(carom_single_impact_orbit(s.basis, T, s.orbit));
    const double size = 0.0137;
    const double direction[2] = {0.0, -1.0};
    carom_orbit_perturb(s.basis, s.orbit, size, direction, s.state);
    const double lambda = -s.state[1];
    const double period = 2.0 * (acos(-1.0) - atan(lambda / (gap * w))) / w;
    double deviation[50];
    double time_shift[50];
    assert_ok(carom_orbit_follow_periods(s.basis, s.motion, s.orbit, 50, INFINITY, s.state,
                                         deviation, time_shift));
    for (int i = 0; i < 50; i++) {
        // Rounding of fifty rotations.
        assert_close(deviation[i], size, 1e-10, 0.0);
        assert_close(time_shift[i], (i + 1) * (period - T), 1e-10, 0.0);
    }
    free_subject(&s);
}

TEST(errors, a_motion_that_leaves_is_followed_to_the_bound) {
    subject s = one_mass(2.385, 0.731);
    assert_ok(carom_single_impact_orbit(s.basis, 0.83 * 2.0 * acos(-1.0) / 2.385, s.orbit));
    carom_orbit_perturb(s.basis, s.orbit, 0.0137, (const double[]){0.0, 1.0}, s.state);
    double deviation[5];
    assert_status(
        carom_orbit_follow_periods(s.basis, s.motion, s.orbit, 5, 0.013, s.state, deviation, NULL),
        NOT_FOUND);
    assert_close(deviation[0], 0.0137, 1e-10, 0.0);
    ck_assert(isnan(deviation[1]) && isnan(deviation[4]));
    free_subject(&s);
}

TEST(unit, the_closure_error_is_that_of_state_or_period) {
    subject s = moving_chain();
    assert_close(carom_orbit_closure_error(s.basis, s.motion, s.orbit, s.state), 0.0, 0.0, 1e-12);
    // T = 3.745 lies between the root and the grazing: it penetrates, and events strike early.
    assert_ok(carom_single_impact_orbit(s.basis, 3.745, s.orbit));
    ck_assert_double_gt(carom_orbit_closure_error(s.basis, s.motion, s.orbit, s.state), 0.01);
    free_subject(&s);
    // One mass keeps a wrong speed, and is late by the difference of the periods (closed form as
    // above).
    const double w = 2.385;
    const double gap = 0.731;
    subject one = one_mass(w, gap);
    const double T = 0.83 * 2.0 * acos(-1.0) / w;
    assert_ok(carom_single_impact_orbit(one.basis, T, one.orbit));
    one.orbit->state[1] *= 1.1;
    const double period = 2.0 * (acos(-1.0) - atan(-one.orbit->state[1] / (gap * w))) / w;
    assert_close(carom_orbit_closure_error(one.basis, one.motion, one.orbit, one.state),
                 fabs(period / T - 1.0), 1e-10, 0.0);
    // What never strikes has other impacts.
    one.orbit->state[0] *= 0.5;
    one.orbit->state[1] = 0.0;
    ck_assert(isnan(carom_orbit_closure_error(one.basis, one.motion, one.orbit, one.state)));
    free_subject(&one);
}
