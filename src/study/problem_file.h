/** An impact in a text file: mass matrix, contacts, friction, and the velocity before. */
#ifndef CAROM_STUDY_PROBLEM_FILE_H
#define CAROM_STUDY_PROBLEM_FILE_H

#include <carom/base/base.h>
#include <carom/impact/impact_problem.h>

#include <stdbool.h>
#include <stddef.h>

/** Characters of the sentence that says what is wrong with a file, the closing zero included. */
#define CAROM_PROBLEM_FILE_DEFECT_SIZE 200

/** Characters of the name of a contact, the closing zero included. */
#define CAROM_PROBLEM_FILE_NAME_SIZE 16

/** Largest problems: the dense complementarity problem of more contacts takes minutes. */
enum { CAROM_PROBLEM_FILE_MOST_COORDINATES = 512, CAROM_PROBLEM_FILE_MOST_CONTACTS = 64 };

/** Bytes of the largest file: beyond what the largest problem needs with comments. */
enum { CAROM_PROBLEM_FILE_MOST_BYTES = 32 * 1024 * 1024 };

/** What a file holds. */
typedef struct carom_problem_file {
    carom_impact_problem *problem;
    char (*names)[CAROM_PROBLEM_FILE_NAME_SIZE]; /**< [m] of contacts; NULL: the file has none */
} carom_problem_file;

/**
 * Read an impact problem. A file consists of sections in any order, each begun by its keyword alone
 * on a line:
 *
 *     mass          M, n rows of n numbers, symmetric positive definite, kg
 *     normal        J_n, a row of n numbers for each contact; positive speeds separate
 *     tangential    J_t, a row for each contact (plane), or two, contact by contact (space); may be
 *                   left out where there is no friction
 *     friction      mu, a number for each contact or one for all, >= 0; may be left out with them
 *     velocity      v-, n numbers, m/s
 *     names         of the contacts, may be left out: letters, digits and _, a letter first
 *
 * Numbers are decimal and finite, separated by blanks or commas; a matrix has one row a line, other
 * numbers and names may stand on any lines; `#` begins a comment. A friction of "1,5" for two
 * contacts is refused: it may be a decimal comma. Sizes are inferred. The last line may end with
 * the file; lines may end as other systems end them.
 *
 * @param[in]  path   of the file
 * @param[out] out    belongs to the caller; NULL on failure
 * @param[out] defect [CAROM_PROBLEM_FILE_DEFECT_SIZE] what is wrong, to be printed after the name
 * of the file and a colon ("line 4: row 2 of mass has 4 numbers, 3 expected"), "" if nothing; may
 * be NULL
 * @return CAROM_OK; IO; BAD_FORMAT, also for numbers that are no problem; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_problem_file_read(const char *path, carom_problem_file **out,
                                                      char *defect);

/**
 * Read an impact problem from a text in memory, as carom_problem_file_read.
 *
 * @param[in]  text   [length] need not end with a zero
 * @param[in]  length bytes
 * @param[out] out    belongs to the caller; NULL on failure
 * @param[out] defect as above; may be NULL
 * @return CAROM_OK; BAD_FORMAT; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_problem_file_parse(const char *text, size_t length,
                                                       carom_problem_file **out, char *defect);

/** Free; NULL is accepted. */
void carom_problem_file_free(carom_problem_file *file);
CAROM_AUTO_TYPE(carom_problem_file)

#endif
