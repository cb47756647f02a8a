/* The disc pyramid of halm-2023 section 5.4.5, printed and as programmed. Expected values: table 8
 * and section 3.5 of the specification, and kinematics of circles. */
#include "impact_scene.h"

#include <carom/models/disk_stack.h>

#include <gsl/gsl_math.h>

enum { A, B, C, D, E };

static carom_impact_scene *scene_of(const carom_disk_stack_params *params) {
    carom_impact_scene *scene = NULL;
    assert_ok(carom_disk_stack_alloc(params, &scene, NULL));
    return scene;
}

/* The problem of a variant: of `code` with its tangential rows. */
static carom_impact_problem *variant_problem(const carom_disk_stack_params *params) {
    carom_impact_scene *scene = scene_of(params);
    carom_impact_problem *problem = problem_of(scene);
    if (params->variant == CAROM_DISK_STACK_CODE) {
        const int n = problem->coordinate_count;
        const int m = problem->contact_count;
        double *J_n = problem->contact_jacobian;
        double *J_t = J_n + m * n;
        carom_disk_stack_code_tangents(scene, J_n, J_t);
        carom_impact_problem *changed = NULL;
        assert_ok(carom_impact_problem_alloc(n, m, 1, problem->mass, J_n, J_t, problem->friction,
                                             problem->velocity, &changed, NULL));
        carom_impact_problem_free(problem);
        problem = changed;
    }
    carom_impact_scene_free(scene);
    return problem;
}

/* Relative velocity of the touching points of two bodies, (second - first) along d: a row. */
static void fill_row(double *row, int first, int second, const double *d, const double *normal,
                     double radius) {
    memset(row, 0, 9 * sizeof(double));
    const int bodies[2] = {first, second};
    for (int k = 0; k < 2; k++) {
        if (bodies[k] < 0) {
            continue;
        }
        const double sign = k == 0 ? -1.0 : 1.0;
        /* From the centre to the point: +R n on the first, -R n on the second body. */
        const double arm[2] = {-sign * radius * normal[0], -sign * radius * normal[1]};
        row[3 * bodies[k]] = sign * d[0];
        row[3 * bodies[k] + 1] = sign * d[1];
        row[3 * bodies[k] + 2] = sign * (-arm[1] * d[0] + arm[0] * d[1]);
    }
}

TEST(unit, default_stack_has_the_state_of_the_specification) {
    const carom_disk_stack_params params = carom_disk_stack_params_default();
    carom_impact_scene *scene = scene_of(&params);
    const double position[9] = {1, 1 + sqrt(3.0), 0, 0, 1, 0, 2, 1, 0};
    const double velocity[9] = {0, -1, 0, 0, 0, 0, 0, 0, 0};
    assert_values(scene->position, position, 9, 0.0, ROUNDING);
    assert_values(scene->velocity, velocity, 9, 0.0, 0.0);
    carom_impact_problem *problem = problem_of(scene);
    const double speeds[5] = {0.0, 0.0, -0.8660254, -0.8660254, 0.0};
    assert_values(problem->contact_velocity, speeds, 5, 0.0, 5.1e-8);
    assert_close(problem->mass[0], 1.0, 0.0, 0.0);
    assert_close(problem->mass[2 * 9 + 2], 0.5, 0.0, 0.0);
    assert_close(problem->kinetic_energy, 0.5, ROUNDING, 0.0);
    assert_close(problem->friction[E], sqrt(3.0), ROUNDING, 0.0);
    carom_impact_problem_free(problem);
    carom_impact_scene_free(scene);
}

