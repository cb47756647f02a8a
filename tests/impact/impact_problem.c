/* The problem of an impact: derived quantities by elimination, refusals, mechanisms. */
#include "published_systems.h"
#include "random_impacts.h"

#include "../failing_malloc.h"

#include <carom/impact/impact_problem.h>

enum { PROBLEMS = 300 };

/* Own elimination instead of a Cholesky factor; digits lost by M with condition numbers of 1e2. */
TEST(property, derived_quantities_are_those_of_elimination) {
    const unsigned long seed = 31;
    gsl_rng *generator = seeded_generator(seed);
    for (int k = 0; k < PROBLEMS; k++) {
        plain_impact plain;
        random_plain(generator, (random_kind)(k % RANDOM_KINDS), 1 + k % 4, &plain);
        carom_impact_problem *problem = problem_of_plain(&plain);
        const int n = plain.n;
        const int m = plain.m;
        const int r = 2 * m;
        ck_assert(problem->coordinate_count == n && problem->contact_count == m &&
                  problem->tangent_count == 1 && problem->row_count == r);
        double energy = 0.0;
        for (int i = 0; i < n; i++) {
            assert_close(problem->velocity[i], plain.v[i], 0.0, 0.0);
            for (int j = 0; j < n; j++) {
                double product = 0.0;
                for (int l = 0; l <= (i < j ? i : j); l++) {
                    product += problem->mass_factor[i * n + l] * problem->mass_factor[j * n + l];
                }
                assert_close(problem->mass[i * n + j], plain.M[i * n + j], 0.0, 0.0);
                assert_close(product, plain.M[i * n + j], 0.0, 1e-13);
                energy += 0.5 * plain.v[i] * plain.M[i * n + j] * plain.v[j];
            }
            for (int a = 0; a < r; a++) { /* M (M^-1 J') = J' */
                double product = 0.0;
                for (int j = 0; j < n; j++) {
                    product += plain.M[i * n + j] * problem->impulse_response[j * r + a];
                }
                assert_close(product, plain.J[a * n + i], 0.0, 1e-12);
            }
        }
        for (int a = 0; a < r; a++) {
            assert_close(problem->contact_velocity[a], plain.c[a], 0.0, 1e-14);
            for (int b = 0; b < r; b++) {
                assert_close(problem->delassus_matrix[a * r + b], plain.C[a * r + b], 0.0, 1e-11);
                assert_close(problem->delassus_matrix[a * r + b],
                             problem->delassus_matrix[b * r + a], 0.0, 0.0);
            }
        }
        for (int i = 0; i < m; i++) {
            assert_close(problem->friction[i], plain.mu[i], 0.0, 0.0);
        }
        assert_close(problem->kinetic_energy, energy, 1e-13, 0.0);
        carom_impact_problem_free(problem);
    }
    gsl_rng_free(generator);
}

/* L'(c- + c+)/2 is the difference of v' M v / 2 for any impulse. */
TEST(property, impulses_change_velocity_and_energy_consistently) {
    const unsigned long seed = 32;
    gsl_rng *generator = seeded_generator(seed);
    for (int k = 0; k < PROBLEMS; k++) {
        plain_impact plain;
        double L[MOST_ROWS];
        double c[MOST_ROWS];
        double v[MOST_COORDINATES];
        random_plain(generator, (random_kind)(k % RANDOM_KINDS), 1 + k % 3, &plain);
        carom_impact_problem *problem = problem_of_plain(&plain);
        const int r = 2 * plain.m;
        for (int a = 0; a < r; a++) {
            L[a] = uniform(generator, -1.0, 1.0);
        }
        double expected[MOST_ROWS];
        after_impulse(&plain, plain.c, L, expected);
        carom_impact_add_impulse(problem, L, problem->contact_velocity, c);
        carom_impact_velocity(problem, L, v);
        for (int a = 0; a < r; a++) {
            double speed = 0.0;
            for (int i = 0; i < plain.n; i++) {
                speed += plain.J[a * plain.n + i] * v[i];
            }
            assert_close(c[a], expected[a], 0.0, 1e-11);
            assert_close(speed, expected[a], 0.0, 1e-11);
        }
        const double change = carom_impact_energy_change(problem, L, problem->contact_velocity, c);
        assert_close(carom_impact_kinetic_energy(problem, v) - problem->kinetic_energy, change, 0.0,
                     1e-11);
        memcpy(c, problem->contact_velocity, sizeof(double) * (size_t)r);
        carom_impact_add_impulse(problem, L, c, c); /* in place */
        for (int a = 0; a < r; a++) {
            assert_close(c[a], expected[a], 0.0, 1e-11);
        }
        carom_impact_problem_free(problem);
    }
    gsl_rng_free(generator);
}

