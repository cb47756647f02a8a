/* Cost of sampled impacts of the five systems of halm-2023 at the published parameters, on one
 * thread; the gain of a second one; and the enumeration of all solutions of one increment. */
#include "bench.h"

#include <carom/impact/contact_modes.h>
#include <carom/impact/impact_inclusion.h>
#include <carom/models/compass_gait.h>
#include <carom/models/disk_stack.h>
#include <carom/models/leaning_box.h>
#include <carom/models/ramone.h>
#include <carom/models/rigid_block.h>

#include <math.h>
#include <stdio.h>

/* Targets for so many samples, s. */
static const double TWO_CONTACT_TARGET = 10.0;
static const double STACK_TARGET = 60.0;

/* Gaps that rounding leaves between bodies that touch, m. */
static const double TOUCHING = 1e-9;

/* Enough for every batch to be cut by its time. */
static const long MANY = 1L << 20;

/* Samples between which the clock is read when two threads are compared. */
enum { SCALING_SAMPLES = 1 << 15 };

static const bench_unit MICROSECONDS = {.name = "us/sample", .factor = 1e6};
static const bench_unit SECONDS = {.name = "s for 2^20", .factor = 1048576.0};
static const bench_unit ENUMERATION = {.name = "us/increment", .factor = 1e6};
static const bench_unit RATIO = {
    .name = "times one thread", .factor = 1.0, .is_rate = true, .is_ratio = true};

/* One system as published. */
typedef struct sampled {
    const char *name;
    carom_status (*alloc)(carom_impact_scene **scene);
    int trajectory_length;
    double impulse_step;
    carom_increment_selection selection;
    bool is_code; /* discs as in the authors' programs */
    double target;
    carom_impact_problem *problem;
} sampled;

static carom_status alloc_block(carom_impact_scene **scene) {
    const carom_rigid_block_params params = carom_rigid_block_params_default();
    return carom_rigid_block_alloc(&params, scene, NULL);
}

static carom_status alloc_compass(carom_impact_scene **scene) {
    const carom_compass_gait_params params = carom_compass_gait_params_default();
    return carom_compass_gait_alloc(&params, scene, NULL);
}

static carom_status alloc_box(carom_impact_scene **scene) {
    const carom_leaning_box_params params = carom_leaning_box_params_default();
    return carom_leaning_box_alloc(&params, scene, NULL);
}

static carom_status alloc_ramone(carom_impact_scene **scene) {
    const carom_ramone_params params = carom_ramone_params_default();
    return carom_ramone_alloc(&params, scene, NULL);
}

static carom_status alloc_stack(carom_impact_scene **scene) {
    const carom_disk_stack_params params = carom_disk_stack_params_default();
    return carom_disk_stack_alloc(&params, scene, NULL);
}

static carom_status alloc_code_stack(carom_impact_scene **scene) {
    carom_disk_stack_params params = carom_disk_stack_params_default();
    params.variant = CAROM_DISK_STACK_CODE;
    return carom_disk_stack_alloc(&params, scene, NULL);
}

/* The discs of the authors' programs: their tangents are put in. */
static carom_status use_code_tangents(const carom_impact_scene *scene,
                                      carom_impact_problem **problem) {
    carom_impact_problem *p = *problem;
    const int m = p->contact_count;
    double *J_t = p->contact_jacobian + m * p->coordinate_count;
    carom_disk_stack_code_tangents(scene, p->contact_jacobian, J_t);
    carom_impact_problem *turned = NULL;
    const carom_status status =
        carom_impact_problem_alloc(p->coordinate_count, m, 1, p->mass, p->contact_jacobian, J_t,
                                   p->friction, p->velocity, &turned, NULL);
    carom_impact_problem_free(p);
    *problem = turned;
    return status;
}

static carom_status pose(sampled *s) {
    carom_impact_scene *scene = NULL;
    CAROM_TRY(s->alloc(&scene));
    carom_status status =
        carom_impact_problem_of_mechanism(carom_impact_scene_mechanism(scene), scene->position,
                                          scene->velocity, TOUCHING, NULL, &s->problem, NULL);
    if (status == CAROM_OK && s->is_code) {
        status = use_code_tangents(scene, &s->problem);
    }
    carom_impact_scene_free(scene);
    return status;
}

/* Time of so many samples on so many threads; negative on failure. */
static double time_samples(const sampled *s, long count, int threads) {
    carom_impact_sampling_params params = carom_impact_sampling_params_default();
    params.samples = (int)count;
    params.trajectory_length = s->trajectory_length;
    params.impulse_step = s->impulse_step;
    params.selection = s->selection;
    params.workers.threads = threads;
    carom_impact_samples *samples = NULL;
    const double start = threads > 1 ? bench_wall_seconds() : bench_seconds();
    const carom_status status = carom_impact_sample(s->problem, &params, &samples, NULL);
    const double elapsed = (threads > 1 ? bench_wall_seconds() : bench_seconds()) - start;
    const bool is_sound = status == CAROM_OK && samples->unsolved_count == 0;
    carom_impact_samples_free(samples);
    return is_sound ? elapsed : -1.0;
}

