/* Whether table I of seghete-2014 is consistent within its rounding. Expected values: those of a
 * separate program, to the digits in which they are known, and random changes that do no better. */
#include "../../support.h"

#include <carom/base/random.h>
#include <carom/models/trex/internal.h>

enum { VARIABLES = CAROM_TREX_DESIGN_VARIABLES, CONDITIONS = CAROM_TREX_DESIGN_CONDITIONS };

static const double HALF_UNIT = 0.005;

/* Printed in the hand-picked row as 0, 7, 4, 8, 10. */
static const bool ROUND_NUMBERS[VARIABLES] = {false, false, false, false, false, false,
                                              true,  true,  true,  true,  true};

/* Closure, and the change closes the contacts with no entry beyond it. */
static double closure_of(const carom_trex_params *params, const bool *is_exact) {
    carom_trex_rounding rounding = {.closure = (double)NAN};
    assert_ok(carom_trex_rounding_of(params, is_exact, HALF_UNIT, &rounding, NULL));
    carom_trex_params moved = *params;
    double z[VARIABLES];
    double F[CONDITIONS];
    double largest = 0.0;
    carom_trex_design_get(params, z);
    for (int j = 0; j < VARIABLES; j++) {
        z[j] += rounding.change[j];
        largest = fmax(largest, fabs(rounding.change[j]));
        if (is_exact != NULL && is_exact[j]) {
            assert_close(rounding.change[j], 0.0, 0.0, 0.0);
        }
    }
    carom_trex_design_set(&moved, z);
    assert_ok(carom_trex_design_conditions(&moved, F, NULL, NULL));
    assert_close(F[CAROM_TREX_DESIGN_FOOT_GAP], 0.0, 0.0, 1e-13);
    assert_close(F[CAROM_TREX_DESIGN_TAIL_GAP], 0.0, 0.0, 1e-13);
    assert_close(largest, rounding.closure * HALF_UNIT, 1e-12, 0.0);
    ck_assert_int_le(rounding.iterations, 4);
    return rounding.closure;
}

TEST(unit, contacts_of_both_rows_close_within_their_rounding) {
    const carom_trex_params optimized = carom_trex_params_default();
    const carom_trex_params initial = carom_trex_params_hand_picked();
    assert_close(closure_of(&optimized, NULL), 0.43, 0.0, 5.1e-3);
    assert_close(closure_of(&initial, NULL), 0.89, 0.0, 5.1e-3);
    assert_close(closure_of(&initial, ROUND_NUMBERS), 1.32, 0.0, 5.1e-3);
}

TEST(unit, printed_tail_does_not_close_the_contacts) {
    carom_trex_params optimized = carom_trex_params_default();
    carom_trex_params initial = carom_trex_params_hand_picked();
    optimized.tail = CAROM_TREX_TAIL_PRINTED;
    initial.tail = CAROM_TREX_TAIL_PRINTED;
    assert_close(closure_of(&optimized, NULL), 2.3, 0.0, 5.1e-2);
    assert_close(closure_of(&initial, NULL), 2.6, 0.0, 5.1e-2);
}

TEST(unit, rounding_does_not_explain_the_published_cosines) {
    const carom_trex_params rows[2] = {carom_trex_params_hand_picked(),
                                       carom_trex_params_default()};
    const double published[2] = {1.65e-3, -2.28e-7};
    for (int i = 0; i < 2; i++) {
        carom_trex_rounding rounding = {.closure = (double)NAN};
        assert_ok(carom_trex_rounding_of(&rows[i], NULL, HALF_UNIT, &rounding, NULL));
        ck_assert(fabs(rounding.cosine - published[i]) > 10.0 * rounding.cosine_spread);
        ck_assert(rounding.cosine_spread > 1e-5 && rounding.cosine_spread < 1e-4);
    }
}

/* The spread is reached at a corner of the box of roundings, to second order. */
TEST(property, cosine_spread_is_that_of_the_worst_corner) {
    const carom_trex_params row = carom_trex_params_default();
    double F[CONDITIONS];
    double J[CONDITIONS * VARIABLES];
    double z[VARIABLES];
    assert_ok(carom_trex_design_conditions(&row, F, J, NULL));
    carom_trex_rounding rounding = {.closure = (double)NAN};
    const double half_unit = 1e-5;
    for (int k = 0; k < 2; k++) {
        const bool *is_exact = k == 0 ? NULL : ROUND_NUMBERS;
        carom_trex_params corner = row;
        double F_corner[CONDITIONS];
        carom_trex_design_get(&row, z);
        for (int j = 0; j < VARIABLES; j++) {
            z[j] += is_exact != NULL && is_exact[j] ? 0.0 : copysign(half_unit, J[j]);
        }
        carom_trex_design_set(&corner, z);
        assert_ok(carom_trex_design_conditions(&corner, F_corner, NULL, NULL));
        assert_ok(carom_trex_rounding_of(&row, is_exact, half_unit, &rounding, NULL));
        assert_close(F_corner[0] - F[0], rounding.cosine_spread, 1e-2, 0.0);
        assert_close(rounding.cosine, F[0], 0.0, 0.0);
    }
}

/* Random changes within 97 % of the closure, heights adjusted by y, leave the tail off the floor by
 * a gap of one sign. */
