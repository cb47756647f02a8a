#include <carom/study/impact_claims.h>
#include <carom/study/impact_comparison.h>

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
