/* carom/mechanism/bodies/bodies.h with a tree: motions against closed forms, against the same
 * system of free bodies with joints, budgets, and what they do not depend on. */
#include <carom/mechanism/bodies/bodies.h>

#include "../../units.h"
#include "steps.h"

#include <carom/impact/impact_law.h>

static const double CENTER[] = {0.0, 0.0};

/** A disc on a link of length `arm` hangs beside a free disc and swings into it, no gravity: its
 * mass there is I/L^2, and both go on as two masses with restitution e. */
typedef struct struck {
    carom_planar_tree *tree;
    carom_bodies *bodies;
    double speeds[2]; /* of both discs after the impact */
    double position[4];
    double velocity[4];
} struck;

static struck strike(double e) {
    const double arm = 0.8;
    const double rate = 1.7;
    const double radii[] = {0.15, 0.25};
    const double mass = 0.7;
    const carom_planar_shape rod = {1.3, 0.09, {0.05, -0.5}};
    const carom_planar_body link = carom_planar_revolute(-1, 0.3, 2.0, rod);
    const carom_planar_shape disc = carom_planar_disc(mass, radii[1]);
    const double bob[] = {0.0, -arm};
    const carom_bodies_shape shapes[] = {
        {.body = 1, .point_count = 1, .points = bob, .radius = radii[0], .restitution = e},
        {.body = 0, .point_count = 1, .points = CENTER, .radius = radii[1], .restitution = e}};
    struck s = {.position = {0.3 + radii[0] + radii[1], 2.0 - arm, 0.4, 0.0},
                .velocity = {-0.6, 0.0, 0.0, rate}};
    carom_planar_tree_spec tree = {.body_count = 1, .bodies = &link};
    assert_ok(carom_planar_tree_alloc(&tree, &s.tree, NULL));
    carom_bodies_spec spec = {
        .body_count = 1, .bodies = &disc, .shape_count = 2, .shapes = shapes, .tree = s.tree};
    assert_ok(carom_bodies_alloc(&spec, &s.bodies, NULL));
    const double about = rod.inertia + rod.mass * (0.05 * 0.05 + 0.5 * 0.5);
    const double effective = about / (arm * arm);
    const double u[] = {rate * arm, -0.6};
    const double common = (effective * u[0] + mass * u[1]) / (effective + mass);
    const double closing = u[0] - u[1];
    s.speeds[0] = common - e * mass / (effective + mass) * closing;
    s.speeds[1] = common + e * effective / (effective + mass) * closing;
    return s;
}

static void free_struck(struck *s) {
    carom_bodies_free(s->bodies);
    carom_planar_tree_free(s->tree);
}

/** In an instant, by Newton's law: without friction every law has the same. */
TEST(property, a_pendulum_strikes_a_disc_by_its_effective_mass) {
    const double e[] = {0.0, 0.37, 1.0};
    for (int k = 0; k < 3; k++) {
        struck s = strike(e[k]);
        const carom_mechanism *m = carom_bodies_mechanism(s.bodies);
        assert_ok(m->update_contacts(0.0, 0.0, s.position, s.velocity, NULL, NULL, m->context));
        CAROM_AUTO(carom_impact_problem) problem = NULL;
        CAROM_AUTO(carom_impact_result) result = NULL;
        assert_ok(carom_impact_problem_of_mechanism(m, s.position, s.velocity, 1e-12, NULL,
                                                    &problem, NULL));
        assert_ok(
            carom_impact_law_run(&carom_impact_law_newton_moreau, problem, NULL, &result, NULL));
        ck_assert_int_eq(result->count, 1);
        assert_close(result->velocity[3] * 0.8, s.speeds[0], 1e-12, 1e-13);
        assert_close(result->velocity[0], s.speeds[1], 1e-12, 1e-13);
        free_struck(&s);
    }
}

/** And every scheme that takes contacts that come and go with restitution, but for how far both
 * turn in its step. */
