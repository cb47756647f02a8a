/** Exact paths of the impact inclusion (halm-2023 (39)-(40)) in the plane. */
#ifndef CAROM_IMPACT_PLANAR_INCLUSION_H
#define CAROM_IMPACT_PLANAR_INCLUSION_H

#include <carom/base/attributes.h>
#include <carom/impact/impact_problem.h>

#include <stdbool.h>

CAROM_BEGIN_DECLARATIONS

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
    int coordinate_count; /**< n */
    int contact_count;    /**< m */
    int row_count;        /**< r = 2 m */
    int segment_count;
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

/** Free; NULL is accepted. */
void carom_planar_inclusion_path_free(carom_planar_inclusion_path *path);
CAROM_AUTO_TYPE(carom_planar_inclusion_path)

CAROM_END_DECLARATIONS

#endif
