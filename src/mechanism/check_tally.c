#include <carom/mechanism/check_internal.h>

#include <math.h>

/* A difference quotient of F carries rounding of order eps^(2/3) max|F|, about 4e-11 max|F|. Errors
 * are therefore measured against at least this fraction of max|F|: noise then stays below 1e-7. */
static const double VALUE_WEIGHT = 1e-3;

carom_check_tally carom_check_tally_start(const char *name) {
    const carom_check_tally start = {
        .entry = {.derivative = name, .row = -1, .column = -1},
        .is_finite = true,
    };
    return start;
}

void carom_check_tally_entry(carom_check_tally *tally, int row, int column, double weight,
                             double supplied, double found) {
    if (!tally->is_finite) {
        return;
    }
    const double error = weight * fabs(supplied - found);
    tally->is_finite = isfinite(error);
    tally->largest_entry = fmax(tally->largest_entry, weight * fmax(fabs(supplied), fabs(found)));
    if (tally->entry.row < 0 || error > tally->error || !tally->is_finite) {
        tally->error = error;
        tally->entry.row = row;
        tally->entry.column = column;
        tally->entry.supplied = supplied;
        tally->entry.finite_difference = found;
    }
}

double carom_check_tally_error(const carom_check_tally *tally) {
    if (!tally->is_finite) {
        return (double)NAN;
    }
    const double scale = fmax(tally->largest_entry, VALUE_WEIGHT * tally->largest_value);
    return scale > 0.0 ? tally->error / scale : 0.0;
}

carom_status carom_check_tally_close(carom_check_tally *tally, double tolerance,
                                     carom_mechanism_mismatch *worst) {
    tally->entry.relative_error = carom_check_tally_error(tally);
    if (!tally->is_finite) {
        *worst = tally->entry;
        return CAROM_STATUS_NOT_FINITE;
    }
    if (worst->derivative == NULL || tally->entry.relative_error > worst->relative_error) {
        *worst = tally->entry;
    }
    return tally->entry.relative_error <= tolerance ? CAROM_OK : CAROM_STATUS_DERIVATIVE_MISMATCH;
}

carom_status carom_check_worse(carom_status first, carom_status second) {
    if (first == CAROM_STATUS_NOT_FINITE || second == CAROM_OK) {
        return first;
    }
    return second;
}
