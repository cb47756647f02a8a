#include <carom/base/vector.h>
#include <carom/mechanism/mechanism.h>
#include <carom/timestepping/internal.h>
#include <carom/timestepping/variational/step_internal.h>
#include <carom/timestepping/variational/stepper_internal.h>
#include <carom/timestepping/variational/variational.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ----------------------------------------------------------------------------------- parameters */

carom_variational_params carom_variational_params_default(void) {
    const carom_propagative_params law = carom_propagative_params_default();
    return (carom_variational_params){
        .step = 1e-3,
        .rule = law.rule,
        .impact_tolerance = law.tolerance,
        .plastic_law = CAROM_PROPAGATIVE_HELD,
        .most_hits = 2,
        .most_reflections = 1000,
        .most_events = 100,
        .gap_tolerance = 1e-11,
        .simultaneity = 1e-8,
        .solution = carom_variational_step_params_default(),
        .check_derivatives = true,
    };
}

static carom_status require(bool is_admissible, const char *quantity, double value,
                            const char *accepted, carom_report *report) {
    return is_admissible ? CAROM_OK : carom_report_refuse(report, quantity, value, -1, accepted);
}

/** The law of impact, as carom_propagative_impact_run wants it. */
static carom_status check_law(const carom_variational_params *params, int contacts,
                              carom_report *report) {
    CAROM_TRY(require((int)params->rule >= (int)CAROM_PROPAGATIVE_MOST_APPROACHING &&
                          params->rule <= CAROM_PROPAGATIVE_RANDOM,
                      "rule", (double)params->rule, "a carom_propagative_rule", report));
    if (params->rule == CAROM_PROPAGATIVE_CYCLIC && contacts > 0) {
        CAROM_TRY(require(params->first >= 0 && params->first < contacts, "first contact",
                          params->first, "a contact of the mechanism, from 0", report));
    }
    CAROM_TRY(require(params->impact_tolerance > 0.0 && params->impact_tolerance < 1.0,
                      "impact tolerance", params->impact_tolerance, "in (0,1)", report));
    return require(params->plastic_law == CAROM_PROPAGATIVE_HELD ||
                       params->plastic_law == CAROM_PROPAGATIVE_RELEASED,
                   "plastic law", (double)params->plastic_law, "a carom_propagative_plastic_law",
                   report);
}

/**
 * @param[in]  params    the parameters; `solution` is left to carom_variational_step_alloc
 * @param[in]  mechanism whose contacts `first` of the impacts counts
 * @param[out] report    quantity and value refused; may be NULL
 * @return CAROM_OK; OUT_OF_RANGE
 */
static carom_status variational_params_check(const carom_variational_params *params,
                                             const carom_mechanism *mechanism,
                                             carom_report *report) {
    CAROM_TRY(require(params->step > 0.0 && isfinite(params->step), "step", params->step,
                      "> 0, finite", report));
    CAROM_TRY(check_law(params, mechanism->contact_count, report));
    CAROM_TRY(
        require(params->most_hits >= 0, "hits of a contact", params->most_hits, ">= 0", report));
    CAROM_TRY(require(params->most_reflections >= 1, "reflections", params->most_reflections,
                      ">= 1", report));
    CAROM_TRY(require(params->most_events >= 1, "events", params->most_events, ">= 1", report));
    CAROM_TRY(require(params->gap_tolerance > 0.0 && params->gap_tolerance < 1.0, "gap tolerance",
                      params->gap_tolerance, "in (0,1)", report));
    return require(params->simultaneity >= params->gap_tolerance && params->simultaneity < 1.0,
                   "simultaneity", params->simultaneity, "in [gap tolerance,1)", report);
}

/* -------------------------------------------------------------------------------------- stepper */

/** Largest gap and speed of a contact that is held at the start, as parts of the distance D of a
 * step and of D/h.
 */
static const double START_TOLERANCE = 1e-6;

/* ------------------------------------------------------------------------------ life and death */

