#include <carom/mechanism/planar_internal.h>
#include <carom/mechanism/planar_tree.h>

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --------------------------------------------------------------------------------------- shapes */

carom_planar_shape carom_planar_massless(void) {
    return (carom_planar_shape){0};
}

carom_planar_shape carom_planar_point_mass(double mass, double x, double y) {
    return (carom_planar_shape){.mass = mass, .center = {x, y}};
}

carom_planar_shape carom_planar_rod(double mass, double length) {
    return (carom_planar_shape){
        .mass = mass,
        .inertia = mass * length * length / 12.0,
        .center = {0.0, -0.5 * length},
    };
}

carom_planar_shape carom_planar_box(double mass, double width, double height) {
    return (carom_planar_shape){
        .mass = mass,
        .inertia = mass * (width * width + height * height) / 12.0,
    };
}

carom_planar_shape carom_planar_disc(double mass, double radius) {
    return (carom_planar_shape){.mass = mass, .inertia = 0.5 * mass * radius * radius};
}

/* ------------------------------------------------------------------------------------- the tree */

/* Makers of bodies. */

static carom_planar_body body_on(int parent, carom_planar_joint type, double x, double y,
                                 carom_planar_shape shape) {
    return (carom_planar_body){
        .parent = parent, .type = type, .joint_point = {x, y}, .shape = shape};
}

carom_planar_body carom_planar_floating(carom_planar_shape shape) {
    return body_on(-1, CAROM_PLANAR_FLOATING, 0.0, 0.0, shape);
}

carom_planar_body carom_planar_translating(carom_planar_shape shape) {
    return body_on(-1, CAROM_PLANAR_TRANSLATING, 0.0, 0.0, shape);
}

carom_planar_body carom_planar_revolute(int parent, double x, double y, carom_planar_shape shape) {
    return body_on(parent, CAROM_PLANAR_REVOLUTE, x, y, shape);
}

carom_planar_body carom_planar_prismatic(int parent, double x, double y, double axis_angle,
                                         carom_planar_shape shape) {
    carom_planar_body body = body_on(parent, CAROM_PLANAR_PRISMATIC, x, y, shape);
    body.axis_angle = axis_angle;
    return body;
}

carom_planar_body carom_planar_fixed(int parent, double x, double y, carom_planar_shape shape) {
    return body_on(parent, CAROM_PLANAR_FIXED, x, y, shape);
}

carom_planar_tree_spec carom_planar_tree_spec_default(void) {
    return (carom_planar_tree_spec){.gravity = {0.0, -9.81}};
}

/* What is refused. */

static carom_status refuse_not_finite(const char *quantity, double value, int index,
                                      carom_report *report) {
    return isfinite(value)
               ? CAROM_OK
               : carom_report_fail(report, CAROM_STATUS_NOT_FINITE, quantity, value, index);
}

/** Mass properties that no body can have. */
static carom_status check_shape(const carom_planar_shape *shape, int index, carom_report *report) {
    CAROM_TRY(refuse_not_finite("mass", shape->mass, index, report));
    CAROM_TRY(refuse_not_finite("inertia", shape->inertia, index, report));
    CAROM_TRY(refuse_not_finite("center of mass", shape->center[0], index, report));
    CAROM_TRY(refuse_not_finite("center of mass", shape->center[1], index, report));
    if (shape->mass < 0.0) {
        return carom_report_refuse(report, "mass", shape->mass, index, ">= 0");
    }
    if (shape->inertia < 0.0) {
        return carom_report_refuse(report, "inertia", shape->inertia, index, ">= 0");
    }
    return CAROM_OK;
}

/** One body; those before it have passed. */
static carom_status check_body(const carom_planar_tree_spec *spec, int index,
                               carom_report *report) {
    const carom_planar_body *body = &spec->bodies[index];
    if (body->parent < -1 || body->parent >= index) {
        return carom_report_refuse(report, "parent", (double)body->parent, index,
                                   "-1 or a body before it");
    }
    if ((int)body->type < 0 || (int)body->type > CAROM_PLANAR_FIXED) {
        return carom_report_refuse(report, "joint type", (double)body->type, index,
                                   "a carom_planar_joint");
    }
    CAROM_TRY(refuse_not_finite("joint point", body->joint_point[0], index, report));
    CAROM_TRY(refuse_not_finite("joint point", body->joint_point[1], index, report));
    CAROM_TRY(refuse_not_finite("joint angle", body->joint_angle, index, report));
    CAROM_TRY(refuse_not_finite("axis angle", body->axis_angle, index, report));
    CAROM_TRY(check_shape(&body->shape, index, report));

    int depth = 0;
    for (int i = index; i >= 0; i = spec->bodies[i].parent) {
        depth++;
    }
    if (depth > CAROM_PLANAR_LARGEST_DEPTH) {
        return carom_report_refuse(report, "depth", (double)depth, index,
                                   "up to CAROM_PLANAR_LARGEST_DEPTH");
    }
    return CAROM_OK;
}

