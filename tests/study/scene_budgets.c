/* data/examples/NAME.scene: energy and momentum are accounted for, to 1e-10 of what a scene has.
 * Run from the root of the project. */
#include "scenes.h"

#include <carom/mechanism/bodies/bodies.h>
#include <carom/study/scene_accounts.h>

#include <stdlib.h>

/** All of them, with the steps that they are followed for: until much has happened. */
static const struct {
    const char *name;
    int steps;
} SCENES[] = {
    {"arch", 2000},
    {"billiard_break", 2000},
    {"conveyor", 2000},
    {"cradle", 2000},
    {"crate_on_slope", 800},
    {"dominoes", 1500},
    {"foot", 2000},
    {"pile", 400},
    {"slider_crank", 3000},
    {"spheres_in_box", 550},
    {"tower", 1500},
    {"woodpecker", 4000},
    {"heap", 70},
};
enum { SCENE_COUNT = sizeof SCENES / sizeof *SCENES };

static carom_scene_file *read_scene(const char *name) {
    char path[96];
    char defect[CAROM_SCENE_FILE_DEFECT_SIZE];
    carom_scene_file *file = NULL;
    snprintf(path, sizeof path, "data/examples/%s.scene", name);
    const carom_status status = carom_scene_file_read(path, NULL, &file, defect);
    ck_assert_msg(status == CAROM_OK, "%s: %s", path, defect);
    return file;
}

/* --- momentum ----------------------------------------------------------------------------------
 */

enum { MOMENTA = 4 }; /* along x, y and z; about the origin, of scenes in the plane */

/** What a scene had, what came from outside, and how much there was. */
typedef struct budget {
    const carom_mechanism *mechanism;
    int bodies;
    int width; /* coordinates of a body */
    double step;
    double outside[MOMENTA];
    double largest[MOMENTA]; /* sizes of all bodies, or of all that a step does to them */
    double done[MOMENTA];    /* that of this step */
    double *memory;
    double *last_position;
    double *last_force;
    double *force;
    double *entries;
} budget;

static void budget_init(budget *b, const carom_scene_file *file, const carom_mechanism *m,
                        double step) {
    const size_t n = (size_t)m->coordinate_count;
    const size_t positions = (size_t)carom_mechanism_position_count(m);
    *b = (budget){.mechanism = m,
                  .bodies = file->spec.body_count,
                  .width = file->is_space ? 6 : 3,
                  .step = step};
    b->memory = calloc(positions + 2 * n + carom_mechanism_constraint_entry_room(m) +
                           carom_mechanism_tangential_entry_room(m),
                       sizeof *b->memory);
    ck_assert_ptr_nonnull(b->memory);
    b->last_position = b->memory;
    b->last_force = b->last_position + positions;
    b->force = b->last_force + n;
    b->entries = b->force + n;
}

/** How much coordinate i of a body at q adds to a momentum, of its own. */
static double weight(const budget *b, int momentum, const double *q, int i) {
    const int axis = i % b->width;
    if (momentum < 3) {
        return axis == momentum && (b->width == 6 || momentum < 2) ? 1.0 : 0.0;
    }
    const double *place = q + (i - axis);
    return b->width == 6 ? 0.0 : axis == 0 ? -place[1] : axis == 1 ? place[0] : 1.0;
}

static void find_momenta(budget *b, const carom_step *step, double momenta[MOMENTA]) {
    const carom_mechanism *m = b->mechanism;
    double *M = calloc(carom_layout_entry_count(m->layout), sizeof *M);
    ck_assert_ptr_nonnull(M);
    m->mass(step->position, M, m->context);
    for (int k = 0; k < MOMENTA; k++) {
        double size = 0.0;
        momenta[k] = 0.0;
        for (int i = 0; i < b->width * b->bodies; i++) {
            const double one = weight(b, k, step->position, i) *
                               M[carom_layout_index(m->layout, i, i)] * step->velocity[i];
            momenta[k] += one;
            size += fabs(one);
        }
        b->largest[k] = fmax(b->largest[k], size);
    }
    free(M);
}

/** Add the rows of ground, belts and drives: those of one body alone. */
static void add_rows(budget *b, carom_mechanism_pattern pattern, int rows, const double *impulse,
                     const double *middle) {
    for (int j = 0; j < rows; j++) {
        double sum[MOMENTA] = {0.0};
        int first = -1;
        bool is_outside = true;
        for (int k = pattern.start[j]; k < pattern.start[j + 1]; k++) {
            const int i = pattern.column[k];
            if (i >= b->width * b->bodies || !(fabs(b->entries[k]) > 0.0)) {
                continue; /* a pad of a joint with friction */
            }
            is_outside = is_outside && (first < 0 || i / b->width == first);
            first = i / b->width;
            for (int a = 0; a < MOMENTA; a++) {
                const double one = impulse[j] * b->entries[k] * weight(b, a, middle, i);
                sum[a] += one;
                b->done[a] += fabs(one);
            }
        }
        for (int a = 0; a < MOMENTA; a++) {
            b->outside[a] += is_outside || a == 3 ? sum[a] : 0.0;
        }
    }
}