/* All rows written out from the circles: normals 60 deg from the floor between rows. */
TEST(unit, rows_of_both_variants_are_those_of_rolling_circles) {
    const double half = 0.5;
    const double high = 0.5 * sqrt(3.0);
    const int bodies[5][2] = {{-1, 1}, {-1, 2}, {0, 1}, {0, 2}, {1, 2}};
    const double normals[5][2] = {{0, 1}, {0, 1}, {-half, -high}, {half, -high}, {1, 0}};
    for (int variant = 0; variant < 2; variant++) {
        carom_disk_stack_params params = carom_disk_stack_params_default();
        params.variant = variant == 0 ? CAROM_DISK_STACK_PRINTED : CAROM_DISK_STACK_CODE;
        params.radius = 0.713;
        carom_impact_problem *problem = variant_problem(&params);
        ck_assert_int_eq(problem->coordinate_count, 9);
        ck_assert_int_eq(problem->contact_count, 5);
        for (int i = 0; i < 5; i++) {
            const double *n = normals[i];
            const double tangent[2] = {n[1], variant == 0 ? -n[0] : n[0]};
            double normal_row[9];
            double tangential_row[9];
            fill_row(normal_row, bodies[i][0], bodies[i][1], n, n, params.radius);
            fill_row(tangential_row, bodies[i][0], bodies[i][1], tangent, n, params.radius);
            assert_values(&problem->contact_jacobian[9 * i], normal_row, 9, 0.0, ROUNDING);
            assert_values(&problem->contact_jacobian[9 * (5 + i)], tangential_row, 9, 0.0,
                          ROUNDING);
        }
        assert_close(problem->mass[0], variant == 0 ? 1.0 : 5.0, 0.0, 0.0);
        assert_close(problem->mass[20], (variant == 0 ? 0.5 : 2.5) * 0.713 * 0.713, ROUNDING, 0.0);
        carom_impact_problem_free(problem);
    }
}

TEST(unit, rest_is_the_only_simultaneous_outcome_of_both_variants) {
    for (int variant = 0; variant < 2; variant++) {
        carom_disk_stack_params params = carom_disk_stack_params_default();
        params.variant = variant == 0 ? CAROM_DISK_STACK_PRINTED : CAROM_DISK_STACK_CODE;
        carom_impact_problem *problem = variant_problem(&params);
        carom_impact_outcomes *outcomes = outcomes_of(problem);
        const double rest[10] = {0};
        ck_assert_int_eq(outcomes->count, 1);
        ck_assert_int_eq(find_outcome(outcomes, rest, 1e-10), 0);
        carom_impact_outcomes_free(outcomes);
        carom_impact_problem_free(problem);
    }
}

/* The line from the floor's to the upper contact of a lower disc makes 15 deg with both normals. */
TEST(unit, rest_needs_friction_of_the_tangent_of_fifteen_degrees) {
    carom_disk_stack_params params = carom_disk_stack_params_default();
    const double threshold = tan(15.0 * (M_PI / 180.0));
    assert_close(threshold, 0.267949, 0.0, 5.1e-7);
    params.friction = threshold + 1e-6;
    ck_assert(may_rest(scene_of(&params)));
    params.friction = threshold - 1e-6;
    ck_assert(!may_rest(scene_of(&params)));
}

