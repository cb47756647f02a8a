#include "scratch.h"

#include <carom/record/published.h>

#define HEADER CAROM_PUBLISHED_HEADER "\n"

static carom_record_set *records;

static void setup(void) {
    scratch_setup();
    scratch_make_record("ball.h5", 2.385);
    scratch_make_record("other.h5", 7.5);
    assert_ok(carom_record_set_alloc(scratch_folder, &records));
}

static void teardown(void) {
    carom_record_set_free(records);
    scratch_teardown();
}

FIXTURE(setup, teardown);

static carom_verification verify(const char *text) {
    carom_verification file;
    assert_ok(carom_verification_run("ball", text, strlen(text), records, &file, NULL));
    return file;
}

static int count_failures(const carom_verification *file) {
    int count = 0;
    for (int i = 0; i < file->item_count; ++i) {
        count += file->items[i].verdict == CAROM_VERDICT_FAILS ? 1 : 0;
    }
    return count;
}

TEST(unit, items_are_compared_with_their_records) {
    carom_verification file =
        verify(HEADER "a,p,l,q,printed,2.39,digits,kg,/parameters/mass,,\n"
                      "b,p,l,q,printed,7.4,digits,kg,other:/parameters/mass,differs 7.5 +- "
                      "1e-9,misprint\n"
                      "c,p,l,q,stated,,,m,\"/ball/gap[-1,-1] >= 0\",,\n"
                      "d,p,l,q,printed,3,exact,m,,not reproducible,no data\n");
    ck_assert_int_eq(file.item_count, 4);
    ck_assert_int_eq(file.items[0].verdict, CAROM_VERDICT_AGREES);
    assert_close(file.items[0].ours, 2.385, 0.0, 0.0);
    ck_assert_int_eq(file.items[1].verdict, CAROM_VERDICT_DIFFERS);
    ck_assert_str_eq(file.items[1].reason, "misprint");
    ck_assert_int_eq(file.items[2].verdict, CAROM_VERDICT_FAILS);
    assert_close(file.items[2].terms[0].measured, -7.25, 0.0, 0.0);
    ck_assert_int_eq(file.items[3].verdict, CAROM_VERDICT_NOT_REPRODUCIBLE);
    ck_assert(isnan(file.items[3].ours));
    ck_assert_str_eq(file.items[3].reason, "no data");
    carom_verification_clear(&file);
}

TEST(unit, rows_are_expressions_with_names_of_the_head) {
    carom_verification file =
        verify("# late: time > 0.1\n" HEADER
               "a,p,l,q,stated,,,1,\"min(where(gap[:,0], late)) > 0.05 in /ball\",,\n"
               "b,p,l,q,printed,4.77,1e-9 rounding,kg,2 * $mass,,\n"
               "c,p,l,q,stated,,,1,any(late) in /none,,\n");
    ck_assert_int_eq(file.items[0].verdict, CAROM_VERDICT_AGREES);
    ck_assert_int_eq(file.items[0].term_count, 1);
    assert_close(file.items[0].terms[0].measured, 0.1, 0.0, 0.0);
    ck_assert_str_eq(file.items[0].terms[0].relation, ">");
    assert_close(file.items[0].terms[0].threshold, 0.05, 0.0, 0.0);
    ck_assert_int_eq(file.items[1].verdict, CAROM_VERDICT_AGREES);
    ck_assert_int_eq(file.items[2].verdict, CAROM_VERDICT_FAILS);
    ck_assert(strstr(file.items[2].reason, "/none/time: the record has no such path") != NULL);
    carom_verification_clear(&file);
}

TEST(errors, what_is_missing_fails_even_when_marked) {
    carom_verification file =
        verify(HEADER "a,p,l,q,printed,1,exact,kg,/parameters/none,,\n"
                      "b,p,l,q,printed,1,exact,kg,none:/x,differs 2 +- 0,misprint\n"
                      "c,p,l,q,stated,,,kg,1 + ,,\n"
                      "d,p,l,q,printed,1,exact,s,/ball/time,,\n"
                      "e,p,l,q,printed,1,exact,s,/ball/time[3],,\n");
    ck_assert_int_eq(count_failures(&file), 5);
    for (int i = 0; i < file.item_count; ++i) {
        ck_assert(isnan(file.items[i].ours));
        ck_assert_str_ne(file.items[i].reason, "");
    }
    carom_verification_clear(&file);
}

TEST(unit, an_id_is_used_once_in_all_files) {
    carom_verification files[3];
    files[0] = verify(HEADER "a,p,l,q,printed,2.385,digits,kg,/parameters/mass,,\n"
                             "b,p,l,q,printed,2.385,digits,kg,/parameters/mass,,\n"
                             "b,p,l,q,printed,2.385,digits,kg,/parameters/mass,,\n");
    files[1] = verify(HEADER);
    files[2] = verify(HEADER "c,p,l,q,printed,2.385,digits,kg,/parameters/mass,,\n"
                             "a,p,l,q,printed,2.385,digits,kg,/parameters/mass,,\n");
    carom_verification_fail_duplicates(files, 3);
    ck_assert_int_eq(count_failures(&files[0]), 3);
    ck_assert_int_eq(files[2].items[0].verdict, CAROM_VERDICT_AGREES);
    ck_assert_int_eq(files[2].items[1].verdict, CAROM_VERDICT_FAILS);
    for (int i = 0; i < 3; ++i) {
        carom_verification_clear(&files[i]);
    }
}

TEST(errors, a_malformed_file_is_refused) {
    static const char text[] = HEADER "a,p,l,q,printed,1,,kg,/parameters/mass,,\n";
    carom_verification file;
    carom_report report = carom_report_empty();
    assert_status(carom_verification_run("ball", text, strlen(text), records, &file, &report),
                  BAD_FORMAT);
    ck_assert_int_eq(report.index, 2);
    ck_assert_ptr_null(file.items);
    carom_verification_clear(&file);
}
