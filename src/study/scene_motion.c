#include <carom/study/scene_motion.h>

#include <carom/drawing/geometry_record.h>
#include <carom/mechanism/bodies/internal.h>
#include <carom/study/scene_parts.h>
#include <carom/timestepping/internal.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Shapes overlap at the start by more than what the digits of a typed place leave of their sizes.
 */
static const double TYPED_DIGITS = 1e-9;

carom_scene_motion_params carom_scene_motion_params_default(carom_scheme scheme) {
    carom_scene_motion_params params = {
        .stepper = carom_stepper_params_default(scheme),
        .duration = 1.0,
        .frames = 501,
    };
    params.stepper.predictor = CAROM_PREDICTOR_NEXT_STEP;
    params.stepper.theta = 0.5;
    params.stepper.rows = carom_scheme_takes_rows(scheme, CAROM_ROWS_PREDICTED)
                              ? CAROM_ROWS_PREDICTED
                              : CAROM_ROWS_SOLVED;
    return params;
}

#define IMPACT_FIELD(name, units, text) CAROM_FIELD(#name, carom_scene_impact, name, units, text)

/** In space the last one too. */
static const carom_field IMPACT_FIELDS[] = {
    IMPACT_FIELD(impact, "1", "impact"),
    IMPACT_FIELD(time, "s", "end of the step"),
    IMPACT_FIELD(first, "1", "body; -1: the ground"),
    IMPACT_FIELD(second, "1", "body that it meets; -1: the ground"),
    IMPACT_FIELD(x, "m", "place"),
    IMPACT_FIELD(y, "m", "place"),
    IMPACT_FIELD(closing_speed, "m s-1", "before the step"),
    IMPACT_FIELD(impulse, "N s", "normal impulse of the step"),
    IMPACT_FIELD(
        friction_impulse, "N s",
        "tangential impulse on the second body, clockwise from the normal; in space its size"),
    IMPACT_FIELD(z, "m", "place"),
};

static const carom_field FRAME_FIELDS[] = {
    CAROM_FIELD("time", carom_scene_frame, time, "s", "time"),
    CAROM_FIELD("energy", carom_scene_frame, energy, "J", "kinetic and potential energy"),
    CAROM_FIELD("contacts", carom_scene_frame, contacts, "1", "contacts near enough to close"),
    CAROM_FIELD("pressing", carom_scene_frame, pressing, "1",
                "contacts with an impulse in the last step"),
};

typedef carom_scene_course motion;

static const char *name_of(const carom_scene_file *scene, int body) {
    return body < 0 ? "the ground" : scene->names[body];
}

static int body_of(const carom_scene_file *scene, int shape) {
    return scene->is_space ? scene->solids[shape].body : scene->shapes[shape].body;
}

/** How far from the origin the body of a shape is. */
static double distance_of(const carom_scene_file *scene, int shape) {
    const int body = body_of(scene, shape);
    const double *q = scene->position + (scene->is_space ? 7 : 3) * (size_t)body;
    return body < 0 ? 0.0 : hypot(hypot(q[0], q[1]), scene->is_space ? q[2] : 0.0);
}

/** Say which bodies come near each other where that is not computed. */
static carom_status fail_pair(const carom_scene_file *scene, const carom_bodies *bodies,
                              carom_report *report) {
    static const char *const names[] = {"sphere", "capsule", "box", "half-space"};
    int pair[2];
    (void)carom_bodies_uncomputed(bodies, pair);
    return carom_report_say(
        report, CAROM_STATUS_UNSUPPORTED,
        "the %s of %s and the %s of %s come near each other, and contacts of "
        "such are not computed",
        names[scene->solids[pair[0]].kind], name_of(scene, body_of(scene, pair[0])),
        names[scene->solids[pair[1]].kind], name_of(scene, body_of(scene, pair[1])));
}