/** What a step brought from outside; about the origin all that it did, at its middle. */
static void add_step(budget *b, const carom_step *step) {
    const carom_mechanism *m = b->mechanism;
    const int n = b->width * b->bodies;
    double *middle = calloc((size_t)carom_mechanism_position_count(m), sizeof *middle);
    ck_assert_ptr_nonnull(middle);
    for (int i = 0; i < n && b->width == 3; i++) {
        middle[i] = 0.5 * (b->last_position[i] + step->position[i]);
    }
    memset(b->done, 0, sizeof b->done);
    m->force(step->time, step->position, step->velocity, b->force, m->context);
    for (int i = 0; i < n; i++) {
        for (int a = 0; a < MOMENTA; a++) {
            const double one =
                b->step * 0.5 * (b->force[i] + b->last_force[i]) * weight(b, a, middle, i);
            b->outside[a] += one;
            b->done[a] += fabs(one);
        }
    }
    const int rows = carom_mechanism_constraint_count(m);
    if (rows > 0) {
        m->constraint_jacobian(step->row_position, b->entries, m->context);
        add_rows(b, m->constraint_pattern, rows, step->impulse, middle);
    }
    if (step->friction_impulse != NULL) {
        m->tangential_jacobian(step->row_position, b->entries, m->context);
        add_rows(b, m->tangential_pattern, m->contact_count * m->tangent_count,
                 step->friction_impulse, middle);
    }
    for (int a = 0; a < MOMENTA; a++) {
        b->largest[a] = fmax(b->largest[a], b->done[a]);
    }
    free(middle);
}

static void keep(budget *b, const carom_step *step) {
    const carom_mechanism *m = b->mechanism;
    m->force(step->time, step->position, step->velocity, b->last_force, m->context);
    memcpy(b->last_position, step->position,
           (size_t)carom_mechanism_position_count(m) * sizeof(double));
}

/** A motion of a scene by its own step, with what is counted of it. */
typedef struct counted {
    carom_bodies *bodies;
    carom_stepper *stepper;
    budget momentum;
    carom_scene_accounts energy;
    carom_scene_motion_result result;
    double first[MOMENTA];
    double last[MOMENTA];
    double largest_kinetic;
} counted;

static void begin(counted *c, const carom_scene_file *file, double step) {
    *c = (counted){.bodies = NULL};
    assert_ok(carom_scene_file_alloc_bodies(file, &c->bodies, NULL));
    const carom_mechanism *m = carom_bodies_mechanism(c->bodies);
    carom_stepper_params params = params_of(file).stepper;
    params.step = step;
    assert_ok(carom_stepper_alloc(m, &params, &c->stepper, NULL));
    const size_t positions = (size_t)carom_mechanism_position_count(m);
    const size_t bodies = (size_t)file->spec.body_count;
    double *q = calloc(positions + (size_t)m->coordinate_count, sizeof *q);
    ck_assert_ptr_nonnull(q);
    memcpy(q, file->position, (file->is_space ? 7 : 3) * bodies * sizeof *q);
    memcpy(q + positions, file->velocity, (file->is_space ? 6 : 3) * bodies * sizeof *q);
    assert_ok(carom_stepper_start(c->stepper, 0.0, q, q + positions, NULL));
    free(q);
    budget_init(&c->momentum, file, m, step);
    assert_ok(carom_scene_accounts_init(&c->energy, m, &params));
    const carom_step *start = carom_stepper_result(c->stepper);
    carom_scene_accounts_start(&c->energy, start);
    c->result.initial_energy = carom_scene_accounts_energy(&c->energy, start);
    find_momenta(&c->momentum, start, c->first);
    keep(&c->momentum, start);
}

static void advance(counted *c, int steps) {
    const carom_mechanism *m = carom_bodies_mechanism(c->bodies);
    const carom_step *step = carom_stepper_result(c->stepper);
    for (int k = 0; k < steps; k++) {
        assert_ok(carom_stepper_advance(c->stepper, NULL));
        step = carom_stepper_result(c->stepper);
        find_momenta(&c->momentum, step, c->last);
        add_step(&c->momentum, step);
        keep(&c->momentum, step);
        carom_scene_accounts_add(&c->energy, step, &c->result);
        c->largest_kinetic =
            fmax(c->largest_kinetic,
                 carom_mechanism_kinetic_energy(m, step->position, step->velocity, c->energy.work));
    }
    c->result.final_energy = carom_scene_accounts_energy(&c->energy, step);
}

