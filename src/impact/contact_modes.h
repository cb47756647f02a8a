/** Contact modes of planar impacts and the friction of spatial ones: what the enumerating and
 * sampling laws stand on. */
#ifndef CAROM_IMPACT_CONTACT_MODES_H
#define CAROM_IMPACT_CONTACT_MODES_H

#include <carom/base/base.h>
#include <carom/impact/impact_problem.h>

#include <stdbool.h>
#include <stddef.h>

/* -------------------------------------------------------------------------------- contact modes */
/* All solutions of a planar contact problem, by enumeration of the modes of its contacts. */

/** Whether normal impulses have caps (the impulse increment) or not (Anitescu-Potra). */
typedef enum carom_contact_mode_set {
    CAROM_CONTACT_MODES_UNCAPPED, /**< off, or partial x {stick, slide +, slide -}: 4 a contact */
    CAROM_CONTACT_MODES_CAPPED /**< off, or {partial, full} x {stick, slide +, slide -}: 7 a contact
                                */
} carom_contact_mode_set;

/** Most contacts for which modes are enumerated: 4^m and 7^m. */
enum { CAROM_CONTACT_MODES_MOST_UNCAPPED = 7, CAROM_CONTACT_MODES_MOST_CAPPED = 5 };

/** Combinations of modes without caps that an enumeration tries, 4^m; 0: a problem in space, or too
 * many contacts. */
int carom_contact_modes_combinations(const carom_impact_problem *problem);

/**
 * The linear maps from (c, caps) to the impulse of every combination of modes, computed once for a
 * problem: constant afterwards, to be shared by threads. It does not depend on v-.
 */
typedef struct carom_contact_modes carom_contact_modes;

/** Work memory and result of one solution. */
typedef struct carom_contact_mode_solutions {
    int row_count;     /**< r */
    int count;         /**< solutions, velocities merged */
    int capacity;      /**< solutions that fit */
    double *velocity;  /**< [count][r] c' */
    double *impulse;   /**< [count][r] one L that leads there */
    double *residual;  /**< [count] largest violation of the conditions, speeds divided and impulses
                            multiplied by the row_scale of the problem, beside the largest speed
                            likewise, 1 */
    int *multiplicity; /**< [count] modes that lead to this velocity */
    double *work;      /**< scratch */
    struct carom_lcp_workspace *lemke; /**< for impulses that a mode leaves open */
} carom_contact_mode_solutions;

/**
 * @param[in]  problem planar: tangent_count 1; read now, not kept
 * @param[in]  set     with or without caps
 * @param[out] out     belongs to the caller
 * @param[out] report  "number of contacts" if there are too many; may be NULL
 * @return CAROM_OK; OUT_OF_RANGE; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_contact_modes_alloc(const carom_impact_problem *problem,
                                                        carom_contact_mode_set set,
                                                        carom_contact_modes **out,
                                                        carom_report *report);

/** Free; NULL is accepted. */
void carom_contact_modes_free(carom_contact_modes *modes);
CAROM_AUTO_TYPE(carom_contact_modes)

/** Room for the solutions of one increment. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_contact_mode_solutions_alloc(
    const carom_contact_modes *modes, carom_contact_mode_solutions **out);

/** Free; NULL is accepted. */
void carom_contact_mode_solutions_free(carom_contact_mode_solutions *solutions);
CAROM_AUTO_TYPE(carom_contact_mode_solutions)

/**
 * All c' = c + C L in which each contact i is off (L_n = 0, c'_n >= 0), partial (0 <= L_n <= cap,
 * c'_n = 0) or full (L_n = cap, c'_n <= 0) and sticks (|L_t| <= mu L_n, c'_t = 0) or slides (L_t =
 * -mu L_n sign c'_t), up to rounding. Where a mode leaves the impulse open (redundant contacts),
 * one that satisfies the conditions is sought; velocities within 1e-7 of the largest speed are one
 * solution, speeds being compared in the kinetic metric (row_scale of the problem). A mode that
 * leaves even a velocity open (equal normals with different friction) has a continuum of solutions,
 * of which one is returned. Order: that of the modes, off first.
 *
 * @param[in]     modes     of the problem
 * @param[in]     c         [r] speeds before, m/s
 * @param[in]     caps      [m] > 0, N s; NULL for uncapped modes
 * @param[in,out] solutions is filled
 * @return CAROM_OK, with count >= 0; OUT_OF_MEMORY. A planar increment always has a solution:
 * count 0 means that rounding has hidden it
 * Source: halm-2023 (31), (72)-(74); the counts of modes are ours. Cost: O(4^m m^2), O(7^m m^2).
 */
