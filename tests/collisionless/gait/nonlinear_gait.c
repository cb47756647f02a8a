/* carom/collisionless/gait/gait.h and its trajectories: published table, harmonic limit,
 * equations of motion, symmetry of the extended cycle, bipeds of other builds. */
#include "../../failing_malloc.h"
#include "gait_cases.h"

#include <carom/collisionless/gait/gait.h>
#include <carom/collisionless/gait/internal.h>

#include <gsl/gsl_math.h>
#include <gsl/gsl_odeiv2.h>
#include <string.h>

/* Calls of the library that end here (linker option --wrap), to make them fail on request. */
gsl_odeiv2_step *__real_gsl_odeiv2_step_alloc(const gsl_odeiv2_step_type *T, size_t dim);
gsl_odeiv2_step *__wrap_gsl_odeiv2_step_alloc(const gsl_odeiv2_step_type *T, size_t dim);

gsl_odeiv2_step *__wrap_gsl_odeiv2_step_alloc(const gsl_odeiv2_step_type *T, size_t dim) {
    return may_allocate() ? __real_gsl_odeiv2_step_alloc(T, dim) : NULL;
}

enum { INTERVALS = 96, HELD_INTERVALS = 24, LAST = INTERVALS + HELD_INTERVALS };

static carom_gait_trajectory *quarter_of(const carom_armed_biped_params *biped,
                                         const carom_nonlinear_gait *gait) {
    carom_gait_trajectory *quarter = NULL;
    assert_ok(
        carom_gait_trajectory_quarter(biped, gait, INTERVALS, HELD_INTERVALS, &quarter, NULL));
    return quarter;
}

/** What every gait must satisfy, from the mechanism with its feet at the samples. */
static void check_gait(const carom_armed_biped_params *biped, const carom_nonlinear_gait *gait) {
    const int n = gait->coordinate_count;
    const double theta = gait->half_step_angle;
    carom_gait_trajectory *quarter = quarter_of(biped, gait);
    carom_model *model = NULL;
    assert_ok(carom_armed_biped_alloc(biped, &model, NULL));
    const carom_mechanism *mechanism = &model->mechanism;
    double M[MOST_COORDINATES * MOST_COORDINATES];
    double f[MOST_COORDINATES];
    const double weight = biped->gravity * biped->lengths[0];
    const double time_unit = sqrt(biped->lengths[0] / biped->gravity);
    ck_assert_double_le(gait->residual, 1e-12);
    ck_assert_int_eq(quarter->landing, INTERVALS);

    for (int i = 0; i <= LAST; i++) {
        const double *q = quarter->position + i * n;
        const double *v = quarter->velocity + i * n;
        const double *a = quarter->acceleration + i * n;
        mechanism->mass(q, M, mechanism->context);
        mechanism->force(0.0, q, v, f, mechanism->context);
        // Equations of motion: every row in the air, all but the leg's on two feet.
        ck_assert_int_eq(quarter->is_double_support[i], i >= INTERVALS ? 1 : 0);
        for (int j = 0; j < (i >= INTERVALS ? n - 1 : n); j++) {
            double rest = -f[j];
            for (int k = 0; k < n; k++) {
                rest += M[j * n + k] * a[k];
            }
            assert_close(rest, 0.0, 0.0, 1e-12 * weight);
        }
        // The states follow each other: Hermite's quadrature, off by h^5/720 of a fifth derivative.
        if (i > 0) {
            const double h = quarter->time[i] - quarter->time[i - 1];
            for (int j = 0; j < n; j++) {
                const double v_sum = (v - n)[j] + v[j];
                const double a_change = (a - n)[j] - a[j];
                assert_close(q[j] - (q - n)[j], 0.5 * h * v_sum + h * h / 12.0 * a_change, 0.0,
                             20.0 * theta * gsl_pow_5(h / time_unit));
            }
        }
    }

    // At P everything rests; the foot lands without rate and acceleration; P' is its own mirror
    // image.
    const int landing = INTERVALS * n + n - 1;
    for (int j = 0; j < n; j++) {
        assert_close(quarter->velocity[j], 0.0, 0.0, 0.0);
        if (j < n - 1) {
            assert_close(quarter->position[LAST * n + j], j == 0 ? M_PI : 0.0, 0.0, 1e-12);
            assert_close(quarter->acceleration[LAST * n + j], 0.0, 0.0,
                         1e-10 * biped->gravity / biped->lengths[0]);
        }
    }
    assert_close(quarter->position[landing], -theta, 0.0, 1e-15);
    assert_close(quarter->velocity[landing], 0.0, 0.0, 1e-15);
    assert_close(quarter->acceleration[landing], 0.0, 0.0, 1e-15);
    assert_close(quarter->landing_force[INTERVALS], 0.0, 0.0, 1e-11 * biped->gravity / sin(theta));
    assert_close(quarter->landing_force[LAST], quarter->stance_force[LAST], 1e-9, 0.0);
    assert_close(quarter->time[LAST], gait->time + gait->constrained_time, 1e-15, 0.0);
    const carom_gait_conditions conditions = carom_gait_conditions_evaluate(biped, gait, quarter);
    ck_assert_double_le(conditions.energy_spread, 1e-12);
    assert_close(gait->energy, quarter->energy[0], 0.0, 1e-11 * weight);
    carom_model_free(model);
    carom_gait_trajectory_free(quarter);
}

