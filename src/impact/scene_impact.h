/** The impact problem of a scene: its touching contacts and its velocity. */
#ifndef CAROM_IMPACT_SCENE_IMPACT_H
#define CAROM_IMPACT_SCENE_IMPACT_H

#include <carom/impact/impact_problem.h>
#include <carom/models/impact_scene.h>

CAROM_BEGIN_DECLARATIONS

/**
 * The problem of a scene at its position and velocity: contacts touch as CAROM_IMPACT_CLOSED says.
 *
 * @param[in]  scene  the scene
 * @param[out] out    belongs to the caller
 * @param[out] report may be NULL
 * @return as carom_impact_problem_of_mechanism
 */
CAROM_MUST_CHECK carom_status carom_impact_problem_of_scene(const carom_impact_scene *scene,
                                                            carom_impact_problem **out,
                                                            carom_report *report);

CAROM_END_DECLARATIONS

#endif
