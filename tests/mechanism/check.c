/* carom/mechanism/mechanism.h: planted errors are found where they are, correct derivatives pass.
 */
#include <carom/mechanism/mechanism.h>

#include "../support.h"
#include "example.h"

/* Central differences of smooth functions over lengths of order one are good to about 1e-9. */
static const double TOLERANCE = 1e-7;
static const unsigned long SEED = 20140825;

static const double TIME = 0.37;
static const double POSITION[CHAIN_SIZE] = {0.31, -0.72, 1.14, 0.55, -0.28, 0.93};
static const double VELOCITY[CHAIN_SIZE] = {-1.21, 0.48, 0.83, -0.66, 0.27, 1.35};

static carom_status run(const example *subject, carom_mechanism_mismatch *worst) {
    return carom_mechanism_check(&subject->mechanism, TIME, POSITION, VELOCITY, TOLERANCE, SEED,
                                 worst);
}

/** The mismatch names this member and entry. */
#define assert_named(worst, name, expected_row, expected_column) \
    do {                                                         \
        ck_assert_str_eq((worst).derivative, name);              \
        ck_assert_int_eq((worst).row, expected_row);             \
        ck_assert_int_eq((worst).column, expected_column);       \
    } while (0)

/** The derivatives of the curved example and their shapes. */
static const struct {
    const char *member;
    int rows;
    int columns;
} CURVED_MEMBERS[] = {
    {"mass_derivative", 3, 3},
    {"stiffness", 3, 3},
    {"damping", 3, 3},
    {"constraint_jacobian", 2, 3},
    {"constraint_force_derivative", 3, 3},
    {"constraint_rate_derivative", 2, 3},
    {"tangential_rate_derivative", 2, 3},
    {"constraint_velocity", 2, 1},
};
enum { CURVED_MEMBER_COUNT = sizeof(CURVED_MEMBERS) / sizeof(CURVED_MEMBERS[0]) };

/** A contact whose support slides. */
static void belt(double t, double *w, void *context) {
    (void)context;
    w[0] = 0.0;
    w[1] = 0.8 * cos(t);
}

TEST(unit, an_error_in_any_entry_of_any_derivative_is_named) {
    for (int k = 0; k < CURVED_MEMBER_COUNT; k++) {
        for (int i = 0; i < CURVED_MEMBERS[k].rows; i++) {
            for (int j = 0; j < CURVED_MEMBERS[k].columns; j++) {
                example subject;
                carom_mechanism_mismatch worst;
                curved_make(&subject);
                subject.wrong_member = CURVED_MEMBERS[k].member;
                subject.wrong_row = i;
                subject.wrong_column = j;
                subject.wrong_by = 2.385e-5;
                assert_status(run(&subject, &worst), DERIVATIVE_MISMATCH);
                assert_named(worst, CURVED_MEMBERS[k].member, i, j);
                /* Up to the error of the difference quotient. */
                assert_close(worst.supplied - worst.finite_difference, 2.385e-5, 0.0, 1e-8);
            }
        }
    }
}

TEST(unit, a_derivative_left_out_where_the_truth_is_not_zero_is_named) {
    for (int k = 0; k < CURVED_MEMBER_COUNT; k++) {
        example subject;
        carom_mechanism_mismatch worst;
        curved_make(&subject);
        switch (k) {
        case 0:
            subject.mechanism.mass_derivative = NULL;
            break;
        case 1:
            subject.mechanism.stiffness = NULL;
            break;
        case 2:
            subject.mechanism.damping = NULL;
            break;
        case 4:
            subject.mechanism.constraint_force_derivative = NULL;
            break;
        case 5:
            subject.mechanism.constraint_rate_derivative = NULL;
            break;
        case 6:
            subject.mechanism.tangential_rate_derivative = NULL;
            break;
        case 7:
            subject.mechanism.constraint_velocity = NULL;
            break;
        default: /* the Jacobian is never left out */
            continue;
        }
        assert_status(run(&subject, &worst), DERIVATIVE_MISMATCH);
        ck_assert_str_eq(worst.derivative, CURVED_MEMBERS[k].member);
        assert_close(worst.supplied, 0.0, 0.0, 0.0);
        /* The entry left out is the largest of its derivative. */
        assert_close(worst.relative_error, 1.0, 0.0, 0.0);
    }
}

TEST(unit, a_derivative_that_leaves_the_band_is_named) {
    example subject;
    carom_mechanism_mismatch worst;
    chain_make(&subject);
    subject.wrong_member = "band";
    subject.wrong_row = 1;
    subject.wrong_column = 5;
    subject.wrong_by = 0.02;
    assert_status(run(&subject, &worst), DERIVATIVE_MISMATCH);
    assert_named(worst, "stiffness", 1, 5);
    assert_close(worst.supplied, 0.0, 0.0, 0.0);
    assert_close(worst.finite_difference, -0.02, 0.0, 1e-9);
}

