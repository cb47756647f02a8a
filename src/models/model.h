/** What a model is: the system of a paper, ready to move (model) or to be hit (scene). */
#ifndef CAROM_MODELS_MODEL_H
#define CAROM_MODELS_MODEL_H

#include <carom/base/base.h>
#include <carom/mechanism/mechanism.h>
#include <carom/mechanism/planar_tree.h>

CAROM_BEGIN_DECLARATIONS

/* ---------------------------------------------------------------------------------------- model */
/* A system of a paper: its mechanism and initial state, in one heap object. */

/** A mechanism with its initial state. */
typedef struct carom_model {
    carom_mechanism mechanism; /**< borrows from this model: valid until carom_model_free */
    double *initial_position;  /**< [n_q] */
    double *initial_velocity;  /**< [n] */
    void *parameters;          /**< the mechanism's context, owned */
} carom_model;

/**
 * A model with zeroed initial state and `parameters_size` zeroed bytes of parameters, which become
 * the mechanism's context. The mechanism has its coordinate count, full layout and context set; the
 * rest is for the caller. For the models' own constructors and for users' models.
 *
 * @param[in]  coordinate_count n >= 1; rotations are for the caller, there is room for them
 * @param[in]  parameters_size  bytes
 * @param[out] out              belongs to the caller, to be freed by carom_model_free; NULL on
 * failure
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_model_alloc(int coordinate_count, size_t parameters_size,
                                                carom_model **out);

/** Free a model and its parameters; NULL is accepted. */
void carom_model_free(carom_model *model);
CAROM_AUTO_TYPE(carom_model)

/**
 * Refuse a parameter outside [smallest, largest], bounds that may be infinite.
 *
 * @param[in]  quantity static string, named in the report
 * @param[in]  value    the parameter, in its own unit
 * @param[in]  smallest admitted
 * @param[in]  largest  admitted
 * @param[out] report   quantity and value if refused; may be NULL
 * @return CAROM_OK; NOT_FINITE; OUT_OF_RANGE
 */
CAROM_MUST_CHECK carom_status carom_model_require_within(const char *quantity, double value,
                                                         double smallest, double largest,
                                                         carom_report *report);

/** Refuse a parameter that is NaN or infinite; otherwise as carom_model_require_within. */
CAROM_MUST_CHECK carom_status carom_model_require_finite(const char *quantity, double value,
                                                         carom_report *report);

/** Refuse a parameter that is not a finite number above zero; otherwise as
 * carom_model_require_within. */
CAROM_MUST_CHECK carom_status carom_model_require_positive(const char *quantity, double value,
                                                           carom_report *report);

/* ---------------------------------------------------------------------------------------- scene */
/* An instant of a planar tree: its bodies and contacts, and the state just before an impact. */

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
