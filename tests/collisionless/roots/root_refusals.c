/* carom/collisionless/roots/impact_roots.h: what is refused, and searches that find nothing or end
 * without memory. */
#include "../../failing_malloc.h"
#include "root_searches.h"

TEST(errors, a_box_without_roots_gives_an_empty_list) {
    carom_phase_spectra *s = biped();
    for (int way = 0; way < 2; way++) {
        // below the first root of each row
        carom_root_search_params box = box_of(0.5, 3.0, 0.02, 8.0);
        box.use_subdivision = way == 1;
        carom_root_list *list = list_of(s, box);
        ck_assert_int_eq(list->count, 0);
        assert_complete(s, list);
        carom_root_list_free(list);
    }
    carom_root_list_free(NULL);
    carom_phase_spectra_free(s);
}

TEST(errors, too_few_boxes_are_admitted) {
    carom_phase_spectra *s = biped();
    for (int boxes = 1; boxes <= 4096; boxes *= 8) {
        carom_root_search_params box = box_of(0.1, 10.0, 0.1, 8.0);
        box.use_subdivision = true;
        box.max_boxes = boxes;
        carom_root_list *list = list_of(s, box);
        ck_assert_int_le(list->count, 9);
        ck_assert_int_le(list->boxes, boxes);
        ck_assert(list->is_complete == (list->undecided == 0));
        ck_assert(!list->is_complete || list->count == 9);
        ck_assert(boxes > 64 || !list->is_complete);
        carom_root_list_free(list);
    }
    carom_phase_spectra_free(s);
}

/** Regions are disjoint parts of the box, and their areas are the share that is undecided. */
static void assert_regions(const carom_root_list *list, carom_root_search_params box) {
    const double whole =
        (box.max_time - box.min_time) * (box.max_constrained_time - box.min_constrained_time);
    double area = 0.0;
    double share = 0.0;
    int parts = 0;
    for (int i = 0; i < list->region_count; i++) {
        const carom_undecided_region *r = &list->regions[i];
        ck_assert(r->time[0] >= box.min_time - 1e-14 && r->time[0] < r->time[1]);
        ck_assert(r->constrained_time[0] < r->constrained_time[1]);
        ck_assert(r->constrained_time[1] <= box.max_constrained_time + 1e-14);
        ck_assert(!r->is_searched);
        area += (r->time[1] - r->time[0]) * (r->constrained_time[1] - r->constrained_time[0]);
        share += r->share;
        parts += r->parts;
    }
    ck_assert_int_eq(parts, list->undecided);
    // sums of at most some hundred areas of the box
    assert_close(area / whole, list->undecided_share, 1e-12, 0.0);
    assert_close(share, list->undecided_share, 1e-14, 0.0);
    ck_assert((list->undecided == 0) == (list->undecided_share <= 0.0));
}

/** Whether a root is in a list, or in one of its undecided regions. */
static bool is_covered(const carom_root_list *list, const carom_impact_root *root) {
    bool is_covered = false;
    for (int i = 0; i < list->count; i++) {
        is_covered =
            is_covered || hypot(list->roots[i].time - root->time,
                                list->roots[i].constrained_time - root->constrained_time) < 1e-8;
    }
    for (int i = 0; i < list->region_count; i++) {
        const carom_undecided_region *r = &list->regions[i];
        is_covered = is_covered || (r->time[0] <= root->time && root->time <= r->time[1] &&
                                    r->constrained_time[0] <= root->constrained_time &&
                                    root->constrained_time <= r->constrained_time[1]);
    }
    return is_covered;
}