/* ------------------------------------------------------------------------------------------ unit
 */

TEST(unit, gaits_are_those_of_the_reference) {
    // Reference table A.6, from another program.
    static const struct {
        double theta;
        double tau;
        double constrained_tau;
        double arm;
        double torso;
        double leg;
        double landing_force;
        double single_support;
    } rows[] = {
        {0.001, 3.0795760993, 0.7778261216, 0.01101593, 0.00253867, 0.00174499, 0.5000, 1.0000},
        {0.01, 3.0894719039, 0.7759122616, 0.11066407, 0.02544575, 0.01748430, 0.5016, 0.9968},
        {0.02, 3.1207417273, 0.7695687495, 0.22450030, 0.05125383, 0.03518178, 0.5066, 0.9871},
        {0.05, 3.4195276577, 0.6875785539, 0.63247068, 0.13472209, 0.09222341, 0.5510, 0.9186},
        {0.08, 4.5459104326, 0.3456236303, 1.38028416, 0.20208032, 0.15504524, 0.7204, 0.8045},
        {0.10, 6.4123521149, 0.1931621307, 2.42912269, 0.04103295, 0.13498813, 1.0005, 0.7664}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const carom_armed_biped_params biped = unit_biped(rows[i].theta);
        carom_nonlinear_gait *gait = unit_gait(rows[i].theta);
        // Half a unit of the printed digits, and as much for the other program.
        assert_close(gait->time, rows[i].tau, 0.0, 1e-10);
        assert_close(gait->constrained_time, rows[i].constrained_tau, 0.0, 1e-10);
        assert_close(gait->states[0] - M_PI, rows[i].arm, 0.0, 6e-9);
        assert_close(gait->states[1], rows[i].torso, 0.0, 6e-9);
        assert_close(gait->states[2], rows[i].leg, 0.0, 6e-9);
        assert_close(gait->half_step_angle, rows[i].theta, 0.0, 0.0);
        carom_gait_trajectory *quarter = quarter_of(&biped, gait);
        const carom_gait_conditions conditions =
            carom_gait_conditions_evaluate(&biped, gait, quarter);
        assert_close(conditions.max_landing_force, rows[i].landing_force, 0.0, 5.1e-5);
        assert_close(conditions.min_single_support, rows[i].single_support, 0.0, 5.1e-5);
        ck_assert(conditions.is_realizable);
        carom_gait_trajectory_free(quarter);
        check_gait(&biped, gait);
        carom_nonlinear_gait_free(gait);
    }
}

