/** The contact problem of an instant or of a step: impulses of joints and of contacts that do not
 * penetrate (Signorini), restitute (Newton) and rub (Coulomb), in the plane and in space with the
 * round cone; its solvers, each judged by a certificate. */
#ifndef CAROM_CONTACT_CONTACT_H
#define CAROM_CONTACT_CONTACT_H

#include <carom/base/base.h>

CAROM_BEGIN_DECLARATIONS

/* ---------------------------------------------------------------------------------- the problem */
/* Delassus operator, free velocity and friction of a set of joints and contacts. */

/** J and M of a problem of bodies. */
typedef struct carom_contact_kept carom_contact_kept;

/**
 * u = W r + q with impulses r and velocities u: of a joint u = 0; of a contact with its normal row
 * n and its tangents t, |r_t| <= mu r_n,
 *
 *     0 <= u_n  _|_  r_n >= 0,    u_t = 0  or  r_t = -mu r_n u_t / |u_t| ,
 *
 * restitution being part of q. The rows are those of the joints, then of each contact its normal
 * and its tangents. W is kept by blocks, a joint row or a contact each, of which only those are
 * stored that are not zero or whose mirrors are not. Fields are read, never written, by users.
 *
 * Source: Moreau 1988; De Saxce and Feng 1998; acary and brogliato 2008, chapter 13.
 */
typedef struct carom_contact_problem {
    int joint_count;       /**< n_b >= 0, rows 0 .. n_b-1 */
    int contact_count;     /**< n_c >= 0 */
    int tangent_count;     /**< t of each contact: 0 without friction, 1 plane, 2 space */
    int row_count;         /**< n_b + n_c (1 + t) */
    int block_count;       /**< n_b + n_c */
    int *start;            /**< [block_count+1] first stored block of a row of blocks */
    int *column;           /**< [start[block_count]] its column, increasing within a row */
    int *diagonal;         /**< [block_count] the stored block on the diagonal */
    size_t *offset;        /**< [start[block_count]] of its first entry in `entries`, row-major */
    double *entries;       /**< W, 1/kg */
    double *free_velocity; /**< [row_count] q, m/s */
    double *friction;      /**< [n_c] mu >= 0, 1 */
    double *inverse_mass;  /**< [block_count] w: largest diagonal entry of the block, 1/kg */
    carom_contact_kept *kept; /**< of more rows than coordinates of bodies; else NULL */
} carom_contact_problem;

/** W by its rows, as they come from other codes: not always symmetric or regular. */
typedef struct carom_contact_rows {
    int joint_count;       /**< n_b >= 0 */
    int contact_count;     /**< n_c >= 0 */
    int tangent_count;     /**< t: 0, 1 or 2 */
    const int *start;      /**< [rows+1] first entry of each row; NULL: W is full */
    const int *column;     /**< [start[rows]] increasing within a row; NULL with `start` */
    const double *entries; /**< [start[rows]]; without `start` [rows][rows], row-major; 1/kg */
    const double *free_velocity; /**< [rows] q, m/s */
    const double *friction;      /**< [n_c] mu >= 0, 1; NULL: none */
} carom_contact_rows;

/**
 * A problem from W, copied. Blocks of zeros whose mirrors are zeros too are dropped. At most 2^30
 * rows, 32768 of a full matrix.
 *
 * @param[in]  rows   of the matrix
 * @param[out] out    belongs to the caller
 * @param[out] report what was refused; may be NULL
 * @return CAROM_OK; OUT_OF_RANGE (counts, columns, friction, friction without tangents);
 * NOT_FINITE; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_contact_problem_alloc(const carom_contact_rows *rows,
                                                          carom_contact_problem **out,
                                                          carom_report *report);

/**
 * Bodies and what joins them: u = J v, M (v - v_free) = J' r, with restitution e of the normal
 * velocities before. J in compressed rows, ordered as those of the problem.
 */
