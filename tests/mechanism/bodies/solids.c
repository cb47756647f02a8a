/* carom/mechanism/bodies/bodies.h in space: mass and inertia of solids, gaps against distances that
 * are found otherwise, derivatives, contacts that come and go, what is refused. */
#include "space.h"

#include "../../derivatives.h"
#include "../../failing_malloc.h"

static const double PI = 3.14159265358979323846;

/* --- mass and inertia --------------------------------------------------------------------------
 */

/** A ball, a box, a capsule that is nearly a ball, and a turned box about another place. */
TEST(unit, inertia_is_that_of_the_tables) {
    const carom_bodies_solid ball = sphere(0, 0.385, 0.0);
    carom_bodies_mass m = carom_bodies_uniform_in_space(1, &ball, 2.17);
    for (int k = 0; k < 3; k++) {
        assert_close(m.inertia[k], 0.4 * 2.17 * 0.385 * 0.385, 1e-15, 0.0);
        ck_assert_double_eq(m.inertia[3 + k], 0.0);
        ck_assert_double_eq(m.inertia[k], m.inertia[0]);
    }
    const carom_bodies_solid box = cuboid(0, 0.3, 0.5, 0.7, 0.0);
    m = carom_bodies_uniform_in_space(1, &box, 1.3);
    assert_close(m.inertia[0], 1.3 * (0.25 + 0.49) / 12.0, 1e-15, 0.0);
    assert_close(m.inertia[1], 1.3 * (0.09 + 0.49) / 12.0, 1e-15, 0.0);
    assert_close(m.inertia[2], 1.3 * (0.09 + 0.25) / 12.0, 1e-15, 0.0);
    /* m_c (L^2/12 + r^2/4) + m_e (2 r^2/5 + L^2/4 + 3 L r/8) across, m_c r^2/2 + 2 m_e r^2/5 along
     */
    const double r = 0.21;
    const double L = 0.83;
    const double end[3] = {0.0, 0.0, L};
    const carom_bodies_solid pill = capsule(0, ZERO, end, r, 0.0);
    m = carom_bodies_uniform_in_space(1, &pill, 0.9);
    const double cylinder = 0.9 * L / (L + 4.0 / 3.0 * r);
    const double ends = 0.9 - cylinder;
    const double across = cylinder * (L * L / 12.0 + r * r / 4.0) +
                          ends * (0.4 * r * r + L * L / 4.0 + 3.0 * L * r / 8.0);
    assert_close(m.center[2], 0.5 * L, 1e-15, 0.0);
    assert_close(m.inertia[0], across, 1e-14, 0.0);
    assert_close(m.inertia[1], across, 1e-14, 0.0);
    assert_close(m.inertia[2], cylinder * r * r / 2.0 + 0.4 * ends * r * r, 1e-14, 0.0);
    assert_close(carom_bodies_volume(&pill), PI * r * r * (L + 4.0 / 3.0 * r), 1e-15, 0.0);
}

