/** Where solutions exist: the condition (20), the first roots of (22), and the edge lambda'_1 -> 0.
 */
#include "results.h"

#include <carom/base/random.h>

#include <gsl/gsl_math.h>

/** Random spectra, parities of three modes, times of a grid along each axis. */
enum { DRAWS = 64, PARITIES = 8, GRID = 48 };

/** lambda'_1 of the sweep: 0.1, 0.01, .., times lambda_2. */
enum { DECADES = 6 };

/** Value of rho at which gamma_n is compared with its limit alpha_n. */
static const double SMALL_RHO = 1e-3;

typedef struct drawn_spectrum {
    double lambda[COORDINATES];
    double constrained;
} drawn_spectrum;

static double draw(const results *r, int sample, int dimension, double low, double high) {
    return low + (high - low) * carom_counter_uniform(r->seed, (unsigned long)sample,
                                                      (unsigned long)dimension);
}

/** Interlacing spectra: lambda'_1 <= 0 in even draws, 0 in some of them, > 0 in odd ones, there
 * with lambda_1 of either sign. */
static drawn_spectrum draw_spectrum(const results *r, int sample) {
    drawn_spectrum s;
    if (sample % 2 == 0) {
        s.constrained = sample % 8 == 0 ? 0.0 : draw(r, sample, 0, -3.0, -0.01);
        s.lambda[0] = s.constrained - draw(r, sample, 1, 0.1, 3.0);
        s.lambda[1] = draw(r, sample, 2, 0.5 * s.constrained + 0.01, 4.0);
    } else {
        s.lambda[0] = draw(r, sample, 0, -2.0, 1.0);
        s.constrained = fmax(s.lambda[0], 0.0) + draw(r, sample, 1, 0.2, 1.0);
        s.lambda[1] = s.constrained + draw(r, sample, 2, 0.2, 2.0);
    }
    return s;
}

/** (51): the sum of the rates of mode 1 and of the constrained mode vanishes at a root. Whether it
 * changes its sign anywhere on a grid of times. */
static bool has_crossing(const drawn_spectrum *s, bool is_odd, bool is_constrained_odd) {
    for (int i = 0; i < GRID; i++) {
        const double time = 0.01 * pow(1e4, (double)i / (GRID - 1));
        const double rate = collisionless_models_rate(s->lambda[0], is_odd, time);
        for (int j = 0; j < GRID; j++) {
            const double constrained_time = 0.01 * pow(1e4, (double)j / (GRID - 1));
            const double other =
                collisionless_models_rate(s->constrained, is_constrained_odd, constrained_time);
            if (!(rate + other < 0.0)) {
                return true;
            }
        }
    }
    return false;
}

/** Number of roots in a box, by subdivision, which knows nothing of cells. */
static carom_status count_roots(const results *r, const carom_phase_spectra *spectra,
                                const carom_root_search_params *box, existence *found, int *count) {
    carom_root_list *list = NULL;
    CAROM_TRY(carom_impact_roots_find(spectra, box, &list, r->report));
    *count = list->count;
    found->is_complete = found->is_complete && list->is_complete;
    carom_root_list_free(list);
    return CAROM_OK;
}

/** A spectrum with one of the eight parities: counted on the side of (20) that it is on. */
static carom_status try_parity(const results *r, const drawn_spectrum *s, int parity,
                               existence *found) {
    const carom_parity parities[] = {parity & 1, parity >> 1 & 1, parity >> 2};
    if (s->constrained <= 0.0) {
        found->without++;
        const bool crosses =
            has_crossing(s, parities[0] == CAROM_PARITY_ODD, parities[2] == CAROM_PARITY_ODD);
        found->crossings += crosses ? 1 : 0;
        return CAROM_OK;
    }
    carom_phase_spectra *spectra = NULL;
    CAROM_TRY(carom_phase_spectra_make(COORDINATES, s->lambda, &s->constrained, parities[0],
                                       parities[2], &spectra, r->report));
    spectra->unconstrained_parity[1] = parities[1];
    carom_root_search_params box = carom_root_search_params_default();
    box.use_subdivision = true;
    int count = 0;
    const carom_status status = count_roots(r, spectra, &box, found, &count);
    found->oscillating++;
    found->solved += count > 0 ? 1 : 0;
    carom_phase_spectra_free(spectra);
    return status;
}

static carom_status try_spectra(const results *r, existence *found) {
    found->draws = DRAWS;
    for (int sample = 0; sample < DRAWS; sample++) {
        const drawn_spectrum s = draw_spectrum(r, sample);
        for (int parity = 0; parity < PARITIES; parity++) {
            CAROM_TRY(try_parity(r, &s, parity, found));
        }
    }
    return CAROM_OK;
}

/** Roots of the cell n = 1 of an even model, the trivial one at tau = 0 aside. */
static carom_status count_first_cell(const results *r, const gait *g, existence *found,
                                     int *count) {
    carom_root_search_params box = carom_root_search_params_default();
    box.use_subdivision = true;
    box.min_time = 0.05 / sqrt(g->spectrum[1]);
    box.max_time = M_PI / sqrt(g->spectrum[1]);
    box.min_constrained_time = 0.05 / sqrt(g->constrained);
    box.max_constrained_time = ROWS * M_PI / sqrt(g->constrained);
    return count_roots(r, g->modes->spectra, &box, found, count);
}

