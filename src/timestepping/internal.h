/** Rows and columns of a trajectory, for those who fill or record one; motions without forces. */
#ifndef CAROM_TIMESTEPPING_INTERNAL_H
#define CAROM_TIMESTEPPING_INTERNAL_H

#include <carom/base/parallel.h>
#include <carom/impact/propagative_impact.h>
#include <carom/timestepping/trajectory.h>

enum { CAROM_TRAJECTORY_COLUMNS = 34 };

/** All columns, time first. */
extern const carom_trajectory_column carom_trajectory_columns[CAROM_TRAJECTORY_COLUMNS];

/** The array of a column: of double, or of int if it is_integer; NULL if the kind has none. */
const void *carom_trajectory_values(const carom_trajectory *trajectory,
                                    const carom_trajectory_column *column);

/** Length of a row of a column along an axis. */
int carom_trajectory_length(const carom_trajectory *trajectory, carom_trajectory_axis axis);

/** Bytes of a row of a mechanism's trajectory. */
size_t carom_trajectory_row_size(const carom_mechanism *mechanism, carom_trajectory_kind kind);

/** Fill the last row with a time and what is not known: NaN, and zeros in columns of integers. */
void carom_trajectory_leave_unknown(carom_trajectory *trajectory, double time);

/** Append rows first .. first+count-1 of a run with the same columns. @return CAROM_OK;
 * OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_trajectory_append_rows(carom_trajectory *to,
                                                           const carom_trajectory *from, int first,
                                                           int count);

/** Append all rows, as what an item of a map leaves. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_trajectory_pack(const carom_trajectory *rows,
                                                    carom_parallel_bytes *bytes);

/**
 * The rows again, of the same mechanism.
 *
 * @param[in]     mechanism whose motion it is
 * @param[in,out] data      where they begin, and then what follows them
 * @param[in,out] left      bytes from there on
 * @param[out]    out       to be freed by carom_trajectory_free; NULL on failure
 * @return CAROM_OK; BAD_FORMAT; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_trajectory_unpack(const carom_mechanism *mechanism,
                                                      const unsigned char **data, size_t *left,
                                                      carom_trajectory **out);

struct carom_variational_trajectory;

/** The same of a run with its impacts. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_variational_trajectory_pack(
    const struct carom_variational_trajectory *trajectory, carom_parallel_bytes *bytes);

/** As carom_trajectory_unpack. */
CAROM_MUST_CHECK carom_status
carom_variational_trajectory_unpack(const carom_mechanism *mechanism, const unsigned char **data,
                                    size_t *left, struct carom_variational_trajectory **out);

struct carom_stepper;

/**
 * Append all that the next steps of a stepper depend on; residuals and iterations of the last one
 * are not among it.
 *
 * @param[in,out] stepper started, and not failed since; only read
 * @param[in,out] bytes   grows by the two last states, the mass and the rows at the last point
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_stepper_pack(struct carom_stepper *stepper,
                                                 carom_parallel_bytes *bytes);

/**
 * Let a stepper go on from there, with the same bits.
 *
 * @param[in,out] stepper of the same mechanism and parameters, started from the same state
 * @param[in,out] data    where they begin, and then what follows them
 * @param[in,out] left    bytes from there on
 * @param[out]    report  as of carom_mechanism.update_contacts; may be NULL
 * @return CAROM_OK; BAD_FORMAT: of another stepper; OUT_OF_MEMORY; as
 * carom_mechanism.update_contacts
 */
CAROM_MUST_CHECK carom_status carom_stepper_unpack(struct carom_stepper *stepper,
                                                   const unsigned char **data, size_t *left,
                                                   carom_report *report);

struct carom_stepper_run;

/** As carom_stepper_run_next, with at most so many rows, 1 or more. */
CAROM_MUST_CHECK carom_status carom_stepper_run_next_rows(struct carom_stepper_run *run, int most,
                                                          const carom_trajectory **rows,
                                                          carom_report *report);