TEST(property, every_scheme_that_takes_bodies_takes_the_pendulum) {
    int schemes = 0;
    for (int scheme = 0; scheme < CAROM_SCHEME_COUNT; scheme++) {
        const carom_mechanism_support support = carom_scheme_support((carom_scheme)scheme);
        if (!support.changing_contacts || !support.restitution) {
            continue;
        }
        struck s = strike(0.37);
        carom_stepper_params params = carom_stepper_params_default((carom_scheme)scheme);
        params.step = 1e-7;
        CAROM_AUTO(carom_stepper) stepper = NULL;
        assert_ok(carom_stepper_alloc(carom_bodies_mechanism(s.bodies), &params, &stepper, NULL));
        assert_ok(carom_stepper_start(stepper, 0.0, s.position, s.velocity, NULL));
        for (int k = 0; k < 3; k++) {
            assert_ok(carom_stepper_advance(stepper, NULL));
        }
        const double *end = carom_stepper_result(stepper)->velocity;
        const double turn = 3.0 * 1e-7 * 1.7;
        assert_close(end[3] * 0.8, s.speeds[0], 0.0, 10.0 * turn);
        assert_close(end[0], s.speeds[1], 0.0, 10.0 * turn);
        free_struck(&s);
        schemes++;
    }
    ck_assert_int_ge(schemes, 3);
}

/* --- a double pendulum beside a box and a disc -------------------------------------------------
 */

enum { N = 8 };

/** How the same is told. */
typedef struct telling {
    test_units units;
    double turn;     /* of the whole, rad */
    bool is_swapped; /* the disc before the box */
    bool is_tree;    /* or free bodies with joints: then four of them */
    double step;     /* s */
} telling;

static const telling PLAIN = {{1.0, 1.0, 1.0}, 0.0, false, true, 2e-3};

static void turn_by(double angle, double length, const double from[2], double to[2]) {
    const double x = from[0];
    const double y = from[1];
    to[0] = length * (cos(angle) * x - sin(angle) * y);
    to[1] = length * (sin(angle) * x + cos(angle) * y);
}

static const carom_planar_shape PARTS[] = {{2.3, 0.0692, {0.0, 0.0}},
                                           {0.9, 0.0061, {0.0, 0.0}},
                                           {1.2, 0.04, {0.01, -0.3}},
                                           {0.8, 0.03, {0.0, -0.35}}};
static const double BOX[] = {-0.2, -0.25, 0.2, -0.25, 0.2, 0.25, -0.2, 0.25};
static const double UPPER[] = {0.0, -0.1, 0.0, -0.5};
static const double LOWER[] = {0.0, -0.1, 0.0, -0.6};
static const double SWING[2] = {-1.3, 0.2}; /* of the first link, and of the second beside it */

/** Places of the two rods by their angles. */
static void place_rods(const telling *how, const double pivot[2], double place[2][3]) {
    const double knee[2] = {0.6 * sin(SWING[0]), -0.6 * cos(SWING[0])};
    turn_by(how->turn, how->units.length, pivot, place[0]);
    const double second[2] = {pivot[0] + knee[0], pivot[1] + knee[1]};
    turn_by(how->turn, how->units.length, second, place[1]);
    place[0][2] = how->turn + SWING[0];
    place[1][2] = how->turn + SWING[0] + SWING[1];
}

/** (x, y, angle) of box, disc, and both rods after a second in which the pendulum swings into the
 * box, which slides on a rough floor into the disc; as the plain telling says it. */
