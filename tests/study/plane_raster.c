#include "../failing_malloc.h"
#include "../support.h"

#include <carom/study/internal.h>
#include <omp.h>
#include <string.h>

enum { ALONG = CAROM_PLANE_CELLS + 1, CELLS = CAROM_PLANE_MOST_POINTS };

/** A rectangle of uneven sides; rows 2 and 0 of three. */
static const carom_plane plane = {"normal_AB", 2, 0, -1.52, 2.48, 0.25, 0.75};

/** Sides of its cells. */
static const double width = 4.0 / CAROM_PLANE_CELLS;
static const double height = 0.5 / CAROM_PLANE_CELLS;

/** Number of the cell of a coordinate: the first one holds the lower limit. */
static int column_of(double x) {
    return (int)(floor(x / width + 0.5) - floor(plane.x_min / width + 0.5));
}

static int row_of(double y) {
    return (int)(floor(y / height + 0.5) - floor(plane.y_min / height + 0.5));
}

static carom_plane_raster *make(void) {
    carom_plane_raster *raster = NULL;
    assert_ok(carom_plane_raster_alloc(&plane, &raster, NULL));
    ck_assert_int_eq(carom_plane_raster_count(raster), 0);
    return raster;
}

/** Occupied cells as flags. */
static void read_cells(const carom_plane_raster *raster, char *cells) {
    static double x[CELLS];
    static double y[CELLS];
    memset(cells, 0, CELLS);
    carom_plane_raster_centres(raster, x, y);
    for (int i = 0; i < carom_plane_raster_count(raster); i++) {
        const int column = column_of(x[i]);
        const int row = row_of(y[i]);
        // Centres are multiples of the length of a cell, up to rounding.
        assert_close(x[i], width * round(x[i] / width), 0.0, 1e-14);
        assert_close(y[i], height * round(y[i] / height), 0.0, 1e-14);
        cells[row * ALONG + column] = 1;
    }
}

/** Add a segment between two places of the plane. */
static void add(carom_plane_raster *raster, double x0, double y0, double x1, double y1) {
    const double path[] = {y0, NAN, x0, y1, NAN, x1};
    carom_plane_raster_add(raster, 2, 3, path);
}

TEST(unit, a_horizontal_segment_fills_a_row) {
    carom_plane_raster *raster = make();
    static char cells[CELLS];
    // 0.5024 is nearest to the centre 100 x 0.005 = 0.5, the 51st from 0.25.
    add(raster, -1.52, 0.5024, 2.48, 0.5024);
    ck_assert_int_eq(carom_plane_raster_count(raster), ALONG);
    read_cells(raster, cells);
    for (int i = 0; i < ALONG; i++) {
        ck_assert_int_eq(cells[50 * ALONG + i], 1);
    }
    carom_plane_raster_free(raster);
}

TEST(unit, single_points_and_the_edges_belong_to_the_plane) {
    carom_plane_raster *raster = make();
    const double inside[] = {0.3, 0.0, 1.0};
    carom_plane_raster_add(raster, 1, 3, inside);
    ck_assert_int_eq(carom_plane_raster_count(raster), 1);
    carom_plane_raster_add(raster, 1, 3, inside);
    ck_assert_int_eq(carom_plane_raster_count(raster), 1);
    const double corner[] = {0.75, 0.0, 2.48};
    carom_plane_raster_add(raster, 1, 3, corner);
    ck_assert_int_eq(carom_plane_raster_count(raster), 2);
    carom_plane_raster_add(raster, 0, 3, inside);
    const double outside[] = {0.7501, 0.0, 2.48, 0.5, 0.0, -1.5201, 0.5, 0.0, NAN};
    carom_plane_raster_add(raster, 1, 3, outside);
    carom_plane_raster_add(raster, 1, 3, outside + 3);
    carom_plane_raster_add(raster, 1, 3, outside + 6);
    ck_assert_int_eq(carom_plane_raster_count(raster), 2);
    ck_assert_str_eq(carom_plane_raster_plane(raster)->name, "normal_AB");
    carom_plane_raster_free(raster);
}

