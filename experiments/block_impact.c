/**
 * block_impact: a block falls flat onto its two lower corners (halm-2023 figures 1 and 9, table 4).
 *
 *     M (v+ - v-) = J_n' L_n + J_t' L_t,   v- = (0, -v0, 0),   contacts A (left) and B (right)
 *
 * The simultaneous law, the two sequences of single impacts and the sampled set of outcomes, beside
 * the exact set, which is known while no corner slides. Printed in the paper: width, height, mass,
 * friction, v0 = 0.4429 m/s, the impulse step h, N and M. From the authors' programs: v0 is the
 * speed of a fall of 1 cm. Chosen: the steps and distributions of the variants.
 */
#include "block_impact/results.h"

#include <carom/impact/anitescu_potra.h>

/* --- the block -------------------------------------------------------------------------------- */

static carom_status build(const carom_scene_settings *common, carom_impact_scene **scene,
                          carom_report *report) {
    return carom_rigid_block_alloc(&((const settings *)common)->block, scene, report);
}

/** Pictures of figure 1: the block, the floor, and the velocities of corners and of the middles of
 * the sides before the impact and after each law. */
static carom_status draw(const results *r) {
    static const double places[][2] = {{-0.5, -0.5}, {0.5, -0.5}, {-0.5, 0.0}, {0.5, 0.0},
                                       {-0.5, 0.5},  {0.5, 0.5},  {0.0, -0.5}, {0.0, 0.5}};
    const double margin = 0.5; // of the floor beyond the block, in widths
    const carom_rigid_block_params *block = &block_impact_settings(r)->block;
    const double half = (0.5 + margin) * block->width;
    const double floor_points[] = {-half, 0.0, half, 0.0};
    double outline[10];
    double points[COUNT(places)][2];
    carom_scene_rectangle(block->width, block->height, outline);
    for (int k = 0; k < COUNT(places); k++) {
        points[k][0] = places[k][0] * block->width;
        points[k][1] = places[k][1] * block->height;
    }
    const carom_scene_line bodies[] = {{"block", 0, 5, outline}, {"floor", -1, 2, floor_points}};
    const carom_scene_line moving = {"", 0, COUNT(points), points[0]};
    CAROM_TRY(carom_scene_run_draw(r->run, COUNT(bodies), bodies));
    CAROM_TRY(carom_scene_run_draw_before(r->run, 1, &moving));
    CAROM_TRY(carom_scene_run_draw_solutions(r->run, 1, &moving));
    return carom_scene_run_draw_stages(r->run, 1, &moving);
}

/* --- the exact set: closed forms of every law while no corner slides -------------------------- */

/** Find them; false where a corner slides or nothing strikes. */
static bool find_exact(results *r) {
    const carom_status status = carom_rigid_block_exact_compute(&block_impact_settings(r)->block,
                                                                &r->exact, r->run->report);
    if (status != CAROM_OK && r->run->report != NULL) {
        *r->run->report = carom_report_empty();
    }
    return status == CAROM_OK;
}

/** The two segments of outcomes as a line from (a, 0) over the origin to (0, a). */
static void write_set(const results *r) {
    enum { CORNERS_OF_SET = 3 };
    const double a = r->exact.largest_rebound;
    const double x[CORNERS_OF_SET] = {a, 0.0, 0.0};
    const double y[CORNERS_OF_SET] = {0.0, 0.0, a};
    carom_record *record = carom_scene_run_record(r->run);
    carom_record_index_axis(record, "/exact/set/corner", CORNERS_OF_SET,
                            "corner of the set of outcomes");
    carom_record_series(record, "/exact/set/x", x, "/exact/set/corner", NULL, "m s-1",
                        "normal velocity of A");
    carom_record_series(record, "/exact/set/y", y, "/exact/set/corner", NULL, "m s-1",
                        "normal velocity of B");
}

