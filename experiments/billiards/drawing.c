/** Figure 4: the balls of one break, to scale. */
#include "results.h"

carom_status billiards_write_drawing(const billiards *x) {
    const carom_billiard_break_params *cue = &x->values->cue;
    carom_impact_scene *scene = NULL;
    CAROM_TRY(carom_billiard_break_alloc(cue, &scene, x->report));
    double column[2][BALLS];
    for (int i = 0; i < BALLS; i++) {
        column[0][i] = scene->position[2 * i];
        column[1][i] = scene->position[2 * i + 1];
    }
    carom_impact_scene_free(scene);
    carom_record_index_axis(x->record, "/drawing/ball", BALLS, "balls a, b, c");
    carom_record_series(x->record, "/drawing/x", column[0], "/drawing/ball", NULL, "m",
                        "centres, c at the origin and moving along x");
    carom_record_series(x->record, "/drawing/y", column[1], "/drawing/ball", NULL, "m", "centres");
    carom_record_series(x->record, "/drawing/radius", cue->radii, "/drawing/ball", NULL, "m",
                        "radii");
    carom_record_scalar(x->record, "/drawing/angle", cue->angle, "rad",
                        "theta between the lines from c to a and b");
    return CAROM_OK;
}
