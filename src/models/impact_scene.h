/** An instant of a planar tree: its bodies and contacts, and the state just before an impact. */
#ifndef CAROM_MODELS_IMPACT_SCENE_H
#define CAROM_MODELS_IMPACT_SCENE_H

#include <carom/base/attributes.h>
#include <carom/mechanism/planar_tree.h>

CAROM_BEGIN_DECLARATIONS

/** Whoever draws or records a scene asks the tree for poses, points and contact places. */
typedef struct carom_impact_scene {
    carom_planar_tree *tree; /**< owned */
    double *position;        /**< [n] q, contacts closed unless the model says otherwise */
    double *velocity;        /**< [n] v- */
} carom_impact_scene;

/**
 * Build the tree of a scene, with zeros for its state: the rest is for the caller. For the models'
 * own constructors and for users' scenes.
 *
 * @param[in]  spec   of the tree; borrowed during the call
 * @param[out] out    belongs to the caller, to be freed by carom_impact_scene_free; NULL on failure
 * @param[out] report as carom_planar_tree_alloc; may be NULL
 * @return CAROM_OK; a status of carom_planar_tree_alloc; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_impact_scene_alloc(const carom_planar_tree_spec *spec,
                                                       carom_impact_scene **out,
                                                       carom_report *report);

/** Free a scene and its tree; NULL is accepted. */
void carom_impact_scene_free(carom_impact_scene *scene);
CAROM_AUTO_TYPE(carom_impact_scene)

/** The scene's mechanism, borrowed until the scene is freed. */
const carom_mechanism *carom_impact_scene_mechanism(const carom_impact_scene *scene);

CAROM_END_DECLARATIONS

#endif
