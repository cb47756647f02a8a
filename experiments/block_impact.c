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
#include <carom/carom.h>

#include <carom/impact/anitescu_potra.h>
#include <carom/study/block_samples.h>
#include <carom/study/scenes.h>

#include <math.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/** Contacts A and B. */
enum { CORNERS = 2 };

/** Everything that options set. */
typedef struct settings {
    carom_scene_settings common;
    carom_rigid_block_params block;
    int only; /**< 0: the sampled set, without what is made of it */
} settings;

/** What the record is made of. */
typedef struct results {
    const carom_scene_run *run;
    const carom_impact_problem *problem;
    const carom_rigid_block_params *block;
    carom_impact_sampling_params sampling; /**< of the options */
    const carom_rigid_block_exact
        *exact; /**< closed forms; NULL: a corner slides, or none strikes */
    carom_record *record;
} results;

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
    const carom_rigid_block_params *block = r->block;
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

static const carom_field EXACT_FIELDS[] = {
    CAROM_FIELD("transfer", carom_rigid_block_exact, transfer, "1",
                "share e of a corner's gain that the other gains"),
    CAROM_FIELD("stick_friction", carom_rigid_block_exact, stick_friction, "1",
                "least friction of a sticking corner"),
    CAROM_FIELD("direct_rate", carom_rigid_block_exact, direct_rate, "kg-1",
                "gain of a corner by its own impulse"),
    CAROM_FIELD("cross_rate", carom_rigid_block_exact, cross_rate, "kg-1",
                "gain of a corner by the other's impulse"),
    CAROM_FIELD("corner_impulse", carom_rigid_block_exact, corner_impulse, "N s",
                "impulse at each corner in the simultaneous law"),
    CAROM_FIELD("largest_rebound", carom_rigid_block_exact, largest_rebound, "m s-1",
                "largest normal speed of an outcome, that of a sequence"),
    CAROM_FIELD("shortest_impact", carom_rigid_block_exact, shortest_impact, "N s",
                "length in s of the impact to rest"),
    CAROM_FIELD("longest_impact", carom_rigid_block_exact, longest_impact, "N s",
                "length in s of a sequence"),
};

/** The closed forms and the set, two segments of outcomes as a line from (a, 0) over the origin to
 * (0, a): /exact. */
static void write_exact(const results *r) {
    carom_record group = carom_record_group(r->record, "/exact");
    carom_record_integer(&group, "is_available", r->exact != NULL ? 1 : 0, "1",
                         "0: a corner slides or none strikes, no closed form");
    if (r->exact == NULL) {
        return;
    }
    carom_record_rows(&group, NULL, r->exact, 1, sizeof *r->exact, EXACT_FIELDS,
                      COUNT(EXACT_FIELDS));
    const double a = r->exact->largest_rebound;
    const double x[] = {a, 0.0, 0.0};
    const double y[] = {0.0, 0.0, a};
    carom_record_index_axis(&group, "set/corner", COUNT(x), "corner of the set of outcomes");
    carom_record_series(&group, "set/x", x, "set/corner", NULL, "m s-1", "normal velocity of A");
    carom_record_series(&group, "set/y", y, "set/corner", NULL, "m s-1", "normal velocity of B");
}

/* --- numbers ---------------------------------------------------------------------------------- */

/** Different outcomes of the simultaneous law and of both sequences. */
static carom_status count_outcomes(const results *r, double *count) {
    CAROM_AUTO(carom_impact_outcomes) all = NULL;
    CAROM_TRY(carom_impact_outcomes_alloc(r->problem, &all));
    CAROM_TRY(carom_anitescu_potra_all(r->problem, all, r->run->report));
    CAROM_TRY(carom_sequential_impacts_add_outcomes(r->run->results.sequential, r->problem, all));
    *count = all->count;
    return CAROM_OK;
}

/** What has been seen of the set of the record, as its samples went by. */
static const carom_block_set *set_of(const results *r) {
    carom_block_set *const *seen = r->run->settings->experiment->watched;
    return *seen;
}

