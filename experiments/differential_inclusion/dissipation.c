/** Dissipation and homogeneity of the inclusion with several contacts. */
#include "results.h"

#include <carom/base/parallel.h>
#include <carom/impact/impact_inclusion.h>
#include <stdlib.h>

/** Values epsilon = 1, 1/10, ... of (42). */
enum { EPSILONS = 9 };

/** Relative error of products of a few numbers. */
static const double ROUNDING = 1e-14;

/** Relative error of a path of dozens of segments, each with its friction problem. */
static const double PATH_ROUNDING = 1e-10;

/** Caps of the sampled block as a part of what stops it, and increments at most. */
static const double CAP_PART = 0.7;
enum { INCREMENTS = 40 };

/* ----------------------------------------------------------------------- the example of (42) */

/** The numbers of (42) for one epsilon. */
typedef struct slow {
    double rate;     /**< K' at the start, W s per N s */
    double speed;    /**< |v| at the start, m/s */
    double duration; /**< s of the whole impact, N s */
} slow;

/** Two frictionless contacts along the axes, M = J_n = I, v = -(1 + eps)/2 (1, eps), shares (eps,
 * 1).
 */
static carom_status follow_slow(const results *r, double epsilon, slow *out) {
    static const double identity[] = {1.0, 0.0, 0.0, 1.0};
    static const double across[] = {0.0, 1.0, 1.0, 0.0};
    static const double frictionless[] = {0.0, 0.0};
    const double v[] = {-0.5 * (1.0 + epsilon), -0.5 * (1.0 + epsilon) * epsilon};
    const double shares[] = {epsilon, 1.0};
    carom_inclusion_mixtures fixed = {2, shares};
    carom_planar_inclusion_params params = carom_planar_inclusion_params_default();
    params.policy = carom_inclusion_policy_fixed;
    params.context = &fixed;
    carom_impact_problem *problem = NULL;
    carom_planar_inclusion_path *path = NULL;
    CAROM_TRY(carom_impact_problem_alloc(2, 2, 1, identity, identity, across, frictionless, v,
                                         &problem, r->report));
    const carom_status status = carom_planar_inclusion_run(problem, &params, &path, r->report);
    if (status == CAROM_OK) {
        // K' = v' J' lambda, (41).
        out->rate = path->rate[0] * path->speed[0] + path->rate[1] * path->speed[1];
        out->speed = hypot(v[0], v[1]);
        out->duration = path->s[path->segment_count];
    }
    carom_planar_inclusion_path_free(path);
    carom_impact_problem_free(problem);
    return status;
}

carom_status write_slow(const results *r) {
    double epsilon[EPSILONS];
    double rate[EPSILONS];
    double ratio[EPSILONS];
    bool is_minus_epsilon = true;
    bool is_above = true;
    bool is_proportional = true;
    for (int k = 0; k < EPSILONS; k++) {
        slow s = {0.0, 0.0, 0.0};
        epsilon[k] = pow(10.0, -k);
        CAROM_TRY(follow_slow(r, epsilon[k], &s));
        rate[k] = s.rate;
        ratio[k] = s.duration / s.speed;
        is_minus_epsilon = is_minus_epsilon && fabs(rate[k] + epsilon[k]) <= ROUNDING * epsilon[k];
        is_above = is_above && rate[k] > -epsilon[k] * (1.0 - ROUNDING);
        // Along the axes the impulse is the sum of both speeds, at most sqrt(2) |v|.
        is_proportional = is_proportional && ratio[k] <= sqrt(2.0) * (1.0 + ROUNDING);
    }
    const carom_column columns[] = {
        {"epsilon", epsilon, "1", "epsilon of (42)"},
        {"rate", rate, "m s-1", "K' at the start of the impact"},
        {"duration", ratio, "kg", "normal impulse of the impact, divided by the initial speed"}};
    write_columns(r, "/slow", "case", EPSILONS, columns, 3);
    carom_record_claim(r->record, "rate_is_minus_epsilon", is_minus_epsilon,
                       "K' of (42) is -epsilon");
    carom_record_claim(r->record, "rate_is_above_minus_epsilon", is_above,
                       "K' of (42) is larger than -epsilon");
    carom_record_claim(r->record, "slow_impacts_end", is_proportional,
                       "these impacts end within a duration proportional to the speed");
    return CAROM_OK;
}

/* -------------------------------------------------------------------------- random paths */

