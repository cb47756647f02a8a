/* The billiard break of seghete-2014 section VII-A. Expected values: the printed gaps and (31), the
 * geometry of circles, closed forms of the indeterminacy, and values of figure 5 computed by an
 * independent program. */
#include "impact_scene.h"

#include <carom/impact/impact_problem.h>
#include <carom/models/billiard_break.h>
#include <carom/models/internal.h>

#include "../failing_malloc.h"
#include "reflection.h"

#include <gsl/gsl_math.h>

enum {
    A = CAROM_BILLIARD_BREAK_A,
    B = CAROM_BILLIARD_BREAK_B,
    C = CAROM_BILLIARD_BREAK_C,
    CASES = 300
};

/* Uneven in everything. */
static carom_billiard_break_params uneven_params(void) {
    const carom_billiard_break_params params = {
        .radii = {0.713, 0.452, 0.931},
        .density = 2.385,
        .angle = 1.37,
        .speed = 1.93,
        .restitution = 0.63,
    };
    return params;
}

static carom_impact_scene *scene_of(const carom_billiard_break_params *params) {
    carom_impact_scene *scene = NULL;
    assert_ok(carom_billiard_break_alloc(params, &scene, NULL));
    return scene;
}

static carom_impact_problem *break_of(const carom_billiard_break_params *params) {
    carom_impact_scene *scene = scene_of(params);
    carom_impact_problem *problem = NULL;
    assert_ok(carom_impact_problem_of_scene(scene, &problem, NULL));
    ck_assert_int_eq(problem->contact_count, 2);
    carom_impact_scene_free(scene);
    return problem;
}

static carom_billiard_break_params draw(gsl_rng *generator) {
    carom_billiard_break_params params = {
        .radii = {uniform(generator, 0.2, 2.0), uniform(generator, 0.2, 2.0),
                  uniform(generator, 0.2, 2.0)},
        .density = exp(uniform(generator, -2.0, 2.0)),
        .speed = uniform(generator, 0.3, 3.0),
        .restitution = 1.0,
    };
    const double smallest = carom_billiard_break_smallest_angle(params.radii);
    params.angle = smallest + (M_PI - smallest) * uniform(generator, 0.0, 1.0);
    return params;
}

/* The gap as printed. */
static double printed_gap(const carom_billiard_break_params *params, const double *q, int ball) {
    return sqrt((q[2 * ball] - q[2 * C]) * (q[2 * ball] - q[2 * C]) +
                (q[2 * ball + 1] - q[2 * C + 1]) * (q[2 * ball + 1] - q[2 * C + 1])) -
           (params->radii[ball] + params->radii[C]);
}

/* The normal as printed: [x_c - x_a, y_c - y_a, 0, 0, x_a - x_c, y_a - y_c]/(r_a + r_c). */
static void printed_normal(const carom_billiard_break_params *params, const double *q, int ball,
                           double *normal) {
    const double reach = params->radii[ball] + params->radii[C];
    for (int k = 0; k < 6; k++) {
        normal[k] = 0.0;
    }
    for (int k = 0; k < 2; k++) {
        normal[2 * ball + k] = (q[2 * C + k] - q[2 * ball + k]) / reach;
        normal[2 * C + k] = (q[2 * ball + k] - q[2 * C + k]) / reach;
    }
}

/* xi = |p_ab - p_ba|/|p_0| by reflections; *most is the larger number of them. */
static double indeterminacy(const carom_billiard_break_params *params, int *most) {
    carom_impact_problem *problem = break_of(params);
    double v[2][6];
    *most = 0;
    for (int first = 0; first < 2; first++) {
        memcpy(v[first], problem->velocity, sizeof v[first]);
        const int count = reflect_in_turn(problem, first, v[first]);
        *most = count > *most ? count : *most;
        assert_close(energy_of(problem, v[first]), problem->kinetic_energy, 1e-12, 0.0);
    }
    double difference[6];
    for (int k = 0; k < 6; k++) {
        difference[k] = v[0][k] - v[1][k];
    }
    const double xi = sqrt(energy_of(problem, difference) / problem->kinetic_energy);
    carom_impact_problem_free(problem);
    return xi;
}