static void write_exact(results *r) {
    carom_record *record = carom_scene_run_record(r->run);
    r->has_exact = find_exact(r);
    carom_record_integer(record, "/exact/is_available", r->has_exact ? 1 : 0, "1",
                         "0: a corner slides or none strikes, no closed form");
    if (!r->has_exact) {
        return;
    }
    const carom_rigid_block_exact *e = &r->exact;
    const carom_measure numbers[] = {
        {"transfer", e->transfer, "1", "share e of a corner's gain that the other gains"},
        {"stick_friction", e->stick_friction, "1", "least friction of a sticking corner"},
        {"direct_rate", e->direct_rate, "kg-1", "gain of a corner by its own impulse"},
        {"cross_rate", e->cross_rate, "kg-1", "gain of a corner by the other's impulse"},
        {"corner_impulse", e->corner_impulse, "N s",
         "impulse at each corner in the simultaneous law"},
        {"largest_rebound", e->largest_rebound, "m s-1",
         "largest normal speed of an outcome, that of a sequence"},
        {"shortest_impact", e->shortest_impact, "N s", "length in s of the impact to rest"},
        {"longest_impact", e->longest_impact, "N s", "length in s of a sequence"},
    };
    carom_record group = carom_record_group(record, "/exact");
    carom_record_scalars(&group, numbers, COUNT(numbers));
    write_set(r);
}

/* --- numbers ---------------------------------------------------------------------------------- */

/** Different outcomes of the simultaneous law and of both sequences. */
static carom_status count_outcomes(const results *r, double *count) {
    const carom_impact_problem *problem = carom_scene_run_problem(r->run);
    CAROM_AUTO(carom_impact_outcomes) all = NULL;
    CAROM_TRY(carom_impact_outcomes_alloc(problem, &all));
    CAROM_TRY(carom_anitescu_potra_all(problem, all, r->run->report));
    CAROM_TRY(carom_sequential_impacts_add_outcomes(r->run->results.sequential, problem, all));
    *count = all->count;
    return CAROM_OK;
}

/** Numbers about the impact and the set: /measures. */
static carom_status write_measures(const results *r) {
    sample_measures s;
    double count = NAN;
    CAROM_TRY(block_impact_measure_samples(r, r->run->results.samples, &s));
    if (r->run->results.sequential->sequences[0]->stage_count > 0) {
        CAROM_TRY(count_outcomes(r, &count));
    }
    const carom_measure measures[] = {
        {"algebraic_outcomes", count, "1",
         "different outcomes of the simultaneous and sequential laws"},
        {"slip", s.slip, "m s-1", "largest tangential speed of an outcome"},
        {"set_distance", s.set_distance, "m s-1",
         "largest distance of an outcome from the exact set"},
        {"length_error", s.length_error, "N s",
         "largest deviation of an impact from its exact length in s"},
        {"coverage", s.coverage, "m s-1", "largest distance of the exact set from an outcome"},
    };
    carom_record_measures(carom_scene_run_record(r->run), measures, COUNT(measures));
    return CAROM_OK;
}

/* --- other distributions of the caps, and Algorithm 2 ----------------------------------------- */

/** Radius epsilon of Algorithm 2 as a part of the step h, below 1. */
static const double NET_PART = 0.1;

/** One sampling and its name. */
typedef struct variant {
    const char *name;
    carom_cap_distribution distribution;
    double final_step; /**< N s; 0: none */
} variant;

