/** What the parts of the tool share: options, the problem, and the laws applied to it. */
#ifndef CAROM_EXPERIMENTS_IMPACT_PROBLEM_RESULTS_H
#define CAROM_EXPERIMENTS_IMPACT_PROBLEM_RESULTS_H

#include <carom/carom.h>
#include <carom/study/impacts.h>
#include <carom/study/problem_file.h>

/** Longest path inside the record that is made here. */
enum { PATH_SIZE = 96 };

/** Planes that are drawn at most: pairs of normal speeds, and two for each of the first contacts.
 */
enum { MOST_PLANES = 24 };

/** The choices of --law: those of the table, and after them these. */
enum {
    LAW_ALL_SOLUTIONS =
        CAROM_IMPACT_LAW_COUNT, /**< of anitescu_potra, which alone is one by Lemke */
    LAW_BOUNDS,
    LAW_ALL_THAT_APPLY
};

/** The choices of --rule: carom_propagative_rule, and no rule. */
enum { RULE_ALL = CAROM_PROPAGATIVE_RANDOM + 1 };

/** Everything that options set, and the problem that follows from it. */
typedef struct settings {
    const char *path;     /**< of the problem file; NULL: the example; NULL too once it is read */
    int law;              /**< carom_impact_law_id, or LAW_... */
    int orders;           /**< carom_sequential_orders */
    int facets;           /**< of cones in space */
    int paths;            /**< random paths of the inclusion */
    int rule;             /**< carom_propagative_rule, or RULE_ALL: all sequences */
    int first;            /**< contact that the cyclic rule begins at */
    int momenta;          /**< most of the propagative law with all sequences */
    double restitution;   /**< of every contact */
    bool has_restitution; /**< it was given: laws without one refuse it */
    carom_impact_options sampling; /**< impulse_step NaN: from the problem */

    carom_problem_file *file; /**< made by impact_problem_check, freed by main */
    const char *names[CAROM_PROBLEM_FILE_MOST_CONTACTS];
    char defect[CAROM_PROBLEM_FILE_DEFECT_SIZE]; /**< of the file, for the report */
} settings;

/** What the laws need. */
typedef struct application {
    const settings *values;
    const carom_impact_study *study;
    carom_impact_study_results *study_results;
    carom_report *report;
} application;

/* --- problem.c -------------------------------------------------------------------------------- */

/** Read the problem and refuse options that do not fit together. */
CAROM_MUST_CHECK carom_status impact_problem_check(settings *values, carom_report *report);

/** The step that was asked for, or CAROM_IMPACT_STEP_PART of carom_impact_stopping_impulse. */
double impact_problem_step(const settings *values);

/** Planes to be drawn, without limits: normal speeds by pairs of contacts, and the speeds of each
 * contact; returns their number. Names are kept in `names`. */
int impact_problem_planes(const carom_impact_record *target, carom_plane planes[MOST_PLANES],
                          char names[MOST_PLANES][PATH_SIZE]);

/* --- laws.c ----------------------------------------------------------------------------------- */

/** Whether a choice of --law is for such contacts: in the plane, few enough for all solutions. */
bool impact_problem_applies(const carom_impact_problem *problem, int law);

/** Apply a choice of --law and write its group. */
CAROM_MUST_CHECK carom_status impact_problem_apply(const application *a, int law);

/** Say what is not an error but should be known, unless --quiet. */
CAROM_PRINTF(2, 3) void impact_problem_announce(const application *a, const char *format, ...);

#endif
