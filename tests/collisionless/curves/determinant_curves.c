/*
 * carom/collisionless/curves/determinant.h: vertices against the determinants themselves,
 * polylines against the signs at the nodes, the families against the row heights and roots of the
 * reference tables (A.3, A.4).
 */
#include <carom/collisionless/curves/determinant.h>

#include "../../failing_malloc.h"
#include "determinant_cases.h"

#include <gsl/gsl_roots.h>

/* GSL's own allocation ends here, too. */
gsl_root_fsolver *__real_gsl_root_fsolver_alloc(const gsl_root_fsolver_type *type);
gsl_root_fsolver *__wrap_gsl_root_fsolver_alloc(const gsl_root_fsolver_type *type);

gsl_root_fsolver *__wrap_gsl_root_fsolver_alloc(const gsl_root_fsolver_type *type) {
    return may_allocate() ? __real_gsl_root_fsolver_alloc(type) : NULL;
}

static carom_determinant_curves *curves_of(const carom_phase_spectra *spectra,
                                           const carom_impact_phase_window *window) {
    carom_determinant_curves *curves = NULL;
    assert_ok(carom_determinant_curves_trace(spectra, window, &curves, NULL));
    return curves;
}

static double determinant_at(carom_reduced_matrix *reduced, int family, double phase,
                             double constrained_phase) {
    double determinants[CAROM_DETERMINANT_FAMILY_COUNT] = {0.0};
    carom_reduced_matrix_determinants(
        reduced, carom_reduced_matrix_time(reduced, phase),
        carom_reduced_matrix_constrained_time(reduced, constrained_phase), determinants);
    return determinants[family];
}

TEST(unit, a_window_of_phases_is_a_box_of_times) {
    // omega_2 = 2, and a constrained mode that does not oscillate counts by its rate, 0.5.
    const double lambda[2] = {-1.0, 4.0};
    const double constrained[1] = {-0.25};
    carom_phase_spectra *spectra =
        spectra_of(2, lambda, constrained, CAROM_PARITY_EVEN, CAROM_PARITY_ODD);
    assert_close(carom_phase_spectra_frequency(spectra), 2.0, 0.0, 0.0);
    assert_close(carom_phase_spectra_constrained_frequency(spectra), 0.5, 0.0, 0.0);
    carom_impact_phase_window window = carom_impact_phase_window_default();
    window.min_phase = 0.375;
    window.max_constrained_phase = 2.375;
    const carom_root_search_params box = carom_impact_phase_window_box(&window, spectra);
    assert_close(box.min_time, 0.1875, 0.0, 0.0);
    assert_close(box.max_time, 8.0, 0.0, 0.0);
    assert_close(box.min_constrained_time, 0.04, 1e-15, 0.0);
    assert_close(box.max_constrained_time, 4.75, 0.0, 0.0);
    const carom_impact_phase_window back = carom_impact_phase_window_of_box(&box, spectra);
    assert_close(back.min_phase, window.min_phase, 0.0, 0.0);
    assert_close(back.max_phase, window.max_phase, 0.0, 0.0);
    assert_close(back.min_constrained_phase, window.min_constrained_phase, 1e-15, 0.0);
    assert_close(back.max_constrained_phase, window.max_constrained_phase, 0.0, 0.0);
    ck_assert_int_eq(back.columns, window.columns);
    carom_phase_spectra_free(spectra);
}

static double column_phase(const carom_impact_phase_window *window, int column) {
    return window->min_phase + (window->max_phase - window->min_phase) * column / window->columns;
}

static double row_phase(const carom_impact_phase_window *window, int row) {
    return window->min_constrained_phase +
           (window->max_constrained_phase - window->min_constrained_phase) * row / window->rows;
}

/** Distance to the nearest column of the grid, in cells. */
static double off_columns(const carom_impact_phase_window *window, double phase) {
    const double cells =
        (phase - window->min_phase) / (window->max_phase - window->min_phase) * window->columns;
    return fabs(cells - floor(cells + 0.5));
}

static double off_rows(const carom_impact_phase_window *window, double constrained_phase) {
    const double cells = (constrained_phase - window->min_constrained_phase) /
                         (window->max_constrained_phase - window->min_constrained_phase) *
                         window->rows;
    return fabs(cells - floor(cells + 0.5));
}

