/** The exact motion, from impact to impact in closed form: finding, sampling and recording it. */
#include "results.h"

#include <math.h>
#include <stdlib.h>

/** Impacts of one corner that are closer than this part of the step of the reference count as
 * accumulated: far above the rounding of times. */
static const double RESOLVED_STEP = 0.01;
/** Samples of the exact motion in the record: about as dense as the reference of the paper. */
enum { EXACT_SAMPLES = 4001 };

double rocking_block_exact_resolution(const results *r) {
    return RESOLVED_STEP * r->values->schemes.step / REFERENCE_STEPS;
}

/** The impacts within the duration. Whatever stops the search (an accumulation, a corner that stays
 * down, both corners at once) ends the list; without gravity there is none. */
void rocking_block_find_exact(results *r) {
    exact_motion *exact = &r->exact;
    const carom_status status =
        carom_rocking_block_exact_impacts(&r->values->block, rocking_block_exact_resolution(r),
                                          EXACT_IMPACTS_MAX, exact->impacts, &exact->count, NULL);
    (void)status;
    exact->end = (double)NAN;
    if (exact->count > 0) {
        exact->end = fmin(exact->impacts[exact->count - 1].time, r->values->schemes.duration);
    }
    while (exact->count > 0 && exact->impacts[exact->count - 1].time > exact->end) {
        exact->count--;
    }
}

void rocking_block_exact_state(const results *r, double time, double *position, double *velocity) {
    carom_rocking_block_exact_state(&r->values->block, r->exact.count, r->exact.impacts, time,
                                    position, velocity);
}

double rocking_block_energy(const results *r, const double *position, const double *velocity) {
    const carom_mechanism *mechanism = &r->model->mechanism;
    double work[COORDINATES * COORDINATES + COORDINATES];
    return carom_mechanism_kinetic_energy(mechanism, position, velocity, work) +
           mechanism->potential_energy(position, mechanism->context);
}

/** /exact/impacts. */
static void write_exact_impacts(carom_record *record, const exact_motion *exact) {
    enum { TIME, GAP_RATE, IMPULSE, ENERGY, COLUMNS };
    double columns[COLUMNS][EXACT_IMPACTS_MAX];
    int corners[EXACT_IMPACTS_MAX];
    for (int k = 0; k < exact->count; k++) {
        columns[TIME][k] = exact->impacts[k].time;
        columns[GAP_RATE][k] = exact->impacts[k].gap_rate;
        columns[IMPULSE][k] = exact->impacts[k].impulse;
        columns[ENERGY][k] = exact->impacts[k].energy;
        corners[k] = exact->impacts[k].corner;
    }
    const char *axis = "/exact/impacts/time";
    carom_record_axis(record, axis, exact->count, columns[TIME], "s",
                      "times of the event-driven impacts");
    carom_record_integer_series(record, "/exact/impacts/corner", corners, axis, NULL, "1",
                                "corner that strikes, as on the contact axis");
    carom_record_series(record, "/exact/impacts/gap_rate", columns[GAP_RATE], axis, NULL, "m s-1",
                        "rate of its gap just before");
    carom_record_series(record, "/exact/impacts/impulse", columns[IMPULSE], axis, NULL, "N s",
                        "impulse of Newton's law");
    carom_record_series(record, "/exact/impacts/energy", columns[ENERGY], axis, NULL, "J",
                        "energy just after");
}

/** Samples of the exact motion, one row a time. */
typedef struct exact_samples {
    double time[EXACT_SAMPLES];
    double position[EXACT_SAMPLES][COORDINATES];
    double velocity[EXACT_SAMPLES][COORDINATES];
    double gap[EXACT_SAMPLES][CORNERS];
    double energy[EXACT_SAMPLES];
} exact_samples;

/** The exact motion at equal intervals up to its end. */
static void sample_exact(const results *r, exact_samples *samples) {
    const carom_mechanism *mechanism = &r->model->mechanism;
    for (int i = 0; i < EXACT_SAMPLES; i++) {
        const double time = r->exact.end * i / (EXACT_SAMPLES - 1);
        samples->time[i] = time;
        rocking_block_exact_state(r, time, samples->position[i], samples->velocity[i]);
        mechanism->constraints(samples->position[i], samples->gap[i], mechanism->context);
        samples->energy[i] = rocking_block_energy(r, samples->position[i], samples->velocity[i]);
    }
}

/** /exact/time and the series along it. */
static void write_samples(carom_record *record, const carom_mechanism *mechanism,
                          const exact_samples *samples) {
    const char *time = "/exact/time";
    const char *coordinate = "/exact/coordinate";
    const char *contact = "/exact/contact";
    carom_record_axis(record, time, EXACT_SAMPLES, samples->time, "s", "time");
    carom_record_index_axis(record, coordinate, COORDINATES,
                            "number of the generalized coordinate");
    carom_record_index_axis(record, contact, CORNERS, "number of the contact");
    carom_record_series(record, "/exact/position", samples->position[0], time, coordinate,
                        mechanism->position_units, "event-driven position");
    carom_record_series(record, "/exact/velocity", samples->velocity[0], time, coordinate,
                        mechanism->velocity_units, "event-driven velocity");
    carom_record_series(record, "/exact/gap", samples->gap[0], time, contact, "m",
                        "event-driven gap");
    carom_record_series(record, "/exact/energy", samples->energy, time, NULL, "J",
                        "event-driven energy");
}

carom_status rocking_block_write_exact(carom_record *record, const results *r) {
    const carom_mechanism *mechanism = &r->model->mechanism;
    double M[COORDINATES * COORDINATES];
    mechanism->mass(r->model->initial_position, M, mechanism->context);
    carom_record_scalar(record, "/exact/inertia", M[COORDINATES * COORDINATES - 1], "kg m2",
                        "moment of inertia J about the mass centre");
    if (r->exact.count > 0) {
        write_exact_impacts(record, &r->exact);
    }
    if (isnan(r->exact.end)) {
        return CAROM_OK;
    }
    exact_samples *samples = malloc(sizeof *samples);
    if (samples == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    sample_exact(r, samples);
    write_samples(record, mechanism, samples);
    free(samples);
    return CAROM_OK;
}
