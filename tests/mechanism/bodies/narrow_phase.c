/* src/mechanism/bodies: masses of shapes, and how two of them touch: against closed forms, and the
 * distance of boundaries sampled point by point. */
#include "../../support.h"

#include <carom/mechanism/bodies/internal.h>

#include <string.h>

enum { MOST_POINTS = 7, SAMPLES = 400, DRAWS = 400 };

/** Shapes in the world, each fixed to a body whose frame is that of the world. */
typedef struct world {
    int count;
    carom_bodies_shape shapes[2];
    carom_bodies_hull hulls[2];
    double points[2][2 * MOST_POINTS];
    double numbers[2][4][2 * MOST_POINTS];
} world;

static void fill(world *w) {
    static const double center[2] = {0.0, 0.0};
    const carom_bodies_frame frame = {.turn = {1.0, 0.0}};
    for (int k = 0; k < 2; k++) {
        carom_bodies_hull *hull = &w->hulls[k];
        w->shapes[k].points = w->points[k];
        w->shapes[k].body = w->shapes[k].is_half_plane ? CAROM_BODIES_GROUND : k;
        assert_ok(carom_bodies_check_shape(&w->shapes[k], 2, k, NULL));
        hull->local = w->numbers[k][0];
        hull->local_normal = w->numbers[k][1];
        hull->point = w->numbers[k][2];
        hull->normal = w->numbers[k][3];
        carom_bodies_fill_hull(&w->shapes[k], center, hull);
        carom_bodies_move_hull(hull, &frame);
    }
}

/** Convex: corners on an ellipse, in the order of their angles; one is a disc, two a capsule. */
static void draw_shape(gsl_rng *generator, int count, carom_bodies_shape *shape, double *points) {
    const double center[2] = {uniform(generator, -2.0, 2.0), uniform(generator, -2.0, 2.0)};
    const double axes[2] = {uniform(generator, 0.2, 1.3), uniform(generator, 0.2, 1.3)};
    const double first = uniform(generator, 0.0, 6.28);
    *shape = (carom_bodies_shape){.point_count = count};
    for (int i = 0; i < count; i++) {
        const double angle = first + 6.28 * (i + uniform(generator, 0.0, 0.6)) / count;
        points[2 * i] = center[0] + axes[0] * cos(angle);
        points[2 * i + 1] = center[1] + axes[1] * sin(angle);
    }
    if (count < 3) {
        shape->radius =
            count == 1 || uniform(generator, 0.0, 1.0) < 0.6 ? uniform(generator, 0.05, 0.6) : 0.0;
    }
}

static double distance_to_edge(const double *a, const double *b, const double *p) {
    const double u[2] = {b[0] - a[0], b[1] - a[1]};
    const double square = u[0] * u[0] + u[1] * u[1];
    double s = square > 0.0 ? (u[0] * (p[0] - a[0]) + u[1] * (p[1] - a[1])) / square : 0.0;
    s = s < 0.0 ? 0.0 : s > 1.0 ? 1.0 : s;
    return hypot(p[0] - a[0] - s * u[0], p[1] - a[1] - s * u[1]);
}

static bool is_inside(const carom_bodies_shape *shape, const double *p) {
    for (int i = 0; i < shape->point_count; i++) {
        const double *a = shape->points + 2 * i;
        const double *b = shape->points + 2 * ((i + 1) % shape->point_count);
        if ((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) < 0.0) {
            return false;
        }
    }
    return shape->point_count > 2;
}

/** Distance of the cores, by points on the boundary of the first; 0 if they overlap there. */
static double sampled_distance(const carom_bodies_shape *one, const carom_bodies_shape *other) {
    double least = (double)INFINITY;
    for (int i = 0; i < one->point_count; i++) {
        const double *a = one->points + 2 * i;
        const double *b = one->points + 2 * ((i + 1) % one->point_count);
        for (int k = 0; k <= SAMPLES; k++) {
            const double s = (double)k / SAMPLES;
            const double p[2] = {a[0] + s * (b[0] - a[0]), a[1] + s * (b[1] - a[1])};
            for (int j = 0; j < other->point_count; j++) {
                const double *c = other->points + 2 * j;
                const double *d = other->points + 2 * ((j + 1) % other->point_count);
                least = fmin(least, distance_to_edge(c, d, p));
            }
            least = is_inside(other, p) ? 0.0 : least;
        }
    }
    return least;
}

