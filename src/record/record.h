/** Writing results: one HDF5 file, written beside its final name and renamed when complete. First
 * the file and what stands in it, then tables, rows of structs and whole trajectories. */
#ifndef CAROM_RECORD_RECORD_H
#define CAROM_RECORD_RECORD_H

#include <carom/base/base.h>
#include <carom/timestepping/trajectory.h>

#include <stdbool.h>
#include <stddef.h>

CAROM_BEGIN_DECLARATIONS

/* ------------------------------------------------------------------------------------- the file */
/* Writing results: one HDF5 file, written beside its final name and renamed when complete. */

/** Room for the path of a group, with its terminating zero. */
#define CAROM_RECORD_GROUP_SIZE 256

/**
 * An open record, or a group of one (carom_record_group), which every writer takes as well. A path
 * that begins with a slash is inside the file ("/moreau_jean/gap"), any other below the group
 * ("gap"), names of axes too; groups are made as needed. The file grows on disk
 * beside its final name, which it gets when it is committed; in memory there is little of it.
 *
 * Texts are UTF-8, paths ASCII. What is written returns nothing: the record keeps the first failure
 * (carom_record_status), later writes do nothing, and carom_record_commit returns it and leaves no
 * file. It is BAD_FORMAT for a malformed path or text; NOT_FOUND for an axis that is not there;
 * NOT_FINITE for a number that must not be there (carom_record_scalar); IO if HDF5 refuses (a path
 * written twice); OUT_OF_MEMORY.
 */
typedef struct carom_record {
    struct carom_record_file *file;      /**< of the module, common to all groups */
    char group[CAROM_RECORD_GROUP_SIZE]; /**< "/moreau_jean", "" for the record itself */
} carom_record;

/** Most axes of a dataset. */
enum { CAROM_RECORD_MOST_AXES = 32 };

/** What determines the numbers besides the parameters; strings are copied into root attributes. */
typedef struct carom_record_header {
    const char *title;         /**< one line */
    const char *source;        /**< paper key, e.g. "bruls-2014" */
    const char *schema;        /**< name and version of the layout, e.g. "bouncing_ball 1" */
    const char *source_digest; /**< sha256 of the sources that made the program */
    const char *compiler;      /**< name and version */
    const char *cflags;        /**< flags */
    unsigned long seed;        /**< random seed */
} carom_record_header;

/**
 * Start a record that will become `path`. The work file lies in the same folder, under a name of
 * its own; an unwritable place is found here, before any computation. One that a killed run left is
 * removed. carom_version and libraries are added by the module.
 *
 * @param[in]  path   final file name, copied; NULL: all that is written is dropped
 * @param[in]  header root attributes, copied
 * @param[out] out    belongs to the caller until commit or discard
 * @return CAROM_OK; IO with the cause in errno, EBUSY while another process writes the same record;
 * BAD_FORMAT for a header text that is no UTF-8; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_record_create(const char *path,
                                                  const carom_record_header *header,
                                                  carom_record **out);

/**
 * A group of a record: carom_record_group(record, "/solution_%02d", k). Nothing is written yet.
 *
 * @param[in] record where a path without a slash at its beginning starts
 * @param[in] format of the path, as of printf; an empty one is where the record stands
 * @return valid as long as the record; a malformed path is a failure of the record
 */
CAROM_PRINTF(2, 3) carom_record carom_record_group(carom_record *record, const char *format, ...);

/**
 * Finish: close, flush to disk, and rename onto the final name - unless the existing file has the
 * same bytes, which is then left alone (its time stamp too). The record is freed, whatever is
 * returned.
 *
 * @param[in]  record  as created, consumed
 * @param[out] changed whether the final file was replaced; may be NULL
 * @return CAROM_OK; the first failure of a write; IO with the cause in errno; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_record_commit(carom_record *record, bool *changed);

/** The first failure of a write so far, CAROM_OK if none: to be asked before a long computation
 * whose results could not be kept. */
carom_status carom_record_status(const carom_record *record);

/** What the first failing write was about, "PATH: CAUSE"; "" if none has failed. Borrowed until
 * commit or discard. */
