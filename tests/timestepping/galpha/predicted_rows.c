/* Rows at q_n + h v_n (CAROM_ROWS_PREDICTED): the laws of contacts by these rows, energy, what
 * lasting contacts and joints drift, one contact problem a step. Reference: the equations of the
 * step, formed here from the mechanism's functions. */
#include "../../study/scene_text.h"
#include "friction_bodies.h"

#include <carom/mechanism/bodies/bodies.h>

#include <stdlib.h>

static const carom_scheme PREDICTING[] = {CAROM_SCHEME_MOREAU_JEAN, CAROM_SCHEME_VELOCITY_GALPHA};
enum { PREDICTING_COUNT = sizeof PREDICTING / sizeof *PREDICTING };

/** A scene in motion, and the rows of its last step. */
typedef struct moved {
    carom_bodies *bodies;
    const carom_mechanism *m;
    carom_stepper *stepper;
    carom_stepper_params params;
    int n;
    int positions;
    int rows;
    double *q; /**< before the step */
    double *v; /**< likewise */
    double *place;
    double *mean;
    double *force;
    double *supports;
    double *last_supports;
    double *G;
    double *H;
    double *scratch;
} moved;

static void begin(moved *s, const char *text, carom_stepper_params params) {
    CAROM_AUTO(carom_scene_file) file = parse_with(text, NULL);
    *s = (moved){.params = params};
    assert_ok(carom_scene_file_alloc_bodies(file, &s->bodies, NULL));
    s->m = carom_bodies_mechanism(s->bodies);
    s->n = s->m->coordinate_count;
    s->positions = carom_mechanism_position_count(s->m);
    s->rows = carom_mechanism_constraint_count(s->m);
    const size_t n = (size_t)s->n;
    const size_t q = (size_t)s->positions;
    const size_t all = (size_t)s->rows + (size_t)s->m->contact_count * (size_t)s->m->tangent_count;
    const size_t G = carom_mechanism_constraint_entry_room(s->m);
    const size_t H = carom_mechanism_tangential_entry_room(s->m);
    const size_t M = carom_layout_entry_count(s->m->layout);
    s->q = calloc(2 * q + 4 * n + 2 * all + G + H + M, sizeof *s->q);
    ck_assert_ptr_nonnull(s->q);
    s->v = s->q + q;
    s->place = s->v + n;
    s->mean = s->place + q;
    s->force = s->mean + n;
    s->supports = s->force + n;
    s->last_supports = s->supports + all;
    s->G = s->last_supports + all;
    s->H = s->G + G;
    s->scratch = s->H + H;
    const size_t bodies = (size_t)file->spec.body_count;
    memcpy(s->q, file->position, (file->is_space ? 7 : 3) * bodies * sizeof *s->q);
    memcpy(s->v, file->velocity, (file->is_space ? 6 : 3) * bodies * sizeof *s->v);
    assert_ok(carom_stepper_alloc(s->m, &s->params, &s->stepper, NULL));
    assert_ok(carom_stepper_start(s->stepper, 0.0, s->q, s->v, NULL));
}

static void end(moved *s) {
    carom_stepper_free(s->stepper);
    carom_bodies_free(s->bodies);
    free(s->q);
}

static void find_supports(const moved *s, double t, double *w) {
    if (s->m->constraint_velocity != NULL) {
        s->m->constraint_velocity(t, w, s->m->context);
    }
}

/** A step; then q and v are those before it, G and H those at its row_position. */
static const carom_step *take_step(moved *s) {
    const carom_step *step = carom_stepper_result(s->stepper);
    memcpy(s->q, step->position, (size_t)s->positions * sizeof *s->q);
    memcpy(s->v, step->velocity, (size_t)s->n * sizeof *s->v);
    find_supports(s, step->time, s->last_supports);
    assert_ok(carom_stepper_advance(s->stepper, NULL));
    step = carom_stepper_result(s->stepper);
    find_supports(s, step->time, s->supports);
    s->m->constraint_jacobian(step->row_position, s->G, s->m->context);
    if (s->m->tangential_jacobian != NULL) {
        s->m->tangential_jacobian(step->row_position, s->H, s->m->context);
    }
    return step;
}

