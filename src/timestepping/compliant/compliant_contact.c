#include <carom/timestepping/compliant/compliant.h>

#include <carom/mechanism/completed.h>
#include <carom/mechanism/mechanism.h>
#include <carom/timestepping/compliant/internal.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

carom_compliant_params carom_compliant_params_default(void) {
    return (carom_compliant_params){
        .stiffness = NULL,
        .damping_ratio = 5.0,
        .reference_mass = (double)NAN,
        .damping = CAROM_COMPLIANT_DAMPING_CONSISTENT,
        .regularisation_speed = (double)NAN,
        .relative_tolerance = 1e-10,
        .absolute_tolerance = 1e-11,
        .time_span = (double)NAN,
        .most_steps = 100000,
        .stops_when_separating = true,
        .stop_speed = (double)NAN,
        .least_impulse = 0.0,
        .watched_gap = INFINITY,
        .check_derivatives = true,
    };
}

const carom_mechanism_support carom_compliant_support = {
    .method = "compliant_contact",
    .subject = "motion",
    .friction = true,
    .nonlinear_mass = true,
    .space = true,
};

/* What a parameter may be besides positive and finite. */
typedef enum admission { POSITIVE, POSITIVE_OR_OPEN, NOT_NEGATIVE, NOT_NEGATIVE_OR_OPEN } admission;

static carom_status refuse_number(const char *quantity, double value, admission admits, int index,
                                  carom_report *report) {
    const bool may_be_open = admits == POSITIVE_OR_OPEN || admits == NOT_NEGATIVE_OR_OPEN;
    const bool may_be_zero = admits == NOT_NEGATIVE || admits == NOT_NEGATIVE_OR_OPEN;
    if (may_be_open && isnan(value)) {
        return CAROM_OK;
    }
    if (!isfinite(value)) {
        return carom_report_fail(report, CAROM_STATUS_NOT_FINITE, quantity, value, index);
    }
    if (value < 0.0 || (!may_be_zero && value <= 0.0)) {
        return carom_report_refuse(report, quantity, value, index, may_be_zero ? ">= 0" : "> 0");
    }
    return CAROM_OK;
}

static carom_status refuse_params(const carom_compliant_params *params, int m,
                                  carom_report *report) {
    const struct {
        const char *quantity;
        double value;
        admission admits;
    } numbers[] = {
        {"damping ratio", params->damping_ratio, NOT_NEGATIVE},
        {"reference mass", params->reference_mass, POSITIVE_OR_OPEN},
        {"regularisation speed", params->regularisation_speed, POSITIVE_OR_OPEN},
        {"relative tolerance", params->relative_tolerance, POSITIVE},
        {"absolute tolerance", params->absolute_tolerance, POSITIVE},
        {"time span", params->time_span, POSITIVE_OR_OPEN},
        {"stop speed", params->stop_speed, NOT_NEGATIVE_OR_OPEN},
        {"least impulse", params->least_impulse, NOT_NEGATIVE},
    };
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        CAROM_TRY(
            refuse_number(numbers[i].quantity, numbers[i].value, numbers[i].admits, -1, report));
    }
    for (int i = 0; i < m; i++) {
        CAROM_TRY(refuse_number("stiffness", params->stiffness[i], POSITIVE, i, report));
    }
    if (params->damping != CAROM_COMPLIANT_DAMPING_CONSISTENT &&
        params->damping != CAROM_COMPLIANT_DAMPING_PRINTED) {
        return carom_report_refuse(report, "damping", (double)params->damping, -1,
                                   "a carom_compliant_damping");
    }
    if (isnan(params->watched_gap)) {
        return carom_report_fail(report, CAROM_STATUS_NOT_FINITE, "watched gap",
                                 params->watched_gap, -1);
    }
    if (params->most_steps < 1) {
        return carom_report_refuse(report, "most steps", (double)params->most_steps, -1, ">= 1");
    }
    return CAROM_OK;
}

