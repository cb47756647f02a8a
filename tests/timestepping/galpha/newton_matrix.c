/*
 * The Newton matrices against central differences of the residuals they belong to: every scheme,
 * every model, random mechanisms with M(q), damping and nonlinear joints, full and banded storage,
 * random states and active sets; rows that turn and rows that are held.
 */
#include "../../units.h"
#include "random_mechanism.h"
#include "runs.h"

#include <carom/models/ball_column.h>
#include <carom/models/bouncing_ball.h>
#include <carom/models/bouncing_pendulum.h>
#include <carom/models/elastic_bar.h>
#include <carom/models/rocking_block.h>
#include <carom/timestepping/galpha/galpha.h>
#include <carom/timestepping/galpha/schemes.h>

/* Central differences of O(1) residuals: truncation and rounding both near 1e-10. */
static const double DIFFERENCE = 1e-5;
static const double ACCEPTED_ERROR = 1e-8;

/* One scheme on one mechanism at a random iterate. */
typedef struct iterate {
    carom_step_context step;
    carom_step_state last;
    carom_step_state next;
    carom_ggl ggl;
    carom_velocity_level velocity_level;
    carom_smooth_galpha smooth;
    carom_newton_problem *problem;
    carom_saddle *saddle;
    int size;
} iterate;

static void randomise(gsl_rng *generator, int count, double size, double *x) {
    for (int i = 0; i < count; i++) {
        x[i] = uniform(generator, -size, size);
    }
}

static void bind_scheme(iterate *it) {
    const int n = it->step.n;
    const int m = it->step.m;
    const int joints = it->step.joint_count;
    const carom_layout layout = it->step.mechanism->layout;
    switch (it->step.params.scheme) {
    case CAROM_SCHEME_NONSMOOTH_GALPHA:
    case CAROM_SCHEME_MODIFIED_LCP:
        assert_ok(carom_ggl_init(&it->ggl, &it->step,
                                 it->step.params.scheme == CAROM_SCHEME_MODIFIED_LCP));
        assert_ok(carom_ggl_use_matrix(&it->ggl));
        it->problem = &it->ggl.problem;
        it->size = 3 * n + joints + 2 * m;
        assert_ok(carom_saddle_alloc(layout, 3, joints + 2 * m, &it->saddle));
        break;
    case CAROM_SCHEME_SMOOTH_GALPHA:
        carom_smooth_galpha_init(&it->smooth, &it->step);
        it->problem = &it->smooth.problem;
        it->size = n + m;
        assert_ok(carom_saddle_alloc(layout, 1, m, &it->saddle));
        break;
    default:
        assert_ok(carom_velocity_level_init(&it->velocity_level, &it->step));
        it->problem = &it->velocity_level.problem;
        it->size = 2 * n + m;
        assert_ok(carom_saddle_alloc(layout, 2, m, &it->saddle));
        break;
    }
}

static void iterate_init(iterate *it, const carom_mechanism *mechanism, carom_scheme scheme,
                         double h, double radius) {
    *it = (iterate){0};
    carom_step_context *step = &it->step;
    step->mechanism = mechanism;
    step->params = carom_stepper_params_default(scheme);
    step->params.step = h;
    step->galpha = carom_galpha_coefficients_from_radius(radius);
    step->theta = 1.0 / (1.0 + radius);
    step->n = mechanism->coordinate_count;
    step->joint_count = mechanism->joint_count;
    step->m = carom_mechanism_constraint_count(mechanism);
    step->time = 0.737;
    assert_ok(carom_evaluation_init(&step->evaluation, mechanism));
    assert_ok(carom_step_state_init(&it->last, step->n, step->n, step->m));
    assert_ok(carom_step_state_init(&it->next, step->n, step->n, step->m));
    assert_ok(carom_step_scales_init(&step->scales, step->n, step->m));
    step->last = &it->last;
    step->next = &it->next;
    step->activation = calloc((size_t)step->m + 1, sizeof(double));
    step->rests = calloc((size_t)step->m + 1, sizeof *step->rests);
    ck_assert_ptr_nonnull(step->activation);
    ck_assert_ptr_nonnull(step->rests);
    bind_scheme(it);
}

