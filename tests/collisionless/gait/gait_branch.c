/* carom/collisionless/gait/gait.h: the family of the unit biped, every
 * end that a family can have, and the conditions on the feet. */
#include "../../failing_malloc.h"
#include "gait_cases.h"

#include <carom/collisionless/gait/gait.h>
#include <carom/collisionless/gait/internal.h>

#include <gsl/gsl_eigen.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_odeiv2.h>
#include <string.h>

/* Calls of the library that end here (linker option --wrap), to make them fail on request. */
gsl_odeiv2_step *__real_gsl_odeiv2_step_alloc(const gsl_odeiv2_step_type *T, size_t dim);
gsl_odeiv2_step *__wrap_gsl_odeiv2_step_alloc(const gsl_odeiv2_step_type *T, size_t dim);

gsl_odeiv2_step *__wrap_gsl_odeiv2_step_alloc(const gsl_odeiv2_step_type *T, size_t dim) {
    return may_allocate() ? __real_gsl_odeiv2_step_alloc(T, dim) : NULL;
}

/** A family that must exist; NULL params: default. */
static carom_gait_branch *family_of(const carom_armed_biped_params *biped,
                                    const carom_gait_start *start,
                                    const carom_gait_branch_params *params) {
    carom_gait_branch *branch = NULL;
    assert_ok(carom_gait_branch_trace(biped, start, params, &branch, NULL));
    for (int i = 0; i < branch->count; i++) {
        ck_assert_double_le(branch->gaits[i].residual, 1e-12);
        ck_assert_double_le(branch->conditions[i].energy_spread, 1e-12);
        if (i > 0) {
            ck_assert_double_gt(branch->arclength[i], branch->arclength[i - 1]);
        }
    }
    return branch;
}

static carom_gait_branch *unit_family(const carom_gait_branch_params *params) {
    const carom_armed_biped_params biped = unit_biped(0.1);
    return family_of(&biped, &UNIT_START, params);
}

/** Parameters that follow the family to an angle only. */
static carom_gait_branch_params params_to_angle(double max_angle) {
    carom_gait_branch_params params = carom_gait_branch_params_default();
    params.max_angle = max_angle;
    params.intervals = 8;
    return params;
}

static const carom_nonlinear_gait *last_gait(const carom_gait_branch *branch) {
    return &branch->gaits[branch->count - 1];
}

/* ------------------------------------------------------------------------------------------ unit
 */

TEST(unit, family_of_the_unit_biped_ends_with_the_arm_inverted) {
    carom_gait_branch *branch = unit_family(NULL);
    ck_assert_str_eq(carom_gait_end_name(branch->end), "arm inverted");
    ck_assert_int_eq(branch->fold_count, 0);
    assert_close(branch->gaits[0].half_step_angle, 1e-3, 0.0, 0.0);
    assert_close(branch->arclength[0], 0.0, 0.0, 0.0);
    for (int i = 0; i < branch->count; i++) {
        const carom_nonlinear_gait *gait = &branch->gaits[i];
        const carom_gait_conditions *conditions = &branch->conditions[i];
        ck_assert(conditions->is_realizable && conditions->is_clear && conditions->is_pushed);
        // Reference: friction of about theta in single support.
        assert_close(conditions->friction_demand, gait->half_step_angle, 0.02, 0.0);
        ck_assert_double_gt(conditions->landing_force_slope, 0.0);
        if (i > 0) {
            ck_assert_double_gt(gait->half_step_angle, branch->gaits[i - 1].half_step_angle);
            ck_assert_double_gt(gait->time, branch->gaits[i - 1].time);
        }
    }
    // At most 0.05 rad are left, in the step that ended it more than that times one half.
    const double reach = 2.0 * M_PI - last_gait(branch)->states[0];
    ck_assert_double_le(reach, 0.05);
    ck_assert_double_gt(reach, 0.03);
    carom_gait_branch_free(branch);
}

