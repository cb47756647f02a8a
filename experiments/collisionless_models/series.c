/** The series of section 4 for many oscillations, beside the roots. */
#include "results.h"

#include <float.h>
#include <gsl/gsl_math.h>

/** n = 2, 4, .., 512 for powers of 1/n; n from the first usable one for exponentials. */
enum { DOUBLINGS = 9, COLUMNS = 12 };

/** An error is told from rounding above so many roundings of the phase. */
static const double RESOLVED = 1e3;

/** Errors of the series in powers of 1/n. */
typedef struct power_errors {
    double n[DOUBLINGS];
    double alpha[DOUBLINGS];
    double alpha_next[DOUBLINGS]; /**< first term left out */
    double phase[DOUBLINGS];
    double phase_next[DOUBLINGS];
} power_errors;

/** Errors of the series up to exponentials. */
typedef struct exponential_errors {
    double n[COLUMNS];
    double root[COLUMNS];
    double root_next[COLUMNS];
    double phase[COLUMNS];
    double phase_next[COLUMNS];
    double fast_phase[COLUMNS];
} exponential_errors;

/** alpha_n, and o'_1 of the hopper. */
static carom_status fill_powers(const results *r, power_errors *e) {
    const gait *g = &r->gaits[HOPPER];
    const double ratio = sqrt(g->spectrum[1] / g->constrained);
    for (int k = 0; k < DOUBLINGS; k++) {
        const int n = 2 << k;
        carom_two_modes_impact impact;
        CAROM_TRY(carom_two_modes_hop(g->spectrum, g->constrained, n, 0, &impact, r->report));
        e->n[k] = n;
        e->alpha[k] =
            fabs(impact.fast_phase - carom_two_modes_root_series(CAROM_TWO_MODES_ALPHA, n, 1.0));
        e->alpha_next[k] = 1.0 / (2.0 * M_PI * gsl_pow_2(n));
        e->phase[k] = fabs(impact.constrained_phase - carom_two_modes_hop_phase_series(ratio, n));
        e->phase_next[k] = fabs(ratio - gsl_pow_3(ratio)) / (2.0 * gsl_pow_3(M_PI) * gsl_pow_4(n));
    }
    return CAROM_OK;
}

/** beta_n or gamma_n, and o'_1, of a wheel or of rocking. */
static carom_status fill_exponentials(const results *r, const gait *g, exponential_errors *e) {
    const double rho = sqrt(-g->spectrum[0] / g->spectrum[1]);
    const double s = sqrt(-g->spectrum[0] / g->constrained);
    for (int k = 0; k < COLUMNS; k++) {
        const int n = g->kind->first_column + k;
        carom_two_modes_impact impact;
        CAROM_TRY(g->kind->solve(g->spectrum, g->constrained, n, 0, &impact, r->report));
        const double o_2 = impact.fast_phase;
        e->n[k] = n;
        e->fast_phase[k] = o_2;
        e->root[k] = fabs(o_2 - carom_two_modes_root_series(g->kind->sequence, n, rho));
        e->root_next[k] = 2.0 * rho / (1.0 + rho * rho) * exp(-2.0 * rho * o_2);
        e->phase[k] = fabs(impact.constrained_phase -
                           carom_two_modes_phase_limit(g->spectrum[0], g->constrained));
        e->phase_next[k] = 2.0 * s / (1.0 + s * s) * exp(-2.0 * impact.slow_phase);
    }
    return CAROM_OK;
}

/** An error doubling by doubling: the power of 1/n and the factor to the first term left out, from
 * the last two that are above rounding. */
static void measure_power(const double *n, const double *error, const double *next, double *power,
                          double *factor) {
    *power = (double)NAN;
    *factor = (double)NAN;
    for (int k = 1; k < DOUBLINGS; k++) {
        if (error[k] > RESOLVED * DBL_EPSILON * M_PI * n[k]) {
            *power = log2(error[k - 1] / error[k]);
            *factor = error[k] / next[k];
        }
    }
}

/** The decay of an error from n to n + 1 over 2 pi rho, likewise. */
static double measure_decay(const double *fast_phase, const double *error, double rho) {
    double decay = (double)NAN;
    for (int k = 1; k < COLUMNS; k++) {
        if (error[k] > RESOLVED * DBL_EPSILON * fast_phase[k]) {
            decay = log(error[k - 1] / error[k]) / (2.0 * M_PI * rho);
        }
    }
    return decay;
}

static void write_powers(const results *r, const power_errors *e) {
    const series_row rows[] = {
        {"alpha_error", e->alpha, "rad", "error of the series of alpha_n"},
        {"alpha_next", e->alpha_next, "rad", "first term left out, 1/(2 pi n2)"},
        {"phase_error", e->phase, "rad", "error of the series of the hopper's o'_1"},
        {"phase_next", e->phase_next, "rad", "first term left out, |r - r3|/(2 pi3 n4)"},
    };
    carom_record_axis(r->record, "/series/powers/n", DOUBLINGS, e->n, "1", "n of the root");
    collisionless_models_write_series(r->record, "/series/powers", "n", NULL,
                                      (int)(sizeof rows / sizeof rows[0]), rows);
}

static void write_exponentials(const results *r, const char *group, const exponential_errors *e) {
    char path[PATH_SIZE];
    const series_row rows[] = {
        {"root_error", e->root, "rad", "error of the series of beta_n or gamma_n"},
        {"root_next", e->root_next, "rad", "size of the first term left out"},
        {"phase_error", e->phase, "rad", "distance of o'_1 from its limit"},
        {"phase_next", e->phase_next, "rad", "size of the first term left out"},
    };
    carom_record_axis(r->record, collisionless_models_path(group, "n", path), COLUMNS, e->n, "1",
                      "n of the root");
    collisionless_models_write_series(r->record, group, "n", NULL,
                                      (int)(sizeof rows / sizeof rows[0]), rows);
}

carom_status collisionless_models_write_series_errors(const results *r, series_orders *orders) {
    power_errors powers;
    CAROM_TRY(fill_powers(r, &powers));
    write_powers(r, &powers);
    measure_power(powers.n, powers.alpha, powers.alpha_next, &orders->alpha, &orders->alpha_factor);
    measure_power(powers.n, powers.phase, powers.phase_next, &orders->hop_phase,
                  &orders->hop_phase_factor);

    const gait *wheel = &r->gaits[REACTION_WHEEL];
    const gait *rocker = &r->gaits[ROCKER];
    exponential_errors errors;
    CAROM_TRY(fill_exponentials(r, wheel, &errors));
    write_exponentials(r, "/series/reaction_wheel", &errors);
    const double wheel_rho = sqrt(-wheel->spectrum[0] / wheel->spectrum[1]);
    orders->beta = measure_decay(errors.fast_phase, errors.root, wheel_rho);
    orders->wheel_phase = measure_decay(errors.fast_phase, errors.phase, wheel_rho);

    CAROM_TRY(fill_exponentials(r, rocker, &errors));
    write_exponentials(r, "/series/rocking", &errors);
    const double rocker_rho = sqrt(-rocker->spectrum[0] / rocker->spectrum[1]);
    orders->gamma = measure_decay(errors.fast_phase, errors.root, rocker_rho);
    orders->rocking_phase = measure_decay(errors.fast_phase, errors.phase, rocker_rho);
    return CAROM_OK;
}
