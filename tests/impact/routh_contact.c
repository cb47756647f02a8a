/*
 * carom/impact/routh.h: the rod of the specification, the path of the paper's figure 3,
 * closed forms, and an implicit integration of (36) as the independent method.
 */
#include <carom/impact/impact_inclusion.h>
#include <carom/impact/impulse_increment.h>
#include <carom/impact/routh.h>

#include "../failing_malloc.h"
#include "../support.h"

#include <float.h>

static const unsigned long SEED = 20210315;

/** A uniform rod, mass 1, half-length 1, its end touching below, leaning by 50 degrees. */
static carom_routh_contact rod(double mu) {
    const double angle = 50.0 / 45.0 * atan(1.0);
    const double x = cos(angle);
    const double y = sin(angle);
    return (carom_routh_contact){
        .c_nn = 1.0 + 3.0 * x * x, .c_nt = -3.0 * x * y, .c_tt = 1.0 + 3.0 * y * y, .mu = mu};
}

/** The same as an impact problem in (x, y, angle); the contact is at (-cos, -sin) from the COM. */
static carom_impact_problem *rod_problem(double mu, double v_n, double v_t) {
    const double angle = 50.0 / 45.0 * atan(1.0);
    const double M[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0 / 3.0};
    const double J_n[3] = {0.0, 1.0, -cos(angle)};
    const double J_t[3] = {1.0, 0.0, sin(angle)};
    const double v[3] = {v_t, v_n, 0.0};
    carom_impact_problem *problem;
    assert_ok(carom_impact_problem_alloc(3, 1, 1, M, J_n, J_t, &mu, v, &problem, NULL));
    return problem;
}

static double final(const carom_routh_path *path, const double *values) {
    return values[path->point_count - 1];
}

/** C = G G' of a random G [2][3], friction up to `most`. */
static carom_routh_contact random_contact(gsl_rng *generator, double most) {
    double a[3];
    double b[3];
    double c[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < 3; i++) {
        a[i] = uniform(generator, -1.0, 1.0);
        b[i] = uniform(generator, -1.0, 1.0);
        c[0] += a[i] * a[i];
        c[1] += a[i] * b[i];
        c[2] += b[i] * b[i];
    }
    return (carom_routh_contact){
        .c_nn = c[0], .c_nt = c[1], .c_tt = c[2], .mu = uniform(generator, 0.0, most)};
}

TEST(unit, the_rod_of_the_specification_reverses_its_slip) {
    const carom_routh_contact k = rod(0.25);
    carom_routh_path path;
    assert_ok(carom_routh_resolve_planar(&k, -1.0, 0.3, &path, NULL));
    ck_assert_int_eq(path.point_count, 3);
    ck_assert(path.is_reversing && !path.is_sticking && !path.is_without_collision);
    // Specification 4.4, six printed digits.
    assert_close(final(&path, path.tangential_speed), -0.268879, 0.0, 5.1e-7);
    assert_close(final(&path, path.normal_impulse), 0.480029, 0.0, 5.1e-7);
    assert_close(final(&path, path.normal_speed), 0.0, 0.0, 0.0);
    // The corner: sliding with l = -mu until v_t = 0.
    const double slip = 0.3 / (0.25 * k.c_tt - k.c_nt);
    assert_close(path.normal_impulse[1], slip, 4.0 * DBL_EPSILON, 0.0);
    assert_close(path.tangential_impulse[1], -0.25 * slip, 4.0 * DBL_EPSILON, 0.0);
    assert_close(path.normal_speed[1], -1.0 + (k.c_nn - 0.25 * k.c_nt) * slip, 4.0 * DBL_EPSILON,
                 0.0);
    assert_close(path.tangential_speed[1], 0.0, 0.0, 0.0);
}

