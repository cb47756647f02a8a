/** Private to the driver: an interrupted program leaves no work file. */
#ifndef CAROM_PROGRAM_INTERRUPTION_H
#define CAROM_PROGRAM_INTERRUPTION_H

/**
 * Between begin and end, INT, TERM, HUP and QUIT remove one file before they end the program as
 * they would have. They wait until the file is named, so that it cannot be missed between being
 * made and being named. Signals that are ignored or handled already stay as they are. Only for a
 * program's main: the state belongs to the process.
 */
void carom_interruption_begin(void);

/** Name the file, copied; interrupts that were waiting come now. */
void carom_interruption_name(const char *path);

/** Forget the file and give the signals back. */
void carom_interruption_end(void);

#endif
