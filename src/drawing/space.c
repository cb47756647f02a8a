#include <carom/drawing/internal.h>

#include <carom/mechanism/rotation.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Points of half a circle, its ends included; corners of a cut plane, at most. */
enum { ARC = 17, CORNERS = 64 };

/* How far beyond what moves planes are shown, of its largest side. */
static const double ROOM = 0.05;

/* Radius of the spot by which a sphere is seen to turn, of its own. */
static const double SPOT = 0.2;

static double dot(const double *a, const double *b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* -------------------------------------------------------------------------------- the projection
 */

/** To the right, upward and to the viewer. */
typedef struct camera {
    double axes[3][3];
} camera;

/** @return false: no direction */
static bool aim(const double *view, camera *c) {
    const double length = hypot(hypot(view[0], view[1]), view[2]);
    if (!(length > 0.0 && isfinite(length))) {
        return false;
    }
    double *d = c->axes[2];
    for (int k = 0; k < 3; k++) {
        d[k] = view[k] / length;
    }
    const double across = hypot(d[0], d[1]);
    /* seen from above or below: y is upward */
    c->axes[0][0] = across > 0.0 ? -d[1] / across : 1.0;
    c->axes[0][1] = across > 0.0 ? d[0] / across : 0.0;
    c->axes[0][2] = 0.0;
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3;
        const int j = (k + 2) % 3;
        c->axes[1][k] = d[i] * c->axes[0][j] - d[j] * c->axes[0][i];
    }
    return true;
}

static void project(const camera *c, const double *place, double *picture) {
    picture[0] = dot(c->axes[0], place);
    picture[1] = dot(c->axes[1], place);
}

/** Where a point of a body is in a frame; of the world as it is. */
static void locate(const carom_drawing *drawing, int frame, int body, const double *point,
                   double *place) {
    if (body < 0) {
        memcpy(place, point, 3 * sizeof *place);
        return;
    }
    const double *pose =
        drawing->solid_poses +
        CAROM_DRAWING_POSE * ((size_t)frame * (size_t)drawing->solid_bodies + (size_t)body);
    double R[9];
    carom_rotation_matrix(pose + 3, R);
    for (int k = 0; k < 3; k++) {
        place[k] = pose[k] + dot(R + 3 * k, point);
    }
}

/** The outline of a capsule with its ends in the picture. */
static void fill_capsule(const double *a, const double *b, double radius, double *next) {
    const double along = atan2(b[1] - a[1], b[0] - a[0]);
    for (int k = 0; k < 2 * ARC; k++) {
        const double angle = along + CAROM_DRAWING_PI * ((k < ARC ? k : k - 1.0) / (ARC - 1) - 0.5);
        const double *center = k < ARC ? b : a;
        *next++ = center[0] + radius * cos(angle);
        *next++ = center[1] + radius * sin(angle);
    }
}

/** Points of a solid in the picture. */
static int figure_points(const carom_outline *solid) {
    return solid->kind == CAROM_OUTLINE_SPHERE    ? 1
           : solid->kind == CAROM_OUTLINE_CAPSULE ? 2 * ARC
                                                  : solid->count;
}

static void fill_figure(const carom_drawing *drawing, const camera *c, const carom_outline *solid,
                        int frame, double *picture) {
    double ends[2][2] = {{0.0}};
    for (int i = 0; i < solid->count; i++) {
        double place[3];
        locate(drawing, frame, solid->body, solid->points + 3 * i, place);
        project(c, place, solid->kind == CAROM_OUTLINE_CAPSULE ? ends[i] : picture + 2 * i);
    }
    if (solid->kind == CAROM_OUTLINE_CAPSULE) {
        fill_capsule(ends[0], ends[1], solid->radius, picture);
    }
}

/** The spot of a sphere, within it: where its z axis, or the other end of it, comes out to the
 * viewer. */
static void fill_spot(const carom_drawing *drawing, const camera *c, const carom_outline *solid,
                      int frame, double *picture) {
    const double *p = solid->points;
    double center[3];
    double pole[3];
    locate(drawing, frame, solid->body, p, center);
    locate(drawing, frame, solid->body, (double[]){p[0], p[1], p[2] + solid->radius}, pole);
    double way[3] = {pole[0] - center[0], pole[1] - center[1], pole[2] - center[2]};
    const double sign = dot(way, c->axes[2]) < 0.0 ? -1.0 : 1.0;
    for (int k = 0; k < 3; k++) {
        way[k] = center[k] + sign * (1.0 - SPOT) * way[k];
    }
    project(c, way, picture);
}

static double depth_of(const carom_drawing *drawing, const camera *c, const carom_outline *solid) {
    double sum = 0.0;
    for (int i = 0; i < solid->count; i++) {
        double place[3];
        locate(drawing, drawing->frame_count - 1, solid->body, solid->points + 3 * i, place);
        sum += dot(c->axes[2], place) / solid->count;
    }
    return sum;
}

