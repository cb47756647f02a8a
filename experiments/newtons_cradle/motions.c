/** Motions through the impact by every scheme, a longer chain struck at one end, and example 1: its
 * reset maps, random momenta and random masses. */
#include "cradle.h"

#include <carom/base/random.h>
#include <carom/timestepping/internal.h>

#include <stdlib.h>
#include <string.h>

/** Balls with a gap up to this part of the length of the chain touch. */
static const double TOUCHING = 1e-12;

/** Append a row of the baseline. */
static carom_status add_row(const carom_error_reduction_result *now, carom_trajectory *rows) {
    CAROM_TRY(carom_trajectory_append(rows));
    const size_t n = (size_t)rows->coordinate_count;
    const size_t k = (size_t)rows->row_count - 1;
    rows->time[k] = now->time;
    memcpy(rows->position + k * n, now->position, n * sizeof(double));
    memcpy(rows->velocity + k * n, now->velocity, n * sizeof(double));
    rows->kinetic_energy[k] = now->kinetic_energy;
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

static carom_status write_propagative(const results *r) {
    const settings *values = r->values;
    const carom_force_free_params params = {
        .rule = newtons_cradle_rule(values, r->problem->contact_count),
        .touching = TOUCHING * (2.0 * values->radius + values->gap) * values->balls,
        .most_impacts = 20000,
    };
    CAROM_AUTO(carom_trajectory) rows = NULL;
    CAROM_TRY(carom_force_free_run(&r->model->mechanism, &params, r->model->initial_position,
                                   r->model->initial_velocity, values->duration, &rows, r->report));
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
    carom_contact_folder_run dump = {r->common->problems, "baseline", params.step};
    params.contacts = carom_contact_folder_listener(&dump);
    CAROM_AUTO(carom_error_reduction_stepper) stepper = NULL;
    CAROM_AUTO(carom_trajectory) rows = NULL;
    CAROM_TRY(carom_error_reduction_stepper_alloc(&model->mechanism, &params, &stepper, r->report));
    CAROM_TRY(carom_error_reduction_stepper_start(stepper, 0.0, model->initial_position,
                                                  model->initial_velocity, r->report));
    CAROM_TRY(carom_trajectory_alloc(&model->mechanism, CAROM_TRAJECTORY_MOTION, steps + 1, &rows));
    const carom_error_reduction_result *now = carom_error_reduction_stepper_result(stepper);
    CAROM_TRY(add_row(now, rows));
    for (int k = 0; k < steps; k++) {
        CAROM_TRY(carom_error_reduction_stepper_advance(stepper, r->report));
        CAROM_TRY(add_row(now, rows));
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

/* --- a longer chain of equal balls -------------------------------------------------------------
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

/* --- the reset maps of example 1 ---------------------------------------------------------------
 */

enum { BALLS = 3, CONTACTS = 2, LONGEST = 3 };

/** Contacts u = (A, B) and v = (B, C). */
enum { U = 0, V = 1 };

/** A product of reset maps in the paper's order. */
typedef struct reset_word {
    const char *name;
    const char *long_name;
    int length;
    int contacts[LONGEST];
} reset_word;

/** p Gamma(w_1) .. Gamma(w_n) of a row p: each reflection adds its impulse times its normal. */
static void reflect(const results *r, const reset_word *word, double *p) {
    const carom_impact_problem *problem = r->problem;
    double c[CONTACTS];
    for (int j = 0; j < CONTACTS; j++) {
        c[j] = 0.0;
        for (int k = 0; k < BALLS; k++) {
            c[j] += p[k] * problem->impulse_response[k * problem->row_count + j];
        }
    }
    for (int step = 0; step < word->length; step++) {
        const int i = word->contacts[step];
        const double Lambda = carom_propagative_reflect(r->contacts, i, c);
        for (int k = 0; k < BALLS; k++) {
            p[k] += Lambda * problem->contact_jacobian[i * BALLS + k];
        }
    }
}

/** The matrix of a product: its rows are the images of unit rows. */
static void write_word(const results *r, carom_record *group, const reset_word *word) {
    double matrix[BALLS * BALLS];
    for (int i = 0; i < BALLS; i++) {
        for (int k = 0; k < BALLS; k++) {
            matrix[i * BALLS + k] = i == k ? 1.0 : 0.0;
        }
        reflect(r, word, matrix + i * BALLS);
    }
    carom_record_series(group, word->name, matrix, "row", "column", "1", word->long_name);
}

/** The reset maps of example 1, /matrices. */
static void write_matrices(const results *r) {
    static const reset_word words[] = {
        {"u", "Gamma(u)", 1, {U}},
        {"v", "Gamma(v)", 1, {V}},
        {"uvu", "Gamma(u) Gamma(v) Gamma(u)", 3, {U, V, U}},
        {"vuv", "Gamma(v) Gamma(u) Gamma(v)", 3, {V, U, V}},
    };
    carom_record group = carom_record_group(r->record, "/matrices");
    carom_record_index_axis(&group, "row", BALLS, "momentum before");
    carom_record_index_axis(&group, "column", BALLS, "momentum after");
    for (int k = 0; k < COUNT(words); k++) {
        write_word(r, &group, &words[k]);
    }
}

/* --- random momenta and masses -----------------------------------------------------------------
 */

/** Momenta, and chains of random masses, that are drawn. */
enum { DRAWS = 400 };

/** Two momenta further apart, |p| being 1, are two. */
static const double SAME = 1e-9;

/** Number in (-1, 1) of a draw; one stream for each kind of draw. */
static double draw(const results *r, int stream, int sample, int dimension) {
    return 2.0 * carom_counter_uniform(r->common->seed + (unsigned long)stream,
                                       (unsigned long)sample, (unsigned long)dimension) -
           1.0;
}

/** All outcomes of contacts for a velocity. */
static carom_status follow(const results *r, carom_impact_problem *problem,
                           const carom_propagative_contacts *contacts, const double *v,
                           carom_propagative_outcomes **out) {
    const carom_propagative_tree_params params = carom_propagative_tree_params_default();
    CAROM_TRY(carom_impact_problem_set_velocity(problem, v));
    return carom_propagative_outcomes_find(contacts, &params, problem->contact_velocity,
                                           problem->kinetic_energy, out, r->report);
}

/** Random momenta of the chain: outcomes of all, lengths of sequences of those that are infeasible
 * at both contacts. */
static carom_status sample_momenta(const results *r) {
    int least = newtons_cradle_most_reflections(BALLS);
    int most = 0;
    double indeterminacy = 0.0;
    for (int k = 0; k < DRAWS; k++) {
        double v[BALLS];
        for (int i = 0; i < BALLS; i++) {
            v[i] = draw(r, 1, k, i);
        }
        CAROM_AUTO(carom_propagative_outcomes) outcomes = NULL;
        CAROM_TRY(follow(r, r->problem, r->contacts, v, &outcomes));
        indeterminacy = fmax(indeterminacy, outcomes->indeterminacy);
        for (int s = 0; v[0] > v[1] && v[1] > v[2] && s < outcomes->sequence_count; s++) {
            const int length = outcomes->begin[s + 1] - outcomes->begin[s];
            least = length < least ? length : least;
            most = length > most ? length : most;
        }
    }
    const carom_measure measures[] = {
        {"reflections", most, "1", "most reflections of momenta infeasible at both contacts"},
        {"least_reflections", least, "1",
         "fewest reflections of momenta infeasible at both contacts"},
        {"indeterminacy", indeterminacy, "1", "largest distance of two outcomes / momentum"},
    };
    carom_record_measures(r->record, measures, COUNT(measures));
    return carom_impact_problem_set_velocity(r->problem, r->values->velocity);
}

/** A chain of random masses, struck at both contacts: largest distance of two outcomes. */
static carom_status sample_masses(const results *r, int k, double *indeterminacy) {
    const double H[CONTACTS * BALLS] = {0.0};
    const double mu[CONTACTS] = {0.0, 0.0};
    double M[BALLS * BALLS] = {0.0};
    double v[BALLS];
    for (int i = 0; i < BALLS; i++) {
        M[i * BALLS + i] = pow(10.0, draw(r, 2, k, i));
        v[i] = 1.0 - i + 0.4 * draw(r, 3, k, i);
    }
    CAROM_AUTO(carom_impact_problem) problem = NULL;
    CAROM_AUTO(carom_propagative_contacts) contacts = NULL;
    CAROM_AUTO(carom_propagative_outcomes) outcomes = NULL;
    CAROM_TRY(carom_impact_problem_alloc(BALLS, CONTACTS, 1, M, r->problem->contact_jacobian, H, mu,
                                         v, &problem, r->report));
    CAROM_TRY(carom_propagative_contacts_of_problem(problem, &contacts, r->report));
    CAROM_TRY(follow(r, problem, contacts, v, &outcomes));
    *indeterminacy = outcomes->indeterminacy;
    return CAROM_OK;
}

carom_status newtons_cradle_write_example(const results *r) {
    write_matrices(r);
    CAROM_TRY(sample_momenta(r));
    int several = 0;
    for (int k = 0; k < DRAWS; k++) {
        double indeterminacy = 0.0;
        CAROM_TRY(sample_masses(r, k, &indeterminacy));
        several += indeterminacy > SAME;
    }
    carom_record_measure(r->record, "unequal_share", (double)several / DRAWS, "1",
                         "part of chains of random masses with several outcomes");
    return CAROM_OK;
}
