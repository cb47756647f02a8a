/*
 * carom/impact/impact_bounds.h: identities for few cells (2, 4, 9) and for more than any double can
 * count, and Lemma 1 put to the test with random nets of maps whose constant is known.
 */
#include "../support.h"

#include <carom/base/random.h>
#include <carom/impact/impact_bounds.h>

#include <gsl/gsl_sort.h>
#include <stdbool.h>

static const double LN_10 = 2.302585092994045684;

static double failure_of(const carom_net_problem *problem, double samples) {
    double bound;
    assert_ok(carom_net_failure(problem, samples, &bound, NULL));
    return bound;
}

// ceil(1.7) = 2 cells: (1/2)^N 2.
TEST(unit, two_cells_fail_like_a_coin) {
    const carom_net_problem problem = {
        .dimension = 1, .side = 0.85, .lipschitz = 5.0, .net_radius = 2.5};
    for (int N = 1; N < 400; N += 7) {
        assert_close(failure_of(&problem, N), (1.0 - N) * log(2.0), 1e-13, 1e-13);
    }
}

// ceil(2.5) = 3, squared: 9 (8/9)^N.
TEST(unit, nine_cells_of_a_square) {
    const carom_net_problem problem = {
        .dimension = 2, .side = 0.3, .lipschitz = 7.0, .net_radius = 2.1 * sqrt(2.0) / 2.5};
    for (int N = 1; N < 400; N += 7) {
        assert_close(failure_of(&problem, N), log(9.0) - N * log(9.0 / 8.0), 1e-13, 1e-13);
    }
}

TEST(unit, one_cell_is_never_empty) {
    const carom_net_problem problem = {
        .dimension = 3, .side = 0.3, .lipschitz = 2.0, .net_radius = 1.3, .probability = 0.01};
    ck_assert(isinf(failure_of(&problem, 1.0)) && failure_of(&problem, 1.0) < 0.0);
    carom_net_bound bound;
    assert_ok(carom_net_samples(&problem, &bound, NULL));
    assert_close(bound.log10_cells, 0.0, 0.0, 0.0);
    assert_close(bound.samples, 1.0, 0.0, 0.0);
    assert_close(bound.log10_samples, 0.0, 0.0, 0.0);
}

// Four cells: (3/4)^M 4 <= 0.1 from M = ln 40/ln(4/3) = 12.82 on.
TEST(unit, samples_are_the_first_that_keep_the_probability) {
    const carom_net_problem problem = {
        .dimension = 2, .side = 1.0, .lipschitz = 1.0, .net_radius = 0.8, .probability = 0.1};
    carom_net_bound bound;
    assert_ok(carom_net_samples(&problem, &bound, NULL));
    assert_close(bound.log10_cells, log10(4.0), 1e-15, 0.0);
    assert_close(bound.log10_samples, log10(log(40.0) / log(4.0 / 3.0)), 1e-13, 0.0);
    assert_close(bound.samples, 13.0, 0.0, 0.0);
    ck_assert_double_gt(failure_of(&problem, 12.0), log(0.1));
    ck_assert_double_le(failure_of(&problem, 13.0), log(0.1));
}

// 2^m cells from m dimensions of two: -ln(1 - x) = x + x^2/2 + x^3/3 + x^4/4 for x = 2^-m.
TEST(unit, many_cells_keep_their_digits) {
    const double delta = 0.037;
    for (int m = 14; m <= 900; m += 11) {
        // sqrt(m)/radius in (1, 2].
        const carom_net_problem problem = {.dimension = m,
                                           .side = 1.0,
                                           .lipschitz = 1.0,
                                           .net_radius = sqrt(m) / 1.5,
                                           .probability = delta};
        carom_net_bound bound;
        assert_ok(carom_net_samples(&problem, &bound, NULL));
        const double x = ldexp(1.0, -m);
        const double series = x * (1.0 + x * (0.5 + x * (1.0 / 3.0 + x / 4.0)));
        const double expected = (m * log(2.0) - log(delta)) / series;
        assert_close(bound.log10_cells, m * log10(2.0), 1e-14, 0.0);
        assert_close(bound.log10_samples, log10(expected), 1e-13, 0.0);
        // The exponent of 900 ln 2 has lost three digits.
        assert_close(bound.samples, expected, 1e-12, 1.0);
        // Half as many samples as cells.
        const double N = floor(0.5 * ldexp(1.0, m));
        assert_close(failure_of(&problem, N), m * log(2.0) - N * series, 1e-12, 0.0);
    }
}

