#include "../failing_malloc.h"
#include "../support.h"

#include <carom/base/random.h>
#include <carom/impact/contact_modes.h>
#include <carom/impact/impact_inclusion.h>

#include <string.h>

enum { MOST_CONTACTS = 5, MOST_ROWS = 2 * MOST_CONTACTS, MOST_COORDINATES = 7 };

/** Speeds of the tests are of order 1 and paths have some ten corners: rounding. */
static const double ROUNDING = 1e-12;

/** A uniform rectangle that stands on its two lower corners A, B and falls at `speed`. */
static carom_impact_problem *falling_block(double width, double height, double mass, double mu,
                                           double speed) {
    const double inertia = mass * (width * width + height * height) / 12.0;
    const double M[9] = {mass, 0.0, 0.0, 0.0, mass, 0.0, 0.0, 0.0, inertia};
    const double J_n[6] = {0.0, 1.0, -0.5 * width, 0.0, 1.0, 0.5 * width};
    const double J_t[6] = {1.0, 0.0, 0.5 * height, 1.0, 0.0, 0.5 * height};
    const double friction[2] = {mu, mu};
    const double v[3] = {0.0, -speed, 0.0};
    carom_impact_problem *problem;
    assert_ok(carom_impact_problem_alloc(3, 2, 1, M, J_n, J_t, friction, v, &problem, NULL));
    return problem;
}

/** m contacts on n coordinates, everything random; friction up to `most_friction`. */
static carom_impact_problem *random_problem(gsl_rng *generator, int n, int m,
                                            double most_friction) {
    double A[MOST_COORDINATES * MOST_COORDINATES] = {0};
    double M[MOST_COORDINATES * MOST_COORDINATES];
    double J[MOST_ROWS * MOST_COORDINATES];
    double mu[MOST_CONTACTS];
    double v[MOST_COORDINATES];
    for (int i = 0; i < n * n; i++) {
        A[i] = uniform(generator, -1.0, 1.0);
    }
    // M = A A' + I/2.
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            M[i * n + j] = i == j ? 0.5 : 0.0;
            for (int k = 0; k < n; k++) {
                M[i * n + j] += A[i * n + k] * A[j * n + k];
            }
        }
        v[i] = uniform(generator, -1.0, 1.0);
    }
    for (int i = 0; i < 2 * m * n; i++) {
        J[i] = uniform(generator, -1.0, 1.0);
    }
    for (int i = 0; i < m; i++) {
        mu[i] = uniform(generator, 0.0, most_friction);
    }
    carom_impact_problem *problem;
    assert_ok(carom_impact_problem_alloc(n, m, 1, M, J, J + m * n, mu, v, &problem, NULL));
    return problem;
}

/** m contacts whose cones lie about the first coordinate: e_1 . J'(p, l) = sum p, M = 1. */
static carom_impact_problem *pointed_problem(gsl_rng *generator, int n, int m) {
    double M[MOST_COORDINATES * MOST_COORDINATES] = {0.0};
    double J[MOST_ROWS * MOST_COORDINATES];
    double mu[MOST_CONTACTS];
    double v[MOST_COORDINATES];
    for (int i = 0; i < 2 * m * n; i++) {
        J[i] = uniform(generator, -1.0, 1.0);
    }
    for (int i = 0; i < n; i++) {
        M[i * n + i] = 1.0;
        v[i] = uniform(generator, -1.0, 1.0);
    }
    for (int i = 0; i < m; i++) {
        J[i * n] = 1.0;
        J[(m + i) * n] = 0.0;
        mu[i] = uniform(generator, 0.0, 1.5);
    }
    carom_impact_problem *problem;
    assert_ok(carom_impact_problem_alloc(n, m, 1, M, J, J + m * n, mu, v, &problem, NULL));
    return problem;
}

/** The path of a random policy. */
static carom_planar_inclusion_path *random_path(const carom_impact_problem *problem,
                                                unsigned long sample, double mean_length) {
    carom_inclusion_random random = {problem->contact_count, 20250101UL, sample, mean_length};
    carom_planar_inclusion_params params = carom_planar_inclusion_params_default();
    params.policy = carom_inclusion_policy_random;
    params.context = &random;
    carom_planar_inclusion_path *path;
    assert_ok(carom_planar_inclusion_run(problem, &params, &path, NULL));
    return path;
}

/** The path of given shares. */
static carom_planar_inclusion_path *shared_path(const carom_impact_problem *problem,
                                                const double *weights, bool starts_pressed) {
    carom_inclusion_mixtures shares = {problem->contact_count, weights};
    carom_planar_inclusion_params params = carom_planar_inclusion_params_default();
    params.policy = carom_inclusion_policy_fixed;
    params.context = &shares;
    params.starts_pressed = starts_pressed;
    carom_planar_inclusion_path *path;
    assert_ok(carom_planar_inclusion_run(problem, &params, &path, NULL));
    return path;
}

