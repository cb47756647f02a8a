/* A stepper that goes on from what another one has packed takes the same steps, bit by bit: every
 * scheme, with contacts, friction, joints, supports that move, contacts that come and go. */
#include "runs.h"

#include <carom/mechanism/bodies/bodies.h>
#include <carom/models/ball_column.h>
#include <carom/models/box_tower.h>
#include <carom/models/vibrating_table.h>
#include <carom/study/scene_file.h>
#include <carom/timestepping/galpha/stepper_internal.h>
#include <carom/timestepping/internal.h>

#include <string.h>

/** A motion from its start. */
typedef struct motion {
    carom_model *model;
    carom_scene_file *scene;
    carom_bodies *bodies;
    double *velocity; /**< of a scene with a tree or pads behind */
    const carom_mechanism *mechanism;
    const double *q;
    const double *v;
} motion;

static motion motion_of(carom_model *model) {
    ck_assert_ptr_nonnull(model);
    return (motion){.model = model,
                    .mechanism = &model->mechanism,
                    .q = model->initial_position,
                    .v = model->initial_velocity};
}

static void motion_clear(motion *m) {
    carom_model_free(m->model);
    carom_bodies_free(m->bodies);
    carom_scene_file_free(m->scene);
    free(m->velocity);
}

/* --- motions ---------------------------------------------------------------------------------- */

static motion ball(void) {
    const carom_bouncing_ball_params params = carom_bouncing_ball_params_default();
    carom_model *model = NULL;
    assert_ok(carom_bouncing_ball_alloc(&params, &model, NULL));
    return motion_of(model);
}

static motion bar(void) {
    carom_elastic_bar_params params = carom_elastic_bar_params_default();
    params.elements = 12;
    carom_model *model = NULL;
    assert_ok(carom_elastic_bar_alloc(&params, &model, NULL));
    return motion_of(model);
}

static motion column(void) {
    carom_ball_column_params params = carom_ball_column_params_default();
    params.balls = 5;
    carom_model *model = NULL;
    assert_ok(carom_ball_column_alloc(&params, &model, NULL));
    model->initial_velocity[3] = -1.7;
    model->initial_velocity[4] = 0.6;
    return motion_of(model);
}

static motion pendulum(void) {
    const carom_bouncing_pendulum_params params = carom_bouncing_pendulum_params_default();
    carom_model *model = NULL;
    assert_ok(carom_bouncing_pendulum_alloc(&params, &model, NULL));
    return motion_of(model);
}

static motion block(void) {
    carom_rocking_block_params params = carom_rocking_block_params_default();
    params.friction = 0.3;
    carom_model *model = NULL;
    assert_ok(carom_rocking_block_alloc(&params, &model, NULL));
    return motion_of(model);
}

static motion table(void) {
    const carom_vibrating_table_params params = carom_vibrating_table_params_default();
    carom_model *model = NULL;
    assert_ok(carom_vibrating_table_alloc(&params, &model, NULL));
    return motion_of(model);
}

static motion tower(void) {
    carom_box_tower_params params = carom_box_tower_params_default();
    params.boxes = 4;
    params.slope = 0.05;
    params.restitution = 0.3;
    carom_model *model = NULL;
    assert_ok(carom_box_tower_alloc(&params, &model, NULL));
    model->initial_velocity[9] = 0.7;
    model->initial_velocity[10] = 0.4;
    return motion_of(model);
}

static motion scene_of(const char *name) {
    char path[64];
    char defect[CAROM_SCENE_FILE_DEFECT_SIZE];
    motion m = {.model = NULL};
    snprintf(path, sizeof path, "data/examples/%s.scene", name);
    const carom_status status = carom_scene_file_read(path, NULL, &m.scene, defect);
    ck_assert_msg(status == CAROM_OK, "%s: %s", path, defect);
    assert_ok(carom_scene_file_alloc_bodies(m.scene, &m.bodies, NULL));
    m.mechanism = carom_bodies_mechanism(m.bodies);
    const size_t positions = (size_t)carom_mechanism_position_count(m.mechanism);
    const size_t bodies = (size_t)m.scene->spec.body_count;
    m.velocity = calloc(2 * positions + 1, sizeof *m.velocity);
    ck_assert_ptr_nonnull(m.velocity);
    memcpy(m.velocity, m.scene->velocity,
           (m.scene->is_space ? 6 : 3) * bodies * sizeof *m.velocity);
    memcpy(m.velocity + positions, m.scene->position,
           (m.scene->is_space ? 7 : 3) * bodies * sizeof *m.velocity);
    m.v = m.velocity;
    m.q = m.velocity + positions;
    return m;
}

