/* carom_mechanism_check_directions: supports are told from wrong ones at any time, also where
 * rounding of the time leaves little of the phase in which they move. */
#include <carom/mechanism/mechanism.h>

#include "../support.h"
#include "example.h"

static const double POSITION[CURVED_SIZE] = {0.31, -0.72, 1.14};
static const double VELOCITY[CURVED_SIZE] = {-1.21, 0.48, 0.83};

/* Up to phases that doubles round to whole turns. */
static const double TIMES[] = {0.0,   0.37,    -3.7e3, 3.7e5,  3.7e6,  3.7e7,   3.7e8,
                               3.7e9, -3.7e10, 3.7e12, 3.7e15, 3.7e20, -3.7e100};
enum { TIME_COUNT = sizeof TIMES / sizeof *TIMES, SEEDS = 20 };

/* s = 0.4 sin 2.3 t of the joint. */
static carom_status check(double wrong_by, double t, unsigned long seed, carom_report *report) {
    example subject;
    curved_make(&subject);
    subject.wrong_member = "constraint_velocity";
    subject.wrong_by = wrong_by;
    return carom_mechanism_check_directions(&subject.mechanism, t, POSITION, VELOCITY, seed,
                                            report);
}

LOOP_TEST(property, supports_that_move_by_another_speed_are_refused_however_late, TIME_COUNT) {
    for (unsigned long seed = 1; seed <= SEEDS; seed++) {
        carom_report report = carom_report_empty();
        assert_status(check(0.01 * 0.92, TIMES[_i], seed, &report), DERIVATIVE_MISMATCH);
        ck_assert_int_eq(report.index, 0);
    }
}

LOOP_TEST(property, supports_that_move_as_they_say_pass_however_late, TIME_COUNT) {
    for (unsigned long seed = 1; seed <= SEEDS; seed++) {
        assert_ok(check(0.0, TIMES[_i], seed, NULL));
    }
}
