/** Lemma 1 put to the test on one increment, whose Lipschitz constant is known: /nets. */
#include "results.h"

#include <carom/base/parallel.h>
#include <carom/impact/impact_bounds.h>
#include <carom/impact/impulse_increment.h>

#include <stdlib.h>

/** Increments drawn for one net: from a bound that says nothing to one below 1 %. */
static const double SIZES[] = {32.0, 64.0, 128.0, 192.0, 256.0, 320.0};
enum { SIZE_COUNT = sizeof SIZES / sizeof SIZES[0] };

/** Random nets of each size: an observed rate has a standard error of 2.5 % at most. */
enum { TRIALS = 400 };

/** Cells along each side of the box of caps, of which the lemma makes the radius of the nets. */
static const double CELLS_ALONG_SIDE = 6.0;

/** Caps along each side whose images must lie near a net: four in a cell. Fewer images than all can
 * only make failures rarer. */
enum { PROBES_ALONG_SIDE = 25, PROBES = PROBES_ALONG_SIDE * PROBES_ALONG_SIDE };

/** The trials of one size. */
typedef struct trials {
    const results *r;
    carom_net_problem net;
    int size;             /**< increments of a net */
    unsigned long stream; /**< added to the seed */
    const double *probes; /**< [PROBES][CORNERS] normal speeds */
    int *has_failed;      /**< [TRIALS] */
} trials;

/** The lemma's problem: the box [0,h]^2 of caps, and the normal speeds after one increment. While
 * no corner slides they are a continuous function of the caps, linear in pieces, and steepest where
 * both caps are used up: the matrix there is 2/(m (1 + e)) [1 e; e 1]. */
/*[blockImpactNet]*/
static carom_net_problem pose(const results *r) {
    const double h = r->run->settings->sampling.impulse_step;
    carom_net_problem net = {.dimension = CORNERS, .side = h};
    net.lipschitz = r->exact.direct_rate + fabs(r->exact.cross_rate);
    net.net_radius = h * net.lipschitz * sqrt((double)CORNERS) / CELLS_ALONG_SIDE;
    return net;
}
/*[end blockImpactNet]*/

/** Images of a grid of caps. */
static carom_status map_grid(const results *r, const carom_impulse_increment *increment,
                             carom_increment_work *work, double *probes) {
    const carom_impact_problem *problem = carom_scene_run_problem(r->run);
    const double spacing = r->run->settings->sampling.impulse_step / (PROBES_ALONG_SIDE - 1);
    for (int i = 0; i < PROBES; i++) {
        const int row = i / PROBES_ALONG_SIDE;
        const int column = i % PROBES_ALONG_SIDE;
        const double caps[CORNERS] = {spacing * row, spacing * column};
        double impulse[2 * CORNERS];
        double speeds[2 * CORNERS];
        CAROM_TRY(carom_impulse_increment_solve(increment, problem->contact_velocity, caps, NULL,
                                                impulse, work, NULL));
        carom_impact_add_impulse(problem, impulse, problem->contact_velocity, speeds);
        probes[CORNERS * i] = speeds[0];
        probes[CORNERS * i + 1] = speeds[1];
    }
    return CAROM_OK;
}

/** The same with its work memory. */
static carom_status make_probes(const results *r, double *probes) {
    CAROM_AUTO(carom_impulse_increment) increment = NULL;
    CAROM_AUTO(carom_increment_work) work = NULL;
    CAROM_TRY(carom_impulse_increment_alloc(carom_scene_run_problem(r->run), 0, &increment,
                                            r->run->report));
    CAROM_TRY(carom_increment_work_alloc(increment, &work));
    return map_grid(r, increment, work, probes);
}