static double least_gap(const world *w, int *count, carom_bodies_touch *touches) {
    const double q[6] = {0.0};
    *count = carom_bodies_find_touches(w->hulls, 0, 1, touches);
    double least = (double)INFINITY;
    for (int k = 0; k < *count; k++) {
        least = fmin(least, carom_bodies_span_at(&touches[k], q).gap);
    }
    return least;
}

/** Round shapes that are apart have their distance as gap; sharp ones, whose corners may look at
 * each other, one that is no larger and above zero if and only if they are apart. */
TEST(property, gaps_are_distances_of_boundaries) {
    int rounds = 0;
    int sharps = 0;
    for (unsigned long seed = 1; seed <= DRAWS; seed++) {
        static world w;
        gsl_rng *generator = seeded_generator(seed);
        for (int k = 0; k < 2; k++) {
            const int points = 1 + (int)uniform(generator, 0.0, MOST_POINTS);
            draw_shape(generator, points, &w.shapes[k], w.points[k]);
        }
        gsl_rng_free(generator);
        bool is_shape = true;
        for (int k = 0; k < 2; k++) {
            w.shapes[k].points = w.points[k];
            w.shapes[k].body = k;
            is_shape = is_shape && carom_bodies_check_shape(&w.shapes[k], 2, k, NULL) == CAROM_OK;
        }
        if (!is_shape) {
            continue;
        }
        fill(&w);
        int count = 0;
        carom_bodies_touch touches[CAROM_BODIES_MOST_TOUCHES];
        const double gap = least_gap(&w, &count, touches);
        const double cores = fmin(sampled_distance(&w.shapes[0], &w.shapes[1]),
                                  sampled_distance(&w.shapes[1], &w.shapes[0]));
        const double radii = w.shapes[0].radius + w.shapes[1].radius;
        const double spacing = 2.6 / SAMPLES;
        if (cores <= spacing) {
            continue;
        }
        if (radii > 0.0) {
            ck_assert_msg(fabs(gap - (cores - radii)) < spacing, "seed %lu: gap %g, distance %g",
                          seed, gap, cores - radii);
            rounds++;
        } else {
            ck_assert_msg(gap > 0.0 && gap < cores + spacing, "seed %lu: gap %g, distance %g", seed,
                          gap, cores);
            sharps++;
        }
    }
    ck_assert_int_ge(rounds, 60);
    ck_assert_int_ge(sharps, 60);
}

static void box(world *w, int k, double x, double y, double half_width, double half_height) {
    const double corners[] = {x - half_width, y - half_height, x + half_width, y - half_height,
                              x + half_width, y + half_height, x - half_width, y + half_height};
    w->shapes[k] = (carom_bodies_shape){.point_count = 4};
    memcpy(w->points[k], corners, sizeof corners);
}

/** The gaps and the places along x of the two contacts of boxes, the upper one shifted. */
TEST(unit, an_edge_on_an_edge_has_two_contacts_at_the_ends_of_what_they_share) {
    for (int order = 0; order < 2; order++) {
        world w = {0};
        box(&w, order, 0.31, 0.0, 1.1, 0.4);
        box(&w, 1 - order, 1.27, 0.85, 0.9, 0.45);
        fill(&w);
        int count = 0;
        carom_bodies_touch touches[CAROM_BODIES_MOST_TOUCHES];
        assert_close(least_gap(&w, &count, touches), 0.0, 0.0, 1e-15);
        ck_assert_int_eq(count, 2);
        /* along t = (n_y, -n_x), n from the first shape to the second */
        const double ends[2] = {0.37, 1.41};
        const double q[6] = {0.0};
        for (int k = 0; k < 2; k++) {
            ck_assert_int_eq(touches[k].end, k);
            const carom_bodies_span span = carom_bodies_span_at(&touches[k], q);
            assert_close(span.other[0], ends[order == 0 ? k : 1 - k], 1e-15, 0.0);
            assert_close(span.gap, 0.0, 0.0, 1e-15);
            const double up = w.hulls[touches[k].hulls[0]].local[1] < 0.0 ? 1.0 : -1.0;
            assert_close(span.normal[1], up, 1e-15, 0.0);
        }
    }
}

