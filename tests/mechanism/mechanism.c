/* carom/mechanism/mechanism.h: the refusal of what is no mechanism, and the kinetic energy. */
#include "../support.h"
#include "example.h"

#include <stdio.h>

#include <limits.h>

static const double TIME = 0.37;
static const double POSITION[CHAIN_SIZE] = {0.31, -0.72, 1.14, 0.55, -0.28, 0.93};
static const double VELOCITY[CHAIN_SIZE] = {-1.21, 0.48, 0.83, -0.66, 0.27, 1.35};

static carom_status validate(const example *subject, carom_report *report) {
    *report = carom_report_empty();
    return carom_mechanism_validate(&subject->mechanism, TIME, POSITION, VELOCITY, report);
}

/** The subject is refused with the given code, quantity and index. */
#define assert_refused(subject, code, expected_quantity, expected_index)                     \
    do {                                                                                     \
        carom_report refusal;                                                                \
        assert_status(validate(subject, &refusal), code);                                    \
        ck_assert_str_eq(refusal.quantity, expected_quantity);                               \
        ck_assert_int_eq(refusal.index, expected_index);                                     \
        assert_status(                                                                       \
            carom_mechanism_validate(&(subject)->mechanism, TIME, POSITION, VELOCITY, NULL), \
            code);                                                                           \
    } while (0)

/** Refused with the sentence "mechanism 'curved' HAS". */
static void assert_says(const example *subject, const char *has) {
    carom_report refusal;
    assert_status(validate(subject, &refusal), OUT_OF_RANGE);
    char expected[CAROM_REPORT_SENTENCE_SIZE];
    (void)snprintf(expected, sizeof expected, "mechanism '%s' %s", subject->mechanism.name, has);
    ck_assert_str_eq(refusal.sentence, expected);
    assert_status(carom_mechanism_validate(&subject->mechanism, TIME, POSITION, VELOCITY, NULL),
                  OUT_OF_RANGE);
}

TEST(unit, a_full_and_a_banded_mechanism_are_accepted) {
    example subject;
    carom_report report;
    curved_make(&subject);
    assert_ok(validate(&subject, &report));
    ck_assert_ptr_null(report.quantity);
    ck_assert_int_eq(carom_mechanism_constraint_count(&subject.mechanism), 2);
    chain_make(&subject);
    assert_ok(validate(&subject, &report));
    ck_assert_int_eq(carom_mechanism_constraint_count(&subject.mechanism), 1);
}

TEST(unit, a_mechanism_without_constraints_and_derivatives_is_accepted) {
    example subject;
    carom_report report;
    curved_make(&subject);
    subject.mechanism.joint_count = 0;
    subject.mechanism.contact_count = 0;
    subject.mechanism.restitution = NULL;
    subject.mechanism.constraints = NULL;
    subject.mechanism.constraint_jacobian = NULL;
    subject.mechanism.constraint_force_derivative = NULL;
    subject.mechanism.constraint_rate_derivative = NULL;
    subject.mechanism.mass_derivative = NULL;
    subject.mechanism.stiffness = NULL;
    subject.mechanism.damping = NULL;
    subject.mechanism.constraint_offset = NULL;
    subject.mechanism.constraint_velocity = NULL;
    assert_ok(validate(&subject, &report));
}

TEST(unit, the_kinetic_energy_of_a_full_mass_is_that_of_the_written_out_sum) {
    example subject;
    curved_make(&subject);
    double work[9 + 3];
    for (int i = 0; i < 12; i++) {
        work[i] = (double)NAN;
    }
    const double *q = POSITION;
    const double *v = VELOCITY;
    const double expected = 0.5 * (2.3 + q[1] * q[1]) * v[0] * v[0] +
                            0.3 * q[0] * q[2] * v[0] * v[1] + 0.1 * v[0] * v[2] +
                            0.5 * (1.7 + 0.2 * cos(q[0])) * v[1] * v[1] +
                            0.5 * (1.1 + 0.4 * q[2] * q[2]) * v[2] * v[2];
    /* Rounding of a dozen products. */
    assert_close(carom_mechanism_kinetic_energy(&subject.mechanism, q, v, work), expected, 1e-14,
                 0.0);
}

