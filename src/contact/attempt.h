/** One contact problem being solved: the best impulses so far, whether they settle it, and each
 * method's turn at it. */
#ifndef CAROM_CONTACT_ATTEMPT_H
#define CAROM_CONTACT_ATTEMPT_H

#include <carom/contact/internal.h>

/** Impulses of this many times those that stop the contacts one by one raise the question whether
 * there is a solution. */
static const double CAROM_ATTEMPT_LARGE_GROWTH = 1e3;

/** Contacts that Lemke's method is asked about at most, when all else has failed. */
enum { CAROM_ATTEMPT_MOST_PIVOTED = 64 };

/** The first sweeps go on as long as so many bring the residual to a tenth, the cost of some
 * factorisations of a pile, later ones as long as so many and one more a block do. */
enum {
    CAROM_ATTEMPT_FIRST_PATIENCE = 50,
    CAROM_ATTEMPT_SECOND_PATIENCE = 100,
    CAROM_ATTEMPT_MOST_PATIENCE = 500,
};

struct carom_contact_solver {
    size_t capacity;
    double *velocity;  /**< [rows] */
    double *best;      /**< [rows] impulses of the smallest residual */
    double *before;    /**< [rows] of sweeps */
    double *direction; /**< [rows] of sweeps */
    double *trial;     /**< [rows] of another problem */
    double *scaled;    /**< [rows] free velocities times a power of two */
    double *memory;    /**< owns the former */
    carom_contact_newton *newton;
    carom_contact_interior_point *interior;
    carom_contact_path *path;
    carom_contact_pivoting *pivoting;
    carom_contact_piecewise *piecewise;
};

/** What is known of whether there is a solution. */
typedef enum carom_attempt_verdict {
    CAROM_ATTEMPT_NOT_ASKED,
    CAROM_ATTEMPT_UNDECIDED,
    CAROM_ATTEMPT_HAS_SOLUTION,
    CAROM_ATTEMPT_HAS_NONE
} carom_attempt_verdict;

/** One problem being solved. */
typedef struct carom_attempt {
    carom_contact_solver *solver;
    const carom_contact_problem *problem;
    carom_contact_params params;
    double *r; /**< [rows] the present impulses */
    carom_contact_report *result;
    bool is_certified; /**< the certificate and the solver's velocity are those of r */
    carom_attempt_verdict verdict;
    int path_iterations; /**< along paths by their length, beside those of the result */
    carom_contact_certificate
        best; /**< of the solver's best impulses; residual NaN: there are none */
} carom_attempt;

/** The residual, small beside the impulses, or what it is with rounding beside the data: where
 * there is no solution impulses may grow until all is small beside them. */
double carom_attempt_badness(const carom_attempt *a, const carom_contact_certificate *c);

/** Find the verdict, once, where few contacts let it be found. */
void carom_attempt_ask(carom_attempt *a);

/** Whether r is a solution, or there is none; large impulses raise the question. */
bool carom_attempt_is_settled(carom_attempt *a);

/** The certificate of r. */
void carom_attempt_certify(carom_attempt *a);

/** Keep the better of r and the best so far; its certificate is the one of `result`. */
void carom_attempt_keep_best(carom_attempt *a);

/** Sweeps until the certificate holds, as long as `patience` of them leave such a part of the
 * residual. */
void carom_attempt_sweep(carom_attempt *a, int patience, double part);

/** Newton's method from r, by the iterations that are left. @return CAROM_OK, converged or not;
 * OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_attempt_iterate_newton(carom_attempt *a,
                                                           carom_contact_newton_params params);

/** In the plane, unless r settles it, paths of the piecewise linear equations from the best
 * impulses so far; of few contacts, from all open. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_attempt_follow_pieces(carom_attempt *a);

/** One call of the interior-point method; what it ends near to is swept to its end, else left.
 * @param[in,out] starts paths begun so far
 * @return as of that method */
CAROM_MUST_CHECK carom_status carom_attempt_follow_central_path(carom_attempt *a, int *starts);

/** The paths that the interior-point method has left, through their turns, by as many
 * factorisations each as Newton's methods have, in space, where there are many turns, by all that
 * are left. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_attempt_follow_turns(carom_attempt *a);

/** Lemke's method. @return as of that method */
CAROM_MUST_CHECK carom_status carom_attempt_pivot(carom_attempt *a, carom_report *report);

/** Report that there is no solution. @return RAY */
CAROM_MUST_CHECK carom_status carom_attempt_say_none(carom_report *report);

#endif