/** alpha_n = gamma_n(0+): tan y = y - rho^2 y^3/3 + .. moves the root by -rho^2 alpha_n/3. */
static carom_status compare_alpha(existence *found) {
    for (int n = 2; n <= 8; n++) {
        double alpha;
        double gamma;
        CAROM_TRY(carom_two_modes_root(CAROM_TWO_MODES_ALPHA, n, 1.0, &alpha));
        CAROM_TRY(carom_two_modes_root(CAROM_TWO_MODES_GAMMA, n, SMALL_RHO, &gamma));
        const double first = gsl_pow_2(SMALL_RHO) * alpha / 3.0;
        const double next = gsl_pow_2(SMALL_RHO * alpha);
        found->alpha_of_gamma =
            fmax(found->alpha_of_gamma, fabs((alpha - gamma) / first - 1.0) / next);
    }
    return CAROM_OK;
}

/** The first impact of a model's lambda_1, lambda_2 as lambda'_1 falls to zero, by the general
 * solver. */
static carom_status sweep(const results *r, const gait *g, const double *constrained,
                          carom_impact_root *roots) {
    const carom_phase_spectra *own = g->modes->spectra;
    for (int k = 0; k < DECADES; k++) {
        carom_phase_spectra *spectra = NULL;
        CAROM_TRY(carom_phase_spectra_make(COORDINATES, g->spectrum, &constrained[k],
                                           own->unconstrained_parity[0], own->constrained_parity[0],
                                           &spectra, r->report));
        const carom_status status =
            carom_impact_roots_cell(spectra, g->kind->first_column, 0, &roots[k], r->report);
        carom_phase_spectra_free(spectra);
        CAROM_TRY(status);
    }
    return CAROM_OK;
}

/** Write /critical/MODEL: the sweep, and how near o'_1 comes to pi/2, which makes tau' grow as
 * 1/omega'_1. */
static carom_status write_sweep(const results *r, const gait *g, const char *group,
                                double *last_phase, existence *found) {
    double constrained[DECADES];
    double time[DECADES];
    double constrained_time[DECADES];
    double constrained_phase[DECADES];
    carom_impact_root roots[DECADES];
    for (int k = 0; k < DECADES; k++) {
        constrained[k] = g->spectrum[1] * gsl_pow_int(0.1, k + 1);
    }
    CAROM_TRY(sweep(r, g, constrained, roots));
    for (int k = 0; k < DECADES; k++) {
        time[k] = roots[k].time;
        constrained_time[k] = roots[k].constrained_time;
        constrained_phase[k] = sqrt(constrained[k]) * roots[k].constrained_time;
        if (k > 0) {
            found->least_growth =
                fmin(found->least_growth, constrained_time[k] / constrained_time[k - 1]);
        }
    }
    *last_phase = constrained_phase[DECADES - 1];
    char path[PATH_SIZE];
    const series_row rows[] = {
        {"time", time, "s", "tau"},
        {"constrained_time", constrained_time, "s", "tau'"},
        {"constrained_phase", constrained_phase, "rad", "o'_1"},
    };
    carom_record_axis(r->record, collisionless_models_path(group, "constrained_eigenvalue", path),
                      DECADES, constrained, "s-2", "lambda'_1");
    collisionless_models_write_series(r->record, group, "constrained_eigenvalue", NULL, 3, rows);
    return CAROM_OK;
}

static void write_counts(const results *r, const existence *found) {
    const scalar_row rows[] = {
        {"draws", found->draws, "1", "random spectra, each with eight parities"},
        {"without_oscillation", found->without, "1", "cases with lambda'_1 <= 0"},
        {"crossings", found->crossings, "1", "of which (51) has a solution on a grid of times"},
        {"oscillating", found->oscillating, "1", "cases with lambda'_1 > 0"},
        {"solved", found->solved, "1", "of which with a collisionless motion"},
        {"first_cell_hopping", found->trivial_alpha, "1", "motions of the hopper with o_2 < pi"},
        {"first_cell_rocking", found->trivial_gamma, "1", "motions of rocking with o_2 < pi"},
        {"alpha_of_gamma", found->alpha_of_gamma, "1",
         "largest distance of (alpha_n - gamma_n)/(rho2 alpha_n/3) from 1, over (rho alpha_n)2"},
    };
    collisionless_models_write_scalars(r->record, "/existence", (int)(sizeof rows / sizeof rows[0]),
                                       rows);
}

carom_status collisionless_models_write_existence(const results *r, existence *found) {
    *found = (existence){.is_complete = true, .least_growth = HUGE_VAL};
    CAROM_TRY(try_spectra(r, found));
    CAROM_TRY(count_first_cell(r, &r->gaits[HOPPER], found, &found->trivial_alpha));
    CAROM_TRY(count_first_cell(r, &r->gaits[ROCKER], found, &found->trivial_gamma));
    CAROM_TRY(compare_alpha(found));
    write_counts(r, found);
    CAROM_TRY(write_sweep(r, &r->gaits[PENDULUM_WHEEL], "/critical/pendulum_wheel",
                          &found->wheel_phase, found));
    return write_sweep(r, &r->gaits[ROCKER], "/critical/rocking", &found->rocking_phase, found);
}