static double product(carom_mechanism_pattern pattern, const double *entries, int row,
                      const double *x) {
    double sum = 0.0;
    for (int k = pattern.start[row]; k < pattern.start[row + 1]; k++) {
        sum += entries[k] * x[pattern.column[k]];
    }
    return sum;
}

static double kinetic(moved *s, const double *q, const double *v) {
    return carom_mechanism_kinetic_energy(s->m, q, v, s->scratch);
}

static carom_stepper_params predicted(carom_scheme scheme, double step) {
    carom_stepper_params params = scheme_with_step(scheme, step);
    params.rows = CAROM_ROWS_PREDICTED;
    params.predictor = CAROM_PREDICTOR_NEXT_STEP;
    params.theta = 0.5;
    return params;
}

/* --- laws --------------------------------------------------------------------------------------
 */

/** Discs that bounce in a box whose floor runs. */
static const char *const DISCS =
    "material m friction 0.3 restitution 0.6\n"
    "ground\n half-plane at 0 0 normal 0 1 material m belt 0.7\n"
    " half-plane at -0.9 0 normal 1 0 material m\n half-plane at 0.9 0 normal -1 0 material m\n"
    "body disc mass 1.3 at -0.62 0.25 velocity 0.9 -1.1 rate 4 repeat 4 3 0.37 0.43 stagger 0.11\n"
    " disc 0.15 material m\n";

/** In space: a box that tumbles on a corner, and spheres. */
static const char *const SOLIDS =
    "space\nmaterial m friction 0.3 restitution 0.6\n"
    "ground\n half-space at 0 0 0 normal 0 0 1 material m\n"
    "body box mass 1.7 at 0 0 0.6 axis 1 2 0.5 angle 0.7 velocity 1 0.3 -1 rate 3 -2 1\n"
    " box 0.5 0.4 0.3 material m\n"
    "body ball mass 1 at 1 0.4 0.5 velocity -2 0 0 rate 0 4 0\n sphere 0.2 material m\n";

/** Rows stand at q_n exp(h v_n); by them what presses leaves with e of the speed with which it
 * came, what has friction slides against it, and rates are what is said of them. */
static void check_laws(const char *text, carom_scheme scheme, int steps) {
    moved s;
    begin(&s, text, predicted(scheme, 2e-3));
    int pressed = 0;
    int slid = 0;
    const int t = s.m->tangent_count;
    for (int k = 0; k < steps; k++) {
        const carom_step *step = take_step(&s);
        for (int i = 0; i < s.n; i++) {
            s.mean[i] = s.params.step * s.v[i];
        }
        carom_mechanism_advance(s.m, s.q, s.mean, s.place);
        ck_assert_mem_eq(s.place, step->row_position, (size_t)s.positions * sizeof *s.place);
        for (int j = 0; j < s.m->contact_count; j++) {
            const int row = s.m->joint_count + j;
            const double after = product(s.m->constraint_pattern, s.G, row, step->velocity);
            const double before = product(s.m->constraint_pattern, s.G, row, s.v);
            assert_close(step->constraint_rate[row], after, 0.0, 1e-14 * (1.0 + fabs(after)));
            if (!(step->impulse[row] > 0.0)) {
                continue;
            }
            pressed++;
            assert_close(after, -s.m->restitution[j] * before, 0.0, 1e-8);
            const double limit = s.m->friction[j] * step->impulse[row];
            double sliding = 0.0;
            double power = 0.0;
            for (int a = 0; a < t; a++) {
                const int b = t * j + a;
                const double u = product(s.m->tangential_pattern, s.H, b, step->velocity) +
                                 s.supports[s.rows + b];
                sliding = hypot(sliding, u);
                power += step->friction_impulse[b] * u;
            }
            slid += sliding > 0.1 ? 1 : 0;
            assert_close(power, -limit * sliding, 0.0, 1e-8 * (1.0 + limit));
        }
    }
    ck_assert_int_gt(pressed, 20);
    ck_assert_int_gt(slid, 10);
    end(&s);
}

