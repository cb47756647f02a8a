/** A whole run of the inclusion in memory. */
#ifndef CAROM_TIMESTEPPING_INCLUSION_INCLUSION_TRAJECTORY_H
#define CAROM_TIMESTEPPING_INCLUSION_INCLUSION_TRAJECTORY_H

#include <carom/base/attributes.h>
#include <carom/timestepping/inclusion/inclusion.h>

CAROM_BEGIN_DECLARATIONS

/**
 * Row 0 is the start, row k the end of step k. Rates are those of the step that led to a row, per
 * unit of s: dt/ds + sum of the normal rates = 1; NaN in row 0. Read, never written, by users.
 */
typedef struct carom_inclusion_trajectory {
    int row_count;            /**< steps + 1 */
    int coordinate_count;     /**< n */
    int contact_count;        /**< m */
    int tangent_count;        /**< t: 0 without friction */
    double *s;                /**< [row] s */
    double *time;             /**< [row] s */
    double *position;         /**< [row][n] */
    double *velocity;         /**< [row][n] */
    double *gap;              /**< [row][m] m */
    double *time_rate;        /**< [row] dt/ds, 1 */
    double *normal_rate;      /**< [row][m] Lambda_n/(kappa ds), 1 */
    double *tangential_rate;  /**< [row][m t] Lambda_t/(kappa ds), 1 */
    double *kinetic_energy;   /**< [row] J */
    double *potential_energy; /**< [row] J */
    int shortened_count;      /**< steps that were shortened */
    long problem_count;       /**< complementarity problems solved */
    double largest_residual;  /**< of the last one of each step */
    double smallest_gap;      /**< m; +infinity without contacts */
} carom_inclusion_trajectory;

/**
 * Run from (q0, v0) at t = 0 over an s-length, in steps of params->step; the last one is as long as
 * is left.
 *
 * @param[in]  mechanism the system
 * @param[in]  params    as for carom_inclusion_stepper_alloc
 * @param[in]  q0        [n]
 * @param[in]  v0        [n]
 * @param[in]  length    of s, > 0, s
 * @param[in]  duration  of t, > 0: the run ends after the first step that reaches it; INFINITY:
 * none
 * @param[out] out       belongs to the caller; NULL on failure
 * @param[out] report    may be NULL
 * @return as carom_inclusion_stepper_alloc, _start and _advance; OUT_OF_RANGE: length, duration
 */
CAROM_MUST_CHECK carom_status carom_inclusion_run(const carom_mechanism *mechanism,
                                                  const carom_inclusion_params *params,
                                                  const double *q0, const double *v0, double length,
                                                  double duration, carom_inclusion_trajectory **out,
                                                  carom_report *report);

/** Free; NULL is accepted. */
void carom_inclusion_trajectory_free(carom_inclusion_trajectory *trajectory);
CAROM_AUTO_TYPE(carom_inclusion_trajectory)

/** Time at a value of s, clamped to the run: linear between the rows, as the scheme is. */
double carom_inclusion_trajectory_time(const carom_inclusion_trajectory *trajectory, double s);

CAROM_END_DECLARATIONS

#endif