// 10^(6 . 200) cells: ln(1 - Omega) = -Omega to all digits.
TEST(unit, cells_may_exceed_any_double) {
    const carom_net_problem problem = {.dimension = 200,
                                       .side = 2.0,
                                       .lipschitz = 1e6,
                                       .net_radius = 2.0 * sqrt(200.0) * (1.0 + 1e-9),
                                       .probability = 0.01};
    carom_net_bound bound;
    assert_ok(carom_net_samples(&problem, &bound, NULL));
    assert_close(bound.log10_cells, 1200.0, 1e-14, 0.0);
    assert_close(bound.log10_samples, 1200.0 + log10(1200.0 * LN_10 + log(100.0)), 1e-14, 0.0);
    ck_assert(isinf(bound.samples));
    // 2^20 samples do nothing against that many cells.
    assert_close(failure_of(&problem, 0x1.0p20), 1200.0 * LN_10, 1e-14, 0.0);
}

TEST(unit, trajectories_are_boxes_of_all_caps) {
    const carom_net_trajectory trajectory = {.contact_count = 2,
                                             .trajectory_length = 3,
                                             .impulse_step = 0.3,
                                             .lipschitz = 1.25,
                                             .net_radius = 0.6,
                                             .probability = 0.05,
                                             .separating_band = 1.7,
                                             .normal_norm = 1.1};
    double radius;
    carom_net_bound bound;
    assert_ok(carom_net_trajectory_samples(&trajectory, &radius, &bound, NULL));
    assert_close(radius, 0.2, 1e-15, 0.0);
    // ceil(0.3 . 1.953125 . sqrt 6/0.2) = ceil(7.176) = 8, to the power 6: 2^18 cells.
    assert_close(bound.log10_cells, 18.0 * log10(2.0), 1e-14, 0.0);
    const double cells = 262144.0;
    assert_close(bound.log10_samples, log10(log(cells / 0.05) / -log1p(-1.0 / cells)), 1e-13, 0.0);
    // A narrow band: 0.2/(2 . 1.1) = 1/11; ceil(15.787) = 16, 2^24 cells.
    carom_net_trajectory narrow = trajectory;
    narrow.separating_band = 0.2;
    assert_ok(carom_net_trajectory_samples(&narrow, &radius, &bound, NULL));
    assert_close(radius, 1.0 / 11.0, 1e-15, 0.0);
    assert_close(bound.log10_cells, 24.0 * log10(2.0), 1e-14, 0.0);
    assert_ok(carom_net_trajectory_samples(&narrow, NULL, &bound, NULL));
}

// L^N = 10^500 is no double.
TEST(unit, constants_may_exceed_any_double) {
    const carom_net_trajectory trajectory = {.contact_count = 5,
                                             .trajectory_length = 50,
                                             .impulse_step = 0.1,
                                             .lipschitz = 1e10,
                                             .net_radius = 0.03,
                                             .probability = 0.5,
                                             .separating_band = 1.0,
                                             .normal_norm = 1.0};
    carom_net_bound bound;
    assert_ok(carom_net_trajectory_samples(&trajectory, NULL, &bound, NULL));
    const double cells = 250.0 * (501.0 + 0.5 * log10(250.0));
    assert_close(bound.log10_cells, cells, 1e-13, 0.0);
    assert_close(bound.log10_samples, cells + log10(cells * LN_10 + log(2.0)), 1e-13, 0.0);
}