TEST(unit, full_increments_of_the_rod_converge_to_the_path_at_first_order) {
    // Specification 4.4: increments with caps s/n while it is colliding, the last one partial: the
    // n-th full one leaves v_n just below 0. Five printed digits.
    const int counts[] = {10, 100, 1000, 10000};
    const double printed[] = {-0.26547, -0.26840, -0.26870, -0.26887};
    const carom_routh_contact k = rod(0.25);
    carom_routh_path path;
    assert_ok(carom_routh_resolve_planar(&k, -1.0, 0.3, &path, NULL));
    const double s = final(&path, path.normal_impulse);
    carom_impact_problem *problem = rod_problem(0.25, -1.0, 0.3);
    carom_impulse_increment *increment;
    carom_increment_work *work;
    assert_ok(carom_impulse_increment_alloc(problem, 2, &increment, NULL));
    assert_ok(carom_increment_work_alloc(increment, &work));
    for (int run = 0; run < 4; run++) {
        const double cap = s / counts[run];
        double c[2] = {-1.0, 0.3};
        double L[2];
        int used = 0;
        for (; carom_impact_is_colliding(problem, c); used++) {
            ck_assert_int_le(used, counts[run]);
            assert_ok(carom_impulse_increment_solve(increment, c, &cap, NULL, L, work, NULL));
            carom_impact_add_impulse(problem, L, c, c);
        }
        ck_assert_int_eq(used, counts[run] + 1);
        assert_close(c[1], printed[run], 0.0, 5.1e-6);
        // One increment, that of the corner, differs from the path: by rates of at most 4.
        assert_close(c[1], final(&path, path.tangential_speed), 0.0, 4.0 * cap);
        const double most = carom_routh_increment_error(&k, &path);
        ck_assert_double_lt(most, 4.0);
        assert_close(c[1], final(&path, path.tangential_speed), 0.0, most * cap);
    }
    carom_increment_work_free(work);
    carom_impulse_increment_free(increment);
    carom_impact_problem_free(problem);
}

TEST(unit, an_increment_errs_by_twice_its_friction) {
    // c_nt = 0: the rest of the impact does not feel it.
    const carom_routh_contact straight = {.c_nn = 2.0, .c_nt = 0.0, .c_tt = 3.0, .mu = 0.25};
    carom_routh_path path;
    assert_ok(carom_routh_resolve_planar(&straight, -1.0, 0.1, &path, NULL));
    assert_close(carom_routh_increment_error(&straight, &path), 1.5, 1e-15, 0.0);
    // Sticking does not drift, whatever c_nt is.
    const carom_routh_contact sticking = {.c_nn = 2.0, .c_nt = 0.5, .c_tt = 3.0, .mu = 0.25};
    assert_ok(carom_routh_resolve_planar(&sticking, -1.0, 0.1, &path, NULL));
    ck_assert(path.is_sticking);
    assert_close(carom_routh_increment_error(&sticking, &path), 1.5, 1e-15, 0.0);
    // Sliding on, v_t falls as c_nt - mu c_tt where v_n rises as c_nn - mu c_nt.
    const carom_routh_contact sliding = {.c_nn = 2.0, .c_nt = 1.0, .c_tt = 3.0, .mu = 0.25};
    assert_ok(carom_routh_resolve_planar(&sliding, -1.0, -0.1, &path, NULL));
    ck_assert(path.is_reversing);
    assert_close(carom_routh_increment_error(&sliding, &path), 0.5 * (3.0 + 0.25 / 1.75), 1e-13,
                 0.0);
    assert_ok(carom_routh_resolve_planar(&sliding, 1.0, 0.1, &path, NULL));
    assert_close(carom_routh_increment_error(&sliding, &path), 0.0, 0.0, 0.0);
}

TEST(unit, the_path_of_figure_three_slides_and_then_sticks) {
    // Rays at 80 and -25 degrees from the normal axis, of lengths 1 and 0.1: what C (1, -mu) and
    // C (1, mu) are. The symmetry of C gives mu. [C] path (1.9696,-1.3473) (0,-1) (0,0).
    const double degree = atan(1.0) / 45.0;
    const double minus[2] = {cos(80.0 * degree), -sin(80.0 * degree)};
    const double plus[2] = {0.1 * cos(25.0 * degree), 0.1 * sin(25.0 * degree)};
    const double mu = (plus[0] - minus[0]) / (plus[1] + minus[1]);
    const carom_routh_contact k = {.c_nn = 0.5 * (plus[0] + minus[0]),
                                   .c_nt = 0.5 * (plus[1] + minus[1]),
                                   .c_tt = 0.5 * (plus[1] - minus[1]) / mu,
                                   .mu = mu};
    carom_routh_path path;
    assert_ok(carom_routh_resolve_planar(&k, -1.3473, 1.9696, &path, NULL));
    ck_assert_int_eq(path.point_count, 3);
    ck_assert(path.is_sticking);
    // Four printed digits of both ends.
    assert_close(path.normal_speed[1], -1.0, 0.0, 6e-5);
    assert_close(path.tangential_speed[1], 0.0, 0.0, 0.0);
    assert_close(path.normal_speed[2], 0.0, 0.0, 0.0);
    assert_close(path.tangential_speed[2], 0.0, 0.0, 0.0);
}

