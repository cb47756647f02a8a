#include <carom/drawing/internal.h>

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Longest path of a data set of a motion. */
enum { PATH_SIZE = CAROM_DRAWING_PATH_SIZE };

/* Groups within groups in which motions are looked for. */
enum { MOST_DEPTH = 8 };

/* Letters of what a record has instead, in a sentence. */
enum { MOST_LISTED = 90 };

static const char ACCEPTED[] =
    "to be drawn it needs /geometry and a group with time, body_x, body_y, body_angle "
    "(docs/scene.md)";

void carom_drawing_free(carom_drawing *drawing) {
    if (drawing == NULL) {
        return;
    }
    free(drawing->names);
    free(drawing->outlines);
    free(drawing->time);
    free(drawing->poses);
    free(drawing->impacts);
    free(drawing->points);
    free(drawing->text);
    free(drawing->springs);
    free(drawing->solids);
    free(drawing->solid_points);
    free(drawing->solid_poses);
    free(drawing->impact_places);
    free(drawing->figures);
    free(drawing->figure_places);
    free(drawing);
}

/* --------------------------------------------------------------------------------------- groups */

/** A dataset below a group; a group "" is the record. */
static carom_status read_below(carom_reader *reader, const char *group, const char *name,
                               carom_dataset *out) {
    char path[2 * PATH_SIZE];
    snprintf(path, sizeof path, "%s/%s", group, name);
    return carom_reader_dataset(reader, path, out);
}

static bool has_below(carom_reader *reader, const char *group, const char *name) {
    char path[2 * PATH_SIZE];
    char units[64];
    snprintf(path, sizeof path, "%s/%s@units", group, name);
    return carom_reader_text(reader, path, (int)sizeof units, units) == CAROM_OK;
}

/** Whether something stands in a group. */
static bool has_any(carom_reader *reader, const char *group) {
    char name[CAROM_RECORD_GROUP_SIZE];
    return carom_reader_child(reader, group, 0, (int)sizeof name, name) != CAROM_STATUS_NOT_FOUND;
}

/** The geometry that a motion goes by: in its group, or else in the nearest that holds it. */
static bool find_geometry(carom_reader *reader, const char *group, char path[PATH_SIZE]) {
    size_t length = strlen(group);
    for (;;) {
        snprintf(path, PATH_SIZE, "%.*s/geometry", (int)length, group);
        if (has_any(reader, path)) {
            return true;
        }
        if (length == 0) {
            return false;
        }
        while (length > 0 && group[--length] != '/') {
        }
    }
}

/** Whether a data set has a row for each instant of a group: not all that is over a time is. */
static bool is_over_time(carom_reader *reader, const char *group, const char *name,
                         carom_status *failure) {
    CAROM_AUTO_VALUE(carom_dataset) time = {0};
    CAROM_AUTO_VALUE(carom_dataset) values = {0};
    carom_status status = read_below(reader, group, "time", &time);
    status = status == CAROM_OK ? read_below(reader, group, name, &values) : status;
    *failure = status == CAROM_STATUS_OUT_OF_MEMORY ? status : *failure;
    return status == CAROM_OK && values.rows == time.rows;
}

/** Whether a group has poses, or the coordinates from which they follow; or memory failed. */
static bool has_poses(carom_reader *reader, const char *group, carom_status *failure) {
    char geometry[PATH_SIZE];
    if (!has_below(reader, group, "time") || !find_geometry(reader, group, geometry)) {
        return false;
    }
    return has_below(reader, group, "body_x") ||
           (has_below(reader, group, CAROM_DRAWING_COORDINATES) &&
            has_below(reader, geometry, "factor") &&
            is_over_time(reader, group, CAROM_DRAWING_COORDINATES, failure));
}