static bool is_closed(const carom_determinant_curves *curves, int polyline) {
    const int first = curves->first[polyline];
    const int last = curves->first[polyline + 1] - 1;
    // a copy of the first point
    return last > first && fabs(curves->phase[first] - curves->phase[last]) <= 0.0 &&
           fabs(curves->constrained_phase[first] - curves->constrained_phase[last]) <= 0.0;
}

static bool is_on_border(const carom_impact_phase_window *window, double phase,
                         double constrained_phase) {
    const double x = 1e-12 * window->max_phase;
    const double y = 1e-12 * window->max_constrained_phase;
    return fabs(phase - window->min_phase) <= x || fabs(phase - window->max_phase) <= x ||
           fabs(constrained_phase - window->min_constrained_phase) <= y ||
           fabs(constrained_phase - window->max_constrained_phase) <= y;
}

/** Edges of the grid, and those of its border among them, at whose ends the determinant differs in
 * sign. */
static void count_sign_changes(carom_reduced_matrix *reduced,
                               const carom_impact_phase_window *window, int family, int *all,
                               int *on_border) {
    *all = 0;
    *on_border = 0;
    for (int j = 0; j <= window->rows; j++) {
        for (int i = 0; i <= window->columns; i++) {
            const double x = column_phase(window, i);
            const double y = row_phase(window, j);
            const bool here = determinant_at(reduced, family, x, y) < 0.0;
            if (i < window->columns) {
                const double right = column_phase(window, i + 1);
                const bool differs = (determinant_at(reduced, family, right, y) < 0.0) != here;
                *all += differs ? 1 : 0;
                *on_border += differs && (j == 0 || j == window->rows) ? 1 : 0;
            }
            if (j < window->rows) {
                const double above = row_phase(window, j + 1);
                const bool differs = (determinant_at(reduced, family, x, above) < 0.0) != here;
                *all += differs ? 1 : 0;
                *on_border += differs && (i == 0 || i == window->columns) ? 1 : 0;
            }
        }
    }
}

/** The arrays say the same; a vertex lies on an edge of the grid, the next one in the same cell. */
static void assert_polylines(const carom_determinant_curves *curves,
                             const carom_impact_phase_window *window) {
    ck_assert_int_eq(curves->first[0], 0);
    ck_assert_int_eq(curves->first[curves->polyline_count], curves->point_count);
    for (int k = 0; k < curves->polyline_count; k++) {
        const int first = curves->first[k];
        const int last = curves->first[k + 1] - 1;
        ck_assert_int_gt(last, first);
        for (int p = first; p <= last; p++) {
            ck_assert_int_eq(curves->polyline[p], k);
            ck_assert_int_eq(curves->family[p], curves->family[first]);
            const double x = curves->phase[p];
            const double y = curves->constrained_phase[p];
            ck_assert_double_lt(fmin(off_columns(window, x), off_rows(window, y)), 1e-9);
            if (p < last) {
                // 0.5 (x + x next) lies in the cell of both
                const double width = (window->max_phase - window->min_phase) / window->columns;
                const double height =
                    (window->max_constrained_phase - window->min_constrained_phase) / window->rows;
                const double column =
                    floor((0.5 * (x + curves->phase[p + 1]) - window->min_phase) / width);
                const double row = floor(
                    (0.5 * (y + curves->constrained_phase[p + 1]) - window->min_constrained_phase) /
                    height);
                const double left = window->min_phase + column * width;
                const double bottom = window->min_constrained_phase + row * height;
                for (int q = p; q <= p + 1; q++) {
                    ck_assert_double_ge(curves->phase[q], left - 1e-9);
                    ck_assert_double_le(curves->phase[q], left + width + 1e-9);
                    ck_assert_double_ge(curves->constrained_phase[q], bottom - 1e-9);
                    ck_assert_double_le(curves->constrained_phase[q], bottom + height + 1e-9);
                }
            }
        }
    }
}

