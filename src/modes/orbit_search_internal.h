/** The parts of search and continuation. */
#ifndef CAROM_MODES_ORBIT_SEARCH_INTERNAL_H
#define CAROM_MODES_ORBIT_SEARCH_INTERNAL_H

#include <carom/base/base.h>
#include <carom/modes/orbit.h>
#include <carom/modes/orbit_search.h>

#include <stdbool.h>

/* ------------------------------------------------------------------------------- canonical form */
/* Where to start a sequence of impacts, and in which direction to run it, inside modes/. */

/** One of the 2k forms of a sequence: reversed or not, and then rotated. */
typedef struct carom_sequence_form {
    bool is_reversed; /**< run backwards before it is rotated */
    int rotation;     /**< r in 0..k-1 */
} carom_sequence_form;

/** Entry i in 0..k-1 of the flight times [k] in a form. */
double carom_sequence_form_flight(int k, const double *flight_times, carom_sequence_form form,
                                  int i);

/** Entry i in 0..k-1 of the lambda [k] in a form. */
double carom_sequence_form_lambda(int k, const double *lambda, carom_sequence_form form, int i);

/**
 * Which form is the canonical one, that of carom_sequence_canonicalize. Values that differ by less
 * than the tolerance count as the same, through chains of such values: each is taken for the lowest
 * of its group, so that no fixed grid separates two that are nearly equal. What is then still tied
 * is decided by the values themselves, so that all 2k forms have the same canonical form, bit by
 * bit.
 *
 * @param[in] k            >= 1
 * @param[in] flight_times [k] s
 * @param[in] lambda       [k]
 * @param[in] tolerance    of the period and of the largest lambda, 1
 * Cost: O(k^2) if the flight times differ, O(k^3) if they are all the same.
 */
carom_sequence_form carom_sequence_canonical_form(int k, const double *flight_times,
                                                  const double *lambda, double tolerance);

/* ----------------------------------------------------------------------------------- collection */
/* Distinct motions collected one by one, inside the search for orbits. */

/**
 * A hash table of motions by two numbers that rotation and reversal leave alone, the period and the
 * largest lambda, in cells so wide that equal motions are in neighbouring ones at most.
 */
typedef struct carom_orbit_collection carom_orbit_collection;

/**
 * @param[in]  expected_count   motions that are expected at most; sets the size of the table
 * @param[in]  largest_sequence most impacts of a motion
 * @param[in]  tolerance        of sameness, see carom_sequence_equal, 1
 * @param[out] out              belongs to the caller
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_orbit_collection_alloc(int expected_count, int largest_sequence,
                                                           double tolerance,
                                                           carom_orbit_collection **out);

/** Free with all motions in it; NULL is accepted. */
void carom_orbit_collection_free(carom_orbit_collection *collection);
CAROM_AUTO_TYPE(carom_orbit_collection)

/**
 * Add a motion, or count a hit of the one that it equals; the first one stays.
 *
 * @param[in,out] collection keeps the orbit
 * @param[in]     candidate  its orbit belongs to the collection from now on, whatever the status
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_orbit_collection_add(carom_orbit_collection *collection,
                                                         const carom_found_orbit *candidate);

/** Move all motions into a list, by rising period, then energy; the collection is empty after. */
void carom_orbit_collection_hand_over(carom_orbit_collection *collection, carom_orbit_list *list);

/* --------------------------------------------------------------------------------- continuation */
/* Predictor and corrector along the solutions of the impact equations. */

/**
 * A point of the curve is X = (sigma [k], lambda [k], g) in units of time, lambda and gap scale,
 * with |lambda|^2 + g^2 = 1: the gap at rest is an unknown like the others, and infinite impact
 * speed at a given gap is the ordinary point g = 0. Amplitudes of resonant modes follow from X.
 */
typedef struct carom_continuation_point {
    double *X;             /**< [2k + 1] */
    double *tangent;       /**< [2k + 1] unit length, in the direction of travel */
    int orientation;       /**< changes sign where another branch crosses */
    double residual;       /**< largest scaled equation */
    double period;         /**< s */
    double gap;            /**< g in m, signed */
    double energy;         /**< of the scaled motion, J */
    double identity_error; /**< relative error of E dT = -(g_0/sqrt(G)) d(sum lambda) */
} carom_continuation_point;

