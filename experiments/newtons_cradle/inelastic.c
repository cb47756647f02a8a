/** The inelastic extension on random momenta: the weight, and equations as printed. */
#include "results.h"

#include <carom/base/random.h>

enum { BALLS = 3, DRAWS = 200, RESTITUTIONS = 5 };

/** v' M w of two velocities. */
static double product(const results *r, const double *v, const double *w) {
    double sum = 0.0;
    for (int i = 0; i < BALLS; i++) {
        sum += r->values->mass[i] * v[i] * w[i];
    }
    return sum;
}

/** Norm of a difference of momenta over that of another. */
static double distance(const results *r, const double *v, const double *w, const double *of) {
    double d[BALLS];
    for (int i = 0; i < BALLS; i++) {
        d[i] = v[i] - w[i];
    }
    return sqrt(product(r, d, d) / product(r, of, of));
}

/** Errors of the identities between the elastic and the plastic outcome of a momentum. */
static void look_at_limits(results *r, const double *v, const double *elastic,
                           const double *plastic) {
    example *e = &r->example;
    const double size = product(r, v, v);
    double moved = 0.0;
    double sum = 0.0;
    for (int i = 0; i < BALLS; i++) {
        moved += r->values->mass[i] * (elastic[i] - v[i]);
        sum += r->values->mass[i] * fabs(v[i]);
    }
    const double still = product(r, plastic, plastic);
    e->momentum_error = fmax(e->momentum_error, fabs(moved) / sum);
    e->energy_error = fmax(e->energy_error, fabs(product(r, elastic, elastic) - size) / size);
    e->orthogonality_error =
        fmax(e->orthogonality_error, fabs(product(r, plastic, elastic) - still) / size);
    // Half the plastic norm for the energy that it loses: (size - still)/2.
    e->printed_loss_error = fmin(e->printed_loss_error, fabs(size - 2.0 * still) / size);
}

/** One coefficient: the weight R, the weight as printed, and the display before (18). */
static carom_status look_at_weight(results *r, carom_impact_problem *problem, double R,
                                   const double *v, const double *elastic, const double *plastic) {
    example *e = &r->example;
    const double weights[2] = {R, sqrt(1.0 - R * R)};
    double *const errors[2] = {&e->weight_error, &e->printed_error};
    const double size = product(r, v, v);
    const double still = product(r, plastic, plastic);
    double change = 0.0;
    double mixed[2][BALLS];
    for (int k = 0; k < 2; k++) {
        CAROM_TRY(
            newtons_cradle_impact(r->values, problem, weights[k], mixed[k], &change, r->report));
        // (16) with Delta E = -change, E_p = (size - still)/2.
        const double recovered = 1.0 + 2.0 * change / (size - still);
        *errors[k] = fmax(*errors[k], fabs(recovered - R * R));
        if (k == 1 && R > 0.69 && R < 0.71) {
            e->printed_restitution = sqrt(recovered);
        }
    }
    const double kept = product(r, elastic, elastic);
    const double left = product(r, mixed[0], mixed[0]) - kept;
    if (R > 0.0) {
        e->printed_display = fmin(e->printed_display, fabs(left - R * R * (kept - still)) / size);
    }
    if (R <= 0.0) {
        e->plastic_error = fmax(e->plastic_error, distance(r, mixed[0], plastic, v));
    }
    if (R >= 1.0) {
        e->elastic_error = fmax(e->elastic_error, distance(r, mixed[0], elastic, v));
    }
    return CAROM_OK;
}

/** The plastic outcome, from the impulses of the law itself rather than from a coefficient. */
static carom_status find_plastic(const results *r, const carom_impact_problem *problem,
                                 carom_propagative_impact *impact, double *plastic) {
    double L[2 * BALLS] = {0.0};
    CAROM_TRY(carom_propagative_plastic(r->contacts, CAROM_PROPAGATIVE_HELD,
                                        problem->contact_velocity, L, impact));
    carom_impact_velocity(problem, L, plastic);
    return CAROM_OK;
}

static carom_status sample(results *r, carom_impact_problem *problem,
                           carom_propagative_impact *impact) {
    static const double restitutions[RESTITUTIONS] = {0.0, 0.23, 0.5, 0.7, 1.0};
    for (int k = 0; k < DRAWS; k++) {
        double v[BALLS];
        double elastic[BALLS];
        double plastic[BALLS];
        double change = 0.0;
        // Each closing, as momenta that strike both contacts are.
        for (int i = 0; i < BALLS; i++) {
            v[i] = 1.0 - i +
                   0.8 * (carom_counter_uniform(r->common->seed + 5, (unsigned long)k,
                                                (unsigned long)i) -
                          0.5);
        }
        CAROM_TRY(carom_impact_problem_set_velocity(problem, v));
        CAROM_TRY(newtons_cradle_impact(r->values, problem, 1.0, elastic, &change, r->report));
        CAROM_TRY(find_plastic(r, problem, impact, plastic));
        look_at_limits(r, v, elastic, plastic);
        for (int i = 0; i < RESTITUTIONS; i++) {
            CAROM_TRY(look_at_weight(r, problem, restitutions[i], v, elastic, plastic));
        }
    }
    return CAROM_OK;
}

carom_status newtons_cradle_sample_inelastic(results *r) {
    if (!r->example.is_there) {
        return CAROM_OK;
    }
    r->example.printed_loss_error = HUGE_VAL;
    r->example.printed_display = HUGE_VAL;
    carom_propagative_impact *impact = NULL;
    CAROM_TRY(carom_propagative_impact_alloc(r->problem->contact_count, 1, &impact));
    carom_status status = sample(r, r->problem, impact);
    carom_propagative_impact_free(impact);
    CAROM_TRY(status);
    CAROM_TRY(carom_impact_problem_set_velocity(r->problem, r->values->velocity));
    carom_record_measure(r->record, "weight_error", r->example.weight_error, "1",
                         "largest error of R^2 recovered by (16), weight R");
    carom_record_measure(r->record, "printed_restitution", r->example.printed_restitution, "1",
                         "R recovered for 0.7 with the printed weight");
    return CAROM_OK;
}