static carom_status check_spec(const carom_planar_tree_spec *spec, carom_report *report) {
    const int most_bodies = INT_MAX / CAROM_PLANAR_JOINT_COORDINATES;
    if (spec->body_count < 1 || spec->body_count > most_bodies) {
        return carom_report_refuse(report, "body count", (double)spec->body_count, -1, ">= 1");
    }
    if (spec->contact_count < 0) {
        return carom_report_refuse(report, "contact count", (double)spec->contact_count, -1,
                                   ">= 0");
    }
    CAROM_TRY(refuse_not_finite("gravity", spec->gravity[0], 0, report));
    CAROM_TRY(refuse_not_finite("gravity", spec->gravity[1], 1, report));
    int coordinates = 0;
    for (int i = 0; i < spec->body_count; i++) {
        CAROM_TRY(check_body(spec, i, report));
        coordinates += carom_planar_joint_coordinate_count(spec->bodies[i].type);
    }
    if (coordinates < 1) {
        return carom_report_refuse(report, "coordinate count", (double)coordinates, -1, ">= 1");
    }
    return CAROM_OK;
}

/* Building. */

static void *copy_of(const void *source, size_t size) {
    void *copy = calloc(1, size > 0 ? size : 1);
    if (copy != NULL && size > 0) {
        memcpy(copy, source, size);
    }
    return copy;
}

/** The units of all coordinates, with a comma between two. NULL without memory. */
static char *list_units(const carom_planar_tree *tree, const char *of_displacement,
                        const char *of_angle) {
    const char *const separator = ", ";
    const size_t longest = strlen(of_angle) + strlen(of_displacement) + strlen(separator);
    char *list = calloc((size_t)tree->mechanism.coordinate_count * longest + 1, 1);
    char *end = list;
    for (int i = 0; list != NULL && i < tree->body_count; i++) {
        const carom_planar_joint type = tree->bodies[i].type;
        for (int k = 0; k < carom_planar_joint_coordinate_count(type); k++) {
            const char *const parts[] = {
                end > list ? separator : "",
                carom_planar_joint_is_angle(type, k) ? of_angle : of_displacement,
            };
            for (int p = 0; p < 2; p++) {
                const size_t length = strlen(parts[p]);
                memcpy(end, parts[p], length);
                end += length;
            }
        }
    }
    return list;
}

/** Copies of all that the caller gave, and the indices of the coordinates. */
static carom_status copy_spec(const carom_planar_tree_spec *spec, carom_planar_tree *tree,
                              carom_report *report) {
    const char *name = spec->name == NULL ? "planar_tree" : spec->name;
    const size_t bodies = (size_t)spec->body_count;
    const size_t contacts = (size_t)spec->contact_count;
    tree->body_count = spec->body_count;
    tree->contact_count = spec->contact_count;
    tree->gravity[0] = spec->gravity[0];
    tree->gravity[1] = spec->gravity[1];
    tree->name = copy_of(name, strlen(name) + 1);
    tree->bodies = copy_of(spec->bodies, bodies * sizeof *spec->bodies);
    tree->contacts = copy_of(spec->contacts, contacts * sizeof *spec->contacts);
    tree->first_coordinate = calloc(bodies + 1, sizeof *tree->first_coordinate);
    tree->friction = calloc(contacts + 1, sizeof(double));
    tree->restitution = calloc(contacts + 1, sizeof(double));
    if (tree->name == NULL || tree->bodies == NULL || tree->contacts == NULL ||
        tree->first_coordinate == NULL || tree->friction == NULL || tree->restitution == NULL) {
        return carom_report_fail(report, CAROM_STATUS_OUT_OF_MEMORY, "planar tree", (double)NAN,
                                 -1);
    }

    for (int i = 0; i < tree->body_count; i++) {
        tree->first_coordinate[i + 1] =
            tree->first_coordinate[i] + carom_planar_joint_coordinate_count(tree->bodies[i].type);
    }
    tree->mechanism.coordinate_count = tree->first_coordinate[tree->body_count];
    tree->position_units = list_units(tree, "m", "rad");
    tree->velocity_units = list_units(tree, "m s-1", "rad s-1");
    const bool is_complete = tree->position_units != NULL && tree->velocity_units != NULL;
    return is_complete ? CAROM_OK
                       : carom_report_fail(report, CAROM_STATUS_OUT_OF_MEMORY, "planar tree",
                                           (double)NAN, -1);
}