TEST(unit, collision_is_a_normal_speed_below_the_limit) {
    carom_impact_problem *problem = problem_of_system(BLOCK);
    double c[4] = {0.0, 0.0, -1.0, -2.0};
    ck_assert(!carom_impact_is_colliding(problem, c));
    // 1e-8 of sqrt(2 T C_ii) = v0 sqrt(m C_ii), m C_ii = 1 + 0.25 (12/5) for a corner.
    const double scale = sqrt(2.0 * 9.81 * 0.01) * sqrt(1.6);
    assert_close(carom_impact_colliding_speed(problem, 1), 1e-8 * scale, 1e-13, 0.0);
    c[1] = -0.99e-8 * scale;
    ck_assert(!carom_impact_is_colliding(problem, c));
    c[1] = -1.01e-8 * scale;
    ck_assert(carom_impact_is_colliding(problem, c));
    c[1] = 3.0;
    c[0] = -0.1;
    ck_assert(carom_impact_is_colliding(problem, c));
    carom_impact_problem_free(problem);
}

TEST(unit, another_velocity_replaces_all_that_depends_on_it) {
    plain_impact plain;
    plain_system(BOX, &plain);
    carom_impact_problem *problem = problem_of_plain(&plain);
    const double v[3] = {0.37, -0.81, 1.93};
    memcpy(plain.v, v, sizeof(v));
    complete(&plain);
    assert_ok(carom_impact_problem_set_velocity(problem, v));
    for (int a = 0; a < 4; a++) {
        assert_close(problem->contact_velocity[a], plain.c[a], 0.0, 1e-14);
    }
    assert_close(problem->kinetic_energy, 0.5 * (0.37 * 0.37 + 0.81 * 0.81) + 1.93 * 1.93 / 12.0,
                 1e-9, 0.0);
    const double bad[3] = {0.1, (double)NAN, 0.0};
    assert_status(carom_impact_problem_set_velocity(problem, bad), NOT_FINITE);
    for (int i = 0; i < 3; i++) {
        assert_close(problem->velocity[i], v[i], 0.0, 0.0);
    }
    carom_impact_problem_free(problem);
}

/* A block above the floor by less and by more than the tolerance: tilted, one corner touches. */
TEST(unit, contacts_that_do_not_touch_are_left_out) {
    carom_rigid_block_params params = carom_rigid_block_params_default();
    params.tilt = 1e-3;
    carom_impact_scene *scene = NULL;
    assert_ok(carom_rigid_block_alloc(&params, &scene, NULL));
    const carom_mechanism *mechanism = carom_impact_scene_mechanism(scene);
    const double touching[2] = {1e-9, 2e-3};
    for (int k = 0; k < 2; k++) {
        int contacts[2] = {-7, -7};
        carom_impact_problem *problem = NULL;
        assert_ok(carom_impact_problem_of_mechanism(mechanism, scene->position, scene->velocity,
                                                    touching[k], contacts, &problem, NULL));
        ck_assert_int_eq(problem->contact_count, 1 + k);
        for (int i = 0; i <= k; i++) {
            ck_assert_int_eq(contacts[i], i);
        }
        /* A has its arm (-1/2, -1), turned by the tilt, and the tangent +x. */
        assert_close(problem->contact_jacobian[2], -0.5 * cos(1e-3) + sin(1e-3), 0.0, 1e-12);
        assert_close(problem->contact_jacobian[3 * (1 + k)], 1.0, 0.0, 1e-12);
        carom_impact_problem_free(problem);
    }
    double above[3];
    memcpy(above, scene->position, sizeof(above));
    above[1] += 0.1;
    carom_impact_problem *problem = NULL;
    carom_report report = carom_report_empty();
    assert_status(carom_impact_problem_of_mechanism(mechanism, above, scene->velocity, 1e-3, NULL,
                                                    &problem, &report),
                  OUT_OF_RANGE);
    ck_assert_ptr_null(problem);
    ck_assert_ptr_nonnull(report.quantity);
    carom_impact_scene_free(scene);
}

