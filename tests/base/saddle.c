/* carom/base/linear_algebra.h: both storages against the matrix written out and GSL's solvers. */
#include <carom/base/linear_algebra.h>

#include "../failing_malloc.h"
#include "dense.h"

static const unsigned long SEED = 20140829;
enum { LARGEST_BLOCK = 9, LARGEST_BLOCK_COUNT = 3, LARGEST_MULTIPLIER_COUNT = 5, TRIALS = 60 };

/** A system in one storage, and the same written out by the definition in the header. */
typedef struct system_pair {
    carom_layout layout;
    int block_count;
    int multiplier_count;
    int size;
    carom_saddle *saddle;
    double dense[DENSE_LARGEST * DENSE_LARGEST]; // [size][size]
} system_pair;

static system_pair make_system(carom_layout layout, int block_count, int multiplier_count) {
    system_pair s = {.layout = layout,
                     .block_count = block_count,
                     .multiplier_count = multiplier_count,
                     .size = block_count * layout.size + multiplier_count};
    assert_ok(carom_saddle_alloc(layout, block_count, multiplier_count, &s.saddle));
    ck_assert_int_eq(carom_saddle_size(s.saddle), s.size);
    carom_saddle_clear(s.saddle);
    return s;
}

/** Row or column of a multiplier in the order of the vectors. */
static int place_of(const system_pair *s, int multiplier) {
    return s->block_count * s->layout.size + multiplier;
}

static void add_block(system_pair *s, int row, int column, double alpha, const double *A) {
    carom_saddle_add_block(s->saddle, row, column, alpha, A);
    const int n = s->layout.size;
    for (int i = 0; i < n; i++) {
        const int end = carom_layout_end_column(s->layout, i);
        for (int j = carom_layout_first_column(s->layout, i); j < end; j++) {
            s->dense[(row * n + i) * s->size + column * n + j] +=
                alpha * A[carom_layout_index(s->layout, i, j)];
        }
    }
}

static void add_column(system_pair *s, int row, int multiplier, double alpha, const double *x) {
    carom_saddle_add_column(s->saddle, row, multiplier, alpha, x);
    const int n = s->layout.size;
    for (int i = 0; i < n; i++) {
        s->dense[(row * n + i) * s->size + place_of(s, multiplier)] += alpha * x[i];
    }
}

static void add_row(system_pair *s, int multiplier, int column, double alpha, const double *x) {
    carom_saddle_add_row(s->saddle, multiplier, column, alpha, x);
    const int n = s->layout.size;
    for (int j = 0; j < n; j++) {
        s->dense[place_of(s, multiplier) * s->size + column * n + j] += alpha * x[j];
    }
}

static void add_corner(system_pair *s, int i, int j, double alpha) {
    carom_saddle_add_corner(s->saddle, i, j, alpha);
    s->dense[place_of(s, i) * s->size + place_of(s, j)] += alpha;
}

/** Random blocks; the diagonal ones outweigh their rows, so that J alone is regular. */
static void fill_blocks(gsl_rng *generator, system_pair *s) {
    const carom_layout layout = s->layout;
    const size_t count = carom_layout_entry_count(layout);
    double A[LARGEST_BLOCK * (2 * LARGEST_BLOCK + 1)];
    ck_assert_uint_le(count, sizeof A / sizeof A[0]);
    for (int row = 0; row < s->block_count; row++) {
        for (int column = 0; column < s->block_count; column++) {
            dense_random(generator, (int)count, 1.0, A);
            for (int i = 0; row == column && i < layout.size; i++) {
                A[carom_layout_index(layout, i, i)] += 2.5 * s->block_count * layout.size;
            }
            add_block(s, row, column, 0.83, A);
            dense_random(generator, (int)count, 1.0, A);
            add_block(s, row, column, -0.27, A); // on top of what is there
        }
    }
}

