/** Impacts as several experiments compute and record them: options of a sampling, contact modes,
 * the layout of a record, the laws applied to one impact, samplings compared. */
#ifndef CAROM_STUDY_IMPACTS_H
#define CAROM_STUDY_IMPACTS_H

#include <carom/base/base.h>
#include <carom/impact/impact_bounds.h>
#include <carom/impact/impact_inclusion.h>
#include <carom/impact/impact_law.h>
#include <carom/impact/impact_problem.h>
#include <carom/impact/sequential_impact.h>
#include <carom/models/model.h>
#include <carom/program/program.h>
#include <carom/record/record.h>

/* -------------------------------------------------------------------------------------- options */
/* Options of the experiments that sample sets of impact outcomes. */

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

/* -------------------------------------------------------------------------------- contact modes */
/* In which modes contacts are by their speeds. */

/** Speeds up to this part of their speed scale count as zero in a mode (the published
 * classification: 1e-7 m/s at speeds of order one). */
#define CAROM_CONTACT_MODE_RESTING_PART 1e-7

/** That speed in a row of contact space, m/s. */
double carom_contact_mode_resting_speed(const carom_impact_problem *problem, int row);

/** Whether the speed of a row of c [r] counts as zero. */
bool carom_contact_mode_is_at_rest(const carom_impact_problem *problem, const double *c, int row);

/**
 * The letters of the modes of contacts: L lifting (normal speed above
 * carom_contact_mode_resting_speed), else S sticking (tangential speed up to it) or s sliding.
 *
 * @param[in]  problem the problem
 * @param[in]  c       [r] speeds, m/s
 * @param[out] letters [m + 1] zero-terminated
 */
void carom_contact_mode_letters(const carom_impact_problem *problem, const double *c,
                                char *letters);

/* --------------------------------------------------------------------------------------- layout */
/* Impacts in a record: velocities before, outcomes of every law, sampled sets. */

/** Characters of the name of a contact or of a mode class, the closing zero included. */
#define CAROM_IMPACT_NAME_SIZE 40

/**
 * Where impacts are written, and what contacts are called. Velocities of contacts stand over
 * (solution, sample or stage) x `/contact`; tangential ones in space x `/tangent`, two rows for
 * each contact, else x `/contact` too.
 */
typedef struct carom_impact_record {
    carom_record *record;
    const carom_impact_problem *problem;
    const char *const *names; /**< [m] of contacts; NULL: A, B, ..., Z, A1, ... */
} carom_impact_record;

/** The name of contact i: of those given, or a letter. */
void carom_impact_record_name(const carom_impact_record *self, int i,
                              char name[CAROM_IMPACT_NAME_SIZE]);

/**
 * The names of some contacts in one text, with a separator between them.
 *
 * @param[in]  self      as above
 * @param[in]  count     of contacts
 * @param[in]  contacts  [count] which, in this order; NULL: 0, 1, ...
 * @param[in]  separator " "
 * @param[in]  size      of text, >= 1; count times that of a name and a separator is enough
 * @param[out] text      [size]
 */
void carom_impact_record_names(const carom_impact_record *self, int count, const int *contacts,
                               const char *separator, size_t size, char *text);

/**
 * Write the axes /contact, /coordinate, in space /tangent, and the group /before: velocity,
 * normal_velocity, tangential_velocity, kinetic_energy, is_colliding, names of the contacts. To be
 * called first.
 * @return CAROM_OK; OUT_OF_MEMORY: of all functions here that fail
 */
CAROM_MUST_CHECK carom_status carom_impact_record_before(const carom_impact_record *self);

/** Write the problem itself as /problem: mass, normal, tangential, friction. */
void carom_impact_record_problem(const carom_impact_record *self);

/** What rows of contact space mean. */
typedef struct carom_impact_quantity {
    const char *name;  /**< "velocity" */
    const char *when;  /**< "after the impact": completes the long names */
    const char *units; /**< "m s-1" */
} carom_impact_quantity;

