/* carom/timestepping/variational/variational.h: rows are the steps of the stepper, lists
 * run through the whole run, and what is refused. */
#include <carom/timestepping/internal.h>
#include <carom/timestepping/variational/variational.h>

#include "../../failing_malloc.h"
#include "variational_systems.h"

#include <gsl/gsl_math.h>

/* A ball that hits often, beside a block that slides on the floor until it sticks. */
static void ball_and_block(pile *p) {
    pile_init(p, 3, 2);
    p->mechanism.tangent_count = 1;
    p->mechanism.tangential_jacobian = pile_tangents;
    p->mechanism.friction = p->friction;
    p->M[0] = 2.0;
    p->M[4] = 2.0;
    p->M[8] = 0.3;
    p->load[1] = -2.0 * 9.81;
    p->load[2] = -0.3 * 9.81;
    p->N[1] = 1.0;
    p->N[5] = 1.0;
    p->H[0] = 1.0;
    p->friction[0] = 0.4;
    pile_restitute(p, 0.9);
}

static const double BALL_START[3] = {0.0, 0.0, 0.05};
static const double BALL_SPEED[3] = {0.8, 0.0, -0.3};

typedef struct told {
    int calls;
    int rows_done;
    int row_count;
} told;

static void listen(int rows_done, int row_count, void *context) {
    told *t = context;
    t->calls++;
    ck_assert_int_gt(rows_done, t->rows_done);
    t->rows_done = rows_done;
    t->row_count = row_count;
}

static carom_variational_params coarse(void) {
    carom_variational_params params = carom_variational_params_default();
    params.step = 0.01;
    return params;
}

/* A row against a result of the stepper. */
static void assert_row(const carom_variational_trajectory *run, int row,
                       const carom_variational_result *now, double h) {
    assert_close(run->rows->time[row], now->time, 0.0, 0.0);
    for (int i = 0; i < 3; i++) {
        assert_close(run->rows->position[3 * row + i], now->position[i], 0.0, 0.0);
        assert_close(run->rows->momentum[3 * row + i], now->momentum[i], 0.0, 0.0);
        assert_close(run->rows->velocity[3 * row + i], now->velocity[i], 0.0, 0.0);
    }
    for (int i = 0; i < 2; i++) {
        assert_close(run->rows->gap[2 * row + i], now->gap[i], 0.0, 0.0);
        assert_close(run->rows->contact_force[2 * row + i], now->contact_impulse[i] / h, 0.0, 0.0);
        assert_close(run->rows->holding_force[2 * row + i], now->holding_impulse[i] / h, 0.0, 0.0);
        assert_close(run->rows->friction_force[2 * row + i], now->friction_impulse[i] / h, 0.0,
                     0.0);
        ck_assert_int_eq(run->rows->held[2 * row + i], now->is_held[i]);
    }
    assert_close(run->rows->kinetic_energy[row], now->kinetic_energy, 0.0, 0.0);
    assert_close(run->rows->potential_energy[row], now->potential_energy, 0.0, 0.0);
}

/* The impacts of a result against those of the run from number `seen` on. @return those there */
static int assert_impacts(const carom_variational_trajectory *run, int seen,
                          const carom_variational_result *now) {
    for (int k = 0; k < now->impact_count; k++) {
        const carom_variational_impact *impact = &run->impacts[seen + k];
        const carom_variational_impact *own = &now->impacts[k];
        assert_close(impact->time, own->time, 0.0, 0.0);
        assert_close(impact->energy_before, own->energy_before, 0.0, 0.0);
        assert_close(impact->energy_after, own->energy_after, 0.0, 0.0);
        ck_assert_int_eq(impact->is_plastic, own->is_plastic);
        ck_assert_int_eq(impact->closed_count, own->closed_count);
        ck_assert_int_eq(impact->reflection_count, own->reflection_count);
        for (int i = 0; i < own->closed_count; i++) {
            ck_assert_int_eq(run->closed[impact->first_closed + i],
                             now->closed[own->first_closed + i]);
        }
        for (int i = 0; i < own->reflection_count; i++) {
            ck_assert_int_eq(run->reflection[impact->first_reflection + i],
                             now->reflection[own->first_reflection + i]);
        }
    }
    return now->impact_count;
}

/** The same run, as what an item of a map leaves; one that is cut anywhere is refused. */
static carom_variational_trajectory *through_bytes(const carom_mechanism *mechanism,
                                                   carom_variational_trajectory *run) {
    carom_parallel_bytes bytes = {NULL, 0, 0};
    assert_ok(carom_variational_trajectory_pack(run, &bytes));
    carom_variational_trajectory_free(run);
    carom_variational_trajectory *taken = NULL;
    for (size_t cut = 1; cut < bytes.size; cut += 1 + cut / 2) {
        const unsigned char *data = bytes.data;
        size_t left = bytes.size - cut;
        assert_status(carom_variational_trajectory_unpack(mechanism, &data, &left, &taken),
                      BAD_FORMAT);
        ck_assert_ptr_null(taken);
    }
    const unsigned char *data = bytes.data;
    size_t left = bytes.size;
    assert_ok(carom_variational_trajectory_unpack(mechanism, &data, &left, &taken));
    ck_assert_uint_eq(left, 0);
    carom_parallel_bytes_clear(&bytes);
    return taken;
}

