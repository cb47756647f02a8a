#include <carom/collisionless/gait/gait.h>

#include <carom/collisionless/gait/internal.h>

#include <gsl/gsl_math.h>
#include <stdlib.h>

/* Fewer samples of a phase tell nothing about it. */
enum { LEAST_INTERVALS = 8 };

/* What a trace works with. */
typedef struct trace {
    const carom_gait_branch_params *params;
    carom_armed_biped_params biped;
    carom_gait_continuation *path;
    carom_gait_trajectory *quarter;
    carom_gait_branch *branch;
} trace;

static void trace_clear(trace *at) {
    carom_gait_continuation_free(at->path);
    carom_gait_trajectory_free(at->quarter);
    carom_gait_branch_free(at->branch);
}

const char *carom_gait_end_name(carom_gait_end end) {
    switch (end) {
    case CAROM_GAIT_END_MAX_ANGLE:
        return "largest angle";
    case CAROM_GAIT_END_ARM_INVERTED:
        return "arm inverted";
    case CAROM_GAIT_END_MAX_TIME:
        return "largest time";
    case CAROM_GAIT_END_PENETRATION:
        return "penetration";
    case CAROM_GAIT_END_TENSILE_FOOT:
        return "tensile foot";
    case CAROM_GAIT_END_STEP:
        return "least step";
    case CAROM_GAIT_END_MAX_POINTS:
        return "most points";
    }
    return "unknown end";
}

carom_gait_branch_params carom_gait_branch_params_default(void) {
    return (carom_gait_branch_params){.gait = carom_gait_params_default(),
                                      .first_angle = 1e-3,
                                      .max_angle = 0.5,
                                      .first_step = 0.05,
                                      .min_step = 1e-4,
                                      .max_step = 0.2,
                                      .max_time = 16.0,
                                      .arm_reach = 0.05,
                                      .max_points = 400,
                                      .intervals = 64,
                                      .stop_unrealizable = true};
}

static carom_status check_params(const carom_gait_branch_params *params, carom_report *report) {
    CAROM_TRY(carom_gait_params_check(&params->gait, report));
    CAROM_TRY(carom_model_require_within("largest angle", params->max_angle, 0.0, M_PI_2, report));
    CAROM_TRY(carom_model_require_positive("first angle", params->first_angle, report));
    if (!(params->first_angle < params->max_angle)) {
        return carom_report_bound(report, "first angle", params->first_angle,
                                  "below the largest angle,", params->max_angle);
    }
    CAROM_TRY(carom_model_require_positive("least step", params->min_step, report));
    CAROM_TRY(carom_model_require_within("first step", params->first_step, params->min_step,
                                         params->max_step, report));
    CAROM_TRY(carom_model_require_finite("largest step", params->max_step, report));
    CAROM_TRY(carom_model_require_positive("largest tau", params->max_time, report));
    CAROM_TRY(carom_model_require_within("arm reach", params->arm_reach, 0.0, M_PI, report));
    if (params->max_points < 2) {
        return carom_report_refuse(report, "points", params->max_points, -1, "at least 2");
    }
    if (params->intervals < LEAST_INTERVALS) {
        return carom_report_bound(report, "intervals", params->intervals, "at least",
                                  LEAST_INTERVALS);
    }
    return CAROM_OK;
}

