/*
 * carom/impact/impact_bounds.h: comparison with every point, to the last digit; grids whose
 * covering radius is known; samples that coincide.
 */
#include "../failing_malloc.h"
#include "../support.h"

#include <carom/base/random.h>
#include <carom/impact/impact_bounds.h>

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static const unsigned long SEED = 31415;

/** Whether two numbers are the same to the last bit. */
static bool is_same_double(double a, double b) {
    uint64_t a_bits;
    uint64_t b_bits;
    memcpy(&a_bits, &a, sizeof(a_bits));
    memcpy(&b_bits, &b, sizeof(b_bits));
    return a_bits == b_bits;
}

static carom_point_tree *tree_of(int count, int d, const double *points) {
    carom_point_tree *tree;
    assert_ok(carom_point_tree_alloc(count, d, points, &tree, NULL));
    return tree;
}

static double square_between(int d, const double *p, const double *q) {
    double sum = 0.0;
    for (int a = 0; a < d; a++) {
        sum += (q[a] - p[a]) * (q[a] - p[a]);
    }
    return sum;
}

/** By comparing with every point. */
static double slow_distance(int count, int d, const double *points, const double *query) {
    double least = INFINITY;
    for (int k = 0; k < count; k++) {
        least = fmin(least, square_between(d, points + (ptrdiff_t)k * d, query));
    }
    return sqrt(least);
}

/** Kinds of samples: in a cube, on a line through it, on few values, in clusters of rounding. */
typedef enum sample_kind { IN_CUBE, ON_LINE, ON_FEW_VALUES, IN_CLUSTERS, KINDS } sample_kind;

static void fill(gsl_rng *generator, sample_kind kind, int count, int d, double *points) {
    for (int k = 0; k < count; k++) {
        const double along = uniform(generator, -1.0, 1.0);
        for (int a = 0; a < d; a++) {
            double x = uniform(generator, -1.0, 1.0);
            if (kind == ON_LINE) {
                x = along * (1.0 + 0.37 * a) + 0.1;
            } else if (kind == ON_FEW_VALUES) {
                x = round(1.5 * x) * 0.3;
            } else if (kind == IN_CLUSTERS) {
                x = (k % 3) * 0.7 + 1e-16 * round(3.0 * x);
            }
            points[(ptrdiff_t)k * d + a] = x;
        }
    }
}

enum { MOST_POINTS = 700, MOST_DIMENSION = CAROM_COVERING_MOST_DIMENSIONS };

TEST(property, distances_are_those_to_every_point_digit_by_digit) {
    gsl_rng *generator = seeded_generator(SEED);
    static double points[MOST_POINTS * MOST_DIMENSION];
    const int counts[] = {1, 2, 12, 13, 25, 26, 97, MOST_POINTS};
    for (int d = 1; d <= MOST_DIMENSION; d++) {
        for (int trial = 0; trial < 8 * KINDS; trial++) {
            const int count = counts[trial % 8];
            fill(generator, (sample_kind)(trial / 8), count, d, points);
            carom_point_tree *tree = tree_of(count, d, points);
            bool is_equal = true;
            for (int q = 0; q < 20; q++) {
                double query[MOST_DIMENSION];
                // In the sample, near it and away from it.
                fill(generator, q < 10 ? IN_CUBE : ON_LINE, 1, d, query);
                if (q % 5 == 0) {
                    memcpy(query, points + (ptrdiff_t)(q % count) * d, (size_t)d * sizeof(double));
                }
                int nearest = -1;
                const double distance = carom_point_tree_distance(tree, query, &nearest);
                const double expected = slow_distance(count, d, points, query);
                is_equal = is_equal && is_same_double(distance, expected);
                is_equal = is_equal && nearest >= 0 && nearest < count &&
                           fabs(sqrt(square_between(d, points + (ptrdiff_t)nearest * d, query)) -
                                expected) <= 0.0;
            }
            ck_assert_msg(is_equal, "d = %d, trial %d of seed %lu", d, trial, SEED);
            carom_point_tree_free(tree);
        }
    }
    gsl_rng_free(generator);
}

TEST(unit, half_the_spacing_of_a_line_is_its_radius) {
    double points[100];
    double probes[99];
    for (int k = 0; k < 100; k++) {
        points[(37 * k) % 100] = 0.25 * k;
    }
    for (int k = 0; k < 99; k++) {
        probes[k] = 0.25 * k + (k == 61 ? 0.125 : 0.0625);
    }
    carom_point_tree *tree = tree_of(100, 1, points);
    carom_covering covering;
    double distances[99];
    assert_ok(carom_covering_measure(tree, 99, probes, THREADS(1), distances, &covering, NULL));
    assert_close(covering.radius, 0.125, 0.0, 0.0);
    ck_assert_int_eq(covering.farthest_probe, 61);
    assert_close(fabs(points[covering.nearest_sample] - probes[61]), 0.125, 0.0, 0.0);
    assert_close(distances[61], 0.125, 0.0, 0.0);
    assert_close(distances[60], 0.0625, 0.0, 0.0);
    assert_close(covering.mean, (98 * 0.0625 + 0.125) / 99, 1e-15, 0.0);
    const double square = (98 * 0.0625 * 0.0625 + 0.125 * 0.125) / 99;
    assert_close(covering.root_square, sqrt(square), 1e-15, 0.0);
    carom_point_tree_free(tree);
}

