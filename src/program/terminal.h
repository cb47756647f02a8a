/** Private to the driver: what a program at work shows on its terminal, stderr. */
#ifndef CAROM_PROGRAM_TERMINAL_H
#define CAROM_PROGRAM_TERMINAL_H

#include <carom/record/record.h>

/**
 * From here to carom_terminal_end, a program that works for five seconds without a word says that
 * it does, and how much of its record is written. Under make, where several programs share a
 * terminal, what is shown comes as lines that name the program; else each line replaces the one
 * before. Silent if quiet or where stderr is no terminal. Only for a program's main: the state
 * belongs to the process.
 *
 * @param[in] program name, borrowed until carom_terminal_end
 * @param[in] record  being written, borrowed likewise
 * @param[in] is_quiet nothing is shown
 */
void carom_terminal_begin(const char *program, const carom_record *record, bool is_quiet);

/** Show nothing more; the line that stands there is cleared. */
void carom_terminal_end(void);

/** Show one line, cut at 79 columns. Callable from several threads. */
void carom_terminal_show(const char *text);

/** Clear the line that stands there, if lines replace each other. */
void carom_terminal_clear(void);

/** Milliseconds between two lines of one kind of work: ten a second, one in ten seconds under make.
 */
long long carom_terminal_interval(void);

/** Milliseconds of a clock that never goes back. */
long long carom_terminal_clock(void);

#endif