TEST(unit, the_kinetic_energy_of_a_banded_mass_is_that_of_the_written_out_sum) {
    example subject;
    chain_make(&subject);
    double work[3 * CHAIN_SIZE + CHAIN_SIZE];
    for (int i = 0; i < 4 * CHAIN_SIZE; i++) {
        work[i] = (double)NAN;
    }
    double expected = 0.0;
    for (int i = 0; i < CHAIN_SIZE; i++) {
        expected += 0.5 * 2.7 * VELOCITY[i] * VELOCITY[i];
        expected += i > 0 ? 0.35 * VELOCITY[i] * VELOCITY[i - 1] : 0.0;
    }
    assert_close(carom_mechanism_kinetic_energy(&subject.mechanism, POSITION, VELOCITY, work),
                 expected, 1e-14, 0.0);
}

TEST(unit, rounding_in_the_symmetry_of_the_mass_is_tolerated) {
    example subject;
    carom_report report;
    curved_make(&subject);
    subject.wrong_member = "mass";
    subject.wrong_row = 2;
    subject.wrong_column = 0;
    subject.wrong_by = 4e-16;
    assert_ok(validate(&subject, &report));
}

TEST(unit, a_singular_mass_is_accepted) {
    example subject;
    carom_report report;
    curved_make(&subject);
    subject.unit = 0.0;
    assert_ok(validate(&subject, &report));
}

TEST(errors, impossible_counts_and_layouts_are_refused) {
    example subject;
    curved_make(&subject);
    subject.mechanism.coordinate_count = 0;
    assert_refused(&subject, OUT_OF_RANGE, "coordinate count", -1);
    curved_make(&subject);
    subject.mechanism.joint_count = -1;
    assert_refused(&subject, OUT_OF_RANGE, "joint count", -1);
    curved_make(&subject);
    subject.mechanism.contact_count = -2;
    assert_refused(&subject, OUT_OF_RANGE, "contact count", -1);
    subject.mechanism.contact_count = INT_MAX;
    assert_refused(&subject, OUT_OF_RANGE, "contact count", -1);
    curved_make(&subject);
    subject.mechanism.tangent_count = 3;
    assert_refused(&subject, OUT_OF_RANGE, "tangent count", -1);
    subject.mechanism.tangent_count = -1;
    assert_refused(&subject, OUT_OF_RANGE, "tangent count", -1);
    curved_make(&subject);
    subject.mechanism.layout = carom_layout_full(4);
    assert_refused(&subject, OUT_OF_RANGE, "layout size", -1);
    curved_make(&subject);
    subject.mechanism.layout.is_banded = true;
    subject.mechanism.layout.half_bandwidth = -1;
    assert_refused(&subject, OUT_OF_RANGE, "half bandwidth", -1);

    carom_report report;
    assert_status(validate(&subject, &report), OUT_OF_RANGE);
    assert_close(report.value, -1.0, 0.0, 0.0);
}

TEST(errors, missing_functions_are_refused) {
    example subject;
    curved_make(&subject);
    subject.mechanism.mass = NULL;
    assert_says(&subject, "has no function 'mass'");
    curved_make(&subject);
    subject.mechanism.force = NULL;
    assert_says(&subject, "has no function 'force'");
    curved_make(&subject);
    subject.mechanism.potential_energy = NULL;
    assert_says(&subject, "has no function 'potential_energy'");
    curved_make(&subject);
    subject.mechanism.constraints = NULL;
    assert_says(&subject, "has constraints, but no function 'constraints'");
    curved_make(&subject);
    subject.mechanism.constraint_jacobian = NULL;
    assert_says(&subject, "has constraints, but no function 'constraint_jacobian'");
    curved_make(&subject);
    subject.mechanism.restitution = NULL;
    assert_says(&subject, "has contacts, but no restitution");
    curved_make(&subject);
    subject.mechanism.tangential_jacobian = NULL;
    assert_says(&subject, "has tangents, but no function 'tangential_jacobian'");
}

TEST(errors, a_linear_mechanism_with_a_nonlinear_derivative_is_refused) {
    example subject;
    chain_make(&subject);
    subject.mechanism.mass_derivative = curved_mass_derivative;
    assert_says(&subject, "is linear, but has a function 'mass_derivative'");
    static const int rotations[] = {1};
    chain_make(&subject);
    subject.mechanism.rotation_count = 1;
    subject.mechanism.rotations = rotations;
    assert_says(&subject, "is linear, but has rotations");
    chain_make(&subject);
    subject.mechanism.constraint_force_derivative = curved_force_derivative;
    assert_says(&subject, "is linear, but has a function 'constraint_force_derivative'");
    chain_make(&subject);
    subject.mechanism.constraint_rate_derivative = curved_rate_derivative;
    assert_says(&subject, "is linear, but has a function 'constraint_rate_derivative'");
    chain_make(&subject);
    subject.mechanism.tangential_rate_derivative = curved_tangential_rate_derivative;
    assert_says(&subject, "is linear, but has a function 'tangential_rate_derivative'");
}

