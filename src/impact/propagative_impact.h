/** The propagative model of simultaneous impact (seghete-2014): single elastic impacts until all
 * contacts open. First the contacts, then one sequence by a rule, then all outcomes. */
#ifndef CAROM_IMPACT_PROPAGATIVE_IMPACT_H
#define CAROM_IMPACT_PROPAGATIVE_IMPACT_H

#include <carom/base/base.h>
#include <carom/impact/impact_problem.h>

CAROM_BEGIN_DECLARATIONS

/* ------------------------------------------------------------------------------------- contacts */
/* The normals of the closed contacts in the kinetic metric: what the propagative model needs. */

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

/* --------------------------------------------------------------------------------- one sequence */
/* The propagative model of simultaneous impact: single elastic impacts until all contacts open. */

/** Which of the approaching contacts reflects next; speeds are compared in unit normals. */
typedef enum carom_propagative_rule {
    CAROM_PROPAGATIVE_MOST_APPROACHING,  /**< arg min (w_i,p); of equal ones the lowest index */
    CAROM_PROPAGATIVE_LEAST_APPROACHING, /**< arg max (w_i,p) of those approaching */
    CAROM_PROPAGATIVE_LOWEST_INDEX,      /**< the first in the order of the contacts */
    CAROM_PROPAGATIVE_CYCLIC,            /**< from `first` on and round again after the last one
                                            reflected: two contacts alternate */
    CAROM_PROPAGATIVE_RANDOM             /**< any, by `seed` and the number of the step */
} carom_propagative_rule;

/** Which contact is reflected next, and when none is. */
typedef struct carom_propagative_params {
    carom_propagative_rule rule; /**< which approaching contact is next */
    int first;          /**< contact that CYCLIC begins at, 0 .. m-1; ignored by the others */
    unsigned long seed; /**< of RANDOM */
    double tolerance;   /**< a contact approaches if (w_i,p) < -tolerance |p|; 1, in (0, 1) */
} carom_propagative_params;

/** Most approaching first, tolerance 1e-12. */
carom_propagative_params carom_propagative_params_default(void);

/** One impact, its memory reused from event to event. Read, never written, by users. */
typedef struct carom_propagative_impact {
    int contact_count;       /**< m */
    int most_steps;          /**< steps there is room for */
    int step_count;          /**< reflections, 0 if no contact approached */
    int *sequence;           /**< [step] contact reflected: the indices of W in (14) */
    double *step_impulse;    /**< [step] its impulse, > 0, N s */
    double *impulse;         /**< [m] total impulses, N s; with R < 1 those of (17) */
    double *normal_velocity; /**< [m] after the impact, m/s */
    double energy_change;    /**< of kinetic energy by the impulses, J */
    double plastic_loss;     /**< E_p of (16), J; NaN if R = 1, where it is not computed */
    double energy_error;     /**< |change of energy| by the sequence / energy before, rounding */
    double residual; /**< fastest approach left, |p| being 1, from the elastic impulses: 0 or up to
                        the tolerance and rounding */
    struct carom_propagative_work *work; /**< private */
} carom_propagative_impact;

/**
 * Room for impacts of m contacts and sequences of up to `most_steps`, both >= 1. Two contacts of
 * half opening gamma need at most ceil(pi/(2 gamma)) steps.
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_propagative_impact_alloc(int m, int most_steps,
                                                             carom_propagative_impact **out);

/** Free; NULL is accepted. */
void carom_propagative_impact_free(carom_propagative_impact *impact);
CAROM_AUTO_TYPE(carom_propagative_impact)

/**
 * Reflect the momentum across contact i, (7): Lambda = -2 c_i/|u_i|^2, which reverses c_i.
 *
 * @param[in]     contacts the normals
 * @param[in]     i        contact
 * @param[in,out] c        [m] normal velocities (p,u_j), m/s
 * @return Lambda, N s: positive if contact i approached
 * Cost: O(m).
 */
double carom_propagative_reflect(const carom_propagative_contacts *contacts, int i, double *c);

/**
 * Reflect across approaching contacts until none is left (14); with R < 1 the impulses are R times
 * these and 1 - R times those of the plastic impact of all contacts (17), so that (1 - R^2) E_p is
 * lost. The weight of the elastic part is R: the paper prints sqrt(1 - R^2), which contradicts its
 * (16) and (18). Friction is not part of the model.
 *
 * @param[in]     contacts the normals; all closed contacts belong to them
 * @param[in]     params   as above
 * @param[in]     R        restitution of (16), in [0, 1]: 1 elastic, 0 plastic
 * @param[in]     c        [m] normal velocities before, m/s
 * @param[in]     energy   kinetic energy |p|^2/2 before, all of it, J
 * @param[in,out] impact   from carom_propagative_impact_alloc with the same m; numbers are NaN and
 * step_count is 0 on failure
 * @param[out]    report   quantity, value and index of what is refused; may be NULL
 * @return CAROM_OK; NOT_FINITE; OUT_OF_RANGE: parameters, R, energy < 0 or less than c_i needs,
 * c_i^2/(2 |u_i|^2), up to 1e-9; NOT_CONVERGED: no end after most_steps, or the sum of |(w,p)|
 * beyond its bound |p|/separation, as with an energy that is too small for all c together.
 * Source: seghete-2014 (7), (14), (16) to (18).
 * Cost: O(m) per reflection; nothing is allocated. With R < 1 O(m^3) once.
 */
CAROM_MUST_CHECK carom_status carom_propagative_impact_run(
    const carom_propagative_contacts *contacts, const carom_propagative_params *params, double R,
    const double *c, double energy, carom_propagative_impact *impact, carom_report *report);