CAROM_MUST_CHECK carom_status carom_contact_modes_solve(const carom_contact_modes *modes,
                                                        const double *c, const double *caps,
                                                        carom_contact_mode_solutions *solutions);

/**
 * Largest violation of the conditions above by an impulse L that takes contacts to c', however it
 * was found: of each complementary pair the smaller, as it comes. Speeds compare with impulses if
 * they are divided, impulses and caps multiplied by the row_scale of the problem, and mu_i
 * multiplied by the ratio of that of its tangential and its normal row.
 *
 * @param[in] m    contacts
 * @param[in] mu   [m]
 * @param[in] c    [2m] speeds after
 * @param[in] caps [m]; NULL: none
 * @param[in] L    [2m]
 */
double carom_planar_contact_violation(int m, const double *mu, const double *c, const double *caps,
                                      const double *L);

/* ---------------------------------------------------------------------------- contact mode maps */
/* The linear maps of every combination of contact modes, computed once: inside their enumeration.
 * */

/** Most inequalities of a contact: partial and sticking. */
enum { CAROM_CONTACT_MODE_TESTS = 4 };

/** Numbers of a mode combination and where its matrices begin in the arena. */
typedef struct carom_contact_mode_combination {
    int equation_count; /**< k speeds that vanish */
    int null_count;     /**< d directions left open */
    int test_count;     /**< s inequalities */
    size_t first; /**< tests [s][r+m], impulse [r][r+m]; if d > 0: equations [k][r+m], null_tests
                     [s][d], null_impulse [r][d] */
} carom_contact_mode_combination;

/**
 * Everything is in the kinetic metric: speeds divided, impulses multiplied by the scale of their
 * row. Both then have the unit of a root of energy, and no unit of mass, length or time decides
 * what is small.
 */
struct carom_contact_modes {
    int contact_count;
    int row_count;
    int mode_count;          /**< of a contact: 4 or 7 */
    int combination_count;   /**< mode_count^m */
    double *scale;           /**< [r] powers of two next to the roots of the inverse
                                  masses of the rows */
    double *delassus_matrix; /**< [r][r] C_ab / (scale_a scale_b), 1 */
    double *friction;        /**< [m] mu_i scale_(m+i) / scale_i, 1 */
    carom_contact_mode_combination *combinations; /**< [combination_count] */
    double *arena;
    size_t arena_count;
    size_t arena_capacity;
    double *sieve; /**< of each CAROM_CONTACT_MODE_GROUP combinations their first
                        CAROM_CONTACT_MODE_SIEVE tests, zero where directions are left open or there
                        are no more tests (contact_mode_sieve.c) */
};

/** Whether the modes know caps. */
bool carom_contact_modes_are_capped(const carom_contact_modes *modes);

/** Combinations whose tests are computed at once, and how many tests of each. */
enum { CAROM_CONTACT_MODE_GROUP = 8, CAROM_CONTACT_MODE_SIEVE = 8 };

/** The sieve of modes whose combinations are there. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_contact_modes_fill_sieve(carom_contact_modes *modes);

/**
 * Which combinations of a group may hold at y: those whose first CAROM_CONTACT_MODE_SIEVE tests,
 * computed as carom_vector_dot computes them, are all at or above the least value, and those where
 * directions are left open.
 *
 * @param[in] modes with their sieve
 * @param[in] group 0 .. (combination_count - 1) / CAROM_CONTACT_MODE_GROUP
 * @param[in] y     [r+m] speeds and caps in the kinetic metric
 * @param[in] least value with which a test holds
 * @return bit k: combination group * CAROM_CONTACT_MODE_GROUP + k
 */
unsigned carom_contact_modes_sift(const carom_contact_modes *modes, int group, const double *y,
                                  double least);

/* ------------------------------------------------------------------------------ friction facets */
/* The directions of a polyhedral friction cone in space. */