/** Workspace for one structure and one number of impacts; the equations are its own. */
typedef struct carom_orbit_continuation carom_orbit_continuation;

/** Workspace; borrows the basis. @return CAROM_OK; OUT_OF_RANGE if k < 1; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_orbit_continuation_alloc(const carom_modal_basis *basis,
                                                             int impact_count,
                                                             carom_orbit_continuation **out);

/** Free; NULL is accepted. */
void carom_orbit_continuation_free(carom_orbit_continuation *continuation);
CAROM_AUTO_TYPE(carom_orbit_continuation)

/** A point filled with NaN. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_continuation_point_alloc(int impact_count,
                                                             carom_continuation_point *point);

/** Free what a point holds; a zeroed one is accepted. */
void carom_continuation_point_clear(carom_continuation_point *point);

/** Copy a point into one of the same size. */
void carom_continuation_point_copy(int impact_count, const carom_continuation_point *from,
                                   carom_continuation_point *to);

/**
 * Begin at an orbit of a structure whose gap is not zero: fixes the scales and corrects. The
 * tangent points to larger periods; where two branches cross, along the one on which the period
 * does not change.
 * @return CAROM_OK; NOT_CONVERGED if the orbit is not a solution
 */
CAROM_MUST_CHECK carom_status carom_orbit_continuation_start(carom_orbit_continuation *continuation,
                                                             const carom_orbit *orbit,
                                                             carom_continuation_point *point);

/**
 * The point at arclength s from another, along its tangent (s may be negative): predict, correct by
 * steps of minimum norm, and turn the new tangent the way of the old one.
 *
 * @param[in,out] continuation started
 * @param[in]     from       a point of the curve
 * @param[in]     arclength  s
 * @param[out]    to         the new point; not `from`
 * @param[out]    iterations corrector steps; may be NULL
 * @return CAROM_OK; NOT_CONVERGED
 */
CAROM_MUST_CHECK carom_status carom_orbit_continuation_step(carom_orbit_continuation *continuation,
                                                            const carom_continuation_point *from,
                                                            double arclength,
                                                            carom_continuation_point *to,
                                                            int *iterations);

/**
 * The motion of a point, in its own scale: its gap at rest is point->gap, not the structure's.
 * @param[out] orbit complete
 */
void carom_orbit_continuation_orbit(carom_orbit_continuation *continuation,
                                    const carom_continuation_point *point, carom_orbit *orbit);

/* ---------------------------------------------------------------------------- sides of a branch */
/* A branch of motions followed in one direction until it ends, and why it ends. */

/** One point of a side, in the structure's own scale (the limit motion at infinite speed). */
typedef struct carom_branch_row {
    double period;          /**< s */
    double energy;          /**< J; infinite at infinite speed */
    double action;          /**< J s; infinite at infinite speed */
    double gap_violation;   /**< m */
    double spectral_radius; /**< 1 */
    double identity_error;  /**< 1 */
    int is_admissible;
    int gap_sign;
    int is_branch_point;
} carom_branch_row;

/** The points of one side of a branch, the starting point first. */
typedef struct carom_branch_side {
    int impact_count;       /**< k */
    int count;              /**< points */
    int capacity;           /**< of the arrays */
    carom_branch_row *rows; /**< [count] */
    double *flight_times;   /**< [count][k] s */
    double *lambda;         /**< [count][k] J^1/2 */
    carom_branch_end end;
    int end_impact;  /**< impact that vanishes or flight in which the gap closes; 0 */
    double end_time; /**< instant of a new contact, s; NaN */
} carom_branch_side;

/** Free what a side holds; a zeroed one is accepted. */
void carom_branch_side_clear(carom_branch_side *side);

/** What can end a branch, each as a function that is positive inside. */
typedef enum carom_branch_end_function {
    CAROM_BRANCH_GAP_SIGN,  /**< g on the side of the structure's */
    CAROM_BRANCH_PUSH,      /**< smallest lambda */
    CAROM_BRANCH_CLEARANCE, /**< minus the largest interior maximum of x_c - g */
    CAROM_BRANCH_SHORTEST,  /**< period above zero */
    CAROM_BRANCH_LONGEST,   /**< period below the bound */
    CAROM_BRANCH_FLIGHT,    /**< shortest flight above zero */
    CAROM_BRANCH_FUNCTION_COUNT
} carom_branch_end_function;

