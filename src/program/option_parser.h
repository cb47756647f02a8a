/** Private to the driver: what the files share that parse, read and explain options. */
#ifndef CAROM_PROGRAM_OPTION_PARSER_H
#define CAROM_PROGRAM_OPTION_PARSER_H

#include <carom/program/program.h>

#include <stddef.h>
#include <stdio.h>

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

/** What reading a number found. */
typedef enum carom_number_verdict {
    CAROM_NUMBER_PROPER,    /**< a decimal number within the type */
    CAROM_NUMBER_MALFORMED, /**< something else */
    CAROM_NUMBER_TOO_LARGE  /**< NaN, infinity, or beyond the type */
} carom_number_verdict;

/** Read a decimal number: the whole text, no blanks, no hexadecimal floats. */
carom_number_verdict carom_option_read_real(const char *text, double *number);

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

/** Row `index` of a table, those of the tables in it counted in their place, and the offset of its
 * member from the settings; NULL if there are fewer. */
const carom_option *carom_option_at(const carom_option_table *options, int index, size_t *offset);

/** Row with this name and the member that it sets; NULL if there is none. */
const carom_option *carom_option_find(const carom_option_parser *parser, const char *name,
                                      void **target);

/** Read a set file and assign its lines in order; false after one sentence on stderr. */
bool carom_option_read_file(const carom_option_parser *parser, const char *path);

/** Print --help on stdout: the settings still hold the defaults. */
void carom_option_print_help(const carom_option_parser *parser);

/** Copy the name of choice `index` out of "a|b|c" into name [size]; false if there is none. */
bool carom_option_choice_name(const char *choices, int index, int size, char *name);

/** Long enough for the name of any choice, the closing zero included. */
#define CAROM_OPTION_CHOICE_SIZE 64

#endif
