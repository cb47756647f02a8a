/** What this machine can hold: counts that do not fit are refused before the work. */
#ifndef CAROM_PROGRAM_MEMORY_H
#define CAROM_PROGRAM_MEMORY_H

#include <carom/base/base.h>
#include <carom/record/record.h>

/**
 * Bytes that a program may have: the memory of the machine, or what `ulimit -d` or `-v` leaves of
 * it. Not swapped: a program that lives on the disk does not end.
 */
double carom_memory_size(void);

/**
 * Refuse what does not fit: things that are kept may take half of the memory, the other half is for
 * what is made of them.
 *
 * @param[in]  count  of things
 * @param[in]  bytes  of each
 * @param[in]  things the word for them: "rows of all runs"
 * @param[out] report the count, what it needs and what would be accepted; may be NULL
 * @return CAROM_OK; OUT_OF_RANGE
 */
CAROM_MUST_CHECK carom_status carom_memory_check(double count, double bytes, const char *things,
                                                 carom_report *report);

/**
 * Refuse what does not fit on the disk of a record.
 *
 * @param[in]  record where the things will be
 * @param[in]  count  of things
 * @param[in]  bytes  of each
 * @param[in]  things the word for them
 * @param[out] report the count, what it needs and what would be accepted; may be NULL
 * @return CAROM_OK; OUT_OF_RANGE
 */
CAROM_MUST_CHECK carom_status carom_disk_check(const carom_record *record, double count,
                                               double bytes, const char *things,
                                               carom_report *report);

/** From here on memory that was freed is kept for what is allocated next: given back to the system
 * and asked for again, each of its pages costs a fault, and threads wait for each other's. */
void carom_memory_keep(void);

/**
 * From here on memory is taken that was not touched yet, the first megabytes of it as large pages:
 * for a child that would copy from its parent, page by page, what it writes to.
 *
 * @return what lies before that memory: stays allocated as long as the process; NULL: none
 */
void *carom_memory_begin_afresh(void);

/**
 * From here on an allocation beyond the memory of the machine fails, and is said in a sentence,
 * instead of being granted and the process killed when it is used.
 */
void carom_memory_limit(void);

#endif
