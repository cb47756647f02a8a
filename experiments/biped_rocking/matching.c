/** The matching conditions in all coordinates: their rank, and what a square part of them gives. */
#include <carom/collisionless/motion/coordinate_matching.h>

#include "results.h"

#include <math.h>
#include <stdlib.h>

/** Largest singular value that counts as zero, and smallest that does not: the matrix has scaled
 * columns, and rounding leaves some 1e-16 of its largest. */
static const double NO_RANK = 1e-12;
static const double FULL_RANK = 1e-6;
/** Impact times of which none is a root, over those of the gait. */
static const double BESIDE = 1.1;
/** Amplitudes by two ways are the same to rounding, times the condition of the worse way. */
static const double SAME = 1e-9;

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
    const bool is_regular = values[unknowns - 1] > FULL_RANK;
    CAROM_TRY(write_rank(r, "/impact/singular_values", 1.0, values));
    const bool loses_one = values[unknowns - 1] <= NO_RANK && values[unknowns - 2] > FULL_RANK;
    carom_record_claim(r->record, "matching_loses_one_rank", is_regular && loses_one,
                       "the matching conditions (12) have rank 2N - 1 at the root and 2N "
                       "beside it");
    return CAROM_OK;
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

/** What (46) needs of the rimless wheel with a reaction wheel, whose mass matrix is diagonal. */
typedef struct wheel_outcome {
    carom_status truncated; /**< what the truncated rows end with */
    carom_status all;       /**< what all rows end with */
    double condition;       /**< of the truncated rows */
} wheel_outcome;

/** Solve at the wheel's first root. */
static carom_status solve_wheel(const carom_two_mode_model *wheel, const carom_phase_modes *modes,
                                wheel_outcome *out, carom_report *report) {
    carom_impact_root root;
    double amplitude[3];
    double condition = 0.0;
    CAROM_TRY(carom_impact_roots_cell(modes->spectra, 1, 0, &root, report));
    out->truncated = carom_coordinate_matching_solve(
        modes, root.time, root.constrained_time, wheel->contact_force,
        CAROM_COORDINATE_MATCHING_TRUNCATED, amplitude, &out->condition, NULL);
    out->all = carom_coordinate_matching_solve(modes, root.time, root.constrained_time,
                                               wheel->contact_force, CAROM_COORDINATE_MATCHING_ALL,
                                               amplitude, &condition, NULL);
    const bool is_decided =
        out->truncated != CAROM_STATUS_OUT_OF_MEMORY && out->all != CAROM_STATUS_OUT_OF_MEMORY;
    return is_decided ? CAROM_OK : CAROM_STATUS_OUT_OF_MEMORY;
}

static carom_status ask_wheel(wheel_outcome *out, carom_report *report) {
    const carom_reaction_wheel_params params = carom_reaction_wheel_params_default();
    carom_two_mode_model wheel;
    CAROM_TRY(carom_reaction_wheel_model(&params, &wheel, report));
    carom_phase_modes *modes = NULL;
    CAROM_TRY(carom_phase_modes_compute(2, &wheel.mass[0][0], &wheel.stiffness[0][0],
                                        CAROM_PARITY_ODD, CAROM_PARITY_ODD, &modes, report));
    const carom_status status = solve_wheel(&wheel, modes, out, report);
    carom_phase_modes_free(modes);
    return status;
}

/** A condition number in the record: NaN where the conditions are singular. */
static double recorded(double condition) {
    return isfinite(condition) ? condition : (double)NAN;
}

/** (46): does for the biped what the paper does with it, but not for every system. */
static carom_status write_truncated(const results *r, double *amplitude) {
    double difference[2];
    double condition[2];
    wheel_outcome wheel;
    CAROM_TRY(
        solve(r, CAROM_COORDINATE_MATCHING_TRUNCATED, amplitude, &difference[0], &condition[0]));
    CAROM_TRY(solve(r, CAROM_COORDINATE_MATCHING_ALL, amplitude, &difference[1], &condition[1]));
    CAROM_TRY(ask_wheel(&wheel, r->report));
    const struct {
        const char *name;
        double value;
        const char *long_name;
    } measures[] = {
        {"truncated_condition", recorded(condition[0]),
         "condition number of (46), columns scaled; NaN: singular"},
        {"matching_condition", recorded(condition[1]),
         "condition number of all rows, columns scaled; NaN: singular"},
        {"truncated_difference", difference[0],
         "amplitudes by (46) from those of the gait, over the largest; NaN: (46) is singular"},
        {"matching_difference", difference[1],
         "amplitudes by all rows from those of the gait, over the largest; NaN: they are singular"},
        {"wheel_condition", recorded(wheel.condition),
         "condition number of (46), columns scaled, for the rimless wheel with a reaction wheel; "
         "NaN: singular"},
    };
    for (size_t k = 0; k < sizeof measures / sizeof measures[0]; k++) {
        carom_record_measure(r->record, measures[k].name, measures[k].value, "1",
                             measures[k].long_name);
    }
    const bool serves_biped = difference[0] <= SAME;
    carom_record_claim(r->record, "truncated_rows_give_the_gait", serves_biped,
                       "(46) gives the amplitudes of the biped");
    carom_record_claim(r->record, "all_rows_always_suffice",
                       difference[1] <= SAME && wheel.all == CAROM_OK,
                       "all rows give the amplitudes, by least squares: asked for the "
                       "biped and a rimless wheel with a diagonal mass matrix");
    carom_record_claim(r->record, "truncated_rows_always_suffice",
                       serves_biped && wheel.truncated == CAROM_OK,
                       "(46) gives the amplitudes of both");
    return CAROM_OK;
}

/** Write everything that needs the matching conditions. */
static carom_status write_conditions(const results *r) {
    const size_t unknowns = 2 * (size_t)r->modes->spectra->mode_count;
    CAROM_AUTO_MEMORY double *values = malloc(unknowns * sizeof *values);
    if (values == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_TRY(write_ranks(r, values));
    return write_truncated(r, values);
}

carom_status biped_rocking_write_matching(const results *r) {
    CAROM_TRY(biped_rocking_write_continuity(r));
    CAROM_TRY(write_conditions(r));
    CAROM_TRY(biped_rocking_write_reduction(r));
    return biped_rocking_write_recombination(r);
}
