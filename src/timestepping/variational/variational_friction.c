#include <carom/timestepping/variational/stepper_internal.h>

#include <carom/base/vector.h>

#include <stdlib.h>
#include <string.h>

carom_status carom_variational_friction_init(carom_variational_friction *friction,
                                             const carom_mechanism *mechanism,
                                             carom_contact_listener contacts) {
    const size_t n = (size_t)mechanism->coordinate_count;
    const size_t m = (size_t)mechanism->contact_count;
    const size_t t = (size_t)mechanism->tangent_count;
    const size_t rows = m * (1 + t);
    *friction = (carom_variational_friction){.tangent_count = mechanism->tangent_count,
                                             .contacts = contacts};
    friction->memory =
        calloc(m * t * n + rows * n + rows * rows + 2 * rows + m + 1, sizeof(double));
    friction->row = calloc(rows + 1, sizeof *friction->row);
    if (friction->memory == NULL || friction->row == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    friction->tangent = friction->memory;
    friction->white = friction->tangent + m * t * n;
    friction->delassus = friction->white + rows * n;
    friction->free_velocity = friction->delassus + rows * rows;
    friction->impulse = friction->free_velocity + rows;
    friction->coefficient = friction->impulse + rows;
    return carom_contact_solver_alloc(&friction->solver);
}

void carom_variational_friction_clear(carom_variational_friction *friction) {
    carom_contact_solver_free(friction->solver);
    free(friction->row);
    free(friction->memory);
    *friction = (carom_variational_friction){0};
}

/* The rows of the closed contacts, each normal with its tangents, and L^-1 of them. */
static int gather_rows(carom_variational_friction *f, const carom_variational_collision *collision,
                       const carom_variational_contacts *at, const double *q) {
    const carom_mechanism *mechanism = at->mechanism;
    const int n = mechanism->coordinate_count;
    const int t = f->tangent_count;
    int count = 0;
    if (t > 0) {
        carom_mechanism_tangential_jacobian(mechanism, q, f->tangent);
    }
    for (int k = 0; k < collision->closed_count; k++) {
        const int i = collision->closed[k];
        f->row[count] = at->normal + i * n;
        memcpy(f->white + count++ * n, at->white_normal + i * n, (size_t)n * sizeof(double));
        for (int a = 0; a < t; a++) {
            f->row[count] = f->tangent + (i * t + a) * n;
            (void)carom_variational_contacts_whiten(at, f->row[count], f->white + count * n);
            if (at->joint_rank > 0) {
                carom_variational_contacts_restore(at, f->white + count * n,
                                                   f->tangent + (i * t + a) * n);
            }
            count++;
        }
    }
    return count;
}

/*[variationalFriction]*/
carom_status carom_variational_friction_run(carom_variational_friction *f,
                                            carom_variational_collision *collision,
                                            const carom_variational_contacts *at, const double *q,
                                            const double *p, bool has_friction, double time,
                                            carom_report *report) {
    const carom_mechanism *mechanism = at->mechanism;
    const int n = mechanism->coordinate_count;
    const int rows = gather_rows(f, collision, at, q);
    // W = J M^-1 J', q = J v- and of normals + e J v-, in the kinetic metric.
    for (int i = 0; i < rows; i++) {
        const double *white = f->white + i * n;
        const int k = i / (1 + f->tangent_count);
        const int contact = collision->closed[k];
        const bool is_normal = i % (1 + f->tangent_count) == 0;
        const double e =
            is_normal && !collision->is_chatter ? mechanism->restitution[contact] : 0.0;
        f->free_velocity[i] = (1.0 + e) * carom_vector_dot(n, white, at->white_momentum);
        f->impulse[i] = 0.0;
        f->coefficient[k] = has_friction ? mechanism->friction[contact] : 0.0;
        for (int j = 0; j < rows; j++) {
            f->delassus[i * rows + j] = carom_vector_dot(n, white, f->white + j * n);
        }
    }
    const carom_contact_rows given = {.contact_count = collision->closed_count,
                                      .tangent_count = f->tangent_count,
                                      .entries = f->delassus,
                                      .free_velocity = f->free_velocity,
                                      .friction = f->coefficient};
    CAROM_AUTO(carom_contact_problem) problem = NULL;
    CAROM_TRY(carom_contact_problem_alloc(&given, &problem, report));
    if (f->contacts.tell != NULL) {
        CAROM_TRY(f->contacts.tell(time, problem, f->contacts.context, report));
    }
    CAROM_TRY(carom_contact_solve(f->solver, problem, NULL, f->impulse, NULL, NULL, report));
    // p+ = p- + sum of r_i J_i
    memcpy(collision->momentum, p, (size_t)n * sizeof *p);
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < n; j++) {
            collision->momentum[j] += f->impulse[i] * f->row[i][j];
        }
    }
    for (int k = 0; k < collision->closed_count; k++) {
        collision->impulse[k] = f->impulse[k * (1 + f->tangent_count)];
    }
    collision->reflection_count = 0;
    return CAROM_OK;
}
/*[end variationalFriction]*/
