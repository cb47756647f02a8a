/** The same motion in other units of mass, length and time: fixed steps follow it to rounding, and
 * to the bit where the factors are powers of two and every coordinate has one unit. */
#include "../units.h"
#include "galpha/random_mechanism.h"
#include "galpha/runs.h"

#include <carom/models/ball_column.h>
#include <carom/timestepping/engine/error_reduction.h>

// Rounding of other bits, grown over some hundred steps of motions that are not chaotic.
static const double SAME_MOTION = 1e-9;

/** One way to compute a motion. */
typedef struct method {
    bool is_error_reduction;
    carom_stepper_params params;
    carom_error_reduction_params game;
} method;

/** Largest number of rows that a motion keeps. */
enum { MOTION_ROWS = 512 };

typedef struct motion {
    int rows;
    double position[MOTION_ROWS][UNITS_MAX_COORDINATES];
    double velocity[MOTION_ROWS][UNITS_MAX_COORDINATES];
    double residual[MOTION_ROWS]; /* of error reduction, 1 */
} motion;

static void keep(motion *kept, int n, const double *q, const double *v) {
    memcpy(kept->position[kept->rows], q, (size_t)n * sizeof *q);
    memcpy(kept->velocity[kept->rows], v, (size_t)n * sizeof *v);
    kept->rows++;
}

/** `rows` states, of every step; fewer if a step fails, which some may. */
static void follow_scheme(const carom_mechanism *mechanism, const carom_stepper_params *params,
                          const double *q, const double *v, int rows, motion *kept) {
    carom_stepper *stepper = NULL;
    const carom_mechanism taken = taken_by(params->scheme, mechanism);
    carom_status status = carom_stepper_alloc(&taken, params, &stepper, NULL);
    if (status == CAROM_OK) {
        status = carom_stepper_start(stepper, 0.0, q, v, NULL);
    }
    ck_assert_msg(status == CAROM_OK, "%s, %s: start: %s", mechanism->name,
                  carom_scheme_name(params->scheme), carom_status_name(status));
    while (status == CAROM_OK && kept->rows < rows) {
        const carom_step *step = carom_stepper_result(stepper);
        keep(kept, mechanism->coordinate_count, step->position, step->velocity);
        status = carom_stepper_advance(stepper, NULL);
    }
    carom_stepper_free(stepper);
}

static void follow_game(const carom_mechanism *mechanism,
                        const carom_error_reduction_params *params, const double *q,
                        const double *v, int rows, motion *kept) {
    carom_error_reduction_stepper *stepper = NULL;
    assert_ok(carom_error_reduction_stepper_alloc(mechanism, params, &stepper, NULL));
    carom_status status = carom_error_reduction_stepper_start(stepper, 0.0, q, v, NULL);
    ck_assert(status == CAROM_OK);
    while (status == CAROM_OK && kept->rows < rows) {
        const carom_error_reduction_result *now = carom_error_reduction_stepper_result(stepper);
        kept->residual[kept->rows] = now->residual;
        keep(kept, mechanism->coordinate_count, now->position, now->velocity);
        status = carom_error_reduction_stepper_advance(stepper, NULL);
    }
    carom_error_reduction_stepper_free(stepper);
}

/** The motion in the units given, told in those of the model. */
static void follow(const carom_model *model, const method *by, test_units units, int rows,
                   motion *kept) {
    other_units u;
    double q[UNITS_MAX_COORDINATES];
    double v[UNITS_MAX_COORDINATES];
    other_units_init(&u, &model->mechanism, units);
    units_position(&u, model->initial_position, q);
    units_velocity(&u, model->initial_velocity, v);
    kept->rows = 0;
    method scaled = *by;
    scaled.params.step *= units.time;
    scaled.game.step *= units.time;
    if (by->is_error_reduction) {
        follow_game(&u.mechanism, &scaled.game, q, v, rows, kept);
    } else {
        follow_scheme(&u.mechanism, &scaled.params, q, v, rows, kept);
    }
    for (int row = 0; row < kept->rows; row++) {
        for (int i = 0; i < u.mechanism.coordinate_count; i++) {
            kept->position[row][i] /= u.factor[i];
            kept->velocity[row][i] *= units.time / u.factor[i];
        }
    }
}

