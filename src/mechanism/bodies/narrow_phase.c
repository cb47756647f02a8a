#include <carom/mechanism/bodies/internal.h>

#include <math.h>

/* An edge of one hull as seen from the other: the least height of the other's points above it. */
typedef struct face {
    int edge;
    bool is_end; /* of a segment: the line across its end */
    double normal[2];
    double height;
} face;

static const double *point_of(const carom_bodies_hull *hull, int i) {
    return hull->point + 2 * (size_t)i;
}

static const double *normal_of(const carom_bodies_hull *hull, int i) {
    return hull->normal + 2 * (size_t)i;
}

static double height_of(const double origin[2], const double normal[2], const double point[2]) {
    return normal[0] * (point[0] - origin[0]) + normal[1] * (point[1] - origin[1]);
}

/* The point of a hull that is farthest against a direction. */
static int lowest_point(const carom_bodies_hull *hull, const double direction[2]) {
    int lowest = 0;
    for (int i = 1; i < hull->count; i++) {
        if (height_of(point_of(hull, lowest), direction, point_of(hull, i)) < 0.0) {
            lowest = i;
        }
    }
    return lowest;
}

static void try_face(const carom_bodies_hull *own, const carom_bodies_hull *other, int edge,
                     bool is_end, const double normal[2], face *best) {
    const double *origin = point_of(own, edge);
    const double height = height_of(origin, normal, point_of(other, lowest_point(other, normal)));
    if (height > best->height) {
        *best = (face){
            .edge = edge, .is_end = is_end, .normal = {normal[0], normal[1]}, .height = height};
    }
}

/* The edge above which the other hull is highest: convex hulls are apart if and only if that is
 * above one of the edges of either, of a segment also above one of its ends. */
static face best_face(const carom_bodies_hull *own, const carom_bodies_hull *other) {
    face best = {.height = -(double)INFINITY};
    for (int i = 0; i < own->count && own->count > 1; i++) {
        try_face(own, other, i, false, normal_of(own, i), &best);
    }
    for (int i = 0; i < own->count && own->count == 2; i++) {
        /* the normal to the right of an edge, turned to the left, is along it */
        const double *n = normal_of(own, i);
        const double outward[2] = {n[1], -n[0]};
        try_face(own, other, i, true, outward, &best);
    }
    return best;
}

/* --- touches -----------------------------------------------------------------------------------
 */

/* The pair that is looked at, in its order. */
typedef struct couple {
    const carom_bodies_hull *hulls;
    int first;
    int second;
    int count;
    carom_bodies_touch *touches;
} couple;

carom_bodies_touch carom_bodies_touch_of(const carom_bodies_hull *hulls,
                                         carom_bodies_touch_kind kind, int owner, int other,
                                         int end) {
    const carom_bodies_hull *a = &hulls[owner];
    const carom_bodies_hull *b = &hulls[other];
    return (carom_bodies_touch){
        .kind = kind,
        .hulls = {owner, other},
        .bodies = {a->body, b->body},
        .end = end,
        .radii = {a->radius, b->radius},
        .friction = sqrt(a->friction * b->friction),
        .restitution = sqrt(a->restitution * b->restitution),
        .surface_speed = a->surface_speed + b->surface_speed,
    };
}

static carom_bodies_touch *append(couple *c, carom_bodies_touch_kind kind, int owner, int other,
                                  int end) {
    carom_bodies_touch *touch = &c->touches[c->count++];
    *touch = carom_bodies_touch_of(c->hulls, kind, owner, other, end);
    return touch;
}

/* A point of one hull beside an edge of the other; of a segment's end beside the line across. */
static void add_point_line(couple *c, int owner, int edge, bool is_end, int other, int point,
                           int end) {
    const carom_bodies_hull *a = &c->hulls[owner];
    const carom_bodies_hull *b = &c->hulls[other];
    carom_bodies_touch *touch = append(c, CAROM_BODIES_POINT_LINE, owner, other, end);
    const double *n = a->local_normal + 2 * (size_t)edge;
    touch->normal[0] = is_end ? n[1] : n[0];
    touch->normal[1] = is_end ? -n[0] : n[1];
    touch->offset = carom_plane_dot(touch->normal, a->local + 2 * (size_t)edge);
    touch->other[0] = b->local[2 * (size_t)point];
    touch->other[1] = b->local[2 * (size_t)point + 1];
}