TEST(unit, the_default_break_has_the_smallest_angle_of_the_paper) {
    const carom_billiard_break_params params = carom_billiard_break_params_default();
    assert_close(carom_billiard_break_smallest_angle(params.radii), M_PI / 6.0, ROUNDING, 0.0);
    assert_close(params.radii[A], 1.0, 0.0, 0.0);
    assert_close(params.radii[B], 1.0, 0.0, 0.0);
    assert_close(params.density, 1.0, 0.0, 0.0);
    assert_close(params.angle, M_PI / 3.0, ROUNDING, 0.0);
    assert_close(params.speed, 1.0, 0.0, 0.0);
    assert_close(params.restitution, 1.0, 0.0, 0.0);
    /* Half a unit of the last decimals of the independent program. */
    assert_close(params.radii[C], 2.863703305156273, 0.0, 1e-14);
    const double m_a = carom_billiard_break_mass(&params, A);
    const double m_c = carom_billiard_break_mass(&params, C);
    assert_close(m_c / m_a, 23.48464839, 0.0, 5.1e-9);
    assert_close(m_a / (m_a + m_c), 0.04084191793, 0.0, 5.1e-12);
}

TEST(unit, the_scene_is_that_of_the_figure) {
    const carom_billiard_break_params params = uneven_params();
    carom_impact_scene *scene = scene_of(&params);
    const carom_mechanism *mechanism = carom_impact_scene_mechanism(scene);
    ck_assert_int_eq(mechanism->coordinate_count, 6);
    ck_assert_int_eq(mechanism->contact_count, 2);
    ck_assert(mechanism->friction == NULL);
    assert_close(mechanism->restitution[0], 0.63, 0.0, 0.0);
    assert_close(mechanism->restitution[1], 0.63, 0.0, 0.0);

    /* a - c and b - c: half of theta above and below the velocity of c, closed gaps. */
    const double *q = scene->position;
    const double reach[2] = {0.713 + 0.931, 0.452 + 0.931};
    for (int i = 0; i < 2; i++) {
        const double side = i == 0 ? 1.0 : -1.0;
        assert_close(q[2 * i], reach[i] * cos(0.685), 0.0, ROUNDING);
        assert_close(q[2 * i + 1], side * reach[i] * sin(0.685), 0.0, ROUNDING);
        assert_close(printed_gap(&params, q, i), 0.0, 0.0, ROUNDING);
        /* The normal points from the cue ball to the other, the place is on its edge. */
        const carom_planar_contact_place at = carom_planar_tree_contact_place(scene->tree, q, i);
        assert_close(at.normal[0], cos(0.685), ROUNDING, 0.0);
        assert_close(at.normal[1], side * sin(0.685), ROUNDING, 0.0);
        assert_close(hypot(at.point[0], at.point[1]), 0.931, ROUNDING, 0.0);
    }
    const double velocity[6] = {0.0, 0.0, 0.0, 0.0, 1.93, 0.0};
    assert_values(scene->velocity, velocity, 6, 0.0, 0.0);
    assert_close(q[2 * C], 0.0, 0.0, 0.0);
    assert_close(q[2 * C + 1], 0.0, 0.0, 0.0);

    /* Masses of spheres of one density, no forces. */
    double M[36];
    double f[6];
    mechanism->mass(q, M, mechanism->context);
    mechanism->force(0.0, q, velocity, f, mechanism->context);
    for (int i = 0; i < 6; i++) {
        const double expected = 4.0 * M_PI / 3.0 * 2.385 * params.radii[i / 2] *
                                params.radii[i / 2] * params.radii[i / 2];
        for (int j = 0; j < 6; j++) {
            assert_close(M[6 * i + j], i == j ? expected : 0.0, ROUNDING, 0.0);
        }
        assert_close(f[i], 0.0, 0.0, 0.0);
    }
    carom_impact_scene_free(scene);
}

/* The gaps as printed, differentiated numerically, give our rows; the printed rows are their
 * negatives, at which the incoming cue ball would be feasible. */
TEST(unit, the_printed_normals_have_the_opposite_sign) {
    const carom_billiard_break_params params = uneven_params();
    carom_impact_scene *scene = scene_of(&params);
    carom_impact_problem *problem = break_of(&params);
    const double step = 1e-5;
    for (int i = 0; i < 2; i++) {
        double printed[6];
        double differences[6];
        printed_normal(&params, scene->position, i, printed);
        double q[6];
        memcpy(q, scene->position, sizeof q);
        double rate = 0.0;
        for (int k = 0; k < 6; k++) {
            q[k] = scene->position[k] + step;
            const double above = printed_gap(&params, q, i);
            q[k] = scene->position[k] - step;
            const double below = printed_gap(&params, q, i);
            q[k] = scene->position[k];
            differences[k] = (above - below) / (2.0 * step);
            rate += printed[k] * scene->velocity[k];
            printed[k] = -printed[k];
        }
        /* Central differences: step^2 and rounding over the step. */
        assert_values(&problem->contact_jacobian[6 * i], differences, 6, 0.0, 1e-9);
        assert_values(&problem->contact_jacobian[6 * i], printed, 6, 0.0, ROUNDING);
        assert_close(problem->contact_velocity[i], -1.93 * cos(0.685), ROUNDING, 0.0);
        assert_close(rate, 1.93 * cos(0.685), ROUNDING, 0.0);
    }
    carom_impact_problem_free(problem);
    carom_impact_scene_free(scene);
}

