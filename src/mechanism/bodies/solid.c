#include <carom/mechanism/bodies/internal.h>

#include <carom/mechanism/bodies/space.h>
#include <carom/mechanism/rotation.h>

#include <float.h>
#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

/* Of the terms of a moment. */
static const double ROUNDINGS = 32.0;

/* --- mass, centre and inertia ------------------------------------------------------------------
 */

/* Integrals over solids of 1, of x and of x x'. */
typedef struct moments {
    double volume;
    double first[3];
    double second[6]; /* xx, yy, zz, xy, xz, yz */
} moments;

static const int ROW[6] = {0, 1, 2, 0, 0, 1};
static const int COLUMN[6] = {0, 1, 2, 1, 2, 2};

/* A volume about its centre, with the mean squares of places along three axes, the columns of R. */
static void add(moments *sum, double volume, const double center[3], const double R[9],
                const double squares[3]) {
    sum->volume += volume;
    for (int k = 0; k < 3; k++) {
        sum->first[k] += volume * center[k];
    }
    for (int k = 0; k < 6; k++) {
        const double *a = R + 3 * ROW[k];
        const double *b = R + 3 * COLUMN[k];
        sum->second[k] += volume * (a[0] * b[0] * squares[0] + a[1] * b[1] * squares[1] +
                                    a[2] * b[2] * squares[2] + center[ROW[k]] * center[COLUMN[k]]);
    }
}

double carom_bodies_volume(const carom_bodies_solid *s) {
    const double r = s->radius;
    const double ball = 4.0 / 3.0 * PI * r * r * r;
    const double length = carom_space_distance(s->place, s->to);
    switch (s->kind) {
    case CAROM_BODIES_SPHERE:
        return ball;
    case CAROM_BODIES_CAPSULE:
        return ball + PI * r * r * length;
    case CAROM_BODIES_CUBOID:
        return s->edges[0] * s->edges[1] * s->edges[2];
    case CAROM_BODIES_HALF_SPACE:
        break;
    }
    return (double)INFINITY;
}

/* Rotation of which the third axis is along a capsule. */
static void capsule_axes(const carom_bodies_solid *s, double R[9]) {
    const double length = carom_space_distance(s->place, s->to);
    double axes[3][3] = {{0.0}};
    int least = 0;
    for (int k = 0; k < 3; k++) {
        axes[2][k] = (s->to[k] - s->place[k]) / length;
        least = fabs(axes[2][k]) < fabs(axes[2][least]) ? k : least;
    }
    double unit[3] = {0.0, 0.0, 0.0};
    unit[least] = 1.0;
    carom_space_cross(axes[2], unit, axes[0]);
    const double across = sqrt(carom_space_dot(axes[0], axes[0]));
    for (int k = 0; k < 3; k++) {
        axes[0][k] /= across;
    }
    carom_space_cross(axes[2], axes[0], axes[1]);
    for (int k = 0; k < 9; k++) {
        R[k] = axes[k % 3][k / 3];
    }
}

/* A cylinder between two halves of a ball, whose centres are 3 r / 8 beyond its ends. */
static void add_capsule(moments *sum, const carom_bodies_solid *s) {
    double R[9];
    const double r = s->radius;
    const double length = carom_space_distance(s->place, s->to);
    const double half = 0.5 * length;
    const double center[3] = {0.5 * (s->place[0] + s->to[0]), 0.5 * (s->place[1] + s->to[1]),
                              0.5 * (s->place[2] + s->to[2])};
    const double in_cylinder[3] = {0.25 * r * r, 0.25 * r * r, length * length / 12.0};
    const double in_ends[3] = {0.2 * r * r, 0.2 * r * r,
                               0.2 * r * r + half * half + 0.75 * half * r};
    capsule_axes(s, R);
    add(sum, PI * r * r * length, center, R, in_cylinder);
    add(sum, 4.0 / 3.0 * PI * r * r * r, center, R, in_ends);
}

