/** Hopping and juggling are one problem once frequencies are equal (section 4.1). */
#include "results.h"

/** A juggler with the frequencies of the hopper: omega_2^2 = kappa/m_1, omega'_1^2 = kappa/(m_1 +
 * m_2). */
static carom_juggler_params matching_juggler(const results *r) {
    const gait *hopper = &r->gaits[HOPPER];
    carom_juggler_params params = r->values->juggler;
    params.paddle_mass = params.spring_stiffness / hopper->spectrum[1];
    params.ball_mass = params.spring_stiffness / hopper->constrained - params.paddle_mass;
    return params;
}

/** Largest relative distance of the impact times of modes from those of the hopper. */
static carom_status compare_times(const results *r, const carom_phase_modes *modes,
                                  double *difference) {
    const gait *hopper = &r->gaits[HOPPER];
    *difference = 0.0;
    for (int k = 0; k < r->values->columns; k++) {
        const carom_impact_root *own = &hopper->general[k];
        carom_impact_root root;
        CAROM_TRY(carom_impact_roots_cell(modes->spectra, hopper->kind->first_column + k,
                                          r->values->row, &root, r->report));
        *difference = fmax(*difference, fabs(root.time / own->time - 1.0));
        *difference = fmax(*difference, fabs(root.constrained_time / own->constrained_time - 1.0));
    }
    return CAROM_OK;
}

carom_status collisionless_models_compare(const results *r, double *difference) {
    const carom_juggler_params params = matching_juggler(r);
    carom_two_mode_model model;
    carom_phase_modes *modes = NULL;
    CAROM_TRY(carom_juggler_model(&params, &model, r->report));
    CAROM_TRY(carom_phase_modes_compute(COORDINATES, &model.mass[0][0], &model.stiffness[0][0],
                                        CAROM_PARITY_EVEN, CAROM_PARITY_EVEN, &modes, r->report));
    const carom_status status = compare_times(r, modes, difference);
    carom_phase_modes_free(modes);
    return status;
}
