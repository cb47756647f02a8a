/**
 * bouncing_pendulum: a rigid pendulum in redundant coordinates against a wall (bruls-2014,
 * section 10.2).
 *
 *     q = (x, y, theta),  M = diag(m, m, J),  f = (0, -m a_g, 0)
 *     joints   g1 = x - l cos theta = 0,  g2 = y - l sin theta = 0
 *     contact  g3 = x - x_wall >= 0,  Newton's law with e
 *
 * Printed: m, J, l, a_g, theta_0, release from rest, x_wall, e, h, the step of the reference and
 * the spectral radius 0.8. Inferred: x_0, y_0 from the joints. Chosen, since the paper is silent:
 * the duration of 6 s, which covers the accumulation of the impacts; the spectral radius 0.4 beside
 * 0.8 and 0; the predictor of Moreau-Jean; the tolerance.
 */
#include <carom/carom.h>
#include <carom/record/claim.h>
#include <carom/timestepping/series.h>

#include <gsl/gsl_fit.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct settings {
    carom_bouncing_pendulum_params pendulum;
    carom_scheme_options schemes;
} settings;

/* ---------------------------------------------------------------------------------- the runs */

/** The schemes come first, under their own numbers. */
enum {
    REFERENCE = CAROM_SCHEME_COUNT,
    SEQUENTIAL,
    RADIUS_04,
    RADIUS_00,
    HALF_STEP,
    RUN_COUNT,
    FIRST_SHORT_RUN = RADIUS_04
};

/** A run beside those of the schemes: nonsmooth generalized-alpha, one thing changed. */
typedef struct variant {
    const char *group;
    double step_factor;
    double radius; /**< NaN: that of the options */
} variant;

/*[bouncingPendulumVariants]*/
static const variant VARIANTS[RUN_COUNT - CAROM_SCHEME_COUNT] = {
    {"/reference", 0.1, (double)NAN},
    {"/nonsmooth_galpha_sequential", 1.0, (double)NAN},
    {"/nonsmooth_galpha_radius_04", 1.0, 0.4},
    {"/nonsmooth_galpha_radius_00", 1.0, 0.0},
    {"/nonsmooth_galpha_half_step", 0.5, (double)NAN},
};
/*[end bouncingPendulumVariants]*/

enum {
    EXACT_IMPACTS = 32,     /**< the last of them 1e-3 of the first in speed, for e = 0.8 */
    COMPARED_IMPACTS = 3,   /**< later ones are displaced by the errors of the earlier */
    OSCILLATION_STEPS = 100 /**< after an impact: 0.8^100 is 1e-10 */
};

/** What the questions are asked of. */
typedef struct results {
    const settings *asked;
    carom_scheme_run runs[RUN_COUNT]; /**< trajectory NULL: not run */
    carom_bouncing_pendulum_impact impacts[EXACT_IMPACTS];
    int impact_count;    /**< of the exact solution, within the duration; 0 if unknown */
    double accumulation; /**< s; NaN if unknown or never */
} results;

/** A completed run; NULL if it was not run or ended in a failure. */
static const carom_trajectory *run_of(const results *all, int run) {
    const carom_trajectory *t = all->runs[run].trajectory;
    return t != NULL && t->outcome == CAROM_OK ? t : NULL;
}

/** Name of a scheme or variant as a group. */
static const char *group_of(int run) {
    return run < CAROM_SCHEME_COUNT ? carom_scheme_name((carom_scheme)run)
                                    : VARIANTS[run - CAROM_SCHEME_COUNT].group + 1;
}

static bool is_wanted(const settings *asked, int run) {
    const bool with_nonsmooth =
        carom_scheme_options_selects(&asked->schemes, CAROM_SCHEME_NONSMOOTH_GALPHA);
    if (run < CAROM_SCHEME_COUNT) {
        return carom_scheme_options_selects(&asked->schemes, (carom_scheme)run);
    }
    if (run == SEQUENTIAL) {
        return with_nonsmooth && asked->schemes.newton != CAROM_NEWTON_SEQUENTIAL;
    }
    return run == REFERENCE || with_nonsmooth;
}

static carom_scheme_run plan_run(const settings *asked, int run) {
    const bool is_scheme = run < CAROM_SCHEME_COUNT;
    carom_scheme_run plan = {.may_fail = false};
    (void)snprintf(plan.group, sizeof plan.group, "/%s", group_of(run));
    plan.params = carom_scheme_options_params(
        &asked->schemes, is_scheme ? (carom_scheme)run : CAROM_SCHEME_NONSMOOTH_GALPHA);
    if (is_scheme) {
        // A comparator that cannot go on is a result; the scheme asked for alone must go on.
        plan.may_fail = asked->schemes.scheme == CAROM_SCHEME_COUNT &&
                        run != (int)CAROM_SCHEME_NONSMOOTH_GALPHA;
        return plan;
    }
    const variant *changed = &VARIANTS[run - CAROM_SCHEME_COUNT];
    plan.params.step *= changed->step_factor;
    plan.params.spectral_radius =
        isnan(changed->radius) ? plan.params.spectral_radius : changed->radius;
    if (run == SEQUENTIAL) {
        plan.params.newton = CAROM_NEWTON_SEQUENTIAL;
    }
    return plan;
}

/** The spectral radius of a variant that has its own, in its group. */
static carom_status write_changed_radius(int run, carom_record *record) {
    const int variant_number = run - CAROM_SCHEME_COUNT;
    if (variant_number < 0 || isnan(VARIANTS[variant_number].radius)) {
        return CAROM_OK;
    }
    char path[96];
    (void)snprintf(path, sizeof path, "%s/spectral_radius", VARIANTS[variant_number].group);
    return carom_record_scalar(record, path, VARIANTS[variant_number].radius, "1",
                               "spectral radius of this run");
}

/** Run and record the wanted ones of first .. end-1. */
static carom_status make_runs(results *all, const carom_model *model, double duration, int first,
                              int end, const carom_common_options *common, carom_record *record,
                              carom_report *report) {
    carom_scheme_run batch[RUN_COUNT];
    int place[RUN_COUNT];
    int count = 0;
    for (int run = first; run < end; run++) {
        if (is_wanted(all->asked, run)) {
            place[count] = run;
            batch[count++] = plan_run(all->asked, run);
        }
    }
    carom_status status = carom_scheme_runs(model, duration, batch, count, common, record, report);
    for (int i = 0; i < count; i++) {
        all->runs[place[i]] = batch[i];
    }
    for (int i = 0; status == CAROM_OK && i < count; i++) {
        status = write_changed_radius(place[i], record);
    }
    return status;
}

/** End of the short runs: the oscillation after the first impact; NaN without an impact. */
static double short_duration(const results *all) {
    const carom_trajectory *t = run_of(all, CAROM_SCHEME_NONSMOOTH_GALPHA);
    int row = 0;
    if (t == NULL || carom_trajectory_impacts(t, 0, 1, &row) == 0) {
        return (double)NAN;
    }
    return fmin(t->time[row] + OSCILLATION_STEPS * t->step, t->time[t->row_count - 1]);
}

