/** The frame of an experiment's main: open the record, run, commit or fail with one sentence. */
#ifndef CAROM_PROGRAM_EXPERIMENT_H
#define CAROM_PROGRAM_EXPERIMENT_H

#include <carom/program/options.h>

CAROM_BEGIN_DECLARATIONS

/** How the program was made: what the library cannot know of its user. */
typedef struct carom_build {
    const char *source_digest; /**< sha256 of the sources that made the program */
    const char *compiler;      /**< name and version */
    const char *cflags;        /**< flags */
} carom_build;

/** Defined by the program that wants it in its records; "unknown" three times where it does not. */
extern const carom_build carom_build_of_program;

/** The body of an experiment: compute and write; NOT commit. `context` is its settings. */
typedef carom_status (*carom_experiment_body)(carom_record *record,
                                              const carom_common_options *common, void *context,
                                              carom_report *report);

/** Refuse what options cannot see alone (step > duration, initial penetration): sets report; may be
 * NULL. */
typedef carom_status (*carom_experiment_check)(void *context, carom_report *report);

/**
 * main of an experiment: switch off the handlers of GSL and HDF5, parse (exit 2 on refusal), check
 * (exit 2), create the record (exit 2 if unwritable), write the parameters, run the body, commit,
 * and say so in one line on stdout unless --quiet. Interrupted by INT, TERM, HUP or QUIT it removes
 * its work file; a limit on the size of files is an error of writing.
 *
 * A failure is one sentence on stderr with time, quantity, value and residual as far as the report
 * knows them, or with the file, the data set and the cause where the record refused something; exit
 * 1, and no output file. OUT_OF_RANGE, PENETRATION, INCONSISTENT, CONFLICT and
 * NOT_FINITE without a time in the report are refusals of the input: exit 2.
 *
 * @param[in]     program  the experiment and its options, recorded with the values used
 * @param[in]     argc     of main
 * @param[in]     argv     of main
 * @param[in]     check    may be NULL
 * @param[in]     body     computes and writes
 * @param[in,out] settings the struct of the options' offsets, with the defaults; handed to check
 * and body
 * @return the exit status of the process
 */
int carom_experiment_main(const carom_program *program, int argc, char **argv,
                          carom_experiment_check check, carom_experiment_body body, void *settings);

CAROM_END_DECLARATIONS

#endif