TEST(unit, a_box_in_a_half_plane_is_as_deep_as_its_lower_corners) {
    world w = {0};
    box(&w, 1, 0.2, 0.35, 0.7, 0.45);
    w.shapes[0] = (carom_bodies_shape){.is_half_plane = true, .point_count = 2};
    w.points[0][0] = 13.7;
    w.points[0][3] = 2.5;
    fill(&w);
    int count = 0;
    carom_bodies_touch touches[CAROM_BODIES_MOST_TOUCHES];
    assert_close(least_gap(&w, &count, touches), -0.1, 1e-14, 0.0);
    ck_assert_int_eq(count, 2);
    assert_close(touches[0].other[0], -0.5, 1e-15, 0.0);
    assert_close(touches[1].other[0], 0.9, 1e-15, 0.0);
}

/** Nothing tells in which direction they are: one they have, so that their depth has a place. */
TEST(unit, discs_in_one_place_overlap_by_both_radii_in_some_direction) {
    world w = {0};
    for (int k = 0; k < 2; k++) {
        w.shapes[k] = (carom_bodies_shape){.point_count = 1, .radius = k == 0 ? 0.31 : 1.27};
        w.points[k][0] = 2.385;
        w.points[k][1] = -0.7;
    }
    fill(&w);
    int count = 0;
    carom_bodies_touch touches[CAROM_BODIES_MOST_TOUCHES];
    assert_close(least_gap(&w, &count, touches), -1.58, 1e-15, 0.0);
    ck_assert_int_eq(count, 1);
    const double q[6] = {0.0};
    const carom_bodies_span span = carom_bodies_span_at(&touches[0], q);
    assert_close(hypot(span.normal[0], span.normal[1]), 1.0, 1e-15, 0.0);
}

/** Segments in one line: only the lines across their ends tell that they are apart. */
TEST(unit, segments_in_one_line_are_apart_by_their_ends) {
    world w = {0};
    const double first[] = {0.0, 0.0, 1.0, 0.0};
    const double second[] = {1.3, 0.0, 2.0, 0.0};
    w.shapes[0] = (carom_bodies_shape){.point_count = 2};
    w.shapes[1] = (carom_bodies_shape){.point_count = 2};
    memcpy(w.points[0], first, sizeof first);
    memcpy(w.points[1], second, sizeof second);
    fill(&w);
    int count = 0;
    carom_bodies_touch touches[CAROM_BODIES_MOST_TOUCHES];
    assert_close(least_gap(&w, &count, touches), 0.3, 1e-14, 0.0);
    ck_assert_int_eq(count, 1);
}

/** What is drawn turned and in other units touches with the same points and edges. */
TEST(property, touches_turn_and_scale_with_the_shapes) {
    for (unsigned long seed = 1; seed <= DRAWS; seed++) {
        static world w;
        static world turned;
        gsl_rng *generator = seeded_generator(seed);
        box(&w, 0, uniform(generator, -1.0, 1.0), uniform(generator, -1.0, 1.0), 0.73, 0.41);
        draw_shape(generator, 1 + (int)(seed % 2), &w.shapes[1], w.points[1]);
        const double angle = uniform(generator, 0.0, 6.28);
        gsl_rng_free(generator);
        fill(&w);
        memcpy(turned.shapes, w.shapes, sizeof w.shapes);
        const double scale = 4096.0;
        for (int k = 0; k < 2; k++) {
            turned.shapes[k].radius *= scale;
            for (int i = 0; i < w.shapes[k].point_count; i++) {
                const double *p = w.points[k] + 2 * i;
                turned.points[k][2 * i] = scale * (cos(angle) * p[0] - sin(angle) * p[1]);
                turned.points[k][2 * i + 1] = scale * (sin(angle) * p[0] + cos(angle) * p[1]);
            }
        }
        fill(&turned);
        int count = 0;
        int other = 0;
        carom_bodies_touch touches[CAROM_BODIES_MOST_TOUCHES];
        const double gap = least_gap(&w, &count, touches);
        assert_close(least_gap(&turned, &other, touches), scale * gap, 1e-11, scale * 1e-13);
    }
}

/* --- masses ------------------------------------------------------------------------------------
 */

