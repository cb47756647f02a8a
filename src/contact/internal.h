/** What the solvers of contact problems share. */
#ifndef CAROM_CONTACT_INTERNAL_H
#define CAROM_CONTACT_INTERNAL_H

#include <carom/contact/contact.h>

#include <limits.h>

/** Largest size of a block: a normal and two tangents. */
enum { CAROM_CONTACT_MOST_ROWS = 3 };

/** Rows of a block: 1 of a joint, 1 + t of a contact. */
static inline int carom_contact_block_size(const carom_contact_problem *problem, int block) {
    return block < problem->joint_count ? 1 : 1 + problem->tangent_count;
}

/** First row of a block. */
static inline int carom_contact_block_row(const carom_contact_problem *problem, int block) {
    const int contact = block - problem->joint_count;
    return contact < 0 ? block : problem->joint_count + contact * (1 + problem->tangent_count);
}

/** mu of a contact's block. */
static inline double carom_contact_block_friction(const carom_contact_problem *problem, int block) {
    return problem->friction[block - problem->joint_count];
}

/** Refuse counts that no problem has. @return CAROM_OK; OUT_OF_RANGE */
CAROM_MUST_CHECK carom_status carom_contact_check_counts(const carom_contact_rows *rows,
                                                         carom_report *report);

/** A problem of the counts of `rows` with room for so many stored blocks and entries, all zero.
 * @return CAROM_OK; OUT_OF_RANGE; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_contact_problem_make(const carom_contact_rows *rows,
                                                         size_t block_count, size_t entry_count,
                                                         carom_contact_problem **out,
                                                         carom_report *report);

/** Find the diagonal blocks and the inverse masses of a problem whose entries are there. */
void carom_contact_problem_find_diagonal(carom_contact_problem *problem);

/** Copy mu [n_c]; NULL: zeros. @return CAROM_OK; OUT_OF_RANGE; NOT_FINITE */
CAROM_MUST_CHECK carom_status carom_contact_problem_set_friction(carom_contact_problem *problem,
                                                                 const double *friction,
                                                                 carom_report *report);

/** x [1+t] becomes the nearest point of the cone |x_t| <= mu x_n. */
void carom_contact_project(int t, double mu, double *x);

/** Impulses of the size of r and of those that would stop the contacts one by one, in directions of
 * the cones drawn by contact and round; r of joints stay. */
void carom_contact_draw_impulses(const carom_contact_problem *problem, int round, double *r);

/** Exponent of the largest free velocity where the squares of such velocities, or of impulses, may
 * leave the range of numbers; 0 elsewhere. */
int carom_contact_far_exponent(const carom_contact_problem *problem);

/** y = 2^exponent x; y may be x. */
void carom_contact_scale(int count, int exponent, const double *x, double *y);

/** s of a block's certificate: |r| + (|q| + sum_j |W_j| |r_j|) / w, N s. */
double carom_contact_impulse_scale(const carom_contact_problem *problem, int block,
                                   const double *r);

/** u of one block of rows: q + sum of W r, over all stored blocks but `without` (-1: none). */
void carom_contact_block_velocity(const carom_contact_problem *problem, int block, int without,
                                  const double *r, double *u);

/** u of one block of rows, all blocks acting. @return the largest |q| + sum of |W r| of its rows */
double carom_contact_block_terms(const carom_contact_problem *problem, int block, const double *r,
                                 double *u);

/** Refuse what one row shows to have no solution, whatever the others do. @return CAROM_OK; RAY */
CAROM_MUST_CHECK carom_status carom_contact_refuse_hopeless(const carom_contact_problem *problem,
                                                            carom_report *report);

/** What sweeps carry on from one to the next. */
typedef struct carom_contact_sweeps {
    double change;  /**< sum of w |r(after) - r(before)|^2 of the last sweep; 0 before the first */
    double *before; /**< [rows] */
    double *direction; /**< [rows] zeros before the first */
} carom_contact_sweeps;

/**
 * One sweep: each block in turn goes towards its solution with the others held; then all go on
 * along the conjugate direction of the sweeps so far (Silcowitz, Niebe and Erleben 2010).
 */
void carom_contact_sweep(const carom_contact_problem *problem, carom_contact_sweeps *sweeps,
                         double *r);