/** Random columns and rows of one multiplier, each in two parts. */
static void fill_border(gsl_rng *generator, system_pair *s, int multiplier) {
    double x[LARGEST_BLOCK];
    for (int block = 0; block < s->block_count; block++) {
        for (int part = 0; part < 2; part++) {
            dense_random(generator, s->layout.size, 1.9, x);
            add_column(s, block, multiplier, -1.31, x);
            dense_random(generator, s->layout.size, 1.9, x);
            add_row(s, multiplier, block, 0.77, x);
        }
    }
}

static void fill_corner(gsl_rng *generator, system_pair *s) {
    for (int i = 0; i < s->multiplier_count; i++) {
        for (int j = 0; j < s->multiplier_count; j++) {
            add_corner(s, i, j, uniform(generator, -0.6, 0.6));
            add_corner(s, i, j, uniform(generator, -0.6, 0.6));
        }
    }
}

static void fill_random(gsl_rng *generator, system_pair *s) {
    fill_blocks(generator, s);
    for (int j = 0; j < s->multiplier_count; j++) {
        fill_border(generator, s, j);
    }
    fill_corner(generator, s);
}

/** A layout for a trial: full, diagonal, tridiagonal, wider, up to all diagonals. */
static carom_layout layout_of_trial(int trial) {
    const int n = 1 + trial % LARGEST_BLOCK;
    if (trial % 4 == 0) {
        return carom_layout_full(n);
    }
    const int half_bandwidth = trial % 4 - 1 + (trial / 24);
    return carom_layout_banded(n, half_bandwidth < n ? half_bandwidth : n - 1);
}

/** Entry by entry what was added: the same products and sums, so the same bits. */
static void check_entries(const system_pair *s) {
    for (int i = 0; i < s->size; i++) {
        for (int j = 0; j < s->size; j++) {
            const double entry = carom_saddle_entry(s->saddle, i, j);
            ck_assert_msg(fabs(entry - s->dense[i * s->size + j]) <= 0.0,
                          "seed %lu: entry (%d, %d) of %d is %.17g, not %.17g", SEED, i, j, s->size,
                          entry, s->dense[i * s->size + j]);
        }
    }
}

static void check_close(const system_pair *s, const double *x, const double *expected,
                        double tolerance) {
    for (int i = 0; i < s->size; i++) {
        ck_assert_msg(fabs(x[i] - expected[i]) <= tolerance,
                      "seed %lu, n = %d, %s, %d blocks, %d multipliers: x_%d = %.17g, expected "
                      "%.17g, error %.3g > %.3g",
                      SEED, s->layout.size, s->layout.is_banded ? "banded" : "full", s->block_count,
                      s->multiplier_count, i, x[i], expected[i], fabs(x[i] - expected[i]),
                      tolerance);
    }
}

/** Factor and solve for b, kept. */
static carom_status solve(const system_pair *s, const double *b, double *x) {
    memcpy(x, b, (size_t)s->size * sizeof *b);
    CAROM_TRY(carom_saddle_factor(s->saddle));
    return carom_saddle_solve(s->saddle, x);
}

TEST(unit, a_spring_held_by_a_multiplier_is_solved_in_both_storages) {
    /* k x + z = f, x = d: the multiplier is f - k d */
    const carom_layout layouts[] = {carom_layout_full(1), carom_layout_banded(1, 0)};
    for (int kind = 0; kind < 2; kind++) {
        system_pair s = make_system(layouts[kind], 1, 1);
        const double one = 1.0;
        add_block(&s, 0, 0, 1.0, (const double[]){3.71});
        add_column(&s, 0, 0, 1.0, &one);
        add_row(&s, 0, 0, 1.0, &one);
        double x[2];
        assert_ok(solve(&s, (const double[]){2.385, -0.62}, x));
        assert_close(x[0], -0.62, 1e-15, 0.0);
        assert_close(x[1], 2.385 + 3.71 * 0.62, 1e-15, 0.0);
        carom_saddle_free(s.saddle);
    }
    carom_saddle_free(NULL);
}

