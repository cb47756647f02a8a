/** The pyramids and their impacts. */
#include "results.h"

#include <stdlib.h>
#include <string.h>

/** The same impact with the tangents of the authors' programs. */
static carom_status skew(const carom_impact_scene *scene, carom_impact_problem **problem,
                         carom_report *report) {
    const carom_impact_problem *from = *problem;
    const int n = from->coordinate_count;
    const int m = from->contact_count;
    const size_t size = (size_t)m * (size_t)n;
    double *tangential = malloc(size * sizeof *tangential);
    if (tangential == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    memcpy(tangential, from->contact_jacobian + size, size * sizeof *tangential);
    carom_disk_stack_code_tangents(scene, from->contact_jacobian, tangential);
    carom_impact_problem *skewed = NULL;
    const carom_status status =
        carom_impact_problem_alloc(n, m, 1, from->mass, from->contact_jacobian, tangential,
                                   from->friction, from->velocity, &skewed, report);
    free(tangential);
    if (status == CAROM_OK) {
        carom_impact_problem_free(*problem);
        *problem = skewed;
    }
    return status;
}

carom_status disk_stack_build(const carom_disk_stack_params *stack, bool is_skewed,
                              carom_impact_scene **scene, carom_impact_problem **problem,
                              carom_report *report) {
    *problem = NULL;
    CAROM_TRY(carom_disk_stack_alloc(stack, scene, report));
    carom_status status = carom_impact_problem_of_scene(*scene, problem, report);
    if (status == CAROM_OK && is_skewed) {
        status = skew(*scene, problem, report);
    }
    if (status != CAROM_OK) {
        carom_impact_problem_free(*problem);
        carom_impact_scene_free(*scene);
        *problem = NULL;
        *scene = NULL;
    }
    return status;
}