static motion dominoes(void) {
    return scene_of("dominoes");
}

static motion woodpecker(void) {
    return scene_of("woodpecker");
}

static motion conveyor(void) {
    return scene_of("conveyor");
}

static motion spheres(void) {
    return scene_of("spheres_in_box");
}

enum {
    IMPULSIVE = 1 << CAROM_SCHEME_NONSMOOTH_GALPHA | 1 << CAROM_SCHEME_MOREAU_JEAN |
                1 << CAROM_SCHEME_VELOCITY_GALPHA,
    MODIFIED = 1 << CAROM_SCHEME_MODIFIED_LCP,
    SMOOTH = 1 << CAROM_SCHEME_SMOOTH_GALPHA,
    ALL = IMPULSIVE | MODIFIED | SMOOTH,
    CONTACTS = 1 << CAROM_SCHEME_MOREAU_JEAN
};

static const struct {
    const char *name;
    motion (*make)(void);
    int schemes;
    double step;
    int steps;
} MOTIONS[] = {
    {"ball", ball, ALL, 2e-3, 620},
    {"bar", bar, IMPULSIVE, 5e-4, 900},
    {"column", column, ALL, 2e-3, 400},
    {"pendulum", pendulum, ALL, 2e-3, 300},
    {"block", block, IMPULSIVE, 1e-3, 300},
    {"table", table, IMPULSIVE, 1e-3, 300},
    {"tower", tower, IMPULSIVE, 1e-3, 120},
    {"dominoes", dominoes, IMPULSIVE, 1e-3, 180},
    {"woodpecker", woodpecker, IMPULSIVE, 5e-4, 60},
    {"conveyor", conveyor, CONTACTS, 1e-3, 60},
    {"spheres", spheres, CONTACTS, 2e-3, 60},
};
enum { MOTION_COUNT = sizeof MOTIONS / sizeof MOTIONS[0] };

/* --- steps ------------------------------------------------------------------------------------ */

/** How the steps of a motion are taken. */
typedef struct variant {
    bool is_linear; /**< by the exact linear step, where there is one */
    carom_newton newton;
    bool is_looked_at; /**< the result of each step is asked for, not only of the last */
    carom_rows rows;
} variant;

static const variant VARIANTS[] = {
    {true, CAROM_NEWTON_MONOLITHIC, true, CAROM_ROWS_SOLVED},
    {true, CAROM_NEWTON_MONOLITHIC, false, CAROM_ROWS_SOLVED},
    {false, CAROM_NEWTON_MONOLITHIC, true, CAROM_ROWS_SOLVED},
    {false, CAROM_NEWTON_SEQUENTIAL, true, CAROM_ROWS_SOLVED},
    {false, CAROM_NEWTON_MONOLITHIC, false, CAROM_ROWS_PREDICTED},
};
enum { VARIANT_COUNT = sizeof VARIANTS / sizeof VARIANTS[0] };

static void append(carom_parallel_bytes *bytes, const void *data, size_t size) {
    if (data != NULL) {
        assert_ok(carom_parallel_append(bytes, data, size));
    }
}

/** All of a result. */
static void append_result(carom_stepper *stepper, const carom_mechanism *m,
                          carom_parallel_bytes *bytes) {
    const carom_step *s = carom_stepper_result(stepper);
    const size_t real = sizeof(double);
    const size_t n = (size_t)m->coordinate_count * real;
    const size_t rows = (size_t)carom_mechanism_constraint_count(m);
    const size_t tangents = (size_t)(m->contact_count * m->tangent_count) * real;
    const double *const of_motion[] = {s->velocity,        s->smooth_acceleration,
                                       s->smooth_velocity, s->pseudo_acceleration,
                                       s->velocity_jump,   s->position_correction};
    const double *const of_rows[] = {s->constraint, s->constraint_rate, s->force, s->impulse,
                                     s->position_multiplier};
    append(bytes, &s->time, real);
    append(bytes, s->position, (size_t)carom_mechanism_position_count(m) * real);
    append(bytes, s->row_position, (size_t)carom_mechanism_position_count(m) * real);
    for (size_t k = 0; k < sizeof of_motion / sizeof of_motion[0]; k++) {
        append(bytes, of_motion[k], n);
    }
    for (size_t k = 0; k < sizeof of_rows / sizeof of_rows[0]; k++) {
        append(bytes, of_rows[k], rows * real);
    }
    append(bytes, s->friction_impulse, tangents);
    append(bytes, s->sliding_velocity, tangents);
    append(bytes, &s->support_work, real);
    append(bytes, s->position_active, rows * sizeof(bool));
    append(bytes, s->velocity_active, rows * sizeof(bool));
    const double residuals[] = {s->smooth_residual, s->position_residual, s->velocity_residual};
    append(bytes, residuals, sizeof residuals);
    append(bytes, &s->iterations, sizeof s->iterations);
    append(bytes, &s->used_exact_lcp, sizeof s->used_exact_lcp);
}

