/** The same sampling with other solutions, caps, masses, tangents and rows: /selections,
 * /distributions, /combinations, /pyramids. */
#include "results.h"

#include <carom/impact/contact_modes.h>
#include <carom/study/impact_claims.h>

/** Samples of each comparison at most: means to half a percent. */
enum { MOST_SAMPLES = 1 << 14 };

/** Samples whose increments are enumerated, 7^5 modes each. */
enum { MOST_ENUMERATED = 1 << 9 };

/** Rows of the pyramids that are compared, samples of each, and most increments of a sample, which
 * bound the cost: the share that ends is recorded. */
enum { PYRAMIDS = 3, PYRAMID_SAMPLES = 1 << 9, PYRAMID_LENGTH = 20 };

/** The parameters of the options, with fewer samples. */
static carom_impact_sampling_params params_with(const results *r, int most) {
    carom_impact_sampling_params params =
        carom_impact_options_params(r->study->options, r->study->common);
    params.samples = params.samples < most ? params.samples : most;
    return params;
}

/** Other selections. */
static carom_status write_selections(const results *r) {
    const struct {
        const char *group;
        carom_increment_selection selection;
    } variants[] = {
        {"/selections/lemke", CAROM_SELECTION_LEMKE},
        {"/selections/lemke_scaled", CAROM_SELECTION_LEMKE_SCALED},
        {"/selections/lemke_random_cover", CAROM_SELECTION_LEMKE_RANDOM_COVER},
        {"/selections/random", CAROM_SELECTION_RANDOM},
    };
    const bool is_enumerable =
        r->study->target.problem->contact_count <= CAROM_CONTACT_MODES_MOST_CAPPED;
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
        const bool enumerates = variants[i].selection == CAROM_SELECTION_RANDOM;
        carom_impact_sampling_params params =
            params_with(r, enumerates ? MOST_ENUMERATED : MOST_SAMPLES);
        params.selection = variants[i].selection;
        if (is_enumerable || !enumerates) {
            CAROM_TRY(carom_impact_study_vary(r->study, variants[i].group, &params, r->report));
        }
    }
    return CAROM_OK;
}

/** Other distributions. */
static carom_status write_distributions(const results *r) {
    const struct {
        const char *group;
        carom_cap_distribution distribution;
    } variants[] = {
        {"/distributions/uniform", CAROM_CAPS_UNIFORM},
        {"/distributions/simplex", CAROM_CAPS_SIMPLEX},
        {"/distributions/corners", CAROM_CAPS_CORNERS},
        {"/distributions/sobol", CAROM_CAPS_SOBOL},
    };
    const double dimensions =
        (double)r->values->sampling.trajectory_length * r->study->target.problem->contact_count;
    const bool has_sobol = dimensions <= CAROM_CAPS_MOST_DIMENSIONS;
    const bool enumerates = r->values->sampling.selection >= (int)CAROM_SELECTION_RANDOM;
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
        carom_impact_sampling_params params =
            params_with(r, enumerates ? MOST_ENUMERATED : MOST_SAMPLES);
        params.distribution = variants[i].distribution;
        if (has_sobol || params.distribution != CAROM_CAPS_SOBOL) {
            CAROM_TRY(carom_impact_study_vary(r->study, variants[i].group, &params, r->report));
        }
    }
    return CAROM_OK;
}

/** One mass and one kind of tangents, by Lemke's solution. */
static carom_status write_combination(const results *r, const char *group, double mass,
                                      bool is_skewed) {
    carom_disk_stack_params stack = *r->stack;
    stack.variant = CAROM_DISK_STACK_PRINTED;
    stack.mass = mass;
    carom_impact_scene *scene = NULL;
    carom_impact_problem *problem = NULL;
    CAROM_TRY(disk_stack_build(&stack, is_skewed, &scene, &problem, r->report));
    carom_impact_study study = *r->study;
    study.target.problem = problem;
    carom_impact_sampling_params params = params_with(r, MOST_SAMPLES);
    params.selection = CAROM_SELECTION_LEMKE;
    const carom_status status = carom_impact_study_vary(&study, group, &params, r->report);
    carom_impact_problem_free(problem);
    carom_impact_scene_free(scene);
    return status;
}

