/** The set-valued impact inclusion (halm-2023): increments of impulse with random caps, whole
 * samples of outcomes, and exact paths in the plane. */
#ifndef CAROM_IMPACT_IMPACT_INCLUSION_H
#define CAROM_IMPACT_IMPACT_INCLUSION_H

#include <carom/base/base.h>
#include <carom/base/workers.h>
#include <carom/impact/impact_problem.h>

#include <stdbool.h>

CAROM_BEGIN_DECLARATIONS

/* -------------------------------------------------------------------------------------- samples */
/* Sets of outcomes by random sequences of impulse increments (halm-2023 Algorithms 1 and 2). */

/** Random caps of the normal impulses of an increment, points of a sequence by index. */
typedef enum carom_cap_distribution {
    CAROM_CAPS_UNIFORM, /**< independent and uniform */
    CAROM_CAPS_SOBOL,   /**< Sobol points over all increments of a trajectory, digitally shifted by
                           the seed */
    CAROM_CAPS_SIMPLEX, /**< each increment's caps uniform on the simplex of sum 1 */
    CAROM_CAPS_CORNERS  /**< each cap 0+, uniform or 1 with equal probability: reaches the extremes
                           of a  set */
} carom_cap_distribution;

/** Most dimensions of a point: increments of a trajectory times contacts. */
enum { CAROM_CAPS_MOST_DIMENSIONS = 128 };

/** Which solution of an increment is taken where there are several. */
typedef enum carom_increment_selection {
    CAROM_SELECTION_LEMKE,              /**< Lemke's, covering vector by covering_mass */
    CAROM_SELECTION_LEMKE_SCALED,       /**< Lemke's, cone rows divided by their friction */
    CAROM_SELECTION_LEMKE_RANDOM_COVER, /**< Lemke's, random covering vector */
    CAROM_SELECTION_RANDOM,             /**< random among all (planar) */
    CAROM_SELECTION_FIRST,              /**< first of all in the order of modes (planar) */
    CAROM_SELECTION_ALL                 /**< every one: branches (planar) */
} carom_increment_selection;

/**
 * Called once for each outcome, from any thread, in the order of its increments.
 *
 * @param sample      index of the sample
 * @param point_count increments + 1
 * @param path        [point_count][r] speeds c- first, m/s
 * @param context     observer_context of the parameters
 */
typedef void (*carom_impact_observer)(int sample, int point_count, const double *path,
                                      void *context);

/** Impulse steps that are not given are this part of carom_impact_stopping_impulse. */
#define CAROM_IMPACT_STEP_PART 2.0

/** How outcomes are drawn. */
typedef struct carom_impact_sampling_params {
    int samples;                         /**< M >= 1 */
    int trajectory_length;               /**< N >= 1: most increments of a sample */
    double impulse_step;                 /**< h, N s: caps lie in [0, h]; 0: from the problem */
    carom_cap_distribution distribution; /**< of the caps */
    carom_increment_selection selection; /**< among several solutions */
    unsigned long seed;                  /**< of the draws: sample i depends on seed and i alone */
    carom_workers workers;               /**< who computes them */
    int facets;                          /**< of spatial cones; ignored in the plane */
    int most_branches;                   /**< of one sample with CAROM_SELECTION_ALL, >= 1 */
    double final_step;                   /**< N s: cap of Algorithm 2's last increment; 0: none */
    double covering_mass; /**< kg, of Lemke's covering vector: 1 on rows of speeds, this on rows of
                               impulses; 0: ones in the kinetic metric, and the solution that
                               it finds does not depend on the units */
    carom_impact_observer observer; /**< may be NULL */
    void *observer_context;         /**< handed to it */
    const struct carom_parallel_results
        *observed; /**< where the observer leaves what: arrays with one entry a sample, marks; NULL:
                      each rank of a program follows all samples */
    int first_sample; /**< number of the first sample: a set in parts is the set, part by part;
                         arrays of `observed` begin with it */
    const struct carom_parallel_chore
        *beside; /**< what this process does besides, while others sample; NULL: nothing */
} carom_impact_sampling_params;

/** M = 2^14, N = 10, h from the problem, uniform caps, Lemke, seed 0, all cores, 8 facets, 64
 * branches, no final step, covering mass 0. */
carom_impact_sampling_params carom_impact_sampling_params_default(void);

/**
 * Outcomes in the order of samples and, within one, of branches; one for each sample but with
 * CAROM_SELECTION_ALL. Read, never written, by users.
 */