static void end(counted *c) {
    carom_stepper_free(c->stepper);
    carom_bodies_free(c->bodies);
    carom_scene_accounts_clear(&c->energy);
    free(c->momentum.memory);
}

/** Every step is solved to 1e-10 of what it does: that is all that is left of both. */
LOOP_TEST(property, a_scene_changes_by_what_is_accounted_for, SCENE_COUNT) {
    CAROM_AUTO(carom_scene_file) file = read_scene(SCENES[_i].name);
    counted c;
    begin(&c, file, file->step);
    advance(&c, SCENES[_i].steps);
    const carom_scene_motion_result *r = &c.result;
    const double moved = r->friction_loss + r->impact_loss + r->damping_loss + r->scheme_loss;
    assert_close(r->final_energy + moved - r->support_work, r->initial_energy, 0.0,
                 1e-10 * c.largest_kinetic);
    const budget *b = &c.momentum;
    for (int a = 0; a < MOMENTA; a++) {
        assert_close(c.last[a], c.first[a] + b->outside[a], 0.0, 1e-10 * b->largest[a]);
    }
    end(&c);
}

/* --- what is not exact -------------------------------------------------------------------------
 */

/** What the scheme does to the energy of a scene without contacts, in its step and in half of it.
 */
static void lose_energy(const char *text, double lost[2]) {
    CAROM_AUTO(carom_scene_file) file = parse_with(text, NULL);
    for (int k = 0; k < 2; k++) {
        counted c;
        begin(&c, file, file->step / (1 << k));
        advance(&c, (int)lround(file->duration / file->step) << k);
        lost[k] = c.result.scheme_loss;
        end(&c);
    }
}

/** Joints are held by speeds at the end of a step, where they have turned: of first order. */
TEST(property, joints_that_turn_lose_half_as_much_in_half_the_step) {
    double lost[2];
    lose_energy("run duration 0.9 step 1e-3\n"
                "body rod mass 1.3 at 0.5 0\n segment from -0.5 0 to 0.5 0\n"
                "revolute ground rod at 0 0\n",
                lost);
    ck_assert_double_gt(lost[0], 0.0);
    assert_close(lost[0] / lost[1], 2.0, 0.02, 0.0);
}

/** Forces count as straight between the ends of a step: the trapezoidal rule, of second order. */
TEST(property, springs_that_turn_lose_a_quarter_in_half_the_step) {
    double lost[2];
    lose_energy("gravity 0 -9.81\nrun duration 0.7 step 1e-3\n"
                "body stone mass 1.3 at 0.5 0 velocity 0.3 1.1\n disc 0.1\n"
                "spring ground stone from 0 0 to 0.5 0 stiffness 30 length 0.4\n",
                lost);
    ck_assert_double_gt(fabs(lost[0]), 1e-9);
    assert_close(lost[0] / lost[1], 4.0, 0.02, 0.0);
}

/** Two discs that nothing else touches. Their contact acts at the end of a step and their places
 * are those of its middle: about the origin an impulse of at most (1 + e) (1 + mu) m v of the
 * reduced mass turns them by what they move past each other in half a step, and friction by the gap
 * that is left, of at most what a step closes. */
TEST(property, contacts_turn_a_scene_by_the_order_of_the_scheme) {
    CAROM_AUTO(carom_scene_file)
    file = parse_with("gravity 0 0\nrun duration 0.4 step 1e-2\n"
                      "material m friction 0.3 restitution 0.6\n"
                      "body small mass 1 at 0 0 velocity 2 0.5\n disc 0.2 material m\n"
                      "body large mass 2 at 0.8 0.25 velocity -1 0 rate 3\n disc 0.3 material m\n",
                      NULL);
    const double speed = hypot(3.0, 0.5) + 3.0 * 0.3;
    const double impulse = 1.6 * 1.3 * (2.0 / 3.0) * speed;
    double before = NAN;
    for (int k = 0; k < 6; k++) {
        counted c;
        const double h = file->step / (1 << k);
        begin(&c, file, h);
        advance(&c, 40 << k);
        ck_assert_double_gt(c.result.impact_loss, 0.1);
        for (int a = 0; a < 2; a++) {
            assert_close(c.last[a], c.first[a], 0.0, 1e-10 * c.momentum.largest[a]);
        }
        const double turned = fabs(c.last[3] - c.first[3]);
        ck_assert_double_le(turned, h * impulse * speed);
        if (k > 0) { /* but for the gap */
            assert_close(before / turned, 2.0, 0.1, 0.0);
        }
        before = turned;
        end(&c);
    }
}