/** Slowest growth rate of the unit biped about its equilibrium with the arm inverted, 1/s, and the
 * covector [3] that picks this motion out of a deviation. */
static double slow_rate(double theta, const double *equilibrium, double *covector) {
    const carom_armed_biped_params biped = unit_biped(theta);
    const double rest[3] = {0.0, 0.0, 0.0};
    carom_model *model = NULL;
    assert_ok(carom_armed_biped_alloc(&biped, &model, NULL));
    double M[9];
    double K[9];
    double vectors[9];
    double values[3];
    model->mechanism.mass(equilibrium, M, model->mechanism.context);
    model->mechanism.stiffness(0.0, equilibrium, rest, K, model->mechanism.context);
    carom_model_free(model);
    double mass[9];
    memcpy(mass, M, sizeof mass);
    gsl_matrix_view K_view = gsl_matrix_view_array(K, 3, 3);
    gsl_matrix_view M_view = gsl_matrix_view_array(mass, 3, 3);
    gsl_matrix_view vectors_view = gsl_matrix_view_array(vectors, 3, 3);
    gsl_vector_view values_view = gsl_vector_view_array(values, 3);
    gsl_eigen_gensymmv_workspace *work = gsl_eigen_gensymmv_alloc(3);
    ck_assert_int_eq(gsl_eigen_gensymmv(&K_view.matrix, &M_view.matrix, &values_view.vector,
                                        &vectors_view.matrix, work),
                     GSL_SUCCESS);
    gsl_eigen_gensymmv_free(work);
    gsl_eigen_gensymmv_sort(&values_view.vector, &vectors_view.matrix, GSL_EIGEN_SORT_ABS_ASC);
    ck_assert_double_lt(values[0], 0.0);
    for (int j = 0; j < 3; j++) {
        covector[j] = 0.0;
        for (int k = 0; k < 3; k++) {
            covector[j] += M[j * 3 + k] * vectors[k * 3];
        }
    }
    return sqrt(-values[0]);
}

TEST(unit, tau_diverges_as_the_saddle_of_the_inverted_arm_says) {
    // As tau grows the motion passes the equilibrium with the arm inverted at P, and once more
    // between P and the landing after a whole turn of the arm: three times half of a passage in
    // tau. The distance from it, along its slowest motion of rate r, falls as exp(-r tau/3).
    carom_gait_branch_params params = carom_gait_branch_params_default();
    params.intervals = 8;
    params.max_step = 0.4;
    params.max_time = 20.0;
    params.arm_reach = 0.0;
    carom_gait_branch *branch = unit_family(&params);
    ck_assert_str_eq(carom_gait_end_name(branch->end), "largest time");
    double rate = 0.0;
    double time[2];
    double distance[2];
    for (int i = 0; i < 2; i++) {
        const carom_nonlinear_gait *gait = &branch->gaits[branch->count - 1 - 3 * i];
        const double theta = gait->half_step_angle;
        // Reference: lean of the leg in equilibrium, unit masses.
        const double lean = atan(sin(2.0 * theta) / (3.0 + 2.0 * gsl_pow_2(sin(theta))));
        const double equilibrium[3] = {2.0 * M_PI, 0.0, lean};
        double covector[3];
        rate = slow_rate(theta, equilibrium, covector);
        time[i] = gait->time;
        distance[i] = 0.0;
        for (int j = 0; j < 3; j++) {
            distance[i] += covector[j] * (gait->states[j] - equilibrium[j]);
        }
    }
    ck_assert_double_gt(time[0] - time[1], 1.0);
    // The next terms are smaller by a power of the distance of one percent.
    assert_close(log(distance[0] / distance[1]) / (time[0] - time[1]), -rate / 3.0, 0.03, 0.0);
    carom_gait_branch_free(branch);
}

