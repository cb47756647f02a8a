/** The system: from matrix files, from two spectra, or the hanging chain; its modes with their
 * parities; and what options must not combine. */
#include "results.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** Two unit masses in a chain of two unit springs, hanging from a ceiling; the lower one, the last
 * coordinate, meets a floor. */
enum { CHAIN = 2 };
static const double CHAIN_MASS[CHAIN * CHAIN] = {1.0, 0.0, 0.0, 1.0};
static const double CHAIN_STIFFNESS[CHAIN * CHAIN] = {2.0, -1.0, -1.0, 1.0};

/** Refuse a combination. */
static carom_status refuse(carom_report *report, const char *what) {
    return carom_report_fail(report, CAROM_STATUS_CONFLICT, what, (double)NAN, -1);
}

/** Refuse matrices that are given by halves, with spectra, or do not fit. */
static carom_status check_matrices(const settings *v, carom_report *report) {
    const bool has_matrix = v->mass.size > 0 || v->stiffness.size > 0;
    const bool has_spectrum = v->spectrum.count > 0 || v->constrained_spectrum.count > 0;
    if (has_matrix && has_spectrum) {
        return refuse(report, "matrix files together with spectra");
    }
    if (has_matrix && v->mass.size == 0) {
        return refuse(report, "--stiffness-file without --mass-file");
    }
    if (has_matrix && v->stiffness.size == 0) {
        return refuse(report, "--mass-file without --stiffness-file");
    }
    if (v->mass.size != v->stiffness.size) {
        return carom_report_say(report, CAROM_STATUS_CONFLICT,
                                "the rows of --stiffness-file are %d, those of --mass-file %d",
                                v->stiffness.size, v->mass.size);
    }
    if (has_matrix && v->contact_coordinate > v->mass.size) {
        return carom_report_say(report, CAROM_STATUS_CONFLICT,
                                "--contact-coordinate is %d, more than the %d rows of --mass-file",
                                v->contact_coordinate, v->mass.size);
    }
    if (!has_matrix && v->contact_coordinate > 0) {
        return refuse(report, "--contact-coordinate without --mass-file");
    }
    return CAROM_OK;
}

/** Refuse the first pair of neighbours out of order, by name. */
static carom_status check_interlacing(const settings *v, carom_report *report) {
    const double *lambda = v->spectrum.values;
    const double *constrained = v->constrained_spectrum.values;
    for (int k = 1; k < 2 * v->spectrum.count - 1; k++) {
        const double lower = k % 2 == 1 ? lambda[k / 2] : constrained[k / 2 - 1];
        const double upper = k % 2 == 1 ? constrained[k / 2] : lambda[k / 2];
        if (!(lower < upper)) {
            return carom_report_say(
                report, CAROM_STATUS_CONFLICT,
                "--spectrum and --constrained-spectrum do not interlace: lambda%s_%d = %g is not "
                "below lambda%s_%d = %g",
                k % 2 == 1 ? "" : "'", (k + 1) / 2, lower, k % 2 == 1 ? "'" : "", k / 2 + 1, upper);
        }
    }
    return CAROM_OK;
}

/** Refuse spectra that are given by halves or cannot be those of two phases. */
static carom_status check_spectra(const settings *v, carom_report *report) {
    const int N = v->spectrum.count;
    const int constrained = v->constrained_spectrum.count;
    if (N == 0 && constrained == 0) {
        return isnan(v->inverse_mass) ? CAROM_OK
                                      : refuse(report, "--inverse-mass without --spectrum");
    }
    if (N == 0) {
        return refuse(report, "--constrained-spectrum without --spectrum");
    }
    if (constrained == 0) {
        return refuse(report, "--spectrum without --constrained-spectrum");
    }
    if (constrained != N - 1) {
        return carom_report_bound(report, "number of --constrained-spectrum", constrained,
                                  "one less than that of --spectrum,", N - 1);
    }
    return check_interlacing(v, report);
}