TEST(unit, the_angle_of_touching_balls_is_that_of_their_triangle) {
    const double equal[3] = {0.37, 0.37, 0.37};
    assert_close(carom_billiard_break_smallest_angle(equal), M_PI / 3.0, ROUNDING, 0.0);
    /* Sides 3, 4, 5: r_a + r_c = 3, r_b + r_c = 4, r_a + r_b = 5. */
    const double right[3] = {2.0, 3.0, 1.0};
    assert_close(carom_billiard_break_smallest_angle(right), M_PI / 2.0, ROUNDING, 0.0);
    carom_billiard_break_params params = uneven_params();
    params.angle = carom_billiard_break_smallest_angle(params.radii);
    carom_impact_scene *scene = scene_of(&params);
    const double *q = scene->position;
    assert_close(hypot(q[0] - q[2], q[1] - q[3]), 0.713 + 0.452, ROUNDING, 0.0);
    carom_impact_scene_free(scene);
}

/* Degrees, and what an independent program got for the default radii, ten decimals. */
TEST(unit, reflections_give_the_values_of_figure_five) {
    const double values[11][2] = {
        {30.0, 0.0383609137},  {45.0, 0.0300587606},
        {60.0, 0.0200103442},  {75.0, 0.0095365098},
        {90.0, 0.0},           {105.0, 0.0073953866},
        {120.0, 0.0117913594}, {132.03607643, 0.0128799265},
        {150.0, 0.0106490008}, {170.0, 0.0040873756},
        {180.0, 0.0},
    };
    for (int i = 0; i < 11; i++) {
        carom_billiard_break_params params = carom_billiard_break_params_default();
        params.angle = values[i][0] * M_PI / 180.0;
        int most;
        assert_close(indeterminacy(&params, &most), values[i][1], 0.0, 5.1e-11);
        ck_assert_int_eq(most, i == 10 ? 0 : 2);
    }
}

/* c as in the header, and (31) of the normals as they are: cos(theta)/m_c, the negative of its
 * printed middle term. */
TEST(property, the_cosine_is_that_of_the_normals_in_the_kinetic_metric) {
    gsl_rng *generator = seeded_generator(31);
    for (int k = 0; k < CASES; k++) {
        const carom_billiard_break_params params = draw(generator);
        carom_impact_scene *scene = scene_of(&params);
        carom_impact_problem *problem = break_of(&params);
        const double m_c = carom_billiard_break_mass(&params, C);
        const double product = metric_of_normals(problem, A, B);
        assert_close(m_c * product, cos(params.angle), 0.0, ROUNDING);
        const double *q = scene->position;
        const double side_a = params.radii[A] + params.radii[C];
        const double side_b = params.radii[B] + params.radii[C];
        const double across = hypot(q[0] - q[2], q[1] - q[3]);
        const double printed =
            (across * across - side_a * side_a - side_b * side_b) / (2.0 * m_c * side_a * side_b);
        assert_close(m_c * printed, -m_c * product, 0.0, 10.0 * ROUNDING);
        assert_close(carom_billiard_break_cosine(&params), cosine_of_contacts(problem, A, B), 0.0,
                     ROUNDING);
        carom_impact_problem_free(problem);
        carom_impact_scene_free(scene);
    }
    gsl_rng_free(generator);
}

TEST(property, contacts_are_closed_and_the_hit_balls_apart_at_every_angle) {
    gsl_rng *generator = seeded_generator(32);
    for (int k = 0; k < CASES; k++) {
        const carom_billiard_break_params params = draw(generator);
        carom_impact_scene *scene = scene_of(&params);
        const carom_mechanism *mechanism = carom_impact_scene_mechanism(scene);
        double gaps[2] = {(double)NAN, (double)NAN};
        mechanism->constraints(scene->position, gaps, mechanism->context);
        assert_close(gaps[0], 0.0, 0.0, ROUNDING);
        assert_close(gaps[1], 0.0, 0.0, ROUNDING);
        const double *q = scene->position;
        const double apart = hypot(q[0] - q[2], q[1] - q[3]) - params.radii[A] - params.radii[B];
        ck_assert(apart > -ROUNDING);
        /* The law of cosines from the outside: theta is the angle at c. */
        const double dot = q[0] * q[2] + q[1] * q[3];
        assert_close(dot / (hypot(q[0], q[1]) * hypot(q[2], q[3])), cos(params.angle), 0.0,
                     ROUNDING);
        carom_impact_scene_free(scene);
    }
    gsl_rng_free(generator);
}