/** Take steps up to number `end`; their results. */
static void walk(carom_stepper *stepper, const carom_mechanism *m, const variant *how, int from,
                 int end, carom_parallel_bytes *results) {
    for (int k = from; k < end; k++) {
        carom_report report = carom_report_empty();
        const carom_status status = carom_stepper_advance(stepper, &report);
        ck_assert_msg(status == CAROM_OK, "step %d: %s", k + 1, carom_status_name(status));
        if (how->is_looked_at || k + 1 == end) {
            append_result(stepper, m, results);
        }
    }
}

/** A stepper at the start of a motion. */
static carom_stepper *started_at(const motion *m, const carom_mechanism *taken,
                                 const carom_stepper_params *params) {
    carom_stepper *stepper = NULL;
    assert_ok(carom_stepper_alloc(taken, params, &stepper, NULL));
    assert_ok(carom_stepper_start(stepper, 0.0, m->q, m->v, NULL));
    return stepper;
}

static void assert_same_bits(const double *a, const double *b, int count, const char *what) {
    ck_assert_msg(memcmp(a, b, (size_t)count * sizeof *a) == 0, "other %s", what);
}

/** What the next step judges ties, tails and activations by: seldom does a bit of it decide. */
static void assert_judges_alike(carom_stepper *first, carom_stepper *second) {
    carom_step_context *one = &first->step;
    carom_step_context *two = &second->step;
    const carom_velocity_level *levels[] = {&first->velocity_level, &second->velocity_level};
    assert_same_bits(&one->scales.largest_change, &two->scales.largest_change, 1, "change");
    assert_same_bits(one->activation, two->activation, one->evaluation.row_count, "activation");
    if (levels[0]->closed_gap != NULL) {
        assert_same_bits(levels[0]->closed_gap, levels[1]->closed_gap, one->m, "closed gap");
    }
    carom_contact_level *of_one[CAROM_STEPPER_LEVELS];
    carom_contact_level *of_two[CAROM_STEPPER_LEVELS];
    const int count = carom_stepper_contact_levels(first, of_one);
    ck_assert_int_eq(count, carom_stepper_contact_levels(second, of_two));
    for (int k = 0; k < count; k++) {
        assert_same_bits(&of_one[k]->kept, &of_two[k]->kept, 1, "residual kept");
    }
    one->last = &first->states[first->current];
    two->last = &second->states[second->current];
    carom_step_scales_size_last(one);
    carom_step_scales_size_last(two);
    for (int j = one->joint_count; j < one->m; j++) {
        const double size = carom_step_gap_size(one, j);
        const double other = carom_step_gap_size(two, j);
        assert_same_bits(&size, &other, 1, "size of a gap");
    }
}

/** The last step had its rows where they were, and leaves by them what it left. */
static void assert_same_rows(carom_stepper *first, carom_stepper *second) {
    const carom_step *one = carom_stepper_result(first);
    const carom_step *two = carom_stepper_result(second);
    const int positions = carom_mechanism_position_count(first->step.mechanism);
    assert_same_bits(one->row_position, two->row_position, positions, "rows");
    assert_same_bits(&one->velocity_residual, &two->velocity_residual, 1, "residual");
}