/** Numbers about the impact and the set: /measures. */
static carom_status write_measures(const results *r) {
    const carom_block_comparison set = carom_block_set_compare(set_of(r));
    double count = NAN;
    if (r->run->results.sequential->sequences[0]->stage_count > 0) {
        CAROM_TRY(count_outcomes(r, &count));
    }
    const carom_measure measures[] = {
        {"algebraic_outcomes", count, "1",
         "different outcomes of the simultaneous and sequential laws"},
        {"slip", set.slip, "m s-1", "largest tangential speed of an outcome"},
        {"set_distance", set.set_distance, "m s-1",
         "largest distance of an outcome from the exact set"},
        {"length_error", set.length_error, "N s",
         "largest deviation of an impact from its exact length in s"},
        {"coverage", set.coverage, "m s-1", "largest distance of the exact set from an outcome"},
    };
    carom_record_measures(r->record, measures, COUNT(measures));
    return CAROM_OK;
}

/* --- other samplings: distributions of the caps, Algorithm 2, smaller steps ------------------- */

static const carom_field SAMPLING_FIELDS[] = {
    CAROM_FIELD("mean_increments", carom_block_comparison, mean_increments, "1",
                "mean increments of a sample"),
    CAROM_FIELD("fraction_finished", carom_block_comparison, fraction_finished, "1",
                "share of samples that ended"),
    CAROM_FIELD("largest_rebound", carom_block_comparison, largest_rebound, "m s-1",
                "largest normal speed of an outcome; NaN: none finished"),
    CAROM_FIELD("mean_rebound", carom_block_comparison, mean_rebound, "m s-1",
                "mean of the larger normal speed; NaN: none finished"),
    CAROM_FIELD("coverage", carom_block_comparison, coverage, "m s-1",
                "largest distance of the exact set from an outcome; NaN: no such set, or none "
                "finished"),
};

/** Sample and compare, part by part. */
static carom_status sample(const results *r, const carom_impact_sampling_params *params,
                           carom_block_comparison *out) {
    carom_impact_sampling_params part = *params;
    CAROM_AUTO(carom_block_set) set = NULL;
    CAROM_TRY(carom_block_set_alloc(r->exact, &set));
    for (int first = 0; first < params->samples; first += part.samples) {
        const int left = params->samples - first;
        CAROM_AUTO(carom_impact_samples) samples = NULL;
        part.first_sample = first;
        part.samples = left < CAROM_IMPACT_PART_SAMPLES ? left : CAROM_IMPACT_PART_SAMPLES;
        CAROM_TRY(carom_impact_sample(r->problem, &part, &samples, r->run->report));
        CAROM_TRY(carom_block_set_add(set, samples, part.workers, r->run->report));
    }
    *out = carom_block_set_compare(set);
    return CAROM_OK;
}

/** psi of Algorithm 2, which depends on units: in those of the block, its mass and its width, which
 * are the paper's kilogram and metre. */
static carom_status find_psi(const results *r, double *psi) {
    carom_rigid_block_params block = *r->block;
    block.height /= block.width;
    block.width = 1.0;
    block.mass = 1.0;
    CAROM_AUTO(carom_impact_scene) scene = NULL;
    CAROM_AUTO(carom_impact_problem) problem = NULL;
    carom_impact_bounds bounds;
    CAROM_TRY(carom_rigid_block_alloc(&block, &scene, r->run->report));
    CAROM_TRY(carom_impact_problem_of_scene(scene, &problem, r->run->report));
    CAROM_TRY(carom_impact_bounds_compute(problem, 0, 1.0, NULL, &bounds, r->run->report));
    *psi = bounds.psi;
    return CAROM_OK;
}

