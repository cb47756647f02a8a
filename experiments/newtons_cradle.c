/**
 * newtons_cradle: balls on a line strike balls that touch (seghete-2014 example 1, figure 2).
 *
 *     phi_i = x_{i+1} - x_i - 2 r,   p+ = p- Gamma(w_1) .. Gamma(w_n) (14)
 *
 * The propagative law in every order of single impacts, time stepping with it, and the implicit
 * complementarity problem with error reduction, whose gains of energy figure 2b shows. Printed in
 * the paper: three equal balls, B and C touching and struck by A, coefficients of restitution 1,
 * 0.7 and 0, 60 Hz to 6 kHz. Inferred: error reduction of 0.2, added to the speed of restitution.
 * Chosen: masses, radius, speeds from 0.1 to 10 m/s, the place of the impact within a step,
 * 10 sweeps, 600 Hz between; nothing but the places of points within the bands depends on them.
 *
 * In newtons_cradle/: motions.c makes the motions, the longer chain and example 1, bands.c figure
 * 2b.
 */
#include "newtons_cradle/cradle.h"

#include <carom/drawing/models.h>

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- the chain ---------------------------------------------------------------------------------
 */

/** Balls of a chain that takes all speeds of a band; longer ones take fewer in proportion. */
enum { FULL_BAND_BALLS = 10 };

/** Steps of a motion. */
static const double MOST_STEPS = 1e6;

/** Gaps that rounding leaves between balls that meet, in parts of the length of the chain. */
static const double TOUCHING = 1e-12;

double newtons_cradle_speed(const settings *values) {
    double largest = 0.0;
    for (int i = 0; i < values->balls; i++) {
        largest = fmax(largest, fabs(values->velocity[i]));
    }
    return largest;
}

double newtons_cradle_closing_speed(const settings *values) {
    double fastest = 0.0;
    for (int i = 0; i + 1 < values->balls; i++) {
        fastest = fmax(fastest, values->velocity[i] - values->velocity[i + 1]);
    }
    return fastest;
}

int newtons_cradle_most_reflections(int balls) {
    return 1000 + 4 * balls * balls;
}

/** Take over a list, or the default of a ball. */
static carom_status fill(const settings *v, const char *name, const carom_real_list *list,
                         double first, double other, double **out, carom_report *report) {
    if (list->count != 0 && list->count != v->balls) {
        return carom_report_say(report, CAROM_STATUS_CONFLICT, "the number of %s is %d, --balls %d",
                                name, list->count, v->balls);
    }
    *out = malloc((size_t)v->balls * sizeof(double));
    if (*out == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int i = 0; i < v->balls; i++) {
        (*out)[i] = i == 0 ? first : other;
    }
    if (list->count != 0) {
        memcpy(*out, list->values, (size_t)v->balls * sizeof(double));
    }
    return CAROM_OK;
}

/** Refuse sweeps that are none or would not end. */
static carom_status check_sweep(const settings *v, carom_report *report) {
    const int curves[] = {v->coefficients.count, v->frequencies.count};
    const char *names[] = {"number of --coefficients", "number of --frequencies"};
    for (int i = 0; i < 2; i++) {
        if (curves[i] > MOST_CURVES) {
            return carom_report_bound(report, names[i], curves[i], "at most", MOST_CURVES);
        }
    }
    if (v->slowest > v->fastest) {
        return carom_report_bound(report, "slowest", v->slowest, "up to --fastest =", v->fastest);
    }
    return CAROM_OK;
}

/** Refuse balls so large that the rounding of their positions is seen in the way of a step. */
static carom_status check_radius(const settings *v, carom_report *report) {
    static const double SEEN = 1e-6;
    double way = newtons_cradle_closing_speed(v) * v->step;
    const double slowest = v->slowest / newtons_cradle_speed(v);
    for (int i = 0; i < v->frequencies.count && v->speeds > 0; i++) {
        const double step = 1.0 / v->frequencies.values[i];
        way = fmin(way, slowest * newtons_cradle_closing_speed(v) * step);
    }
    const double largest = SEEN * way / (2.0 * v->balls * DBL_EPSILON);
    return v->radius <= largest
               ? CAROM_OK
               : carom_report_bound(report, "radius", v->radius,
                                    "for the way of the shortest step at most", largest);
}