/** Write /variants/NAME. */
static carom_status write_variant(const results *r, const variant *v,
                                  const carom_impact_samples *samples) {
    sample_measures s;
    CAROM_TRY(block_impact_measure_samples(r, samples, &s));
    const carom_measure numbers[] = {
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
    carom_record group =
        carom_record_group(carom_scene_run_record(r->run), "/variants/%s", v->name);
    carom_record_scalars(&group, numbers, COUNT(numbers));
    return CAROM_OK;
}

/** Sample and write. */
static carom_status run_variant(const results *r, const variant *v) {
    carom_impact_sampling_params params =
        carom_impact_options_params(r->run->study->options, r->run->study->common);
    params.distribution = v->distribution;
    params.final_step = v->final_step;
    carom_impact_samples *samples = NULL;
    CAROM_TRY(
        carom_impact_sample(carom_scene_run_problem(r->run), &params, &samples, r->run->report));
    const carom_status status = write_variant(r, v, samples);
    carom_impact_samples_free(samples);
    return status;
}

/** psi of Algorithm 2, which depends on units: in those of the block, its mass and its width, which
 * are the paper's kilogram and metre. */
static carom_status find_psi(const results *r, double *psi) {
    carom_rigid_block_params block = block_impact_settings(r)->block;
    block.height /= block.width;
    block.width = 1.0;
    block.mass = 1.0;
    carom_impact_scene *scene = NULL;
    carom_impact_problem *problem = NULL;
    carom_impact_bounds bounds = {.psi = (double)NAN};
    carom_status status = carom_rigid_block_alloc(&block, &scene, r->run->report);
    if (status == CAROM_OK) {
        status = carom_impact_problem_of_scene(scene, &problem, r->run->report);
    }
    if (status == CAROM_OK) {
        status = carom_impact_bounds_compute(problem, 0, 1.0, NULL, &bounds, r->run->report);
    }
    carom_impact_problem_free(problem);
    carom_impact_scene_free(scene);
    *psi = bounds.psi;
    return status;
}

static carom_status write_variants(const results *r) {
    const double epsilon = NET_PART * r->run->settings->sampling.impulse_step;
    double psi = HUGE_VAL;
    if (r->run->results.has_bounds) {
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
        r->run->settings->sampling.trajectory_length <= CAROM_CAPS_MOST_DIMENSIONS / CORNERS;
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
        if (has_sobol || variants[i].distribution != CAROM_CAPS_SOBOL) {
            CAROM_TRY(run_variant(r, &variants[i]));
        }
    }
    return CAROM_OK;
}

/* --- the program ------------------------------------------------------------------------------ */

static carom_status finish(carom_scene_run *run) {
    results r = {.run = run};
    CAROM_TRY(draw(&r));
    write_exact(&r);
    CAROM_TRY(write_measures(&r));
    CAROM_TRY(write_variants(&r));
    CAROM_TRY(block_impact_write_convergence(&r));
    return block_impact_write_nets(&r);
}

/** The parameters, as the command line sets them. */
static const carom_option options[] = {
    CAROM_REAL("width", settings, block.width, "m", "width w", "positive"),
    CAROM_REAL("height", settings, block.height, "m", "height h", "positive"),
    CAROM_REAL("mass", settings, block.mass, "kg", "mass m", "positive"),
    CAROM_REAL("friction", settings, block.friction, "1",
               "coefficient of friction mu of both corners", "not negative"),
    CAROM_REAL("initial-velocity", settings, block.initial_speed, "m s-1",
               "downward velocity v0 before the impact; negative: the block rises", "any"),
    CAROM_OPTIONS_OF(settings, common.sampling, carom_impact_options_table),
};

int main(int argc, char **argv) {
    // Rows of contact space: normal A, normal B, tangential A, tangential B; limits from the paths.
    static const carom_plane planes[] = {{"normal_AB", 0, 1, NAN, NAN, NAN, NAN},
                                         {"contact_A", 0, CORNERS, NAN, NAN, NAN, NAN}};
    const settings published = {
        .common.sampling = carom_impact_options_default(1 << 14, 10, (double)NAN),
        .block = carom_rigid_block_params_default(),
    };
    const carom_scene_experiment experiment = {
        .program = {.name = "block_impact",
                    .title = "A block that falls flat on two corners: all outcomes of one impact",
                    .source = "halm-2023",
                    .schema = "block_impact 1",
                    .options = CAROM_OPTIONS(options),
                    CAROM_TABLES(carom_impact_tables)},
        .published = &published.common,
        .published_step = 0.3,
        .plane_count = COUNT(planes),
        .planes = planes,
        .build = build,
        .finish = finish,
    };
    settings values = published;
    values.common.experiment = &experiment;
    return carom_scene_experiment_main(&experiment, argc, argv, &values.common);
}
