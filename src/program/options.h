/** The command line that every experiment shares: typed options with units, ranges, --set FILE and
 * --help. */
#ifndef CAROM_PROGRAM_OPTIONS_H
#define CAROM_PROGRAM_OPTIONS_H

#include <carom/record/record.h>

#include <stdbool.h>

CAROM_BEGIN_DECLARATIONS

typedef enum carom_option_kind {
    CAROM_OPTION_REAL,      /**< target double */
    CAROM_OPTION_INTEGER,   /**< target int */
    CAROM_OPTION_CHOICE,    /**< target int: index into choices */
    CAROM_OPTION_TEXT,      /**< target const char *: printable UTF-8, borrowed from argv or kept by
                               the common options until carom_options_clear */
    CAROM_OPTION_FLAG,      /**< target bool: `--name` sets it and takes no value */
    CAROM_OPTION_REAL_LIST, /**< target carom_real_list: `1,2.5,3e-1` */
    CAROM_OPTION_MATRIX     /**< target carom_real_matrix: the name of a file that holds it */
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

/** Which real or integer values are admitted, of a list each; NaN and infinity never are. */
typedef enum carom_option_range {
    CAROM_RANGE_ANY,
    CAROM_RANGE_POSITIVE,      /**< > 0 */
    CAROM_RANGE_NON_NEGATIVE,  /**< >= 0 */
    CAROM_RANGE_UNIT_INTERVAL, /**< [0,1] */
    CAROM_RANGE_HALF_TO_ONE,   /**< [1/2,1] */
    CAROM_RANGE_INTERVAL       /**< as the row's choices say */
} carom_option_range;

/** One row of an experiment's option table. The target holds the default and receives the value. */
typedef struct carom_option {
    const char
        *name; /**< without dashes: "initial-height"; recorded as /parameters/initial_height */
    carom_option_kind kind;
    void *target;
    const char *units; /**< "m", "1", ...; NULL for choices, texts and flags */
    const char *help;  /**< one line */
    carom_option_range range;
    const char *choices; /**< "half-step|full-step|current" of a CHOICE, "(0, 90]" of an INTERVAL
                            without the end 0 and with the end 90; else NULL */
} carom_option;

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
    const char *name;   /**< NAME */
    const char *title;  /**< one line for --help and the record */
    const char *source; /**< paper key */
    const char *schema; /**< "NAME 1" */
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
 * @param[in]     program the experiment
 * @param[in]     argc    of main
 * @param[in]     argv    of main; texts borrow from it
 * @param[in,out] options [option_count] targets are set
 * @param[in]     option_count number of rows
 * @param[out]    common  filled with defaults, then with what was given; to be cleared by
 * carom_options_clear, whatever is returned
 */
carom_parse_result carom_options_parse(const carom_program *program, int argc, char **argv,
                                       const carom_option *options, int option_count,
                                       carom_common_options *common);

/** Free what the common options keep; output, lists, matrices and the TEXT targets set from a file
 * end here. */
void carom_options_clear(carom_common_options *common);

/**
 * Write every option of the table below /parameters of a record: numbers with units, choices and
 * texts as strings, flags as "yes" or "no", the help line as long_name. Dashes become underscores.
 * A list `masses` stands over an axis `masses_entry`, a matrix `mass_file` over `mass_file_row` and
 * `mass_file_column`: its numbers are recorded, not the name of the file. NaN reals, NULL texts and
 * empty lists and matrices are skipped: not given.
 *
 * @return CAROM_OK; what carom_record_scalar, _integer, _string, _index_axis and _series return
 */
CAROM_MUST_CHECK carom_status carom_options_record(const carom_option *options, int option_count,
                                                   carom_record *record);

CAROM_END_DECLARATIONS

#endif