typedef struct carom_impact_samples {
    int coordinate_count;     /**< n */
    int row_count;            /**< r */
    int count;                /**< outcomes */
    int *sample;              /**< [count] sample of an outcome */
    double *velocity;         /**< [count][n] v+, m/s */
    double *contact_velocity; /**< [count][r] c+, m/s */
    double *kinetic_energy;   /**< [count] J */
    double *impulse;          /**< [count] sum of normal impulses: the s of the inclusion, N s */
    int *increments;          /**< [count] problems solved */
    int *is_finished;         /**< [count] 1: no contact is colliding any more */

    long increment_count;   /**< solved in all */
    long multivalued_count; /**< with more than one velocity; enumerating selections, else 0 */
    long energy_rise_count; /**< that raised kinetic energy by more than 1e-12 of the largest one */
    long unsolved_count;    /**< without a solution: their samples end there, unfinished */
    long rescue_count;      /**< that needed more than one attempt */
    long pivot_count;       /**< of Lemke's method */
    long truncated_count;   /**< samples with more branches than most_branches, or with an
                                increment of more than 32 velocities */
    double largest_residual;    /**< of the complementarity problems, 1 */
    double mean_increments;     /**< over outcomes */
    double fraction_finished;   /**< of the samples, 1 */
    double mean_kinetic_energy; /**< of finished outcomes, J */
} carom_impact_samples;

/**
 * Draw caps in the box [0,h]^m and apply increments until no contact is colliding, at most N times;
 * M times over. A v- that is not colliding is returned unchanged, with no increment. The same bytes
 * for any number of threads.
 *
 * @param[in]  problem the problem
 * @param[in]  params  as above
 * @param[out] out     belongs to the caller
 * @param[out] report  quantity refused; may be NULL
 * @return CAROM_OK; OUT_OF_RANGE: parameters, dimension N m beyond the sampler's, an enumerating
 * selection with a spatial problem or too many contacts; OUT_OF_MEMORY
 * Source: halm-2023 Algorithm 1 with i < N, Algorithm 2 with final_step > 0; section 5.
 */
CAROM_MUST_CHECK carom_status carom_impact_sample(const carom_impact_problem *problem,
                                                  const carom_impact_sampling_params *params,
                                                  carom_impact_samples **out, carom_report *report);

/** Free; NULL is accepted. */
void carom_impact_samples_free(carom_impact_samples *samples);
CAROM_AUTO_TYPE(carom_impact_samples)

/* ---------------------------------------------------------------------------------- exact paths */
/* Exact paths of the impact inclusion (halm-2023 (39)-(40)) in the plane. */

/**
 * How the contacts share the normal impulse from a corner of the path on. Called once for each
 * segment.
 *
 * @param[in]  segment number of the segment, from 0
 * @param[in]  s       impulse so far, N s
 * @param[in]  c       [r] speeds, m/s
 * @param[out] weights [m] >= 0, not all zero; contacts that separate are left out, see
 * carom_friction_rates_compute
 * @param[in]  context as given
 * @return length in s > 0 for which they hold at most; INFINITY: until the next event
 */
typedef double (*carom_inclusion_policy)(int segment, double s, const double *c, double *weights,
                                         void *context);

/** Context of carom_inclusion_policy_fixed. */
typedef struct carom_inclusion_mixtures {
    int contact_count;     /**< m */
    const double *weights; /**< [m] */
} carom_inclusion_mixtures;

/** The same weights until the end. */
double carom_inclusion_policy_fixed(int segment, double s, const double *c, double *weights,
                                    void *context);

/** Context of carom_inclusion_policy_random. */
typedef struct carom_inclusion_random {
    int contact_count;    /**< m */
    unsigned long seed;   /**< stream */
    unsigned long sample; /**< index of the path */
    double mean_length;   /**< of the segments, N s; INFINITY: only events end them */
} carom_inclusion_random;

/** Weights uniform on the simplex, lengths exponential; every number depends on its indices alone.
 */
double carom_inclusion_policy_random(int segment, double s, const double *c, double *weights,
                                     void *context);

/** Which weights a path takes, and how far it is followed. */
typedef struct carom_planar_inclusion_params {
    carom_inclusion_policy policy; /**< NULL: equal weights */
    void *context;                 /**< handed to it */
    int most_segments;             /**< >= 1 */
    bool starts_pressed; /**< a start that is not colliding may be an impact without collision */
} carom_planar_inclusion_params;