static void move(const telling *how, double end[4][3]) {
    const test_units u = how->units;
    const double inertia = u.mass * u.length * u.length;
    const double pivot[] = {0.0, 1.42};
    const double places[2][2] = {{0.45, 0.25}, {0.87, 0.12}};
    const int order[4] = {how->is_swapped ? 1 : 0, how->is_swapped ? 0 : 1, 2, 3};
    carom_planar_shape parts[4];
    for (int k = 0; k < 4; k++) {
        const carom_planar_shape p = PARTS[k];
        parts[order[k]] = (carom_planar_shape){
            p.mass * u.mass, p.inertia * inertia, {p.center[0] * u.length, p.center[1] * u.length}};
    }
    const double pivot_place[2] = {pivot[0], pivot[1]};
    double hinge[2];
    turn_by(how->turn, u.length, pivot_place, hinge);
    carom_planar_body links[] = {carom_planar_revolute(-1, hinge[0], hinge[1], parts[2]),
                                 carom_planar_revolute(0, 0.0, -0.6 * u.length, parts[3])};
    links[0].joint_angle = how->turn;
    double gravity[2];
    const double down[] = {0.0, -9.81};
    turn_by(how->turn, u.length / (u.time * u.time), down, gravity);
    const carom_planar_tree_spec of_tree = {
        .body_count = 2, .bodies = links, .gravity = {gravity[0], gravity[1]}};
    CAROM_AUTO(carom_planar_tree) tree = NULL;
    assert_ok(carom_planar_tree_alloc(&of_tree, &tree, NULL));

    double points[4][8];
    double ground[4] = {0.0};
    const double up[] = {0.0, 1.0};
    turn_by(how->turn, 1.0, up, ground + 2);
    for (int i = 0; i < 8; i++) {
        points[0][i] = u.length * BOX[i];
        points[2][i] = i < 4 ? u.length * UPPER[i] : 0.0;
        points[3][i] = i < 4 ? u.length * LOWER[i] : 0.0;
    }
    const double radii[] = {0.0, 0.12, 0.03, 0.05};
    const int counts[] = {4, 1, 2, 2};
    carom_bodies_shape shapes[5];
    for (int k = 0; k < 4; k++) {
        shapes[order[k]] = (carom_bodies_shape){.body = order[k],
                                                .point_count = counts[k],
                                                .points = k == 1 ? CENTER : points[k],
                                                .radius = u.length * radii[k],
                                                .friction = 0.35,
                                                .restitution = 0.3};
    }
    shapes[4] = (carom_bodies_shape){.body = CAROM_BODIES_GROUND,
                                     .is_half_plane = true,
                                     .point_count = 2,
                                     .points = ground,
                                     .friction = 0.35};
    const carom_bodies_joint hinges[] = {{.kind = CAROM_BODIES_REVOLUTE,
                                          .first = CAROM_BODIES_GROUND,
                                          .second = 2,
                                          .first_point = {hinge[0], hinge[1]},
                                          .collides = true},
                                         {.kind = CAROM_BODIES_REVOLUTE,
                                          .first = 2,
                                          .second = 3,
                                          .first_point = {0.0, -0.6 * u.length}}};
    carom_bodies_spec spec = {.body_count = how->is_tree ? 2 : 4,
                              .bodies = parts,
                              .shape_count = 5,
                              .shapes = shapes,
                              .joint_count = how->is_tree ? 0 : 2,
                              .joints = hinges,
                              .gravity = {gravity[0], gravity[1]},
                              .tree = how->is_tree ? tree : NULL};
    CAROM_AUTO(carom_bodies) bodies = NULL;
    assert_ok(carom_bodies_alloc(&spec, &bodies, NULL));

    double q[12] = {0.0};
    const double v[12] = {0.0};
    for (int k = 0; k < 2; k++) {
        turn_by(how->turn, u.length, places[k], q + 3 * order[k]);
        q[3 * order[k] + 2] = how->turn;
    }
    double rods[2][3];
    place_rods(how, pivot, rods);
    for (int k = 0; k < 2; k++) {
        if (how->is_tree) {
            q[6 + k] = SWING[k];
        } else {
            carom_bodies_place(bodies, 2 + k, rods[k], q + 6 + 3 * k);
        }
    }
    const int steps = (int)lround(1.0 / how->step);
    CAROM_AUTO(carom_stepper)
    s = run(carom_bodies_mechanism(bodies), how->step * u.time, steps, q, v);
    for (int k = 0; k < 4; k++) {
        double pose[3];
        carom_bodies_pose(bodies, carom_stepper_result(s)->position, order[k], pose);
        turn_by(-how->turn, 1.0 / u.length, pose, end[k]);
        end[k][2] = pose[2] - how->turn;
    }
}

/** Places within a tolerance, m, and angles by the radius of the disc, which rolls. */
static void assert_same(double one[4][3], double other[4][3], double tolerance) {
    for (int i = 0; i < 12; i++) {
        assert_close(other[i / 3][i % 3], one[i / 3][i % 3], 0.0,
                     i % 3 == 2 ? tolerance / 0.12 : tolerance);
    }
}

