#include "results.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static carom_scheme_run *add_run(results *r, const char *group, carom_scheme scheme) {
    carom_scheme_run *run = &r->runs[r->run_count++];
    (void)snprintf(run->group, sizeof run->group, "/%s", group);
    run->params = carom_scheme_options_params(&r->values->schemes, scheme);
    return run;
}

/** A variant of a selected scheme, which may fail. */
static carom_stepper_params *add_variant(results *r, const char *group, carom_scheme scheme) {
    carom_scheme_run *run = add_run(r, group, scheme);
    run->may_fail = true;
    return &run->params;
}

/** The selected schemes, and the variants that the comparisons need. */
static void plan_runs(results *r) {
    const carom_scheme_options *options = &r->values->schemes;
    for (carom_scheme scheme = 0; scheme < CAROM_SCHEME_COUNT; ++scheme) {
        if (carom_scheme_options_selects(options, scheme)) {
            (void)add_run(r, carom_scheme_name(scheme), scheme);
        }
    }
    // The proposed scheme by both Newton iterations instead of the exact linear step, and with
    // another spectral radius.
    if (carom_scheme_options_selects(options, CAROM_SCHEME_NONSMOOTH_GALPHA)) {
        const carom_scheme scheme = CAROM_SCHEME_NONSMOOTH_GALPHA;
        carom_stepper_params *monolithic = add_variant(r, "nonsmooth_galpha_monolithic", scheme);
        monolithic->newton = CAROM_NEWTON_MONOLITHIC;
        monolithic->use_linear_step = false;
        carom_stepper_params *sequential = add_variant(r, "nonsmooth_galpha_sequential", scheme);
        sequential->newton = CAROM_NEWTON_SEQUENTIAL;
        sequential->use_linear_step = false;
        add_variant(r, "nonsmooth_galpha_radius_0", scheme)->spectral_radius = 0.0;
    }
    // The other predictors that the paper may have used.
    if (carom_scheme_options_selects(options, CAROM_SCHEME_MOREAU_JEAN)) {
        const carom_scheme scheme = CAROM_SCHEME_MOREAU_JEAN;
        add_variant(r, "moreau_jean_full_step", scheme)->predictor = CAROM_PREDICTOR_FULL_STEP;
        add_variant(r, "moreau_jean_current", scheme)->predictor = CAROM_PREDICTOR_CURRENT;
    }
}

carom_status bouncing_ball_make_runs(results *r, carom_report *report) {
    plan_runs(r);
    CAROM_TRY(carom_scheme_runs(r->model, r->values->schemes.duration, r->runs, r->run_count,
                                r->common, r->record, report));
    // Gaps and energies carry the rounding of the height, and what a tie that counts as closed is.
    const carom_bouncing_ball_params *ball = &r->values->ball;
    const double weight = ball->mass * ball->gravity;
    const double tie = r->runs[0].params.tie_tolerance;
    r->window = WINDOW_STEPS * r->values->schemes.step;
    const double initial_energy = r->runs[0].trajectory->energy[0];
    r->length_tolerance = (ROUNDING + tie) * fabs(ball->initial_height);
    r->energy_tolerance = ROUNDING * (initial_energy + weight * ball->radius) +
                          weight * tie * fabs(ball->initial_height);
    return CAROM_OK;
}

void bouncing_ball_free_runs(results *r) {
    for (int i = 0; i < r->run_count; i++) {
        carom_trajectory_free(r->runs[i].trajectory);
    }
}

const carom_trajectory *bouncing_ball_run(const results *r, const char *group) {
    for (int i = 0; i < r->run_count; i++) {
        const carom_trajectory *t = r->runs[i].trajectory;
        if (strcmp(r->runs[i].group, group) == 0 && t->outcome == CAROM_OK) {
            return t;
        }
    }
    return NULL;
}