/** What the plastic impact asks of the closed contacts. */
typedef enum carom_propagative_plastic_law {
    CAROM_PROPAGATIVE_HELD,    /**< all velocities vanish, (11); impulses may pull */
    CAROM_PROPAGATIVE_RELEASED /**< impulses >= 0, velocities >= 0, one of them 0: ours */
} carom_propagative_plastic_law;

/**
 * The plastic impact: the closest momentum of those that the law allows. It is unique; the impulses
 * of dependent normals are not: HELD gives those of minimum norm in unit normals, RELEASED any.
 *
 * @param[in]     contacts the normals
 * @param[in]     law      which; they agree where no impulse of HELD is negative
 * @param[in]     c        [m] normal velocities before, m/s
 * @param[out]    impulse  [m] N s; NaN on failure
 * @param[in,out] impact   lends its work memory alone
 * @return CAROM_OK; NOT_FINITE; NOT_CONVERGED: the complementarity problem of RELEASED
 * Source: seghete-2014 (10), (11).
 * Cost: O(m^3), nothing is allocated.
 */
CAROM_MUST_CHECK carom_status carom_propagative_plastic(const carom_propagative_contacts *contacts,
                                                        carom_propagative_plastic_law law,
                                                        const double *c, double *impulse,
                                                        carom_propagative_impact *impact);

/* --------------------------------------------------------------------------------- all outcomes */
/* All outcomes of the propagative model, whatever the order of the single impacts. */

/** When momenta are one, and how many are followed. */
typedef struct carom_propagative_tree_params {
    double tolerance;       /**< a contact approaches if (w_i,p) < -tolerance |p|; 1, in (0, 1) */
    double merging;         /**< momenta closer than this, |p| being 1, are one; in [0, 1) */
    int most_momenta;       /**< distinct momenta on the way, >= 1: memory grows with those met */
    int most_sequences;     /**< sequences that are listed, >= 1; all are counted */
    int longest_minimality; /**< sequences up to this length are tested for minimality, 0 .. 20 */
} carom_propagative_tree_params;

/** 1e-12 for both, 2^18 momenta, 4096 sequences, minimality up to 12 reflections. */
carom_propagative_tree_params carom_propagative_tree_params_default(void);

/** Whether a proper part of a sequence, in its order, leads to a feasible momentum (Definition 1).
 */
typedef enum carom_propagative_minimality {
    CAROM_PROPAGATIVE_NOT_MINIMAL,
    CAROM_PROPAGATIVE_MINIMAL,
    CAROM_PROPAGATIVE_MINIMALITY_UNKNOWN /**< longer than what is tested */
} carom_propagative_minimality;

/**
 * The graph of momenta, an edge for each reflection across an approaching contact; those without an
 * edge are the outcomes. Read, never written, by users.
 */
typedef struct carom_propagative_outcomes {
    int contact_count;       /**< m */
    int momentum_count;      /**< distinct momenta, the first one and the outcomes included */
    int count;               /**< outcomes, >= 1 */
    double *impulse;         /**< [count][m] impulses of one sequence that leads there, N s */
    double *normal_velocity; /**< [count][m] after it, m/s */
    double indeterminacy;  /**< xi: largest |p_a - p_b| of two outcomes / |p| before; 0 for rest */
    double sequence_total; /**< all sequences, also where they are too many to be listed; a whole
                              number, exact up to 2^53 */
    double *sequences;     /**< [count] of them, those that lead there */
    int *longest;          /**< [count] reflections of the longest of these */
    int *shortest_begin;   /**< [count + 1] where the shortest, of several the first, begins */
    int *shortest;         /**< contacts reflected */

    int sequence_count; /**< sequences that are listed, the first by lexical order of contacts */
    int *begin;         /**< [sequence + 1] where each begins in `contact` */
    int *contact;       /**< [begin[sequence_count]] contacts reflected */
    int *outcome;       /**< [sequence] where it ends */
    carom_propagative_minimality *minimality; /**< [sequence] */
} carom_propagative_outcomes;

/**
 * Follow all sequences of reflections across approaching contacts, momenta that are reached in
 * several ways once. They end, as the contacts can be separated.
 *
 * @param[in]  contacts the normals
 * @param[in]  params   as above
 * @param[in]  c        [m] normal velocities before, m/s
 * @param[in]  energy   kinetic energy |p|^2/2 before, J
 * @param[out] out      belongs to the caller
 * @param[out] report   may be NULL
 * @return CAROM_OK; NOT_FINITE; OUT_OF_RANGE: parameters, energy < 0; NOT_CONVERGED: more momenta
 * than allowed, which the report tells; OUT_OF_MEMORY
 * Source: seghete-2014 (14), Definition 1, section VII-A; the merged graph is ours.
 * Cost: O(m (n + m)) per momentum and memory of as many numbers, O(l) per listed sequence of l,
 * O(n k^2) for the distances of k outcomes, O(2^l l m) for the
 * minimality of a sequence of l (two contacts: O(1)).
 */
CAROM_MUST_CHECK carom_status carom_propagative_outcomes_find(
    const carom_propagative_contacts *contacts, const carom_propagative_tree_params *params,
    const double *c, double energy, carom_propagative_outcomes **out, carom_report *report);

/** Free; NULL is accepted. */
void carom_propagative_outcomes_free(carom_propagative_outcomes *outcomes);
CAROM_AUTO_TYPE(carom_propagative_outcomes)

CAROM_END_DECLARATIONS

#endif
