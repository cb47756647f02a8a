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

void carom_scheme_options_append(carom_scheme_options *values, carom_option *rows) {
    const carom_option all[CAROM_SCHEME_OPTION_COUNT] = {
        {.name = "scheme",
         .kind = CAROM_OPTION_CHOICE,
         .target = &values->scheme,
         .help = "time-stepping scheme",
         .choices = "nonsmooth-galpha|moreau-jean|smooth-galpha|modified-lcp|velocity-galpha|all"},
        {.name = "step",
         .kind = CAROM_OPTION_REAL,
         .target = &values->step,
         .units = "s",
         .help = "step size h",
         .range = CAROM_RANGE_POSITIVE},
        {.name = "duration",
         .kind = CAROM_OPTION_REAL,
         .target = &values->duration,
         .units = "s",
         .help = "length of the simulated interval, which begins at 0",
         .range = CAROM_RANGE_POSITIVE},
        {.name = "spectral-radius",
         .kind = CAROM_OPTION_REAL,
         .target = &values->spectral_radius,
         .units = "1",
         .help = "spectral radius at infinite frequency of the generalized-alpha schemes",
         .range = CAROM_RANGE_UNIT_INTERVAL},
        {.name = "theta",
         .kind = CAROM_OPTION_REAL,
         .target = &values->theta,
         .units = "1",
         .help = "theta of the Moreau-Jean scheme; if not set, 1 / (1 + spectral radius)",
         .range = CAROM_RANGE_HALF_TO_ONE},
        {.name = "predictor",
         .kind = CAROM_OPTION_CHOICE,
         .target = &values->predictor,
         .help = "position that switches velocity-level contacts on",
         .choices = "half-step|full-step|current"},
        {.name = "tolerance",
         .kind = CAROM_OPTION_REAL,
         .target = &values->tolerance,
         .units = "1",
         .help = "on every equation of a step, as a part of what the step does to it; below 1",
         .range = CAROM_RANGE_INTERVAL,
         .choices = "(0, 1)"},
        {.name = "newton",
         .kind = CAROM_OPTION_CHOICE,
         .target = &values->newton,
         .help = "solution of a step of the nonsmooth generalized-alpha scheme",
         .choices = "monolithic|sequential"},
    };
    for (int i = 0; i < CAROM_SCHEME_OPTION_COUNT; i++) {
        rows[i] = all[i];
    }
}

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