/**
 * Write rows of contact space as GROUP/normal_NAME and GROUP/tangential_NAME.
 *
 * @param[in]     self     as above
 * @param[in,out] group    "/simultaneous"
 * @param[in]     axis     path of an axis of `count` rows
 * @param[in]     count    >= 1
 * @param[in]     rows     [count][r]
 * @param[in]     quantity what they are
 */
CAROM_MUST_CHECK carom_status carom_impact_record_rows(const carom_impact_record *self,
                                                       carom_record *group, const char *axis,
                                                       int count, const double *rows,
                                                       const carom_impact_quantity *quantity);

/**
 * Write a list of outcomes as a group ("/simultaneous"): count, and, if it is not zero, velocity
 * (solution x coordinate), normal_velocity, tangential_velocity, normal_impulse, tangential_impulse
 * (solution x contact), kinetic_energy, residual, multiplicity.
 */
CAROM_MUST_CHECK carom_status carom_impact_record_outcomes(const carom_impact_record *self,
                                                           carom_record *group,
                                                           const carom_impact_outcomes *outcomes);

/**
 * Write a sequence of impacts as a group ("/sequential/A_first"): stage_count, finished, residual,
 * and, if there are stages, contact (stage), velocity (stage x coordinate), normal_velocity,
 * tangential_velocity, normal_impulse, tangential_impulse (stage x contact), kinetic_energy: all
 * after the stage, impulses since v-.
 */
CAROM_MUST_CHECK carom_status carom_impact_record_sequence(const carom_impact_record *self,
                                                           carom_record *group,
                                                           const carom_sequential_impact *sequence);

/** Write the bounds of a sampling as /bounds: its fields by their names, and is_available 1; NULL:
 * is_available 0 alone. */
void carom_impact_record_bounds(const carom_impact_record *self, const carom_impact_bounds *bounds);

/**
 * Write a sample as /set: final_velocity, normal_velocity, tangential_velocity (sample x ...),
 * kinetic_energy, impulse, increments, finished, with CAROM_SELECTION_ALL over branches instead,
 * whose sample is told; the scalars count, sample_count, impulse_step,
 * mean_increments, mean_increments_standard_error, fraction_finished, mean_kinetic_energy,
 * increment_count, multivalued_fraction (NaN unless all solutions are enumerated),
 * energy_rise_count, unsolved_count, rescue_count, truncated_count, largest_residual, mean_pivots;
 * the histogram increment_histogram (how many samples took 0 .. N increments); over finished
 * samples the extents normal_velocity_min, normal_velocity_max, tangential_velocity_min,
 * tangential_velocity_max of each contact; and the mode classes: /set/modes/fraction (class, of the
 * finished samples), finished_count, count (of all), names, class_count, and the fraction of each
 * class as a scalar, /set/modes/SL and so on.
 */
CAROM_MUST_CHECK carom_status carom_impact_record_samples(
    const carom_impact_record *self, const carom_impact_sampling_params *params,
    const carom_impact_samples *samples);

/* ---------------------------------------------------------------------------------------- study */
/* The laws applied to one impact, and what comes of it written. */

/** Two rows of contact space and the rectangle of them that is drawn. */
typedef struct carom_plane {
    const char *name; /**< of its group in a record: "normal_AB", "contact_A" */
    int row_x;        /**< row of c, 0 .. r-1 */
    int row_y;        /**< row of c */
    double x_min;     /**< m/s; NaN: all four limits are those of a first run */
    double x_max;     /**< > x_min */
    double y_min;     /**< m/s */
    double y_max;     /**< > y_min */
} carom_plane;

/** What a program about one impact ends with: the outcomes of the laws, those of paths, the
 * sampled sets, and the contact modes in which samples end. */
extern const carom_table carom_impact_tables[4];

/** Who is told the samples of a set, part by part and in order. */
typedef struct carom_sample_listener {
    /** Called with the next samples, borrowed. @return CAROM_OK, or what ends the sampling */
    carom_status (*tell)(const carom_impact_samples *part, void *context, carom_report *report);
    void *context; /**< handed to it */
    bool has_maps; /**< tell has maps of its own: told between parts; else beside the next one */
} carom_sample_listener;