static void add_points(couple *c, int i, int j) {
    const double *a = c->hulls[c->first].local + 2 * (size_t)i;
    const double *b = c->hulls[c->second].local + 2 * (size_t)j;
    carom_bodies_touch *touch = append(c, CAROM_BODIES_POINT_POINT, c->first, c->second, 0);
    touch->point[0] = a[0];
    touch->point[1] = a[1];
    touch->other[0] = b[0];
    touch->other[1] = b[1];
}

/* --- an edge against an edge -------------------------------------------------------------------
 */

/* Edge of a hull that looks most against a direction. */
static int opposite_edge(const carom_bodies_hull *hull, const double direction[2]) {
    int opposite = 0;
    for (int i = 1; i < hull->count; i++) {
        if (carom_plane_dot(direction, normal_of(hull, i)) <
            carom_plane_dot(direction, normal_of(hull, opposite))) {
            opposite = i;
        }
    }
    return opposite;
}

/* The two ends of an edge along a direction, the lower one first. */
typedef struct extent {
    int point[2];
    double place[2];
} extent;

static extent extent_of(const carom_bodies_hull *hull, int edge, const double along[2]) {
    extent e = {.point = {edge, (edge + 1) % hull->count}};
    for (int k = 0; k < 2; k++) {
        e.place[k] = carom_plane_dot(along, point_of(hull, e.point[k]));
    }
    if (e.place[0] > e.place[1]) {
        e = (extent){{e.point[1], e.point[0]}, {e.place[1], e.place[0]}};
    }
    return e;
}

/* Whether a point is beside an edge, not beyond its ends. */
static bool is_beside(const carom_bodies_hull *hull, int edge, const double point[2]) {
    const double *n = normal_of(hull, edge);
    const double along[2] = {-n[1], n[0]};
    const extent e = extent_of(hull, edge, along);
    const double place = carom_plane_dot(along, point);
    return place >= e.place[0] && place <= e.place[1];
}

/*[edgeContacts]*/
/* The part that two edges have in common ends twice, each time with a corner of one above the other
 * edge. Its ends are counted along the tangent of the normal from the first hull to the second,
 * whichever of them owns the edge. */
static void add_edges(couple *c, int owner, int edge, const double normal[2], int other) {
    const double sign = owner == c->first ? 1.0 : -1.0;
    const double along[2] = {sign * normal[1], -sign * normal[0]};
    const int opposite = opposite_edge(&c->hulls[other], normal);
    const extent own = extent_of(&c->hulls[owner], edge, along);
    const extent its = extent_of(&c->hulls[other], opposite, along);
    if (fmax(own.place[0], its.place[0]) >= fmin(own.place[1], its.place[1])) {
        add_point_line(c, owner, edge, false, other, lowest_point(&c->hulls[other], normal), 0);
        return;
    }
    for (int end = 0; end < 2; end++) {
        const double further = its.place[end] - own.place[end];
        const bool is_within = end == 0 ? further >= 0.0 : further <= 0.0;
        const double *corner = point_of(&c->hulls[owner], own.point[end]);
        if (is_within || !is_beside(&c->hulls[other], opposite, corner)) {
            add_point_line(c, owner, edge, false, other, its.point[end], end);
        } else {
            add_point_line(c, other, opposite, false, owner, own.point[end], end);
        }
    }
}
/*[end edgeContacts]*/

/* --- what is nearest ---------------------------------------------------------------------------
 */

/* A point of one hull and what of the other is nearest to it. */
typedef struct nearest {
    double distance;
    int owner; /* 0 or 1: the hull of the edge */
    int edge;
    int point;
    int corner; /* of the edge, the nearest; -1: between its ends */
} nearest;

