/** Texts and numbers as LaTeX sees them. */
#ifndef CAROM_RECORD_LATEX_H
#define CAROM_RECORD_LATEX_H

#include <carom/record/text_buffer.h>

/** Room that every number printed by carom_latex_number fits in: 309 digits before the point. */
#define CAROM_LATEX_NUMBER_SIZE 384

/** Append plain text with every letter escaped that means something to LaTeX. */
void carom_latex_escape(carom_text_buffer *buffer, const char *text);

/** The same but for formulas, "$...$", which go through as they are. */
void carom_latex_text(carom_text_buffer *buffer, const char *text);

/**
 * Print a number for the argument of \\num: as printf does, but without "-0.0", "e+", and leading
 * zeros of the exponent.
 *
 * @param[in]  format "%.Nf", "%.Ne" or "%.Ng" with N of one or two digits
 * @param[in]  value  finite
 * @param[out] text   [CAROM_LATEX_NUMBER_SIZE]
 * @return CAROM_OK; BAD_FORMAT for another format; NOT_FINITE
 */
CAROM_MUST_CHECK carom_status carom_latex_number(const char *format, double value,
                                                 char text[CAROM_LATEX_NUMBER_SIZE]);

/** Bring a printed number into the same form, in place: "-1.20e-05" becomes "-1.20e-5". */
void carom_latex_tidy_number(char *text);

#endif
