#include <carom/timestepping/stepper_params.h>

#include <math.h>

const char *carom_scheme_name(carom_scheme scheme) {
    static const char *const names[] = {
#define CAROM_SCHEME_TEXT(code, name) name,
        CAROM_SCHEME_LIST(CAROM_SCHEME_TEXT)
#undef CAROM_SCHEME_TEXT
    };
    return scheme >= 0 && scheme < CAROM_SCHEME_COUNT ? names[scheme] : "unknown";
}

carom_stepper_params carom_stepper_params_default(carom_scheme scheme) {
    const carom_stepper_params params = {
        .scheme = scheme,
        .step = 1e-3,
        .spectral_radius = 0.8,
        .theta = NAN,
        .predictor = CAROM_PREDICTOR_HALF_STEP,
        .newton = CAROM_NEWTON_MONOLITHIC,
        .tolerance = 1e-10,
        .max_iterations = 50,
        .activation_scale = 1.0,
        .tie_tolerance = 1e-12,
        .use_linear_step = true,
    };
    return params;
}

carom_status carom_stepper_check_real(const char *name, double value, double low, double high,
                                      carom_report *report) {
    if (!isfinite(value)) {
        return carom_report_fail(report, CAROM_STATUS_NOT_FINITE, name, value, -1);
    }
    if (value < low || value > high) {
        return carom_report_fail(report, CAROM_STATUS_OUT_OF_RANGE, name, value, -1);
    }
    return CAROM_OK;
}

carom_status carom_stepper_params_check(const carom_stepper_params *p, carom_report *report) {
    const double smallest = 0x1p-1022; /* smallest normal number: positive */
    if ((int)p->scheme < 0 || p->scheme >= CAROM_SCHEME_COUNT) {
        return carom_report_fail(report, CAROM_STATUS_OUT_OF_RANGE, "scheme", (double)p->scheme,
                                 -1);
    }
    CAROM_TRY(carom_stepper_check_real("predictor", (double)p->predictor, CAROM_PREDICTOR_HALF_STEP,
                                       CAROM_PREDICTOR_CURRENT, report));
    CAROM_TRY(carom_stepper_check_real("newton", (double)p->newton, CAROM_NEWTON_MONOLITHIC,
                                       CAROM_NEWTON_SEQUENTIAL, report));
    CAROM_TRY(carom_stepper_check_real("step", p->step, smallest, INFINITY, report));
    CAROM_TRY(carom_stepper_check_real("spectral radius", p->spectral_radius, 0.0, 1.0, report));
    if (!isnan(p->theta)) {
        CAROM_TRY(carom_stepper_check_real("theta", p->theta, 0.5, 1.0, report));
    }
    CAROM_TRY(carom_stepper_check_real("tolerance", p->tolerance, smallest, INFINITY, report));
    CAROM_TRY(carom_stepper_check_real("maximum of iterations", (double)p->max_iterations, 1.0, 1e9,
                                       report));
    CAROM_TRY(carom_stepper_check_real("activation scale", p->activation_scale, smallest, INFINITY,
                                       report));
    return carom_stepper_check_real("tie tolerance", p->tie_tolerance, 0.0, INFINITY, report);
}
