#include <carom/drawing/internal.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/** What /geometry has of solids. */
typedef struct solid_data {
    carom_dataset place[3];
    carom_dataset outline;
    carom_dataset body;
    carom_dataset kind;
    carom_dataset radius;
} solid_data;

static void solid_data_clear(solid_data *data) {
    for (int axis = 0; axis < 3; axis++) {
        carom_dataset_clear(&data->place[axis]);
    }
    carom_dataset_clear(&data->outline);
    carom_dataset_clear(&data->body);
    carom_dataset_clear(&data->kind);
    carom_dataset_clear(&data->radius);
}

static carom_status load_solids(carom_reader *reader, const char *group, solid_data *data,
                                carom_report *report) {
    static const char *const names[3] = {"x", "y", "z"};
    for (int axis = 0; axis < 3; axis++) {
        CAROM_TRY(carom_drawing_numbers(reader, group, names[axis],
                                        axis == 0 ? -1 : data->place[0].rows, 1, &data->place[axis],
                                        report));
    }
    CAROM_TRY(carom_drawing_numbers(reader, group, "outline_of_point", data->place[0].rows, 1,
                                    &data->outline, report));
    CAROM_TRY(carom_drawing_numbers(reader, group, "body_of_outline", -1, 1, &data->body, report));
    const int outlines = data->body.rows;
    CAROM_TRY(
        carom_drawing_numbers(reader, group, "kind_of_outline", outlines, 1, &data->kind, report));
    return carom_drawing_numbers(reader, group, "radius_of_outline", outlines, 1, &data->radius,
                                 report);
}

/** Points that an outline of a kind has: at least, of all but faces also at most. */
static int points_of(carom_outline_kind kind) {
    return kind == CAROM_OUTLINE_SPHERE ? 1 : kind == CAROM_OUTLINE_FACE ? 3 : 2;
}

static carom_status fill_solids(const solid_data *data, carom_drawing *drawing,
                                carom_report *report) {
    int next = 0;
    for (int o = 0; o < data->body.rows; o++) {
        carom_outline *solid = &drawing->solids[o];
        const int first = next;
        bool is_finite = isfinite(data->radius.values[o]) && data->radius.values[o] >= 0.0;
        for (; next < data->outline.rows && fabs(data->outline.values[next] - o) <= 0.0; next++) {
            for (int axis = 0; axis < 3; axis++) {
                const double x = data->place[axis].values[next];
                drawing->solid_points[3 * next + axis] = x;
                is_finite = is_finite && isfinite(x);
            }
        }
        const bool has_body =
            carom_drawing_is_index(data->body.values[o], -1, drawing->body_count - 1);
        const bool has_kind = carom_drawing_is_index(data->kind.values[o], CAROM_OUTLINE_SPHERE,
                                                     CAROM_OUTLINE_HALF_SPACE);
        *solid = (carom_outline){.body = has_body ? (int)data->body.values[o] : -1,
                                 .kind = has_kind ? (carom_outline_kind)data->kind.values[o]
                                                  : CAROM_OUTLINE_SPHERE,
                                 .count = next - first,
                                 .points = drawing->solid_points + 3 * (size_t)first,
                                 .radius = data->radius.values[o]};
        const int least = points_of(solid->kind);
        if (!is_finite || !has_body || !has_kind || solid->count < least ||
            (solid->count > least && solid->kind != CAROM_OUTLINE_FACE) ||
            (solid->kind == CAROM_OUTLINE_HALF_SPACE && solid->body >= 0)) {
            return carom_report_say(report, CAROM_STATUS_BAD_FORMAT,
                                    "geometry: outline %d is no solid of a body that there is", o);
        }
    }
    drawing->solid_count = data->body.rows;
    return next == data->outline.rows
               ? CAROM_OK
               : carom_report_say(report, CAROM_STATUS_BAD_FORMAT,
                                  "geometry: point %d belongs to no outline", next);
}

static carom_status read_solids(carom_reader *reader, carom_drawing *drawing,
                                carom_report *report) {
    CAROM_AUTO_VALUE(solid_data) data = {0};
    CAROM_TRY(load_solids(reader, drawing->geometry, &data, report));
    drawing->solid_points =
        malloc((3 * (size_t)data.outline.rows + 1) * sizeof *drawing->solid_points);
    drawing->solids = malloc(((size_t)data.body.rows + 1) * sizeof *drawing->solids);
    if (drawing->solid_points == NULL || drawing->solids == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    return fill_solids(&data, drawing, report);
}

static carom_status read_turns(carom_reader *reader, carom_drawing *drawing, carom_report *report) {
    static const char *const names[CAROM_DRAWING_POSE] = {"body_x", "body_y", "body_z", "body_w",
                                                          "body_i", "body_j", "body_k"};
    const size_t count = (size_t)drawing->frame_count * (size_t)drawing->body_count;
    drawing->solid_poses = malloc(CAROM_DRAWING_POSE * count * sizeof *drawing->solid_poses);
    if (drawing->solid_poses == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (size_t part = 0; part < CAROM_DRAWING_POSE; part++) {
        CAROM_AUTO_VALUE(carom_dataset) column = {0};
        CAROM_TRY(carom_drawing_numbers(reader, drawing->group, names[part], drawing->frame_count,
                                        drawing->body_count, &column, report));
        for (size_t k = 0; k < count; k++) {
            drawing->solid_poses[CAROM_DRAWING_POSE * k + part] = column.values[k];
            if (!isfinite(column.values[k])) {
                return carom_report_say(report, CAROM_STATUS_NOT_FINITE,
                                        "%.100s/%s: a pose is not finite", drawing->group,
                                        names[part]);
            }
        }
    }
    return CAROM_OK;
}

/** Places of impacts: those that were read are x and y. */
static carom_status read_heights(carom_reader *reader, carom_drawing *drawing) {
    CAROM_AUTO_VALUE(carom_dataset) z = {0};
    char path[CAROM_DRAWING_PATH_SIZE];
    const size_t count = (size_t)drawing->impact_count;
    drawing->impact_places = malloc((3 * count + 1) * sizeof *drawing->impact_places);
    if (drawing->impact_places == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    snprintf(path, sizeof path, "%s/impacts/z", drawing->group);
    const carom_status status = carom_reader_dataset(reader, path, &z);
    const bool has_height = status == CAROM_OK && z.rows == drawing->impact_count;
    for (size_t k = 0; k < count; k++) {
        drawing->impact_places[3 * k] = drawing->impacts[k].place[0];
        drawing->impact_places[3 * k + 1] = drawing->impacts[k].place[1];
        drawing->impact_places[3 * k + 2] = has_height ? z.values[k] : (double)NAN;
    }
    return status == CAROM_STATUS_OUT_OF_MEMORY ? status : CAROM_OK;
}

carom_status carom_drawing_read_space(carom_reader *reader, carom_drawing *drawing,
                                      carom_report *report) {
    drawing->solid_bodies = drawing->body_count;
    CAROM_TRY(read_solids(reader, drawing, report));
    CAROM_TRY(read_turns(reader, drawing, report));
    CAROM_TRY(read_heights(reader, drawing));
    drawing->body_count = 0; /* none that moves in the plane of the picture as it is */
    return carom_drawing_look(drawing, carom_drawing_params_default().view, report);
}
