/** The parts of the frame of programs: parsing of options, failures, interruption, the terminal. */
#ifndef CAROM_PROGRAM_INTERNAL_H
#define CAROM_PROGRAM_INTERNAL_H

#include <carom/base/base.h>
#include <carom/program/program.h>
#include <carom/record/record.h>

#include <stddef.h>
#include <stdio.h>

/* -------------------------------------------------------------------------------------- options */
/* Internal: what the files share that parse, read and explain options. */

/** Most files of --dump-problems: they take 10 ms and 20 kB each. */
#define CAROM_CONTACT_PROBLEMS_MOST 2000

/** Largest --threads: beyond any machine that shares its memory, so a typing error. */
#define CAROM_OPTIONS_THREADS_MAX 1024

/** One parse under way. */
typedef struct carom_option_parser {
    const carom_program *program;
    void *settings;               /**< what the options set */
    carom_common_options *common; /**< being filled */
} carom_option_parser;

/** Where a value stands, for the sentence that refuses it. */
typedef struct carom_option_place {
    const char *file; /**< NULL: the command line */
    int line;         /**< from 1; unused on the command line */
} carom_option_place;

/** Keep `size` bytes, aligned for any type, until carom_options_clear; NULL if out of memory. */
void *carom_options_keep(carom_common_options *common, size_t size);

/** Print a text on one line, quoted or not: control characters as '?', cut where it gets long. */
void carom_options_print_text(FILE *stream, const char *text, bool is_quoted);

/** Set the option or common option of this name; false after one sentence on stderr. */
bool carom_option_assign(const carom_option_parser *parser, carom_option_place place,
                         const char *name, const char *text);

/** Start a refusal on stderr: program, then the option as it is written in that place. */
void carom_option_begin_refusal(const carom_option_parser *parser, carom_option_place place,
                                const char *name);

/** Refuse a value: what it must be, and what was got. @return false */
bool carom_option_refuse(const carom_option_parser *parser, carom_option_place place,
                         const char *name, const char *demand, const char *text, bool is_quoted);

/** What reading a number found. */
typedef enum carom_number_verdict {
    CAROM_NUMBER_PROPER,    /**< a decimal number within the type */
    CAROM_NUMBER_MALFORMED, /**< something else */
    CAROM_NUMBER_TOO_LARGE  /**< NaN, infinity, or beyond the type */
} carom_number_verdict;

/** Read a decimal number: the whole text, no blanks, no hexadecimal floats. */
carom_number_verdict carom_option_read_real(const char *text, double *number);

/** Read it from a file: what is wrong with the text, to follow it in a sentence, a static string;
 * NULL if it is a number. */
const char *carom_number_defect(const char *text, double *number);

/** Read a whole number: an optional sign and decimal digits. */
carom_number_verdict carom_option_read_integer(const char *text, int *number);

/** Room for what is demanded of a value. */
#define CAROM_OPTION_DEMAND_SIZE 64

/** What the range of an option demands of a number, perhaps in `demand`
 * [CAROM_OPTION_DEMAND_SIZE]; NULL if the number is admitted. */
const char *carom_option_demand(const carom_option *option, double number, char *demand);

/** Whether a text is the range of a number. */
bool carom_option_is_range(const char *text);

/** Read a number of this name (of an option, or of an entry of one) within the range of the option;
 * false after one sentence on stderr. */
bool carom_option_check_real(const carom_option_parser *parser, carom_option_place place,
                             const char *name, const carom_option *option, const char *text,
                             double *number);

/** Assign a list of numbers; false after one sentence on stderr. */
bool carom_option_assign_list(const carom_option_parser *parser, carom_option_place place,
                              const carom_option *option, const char *text,
                              carom_real_list *target);

/** Assign the matrix in the file of this name; false after one sentence on stderr. */
bool carom_option_assign_matrix(const carom_option_parser *parser, carom_option_place place,
                                const carom_option *option, const char *path,
                                carom_real_matrix *target);

/** Add a text to a list; false after one sentence on stderr. */
bool carom_option_add_text(const carom_option_parser *parser, const char *text,
                           carom_text_list *target);

/** Row `index` of a table, those of the tables in it counted in their place, and the offset of its
 * member from the settings; NULL if there are fewer. */
const carom_option *carom_option_at(const carom_option_table *options, int index, size_t *offset);

