#include <carom/mechanism/bodies/internal.h>

#include <float.h>
#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

/* Second moments of a shape: area (or length), and with it the integrals of position and of its
 * square. */
typedef struct moments {
    double mass;
    double first[2];
    double second; /* of x^2 + y^2 about the origin */
} moments;

static void add(moments *sum, double mass, const double center[2], double inertia) {
    sum->mass += mass;
    sum->first[0] += mass * center[0];
    sum->first[1] += mass * center[1];
    sum->second += inertia + mass * carom_plane_dot(center, center);
}

/* A polygon is the sum of the triangles of its edges with its first corner. */
static void add_polygon(moments *sum, const carom_bodies_shape *shape) {
    const double *a = shape->points;
    for (int i = 1; i + 1 < shape->point_count; i++) {
        const double *b = a + 2 * (size_t)i;
        const double *c = b + 2;
        const double u[2] = {b[0] - a[0], b[1] - a[1]};
        const double w[2] = {c[0] - a[0], c[1] - a[1]};
        const double area = 0.5 * (u[0] * w[1] - u[1] * w[0]);
        const double center[2] = {a[0] + (u[0] + w[0]) / 3.0, a[1] + (u[1] + w[1]) / 3.0};
        const double squares =
            carom_plane_dot(u, u) + carom_plane_dot(w, w) - carom_plane_dot(u, w);
        add(sum, area, center, area * squares / 18.0);
    }
}

/* A disc, or a capsule: a rectangle between two halves of a disc, whose centres are 4 r / (3 pi)
 * beyond its ends. */
static void add_round(moments *sum, const carom_bodies_shape *shape) {
    const double r = shape->radius;
    const double *a = shape->points;
    const double *b = shape->point_count == 2 ? a + 2 : a;
    const double length = hypot(b[0] - a[0], b[1] - a[1]);
    const double center[2] = {0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])};
    const double disc = PI * r * r;
    const double box = 2.0 * r * length;
    const double out = 4.0 * r / (3.0 * PI);
    const double half = 0.5 * length;
    add(sum, disc, center, disc * (0.5 * r * r + half * half + 2.0 * half * out));
    add(sum, box, center, box * (length * length + 4.0 * r * r) / 12.0);
}

static bool has_area(const carom_bodies_shape *shape) {
    return !shape->is_half_plane && (shape->point_count > 2 || shape->radius > 0.0);
}

static void add_area(moments *sum, const carom_bodies_shape *shape) {
    if (has_area(shape) && shape->point_count > 2) {
        add_polygon(sum, shape);
    } else if (has_area(shape)) {
        add_round(sum, shape);
    }
}

static void add_length(moments *sum, const carom_bodies_shape *shape) {
    if (!shape->is_half_plane && shape->point_count == 2) {
        const double *a = shape->points;
        const double length = hypot(a[2] - a[0], a[3] - a[1]);
        const double center[2] = {0.5 * (a[0] + a[2]), 0.5 * (a[1] + a[3])};
        add(sum, length, center, length * length * length / 12.0);
    }
}

double carom_bodies_area(const carom_bodies_shape *shape) {
    moments sum = {0};
    add_area(&sum, shape);
    return sum.mass;
}

/* Of the terms of a moment of four corners. */
static const double CENTER_ROUNDINGS = 16.0;

carom_planar_shape carom_bodies_uniform(int count, const carom_bodies_shape *shapes, double mass) {
    CAROM_ASSERT(count >= 1 && shapes != NULL);
    moments sum = {0};
    for (int i = 0; i < count; i++) {
        add_area(&sum, &shapes[i]);
    }
    for (int i = 0; i < count && !(sum.mass > 0.0); i++) {
        add_length(&sum, &shapes[i]);
    }
    carom_planar_shape body = {.mass = mass};
    if (sum.mass > 0.0) {
        /* what rounding leaves of moments that cancel is none: a box turns about its middle */
        const double rounding = CENTER_ROUNDINGS * DBL_EPSILON * sqrt(sum.second / sum.mass);
        for (int k = 0; k < 2; k++) {
            const double center = sum.first[k] / sum.mass;
            body.center[k] = fabs(center) > rounding ? center : 0.0;
        }
        const double about = carom_plane_dot(body.center, body.center);
        body.inertia = mass * (sum.second / sum.mass - about);
    }
    return body;
}

/* Every corner turns to the left, and all of them together once around. */
static carom_status check_polygon(const carom_bodies_shape *shape, int index,
                                  carom_report *report) {
    const int count = shape->point_count;
    double around = 0.0;
    for (int i = 0; i < count; i++) {
        const double *a = shape->points + 2 * (size_t)i;
        const double *b = shape->points + 2 * (size_t)((i + 1) % count);
        const double *c = shape->points + 2 * (size_t)((i + 2) % count);
        const double u[2] = {b[0] - a[0], b[1] - a[1]};
        const double w[2] = {c[0] - b[0], c[1] - b[1]};
        const double cross = u[0] * w[1] - u[1] * w[0];
        const double rounding = 8.0 * DBL_EPSILON * hypot(u[0], u[1]) * hypot(w[0], w[1]);
        if (!(cross > rounding)) {
            return carom_report_refuse(report, "corner of a polygon", (i + 1) % count, index,
                                       "turns to the left, counter-clockwise and convex");
        }
        around += atan2(cross, carom_plane_dot(u, w));
    }
    return around < 3.0 * PI
               ? CAROM_OK
               : carom_report_refuse(report, "turns of a polygon", around / (2.0 * PI), index, "1");
}

