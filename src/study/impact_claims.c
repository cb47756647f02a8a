#include <carom/record/record.h>
#include <carom/study/contact_mode_classes.h>
#include <carom/study/impact_claims.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/** The handful of increments of halm-2023, section 5.4: at most so many in the mean. */
static const double HANDFUL = 5.0;

double carom_impact_samples_distance(const carom_impact_samples *samples, const double *c) {
    const size_t r = (size_t)samples->row_count;
    double least = HUGE_VAL;
    for (int i = 0; i < samples->count; i++) {
        const double *s = samples->contact_velocity + (size_t)i * r;
        double square = 0.0;
        for (size_t a = 0; a < r; a++) {
            square += (s[a] - c[a]) * (s[a] - c[a]);
        }
        least = samples->is_finished[i] != 0 ? fmin(least, square) : least;
    }
    return sqrt(least);
}

int carom_impact_samples_most_increments(const carom_impact_samples *samples) {
    int most = 0;
    for (int i = 0; i < samples->count; i++) {
        most = samples->increments[i] > most ? samples->increments[i] : most;
    }
    return most;
}

int carom_impact_samples_count(const carom_impact_samples *samples,
                               bool (*condition)(const double *c, void *context), void *context) {
    int count = 0;
    for (int i = 0; i < samples->count; i++) {
        const double *c = samples->contact_velocity + (size_t)i * (size_t)samples->row_count;
        count += samples->is_finished[i] != 0 && condition(c, context);
    }
    return count;
}

/** The most increments of a finished sample. */
static int most_of_finished(const carom_impact_samples *samples) {
    int most = 0;
    for (int i = 0; i < samples->count; i++) {
        if (samples->is_finished[i] != 0 && samples->increments[i] > most) {
            most = samples->increments[i];
        }
    }
    return most;
}

void carom_impact_claims_theorems(const carom_impact_study *study,
                                  const carom_impact_study_results *results) {
    CAROM_ASSERT(study != NULL && results != NULL);
    carom_record *record = study->target.record;
    const carom_impact_samples *samples = results->samples;
    carom_record_claim(record, "every_increment_has_a_solution", samples->unsolved_count == 0,
                       "every complementarity problem is solved (Theorem 6)");
    carom_record_claim(record, "energy_never_rises", samples->energy_rise_count == 0,
                       "no increment raises the kinetic energy (Theorem 7)");
    carom_record_claim(record, "a_handful_of_increments", samples->mean_increments <= HANDFUL,
                       "impacts end within a handful of increments");
    if (!results->has_bounds) {
        return;
    }
    const int most = most_of_finished(samples);
    if (!isnan(results->bounds.theorem_8_count)) {
        carom_record_claim(record, "increments_within_theorem_8",
                           most <= results->bounds.theorem_8_count,
                           "finished samples end before the bound of Theorem 8 begins "
                           "to fall");
    }
    carom_record_claim(record, "increments_within_unit_free_bound",
                       most <= results->bounds.unit_free_count,
                       "finished samples end before the unit-free bound begins to fall");
}

/** Standard error of the mean number of increments; NaN for a single sample. */
static double increment_error(const carom_impact_samples *s) {
    double squares = 0.0;
    for (int i = 0; i < s->count; i++) {
        const double deviation = s->increments[i] - s->mean_increments;
        squares += deviation * deviation;
    }
    return s->count > 1 ? sqrt(squares / (s->count - 1.0) / s->count) : (double)NAN;
}

static void write_numbers(carom_record *group, const carom_impact_sampling_params *params,
                          const carom_impact_samples *s) {
    const bool enumerates = params->selection >= CAROM_SELECTION_RANDOM;
    const double increments = s->increment_count > 0 ? (double)s->increment_count : (double)NAN;
    const carom_measure numbers[] = {
        {"count", s->count, "1", "outcomes"},
        {"mean_increments", s->mean_increments, "1", "mean increments of a sample"},
        {"standard_error", increment_error(s), "1",
         "standard error of mean_increments; NaN: fewer than two"},
        {"fraction_finished", s->fraction_finished, "1", "share of samples that ended"},
        {"multivalued_fraction",
         enumerates ? (double)s->multivalued_count / increments : (double)NAN, "1",
         "share of increments with several velocities; NaN: not enumerated"},
        {"mean_kinetic_energy", s->mean_kinetic_energy, "J",
         "mean over finished samples; NaN: none finished"},
        {"rescue_count", (double)s->rescue_count, "1", "increments of several attempts"},
        {"unsolved_count", (double)s->unsolved_count, "1", "increments without a solution"},
    };
    carom_record_scalars(group, numbers, sizeof numbers / sizeof numbers[0]);
}

/** Smallest and largest final speed of each row over finished samples; NaN without any. */
static void find_extents(const carom_impact_samples *s, double *low, double *high) {
    for (int a = 0; a < s->row_count; a++) {
        low[a] = (double)NAN;
        high[a] = (double)NAN;
        for (int i = 0; i < s->count; i++) {
            const double c = s->contact_velocity[(size_t)i * (size_t)s->row_count + (size_t)a];
            low[a] = s->is_finished[i] != 0 ? fmin(low[a], c) : low[a];
            high[a] = s->is_finished[i] != 0 ? fmax(high[a], c) : high[a];
        }
    }
}

static carom_status write_extents(carom_record *group, const carom_impact_samples *s) {
    const size_t m = (size_t)s->row_count / 2;
    CAROM_AUTO_MEMORY double *low = malloc(2 * (size_t)s->row_count * sizeof(double));
    if (low == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    double *high = low + s->row_count;
    find_extents(s, low, high);
    const carom_column columns[] = {
        {"normal_velocity_max", high, "m s-1",
         "largest normal velocity at the end; NaN: none finished"},
        {"tangential_velocity_min", low + m, "m s-1",
         "smallest tangential velocity at the end; NaN: none finished"},
        {"tangential_velocity_max", high + m, "m s-1",
         "largest tangential velocity at the end; NaN: none finished"},
    };
    carom_record_columns(group, "/contact", NULL, columns, 3);
    return CAROM_OK;
}

static carom_status write_modes(const carom_impact_study *study, carom_record *group,
                                const carom_impact_samples *samples) {
    carom_contact_mode_classes *classes = NULL;
    CAROM_TRY(carom_contact_mode_classes_count(study->target.problem, samples, &classes));
    carom_record modes = carom_record_group(group, "modes");
    const double finished = samples->fraction_finished * samples->count;
    for (int i = 0; i < classes->count; i++) {
        carom_record_scalar(
            &modes, carom_contact_mode_classes_letters(classes, i),
            finished > 0.0 ? classes->finished[i] / finished : (double)NAN, "1",
            "share of finished samples that end in these modes; NaN: none finished");
    }
    carom_contact_mode_classes_free(classes);
    return CAROM_OK;
}

carom_status carom_impact_study_vary(const carom_impact_study *study, const char *group,
                                     const carom_impact_sampling_params *params,
                                     carom_report *report) {
    CAROM_ASSERT(study != NULL && group != NULL && params != NULL);
    CAROM_AUTO(carom_impact_samples) samples = NULL;
    CAROM_TRY(carom_impact_sample(study->target.problem, params, &samples, report));
    carom_record to = carom_record_group(study->target.record, "%s", group);
    write_numbers(&to, params, samples);
    CAROM_TRY(write_extents(&to, samples));
    return write_modes(study, &to, samples);
}