static double last_s(const carom_planar_inclusion_path *path) {
    return path->s[path->segment_count];
}

static const double *last_speed(const carom_planar_inclusion_path *path) {
    return path->speed + (size_t)path->segment_count * (size_t)path->row_count;
}

/** What Routh's closed form says of one contact (specification 2.1). */
typedef struct routh_end {
    double s;
    double v_t;
    double L_t;
} routh_end;

static routh_end routh_closed_form(const double *C, double mu, double v_n, double v_t) {
    const double c_nn = C[0];
    const double c_nt = C[1];
    const double c_tt = C[3];
    routh_end end = {0.0, v_t, 0.0};
    const double sigma = v_t > 0.0 ? 1.0 : -1.0;
    const double slide_t = c_nt - sigma * mu * c_tt;
    const double slide_n = c_nn - sigma * mu * c_nt;
    const double to_stick = slide_t * sigma < 0.0 ? -v_t / slide_t : (double)INFINITY;
    const double to_end = slide_n > 0.0 ? -v_n / slide_n : (double)INFINITY;
    if (to_end <= to_stick) {
        return (routh_end){to_end, v_t + to_end * slide_t, -sigma * mu * to_end};
    }
    end.s = to_stick;
    end.L_t = -sigma * mu * to_stick;
    v_n += to_stick * slide_n;
    const double stick = fabs(c_nt) <= mu * c_tt ? -c_nt / c_tt : (c_nt > 0.0 ? -mu : mu);
    const double rest = -v_n / (c_nn + stick * c_nt);
    end.s += rest;
    end.L_t += stick * rest;
    end.v_t = fabs(c_nt) <= mu * c_tt ? 0.0 : rest * (c_nt + stick * c_tt);
    return end;
}

/** A uniform rod of mass 1 and half length 1 that touches at one end, its axis at `angle`. */
static carom_impact_problem *rod(double angle, double mu, double v_n, double v_t) {
    const double M[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0 / 3.0};
    const double J_n[3] = {0.0, 1.0, -cos(angle)};
    const double J_t[3] = {1.0, 0.0, sin(angle)};
    const double v[3] = {v_t, v_n, 0.0};
    carom_impact_problem *problem;
    assert_ok(carom_impact_problem_alloc(3, 1, 1, M, J_n, J_t, &mu, v, &problem, NULL));
    return problem;
}

TEST(unit, one_contact_follows_rouths_closed_form) {
    gsl_rng *generator = seeded_generator(4101);
    int reversals = 0;
    for (int k = 0; k < 2000; k++) {
        carom_impact_problem *problem = random_problem(generator, 4, 1, 2.5);
        const double *C = problem->delassus_matrix;
        const double v_n = problem->contact_velocity[0];
        const double v_t = problem->contact_velocity[1];
        const double one = 2.385;
        carom_planar_inclusion_path *path = shared_path(problem, &one, false);
        ck_assert(path->is_finished);
        if (v_n >= 0.0) {
            ck_assert_int_eq(path->segment_count, 0);
            assert_close(path->velocity[2], problem->velocity[2], 0.0, 0.0);
        } else {
            // A Delassus matrix that is nearly singular magnifies rounding.
            const double condition = C[0] * C[3] / (C[0] * C[3] - C[1] * C[1]);
            const double tolerance = ROUNDING * condition;
            const routh_end end = routh_closed_form(C, problem->friction[0], v_n, v_t);
            assert_close(last_s(path), end.s, tolerance, 0.0);
            assert_close(path->impulse[1], end.L_t, tolerance, tolerance * end.s);
            assert_close(last_speed(path)[0], 0.0, 0.0, 0.0);
            assert_close(last_speed(path)[1], end.v_t, tolerance, tolerance);
            ck_assert_int_le(path->segment_count, 2);
            reversals += end.v_t * v_t < 0.0;
        }
        carom_planar_inclusion_path_free(path);
        carom_impact_problem_free(problem);
    }
    ck_assert_int_gt(reversals, 50);
    gsl_rng_free(generator);
}

TEST(unit, the_rod_of_the_specification_reverses_its_slip) {
    // Specification 4.4, printed to six decimals.
    carom_impact_problem *problem = rod(50.0 * atan(1.0) / 45.0, 0.25, -1.0, 0.3);
    const double one = 1.0;
    carom_planar_inclusion_path *path = shared_path(problem, &one, false);
    assert_close(last_s(path), 0.480029, 0.0, 5e-7);
    assert_close(last_speed(path)[1], -0.268879, 0.0, 5e-7);
    ck_assert_int_eq(path->segment_count, 2);
    carom_planar_inclusion_path_free(path);
    carom_impact_problem_free(problem);
}