TEST(unit, a_segment_from_far_outside_is_cut_at_the_edges) {
    carom_plane_raster *raster = make();
    static char cells[CELLS];
    // Along x = 0.5, from and to places a million planes away.
    add(raster, 0.5, -4e5, 0.5, 5e5);
    read_cells(raster, cells);
    ck_assert_int_eq(carom_plane_raster_count(raster), ALONG);
    for (int i = 0; i < ALONG; i++) {
        ck_assert_int_eq(cells[i * ALONG + column_of(0.5)], 1);
    }
    // None of these meets the rectangle.
    carom_plane_raster_free(raster);
    raster = make();
    add(raster, -1.6, 0.0, 3.0, 0.2);
    add(raster, -9.0, 0.5, -1.6, 0.5);
    add(raster, -1.6, 0.74, -1.4, 1.5);
    add(raster, NAN, 0.5, 1.0, NAN);
    add(raster, 0.5, 0.5, INFINITY, 0.5);
    ck_assert_int_eq(carom_plane_raster_count(raster), 1);
    carom_plane_raster_free(raster);
}

TEST(unit, zero_is_drawn_as_zero) {
    // Whatever the limits are, the cell of zero is centred there, also with rounding on either
    // side.
    const double limits[][2] = {{-0.37, 1.1}, {-1.0, 1.0}, {0.0, 0.7}, {-2.385, 0.0}, {-1e-3, 5.0}};
    for (int k = 0; k < 5; k++) {
        const carom_plane through = {"z", 0, 1, limits[k][0], limits[k][1], -1.0, 1.0};
        const double path[] = {1e-15, -1.0, -1e-15, 1.0};
        double x[CELLS];
        double y[CELLS];
        carom_plane_raster *raster = NULL;
        assert_ok(carom_plane_raster_alloc(&through, &raster, NULL));
        carom_plane_raster_add(raster, 2, 2, path);
        carom_plane_raster_centres(raster, x, y);
        for (int i = 0; i < carom_plane_raster_count(raster); i++) {
            assert_close(x[i], 0.0, 0.0, 0.0);
        }
        // Where zero is a limit, rounding has put one half of the segment outside.
        ck_assert_int_ge(carom_plane_raster_count(raster), ALONG / 2);
        carom_plane_raster_free(raster);
    }
}

TEST(unit, the_first_point_of_each_cell_is_kept) {
    const carom_plane square = {"s", 0, 1, 0.0, 100.0, 0.0, 100.0};
    const double points[] = {3.0, 4.0, 3.25, 4.25, 9.0, 1.0,   3.0,   4.0, -1.0,
                             5.0, 9.0, 1.0,  20.0, 1.0, 100.0, 100.0, NAN, 1.0};
    const int is_drawn[] = {0, 1, 1, 1, 1, 1, 0, 1, 1};
    int kept[CELLS];
    int count = 0;
    assert_ok(carom_plane_raster_thin(&square, 9, 2, points, is_drawn, NULL, kept, &count));
    const int expected[] = {1, 2, 7};
    ck_assert_int_eq(count, 3);
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(kept[i], expected[i]);
    }
    assert_ok(carom_plane_raster_thin(&square, 9, 2, points, NULL, NULL, kept, &count));
    ck_assert_int_eq(count, 4);
    ck_assert_int_eq(kept[0], 0);
    assert_ok(carom_plane_raster_thin(&square, 0, 2, NULL, NULL, NULL, kept, &count));
    ck_assert_int_eq(count, 0);
}

/** Whether a cell or one of its eight neighbours is occupied. */
static bool is_near(const char *cells, int cell) {
    const int column = cell % ALONG;
    const int row = cell / ALONG;
    for (int i = row - 1; i <= row + 1; i++) {
        for (int j = column - 1; j <= column + 1; j++) {
            if (i >= 0 && i < ALONG && j >= 0 && j < ALONG && cells[i * ALONG + j] != 0) {
                return true;
            }
        }
    }
    return false;
}

