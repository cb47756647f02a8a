/** The biped of the options, its modes, the roots in the window and the gait. */
#include "results.h"

#include <carom/collisionless/curves/determinant.h>

#include <math.h>
#include <stdlib.h>

carom_status biped_rocking_params(const settings *values, carom_armed_biped_params *biped,
                                  carom_report *report) {
    const int lengths = values->lengths.count;
    const int masses = values->masses.count;
    if (lengths < 3) {
        return carom_report_refuse(report, "number of --lengths", lengths, -1,
                                   "at least 3: leg, torso links, arm");
    }
    if (masses != lengths + 1) {
        return carom_report_say(report, CAROM_STATUS_CONFLICT,
                                "the number of --masses is %d, one more than that of --lengths, "
                                "%d, expected",
                                masses, lengths + 1);
    }
    *biped = (carom_armed_biped_params){
        .torso_count = lengths - 2,
        .has_arm = true,
        .lengths = values->lengths.values,
        .masses = values->masses.values,
        .gravity = values->gravity,
        .half_step_angle = biped_rocking_amplitude(values),
    };
    return carom_armed_biped_check(biped, report);
}

/** Matrices and modes. */
static carom_status find_modes(results *r) {
    const size_t N = (size_t)r->coordinate_count;
    r->mass = malloc(N * N * sizeof *r->mass);
    r->stiffness = malloc(N * N * sizeof *r->stiffness);
    r->equilibrium = malloc(N * sizeof *r->equilibrium);
    if (r->mass == NULL || r->stiffness == NULL || r->equilibrium == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_TRY(carom_armed_biped_linear(&r->biped, r->mass, r->stiffness, r->equilibrium,
                                       &r->statics, r->report));
    return carom_phase_modes_compute(r->coordinate_count, r->mass, r->stiffness, CAROM_PARITY_EVEN,
                                     CAROM_PARITY_ODD, &r->modes, r->report);
}

/** The box of impact times that the window of impact phases is. */
static carom_root_search_params box_of(const results *r) {
    const carom_phase_spectra *spectra = r->modes->spectra;
    const carom_impact_phase_window *window = &r->values->window;
    const double omega = sqrt(spectra->unconstrained[spectra->mode_count - 1]);
    const double omega_constrained = sqrt(spectra->constrained[spectra->mode_count - 2]);
    carom_root_search_params box = carom_root_search_params_default();
    box.min_time = window->min_phase / omega;
    box.max_time = window->max_phase / omega;
    box.min_constrained_time = window->min_constrained_phase / omega_constrained;
    box.max_constrained_time = window->max_constrained_phase / omega_constrained;
    return box;
}

carom_status biped_rocking_solve(results *r) {
    r->coordinate_count = carom_armed_biped_coordinate_count(&r->biped);
    CAROM_TRY(find_modes(r));
    CAROM_TRY(carom_impact_roots_cell(r->modes->spectra, r->values->column, r->values->row,
                                      &r->root, r->report));
    const carom_root_search_params box = box_of(r);
    CAROM_TRY(carom_impact_roots_find(r->modes->spectra, &box, &r->roots, r->report));
    return carom_collisionless_motion_compute(r->modes, r->root.time, r->root.constrained_time,
                                              CAROM_MOTION_SCALE_CONTACT_LEVEL,
                                              r->statics.contact_level, &r->gait, r->report);
}

void biped_rocking_clear(results *r) {
    carom_collisionless_motion_free(r->gait);
    carom_root_list_free(r->roots);
    carom_phase_modes_free(r->modes);
    free(r->equilibrium);
    free(r->stiffness);
    free(r->mass);
}
