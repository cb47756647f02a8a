#include <carom/study/collisionless_record.h>

#include <math.h>
#include <stdlib.h>

/** Number of rows of a table. */
#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/* --- curves of both determinants -------------------------------------------------------------- */

/** A point of a curve, or NaN after its last one. */
typedef struct curve_point {
    double phase;
    double constrained_phase;
} curve_point;

static const carom_field PHASES[] = {
    CAROM_FIELD("phase", curve_point, phase, "rad", "o_N; NaN after each curve"),
    CAROM_FIELD("constrained_phase", curve_point, constrained_phase, "rad",
                "o'_(N-1); NaN after each curve"),
};

static const carom_field TIMES[] = {
    CAROM_FIELD("time", curve_point, phase, "s", "tau; NaN after each curve"),
    CAROM_FIELD("constrained_time", curve_point, constrained_phase, "s",
                "tau'; NaN after each curve"),
};

/** The points of a family, with a row for the end of each of its curves. @return their number */
static int collect(const carom_determinant_curves *curves, int family, double rate,
                   double constrained_rate, curve_point *points) {
    int count = 0;
    for (int p = 0; p < curves->polyline_count; p++) {
        if (curves->family[curves->first[p]] != family) {
            continue;
        }
        for (int i = curves->first[p]; i < curves->first[p + 1]; i++) {
            points[count++] = (curve_point){curves->phase[i] / rate,
                                            curves->constrained_phase[i] / constrained_rate};
        }
        points[count++] = (curve_point){(double)NAN, (double)NAN};
    }
    return count;
}

carom_status carom_collisionless_record_curves(carom_record *record,
                                               const carom_phase_spectra *spectra,
                                               const carom_determinant_curves *curves,
                                               bool is_over_times) {
    CAROM_ASSERT(record != NULL && spectra != NULL && curves != NULL);
    static const char *const NAMES[] = {"without_mode", "without_force"};
    static const char *const MEANINGS[] = {"points of the curves det B_(N) = 0, without row N",
                                           "points of the curves det B_(N+1) = 0, without row N+1"};
    const double rate = is_over_times ? carom_phase_spectra_frequency(spectra) : 1.0;
    const double constrained_rate =
        is_over_times ? carom_phase_spectra_constrained_frequency(spectra) : 1.0;
    const size_t most = (size_t)(curves->point_count + curves->polyline_count) + 1;
    CAROM_AUTO_MEMORY curve_point *points = malloc(most * sizeof *points);
    if (points == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int family = 0; family < CAROM_DETERMINANT_FAMILY_COUNT; family++) {
        const int count = collect(curves, family, rate, constrained_rate, points);
        if (count == 0) {
            continue;
        }
        carom_record group = carom_record_group(record, "curves/%s", NAMES[family]);
        carom_record_index_axis(&group, "point", count, MEANINGS[family]);
        carom_record_rows(&group, "point", points, count, sizeof *points,
                          is_over_times ? TIMES : PHASES, COUNT(PHASES));
    }
    return CAROM_OK;
}

/* --- their crossings -------------------------------------------------------------------------- */

/** A crossing beside the roots. */
typedef struct crossing_row {
    carom_determinant_crossing crossing;
    double distance; /**< in the plane of impact phases to the nearest root, rad */
} crossing_row;

static const carom_field CROSSINGS[] = {
    CAROM_FIELD("time", crossing_row, crossing.time, "s", "tau"),
    CAROM_FIELD("constrained_time", crossing_row, crossing.constrained_time, "s", "tau'"),
    CAROM_FIELD("smallest_singular_value", crossing_row, crossing.rank.smallest, "1",
                "of the impact matrix"),
    CAROM_FIELD("norm_error", crossing_row, crossing.rank.norm_error, "1",
                "length of all its singular values less that of its entries"),
    CAROM_FIELD("spurious", crossing_row, crossing.is_spurious, "1",
                "1: no root, the impact matrix keeps its rank"),
    CAROM_FIELD("root_distance", crossing_row, distance, "rad",
                "in the plane of impact phases to the nearest root; NaN: there is no root"),
};

carom_status carom_collisionless_record_crossings(carom_record *record,
                                                  const carom_phase_spectra *spectra,
                                                  const carom_impact_phase_window *window,
                                                  const carom_root_list *roots,
                                                  carom_report *report) {
    CAROM_ASSERT(record != NULL && spectra != NULL && window != NULL && roots != NULL);
    const double rate = carom_phase_spectra_frequency(spectra);
    const double constrained_rate = carom_phase_spectra_constrained_frequency(spectra);
    CAROM_AUTO(carom_determinant_crossings) found = NULL;
    CAROM_TRY(carom_determinant_crossings_find(spectra, window, &found, report));
    const size_t most = (size_t)found->count + 1;
    CAROM_AUTO_MEMORY crossing_row *rows = malloc(most * sizeof *rows);
    if (rows == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int k = 0; k < found->count; k++) {
        // fmin passes over NaN.
        rows[k] = (crossing_row){found->crossings[k], (double)NAN};
        for (int i = 0; i < roots->count; i++) {
            const carom_impact_root *root = &roots->roots[i];
            rows[k].distance =
                fmin(rows[k].distance, hypot(rate * root->time - rows[k].crossing.phase,
                                             constrained_rate * root->constrained_time -
                                                 rows[k].crossing.constrained_phase));
        }
    }
    carom_record group = carom_record_group(record, "crossings");
    carom_record_integer(&group, "count", found->count, "1",
                         "crossings of the curves of both determinants in the window");
    if (found->count > 0) {
        carom_record_index_axis(&group, "crossing", found->count, "crossing");
        carom_record_rows(&group, "crossing", rows, found->count, sizeof *rows, CROSSINGS,
                          COUNT(CROSSINGS));
    }
    return CAROM_OK;
}

/* --- the plane of impact phases --------------------------------------------------------------- */

static const carom_field ROOT_PHASES[] = {
    CAROM_FIELD("phase", curve_point, phase, "rad", "o_N, impact phase without contact"),
    CAROM_FIELD("constrained_phase", curve_point, constrained_phase, "rad",
                "o'_(N-1), impact phase with contact"),
};

carom_status carom_collisionless_record_phases(carom_record *record,
                                               const carom_phase_spectra *spectra,
                                               const carom_root_list *roots) {
    CAROM_ASSERT(record != NULL && spectra != NULL && roots != NULL);
    if (roots->count == 0) {
        return CAROM_OK;
    }
    CAROM_AUTO_MEMORY curve_point *points = malloc((size_t)roots->count * sizeof *points);
    if (points == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int k = 0; k < roots->count; k++) {
        const carom_impact_root *root = &roots->roots[k];
        points[k] = (curve_point){
            carom_phase_spectra_frequency(spectra) * root->time,
            carom_phase_spectra_constrained_frequency(spectra) * root->constrained_time,
        };
    }
    carom_record group = carom_record_group(record, "roots");
    carom_record_rows(&group, "root", points, roots->count, sizeof *points, ROOT_PHASES,
                      COUNT(ROOT_PHASES));
    return CAROM_OK;
}
