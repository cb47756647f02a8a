/** Dissipation and homogeneity of the inclusion with several contacts. */
#include "differential_inclusion.h"

#include <carom/drawing/geometry.h>
#include <carom/study/scenes.h>

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
    double deviation;
    double identity;
} pair_row;

static const carom_field PAIR_FIELDS[] = {
    CAROM_FIELD("deviation", pair_row, deviation, "1",
                "of the scaled path from the path, relative"),
    CAROM_FIELD("identity", pair_row, identity, "1",
                "largest deviation from (41) in a segment, part of the energy before"),
};

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

/** Random paths of a block. Shares change on average four times while its
 * momentum is spent. */
static carom_status follow_paths(const results *r, const carom_impact_problem *block,
                                 carom_inclusion_ends **out) {
    const carom_inclusion_random shares = {
        .contact_count = block->contact_count,
        .seed = r->common->seed,
        .mean_length = 0.25 * fabs(block->velocity[1]) * block->mass[0],
    };
    return carom_inclusion_ends_find(block, &shares, r->values->paths, r->common->workers, out,
                                     r->report);
}

/** The same random paths of the block and of the block that is k times as fast: /homogeneity. */
static carom_status write_pairs(const results *r) {
    const int count = r->values->paths;
    const double k = r->values->scale;
    CAROM_AUTO(carom_impact_problem) block = NULL;
    CAROM_AUTO(carom_impact_problem) fast = NULL;
    CAROM_AUTO(carom_inclusion_ends) paths = NULL;
    CAROM_AUTO(carom_inclusion_ends) scaled = NULL;
    CAROM_TRY(block_alloc(r, 1.0, &block));
    CAROM_TRY(block_alloc(r, k, &fast));
    CAROM_TRY(follow_paths(r, block, &paths));
    CAROM_TRY(follow_paths(r, fast, &scaled));
    CAROM_AUTO_MEMORY pair_row *rows = calloc((size_t)count, sizeof *rows);
    if (rows == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    const int n = block->coordinate_count;
    for (int i = 0; i < count; i++) {
        double largest = fabs(scaled->impulse[i] / k - paths->impulse[i]);
        for (size_t j = (size_t)i * (size_t)n; j < (size_t)(i + 1) * (size_t)n; j++) {
            largest = fmax(largest, fabs(scaled->velocity[j] / k - paths->velocity[j]));
        }
        rows[i] = (pair_row){largest / fabs(block->velocity[1]), paths->energy_error[i]};
    }
    carom_record group = carom_record_group(r->record, "/homogeneity");
    carom_record_index_axis(&group, "path", count, "path");
    carom_record_rows(&group, "path", rows, count, sizeof *rows, PAIR_FIELDS, COUNT(PAIR_FIELDS));
    return CAROM_OK;
}

carom_status differential_inclusion_write_paths(const results *r) {
    CAROM_TRY(write_slow(r));
    return write_pairs(r);
}

/* --- the rod's impact to look at ---------------------------------------------------------------
 */

carom_status differential_inclusion_write_motion(const results *r,
                                                 const carom_impact_problem *problem,
                                                 const carom_routh_path *path, carom_record *around,
                                                 const char *name) {
    const settings *s = r->values;
    const double angle = s->lean * DEGREE;
    const int last = path->point_count - 1;
    const double center[] = {0.5 * s->length * cos(angle), 0.5 * s->length * sin(angle), angle};
    const double impulse[] = {path->normal_impulse[last], path->tangential_impulse[last]};
    double after[3];
    carom_impact_velocity(problem, impulse, after);
    carom_record group = carom_record_group(around, "%s", name);
    return carom_scene_record_passage(&group, 3, center, problem->velocity, after);
}

carom_status differential_inclusion_write_rod(const results *r, carom_record *around) {
    const double half = 0.5 * r->values->length;
    const carom_planar_wall floor = carom_planar_floor(0.0);
    CAROM_AUTO_VALUE(carom_geometry) geometry = {0};
    const int rod = carom_geometry_add_free_body(&geometry, "rod", 0, 1.0);
    carom_geometry_add_line(&geometry, rod, (double[2]){-half, 0.0}, (double[2]){half, 0.0});
    carom_geometry_add_half_plane(&geometry, &floor);
    return carom_geometry_record(around, &geometry);
}