TEST(unit, conditions_are_those_of_dense_samples) {
    const carom_armed_biped_params biped = unit_biped(0.09);
    carom_nonlinear_gait *gait = unit_gait(0.09);
    carom_gait_trajectory *coarse = NULL;
    carom_gait_trajectory *dense = NULL;
    assert_ok(carom_gait_trajectory_quarter(&biped, gait, 64, 64, &coarse, NULL));
    assert_ok(carom_gait_trajectory_quarter(&biped, gait, 1000, 300, &dense, NULL));
    const carom_gait_conditions conditions = carom_gait_conditions_evaluate(&biped, gait, coarse);
    double clearance = (double)INFINITY;
    double peak = 0.0;
    double slope = (double)INFINITY;
    double landing = 0.0;
    double single = (double)INFINITY;
    double on_two = (double)INFINITY;
    double friction = 0.0;
    double friction_on_two = 0.0;
    const double weight = 5.0;
    for (int i = 0; i < dense->count; i++) {
        const double t = dense->time[i];
        const double vertical = dense->stance_force[i] + dense->landing_force[i];
        const double demand = fabs(dense->horizontal_force[i]) / vertical;
        if (i <= dense->landing) {
            peak = fmax(peak, dense->gap[i]);
            single = fmin(single, dense->stance_force[i] / weight);
            friction = fmax(friction, demand);
            // Nearer to the landing the gap is rounded.
            if (i < dense->landing - 5) {
                clearance = fmin(clearance, dense->gap[i] / gsl_pow_3(gait->time - t));
            }
        }
        if (i >= dense->landing) {
            landing = fmax(landing, dense->landing_force[i] / weight);
            on_two = fmin(on_two, dense->stance_force[i] / weight);
            friction_on_two = fmax(friction_on_two, demand);
            if (i > dense->landing + 5) {
                slope = fmin(slope, dense->landing_force[i] / weight / (t - gait->time));
            }
        }
    }
    // Parabolas of 64 samples are good to some 1e-4.
    assert_close(conditions.clearance, clearance, 5e-4, 0.0);
    assert_close(conditions.peak_gap, peak, 5e-4, 0.0);
    assert_close(conditions.landing_force_slope, slope, 2e-2, 0.0);
    assert_close(conditions.max_landing_force, landing, 5e-4, 0.0);
    assert_close(conditions.min_single_support, single, 5e-4, 0.0);
    assert_close(conditions.min_double_support, on_two, 5e-4, 0.0);
    assert_close(conditions.friction_demand, friction, 2e-3, 0.0);
    assert_close(conditions.double_friction_demand, friction_on_two, 2e-3, 0.0);

    // The limits at the landing continue the samples: a cubic gap, a linear force.
    const int i = dense->landing;
    const double before = gait->time - dense->time[i - 3];
    const double after = dense->time[i + 3] - gait->time;
    const double lever = 2.0 * sin(0.09);
    assert_close(dense->gap[i - 3] / gsl_pow_3(before), -lever * dense->landing_jerk / 6.0, 0.05,
                 0.0);
    assert_close(dense->landing_force[i + 3] / after, dense->landing_force_rate, 0.05, 0.0);
    carom_gait_trajectory_free(dense);
    carom_gait_trajectory_free(coarse);
    carom_nonlinear_gait_free(gait);
}

/** Conditions of samples of which one is changed. */
static carom_gait_conditions changed(const carom_nonlinear_gait *gait,
                                     carom_gait_trajectory *quarter, double *sample, double value) {
    const carom_armed_biped_params biped = unit_biped(0.05);
    const double before = *sample;
    *sample = value;
    const carom_gait_conditions conditions = carom_gait_conditions_evaluate(&biped, gait, quarter);
    *sample = before;
    return conditions;
}

