/** The bands of figure 2b and their measures: /scatter. */
#include "results.h"

#include <stdio.h>
#include <stdlib.h>

/** Points of one coefficient and frequency, [speed_count]. */
static const scatter_point *band_of(const scatter *p, int coefficient, int frequency) {
    return p->baseline +
           (size_t)(coefficient * p->frequency_count + frequency) * (size_t)p->speed_count;
}

/** Energy change by the target speeds (e + erp f) w: E_p ((e + erp f)^2 - 1). */
static double closed_form(const results *r, double restitution, double penetration) {
    const double s = restitution + r->values->baseline.error_reduction * penetration;
    return r->plastic_share * (s * s - 1.0);
}

/** The ends of the bands, and how they compare between frequencies and with the closed form. */
static void measure_bands(results *r) {
    scatter *p = &r->points;
    for (int k = 0; k < p->coefficient_count; k++) {
        double most[2] = {-HUGE_VAL, HUGE_VAL};  // extremes of the largest of a frequency
        double least[2] = {-HUGE_VAL, HUGE_VAL}; // and of the smallest
        for (int j = 0; j < p->frequency_count; j++) {
            const scatter_point *band = band_of(p, k, j);
            double high = -HUGE_VAL;
            double low = HUGE_VAL;
            for (int i = 0; i < p->speed_count; i++) {
                const double expected =
                    closed_form(r, r->values->coefficients.values[k], band[i].penetration);
                high = fmax(high, band[i].energy_change);
                low = fmin(low, band[i].energy_change);
                p->closed_form_error =
                    fmax(p->closed_form_error, fabs(band[i].energy_change - expected));
            }
            most[0] = fmax(most[0], high);
            most[1] = fmin(most[1], high);
            least[0] = fmax(least[0], low);
            least[1] = fmin(least[1], low);
        }
        p->largest[k] = most[0];
        p->smallest[k] = least[1];
        p->frequency_spread =
            fmax(p->frequency_spread, fmax(most[0] - most[1], least[0] - least[1]));
    }
}

/** The elastic point of the baseline that changes the energy least, and where it ends. */
static void find_stillest(results *r) {
    scatter *p = &r->points;
    p->stillest_gain = HUGE_VAL;
    p->stillest_velocity_gap = (double)NAN;
    for (int k = 0; k < p->coefficient_count; k++) {
        if (r->values->coefficients.values[k] < 1.0) {
            continue;
        }
        const scatter_point *band = band_of(p, k, 0);
        for (int i = 0; i < p->frequency_count * p->speed_count; i++) {
            if (fabs(band[i].energy_change) < p->stillest_gain) {
                p->stillest_gain = fabs(band[i].energy_change);
                p->stillest_velocity_gap = band[i].velocity_gap;
            }
        }
    }
}

static void measure_stepped(results *r) {
    scatter *p = &r->points;
    const int of_coefficient = p->frequency_count * p->stepped_count;
    for (int i = 0; i < p->coefficient_count * of_coefficient; i++) {
        const scatter_point *point = &p->stepped[i];
        const double line = p->line[i / of_coefficient];
        p->stepped_energy_error = fmax(p->stepped_energy_error, fabs(point->energy_change - line));
        p->stepped_velocity_error = fmax(p->stepped_velocity_error, point->velocity_gap);
        p->stepped_momentum_error = fmax(p->stepped_momentum_error, point->momentum_gap);
    }
}

/** Write a field of points [frequency][count] as count x frequency. */
static carom_status write_field(const results *r, const char *path, const char *axis, int count,
                                const scatter_point *points, double (*field)(const scatter_point *),
                                const char *long_name) {
    const int columns = r->points.frequency_count;
    double *table = malloc((size_t)count * (size_t)columns * sizeof(double));
    if (table == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < columns; j++) {
            table[i * columns + j] = field(&points[j * count + i]);
        }
    }
    carom_record_series(r->record, path, table, axis, "/scatter/frequency", "1", long_name);
    free(table);
    return CAROM_OK;
}

