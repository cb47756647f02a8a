#include <carom/study/scene_motion.h>

#include <carom/drawing/geometry_record.h>
#include <carom/mechanism/bodies/internal.h>

#include <math.h>
#include <stdlib.h>

static const double PI = 3.14159265358979323846;

/* Points of half a circle, its ends included. */
enum { ARC = 25 };

/** Points of the outline of a shape, at most. */
static int count_points(const carom_bodies_shape *shape) {
    if (shape->is_half_plane) {
        return 2;
    }
    return shape->radius > 0.0 ? 2 * ARC + 1 : shape->point_count + 1;
}

/** Half a circle about a point, counter-clockwise from an angle. */
static double *add_arc(const double *center, double radius, double from, double *next) {
    for (int k = 0; k < ARC; k++) {
        const double angle = from + PI * k / (ARC - 1);
        *next++ = center[0] + radius * cos(angle);
        *next++ = center[1] + radius * sin(angle);
    }
    return next;
}

static double *add_point(double x, double y, double *next) {
    next[0] = x;
    next[1] = y;
    return next + 2;
}

/** The outline of a shape, in the frame of its points. @return behind its last point */
static double *fill_points(const carom_bodies_shape *shape, double *next) {
    const double *p = shape->points;
    double *const first = next;
    if (shape->is_half_plane) {
        const double length = hypot(p[2], p[3]);
        next = add_point(p[0], p[1], next);
        return add_point(p[0] + p[2] / length, p[1] + p[3] / length, next);
    }
    if (shape->radius > 0.0) {
        const double *end = shape->point_count == 2 ? p + 2 : p;
        const double along = shape->point_count == 2 ? atan2(end[1] - p[1], end[0] - p[0]) : 0.0;
        next = add_arc(end, shape->radius, along - 0.5 * PI, next);
        next = add_arc(p, shape->radius, along + 0.5 * PI, next);
        return add_point(first[0], first[1], next);
    }
    for (int i = 0; i < shape->point_count; i++) {
        next = add_point(p[2 * i], p[2 * i + 1], next);
    }
    return add_point(p[0], p[1], next);
}

/** Discs have a radius drawn too, so that they are seen to turn. */
static bool has_spoke(const carom_bodies_shape *shape) {
    return shape->body >= 0 && shape->point_count == 1 && !shape->is_half_plane;
}

/** A place of a body about its centre of mass, where the frame of its pose is. */
static double *add_place(const carom_scene_file *scene, int body, const double *point,
                         double *next) {
    const double *center = body >= 0 ? scene->bodies[body].center : (double[2]){0.0, 0.0};
    return add_point(point[0] - center[0], point[1] - center[1], next);
}

