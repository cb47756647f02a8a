#include <carom/models/disk_stack.h>

#include <carom/models/model.h>

#include <math.h>
#include <stdlib.h>

carom_disk_stack_params carom_disk_stack_params_default(void) {
    const carom_disk_stack_params params = {
        .variant = CAROM_DISK_STACK_PRINTED,
        .levels = 2,
        .radius = 1.0,
        .mass = 1.0,
        .friction = sqrt(3.0),
        .initial_velocity = -1.0,
        .gravity = 9.81,
    };
    return params;
}

int carom_disk_stack_disk_count(int levels) {
    return levels * (levels + 1) / 2;
}

int carom_disk_stack_contact_count(int levels) {
    return levels + 3 * (levels * (levels - 1) / 2);
}

static carom_status check(const carom_disk_stack_params *params, carom_report *report) {
    if (params->variant != CAROM_DISK_STACK_PRINTED && params->variant != CAROM_DISK_STACK_CODE) {
        return carom_report_refuse(report, "variant", (double)params->variant, -1,
                                   "a carom_disk_stack_variant");
    }
    CAROM_TRY(carom_model_require_within("levels", params->levels, 2.0,
                                         CAROM_DISK_STACK_MOST_LEVELS, report));
    CAROM_TRY(carom_model_require_positive("radius", params->radius, report));
    CAROM_TRY(carom_model_require_positive("mass", params->mass, report));
    CAROM_TRY(carom_model_require_within("friction", params->friction, 0.0, INFINITY, report));
    CAROM_TRY(carom_model_require_finite("initial velocity", params->initial_velocity, report));
    return carom_model_require_finite("gravity", params->gravity, report);
}

static double disk_mass(const carom_disk_stack_params *params) {
    return params->variant == CAROM_DISK_STACK_CODE
               ? carom_disk_stack_contact_count(params->levels) * params->mass
               : params->mass;
}

/** Index of a disc: row 0 is the top, with one disc. */
static int disk_of(int row, int place) {
    return row * (row + 1) / 2 + place;
}

static carom_planar_contact between(const carom_disk_stack_params *params, int first, int second) {
    return carom_planar_disc_on_disc(first, params->radius, second, params->radius,
                                     params->friction);
}

/** All contacts in their documented order. */
static void list_contacts(const carom_disk_stack_params *params, carom_planar_contact *contacts) {
    const int lowest = params->levels - 1;
    int count = 0;
    for (int i = 0; i <= lowest; i++) {
        contacts[count++] = carom_planar_disc_on_wall(disk_of(lowest, i), 0.0, 0.0, params->radius,
                                                      carom_planar_floor(0.0), params->friction);
    }
    for (int row = 0; row < lowest; row++) {
        for (int i = 0; i <= row; i++) {
            contacts[count++] = between(params, disk_of(row, i), disk_of(row + 1, i));
            contacts[count++] = between(params, disk_of(row, i), disk_of(row + 1, i + 1));
        }
    }
    for (int row = 1; row <= lowest; row++) {
        for (int i = 0; i < row; i++) {
            contacts[count++] = between(params, disk_of(row, i), disk_of(row, i + 1));
        }
    }
}

static carom_status build(const carom_disk_stack_params *params, carom_planar_body *bodies,
                          carom_planar_contact *contacts, carom_impact_scene **out,
                          carom_report *report) {
    carom_planar_tree_spec spec = carom_planar_tree_spec_default();
    spec.name = "disk_stack";
    spec.body_count = carom_disk_stack_disk_count(params->levels);
    spec.bodies = bodies;
    spec.contact_count = carom_disk_stack_contact_count(params->levels);
    spec.contacts = contacts;
    spec.gravity[1] = -params->gravity;
    for (int i = 0; i < spec.body_count; i++) {
        bodies[i] = carom_planar_floating(carom_planar_disc(disk_mass(params), params->radius));
    }
    list_contacts(params, contacts);
    return carom_impact_scene_alloc(&spec, out, report);
}

/** Rows lie sqrt 3 radii above one another, each half a disc further left. */
static void place(const carom_disk_stack_params *params, carom_impact_scene *scene) {
    const int lowest = params->levels - 1;
    for (int row = 0; row <= lowest; row++) {
        for (int i = 0; i <= row; i++) {
            double *q = scene->position + 3 * disk_of(row, i);
            q[0] = params->radius * (lowest - row + 2 * i);
            q[1] = params->radius * (1.0 + sqrt(3.0) * (lowest - row));
        }
    }
    scene->velocity[1] = params->initial_velocity;
}

carom_status carom_disk_stack_alloc(const carom_disk_stack_params *params, carom_impact_scene **out,
                                    carom_report *report) {
    CAROM_ASSERT(params != NULL && out != NULL);
    *out = NULL;
    CAROM_TRY(check(params, report));
    const size_t disks = (size_t)carom_disk_stack_disk_count(params->levels);
    const size_t pairs = (size_t)carom_disk_stack_contact_count(params->levels);
    CAROM_AUTO_MEMORY carom_planar_body *bodies = calloc(disks, sizeof(*bodies));
    CAROM_AUTO_MEMORY carom_planar_contact *contacts = calloc(pairs, sizeof(*contacts));
    if (bodies == NULL || contacts == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_TRY(build(params, bodies, contacts, out, report));
    place(params, *out);
    return CAROM_OK;
}

void carom_disk_stack_code_tangents(const carom_impact_scene *scene, const double *normal_rows,
                                    double *tangential_rows) {
    CAROM_ASSERT(scene != NULL && normal_rows != NULL && tangential_rows != NULL);
    const carom_mechanism *mechanism = carom_impact_scene_mechanism(scene);
    const int n = mechanism->coordinate_count;
    for (int i = 0; i < mechanism->contact_count; i++) {
        const carom_planar_contact_place at =
            carom_planar_tree_contact_place(scene->tree, scene->position, i);
        const double along_normal = 2.0 * at.normal[0] * at.normal[1];
        const double along_tangent = at.normal[1] * at.normal[1] - at.normal[0] * at.normal[0];
        for (int j = 0; j < n; j++) {
            double *entry = &tangential_rows[i * n + j];
            *entry = along_normal * normal_rows[i * n + j] + along_tangent * *entry;
        }
    }
}
