/** The frame of an experiment's main: open the record, run, commit or fail with one sentence. */
#ifndef CAROM_DRIVER_EXPERIMENT_H
#define CAROM_DRIVER_EXPERIMENT_H

#include <carom/driver/options.h>

/** The body of an experiment: compute and write; NOT commit. `context` is the experiment's own
 * parameters. */
typedef carom_status (*carom_experiment_body)(carom_record *record,
                                              const carom_common_options *common, void *context,
                                              carom_report *report);

/** Refuse what options cannot see alone (step > duration, initial penetration): sets report; may be
 * NULL. */
typedef carom_status (*carom_experiment_check)(void *context, carom_report *report);

/**
 * main of an experiment: parse (exit 2 on refusal), check (exit 2), create the record (exit 2 if
 * unwritable), run the body and commit (exit 1 with one sentence naming time, quantity, value and
 * residual on numerical failure; no output file), switch off the handlers of GSL and HDF5.
 *
 * @return the exit status of the process
 */
int carom_experiment_main(const carom_program *program, int argc, char **argv,
                          const carom_option *options, int option_count,
                          carom_experiment_check check, carom_experiment_body body, void *context);

#endif