/** What is refused, and the mechanism complete. */
static carom_status complete(const carom_mechanism *mechanism, const carom_compliant_params *params,
                             const double *q, const double *v, carom_completed **completed,
                             carom_report *report) {
    CAROM_TRY(carom_mechanism_require(mechanism, &carom_compliant_support, report));
    CAROM_TRY(carom_completed_alloc(mechanism, completed));
    CAROM_TRY(carom_completed_start(*completed, 0.0, q, v, params->check_derivatives, report));
    if (mechanism->contact_count < 1) {
        return carom_report_refuse(report, "contact count", (double)mechanism->contact_count, -1,
                                   ">= 1");
    }
    return refuse_params(params, mechanism->contact_count, report);
}

/* What a run works with. */
typedef struct simulation {
    carom_compliant_system system;
    carom_compliant_integrator *integrator;
    const carom_compliant_params *params;
    carom_compliant_run *run;
} simulation;

static void simulation_clear(simulation *s) {
    carom_compliant_run_free(s->run);
    carom_compliant_integrator_free(s->integrator);
    carom_compliant_system_clear(&s->system);
}

static void observe(simulation *s) {
    if (s->params->observer == NULL) {
        return;
    }
    carom_compliant_system *at = &s->system;
    const double *y = carom_compliant_integrator_state(s->integrator);
    carom_compliant_kinematics(at, y);
    carom_compliant_forces(at);
    const carom_compliant_instant instant = {
        .time = carom_compliant_integrator_time(s->integrator),
        .position = at->position,
        .velocity = y + at->n,
        .gap = at->gap,
        .gap_rate = at->gap_rate,
        .normal_force = at->normal_force,
        .tangential_force = at->tangential_force,
    };
    s->params->observer(&instant, s->params->observer_context);
}

static carom_status fail(const simulation *s, carom_status status, const char *quantity,
                         carom_report *report) {
    carom_report_fail(report, status, quantity, (double)NAN, -1);
    if (report != NULL) {
        report->time = carom_compliant_integrator_time(s->integrator);
        report->step = carom_compliant_integrator_step_size(s->integrator);
        report->iterations = (int)carom_compliant_integrator_counts(s->integrator).steps;
    }
    return status;
}

/* A step that failed: no step is short enough, or the rounding of a gap is too large a part of how
 * far its spring is pressed. */
static carom_status fail_step(const simulation *s, carom_report *report) {
    const carom_status status = carom_compliant_integrator_failure(s->integrator);
    if (status != CAROM_STATUS_OUT_OF_RANGE) {
        return fail(s, status, "integration step", report);
    }
    (void)fail(s, status, "stiffness", report);
    if (report != NULL) {
        report->index = s->system.stiffest_contact;
        report->value = s->params->stiffness[report->index];
        report->units = "N m-1";
        report->accepted = "at most";
        report->bound = s->system.largest_stiffness;
    }
    return status;
}

/*[compliantRun]*/
/* Step until the stopping condition or the end of the time span; where a contact changes its law,
 * the integrator starts anew. */
static carom_status integrate(simulation *s, carom_report *report) {
    carom_compliant_system *at = &s->system;
    const double *y = carom_compliant_integrator_state(s->integrator);
    const bool *found = carom_compliant_integrator_events(s->integrator);
    const int stop = carom_compliant_event_count(at) - 1;
    observe(s);
    s->run->has_stopped = carom_compliant_may_stop(at, y);
    bool is_over = s->run->has_stopped;
    for (int step = 0; !is_over; step++) {
        if (step >= s->params->most_steps) {
            return fail(s, CAROM_STATUS_NOT_CONVERGED, "number of steps", report);
        }
        const carom_compliant_progress progress = carom_compliant_integrator_step(s->integrator);
        if (progress == CAROM_COMPLIANT_FAILED) {
            return fail_step(s, report);
        }
        observe(s);
        if (progress != CAROM_COMPLIANT_EVENT) {
            is_over = progress == CAROM_COMPLIANT_FINISHED;
            continue;
        }
        s->run->has_stopped = found[stop];
        is_over = found[stop];
        if (!is_over) {
            carom_compliant_apply_events(at, carom_compliant_integrator_time(s->integrator), y,
                                         found);
            s->run->events++;
            is_over = !carom_compliant_integrator_restart(s->integrator);
            observe(s);
        }
    }
    return CAROM_OK;
}
/*[end compliantRun]*/