static carom_status alloc_branch(int max_points, size_t state_size, carom_gait_branch **out) {
    const size_t count = (size_t)max_points;
    carom_gait_branch *branch = calloc(1, sizeof *branch);
    if (branch == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    *out = branch;
    branch->arclength = calloc(count, sizeof *branch->arclength);
    branch->gaits = calloc(count, sizeof *branch->gaits);
    branch->conditions = calloc(count, sizeof *branch->conditions);
    branch->states = calloc(count * state_size, sizeof *branch->states);
    if (branch->arclength == NULL || branch->gaits == NULL || branch->conditions == NULL ||
        branch->states == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        branch->gaits[i].states = branch->states + i * state_size;
    }
    return CAROM_OK;
}

static carom_status prepare(trace *at, const carom_armed_biped_params *biped,
                            carom_report *report) {
    at->biped = *biped;
    at->biped.half_step_angle = at->params->first_angle;
    const int intervals = at->params->intervals;
    CAROM_TRY(carom_gait_continuation_alloc(&at->biped, &at->params->gait, &at->path, report));
    CAROM_TRY(carom_gait_trajectory_alloc(carom_armed_biped_coordinate_count(biped),
                                          2 * intervals + 1, &at->quarter));
    return alloc_branch(at->params->max_points, carom_gait_continuation_state_size(at->path),
                        &at->branch);
}

/* The point of the path is the next one of the branch. */
static carom_status add_point(trace *at) {
    carom_gait_branch *branch = at->branch;
    carom_gait_shooting *shooting = at->path->shooting;
    carom_nonlinear_gait *gait = &branch->gaits[branch->count];
    CAROM_TRY(carom_gait_continuation_store(at->path, gait));
    CAROM_TRY(carom_gait_trajectory_fill(shooting->dynamics, shooting->flow, gait,
                                         at->params->intervals, at->quarter));
    branch->conditions[branch->count] =
        carom_gait_conditions_evaluate(&at->biped, gait, at->quarter);
    branch->arclength[branch->count] = at->path->arclength;
    branch->count++;
    return CAROM_OK;
}

/* Whether the last point ends the branch, and why. */
static bool is_at_end(const trace *at, carom_gait_end *end) {
    const carom_gait_branch_params *params = at->params;
    const carom_gait_conditions *conditions = &at->branch->conditions[at->branch->count - 1];
    if (params->stop_unrealizable && !conditions->is_clear) {
        *end = CAROM_GAIT_END_PENETRATION;
    } else if (params->stop_unrealizable && !conditions->is_pushed) {
        *end = CAROM_GAIT_END_TENSILE_FOOT;
    } else if (carom_gait_continuation_angle(at->path) >= params->max_angle) {
        *end = CAROM_GAIT_END_MAX_ANGLE;
    } else if (carom_gait_continuation_arm_reach(at->path) <= params->arm_reach) {
        *end = CAROM_GAIT_END_ARM_INVERTED;
    } else if (carom_gait_continuation_time(at->path) >= params->max_time) {
        *end = CAROM_GAIT_END_MAX_TIME;
    } else if (at->branch->count == params->max_points) {
        *end = CAROM_GAIT_END_MAX_POINTS;
    } else {
        return false;
    }
    return true;
}

/* Next point; not beyond the largest angle. */
static carom_status move_on(trace *at, double *step) {
    const carom_gait_branch_params *params = at->params;
    carom_gait_continuation *path = at->path;
    CAROM_TRY(carom_gait_continuation_advance(path, params->min_step, params->max_step, step));
    return carom_gait_continuation_angle(path) > params->max_angle
               ? carom_gait_continuation_return_to_angle(path, params->max_angle)
               : CAROM_OK;
}

static carom_status follow(trace *at) {
    carom_gait_branch *branch = at->branch;
    double step = at->params->first_step;
    int direction = 1;
    CAROM_TRY(add_point(at));
    while (!is_at_end(at, &branch->end)) {
        if (move_on(at, &step) != CAROM_OK) {
            branch->end = CAROM_GAIT_END_STEP;
            break;
        }
        CAROM_TRY(add_point(at));
        if (carom_gait_continuation_direction(at->path) != direction) {
            direction = -direction;
            branch->fold_count++;
        }
    }
    return CAROM_OK;
}

carom_status carom_gait_branch_trace(const carom_armed_biped_params *biped,
                                     const carom_gait_start *start,
                                     const carom_gait_branch_params *params,
                                     carom_gait_branch **out, carom_report *report) {
    CAROM_ASSERT(biped != NULL && start != NULL && out != NULL);
    *out = NULL;
    const carom_gait_branch_params used =
        params != NULL ? *params : carom_gait_branch_params_default();
    CAROM_TRY(check_params(&used, report));
    CAROM_AUTO_VALUE(trace) at = {.params = &used};
    carom_armed_biped_params first = *biped;
    first.half_step_angle = used.first_angle;
    CAROM_TRY(carom_armed_biped_check(&first, report));
    CAROM_TRY(carom_gait_start_check(biped, start, report));
    CAROM_TRY(prepare(&at, biped, report));
    CAROM_TRY(carom_gait_continuation_begin(at.path, start, used.first_angle, report));
    CAROM_TRY(follow(&at));
    CAROM_HAND_OVER(at.branch, out);
    return CAROM_OK;
}

void carom_gait_branch_free(carom_gait_branch *branch) {
    if (branch == NULL) {
        return;
    }
    free(branch->arclength);
    free(branch->gaits);
    free(branch->conditions);
    free(branch->states);
    free(branch);
}