TEST(property, contacts_obey_their_laws_by_the_rows_of_the_step) {
    for (int k = 0; k < PREDICTING_COUNT; k++) {
        check_laws(DISCS, PREDICTING[k], 400);
    }
    check_laws(SOLIDS, CAROM_SCHEME_MOREAU_JEAN, 600);
}

/** A floor that shakes, and runs. */
static void floor_offset(double t, double *s, void *context) {
    (void)context;
    s[0] = -0.02 * sin(31.0 * t);
}

static void floor_velocity(double t, double *w, void *context) {
    (void)context;
    w[0] = -0.02 * 31.0 * cos(31.0 * t);
    w[1] = 0.3 + t;
}

/** Rows that are the same everywhere are the same predicted: also of supports that move, whose
 * speed before the step is that of its start. */
TEST(property, rows_that_do_not_turn_need_no_prediction) {
    for (int k = 0; k < PREDICTING_COUNT; k++) {
        carom_trajectory *moved_by[CAROM_ROWS_COUNT];
        for (int rows = 0; rows < CAROM_ROWS_COUNT; rows++) {
            body b;
            disc_init(&b, 1.3, 0.37, 0.2);
            b.mechanism.constraint_offset = floor_offset;
            b.mechanism.constraint_velocity = floor_velocity;
            b.restitution[0] = 0.7;
            b.force[1] = -1.3 * 9.81;
            b.q[1] = 0.05;
            carom_stepper_params params = scheme_with_step(PREDICTING[k], 1e-3);
            params.rows = (carom_rows)rows;
            moved_by[rows] = run_mechanism(&b.mechanism, &params, b.q, b.v, 0.8);
        }
        const carom_trajectory *solved = moved_by[CAROM_ROWS_SOLVED];
        int impacts = 0;
        for (int i = 0; i < 3 * solved->row_count; i++) {
            assert_close(moved_by[CAROM_ROWS_PREDICTED]->velocity[i], solved->velocity[i], 0.0,
                         1e-9);
            impacts += i >= 6 && i % 3 == 1 && solved->velocity[i] > solved->velocity[i - 3] + 0.1;
        }
        ck_assert_int_gt(impacts, 2);
        for (int rows = 0; rows < CAROM_ROWS_COUNT; rows++) {
            carom_trajectory_free(moved_by[rows]);
        }
    }
}

/* --- energy ------------------------------------------------------------------------------------
 */

/** Discs fall on a heap in a box. */
static const char *const HEAP =
    "material m friction 0.25 restitution 0.4\n"
    "ground\n half-plane at 0 0 normal 0 1 material m\n"
    " half-plane at -0.6 0 normal 1 0 material m\n half-plane at 0.6 0 normal -1 0 material m\n"
    "body disc mass 1 at -0.45 0.12 repeat 5 5 0.22 0.21 stagger 0.04\n disc 0.1 material m\n"
    "body stone mass 3 at 0.1 1.4 angle 0.3 velocity 0.5 -3 rate 2\n"
    " polygon -0.2 -0.15 0.2 -0.2 0.25 0.1 0 0.25 -0.2 0.15 material m\n";

/** With theta = 1/2 a step does what forces do along the mean of both velocities, and in each
 * contact Lambda_n (u_n + u)/2 + Lambda_t (s_n + s)/2: of one that restitutes, Lambda_n (1 - e)/2
 * u_n. No row turns in between that would add to it. */