TEST(unit, rows_and_columns_of_multipliers_are_read_back) {
    gsl_rng *generator = seeded_generator(SEED);
    for (int trial = 0; trial < TRIALS; trial++) {
        system_pair s = make_system(layout_of_trial(trial), 1 + trial % LARGEST_BLOCK_COUNT, 3);
        fill_random(generator, &s);
        double line[DENSE_LARGEST];
        for (int j = 0; j < 3; j++) {
            const int place = place_of(&s, j);
            carom_saddle_get_column(s.saddle, j, line);
            for (int i = 0; i < s.size; i++) {
                assert_close(line[i], s.dense[i * s.size + place], 0.0, 0.0);
            }
            carom_saddle_get_row(s.saddle, j, line);
            for (int i = 0; i < s.size; i++) {
                assert_close(line[i], s.dense[place * s.size + i], 0.0, 0.0);
            }
        }
        carom_saddle_free(s.saddle);
    }
    gsl_rng_free(generator);
}

TEST(unit, clearing_leaves_only_zeros_and_the_next_system_is_another) {
    gsl_rng *generator = seeded_generator(SEED);
    for (int kind = 0; kind < 2; kind++) {
        const carom_layout layout = kind == 0 ? carom_layout_full(5) : carom_layout_banded(5, 2);
        system_pair s = make_system(layout, 2, 2);
        double b[DENSE_LARGEST];
        double x[DENSE_LARGEST];
        for (int round = 0; round < 3; round++) {
            carom_saddle_clear(s.saddle);
            memset(s.dense, 0, sizeof s.dense);
            check_entries(&s);
            fill_random(generator, &s);
            dense_random(generator, s.size, 2.3, b);
            assert_ok(solve(&s, b, x));
            const dense_answer expected = dense_pseudo_solve(s.size, s.size, s.dense, b);
            check_close(&s, x, expected.x, expected.tolerance);
        }
        carom_saddle_free(s.saddle);
    }
    gsl_rng_free(generator);
}

TEST(unit, a_factored_system_serves_many_right_sides) {
    gsl_rng *generator = seeded_generator(SEED);
    for (int kind = 0; kind < 2; kind++) {
        const carom_layout layout = kind == 0 ? carom_layout_full(4) : carom_layout_banded(4, 1);
        system_pair s = make_system(layout, 3, 2);
        fill_random(generator, &s);
        assert_ok(carom_saddle_factor(s.saddle));
        for (int trial = 0; trial < 5; trial++) {
            double b[DENSE_LARGEST];
            double x[DENSE_LARGEST];
            dense_random(generator, s.size, 2.3, b);
            memcpy(x, b, (size_t)s.size * sizeof *b);
            assert_ok(carom_saddle_solve(s.saddle, x));
            const dense_answer expected = dense_pseudo_solve(s.size, s.size, s.dense, b);
            check_close(&s, x, expected.x, expected.tolerance);
            check_entries(&s); // neither factoring nor solving touches the matrix
        }
        carom_saddle_free(s.saddle);
    }
    gsl_rng_free(generator);
}

TEST(property, every_storage_solves_what_lu_solves_with_and_without_multipliers) {
    gsl_rng *generator = seeded_generator(SEED);
    for (int trial = 0; trial < 4 * TRIALS; trial++) {
        const carom_layout layout = layout_of_trial(trial % TRIALS);
        const int block_count = 1 + trial % LARGEST_BLOCK_COUNT;
        const int room = block_count * layout.size;
        const int p = (trial / LARGEST_BLOCK_COUNT) % (1 + LARGEST_MULTIPLIER_COUNT);
        system_pair s = make_system(layout, block_count, p < room ? p : room);
        fill_random(generator, &s);
        check_entries(&s);
        double b[DENSE_LARGEST];
        double x[DENSE_LARGEST];
        double expected[DENSE_LARGEST];
        dense_random(generator, s.size, 2.3, b);
        assert_ok(solve(&s, b, x));
        dense_solve(s.size, s.dense, b, expected);
        check_close(&s, x, expected, dense_pseudo_solve(s.size, s.size, s.dense, b).tolerance);
        carom_saddle_free(s.saddle);
    }
    gsl_rng_free(generator);
}

