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
 * Write a problem as /fclib_local of a record or below a group, its data sets with units. The
 * layout has tangents: contacts without any are written as in the plane, each with a tangent that
 * nothing moves and no friction.
 *
 * @param[in,out] record  open record
 * @param[in]     problem with contacts
 * @param[out]    report  why it has no such form; may be NULL
 * @return CAROM_OK; UNSUPPORTED: no contacts, or joints whose rows are not their columns but for
 * rounding; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_contact_file_write(carom_record *record,
                                                       const carom_contact_problem *problem,
                                                       carom_report *report);

/** Write impulses r and velocities u [rows] of a problem as /solution of a record or below a group.
 */
void carom_contact_file_write_solution(carom_record *record, const carom_contact_problem *problem,
                                       const double *r, const double *u);

/* --------------------------------------------------------------------------------- the folder */
/* The problems of a run, a file each. */

/** A folder that problems are written into. */
typedef struct carom_contact_folder carom_contact_folder;

/**
 * Make a folder, or take one that is empty: no file is ever written over.
 *
 * @param[in]  path   of the folder, whose parent is there
 * @param[in]  most   problems that are written, >= 1
 * @param[in]  header root attributes of the files, borrowed until free
 * @param[out] out    belongs to the caller
 * @param[out] report why it cannot be used; may be NULL
 * @return CAROM_OK; CONFLICT: it is not empty; IO: it cannot be made or read; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_contact_folder_open(const char *path, int most,
                                                        const carom_record_header *header,
                                                        carom_contact_folder **out,
                                                        carom_report *report);

/** How many problems were written, and how many beyond the most were not. */
void carom_contact_folder_count(const carom_contact_folder *folder, long *written, long *left_out);

/** Free; the files stay. NULL is accepted. */
void carom_contact_folder_free(carom_contact_folder *folder);
CAROM_AUTO_TYPE(carom_contact_folder)

/** The problems of one run on their way into a folder: NAME-000017.hdf5 is that of the step of this
 * number, NAME-000017-2.hdf5 the next within it. */
typedef struct carom_contact_folder_run {
    carom_contact_folder *folder; /**< borrowed */
    const char *name;             /**< of the run; "/" becomes "-" */
    double step;                  /**< h, s */
} carom_contact_folder_run;

/**
 * Who writes the problems that a run tells. One run at a time: HDF5 knows no threads.
 *
 * @param[in] run borrowed; without a folder nobody listens
 * @return what the listener tells is CAROM_OK, or the failures of carom_record_commit
 */
carom_contact_listener carom_contact_folder_listener(carom_contact_folder_run *run);

CAROM_END_DECLARATIONS

#endif
