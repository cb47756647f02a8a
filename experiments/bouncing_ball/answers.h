/** Tables of measures and claims, some of which are not asked in every run. */
#ifndef CAROM_EXPERIMENTS_BOUNCING_BALL_ANSWERS_H
#define CAROM_EXPERIMENTS_BOUNCING_BALL_ANSWERS_H

#include "results.h"

/** A number drawn from the runs. */
typedef struct measure {
    const char *name;
    double value; /**< not finite: not asked in this run, not written */
    const char *units;
    const char *long_name;
} measure;

/** A statement decided from the runs. */
typedef struct claim {
    const char *name;
    int holds; /**< 0, 1 or UNDECIDED */
    const char *statement;
} claim;

/** Of a claim: not asked in this run, not written. */
enum { UNDECIDED = -1 };

/** Number of rows of a table. */
#define LENGTH(array) ((int)(sizeof(array) / sizeof((array)[0])))

/** Whether a statement holds; UNDECIDED if it is not asked. */
int bouncing_ball_decide(bool is_asked, bool holds);

/** Write the measures that have a value. */
void bouncing_ball_write_measures(carom_record *record, int count, const measure *list);

/** Write the claims that are decided. */
void bouncing_ball_write_claims(carom_record *record, int count, const claim *list);

#endif
