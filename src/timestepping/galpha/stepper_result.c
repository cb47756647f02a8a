#include <carom/timestepping/galpha/galpha.h>

#include <carom/base/scales.h>
#include <carom/timestepping/galpha/stepper_internal.h>

#include <math.h>

/* Put the context back to the step just taken. */
static void revisit_step(carom_stepper *s) {
    s->step.last = &s->states[1 - s->current];
    s->step.next = &s->states[s->current];
    s->step.time = s->step.next->time;
}

carom_status carom_stepper_condition_number(carom_stepper *stepper, double *condition) {
    CAROM_ASSERT(stepper != NULL && condition != NULL);
    *condition = (double)NAN;
    if (!stepper->has_last_state) {
        return CAROM_STATUS_OUT_OF_RANGE;
    }
    revisit_step(stepper);
    return carom_newton_condition_number(stepper->newton, carom_stepper_problem(stepper),
                                         condition);
}

/* Residuals of the step just taken, from the defining equations, row by row in their scales. */
static void compute_residuals(carom_stepper *s) {
    carom_step_context *step = &s->step;
    carom_step *result = &s->result;
    const carom_newton_problem *problem = carom_stepper_problem(s);
    const int n = step->n;
    double *r = s->residual;
    double *scale = s->scale;
    problem->residual(problem->self, r);
    if (problem->tangent_count > 0) {
        problem->friction(problem->self, r);
    }
    if (s->linear != NULL) { /* no Newton matrix has left its roundings */
        carom_evaluation_tangents(&step->evaluation, step->time, step->next->position,
                                  step->next->velocity);
        carom_step_scales_keep_tangents(step);
    }
    problem->scale(problem->self, scale);
    switch (step->params.scheme) {
    case CAROM_SCHEME_NONSMOOTH_GALPHA:
    case CAROM_SCHEME_MODIFIED_LCP:
        carom_ggl_residual_norms(&s->ggl, r, scale, &result->smooth_residual,
                                 &result->position_residual, &result->velocity_residual);
        break;
    case CAROM_SCHEME_SMOOTH_GALPHA:
        result->smooth_residual = carom_scale_largest_ratio(n, r, scale);
        result->position_residual = carom_scale_largest_ratio(step->m, r + n, scale + n);
        break;
    case CAROM_SCHEME_MOREAU_JEAN:
    case CAROM_SCHEME_VELOCITY_GALPHA:
        result->smooth_residual = carom_scale_largest_ratio(n, r, scale);
        result->velocity_residual =
            carom_scale_largest_ratio(n + step->evaluation.row_count, r + n, scale + n);
        break;
    case CAROM_SCHEME_COUNT:
        break;
    }
}

/* (h lambda~ + Lambda)'w at one end of the step just taken. */
static double support_power(carom_step_context *step, const carom_step_state *end) {
    double sum = 0.0;
    carom_evaluation_supports(&step->evaluation, end->time);
    for (int j = 0; j < step->evaluation.row_count; j++) {
        const double force = j < step->m ? end->force[j] : 0.0;
        sum += (step->params.step * force + step->next->impulse[j]) * step->evaluation.supports[j];
    }
    return sum;
}

const carom_step *carom_stepper_result(carom_stepper *stepper) {
    CAROM_ASSERT(stepper != NULL && stepper->has_started);
    carom_step_context *step = &stepper->step;
    const carom_step_state *state = &stepper->states[stepper->current];
    stepper->result = (carom_step){
        .time = state->time,
        .position = state->position,
        .velocity = state->velocity,
        .smooth_acceleration = state->smooth_acceleration,
        .pseudo_acceleration = state->pseudo_acceleration,
        .smooth_velocity = state->smooth_velocity,
        .velocity_jump = state->velocity_jump,
        .position_correction = state->position_correction,
        .constraint = step->evaluation.constraint,
        .constraint_rate = state->rate,
        .force = state->force,
        .impulse = state->impulse,
        .position_multiplier = state->position_multiplier,
        .position_active = state->position_active,
        .velocity_active = state->velocity_active,
        .iterations = stepper->outcome.iterations,
        .used_exact_lcp = stepper->outcome.used_exact_lcp,
        .row_position =
            step->evaluation.holds_rows ? step->evaluation.row_position : state->position,
    };
    if (step->evaluation.tangent_count > 0) {
        stepper->result.friction_impulse = state->impulse + step->m;
        stepper->result.sliding_velocity = state->rate + step->m;
    }
    if (stepper->steps_done > 0 && !stepper->has_last_state) {
        stepper->result.smooth_residual = NAN;
        stepper->result.position_residual = NAN;
        stepper->result.velocity_residual = NAN;
    } else if (stepper->steps_done > 0) {
        revisit_step(stepper);
        compute_residuals(stepper);
        stepper->result.support_work =
            -0.5 * (support_power(step, step->last) + support_power(step, step->next));
    }
    carom_evaluation_constraints(&step->evaluation, state->time, state->position);
    return &stepper->result;
}