/** Rows of the block's cone: none of a joint, the normal alone without friction. */
static inline int carom_contact_cone_size(const carom_contact_problem *problem, int block) {
    return block < problem->joint_count ? 0
           : carom_contact_block_friction(problem, block) > 0.0
               ? carom_contact_block_size(problem, block)
               : 1;
}

/* The round cone K = { x_0 >= |x_t| } of `size` rows, 1 to 3, and its products. In the plane its
 * coordinates are those along its borders, (x_0 +- x_t) / 2^1/2 >= 0. */

/** The scaling W of two of its inner points, W x = W^-1 y (Nesterov and Todd 1997). */
typedef struct carom_contact_cone {
    double factor;                         /**< by which W is longer than its point */
    double point[CAROM_CONTACT_MOST_ROWS]; /**< w, w_0^2 - |w_t|^2 = 1 */
} carom_contact_cone;

/** Coordinates of the plane from (x_0, x_t), or these from them; others stay as they are. */
void carom_contact_cone_turn(int size, double *x);

/** W of x and y. */
void carom_contact_cone_scale(int size, const double *x, const double *y, carom_contact_cone *cone);

/** out = W v, or W^-1 v; out may be v. */
void carom_contact_cone_apply(int size, const carom_contact_cone *cone, bool is_inverse,
                              const double *v, double *out);

/** E = W^2 [size][size]. */
void carom_contact_cone_square(int size, const carom_contact_cone *cone, double *E);

/** out = a o b = (a.b, a_0 b_t + b_0 a_t), or the out with a o out = b; out may be a or b. */
void carom_contact_cone_multiply(int size, const double *a, const double *b, double *out);
void carom_contact_cone_divide(int size, const double *a, const double *b, double *out);

/** The largest step along d from x that stays in the cone. */
double carom_contact_cone_reach(int size, const double *x, const double *d);

/**
 * In the plane v(y) = ((y_0^2 - y_t^2) / (2 y_0), y_t), which takes the inner points of the cone to
 * the velocities that open, one to one, and its border to those that slide: y_0 = v_0 + |v|. A
 * point x of the cone is normal to y if and only if it is an impulse that obeys the laws at v.
 *
 * @param[in]  is_convex v = y, as in space and without friction
 * @param[in]  y         [size] in the cone
 * @param[out] v         [size]; not y
 * @param[out] G         [size][size] dv/dy
 */
void carom_contact_cone_velocity(int size, bool is_convex, const double *y, double *v, double *G);

/** Whether W is symmetric but for rounding. */
bool carom_contact_is_symmetric(const carom_contact_problem *problem);

/** Whether W, of few rows, is besides positive semidefinite, as J M^-1 J' is. False too without
 * memory. */
bool carom_contact_is_semidefinite(const carom_contact_problem *problem);

/** Factors L U of a matrix with the blocks of a problem's W. */
typedef struct carom_contact_factor carom_contact_factor;

/** @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_contact_factor_alloc(carom_contact_factor **out);

/** Free; NULL is accepted. */
void carom_contact_factor_free(carom_contact_factor *factor);
CAROM_AUTO_TYPE(carom_contact_factor)

/** The order and the places of the factors' blocks, kept as long as the blocks of W are at the same
 * places, which must be symmetric. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_contact_factor_order(carom_contact_factor *factor,
                                                         const carom_contact_problem *problem);

/**
 * Factor B, ordered before, whose diagonal blocks are the pivots.
 *
 * @param[in] B [stored blocks][1+t][1+t] in the order of those of W, all as large as those of
 * contacts, with ones on the diagonal in rows that joints do not have
 * @return whether all have an inverse
 */
bool carom_contact_factor_compute(carom_contact_factor *factor,
                                  const carom_contact_problem *problem, const double *B);

/** The sign of the determinant of B, 1 or -1. */
double carom_contact_factor_sign(const carom_contact_factor *factor);

/** x [blocks][1+t] becomes B^-1 x. */
void carom_contact_factor_solve(carom_contact_factor *factor, double *x);

/** The inverse of a block of b rows, 1 to 3, by Gauss and Jordan with row pivots; A is lost.
 * @return whether it has pivots */
bool carom_contact_block_invert(int b, double *A, double *inverse);

/** What a problem keeps of its bodies: W = J M^-1 J'. */
struct carom_contact_kept {
    int coordinate_count; /**< n */
    int *row_start;       /**< [rows+1] of J */
    int *row_column;      /**< [entries] */
    int *mass_start;      /**< [n+1] of the entries of M that are not zero */
    int *mass_column;     /**< [mass entries] */
    double *row_value;    /**< [entries] J */
    double *mass_value;   /**< [mass entries] M */
    int *ints;            /**< owns the former, one after the other */
    double *doubles;      /**< owns the latter */
};