static int compare_depths(const void *left, const void *right) {
    const carom_drawing_figure *a = left;
    const carom_drawing_figure *b = right;
    return a->depth < b->depth || a->depth > b->depth
               ? (a->depth > b->depth) - (a->depth < b->depth)
               : a->order - b->order;
}

/** Figures of all that moves, the farthest of the last frame first. */
static carom_status make_figures(carom_drawing *drawing, const camera *c) {
    size_t points = 0;
    int count = 0;
    for (int o = 0; o < drawing->solid_count; o++) {
        const carom_outline *solid = &drawing->solids[o];
        const bool is_sphere = solid->kind == CAROM_OUTLINE_SPHERE;
        if (solid->body >= 0) {
            points += (size_t)figure_points(solid) + (is_sphere ? 1 : 0);
            count += is_sphere ? 2 : 1;
        }
    }
    const size_t frames = (size_t)drawing->frame_count;
    free(drawing->figures);
    free(drawing->figure_places);
    drawing->figure_count = 0;
    drawing->figures = malloc(((size_t)count + 1) * sizeof *drawing->figures);
    drawing->figure_places = malloc((2 * frames * points + 1) * sizeof *drawing->figure_places);
    if (drawing->figures == NULL || drawing->figure_places == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    double *next = drawing->figure_places;
    for (int o = 0; o < drawing->solid_count; o++) {
        const carom_outline *solid = &drawing->solids[o];
        const int parts = solid->body < 0 ? 0 : solid->kind == CAROM_OUTLINE_SPHERE ? 2 : 1;
        for (int part = 0; part < parts; part++) {
            carom_drawing_figure *figure = &drawing->figures[drawing->figure_count];
            *figure = (carom_drawing_figure){.body = solid->body,
                                             .count = figure_points(solid),
                                             .radius = solid->radius * (part == 1 ? SPOT : 1.0),
                                             .is_spot = part == 1,
                                             .places = next,
                                             .depth = depth_of(drawing, c, solid),
                                             .order = drawing->figure_count++};
            for (int i = 0; i < drawing->frame_count; i++, next += 2 * figure->count) {
                if (part == 1) {
                    fill_spot(drawing, c, solid, i, next);
                } else {
                    fill_figure(drawing, c, solid, i, next);
                }
            }
        }
    }
    qsort(drawing->figures, (size_t)drawing->figure_count, sizeof *drawing->figures,
          compare_depths);
    return CAROM_OK;
}

/* ------------------------------------------------------------------------------------- the world
 */

/** A polygon in space. */
typedef struct polygon {
    int count;
    double corners[CORNERS][3];
} polygon;

/** Keep what of a polygon is where n . x >= least. */
static void cut(polygon *p, const double *n, double least) {
    polygon kept = {0};
    for (int i = 0; i < p->count && kept.count < CORNERS - 1; i++) {
        const double *a = p->corners[i];
        const double *b = p->corners[(i + 1) % p->count];
        const double at = dot(n, a) - least;
        const double to = dot(n, b) - least;
        if (at >= 0.0) {
            memcpy(kept.corners[kept.count++], a, 3 * sizeof *a);
        }
        if ((at >= 0.0) != (to >= 0.0)) {
            for (int k = 0; k < 3; k++) {
                kept.corners[kept.count][k] = a[k] + at / (at - to) * (b[k] - a[k]);
            }
            kept.count++;
        }
    }
    *p = kept;
}

/** The box about all that moves, with some room. */
static void find_room(const carom_drawing *drawing, double room[2][3]) {
    for (int k = 0; k < 3; k++) {
        room[0][k] = (double)INFINITY;
        room[1][k] = -(double)INFINITY;
    }
    for (int o = 0; o < drawing->solid_count; o++) {
        const carom_outline *solid = &drawing->solids[o];
        for (int i = 0; i < drawing->frame_count * solid->count && solid->body >= 0; i++) {
            double place[3];
            locate(drawing, i / solid->count, solid->body, solid->points + 3 * (i % solid->count),
                   place);
            for (int k = 0; k < 3; k++) {
                room[0][k] = fmin(room[0][k], place[k] - solid->radius);
                room[1][k] = fmax(room[1][k], place[k] + solid->radius);
            }
        }
    }
    double side = 0.0;
    for (int k = 0; k < 3; k++) {
        side = fmax(side, room[1][k] - room[0][k]);
    }
    for (int k = 0; k < 3; k++) {
        room[0][k] -= ROOM * side;
        room[1][k] += ROOM * side;
    }
}

/** The part of a plane in the room and on the free sides of the others. */
static polygon part_of_plane(const carom_drawing *drawing, int plane, double room[2][3]) {
    const double *p = drawing->solids[plane].points;
    const double n[3] = {p[3] - p[0], p[4] - p[1], p[5] - p[2]};
    int least = 0;
    for (int k = 1; k < 3; k++) {
        least = fabs(n[k]) < fabs(n[least]) ? k : least;
    }
    double a[3] = {0.0, 0.0, 0.0};
    double b[3];
    double size = 0.0;
    double middle[3];
    a[least] = 1.0;
    for (int k = 0; k < 3; k++) {
        a[k] -= n[least] * n[k];
        middle[k] = 0.5 * (room[0][k] + room[1][k]);
        size = hypot(size, room[1][k] - room[0][k]);
    }
    const double height = dot(n, middle) - dot(n, p);
    const double length = hypot(hypot(a[0], a[1]), a[2]);
    polygon part = {.count = 4};
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3;
        const int j = (k + 2) % 3;
        b[k] = (n[i] * a[j] - n[j] * a[i]) / length;
    }
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 3; k++) {
            part.corners[i][k] = middle[k] - height * n[k] +
                                 size * ((i == 1 || i == 2 ? 1.0 : -1.0) * a[k] / length +
                                         (i >= 2 ? 1.0 : -1.0) * b[k]);
        }
    }
    for (int k = 0; k < 6; k++) {
        double axis[3] = {0.0, 0.0, 0.0};
        axis[k / 2] = k % 2 == 0 ? 1.0 : -1.0;
        cut(&part, axis, k % 2 == 0 ? room[0][k / 2] : -room[1][k / 2]);
    }
    for (int o = 0; o < drawing->solid_count && part.count > 0; o++) {
        const double *other = drawing->solids[o].points;
        if (o != plane && drawing->solids[o].kind == CAROM_OUTLINE_HALF_SPACE) {
            const double m[3] = {other[3] - other[0], other[4] - other[1], other[5] - other[2]};
            cut(&part, m, dot(m, other) - 1e-9 * size);
        }
    }
    return part;
}

