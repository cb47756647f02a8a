/** Contact problems in the layout of the Frictional Contact Library (FCLIB, INRIA report RT-0444),
 * which other codes read and write. */
#ifndef CAROM_RECORD_CONTACT_FILE_H
#define CAROM_RECORD_CONTACT_FILE_H

#include <carom/base/base.h>
#include <carom/contact/contact.h>
#include <carom/record/record.h>

CAROM_BEGIN_DECLARATIONS

/**
 * Read the problem of a file: /fclib_local, V' r + R l + s = 0, u = W r + V l + q, or
 * /fclib_global, M v = H r + G l + f, G' v + b = 0, u = H' v + w. What is l there are the impulses
 * of joints here, which come first. Matrices are in triplets, compressed columns or rows.
 *
 * @param[in]  path   of the file
 * @param[out] out    belongs to the caller
 * @param[out] report names the data set that is missing or damaged; may be NULL
 * @return CAROM_OK; IO; BAD_FORMAT; NOT_FOUND; OUT_OF_RANGE; NOT_FINITE; NOT_SYMMETRIC or SINGULAR
 * (M); OUT_OF_MEMORY
 * Source: acary et al. 2014, INRIA RT-0444, as fclib 3.1 writes it.
 */
CAROM_MUST_CHECK carom_status carom_contact_file_read(const char *path, carom_contact_problem **out,
                                                      carom_report *report);

/**
 * Write a problem as /fclib_local of a record or below a group, its data sets with units.
 *
 * @param[in,out] record  open record
 * @param[in]     problem in the plane or in space
 * @param[out]    report  why it has no such form; may be NULL
 * @return CAROM_OK; UNSUPPORTED: no tangents, or joints whose rows are not their columns
 */
CAROM_MUST_CHECK carom_status carom_contact_file_write(carom_record *record,
                                                       const carom_contact_problem *problem,
                                                       carom_report *report);

/** Write impulses r and velocities u [rows] of a problem as /solution of a record or below a group.
 */
void carom_contact_file_write_solution(carom_record *record, const carom_contact_problem *problem,
                                       const double *r, const double *u);

CAROM_END_DECLARATIONS

#endif