/** Keep J and M with a problem of more rows than coordinates, if W is J M^-1 J'. @return CAROM_OK;
 * OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_contact_kept_keep(carom_contact_problem *problem,
                                                      const carom_contact_bodies *bodies);

/** Free; NULL is accepted. */
void carom_contact_kept_free(carom_contact_kept *kept);
CAROM_AUTO_TYPE(carom_contact_kept)

/** Factors of A + F, A the W of kept bodies in coordinates of the cones and F blocks on its
 * diagonal, by those of M + K' F^-1 K: smaller, the more contacts there are beside the bodies. */
typedef struct carom_contact_velocity_factor carom_contact_velocity_factor;

/** @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status
carom_contact_velocity_factor_alloc(carom_contact_velocity_factor **out);

/** Free; NULL is accepted. */
void carom_contact_velocity_factor_free(carom_contact_velocity_factor *factor);
CAROM_AUTO_TYPE(carom_contact_velocity_factor)

/**
 * K = J in the coordinates of the cones, and M; what is ordered is kept as long as their entries
 * are at the same places.
 *
 * @param[in] problem with its bodies
 * @param[in] unit    [blocks][1+t] by which rows are multiplied before they are turned
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status
carom_contact_velocity_factor_set(carom_contact_velocity_factor *factor,
                                  const carom_contact_problem *problem, const double *unit);

/** @param[in] F [blocks][1+t][1+t] with inverses. @return whether there are pivots */
bool carom_contact_velocity_factor_compute(carom_contact_velocity_factor *factor, const double *F);

/** The sign of the determinant of A + F, those of the blocks F being positive; 1 or -1. */
double carom_contact_velocity_factor_sign(const carom_contact_velocity_factor *factor);

/** x [blocks][1+t] becomes (A + F)^-1 x. */
void carom_contact_velocity_factor_solve(carom_contact_velocity_factor *factor, double *x);

/** The same by F^-1 [blocks][1+t][1+t], which may be singular, as far as it tells: for
 * carom_contact_velocity_factor_move. @return whether there are pivots */
bool carom_contact_velocity_factor_compute_by(carom_contact_velocity_factor *factor,
                                              const double *inverse);

/** y = K (M + K' F^-1 K)^-1 K' x; x, y [blocks][1+t], which may not overlap. */
void carom_contact_velocity_factor_move(carom_contact_velocity_factor *factor, const double *x,
                                        double *y);

/** (S + B W) x = y, W of kept bodies in space, S and B blocks on the diagonal. */
typedef struct carom_contact_newton_system carom_contact_newton_system;

/** @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_contact_newton_system_alloc(carom_contact_newton_system **out);

/** Free; NULL is accepted. */
void carom_contact_newton_system_free(carom_contact_newton_system *system);
CAROM_AUTO_TYPE(carom_contact_newton_system)

/** @param[in] problem kept, not copied. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_contact_newton_system_set(carom_contact_newton_system *system,
                                                              const carom_contact_problem *problem);

/** x [rows] becomes (S + B W)^-1 x.
 * @param[in] S     [blocks][3][3] with inverses, ones on the diagonal in rows joints do not have
 * @param[in] scale [blocks][3][3] B, zeros there
 * @return whether there are pivots; x is lost where there are none */
bool carom_contact_newton_system_solve(carom_contact_newton_system *system, const double *S,
                                       const double *scale, double *x);

/** r = c z of coordinates z [blocks][1+t]. */
void carom_contact_cone_impulse(const carom_contact_problem *problem, const double *unit,
                                const double *z, double *r);

/** Coordinates v [1+t] = c u of a block's velocities. */
void carom_contact_cone_coordinates(const carom_contact_problem *problem, const double *unit,
                                    int block, const double *u, double *v);

/** c [blocks][1+t] of the rows, w^-1/2, of normals with friction 1/mu of it, so that coordinates
 * are in units of energy^1/2; 0 of rows that a block does not have. */
void carom_contact_cone_units(const carom_contact_problem *problem, double *unit);

/** A + F, A = W in the coordinates of the cones, F blocks on its diagonal. */
typedef struct carom_contact_cone_system carom_contact_cone_system;

