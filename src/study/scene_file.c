#include <carom/study/scene_internal.h>

#include <carom/record/text.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- joints and springs ------------------------------------------------------------------------
 */

/** The body of a name. */
static carom_status find_body(const carom_scene_reader *r, const char *name, int *body) {
    *body = CAROM_BODIES_GROUND;
    if (strcmp(name, "ground") == 0) {
        return CAROM_OK;
    }
    for (int k = 0; k < r->file->spec.body_count; k++) {
        if (strcmp(r->file->names[k], name) == 0) {
            *body = k;
            return CAROM_OK;
        }
    }
    return carom_scene_fail(r, "%s: body \"%.40s\" has not been stated above",
                            carom_scene_word_text(r->statement.word), name);
}

static carom_status find_bodies(const carom_scene_reader *r, int *first, int *second) {
    CAROM_TRY(find_body(r, r->statement.names[0], first));
    CAROM_TRY(find_body(r, r->statement.names[1], second));
    return *first != *second
               ? CAROM_OK
               : carom_scene_fail(r, "%s: \"%s\" and itself, two bodies expected",
                                  carom_scene_word_text(r->statement.word), r->statement.names[0]);
}

/** A place of the world in the frame of a body. */
static void into_body(const carom_scene_file *file, int body, const double place[2],
                      double point[2]) {
    point[0] = place[0];
    point[1] = place[1];
    if (body >= 0) {
        const double *at = file->position + 3 * (size_t)body;
        const double way[2] = {place[0] - at[0], place[1] - at[1]};
        point[0] = cos(at[2]) * way[0] + sin(at[2]) * way[1] + file->bodies[body].center[0];
        point[1] = cos(at[2]) * way[1] - sin(at[2]) * way[0] + file->bodies[body].center[1];
    }
}

static double angle_of(const carom_scene_file *file, int body) {
    return body < 0 ? 0.0 : file->position[3 * (size_t)body + 2];
}

/** What a drive drives, from what is there at the start. */
static carom_status set_motion(const carom_scene_reader *r, carom_bodies_joint *joint) {
    const carom_scene_statement *s = &r->statement;
    const char *what = s->names[2];
    joint->coordinate = strcmp(what, "x") == 0      ? 0
                        : strcmp(what, "y") == 0    ? 1
                        : strcmp(what, "turn") == 0 ? 2
                                                    : -1;
    if (joint->coordinate < 0) {
        return carom_scene_fail(r, "drive: \"%.40s\" follows the bodies, x, y or turn expected",
                                what);
    }
    joint->motion = (carom_bodies_motion){
        .speed = s->values[CAROM_CLAUSE_SPEED][0],
        .amplitude = s->values[CAROM_CLAUSE_AMPLITUDE][0],
        .frequency = s->values[CAROM_CLAUSE_FREQUENCY][0],
        .phase = s->values[CAROM_CLAUSE_PHASE][0],
    };
    joint->motion.offset = (joint->coordinate == 2 ? joint->angle : 0.0) -
                           joint->motion.amplitude * sin(joint->motion.phase);
    return CAROM_OK;
}

/** A body that is driven along x or y from the ground starts with that speed. */
static void start_with_drive(carom_scene_file *file, const carom_bodies_joint *joint) {
    if (joint->first < 0 && joint->coordinate < 2) {
        const carom_bodies_motion *m = &joint->motion;
        file->velocity[3 * (size_t)joint->second + (size_t)joint->coordinate] =
            m->speed + m->amplitude * m->frequency * cos(m->phase);
    }
}