/* ------------------------------------------------------------------------ the exact solution */

/** An exact solution exists for some parameters only; without memory there is no result at all. */
static carom_status unless_unknown(carom_status status) {
    return status == CAROM_STATUS_OUT_OF_MEMORY ? status : CAROM_OK;
}

/** Impacts within the duration, up to the accumulation, and the accumulation. */
static carom_status find_exact_impacts(results *all) {
    const carom_bouncing_pendulum_params *pendulum = &all->asked->pendulum;
    const double duration = all->asked->schemes.duration;
    all->impact_count = 0;
    const carom_status impacts =
        carom_bouncing_pendulum_exact_impacts(pendulum, EXACT_IMPACTS, all->impacts, NULL);
    CAROM_TRY(unless_unknown(impacts));
    double previous = -1.0;
    for (int k = 0; impacts == CAROM_OK && k < EXACT_IMPACTS; k++) {
        // Impacts that share the time of the accumulation are none.
        if (!(all->impacts[k].time > previous && all->impacts[k].time <= duration)) {
            break;
        }
        previous = all->impacts[k].time;
        all->impact_count++;
    }
    const carom_status accumulation =
        carom_bouncing_pendulum_exact_accumulation_time(pendulum, &all->accumulation, NULL);
    CAROM_TRY(unless_unknown(accumulation));
    if (!isfinite(all->accumulation)) {
        all->accumulation = (double)NAN;
    }
    return CAROM_OK;
}

/** /exact/impacts and /exact/accumulation_time, as far as they are known. */
static carom_status write_exact_impacts(const results *all, carom_record *record) {
    if (!isnan(all->accumulation)) {
        CAROM_TRY(carom_record_scalar(record, "/exact/accumulation_time", all->accumulation, "s",
                                      "instant at which the impacts accumulate"));
    }
    const int count = all->impact_count;
    if (count == 0) {
        return CAROM_OK;
    }
    double time[EXACT_IMPACTS];
    double rate[EXACT_IMPACTS];
    double impulse[EXACT_IMPACTS];
    double joint[EXACT_IMPACTS][2];
    double energy[EXACT_IMPACTS];
    for (int k = 0; k < count; k++) {
        time[k] = all->impacts[k].time;
        rate[k] = all->impacts[k].rate;
        impulse[k] = all->impacts[k].contact_impulse;
        joint[k][0] = all->impacts[k].joint_impulse[0];
        joint[k][1] = all->impacts[k].joint_impulse[1];
        energy[k] = all->impacts[k].energy;
    }
    const char *axis = "/exact/impacts/time";
    const char *joints = "/exact/impacts/joint";
    CAROM_TRY(carom_record_axis(record, axis, count, time, "s", "times of the impacts"));
    CAROM_TRY(carom_record_index_axis(record, joints, 2, "number of the joint"));
    CAROM_TRY(carom_record_series(record, "/exact/impacts/rate", rate, axis, NULL, "rad s-1",
                                  "rate of the angle before the impact"));
    CAROM_TRY(carom_record_series(record, "/exact/impacts/contact_impulse", impulse, axis, NULL,
                                  "N s", "impulse of the contact"));
    CAROM_TRY(carom_record_series(record, "/exact/impacts/joint_impulse", joint[0], axis, joints,
                                  "N s", "impulses of the joints"));
    return carom_record_series(record, "/exact/impacts/energy", energy, axis, NULL, "J",
                               "energy after the impact");
}

/** Energy on the manifold of the joints, from the mechanism itself. */
static double energy_of(const carom_model *model, double length, double angle, double rate) {
    const double q[3] = {length * cos(angle), length * sin(angle), angle};
    const double v[3] = {-q[1] * rate, q[0] * rate, rate};
    double scratch[3 * 3 + 3];
    return carom_mechanism_kinetic_energy(&model->mechanism, q, v, scratch) +
           model->mechanism.potential_energy(q, model->mechanism.context);
}

