/** Studies with runs of their own: orders of convergence, from sequences of runs with ever smaller
 * steps against the exact motion, and the conditioning of the Newton matrix. */
#include "studies.h"

#include <carom/base/parallel.h>

#include <math.h>
#include <stdlib.h>

carom_status bouncing_pendulum_unless_unknown(carom_status status) {
    return status == CAROM_STATUS_OUT_OF_MEMORY ? status : CAROM_OK;
}

/* --- orders of convergence -------------------------------------------------------------------- */

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
    {"impacts_nonsmooth_galpha", CAROM_SCHEME_NONSMOOTH_GALPHA, false, 10.0, HALF_OCTAVE,
     MOST_STEPS},
};

/** A wall beside the lowest point, in lengths: the flight to it is smooth and as long as can be. */
static const double DISTANT_WALL = 0.01;
/** The part of that flight that is used, and the longest motion with impacts in units of
 * sqrt(l/a_g): three of them, 2.2 s of the paper's pendulum. */
static const double SMOOTH_PART = 0.8;
static const double LONGEST_IMPACTS = 6.957010852370434;

/** One step size, and the mean errors over its run. */
typedef struct order_row {
    double step;        /**< s */
    double angle_error; /**< rad */
    double rate_error;  /**< rad/s */
    double force_error; /**< of the reaction of joint 1, N */
    bool is_known;      /**< false: no exact motion, or the run failed */
} order_row;

/* With impacts the reaction has peaks of 1/h: only its smooth part has an order, and stands last.
 */
static const carom_field ORDER_FIELDS[] = {
    CAROM_FIELD("step", order_row, step, "s", "step size"),
    CAROM_FIELD("angle_error", order_row, angle_error, "rad", "mean error over the run"),
    CAROM_FIELD("rate_error", order_row, rate_error, "rad s-1", "mean error over the run"),
    CAROM_FIELD("joint_force_error", order_row, force_error, "N", "mean error over the run"),
};

/** A study under way. */
typedef struct convergence {
    const settings *values;
    const order_study *study;
    carom_bouncing_pendulum_params pendulum;
    double duration;
    order_row rows[MOST_STEPS];
} convergence;

/** Mean over the run of the errors of angle, rate and reaction of joint 1. */
static carom_status measure_errors(convergence *c, int i, const carom_trajectory *t) {
    CAROM_AUTO_MEMORY double *exact = malloc((size_t)t->row_count * 2 * sizeof *exact);
    if (exact == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    double *angle = exact;
    double *rate = exact + t->row_count;
    const carom_status known = carom_bouncing_pendulum_exact_states(&c->pendulum, t->row_count,
                                                                    t->time, angle, rate, NULL);
    c->rows[i].is_known = known == CAROM_OK && t->outcome == CAROM_OK;
    for (int row = 1; c->rows[i].is_known && row < t->row_count; row++) {
        const size_t k = (size_t)row * COORDINATES + ANGLE;
        double force[JOINTS];
        carom_bouncing_pendulum_exact_joint_force(&c->pendulum, angle[row], rate[row], force);
        const double reaction =
            t->joint_impulse[(size_t)row * JOINTS] / t->step + t->joint_force[(size_t)row * JOINTS];
        const double weight = 1.0 / (t->row_count - 1);
        c->rows[i].angle_error += weight * fabs(t->position[k] - angle[row]);
        c->rows[i].rate_error += weight * fabs(t->velocity[k] - rate[row]);
        c->rows[i].force_error += weight * fabs(reaction - force[0]);
    }
    return bouncing_pendulum_unless_unknown(known);
}

/** Run with step i. */
static carom_status study_step(int i, void *context, carom_report *report) {
    convergence *c = context;
    carom_stepper_params params =
        carom_scheme_options_params(&c->values->schemes, c->study->scheme);
    params.step = c->rows[i].step;
    CAROM_AUTO(carom_model) model = NULL;
    CAROM_AUTO(carom_trajectory) t = NULL;
    CAROM_TRY(carom_bouncing_pendulum_alloc(&c->pendulum, &model, report));
    CAROM_TRY(carom_trajectory_run_to_failure(&model->mechanism, &params, model->initial_position,
                                              model->initial_velocity, c->duration, NULL, NULL, &t,
                                              report));
    return measure_errors(c, i, t);
}

/** Pendulum, duration and steps of a study; false without an exact motion or without impacts. */
static bool prepare_study(convergence *c) {
    c->pendulum = c->values->pendulum;
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
        c->rows[i].step = coarsest * pow(c->study->ratio, i);
    }
    return coarsest < c->duration;
}

