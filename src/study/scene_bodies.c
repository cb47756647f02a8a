#include <carom/study/scene_internal.h>

#include <carom/mechanism/bodies/internal.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *carom_scene_grow(const carom_scene_reader *r, void *items, int count, int more, int *room,
                       size_t size) {
    if (items != NULL && count + more <= *room) {
        return items;
    }
    const size_t wanted = 2 * (size_t)*room + (size_t)more + 8;
    void *grown = realloc(items, wanted * size);
    if (grown == NULL) {
        (void)carom_scene_fail(r, "there is no memory for it");
        return NULL;
    }
    *room = (int)wanted;
    return grown;
}

/* --- shapes ------------------------------------------------------------------------------------
 */

/** A corner, turned and moved to where the statement says. */
static void add_point(carom_scene_reader *r, double x, double y) {
    const carom_scene_statement *s = &r->statement;
    const double angle = s->values[CAROM_CLAUSE_ANGLE][0];
    const double *at = s->values[CAROM_CLAUSE_AT];
    double *p = r->file->points + r->point_count;
    p[0] = at[0] + (s->has[CAROM_CLAUSE_ANGLE] ? cos(angle) * x - sin(angle) * y : x);
    p[1] = at[1] + (s->has[CAROM_CLAUSE_ANGLE] ? sin(angle) * x + cos(angle) * y : y);
    r->point_count += 2;
}

/** The points of a shape, from its statement. */
static void add_points(carom_scene_reader *r, carom_bodies_shape *shape) {
    const carom_scene_statement *s = &r->statement;
    shape->points = r->file->points + r->point_count;
    switch (s->word) {
    case CAROM_SCENE_BOX: {
        const double w = 0.5 * s->numbers[0];
        const double h = 0.5 * s->numbers[1];
        add_point(r, -w, -h);
        add_point(r, w, -h);
        add_point(r, w, h);
        add_point(r, -w, h);
        break;
    }
    case CAROM_SCENE_CAPSULE:
    case CAROM_SCENE_SEGMENT:
        add_point(r, s->values[CAROM_CLAUSE_FROM][0], s->values[CAROM_CLAUSE_FROM][1]);
        add_point(r, s->values[CAROM_CLAUSE_TO][0], s->values[CAROM_CLAUSE_TO][1]);
        break;
    case CAROM_SCENE_POLYGON:
        for (int i = 0; i < s->count; i += 2) {
            add_point(r, s->numbers[i], s->numbers[i + 1]);
        }
        break;
    case CAROM_SCENE_HALF_PLANE:
        add_point(r, 0.0, 0.0);
        r->file->points[r->point_count++] = s->values[CAROM_CLAUSE_NORMAL][0];
        r->file->points[r->point_count++] = s->values[CAROM_CLAUSE_NORMAL][1];
        shape->is_half_plane = true;
        break;
    default:
        add_point(r, 0.0, 0.0);
        break;
    }
    shape->point_count = (int)(r->file->points + r->point_count - shape->points) / 2;
    shape->radius =
        s->word == CAROM_SCENE_DISC || s->word == CAROM_SCENE_CAPSULE ? s->numbers[0] : 0.0;
}

carom_status carom_scene_find_material(const carom_scene_reader *r, double *friction,
                                       double *restitution) {
    const char *name = r->statement.material;
    if (name == NULL) {
        return CAROM_OK;
    }
    for (int i = 0; i < r->material_count; i++) {
        if (strcmp(r->materials[i].name, name) == 0) {
            *friction = r->materials[i].friction;
            *restitution = r->materials[i].restitution;
            return CAROM_OK;
        }
    }
    return carom_scene_fail(r, "%s: material \"%.40s\" has not been stated above",
                            carom_scene_word_text(r->statement.word), name);
}

carom_status carom_scene_fail_shape(const carom_scene_reader *r, const carom_report *report) {
    const char *word = carom_scene_word_text(r->statement.word);
    if (report->quantity != NULL && strcmp(report->quantity, "corner of a polygon") == 0) {
        return carom_scene_fail(r,
                                "%s: corner %d does not turn to the left; corners are convex and "
                                "counter-clockwise",
                                word, (int)report->value + 1);
    }
    return carom_scene_fail(r, "%s: %s is %g%s%s", word,
                            report->quantity != NULL ? report->quantity : "a number", report->value,
                            report->accepted != NULL ? ", accepted " : "",
                            report->accepted != NULL ? report->accepted : "");
}