typedef struct carom_contact_bodies {
    carom_layout layout;             /**< of M */
    const double *mass;              /**< M [layout], symmetric positive definite, kg */
    bool is_tangent;                 /**< M need be neither: it is the tangent of a step */
    int joint_count;                 /**< n_b >= 0 */
    int contact_count;               /**< n_c >= 0 */
    int tangent_count;               /**< t: 0, 1 or 2 */
    const int *row_start;            /**< [rows+1] */
    const int *row_column;           /**< [row_start[rows]] coordinate, increasing within a row */
    const double *row_value;         /**< [row_start[rows]] J, 1 */
    const double *rate_value;        /**< [row_start[rows]] J of the velocities, where a tangent
                                        tells it from that of the impulses; NULL: J */
    const double *free_velocity;     /**< v_free [n], m/s */
    const double *previous_velocity; /**< v- [n], m/s; NULL: no restitution */
    const double *support_velocity;  /**< [rows] added to J v, m/s; NULL: supports at rest */
    const double *restitution;       /**< [n_c] e in [0,1], 1; NULL: none */
    const double *friction;          /**< [n_c] mu >= 0, 1; NULL: none */
} carom_contact_bodies;

/**
 * The problem W = J M^-1 J', q = J v_free + w + e (J_n v- + w_n). Two rows meet where they touch
 * coordinates that M couples: memory and work follow the number of such pairs, so that a column of
 * N free bodies takes O(N).
 *
 * @param[in]  bodies of the mechanism
 * @param[out] out    belongs to the caller
 * @param[out] report what was refused; may be NULL
 * @return CAROM_OK; SINGULAR (M, its first singular or indefinite part by index); NOT_SYMMETRIC;
 * OUT_OF_RANGE; NOT_FINITE; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_contact_problem_of_bodies(const carom_contact_bodies *bodies,
                                                              carom_contact_problem **out,
                                                              carom_report *report);

/** Memory of one problem of bodies after the other, as a motion makes them. */
typedef struct carom_contact_assembly carom_contact_assembly;

/** @param[out] out belongs to the caller. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_contact_assembly_alloc(carom_contact_assembly **out);

/** Free; NULL is accepted. */
void carom_contact_assembly_free(carom_contact_assembly *assembly);
CAROM_AUTO_TYPE(carom_contact_assembly)

/**
 * The problem of carom_contact_problem_of_bodies, in memory that grows with the largest so far.
 * What has the same bits as at the last call is kept: the pattern, the factors of M, W.
 *
 * @param[in,out] assembly after a failure begins anew
 * @param[in]     bodies   of the mechanism
 * @param[out]    out      borrowed from the assembly until its next call
 * @param[out]    report   may be NULL
 * @return as carom_contact_problem_of_bodies
 */
CAROM_MUST_CHECK carom_status carom_contact_assemble(carom_contact_assembly *assembly,
                                                     const carom_contact_bodies *bodies,
                                                     const carom_contact_problem **out,
                                                     carom_report *report);

/** Free; NULL is accepted. */
void carom_contact_problem_free(carom_contact_problem *problem);
CAROM_AUTO_TYPE(carom_contact_problem)

/** First row of a block: joint rows, then contacts. */
int carom_contact_problem_row(const carom_contact_problem *problem, int block);

/** u = W r + q; r, u [rows], which may not overlap. */
void carom_contact_problem_velocity(const carom_contact_problem *problem, const double *r,
                                    double *u);

/* -------------------------------------------------------------------------------- certificate */
/* How well impulses satisfy the conditions, computed from the data alone. */

/**
 * Each measure is the largest over the blocks, relative to the impulses that act in the block,
 * s = |r| + (|q| + sum_j |W_j| |r_j|) / w, w its inverse mass.
 */