TEST(unit, a_painleve_rod_gets_an_impulse_without_collision) {
    // Specification 2.1: slide to v_t = 0, then stick until v_n = 0 again.
    const double angle = 65.0 * atan(1.0) / 45.0;
    const double mu = 2.0;
    const double v_t = -0.731;
    carom_impact_problem *problem = rod(angle, mu, 0.0, v_t);
    const double c_nn = 1.0 + 3.0 * cos(angle) * cos(angle);
    const double c_nt = -3.0 * cos(angle) * sin(angle);
    const double c_tt = 1.0 + 3.0 * sin(angle) * sin(angle);
    const double slide = -v_t / (c_nt + mu * c_tt);
    const double depth = -slide * (c_nn + mu * c_nt);
    const double stick = depth / (c_nn - c_nt * c_nt / c_tt);
    ck_assert(depth > 0.0);

    const double one = 1.0;
    carom_planar_inclusion_path *path = shared_path(problem, &one, true);
    ck_assert_int_eq(path->segment_count, 2);
    assert_close(path->s[1], slide, ROUNDING, 0.0);
    assert_close(path->speed[2], -depth, ROUNDING, 0.0);
    assert_close(last_s(path), slide + stick, ROUNDING, 0.0);
    assert_close(last_speed(path)[1], 0.0, 0.0, 0.0);
    carom_planar_inclusion_path_free(path);

    // Not asked for, or sliding the other way, or with less friction: none.
    path = shared_path(problem, &one, false);
    ck_assert_int_eq(path->segment_count, 0);
    carom_planar_inclusion_path_free(path);
    carom_impact_problem_free(problem);
    const struct {
        double mu;
        double v_t;
    } harmless[] = {{mu, 0.731}, {-0.99 * c_nn / c_nt, v_t}};
    for (int k = 0; k < 2; k++) {
        problem = rod(angle, harmless[k].mu, 0.0, harmless[k].v_t);
        path = shared_path(problem, &one, true);
        ck_assert_int_eq(path->segment_count, 0);
        ck_assert(path->is_finished);
        carom_planar_inclusion_path_free(path);
        carom_impact_problem_free(problem);
    }
}

/** The speeds of a path of the block lie on the two segments, its duration is m (v0 + a/2). */
static void assert_on_segments(const carom_planar_inclusion_path *path, double e, double mass,
                               double v0) {
    const double *c = last_speed(path);
    ck_assert(path->is_finished);
    const double a = fmax(c[0], c[1]);
    assert_close(fmin(c[0], c[1]), 0.0, 0.0, 0.0);
    ck_assert(a >= 0.0);
    ck_assert(a <= e * (1.0 - e) * v0 * (1.0 + ROUNDING));
    assert_close(c[2], 0.0, 0.0, 0.0);
    assert_close(c[3], 0.0, 0.0, 0.0);
    assert_close(last_s(path), mass * (v0 + 0.5 * a), ROUNDING, 0.0);
}

TEST(unit, the_block_ends_on_the_two_segments_of_the_specification) {
    // Specification 3.1: e = 0.7, the two sequences are the ends of the segments.
    const double v0 = sqrt(2.0 * 9.81 * 0.01);
    carom_impact_problem *problem = falling_block(1.0, 2.0, 1.0, 1.0, v0);
    const double shares[3][2] = {{1.0, 0.0}, {0.0, 1.0}, {1.0, 1.0}};
    const double expected[3][2] = {{0.21 * v0, 0.0}, {0.0, 0.21 * v0}, {0.0, 0.0}};
    for (int k = 0; k < 3; k++) {
        carom_planar_inclusion_path *path = shared_path(problem, shares[k], false);
        assert_close(last_speed(path)[0], expected[k][0], ROUNDING, 0.0);
        assert_close(last_speed(path)[1], expected[k][1], ROUNDING, 0.0);
        assert_on_segments(path, 0.7, 1.0, v0);
        carom_planar_inclusion_path_free(path);
    }
    double largest = 0.0;
    for (unsigned long k = 0; k < 500; k++) {
        carom_planar_inclusion_path *path =
            random_path(problem, k, k % 2 == 0 ? (double)INFINITY : 0.05);
        assert_on_segments(path, 0.7, 1.0, v0);
        largest = fmax(largest, last_speed(path)[0]);
        carom_planar_inclusion_path_free(path);
    }
    // The segments are covered: a share below 0.03, likely among 250, is needed.
    ck_assert(largest > 0.95 * 0.21 * v0);
    carom_impact_problem_free(problem);
}

