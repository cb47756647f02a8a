/** The same sampling with other distributions of the caps, and as Algorithm 2: /variants. */
#include "results.h"

#include <stdio.h>

/** Longest path inside the record that is made here. */
enum { PATH_SIZE = 96 };

/** Radius epsilon of Algorithm 2 as a part of the step h, below 1. */
static const double NET_PART = 0.1;

/** One sampling and its name. */
typedef struct variant {
    const char *name;
    carom_cap_distribution distribution;
    double final_step; /**< N s; 0: none */
} variant;

/** Write /variants/NAME. */
static carom_status write(const results *r, const variant *v, const carom_impact_samples *samples) {
    sample_measures s;
    CAROM_TRY(block_impact_measure_samples(r, samples, &s));
    const struct {
        const char *name;
        double value;
        const char *units;
        const char *long_name;
    } rows[] = {
        {"final_step", v->final_step, "N s", "cap of the last increment; 0: none"},
        {"mean_increments", samples->mean_increments, "1", "mean increments of a sample"},
        {"fraction_finished", samples->fraction_finished, "1", "share of samples that ended"},
        {"largest_rebound", s.largest_rebound, "m s-1",
         "largest normal speed of an outcome; NaN: none finished"},
        {"mean_rebound", s.mean_rebound, "m s-1",
         "mean of the larger normal speed; NaN: none finished"},
        {"set_distance", s.set_distance, "m s-1",
         "largest distance from the exact set; NaN: no such set, or none finished"},
        {"coverage", s.coverage, "m s-1",
         "largest distance of the exact set from an outcome; NaN: no such set, or none finished"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char path[PATH_SIZE];
        snprintf(path, sizeof path, "/variants/%s/%s", v->name, rows[i].name);
        carom_record_scalar(r->study->target.record, path, rows[i].value, rows[i].units,
                            rows[i].long_name);
    }
    return CAROM_OK;
}

/** Sample and write. */
static carom_status run(const results *r, const variant *v) {
    carom_impact_sampling_params params =
        carom_impact_options_params(r->study->options, r->study->common);
    params.distribution = v->distribution;
    params.final_step = v->final_step;
    carom_impact_samples *samples = NULL;
    CAROM_TRY(carom_impact_sample(r->study->target.problem, &params, &samples, r->report));
    const carom_status status = write(r, v, samples);
    carom_impact_samples_free(samples);
    return status;
}

/** psi of Algorithm 2, which depends on units: in those of the block, its mass and its width, which
 * are the paper's kilogram and metre. */
static carom_status find_psi(const results *r, double *psi) {
    carom_rigid_block_params block = r->values->block;
    block.height /= block.width;
    block.width = 1.0;
    block.mass = 1.0;
    carom_impact_scene *scene = NULL;
    carom_impact_problem *problem = NULL;
    carom_impact_bounds bounds = {.psi = (double)NAN};
    carom_status status = carom_rigid_block_alloc(&block, &scene, r->report);
    if (status == CAROM_OK) {
        status = carom_impact_problem_of_scene(scene, &problem, r->report);
    }
    if (status == CAROM_OK) {
        status = carom_impact_bounds_compute(problem, 0, 1.0, NULL, &bounds, r->report);
    }
    carom_impact_problem_free(problem);
    carom_impact_scene_free(scene);
    *psi = bounds.psi;
    return status;
}

carom_status block_impact_write_variants(const results *r) {
    const double epsilon = NET_PART * r->values->sampling.impulse_step;
    double psi = HUGE_VAL;
    if (r->study_results.has_bounds) {
        CAROM_TRY(find_psi(r, &psi));
    }
    const variant variants[] = {
        {"uniform", CAROM_CAPS_UNIFORM, 0.0},
        {"simplex", CAROM_CAPS_SIMPLEX, 0.0},
        {"corners", CAROM_CAPS_CORNERS, 0.0},
        {"sobol", CAROM_CAPS_SOBOL, 0.0},
        {"algorithm_2", CAROM_CAPS_UNIFORM, epsilon / (3.0 * psi)},
    };
    const bool has_sobol =
        r->values->sampling.trajectory_length <= CAROM_CAPS_MOST_DIMENSIONS / CORNERS;
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
        if (has_sobol || variants[i].distribution != CAROM_CAPS_SOBOL) {
            CAROM_TRY(run(r, &variants[i]));
        }
    }
    return CAROM_OK;
}
