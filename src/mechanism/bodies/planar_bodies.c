#include <carom/mechanism/bodies/internal.h>
#include <carom/mechanism/planar_internal.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

carom_bodies_spec carom_bodies_spec_default(void) {
    return (carom_bodies_spec){.gravity = {0.0, -9.81}};
}

/* --- what is refused ---------------------------------------------------------------------------
 */

/* Links of the tree, the bodies behind the free ones. */
static int link_count(const carom_bodies_spec *spec) {
    return spec->tree != NULL ? carom_planar_tree_body_count(spec->tree) : 0;
}

static int body_count(const carom_bodies_spec *spec) {
    return spec->body_count + link_count(spec);
}

/* Body, or link, as the tree has it. */
static carom_planar_shape body_of(const carom_bodies_spec *spec, int body) {
    return body < spec->body_count
               ? spec->bodies[body]
               : carom_planar_tree_body(spec->tree, body - spec->body_count)->shape;
}

static carom_status check_tree(const carom_bodies_spec *spec, carom_report *report) {
    const carom_mechanism *tree = carom_planar_tree_mechanism(spec->tree);
    if (tree->contact_count > 0) {
        return carom_report_refuse(report, "contacts of the tree", tree->contact_count, -1,
                                   "none: its links have shapes");
    }
    const double *of_tree = spec->tree->gravity;
    for (int k = 0; k < 2; k++) {
        if (fabs(of_tree[k] - spec->gravity[k]) > 0.0) {
            return carom_report_refuse(report, "gravity of the tree", of_tree[k], k,
                                       "that of the bodies");
        }
    }
    return CAROM_OK;
}

static carom_status check_body(const carom_planar_shape *body, int index, carom_report *report) {
    const double numbers[] = {body->mass, body->inertia, body->center[0], body->center[1]};
    CAROM_TRY(carom_report_require_finite(report, "number of a body", 4, numbers));
    if (!(body->mass > 0.0)) {
        return carom_report_refuse(report, "mass", body->mass, index, "> 0");
    }
    return body->inertia > 0.0
               ? CAROM_OK
               : carom_report_refuse(report, "inertia", body->inertia, index, "> 0");
}

static carom_status check_ends(const carom_bodies_spec *spec, const char *what, int first,
                               int second, int index, carom_report *report) {
    const int low = first < second ? first : second;
    const int high = first < second ? second : first;
    return low >= CAROM_BODIES_GROUND && high < body_count(spec) && low < high
               ? CAROM_OK
               : carom_report_refuse(report, what, second, index, "two different bodies");
}

static carom_status check_joint(const carom_bodies_spec *spec, int index, carom_report *report) {
    const carom_bodies_joint *j = &spec->joints[index];
    const carom_bodies_motion *m = &j->motion;
    const double numbers[] = {j->first_point[0],  j->first_point[1], j->second_point[0],
                              j->second_point[1], j->axis_angle,     j->angle,
                              m->offset,          m->speed,          m->amplitude,
                              m->frequency,       m->phase};
    CAROM_TRY(carom_report_require_finite(report, "number of a joint",
                                          (int)(sizeof numbers / sizeof *numbers), numbers));
    CAROM_TRY(check_ends(spec, "body of a joint", j->first, j->second, index, report));
    CAROM_TRY(carom_bodies_check_limits(j, index, report));
    for (int side = 0; side < 2 && j->friction > 0.0; side++) {
        const int body = side == 0 ? j->first : j->second;
        const bool is_turn = j->kind == CAROM_BODIES_REVOLUTE;
        if (body >= spec->body_count &&
            !((is_turn ? body_of(spec, body).inertia : body_of(spec, body).mass) > 0.0)) {
            return carom_report_refuse(report, "friction of a joint", j->friction, index,
                                       "0 at a link without mass, of a turn without inertia");
        }
    }
    return j->kind != CAROM_BODIES_DRIVEN || (j->coordinate >= 0 && j->coordinate <= 2)
               ? CAROM_OK
               : carom_report_refuse(report, "driven coordinate", j->coordinate, index, "0, 1, 2");
}

