/* The orthogonal designs of seghete-2014 section VII-B. Expected values: the reference root, whose
 * digits are those of a separate program, differences of the conditions, and the model's mechanism
 * factored by another routine. */
#include "../../failing_malloc.h"
#include "../../support.h"
#include "trex_robots.h"

#include <carom/base/linear_algebra.h>
#include <carom/models/trex/internal.h>

#include <gsl/gsl_linalg.h>
#include <gsl/gsl_math.h>
#include <string.h>

enum {
    N = CAROM_TREX_COORDINATES,
    LINKS = CAROM_TREX_LINKS,
    VARIABLES = CAROM_TREX_DESIGN_VARIABLES,
    CONDITIONS = CAROM_TREX_DESIGN_CONDITIONS,
    RANDOM_CASES = 30
};

/* GSL's own allocations end here, too. */
gsl_matrix *__real_gsl_matrix_alloc(size_t rows, size_t columns);
gsl_vector *__real_gsl_vector_alloc(size_t size);
gsl_matrix *__wrap_gsl_matrix_alloc(size_t rows, size_t columns);
gsl_vector *__wrap_gsl_vector_alloc(size_t size);

gsl_matrix *__wrap_gsl_matrix_alloc(size_t rows, size_t columns) {
    return may_allocate() ? __real_gsl_matrix_alloc(rows, columns) : NULL;
}

gsl_vector *__wrap_gsl_vector_alloc(size_t size) {
    return may_allocate() ? __real_gsl_vector_alloc(size) : NULL;
}

/* The root that Gauss-Newton steps reach from the hand-picked row, to ten decimals. */
static const double REFERENCE_ROOT[VARIABLES] = {
    12.3792712192, 5.7604710940, 1.9919160627, 5.2406961059, 5.0062751636, 5.4185293811,
    0.0736648933,  6.9555857243, 4.0940741014, 7.9982332467, 9.9904062117};

/* Of the random numbers. */
static const unsigned long STREAM = 37;

static double random_in(unsigned long seed, unsigned long dimension, double low, double high) {
    return robot_random(STREAM, seed, dimension, low, high);
}

/* A robot with no special values in what the conditions see. */
static carom_trex_params random_robot(unsigned long seed) {
    carom_trex_params params = carom_trex_params_default();
    draw_robot_shape(STREAM, seed, &params);
    for (unsigned long j = 0; j < N; j++) {
        params.stance[j] = random_in(seed, 20 + j, -3.0, 3.0);
    }
    return params;
}

/* The conditions from a model of the robot, its mass matrix factored by LU. */
static void independent_conditions(const carom_trex_params *params, double *F) {
    carom_model *model = NULL;
    assert_ok(carom_trex_alloc(params, &model, NULL));
    const carom_mechanism *mechanism = &model->mechanism;
    double M[N * N];
    double G[CAROM_TREX_CONTACTS * N];
    double raised[2][N];
    double product[2][2] = {{0.0}};
    mechanism->mass(params->stance, M, mechanism->context);
    mechanism->constraint_jacobian(params->stance, G, mechanism->context);
    const double *normals[2] = {G + CAROM_TREX_RIGHT_FOOT * N, G + CAROM_TREX_TAIL_TIP * N};
    carom_factor *factor = NULL;
    assert_ok(carom_factor_alloc(mechanism->layout, &factor));
    assert_ok(carom_factor_compute(factor, M));
    for (int i = 0; i < 2; i++) {
        memcpy(raised[i], normals[i], sizeof(raised[i]));
        carom_factor_solve(factor, raised[i]);
    }
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            for (int k = 0; k < N; k++) {
                product[i][j] += normals[i][k] * raised[j][k];
            }
        }
    }
    double points[CAROM_TREX_POINTS][2];
    carom_trex_points(params, params->stance, points[0]);
    F[CAROM_TREX_DESIGN_COSINE] = product[0][1] / sqrt(product[0][0] * product[1][1]);
    F[CAROM_TREX_DESIGN_FOOT_GAP] = points[CAROM_TREX_POINT_RIGHT_FOOT][1];
    F[CAROM_TREX_DESIGN_TAIL_GAP] = points[CAROM_TREX_POINT_TAIL_TIP][1];
    carom_factor_free(factor);
    carom_model_free(model);
}

