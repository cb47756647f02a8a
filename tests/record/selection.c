#include "../support.h"

#include <carom/record/selection.h>
#include <limits.h>
#include <string.h>

/* Rows 0 .. 2, columns 0 .. 1: entry (i,j) is 10 i + j + 0.5. */
static carom_dataset make_matrix(void) {
    carom_dataset dataset = {.rank = 2, .rows = 3, .columns = 2};
    dataset.values = malloc(6 * sizeof *dataset.values);
    ck_assert_ptr_nonnull(dataset.values);
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 2; ++j) {
            dataset.values[(size_t)2 * (size_t)i + (size_t)j] = 10.0 * i + j + 0.5;
        }
    }
    return dataset;
}

static void assert_selected(const char *text, int rank, int count, const double *expected) {
    carom_selection selection;
    carom_dataset dataset = make_matrix();
    assert_ok(carom_selection_parse(text, &selection));
    assert_ok(carom_selection_apply(&selection, &dataset));
    ck_assert_str_eq(selection.path, "/a");
    ck_assert_int_eq(dataset.rank, rank);
    const int total = dataset.rows * dataset.columns;
    ck_assert_int_eq(total, count);
    for (int i = 0; i < count; ++i) {
        assert_close(dataset.values[i], expected[i], 0.0, 0.0);
    }
    carom_dataset_clear(&dataset);
}

TEST(unit, rows_columns_and_entries_of_a_matrix_are_selected) {
    const double all[] = {0.5, 1.5, 10.5, 11.5, 20.5, 21.5};
    const double column[] = {1.5, 11.5, 21.5};
    const double row[] = {10.5, 11.5};
    const double entry[] = {20.5};
    assert_selected("/a", 2, 6, all);
    assert_selected("/a[:,:]", 2, 6, all);
    assert_selected("/a[:,1]", 1, 3, column);
    assert_selected("/a[:,-1]", 1, 3, column);
    assert_selected("/a[1,:]", 1, 2, row);
    assert_selected("/a[-2,:]", 1, 2, row);
    assert_selected("/a[2,0]", 0, 1, entry);
    assert_selected("/a[-1,-2]", 0, 1, entry);
}

TEST(unit, entries_of_a_series_are_selected) {
    carom_selection selection;
    carom_dataset series = make_matrix();
    series.rank = 1;
    series.rows = 6;
    series.columns = 1;
    assert_ok(carom_selection_parse("/a[:]", &selection));
    assert_ok(carom_selection_apply(&selection, &series));
    ck_assert_int_eq(series.rows, 6);
    assert_ok(carom_selection_parse("/a[-2]", &selection));
    assert_ok(carom_selection_apply(&selection, &series));
    ck_assert_int_eq(series.rank, 0);
    ck_assert_int_eq(series.rows, 1);
    assert_close(series.values[0], 20.5, 0.0, 0.0);
    carom_dataset_clear(&series);
}

TEST(property, every_index_of_an_axis_has_two_names) {
    for (int count = 1; count < 40; ++count) {
        for (int i = 0; i < count; ++i) {
            int forward = -1;
            int backward = -1;
            assert_ok(carom_selection_position(i, count, &forward));
            assert_ok(carom_selection_position(i - count, count, &backward));
            ck_assert_int_eq(forward, i);
            ck_assert_int_eq(backward, i);
        }
        int position = 0;
        assert_status(carom_selection_position(count, count, &position), OUT_OF_RANGE);
        assert_status(carom_selection_position(-count - 1, count, &position), OUT_OF_RANGE);
        assert_status(carom_selection_position(INT_MIN, count, &position), OUT_OF_RANGE);
    }
}

TEST(errors, malformed_texts_are_refused) {
    static const char *const texts[] = {"",
                                        "/",
                                        "a",
                                        "a/b",
                                        "/a/",
                                        "/a[",
                                        "/a[]",
                                        "/a[1",
                                        "/a[1]x",
                                        "/a[1,]",
                                        "/a[,1]",
                                        "/a[1,2,3]",
                                        "/a[-]",
                                        "/a[- 1]",
                                        "/a[ 1]",
                                        "/a[+1]",
                                        "/a[1.5]",
                                        "/a[x]",
                                        "/a[::]",
                                        "/a[1][2]",
                                        "[1]",
                                        "/a/[1]",
                                        "/a[2147483648]",
                                        "/a[-2147483649]",
                                        "/a[99999999999999999999]",
                                        "/[0]"};
    carom_selection selection;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
        ck_assert_msg(carom_selection_parse(texts[i], &selection) == CAROM_STATUS_BAD_FORMAT,
                      "\"%s\" was accepted", texts[i]);
    }
    char long_path[CAROM_SELECTION_PATH_SIZE + 1];
    memset(long_path, 'a', sizeof long_path);
    long_path[0] = '/';
    long_path[CAROM_SELECTION_PATH_SIZE] = '\0';
    assert_status(carom_selection_parse(long_path, &selection), BAD_FORMAT);
    long_path[CAROM_SELECTION_PATH_SIZE - 1] = '\0';
    assert_ok(carom_selection_parse(long_path, &selection));
}

TEST(errors, indices_that_do_not_fit_leave_the_dataset_as_it_is) {
    static const char *const outside[] = {"/a[3,0]", "/a[-4,0]", "/a[0,2]", "/a[:,-3]", "/a[3,:]"};
    static const char *const wrong_rank[] = {"/a[0]", "/a[:]"};
    carom_selection selection;
    carom_dataset dataset = make_matrix();
    for (size_t i = 0; i < sizeof outside / sizeof outside[0]; ++i) {
        assert_ok(carom_selection_parse(outside[i], &selection));
        assert_status(carom_selection_apply(&selection, &dataset), OUT_OF_RANGE);
    }
    for (size_t i = 0; i < sizeof wrong_rank / sizeof wrong_rank[0]; ++i) {
        assert_ok(carom_selection_parse(wrong_rank[i], &selection));
        assert_status(carom_selection_apply(&selection, &dataset), BAD_FORMAT);
    }
    ck_assert_int_eq(dataset.rank, 2);
    assert_close(dataset.values[5], 21.5, 0.0, 0.0);
    dataset.rank = 1;
    dataset.rows = 6;
    dataset.columns = 1;
    assert_ok(carom_selection_parse("/a[6]", &selection));
    assert_status(carom_selection_apply(&selection, &dataset), OUT_OF_RANGE);
    carom_dataset_clear(&dataset);
}