/** Paths of a block and of the same with k times the velocities and impulses. */
typedef struct pairs {
    const results *r;
    const carom_impact_problem *problem[2];
    double *deviation; /**< [paths] of k v(s/k) from v(s), relative */
    double *gain;      /**< [paths] largest change of kinetic energy in a segment, relative */
    double *identity;  /**< [paths] largest deviation from (41), relative */
    double *length;    /**< [paths] s */
    int *sliding;      /**< [paths] 1: some corner slides somewhere */
} pairs;

/** One path of the block, scaled or not. */
static carom_status follow_path(const pairs *self, int item, double scale,
                                const carom_impact_problem *problem,
                                carom_planar_inclusion_path **out, carom_report *report) {
    // Shares change on average four times while the block's momentum is spent.
    carom_inclusion_random shares = {
        .contact_count = problem->contact_count,
        .seed = self->r->common->seed,
        .sample = (unsigned long)item,
        .mean_length = 0.25 * scale * fabs(self->problem[0]->velocity[1]) * problem->mass[0],
    };
    carom_planar_inclusion_params params = carom_planar_inclusion_params_default();
    params.policy = carom_inclusion_policy_random;
    params.context = &shares;
    return carom_planar_inclusion_run(problem, &params, out, report);
}

/** Dissipation along a path: K' = sum p (v_n - mu |v_t|) is linear in a segment, so that the change
 * of K is its mean times the length. */
static void look_at_energy(const pairs *self, int item, const carom_planar_inclusion_path *path) {
    const carom_impact_problem *p = self->problem[0];
    const int m = p->contact_count;
    self->gain[item] = -INFINITY;
    self->identity[item] = 0.0;
    self->sliding[item] = 0;
    for (int k = 0; k < path->segment_count; k++) {
        const double *rate = path->rate + (size_t)k * (size_t)path->row_count;
        double mean = 0.0;
        for (int end = 0; end < 2; end++) {
            const double *c = path->speed + (size_t)(k + end) * (size_t)path->row_count;
            for (int i = 0; i < m; i++) {
                mean += 0.5 * rate[i] * (c[i] - p->friction[i] * fabs(c[m + i]));
                if (fabs(c[m + i]) > PATH_ROUNDING) {
                    self->sliding[item] = 1;
                }
            }
        }
        const double change = path->kinetic_energy[k + 1] - path->kinetic_energy[k];
        const double expected = mean * (path->s[k + 1] - path->s[k]);
        self->gain[item] = fmax(self->gain[item], change / p->kinetic_energy);
        self->identity[item] =
            fmax(self->identity[item], fabs(change - expected) / p->kinetic_energy);
    }
}

/** Follow path `item` twice. */
static carom_status follow_pair(int item, void *context, carom_report *report) {
    const pairs *self = context;
    const double k = self->r->values->scale;
    CAROM_AUTO(carom_planar_inclusion_path) path = NULL;
    CAROM_AUTO(carom_planar_inclusion_path) scaled = NULL;
    CAROM_TRY(follow_path(self, item, 1.0, self->problem[0], &path, report));
    CAROM_TRY(follow_path(self, item, k, self->problem[1], &scaled, report));
    const double speed = fabs(self->problem[0]->velocity[1]);
    double largest = fabs(scaled->s[scaled->segment_count] / k - path->s[path->segment_count]);
    for (int j = 0; j < path->coordinate_count; j++) {
        largest = fmax(largest, fabs(scaled->velocity[j] / k - path->velocity[j]));
    }
    self->deviation[item] = largest / speed;
    self->length[item] = path->s[path->segment_count];
    look_at_energy(self, item, path);
    return CAROM_OK;
}

/** What all pairs of paths have in common. */
static void write_pairs(const pairs *self) {
    const results *r = self->r;
    const int count = r->values->paths;
    double deviation = 0.0;
    double gain = -INFINITY;
    double identity = 0.0;
    double longest = 0.0;
    double sliding = 0.0;
    for (int i = 0; i < count; i++) {
        deviation = fmax(deviation, self->deviation[i]);
        gain = fmax(gain, self->gain[i]);
        identity = fmax(identity, self->identity[i]);
        longest = fmax(longest, self->length[i]);
        sliding += (double)self->sliding[i] / count;
    }
    const double norm = sqrt(2.0 * self->problem[0]->kinetic_energy);
    const carom_column columns[] = {
        {"length", self->length, "N s", "sum of the normal impulses of the path"},
        {"deviation", self->deviation, "1", "of the scaled path from the path, relative"}};
    write_columns(r, "/homogeneity", "path", count, columns, 2);
    carom_record_measure(r->record, "path_deviation", deviation, "1",
                         "largest relative difference between v and its multiple");
    carom_record_measure(r->record, "path_identity", identity, "1",
                         "largest deviation from (41), part of the energy before");
    carom_record_measure(r->record, "path_sliding", sliding, "1",
                         "part of the paths in which a corner slides");
    carom_record_measure(r->record, "path_longest", longest / norm, "kg1/2",
                         "longest path, divided by the norm of the velocity before");
    carom_record_claim(r->record, "paths_scale", deviation <= PATH_ROUNDING,
                       "k v(s/k) is a solution if v(s) is (Lemma 11)");
    carom_record_claim(r->record, "paths_dissipate", gain < 0.0 && identity <= PATH_ROUNDING,
                       "kinetic energy falls strictly, at the rate (41)");
}