/* Difference quotient of sixth order from the values at -3, -2, -1, 1, 2, 3 steps. */
static double sixth_order(const double *values, double step) {
    return (45.0 * (values[3] - values[2]) - 9.0 * (values[4] - values[1]) +
            (values[5] - values[0])) /
           (60.0 * step);
}

/* Steps of 3e-3 leave (3e-3)^6/140 = 5e-18 of seventh derivatives, up to 1e6 where conditions turn
 * fast, and rounding of 1e-14/3e-3. */
static const double STEP = 3e-3;
static const double OFFSETS[6] = {-3.0, -2.0, -1.0, 1.0, 2.0, 3.0};
static const double DIFFERENCES = 1e-9;

TEST(unit, variables_are_those_of_the_robot) {
    carom_trex_params params = random_robot(3);
    double z[VARIABLES];
    carom_trex_design_get(&params, z);
    const double expected[VARIABLES] = {params.stance[CAROM_TREX_Y],
                                        params.stance[CAROM_TREX_PITCH],
                                        params.stance[CAROM_TREX_LEFT_HIP],
                                        params.stance[CAROM_TREX_LEFT_KNEE],
                                        params.stance[CAROM_TREX_RIGHT_HIP],
                                        params.stance[CAROM_TREX_RIGHT_KNEE],
                                        params.stance[CAROM_TREX_BODY_JOINT],
                                        params.anterior_radius,
                                        params.posterior_radius,
                                        params.upper_length,
                                        params.lower_length};
    double moved[VARIABLES];
    double back[VARIABLES];
    for (int j = 0; j < VARIABLES; j++) {
        assert_close(z[j], expected[j], 0.0, 0.0);
        moved[j] = z[j] + 0.1 * (j + 1);
    }
    const carom_trex_params before = params;
    carom_trex_design_set(&params, moved);
    carom_trex_design_get(&params, back);
    for (int j = 0; j < VARIABLES; j++) {
        assert_close(back[j], moved[j], 0.0, 0.0);
    }
    assert_close(params.stance[CAROM_TREX_X], before.stance[CAROM_TREX_X], 0.0, 0.0);
    assert_close(params.limb_section, before.limb_section, 0.0, 0.0);
    ck_assert_int_eq((int)params.tail, (int)before.tail);
}

/* Digits of the separate program. */
TEST(unit, rows_of_table_one_have_the_reference_cosines) {
    const carom_trex_params rows[2] = {carom_trex_params_hand_picked(),
                                       carom_trex_params_default()};
    const double cosine[2] = {-4.2778133e-4, 6.2950658e-4};
    const double foot[2] = {0.131, 0.058};
    const double tail[2] = {0.003, 0.021};
    for (int i = 0; i < 2; i++) {
        double F[CONDITIONS];
        assert_ok(carom_trex_design_conditions(&rows[i], F, NULL, NULL));
        assert_close(F[CAROM_TREX_DESIGN_COSINE], cosine[i], 0.0, 5.1e-12);
        assert_close(F[CAROM_TREX_DESIGN_FOOT_GAP], foot[i], 0.0, 5.1e-4);
        assert_close(F[CAROM_TREX_DESIGN_TAIL_GAP], tail[i], 0.0, 5.1e-4);
    }
}

TEST(unit, defaults_are_those_of_the_documentation) {
    const carom_trex_design_params design = carom_trex_design_params_default();
    ck_assert_int_eq((int)design.scope, CAROM_TREX_DESIGN_ALL);
    assert_close(design.cosine, 0.0, 0.0, 0.0);
    assert_close(design.tolerance, 1e-13, 0.0, 0.0);
    ck_assert_int_eq(design.most_iterations, 50);
}

