/** The matching conditions in all coordinates: their rank, and what a square part of them gives. */
#include <carom/collisionless/motion/coordinate_matching.h>

#include "results.h"

#include <math.h>
#include <stdlib.h>

/** Impact times of which none is a root, over those of the gait. */
static const double BESIDE = 1.1;
/** (12) at a pair of times: singular values over the largest. */
static carom_status write_rank(const results *r, const char *path, double factor, double *values) {
    CAROM_TRY(carom_coordinate_matching_rank(r->modes, factor * r->root.time,
                                             r->root.constrained_time / factor, values, r->report));
    carom_record_series(r->record, path, values, "/impact/unknown", NULL, "1",
                        "singular values of the matching conditions over the largest");
    return CAROM_OK;
}

/** The paper's check of its solution: A loses one rank at the root. */
static carom_status write_ranks(const results *r, double *values) {
    const int unknowns = 2 * r->modes->spectra->mode_count;
    carom_record_index_axis(r->record, "/impact/unknown", unknowns, "amplitudes and static force");
    CAROM_TRY(write_rank(r, "/impact/singular_values_beside", BESIDE, values));
    return write_rank(r, "/impact/singular_values", 1.0, values);
}

/** Largest difference of amplitudes from those of the gait, over the largest of each phase. */
static double amplitude_difference(const results *r, const double *amplitude) {
    const int N = r->modes->spectra->mode_count;
    double difference[2] = {0.0, 0.0};
    double largest[2] = {0.0, 0.0};
    for (int k = 0; k < 2 * N - 1; k++) {
        const int phase = k < N ? 0 : 1;
        const double own =
            phase == 0 ? r->gait->amplitude[k] : r->gait->constrained_amplitude[k - N];
        difference[phase] = fmax(difference[phase], fabs(amplitude[k] - own));
        largest[phase] = fmax(largest[phase], fabs(own));
    }
    return fmax(difference[0] / largest[0], difference[1] / largest[1]);
}

/** Amplitudes of the biped by some rows of the conditions; NaN where these are singular. */
static carom_status solve(const results *r, carom_coordinate_matching_rows rows, double *amplitude,
                          double *difference, double *condition) {
    carom_report report = carom_report_empty();
    const carom_status status = carom_coordinate_matching_solve(
        r->modes, r->root.time, r->root.constrained_time, r->statics.contact_force, rows, amplitude,
        condition, &report);
    *difference = status == CAROM_OK ? amplitude_difference(r, amplitude) : (double)NAN;
    return status == CAROM_STATUS_OUT_OF_MEMORY ? status : CAROM_OK;
}

/** A condition number in the record: NaN where the conditions are singular. */
static double recorded(double condition) {
    return isfinite(condition) ? condition : (double)NAN;
}

/** (46) and all rows of (12): how well they are conditioned, and what they give. */
static carom_status write_truncated(const results *r, double *amplitude) {
    double difference[2];
    double condition[2];
    CAROM_TRY(
        solve(r, CAROM_COORDINATE_MATCHING_TRUNCATED, amplitude, &difference[0], &condition[0]));
    CAROM_TRY(solve(r, CAROM_COORDINATE_MATCHING_ALL, amplitude, &difference[1], &condition[1]));
    const carom_measure measures[] = {
        {"truncated_condition", recorded(condition[0]), "1",
         "condition number of (46), columns scaled; NaN: singular"},
        {"matching_condition", recorded(condition[1]), "1",
         "condition number of all rows, columns scaled; NaN: singular"},
        {"truncated_difference", difference[0], "1",
         "amplitudes by (46) from those of the gait, over the largest; NaN: (46) is singular"},
    };
    for (int k = 0; k < 3; k++) {
        carom_record_measure(r->record, measures[k].name, measures[k].value, measures[k].units,
                             measures[k].long_name);
    }
    return CAROM_OK;
}

carom_status biped_rocking_write_matching(const results *r) {
    const size_t unknowns = 2 * (size_t)r->modes->spectra->mode_count;
    CAROM_AUTO_MEMORY double *values = malloc(unknowns * sizeof *values);
    if (values == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_TRY(biped_rocking_write_continuity(r));
    CAROM_TRY(write_ranks(r, values));
    return write_truncated(r, values);
}
