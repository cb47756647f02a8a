/** Two contacts of the propagative model: counts, bounds, indeterminacy; uniqueness for any set. */
#ifndef CAROM_IMPACT_PROPAGATIVE_PAIR_H
#define CAROM_IMPACT_PROPAGATIVE_PAIR_H

#include <carom/impact/propagative_impact.h>

/**
 * Two contacts with unit normals u, v in the kinetic metric. Momenta feasible for both form a wedge
 * of opening 2 gamma about the bisector of u and v, and reflections unfold it: a straight line
 * meets at most ceil(pi/(2 gamma)) of its images (ours; the paper's bound is twice as large).
 */
typedef struct carom_propagative_pair {
    double cosine;          /**< c = (u,v) = -cos 2 gamma, 1 */
    double half_opening;    /**< gamma, (20), rad, in (0, pi/2] */
    double wedge_count;     /**< pi/(2 gamma): wedges in a half plane, 1 */
    double paper_bound;     /**< ceil(pi/gamma), (22), whole number */
    double longest;         /**< most reflections across approaching contacts, ceil(pi/(2 gamma)) */
    double longest_minimal; /**< most of the shortest sequence, ceil(pi/(2 gamma) - 1/2) */
} carom_propagative_pair;

/** pi/(2 gamma) and numbers of reflections this close to a whole number, relative to pi/(2 gamma),
 * are that number, but never farther than 1e-3 from it. Cosines of coordinates known to some 1e-11
 * are met. */
#define CAROM_PROPAGATIVE_TIE 1e-10

/**
 * The pair of contacts i and j, i != j. gamma comes from |u + v| and |u - v| of the normals, not
 * from the cosine: it is right to the rounding of the normals, 1e-16, so that whole numbers are
 * exact down to gamma of some 1e-6 and have a relative error of 1e-16/gamma below.
 */
carom_propagative_pair carom_propagative_pair_of(const carom_propagative_contacts *contacts, int i,
                                                 int j);

/** How two contacts end, by the contact that is reflected first. */
typedef struct carom_propagative_counts {
    double first_u;    /**< reflections if u is first, whole number; 0 if u does not approach, or by
                          less    than a tie */
    double first_v;    /**< if v is first */
    bool is_minimal_u; /**< no shorter sequence is part of it (Definition 1); false if it is 0 */
    bool is_minimal_v;
} carom_propagative_counts;

/**
 * The exact numbers of reflections without running them: with A = -(p,u), B = -(p,v) and sigma =
 * atan2(B sin 2 gamma, A + B cos 2 gamma)/(2 gamma),
 *
 *     n_u = ceil(pi/(2 gamma) - 1 + sigma),  n_v = ceil(pi/(2 gamma) - sigma).
 *
 * Ties, where the momentum ends on a wall of the wedge, take the smaller number. If both contacts
 * approach and the numbers differ, the longer sequence ends with the shorter one.
 *
 * @param[in] pair as above
 * @param[in] a    (p,u), u a unit normal
 * @param[in] b    (p,v)
 * Source: ours, from seghete-2014 lemmas 4 and 6. Cost: O(1).
 */
carom_propagative_counts carom_propagative_pair_count(const carom_propagative_pair *pair, double a,
                                                      double b);

/**
 * |p_uv - p_vu| of the two momenta after n reflections from either contact: 2 |sin 2 n gamma|/sin 2
 * gamma sqrt(a^2 + b^2 - 2 a b c). Indeterminate where both orders need n; n = 2: 4 |c| sqrt(..), n
 * = 3: 2 |1 - 4 c^2| sqrt(..), the identities behind lemma 7 and theorem 3.
 *
 * @param[in] pair as above
 * @param[in] a    (p,u), u a unit normal
 * @param[in] b    (p,v)
 * @param[in] n    reflections of either order, >= 0
 * Source: ours; seghete-2014 (24), (27).
 */
double carom_propagative_pair_distance(const carom_propagative_pair *pair, double a, double b,
                                       double n);

/**
 * |p_uv - p_vu| with both orders followed to their ends, whatever their numbers of reflections.
 * With pi/(2 gamma) = k + f, k whole, 0 <= f < 1, sigma as above and p_N the part of p in the plane
 * of u and v it is 2 sin(2 gamma min(f, 1 - f, sigma, 1 - sigma)) |p_N|.
 *
 * @param[in] pair as above
 * @param[in] a    (p,u), u a unit normal
 * @param[in] b    (p,v)
 * @return the distance, in units of p; 0 unless both contacts approach
 * Source: ours.
 */
double carom_propagative_pair_spread(const carom_propagative_pair *pair, double a, double b);

/**
 * The largest indeterminacy xi = |p_uv - p_vu|/|p| of any momentum, 2 sin(2 gamma min(f, 1 - f)),
 * in [0, 2): met in the plane of u and v where a = b. 0 on the spectrum of unique outcomes.
 *
 * @param[in] pair as above
 * Source: ours.
 */
double carom_propagative_pair_largest_spread(const carom_propagative_pair *pair);

/**
 * The k >= 2 of c = -cos(pi/k), pi/(2 gamma) = k: there, and there alone, the outcome is the same
 * for both orders whatever the momentum. 0 if there is none, and beyond k = 1e7, where rounding
 * does not tell. k = 2 and 3 are the paper's theorems 2 and 3. Source: ours.
 */
double carom_propagative_pair_order(const carom_propagative_pair *pair);

/**
 * Whether every sequence of reflections across approaching contacts leads to the same momentum, for
 * all momenta: if all pairs have c_ij = -cos(pi/k_ij). Their normals, being separable and nowhere
 * acute, are then independent, the simple roots of a finite Coxeter group. For independent normals
 * the condition is also necessary; dependent ones may be unique without it (a contact given twice).
 *
 * @param[in]  contacts the normals
 * @param[out] i        one contact of a pair outside the spectrum, -1 if none; may be NULL
 * @param[out] j        the other one; may be NULL
 * Source: ours; seghete-2014 theorems 2 and 3. Cost: O(m^2 n).
 */
bool carom_propagative_contacts_are_unique(const carom_propagative_contacts *contacts, int *i,
                                           int *j);

#endif