TEST(property, no_smaller_change_closes_the_contacts) {
    const carom_trex_params row = carom_trex_params_hand_picked();
    const double size = 0.97 * closure_of(&row, NULL) * HALF_UNIT;
    double z_0[VARIABLES];
    double F[CONDITIONS];
    double J[CONDITIONS * VARIABLES];
    carom_trex_design_get(&row, z_0);
    assert_ok(carom_trex_design_conditions(&row, F, J, NULL));
    double least = HUGE_VAL;
    for (unsigned long seed = 0; seed < 20000; seed++) {
        /* Corners of the box, pitch anywhere: where least changes are. */
        carom_trex_params moved = row;
        double z[VARIABLES];
        for (int j = 0; j < VARIABLES; j++) {
            const double u = carom_counter_uniform(41, seed, (unsigned long)j);
            z[j] = z_0[j] + (j == CAROM_TREX_DESIGN_PITCH ? size * (2.0 * u - 1.0)
                                                          : copysign(size, u - 0.5));
        }
        carom_trex_design_set(&moved, z);
        assert_ok(carom_trex_design_conditions(&moved, F, NULL, NULL));
        least = fmin(
            least, fmax(fabs(F[CAROM_TREX_DESIGN_FOOT_GAP]), fabs(F[CAROM_TREX_DESIGN_TAIL_GAP])));
    }
    ck_assert_msg(least > 1e-3, "a gap of %g", least);
    ck_assert_msg(least < 2e-2, "a gap of %g: not where the contacts close", least);
}

TEST(unit, rows_on_the_floor_need_no_change) {
    carom_trex_params row = carom_trex_params_hand_picked();
    const carom_trex_design_params design = carom_trex_design_params_default();
    assert_ok(carom_trex_design_optimize(&row, &design, NULL, NULL));
    carom_trex_rounding rounding = {.closure = (double)NAN};
    assert_ok(carom_trex_rounding_of(&row, NULL, HALF_UNIT, &rounding, NULL));
    assert_close(rounding.closure, 0.0, 0.0, 0.0);
    assert_close(rounding.change[0], 0.0, 0.0, 0.0);
    ck_assert_int_eq(rounding.iterations, 0);
}

static void assert_refused(const carom_trex_params *params, const bool *is_exact, double half_unit,
                           carom_status expected, const char *quantity) {
    carom_trex_rounding rounding = {.closure = 1.0};
    carom_report report = carom_report_empty();
    const carom_status status =
        carom_trex_rounding_of(params, is_exact, half_unit, &rounding, &report);
    ck_assert_msg(status == expected, "%s: %s", quantity, carom_status_name(status));
    ck_assert_str_eq(report.quantity, quantity);
    ck_assert(isnan(rounding.closure) && isnan(rounding.cosine) && isnan(rounding.cosine_spread));
    for (int j = 0; j < VARIABLES; j++) {
        ck_assert(isnan(rounding.change[j]));
    }
}

TEST(errors, what_cannot_be_told_is_refused) {
    const carom_trex_params row = carom_trex_params_hand_picked();
    carom_trex_params params = row;
    params.upper_length = -1.0;
    assert_refused(&params, NULL, HALF_UNIT, CAROM_STATUS_OUT_OF_RANGE, "upper length");
    assert_refused(&row, NULL, 0.0, CAROM_STATUS_OUT_OF_RANGE, "half unit");
    assert_refused(&row, NULL, (double)NAN, CAROM_STATUS_NOT_FINITE, "half unit");

    /* The tail alone does not move the foot; nor does the height alone move the tips apart. */
    bool is_exact[VARIABLES] = {true,  true,  true,  true, true, true,
                                false, false, false, true, true};
    assert_refused(&row, is_exact, HALF_UNIT, CAROM_STATUS_SINGULAR, "gaps");
    for (int j = 0; j < VARIABLES; j++) {
        is_exact[j] = j != CAROM_TREX_DESIGN_HEIGHT;
    }
    assert_refused(&row, is_exact, HALF_UNIT, CAROM_STATUS_SINGULAR, "gaps");

    /* Far too high: lengths that would close the contacts are none. */
    params = row;
    params.stance[CAROM_TREX_Y] = 500.0;
    for (int j = 0; j < VARIABLES; j++) {
        is_exact[j] = j < CAROM_TREX_DESIGN_ANTERIOR_RADIUS;
    }
    assert_refused(&params, is_exact, HALF_UNIT, CAROM_STATUS_OUT_OF_RANGE, "anterior radius");

    params = row;
    params.limb_density = 1e-200;
    params.limb_section = 1e-200;
    assert_refused(&params, NULL, HALF_UNIT, CAROM_STATUS_SINGULAR, "mass matrix");
}

TEST(errors, floor_out_of_reach_is_not_converged) {
    /* Only the right knee and the body joint may turn: 20 m are too far for both. */
    carom_trex_params params = carom_trex_params_hand_picked();
    params.stance[CAROM_TREX_Y] = 2000.0;
    bool is_exact[VARIABLES];
    for (int j = 0; j < VARIABLES; j++) {
        is_exact[j] = j != CAROM_TREX_DESIGN_RIGHT_KNEE && j != CAROM_TREX_DESIGN_BODY_JOINT;
    }
    assert_refused(&params, is_exact, HALF_UNIT, CAROM_STATUS_NOT_CONVERGED, "gap");
}