/** Room for the matrices in the order that is used. */
static carom_status allocate_matrices(int n, settings *v) {
    const size_t size = (size_t)n;
    v->order = malloc(size * sizeof *v->order);
    v->ordered_mass = malloc(size * size * sizeof *v->ordered_mass);
    v->ordered_stiffness = malloc(size * size * sizeof *v->ordered_stiffness);
    return v->order != NULL && v->ordered_mass != NULL && v->ordered_stiffness != NULL
               ? CAROM_OK
               : CAROM_STATUS_OUT_OF_MEMORY;
}

/** The contact coordinate becomes the last one; the others keep their order. */
static void fill_order(int n, int contact, int *order) {
    for (int i = 0; i < n; i++) {
        order[i] = i + 1 < contact ? i + 1 : i + 2;
    }
    order[n - 1] = contact;
}

/** Rows and columns of a matrix in an order. */
static void reorder(int n, const int *order, const double *from, double *to) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            to[i * n + j] = from[(order[i] - 1) * n + order[j] - 1];
        }
    }
}

/** A system from matrices. */
static carom_status make_from_matrices(int n, const double *mass, const double *stiffness,
                                       settings *v, carom_report *report) {
    CAROM_TRY(allocate_matrices(n, v));
    fill_order(n, v->contact_coordinate > 0 ? v->contact_coordinate : n, v->order);
    reorder(n, v->order, mass, v->ordered_mass);
    reorder(n, v->order, stiffness, v->ordered_stiffness);
    return carom_phase_modes_compute(n, v->ordered_mass, v->ordered_stiffness, CAROM_PARITY_EVEN,
                                     CAROM_PARITY_EVEN, &v->modes, report);
}

/** A system of equal masses with given spectra. */
static carom_status make_from_spectra(settings *v, carom_report *report) {
    const int N = v->spectrum.count;
    v->inverse_mass = isnan(v->inverse_mass) ? 1.0 : v->inverse_mass;
    CAROM_TRY(allocate_matrices(N, v));
    fill_order(N, N, v->order);
    carom_phase_spectra *spectra = NULL;
    CAROM_TRY(carom_phase_spectra_make(N, v->spectrum.values, v->constrained_spectrum.values,
                                       CAROM_PARITY_EVEN, CAROM_PARITY_EVEN, &spectra, report));
    const carom_status status = carom_phase_modes_realize(spectra, v->inverse_mass, v->ordered_mass,
                                                          v->ordered_stiffness, &v->modes, report);
    carom_phase_spectra_free(spectra);
    return status;
}

/** The system that was asked for. */
static carom_status make_system(settings *v, carom_report *report) {
    if (v->mass.size > 0) {
        return make_from_matrices(v->mass.size, v->mass.values, v->stiffness.values, v, report);
    }
    if (v->spectrum.count > 0) {
        return make_from_spectra(v, report);
    }
    v->is_picture = true;
    return make_from_matrices(CHAIN, CHAIN_MASS, CHAIN_STIFFNESS, v, report);
}

/** Parities as given; else those of a body that rocks: even without, odd with contact. */
static carom_status set_parities(settings *v, carom_report *report) {
    carom_phase_spectra *s = v->modes->spectra;
    v->parity = v->parity != NULL ? v->parity : "even";
    if (v->constrained_parity == NULL) {
        v->constrained_parity = v->is_picture ? "even" : "odd";
    }
    CAROM_TRY(collisionless_read_parity(v->parity, "--parity", s->mode_count,
                                        s->unconstrained_parity, report));
    return collisionless_read_parity(v->constrained_parity, "--constrained-parity",
                                     s->mode_count - 1, s->constrained_parity, report);
}

carom_status collisionless_check(settings *values, carom_report *report) {
    CAROM_TRY(check_matrices(values, report));
    CAROM_TRY(check_spectra(values, report));
    CAROM_TRY(make_system(values, report));
    CAROM_TRY(set_parities(values, report));
    return collisionless_complete(values, report);
}

