/** Where a continuum of admissible motions ends. */
#ifndef CAROM_MODES_BRANCH_END_H
#define CAROM_MODES_BRANCH_END_H

#include <carom/base/attributes.h>

CAROM_BEGIN_DECLARATIONS

/** Kinds of ends, each with the name that records use. */
#define CAROM_BRANCH_END_LIST(X)                                                                \
    X(HARMONIC, "harmonic", "T tends to p T_l and all impacts to zero: a grazing linear mode")  \
    X(INFINITE_SPEED, "infinite_speed", "impact speeds grow without bound at a finite period")  \
    X(NEW_CONTACT, "new_contact", "the gap closes inside a flight: a grazing contact is added") \
    X(VANISHING_IMPACT, "vanishing_impact", "an impact becomes a graze: its speed vanishes")    \
    X(VANISHING_FLIGHT, "vanishing_flight", "a flight time tends to zero: two impacts merge")   \
    X(SHORT_PERIOD, "short_period", "the period tends to zero (prestressed contact)")           \
    X(CLOSED, "closed", "no end: the continuum returns to where it began")                      \
    X(LIMIT, "limit", "a bound of the computation was reached: period, length or steps")        \
    X(FAILED, "failed", "the next point could not be computed")

typedef enum carom_branch_end {
#define CAROM_BRANCH_END_ENUMERATE(code, name, sentence) CAROM_BRANCH_END_##code,
    CAROM_BRANCH_END_LIST(CAROM_BRANCH_END_ENUMERATE)
#undef CAROM_BRANCH_END_ENUMERATE
} carom_branch_end;

/** The name of an end ("new_contact"), a static string. */
const char *carom_branch_end_name(carom_branch_end end);

/** What it means, in one line, a static string. */
const char *carom_branch_end_sentence(carom_branch_end end);

CAROM_END_DECLARATIONS

#endif