/** Tables of common options about what a record holds. */
enum { CAROM_RECORD_OPTION_TABLES = 2 };

/** One of them, whose settings are the common options; without rows if the program has it not. */
carom_option_table carom_options_of_record(const carom_program *program, int index);

/** Row with this name and the member that it sets, of the program or among the common ones about
 * its record; NULL if there is none. */
const carom_option *carom_option_find(const carom_option_parser *parser, const char *name,
                                      void **target);

/** Print --help on stdout: the settings still hold the defaults. @return false if out of memory */
bool carom_option_print_help(const carom_option_parser *parser);

/**
 * Print the text of a --help on stdout, in lines of 80 columns. What follows two blanks or stands
 * in brackets behind them goes on below its beginning, other words as their line is indented; so
 * lines of the text that are indented like that are filled. A list longer than a line is broken
 * behind `|` and commas.
 */
void carom_help_print(const char *text);

/** Print words on stdout after `indent` blanks, in lines of 80 columns, however the text is broken.
 */
void carom_words_print(int indent, const char *text);

/** Copy the name of choice `index` out of "a|b|c" into name [size]; false if there is none. */
bool carom_option_choice_name(const char *choices, int index, int size, char *name);

/** Long enough for the name of any choice, the closing zero included. */
#define CAROM_OPTION_CHOICE_SIZE 64

/** In the place of an entry: how many numbers a list has. */
#define CAROM_OPTION_COUNT (-1)

/** Of the numbers that were given, the one farthest from its default: what to look at if a quantity
 * that is no option leaves its range. */
typedef struct carom_option_departure {
    const carom_option *option; /**< NULL: no number was given */
    int entry;                  /**< of a list, or of a matrix row by row, from 1; 0: neither */
    double value;
    double initial; /**< the default; NaN: not set */
    double
        decades; /**< powers of ten between the two, counted from 1 without a default or from 0 */
} carom_option_departure;

/** Keep the defaults, which the settings still hold; false if out of memory. */
bool carom_option_departures_begin(const carom_option_parser *parser, void **defaults);

/** Compare what was given with the defaults kept. */
carom_option_departure carom_option_departures_end(const carom_option_parser *parser,
                                                   const void *defaults);

/** Print `with --mass = 1e-300 kg, by default 1 kg: `. */
void carom_option_departure_print(FILE *stream, const carom_option_departure *departure);

/* ---------------------------------------------------------------------------- matrices in files */
/* Square matrices and vectors in text files, as people and other programs write them. */

/** Characters of the sentence that says what is wrong with a file, the closing zero included. */
#define CAROM_MATRIX_FILE_DEFECT_SIZE 160

/**
 * Read a square matrix: one row a line, numbers separated by blanks or commas; `#` begins a
 * comment, lines without numbers do not count. Numbers are decimal and finite; a comma at the end
 * of a line is ignored, two in a row are refused.
 *
 * @param[in]     path   of the file
 * @param[in,out] size   rows and columns n >= 1; 0: as many as the first row has numbers; unchanged
 * on failure
 * @param[out]    values [n][n] row-major, belongs to the caller, to be freed by free; NULL on
 * failure
 * @param[out]    defect [CAROM_MATRIX_FILE_DEFECT_SIZE] what is wrong, to be printed after the name
 * of the file and a colon ("line 4: row 3 has 4 numbers, 5 expected"), "" if nothing; may be NULL
 * @return CAROM_OK; IO; BAD_FORMAT; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_matrix_file_square(const char *path, int *size, double **values,
                                                       char *defect);

/**
 * Read a vector: as a matrix, but its numbers may stand on any lines.
 *
 * @param[in]     path   of the file
 * @param[in,out] size   n >= 1; 0: as many as there are; unchanged on failure
 * @param[out]    values [n] belongs to the caller, to be freed by free; NULL on failure
 * @param[out]    defect as above; may be NULL
 * @return CAROM_OK; IO; BAD_FORMAT; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_matrix_file_vector(const char *path, int *size, double **values,
                                                       char *defect);

/* ------------------------------------------------------------------------------ names of groups */
/* Internal: what the groups of the records are, for those who open one. */