/** Fill in what was not given and refuse options that do not fit together. */
static carom_status check(void *context, carom_report *report) {
    settings *v = context;
    v->baseline.solver = (carom_error_reduction_solver)v->solver;
    CAROM_TRY(fill(v, "--masses", &v->masses, 1.0, 1.0, &v->mass, report));
    CAROM_TRY(fill(v, "--velocities", &v->velocities, 1.0, 0.0, &v->velocity, report));
    if (!(newtons_cradle_closing_speed(v) > 0.0)) {
        return carom_report_say(report, CAROM_STATUS_CONFLICT,
                                "by --velocities no ball closes on its right neighbour");
    }
    CAROM_TRY(carom_model_require_within("step", v->step, v->duration / MOST_STEPS,
                                         2.0 * v->duration, report));
    CAROM_TRY(check_sweep(v, report));
    CAROM_TRY(check_radius(v, report));
    if (v->balls > FULL_BAND_BALLS) {
        v->speeds = (v->speeds * FULL_BAND_BALLS + v->balls - 1) / v->balls;
        v->stepped_speeds = (v->stepped_speeds * FULL_BAND_BALLS + v->balls - 1) / v->balls;
    }
    CAROM_AUTO(carom_model) model = NULL;
    return newtons_cradle_model(v, 1.0, v->gap, v->restitution, &model, report);
}