/** As many vertices as edges with a change of sign, as many ends as on the border. */
static void assert_complete(const carom_phase_spectra *spectra,
                            const carom_determinant_curves *curves,
                            const carom_impact_phase_window *window) {
    carom_reduced_matrix *reduced = reduced_of(spectra);
    for (int family = 0; family < CAROM_DETERMINANT_FAMILY_COUNT; family++) {
        int vertices = 0;
        int ends = 0;
        for (int k = 0; k < curves->polyline_count; k++) {
            const int first = curves->first[k];
            const int last = curves->first[k + 1] - 1;
            if (curves->family[first] != family) {
                continue;
            }
            vertices += last - first + 1;
            if (is_closed(curves, k)) {
                vertices--;
                ck_assert_int_ge(last - first, 4);
            } else {
                ends += 2;
                ck_assert(
                    is_on_border(window, curves->phase[first], curves->constrained_phase[first]));
                ck_assert(
                    is_on_border(window, curves->phase[last], curves->constrained_phase[last]));
            }
        }
        int all = 0;
        int on_border = 0;
        count_sign_changes(reduced, window, family, &all, &on_border);
        ck_assert_int_eq(vertices, all);
        ck_assert_int_eq(ends, on_border);
    }
    carom_reduced_matrix_free(reduced);
}

/** The determinant changes its sign within 1e-12 of every vertex, along its edge. */
static void assert_vertices_are_zeros(const carom_phase_spectra *spectra,
                                      const carom_determinant_curves *curves,
                                      const carom_impact_phase_window *window) {
    carom_reduced_matrix *reduced = reduced_of(spectra);
    for (int p = 0; p < curves->point_count; p++) {
        const double x = curves->phase[p];
        const double y = curves->constrained_phase[p];
        const bool is_along_phase = off_rows(window, y) < off_columns(window, x);
        double values[2] = {0.0};
        for (int side = 0; side <= 1; side++) {
            const double factor = 1.0 + (side == 0 ? -1e-12 : 1e-12);
            values[side] =
                determinant_at(reduced, curves->family[p], is_along_phase ? factor * x : x,
                               is_along_phase ? y : factor * y);
        }
        ck_assert_msg(values[0] * values[1] <= 0.0, "vertex %d at (%.17g, %.17g): %g, %g", p, x, y,
                      values[0], values[1]);
    }
    carom_reduced_matrix_free(reduced);
}

TEST(unit, vertices_are_zeros_to_twelve_digits) {
    carom_phase_spectra *cases[3] = {unit_biped(), critical_stand_in(), two_oscillating()};
    for (int k = 0; k < 3; k++) {
        carom_impact_phase_window window = carom_impact_phase_window_default();
        window.columns = 97;
        window.rows = 61;
        carom_determinant_curves *curves = curves_of(cases[k], &window);
        ck_assert_int_gt(curves->point_count, 500);
        assert_vertices_are_zeros(cases[k], curves, &window);
        carom_determinant_curves_free(curves);
        carom_phase_spectra_free(cases[k]);
    }
}

/**: heights of the rows for tau to infinity; they are where the curves without the last mode
 * leave the window, and on all of its right part. */
TEST(unit, curves_without_the_last_mode_are_the_rows) {
    carom_phase_spectra *spectra = unit_biped();
    carom_impact_phase_window window = carom_impact_phase_window_default();
    carom_determinant_curves *curves = curves_of(spectra, &window);
    int at_height[3] = {0, 0, 0};
    int beyond = 0;
    for (int p = 0; p < curves->point_count; p++) {
        // exp(-2 nu_2 tau) at o_N = 14 is 1e-8
        if (curves->family[p] != CAROM_DETERMINANT_WITHOUT_MODE || curves->phase[p] < 14.0) {
            continue;
        }
        beyond++;
        for (int r = 0; r < 3; r++) {
            if (fabs(curves->constrained_phase[p] - UNIT_BIPED_HEIGHTS[r]) < 1e-7) {
                at_height[r]++;
            }
        }
    }
    // the columns from o_N = 14 to 16, or one less, once for each row
    for (int r = 0; r < 3; r++) {
        ck_assert_int_ge(at_height[r], 50);
    }
    ck_assert_int_eq(at_height[0] + at_height[1] + at_height[2], beyond);
    carom_determinant_curves_free(curves);
    carom_phase_spectra_free(spectra);
}