/** @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_contact_cone_system_alloc(carom_contact_cone_system **out);

/** Free; NULL is accepted. */
void carom_contact_cone_system_free(carom_contact_cone_system *system);
CAROM_AUTO_TYPE(carom_contact_cone_system)

/**
 * The order of the factors, kept for the next problem of the same pattern.
 *
 * @param[in] problem kept, not copied
 * @param[in] unit    [blocks][1+t] c of the rows, 0 of those that a block does not have; kept too
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_contact_cone_system_set(carom_contact_cone_system *system,
                                                            const carom_contact_problem *problem,
                                                            const double *unit);

/** What it has besides on its diagonal: in a row that a block does not have 1, else little. */
double carom_contact_cone_system_added(const carom_contact_problem *problem, const double *unit,
                                       int row);

/** Factor it, with what is added. @param[in] F [blocks][1+t][1+t], zeros in rows
 * that a block does not have. @return whether there are pivots */
bool carom_contact_cone_system_compute(carom_contact_cone_system *system, const double *F);

/** The sign of the determinant of A + F, those of the blocks F being positive; 1 or -1. */
double carom_contact_cone_system_sign(const carom_contact_cone_system *system);

/** x [blocks][1+t] becomes (A + F)^-1 x. Velocities lose digits of it where contacts that hold are
 * much stiffer than bodies; refined, it has them. */
void carom_contact_cone_system_solve(carom_contact_cone_system *system, bool is_refined, double *x);

/** A path of the interior-point method that ends with such a residual is near an answer: contacts
 * between two states, whose part of the gap rounding takes beside a round cone's, keep it from its
 * end. */
static const double CAROM_CONTACT_NEAR_ANSWER = 1e-3;

/** Starts of the interior-point method: in space what the convex problem takes as given settles in
 * some or not at all. */
static inline int carom_contact_most_starts(const carom_contact_problem *problem) {
    return problem->tangent_count < 2 ? INT_MAX : 12;
}

/** Work memory of the interior-point method. */
typedef struct carom_contact_interior_point carom_contact_interior_point;

/** @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status
carom_contact_interior_point_alloc(carom_contact_interior_point **out);

/** Free; NULL is accepted. */
void carom_contact_interior_point_free(carom_contact_interior_point *work);
CAROM_AUTO_TYPE(carom_contact_interior_point)

/**
 * From no impulses, until the certificate's residual is below the tolerance, by a predictor and
 * corrector in the cones. A path that does not lead to an answer is followed by one from another
 * start; one that ends near an answer is left to other methods, and in space the first, of the
 * convex problem, and the second, of the laws. Later ones there solve the convex problem with the
 * sliding of the one before as given (Acary, Cadoux et al. 2011), and from near its answer the
 * laws.
 *
 * @param[in,out] work        memory
 * @param[in]     problem     the data
 * @param[in]     tolerance   of the residual, 1
 * @param[in]     most        factorisations
 * @param[in,out] starts      begun from so far, 0 at first
 * @param[out]    r           [rows] the last impulses
 * @param[out]    u           [rows]
 * @param[out]    certificate of r
 * @param[in,out] iterations  counted on
 * @return CAROM_OK; NOT_CONVERGED; UNSUPPORTED: W is not symmetric; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_contact_interior_point_solve(
    carom_contact_interior_point *work, const carom_contact_problem *problem, double tolerance,
    int most, int *starts, double *r, double *u, carom_contact_certificate *certificate,
    int *iterations);

/** Central paths that are followed by their length, one after the other. */
enum { CAROM_CONTACT_MOST_PATHS = 6 };

/** Work memory of the central path by its length. */
typedef struct carom_contact_path carom_contact_path;

/** @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_contact_path_alloc(carom_contact_path **out);

/** Free; NULL is accepted. */
void carom_contact_path_free(carom_contact_path *work);
CAROM_AUTO_TYPE(carom_contact_path)