carom_status newtons_cradle_model(const settings *values, double factor, double gap,
                                  double restitution, carom_model **out, carom_report *report) {
    const int n = values->balls;
    const double closing = newtons_cradle_closing_speed(values);
    CAROM_AUTO_MEMORY double *memory = calloc(3 * (size_t)n, sizeof(double));
    if (memory == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    double *radii = memory;
    double *velocities = radii + n;
    double *gaps = velocities + n;
    for (int i = 0; i < n; i++) {
        radii[i] = values->radius;
        velocities[i] = factor * values->velocity[i];
        const double closes = i + 1 < n ? values->velocity[i] - values->velocity[i + 1] : 0.0;
        gaps[i] = gap * fmax(closes, 0.0) / closing;
    }
    const carom_ball_chain_params params = {
        .balls = n,
        .masses = values->mass,
        .radii = radii,
        .velocities = velocities,
        .gaps = gaps,
        .restitution = restitution,
    };
    return carom_ball_chain_alloc(&params, out, report);
}

carom_propagative_params newtons_cradle_rule(const settings *values, int contact_count) {
    carom_propagative_params params = carom_propagative_params_default();
    static const carom_propagative_rule rules[] = {
        [ORDER_MOST] = CAROM_PROPAGATIVE_MOST_APPROACHING,
        [ORDER_LEAST] = CAROM_PROPAGATIVE_LEAST_APPROACHING,
        [ORDER_INDEX] = CAROM_PROPAGATIVE_LOWEST_INDEX,
        [ORDER_FIRST_LEFT] = CAROM_PROPAGATIVE_CYCLIC,
        [ORDER_FIRST_RIGHT] = CAROM_PROPAGATIVE_CYCLIC,
        [ORDER_RANDOM] = CAROM_PROPAGATIVE_RANDOM,
        [ORDER_COUNT] = CAROM_PROPAGATIVE_MOST_APPROACHING,
    };
    params.rule = rules[values->order];
    params.first = values->order == ORDER_FIRST_RIGHT ? contact_count - 1 : 0;
    return params;
}

carom_status newtons_cradle_impact(const settings *values, const carom_impact_problem *problem,
                                   double restitution, double *v_post, double *energy_change,
                                   carom_report *report) {
    const carom_propagative_params params = newtons_cradle_rule(values, problem->contact_count);
    CAROM_AUTO(carom_propagative_contacts) contacts = NULL;
    CAROM_AUTO(carom_propagative_impact) impact = NULL;
    CAROM_AUTO_MEMORY double *L = calloc((size_t)problem->row_count, sizeof(double));
    CAROM_TRY(L == NULL ? CAROM_STATUS_OUT_OF_MEMORY : CAROM_OK);
    CAROM_TRY(carom_propagative_contacts_of_problem(problem, &contacts, report));
    CAROM_TRY(carom_propagative_impact_alloc(
        problem->contact_count, newtons_cradle_most_reflections(problem->coordinate_count),
        &impact));
    CAROM_TRY(carom_propagative_impact_run(contacts, &params, restitution,
                                           problem->contact_velocity, problem->kinetic_energy,
                                           impact, report));
    memcpy(L, impact->impulse, (size_t)problem->contact_count * sizeof(double));
    carom_impact_velocity(problem, L, v_post);
    *energy_change = impact->energy_change;
    return CAROM_OK;
}

/** The chain at its first impact, and what a plastic one loses. */
static carom_status prepare(results *r) {
    const settings *values = r->values;
    const int n = values->balls;
    CAROM_TRY(
        newtons_cradle_model(values, 1.0, values->gap, values->restitution, &r->model, r->report));
    const double arrival = values->gap / newtons_cradle_closing_speed(values);
    CAROM_AUTO_MEMORY double *q = malloc(2 * (size_t)n * sizeof(double));
    if (q == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int i = 0; i < n; i++) {
        q[i] = r->model->initial_position[i] + arrival * r->model->initial_velocity[i];
    }
    const double touching = TOUCHING * (2.0 * values->radius + values->gap) * n;
    CAROM_TRY(carom_impact_problem_of_mechanism(&r->model->mechanism, q, r->model->initial_velocity,
                                                touching, NULL, &r->problem, r->report));
    CAROM_TRY(carom_propagative_contacts_of_problem(r->problem, &r->contacts, r->report));
    double change = 0.0;
    CAROM_TRY(newtons_cradle_impact(values, r->problem, 0.0, q + n, &change, r->report));
    r->plastic_share = -change / r->problem->kinetic_energy;
    return CAROM_OK;
}

/* --- the impact in all orders, or in one -------------------------------------------------------
 */

/** Follow all orders; too many of them are not an error, but said. */
static carom_status follow_all(results *r) {
    carom_propagative_tree_params params = carom_propagative_tree_params_default();
    params.most_momenta = r->values->momenta;
    const carom_status status =
        carom_propagative_outcomes_find(r->contacts, &params, r->problem->contact_velocity,
                                        r->problem->kinetic_energy, &r->outcomes, r->report);
    if (status == CAROM_STATUS_NOT_CONVERGED) {
        fprintf(stderr,
                "newtons_cradle: more than %d momenta on the way of all orders (--momenta): "
                "/outcome_00 is that of the most approaching contacts first alone\n",
                params.most_momenta);
        *r->report = carom_report_empty();
        return CAROM_OK;
    }
    if (status == CAROM_OK && r->outcomes->sequence_total > r->outcomes->sequence_count &&
        !r->common->is_quiet) {
        printf("newtons_cradle: the first %d of %.15g orders of impacts are listed\n",
               r->outcomes->sequence_count, r->outcomes->sequence_total);
    }
    if (status == CAROM_OK && r->outcomes->count > CAROM_PROPAGATIVE_MOST_WRITTEN &&
        !r->common->is_quiet) {
        printf("newtons_cradle: the first %d of %d outcomes are written\n",
               CAROM_PROPAGATIVE_MOST_WRITTEN, r->outcomes->count);
    }
    return status;
}

/** The impact by the one rule of --order. */
static carom_status write_one(const results *r, const carom_propagative_record *target) {
    CAROM_AUTO(carom_propagative_impact) impact = NULL;
    const carom_propagative_params params =
        newtons_cradle_rule(r->values, r->problem->contact_count);
    CAROM_TRY(carom_propagative_impact_alloc(
        r->problem->contact_count, newtons_cradle_most_reflections(r->values->balls), &impact));
    CAROM_TRY(carom_propagative_impact_run(r->contacts, &params, r->values->restitution,
                                           r->problem->contact_velocity, r->problem->kinetic_energy,
                                           impact, r->report));
    return carom_propagative_record_impact(target, impact);
}

/** Figure 2a: the balls at the start, for circles and arrows; and their masses. */
static carom_status write_balls(const results *r) {
    const size_t n = (size_t)r->values->balls;
    CAROM_AUTO_MEMORY double *radii = malloc(n * sizeof(double));
    if (radii == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (size_t i = 0; i < n; i++) {
        radii[i] = r->values->radius;
    }
    const carom_column columns[] = {
        {"/drawing/x", r->model->initial_position, "m", "centres at the start"},
        {"/drawing/radius", radii, "m", "radii"},
        {"/drawing/velocity", r->model->initial_velocity, "m s-1", "velocities at the start"},
        {"/mass", r->values->mass, "kg", "masses from left to right"},
    };
    carom_record_columns(r->record, "/ball", NULL, columns, COUNT(columns));
    carom_record cradle = carom_record_group(r->record, "/cradle");
    const carom_ball_chain_params shapes = {.balls = r->values->balls, .radii = radii};
    return carom_geometry_record_ball_chain(&cradle, &shapes);
}

static carom_status write_outcomes(results *r) {
    carom_propagative_record target =
        carom_propagative_record_of(r->record, "", r->problem, r->contacts);
    CAROM_TRY(write_balls(r));
    CAROM_TRY(follow_all(r));
    const bool is_whole = r->values->order == ORDER_COUNT && r->outcomes != NULL;
    carom_record_integer(r->record, "/follows_all_orders", is_whole, "1",
                         "whether the outcomes of all orders are listed");
    carom_record_scalar(r->record, "/plastic_share", r->plastic_share, "1",
                        "energy lost by a plastic impact / energy before");
    return is_whole ? carom_propagative_record_outcomes(&target, r->outcomes)
                    : write_one(r, &target);
}

/* --- the program -------------------------------------------------------------------------------
 */

/** Solve and write everything; example 1 is of three balls that touch. */
static carom_status compute(results *r) {
    carom_record_index_axis(r->record, "/ball", r->values->balls,
                            "ball: A, B, C, .. from left to right");
    CAROM_TRY(prepare(r));
    CAROM_TRY(write_outcomes(r));
    CAROM_TRY(newtons_cradle_write_motions(r));
    if (r->values->speeds > 0) {
        CAROM_TRY(newtons_cradle_write_bands(r));
    }
    CAROM_TRY(newtons_cradle_write_chain(r));
    const bool is_example = r->values->balls == 3 && r->problem->contact_count == 2;
    return is_example ? newtons_cradle_write_example(r) : CAROM_OK;
}

static void results_clear(results *r) {
    carom_propagative_outcomes_free(r->outcomes);
    carom_propagative_contacts_free(r->contacts);
    carom_impact_problem_free(r->problem);
    carom_model_free(r->model);
}

static carom_status body(carom_record *record, const carom_common_options *common, void *context,
                         carom_report *report) {
    CAROM_AUTO_VALUE(results)
    r = {.values = context, .common = common, .record = record, .report = report};
    return compute(&r);
}

/** The parameters, as the command line sets them. */
static const carom_option options[] = {
    CAROM_INTEGER("balls", settings, balls, "1", "number N of balls on the line", "[2, 500]"),
    CAROM_REAL_LIST("masses", settings, masses, "kg",
                    "masses from left to right, N of them; else 1 kg each", "positive"),
    CAROM_REAL_LIST("velocities", settings, velocities, "m s-1",
                    "velocities to the right, N of them; else 1,0,0,..", "any"),
    CAROM_REAL("radius", settings, radius, "m", "radius r of the balls", "positive"),
    CAROM_REAL("gap", settings, gap, "m",
               "gap of the fastest closing pair at the start; all closing pairs meet at once",
               "not negative"),
    CAROM_REAL("restitution", settings, restitution, "1",
               "coefficient of restitution R of the single motion", "[0, 1]"),
    CAROM_CHOICE("order", settings, order,
                 "order of single impacts: most or least approaching contact, lowest index, in "
                 "turn from the left or the right end, random, or all orders (motions: most)",
                 "most|least|index|first-left|first-right|random|all"),
    CAROM_INTEGER(
        "momenta", settings, momenta, "1",
        "most momenta on the way of all orders; a hundred bytes and more of memory for each",
        "positive"),
    CAROM_CHOICE("scheme", settings, scheme,
                 "motions that are recorded: exact flights, time stepping, implicit baseline",
                 "propagative|variational|baseline|all"),
    CAROM_REAL("step", settings, step, "s", "time step h of the single motion", "positive"),
    CAROM_REAL("duration", settings, duration, "s", "duration of the single motion", "positive"),
    CAROM_REAL("error-reduction", settings, baseline.error_reduction, "1",
               "part of a penetration that a step of the baseline removes", "[0, 1]"),
    CAROM_CHOICE("solver", settings, solver, "solver of the baseline", "sweeps|exact"),
    CAROM_INTEGER("sweeps", settings, baseline.sweeps, "1",
                  "projected Gauss-Seidel sweeps of a step", "positive"),
    CAROM_FLAG("warm-start", settings, baseline.is_warm_started,
               "sweeps begin with the last impulses"),
    CAROM_FLAG("speculative", settings, baseline.is_speculative,
               "contacts of the baseline act before they touch"),
    CAROM_REAL_LIST("coefficients", settings, coefficients, "1",
                    "coefficients of restitution of figure 2b", "[0, 1]"),
    CAROM_REAL_LIST("frequencies", settings, frequencies, "Hz",
                    "time steps per second of figure 2b", "positive"),
    CAROM_INTEGER("speeds", settings, speeds, "1",
                  "random speeds of a band, fewer for more than 10 balls; 0: no bands",
                  "[0, 100000]"),
    CAROM_INTEGER("stepped-speeds", settings, stepped_speeds, "1",
                  "of these for time stepping with the propagative law", "[0, 100000]"),
    CAROM_REAL("slowest", settings, slowest, "m s-1", "least speed of the fastest ball",
               "[1e-140, 1e140]"),
    CAROM_REAL("fastest", settings, fastest, "m s-1", "largest speed of the fastest ball",
               "[1e-140, 1e140]"),
    CAROM_INTEGER("chain-balls", settings, chain_balls, "1",
                  "balls of the chain that is struck at one end", "[2, 500]"),
};

int main(int argc, char **argv) {
    static const double coefficients[] = {1.0, 0.7, 0.0};
    static const double frequencies[] = {60.0, 600.0, 6000.0};
    settings v = {
        .balls = 3,
        .radius = 0.05,
        .gap = 0.07,
        .restitution = 1.0,
        .order = ORDER_COUNT,
        .momenta = carom_propagative_tree_params_default().most_momenta,
        .scheme = SCHEME_COUNT,
        .step = 1.0 / 60.0,
        .duration = 0.2,
        .baseline = carom_error_reduction_params_default(),
        .solver = CAROM_ERROR_REDUCTION_SWEEPS,
        .coefficients = {3, coefficients},
        .frequencies = {3, frequencies},
        .speeds = 400,
        .stepped_speeds = 40,
        .slowest = 0.1,
        .fastest = 10.0,
        .chain_balls = 10,
    };
    const carom_program program = {
        .name = "newtons_cradle",
        .title = "Newton's cradle: simultaneous impacts one after the other, and all at once",
        .source = "seghete-2014",
        .schema = "newtons_cradle 1",
        .options = CAROM_OPTIONS(options),
        .has_contact_steps = true,
        CAROM_TABLES(carom_propagative_tables),
    };
    const int status = carom_experiment_main(&program, argc, argv, check, body, &v);
    free(v.mass);
    free(v.velocity);
    return status;
}
