/* carom/mechanism/mechanism.h: what a method does not compute is refused in a sentence; and the
 * change of units that the suites share (tests/units.h). */
#include <carom/mechanism/mechanism.h>

#include "../units.h"
#include "example.h"

static const double POSITION[CHAIN_SIZE] = {0.31, -0.72, 1.14, 0.55, -0.28, 0.93};
static const double VELOCITY[CHAIN_SIZE] = {-1.21, 0.48, 0.83, -0.66, 0.27, 1.35};

static const carom_mechanism_support EVERYTHING = {.method = "all",
                                                   .subject = "motion",
                                                   .joints = true,
                                                   .friction = true,
                                                   .restitution = true,
                                                   .nonlinear_mass = true,
                                                   .space = true,
                                                   .moving_supports = true,
                                                   .rotations = true,
                                                   .changing_contacts = true};

static void no_derivative(const double *q, const double *a, double *D, void *context) {
    (void)q;
    (void)a;
    (void)context;
    D[0] = 0.0;
}

static void no_velocity(double t, double *w, void *context) {
    (void)t;
    (void)context;
    w[0] = 0.0;
}

static carom_status no_contacts(double t, double h, const double *q, const double *v, int *previous,
                                carom_report *report, void *context) {
    (void)t;
    (void)h;
    (void)q;
    (void)v;
    (void)previous;
    (void)report;
    (void)context;
    return CAROM_OK;
}

static carom_mechanism crate(void) {
    static const double restitution[] = {0.0, 0.25};
    static const double friction[] = {0.0, 0.5};
    static const int rotations[] = {0};
    return (carom_mechanism){.name = "crate",
                             .coordinate_count = 3,
                             .joint_count = 1,
                             .contact_count = 2,
                             .layout = carom_layout_full(3),
                             .restitution = restitution,
                             .friction = friction,
                             .tangent_count = 2,
                             .rotation_count = 1,
                             .rotations = rotations,
                             .mass_derivative = no_derivative,
                             .constraint_velocity = no_velocity,
                             .update_contacts = no_contacts};
}

/** Without `what`, the crate is refused in that sentence. */
static void check_refused(carom_mechanism_support support, const char *sentence) {
    const carom_mechanism mechanism = crate();
    carom_report report = carom_report_empty();
    assert_status(carom_mechanism_require(&mechanism, &support, &report), UNSUPPORTED);
    ck_assert_str_eq(report.sentence, sentence);
    assert_status(carom_mechanism_require(&mechanism, &support, NULL), UNSUPPORTED);
}

TEST(unit, a_method_that_computes_all_refuses_nothing) {
    const carom_mechanism mechanism = crate();
    assert_ok(carom_mechanism_require(&mechanism, &EVERYTHING, NULL));
}

TEST(unit, a_forgotten_layout_and_impossible_counts_are_refused) {
    carom_report report = carom_report_empty();
    carom_mechanism mechanism = crate();
    mechanism.layout = (carom_layout){0};
    assert_status(carom_mechanism_require(&mechanism, &EVERYTHING, &report), OUT_OF_RANGE);
    ck_assert_str_eq(report.quantity, "layout size");
    mechanism = crate();
    mechanism.joint_count = -1;
    assert_status(carom_mechanism_require(&mechanism, &EVERYTHING, &report), OUT_OF_RANGE);
    ck_assert_str_eq(report.quantity, "joint count");
}

TEST(errors, rotations_without_three_velocities_of_their_own_are_refused) {
    static const int crossed[][2] = {{-1, 3}, {0, 2}, {4, 0}, {0, 4}};
    carom_mechanism mechanism = crate();
    mechanism.coordinate_count = 6;
    mechanism.layout = carom_layout_full(6);
    mechanism.rotation_count = 2;
    for (int k = 0; k < 4; k++) {
        mechanism.rotations = crossed[k];
        carom_report report = carom_report_empty();
        assert_status(carom_mechanism_require(&mechanism, &EVERYTHING, &report), OUT_OF_RANGE);
        ck_assert_str_eq(report.quantity, "rotation");
        ck_assert_int_eq(report.index, k == 0 || k == 2 ? 0 : 1);
    }
    static const int apart[] = {0, 3};
    mechanism.rotations = apart;
    assert_ok(carom_mechanism_require(&mechanism, &EVERYTHING, NULL));
    mechanism.rotation_count = 3;
    assert_status(carom_mechanism_require(&mechanism, &EVERYTHING, NULL), OUT_OF_RANGE);
}

