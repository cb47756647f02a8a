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

carom_status carom_stepper_find_contacts(carom_stepper *s, double t, const double *q,
                                         const double *v, bool goes_on, carom_report *report) {
    carom_step_context *step = &s->step;
    const carom_mechanism *mechanism = step->mechanism;
    if (mechanism->update_contacts == NULL) {
        return CAROM_OK;
    }
    const bool foresees = carom_stepper_problem(s) == &s->velocity_level.problem;
    const double steps = foresees ? fmax(carom_velocity_level_foresight(step), 1.0) : 1.0;
    CAROM_TRY(mechanism->update_contacts(t, steps * step->params.step, q, v, s->previous, report,
                                         mechanism->context));
    carom_evaluation_take_patterns(&step->evaluation);
    if (!goes_on) {
        return CAROM_OK;
    }
    move_contacts(s);
    carom_step_state *last = &s->states[s->current];
    carom_step_state *next = step->next;
    step->next = last;
    carom_evaluation_motion(&step->evaluation, t, q, v);
    memcpy(last->rate, step->evaluation.rate,
           (size_t)step->evaluation.row_count * sizeof *last->rate);
    carom_step_scales_start(step);
    carom_stepper_update_activation(s);
    step->next = next;
    return CAROM_OK;
}
