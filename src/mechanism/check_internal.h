/** The parts of the check of derivatives. */
#ifndef CAROM_MECHANISM_CHECK_INTERNAL_H
#define CAROM_MECHANISM_CHECK_INTERNAL_H

#include <carom/base/base.h>
#include <carom/mechanism/mechanism.h>

/* ---------------------------------------------------------------------------------------- tally */
/* Internal: the worst entry of one derivative, or of one function that must be constant or affine.
 * */

/** The largest deviation within one derivative, and the sizes to measure it by. Entries are
 * weighted, so that all of them have one unit. */
typedef struct carom_check_deviation {
    carom_mechanism_mismatch entry;
    double error;         /**< weighted |difference| of that entry */
    double largest_entry; /**< of the derivative, supplied or differenced, weighted */
    double largest_value; /**< of the function differenced, weighted */
    bool is_finite;
} carom_check_deviation;

/** The deviations of the member of this name, static; none yet. */
carom_check_deviation carom_check_deviation_start(const char *name);

/** Record that an entry is supplied as one number and found as another. */
void carom_check_deviation_entry(carom_check_deviation *deviation, int row, int column,
                                 double weight, double supplied, double found);

/** Relative error as it stands; NaN if an entry is not finite. */
double carom_check_deviation_error(const carom_check_deviation *deviation);

/** Close one member: its relative error against the tolerance, the overall worst kept.
 * @return CAROM_OK; DERIVATIVE_MISMATCH; NOT_FINITE */
carom_status carom_check_deviation_close(carom_check_deviation *deviation, double tolerance,
                                         carom_mechanism_mismatch *worst);

/** The worse of two statuses: a value that is not finite outweighs a mismatch. */
carom_status carom_check_worse(carom_status first, carom_status second);

/* -------------------------------------------------------------------------------------- members */
/* Internal: the functions of a mechanism beside the derivatives that it supplies for them. */

/** The state, its scales, the random directions and the scratch of one check. */
typedef struct carom_check_state {
    const carom_mechanism *mechanism;
    int formed; /**< derivatives that are differences: there is nothing to compare */
    double t;
    const double *q;
    const double *v;
    double *memory;   /**< owns all arrays below */
    double t_scale;   /**< reach of the time, see carom_check_state_init; > 0 */
    double t_early;   /**< where supports are compared: t, or one of the state's own times where
                           t is too late for that */
    double t_own;     /**< reach of that time; > 0 */
    double *q_own;    /**< [n] reach of each coordinate by itself, see carom_check_state_init */
    double *v_own;    /**< [n] of each velocity */
    double *q_scale;  /**< [n] reach of each coordinate, in its own unit; > 0 */
    double *v_scale;  /**< [n] of each velocity; > 0 */
    bool has_scale;   /**< false: nothing at this state has a size, the reaches are guessed */
    double g_scale;   /**< largest |g_i| or sum_j |G_ij| q_scale_j of a row, or 1 */
    double *x;        /**< [n_q] displaced q or v */
    double *way;      /**< [n] that displacement, scratch */
    double *other_q;  /**< [n_q] a second position */
    double *other_v;  /**< [n] a second velocity */
    double *middle_v; /**< [n] a third velocity */
    double *a;        /**< [n] direction of the mass and the rate derivative */
    double *lambda;   /**< [m] multipliers of the constraint force derivative */
    double *F_plus;   /**< [max(n,m,n_u t)] */
    double *F_minus;  /**< [max(n,m,n_u t)] */
    double *F_middle; /**< [max(n,m,n_u t)] */
    double *supplied; /**< [layout], [m][n] or [n_u t][n] */
    double *other;    /**< [layout], [m][n] or [n_u t][n], a matrix to multiply or compare with */
} carom_check_state;

/** What the rows of a matrix are, and with that how it is stored. */
typedef enum carom_check_rows {
    CAROM_CHECK_COORDINATES, /**< n rows, in the layout */
    CAROM_CHECK_CONSTRAINTS, /**< m rows, [m][n] */
    CAROM_CHECK_TANGENTS     /**< n_u t rows, [n_u t][n] */
} carom_check_rows;

/** What a member is differenced by. */
typedef enum carom_check_variable {
    CAROM_CHECK_POSITION, /**< q */
    CAROM_CHECK_VELOCITY, /**< v */
    CAROM_CHECK_TIME      /**< t, a single number; its rows are constraints */
} carom_check_variable;

/** One member to compare: F(x) with x = q, v or t, and dF/dx as supplied. */
typedef struct carom_check_member {
    const char *name;
    const char *function; /**< F in words, "the mass matrix" */
    carom_check_variable variable;
    bool is_of_constraints; /**< a function of g, G or H */
    carom_check_rows rows;  /**< of F and its derivative */
    /** F(x), a number for each row. */
    void (*evaluate)(const carom_check_state *c, const double *x, double *F);
    /** dF/dx as supplied; false if the member is NULL. */
    bool (*supply)(const carom_check_state *c, double *D);
} carom_check_member;

/**
 * Take all memory at once (no n x n array beside what the mechanism itself stores), find the scales
 * and draw the directions.
 *
 * A step of a difference is a part of what a coordinate reaches: |q_j|, or where that is zero the
 * nearest gap that it closes by itself, and for q_scale at least as far as any other coordinate in
 * the mass metric, max_k |q_k| sqrt(M_kk / M_jj): in any units the same displacement; where it is
 * not zero by itself no farther than 1e14 times that. Velocities
 * reach |v_j|, and v_scale at least sqrt(max_k |f_k| q_scale_k / M_jj), the speed that the forces
 * bring about on that way. Time reaches |t|, and at least the longest that a velocity needs for its
 * coordinate.
 *
 * @param[in,out] c    mechanism, t, q and v are set
 * @param[in]     seed of the directions a and lambda and of the second state
 * @return CAROM_OK; OUT_OF_MEMORY. carom_check_state_clear in both cases.
 */