TEST(property, full_and_banded_storage_of_one_system_agree) {
    gsl_rng *generator = seeded_generator(SEED);
    for (int trial = 0; trial < TRIALS; trial++) {
        const int n = 2 + trial % (LARGEST_BLOCK - 1);
        const int b = trial % n;
        system_pair banded = make_system(carom_layout_banded(n, b), 1 + trial % 3, trial % 3);
        fill_random(generator, &banded);
        // block by block what the banded one holds
        system_pair full =
            make_system(carom_layout_full(n), banded.block_count, banded.multiplier_count);
        const int k = place_of(&full, 0);
        double A[LARGEST_BLOCK * LARGEST_BLOCK];
        double line[DENSE_LARGEST];
        for (int block = 0; block < full.block_count * full.block_count; block++) {
            const int row = block / full.block_count;
            const int column = block % full.block_count;
            for (int i = 0; i < n * n; i++) {
                A[i] = banded.dense[(row * n + i / n) * banded.size + column * n + i % n];
            }
            add_block(&full, row, column, 1.0, A);
        }
        for (int j = 0; j < full.multiplier_count; j++) {
            for (int block = 0; block < full.block_count; block++) {
                carom_saddle_get_column(banded.saddle, j, line);
                add_column(&full, block, j, 1.0, line + block * n);
                carom_saddle_get_row(banded.saddle, j, line);
                add_row(&full, j, block, 1.0, line + block * n);
            }
            for (int i = 0; i < full.multiplier_count; i++) {
                add_corner(&full, i, j, banded.dense[(k + i) * banded.size + k + j]);
            }
        }
        double right[DENSE_LARGEST];
        double x[DENSE_LARGEST];
        double y[DENSE_LARGEST];
        dense_random(generator, full.size, 2.3, right);
        assert_ok(solve(&full, right, x));
        assert_ok(solve(&banded, right, y));
        check_close(&banded, y, x,
                    dense_pseudo_solve(full.size, full.size, full.dense, right).tolerance);
        carom_saddle_free(full.saddle);
        carom_saddle_free(banded.saddle);
    }
    gsl_rng_free(generator);
}

TEST(property, a_released_multiplier_takes_its_right_side_and_leaves_the_others_alone) {
    gsl_rng *generator = seeded_generator(SEED);
    for (int trial = 0; trial < TRIALS; trial++) {
        system_pair s = make_system(layout_of_trial(trial), 1 + trial % LARGEST_BLOCK_COUNT, 3);
        fill_random(generator, &s);
        const int place = place_of(&s, trial % 3);
        carom_saddle_release(s.saddle, trial % 3);
        double b[DENSE_LARGEST];
        double x[DENSE_LARGEST];
        dense_random(generator, s.size, 2.3, b);
        // strike row and column of the multiplier out
        double reduced[DENSE_LARGEST * DENSE_LARGEST];
        double right[DENSE_LARGEST];
        for (int i = 0; i < s.size; i++) {
            for (int j = 0; j < s.size; j++) {
                if (i == place || j == place) {
                    s.dense[i * s.size + j] = i == j ? 1.0 : 0.0;
                } else {
                    reduced[(i - (i > place)) * (s.size - 1) + j - (j > place)] =
                        s.dense[i * s.size + j];
                }
            }
            if (i != place) {
                right[i - (i > place)] = b[i];
            }
        }
        check_entries(&s);
        // one unknown cannot satisfy three multipliers: two are left at most
        if (place_of(&s, 0) >= 2) {
            assert_ok(solve(&s, b, x));
            const dense_answer rest = dense_pseudo_solve(s.size - 1, s.size - 1, reduced, right);
            double expected[DENSE_LARGEST];
            for (int i = 0; i < s.size; i++) {
                expected[i] = i == place ? b[i] : rest.x[i - (i > place)];
            }
            check_close(&s, x, expected, rest.tolerance);
        }
        carom_saddle_free(s.saddle);
    }
    gsl_rng_free(generator);
}

