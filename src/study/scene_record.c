#include <carom/study/scenes.h>

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>

/** Columns of a drawing. */
typedef enum column { COLUMN_X, COLUMN_Y, COLUMN_DX, COLUMN_DY, COLUMN_COUNT } column;

/** Write the first `columns` columns, values [columns][count], below GROUP/NAME. */
static void write_columns(carom_record *record, const char *group, const carom_scene_line *line,
                          int columns, const double *values) {
    const carom_column kinds[COLUMN_COUNT] = {
        {"x", values, "m", "horizontal place"},
        {"y", values + line->count, "m", "vertical place"},
        {"dx", values + COLUMN_DX * line->count, "m s-1", "horizontal velocity"},
        {"dy", values + COLUMN_DY * line->count, "m s-1", "vertical velocity"}};
    carom_record to = carom_record_group(record, "%s/%s", group, line->name);
    carom_record_index_axis(&to, "point", line->count, "point of the drawing");
    carom_record_columns(&to, "point", NULL, kinds, columns);
}

/** Places and, if v is not NULL, velocities of the points of a line. */
static carom_status write_line(carom_record *record, const char *group,
                               const carom_planar_tree *tree, const double *q, const double *v,
                               const carom_scene_line *line) {
    const int count = line->count;
    CAROM_AUTO_MEMORY double *values =
        malloc((size_t)COLUMN_COUNT * (size_t)count * sizeof(double));
    if (values == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int k = 0; k < count; k++) {
        double place[2];
        double velocity[2] = {0.0, 0.0};
        carom_planar_tree_point(tree, q, v, line->body, line->points + 2 * k, place,
                                v == NULL ? NULL : velocity);
        values[COLUMN_X * count + k] = place[0];
        values[COLUMN_Y * count + k] = place[1];
        values[COLUMN_DX * count + k] = velocity[0];
        values[COLUMN_DY * count + k] = velocity[1];
    }
    write_columns(record, group, line, v == NULL ? COLUMN_DX : COLUMN_COUNT, values);
    return CAROM_OK;
}

carom_status carom_scene_record_line(carom_record *record, const char *group,
                                     const carom_planar_tree *tree, const double *q,
                                     const carom_scene_line *line) {
    CAROM_ASSERT(record != NULL && group != NULL && tree != NULL && q != NULL && line != NULL);
    return write_line(record, group, tree, q, NULL, line);
}

carom_status carom_scene_record_velocities(carom_record *record, const char *group,
                                           const carom_planar_tree *tree, const double *q,
                                           const double *v, const carom_scene_line *line) {
    CAROM_ASSERT(record != NULL && group != NULL && tree != NULL && q != NULL && v != NULL &&
                 line != NULL);
    return write_line(record, group, tree, q, v, line);
}

void carom_scene_circle(double x, double y, double radius, double *points) {
    const int sides = CAROM_SCENE_CIRCLE_POINTS - 1;
    for (int k = 0; k <= sides; k++) {
        const double angle = 2.0 * M_PI * (k % sides) / sides;
        points[2 * k] = x + radius * cos(angle);
        points[2 * k + 1] = y + radius * sin(angle);
    }
}

void carom_scene_rectangle(double width, double height, double *points) {
    static const double corners[5][2] = {
        {-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}, {-0.5, -0.5}};
    for (int k = 0; k < 5; k++) {
        points[2 * k] = corners[k][0] * width;
        points[2 * k + 1] = corners[k][1] * height;
    }
}

/** Time before and after an impact that is drawn, s. */
static const double AROUND = 0.1;

carom_status carom_scene_record_passage(carom_record *group, int n, const double *position,
                                        const double *before, const double *after) {
    CAROM_ASSERT(group != NULL && n >= 1 && position != NULL && before != NULL);
    const double time[3] = {-AROUND, 0.0, AROUND};
    CAROM_AUTO_MEMORY double *places = malloc(3 * (size_t)n * sizeof *places);
    if (places == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int i = 0; i < n; i++) {
        places[i] = position[i] - AROUND * before[i];
        places[n + i] = position[i];
        places[2 * n + i] = position[i] + (after != NULL ? AROUND * after[i] : 0.0);
    }
    carom_record_axis(group, "time", after != NULL ? 3 : 2, time, "s", "time from the impact");
    carom_record_index_axis(group, "coordinate", n, "coordinate");
    carom_record_series(group, "position", places, "time", "coordinate", "m, rad",
                        "coordinates, as if nothing else changed velocities");
    return CAROM_OK;
}