static carom_status prepare_contacts(carom_planar_tree *tree, carom_report *report) {
    for (int i = 0; i < tree->contact_count; i++) {
        carom_planar_contact *contact = &tree->contacts[i];
        CAROM_TRY(carom_planar_contact_prepare(contact, tree->body_count, i, report));
        tree->friction[i] = contact->friction;
        tree->restitution[i] = contact->restitution;
    }
    return CAROM_OK;
}

/** The struct of functions, on the finished tree. */
static void fill_mechanism(carom_planar_tree *tree) {
    carom_mechanism *mechanism = &tree->mechanism;
    mechanism->name = tree->name;
    mechanism->layout = carom_layout_full(mechanism->coordinate_count);
    mechanism->position_units = tree->position_units;
    mechanism->velocity_units = tree->velocity_units;
    mechanism->context = tree;
    carom_planar_dynamics_install(mechanism);
    if (tree->contact_count == 0) {
        return;
    }
    mechanism->contact_count = tree->contact_count;
    mechanism->restitution = tree->restitution;
    mechanism->tangent_count = 1;
    for (int i = 0; i < tree->contact_count; i++) {
        if (tree->friction[i] > 0.0) {
            mechanism->friction = tree->friction;
        }
    }
    carom_planar_contact_rows_install(mechanism);
}

carom_status carom_planar_tree_alloc(const carom_planar_tree_spec *spec, carom_planar_tree **out,
                                     carom_report *report) {
    CAROM_ASSERT(spec != NULL && out != NULL);
    CAROM_ASSERT(spec->body_count < 1 || spec->bodies != NULL);
    CAROM_ASSERT(spec->contact_count < 1 || spec->contacts != NULL);
    *out = NULL;
    CAROM_TRY(check_spec(spec, report));
    CAROM_AUTO(carom_planar_tree) tree = calloc(1, sizeof *tree);
    if (tree == NULL) {
        return carom_report_fail(report, CAROM_STATUS_OUT_OF_MEMORY, "planar tree", (double)NAN,
                                 -1);
    }
    CAROM_TRY(copy_spec(spec, tree, report));
    CAROM_TRY(prepare_contacts(tree, report));
    fill_mechanism(tree);
    CAROM_HAND_OVER(tree, out);
    return CAROM_OK;
}

void carom_planar_tree_free(carom_planar_tree *tree) {
    if (tree == NULL) {
        return;
    }
    free(tree->bodies);
    free(tree->first_coordinate);
    free(tree->contacts);
    free(tree->friction);
    free(tree->restitution);
    free(tree->name);
    free(tree->position_units);
    free(tree->velocity_units);
    free(tree);
}

/* Queries. */

const carom_mechanism *carom_planar_tree_mechanism(const carom_planar_tree *tree) {
    return &tree->mechanism;
}

int carom_planar_tree_body_count(const carom_planar_tree *tree) {
    return tree->body_count;
}

const carom_planar_body *carom_planar_tree_body(const carom_planar_tree *tree, int body) {
    CAROM_ASSERT(body >= 0 && body < tree->body_count);
    return &tree->bodies[body];
}

const carom_planar_contact *carom_planar_tree_contact(const carom_planar_tree *tree, int contact) {
    CAROM_ASSERT(contact >= 0 && contact < tree->contact_count);
    return &tree->contacts[contact];
}

int carom_planar_tree_first_coordinate(const carom_planar_tree *tree, int body) {
    CAROM_ASSERT(body >= 0 && body < tree->body_count);
    return tree->first_coordinate[body];
}

void carom_planar_tree_pose(const carom_planar_tree *tree, const double *q, int body,
                            double *pose) {
    CAROM_ASSERT(body >= -1 && body < tree->body_count);
    const double origin[2] = {0.0, 0.0};
    carom_planar_chain chain;
    carom_planar_chain_at(tree, q, body, origin, &chain);
    pose[0] = chain.place[0];
    pose[1] = chain.place[1];
    pose[2] = chain.angle;
}

void carom_planar_tree_point(const carom_planar_tree *tree, const double *q, const double *v,
                             int body, const double *local, double *place, double *velocity) {
    CAROM_ASSERT(body >= -1 && body < tree->body_count);
    CAROM_ASSERT(velocity == NULL || v != NULL);
    carom_planar_chain chain;
    carom_planar_chain_at(tree, q, body, local, &chain);
    if (place != NULL) {
        place[0] = chain.place[0];
        place[1] = chain.place[1];
    }
    if (velocity != NULL) {
        double w[CAROM_PLANAR_CHAIN_SIZE];
        carom_planar_chain_gather(&chain, v, w);
        carom_planar_chain_combine(&chain, w, velocity);
    }
}