static carom_status write_combinations(const results *r) {
    const double light = r->values->stack.mass;
    const double heavy = carom_disk_stack_contact_count(r->stack->levels) * light;
    CAROM_TRY(write_combination(r, "/combinations/light_orthogonal", light, false));
    CAROM_TRY(write_combination(r, "/combinations/light_skewed", light, true));
    CAROM_TRY(write_combination(r, "/combinations/heavy_orthogonal", heavy, false));
    return write_combination(r, "/combinations/heavy_skewed", heavy, true);
}

/** What is told of a larger pyramid. */
typedef struct pyramid {
    double contacts;
    double increments;
    double finished;
    double unsolved;
    double rises;
    double pivots;
} pyramid;

/** Sample a pyramid of so many rows. */
static carom_status measure_pyramid(const results *r, int levels, pyramid *out) {
    carom_disk_stack_params stack = *r->stack;
    stack.levels = levels;
    carom_impact_scene *scene = NULL;
    carom_impact_problem *problem = NULL;
    carom_impact_samples *samples = NULL;
    CAROM_TRY(disk_stack_build(&stack, stack.variant == CAROM_DISK_STACK_CODE, &scene, &problem,
                               r->report));
    carom_impact_sampling_params params = params_with(r, PYRAMID_SAMPLES);
    params.selection = CAROM_SELECTION_LEMKE;
    params.distribution = CAROM_CAPS_UNIFORM;
    params.trajectory_length = PYRAMID_LENGTH;
    const carom_status status = carom_impact_sample(problem, &params, &samples, r->report);
    if (status == CAROM_OK) {
        const double increments = fmax((double)samples->increment_count, 1.0);
        *out = (pyramid){.contacts = problem->contact_count,
                         .increments = samples->mean_increments,
                         .finished = samples->fraction_finished,
                         .unsolved = (double)samples->unsolved_count,
                         .rises = (double)samples->energy_rise_count,
                         .pivots = (double)samples->pivot_count / increments};
    }
    carom_impact_samples_free(samples);
    carom_impact_problem_free(problem);
    carom_impact_scene_free(scene);
    return status;
}

/** Pyramids from the published one on. */
static carom_status write_pyramids(const results *r) {
    carom_record *record = r->study->target.record;
    double levels[PYRAMIDS];
    double columns[6][PYRAMIDS];
    for (int i = 0; i < PYRAMIDS; i++) {
        pyramid of;
        CAROM_TRY(measure_pyramid(r, PUBLISHED_LEVELS + i, &of));
        levels[i] = PUBLISHED_LEVELS + i;
        columns[0][i] = of.contacts;
        columns[1][i] = of.increments;
        columns[2][i] = of.finished;
        columns[3][i] = of.unsolved;
        columns[4][i] = of.rises;
        columns[5][i] = of.pivots;
    }
    carom_record_axis(record, "/pyramids/levels", PYRAMIDS, levels, "1", "rows of the pyramid");
    const struct {
        const char *path;
        const char *long_name;
    } rows[] = {
        {"/pyramids/contact_count", "contacts"},
        {"/pyramids/mean_increments", "mean increments of a sample"},
        {"/pyramids/fraction_finished", "share of samples that ended"},
        {"/pyramids/unsolved_count", "increments without a solution"},
        {"/pyramids/energy_rise_count", "increments that raise the kinetic energy"},
        {"/pyramids/mean_pivots", "pivots of Lemke's method per increment"},
    };
    for (int i = 0; i < 6; i++) {
        carom_record_series(record, rows[i].path, columns[i], "/pyramids/levels", NULL, "1",
                            rows[i].long_name);
    }
    return CAROM_OK;
}

carom_status disk_stack_write_variants(const results *r) {
    CAROM_TRY(write_selections(r));
    CAROM_TRY(write_distributions(r));
    CAROM_TRY(write_combinations(r));
    return write_pyramids(r);
}