TEST(property, contacts_take_exactly_what_their_laws_take) {
    moved s;
    begin(&s, HEAP, predicted(CAROM_SCHEME_MOREAU_JEAN, 2e-3));
    double largest = 0.0;
    double taken = 0.0;
    int pressed = 0;
    for (int k = 0; k < 300; k++) {
        const carom_step *step = take_step(&s);
        for (int i = 0; i < s.n; i++) {
            s.mean[i] = 0.5 * (s.v[i] + step->velocity[i]);
        }
        s.m->force(step->time, step->position, step->velocity, s.force, s.m->context);
        double done = 0.0;
        for (int i = 0; i < s.n; i++) {
            done += s.params.step * s.force[i] * s.mean[i];
        }
        for (int j = 0; j < s.m->contact_count; j++) {
            const double impulse = step->impulse[j];
            if (!(impulse > 0.0)) {
                continue;
            }
            pressed++;
            const double before = product(s.m->constraint_pattern, s.G, j, s.v);
            /* one that rests does not restitute */
            const double e = step->constraint_rate[j] * before < 0.0 ? s.m->restitution[j] : 0.0;
            const bool restitutes = fabs(step->constraint_rate[j]) > 1e-9 * fabs(before);
            const double normal = impulse * 0.5 * (1.0 - (restitutes ? e : 0.0)) * before;
            const double rubbed =
                step->friction_impulse[j] * product(s.m->tangential_pattern, s.H, j, s.mean);
            ck_assert_double_le(step->friction_impulse[j] * step->sliding_velocity[j], 1e-10);
            done += normal + rubbed;
            taken -= normal;
        }
        const double after = kinetic(&s, step->position, step->velocity);
        const double before = kinetic(&s, s.q, s.v);
        largest = fmax(largest, fmax(after, before));
        assert_close(after - before, done, 0.0, 1e-10 * largest);
    }
    ck_assert_int_gt(pressed, 1000);
    ck_assert_double_gt(taken, 0.1 * largest);
    end(&s);
}

/* --- what drifts -------------------------------------------------------------------------------
 */

/** The largest residual of a joint, or size of the gap of the only contact. */
static double drift(const char *text, carom_stepper_params params, double duration) {
    moved s;
    begin(&s, text, params);
    double largest = 0.0;
    const int rows = s.m->joint_count > 0 ? s.m->joint_count : 1;
    for (int k = (int)lround(duration / params.step); k > 0; k--) {
        const carom_step *step = take_step(&s);
        for (int j = 0; j < rows; j++) {
            largest = fmax(largest, fabs(step->constraint[j]));
        }
    }
    end(&s);
    return largest;
}

/** A rod that swings; discs that slide and roll over the top of another one and stay on it. */
static const struct {
    const char *text;
    double duration;
} SMOOTH[] = {
    {"body rod mass 1.3 at 0.5 0\n segment from -0.5 0 to 0.5 0\nrevolute ground rod at 0 0\n",
     0.8},
    {"ground\n disc 1\nbody disc mass 2 at 0 1.2 velocity 0.9 0\n disc 0.2\n", 0.32},
    {"material m friction 0.9\nground\n disc 1 material m\n"
     "body disc mass 2 at 0 1.2 velocity 0.9 0 rate -4.5\n disc 0.2 material m\n",
     0.32},
};

TEST(property, joints_and_contacts_that_last_drift_to_second_order) {
    enum { COUNT = 4 };
    for (size_t k = 0; k < sizeof SMOOTH / sizeof *SMOOTH; k++) {
        for (int scheme = 0; scheme < PREDICTING_COUNT; scheme++) {
            double h[COUNT];
            double gap[COUNT];
            for (int i = 0; i < COUNT; i++) {
                carom_stepper_params params = predicted(PREDICTING[scheme], 4e-3 / (1 << i));
                h[i] = params.step;
                gap[i] = drift(SMOOTH[k].text, params, SMOOTH[k].duration);
            }
            const double order = fitted_slope(COUNT, h, gap);
            ck_assert_msg(fabs(order - 2.0) < 0.1, "%zu, %s: order %.3f, %.3g .. %.3g", k,
                          carom_scheme_name(PREDICTING[scheme]), order, gap[0], gap[COUNT - 1]);
        }
    }
}