const char *carom_record_failure(const carom_record *record);

/** Throw away a record as created: the work file is removed, the final file untouched. NULL is
 * accepted. */
void carom_record_discard(carom_record *record);

/** Set or replace a text attribute of a group or dataset (the group is made if missing); "." is the
 * group of the record itself. */
void carom_record_attribute(carom_record *record, const char *path, const char *name,
                            const char *text);

/**
 * Write a rank-0 double. Here and in axes and series infinity is refused, and so is NaN unless the
 * long name says what it means there ("time of lift-off; NaN: did not lift off").
 *
 * @param[in,out] record    open record
 * @param[in]     path      of the dataset
 * @param[in]     value     the number
 * @param[in]     units     "m s-1", "1" if dimensionless
 * @param[in]     long_name one line
 */
void carom_record_scalar(carom_record *record, const char *path, double value, const char *units,
                         const char *long_name);

/** Write a rank-0 32-bit integer. */
void carom_record_integer(carom_record *record, const char *path, int value, const char *units,
                          const char *long_name);

/** Write a rank-0 text, of variable length. */
void carom_record_string(carom_record *record, const char *path, const char *text,
                         const char *long_name);

/**
 * Write a one-dimensional dataset that is a dimension scale (an axis: "/ball/time"). Datasets
 * written later name it as their axis.
 */
void carom_record_axis(carom_record *record, const char *path, int count, const double *values,
                       const char *units, const char *long_name);

/** Write an axis of whole numbers 0 .. count-1 ("/ball/contact"), units "1". */
void carom_record_index_axis(carom_record *record, const char *path, int count,
                             const char *long_name);

/**
 * Write a dataset over one axis (column_axis NULL) or two.
 *
 * @param[in,out] record      open record
 * @param[in]     path        of the dataset
 * @param[in]     values      [rows] or [rows][columns], row-major; sizes are those of the axes
 * @param[in]     row_axis    path of an axis already written
 * @param[in]     column_axis path of an axis already written, or NULL
 * @param[in]     units       "m s-1"
 * @param[in]     long_name   one line
 */
void carom_record_series(carom_record *record, const char *path, const double *values,
                         const char *row_axis, const char *column_axis, const char *units,
                         const char *long_name);

/** As carom_record_series, for 32-bit integers. */
void carom_record_integer_series(carom_record *record, const char *path, const int *values,
                                 const char *row_axis, const char *column_axis, const char *units,
                                 const char *long_name);

/**
 * Write numbers over any number of axes.
 *
 * @param[in,out] record     open record
 * @param[in]     path       of the dataset
 * @param[in]     values     row-major, the last axis fastest; sizes are those of the axes
 * @param[in]     axis_count 1 .. CAROM_RECORD_MOST_AXES
 * @param[in]     axes       [axis_count] paths of axes already written
 * @param[in]     units      "m s-1"
 * @param[in]     long_name  one line; says what NaN means where there may be some
 */
void carom_record_array(carom_record *record, const char *path, const double *values,
                        int axis_count, const char *const *axes, const char *units,
                        const char *long_name);

/** As carom_record_array, for 32-bit integers. */
void carom_record_integer_array(carom_record *record, const char *path, const int *values,
                                int axis_count, const char *const *axes, const char *units,
                                const char *long_name);

/** Write a text for each entry of an axis, which is written already. */
void carom_record_texts(carom_record *record, const char *path, const char *const *texts,
                        const char *axis, const char *long_name);

/**
 * Write /measures/NAME: one number drawn from a run that a published item is about.
 *
 * @param[in,out] record    open record
 * @param[in]     name      lower_snake identifier
 * @param[in]     value     the number
 * @param[in]     units     "m s-1", "1" if dimensionless
 * @param[in]     long_name one line
 */
void carom_record_measure(carom_record *record, const char *name, double value, const char *units,
                          const char *long_name);

/* --------------------------------------------------------------------------------------- tables */
/* Lists of numbers and columns, written in one call. */

