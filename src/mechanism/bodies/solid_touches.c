#include <carom/mechanism/bodies/internal.h>

#include <carom/mechanism/bodies/space.h>

#include <math.h>
#include <string.h>

static carom_bodies_touch touch_points(const carom_bodies_hull *hulls, int first, int i, int second,
                                       int j) {
    carom_bodies_touch touch =
        carom_bodies_touch_of(hulls, CAROM_BODIES_POINT_POINT, first, second, 0);
    memcpy(touch.point, hulls[first].local + 3 * (size_t)i, sizeof touch.point);
    memcpy(touch.other, hulls[second].local + 3 * (size_t)j, sizeof touch.other);
    return touch;
}

/* Every point is above a half space; those that are far are left out by who asks. */
static int touch_half_space(const carom_bodies_hull *hulls, int plane, int other,
                            carom_bodies_touch *touches) {
    const carom_bodies_hull *hull = &hulls[other];
    for (int j = 0; j < hull->count; j++) {
        touches[j] = carom_bodies_touch_of(hulls, CAROM_BODIES_POINT_LINE, plane, other, j);
        memcpy(touches[j].normal, hulls[plane].local_normal, sizeof touches[j].normal);
        touches[j].offset = carom_space_dot(touches[j].normal, hulls[plane].local);
        memcpy(touches[j].other, hull->local + 3 * (size_t)j, sizeof touches[j].other);
    }
    return hull->count;
}

/* A sphere beside the segment of a capsule, or beyond an end of it. */
static carom_bodies_touch touch_capsule(const carom_bodies_hull *hulls, int capsule, int sphere) {
    const carom_bodies_hull *own = &hulls[capsule];
    const double *a = own->point;
    const double *p = hulls[sphere].point;
    const double along[3] = {a[3] - a[0], a[4] - a[1], a[5] - a[2]};
    const double from[3] = {p[0] - a[0], p[1] - a[1], p[2] - a[2]};
    const double share = carom_space_dot(along, from);
    const bool is_before = share <= 0.0;
    if (is_before || share >= carom_space_dot(along, along)) {
        const int end = is_before ? 0 : 1;
        return capsule < sphere ? touch_points(hulls, capsule, end, sphere, 0)
                                : touch_points(hulls, sphere, 0, capsule, end);
    }
    carom_bodies_touch touch =
        carom_bodies_touch_of(hulls, CAROM_BODIES_POINT_AXIS, capsule, sphere, 0);
    const double length = carom_space_distance(own->local, own->local + 3);
    for (int k = 0; k < 3; k++) {
        touch.point[k] = own->local[k];
        touch.normal[k] = (own->local[3 + k] - own->local[k]) / length;
        touch.other[k] = hulls[sphere].local[k];
    }
    return touch;
}

/* Along which axes of a box a point is beyond it: -1, 0 or 1 for each. Of one that is within, the
 * side that it is nearest to. */
static int beyond_box(const carom_bodies_hull *box, const double *point, int beyond[3]) {
    int count = 0;
    int nearest = 0;
    int side = 1;
    double depth = (double)INFINITY;
    for (int i = 0; i < 3; i++) {
        const double *low = box->point;
        const double *high = box->point + 3 * (size_t)(1 << i);
        const double edge[3] = {high[0] - low[0], high[1] - low[1], high[2] - low[2]};
        const double from[3] = {point[0] - low[0], point[1] - low[1], point[2] - low[2]};
        const double length = carom_space_length(edge);
        const double place = carom_space_dot(edge, from) / length;
        beyond[i] = place < 0.0 ? -1 : place > length ? 1 : 0;
        count += beyond[i] != 0 ? 1 : 0;
        if (fmin(place, length - place) < depth) {
            depth = fmin(place, length - place);
            nearest = i;
            side = place < length - place ? -1 : 1;
        }
    }
    if (count == 0) {
        beyond[nearest] = side;
    }
    return count > 0 ? count : 1;
}

