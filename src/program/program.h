/** What the main of every experiment shares: its options, its frame, its progress. */
#ifndef CAROM_PROGRAM_PROGRAM_H
#define CAROM_PROGRAM_PROGRAM_H

#include <carom/base/base.h>
#include <carom/base/workers.h>
#include <carom/record/contact_file.h>
#include <carom/record/record.h>

#include <stdbool.h>
#include <stddef.h>

CAROM_BEGIN_DECLARATIONS

/* -------------------------------------------------------------------------------------- options */
/* The command line that every experiment shares: typed options with units, ranges, --set FILE and
 * --help. */

/** Types of options, and of the members that they set. */
typedef enum carom_option_kind {
    CAROM_OPTION_REAL,      /**< double */
    CAROM_OPTION_INTEGER,   /**< int */
    CAROM_OPTION_CHOICE,    /**< int: index into the choices, below 0 if none is the default */
    CAROM_OPTION_TEXT,      /**< const char *: printable UTF-8, borrowed from argv or kept by the
                               common options until the main ends */
    CAROM_OPTION_FLAG,      /**< bool: `--name` sets it and takes no value */
    CAROM_OPTION_REAL_LIST, /**< carom_real_list: `1,2.5,3e-1` */
    CAROM_OPTION_MATRIX,    /**< carom_real_matrix: the name of a file that holds it */
    CAROM_OPTION_TEXT_LIST  /**< carom_text_list: a text each time that the option is given */
} carom_option_kind;

/** A list of numbers: static as a default; what was given is kept by the common options until the
 * main ends. */
typedef struct carom_real_list {
    int count;            /**< 0: not given */
    const double *values; /**< [count] */
} carom_real_list;

/** A square matrix, kept as a list is. */
typedef struct carom_real_matrix {
    int size;             /**< 0: not given */
    const double *values; /**< [size][size] row-major */
} carom_real_matrix;

/** Texts in the order in which they were given, kept as a list is. */
typedef struct carom_text_list {
    int count;                 /**< 0: not given */
    const char *const *values; /**< [count] */
} carom_text_list;

/** What a struct of settings lets the command line set: one row an option. */
typedef struct carom_option_table {
    const struct carom_option *rows; /**< [count] */
    int count;                       /**< rows */
} carom_option_table;

/** One row, written by one of the macros below: a member of the settings, which holds the default
 * and receives the value. */
typedef struct carom_option {
    const char *name; /**< without dashes: "initial-height"; it is /parameters/initial_height */
    carom_option_kind kind; /**< the member's type */
    size_t offset;          /**< of the member, bytes */
    const char *units;      /**< "m", "1", ...; NULL for choices, texts and flags */
    const char *help;       /**< one line */
    const char *range; /**< of a number, or of each in a list: "any", "positive", "not negative" or
                          an interval "(0, 90]", "[1/2, inf)"; of a choice "half-step|full-step" */
    const carom_option_table *table; /**< its rows stand here, the member is their settings */
} carom_option;

/** A number: a row of a static table, with the struct of the settings and its member, ball.mass or
 * radius[2]. A member of another type is refused by the compiler. */
#define CAROM_REAL(name, settings, member, units, help, range) \
    CAROM_OPTION_ROW(name, REAL, double, settings, member, units, help, range)
/** An integer: a row as CAROM_REAL. */
#define CAROM_INTEGER(name, settings, member, units, help, range) \
    CAROM_OPTION_ROW(name, INTEGER, int, settings, member, units, help, range)
/** One word of "a|b|c", set as its index: a row as CAROM_REAL. */
#define CAROM_CHOICE(name, settings, member, help, choices) \
    CAROM_OPTION_ROW(name, CHOICE, int, settings, member, NULL, help, choices)
/** A text: a row as CAROM_REAL. */
#define CAROM_TEXT(name, settings, member, help) \
    CAROM_OPTION_ROW(name, TEXT, const char *, settings, member, NULL, help, NULL)
/** A flag without a value: a row as CAROM_REAL. */
#define CAROM_FLAG(name, settings, member, help) \
    CAROM_OPTION_ROW(name, FLAG, bool, settings, member, NULL, help, NULL)