TEST(unit, arm_is_nearly_inverted_at_the_last_angle_of_the_reference) {
    const carom_armed_biped_params biped = unit_biped(0.1085);
    carom_nonlinear_gait *gait = unit_gait(0.1085);
    assert_close(gait->time, 11.4112, 0.0, 5e-5);
    assert_close(gait->states[0] - M_PI, 3.0670, 0.0, 5e-5);
    check_gait(&biped, gait);
    carom_nonlinear_gait_free(gait);
}

TEST(unit, times_begin_with_the_square_of_the_angle) {
    // Reference: tau = 3.0794772 + 98.93 theta^2, tau' = 0.7778450 - 18.905 theta^2; energy
    // above equilibrium 52.481137629 theta^2 (A.2). Extrapolated over theta^4.
    double slope[2][3];
    for (int i = 0; i < 2; i++) {
        const double theta = (i + 1) * 2e-3;
        carom_nonlinear_gait *gait = unit_gait(theta);
        slope[i][0] = (gait->time - UNIT_START.time) / gsl_pow_2(theta);
        slope[i][1] = (gait->constrained_time - UNIT_START.constrained_time) / gsl_pow_2(theta);
        slope[i][2] = gait->excess_energy / gsl_pow_2(theta);
        carom_nonlinear_gait_free(gait);
    }
    const double tau = (4.0 * slope[0][0] - slope[1][0]) / 3.0;
    const double constrained_tau = (4.0 * slope[0][1] - slope[1][1]) / 3.0;
    assert_close(tau, 98.93, 0.0, 6e-3);
    assert_close(constrained_tau, -18.905, 0.0, 6e-4);
    // What is left is theta^4, some 1e4 of it: 1e-7 of the energy.
    assert_close((4.0 * slope[0][2] - slope[1][2]) / 3.0, 52.481137629, 2e-6, 0.0);
}

TEST(unit, small_gaits_are_harmonic) {
    const double theta = 1e-4;
    const carom_armed_biped_params biped = unit_biped(theta);
    carom_nonlinear_gait *gait = unit_gait(theta);
    carom_gait_trajectory *quarter = NULL;
    assert_ok(carom_gait_trajectory_quarter(&biped, gait, 2, 2, &quarter, NULL));
    // Reference table A.2 in units of theta, at the impact, half way to P', at P'; the leg is
    // measured from the vertical here. Corrections are some thousand theta^2.
    static const double positions[3][2] = {
        {-9.198850439, -2.5}, {-5.154200589, -1.422027909}, {0.0, 0.0}};
    static const double velocities[3][2] = {
        {8.142261020, 2.067564698}, {12.271065374, 3.353031212}, {13.748424747, 3.809410824}};
    static const double accelerations[3][2] = {
        {13.397700879, 4.198850439}, {7.464345360, 2.310144772}, {0.0, 0.0}};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 2; j++) {
            const int place = (2 + i) * 3 + j;
            const double zero = j == 0 ? M_PI : 0.0;
            assert_close((quarter->position[place] - zero) / theta, positions[i][j], 0.0, 2e-4);
            assert_close(quarter->velocity[place] / theta, velocities[i][j], 0.0, 2e-4);
            assert_close(quarter->acceleration[place] / theta, accelerations[i][j], 0.0, 2e-4);
        }
    }
    // A.2: jerk of the leg before the landing -4.135129397; force 5 F/F^0 theta of weight 5 over
    // the lever 2 theta; (m^-1)_33 = 1.
    assert_close(quarter->landing_jerk / theta, -4.135129397, 1e-5, 0.0);
    assert_close(quarter->landing_force_rate, 4.135129397 / 2.0, 1e-5, 0.0);
    assert_close(quarter->landing_force[3] / 5.0, 0.431188837 / 2.0, 1e-5, 0.0);
    carom_gait_trajectory_free(quarter);
    carom_nonlinear_gait_free(gait);
}