static carom_status run_alloc(const carom_compliant_system *at, carom_compliant_run **out) {
    const size_t n = (size_t)at->n;
    const size_t m = (size_t)at->m;
    const size_t tangents = m * (size_t)at->t;
    CAROM_AUTO(carom_compliant_run) run = calloc(1, sizeof *run);
    if (run == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    run->memory = calloc(2 * n + 3 * m + tangents, sizeof *run->memory);
    if (run->memory == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    run->coordinate_count = at->n;
    run->contact_count = at->m;
    run->tangent_count = at->t;
    run->position = run->memory;
    run->velocity = run->position + n;
    run->gap_rate = run->velocity + n;
    run->normal_impulse = run->gap_rate + m;
    run->start_time = run->normal_impulse + m;
    run->tangential_impulse = run->start_time + m;
    CAROM_HAND_OVER(run, out);
    return CAROM_OK;
}

/* Part of the first contact's impulse that came before the second contact. */
static double first_share(const carom_compliant_system *at, const double *normal_impulse) {
    if (at->first_contact < 0) {
        return (double)NAN;
    }
    if (at->second_contact < 0) {
        return 1.0;
    }
    return at->impulse_before_second / normal_impulse[at->first_contact];
}

static void conclude(simulation *s) {
    carom_compliant_system *at = &s->system;
    carom_compliant_run *run = s->run;
    const size_t n = (size_t)at->n;
    const size_t m = (size_t)at->m;
    const double *y = carom_compliant_integrator_state(s->integrator);
    carom_compliant_kinematics(at, y);
    memcpy(run->position, at->position, n * sizeof *y);
    memcpy(run->velocity, y + n, n * sizeof *y);
    memcpy(run->gap_rate, at->gap_rate, m * sizeof *y);
    memcpy(run->normal_impulse, y + 2 * n, m * sizeof *y);
    memcpy(run->tangential_impulse, y + 2 * n + m, m * (size_t)at->t * sizeof *y);
    memcpy(run->start_time, at->start_time, m * sizeof *y);
    run->end_time = carom_compliant_integrator_time(s->integrator);
    run->first_contact = at->first_contact;
    run->second_contact = at->second_contact;
    run->first_share = first_share(at, run->normal_impulse);

    const carom_compliant_counts counts = carom_compliant_integrator_counts(s->integrator);
    run->steps = counts.steps;
    run->force_evaluations = counts.force_evaluations;
    run->jacobian_evaluations = counts.jacobian_evaluations;
    run->error_test_failures = counts.error_test_failures;
    run->convergence_failures = counts.convergence_failures;
}

carom_status carom_compliant_simulate(const carom_mechanism *mechanism,
                                      const carom_compliant_params *params, const double *q,
                                      const double *v, carom_compliant_run **out,
                                      carom_report *report) {
    CAROM_ASSERT(mechanism != NULL && params != NULL && q != NULL && v != NULL && out != NULL);
    CAROM_ASSERT(params->stiffness != NULL || mechanism->contact_count < 1);
    *out = NULL;
    CAROM_AUTO(carom_completed) completed = NULL;
    CAROM_TRY(complete(mechanism, params, q, v, &completed, report));
    CAROM_AUTO_VALUE(simulation) s = {.params = params};
    CAROM_TRY(carom_compliant_system_init(&s.system, carom_completed_mechanism(completed), params,
                                          q, v, report));
    CAROM_TRY(run_alloc(&s.system, &s.run));
    CAROM_TRY(carom_compliant_integrator_alloc(&s.system, v, &s.integrator));
    carom_compliant_start(&s.system, 0.0, carom_compliant_integrator_state(s.integrator));
    CAROM_TRY(integrate(&s, report));
    conclude(&s);
    CAROM_HAND_OVER(s.run, out);
    return CAROM_OK;
}

void carom_compliant_run_free(carom_compliant_run *run) {
    if (run == NULL) {
        return;
    }
    free(run->memory);
    free(run);
}
