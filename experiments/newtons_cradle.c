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
 * In newtons_cradle/: motions.c makes the motions and the longer chain, bands.c figure 2b.
 */
#include "newtons_cradle/cradle.h"

#include <carom/base/random.h>

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
    switch ((cradle_order)values->order) {
    case ORDER_LEAST:
        params.rule = CAROM_PROPAGATIVE_LEAST_APPROACHING;
        break;
    case ORDER_INDEX:
        params.rule = CAROM_PROPAGATIVE_LOWEST_INDEX;
        break;
    case ORDER_FIRST_LEFT:
    case ORDER_FIRST_RIGHT:
        params.rule = CAROM_PROPAGATIVE_CYCLIC;
        params.first = values->order == ORDER_FIRST_RIGHT ? contact_count - 1 : 0;
        break;
    case ORDER_RANDOM:
        params.rule = CAROM_PROPAGATIVE_RANDOM;
        break;
    case ORDER_MOST:
    case ORDER_COUNT:
        break;
    }
    return params;
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

/** Figure 2a: the balls at the start, for circles and arrows. */
static carom_status write_drawing(const results *r) {
    const size_t n = (size_t)r->values->balls;
    CAROM_AUTO_MEMORY double *radii = malloc(n * sizeof(double));
    if (radii == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (size_t i = 0; i < n; i++) {
        radii[i] = r->values->radius;
    }
    carom_record_series(r->record, "/drawing/x", r->model->initial_position, "/ball", NULL, "m",
                        "centres at the start");
    carom_record_series(r->record, "/drawing/radius", radii, "/ball", NULL, "m", "radii");
    carom_record_series(r->record, "/drawing/velocity", r->model->initial_velocity, "/ball", NULL,
                        "m s-1", "velocities at the start");
    return CAROM_OK;
}

static carom_status write_outcomes(results *r) {
    carom_propagative_record target =
        carom_propagative_record_of(r->record, "", r->problem, r->contacts);
    CAROM_TRY(write_drawing(r));
    carom_record_series(r->record, "/mass", r->values->mass, "/ball", NULL, "kg",
                        "masses from left to right");
    CAROM_TRY(follow_all(r));
    carom_record_integer(r->record, "/follows_all_orders",
                         r->values->order == ORDER_COUNT && r->outcomes != NULL, "1",
                         "whether the outcomes of all orders are listed");
    carom_record_scalar(r->record, "/plastic_share", r->plastic_share, "1",
                        "energy lost by a plastic impact / energy before");
    return r->values->order == ORDER_COUNT && r->outcomes != NULL
               ? carom_propagative_record_outcomes(&target, r->outcomes)
               : write_one(r, &target);
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

static carom_status write_samples(const results *r) {
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
    if (r->values->balls == BALLS && r->problem->contact_count == CONTACTS) {
        write_matrices(r);
        CAROM_TRY(write_samples(r));
    }
    return CAROM_OK;
}

static carom_status body(carom_record *record, const carom_common_options *common, void *context,
                         carom_report *report) {
    results r = {.values = context, .common = common, .record = record, .report = report};
    const carom_status status = compute(&r);
    carom_propagative_outcomes_free(r.outcomes);
    carom_propagative_contacts_free(r.contacts);
    carom_impact_problem_free(r.problem);
    carom_model_free(r.model);
    return status;
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
        CAROM_TABLES(carom_propagative_tables),
    };
    const int status = carom_experiment_main(&program, argc, argv, check, body, &v);
    free(v.mass);
    free(v.velocity);
    return status;
}
