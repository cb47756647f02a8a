/** What the parts of the experiment share: scenes, laws, their outcomes, and where they are
 * written. */
#ifndef CAROM_EXPERIMENTS_IMPACT_LAWS_RESULTS_H
#define CAROM_EXPERIMENTS_IMPACT_LAWS_RESULTS_H

#include <carom/carom.h>
#include <carom/impact/internal.h>

#include <math.h>
#include <stdbool.h>

/** Number of entries of an array. */
#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/** Longest path inside the record that is made here. */
enum { PATH_SIZE = 128 };

/** Longest sentence that says why a law has no outcome. */
enum { REASON_SIZE = CAROM_REPORT_SENTENCE_SIZE + 160 };

/** The laws that need nothing but the problem: the first of the table; of --law: all. */
enum { LAWS = CAROM_IMPACT_LAW_ROUTH };

/** The restitution and friction that all laws get alike. */
typedef enum impact_setting {
    SETTING_ELASTIC,  /**< e = 1, no friction */
    SETTING_PLASTIC,  /**< e = 0, no friction */
    SETTING_FRICTION, /**< e = 0, friction of the scene: left out where it has none */
    SETTING_OWN,      /**< e and friction of the scene: left out where it is one of the others */
    SETTINGS          /**< how many */
} impact_setting;

/** Everything that options set. */
typedef struct settings {
    int scene;          /**< index in the table, or its length for all */
    int law;            /**< carom_impact_law_id, LAWS for all */
    int samples;        /**< of the sampled set */
    double ratio;       /**< of one stiffer contact to the others */
    double damping;     /**< ratio zeta of an inelastic compliant contact */
    double restitution; /**< instead of the scenes' own; NaN: theirs */
    double friction;    /**< likewise */
} settings;

/** One scene of a paper: an impact with all that laws need. */
typedef struct scene_entry {
    const char *name;   /**< group in the record */
    const char *paper;  /**< key */
    const char *title;  /**< one line */
    double restitution; /**< e of the paper, or of the law that it uses */
    carom_status (*make)(carom_impact_problem **out, carom_report *report);
} scene_entry;

/** How outcomes came about. */
typedef enum outcomes_kind {
    OUTCOMES_MISSING,      /**< not computed */
    OUTCOMES_FOUND,        /**< the law has outcomes */
    OUTCOMES_INAPPLICABLE, /**< the law does not apply to the input: see the reason */
    OUTCOMES_FAILED        /**< it has no outcome or could not find it: see the reason */
} outcomes_kind;

/** The outcomes of a law. Zeroed: nothing yet. */
typedef struct law_outcomes {
    outcomes_kind kind;
    char reason[REASON_SIZE];
    carom_outcome_set set; /**< distinct velocities after the impact */
    int cost;              /**< elementary steps of the law, see carom_impact_law */
    double unfinished;     /**< part of the samples that were given up, 1 */
    double residual;       /**< largest violation of the law's own conditions */
} law_outcomes;

/** A scene with the outcomes of all laws. */
typedef struct scene_result {
    const scene_entry *entry;
    carom_impact_problem *problem; /**< with its friction */
    carom_impact_problem *smooth;  /**< without */
    double restitution;            /**< its own e */
    bool has_friction;
    bool is_asked[SETTINGS]; /**< which settings it has */
    law_outcomes outcomes[SETTINGS][LAWS];
    double distance[SETTINGS][LAWS][LAWS]; /**< of the outcomes of one law from those of another */
} scene_result;

/** Everything computed and where it goes. */
typedef struct results {
    const settings *values;
    const carom_common_options *common;
    carom_record *record;
    carom_report *report;
    int count;            /**< scenes */
    scene_result *scenes; /**< [count] */
} results;

/* --- scenes.c --------------------------------------------------------------------------------- */

/** The table of all scenes, in the order of the papers. */
const scene_entry *impact_laws_scenes(int *count);

/** The same impact with mu at all contacts. */
CAROM_MUST_CHECK carom_status impact_laws_with_friction(const carom_impact_problem *problem,
                                                        double mu, carom_impact_problem **out,
                                                        carom_report *report);

/** Whether some contact can slide: its tangential rows are not zero. */
bool impact_laws_can_slide(const carom_impact_problem *problem);

/* --- writing.c -------------------------------------------------------------------------------- */

/** Write every scene as a group, the overview of all, and counts, energies and distances over all
 * scenes. */
CAROM_MUST_CHECK carom_status impact_laws_write(const results *r);

#endif
