/** The runs: which belong to the record, with which parameters, how long, and running them. */
#include "results.h"

#include <math.h>
#include <stdio.h>

/** From here on a run ends with the oscillation after the first impact. */
enum { FIRST_SHORT_RUN = RADIUS_04 };

/** A run beside those of the schemes: nonsmooth generalized-alpha, one thing changed. */
typedef struct variant {
    const char *group;
    double step_factor;
    double radius; /**< spectral radius; NaN: that of the options */
    bool is_sequential;
} variant;

/** By number of the run; the group of a scheme is NULL here: it has the name of the scheme. */
static const variant VARIANTS[RUN_COUNT] = {
    [REFERENCE] = {"reference", 0.1, (double)NAN, false},
    [SEQUENTIAL] = {"nonsmooth_galpha_sequential", 1.0, (double)NAN, true},
    [RADIUS_04] = {"nonsmooth_galpha_radius_04", 1.0, 0.4, false},
    [RADIUS_00] = {"nonsmooth_galpha_radius_00", 1.0, 0.0, false},
    [HALF_STEP] = {"nonsmooth_galpha_half_step", 0.5, (double)NAN, false},
};

const char *bouncing_pendulum_group(int run) {
    const char *group = VARIANTS[run].group;
    return group != NULL ? group : carom_scheme_name((carom_scheme)run);
}

const carom_trajectory *bouncing_pendulum_run(const results *all, int run) {
    const carom_trajectory *t = all->runs[run].trajectory;
    return t != NULL && t->outcome == CAROM_OK ? t : NULL;
}

/** The selected schemes, always the reference, and the other variants beside their scheme. */
static bool is_wanted(const settings *values, int run) {
    const bool with_nonsmooth =
        carom_scheme_options_selects(&values->schemes, CAROM_SCHEME_NONSMOOTH_GALPHA);
    if (run < CAROM_SCHEME_COUNT) {
        return carom_scheme_options_selects(&values->schemes, (carom_scheme)run);
    }
    if (run == SEQUENTIAL) {
        return with_nonsmooth && values->schemes.newton != CAROM_NEWTON_SEQUENTIAL;
    }
    return run == REFERENCE || with_nonsmooth;
}

/** Group and parameters of a run, and whether it may fail. */
static carom_scheme_run plan_run(const settings *values, int run) {
    const bool is_scheme = run < CAROM_SCHEME_COUNT;
    // What stands beside the schemes may fail.
    carom_scheme_run plan = {.may_fail = !is_scheme};
    (void)snprintf(plan.group, sizeof plan.group, "/%s", bouncing_pendulum_group(run));
    plan.params = carom_scheme_options_params(
        &values->schemes, is_scheme ? (carom_scheme)run : CAROM_SCHEME_NONSMOOTH_GALPHA);
    if (is_scheme) {
        // A comparator that cannot go on is a result; the scheme asked for alone must go on.
        plan.may_fail = values->schemes.scheme == CAROM_SCHEME_COUNT && run != NONSMOOTH;
        return plan;
    }
    const variant *changed = &VARIANTS[run];
    plan.params.step *= changed->step_factor;
    if (!isnan(changed->radius)) {
        plan.params.spectral_radius = changed->radius;
    }
    if (changed->is_sequential) {
        plan.params.newton = CAROM_NEWTON_SEQUENTIAL;
    }
    return plan;
}

/** The spectral radius of a variant that has its own, in its group. */
static void write_changed_radius(int run, carom_record *record) {
    const variant *changed = &VARIANTS[run];
    if (changed->group == NULL || isnan(changed->radius)) {
        return;
    }
    char path[96];
    (void)snprintf(path, sizeof path, "/%s/spectral_radius", changed->group);
    carom_record_scalar(record, path, changed->radius, "1", "spectral radius of this run");
}

/** Run and record the wanted ones of first .. end-1 over a duration, in parallel. */
static carom_status make_batch(results *all, double duration, int first, int end,
                               const carom_common_options *common, carom_record *record,
                               carom_report *report) {
    carom_scheme_run batch[RUN_COUNT];
    int place[RUN_COUNT];
    int count = 0;
    for (int run = first; run < end; run++) {
        if (is_wanted(all->values, run)) {
            place[count] = run;
            batch[count++] = plan_run(all->values, run);
        }
    }
    carom_status status =
        carom_scheme_runs(all->model, duration, batch, count, common, record, report);
    // Trajectories are handed over after a failure too, to be freed with the others.
    for (int i = 0; i < count; i++) {
        all->runs[place[i]] = batch[i];
    }
    for (int i = 0; status == CAROM_OK && i < count; i++) {
        write_changed_radius(place[i], record);
    }
    return status;
}

/** End of the short runs: the oscillation after the first impact; NaN without an impact. */
static double short_duration(const results *all) {
    const carom_trajectory *t = bouncing_pendulum_run(all, NONSMOOTH);
    int row = 0;
    if (t == NULL || carom_trajectory_impacts(t, 0, 1, &row) == 0) {
        return (double)NAN;
    }
    return fmin(t->time[row] + OSCILLATION_STEPS * t->step, t->time[t->row_count - 1]);
}

carom_status bouncing_pendulum_make_runs(results *all, const carom_common_options *common,
                                         carom_record *record, carom_report *report) {
    CAROM_TRY(
        make_batch(all, all->values->schemes.duration, 0, FIRST_SHORT_RUN, common, record, report));
    const double until = short_duration(all);
    return isnan(until)
               ? CAROM_OK
               : make_batch(all, until, FIRST_SHORT_RUN, RUN_COUNT, common, record, report);
}

void bouncing_pendulum_free_runs(results *all) {
    for (int run = 0; run < RUN_COUNT; run++) {
        carom_trajectory_free(all->runs[run].trajectory);
    }
}
