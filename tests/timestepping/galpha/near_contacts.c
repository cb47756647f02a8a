/* Contacts that come and go, many of them, under every scheme: piles rest by their weights, memory
 * follows the bodies, what is a matter of choice - units, directions, order - does not matter. */
#include "../../failing_malloc.h"
#include "../../support.h"

#include <carom/mechanism/bodies/bodies.h>
#include <carom/timestepping/galpha/galpha.h>

#include <string.h>

static const double CENTRE[] = {0.0, 0.0};
static const double G = 9.81;

/* --- scenes ------------------------------------------------------------------------------------
 */

enum { MOST_DISCS = 160, MOST_WALLS = 3 };

/** Discs between walls, which are half planes: a point and a normal each. */
typedef struct heap {
    int discs;
    int walls;
    double mass;
    double friction;
    double restitution;
    double gravity[2];
    double radius[MOST_DISCS];
    double q[3 * MOST_DISCS];
    double v[3 * MOST_DISCS];
    double wall[MOST_WALLS][4];
} heap;

static carom_bodies *make(const heap *h) {
    static carom_planar_shape bodies[MOST_DISCS];
    static carom_bodies_shape shapes[MOST_DISCS + MOST_WALLS];
    for (int k = 0; k < h->discs + h->walls; k++) {
        shapes[k] = (carom_bodies_shape){.body = k,
                                         .point_count = 1,
                                         .points = CENTRE,
                                         .friction = h->friction,
                                         .restitution = h->restitution};
        if (k < h->discs) {
            bodies[k] = carom_planar_disc(h->mass, h->radius[k]);
            shapes[k].radius = h->radius[k];
        } else {
            shapes[k].body = CAROM_BODIES_GROUND;
            shapes[k].is_half_plane = true;
            shapes[k].point_count = 2;
            shapes[k].points = h->wall[k - h->discs];
        }
    }
    carom_bodies_spec spec = carom_bodies_spec_default();
    spec.body_count = h->discs;
    spec.bodies = bodies;
    spec.shape_count = h->discs + h->walls;
    spec.shapes = shapes;
    memcpy(spec.gravity, h->gravity, sizeof spec.gravity);
    carom_bodies *out = NULL;
    assert_ok(carom_bodies_alloc(&spec, &out, NULL));
    return out;
}

static void put_wall(heap *h, double x, double y, double n_x, double n_y) {
    const double wall[] = {x, y, n_x, n_y};
    memcpy(h->wall[h->walls++], wall, sizeof wall);
}

static void put_disc(heap *h, double radius, double x, double y) {
    h->radius[h->discs] = radius;
    h->q[3 * h->discs] = x;
    h->q[3 * h->discs++ + 1] = y;
}

static carom_stepper *start(const carom_mechanism *m, carom_scheme scheme, double step,
                            const double *q, const double *v) {
    carom_stepper_params params = carom_stepper_params_default(scheme);
    params.step = step;
    params.spectral_radius = 0.5;
    carom_stepper *s = NULL;
    assert_ok(carom_stepper_alloc(m, &params, &s, NULL));
    assert_ok(carom_stepper_start(s, 0.0, q, v, NULL));
    return s;
}

static void advance(carom_stepper *s, int steps) {
    for (int k = 0; k < steps; k++) {
        assert_ok(carom_stepper_advance(s, NULL));
    }
}

static bool computes_friction(int scheme) {
    return carom_scheme_support((carom_scheme)scheme).friction;
}

static bool computes_restitution(int scheme) {
    return carom_scheme_support((carom_scheme)scheme).restitution;
}

/** Impulse in the last step of the contact of two shapes, of which a wall is the later one; 0 where
 * they are apart. */
static double impulse_of(const carom_bodies *bodies, const carom_step *step, carom_scheme scheme,
                         double h, int first, int second) {
    for (int j = 0; j < carom_bodies_contact_count(bodies); j++) {
        const carom_bodies_contact contact = carom_bodies_contact_at(bodies, step->position, j);
        if (contact.first == first && contact.second == second) {
            return scheme == CAROM_SCHEME_SMOOTH_GALPHA ? h * step->force[j] : step->impulse[j];
        }
    }
    return 0.0;
}

enum { HIGHEST = 4 }; /* discs on each other */

/** After many steps, the mean of two: modified_lcp lifts what rests in one step, by half a step's
 * fall, and has nothing to carry in the next. */
static void find_impulses(const heap *h, carom_scheme scheme, double step, int count,
                          int pairs[][2], double *impulses) {
    CAROM_AUTO(carom_bodies) bodies = make(h);
    CAROM_AUTO(carom_stepper)
    s = start(carom_bodies_mechanism(bodies), scheme, step, h->q, h->v);
    advance(s, 300);
    memset(impulses, 0, (size_t)count * sizeof *impulses);
    for (int k = 0; k < 2; k++) {
        advance(s, 1);
        const carom_step *at = carom_stepper_result(s);
        for (int i = 0; i < count; i++) {
            impulses[i] += 0.5 * impulse_of(bodies, at, scheme, step, pairs[i][0], pairs[i][1]);
        }
        const double lift = scheme == CAROM_SCHEME_MODIFIED_LCP ? HIGHEST * G * step * step : 0.0;
        for (int i = 0; i < 3 * h->discs; i++) {
            assert_close(at->position[i], h->q[i], 0.0, lift + 1e-9);
        }
    }
}