/** Append the groups below one that have poses, in the order of names, ", " between them. */
static void list_groups(carom_reader *reader, const char *group, int depth,
                        carom_text_buffer *list) {
    if (has_poses(reader, group, &list->failure)) {
        carom_text_buffer_print(list, "%s%s", list->length > 0 ? ", " : "", group);
    }
    char name[CAROM_RECORD_GROUP_SIZE];
    char path[CAROM_RECORD_GROUP_SIZE];
    for (int k = 0; depth < MOST_DEPTH && k < INT_MAX; k++) {
        const carom_status status =
            carom_reader_child(reader, group[0] != '\0' ? group : "/", k, (int)sizeof name, name);
        if (status == CAROM_STATUS_NOT_FOUND) {
            return;
        }
        const int length = snprintf(path, sizeof path, "%s/%s", group, name);
        if (status == CAROM_OK && length < (int)sizeof path) {
            list_groups(reader, path, depth + 1, list);
        }
    }
}

/** Append what stands right below the root. */
static void list_root(carom_reader *reader, carom_text_buffer *list) {
    char name[64];
    for (int k = 0; carom_reader_child(reader, "/", k, (int)sizeof name, name) == CAROM_OK; k++) {
        carom_text_buffer_print(list, "%s/%s", k > 0 ? ", " : "", name);
    }
}

/** Names of a list as far as they have room, whole ones; dots for those that have none. */
static const char *text_of(carom_text_buffer *list, size_t most) {
    if (list->length == 0) {
        return "nothing";
    }
    if (strlen(list->text) > most) {
        size_t end = most - strlen(", ...");
        while (end > 0 && list->text[end] != ',') {
            end--;
        }
        snprintf(list->text + end, sizeof ", ...", "%s", end > 0 ? ", ..." : "...");
    }
    return list->text;
}

/** Find the group of the motion. */
static carom_status find_group(carom_reader *reader, const char *asked, carom_drawing *drawing,
                               carom_report *report) {
    CAROM_AUTO_VALUE(carom_text_buffer) found = {0};
    list_groups(reader, "", 0, &found);
    CAROM_TRY(found.failure);
    if (found.length == 0) {
        list_root(reader, &found);
        return carom_report_say(report, CAROM_STATUS_NOT_FOUND, "has no %s, only %s; %s",
                                has_any(reader, "/geometry") ? "poses" : "geometry",
                                text_of(&found, MOST_LISTED), ACCEPTED);
    }
    const size_t length = asked == NULL ? strcspn(found.text, ",") : strlen(asked);
    const char *name = asked == NULL ? found.text : asked;
    if (length >= sizeof drawing->group) {
        return carom_report_say(report, CAROM_STATUS_NOT_FOUND, "has no group of such a length");
    }
    snprintf(drawing->group, sizeof drawing->group, "%s%.*s", name[0] == '/' ? "" : "/",
             (int)length, name);
    const bool has_motion = has_poses(reader, drawing->group, &found.failure);
    CAROM_TRY(found.failure);
    if (!has_motion) {
        return carom_report_say(report, CAROM_STATUS_NOT_FOUND,
                                "has no poses in %.60s; there are some in %.120s", drawing->group,
                                found.text);
    }
    (void)find_geometry(reader, drawing->group, drawing->geometry);
    return CAROM_OK;
}

/* ----------------------------------------------------------------------------------- the bodies */