/** The same step with other caps: /variants. */
static carom_status write_variants(const results *r) {
    const double net_part = 0.1; // radius epsilon of Algorithm 2, of the step h
    double psi = HUGE_VAL;
    if (r->run->results.has_bounds) {
        CAROM_TRY(find_psi(r, &psi));
    }
    const struct {
        const char *name;
        carom_cap_distribution distribution;
        double final_step; // N s; 0: none
    } variants[] = {
        {"uniform", CAROM_CAPS_UNIFORM, 0.0},
        {"simplex", CAROM_CAPS_SIMPLEX, 0.0},
        {"corners", CAROM_CAPS_CORNERS, 0.0},
        {"sobol", CAROM_CAPS_SOBOL, 0.0},
        {"algorithm_2", CAROM_CAPS_UNIFORM, net_part * r->sampling.impulse_step / (3.0 * psi)},
    };
    const bool has_sobol = r->sampling.trajectory_length <= CAROM_CAPS_MOST_DIMENSIONS / CORNERS;
    for (int i = 0; i < COUNT(variants); i++) {
        if (variants[i].distribution == CAROM_CAPS_SOBOL && !has_sobol) {
            continue;
        }
        carom_impact_sampling_params params = r->sampling;
        carom_block_comparison found;
        params.distribution = variants[i].distribution;
        params.final_step = variants[i].final_step;
        CAROM_TRY(sample(r, &params, &found));
        carom_record group = carom_record_group(r->record, "/variants/%s", variants[i].name);
        carom_record_scalar(&group, "final_step", params.final_step, "N s",
                            "cap of the last increment; 0: none");
        carom_record_rows(&group, NULL, &found, 1, sizeof found, SAMPLING_FIELDS,
                          COUNT(SAMPLING_FIELDS));
    }
    return CAROM_OK;
}

/** Steps: two in a decade, from ten times the chosen one to a hundredth of it. */
enum { LEVELS = 7, LEVELS_PER_DECADE = 2, LEVELS_ABOVE = 2 };

/** Sample with all steps, and write /convergence/NAME. */
static carom_status run_levels(const results *r, const char *name,
                               carom_cap_distribution distribution, double longest, int count,
                               const double *steps) {
    enum { MOST_SAMPLES = 1 << 12 };
    const double room =
        4.0; // increments are half a step long on average, corners thin them further
    carom_block_comparison rows[LEVELS];
    for (int k = 0; k < count; k++) {
        carom_impact_sampling_params params = r->sampling;
        params.distribution = distribution;
        params.impulse_step = steps[k];
        params.final_step = 0.0;
        params.samples = params.samples < MOST_SAMPLES ? params.samples : MOST_SAMPLES;
        params.trajectory_length += (int)(room * longest / steps[k]);
        CAROM_TRY(sample(r, &params, &rows[k]));
    }
    carom_record group = carom_record_group(r->record, "/convergence/%s", name);
    carom_record_rows(&group, "/convergence/impulse_step", rows, count, sizeof *rows,
                      SAMPLING_FIELDS, COUNT(SAMPLING_FIELDS));
    return CAROM_OK;
}

/** What becomes of the sampled set for smaller and smaller steps: /convergence. */
static carom_status write_convergence(const results *r) {
    const double most_increments = 1000.0; // steps with which an impact takes more are left out
    const double longest = carom_block_set_longest(set_of(r)); // N s; 0: none has ended
    double steps[LEVELS];
    int count = 0;
    for (int k = 0; k < LEVELS; k++) {
        const double exponent = (double)(LEVELS_ABOVE - k) / LEVELS_PER_DECADE;
        const double h = r->sampling.impulse_step * pow(10.0, exponent);
        if (longest > 0.0 && isfinite(h) && longest <= most_increments * h) {
            steps[count++] = h;
        }
    }
    if (count == 0) {
        return CAROM_OK;
    }
    carom_record_axis(r->record, "/convergence/impulse_step", count, steps, "N s",
                      "step h, largest cap of an increment");
    CAROM_TRY(run_levels(r, "uniform", CAROM_CAPS_UNIFORM, longest, count, steps));
    return run_levels(r, "corners", CAROM_CAPS_CORNERS, longest, count, steps);
}

/* --- Lemma 1 put to the test on one increment, whose Lipschitz constant is known -------------- */

/** Nets of one size. */
typedef struct net_row {
    double size; /**< increments of a net */
    double observed;
    double bound;
} net_row;

static const carom_field NET_FIELDS[] = {
    CAROM_FIELD("size", net_row, size, "1", "random increments that are to be a net"),
    CAROM_FIELD("observed", net_row, observed, "1", "share of trials that were no net"),
    CAROM_FIELD("bound", net_row, bound, "1", "bound of Lemma 1 on its probability"),
};