// A grid of spacing 1/8 in d dimensions: the centres of its cells are sqrt(d)/16 away.
TEST(unit, centres_of_a_grid_are_half_a_diagonal_away) {
    for (int d = 1; d <= 4; d++) {
        static double points[4096 * 4];
        const int count = 1 << (3 * d);
        for (int k = 0; k < count; k++) {
            for (int a = 0; a < d; a++) {
                points[k * d + a] = 0.125 * ((k >> (3 * a)) & 7);
            }
        }
        carom_point_tree *tree = tree_of(count, d, points);
        for (int k = 0; k < count * d; k++) {
            points[k] += 0.0625;
        }
        carom_covering covering;
        assert_ok(carom_covering_measure(tree, count, points, THREADS(2), NULL, &covering, NULL));
        assert_close(covering.radius, sqrt(d) / 16.0, 1e-15, 0.0);
        assert_close(covering.mean, sqrt(d) / 16.0, 1e-12, 0.0);
        ck_assert_int_eq(covering.farthest_probe, 0);
        carom_point_tree_free(tree);
    }
}

TEST(unit, a_sample_covers_itself) {
    gsl_rng *generator = seeded_generator(SEED + 1);
    static double points[MOST_POINTS * 6];
    fill(generator, IN_CUBE, MOST_POINTS, 6, points);
    carom_point_tree *tree = tree_of(MOST_POINTS, 6, points);
    carom_covering covering;
    assert_ok(carom_covering_measure(tree, MOST_POINTS, points, THREADS(0), NULL, &covering, NULL));
    assert_close(covering.radius, 0.0, 0.0, 0.0);
    assert_close(covering.root_square, 0.0, 0.0, 0.0);
    carom_point_tree_free(tree);
    gsl_rng_free(generator);
}

TEST(property, order_of_the_sample_and_threads_change_nothing) {
    gsl_rng *generator = seeded_generator(SEED + 2);
    enum { COUNT = 5000, PROBES = 1500, D = 5 };
    static double points[COUNT * D];
    static double reversed[COUNT * D];
    static double probes[PROBES * D];
    fill(generator, IN_CUBE, COUNT, D, points);
    fill(generator, IN_CUBE, PROBES, D, probes);
    for (int k = 0; k < COUNT; k++) {
        memcpy(reversed + (ptrdiff_t)(COUNT - 1 - k) * D, points + (ptrdiff_t)k * D,
               D * sizeof(double));
    }
    carom_point_tree *tree = tree_of(COUNT, D, points);
    carom_point_tree *other = tree_of(COUNT, D, reversed);
    carom_covering expected;
    assert_ok(carom_covering_measure(tree, PROBES, probes, THREADS(1), NULL, &expected, NULL));
    for (int threads = 0; threads <= 4; threads++) {
        carom_covering covering;
        assert_ok(
            carom_covering_measure(tree, PROBES, probes, THREADS(threads), NULL, &covering, NULL));
        ck_assert_mem_eq(&covering, &expected, sizeof covering);
        assert_ok(
            carom_covering_measure(other, PROBES, probes, THREADS(threads), NULL, &covering, NULL));
        ck_assert_int_eq(covering.nearest_sample, COUNT - 1 - expected.nearest_sample);
        ck_assert_int_eq(covering.farthest_probe, expected.farthest_probe);
        assert_close(covering.radius, expected.radius, 0.0, 0.0);
        assert_close(covering.mean, expected.mean, 0.0, 0.0);
    }
    carom_point_tree_free(tree);
    carom_point_tree_free(other);
    gsl_rng_free(generator);
}

// Comparing each of 2^16 equal points with each probe would take minutes.
TEST(property, points_of_several_trees_are_as_near_as_those_of_one) {
    enum { COUNT = 20011, D = 3, QUERIES = 301 };
    double *points = malloc(sizeof *points * COUNT * D);
    double probes[QUERIES * D];
    double expected[QUERIES];
    ck_assert_ptr_nonnull(points);
    for (int i = 0; i < COUNT * D; i++) {
        points[i] = 2.385 * carom_counter_uniform(41, (unsigned long)i, 0);
    }
    for (int i = 0; i < QUERIES * D; i++) {
        probes[i] = 2.385 * carom_counter_uniform(42, (unsigned long)i, 0);
    }
    carom_point_tree *tree = tree_of(COUNT, D, points);
    for (int k = 0; k < QUERIES; k++) {
        expected[k] = carom_point_tree_distance(tree, probes + k * D, NULL);
    }
    // What is known is far off, just above, equal, or less.
    const double known[] = {INFINITY, 1.0 + 1e-15, 1.0, 0.9, 1.05};
    for (int way = 0; way < 4; way++) {
        double distances[QUERIES];
        const carom_workers workers = THREADS(1 + way % 2);
        for (int k = 0; k < QUERIES; k++) {
            distances[k] = known[k % 5] * expected[k];
        }
        assert_ok(way < 2
                      ? carom_covering_approach_points(COUNT, D, points, QUERIES, probes, workers,
                                                       distances, NULL)
                      : carom_covering_approach(tree, QUERIES, probes, workers, distances, NULL));
        for (int k = 0; k < QUERIES; k++) {
            assert_close(distances[k], fmin(known[k % 5], 1.0) * expected[k], 0.0, 0.0);
        }
    }
    carom_point_tree_free(tree);
    free(points);
}