/** Largest difference of two motions over the rows of both, of the coordinates of one kind: in
 * their largest value. */
static double difference_of(const carom_mechanism *mechanism, bool is_angle, const motion *a,
                            const motion *b) {
    double size[2] = {0.0, 0.0};
    double error[2] = {0.0, 0.0};
    for (int i = 0; i < mechanism->coordinate_count; i++) {
        if (units_is_angle(mechanism->position_units, i) != is_angle) {
            continue;
        }
        for (int row = 0; row < a->rows && row < b->rows; row++) {
            size[0] = fmax(size[0], fabs(a->position[row][i]));
            size[1] = fmax(size[1], fabs(a->velocity[row][i]));
            error[0] = fmax(error[0], fabs(a->position[row][i] - b->position[row][i]));
            error[1] = fmax(error[1], fabs(a->velocity[row][i] - b->velocity[row][i]));
        }
    }
    const double of_positions = error[0] > 0.0 ? error[0] / size[0] : 0.0;
    return fmax(of_positions, error[1] > 0.0 ? error[1] / size[1] : 0.0);
}

/** The larger of lengths and angles; 1 if one motion ends early. */
static double difference(const carom_mechanism *mechanism, const motion *a, const motion *b) {
    const double largest =
        fmax(difference_of(mechanism, false, a, b), difference_of(mechanism, true, a, b));
    return a->rows == b->rows ? largest : fmax(largest, 1.0);
}

static void describe(const method *by, char *text, size_t size) {
    if (by->is_error_reduction) {
        (void)snprintf(text, size, "error_reduction, solver %d", (int)by->game.solver);
    } else {
        (void)snprintf(text, size, "%s, newton %d, linear %d, rows %s",
                       carom_scheme_name(by->params.scheme), (int)by->params.newton,
                       (int)by->params.use_linear_step, carom_rows_name(by->params.rows));
    }
}

static void check_changes(const carom_model *model, const method *by, int rows, int count,
                          const test_units *changes, double tolerance) {
    static motion expected;
    static motion actual;
    const test_units none = {1.0, 1.0, 1.0};
    follow(model, by, none, rows, &expected);
    ck_assert_int_gt(expected.rows, rows / 2);
    for (int k = 0; k < count; k++) {
        follow(model, by, changes[k], rows, &actual);
        double error = difference(&model->mechanism, &expected, &actual);
        for (int row = 0; by->is_error_reduction && row < actual.rows; row++) {
            error = fmax(error, fabs(actual.residual[row] - expected.residual[row]));
        }
        char text[128];
        describe(by, text, sizeof text);
        ck_assert_msg(error <= tolerance,
                      "%s, %s, e = %g: in %g kg, %g m, %g s differs by %.3g > %.3g",
                      model->mechanism.name, text, model->mechanism.restitution[0], changes[k].mass,
                      changes[k].length, changes[k].time, error, tolerance);
    }
}

/** Every method in every change of units. The smooth scheme is followed to `smooth_rows`: it gains
 * energy at impacts until rounding decides. */
