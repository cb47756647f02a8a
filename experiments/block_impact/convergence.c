/** What becomes of the sampled set for smaller and smaller steps: /convergence. */
#include "results.h"

/** Steps: two in a decade, from ten times the chosen one to a hundredth of it. */
enum { LEVELS = 7, LEVELS_PER_DECADE = 2, LEVELS_ABOVE = 2 };

/** Samples of each step at most. */
enum { MOST_SAMPLES = 1 << 12 };

/** Steps so small that an impact takes more increments than this are left out. */
static const double MOST_INCREMENTS = 1000.0;

/** Room in a trajectory: increments are half a step long on average, corners thin them further. */
static const double ROOM = 4.0;

/** What is found of one distribution. */
typedef struct column_set {
    double largest_rebound[LEVELS];
    double mean_rebound[LEVELS];
    double mean_increments[LEVELS];
    double set_distance[LEVELS];
    double coverage[LEVELS];
    double fraction_finished[LEVELS];
} column_set;

/** The longest impact of the sampled set, N s; 0 if none has ended. */
static double longest_impact(const carom_impact_samples *samples) {
    double longest = 0.0;
    for (int i = 0; i < samples->count; i++) {
        longest = samples->is_finished[i] != 0 ? fmax(longest, samples->impulse[i]) : longest;
    }
    return longest;
}

/** Sample with step h. */
static carom_status sample_level(const results *r, carom_cap_distribution distribution, double h,
                                 int k, column_set *columns) {
    carom_impact_sampling_params params =
        carom_impact_options_params(r->run->study->options, r->run->study->common);
    params.distribution = distribution;
    params.impulse_step = h;
    params.final_step = 0.0;
    params.samples = params.samples < MOST_SAMPLES ? params.samples : MOST_SAMPLES;
    params.trajectory_length += (int)(ROOM * longest_impact(r->run->results.samples) / h);
    carom_impact_samples *samples = NULL;
    sample_measures s;
    CAROM_TRY(
        carom_impact_sample(carom_scene_run_problem(r->run), &params, &samples, r->run->report));
    const carom_status status = block_impact_measure_samples(r, samples, &s);
    columns->largest_rebound[k] = s.largest_rebound;
    columns->mean_rebound[k] = s.mean_rebound;
    columns->mean_increments[k] = samples->mean_increments;
    columns->set_distance[k] = s.set_distance;
    columns->coverage[k] = s.coverage;
    columns->fraction_finished[k] = samples->fraction_finished;
    carom_impact_samples_free(samples);
    return status;
}

/** Write the columns of one distribution. */
static void write_columns(const results *r, const char *name, const column_set *columns) {
    const carom_column all[] = {
        {"largest_rebound", columns->largest_rebound, "m s-1",
         "largest normal speed; NaN: none finished"},
        {"mean_rebound", columns->mean_rebound, "m s-1",
         "mean of the larger normal speed; NaN: none finished"},
        {"mean_increments", columns->mean_increments, "1", "mean increments of a sample"},
        {"set_distance", columns->set_distance, "m s-1",
         "largest distance from the exact set; NaN: no such set, or none finished"},
        {"coverage", columns->coverage, "m s-1",
         "largest distance of the exact set; NaN: no such set, or none finished"},
        {"fraction_finished", columns->fraction_finished, "1", "share of samples that ended"},
    };
    carom_record group =
        carom_record_group(carom_scene_run_record(r->run), "/convergence/%s", name);
    carom_record_columns(&group, "/convergence/impulse_step", NULL, all, COUNT(all));
}

/** Sample with all steps, and write. */
static carom_status run(const results *r, const char *name, carom_cap_distribution distribution,
                        int count, const double *steps) {
    column_set columns;
    for (int k = 0; k < count; k++) {
        CAROM_TRY(sample_level(r, distribution, steps[k], k, &columns));
    }
    write_columns(r, name, &columns);
    return CAROM_OK;
}

carom_status block_impact_write_convergence(const results *r) {
    const double longest = longest_impact(r->run->results.samples);
    double steps[LEVELS];
    int count = 0;
    for (int k = 0; k < LEVELS; k++) {
        const double exponent = (double)(LEVELS_ABOVE - k) / LEVELS_PER_DECADE;
        const double h = r->run->settings->sampling.impulse_step * pow(10.0, exponent);
        if (longest > 0.0 && isfinite(h) && longest <= MOST_INCREMENTS * h) {
            steps[count++] = h;
        }
    }
    if (count == 0) {
        return CAROM_OK;
    }
    carom_record_axis(carom_scene_run_record(r->run), "/convergence/impulse_step", count, steps,
                      "N s", "step h, largest cap of an increment");
    CAROM_TRY(run(r, "uniform", CAROM_CAPS_UNIFORM, count, steps));
    return run(r, "corners", CAROM_CAPS_CORNERS, count, steps);
}
