/** The command line that every experiment shares: typed options with units, ranges, --set FILE and
 * --help. */
#ifndef CAROM_DRIVER_OPTIONS_H
#define CAROM_DRIVER_OPTIONS_H

#include <carom/record/record.h>

#include <stdbool.h>

typedef enum carom_option_kind {
    CAROM_OPTION_REAL,    /**< target double */
    CAROM_OPTION_INTEGER, /**< target int */
    CAROM_OPTION_CHOICE,  /**< target int: index into choices */
    CAROM_OPTION_TEXT     /**< target const char *: printable ASCII, borrowed from argv or kept by
                             the common options until carom_options_clear */
} carom_option_kind;

/** Which real or integer values are admitted; NaN and infinity never are. */
typedef enum carom_option_range {
    CAROM_RANGE_ANY,
    CAROM_RANGE_POSITIVE,      /**< > 0 */
    CAROM_RANGE_NON_NEGATIVE,  /**< >= 0 */
    CAROM_RANGE_UNIT_INTERVAL, /**< [0,1] */
    CAROM_RANGE_HALF_TO_ONE    /**< [1/2,1] */
} carom_option_range;

/** One row of an experiment's option table. The target holds the default and receives the value. */
typedef struct carom_option {
    const char
        *name; /**< without dashes: "initial-height"; recorded as /parameters/initial_height */
    carom_option_kind kind;
    void *target;
    const char *units; /**< "m", "1", ...; NULL for choices and texts */
    const char *help;  /**< one line */
    carom_option_range range;
    const char *choices; /**< "half-step|full-step|current"; NULL unless CHOICE */
} carom_option;

/** Values of the common options, common to all drivers. */
typedef struct carom_common_options {
    const char *output;                /**< --output FILE; default data/results/NAME.h5 */
    unsigned long seed;                /**< --seed */
    int threads;                       /**< --threads; 0: all cores */
    bool is_quiet;                     /**< --quiet */
    struct carom_options_memory *kept; /**< texts that output and TEXT options borrow, owned */
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
 * line wins over them wherever --set stands.
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

/** Free what the common options keep; output and the TEXT targets set from a file end here. */
void carom_options_clear(carom_common_options *common);

/**
 * Write every option of the table below /parameters of a record: numbers with units, choices and
 * texts as strings, the help line as long_name. Dashes become underscores. NaN reals and NULL texts
 * are skipped: not given.
 *
 * @return CAROM_OK; what carom_record_scalar, _integer and _string return
 */
CAROM_MUST_CHECK carom_status carom_options_record(const carom_option *options, int option_count,
                                                   carom_record *record);

#endif