static void check_methods(const carom_model *model, double h, int rows, int smooth_rows,
                          bool is_binary) {
    const int count = is_binary ? BINARY_CHANGE_OF_UNITS_COUNT : CHANGE_OF_UNITS_COUNT;
    const test_units *changes = is_binary ? BINARY_CHANGES_OF_UNITS : CHANGES_OF_UNITS;
    const double tolerance = is_binary ? 0.0 : SAME_MOTION;
    for (int scheme = 0; scheme < CAROM_SCHEME_COUNT; scheme++) {
        for (int variant = 0; variant < 4; variant++) {
            method by = {.params = scheme_with_step((carom_scheme)scheme, h)};
            by.params.rows = variant == 3 ? CAROM_ROWS_PREDICTED : CAROM_ROWS_SOLVED;
            if (!carom_scheme_takes_rows(by.params.scheme, by.params.rows)) {
                continue;
            }
            by.params.newton = variant == 2 ? CAROM_NEWTON_SEQUENTIAL : CAROM_NEWTON_MONOLITHIC;
            by.params.use_linear_step = variant == 0;
            check_changes(model, &by, scheme == CAROM_SCHEME_SMOOTH_GALPHA ? smooth_rows : rows,
                          count, changes, tolerance);
        }
    }
    if (model->mechanism.joint_count > 0) {
        return;
    }
    for (int solver = 0; solver < 2; solver++) {
        method by = {.is_error_reduction = true, .game = carom_error_reduction_params_default()};
        by.game.step = h;
        by.game.solver = (carom_error_reduction_solver)solver;
        check_changes(model, &by, rows, count, changes, tolerance);
    }
}

static const double RESTITUTIONS[] = {0.0, 0.53, 1.0};
enum { RESTITUTION_COUNT = sizeof RESTITUTIONS / sizeof RESTITUTIONS[0] };

static carom_model *ball_of(double e) {
    carom_bouncing_ball_params ball = carom_bouncing_ball_params_default();
    ball.initial_height = 0.4173;
    ball.initial_velocity = -0.731;
    ball.mass = 1.37;
    ball.restitution = e;
    carom_model *model = NULL;
    assert_ok(carom_bouncing_ball_alloc(&ball, &model, NULL));
    return model;
}

static carom_model *pendulum_of(double e) {
    carom_bouncing_pendulum_params pendulum = carom_bouncing_pendulum_params_default();
    pendulum.restitution = e;
    pendulum.initial_rate = -1.7;
    carom_model *model = NULL;
    assert_ok(carom_bouncing_pendulum_alloc(&pendulum, &model, NULL));
    return model;
}

static carom_model *bar_of(double e) {
    carom_elastic_bar_params bar = carom_elastic_bar_params_default();
    bar.elements = 12;
    bar.initial_gap = 0.0713;
    bar.restitution = e;
    carom_model *model = NULL;
    assert_ok(carom_elastic_bar_alloc(&bar, &model, NULL));
    return model;
}

static carom_model *block_of(double e) {
    carom_rocking_block_params block = carom_rocking_block_params_default();
    block.restitution = e;
    block.initial_rate = -0.31;
    carom_model *model = NULL;
    assert_ok(carom_rocking_block_alloc(&block, &model, NULL));
    return model;
}

static carom_model *column_of(double e) {
    carom_ball_column_params column = carom_ball_column_params_default();
    column.balls = 4;
    column.restitution = e;
    carom_model *model = NULL;
    assert_ok(carom_ball_column_alloc(&column, &model, NULL));
    model->initial_position[3] = 0.0317; // the top ball falls on the others
    return model;
}

/** A model for each restitution, followed over some steps. */
static void check_models(carom_model *(*model_of)(double e), double h, int rows, int smooth_rows,
                         bool is_binary) {
    for (int k = 0; k < RESTITUTION_COUNT; k++) {
        carom_model *model = model_of(RESTITUTIONS[k]);
        check_methods(model, h, rows, smooth_rows, is_binary);
        carom_model_free(model);
    }
}

TEST(property, ball_moves_alike_in_all_units) {
    check_models(ball_of, 2.3e-3, 300, 300, false);
}

TEST(property, pendulum_moves_alike_in_all_units) {
    check_models(pendulum_of, 5.1e-3, 200, 90, false);
}

TEST(property, bar_moves_alike_in_all_units) {
    check_models(bar_of, 7.3e-3, 60, 30, false);
}

