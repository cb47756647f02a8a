#include <carom/drawing/geometry.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Longest name of a body with its terminating zero. */
enum { NAME_SIZE = 32 };

/* Points of a circle, its first twice. */
enum { CIRCLE = 49 };

typedef struct carom_geometry_body {
    char name[NAME_SIZE];
    int parent;
    double x;
    double y;
    double angle;
} body;

typedef struct carom_geometry_line {
    int body;
    carom_outline_kind kind;
    int first; /* of its points */
    int count;
} line;

void carom_geometry_clear(carom_geometry *geometry) {
    free(geometry->bodies);
    free(geometry->terms);
    free(geometry->lines);
    free(geometry->points);
    free(geometry->springs);
    *geometry = (carom_geometry){0};
}

/** Make room for more items behind `count`, doubling. @return the list, NULL on failure */
static void *grow(carom_geometry *g, void *list, int count, int more, size_t size) {
    const size_t least = (size_t)count + (size_t)more;
    size_t room = 16;
    while (room < least) {
        room *= 2;
    }
    const bool is_full = count == 0 || ((size_t)count <= room / 2 && room > 16);
    void *grown = is_full || list == NULL ? realloc(list, room * size) : list;
    if (grown == NULL) {
        g->failure = CAROM_STATUS_OUT_OF_MEMORY;
    }
    return grown;
}

int carom_geometry_add_body(carom_geometry *g, const char *name, int parent, double x, double y,
                            double angle) {
    CAROM_ASSERT(g != NULL && parent >= -1 && parent <= g->body_count);
    body *grown = grow(g, g->bodies, g->body_count, 1, sizeof *grown);
    const int number = g->body_count;
    if (grown != NULL) {
        g->bodies = grown;
        g->body_count++;
        grown[number] = (body){.parent = parent, .x = x, .y = y, .angle = angle};
        if (name != NULL) {
            snprintf(grown[number].name, NAME_SIZE, "%s", name);
        } else {
            snprintf(grown[number].name, NAME_SIZE, "body_%d", number);
        }
    }
    return number;
}

void carom_geometry_add_term(carom_geometry *g, int of, carom_geometry_direction direction,
                             int coordinate, double factor) {
    CAROM_ASSERT(g != NULL && coordinate >= 0);
    carom_geometry_term *grown = grow(g, g->terms, g->term_count, 1, sizeof *grown);
    if (grown != NULL) {
        g->terms = grown;
        grown[g->term_count++] = (carom_geometry_term){of, direction, coordinate, factor};
    }
}

int carom_geometry_add_free_body(carom_geometry *g, const char *name, int first, double length) {
    const int number = carom_geometry_add_body(g, name, -1, 0.0, 0.0, 0.0);
    carom_geometry_add_term(g, number, CAROM_GEOMETRY_X, first, length);
    carom_geometry_add_term(g, number, CAROM_GEOMETRY_Y, first + 1, length);
    carom_geometry_add_term(g, number, CAROM_GEOMETRY_ANGLE, first + 2, 1.0);
    return number;
}

void carom_geometry_add_outline(carom_geometry *g, int of, carom_outline_kind kind, int count,
                                const double *points) {
    CAROM_ASSERT(g != NULL && count >= 1);
    line *lines = grow(g, g->lines, g->line_count, 1, sizeof *lines);
    g->lines = lines != NULL ? lines : g->lines;
    double *places = grow(g, g->points, 2 * g->point_count, 2 * count, sizeof *places);
    g->points = places != NULL ? places : g->points;
    if (lines != NULL && places != NULL) {
        memcpy(places + 2 * (size_t)g->point_count, points, 2 * (size_t)count * sizeof *points);
        lines[g->line_count++] = (line){of, kind, g->point_count, count};
        g->point_count += count;
    }
}

