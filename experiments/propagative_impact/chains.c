/** Touching balls on a line, by the library's model; equal ones end sorted by velocity. */
#include "results.h"

#include <gsl/gsl_math.h>
#include <gsl/gsl_sort.h>

enum { MOST_BALLS = MOST_CONTACTS + 1, MOST_STEPS = 4096, RULES = 5, PART = 11 };

/** Velocities after some tens of reflections. */
static const double ROUNDING = 1e-12;

/** Gaps of balls that touch, m. */
static const double CLOSED = 1e-9;

void propagative_impact_close_chain(chain *c) {
    carom_propagative_impact_free(c->impact);
    carom_propagative_contacts_free(c->contacts);
    carom_impact_problem_free(c->problem);
}

carom_status propagative_impact_open_chain(int balls, const double *masses,
                                           const double *velocities, chain *out,
                                           carom_report *report) {
    CAROM_ASSERT(balls >= 2 && balls <= MOST_BALLS);
    *out = (chain){NULL, NULL, NULL};
    double radii[MOST_BALLS];
    for (int i = 0; i < balls; i++) {
        radii[i] = 0.5;
    }
    const carom_ball_chain_params params = {.balls = balls,
                                            .masses = masses,
                                            .radii = radii,
                                            .velocities = velocities,
                                            .restitution = 1.0};
    carom_model *model = NULL;
    CAROM_TRY(carom_ball_chain_alloc(&params, &model, report));
    carom_status status = carom_impact_problem_of_mechanism(
        &model->mechanism, model->initial_position, model->initial_velocity, CLOSED, NULL,
        &out->problem, report);
    carom_model_free(model);
    if (status == CAROM_OK) {
        status = carom_propagative_contacts_of_problem(out->problem, &out->contacts, report);
    }
    if (status == CAROM_OK) {
        status = carom_propagative_impact_alloc(balls - 1, MOST_STEPS, &out->impact);
    }
    return status;
}

double propagative_impact_unique_ratio(double left_ratio, int k) {
    // c^2 = a z/((1 + a)(1 + z)), a = m_A/m_B, z = m_C/m_B.
    const double square = gsl_pow_2(cos(M_PI / k));
    const double divisor = left_ratio * (1.0 - square) - square;
    return divisor > 0.0 ? square * (1.0 + left_ratio) / divisor : (double)NAN;
}

/* --- equal balls ------------------------------------------------------------------------------ */

static const int CHAINS[] = {3, 4, 5, 8};
enum { CHAIN_KINDS = COUNT(CHAINS), CHAIN_DRAWS = 50 };

/** Pairs of balls of which the left one is faster. */
static int inversions(int n, const double *v) {
    int count = 0;
    for (int i = 0; i < n; i++) {
        for (int j = i + 1; j < n; j++) {
            count += v[i] > v[j] ? 1 : 0;
        }
    }
    return count;
}

/** Velocities of one chain, by every rule: sorted after as many reflections as inversions. */
static carom_status try_chain(const propagation *x, int balls, int draw, double *longest,
                              double *error, int *miscounts) {
    double masses[MOST_BALLS];
    double v[MOST_BALLS];
    double sorted[MOST_BALLS];
    stream from = {x->common->seed, PART, (unsigned long)(balls * CHAIN_DRAWS + draw), 0};
    for (int i = 0; i < balls; i++) {
        masses[i] = 1.0;
        // The first draw is the worst: all approach.
        v[i] = draw == 0 ? balls - i : propagative_impact_draw(&from, -1.0, 1.0);
        sorted[i] = v[i];
    }
    gsl_sort(sorted, 1, (size_t)balls);
    chain c;
    carom_status status = propagative_impact_open_chain(balls, masses, v, &c, x->report);
    for (int rule = 0; rule < RULES && status == CAROM_OK; rule++) {
        carom_propagative_params params = carom_propagative_params_default();
        params.rule = (carom_propagative_rule)rule;
        params.seed = (unsigned long)draw;
        status = carom_propagative_impact_run(c.contacts, &params, 1.0, c.problem->contact_velocity,
                                              c.problem->kinetic_energy, c.impact, x->report);
        for (int i = 0; i < balls && status == CAROM_OK; i++) {
            const double left = i > 0 ? c.impact->impulse[i - 1] : 0.0;
            const double right = i + 1 < balls ? c.impact->impulse[i] : 0.0;
            *error = fmax(*error, fabs(v[i] + left - right - sorted[i]));
        }
        *longest = fmax(*longest, c.impact == NULL ? 0.0 : c.impact->step_count);
        *miscounts += status == CAROM_OK && c.impact->step_count != inversions(balls, v) ? 1 : 0;
    }
    propagative_impact_close_chain(&c);
    return status;
}

carom_status propagative_impact_write_chains(const propagation *x) {
    double columns[3][CHAIN_KINDS] = {{0.0}};
    double error = 0.0;
    int miscounts = 0;
    for (int k = 0; k < CHAIN_KINDS; k++) {
        const int balls = CHAINS[k];
        columns[0][k] = balls;
        columns[2][k] = 0.5 * balls * (balls - 1);
        for (int draw = 0; draw < CHAIN_DRAWS; draw++) {
            CAROM_TRY(try_chain(x, balls, draw, &columns[1][k], &error, &miscounts));
        }
    }
    carom_record_axis(x->record, "/chains/balls", CHAIN_KINDS, columns[0], "1", "equal balls N");
    const carom_column datasets[] = {
        {"/chains/longest", columns[1], "1", "reflections of the longest sequence"},
        {"/chains/pairs", columns[2], "1", "N (N-1)/2"},
    };
    carom_record_columns(x->record, "/chains/balls", NULL, datasets, COUNT(datasets));
    const carom_measure largest = {"chain_error", error, "m s-1",
                                   "largest difference of a velocity from the sorted ones"};
    carom_record_measures(x->record, &largest, 1);
    const carom_claim claims[] = {
        {"chains_are_sorted", error <= ROUNDING, "chains of equal balls end sorted by velocity"},
        {"chains_count_inversions", miscounts == 0,
         "after as many reflections as there are inversions"},
    };
    carom_record_claims(x->record, claims, COUNT(claims));
    return CAROM_OK;
}