TEST(unit, hand_picked_row_leads_to_the_reference_root) {
    carom_trex_params params = carom_trex_params_hand_picked();
    const carom_trex_design_params design = carom_trex_design_params_default();
    carom_trex_design_result result = {.iterations = -1};
    assert_ok(carom_trex_design_optimize(&params, &design, &result, NULL));
    double z[VARIABLES];
    carom_trex_design_get(&params, z);
    for (int j = 0; j < VARIABLES; j++) {
        assert_close(z[j], REFERENCE_ROOT[j], 0.0, 6e-11); /* the last digit, and 1e-11 of ours */
    }
    ck_assert_int_eq(result.iterations, 4);
    assert_close(result.distance, 0.25281, 0.0, 5.1e-6);
    ck_assert(fabs(result.residual[CAROM_TREX_DESIGN_COSINE]) <= 1e-13);

    /* The conditions hold of the model, beyond the criterion of 1e-12. */
    double F[CONDITIONS];
    independent_conditions(&params, F);
    assert_close(F[CAROM_TREX_DESIGN_COSINE], 0.0, 0.0, 1e-13);
    assert_close(F[CAROM_TREX_DESIGN_FOOT_GAP], 0.0, 0.0, 1e-12);
    assert_close(F[CAROM_TREX_DESIGN_TAIL_GAP], 0.0, 0.0, 1e-12);

    /* Nothing else of the robot has changed. */
    const carom_trex_params start = carom_trex_params_hand_picked();
    assert_close(params.stance[CAROM_TREX_X], start.stance[CAROM_TREX_X], 0.0, 0.0);
    assert_close(params.drop_height, start.drop_height, 0.0, 0.0);
}

TEST(unit, straight_stances_of_the_root_have_the_reference_cosines) {
    carom_trex_params params = carom_trex_params_hand_picked();
    const carom_trex_design_params design = carom_trex_design_params_default();
    assert_ok(carom_trex_design_optimize(&params, &design, NULL, NULL));
    const double hip[2] = {4.4232729039, 6.0469334833};
    const double cosine[2] = {-3.9678621501e-4, 2.9015345821e-3};
    for (int i = 0; i < 2; i++) {
        carom_trex_params straight = params;
        double F[CONDITIONS];
        assert_ok(carom_trex_straight_stance(&params, i == 1, straight.stance, NULL));
        assert_close(straight.stance[CAROM_TREX_RIGHT_HIP], hip[i], 0.0, 1e-10);
        assert_ok(carom_trex_design_conditions(&straight, F, NULL, NULL));
        assert_close(F[CAROM_TREX_DESIGN_COSINE], cosine[i], 0.0, 1e-13);
        assert_close(F[CAROM_TREX_DESIGN_FOOT_GAP], 0.0, 0.0, 1e-13);
        assert_close(F[CAROM_TREX_DESIGN_TAIL_GAP], 0.0, 0.0, 1e-13);
    }
}

/* |z - z_0| minus its part in the span of the free columns' rows. */
static double distance_from_rows(const double *J, const bool *is_free, const double *change) {
    double A[VARIABLES * CONDITIONS];
    double b[VARIABLES];
    double tau[CONDITIONS];
    double x[CONDITIONS];
    double residual[VARIABLES];
    for (int j = 0; j < VARIABLES; j++) {
        b[j] = is_free[j] ? change[j] : 0.0;
        for (int i = 0; i < CONDITIONS; i++) {
            A[j * CONDITIONS + i] = is_free[j] ? J[i * VARIABLES + j] : 0.0;
        }
    }
    gsl_matrix_view A_view = gsl_matrix_view_array(A, VARIABLES, CONDITIONS);
    gsl_vector_view tau_view = gsl_vector_view_array(tau, CONDITIONS);
    gsl_vector_view x_view = gsl_vector_view_array(x, CONDITIONS);
    gsl_vector_view residual_view = gsl_vector_view_array(residual, VARIABLES);
    const gsl_vector_const_view b_view = gsl_vector_const_view_array(b, VARIABLES);
    ck_assert_int_eq(gsl_linalg_QR_decomp(&A_view.matrix, &tau_view.vector), GSL_SUCCESS);
    ck_assert_int_eq(gsl_linalg_QR_lssolve(&A_view.matrix, &tau_view.vector, &b_view.vector,
                                           &x_view.vector, &residual_view.vector),
                     GSL_SUCCESS);
    double squares = 0.0;
    for (int j = 0; j < VARIABLES; j++) {
        squares += residual[j] * residual[j];
    }
    return sqrt(squares);
}