static void add_solid(moments *sum, const carom_bodies_solid *s) {
    static const double straight[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
    const double r = s->radius;
    if (s->kind == CAROM_BODIES_SPHERE) {
        const double squares[3] = {0.2 * r * r, 0.2 * r * r, 0.2 * r * r};
        add(sum, carom_bodies_volume(s), s->place, straight, squares);
    } else if (s->kind == CAROM_BODIES_CAPSULE) {
        add_capsule(sum, s);
    } else if (s->kind == CAROM_BODIES_CUBOID) {
        double R[9];
        double squares[3];
        carom_rotation_matrix(s->turn, R);
        for (int k = 0; k < 3; k++) {
            squares[k] = s->edges[k] * s->edges[k] / 12.0;
        }
        add(sum, carom_bodies_volume(s), s->place, R, squares);
    }
}

carom_bodies_mass carom_bodies_uniform_in_space(int count, const carom_bodies_solid *solids,
                                                double mass) {
    CAROM_ASSERT(count >= 1 && solids != NULL);
    moments sum = {0};
    for (int i = 0; i < count; i++) {
        add_solid(&sum, &solids[i]);
    }
    carom_bodies_mass body = {.mass = mass};
    if (!(sum.volume > 0.0) || !isfinite(sum.volume)) {
        return body;
    }
    /* what rounding leaves of moments that cancel is none */
    const double square = (sum.second[0] + sum.second[1] + sum.second[2]) / sum.volume;
    const double rounding = ROUNDINGS * DBL_EPSILON * square;
    for (int k = 0; k < 3; k++) {
        const double center = sum.first[k] / sum.volume;
        body.center[k] = fabs(center) * sqrt(square) > rounding ? center : 0.0;
    }
    double about[6];
    for (int k = 0; k < 6; k++) {
        about[k] = sum.second[k] / sum.volume - body.center[ROW[k]] * body.center[COLUMN[k]];
    }
    for (int k = 0; k < 3; k++) {
        const double product = fabs(about[3 + k]) > rounding ? about[3 + k] : 0.0;
        body.inertia[k] = mass * (about[(k + 1) % 3] + about[(k + 2) % 3]);
        body.inertia[3 + k] = product > 0.0 || product < 0.0 ? -mass * product : 0.0;
    }
    return body;
}

/* --- what is refused ---------------------------------------------------------------------------
 */

/* a b - c c, zero if it is none to rounding. */
static double minor_of(double a, double b, double c) {
    const double minor = a * b - c * c;
    return fabs(minor) > ROUNDINGS * DBL_EPSILON * (fabs(a * b) + c * c) ? minor : 0.0;
}

static double determinant(const double J[6]) {
    return J[0] * J[1] * J[2] + 2.0 * J[3] * J[4] * J[5] - J[0] * J[5] * J[5] - J[1] * J[4] * J[4] -
           J[2] * J[3] * J[3];
}

carom_status carom_solid_check_mass(const carom_bodies_mass *mass, int index,
                                    carom_report *report) {
    CAROM_TRY(carom_report_require_finite(report, "mass", 1, &mass->mass));
    CAROM_TRY(carom_report_require_finite(report, "centre of a body", 3, mass->center));
    CAROM_TRY(carom_report_require_finite(report, "inertia", 6, mass->inertia));
    if (!(mass->mass > 0.0)) {
        return carom_report_refuse(report, "mass", mass->mass, index, "> 0");
    }
    const double *J = mass->inertia;
    for (int k = 0; k < 3; k++) {
        if (!(J[k] > 0.0)) {
            return carom_report_refuse(report, "inertia", J[k], index, "> 0");
        }
    }
    /* J = tr(S) 1 - S, where S, the integral of x x', has no negative direction; units leave */
    const double scale = J[0] + J[1] + J[2];
    double S[6];
    for (int k = 0; k < 3; k++) {
        const double square = 0.5 - J[k] / scale;
        S[k] = fabs(square) > ROUNDINGS * DBL_EPSILON ? square : 0.0;
        S[3 + k] = -J[3 + k] / scale;
        if (S[k] < 0.0) {
            return carom_report_refuse(report, "inertia", J[k], index,
                                       "at most the sum of the other two");
        }
    }
    const double minors[3] = {minor_of(S[0], S[1], S[3]), minor_of(S[0], S[2], S[4]),
                              minor_of(S[1], S[2], S[5])};
    const bool is_flat = fmin(minors[0], fmin(minors[1], minors[2])) < 0.0 ||
                         determinant(S) < -ROUNDINGS * DBL_EPSILON;
    if (is_flat || !(minors[0] + minors[1] + minors[2] > 0.0)) {
        const double largest = fmax(fabs(J[3]), fmax(fabs(J[4]), fabs(J[5])));
        return carom_report_refuse(report, "product of inertia", largest, index,
                                   "such that no moment is above the sum of the other two");
    }
    return CAROM_OK;
}

static carom_status check_sizes(const carom_bodies_solid *s, int index, carom_report *report) {
    const bool is_round = s->kind == CAROM_BODIES_SPHERE || s->kind == CAROM_BODIES_CAPSULE;
    if (is_round && !(s->radius > 0.0)) {
        return carom_report_refuse(report, "radius", s->radius, index, "> 0");
    }
    for (int k = 0; k < 3 && s->kind == CAROM_BODIES_CUBOID; k++) {
        if (!(s->edges[k] > 0.0)) {
            return carom_report_refuse(report, "edge of a box", s->edges[k], index, "> 0");
        }
    }
    if (s->kind == CAROM_BODIES_CAPSULE && !(carom_space_distance(s->place, s->to) > 0.0)) {
        return carom_report_refuse(report, "length of a capsule", 0.0, index, "> 0");
    }
    if (s->kind == CAROM_BODIES_HALF_SPACE && !(carom_space_dot(s->to, s->to) > 0.0)) {
        return carom_report_refuse(report, "normal of a half space", 0.0, index, "> 0");
    }
    const double length = hypot(hypot(s->turn[0], s->turn[1]), hypot(s->turn[2], s->turn[3]));
    return s->kind != CAROM_BODIES_CUBOID || fabs(length - 1.0) <= 1e-9
               ? CAROM_OK
               : carom_report_refuse(report, "length of a quaternion", length, index, "1");
}

carom_status carom_solid_check(const carom_bodies_solid *s, int body_count, int index,
                               carom_report *report) {
    const double numbers[] = {s->place[0], s->place[1], s->place[2], s->to[0],
                              s->to[1],    s->to[2],    s->radius,   s->edges[0],
                              s->edges[1], s->edges[2], s->turn[0],  s->turn[1],
                              s->turn[2],  s->turn[3],  s->friction, s->restitution};
    CAROM_TRY(carom_report_require_finite(report, "number of a solid",
                                          (int)(sizeof numbers / sizeof *numbers), numbers));
    if ((int)s->kind < CAROM_BODIES_SPHERE || s->kind > CAROM_BODIES_HALF_SPACE) {
        return carom_report_refuse(report, "kind of a solid", (double)s->kind, index,
                                   "a carom_bodies_solid_kind");
    }
    const int last = s->kind == CAROM_BODIES_HALF_SPACE ? CAROM_BODIES_GROUND : body_count - 1;
    if (s->body < CAROM_BODIES_GROUND || s->body > last) {
        return carom_report_refuse(report, "body of a solid", s->body, index,
                                   "a body, of a half space the ground");
    }
    if (!(s->friction >= 0.0)) {
        return carom_report_refuse(report, "friction", s->friction, index, ">= 0");
    }
    if (!(s->restitution >= 0.0 && s->restitution <= 1.0)) {
        return carom_report_refuse(report, "restitution", s->restitution, index, "in [0,1]");
    }
    return check_sizes(s, index, report);
}

/* --- in the world ------------------------------------------------------------------------------
 */

int carom_solid_point_count(const carom_bodies_solid *s) {
    return s->kind == CAROM_BODIES_CUBOID ? 8 : s->kind == CAROM_BODIES_CAPSULE ? 2 : 1;
}

void carom_solid_fill_hull(const carom_bodies_solid *s, const double center[3],
                           carom_bodies_hull *hull) {
    hull->body = s->body;
    hull->is_half_plane = s->kind == CAROM_BODIES_HALF_SPACE;
    hull->count = carom_solid_point_count(s);
    hull->radius =
        s->kind == CAROM_BODIES_SPHERE || s->kind == CAROM_BODIES_CAPSULE ? s->radius : 0.0;
    hull->friction = s->friction;
    hull->restitution = s->restitution;
    double R[9] = {0.0};
    if (s->kind == CAROM_BODIES_CUBOID) {
        carom_rotation_matrix(s->turn, R);
    }
    for (int j = 0; j < hull->count; j++) {
        for (int k = 0; k < 3; k++) {
            double x = hull->count == 2 && j == 1 ? s->to[k] : s->place[k];
            for (int i = 0; i < 3 && hull->count == 8; i++) {
                x += R[3 * k + i] * ((j >> i & 1) != 0 ? 0.5 : -0.5) * s->edges[i];
            }
            hull->local[3 * j + k] = x - center[k];
        }
    }
    const double length = sqrt(carom_space_dot(s->to, s->to));
    for (int k = 0; k < 3 && hull->is_half_plane; k++) {
        hull->local_normal[k] = s->to[k] / length;
    }
    carom_bodies_measure_hull(hull, 3);
}

carom_solid_frame carom_solid_frame_of(const double *q, int body) {
    carom_solid_frame frame = {.turn = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}};
    if (body >= 0) {
        const double *own = q + CAROM_SOLID_POSITIONS * (size_t)body;
        memcpy(frame.place, own, sizeof frame.place);
        carom_rotation_matrix(own + 3, frame.turn);
    }
    return frame;
}

void carom_solid_move_hull(carom_bodies_hull *hull, const carom_solid_frame *frame) {
    for (int j = 0; j < hull->count; j++) {
        double *p = hull->point + 3 * (size_t)j;
        carom_space_turn(frame->turn, hull->local + 3 * (size_t)j, p);
        for (int k = 0; k < 3; k++) {
            p[k] += frame->place[k];
        }
    }
}