/**
 * Along a central path, through its turns, until the certificate's residual is below the tolerance.
 *
 * @param[in,out] work        memory
 * @param[in]     problem     the data
 * @param[in]     number      from 0, below CAROM_CONTACT_MOST_PATHS: of the path, which in the
 * plane has a compliance of its own, in space a point where it begins
 * @param[in]     tolerance   of the residual, 1
 * @param[in]     most        factorisations
 * @param[out]    r           [rows] the last impulses, in space the best
 * @param[out]    u           [rows]
 * @param[out]    certificate of r
 * @param[in,out] iterations  counted on
 * @return CAROM_OK; NOT_CONVERGED; UNSUPPORTED: W is not symmetric; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_contact_path_solve(
    carom_contact_path *work, const carom_contact_problem *problem, int number, double tolerance,
    int most, double *r, double *u, carom_contact_certificate *certificate, int *iterations);

/** Work memory of Newton's method. */
typedef struct carom_contact_newton carom_contact_newton;

/** @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_contact_newton_alloc(carom_contact_newton **out);

/** Free; NULL is accepted. */
void carom_contact_newton_free(carom_contact_newton *newton);
CAROM_AUTO_TYPE(carom_contact_newton)

/** How Newton's method goes. */
typedef struct carom_contact_newton_params {
    double tolerance;  /**< of the certificate's residual, 1 */
    double stiffening; /**< factor of the inverse masses in Newton's function, 1 */
    bool is_smoothed;  /**< begins with smoothed laws, as far from the laws as r is */
    double reduction;  /**< by which smoothing falls at least, in (0,1) */
    int most;          /**< iterations */
} carom_contact_newton_params;

/**
 * Semismooth Newton's method from r, until the certificate's residual is below the tolerance.
 *
 * @param[in,out] newton      work memory
 * @param[in]     problem     the data
 * @param[in]     params      how
 * @param[in,out] r           [rows]; the last iterate
 * @param[out]    u           [rows]
 * @param[out]    certificate of r
 * @param[in,out] iterations  counted on
 * @return CAROM_OK; NOT_CONVERGED; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_contact_newton_solve(carom_contact_newton *newton,
                                                         const carom_contact_problem *problem,
                                                         const carom_contact_newton_params *params,
                                                         double *r, double *u,
                                                         carom_contact_certificate *certificate,
                                                         int *iterations);

/** Work memory of paths of piecewise linear equations. */
typedef struct carom_contact_piecewise carom_contact_piecewise;

/** @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_contact_piecewise_alloc(carom_contact_piecewise **out);

/** Free; NULL is accepted. */
void carom_contact_piecewise_free(carom_contact_piecewise *work);
CAROM_AUTO_TYPE(carom_contact_piecewise)

/**
 * In the plane, from r, until the certificate's residual is below the tolerance: along the path of
 * the piecewise linear equations (Katzenelson 1965; Dirkse and Ferris 1995) of contacts with a
 * compliance, which makes redundant ones regular and of which the last impulses take what they
 * bear; it falls with the residual.
 *
 * @param[in,out] work        memory
 * @param[in]     problem     one tangent or none
 * @param[in]     tolerance   of the residual, 1
 * @param[in,out] r           [rows]; the last impulses
 * @param[out]    u           [rows]
 * @param[out]    certificate of r
 * @param[in,out] pivots      counted on
 * @return CAROM_OK; NOT_CONVERGED; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_contact_piecewise_solve(carom_contact_piecewise *work,
                                                            const carom_contact_problem *problem,
                                                            double tolerance, double *r, double *u,
                                                            carom_contact_certificate *certificate,
                                                            int *pivots);

/**
 * The same without compliance, from all contacts open, as Lemke's method goes.
 * @param[out] r [rows]
 * @return CAROM_OK; RAY; NOT_CONVERGED; SINGULAR; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_contact_piecewise_pivot(carom_contact_piecewise *work,
                                                            const carom_contact_problem *problem,
                                                            double *r, int *pivots);

/** Work memory of Lemke's method. */
typedef struct carom_contact_pivoting carom_contact_pivoting;

/** @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_contact_pivoting_alloc(carom_contact_pivoting **out);

/** Free; NULL is accepted. */
void carom_contact_pivoting_free(carom_contact_pivoting *work);
CAROM_AUTO_TYPE(carom_contact_pivoting)

/**
 * One solution by Lemke's method.
 * @param[in]  has_friction false: of the same contacts without friction
 * @param[out] pivots       spent
 * @return CAROM_OK; RAY: there is none; NOT_CONVERGED; SINGULAR (joints); UNSUPPORTED;
 * OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_contact_pivot(carom_contact_pivoting *work,
                                                  const carom_contact_problem *problem,
                                                  bool has_friction, double *r, int *pivots,
                                                  carom_report *report);

#endif