static carom_status alloc_parts(carom_variational_stepper *stepper, carom_report *report) {
    const carom_mechanism *mechanism = stepper->mechanism;
    const carom_variational_params *params = &stepper->params;
    const int m = mechanism->contact_count;
    CAROM_TRY(carom_variational_step_alloc(mechanism, &params->solution, &stepper->step, report));
    CAROM_TRY(carom_variational_event_search_init(&stepper->search, stepper->step));
    CAROM_TRY(carom_variational_contacts_init(&stepper->contacts, mechanism));
    CAROM_TRY(carom_variational_collision_init(&stepper->collision, mechanism, params));
    CAROM_TRY(carom_variational_friction_init(&stepper->friction, mechanism, params->contacts));
    for (int i = 0; i < 2; i++) {
        CAROM_TRY(carom_variational_state_init(&stepper->memory[i], mechanism));
    }
    stepper->present = &stepper->memory[0];
    stepper->next = &stepper->memory[1];
    const size_t contacts = (size_t)m + 1;
    stepper->is_asked = calloc(contacts, sizeof(bool));
    stepper->is_struck = calloc(contacts, sizeof(bool));
    stepper->is_settled = calloc(contacts, sizeof(bool));
    stepper->gap_rate = calloc(contacts, sizeof(double));
    stepper->rounding = calloc(contacts + (size_t)mechanism->joint_count, sizeof(double));
    stepper->gap_tolerance = calloc(contacts, sizeof(double));
    stepper->hits = calloc(contacts, sizeof(int));
    stepper->acceleration = calloc((size_t)mechanism->coordinate_count, sizeof(double));
    const bool has_all = stepper->is_asked != NULL && stepper->is_struck != NULL &&
                         stepper->is_settled != NULL && stepper->gap_rate != NULL &&
                         stepper->rounding != NULL && stepper->gap_tolerance != NULL &&
                         stepper->hits != NULL && stepper->acceleration != NULL;
    return has_all ? CAROM_OK : CAROM_STATUS_OUT_OF_MEMORY;
}