TEST(property, radius_is_the_last_that_keeps_the_probability) {
    for (int n = 1; n <= 20; n += 3) {
        for (long long samples = 1; samples < 10000000000000000; samples *= 37) {
            const double N = (double)samples; // exact: below 2^53
            carom_net_problem problem = {
                .dimension = n, .side = 0.7, .lipschitz = 3.1, .probability = 0.02};
            const double across = 0.7 * 3.1 * sqrt(n);
            double radius;
            assert_ok(carom_net_radius(&problem, N, &radius, NULL));
            const double k = round(across / radius);
            assert_close(radius, across / k, 1e-15, 0.0);
            // k cells an edge are proved, k + 1 are not.
            problem.net_radius = across / (k - 0.5);
            ck_assert_double_le(failure_of(&problem, N), log(0.02));
            problem.net_radius = across / (k + 0.5);
            ck_assert_double_gt(failure_of(&problem, N), log(0.02));
        }
    }
}

/** Whether values of min(3.7 x, 2.1), x in [0, 0.8], come within a radius of every value: the gaps
 * between neighbours and at the ends decide. */
static bool is_net_of_interval(const double *x, int count, double radius) {
    double g[64];
    for (int i = 0; i < count; i++) {
        g[i] = fmin(3.7 * x[i], 2.1);
    }
    gsl_sort(g, 1, (size_t)count);
    bool is_net = g[0] <= radius && 2.1 - g[count - 1] <= radius;
    for (int i = 1; i < count; i++) {
        is_net = is_net && g[i] - g[i - 1] <= 2.0 * radius;
    }
    return is_net;
}

TEST(property, nets_of_an_interval_fail_no_more_than_lemma_1_says) {
    enum { REPETITIONS = 20000 };
    const double ratio[] = {2.9, 5.0, 9.3};
    const int samples[] = {9, 15, 33};
    for (int k = 0; k < 3; k++) {
        const carom_net_problem problem = {
            .dimension = 1, .side = 0.8, .lipschitz = 3.7, .net_radius = 0.8 * 3.7 / ratio[k]};
        int failures = 0;
        for (unsigned long repetition = 0; repetition < REPETITIONS; repetition++) {
            double x[64] = {0};
            for (int i = 0; i < samples[k]; i++) {
                x[i] = 0.8 * carom_counter_uniform(17, repetition, (unsigned long)i);
            }
            failures += !is_net_of_interval(x, samples[k], problem.net_radius);
        }
        const double bound = exp(failure_of(&problem, samples[k]));
        const double rate = (double)failures / REPETITIONS;
        // The bound says something, and the test could fail: nets do.
        ck_assert(bound < 0.5 && rate > 1e-3);
        // Three standard errors of the rate.
        const double error = sqrt(rate / REPETITIONS);
        ck_assert_msg(rate <= bound + 3.0 * error, "%d samples: %g > %g", samples[k], rate, bound);
    }
}

/** Whether 2.3 x, turned, comes within a radius of every point of the square [0,1.4]^2 times 2.3:
 * no, if a point of a grid has none within the radius less half a diagonal of the grid. */
static bool is_net_of_square(const double *x, int count, double radius) {
    enum { EDGE = 40 };
    const double spacing = 2.3 * 1.4 / EDGE;
    const double near = radius - spacing * sqrt(0.5);
    for (int a = 0; a <= EDGE; a++) {
        for (int b = 0; b <= EDGE; b++) {
            double least = INFINITY;
            for (int i = 0; i < count; i++) {
                const double u = 2.3 * x[2 * i] - spacing * a;
                const double v = 2.3 * x[2 * i + 1] - spacing * b;
                least = fmin(least, u * u + v * v);
            }
            if (least > near * near) {
                return false;
            }
        }
    }
    return true;
}

TEST(property, nets_of_a_square_fail_no_more_than_lemma_1_says) {
    enum { REPETITIONS = 1000 };
    const double ratio[] = {2.0, 3.0, 4.0};
    const int samples[] = {10, 26, 60};
    for (int k = 0; k < 3; k++) {
        // The ceiling of a ratio that is whole but for rounding is that number or the next one.
        const carom_net_problem problem = {.dimension = 2,
                                           .side = 1.4,
                                           .lipschitz = 2.3,
                                           .net_radius = 1.4 * 2.3 * sqrt(2.0) / (ratio[k] - 1e-9)};
        int failures = 0;
        for (unsigned long repetition = 0; repetition < REPETITIONS; repetition++) {
            double x[2 * 64] = {0};
            for (int i = 0; i < 2 * samples[k]; i++) {
                x[i] = 1.4 * carom_counter_uniform(19, repetition, (unsigned long)i);
            }
            failures += !is_net_of_square(x, samples[k], problem.net_radius);
        }
        const double bound = exp(failure_of(&problem, samples[k]));
        const double rate = (double)failures / REPETITIONS;
        ck_assert(bound < 0.5 && rate > 1e-3);
        const double error = sqrt(rate / REPETITIONS);
        ck_assert_msg(rate <= bound + 3.0 * error, "%d samples: %g > %g", samples[k], rate, bound);
    }
}