/* Which contact is left is told: disks raised on the left leave B on the floor, D and so on. */
TEST(unit, touching_contacts_keep_their_index) {
    carom_impact_scene *scene = scene_of_system(DISKS_PRINTED);
    carom_impact_problem *problem = NULL;
    int contacts[5] = {-7, -7, -7, -7, -7};
    double q[9];
    memcpy(q, scene->position, sizeof(q));
    q[4] += 0.5; /* disk 1: opens A, brings C and E into each other */
    q[3] -= 1.5;
    assert_ok(carom_impact_problem_of_mechanism(carom_impact_scene_mechanism(scene), q,
                                                scene->velocity, 1e-9, contacts, &problem, NULL));
    ck_assert_int_eq(problem->contact_count, 2);
    ck_assert(contacts[0] == 1 && contacts[1] == 3);
    assert_close(problem->friction[1], sqrt(3.0), 1e-15, 0.0);
    assert_close(problem->contact_velocity[0], 0.0, 0.0, 1e-14);
    assert_close(problem->contact_velocity[1], -0.5 * sqrt(3.0), 1e-12, 0.0);
    carom_impact_problem_free(problem);
    carom_impact_scene_free(scene);
}

/* ----------------------------------------------------------------------------------------- errors
 */

typedef struct arguments {
    int n;
    int m;
    int t;
    double M[4];
    double J_n[4];
    double J_t[4];
    double mu[2];
    double v[2];
} arguments;

static const arguments GOOD = {2,          2,       1, {2, 0.5, 0.5, 1}, {0, 1, 1, 0}, {1, 0, 0, 1},
                               {0.3, 0.7}, {-1, -2}};

static carom_status attempt(const arguments *a, carom_report *report) {
    carom_impact_problem *problem = NULL;
    const carom_status status = carom_impact_problem_alloc(a->n, a->m, a->t, a->M, a->J_n, a->J_t,
                                                           a->mu, a->v, &problem, report);
    ck_assert((status == CAROM_OK) == (problem != NULL));
    carom_impact_problem_free(problem);
    return status;
}

TEST(errors, sizes_out_of_range_are_refused) {
    ck_assert_int_eq(attempt(&GOOD, NULL), CAROM_OK);
    const int bad[6][3] = {{0, 2, 1}, {-1, 2, 1}, {2, 0, 1}, {2, -2, 1}, {2, 2, 0}, {2, 2, 3}};
    for (int k = 0; k < 6; k++) {
        arguments a = GOOD;
        carom_report report = carom_report_empty();
        a.n = bad[k][0];
        a.m = bad[k][1];
        a.t = bad[k][2];
        ck_assert_int_eq(attempt(&a, &report), CAROM_STATUS_OUT_OF_RANGE);
        ck_assert_ptr_nonnull(report.quantity);
    }
}

TEST(errors, values_that_are_not_finite_are_refused_with_their_place) {
    const double bad[2] = {(double)NAN, (double)INFINITY};
    for (int k = 0; k < 20; k++) {
        arguments a = GOOD;
        double *const arrays[5] = {a.M, a.J_n, a.J_t, a.mu, a.v};
        const int group = k % 5;
        const int place = k / 5 % (group < 3 ? 4 : 2);
        carom_report report = carom_report_empty();
        arrays[group][place] = bad[k % 2];
        ck_assert_int_eq(attempt(&a, &report), CAROM_STATUS_NOT_FINITE);
        ck_assert_ptr_nonnull(report.quantity);
        ck_assert_int_eq(report.index, place);
    }
}