static void iterate_clear(iterate *it) {
    carom_ggl_clear(&it->ggl);
    carom_velocity_level_clear(&it->velocity_level);
    carom_saddle_free(it->saddle);
    carom_evaluation_clear(&it->step.evaluation);
    carom_step_state_clear(&it->last);
    carom_step_state_clear(&it->next);
    carom_step_scales_clear(&it->step.scales);
    free(it->step.activation);
    free(it->step.rests);
}

/* A state without any relation between its parts: the derivative must hold everywhere. */
static void draw_state(iterate *it, gsl_rng *generator) {
    carom_step_state *x = &it->next;
    const int n = it->step.n;
    const int m = it->step.m;
    randomise(generator, n, 0.7, x->position);
    randomise(generator, n, 1.3, x->velocity);
    randomise(generator, n, 0.9, x->smooth_velocity);
    randomise(generator, n, 1.1, x->velocity_jump);
    randomise(generator, n, 2.3, x->smooth_acceleration);
    randomise(generator, n, 0.4, x->position_correction);
    randomise(generator, m, 1.7, x->force);
    randomise(generator, m, 1.9, x->impulse);
    randomise(generator, m, 0.6, x->position_multiplier);
    randomise(generator, m, 1.2, x->rate_before);
    if (it->step.params.scheme != CAROM_SCHEME_SMOOTH_GALPHA) {
        for (int i = 0; i < n; i++) { /* v is v~ + W wherever a scheme updates it */
            x->velocity[i] = x->smooth_velocity[i] + x->velocity_jump[i];
        }
        /* lambda~ exists on the joints of the position-level schemes only */
        const bool has_force = it->problem == &it->ggl.problem;
        for (int j = has_force ? it->step.joint_count : 0; j < m; j++) {
            x->force[j] = 0.0;
        }
    }
    for (int j = 0; j < m; j++) {
        x->position_active[j] = j < it->step.joint_count || gsl_rng_uniform(generator) < 0.5;
        x->velocity_active[j] = j < it->step.joint_count || gsl_rng_uniform(generator) < 0.5;
    }
}

/* Residual after moving unknown k by a distance. */
static void moved_residual(iterate *it, int k, double distance, double *dx, double *r) {
    dx[k] = distance;
    it->problem->update(it->problem->self, dx);
    dx[k] = 0.0;
    it->problem->residual(it->problem->self, r);
}

static double largest_error(iterate *it) {
    const size_t size = (size_t)it->size;
    double *dx = calloc(size, sizeof *dx);
    double *above = calloc(size, sizeof *above);
    double *below = calloc(size, sizeof *below);
    ck_assert(dx != NULL && above != NULL && below != NULL);
    it->problem->residual(it->problem->self, above);
    it->problem->assemble(it->problem->self, it->saddle);
    double error = 0.0;
    double largest = 1.0;
    for (int k = 0; k < it->size; k++) {
        moved_residual(it, k, DIFFERENCE, dx, above);
        moved_residual(it, k, -2.0 * DIFFERENCE, dx, below);
        dx[k] = DIFFERENCE;
        it->problem->update(it->problem->self, dx);
        dx[k] = 0.0;
        for (int i = 0; i < it->size; i++) {
            const double difference = (above[i] - below[i]) / (2.0 * DIFFERENCE);
            const double entry = carom_saddle_entry(it->saddle, i, k);
            error = fmax(error, fabs(entry - difference));
            largest = fmax(largest, fabs(entry));
        }
    }
    free(dx);
    free(above);
    free(below);
    return error / largest;
}

/* max |S dx + r| beside its terms. */
static double defect_of(const iterate *it, const double *r, const double *dx) {
    double defect = 0.0;
    for (int i = 0; i < it->size; i++) {
        double sum = r[i];
        double terms = fabs(r[i]);
        for (int k = 0; k < it->size; k++) {
            const double term = carom_saddle_entry(it->saddle, i, k) * dx[k];
            sum += term;
            terms += fabs(term);
        }
        defect = fmax(defect, terms > 0.0 ? fabs(sum) / terms : 0.0);
    }
    return defect;
}