/* Lemma 7 needs orthogonal normals, whatever the masses and radii. */
TEST(property, at_a_right_angle_the_outcome_is_unique_for_any_balls) {
    gsl_rng *generator = seeded_generator(33);
    int tried = 0;
    for (int k = 0; k < CASES; k++) {
        carom_billiard_break_params params = draw(generator);
        if (carom_billiard_break_smallest_angle(params.radii) > M_PI / 2.0) {
            continue;
        }
        params.angle = M_PI / 2.0;
        int most;
        assert_close(carom_billiard_break_cosine(&params), 0.0, 0.0, 1e-15);
        assert_close(indeterminacy(&params, &most), 0.0, 0.0, ROUNDING);
        ck_assert_int_eq(most, 2);
        tried++;
    }
    ck_assert_int_gt(tried, CASES / 2);
    gsl_rng_free(generator);
}

/* Impulses are along the lines of centres: angular momentum about any point stays as well. */
TEST(property, one_reflection_keeps_energy_and_both_momenta) {
    gsl_rng *generator = seeded_generator(34);
    for (int k = 0; k < CASES; k++) {
        const carom_billiard_break_params params = draw(generator);
        carom_impact_scene *scene = scene_of(&params);
        carom_impact_problem *problem = break_of(&params);
        for (int i = 0; i < 2; i++) {
            double v[6];
            memcpy(v, scene->velocity, sizeof v);
            reflect(problem, i, v);
            double change[3] = {0.0, 0.0, 0.0};
            for (int ball = 0; ball < 3; ball++) {
                const double m = carom_billiard_break_mass(&params, ball) /
                                 carom_billiard_break_mass(&params, C) / params.speed;
                const double *q = &scene->position[2 * ball];
                const double jump[2] = {v[2 * ball] - scene->velocity[2 * ball],
                                        v[2 * ball + 1] - scene->velocity[2 * ball + 1]};
                change[0] += m * jump[0];
                change[1] += m * jump[1];
                change[2] += m * (q[0] * jump[1] - q[1] * jump[0]);
            }
            for (int j = 0; j < 3; j++) {
                assert_close(change[j], 0.0, 0.0, ROUNDING);
            }
            assert_close(energy_of(problem, v), problem->kinetic_energy, ROUNDING, 0.0);
            /* The other ball rests, the hit one runs away along the normal. */
            const int other = 1 - i;
            assert_close(hypot(v[2 * other], v[2 * other + 1]), 0.0, 0.0, 0.0);
            assert_close(gap_rate(problem, i, v), params.speed * cos(0.5 * params.angle), ROUNDING,
                         ROUNDING);
        }
        carom_impact_problem_free(problem);
        carom_impact_scene_free(scene);
    }
    gsl_rng_free(generator);
}

/* Two reflections, r_a = r_b: xi = 4 sqrt 2 mu^(3/2) |cos theta| cos(theta/2) sqrt(1 - mu cos
 * theta). Angles by a sweep from end to end. */
TEST(property, the_indeterminacy_follows_its_closed_form_over_all_angles) {
    carom_billiard_break_params params = carom_billiard_break_params_default();
    const double smallest = carom_billiard_break_smallest_angle(params.radii);
    const double mu = 0.04084191793;
    for (int i = 0; i <= 2000; i++) {
        params.angle = smallest + (M_PI - smallest) * i / 2000.0;
        const double c = cos(params.angle);
        const double expected =
            4.0 * M_SQRT2 * mu * sqrt(mu) * fabs(c) * cos(0.5 * params.angle) * sqrt(1.0 - mu * c);
        int most;
        /* The digits of mu, then rounding of the reflections. */
        assert_close(indeterminacy(&params, &most), expected, 3e-10, 1e-12);
    }
}

TEST(property, the_indeterminacy_depends_on_neither_scale_nor_density_nor_speed) {
    const carom_billiard_break_params params = uneven_params();
    carom_billiard_break_params other = params;
    for (int i = 0; i < 3; i++) {
        other.radii[i] *= 0.0317;
    }
    other.density = 1731.0;
    other.speed = 7.9;
    int most;
    const double xi = indeterminacy(&params, &most);
    ck_assert(xi > 0.01);
    assert_close(indeterminacy(&other, &most), xi, 1e-12, 0.0);
}