carom_status carom_variational_stepper_alloc(const carom_mechanism *mechanism,
                                             const carom_variational_params *params,
                                             carom_variational_stepper **out,
                                             carom_report *report) {
    CAROM_ASSERT(mechanism != NULL && params != NULL && out != NULL);
    *out = NULL;
    CAROM_TRY(variational_params_check(params, mechanism, report));
    CAROM_AUTO(carom_variational_stepper) stepper = calloc(1, sizeof *stepper);
    if (stepper == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_TRY(carom_completed_alloc(mechanism, &stepper->completed));
    stepper->mechanism = carom_completed_mechanism(stepper->completed);
    stepper->params = *params;
    CAROM_TRY(alloc_parts(stepper, report));
    CAROM_HAND_OVER(stepper, out);
    return CAROM_OK;
}

void carom_variational_stepper_free(carom_variational_stepper *stepper) {
    if (stepper == NULL) {
        return;
    }
    carom_variational_event_search_clear(&stepper->search);
    carom_variational_step_free(stepper->step);
    carom_variational_contacts_clear(&stepper->contacts);
    carom_variational_collision_clear(&stepper->collision);
    carom_variational_friction_clear(&stepper->friction);
    carom_variational_state_clear(&stepper->memory[0]);
    carom_variational_state_clear(&stepper->memory[1]);
    free(stepper->is_asked);
    free(stepper->is_struck);
    free(stepper->is_settled);
    free(stepper->gap_rate);
    free(stepper->rounding);
    free(stepper->gap_tolerance);
    free(stepper->hits);
    free(stepper->acceleration);
    carom_completed_free(stepper->completed);
    free(stepper);
}

/* ----------------------------------------------------------------------------------- the result */

static double kinetic_energy(const carom_variational_state *state) {
    double sum = 0.0;
    for (int i = 0; i < state->coordinate_count; i++) {
        sum += 0.5 * state->momentum[i] * state->velocity[i];
    }
    return sum;
}

/** Make the step on its way the last step. */
static void commit(carom_variational_stepper *stepper, double time) {
    carom_variational_state *state = stepper->next;
    state->time = time;
    state->kinetic_energy = kinetic_energy(state);
    state->potential_energy = carom_variational_potential_energy(stepper);
    stepper->next = stepper->present;
    stepper->present = state;
    stepper->result = (carom_variational_result){
        .time = time,
        .position = state->position,
        .momentum = state->momentum,
        .velocity = state->velocity,
        .gap = state->gap,
        .is_held = state->is_held,
        .contact_impulse = state->contact_impulse,
        .holding_impulse = state->holding_impulse,
        .friction_impulse = state->friction_impulse,
        .kinetic_energy = state->kinetic_energy,
        .potential_energy = state->potential_energy,
        .friction_work = state->friction_work,
        .impact_loss = state->impact_loss,
        .impact_count = state->impact_count,
        .impacts = state->impacts,
        .closed = state->closed.entry,
        .reflection = state->reflection.entry,
        .iterations = state->iterations,
    };
}

const carom_variational_result *
carom_variational_stepper_result(const carom_variational_stepper *stepper) {
    CAROM_ASSERT(stepper != NULL);
    return &stepper->result;
}

/* ------------------------------------------------------------------------------------ the start */

/** Residuals and speeds of joints of the state in `next`; the speeds that are admitted are removed.
 */
static carom_status refuse_joints(carom_variational_stepper *stepper, const double *v,
                                  carom_report *report) {
    const carom_mechanism *mechanism = stepper->mechanism;
    carom_variational_state *state = stepper->next;
    const int n = mechanism->coordinate_count;
    const double *rows = stepper->search.normals; // as the tolerances have left them
    for (int i = 0; i < mechanism->joint_count; i++) {
        const double most = fmax(START_TOLERANCE * stepper->distance, stepper->rounding[i]);
        const double rate = carom_vector_dot(n, rows + i * n, v);
        if (!(fabs(state->joint[i]) <= most)) {
            return carom_report_fail(report, CAROM_STATUS_CONFLICT, "joint", state->joint[i], i);
        }
        if (!(fabs(rate) <= START_TOLERANCE * stepper->distance / stepper->params.step)) {
            return carom_report_fail(report, CAROM_STATUS_CONFLICT, "speed of a joint", rate, i);
        }
    }
    if (mechanism->joint_count > 0) {
        carom_variational_contacts_restore(&stepper->contacts, stepper->contacts.white_momentum,
                                           state->momentum);
    }
    return CAROM_OK;
}

/** Gaps, and speeds of held contacts, of the state in `next`. */
static carom_status refuse_contacts(const carom_variational_stepper *stepper,
                                    carom_report *report) {
    const carom_variational_state *state = stepper->next;
    const carom_variational_contacts *contacts = &stepper->contacts;
    for (int i = 0; i < state->contact_count; i++) {
        const double gap = state->gap[i];
        const bool is_held = state->is_held[i];
        const double most = fmax(START_TOLERANCE * stepper->distance,
                                 stepper->rounding[stepper->mechanism->joint_count + i]);
        if (gap < (is_held ? -most : -stepper->gap_tolerance[i])) {
            return carom_report_fail(report, CAROM_STATUS_PENETRATION, "gap", gap, i);
        }
        const double rate = contacts->length[i] * contacts->speed[i];
        if (is_held && !(gap <= most)) {
            return carom_report_fail(report, CAROM_STATUS_CONFLICT, "gap of a held contact", gap,
                                     i);
        }
        if (is_held &&
            !(fabs(rate) <= START_TOLERANCE * stepper->distance / stepper->params.step)) {
            return carom_report_fail(report, CAROM_STATUS_CONFLICT, "speed of a held contact", rate,
                                     i);
        }
    }
    return CAROM_OK;
}

/** Remove the speeds of held contacts that the tolerance of a start admits. */
static carom_status project_held(carom_variational_stepper *stepper, carom_report *report) {
    carom_variational_state *state = stepper->next;
    carom_variational_collision *collision = &stepper->collision;
    double fastest = 0.0;
    collision->closed_count = 0;
    for (int i = 0; i < state->contact_count; i++) {
        if (state->is_held[i]) {
            collision->closed[collision->closed_count++] = i;
            fastest = fmax(fastest, fabs(stepper->contacts.speed[i]));
        }
    }
    if (!(fastest > 0.0)) {
        return CAROM_OK;
    }
    collision->is_plastic = true;
    collision->plastic_law = CAROM_PROPAGATIVE_HELD;
    const carom_status status =
        carom_variational_collision_run(collision, &stepper->contacts, state->momentum, 0, report);
    if (status == CAROM_OK) {
        memcpy(state->momentum, collision->momentum,
               (size_t)state->coordinate_count * sizeof(double));
    }
    return status;
}

/** The state in `next`, from q and v. */
static carom_status set_start(carom_variational_stepper *stepper, double t, const double *q,
                              const double *v, const bool *held, carom_report *report) {
    const carom_mechanism *mechanism = stepper->mechanism;
    carom_variational_state *state = stepper->next;
    memcpy(state->position, q, (size_t)state->coordinate_count * sizeof(double));
    carom_variational_momentum(stepper->step, q, v, state->momentum);
    if (carom_mechanism_constraint_count(mechanism) > 0) {
        mechanism->constraints(q, state->joint, mechanism->context);
    }
    for (int i = 0; i < state->contact_count; i++) {
        state->is_held[i] = held != NULL && held[i];
    }
    CAROM_TRY(carom_variational_contacts_set(&stepper->contacts, q, state->momentum, report));
    CAROM_TRY(carom_variational_set_tolerances(stepper, t, q, v, report));
    CAROM_TRY(refuse_joints(stepper, v, report));
    CAROM_TRY(refuse_contacts(stepper, report));
    CAROM_TRY(project_held(stepper, report));
    carom_variational_contacts_set_momentum(&stepper->contacts, state->momentum);
    carom_variational_contacts_velocity(&stepper->contacts, state->velocity);
    return CAROM_OK;
}

carom_status carom_variational_stepper_start(carom_variational_stepper *stepper, double t,
                                             const double *q, const double *v, const bool *held,
                                             carom_report *report) {
    CAROM_ASSERT(stepper != NULL && q != NULL && v != NULL);
    double first = t;
    CAROM_TRY(carom_completed_start(stepper->completed, t, q, v, stepper->params.check_derivatives,
                                    report));
    CAROM_TRY(carom_time_after(t, stepper->params.step, 1, &first, report));
    // Nothing has happened yet: counts and impulses are zero.
    carom_variational_state_begin(stepper->next, stepper->present);
    CAROM_TRY(set_start(stepper, t, q, v, held, report));
    commit(stepper, t);
    stepper->start_time = t;
    stepper->step_count = 0;
    stepper->impact_turn = 0;
    stepper->is_started = true;
    return CAROM_OK;
}

/* ------------------------------------------------------------------------------------- the step */

carom_status carom_variational_stepper_advance(carom_variational_stepper *stepper,
                                               carom_report *report) {
    CAROM_ASSERT(stepper != NULL && stepper->is_started);
    const int m = stepper->mechanism->contact_count;
    const unsigned long turn = stepper->impact_turn;
    double time = stepper->start_time;
    CAROM_TRY(carom_time_after(stepper->start_time, stepper->params.step,
                               (long)stepper->step_count + 1, &time, report));
    carom_variational_state_begin(stepper->next, stepper->present);
    stepper->elapsed = 0.0;
    stepper->events = 0;
    for (int i = 0; i < m; i++) {
        stepper->hits[i] = 0;
        stepper->is_struck[i] = false;
        stepper->is_settled[i] = false;
    }
    carom_report refusal = carom_report_empty();
    carom_status status = carom_variational_set_tolerances(
        stepper, stepper->next->time, stepper->next->position, stepper->next->velocity, &refusal);
    if (status == CAROM_OK) {
        status = carom_variational_take_step(stepper, &refusal);
    }
    if (status != CAROM_OK) {
        stepper->impact_turn = turn;
        if (report != NULL) {
            *report = refusal;
            report->time = stepper->present->time + stepper->elapsed;
            report->step = stepper->params.step - stepper->elapsed;
        }
        return status;
    }
    stepper->step_count++;
    commit(stepper, time);
    return CAROM_OK;
}
