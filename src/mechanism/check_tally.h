/** Internal: the worst entry of one derivative, or of one function that must be constant or affine.
 */
#ifndef CAROM_MECHANISM_CHECK_TALLY_H
#define CAROM_MECHANISM_CHECK_TALLY_H

#include <carom/mechanism/mechanism.h>

/** The largest deviation within one derivative, and the sizes to measure it by. Entries are
 * weighted, so that all of them have one unit. */
typedef struct carom_check_tally {
    carom_mechanism_mismatch entry;
    double error;         /**< weighted |difference| of that entry */
    double largest_entry; /**< of the derivative, supplied or differenced, weighted */
    double largest_value; /**< of the function differenced, weighted */
    bool is_finite;
} carom_check_tally;

/** A tally of the member of this name, static. */
carom_check_tally carom_check_tally_start(const char *name);

/** Record that an entry is supplied as one number and found as another. */
void carom_check_tally_entry(carom_check_tally *tally, int row, int column, double weight,
                             double supplied, double found);

/** Relative error as it stands; NaN if an entry is not finite. */
double carom_check_tally_error(const carom_check_tally *tally);

/** Close one member: its relative error against the tolerance, the overall worst kept.
 * @return CAROM_OK; DERIVATIVE_MISMATCH; NOT_FINITE */
carom_status carom_check_tally_close(carom_check_tally *tally, double tolerance,
                                     carom_mechanism_mismatch *worst);

/** The worse of two statuses: a value that is not finite outweighs a mismatch. */
carom_status carom_check_worse(carom_status first, carom_status second);

#endif
