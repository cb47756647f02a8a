#include <carom/base/roots.h>
#include <carom/collisionless/motion/internal.h>

#include <float.h>
#include <gsl/gsl_math.h>
#include <math.h>

static carom_status check_time(double time, const char *name, carom_report *report) {
    if (!isfinite(time)) {
        return carom_report_fail(report, CAROM_STATUS_NOT_FINITE, name, time, -1);
    }
    if (!(time > 0.0)) {
        return carom_report_refuse(report, name, time, -1, "> 0");
    }
    return CAROM_OK;
}

carom_status carom_phase_times_check(double time, double constrained_time, carom_report *report) {
    CAROM_TRY(check_time(time, "time", report));
    return check_time(constrained_time, "constrained time", report);
}

/** Brent's method never needs more than the square of the 53 bisections of a side. */
enum { MAX_ITERATIONS = 53 * 53 };

/** Width of a bracket that is down to rounding, in roundings of the side: the method stops there on
 * its own. */
static const double BRACKET_ROUNDINGS = 4.0;

carom_status carom_impact_phase_cell_bounds(const carom_phase_spectra *spectra, int column, int row,
                                            double bounds[4]) {
    const int N = spectra->mode_count;
    const bool is_even = spectra->unconstrained_parity[N - 1] == CAROM_PARITY_EVEN;
    const bool is_constrained_even = spectra->constrained_parity[N - 2] == CAROM_PARITY_EVEN;
    if (column < (is_even ? 2 : 1) || row < 0) {
        for (int k = 0; k < 4; k++) {
            bounds[k] = (double)NAN;
        }
        return CAROM_STATUS_OUT_OF_RANGE;
    }
    /* In quarter turns: each cell is one of them wide. */
    const double lower = 2.0 * (column - 1.0) + (is_even ? 0.0 : 1.0);
    const double constrained_lower = 2.0 * row + (is_constrained_even ? 1.0 : 0.0);
    bounds[0] = lower * M_PI_2;
    bounds[1] = (lower + 1.0) * M_PI_2;
    bounds[2] = constrained_lower * M_PI_2;
    bounds[3] = (constrained_lower + 1.0) * M_PI_2;
    return CAROM_OK;
}

/** A map, and whether it has failed. */
typedef struct map_equation {
    carom_impact_phase_cell_map map;
    void *context;
    bool has_failed;
} map_equation;

static double map_defect(double offset, void *context) {
    map_equation *at = context;
    const double image = at->map(offset, at->context);
    at->has_failed = at->has_failed || isnan(image);
    return offset - image;
}

carom_status carom_impact_phase_cell_fixed_point(carom_bracket *bracket,
                                                 carom_impact_phase_cell_map map, void *context,
                                                 double *offset) {
    *offset = (double)NAN;
    map_equation at = {.map = map, .context = context, .has_failed = false};
    gsl_function equation = {.function = map_defect, .params = &at};
    /* The image of 0 lies above it, that of pi/2 below. */
    carom_status status = carom_bracket_start(bracket, &equation, 0.0, M_PI_2);
    double width = M_PI_2;
    const double least_width = BRACKET_ROUNDINGS * DBL_EPSILON;
    for (int k = 0; status == CAROM_OK && k < MAX_ITERATIONS && width > least_width; k++) {
        status = carom_bracket_narrow(bracket);
        width = bracket->high - bracket->low;
    }
    if (at.has_failed) {
        return CAROM_STATUS_SINGULAR;
    }
    if (status != CAROM_OK || !(width <= least_width)) {
        return CAROM_STATUS_NOT_CONVERGED;
    }
    *offset = bracket->root;
    return CAROM_OK;
}