TEST(errors, what_follows_from_finite_numbers_must_be_finite) {
    const struct {
        double M;
        double J;
        double v;
        const char *quantity;
    } rows[] = {{1e-300, 1e200, -1.0, "Delassus matrix"},
                {1e-300, 1e10, -1.0, "Delassus matrix"},
                {1e300, 1e150, -1e200, "speed of a contact"},
                {1.0, 1.0, -1e155, "kinetic energy"}};
    const double none = 0.0;
    for (int k = 0; k < 4; k++) {
        carom_impact_problem *problem = NULL;
        carom_report report = carom_report_empty();
        assert_status(carom_impact_problem_alloc(1, 1, 1, &rows[k].M, &rows[k].J, &none, &none,
                                                 &rows[k].v, &problem, &report),
                      NOT_FINITE);
        ck_assert_ptr_null(problem);
        ck_assert_str_eq(report.quantity, rows[k].quantity);
    }
}

TEST(errors, rows_whose_inverse_masses_underflow_are_refused) {
    const double masses[] = {1.0, 0.0, 0.0, 1.0};
    const double v[] = {-1.0, 0.5};
    const double mu[] = {0.0, 0.0};
    const double tangents[] = {0.0, 0.0, 0.0, 0.0};
    const double sizes[] = {0.0, 1e-150, 1e-170};
    for (int k = 0; k < 3; k++) {
        const double normals[] = {0.0, 1.0, sizes[k], 0.0};
        carom_impact_problem *problem = NULL;
        carom_report report = carom_report_empty();
        const carom_status status = carom_impact_problem_alloc(2, 2, 1, masses, normals, tangents,
                                                               mu, v, &problem, &report);
        ck_assert_int_eq(status, k < 2 ? CAROM_OK : CAROM_STATUS_OUT_OF_RANGE);
        ck_assert(k < 2 || strcmp(report.quantity, "inverse mass that a contact feels") == 0);
        carom_impact_problem_free(problem);
    }
}

TEST(errors, a_velocity_whose_energy_underflows_is_refused) {
    const double one = 1.0;
    const double none = 0.0;
    const double speeds[] = {0.0, -1e-140, -1e-147, 1e-300};
    for (int k = 0; k < 4; k++) {
        carom_impact_problem *problem = NULL;
        carom_report report = carom_report_empty();
        const carom_status status = carom_impact_problem_alloc(1, 1, 1, &one, &one, &none, &none,
                                                               &speeds[k], &problem, &report);
        ck_assert_int_eq(status, k < 2 ? CAROM_OK : CAROM_STATUS_OUT_OF_RANGE);
        ck_assert(k < 2 || strcmp(report.quantity, "kinetic energy") == 0);
        carom_impact_problem_free(problem);
    }
}

TEST(errors, masses_whose_products_are_no_numbers_are_refused) {
    const double masses[] = {1e-300, 1e-200, 1e200, 1e300};
    const double one = 1.0;
    const double none = 0.0;
    const double v = -2.385;
    for (int k = 0; k < 4; k++) {
        carom_impact_problem *problem = NULL;
        carom_report report = carom_report_empty();
        assert_status(carom_impact_problem_alloc(1, 1, 1, &masses[k], &one, &none, &none, &v,
                                                 &problem, &report),
                      OUT_OF_RANGE);
        ck_assert_ptr_null(problem);
        ck_assert_str_eq(report.quantity, "largest entry of the Delassus matrix");
        assert_close(report.value, 1.0 / masses[k], 1e-14, 0.0);
    }
}

