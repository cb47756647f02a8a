/* carom/mechanism: whichever allocation fails, the status says so and nothing leaks. */
#include <carom/mechanism/mechanism.h>
#include <carom/mechanism/planar_tree.h>

#include "../failing_malloc.h"
#include "../support.h"
#include "example.h"

static const double POSITION[CURVED_SIZE] = {0.31, -0.72, 1.14};
static const double VELOCITY[CURVED_SIZE] = {-1.21, 0.48, 0.83};

TEST(errors, validation_reports_every_failed_allocation) {
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

TEST(errors, the_check_reports_every_failed_allocation) {
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

TEST(errors, the_check_along_directions_reports_every_failed_allocation) {
    example subject;
    curved_make(&subject);
    int granted = 0;
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    for (; status != CAROM_OK; granted++) {
        carom_report report = carom_report_empty();
        successes_left = granted;
        status = carom_mechanism_check_directions(&subject.mechanism, 0.37, POSITION, VELOCITY, 3,
                                                  &report);
        successes_left = -1;
        if (status != CAROM_OK) {
            ck_assert_int_eq(status, CAROM_STATUS_OUT_OF_MEMORY);
            ck_assert_str_eq(report.quantity, "check of derivatives");
        }
    }
    /* the state, then the numbers and the rows of a direction */
    ck_assert_int_eq(granted, 5);
}

TEST(errors, the_planar_tree_reports_every_failed_allocation) {
    const carom_planar_body bodies[2] = {
        carom_planar_floating(carom_planar_box(1.3, 0.4, 0.9)),
        carom_planar_revolute(0, 0.1, -0.2, carom_planar_rod(0.7, 0.5)),
    };
    const carom_planar_contact contact =
        carom_planar_corner_on_wall(1, 0.0, -0.5, carom_planar_floor(0.0), 0.5);
    carom_planar_tree_spec spec = carom_planar_tree_spec_default();
    spec.body_count = 2;
    spec.bodies = bodies;
    spec.contact_count = 1;
    spec.contacts = &contact;
    int granted = 0;
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    for (; status != CAROM_OK; granted++) {
        carom_planar_tree *tree = NULL;
        carom_report report = carom_report_empty();
        successes_left = granted;
        status = carom_planar_tree_alloc(&spec, &tree, &report);
        successes_left = -1;
        if (status != CAROM_OK) {
            ck_assert_int_eq(status, CAROM_STATUS_OUT_OF_MEMORY);
            ck_assert_str_eq(report.quantity, "planar tree");
            ck_assert_ptr_null(tree);
        }
        carom_planar_tree_free(tree);
    }
    /* the tree, its name, bodies, contacts, indices, coefficients and units */
    ck_assert_int_ge(granted, 9);
}

TEST(errors, the_functions_of_a_planar_tree_allocate_nothing) {
    const carom_planar_body bodies[2] = {
        carom_planar_floating(carom_planar_disc(1.3, 0.4)),
        carom_planar_floating(carom_planar_disc(0.8, 0.3)),
    };
    const carom_planar_contact contacts[2] = {
        carom_planar_disc_on_wall(0, 0.0, 0.0, 0.4, carom_planar_floor(0.0), 0.5),
        carom_planar_disc_on_disc(0, 0.4, 1, 0.3, 0.5),
    };
    carom_planar_tree_spec spec = carom_planar_tree_spec_default();
    spec.body_count = 2;
    spec.bodies = bodies;
    spec.contact_count = 2;
    spec.contacts = contacts;
    carom_planar_tree *tree = NULL;
    assert_ok(carom_planar_tree_alloc(&spec, &tree, NULL));
    const carom_mechanism *mechanism = carom_planar_tree_mechanism(tree);
    void *context = mechanism->context;
    const double q[6] = {0.1, 0.4, 0.2, 0.5, 1.1, -0.3};
    double A[36];
    allocations = 0;
    mechanism->mass(q, A, context);
    mechanism->mass_derivative(q, q, A, context);
    mechanism->force(0.0, q, q, A, context);
    mechanism->stiffness(0.0, q, q, A, context);
    mechanism->damping(0.0, q, q, A, context);
    mechanism->potential_energy(q, context);
    mechanism->constraints(q, A, context);
    mechanism->constraint_jacobian(q, A, context);
    mechanism->constraint_force_derivative(q, q, A, context);
    mechanism->constraint_rate_derivative(q, q, A, context);
    mechanism->tangential_jacobian(q, A, context);
    mechanism->tangential_rate_derivative(q, q, A, context);
    ck_assert_int_eq(allocations, 0);
    carom_planar_tree_free(tree);
}