TEST(errors, friction_and_tangents_that_contradict_each_other_are_refused) {
    example subject;
    curved_make(&subject);
    subject.mechanism.tangent_count = 0;
    assert_says(&subject, "has friction, but no tangents");
    subject.mechanism.friction = NULL;
    assert_says(&subject, "has a function 'tangential_jacobian', but no tangents");
    subject.mechanism.tangential_jacobian = NULL;
    assert_says(&subject, "has a function 'tangential_rate_derivative', but no tangents");
    subject.mechanism.tangential_rate_derivative = NULL;
    carom_report report;
    assert_ok(validate(&subject, &report));

    /* tangents of contacts without friction contradict nothing */
    curved_make(&subject);
    subject.mechanism.friction = NULL;
    assert_ok(validate(&subject, &report));
}

TEST(errors, a_negative_friction_is_refused_with_its_contact) {
    example subject;
    curved_make(&subject);
    subject.mechanism.joint_count = 0;
    subject.mechanism.contact_count = 2;
    const double restitution[2] = {0.2, 0.3};
    subject.mechanism.restitution = restitution;
    subject.friction[1] = -1e-3;
    assert_refused(&subject, OUT_OF_RANGE, "friction", 1);
    subject.friction[1] = (double)INFINITY;
    assert_refused(&subject, NOT_FINITE, "friction", 1);
    subject.friction[0] = (double)NAN;
    assert_refused(&subject, NOT_FINITE, "friction", 0);
    subject.friction[0] = 0.0;
    subject.friction[1] = 1e5;
    carom_report report;
    assert_ok(validate(&subject, &report));
}

TEST(errors, a_restitution_outside_zero_to_one_is_refused_with_its_contact) {
    example subject;
    double restitution[2] = {0.5, -0.01};
    curved_make(&subject);
    subject.mechanism.joint_count = 0;
    subject.mechanism.contact_count = 2;
    subject.mechanism.restitution = restitution;
    assert_refused(&subject, OUT_OF_RANGE, "restitution", 1);
    restitution[1] = 1.01;
    assert_refused(&subject, OUT_OF_RANGE, "restitution", 1);
    restitution[1] = (double)NAN;
    assert_refused(&subject, NOT_FINITE, "restitution", 1);
    restitution[0] = (double)INFINITY;
    assert_refused(&subject, NOT_FINITE, "restitution", 0);
    restitution[0] = 0.0;
    restitution[1] = 1.0;
    carom_report report;
    assert_ok(validate(&subject, &report));
}

TEST(errors, a_time_or_state_that_is_not_finite_is_refused) {
    example subject;
    carom_report report;
    curved_make(&subject);
    const double bad[3] = {0.1, 0.2, (double)INFINITY};
    const carom_mechanism *mechanism = &subject.mechanism;
    assert_status(carom_mechanism_validate(mechanism, (double)NAN, POSITION, VELOCITY, &report),
                  NOT_FINITE);
    ck_assert_str_eq(report.quantity, "time");
    assert_status(carom_mechanism_validate(mechanism, TIME, bad, VELOCITY, &report), NOT_FINITE);
    ck_assert_str_eq(report.quantity, "position");
    ck_assert_int_eq(report.index, 2);
    assert_status(carom_mechanism_validate(mechanism, TIME, POSITION, bad, &report), NOT_FINITE);
    ck_assert_str_eq(report.quantity, "velocity");
    ck_assert_int_eq(report.index, 2);
}

TEST(errors, functions_that_return_nan_are_refused_with_the_row) {
    const struct {
        const char *member;
        const char *quantity;
        int row;
    } cases[] = {
        {"mass", "mass", 2},
        {"force", "force", 1},
        {"stiffness", "stiffness", 2},
        {"damping", "damping", 1},
        {"potential_energy", "potential energy", 0},
        {"constraints", "constraints", 1},
        {"constraint_jacobian", "constraint jacobian", 1},
        {"tangential_jacobian", "tangential jacobian", 1},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        example subject;
        curved_make(&subject);
        subject.wrong_member = cases[i].member;
        subject.wrong_row = cases[i].row;
        subject.wrong_column = 2;
        subject.wrong_by = (double)NAN;
        assert_refused(&subject, NOT_FINITE, cases[i].quantity, cases[i].row);
    }
}

