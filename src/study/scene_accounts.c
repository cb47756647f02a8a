#include <carom/study/scene_accounts.h>

#include <stdlib.h>
#include <string.h>

carom_status carom_scene_accounts_init(carom_scene_accounts *a, const carom_mechanism *mechanism,
                                       const carom_stepper_params *params) {
    const size_t n = (size_t)mechanism->coordinate_count;
    const size_t matrix = carom_layout_entry_count(mechanism->layout);
    const size_t normal = carom_mechanism_constraint_entry_room(mechanism);
    const size_t tangential = carom_mechanism_tangential_entry_room(mechanism);
    const size_t rows = (size_t)carom_mechanism_constraint_count(mechanism) +
                        (size_t)mechanism->contact_count * (size_t)mechanism->tangent_count;
    a->mechanism = mechanism;
    a->step = params->step;
    a->theta = params->theta;
    a->last_velocity =
        calloc(7 * n + 2 * matrix + normal + tangential + 2 * rows + 1, sizeof(double));
    if (a->last_velocity == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    a->last_force = a->last_velocity + n;
    a->last_damping = a->last_force + n;
    a->change = a->last_damping + n;
    a->force = a->change + n;
    a->damping = a->force + n;
    a->work = a->damping + n;
    a->matrix = a->work + n + matrix;
    a->normal = a->matrix + matrix;
    a->tangential = a->normal + normal;
    a->supports = a->tangential + tangential;
    a->last_supports = a->supports + rows;
    return CAROM_OK;
}

void carom_scene_accounts_clear(carom_scene_accounts *a) {
    free(a->last_velocity);
}

double carom_scene_accounts_energy(carom_scene_accounts *a, const carom_step *step) {
    return carom_mechanism_kinetic_energy(a->mechanism, step->position, step->velocity, a->work) +
           a->mechanism->potential_energy(step->position, a->mechanism->context);
}

/* Forces, of them C v, and how fast supports move. */
static void find_forces(carom_scene_accounts *a, const carom_step *step) {
    const carom_mechanism *m = a->mechanism;
    m->force(step->time, step->position, step->velocity, a->force, m->context);
    memset(a->damping, 0, (size_t)m->coordinate_count * sizeof *a->damping);
    if (m->damping != NULL) {
        m->damping(step->time, step->position, step->velocity, a->matrix, m->context);
        carom_layout_multiply_add(m->layout, 1.0, a->matrix, step->velocity, a->damping);
    }
    if (m->constraint_velocity != NULL) {
        m->constraint_velocity(step->time, a->supports, m->context);
    }
}

/* The last instant is this one. */
static void keep(carom_scene_accounts *a, const carom_step *step) {
    const size_t bytes = (size_t)a->mechanism->coordinate_count * sizeof *a->force;
    memcpy(a->last_velocity, step->velocity, bytes);
    memcpy(a->last_force, a->force, bytes);
    memcpy(a->last_damping, a->damping, bytes);
    memcpy(a->last_supports, a->supports, (size_t)a->mechanism->joint_count * sizeof *a->supports);
    a->last_potential = a->mechanism->potential_energy(step->position, a->mechanism->context);
}

void carom_scene_accounts_start(carom_scene_accounts *a, const carom_step *start) {
    find_forces(a, start);
    keep(a, start);
}

/* A row times the change of the velocity. */
static double change_of(const carom_scene_accounts *a, carom_mechanism_pattern pattern,
                        const double *entries, int row) {
    double sum = 0.0;
    for (int k = pattern.start[row]; k < pattern.start[row + 1]; k++) {
        sum += entries[k] * a->change[pattern.column[k]];
    }
    return sum;
}

double carom_scene_accounts_speed_before(const carom_scene_accounts *a, const carom_step *step,
                                         int row) {
    return step->constraint_rate[row] -
           change_of(a, a->mechanism->constraint_pattern, a->normal, row);
}

/* What the impulses of joints, contacts and friction took. */
static void add_impulses(carom_scene_accounts *a, const carom_step *step,
                         carom_scene_motion_result *result) {
    const carom_mechanism *m = a->mechanism;
    const int rows = carom_mechanism_constraint_count(m);
    if (rows > 0) {
        m->constraint_jacobian(step->row_position, a->normal, m->context);
    }
    for (int j = 0; j < rows; j++) {
        const double impulse = step->impulse[j];
        if (j >= m->joint_count && !(impulse > 0.0)) {
            continue;
        }
        const bool is_joint = j < m->joint_count;
        double *loss = is_joint ? &result->scheme_loss : &result->impact_loss;
        const double change = change_of(a, m->constraint_pattern, a->normal, j) +
                              (is_joint ? a->supports[j] - a->last_supports[j] : 0.0);
        *loss -= impulse * (step->constraint_rate[j] - 0.5 * change);
    }
    if (step->friction_impulse == NULL) {
        return;
    }
    m->tangential_jacobian(step->row_position, a->tangential, m->context);
    for (int j = 0; j < m->contact_count * m->tangent_count; j++) {
        const double change = change_of(a, m->tangential_pattern, a->tangential, j);
        result->friction_loss -=
            step->friction_impulse[j] * (step->sliding_velocity[j] - 0.5 * change);
    }
}

/* What dampers took, and what the scheme did beside the other forces. */
static void add_forces(carom_scene_accounts *a, const carom_step *step,
                       carom_scene_motion_result *result) {
    double dampers = 0.0;
    double forces = 0.0;
    for (int i = 0; i < a->mechanism->coordinate_count; i++) {
        const double mean = step->velocity[i] - 0.5 * a->change[i];
        const double damping = a->theta * a->damping[i] + (1.0 - a->theta) * a->last_damping[i];
        dampers += mean * damping;
        forces += mean * (a->theta * a->force[i] + (1.0 - a->theta) * a->last_force[i] + damping);
    }
    const double potential = a->mechanism->potential_energy(step->position, a->mechanism->context);
    result->damping_loss += a->step * dampers;
    result->scheme_loss -= potential - a->last_potential + a->step * forces;
}

void carom_scene_accounts_add(carom_scene_accounts *a, const carom_step *step,
                              carom_scene_motion_result *result) {
    for (int i = 0; i < a->mechanism->coordinate_count; i++) {
        a->change[i] = step->velocity[i] - a->last_velocity[i];
    }
    find_forces(a, step);
    add_impulses(a, step, result);
    add_forces(a, step, result);
    result->support_work += step->support_work;
    keep(a, step);
}