/** Fewest directions of a polyhedral cone in space. */
enum { CAROM_FRICTION_FEWEST_FACETS = 4 };

/**
 * Unit directions d_j = (cos 2 pi j/k, sin 2 pi j/k), j = 0 .. k-1: the corners of a regular
 * polygon, the second half being the first one with opposite signs, digit by digit.
 *
 * @param[in]  facets     k, even, >= CAROM_FRICTION_FEWEST_FACETS
 * @param[out] directions [k][2], 1; untouched on failure
 * @return CAROM_OK; OUT_OF_RANGE
 * Source: halm-2023 (19)-(22); central symmetry is what (32) needs for D to oppose every sliding.
 */
CAROM_MUST_CHECK carom_status carom_friction_facets(int facets, double *directions);

/* ------------------------------------------------------------------------------- friction rates */
/* How contact speeds change during a planar impact for prescribed rates of the normal impulses. */

/** Work memory of one thread. */
typedef struct carom_friction_rates carom_friction_rates;

/**
 * @param[in]  problem planar; borrowed until the work memory is freed
 * @param[out] out     belongs to the caller
 * @param[out] report  may be NULL
 * @return CAROM_OK; OUT_OF_RANGE (not planar); OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_friction_rates_alloc(const carom_impact_problem *problem,
                                                         carom_friction_rates **out,
                                                         carom_report *report);

/** Free; NULL is accepted. */
void carom_friction_rates_free(carom_friction_rates *work);
CAROM_AUTO_TYPE(carom_friction_rates)

/**
 * Rates in s = sum of the normal impulses at the speeds c: one element of (39),
 *
 *     c' = C L',  L' = (p, l),  p >= 0,  sum p = 1,  p_i c_n,i <= 0,  l_i in -mu_i p_i Unit(c_t,i).
 *
 * Zeros of c are exact. A contact with c_n < 0 has the share w_i of the impulse, one with c_n > 0
 * none. One with c_n = 0 has its share if it does not separate by it, else what keeps its speed
 * zero or nothing: p_i = w_i and c_n' <= 0, or 0 < p_i < w_i and c_n' = 0, or p_i = 0 and c_n' >=
 * 0. The p are then divided by their sum. If nothing would be pressed, all contacts with c_n < 0
 * get equal shares.
 *
 * Of given p the friction is the only velocity change that slides against friction: l_i = -mu_i p_i
 * sign(c_t,i) where a contact slides; the others minimize |J'(p, l)|^2 in M^-1 over |l_i| <= mu_i
 * p_i. The l need not be unique, c' is.
 *
 * These conditions are 0 <= z _|_ W z + w >= 0 in z = (beta, p, l+, l-, gamma) of the contacts with
 * c_n = 0 and c_t = 0 only, with caps w_i as in (73), (74), which Lemke's method solves for every
 * C: see the document, "All orders at once".
 *
 * @param[in]     work    as above
 * @param[in]     weights [m] w >= 0, finite, not all zero; only their ratios matter
 * @param[in]     c       [r] speeds, m/s, some contact with c_n <= 0
 * @param[out]    rate    [r] L', 1; all zero if no contact can press
 * @param[out]    speed_rate [r] c', 1/kg; exactly zero where it vanishes up to rounding
 * @param[out]    residual   of the complementarity problem, 0 without one; may be NULL
 * @return CAROM_OK; OUT_OF_RANGE: weights; RAY, NOT_CONVERGED, NOT_FINITE of the complementarity
 * problem
 * Source: halm-2023 (37)-(40), (73)-(74). Cost: O(m^2) and, with k contacts in question, some
 * O(k^3).
 */
CAROM_MUST_CHECK carom_status carom_friction_rates_compute(carom_friction_rates *work,
                                                           const double *weights, const double *c,
                                                           double *rate, double *speed_rate,
                                                           double *residual);

/**
 * The same for contacts that do not collide (all c_n >= 0), each with c_n = 0 pressed with its
 * share whatever follows: the way into an impact without collision. It is one if some speed_rate of
 * a pressed contact's normal is negative.
 */
CAROM_MUST_CHECK carom_status carom_friction_rates_compute_pressed(carom_friction_rates *work,
                                                                   const double *weights,
                                                                   const double *c, double *rate,
                                                                   double *speed_rate,
                                                                   double *residual);

#endif
