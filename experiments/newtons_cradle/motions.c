/** Motions through the impact by every scheme, and a longer chain struck at one end. */
#include "cradle.h"

#include <carom/timestepping/trajectory.h>

#include <stdlib.h>
#include <string.h>

/** Neighbours that approach more slowly, in parts of the fastest ball, do not: rounding. */
static const double RESTING = 1e-11;

/** Balls with a gap up to this part of the length of the chain touch. */
static const double TOUCHING = 1e-12;

/** Impacts of a motion by exact flights: more are an inelastic collapse. */
enum { MOST_IMPACTS = 20000 };

/** Run the law, with its work memory at hand. */
static carom_status apply(const settings *values, const carom_impact_problem *problem,
                          const carom_propagative_contacts *contacts,
                          carom_propagative_impact *impact, double restitution, double *L,
                          double *v_post, double *energy_change, carom_report *report) {
    const carom_propagative_params params = newtons_cradle_rule(values, problem->contact_count);
    CAROM_TRY(carom_propagative_impact_run(contacts, &params, restitution,
                                           problem->contact_velocity, problem->kinetic_energy,
                                           impact, report));
    memset(L, 0, (size_t)problem->row_count * sizeof(double));
    memcpy(L, impact->impulse, (size_t)problem->contact_count * sizeof(double));
    carom_impact_velocity(problem, L, v_post);
    *energy_change = impact->energy_change;
    return CAROM_OK;
}

carom_status newtons_cradle_impact(const settings *values, const carom_impact_problem *problem,
                                   double restitution, double *v_post, double *energy_change,
                                   carom_report *report) {
    CAROM_AUTO(carom_propagative_contacts) contacts = NULL;
    CAROM_AUTO(carom_propagative_impact) impact = NULL;
    CAROM_AUTO_MEMORY double *L = malloc((size_t)problem->row_count * sizeof(double));
    CAROM_TRY(L == NULL ? CAROM_STATUS_OUT_OF_MEMORY : CAROM_OK);
    CAROM_TRY(carom_propagative_contacts_of_problem(problem, &contacts, report));
    CAROM_TRY(carom_propagative_impact_alloc(
        problem->contact_count, newtons_cradle_most_reflections(problem->coordinate_count),
        &impact));
    return apply(values, problem, contacts, impact, restitution, L, v_post, energy_change, report);
}

/** Time until the next pair of neighbours meets; infinite if none does. */
static double next_meeting(const results *r, const double *q, const double *v, double touching) {
    double fastest = 0.0;
    double soonest = HUGE_VAL;
    for (int i = 0; i < r->values->balls; i++) {
        fastest = fmax(fastest, fabs(v[i]));
    }
    for (int i = 0; i + 1 < r->values->balls; i++) {
        const double gap = q[i + 1] - q[i] - 2.0 * r->values->radius;
        const double closing = v[i] - v[i + 1];
        if (closing > RESTING * fastest) {
            soonest = fmin(soonest, gap > touching ? gap / closing : 0.0);
        }
    }
    return soonest;
}

/** The impact of the balls that touch. */
static carom_status strike(const results *r, const double *q, double *v, double touching) {
    CAROM_AUTO(carom_impact_problem) problem = NULL;
    double change = 0.0;
    CAROM_TRY(carom_impact_problem_of_mechanism(&r->model->mechanism, q, v, touching, NULL,
                                                &problem, r->report));
    return newtons_cradle_impact(r->values, problem, r->values->restitution, v, &change, r->report);
}

/** Append a row. */
static carom_status add_row(const results *r, carom_trajectory *rows, double time, const double *q,
                            const double *v) {
    CAROM_TRY(carom_trajectory_append(rows));
    const size_t n = (size_t)rows->coordinate_count;
    const size_t k = (size_t)rows->row_count - 1;
    rows->time[k] = time;
    memcpy(rows->position + k * n, q, n * sizeof(double));
    memcpy(rows->velocity + k * n, v, n * sizeof(double));
    rows->kinetic_energy[k] = 0.0;
    for (size_t i = 0; i < n; i++) {
        rows->kinetic_energy[k] += 0.5 * r->values->mass[i] * v[i] * v[i];
    }
    return CAROM_OK;
}

/** Write the rows of a scheme, time being their axis. */
static void write_rows(const results *r, const char *scheme, const carom_trajectory *rows) {
    const carom_column places[] = {
        {"position", rows->position, "m", "places of the centres"},
        {"velocity", rows->velocity, "m s-1", "velocities to the right"},
    };
    carom_record group = carom_record_group(r->record, "/cradle/%s", scheme);
    carom_record_axis(&group, "time", rows->row_count, rows->time, "s", "time");
    carom_record_columns(&group, "time", "/ball", places, COUNT(places));
    carom_record_series(&group, "energy", rows->kinetic_energy, "time", NULL, "J",
                        "kinetic energy");
}

