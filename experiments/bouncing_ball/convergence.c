#include "answers.h"

#include <carom/base/parallel.h>
#include <carom/study/scheme_options.h>

#include <math.h>
#include <stdio.h>

static const double LEAST_ORDER = 0.6; /* slopes fitted to irregularly sampled impacts scatter */
static const double MOST_ORDER = 1.2;
static const double LARGEST_STEP = 5.0; /* of the study, over that of the options */
static const double COARSE_END = 0.08;  /* smallest step of the coarse series, likewise */

enum {
    STUDY_STEPS = 49,  /* step sizes, eight to the octave */
    COARSE_STEPS = 25, /* over nearly the same range */
    PATH_SIZE = 96
};

/** One series of runs: a scheme up to a time. */
typedef struct convergence {
    const char *group;
    carom_scheme scheme;
    int length; /**< in steps of the options */
    int count;  /**< of step sizes */
    const char *claim;
    const results *all;
    double end;                         /**< s */
    double step[STUDY_STEPS];           /**< s */
    double gap_error[STUDY_STEPS];      /**< L1, m s */
    double velocity_error[STUDY_STEPS]; /**< L1, m */
} convergence;

/** L1 errors of gap and velocity for step size i. */
static carom_status run_step_size(int i, void *context, carom_report *report) {
    convergence *series = context;
    const results *r = series->all;
    carom_stepper_params params = carom_scheme_options_params(&r->values->schemes, series->scheme);
    params.step = series->step[i];
    carom_trajectory *t = NULL;
    CAROM_TRY(carom_trajectory_run(&r->model->mechanism, &params, r->model->initial_position,
                                   r->model->initial_velocity, series->end, NULL, NULL, &t,
                                   report));
    for (int row = 1; row < t->row_count; row++) {
        double y = 0.0;
        double v = 0.0;
        carom_bouncing_ball_exact_state(&r->values->ball, t->time[row], &y, &v);
        series->gap_error[i] += params.step * fabs(t->position[row] - y);
        series->velocity_error[i] += params.step * fabs(t->velocity[row] - v);
    }
    carom_trajectory_free(t);
    return CAROM_OK;
}

/** Least-squares slope of log(error) over log(step); NaN if an error is zero. */
static double fitted_order(int count, const double *step, const double *error) {
    double mean_x = 0.0;
    double mean_y = 0.0;
    for (int i = 0; i < count; i++) {
        mean_x += log(step[i]) / count;
        mean_y += log(error[i]) / count;
    }
    double xy = 0.0;
    double xx = 0.0;
    for (int i = 0; i < count; i++) {
        xy += (log(step[i]) - mean_x) * (log(error[i]) - mean_y);
        xx += (log(step[i]) - mean_x) * (log(step[i]) - mean_x);
    }
    return xy / xx;
}

static bool is_first_order(double slope) {
    return slope >= LEAST_ORDER && slope <= MOST_ORDER;
}

/** Step sizes and errors. */
static void write_errors(const convergence *series) {
    carom_record *record = series->all->record;
    char axis[PATH_SIZE];
    char path[PATH_SIZE];
    (void)snprintf(axis, sizeof axis, "/convergence/%s/step", series->group);
    carom_record_axis(record, axis, series->count, series->step, "s", "step size of a run");
    (void)snprintf(path, sizeof path, "/convergence/%s/gap_error", series->group);
    carom_record_series(record, path, series->gap_error, axis, NULL, "m s", "L1 error of the gap");
    (void)snprintf(path, sizeof path, "/convergence/%s/velocity_error", series->group);
    carom_record_series(record, path, series->velocity_error, axis, NULL, "m",
                        "L1 error of the velocity");
    (void)snprintf(path, sizeof path, "/convergence/%s/end", series->group);
    carom_record_scalar(record, path, series->end, "s", "length of the runs");
}

/** Orders of convergence, and whether they are what the paper says. */
static void write_orders(const convergence *series) {
    carom_record *record = series->all->record;
    const double gap_order = fitted_order(series->count, series->step, series->gap_error);
    const double velocity_order = fitted_order(series->count, series->step, series->velocity_error);
    char gap_name[PATH_SIZE];
    char velocity_name[PATH_SIZE];
    (void)snprintf(gap_name, sizeof gap_name, "%s_gap_order", series->group);
    (void)snprintf(velocity_name, sizeof velocity_name, "%s_velocity_order", series->group);
    const measure measures[] = {
        {gap_name, gap_order, "1", "fitted order of convergence of the gap in L1"},
        {velocity_name, velocity_order, "1", "fitted order of convergence of the velocity in L1"},
    };
    bouncing_ball_write_measures(record, LENGTH(measures), measures);
    const bool is_asked = isfinite(gap_order) && isfinite(velocity_order);
    const bool holds = is_first_order(gap_order) && is_first_order(velocity_order);
    const claim claims[] = {
        {series->claim, bouncing_ball_decide(is_asked, holds),
         "gap and velocity converge to first order in L1"},
    };
    bouncing_ball_write_claims(record, LENGTH(claims), claims);
}

/* Windows with one impact and with many, for the data of the paper: 0.8 s and 4 s. Over many
 * impacts the fitted order depends on the series of steps; a second, coarse series shows by how
 * much. */
carom_status bouncing_ball_study_convergence(const results *r, carom_report *report) {
    static const convergence table[] = {
        {.group = "one_impact",
         .scheme = CAROM_SCHEME_NONSMOOTH_GALPHA,
         .length = 400,
         .count = STUDY_STEPS,
         .claim = "one_impact_is_first_order"},
        {.group = "many_impacts",
         .scheme = CAROM_SCHEME_NONSMOOTH_GALPHA,
         .length = 2000,
         .count = STUDY_STEPS,
         .claim = "many_impacts_are_first_order"},
        {.group = "many_impacts_coarse",
         .scheme = CAROM_SCHEME_NONSMOOTH_GALPHA,
         .length = 2000,
         .count = COARSE_STEPS,
         .claim = "many_impacts_are_first_order_in_coarse_series"},
        {.group = "moreau_jean_many_impacts",
         .scheme = CAROM_SCHEME_MOREAU_JEAN,
         .length = 2000,
         .count = STUDY_STEPS,
         .claim = "moreau_jean_many_impacts_are_first_order"},
    };
    for (int k = 0; k < LENGTH(table); k++) {
        convergence series = table[k];
        series.end = series.length * r->values->schemes.step;
        if (!carom_scheme_options_selects(&r->values->schemes, series.scheme) ||
            series.end > r->values->schemes.duration) {
            continue;
        }
        series.all = r;
        const bool is_coarse = series.count == COARSE_STEPS;
        const double largest = LARGEST_STEP * r->values->schemes.step;
        for (int i = 0; i < series.count; i++) {
            series.step[i] =
                is_coarse ? largest * pow(COARSE_END / LARGEST_STEP, (double)i / (COARSE_STEPS - 1))
                          : largest * pow(2.0, -(double)i / 8.0);
        }
        CAROM_TRY(
            carom_parallel_map(series.count, r->common->threads, run_step_size, &series, report));
        write_errors(&series);
        write_orders(&series);
    }
    return CAROM_OK;
}