/* A sphere above a side, an edge or a corner of a box. */
static carom_bodies_touch touch_box(const carom_bodies_hull *hulls, int box, int sphere) {
    const carom_bodies_hull *own = &hulls[box];
    int beyond[3];
    const int count = beyond_box(own, hulls[sphere].point, beyond);
    int corner = 0;
    int along = 0; /* axis of an edge, or normal to a side */
    for (int i = 0; i < 3; i++) {
        corner += beyond[i] > 0 ? 1 << i : 0;
        along = (beyond[i] != 0) == (count == 1) ? i : along;
    }
    if (count == 3) {
        return box < sphere ? touch_points(hulls, box, corner, sphere, 0)
                            : touch_points(hulls, sphere, 0, box, corner);
    }
    const bool is_edge = count == 2;
    carom_bodies_touch touch = carom_bodies_touch_of(
        hulls, is_edge ? CAROM_BODIES_POINT_AXIS : CAROM_BODIES_POINT_LINE, box, sphere, 0);
    const double *low = own->local;
    const double *high = own->local + 3 * (size_t)(1 << along);
    const double length = carom_space_distance(low, high);
    const double sign = !is_edge && beyond[along] < 0 ? -1.0 : 1.0;
    for (int k = 0; k < 3; k++) {
        touch.normal[k] = sign * (high[k] - low[k]) / length;
        touch.point[k] = own->local[3 * corner + k];
        touch.other[k] = hulls[sphere].local[k];
    }
    touch.offset = carom_space_dot(touch.normal, touch.point);
    return touch;
}

int carom_solid_find_touches(const carom_bodies_hull *hulls, int first, int second,
                             carom_bodies_touch touches[CAROM_BODIES_MOST_TOUCHES]) {
    int count = 1;
    const bool is_sphere = hulls[second].count == 1;
    const int other = is_sphere ? first : second;
    const int sphere = is_sphere ? second : first;
    if (hulls[first].is_half_plane) {
        count = touch_half_space(hulls, first, second, touches);
    } else if (hulls[second].is_half_plane) {
        count = touch_half_space(hulls, second, first, touches);
    } else if (hulls[sphere].count > 1) {
        return -1;
    } else if (hulls[other].count == 1) {
        touches[0] = touch_points(hulls, first, 0, second, 0);
    } else if (hulls[other].count == 2) {
        touches[0] = touch_capsule(hulls, other, sphere);
    } else {
        touches[0] = touch_box(hulls, other, sphere);
    }
    return count;
}

/* --- what is not computed ----------------------------------------------------------------------
 */

/* Directions of the edges of a hull, of any length. @return how many */
static int edges_of(const carom_bodies_hull *hull, double edges[3][3]) {
    const int count = hull->count == 8 ? 3 : hull->count - 1;
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++) {
            edges[i][k] = hull->point[3 * (1 << i) + k] - hull->point[k];
        }
    }
    return count;
}

/* How far apart two hulls are along a direction; below zero if they are not, or it is none. */
static double gap_along(const carom_bodies_hull *a, const carom_bodies_hull *b,
                        const double direction[3]) {
    const carom_bodies_hull *const hulls[2] = {a, b};
    const double length = carom_space_length(direction);
    double ends[2][2];
    for (int side = 0; side < 2; side++) {
        ends[side][0] = (double)INFINITY;
        ends[side][1] = -(double)INFINITY;
        for (int j = 0; j < hulls[side]->count; j++) {
            const double place = carom_space_dot(direction, hulls[side]->point + 3 * (size_t)j);
            ends[side][0] = fmin(ends[side][0], place / length - hulls[side]->radius);
            ends[side][1] = fmax(ends[side][1], place / length + hulls[side]->radius);
        }
    }
    return length > 0.0 ? fmax(ends[1][0] - ends[0][1], ends[0][0] - ends[1][1]) : -1.0;
}

bool carom_solid_are_apart(const carom_bodies_hull *a, const carom_bodies_hull *b, double near) {
    double of_a[3][3];
    double of_b[3][3];
    double direction[3];
    const int count_a = edges_of(a, of_a);
    const int count_b = edges_of(b, of_b);
    bool is_apart = false;
    for (int i = 0; i < count_a; i++) {
        is_apart = is_apart || gap_along(a, b, of_a[i]) > near;
        for (int j = 0; j < count_b; j++) {
            carom_space_cross(of_a[i], of_b[j], direction);
            is_apart = is_apart || gap_along(a, b, direction) > near;
        }
    }
    for (int j = 0; j < count_b; j++) {
        is_apart = is_apart || gap_along(a, b, of_b[j]) > near;
    }
    /* from corner to corner and end to end, and from middle to middle */
    double middle[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < a->count; i++) {
        for (int j = 0; j < b->count; j++) {
            for (int k = 0; k < 3; k++) {
                direction[k] = b->point[3 * j + k] - a->point[3 * i + k];
                middle[k] += direction[k] / (a->count * b->count);
            }
            is_apart = is_apart || gap_along(a, b, direction) > near;
        }
    }
    return is_apart || gap_along(a, b, middle) > near;
}