TEST(unit, every_violated_condition_shows) {
    const carom_armed_biped_params biped = unit_biped(0.05);
    carom_nonlinear_gait *gait = unit_gait(0.05);
    carom_gait_trajectory *quarter = NULL;
    assert_ok(carom_gait_trajectory_quarter(&biped, gait, 16, 8, &quarter, NULL));
    carom_gait_conditions conditions = changed(gait, quarter, &quarter->gap[5], -1e-6);
    ck_assert(!conditions.is_clear && conditions.is_pushed && !conditions.is_realizable);
    conditions = changed(gait, quarter, &quarter->landing_jerk, 1.0);
    ck_assert(!conditions.is_clear && conditions.is_pushed && !conditions.is_realizable);
    // The limit at the landing, if it is the least: 2 l sin(theta) |f'''|/6.
    conditions = changed(gait, quarter, &quarter->landing_jerk, -1e-9);
    assert_close(conditions.clearance, 2.0 * sin(0.05) * 1e-9 / 6.0, 1e-12, 0.0);
    conditions = changed(gait, quarter, &quarter->landing_force[20], -1e-6);
    ck_assert(conditions.is_clear && !conditions.is_pushed && !conditions.is_realizable);
    conditions = changed(gait, quarter, &quarter->landing_force_rate, -1.0);
    ck_assert(conditions.is_clear && !conditions.is_pushed);
    conditions = changed(gait, quarter, &quarter->stance_force[3], -1e-6);
    ck_assert(conditions.is_clear && !conditions.is_pushed);
    conditions = changed(gait, quarter, &quarter->stance_force[24], -1e-6);
    ck_assert(conditions.is_clear && !conditions.is_pushed);
    // One foot slips on the ground, the other may hold it: both carry the weight.
    const double both = quarter->stance_force[20] + quarter->landing_force[20];
    ck_assert_double_gt(quarter->landing_force[20], 0.0);
    conditions = changed(gait, quarter, &quarter->horizontal_force[20], -3.0 * both);
    // The parabola through it and its neighbours is a little higher.
    assert_close(conditions.double_friction_demand, 3.0, 1e-5, 0.0);
    // One sample of energy, over m_t g l = 5.
    conditions = changed(gait, quarter, &quarter->energy[7], quarter->energy[7] - 1e-3);
    assert_close(conditions.energy_spread, 2e-4, 1e-8, 0.0);
    conditions = changed(gait, quarter, &quarter->energy[7], quarter->energy[7] + 1e-3);
    assert_close(conditions.energy_spread, 2e-4, 1e-8, 0.0);
    carom_gait_trajectory_free(quarter);
    carom_nonlinear_gait_free(gait);
}

TEST(unit, each_bound_ends_the_family) {
    carom_gait_branch_params params = params_to_angle(0.05);
    carom_gait_branch *branch = unit_family(&params);
    ck_assert_str_eq(carom_gait_end_name(branch->end), "largest angle");
    // Exactly there; reference table A.6.
    assert_close(last_gait(branch)->half_step_angle, 0.05, 0.0, 0.0);
    assert_close(last_gait(branch)->time, 3.4195276577, 0.0, 1e-10);
    carom_gait_branch_free(branch);

    params.max_time = 3.2;
    branch = unit_family(&params);
    ck_assert_str_eq(carom_gait_end_name(branch->end), "largest time");
    ck_assert_double_ge(last_gait(branch)->time, 3.2);
    ck_assert_double_lt(branch->gaits[branch->count - 2].time, 3.2);
    carom_gait_branch_free(branch);

    params = params_to_angle(0.05);
    params.max_points = 3;
    branch = unit_family(&params);
    ck_assert_str_eq(carom_gait_end_name(branch->end), "most points");
    ck_assert_int_eq(branch->count, 3);
    carom_gait_branch_free(branch);

    // A single step of more than the whole family.
    params = params_to_angle(0.5);
    params.first_step = params.min_step = params.max_step = 30.0;
    branch = unit_family(&params);
    ck_assert_str_eq(carom_gait_end_name(branch->end), "least step");
    ck_assert_int_eq(branch->count, 1);
    carom_gait_branch_free(branch);
    ck_assert_str_eq(carom_gait_end_name(CAROM_GAIT_END_PENETRATION), "penetration");
    ck_assert_str_eq(carom_gait_end_name((carom_gait_end)99), "unknown end");
}

