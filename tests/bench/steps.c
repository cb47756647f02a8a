/* Steps of Moreau-Jean at rest, warm from the last one: columns of balls, piles of discs, towers of
 * boxes, and the set-up of the longest column; blocks of spheres in space with the search for their
 * contacts. */
#include "bench.h"

#include <carom/mechanism/bodies/bodies.h>
#include <carom/models/ball_column.h>
#include <carom/models/box_tower.h>
#include <carom/models/disc_pile.h>
#include <carom/timestepping/galpha/galpha.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const bench_unit MICROSECONDS = {.name = "us", .factor = 1e6};
static const bench_unit SECONDS = {.name = "s", .factor = 1.0};
static const long MANY = 1L << 24;

/* Steps before the measured ones, in which impulses settle. */
enum { SETTLING = 40 };

typedef struct motion {
    carom_model *model;
    carom_stepper *stepper;
} motion;

static void motion_clear(motion *m) {
    carom_stepper_free(m->stepper);
    carom_model_free(m->model);
    *m = (motion){.model = NULL};
}

/* The derivatives are compared in the tests of the models. */
static bool start(motion *m) {
    carom_stepper_params params = carom_stepper_params_default(CAROM_SCHEME_MOREAU_JEAN);
    params.check_derivatives = false;
    return carom_stepper_alloc(&m->model->mechanism, &params, &m->stepper, NULL) == CAROM_OK &&
           carom_stepper_start(m->stepper, 0.0, m->model->initial_position,
                               m->model->initial_velocity, NULL) == CAROM_OK;
}

static double time_steps(long count, void *context) {
    const motion *m = context;
    const double begin = bench_seconds();
    for (long i = 0; i < count; i++) {
        if (carom_stepper_advance(m->stepper, NULL) != CAROM_OK) {
            return -1.0;
        }
    }
    return bench_seconds() - begin;
}

/* Measure the steps of a model that is made, and let it go. */
static int measure_steps(bench_table *t, const char *system, bool is_made, motion *m,
                         double target) {
    int failures = 1;
    if (is_made && start(m) && time_steps(SETTLING, m) >= 0.0) {
        const bench_row row = {.system = system,
                               .method = "moreau_jean at rest",
                               .coordinates = m->model->mechanism.coordinate_count,
                               .contacts = m->model->mechanism.contact_count,
                               .unit = MICROSECONDS,
                               .work = m->model->mechanism.contact_count,
                               .target = target};
        failures = bench_measure(t, row, time_steps, MANY, m);
    }
    motion_clear(m);
    return failures;
}

static bool make_column(int balls, motion *m) {
    carom_ball_column_params params = carom_ball_column_params_default();
    params.balls = balls;
    return carom_ball_column_alloc(&params, &m->model, NULL) == CAROM_OK;
}

static double time_column_setup(long count, void *context) {
    const int *balls = context;
    const double begin = bench_seconds();
    for (long i = 0; i < count; i++) {
        motion m = {.model = NULL};
        const bool is_made = make_column(*balls, &m) && start(&m);
        motion_clear(&m);
        if (!is_made) {
            return -1.0;
        }
    }
    return bench_seconds() - begin;
}

static int bench_columns(bench_table *t) {
    static const int BALLS[] = {100, 1000, 10000, 100000};
    int longest = 100000;
    int failures = 0;
    for (size_t k = 0; k < sizeof BALLS / sizeof *BALLS; k++) {
        motion m = {.model = NULL};
        failures += measure_steps(t, "column", make_column(BALLS[k], &m), &m, (double)NAN);
    }
    const bench_row row = {.system = "column",
                           .method = "set-up of a stepper",
                           .coordinates = longest,
                           .contacts = longest,
                           .unit = SECONDS,
                           .work = (double)NAN,
                           .target = 1.0};
    return failures + bench_measure(t, row, time_column_setup, MANY, &longest);
}