/* --- at rest -----------------------------------------------------------------------------------
 */

/** Columns of discs, side by side and apart: contact k of a column carries what is above it. All of
 * it is at rest but for what a step is solved to, 1e-10 of the weight of a column. */
TEST(property, columns_of_discs_rest_by_the_weights_above) {
    enum { COLUMNS = 7, HIGH = 4, WALL = COLUMNS * HIGH };
    const double step = 2e-3;
    for (int scheme = 0; scheme < CAROM_SCHEME_COUNT; scheme++) {
        heap h = {.mass = 1.7, .gravity = {0.0, -G}};
        h.friction = computes_friction(scheme) ? 0.35 : 0.0;
        put_wall(&h, 0.0, 0.0, 0.0, 1.0);
        for (int k = 0; k < COLUMNS * HIGH; k++) {
            const int column = k / HIGH;
            put_disc(&h, 0.12, 0.3 * column, 0.12 + 0.24 * (k % HIGH));
        }
        const double weight = h.mass * G * step;
        int pairs[COLUMNS * HIGH][2];
        double impulses[COLUMNS * HIGH];
        for (int k = 0; k < COLUMNS * HIGH; k++) {
            pairs[k][0] = k % HIGH == 0 ? k : k - 1;
            pairs[k][1] = k % HIGH == 0 ? WALL : k;
        }
        find_impulses(&h, (carom_scheme)scheme, step, COLUMNS * HIGH, pairs, impulses);
        for (int k = 0; k < COLUMNS * HIGH; k++) {
            assert_close(impulses[k], (HIGH - k % HIGH) * weight, 0.0, 1e-8 * HIGH * weight);
        }
    }
}

/** A disc on two that lean on walls, smooth: from its weight w the joining lines, at a slope of 3
 * to 4, carry w/(2 * 4/5), the walls 3/5 of it and the ground w and half a w. */
TEST(property, a_disc_on_two_presses_them_against_their_walls) {
    enum { LEFT, RIGHT, TOP, GROUND, LEFT_WALL, RIGHT_WALL };
    const double step = 1e-3;
    const double r = 0.25;
    for (int scheme = 0; scheme < CAROM_SCHEME_COUNT; scheme++) {
        heap h = {.mass = 2.3, .gravity = {0.0, -G}};
        put_wall(&h, 0.0, 0.0, 0.0, 1.0);
        put_wall(&h, -2.2 * r, 0.0, 1.0, 0.0);
        put_wall(&h, 2.2 * r, 0.0, -1.0, 0.0);
        put_disc(&h, r, -1.2 * r, r);
        put_disc(&h, r, 1.2 * r, r);
        put_disc(&h, r, 0.0, 2.6 * r);
        const double w = h.mass * G * step;
        int pairs[][2] = {{LEFT, TOP},     {RIGHT, TOP},      {LEFT, GROUND},
                          {RIGHT, GROUND}, {LEFT, LEFT_WALL}, {RIGHT, RIGHT_WALL}};
        const double carried[] = {0.625 * w, 0.625 * w, 1.5 * w, 1.5 * w, 0.375 * w, 0.375 * w};
        double impulses[6];
        find_impulses(&h, (carom_scheme)scheme, step, 6, pairs, impulses);
        for (int k = 0; k < 6; k++) {
            assert_close(impulses[k], carried[k], 0.0, 1e-8 * w);
        }
    }
}

/* --- growth ------------------------------------------------------------------------------------
 */

/** Bytes asked for up to and with a few steps, and the iterations of these, by discs on the ground,
 * each near the next. */
static size_t cost_of(int discs, carom_scheme scheme, int *iterations) {
    static heap h;
    h = (heap){.mass = 1.0, .gravity = {0.0, -G}};
    h.friction = computes_friction((int)scheme) ? 0.3 : 0.0;
    put_wall(&h, 0.0, 0.0, 0.0, 1.0);
    for (int k = 0; k < discs; k++) {
        put_disc(&h, 0.1, 0.2001 * k, 0.1);
    }
    CAROM_AUTO(carom_bodies) bodies = make(&h);
    largest_allocation = 0;
    CAROM_AUTO(carom_stepper)
    s = start(carom_bodies_mechanism(bodies), scheme, 1e-3, h.q, h.v);
    *iterations = 0;
    for (int k = 0; k < 5; k++) {
        assert_ok(carom_stepper_advance(s, NULL));
        *iterations += carom_stepper_result(s)->iterations;
    }
    ck_assert_int_eq(carom_bodies_contact_count(bodies), 2 * discs - 1);
    return largest_allocation;
}

