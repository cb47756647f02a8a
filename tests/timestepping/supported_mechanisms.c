/* README.md: the table of what each method computes is what the methods refuse. */
#include "variational_systems.h"

#include <carom/timestepping/compliant_contact.h>
#include <carom/timestepping/error_reduction.h>
#include <carom/timestepping/inclusion.h>
#include <carom/timestepping/plastic_events.h>
#include <carom/timestepping/stepper.h>

#include <stdio.h>

/** The columns of the table. */
enum { JOINTS, RESTITUTION, PLANE, SPACE, MASS, COLUMNS };

/** The rows that are no fixed-step schemes. */
enum { ERROR_REDUCTION, VARIATIONAL, INCLUSION, COMPLIANT, PLASTIC, OTHERS };
static const char *const OTHER_NAMES[OTHERS] = {"error_reduction", "variational", "inclusion",
                                                "compliant_contact", "plastic_events"};

static void no_derivative(const double *q, const double *a, double *D, void *context) {
    (void)q;
    (void)a;
    (void)context;
    memset(D, 0, 4 * sizeof(double));
}

/** A mechanism that has what a column says, and nothing else. */
static void make(pile *p, int column) {
    pile_init(p, 2, 2);
    pile_restitute(p, column == RESTITUTION ? 0.5 : 0.0);
    p->mechanism.contact_count = 1;
    p->mechanism.joint_count = column == JOINTS ? 1 : 0;
    p->mechanism.is_linear = false;
    if (column == PLANE || column == SPACE) {
        p->friction[0] = 0.3;
        p->mechanism.friction = p->friction;
        p->mechanism.tangent_count = column == PLANE ? 1 : 2;
        p->mechanism.tangential_jacobian = pile_tangents;
    }
    p->mechanism.mass_derivative = column == MASS ? no_derivative : NULL;
}

static carom_status try_scheme(const carom_mechanism *mechanism, int scheme) {
    const carom_stepper_params params = carom_stepper_params_default((carom_scheme)scheme);
    carom_stepper *stepper = NULL;
    const carom_status status = carom_stepper_alloc(mechanism, &params, &stepper, NULL);
    carom_stepper_free(stepper);
    return status;
}

static carom_status try_error_reduction(const carom_mechanism *mechanism) {
    const carom_error_reduction_params params = carom_error_reduction_params_default();
    carom_error_reduction_stepper *stepper = NULL;
    const carom_status status =
        carom_error_reduction_stepper_alloc(mechanism, &params, &stepper, NULL);
    carom_error_reduction_stepper_free(stepper);
    return status;
}

static carom_status try_variational(const carom_mechanism *mechanism) {
    const carom_variational_params params = carom_variational_params_default();
    carom_variational_stepper *stepper = NULL;
    const carom_status status = carom_variational_stepper_alloc(mechanism, &params, &stepper, NULL);
    carom_variational_stepper_free(stepper);
    return status;
}

static carom_status try_inclusion(const carom_mechanism *mechanism) {
    carom_inclusion_params params = carom_inclusion_params_default();
    params.step = 0.01;
    params.reference_force = 1.0;
    carom_inclusion_stepper *stepper = NULL;
    const carom_status status = carom_inclusion_stepper_alloc(mechanism, &params, &stepper, NULL);
    carom_inclusion_stepper_free(stepper);
    return status;
}

/** What a method says to a mechanism. */
static carom_status try_method(const carom_mechanism *mechanism, int method) {
    switch (method - (int)CAROM_SCHEME_COUNT) {
    case ERROR_REDUCTION:
        return try_error_reduction(mechanism);
    case VARIATIONAL:
        return try_variational(mechanism);
    case INCLUSION:
        return try_inclusion(mechanism);
    case COMPLIANT:
        return carom_mechanism_require(mechanism, &carom_compliant_support, NULL);
    case PLASTIC:
        return carom_mechanism_require(mechanism, &carom_plastic_support, NULL);
    default:
        return try_scheme(mechanism, method);
    }
}

/** The row of a method in README.md, without the bar at its end. */
static void find_row(const char *name, char *row, size_t size) {
    char begin[64];
    (void)snprintf(begin, sizeof begin, "| `%s` |", name);
    FILE *file = fopen("README.md", "r");
    ck_assert_msg(file != NULL, "no README.md here");
    bool is_found = false;
    while (!is_found && fgets(row, (int)size, file) != NULL) {
        is_found = strncmp(row, begin, strlen(begin)) == 0;
    }
    (void)fclose(file);
    ck_assert_msg(is_found, "no row of %s", name);
}

START_TEST(the_table_of_the_readme_says_what_is_refused) {
    for (int method = 0; method < (int)CAROM_SCHEME_COUNT + OTHERS; method++) {
        const bool is_scheme = method < (int)CAROM_SCHEME_COUNT;
        const char *name = is_scheme ? carom_scheme_name((carom_scheme)method)
                                     : OTHER_NAMES[method - (int)CAROM_SCHEME_COUNT];
        char expected[256];
        int length = snprintf(expected, sizeof expected, "| `%s` |", name);
        for (int column = 0; column < COLUMNS; column++) {
            pile p;
            make(&p, column);
            const carom_status status = try_method(&p.mechanism, method);
            ck_assert_msg(status == CAROM_OK || status == CAROM_STATUS_UNSUPPORTED,
                          "%s, column %d: %s", name, column, carom_status_name(status));
            length += snprintf(expected + length, sizeof expected - (size_t)length, " %s |",
                               status == CAROM_OK ? "yes" : "–");
        }
        char row[512];
        find_row(name, row, sizeof row);
        ck_assert_msg(strncmp(row, expected, strlen(expected)) == 0, "%s instead of %s", row,
                      expected);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("supported mechanisms");
    TCase *unit = tcase_create("unit");
    tcase_add_test(unit, the_table_of_the_readme_says_what_is_refused);
    suite_add_tcase(suite, unit);
    return run_suite(suite);
}