TEST(unit, a_mechanism_that_is_not_linear_as_it_says_is_told_by_the_member) {
    const struct {
        const char *member;
        int row;
        int column; /**< expected in the answer, -1 for a function */
    } cases[] = {
        {"mass", 3, 2},
        {"stiffness", 4, 5},
        {"damping", 1, 1},
        {"force", 2, -1},
        {"constraint_jacobian", 0, 5},
        {"constraints", 0, -1},
        {"tangential_jacobian", 0, 3},
    };
    for (size_t k = 0; k < sizeof(cases) / sizeof(cases[0]); k++) {
        example subject;
        carom_mechanism_mismatch worst;
        chain_make(&subject);
        subject.wrong_member = cases[k].member;
        subject.wrong_row = cases[k].row;
        subject.wrong_column = cases[k].column < 0 ? 3 : cases[k].column;
        subject.wrong_by = 1e-3;
        assert_status(run(&subject, &worst), DERIVATIVE_MISMATCH);
        assert_named(worst, cases[k].member, cases[k].row, cases[k].column);
    }
}

TEST(unit, a_constant_derivative_of_a_linear_mechanism_that_is_wrong_is_named) {
    example subject;
    carom_mechanism_mismatch worst;
    chain_make(&subject);
    subject.mechanism.damping = NULL;
    assert_status(run(&subject, &worst), DERIVATIVE_MISMATCH);
    ck_assert_str_eq(worst.derivative, "damping");
    assert_close(worst.finite_difference, 0.62, 1e-8, 0.0);
}

TEST(unit, without_constraints_only_mass_and_force_are_compared) {
    example subject;
    carom_mechanism_mismatch worst;
    curved_make(&subject);
    subject.mechanism.joint_count = 0;
    subject.mechanism.contact_count = 0;
    subject.mechanism.constraints = NULL;
    subject.mechanism.constraint_jacobian = NULL;
    subject.mechanism.constraint_offset = NULL;
    subject.mechanism.constraint_velocity = NULL;
    assert_ok(run(&subject, &worst));
    chain_make(&subject);
    subject.mechanism.contact_count = 0;
    assert_ok(run(&subject, &worst));
}

TEST(unit, without_tangents_the_tangential_jacobian_is_not_asked_for) {
    example subject;
    carom_mechanism_mismatch worst;
    curved_make(&subject);
    subject.mechanism.friction = NULL;
    subject.mechanism.tangent_count = 0;
    subject.mechanism.tangential_jacobian = NULL;
    subject.mechanism.tangential_rate_derivative = NULL;
    assert_ok(run(&subject, &worst));
    chain_make(&subject);
    subject.mechanism.tangent_count = 0;
    subject.mechanism.tangential_jacobian = NULL;
    assert_ok(run(&subject, &worst));
}

TEST(unit, supports_that_slide_need_no_offset_and_supports_that_rise_do) {
    example subject;
    carom_mechanism_mismatch worst;
    chain_make(&subject);
    subject.mechanism.constraint_velocity = belt;
    assert_ok(run(&subject, &worst));
    curved_make(&subject);
    subject.mechanism.constraint_offset = NULL;
    assert_status(run(&subject, &worst), DERIVATIVE_MISMATCH);
    assert_named(worst, "constraint_velocity", 0, 0);
    assert_close(worst.finite_difference, 0.0, 0.0, 0.0);
}

TEST(unit, the_answer_may_be_left_out) {
    example subject;
    curved_make(&subject);
    assert_ok(run(&subject, NULL));
    subject.mechanism.stiffness = NULL;
    assert_status(run(&subject, NULL), DERIVATIVE_MISMATCH);
}

TEST(property, correct_derivatives_pass_at_random_states) {
    for (unsigned long seed = 1; seed <= 300; seed++) {
        gsl_rng *generator = seeded_generator(seed);
        double q[CHAIN_SIZE];
        double v[CHAIN_SIZE];
        for (int i = 0; i < CHAIN_SIZE; i++) {
            q[i] = uniform(generator, -2.0, 2.0);
            v[i] = uniform(generator, -3.0, 3.0);
        }
        const double t = uniform(generator, 0.0, 5.0);
        gsl_rng_free(generator);
        for (int k = 0; k < 2; k++) {
            example subject;
            carom_mechanism_mismatch worst;
            k == 0 ? curved_make(&subject) : chain_make(&subject);
            const carom_status status =
                carom_mechanism_check(&subject.mechanism, t, q, v, TOLERANCE, seed, &worst);
            ck_assert_msg(status == CAROM_OK, "seed %lu, %s: %s (%d,%d) off by %.3g", seed,
                          subject.mechanism.name, worst.derivative, worst.row, worst.column,
                          worst.relative_error);
        }
    }
}

TEST(property, the_unit_of_mass_does_not_matter) {
    const double units[] = {1e-12, 1e-3, 1e9};
    for (int k = 0; k < 3; k++) {
        example subject;
        carom_mechanism_mismatch worst;
        curved_make(&subject);
        subject.unit = units[k];
        assert_ok(run(&subject, &worst));
        subject.wrong_member = "mass_derivative";
        subject.wrong_row = 1;
        subject.wrong_column = 2;
        subject.wrong_by = 1e-4 * units[k];
        assert_status(run(&subject, &worst), DERIVATIVE_MISMATCH);
        assert_named(worst, "mass_derivative", 1, 2);
    }
}

