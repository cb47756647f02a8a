/** What the parts of the tool share: options, the problem, and the laws applied to it. */
#ifndef CAROM_EXPERIMENTS_IMPACT_PROBLEM_RESULTS_H
#define CAROM_EXPERIMENTS_IMPACT_PROBLEM_RESULTS_H

#include <carom/carom.h>
#include <carom/study/impacts.h>
#include <carom/study/problem_file.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

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

    carom_problem_file *file; /**< made by the check, freed by main */
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

/* --- laws.c ----------------------------------------------------------------------------------- */

/** Whether a choice of --law is for such contacts: in the plane, few enough for all solutions. */
bool impact_problem_applies(const carom_impact_problem *problem, int law);

/** Write the problem, apply the selected laws, and say where no contact collides or no bound
 * exists. */
CAROM_MUST_CHECK carom_status impact_problem_apply(const application *a);

#endif