TEST(unit, blocks_of_five_shapes_end_on_their_segments) {
    // Specification 3.1, general block: e = 1/4 + 3/4 (h2 - w2)/(h2 + w2), w < sqrt2 h.
    const double shapes[5][4] = {{1.0, 2.0, 1.0, 0.443},
                                 {0.7, 0.7, 2.385, 1.31},
                                 {1.3, 1.1, 0.52, 0.2},
                                 {0.31, 1.9, 7.1, 2.2},
                                 {2.0, 1.5, 1.7, 0.9}};
    for (int k = 0; k < 5; k++) {
        const double w = shapes[k][0];
        const double h = shapes[k][1];
        const double e = 0.25 + 0.75 * (h * h - w * w) / (h * h + w * w);
        const double threshold = 3.0 * w * h / (w * w + 4.0 * h * h);
        carom_impact_problem *problem =
            falling_block(w, h, shapes[k][2], 1.01 * threshold, shapes[k][3]);
        for (unsigned long sample = 0; sample < 60; sample++) {
            carom_planar_inclusion_path *path = random_path(problem, sample, INFINITY);
            assert_on_segments(path, e, shapes[k][2], shapes[k][3]);
            carom_planar_inclusion_path_free(path);
        }
        carom_impact_problem_free(problem);
    }
}

TEST(unit, a_flat_block_can_only_come_to_rest) {
    // Specification 3.1: w >= sqrt2 h.
    carom_impact_problem *problem = falling_block(1.7, 1.1, 1.3, 1.0, 0.8);
    for (unsigned long sample = 0; sample < 60; sample++) {
        carom_planar_inclusion_path *path = random_path(problem, sample, INFINITY);
        ck_assert(path->is_finished);
        for (int a = 0; a < 4; a++) {
            assert_close(last_speed(path)[a], 0.0, 0.0, 0.0);
        }
        assert_close(last_s(path), 1.3 * 0.8, ROUNDING, 0.0);
        carom_planar_inclusion_path_free(path);
    }
    carom_impact_problem_free(problem);
}

TEST(unit, dissipation_can_be_as_slow_as_one_likes) {
    // Example (42): M = J_n = 1, v = -(1 + eps)/2 (1, eps), p = (eps, 1)/(1 + eps): K' = -eps.
    const double identity[4] = {1.0, 0.0, 0.0, 1.0};
    const double zeros[4] = {0.0, 0.0, 0.0, 0.0};
    const double smallness[] = {0.5, 0.0735, 1e-3, 1e-7};
    for (int k = 0; k < 4; k++) {
        const double eps = smallness[k];
        const double v[2] = {-0.5 * (1.0 + eps), -0.5 * (1.0 + eps) * eps};
        carom_impact_problem *problem;
        assert_ok(carom_impact_problem_alloc(2, 2, 1, identity, identity, zeros, zeros, v, &problem,
                                             NULL));
        const double weights[2] = {eps, 1.0};
        carom_friction_rates *work;
        assert_ok(carom_friction_rates_alloc(problem, &work, NULL));
        double rate[4];
        double speed_rate[4];
        assert_ok(carom_friction_rates_compute(work, weights, problem->contact_velocity, rate,
                                               speed_rate, NULL));
        assert_close(rate[0] * v[0] + rate[1] * v[1], -eps, 1e-15, 0.0);
        assert_close(v[0] * speed_rate[0] + v[1] * speed_rate[1], -eps, 1e-15, 0.0);
        carom_friction_rates_free(work);
        carom_impact_problem_free(problem);
    }
}

TEST(unit, a_separating_velocity_is_returned_unchanged) {
    carom_impact_problem *problem = falling_block(1.0, 2.0, 1.0, 0.4, -0.37);
    const double weights[2] = {0.3, 0.4};
    for (int pressed = 0; pressed < 2; pressed++) {
        carom_planar_inclusion_path *path = shared_path(problem, weights, pressed == 1);
        ck_assert(path->is_finished);
        ck_assert_int_eq(path->segment_count, 0);
        assert_close(path->velocity[1], 0.37, 0.0, 0.0);
        assert_close(last_s(path), 0.0, 0.0, 0.0);
        carom_planar_inclusion_path_free(path);
    }
    carom_impact_problem_free(problem);
}

