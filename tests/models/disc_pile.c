/* carom/models/disc_pile.h: contacts by the geometry, rows by rigid motions, the stack of three
 * cylinders against its closed form. */
#include <carom/models/disc_pile.h>

#include "../support.h"

#include <float.h>

TEST(unit, every_contact_lies_between_its_discs) {
    carom_disc_pile_params params = carom_disc_pile_params_default();
    params.rows = 7;
    params.radius = 0.2385;
    carom_disc_pile_contact contacts[70];
    ck_assert_int_eq(carom_disc_pile_disc_count(&params), 28);
    ck_assert_int_eq(carom_disc_pile_contact_count(&params), 70);
    carom_disc_pile_contacts(&params, contacts);
    for (int i = 0; i < 70; i++) {
        const carom_disc_pile_contact *c = &contacts[i];
        double centre[2];
        assert_close(hypot(c->normal[0], c->normal[1]), 1.0, 2.0 * DBL_EPSILON, 0.0);
        ck_assert_int_lt(c->lower, c->upper);
        carom_disc_pile_centre(&params, c->upper, centre);
        for (int k = 0; k < 2; k++) {
            assert_close(centre[k] - params.radius * c->normal[k], c->position[k], 0.0, 1e-15);
        }
        if (c->lower < 0) {
            assert_close(c->position[1], 0.0, 0.0, 1e-15);
            continue;
        }
        carom_disc_pile_centre(&params, c->lower, centre);
        for (int k = 0; k < 2; k++) {
            assert_close(centre[k] + params.radius * c->normal[k], c->position[k], 0.0, 1e-15);
        }
    }
}

/* W of one disc on the ground: u_n by r_n/m, u_t by 3 r_t/m. */
TEST(unit, one_disc_turns_as_a_cylinder) {
    carom_disc_pile_params params = carom_disc_pile_params_default();
    params.rows = 1;
    params.mass = 2.385;
    CAROM_AUTO(carom_contact_problem) problem = NULL;
    assert_ok(carom_disc_pile_problem(&params, &problem, NULL));
    const double r[2] = {0.71, -0.34};
    double u[2];
    carom_contact_problem_velocity(problem, r, u);
    assert_close(u[0], 0.71 / 2.385 - params.gravity * params.step, 4.0 * DBL_EPSILON, 0.0);
    assert_close(u[1], -3.0 * 0.34 / 2.385, 4.0 * DBL_EPSILON, 0.0);
}

/* By itself a contact of two discs moves them by 2/m along the normal, by 2/m + 2 r^2/(m r^2/2)
 * along the tangent, and neither along the other; one on the ground by half of that. */
TEST(unit, normals_and_tangents_move_discs_apart_from_each_other) {
    carom_disc_pile_params params = carom_disc_pile_params_default();
    params.rows = 3;
    params.mass = 2.385;
    params.radius = 0.37;
    CAROM_AUTO(carom_contact_problem) problem = NULL;
    assert_ok(carom_disc_pile_problem(&params, &problem, NULL));
    for (int i = 0; i < problem->contact_count; i++) {
        const double *W = problem->entries + problem->offset[problem->diagonal[i]];
        const double discs = i < params.rows ? 1.0 : 2.0;
        assert_close(W[0], discs / params.mass, 1e-14, 0.0);
        assert_close(W[1], 0.0, 0.0, 1e-15);
        assert_close(W[2], 0.0, 0.0, 1e-15);
        assert_close(W[3], 3.0 * discs / params.mass, 1e-14, 0.0);
    }
}

/*
 * Three cylinders stand if friction between them is above tan(pi/12) = 2 - sqrt(3) (and on the
 * ground above a third of it): the force on the upper one then points from the foot of a lower one.
 */