TEST(unit, a_contact_that_slides_to_the_end_has_one_phase) {
    const carom_routh_contact k = {.c_nn = 1.7, .c_nt = 0.4, .c_tt = 2.9, .mu = 0.15};
    carom_routh_path path;
    assert_ok(carom_routh_resolve_planar(&k, -0.6, -2.3, &path, NULL));
    const double s = 0.6 / (1.7 + 0.15 * 0.4);
    ck_assert_int_eq(path.point_count, 2);
    ck_assert(!path.is_sticking && !path.is_reversing);
    assert_close(path.normal_impulse[1], s, 4.0 * DBL_EPSILON, 0.0);
    assert_close(path.tangential_speed[1], -2.3 + (0.4 + 0.15 * 2.9) * s, 4.0 * DBL_EPSILON, 0.0);
}

TEST(unit, without_friction_the_impulse_is_normal) {
    const carom_routh_contact k = {.c_nn = 1.7, .c_nt = 0.9, .c_tt = 2.9, .mu = 0.0};
    carom_routh_path path;
    // v_t passes through zero on the way.
    assert_ok(carom_routh_resolve_planar(&k, -0.6, -0.1, &path, NULL));
    assert_close(final(&path, path.tangential_impulse), 0.0, 0.0, 0.0);
    assert_close(final(&path, path.normal_impulse), 0.6 / 1.7, 4.0 * DBL_EPSILON, 0.0);
    assert_close(final(&path, path.tangential_speed), -0.1 + 0.9 * 0.6 / 1.7, 8.0 * DBL_EPSILON,
                 0.0);
    ck_assert(isinf(carom_routh_impulse_bound(&k, -0.6, -0.1)));
    // No tangent at all.
    const carom_routh_contact bare = {.c_nn = 1.7, .c_nt = 0.0, .c_tt = 0.0, .mu = 0.0};
    assert_ok(carom_routh_resolve_planar(&bare, -0.6, 0.0, &path, NULL));
    assert_close(final(&path, path.tangential_impulse), 0.0, 0.0, 0.0);
    assert_close(final(&path, path.normal_impulse), 0.6 / 1.7, 4.0 * DBL_EPSILON, 0.0);
    assert_close(final(&path, path.normal_speed), 0.0, 0.0, 0.0);
}

TEST(unit, the_threshold_of_sticking_is_that_of_the_block) {
    // Specification 3.1: the corner of a block of 1 x 2 sticks for mu >= 6/17, from v_t = 0.
    carom_routh_contact k = {.c_nn = 1.6, .c_nt = -1.2, .c_tt = 3.4, .mu = 6.0 / 17.0 + 1e-9};
    carom_routh_path path;
    assert_ok(carom_routh_resolve_planar(&k, -0.4429, 0.0, &path, NULL));
    ck_assert(path.is_sticking);
    ck_assert_int_eq(path.point_count, 2);
    k.mu = 6.0 / 17.0 - 1e-9;
    assert_ok(carom_routh_resolve_planar(&k, -0.4429, 0.0, &path, NULL));
    ck_assert(!path.is_sticking && !path.is_reversing);
    ck_assert(path.tangential_speed[1] < 0.0);
}

TEST(unit, the_jammed_rod_has_an_impact_without_collision_that_sticks) {
    // c_nn - mu |c_nt| < 0: mu above (1 + 3 cos^2)/(3 cos sin) = 1.516 at 50 degrees.
    const carom_routh_contact k = rod(2.1);
    ck_assert(carom_routh_is_impact_without_collision(&k, -0.7));
    ck_assert(!carom_routh_is_impact_without_collision(&k, 0.7));
    ck_assert(!carom_routh_is_impact_without_collision(&k, 0.0));
    carom_routh_path path;
    assert_ok(carom_routh_resolve_planar(&k, 0.0, -0.7, &path, NULL));
    ck_assert_int_eq(path.point_count, 3);
    ck_assert(path.is_without_collision && path.is_sticking);
    const double slip = 0.7 / (k.c_nt + 2.1 * k.c_tt);
    const double pressed = (k.c_nn + 2.1 * k.c_nt) * slip;
    assert_close(path.normal_impulse[1], slip, 4.0 * DBL_EPSILON, 0.0);
    // The difference of two rates cancels by a factor of about 4.
    assert_close(path.normal_speed[1], pressed, 32.0 * DBL_EPSILON, 0.0);
    ck_assert(path.normal_speed[1] < 0.0);
    assert_close(path.normal_impulse[2], slip - pressed / (k.c_nn - k.c_nt * k.c_nt / k.c_tt),
                 32.0 * DBL_EPSILON, 0.0);
    // The other direction is pulled off: nothing happens.
    assert_ok(carom_routh_resolve_planar(&k, 0.0, 0.7, &path, NULL));
    ck_assert_int_eq(path.point_count, 1);
    assert_close(path.normal_impulse[0], 0.0, 0.0, 0.0);
}