void carom_geometry_add_circle(carom_geometry *g, int of, double x, double y, double radius) {
    double points[2 * CIRCLE];
    for (int k = 0; k < CIRCLE; k++) {
        const double angle = 8.0 * atan(1.0) * (k % (CIRCLE - 1)) / (CIRCLE - 1);
        points[2 * k] = x + radius * cos(angle);
        points[2 * k + 1] = y + radius * sin(angle);
    }
    carom_geometry_add_outline(g, of, CAROM_OUTLINE_CLOSED, CIRCLE, points);
}

void carom_geometry_add_disc(carom_geometry *g, int of, double x, double y, double radius) {
    carom_geometry_add_circle(g, of, x, y, radius);
    carom_geometry_add_line(g, of, (double[2]){x, y}, (double[2]){x + radius, y});
}

void carom_geometry_add_box(carom_geometry *g, int of, double x, double y, double width,
                            double height) {
    const double w = 0.5 * width;
    const double h = 0.5 * height;
    const double points[] = {x - w, y - h, x + w, y - h, x + w, y + h, x - w, y + h, x - w, y - h};
    carom_geometry_add_outline(g, of, CAROM_OUTLINE_CLOSED, 5, points);
}

void carom_geometry_add_line(carom_geometry *g, int of, const double *from, const double *to) {
    const double points[] = {from[0], from[1], to[0], to[1]};
    if (hypot(to[0] - from[0], to[1] - from[1]) > 0.0) {
        carom_geometry_add_outline(g, of, CAROM_OUTLINE_LINE, 2, points);
    }
}

void carom_geometry_add_spring(carom_geometry *g, int first, const double *from, int second,
                               const double *to) {
    CAROM_ASSERT(g != NULL && from != NULL && to != NULL);
    carom_spring_line *grown = grow(g, g->springs, g->spring_count, 1, sizeof *grown);
    if (grown != NULL) {
        g->springs = grown;
        grown[g->spring_count++] =
            (carom_spring_line){first, from[0], from[1], second, to[0], to[1]};
    }
}

void carom_geometry_add_half_plane(carom_geometry *g, const carom_planar_wall *wall) {
    const double length = hypot(wall->normal[0], wall->normal[1]);
    const double points[] = {wall->point[0], wall->point[1],
                             wall->point[0] + wall->normal[0] / length,
                             wall->point[1] + wall->normal[1] / length};
    carom_geometry_add_outline(g, -1, CAROM_OUTLINE_HALF_PLANE, 2, points);
}

/* ----------------------------------------------------------------------------------------- trees
 */

/** The angle of a body of a tree in the world is that of its parent and its own: all terms of the
 * angles between it and the ground. */
static void add_angles(carom_geometry *g, const carom_planar_tree *tree, int of) {
    double angle = 0.0;
    for (int b = of; b >= 0; b = carom_planar_tree_body(tree, b)->parent) {
        const carom_planar_body *joint = carom_planar_tree_body(tree, b);
        const int first = carom_planar_tree_first_coordinate(tree, b);
        angle += joint->joint_angle;
        if (joint->type == CAROM_PLANAR_FLOATING || joint->type == CAROM_PLANAR_REVOLUTE) {
            carom_geometry_add_term(g, of, CAROM_GEOMETRY_ANGLE,
                                    joint->type == CAROM_PLANAR_FLOATING ? first + 2 : first, 1.0);
        }
    }
    if (g->failure == CAROM_OK) {
        g->bodies[of].angle = angle;
    }
}

static void add_places(carom_geometry *g, const carom_planar_tree *tree, int of) {
    const carom_planar_body *joint = carom_planar_tree_body(tree, of);
    const int first = carom_planar_tree_first_coordinate(tree, of);
    if (joint->type == CAROM_PLANAR_FLOATING || joint->type == CAROM_PLANAR_TRANSLATING) {
        carom_geometry_add_term(g, of, CAROM_GEOMETRY_X, first, 1.0);
        carom_geometry_add_term(g, of, CAROM_GEOMETRY_Y, first + 1, 1.0);
    } else if (joint->type == CAROM_PLANAR_PRISMATIC) {
        carom_geometry_add_term(g, of, CAROM_GEOMETRY_X, first, cos(joint->axis_angle));
        carom_geometry_add_term(g, of, CAROM_GEOMETRY_Y, first, sin(joint->axis_angle));
    }
}