static carom_status check_spring(const carom_bodies_spec *spec, int index, carom_report *report) {
    const carom_bodies_spring *s = &spec->springs[index];
    const double numbers[] = {s->stiffness,      s->damping,        s->length,
                              s->first_point[0], s->first_point[1], s->second_point[0],
                              s->second_point[1]};
    CAROM_TRY(carom_report_require_finite(report, "number of a spring", 7, numbers));
    for (int k = 0; k < 3; k++) {
        static const char *const names[] = {"stiffness", "damping", "length of a spring"};
        if (!(numbers[k] >= 0.0) && !(k == 2 && s->is_torsion)) {
            return carom_report_refuse(report, names[k], numbers[k], index, ">= 0");
        }
    }
    return check_ends(spec, "body of a spring", s->first, s->second, index, report);
}

static carom_status check(const carom_bodies_spec *spec, carom_report *report) {
    if (spec->body_count < (spec->tree != NULL ? 0 : 1)) {
        return carom_report_refuse(report, "bodies", spec->body_count, -1,
                                   spec->tree != NULL ? ">= 0" : ">= 1");
    }
    CAROM_TRY(carom_report_require_finite(report, "gravity", 2, spec->gravity));
    CAROM_TRY(spec->tree != NULL ? check_tree(spec, report) : CAROM_OK);
    for (int k = 0; k < spec->body_count; k++) {
        CAROM_TRY(check_body(&spec->bodies[k], k, report));
    }
    for (int k = 0; k < spec->shape_count; k++) {
        CAROM_TRY(carom_bodies_check_shape(&spec->shapes[k], body_count(spec), k, report));
    }
    for (int k = 0; k < spec->joint_count; k++) {
        CAROM_TRY(check_joint(spec, k, report));
    }
    for (int k = 0; k < spec->spring_count; k++) {
        CAROM_TRY(check_spring(spec, k, report));
    }
    return spec->most_contacts >= 0
               ? CAROM_OK
               : carom_report_refuse(report, "most contacts", spec->most_contacts, -1, ">= 0");
}

/* --- memory ------------------------------------------------------------------------------------
 */

/* Pairs of convex shapes that touch without overlap are the edges of a planar graph. */
static int capacity_of(const carom_bodies_spec *spec) {
    if (spec->most_contacts > 0) {
        return spec->most_contacts;
    }
    const double n = spec->shape_count;
    bool has_edges = false;
    for (int k = 0; k < spec->shape_count; k++) {
        has_edges =
            has_edges || (spec->shapes[k].point_count > 1 && !spec->shapes[k].is_half_plane);
    }
    const double pairs = fmin(0.5 * n * (n - 1.0), 3.0 * n);
    return (int)pairs * (has_edges ? 2 : 1);
}

static void fill_hulls(const carom_bodies_spec *spec, carom_bodies *s) {
    static const double origin[2] = {0.0, 0.0};
    double *room = s->numbers;
    for (int k = 0; k < spec->shape_count; k++) {
        carom_bodies_hull *hull = &s->hulls[k];
        const carom_bodies_shape *shape = &spec->shapes[k];
        carom_bodies_give_room(hull, 2, shape->is_half_plane ? 1 : (size_t)shape->point_count,
                               &room);
        carom_bodies_fill_hull(shape, shape->body < 0 ? origin : s->bodies[shape->body].center,
                               hull);
    }
}

