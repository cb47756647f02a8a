/** The indeterminacy over angle and mass of the cue ball, and where the outcome is unique. */
#include "results.h"

#include <carom/base/parallel.h>

#include <gsl/gsl_math.h>
#include <stdlib.h>

/** Curves c = -cos(pi/k), k = 2, 3, .. */
enum { FEWEST_ORDER = 2, ORDERS = 5 };

/** Of a cosine. */
static const double ROUNDING = 1e-14;

typedef struct plane {
    const billiards *x;
    double *values; /**< [ratio][angle], NaN where a and b overlap */
} plane;

static double angle_of(const settings *v, int i) {
    return i + 1 < v->map_angles ? M_PI * i / (v->map_angles - 1.0) : M_PI;
}

static double ratio_of(const settings *v, int i) {
    const double share = i / (v->map_ratios - 1.0);
    return v->least_ratio * pow(v->largest_ratio / v->least_ratio, share);
}

/** The break with a cue ball of a given mass, m_c/m_a. */
static carom_billiard_break_params with_ratio(const settings *v, double ratio) {
    carom_billiard_break_params cue = v->cue;
    cue.radii[C] = cue.radii[A] * cbrt(ratio);
    return cue;
}

/** One row: all angles of a mass. */
static carom_status compute_row(int item, void *context, carom_report *report) {
    const plane *p = context;
    const settings *v = p->x->values;
    carom_billiard_break_params cue = with_ratio(v, ratio_of(v, item));
    const double smallest = carom_billiard_break_smallest_angle(cue.radii);
    for (int i = 0; i < v->map_angles; i++) {
        double *value = p->values + item * v->map_angles + i;
        *value = (double)NAN;
        cue.angle = angle_of(v, i);
        if (cue.angle >= smallest) {
            outcome o;
            CAROM_TRY(billiards_run(&cue, &o, report));
            *value = o.indeterminacy;
        }
    }
    return CAROM_OK;
}

static carom_status write_plane(const billiards *x, plane *p, double *axis) {
    const settings *v = x->values;
    CAROM_TRY(carom_parallel_map(v->map_ratios, x->common->threads, compute_row, p, x->report));
    for (int i = 0; i < v->map_ratios; i++) {
        axis[i] = ratio_of(v, i);
    }
    carom_record_axis(x->record, "/map/mass_ratio", v->map_ratios, axis, "1", "m_c/m_a");
    for (int i = 0; i < v->map_angles; i++) {
        axis[i] = angle_of(v, i);
    }
    carom_record_axis(x->record, "/map/angle", v->map_angles, axis, "rad", "theta");
    carom_record_series(x->record, "/map/indeterminacy", p->values, "/map/mass_ratio", "/map/angle",
                        "1", "xi; NaN where a and b overlap");
    double largest = 0.0;
    for (int i = 0; i < v->map_ratios * v->map_angles; i++) {
        largest = isnan(p->values[i]) ? largest : fmax(largest, p->values[i]);
    }
    carom_record_measure(x->record, "map_largest", largest, "1", "largest xi of the map");
    return CAROM_OK;
}

/** cos(theta) sqrt(mu_a mu_b) = -cos(pi/k): theta of each mass, and where a and b touch. */
static void write_curves(const billiards *x, plane *p, double *axis) {
    const settings *v = x->values;
    double orders[ORDERS];
    for (int i = 0; i < v->map_ratios; i++) {
        carom_billiard_break_params cue = with_ratio(v, ratio_of(v, i));
        axis[i] = carom_billiard_break_smallest_angle(cue.radii);
        cue.angle = 0.0;
        const double most = carom_billiard_break_cosine(&cue);
        for (int k = 0; k < ORDERS; k++) {
            orders[k] = FEWEST_ORDER + k;
            const double wanted = k == 0 ? 0.0 : -cos(M_PI / orders[k]) / most;
            // Equal masses and k = 3 meet at 180 deg, up to rounding.
            const double angle = wanted >= -1.0 - ROUNDING ? acos(fmax(wanted, -1.0)) : (double)NAN;
            p->values[i * ORDERS + k] = angle >= axis[i] ? angle : (double)NAN;
        }
    }
    carom_record_series(x->record, "/map/smallest_angle", axis, "/map/mass_ratio", NULL, "rad",
                        "theta at which a and b touch");
    carom_record_axis(x->record, "/map/order", ORDERS, orders, "1", "k of c = -cos(pi/k)");
    carom_record_series(x->record, "/map/unique_angle", p->values, "/map/mass_ratio", "/map/order",
                        "rad", "theta of a unique outcome; NaN: none");
}

carom_status billiards_write_map(const billiards *x) {
    const settings *v = x->values;
    const int longer = v->map_ratios > v->map_angles ? v->map_ratios : v->map_angles;
    const int wide = v->map_angles > ORDERS ? v->map_angles : ORDERS;
    double *axis = malloc((size_t)longer * sizeof *axis);
    plane p = {x, malloc((size_t)v->map_ratios * (size_t)wide * sizeof(double))};
    carom_status status = axis == NULL || p.values == NULL ? CAROM_STATUS_OUT_OF_MEMORY : CAROM_OK;
    if (status == CAROM_OK) {
        status = write_plane(x, &p, axis);
    }
    if (status == CAROM_OK) {
        write_curves(x, &p, axis);
    }
    free(p.values);
    free(axis);
    return status;
}