/**
 * A system whose last multiplier repeats the first times -2 (exactly, in the corner too, which is
 * zero): one constraint given twice, with matching right-hand sides.
 */
static system_pair make_redundant(gsl_rng *generator, carom_layout layout, int block_count,
                                  double *b) {
    system_pair s = make_system(layout, block_count, 3);
    const int n = layout.size;
    fill_blocks(generator, &s);
    fill_border(generator, &s, 0);
    fill_border(generator, &s, 1);
    double line[DENSE_LARGEST];
    for (int block = 0; block < block_count; block++) {
        carom_saddle_get_column(s.saddle, 0, line);
        add_column(&s, block, 2, -2.0, line + block * n);
        carom_saddle_get_row(s.saddle, 0, line);
        add_row(&s, 2, block, -2.0, line + block * n);
    }
    dense_random(generator, s.size, 2.3, b);
    b[place_of(&s, 2)] = -2.0 * b[place_of(&s, 0)];
    return s;
}

TEST(property, redundant_multipliers_share_the_force_and_the_motion_is_that_of_one) {
    gsl_rng *generator = seeded_generator(SEED);
    for (int trial = 0; trial < TRIALS; trial++) {
        carom_layout layout = layout_of_trial(trial);
        const int block_count = 1 + trial % LARGEST_BLOCK_COUNT;
        if (block_count * layout.size < 2) {
            continue; // no room for two constraints
        }
        double b[DENSE_LARGEST];
        double x[DENSE_LARGEST];
        system_pair s = make_redundant(generator, layout, block_count, b);
        assert_ok(solve(&s, b, x));
        // the shortest of all solutions, by singular values
        const dense_answer shortest = dense_pseudo_solve(s.size, s.size - 1, s.dense, b);
        check_close(&s, x, shortest.x, shortest.tolerance);
        // and by hand: z of the system of one is split as z_0 - 2 z_2 = z, z_2 = -2 z_0
        carom_saddle_release(s.saddle, 2);
        b[place_of(&s, 2)] = 0.0;
        double one[DENSE_LARGEST];
        assert_ok(solve(&s, b, one));
        const double z = one[place_of(&s, 0)];
        one[place_of(&s, 0)] = 0.2 * z;
        one[place_of(&s, 2)] = -0.4 * z;
        check_close(&s, x, one, 2.0 * shortest.tolerance);
        carom_saddle_free(s.saddle);
    }
    gsl_rng_free(generator);
}

TEST(property, contradicting_redundant_multipliers_stay_bounded_in_both_storages) {
    gsl_rng *generator = seeded_generator(SEED);
    for (int kind = 0; kind < 2; kind++) {
        const carom_layout layout = kind == 0 ? carom_layout_full(5) : carom_layout_banded(5, 1);
        double b[DENSE_LARGEST];
        double x[DENSE_LARGEST];
        system_pair s = make_redundant(generator, layout, 2, b);
        b[place_of(&s, 2)] += 0.37;
        assert_ok(solve(&s, b, x));
        // full storage: the least-squares solution of all; banded: J x + C z = b_1 still holds
        const dense_answer shortest = dense_pseudo_solve(s.size, s.size - 1, s.dense, b);
        if (kind == 0) {
            check_close(&s, x, shortest.x, shortest.tolerance);
        }
        for (int i = 0; kind == 1 && i < place_of(&s, 0); i++) {
            double sum = 0.0;
            for (int j = 0; j < s.size; j++) {
                sum += s.dense[i * s.size + j] * x[j];
            }
            assert_close(sum, b[i], 0.0, 1e-12); // some ten roundings of sums of size 100
        }
        ck_assert_double_lt(dense_magnitude(s.size, x), 10.0 * dense_magnitude(s.size, shortest.x));
        carom_saddle_free(s.saddle);
    }
    gsl_rng_free(generator);
}