TEST(errors, asymmetric_and_indefinite_mass_are_refused) {
    arguments a = GOOD;
    a.M[1] += 1e-10; /* 5e-11 of the diagonal */
    ck_assert_int_eq(attempt(&a, NULL), CAROM_STATUS_NOT_SYMMETRIC);
    a.M[1] = 0.5 + 1e-13; /* rounding */
    ck_assert_int_eq(attempt(&a, NULL), CAROM_OK);
    const double masses[4][4] = {{1, 2, 2, 1}, {-1, 0, 0, 1}, {1, 0, 0, 0}, {1, 1, 1, 1}};
    for (int k = 0; k < 4; k++) {
        a = GOOD;
        memcpy(a.M, masses[k], sizeof(a.M));
        ck_assert_int_eq(attempt(&a, NULL), CAROM_STATUS_OUT_OF_RANGE);
    }
}

TEST(errors, negative_friction_is_refused_with_its_contact) {
    arguments a = GOOD;
    carom_report report = carom_report_empty();
    a.mu[1] = -1e-300;
    ck_assert_int_eq(attempt(&a, &report), CAROM_STATUS_OUT_OF_RANGE);
    ck_assert_int_eq(report.index, 1);
    a.mu[1] = 0.0;
    ck_assert_int_eq(attempt(&a, NULL), CAROM_OK);
}

/* A mechanism with a joint, without contacts, without the Jacobian of its tangents; a gap tolerance
 * below zero. */
TEST(errors, mechanisms_that_pose_no_impact_are_refused) {
    carom_impact_scene *scene = scene_of_system(BLOCK);
    for (int k = 0; k < 5; k++) {
        carom_mechanism mechanism = *carom_impact_scene_mechanism(scene);
        carom_impact_problem *problem = NULL;
        carom_report report = carom_report_empty();
        mechanism.joint_count = k == 0 ? 1 : 0;
        mechanism.contact_count = k == 1 ? 0 : 2;
        mechanism.tangential_jacobian = k == 2 ? NULL : mechanism.tangential_jacobian;
        const double touching = k == 3 ? -1e-3 : k == 4 ? (double)NAN : 1e-9;
        const carom_status status = carom_impact_problem_of_mechanism(
            &mechanism, scene->position, scene->velocity, touching, NULL, &problem, &report);
        ck_assert_msg(status == CAROM_STATUS_OUT_OF_RANGE ||
                          (k == 4 && status == CAROM_STATUS_NOT_FINITE),
                      "case %d gives %s", k, carom_status_name(status));
        ck_assert_ptr_null(problem);
        ck_assert_ptr_nonnull(report.quantity);
    }
    carom_impact_scene_free(scene);
    carom_impact_problem_free(NULL);
}

static void rising_floor(double t, double *s, void *context) {
    (void)context;
    s[0] = s[1] = -t;
}

/* An impact has no time at which its supports would move; the contacts that touch are found by
 * coordinates. */
TEST(errors, supports_that_move_and_rotations_in_space_are_refused_by_name) {
    carom_impact_scene *scene = scene_of_system(BLOCK);
    carom_mechanism mechanism = *carom_impact_scene_mechanism(scene);
    carom_impact_problem *problem = NULL;
    mechanism.name = "block";
    mechanism.constraint_offset = rising_floor;
    carom_report report = carom_report_empty();
    assert_status(carom_impact_problem_of_mechanism(&mechanism, scene->position, scene->velocity,
                                                    1e-9, NULL, &problem, &report),
                  UNSUPPORTED);
    ck_assert_ptr_null(problem);
    ck_assert_str_eq(report.sentence, "an impact problem has supports at rest; mechanism 'block' "
                                      "has constraints that depend on time");
    static const int rotations[] = {0};
    mechanism.constraint_offset = NULL;
    mechanism.rotation_count = 1;
    mechanism.rotations = rotations;
    assert_status(carom_impact_problem_of_mechanism(&mechanism, scene->position, scene->velocity,
                                                    1e-9, NULL, &problem, &report),
                  UNSUPPORTED);
    ck_assert_str_eq(report.sentence, "an impact problem has no rotations in space; mechanism "
                                      "'block' has unit quaternions (1)");
    carom_impact_scene_free(scene);
}

