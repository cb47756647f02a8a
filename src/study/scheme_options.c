#include <carom/study/scheme_options.h>

#include <math.h>

carom_scheme_options carom_scheme_options_default(double step, double duration) {
    const carom_scheme_options values = {
        .scheme = CAROM_SCHEME_COUNT,
        .step = step,
        .duration = duration,
        .spectral_radius = 0.8,
        .theta = NAN,
        .predictor = CAROM_PREDICTOR_HALF_STEP,
        .tolerance = 1e-10,
        .newton = CAROM_NEWTON_MONOLITHIC,
    };
    return values;
}

static const carom_option rows[] = {
    CAROM_CHOICE("scheme", carom_scheme_options, scheme, "time-stepping scheme",
                 "nonsmooth-galpha|moreau-jean|smooth-galpha|modified-lcp|velocity-galpha|all"),
    CAROM_REAL("step", carom_scheme_options, step, "s", "step size h", "positive"),
    CAROM_REAL("duration", carom_scheme_options, duration, "s",
               "length of the simulated interval, which begins at 0", "positive"),
    CAROM_REAL("spectral-radius", carom_scheme_options, spectral_radius, "1",
               "spectral radius at infinite frequency of the generalized-alpha schemes", "[0, 1]"),
    CAROM_REAL("theta", carom_scheme_options, theta, "1",
               "theta of the Moreau-Jean scheme; if not set, 1 / (1 + spectral radius)",
               "[1/2, 1]"),
    CAROM_CHOICE("predictor", carom_scheme_options, predictor,
                 "position that switches velocity-level contacts on",
                 "half-step|full-step|current|next-step"),
    CAROM_REAL("tolerance", carom_scheme_options, tolerance, "1",
               "on every equation of a step, as a part of what the step does to it; below 1",
               "(0, 1)"),
    CAROM_CHOICE("newton", carom_scheme_options, newton,
                 "solution of a step of the nonsmooth generalized-alpha scheme",
                 "monolithic|sequential"),
};

const carom_option_table carom_scheme_options_table = CAROM_OPTIONS(rows);

static const carom_table_column columns[] = {
    {.head = "steps", .expression = "rows(gap) - 1"},
    {.head = "least gap / m", .expression = "min(gap)"},
    {.head = "energy lost / J", .expression = "energy[0] - energy[-1]"},
    {.head = "iterations", .expression = "mean(newton_iterations[1:])"},
};

const carom_table carom_scheme_tables[1] = {
    {.groups = "/*", .group_head = "run", CAROM_COLUMNS(columns)},
};

carom_stepper_params carom_scheme_options_params(const carom_scheme_options *values,
                                                 carom_scheme scheme) {
    carom_stepper_params params = carom_stepper_params_default(scheme);
    params.step = values->step;
    params.spectral_radius = values->spectral_radius;
    params.theta = values->theta;
    params.predictor = (carom_predictor)values->predictor;
    params.newton = (carom_newton)values->newton;
    params.tolerance = values->tolerance;
    return params;
}

bool carom_scheme_options_selects(const carom_scheme_options *values, carom_scheme scheme) {
    return values->scheme == CAROM_SCHEME_COUNT || values->scheme == (int)scheme;
}

carom_status carom_scheme_options_check(const carom_scheme_options *values, carom_report *report) {
    CAROM_ASSERT(values != NULL);
    if (values->step > values->duration) {
        return carom_report_bound(report, "step", values->step,
                                  "up to --duration =", values->duration);
    }
    return CAROM_OK;
}
