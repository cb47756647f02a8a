/** Internal: a program over points of its parameters, what `sweep` is made of. */
#ifndef CAROM_STUDY_SWEEP_H
#define CAROM_STUDY_SWEEP_H

#include <carom/base/base.h>
#include <carom/program/points.h>
#include <carom/program/program.h>
#include <carom/record/reader.h>
#include <carom/record/record.h>
#include <carom/record/text.h>

#include <stdbool.h>
#include <sys/types.h>

/* ----------------------------------------------------------------------------------- the points */
/* Which points there are: a grid, or a list of points that are drawn or read from a file. */

enum {
    CAROM_SWEEP_MOST_AXES = 16,     /**< swept parameters */
    CAROM_SWEEP_NAME_SIZE = 64,     /**< room for a name, the closing zero included */
    CAROM_SWEEP_WORD_SIZE = 64,     /**< for a value as it is written */
    CAROM_SWEEP_TEXT_SIZE = 512,    /**< for an expression, and for a description */
    CAROM_SWEEP_SENTENCE_SIZE = 200 /**< for why a point failed */
};

/** A value as it is handed to the program. */
typedef char carom_sweep_word[CAROM_SWEEP_WORD_SIZE];

/** The values of one parameter. */
typedef struct carom_sweep_axis {
    char option[CAROM_SWEEP_NAME_SIZE];    /**< without dashes: "initial-height" */
    char name[CAROM_SWEEP_NAME_SIZE];      /**< of its data set: "initial_height" */
    int count;                             /**< of values */
    carom_sweep_word *words;               /**< [count], owned */
    double *values;                        /**< [count], owned; NULL: words that are no numbers */
    char units[CAROM_SWEEP_NAME_SIZE];     /**< as the program records them; "" until known */
    char long_name[CAROM_SWEEP_TEXT_SIZE]; /**< one line, likewise */
} carom_sweep_axis;

/** All points, in the order of their numbers. */
typedef struct carom_sweep_points {
    carom_sweep_axis axes[CAROM_SWEEP_MOST_AXES];
    int axis_count; /**< >= 1 */
    bool is_grid;   /**< every value with every other, the last axis fastest; false: value i of each
                       axis belongs to point i */
    int count;      /**< of points, >= 1 */
} carom_sweep_points;

/** How points are asked for. */
typedef struct carom_sweep_request {
    const carom_text_list *over; /**< "NAME=first:last:step" and the like */
    int random;                  /**< points drawn at random; 0: none */
    int sobol;                   /**< points of Sobol's sequence; 0: none */
    const char *file;            /**< CSV with a line of names; NULL: none */
    unsigned long seed;          /**< of the random points */
    int most;                    /**< points accepted */
} carom_sweep_request;

/**
 * Make the points. A grid is `first:last:step` with the last value if a step reaches it,
 * `first:last:x10`, each value ten times the one before, `first:last:x10/3`, three to each factor,
 * or values between commas; a range of drawn points is `first:last`, or `first:last:x` for
 * logarithms drawn evenly. Computed values have 15 digits.
 *
 * @param[in]  request what was asked for
 * @param[out] out     belongs to the caller
 * @param[out] report  a sentence with the word that is wrong, and what is accepted; may be NULL
 * @return CAROM_OK; BAD_FORMAT; OUT_OF_RANGE for no points or too many; IO; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_sweep_points_alloc(const carom_sweep_request *request,
                                                       carom_sweep_points **out,
                                                       carom_report *report);

/** Free; NULL is accepted. */
void carom_sweep_points_free(carom_sweep_points *points);
CAROM_AUTO_TYPE(carom_sweep_points)

/** Number of the value that an axis has at a point. */
int carom_sweep_points_entry(const carom_sweep_points *points, int axis, int point);

/** Print a point into text [size]: "restitution=0.5, friction=0.1"; cut to fit. */
void carom_sweep_points_name(const carom_sweep_points *points, int point, size_t size, char *text);

/**
 * Read the values of an axis, NAME=VALUES.
 *
 * @param[in]  text     as given
 * @param[in]  is_drawn VALUES is a range, whose ends become the two values of the axis
 * @param[in]  most     values accepted
 * @param[out] axis     zeroed before; to be freed with its points, whatever is returned
 * @param[out] is_log   a range of logarithms; may be NULL
 * @param[out] report   may be NULL
 * @return as carom_sweep_points_alloc
 */
CAROM_MUST_CHECK carom_status carom_sweep_axis_read(const char *text, bool is_drawn, double most,
                                                    carom_sweep_axis *axis, bool *is_log,
                                                    carom_report *report);