/** Integrals of bodies of several solids, by midpoints of cells: they are of the second order. */
TEST(property, inertia_of_a_body_is_that_of_its_volume) {
    enum { CELLS = 120 };
    const double a[3] = {-0.5, 0.1, 0.2};
    const double b[3] = {-0.7, -0.5, 0.5};
    carom_bodies_solid solids[3] = {sphere(0, 0.35, 0.0), cuboid(0, 0.4, 0.5, 0.7, 0.0),
                                    capsule(0, a, b, 0.15, 0.0)};
    const double turn[3] = {0.3, -0.7, 0.4};
    solids[0].place[1] = 0.55;
    solids[1].place[0] = 0.5;
    carom_rotation_advance(NO_TURN, turn, solids[1].turn);
    const carom_bodies_mass m = carom_bodies_uniform_in_space(3, solids, 1.0);
    double R[9];
    carom_rotation_matrix(solids[1].turn, R);
    double sum[10] = {0.0};
    for (int cell = 0; cell < CELLS * CELLS * CELLS; cell++) {
        const double h = 2.4 / CELLS;
        const int at[3] = {cell % CELLS, cell / CELLS % CELLS, cell / CELLS / CELLS};
        const double x[3] = {-1.2 + h * (at[0] + 0.5), -1.2 + h * (at[1] + 0.5),
                             -1.2 + h * (at[2] + 0.5)};
        int inside = hypot(hypot(x[0], x[1] - 0.55), x[2]) < 0.35 ? 1 : 0;
        bool is_in_box = true;
        double share = 0.0;
        double square = 0.0;
        for (int k = 0; k < 3; k++) {
            const double along = R[k] * (x[0] - 0.5) + R[3 + k] * x[1] + R[6 + k] * x[2];
            is_in_box = is_in_box && fabs(along) < 0.5 * solids[1].edges[k];
            share += (x[k] - a[k]) * (b[k] - a[k]);
            square += (b[k] - a[k]) * (b[k] - a[k]);
        }
        share = fmin(1.0, fmax(0.0, share / square));
        double away = 0.0;
        for (int k = 0; k < 3; k++) {
            away = hypot(away, x[k] - a[k] - share * (b[k] - a[k]));
        }
        inside += (is_in_box ? 1 : 0) + (away < 0.15 ? 1 : 0);
        for (int k = 0; k < 3; k++) {
            const double *c = m.center;
            sum[1 + k] += inside * x[k];
            sum[4 + k] +=
                inside * ((x[(k + 1) % 3] - c[(k + 1) % 3]) * (x[(k + 1) % 3] - c[(k + 1) % 3]) +
                          (x[(k + 2) % 3] - c[(k + 2) % 3]) * (x[(k + 2) % 3] - c[(k + 2) % 3]));
            sum[7 + k] -= inside * (x[k == 2 ? 1 : 0] - c[k == 2 ? 1 : 0]) *
                          (x[k == 0 ? 1 : 2] - c[k == 0 ? 1 : 2]);
        }
        sum[0] += inside;
    }
    /* a cell of 0.02 at surfaces of 1.5 m2 in all, of 0.3 m3, whose errors cancel but for a part */
    for (int k = 0; k < 3; k++) {
        assert_close(m.center[k], sum[1 + k] / sum[0], 0.0, 2e-3);
        assert_close(m.inertia[k], sum[4 + k] / sum[0], 5e-3, 0.0);
        assert_close(m.inertia[3 + k], sum[7 + k] / sum[0], 0.0, 2e-3);
    }
}

/* --- gaps --------------------------------------------------------------------------------------
 */

/** Distance of a point from a box about the origin, negative within. */
static double distance_of_box(const double edges[3], const double p[3]) {
    double outside = 0.0;
    double inside = -(double)INFINITY;
    for (int k = 0; k < 3; k++) {
        const double beyond = fabs(p[k]) - 0.5 * edges[k];
        outside = hypot(outside, fmax(0.0, beyond));
        inside = fmax(inside, beyond);
    }
    return outside > 0.0 ? outside : inside;
}

static double distance_of_segment(const double a[3], const double b[3], const double p[3]) {
    double along = 0.0;
    double square = 0.0;
    for (int k = 0; k < 3; k++) {
        along += (b[k] - a[k]) * (p[k] - a[k]);
        square += (b[k] - a[k]) * (b[k] - a[k]);
    }
    const double share = fmin(1.0, fmax(0.0, along / square));
    double away = 0.0;
    for (int k = 0; k < 3; k++) {
        away = hypot(away, p[k] - a[k] - share * (b[k] - a[k]));
    }
    return away;
}