/** Rate of failures and its bound for sizes from a bound that says nothing to one below 1 %:
 * /nets. */
static carom_status write_nets(const results *r) {
    enum { TRIALS = 400 }; // an observed rate has a standard error of 2.5 % at most
    net_row rows[] = {{.size = 32.0},  {.size = 64.0},  {.size = 128.0},
                      {.size = 192.0}, {.size = 256.0}, {.size = 320.0}};
    const carom_net_problem net = carom_block_net(r->exact, r->sampling.impulse_step);
    for (int k = 0; k < COUNT(rows); k++) {
        net_row *row = &rows[k];
        carom_impact_sampling_params params = r->sampling;
        params.samples = (int)row->size;
        params.seed += 1UL + TRIALS * (unsigned long)k;
        CAROM_TRY(carom_block_try_nets(r->problem, &net, &params, TRIALS, &row->observed,
                                       r->run->report));
        CAROM_TRY(carom_net_failure(&net, row->size, &row->bound, r->run->report));
        row->bound = fmin(exp(row->bound), 1.0);
    }
    carom_record group = carom_record_group(r->record, "/nets");
    carom_record_rows(&group, "size", rows, COUNT(rows), sizeof *rows, NET_FIELDS,
                      COUNT(NET_FIELDS));
    carom_record_scalar(&group, "radius", net.net_radius, "m s-1", "radius epsilon of the nets");
    carom_record_scalar(&group, "lipschitz", net.lipschitz, "kg-1",
                        "Lipschitz constant of the normal speeds after an increment");
    return CAROM_OK;
}

/* --- the program ------------------------------------------------------------------------------ */

/** Compare the next samples with the exact set. */
static carom_status watch(carom_scene_run *run, const carom_impact_samples *part) {
    carom_block_set **seen = run->settings->experiment->watched;
    if (*seen == NULL) {
        carom_rigid_block_exact exact;
        const carom_rigid_block_params *block = &((const settings *)run->settings)->block;
        const bool is_known = carom_rigid_block_exact_compute(block, &exact, NULL) == CAROM_OK;
        CAROM_TRY(carom_block_set_alloc(is_known ? &exact : NULL, seen));
    }
    return carom_block_set_add(*seen, part, run->study->common->workers, run->report);
}

static carom_status finish(carom_scene_run *run) {
    carom_rigid_block_exact exact;
    results r = {.run = run,
                 .problem = carom_scene_run_problem(run),
                 .block = &((const settings *)run->settings)->block,
                 .sampling = carom_impact_study_params(run->study).sampling,
                 .record = carom_scene_run_record(run)};
    if (carom_rigid_block_exact_compute(r.block, &exact, NULL) == CAROM_OK) {
        r.exact = &exact;
    }
    CAROM_TRY(draw(&r));
    write_exact(&r);
    CAROM_TRY(write_measures(&r));
    if (((const settings *)run->settings)->only == 0) {
        return CAROM_OK;
    }
    CAROM_TRY(write_variants(&r));
    CAROM_TRY(write_convergence(&r));
    return r.exact != NULL ? write_nets(&r) : CAROM_OK;
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
    CAROM_CHOICE("only", settings, only,
                 "the sampled set alone, without other samplings, steps and nets", "set"),
};

int main(int argc, char **argv) {
    // Rows of contact space: normal A, normal B, tangential A, tangential B; limits from the paths.
    static const carom_plane planes[] = {{"normal_AB", 0, 1, NAN, NAN, NAN, NAN},
                                         {"contact_A", 0, CORNERS, NAN, NAN, NAN, NAN}};
    const settings published = {
        .common.sampling = carom_impact_options_default(1 << 14, 10, (double)NAN),
        .block = carom_rigid_block_params_default(),
        .only = -1,
    };
    carom_block_set *seen = NULL;
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
        .watch = watch,
        .watched = &seen,
        .watch_has_maps = true,
    };
    settings values = published;
    values.common.experiment = &experiment;
    const int exit_status = carom_scene_experiment_main(&experiment, argc, argv, &values.common);
    carom_block_set_free(seen);
    return exit_status;
}