/** The same motion with masses in another unit, redundant constraints included: to the bit. */
TEST(property, the_unit_of_mass_decides_nothing) {
    const double unit = 0x1p-40;
    gsl_rng *generator = seeded_generator(SEED);
    for (int trial = 0; trial < TRIALS; trial++) {
        const int n = 2 + trial % (LARGEST_BLOCK - 1);
        const carom_layout layout =
            trial % 2 == 0 ? carom_layout_full(n) : carom_layout_banded(n, 1);
        double b[DENSE_LARGEST];
        double x[DENSE_LARGEST];
        double y[DENSE_LARGEST];
        system_pair s = make_redundant(generator, layout, 2, b);
        system_pair other = make_system(layout, 2, 3);
        double line[DENSE_LARGEST];
        double A[LARGEST_BLOCK * LARGEST_BLOCK];
        const int k = place_of(&s, 0);
        for (int block = 0; block < 4; block++) {
            for (int i = 0; i < n; i++) {
                for (int j = carom_layout_first_column(layout, i);
                     j < carom_layout_end_column(layout, i); j++) {
                    A[carom_layout_index(layout, i, j)] =
                        s.dense[(block / 2 * n + i) * s.size + block % 2 * n + j];
                }
            }
            add_block(&other, block / 2, block % 2, unit, A);
        }
        for (int j = 0; j < 3; j++) {
            for (int block = 0; block < 2; block++) {
                carom_saddle_get_column(s.saddle, j, line);
                add_column(&other, block, j, 1.0, line + block * n);
                carom_saddle_get_row(s.saddle, j, line);
                add_row(&other, j, block, 1.0, line + block * n);
            }
        }
        assert_ok(solve(&s, b, x));
        for (int i = 0; i < k; i++) {
            b[i] *= unit;
        }
        assert_ok(solve(&other, b, y));
        for (int i = 0; i < s.size; i++) {
            assert_close(i < k ? y[i] : y[i] / unit, x[i], 0.0, 0.0);
        }
        carom_saddle_free(s.saddle);
        carom_saddle_free(other.saddle);
    }
    gsl_rng_free(generator);
}

/** [0 C; R 0] is regular though J is not. */
TEST(errors, a_singular_band_is_refused_where_full_storage_solves) {
    const double c[2] = {1.7, -0.4};
    const double d[2] = {0.3, 2.1};
    const carom_layout layouts[] = {carom_layout_full(2), carom_layout_banded(2, 1),
                                    carom_layout_banded(2, 0)};
    for (int kind = 0; kind < 3; kind++) {
        system_pair s = make_system(layouts[kind], 1, 2);
        add_column(&s, 0, 0, 1.0, c);
        add_column(&s, 0, 1, 1.0, d);
        add_row(&s, 0, 0, 1.0, c);
        add_row(&s, 1, 0, 1.0, d);
        const double b[4] = {0.91, -1.73, 2.27, 0.48};
        double x[4];
        if (kind > 0) {
            assert_status(carom_saddle_factor(s.saddle), SINGULAR);
        } else {
            assert_ok(solve(&s, b, x));
            const dense_answer expected = dense_pseudo_solve(4, 4, s.dense, b);
            check_close(&s, x, expected.x, expected.tolerance);
        }
        carom_saddle_free(s.saddle);
    }
}

