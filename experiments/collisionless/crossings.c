/**
 * Where the two curves cross. The paper takes every crossing for a solution; where both
 * determinants vanish because the rows that they share have lost rank, there is none. And a system
 * of four modes, ours, in which the crossings that are solutions disappear when no constrained mode
 * oscillates any more.
 */
#include "results.h"

#include <carom/collisionless/curves/determinant.h>

#include <math.h>
#include <stdlib.h>

/** Part of the plane of impact times. */
typedef struct plane_box {
    double min_time;
    double max_time;
    double min_constrained_time;
    double max_constrained_time;
} plane_box;

/** All crossings in a part of the plane. */
static carom_status find_crossings(const carom_phase_spectra *s, const plane_box *box,
                                   carom_determinant_crossings **out, carom_report *report) {
    const double rate = sqrt(fabs(s->unconstrained[s->mode_count - 1]));
    const double constrained_rate = sqrt(fabs(s->constrained[s->mode_count - 2]));
    carom_impact_phase_window window = carom_impact_phase_window_default();
    window.min_phase = rate * box->min_time;
    window.max_phase = rate * box->max_time;
    window.min_constrained_phase = constrained_rate * box->min_constrained_time;
    window.max_constrained_phase = constrained_rate * box->max_constrained_time;
    return carom_determinant_crossings_find(s, &window, out, report);
}

/* --- this system --------------------------------------------------------------------------------
 */

/** The list of crossings. */
static carom_status write_list(const analysis *a, const carom_determinant_crossings *found) {
    const int count = found->count;
    double *reals = malloc(3 * ((size_t)count + 1) * sizeof *reals);
    int *spurious = malloc(((size_t)count + 1) * sizeof *spurious);
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    if (reals != NULL && spurious != NULL) {
        for (int i = 0; i < count; i++) {
            reals[i] = found->crossings[i].time;
            reals[count + i] = found->crossings[i].constrained_time;
            reals[2 * count + i] = found->crossings[i].rank.smallest;
            spurious[i] = found->crossings[i].is_spurious ? 1 : 0;
        }
        carom_record_index_axis(a->record, "/crossings/crossing", count, "crossing");
        status = CAROM_OK;
    }
    const struct {
        const char *path;
        const char *units;
        const char *long_name;
    } series[] = {
        {"/crossings/time", "s", "tau"},
        {"/crossings/constrained_time", "s", "tau'"},
        {"/crossings/smallest_singular_value", "1", "of the impact matrix"},
    };
    for (int k = 0; k < 3 && status == CAROM_OK; k++) {
        carom_record_series(a->record, series[k].path, reals + k * count, "/crossings/crossing",
                            NULL, series[k].units, series[k].long_name);
    }
    if (status == CAROM_OK) {
        carom_record_integer_series(a->record, "/crossings/spurious", spurious,
                                    "/crossings/crossing", NULL, "1",
                                    "1: no root, the impact matrix keeps its rank");
    }
    free(spurious);
    free(reals);
    return status;
}

/** Crossings beside the roots that were found without them. */
static void write_comparison(const analysis *a, const carom_determinant_crossings *found) {
    const int roots = a->roots->count;
    carom_record_measure(a->record, "crossings", found->count, "1", "crossings of the two curves");
    carom_record_measure(a->record, "spurious_crossings", found->count - found->true_count, "1",
                         "crossings that are no roots");
    carom_record_claim(a->record, "every_root_is_a_crossing", found->true_count == roots,
                       "there are as many roots as crossings at which the impact matrix "
                       "loses rank");
    carom_record_claim(a->record, "every_crossing_is_a_root", found->count == roots,
                       "every crossing of the two curves is a root");
}

/** The crossings of this system. */
static carom_status write_own(const analysis *a) {
    const settings *v = a->values;
    const plane_box box = {v->min_time, v->max_time, v->min_constrained_time,
                           v->max_constrained_time};
    CAROM_AUTO(carom_determinant_crossings) found = NULL;
    CAROM_TRY(find_crossings(v->modes->spectra, &box, &found, a->report));
    CAROM_TRY(found->count > 0 ? write_list(a, found) : CAROM_OK);
    write_comparison(a, found);
    return CAROM_OK;
}

/* --- four modes ---------------------------------------------------------------------------------
 */

/** Two of them oscillate, and two of three constrained ones. */
enum { MODES = 4 };
static const double SPECTRUM[MODES] = {-2.0, -0.5, 1.1, 3.1};
static const double CONSTRAINED_SPECTRUM[MODES - 1] = {-1.3, 0.35, 1.7};

/** Less than this, 1/s2, no constrained mode oscillates, but an unconstrained one does. */
static const double SHIFT = 1.8;

/** The plane that is searched, s. */
static const plane_box FOUR_MODE_BOX = {0.05, 8.0, 0.05, 8.0};

/** Solutions among the crossings of the four modes with a shift of both spectra, even without
 * contact and odd with it. */
static carom_status count_solutions(const analysis *a, double shift, int *count) {
    double lambda[MODES];
    double constrained[MODES - 1];
    for (int i = 0; i < MODES; i++) {
        lambda[i] = SPECTRUM[i] - shift;
    }
    for (int j = 0; j < MODES - 1; j++) {
        constrained[j] = CONSTRAINED_SPECTRUM[j] - shift;
    }
    carom_phase_spectra *spectra = NULL;
    carom_determinant_crossings *found = NULL;
    CAROM_TRY(carom_phase_spectra_make(MODES, lambda, constrained, CAROM_PARITY_EVEN,
                                       CAROM_PARITY_ODD, &spectra, a->report));
    const carom_status status = find_crossings(spectra, &FOUR_MODE_BOX, &found, a->report);
    *count = status == CAROM_OK ? found->true_count : 0;
    carom_determinant_crossings_free(found);
    carom_phase_spectra_free(spectra);
    return status;
}

/** The same modes with and without oscillation in contact. */
static carom_status write_four_modes(const analysis *a) {
    int oscillating = 0;
    int shifted = 0;
    CAROM_TRY(count_solutions(a, 0.0, &oscillating));
    CAROM_TRY(count_solutions(a, SHIFT, &shifted));
    carom_record_measure(a->record, "four_mode_solutions", oscillating, "1",
                         "crossings that are roots: four modes, two constrained ones "
                         "oscillate");
    carom_record_measure(a->record, "shifted_solutions", shifted, "1",
                         "the same with both spectra shifted below oscillation");
    carom_record_claim(a->record, "no_root_without_oscillation", oscillating > 0 && shifted == 0,
                       "no root where no constrained mode oscillates: four modes shifted");
    return CAROM_OK;
}

carom_status collisionless_write_crossings(const analysis *a) {
    CAROM_TRY(write_own(a));
    return write_four_modes(a);
}
