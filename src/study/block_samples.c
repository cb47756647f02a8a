#include <carom/study/block_samples.h>

#include <carom/base/parallel.h>
#include <carom/impact/impulse_increment.h>

#include <math.h>
#include <stdlib.h>

enum { CORNERS = 2 };

/** Points of each segment of the exact set from which the nearest outcome is sought: 1/1000 of the
 * segment is finer than any coverage measured here. */
enum { SEGMENT_POINTS = 1001 };

enum { SET_PROBES = CORNERS * SEGMENT_POINTS };

struct carom_block_set {
    bool has_exact;
    carom_rigid_block_exact exact;
    carom_block_comparison sums;        /**< without means and coverage */
    double rebound_sum;                 /**< of finished samples, m/s */
    double increment_sum;               /**< of all samples */
    double count;                       /**< samples */
    double longest;                     /**< impulse of a finished sample, N s */
    double probes[SET_PROBES][CORNERS]; /**< points of the exact set, m/s */
    double distances[SET_PROBES];       /**< of these from the nearest outcome, m/s */
};

carom_status carom_block_set_alloc(const carom_rigid_block_exact *exact, carom_block_set **out) {
    CAROM_ASSERT(out != NULL);
    carom_block_set *set = calloc(1, sizeof *set);
    *out = set;
    if (set == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    set->sums = (carom_block_comparison){.largest_rebound = NAN, .slip = NAN};
    set->sums.set_distance = NAN;
    set->sums.length_error = NAN;
    if (exact != NULL) {
        set->has_exact = true;
        set->exact = *exact;
        const double spacing = exact->largest_rebound / (SEGMENT_POINTS - 1);
        for (int i = 0; i < SET_PROBES; i++) {
            const int point = i / CORNERS;
            set->probes[i][i % CORNERS] = spacing * point;
            set->distances[i] = INFINITY;
        }
    }
    return CAROM_OK;
}

void carom_block_set_free(carom_block_set *set) {
    free(set);
}

/** Add a finished outcome c [4] that took an impulse; fmax passes NaN over. */
static void add(carom_block_set *set, const double *c, double impulse) {
    carom_block_comparison *out = &set->sums;
    const double rebound = fmax(c[0], c[1]);
    out->largest_rebound = fmax(out->largest_rebound, rebound);
    out->slip = fmax(out->slip, fmax(fabs(c[CORNERS]), fabs(c[CORNERS + 1])));
    if (set->has_exact) {
        const double length = carom_rigid_block_exact_length(&set->exact, rebound);
        out->set_distance =
            fmax(out->set_distance, carom_rigid_block_exact_distance(&set->exact, c));
        out->length_error = fmax(out->length_error, fabs(impulse - length));
    }
    set->rebound_sum += rebound;
    set->longest = fmax(set->longest, impulse);
    out->finished++;
}

carom_status carom_block_set_add(carom_block_set *set, const carom_impact_samples *samples,
                                 carom_workers workers, carom_report *report) {
    CAROM_ASSERT(set != NULL && samples != NULL);
    CAROM_AUTO_MEMORY double *normal =
        malloc((CORNERS * (size_t)samples->count + 1) * sizeof *normal);
    if (normal == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    int finished = 0;
    set->count += samples->count;
    for (int i = 0; i < samples->count; i++) {
        set->increment_sum += samples->increments[i];
        if (samples->is_finished[i] != 0) {
            const double *c = samples->contact_velocity + (size_t)i * (size_t)samples->row_count;
            add(set, c, samples->impulse[i]);
            normal[CORNERS * finished] = c[0];
            normal[CORNERS * finished + 1] = c[1];
            finished++;
        }
    }
    return finished == 0 || !set->has_exact
               ? CAROM_OK
               : carom_covering_approach_points(finished, CORNERS, normal, SET_PROBES,
                                                set->probes[0], workers, set->distances, report);
}

carom_block_comparison carom_block_set_compare(const carom_block_set *set) {
    CAROM_ASSERT(set != NULL);
    carom_block_comparison out = set->sums;
    out.mean_increments = set->increment_sum / set->count;
    out.fraction_finished = out.finished / set->count;
    out.mean_rebound = out.finished > 0 ? set->rebound_sum / out.finished : (double)NAN;
    out.coverage = out.finished > 0 && set->has_exact
                       ? carom_covering_of_distances(SET_PROBES, set->distances).radius
                       : (double)NAN;
    return out;
}

double carom_block_set_longest(const carom_block_set *set) {
    CAROM_ASSERT(set != NULL);
    return set->longest;
}

carom_status carom_block_compare(const carom_rigid_block_exact *exact,
                                 const carom_impact_samples *samples, carom_workers workers,
                                 carom_block_comparison *comparison, carom_report *report) {
    CAROM_AUTO(carom_block_set) set = NULL;
    CAROM_TRY(carom_block_set_alloc(exact, &set));
    CAROM_TRY(carom_block_set_add(set, samples, workers, report));
    *comparison = carom_block_set_compare(set);
    return CAROM_OK;
}

/* ----------------------------------------------------------------------------------------- nets */

/** Cells along each side of the box of caps, and points of the grid that is probed. */
enum { CELLS_ALONG_SIDE = 6, PROBES_ALONG_SIDE = 25 };
enum { PROBES = PROBES_ALONG_SIDE * PROBES_ALONG_SIDE };

/** Trials under way. */
typedef struct trials {
    const carom_impact_problem *problem;
    carom_impact_sampling_params params; /**< of the first set */
    double radius;                       /**< m/s */
    double probes[PROBES][CORNERS];      /**< normal speeds */
    bool *has_failed;                    /**< [trials] */
} trials;

/*[blockImpactNet]*/
carom_net_problem carom_block_net(const carom_rigid_block_exact *exact, double h) {
    carom_net_problem net = {.dimension = CORNERS, .side = h};
    net.lipschitz = exact->direct_rate + fabs(exact->cross_rate);
    net.net_radius = h * net.lipschitz * sqrt((double)CORNERS) / CELLS_ALONG_SIDE;
    return net;
}
/*[end blockImpactNet]*/

/** Images of a grid of caps. */
static carom_status make_probes(trials *of, carom_report *report) {
    const double *start = of->problem->contact_velocity;
    const double spacing = of->params.impulse_step / (PROBES_ALONG_SIDE - 1);
    CAROM_AUTO(carom_impulse_increment) increment = NULL;
    CAROM_AUTO(carom_increment_work) work = NULL;
    CAROM_TRY(carom_impulse_increment_alloc(of->problem, 0, &increment, report));
    CAROM_TRY(carom_increment_work_alloc(increment, &work));
    for (int i = 0; i < PROBES; i++) {
        const int row = i / PROBES_ALONG_SIDE;
        const int column = i % PROBES_ALONG_SIDE;
        const double caps[CORNERS] = {spacing * row, spacing * column};
        double impulse[2 * CORNERS];
        double speeds[2 * CORNERS];
        CAROM_TRY(carom_impulse_increment_solve(increment, start, caps, NULL, impulse, work, NULL));
        carom_impact_add_impulse(of->problem, impulse, start, speeds);
        of->probes[i][0] = speeds[0];
        of->probes[i][1] = speeds[1];
    }
    return CAROM_OK;
}

/** Draw one set and look whether some image is too far from it. */
static carom_status try_net(int trial, void *context, carom_report *report) {
    trials *of = context;
    carom_impact_sampling_params params = of->params;
    params.seed += (unsigned long)trial;
    CAROM_AUTO(carom_impact_samples) samples = NULL;
    CAROM_AUTO(carom_point_tree) tree = NULL;
    CAROM_TRY(carom_impact_sample(of->problem, &params, &samples, report));
    CAROM_AUTO_MEMORY double *normal = malloc(CORNERS * (size_t)samples->count * sizeof *normal);
    if (normal == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int i = 0; i < samples->count; i++) {
        const double *c = samples->contact_velocity + (size_t)i * (size_t)samples->row_count;
        normal[CORNERS * i] = c[0];
        normal[CORNERS * i + 1] = c[1];
    }
    CAROM_TRY(carom_point_tree_alloc(samples->count, CORNERS, normal, &tree, report));
    for (int i = 0; i < PROBES && !of->has_failed[trial]; i++) {
        of->has_failed[trial] = carom_point_tree_distance(tree, of->probes[i], NULL) > of->radius;
    }
    return CAROM_OK;
}

carom_status carom_block_try_nets(const carom_impact_problem *problem, const carom_net_problem *net,
                                  const carom_impact_sampling_params *params, int trial_count,
                                  double *observed, carom_report *report) {
    trials of = {.problem = problem, .params = *params, .radius = net->net_radius};
    of.params.impulse_step = net->side;
    of.params.distribution = CAROM_CAPS_UNIFORM;
    of.params.selection = CAROM_SELECTION_LEMKE;
    of.params.trajectory_length = 1;
    of.params.final_step = 0.0;
    of.params.workers = (carom_workers){.threads = 1};
    *observed = NAN;
    CAROM_AUTO_MEMORY bool *has_failed = calloc((size_t)trial_count, sizeof *has_failed);
    if (has_failed == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    of.has_failed = has_failed;
    CAROM_TRY(make_probes(&of, report));
    CAROM_TRY(carom_parallel_map(params->workers, trial_count, try_net, &of,
                                 CAROM_PARALLEL_ROWS(has_failed, trial_count), report));
    int failures = 0;
    for (int i = 0; i < trial_count; i++) {
        failures += has_failed[i];
    }
    *observed = (double)failures / trial_count;
    return CAROM_OK;
}