/** A tree and free bodies with joints are the same mechanism: both schemes are of first order, each
 * of some four impacts is up to a step late, at up to 5 m/s. */
TEST(property, a_tree_moves_as_free_bodies_with_joints) {
    for (int k = 0; k < 3; k++) {
        telling how = PLAIN;
        double one[4][3];
        double other[4][3];
        how.step = 1e-3 / (1 << k);
        move(&how, one);
        how.is_tree = false;
        move(&how, other);
        assert_same(one, other, 20.0 * how.step);
        ck_assert_double_ge(one[0][0], 0.5); /* the box was pushed, and the disc by it */
        ck_assert_double_ge(one[1][0], 0.9);
    }
}

/** Steps are solved to 1e-10; impacts of few bodies make little more of it. */
TEST(property, a_motion_does_not_know_how_it_is_told) {
    double plain[4][3];
    double other[4][3];
    move(&PLAIN, plain);
    telling how = PLAIN;
    how.turn = 0.7;
    move(&how, other);
    assert_same(plain, other, 1e-7);
    how = PLAIN;
    how.is_swapped = true;
    move(&how, other);
    assert_same(plain, other, 1e-7);
    for (int c = 0; c < CHANGE_OF_UNITS_COUNT; c++) {
        how = PLAIN;
        how.units = CHANGES_OF_UNITS[c];
        move(&how, other);
        assert_same(plain, other, 1e-7);
    }
}

/* --- budgets -----------------------------------------------------------------------------------
 */

/** What a row times the change of velocity is. */
static double change_of(carom_mechanism_pattern pattern, const double *entries, int row,
                        const double *before, const double *after) {
    double sum = 0.0;
    for (int k = pattern.start[row]; k < pattern.start[row + 1]; k++) {
        sum += entries[k] * (after[pattern.column[k]] - before[pattern.column[k]]);
    }
    return sum;
}

/** A trolley on a rail, or free, with a hoist that has a foot: its mass matrix is constant, its
 * foot comes down on a box on a rough floor. */
static carom_bodies *crane(bool is_free, carom_planar_tree **tree) {
    const carom_planar_shape trolley = {3.1, 0.2, {0.02, 0.0}};
    const carom_planar_shape hoist = {1.7, 0.1, {0.0, -0.4}};
    const carom_planar_body links[] = {is_free ? carom_planar_translating(trolley)
                                               : carom_planar_prismatic(-1, 0.0, 2.0, 0.0, trolley),
                                       carom_planar_prismatic(0, 0.1, 0.0, -1.3, hoist)};
    const double foot[] = {-0.1, -0.8, 0.1, -0.8, 0.1, -0.7, -0.1, -0.7};
    const double up[] = {0.0, 0.0, 0.0, 1.0};
    const double fall = is_free ? 0.0 : -9.81;
    const carom_planar_tree_spec of_tree = {
        .body_count = 2, .bodies = links, .gravity = {0.0, fall}};
    assert_ok(carom_planar_tree_alloc(&of_tree, tree, NULL));
    const carom_bodies_shape shapes[] = {
        {.body = 0, .point_count = 4, .points = BOX, .friction = 0.4, .restitution = 0.3},
        {.body = 2, .point_count = 4, .points = foot, .friction = 0.4, .restitution = 0.3},
        {.body = 1, .point_count = 1, .points = CENTER, .radius = 0.2, .restitution = 0.5},
        {.body = CAROM_BODIES_GROUND,
         .is_half_plane = true,
         .point_count = 2,
         .points = up,
         .friction = 0.4}};
    const carom_bodies_spec spec = {.body_count = 1,
                                    .bodies = PARTS,
                                    .shape_count = is_free ? 3 : 4,
                                    .shapes = shapes,
                                    .gravity = {0.0, fall},
                                    .tree = *tree};
    carom_bodies *bodies = NULL;
    assert_ok(carom_bodies_alloc(&spec, &bodies, NULL));
    return bodies;
}

