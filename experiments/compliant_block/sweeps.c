/** Runs of the block on compliant corners, along the ratio of stiffnesses and along the angle. */
#include "results.h"

#include <carom/base/parallel.h>
#include <stdlib.h>

/** Steps of a run, a hundred times what those of the paper take: less than a second. */
enum { MOST_STEPS = 5000 };

/** Radians of a degree. */
#define DEGREE 0.017453292519943295

/** Parameters of the integration of one run. */
static carom_compliant_params params_of(const settings *v, const block_run *run) {
    carom_compliant_params params = carom_compliant_params_default();
    params.stiffness = run->stiffness;
    params.damping_ratio = v->damping_ratio;
    params.reference_mass = v->block.mass;
    params.damping = (carom_compliant_damping)v->damping;
    params.regularisation_speed = v->regularisation_speed;
    params.relative_tolerance = v->relative_tolerance;
    params.absolute_tolerance = v->absolute_tolerance;
    params.time_span = v->time_span;
    params.most_steps = MOST_STEPS;
    params.stop_speed = v->stop_speed;
    params.least_impulse = v->least_impulse * v->block.mass * v->block.initial_speed;
    return params;
}

/** Sliding speeds of the corners at the end of a run. */
static void find_tangential(const carom_mechanism *block, const carom_compliant_run *end,
                            double *speeds) {
    double rows[CORNERS * COORDINATES];
    block->tangential_jacobian(end->position, rows, block->context);
    for (int i = 0; i < CORNERS; i++) {
        speeds[i] = 0.0;
        for (int j = 0; j < COORDINATES; j++) {
            speeds[i] += rows[i * COORDINATES + j] * end->velocity[j];
        }
    }
}

/** Kinetic energy and that of the height above the floor of the lower corners of the flat block. */
static double energy_before(const carom_rigid_block_params *block,
                            const carom_impact_scene *scene) {
    const double speed = scene->velocity[1];
    const double rise = scene->position[1] - 0.5 * block->height;
    return block->mass * (0.5 * speed * speed + block->gravity * rise);
}

/** Keep what the record needs of a run. */
static void keep(const carom_compliant_run *end, block_run *run) {
    for (int j = 0; j < COORDINATES; j++) {
        run->velocity[j] = end->velocity[j];
    }
    for (int i = 0; i < CORNERS; i++) {
        run->normal_velocity[i] = end->gap_rate[i];
        run->normal_impulse[i] = end->normal_impulse[i];
        run->start_time[i] = end->start_time[i];
    }
    run->end_time = end->end_time;
    run->first_share = end->first_share;
    run->first_contact = end->first_contact;
    run->has_stopped = end->has_stopped ? 1 : 0;
    run->steps = (int)end->steps;
    run->events = (int)end->events;
}

/** Run number `item` of the first sweep, and then of the second. */
/*[compliantBlockRun]*/
static carom_status simulate(int item, void *context, carom_report *report) {
    const results *r = context;
    block_run *run = item < r->stiffness.count ? r->stiffness.runs + item
                                               : r->angle.runs + (item - r->stiffness.count);
    carom_rigid_block_params block = r->values->block;
    block.tilt = run->tilt;
    carom_impact_scene *scene = NULL;
    carom_compliant_run *end = NULL;
    CAROM_TRY(carom_rigid_block_alloc(&block, &scene, report));
    const carom_mechanism *mechanism = carom_impact_scene_mechanism(scene);
    const carom_compliant_params params = params_of(r->values, run);
    const carom_status status = carom_compliant_simulate(mechanism, &params, scene->position,
                                                         scene->velocity, &end, report);
    if (status == CAROM_OK) {
        run->energy = energy_before(&block, scene);
        find_tangential(mechanism, end, run->tangential_velocity);
        keep(end, run);
    }
    carom_compliant_run_free(end);
    carom_impact_scene_free(scene);
    carom_progress_add(r->progress, 1);
    return status;
}
/*[end compliantBlockRun]*/

/** Memory of a sweep, and `count` values from -largest to largest, zero if there is one. */
static carom_status make(sweep *s, int count, double largest) {
    s->count = count;
    s->values = calloc((size_t)count, sizeof *s->values);
    s->runs = calloc((size_t)count, sizeof *s->runs);
    if (s->values == NULL || s->runs == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int i = 0; i < count && count > 1; i++) {
        s->values[i] = largest * (2 * i - (count - 1)) / (count - 1);
    }
    return CAROM_OK;
}

carom_status compliant_block_run(results *r) {
    const settings *v = r->values;
    r->stiffness =
        (sweep){.group = "/stiffness_sweep",
                .parameter = "exponent",
                .units = "1",
                .long_name = "decimal exponent of the ratio k_A/k_B; the softer one is fixed"};
    r->angle = (sweep){.group = "/angle_sweep",
                       .parameter = "angle",
                       .units = "deg",
                       .long_name = "initial angle theta_0, positive: the left corner A is lower"};
    CAROM_TRY(make(&r->stiffness, v->ratios, v->largest_exponent));
    CAROM_TRY(make(&r->angle, v->angles, v->largest_angle));
    for (int i = 0; i < v->ratios; i++) {
        const double exponent = r->stiffness.values[i];
        block_run *run = r->stiffness.runs + i;
        run->stiffness[0] = v->stiffness * pow(10.0, fmax(exponent, 0.0));
        run->stiffness[1] = v->stiffness * pow(10.0, fmax(-exponent, 0.0));
    }
    for (int i = 0; i < v->angles; i++) {
        block_run *run = r->angle.runs + i;
        run->stiffness[0] = v->stiffness;
        run->stiffness[1] = v->stiffness;
        run->tilt = r->angle.values[i] * DEGREE;
    }
    const int count = v->ratios + v->angles;
    r->progress = carom_progress_start("falls", count, "runs", r->common->is_quiet);
    const carom_status status =
        carom_parallel_map(count, r->common->threads, simulate, r, r->report);
    carom_progress_finish(r->progress);
    r->progress = NULL;
    return status;
}

void compliant_block_free(results *r) {
    free(r->stiffness.values);
    free(r->stiffness.runs);
    free(r->angle.values);
    free(r->angle.runs);
}