TEST(property, what_a_search_that_ends_early_misses_lies_in_its_undecided_regions) {
    // several oscillations: subdivided; odd modes beside an even highest one: its first column is
    const double lambda[] = {1.3, 3.1, 7.7};
    const double held[] = {2.2, 5.6};
    const double standing[] = {-1.7, -0.6, 1.3};
    const double pushed[] = {-0.9, 0.4};
    carom_phase_spectra *cases[] = {uniform_spectra(3, lambda, held, EVEN, ODD),
                                    uniform_spectra(3, standing, pushed, EVEN, ODD)};
    cases[1]->unconstrained_parity[0] = ODD;
    for (int k = 0; k < 2; k++) {
        carom_root_search_params box = box_of(0.1, 5.0, 0.2, 9.0);
        carom_root_list *all = list_of(cases[k], box);
        ck_assert_int_ge(all->count, 2);
        assert_regions(all, box);
        double last = 1.0;
        for (box.max_boxes = k == 0 ? 1 : 16; box.max_boxes <= 4096; box.max_boxes *= 4) {
            carom_root_list *list = list_of(cases[k], box);
            assert_regions(list, box);
            ck_assert(list->undecided_share <= last);
            ck_assert(k == 0 || list->undecided_share <= M_PI / sqrt(1.3) / 4.9);
            for (int i = 0; i < all->count; i++) {
                ck_assert(is_covered(list, &all->roots[i]));
            }
            last = list->undecided_share;
            carom_root_list_free(list);
        }
        carom_root_list_free(all);
        carom_phase_spectra_free(cases[k]);
    }
}

TEST(property, a_line_of_nearly_singular_roots_is_one_region) {
    // Along tau + tau' = pi/2 towards tau' = 0 all conditions are violated in high order only.
    const double lambda[] = {1.0, 9.0, 25.0};
    const double held[] = {2.0, 16.0};
    carom_phase_spectra *s = uniform_spectra(3, lambda, held, EVEN, ODD);
    carom_root_list *list = list_of(s, box_of(1.5, 1.6, 0.001, 0.5));
    ck_assert_int_gt(list->undecided, 100);
    ck_assert_int_eq(list->region_count, 1);
    const carom_undecided_region *r = &list->regions[0];
    ck_assert(r->is_searched && r->parts == list->undecided);
    assert_close(r->share, list->undecided_share, 0.0, 0.0);
    ck_assert(list->undecided_share > 0.0 && list->undecided_share < 1e-6);
    // the corners of its bounding rectangle lie on the line, as closely as parts are wide
    assert_close(r->time[1] + r->constrained_time[0], M_PI_2, 0.0, 1e-4);
    assert_close(r->time[0] + r->constrained_time[1], M_PI_2, 0.0, 1e-4);
    carom_root_list_free(list);
    carom_phase_spectra_free(s);
}

TEST(errors, boxes_that_are_none_are_refused) {
    carom_phase_spectra *s = biped();
    const carom_root_search_params good = box_of(0.1, 5.0, 0.1, 4.0);
    carom_root_search_params bad[20];
    carom_status expected[20];
    int count = 0;
    for (int which = 0; which < 4; which++) {
        const double values[] = {(double)NAN, HUGE_VAL, 0.0, -1.0};
        for (int i = 0; i < 4; i++) {
            bad[count] = good;
            *(which == 0   ? &bad[count].min_time
              : which == 1 ? &bad[count].max_time
              : which == 2 ? &bad[count].min_constrained_time
                           : &bad[count].max_constrained_time) = values[i];
            expected[count] = i < 2 ? CAROM_STATUS_NOT_FINITE : CAROM_STATUS_OUT_OF_RANGE;
            count++;
        }
    }
    bad[count] = box_of(5.0, 0.1, 0.1, 4.0);
    expected[count++] = CAROM_STATUS_CONFLICT;
    // Beyond 1e8 rad of the highest mode, 1.2 s-1 here, a time says nothing of a phase.
    bad[count] = good;
    bad[count].max_time = 8e307;
    expected[count++] = CAROM_STATUS_OUT_OF_RANGE;
    bad[count] = good;
    bad[count].max_constrained_time = 1e8;
    expected[count++] = CAROM_STATUS_OUT_OF_RANGE;
    bad[count] = good;
    bad[count].max_boxes = 0;
    expected[count++] = CAROM_STATUS_OUT_OF_RANGE;
    for (int i = 0; i < count; i++) {
        carom_root_list *list = (carom_root_list *)s;
        carom_report report = carom_report_empty();
        const carom_status status = carom_impact_roots_find(s, &bad[i], &list, &report);
        ck_assert_msg(status == expected[i], "case %d: %s", i, carom_status_name(status));
        ck_assert_ptr_null(list);
        ck_assert_ptr_nonnull(report.quantity);
        list = (carom_root_list *)s;
        ck_assert_int_eq(carom_impact_roots_find(s, &bad[i], &list, NULL), status);
        ck_assert_ptr_null(list);
    }
    carom_phase_spectra_free(s);
}