/** A small sphere all about a box and a capsule in any pose: sides, edges, corners, within. */
TEST(property, gaps_of_spheres_are_distances) {
    const double a[3] = {-0.4, 0.2, 0.1};
    const double b[3] = {0.5, -0.1, 0.3};
    const double edges[3] = {0.8, 0.5, 0.6};
    gsl_rng *generator = seeded_generator(3);
    int found = 0;
    for (int draw = 0; draw < 4000; draw++) {
        const bool is_box = draw % 2 == 0;
        const bool is_first = draw % 4 < 2;
        const carom_bodies_solid shape =
            is_box ? cuboid(is_first ? 0 : 1, edges[0], edges[1], edges[2], 0.3)
                   : capsule(is_first ? 0 : 1, a, b, 0.12, 0.3);
        const carom_bodies_solid ball = sphere(is_first ? 1 : 0, 0.2, 0.3);
        const carom_bodies_solid solids[2] = {is_first ? shape : ball, is_first ? ball : shape};
        const carom_bodies_mass bodies[2] = {{1.0, {0.0}, {0.1, 0.1, 0.1}},
                                             {1.0, {0.0}, {0.1, 0.1, 0.1}}};
        const carom_bodies_space_spec spec = spec_of(2, bodies, 2, solids);
        CAROM_AUTO(carom_bodies) s = build(&spec);
        double q[2 * POSITIONS];
        const int at = is_first ? 0 : 1;
        double turn[3];
        double R[9];
        double p[3];
        for (int k = 0; k < 3; k++) {
            turn[k] = uniform(generator, -3.0, 3.0);
            p[k] = uniform(generator, -0.75, 0.75);
            q[POSITIONS * at + k] = uniform(generator, -2.0, 2.0);
        }
        carom_rotation_advance(NO_TURN, turn, q + POSITIONS * at + 3);
        carom_rotation_matrix(q + POSITIONS * at + 3, R);
        double *other = q + POSITIONS * (1 - at);
        memcpy(other + 3, NO_TURN, sizeof NO_TURN);
        for (int k = 0; k < 3; k++) {
            other[k] =
                q[POSITIONS * at + k] + R[3 * k] * p[0] + R[3 * k + 1] * p[1] + R[3 * k + 2] * p[2];
        }
        const double distance =
            is_box ? distance_of_box(edges, p) : distance_of_segment(a, b, p) - 0.12;
        carom_bodies_contact deepest;
        assert_ok(carom_bodies_find_overlap(s, q, &deepest));
        if (distance - 0.2 < 0.4 / 64.0 - 1e-12) {
            found++;
            assert_close(deepest.gap, distance - 0.2, 0.0, 1e-14);
            ck_assert_int_eq(deepest.first, 0);
            ck_assert_int_eq(deepest.second, 1);
        } else {
            ck_assert(isinf(deepest.gap));
        }
    }
    gsl_rng_free(generator);
    ck_assert_int_ge(found, 800);
}

/* --- derivatives -------------------------------------------------------------------------------
 */

/** Spheres, one of them on the ground, a half space, and a box, or a capsule on the ground; of
 * bodies whose frames are not in their centres. */
static carom_bodies *everything(bool has_box) {
    const double a[3] = {-0.3, 0.1, 0.2};
    const double b[3] = {0.4, -0.2, 0.1};
    const carom_bodies_mass bodies[4] = {
        {2.385, {0.05, -0.03, 0.02}, {0.31, 0.35, 0.29, 0.02, -0.03, 0.01}},
        {1.17, {0.0, 0.02, 0.0}, {0.11, 0.17, 0.13, 0.0, 0.0, 0.0}},
        {0.73, {0.0, 0.0, 0.0}, {0.21, 0.21, 0.21, 0.0, 0.0, 0.0}},
        {1.9, {0.0, 0.0, 0.1}, {0.4, 0.3, 0.2, 0.0, 0.05, 0.0}}};
    const double slope[3] = {0.1, 0.3, 1.0};
    carom_bodies_solid solids[6] = {sphere(0, 0.4, 0.3),    cuboid(1, 0.7, 0.5, 0.6, 0.2),
                                    sphere(2, 0.35, 0.4),   sphere(-1, 0.3, 0.1),
                                    half_space(slope, 0.5), sphere(3, 0.25, 0.1)};
    const double turn[3] = {0.3, -0.7, 0.4};
    carom_rotation_advance(NO_TURN, turn, solids[1].turn);
    solids[0].place[0] = 0.2;
    solids[5].place[1] = -0.1;
    if (!has_box) {
        solids[1] = sphere(1, 0.3, 0.2);
        solids[3] = capsule(-1, a, b, 0.3, 0.3);
    }
    carom_bodies_space_spec spec = spec_of(4, bodies, 6, solids);
    spec.gravity[0] = 0.7;
    return build(&spec);
}

