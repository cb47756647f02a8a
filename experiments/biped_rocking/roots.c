/** All roots in the window with their motions, and the gait in units of theta. */
#include "results.h"

#include <carom/study/collisionless_record.h>

#include <math.h>
#include <stdlib.h>

/** What positions are recorded in. */
static const carom_collisionless_units RADIANS = {"rad", "rad s-1", "rad s-2", "N m", "kg-1 m-2"};
/** The same over theta. */
static const carom_collisionless_units THETAS = {"1", "s-1", "s-2", "N m", "kg-1 m-2"};

/** Frequencies of the oscillating modes, 1/s. */
static double frequency(const carom_phase_spectra *s) {
    return sqrt(s->unconstrained[s->mode_count - 1]);
}

static double constrained_frequency(const carom_phase_spectra *s) {
    return sqrt(s->constrained[s->mode_count - 2]);
}

/** Impact phases of all roots over /roots/root, as the contours are drawn. */
static carom_status write_phases(const results *r) {
    const int count = r->roots->count;
    CAROM_AUTO_MEMORY double *phase = malloc(2 * (size_t)count * sizeof *phase);
    if (phase == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    double *constrained = phase + count;
    for (int k = 0; k < count; k++) {
        phase[k] = frequency(r->modes->spectra) * r->roots->roots[k].time;
        constrained[k] =
            constrained_frequency(r->modes->spectra) * r->roots->roots[k].constrained_time;
    }
    carom_record_series(r->record, "/roots/phase", phase, "/roots/root", NULL, "rad",
                        "o_N, impact phase on one foot");
    carom_record_series(r->record, "/roots/constrained_phase", constrained, "/roots/root", NULL,
                        "rad", "o'_(N-1), impact phase on two feet");
    return CAROM_OK;
}

/** The gait's place in the plane of impact phases. */
static void write_place(const results *r) {
    const carom_phase_spectra *s = r->modes->spectra;
    carom_record_measure(r->record, "gait_phase", frequency(s) * r->root.time, "rad",
                         "o_N of the gait");
    carom_record_measure(r->record, "gait_constrained_phase",
                         constrained_frequency(s) * r->root.constrained_time, "rad",
                         "o'_(N-1) of the gait");
    carom_record_measure(r->record, "gait_residual", r->root.residual, "1",
                         "|Z u| of the gait's root");
}

carom_status biped_rocking_write_roots(const results *r) {
    carom_collisionless_record self = {
        .record = r->record,
        .modes = r->modes,
        .scale = CAROM_MOTION_SCALE_CONTACT_LEVEL,
        .size = r->statics.contact_level,
        .samples = r->values->samples,
        .units = RADIANS,
    };
    CAROM_TRY(carom_collisionless_record_write(&self, r->roots, r->report));
    self.size = r->statics.contact_level / r->biped.half_step_angle;
    self.units = THETAS;
    CAROM_TRY(carom_collisionless_record_solution(&self, "/unit", &r->root, r->report));
    write_place(r);
    if (r->roots->count > 0) {
        CAROM_TRY(write_phases(r));
    }
    CAROM_TRY(biped_rocking_write_curves(r));
    return biped_rocking_write_grid(r);
}