TEST(unit, coefficients_of_zero_ask_for_nothing) {
    static const double zeros[] = {0.0, 0.0};
    carom_mechanism mechanism = crate();
    mechanism.friction = zeros;
    mechanism.restitution = zeros;
    mechanism.joint_count = 0;
    mechanism.mass_derivative = NULL;
    mechanism.constraint_velocity = NULL;
    mechanism.rotation_count = 0;
    mechanism.update_contacts = NULL;
    const carom_mechanism_support nothing = {.method = "none", .subject = "motion"};
    assert_ok(carom_mechanism_require(&mechanism, &nothing, NULL));
    mechanism.friction = NULL;
    assert_ok(carom_mechanism_require(&mechanism, &nothing, NULL));
}

TEST(errors, what_is_missing_is_named_with_what_the_mechanism_has) {
    carom_mechanism_support support = EVERYTHING;
    support.method = "moreau_jean";
    support.friction = false;
    check_refused(support, "moreau_jean computes motion without friction; mechanism 'crate' has "
                           "friction 0.5");
    support = EVERYTHING;
    support.restitution = false;
    check_refused(
        support, "all computes motion without restitution; mechanism 'crate' has restitution 0.25");
    support = EVERYTHING;
    support.joints = false;
    support.subject = "impacts";
    check_refused(support, "all computes impacts without joints; mechanism 'crate' has joints (1)");
    support = EVERYTHING;
    support.nonlinear_mass = false;
    check_refused(support,
                  "all computes motion without a mass matrix that depends on the position; "
                  "mechanism 'crate' has one");
    support = EVERYTHING;
    support.space = false;
    check_refused(support, "all computes motion without friction in space; mechanism 'crate' has "
                           "two tangents of each contact");
    support = EVERYTHING;
    support.rotations = false;
    check_refused(support, "all computes motion without rotations in space; mechanism 'crate' has "
                           "unit quaternions (1)");
    support = EVERYTHING;
    support.changing_contacts = false;
    check_refused(support, "all computes motion without contacts that come and go; mechanism "
                           "'crate' has them");
    support = EVERYTHING;
    support.moving_supports = false;
    check_refused(support, "all computes motion without supports that move; mechanism 'crate' has "
                           "constraints that depend on time");
}

/* Energies, powers and rates of the same motion in other units differ by their dimension's factor.
 */
TEST(property, a_mechanism_in_other_units_has_the_same_energies_and_rates) {
    example subject;
    curved_make(&subject);
    const carom_mechanism *inner = &subject.mechanism;
    const int n = inner->coordinate_count;
    const int m = carom_mechanism_constraint_count(inner);
    for (int k = 0; k < CHANGE_OF_UNITS_COUNT; k++) {
        other_units other;
        other_units_init(&other, inner, CHANGES_OF_UNITS[k]);
        double q[CHAIN_SIZE];
        double v[CHAIN_SIZE];
        units_position(&other, POSITION, q);
        units_velocity(&other, VELOCITY, v);
        double work[CHAIN_SIZE * CHAIN_SIZE + CHAIN_SIZE];
        const double energy = units_energy(other.units);
        assert_close(carom_mechanism_kinetic_energy(&other.mechanism, q, v, work),
                     energy * carom_mechanism_kinetic_energy(inner, POSITION, VELOCITY, work),
                     1e-14, 0.0);
        double f[CHAIN_SIZE];
        double f_inner[CHAIN_SIZE];
        other.mechanism.force(0.37 * other.units.time, q, v, f, other.mechanism.context);
        inner->force(0.37, POSITION, VELOCITY, f_inner, inner->context);
        double power = 0.0;
        double power_inner = 0.0;
        double magnitude = 0.0;
        for (int i = 0; i < n; i++) {
            power += f[i] * v[i];
            power_inner += f_inner[i] * VELOCITY[i];
            magnitude += fabs(f_inner[i] * VELOCITY[i]);
        }
        const double unit = energy / other.units.time;
        assert_close(power / unit, power_inner, 0.0, 1e-14 * magnitude);
        double G[CHAIN_SIZE * CHAIN_SIZE];
        double G_inner[CHAIN_SIZE * CHAIN_SIZE];
        other.mechanism.constraint_jacobian(q, G, other.mechanism.context);
        inner->constraint_jacobian(POSITION, G_inner, inner->context);
        for (int j = 0; j < m; j++) {
            double rate = 0.0;
            double rate_inner = 0.0;
            double size = 0.0;
            for (int i = 0; i < n; i++) {
                rate += G[j * n + i] * v[i];
                rate_inner += G_inner[j * n + i] * VELOCITY[i];
                size += fabs(G_inner[j * n + i] * VELOCITY[i]);
            }
            assert_close(rate / units_speed(other.units), rate_inner, 0.0, 1e-14 * size);
        }
    }
}