/** Stops about where the joint is at the start, and its friction. */
static carom_status set_limits(const carom_scene_reader *r, carom_bodies_joint *joint) {
    const carom_scene_statement *s = &r->statement;
    const char *word = carom_scene_word_text(s->word);
    joint->has_stops = s->has[CAROM_CLAUSE_STOPS];
    memcpy(joint->stops, s->values[CAROM_CLAUSE_STOPS], sizeof joint->stops);
    joint->restitution = s->values[CAROM_CLAUSE_RESTITUTION][0];
    joint->friction = s->values[CAROM_CLAUSE_FRICTION][0];
    if (joint->has_stops &&
        !(joint->stops[0] <= 0.0 && joint->stops[1] >= 0.0 && joint->stops[0] < joint->stops[1])) {
        return carom_scene_fail(r,
                                "%s: stops are %g and %g, one at or below 0 and one at or above "
                                "it expected",
                                word, joint->stops[0], joint->stops[1]);
    }
    if (s->has[CAROM_CLAUSE_RESTITUTION] && !joint->has_stops) {
        return carom_scene_fail(r, "%s: restitution is that of stops, which it has not", word);
    }
    if (!(joint->restitution >= 0.0 && joint->restitution <= 1.0)) {
        return carom_scene_fail(r, "%s: restitution is %g, accepted in [0,1]", word,
                                joint->restitution);
    }
    return joint->friction >= 0.0
               ? CAROM_OK
               : carom_scene_fail(r, "%s: friction is %g, accepted >= 0", word, joint->friction);
}

