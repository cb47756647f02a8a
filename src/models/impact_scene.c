#include <carom/models/model.h>

#include <stdlib.h>

carom_status carom_impact_scene_alloc(const carom_planar_tree_spec *spec, carom_impact_scene **out,
                                      carom_report *report) {
    CAROM_ASSERT(spec != NULL && out != NULL);
    *out = NULL;
    carom_impact_scene *scene = calloc(1, sizeof(*scene));
    if (scene == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    carom_status status = carom_planar_tree_alloc(spec, &scene->tree, report);
    if (status != CAROM_OK) {
        goto cleanup;
    }
    const size_t n = (size_t)carom_impact_scene_mechanism(scene)->coordinate_count;
    scene->position = calloc(n, sizeof(double));
    scene->velocity = calloc(n, sizeof(double));
    if (scene->position == NULL || scene->velocity == NULL) {
        status = CAROM_STATUS_OUT_OF_MEMORY;
        goto cleanup;
    }
    *out = scene;
    return CAROM_OK;

cleanup:
    carom_impact_scene_free(scene);
    return status;
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