carom_status bouncing_pendulum_study_orders(const settings *values, int threads,
                                            carom_record *record, carom_report *report) {
    for (int s = 0; s < COUNT(STUDIES); s++) {
        convergence c = {.values = values, .study = &STUDIES[s]};
        if (!carom_scheme_options_selects(&values->schemes, STUDIES[s].scheme) ||
            !prepare_study(&c)) {
            continue;
        }
        const int count = STUDIES[s].count;
        CAROM_TRY(carom_parallel_map(count, threads, study_step, &c, report));
        bool is_complete = true;
        for (int i = 0; i < count; i++) {
            is_complete = is_complete && c.rows[i].is_known;
        }
        if (is_complete) {
            carom_record group = carom_record_group(record, "/convergence/%s", STUDIES[s].group);
            carom_record_rows(&group, "step", c.rows, count, sizeof *c.rows, ORDER_FIELDS,
                              COUNT(ORDER_FIELDS) - (STUDIES[s].is_smooth ? 0 : 1));
        }
    }
    return CAROM_OK;
}

/* --- conditioning ----------------------------------------------------------------------------- */

/* Residual and unknowns of Newton's method are scaled by powers of h such that the matrix tends to
 * a regular constant one as h -> 0 (bruls-2014, 46): its condition number does not depend on the
 * step. Without the scaling it would grow as 1/h^2. */

/** Steps over that of the options, three decades apart: a dependence on the step would show as a
 * factor of a thousand or more. */
static const double COARSE_STEP = 10.0;
static const double FINE_STEP = 0.01;

/** The pendulum at rest against the wall, where both joints and the contact are in the matrix. */
static carom_bouncing_pendulum_params at_wall(carom_bouncing_pendulum_params pendulum) {
    pendulum.initial_angle = -acos(pendulum.wall_position / pendulum.length);
    pendulum.initial_rate = 0.0;
    return pendulum;
}

/** The contact, which comes after the joints, acts at position and velocity level. */
static bool is_closed(const carom_step *step) {
    return step->position_active[JOINTS] && step->velocity_active[JOINTS];
}

/** Condition number after one step from rest against the wall. */
static carom_status first_step(const carom_model *model, const carom_stepper_params *params,
                               double *condition) {
    carom_stepper *stepper = NULL;
    CAROM_TRY(carom_stepper_alloc(&model->mechanism, params, &stepper, NULL));
    carom_status status =
        carom_stepper_start(stepper, 0.0, model->initial_position, model->initial_velocity, NULL);
    if (status == CAROM_OK) {
        status = carom_stepper_advance(stepper, NULL);
    }
    if (status == CAROM_OK && is_closed(carom_stepper_result(stepper))) {
        status = carom_stepper_condition_number(stepper, condition);
    }
    carom_stepper_free(stepper);
    return status;
}

/** The full matrix (44) for a multiple of the step; NaN if the pendulum cannot rest against the
 * wall. */
static carom_status find_condition(const settings *values, double step, double *condition) {
    const carom_bouncing_pendulum_params pendulum = at_wall(values->pendulum);
    carom_stepper_params params =
        carom_scheme_options_params(&values->schemes, CAROM_SCHEME_NONSMOOTH_GALPHA);
    params.step = step * values->schemes.step;
    params.newton = CAROM_NEWTON_MONOLITHIC;
    carom_model *model = NULL;
    double found = (double)NAN;
    carom_status status = carom_bouncing_pendulum_alloc(&pendulum, &model, NULL);
    if (status == CAROM_OK) {
        status = first_step(model, &params, &found);
    }
    carom_model_free(model);
    *condition = status == CAROM_OK ? found : (double)NAN;
    return bouncing_pendulum_unless_unknown(status);
}

carom_status bouncing_pendulum_study_conditioning(const settings *values, carom_record *record) {
    if (!carom_scheme_options_selects(&values->schemes, CAROM_SCHEME_NONSMOOTH_GALPHA)) {
        return CAROM_OK;
    }
    double coarse = (double)NAN;
    double fine = (double)NAN;
    CAROM_TRY(find_condition(values, COARSE_STEP, &coarse));
    CAROM_TRY(find_condition(values, FINE_STEP, &fine));
    if (isfinite(coarse) && isfinite(fine)) {
        carom_record group = carom_record_group(record, "/condition");
        carom_record_scalar(&group, "coarse", coarse, "1",
                            "condition number of the Newton matrix at rest against the wall, ten "
                            "times the step");
        carom_record_scalar(&group, "fine", fine, "1", "the same, a hundredth of the step");
    }
    return CAROM_OK;
}
