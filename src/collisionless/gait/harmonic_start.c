#include <carom/collisionless/gait/gait.h>

#include <carom/collisionless/gait/internal.h>
#include <carom/collisionless/motion/collisionless_motion.h>
#include <carom/collisionless/roots/impact_roots.h>

#include <math.h>
#include <stdlib.h>

/* The linear problem is proportional to theta: any one will do. */
static const double UNIT_ANGLE = 1.0;

/* x(0)/theta of the root, which is scaled by where the leg stands on both feet. */
static carom_status put_position(const carom_phase_modes *modes, const carom_impact_root *root,
                                 double contact_level, double *position, carom_report *report) {
    carom_collisionless_motion *motion = NULL;
    CAROM_TRY(carom_collisionless_motion_compute(modes, root->time, root->constrained_time,
                                                 CAROM_MOTION_SCALE_CONTACT_LEVEL, contact_level,
                                                 &motion, report));
    const carom_motion_state state = {.position = position};
    carom_collisionless_motion_state(motion, CAROM_MOTION_UNCONSTRAINED, 0.0,
                                     CAROM_MOTION_FROM_EQUILIBRIUM, &state);
    carom_collisionless_motion_free(motion);
    return CAROM_OK;
}

/* Modes of the matrices, even in single and odd in double support; the root; the position. */
static carom_status solve(const double *mass, const double *stiffness, int n, int column, int row,
                          double contact_level, double *position, carom_gait_start *start,
                          carom_report *report) {
    CAROM_AUTO(carom_phase_modes) modes = NULL;
    CAROM_TRY(carom_phase_modes_compute(n, mass, stiffness, CAROM_PARITY_EVEN, CAROM_PARITY_ODD,
                                        &modes, report));
    if (modes->decoupled_count > 0) {
        return carom_report_fail(report, CAROM_STATUS_CONFLICT, "decoupled modes",
                                 modes->decoupled_count, -1);
    }
    carom_impact_root root = {0};
    CAROM_TRY(carom_impact_roots_cell(modes->spectra, column, row, &root, report));
    CAROM_TRY(put_position(modes, &root, contact_level, position, report));
    *start = (carom_gait_start){position, root.time, root.constrained_time};
    return CAROM_OK;
}

carom_status carom_harmonic_start_compute(const carom_armed_biped_params *biped, int column,
                                          int row, double *position, carom_gait_start *start,
                                          carom_report *report) {
    CAROM_ASSERT(biped != NULL && position != NULL && start != NULL);
    carom_armed_biped_params unit = *biped;
    unit.half_step_angle = UNIT_ANGLE;
    *start = (carom_gait_start){position, (double)NAN, (double)NAN};
    CAROM_TRY(carom_armed_biped_check(&unit, report));
    const int n = carom_armed_biped_coordinate_count(&unit);
    for (int j = 0; j < n; j++) {
        position[j] = (double)NAN;
    }
    if (!unit.has_arm) {
        return carom_report_refuse(report, "arm", 0.0, -1, "a biped with an arm");
    }
    const size_t size = (size_t)n * (size_t)n;
    CAROM_AUTO_MEMORY double *mass = calloc(2 * size + (size_t)n, sizeof *mass);
    if (mass == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    double *stiffness = mass + size;
    double *equilibrium = stiffness + size;
    carom_armed_biped_statics statics;
    CAROM_TRY(carom_armed_biped_linear(&unit, mass, stiffness, equilibrium, &statics, report));
    return solve(mass, stiffness, n, column, row, statics.contact_level / UNIT_ANGLE, position,
                 start, report);
}
