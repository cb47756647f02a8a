/** Lists of numbers, statements and columns, written in one call. */
#ifndef CAROM_RECORD_TABLES_H
#define CAROM_RECORD_TABLES_H

#include <carom/record/record.h>

#include <stdbool.h>

CAROM_BEGIN_DECLARATIONS

/** A number for /measures: the arguments of carom_record_measure. */
typedef struct carom_measure {
    const char *name;
    double value; /**< not finite: not asked for in this run, not written */
    const char *units;
    const char *long_name;
} carom_measure;

/** A statement for /claims: the arguments of carom_record_claim. */
typedef struct carom_claim {
    const char *name;
    bool holds;
    const char *statement;
} carom_claim;

/** A dataset over axes that it shares with others: the arguments of carom_record_series. */
typedef struct carom_column {
    const char *path;
    const double *values; /**< as long as the axes ask for */
    const char *units;
    const char *long_name;
} carom_column;

/**
 * Write the numbers, without those that are NaN: what is not known is left out.
 *
 * @param[in,out] record   open record
 * @param[in]     measures [count]
 * @param[in]     count    >= 0
 */
void carom_record_measures(carom_record *record, const carom_measure *measures, int count);

/** Write statements, [count]. */
void carom_record_claims(carom_record *record, const carom_claim *claims, int count);

/**
 * Write columns over one axis.
 *
 * @param[in,out] record  open record
 * @param[in]     axis    path of an axis that is written already
 * @param[in]     columns [count]
 * @param[in]     count   >= 0
 */
void carom_record_columns(carom_record *record, const char *axis, const carom_column *columns,
                          int count);

CAROM_END_DECLARATIONS

#endif