static void draw_state(gsl_rng *generator, int bodies, double reach, double *q, double *v) {
    for (int k = 0; k < bodies; k++) {
        double turn[3];
        for (int i = 0; i < 3; i++) {
            turn[i] = uniform(generator, -3.0, 3.0);
            q[POSITIONS * k + i] = uniform(generator, -reach, reach);
            v[VELOCITIES * k + i] = uniform(generator, -2.0, 2.0);
            v[VELOCITIES * k + 3 + i] = uniform(generator, -2.0, 2.0);
        }
        carom_rotation_advance(NO_TURN, turn, q + POSITIONS * k + 3);
    }
}

TEST(property, derivatives_are_those_of_differences) {
    gsl_rng *generator = seeded_generator(11);
    int contacts = 0;
    for (int draw = 0; draw < 60; draw++) {
        CAROM_AUTO(carom_bodies) bodies = everything(draw % 2 == 0);
        const carom_mechanism *m = carom_bodies_mechanism(bodies);
        double q[4 * POSITIONS];
        double v[4 * VELOCITIES];
        draw_state(generator, 4, 0.7, q, v);
        assert_ok(m->update_contacts(0.3, 0.01, q, v, NULL, NULL, m->context));
        contacts += carom_bodies_contact_count(bodies);
        assert_derivatives(m, 0.3, q, v, 1e-6, 5, (unsigned)draw);
        assert_ok(carom_mechanism_check_directions(m, 0.3, q, v, 5, NULL));
    }
    gsl_rng_free(generator);
    ck_assert_int_ge(contacts, 200);
}

/** Sliding is that of the points of both bodies where they touch, at gap zero. */
TEST(property, sliding_is_that_of_the_points_that_touch) {
    const carom_bodies_mass bodies[2] = {{2.385, {0.0}, {0.3, 0.3, 0.3}},
                                         {1.17, {0.0}, {0.1, 0.1, 0.1}}};
    const carom_bodies_solid solids[3] = {sphere(0, 0.6, 0.3), sphere(1, 0.35, 0.3), ground(0.4)};
    const carom_bodies_space_spec spec = spec_of(2, bodies, 3, solids);
    CAROM_AUTO(carom_bodies) s = build(&spec);
    const carom_mechanism *m = carom_bodies_mechanism(s);
    double q[2 * POSITIONS];
    double v[2 * VELOCITIES];
    place_body(q, v, 0, (double[]){0.2, -0.1, 0.6}, (double[]){0.7, -0.2, 0.4},
               (double[]){1.3, 0.2, -0.6});
    place_body(q, v, 1, (double[]){0.2 + 0.57, -0.1, 0.6 + 0.76}, (double[]){-0.4, 0.9, 0.1},
               (double[]){-2.1, 0.3, 0.8});
    assert_ok(m->update_contacts(0.0, 0.0, q, v, NULL, NULL, m->context));
    ck_assert_int_eq(carom_bodies_contact_count(s), 2);
    double H[4 * 2 * VELOCITIES * 100];
    ck_assert_int_le(m->contact_count, 100);
    carom_mechanism_tangential_jacobian(m, q, H);
    for (int j = 0; j < 2; j++) {
        const carom_bodies_contact c = carom_bodies_contact_at(s, q, j);
        assert_close(c.gap, 0.0, 0.0, 1e-15);
        double u[3] = {0.0, 0.0, 0.0};
        for (int side = 0; side < 2; side++) {
            const int body = side == 0 ? 0 : j == 0 ? 1 : -1;
            const double sign = side == 0 ? -1.0 : 1.0;
            for (int k = 0; k < 3 && body >= 0; k++) {
                const double *w = v + VELOCITIES * body + 3;
                const double *x = q + POSITIONS * body;
                u[k] += sign * (v[VELOCITIES * body + k] +
                                w[(k + 1) % 3] * (c.point[(k + 2) % 3] - x[(k + 2) % 3]) -
                                w[(k + 2) % 3] * (c.point[(k + 1) % 3] - x[(k + 1) % 3]));
            }
        }
        /* as long as what is across the normal */
        const double along = u[0] * c.normal[0] + u[1] * c.normal[1] + u[2] * c.normal[2];
        double square = 0.0;
        for (int t = 0; t < 2; t++) {
            double sliding = 0.0;
            for (int i = 0; i < 2 * VELOCITIES; i++) {
                sliding += H[(2 * j + t) * 2 * VELOCITIES + i] * v[i];
            }
            square += sliding * sliding;
        }
        assert_close(square, u[0] * u[0] + u[1] * u[1] + u[2] * u[2] - along * along, 1e-13, 0.0);
    }
}