/** The names of the bodies, which tell how many there are. */
static carom_status read_names(carom_reader *reader, carom_drawing *drawing, carom_report *report) {
    carom_status status = CAROM_STATUS_OUT_OF_RANGE;
    char path[PATH_SIZE + 16];
    snprintf(path, sizeof path, "%s/bodies", drawing->geometry);
    for (int size = 4096; status == CAROM_STATUS_OUT_OF_RANGE && size <= INT_MAX / 2; size *= 2) {
        free(drawing->text);
        drawing->text = malloc((size_t)size);
        if (drawing->text == NULL) {
            return CAROM_STATUS_OUT_OF_MEMORY;
        }
        status = carom_reader_text(reader, path, size, drawing->text);
    }
    if (status != CAROM_OK) {
        return status == CAROM_STATUS_OUT_OF_MEMORY
                   ? status
                   : carom_report_say(report, CAROM_STATUS_BAD_FORMAT,
                                      "%.150s is not the names of bodies in one text", path);
    }
    int count = 1;
    for (const char *at = drawing->text; (at = strstr(at, ", ")) != NULL; at += 2) {
        count++;
    }
    drawing->names = malloc((size_t)count * sizeof *drawing->names);
    if (drawing->names == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    char *at = drawing->text;
    for (int k = 0; k < count && at != NULL; k++) {
        drawing->names[k] = at;
        at = strstr(at, ", ");
        if (at != NULL) {
            *at = '\0';
            at += 2;
        }
    }
    drawing->body_count = count;
    return CAROM_OK;
}

/** Refuse what a dataset has not: rows and columns. */
static carom_status check_shape(const carom_dataset *dataset, const char *group, const char *name,
                                int rows, int columns, carom_report *report) {
    if (dataset->rows == rows && dataset->columns == columns) {
        return CAROM_OK;
    }
    return carom_report_say(report, CAROM_STATUS_BAD_FORMAT,
                            "%.100s/%s is %d x %d numbers instead of %d x %d", group, name,
                            dataset->rows, dataset->columns, rows, columns);
}

carom_status carom_drawing_numbers(carom_reader *reader, const char *group, const char *name,
                                   int rows, int columns, carom_dataset *out,
                                   carom_report *report) {
    const carom_status status = read_below(reader, group, name, out);
    if (status == CAROM_STATUS_OUT_OF_MEMORY) {
        return status;
    }
    if (status != CAROM_OK) {
        return carom_report_say(report, CAROM_STATUS_BAD_FORMAT,
                                "%.100s/%s is missing or no numbers", group, name);
    }
    return check_shape(out, group, name, rows < 0 ? out->rows : rows,
                       columns < 0 ? out->columns : columns, report);
}

/* --------------------------------------------------------------------------------- the outlines */

/** What /geometry has over its points and outlines. */
typedef struct outline_data {
    carom_dataset x;
    carom_dataset y;
    carom_dataset outline;
    carom_dataset body;
    carom_dataset kind;
} outline_data;

static void outline_data_clear(outline_data *data) {
    carom_dataset_clear(&data->x);
    carom_dataset_clear(&data->y);
    carom_dataset_clear(&data->outline);
    carom_dataset_clear(&data->body);
    carom_dataset_clear(&data->kind);
}

static carom_status load_outlines(carom_reader *reader, const char *group, outline_data *data,
                                  carom_report *report) {
    CAROM_TRY(carom_drawing_numbers(reader, group, "x", -1, 1, &data->x, report));
    const int points = data->x.rows;
    CAROM_TRY(carom_drawing_numbers(reader, group, "y", points, 1, &data->y, report));
    CAROM_TRY(carom_drawing_numbers(reader, group, "outline_of_point", points, 1, &data->outline,
                                    report));
    CAROM_TRY(carom_drawing_numbers(reader, group, "body_of_outline", -1, 1, &data->body, report));
    return carom_drawing_numbers(reader, group, "kind_of_outline", data->body.rows, 1, &data->kind,
                                 report);
}

bool carom_drawing_is_index(double value, int low, int high) {
    return value >= low && value <= high && !(fabs(value - rint(value)) > 0.0);
}

static carom_status refuse_outline(int outline, const char *what, carom_report *report) {
    return carom_report_say(report, CAROM_STATUS_BAD_FORMAT, "geometry: outline %d %s", outline,
                            what);
}

/** Points of a half plane: its edge and the end of a normal that has a length. */
static bool has_normal(const carom_outline *outline) {
    const double *p = outline->points;
    return outline->count == 2 && hypot(p[2] - p[0], p[3] - p[1]) > 0.0;
}

/** Outlines with their points, which come one after another. */
static carom_status fill_outlines(const outline_data *data, carom_drawing *drawing,
                                  carom_report *report) {
    int next = 0;
    for (int o = 0; o < data->body.rows; o++) {
        const int first = next;
        while (next < data->x.rows && fabs(data->outline.values[next] - o) <= 0.0) {
            drawing->points[2 * next] = data->x.values[next];
            drawing->points[2 * next + 1] = data->y.values[next];
            if (!isfinite(data->x.values[next]) || !isfinite(data->y.values[next])) {
                return carom_report_say(report, CAROM_STATUS_NOT_FINITE,
                                        "geometry: point %d is not finite", next);
            }
            next++;
        }
        if (next == first) {
            return refuse_outline(o, "has no points, or they are not in order", report);
        }
        if (!carom_drawing_is_index(data->body.values[o], -1, drawing->body_count - 1)) {
            return refuse_outline(o, "is of a body that there is not", report);
        }
        if (!carom_drawing_is_index(data->kind.values[o], CAROM_OUTLINE_CLOSED,
                                    CAROM_OUTLINE_HALF_PLANE)) {
            return refuse_outline(o, "is of no kind that is known (0, 1, 2)", report);
        }
        drawing->outlines[o] = (carom_outline){.body = (int)data->body.values[o],
                                               .kind = (carom_outline_kind)data->kind.values[o],
                                               .count = next - first,
                                               .points = drawing->points + 2 * (size_t)first};
        if (drawing->outlines[o].kind == CAROM_OUTLINE_HALF_PLANE &&
            (drawing->outlines[o].body >= 0 || !has_normal(&drawing->outlines[o]))) {
            return refuse_outline(o, "is no half plane of the world with a normal", report);
        }
    }
    drawing->outline_count = data->body.rows;
    return next == data->x.rows ? CAROM_OK
                                : refuse_outline(data->body.rows, "has points but no body", report);
}

static carom_status read_outlines(carom_reader *reader, carom_drawing *drawing,
                                  carom_report *report) {
    if (!has_below(reader, drawing->geometry, "x")) {
        return CAROM_OK; /* bodies without outlines are dots */
    }
    CAROM_AUTO_VALUE(outline_data) data = {0};
    CAROM_TRY(load_outlines(reader, drawing->geometry, &data, report));
    drawing->points = malloc((2 * (size_t)data.x.rows + 1) * sizeof *drawing->points);
    drawing->outlines = malloc(((size_t)data.body.rows + 1) * sizeof *drawing->outlines);
    if (drawing->points == NULL || drawing->outlines == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    return fill_outlines(&data, drawing, report);
}

/* -------------------------------------------------------------------------- times, poses, impacts
 */

static carom_status read_time(carom_reader *reader, carom_drawing *drawing, carom_report *report) {
    carom_dataset time = {0};
    const carom_status status =
        carom_drawing_numbers(reader, drawing->group, "time", -1, 1, &time, report);
    drawing->time = time.values;
    drawing->frame_count = time.rows;
    CAROM_TRY(status);
    if (time.rows < 1) {
        return carom_report_say(report, CAROM_STATUS_BAD_FORMAT, "%.100s/time has no instant",
                                drawing->group);
    }
    for (int i = 0; i < time.rows; i++) {
        if (!isfinite(time.values[i]) || (i > 0 && time.values[i] < time.values[i - 1])) {
            return carom_report_say(report, CAROM_STATUS_NOT_FINITE,
                                    "%.100s/time[%d] = %g: times must be finite and in order",
                                    drawing->group, i, time.values[i]);
        }
    }
    return CAROM_OK;
}

/** Poses that are recorded. */
static carom_status load_poses(carom_reader *reader, carom_drawing *drawing, carom_report *report) {
    static const char *const names[3] = {"body_x", "body_y", "body_angle"};
    const size_t count = (size_t)drawing->frame_count * (size_t)drawing->body_count;
    for (size_t axis = 0; axis < 3; axis++) {
        CAROM_AUTO_VALUE(carom_dataset) column = {0};
        CAROM_TRY(carom_drawing_numbers(reader, drawing->group, names[axis], drawing->frame_count,
                                        drawing->body_count, &column, report));
        for (size_t k = 0; k < count; k++) {
            drawing->poses[3 * k + axis] = column.values[k];
        }
    }
    return CAROM_OK;
}

/** Leave out what is not a number because the run ended before, which its record says. */
static void cut_failure(carom_reader *reader, carom_drawing *drawing) {
    char path[2 * PATH_SIZE];
    double time = (double)NAN;
    snprintf(path, sizeof path, "%s/failure_time", drawing->group);
    if (carom_reader_number(reader, path, &time) != CAROM_OK) {
        return;
    }
    while (drawing->frame_count > 1 && drawing->time[drawing->frame_count - 1] >= time) {
        drawing->frame_count--;
    }
}

static carom_status read_poses(carom_reader *reader, carom_drawing *drawing, carom_report *report) {
    const size_t bodies = (size_t)drawing->body_count;
    const size_t count = 3 * (size_t)drawing->frame_count * bodies;
    drawing->poses = malloc(count * sizeof *drawing->poses);
    if (drawing->poses == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_TRY(has_below(reader, drawing->group, "body_x")
                  ? load_poses(reader, drawing, report)
                  : carom_drawing_follow(reader, drawing, report));
    cut_failure(reader, drawing);
    for (size_t k = 0; k < 3 * (size_t)drawing->frame_count * bodies; k++) {
        if (!isfinite(drawing->poses[k])) {
            return carom_report_say(report, CAROM_STATUS_NOT_FINITE,
                                    "%.100s: the pose of %.60s is not finite at t = %g s",
                                    drawing->group, drawing->names[k / 3 % bodies],
                                    drawing->time[k / 3 / bodies]);
        }
    }
    return CAROM_OK;
}

/** The impacts of a motion, if it has any: those with a time. */
static carom_status read_impacts(carom_reader *reader, carom_drawing *drawing) {
    char group[CAROM_RECORD_GROUP_SIZE + 16];
    snprintf(group, sizeof group, "%s/impacts", drawing->group);
    static const char *const names[4] = {"time", "x", "y", "impulse"};
    carom_dataset columns[4];
    bool is_full = false;
    for (int k = 0; k < 4; k++) {
        const carom_status status = read_below(reader, group, names[k], &columns[k]);
        is_full = is_full || status == CAROM_STATUS_OUT_OF_MEMORY;
        if (status != CAROM_OK || columns[k].rows != columns[0].rows || columns[k].columns != 1) {
            carom_dataset_clear(&columns[k]);
        }
    }
    const int count = columns[0].values != NULL ? columns[0].rows : 0;
    drawing->impacts = malloc(((size_t)count + 1) * sizeof *drawing->impacts);
    for (int k = 0; k < count && drawing->impacts != NULL; k++) {
        const bool has_place = columns[1].values != NULL && columns[2].values != NULL;
        const double strength = columns[3].values != NULL ? fabs(columns[3].values[k]) : 0.0;
        if (isfinite(columns[0].values[k])) {
            drawing->impacts[drawing->impact_count++] =
                (carom_drawing_impact){.time = columns[0].values[k],
                                       .place = {has_place ? columns[1].values[k] : (double)NAN,
                                                 has_place ? columns[2].values[k] : (double)NAN},
                                       .strength = isfinite(strength) ? strength : 0.0};
        }
    }
    for (int k = 0; k < 4; k++) {
        carom_dataset_clear(&columns[k]);
    }
    return drawing->impacts != NULL && !is_full ? CAROM_OK : CAROM_STATUS_OUT_OF_MEMORY;
}

carom_status carom_drawing_read(carom_reader *reader, const char *group, carom_drawing **out,
                                carom_report *report) {
    CAROM_ASSERT(reader != NULL && out != NULL);
    *out = NULL;
    CAROM_AUTO(carom_drawing) drawing = calloc(1, sizeof *drawing);
    if (drawing == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_TRY(find_group(reader, group, drawing, report));
    CAROM_TRY(read_names(reader, drawing, report));
    if (has_below(reader, drawing->group, "body_z")) {
        CAROM_TRY(read_time(reader, drawing, report));
        CAROM_TRY(read_impacts(reader, drawing));
        CAROM_TRY(carom_drawing_read_space(reader, drawing, report));
        CAROM_HAND_OVER(drawing, out);
        return CAROM_OK;
    }
    CAROM_TRY(read_outlines(reader, drawing, report));
    if (has_below(reader, drawing->geometry, "first_of_spring")) {
        CAROM_TRY(carom_drawing_read_springs(reader, drawing, report));
    }
    CAROM_TRY(read_time(reader, drawing, report));
    CAROM_TRY(read_poses(reader, drawing, report));
    CAROM_TRY(read_impacts(reader, drawing));
    CAROM_HAND_OVER(drawing, out);
    return CAROM_OK;
}