TEST(unit, harmonic_start_is_that_of_the_reference) {
    const carom_armed_biped_params biped = unit_biped(0.1);
    double position[3];
    carom_gait_start start;
    assert_ok(carom_harmonic_start_compute(&biped, 2, 0, position, &start, NULL));
    for (int j = 0; j < 3; j++) {
        assert_close(position[j], UNIT_POSITION[j], 0.0, 5.1e-10);
    }
    assert_close(start.time, UNIT_START.time, 1e-14, 0.0);
    assert_close(start.constrained_time, UNIT_START.constrained_time, 1e-13, 0.0);
    ck_assert_ptr_eq(start.position, position);
}

/* -------------------------------------------------------------------------------------- property
 */

/** Extend a gait and check that it is one periodic motion of the body in space. */
static void check_cycle(const carom_armed_biped_params *biped, const carom_nonlinear_gait *gait) {
    const int n = gait->coordinate_count;
    const double theta = gait->half_step_angle;
    const double step = 2.0 * biped->lengths[0] * sin(theta);
    carom_gait_trajectory *quarter = quarter_of(biped, gait);
    carom_gait_trajectory *cycle = NULL;
    assert_ok(carom_gait_trajectory_extend(biped, quarter, &cycle));
    ck_assert_int_eq(cycle->count, 4 * LAST + 1);
    ck_assert_int_eq(cycle->landing, INTERVALS);
    assert_close(cycle->time[4 * LAST], 4.0 * (gait->time + gait->constrained_time), 1e-14, 0.0);
    assert_close(cycle->landing_jerk, quarter->landing_jerk, 0.0, 0.0);
    assert_close(cycle->landing_force_rate, quarter->landing_force_rate, 0.0, 0.0);
    for (int i = 1; i <= 4 * LAST; i++) {
        const double h = cycle->time[i] - cycle->time[i - 1];
        ck_assert_double_gt(h, 0.0);
        const bool is_on_b = i > LAST && i <= 3 * LAST;
        ck_assert_int_eq(cycle->stance_foot[i], is_on_b ? 1 : 0);
        const double *q = cycle->position + i * n;
        const double *v = cycle->velocity + i * n;
        const double *a = cycle->acceleration + i * n;
        for (int j = 0; j < n; j++) {
            // Where the stance foot changes the other leg is looked at, which stands 2 theta away.
            const bool is_exchanged =
                j == n - 1 && cycle->stance_foot[i] != cycle->stance_foot[i - 1];
            const double exchange = is_exchanged ? (is_on_b ? 2.0 * theta : -2.0 * theta) : 0.0;
            assert_close(q[j] - (q - n)[j],
                         exchange + 0.5 * h * ((v - n)[j] + v[j]) +
                             h * h / 12.0 * ((a - n)[j] - a[j]),
                         0.0, 1e-6 * theta);
            // Rates are continuous through every landing and lift-off.
            assert_close(v[j] - (v - n)[j], 0.5 * h * ((a - n)[j] + a[j]), 0.0, 2e-3 * theta);
        }
        // The motion is the same after a period, and the mirror image after half of it: forces too.
        const int other = (i + 2 * LAST) % (4 * LAST);
        assert_close(cycle->stance_force[i], cycle->stance_force[other], 1e-9, 0.0);
        assert_close(cycle->horizontal_force[i], -cycle->horizontal_force[other], 0.0,
                     1e-9 * biped->gravity);
        assert_close(q[1], -cycle->position[other * n + 1], 0.0, 1e-11);
        assert_close(q[0] - M_PI, M_PI - cycle->position[other * n], 0.0, 1e-11);
        assert_close(cycle->energy[i], gait->energy, 1e-12, 0.0);
        ck_assert_double_ge(cycle->gap[i], -1e-15);
        ck_assert_double_gt(cycle->stance_force[i], 0.0);
        if (cycle->is_double_support[i] == 0) {
            assert_close(cycle->landing_force[i], 0.0, 0.0, 0.0);
            assert_close(cycle->gap[i], step * sin(fabs(q[n - 1] + (is_on_b ? -theta : theta))),
                         1e-9, 1e-15);
        }
    }
    carom_gait_trajectory_free(cycle);
    carom_gait_trajectory_free(quarter);
}