/** The rest of a motion from step k on, by a stepper that has not seen what came before. */
static void assert_rest_is_the_same(int which, const carom_stepper_params *params,
                                    const variant *how, int k) {
    const int end = MOTIONS[which].steps;
    motion m = MOTIONS[which].make();
    motion other = MOTIONS[which].make();
    const bool has_law = params->scheme != CAROM_SCHEME_SMOOTH_GALPHA;
    const carom_mechanism taken = has_law ? *m.mechanism : taken_by(params->scheme, m.mechanism);
    const carom_mechanism taken_too =
        has_law ? *other.mechanism : taken_by(params->scheme, other.mechanism);
    carom_stepper *first = started_at(&m, &taken, params);
    carom_stepper *second = started_at(&other, &taken_too, params);
    carom_parallel_bytes state = {NULL, 0, 0};
    carom_parallel_bytes before = {NULL, 0, 0};
    carom_parallel_bytes whole = {NULL, 0, 0};
    carom_parallel_bytes rest = {NULL, 0, 0};
    walk(first, &taken, how, 0, k, &before);
    carom_contact_level *levels[CAROM_STEPPER_LEVELS];
    for (int i = carom_stepper_contact_levels(first, levels); i > 0; i--) {
        levels[i - 1]->kept += 1e-15 * i; // seldom more than 0
    }
    assert_ok(carom_stepper_pack(first, &state));

    const unsigned char *data = state.data;
    size_t left = state.size;
    assert_ok(carom_stepper_unpack(second, &data, &left, NULL));
    ck_assert_uint_eq(left, 0);
    assert_judges_alike(first, second);
    if (params->rows == CAROM_ROWS_PREDICTED) {
        assert_same_rows(first, second);
    }
    walk(first, &taken, how, k, end, &whole);
    walk(second, &taken_too, how, k, end, &rest);
    ck_assert_uint_eq(whole.size, rest.size);
    ck_assert(whole.data != NULL && rest.data != NULL);
    ck_assert_msg(memcmp(whole.data, rest.data, rest.size) == 0, "%s, %s: other bits after step %d",
                  MOTIONS[which].name, carom_scheme_name(params->scheme), k);

    carom_parallel_bytes_clear(&state);
    carom_parallel_bytes_clear(&before);
    carom_parallel_bytes_clear(&whole);
    carom_parallel_bytes_clear(&rest);
    carom_stepper_free(first);
    carom_stepper_free(second);
    motion_clear(&m);
    motion_clear(&other);
}

/** Whether a scheme has a variant, which differs from those before it. */
static bool is_other(const variant *how, carom_scheme scheme, const carom_mechanism *m) {
    if (!carom_scheme_takes_rows(scheme, how->rows)) {
        return false;
    }
    return how->newton == CAROM_NEWTON_SEQUENTIAL
               ? scheme == CAROM_SCHEME_NONSMOOTH_GALPHA && m->tangent_count == 0
               : how->is_linear || m->is_linear || how->rows == CAROM_ROWS_PREDICTED;
}

LOOP_TEST(property, a_stepper_goes_on_from_what_another_one_has_packed, MOTION_COUNT) {
    motion m = MOTIONS[_i].make();
    for (int scheme = 0; scheme < CAROM_SCHEME_COUNT; scheme++) {
        for (int i = 0; i < VARIANT_COUNT && (MOTIONS[_i].schemes >> scheme & 1) != 0; i++) {
            carom_stepper_params params = carom_stepper_params_default((carom_scheme)scheme);
            params.step = MOTIONS[_i].step;
            params.use_linear_step = VARIANTS[i].is_linear;
            params.newton = VARIANTS[i].newton;
            params.rows = VARIANTS[i].rows;
            for (int part = 0; part < 3 && is_other(&VARIANTS[i], params.scheme, m.mechanism);
                 part++) {
                assert_rest_is_the_same(_i, &params, &VARIANTS[i], MOTIONS[_i].steps * part / 3);
            }
        }
    }
    motion_clear(&m);
}

/** What was packed by a stepper of another size is refused, and what is cut short. */
TEST(errors, a_state_of_another_stepper_is_refused) {
    motion m = ball();
    motion other = column();
    const carom_stepper_params params = scheme_with_step(CAROM_SCHEME_MOREAU_JEAN, 1e-3);
    carom_stepper *first = started_at(&m, m.mechanism, &params);
    carom_stepper *second = started_at(&other, other.mechanism, &params);
    carom_parallel_bytes state = {NULL, 0, 0};
    assert_ok(carom_stepper_pack(first, &state));
    const unsigned char *data = state.data;
    size_t left = state.size;
    assert_status(carom_stepper_unpack(second, &data, &left, NULL), BAD_FORMAT);
    for (size_t size = 0; size < state.size; size++) {
        data = state.data;
        left = size;
        assert_status(carom_stepper_unpack(first, &data, &left, NULL), BAD_FORMAT);
    }
    carom_parallel_bytes_clear(&state);
    carom_stepper_free(first);
    carom_stepper_free(second);
    motion_clear(&m);
    motion_clear(&other);
}