static double energy_change_of(const scatter_point *point) {
    return point->energy_change;
}

static double penetration_of(const scatter_point *point) {
    return point->penetration;
}

static double velocity_gap_of(const scatter_point *point) {
    return point->velocity_gap;
}

static carom_status write_coefficient(const results *r, int k) {
    const scatter *p = &r->points;
    carom_record *record = r->record;
    const scatter_point *band = band_of(p, k, 0);
    const scatter_point *stepped =
        p->stepped + (size_t)k * (size_t)p->frequency_count * (size_t)p->stepped_count;
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "/scatter/coefficient_%02d/restitution", k);
    carom_record_scalar(record, path, r->values->coefficients.values[k], "1",
                        "coefficient of restitution");
    snprintf(path, sizeof path, "/scatter/coefficient_%02d/propagative", k);
    carom_record_scalar(record, path, p->line[k], "1",
                        "energy change by the propagative law / energy before");
    snprintf(path, sizeof path, "/scatter/coefficient_%02d/largest", k);
    carom_record_scalar(record, path, p->largest[k], "1",
                        "largest energy change of the baseline / energy before");
    snprintf(path, sizeof path, "/scatter/coefficient_%02d/smallest", k);
    carom_record_scalar(record, path, p->smallest[k], "1",
                        "smallest energy change of the baseline / energy before");
    snprintf(path, sizeof path, "/scatter/coefficient_%02d/baseline", k);
    CAROM_TRY(write_field(r, path, "/scatter/speed", p->speed_count, band, energy_change_of,
                          "energy change by the baseline / energy before"));
    snprintf(path, sizeof path, "/scatter/coefficient_%02d/penetration", k);
    CAROM_TRY(write_field(r, path, "/scatter/speed", p->speed_count, band, penetration_of,
                          "penetration where the baseline finds the impact / way of a step"));
    snprintf(path, sizeof path, "/scatter/coefficient_%02d/distance", k);
    CAROM_TRY(write_field(r, path, "/scatter/speed", p->speed_count, band, velocity_gap_of,
                          "largest difference of velocities to the propagative law / speed"));
    snprintf(path, sizeof path, "/scatter/coefficient_%02d/variational", k);
    return p->stepped_count == 0
               ? CAROM_OK
               : write_field(r, path, "/scatter/stepped_speed", p->stepped_count, stepped,
                             energy_change_of,
                             "energy change by time stepping with the law / energy before");
}

/** The axis of the speeds that the time stepping takes. */
static carom_status write_stepped_speeds(const results *r) {
    const scatter *p = &r->points;
    if (p->stepped_count == 0) {
        return CAROM_OK;
    }
    double *stepped = malloc((size_t)p->stepped_count * sizeof(double));
    if (stepped == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int i = 0; i < p->stepped_count; i++) {
        stepped[i] = newtons_cradle_stepped_speed(p, i);
    }
    carom_record_axis(r->record, "/scatter/stepped_speed", p->stepped_count, stepped, "m s-1",
                      "speed of the fastest ball");
    free(stepped);
    return CAROM_OK;
}

carom_status newtons_cradle_write_scatter(results *r) {
    scatter *p = &r->points;
    measure_bands(r);
    find_stillest(r);
    measure_stepped(r);
    CAROM_TRY(write_stepped_speeds(r));
    carom_record_axis(r->record, "/scatter/speed", p->speed_count, p->speed, "m s-1",
                      "speed of the fastest ball");
    carom_record_axis(r->record, "/scatter/frequency", p->frequency_count,
                      r->values->frequencies.values, "Hz", "time steps per second");
    for (int k = 0; k < p->coefficient_count; k++) {
        CAROM_TRY(write_coefficient(r, k));
    }
    return CAROM_OK;
}