TEST(unit, higher_rows_pull_at_a_foot) {
    // Claim 5 on realizability: rows r >= 1 have an attractive stretch; A.3: min F/F^0 =
    // -0.3918, of which the static force F^0 is half the weight on each foot.
    const carom_armed_biped_params biped = unit_biped(0.1);
    double position[3];
    carom_gait_start start;
    assert_ok(carom_harmonic_start_compute(&biped, 2, 1, position, &start, NULL));
    carom_gait_branch_params params = params_to_angle(0.002);
    params.first_angle = 1e-4;
    params.intervals = 128;
    carom_gait_branch *branch = family_of(&biped, &start, &params);
    ck_assert_str_eq(carom_gait_end_name(branch->end), "tensile foot");
    ck_assert_int_eq(branch->count, 1);
    ck_assert(branch->conditions[0].is_clear);
    // On the landing foot -0.3918 is 2 + 0.3918 on the other one.
    assert_close(branch->conditions[0].max_landing_force, 0.5 * 2.3918, 1e-3, 0.0);
    carom_gait_branch_free(branch);
    params.stop_unrealizable = false;
    branch = family_of(&biped, &start, &params);
    ck_assert_str_eq(carom_gait_end_name(branch->end), "largest angle");
    carom_gait_branch_free(branch);
}

/* -------------------------------------------------------------------------------------- property
 */

TEST(property, points_do_not_depend_on_the_steps) {
    carom_gait_branch_params params = params_to_angle(0.06);
    params.max_step = 0.4;
    carom_gait_branch *coarse = unit_family(&params);
    params.max_step = 0.07;
    carom_gait_branch *fine = unit_family(&params);
    ck_assert_int_gt(fine->count, coarse->count);
    // Residuals of 1e-13 over the angle.
    assert_close(last_gait(fine)->time, last_gait(coarse)->time, 0.0, 1e-11);
    assert_close(last_gait(fine)->constrained_time, last_gait(coarse)->constrained_time, 0.0,
                 1e-11);
    // An inner point is the gait of its angle.
    const carom_nonlinear_gait *inner = &coarse->gaits[coarse->count / 2];
    carom_nonlinear_gait *gait = unit_gait(inner->half_step_angle);
    assert_close(gait->time, inner->time, 0.0, 1e-10);
    assert_close(gait->excess_energy, inner->excess_energy, 1e-9, 0.0);
    for (int i = 0; i < 2 * 3 * (12 + 3 + 1); i++) {
        assert_close(gait->states[i], inner->states[i], 0.0, 1e-10);
    }
    carom_nonlinear_gait_free(gait);
    // The same arc, measured with chords along the tangent: they differ by the square of the steps.
    assert_close(fine->arclength[fine->count - 1], coarse->arclength[coarse->count - 1], 0.02, 0.0);
    carom_gait_branch_free(fine);
    carom_gait_branch_free(coarse);
}

TEST(property, steps_follow_the_family_and_no_other) {
    const carom_armed_biped_params biped = unit_biped(1e-3);
    const carom_gait_params params = carom_gait_params_default();
    carom_gait_continuation *path = NULL;
    assert_ok(carom_gait_continuation_alloc(&biped, &params, &path, NULL));
    assert_ok(carom_gait_continuation_begin(path, &UNIT_START, 1e-3, NULL));
    // So far away Newton's method still converges, but the direction has turned by 44 degrees.
    assert_status(carom_gait_continuation_step(path, 1.2), NOT_CONVERGED);
    assert_close(carom_gait_continuation_angle(path), 1e-3, 0.0, 0.0);
    assert_close(path->arclength, 0.0, 0.0, 0.0);
    assert_ok(carom_gait_continuation_step(path, 0.2));
    assert_ok(carom_gait_continuation_step(path, 0.3));
    assert_close(path->arclength, 0.5, 1e-15, 0.0);
    // Back to an angle between the last two points, and on from there.
    assert_ok(carom_gait_continuation_return_to_angle(path, 0.02));
    assert_close(carom_gait_continuation_angle(path), 0.02, 0.0, 0.0);
    assert_close(carom_gait_continuation_time(path), 3.1207417273, 0.0, 1e-10);
    assert_close(path->arclength, 0.2 + path->length, 1e-14, 0.0);
    ck_assert_double_lt(path->length, 0.3);
    assert_ok(carom_gait_continuation_step(path, 0.3));
    ck_assert_double_gt(carom_gait_continuation_angle(path), 0.03);
    ck_assert_int_eq(carom_gait_continuation_direction(path), 1);
    carom_gait_continuation_free(path);
    carom_gait_continuation_free(NULL);
}