/** Equal weights, 10^4 segments, only collisions. */
carom_planar_inclusion_params carom_planar_inclusion_params_default(void);

/** Speeds are linear between the corners 0 .. segment_count. Read, never written, by users. */
typedef struct carom_planar_inclusion_path {
    int coordinate_count;    /**< n */
    int contact_count;       /**< m */
    int row_count;           /**< r = 2 m */
    int segment_count;       /**< segments, one shorter than the list of corners */
    bool is_finished;        /**< no contact is colliding; false: most_segments came first */
    double *s;               /**< [segment_count+1] sum of the normal impulses, N s */
    double *speed;           /**< [segment_count+1][r] c, m/s */
    double *rate;            /**< [segment_count][r] (p, l) from a corner on, 1 */
    double *impulse;         /**< [r] L of the whole path, N s */
    double *velocity;        /**< [n] v+, m/s */
    double *kinetic_energy;  /**< [segment_count+1] J */
    double largest_residual; /**< of the friction problems, 1 */
} carom_planar_inclusion_path;

/**
 * The path of the inclusion from v- for given shares p(s) of the contacts: v(s) is piecewise
 * linear and unique for them, with corners where a sliding or a normal speed comes to zero and
 * where the policy changes its mind. It ends where no contact is colliding, J_n v >= 0.
 *
 * @param[in]  problem planar; a v- that is not colliding gives a path without segments
 * @param[in]  params  as above
 * @param[out] out     belongs to the caller
 * @param[out] report  may be NULL
 * @return CAROM_OK, also for paths that are not finished; OUT_OF_RANGE: params, a problem that is
 * not planar, what the policy returns; RAY, NOT_CONVERGED, NOT_FINITE of the friction problem;
 * NOT_CONVERGED also if no event is ahead (kinetic energy would fall for ever: rounding);
 * OUT_OF_MEMORY
 * Source: halm-2023 (36)-(40) with piecewise constant p. With one contact, Routh's method. Exact up
 * to rounding: speeds within 1e-13 of the largest initial one are zero.
 * Cost: that of carom_friction_rates_compute for each segment.
 */
CAROM_MUST_CHECK carom_status carom_planar_inclusion_run(
    const carom_impact_problem *problem, const carom_planar_inclusion_params *params,
    carom_planar_inclusion_path **out, carom_report *report);

/**
 * Largest deviation of a path from K' = sum p (v_n - mu |v_t|), in a segment and as a part of the
 * energy before: 0 up to rounding.
 *
 * @param[in] problem whose path it is
 * @param[in] path    of any policy
 * Source: halm-2023 (41), which is linear in a segment: the change of K is its mean times the
 * length.
 */
double carom_planar_inclusion_energy_error(const carom_impact_problem *problem,
                                           const carom_planar_inclusion_path *path);

/** Free; NULL is accepted. */
void carom_planar_inclusion_path_free(carom_planar_inclusion_path *path);
CAROM_AUTO_TYPE(carom_planar_inclusion_path)

/** Where random paths of an inclusion end. Read, never written, by users. */
typedef struct carom_inclusion_ends {
    int count;              /**< paths */
    double *velocity;       /**< [count][n] v+, m/s */
    double *speed;          /**< [count][r] c+, m/s */
    double *kinetic_energy; /**< [count] J */
    double *impulse;        /**< [count] s, sum of the normal impulses, N s */
    double *energy_error;   /**< [count] carom_planar_inclusion_energy_error, 1 */
    int *segments;          /**< [count] straight segments */
    int *finished;          /**< [count] 1: no contact is colliding */
} carom_inclusion_ends;

/**
 * Follow random paths, the same ones for any number of threads.
 *
 * @param[in]  problem planar
 * @param[in]  shares  of the first path; the next ones have the samples that follow
 * @param[in]  count   paths, >= 1
 * @param[in]  workers who computes them
 * @param[out] out     belongs to the caller
 * @param[out] report  may be NULL
 * @return CAROM_OK; as carom_planar_inclusion_run
 */
CAROM_MUST_CHECK carom_status carom_inclusion_ends_find(const carom_impact_problem *problem,
                                                        const carom_inclusion_random *shares,
                                                        int count, carom_workers workers,
                                                        carom_inclusion_ends **out,
                                                        carom_report *report);

/** Free; NULL is accepted. */
void carom_inclusion_ends_free(carom_inclusion_ends *ends);
CAROM_AUTO_TYPE(carom_inclusion_ends)

CAROM_END_DECLARATIONS

#endif