TEST(unit, every_scope_leads_to_a_root_and_leaves_the_rest_alone) {
    const bool is_free[3][VARIABLES] = {
        {true, true, true, true, true, true, true, true, true, true, true},
        {true, true, true, true, true, true, true, false, false, false, false},
        {true, true, false, false, false, false, false, true, true, true, true}};
    for (int scope = 0; scope < 3; scope++) {
        carom_trex_design_params design = carom_trex_design_params_default();
        design.scope = (carom_trex_design_scope)scope;
        const carom_trex_params start = carom_trex_params_hand_picked();
        carom_trex_params near = start;
        carom_trex_params params = start;
        carom_trex_design_result results[2];
        assert_ok(carom_trex_design_optimize(&params, &design, &results[0], NULL));
        assert_ok(carom_trex_design_nearest(&near, &design, &results[1], NULL));
        ck_assert(results[1].distance < results[0].distance);
        const carom_trex_params *const ends[2] = {&params, &near};
        double z_0[VARIABLES];
        double z[VARIABLES];
        double change[VARIABLES];
        double F[CONDITIONS];
        double J[CONDITIONS * VARIABLES];
        carom_trex_design_get(&start, z_0);
        for (int k = 0; k < 2; k++) {
            carom_trex_design_get(ends[k], z);
            double squares = 0.0;
            for (int j = 0; j < VARIABLES; j++) {
                change[j] = z[j] - z_0[j];
                squares += change[j] * change[j];
                if (is_free[scope][j]) {
                    ck_assert(fabs(change[j]) > 1e-7);
                } else {
                    assert_close(z[j], z_0[j], 0.0, 0.0);
                }
            }
            assert_close(results[k].distance, sqrt(squares), 1e-14, 0.0);
            independent_conditions(ends[k], F);
            for (int i = 0; i < CONDITIONS; i++) {
                assert_close(F[i], 0.0, 0.0, 1e-12);
                assert_close(results[k].residual[i], F[i], 0.0, 1e-13);
            }
            assert_ok(carom_trex_design_conditions(ends[k], F, J, NULL));
        }
        /* A last step of 1e-11, and 1e-16 times the condition of 1e5. */
        ck_assert(distance_from_rows(J, is_free[scope], change) < 3e-11);
    }
}

/* The same robot in another unit of length: the same steps, to the bit for powers of two. */
TEST(unit, the_unit_of_length_does_not_matter) {
    const double units[4] = {0x1p-20, 0x1p30, 1e-6, 1e9};
    const carom_trex_design_params design = carom_trex_design_params_default();
    carom_trex_params expected = carom_trex_params_hand_picked();
    carom_trex_design_result reference;
    assert_ok(carom_trex_design_nearest(&expected, &design, &reference, NULL));
    for (int k = 0; k < 4; k++) {
        carom_trex_params params = carom_trex_params_hand_picked();
        params.stance[CAROM_TREX_X] *= units[k];
        params.stance[CAROM_TREX_Y] *= units[k];
        params.anterior_radius *= units[k];
        params.posterior_radius *= units[k];
        params.upper_length *= units[k];
        params.lower_length *= units[k];
        params.limb_section *= units[k] * units[k];
        carom_trex_design_result result;
        assert_ok(carom_trex_design_nearest(&params, &design, &result, NULL));
        const double rounding = k < 2 ? 0.0 : 1e-9;
        ck_assert_int_eq(result.iterations, reference.iterations);
        assert_close(result.distance, reference.distance, rounding, 0.0);
        assert_close(params.upper_length / units[k], expected.upper_length, rounding, 0.0);
        assert_close(params.stance[CAROM_TREX_LEFT_HIP], expected.stance[CAROM_TREX_LEFT_HIP],
                     rounding, 0.0);
    }
}