/* --- contacts that come and go -----------------------------------------------------------------
 */

TEST(unit, contacts_keep_their_rows_in_the_order_of_solids) {
    const carom_bodies_mass bodies[3] = {{1.0, {0.0}, {0.1, 0.1, 0.1}},
                                         {1.0, {0.0}, {0.1, 0.1, 0.1}},
                                         {1.0, {0.0}, {0.1, 0.1, 0.1}}};
    const carom_bodies_solid solids[4] = {cuboid(0, 1.0, 0.8, 0.6, 0.3), sphere(1, 0.2, 0.3),
                                          ground(0.3), sphere(2, 0.2, 0.3)};
    const carom_bodies_space_spec spec = spec_of(3, bodies, 4, solids);
    CAROM_AUTO(carom_bodies) s = build(&spec);
    const carom_mechanism *m = carom_bodies_mechanism(s);
    double q[3 * POSITIONS];
    double v[3 * VELOCITIES];
    int previous[100];
    ck_assert_int_le(m->contact_count, 100);
    place_body(q, v, 0, (double[]){0.0, 0.0, 0.3}, ZERO, ZERO);
    place_body(q, v, 1, (double[]){0.1, 0.0, 0.8}, ZERO, ZERO);
    place_body(q, v, 2, (double[]){2.0, 0.0, 0.2}, ZERO, ZERO);
    assert_ok(m->update_contacts(0.0, 1e-3, q, v, previous, NULL, m->context));
    /* the sphere on the box, four corners, the other sphere on the ground */
    ck_assert_int_eq(carom_bodies_contact_count(s), 6);
    for (int j = 0; j < m->contact_count; j++) {
        ck_assert_int_eq(previous[j], -1);
    }
    for (int j = 1; j < 5; j++) {
        ck_assert_int_eq(carom_bodies_contact_at(s, q, j).end, j - 1);
    }
    q[POSITIONS + 2] = 1.5;
    assert_ok(m->update_contacts(0.0, 1e-3, q, v, previous, NULL, m->context));
    const int expected[] = {1, 2, 3, 4, 5, -1};
    for (int j = 0; j < 6; j++) {
        ck_assert_int_eq(previous[j], expected[j]);
    }
    q[POSITIONS + 2] = 0.8;
    assert_ok(m->update_contacts(0.0, 1e-3, q, v, previous, NULL, m->context));
    const int back[] = {-1, 0, 1, 2, 3, 4};
    for (int j = 0; j < 6; j++) {
        ck_assert_int_eq(previous[j], back[j]);
    }
    carom_bodies_contact deepest;
    q[POSITIONS + 2] = 0.75;
    assert_ok(carom_bodies_find_overlap(s, q, &deepest));
    ck_assert_int_eq(deepest.first, 0);
    ck_assert_int_eq(deepest.second, 1);
    assert_close(deepest.gap, -0.05, 1e-13, 0.0);
    assert_close(deepest.normal[2], 1.0, 1e-15, 0.0);
    assert_close(deepest.point[2], 0.575, 1e-15, 0.0);
}