/** Reactions act where the rows are, ahead of the middle of the step. */
TEST(property, what_swings_converges_to_first_order) {
    enum { COUNT = 5 };
    double angle[COUNT];
    for (int i = 0; i < COUNT; i++) {
        moved s;
        begin(&s, SMOOTH[0].text, predicted(CAROM_SCHEME_MOREAU_JEAN, 2e-3 / (1 << i)));
        for (int k = 0; k < 400 << i; k++) {
            (void)take_step(&s);
        }
        angle[i] = carom_stepper_result(s.stepper)->position[2];
        end(&s);
    }
    for (int i = 2; i < COUNT; i++) {
        assert_close((angle[i - 2] - angle[i - 1]) / (angle[i - 1] - angle[i]), 2.0, 0.02, 0.0);
    }
}

/* --- what a step takes -------------------------------------------------------------------------
 */

/** Balls on strings, without friction. */
static const char *const BALLS =
    "material steel restitution 1\n"
    "body first mass 1 at -0.5646424733950354 0.17466438509032167\n disc 0.0999999 material steel\n"
    "body ball mass 1 at 0.2 0 repeat 2 1 0.2 0\n disc 0.0999999 material steel\n"
    "revolute ground first at 0 1\nrevolute ground ball_1 at 0.2 1\n"
    "revolute ground ball_2 at 0.4 1\n";

TEST(property, a_step_under_constant_forces_is_one_contact_problem) {
    const char *const texts[] = {DISCS, HEAP, BALLS};
    for (size_t text = 0; text < sizeof texts / sizeof *texts; text++) {
        for (int rows = 0; rows < CAROM_ROWS_COUNT; rows++) {
            moved s;
            carom_stepper_params params = predicted(CAROM_SCHEME_MOREAU_JEAN, 2e-3);
            params.rows = (carom_rows)rows;
            begin(&s, texts[text], params);
            int problems = 0;
            for (int k = 0; k < 150; k++) {
                problems += take_step(&s)->iterations;
            }
            if (rows == CAROM_ROWS_PREDICTED) {
                ck_assert_int_le(problems, 150);
            } else {
                ck_assert_int_gt(problems, 200); /* rows that are solved for turn */
            }
            end(&s);
        }
    }
}

/** By the matrix of all unknowns too, where rows are not sparse and nothing rubs. */
TEST(property, a_step_under_constant_forces_is_one_linear_system) {
    const carom_bouncing_pendulum_params pendulum = carom_bouncing_pendulum_params_default();
    const double first_impact = 0.486110443297; /* s, by quadrature */
    for (int k = 0; k < PREDICTING_COUNT; k++) {
        const carom_stepper_params params = predicted(PREDICTING[k], 2e-3);
        run r = run_pendulum(&pendulum, &params, first_impact - 3.0 * params.step);
        for (int row = 1; row < r.trajectory->row_count; row++) {
            ck_assert_int_le(r.trajectory->newton_iterations[row], 1);
        }
        run_clear(&r);
    }
}

/** Also where it rubs: impulses of the last step, from which the next one begins, do not turn. */
TEST(property, a_block_that_rocks_and_slides_takes_one_contact_problem_a_step) {
    carom_rocking_block_params block = carom_rocking_block_params_default();
    block.friction = 0.3;
    const carom_stepper_params params = predicted(CAROM_SCHEME_MOREAU_JEAN, 1e-3);
    run r = run_block(&block, &params, 0.5);
    int pressed = 0;
    for (int row = 1; row < r.trajectory->row_count; row++) {
        ck_assert_int_le(r.trajectory->newton_iterations[row], 1);
        pressed += r.trajectory->newton_iterations[row];
    }
    ck_assert_int_gt(pressed, 50);
    run_clear(&r);
}

