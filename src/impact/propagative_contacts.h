/** The normals of the closed contacts in the kinetic metric: what the propagative model needs. */
#ifndef CAROM_IMPACT_PROPAGATIVE_CONTACTS_H
#define CAROM_IMPACT_PROPAGATIVE_CONTACTS_H

#include <carom/base/attributes.h>
#include <carom/impact/impact_problem.h>

CAROM_BEGIN_DECLARATIONS

/**
 * m normals u_i of n coordinates, with the inner product (a,b) = a M^-1 b' of covectors. With M = L
 * L', the covector a is stored as L^-1 a', so that products are those of Euclid. Contacts that
 * cannot be separated at once are refused: without a covector r of (u_i,r) > 0 for all i, sequences
 * of reflections need not end (three normals 120 degrees apart); with one every sequence does, as
 * (p,r) rises by 2 |(p,w)| (w,r) in each reflection and is at most |p| |r| (ours; the paper proves
 * it for two contacts). Read, never written, by users.
 */
typedef struct carom_propagative_contacts {
    int coordinate_count; /**< n >= 1 */
    int contact_count;    /**< m >= 1: all closed contacts, also those that are separating */
    double *length;       /**< [m] |u_i|, (5b), kg^-1/2 */
    double *unit_normal;  /**< [m][n] w_i = u_i/|u_i| as L^-1 w_i', 1 */
    double *cosine;       /**< [m][m] (w_i,w_j), exactly symmetric, diagonal 1 */
    double *separator;    /**< [n] unit covector r, 1 */
    double separation;    /**< least (w_i,r), > 0: of the sum of the normals if they all rise along
                             it, else the largest possible one */
} carom_propagative_contacts;

/** Room for m normals of n coordinates, n, m >= 1. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_propagative_contacts_alloc(int n, int m,
                                                               carom_propagative_contacts **out);

/** Free; NULL is accepted. */
void carom_propagative_contacts_free(carom_propagative_contacts *contacts);
CAROM_AUTO_TYPE(carom_propagative_contacts)

/**
 * Take over the normals of an instant.
 *
 * @param[in,out] contacts    all n coordinates and m contacts; of no use after a failure
 * @param[in]     mass_factor [n][n] lower Cholesky factor L of M, its upper half not read
 * @param[in]     normals     [m][n] u_i = D phi_i, positive = separating; equal ones are allowed
 * @param[out]    report      quantity, value and index of what is refused; may be NULL
 * @return CAROM_OK; NOT_FINITE; OUT_OF_RANGE: a normal of length zero, a diagonal of L that is not
 * positive; CONFLICT: the contacts cannot be separated at once, or only so little that rounding
 * hides it; OUT_OF_MEMORY, and memory is asked for only where the sum of the unit normals does not
 * separate
 * Source: seghete-2014 (5).
 * Cost: O(m n (m + n)).
 */
CAROM_MUST_CHECK carom_status carom_propagative_contacts_set(carom_propagative_contacts *contacts,
                                                             const double *mass_factor,
                                                             const double *normals,
                                                             carom_report *report);

/**
 * The contacts of an impact problem: its normal rows alone, whatever its friction, which this model
 * does not have.
 *
 * @param[in]  problem the problem
 * @param[out] out     belongs to the caller
 * @param[out] report  may be NULL
 * @return as carom_propagative_contacts_set
 */
CAROM_MUST_CHECK carom_status carom_propagative_contacts_of_problem(
    const carom_impact_problem *problem, carom_propagative_contacts **out, carom_report *report);

CAROM_END_DECLARATIONS

#endif