static carom_status alloc_arrays(const carom_bodies_spec *spec, carom_bodies *s) {
    size_t points = 0;
    for (int k = 0; k < spec->shape_count; k++) {
        points += spec->shapes[k].is_half_plane ? 1 : (size_t)spec->shapes[k].point_count;
    }
    s->bodies = calloc((size_t)s->body_count, sizeof *s->bodies);
    s->joints = calloc((size_t)s->joint_count + 1, sizeof *s->joints);
    s->springs = calloc((size_t)s->spring_count + 1, sizeof *s->springs);
    s->limits = calloc((size_t)s->limit_count + 1, sizeof *s->limits);
    s->pad_joint = calloc((size_t)s->pad_count + 1, sizeof *s->pad_joint);
    s->excluded =
        calloc((size_t)s->joint_count + (size_t)link_count(spec) + 1, sizeof *s->excluded);
    if (s->bodies == NULL || s->joints == NULL || s->springs == NULL || s->limits == NULL ||
        s->pad_joint == NULL || s->excluded == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_TRY(carom_bodies_alloc_contacts(s, points));
    for (int k = 0; k < s->body_count; k++) {
        s->bodies[k] = body_of(spec, k);
    }
    fill_hulls(spec, s);
    return CAROM_OK;
}

/* --- what it is made of ------------------------------------------------------------------------
 */

/* A point of a body, from its centre of mass. */
static void center(const carom_bodies *s, int body, double point[2]) {
    for (int k = 0; k < 2 && body >= 0; k++) {
        point[k] -= s->bodies[body].center[k];
    }
}

/* Two bodies do not touch, nor what is fixed to them. */
static void exclude(carom_bodies *s, int first, int second) {
    const int a = carom_bodies_rigid(s, first);
    const int b = carom_bodies_rigid(s, second);
    int *pair = s->excluded[s->excluded_count++];
    pair[0] = a < b ? a : b;
    pair[1] = a < b ? b : a;
}

/* Nor a link that turns or slides on another one. */
static void exclude_links(const carom_bodies_spec *spec, carom_bodies *s) {
    for (int k = 0; k < link_count(spec); k++) {
        const carom_planar_body *link = carom_planar_tree_body(spec->tree, k);
        const bool is_held =
            link->type == CAROM_PLANAR_REVOLUTE || link->type == CAROM_PLANAR_PRISMATIC;
        if (is_held && link->parent >= 0) {
            exclude(s, spec->body_count + link->parent, spec->body_count + k);
        }
    }
}

static int compare_pairs(const void *a, const void *b) {
    const int *one = a;
    const int *other = b;
    return one[0] != other[0] ? one[0] - other[0] : one[1] - other[1];
}

static void fill_joints(const carom_bodies_spec *spec, carom_bodies *s) {
    for (int k = 0; k < s->joint_count; k++) {
        carom_bodies_joint *joint = &s->joints[k];
        *joint = spec->joints[k];
        center(s, joint->first, joint->first_point);
        center(s, joint->second, joint->second_point);
        if (!joint->collides) {
            exclude(s, joint->first, joint->second);
        }
    }
    exclude_links(spec, s);
    qsort(s->excluded, (size_t)s->excluded_count, sizeof *s->excluded, compare_pairs);
    for (int k = 0; k < s->spring_count; k++) {
        carom_bodies_spring *spring = &s->springs[k];
        *spring = spec->springs[k];
        center(s, spring->first, spring->first_point);
        center(s, spring->second, spring->second_point);
    }
}

/* How many places apart two bodies are that something joins. */
static int apart(int first, int second) {
    return first < 0 || second < 0 ? 0 : abs(first - second);
}

/* Springs couple the coordinates of the bodies that they join; beside them joints do where no
 * contact comes and goes, for d(G'lambda)/dq. */
static carom_layout layout_of(const carom_bodies *s) {
    int farthest = -1;
    for (int k = 0; k < s->spring_count; k++) {
        const int far = apart(s->springs[k].first, s->springs[k].second);
        farthest = far > farthest ? far : farthest;
    }
    for (int k = 0; k < s->joint_count && carom_bodies_has_curvature(s); k++) {
        const int far = apart(s->joints[k].first, s->joints[k].second);
        farthest = far > farthest ? far : farthest;
    }
    const int n = CAROM_BODIES_OF_BODY * s->body_count + s->pad_count;
    return carom_layout_banded(n, farthest < 0 ? 0 : CAROM_BODIES_OF_BODY * farthest + 2);
}

/* The arms of its points; nothing of angles. */
static double arms_of(const carom_bodies_joint *joint) {
    return hypot(joint->first_point[0], joint->first_point[1]) +
           hypot(joint->second_point[0], joint->second_point[1]);
}

/* Those in the rows of the joints and of their stops. */
static void fill_sizes(carom_bodies *s) {
    double *size = s->sizes;
    for (int k = 0; k < s->joint_count; k++) {
        const carom_bodies_joint *joint = &s->joints[k];
        const int rows = carom_bodies_joint_rows(joint);
        const int places = joint->kind == CAROM_BODIES_PRISMATIC                          ? 1
                           : joint->kind == CAROM_BODIES_DRIVEN && joint->coordinate == 2 ? 0
                           : rows < 2                                                     ? rows
                                                                                          : 2;
        for (int i = 0; i < places; i++) {
            size[i] = arms_of(joint);
        }
        size += rows;
    }
    for (int j = 0; j < s->limit_count; j++) {
        const carom_bodies_joint *joint = &s->joints[s->limits[j].joint];
        size[j] = joint->kind == CAROM_BODIES_PRISMATIC ? arms_of(joint) : 0.0;
    }
}

/* The limits of the joints, whose coefficients do not change. */
static void fill_limits(carom_bodies *s) {
    int next = 0;
    int pads = 0;
    for (int k = 0; k < s->joint_count; k++) {
        carom_bodies_limit_kind kinds[CAROM_BODIES_MOST_LIMITS];
        const int count = carom_bodies_joint_limits(&s->joints[k], kinds);
        for (int i = 0; i < count; i++) {
            const bool rubs = kinds[i] == CAROM_BODIES_RUBS;
            s->limits[next] = (carom_bodies_limit){
                kinds[i], k, rubs ? CAROM_BODIES_OF_BODY * s->body_count + pads : -1};
            s->friction[next] = rubs ? 1.0 : 0.0;
            s->restitution[next++] = rubs ? 0.0 : s->joints[k].restitution;
            if (rubs) {
                s->pad_joint[pads++] = k;
            }
        }
    }
}

/* How many there are, and equations. */
static void count_rows(const carom_bodies_spec *spec, carom_bodies *s) {
    for (int k = 0; k < spec->joint_count; k++) {
        carom_bodies_limit_kind kinds[CAROM_BODIES_MOST_LIMITS];
        s->joint_rows += carom_bodies_joint_rows(&spec->joints[k]);
        s->limit_count += carom_bodies_joint_limits(&spec->joints[k], kinds);
        s->pad_count += spec->joints[k].friction > 0.0 ? 1 : 0;
    }
    s->capacity = capacity_of(spec);
}

carom_status carom_bodies_alloc(const carom_bodies_spec *spec, carom_bodies **out,
                                carom_report *report) {
    CAROM_ASSERT(spec != NULL && out != NULL);
    *out = NULL;
    CAROM_TRY(check(spec, report));
    CAROM_AUTO(carom_bodies)
    s = carom_bodies_begin(2, spec->name, body_count(spec), spec->shape_count);
    if (s == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    s->joint_count = spec->joint_count;
    s->spring_count = spec->spring_count;
    memcpy(s->gravity, spec->gravity, sizeof spec->gravity);
    count_rows(spec, s);
    CAROM_TRY(alloc_arrays(spec, s));
    if (spec->tree != NULL) {
        CAROM_TRY(carom_links_alloc(spec->tree, s));
    }
    fill_joints(spec, s);
    carom_bodies_finish_hulls(s);
    fill_limits(s);
    fill_sizes(s);
    carom_bodies_fill_patterns(s);
    carom_bodies_fill_mechanism(s, layout_of(s));
    if (spec->tree != NULL) {
        CAROM_TRY(carom_links_fill_mechanism(s));
    }
    CAROM_HAND_OVER(s, out);
    return CAROM_OK;
}

void carom_bodies_pose(const carom_bodies *bodies, const double *q, int body, double pose[3]) {
    const double *x = carom_bodies_places(bodies, q);
    const carom_bodies_frame frame = carom_bodies_frame_of(x, body);
    double from[2] = {0.0, 0.0};
    if (body >= 0) {
        carom_plane_rotate(frame.turn, bodies->bodies[body].center, from);
    }
    pose[0] = frame.place[0] - from[0];
    pose[1] = frame.place[1] - from[1];
    pose[2] = body >= 0 ? x[CAROM_BODIES_OF_BODY * (size_t)body + 2] : 0.0;
}

void carom_bodies_place(const carom_bodies *bodies, int body, const double pose[3],
                        double coordinates[3]) {
    const double turn[2] = {cos(pose[2]), sin(pose[2])};
    double from[2];
    carom_plane_rotate(turn, bodies->bodies[body].center, from);
    coordinates[0] = pose[0] + from[0];
    coordinates[1] = pose[1] + from[1];
    coordinates[2] = pose[2];
}