TEST(unit, contacts_without_tangents_have_one_of_zeros_and_no_friction) {
    carom_impact_scene *scene = scene_of_system(BLOCK);
    const carom_mechanism *rough = carom_impact_scene_mechanism(scene);
    carom_mechanism mechanism = *rough;
    carom_impact_problem *problem;
    carom_impact_problem *same;
    mechanism.tangent_count = 0;
    mechanism.tangential_jacobian = NULL;
    carom_report report = carom_report_empty();
    assert_status(carom_impact_problem_of_mechanism(&mechanism, scene->position, scene->velocity,
                                                    1e-9, NULL, &problem, &report),
                  OUT_OF_RANGE);
    ck_assert_str_eq(report.quantity, "tangents of a contact");
    ck_assert_str_eq(report.accepted, "1 or 2 where there is friction");
    mechanism.friction = NULL;
    assert_ok(carom_impact_problem_of_mechanism(&mechanism, scene->position, scene->velocity, 1e-9,
                                                NULL, &problem, NULL));
    assert_ok(carom_impact_problem_of_mechanism(rough, scene->position, scene->velocity, 1e-9, NULL,
                                                &same, NULL));
    const int m = problem->contact_count;
    const int n = problem->coordinate_count;
    ck_assert_int_eq(m, same->contact_count);
    ck_assert_int_eq(problem->tangent_count, 1);
    for (int i = 0; i < m; i++) {
        assert_close(problem->friction[i], 0.0, 0.0, 0.0);
        assert_close(problem->contact_velocity[i], same->contact_velocity[i], 0.0, 0.0);
        assert_close(problem->contact_velocity[m + i], 0.0, 0.0, 0.0);
        for (int j = 0; j < n; j++) {
            assert_close(problem->contact_jacobian[i * n + j], same->contact_jacobian[i * n + j],
                         0.0, 0.0);
            assert_close(problem->contact_jacobian[(m + i) * n + j], 0.0, 0.0, 0.0);
        }
    }
    carom_impact_problem_free(problem);
    carom_impact_problem_free(same);
    carom_impact_scene_free(scene);
}

TEST(errors, positions_that_are_not_finite_are_refused) {
    carom_impact_scene *scene = scene_of_system(BLOCK);
    carom_impact_problem *problem = NULL;
    const double q[3] = {0.0, (double)NAN, 0.0};
    const double v[3] = {0.0, (double)NAN, 0.0};
    const carom_mechanism *mechanism = carom_impact_scene_mechanism(scene);
    assert_status(carom_impact_problem_of_mechanism(mechanism, q, scene->velocity, 1e-9, NULL,
                                                    &problem, NULL),
                  NOT_FINITE);
    assert_status(carom_impact_problem_of_mechanism(mechanism, scene->position, v, 1e-9, NULL,
                                                    &problem, NULL),
                  NOT_FINITE);
    ck_assert_ptr_null(problem);
    carom_impact_scene_free(scene);
}

TEST(errors, failing_allocations_are_reported_without_a_leak) {
    carom_impact_scene *scene = scene_of_system(BLOCK);
    for (int from_mechanism = 0; from_mechanism < 2; from_mechanism++) {
        for (int k = 0;; k++) {
            carom_impact_problem *problem = NULL;
            successes_left = k;
            const carom_status status =
                from_mechanism == 1
                    ? carom_impact_problem_of_mechanism(carom_impact_scene_mechanism(scene),
                                                        scene->position, scene->velocity, 1e-9,
                                                        NULL, &problem, NULL)
                    : carom_impact_problem_alloc(2, 2, 1, GOOD.M, GOOD.J_n, GOOD.J_t, GOOD.mu,
                                                 GOOD.v, &problem, NULL);
            successes_left = -1;
            carom_impact_problem_free(problem);
            if (status == CAROM_OK) {
                ck_assert_int_gt(k, 0);
                break;
            }
            ck_assert_int_eq(status, CAROM_STATUS_OUT_OF_MEMORY);
        }
    }
    carom_impact_scene_free(scene);
}
