/** Dissipation and homogeneity of the inclusion with several contacts. */
#include "differential_inclusion.h"

#include <carom/base/parallel.h>
#include <carom/impact/impact_inclusion.h>

#include <stdlib.h>

/** Values epsilon = 1, 1/10, ... of (42). */
enum { EPSILONS = 9 };

/* --- the example of (42) ---------------------------------------------------------------------- */

/** (42) for one epsilon. */
typedef struct slow {
    double epsilon;
    double rate;
    double duration;
} slow;

static const carom_field SLOW_FIELDS[] = {
    CAROM_FIELD("epsilon", slow, epsilon, "1", "epsilon of (42)"),
    CAROM_FIELD("rate", slow, rate, "m s-1", "K' at the start of the impact"),
    CAROM_FIELD("duration", slow, duration, "kg",
                "normal impulse of the impact, divided by the initial speed"),
};

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
    CAROM_AUTO(carom_impact_problem) problem = NULL;
    CAROM_AUTO(carom_planar_inclusion_path) path = NULL;
    CAROM_TRY(carom_impact_problem_alloc(2, 2, 1, identity, identity, across, frictionless, v,
                                         &problem, r->report));
    CAROM_TRY(carom_planar_inclusion_run(problem, &params, &path, r->report));
    // K' = v' J' lambda, (41).
    out->epsilon = epsilon;
    out->rate = path->rate[0] * path->speed[0] + path->rate[1] * path->speed[1];
    out->duration = path->s[path->segment_count] / hypot(v[0], v[1]);
    return CAROM_OK;
}

/** Epsilon = 1, 1/10, ...: /slow. */
static carom_status write_slow(const results *r) {
    slow rows[EPSILONS];
    for (int k = 0; k < EPSILONS; k++) {
        CAROM_TRY(follow_slow(r, pow(10.0, -k), &rows[k]));
    }
    carom_record group = carom_record_group(r->record, "/slow");
    carom_record_index_axis(&group, "case", EPSILONS, "case");
    carom_record_rows(&group, "case", rows, EPSILONS, sizeof *rows, SLOW_FIELDS,
                      COUNT(SLOW_FIELDS));
    return CAROM_OK;
}

/* --- random paths ----------------------------------------------------------------------------- */

/** A path of the block beside that of the same with k times the velocities and impulses. */
typedef struct pair_row {
    double length;
    double deviation;
    double identity;
} pair_row;

static const carom_field PAIR_FIELDS[] = {
    CAROM_FIELD("length", pair_row, length, "N s", "sum of the normal impulses of the path"),
    CAROM_FIELD("deviation", pair_row, deviation, "1",
                "of the scaled path from the path, relative"),
    CAROM_FIELD("identity", pair_row, identity, "1",
                "largest deviation from (41) in a segment, part of the energy before"),
};

/** What all pairs have in common. */
typedef struct pairs {
    const results *r;
    const carom_impact_problem *problem[2];
    pair_row *rows; /**< [paths] */
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
    self->rows[item] =
        (pair_row){.length = path->s[path->segment_count],
                   .deviation = largest / speed,
                   .identity = carom_planar_inclusion_energy_error(self->problem[0], path)};
    return CAROM_OK;
}

/** The block that falls flat, k times as fast. */
static carom_status block_alloc(const results *r, double k, carom_impact_problem **out) {
    carom_rigid_block_params block = carom_rigid_block_params_default();
    block.friction = r->values->block_friction;
    block.initial_speed *= k;
    CAROM_AUTO(carom_impact_scene) scene = NULL;
    CAROM_TRY(carom_rigid_block_alloc(&block, &scene, r->report));
    return carom_impact_problem_of_mechanism(carom_impact_scene_mechanism(scene), scene->position,
                                             scene->velocity, INFINITY, NULL, out, r->report);
}

carom_status differential_inclusion_write_paths(const results *r) {
    const int count = r->values->paths;
    CAROM_AUTO(carom_impact_problem) block = NULL;
    CAROM_AUTO(carom_impact_problem) scaled = NULL;
    CAROM_TRY(write_slow(r));
    CAROM_TRY(block_alloc(r, 1.0, &block));
    CAROM_TRY(block_alloc(r, r->values->scale, &scaled));
    CAROM_AUTO_MEMORY pair_row *rows = calloc((size_t)count, sizeof *rows);
    if (rows == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    pairs self = {.r = r, .problem = {block, scaled}, .rows = rows};
    CAROM_TRY(carom_parallel_map(count, r->common->threads, follow_pair, &self, r->report));
    carom_record group = carom_record_group(r->record, "/homogeneity");
    carom_record_index_axis(&group, "path", count, "path");
    carom_record_rows(&group, "path", rows, count, sizeof *rows, PAIR_FIELDS, COUNT(PAIR_FIELDS));
    return CAROM_OK;
}