TEST(property, samples_that_coincide_cost_nothing) {
    enum { COUNT = 1 << 16, D = 4 };
    static double points[COUNT * D];
    gsl_rng *generator = seeded_generator(SEED + 3);
    for (int kind = 0; kind < 2; kind++) {
        for (int k = 0; k < COUNT * D; k++) {
            points[k] = 0.3 + kind * 1e-16 * floor(uniform(generator, 0.0, 4.0));
        }
        carom_point_tree *tree = tree_of(COUNT, D, points);
        double sum = 0.0;
        for (int q = 0; q < 20000; q++) {
            double query[D];
            fill(generator, IN_CUBE, 1, D, query);
            sum += carom_point_tree_distance(tree, query, NULL) -
                   sqrt(square_between(D, points, query));
        }
        assert_close(sum, 0.0, 0.0, 20000 * 1e-15);
        carom_point_tree_free(tree);
    }
    gsl_rng_free(generator);
}

TEST(unit, distances_beyond_any_double_are_infinite) {
    double points[40];
    for (int k = 0; k < 40; k++) {
        points[k] = k;
    }
    carom_point_tree *tree = tree_of(40, 1, points);
    const double query = -1e200;
    int nearest = -1;
    ck_assert(isinf(carom_point_tree_distance(tree, &query, &nearest)));
    ck_assert(nearest >= 0 && nearest < 40);
    carom_point_tree_free(tree);
}

TEST(errors, points_are_refused) {
    double points[6] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6};
    carom_point_tree *tree;
    carom_report report = carom_report_empty();
    assert_status(carom_point_tree_alloc(0, 2, points, &tree, &report), OUT_OF_RANGE);
    ck_assert_ptr_null(tree);
    ck_assert_str_eq(report.quantity, "points");
    assert_status(carom_point_tree_alloc(1, 0, points, &tree, &report), OUT_OF_RANGE);
    assert_status(carom_point_tree_alloc(1, 17, points, &tree, &report), OUT_OF_RANGE);
    ck_assert_str_eq(report.quantity, "coordinates of a point");
    points[5] = NAN;
    assert_status(carom_point_tree_alloc(3, 2, points, &tree, &report), NOT_FINITE);
    ck_assert_int_eq(report.index, 2);
    assert_ok(carom_point_tree_alloc(2, 2, points, &tree, NULL));
    carom_covering covering;
    assert_status(carom_covering_measure(tree, 3, points, THREADS(1), NULL, &covering, &report),
                  NOT_FINITE);
    ck_assert_str_eq(report.quantity, "probes");
    ck_assert(isnan(covering.radius) && isnan(covering.mean) && covering.farthest_probe == -1);
    assert_status(carom_covering_measure(tree, 0, points, THREADS(1), NULL, &covering, NULL),
                  OUT_OF_RANGE);
    double distance = INFINITY;
    assert_status(
        carom_covering_approach_points(0, 2, points, 1, points, THREADS(1), &distance, &report),
        OUT_OF_RANGE);
    assert_status(
        carom_covering_approach_points(3, 2, points, 1, points, THREADS(1), &distance, &report),
        NOT_FINITE);
    ck_assert_int_eq(report.index, 2);
    ck_assert(isinf(distance));
    carom_point_tree_free(tree);
    carom_point_tree_free(NULL);
}

TEST(errors, no_memory_is_told_and_nothing_is_lost) {
    const double points[6] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6};
    carom_point_tree *tree;
    for (int k = 0; k < 4; k++) {
        successes_left = k;
        const carom_status status = carom_point_tree_alloc(3, 2, points, &tree, NULL);
        successes_left = -1;
        assert_status(status, OUT_OF_MEMORY);
        ck_assert_ptr_null(tree);
    }
    tree = tree_of(3, 2, points);
    carom_covering covering;
    successes_left = 0;
    const carom_status status =
        carom_covering_measure(tree, 3, points, THREADS(1), NULL, &covering, NULL);
    successes_left = -1;
    assert_status(status, OUT_OF_MEMORY);
    ck_assert(isnan(covering.radius));
    double distance = INFINITY;
    for (int k = 0; k < 5; k++) {
        successes_left = k;
        const carom_status told =
            carom_covering_approach_points(3, 2, points, 1, points, THREADS(1), &distance, NULL);
        successes_left = -1;
        assert_status(told, OUT_OF_MEMORY);
        ck_assert(isinf(distance));
    }
    carom_point_tree_free(tree);
}