TEST(property, a_cycle_is_one_periodic_motion) {
    const carom_armed_biped_params biped = unit_biped(0.06);
    carom_nonlinear_gait *gait = unit_gait(0.06);
    check_cycle(&biped, gait);
    carom_nonlinear_gait_free(gait);
}

TEST(property, bipeds_of_other_builds_have_gaits) {
    static const double lengths[5] = {0.9, 0.35, 0.3, 0.6, 0.4};
    static const double masses[6] = {1.1, 8.0, 9.0, 12.0, 4.0, 2.0};
    static const int links[] = {0, 1, 2, 3};
    for (size_t i = 0; i < sizeof links / sizeof links[0]; i++) {
        const carom_armed_biped_params biped = {.torso_count = links[i],
                                                .has_arm = true,
                                                .lengths = lengths,
                                                .masses = masses,
                                                .gravity = 9.81,
                                                .half_step_angle = 2e-3};
        double position[MOST_COORDINATES];
        carom_gait_start start;
        assert_ok(carom_harmonic_start_compute(&biped, 2, 0, position, &start, NULL));
        carom_nonlinear_gait *gait = gait_of(&biped, &start);
        ck_assert_int_eq(gait->coordinate_count, links[i] + 2);
        check_gait(&biped, gait);
        if (links[i] == 2) {
            check_cycle(&biped, gait);
        }
        carom_nonlinear_gait_free(gait);
    }
}

TEST(property, a_change_of_units_changes_times_only) {
    // Lengths times 0.7, masses times 3, gravity times 9.81: times by sqrt(0.7/9.81).
    double lengths[3];
    double masses[4];
    for (int i = 0; i < 4; i++) {
        masses[i] = 3.0;
        if (i < 3) {
            lengths[i] = 0.7;
        }
    }
    carom_armed_biped_params biped = unit_biped(0.03);
    carom_nonlinear_gait *unit = gait_of(&biped, &UNIT_START);
    biped.lengths = lengths;
    biped.masses = masses;
    biped.gravity = 9.81;
    const double factor = sqrt(0.7 / 9.81);
    const carom_gait_start start = {UNIT_POSITION, factor * UNIT_START.time,
                                    factor * UNIT_START.constrained_time};
    carom_nonlinear_gait *gait = gait_of(&biped, &start);
    assert_close(gait->time, factor * unit->time, 1e-11, 0.0);
    assert_close(gait->constrained_time, factor * unit->constrained_time, 1e-11, 0.0);
    assert_close(gait->energy, 3.0 * 0.7 * 9.81 * unit->energy, 1e-11, 0.0);
    assert_close(gait->excess_energy, 3.0 * 0.7 * 9.81 * unit->excess_energy, 1e-9, 0.0);
    for (int j = 0; j < 3; j++) {
        assert_close(gait->states[j], unit->states[j], 0.0, 1e-11);
    }
    check_gait(&biped, gait);
    carom_nonlinear_gait_free(gait);
    carom_nonlinear_gait_free(unit);
}

/* ---------------------------------------------------------------------------------------- errors
 */