CAROM_MUST_CHECK carom_status carom_check_state_init(carom_check_state *c, unsigned long seed);

/** Free the memory of a check. */
void carom_check_state_clear(carom_check_state *c);

/** Number of stored entries of a matrix with such rows. */
size_t carom_check_entry_count(const carom_check_state *c, carom_check_rows rows);

/** Stored entries of a row: k in [first, end) is that of coordinate column[k], or, where `column`
 * is NULL, of first_column + k - first. */
typedef struct carom_check_entries {
    size_t first;
    size_t end;
    const int *column;
    int first_column;
} carom_check_entries;

/** Those of row i of a derivative with respect to q or v. */
carom_check_entries carom_check_entries_of(const carom_check_state *c, carom_check_rows rows,
                                           int i);

/** The coordinate of entry k. */
static inline int carom_check_column(const carom_check_entries *row, size_t k) {
    return row->column != NULL ? row->column[k] : row->first_column + (int)(k - row->first);
}

/** Whether (i,j) is stored: within the band in the layout, in the pattern of a row. */
bool carom_check_is_stored(const carom_check_state *c, carom_check_rows rows, int i, int j);

/** Position of a stored entry (i,j) of a derivative with respect to q or v. */
size_t carom_check_entry_index(const carom_check_state *c, carom_check_rows rows, int i, int j);

/** Number of numbers that a member is differenced by: n, or 1 for the time. */
int carom_check_column_count(const carom_check_state *c, const carom_check_member *member);

/** The state's q, v or t, whichever a member is differenced by. */
const double *carom_check_place(const carom_check_state *c, const carom_check_member *member);

/** What each of these numbers reaches. */
const double *carom_check_reach(const carom_check_state *c, const carom_check_member *member);

/**
 * From a place along the numbers of a member: x = base + way, of rotations base exp(way).
 *
 * @param[in]  c      the state
 * @param[in]  member what is differenced
 * @param[in]  base   [n], [n_q] of positions
 * @param[in]  way    [n]
 * @param[out] x      as base
 * @param[out] gone   [n] the way that rounding left; may be way, may be NULL
 */
void carom_check_go(const carom_check_state *c, const carom_check_member *member,
                    const double *base, const double *way, double *x, double *gone);

/** Set them to those of x, borrowed. */
void carom_check_move(carom_check_state *c, const carom_check_member *member, const double *x);

/** What row i of a function is multiplied by, so that all rows have one unit: what coordinate i
 * reaches, or one over what constraints do. */
double carom_check_row_weight(const carom_check_state *c, carom_check_rows rows, int i);

/** Number of rows of a kind. */
int carom_check_row_count(const carom_check_state *c, carom_check_rows rows);

/** dF/dx as supplied at the state's q and v into c->supplied, zeros if the member is NULL.
 * @return whether it is supplied */
bool carom_check_supply(carom_check_state *c, const carom_check_member *member);

/** The members that this mechanism can have: those of every one, those with constraints, those with
 * tangents. Returns their number. */
int carom_check_list_members(const carom_check_state *c, const carom_check_member **list);

/* ------------------------------------------------------------------------------------ linearity */
/* Internal: what a mechanism promises that says that it is linear. */

/**
 * M, K, C, G and H are the same at two states and two times, f and g take midway between two states
 * the mean of their values there.
 *
 * @return CAROM_OK; DERIVATIVE_MISMATCH; NOT_FINITE; the worst entry in `worst`
 */
CAROM_MUST_CHECK carom_status carom_check_linearity(carom_check_state *c, double tolerance,
                                                    carom_mechanism_mismatch *worst);

/* ------------------------------------------------------------------------- what methods ask for */

/** Refuse rotations whose velocities are not three of their own. @return CAROM_OK; OUT_OF_RANGE */
CAROM_MUST_CHECK carom_status carom_mechanism_check_rotations(const carom_mechanism *mechanism,
                                                              carom_report *report);

/** Refuse quaternions of q [n_q] whose length is not 1. @return CAROM_OK; OUT_OF_RANGE */
CAROM_MUST_CHECK carom_status carom_mechanism_check_position(const carom_mechanism *mechanism,
                                                             const double *q, carom_report *report);

/** Refuse counts and a layout that no mechanism can have; no function of it is called. @return
 * CAROM_OK; OUT_OF_RANGE */
CAROM_MUST_CHECK carom_status carom_mechanism_check_counts(const carom_mechanism *mechanism,
                                                           carom_report *report);

/** The same, and functions that are missing or that others exclude (carom_mechanism_validate); none
 * is called. @return CAROM_OK; OUT_OF_RANGE */
CAROM_MUST_CHECK carom_status carom_mechanism_check_functions(const carom_mechanism *mechanism,
                                                              carom_report *report);

/** Refuse patterns of the Jacobians that are none; the counts are those of a mechanism. @return
 * CAROM_OK; OUT_OF_RANGE */
CAROM_MUST_CHECK carom_status carom_mechanism_check_patterns(const carom_mechanism *mechanism,
                                                             carom_report *report);

/** The derivatives that a mechanism has not, of carom_mechanism_derivative, as its layout cannot
 * hold them: d(G'lambda)/dq of rows that couple what is apart in a band. */
int carom_mechanism_uncoupled_derivatives(const carom_mechanism *mechanism);

#endif
