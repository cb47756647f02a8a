#include <carom/study/internal.h>

#include <math.h>
#include <stdlib.h>

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

static void write_numbers(carom_record *group, const carom_impact_sampling_params *params,
                          const carom_impact_samples *s) {
    const bool enumerates = params->selection >= CAROM_SELECTION_RANDOM;
    const double increments = s->increment_count > 0 ? (double)s->increment_count : (double)NAN;
    const carom_measure numbers[] = {
        {"count", s->count, "1", "outcomes"},
        {"mean_increments", s->mean_increments, "1", "mean increments of a sample"},
        {"standard_error",
         carom_impact_increment_error(s->count, s->increments, s->mean_increments), "1",
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

carom_impact_comparison_sizes carom_impact_comparison_sizes_default(void) {
    return (carom_impact_comparison_sizes){
        .samples = 1 << 16, .enumerated = 1 << 16, .branched = 1 << 12};
}

/** One sampling of a comparison. */
typedef struct variant {
    const char *group;
    carom_increment_selection selection;
    carom_cap_distribution distribution;
} variant;

/** Most samples of a selection; 0: it is left out. */
static int most_samples(carom_increment_selection selection, carom_impact_comparison_sizes sizes) {
    if (selection < CAROM_SELECTION_RANDOM) {
        return sizes.samples;
    }
    if (selection != CAROM_SELECTION_RANDOM && sizes.branched == 0) {
        return 0;
    }
    return selection == CAROM_SELECTION_ALL ? sizes.branched : sizes.enumerated;
}

/** Whether there are Sobol points for so many increments of so many contacts. */
static bool has_sobol(const carom_impact_study *study) {
    return study->options->trajectory_length <=
           CAROM_CAPS_MOST_DIMENSIONS / study->target.problem->contact_count;
}

/** Sample and write those that are possible. */
static carom_status run(const carom_impact_study *study, int count, const variant *variants,
                        carom_impact_comparison_sizes sizes, carom_report *report) {
    for (int i = 0; i < count; i++) {
        carom_impact_sampling_params params =
            carom_impact_options_params(study->options, study->common);
        const int most = most_samples(variants[i].selection, sizes);
        params.samples = params.samples < most ? params.samples : most;
        params.selection = variants[i].selection;
        params.distribution = variants[i].distribution;
        if (most > 0 && (params.distribution != CAROM_CAPS_SOBOL || has_sobol(study))) {
            CAROM_TRY(carom_impact_study_vary(study, variants[i].group, &params, report));
        }
    }
    return CAROM_OK;
}

carom_status carom_impact_study_compare_selections(const carom_impact_study *study,
                                                   carom_impact_comparison_sizes sizes,
                                                   carom_report *report) {
    CAROM_ASSERT(study != NULL);
    const carom_cap_distribution distribution = (carom_cap_distribution)study->options->sampling;
    const variant variants[] = {
        {"/selections/lemke", CAROM_SELECTION_LEMKE, distribution},
        {"/selections/lemke_scaled", CAROM_SELECTION_LEMKE_SCALED, distribution},
        {"/selections/lemke_random_cover", CAROM_SELECTION_LEMKE_RANDOM_COVER, distribution},
        {"/selections/random", CAROM_SELECTION_RANDOM, distribution},
        {"/selections/first", CAROM_SELECTION_FIRST, distribution},
        {"/selections/all", CAROM_SELECTION_ALL, distribution},
    };
    return run(study, (int)(sizeof variants / sizeof variants[0]), variants, sizes, report);
}

carom_status carom_impact_study_compare_distributions(const carom_impact_study *study,
                                                      carom_impact_comparison_sizes sizes,
                                                      carom_report *report) {
    CAROM_ASSERT(study != NULL);
    const carom_increment_selection selection =
        (carom_increment_selection)study->options->selection;
    const variant variants[] = {
        {"/distributions/uniform", selection, CAROM_CAPS_UNIFORM},
        {"/distributions/simplex", selection, CAROM_CAPS_SIMPLEX},
        {"/distributions/corners", selection, CAROM_CAPS_CORNERS},
        {"/distributions/sobol", selection, CAROM_CAPS_SOBOL},
    };
    return run(study, (int)(sizeof variants / sizeof variants[0]), variants, sizes, report);
}