static carom_status check_points(const carom_bodies_shape *shape, int index, carom_report *report) {
    if (shape->point_count < 1 || shape->points == NULL) {
        return carom_report_refuse(report, "points of a shape", shape->point_count, index, ">= 1");
    }
    const int numbers = 2 * (shape->is_half_plane ? 2 : shape->point_count);
    CAROM_TRY(carom_report_require_finite(report, "point of a shape", numbers, shape->points));
    const double *p = shape->points;
    if (shape->is_half_plane) {
        return hypot(p[2], p[3]) > 0.0
                   ? CAROM_OK
                   : carom_report_refuse(report, "normal of a half plane", 0.0, index, "> 0");
    }
    if (shape->point_count == 2 && !(hypot(p[2] - p[0], p[3] - p[1]) > 0.0)) {
        return carom_report_refuse(report, "length of a segment", 0.0, index, "> 0");
    }
    return shape->point_count > 2 ? check_polygon(shape, index, report) : CAROM_OK;
}

carom_status carom_bodies_check_shape(const carom_bodies_shape *shape, int body_count, int index,
                                      carom_report *report) {
    const double numbers[] = {shape->radius, shape->friction, shape->restitution,
                              shape->surface_speed};
    CAROM_TRY(carom_report_require_finite(report, "number of a shape", 4, numbers));
    const int last = shape->is_half_plane ? CAROM_BODIES_GROUND : body_count - 1;
    if (shape->body < CAROM_BODIES_GROUND || shape->body > last) {
        return carom_report_refuse(report, "body of a shape", shape->body, index,
                                   "a body, of a half plane the ground");
    }
    const bool is_point = shape->point_count == 1 && !shape->is_half_plane;
    const bool is_sharp = shape->is_half_plane || shape->point_count > 2;
    if (!(shape->radius >= 0.0) || (is_point && !(shape->radius > 0.0)) ||
        (is_sharp && shape->radius > 0.0)) {
        return carom_report_refuse(report, "radius", shape->radius, index,
                                   is_point   ? "> 0"
                                   : is_sharp ? "0"
                                              : ">= 0");
    }
    if (!(shape->friction >= 0.0)) {
        return carom_report_refuse(report, "friction", shape->friction, index, ">= 0");
    }
    if (!(shape->restitution >= 0.0 && shape->restitution <= 1.0)) {
        return carom_report_refuse(report, "restitution", shape->restitution, index, "in [0,1]");
    }
    return check_points(shape, index, report);
}

/* Unit normals to the right of the edges. */
static void fill_normals(carom_bodies_hull *hull) {
    for (int i = 0; i < hull->count; i++) {
        const double *a = hull->local + 2 * (size_t)i;
        const double *b = hull->local + 2 * (size_t)((i + 1) % hull->count);
        const double edge[2] = {b[0] - a[0], b[1] - a[1]};
        const double length = hypot(edge[0], edge[1]);
        double *n = hull->local_normal + 2 * (size_t)i;
        n[0] = length > 0.0 ? edge[1] / length : 0.0;
        n[1] = length > 0.0 ? -edge[0] / length : 0.0;
    }
}

void carom_bodies_measure_hull(carom_bodies_hull *hull, int axes) {
    double least[3] = {(double)INFINITY, (double)INFINITY, (double)INFINITY};
    double largest[3] = {-(double)INFINITY, -(double)INFINITY, -(double)INFINITY};
    double side = 0.0;
    hull->reach = 0.0;
    for (int i = 0; i < hull->count; i++) {
        double away = 0.0;
        for (int k = 0; k < axes; k++) {
            const double x = hull->local[axes * i + k];
            least[k] = fmin(least[k], x);
            largest[k] = fmax(largest[k], x);
            away = hypot(away, x);
        }
        hull->reach = fmax(hull->reach, away + hull->radius);
    }
    for (int k = 0; k < axes; k++) {
        side = fmax(side, largest[k] - least[k]);
    }
    hull->size = hull->is_half_plane ? 0.0 : 2.0 * hull->radius + side;
}

void carom_bodies_fill_hull(const carom_bodies_shape *shape, const double center[2],
                            carom_bodies_hull *hull) {
    hull->body = shape->body;
    hull->is_half_plane = shape->is_half_plane;
    hull->count = shape->is_half_plane ? 1 : shape->point_count;
    hull->radius = shape->radius;
    hull->friction = shape->friction;
    hull->restitution = shape->restitution;
    hull->surface_speed = shape->surface_speed;
    for (int i = 0; i < 2 * hull->count; i++) {
        hull->local[i] = shape->points[i] - center[i % 2];
    }
    carom_bodies_measure_hull(hull, 2);
    if (shape->is_half_plane) {
        const double *n = shape->points + 2;
        hull->local_normal[0] = n[0] / hypot(n[0], n[1]);
        hull->local_normal[1] = n[1] / hypot(n[0], n[1]);
    } else {
        fill_normals(hull);
    }
}

carom_bodies_frame carom_bodies_frame_of(const double *q, int body) {
    if (body < 0) {
        return (carom_bodies_frame){.turn = {1.0, 0.0}};
    }
    const double *own = q + CAROM_BODIES_OF_BODY * (size_t)body;
    return (carom_bodies_frame){.place = {own[0], own[1]}, .turn = {cos(own[2]), sin(own[2])}};
}

void carom_bodies_move_hull(carom_bodies_hull *hull, const carom_bodies_frame *frame) {
    for (int i = 0; i < hull->count; i++) {
        double *p = hull->point + 2 * (size_t)i;
        carom_plane_rotate(frame->turn, hull->local + 2 * (size_t)i, p);
        p[0] += frame->place[0];
        p[1] += frame->place[1];
        carom_plane_rotate(frame->turn, hull->local_normal + 2 * (size_t)i,
                           hull->normal + 2 * (size_t)i);
    }
}
