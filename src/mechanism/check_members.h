/** Internal: the functions of a mechanism beside the derivatives that it supplies for them. */
#ifndef CAROM_MECHANISM_CHECK_MEMBERS_H
#define CAROM_MECHANISM_CHECK_MEMBERS_H

#include <carom/mechanism/mechanism.h>

/** The state, the random directions and the scratch of one check. */
typedef struct carom_check_state {
    const carom_mechanism *mechanism;
    double t;
    const double *q;
    const double *v;
    double *memory;   /**< owns all arrays below */
    double *x;        /**< [n] displaced q or v */
    double *other_q;  /**< [n] a second position, for constancy */
    double *other_v;  /**< [n] a second velocity */
    double *middle_v; /**< [n] midway between the velocities */
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

/** One member to compare: F(x) with x = q or v, and dF/dx as supplied. */
typedef struct carom_check_member {
    const char *name;
    bool is_of_velocity;   /**< x = v, otherwise x = q */
    carom_check_rows rows; /**< of F and its derivative */
    /** F(x), a number for each row. */
    void (*evaluate)(const carom_check_state *c, const double *x, double *F);
    /** dF/dx as supplied; false if the member is NULL. */
    bool (*supply)(const carom_check_state *c, double *D);
} carom_check_member;

/** Number of rows of a kind. */
int carom_check_row_count(const carom_check_state *c, carom_check_rows rows);

/** The members that this mechanism can have: those of every one, those with constraints, those with
 * tangents. Returns their number. */
int carom_check_list_members(const carom_check_state *c, const carom_check_member **list);

#endif
