#include <carom/study/scene_internal.h>

#include <carom/mechanism/bodies/internal.h>
#include <carom/mechanism/bodies/space.h>
#include <carom/mechanism/rotation.h>

#include <math.h>
#include <string.h>

/** The turn of a statement, by its axis and angle, which stand together. */
static carom_status take_turn(const carom_scene_reader *r, double turn[4]) {
    static const double none[4] = {1.0, 0.0, 0.0, 0.0};
    const carom_scene_statement *s = &r->statement;
    const char *word = carom_scene_word_text(s->word);
    memcpy(turn, none, sizeof none);
    if (s->has[CAROM_CLAUSE_AXIS] != s->has[CAROM_CLAUSE_ANGLE]) {
        return carom_scene_fail(r, "%s: %s expected beside %s", word,
                                s->has[CAROM_CLAUSE_AXIS] ? "angle" : "axis",
                                s->has[CAROM_CLAUSE_AXIS] ? "axis" : "angle");
    }
    if (!s->has[CAROM_CLAUSE_AXIS]) {
        return CAROM_OK;
    }
    double way[3];
    const double *axis = s->values[CAROM_CLAUSE_AXIS];
    const double length = carom_space_length(axis);
    if (!(length > 0.0 && isfinite(length))) {
        return carom_scene_fail(r, "%s: axis has the length %g, accepted > 0", word, length);
    }
    for (int k = 0; k < 3; k++) {
        way[k] = axis[k] / length * s->values[CAROM_CLAUSE_ANGLE][0];
    }
    carom_rotation_advance(none, way, turn);
    return CAROM_OK;
}

carom_status carom_scene_begin_in_space(carom_scene_reader *r) {
    const carom_scene_statement *s = &r->statement;
    memcpy(r->pose, s->values[CAROM_CLAUSE_AT], sizeof r->pose);
    memcpy(r->velocity, s->values[CAROM_CLAUSE_VELOCITY], sizeof r->velocity);
    memcpy(r->rate, s->values[CAROM_CLAUSE_RATE], sizeof r->rate);
    return take_turn(r, r->turn);
}

carom_status carom_scene_add_solid(carom_scene_reader *r) {
    carom_scene_file *file = r->file;
    const carom_scene_statement *s = &r->statement;
    void *grown = carom_scene_grow(r, file->solids, file->space.solid_count, 1, &r->shape_room,
                                   sizeof *file->solids);
    if (grown == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    file->solids = grown;
    carom_bodies_solid solid = {
        .kind = s->word == CAROM_SCENE_SPHERE    ? CAROM_BODIES_SPHERE
                : s->word == CAROM_SCENE_CAPSULE ? CAROM_BODIES_CAPSULE
                : s->word == CAROM_SCENE_BOX     ? CAROM_BODIES_CUBOID
                                                 : CAROM_BODIES_HALF_SPACE,
        .body = r->owner,
    };
    const bool is_capsule = solid.kind == CAROM_BODIES_CAPSULE;
    memcpy(solid.place, s->values[is_capsule ? CAROM_CLAUSE_FROM : CAROM_CLAUSE_AT],
           sizeof solid.place);
    memcpy(solid.to, s->values[is_capsule ? CAROM_CLAUSE_TO : CAROM_CLAUSE_NORMAL],
           sizeof solid.to);
    if (solid.kind == CAROM_BODIES_CUBOID) {
        memcpy(solid.edges, s->numbers, sizeof solid.edges);
    } else {
        solid.radius = s->numbers[0];
    }
    CAROM_TRY(take_turn(r, solid.turn));
    CAROM_TRY(carom_scene_find_material(r, &solid.friction, &solid.restitution));
    carom_report report = carom_report_empty();
    if (carom_solid_check(&solid, r->owner + 1, 0, &report) != CAROM_OK) {
        return carom_scene_fail_shape(r, &report);
    }
    file->solids[file->space.solid_count++] = solid;
    return CAROM_OK;
}

/** Where a copy is, and the solids that it has like the first. */
static void place_copy(carom_scene_reader *r, const carom_bodies_mass *mass, int solids, int copy) {
    carom_scene_file *file = r->file;
    const int columns = r->copies > 1 ? (int)r->repeat[0] : 1;
    const int rows = r->copies > 1 ? (int)r->repeat[1] : 1;
    const int layer = copy / columns / rows;
    const double stagger = (layer % 2) * r->stagger;
    const double shift[3] = {(copy % columns) * r->repeat[3] + stagger,
                             (copy / columns % rows) * r->repeat[4] + stagger,
                             layer * r->repeat[5]};
    double *q = file->position + CAROM_SOLID_POSITIONS * ((size_t)r->owner + (size_t)copy);
    double *v = file->velocity + CAROM_SOLID_VELOCITIES * ((size_t)r->owner + (size_t)copy);
    double R[9];
    double arm[3];
    double around[3];
    carom_rotation_matrix(r->turn, R);
    carom_space_turn(R, mass->center, arm);
    carom_space_cross(r->rate, arm, around);
    for (int k = 0; k < 3; k++) {
        q[k] = r->pose[k] + shift[k] + arm[k];
        v[k] = r->velocity[k] + around[k];
    }
    memcpy(q + 3, r->turn, sizeof r->turn);
    carom_space_turn_back(R, r->rate, v + 3);
    file->masses[r->owner + copy] = *mass;
    for (int k = 0; k < solids && copy > 0; k++) {
        carom_bodies_solid *solid = &file->solids[file->space.solid_count++];
        *solid = file->solids[r->first_shape + k];
        solid->body = r->owner + copy;
    }
}

carom_status carom_scene_end_in_space(carom_scene_reader *r) {
    carom_scene_file *file = r->file;
    const int solids = file->space.solid_count - r->first_shape;
    const char *name = file->names[r->owner];
    carom_bodies_mass mass = {.mass = r->mass};
    if (solids > 0) {
        mass = carom_bodies_uniform_in_space(solids, file->solids + r->first_shape, r->mass);
    }
    if (!isnan(r->inertia[0])) {
        memset(mass.inertia, 0, sizeof mass.inertia);
        memcpy(mass.inertia, r->inertia, sizeof r->inertia);
    }
    carom_report report = carom_report_empty();
    if (solids == 0 && isnan(r->inertia[0])) {
        r->line = r->owner_line;
        return carom_scene_fail(r, "body %s: inertia expected, it has no shapes", name);
    }
    if (carom_solid_check_mass(&mass, 0, &report) != CAROM_OK) {
        r->line = r->owner_line;
        return carom_scene_fail(r, "body %s: %s is %g%s%s", name, report.quantity, report.value,
                                report.accepted != NULL ? ", accepted " : "",
                                report.accepted != NULL ? report.accepted : "");
    }
    const int more = solids * (r->copies - 1);
    void *grown = carom_scene_grow(r, file->solids, file->space.solid_count, more, &r->shape_room,
                                   sizeof *file->solids);
    if (grown == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    file->solids = grown;
    for (int copy = 0; copy < r->copies; copy++) {
        place_copy(r, &mass, solids, copy);
    }
    return CAROM_OK;
}