/** (37)-(41) and friction on one segment; speeds of both corners. */
static void assert_segment(const carom_impact_problem *problem,
                           const carom_planar_inclusion_path *path, int k) {
    const int m = path->contact_count;
    const int r = path->row_count;
    const double *rate = path->rate + k * r;
    const double length = path->s[k + 1] - path->s[k];
    double sum = 0.0;
    double power = 0.0;
    for (int i = 0; i < m; i++) {
        const double mu = problem->friction[i];
        const double middle_n = 0.5 * (path->speed[k * r + i] + path->speed[(k + 1) * r + i]);
        const double middle_t =
            0.5 * (path->speed[k * r + m + i] + path->speed[(k + 1) * r + m + i]);
        sum += rate[i];
        ck_assert(rate[i] >= 0.0);
        ck_assert(rate[i] * path->speed[k * r + i] <= 0.0);
        ck_assert(fabs(rate[m + i]) <= mu * rate[i] + ROUNDING);
        // A contact that slides along the segment has friction against its motion.
        if (fabs(middle_t) > 0.0) {
            assert_close(rate[m + i], -mu * rate[i] * copysign(1.0, middle_t), ROUNDING, ROUNDING);
        }
        power += rate[i] * (middle_n - mu * fabs(middle_t));
    }
    assert_close(sum, 1.0, ROUNDING, 0.0);
    // (41), integrated: speeds are linear and keep their signs. Differences of energies of order 1.
    ck_assert(power <= 0.0);
    assert_close(path->kinetic_energy[k + 1] - path->kinetic_energy[k], length * power, ROUNDING,
                 ROUNDING);
}

TEST(property, random_paths_obey_the_inclusion_and_dissipate_as_it_says) {
    gsl_rng *generator = seeded_generator(4102);
    int segments = 0;
    for (unsigned long k = 0; k < 600; k++) {
        const int m = 1 + (int)(k % 4);
        const int n = 3 + (int)(k % 3);
        carom_impact_problem *problem = random_problem(generator, n, m, k % 2 == 0 ? 0.8 : 3.0);
        carom_planar_inclusion_path *path =
            random_path(problem, k, k % 3 == 0 ? 0.3 : (double)INFINITY);
        ck_assert(path->largest_residual <= 1e-9);
        for (int j = 0; j < path->segment_count; j++) {
            assert_segment(problem, path, j);
        }
        if (path->is_finished) {
            for (int i = 0; i < m; i++) {
                ck_assert(last_speed(path)[i] >= 0.0);
            }
        }
        ck_assert_double_le(carom_planar_inclusion_energy_error(problem, path), ROUNDING);
        // The summed work is the energy of v+. Impulses of many segments round: 1e-11.
        assert_close(carom_impact_kinetic_energy(problem, path->velocity),
                     path->kinetic_energy[path->segment_count], 1e-11, 1e-11);
        segments += path->segment_count;
        carom_planar_inclusion_path_free(path);
        carom_impact_problem_free(problem);
    }
    ck_assert_int_gt(segments, 1200);
    gsl_rng_free(generator);
}

TEST(unit, energy_beside_the_inclusion_is_an_error) {
    gsl_rng *generator = seeded_generator(4107);
    carom_impact_problem *problem = random_problem(generator, 3, 2, 0.8);
    carom_planar_inclusion_path *path = random_path(problem, 5, (double)INFINITY);
    ck_assert_int_ge(path->segment_count, 1);
    path->kinetic_energy[1] += 0.25 * problem->kinetic_energy;
    assert_close(carom_planar_inclusion_energy_error(problem, path), 0.25, 1e-12, 0.0);
    carom_planar_inclusion_path_free(path);
    carom_impact_problem_free(problem);
    gsl_rng_free(generator);
}

TEST(property, paths_scale_with_the_velocity) {
    // Lemma 11: k v(s/k).
    gsl_rng *generator = seeded_generator(4103);
    const double factor = 7.31;
    for (int k = 0; k < 100; k++) {
        carom_impact_problem *problem = pointed_problem(generator, 5, 3);
        const double weights[3] = {0.2, 0.5, 0.35};
        carom_planar_inclusion_path *path = shared_path(problem, weights, false);
        double v[5];
        for (int i = 0; i < 5; i++) {
            v[i] = factor * problem->velocity[i];
        }
        assert_ok(carom_impact_problem_set_velocity(problem, v));
        carom_planar_inclusion_path *scaled = shared_path(problem, weights, false);
        ck_assert_int_eq(scaled->segment_count, path->segment_count);
        for (int j = 0; j <= path->segment_count; j++) {
            // Some corners amplify rounding: nearly parallel contact rows.
            assert_close(scaled->s[j], factor * path->s[j], 1e-10, 0.0);
        }
        for (int i = 0; i < 5; i++) {
            assert_close(scaled->velocity[i], factor * path->velocity[i], 1e-10, 1e-10);
        }
        carom_planar_inclusion_path_free(path);
        carom_planar_inclusion_path_free(scaled);
        carom_impact_problem_free(problem);
    }
    gsl_rng_free(generator);
}

