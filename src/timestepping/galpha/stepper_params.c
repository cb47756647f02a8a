#include <carom/timestepping/galpha/internal.h>

#include <float.h>
#include <math.h>

const char *carom_scheme_name(carom_scheme scheme) {
    static const char *const names[] = {
#define CAROM_SCHEME_TEXT(code, name) name,
        CAROM_SCHEME_LIST(CAROM_SCHEME_TEXT)
#undef CAROM_SCHEME_TEXT
    };
    return scheme >= 0 && scheme < CAROM_SCHEME_COUNT ? names[scheme] : "unknown";
}

/* What a scheme computes: smooth_galpha has no impact law, nor it nor modified_lcp friction. */
carom_mechanism_support carom_scheme_support(carom_scheme scheme) {
    return (carom_mechanism_support){
        .method = carom_scheme_name(scheme),
        .subject = "motion",
        .joints = true,
        .friction = scheme != CAROM_SCHEME_SMOOTH_GALPHA && scheme != CAROM_SCHEME_MODIFIED_LCP,
        .restitution = scheme != CAROM_SCHEME_SMOOTH_GALPHA,
        .nonlinear_mass = true,
        .space = true,
        .moving_supports = true,
        .rotations = scheme == CAROM_SCHEME_MOREAU_JEAN,
        .changing_contacts = true,
    };
}

const char *carom_rows_name(carom_rows rows) {
    static const char *const names[] = {
#define CAROM_ROWS_TEXT(code, name) name,
        CAROM_ROWS_LIST(CAROM_ROWS_TEXT)
#undef CAROM_ROWS_TEXT
    };
    return rows >= 0 && rows < CAROM_ROWS_COUNT ? names[rows] : "unknown";
}

bool carom_scheme_takes_rows(carom_scheme scheme, carom_rows rows) {
    return rows == CAROM_ROWS_SOLVED || scheme == CAROM_SCHEME_MOREAU_JEAN ||
           scheme == CAROM_SCHEME_VELOCITY_GALPHA;
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
        .check_derivatives = true,
        .rows = CAROM_ROWS_SOLVED,
    };
    return params;
}

carom_status carom_stepper_check_real(const char *name, double value, double low, double high,
                                      const char *accepted, carom_report *report) {
    if (!isfinite(value)) {
        return carom_report_fail(report, CAROM_STATUS_NOT_FINITE, name, value, -1);
    }
    if (value < low || value > high) {
        return carom_report_refuse(report, name, value, -1, accepted);
    }
    return CAROM_OK;
}

/* Refuse a number that is not positive. */
static carom_status check_positive(const char *name, double value, carom_report *report) {
    return carom_stepper_check_real(name, value, DBL_MIN, INFINITY, "> 0", report);
}

carom_status carom_stepper_params_check(const carom_stepper_params *p, carom_report *report) {
    CAROM_TRY(carom_stepper_check_real("scheme", (double)p->scheme, 0.0, CAROM_SCHEME_COUNT - 1,
                                       "a carom_scheme", report));
    CAROM_TRY(carom_stepper_check_real("predictor", (double)p->predictor, CAROM_PREDICTOR_HALF_STEP,
                                       CAROM_PREDICTOR_NEXT_STEP, "a carom_predictor", report));
    CAROM_TRY(carom_stepper_check_real("newton", (double)p->newton, CAROM_NEWTON_MONOLITHIC,
                                       CAROM_NEWTON_SEQUENTIAL, "a carom_newton", report));
    CAROM_TRY(carom_stepper_check_real("rows", (double)p->rows, CAROM_ROWS_SOLVED,
                                       CAROM_ROWS_COUNT - 1, "a carom_rows", report));
    if (!carom_scheme_takes_rows(p->scheme, p->rows)) {
        return carom_report_say(report, CAROM_STATUS_UNSUPPORTED,
                                "%s has no %s rows: it holds gaps at the end of a step",
                                carom_scheme_name(p->scheme), carom_rows_name(p->rows));
    }
    CAROM_TRY(check_positive("step", p->step, report));
    CAROM_TRY(carom_stepper_check_real("spectral radius", p->spectral_radius, 0.0, 1.0, "in [0,1]",
                                       report));
    if (!isnan(p->theta)) {
        CAROM_TRY(
            carom_stepper_check_real("theta", p->theta, 0.5, 1.0, "in [1/2,1], or NaN", report));
    }
    CAROM_TRY(carom_stepper_check_real("tolerance", p->tolerance, DBL_MIN, nextafter(1.0, 0.0),
                                       "in (0,1)", report));
    CAROM_TRY(carom_stepper_check_real("maximum of iterations", (double)p->max_iterations, 1.0, 1e9,
                                       "in [1,1e9]", report));
    CAROM_TRY(check_positive("activation scale", p->activation_scale, report));
    return carom_stepper_check_real("tie tolerance", p->tie_tolerance, 0.0, nextafter(1.0, 0.0),
                                    "in [0,1)", report);
}