/* Every pair of discs: they touch exactly if they are a contact, and contacts are closed. */
TEST(property, pyramid_of_any_height_has_every_contact_once_and_in_order) {
    for (int levels = 2; levels <= 7; levels++) {
        carom_disk_stack_params params = carom_disk_stack_params_default();
        params.levels = levels;
        params.radius = 0.31;
        carom_impact_scene *scene = scene_of(&params);
        const carom_mechanism *mechanism = carom_impact_scene_mechanism(scene);
        const int disks = carom_disk_stack_disk_count(levels);
        const int contacts = carom_disk_stack_contact_count(levels);
        ck_assert_int_eq(carom_planar_tree_body_count(scene->tree), disks);
        ck_assert_int_eq(mechanism->contact_count, contacts);
        double *gaps = calloc((size_t)contacts, sizeof(double));
        ck_assert_ptr_nonnull(gaps);
        mechanism->constraints(scene->position, gaps, mechanism->context);
        int touching = 0;
        for (int i = 0; i < disks; i++) {
            const double *p = &scene->position[3 * i];
            touching += p[1] < 0.31 * (1.0 + 1e-12) ? 1 : 0;
            for (int j = i + 1; j < disks; j++) {
                const double *other = &scene->position[3 * j];
                const double distance = hypot(other[0] - p[0], other[1] - p[1]);
                ck_assert(distance > 0.62 * (1.0 - 1e-12));
                touching += distance < 0.62 * (1.0 + 1e-12) ? 1 : 0;
            }
        }
        ck_assert_int_eq(touching, contacts);

        /* Kinds in their order, each group from left to right in its row. */
        int group = 0;
        for (int i = 0; i < contacts; i++) {
            const carom_planar_contact *contact = carom_planar_tree_contact(scene->tree, i);
            const carom_planar_contact_place at =
                carom_planar_tree_contact_place(scene->tree, scene->position, i);
            assert_close(gaps[i], 0.0, 0.0, ROUNDING);
            const int kind = contact->kind == CAROM_PLANAR_DISC_WALL ? 0
                             : fabs(at.normal[1]) > 0.1              ? 1
                                                                     : 2;
            ck_assert_int_ge(kind, group);
            group = kind;
            if (kind == 0) {
                assert_close(at.point[0], 0.62 * i, 0.0, ROUNDING);
            } else {
                ck_assert_int_lt(contact->body, contact->other_body);
            }
        }
        free(gaps);
        carom_impact_scene_free(scene);
    }
}

TEST(unit, mass_of_the_code_is_in_proportion_to_the_number_of_contacts) {
    carom_disk_stack_params params = carom_disk_stack_params_default();
    params.variant = CAROM_DISK_STACK_CODE;
    params.levels = 3;
    params.mass = 1e-9;
    carom_impact_scene *scene = scene_of(&params);
    ck_assert_int_eq(carom_disk_stack_contact_count(3), 12);
    for (int i = 0; i < 6; i++) {
        assert_close(carom_planar_tree_body(scene->tree, i)->shape.mass, 12.0 * 1e-9, 0.0, 0.0);
    }
    carom_impact_scene_free(scene);
}

TEST(property, derivatives_agree_with_finite_differences) {
    carom_disk_stack_params params = carom_disk_stack_params_default();
    params.levels = 3;
    params.radius = 0.713;
    carom_impact_scene *scene = scene_of(&params);
    assert_sound(scene, 0.05);
    carom_impact_scene_free(scene);
}

static void assert_refused(carom_disk_stack_params params, carom_status expected,
                           const char *quantity) {
    carom_report report = carom_report_empty();
    carom_impact_scene *scene = (carom_impact_scene *)&report;
    ck_assert_int_eq(carom_disk_stack_alloc(&params, &scene, &report), expected);
    ck_assert_ptr_null(scene);
    ck_assert_str_eq(report.quantity, quantity);
}

TEST(errors, what_is_no_pyramid_is_refused) {
    const carom_disk_stack_params good = carom_disk_stack_params_default();
    carom_disk_stack_params bad = good;
    bad.variant = (carom_disk_stack_variant)7;
    assert_refused(bad, CAROM_STATUS_OUT_OF_RANGE, "variant");
    bad = good;
    bad.levels = 1;
    assert_refused(bad, CAROM_STATUS_OUT_OF_RANGE, "levels");
    bad.levels = CAROM_DISK_STACK_MOST_LEVELS + 1;
    assert_refused(bad, CAROM_STATUS_OUT_OF_RANGE, "levels");
    bad = good;
    bad.radius = 0.0;
    assert_refused(bad, CAROM_STATUS_OUT_OF_RANGE, "radius");
    bad = good;
    bad.mass = 0.0;
    assert_refused(bad, CAROM_STATUS_OUT_OF_RANGE, "mass");
    bad = good;
    bad.friction = NAN;
    assert_refused(bad, CAROM_STATUS_NOT_FINITE, "friction");
    bad = good;
    bad.initial_velocity = INFINITY;
    assert_refused(bad, CAROM_STATUS_NOT_FINITE, "initial velocity");
    bad = good;
    bad.gravity = NAN;
    assert_refused(bad, CAROM_STATUS_NOT_FINITE, "gravity");
}