/** How often a family crosses a line of constant o'_{N-1} at o_N from `low` to `high`. */
static int crossings_of_height(const carom_determinant_curves *curves, int family, double height,
                               double low, double high) {
    int count = 0;
    for (int p = 0; p + 1 < curves->point_count; p++) {
        const bool is_segment =
            curves->polyline[p] == curves->polyline[p + 1] && curves->family[p] == family;
        const bool is_between = curves->phase[p] > low && curves->phase[p] < high;
        const bool crosses =
            (curves->constrained_phase[p] < height) != (curves->constrained_phase[p + 1] < height);
        count += is_segment && is_between && crosses ? 1 : 0;
    }
    return count;
}

/** Where the last mode moves half an oscillation and all others are saturated, the curve without
 * the vanishing force passes each height once: it is the family that runs from bottom to top. The
 * caption of figure 2 has it the other way round. */
TEST(unit, curves_without_the_force_pass_every_height_once_in_a_column) {
    carom_phase_spectra *cases[2] = {unit_biped(), critical_stand_in()};
    for (int k = 0; k < 2; k++) {
        const carom_impact_phase_window window = carom_impact_phase_window_default();
        carom_determinant_curves *curves = curves_of(cases[k], &window);
        for (int n = 2; n <= 4; n++) {
            for (int h = 1; h <= 9; h++) {
                const double height = 0.13 + h;
                ck_assert_int_eq(crossings_of_height(curves, CAROM_DETERMINANT_WITHOUT_FORCE,
                                                     height, (n - 0.5) * M_PI + 0.3,
                                                     (n + 0.5) * M_PI + 0.3),
                                 1);
            }
        }
        carom_determinant_curves_free(curves);
        carom_phase_spectra_free(cases[k]);
    }
}

/** Distance of a point to the segments of a family. */
static double distance_to_family(const carom_determinant_curves *curves, int family,
                                 known_root root) {
    double least = HUGE_VAL;
    for (int p = 0; p + 1 < curves->point_count; p++) {
        if (curves->polyline[p] != curves->polyline[p + 1] || curves->family[p] != family) {
            continue;
        }
        const double dx = curves->phase[p + 1] - curves->phase[p];
        const double dy = curves->constrained_phase[p + 1] - curves->constrained_phase[p];
        const double x = root.phase - curves->phase[p];
        const double y = root.constrained_phase - curves->constrained_phase[p];
        const double square = dx * dx + dy * dy;
        const double along = square > 0.0 ? fmax(0.0, fmin(1.0, (x * dx + y * dy) / square)) : 0.0;
        least = fmin(least, hypot(x - along * dx, y - along * dy));
    }
    return least;
}

TEST(unit, both_families_pass_through_the_roots) {
    carom_phase_spectra *cases[2] = {unit_biped(), critical_stand_in()};
    const known_root *roots[2] = {UNIT_BIPED_ROOTS, CRITICAL_ROOTS};
    const int counts[2] = {12, 6};
    for (int k = 0; k < 2; k++) {
        const carom_impact_phase_window window = carom_impact_phase_window_default();
        carom_determinant_curves *curves = curves_of(cases[k], &window);
        for (int r = 0; r < counts[k]; r++) {
            for (int family = 0; family < CAROM_DETERMINANT_FAMILY_COUNT; family++) {
                // chords of cells of 0.04 rad: h2/8 over a radius of curvature of 1/4
                ck_assert_double_lt(distance_to_family(curves, family, roots[k][r]), 8e-4);
            }
        }
        carom_determinant_curves_free(curves);
        carom_phase_spectra_free(cases[k]);
    }
}

TEST(unit, a_window_without_curves_has_none) {
    const double lambda[2] = {-2.1, -0.4};
    const double constrained[1] = {-0.9};
    carom_phase_spectra *spectra =
        spectra_of(2, lambda, constrained, CAROM_PARITY_EVEN, CAROM_PARITY_EVEN);
    carom_impact_phase_window window = carom_impact_phase_window_default();
    window.min_phase = 4.0;
    window.columns = 20;
    window.rows = 20;
    carom_determinant_curves *curves = curves_of(spectra, &window);
    ck_assert_int_eq(curves->point_count, 0);
    ck_assert_int_eq(curves->polyline_count, 0);
    ck_assert_int_eq(curves->first[0], 0);
    carom_determinant_curves_free(curves);
    carom_phase_spectra_free(spectra);
}