TEST(unit, nearest_root_has_the_reference_distance) {
    carom_trex_params params = carom_trex_params_hand_picked();
    const carom_trex_design_params design = carom_trex_design_params_default();
    carom_trex_design_result result = {.distance = (double)NAN};
    assert_ok(carom_trex_design_nearest(&params, &design, &result, NULL));
    assert_close(result.distance, 0.24781, 0.0, 5.1e-6);
    ck_assert_int_gt(result.iterations, 4);
}

/* The residual of table I is reached, too, next to the orthogonal root: the least step to it is
 * some |c| over the 3e-3 of its gradient. */
TEST(unit, other_cosines_can_be_asked_for) {
    carom_trex_params params = carom_trex_params_hand_picked();
    carom_trex_design_params design = carom_trex_design_params_default();
    design.cosine = -2.28e-7;
    carom_trex_design_result result = {.iterations = -1};
    assert_ok(carom_trex_design_optimize(&params, &design, &result, NULL));
    double F[CONDITIONS];
    double z[VARIABLES];
    independent_conditions(&params, F);
    assert_close(F[CAROM_TREX_DESIGN_COSINE], -2.28e-7, 0.0, 1e-13);
    assert_close(F[CAROM_TREX_DESIGN_FOOT_GAP], 0.0, 0.0, 1e-12);
    assert_close(F[CAROM_TREX_DESIGN_TAIL_GAP], 0.0, 0.0, 1e-12);
    assert_close(result.residual[CAROM_TREX_DESIGN_COSINE], 0.0, 0.0, 1e-13);
    carom_trex_design_get(&params, z);
    for (int j = 0; j < VARIABLES; j++) {
        assert_close(z[j], REFERENCE_ROOT[j], 0.0, 5e-4);
    }
}

TEST(property, conditions_are_those_of_the_model) {
    for (unsigned long seed = 0; seed < RANDOM_CASES; seed++) {
        const carom_trex_params params = random_robot(seed);
        double F[CONDITIONS];
        double expected[CONDITIONS];
        assert_ok(carom_trex_design_conditions(&params, F, NULL, NULL));
        independent_conditions(&params, expected);
        for (int i = 0; i < CONDITIONS; i++) {
            /* 1e-16 times the mass matrix's condition, or levers of 40 cm */
            assert_close(F[i], expected[i], 0.0, 1e-12);
        }
    }
}

TEST(property, jacobian_is_that_of_the_conditions) {
    for (unsigned long seed = 0; seed < RANDOM_CASES; seed++) {
        const carom_trex_params params = random_robot(seed);
        double z[VARIABLES];
        double F[CONDITIONS];
        double J[CONDITIONS * VARIABLES];
        carom_trex_design_get(&params, z);
        assert_ok(carom_trex_design_conditions(&params, F, J, NULL));
        for (int j = 0; j < VARIABLES; j++) {
            double values[CONDITIONS][6];
            for (int k = 0; k < 6; k++) {
                carom_trex_params moved = params;
                double z_moved[VARIABLES];
                memcpy(z_moved, z, sizeof(z));
                z_moved[j] += OFFSETS[k] * STEP;
                carom_trex_design_set(&moved, z_moved);
                assert_ok(carom_trex_design_conditions(&moved, F, NULL, NULL));
                for (int i = 0; i < CONDITIONS; i++) {
                    values[i][k] = F[i];
                }
            }
            for (int i = 0; i < CONDITIONS; i++) {
                assert_close(J[i * VARIABLES + j], sixth_order(values[i], STEP), DIFFERENCES,
                             DIFFERENCES);
            }
        }
    }
}

/* All sums of an inertia in one array. */
enum { SUMS = 1 + 2 * LINKS + LINKS * LINKS };
static void list_sums(const carom_trex_inertia *inertia, double *sums) {
    sums[0] = inertia->mass;
    memcpy(sums + 1, inertia->moment, LINKS * sizeof(double));
    memcpy(sums + 1 + LINKS, inertia->spin, LINKS * sizeof(double));
    memcpy(sums + 1 + 2 * LINKS, inertia->coupling, (size_t)LINKS * LINKS * sizeof(double));
}