TEST(unit, a_separating_contact_gets_no_impulse) {
    const carom_routh_contact k = rod(2.1);
    carom_routh_path path;
    assert_ok(carom_routh_resolve_planar(&k, 1e-3, -0.7, &path, NULL));
    ck_assert_int_eq(path.point_count, 1);
    assert_close(path.normal_impulse[0], 0.0, 0.0, 0.0);
    assert_close(path.tangential_impulse[0], 0.0, 0.0, 0.0);
    assert_close(path.normal_speed[0], 1e-3, 0.0, 0.0);
    assert_close(path.tangential_speed[0], -0.7, 0.0, 0.0);
}

TEST(unit, one_motion_that_stops_needs_no_sticking_phase) {
    // v = (0.3, -0.7) y: C = (0.09, -0.21, 0.49), singular; y = -1.9 goes straight to zero.
    const carom_routh_contact k = {.c_nn = 0.09, .c_nt = -0.21, .c_tt = 0.49, .mu = 0.8};
    carom_routh_path path;
    assert_ok(carom_routh_resolve_planar(&k, -0.57, 1.33, &path, NULL));
    // 0.3 (0.3 + 0.8 0.7) s = 0.57.
    assert_close(final(&path, path.normal_impulse), 0.57 / 0.258, 16.0 * DBL_EPSILON, 0.0);
    assert_close(final(&path, path.normal_speed), 0.0, 0.0, 0.0);
    assert_close(final(&path, path.tangential_speed), 0.0, 0.0, 16.0 * DBL_EPSILON);
    // |v_n| + |v_t| >= epsilon |y| with epsilon = 1: kappa = 1/0.8.
    assert_close(carom_routh_impulse_bound(&k, -0.57, 1.33), 1.9 / 0.8, 16.0 * DBL_EPSILON, 0.0);
}

TEST(unit, the_impact_of_a_problem_is_one_outcome) {
    carom_impact_problem *problem = rod_problem(0.25, -1.0, 0.3);
    carom_impact_outcomes *outcomes;
    assert_ok(carom_impact_outcomes_alloc(problem, &outcomes));
    assert_ok(carom_routh_impact_planar(problem, 0, outcomes, NULL));
    ck_assert_int_eq(outcomes->count, 1);
    // Specification 4.4.
    assert_close(outcomes->contact_velocity[1], -0.268879, 0.0, 5.1e-7);
    assert_close(outcomes->impulse[0], 0.480029, 0.0, 5.1e-7);
    // Speeds of order 1.
    assert_close(outcomes->contact_velocity[0], 0.0, 0.0, 16.0 * DBL_EPSILON);
    assert_close(outcomes->residual[0], 0.0, 0.0, 16.0 * DBL_EPSILON);
    ck_assert(outcomes->kinetic_energy[0] < problem->kinetic_energy);
    // The same once more is merged.
    assert_ok(carom_routh_impact_planar(problem, 0, outcomes, NULL));
    ck_assert_int_eq(outcomes->count, 1);
    ck_assert_int_eq(outcomes->multiplicity[0], 2);
    carom_impact_outcomes_free(outcomes);
    carom_impact_problem_free(problem);
}