static double sample_batch(long count, void *context) {
    return time_samples(context, count, 1);
}

/* Time on two threads relative to that on one, for each operation. */
static double scaling_batch(long count, void *context) {
    double ratio = 0.0;
    for (long k = 0; k < count; k++) {
        const double one = time_samples(context, SCALING_SAMPLES, 1);
        const double two = time_samples(context, SCALING_SAMPLES, 2);
        if (one < 0.0 || two < 0.0) {
            return -1.0;
        }
        ratio += two / one;
    }
    return ratio;
}

typedef struct enumeration {
    const carom_impact_problem *problem;
    carom_contact_modes *modes;
    carom_contact_mode_solutions *solutions;
    double caps[CAROM_CONTACT_MODES_MOST_CAPPED];
} enumeration;

static double enumeration_batch(long count, void *context) {
    enumeration *e = context;
    const double start = bench_seconds();
    for (long k = 0; k < count; k++) {
        if (carom_contact_modes_solve(e->modes, e->problem->contact_velocity, e->caps,
                                      e->solutions) != CAROM_OK) {
            return -1.0;
        }
    }
    return bench_seconds() - start;
}

static bench_row describe(const sampled *s, const char *method, bench_unit unit, double target) {
    return (bench_row){.system = s->name,
                       .method = method,
                       .coordinates = s->problem->coordinate_count,
                       .contacts = s->problem->contact_count,
                       .unit = unit,
                       .work = (double)NAN,
                       .target = target};
}

/* All solutions of the first increment, all caps half the step. */
static int measure_enumeration(bench_table *table, const sampled *s) {
    enumeration e = {.problem = s->problem};
    for (int i = 0; i < s->problem->contact_count; i++) {
        e.caps[i] = 0.5 * s->impulse_step;
    }
    carom_status status =
        carom_contact_modes_alloc(s->problem, CAROM_CONTACT_MODES_CAPPED, &e.modes, NULL);
    if (status == CAROM_OK) {
        status = carom_contact_mode_solutions_alloc(e.modes, &e.solutions);
    }
    int failures = 1;
    if (status == CAROM_OK) {
        failures = bench_measure(
            table, describe(s, "all solutions of an increment", ENUMERATION, (double)NAN),
            enumeration_batch, MANY, &e);
    }
    carom_contact_mode_solutions_free(e.solutions);
    carom_contact_modes_free(e.modes);
    return failures;
}

/* Rows of one system. */
static int measure(bench_table *table, sampled *s) {
    if (pose(s) != CAROM_OK) {
        fprintf(stderr, "bench: %s: failed\n", s->name);
        return 1;
    }
    int failures = bench_measure(table, describe(s, "sampled impact", MICROSECONDS, (double)NAN),
                                 sample_batch, MANY, s);
    failures += bench_measure(table, describe(s, "sampled impacts", SECONDS, s->target),
                              sample_batch, MANY, s);
    return failures;
}

int bench_impact(bench_table *table) {
    sampled systems[] = {
        {"block", alloc_block, 10, 0.3, CAROM_SELECTION_LEMKE, false, TWO_CONTACT_TARGET, NULL},
        {"box and wall", alloc_box, 5, 2.0, CAROM_SELECTION_LEMKE, false, TWO_CONTACT_TARGET, NULL},
        {"compass gait", alloc_compass, 5, 0.25, CAROM_SELECTION_RANDOM, false, TWO_CONTACT_TARGET,
         NULL},
        {"RAMone", alloc_ramone, 10, 1.0, CAROM_SELECTION_RANDOM, false, TWO_CONTACT_TARGET, NULL},
        {"discs", alloc_stack, 10, 1.0, CAROM_SELECTION_LEMKE, false, STACK_TARGET, NULL},
        {"discs as coded", alloc_code_stack, 10, 1.0, CAROM_SELECTION_LEMKE, true, STACK_TARGET,
         NULL},
    };
    enum { SYSTEMS = sizeof systems / sizeof systems[0], BLOCK = 0, STACK = 4 };
    int failures = 0;
    for (int i = 0; i < SYSTEMS; i++) {
        failures += measure(table, &systems[i]);
    }
    if (failures == 0) {
        failures += bench_measure(table, describe(&systems[BLOCK], "two threads", RATIO, 1.8),
                                  scaling_batch, 1, &systems[BLOCK]);
        failures += measure_enumeration(table, &systems[BLOCK]);
        failures += measure_enumeration(table, &systems[STACK]);
    }
    for (int i = 0; i < SYSTEMS; i++) {
        carom_impact_problem_free(systems[i].problem);
    }
    return failures;
}