carom_status carom_scene_check_overlap(const carom_scene_file *scene, carom_report *report) {
    CAROM_ASSERT(scene != NULL);
    CAROM_AUTO(carom_bodies) bodies = NULL;
    carom_bodies_contact deepest;
    CAROM_TRY(carom_scene_file_alloc_bodies(scene, &bodies, report));
    const carom_status status = carom_bodies_find_overlap(bodies, scene->position, &deepest);
    if (status == CAROM_STATUS_UNSUPPORTED) {
        return fail_pair(scene, bodies, report);
    }
    CAROM_TRY(status);
    if (!(deepest.gap < 0.0)) {
        return CAROM_OK;
    }
    const double *p = deepest.point;
    const double size = hypot(hypot(p[0], p[1]), p[2]) + distance_of(scene, deepest.first) +
                        distance_of(scene, deepest.second);
    if (-deepest.gap <= TYPED_DIGITS * size) {
        return CAROM_OK;
    }
    char place[80];
    (void)snprintf(place, sizeof place, scene->is_space ? "%.6g, %.6g, %.6g" : "%.6g, %.6g", p[0],
                   p[1], p[2]);
    return carom_report_say(report, CAROM_STATUS_PENETRATION,
                            "%s and %s overlap by %.6g m at the start, about (%s)",
                            name_of(scene, body_of(scene, deepest.first)),
                            name_of(scene, body_of(scene, deepest.second)), -deepest.gap, place);
}

/* --- memory ------------------------------------------------------------------------------------
 */

static void motion_clear(motion *m) {
    carom_stepper_free(m->stepper);
    carom_bodies_free(m->bodies);
    free(m->frames);
    free(m->poses);
    free(m->start);
    free(m->stopped);
    carom_scene_accounts_clear(&m->accounts);
    free(m->pressing);
    free(m->impacts);
    carom_parallel_bytes_clear(&m->state);
}