TEST(property, angles_of_two_torso_links_turn_round_twice) {
    const carom_armed_biped_params biped = {.torso_count = 2,
                                            .has_arm = true,
                                            .lengths = ONES,
                                            .masses = ONES,
                                            .gravity = 1.0,
                                            .half_step_angle = 0.1};
    double position[MOST_COORDINATES];
    carom_gait_start start;
    assert_ok(carom_harmonic_start_compute(&biped, 2, 0, position, &start, NULL));
    carom_gait_branch_params params = carom_gait_branch_params_default();
    params.intervals = 8;
    params.max_step = 0.4;
    carom_gait_branch *branch = family_of(&biped, &start, &params);
    ck_assert_str_eq(carom_gait_end_name(branch->end), "arm inverted");
    // Turning points of the angle, counted from the points themselves.
    int turns = 0;
    for (int i = 2; i < branch->count; i++) {
        const double before =
            branch->gaits[i - 1].half_step_angle - branch->gaits[i - 2].half_step_angle;
        const double after =
            branch->gaits[i].half_step_angle - branch->gaits[i - 1].half_step_angle;
        turns += before * after < 0.0 ? 1 : 0;
    }
    ck_assert_int_eq(turns, 2);
    ck_assert_int_eq(branch->fold_count, 2);
    for (int i = 0; i < branch->count; i++) {
        ck_assert(branch->conditions[i].is_realizable);
    }
    carom_gait_branch_free(branch);
}

/* ---------------------------------------------------------------------------------------- errors
 */

/** The parameters are refused with this quantity. */
static void check_refused(const carom_gait_branch_params *params, carom_status expected,
                          const char *quantity) {
    const carom_armed_biped_params biped = unit_biped(0.1);
    carom_report report = carom_report_empty();
    carom_gait_branch *branch = (carom_gait_branch *)&report;
    const carom_status status =
        carom_gait_branch_trace(&biped, &UNIT_START, params, &branch, &report);
    ck_assert_str_eq(carom_status_name(status), carom_status_name(expected));
    ck_assert_str_eq(report.quantity, quantity);
    ck_assert_ptr_null(branch);
}

TEST(errors, parameters_out_of_range_are_refused) {
    const carom_gait_branch_params good = carom_gait_branch_params_default();
    carom_gait_branch_params params = good;
    params.first_angle = 0.0;
    check_refused(&params, CAROM_STATUS_OUT_OF_RANGE, "first angle");
    params.first_angle = 0.5;
    check_refused(&params, CAROM_STATUS_OUT_OF_RANGE, "first angle");
    params = good;
    params.max_angle = 1.6;
    check_refused(&params, CAROM_STATUS_OUT_OF_RANGE, "largest angle");
    params = good;
    params.min_step = 0.0;
    check_refused(&params, CAROM_STATUS_OUT_OF_RANGE, "least step");
    params = good;
    params.first_step = 0.3;
    check_refused(&params, CAROM_STATUS_OUT_OF_RANGE, "first step");
    params.first_step = 1e-5;
    check_refused(&params, CAROM_STATUS_OUT_OF_RANGE, "first step");
    params = good;
    params.max_step = (double)INFINITY;
    check_refused(&params, CAROM_STATUS_NOT_FINITE, "largest step");
    params = good;
    params.max_time = -1.0;
    check_refused(&params, CAROM_STATUS_OUT_OF_RANGE, "largest tau");
    params = good;
    params.arm_reach = 4.0;
    check_refused(&params, CAROM_STATUS_OUT_OF_RANGE, "arm reach");
    params = good;
    params.max_points = 1;
    check_refused(&params, CAROM_STATUS_OUT_OF_RANGE, "points");
    params = good;
    params.intervals = 7;
    check_refused(&params, CAROM_STATUS_OUT_OF_RANGE, "intervals");
    params = good;
    params.gait.segments = 0;
    check_refused(&params, CAROM_STATUS_OUT_OF_RANGE, "segments");
}