/** A box above the ground by more than what it falls in the step reaches it by its turn. */
TEST(unit, what_turns_comes_near_within_the_step) {
    const carom_bodies_mass body = {1.0, {0.0}, {0.1, 0.1, 0.1}};
    const carom_bodies_solid solids[2] = {cuboid(0, 1.0, 0.8, 0.6, 0.3), ground(0.3)};
    const carom_bodies_space_spec spec = spec_of(1, &body, 2, solids);
    CAROM_AUTO(carom_bodies) s = build(&spec);
    const carom_mechanism *m = carom_bodies_mechanism(s);
    double q[POSITIONS];
    double v[VELOCITIES];
    for (int turns = 0; turns < 2; turns++) {
        place_body(q, v, 0, (double[]){0.0, 0.0, 0.4}, ZERO, (double[]){0.0, 20.0 * turns, 0.0});
        assert_ok(m->update_contacts(0.0, 1e-2, q, v, NULL, NULL, m->context));
        ck_assert_int_eq(carom_bodies_contact_count(s), 4 * turns);
    }
}

/* --- what is refused ---------------------------------------------------------------------------
 */

/** Boxes and capsules that come near each other end the search, by their numbers. */
TEST(errors, what_is_not_computed_is_not_ignored) {
    const carom_bodies_mass bodies[2] = {{1.0, {0.0}, {0.1, 0.1, 0.1}},
                                         {1.0, {0.0}, {0.1, 0.1, 0.1}}};
    const double end[3] = {0.4, 0.0, 0.0};
    for (int pair = 0; pair < 3; pair++) {
        const carom_bodies_solid solids[2] = {
            pair == 0 ? capsule(0, ZERO, end, 0.1, 0.3) : cuboid(0, 0.4, 0.3, 0.2, 0.3),
            pair == 2 ? cuboid(1, 0.2, 0.2, 0.2, 0.3) : capsule(1, ZERO, end, 0.1, 0.3)};
        const carom_bodies_space_spec spec = spec_of(2, bodies, 2, solids);
        CAROM_AUTO(carom_bodies) s = build(&spec);
        const carom_mechanism *m = carom_bodies_mechanism(s);
        double q[2 * POSITIONS];
        double v[2 * VELOCITIES];
        int solid[2];
        place_body(q, v, 0, ZERO, ZERO, ZERO);
        place_body(q, v, 1, (double[]){0.0, 0.0, 1.0}, ZERO, ZERO);
        assert_ok(m->update_contacts(0.0, 1e-3, q, v, NULL, NULL, m->context));
        ck_assert(!carom_bodies_uncomputed(s, solid));
        v[VELOCITIES + 2] = -800.0; /* near within the step */
        carom_report report = carom_report_empty();
        assert_status(m->update_contacts(0.25, 1e-3, q, v, NULL, &report, m->context), UNSUPPORTED);
        ck_assert_str_eq(report.sentence, "mechanism 'bodies': solids 0 and 1 come near each other "
                                          "at t = 0.25 s, and contacts of such are not computed");
        ck_assert(carom_bodies_uncomputed(s, solid));
        ck_assert_int_eq(solid[0], 0);
        ck_assert_int_eq(solid[1], 1);
        ck_assert_int_eq(carom_bodies_contact_count(s), 0);
    }
}

/** Turned boxes beside each other are apart by less than the boxes about them: by a separating
 * direction, whichever kind it is. */