TEST(errors, boxes_are_refused) {
    const carom_net_problem good = {
        .dimension = 3, .side = 1.0, .lipschitz = 2.0, .net_radius = 0.1, .probability = 0.01};
    carom_net_bound bound;
    double value;
    assert_ok(carom_net_samples(&good, &bound, NULL));
    const double wrong[] = {0.0, -1.0, INFINITY, NAN};
    for (int k = 0; k < 4; k++) {
        carom_net_problem bad = good;
        carom_report report = carom_report_empty();
        bad.side = wrong[k];
        assert_status(carom_net_samples(&bad, &bound, &report), OUT_OF_RANGE);
        ck_assert_str_eq(report.quantity, "side of the box");
        ck_assert(isnan(bound.log10_cells) && isnan(bound.log10_samples) && isnan(bound.samples));
        bad = good;
        bad.lipschitz = wrong[k];
        assert_status(carom_net_failure(&bad, 5.0, &value, &report), OUT_OF_RANGE);
        ck_assert_str_eq(report.quantity, "Lipschitz constant");
        ck_assert(isnan(value));
        bad = good;
        bad.net_radius = wrong[k];
        assert_status(carom_net_samples(&bad, &bound, &report), OUT_OF_RANGE);
        ck_assert_str_eq(report.quantity, "radius of the net");
        // Not used here.
        assert_ok(carom_net_radius(&bad, 5.0, &value, NULL));
        bad = good;
        bad.probability = wrong[k];
        assert_status(carom_net_radius(&bad, 5.0, &value, &report), OUT_OF_RANGE);
        ck_assert_str_eq(report.quantity, "probability");
        ck_assert(isnan(value));
        assert_status(carom_net_failure(&good, wrong[k], &value, &report), OUT_OF_RANGE);
        ck_assert_str_eq(report.quantity, "number of samples");
    }
    carom_net_problem bad = good;
    bad.probability = 1.0;
    assert_status(carom_net_samples(&bad, &bound, NULL), OUT_OF_RANGE);
    bad = good;
    bad.dimension = 0;
    assert_status(carom_net_samples(&bad, &bound, NULL), OUT_OF_RANGE);
    assert_status(carom_net_failure(&good, 2.5, &value, NULL), OUT_OF_RANGE);
}

TEST(errors, trajectories_are_refused) {
    const carom_net_trajectory good = {.contact_count = 2,
                                       .trajectory_length = 3,
                                       .impulse_step = 0.3,
                                       .lipschitz = 1.0,
                                       .net_radius = 0.6,
                                       .probability = 0.05,
                                       .separating_band = 1.7,
                                       .normal_norm = 1.1};
    carom_net_bound bound;
    double radius;
    assert_ok(carom_net_trajectory_samples(&good, &radius, &bound, NULL));
    carom_net_trajectory bad[9];
    for (int k = 0; k < 9; k++) {
        bad[k] = good;
    }
    bad[0].contact_count = 0;
    bad[1].trajectory_length = 0;
    bad[2].impulse_step = 0.0;
    bad[3].lipschitz = 0.999;
    bad[4].net_radius = -0.6;
    bad[5].probability = 1.0;
    bad[6].separating_band = 0.0;
    bad[7].normal_norm = NAN;
    bad[8].lipschitz = INFINITY;
    for (int k = 0; k < 9; k++) {
        carom_report report = carom_report_empty();
        assert_status(carom_net_trajectory_samples(&bad[k], &radius, &bound, &report),
                      OUT_OF_RANGE);
        ck_assert_ptr_nonnull(report.quantity);
        ck_assert(isnan(radius) && isnan(bound.log10_samples));
    }
}