carom_status carom_scene_add_joint(carom_scene_reader *r) {
    carom_scene_file *file = r->file;
    const carom_scene_statement *s = &r->statement;
    void *grown = carom_scene_grow(r, file->joints, file->spec.joint_count, 1, &r->joint_room,
                                   sizeof *file->joints);
    if (grown == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    file->joints = grown;
    carom_bodies_joint joint = {.collides = s->has[CAROM_CLAUSE_TOUCHING]};
    CAROM_TRY(find_bodies(r, &joint.first, &joint.second));
    joint.kind = s->word == CAROM_SCENE_REVOLUTE    ? CAROM_BODIES_REVOLUTE
                 : s->word == CAROM_SCENE_PRISMATIC ? CAROM_BODIES_PRISMATIC
                 : s->word == CAROM_SCENE_FIXED     ? CAROM_BODIES_FIXED
                                                    : CAROM_BODIES_DRIVEN;
    joint.angle = angle_of(file, joint.second) - angle_of(file, joint.first);
    joint.axis_angle = s->values[CAROM_CLAUSE_AXIS][0] - angle_of(file, joint.first);
    const int moved = joint.second >= 0 ? joint.second : joint.first;
    const double *place =
        s->has[CAROM_CLAUSE_AT] ? s->values[CAROM_CLAUSE_AT] : file->position + 3 * (size_t)moved;
    into_body(file, joint.first, place, joint.first_point);
    into_body(file, joint.second, place, joint.second_point);
    CAROM_TRY(set_limits(r, &joint));
    if (s->word == CAROM_SCENE_DRIVE) {
        CAROM_TRY(set_motion(r, &joint));
        start_with_drive(file, &joint);
    }
    file->joints[file->spec.joint_count++] = joint;
    return CAROM_OK;
}

/** What all springs have, behind those there are. */
static carom_status add_spring(const carom_scene_reader *r, const carom_bodies_spring *spring) {
    carom_scene_file *file = r->file;
    const char *word = carom_scene_word_text(r->statement.word);
    if (!(spring->stiffness >= 0.0 && spring->damping >= 0.0)) {
        return carom_scene_fail(r, "%s: stiffness %g, damping %g, accepted >= 0", word,
                                spring->stiffness, spring->damping);
    }
    file->springs[file->spec.spring_count++] = *spring;
    return CAROM_OK;
}

static carom_status grow_springs(carom_scene_reader *r) {
    carom_scene_file *file = r->file;
    void *grown = carom_scene_grow(r, file->springs, file->spec.spring_count, 1, &r->spring_room,
                                   sizeof *file->springs);
    file->springs = grown != NULL ? grown : file->springs;
    return grown != NULL ? CAROM_OK : CAROM_STATUS_OUT_OF_MEMORY;
}

carom_status carom_scene_add_torsion(carom_scene_reader *r) {
    const carom_scene_statement *s = &r->statement;
    carom_bodies_spring spring = {.stiffness = s->values[CAROM_CLAUSE_STIFFNESS][0],
                                  .damping = s->values[CAROM_CLAUSE_DAMPING][0],
                                  .length = s->values[CAROM_CLAUSE_ANGLE][0],
                                  .is_torsion = true};
    CAROM_TRY(grow_springs(r));
    CAROM_TRY(find_bodies(r, &spring.first, &spring.second));
    if (!s->has[CAROM_CLAUSE_ANGLE]) {
        spring.length = angle_of(r->file, spring.second) - angle_of(r->file, spring.first);
    }
    return add_spring(r, &spring);
}

carom_status carom_scene_add_spring(carom_scene_reader *r) {
    carom_scene_file *file = r->file;
    const carom_scene_statement *s = &r->statement;
    CAROM_TRY(grow_springs(r));
    carom_bodies_spring spring = {.stiffness = s->values[CAROM_CLAUSE_STIFFNESS][0],
                                  .damping = s->values[CAROM_CLAUSE_DAMPING][0]};
    const double *from = s->values[CAROM_CLAUSE_FROM];
    const double *to = s->values[CAROM_CLAUSE_TO];
    const double distance = hypot(to[0] - from[0], to[1] - from[1]);
    CAROM_TRY(find_bodies(r, &spring.first, &spring.second));
    into_body(file, spring.first, from, spring.first_point);
    into_body(file, spring.second, to, spring.second_point);
    spring.length = s->has[CAROM_CLAUSE_LENGTH] ? s->values[CAROM_CLAUSE_LENGTH][0] : distance;
    if (!(spring.length >= 0.0)) {
        return carom_scene_fail(r, "spring: length is %g, accepted >= 0", spring.length);
    }
    return distance > 0.0 ? add_spring(r, &spring)
                          : carom_scene_fail(r, "spring: its ends are in one place");
}

/* --- the other statements ----------------------------------------------------------------------
 */

static carom_status add_material(carom_scene_reader *r) {
    const carom_scene_statement *s = &r->statement;
    for (int i = 0; i < r->material_count; i++) {
        if (strcmp(r->materials[i].name, s->names[0]) == 0) {
            return carom_scene_fail(r, "material: there is \"%s\" already", s->names[0]);
        }
    }
    if (r->material_count == CAROM_SCENE_MOST_MATERIALS) {
        return carom_scene_fail(r, "material: \"%s\" is one too many, %d are possible", s->names[0],
                                CAROM_SCENE_MOST_MATERIALS);
    }
    carom_scene_material *material = &r->materials[r->material_count++];
    memcpy(material->name, s->names[0], strlen(s->names[0]) + 1);
    material->friction = s->values[CAROM_CLAUSE_FRICTION][0];
    material->restitution = s->values[CAROM_CLAUSE_RESTITUTION][0];
    if (!(material->friction >= 0.0)) {
        return carom_scene_fail(r, "material: friction is %g, accepted >= 0", material->friction);
    }
    return material->restitution >= 0.0 && material->restitution <= 1.0
               ? CAROM_OK
               : carom_scene_fail(r, "material: restitution is %g, accepted in [0,1]",
                                  material->restitution);
}

static carom_status set_run(carom_scene_reader *r) {
    const carom_scene_statement *s = &r->statement;
    double *const targets[] = {&r->file->duration, &r->file->step};
    const carom_scene_clause clauses[] = {CAROM_CLAUSE_DURATION, CAROM_CLAUSE_STEP};
    for (int i = 0; i < 2; i++) {
        if (s->has[clauses[i]]) {
            const char *word = i == 0 ? "duration" : "step";
            if (!isnan(*targets[i])) {
                return carom_scene_fail(r, "run: %s has been stated above", word);
            }
            *targets[i] = s->values[clauses[i]][0];
            if (!(*targets[i] > 0.0)) {
                return carom_scene_fail(r, "run: %s is %g, accepted > 0", word, *targets[i]);
            }
        }
    }
    return CAROM_OK;
}

static carom_status set_gravity(carom_scene_reader *r) {
    if (r->has_gravity) {
        return carom_scene_fail(r, "gravity: it has been stated above");
    }
    r->has_gravity = true;
    double *const gravity = r->file->is_space ? r->file->space.gravity : r->file->spec.gravity;
    memcpy(gravity, r->statement.numbers, (size_t)r->statement.count * sizeof *gravity);
    return CAROM_OK;
}

static carom_status set_space(carom_scene_reader *r) {
    if (r->file->is_space || r->has_begun) {
        return carom_scene_fail(r, r->file->is_space ? "space: it has been stated above"
                                                     : "space: stands above all but parameters");
    }
    r->file->is_space = true;
    return CAROM_OK;
}

static carom_status take_statement(carom_scene_reader *r) {
    if (r->statement.word == CAROM_SCENE_PARAMETER) {
        return carom_scene_state_parameter(r);
    }
    if (r->statement.word == CAROM_SCENE_SPACE) {
        return set_space(r);
    }
    r->has_begun = true;
    switch (r->statement.word) {
    case CAROM_SCENE_GRAVITY:
        return set_gravity(r);
    case CAROM_SCENE_RUN:
        return set_run(r);
    case CAROM_SCENE_MATERIAL:
        return add_material(r);
    case CAROM_SCENE_GROUND:
    case CAROM_SCENE_BODY:
        CAROM_TRY(carom_scene_end_body(r));
        return carom_scene_begin_body(r);
    case CAROM_SCENE_DISC:
    case CAROM_SCENE_BOX:
    case CAROM_SCENE_CAPSULE:
    case CAROM_SCENE_SEGMENT:
    case CAROM_SCENE_POLYGON:
    case CAROM_SCENE_HALF_PLANE:
    case CAROM_SCENE_SPHERE:
    case CAROM_SCENE_HALF_SPACE:
        return carom_scene_add_shape(r);
    case CAROM_SCENE_SPRING:
        CAROM_TRY(carom_scene_end_body(r));
        return carom_scene_add_spring(r);
    case CAROM_SCENE_TORSION:
        CAROM_TRY(carom_scene_end_body(r));
        return carom_scene_add_torsion(r);
    case CAROM_SCENE_REVOLUTE:
    case CAROM_SCENE_FIXED:
    case CAROM_SCENE_PRISMATIC:
    case CAROM_SCENE_DRIVE:
    case CAROM_SCENE_PARAMETER:
    case CAROM_SCENE_SPACE:
    case CAROM_SCENE_WORD_COUNT:
        break;
    }
    CAROM_TRY(carom_scene_end_body(r));
    return carom_scene_add_joint(r);
}

/* --- the file ----------------------------------------------------------------------------------
 */

static carom_status take_lines(carom_scene_reader *r, char *text) {
    for (char *line = text; line != NULL;) {
        char *end = strchr(line, '\n');
        if (end != NULL) {
            *end = '\0';
        }
        r->line++;
        bool is_empty = false;
        CAROM_TRY(carom_scene_take_line(r, line, &is_empty));
        if (!is_empty) {
            CAROM_TRY(take_statement(r));
        }
        line = end != NULL ? end + 1 : NULL;
    }
    return carom_scene_end_body(r);
}

/** What is missing once all is read. */
static carom_status check_whole(carom_scene_reader *r) {
    r->line = 0;
    for (int i = 0; i < r->parameter_count; i++) {
        if (!r->parameters[i].is_stated) {
            return carom_scene_fail(r, "there is no parameter \"%s\"", r->parameters[i].name);
        }
    }
    return r->file->spec.body_count > 0 ? CAROM_OK : carom_scene_fail(r, "there is no body");
}

static void bind_spec(carom_scene_file *file) {
    file->spec.name = "scene";
    file->spec.bodies = file->bodies;
    file->spec.shapes = file->shapes;
    file->spec.joints = file->joints;
    file->spec.springs = file->springs;
    file->space.name = "scene";
    file->space.body_count = file->spec.body_count;
    file->space.bodies = file->masses;
    file->space.solids = file->solids;
}

carom_status carom_scene_file_alloc_bodies(const carom_scene_file *file, carom_bodies **out,
                                           carom_report *report) {
    return file->is_space ? carom_bodies_alloc_in_space(&file->space, out, report)
                          : carom_bodies_alloc(&file->spec, out, report);
}

/** Numbers that overflowed on the way: nothing else is left that the bodies refuse. */
static carom_status check_bodies(carom_scene_reader *r) {
    CAROM_AUTO(carom_bodies) bodies = NULL;
    carom_report report = carom_report_empty();
    const carom_status status = carom_scene_file_alloc_bodies(r->file, &bodies, &report);
    if (status == CAROM_OK || status == CAROM_STATUS_OUT_OF_MEMORY) {
        return status;
    }
    return carom_scene_fail(r, "%s: %s is %g", carom_status_sentence(status),
                            report.quantity != NULL ? report.quantity : "a number", report.value);
}

static carom_status read_text(carom_scene_reader *r, const char *text, size_t length,
                              const char *parameters) {
    CAROM_AUTO_MEMORY char *copy = malloc(length + 1);
    /* the most points for the fewest letters has `box 1 1`, four of them */
    r->file->points = malloc((length + 16) * sizeof *r->file->points);
    if (copy == NULL || r->file->points == NULL) {
        (void)carom_scene_fail(r, "there is no memory for it");
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    memcpy(copy, text, length);
    copy[length] = '\0';
    CAROM_TRY(carom_scene_take_parameters(r, parameters));
    CAROM_TRY(take_lines(r, copy));
    CAROM_TRY(check_whole(r));
    bind_spec(r->file);
    return check_bodies(r);
}

carom_status carom_scene_file_parse(const char *text, size_t length, const char *parameters,
                                    carom_scene_file **out, char *defect) {
    CAROM_ASSERT((text != NULL || length == 0) && out != NULL);
    *out = NULL;
    if (defect != NULL) {
        defect[0] = '\0';
    }
    CAROM_AUTO(carom_scene_file) file = calloc(1, sizeof *file);
    CAROM_AUTO_MEMORY carom_scene_reader *r = calloc(1, sizeof *r);
    if (file == NULL || r == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    r->defect = defect;
    r->file = file;
    file->spec = carom_bodies_spec_default();
    file->space = carom_bodies_space_spec_default();
    file->duration = (double)NAN;
    file->step = (double)NAN;
    if (length > CAROM_SCENE_FILE_MOST_BYTES) {
        return carom_scene_fail(r, "is too large: more than %d bytes",
                                (int)CAROM_SCENE_FILE_MOST_BYTES);
    }
    if (length > 0 && memchr(text, '\0', length) != NULL) {
        return carom_scene_fail(r, "is not a text file");
    }
    CAROM_TRY(read_text(r, text, length, parameters));
    CAROM_HAND_OVER(file, out);
    return CAROM_OK;
}

carom_status carom_scene_file_read(const char *path, const char *parameters, carom_scene_file **out,
                                   char *defect) {
    CAROM_ASSERT(path != NULL && out != NULL);
    *out = NULL;
    CAROM_AUTO_VALUE(carom_text_buffer) text = {0};
    const carom_status status = carom_text_buffer_load(&text, path, CAROM_SCENE_FILE_MOST_BYTES);
    if (status == CAROM_OK) {
        return carom_scene_file_parse(text.text, text.length, parameters, out, defect);
    }
    const carom_scene_reader reader = {.defect = defect};
    if (status == CAROM_STATUS_IO) {
        (void)carom_scene_fail(&reader, "cannot be read: %s", strerror(errno));
        return status;
    }
    (void)carom_scene_fail(&reader, "%s",
                           status == CAROM_STATUS_OUT_OF_RANGE ? "is too large"
                                                               : "there is no memory for it");
    return status == CAROM_STATUS_OUT_OF_RANGE ? CAROM_STATUS_BAD_FORMAT : status;
}

void carom_scene_file_free(carom_scene_file *file) {
    if (file == NULL) {
        return;
    }
    free(file->names);
    free(file->position);
    free(file->velocity);
    free(file->bodies);
    free(file->shapes);
    free(file->points);
    free(file->joints);
    free(file->springs);
    free(file->masses);
    free(file->solids);
    free(file);
}
