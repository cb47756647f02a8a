/** The box of impact times and the size of the motions: what is not given follows from the modes.
 */
#include "results.h"

#include <math.h>

/** The box in impact phases, angles of the highest mode of each phase: from where nearly nothing
 * has moved to five half turns of the unconstrained phase and three of the constrained one. */
static const double LEAST_PHASE = 0.02;
static const double LARGEST_PHASE = 16.0;
static const double LARGEST_CONSTRAINED_PHASE = 10.0;

/** A bound that is not given lies so many times beyond the one that is, where the phases above
 * would put it on the wrong side. */
static const double APART = 10.0;

/** Where the hanging chain of the picture meets the floor, m below its rest. */
static const double PICTURE_LEVEL = -1.0;

/** Frequency of the highest mode of a spectrum, or growth rate of the lowest if none oscillates. */
static double rate_of(int count, const double *lambda) {
    const double square = lambda[count - 1] > 0.0 ? lambda[count - 1] : -lambda[0];
    return square > 0.0 ? sqrt(square) : 1.0;
}

/** Complete the bounds of one time. */
static void complete_bounds(double rate, double largest_phase, double *least, double *largest) {
    const bool has_least = !isnan(*least);
    if (!has_least) {
        *least = LEAST_PHASE / rate;
        *least = isnan(*largest) ? *least : fmin(*least, *largest / APART);
    }
    if (isnan(*largest)) {
        *largest = largest_phase / rate;
        *largest = has_least ? fmax(*largest, *least * APART) : *largest;
    }
}

bool collisionless_has_fine_grid(const settings *values) {
    const carom_phase_spectra *s = values->modes->spectra;
    const double wide = 4.0;
    return rate_of(s->mode_count, s->unconstrained) * values->max_time <= wide * LARGEST_PHASE &&
           rate_of(s->mode_count - 1, s->constrained) * values->max_constrained_time <=
               wide * LARGEST_CONSTRAINED_PHASE;
}

/** What bounds tau bounds tau' as well, unless that has bounds of its own. */
static carom_status complete_box(settings *v, carom_report *report) {
    const carom_phase_spectra *s = v->modes->spectra;
    v->min_constrained_time =
        isnan(v->min_constrained_time) ? v->min_time : v->min_constrained_time;
    v->max_constrained_time =
        isnan(v->max_constrained_time) ? v->max_time : v->max_constrained_time;
    complete_bounds(rate_of(s->mode_count, s->unconstrained), LARGEST_PHASE, &v->min_time,
                    &v->max_time);
    complete_bounds(rate_of(s->mode_count - 1, s->constrained), LARGEST_CONSTRAINED_PHASE,
                    &v->min_constrained_time, &v->max_constrained_time);
    if (!(v->min_time < v->max_time)) {
        return carom_report_bound(report, "min time", v->min_time,
                                  "below --max-time =", v->max_time);
    }
    if (!(v->min_constrained_time < v->max_constrained_time)) {
        return carom_report_bound(report, "min constrained time", v->min_constrained_time,
                                  "below --max-constrained-time =", v->max_constrained_time);
    }
    return CAROM_OK;
}

/** Whether a phase has a mode of the parity that is free, lambda = 0. */
static bool has_free_mode(int count, const double *lambda, const carom_parity *parities,
                          carom_parity parity) {
    for (int i = 0; i < count; i++) {
        // Zero exactly: set where it was within rounding of it, or given so.
        if (!(fabs(lambda[i]) > 0.0) && parities[i] == parity) {
            return true;
        }
    }
    return false;
}

/** The contact of a free body has a static force only if nothing carries the body past P and its
 * constrained phase has an equilibrium; it has a level only if there is one to count from. */
static carom_status complete_size(settings *v, carom_report *report) {
    const carom_phase_spectra *s = v->modes->spectra;
    const int N = s->mode_count;
    const bool has_force =
        !has_free_mode(N, s->unconstrained, s->unconstrained_parity, CAROM_PARITY_ODD) &&
        !has_free_mode(N - 1, s->constrained, s->constrained_parity, CAROM_PARITY_EVEN);
    const bool has_level =
        !has_free_mode(N, s->unconstrained, s->unconstrained_parity, CAROM_PARITY_EVEN);
    const bool is_given = !isnan(v->static_force) || !isnan(v->contact_level);
    if (!is_given && v->is_picture) {
        v->contact_level = PICTURE_LEVEL;
    } else if (!is_given && has_force) {
        v->static_force = 1.0;
    }
    if (!isnan(v->static_force) && !isnan(v->contact_level)) {
        return carom_report_say(report, CAROM_STATUS_CONFLICT,
                                "--static-force together with --contact-level");
    }
    if (!isnan(v->static_force) && !(fabs(v->static_force) > 0.0)) {
        return carom_report_refuse(report, "static force", v->static_force, -1, "not 0");
    }
    if (!isnan(v->contact_level) && !(fabs(v->contact_level) > 0.0)) {
        return carom_report_refuse(report, "contact level", v->contact_level, -1, "not 0");
    }
    if (!isnan(v->contact_level) && !has_level) {
        return carom_report_say(report, CAROM_STATUS_CONFLICT,
                                "--contact-level of a singular stiffness: without contact it has "
                                "no equilibrium, which the level is counted from");
    }
    if (!isnan(v->static_force) && !has_force) {
        return carom_report_say(report, CAROM_STATUS_CONFLICT,
                                "--static-force of a free mode: the contact has none that its "
                                "motions could be sized by");
    }
    return CAROM_OK;
}

carom_status collisionless_complete(settings *values, carom_report *report) {
    CAROM_TRY(complete_box(values, report));
    return complete_size(values, report);
}