void carom_geometry_add_tree(carom_geometry *g, const carom_planar_tree *tree) {
    CAROM_ASSERT(g != NULL && tree != NULL && g->body_count == 0);
    for (int b = 0; b < carom_planar_tree_body_count(tree); b++) {
        const carom_planar_body *joint = carom_planar_tree_body(tree, b);
        carom_geometry_add_body(g, NULL, joint->parent, joint->joint_point[0],
                                joint->joint_point[1], 0.0);
        add_angles(g, tree, b);
        add_places(g, tree, b);
    }
}

/* ------------------------------------------------------------------------------------ the record
 */

static const carom_field BODY_FIELDS[] = {
    CAROM_FIELD("parent_of_body", body, parent, "1", "in whose frame a body stands; -1: the world"),
    CAROM_FIELD("place_x", body, x, "m", "place in the frame of the parent, all coordinates zero"),
    CAROM_FIELD("place_y", body, y, "m", "place in the frame of the parent, all coordinates zero"),
    CAROM_FIELD("place_angle", body, angle, "rad", "angle in the world, all coordinates zero"),
};

static const carom_field TERM_FIELDS[] = {
    CAROM_FIELD("body_of_term", carom_geometry_term, body, "1", "body that a coordinate moves"),
    CAROM_FIELD("direction_of_term", carom_geometry_term, direction, "1",
                "0: along x, 1: along y of its parent, 2: angle in the world"),
    CAROM_FIELD("coordinate_of_term", carom_geometry_term, coordinate, "1",
                "number of the generalized coordinate"),
    CAROM_FIELD("factor", carom_geometry_term, factor, "1", "times the coordinate"),
};

carom_status carom_geometry_record(carom_record *record, const carom_geometry *g) {
    CAROM_ASSERT(record != NULL && g != NULL);
    CAROM_TRY(g->failure);
    CAROM_ASSERT(g->body_count >= 1);
    CAROM_AUTO_MEMORY const char **names = malloc((size_t)g->body_count * sizeof *names);
    CAROM_AUTO_MEMORY carom_outline *outlines =
        malloc(((size_t)g->line_count + 1) * sizeof *outlines);
    if (names == NULL || outlines == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int b = 0; b < g->body_count; b++) {
        names[b] = g->bodies[b].name;
    }
    for (int k = 0; k < g->line_count; k++) {
        const line *of = &g->lines[k];
        outlines[k] = (carom_outline){.body = of->body,
                                      .kind = of->kind,
                                      .count = of->count,
                                      .points = g->points + 2 * (size_t)of->first};
    }
    carom_record group = carom_record_group(record, "geometry");
    CAROM_TRY(
        carom_geometry_record_outlines(&group, g->body_count, names, g->line_count, outlines));
    carom_record_index_axis(&group, "body", g->body_count, "body");
    carom_record_rows(&group, "body", g->bodies, g->body_count, sizeof *g->bodies, BODY_FIELDS,
                      (int)(sizeof BODY_FIELDS / sizeof *BODY_FIELDS));
    if (g->term_count > 0) {
        carom_record_index_axis(&group, "term", g->term_count, "part of a pose");
        carom_record_rows(&group, "term", g->terms, g->term_count, sizeof *g->terms, TERM_FIELDS,
                          (int)(sizeof TERM_FIELDS / sizeof *TERM_FIELDS));
    }
    carom_geometry_record_springs(&group, g->spring_count, g->springs);
    return CAROM_OK;
}
