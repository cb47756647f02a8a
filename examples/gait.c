/* A gait that loses nothing although every landing is plastic: two masses on a spring hop, the
 * lower one landing without speed. Finds all such motions with at most 6 s from the highest point
 * to the landing and from there to the middle of the stance; prints how long they are in the air
 * and on the ground, and whether they can happen. */
#include <carom/carom.h>
#include <stdio.h>

static carom_status hop(carom_report *why) {
    const double mass[] = {1, 0, 0, 1};        /* kg; the last coordinate meets the ground */
    const double stiffness[] = {1, -1, -1, 1}; /* N/m */
    carom_root_search_params box = carom_root_search_params_default();
    box.max_time = 6;             /* s, from the highest point to the landing */
    box.max_constrained_time = 6; /* s, from the landing to the middle of the stance */

    CAROM_AUTO(carom_phase_modes) modes = NULL;
    CAROM_AUTO(carom_root_list) roots = NULL;
    CAROM_TRY(carom_phase_modes_compute(2, mass, stiffness, CAROM_PARITY_EVEN, CAROM_PARITY_EVEN,
                                        &modes, why)); /* at rest in the middle of both */
    CAROM_TRY(carom_impact_roots_find(modes->spectra, &box, &roots, why));
    printf("%d motions%s\n", roots->count, roots->is_complete ? ", no others" : "");
    for (int k = 0; k < roots->count; k++) {
        const carom_impact_root *root = &roots->roots[k];
        CAROM_AUTO(carom_spectral_motion) motion = NULL;
        CAROM_TRY(carom_spectral_motion_compute(modes->spectra, root->time, root->constrained_time,
                                                &motion, why));
        printf("flight %.6f s, stance %.6f s: %s\n", 2 * root->time, 2 * root->constrained_time,
               carom_motion_bounds_compute(motion).is_realizable ? "can happen"
                                                                 : "pulls at the ground");
    }
    return CAROM_OK;
}

int main(void) {
    carom_report why = carom_report_empty();
    const carom_status status = hop(&why);
    if (status != CAROM_OK) {
        carom_report_print(stderr, status, &why);
    }
    return status != CAROM_OK;
}
