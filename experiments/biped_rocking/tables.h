/** Columns of numbers written to a group of the record. */
#ifndef CAROM_EXPERIMENTS_BIPED_ROCKING_TABLES_H
#define CAROM_EXPERIMENTS_BIPED_ROCKING_TABLES_H

#include <carom/carom.h>

/** Longest path of a dataset that is made here, the closing zero included. */
enum { BIPED_ROCKING_PATH_SIZE = 96 };

/** "group/name" in `path`, which is returned. */
const char *biped_rocking_path(const char *group, const char *name,
                               char path[BIPED_ROCKING_PATH_SIZE]);

/** Write `count` scalars of a group. */
void biped_rocking_write_numbers(carom_record *record, const char *group, int count,
                                 const carom_measure *numbers);

/** Write `count` series of a group over the axis `axis` of the same group. */
void biped_rocking_write_columns(carom_record *record, const char *group, const char *axis,
                                 int count, const carom_column *columns);

/** Write `count` matrices of a group, rows over the axis `axis` of the group, columns over the axis
 * of the path `across`. */
void biped_rocking_write_matrices(carom_record *record, const char *group, const char *axis,
                                  const char *across, int count, const carom_column *matrices);

#endif