/** /exact/{time,angle,rate,energy,joint_force} at the given times, if they are known. */
static carom_status write_exact_motion(const settings *asked, const carom_model *model, int count,
                                       const double *time, carom_record *record) {
    const carom_bouncing_pendulum_params *pendulum = &asked->pendulum;
    double *buffer = malloc((size_t)count * 5 * sizeof *buffer);
    if (buffer == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    double *angle = buffer;
    double *rate = angle + count;
    double *energy = rate + count;
    double *force = energy + count;
    const carom_status known =
        carom_bouncing_pendulum_exact_states(pendulum, count, time, angle, rate, NULL);
    carom_status status = unless_unknown(known);
    if (known == CAROM_OK) {
        for (int i = 0; i < count; i++) {
            energy[i] = energy_of(model, pendulum->length, angle[i], rate[i]);
            carom_bouncing_pendulum_exact_joint_force(pendulum, angle[i], rate[i], &force[2 * i]);
        }
        const char *axis = "/exact/time";
        const char *joints = "/exact/joint";
        const struct {
            const char *path;
            const double *values;
            const char *columns;
            const char *units;
            const char *long_name;
        } series[] = {
            {"/exact/angle", angle, NULL, "rad", "angle"},
            {"/exact/rate", rate, NULL, "rad s-1", "rate of the angle, right limit"},
            {"/exact/energy", energy, NULL, "J", "mechanical energy"},
            {"/exact/joint_force", force, joints, "N", "smooth joint force lambda"},
        };
        status = carom_record_axis(record, axis, count, time, "s", "time");
        if (status == CAROM_OK) {
            status = carom_record_index_axis(record, joints, 2, "number of the joint");
        }
        for (int i = 0; status == CAROM_OK && i < 4; i++) {
            status = carom_record_series(record, series[i].path, series[i].values, axis,
                                         series[i].columns, series[i].units, series[i].long_name);
        }
    }
    free(buffer);
    return status;
}

/* --------------------------------------------------------------- questions, one to a measure */

/* The pendulum rests where its rate stays below this, in rad/s: six decades above rounding, seven
 * below the rate that one step of gravity gives. */
static const double REST_RATE = 1e-9;
/* The oscillation after an impact has died out at this fraction of its first deviation. */
static const double DAMPED_FRACTION = 0.01;

enum { COORDINATES = 3, JOINTS = 2, ANGLE = 2, SETTLING_STEPS = 30 };

/** One column of an array from row `first` on, before row `end`. */
static carom_series rows(const double *values, int columns, int column, int first, int end) {
    return (carom_series){values, columns, column, first, end};
}

static carom_series all_rows(const carom_trajectory *t, const double *values, int columns,
                             int column) {
    return rows(values, columns, column, 0, t->row_count);
}

static double last(carom_series series) {
    return carom_series_at(series, series.end - 1);
}

/** First rows of the first contacts, at most COMPARED_IMPACTS + 1 and as many as are exact ones. */
static int compared_impacts(const results *all, const carom_trajectory *t, int *row) {
    const int found = carom_trajectory_impacts(t, 0, COMPARED_IMPACTS + 1, row);
    return found < all->impact_count ? found : all->impact_count;
}

static double smallest_gap(const results *all, const carom_trajectory *t) {
    (void)all;
    return carom_trajectory_smallest_gap(t);
}

/** NaN if the pendulum still moves at the end. */
static double rest_time(const results *all, const carom_trajectory *t) {
    (void)all;
    const double moving =
        carom_series_last_above(all_rows(t, t->velocity, COORDINATES, ANGLE), t, REST_RATE);
    return moving < t->time[t->row_count - 1] ? moving + t->step : (double)NAN;
}

static double rest_error(const results *all, const carom_trajectory *t) {
    return fabs(rest_time(all, t) - all->accumulation) / t->step;
}

/** Over the steps with a contact impulse. */
static double largest_restitution_error(const results *all, const carom_trajectory *t) {
    double largest = 0.0;
    for (int row = 1; row < t->row_count; row++) {
        if (t->contact_impulse[row] > 0.0) {
            largest = fmax(largest, fabs(t->gap_rate[row] +
                                         all->asked->pendulum.restitution * t->gap_rate[row - 1]));
        }
    }
    return largest;
}

/** Of the first impacts, in steps. */
static double largest_impact_time_error(const results *all, const carom_trajectory *t) {
    int row[COMPARED_IMPACTS + 1];
    const int count = compared_impacts(all, t, row);
    double largest = count > 0 ? 0.0 : (double)NAN;
    for (int k = 0; k < count && k < COMPARED_IMPACTS; k++) {
        largest = fmax(largest, fabs(t->time[row[k]] - all->impacts[k].time) / t->step);
    }
    return largest;
}

/** Of the jumps of the rate at the first impacts, relative. */
static double largest_jump_error(const results *all, const carom_trajectory *t) {
    int row[COMPARED_IMPACTS + 1];
    const int count = compared_impacts(all, t, row);
    const carom_series rate = all_rows(t, t->velocity, COORDINATES, ANGLE);
    double largest = count > 0 ? 0.0 : (double)NAN;
    for (int k = 0; k < count && k < COMPARED_IMPACTS; k++) {
        const double jump = carom_series_at(rate, row[k]) - carom_series_at(rate, row[k] - 1);
        const double exact = -(1.0 + all->asked->pendulum.restitution) * all->impacts[k].rate;
        largest = fmax(largest, fabs(jump / exact - 1.0));
    }
    return largest;
}

/** Of the mean energy between impacts k and k+1, relative to all the energy lost in the run. */
static double largest_energy_plateau_error(const results *all, const carom_trajectory *t) {
    int row[COMPARED_IMPACTS + 1];
    const int count = compared_impacts(all, t, row);
    double largest = count > 1 ? 0.0 : (double)NAN;
    for (int k = 0; k + 1 < count; k++) {
        const double mean = carom_series_mean(rows(t->energy, 1, 0, row[k], row[k + 1]));
        largest = fmax(largest, fabs(mean - all->impacts[k].energy));
    }
    return largest / (t->energy[0] - t->energy[t->row_count - 1]);
}

/** A value in the step of the first impact; NaN without. */
static double at_first_impact(const carom_trajectory *t, const double *values, int columns) {
    int row = 0;
    return carom_trajectory_impacts(t, 0, 1, &row) == 1
               ? carom_series_at(all_rows(t, values, columns, 0), row)
               : (double)NAN;
}

/** A value of the last step if the contact is closed and at rest by then. */
static double at_rest(const results *all, const carom_trajectory *t, const double *values,
                      int columns) {
    const bool is_closed = t->velocity_active[t->row_count - 1] && !isnan(rest_time(all, t));
    return is_closed ? last(all_rows(t, values, columns, 0)) : (double)NAN;
}

/* Questions that one word answers: a statistic of a column, its value at the first impact or rest.
 */
#define ASK_STATISTIC(name, array, columns, statistic)                  \
    static double name(const results *all, const carom_trajectory *t) { \
        (void)all;                                                      \
        return statistic(all_rows(t, t->array, columns, 0));            \
    }
#define ASK_FIRST_IMPACT(name, array, columns)                          \
    static double name(const results *all, const carom_trajectory *t) { \
        (void)all;                                                      \
        return at_first_impact(t, t->array, columns);                   \
    }
#define ASK_REST(name, array, columns)                                  \
    static double name(const results *all, const carom_trajectory *t) { \
        return at_rest(all, t, t->array, columns);                      \
    }
ASK_STATISTIC(largest_energy_increase, energy, 1, carom_series_largest_increase)
ASK_STATISTIC(smallest_contact_position_multiplier, contact_position_multiplier, 1,
              carom_series_minimum)
ASK_STATISTIC(largest_contact_position_multiplier, contact_position_multiplier, 1,
              carom_series_maximum)
ASK_STATISTIC(largest_joint_position_multiplier, joint_position_multiplier, JOINTS,
              carom_series_magnitude)
ASK_STATISTIC(final_joint_residual, joint_residual, JOINTS, last)
ASK_FIRST_IMPACT(first_contact_impulse, contact_impulse, 1)
ASK_FIRST_IMPACT(first_joint_impulse, joint_impulse, JOINTS)
ASK_REST(rest_contact_impulse, contact_impulse, 1)
ASK_REST(rest_contact_position_multiplier, contact_position_multiplier, 1)
ASK_REST(rest_joint_position_multiplier, joint_position_multiplier, JOINTS)

static double first_contact_impulse_error(const results *all, const carom_trajectory *t) {
    return all->impact_count == 0
               ? (double)NAN
               : fabs(first_contact_impulse(all, t) / all->impacts[0].contact_impulse - 1.0);
}

/** Over all steps of the closed phase. */
static double rest_contact_impulse_smallest(const results *all, const carom_trajectory *t) {
    const double from = rest_time(all, t);
    return isnan(from) ? from
                       : carom_series_minimum(carom_series_window(t, t->contact_impulse, 1, 0, from,
                                                                  t->time[t->row_count - 1]));
}

static double rest_contact_force(const results *all, const carom_trajectory *t) {
    return rest_contact_impulse(all, t) / t->step;
}

/** Smooth force and impulse together, as in section 7.1 of the paper. */
static double reaction_at(const carom_trajectory *t, int row) {
    const size_t k = (size_t)row * JOINTS;
    return t->joint_impulse[k] / t->step + t->joint_force[k];
}

static double rest_joint_reaction(const results *all, const carom_trajectory *t) {
    return at_rest(all, t, t->joint_force, JOINTS) +
           at_rest(all, t, t->joint_impulse, JOINTS) / t->step;
}

/** Both joints. */
static double largest_joint_residual(const results *all, const carom_trajectory *t) {
    (void)all;
    return fmax(carom_series_magnitude(all_rows(t, t->joint_residual, JOINTS, 0)),
                carom_series_magnitude(all_rows(t, t->joint_residual, JOINTS, 1)));
}

static double largest_joint_rate(const results *all, const carom_trajectory *t) {
    (void)all;
    return fmax(carom_series_magnitude(all_rows(t, t->joint_rate, JOINTS, 0)),
                carom_series_magnitude(all_rows(t, t->joint_rate, JOINTS, 1)));
}

/** By which the size of the residual of the first joint ever goes back in a step. */
static double largest_joint_residual_recovery(const results *all, const carom_trajectory *t) {
    (void)all;
    double largest = 0.0;
    for (int row = 1; row < t->row_count; row++) {
        const double *g = &t->joint_residual[(size_t)row * JOINTS];
        largest = fmax(largest, fabs(g[-JOINTS]) - fabs(g[0]));
    }
    return largest;
}

/** Of the first joint, over the steps whose contact is not active. */
static double largest_joint_impulse_open(const results *all, const carom_trajectory *t) {
    (void)all;
    double largest = 0.0;
    for (int row = 1; row < t->row_count; row++) {
        if (!t->velocity_active[row]) {
            largest = fmax(largest, fabs(t->joint_impulse[(size_t)row * JOINTS]));
        }
    }
    return largest;
}

static double smallest_joint_force(const results *all, const carom_trajectory *t) {
    (void)all;
    double smallest = (double)INFINITY;
    for (int row = 0; row < t->row_count; row++) {
        smallest = fmin(smallest, fabs(t->joint_force[(size_t)row * JOINTS]));
    }
    return smallest;
}

/* The oscillation of the smooth force of joint 1 after the first impact. */

/*[bouncingPendulumDeviation]*/
/** Smooth force of the first joint less what the exact motion has in the same state, N. */
static double deviation_at(const results *all, const carom_trajectory *t, int row) {
    const size_t k = (size_t)row * COORDINATES + ANGLE;
    double exact[JOINTS];
    carom_bouncing_pendulum_exact_joint_force(&all->asked->pendulum, t->position[k], t->velocity[k],
                                              exact);
    return t->joint_force[(size_t)row * JOINTS] - exact[0];
}
/*[end bouncingPendulumDeviation]*/

/** Row of the first impact and the one past the oscillation; without a whole one false, rows 0. */
static bool oscillation_rows(const carom_trajectory *t, int *impact, int *end) {
    *impact = 0;
    *end = 0;
    int row[2];
    const int count = carom_trajectory_impacts(t, 0, 2, row);
    if (count == 0) {
        return false;
    }
    const int past = row[0] + OSCILLATION_STEPS + 1;
    if (past > (count == 2 ? row[1] : t->row_count)) {
        return false;
    }
    *impact = row[0];
    *end = past;
    return true;
}

/** Size of the deviation in the step of the impact itself. */
static double oscillation_impact_deviation(const results *all, const carom_trajectory *t) {
    int impact = 0;
    int end = 0;
    return oscillation_rows(t, &impact, &end) ? fabs(deviation_at(all, t, impact)) : (double)NAN;
}

/** Largest deviation after the step of the impact. */
static double oscillation_amplitude(const results *all, const carom_trajectory *t) {
    int impact = 0;
    int end = 0;
    double largest = oscillation_rows(t, &impact, &end) ? 0.0 : (double)NAN;
    for (int row = impact + 1; row < end; row++) {
        largest = fmax(largest, fabs(deviation_at(all, t, row)));
    }
    return largest;
}

/** Integral of the size of the deviation, from the step of the impact on. */
static double oscillation_integral(const results *all, const carom_trajectory *t) {
    int impact = 0;
    int end = 0;
    double sum = oscillation_rows(t, &impact, &end) ? 0.0 : (double)NAN;
    for (int row = impact; row < end; row++) {
        sum += fabs(deviation_at(all, t, row)) * t->step;
    }
    return sum;
}

/** Steps until the deviation has died out; NaN if it has not. */
static double oscillation_steps(const results *all, const carom_trajectory *t) {
    int impact = 0;
    int end = 0;
    if (!oscillation_rows(t, &impact, &end)) {
        return (double)NAN;
    }
    const double limit = DAMPED_FRACTION * fabs(deviation_at(all, t, impact + 1));
    for (int row = impact + 1; row < end; row++) {
        if (fabs(deviation_at(all, t, row)) <= limit) {
            return row - impact - 1;
        }
    }
    return (double)NAN;
}

/** Factor from step to step, mean over the steps until it has died out. */
static double oscillation_decay(const results *all, const carom_trajectory *t) {
    int impact = 0;
    int end = 0;
    const double steps = oscillation_steps(all, t);
    if (!(steps >= 1.0) || !oscillation_rows(t, &impact, &end)) {
        return (double)NAN;
    }
    const double first = deviation_at(all, t, impact + 1);
    const double final = deviation_at(all, t, impact + 1 + (int)steps);
    return pow(fabs(final / first), 1.0 / steps);
}

/** Until it has died out. */
static double oscillation_sign_changes(const results *all, const carom_trajectory *t) {
    int impact = 0;
    int end = 0;
    const double steps = oscillation_steps(all, t);
    if (isnan(steps) || !oscillation_rows(t, &impact, &end)) {
        return (double)NAN;
    }
    int changes = 0;
    for (int row = impact + 1; row < impact + (int)steps; row++) {
        changes += deviation_at(all, t, row) * deviation_at(all, t, row + 1) < 0.0 ? 1 : 0;
    }
    return changes;
}

/* Moreau-Jean beside the nonsmooth generalized-alpha scheme. */

/** Rows of the first flight, between the oscillation and the earlier of both second impacts. */
static bool flight_rows(const results *all, const carom_trajectory *t, int *first, int *end) {
    const carom_trajectory *other = run_of(all, CAROM_SCHEME_NONSMOOTH_GALPHA);
    int mine[2];
    int others[2];
    if (other == NULL || carom_trajectory_impacts(t, 0, 2, mine) < 2 ||
        carom_trajectory_impacts(other, 0, 2, others) < 2) {
        return false;
    }
    *first = (mine[0] > others[0] ? mine[0] : others[0]) + SETTLING_STEPS;
    *end = mine[1] < others[1] ? mine[1] : others[1];
    return *first < *end;
}

/** Of the joint reaction from the exact one in the same state, relative to the largest of these. */
static double flight_reaction_error(const results *all, const carom_trajectory *t) {
    int first = 0;
    int end = 0;
    if (!flight_rows(all, t, &first, &end)) {
        return (double)NAN;
    }
    double error = 0.0;
    double scale = 0.0;
    for (int row = first; row < end; row++) {
        const double exact = t->joint_force[(size_t)row * JOINTS] - deviation_at(all, t, row);
        error = fmax(error, fabs(reaction_at(t, row) - exact));
        scale = fmax(scale, fabs(exact));
    }
    return error / scale;
}

/** Largest difference of the joint reaction from that of the nonsmooth scheme in the flight. */
static double flight_reaction_difference(const results *all, const carom_trajectory *t) {
    const carom_trajectory *other = run_of(all, CAROM_SCHEME_NONSMOOTH_GALPHA);
    int first = 0;
    int end = 0;
    double largest = flight_rows(all, t, &first, &end) ? 0.0 : (double)NAN;
    for (int row = first; row < end; row++) {
        largest = fmax(largest, fabs(reaction_at(t, row) - reaction_at(other, row)));
    }
    return largest;
}

/** Largest relative difference of the joint impulses from those of the nonsmooth scheme. */
static double joint_impulse_difference(const results *all, const carom_trajectory *t) {
    const carom_trajectory *other = run_of(all, CAROM_SCHEME_NONSMOOTH_GALPHA);
    int mine[COMPARED_IMPACTS];
    int others[COMPARED_IMPACTS];
    if (other == NULL ||
        carom_trajectory_impacts(t, 0, COMPARED_IMPACTS, mine) < COMPARED_IMPACTS ||
        carom_trajectory_impacts(other, 0, COMPARED_IMPACTS, others) < COMPARED_IMPACTS) {
        return (double)NAN;
    }
    double largest = 0.0;
    for (int k = 0; k < COMPARED_IMPACTS; k++) {
        const double ours = t->joint_impulse[(size_t)mine[k] * JOINTS];
        const double theirs = other->joint_impulse[(size_t)others[k] * JOINTS];
        largest = fmax(largest, fabs(ours / theirs - 1.0));
    }
    return largest;
}

static double rest_reaction_difference(const results *all, const carom_trajectory *t) {
    const carom_trajectory *other = run_of(all, CAROM_SCHEME_NONSMOOTH_GALPHA);
    return other == NULL
               ? (double)NAN
               : fabs(rest_joint_reaction(all, t) / rest_joint_reaction(all, other) - 1.0);
}

/** Largest difference of a coordinate from the run by the full Newton matrix. */
static double motion_difference(const results *all, const carom_trajectory *t) {
    const carom_trajectory *other = run_of(all, CAROM_SCHEME_NONSMOOTH_GALPHA);
    double largest = other == NULL ? (double)NAN : 0.0;
    for (int k = 0; other != NULL && k < t->row_count * COORDINATES; k++) {
        largest = fmax(largest, fabs(t->position[k] - other->position[k]));
    }
    return largest;
}

static double most_newton_iterations(const results *all, const carom_trajectory *t) {
    (void)all;
    return carom_trajectory_most_iterations(t);
}

/* ----------------------------------------------------------------------- measures and claims */

#define BIT(run) (1u << (unsigned)(run))
enum {
    NS = CAROM_SCHEME_NONSMOOTH_GALPHA,
    MJ = CAROM_SCHEME_MOREAU_JEAN,
    ML = CAROM_SCHEME_MODIFIED_LCP,
    VG = CAROM_SCHEME_VELOCITY_GALPHA
};
/* Sets of runs that a question makes sense for; the smooth scheme knows no impulses. */
#define IMPULSIVE (BIT(NS) | BIT(MJ) | BIT(ML) | BIT(VG) | BIT(REFERENCE))
#define GGL (BIT(NS) | BIT(REFERENCE))
#define OSCILLATING (GGL | BIT(RADIUS_04) | BIT(RADIUS_00) | BIT(HALF_STEP))

/* Question, runs, units, name. */
#define QUESTION_LIST(X)                                                                           \
    X(smallest_gap, IMPULSIVE, "m", "smallest gap")                                                \
    X(rest_time, IMPULSIVE, "s", "time from which the pendulum rests against the wall")            \
    X(rest_error, IMPULSIVE, "1", "distance of that time from the accumulation, in steps")         \
    X(largest_restitution_error, IMPULSIVE, "m s-1", "largest error of the impact law in a step")  \
    X(largest_impact_time_error, IMPULSIVE, "1", "largest error of an impact time, in steps")      \
    X(largest_jump_error, IMPULSIVE, "1", "largest relative error of a jump of the rate")          \
    X(largest_energy_plateau_error, IMPULSIVE, "1", "largest error of the energy between impacts") \
    X(largest_energy_increase, IMPULSIVE, "J", "largest increase of the energy in a step")         \
    X(first_contact_impulse, IMPULSIVE, "N s", "contact impulse of the first impact")              \
    X(first_joint_impulse, IMPULSIVE, "N s", "impulse of joint 1 at the first impact")             \
    X(first_contact_impulse_error, IMPULSIVE, "1", "relative error of the first contact impulse")  \
    X(rest_contact_impulse, IMPULSIVE, "N s", "contact impulse per step at rest")                  \
    X(rest_contact_impulse_smallest, IMPULSIVE, "N s", "smallest contact impulse at rest")         \
    X(rest_contact_force, IMPULSIVE, "N", "contact impulse at rest over the step")                 \
    X(rest_contact_position_multiplier, GGL, "N s2", "contact's position multiplier at rest")      \
    X(rest_joint_position_multiplier, GGL, "N s2", "position multiplier of joint 1 at rest")       \
    X(rest_joint_reaction, IMPULSIVE, "N", "reaction of joint 1 at rest")                          \
    X(smallest_contact_position_multiplier, GGL, "N s2", "smallest contact position multiplier")   \
    X(largest_contact_position_multiplier, GGL, "N s2", "largest contact position multiplier")     \
    X(largest_joint_position_multiplier, GGL, "N s2", "largest position multiplier of joint 1")    \
    X(largest_joint_residual, IMPULSIVE, "m", "largest joint residual")                            \
    X(largest_joint_rate, IMPULSIVE, "m s-1", "largest rate of a joint residual")                  \
    X(final_joint_residual, IMPULSIVE, "m", "residual of joint 1 at the end")                      \
    X(largest_joint_residual_recovery, IMPULSIVE, "m", "largest decrease of that residual")        \
    X(largest_joint_impulse_open, GGL, "N s", "largest impulse of joint 1 without contact")        \
    X(smallest_joint_force, GGL, "N", "smallest size of the smooth force of joint 1")              \
    X(oscillation_impact_deviation, OSCILLATING, "N", "deviation of the force at the impact")      \
    X(oscillation_amplitude, OSCILLATING, "N", "largest deviation of the force after the impact")  \
    X(oscillation_integral, OSCILLATING, "N s", "integral of the size of the deviation")           \
    X(oscillation_steps, OSCILLATING, "1", "steps until the deviation has died out")               \
    X(oscillation_decay, OSCILLATING, "1", "factor of the deviation from step to step")            \
    X(oscillation_sign_changes, OSCILLATING, "1", "changes of sign of the deviation")              \
    X(flight_reaction_error, BIT(NS) | BIT(MJ), "1", "error of the reaction of joint 1 in flight") \
    X(flight_reaction_difference, BIT(MJ), "N", "difference of the reaction in flight")            \
    X(joint_impulse_difference, BIT(MJ), "1", "relative difference of the joint impulses")         \
    X(rest_reaction_difference, BIT(MJ), "1", "relative difference of the reaction at rest")       \
    X(motion_difference, BIT(SEQUENTIAL), "m", "largest difference from the full Newton matrix")   \
    X(most_newton_iterations, IMPULSIVE | BIT(SEQUENTIAL), "1", "most Newton iterations of a step")

enum {
#define ENUMERATE(ask, set, units, text) Q_##ask,
    QUESTION_LIST(ENUMERATE)
#undef ENUMERATE
        QUESTION_COUNT
};

typedef struct question {
    const char *name;
    double (*ask)(const results *all, const carom_trajectory *t); /**< NaN: no answer */
    unsigned runs;
    const char *units;
    const char *text;
} question;

static const question QUESTIONS[QUESTION_COUNT] = {
#define ENTER(ask, set, units, text) {#ask, ask, set, units, text},
    QUESTION_LIST(ENTER)
#undef ENTER
};

typedef double answers[QUESTION_COUNT][RUN_COUNT];

/** Ask everything that makes sense, keep the answers and write those that there are. */
static carom_status write_measures(const results *all, answers answer, carom_record *record) {
    for (int q = 0; q < QUESTION_COUNT; q++) {
        for (int run = 0; run < RUN_COUNT; run++) {
            const carom_trajectory *t = run_of(all, run);
            const bool is_asked = (QUESTIONS[q].runs & BIT(run)) != 0u && t != NULL;
            answer[q][run] = is_asked ? QUESTIONS[q].ask(all, t) : (double)NAN;
            if (!isfinite(answer[q][run])) {
                continue;
            }
            char name[96];
            char text[128];
            (void)snprintf(name, sizeof name, "%s_%s", QUESTIONS[q].name, group_of(run));
            (void)snprintf(text, sizeof text, "%s, %s", QUESTIONS[q].text, group_of(run));
            CAROM_TRY(carom_record_measure(record, name, answer[q][run], QUESTIONS[q].units, text));
        }
    }
    return CAROM_OK;
}

/** What the reference with its smaller step changes: the answer at h over that at the smaller. */
static carom_status write_ratios(answers answer, carom_record *record) {
    static const struct {
        const char *name;
        int question;
        const char *text;
    } ratios[] = {
        {"rest_contact_impulse_ratio", Q_rest_contact_impulse, "contact impulse at rest"},
        {"rest_contact_position_multiplier_ratio", Q_rest_contact_position_multiplier,
         "contact's position multiplier at rest"},
        {"rest_joint_position_multiplier_ratio", Q_rest_joint_position_multiplier,
         "position multiplier of joint 1 at rest"},
    };
    for (size_t i = 0; i < sizeof ratios / sizeof ratios[0]; i++) {
        const double *of_run = answer[ratios[i].question];
        const double ratio = of_run[NS] / of_run[REFERENCE];
        if (isfinite(ratio)) {
            char text[128];
            (void)snprintf(text, sizeof text, "%s, over that of the reference", ratios[i].text);
            CAROM_TRY(carom_record_measure(record, ratios[i].name, ratio, "1", text));
        }
    }
    return CAROM_OK;
}

/* Penetration and drift that nobody takes for rounding, m; the drift at this step is 4.6e-4 m. */
#define VISIBLE_PENETRATION (-1e-6)
#define VISIBLE_DRIFT 2e-4
/* A drift that goes back by less than this in a step only grows, m. */
#define NO_RECOVERY 1e-10
/* Some twenty impacts, each late or early by a few steps. */
#define ACCUMULATION_STEPS 100.0
/* First-order quantities at a step of some thousandth of the time between impacts. */
#define FEW_PERCENT 0.02
#define ONE_PERCENT 0.01
/* Quickly damped: a small part of the hundreds of steps between the impacts. */
#define QUICK_STEPS 30.0
/* The smooth force passes through zero between two samples, never at one. */
#define NONZERO_FORCE 1e-6
/* Two ways to solve the same equations to 1e-10 in each of some thousand steps. */
#define SAME_MOTION 1e-8

/** A statement: left < factor * right, or left > factor * right; without right, 1. */
typedef struct claim {
    const char *name;
    int left_question;
    int left_run;
    char relation;
    double factor;
    int right_question; /**< -1: none */
    int right_run;
    const char *statement;
} claim;

enum { NONE = -1 };

static const claim CLAIMS[] = {
    {"moreau_jean_penetrates", Q_smallest_gap, MJ, '<', VISIBLE_PENETRATION, NONE, 0,
     "the Moreau-Jean scheme penetrates the wall"},
    {"accumulation_nonsmooth_galpha", Q_rest_error, NS, '<', ACCUMULATION_STEPS, NONE, 0,
     "the nonsmooth scheme passes the accumulation and rests from then on"},
    {"accumulation_moreau_jean", Q_rest_error, MJ, '<', ACCUMULATION_STEPS, NONE, 0,
     "the Moreau-Jean scheme passes the accumulation and rests from then on"},
    {"jumps_nonsmooth_galpha", Q_largest_jump_error, NS, '<', FEW_PERCENT, NONE, 0,
     "the velocity jumps of the nonsmooth scheme are those of the exact solution"},
    {"jumps_moreau_jean", Q_largest_jump_error, MJ, '<', FEW_PERCENT, NONE, 0,
     "the velocity jumps of the Moreau-Jean scheme are those of the exact solution"},
    {"energy_staircase_nonsmooth_galpha", Q_largest_energy_plateau_error, NS, '<', ONE_PERCENT,
     NONE, 0, "the energy of the nonsmooth scheme falls in the exact steps"},
    {"energy_staircase_moreau_jean", Q_largest_energy_plateau_error, MJ, '<', ONE_PERCENT, NONE, 0,
     "the energy of the Moreau-Jean scheme falls in the exact steps"},
    {"contact_impulse_has_impulsive_part", Q_first_contact_impulse, NS, '>', 100.0,
     Q_rest_contact_impulse, NS, "impacts stand out of the contact impulses"},
    {"contact_impulse_has_continuous_part", Q_rest_contact_impulse_smallest, NS, '>', 0.999,
     Q_rest_contact_impulse, NS, "at rest every step has the same contact impulse"},
    {"contact_position_multiplier_smaller", Q_largest_contact_position_multiplier, REFERENCE, '<',
     0.2, Q_largest_contact_position_multiplier, NS,
     "the contact's position multiplier is smaller for the smaller step"},
    {"joint_position_multiplier_smaller", Q_largest_joint_position_multiplier, REFERENCE, '<', 0.2,
     Q_largest_joint_position_multiplier, NS,
     "the joint's position multiplier is smaller for the smaller step"},
    {"joint_drifts_moreau_jean", Q_largest_joint_residual, MJ, '>', VISIBLE_DRIFT, NONE, 0,
     "the joints of the Moreau-Jean scheme drift apart"},
    {"joint_drift_grows_moreau_jean", Q_largest_joint_residual_recovery, MJ, '<', NO_RECOVERY, NONE,
     0, "the drift of the Moreau-Jean scheme never goes back"},
    {"joint_force_never_vanishes", Q_smallest_joint_force, NS, '>', NONZERO_FORCE, NONE, 0,
     "the smooth joint force differs from zero in every step"},
    {"oscillation_is_quickly_damped", Q_oscillation_steps, NS, '<', QUICK_STEPS, NONE, 0,
     "the oscillation of the joint force after an impact is quickly damped"},
    {"oscillation_amplitude_falls_with_step", Q_oscillation_amplitude, REFERENCE, '<', 0.5,
     Q_oscillation_amplitude, NS, "a smaller step makes the oscillation smaller in amplitude"},
    {"oscillation_integral_falls_with_step", Q_oscillation_integral, REFERENCE, '<', 0.5,
     Q_oscillation_integral, NS, "a smaller step makes the integral of the oscillation smaller"},
    {"oscillation_integral_falls_with_half_step", Q_oscillation_integral, HALF_STEP, '<', 0.75,
     Q_oscillation_integral, NS, "half the step makes the integral of the oscillation smaller"},
    {"oscillation_falls_with_radius", Q_oscillation_integral, RADIUS_04, '<', 0.75,
     Q_oscillation_integral, NS, "a smaller spectral radius makes the oscillation smaller"},
    {"oscillation_vanishes_for_radius_zero", Q_oscillation_impact_deviation, RADIUS_00, '<',
     ONE_PERCENT, Q_oscillation_amplitude, NS,
     "with spectral radius zero no disturbance of the joint force is left"},
    {"joint_impulses_agree", Q_joint_impulse_difference, MJ, '<', FEW_PERCENT, NONE, 0,
     "both schemes have the same joint impulses at impacts"},
    {"joint_reactions_agree_in_flight", Q_flight_reaction_error, MJ, '<', ONE_PERCENT, NONE, 0,
     "the reaction per step of the Moreau-Jean scheme in flight is the smooth joint force"},
    {"joint_reaction_is_smooth_force", Q_flight_reaction_error, NS, '<', ONE_PERCENT, NONE, 0,
     "the reaction of the nonsmooth scheme in flight is the exact one"},
    {"joint_reactions_agree_at_rest", Q_rest_reaction_difference, MJ, '<', ONE_PERCENT, NONE, 0,
     "both schemes have the same joint reaction at rest"},
    {"newton_needs_few_iterations", Q_most_newton_iterations, NS, '<', 3.5, NONE, 0,
     "no step needs more than three Newton iterations"},
    {"sequential_variant_converges", Q_motion_difference, SEQUENTIAL, '<', SAME_MOTION, NONE, 0,
     "the sequential variant converges in every step, to the same motion"},
};

/** A claim without its numbers is not written. */
static carom_status write_claims(answers answer, carom_record *record) {
    for (size_t i = 0; i < sizeof CLAIMS / sizeof CLAIMS[0]; i++) {
        const claim *c = &CLAIMS[i];
        const double left = answer[c->left_question][c->left_run];
        const double right =
            c->factor * (c->right_question == NONE ? 1.0 : answer[c->right_question][c->right_run]);
        if (isfinite(left) && isfinite(right)) {
            const bool holds = c->relation == '<' ? left < right : left > right;
            CAROM_TRY(carom_record_claim(record, c->name, holds, c->statement));
        }
    }
    return CAROM_OK;
}

/* --------------------------------------------------------------------- orders of convergence */

/** A sequence of runs with ever smaller steps against the exact solution. */
typedef struct order_study {
    const char *group;
    carom_scheme scheme;
    bool is_smooth;  /**< the flight to a distant wall, or the motion with its impacts */
    double coarsest; /**< largest step over that of the options; smooth: over the duration */
    double ratio;    /**< of a step to the next */
    int count;       /**< steps */
} order_study;

enum { MOST_STEPS = 13, QUANTITIES = 3, STUDY_COUNT = 5 };

/* The square root of one half. */
#define HALF_OCTAVE 0.70710678118654752

/* Smooth: whole numbers of steps. With impacts: from ten times the step of the options to a sixth
 * of it, two steps to the octave, since an impact is met early or late by chance. */
static const order_study STUDIES[STUDY_COUNT] = {
    {"smooth_nonsmooth_galpha", CAROM_SCHEME_NONSMOOTH_GALPHA, true, 1.0 / 30.0, 0.5, 4},
    {"smooth_moreau_jean", CAROM_SCHEME_MOREAU_JEAN, true, 1.0 / 30.0, 0.5, 4},
    {"smooth_smooth_galpha", CAROM_SCHEME_SMOOTH_GALPHA, true, 1.0 / 30.0, 0.5, 4},
    {"impacts_nonsmooth_galpha", CAROM_SCHEME_NONSMOOTH_GALPHA, false, 10.0, HALF_OCTAVE,
     MOST_STEPS},
    {"impacts_moreau_jean", CAROM_SCHEME_MOREAU_JEAN, false, 10.0, HALF_OCTAVE, MOST_STEPS},
};

/* A wall beside the lowest point, in lengths: the flight to it is smooth and as long as can be. */
static const double DISTANT_WALL = 0.01;
/* The part of that flight that is used, and the longest motion with impacts, s: three of them. */
static const double SMOOTH_PART = 0.8;
static const double LONGEST_IMPACTS = 2.2;

/** A study under way. */
typedef struct convergence {
    const settings *asked;
    const order_study *study;
    carom_bouncing_pendulum_params pendulum;
    double duration;
    double step[MOST_STEPS];
    double error[QUANTITIES][MOST_STEPS]; /**< mean errors of angle, rate and joint force */
    bool is_known[MOST_STEPS];            /**< false: no exact solution, or the run failed */
} convergence;

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
        const double weight = 1.0 / (t->row_count - 1);
        c->error[0][i] += weight * fabs(t->position[k] - angle[row]);
        c->error[1][i] += weight * fabs(t->velocity[k] - rate[row]);
        c->error[2][i] += weight * fabs(reaction_at(t, row) - force[0]);
    }
    free(exact);
    return unless_unknown(known);
}