/** A start forgets the rows of the steps before it. */
TEST(unit, a_stepper_that_starts_again_moves_as_before) {
    moved s;
    begin(&s, SMOOTH[0].text, predicted(CAROM_SCHEME_MOREAU_JEAN, 1e-2));
    double q[2][3];
    const double start[6] = {0.5};
    for (int k = 0; k < 2; k++) {
        assert_ok(carom_stepper_start(s.stepper, 0.0, start, start + 3, NULL));
        ck_assert_ptr_eq(carom_stepper_result(s.stepper)->row_position,
                         carom_stepper_result(s.stepper)->position);
        for (int i = 0; i < 30; i++) {
            (void)take_step(&s);
        }
        memcpy(q[k], carom_stepper_result(s.stepper)->position, sizeof q[k]);
    }
    ck_assert_mem_eq(q[0], q[1], sizeof q[0]);
    end(&s);
}

/* --- refusals, failures ------------------------------------------------------------------------
 */

TEST(errors, schemes_that_hold_gaps_refuse_predicted_rows_by_name) {
    const carom_bouncing_ball_params ball = carom_bouncing_ball_params_default();
    carom_model *model = NULL;
    assert_ok(carom_bouncing_ball_alloc(&ball, &model, NULL));
    model->mechanism.restitution = (const double[1]){0.0};
    for (int scheme = 0; scheme < CAROM_SCHEME_COUNT; scheme++) {
        const bool takes =
            scheme == CAROM_SCHEME_MOREAU_JEAN || scheme == CAROM_SCHEME_VELOCITY_GALPHA;
        CAROM_AUTO(carom_stepper) stepper = NULL;
        carom_report report = carom_report_empty();
        const carom_stepper_params params = predicted((carom_scheme)scheme, 1e-3);
        const carom_status status =
            carom_stepper_alloc(&model->mechanism, &params, &stepper, &report);
        ck_assert_int_eq(status, takes ? CAROM_OK : CAROM_STATUS_UNSUPPORTED);
        ck_assert(carom_scheme_takes_rows((carom_scheme)scheme, CAROM_ROWS_SOLVED));
        if (!takes) {
            ck_assert_ptr_nonnull(strstr(report.sentence, carom_scheme_name((carom_scheme)scheme)));
            ck_assert_ptr_nonnull(strstr(report.sentence, carom_rows_name(CAROM_ROWS_PREDICTED)));
        }
    }
    carom_stepper_params params = scheme_with_step(CAROM_SCHEME_MOREAU_JEAN, 1e-3);
    params.rows = CAROM_ROWS_COUNT;
    CAROM_AUTO(carom_stepper) stepper = NULL;
    assert_status(carom_stepper_alloc(&model->mechanism, &params, &stepper, NULL), OUT_OF_RANGE);
    ck_assert_str_eq(carom_rows_name(CAROM_ROWS_COUNT), "unknown");
    carom_model_free(model);
}

/** Two planes with no room between them, of which one throws back: they let a point go where the
 * other one leans, before x = OPEN. */
static const double OPEN = 1.0;

static void leaning_jacobian(const double *q, double *G, void *context) {
    body_jacobian(q, G, context);
    G[2] = q[0] < OPEN ? 0.5 : 0.0;
}

TEST(property, a_problem_that_is_not_solved_is_taken_earlier_on_the_way) {
    static const struct {
        double x;     /**< of the start; OPEN lies so much of h v_x = 2 ahead */
        double place; /**< of the rows */
    } cases[] = {{-1.5, 0.5}, {-0.5, 0.5}, {0.1, 0.1}, {1.5, NAN}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        body b;
        body_init(&b, 2, 2, 1);
        b.mechanism.is_linear = false;
        b.mechanism.constraint_jacobian = leaning_jacobian;
        b.mass[0] = b.mass[1] = 1.3;
        b.G[1] = 1.0;
        b.G[3] = -1.0;
        b.H[0] = b.H[2] = 1.0;
        b.friction[0] = b.friction[1] = 0.1;
        b.restitution[0] = 1.0;
        b.q[0] = cases[k].x;
        b.v[0] = 2.0;
        b.v[1] = -1.3;
        carom_stepper_params params = predicted(CAROM_SCHEME_MOREAU_JEAN, 1.0);
        params.predictor = CAROM_PREDICTOR_CURRENT; /* both are closed */
        params.check_derivatives = false;           /* they jump */
        CAROM_AUTO(carom_stepper) stepper = NULL;
        assert_ok(carom_stepper_alloc(&b.mechanism, &params, &stepper, NULL));
        assert_ok(carom_stepper_start(stepper, 0.0, b.q, b.v, NULL));
        const carom_status status = carom_stepper_advance(stepper, NULL);
        const carom_step *step = carom_stepper_result(stepper);
        if (isnan(cases[k].place)) {
            ck_assert(status == CAROM_STATUS_RAY || status == CAROM_STATUS_NOT_CONVERGED);
            continue;
        }
        assert_ok(status);
        assert_close(step->row_position[0], cases[k].place, 1e-15, 0.0);
        /* thrown back by the speed before the step */
        ck_assert_double_gt(step->impulse[0], 0.0);
        assert_close(step->constraint_rate[0], 1.3, 1e-9, 0.0);
    }
}

