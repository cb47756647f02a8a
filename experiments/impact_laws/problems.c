/** Impact problems of what the models are: mechanisms with and without tangents, linear structures.
 */
#include "results.h"

#include <stdlib.h>
#include <string.h>

/** A mechanism whose contacts get tangents of zeros: context of the functions below. */
typedef struct bare {
    const carom_mechanism *mechanism;
} bare;

static void bare_mass(const double *q, double *M, void *context) {
    const carom_mechanism *inner = ((const bare *)context)->mechanism;
    inner->mass(q, M, inner->context);
}

static void bare_constraints(const double *q, double *g, void *context) {
    const carom_mechanism *inner = ((const bare *)context)->mechanism;
    inner->constraints(q, g, inner->context);
}

static void bare_jacobian(const double *q, double *G, void *context) {
    const carom_mechanism *inner = ((const bare *)context)->mechanism;
    inner->constraint_jacobian(q, G, inner->context);
}

static void bare_tangents(const double *q, double *H, void *context) {
    const carom_mechanism *inner = ((const bare *)context)->mechanism;
    (void)q;
    memset(H, 0, (size_t)inner->contact_count * (size_t)inner->coordinate_count * sizeof(double));
}

carom_status impact_laws_problem_at(const carom_mechanism *mechanism, const double *q,
                                    const double *v, double touching, carom_impact_problem **out,
                                    carom_report *report) {
    if (mechanism->tangent_count > 0) {
        return carom_impact_problem_of_mechanism(mechanism, q, v, touching, NULL, out, report);
    }
    bare context = {mechanism};
    carom_mechanism with_tangents = *mechanism;
    with_tangents.tangent_count = 1;
    with_tangents.mass = bare_mass;
    with_tangents.constraints = bare_constraints;
    with_tangents.constraint_jacobian = bare_jacobian;
    with_tangents.tangential_jacobian = bare_tangents;
    with_tangents.context = &context;
    return carom_impact_problem_of_mechanism(&with_tangents, q, v, touching, NULL, out, report);
}

carom_status impact_laws_problem_of_structure(const carom_linear_system *system, const double *v,
                                              carom_impact_problem **out, carom_report *report) {
    const double frictionless = 0.0;
    double *tangent = calloc((size_t)system->coordinate_count, sizeof *tangent);
    if (tangent == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    const carom_status status =
        carom_impact_problem_alloc(system->coordinate_count, 1, 1, system->mass,
                                   system->contact_normal, tangent, &frictionless, v, out, report);
    free(tangent);
    return status;
}

carom_status impact_laws_with_friction(const carom_impact_problem *problem, double mu,
                                       carom_impact_problem **out, carom_report *report) {
    const int m = problem->contact_count;
    const double *J = problem->contact_jacobian;
    double *friction = calloc((size_t)m, sizeof *friction);
    if (friction == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int i = 0; i < m; i++) {
        friction[i] = mu;
    }
    const carom_status status = carom_impact_problem_alloc(
        problem->coordinate_count, m, problem->tangent_count, problem->mass, J,
        J + (size_t)m * (size_t)problem->coordinate_count, friction, problem->velocity, out,
        report);
    free(friction);
    return status;
}

bool impact_laws_can_slide(const carom_impact_problem *problem) {
    const int r = problem->row_count;
    for (int i = problem->contact_count; i < r; i++) {
        if (problem->delassus_matrix[i * r + i] > 0.0) {
            return true;
        }
    }
    return false;
}