/** Run with step i. */
static carom_status study_step(int i, void *context, carom_report *report) {
    convergence *c = context;
    carom_stepper_params params = carom_scheme_options_params(&c->asked->schemes, c->study->scheme);
    params.step = c->step[i];
    carom_model *model = NULL;
    carom_trajectory *t = NULL;
    CAROM_TRY(carom_bouncing_pendulum_alloc(&c->pendulum, &model, report));
    carom_status status = carom_trajectory_run_to_failure(
        &model->mechanism, &params, model->initial_position, model->initial_velocity, c->duration,
        NULL, NULL, &t, report);
    if (status == CAROM_OK) {
        status = measure_errors(c, i, t);
    }
    carom_trajectory_free(t);
    carom_model_free(model);
    return status;
}

/** Pendulum, duration and steps of a study; false without an exact solution or without impacts. */
static bool prepare_study(convergence *c) {
    c->pendulum = c->asked->pendulum;
    c->duration = fmin(c->asked->schemes.duration, LONGEST_IMPACTS);
    double coarsest = c->study->coarsest * c->asked->schemes.step;
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

/** Steps and errors, and the slopes fitted to their logarithms. */
static carom_status write_study(const convergence *c, carom_record *record) {
    static const char *const names[QUANTITIES] = {"angle", "rate", "joint_force"};
    static const char *const units[QUANTITIES] = {"rad", "rad s-1", "N"};
    const int count = c->study->count;
    // With impacts the reaction has peaks of 1/h: only its smooth part has an order.
    const int quantities = c->study->is_smooth ? QUANTITIES : QUANTITIES - 1;
    char axis[96];
    char path[96];
    (void)snprintf(axis, sizeof axis, "/convergence/%s/step", c->study->group);
    CAROM_TRY(carom_record_axis(record, axis, count, c->step, "s", "step size"));
    for (int k = 0; k < quantities; k++) {
        double x[MOST_STEPS];
        double y[MOST_STEPS];
        for (int i = 0; i < count; i++) {
            x[i] = log(c->step[i]);
            y[i] = log(c->error[k][i]);
        }
        double at_zero = (double)NAN;
        double slope = (double)NAN;
        double spread[3];
        double squares = (double)NAN;
        (void)gsl_fit_linear(x, 1, y, 1, (size_t)count, &at_zero, &slope, &spread[0], &spread[1],
                             &spread[2], &squares);
        (void)snprintf(path, sizeof path, "/convergence/%s/%s_error", c->study->group, names[k]);
        CAROM_TRY(carom_record_series(record, path, c->error[k], axis, NULL, units[k],
                                      "mean error over the run"));
        (void)snprintf(path, sizeof path, "/convergence/%s/%s_order", c->study->group, names[k]);
        CAROM_TRY(carom_record_scalar(record, path, slope, "1", "fitted order of convergence"));
    }
    return CAROM_OK;
}

/** All studies of selected schemes. */
static carom_status study_orders(const settings *asked, const carom_common_options *common,
                                 carom_record *record, carom_report *report) {
    for (int s = 0; s < STUDY_COUNT; s++) {
        convergence c = {.asked = asked, .study = &STUDIES[s]};
        if (!carom_scheme_options_selects(&asked->schemes, STUDIES[s].scheme) ||
            !prepare_study(&c)) {
            continue;
        }
        CAROM_TRY(carom_parallel_map(STUDIES[s].count, common->threads, study_step, &c, report));
        bool is_complete = true;
        for (int i = 0; i < STUDIES[s].count; i++) {
            is_complete = is_complete && c.is_known[i];
        }
        if (is_complete) {
            CAROM_TRY(write_study(&c, record));
        }
    }
    return CAROM_OK;
}

/* ------------------------------------------------------------------------------- the program */

/** Everything that is drawn from the runs. */
static carom_status write_answers(const results *all, const carom_model *model,
                                  carom_record *record) {
    CAROM_TRY(write_exact_impacts(all, record));
    for (int run = 0; run < CAROM_SCHEME_COUNT; run++) {
        const carom_trajectory *t = all->runs[run].trajectory;
        if (t != NULL) {
            CAROM_TRY(write_exact_motion(all->asked, model, t->row_count, t->time, record));
            break;
        }
    }
    answers answer;
    CAROM_TRY(write_measures(all, answer, record));
    CAROM_TRY(write_ratios(answer, record));
    return write_claims(answer, record);
}

/** Refuse what the options cannot see one by one. */
static carom_status check(void *context, carom_report *report) {
    const settings *asked = context;
    CAROM_TRY(carom_bouncing_pendulum_params_check(&asked->pendulum, report));
    return carom_scheme_options_check(&asked->schemes, report);
}

/** Long runs, short ones around the first impact, the exact solution, measures, orders. */
static carom_status body(carom_record *record, const carom_common_options *common, void *context,
                         carom_report *report) {
    const settings *asked = context;
    results all = {.asked = asked, .accumulation = (double)NAN};
    carom_model *model = NULL;
    CAROM_TRY(carom_bouncing_pendulum_alloc(&asked->pendulum, &model, report));

    carom_status status =
        make_runs(&all, model, asked->schemes.duration, 0, FIRST_SHORT_RUN, common, record, report);
    const double until = status == CAROM_OK ? short_duration(&all) : (double)NAN;
    if (!isnan(until)) {
        status = make_runs(&all, model, until, FIRST_SHORT_RUN, RUN_COUNT, common, record, report);
    }
    if (status == CAROM_OK) {
        status = find_exact_impacts(&all);
    }
    if (status == CAROM_OK) {
        status = write_answers(&all, model, record);
    }
    if (status == CAROM_OK) {
        status = study_orders(asked, common, record, report);
    }
    for (int run = 0; run < RUN_COUNT; run++) {
        carom_trajectory_free(all.runs[run].trajectory);
    }
    carom_model_free(model);
    return status;
}

int main(int argc, char **argv) {
    settings asked = {
        .pendulum = carom_bouncing_pendulum_params_default(),
        .schemes = carom_scheme_options_default(1e-3, 6.0),
    };
    enum { OWN_OPTION_COUNT = 8, OPTION_COUNT = OWN_OPTION_COUNT + CAROM_SCHEME_OPTION_COUNT };
    carom_bouncing_pendulum_params *p = &asked.pendulum;
    carom_option options[OPTION_COUNT] = {
        {"mass", CAROM_OPTION_REAL, &p->mass, "kg", "mass m", CAROM_RANGE_POSITIVE, NULL},
        {"inertia", CAROM_OPTION_REAL, &p->inertia, "kg m2", "inertia J about the mass centre",
         CAROM_RANGE_POSITIVE, NULL},
        {"length", CAROM_OPTION_REAL, &p->length, "m", "length l from the pivot to the mass centre",
         CAROM_RANGE_POSITIVE, NULL},
        {"gravity", CAROM_OPTION_REAL, &p->gravity, "m s-2", "gravitational acceleration a_g",
         CAROM_RANGE_NON_NEGATIVE, NULL},
        {"initial-angle", CAROM_OPTION_REAL, &p->initial_angle, "rad",
         "angle theta_0 above the horizontal at release", CAROM_RANGE_ANY, NULL},
        {"initial-rate", CAROM_OPTION_REAL, &p->initial_rate, "rad s-1",
         "rate of the angle at release", CAROM_RANGE_ANY, NULL},
        {"wall-position", CAROM_OPTION_REAL, &p->wall_position, "m",
         "position x of the wall, left of the pendulum", CAROM_RANGE_ANY, NULL},
        {"restitution", CAROM_OPTION_REAL, &p->restitution, "1", "coefficient e of the impacts",
         CAROM_RANGE_UNIT_INTERVAL, NULL},
    };
    carom_scheme_options_append(&asked.schemes, options + OWN_OPTION_COUNT);
    const carom_program program = {
        .name = "bouncing_pendulum",
        .title = "A rigid pendulum in redundant coordinates against a wall",
        .source = "bruls-2014",
        .schema = "bouncing_pendulum 1",
    };
    return carom_experiment_main(&program, argc, argv, options, OPTION_COUNT, check, body, &asked);
}