TEST(property, block_moves_alike_in_all_units) {
    check_models(block_of, 4.7e-3, 150, 150, false);
}

TEST(property, column_moves_alike_in_all_units) {
    check_models(column_of, 2.9e-3, 100, 100, false);
}

/** Masses and constraints that depend on the position, damping, joints, full and banded. */
TEST(property, random_mechanisms_move_alike_in_all_units) {
    for (unsigned long seed = 1; seed <= 40; seed++) {
        gsl_rng *generator = seeded_generator(seed);
        random_shape shape = {0};
        shape.coordinates = 2 + (int)(seed % 3);
        shape.joints = (int)gsl_rng_uniform_int(generator, (unsigned long)shape.coordinates);
        shape.contacts = shape.coordinates - shape.joints;
        shape.is_banded = seed % 3 == 0;
        shape.has_damping = seed % 2 == 0;
        shape.closed_share = 0.3;
        shape.largest_gap = 0.05;
        random_mechanism r;
        random_mechanism_init(&r, &shape, generator);
        const carom_model model = {
            .mechanism = r.mechanism, .initial_position = r.q0, .initial_velocity = r.v0};
        method by = {.params = scheme_with_step((carom_scheme)(seed % CAROM_SCHEME_COUNT),
                                                uniform(generator, 1e-3, 6e-3))};
        by.params.newton = seed % 7 < 3 ? CAROM_NEWTON_SEQUENTIAL : CAROM_NEWTON_MONOLITHIC;
        by.params.max_iterations = 200;
        check_changes(&model, &by, 25, CHANGE_OF_UNITS_COUNT, CHANGES_OF_UNITS, SAME_MOTION);
        check_changes(&model, &by, 25, BINARY_CHANGE_OF_UNITS_COUNT, BINARY_CHANGES_OF_UNITS, 0.0);
        gsl_rng_free(generator);
    }
}

/** Forces that joints and the wall balance leave nothing to measure a residual by but themselves.
 */
TEST(property, pendulum_at_rest_stays_in_all_units) {
    static motion kept;
    carom_bouncing_pendulum_params pendulum = carom_bouncing_pendulum_params_default();
    const double wall = -acos(pendulum.wall_position / pendulum.length);
    const double angles[] = {-0.5 * acos(-1.0), wall};
    for (int place = 0; place < 2; place++) {
        pendulum.initial_angle = angles[place];
        if (place == 0) {
            pendulum.wall_position = -1.0; // hanging, away from the wall
        } else {
            pendulum.wall_position = carom_bouncing_pendulum_params_default().wall_position;
        }
        carom_model *model = NULL;
        assert_ok(carom_bouncing_pendulum_alloc(&pendulum, &model, NULL));
        for (int scheme = 0; scheme < CAROM_SCHEME_COUNT; scheme++) {
            for (int variant = 0; variant < 2 * CHANGE_OF_UNITS_COUNT; variant++) {
                method by = {.params = scheme_with_step((carom_scheme)scheme, 1.7e-3)};
                by.params.newton = (carom_newton)(variant % 2);
                follow(model, &by, CHANGES_OF_UNITS[variant / 2], 60, &kept);
                ck_assert_int_eq(kept.rows, 60);
                if (scheme == CAROM_SCHEME_SMOOTH_GALPHA || scheme == CAROM_SCHEME_MODIFIED_LCP) {
                    continue; // these close contacts with oscillations of their own
                }
                // roundings of sixty steps, of a swing of some rad/s
                assert_close(kept.position[59][2], angles[place], 0.0, 1e-12);
                assert_close(kept.velocity[59][2], 0.0, 0.0, 1e-10);
            }
        }
        carom_model_free(model);
    }
}

TEST(property, powers_of_two_keep_every_bit) {
    check_models(ball_of, 2.3e-3, 300, 300, true);
    check_models(bar_of, 7.3e-3, 60, 30, true);
    check_models(column_of, 2.9e-3, 100, 100, true);
}
