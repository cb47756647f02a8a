/** Private to the driver: an interrupted program leaves no work file. */
#ifndef CAROM_DRIVER_INTERRUPTION_H
#define CAROM_DRIVER_INTERRUPTION_H

/**
 * From here to carom_interruption_end, INT, TERM, HUP and QUIT remove this file before they end the
 * program as they would have. Signals that are ignored or handled already stay as they are. Only
 * for a program's main: the state belongs to the process.
 *
 * @param[in] path copied
 */
void carom_interruption_begin(const char *path);

/** Forget the file and give the signals back. */
void carom_interruption_end(void);

#endif