static void try_point(const carom_bodies_hull *own, int owner, const double point[2], int index,
                      nearest *best) {
    for (int i = 0; i < own->count; i++) {
        const int next = (i + 1) % own->count;
        const double *a = point_of(own, i);
        const double *b = point_of(own, next);
        const double edge[2] = {b[0] - a[0], b[1] - a[1]};
        const double from[2] = {point[0] - a[0], point[1] - a[1]};
        const double along = carom_plane_dot(edge, from);
        const double square = carom_plane_dot(edge, edge);
        const double share = along <= 0.0 ? 0.0 : along >= square ? 1.0 : along / square;
        const double distance = hypot(from[0] - share * edge[0], from[1] - share * edge[1]);
        const int corner = along <= 0.0 ? i : along >= square ? next : -1;
        /* of a segment both edges are as near: the one that looks to the point */
        const bool is_behind = corner < 0 && carom_plane_dot(normal_of(own, i), from) < 0.0;
        if (distance < best->distance && !is_behind) {
            *best = (nearest){distance, owner, i, index, corner};
        }
    }
}

/* Nearest points of two hulls that are apart: a corner of one is always among them. */
static nearest find_nearest(const carom_bodies_hull *a, const carom_bodies_hull *b) {
    nearest best = {.distance = (double)INFINITY, .corner = -1};
    for (int j = 0; j < b->count; j++) {
        try_point(a, 0, point_of(b, j), j, &best);
    }
    for (int i = 0; i < a->count; i++) {
        try_point(b, 1, point_of(a, i), i, &best);
    }
    return best;
}

/* Hulls with a radius that are apart touch where they are nearest. */
static void add_round(couple *c) {
    const nearest n = find_nearest(&c->hulls[c->first], &c->hulls[c->second]);
    const int owner = n.owner == 0 ? c->first : c->second;
    const int other = n.owner == 0 ? c->second : c->first;
    if (n.corner >= 0) {
        add_points(c, n.owner == 0 ? n.corner : n.point, n.owner == 0 ? n.point : n.corner);
    } else if (c->hulls[other].count == 1) {
        add_point_line(c, owner, n.edge, false, other, 0, 0);
    } else {
        add_edges(c, owner, n.edge, normal_of(&c->hulls[owner], n.edge), other);
    }
}

/* Convex hulls of which one has edges. */
static void add_hulls(couple *c) {
    const carom_bodies_hull *a = &c->hulls[c->first];
    const carom_bodies_hull *b = &c->hulls[c->second];
    const face of_first = best_face(a, b);
    const face of_second = best_face(b, a);
    const bool is_second = of_second.height > of_first.height;
    const face best = is_second ? of_second : of_first;
    if (best.height > 0.0 && a->radius + b->radius > 0.0) {
        add_round(c);
        return;
    }
    const int owner = is_second ? c->second : c->first;
    const int other = is_second ? c->first : c->second;
    if (best.is_end || c->hulls[other].count == 1) {
        add_point_line(c, owner, best.edge, best.is_end, other,
                       lowest_point(&c->hulls[other], best.normal), 0);
    } else {
        add_edges(c, owner, best.edge, best.normal, other);
    }
}

/* The lowest point above a half plane, and the lower one of its neighbours. */
static void add_half_plane(couple *c, int plane, int other) {
    const carom_bodies_hull *hull = &c->hulls[other];
    const double *n = normal_of(&c->hulls[plane], 0);
    const int lowest = lowest_point(hull, n);
    if (hull->count == 1) {
        add_point_line(c, plane, 0, false, other, lowest, 0);
        return;
    }
    const int after = (lowest + 1) % hull->count;
    const int before = (lowest + hull->count - 1) % hull->count;
    const bool is_after = height_of(point_of(hull, before), n, point_of(hull, after)) <= 0.0;
    const double sign = plane == c->first ? 1.0 : -1.0;
    const double along[2] = {sign * n[1], -sign * n[0]};
    const extent edge = extent_of(hull, is_after ? lowest : before, along);
    for (int end = 0; end < 2; end++) {
        add_point_line(c, plane, 0, false, other, edge.point[end], end);
    }
}

int carom_bodies_find_touches(const carom_bodies_hull *hulls, int first, int second,
                              carom_bodies_touch touches[CAROM_BODIES_MOST_TOUCHES]) {
    couple c = {.hulls = hulls, .first = first, .second = second, .touches = touches};
    if (hulls[first].is_half_plane || hulls[second].is_half_plane) {
        const bool is_first = hulls[first].is_half_plane;
        add_half_plane(&c, is_first ? first : second, is_first ? second : first);
    } else if (hulls[first].count == 1 && hulls[second].count == 1) {
        add_points(&c, 0, 0);
    } else {
        add_hulls(&c);
    }
    return c.count;
}
