/**
 * bouncing_ball: a ball dropped on a rigid floor (bruls-2014 section 10.1, figures 2 to 7).
 *
 *     m dv = -m a_g dt + di,   0 <= g = y - R  _|_  di >= 0,   dy/dt+ = -e dy/dt- at an impact
 *
 * The impacts accumulate at a finite instant, after which the ball rests; the exact solution is
 * elementary. Printed in the paper: m, R, a_g, the initial height h_0, e, the step and the spectral
 * radius. Inferred: h_0 is the height of the centre (only then is the accumulation instant the
 * printed one), and v_0 = 0 ("starts from rest"). Chosen: the duration of 5 s, the zero of the
 * potential energy at the contact, and the predictor of Moreau-Jean.
 *
 * Beyond the schemes of the figures: the nonsmooth generalized-alpha scheme by both Newton
 * iterations instead of the exact linear step, and with spectral radius zero; Moreau-Jean with its
 * other predictors; a convergence study. The additional runs may fail without ending the program.
 *
 * Parts, in bouncing_ball/: runs.c plans and makes the runs; exact.c is the exact motion;
 * questions.c is what is asked of more than one scheme; schemes.c asks every scheme,
 * nonsmooth_galpha.c and comparators.c those of the paper; convergence.c varies the step;
 * answers.c writes what was found, as measures (numbers) and claims (0 or 1).
 */
#include "bouncing_ball/results.h"

#include <carom/study/scheme_options.h>

/** Run, then ask. */
static carom_status compute(results *r, carom_report *report) {
    CAROM_TRY(bouncing_ball_make_runs(r, report));
    CAROM_TRY(bouncing_ball_find_exact(r));
    bouncing_ball_write_exact(r);
    bouncing_ball_judge_schemes(r);
    CAROM_TRY(bouncing_ball_judge_nonsmooth_galpha(r, report));
    bouncing_ball_judge_comparators(r);
    return bouncing_ball_study_convergence(r, report);
}

static carom_status body(carom_record *record, const carom_common_options *common, void *context,
                         carom_report *report) {
    const settings *values = context;
    carom_model *model = NULL;
    CAROM_TRY(carom_bouncing_ball_alloc(&values->ball, &model, report));
    results r = {.values = values, .common = common, .model = model, .record = record};
    const carom_status status = compute(&r, report);
    bouncing_ball_free_runs(&r);
    bouncing_ball_free_exact(&r.exact);
    carom_model_free(model);
    return status;
}

/** Refuse what the options cannot see one by one. */
static carom_status check(void *context, carom_report *report) {
    const settings *values = context;
    CAROM_TRY(carom_scheme_options_check(&values->schemes, report));
    carom_model *model = NULL;
    CAROM_TRY(carom_bouncing_ball_alloc(&values->ball, &model, report));
    carom_model_free(model);
    return CAROM_OK;
}

/** The parameters, as the command line sets them. */
static const carom_option options[] = {
    CAROM_REAL("mass", settings, ball.mass, "kg", "mass m", "positive"),
    CAROM_REAL("radius", settings, ball.radius, "m", "radius R", "positive"),
    CAROM_REAL("gravity", settings, ball.gravity, "m s-2", "gravitational acceleration a_g",
               "not negative"),
    CAROM_REAL("initial-height", settings, ball.initial_height, "m",
               "initial height h_0 of the centre, at least the radius", "any"),
    CAROM_REAL("initial-velocity", settings, ball.initial_velocity, "m s-1",
               "initial velocity v_0, upwards", "any"),
    CAROM_REAL("restitution", settings, ball.restitution, "1", "coefficient e of the impacts",
               "[0, 1]"),
    CAROM_OPTIONS_OF(settings, schemes, carom_scheme_options_table),
};

int main(int argc, char **argv) {
    settings values = {
        .ball = carom_bouncing_ball_params_default(),
        .schemes = carom_scheme_options_default(2e-3, 5.0),
    };
    const carom_program program = {
        .name = "bouncing_ball",
        .title = "A ball bouncing on a rigid floor, with an accumulation of impacts",
        .source = "bruls-2014",
        .schema = "bouncing_ball 1",
        .options = CAROM_OPTIONS(options),
    };
    return carom_experiment_main(&program, argc, argv, check, body, &values);
}