typedef struct carom_contact_certificate {
    double residual;        /**< |r - P(r - u/w)| / s, P_n = max(0, .), P_t onto |r_t| <= mu r_n; of
                               joints |u| / (w s) */
    double penetration;     /**< -u_n / (w s), 0 if none */
    double cone;            /**< (|r_t| - mu r_n) / s, or -r_n / s, 0 if inside */
    double complementarity; /**< sqrt(|r_n u_n| / w) / s */
    double growth; /**< largest |r| beside the largest |q|/w, the impulse that stops one block; of
                      impulses that run away from a problem without solution it has no bound */
    int worst;     /**< block of the largest residual, -1 without blocks */
} carom_contact_certificate;

/**
 * @param[in]  problem     the data
 * @param[in]  r           [rows] impulses, N s
 * @param[out] velocity    [rows] u = W r + q, m/s; may not overlap r
 * @param[out] certificate NaN where r, or its terms W r, are not finite
 * Source: Alart and Curnier 1991. The projection onto the cone (De Saxce and Feng 1998, eq. 40) has
 * the same zeros, but mu times the rounding of |u_t|.
 * Cost: one product with W.
 */
void carom_contact_certify(const carom_contact_problem *problem, const double *r, double *velocity,
                           carom_contact_certificate *certificate);

/* -------------------------------------------------------------------------------------- states */
/* What the contacts of a solution do, and the energy that its impulses give. */

/** What a contact does. */
typedef enum carom_contact_state {
    CAROM_CONTACT_OPEN,   /**< no impulse */
    CAROM_CONTACT_STICKS, /**< it presses and does not slide; without tangents, it presses */
    CAROM_CONTACT_SLIDES, /**< it presses and slides */
} carom_contact_state;

/**
 * What each contact does: it presses where r_n > tolerance s, s that of the certificate, and slides
 * where then |u_t| > tolerance w s, w its inverse mass.
 *
 * @param[in]  problem   the data
 * @param[in]  r         [rows] impulses of a solution, N s
 * @param[in]  u         [rows] velocities of it, m/s
 * @param[in]  tolerance that it was solved to, 1
 * @param[out] states    [n_c]
 */
void carom_contact_classify(const carom_contact_problem *problem, const double *r, const double *u,
                            double tolerance, carom_contact_state *states);

/**
 * Energy that impulses give to bodies, r'(u + q)/2 = r'(v+ + v_free)/2, J: not positive, as the
 * laws have it. With restitution u and q hold e v-: take r' e v- off.
 *
 * @param[in] problem the data
 * @param[in] r       [rows] impulses, N s
 * @param[in] u       [rows] velocities W r + q, m/s
 */
double carom_contact_energy(const carom_contact_problem *problem, const double *r, const double *u);

/* ------------------------------------------------------------------------------------- solvers */
/* One answer with its certificate, by pivoting, sweeps or Newton's method. */

/** How a problem is solved. */
typedef enum carom_contact_method {
    CAROM_CONTACT_AUTOMATIC,    /**< sweeps, pivoting, an interior-point method, Newton's */
    CAROM_CONTACT_GAUSS_SEIDEL, /**< each contact by itself, exactly, in turn (Jourdan 1998), and
 on along conjugate directions */
    CAROM_CONTACT_NEWTON,       /**< semismooth, on all contacts at once (Alart and Curnier 1991);
 where it gives up, from smoothed laws */
    CAROM_CONTACT_PIVOTING,     /**< Lemke's method: without friction, or in the plane; of the
 automatic one's answers those at the end of a path of piecewise linear equations */
} carom_contact_method;

/** What a solver is told. */
typedef struct carom_contact_params {
    carom_contact_method method; /**< which solver */
    double tolerance;            /**< of the certificate's residual, 1 */
    int most_sweeps;             /**< of Gauss-Seidel, >= 0 */
    int most_newton_iterations;  /**< >= 0, half of them of the interior-point method; in the plane
                                    as many again by each of some paths that turn back */
} carom_contact_params;

/** Automatic, residual 1e-12, 30 000 sweeps and 1000 iterations at most. */
carom_contact_params carom_contact_params_default(void);