TEST(unit, a_problem_with_a_speed_of_rounding_has_its_impact_without_collision) {
    const carom_routh_contact k = rod(2.1);
    carom_routh_path path;
    assert_ok(carom_routh_resolve_planar(&k, 0.0, -0.7, &path, NULL));
    const double speeds[] = {0.0, 7e-9, -7e-9, 2e-8};
    for (int i = 0; i < 4; i++) {
        carom_impact_problem *problem = rod_problem(2.1, speeds[i], -0.7);
        carom_impact_outcomes *outcomes;
        assert_ok(carom_impact_outcomes_alloc(problem, &outcomes));
        assert_ok(carom_routh_impact_planar(problem, 0, outcomes, NULL));
        const double expected = i < 3 ? final(&path, path.normal_impulse) : 0.0;
        // The inertia 1/3 of the problem is rounded.
        assert_close(outcomes->impulse[0], expected, 64.0 * DBL_EPSILON, 0.0);
        assert_close(outcomes->contact_velocity[0], speeds[i], 0.0, 64.0 * DBL_EPSILON);
        carom_impact_outcomes_free(outcomes);
        carom_impact_problem_free(problem);
    }
}

/**
 * (36) with implicit steps ds: v_t+ = v_t + (c_nt + c_tt l) ds, l in -mu Unit(v_t+), until v_n >= 0
 * or the steps are used up.
 */
static double follow_implicitly(const carom_routh_contact *k, double v_n, double v_t, double ds,
                                int steps, double *v_t_post) {
    double s = 0.0;
    for (int i = 0; i < steps; i++) {
        const double free_speed = v_t + k->c_nt * ds;
        const double most = k->mu * k->c_tt * ds;
        const double v = fabs(free_speed) <= most ? 0.0 : free_speed - copysign(most, free_speed);
        const double l = (v - free_speed) / (k->c_tt * ds);
        const double rate = k->c_nn + k->c_nt * l;
        if (v_n + rate * ds >= 0.0) {
            const double part = -v_n / (rate * ds);
            *v_t_post = v_t + part * (v - v_t);
            return s + part * ds;
        }
        v_n += rate * ds;
        v_t = v;
        s += ds;
    }
    *v_t_post = (double)NAN;
    return (double)NAN;
}

TEST(property, paths_agree_with_an_implicit_integration) {
    gsl_rng *generator = seeded_generator(SEED);
    int kinds[4] = {0, 0, 0, 0};
    for (int round = 0; round < 400; round++) {
        const carom_routh_contact k = random_contact(generator, 3.0);
        const double v_t = uniform(generator, -1.0, 1.0);
        const bool is_pressed = round % 4 == 0 && carom_routh_is_impact_without_collision(&k, v_t);
        const double v_n = is_pressed ? 0.0 : uniform(generator, -1.0, 0.0);
        carom_routh_path path;
        assert_ok(carom_routh_resolve_planar(&k, v_n, v_t, &path, NULL));
        const double s = final(&path, path.normal_impulse);
        const int steps = 4000;
        const double ds = s / steps;
        // A first step in, because v_n = 0 is an end of the integration.
        const double start =
            is_pressed ? (k.c_nn - k.mu * copysign(k.c_nt, v_t * k.c_nt)) * ds : 0.0;
        double v_t_post;
        const double s_post = follow_implicitly(&k, v_n + start, v_t, ds, 2 * steps, &v_t_post);
        // The step at v_t = 0 takes one rate for another, the speed is of first order in it, and
        // the end moves by it over the last rate.
        const double rates = k.c_nn + fabs(k.c_nt) + k.mu * (fabs(k.c_nt) + k.c_tt);
        const double last = (0.0 - path.normal_speed[path.point_count - 2]) /
                            (s - path.normal_impulse[path.point_count - 2]);
        assert_close(s_post, s, 0.0, 4.0 * ds * (1.0 + rates / last));
        assert_close(v_t_post, final(&path, path.tangential_speed), 0.0,
                     4.0 * ds * rates * (1.0 + rates / last));
        kinds[is_pressed ? 3 : (path.is_sticking ? 0 : (path.is_reversing ? 1 : 2))]++;
    }
    for (int i = 0; i < 4; i++) {
        ck_assert_int_gt(kinds[i], 4);
    }
    gsl_rng_free(generator);
}

/** Kinetic energy along c' C^-1 c/2 between two points: L'(c_pre + c_post)/2. */
static double energy_change(const carom_routh_path *path, int from, int to) {
    const double L_n = path->normal_impulse[to] - path->normal_impulse[from];
    const double L_t = path->tangential_impulse[to] - path->tangential_impulse[from];
    return 0.5 * (L_n * (path->normal_speed[to] + path->normal_speed[from]) +
                  L_t * (path->tangential_speed[to] + path->tangential_speed[from]));
}

