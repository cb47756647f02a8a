/* What begins and leaves a step: contacts that come and go, rows that are predicted. */
#include <carom/timestepping/galpha/stepper_internal.h>

#include <math.h>
#include <string.h>

/* Numbers of the rows of contacts, each `width` of them, to where the contacts are now; new ones
 * get `fresh`. */
static void move_numbers(const carom_stepper *s, double *numbers, int width, double fresh) {
    const int contacts = s->step.m - s->step.joint_count;
    memcpy(s->moved, numbers, (size_t)(contacts * width) * sizeof *numbers);
    for (int j = 0; j < contacts; j++) {
        for (int a = 0; a < width; a++) {
            const int from = s->previous[j];
            numbers[j * width + a] = from < 0 ? fresh : s->moved[from * width + a];
        }
    }
}

/* What contacts carry from the last step into this one: impulses, from which the solvers start, and
 * the gaps of those that press. */
static void move_contacts(carom_stepper *s) {
    carom_step_context *step = &s->step;
    carom_step_state *last = &s->states[s->current];
    const int t = step->evaluation.tangent_count;
    move_numbers(s, last->impulse + step->joint_count, 1, 0.0);
    move_numbers(s, last->impulse + step->m, t, 0.0);
    move_numbers(s, last->position_multiplier + step->joint_count, 1, 0.0);
    if (s->velocity_level.closed_gap != NULL) {
        move_numbers(s, s->velocity_level.closed_gap + step->joint_count, 1, -(double)INFINITY);
    }
}

/* The contacts that may close in this step, or later but too late to be stopped. */
static carom_status find_contacts(carom_stepper *s, double t, const double *q, const double *v,
                                  carom_report *report) {
    carom_step_context *step = &s->step;
    const carom_mechanism *mechanism = step->mechanism;
    const bool foresees = carom_stepper_problem(s) == &s->velocity_level.problem;
    const double steps = foresees ? fmax(carom_velocity_level_foresight(step), 1.0) : 1.0;
    CAROM_TRY(mechanism->update_contacts(t, steps * step->params.step, q, v, s->previous, report,
                                         mechanism->context));
    carom_evaluation_take_patterns(&step->evaluation);
    return CAROM_OK;
}

carom_status carom_stepper_start_contacts(carom_stepper *s, double t, const double *q,
                                          const double *v, carom_report *report) {
    carom_evaluation_release_rows(&s->step.evaluation);
    return s->step.mechanism->update_contacts == NULL ? CAROM_OK
                                                      : find_contacts(s, t, q, v, report);
}

/* Rates and sizes of the last state in the contacts that there are now. */
static void judge_contacts(carom_stepper *s, carom_step_state *last) {
    carom_step_context *step = &s->step;
    carom_step_state *next = step->next;
    step->next = last;
    carom_evaluation_motion(&step->evaluation, last->time, last->position, last->velocity);
    memcpy(last->rate, step->evaluation.rate,
           (size_t)step->evaluation.row_count * sizeof *last->rate);
    carom_step_scales_start(step);
    carom_stepper_update_activation(s);
    step->next = next;
}

void carom_stepper_leave_step(carom_stepper *s) {
    carom_evaluation *at = &s->step.evaluation;
    carom_step_state *last = &s->states[s->current];
    if (at->holds_rows) {
        carom_evaluation_release_rows(at);
        carom_evaluation_motion(at, last->time, last->position, last->velocity);
        memcpy(last->rate, at->rate, (size_t)at->row_count * sizeof *last->rate);
    }
}

void carom_stepper_take_rows(carom_stepper *s, double part) {
    carom_step_context *step = &s->step;
    carom_evaluation *at = &step->evaluation;
    const carom_step_state *last = &s->states[s->current];
    for (int i = 0; i < step->n; i++) {
        at->coordinate[i] = part * step->params.step * last->velocity[i];
    }
    carom_evaluation_hold_rows(at, last->position, at->coordinate);
    carom_evaluation_supports(at, last->time);
    for (int j = 0; j < at->row_count; j++) {
        step->next->rate_before[j] = carom_evaluation_rate(at, j, last->velocity);
    }
}

carom_status carom_stepper_begin_contacts(carom_stepper *s, carom_report *report) {
    carom_step_context *step = &s->step;
    carom_step_state *last = &s->states[s->current];
    const bool comes_and_goes = step->mechanism->update_contacts != NULL;
    const bool is_predicted = step->params.rows == CAROM_ROWS_PREDICTED && s->linear == NULL;
    if (comes_and_goes) {
        CAROM_TRY(find_contacts(s, last->time, last->position, last->velocity, report));
        move_contacts(s);
    }
    if (is_predicted) {
        carom_stepper_take_rows(s, 1.0);
    }
    if (comes_and_goes) {
        judge_contacts(s, last);
    }
    if (!is_predicted) {
        memcpy(step->next->rate_before, last->rate,
               (size_t)step->evaluation.row_count * sizeof *last->rate);
    }
    return CAROM_OK;
}