/** Free flights and impacts until the end; a row before and after each. */
static carom_status fly(const results *r, double *q, double *v, carom_trajectory *rows) {
    const settings *values = r->values;
    const double touching = TOUCHING * (2.0 * values->radius + values->gap) * values->balls;
    double t = 0.0;
    CAROM_TRY(add_row(r, rows, t, q, v));
    for (int impacts = 0;; impacts++) {
        const double meeting = next_meeting(r, q, v, touching);
        const double flight = fmin(meeting, values->duration - t);
        for (int i = 0; i < values->balls; i++) {
            q[i] += flight * v[i];
        }
        t = meeting <= values->duration - t ? t + flight : values->duration;
        CAROM_TRY(add_row(r, rows, t, q, v));
        if (t >= values->duration) {
            return CAROM_OK;
        }
        if (impacts == MOST_IMPACTS) {
            r->report->time = t;
            return carom_report_fail(r->report, CAROM_STATUS_NOT_CONVERGED,
                                     "impacts, an inelastic collapse,", impacts, -1);
        }
        CAROM_TRY(strike(r, q, v, touching));
        CAROM_TRY(add_row(r, rows, t, q, v));
    }
}

static carom_status write_propagative(const results *r) {
    const size_t n = (size_t)r->values->balls;
    CAROM_AUTO(carom_trajectory) rows = NULL;
    CAROM_AUTO_MEMORY double *state = malloc(2 * n * sizeof(double));
    if (state == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    memcpy(state, r->model->initial_position, n * sizeof(double));
    memcpy(state + n, r->model->initial_velocity, n * sizeof(double));
    CAROM_TRY(carom_trajectory_alloc(&r->model->mechanism, CAROM_TRAJECTORY_MOTION, 64, &rows));
    CAROM_TRY(fly(r, state, state + n, rows));
    write_rows(r, "propagative", rows);
    return CAROM_OK;
}

static carom_status write_variational(const results *r) {
    const settings *values = r->values;
    carom_variational_params params = carom_variational_params_default();
    newtons_cradle_stepping(values, values->step, &params);
    CAROM_AUTO(carom_variational_trajectory) run = NULL;
    CAROM_TRY(carom_variational_trajectory_run(
        &r->model->mechanism, &params, 0.0, r->model->initial_position, r->model->initial_velocity,
        values->duration, NULL, NULL, &run, r->report));
    write_rows(r, "variational", run->rows);
    return CAROM_OK;
}

static carom_status write_baseline(const results *r) {
    const carom_model *model = r->model;
    carom_error_reduction_params params = r->values->baseline;
    params.step = r->values->step;
    const int steps = (int)round(r->values->duration / params.step);
    CAROM_AUTO(carom_error_reduction_stepper) stepper = NULL;
    CAROM_AUTO(carom_trajectory) rows = NULL;
    CAROM_TRY(carom_error_reduction_stepper_alloc(&model->mechanism, &params, &stepper, r->report));
    CAROM_TRY(carom_error_reduction_stepper_start(stepper, 0.0, model->initial_position,
                                                  model->initial_velocity, r->report));
    CAROM_TRY(carom_trajectory_alloc(&model->mechanism, CAROM_TRAJECTORY_MOTION, steps + 1, &rows));
    const carom_error_reduction_result *now = carom_error_reduction_stepper_result(stepper);
    CAROM_TRY(add_row(r, rows, now->time, now->position, now->velocity));
    for (int k = 0; k < steps; k++) {
        CAROM_TRY(carom_error_reduction_stepper_advance(stepper, r->report));
        CAROM_TRY(add_row(r, rows, now->time, now->position, now->velocity));
    }
    write_rows(r, "baseline", rows);
    return CAROM_OK;
}

void newtons_cradle_stepping(const settings *values, double step,
                             carom_variational_params *params) {
    const carom_propagative_params law = newtons_cradle_rule(values, values->balls - 1);
    params->step = step;
    params->rule = law.rule;
    params->first = law.first;
    params->seed = law.seed;
    params->most_reflections = newtons_cradle_most_reflections(values->balls);
    // A wave may pass a contact of a long chain several times in a step.
    params->most_hits += values->balls;
    params->most_events += values->balls * values->balls;
}

carom_status newtons_cradle_write_motions(const results *r) {
    const int scheme = r->values->scheme;
    if (scheme == SCHEME_PROPAGATIVE || scheme == SCHEME_COUNT) {
        CAROM_TRY(write_propagative(r));
    }
    if (scheme == SCHEME_VARIATIONAL || scheme == SCHEME_COUNT) {
        CAROM_TRY(write_variational(r));
    }
    if (scheme == SCHEME_BASELINE || scheme == SCHEME_COUNT) {
        CAROM_TRY(write_baseline(r));
    }
    return CAROM_OK;
}

/* --- a longer chain of equal balls --------------------------------------------------------------
 */

/** The methods that are compared. */
typedef enum chain_method { LAW, STEPPED, BASELINE_SWEEPS, BASELINE_EXACT, METHODS } chain_method;

static const char *const method_names[METHODS] = {"propagative", "variational", "baseline_sweeps",
                                                  "baseline_exact"};

static const char *const method_texts[METHODS] = {
    "velocities after the impact by the propagative law",
    "velocities after a step with the propagative law",
    "velocities after a step of the baseline with its sweeps",
    "velocities after a step of the baseline solved exactly",
};

/** Touching balls of the first mass of the options, the first with their speed. */
static carom_status make(const results *r, double restitution, carom_model **out) {
    const int n = r->values->chain_balls;
    CAROM_AUTO_MEMORY double *memory = calloc(3 * (size_t)n, sizeof(double));
    if (memory == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int i = 0; i < n; i++) {
        memory[i] = r->values->mass[0];
        memory[n + i] = r->values->radius;
    }
    memory[2 * n] = newtons_cradle_speed(r->values);
    const carom_ball_chain_params params = {
        .balls = n,
        .masses = memory,
        .radii = memory + n,
        .velocities = memory + 2 * n,
        .restitution = restitution,
    };
    return carom_ball_chain_alloc(&params, out, r->report);
}

static carom_status by_law(const results *r, const carom_model *model, double restitution,
                           double *velocity) {
    CAROM_AUTO(carom_impact_problem) problem = NULL;
    double change = 0.0;
    const double touching = TOUCHING * r->values->radius * r->values->chain_balls;
    CAROM_TRY(carom_impact_problem_of_mechanism(&model->mechanism, model->initial_position,
                                                model->initial_velocity, touching, NULL, &problem,
                                                r->report));
    return newtons_cradle_impact(r->values, problem, restitution, velocity, &change, r->report);
}

static carom_status by_stepping(const results *r, const carom_model *model, double *velocity) {
    carom_variational_params params = carom_variational_params_default();
    CAROM_AUTO(carom_variational_stepper) stepper = NULL;
    newtons_cradle_stepping(r->values, r->values->step, &params);
    params.first = 0;
    params.most_reflections = newtons_cradle_most_reflections(r->values->chain_balls);
    CAROM_TRY(carom_variational_stepper_alloc(&model->mechanism, &params, &stepper, r->report));
    CAROM_TRY(carom_variational_stepper_start(stepper, 0.0, model->initial_position,
                                              model->initial_velocity, NULL, r->report));
    CAROM_TRY(carom_variational_stepper_advance(stepper, r->report));
    memcpy(velocity, carom_variational_stepper_result(stepper)->velocity,
           (size_t)r->values->chain_balls * sizeof(double));
    return CAROM_OK;
}

static carom_status by_baseline(const results *r, const carom_model *model,
                                carom_error_reduction_solver solver, double *velocity) {
    carom_error_reduction_params params = r->values->baseline;
    CAROM_AUTO(carom_error_reduction_stepper) stepper = NULL;
    params.step = r->values->step;
    params.solver = solver;
    CAROM_TRY(carom_error_reduction_stepper_alloc(&model->mechanism, &params, &stepper, r->report));
    CAROM_TRY(carom_error_reduction_stepper_start(stepper, 0.0, model->initial_position,
                                                  model->initial_velocity, r->report));
    CAROM_TRY(carom_error_reduction_stepper_advance(stepper, r->report));
    memcpy(velocity, carom_error_reduction_stepper_result(stepper)->velocity,
           (size_t)r->values->chain_balls * sizeof(double));
    return CAROM_OK;
}

/** One coefficient by every method: velocity[method] is [coefficient][N]. */
static carom_status run(const results *r, int coefficient, double *const *velocity) {
    const double e = r->values->coefficients.values[coefficient];
    const size_t row = (size_t)coefficient * (size_t)r->values->chain_balls;
    CAROM_AUTO(carom_model) model = NULL;
    CAROM_TRY(make(r, e, &model));
    CAROM_TRY(by_law(r, model, e, velocity[LAW] + row));
    CAROM_TRY(by_stepping(r, model, velocity[STEPPED] + row));
    CAROM_TRY(by_baseline(r, model, CAROM_ERROR_REDUCTION_SWEEPS, velocity[BASELINE_SWEEPS] + row));
    return by_baseline(r, model, CAROM_ERROR_REDUCTION_EXACT, velocity[BASELINE_EXACT] + row);
}

carom_status newtons_cradle_write_chain(const results *r) {
    const settings *values = r->values;
    const size_t size = (size_t)values->coefficients.count * (size_t)values->chain_balls;
    CAROM_AUTO_MEMORY double *memory = calloc(METHODS * size, sizeof(double));
    if (memory == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    double *velocity[METHODS];
    for (size_t k = 0; k < METHODS; k++) {
        velocity[k] = memory + k * size;
    }
    for (int k = 0; k < values->coefficients.count; k++) {
        CAROM_TRY(run(r, k, velocity));
    }
    carom_record group = carom_record_group(r->record, "/chain");
    carom_record_index_axis(&group, "ball", values->chain_balls, "ball");
    carom_record_axis(&group, "restitution", values->coefficients.count,
                      values->coefficients.values, "1", "coefficient of restitution");
    for (int k = 0; k < METHODS; k++) {
        carom_record_series(&group, method_names[k], velocity[k], "restitution", "ball", "m s-1",
                            method_texts[k]);
    }
    return CAROM_OK;
}