/** A number: the arguments of carom_record_scalar or carom_record_measure. */
typedef struct carom_measure {
    const char *name;      /**< path of a scalar, name of a measure */
    double value;          /**< in these units */
    const char *units;     /**< "m s-1"; "1" without dimension */
    const char *long_name; /**< one line */
} carom_measure;

/** A dataset over axes that it shares with others: the arguments of carom_record_series. */
typedef struct carom_column {
    const char *path;      /**< where it stands in the record */
    const double *values;  /**< as long as the axes ask for */
    const char *units;     /**< "m s-1"; "1" without dimension */
    const char *long_name; /**< one line */
} carom_column;

/** Write numbers, [count]. */
void carom_record_scalars(carom_record *record, const carom_measure *numbers, int count);

/**
 * Write numbers below /measures, without those that are NaN: what is not known is left out.
 * Infinity is refused, as by carom_record_scalar.
 *
 * @param[in,out] record   open record
 * @param[in]     measures [count]
 * @param[in]     count    >= 0
 */
void carom_record_measures(carom_record *record, const carom_measure *measures, int count);

/**
 * Write columns over the same axes.
 *
 * @param[in,out] record      open record
 * @param[in]     row_axis    path of an axis that is written already
 * @param[in]     column_axis path of another one, or NULL
 * @param[in]     columns     [count]
 * @param[in]     count       >= 0
 */
void carom_record_columns(carom_record *record, const char *row_axis, const char *column_axis,
                          const carom_column *columns, int count);

/* ------------------------------------------------------------------------------ rows of structs */
/* An array of structs as data sets over one axis, by a table of its members. */

/** Types of members. */
typedef enum carom_field_kind {
    CAROM_FIELD_REAL,    /**< double */
    CAROM_FIELD_INTEGER, /**< int, or an enumeration */
    CAROM_FIELD_FLAG     /**< bool, recorded as 0 or 1 */
} carom_field_kind;

/** A member of a row and the data set that it makes, written by one of the macros below. */
typedef struct carom_field {
    const char *name;        /**< path of the data set, as of any writer */
    carom_field_kind kind;   /**< the member's type */
    size_t offset;           /**< of the member, bytes */
    int length;              /**< numbers in it, 1 unless it is an array */
    const char *column_axis; /**< path of the axis of an array; NULL: one number a row */
    const char *units;       /**< "m s-1" */
    const char *long_name;   /**< one line; says what NaN means where there may be some */
} carom_field;

/** A member of a struct `row`, ball.speed or speed[2]; of another type it is refused by the
 * compiler. */
#define CAROM_FIELD(name, row, member, units, long_name)                                    \
    {                                                                                       \
        name, CAROM_FIELD_KIND(&((row *)0)->member), offsetof(row, member), 1, NULL, units, \
            long_name                                                                       \
    }
/** The same for an array. As many numbers are written as its axis has, which may be fewer. */
#define CAROM_FIELD_ARRAY(name, row, member, column_axis, units, long_name)                   \
    {                                                                                         \
        name, CAROM_FIELD_KIND(((row *)0)->member), offsetof(row, member),                    \
            (int)(sizeof((row *)0)->member / sizeof *((row *)0)->member), column_axis, units, \
            long_name                                                                         \
    }
#ifdef __cplusplus
extern "C++" {
inline carom_field_kind carom_field_kind_of(const double *) {
    return CAROM_FIELD_REAL;
}
inline carom_field_kind carom_field_kind_of(const int *) {
    return CAROM_FIELD_INTEGER;
}
inline carom_field_kind carom_field_kind_of(const bool *) {
    return CAROM_FIELD_FLAG;
}
template <class member> carom_field_kind carom_field_kind_of(const member *) {
    static_assert(__is_enum(member) && sizeof(member) == sizeof(int), "no kind of field");
    return CAROM_FIELD_INTEGER;
}
}
#define CAROM_FIELD_KIND(address) carom_field_kind_of(address)
#else
/** The kind of a member by its address. */
#define CAROM_FIELD_KIND(address) \
    _Generic((address), double *             \
             : CAROM_FIELD_REAL, int *       \
             : CAROM_FIELD_INTEGER, unsigned * \
             : CAROM_FIELD_INTEGER, bool *   \
             : CAROM_FIELD_FLAG)