/** What of the world a solid shows in the picture, [..][2], its first point again at the end. */
static int fill_fixed(const carom_drawing *drawing, const camera *c, int o, double room[2][3],
                      double *picture) {
    const carom_outline *solid = &drawing->solids[o];
    int count = figure_points(solid);
    if (solid->kind == CAROM_OUTLINE_HALF_SPACE) {
        const polygon part = part_of_plane(drawing, o, room);
        count = part.count;
        for (int i = 0; i < count; i++) {
            project(c, part.corners[i], picture + 2 * i);
        }
    } else {
        fill_figure(drawing, c, solid, 0, picture);
        if (solid->kind == CAROM_OUTLINE_SPHERE) {
            const double center[2] = {picture[0], picture[1]};
            fill_capsule(center, center, solid->radius, picture);
            count = 2 * ARC;
        }
    }
    memcpy(picture + 2 * count, picture, 2 * sizeof *picture);
    return count > 1 ? count + 1 : 0;
}

/** What does not move, as lines of the picture. */
static carom_status draw_world(carom_drawing *drawing, const camera *c) {
    const size_t solids = (size_t)drawing->solid_count;
    size_t points = 1;
    for (size_t o = 0; o < solids; o++) {
        points += (size_t)drawing->solids[o].count + CORNERS + 2 * ARC + 1;
    }
    free(drawing->outlines);
    free(drawing->points);
    drawing->outline_count = 0;
    drawing->outlines = malloc((solids + 1) * sizeof *drawing->outlines);
    drawing->points = malloc(2 * points * sizeof *drawing->points);
    if (drawing->outlines == NULL || drawing->points == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    double room[2][3];
    double *next = drawing->points;
    find_room(drawing, room);
    for (int o = 0; o < drawing->solid_count; o++) {
        if (drawing->solids[o].body >= 0) {
            continue;
        }
        const int count = fill_fixed(drawing, c, o, room, next);
        if (count > 0) {
            drawing->outlines[drawing->outline_count++] = (carom_outline){
                .body = -1, .kind = CAROM_OUTLINE_LINE, .count = count, .points = next};
            next += 2 * count;
        }
    }
    return CAROM_OK;
}

bool carom_drawing_parse_view(const char *text, double view[3]) {
    double numbers[3];
    for (int k = 0; k < 3; k++) {
        char *end = NULL;
        numbers[k] = strtod(text, &end);
        if (end == text || *end != (k < 2 ? ',' : '\0')) {
            return false;
        }
        text = end + 1;
    }
    camera c = {0};
    if (!aim(numbers, &c)) {
        return false;
    }
    memcpy(view, numbers, sizeof numbers);
    return true;
}

carom_status carom_drawing_look(carom_drawing *drawing, const double *view, carom_report *report) {
    CAROM_ASSERT(drawing != NULL && view != NULL);
    camera c = {0};
    if (!aim(view, &c)) {
        return carom_report_refuse(report, "length of the view", 0.0, -1, "> 0");
    }
    if (drawing->solid_bodies == 0) {
        return CAROM_OK; /* it is in a plane, which is looked at */
    }
    CAROM_TRY(make_figures(drawing, &c));
    for (int k = 0; k < drawing->impact_count; k++) {
        project(&c, drawing->impact_places + 3 * (size_t)k, drawing->impacts[k].place);
    }
    return draw_world(drawing, &c);
}
