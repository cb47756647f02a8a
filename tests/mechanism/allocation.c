/* carom/mechanism: whichever allocation fails, the status says so and nothing leaks. */
#include <carom/mechanism/check.h>

#include "../failing_malloc.h"
#include "../support.h"
#include "example.h"

static const double POSITION[CURVED_SIZE] = {0.31, -0.72, 1.14};
static const double VELOCITY[CURVED_SIZE] = {-1.21, 0.48, 0.83};

START_TEST(validation_reports_every_failed_allocation) {
    example subject;
    curved_make(&subject);
    int granted = 0;
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    for (; status != CAROM_OK; granted++) {
        carom_report report = carom_report_empty();
        successes_left = granted;
        status = carom_mechanism_validate(&subject.mechanism, 0.37, POSITION, VELOCITY, &report);
        successes_left = -1;
        if (status != CAROM_OK) {
            ck_assert_int_eq(status, CAROM_STATUS_OUT_OF_MEMORY);
            ck_assert_str_eq(report.quantity, "mechanism");
        }
    }
    ck_assert_int_ge(granted, 2);
}
END_TEST

START_TEST(the_check_reports_every_failed_allocation) {
    example subject;
    curved_make(&subject);
    int granted = 0;
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    for (; status != CAROM_OK; granted++) {
        carom_mechanism_mismatch worst;
        successes_left = granted;
        status =
            carom_mechanism_check(&subject.mechanism, 0.37, POSITION, VELOCITY, 1e-7, 3, &worst);
        successes_left = -1;
        if (status != CAROM_OK) {
            ck_assert_int_eq(status, CAROM_STATUS_OUT_OF_MEMORY);
            ck_assert_ptr_null(worst.derivative);
        }
    }
    ck_assert_int_ge(granted, 2);
}
END_TEST

static Suite *allocation_suite(void) {
    Suite *suite = suite_create("mechanism allocation");
    TCase *errors = tcase_create("errors");
    tcase_add_test(errors, validation_reports_every_failed_allocation);
    tcase_add_test(errors, the_check_reports_every_failed_allocation);
    suite_add_tcase(suite, errors);
    return suite;
}

int main(void) {
    return run_suite(allocation_suite());
}