TEST(property, shape_rates_are_derivatives_along_the_change) {
    for (unsigned long seed = 0; seed < RANDOM_CASES; seed++) {
        const carom_trex_params params = random_robot(seed);
        const carom_trex_shape_rate rate = {.anterior_radius = random_in(seed, 40, -1.0, 1.0),
                                            .posterior_radius = random_in(seed, 41, -1.0, 1.0),
                                            .upper_length = random_in(seed, 42, -1.0, 1.0),
                                            .lower_length = random_in(seed, 43, -1.0, 1.0)};
        double values[SUMS][6];
        double lengths[6];
        for (int k = 0; k < 6; k++) {
            const double s = OFFSETS[k] * STEP;
            carom_trex_params moved = params;
            moved.anterior_radius += s * rate.anterior_radius;
            moved.posterior_radius += s * rate.posterior_radius;
            moved.upper_length += s * rate.upper_length;
            moved.lower_length += s * rate.lower_length;
            lengths[k] =
                carom_trex_tail_length(moved.tail, moved.anterior_radius, moved.posterior_radius);
            const carom_trex_inertia inertia = carom_trex_inertia_of(&moved);
            double sums[SUMS];
            list_sums(&inertia, sums);
            for (int i = 0; i < SUMS; i++) {
                values[i][k] = sums[i];
            }
        }
        const carom_trex_inertia rates = carom_trex_inertia_rate(&params, rate);
        double slopes[SUMS];
        list_sums(&rates, slopes);
        assert_close(carom_trex_tail_length_rate(&params, rate), sixth_order(lengths, STEP),
                     DIFFERENCES, DIFFERENCES);
        for (int i = 0; i < SUMS; i++) {
            assert_close(slopes[i], sixth_order(values[i], STEP), DIFFERENCES, DIFFERENCES);
        }
    }
}

TEST(property, roots_are_found_from_stances_nearby) {
    for (unsigned long seed = 0; seed < RANDOM_CASES; seed++) {
        carom_trex_params params = carom_trex_params_hand_picked();
        double z[VARIABLES];
        carom_trex_design_get(&params, z);
        for (int j = 0; j < VARIABLES; j++) {
            z[j] += random_in(seed, 60 + (unsigned long)j, -0.05, 0.05);
        }
        carom_trex_design_set(&params, z);
        const carom_trex_design_params design = carom_trex_design_params_default();
        assert_ok(carom_trex_design_optimize(&params, &design, NULL, NULL));
        double F[CONDITIONS];
        independent_conditions(&params, F);
        for (int i = 0; i < CONDITIONS; i++) {
            assert_close(F[i], 0.0, 0.0, 1e-12);
        }
    }
}

/* A search that fails in a way, says so, and leaves the robot alone. */
static void assert_refused(carom_trex_params params, carom_trex_design_params design,
                           carom_status expected, const char *quantity) {
    const double height = params.stance[CAROM_TREX_Y];
    const double radius = params.anterior_radius;
    carom_report report = carom_report_empty();
    const carom_status status = carom_trex_design_optimize(&params, &design, NULL, &report);
    ck_assert_msg(status == expected, "%s: %s", quantity, carom_status_name(status));
    ck_assert_str_eq(report.quantity, quantity);
    assert_close(params.stance[CAROM_TREX_Y], height, 0.0, 0.0);
    assert_close(params.anterior_radius, radius, 0.0, 0.0);
    ck_assert_int_eq(carom_trex_design_nearest(&params, &design, NULL, NULL), expected);
}

