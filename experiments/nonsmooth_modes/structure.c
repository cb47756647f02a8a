/** The structure: from a chain, from matrix files, or the bar; and what options must not combine.
 */
#include "results.h"

#include <carom/modes/few_impacts_internal.h>
#include <carom/program/memory.h>

#include <math.h>
#include <string.h>

bool nonsmooth_modes_is_picture(const settings *values) {
    return values->flight_times.count == 0 && values->search == 0 && !values->has_intervals;
}

/** Refuse a combination. */
static carom_status refuse(carom_report *report, const char *what) {
    return carom_report_fail(report, CAROM_STATUS_CONFLICT, what, (double)NAN, -1);
}

/** Refuse a structure that is given twice or by halves. */
static carom_status check_structure(const settings *v, carom_report *report) {
    const bool is_chain = v->masses.count > 0 || v->stiffnesses.count > 0;
    const bool is_general =
        v->mass.size > 0 || v->stiffness.size > 0 || v->contact_normal.count > 0;
    if (is_chain && is_general) {
        return refuse(report, "a chain (--masses, --stiffnesses) together with matrix files");
    }
    if (is_chain && v->masses.count == 0) {
        return refuse(report, "--stiffnesses without --masses");
    }
    if (is_chain && v->stiffnesses.count == 0) {
        return refuse(report, "--masses without --stiffnesses");
    }
    if (is_chain && v->masses.count != v->stiffnesses.count) {
        return carom_report_say(report, CAROM_STATUS_CONFLICT,
                                "the number of --stiffnesses is %d, that of --masses %d",
                                v->stiffnesses.count, v->masses.count);
    }
    if (is_general && v->mass.size == 0) {
        return refuse(report, "a structure without --mass-file");
    }
    if (is_general && v->stiffness.size == 0) {
        return refuse(report, "a structure without --stiffness-file");
    }
    if (is_general && v->contact_normal.count == 0) {
        return refuse(report, "a structure without --contact-normal");
    }
    if (v->mass.size != v->stiffness.size) {
        return carom_report_say(report, CAROM_STATUS_CONFLICT,
                                "the rows of --stiffness-file are %d, those of --mass-file %d",
                                v->stiffness.size, v->mass.size);
    }
    if (is_general && v->contact_normal.count != v->mass.size) {
        return carom_report_say(report, CAROM_STATUS_CONFLICT,
                                "the number of --contact-normal is %d, --mass-file has %d rows",
                                v->contact_normal.count, v->mass.size);
    }
    return CAROM_OK;
}

/** Refuse options about one solution where none is given, or that exclude each other. */
static carom_status check_solution(const settings *v, carom_report *report) {
    const bool has_guess = v->flight_times.count > 0;
    if (!has_guess && v->impact_speeds.count > 0) {
        return refuse(report, "--impact-speeds without --flight-times");
    }
    if (!has_guess && !isnan(v->period)) {
        return refuse(report, "--period without --flight-times");
    }
    if (!has_guess && v->grazing_impact > 0) {
        return refuse(report, "--grazing-impact without --flight-times");
    }
    if (!has_guess && v->has_branch) {
        return refuse(report, "--continue without --flight-times");
    }
    if (has_guess && v->flight_times.count != v->impacts) {
        return carom_report_say(report, CAROM_STATUS_CONFLICT,
                                "the number of --flight-times is %d, --impacts %d",
                                v->flight_times.count, v->impacts);
    }
    if (v->impact_speeds.count > 0 && v->impact_speeds.count != v->impacts) {
        return carom_report_say(report, CAROM_STATUS_CONFLICT,
                                "the number of --impact-speeds is %d, --impacts %d",
                                v->impact_speeds.count, v->impacts);
    }
    if (v->grazing_impact > v->impacts) {
        return carom_report_bound(report, "grazing impact", v->grazing_impact,
                                  "up to --impacts =", v->impacts);
    }
    if (v->grazing_impact > 0 && !isnan(v->period)) {
        return refuse(report, "--grazing-impact together with --period");
    }
    if (v->trajectory == 1) {
        return carom_report_refuse(report, "trajectory", v->trajectory, -1, "0 or at least 2");
    }
    return CAROM_OK;
}

/** Largest size of the time histories of a record. */
static const double MOST_HISTORY_BYTES = 0x1p30;

/** Refuse time histories that memory may not hold, counting every guess as a motion. */
static carom_status check_histories(const settings *v, const carom_modal_basis *basis,
                                    carom_report *report) {
    const double motions = nonsmooth_modes_is_picture(v) ? 2.0 * NONSMOOTH_MODES_PICTURE_GUESSES
                                                         : fmax(1.0, v->search);
    const double row = (1.0 + 2.0 * basis->coordinate_count) * (double)sizeof(double);
    const double bytes = motions * v->trajectory * row;
    if (bytes > MOST_HISTORY_BYTES) {
        return carom_report_bound(report, "trajectory", v->trajectory,
                                  "1 GiB for all motions that may be found, up to",
                                  floor(MOST_HISTORY_BYTES / (motions * row)));
    }
    return CAROM_OK;
}

