#include <carom/impact/scene_impact.h>

#include <math.h>

/** Gaps up to this part of the largest coordinate are closed. */
static const double TOUCHING = 1e-9;

carom_status carom_impact_problem_of_scene(const carom_impact_scene *scene,
                                           carom_impact_problem **out, carom_report *report) {
    const carom_mechanism *mechanism = carom_impact_scene_mechanism(scene);
    double largest = 1.0;
    for (int i = 0; i < mechanism->coordinate_count; i++) {
        largest = fmax(largest, fabs(scene->position[i]));
    }
    return carom_impact_problem_of_mechanism(mechanism, scene->position, scene->velocity,
                                             TOUCHING * largest, NULL, out, report);
}