/** Draw one net and look whether some image is too far from it. */
static carom_status try_once(int trial, void *context, carom_report *report) {
    const trials *of = context;
    carom_impact_sampling_params params =
        carom_impact_options_params(of->r->run->study->options, of->r->run->study->common);
    params.distribution = CAROM_CAPS_UNIFORM;
    params.selection = CAROM_SELECTION_LEMKE;
    params.samples = of->size;
    params.trajectory_length = 1;
    params.final_step = 0.0;
    params.threads = 1;
    params.seed += of->stream + (unsigned long)trial;
    carom_impact_samples *samples = NULL;
    double *normal = malloc(CORNERS * (size_t)of->size * sizeof *normal);
    carom_point_tree *tree = NULL;
    carom_status status = normal == NULL ? CAROM_STATUS_OUT_OF_MEMORY
                                         : carom_impact_sample(carom_scene_run_problem(of->r->run),
                                                               &params, &samples, report);
    for (int i = 0; status == CAROM_OK && i < of->size; i++) {
        const double *c = samples->contact_velocity + (size_t)i * (size_t)samples->row_count;
        normal[CORNERS * i] = c[0];
        normal[CORNERS * i + 1] = c[1];
    }
    if (status == CAROM_OK) {
        status = carom_point_tree_alloc(of->size, CORNERS, normal, &tree, report);
    }
    of->has_failed[trial] = 0;
    for (int i = 0; status == CAROM_OK && i < PROBES && of->has_failed[trial] == 0; i++) {
        const double distance = carom_point_tree_distance(tree, of->probes + CORNERS * i, NULL);
        of->has_failed[trial] = distance > of->net.net_radius ? 1 : 0;
    }
    carom_point_tree_free(tree);
    free(normal);
    carom_impact_samples_free(samples);
    return status;
}

/** Rate of failures and its bound for each size. */
static carom_status compare(trials *of, double *observed, double *bound) {
    for (int k = 0; k < SIZE_COUNT; k++) {
        of->size = (int)SIZES[k];
        of->stream = 1UL + TRIALS * (unsigned long)k;
        CAROM_TRY(carom_parallel_map(TRIALS, of->r->run->study->common->threads, try_once, of,
                                     of->r->run->report));
        int failures = 0;
        for (int i = 0; i < TRIALS; i++) {
            failures += of->has_failed[i];
        }
        observed[k] = (double)failures / TRIALS;
        CAROM_TRY(carom_net_failure(&of->net, SIZES[k], &bound[k], of->r->run->report));
        bound[k] = fmin(exp(bound[k]), 1.0);
    }
    return CAROM_OK;
}

/** Write what was found. */
static void write(const trials *of, const double *observed, const double *bound) {
    carom_record *record = carom_scene_run_record(of->r->run);
    carom_record_axis(record, "/nets/size", SIZE_COUNT, SIZES, "1",
                      "random increments that are to be a net");
    carom_record_series(record, "/nets/observed", observed, "/nets/size", NULL, "1",
                        "share of trials that were no net");
    carom_record_series(record, "/nets/bound", bound, "/nets/size", NULL, "1",
                        "bound of Lemma 1 on its probability");
    carom_record_scalar(record, "/nets/radius", of->net.net_radius, "m s-1",
                        "radius epsilon of the nets");
    carom_record_scalar(record, "/nets/lipschitz", of->net.lipschitz, "kg-1",
                        "Lipschitz constant of the normal speeds after an increment");
}

carom_status block_impact_write_nets(const results *r) {
    if (!r->has_exact) {
        return CAROM_OK;
    }
    CAROM_AUTO_MEMORY double *probes = malloc((CORNERS * PROBES) * sizeof *probes);
    int has_failed[TRIALS];
    double observed[SIZE_COUNT];
    double bound[SIZE_COUNT];
    trials of = {.r = r, .net = pose(r), .probes = probes, .has_failed = has_failed};
    CAROM_TRY(probes == NULL ? CAROM_STATUS_OUT_OF_MEMORY : make_probes(r, probes));
    CAROM_TRY(compare(&of, observed, bound));
    write(&of, observed, bound);
    return CAROM_OK;
}
