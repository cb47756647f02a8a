/** What the parts of the tool share: options, the problem, and the laws applied to it. */
#ifndef CAROM_EXPERIMENTS_IMPACT_PROBLEM_RESULTS_H
#define CAROM_EXPERIMENTS_IMPACT_PROBLEM_RESULTS_H

#include <carom/carom.h>
#include <carom/impact/propagative_impact.h>
#include <carom/study/impact_study.h>
#include <carom/study/problem_file.h>

/** Longest path inside the record that is made here. */
enum { PATH_SIZE = 96 };

/** Planes that are drawn at most: pairs of normal speeds, and two for each of the first contacts.
 */
enum { MOST_PLANES = 24 };

/** The laws, in the order of the choices of --law. */
typedef enum impact_law {
    LAW_ROUTH,
    LAW_ANITESCU_POTRA,
    LAW_ANITESCU_POTRA_ALL,
    LAW_SEQUENTIAL,
    LAW_SAMPLING,
    LAW_INCLUSION,
    LAW_BOUNDS,
    LAW_PROPAGATIVE,
    LAW_NEWTON_MOREAU,
    LAW_COUNT /**< all that apply */
} impact_law;

/** The choices of --rule: carom_propagative_rule, and no rule. */
enum { RULE_ALL = CAROM_PROPAGATIVE_RANDOM + 1 };

/** Everything that options set, and the problem that follows from it. */
typedef struct settings {
    const char *path;     /**< of the problem file; NULL: the example; NULL too once it is read */
    int law;              /**< impact_law */
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
    carom_impact_findings *findings;
    carom_report *report;
} application;

/* --- problem.c -------------------------------------------------------------------------------- */

/** Read the problem and refuse what the options cannot see one by one. */
CAROM_MUST_CHECK carom_status impact_problem_check(settings *values, carom_report *report);

/** The step that was asked for, or CAROM_IMPACT_STEP_PART of carom_impact_stopping_impulse. */
double impact_problem_step(const settings *values);

/** Planes to be drawn, without limits: normal speeds by pairs of contacts, and the speeds of each
 * contact; returns their number. Names are kept in `names`. */
int impact_problem_planes(const carom_impact_record *target, carom_plane planes[MOST_PLANES],
                          char names[MOST_PLANES][PATH_SIZE]);

/* --- laws.c ----------------------------------------------------------------------------------- */

/** Whether a law applies to the problem. */
bool impact_problem_applies(const carom_impact_problem *problem, impact_law law);

/** Apply a law and write its group. */
CAROM_MUST_CHECK carom_status impact_problem_apply(const application *a, impact_law law);

/** The group of a law that cannot go on: for its failure. */
const char *impact_problem_group(impact_law law);

/* --- restitution.c -----------------------------------------------------------------------------
 */

/** Write /propagative: all outcomes, or the sequence of a rule. */
CAROM_MUST_CHECK carom_status impact_problem_propagate(const application *a);

/** Write /newton_moreau: all solutions in the plane, else one. */
CAROM_MUST_CHECK carom_status impact_problem_newton_moreau(const application *a);

/* --- inclusion.c ------------------------------------------------------------------------------ */

/** Write /inclusion: the path of equal shares, and where random paths end. */
CAROM_MUST_CHECK carom_status impact_problem_include(const application *a);

#endif
