/** Finished work of a run on disk, from which the same command goes on after it was killed. */
#ifndef CAROM_PROGRAM_CHECKPOINT_H
#define CAROM_PROGRAM_CHECKPOINT_H

#include <carom/base/parallel.h>

#include <stdbool.h>
#include <stddef.h>

/** The files of a checkpoint: FILE of the rank 0, FILE.K of the rank K. */
typedef struct carom_checkpoint carom_checkpoint;

/** Whether a path is that of a file that a checkpoint FILE may write, and removes in the end. */
bool carom_checkpoint_claims(const char *file, const char *path);

/**
 * Read what earlier runs of the same command finished, on any number of ranks. Nothing is written.
 *
 * @param[in]  path     FILE, copied
 * @param[in]  identity what determines the results, a line each: a checkpoint of another is refused
 * @param[out] out      belongs to the caller
 * @param[out] report   the sentence; may be NULL
 * @return CAROM_OK, also if there is no such file yet; CONFLICT with the first difference, or for a
 * file that is no checkpoint; IO; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_checkpoint_open(const char *path, const char *identity,
                                                    carom_checkpoint **out, carom_report *report);

/** A number that is the same for ranks that have read the same. */
int carom_checkpoint_digest(const carom_checkpoint *checkpoint);

/**
 * Keep from now on what this rank finishes, after all have read.
 *
 * @return CAROM_OK; IO: the file cannot be written, or another run writes it; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_checkpoint_start(carom_checkpoint *checkpoint, int rank,
                                                     carom_report *report);

/** Deliver the entries of a map that earlier runs finished. */
CAROM_MUST_CHECK carom_status carom_checkpoint_deliver(const carom_checkpoint *checkpoint, int map,
                                                       int count, carom_work_delivery deliver,
                                                       void *context);

/** Whether something was kept so long ago that it is time again. */
bool carom_checkpoint_is_due(const carom_checkpoint *checkpoint);

/** Keep entries of a map with so many items: all, or none if they cannot be written, and then
 * nothing any more. */
void carom_checkpoint_append(carom_checkpoint *checkpoint, int map, int count,
                             const unsigned char *entries, size_t size);

/** Why nothing is kept any more, an errno; 0: all is kept. */
int carom_checkpoint_failure(const carom_checkpoint *checkpoint);

/** Remove the files of earlier runs and of so many ranks of this one. */
void carom_checkpoint_remove(carom_checkpoint *checkpoint, int rank_count);

/** Remove the file of this rank if nothing has been kept in it. */
void carom_checkpoint_remove_empty(const carom_checkpoint *checkpoint, int rank);

/** Close and free; NULL is accepted. The files stay. */
void carom_checkpoint_free(carom_checkpoint *checkpoint);
CAROM_AUTO_TYPE(carom_checkpoint)

#endif