TEST(errors, what_cannot_be_designed_is_refused) {
    const carom_trex_params row = carom_trex_params_hand_picked();
    const carom_trex_design_params standard = carom_trex_design_params_default();
    carom_trex_params params = row;
    params.posterior_radius = 8.0;
    assert_refused(params, standard, CAROM_STATUS_OUT_OF_RANGE, "posterior radius");
    carom_trex_design_params design = standard;
    design.scope = (carom_trex_design_scope)3;
    assert_refused(row, design, CAROM_STATUS_OUT_OF_RANGE, "scope");
    design = standard;
    design.cosine = -1.0;
    assert_refused(row, design, CAROM_STATUS_OUT_OF_RANGE, "cosine");
    design.cosine = (double)NAN;
    assert_refused(row, design, CAROM_STATUS_NOT_FINITE, "cosine");
    design = standard;
    design.tolerance = 0.0;
    assert_refused(row, design, CAROM_STATUS_OUT_OF_RANGE, "tolerance");
    design.tolerance = (double)NAN;
    assert_refused(row, design, CAROM_STATUS_NOT_FINITE, "tolerance");
    design = standard;
    design.most_iterations = 0;
    assert_refused(row, design, CAROM_STATUS_OUT_OF_RANGE, "most iterations");
    design.most_iterations = 1;
    assert_refused(row, design, CAROM_STATUS_NOT_CONVERGED, "function");

    /* The lower link has no length left, and the steps stop at the end of the domain. */
    params = row;
    params.stance[CAROM_TREX_Y] = 8.0;
    params.lower_length = 1e-6;
    design = standard;
    design.unit_length = 1.0;
    assert_refused(params, design, CAROM_STATUS_OUT_OF_RANGE, "lower length");
    design.unit_length = -1.0;
    assert_refused(row, design, CAROM_STATUS_OUT_OF_RANGE, "unit length");
}

TEST(errors, mass_that_underflows_or_overflows_is_reported) {
    const carom_trex_design_params design = carom_trex_design_params_default();
    carom_trex_params params = carom_trex_params_hand_picked();
    params.limb_density = 1e-200;
    params.limb_section = 1e-200;
    assert_refused(params, design, CAROM_STATUS_SINGULAR, "mass matrix");
    double F[CONDITIONS] = {0.0};
    double J[CONDITIONS * VARIABLES] = {0.0};
    carom_report report = carom_report_empty();
    assert_status(carom_trex_design_conditions(&params, F, J, &report), SINGULAR);
    ck_assert_int_eq(report.index, CAROM_TREX_LEFT_HIP);
    for (int i = 0; i < CONDITIONS; i++) {
        ck_assert(isnan(F[i]));
        ck_assert(isnan(J[i * VARIABLES + i]));
    }
    ck_assert(isnan(J[CONDITIONS * VARIABLES - 1]));

    /* Knees hardly away from the hips: one direction is lost to rounding. */
    params = carom_trex_params_hand_picked();
    params.upper_length = 1e-9;
    assert_status(carom_trex_design_conditions(&params, F, J, &report), SINGULAR);
    ck_assert_str_eq(report.quantity, "mass matrix");

    params = carom_trex_params_hand_picked();
    params.body_density = 1e308;
    assert_refused(params, design, CAROM_STATUS_NOT_FINITE, "mass matrix");
    ck_assert(isnan(F[0]));

    /* Small masses alone change nothing: the cosine has no unit. */
    params = carom_trex_params_hand_picked();
    params.body_density *= 1e-200;
    params.limb_density *= 1e-200;
    assert_ok(carom_trex_design_conditions(&params, F, NULL, NULL));
    assert_close(F[CAROM_TREX_DESIGN_COSINE], -4.2778133e-4, 0.0, 5.1e-12);
}

TEST(errors, lack_of_memory_is_reported) {
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    const carom_trex_design_params design = carom_trex_design_params_default();
    int k = 0;
    while (status == CAROM_STATUS_OUT_OF_MEMORY && k < 20) {
        carom_trex_params params = carom_trex_params_hand_picked();
        successes_left = k;
        status = carom_trex_design_optimize(&params, &design, NULL, NULL);
        successes_left = -1;
        if (status != CAROM_OK) {
            assert_close(params.stance[CAROM_TREX_Y], 12.38, 0.0, 0.0);
        }
        k++;
    }
    ck_assert_int_eq(status, CAROM_OK);
    ck_assert_int_ge(k, 5);
}
