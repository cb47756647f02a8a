/** Internal: the sections of a problem file as its lines give them, sizes unchecked.
 */
#ifndef CAROM_STUDY_PROBLEM_SECTIONS_H
#define CAROM_STUDY_PROBLEM_SECTIONS_H

#include <carom/study/problem_file.h>

#include <stdbool.h>

/** The sections, in the order in which they are missed. */
typedef enum carom_problem_section {
    CAROM_SECTION_MASS,
    CAROM_SECTION_NORMAL,
    CAROM_SECTION_TANGENTIAL,
    CAROM_SECTION_FRICTION,
    CAROM_SECTION_VELOCITY,
    CAROM_SECTION_NAMES,
    CAROM_SECTION_COUNT
} carom_problem_section;

/** One section as it was read. */
typedef struct carom_section_numbers {
    int keyword_line; /**< from 1; 0: the file has no such section */
    int rows;         /**< lines with numbers */
    int columns;      /**< numbers of the first row */
    int count;        /**< numbers, or names */
    double *values;   /**< [count], borrowed from the sections */
    int *lines;       /**< [count] line of each number, borrowed as well */
} carom_section_numbers;

/** All sections of a text being read. */
typedef struct carom_problem_sections {
    char *defect; /**< NULL: nobody asks */
    int line;     /**< from 1 */
    carom_section_numbers section[CAROM_SECTION_COUNT];
    char names[CAROM_PROBLEM_FILE_MOST_CONTACTS][CAROM_PROBLEM_FILE_NAME_SIZE];
    char *text;              /**< copy that is cut into lines and entries, owned */
    double *values;          /**< numbers of all sections, owned */
    int *lines;              /**< their lines, owned */
    int count;               /**< numbers so far */
    int current;             /**< section that is being read, -1 before the first */
    int friction_comma_line; /**< where friction has whole numbers joined by a comma ("1,5"); 0:
                                nowhere */
} carom_problem_sections;

/** The keyword of a section. */
const char *carom_problem_section_keyword(carom_problem_section section);

/** Say what is wrong. @return BAD_FORMAT */
carom_status carom_problem_sections_fail(const carom_problem_sections *self, const char *format,
                                         ...) CAROM_PRINTF(2, 3);

/**
 * Read all lines of a text: keywords, rows of equal length in the matrices, finite decimal numbers,
 * proper names; no section twice.
 *
 * @param[out] self   filled; to be cleared, whatever is returned
 * @param[in]  text   [length]
 * @param[in]  length bytes
 * @param[out] defect [CAROM_PROBLEM_FILE_DEFECT_SIZE]; may be NULL
 * @return CAROM_OK; BAD_FORMAT; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_problem_sections_read(carom_problem_sections *self,
                                                          const char *text, size_t length,
                                                          char *defect);

/** Free what the sections own. */
void carom_problem_sections_clear(carom_problem_sections *self);

#endif