TEST(property, derivatives_agree_with_finite_differences) {
    const carom_billiard_break_params params = uneven_params();
    carom_impact_scene *scene = scene_of(&params);
    assert_sound(scene, 0.05);
    carom_impact_scene_free(scene);
}

static void assert_refused(carom_billiard_break_params params, carom_status expected,
                           const char *quantity, int index) {
    carom_report report = carom_report_empty();
    carom_impact_scene *scene = (carom_impact_scene *)&report;
    ck_assert_int_eq(carom_billiard_break_alloc(&params, &scene, &report), expected);
    ck_assert_ptr_null(scene);
    ck_assert_str_eq(report.quantity, quantity);
    ck_assert_int_eq(report.index, index);
    scene = (carom_impact_scene *)&report;
    ck_assert_int_eq(carom_billiard_break_alloc(&params, &scene, NULL), expected);
    ck_assert_ptr_null(scene);
}

TEST(errors, what_is_no_break_is_refused) {
    const carom_billiard_break_params good = uneven_params();
    for (int i = 0; i < 3; i++) {
        carom_billiard_break_params bad = good;
        bad.radii[i] = 0.0;
        assert_refused(bad, CAROM_STATUS_OUT_OF_RANGE, "radius", i);
        bad.radii[i] = -0.3;
        assert_refused(bad, CAROM_STATUS_OUT_OF_RANGE, "radius", i);
        bad.radii[i] = (double)NAN;
        assert_refused(bad, CAROM_STATUS_NOT_FINITE, "radius", i);
        /* Volumes beyond the numbers. */
        bad.radii[i] = 1e120;
        assert_refused(bad, CAROM_STATUS_NOT_FINITE, "mass", i);
        bad.radii[i] = 1e-120;
        assert_refused(bad, CAROM_STATUS_OUT_OF_RANGE, "mass", i);
    }
    carom_billiard_break_params bad = good;
    bad.density = 0.0;
    assert_refused(bad, CAROM_STATUS_OUT_OF_RANGE, "density", -1);
    bad.density = (double)INFINITY;
    assert_refused(bad, CAROM_STATUS_NOT_FINITE, "density", -1);
    bad = good;
    bad.speed = 0.0;
    assert_refused(bad, CAROM_STATUS_OUT_OF_RANGE, "speed", -1);
    bad.speed = (double)NAN;
    assert_refused(bad, CAROM_STATUS_NOT_FINITE, "speed", -1);
    bad = good;
    bad.restitution = 1.01;
    assert_refused(bad, CAROM_STATUS_OUT_OF_RANGE, "restitution", -1);
    bad.restitution = -0.01;
    assert_refused(bad, CAROM_STATUS_OUT_OF_RANGE, "restitution", -1);
}

TEST(errors, an_angle_of_overlapping_balls_or_beyond_the_straight_line_is_refused) {
    carom_billiard_break_params params = uneven_params();
    const double smallest = carom_billiard_break_smallest_angle(params.radii);
    params.angle = smallest - 1e-9;
    assert_refused(params, CAROM_STATUS_OUT_OF_RANGE, "angle", -1);
    params.angle = M_PI + 1e-9;
    assert_refused(params, CAROM_STATUS_OUT_OF_RANGE, "angle", -1);
    params.angle = (double)NAN;
    assert_refused(params, CAROM_STATUS_NOT_FINITE, "angle", -1);
    /* Both ends belong to the range, and so does their rounding. */
    const double ends[4] = {smallest, smallest - 1e-15, M_PI, M_PI + 1e-15};
    for (int i = 0; i < 4; i++) {
        params.angle = ends[i];
        carom_impact_scene_free(scene_of(&params));
    }
}

TEST(errors, whichever_allocation_fails_no_scene_is_made) {
    const carom_billiard_break_params params = uneven_params();
    int granted = 0;
    for (carom_status status = CAROM_STATUS_OUT_OF_MEMORY; status != CAROM_OK; granted++) {
        carom_impact_scene *scene = NULL;
        successes_left = granted;
        status = carom_billiard_break_alloc(&params, &scene, NULL);
        successes_left = -1;
        ck_assert(status == CAROM_OK || status == CAROM_STATUS_OUT_OF_MEMORY);
        ck_assert_int_eq(scene != NULL, status == CAROM_OK);
        carom_impact_scene_free(scene);
    }
    /* At least the scene, its tree and its two states, then success. */
    ck_assert_int_ge(granted, 5);
}
