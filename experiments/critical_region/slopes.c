/** The sign of c_0 for random spectra, and how far the printed sign of (61) is off. */
#include "results.h"

#include <carom/base/parallel.h>

#include <math.h>
#include <stdlib.h>

/** The paper samples N > 2 and does not say up to where. */
enum { FEWEST = 3, MOST = 8, KINDS_OF_N = MOST - FEWEST + 1 };

/** A column that exists for both parities; every other one is as far off. */
enum { COLUMN = 2 };

/** Neither c_0 nor o_N of the limit depends on lambda'_{N-1}, 1/s2. */
static const double ANY_EIGENVALUE = 0.01;

/** tau is drawn between these, s, uniform in its logarithm: c_0 has no sign to change at either
 * end. */
static const double SHORTEST = 0.02;
static const double LONGEST = 50.0;
/** An offset that the printed sign makes in o_N, rad, and that figure 2 would show. */
static const double VISIBLE = 0.02;

/** One draw. */
typedef struct draw {
    double time;       /**< tau */
    double slope;      /**< c_0 at tau; NaN if spectra all but touch */
    double limit;      /**< c_0 for large tau, (62) */
    double difference; /**< relative, of (62) from the closed form */
    double offset;     /**< of o_N by the printed sign of (61), rad */
} draw;

/** All draws. */
typedef struct sampling {
    recipe from;
    draw *draws;
    carom_progress *progress;
} sampling;

static int modes_of(int item) {
    return FEWEST + item % KINDS_OF_N;
}

/** c_0 of one spectrum at a finite and at an infinite time. */
static carom_status evaluate(carom_critical_region *region, double inverse, draw *d) {
    carom_critical_matrices matrices;
    const carom_status status = carom_critical_region_matrices(region, d->time, &matrices);
    if (status == CAROM_STATUS_SINGULAR) {
        return CAROM_OK;
    }
    CAROM_TRY(status);
    d->slope = carom_critical_matrices_slope(&matrices);
    CAROM_TRY(carom_critical_region_matrices(region, HUGE_VAL, &matrices));
    d->limit = carom_critical_matrices_slope(&matrices);
    d->difference = fabs(d->limit * inverse - 1.0);
    carom_critical_root corrected;
    carom_critical_root printed;
    CAROM_TRY(carom_critical_region_asymptote(region, COLUMN, 0, false, &corrected));
    CAROM_TRY(carom_critical_region_asymptote(region, COLUMN, 0, true, &printed));
    d->offset = fabs(printed.phase - corrected.phase);
    return CAROM_OK;
}

static carom_status compute_draw(int item, void *context, carom_report *report) {
    const sampling *s = context;
    draw *d = &s->draws[item];
    d->slope = (double)NAN;
    d->time = SHORTEST * pow(LONGEST / SHORTEST, critical_region_uniform(&s->from, item, 0));
    carom_phase_spectra *spectra = NULL;
    CAROM_TRY(critical_region_draw(&s->from, item, modes_of(item), &spectra, report));
    carom_critical_region *region = NULL;
    carom_status status = carom_critical_region_alloc(spectra, &region, report);
    if (status == CAROM_OK) {
        status = evaluate(region, carom_asymptotic_roots_inverse_slope(spectra), d);
    }
    carom_critical_region_free(region);
    carom_phase_spectra_free(spectra);
    carom_progress_add(s->progress, 1);
    return status;
}

/** Numbers of the draws, by N. */
typedef struct slope_measures {
    double modes[KINDS_OF_N];
    double least_slope[KINDS_OF_N];
    double least_limit[KINDS_OF_N];
    double largest_limit[KINDS_OF_N];
    double difference[KINDS_OF_N];
    double mean_offset[KINDS_OF_N];
    int draws[KINDS_OF_N];
    int visible[KINDS_OF_N];
    int total;
    int evaluated;
} slope_measures;

static void measure_slopes(const sampling *s, int count, slope_measures *m) {
    *m = (slope_measures){.total = count};
    for (int g = 0; g < KINDS_OF_N; g++) {
        m->modes[g] = FEWEST + g;
        // Least and largest begin with NaN, which fmin and fmax pass over.
        m->least_slope[g] = (double)NAN;
        m->least_limit[g] = (double)NAN;
        m->largest_limit[g] = (double)NAN;
        m->difference[g] = (double)NAN;
    }
    for (int i = 0; i < count; i++) {
        const draw *d = &s->draws[i];
        const int g = modes_of(i) - FEWEST;
        if (isnan(d->slope)) {
            continue;
        }
        m->draws[g]++;
        m->evaluated++;
        m->least_slope[g] = fmin(m->least_slope[g], d->slope);
        m->least_limit[g] = fmin(m->least_limit[g], d->limit);
        m->largest_limit[g] = fmax(m->largest_limit[g], d->limit);
        m->difference[g] = fmax(m->difference[g], d->difference);
        m->mean_offset[g] += d->offset;
        m->visible[g] += d->offset > VISIBLE ? 1 : 0;
    }
    for (int g = 0; g < KINDS_OF_N; g++) {
        m->mean_offset[g] /= m->draws[g];
    }
}

static void write_slopes(const critical *c, const slope_measures *m) {
    carom_record_axis(c->record, "/slopes/modes", KINDS_OF_N, m->modes, "1", "N");
    carom_record_integer_series(c->record, "/slopes/draws", m->draws, "/slopes/modes", NULL, "1",
                                "random spectra");
    carom_record_integer_series(c->record, "/slopes/visible", m->visible, "/slopes/modes", NULL,
                                "1", "of which the printed sign of (61) moves o_N visibly");
    const carom_column columns[] = {
        {"/slopes/least", m->least_slope, "s-1", "least c_0 at random times; NaN: no draw has one"},
        {"/slopes/least_limit", m->least_limit, "s-1", "least c_0 for large times; NaN: no draw"},
        {"/slopes/largest_limit", m->largest_limit, "s-1",
         "largest c_0 for large times; NaN: no draw"},
        {"/slopes/difference", m->difference, "1",
         "largest relative difference of (62) from our closed form; NaN: no draw"},
        {"/slopes/mean_offset", m->mean_offset, "rad",
         "mean offset of o_N by the printed sign of (61); NaN: no draw"},
    };
    carom_record_columns(c->record, "/slopes/modes", NULL, columns, COUNT(columns));
    const carom_measure measures[] = {
        {"slope_draws", m->evaluated, "1", "random spectra with a c_0"},
        {"slope_singular", m->total - m->evaluated, "1",
         "random spectra that all but touch: Ubar is singular to rounding"},
    };
    carom_record_measures(c->record, measures, COUNT(measures));
}

carom_status critical_region_write_slopes(const critical *c) {
    const int count = c->values->draws;
    sampling s = {
        .from = {.seed = c->common->seed,
                 .stream = 1,
                 .kind = DRAWN_CRITICAL,
                 .is_mixed = true,
                 .critical_eigenvalue = ANY_EIGENVALUE},
        .draws = malloc((size_t)count * sizeof *s.draws),
    };
    if (s.draws == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    s.progress = carom_progress_start("signs of c_0", count, "spectra", c->common->is_quiet);
    const carom_status status =
        carom_parallel_map(count, c->common->threads, compute_draw, &s, c->report);
    carom_progress_finish(s.progress);
    slope_measures m;
    measure_slopes(&s, count, &m);
    free(s.draws);
    CAROM_TRY(status);
    write_slopes(c, &m);
    return CAROM_OK;
}