/** Refuse more periods than can be gone through. */
static carom_status check_harmonics(const settings *v, const carom_modal_basis *basis,
                                    carom_report *report) {
    const bool is_picture = nonsmooth_modes_is_picture(v);
    if (isnan(v->max_period) || !(v->has_intervals || is_picture)) {
        return CAROM_OK;
    }
    const double windows = is_picture ? NONSMOOTH_MODES_WINDOWS : 1.0;
    const double most = CAROM_PERIOD_INTERVALS_MOST_HARMONICS;
    if (!(carom_single_impact_harmonics(basis, windows * v->max_period) <= most)) {
        double rate = 0.0;
        for (int l = 0; l < basis->visible_count; l++) {
            rate += windows * basis->frequency[l] / (2.0 * acos(-1.0));
        }
        return carom_report_bound(report, "max period", v->max_period, "up to a million harmonics,",
                                  most / rate);
    }
    return CAROM_OK;
}

/** Refuse a gap at rest of zero where the theory needs its sign. */
static carom_status check_gap(const settings *v, carom_report *report) {
    const bool needs_gap = v->has_intervals || v->has_branch || nonsmooth_modes_is_picture(v);
    if (needs_gap && fpclassify(v->gap) == FP_ZERO) {
        return carom_report_refuse(report, "gap", v->gap, -1, "not 0");
    }
    return CAROM_OK;
}

/** A structure from matrices. */
static carom_status make_general(const settings *v, carom_linear_system **out) {
    const size_t n = (size_t)v->mass.size;
    CAROM_TRY(carom_linear_system_alloc(v->mass.size, out));
    memcpy((*out)->mass, v->mass.values, n * n * sizeof(double));
    memcpy((*out)->stiffness, v->stiffness.values, n * n * sizeof(double));
    memcpy((*out)->contact_normal, v->contact_normal.values, n * sizeof(double));
    (*out)->gap_at_rest = v->gap;
    return CAROM_OK;
}

/** Bytes for each place in the matrices of the bar: mass, stiffness, modes, and two of their work.
 */
#define ENTRY_SIZE (5.0 * sizeof(double))

/** The structure that was asked for. */
static carom_status make_system(const settings *v, carom_linear_system **out,
                                carom_report *report) {
    if (v->masses.count > 0) {
        return carom_serial_chain_alloc(v->masses.count, v->masses.values, v->stiffnesses.values,
                                        v->gap, out, report);
    }
    if (v->mass.size > 0) {
        return make_general(v, out);
    }
    const double n = v->elements;
    CAROM_TRY(carom_memory_check(n * n, ENTRY_SIZE, "entries of the matrices", report));
    carom_clamped_bar_params bar = carom_clamped_bar_params_default();
    bar.elements = v->elements;
    bar.gap_at_rest = v->gap;
    return carom_clamped_bar_alloc(&bar, out, report);
}

carom_status nonsmooth_modes_check(void *context, carom_report *report) {
    settings *values = context;
    CAROM_TRY(check_structure(values, report));
    CAROM_TRY(check_solution(values, report));
    CAROM_TRY(check_gap(values, report));
    CAROM_AUTO(carom_linear_system) system = NULL;
    CAROM_TRY(make_system(values, &system, report));
    CAROM_TRY(carom_modal_basis_compute(system, &values->basis, report));
    CAROM_TRY(check_harmonics(values, values->basis, report));
    return check_histories(values, values->basis, report);
}

void nonsmooth_modes_write_structure(const analysis *a) {
    const int n = a->basis->coordinate_count;
    carom_record_index_axis(a->record, "/coordinate", n, "coordinate of the structure");
    carom_record_index_axis(a->record, "/part", 2, "real and imaginary part");
    carom_record_index_axis(a->record, "/end", 2, "lower and upper end");
    if (n > 1) {
        carom_record_index_axis(a->record, "/multiplier", 2 * n - 2,
                                "multiplier of the return map");
    }
    carom_record_index_axis(a->record, "/structure/mode", n,
                            "linear mode; those that do not move the contact come last");
    carom_record_series(a->record, "/structure/frequency", a->basis->frequency, "/structure/mode",
                        NULL, "rad s-1", "natural frequency omega");
    carom_record_series(a->record, "/structure/participation", a->basis->participation,
                        "/structure/mode", NULL, "1", "participation rho in the contact");
    const double G = a->basis->root_inverse_mass * a->basis->root_inverse_mass;
    carom_record_scalar(a->record, "/structure/inverse_mass", G, "kg-1",
                        "inverse mass G of the contact");
    carom_record_scalar(a->record, "/structure/max_period", a->max_period, "s",
                        "longest period looked at");
}