/* Rows of 92, 1001 and 10045 contacts, rough enough to stand. */
static int bench_piles(bench_table *t) {
    static const int ROWS[] = {8, 26, 82};
    int failures = 0;
    for (size_t k = 0; k < sizeof ROWS / sizeof *ROWS; k++) {
        carom_disc_pile_params params = carom_disc_pile_params_default();
        motion m = {.model = NULL};
        params.rows = ROWS[k];
        params.friction = 1.0;
        failures += measure_steps(
            t, "pile", carom_disc_pile_alloc(&params, &m.model, NULL) == CAROM_OK, &m, (double)NAN);
    }
    return failures;
}

static int bench_box_towers(bench_table *t) {
    static const int BOXES[] = {10, 50};
    int failures = 0;
    for (size_t k = 0; k < sizeof BOXES / sizeof *BOXES; k++) {
        carom_box_tower_params params = carom_box_tower_params_default();
        motion m = {.model = NULL};
        params.boxes = BOXES[k];
        failures += measure_steps(t, "box_tower",
                                  carom_box_tower_alloc(&params, &m.model, NULL) == CAROM_OK, &m,
                                  BOXES[k] == 10 ? 20.0 : (double)NAN);
    }
    return failures;
}

/* A block of spheres on a floor, each beside six others: so many contacts of them and the floor. */
enum { MOST_SIDE = 16, MOST_SPHERES = MOST_SIDE * MOST_SIDE * MOST_SIDE };
enum { DEEP = 8, WIDE = 4352, MOST_DISCS = DEEP * WIDE, MOST_BODIES = MOST_DISCS };

static int contacts_of_block(int side) {
    return 3 * side * side * (side - 1) + side * side;
}

static carom_bodies *make_block(int side, double *q) {
    static carom_bodies_mass masses[MOST_SPHERES];
    static carom_bodies_solid solids[MOST_SPHERES + 1];
    const int count = side * side * side;
    for (int k = 0; k < count; k++) {
        solids[k] = (carom_bodies_solid){
            .kind = CAROM_BODIES_SPHERE, .body = k, .radius = 0.5, .friction = 0.3};
        masses[k] = carom_bodies_uniform_in_space(1, &solids[k], 1.0);
        q[7 * k] = k % side;
        const int row = k / side % side;
        const int layer = k / side / side;
        q[7 * k + 1] = row;
        q[7 * k + 2] = 0.5 + layer;
        q[7 * k + 3] = 1.0;
        q[7 * k + 4] = q[7 * k + 5] = q[7 * k + 6] = 0.0;
    }
    solids[count] = (carom_bodies_solid){.kind = CAROM_BODIES_HALF_SPACE,
                                         .body = CAROM_BODIES_GROUND,
                                         .to = {0.0, 0.0, 1.0},
                                         .friction = 0.3};
    carom_bodies_space_spec spec = carom_bodies_space_spec_default();
    spec.body_count = count;
    spec.bodies = masses;
    spec.solid_count = count + 1;
    spec.solids = solids;
    carom_bodies *bodies = NULL;
    return carom_bodies_alloc_in_space(&spec, &bodies, NULL) == CAROM_OK ? bodies : NULL;
}

/* Steps of a scene at rest: bodies, found contacts, the contact problem. Its bodies are let go. */
static int measure_scene(bench_table *t, const char *system, carom_bodies *bodies, const double *q,
                         int contacts) {
    static const double v[6 * MOST_BODIES];
    motion m = {.model = NULL};
    carom_stepper_params params = carom_stepper_params_default(CAROM_SCHEME_MOREAU_JEAN);
    params.check_derivatives = false;
    const bool is_ready = bodies != NULL &&
                          carom_stepper_alloc(carom_bodies_mechanism(bodies), &params, &m.stepper,
                                              NULL) == CAROM_OK &&
                          carom_stepper_start(m.stepper, 0.0, q, v, NULL) == CAROM_OK &&
                          time_steps(SETTLING, &m) >= 0.0 &&
                          carom_bodies_contact_count(bodies) == contacts;
    int failures = 1;
    if (is_ready) {
        const bench_row row = {
            .system = system,
            .method = "moreau_jean at rest, search included",
            .coordinates = carom_bodies_mechanism(bodies)->coordinate_count,
            .contacts = contacts,
            .unit = MICROSECONDS,
            .work = contacts,
            .target = (double)NAN,
        };
        failures = bench_measure(t, row, time_steps, MANY, &m);
    } else {
        fprintf(stderr, "bench: %s of %d contacts does not rest\n", system, contacts);
    }
    motion_clear(&m);
    carom_bodies_free(bodies);
    return failures;
}