/** The biped, start or parameters are refused with this quantity. */
static void check_refused(const carom_armed_biped_params *biped, const carom_gait_start *start,
                          const carom_gait_params *params, carom_status expected,
                          const char *quantity) {
    carom_report report = carom_report_empty();
    carom_nonlinear_gait *gait = (carom_nonlinear_gait *)&report;
    const carom_status status = carom_nonlinear_gait_solve(biped, start, params, &gait, &report);
    ck_assert_str_eq(carom_status_name(status), carom_status_name(expected));
    ck_assert_str_eq(report.quantity, quantity);
    ck_assert_ptr_null(gait);
}

TEST(errors, what_has_no_gait_is_refused) {
    static const double short_leg[3] = {-1.0, 1.0, 1.0};
    static const double nan_position[3] = {11.0, (double)NAN, 1.0};
    static const double other_position[3] = {11.015, 2.54, 1.078};
    carom_armed_biped_params biped = unit_biped(0.0);
    check_refused(&biped, &UNIT_START, NULL, CAROM_STATUS_OUT_OF_RANGE, "half step angle");
    biped.half_step_angle = -0.01;
    check_refused(&biped, &UNIT_START, NULL, CAROM_STATUS_OUT_OF_RANGE, "half step angle");
    biped = unit_biped(0.01);
    biped.lengths = short_leg;
    check_refused(&biped, &UNIT_START, NULL, CAROM_STATUS_OUT_OF_RANGE, "length");
    biped = unit_biped(0.01);
    biped.has_arm = false;
    check_refused(&biped, &UNIT_START, NULL, CAROM_STATUS_OUT_OF_RANGE, "arm");
    biped = unit_biped(0.01);
    carom_gait_start start = UNIT_START;
    start.position = nan_position;
    check_refused(&biped, &start, NULL, CAROM_STATUS_NOT_FINITE, "start position");
    start.position = other_position;
    check_refused(&biped, &start, NULL, CAROM_STATUS_CONFLICT, "start position");
    start = UNIT_START;
    start.time = 0.0;
    check_refused(&biped, &start, NULL, CAROM_STATUS_OUT_OF_RANGE, "tau");
    start.time = 3.0;
    check_refused(&biped, &start, NULL, CAROM_STATUS_CONFLICT, "start position");
    start = UNIT_START;
    start.constrained_time = -1.0;
    check_refused(&biped, &start, NULL, CAROM_STATUS_OUT_OF_RANGE, "constrained tau");
    start.constrained_time = (double)INFINITY;
    check_refused(&biped, &start, NULL, CAROM_STATUS_NOT_FINITE, "constrained tau");

    carom_gait_params params = carom_gait_params_default();
    params.segments = 0;
    check_refused(&biped, &UNIT_START, &params, CAROM_STATUS_OUT_OF_RANGE, "segments");
    params = carom_gait_params_default();
    params.constrained_segments = 0;
    check_refused(&biped, &UNIT_START, &params, CAROM_STATUS_OUT_OF_RANGE, "constrained segments");
    params = carom_gait_params_default();
    params.integration_error = 0.0;
    check_refused(&biped, &UNIT_START, &params, CAROM_STATUS_OUT_OF_RANGE, "integration error");
    params = carom_gait_params_default();
    params.residual = (double)NAN;
    check_refused(&biped, &UNIT_START, &params, CAROM_STATUS_NOT_FINITE, "residual");
    params = carom_gait_params_default();
    params.max_iterations = 0;
    check_refused(&biped, &UNIT_START, &params, CAROM_STATUS_OUT_OF_RANGE, "iterations");

    double position[3];
    biped.has_arm = false;
    assert_status(carom_harmonic_start_compute(&biped, 2, 0, position, &start, NULL), OUT_OF_RANGE);
    ck_assert(isnan(position[0]) && isnan(start.time) && isnan(start.constrained_time));
    biped = unit_biped(0.01);
    assert_status(carom_harmonic_start_compute(&biped, 1, 0, position, &start, NULL), OUT_OF_RANGE);
    ck_assert(isnan(position[2]) && isnan(start.time));
}