static carom_stepper *start(const carom_bodies *bodies, const double *q, const double *v) {
    carom_stepper_params params = carom_stepper_params_default(CAROM_SCHEME_MOREAU_JEAN);
    params.theta = 0.5;
    params.tolerance = 1e-13;
    carom_stepper *s = NULL;
    assert_ok(carom_stepper_alloc(carom_bodies_mechanism(bodies), &params, &s, NULL));
    assert_ok(carom_stepper_start(s, 0.0, q, v, NULL));
    return s;
}

/** With constant masses and gravity the theta-method loses nothing by itself: all that is missing
 * in the end is the work of the impulses and of friction, over the mean velocity of each step. */
TEST(property, energy_is_lost_to_impacts_and_friction_alone) {
    CAROM_AUTO(carom_planar_tree) tree = NULL;
    CAROM_AUTO(carom_bodies) bodies = crane(false, &tree);
    const carom_mechanism *m = carom_bodies_mechanism(bodies);
    const double q[] = {0.05, 0.25, 0.0, -0.1, 0.3};
    const double v[] = {0.0, 0.0, 0.0, 0.8, 0.5};
    CAROM_AUTO(carom_stepper) s = start(bodies, q, v);
    double work[32];
    double G[512];
    double H[512];
    double before[5];
    ck_assert_uint_le(carom_mechanism_constraint_entry_room(m), 512);
    double first = 0.0;
    double lost[2] = {0.0, 0.0};
    double energy = 0.0;
    for (int k = 0; k <= 900; k++) {
        const carom_step *step = carom_stepper_result(s);
        energy = carom_mechanism_kinetic_energy(m, step->position, step->velocity, work) +
                 m->potential_energy(step->position, m->context);
        first = k == 0 ? energy : first;
        m->constraint_jacobian(step->position, G, m->context);
        m->tangential_jacobian(step->position, H, m->context);
        for (int j = 0; k > 0 && j < m->contact_count; j++) {
            lost[0] -= step->impulse[j] *
                       (step->constraint_rate[j] -
                        0.5 * change_of(m->constraint_pattern, G, j, before, step->velocity));
            lost[1] -= step->friction_impulse[j] *
                       (step->sliding_velocity[j] -
                        0.5 * change_of(m->tangential_pattern, H, j, before, step->velocity));
        }
        memcpy(before, step->velocity, sizeof before);
        assert_ok(carom_stepper_advance(s, NULL));
    }
    ck_assert_double_ge(lost[0], 0.1);
    ck_assert_double_ge(lost[1], 0.1);
    assert_close(energy + lost[0] + lost[1], first, 1e-10, 0.0);
}

/** Nothing outside: the momentum of the tree and of the box stays what it was, whatever they do to
 * each other. */
TEST(property, momentum_is_kept_in_impacts_with_friction) {
    CAROM_AUTO(carom_planar_tree) tree = NULL;
    CAROM_AUTO(carom_bodies) bodies = crane(true, &tree);
    const carom_mechanism *m = carom_bodies_mechanism(bodies);
    const double q[] = {0.1, 0.25, 0.1, 0.0, 2.0, 0.3};
    const double v[] = {0.3, 0.4, 0.6, 0.2, -1.4, 2.1};
    double M[36];
    double momentum[2][2] = {{0.0}};
    CAROM_AUTO(carom_stepper) s = start(bodies, q, v);
    double turned = 0.0;
    for (int k = 0; k <= 600; k++) {
        const carom_step *step = carom_stepper_result(s);
        m->mass(step->position, M, m->context);
        for (int axis = 0; axis < 2; axis++) {
            double sum = 0.0;
            for (int j = 0; j < 6; j++) {
                const int rows[2] = {axis, 3 + axis}; /* of the box, of the trolley */
                for (int i = 0; i < 2; i++) {
                    sum += j >= carom_layout_first_column(m->layout, rows[i]) &&
                                   j < carom_layout_end_column(m->layout, rows[i])
                               ? M[carom_layout_index(m->layout, rows[i], j)] * step->velocity[j]
                               : 0.0;
                }
            }
            momentum[k > 0][axis] = sum;
        }
        turned = fmax(turned, fabs(step->velocity[1] - v[1]));
        assert_ok(carom_stepper_advance(s, NULL));
    }
    ck_assert_double_ge(turned, 0.5);
    for (int axis = 0; axis < 2; axis++) {
        assert_close(momentum[1][axis], momentum[0][axis], 1e-10, 0.0);
    }
}

