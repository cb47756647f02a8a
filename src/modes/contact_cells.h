/** Cells of time in which the motion of the contact is enclosed between proven bounds. Internal. */
#ifndef CAROM_MODES_CONTACT_CELLS_H
#define CAROM_MODES_CONTACT_CELLS_H

#include <carom/modes/modal_basis.h>

/** Bounds X_k >= |d^k x_c/dt^k| for k = 0..CAROM_CONTACT_BOUND_COUNT - 1. */
enum { CAROM_CONTACT_BOUND_COUNT = 7 };

/** x_c and its derivatives at one instant. */
typedef struct carom_contact_node {
    double time;         /**< s from the start of the walk */
    double displacement; /**< x_c, m */
    double velocity;     /**< m/s */
    double acceleration; /**< m/s2 */
    double jerk;         /**< m/s3 */
} carom_contact_node;

/** A cell of time and what is known at its ends. */
typedef struct carom_contact_cell {
    carom_contact_node left;
    carom_contact_node right;
} carom_contact_cell;

/** Halvings of a cell of the grid before its width is a rounding of the time: 52, and a few. */
enum { CAROM_CONTACT_STACK_SIZE = 64 };

/**
 * In scaled modal coordinates p = sqrt(G) rho z_1 / w and q = sqrt(G) rho z_2 / w: x_c is the sum
 * of the p, x_c' that of w q, x_c'' that of -w^2 p, x_c''' that of -w^3 q.
 */
struct carom_contact_motion {
    const carom_modal_basis *basis;
    int mode_count;                           /**< m */
    const double *w;                          /**< omega [m], rad/s */
    double *weight;                           /**< [m] sqrt(G) rho / w, m J^-1/2 */
    double *p;                                /**< [m] at the start of the flight, m */
    double *q;                                /**< [m] m */
    double *origin_p;                         /**< [m] at the start of the walk, m */
    double *origin_q;                         /**< [m] m */
    double *walking_p;                        /**< [m] at the node that the walk has reached, m */
    double *walking_q;                        /**< [m] m */
    double *step_cosine;                      /**< [m] of w h */
    double *step_sine;                        /**< [m] */
    double bounds[CAROM_CONTACT_BOUND_COUNT]; /**< X_k in this flight, m s^-k */
    double rounding[4];         /**< error of a node's four values that rounding can make, m s^-k */
    double duration;            /**< of the walk, s */
    double step;                /**< h, width of the cells of the grid, s */
    int cell_count;             /**< of the grid */
    int next_cell;              /**< of the grid, 0.. */
    carom_contact_node reached; /**< left end of the next cell */
    double given_end_velocity;  /**< m/s; NaN: none */
    double start_doubt;         /**< how far the given velocities are from those computed, m/s */
    double end_doubt;
    carom_contact_cell waiting[CAROM_CONTACT_STACK_SIZE]; /**< halves, the earliest on top */
    int waiting_count;
};

/** What is proven of x_c inside a cell. */
typedef enum carom_contact_shape {
    CAROM_CONTACT_SHAPE_RISING,   /**< x_c' > 0 */
    CAROM_CONTACT_SHAPE_FALLING,  /**< x_c' < 0 */
    CAROM_CONTACT_SHAPE_CONCAVE,  /**< x_c'' < 0 */
    CAROM_CONTACT_SHAPE_CONVEX,   /**< x_c'' > 0 */
    CAROM_CONTACT_SHAPE_UNDECIDED /**< nothing yet */
} carom_contact_shape;

/**
 * Begin a walk over [start, end] of the flight; times of nodes count from `start`. Velocities that
 * are known at the ends replace those computed there (NaN: not known); by how much they differ
 * counts as error in the cells that touch the ends.
 */
void carom_contact_walk_begin(carom_contact_motion *motion, double start, double end,
                              double start_velocity, double end_velocity);

/** The next cell in time; false at the end. */
bool carom_contact_walk_next(carom_contact_motion *motion, carom_contact_cell *cell);

/** Put the halves of a cell before all that is still to come. */
void carom_contact_walk_split(carom_contact_motion *motion, const carom_contact_cell *cell);

/** x_c and its derivatives at a time of the walk. Cost: m sines and cosines. */
carom_contact_node carom_contact_node_at(const carom_contact_motion *motion, double time);

/** x_c at a time of the walk minus x_c at its start, relatively exact for short times. */
double carom_contact_displacement_since(const carom_contact_motion *motion, double time);

/** Classify a cell; monotone before curved. */
carom_contact_shape carom_contact_cell_shape(const carom_contact_motion *motion,
                                             const carom_contact_cell *cell);

/** Proven upper bound of x_c in the cell, m. */
double carom_contact_cell_upper_bound(const carom_contact_motion *motion,
                                      const carom_contact_cell *cell);

/** Whether halving is of no more use: x_c varies by rounding only, or time does. */
bool carom_contact_cell_is_resolved(const carom_contact_motion *motion,
                                    const carom_contact_cell *cell);

/**
 * The maximum in a cell that is concave with x_c' > 0 at its left end and <= 0 at its right end, to
 * rounding. Given up early, at an iterate near it, if it is proven to be at most `floor`.
 */
carom_contact_node carom_contact_cell_maximum(const carom_contact_motion *motion,
                                              const carom_contact_cell *cell, double floor);

#endif
