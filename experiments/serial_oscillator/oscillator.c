/** Options with their defaults, the structure, and the work memory that all parts share. */
#include "results.h"

#include <math.h>
#include <stdlib.h>

/** Least part of a mode's period that keeps enough digits beside it. */
static const double LEAST_PART = 1e-9;

/** Most harmonics: a run then takes minutes. */
enum { MOST_HARMONICS = 2000 };

settings serial_oscillator_defaults(void) {
    static const double single_periods[] = {3.76, 3.78, 3.80, 3.82};
    static const double double_periods[] = {2.70, 2.76, 2.80, 2.84, 2.86};
    static const double family_times[] = {0.292658294206, 3.455386166713};
    static const double seven_times[SEVEN] = {1.8456565734, 1.1808735229, 1.6337220945,
                                              1.1808735229, 1.8456565734, 1.3884604230,
                                              1.3884604230};
    static const double one[] = {4.30};
    static const double two[] = {0.330508890769, 3.594491109231};
    static const double three[] = {0.210218004117, 0.210218004117, 3.480563991765};
    return (settings){
        .mass_count = 5,
        .gap = 1.0,
        .max_period = 8.4,
        .points = 401,
        .perturbation = 1e-3,
        .periods = 1000,
        .single_periods = {COUNT(single_periods), single_periods},
        .double_periods = {COUNT(double_periods), double_periods},
        .family_times = {COUNT(family_times), family_times},
        .seven_times = {SEVEN, seven_times},
        .neutral_times = {{COUNT(one), one}, {COUNT(two), two}, {COUNT(three), three}},
    };
}

/** Refuse a list of another length. */
static carom_status check_list(const carom_real_list *list, int count, const char *name,
                               carom_report *report) {
    return list->count == count ? CAROM_OK
                                : carom_report_bound(report, name, list->count, "exactly", count);
}

carom_status serial_oscillator_check(const settings *v, carom_report *report) {
    if (fpclassify(v->gap) == FP_ZERO) {
        return carom_report_refuse(report, "gap", v->gap, -1, "not 0");
    }
    // No mode is faster than 2 (k/m)^1/2 = 2 n.
    const double harmonic = acos(-1.0) / ((double)v->mass_count * v->mass_count);
    if (!(v->max_period >= LEAST_PART * harmonic)) {
        return carom_report_bound(report, "max period", v->max_period,
                                  "at least 1e-9 of the shortest period,", LEAST_PART * harmonic);
    }
    if (!(v->max_period <= MOST_HARMONICS * harmonic)) {
        return carom_report_bound(report, "max period", v->max_period, "up to 2000 harmonics,",
                                  MOST_HARMONICS * harmonic);
    }
    CAROM_TRY(check_list(&v->single_periods, CASE_COUNT - 2, "number of --single-periods", report));
    CAROM_TRY(check_list(&v->double_periods, CASE_COUNT - 1, "number of --double-periods", report));
    CAROM_TRY(check_list(&v->family_times, 2, "number of --family-times", report));
    CAROM_TRY(check_list(&v->seven_times, SEVEN, "number of --seven-times", report));
    CAROM_TRY(check_list(&v->neutral_times[0], 1, "number of --neutral-times-1", report));
    CAROM_TRY(check_list(&v->neutral_times[1], 2, "number of --neutral-times-2", report));
    return check_list(&v->neutral_times[2], 3, "number of --neutral-times-3", report);
}

carom_status serial_oscillator_open(oscillator *o) {
    carom_linear_system *system = NULL;
    CAROM_TRY(carom_serial_chain_uniform_alloc(o->values->mass_count, o->values->gap, &system,
                                               o->report));
    const carom_status status = carom_modal_basis_compute(system, &o->basis, o->report);
    carom_linear_system_free(system);
    CAROM_TRY(status);
    CAROM_TRY(carom_contact_motion_alloc(o->basis, &o->motion));
    CAROM_TRY(carom_stability_alloc(o->basis, &o->stability));
    const size_t n = (size_t)o->basis->coordinate_count;
    o->state = malloc(2 * n * sizeof *o->state);
    o->position = malloc(n * sizeof *o->position);
    o->velocity = malloc(n * sizeof *o->velocity);
    o->multipliers = malloc(4 * n * sizeof *o->multipliers);
    o->work = malloc(2 * n * sizeof *o->work);
    const bool has_memory = o->state != NULL && o->position != NULL && o->velocity != NULL &&
                            o->multipliers != NULL && o->work != NULL;
    return has_memory ? CAROM_OK : CAROM_STATUS_OUT_OF_MEMORY;
}

void serial_oscillator_close(oscillator *o) {
    free(o->work);
    free(o->multipliers);
    free(o->velocity);
    free(o->position);
    free(o->state);
    carom_period_intervals_free(o->prestressed);
    carom_period_intervals_free(o->intervals);
    carom_stability_free(o->stability);
    carom_contact_motion_free(o->motion);
    carom_modal_basis_free(o->basis);
}