TEST(property, boxes_that_are_apart_are_no_fault) {
    const carom_bodies_mass bodies[2] = {{1.0, {0.0}, {0.1, 0.1, 0.1}},
                                         {1.0, {0.0}, {0.1, 0.1, 0.1}}};
    const double end[3] = {1.0, 0.0, 0.0};
    gsl_rng *generator = seeded_generator(31);
    for (int draw = 0; draw < 300; draw++) {
        const carom_bodies_solid solids[2] = {cuboid(0, 1.0, 0.1, 0.2, 0.3),
                                              draw % 2 == 0 ? cuboid(1, 0.2, 0.3, 1.0, 0.3)
                                                            : capsule(1, ZERO, end, 0.1, 0.3)};
        const carom_bodies_space_spec spec = spec_of(2, bodies, 2, solids);
        CAROM_AUTO(carom_bodies) s = build(&spec);
        double q[2 * POSITIONS];
        double v[2 * VELOCITIES];
        double R[9];
        draw_state(generator, 2, 0.0, q, v);
        carom_rotation_matrix(q + 3, R);
        const int axis = draw % 3;
        const double n[3] = {R[axis], R[3 + axis], R[6 + axis]};
        double reach = 0.5 * solids[0].edges[axis];
        double S[9];
        carom_rotation_matrix(q + POSITIONS + 3, S);
        if (draw % 2 == 0) {
            for (int i = 0; i < 3; i++) {
                reach += 0.5 * solids[1].edges[i] *
                         fabs(n[0] * S[i] + n[1] * S[3 + i] + n[2] * S[6 + i]);
            }
        } else {
            reach += 0.1 + fmax(0.0, -(n[0] * S[0] + n[1] * S[3] + n[2] * S[6]));
        }
        for (int k = 0; k < 3; k++) {
            q[k] = 0.0;
            q[POSITIONS + k] = (reach + 0.02) * n[k];
        }
        carom_bodies_contact deepest;
        assert_ok(carom_bodies_find_overlap(s, q, &deepest));
        for (int k = 0; k < 3; k++) {
            q[POSITIONS + k] = (reach - 0.02) * n[k] * (draw % 2 == 0 ? 0.2 : 0.1);
        }
        assert_status(carom_bodies_find_overlap(s, q, &deepest), UNSUPPORTED);
    }
    gsl_rng_free(generator);
}

TEST(errors, what_is_no_mechanism_of_solids_is_refused) {
    carom_bodies_mass body = {1.0, {0.0, 0.0, 0.0}, {0.2, 0.3, 0.25, 0.0, 0.0, 0.0}};
    const double end[3] = {0.4, 0.0, 0.0};
    carom_bodies_solid solids[4] = {sphere(0, 0.2, 0.3), cuboid(0, 0.1, 0.2, 0.3, 0.3),
                                    capsule(-1, ZERO, end, 0.1, 0.3), ground(0.3)};
    carom_bodies_space_spec spec = spec_of(1, &body, 4, solids);
    const struct {
        double *number;
        double wrong;
        const char *quantity;
    } cases[] = {{&body.mass, 0.0, "mass"},
                 {&body.mass, NAN, "mass"},
                 {&body.center[1], INFINITY, "centre of a body"},
                 {&body.inertia[0], 0.0, "inertia"},
                 {&body.inertia[1], -0.1, "inertia"},
                 {&body.inertia[1], 0.46, "inertia"},
                 {&body.inertia[3], 0.18, "product of inertia"},
                 {&body.inertia[5], NAN, "inertia"},
                 {&solids[0].radius, 0.0, "radius"},
                 {&solids[2].radius, -0.1, "radius"},
                 {&solids[1].edges[2], 0.0, "edge of a box"},
                 {&solids[1].turn[0], 0.9, "length of a quaternion"},
                 {&solids[2].to[0], 0.0, "length of a capsule"},
                 {&solids[3].to[2], 0.0, "normal of a half space"},
                 {&solids[1].friction, -0.1, "friction"},
                 {&solids[1].restitution, 1.1, "restitution"},
                 {&solids[3].place[0], NAN, "number of a solid"},
                 {&spec.gravity[2], NAN, "gravity"}};
    carom_bodies *out = NULL;
    assert_ok(carom_bodies_alloc_in_space(&spec, &out, NULL));
    carom_bodies_free(out);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const double right = *cases[k].number;
        carom_report report = carom_report_empty();
        *cases[k].number = cases[k].wrong;
        const carom_status status = carom_bodies_alloc_in_space(&spec, &out, &report);
        ck_assert_int_eq(status, isfinite(cases[k].wrong) ? CAROM_STATUS_OUT_OF_RANGE
                                                          : CAROM_STATUS_NOT_FINITE);
        ck_assert_str_eq(report.quantity, cases[k].quantity);
        ck_assert_ptr_null(out);
        *cases[k].number = right;
    }
    solids[3].body = 0; /* a half space on a body */
    assert_status(carom_bodies_alloc_in_space(&spec, &out, NULL), OUT_OF_RANGE);
    solids[3].body = -1;
    solids[0].body = 1;
    assert_status(carom_bodies_alloc_in_space(&spec, &out, NULL), OUT_OF_RANGE);
    solids[0].body = 0;
    spec.body_count = 0;
    assert_status(carom_bodies_alloc_in_space(&spec, &out, NULL), OUT_OF_RANGE);
}