/** Samples of a part: long enough that threads do not wait, and few megabytes. */
enum { CAROM_IMPACT_PART_SAMPLES = 1 << 16 };

/** One impact, how it is sampled, and where it is written. */
typedef struct carom_impact_study {
    carom_impact_record target;          /**< record, problem, names of contacts */
    const carom_impact_options *options; /**< of the sampling */
    const carom_common_options *common;  /**< seed, threads, quiet */
    int facets;                          /**< of spatial cones; 0: 8; ignored in the plane */
    int plane_count;                     /**< that are drawn, may be 0 */
    const carom_plane *planes;           /**< [plane_count] */
    int pilot_samples; /**< from which open limits are taken, by the caps of the options; 0: few, by
                            caps that favour their corners */
    int part_samples;  /**< samples come in parts of so many and are forgotten, unless all branches
                             are followed: any number of them takes the memory of a part, and 4 bytes
                             each; 0: they are kept */
    carom_sample_listener watch; /**< told the samples; tell NULL: nobody */
} carom_impact_study;

/** Points whose distances from the samples are measured. */
typedef struct carom_sample_probes carom_sample_probes;

/** What came of it. Zeroed: nothing yet. */
typedef struct carom_impact_study_results {
    carom_impact_result *results[CAROM_IMPACT_LAW_COUNT]; /**< NULL: not asked for; of routh that of
                                                               the last contact */
    const carom_impact_outcomes *simultaneous;  /**< of anitescu_potra, borrowed from its result */
    const carom_sequential_impacts *sequential; /**< of sequential, likewise */
    const carom_impact_samples *samples;        /**< of sampling, likewise; NULL: streamed */
    bool has_bounds; /**< false: not asked for, or a jammed configuration */
    carom_impact_bounds bounds;
    bool has_covering; /**< false: not asked for, or no finished sample */
    carom_covering covering;
    carom_sample_probes *probes; /**< of a set that is streamed, owned */
} carom_impact_study_results;

/** Free what the results hold and zero them. */
void carom_impact_study_results_clear(carom_impact_study_results *results);

/** The group of a law below the root: its name, "simultaneous" for anitescu_potra, "set" for
 * sampling. */
const char *carom_impact_study_group(carom_impact_law_id id);

/** What the laws leave open, with the facets and the sampling of the study. */
carom_impact_law_params carom_impact_study_params(const carom_impact_study *self);

/**
 * Apply a law other than sampling and write its group in the layout of what it keeps: sequences as
 * /sequential/A_first and so on, in all orders as /sequential/A_B and so on; reflections as
 * carom_propagative_record_outcomes does; the path of an inclusion as /inclusion/equal; Routh's
 * impact of each contact, all others left out, as /routh/A; else a list of outcomes.
 *
 * @param[in]     self     the head of carom_impact_record_before has been written
 * @param[in]     id       law
 * @param[in]     params   NULL: carom_impact_study_params
 * @param[in,out] results  get the result
 * @param[out]    report   context: the group; may be NULL
 * @return CAROM_OK; what carom_impact_law_run returns; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_impact_study_apply(const carom_impact_study *self,
                                                       carom_impact_law_id id,
                                                       const carom_impact_law_params *params,
                                                       carom_impact_study_results *results,
                                                       carom_report *report);

/**
 * The sampled set with its paths in every plane: /set. Planes without limits take those of the
 * first samples, zero included, and a margin. How many samples did not finish is said on stderr;
 * NOT_CONVERGED, and nothing written, if none did.
 */
CAROM_MUST_CHECK carom_status carom_impact_study_sample(const carom_impact_study *self,
                                                        carom_impact_study_results *results,
                                                        carom_report *report);

/** The bounds of the sampling: /bounds; is_available 0, and CAROM_OK, for a jammed configuration.
 */