TEST(property, paths_end_within_the_bound_of_a_pointed_cone) {
    // Here r = e_1 of Lemma 6 gives r . v' = 1 exactly: s = r . (v+ - v-) <= 2 |v-|.
    gsl_rng *generator = seeded_generator(4104);
    for (unsigned long k = 0; k < 400; k++) {
        const int m = 1 + (int)(k % 5);
        carom_impact_problem *problem = pointed_problem(generator, 6, m);
        carom_planar_inclusion_path *path = random_path(problem, k, INFINITY);
        ck_assert(path->is_finished);
        assert_close(last_s(path), path->velocity[0] - problem->velocity[0], 1e-11, 1e-13);
        ck_assert(last_s(path) <= 2.0 * sqrt(2.0 * problem->kinetic_energy) * (1.0 + ROUNDING));
        carom_planar_inclusion_path_free(path);
        carom_impact_problem_free(problem);
    }
    gsl_rng_free(generator);
}

TEST(property, the_order_of_contacts_does_not_matter) {
    gsl_rng *generator = seeded_generator(4105);
    for (int k = 0; k < 100; k++) {
        carom_impact_problem *p = pointed_problem(generator, 5, 3);
        const int n = 5;
        const int order[3] = {2, 0, 1};
        double J_n[15];
        double J_t[15];
        double mu[3];
        double turned[3];
        const double weights[3] = {0.2, 0.5, 0.35};
        for (int i = 0; i < 3; i++) {
            memcpy(J_n + i * n, p->contact_jacobian + order[i] * n, (size_t)n * sizeof(double));
            memcpy(J_t + i * n, p->contact_jacobian + (3 + order[i]) * n,
                   (size_t)n * sizeof(double));
            mu[i] = p->friction[order[i]];
            turned[i] = weights[order[i]];
        }
        carom_impact_problem *q;
        assert_ok(
            carom_impact_problem_alloc(n, 3, 1, p->mass, J_n, J_t, mu, p->velocity, &q, NULL));
        carom_planar_inclusion_path *path = shared_path(p, weights, false);
        carom_planar_inclusion_path *other = shared_path(q, turned, false);
        for (int i = 0; i < n; i++) {
            assert_close(other->velocity[i], path->velocity[i], 1e-10, 1e-10);
        }
        carom_planar_inclusion_path_free(path);
        carom_planar_inclusion_path_free(other);
        carom_impact_problem_free(p);
        carom_impact_problem_free(q);
    }
    gsl_rng_free(generator);
}

/** Fixed shares that are asked for again after every 0.05 N s. */
static double impatient(int segment, double s, const double *c, double *weights, void *context) {
    (void)carom_inclusion_policy_fixed(segment, s, c, weights, context);
    return 0.05;
}

TEST(property, corners_that_change_nothing_change_nothing) {
    gsl_rng *generator = seeded_generator(4106);
    for (int k = 0; k < 100; k++) {
        carom_impact_problem *problem = pointed_problem(generator, 5, 3);
        const double weights[3] = {0.2, 0.5, 0.35};
        carom_planar_inclusion_path *path = shared_path(problem, weights, false);
        carom_inclusion_mixtures shares = {3, weights};
        carom_planar_inclusion_params params = carom_planar_inclusion_params_default();
        params.policy = impatient;
        params.context = &shares;
        carom_planar_inclusion_path *cut;
        assert_ok(carom_planar_inclusion_run(problem, &params, &cut, NULL));
        ck_assert_int_ge(cut->segment_count, path->segment_count);
        for (int i = 0; i < 5; i++) {
            assert_close(cut->velocity[i], path->velocity[i], 1e-10, 1e-10);
        }
        carom_planar_inclusion_path_free(path);
        carom_planar_inclusion_path_free(cut);
        carom_impact_problem_free(problem);
    }
    gsl_rng_free(generator);
}