TEST(property, every_phase_dissipates_within_the_friction_cone_and_the_bound) {
    gsl_rng *generator = seeded_generator(SEED + 1);
    for (int round = 0; round < 5000; round++) {
        const carom_routh_contact k = random_contact(generator, 4.0);
        const double v_n = uniform(generator, -1.0, 0.0);
        const double v_t = uniform(generator, -2.0, 2.0);
        carom_routh_path path;
        assert_ok(carom_routh_resolve_planar(&k, v_n, v_t, &path, NULL));
        const int end = path.point_count - 1;
        assert_close(path.normal_speed[end], 0.0, 0.0, 0.0);
        for (int i = 1; i <= end; i++) {
            const double L_n = path.normal_impulse[i] - path.normal_impulse[i - 1];
            const double L_t = path.tangential_impulse[i] - path.tangential_impulse[i - 1];
            ck_assert_msg(L_n >= 0.0, "round %d", round);
            // Rounding of sums of at most three phases.
            const double s = path.normal_impulse[end];
            ck_assert_msg(fabs(L_t) <= k.mu * L_n + 8.0 * DBL_EPSILON * s * (1.0 + k.mu),
                          "round %d", round);
            ck_assert_msg(energy_change(&path, i - 1, i) <= 0.0, "round %d", round);
            ck_assert_msg(path.normal_speed[i] <= 0.0, "round %d", round);
            // c = c- + C L: the rounding of the sizes of its terms.
            const double size = 1.0 + (k.c_nn + fabs(k.c_nt) + k.c_tt) * (1.0 + k.mu) * s;
            const double *L[2] = {path.normal_impulse, path.tangential_impulse};
            assert_close(path.normal_speed[i], v_n + k.c_nn * L[0][i] + k.c_nt * L[1][i], 0.0,
                         32.0 * DBL_EPSILON * size);
            assert_close(path.tangential_speed[i], v_t + k.c_nt * L[0][i] + k.c_tt * L[1][i], 0.0,
                         32.0 * DBL_EPSILON * size);
        }
        // Lemma 2; a part of 1e-9 for nearly singular C.
        ck_assert_msg(path.normal_impulse[end] <=
                          carom_routh_impulse_bound(&k, v_n, v_t) * (1.0 + 1e-9),
                      "round %d", round);
    }
    gsl_rng_free(generator);
}

TEST(property, speeds_scale_the_path_and_a_mirror_reflects_it_to_the_last_digit) {
    gsl_rng *generator = seeded_generator(SEED + 2);
    for (int round = 0; round < 500; round++) {
        const carom_routh_contact k = random_contact(generator, 3.0);
        const carom_routh_contact mirrored = {
            .c_nn = k.c_nn, .c_nt = -k.c_nt, .c_tt = k.c_tt, .mu = k.mu};
        const double v_n = uniform(generator, -1.0, 0.0);
        const double v_t = uniform(generator, -1.0, 1.0);
        carom_routh_path path;
        carom_routh_path scaled;
        carom_routh_path reflected;
        assert_ok(carom_routh_resolve_planar(&k, v_n, v_t, &path, NULL));
        assert_ok(carom_routh_resolve_planar(&k, 8.0 * v_n, 8.0 * v_t, &scaled, NULL));
        assert_ok(carom_routh_resolve_planar(&mirrored, v_n, -v_t, &reflected, NULL));
        ck_assert_int_eq(scaled.point_count, path.point_count);
        ck_assert_int_eq(reflected.point_count, path.point_count);
        for (int i = 0; i < path.point_count; i++) {
            assert_close(scaled.normal_impulse[i], 8.0 * path.normal_impulse[i], 0.0, 0.0);
            assert_close(scaled.tangential_speed[i], 8.0 * path.tangential_speed[i], 0.0, 0.0);
            assert_close(reflected.normal_impulse[i], path.normal_impulse[i], 0.0, 0.0);
            assert_close(reflected.tangential_impulse[i], -path.tangential_impulse[i], 0.0, 0.0);
            assert_close(reflected.tangential_speed[i], -path.tangential_speed[i], 0.0, 0.0);
        }
    }
    gsl_rng_free(generator);
}