/** A plate that is driven onto discs on the ground, more of them than Lemke's method is asked
 * about: no step that reaches them has a solution, however large impulses grow. */
TEST(errors, a_step_without_a_solution_is_none_by_large_impulses) {
    for (int rows = 0; rows < CAROM_ROWS_COUNT; rows++) {
        carom_stepper_params params = predicted(CAROM_SCHEME_MOREAU_JEAN, 1e-3);
        params.rows = (carom_rows)rows;
        moved s;
        begin(&s,
              "material m friction 0.3\nground\n half-plane at 0 0 normal 0 1 material m\n"
              "body disc mass 1 at 0 0.1 repeat 33 1 0.3 0\n disc 0.1 material m\n"
              "body press mass 1 at 5 0.702\n box 11 1 material m\n"
              "drive ground press y speed -1\n",
              params);
        carom_status status = CAROM_OK;
        carom_report report = carom_report_empty();
        for (int k = 0; k < 6 && status == CAROM_OK; k++) {
            status = carom_stepper_advance(s.stepper, &report);
        }
        ck_assert(status == CAROM_STATUS_NOT_CONVERGED || status == CAROM_STATUS_RAY);
        ck_assert_str_eq(report.quantity, "contact");
        ck_assert_double_gt(report.residual, params.tolerance);
        assert_close(carom_stepper_result(s.stepper)->time, 1e-3, 0.0, 1e-12);
        end(&s);
    }
}

/** After a failure the state is that before the step, with rates by its own rows. */
TEST(errors, a_step_that_fails_leaves_the_rates_of_its_start) {
    carom_stepper_params params = predicted(CAROM_SCHEME_MOREAU_JEAN, 2e-2);
    params.max_iterations = 2;
    moved s;
    begin(&s,
          "body rod mass 1.3 at 0.5 0\n segment from -0.5 0 to 0.5 0\nrevolute ground rod at 0 0\n"
          "spring ground rod from 0.3 0.4 to 0.9 0 stiffness 900 length 0.3\n",
          params);
    carom_status status = CAROM_OK;
    for (int steps = 0; status == CAROM_OK; steps++) {
        ck_assert_int_lt(steps, 100);
        const carom_step *step = carom_stepper_result(s.stepper);
        memcpy(s.q, step->position, (size_t)s.positions * sizeof *s.q);
        memcpy(s.v, step->velocity, (size_t)s.n * sizeof *s.v);
        status = carom_stepper_advance(s.stepper, NULL);
    }
    ck_assert_int_eq(status, CAROM_STATUS_NOT_CONVERGED);
    const carom_step *left = carom_stepper_result(s.stepper);
    ck_assert_mem_eq(left->position, s.q, (size_t)s.positions * sizeof *s.q);
    ck_assert_ptr_eq(left->row_position, left->position);
    s.m->constraint_jacobian(s.q, s.G, s.m->context);
    for (int j = 0; j < s.m->joint_count; j++) {
        assert_close(left->constraint_rate[j], product(s.m->constraint_pattern, s.G, j, s.v), 0.0,
                     1e-15);
    }
    end(&s);
}