static void assert_no_root(const carom_impact_root *root) {
    ck_assert(isnan(root->time) && isnan(root->constrained_time) && isnan(root->residual));
}

TEST(errors, spectra_that_are_none_are_refused_everywhere) {
    const double values[] = {(double)NAN, HUGE_VAL, -0.5, -6.0};
    for (int i = 0; i < 4; i++) {
        carom_phase_spectra *s = biped();
        s->constrained[0] = values[i];
        const carom_status expected = i < 2 ? CAROM_STATUS_NOT_FINITE : CAROM_STATUS_CONFLICT;
        const carom_root_search_params box = carom_root_search_params_default();
        carom_report report = carom_report_empty();
        carom_root_list *list = (carom_root_list *)s;
        ck_assert_int_eq(carom_impact_roots_find(s, &box, &list, &report), expected);
        ck_assert_ptr_null(list);
        ck_assert_ptr_nonnull(report.quantity);
        carom_impact_root root;
        ck_assert_int_eq(carom_impact_roots_cell(s, 2, 0, &root, NULL), expected);
        assert_no_root(&root);
        ck_assert_int_eq(carom_impact_roots_polish(s, 3.1, 0.8, &root, NULL), expected);
        assert_no_root(&root);
        carom_phase_spectra_free(s);
    }
}

TEST(errors, cells_that_are_none_are_refused) {
    const int cells[][2] = {{1, 0}, {0, 0}, {-3, 0}, {2, -1}};
    carom_phase_spectra *s = biped();
    carom_impact_root root;
    for (int i = 0; i < 4; i++) {
        carom_report report = carom_report_empty();
        assert_status(carom_impact_roots_cell(s, cells[i][0], cells[i][1], &root, &report),
                      OUT_OF_RANGE);
        ck_assert_str_eq(report.quantity, i == 3 ? "row" : "column");
        assert_close(report.value, cells[i][i == 3], 0.0, 0.0);
        assert_no_root(&root);
    }
    // the first column belongs to odd modes
    for (int i = 0; i < 3; i++) {
        s->unconstrained_parity[i] = ODD;
    }
    assert_ok(carom_impact_roots_cell(s, 1, 0, &root, NULL));
    assert_status(carom_impact_roots_cell(s, 0, 0, &root, NULL), OUT_OF_RANGE);
    // more or fewer oscillating modes than one
    carom_report report = carom_report_empty();
    s->unconstrained[1] = 0.2;
    assert_status(carom_impact_roots_cell(s, 2, 0, &root, &report), CONFLICT);
    assert_no_root(&root);
    ck_assert_str_eq(report.quantity, "unconstrained spectrum");
    assert_close(report.value, 0.2, 0.0, 0.0);
    ck_assert_int_eq(report.index, 1);
    s->unconstrained[1] = -0.67;
    s->constrained[1] = -0.1;
    assert_status(carom_impact_roots_cell(s, 2, 0, &root, &report), CONFLICT);
    assert_no_root(&root);
    ck_assert_str_eq(report.quantity, "constrained spectrum");
    assert_close(report.value, -0.1, 0.0, 0.0);
    ck_assert_int_eq(report.index, 1);
    // a free odd mode stands for none of the cases
    s->constrained[1] = 0.4;
    s->unconstrained[1] = 0.0;
    assert_status(carom_impact_roots_cell(s, 2, 0, &root, NULL), CONFLICT);
    s->unconstrained_parity[1] = EVEN;
    assert_ok(carom_impact_roots_cell(s, 2, 0, &root, NULL));
    carom_phase_spectra_free(s);
}

TEST(errors, guesses_without_a_root_are_refused_or_end_without_one) {
    carom_phase_spectra *s = biped();
    const double times[][2] = {{0.0, 1.0}, {-1.0, 1.0}, {1.0, 0.0}, {1.0, -0.3}};
    carom_impact_root root;
    for (int i = 0; i < 4; i++) {
        assert_status(carom_impact_roots_polish(s, times[i][0], times[i][1], &root, NULL),
                      OUT_OF_RANGE);
        assert_no_root(&root);
    }
    // no root exists (claim 1)
    s->constrained[1] = -0.3;
    carom_report report = carom_report_empty();
    assert_status(carom_impact_roots_polish(s, 3.1, 0.8, &root, &report), NOT_CONVERGED);
    assert_no_root(&root);
    ck_assert_int_gt(report.iterations, 0);
    assert_status(carom_impact_roots_polish(s, 3.1, 0.8, &root, NULL), NOT_CONVERGED);
    carom_phase_spectra_free(s);
}

