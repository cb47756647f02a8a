/* carom/timestepping/internal.h: exact flights of balls on a line between propagative impacts. */
#include <carom/models/ball_chain.h>
#include <carom/timestepping/internal.h>

#include "../failing_malloc.h"
#include "../support.h"

#include <math.h>

enum { MOST_BALLS = 8 };

/** Gaps that rounding leaves between balls that meet, m. */
static const double TOUCHING = 1e-12;

static carom_model *chain_of(int balls, const double *masses, const double *velocities,
                             const double *gaps, double restitution) {
    double radii[MOST_BALLS];
    for (int i = 0; i < balls; i++) {
        radii[i] = 0.137;
    }
    const carom_ball_chain_params params = {.balls = balls,
                                            .masses = masses,
                                            .radii = radii,
                                            .velocities = velocities,
                                            .gaps = gaps,
                                            .restitution = restitution};
    carom_model *model;
    assert_ok(carom_ball_chain_alloc(&params, &model, NULL));
    return model;
}

static carom_force_free_params params_of(int most_impacts) {
    return (carom_force_free_params){carom_propagative_params_default(), TOUCHING, most_impacts};
}

static carom_trajectory *run(const carom_model *model, double duration) {
    const carom_force_free_params params = params_of(1000);
    carom_trajectory *rows;
    assert_ok(carom_force_free_run(&model->mechanism, &params, model->initial_position,
                                   model->initial_velocity, duration, &rows, NULL));
    return rows;
}

TEST(unit, two_balls_meet_when_their_gap_is_closed_and_part_by_newtons_law) {
    // t* = gap/(v_1 - v_2); v' by momentum and e; afterwards straight lines.
    const double m[2] = {1.385, 0.731};
    const double v[2] = {1.117, -0.643};
    const double gap = 0.893;
    const double e = 0.62;
    carom_model *model = chain_of(2, m, v, &gap, e);
    carom_trajectory *rows = run(model, 2.0);
    const double meeting = gap / (v[0] - v[1]);
    const double centre = (m[0] * v[0] + m[1] * v[1]) / (m[0] + m[1]);
    const double after[2] = {centre - e * m[1] / (m[0] + m[1]) * (v[0] - v[1]),
                             centre + e * m[0] / (m[0] + m[1]) * (v[0] - v[1])};
    ck_assert_int_eq(rows->row_count, 4);
    assert_close(rows->time[1], meeting, 1e-14, 0.0);
    assert_close(rows->time[2], meeting, 1e-14, 0.0);
    assert_close(rows->time[3], 2.0, 0.0, 0.0);
    for (int i = 0; i < 2; i++) {
        // The energetic restitution of a single contact is Newton's.
        assert_close(rows->velocity[2 * 2 + i], after[i], 1e-13, 0.0);
        const double end = model->initial_position[i] + meeting * v[i] + (2.0 - meeting) * after[i];
        assert_close(rows->position[3 * 2 + i], end, 1e-13, 1e-13);
    }
    const double energy = 0.5 * (m[0] * after[0] * after[0] + m[1] * after[1] * after[1]);
    assert_close(rows->kinetic_energy[3], energy, 1e-13, 0.0);
    carom_trajectory_free(rows);
    carom_model_free(model);
}

TEST(property, equal_balls_end_with_sorted_velocities_and_their_energy) {
    gsl_rng *generator = seeded_generator(20261127UL);
    for (int round = 0; round < 50; round++) {
        const int n = 2 + round % (MOST_BALLS - 1);
        double m[MOST_BALLS];
        double v[MOST_BALLS];
        double gaps[MOST_BALLS];
        for (int i = 0; i < n; i++) {
            m[i] = 0.731;
            v[i] = uniform(generator, -2.0, 2.0);
            gaps[i] = uniform(generator, 0.01, 1.0);
        }
        carom_model *model = chain_of(n, m, v, gaps, 1.0);
        // Velocities that differ by less take longer than this to meet once in a thousand draws.
        carom_trajectory *rows = run(model, 1e5);
        const double *end = rows->velocity + (rows->row_count - 1) * n;
        double sum = 0.0;
        for (int i = 0; i < n; i++) {
            ck_assert(i == 0 || end[i - 1] <= end[i] + 1e-10);
            int same = 0;
            for (int k = 0; k < n; k++) {
                same += fabs(end[k] - v[i]) < 1e-10 ? 1 : 0;
            }
            ck_assert_int_eq(same, 1);
            sum += 0.5 * m[i] * v[i] * v[i];
        }
        for (int k = 0; k < rows->row_count; k++) {
            assert_close(rows->kinetic_energy[k], sum, 1e-12, 0.0);
        }
        carom_trajectory_free(rows);
        carom_model_free(model);
    }
    gsl_rng_free(generator);
}

TEST(errors, impacts_without_an_end_are_told_with_their_time) {
    // A light ball between two that are 1e10 times heavier, which meet after 0.405 s but for it: it
    // is hit some pi/2 times the root of that ratio before they turn.
    const double m[3] = {1e10, 1.0, 1e10};
    const double v[3] = {1.0, 0.0, -1.0};
    const double gaps[2] = {0.31, 0.5};
    carom_model *model = chain_of(3, m, v, gaps, 1.0);
    const carom_force_free_params params = params_of(100);
    carom_report report = carom_report_empty();
    carom_trajectory *rows;
    assert_status(carom_force_free_run(&model->mechanism, &params, model->initial_position,
                                       model->initial_velocity, 5.0, &rows, &report),
                  NOT_CONVERGED);
    ck_assert_ptr_null(rows);
    assert_close(report.value, 100.0, 0.0, 0.0);
    ck_assert(report.time > 0.31 && report.time < 0.405);
    carom_model_free(model);
}

TEST(errors, a_duration_that_is_not_positive_is_refused) {
    const double m[2] = {1.0, 1.0};
    const double v[2] = {1.0, 0.0};
    const double gap = 0.1;
    carom_model *model = chain_of(2, m, v, &gap, 1.0);
    const carom_force_free_params params = params_of(100);
    carom_report report = carom_report_empty();
    carom_trajectory *rows;
    assert_status(carom_force_free_run(&model->mechanism, &params, model->initial_position,
                                       model->initial_velocity, 0.0, &rows, &report),
                  OUT_OF_RANGE);
    ck_assert_str_eq(report.quantity, "duration");
    ck_assert_ptr_null(rows);
    carom_model_free(model);
}

TEST(errors, allocations_that_fail_are_reported) {
    const double m[3] = {1.0, 1.0, 1.0};
    const double v[3] = {1.0, 0.0, 0.0};
    const double gaps[2] = {0.1, 0.2};
    carom_model *model = chain_of(3, m, v, gaps, 1.0);
    const carom_force_free_params params = params_of(100);
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    for (int k = 0; status == CAROM_STATUS_OUT_OF_MEMORY; k++) {
        carom_trajectory *rows;
        successes_left = k;
        status = carom_force_free_run(&model->mechanism, &params, model->initial_position,
                                      model->initial_velocity, 1.0, &rows, NULL);
        successes_left = -1;
        ck_assert(status == CAROM_OK || rows == NULL);
        carom_trajectory_free(rows);
    }
    assert_ok(status);
    carom_model_free(model);
}