/* An increment by blocks solves the whole system, wherever its matrix does: 1 if so. */
static int check_increment(iterate *it) {
    const double rounding = 1e-9;
    const size_t size = (size_t)it->size;
    double *r = calloc(3 * size, sizeof *r);
    ck_assert(r != NULL);
    double *whole = r + size;
    double *blocks = whole + size;
    it->problem->residual(it->problem->self, r);
    memcpy(blocks, r, size * sizeof *r);
    assert_ok(it->problem->increment(it->problem->self, blocks));
    it->problem->assemble(it->problem->self, it->saddle);
    for (size_t i = 0; i < size; i++) {
        whole[i] = -r[i];
    }
    const bool is_solved = carom_saddle_factor(it->saddle) == CAROM_OK &&
                           carom_saddle_solve(it->saddle, whole) == CAROM_OK &&
                           defect_of(it, r, whole) < rounding;
    if (is_solved) {
        ck_assert_msg(defect_of(it, r, blocks) < rounding, "%.3g by blocks",
                      defect_of(it, r, blocks));
    }
    free(r);
    return is_solved ? 1 : 0;
}

static int increments_compared;

static void check_mechanism(const carom_mechanism *mechanism, unsigned long seed) {
    const double steps[] = {0.3, 0.05};
    gsl_rng *generator = seeded_generator(seed);
    for (int scheme = 0; scheme < CAROM_SCHEME_COUNT; scheme++) {
        for (int k = 0; k < 2; k++) {
            iterate it;
            iterate_init(&it, mechanism, (carom_scheme)scheme, steps[k],
                         uniform(generator, 0.0, 1.0));
            for (int sample = 0; sample < 6; sample++) {
                draw_state(&it, generator);
                carom_evaluation_release_rows(&it.step.evaluation);
                if (sample >= 4 &&
                    carom_scheme_takes_rows(it.step.params.scheme, CAROM_ROWS_PREDICTED)) {
                    carom_evaluation_hold_rows(&it.step.evaluation, it.next.position,
                                               it.next.velocity_jump);
                }
                const double error = largest_error(&it);
                ck_assert_msg(error <= ACCEPTED_ERROR, "%s, %s, h = %g, seed %lu: %.3g",
                              mechanism->name, carom_scheme_name((carom_scheme)scheme), steps[k],
                              seed, error);
                increments_compared += it.problem->increment != NULL ? check_increment(&it) : 0;
            }
            iterate_clear(&it);
        }
    }
    gsl_rng_free(generator);
}

static void check_model(carom_model *model, unsigned long seed) {
    check_mechanism(&model->mechanism, seed);
    carom_model_free(model);
}

TEST(property, matrix_is_the_derivative_for_every_model) {
    carom_model *model = NULL;
    const carom_bouncing_ball_params ball = carom_bouncing_ball_params_default();
    assert_ok(carom_bouncing_ball_alloc(&ball, &model, NULL));
    check_model(model, 11);
    const carom_bouncing_pendulum_params pendulum = carom_bouncing_pendulum_params_default();
    assert_ok(carom_bouncing_pendulum_alloc(&pendulum, &model, NULL));
    check_model(model, 12);
    const carom_rocking_block_params block = carom_rocking_block_params_default();
    assert_ok(carom_rocking_block_alloc(&block, &model, NULL));
    check_model(model, 13);
    carom_elastic_bar_params bar = carom_elastic_bar_params_default();
    bar.elements = 6;
    assert_ok(carom_elastic_bar_alloc(&bar, &model, NULL));
    check_model(model, 14);
    carom_ball_column_params column = carom_ball_column_params_default();
    column.balls = 4;
    assert_ok(carom_ball_column_alloc(&column, &model, NULL));
    check_model(model, 15);
}

TEST(property, matrix_is_the_derivative_for_random_mechanisms) {
    for (unsigned long seed = 100; seed < 130; seed++) {
        gsl_rng *generator = seeded_generator(seed);
        const int n = 1 + (int)gsl_rng_uniform_int(generator, 4);
        const random_shape shape = {
            .coordinates = n,
            .joints = n > 1 ? (int)gsl_rng_uniform_int(generator, (unsigned long)n) : 0,
            .contacts = 1 + (int)gsl_rng_uniform_int(generator, 3),
            .is_linear = false,
            .is_banded = seed % 2 == 0,
            .has_damping = seed % 3 != 0,
            .closed_share = 0.5,
            .largest_gap = 0.1,
        };
        random_mechanism random;
        random_mechanism_init(&random, &shape, generator);
        check_mechanism(&random.mechanism, seed);
        gsl_rng_free(generator);
    }
    ck_assert_int_ge(increments_compared, 30); /* of 80 without damping */
}

