/** Harmonic and exact gait as nonsmooth motions with plastic landings: what they lose, what it
 * costs to hold them, and what becomes of them left alone. */
#include "simulation.h"

#include <math.h>

/** Half cycles of the exact gait, 100 cycles, and of the harmonic one. */
enum { EXACT_HALF_CYCLES = 200, HARMONIC_HALF_CYCLES = 20 };

/** Theta of the exact gait that is simulated, rad: impact times and arm differ by more than a tenth
 * from the harmonic ones, and rounding grows no more than some 1e7 times in a half cycle. For
 * bipeds that swing farther less, so that no harmonic angle at P is larger; halved until the family
 * has it. */
static const double AMPLITUDE = 0.05;
static const double LARGEST_ANGLE = 0.6;
enum { MOST_HALVINGS = 6 };

/** `scale` is the largest angle at P of the harmonic gait, rad. */
static carom_status find_exact(const results *r, double scale, exact_gait *exact) {
    double theta = fmin(AMPLITUDE, LARGEST_ANGLE * r->biped.half_step_angle / scale);
    carom_status status = CAROM_STATUS_NOT_CONVERGED;
    for (int i = 0; i <= MOST_HALVINGS && status == CAROM_STATUS_NOT_CONVERGED; i++) {
        carom_report attempt = carom_report_empty();
        status = biped_rocking_gait_find(r, theta, exact, &attempt);
        if (status != CAROM_OK) {
            *r->report = attempt;
            biped_rocking_gait_clear(exact);
            *exact = (exact_gait){.gait = NULL};
        }
        theta *= 0.5;
    }
    if (status == CAROM_OK) {
        *r->report = carom_report_empty();
    }
    return status;
}

/** Work per weight and length of the path of the mass centre: the body goes nowhere. */
static void write_cost(const results *r, const exact_gait *exact, const corrected_run *run) {
    const int masses = r->coordinate_count + 1;
    double weight = exact->biped.masses[0];
    for (int i = 0; i < masses; i++) {
        weight += exact->biped.masses[i];
    }
    weight *= exact->biped.gravity;
    const double quarter = biped_rocking_quarter_path(exact);
    const double path = 2.0 * run->completed * quarter;
    const double cost = (run->energy_lost + run->correction) / (weight * path);
    const carom_measure numbers[] = {
        {"amplitude", exact->gait->half_step_angle, "rad", "theta of the exact gait"},
        {"weight", weight, "N", "m_t g"},
        {"cycle_path", 4.0 * quarter, "m", "path of the mass centre in a cycle"},
        {"cost_of_transport", cost, "1",
         "energy lost in landings and put into corrections, over weight and path"},
        {"cost_of_transport_by_joint", (run->energy_lost + run->joint_work) / (weight * path), "1",
         "the same with corrections counted joint by joint"},
    };
    carom_record to = carom_record_group(r->record, "/simulation");
    carom_record_scalars(&to, numbers, COUNT(numbers));
}

static carom_status write_exact(const results *r, const exact_gait *exact) {
    rocker body;
    corrected_run run;
    carom_status status = biped_rocking_exact_rocker(exact, &body);
    if (status == CAROM_OK) {
        status =
            biped_rocking_write_corrected(r, "/simulation/exact", &body, EXACT_HALF_CYCLES, &run);
    }
    if (status == CAROM_OK) {
        write_cost(r, exact, &run);

        status = biped_rocking_write_free(r, exact, &body);
    }
    biped_rocking_rocker_clear(&body);
    return status;
}

/** The harmonic gait without its modes: integrated from P it comes to the next P by itself. */
static carom_status write_harmonic(const results *r, double *scale) {
    rocker body;
    corrected_run run;
    carom_status status = biped_rocking_harmonic_rocker(r, &body);
    if (status == CAROM_OK) {
        status = biped_rocking_write_corrected(r, "/simulation/harmonic", &body,
                                               HARMONIC_HALF_CYCLES, &run);
    }
    *scale = body.scale;
    biped_rocking_rocker_clear(&body);
    return status;
}

carom_status biped_rocking_write_simulation(const results *r) {
    const carom_motion_bounds bounds = carom_motion_bounds_compute(r->gait->spectral);
    if (!bounds.is_realizable) {
        carom_record_string(r->record, "/simulation/reason",
                            "the gait is not realizable: no ground lets it run",
                            "why nothing is simulated");
        return CAROM_OK;
    }
    double scale = 0.0;
    CAROM_TRY(write_harmonic(r, &scale));
    exact_gait exact;
    carom_status status = find_exact(r, scale, &exact);
    if (status == CAROM_OK) {
        status = write_exact(r, &exact);
    }
    biped_rocking_gait_clear(&exact);
    return status;
}
