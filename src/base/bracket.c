#include <carom/base/roots.h>

#include <gsl/gsl_errno.h>
#include <math.h>

carom_status carom_bracket_init(carom_bracket *bracket) {
    *bracket = (carom_bracket){.solver = gsl_root_fsolver_alloc(gsl_root_fsolver_brent)};
    return bracket->solver != NULL ? CAROM_OK : CAROM_STATUS_OUT_OF_MEMORY;
}

void carom_bracket_clear(carom_bracket *bracket) {
    if (bracket->solver != NULL) {
        gsl_root_fsolver_free(bracket->solver);
    }
    bracket->solver = NULL;
}

/** The value, unless the solver would call GSL's error handler for it, which ends a program that
 * has not replaced it: then zero, which it takes for a root. */
static double watch(double x, void *context) {
    carom_bracket *bracket = context;
    const double value = GSL_FN_EVAL(&bracket->given, x);
    if (bracket->values == 0) {
        bracket->first = value;
    }
    const bool has_same_sign =
        (value > 0.0 && bracket->first > 0.0) || (value < 0.0 && bracket->first < 0.0);
    const bool is_refused = !isfinite(value) || (bracket->values == 1 && has_same_sign);
    bracket->has_failed = bracket->has_failed || is_refused;
    bracket->values++;
    return bracket->has_failed ? 0.0 : value;
}

carom_status carom_bracket_start(carom_bracket *bracket, const gsl_function *function, double low,
                                 double high) {
    bracket->low = low;
    bracket->high = high;
    bracket->root = 0.5 * (low + high);
    bracket->given = *function;
    bracket->watched = (gsl_function){.function = watch, .params = bracket};
    bracket->values = 0;
    bracket->has_failed = false;
    const bool has_started = low <= high && gsl_root_fsolver_set(bracket->solver, &bracket->watched,
                                                                 low, high) == GSL_SUCCESS;
    return has_started && !bracket->has_failed ? CAROM_OK : CAROM_STATUS_NOT_CONVERGED;
}

carom_status carom_bracket_narrow(carom_bracket *bracket) {
    if (gsl_root_fsolver_iterate(bracket->solver) != GSL_SUCCESS || bracket->has_failed) {
        return CAROM_STATUS_NOT_CONVERGED;
    }
    bracket->low = gsl_root_fsolver_x_lower(bracket->solver);
    bracket->high = gsl_root_fsolver_x_upper(bracket->solver);
    bracket->root = gsl_root_fsolver_root(bracket->solver);
    return CAROM_OK;
}