TEST(property, polylines_are_whole_ordered_and_end_on_the_border) {
    for (unsigned long seed = 0; seed < 24; seed++) {
        const int N = 2 + (int)(seed % 4);
        carom_phase_spectra *spectra = random_spectra(SEED + seed, N, -2.0, 3.0, 3.2, 3.9);
        mix_parities(spectra, seed);
        carom_impact_phase_window window = {.min_phase = 0.31,
                                            .max_phase = 13.7,
                                            .min_constrained_phase = 0.29,
                                            .max_constrained_phase = 9.1,
                                            .columns = 37,
                                            .rows = 29};
        carom_determinant_curves *curves = curves_of(spectra, &window);
        assert_polylines(curves, &window);
        assert_complete(spectra, curves, &window);
        carom_determinant_curves_free(curves);
        carom_phase_spectra_free(spectra);
    }
}

/** An edge of the grid, or any part of the plane with a rounding around it. */
typedef struct phase_box {
    double left;
    double right;
    double bottom;
    double top;
} phase_box;

static bool is_in(const phase_box *box, double phase, double constrained_phase) {
    return phase >= box->left - 1e-12 && phase <= box->right + 1e-12 &&
           constrained_phase >= box->bottom - 1e-12 && constrained_phase <= box->top + 1e-12;
}

/** Whether a segment of a family joins two edges. */
static bool are_joined(const carom_determinant_curves *curves, int family, phase_box a,
                       phase_box b) {
    for (int p = 0; p + 1 < curves->point_count; p++) {
        if (curves->polyline[p] != curves->polyline[p + 1] || curves->family[p] != family) {
            continue;
        }
        const double *x = &curves->phase[p];
        const double *y = &curves->constrained_phase[p];
        if ((is_in(&a, x[0], y[0]) && is_in(&b, x[1], y[1])) ||
            (is_in(&b, x[0], y[0]) && is_in(&a, x[1], y[1]))) {
            return true;
        }
    }
    return false;
}

/** In a cell with alternating corners the sign at the centre decides; 1 if it is such a cell. */
static int check_saddle(carom_reduced_matrix *reduced, const carom_determinant_curves *curves,
                        const carom_impact_phase_window *window, int family, int row, int column) {
    const phase_box cell = {column_phase(window, column), column_phase(window, column + 1),
                            row_phase(window, row), row_phase(window, row + 1)};
    const bool least = determinant_at(reduced, family, cell.left, cell.bottom) < 0.0;
    const bool right = determinant_at(reduced, family, cell.right, cell.bottom) < 0.0;
    const bool above = determinant_at(reduced, family, cell.left, cell.top) < 0.0;
    const bool largest = determinant_at(reduced, family, cell.right, cell.top) < 0.0;
    if (least != largest || right != above || least == right) {
        return 0;
    }
    const bool centre = determinant_at(reduced, family, 0.5 * (cell.left + cell.right),
                                       0.5 * (cell.bottom + cell.top)) < 0.0;
    phase_box low_edge = cell;
    phase_box right_edge = cell;
    phase_box high_edge = cell;
    phase_box left_edge = cell;
    low_edge.top = cell.bottom;
    right_edge.left = cell.right;
    high_edge.bottom = cell.top;
    left_edge.right = cell.left;
    // like the least corner: the corners to its right and above it are cut off
    ck_assert(are_joined(curves, family, low_edge, right_edge) == (centre == least));
    ck_assert(are_joined(curves, family, high_edge, left_edge) == (centre == least));
    ck_assert(are_joined(curves, family, low_edge, left_edge) == (centre != least));
    ck_assert(are_joined(curves, family, high_edge, right_edge) == (centre != least));
    return 1;
}

TEST(property, branches_in_one_cell_are_told_apart_by_its_centre) {
    int saddles = 0;
    for (unsigned long seed = 0; seed < 12; seed++) {
        const int N = 3 + (int)(seed % 3);
        carom_phase_spectra *spectra = random_spectra(SEED + seed, N, -2.0, 3.0, 3.2, 3.9);
        mix_parities(spectra, seed);
        const carom_impact_phase_window window = {.min_phase = 0.31,
                                                  .max_phase = 13.7,
                                                  .min_constrained_phase = 0.29,
                                                  .max_constrained_phase = 9.1,
                                                  .columns = 31,
                                                  .rows = 23};
        carom_determinant_curves *curves = curves_of(spectra, &window);
        carom_reduced_matrix *reduced = reduced_of(spectra);
        for (int j = 0; j < window.rows; j++) {
            for (int i = 0; i < window.columns; i++) {
                for (int family = 0; family < CAROM_DETERMINANT_FAMILY_COUNT; family++) {
                    saddles += check_saddle(reduced, curves, &window, family, j, i);
                }
            }
        }
        carom_reduced_matrix_free(reduced);
        carom_determinant_curves_free(curves);
        carom_phase_spectra_free(spectra);
    }
    ck_assert_int_gt(saddles, 20);
}

