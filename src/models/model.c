#include <carom/models/model.h>

#include <math.h>
#include <stdlib.h>

/* ---------------------------------------------------------------------------------------- model */

carom_status carom_model_alloc(int coordinate_count, size_t parameters_size, carom_model **out) {
    CAROM_ASSERT(coordinate_count >= 1 && out != NULL);
    *out = NULL;
    CAROM_AUTO(carom_model) model = calloc(1, sizeof(*model));
    if (model == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    const size_t n = (size_t)coordinate_count;
    model->initial_position = calloc(n + n / 3, sizeof(double)); /* n_q at most */
    model->initial_velocity = calloc(n, sizeof(double));
    model->parameters = parameters_size > 0 ? calloc(1, parameters_size) : NULL;
    if (model->initial_position == NULL || model->initial_velocity == NULL ||
        (parameters_size > 0 && model->parameters == NULL)) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    model->mechanism.coordinate_count = coordinate_count;
    model->mechanism.layout = carom_layout_full(coordinate_count);
    model->mechanism.context = model->parameters;
    CAROM_HAND_OVER(model, out);
    return CAROM_OK;
}

void carom_model_free(carom_model *model) {
    if (model == NULL) {
        return;
    }
    free(model->initial_position);
    free(model->initial_velocity);
    free(model->parameters);
    free(model);
}

carom_status carom_model_require_finite(const char *quantity, double value, carom_report *report) {
    return isfinite(value)
               ? CAROM_OK
               : carom_report_fail(report, CAROM_STATUS_NOT_FINITE, quantity, value, -1);
}

carom_status carom_model_require_within(const char *quantity, double value, double smallest,
                                        double largest, carom_report *report) {
    CAROM_TRY(carom_model_require_finite(quantity, value, report));
    if (value < smallest || value > largest) {
        const bool is_low = value < smallest;
        return carom_report_bound(report, quantity, value, is_low ? "at least" : "at most",
                                  is_low ? smallest : largest);
    }
    return CAROM_OK;
}

carom_status carom_model_require_positive(const char *quantity, double value,
                                          carom_report *report) {
    CAROM_TRY(carom_model_require_finite(quantity, value, report));
    if (!(value > 0.0)) {
        return carom_report_refuse(report, quantity, value, -1, "> 0");
    }
    return CAROM_OK;
}

/* ---------------------------------------------------------------------------------------- scene */

carom_status carom_impact_scene_alloc(const carom_planar_tree_spec *spec, carom_impact_scene **out,
                                      carom_report *report) {
    CAROM_ASSERT(spec != NULL && out != NULL);
    *out = NULL;
    CAROM_AUTO(carom_impact_scene) scene = calloc(1, sizeof(*scene));
    if (scene == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_TRY(carom_planar_tree_alloc(spec, &scene->tree, report));
    const size_t n = (size_t)carom_impact_scene_mechanism(scene)->coordinate_count;
    scene->position = calloc(n, sizeof(double));
    scene->velocity = calloc(n, sizeof(double));
    if (scene->position == NULL || scene->velocity == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_HAND_OVER(scene, out);
    return CAROM_OK;
}

void carom_impact_scene_free(carom_impact_scene *scene) {
    if (scene == NULL) {
        return;
    }
    carom_planar_tree_free(scene->tree);
    free(scene->position);
    free(scene->velocity);
    free(scene);
}

const carom_mechanism *carom_impact_scene_mechanism(const carom_impact_scene *scene) {
    return carom_planar_tree_mechanism(scene->tree);
}
