/* src/mechanism/bodies/box_pairs.c: the pairs of boxes that overlap, against all pairs. */
#include "../../support.h"

#include <carom/mechanism/bodies/internal.h>

enum { MOST = 300, DRAWS = 60 };

/** Boxes of sizes over `decades` decades in a square; some take no part. */
static int draw(gsl_rng *generator, double decades, double (*boxes)[4]) {
    const int count = 1 + (int)uniform(generator, 0.0, MOST);
    for (int i = 0; i < count; i++) {
        for (int axis = 0; axis < 2; axis++) {
            const double side = pow(10.0, -uniform(generator, 0.5, 0.5 + decades));
            boxes[i][axis] = uniform(generator, -3.17, 2.385);
            boxes[i][2 + axis] = boxes[i][axis] + side;
        }
        if (uniform(generator, 0.0, 1.0) < 0.1) {
            boxes[i][0] = (double)INFINITY;
            boxes[i][2] = -(double)INFINITY;
        }
    }
    return count;
}

static bool overlap(const double *a, const double *b) {
    return a[0] <= a[2] && b[0] <= b[2] && a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] &&
           b[1] <= a[3];
}

/** The list has every pair that overlaps, in the order of all pairs, and no other one. */
static void check_pairs(unsigned long seed, int count, double (*boxes)[4]) {
    CAROM_AUTO(carom_box_pairs) pairs = NULL;
    assert_ok(carom_box_pairs_alloc(count, 2, &pairs));
    int found = 0;
    const int(*list)[2] = NULL;
    for (int again = 0; again < 2; again++) {
        assert_ok(carom_box_pairs_find(pairs, boxes[0], &found, &list));
    }
    int next = 0;
    for (int i = 0; i < count; i++) {
        for (int j = i + 1; j < count; j++) {
            if (overlap(boxes[i], boxes[j])) {
                ck_assert_msg(next < found && list[next][0] == i && list[next][1] == j,
                              "seed %lu: pair (%d, %d) is not number %d", seed, i, j, next);
                next++;
            }
        }
    }
    ck_assert_int_eq(next, found);
}

TEST(property, pairs_are_those_of_all_boxes_in_order) {
    static double boxes[MOST + 1][4];
    for (unsigned long seed = 1; seed <= DRAWS; seed++) {
        gsl_rng *generator = seeded_generator(seed);
        const int count = draw(generator, 1.5 * (double)(seed % 4), boxes);
        check_pairs(seed, count, boxes);
        gsl_rng_free(generator);
    }
}

TEST(property, pairs_do_not_depend_on_the_unit_of_length) {
    static double boxes[MOST + 1][4];
    gsl_rng *generator = seeded_generator(7);
    const int count = draw(generator, 2.0, boxes);
    gsl_rng_free(generator);
    for (int k = -200; k <= 200; k += 100) {
        static double scaled[MOST + 1][4];
        for (int i = 0; i < 4 * count; i++) {
            scaled[i / 4][i % 4] = ldexp(boxes[i / 4][i % 4], k);
        }
        check_pairs(7, count, scaled);
    }
}

TEST(unit, points_and_equal_boxes_overlap) {
    double boxes[4][4] = {
        {1.5, 2.0, 1.5, 2.0}, {1.5, 2.0, 1.5, 2.0}, {1.5, 2.5, 1.5, 2.5}, {0.0, 0.0, 1.5, 2.0}};
    check_pairs(0, 4, boxes);
    check_pairs(0, 1, boxes);
}

/** In space, against all pairs. */
TEST(property, pairs_in_space_are_those_of_all_boxes_in_order) {
    static double boxes[MOST][6];
    for (unsigned long seed = 1; seed <= DRAWS; seed++) {
        gsl_rng *generator = seeded_generator(seed);
        const int count = 1 + (int)uniform(generator, 0.0, MOST);
        for (int i = 0; i < count; i++) {
            for (int axis = 0; axis < 3; axis++) {
                boxes[i][axis] = uniform(generator, -3.17, 2.385);
                boxes[i][3 + axis] =
                    boxes[i][axis] + 3.0 * pow(10.0, -uniform(generator, 0.0, (double)(seed % 4)));
            }
            if (i % 11 == 3) {
                boxes[i][2] = (double)INFINITY;
            }
        }
        CAROM_AUTO(carom_box_pairs) pairs = NULL;
        assert_ok(carom_box_pairs_alloc(count, 3, &pairs));
        int found = 0;
        int next = 0;
        const int(*list)[2] = NULL;
        assert_ok(carom_box_pairs_find(pairs, boxes[0], &found, &list));
        for (int k = 0; k < count * count; k++) {
            const int i = k / count;
            const int j = k % count;
            bool is_common = i < j && isfinite(boxes[i][2]) && isfinite(boxes[j][2]);
            for (int axis = 0; axis < 3; axis++) {
                is_common = is_common && boxes[i][axis] <= boxes[j][3 + axis] &&
                            boxes[j][axis] <= boxes[i][3 + axis];
            }
            if (is_common) {
                ck_assert_msg(next < found && list[next][0] == i && list[next][1] == j,
                              "seed %lu: pair (%d, %d) is not number %d", seed, i, j, next);
                next++;
            }
        }
        ck_assert_int_eq(next, found);
        gsl_rng_free(generator);
    }
}