static carom_status alloc_motion(motion *m) {
    const size_t n = (size_t)carom_mechanism_position_count(m->mechanism);
    m->most = m->steps / m->every + 3;
    const size_t most = (size_t)m->most;
    m->frames = malloc(most * sizeof *m->frames);
    m->poses = malloc(most * carom_scene_course_pose_numbers(m) * sizeof *m->poses);
    m->start = calloc(2 * n, sizeof *m->start);
    m->stopped = calloc((size_t)carom_bodies_limit_count(m->bodies) + 1, sizeof *m->stopped);
    m->pressing = malloc((2 * (size_t)m->mechanism->contact_count + 1) * sizeof *m->pressing);
    if (m->frames == NULL || m->poses == NULL || m->start == NULL || m->stopped == NULL ||
        m->pressing == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    return carom_scene_accounts_init(&m->accounts, m->mechanism, &m->params->stepper);
}

/* --- a step ------------------------------------------------------------------------------------
 */

static void keep_frame(motion *m, const carom_step *step) {
    const size_t numbers = carom_scene_course_pose_numbers(m);
    memcpy(m->poses + (size_t)m->frame_count * numbers, step->position, numbers * sizeof *m->poses);
    m->frames[m->frame_count++] =
        (carom_scene_frame){.time = step->time,
                            .energy = carom_scene_accounts_energy(&m->accounts, step),
                            .contacts = carom_bodies_contact_count(m->bodies),
                            .pressing = m->pressing_count};
}

/** Whether a contact pressed in the last step; both lists are in order. */
static bool has_pressed(const motion *m, const carom_bodies_contact *contact, int *next) {
    for (; *next < m->pressing_count; (*next)++) {
        const carom_bodies_contact *last = &m->pressing[*next];
        const int order = last->first != contact->first     ? last->first - contact->first
                          : last->second != contact->second ? last->second - contact->second
                                                            : last->end - contact->end;
        if (order >= 0) {
            return order == 0;
        }
    }
    return false;
}

static carom_status keep_impact(motion *m, const carom_step *step, int j, carom_scene_impact row) {
    CAROM_TRY(carom_scene_course_reserve_impacts(m, m->result.impacts + 1));
    const int at = m->mechanism->joint_count + j;
    row.impact = m->result.impacts;
    row.time = step->time;
    row.closing_speed = -carom_scene_accounts_speed_before(&m->accounts, step, at);
    row.impulse = step->impulse[at];
    const double *friction = step->friction_impulse;
    if (friction != NULL) {
        row.friction_impulse =
            m->scene->is_space ? hypot(friction[2 * j], friction[2 * j + 1]) : friction[j];
    }
    m->impacts[m->result.impacts++] = row;
    return CAROM_OK;
}

/** Stops of a step: which of them are new. */
static carom_status look_at_stops(motion *m, const carom_step *step) {
    for (int k = 0; k < carom_bodies_limit_count(m->bodies); k++) {
        const carom_bodies_limit limit = carom_bodies_limit_at(m->bodies, k);
        const bool presses =
            limit.kind != CAROM_BODIES_RUBS && step->impulse[m->mechanism->joint_count + k] > 0.0;
        if (presses && !m->stopped[k]) {
            const carom_bodies_joint *joint = &m->scene->joints[limit.joint];
            carom_scene_impact row = {.first = joint->first, .second = joint->second};
            double place[2];
            carom_bodies_joint_place(m->bodies, limit.joint, step->position, place);
            row.x = place[0];
            row.y = place[1];
            CAROM_TRY(keep_impact(m, step, k, row));
        }
        m->stopped[k] = presses;
    }
    return CAROM_OK;
}

/** Contacts of a step: which of them are new. */
static carom_status look_at_contacts(motion *m, const carom_step *step) {
    const int limits = carom_bodies_limit_count(m->bodies);
    const int before = m->mechanism->joint_count + limits;
    const int contacts = carom_bodies_contact_count(m->bodies);
    int kept = 0;
    int next = 0;
    carom_bodies_contact *now = m->pressing + m->mechanism->contact_count;
    for (int j = 0; j < contacts; j++) {
        m->result.smallest_gap = fmin(m->result.smallest_gap, step->constraint[before + j]);
        if (!(step->impulse[before + j] > 0.0)) {
            continue;
        }
        const carom_bodies_contact contact = carom_bodies_contact_at(m->bodies, step->position, j);
        if (!has_pressed(m, &contact, &next)) {
            const carom_scene_impact row = {.first = body_of(m->scene, contact.first),
                                            .second = body_of(m->scene, contact.second),
                                            .x = contact.point[0],
                                            .y = contact.point[1],
                                            .z = contact.point[2]};
            CAROM_TRY(keep_impact(m, step, limits + j, row));
        }
        now[kept++] = contact;
    }
    memcpy(m->pressing, now, (size_t)kept * sizeof *now);
    m->pressing_count = kept;
    m->result.most_contacts =
        contacts > m->result.most_contacts ? contacts : m->result.most_contacts;
    return CAROM_OK;
}

/** By carom_bodies_joint_kind. */
static const char *const JOINTS[] = {"revolute", "prismatic", "fixed", "drive"};

/** Say which joint does not fit the speeds at the start: places fit by themselves. */
static carom_status fail_start(const motion *m, carom_status status, carom_report *report) {
    if (status != CAROM_STATUS_INCONSISTENT || report == NULL || report->index < 0) {
        return status;
    }
    int row = report->index;
    int k = 0;
    while (row >= carom_bodies_joint_rows(&m->scene->joints[k])) {
        row -= carom_bodies_joint_rows(&m->scene->joints[k++]);
    }
    const carom_bodies_joint *joint = &m->scene->joints[k];
    const bool is_turn = (joint->kind == CAROM_BODIES_FIXED && row == 2) ||
                         (joint->kind == CAROM_BODIES_PRISMATIC && row == 1) ||
                         (joint->kind == CAROM_BODIES_DRIVEN && joint->coordinate == 2);
    return carom_report_say(report, CAROM_STATUS_BAD_FORMAT,
                            "%s of %s and %s: at the start their speeds differ from it by %.6g %s",
                            JOINTS[joint->kind], name_of(m->scene, joint->first),
                            name_of(m->scene, joint->second), fabs(report->value),
                            is_turn ? "rad/s" : "m/s");
}

/** What a contact of the mechanism is, and of which bodies; false if it is none of them. */
static bool describe_contact(const motion *m, int index, char *what, size_t size) {
    static const char *const names[] = {"lower stop", "upper stop", "friction"};
    const carom_scene_file *scene = m->scene;
    const int limits = carom_bodies_limit_count(m->bodies);
    if (index < 0 || index - limits >= carom_bodies_contact_count(m->bodies)) {
        return false;
    }
    if (index < limits) {
        const carom_bodies_limit limit = carom_bodies_limit_at(m->bodies, index);
        const carom_bodies_joint *joint = &scene->joints[limit.joint];
        (void)snprintf(what, size, "the %s of the %s of %s and %s", names[limit.kind],
                       JOINTS[joint->kind], name_of(scene, joint->first),
                       name_of(scene, joint->second));
        return true;
    }
    const double *q = carom_stepper_result(m->stepper)->position;
    const carom_bodies_contact contact = carom_bodies_contact_at(m->bodies, q, index - limits);
    (void)snprintf(what, size, "the contact of %s with %s",
                   name_of(scene, body_of(scene, contact.first)),
                   name_of(scene, body_of(scene, contact.second)));
    return true;
}

/** Say between which bodies a step has no solution. */
static carom_status fail_step(const motion *m, carom_status status, carom_report *report) {
    int pair[2];
    if (status == CAROM_STATUS_UNSUPPORTED && carom_bodies_uncomputed(m->bodies, pair)) {
        const double time = carom_stepper_result(m->stepper)->time;
        (void)fail_pair(m->scene, m->bodies, report);
        if (report != NULL) {
            report->time = time;
        }
        return status;
    }
    char what[200];
    if (report == NULL || report->quantity == NULL || strcmp(report->quantity, "contact") != 0 ||
        !describe_contact(m, report->index, what, sizeof what)) {
        return status;
    }
    const carom_report failed = *report;
    (void)carom_report_say(report, status, "no solution was found for %s", what);
    report->time = failed.time;
    report->step = m->params->stepper.step;
    report->residual = failed.residual;
    report->iterations = failed.iterations;
    return status;
}

static carom_status take_step(motion *m, carom_report *report) {
    const carom_status status = carom_stepper_advance(m->stepper, report);
    if (status != CAROM_OK) {
        return fail_step(m, status, report);
    }
    const carom_step *step = carom_stepper_result(m->stepper);
    m->result.steps++;
    m->result.largest_residual =
        fmax(m->result.largest_residual, fmax(step->smooth_residual, step->velocity_residual));
    carom_scene_accounts_add(&m->accounts, step, &m->result);
    CAROM_TRY(look_at_stops(m, step));
    CAROM_TRY(look_at_contacts(m, step));
    if (m->result.steps % m->every == 0 || m->result.steps == m->steps) {
        keep_frame(m, step);
    }
    m->result.final_energy = carom_scene_accounts_energy(&m->accounts, step);
    return CAROM_OK;
}

/* --- the record --------------------------------------------------------------------------------
 */

static void write_measures(const motion *m, carom_record *record) {
    const carom_scene_motion_result *r = &m->result;
    const bool has_gap = isfinite(r->smallest_gap);
    const double budget = r->final_energy - r->initial_energy - r->support_work + r->friction_loss +
                          r->impact_loss + r->damping_loss + r->scheme_loss;
    const carom_measure measures[] = {
        {"steps", r->steps, "1", "steps taken"},
        {"contacts", r->most_contacts, "1", "most contacts near each other at once"},
        {"impacts", r->impacts, "1", "contacts that press and did not in the step before"},
        {"initial_energy", r->initial_energy, "J", "energy at the start"},
        {"final_energy", r->final_energy, "J", "energy at the end"},
        {"friction_loss", r->friction_loss, "J", "energy lost to friction"},
        {"impact_loss", r->impact_loss, "J", "energy lost to normal impulses"},
        {"damping_loss", r->damping_loss, "J", "energy lost to dampers"},
        {"scheme_loss", r->scheme_loss, "J", "lost where joints and forces turn within a step"},
        {"support_work", r->support_work, "J", "work of drives and belts"},
        {"energy_budget", budget, "J", "change of energy that nothing of these explains"},
        {"smallest_gap", has_gap ? r->smallest_gap : (double)NAN, "m", "least gap of a contact"},
        {"largest_residual", r->largest_residual, "1", "largest residual of a step"},
    };
    carom_record_measures(record, measures, (int)(sizeof measures / sizeof *measures));
}

static carom_status write_motion(const motion *m, carom_record *record) {
    CAROM_TRY(carom_scene_record_outlines(m->scene, record));
    carom_record group =
        carom_record_group(record, "/%s", carom_scheme_name(m->params->stepper.scheme));
    carom_record_rows(&group, "time", m->frames, m->frame_count, sizeof *m->frames, FRAME_FIELDS,
                      (int)(sizeof FRAME_FIELDS / sizeof *FRAME_FIELDS));
    const bool is_space = m->scene->is_space;
    CAROM_TRY((is_space ? carom_geometry_record_poses_in_space : carom_geometry_record_poses)(
        &group, "time", m->frame_count, m->scene->spec.body_count, m->poses));
    carom_record impacts = carom_record_group(&group, "impacts");
    enum { SPACE = sizeof IMPACT_FIELDS / sizeof *IMPACT_FIELDS };
    carom_record_rows(&impacts, "impact", m->impacts, m->result.impacts, sizeof *m->impacts,
                      IMPACT_FIELDS, is_space ? SPACE : SPACE - 1);
    write_measures(m, record);
    return CAROM_OK;
}

static carom_status prepare(motion *m, carom_report *report) {
    CAROM_TRY(carom_scene_file_alloc_bodies(m->scene, &m->bodies, report));
    m->mechanism = carom_bodies_mechanism(m->bodies);
    m->steps = (int)ceil(m->params->duration / m->params->stepper.step * (1.0 - 1e-12));
    m->steps = m->steps > 1 ? m->steps : 1;
    m->every = (m->steps + m->params->frames - 2) / (m->params->frames - 1);
    CAROM_TRY(alloc_motion(m));
    CAROM_TRY(carom_stepper_alloc(m->mechanism, &m->params->stepper, &m->stepper, report));
    double *velocity = m->start + carom_mechanism_position_count(m->mechanism);
    const size_t speeds = (m->scene->is_space ? 6 : 3) * (size_t)m->scene->spec.body_count;
    memcpy(m->start, m->scene->position, carom_scene_course_pose_numbers(m) * sizeof *m->start);
    memcpy(velocity, m->scene->velocity, speeds * sizeof *velocity);
    CAROM_TRY(
        fail_start(m, carom_stepper_start(m->stepper, 0.0, m->start, velocity, report), report));
    m->result.smallest_gap = (double)INFINITY;
    const carom_step *start = carom_stepper_result(m->stepper);
    carom_scene_accounts_start(&m->accounts, start);
    keep_frame(m, start);
    m->result.initial_energy = m->frames[0].energy;
    m->result.final_energy = m->result.initial_energy;
    return CAROM_OK;
}

/* --- parts -------------------------------------------------------------------------------------
 */

/** Of a motion that a later run is to go on with; a kill costs one of them. */
enum { KEPT_PARTS = 100 };

/** What compute_part is handed. */
typedef struct part {
    motion *m;
    int end; /**< steps after it */
    carom_trajectory_progress progress;
    void *context; /**< of the progress */
} part;

/** Steps of a part, from where an earlier run left the motion; a failure that is kept ends it. */
static carom_status take_steps(const part *of) {
    motion *m = of->m;
    if (m->state.size > 0) {
        const unsigned char *data = m->state.data;
        size_t left = m->state.size;
        CAROM_TRY(carom_stepper_unpack(m->stepper, &data, &left, m->report));
        carom_parallel_bytes_clear(&m->state);
    }
    m->part_frames = m->frame_count;
    m->part_impacts = m->result.impacts;
    while (m->result.steps < of->end && m->result.outcome == CAROM_OK) {
        m->result.outcome = take_step(m, m->report);
        if (of->progress != NULL) {
            of->progress(m->result.steps, m->steps, of->context);
        }
    }
    return m->params->keeps_partial ? CAROM_OK : m->result.outcome;
}

static carom_status compute_part(int item, void *context, carom_report *report) {
    (void)item;
    (void)report; // the motion has its own, which is read where a failure is kept
    return take_steps(context);
}

static carom_status pack_part(int item, void *context, carom_parallel_bytes *bytes) {
    return carom_scene_course_pack(item, ((const part *)context)->m, bytes);
}

static carom_status unpack_part(int item, const unsigned char *data, size_t size, void *context) {
    return carom_scene_course_unpack(item, data, size, ((const part *)context)->m);
}

/** All steps; a part is a map of one item where it is kept. */
static carom_status take_parts(motion *m, carom_trajectory_progress progress, void *context) {
    carom_work_exchange *exchange = m->params->exchange;
    const bool is_kept = exchange != NULL && exchange->is_kept;
    const carom_parallel_results results = {.pack = pack_part, .unpack = unpack_part};
    const int parts = is_kept ? KEPT_PARTS : 1;
    const int steps = (m->steps - 1) / parts + 1;
    part of = {.m = m, .progress = progress, .context = context};
    while (of.end < m->steps && m->result.outcome == CAROM_OK) {
        of.end = steps < m->steps - of.end ? of.end + steps : m->steps;
        const carom_workers one = {.threads = 1, .exchange = is_kept ? exchange : NULL};
        m->is_to_fail = false;
        CAROM_TRY(carom_parallel_map(one, 1, compute_part, &of, &results, NULL));
        CAROM_TRY(m->is_to_fail ? take_steps(&of) : CAROM_OK);
    }
    return CAROM_OK;
}

carom_status carom_scene_motion_run(const carom_scene_file *scene,
                                    const carom_scene_motion_params *params,
                                    carom_trajectory_progress progress, void *context,
                                    carom_record *record, carom_scene_motion_result *result,
                                    carom_report *report) {
    CAROM_ASSERT(scene != NULL && params != NULL && record != NULL && params->frames >= 2);
    CAROM_AUTO_VALUE(motion) m = {.scene = scene, .params = params, .report = report};
    CAROM_TRY(prepare(&m, report));
    CAROM_TRY(take_parts(&m, progress, context));
    if (result != NULL) {
        *result = m.result;
    }
    return write_motion(&m, record);
}
