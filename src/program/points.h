/** Points of a sweep that a program runs without being loaded for each: it is loaded once, and
 * forks for every point, so that one that crashes or hangs is the end of itself alone. */
#ifndef CAROM_PROGRAM_POINTS_H
#define CAROM_PROGRAM_POINTS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/** The argument, alone, by which a program is asked to serve points; the last line of its --help
 * under a sweep says that it can. */
#define CAROM_POINTS_OPTION "--serve-points"

/** Of the environment: "PROCESS NAME" of the sweep and of the program as it was called. A script in
 * between, which may do something else of its own, is not of this name or not the child. */
#define CAROM_POINTS_VARIABLE "CAROM_POINTS"

/** What a server is asked, before the texts. */
typedef struct carom_point_request {
    double limit; /**< seconds that the point may take; NaN or 0: any number */
    int count;    /**< of arguments, the name of the program included */
    size_t size;  /**< bytes of the texts, each with its zero: the arguments, the file for stderr,
                     and  what is wanted of the record (carom_record_file) */
} carom_point_request;

/** How a process ended. */
typedef struct carom_point_end {
    int exit_code; /**< 128 + N: ended by signal N */
    bool is_late;  /**< it reached the limit and was killed */
} carom_point_end;

/** Exit status of a shell for a program that a signal ended, without its number. */
enum { CAROM_POINT_ENDED_BY_SIGNAL = 128 };

/** Wait for the end of a child; one that reaches its limit (NaN or 0: none), in seconds, is killed.
 */
carom_point_end carom_point_await(pid_t process, double limit);

/** Write bytes to a socket, without a signal. Whether all were. */
bool carom_point_write(int to, const void *bytes, size_t size);

/** Read bytes from a file. Whether all came. */
bool carom_point_read(int from, void *bytes, size_t size);

/** Whether a sweep called this program, by this name and itself. */
bool carom_points_are_asked(const char *name);

/**
 * Serve the sweep that this program was called by, if it asks for that: requests come from stdin, a
 * socket, and each is answered by a carom_point_end. The process does not return; its children do,
 * with the arguments of their point.
 *
 * @param[in,out] argc of main
 * @param[in,out] argv of main; what it becomes belongs to the process
 * @return in a child, what is wanted of its record; NULL if there is no server
 */
const char *carom_points_serve(int *argc, char ***argv);

/** End a child with this exit status, without taking down what it was forked with. */
_Noreturn void carom_points_end(int exit_status);

#endif