/** Memory and the map over all paths. */
static carom_status write_paths(const results *r, const carom_impact_problem *const *problem) {
    const size_t count = (size_t)r->values->paths;
    double *reals = calloc(4 * count, sizeof *reals);
    int *sliding = calloc(count, sizeof *sliding);
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    if (reals != NULL && sliding != NULL) {
        pairs self = {.r = r,
                      .problem = {problem[0], problem[1]},
                      .deviation = reals,
                      .gain = reals + count,
                      .identity = reals + 2 * count,
                      .length = reals + 3 * count,
                      .sliding = sliding};
        status = carom_parallel_map((int)count, r->common->threads, follow_pair, &self, r->report);
        if (status == CAROM_OK) {
            write_pairs(&self);
        }
    }
    free(sliding);
    free(reals);
    return status;
}

/* -------------------------------------------------------------------------- increments */

/** Random increments of the block, and of the block with all velocities and caps multiplied. */
static carom_status write_samples(const results *r, const carom_impact_problem *const *problem) {
    carom_impact_samples *samples[2] = {NULL, NULL};
    carom_status status = CAROM_OK;
    for (int i = 0; i < 2 && status == CAROM_OK; i++) {
        carom_impact_sampling_params params = carom_impact_sampling_params_default();
        params.samples = r->values->paths;
        params.trajectory_length = INCREMENTS;
        params.impulse_step = CAP_PART * problem[i]->mass[0] * fabs(problem[i]->velocity[1]);
        params.seed = r->common->seed;
        params.threads = r->common->threads;
        status = carom_impact_sample(problem[i], &params, &samples[i], r->report);
    }
    if (status == CAROM_OK) {
        double largest = 0.0;
        const int n = samples[0]->coordinate_count;
        for (int i = 0; i < samples[0]->count * n; i++) {
            largest = fmax(largest, fabs(samples[1]->velocity[i] / r->values->scale -
                                         samples[0]->velocity[i]));
        }
        largest /= fabs(problem[0]->velocity[1]);
        carom_record_measure(r->record, "increment_deviation", largest, "1",
                             "the same of sampled increments");
        if (status == CAROM_OK) {
            carom_record_claim(r->record, "increments_scale", largest <= PATH_ROUNDING,
                               "increments with k times the velocity and caps scale by k");
        }
    }
    carom_impact_samples_free(samples[1]);
    carom_impact_samples_free(samples[0]);
    return status;
}

/** The block that falls flat, k times as fast. */
static carom_status block_alloc(const results *r, double k, carom_impact_problem **out) {
    carom_rigid_block_params block = carom_rigid_block_params_default();
    block.friction = r->values->block_friction;
    block.initial_speed *= k;
    carom_impact_scene *scene = NULL;
    CAROM_TRY(carom_rigid_block_alloc(&block, &scene, r->report));
    const carom_status status =
        carom_impact_problem_of_mechanism(carom_impact_scene_mechanism(scene), scene->position,
                                          scene->velocity, INFINITY, NULL, out, r->report);
    carom_impact_scene_free(scene);
    return status;
}

carom_status write_homogeneity(const results *r) {
    carom_impact_problem *problem[2] = {NULL, NULL};
    carom_status status = block_alloc(r, 1.0, &problem[0]);
    status = status == CAROM_OK ? block_alloc(r, r->values->scale, &problem[1]) : status;
    const carom_impact_problem *const both[] = {problem[0], problem[1]};
    status = status == CAROM_OK ? write_paths(r, both) : status;
    status = status == CAROM_OK ? write_samples(r, both) : status;
    carom_impact_problem_free(problem[1]);
    carom_impact_problem_free(problem[0]);
    return status;
}