TEST(property, friction_minimizes_the_change_of_velocity) {
    // All contacts collide and stick: |J'(p, l)|^2 in M^-1 is least, against random admissible l.
    gsl_rng *generator = seeded_generator(4107);
    for (int k = 0; k < 200; k++) {
        const int m = 1 + k % 4;
        carom_impact_problem *problem = random_problem(generator, 5, m, 2.0);
        double c[MOST_ROWS] = {0.0};
        double weights[MOST_CONTACTS];
        for (int i = 0; i < m; i++) {
            c[i] = -uniform(generator, 0.1, 1.0);
            weights[i] = uniform(generator, 0.0, 1.0);
        }
        double rate[MOST_ROWS];
        double speed_rate[MOST_ROWS];
        carom_friction_rates *work;
        assert_ok(carom_friction_rates_alloc(problem, &work, NULL));
        assert_ok(carom_friction_rates_compute(work, weights, c, rate, speed_rate, NULL));
        double least = 0.0;
        for (int a = 0; a < 2 * m; a++) {
            least += rate[a] * speed_rate[a];
        }
        for (int trial = 0; trial < 20; trial++) {
            double other[MOST_ROWS];
            memcpy(other, rate, sizeof other);
            for (int i = 0; i < m; i++) {
                const double bound = problem->friction[i] * rate[i];
                const double step = trial % 2 == 0 ? 1.0 : 1e-3;
                const double moved = rate[m + i] + step * uniform(generator, -bound, bound);
                other[m + i] = fmin(fmax(moved, -bound), bound);
            }
            double change[MOST_ROWS];
            memset(change, 0, sizeof change);
            carom_impact_add_impulse(problem, other, change, change);
            double square = 0.0;
            for (int a = 0; a < 2 * m; a++) {
                square += other[a] * change[a];
            }
            ck_assert(square >= least - ROUNDING);
        }
        carom_friction_rates_free(work);
        carom_impact_problem_free(problem);
    }
    gsl_rng_free(generator);
}

TEST(property, contacts_at_rest_are_pressed_kept_or_released) {
    // Complementarity of a resting contact with its share, over random signs and couplings.
    gsl_rng *generator = seeded_generator(4108);
    int counts[3] = {0, 0, 0};
    for (int k = 0; k < 1000; k++) {
        carom_impact_problem *problem = random_problem(generator, 4, 3, 2.0);
        // Contact 0 collides, the others rest or stick at random.
        double c[6] = {-0.7, 0.0, 0.0, 0.4, 0.0, 0.0};
        c[4] = k % 2 == 0 ? 0.0 : 0.3;
        const double weights[3] = {0.5, 0.3, 0.2};
        double rate[6];
        double speed_rate[6];
        carom_friction_rates *work;
        assert_ok(carom_friction_rates_alloc(problem, &work, NULL));
        assert_ok(carom_friction_rates_compute(work, weights, c, rate, speed_rate, NULL));
        // Shares relative to that of the colliding contact are at most as given.
        for (int i = 1; i < 3; i++) {
            const double share = rate[i] / rate[0] * weights[0];
            ck_assert(share >= 0.0 && share <= weights[i] * (1.0 + 1e-9));
            if (share <= 0.0) {
                ck_assert(speed_rate[i] >= -1e-9);
                counts[0]++;
            } else if (share < weights[i] * (1.0 - 1e-9)) {
                assert_close(speed_rate[i], 0.0, 0.0, 1e-9);
                counts[1]++;
            } else {
                ck_assert(speed_rate[i] <= 1e-9);
                counts[2]++;
            }
        }
        carom_friction_rates_free(work);
        carom_impact_problem_free(problem);
    }
    for (int kind = 0; kind < 3; kind++) {
        ck_assert_int_gt(counts[kind], 20);
    }
    gsl_rng_free(generator);
}

TEST(property, random_paths_are_the_same_bytes_each_time) {
    gsl_rng *generator = seeded_generator(4109);
    carom_impact_problem *problem = pointed_problem(generator, 6, 4);
    carom_planar_inclusion_path *first = random_path(problem, 17, 0.1);
    carom_planar_inclusion_path *other = random_path(problem, 18, 0.1);
    carom_planar_inclusion_path *again = random_path(problem, 17, 0.1);
    ck_assert_int_eq(first->segment_count, again->segment_count);
    ck_assert_mem_eq(first->velocity, again->velocity, 6 * sizeof(double));
    ck_assert_mem_ne(first->velocity, other->velocity, 6 * sizeof(double));
    carom_planar_inclusion_path_free(first);
    carom_planar_inclusion_path_free(other);
    carom_planar_inclusion_path_free(again);
    carom_impact_problem_free(problem);
    gsl_rng_free(generator);
}

/** A policy that hands on what its context says: two weights and a length. */
static double told(int segment, double s, const double *c, double *weights, void *context) {
    (void)segment;
    (void)s;
    (void)c;
    const double *values = context;
    weights[0] = values[0];
    weights[1] = values[1];
    return values[2];
}