TEST(unit, rows_are_the_steps_of_the_stepper) {
    pile p;
    ball_and_block(&p);
    const carom_variational_params params = coarse();
    carom_variational_trajectory *run = NULL;
    told heard = {0};
    assert_ok(carom_variational_trajectory_run(&p.mechanism, &params, 0.7, BALL_START, BALL_SPEED,
                                               2.004, listen, &heard, &run, NULL));
    run = through_bytes(&p.mechanism, run);
    ck_assert_int_eq(run->rows->row_count, 201);
    ck_assert_int_eq(heard.calls, 200);
    ck_assert_int_eq(heard.rows_done, 201);
    ck_assert_int_eq(heard.row_count, 201);
    ck_assert_int_eq(run->rows->coordinate_count, 3);
    ck_assert_int_eq(run->rows->contact_count, 2);
    ck_assert_int_eq(run->rows->tangent_count, 1);
    carom_variational_stepper *stepper = NULL;
    assert_ok(carom_variational_stepper_alloc(&p.mechanism, &params, &stepper, NULL));
    assert_ok(carom_variational_stepper_start(stepper, 0.7, BALL_START, BALL_SPEED, NULL, NULL));
    double loss = 0.0;
    double work = 0.0;
    int seen = 0;
    int plastic = 0;
    for (int row = 0; row < run->rows->row_count; row++) {
        if (row > 0) {
            assert_ok(carom_variational_stepper_advance(stepper, NULL));
        }
        const carom_variational_result *now = carom_variational_stepper_result(stepper);
        assert_row(run, row, now, params.step);
        loss += now->impact_loss;
        work += now->friction_work;
        assert_close(run->rows->impact_loss[row], loss, 1e-15, 0.0);
        assert_close(run->rows->friction_work[row], work, 1e-15, 0.0);
        seen += assert_impacts(run, seen, now);
    }
    ck_assert_int_eq(seen, run->impact_count);
    ck_assert_int_gt(seen, 20);
    int closed = 0;
    int reflections = 0;
    for (int k = 0; k < run->impact_count; k++) {
        plastic += run->impacts[k].is_plastic;
        ck_assert_int_eq(run->impacts[k].first_closed, closed);
        ck_assert_int_eq(run->impacts[k].first_reflection, reflections);
        closed += run->impacts[k].closed_count;
        reflections += run->impacts[k].reflection_count;
    }
    ck_assert_int_eq(plastic, 1);
    carom_variational_stepper_free(stepper);
    carom_variational_trajectory_free(run);
}

/* All energy is lost: that of the ball to impacts, that of the block to friction. */
TEST(unit, losses_are_counted_from_the_start) {
    pile p;
    ball_and_block(&p);
    const carom_variational_params params = coarse();
    carom_variational_trajectory *run = NULL;
    assert_ok(carom_variational_trajectory_run(&p.mechanism, &params, 0.0, BALL_START, BALL_SPEED,
                                               2.0, NULL, NULL, &run, NULL));
    const int last = run->rows->row_count - 1;
    const double ball = 0.3 * 9.81 * 0.05 + 0.5 * 0.3 * 0.3 * 0.3;
    assert_close(run->rows->impact_loss[last], ball, 1e-11, 0.0);
    /* a row that sticks has no speed at the middle of the step, and keeps up to half a step of
     * mu g at its ends */
    assert_close(run->rows->friction_work[last] + run->rows->kinetic_energy[last],
                 0.5 * 2.0 * 0.8 * 0.8, 1e-11, 0.0);
    ck_assert(run->rows->kinetic_energy[last] <= gsl_pow_2(0.4 * 9.81 * 0.01));
    assert_close(run->rows->time[last], 2.0, 1e-15, 0.0);
    /* at rest: the weights */
    ck_assert(run->rows->held[2 * last] == 1 && run->rows->held[2 * last + 1] == 1);
    assert_close(run->rows->holding_force[2 * last], 2.0 * 9.81, 1e-12, 0.0);
    assert_close(run->rows->holding_force[2 * last + 1], 0.3 * 9.81, 1e-12, 0.0);
    assert_close(run->rows->contact_force[2 * last + 1], 0.3 * 9.81, 1e-12, 0.0);
    /* while the block slides: mu m g */
    assert_close(run->rows->friction_force[2], -0.4 * 2.0 * 9.81, 1e-12, 0.0);
    carom_variational_trajectory_free(run);
}

TEST(unit, a_run_without_contacts_has_rows_alone) {
    pile p;
    pile_init(&p, 1, 0);
    p.K[0] = 4.0;
    carom_variational_params params = coarse();
    carom_variational_trajectory *run = NULL;
    const double q = 1.0;
    const double v = 0.0;
    assert_ok(carom_variational_trajectory_run(&p.mechanism, &params, 0.0, &q, &v, 0.0051, NULL,
                                               NULL, &run, NULL));
    ck_assert_int_eq(run->rows->row_count, 2);
    ck_assert_int_eq(run->impact_count, 0);
    /* midpoint rule: q_1 = q_0 (1 - w^2 h^2/4)/(1 + w^2 h^2/4) */
    assert_close(run->rows->position[1], (1.0 - 1e-4) / (1.0 + 1e-4), 1e-15, 0.0);
    carom_variational_trajectory_free(run);
}