TEST(errors, a_band_that_is_singular_as_a_whole_is_refused_and_can_be_mended) {
    gsl_rng *generator = seeded_generator(SEED);
    for (int p = 0; p < 3; p++) {
        system_pair s = make_system(carom_layout_banded(4, 1), 2, p);
        fill_random(generator, &s);
        // block row 1 becomes block row 0 times -4: each block regular, J not
        const double A[4 * 3] = {0.0, 2.3, 0.4, -0.7, 3.1, 0.2, 0.9, 2.7, -0.3, 0.5, 4.1, 0.0};
        carom_saddle_clear(s.saddle);
        memset(s.dense, 0, sizeof s.dense);
        for (int column = 0; column < 2; column++) {
            add_block(&s, 0, column, 1.0, A);
            add_block(&s, 1, column, -4.0, A);
        }
        for (int j = 0; j < p; j++) {
            fill_border(generator, &s, j);
        }
        assert_status(carom_saddle_factor(s.saddle), SINGULAR);
        add_block(&s, 1, 1, -2.5, A);
        double b[DENSE_LARGEST];
        double x[DENSE_LARGEST];
        dense_random(generator, s.size, 2.3, b);
        assert_ok(solve(&s, b, x));
        const dense_answer expected = dense_pseudo_solve(s.size, s.size, s.dense, b);
        check_close(&s, x, expected.x, expected.tolerance);
        carom_saddle_free(s.saddle);
    }
    gsl_rng_free(generator);
}

TEST(errors, what_is_not_finite_is_refused_in_every_part) {
    static const double bad[] = {(double)NAN, HUGE_VAL, -HUGE_VAL};
    gsl_rng *generator = seeded_generator(SEED);
    for (int kind = 0; kind < 2; kind++) {
        const carom_layout layout = kind == 0 ? carom_layout_full(3) : carom_layout_banded(3, 1);
        for (int part = 0; part < 4 * 3; part++) {
            system_pair s = make_system(layout, 2, 2);
            double line[3] = {0.4, -0.9, 1.3};
            double A[9] = {0.0};
            fill_random(generator, &s);
            line[part % 3] = bad[part / 4];
            A[carom_layout_index(layout, part % 3, part % 3)] = bad[part / 4];
            switch (part % 4) {
            case 0:
                carom_saddle_add_block(s.saddle, part % 2, 1, 1.0, A);
                break;
            case 1:
                carom_saddle_add_column(s.saddle, 1, part % 2, 1.0, line);
                break;
            case 2:
                carom_saddle_add_row(s.saddle, part % 2, 0, 1.0, line);
                break;
            default:
                carom_saddle_add_corner(s.saddle, 0, 1, bad[part / 4]);
            }
            assert_status(carom_saddle_factor(s.saddle), NOT_FINITE);
            carom_saddle_free(s.saddle);
        }
    }
    gsl_rng_free(generator);
}

TEST(errors, a_right_side_that_is_not_finite_is_refused_wherever_it_is) {
    static const double bad[] = {(double)NAN, HUGE_VAL, -HUGE_VAL};
    gsl_rng *generator = seeded_generator(SEED);
    for (int kind = 0; kind < 2; kind++) {
        for (int p = 0; p < 3; p++) {
            system_pair s =
                make_system(kind == 0 ? carom_layout_full(3) : carom_layout_banded(3, 1), 2, p);
            fill_random(generator, &s);
            assert_ok(carom_saddle_factor(s.saddle));
            for (int i = 0; i < s.size; i++) {
                double b[DENSE_LARGEST];
                dense_random(generator, s.size, 2.3, b);
                b[i] = bad[i % 3];
                assert_status(carom_saddle_solve(s.saddle, b), NOT_FINITE);
            }
            carom_saddle_free(s.saddle);
        }
    }
    gsl_rng_free(generator);
}

TEST(errors, missing_memory_is_refused_without_a_leak) {
    const carom_layout layouts[] = {carom_layout_full(4), carom_layout_banded(4, 1)};
    for (int kind = 0; kind < 2; kind++) {
        carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
        int failures = 0;
        for (; status != CAROM_OK; failures++) {
            carom_saddle *saddle = NULL;
            successes_left = failures;
            status = carom_saddle_alloc(layouts[kind], 3, 2, &saddle);
            successes_left = -1;
            ck_assert(status == CAROM_OK || status == CAROM_STATUS_OUT_OF_MEMORY);
            ck_assert_int_eq(saddle != NULL, status == CAROM_OK);
            carom_saddle_free(saddle);
        }
        ck_assert_int_gt(failures, kind == 0 ? 3 : 9);
    }
}