void collisionless_clear(settings *values) {
    carom_phase_modes_free(values->modes);
    free(values->order);
    free(values->ordered_mass);
    free(values->ordered_stiffness);
}

/** Parities as -1 and 1 over an axis. */
static carom_status write_parities(carom_record *record, const char *path, const char *axis,
                                   int count, const carom_parity *parities) {
    CAROM_ASSERT(count >= 1);
    int *sigma = malloc((size_t)count * sizeof *sigma);
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    if (sigma != NULL) {
        for (int i = 0; i < count; i++) {
            sigma[i] = parities[i] == CAROM_PARITY_EVEN ? -1 : 1;
        }
        carom_record_integer_series(record, path, sigma, axis, NULL, "1",
                                    "sigma: -1 even, 1 odd about the symmetry point");
        status = CAROM_OK;
    }
    free(sigma);
    return status;
}

/** Spectra and parities of the modes that move the contact. */
static carom_status write_modes(carom_record *record, const carom_phase_modes *modes) {
    const carom_phase_spectra *s = modes->spectra;
    const int N = s->mode_count;
    carom_record_index_axis(record, "/system/mode", N, "unconstrained mode");
    carom_record_index_axis(record, "/system/constrained_mode", N - 1, "constrained mode");
    carom_record_series(record, "/system/spectrum", s->unconstrained, "/system/mode", NULL, "s-2",
                        "lambda");
    carom_record_series(record, "/system/constrained_spectrum", s->constrained,
                        "/system/constrained_mode", NULL, "s-2", "lambda'");
    carom_record_series(record, "/system/shape", modes->shape, "/system/row", "/system/mode", "1",
                        "X, scaled to 1 at the contact in the last");
    carom_record_series(record, "/system/constrained_shape", modes->constrained_shape,
                        "/system/row", "/system/constrained_mode", "s2", "X'");
    CAROM_TRY(write_parities(record, "/system/parity", "/system/mode", N, s->unconstrained_parity));
    return write_parities(record, "/system/constrained_parity", "/system/constrained_mode", N - 1,
                          s->constrained_parity);
}

carom_status collisionless_write_system(const analysis *a) {
    const settings *v = a->values;
    const carom_phase_modes *modes = v->modes;
    const int n = modes->coordinate_count;
    carom_record_index_axis(a->record, "/system/row", n, "coordinate, the contact last");
    carom_record_index_axis(a->record, "/system/column", n, "coordinate, as the rows");
    carom_record_integer_series(a->record, "/system/coordinate", v->order, "/system/row", NULL, "1",
                                "number of the coordinate as given, from 1");
    carom_record_series(a->record, "/system/mass", v->ordered_mass, "/system/row", "/system/column",
                        "kg", "m");
    carom_record_series(a->record, "/system/stiffness", v->ordered_stiffness, "/system/row",
                        "/system/column", "N m-1", "k");
    CAROM_TRY(write_modes(a->record, modes));
    carom_record_scalar(a->record, "/system/normalisation", modes->normalisation, "kg-1",
                        "c, inverse modal mass of the last mode");
    carom_record_scalar(a->record, "/system/compliance", modes->compliance, "m N-1",
                        "of the contact, (k^-1)_NN; NaN if the stiffness is singular");
    carom_record_integer(a->record, "/system/decoupled", modes->decoupled_count, "1",
                         "modes left out: they do not move the contact");
    carom_record_integer(a->record, "/system/oscillating",
                         carom_phase_spectra_oscillating_count(modes->spectra), "1",
                         "oscillating modes of the unconstrained phase");
    carom_record_integer(a->record, "/system/constrained_oscillating",
                         carom_phase_spectra_constrained_oscillating_count(modes->spectra), "1",
                         "oscillating modes of the constrained phase");
    return CAROM_OK;
}