/* The robot until some time after it has landed: held contacts stay closed, gaps stay open. */
TEST(property, the_robot_lands_and_runs_without_penetration) {
    carom_trex_params robot = robot_with_both_tips_down();
    for (int has_friction = 0; has_friction < 2; has_friction++) {
        robot.friction = has_friction == 1 ? 0.8 : 0.0;
        carom_model *model = NULL;
        assert_ok(carom_trex_alloc(&robot, &model, NULL));
        carom_variational_params params = carom_variational_params_default();
        params.impacts_without_friction = true;
        carom_variational_trajectory *run = NULL;
        carom_report report = carom_report_empty();
        const carom_status status = carom_variational_trajectory_run(
            &model->mechanism, &params, 0.0, model->initial_position, model->initial_velocity, 0.4,
            NULL, NULL, &run, &report);
        ck_assert_msg(status == CAROM_OK, "%s %s %g at %.17g", carom_status_name(status),
                      report.quantity == NULL ? "?" : report.quantity, report.value, report.time);
        ck_assert_int_eq(run->rows->row_count, 401);
        ck_assert_int_gt(run->impact_count, 0);
        assert_close(run->impacts[0].time, 0.18616796642, 0.0, 5.1e-12);
        for (int k = 0; k < run->impact_count; k++) {
            if (!run->impacts[k].is_plastic) {
                assert_close(run->impacts[k].energy_after, run->impacts[k].energy_before, 1e-12,
                             0.0);
            }
        }
        for (int i = 0; i < run->rows->row_count * CAROM_TREX_CONTACTS; i++) {
            ck_assert_msg(run->rows->gap[i] >= -1e-12, "%g", run->rows->gap[i]);
            ck_assert(run->rows->held[i] == 0 || run->rows->gap[i] <= 1e-9);
        }
        carom_variational_trajectory_free(run);
        carom_model_free(model);
    }
}

TEST(errors, malformed_runs_are_refused) {
    pile p;
    ball_and_block(&p);
    carom_variational_params params = coarse();
    carom_variational_trajectory *run = NULL;
    const double durations[5] = {0.0, 0.0049, -1.0, (double)NAN, HUGE_VAL};
    for (int k = 0; k < 5; k++) {
        carom_report report = carom_report_empty();
        const carom_status status =
            carom_variational_trajectory_run(&p.mechanism, &params, 0.0, BALL_START, BALL_SPEED,
                                             durations[k], NULL, NULL, &run, &report);
        ck_assert_int_eq(status, k < 3 ? CAROM_STATUS_OUT_OF_RANGE : CAROM_STATUS_NOT_FINITE);
        ck_assert_str_eq(report.quantity, "duration");
        ck_assert_ptr_null(run);
    }
    assert_status(carom_variational_trajectory_run(&p.mechanism, &params, 0.0, BALL_START,
                                                   BALL_SPEED, 1e12, NULL, NULL, &run, NULL),
                  OUT_OF_RANGE);
    const double below[3] = {0.0, 0.0, -1.0};
    assert_status(carom_variational_trajectory_run(&p.mechanism, &params, 0.0, below, BALL_SPEED,
                                                   1.0, NULL, NULL, &run, NULL),
                  PENETRATION);
    ck_assert_ptr_null(run);
    params.most_events = 1;
    carom_report report = carom_report_empty();
    assert_status(carom_variational_trajectory_run(&p.mechanism, &params, 0.0, BALL_START,
                                                   BALL_SPEED, 2.0, NULL, NULL, &run, &report),
                  NOT_CONVERGED);
    ck_assert_str_eq(report.quantity, "events within a step");
    ck_assert_ptr_null(run);
    params.step = -1.0;
    assert_status(carom_variational_trajectory_run(&p.mechanism, &params, 0.0, BALL_START,
                                                   BALL_SPEED, 1.0, NULL, NULL, &run, NULL),
                  OUT_OF_RANGE);
    carom_variational_trajectory_free(NULL);
}

TEST(errors, without_memory_nothing_is_lost) {
    pile p;
    ball_and_block(&p);
    const carom_variational_params params = coarse();
    int failures = 0;
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    for (int k = 0; status != CAROM_OK; k++) {
        carom_variational_trajectory *run = NULL;
        successes_left = k;
        status = carom_variational_trajectory_run(&p.mechanism, &params, 0.0, BALL_START,
                                                  BALL_SPEED, 0.5, NULL, NULL, &run, NULL);
        successes_left = -1;
        ck_assert(status == CAROM_OK || status == CAROM_STATUS_OUT_OF_MEMORY);
        ck_assert((run == NULL) == (status != CAROM_OK));
        failures += status != CAROM_OK;
        carom_variational_trajectory_free(run);
    }
    ck_assert_int_gt(failures, 50);
}