/*
 * bruls-2014 section 8: with the scaling of (39) and (42) the Newton matrix tends to a regular
 * constant matrix as h -> 0. The pendulum at rest on its wall, everything closed; without the
 * scaling the number grows as h^-2.
 */
TEST(property, condition_number_does_not_depend_on_the_step) {
    carom_bouncing_pendulum_params pendulum = carom_bouncing_pendulum_params_default();
    pendulum.initial_angle = -atan(1.0);
    pendulum.wall_position = cos(pendulum.initial_angle); /* at rest against the wall */
    carom_model *model = NULL;
    assert_ok(carom_bouncing_pendulum_alloc(&pendulum, &model, NULL));
    double conditions[5];
    for (int k = 0; k < 5; k++) {
        carom_stepper_params params = carom_stepper_params_default(CAROM_SCHEME_NONSMOOTH_GALPHA);
        params.step = pow(10.0, -1.0 - (double)k);
        carom_stepper *stepper = NULL;
        assert_ok(carom_stepper_alloc(&model->mechanism, &params, &stepper, NULL));
        assert_ok(carom_stepper_start(stepper, 0.0, model->initial_position,
                                      model->initial_velocity, NULL));
        assert_status(carom_stepper_condition_number(stepper, &conditions[k]), OUT_OF_RANGE);
        assert_ok(carom_stepper_advance(stepper, NULL));
        const carom_step *step = carom_stepper_result(stepper);
        ck_assert(step->position_active[2] && step->velocity_active[2]);
        assert_ok(carom_stepper_condition_number(stepper, &conditions[k]));
        carom_stepper_free(stepper);
    }
    carom_model_free(model);
    /* an h^-1 dependence would show as a factor of ten */
    for (int k = 2; k < 5; k++) {
        assert_close(conditions[k], conditions[1], 0.05, 0.0);
    }
    ck_assert_double_lt(conditions[0], 2.0 * conditions[1]);
}

/* Condition numbers of a scheme after each of `steps` steps in the units given; what is not
 * computed stays NaN. */
static void follow_conditions(const carom_model *model, carom_stepper_params params,
                              test_units units, int steps, double *conditions) {
    other_units u;
    double q[UNITS_MAX_COORDINATES];
    double v[UNITS_MAX_COORDINATES];
    other_units_init(&u, &model->mechanism, units);
    units_position(&u, model->initial_position, q);
    units_velocity(&u, model->initial_velocity, v);
    params.step *= units.time;
    carom_stepper *stepper = NULL;
    const carom_mechanism taken = taken_by(params.scheme, &u.mechanism);
    assert_ok(carom_stepper_alloc(&taken, &params, &stepper, NULL));
    assert_ok(carom_stepper_start(stepper, 0.0, q, v, NULL));
    for (int k = 0; k < steps; k++) {
        assert_ok(carom_stepper_advance(stepper, NULL));
        assert_ok(carom_stepper_condition_number(stepper, &conditions[k]));
    }
    carom_stepper_free(stepper);
}

/* A pendulum of metres and radians that swings against its wall in the second step. */
TEST(property, condition_number_does_not_depend_on_the_units) {
    enum { STEPS = 4 };
    carom_bouncing_pendulum_params pendulum = carom_bouncing_pendulum_params_default();
    pendulum.initial_angle = -atan(1.0) + 0.004;
    pendulum.initial_rate = -1.7;
    pendulum.mass = 2.385;
    pendulum.inertia = 0.173;
    carom_model *model = NULL;
    assert_ok(carom_bouncing_pendulum_alloc(&pendulum, &model, NULL));
    const test_units none = {1.0, 1.0, 1.0};
    for (int scheme = 0; scheme < CAROM_SCHEME_COUNT; scheme++) {
        const carom_stepper_params params = scheme_with_step((carom_scheme)scheme, 1.7e-3);
        double expected[STEPS];
        follow_conditions(model, params, none, STEPS, expected);
        for (int k = 0; k < CHANGE_OF_UNITS_COUNT; k++) {
            double actual[STEPS];
            follow_conditions(model, params, CHANGES_OF_UNITS[k], STEPS, actual);
            for (int j = 0; j < STEPS; j++) {
                ck_assert(isfinite(expected[j]) && expected[j] >= 1.0);
                // roundings of a step, times the condition
                assert_close(actual[j], expected[j], 1e-9, 0.0);
            }
        }
    }
    carom_model_free(model);
}