enum { WALKER = 8 }; /* a box, and two legs on a trunk that floats */

/** Momentum along x, along y, about the origin, and kinetic energy: that of motions of the whole.
 */
static void measure(const carom_mechanism *m, const double *q, const double *v, double sums[4]) {
    double M[2 * WALKER * WALKER];
    double product[WALKER] = {0.0};
    const double whole[3][WALKER] = {
        {1, 0, 0, 1, 0, 0, 0, 0}, {0, 1, 0, 0, 1, 0, 0, 0}, {-q[1], q[0], 1, -q[4], q[3], 1, 0, 0}};
    ck_assert_uint_le(carom_layout_entry_count(m->layout), 2 * WALKER * WALKER);
    m->mass(q, M, m->context);
    carom_layout_multiply_add(m->layout, 1.0, M, v, product);
    memset(sums, 0, 4 * sizeof *sums);
    for (int i = 0; i < WALKER; i++) {
        for (int k = 0; k < 3; k++) {
            sums[k] += whole[k][i] * product[i];
        }
        sums[3] += 0.5 * v[i] * product[i];
    }
}

/** How far momentum of a trunk with legs and of a box that it strikes is off in the end. */
static void collide(double h, double errors[3]) {
    const carom_planar_body links[] = {carom_planar_floating(PARTS[0]),
                                       carom_planar_revolute(0, -0.15, -0.2, PARTS[2]),
                                       carom_planar_revolute(0, 0.15, -0.2, PARTS[3])};
    const carom_planar_tree_spec of_tree = {.body_count = 3, .bodies = links};
    CAROM_AUTO(carom_planar_tree) tree = NULL;
    assert_ok(carom_planar_tree_alloc(&of_tree, &tree, NULL));
    carom_bodies_shape shapes[4];
    for (int k = 0; k < 4; k++) {
        shapes[k] = (carom_bodies_shape){.body = k,
                                         .point_count = k < 2 ? 4 : 2,
                                         .points = k < 2 ? BOX : LOWER,
                                         .radius = k < 2 ? 0.0 : 0.05,
                                         .friction = 0.4,
                                         .restitution = 0.3};
    }
    const carom_bodies_spec spec = {
        .body_count = 1, .bodies = PARTS, .shape_count = 4, .shapes = shapes, .tree = tree};
    CAROM_AUTO(carom_bodies) bodies = NULL;
    assert_ok(carom_bodies_alloc(&spec, &bodies, NULL));
    const carom_mechanism *m = carom_bodies_mechanism(bodies);
    const double q[] = {0.1, -0.3, 0.2, 0.0, 1.0, 0.3, -0.5, 0.4};
    const double v[] = {0.2, 0.3, 0.0, 0.1, -1.5, 0.4, 1.1, -0.7};
    double before[4];
    double after[4];
    measure(m, q, v, before);
    CAROM_AUTO(carom_stepper) s = run(m, h, (int)lround(0.6 / h), q, v);
    measure(m, carom_stepper_result(s)->position, carom_stepper_result(s)->velocity, after);
    for (int k = 0; k < 3; k++) {
        errors[k] = after[k] - before[k];
    }
    ck_assert_double_le(after[3], 0.9 * before[3]); /* they did meet */
}

/** Legs turn, so that momentum is no longer a row of a constant mass matrix: a step has the matrix
 * of one instant, and is off by what impulses, of some 5 N s, move in it at some 2 m/s: half as
 * much in half the step. About a point the times of impacts, up to a step late, come in. */
TEST(property, momentum_of_legs_that_turn_is_kept_by_the_order_of_the_scheme) {
    const double h = 2.5e-4;
    double errors[2][3];
    for (int k = 0; k < 2; k++) {
        collide(h / (1 + k), errors[k]);
        for (int i = 0; i < 3; i++) {
            ck_assert_double_le(fabs(errors[k][i]), 10.0 * h / (1 + k));
        }
    }
    for (int i = 0; i < 2; i++) {
        assert_close(errors[1][i], 0.5 * errors[0][i], 0.1, 0.0);
    }
}