TEST(unit, uniform_shapes_have_the_masses_of_closed_forms) {
    const double pi = acos(-1.0);
    const double corners[] = {0.3, 0.2, 1.9, 0.2, 1.9, 1.1, 0.3, 1.1};
    const carom_bodies_shape rectangle = {.point_count = 4, .points = corners};
    const carom_planar_shape b = carom_bodies_uniform(1, &rectangle, 2.385);
    assert_close(b.center[0], 1.1, 1e-14, 0.0);
    assert_close(b.center[1], 0.65, 1e-14, 0.0);
    assert_close(b.inertia, 2.385 * (1.6 * 1.6 + 0.9 * 0.9) / 12.0, 1e-13, 0.0);
    assert_close(carom_bodies_area(&rectangle), 1.44, 1e-14, 0.0);

    const double ends[] = {0.4, -0.3, 0.4, 1.7};
    const carom_bodies_shape disc = {.point_count = 1, .points = ends, .radius = 0.6};
    assert_close(carom_bodies_uniform(1, &disc, 3.7).inertia, 3.7 * 0.18, 1e-13, 0.0);
    const carom_bodies_shape rod = {.point_count = 2, .points = ends};
    const carom_planar_shape r = carom_bodies_uniform(1, &rod, 3.7);
    assert_close(r.inertia, 3.7 * 4.0 / 12.0, 1e-13, 0.0);
    assert_close(r.center[1], 0.7, 1e-14, 0.0);

    /* a capsule by strips across it: width 2 r between the ends, 2 sqrt(r^2 - z^2) beyond */
    const carom_bodies_shape capsule = {.point_count = 2, .points = ends, .radius = 0.6};
    double area = 0.0;
    double second = 0.0;
    const int strips = 200000;
    const double height = 3.2 / strips;
    for (int k = 0; k < strips; k++) {
        const double y = -1.6 + (k + 0.5) * height;
        const double z = fmax(fabs(y) - 1.0, 0.0);
        const double half = sqrt(0.36 - z * z);
        area += 2.0 * half * height;
        second += 2.0 * half * height * (y * y + half * half / 3.0);
    }
    assert_close(carom_bodies_area(&capsule), area, 1e-7, 0.0);
    assert_close(carom_bodies_area(&capsule), pi * 0.36 + 2.4, 1e-14, 0.0);
    assert_close(carom_bodies_uniform(1, &capsule, 3.7).inertia, 3.7 * second / area, 1e-7, 0.0);
}

TEST(errors, what_is_no_shape_is_refused_with_its_corner) {
    const double clockwise[] = {0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 0.0};
    const double dented[] = {0.0, 0.0, 2.0, 0.0, 1.0, 0.5, 2.0, 2.0, 0.0, 2.0};
    const double straight[] = {0.0, 0.0, 1.0, 0.0, 2.0, 0.0, 2.0, 2.0};
    const double star[] = {1.0, 0.0, -0.809, 0.588, 0.309, -0.951, 0.309, 0.951, -0.809, -0.588};
    const double point[] = {0.5, 0.5, 0.5, 0.5};
    const carom_bodies_shape wrong[] = {
        {.point_count = 4, .points = clockwise},
        {.point_count = 5, .points = dented},
        {.point_count = 4, .points = straight},
        {.point_count = 5, .points = star},
        {.point_count = 2, .points = point},
        {.point_count = 1, .points = point},
        {.point_count = 1, .points = point, .radius = -0.3},
        {.point_count = 1, .points = point, .radius = 0.3, .friction = -0.1},
        {.point_count = 1, .points = point, .radius = 0.3, .restitution = 1.1},
        {.point_count = 1, .points = point, .radius = 0.3, .body = 1},
        {.point_count = 2, .points = point, .is_half_plane = true},
        {.point_count = 0, .points = point},
    };
    static const char *const quantities[] = {"corner of a polygon",
                                             "corner of a polygon",
                                             "corner of a polygon",
                                             "turns of a polygon",
                                             "length of a segment",
                                             "radius",
                                             "radius",
                                             "friction",
                                             "restitution",
                                             "body of a shape",
                                             "body of a shape",
                                             "points of a shape"};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        carom_report report = carom_report_empty();
        assert_status(carom_bodies_check_shape(&wrong[k], 1, 5, &report), OUT_OF_RANGE);
        ck_assert_str_eq(report.quantity, quantities[k]);
        ck_assert_int_eq(report.index, 5);
    }
}
