#include <carom/study/impact_claims.h>
#include <carom/study/impact_comparison.h>

/** Samples of each comparison at most: shares of modes to 0.2 percent of the samples. */
enum { MOST_SAMPLES = 1 << 16 };

/** Samples whose branches are all followed: each has up to 3^N. */
enum { MOST_BRANCHED = 1 << 12 };

/** One sampling of a comparison. */
typedef struct variant {
    const char *group;
    carom_increment_selection selection;
    carom_cap_distribution distribution;
} variant;

/** Sample and write. */
static carom_status run(const carom_impact_study *study, const variant *v, carom_report *report) {
    carom_impact_sampling_params params =
        carom_impact_options_params(study->options, study->common);
    const int most = v->selection == CAROM_SELECTION_ALL ? MOST_BRANCHED : MOST_SAMPLES;
    params.samples = params.samples < most ? params.samples : most;
    params.selection = v->selection;
    params.distribution = v->distribution;
    return carom_impact_study_vary(study, v->group, &params, report);
}

/** Whether there are Sobol points for so many increments of so many contacts. */
static bool has_sobol(const carom_impact_study *study) {
    return study->options->trajectory_length <=
           CAROM_CAPS_MOST_DIMENSIONS / study->target.problem->contact_count;
}

carom_status carom_impact_study_compare(const carom_impact_study *study, carom_report *report) {
    CAROM_ASSERT(study != NULL);
    const carom_increment_selection selection =
        (carom_increment_selection)study->options->selection;
    const carom_cap_distribution distribution = (carom_cap_distribution)study->options->sampling;
    const variant variants[] = {
        {"/selections/lemke", CAROM_SELECTION_LEMKE, distribution},
        {"/selections/lemke_scaled", CAROM_SELECTION_LEMKE_SCALED, distribution},
        {"/selections/lemke_random_cover", CAROM_SELECTION_LEMKE_RANDOM_COVER, distribution},
        {"/selections/random", CAROM_SELECTION_RANDOM, distribution},
        {"/selections/first", CAROM_SELECTION_FIRST, distribution},
        {"/selections/all", CAROM_SELECTION_ALL, distribution},
        {"/distributions/uniform", selection, CAROM_CAPS_UNIFORM},
        {"/distributions/simplex", selection, CAROM_CAPS_SIMPLEX},
        {"/distributions/corners", selection, CAROM_CAPS_CORNERS},
        {"/distributions/sobol", selection, CAROM_CAPS_SOBOL},
    };
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
        if (variants[i].distribution != CAROM_CAPS_SOBOL || has_sobol(study)) {
            CAROM_TRY(run(study, &variants[i], report));
        }
    }
    return CAROM_OK;
}