TEST(errors, bipeds_and_starts_out_of_range_are_refused) {
    carom_gait_branch *branch = NULL;
    carom_report report = carom_report_empty();
    carom_armed_biped_params biped = unit_biped(0.1);
    biped.gravity = 0.0;
    assert_status(carom_gait_branch_trace(&biped, &UNIT_START, NULL, &branch, &report),
                  OUT_OF_RANGE);
    ck_assert_str_eq(report.quantity, "gravity");
    biped = unit_biped(0.1);
    biped.has_arm = false;
    assert_status(carom_gait_branch_trace(&biped, &UNIT_START, NULL, &branch, &report),
                  OUT_OF_RANGE);
    ck_assert_str_eq(report.quantity, "arm");
    biped = unit_biped(0.1);
    carom_gait_start start = UNIT_START;
    start.constrained_time = 1.0;
    assert_status(carom_gait_branch_trace(&biped, &start, NULL, &branch, &report), CONFLICT);
    ck_assert_str_eq(report.quantity, "start position");
    // The half step angle of the biped is not used.
    biped.half_step_angle = -3.0;
    carom_gait_branch_params params = params_to_angle(0.002);
    branch = family_of(&biped, &UNIT_START, &params);
    carom_gait_branch_free(branch);
    // The harmonic gait is no guess for a first angle where the family has ended.
    biped = unit_biped(0.1);
    params = params_to_angle(0.5);
    params.first_angle = 0.4;
    branch = NULL;
    const carom_status status =
        carom_gait_branch_trace(&biped, &UNIT_START, &params, &branch, &report);
    ck_assert_str_eq(carom_status_name(status), "NOT_CONVERGED");
    ck_assert_ptr_null(branch);
    carom_gait_branch_free(NULL);
}

TEST(errors, every_failing_allocation_is_reported) {
    const carom_armed_biped_params biped = unit_biped(0.1);
    const carom_gait_branch_params params = params_to_angle(0.0015);
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    int tries = 0;
    for (; status != CAROM_OK; tries++) {
        ck_assert_int_lt(tries, 100);
        carom_gait_branch *branch = NULL;
        successes_left = tries;
        status = carom_gait_branch_trace(&biped, &UNIT_START, &params, &branch, NULL);
        successes_left = -1;
        if (status != CAROM_OK) {
            ck_assert_str_eq(carom_status_name(status), "OUT_OF_MEMORY");
            ck_assert_ptr_null(branch);
        }
        carom_gait_branch_free(branch);
    }
    ck_assert_int_gt(tries, 15);
}

TEST(errors, points_allocate_nothing) {
    const carom_armed_biped_params biped = unit_biped(0.1);
    int needed[2];
    for (int i = 0; i < 2; i++) {
        const carom_gait_branch_params params = params_to_angle(i == 0 ? 0.0015 : 0.01);
        carom_gait_branch *branch = NULL;
        allocations = 0;
        const carom_status status =
            carom_gait_branch_trace(&biped, &UNIT_START, &params, &branch, NULL);
        needed[i] = allocations;
        assert_ok(status);
        carom_gait_branch_free(branch);
    }
    ck_assert_int_eq(needed[0], needed[1]);
}