/** Thin plates and rods with any axes have no more than rounding to spare; they are bodies. */
TEST(property, flat_bodies_are_bodies_in_any_units) {
    gsl_rng *generator = seeded_generator(23);
    for (int draw = 0; draw < 200; draw++) {
        const double squares[3] = {uniform(generator, 0.1, 1.0), draw % 2 == 0 ? 0.3 : 1e-5, 0.0};
        const double unit = pow(10.0, uniform(generator, -12.0, 12.0));
        double turn[3];
        double p[4];
        double R[9];
        for (int i = 0; i < 3; i++) {
            turn[i] = uniform(generator, -2.0, 2.0);
        }
        carom_rotation_advance(NO_TURN, turn, p);
        carom_rotation_matrix(p, R);
        carom_bodies_mass body = {.mass = 1.0};
        for (int i = 0; i < 3; i++) {
            for (int k = 0; k < 3; k++) {
                const double square = squares[i] * unit;
                body.inertia[k] += square * (1.0 - R[3 * k + i] * R[3 * k + i]);
                body.inertia[3 + k] -= square * R[(k == 2 ? 3 : 0) + i] * R[(k == 0 ? 3 : 6) + i];
            }
        }
        const carom_bodies_space_spec spec = spec_of(1, &body, 0, NULL);
        CAROM_AUTO(carom_bodies) s = build(&spec);
        /* a hundredth more along one axis is no body */
        carom_bodies_mass none = body;
        for (int k = 0; k < 3; k++) {
            none.inertia[k] += 0.01 * unit * R[3 * k + 2] * R[3 * k + 2];
            none.inertia[3 + k] += 0.01 * unit * R[(k == 2 ? 3 : 0) + 2] * R[(k == 0 ? 3 : 6) + 2];
        }
        const carom_bodies_space_spec wrong = spec_of(1, &none, 0, NULL);
        carom_bodies *out = NULL;
        assert_status(carom_bodies_alloc_in_space(&wrong, &out, NULL), OUT_OF_RANGE);
    }
    gsl_rng_free(generator);
}

TEST(errors, every_failed_allocation_is_told) {
    const carom_bodies_mass bodies[2] = {{1.0, {0.0}, {0.1, 0.1, 0.1}},
                                         {1.0, {0.0}, {0.1, 0.1, 0.1}}};
    const carom_bodies_solid solids[3] = {sphere(0, 0.5, 0.3), sphere(1, 0.5, 0.3), ground(0.3)};
    const carom_bodies_space_spec spec = spec_of(2, bodies, 3, solids);
    double q[2 * POSITIONS];
    double v[2 * VELOCITIES];
    place_body(q, v, 0, (double[]){0.0, 0.0, 0.5}, ZERO, ZERO);
    place_body(q, v, 1, (double[]){1.0, 0.0, 0.5}, ZERO, ZERO);
    int granted = 0;
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    for (; status != CAROM_OK; granted++) {
        CAROM_AUTO(carom_bodies) s = NULL;
        successes_left = granted;
        status = carom_bodies_alloc_in_space(&spec, &s, NULL);
        carom_bodies_contact deepest;
        status = status == CAROM_OK ? carom_bodies_find_overlap(s, q, &deepest) : status;
        successes_left = -1;
        ck_assert(status == CAROM_OK || status == CAROM_STATUS_OUT_OF_MEMORY);
    }
    ck_assert_int_ge(granted, 15);
}
