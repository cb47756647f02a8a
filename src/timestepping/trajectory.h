/** A run of any scheme in memory, row by row, and what is measured of it. */
#ifndef CAROM_TIMESTEPPING_TRAJECTORY_H
#define CAROM_TIMESTEPPING_TRAJECTORY_H

#include <carom/base/base.h>
#include <carom/contact/contact.h>
#include <carom/mechanism/mechanism.h>

#include <stdbool.h>
#include <stddef.h>

CAROM_BEGIN_DECLARATIONS

/* ------------------------------------------------------------------------------- the trajectory */
/* A run of a scheme in memory, row by row: what records and figures are made of. */

/** Who fills a trajectory, which decides its columns. One bit each. */
typedef enum carom_trajectory_kind {
    CAROM_TRAJECTORY_SMOOTH = 1,    /**< smooth_galpha */
    CAROM_TRAJECTORY_NONSMOOTH = 2, /**< the other schemes of fixed steps */
    CAROM_TRAJECTORY_INCLUSION = 4,
    CAROM_TRAJECTORY_VARIATIONAL = 8,
    CAROM_TRAJECTORY_MOTION = 16 /**< whoever knows no more than where it goes */
} carom_trajectory_kind;

/** Rows over time, growing at the end; arrays are [row] or [row][columns], NULL where the kind has
 * none. Read, never written, by users. */
typedef struct carom_trajectory {
    carom_trajectory_kind kind; /**< which scheme made it, and so what it has */
    int row_count;              /**< rows so far */
    int capacity;               /**< rows that fit */
    int coordinate_count;       /**< n */
    int position_count;         /**< n_q */
    int joint_count;            /**< n_b */
    int contact_count;          /**< n_u */
    int tangent_count;          /**< t of a contact: 0 without friction */
    bool has_moving_supports;   /**< constraints depend on time */
    double step;                /**< h, s */
    carom_status outcome;       /**< CAROM_OK, or why the run ended before its last row */
    double failure_time;        /**< time that could not be reached, s; NaN if none */

    double *time;             /**< [row] s */
    double *position;         /**< [row][n_q] */
    double *velocity;         /**< [row][n] */
    double *energy;           /**< [row] J */
    double *kinetic_energy;   /**< [row] J */
    double *potential_energy; /**< [row] J */
    double *support_work;     /**< [row] done by supports that move since the start, J */
    double *residual;         /**< [row] largest scaled residual of the step */
    int *newton_iterations;   /**< [row] */
    double *gap;              /**< [row][n_u] m */
    double *gap_rate;         /**< [row][n_u] m/s */
    double *contact_force;    /**< [row][n_u] N; nonsmooth: zero; variational: normal impulse of the
                                 step / h, negative where a plastic impact pulls, which HELD may do */
    double *contact_impulse;  /**< [row][n_u] Lambda, N s; smooth: zero */
    double *friction_impulse; /**< [row][n_u t] Lambda_t of fixed steps, N s */
    double *contact_position_multiplier; /**< [row][n_u] nu, N s2; smooth: zero */
    int *position_active;                /**< [row][n_u] 0 or 1 */
    int *velocity_active;                /**< [row][n_u] 0 or 1 */
    double *joint_residual;              /**< [row][n_b] m */
    double *joint_rate;                  /**< [row][n_b] m/s */
    double *joint_force;                 /**< [row][n_b] lambda~, N */
    double *joint_impulse;               /**< [row][n_b] Lambda, N s; smooth: zero */
    double *joint_position_multiplier;   /**< [row][n_b] nu, N s2; smooth: zero */

    double *s;               /**< [row] s: time, and normal impulses over kappa */
    double *time_rate;       /**< [row] dt/ds in the step, 1 */
    double *normal_rate;     /**< [row][n_u] Lambda_n/(kappa ds) of the step, 1 */
    double *tangential_rate; /**< [row][n_u t] Lambda_t/(kappa ds) of the step, 1 */
    int *problems;           /**< [row] complementarity problems solved in the step */
    int *shortened;          /**< [row] 1 where the step was shortened, else 0 */

    double *momentum;       /**< [row][n] */
    double *holding_force;  /**< [row][n_u] impulse of held contacts / h, without impacts, N */
    double *friction_force; /**< [row][n_u t] friction impulse of the step / h, N */
    double *friction_work;  /**< [row] lost since the start, J. Fixed steps, with friction alone:
                               impulses along the mean of the sliding at both ends of each step */
    double *impact_loss;    /**< [row] lost since the start, J. Likewise, of normal impulses */
    int *held;              /**< [row][n_u] 0 or 1 */

    void *memory; /**< owns the arrays */

    int first_row;  /**< number in the run of row 0: the rows before it have been handed over */
    int total_rows; /**< rows of the run, if it goes on to its end; 0: not known */
} carom_trajectory;

/** What a column runs over besides the rows. */
typedef enum carom_trajectory_axis {
    CAROM_TRAJECTORY_ROW,      /**< nothing: one number a row */
    CAROM_TRAJECTORY_SUPPORTS, /**< the same, where supports move */
    CAROM_TRAJECTORY_LOSSES,   /**< the same; of fixed steps where contacts have friction */
    CAROM_TRAJECTORY_COORDINATE,
    CAROM_TRAJECTORY_POSITION, /**< the positions, the coordinates where as many */
    CAROM_TRAJECTORY_CONTACT,
    CAROM_TRAJECTORY_TANGENT,
    CAROM_TRAJECTORY_JOINT
} carom_trajectory_axis;