/** A weight of 5 kN whose formula rounds differently at every position. */
static void rounded_weight(double t, const double *q, const double *v, double *f, void *context) {
    (void)t;
    (void)v;
    (void)context;
    for (int i = 0; i < CURVED_SIZE; i++) {
        f[i] = -5e3 * (sin(q[i]) * sin(q[i]) + cos(q[i]) * cos(q[i]));
    }
}

TEST(property, rounding_of_a_large_constant_force_is_no_stiffness) {
    example subject;
    curved_make(&subject);
    subject.mechanism.force = rounded_weight;
    subject.mechanism.stiffness = NULL;
    subject.mechanism.damping = NULL;
    for (unsigned long seed = 1; seed <= 100; seed++) {
        gsl_rng *generator = seeded_generator(seed);
        double q[CURVED_SIZE];
        for (int i = 0; i < CURVED_SIZE; i++) {
            q[i] = uniform(generator, -2.0, 2.0);
        }
        gsl_rng_free(generator);
        assert_ok(
            carom_mechanism_check(&subject.mechanism, TIME, q, VELOCITY, TOLERANCE, seed, NULL));
    }
}

TEST(property, the_same_seed_gives_the_same_answer) {
    example subject;
    carom_mechanism_mismatch first;
    carom_mechanism_mismatch second;
    curved_make(&subject);
    subject.mechanism.mass_derivative = NULL;
    assert_status(run(&subject, &first), DERIVATIVE_MISMATCH);
    assert_status(run(&subject, &second), DERIVATIVE_MISMATCH);
    assert_close(second.finite_difference, first.finite_difference, 0.0, 0.0);
    ck_assert_str_eq(second.derivative, first.derivative);
    assert_status(carom_mechanism_check(&subject.mechanism, TIME, POSITION, VELOCITY, TOLERANCE,
                                        SEED + 1, &second),
                  DERIVATIVE_MISMATCH);
    ck_assert(fabs(second.finite_difference - first.finite_difference) > 0.0);
}

TEST(errors, values_that_are_not_finite_are_told_with_their_entry) {
    example subject;
    carom_mechanism_mismatch worst;
    for (int k = 0; k < CURVED_MEMBER_COUNT; k++) {
        curved_make(&subject);
        subject.wrong_member = CURVED_MEMBERS[k].member;
        subject.wrong_row = 1;
        subject.wrong_column = CURVED_MEMBERS[k].columns - 1;
        subject.wrong_by = (double)NAN;
        assert_status(run(&subject, &worst), NOT_FINITE);
        ck_assert_str_eq(worst.derivative, CURVED_MEMBERS[k].member);
        ck_assert_int_eq(worst.row, 1);
        ck_assert(isnan(worst.relative_error));
    }
    const char *const functions[] = {"mass", "force", "constraints", "constraint_jacobian"};
    for (size_t k = 0; k < sizeof(functions) / sizeof(functions[0]); k++) {
        chain_make(&subject);
        subject.wrong_member = functions[k];
        subject.wrong_by = (double)INFINITY;
        subject.wrong_column = 1;
        assert_status(run(&subject, &worst), NOT_FINITE);
        ck_assert_str_eq(worst.derivative, functions[k]);
    }
}

TEST(errors, a_state_that_is_not_finite_is_told) {
    example subject;
    carom_mechanism_mismatch worst;
    curved_make(&subject);
    const double q[3] = {0.1, (double)NAN, 0.3};
    assert_status(
        carom_mechanism_check(&subject.mechanism, TIME, q, VELOCITY, TOLERANCE, SEED, &worst),
        NOT_FINITE);
    assert_status(carom_mechanism_check(&subject.mechanism, (double)NAN, POSITION, VELOCITY,
                                        TOLERANCE, SEED, &worst),
                  NOT_FINITE);
}

TEST(errors, what_cannot_be_a_mechanism_is_refused_before_any_call) {
    // One after another: counts, the layout and functions that are not there.
    for (int k = 0; k < 9; k++) {
        example subject;
        curved_make(&subject);
        carom_mechanism *mechanism = &subject.mechanism;
        switch (k) {
        case 0:
            mechanism->mass = NULL;
            break;
        case 1:
            mechanism->force = NULL;
            break;
        case 2:
            mechanism->constraints = NULL;
            break;
        case 3:
            mechanism->constraint_jacobian = NULL;
            break;
        case 4:
            mechanism->tangential_jacobian = NULL;
            break;
        case 5:
            mechanism->layout = (carom_layout){0};
            break;
        case 6:
            mechanism->contact_count = -1;
            break;
        case 7:
            mechanism->coordinate_count = 0;
            break;
        default:
            mechanism->joint_count = -1;
            break;
        }
        carom_mechanism_mismatch worst;
        assert_status(run(&subject, &worst), OUT_OF_RANGE);
        carom_report report = carom_report_empty();
        assert_status(
            carom_mechanism_check_directions(mechanism, TIME, POSITION, VELOCITY, SEED, &report),
            OUT_OF_RANGE);
        ck_assert(report.quantity != NULL || report.sentence[0] != '\0');
    }
}