/** Calls that allocate, by number. */
static carom_status call_by_number(int which, carom_phase_spectra *s, carom_root_list **list) {
    carom_impact_root root;
    carom_root_search_params box = box_of(0.5, 8.0, 0.5, 6.0);
    box.use_subdivision = which == 1;
    // an odd mode below an even one: cells and first column
    s->unconstrained_parity[0] = which == 2 ? ODD : EVEN;
    return which == 3   ? carom_impact_roots_cell(s, 2, 0, &root, NULL)
           : which == 4 ? carom_impact_roots_polish(s, 3.1, 0.8, &root, NULL)
                        : carom_impact_roots_find(s, &box, list, NULL);
}

TEST(errors, any_allocation_may_fail) {
    carom_phase_spectra *s = biped();
    for (int which = 0; which < 5; which++) {
        carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
        int failures = 0;
        for (; status != CAROM_OK; failures++) {
            carom_root_list *list = which < 3 ? (carom_root_list *)s : NULL;
            successes_left = failures;
            status = call_by_number(which, s, &list);
            successes_left = -1;
            if (status == CAROM_OK) {
                ck_assert(which >= 3 || list->count >= 4);
            } else {
                ck_assert_int_eq(status, CAROM_STATUS_OUT_OF_MEMORY);
                ck_assert_ptr_null(list);
            }
            carom_root_list_free(list);
            ck_assert_int_lt(failures, 1000);
        }
        ck_assert_int_ge(failures, 3);
    }
    carom_phase_spectra_free(s);
}

TEST(errors, any_allocation_next_to_a_multiple_root_may_fail) {
    const double lambda[] = {1.0, 4.0, 9.0};
    const double held[] = {2.0, 6.0};
    carom_phase_spectra *s = uniform_spectra(3, lambda, held, CAROM_PARITY_EVEN, CAROM_PARITY_ODD);
    const carom_root_search_params box = box_of(3.0, 3.3, 1.0, 1.2);
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    for (int failures = 0; status != CAROM_OK; failures++) {
        carom_root_list *list = NULL;
        successes_left = failures;
        status = carom_impact_roots_find(s, &box, &list, NULL);
        successes_left = -1;
        ck_assert(status == CAROM_OK || (status == CAROM_STATUS_OUT_OF_MEMORY && list == NULL));
        ck_assert(status != CAROM_OK || (list->count == 1 && list->singular == 1));
        carom_root_list_free(list);
        ck_assert_int_lt(failures, 1000);
    }
    carom_phase_spectra_free(s);
}

TEST(errors, times_without_digits_are_no_roots) {
    const double unconstrained[3] = {-2.0, -0.5, 1.5};
    const double constrained[2] = {-1.0, 1.0};
    carom_phase_spectra *s = NULL;
    carom_impact_root root;
    assert_ok(carom_phase_spectra_make(3, unconstrained, constrained, CAROM_PARITY_EVEN,
                                       CAROM_PARITY_ODD, &s, NULL));
    assert_status(carom_impact_roots_polish(s, 1e15, 1.0, &root, NULL), NOT_CONVERGED);
    assert_status(carom_impact_roots_polish(s, 1e300, 1.0, &root, NULL), NOT_CONVERGED);
    assert_status(carom_impact_roots_polish(s, INFINITY, 1.0, &root, NULL), NOT_FINITE);
    carom_root_search_params box = box_of(1.0, 5e10, 1e-8, 1e-5);
    carom_root_list *list = NULL;
    assert_status(carom_impact_roots_find(s, &box, &list, NULL), OUT_OF_RANGE);
    for (int k = 0; k < 5; k++) {
        *(k % 2 == 0 ? &s->unconstrained[k / 2] : &s->constrained[k / 2]) *= 1e200;
    }
    assert_status(carom_impact_roots_cell(s, 2, 0, &root, NULL), OUT_OF_RANGE);
    carom_phase_spectra_free(s);
}