/**
 * One line about a group, by the vocabulary that the experiments share: a name means the same in
 * every record. An experiment with other groups describes them itself, by the attribute long_name.
 *
 * @param[in] path of the group, from the root ("/set/modes")
 * @return a static text; NULL for a group that the vocabulary does not know
 */
const char *carom_group_description(const char *path);

/* -------------------------------------------------------------------------------------- failure */
/* Internal: the one sentence with which a run fails. */

/**
 * Print `NAME: CONTEXT: SENTENCE at t = T s with h = H s: QUANTITY = VALUE, residual R after N
 * iterations`, leaving out what the report does not know. A quantity that is also an option, alone
 * or after the context, is called `--option` and takes its units. Where no option is named, the
 * sentence begins with what was given farthest from its default (`departure`; NULL: not known), for
 * a refusal always, for a failure if it is far enough to matter.
 */
void carom_failure_print(FILE *stream, const carom_program *program, carom_status status,
                         const carom_report *report, const carom_option_departure *departure);

/* --------------------------------------------------------------------------------- interruption */
/* Internal: an interrupted program leaves no work file. */

/**
 * Between begin and end, INT, TERM, HUP and QUIT remove one file before they end the program as
 * they would have. They wait until the file is named, so that it cannot be missed between being
 * made and being named. Signals that are ignored or handled already stay as they are. Only for a
 * program's main: the state belongs to the process.
 */
void carom_interruption_begin(void);

/** What to say to a signal that ends the program: where its work is kept. */
void carom_interruption_say(const char *program, const char *checkpoint);

/** Name the file, copied; interrupts that were waiting come now. */
void carom_interruption_name(const char *path);

/** Forget the file and give the signals back. */
void carom_interruption_end(void);

/* ------------------------------------------------------------------------------------- terminal */
/* Internal: what a program at work says on stderr. */

/**
 * From here to carom_terminal_end, a program that works for five seconds without a word says that
 * it does, on what, and how much of its record is written. On a terminal of its own each line
 * replaces the one before; in a file, a pipe or under make, where several programs share stderr,
 * lines follow each other, one in ten seconds, and name the program. Silent if quiet. Only for a
 * program's main: the state belongs to the process.
 *
 * @param[in] program name, borrowed until carom_terminal_end
 * @param[in] ranks processes that share the work, 1 or more
 * @param[in] is_quiet nothing is shown
 */
void carom_terminal_begin(const char *program, int ranks, bool is_quiet);

/** Processes that share the work, each about alike. */
int carom_terminal_ranks(void);

/** Count the data sets of a record from here on; borrowed until carom_terminal_end. */
void carom_terminal_count(const carom_record *record);

/** Show nothing more; the line that stands there is cleared. */
void carom_terminal_end(void);

/** Whether anything is shown: between begin and end, or on a terminal without them. */
bool carom_terminal_is_showing(void);

/** Name the work at hand, for the line that says that it goes on; "" if it has no name. */
void carom_terminal_name_work(const char *label);

/** Show one line, cut at 79 columns. Callable from several threads. */
void carom_terminal_show(const char *text);

/** Clear the line that stands there, if lines replace each other. */
void carom_terminal_clear(void);

/** Milliseconds between two lines of one kind of work: ten a second, one in ten seconds
 * where they follow each other. */
long long carom_terminal_interval(void);

/** Milliseconds of a clock that never goes back. */
long long carom_terminal_clock(void);

/* ----------------------------------------------------------------------------- the command line */

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
 * one likes. A matrix is read from the file named (carom_matrix_file_square). A list of texts gets
 * one more each time; of a program with a command, a word for each argument behind `--`.
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
 * of the file; texts of a list a line each. NaN reals, choices below 0, NULL
 * texts and empty lists and matrices are skipped: not given.
 */
void carom_options_record(const carom_option_table *options, const void *settings,
                          carom_record *record);

/* ------------------------------------------------------------------------------------- identity */

/**
 * What determines the results of a run, a line each: program, version, sources, seed, the value of
 * every option with all digits, and what the files hold that options name. To be freed.
 *
 * @return NULL if out of memory
 */
char *carom_identity_text(const carom_program *program, const carom_common_options *common,
                          const void *settings);

/* --------------------------------------------------------------------------------------- tables */

/** Print the tables of a program from the record that it has written: at most 20 rows and 80
 * columns each, then where the others are. */
void carom_tables_print(const carom_program *program, const char *file);

#endif