TEST(errors, impossible_policies_are_refused) {
    carom_impact_problem *problem = falling_block(1.0, 2.0, 1.0, 1.0, 0.4);
    double refused[][3] = {{-0.1, 1.0, 1.0},     {0.0, 0.0, 1.0}, {1.0, (double)NAN, 1.0},
                           {1.0, INFINITY, 1.0}, {1.0, 1.0, 0.0}, {1.0, 1.0, (double)NAN},
                           {1.0, 1.0, -2.0}};
    carom_planar_inclusion_params params = carom_planar_inclusion_params_default();
    params.policy = told;
    for (size_t k = 0; k < sizeof refused / sizeof refused[0]; k++) {
        params.context = refused[k];
        carom_report report = carom_report_empty();
        carom_planar_inclusion_path *path = (void *)&params;
        assert_status(carom_planar_inclusion_run(problem, &params, &path, &report), OUT_OF_RANGE);
        ck_assert_ptr_null(path);
        ck_assert_ptr_nonnull(report.quantity);
    }
    params = carom_planar_inclusion_params_default();
    params.most_segments = 0;
    carom_planar_inclusion_path *path;
    assert_status(carom_planar_inclusion_run(problem, &params, &path, NULL), OUT_OF_RANGE);
    carom_impact_problem_free(problem);
}

TEST(errors, a_failed_evaluation_leaves_nan) {
    carom_impact_problem *problem = falling_block(1.0, 2.0, 1.0, 1.0, 0.4);
    carom_friction_rates *work;
    assert_ok(carom_friction_rates_alloc(problem, &work, NULL));
    const double weights[2] = {0.0, -1.0};
    double rate[4] = {0.0};
    double speed_rate[4] = {0.0};
    double residual = 0.0;
    assert_status(carom_friction_rates_compute(work, weights, problem->contact_velocity, rate,
                                               speed_rate, &residual),
                  OUT_OF_RANGE);
    for (int a = 0; a < 4; a++) {
        ck_assert(isnan(rate[a]) && isnan(speed_rate[a]));
    }
    ck_assert(isnan(residual));
    carom_friction_rates_free(work);
    carom_friction_rates_free(NULL);
    carom_planar_inclusion_path_free(NULL);
    carom_impact_problem_free(problem);
}

TEST(errors, a_path_that_is_cut_short_says_so) {
    carom_impact_problem *problem = falling_block(1.0, 2.0, 1.0, 1.0, 0.4);
    carom_planar_inclusion_params params = carom_planar_inclusion_params_default();
    double two[3] = {1.0, 1.0, 1e-3};
    params.policy = told;
    params.context = two;
    params.most_segments = 100;
    carom_planar_inclusion_path *path;
    assert_ok(carom_planar_inclusion_run(problem, &params, &path, NULL));
    ck_assert(!path->is_finished);
    ck_assert_int_eq(path->segment_count, 100);
    // Both corners slow down at the rate (20 + 14)/17/2 = 1 (specification 3.1).
    assert_close(last_speed(path)[0], -0.3, 1e-12, 0.0);
    carom_planar_inclusion_path_free(path);
    carom_impact_problem_free(problem);
}

TEST(errors, spatial_problems_are_refused) {
    const double M[4] = {1.0, 0.0, 0.0, 1.0};
    const double J_n[2] = {1.0, 0.0};
    const double J_t[4] = {0.0, 1.0, 0.0, 0.0};
    const double mu = 0.3;
    const double v[2] = {-1.0, 0.0};
    carom_impact_problem *problem;
    assert_ok(carom_impact_problem_alloc(2, 1, 2, M, J_n, J_t, &mu, v, &problem, NULL));
    const carom_planar_inclusion_params params = carom_planar_inclusion_params_default();
    carom_planar_inclusion_path *path;
    carom_report report = carom_report_empty();
    assert_status(carom_planar_inclusion_run(problem, &params, &path, &report), OUT_OF_RANGE);
    assert_close(report.value, 2.0, 0.0, 0.0);
    carom_impact_problem_free(problem);
}

TEST(errors, every_failed_allocation_is_reported_without_a_leak) {
    carom_impact_problem *problem = falling_block(1.0, 2.0, 1.0, 1.0, 0.4);
    carom_planar_inclusion_params params = carom_planar_inclusion_params_default();
    // More than sixteen segments, so that the path grows.
    double cut[3] = {1.0, 1.0, 0.01};
    params.policy = told;
    params.context = cut;
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    for (int k = 0; status != CAROM_OK; k++) {
        ck_assert_int_lt(k, 100);
        carom_planar_inclusion_path *path = NULL;
        successes_left = k;
        status = carom_planar_inclusion_run(problem, &params, &path, NULL);
        successes_left = -1;
        ck_assert_int_eq(status == CAROM_OK, path != NULL);
        ck_assert(status == CAROM_OK || status == CAROM_STATUS_OUT_OF_MEMORY);
        carom_planar_inclusion_path_free(path);
    }
    carom_impact_problem_free(problem);
}