static int bench_blocks(bench_table *t) {
    static const int SIDES[] = {4, 8, MOST_SIDE};
    int failures = 0;
    for (size_t k = 0; k < sizeof SIDES / sizeof *SIDES; k++) {
        static double q[7 * MOST_SPHERES];
        carom_bodies *bodies = make_block(SIDES[k], q);
        failures += measure_scene(t, "block of spheres", bodies, q, contacts_of_block(SIDES[k]));
    }
    return failures;
}

/* Discs in rows on a floor, each row one shorter than that below: so many of them, and contacts. */
static int discs_of_bed(int wide, int deep) {
    return deep * wide - deep * (deep - 1) / 2;
}

static int contacts_of_bed(int wide, int deep) {
    int count = wide;
    for (int row = 0; row < deep; row++) {
        count += (row + 1 < deep ? 3 : 1) * (wide - row - 1);
    }
    return count;
}

/* Rough enough to stand; the places are those of a model whose contacts are known. */
static carom_bodies *make_bed(int wide, int deep, double *q) {
    static carom_planar_shape masses[MOST_DISCS];
    static carom_bodies_shape shapes[MOST_DISCS + 1];
    static const double centre[2] = {0.0, 0.0};
    static const double floor_line[4] = {0.0, 0.0, 0.0, 1.0};
    carom_disc_pile_params pile = carom_disc_pile_params_default();
    pile.rows = wide;
    const int count = discs_of_bed(wide, deep);
    for (int k = 0; k < count; k++) {
        masses[k] = carom_planar_disc(pile.mass, pile.radius);
        shapes[k] = (carom_bodies_shape){
            .body = k, .point_count = 1, .points = centre, .radius = pile.radius, .friction = 1.0};
        carom_disc_pile_centre(&pile, k, q + 3 * (size_t)k);
        q[3 * (size_t)k + 2] = 0.0;
    }
    shapes[count] = (carom_bodies_shape){.body = CAROM_BODIES_GROUND,
                                         .is_half_plane = true,
                                         .point_count = 2,
                                         .points = floor_line,
                                         .friction = 1.0};
    carom_bodies_spec spec = carom_bodies_spec_default();
    spec.body_count = count;
    spec.bodies = masses;
    spec.shape_count = count + 1;
    spec.shapes = shapes;
    carom_bodies *bodies = NULL;
    return carom_bodies_alloc(&spec, &bodies, NULL) == CAROM_OK ? bodies : NULL;
}

/* Beds of one depth with 92, 1012, 10 028 and 100 004 contacts, and piles up to the last disc with
 * 1001 and 10 045. */
static int bench_beds(bench_table *t) {
    static const int SIZES[][2] = {{8, DEEP},    {48, DEEP}, {440, DEEP},
                                   {WIDE, DEEP}, {26, 26},   {82, 82}};
    int failures = 0;
    for (size_t k = 0; k < sizeof SIZES / sizeof *SIZES; k++) {
        static double q[3 * MOST_DISCS];
        const int wide = SIZES[k][0];
        const int deep = SIZES[k][1];
        carom_bodies *bodies = make_bed(wide, deep, q);
        failures += measure_scene(t, deep == DEEP ? "scene of a bed" : "scene of a pile", bodies, q,
                                  contacts_of_bed(wide, deep));
    }
    return failures;
}

int bench_steps(bench_table *t) {
    return bench_columns(t) + bench_piles(t) + bench_box_towers(t) + bench_blocks(t) +
           bench_beds(t);
}