TEST(errors, contacts_that_are_none_are_refused) {
    const carom_routh_contact good = {.c_nn = 1.7, .c_nt = 0.4, .c_tt = 2.9, .mu = 0.15};
    carom_routh_contact bad[7] = {good, good, good, good, good, good, good};
    bad[0].c_nn = 0.0;
    bad[1].c_tt = 0.0;
    bad[2].mu = -0.1;
    bad[3].c_nt = 2.3;
    bad[4].c_nn = (double)NAN;
    bad[5].mu = (double)INFINITY;
    bad[6].c_tt = -1.0;
    for (int i = 0; i < 7; i++) {
        carom_routh_path path;
        carom_report report = carom_report_empty();
        const carom_status expected =
            i == 4 || i == 5 ? CAROM_STATUS_NOT_FINITE : CAROM_STATUS_OUT_OF_RANGE;
        ck_assert_int_eq(carom_routh_resolve_planar(&bad[i], -1.0, 0.3, &path, &report), expected);
        ck_assert_ptr_nonnull(report.quantity);
        ck_assert_int_eq(path.point_count, 1);
        ck_assert(isnan(path.normal_impulse[0]) && isnan(path.tangential_speed[0]));
    }
    carom_routh_path path;
    assert_status(carom_routh_resolve_planar(&good, (double)NAN, 0.3, &path, NULL), NOT_FINITE);
}

TEST(errors, a_wedge_has_no_end) {
    // Rank one, but speeds that are not those of one motion: once it sticks, nothing pushes off.
    const carom_routh_contact k = {.c_nn = 1.0, .c_nt = 1.0, .c_tt = 1.0, .mu = 2.0};
    carom_routh_path path;
    assert_status(carom_routh_resolve_planar(&k, -1.0, -0.3, &path, NULL), SINGULAR);
    ck_assert(isnan(path.normal_impulse[0]));
}

TEST(errors, problems_without_such_a_contact_are_refused) {
    carom_impact_problem *problem = rod_problem(0.25, -1.0, 0.3);
    carom_impact_outcomes *outcomes;
    assert_ok(carom_impact_outcomes_alloc(problem, &outcomes));
    carom_report report = carom_report_empty();
    assert_status(carom_routh_impact_planar(problem, 1, outcomes, &report), OUT_OF_RANGE);
    ck_assert_str_eq(report.quantity, "contact");
    assert_status(carom_routh_impact_planar(problem, -1, outcomes, NULL), OUT_OF_RANGE);
    ck_assert_int_eq(outcomes->count, 0);
    carom_impact_outcomes_free(outcomes);
    carom_impact_problem_free(problem);

    const double M[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
    const double J_n[3] = {0.0, 0.0, 1.0};
    const double J_t[6] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0};
    const double none[3] = {0.0, 0.0, 0.0};
    const double v[3] = {0.3, 0.4, -1.0};
    const double mu = 0.5;
    assert_ok(carom_impact_problem_alloc(3, 1, 2, M, J_n, J_t, &mu, v, &problem, NULL));
    assert_ok(carom_impact_outcomes_alloc(problem, &outcomes));
    assert_status(carom_routh_impact_planar(problem, 0, outcomes, NULL), OUT_OF_RANGE);
    carom_impact_outcomes_free(outcomes);
    carom_impact_problem_free(problem);
    // A contact without a tangential row.
    assert_ok(carom_impact_problem_alloc(3, 1, 1, M, J_n, none, &mu, v, &problem, NULL));
    assert_ok(carom_impact_outcomes_alloc(problem, &outcomes));
    assert_status(carom_routh_impact_planar(problem, 0, outcomes, NULL), OUT_OF_RANGE);
    carom_impact_outcomes_free(outcomes);
    carom_impact_problem_free(problem);
}

TEST(errors, an_impact_without_memory_adds_no_outcome) {
    carom_impact_problem *problem = rod_problem(0.25, -1.0, 0.3);
    carom_impact_outcomes *outcomes;
    assert_ok(carom_impact_outcomes_alloc(problem, &outcomes));
    successes_left = 0;
    const carom_status status = carom_routh_impact_planar(problem, 0, outcomes, NULL);
    successes_left = -1;
    ck_assert_int_eq(status, CAROM_STATUS_OUT_OF_MEMORY);
    ck_assert_int_eq(outcomes->count, 0);
    carom_impact_outcomes_free(outcomes);
    carom_impact_problem_free(problem);
}