LOOP_TEST(property, three_cylinders_stand_by_friction_above_two_less_root_three, 2) {
    const double beside = _i == 0 ? 1e-3 : -1e-3;
    carom_disc_pile_params params = carom_disc_pile_params_default();
    params.rows = 2;
    params.friction = (2.0 - sqrt(3.0)) * (1.0 + beside);
    CAROM_AUTO(carom_contact_problem) problem = NULL;
    CAROM_AUTO(carom_contact_solver) solver = NULL;
    double r[10] = {0.0};
    double u[10];
    double fastest = 0.0;
    assert_ok(carom_disc_pile_problem(&params, &problem, NULL));
    assert_ok(carom_contact_solver_alloc(&solver));
    assert_ok(carom_contact_solve(solver, problem, NULL, r, u, NULL, NULL));
    for (int i = 0; i < 10; i++) {
        fastest = fmax(fastest, fabs(u[i]));
    }
    const double fall = params.gravity * params.step;
    ck_assert(_i == 0 ? fastest < 1e-10 * fall : fastest > 1e-5 * fall);
    if (_i == 0) {
        assert_close(r[0] + r[2], 3.0 * fall, 1e-10, 0.0);
    }
}

TEST(errors, what_is_no_pile_is_refused) {
    const carom_disc_pile_params good = carom_disc_pile_params_default();
    carom_disc_pile_params bad[5] = {good, good, good, good, good};
    static const char *const names[5] = {"rows", "mass", "mass_ratio", "radius", "friction"};
    bad[0].rows = 0;
    bad[1].mass = -1.0;
    bad[2].mass_ratio = 0.0;
    bad[3].radius = (double)NAN;
    bad[4].friction = -0.1;
    for (int k = 0; k < 5; k++) {
        carom_contact_problem *problem = NULL;
        carom_report report = carom_report_empty();
        ck_assert_int_eq(carom_disc_pile_problem(&bad[k], &problem, &report),
                         k == 3 ? CAROM_STATUS_NOT_FINITE : CAROM_STATUS_OUT_OF_RANGE);
        ck_assert_str_eq(report.quantity, names[k]);
        ck_assert(problem == NULL);
    }
}

/* The mechanism has the rows of the problem: u = J v, normals and tangents in turn. */
TEST(unit, the_pile_in_motion_has_the_rows_of_its_contact_problem) {
    carom_disc_pile_params params = carom_disc_pile_params_default();
    params.rows = 4;
    params.mass_ratio = 0.3;
    carom_contact_problem *problem = NULL;
    carom_model *model = NULL;
    assert_ok(carom_disc_pile_problem(&params, &problem, NULL));
    assert_ok(carom_disc_pile_alloc(&params, &model, NULL));
    const carom_mechanism *m = &model->mechanism;
    enum { DISCS = 10, CONTACTS = 22, SIZE = 3 * DISCS };
    ck_assert(m->coordinate_count == SIZE && m->contact_count == CONTACTS);
    double M[SIZE];
    double f[SIZE];
    double G[CONTACTS * SIZE];
    double H[CONTACTS * SIZE];
    m->mass(model->initial_position, M, m->context);
    m->force(0.0, model->initial_position, model->initial_velocity, f, m->context);
    carom_mechanism_constraint_jacobian(m, model->initial_position, G);
    carom_mechanism_tangential_jacobian(m, model->initial_position, H);
    for (int i = 0; i < CONTACTS; i++) {
        const double *const rows[2] = {G + SIZE * i, H + SIZE * i};
        for (int a = 0; a < 2; a++) {
            double inverse = 0.0;
            double fall = 0.0;
            for (int k = 0; k < SIZE; k++) {
                inverse += rows[a][k] * rows[a][k] / M[k];
                fall += rows[a][k] * f[k] / M[k] * params.step;
            }
            const double *W = problem->entries + problem->offset[problem->diagonal[i]];
            assert_close(inverse, W[3 * a], 1e-14, 0.0);
            assert_close(fall, problem->free_velocity[2 * i + a], 0.0, 1e-16);
        }
    }
    carom_model_free(model);
    carom_contact_problem_free(problem);
}
