/** The system: from matrix files, from two spectra, or the hanging chain; its modes with their
 * parities; the box of impact times and the size of the motions; what options must not combine. */
#include <carom/collisionless/motion/internal.h>

#include "results.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- what options must not combine ------------------------------------------------------------ */

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

/* --- the system ------------------------------------------------------------------------------- */

/** Two unit masses in a chain of two unit springs, hanging from a ceiling; the lower one, the last
 * coordinate, meets a floor. */
enum { CHAIN = 2 };
static const double CHAIN_MASS[CHAIN * CHAIN] = {1.0, 0.0, 0.0, 1.0};
static const double CHAIN_STIFFNESS[CHAIN * CHAIN] = {2.0, -1.0, -1.0, 1.0};

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

/* --- parities --------------------------------------------------------------------------------- */

/** Blanks allowed around a word. */
#define BLANKS " \t"

/** One word of a text. */
typedef struct word {
    const char *start;
    size_t length;
    const char *next; /**< after the comma; NULL: none follows */
} word;

/** The word up to the next comma, without the blanks around it. */
static word read_word(const char *text) {
    const size_t end = strcspn(text, ",");
    word w = {text, end, text[end] == ',' ? text + end + 1 : NULL};
    while (w.length > 0 && strchr(BLANKS, w.start[0]) != NULL) {
        w.start++;
        w.length--;
    }
    while (w.length > 0 && strchr(BLANKS, w.start[w.length - 1]) != NULL) {
        w.length--;
    }
    return w;
}

static bool is_word(word w, const char *expected) {
    return w.length == strlen(expected) && memcmp(w.start, expected, w.length) == 0;
}

/** Number of words: one more than commas. */
static int count_words(const char *text) {
    int count = 1;
    for (; *text != '\0'; text++) {
        count += *text == ',' ? 1 : 0;
    }
    return count;
}

/** Parities from a text, "even", "odd,even", with blanks if one likes: one word for all modes, or a
 * word for each; `name` is that of the option. */
static carom_status read_parity(const char *text, const char *name, int count,
                                carom_parity *parities, carom_report *report) {
    const int words = count_words(text);
    if (words != 1 && words != count) {
        const carom_status status = carom_report_say(
            report, CAROM_STATUS_CONFLICT,
            "the number of words is %d, 1 or that of the modes, %d, expected", words, count);
        carom_report_set_context(report, name);
        return status;
    }
    const char *next = text;
    for (int i = 0; i < count; i++) {
        const word w = read_word(next);
        if (!is_word(w, "even") && !is_word(w, "odd")) {
            const carom_status status = carom_report_say(
                report, CAROM_STATUS_BAD_FORMAT, "word %d is \"%.*s\", even or odd accepted", i + 1,
                (int)w.length, w.start);
            carom_report_set_context(report, name);
            return status;
        }
        parities[i] = is_word(w, "odd") ? CAROM_PARITY_ODD : CAROM_PARITY_EVEN;
        next = w.next != NULL ? w.next : next;
    }
    return CAROM_OK;
}
/** Parities as given; else those of a body that rocks: even without, odd with contact. */
static carom_status set_parities(settings *v, carom_report *report) {
    carom_phase_spectra *s = v->modes->spectra;
    v->parity = v->parity != NULL ? v->parity : "even";
    if (v->constrained_parity == NULL) {
        v->constrained_parity = v->is_picture ? "even" : "odd";
    }
    CAROM_TRY(read_parity(v->parity, "--parity", s->mode_count, s->unconstrained_parity, report));
    return read_parity(v->constrained_parity, "--constrained-parity", s->mode_count - 1,
                       s->constrained_parity, report);
}

/* --- what is not given ------------------------------------------------------------------------ */

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
        *largest = has_least ? fmax(*largest, fmin(*least * APART, DBL_MAX)) : *largest;
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

carom_status collisionless_check(settings *values, carom_report *report) {
    CAROM_TRY(check_matrices(values, report));
    CAROM_TRY(check_spectra(values, report));
    CAROM_TRY(make_system(values, report));
    CAROM_TRY(set_parities(values, report));
    CAROM_TRY(complete_box(values, report));
    return complete_size(values, report);
}

void collisionless_clear(settings *values) {
    carom_phase_modes_free(values->modes);
    free(values->order);
    free(values->ordered_mass);
    free(values->ordered_stiffness);
}

/* --- the record ------------------------------------------------------------------------------- */

/** sigma of the modes of a phase over their axis. */
static carom_status write_parities(carom_record *group, const char *name, const char *axis,
                                   int count, const carom_parity *parities) {
    CAROM_AUTO_MEMORY int *sigma = malloc((size_t)count * sizeof *sigma);
    if (sigma == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int i = 0; i < count; i++) {
        sigma[i] = parities[i] == CAROM_PARITY_EVEN ? -1 : 1;
    }
    carom_record_integer_series(group, name, sigma, axis, NULL, "1",
                                "sigma: -1 even, 1 odd about the symmetry point");
    return CAROM_OK;
}

carom_status collisionless_write_system(const settings *values, carom_record *record) {
    const carom_phase_modes *modes = values->modes;
    const carom_phase_spectra *s = modes->spectra;
    const int n = modes->coordinate_count;
    const int N = s->mode_count;
    const struct {
        const char *row_axis;
        const char *column_axis;
        carom_column column;
    } arrays[] = {
        {"row", "column", {"mass", values->ordered_mass, "kg", "m"}},
        {"row", "column", {"stiffness", values->ordered_stiffness, "N m-1", "k"}},
        {"mode", NULL, {"spectrum", s->unconstrained, "s-2", "lambda"}},
        {"constrained_mode", NULL, {"constrained_spectrum", s->constrained, "s-2", "lambda'"}},
        {"row", "mode", {"shape", modes->shape, "1", "X, scaled to 1 at the contact in the last"}},
        {"row", "constrained_mode", {"constrained_shape", modes->constrained_shape, "s2", "X'"}},
    };
    carom_record group = carom_record_group(record, "/system");
    carom_record_index_axis(&group, "row", n, "coordinate, the contact last");
    carom_record_index_axis(&group, "column", n, "coordinate, as the rows");
    carom_record_index_axis(&group, "mode", N, "unconstrained mode");
    carom_record_index_axis(&group, "constrained_mode", N - 1, "constrained mode");
    carom_record_integer_series(&group, "coordinate", values->order, "row", NULL, "1",
                                "number of the coordinate as given, from 1");
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++) {
        carom_record_columns(&group, arrays[k].row_axis, arrays[k].column_axis, &arrays[k].column,
                             1);
    }
    carom_record_scalar(&group, "normalisation", modes->normalisation, "kg-1",
                        "c, inverse modal mass of the last mode");
    carom_record_scalar(&group, "compliance", modes->compliance, "m N-1",
                        "of the contact, (k^-1)_NN; NaN if the stiffness is singular");
    carom_record_integer(&group, "decoupled", modes->decoupled_count, "1",
                         "modes left out: they do not move the contact");
    carom_record_integer(&group, "oscillating", carom_phase_spectra_oscillating_count(s), "1",
                         "oscillating modes of the unconstrained phase");
    carom_record_integer(&group, "constrained_oscillating",
                         carom_phase_spectra_constrained_oscillating_count(s), "1",
                         "oscillating modes of the constrained phase");
    CAROM_TRY(write_parities(&group, "parity", "mode", N, s->unconstrained_parity));
    return write_parities(&group, "constrained_parity", "constrained_mode", N - 1,
                          s->constrained_parity);
}