/** An array of a trajectory, and what it is called. */
typedef struct carom_trajectory_column {
    size_t offset;              /**< of the array in the trajectory */
    const char *name;           /**< of its data set */
    carom_trajectory_axis axis; /**< what its columns are */
    bool is_integer;            /**< int; false: double */
    int kinds;                  /**< those that mean something by it */
    const char *units;          /**< NULL: those of the mechanism's positions or velocities */
    const char *long_name;      /**< one line */
} carom_trajectory_column;

/** The first three of a column. */
#define CAROM_TRAJECTORY_ARRAY(field, axis) \
    offsetof(carom_trajectory, field), #field, CAROM_TRAJECTORY_##axis

/**
 * A trajectory without rows.
 *
 * @param[in]  mechanism whose motion it will be
 * @param[in]  kind      who will fill it
 * @param[in]  capacity  rows that are expected, >= 1
 * @param[out] out       belongs to the caller, to be freed by carom_trajectory_free; NULL on
 * failure
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_trajectory_alloc(const carom_mechanism *mechanism,
                                                     carom_trajectory_kind kind, int capacity,
                                                     carom_trajectory **out);

/**
 * Append a row, to be filled; pointers to rows become invalid.
 * @return CAROM_OK; OUT_OF_MEMORY, the rows being as they were
 * Cost: the columns are copied when the capacity is used up, and it doubles.
 */
CAROM_MUST_CHECK carom_status carom_trajectory_append(carom_trajectory *trajectory);

/**
 * Begin the next block: the rows are forgotten, and those to come continue the run. The memory and
 * what was said of the run stay.
 */
void carom_trajectory_continue(carom_trajectory *trajectory);

/** Steps of a run that are recorded, besides its first and its last state; {0}: all. */
typedef struct carom_recorded_steps {
    int every;       /**< each so many steps; 0 and 1: all */
    bool are_events; /**< only those in which a contact begins or ends to press */
} carom_recorded_steps;

/** Who is told the rows of a run, block by block and in order. */
typedef struct carom_trajectory_listener {
    /** Called with the rows first_row, first_row + 1, ... of a run, borrowed.
     * @return CAROM_OK, or what ends the run */
    carom_status (*tell)(const carom_trajectory *rows, void *context, carom_report *report);
    void *context; /**< handed to it */
} carom_trajectory_listener;

/** Who is told the contact problems of a run. */
typedef struct carom_contact_listener {
    /** Called with a problem, borrowed, and its time, s. @return CAROM_OK, or what ends the run */
    carom_status (*tell)(double time, const carom_contact_problem *problem, void *context,
                         carom_report *report);
    void *context; /**< handed to it */
} carom_contact_listener;

/** Told after every row; a nonzero return does nothing but may be used to print. */
typedef void (*carom_trajectory_progress)(int rows_done, int row_count, void *context);

/** Free; NULL is accepted. */
void carom_trajectory_free(carom_trajectory *trajectory);
CAROM_AUTO_TYPE(carom_trajectory)

/* --------------------------------------------------------------------------------------- series */
/* Measures of a run: extremes and means over a range of rows, impacts. */

/** One column of a [rows][columns] array, over the rows first .. end-1 (borrowed). */
typedef struct carom_series {
    const double *values; /**< [rows][columns] */
    int columns;          /**< of the array */
    int column;           /**< of this series */
    int first;            /**< first row */
    int end;              /**< one past the last row */
} carom_series;

/** The series of one column of a trajectory's array over all rows; arguments as below. */
carom_series carom_series_whole(const carom_trajectory *trajectory, const double *values,
                                int columns, int column);

/**
 * The series of one column of a trajectory's array over a time window, both ends included (up to a
 * thousandth of a step).
 *
 * @param[in] trajectory owner of the array
 * @param[in] values     one of its arrays, e.g. trajectory->gap
 * @param[in] columns    columns of that array
 * @param[in] column     which one
 * @param[in] from       s
 * @param[in] to         s; rows beyond the run do not exist
 */
carom_series carom_series_window(const carom_trajectory *trajectory, const double *values,
                                 int columns, int column, double from, double to);

/** Smallest value; NaN of no rows. */
double carom_series_minimum(carom_series series);

/** Largest value; NaN of no rows. */
double carom_series_maximum(carom_series series);

/** Arithmetic mean; NaN of no rows. */
double carom_series_mean(carom_series series);

/** Whether a contact presses in the step that ends with a row: its impulse, force or normal rate,
 * whichever the run has, is positive. */
bool carom_trajectory_is_pressed(const carom_trajectory *trajectory, int contact, int row);

/**
 * Impacts of one contact: the first rows of its spells of positive impulse (or force), not that of
 * row 0.
 *
 * @param[in]  trajectory a run
 * @param[in]  contact    which contact
 * @param[in]  capacity   length of rows
 * @param[out] rows       [capacity] row numbers
 * @return how many were found, at most capacity
 */
int carom_trajectory_impacts(const carom_trajectory *trajectory, int contact, int capacity,
                             int *rows);

/** Smallest gap over all contacts and rows, m; NaN without contacts. */
double carom_trajectory_smallest_gap(const carom_trajectory *trajectory);

/** Sum of a column of integers, [row]. */
long carom_trajectory_total(const carom_trajectory *trajectory, const int *values);

CAROM_END_DECLARATIONS

#endif
