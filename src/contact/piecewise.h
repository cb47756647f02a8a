/** The piecewise linear equations of contacts in the plane: their bases and their path. */
#ifndef CAROM_CONTACT_PIECEWISE_H
#define CAROM_CONTACT_PIECEWISE_H

#include <carom/contact/internal.h>

/*
 * An impulse in the cone of friction is its parts along the cone's two edges,
 *
 *     r = a (1, -mu) + b (1, mu),   a, b >= 0,
 *
 * and a contact has two of the variables a, b, u_n and u_t: its piece of
 *
 *     open u_n >= 0, u_t,   forth a >= 0, u_t >= 0,   back b >= 0, u_t <= 0,   stuck a, b >= 0.
 *
 * Without friction it has u_t and one of u_n and a, without tangents one of these; a joint has its
 * impulse. Over a wall between two pieces one variable goes and another comes. On a path in t,
 *
 *     (W + e D) r + q - e D c - u = t p ,
 *
 * D the inverse masses, c impulses, t takes the place of a variable from wall to wall: pivots of
 * Lemke's method, but that what sticks has a piece of its own and is not degenerate.
 */

/** Variables of contact i are 4 i and so on, of joint j 4 n_c + j; then there is t. */
enum {
    CAROM_PIECEWISE_LEFT,
    CAROM_PIECEWISE_RIGHT,
    CAROM_PIECEWISE_OPENING,
    CAROM_PIECEWISE_SLIDING
};
enum { CAROM_PIECEWISE_VARIABLES = 4 };

/** As many columns of the equations as there are rows, those of t being -p, with their factors. In
 * units of energy: impulses times (w/w_0)^1/2, w_0 the largest, velocities by that and w_0. */
typedef struct carom_piecewise_basis {
    const carom_contact_problem *problem;
    int last;           /**< number of variables, and t itself */
    double compliance;  /**< e */
    double *unit;       /**< [blocks] (w/w_0)^1/2 */
    double unit_mass;   /**< 1/w_0, kg */
    double *path;       /**< [rows] p */
    double *work;       /**< [rows] */
    int *member;        /**< [rows] the variables */
    int *order;         /**< [blocks] that spares fill */
    int *row_start;     /**< [blocks+1] of the stored blocks of a column */
    int *row;           /**< [stored] their rows */
    int *stored;        /**< [stored] */
    int *place;         /**< [rows] of the columns in the order of the factors */
    int *column_start;  /**< [rows+1] */
    int *mark;          /**< [rows] */
    int *entry_row;     /**< [entries] */
    double *entry;      /**< [entries] */
    void *factors;      /**< L and U of CXSparse */
    int exchange_count; /**< columns exchanged since they were computed */
    int *exchanged;     /**< [exchanges] their places */
    double *exchange;   /**< [exchanges][rows] */
    int *ints;          /**< owns the former */
    double *doubles;    /**< owns the latter */
    size_t int_capacity;
    size_t double_capacity;
    size_t entry_capacity;
} carom_piecewise_basis;

/** Exchanges of columns between factorisations. */
enum { CAROM_PIECEWISE_MOST_EXCHANGES = 50 };

/** Memory for a problem with one tangent or none, and the order. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_piecewise_basis_set(carom_piecewise_basis *basis,
                                                        const carom_contact_problem *problem);

/** Free what it owns. */
void carom_piecewise_basis_clear(carom_piecewise_basis *basis);

/** Factor the members. @return CAROM_OK; SINGULAR; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_piecewise_basis_factor(carom_piecewise_basis *basis);

/** The sign of the determinant after a factorisation, that of all contacts open being 1. */
int carom_piecewise_basis_sign(const carom_piecewise_basis *basis);

/** x [rows] becomes B^-1 x. */
void carom_piecewise_basis_solve(carom_piecewise_basis *basis, double *x);

/** x = B^-1 a, a the column of a variable. */
void carom_piecewise_basis_direction(carom_piecewise_basis *basis, int variable, double *x);

/** The variable takes a place, along the direction found before. */
void carom_piecewise_basis_exchange(carom_piecewise_basis *basis, int place, int variable,
                                    const double *direction);

/** Work memory of the path. */
struct carom_contact_piecewise {
    carom_piecewise_basis basis;
    int *piece;        /**< [contacts] */
    double *value;     /**< [variables + 1] of those of the basis */
    double *constant;  /**< [rows] q - e D c */
    double *impulse;   /**< [rows] */
    double *velocity;  /**< [rows] */
    double *direction; /**< [rows] */
    double *best;      /**< [rows] the impulses of the least residual, N s */
    double scale;      /**< the largest impulse or velocity to begin with */
    int pivots;        /**< so far */
    double *doubles;   /**< owns the former */
    size_t double_capacity;
    size_t piece_capacity;
};

/** Memory for a problem. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_piecewise_set(carom_contact_piecewise *work,
                                                  const carom_contact_problem *problem);

/** Where a path begins. */
typedef enum carom_piecewise_start {
    CAROM_PIECEWISE_FROM_IMPULSES, /**< the pieces of r - u/w */
    CAROM_PIECEWISE_FROM_STUCK,    /**< but what slides sticks at its cone's edge, so that the
                                      determinant is positive with that of W + e D */
    CAROM_PIECEWISE_FROM_OPEN,     /**< all contacts far open, as Lemke's method begins */
} carom_piecewise_start;

/** Pieces and values from impulses r [rows], N s, off the walls by numbers drawn by contact and
 * draw. */
void carom_piecewise_begin(carom_contact_piecewise *work, carom_piecewise_start start, int draw,
                           const double *r);

/** c of the present values, and p, |p| = 1, and t, by which they solve the equations. @return as of
 * a factorisation */
CAROM_MUST_CHECK carom_status carom_piecewise_aim(carom_contact_piecewise *work);

/** From t to 0. @return CAROM_OK; RAY; NOT_CONVERGED: `most` pivots; SINGULAR;
 * OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_piecewise_follow(carom_contact_piecewise *work, int most);

/** The impulses r [rows] of the values, N s. */
void carom_piecewise_impulses(const carom_contact_piecewise *work, double *r);

#endif
