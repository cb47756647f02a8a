#include <carom/drawing/internal.h>

#include <carom/drawing/geometry.h>

#include <math.h>
#include <stdlib.h>

/** What a geometry says of how poses follow from coordinates. */
typedef struct kinematics {
    carom_dataset parent;
    carom_dataset x;
    carom_dataset y;
    carom_dataset angle;
    carom_dataset body;
    carom_dataset direction;
    carom_dataset coordinate;
    carom_dataset factor;
} kinematics;

static void kinematics_clear(kinematics *k) {
    carom_dataset_clear(&k->parent);
    carom_dataset_clear(&k->x);
    carom_dataset_clear(&k->y);
    carom_dataset_clear(&k->angle);
    carom_dataset_clear(&k->body);
    carom_dataset_clear(&k->direction);
    carom_dataset_clear(&k->coordinate);
    carom_dataset_clear(&k->factor);
}

static carom_status load(carom_reader *reader, const char *group, int bodies, kinematics *k,
                         carom_report *report) {
    CAROM_TRY(
        carom_drawing_numbers(reader, group, "parent_of_body", bodies, 1, &k->parent, report));
    CAROM_TRY(carom_drawing_numbers(reader, group, "place_x", bodies, 1, &k->x, report));
    CAROM_TRY(carom_drawing_numbers(reader, group, "place_y", bodies, 1, &k->y, report));
    CAROM_TRY(carom_drawing_numbers(reader, group, "place_angle", bodies, 1, &k->angle, report));
    CAROM_TRY(carom_drawing_numbers(reader, group, "body_of_term", -1, 1, &k->body, report));
    const int terms = k->body.rows;
    CAROM_TRY(
        carom_drawing_numbers(reader, group, "direction_of_term", terms, 1, &k->direction, report));
    CAROM_TRY(carom_drawing_numbers(reader, group, "coordinate_of_term", terms, 1, &k->coordinate,
                                    report));
    return carom_drawing_numbers(reader, group, "factor", terms, 1, &k->factor, report);
}

/** Refuse parents that do not come first, and terms of what there is not. */
static carom_status check(const kinematics *k, int bodies, int coordinates, carom_report *report) {
    for (int b = 0; b < bodies; b++) {
        if (!carom_drawing_is_index(k->parent.values[b], -1, b - 1) ||
            !isfinite(k->x.values[b] + k->y.values[b] + k->angle.values[b])) {
            return carom_report_say(report, CAROM_STATUS_BAD_FORMAT,
                                    "geometry: body %d stands in no earlier one, or nowhere", b);
        }
    }
    for (int t = 0; t < k->body.rows; t++) {
        if (!carom_drawing_is_index(k->body.values[t], 0, bodies - 1) ||
            !carom_drawing_is_index(k->direction.values[t], CAROM_GEOMETRY_X,
                                    CAROM_GEOMETRY_ANGLE) ||
            !carom_drawing_is_index(k->coordinate.values[t], 0, coordinates - 1) ||
            !isfinite(k->factor.values[t])) {
            return carom_report_say(
                report, CAROM_STATUS_BAD_FORMAT,
                "geometry: term %d is of a body, direction or coordinate that there is not", t);
        }
    }
    return CAROM_OK;
}

/** Poses [bodies][3] at coordinates q: first what is added in the frames of the parents. */
static void fill_poses(const kinematics *k, int bodies, const double *q, double *poses) {
    for (int b = 0; b < bodies; b++) {
        poses[3 * b] = k->x.values[b];
        poses[3 * b + 1] = k->y.values[b];
        poses[3 * b + 2] = k->angle.values[b];
    }
    for (int t = 0; t < k->body.rows; t++) {
        const int at = 3 * (int)k->body.values[t] + (int)k->direction.values[t];
        poses[at] += k->factor.values[t] * q[(int)k->coordinate.values[t]];
    }
    for (int b = 0; b < bodies; b++) {
        const int parent = (int)k->parent.values[b];
        if (parent >= 0) {
            const double c = cos(poses[3 * parent + 2]);
            const double s = sin(poses[3 * parent + 2]);
            const double x = poses[3 * b];
            const double y = poses[3 * b + 1];
            poses[3 * b] = poses[3 * parent] + c * x - s * y;
            poses[3 * b + 1] = poses[3 * parent + 1] + s * x + c * y;
        }
    }
}

carom_status carom_drawing_follow(carom_reader *reader, carom_drawing *drawing,
                                  carom_report *report) {
    CAROM_AUTO_VALUE(kinematics) k = {0};
    CAROM_AUTO_VALUE(carom_dataset) q = {0};
    const int bodies = drawing->body_count;
    CAROM_TRY(load(reader, drawing->geometry, bodies, &k, report));
    CAROM_TRY(carom_drawing_numbers(reader, drawing->group, CAROM_DRAWING_COORDINATES,
                                    drawing->frame_count, -1, &q, report));
    CAROM_TRY(check(&k, bodies, q.columns, report));
    for (int i = 0; i < drawing->frame_count; i++) {
        fill_poses(&k, bodies, q.values + (size_t)i * (size_t)q.columns,
                   drawing->poses + 3 * (size_t)i * (size_t)bodies);
    }
    return CAROM_OK;
}