/** All but those between angles. */
static carom_status write_springs(const carom_scene_file *scene, carom_record *group) {
    CAROM_AUTO_MEMORY carom_spring_line *lines =
        malloc(((size_t)scene->spec.spring_count + 1) * sizeof *lines);
    if (lines == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    int count = 0;
    for (int k = 0; k < scene->spec.spring_count; k++) {
        const carom_bodies_spring *spring = &scene->spec.springs[k];
        double ends[4];
        if (!spring->is_torsion) {
            (void)add_place(scene, spring->first, spring->first_point, ends);
            (void)add_place(scene, spring->second, spring->second_point, ends + 2);
            lines[count++] = (carom_spring_line){spring->first,  ends[0], ends[1],
                                                 spring->second, ends[2], ends[3]};
        }
    }
    carom_geometry_record_springs(group, count, lines);
    return CAROM_OK;
}

static carom_status write(const carom_scene_file *scene, carom_outline *outlines, double *points,
                          const char **names, carom_record *record) {
    int count = 0;
    double *next = points;
    for (int k = 0; k < scene->spec.shape_count; k++) {
        const carom_bodies_shape *shape = &scene->shapes[k];
        double *const first = next;
        next = fill_points(shape, next);
        outlines[count] = (carom_outline){.body = shape->body,
                                          .kind = shape->is_half_plane ? CAROM_OUTLINE_HALF_PLANE
                                                                       : CAROM_OUTLINE_CLOSED,
                                          .count = (int)(next - first) / 2,
                                          .points = first};
        count++;
        if (has_spoke(shape)) {
            outlines[count] = (carom_outline){
                .body = shape->body, .kind = CAROM_OUTLINE_LINE, .count = 2, .points = next};
            count++;
            next = add_point(shape->points[0], shape->points[1], next);
            next = add_point(shape->points[0] + shape->radius, shape->points[1], next);
        }
        for (double *p = first; p < next && shape->body >= 0; p += 2) {
            p[0] -= scene->bodies[shape->body].center[0];
            p[1] -= scene->bodies[shape->body].center[1];
        }
    }
    for (int k = 0; k < scene->spec.body_count; k++) {
        names[k] = scene->names[k];
    }
    for (int k = 0; k < scene->spec.joint_count; k++) {
        const carom_bodies_joint *joint = &scene->spec.joints[k];
        if (joint->kind == CAROM_BODIES_REVOLUTE) {
            double *const first = next;
            next = add_place(scene, joint->second, joint->second_point, next);
            outlines[count] = (carom_outline){
                .body = joint->second, .kind = CAROM_OUTLINE_LINE, .count = 1, .points = first};
            count++;
        }
    }
    carom_record group = carom_record_group(record, "/geometry");
    CAROM_TRY(
        carom_geometry_record_outlines(&group, scene->spec.body_count, names, count, outlines));
    return write_springs(scene, &group);
}

/* ---------------------------------------------------------------------------------------- space
 */

/* Corners of the faces of a box, counter-clockwise from outside; corner j has the larger coordinate
 * i where bit i of j is set. */
enum { FACES = 6, FACE_POINTS = 4, CORNERS = 8 };
static const int FACE_CORNERS[FACES][FACE_POINTS] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                                     {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};

/** The outlines of a solid behind others, about the centre of mass. @return the place behind its
 * points, [..][3] */
static double *add_solid(const carom_scene_file *scene, const carom_bodies_solid *solid,
                         carom_outline *outlines, int *count, double *next) {
    static const double origin[3] = {0.0, 0.0, 0.0};
    static const carom_outline_kind kinds[] = {CAROM_OUTLINE_SPHERE, CAROM_OUTLINE_CAPSULE,
                                               CAROM_OUTLINE_FACE, CAROM_OUTLINE_HALF_SPACE};
    double local[3 * CORNERS];
    double normal[3 * CORNERS] = {0.0};
    carom_bodies_hull hull = {.local = local, .local_normal = normal};
    carom_solid_fill_hull(solid, solid->body < 0 ? origin : scene->masses[solid->body].center,
                          &hull);
    const bool is_box = solid->kind == CAROM_BODIES_CUBOID;
    for (int face = 0; face < (is_box ? FACES : 1); face++) {
        const int points = is_box ? FACE_POINTS : solid->kind == CAROM_BODIES_SPHERE ? 1 : 2;
        outlines[(*count)++] = (carom_outline){.body = solid->body,
                                               .kind = kinds[solid->kind],
                                               .count = points,
                                               .points = next,
                                               .radius = hull.radius};
        for (int i = 0; i < points; i++) {
            const int corner = is_box ? FACE_CORNERS[face][i] : hull.is_half_plane ? 0 : i;
            for (int k = 0; k < 3; k++) {
                *next++ = local[3 * corner + k] + (hull.is_half_plane && i == 1 ? normal[k] : 0.0);
            }
        }
    }
    return next;
}

static carom_status record_solids(const carom_scene_file *scene, carom_record *record) {
    const size_t solids = (size_t)scene->space.solid_count;
    CAROM_AUTO_MEMORY carom_outline *list = malloc((FACES * solids + 1) * sizeof *list);
    CAROM_AUTO_MEMORY double *places =
        malloc((3 * FACES * FACE_POINTS * solids + 1) * sizeof *places);
    CAROM_AUTO_MEMORY const char **names = malloc((size_t)scene->spec.body_count * sizeof *names);
    if (list == NULL || places == NULL || names == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    int count = 0;
    double *next = places;
    for (size_t k = 0; k < solids; k++) {
        next = add_solid(scene, &scene->solids[k], list, &count, next);
    }
    for (int k = 0; k < scene->spec.body_count; k++) {
        names[k] = scene->names[k];
    }
    carom_record group = carom_record_group(record, "/geometry");
    return carom_geometry_record_solids(&group, scene->spec.body_count, names, count, list);
}

carom_status carom_scene_record_outlines(const carom_scene_file *scene, carom_record *record) {
    if (scene->is_space) {
        return record_solids(scene, record);
    }
    size_t points = 1;
    for (int k = 0; k < scene->spec.shape_count; k++) {
        points += (size_t)count_points(&scene->shapes[k]) + 2;
    }
    points += (size_t)scene->spec.joint_count;
    const size_t outlines =
        2 * (size_t)scene->spec.shape_count + (size_t)scene->spec.joint_count + 1;
    CAROM_AUTO_MEMORY carom_outline *list = malloc(outlines * sizeof *list);
    CAROM_AUTO_MEMORY double *places = malloc(2 * points * sizeof *places);
    CAROM_AUTO_MEMORY const char **names = malloc((size_t)scene->spec.body_count * sizeof *names);
    if (list == NULL || places == NULL || names == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    return write(scene, list, places, names, record);
}