static void assert_window_refused(const carom_impact_phase_window *window, carom_status expected,
                                  const char *quantity) {
    carom_phase_spectra *spectra = unit_biped();
    carom_report report = carom_report_empty();
    carom_determinant_curves *curves = (carom_determinant_curves *)&report;
    ck_assert_int_eq(carom_determinant_curves_trace(spectra, window, &curves, &report), expected);
    ck_assert_ptr_null(curves);
    ck_assert_str_eq(report.quantity, quantity);
    carom_phase_spectra_free(spectra);
}

TEST(errors, windows_that_are_none_are_refused) {
    const carom_impact_phase_window good = carom_impact_phase_window_default();
    carom_impact_phase_window w = good;
    w.min_phase = 0.0;
    assert_window_refused(&w, CAROM_STATUS_OUT_OF_RANGE, "min phase");
    w = good;
    w.max_phase = w.min_phase;
    assert_window_refused(&w, CAROM_STATUS_CONFLICT, "max phase");
    w = good;
    w.max_phase = HUGE_VAL;
    assert_window_refused(&w, CAROM_STATUS_NOT_FINITE, "max phase");
    w = good;
    w.max_phase = 1.001e8;
    assert_window_refused(&w, CAROM_STATUS_OUT_OF_RANGE, "max phase");
    w = good;
    w.min_constrained_phase = -0.1;
    assert_window_refused(&w, CAROM_STATUS_OUT_OF_RANGE, "min constrained phase");
    w = good;
    w.max_constrained_phase = 0.01;
    assert_window_refused(&w, CAROM_STATUS_CONFLICT, "max constrained phase");
    w = good;
    w.min_constrained_phase = (double)NAN;
    assert_window_refused(&w, CAROM_STATUS_NOT_FINITE, "min constrained phase");
    w = good;
    w.columns = 1;
    assert_window_refused(&w, CAROM_STATUS_OUT_OF_RANGE, "columns");
    w = good;
    w.rows = 8193;
    assert_window_refused(&w, CAROM_STATUS_OUT_OF_RANGE, "rows");
}

TEST(errors, spectra_with_a_zero_have_no_determinants) {
    const double lambda[2] = {0.0, 2.0};
    const double constrained[1] = {1.0};
    carom_phase_spectra *spectra =
        spectra_of(2, lambda, constrained, CAROM_PARITY_EVEN, CAROM_PARITY_EVEN);
    const carom_impact_phase_window window = carom_impact_phase_window_default();
    carom_determinant_curves *curves = NULL;
    carom_report report = carom_report_empty();
    assert_status(carom_determinant_curves_trace(spectra, &window, &curves, &report), SINGULAR);
    ck_assert_ptr_null(curves);
    ck_assert_str_eq(report.quantity, "unconstrained spectrum");
    ck_assert_int_eq(report.index, 0);
    carom_phase_spectra_free(spectra);
}

TEST(errors, running_out_of_memory_leaves_nothing_behind) {
    carom_phase_spectra *spectra = unit_biped();
    carom_impact_phase_window window = carom_impact_phase_window_default();
    window.columns = 20;
    window.rows = 20;
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    int failures = 0;
    for (; status != CAROM_OK; failures++) {
        carom_determinant_curves *curves = NULL;
        successes_left = failures;
        status = carom_determinant_curves_trace(spectra, &window, &curves, NULL);
        successes_left = -1;
        if (status != CAROM_OK) {
            ck_assert_int_eq(status, CAROM_STATUS_OUT_OF_MEMORY);
            ck_assert_ptr_null(curves);
        }
        carom_determinant_curves_free(curves);
    }
    ck_assert_int_gt(failures, 20);
    carom_determinant_curves_free(NULL);
    carom_phase_spectra_free(spectra);
}