/** Take over the name of an option for an axis. @return CAROM_OK; BAD_FORMAT */
CAROM_MUST_CHECK carom_status carom_sweep_axis_name(const char *option, size_t length,
                                                    carom_sweep_axis *axis, carom_report *report);

/** Room for so many values; numbers too if `has_numbers`. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_sweep_axis_resize(carom_sweep_axis *axis, int count,
                                                      bool has_numbers);

/** Set a value that was computed: its 15 digits are the word and the number. */
void carom_sweep_axis_set(carom_sweep_axis *axis, int i, double value);

/** Keep the numbers only if all words are some. */
void carom_sweep_axis_settle(carom_sweep_axis *axis);

/* ---------------------------------------------------------------------------------- the program */
/* The program that runs at each point, as a process of its own. */

/** A process that runs points of the program one after the other. */
typedef struct carom_sweep_server carom_sweep_server;

/** Where the records of points lie while they are read. */
typedef struct carom_sweep_place {
    char folder[CAROM_SWEEP_TEXT_SIZE]; /**< "" if closed */
    int alive;          /**< the end of a pipe whose other end tells the cleaner that we are gone */
    pid_t cleaner;      /**< a process that then ends the programs and removes the folder */
    char **environment; /**< of servers, owned: ours, without what makes one a rank of ours, and
                           with what says who calls; of other programs from the second on */
    char *caller;       /**< the variable of this, owned */
    carom_sweep_server *idle; /**< servers without a point, each owned with the rest */
} carom_sweep_place;

/**
 * Make a folder of our own, in $TMPDIR or beside `output`, which is removed however we end.
 *
 * @param[in]  output  name of the record that is made
 * @param[in]  program name of the program, as it will be called
 * @param[out] place   to be closed by carom_sweep_place_close
 * @param[out] report  why it cannot be made; may be NULL
 * @return CAROM_OK; IO; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_sweep_place_open(const char *output, const char *program,
                                                     carom_sweep_place *place,
                                                     carom_report *report);

/** End the servers, remove the folder, and wait until it is gone. */
void carom_sweep_place_close(carom_sweep_place *place);

/** What is run at each point. */
typedef struct carom_sweep_program {
    const carom_text_list *command; /**< program and arguments, borrowed */
    bool has_threads;               /**< it knows --threads */
    bool has_quiet;                 /**< and --quiet */
    bool is_server;                 /**< it can serve points (carom/program/points.h) */
    const char *wanted; /**< all names that are looked for in a record of it, borrowed; NULL: not
                           known yet, and no server runs it */
    double limit;       /**< seconds that it may take; NaN or 0: any number */
} carom_sweep_program;

/**
 * Ask a program for its options, by --help, and refuse axes that are none. One that does not answer
 * is taken as it is.
 *
 * @param[in,out] program command set, the rest is found
 * @param[in]     points  whose axes are looked for
 * @param[in]     place   for its answer
 * @param[out]    report  may be NULL
 * @return CAROM_OK; UNSUPPORTED: it cannot be run, or has an option not; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_sweep_program_ask(carom_sweep_program *program,
                                                      const carom_sweep_points *points,
                                                      const carom_sweep_place *place,
                                                      carom_report *report);

/** How a program ended. */
typedef struct carom_sweep_end {
    int exit_code;                            /**< 128 + N: ended by signal N */
    char sentence[CAROM_SWEEP_SENTENCE_SIZE]; /**< the last line that it said on stderr, without the
                                                 name of its record */
    unsigned long maker;                      /**< carom_sweep.maker of the run that found out */
} carom_sweep_end;

/**
 * Have a server of the place run a point; one is started if none is idle.
 *
 * @param[in]     texts as of carom_point_request
 * @param[in]     count of arguments
 * @param[in]     limit as of carom_sweep_program
 * @param[in,out] place open
 * @param[out]    end   how the point ended
 * @return whether a server ran it, or was killed meanwhile; else it has not been run
 */
bool carom_sweep_server_run(const carom_text_buffer *texts, int count, double limit,
                            carom_sweep_place *place, carom_point_end *end);

/** End the servers of a place. */
void carom_sweep_servers_end(carom_sweep_place *place);

/**
 * Run the program at a point; its record is NUMBER.h5 of the place. One that goes on beyond its
 * limit is killed, and the sentence says so.
 *
 * @param[in]     program asked
 * @param[in]     points  all of them
 * @param[in]     point   number of the point
 * @param[in,out] place   open
 * @param[out]    end     how it ended
 * @param[out]    report  may be NULL
 * @return CAROM_OK however it ended, but for want of room on the disk, by its words: IO;
 * UNSUPPORTED if it could not be started; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_sweep_program_run(const carom_sweep_program *program,
                                                      const carom_sweep_points *points, int point,
                                                      carom_sweep_place *place,
                                                      carom_sweep_end *end, carom_report *report);

/** Read how a program ended that a command of carom_sweep_program_print ran into a folder. */
void carom_sweep_program_ended(const char *folder, int point, carom_sweep_end *end);

