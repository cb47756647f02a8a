/** Orders of convergence: sequences of runs with ever smaller steps against the exact motion. */
#include "measures.h"

#include <carom/base/parallel.h>
#include <carom/study/scheme_options.h>

#include <gsl/gsl_fit.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/** The errors that are studied. */
enum { ANGLE_ERROR, RATE_ERROR, FORCE_ERROR, ERROR_COUNT };

enum { MOST_STEPS = 13 };

/** One sequence of runs. */
typedef struct order_study {
    const char *group;
    carom_scheme scheme;
    bool is_smooth;  /**< the flight to a distant wall, or the motion with its impacts */
    double coarsest; /**< largest step over that of the options; smooth: over the duration */
    double ratio;    /**< of a step to the one before */
    int count;       /**< steps */
} order_study;

/** The square root of one half. */
#define HALF_OCTAVE 0.70710678118654752

/** Smooth: whole numbers of steps. With impacts: from ten times the step of the options to a sixth
 * of it, two steps to the octave, since an impact is met early or late by chance. */
static const order_study STUDIES[] = {
    {"smooth_nonsmooth_galpha", CAROM_SCHEME_NONSMOOTH_GALPHA, true, 1.0 / 30.0, 0.5, 4},
    {"smooth_moreau_jean", CAROM_SCHEME_MOREAU_JEAN, true, 1.0 / 30.0, 0.5, 4},
    {"smooth_smooth_galpha", CAROM_SCHEME_SMOOTH_GALPHA, true, 1.0 / 30.0, 0.5, 4},
    {"impacts_nonsmooth_galpha", CAROM_SCHEME_NONSMOOTH_GALPHA, false, 10.0, HALF_OCTAVE,
     MOST_STEPS},
    {"impacts_moreau_jean", CAROM_SCHEME_MOREAU_JEAN, false, 10.0, HALF_OCTAVE, MOST_STEPS},
};

/** A wall beside the lowest point, in lengths: the flight to it is smooth and as long as can be. */
static const double DISTANT_WALL = 0.01;
/** The part of that flight that is used, and the longest motion with impacts in units of
 * sqrt(l/a_g): three of them, 2.2 s of the paper's pendulum. */
static const double SMOOTH_PART = 0.8;
static const double LONGEST_IMPACTS = 6.957010852370434;

/** A study under way. */
typedef struct convergence {
    const settings *values;
    const order_study *study;
    carom_bouncing_pendulum_params pendulum;
    double duration;
    double step[MOST_STEPS];
    double error[ERROR_COUNT][MOST_STEPS]; /**< means over the run, rad, rad/s, N */
    bool is_known[MOST_STEPS];             /**< false: no exact motion, or the run failed */
} convergence;

/* --- runs ------------------------------------------------------------------------------------- */