TEST(errors, beyond_the_end_of_the_family_nothing_converges) {
    const carom_armed_biped_params biped = unit_biped(0.2);
    carom_report report = carom_report_empty();
    carom_nonlinear_gait *gait = NULL;
    assert_status(carom_nonlinear_gait_solve(&biped, &UNIT_START, NULL, &gait, &report),
                  NOT_CONVERGED);
    ck_assert_ptr_null(gait);
    ck_assert_str_eq(report.quantity, "half step angle");
    // The family ends at an angle a little below 0.11.
    ck_assert_double_gt(report.value, 0.109);
    ck_assert_double_lt(report.value, 0.110);
    // A residual below rounding is never reached.
    carom_gait_params params = carom_gait_params_default();
    params.residual = 1e-30;
    const carom_armed_biped_params other = unit_biped(0.01);
    assert_status(carom_nonlinear_gait_solve(&other, &UNIT_START, &params, &gait, NULL),
                  NOT_CONVERGED);
}

TEST(errors, trajectories_of_another_biped_are_refused) {
    const carom_armed_biped_params biped = unit_biped(0.01);
    carom_nonlinear_gait *gait = unit_gait(0.01);
    carom_gait_trajectory *quarter = NULL;
    carom_report report = carom_report_empty();
    assert_status(carom_gait_trajectory_quarter(&biped, gait, 0, 4, &quarter, &report),
                  OUT_OF_RANGE);
    ck_assert_str_eq(report.quantity, "intervals");
    assert_status(carom_gait_trajectory_quarter(&biped, gait, 4, 0, &quarter, &report),
                  OUT_OF_RANGE);
    carom_armed_biped_params other = biped;
    other.has_arm = false;
    assert_status(carom_gait_trajectory_quarter(&other, gait, 4, 4, &quarter, &report), CONFLICT);
    other = biped;
    other.gravity = -1.0;
    assert_status(carom_gait_trajectory_quarter(&other, gait, 4, 4, &quarter, &report),
                  OUT_OF_RANGE);
    ck_assert_str_eq(report.quantity, "gravity");
    ck_assert_ptr_null(quarter);
    carom_gait_trajectory_free(NULL);
    carom_nonlinear_gait_free(gait);
    carom_nonlinear_gait_free(NULL);
}

TEST(errors, every_failing_allocation_is_reported) {
    const carom_armed_biped_params biped = unit_biped(1e-3);
    for (int subject = 0; subject < 4; subject++) {
        carom_nonlinear_gait *gait = unit_gait(1e-3);
        carom_gait_trajectory *quarter = quarter_of(&biped, gait);
        carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
        for (int tries = 0; status != CAROM_OK; tries++) {
            ck_assert_int_lt(tries, 400);
            carom_nonlinear_gait *other_gait = NULL;
            carom_gait_trajectory *trajectory = NULL;
            double position[3];
            carom_gait_start start;
            successes_left = tries;
            if (subject == 0) {
                status = carom_nonlinear_gait_solve(&biped, &UNIT_START, NULL, &other_gait, NULL);
            } else if (subject == 1) {
                status = carom_gait_trajectory_quarter(&biped, gait, 8, 8, &trajectory, NULL);
            } else if (subject == 2) {
                status = carom_gait_trajectory_extend(&biped, quarter, &trajectory);
            } else {
                status = carom_harmonic_start_compute(&biped, 2, 0, position, &start, NULL);
            }
            successes_left = -1;
            if (status != CAROM_OK) {
                ck_assert_str_eq(carom_status_name(status), "OUT_OF_MEMORY");
                ck_assert_ptr_null(other_gait);
                ck_assert_ptr_null(trajectory);
            }
            carom_nonlinear_gait_free(other_gait);
            carom_gait_trajectory_free(trajectory);
        }
        carom_gait_trajectory_free(quarter);
        carom_nonlinear_gait_free(gait);
    }
}