/** Numbers separated by commas: a row as CAROM_REAL. */
#define CAROM_REAL_LIST(name, settings, member, units, help, range) \
    CAROM_OPTION_ROW(name, REAL_LIST, carom_real_list, settings, member, units, help, range)
/** A file with a matrix: a row as CAROM_REAL. */
#define CAROM_MATRIX(name, settings, member, units, help) \
    CAROM_OPTION_ROW(name, MATRIX, carom_real_matrix, settings, member, units, help, NULL)
/** A text each time that the option is given: a row as CAROM_REAL. */
#define CAROM_TEXT_LIST(name, settings, member, help) \
    CAROM_OPTION_ROW(name, TEXT_LIST, carom_text_list, settings, member, NULL, help, NULL)
/** What the rows above are made of. */
#define CAROM_OPTION_ROW(name, kind, type, settings, member, units, help, range) \
    { name, CAROM_OPTION_##kind, CAROM_OFFSET(type, settings, member), units, help, range, NULL }
// NOLINTBEGIN(bugprone-macro-parentheses)
#ifdef __cplusplus
#define CAROM_OFFSET(type, of, member) \
    (offsetof(of, member) + 0 * sizeof(static_cast<type *>(&static_cast<of *>(nullptr)->member)))
#else
/** The place of a member in its struct, if it is of this type; types cannot stand in parentheses.
 */
#define CAROM_OFFSET(type, of, member) _Generic(((of *)0)->member, type : offsetof(of, member))
#endif
// NOLINTEND(bugprone-macro-parentheses)

/** All rows of another table, whose settings are a member of these. */
#define CAROM_OPTIONS_OF(settings, member, table) \
    { NULL, CAROM_OPTION_FLAG, offsetof(settings, member), NULL, NULL, NULL, &(table) }

/** The table of an array of rows. */
#define CAROM_OPTIONS(rows) \
    { rows, (int)(sizeof(rows) / sizeof(rows)[0]) }

/** Values of the options that all experiments have. */
typedef struct carom_common_options {
    const char *output;    /**< --output FILE; default NAME.h5, where the program is run */
    unsigned long seed;    /**< --seed */
    carom_workers workers; /**< --threads, and the ranks of the run */
    bool is_quiet;         /**< --quiet */
    const char
        *problem_folder; /**< --dump-problems DIR, of programs that have it; NULL: not given */
    carom_contact_folder
        *problems;       /**< it, while the body runs, on one thread; NULL: not asked for */
    const char *program; /**< its name, for warnings */
    const struct carom_option_departure *departure; /**< what was given farthest from its default */
    struct carom_options_memory
        *kept; /**< texts and numbers that output and targets borrow, owned */
    carom_recorded_steps
        steps;              /**< --record-every and --record-events, of programs that have them */
    const char *checkpoint; /**< --checkpoint FILE; NULL: not given */
    int keep; /**< --keep, of programs that sample: 0 each sample, 1 what is computed of all */
} carom_common_options;

/** One column of the table that a program ends with; columns that the record has not are left out.
 */
typedef struct carom_table_column {
    const char *head;       /**< "period", with the record's unit; "least gap / mm" has its own;
                               "velocity[]": the entries of a vector beside each other */
    const char *expression; /**< over the record (docs/expressions.md), in each of the groups */
    const char *words;      /**< "no|yes" for 0 and 1; "@names": in a text of the group; NULL:
                               numbers */
    int digits;             /**< significant ones; 0: six */
} carom_table_column;

/** A table of what a program found, read from the record that it has written: a row for each entry
 * of the first column, in each group that has it. */
typedef struct carom_table {
    const char *groups;                /**< "/reference /moreau_jean", "/outcome_*", "/" */
    const char *group_head;            /**< over their names; NULL: the names are not shown */
    const carom_table_column *columns; /**< [column_count] */
    int column_count;                  /**< at least 1 */
} carom_table;

/** The columns of a table as an array of rows. */
#define CAROM_COLUMNS(rows) .columns = (rows), .column_count = (int)(sizeof(rows) / sizeof(rows)[0])

/** The tables of a program. */
#define CAROM_TABLES(rows) .tables = (rows), .table_count = (int)(sizeof(rows) / sizeof(rows)[0])

/** What an experiment says about itself. */
typedef struct carom_program {
    const char *name;           /**< NAME */
    const char *title;          /**< one line for --help and the record */
    const char *source;         /**< paper key */
    const char *schema;         /**< "NAME 1" */
    carom_option_table options; /**< its parameters; count 0: none */
    const carom_table *tables;  /**< [table_count] what it ends with */
    int table_count;            /**< 0: it says no more than what it wrote */
    const char *operand;        /**< the option that an argument without a name gives, a text;
                                   NULL: none */
    bool has_contact_steps;     /**< it steps with contacts and has --dump-problems, which
                                   carom_contact_folder_listener serves */
    const char *command;        /**< the option, a list of texts, that the words behind `--` give;
                                   NULL: none */
    bool has_recorded_steps;    /**< it records runs of steps and has --record-every and
                                   --record-events, which carom_scheme_runs serves */
    bool has_samples;           /**< it records samples and has --keep, which
                                   carom_impact_study_sample serves */
} carom_program;

/* ---------------------------------------------------------------------------------------- frame */
/* The frame of an experiment's main: open the record, run, commit or fail with one sentence. */

/** How the program was made: what the library cannot know of its user. */
typedef struct carom_build {
    const char *source_digest; /**< sha256 of the sources that made the program */
    const char *compiler;      /**< name and version */
    const char *cflags;        /**< flags */
} carom_build;

/** Defined by the program that wants it in its records; "unknown" three times where it does not. */
extern const carom_build carom_build_of_program;

/** The body of an experiment: compute and write; NOT commit. `context` is its settings. */
typedef carom_status (*carom_experiment_body)(carom_record *record,
                                              const carom_common_options *common, void *context,
                                              carom_report *report);

/** Refuse options that do not fit together (step > duration, initial penetration): sets report; may
 * be NULL. */
typedef carom_status (*carom_experiment_check)(void *context, carom_report *report);

/**
 * main of an experiment: switch off the handlers of GSL and HDF5, parse (exit 2 on refusal), check
 * (exit 2), create the record (exit 2 if unwritable), write the parameters, run the body, commit,
 * and say so on stdout unless --quiet: in one line, and in the program's tables. Interrupted by
 * INT, TERM, HUP or QUIT it removes its work file; a limit on the size of files is an error of
 * writing.
 *
 * A failure is one sentence on stderr with time, quantity, value and residual as far as the report
 * knows them, or with the file, the data set and the cause where the record refused something; exit
 * 1, and no output file. OUT_OF_RANGE, PENETRATION, INCONSISTENT, CONFLICT, UNSUPPORTED and
 * NOT_FINITE without a time in the report are refusals of the input: exit 2. Where no option is
 * named, the sentence begins with the number that was given farthest from its default; a result
 * that overflows or is NaN is a refusal of that number, if it is far enough.
 *
 * @param[in]     program  the experiment and its options, recorded with the values used
 * @param[in]     argc     of main
 * @param[in]     argv     of main
 * @param[in]     check    may be NULL
 * @param[in]     body     computes and writes
 * @param[in,out] settings the struct of the options' offsets, with the defaults; handed to check
 * and body
 * @return the exit status of the process
 */
int carom_experiment_main(const carom_program *program, int argc, char **argv,
                          carom_experiment_check check, carom_experiment_body body, void *settings);

/* ------------------------------------------------------------------------------------- progress */
/* Progress of long work: percentage, rate, remaining time. On a terminal a line that is written
 * anew; elsewhere, and under make, one in ten seconds that names the program of
 * carom_experiment_main, outside of which it is silent. */

/** A piece of work whose progress is shown. */
typedef struct carom_progress carom_progress;

/** Start; returns NULL (accepted everywhere) if quiet, nothing is shown, or out of memory. */
carom_progress *carom_progress_start(const char *label, long total, const char *unit,
                                     bool is_quiet);

/** Add finished work; callable from several threads. */
void carom_progress_add(carom_progress *progress, long done);

/** Add work that an earlier run had finished: it counts for how far the work is, not for how fast;
 * callable from several threads. */
void carom_progress_skip(carom_progress *progress, long skipped);

/** Add what is missing to `done` of the total: for work that is told as a whole, by one thread at a
 * time. */
void carom_progress_reach(carom_progress *progress, long done);

/** Clear the line and free. */
void carom_progress_finish(carom_progress *progress);

CAROM_END_DECLARATIONS

#endif
