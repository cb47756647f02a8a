/** Square matrices and vectors in text files, as people and other programs write them. */
#ifndef CAROM_PROGRAM_MATRIX_FILE_H
#define CAROM_PROGRAM_MATRIX_FILE_H

#include <carom/base/base.h>

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

#endif