/** As carom_stepper_pack of a run after a block, without its rows. @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_stepper_run_pack(struct carom_stepper_run *run,
                                                     carom_parallel_bytes *bytes);

/** Let a run with the same parameters go on there: the next block is the one after.
 * @return as carom_stepper_unpack and carom_stepper_start */
CAROM_MUST_CHECK carom_status carom_stepper_run_unpack(struct carom_stepper_run *run,
                                                       const unsigned char **data, size_t *left,
                                                       carom_report *report);

/** Rows of a run that are chosen, block by block. */
typedef struct carom_trajectory_choice carom_trajectory_choice;

/** Rows that are chosen of a run of `total` rows; 0: not known before it has ended. */
int carom_recorded_steps_count(carom_recorded_steps steps, int total);

/**
 * Begin to choose.
 *
 * @param[in]  mechanism of the run
 * @param[in]  rows      its first block, for kind and sizes
 * @param[in]  steps     which
 * @param[out] out       to be freed by carom_trajectory_choice_free; NULL on failure
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_trajectory_choice_alloc(const carom_mechanism *mechanism,
                                                            const carom_trajectory *rows,
                                                            carom_recorded_steps steps,
                                                            carom_trajectory_choice **out);

/** The chosen rows of the next block, borrowed until the one after; the block itself if all are
 * chosen. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_trajectory_choice_next(carom_trajectory_choice *choice,
                                                           const carom_trajectory *rows,
                                                           const carom_trajectory **chosen);

/** Append what the choice among the rows to come depends on. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_trajectory_choice_pack(const carom_trajectory_choice *choice,
                                                           carom_parallel_bytes *bytes);

/** Go on choosing there, in a run of the same sizes. @return CAROM_OK; BAD_FORMAT */
CAROM_MUST_CHECK carom_status carom_trajectory_choice_unpack(carom_trajectory_choice *choice,
                                                             const unsigned char **data,
                                                             size_t *left);

/** Free; NULL is accepted. */
void carom_trajectory_choice_free(carom_trajectory_choice *choice);
CAROM_AUTO_TYPE(carom_trajectory_choice)

/**
 * The time t_k = t_0 + k h of a step, counted from the start, so that rounding does not add up.
 *
 * @param[in]  start  t_0, s
 * @param[in]  step   h > 0, s
 * @param[in]  count  k >= 1
 * @param[out] time   t_k, s
 * @param[out] report step, its least and t_{k-1}; may be NULL
 * @return CAROM_OK; OUT_OF_RANGE: t_k = t_{k-1} in numbers of this precision
 */
CAROM_MUST_CHECK carom_status carom_time_after(double start, double step, long count, double *time,
                                               carom_report *report);

/** How a motion without forces is followed. */
typedef struct carom_force_free_params {
    carom_propagative_params rule; /**< order of the single impacts */
    double touching;               /**< >= 0, gaps up to it are closed, m */
    int most_impacts;              /**< more are an inelastic collapse */
} carom_force_free_params;

/**
 * The exact motion of bodies without forces whose gaps are affine, as those of balls on a line:
 * free flights between impacts of the propagative law, a row before and after each (position,
 * velocity, kinetic energy).
 *
 * @param[in]  mechanism coordinates of one unit; forces are not asked for
 * @param[in]  params    of the impacts
 * @param[in]  q0        [n] position, no gap negative beyond `touching`
 * @param[in]  v0        [n] velocity
 * @param[in]  duration  > 0, s
 * @param[out] out       belongs to the caller; NULL on failure
 * @param[out] report    time and number of impacts; may be NULL
 * @return CAROM_OK; OUT_OF_RANGE: duration; NOT_CONVERGED beyond the most impacts; OUT_OF_MEMORY;
 * as carom_impact_problem_of_mechanism and carom_impact_law_run Source: seghete-2014 (14).
 */
CAROM_MUST_CHECK carom_status carom_force_free_run(const carom_mechanism *mechanism,
                                                   const carom_force_free_params *params,
                                                   const double *q0, const double *v0,
                                                   double duration, carom_trajectory **out,
                                                   carom_report *report);

#endif