/** What was computed at a point besides its coordinates. */
typedef struct carom_branch_point_check {
    carom_admissibility admissibility;
    double inside[CAROM_BRANCH_FUNCTION_COUNT];
} carom_branch_point_check;

/** Work memory of both sides of a branch. */
typedef struct carom_branch_side_work {
    const carom_modal_basis *basis;
    const carom_orbit_branch_params *params;
    carom_modal_basis own_gap; /**< the structure with the gap of a scaled point */
    carom_orbit_continuation *continuation;
    carom_contact_motion *motion;
    carom_stability *stability;
    carom_orbit *orbit;             /**< of the point looked at */
    double *state;                  /**< [m][2] */
    double shortest;                /**< period that counts as zero, s */
    double side;                    /**< sign of the structure's gap */
    carom_continuation_point first; /**< where both sides begin */
    carom_continuation_point here;
    carom_continuation_point next;
    carom_continuation_point trial;
} carom_branch_side_work;

/** At a located end, lambda below this (on the unit sphere with the gap) means that all vanish. */
#define CAROM_BRANCH_VANISHING 1e-6

/** Places on a step are located to this fraction of it, a few roundings. */
#define CAROM_BRANCH_PLACE_ACCURACY 1e-14
enum { CAROM_BRANCH_MAX_BISECTIONS = 200 };

/** Certify a point in its own scale, with its motion in work->orbit, and evaluate what may end the
 * branch there. */
carom_branch_point_check carom_branch_check(carom_branch_side_work *work,
                                            const carom_continuation_point *point);

/** Whether a function ends the side: beyond infinite speed and admissibility only if asked for. */
bool carom_branch_ends_at(const carom_branch_side_work *work, carom_branch_end_function function);

/** Say of a side what kind of end the located point is. */
void carom_branch_end_classify(const carom_branch_side_work *work,
                               carom_branch_end_function function,
                               const carom_continuation_point *point,
                               const carom_branch_point_check *check, carom_branch_side *side);

/**
 * If a function that ends sides is negative at work->next, reached by `arclength`, find the first
 * end in between: the point in work->trial.
 *
 * @param[in]     from    check of work->here
 * @param[in]     to      check of work->next
 * @param[in,out] side    gets the kind of its end
 * @param[out]    found   check of the end
 * @param[out]    is_over whether there is one
 * @return CAROM_OK; NOT_CONVERGED if it could not be located
 */
CAROM_MUST_CHECK carom_status carom_branch_end_find(carom_branch_side_work *work,
                                                    const carom_branch_point_check *from,
                                                    const carom_branch_point_check *to,
                                                    double arclength, carom_branch_side *side,
                                                    carom_branch_point_check *found, bool *is_over);

/**
 * Prepare to follow both sides from an orbit.
 *
 * @param[in]  basis  the structure, borrowed; gap not zero
 * @param[in]  orbit  a solution
 * @param[in]  params checked, borrowed
 * @param[out] out    belongs to the caller
 * @param[out] report may be NULL
 * @return CAROM_OK; NOT_CONVERGED; OUT_OF_RANGE if it is not admissible and has to be;
 * OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_branch_side_work_alloc(const carom_modal_basis *basis,
                                                           const carom_orbit *orbit,
                                                           const carom_orbit_branch_params *params,
                                                           carom_branch_side_work **out,
                                                           carom_report *report);

/** Free; NULL is accepted. */
void carom_branch_side_work_free(carom_branch_side_work *work);
CAROM_AUTO_TYPE(carom_branch_side_work)

/**
 * Follow the branch from the orbit, towards larger (direction 1) or smaller (-1) periods at first.
 *
 * @param[out] side empty (zeroed); to be cleared by carom_branch_side_clear whatever is returned
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_branch_side_compute(carom_branch_side_work *work, int direction,
                                                        carom_orbit_branch_progress progress,
                                                        void *context, carom_branch_side *side);

#endif
