/** What the experiments share that sample sets of impact outcomes: their options. */
#ifndef CAROM_STUDY_IMPACT_OPTIONS_H
#define CAROM_STUDY_IMPACT_OPTIONS_H

#include <carom/impact/impact_law.h>
#include <carom/models/model.h>
#include <carom/program/program.h>

/** Values behind --samples --trajectory-length --impulse-step --sampling --selection --final-step
 * --branches. */
typedef struct carom_impact_options {
    int samples;           /**< M */
    int trajectory_length; /**< N */
    double impulse_step;   /**< h, N s; NaN: from the problem */
    int sampling;          /**< carom_cap_distribution */
    int selection;         /**< carom_increment_selection */
    double final_step;     /**< N s; 0: none */
    int branches;          /**< most of one sample with --selection all */
    double covering_mass;  /**< kg, no option: of the sampling parameters */
} carom_impact_options;

/** Choices of an option --law: the first laws of the table with hyphens, then others,
 * "newton-moreau|...|all"; cut to fit. */
void carom_impact_options_list_laws(int count, const char *others, size_t size, char *choices);

/** M, N and h from the experiment; uniform caps, Lemke's solution, no final step, 64 branches,
 * covering mass 0. */
carom_impact_options carom_impact_options_default(int samples, int trajectory_length,
                                                  double impulse_step);

/** Options whose settings are a carom_impact_options; an impulse step that is not given is that of
 * carom_impact_options_scale. */
extern const carom_option_table carom_impact_options_table;

/** Its rows before and after the impulse step, for an experiment with another default. */
extern const carom_option_table carom_impact_options_before_step;
extern const carom_option_table carom_impact_options_after_step;

/**
 * What is not given follows from a problem that was published with other masses and speeds: a NaN
 * impulse step is the published one in proportion to carom_impact_stopping_impulse, and the
 * covering vectors of Lemke's method, ones in kg, m and s there, are ones of masses in proportion
 * to those that the contacts feel. At the published parameters both are the published numbers.
 *
 * @param[in,out] values    impulse_step and covering_mass are set
 * @param[in]     scene     of the options
 * @param[in]     published the published one
 * @param[in]     step      its impulse step, N s
 * @param[out]    report    may be NULL
 * @return CAROM_OK; as carom_impact_problem_of_scene
 */
CAROM_MUST_CHECK carom_status carom_impact_options_scale(carom_impact_options *values,
                                                         const carom_impact_scene *scene,
                                                         const carom_impact_scene *published,
                                                         double step, carom_report *report);

/** Parameters of the sampling out of the options, its seed and threads from the common ones. */
carom_impact_sampling_params carom_impact_options_params(const carom_impact_options *values,
                                                         const carom_common_options *common);

/**
 * Refuse counts beyond the largest, and what no option shows alone: Sobol points of more dimensions
 * N m than there are, and selections among all solutions in space or with more contacts than are
 * enumerated.
 *
 * @param[in]  values        of the options
 * @param[in]  contact_count m
 * @param[in]  tangent_count t
 * @param[out] report        what is refused; may be NULL
 * @return CAROM_OK; OUT_OF_RANGE; CONFLICT
 */
CAROM_MUST_CHECK carom_status carom_impact_options_check(const carom_impact_options *values,
                                                         int contact_count, int tangent_count,
                                                         carom_report *report);

#endif
