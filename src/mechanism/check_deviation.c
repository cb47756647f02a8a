#include <carom/mechanism/check_internal.h>

#include <math.h>

/* A difference quotient of F carries rounding of order eps^(2/3) max|F|, about 4e-11 max|F|. Errors
 * are therefore measured against at least this fraction of max|F|: noise then stays below 1e-7. */
static const double VALUE_WEIGHT = 1e-3;

carom_check_deviation carom_check_deviation_start(const char *name) {
    const carom_check_deviation start = {
        .entry = {.derivative = name, .row = -1, .column = -1},
        .is_finite = true,
    };
    return start;
}

void carom_check_deviation_entry(carom_check_deviation *deviation, int row, int column,
                                 double weight, double supplied, double found) {
    if (!deviation->is_finite) {
        return;
    }
    const double error = weight * fabs(supplied - found);
    deviation->is_finite = isfinite(error);
    deviation->largest_entry =
        fmax(deviation->largest_entry, weight * fmax(fabs(supplied), fabs(found)));
    if (deviation->entry.row < 0 || error > deviation->error || !deviation->is_finite) {
        deviation->error = error;
        deviation->entry.row = row;
        deviation->entry.column = column;
        deviation->entry.supplied = supplied;
        deviation->entry.finite_difference = found;
    }
}

double carom_check_deviation_error(const carom_check_deviation *deviation) {
    if (!deviation->is_finite) {
        return (double)NAN;
    }
    const double scale = fmax(deviation->largest_entry, VALUE_WEIGHT * deviation->largest_value);
    return scale > 0.0 ? deviation->error / scale : 0.0;
}

carom_status carom_check_deviation_close(carom_check_deviation *deviation, double tolerance,
                                         carom_mechanism_mismatch *worst) {
    deviation->entry.relative_error = carom_check_deviation_error(deviation);
    if (!deviation->is_finite) {
        *worst = deviation->entry;
        return CAROM_STATUS_NOT_FINITE;
    }
    if (worst->derivative == NULL || deviation->entry.relative_error > worst->relative_error) {
        *worst = deviation->entry;
    }
    return deviation->entry.relative_error <= tolerance ? CAROM_OK
                                                        : CAROM_STATUS_DERIVATIVE_MISMATCH;
}

carom_status carom_check_worse(carom_status first, carom_status second) {
    if (first == CAROM_STATUS_NOT_FINITE || second == CAROM_OK) {
        return first;
    }
    return second;
}
