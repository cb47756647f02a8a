#include <carom/drawing/geometry_record.h>

#include <carom/record/text.h>

#include <stdlib.h>

/** Names of all bodies in one text. */
static carom_status write_names(carom_record *group, int body_count, const char *const *names) {
    CAROM_AUTO_VALUE(carom_text_buffer) text = {0};
    for (int k = 0; k < body_count; k++) {
        carom_text_buffer_print(&text, "%s", k > 0 ? ", " : "");
        if (names != NULL) {
            carom_text_buffer_print(&text, "%s", names[k]);
        } else {
            carom_text_buffer_print(&text, "body_%d", k);
        }
    }
    if (text.failure == CAROM_OK) {
        carom_record_string(group, "bodies", text.text, "names of the bodies");
    }
    return text.failure;
}

static carom_status write_outlines(carom_record *group, int axes, int body_count,
                                   const char *const *names, int count,
                                   const carom_outline *outlines) {
    static const char *const axis_names[] = {"x", "y", "z"};
    CAROM_ASSERT(group != NULL && body_count >= 1 && (outlines != NULL || count == 0));
    CAROM_TRY(write_names(group, body_count, names));
    size_t points = 0;
    for (int k = 0; k < count; k++) {
        points += (size_t)outlines[k].count;
    }
    if (points == 0) {
        return CAROM_OK;
    }
    const size_t doubles = (size_t)axes * points + (size_t)count;
    CAROM_AUTO_MEMORY double *place = malloc(doubles * sizeof *place);
    CAROM_AUTO_MEMORY int *ints = malloc((points + 2 * (size_t)count) * sizeof *ints);
    if (place == NULL || ints == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    int *body = ints + points;
    int *kind = body + count;
    double *radius = place + (size_t)axes * points;
    size_t at = 0;
    for (int k = 0; k < count; k++) {
        body[k] = outlines[k].body;
        kind[k] = (int)outlines[k].kind;
        radius[k] = outlines[k].radius;
        for (int i = 0; i < outlines[k].count; i++, at++) {
            for (int axis = 0; axis < axes; axis++) {
                place[(size_t)axis * points + at] = outlines[k].points[axes * i + axis];
            }
            ints[at] = k;
        }
    }
    carom_record_index_axis(group, "point", (int)points, "point of an outline");
    carom_record_index_axis(group, "outline", count, "outline");
    for (int axis = 0; axis < axes; axis++) {
        carom_record_series(group, axis_names[axis], place + (size_t)axis * points, "point", NULL,
                            "m", "place in the frame of the body");
    }
    carom_record_integer_series(group, "outline_of_point", ints, "point", NULL, "1",
                                "outline that a point belongs to");
    carom_record_integer_series(group, "body_of_outline", body, "outline", NULL, "1",
                                "body of an outline; -1: the world");
    carom_record_integer_series(
        group, "kind_of_outline", kind, "outline", NULL, "1",
        axes == 2 ? "0: closed, 1: a line, 2: a half plane, a point of its edge and "
                    "the end of its unit normal"
                  : "3: a sphere, 4: a capsule, ends of its segment, 5: a face, 6: a half space, a "
                    "point of its plane and the end of its unit normal");
    if (axes == 3) {
        carom_record_series(group, "radius_of_outline", radius, "outline", NULL, "m",
                            "radius of spheres and capsules");
    }
    return CAROM_OK;
}

carom_status carom_geometry_record_outlines(carom_record *group, int body_count,
                                            const char *const *names, int count,
                                            const carom_outline *outlines) {
    return write_outlines(group, 2, body_count, names, count, outlines);
}

carom_status carom_geometry_record_solids(carom_record *group, int body_count,
                                          const char *const *names, int count,
                                          const carom_outline *outlines) {
    return write_outlines(group, 3, body_count, names, count, outlines);
}

static const carom_field SPRING_FIELDS[] = {
    CAROM_FIELD("first_of_spring", carom_spring_line, first, "1", "body; -1: the world"),
    CAROM_FIELD("first_x", carom_spring_line, first_x, "m", "place in the frame of that body"),
    CAROM_FIELD("first_y", carom_spring_line, first_y, "m", "place in the frame of that body"),
    CAROM_FIELD("second_of_spring", carom_spring_line, second, "1", "body; -1: the world"),
    CAROM_FIELD("second_x", carom_spring_line, second_x, "m", "place in the frame of that body"),
    CAROM_FIELD("second_y", carom_spring_line, second_y, "m", "place in the frame of that body"),
};

void carom_geometry_record_springs(carom_record *group, int count,
                                   const carom_spring_line *springs) {
    CAROM_ASSERT(group != NULL && (springs != NULL || count == 0));
    if (count > 0) {
        carom_record_index_axis(group, "spring", count, "spring");
        carom_record_rows(group, "spring", springs, count, sizeof *springs, SPRING_FIELDS,
                          (int)(sizeof SPRING_FIELDS / sizeof *SPRING_FIELDS));
    }
}

static const char PLACE[] = "place of the body's frame";
static const char TURN[] = "unit quaternion from the body's frame to the world";

static carom_status write_poses(carom_record *group, const char *time_axis, int frame_count,
                                int body_count, const double *poses, const carom_measure *columns,
                                int numbers) {
    CAROM_ASSERT(group != NULL && time_axis != NULL && poses != NULL && frame_count >= 1 &&
                 body_count >= 1);
    const size_t count = (size_t)frame_count * (size_t)body_count;
    CAROM_AUTO_MEMORY double *column = malloc(count * sizeof *column);
    if (column == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    carom_record_index_axis(group, "body", body_count, "body");
    for (int axis = 0; axis < numbers; axis++) {
        for (size_t k = 0; k < count; k++) {
            column[k] = poses[(size_t)numbers * k + (size_t)axis];
        }
        carom_record_series(group, columns[axis].name, column, time_axis, "body",
                            columns[axis].units, columns[axis].long_name);
    }
    return CAROM_OK;
}

carom_status carom_geometry_record_poses(carom_record *group, const char *time_axis,
                                         int frame_count, int body_count, const double *poses) {
    static const carom_measure columns[3] = {
        {.name = "body_x", .units = "m", .long_name = PLACE},
        {.name = "body_y", .units = "m", .long_name = PLACE},
        {.name = "body_angle", .units = "rad", .long_name = "angle of the body's frame"}};
    return write_poses(group, time_axis, frame_count, body_count, poses, columns, 3);
}

carom_status carom_geometry_record_poses_in_space(carom_record *group, const char *time_axis,
                                                  int frame_count, int body_count,
                                                  const double *poses) {
    static const carom_measure columns[7] = {{.name = "body_x", .units = "m", .long_name = PLACE},
                                             {.name = "body_y", .units = "m", .long_name = PLACE},
                                             {.name = "body_z", .units = "m", .long_name = PLACE},
                                             {.name = "body_w", .units = "1", .long_name = TURN},
                                             {.name = "body_i", .units = "1", .long_name = TURN},
                                             {.name = "body_j", .units = "1", .long_name = TURN},
                                             {.name = "body_k", .units = "1", .long_name = TURN}};
    return write_poses(group, time_axis, frame_count, body_count, poses, columns, 7);
}
