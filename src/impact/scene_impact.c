#include <carom/impact/impact_problem.h>

carom_status carom_impact_problem_of_scene(const carom_impact_scene *scene,
                                           carom_impact_problem **out, carom_report *report) {
    CAROM_ASSERT(scene != NULL && out != NULL);
    return carom_impact_problem_of_mechanism(carom_impact_scene_mechanism(scene), scene->position,
                                             scene->velocity, CAROM_IMPACT_CLOSED, NULL, out,
                                             report);
}
