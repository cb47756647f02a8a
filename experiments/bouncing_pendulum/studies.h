/** What both parts of the experiment share, and the studies with runs of their own. */
#ifndef CAROM_EXPERIMENTS_BOUNCING_PENDULUM_STUDIES_H
#define CAROM_EXPERIMENTS_BOUNCING_PENDULUM_STUDIES_H

#include <carom/carom.h>
#include <carom/study/scheme_options.h>

/** Number of rows of a table. */
#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/** q = (x, y, theta); the joints in x and y; one contact. */
enum { COORDINATES = 3, ANGLE = 2, JOINTS = 2 };

/** Everything that options set. */
typedef struct settings {
    carom_bouncing_pendulum_params pendulum;
    carom_scheme_options schemes;
} settings;

/** Some parameters have no exact solution, no rest against the wall: the record then goes without.
 * Only a lack of memory is an error. */
CAROM_MUST_CHECK carom_status bouncing_pendulum_unless_unknown(carom_status status);

/** Write /convergence: errors against the exact motion for ever smaller steps. */
CAROM_MUST_CHECK carom_status bouncing_pendulum_study_orders(const settings *values, int threads,
                                                             carom_record *record,
                                                             carom_report *report);

/** Write /condition: the condition number of the Newton matrix for two steps. */
CAROM_MUST_CHECK carom_status bouncing_pendulum_study_conditioning(const settings *values,
                                                                   carom_record *record);

#endif