/** Print a command for each point, which leaves record, complaint and exit status in a folder.
 * @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_sweep_program_print(const carom_sweep_program *program,
                                                        const carom_sweep_points *points,
                                                        const char *folder);

/** Name of what a point leaves in a folder: "FOLDER/000017.h5". */
void carom_sweep_file(const char *folder, int point, const char *suffix, size_t size, char *path);

/* ------------------------------------------------------------------------------- what is kept */
/* Numbers that are taken from the record of each point. */

/** One quantity. */
typedef struct carom_sweep_keep {
    char name[CAROM_SWEEP_NAME_SIZE];       /**< of its data set */
    char expression[CAROM_SWEEP_TEXT_SIZE]; /**< over the record of a point */
    char units[CAROM_SWEEP_NAME_SIZE];      /**< "" until known */
    char long_name[CAROM_SWEEP_TEXT_SIZE];  /**< one line */
    bool is_series; /**< a series of `length` numbers; else one number, length 1 */
    int length;     /**< >= 1 */
    int first;      /**< where it begins in the numbers of a point */
} carom_sweep_keep;

/** All quantities. */
typedef struct carom_sweep_keeps {
    int count;               /**< >= 1 */
    carom_sweep_keep *items; /**< [count], owned */
    int length;              /**< numbers of a point, once they were learned */
} carom_sweep_keeps;

/**
 * Read what is to be kept: PATH, NAME=EXPRESSION or NAME[UNIT]=EXPRESSION.
 *
 * @param[in]  texts  as given
 * @param[in]  points whose names are taken
 * @param[out] keeps  to be cleared by carom_sweep_keeps_clear, whatever is returned
 * @param[out] report may be NULL
 * @return CAROM_OK; BAD_FORMAT; CONFLICT for a name that is taken; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_sweep_keeps_read(const carom_text_list *texts,
                                                     const carom_sweep_points *points,
                                                     carom_sweep_keeps *keeps,
                                                     carom_report *report);

/** Free; a zeroed one is accepted. */
void carom_sweep_keeps_clear(carom_sweep_keeps *keeps);

/** Learn shapes, units and descriptions from a record. @return CAROM_OK; UNSUPPORTED for what it
 * has not, and for a table */
CAROM_MUST_CHECK carom_status carom_sweep_keeps_learn(carom_sweep_keeps *keeps,
                                                      carom_reader *reader, carom_report *report);

/**
 * Take the numbers from a record.
 *
 * @param[in]  keeps    learned
 * @param[in]  reader   open record of a point
 * @param[out] values   [keeps->length], NaN where the record has not what is asked for
 * @param[out] sentence [CAROM_SWEEP_SENTENCE_SIZE] why the first of them is missing, "" if none is
 */
void carom_sweep_keeps_take(const carom_sweep_keeps *keeps, carom_reader *reader, double *values,
                            char *sentence);

/* -------------------------------------------------------------------------------- all together */

/** What the command line asks for, and what was found. */
typedef struct carom_sweep {
    carom_sweep_points *points;  /**< borrowed */
    carom_sweep_program program; /**< asked */
    carom_sweep_keeps keeps;     /**< read; learned by the run */
    const char *records;         /**< folder with the records of points; NULL: they are made */
    bool *is_failed;             /**< [count] of the run, owned */
    carom_sweep_end *ends;       /**< [count], owned */
    double *values;              /**< [count][keeps.length], owned */
    char schema[CAROM_SWEEP_TEXT_SIZE]; /**< of the program's records */
    char digest[CAROM_SWEEP_TEXT_SIZE]; /**< of the program's sources */
    unsigned long maker;                /**< a number for these, other for another program */
    carom_text_buffer wanted;           /**< of the run, owned */
} carom_sweep;

/**
 * Run all points, and record what came out.
 *
 * @param[in,out] sweep  points, program, keeps and records are set
 * @param[in]     common threads, quiet and output
 * @param[in,out] record open record
 * @param[out]    report may be NULL
 * @return CAROM_OK, also if points failed; NOT_CONVERGED if none of those tried first succeeds;
 * UNSUPPORTED for a program, an option or something to be kept that is not there; IO;
 * OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_sweep_run(carom_sweep *sweep,
                                              const carom_common_options *common,
                                              carom_record *record, carom_report *report);

/** Free what the run made. */
void carom_sweep_clear(carom_sweep *sweep);

/** Write axes, what was kept, how the points ended, the failures and the extremes. @return
 * CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_sweep_record(const carom_sweep *sweep, carom_record *record);

#endif