/* Two entries of constraints, then two of sliding. */
TEST(errors, supports_that_move_to_nowhere_are_refused_with_their_row) {
    example subject;
    curved_make(&subject);
    subject.wrong_by = (double)NAN;
    subject.wrong_member = "constraint_offset";
    subject.wrong_row = 1;
    assert_refused(&subject, NOT_FINITE, "constraint offset", 1);
    subject.wrong_member = "constraint_velocity";
    for (subject.wrong_row = 0; subject.wrong_row < 4; subject.wrong_row++) {
        assert_refused(&subject, NOT_FINITE, "constraint velocity", subject.wrong_row);
    }
}

TEST(errors, supports_that_move_without_constraints_are_refused) {
    example subject;
    curved_make(&subject);
    subject.mechanism.joint_count = 0;
    subject.mechanism.contact_count = 0;
    assert_says(&subject, "has supports that move, but no constraints");
    subject.mechanism.constraint_offset = NULL;
    assert_says(&subject, "has supports that move, but no constraints");
}

TEST(errors, an_unsymmetric_mass_is_refused_with_its_asymmetry) {
    example subject;
    curved_make(&subject);
    subject.wrong_member = "mass";
    subject.wrong_row = 0;
    subject.wrong_column = 1;
    subject.wrong_by = 1e-8;
    assert_refused(&subject, NOT_SYMMETRIC, "mass", -1);
    carom_report report;
    assert_status(validate(&subject, &report), NOT_SYMMETRIC);
    /* The difference of two numbers near 0.1. */
    assert_close(report.value, 1e-8, 1e-6, 0.0);
}

/* A body by a point at a distance a = 0.5 m from its centre, (x, y, theta): about the centre is
 * left what is about the point less m a^2. */
static void eccentric_mass(const double *q, double *M, void *context) {
    (void)q;
    const example *self = context;
    const double matrix[9] = {2.0, 0.0, 1.0, 0.0, 2.0, 0.0, 1.0, 0.0, self->unit};
    memcpy(M, matrix, sizeof matrix);
}

/* Pivots d_k = 2 - 1.2^2/d_(k-1): 2, 1.28, 0.875, 0.354, -2.07. */
static void chained_mass(const double *q, double *M, void *context) {
    (void)q;
    (void)context;
    const carom_layout layout = carom_layout_banded(CHAIN_SIZE, 1);
    for (int i = 0; i < CHAIN_SIZE; i++) {
        M[carom_layout_index(layout, i, i)] = 2.0;
        if (i > 0) {
            M[carom_layout_index(layout, i, i - 1)] = M[carom_layout_index(layout, i - 1, i)] = 1.2;
        }
    }
}

TEST(errors, a_mass_that_is_indefinite_is_refused_with_its_coordinate) {
    static const char pivot[] = "pivot of the mass matrix (not positive definite)";
    example subject;
    carom_report report;
    curved_make(&subject);
    subject.mechanism.mass = eccentric_mass;
    subject.unit = 0.499;
    assert_refused(&subject, OUT_OF_RANGE, pivot, 2);
    subject.unit = 0.5; // all of it in the centre: singular, which joints may make up for
    assert_ok(validate(&subject, &report));
    chain_make(&subject);
    subject.mechanism.mass = chained_mass;
    assert_refused(&subject, OUT_OF_RANGE, pivot, 4);
}

/* Two coordinates whose mass couples them, one of them or none with a mass of its own. */
static void coupled_mass(const double *q, double *M, void *context) {
    const example *self = context;
    (void)q;
    memset(M, 0, CURVED_SIZE * CURVED_SIZE * sizeof *M);
    M[0] = 2.3;
    M[4] = self->wrong_by;
    M[5] = M[7] = self->unit;
    M[8] = 1.7;
}

/* M_11 M_22 >= M_12^2, also where M_11 is zero: but for rounding. */
TEST(errors, a_mass_beside_a_coordinate_without_any_is_refused) {
    example subject;
    carom_report report;
    curved_make(&subject);
    subject.mechanism.mass = coupled_mass;
    subject.wrong_by = 0.0;
    subject.unit = 0.3;
    assert_refused(&subject, OUT_OF_RANGE, "mass beside a zero pivot", 2);
    subject.unit = 1e-200;
    assert_refused(&subject, OUT_OF_RANGE, "mass beside a zero pivot", 2);
    subject.unit = 0.0;
    assert_ok(validate(&subject, &report));
}

TEST(errors, a_negative_mass_is_refused_with_its_coordinate) {
    example subject;
    curved_make(&subject);
    subject.wrong_member = "mass";
    subject.wrong_row = 1;
    subject.wrong_column = 1;
    subject.wrong_by = -3.0;
    assert_refused(&subject, OUT_OF_RANGE, "mass", 1);
}