/** Mean over the run of the errors of angle, rate and reaction of joint 1. */
static carom_status measure_errors(convergence *c, int i, const carom_trajectory *t) {
    double *exact = malloc((size_t)t->row_count * 2 * sizeof *exact);
    if (exact == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    double *angle = exact;
    double *rate = exact + t->row_count;
    const carom_status known = carom_bouncing_pendulum_exact_states(&c->pendulum, t->row_count,
                                                                    t->time, angle, rate, NULL);
    c->is_known[i] = known == CAROM_OK && t->outcome == CAROM_OK;
    for (int row = 1; c->is_known[i] && row < t->row_count; row++) {
        const size_t k = (size_t)row * COORDINATES + ANGLE;
        double force[JOINTS];
        carom_bouncing_pendulum_exact_joint_force(&c->pendulum, angle[row], rate[row], force);
        const double reaction = bouncing_pendulum_joint_reaction(t, row);
        const double weight = 1.0 / (t->row_count - 1);
        c->error[ANGLE_ERROR][i] += weight * fabs(t->position[k] - angle[row]);
        c->error[RATE_ERROR][i] += weight * fabs(t->velocity[k] - rate[row]);
        c->error[FORCE_ERROR][i] += weight * fabs(reaction - force[0]);
    }
    free(exact);
    return bouncing_pendulum_unless_unknown(known);
}

/** Run with step i. */
static carom_status study_step(int i, void *context, carom_report *report) {
    convergence *c = context;
    carom_stepper_params params =
        carom_scheme_options_params(&c->values->schemes, c->study->scheme);
    params.step = c->step[i];
    CAROM_AUTO(carom_model) model = NULL;
    CAROM_AUTO(carom_trajectory) t = NULL;
    CAROM_TRY(carom_bouncing_pendulum_alloc(&c->pendulum, &model, report));
    CAROM_TRY(carom_trajectory_run_to_failure(&model->mechanism, &params, model->initial_position,
                                              model->initial_velocity, c->duration, NULL, NULL, &t,
                                              report));
    return measure_errors(c, i, t);
}

/* --- studies ---------------------------------------------------------------------------------- */

/** Pendulum, duration and steps of a study; false without an exact motion or without impacts. */
static bool prepare_study(convergence *c) {
    c->pendulum = c->values->pendulum;
    if (c->study->scheme == CAROM_SCHEME_SMOOTH_GALPHA) {
        c->pendulum.restitution = 0.0; // it has no law of impacts, and meets none
    }
    const double time = sqrt(c->pendulum.length / c->pendulum.gravity);
    c->duration = fmin(c->values->schemes.duration, LONGEST_IMPACTS * time);
    double coarsest = c->study->coarsest * c->values->schemes.step;
    if (c->study->is_smooth) {
        c->pendulum.wall_position = DISTANT_WALL * c->pendulum.length;
    }
    carom_bouncing_pendulum_impact impact;
    if (carom_bouncing_pendulum_exact_impacts(&c->pendulum, 1, &impact, NULL) != CAROM_OK) {
        return false;
    }
    if (c->study->is_smooth) {
        c->duration = SMOOTH_PART * impact.time;
        coarsest = c->study->coarsest * c->duration;
    } else if (impact.time > c->duration) {
        return false;
    }
    for (int i = 0; i < c->study->count; i++) {
        c->step[i] = coarsest * pow(c->study->ratio, i);
    }
    return coarsest < c->duration;
}

/** Slope of log(error) over log(step) by least squares. */
static double fitted_order(int count, const double *step, const double *error) {
    double x[MOST_STEPS];
    double y[MOST_STEPS];
    for (int i = 0; i < count; i++) {
        x[i] = log(step[i]);
        y[i] = log(error[i]);
    }
    double at_zero = (double)NAN;
    double slope = (double)NAN;
    double spread[3];
    double squares = (double)NAN;
    (void)gsl_fit_linear(x, 1, y, 1, (size_t)count, &at_zero, &slope, &spread[0], &spread[1],
                         &spread[2], &squares);
    return slope;
}

/** /convergence/GROUP: steps, errors and fitted orders. */
static void write_study(const convergence *c, carom_record *record) {
    static const char *const names[ERROR_COUNT] = {"angle", "rate", "joint_force"};
    static const char *const units[ERROR_COUNT] = {"rad", "rad s-1", "N"};
    const int count = c->study->count;
    char axis[96];
    char path[96];
    (void)snprintf(axis, sizeof axis, "/convergence/%s/step", c->study->group);
    carom_record_axis(record, axis, count, c->step, "s", "step size");
    for (int k = 0; k < ERROR_COUNT; k++) {
        // With impacts the reaction has peaks of 1/h: only its smooth part has an order.
        if (k == FORCE_ERROR && !c->study->is_smooth) {
            continue;
        }
        (void)snprintf(path, sizeof path, "/convergence/%s/%s_error", c->study->group, names[k]);
        carom_record_series(record, path, c->error[k], axis, NULL, units[k],
                            "mean error over the run");
        (void)snprintf(path, sizeof path, "/convergence/%s/%s_order", c->study->group, names[k]);
        carom_record_scalar(record, path, fitted_order(count, c->step, c->error[k]), "1",
                            "fitted order of convergence; NaN: there is no error");
    }
}

carom_status bouncing_pendulum_study_orders(const settings *values,
                                            const carom_common_options *common,
                                            carom_record *record, carom_report *report) {
    for (size_t s = 0; s < sizeof STUDIES / sizeof STUDIES[0]; s++) {
        convergence c = {.values = values, .study = &STUDIES[s]};
        if (!carom_scheme_options_selects(&values->schemes, STUDIES[s].scheme) ||
            !prepare_study(&c)) {
            continue;
        }
        CAROM_TRY(carom_parallel_map(STUDIES[s].count, common->threads, study_step, &c, report));
        bool is_complete = true;
        for (int i = 0; i < STUDIES[s].count; i++) {
            is_complete = is_complete && c.is_known[i];
        }
        if (is_complete) {
            write_study(&c, record);
        }
    }
    return CAROM_OK;
}
