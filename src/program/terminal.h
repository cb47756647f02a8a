/** Private to the programs: what one at work says on stderr. */
#ifndef CAROM_PROGRAM_TERMINAL_H
#define CAROM_PROGRAM_TERMINAL_H

#include <carom/record/record.h>

/**
 * From here to carom_terminal_end, a program that works for five seconds without a word says that
 * it does, on what, and how much of its record is written. On a terminal of its own each line
 * replaces the one before; in a file, a pipe or under make, where several programs share stderr,
 * lines follow each other, one in ten seconds, and name the program. Silent if quiet. Only for a
 * program's main: the state belongs to the process.
 *
 * @param[in] program name, borrowed until carom_terminal_end
 * @param[in] is_quiet nothing is shown
 */
void carom_terminal_begin(const char *program, bool is_quiet);

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

#endif