#endif

/**
 * Write members of an array of structs, each as a data set over one axis, arrays over two. A member
 * that has the name of the axis is the axis and stands first in the table; otherwise the axis is
 * there already, as the column axes are. Without an axis there is one row, whose members are
 * scalars, and arrays data sets over one axis.
 *
 * @param[in,out] record      open record or group
 * @param[in]     axis        path of the axis, one entry a row; NULL: a single struct
 * @param[in]     rows        [count] structs of `size` bytes
 * @param[in]     count       0: nothing is written
 * @param[in]     size        sizeof *rows
 * @param[in]     fields      [field_count]
 * @param[in]     field_count members to be written
 * Fails besides what the other writers refuse with OUT_OF_RANGE if an axis has not one entry a row,
 * or more than an array has.
 */
void carom_record_rows(carom_record *record, const char *axis, const void *rows, int count,
                       size_t size, const carom_field *fields, int field_count);

/* ------------------------------------------------------------------------------- rows in blocks */
/* Data sets over one axis whose rows come block by block, from memory for one block. */

/** Rows on their way into a group; by value, as a group is. */
typedef struct carom_recorder {
    carom_record group; /**< where the rows go */
    const char *axis;   /**< path of the axis, one entry a row; borrowed */
    int row_count;      /**< rows so far */
    int total;          /**< rows that were announced; 0: not known */
} carom_recorder;

/**
 * Begin to record rows. The first block makes the data sets with units, descriptions and axes, the
 * next ones go on in them.
 *
 * If their number is known, the file has the same bytes as if all rows were written at once. If it
 * is not, the data sets grow by chunks; the bytes are the same for any blocks.
 *
 * @param[in,out] group where the data sets will be
 * @param[in]     axis  path of their axis, borrowed until the end
 * @param[in]     total rows that will come; 0: not known
 * @return to be ended by carom_recorder_end before the record is committed
 */
carom_recorder carom_recorder_begin(carom_record *group, const char *axis, int total);

/**
 * Append an array of structs; arguments as of carom_record_rows, the same members for all blocks.
 * Fails with OUT_OF_RANGE if more rows come than were announced.
 */
void carom_recorder_append_rows(carom_recorder *recorder, const void *rows, int count, size_t size,
                                const carom_field *fields, int field_count);

/**
 * Append the rows of a trajectory, as carom_record_trajectory writes them; the same mechanism and
 * kind for all blocks. If its outcome is a failure, the descriptions say so from then on.
 */
void carom_recorder_append_trajectory(carom_recorder *recorder, const carom_mechanism *mechanism,
                                      const carom_trajectory *trajectory);

/** End; the record fails with OUT_OF_RANGE if rows are missing that were announced. */
void carom_recorder_end(carom_recorder *recorder);

/* --------------------------------------------------------------------------------- trajectories */
/* A trajectory as one group of a record. */

/**
 * Write the columns that the trajectory's kind means something by (carom_trajectory_columns), with
 * the axes time, coordinate, contact, tangent, joint. What a system has not (contacts, tangents,
 * joints) is left out with its axis.
 *
 * @param[in,out] record     the trajectory's group
 * @param[in]     mechanism  for the units of position and velocity
 * @param[in]     trajectory what to write
 */
void carom_record_trajectory(carom_record *record, const carom_mechanism *mechanism,
                             const carom_trajectory *trajectory);

/**
 * Write the time axis and some columns of a trajectory, named as given; the other axes stand there
 * already.
 *
 * @param[in,out] record     the trajectory's group
 * @param[in]     trajectory what to write
 * @param[in]     columns    [count] of arrays that the trajectory has, with units
 * @param[in]     count      >= 0
 */
void carom_record_trajectory_columns(carom_record *record, const carom_trajectory *trajectory,
                                     const carom_trajectory_column *columns, int count);

CAROM_END_DECLARATIONS

#endif