/** What a solution cost, and how good it is. */
typedef struct carom_contact_report {
    carom_contact_certificate certificate; /**< of the impulses returned */
    carom_contact_method method;           /**< that found them */
    int sweeps;                            /**< of Gauss-Seidel */
    int newton_iterations;                 /**< factorisations, of the interior-point method too */
    int pivots; /**< of Lemke's method, and of paths of piecewise linear equations */
} carom_contact_report;

/** Work memory, which grows with the largest problem it has met. */
typedef struct carom_contact_solver carom_contact_solver;

/** @param[out] out belongs to the caller. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_contact_solver_alloc(carom_contact_solver **out);

/** Free; NULL is accepted. */
void carom_contact_solver_free(carom_contact_solver *solver);
CAROM_AUTO_TYPE(carom_contact_solver)

/**
 * Solve a contact problem. An answer counts as solved only by its certificate.
 *
 * @param[in,out] solver  work memory
 * @param[in]     problem the data
 * @param[in]     params  NULL: the default ones
 * @param[in,out] r       [rows] impulses to start from (zeros, or those of the last step), then the
 * solution, N s; on failure the best that was found, of one method its last, which is none
 * @param[out]    u       [rows] velocities, m/s; may be NULL
 * @param[out]    result  may be NULL
 * @param[out]    report  why there is none; may be NULL
 * @return CAROM_OK: residual <= tolerance, and residual * growth <= tolerance^1/2 unless impulses
 * without friction that open all contacts are known; RAY: there is no solution, by a row that no
 * impulse can open, or by Lemke's certificate none within some 1e9 times the impulses that stop the
 * contacts one by one: of the automatic solver in space too, of 64 contacts at most and with
 * symmetric positive semidefinite W, by the normals alone; NOT_CONVERGED: none was found;
 * UNSUPPORTED: pivoting with friction in space, or with too many contacts; SINGULAR: pivoting with
 * redundant joints; NOT_FINITE: r; OUT_OF_MEMORY. Of a failure u is that of the impulses left in r
 *
 * Cost: a sweep is one product with W and a local solution a contact; a Newton iteration is one
 * sparse factorisation. The contacts are taken in their order, and what is drawn to start from is
 * drawn by their numbers: the bits do not depend on threads.
 */
CAROM_MUST_CHECK carom_status carom_contact_solve(carom_contact_solver *solver,
                                                  const carom_contact_problem *problem,
                                                  const carom_contact_params *params, double *r,
                                                  double *u, carom_contact_report *result,
                                                  carom_report *report);

/** Most contacts whose solutions are all found: 4 with friction, 16 without. */
#define CAROM_CONTACT_MOST_WITH_FRICTION 4

/** Called for each solution. @return whether to go on */
typedef bool (*carom_contact_found)(const double *r, const double *u, void *context);

/**
 * All solutions of a small problem, one for each complementary basis that gives a new one; of a
 * continuum its corners.
 *
 * @param[in]  problem without friction, or in the plane
 * @param[in]  found   called for each
 * @param[in]  context handed to it
 * @param[out] count   of solutions; may be NULL
 * @param[out] report  may be NULL
 * @return CAROM_OK, also for none; UNSUPPORTED; OUT_OF_RANGE (too many contacts); SINGULAR
 * (joints); OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_contact_solve_all(const carom_contact_problem *problem,
                                                      carom_contact_found found, void *context,
                                                      int *count, carom_report *report);

/**
 * The solution of one contact alone: closed form in the plane, one scalar root in space.
 *
 * @param[in]  t  tangents: 0, 1 or 2
 * @param[in]  W  [1+t][1+t] row-major, 1/kg
 * @param[in]  mu friction >= 0, 1
 * @param[in]  q  [1+t] velocities without impulse, m/s
 * @param[out] r  [1+t] impulse, N s: zero whenever q_n >= 0, even where others satisfy the law;
 * zero also without solution
 * @return whether there is one: always with W symmetric positive definite
 * Source: Bonnefon and Daviet 2011 (the quartic, here as a secular equation).
 */
bool carom_contact_solve_local(int t, const double *W, double mu, const double *q, double *r);

CAROM_END_DECLARATIONS

#endif