TEST(property, occupied_cells_are_those_that_segments_cross) {
    // Independently: so many points on the segment that every cell it crosses by more than a
    // thousandth of its length has one.
    enum { POINTS = 100000 };
    const unsigned long seed = 2301;
    gsl_rng *generator = seeded_generator(seed);
    static char cells[CELLS];
    static char dense[CELLS];
    for (int k = 0; k < 20; k++) {
        carom_plane_raster *raster = make();
        const double x0 = uniform(generator, -3.0, 4.0);
        const double x1 = uniform(generator, -3.0, 4.0);
        const double y0 = uniform(generator, 0.1, 0.9);
        const double y1 = uniform(generator, 0.1, 0.9);
        add(raster, x0, y0, x1, y1);
        read_cells(raster, cells);
        memset(dense, 0, CELLS);
        for (int i = 0; i <= POINTS; i++) {
            const double x = x0 + (x1 - x0) * i / POINTS;
            const double y = y0 + (y1 - y0) * i / POINTS;
            if (x >= plane.x_min && x <= plane.x_max && y >= plane.y_min && y <= plane.y_max) {
                dense[row_of(y) * ALONG + column_of(x)] = 1;
            }
        }
        for (int i = 0; i < CELLS; i++) {
            ck_assert_msg(cells[i] == 0 || is_near(dense, i), "seed %lu, segment %d, cell %d", seed,
                          k, i);
            ck_assert_msg(dense[i] == 0 || cells[i] != 0, "seed %lu, segment %d, cell %d", seed, k,
                          i);
        }
        carom_plane_raster_free(raster);
    }
    gsl_rng_free(generator);
}

TEST(property, any_number_of_threads_fills_the_same_cells) {
    enum { PATHS = 500, POINTS = 6 };
    static double paths[PATHS * POINTS * 3];
    static char serial[CELLS];
    static char parallel[CELLS];
    gsl_rng *generator = seeded_generator(2302);
    for (int i = 0; i < PATHS * POINTS * 3; i++) {
        // Rows 0 and 2 have their limits near these.
        paths[i] = i % 3 == 0 ? uniform(generator, 0.2, 0.8) : uniform(generator, -2.0, 3.0);
    }
    gsl_rng_free(generator);
    carom_plane_raster *raster = make();
    for (int i = 0; i < PATHS; i += 50) {
        carom_plane_raster_add(raster, POINTS, 3, paths + i * POINTS * 3);
    }
    read_cells(raster, serial);
    carom_plane_raster_free(raster);
    raster = make();
#pragma omp parallel for num_threads(4) schedule(dynamic, 1)
    for (int i = 0; i < PATHS; i += 50) {
        carom_plane_raster_add(raster, POINTS, 3, paths + (PATHS - 50 - i) * POINTS * 3);
    }
    read_cells(raster, parallel);
    carom_plane_raster_free(raster);
    ck_assert_mem_eq(serial, parallel, CELLS);
}

TEST(errors, planes_without_area_are_refused) {
    const double limits[][4] = {{0.5, 0.5, 0.0, 1.0},      {1.0, 0.0, 0.0, 1.0},
                                {0.0, 1.0, 2.0, 2.0},      {0.0, 1.0, 0.0, NAN},
                                {0.0, INFINITY, 0.0, 1.0}, {NAN, 1.0, 0.0, 1.0}};
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        const carom_plane bad = {"p", 0, 1, limits[i][0], limits[i][1], limits[i][2], limits[i][3]};
        carom_plane_raster *raster = NULL;
        carom_report report = carom_report_empty();
        assert_status(carom_plane_raster_alloc(&bad, &raster, &report), OUT_OF_RANGE);
        ck_assert_str_eq(report.quantity, "plane");
        ck_assert_ptr_null(raster);
        int kept[1];
        int count = 7;
        assert_status(carom_plane_raster_thin(&bad, 0, 2, NULL, NULL, NULL, kept, &count),
                      OUT_OF_RANGE);
        ck_assert_int_eq(count, 0);
    }
    carom_plane_raster_free(NULL);
}

TEST(errors, failing_allocations_are_said) {
    carom_plane_raster *raster = NULL;
    int kept[1];
    int count = 7;
    successes_left = 0;
    const carom_status made = carom_plane_raster_alloc(&plane, &raster, NULL);
    successes_left = 0;
    const carom_status thinned =
        carom_plane_raster_thin(&plane, 0, 3, NULL, NULL, NULL, kept, &count);
    successes_left = -1;
    assert_status(made, OUT_OF_MEMORY);
    assert_status(thinned, OUT_OF_MEMORY);
    ck_assert_ptr_null(raster);
    ck_assert_int_eq(count, 0);
}
