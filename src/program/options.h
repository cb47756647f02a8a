/** The command line that every experiment shares: typed options with units, ranges, --set FILE and
 * --help. */
#ifndef CAROM_PROGRAM_OPTIONS_H
#define CAROM_PROGRAM_OPTIONS_H

#include <carom/record/record.h>

#include <stdbool.h>
#include <stddef.h>

CAROM_BEGIN_DECLARATIONS

typedef enum carom_option_kind {
    CAROM_OPTION_REAL,      /**< double */
    CAROM_OPTION_INTEGER,   /**< int */
    CAROM_OPTION_CHOICE,    /**< int: index into the choices */
    CAROM_OPTION_TEXT,      /**< const char *: printable UTF-8, borrowed from argv or kept by the
                               common options until carom_options_clear */
    CAROM_OPTION_FLAG,      /**< bool: `--name` sets it and takes no value */
    CAROM_OPTION_REAL_LIST, /**< carom_real_list: `1,2.5,3e-1` */
    CAROM_OPTION_MATRIX     /**< carom_real_matrix: the name of a file that holds it */
} carom_option_kind;

/** A list of numbers: static as a default; what was given is kept by the common options until
 * carom_options_clear. */
typedef struct carom_real_list {
    int count;            /**< 0: not given */
    const double *values; /**< [count] */
} carom_real_list;

/** A square matrix, kept as a list is. */
typedef struct carom_real_matrix {
    int size;             /**< 0: not given */
    const double *values; /**< [size][size] row-major */
} carom_real_matrix;

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

/* Rows of a static table, with the struct of the settings and its member, ball.mass or radius[2].
 * A member of another type is refused by the compiler. */
#define CAROM_REAL(name, settings, member, units, help, range) \
    CAROM_OPTION_ROW(name, REAL, double, settings, member, units, help, range)
#define CAROM_INTEGER(name, settings, member, units, help, range) \
    CAROM_OPTION_ROW(name, INTEGER, int, settings, member, units, help, range)
#define CAROM_CHOICE(name, settings, member, help, choices) \
    CAROM_OPTION_ROW(name, CHOICE, int, settings, member, NULL, help, choices)
#define CAROM_TEXT(name, settings, member, help) \
    CAROM_OPTION_ROW(name, TEXT, const char *, settings, member, NULL, help, NULL)
#define CAROM_FLAG(name, settings, member, help) \
    CAROM_OPTION_ROW(name, FLAG, bool, settings, member, NULL, help, NULL)
#define CAROM_REAL_LIST(name, settings, member, units, help, range) \
    CAROM_OPTION_ROW(name, REAL_LIST, carom_real_list, settings, member, units, help, range)
#define CAROM_MATRIX(name, settings, member, units, help) \
    CAROM_OPTION_ROW(name, MATRIX, carom_real_matrix, settings, member, units, help, NULL)
#define CAROM_OPTION_ROW(name, kind, type, settings, member, units, help, range) \
    { name, CAROM_OPTION_##kind, CAROM_OFFSET(type, settings, member), units, help, range, NULL }
// A type cannot stand in parentheses.
// NOLINTNEXTLINE(bugprone-macro-parentheses)
#define CAROM_OFFSET(type, of, member) _Generic(((of *)0)->member, type : offsetof(of, member))

/** All rows of another table, whose settings are a member of these. */
#define CAROM_OPTIONS_OF(settings, member, table) \
    { NULL, CAROM_OPTION_FLAG, offsetof(settings, member), NULL, NULL, NULL, &(table) }

/** The table of an array of rows. */
#define CAROM_OPTIONS(rows) \
    { rows, (int)(sizeof(rows) / sizeof(rows)[0]) }

/** Values of the common options, common to all drivers. */
typedef struct carom_common_options {
    const char *output;  /**< --output FILE; default NAME.h5, where the program is run */
    unsigned long seed;  /**< --seed */
    int threads;         /**< --threads; 0: all cores */
    bool is_quiet;       /**< --quiet */
    const char *program; /**< its name, for warnings */
    struct carom_options_memory
        *kept; /**< texts and numbers that output and targets borrow, owned */
} carom_common_options;

/** What an experiment says about itself. */
typedef struct carom_program {
    const char *name;           /**< NAME */
    const char *title;          /**< one line for --help and the record */
    const char *source;         /**< paper key */
    const char *schema;         /**< "NAME 1" */
    carom_option_table options; /**< its parameters; count 0: none */
} carom_program;

/** What parsing decided. */
typedef enum carom_parse_result {
    CAROM_PARSE_RUN,    /**< go on */
    CAROM_PARSE_DONE,   /**< --help or --version was answered: exit 0 */
    CAROM_PARSE_REFUSED /**< one sentence was printed on stderr: exit 2 */
} carom_parse_result;

/**
 * Parse `--name value` and `--name=value`, --help --version --output --seed --threads --quiet --set
 * FILE. Of several occurrences the last one wins. A value that begins with two dashes is written
 * with `=`. --help and --version are answered on stdout before anything else is looked at.
 *
 * A set file holds `name = value` lines for every option but the last three and --quiet; `#` at the
 * start of a line or after a blank begins a comment. Set files are read in order, and the command
 * line wins over them wherever --set stands. A flag is `name = yes` or `name = no` there, `--name`
 * on the command line. The numbers of a list are separated by commas, with blanks around them if
 * one likes. A matrix is read from the file named (carom_matrix_file_square).
 *
 * Unknown options, missing or malformed values (decimal numbers only), NaN, infinity and overflow,
 * and values outside their range are refused in one sentence on stderr that names option and value.
 * Numbers are read and printed in the numeric locale of the process, "C" unless it was changed.
 *
 * @param[in]     program  the experiment and its options
 * @param[in]     argc     of main
 * @param[in]     argv     of main; texts borrow from it
 * @param[in,out] settings the struct of the options' offsets: holds the defaults, receives values
 * @param[out]    common   filled with defaults, then with what was given; to be cleared by
 * carom_options_clear, whatever is returned
 */
carom_parse_result carom_options_parse(const carom_program *program, int argc, char **argv,
                                       void *settings, carom_common_options *common);

/** Free what the common options keep; output, lists, matrices and the texts set from a file end
 * here. */
void carom_options_clear(carom_common_options *common);

/**
 * Write every option of a table, as the settings have it, below /parameters of a record: numbers
 * with units, choices and texts as strings, flags as "yes" or "no", the help line as long_name.
 * Dashes become underscores. A list `masses` stands over an axis `masses_entry`, a matrix
 * `mass_file` over `mass_file_row` and `mass_file_column`: its numbers are recorded, not the name
 * of the file. NaN reals, NULL texts and empty lists and matrices are skipped: not given.
 */
void carom_options_record(const carom_option_table *options, const void *settings,
                          carom_record *record);

CAROM_END_DECLARATIONS

#endif