static carom_status check_box(const carom_scene_reader *r) {
    const carom_scene_statement *s = &r->statement;
    for (int i = 0; i < 2 && s->word == CAROM_SCENE_BOX; i++) {
        if (!(s->numbers[i] > 0.0)) {
            return carom_scene_fail(r, "box: %s is %g, accepted > 0", i == 0 ? "width" : "height",
                                    s->numbers[i]);
        }
    }
    return s->word != CAROM_SCENE_CAPSULE || s->numbers[0] > 0.0
               ? CAROM_OK
               : carom_scene_fail(r, "capsule: radius is %g, accepted > 0", s->numbers[0]);
}

carom_status carom_scene_add_shape(carom_scene_reader *r) {
    carom_scene_file *file = r->file;
    const char *word = carom_scene_word_text(r->statement.word);
    if (!r->has_owner) {
        return carom_scene_fail(r, "%s: stands before any body and the ground", word);
    }
    const bool is_half =
        r->statement.word == CAROM_SCENE_HALF_PLANE || r->statement.word == CAROM_SCENE_HALF_SPACE;
    if (is_half && r->owner >= 0) {
        return carom_scene_fail(r, "%s: stands on the ground, not on a body", word);
    }
    if (file->is_space) {
        return carom_scene_add_solid(r);
    }
    CAROM_TRY(check_box(r));
    void *grown = carom_scene_grow(r, file->shapes, file->spec.shape_count, 1, &r->shape_room,
                                   sizeof *file->shapes);
    if (grown == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    file->shapes = grown;
    carom_bodies_shape *shape = &file->shapes[file->spec.shape_count];
    *shape = (carom_bodies_shape){.body = r->owner,
                                  .surface_speed = r->statement.values[CAROM_CLAUSE_BELT][0]};
    add_points(r, shape);
    CAROM_TRY(carom_scene_find_material(r, &shape->friction, &shape->restitution));
    carom_report report = carom_report_empty();
    if (carom_bodies_check_shape(shape, r->owner + 1, 0, &report) != CAROM_OK) {
        return carom_scene_fail_shape(r, &report);
    }
    file->spec.shape_count++;
    return CAROM_OK;
}

/* --- bodies ------------------------------------------------------------------------------------
 */

static carom_status check_body_name(const carom_scene_reader *r, const char *name) {
    const size_t length = strlen(name);
    bool is_taken = strcmp(name, "ground") == 0;
    for (int k = 0; k < r->file->spec.body_count && !is_taken; k++) {
        const char *other = r->file->names[k];
        is_taken = strcmp(other, name) == 0 ||
                   (r->copies > 1 && strncmp(other, name, length) == 0 && other[length] == '_');
    }
    return is_taken ? carom_scene_fail(r, "body: there is \"%s\" already", name) : CAROM_OK;
}

/** How many copies, of a body that is repeated. */
static carom_status count_copies(carom_scene_reader *r) {
    const carom_scene_statement *s = &r->statement;
    const double *repeat = s->values[CAROM_CLAUSE_REPEAT];
    r->copies = 1;
    if (!s->has[CAROM_CLAUSE_REPEAT]) {
        return CAROM_OK;
    }
    static const char *const names[] = {"columns", "rows", "layers"};
    double copies = 1.0;
    for (int i = 0; i < (r->file->is_space ? 3 : 2); i++) {
        if (!(repeat[i] >= 1.0 && repeat[i] <= CAROM_SCENE_FILE_MOST_BODIES) ||
            fabs(repeat[i] - floor(repeat[i])) > 0.0) {
            return carom_scene_fail(r, "body: repeat has %g %s, whole numbers in [1,%d] expected",
                                    repeat[i], names[i], CAROM_SCENE_FILE_MOST_BODIES);
        }
        copies *= repeat[i];
    }
    if (copies + r->file->spec.body_count > CAROM_SCENE_FILE_MOST_BODIES) {
        return carom_scene_fail(r, "body: %g bodies, at most %d are possible",
                                copies + r->file->spec.body_count, CAROM_SCENE_FILE_MOST_BODIES);
    }
    r->copies = (int)copies;
    return CAROM_OK;
}

static carom_status make_body_room(carom_scene_reader *r) {
    carom_scene_file *file = r->file;
    const int count = file->spec.body_count;
    const bool is_space = file->is_space;
    const size_t places = is_space ? CAROM_SOLID_POSITIONS : CAROM_BODIES_OF_BODY;
    const size_t speeds = is_space ? CAROM_SOLID_VELOCITIES : CAROM_BODIES_OF_BODY;
    int rooms[] = {r->body_room, r->body_room, r->body_room, r->body_room};
    void *const arrays[] = {
        is_space
            ? carom_scene_grow(r, file->masses, count, r->copies, &rooms[0], sizeof *file->masses)
            : carom_scene_grow(r, file->bodies, count, r->copies, &rooms[0], sizeof *file->bodies),
        carom_scene_grow(r, file->names, count, r->copies, &rooms[1], sizeof *file->names),
        carom_scene_grow(r, file->position, count, r->copies, &rooms[2], places * sizeof(double)),
        carom_scene_grow(r, file->velocity, count, r->copies, &rooms[3], speeds * sizeof(double))};
    if (is_space) {
        file->masses = arrays[0] != NULL ? arrays[0] : file->masses;
    } else {
        file->bodies = arrays[0] != NULL ? arrays[0] : file->bodies;
    }
    file->names = arrays[1] != NULL ? arrays[1] : file->names;
    file->position = arrays[2] != NULL ? arrays[2] : file->position;
    file->velocity = arrays[3] != NULL ? arrays[3] : file->velocity;
    for (int k = 0; k < 4; k++) {
        if (arrays[k] == NULL) {
            return CAROM_STATUS_OUT_OF_MEMORY;
        }
    }
    r->body_room = rooms[0];
    return CAROM_OK;
}

static carom_status name_copies(carom_scene_reader *r, const char *name) {
    for (int k = 0; k < r->copies; k++) {
        char *own = r->file->names[r->owner + k];
        const int length = r->copies == 1
                               ? snprintf(own, CAROM_SCENE_FILE_NAME_SIZE, "%s", name)
                               : snprintf(own, CAROM_SCENE_FILE_NAME_SIZE, "%s_%d", name, k + 1);
        if (length >= CAROM_SCENE_FILE_NAME_SIZE) {
            return carom_scene_fail(r, "body: \"%s_%d\" is longer than %d letters", name, k + 1,
                                    CAROM_SCENE_FILE_NAME_SIZE - 1);
        }
    }
    return CAROM_OK;
}

carom_status carom_scene_begin_body(carom_scene_reader *r) {
    const carom_scene_statement *s = &r->statement;
    r->has_owner = true;
    r->owner_line = r->line;
    r->first_shape = r->file->is_space ? r->file->space.solid_count : r->file->spec.shape_count;
    r->owner = CAROM_BODIES_GROUND;
    if (s->word == CAROM_SCENE_GROUND) {
        return CAROM_OK;
    }
    CAROM_TRY(count_copies(r));
    CAROM_TRY(check_body_name(r, s->names[0]));
    r->mass = s->values[CAROM_CLAUSE_MASS][0];
    for (int i = 0; i < 3; i++) {
        r->inertia[i] =
            s->has[CAROM_CLAUSE_INERTIA] ? s->values[CAROM_CLAUSE_INERTIA][i] : (double)NAN;
    }
    if (!(r->mass > 0.0) || (r->inertia[0] <= 0.0 && !r->file->is_space)) {
        return carom_scene_fail(r, "body %s: %s is %g, accepted > 0", s->names[0],
                                r->mass > 0.0 ? "inertia" : "mass",
                                r->mass > 0.0 ? r->inertia[0] : r->mass);
    }
    CAROM_TRY(make_body_room(r));
    r->owner = r->file->spec.body_count;
    CAROM_TRY(name_copies(r, s->names[0]));
    r->file->spec.body_count += r->copies;
    memcpy(r->repeat, s->values[CAROM_CLAUSE_REPEAT], sizeof r->repeat);
    r->stagger = s->values[CAROM_CLAUSE_STAGGER][0];
    if (r->file->is_space) {
        return carom_scene_begin_in_space(r);
    }
    r->pose[2] = s->values[CAROM_CLAUSE_ANGLE][0];
    r->velocity[2] = s->values[CAROM_CLAUSE_RATE][0];
    for (int k = 0; k < 2; k++) {
        r->pose[k] = s->values[CAROM_CLAUSE_AT][k];
        r->velocity[k] = s->values[CAROM_CLAUSE_VELOCITY][k];
    }
    return CAROM_OK;
}

/** Where a copy is, and the shapes that it has like the first. */
static void place_copy(carom_scene_reader *r, const carom_planar_shape *shape, int copy) {
    carom_scene_file *file = r->file;
    const int columns = r->copies > 1 ? (int)r->repeat[0] : 1;
    const int row = copy / columns;
    const double shift[2] = {(copy % columns) * r->repeat[2] + (row % 2) * r->stagger,
                             row * r->repeat[3]};
    const size_t at = 3 * ((size_t)r->owner + (size_t)copy);
    const double turn[2] = {cos(r->pose[2]), sin(r->pose[2])};
    const double *c = shape->center;
    file->bodies[r->owner + copy] = *shape;
    const double arm[2] = {turn[0] * c[0] - turn[1] * c[1], turn[1] * c[0] + turn[0] * c[1]};
    file->position[at] = r->pose[0] + shift[0] + arm[0];
    file->position[at + 1] = r->pose[1] + shift[1] + arm[1];
    file->position[at + 2] = r->pose[2];
    file->velocity[at] = r->velocity[0] - r->velocity[2] * arm[1];
    file->velocity[at + 1] = r->velocity[1] + r->velocity[2] * arm[0];
    file->velocity[at + 2] = r->velocity[2];
}

carom_status carom_scene_end_body(carom_scene_reader *r) {
    carom_scene_file *file = r->file;
    if (!r->has_owner || r->owner < 0) {
        return CAROM_OK;
    }
    r->has_owner = false;
    if (file->is_space) {
        return carom_scene_end_in_space(r);
    }
    const int shapes = file->spec.shape_count - r->first_shape;
    carom_planar_shape body = {.mass = r->mass};
    if (shapes > 0) {
        body = carom_bodies_uniform(shapes, file->shapes + r->first_shape, r->mass);
    }
    body.inertia = isnan(r->inertia[0]) ? body.inertia : r->inertia[0];
    if (!(body.inertia > 0.0) || !isfinite(body.inertia)) {
        r->line = r->owner_line;
        return carom_scene_fail(r, "body %s: inertia expected, its shapes have none",
                                file->names[r->owner]);
    }
    const int more = shapes * (r->copies - 1);
    void *grown = carom_scene_grow(r, file->shapes, file->spec.shape_count, more, &r->shape_room,
                                   sizeof *file->shapes);
    if (grown == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    file->shapes = grown;
    for (int copy = 0; copy < r->copies; copy++) {
        place_copy(r, &body, copy);
        for (int k = 0; k < shapes && copy > 0; k++) {
            carom_bodies_shape *shape = &file->shapes[file->spec.shape_count++];
            *shape = file->shapes[r->first_shape + k];
            shape->body = r->owner + copy;
        }
    }
    return CAROM_OK;
}

/* --- contacts ----------------------------------------------------------------------------------
 */

/** Whether a joint keeps the shapes of two bodies apart. */
static bool is_joined(const carom_scene_file *scene, int first, int second) {
    for (int k = 0; k < scene->spec.joint_count; k++) {
        const carom_bodies_joint *joint = &scene->joints[k];
        if (!joint->collides && ((joint->first == first && joint->second == second) ||
                                 (joint->first == second && joint->second == first))) {
            return true;
        }
    }
    return false;
}

bool carom_scene_may_touch(const carom_scene_file *scene) {
    for (int k = 0; k < scene->spec.joint_count; k++) {
        const carom_bodies_joint *joint = &scene->joints[k];
        if (joint->friction > 0.0 || joint->has_stops) {
            return true;
        }
    }
    const int shapes = scene->is_space ? scene->space.solid_count : scene->spec.shape_count;
    for (int i = 0; i < shapes; i++) {
        for (int j = i + 1; j < shapes; j++) {
            const int first = scene->is_space ? scene->solids[i].body : scene->shapes[i].body;
            const int second = scene->is_space ? scene->solids[j].body : scene->shapes[j].body;
            if (first != second && !is_joined(scene, first, second)) {
                return true;
            }
        }
    }
    return false;
}