CAROM_MUST_CHECK carom_status carom_impact_study_bounds(const carom_impact_study *self,
                                                        carom_impact_study_results *results,
                                                        carom_report *report);

/** Probes of the coverage: finished outcomes of another seed. */
enum { CAROM_IMPACT_PROBES = 4096 };

/**
 * How well the samples cover their set: /coverage/{probe_count, radius, mean, root_square}, from
 * the distances in contact space (m/s) of the outcomes of up to CAROM_IMPACT_PROBES samples of
 * another seed to the nearest sample, and the farthest of these, normal_velocity (farthest x
 * contact) and tangential_velocity; and the distances of the outcomes of the other laws, as
 * /simultaneous/distance (solution) and /sequential/ORDER/distance. Only finished samples count;
 * without any, or with more than CAROM_COVERING_MOST_DIMENSIONS rows, nothing is written but
 * probe_count 0. After the others.
 */
CAROM_MUST_CHECK carom_status carom_impact_study_coverage(const carom_impact_study *self,
                                                          carom_impact_study_results *results,
                                                          carom_report *report);

/**
 * All of it: before, simultaneous, sequential, set, bounds, coverage.
 *
 * @param[in]  self     as above
 * @param[out] results  to be cleared, whatever is returned
 * @param[out] report   may be NULL
 * @return CAROM_OK; the first failure
 */
CAROM_MUST_CHECK carom_status carom_impact_study_run(const carom_impact_study *self,
                                                     carom_impact_study_results *results,
                                                     carom_report *report);

/* ----------------------------------------------------------------------------------- comparison */
/* The same impact sampled with other choices: which solution of an increment, which caps. */

/** Distance in m/s of the nearest finished sample from speeds c [r]; infinite without any. */
double carom_impact_samples_distance(const carom_impact_samples *samples, const double *c);

/**
 * Sample once more with other parameters, for a comparison, and write a short account of it as a
 * group: mean_increments with its standard_error, fraction_finished, multivalued_fraction (NaN
 * unless solutions are enumerated), mean_kinetic_energy, rescue_count, unsolved_count; the extents
 * normal_velocity_max, tangential_velocity_min, tangential_velocity_max over /contact; and the
 * shares of finished samples in each class of modes, modes/SL and so on.
 *
 * @param[in]  study  planar; its problem and record
 * @param[in]  group  "/selections/lemke"
 * @param[in]  params of this sampling
 * @param[out] report may be NULL
 * @return what carom_impact_sample returns; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_impact_study_vary(const carom_impact_study *study,
                                                      const char *group,
                                                      const carom_impact_sampling_params *params,
                                                      carom_report *report);

/** How many samples of a comparison there are at most. */
typedef struct carom_impact_comparison_sizes {
    int samples;    /**< by Lemke's method */
    int enumerated; /**< with all solutions of an increment enumerated; 0: such are left out */
    int branched;   /**< whose branches are all followed; 0: so is "first" */
} carom_impact_comparison_sizes;

/** 2^16, for shares of modes to 0.2 percent, and 2^12: each has up to 3^N branches. */
carom_impact_comparison_sizes carom_impact_comparison_sizes_default(void);

/**
 * Sample a planar impact with every selection, the rest as chosen, and write a short account of
 * each (carom_impact_study_vary) as /selections/{lemke, lemke_scaled, lemke_random_cover, random,
 * first, all}.
 *
 * @param[in]  study  with its record
 * @param[in]  sizes  as above
 * @param[out] report may be NULL
 * @return what carom_impact_study_vary returns
 */
CAROM_MUST_CHECK carom_status carom_impact_study_compare_selections(
    const carom_impact_study *study, carom_impact_comparison_sizes sizes, carom_report *report);

/** The same with every distribution of the caps: /distributions/{uniform, simplex, corners,
 * sobol}; Sobol points are left out where they have too few dimensions. */
CAROM_MUST_CHECK carom_status carom_impact_study_compare_distributions(
    const carom_impact_study *study, carom_impact_comparison_sizes sizes, carom_report *report);

#endif