/** The largest array grows with the bodies: by 4 for 4 times as many, not by 16, with what arrays
 * grow ahead of what they need, at most twice. */
TEST(property, memory_follows_the_bodies_and_iterations_do_not_grow) {
    for (int scheme = 0; scheme < CAROM_SCHEME_COUNT; scheme++) {
        int few;
        int many;
        const size_t small = cost_of(40, (carom_scheme)scheme, &few);
        const size_t large = cost_of(160, (carom_scheme)scheme, &many);
        ck_assert_msg(large <= 8 * small, "%s: %zu bytes for 40, %zu for 160",
                      carom_scheme_name((carom_scheme)scheme), small, large);
        ck_assert_msg(many <= few + 5, "%s: %d iterations for 40, %d for 160",
                      carom_scheme_name((carom_scheme)scheme), few, many);
    }
}

/* --- choices -----------------------------------------------------------------------------------
 */

/** How a heap is described. */
typedef struct choice {
    double angle;  /**< its directions are turned by it, rad */
    double mass;   /**< its kilogram */
    double length; /**< its metre */
    bool reversed; /**< the last disc is the first */
} choice;

static void turn(const choice *c, double x, double y, double out[2]) {
    out[0] = c->length * (cos(c->angle) * x - sin(c->angle) * y);
    out[1] = c->length * (sin(c->angle) * x + cos(c->angle) * y);
}

/** Discs of two sizes that fall into a corner, one after the other. */
static heap falling(int scheme, const choice *c) {
    enum { DISCS = 12 };
    heap h = {.mass = c->mass, .discs = DISCS};
    h.friction = computes_friction(scheme) ? 0.3 : 0.0;
    h.restitution = computes_restitution(scheme) ? 0.4 : 0.0;
    turn(c, 0.0, -G, h.gravity);
    static const double walls[3][4] = {
        {0.0, 0.0, 0.1, 1.0}, {-0.1, 0.0, 1.0, 0.0}, {1.05, 0.0, -1.0, 0.3}};
    for (int k = 0; k < 3; k++) {
        double wall[4];
        turn(c, walls[k][0], walls[k][1], wall);
        turn(c, walls[k][2], walls[k][3], wall + 2);
        put_wall(&h, wall[0], wall[1], wall[2], wall[3]);
    }
    for (int k = 0; k < DISCS; k++) {
        const int at = c->reversed ? DISCS - 1 - k : k;
        const int row = k / 4;
        const double x = 0.06 + 0.24 * (k % 4) + 0.05 * row;
        h.radius[at] = c->length * (k % 3 == 0 ? 0.11 : 0.08);
        turn(c, x, 0.16 + 0.23 * row, &h.q[3 * at]);
        h.q[3 * at + 2] = c->angle;
        turn(c, 0.4, -0.3, &h.v[3 * at]);
    }
    return h;
}

static void run(int scheme, const choice *c, double *q) {
    heap h = falling(scheme, c);
    CAROM_AUTO(carom_bodies) bodies = make(&h);
    CAROM_AUTO(carom_stepper)
    s = start(carom_bodies_mechanism(bodies), (carom_scheme)scheme, 1e-3, h.q, h.v);
    advance(s, 150);
    const carom_step *at = carom_stepper_result(s);
    for (int k = 0; k < h.discs; k++) {
        const int from = c->reversed ? h.discs - 1 - k : k;
        const double *place = at->position + 3 * (size_t)from;
        const choice back = {.angle = -c->angle, .length = 1.0 / c->length};
        turn(&back, place[0], place[1], &q[3 * k]);
        q[3 * k + 2] = place[2] - c->angle;
    }
}

/** To what steps are solved to, 1e-10 of what moves in each, and what impacts among discs make of
 * it: some 10 of each. */
TEST(property, units_directions_and_order_of_bodies_do_not_matter) {
    static const choice choices[] = {{.angle = 0.7, .mass = 1.0, .length = 1.0},
                                     {.mass = 1e3, .length = 1e2},
                                     {.mass = 1.0, .length = 1.0, .reversed = true}};
    for (int scheme = 0; scheme < CAROM_SCHEME_COUNT; scheme++) {
        const choice plain = {.mass = 1.0, .length = 1.0};
        double q[36] = {0.0};
        double other[36] = {0.0};
        run(scheme, &plain, q);
        ck_assert_double_gt(hypot(q[0] - 0.06, q[1] - 0.16), 0.05); /* it moved */
        for (int k = 0; k < 3; k++) {
            run(scheme, &choices[k], other);
            for (int i = 0; i < 36; i++) {
                ck_assert_msg(fabs(other[i] - q[i]) <= 1e-6, "%s, choice %d: q[%d] %.17g, %.17g",
                              carom_scheme_name((carom_scheme)scheme), k, i, other[i], q[i]);
            }
        }
    }
}
