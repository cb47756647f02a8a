/** What the parts of the experiment share: options, random impacts written down with the momenta
 * themselves, and the steps that make the record. */
#ifndef CAROM_EXPERIMENTS_PROPAGATIVE_IMPACT_PROPAGATION_H
#define CAROM_EXPERIMENTS_PROPAGATIVE_IMPACT_PROPAGATION_H

#include <carom/carom.h>
#include <carom/impact/propagative_pair.h>

#include <math.h>

/** Number of entries of an array. */
#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/** Two contacts, and the largest random impacts. */
enum { U, V, PAIR, MOST_COORDINATES = 12, MOST_CONTACTS = 16 };

/** Rules of the library that are tried: fastest, slowest, first, cyclic, random. */
enum { PROPAGATIVE_RULES = 5 };

/** Everything that options set. */
typedef struct settings {
    carom_real_list half_openings; /**< gamma of figure 3, deg, one row of panels each */
    double momentum_angle;         /**< of p_0 from r_0 towards u, deg */
    carom_real_list cosines;       /**< c of the table of longest sequences */
    int directions;                /**< momenta for each of them */
    int cases;                     /**< random impacts of two contacts */
    int cones;                     /**< random impacts of several contacts */
    int contacts;                  /**< of those, at most */
    int map_points;                /**< mass ratios along each side of the map */
    double largest_ratio;          /**< of two masses in the map; the least is its reciprocal */
} settings;

/** What every part needs. */
typedef struct propagation {
    const settings *values;
    const carom_common_options *common;
    carom_record *record;
    carom_report *report;
} propagation;

/* --- contacts.c ------------------------------------------------------------------------------- */

/** An impact in coordinates: M = L L', normals u_i, momentum p; products by M^-1 itself, apart from
 * the library's normals. */
typedef struct instant {
    int n;
    int m;
    double factor[MOST_COORDINATES * MOST_COORDINATES]; /**< [n][n] L, kg^1/2 */
    double normal[MOST_CONTACTS * MOST_COORDINATES];    /**< [m][n] u_i */
    double dual[MOST_CONTACTS * MOST_COORDINATES];      /**< [m][n] M^-1 u_i' */
    double momentum[MOST_COORDINATES];                  /**< [n] p */
    double velocity[MOST_CONTACTS];                     /**< [m] (p,u_i) */
    double energy;                                      /**< |p|^2/2, J */
} instant;

/** Random numbers of one statement: sample i is the same whoever draws it. */
typedef struct stream {
    unsigned long seed;
    unsigned long part;      /**< tells the statements apart */
    unsigned long sample;    /**< number of the impact */
    unsigned long dimension; /**< next number of this impact */
} stream;

/** The next number, uniform in [low, high). */
double propagative_impact_draw(stream *from, double low, double high);

/** (a,b)_g = a M^-1 b', (5a). */
double propagative_impact_product(const instant *x, const double *a, const double *b);

/** p Gamma(u_i), (7), in place. @return the multiplier lambda */
double propagative_impact_reflect(const instant *x, int i, double *p);

/** M^-1 u', (p,u) and the energy from L, u and p. */
void propagative_impact_complete(instant *x);

/**
 * Two contacts of half opening gamma in a random metric, and a momentum whose part in their plane
 * is as long as the rest: (p,u) = -s sin(2 gamma - psi), (p,v) = -s sin psi in unit normals, s > 0.
 * Both approach for psi in (0, 2 gamma).
 *
 * @param[in,out] from         random numbers
 * @param[in]     n            coordinates, 2 .. MOST_COORDINATES
 * @param[in]     half_opening gamma, rad
 * @param[in]     angle        psi, rad
 * @param[out]    x            the impact
 */
void propagative_impact_draw_pair(stream *from, int n, double half_opening, double angle,
                                  instant *x);

/** m contacts of n coordinates that rise along one direction, and a momentum: all random. */
void propagative_impact_draw_cone(stream *from, int n, int m, instant *x);

/** The same for the library. */
CAROM_MUST_CHECK carom_status propagative_impact_set(const instant *x,
                                                     carom_propagative_contacts *contacts,
                                                     carom_report *report);

/** An elastic impact of velocities c [m] and an energy, by contacts in turn from one on. */
CAROM_MUST_CHECK carom_status
propagative_impact_alternate(const carom_propagative_contacts *contacts, int first, const double *c,
                             double energy, carom_propagative_impact *impact, carom_report *report);

/** The same by one of the rules. */
CAROM_MUST_CHECK carom_status propagative_impact_by_rule(const carom_propagative_contacts *contacts,
                                                         int rule, unsigned long seed,
                                                         const double *c, double energy,
                                                         carom_propagative_impact *impact,
                                                         carom_report *report);

/** p + sum of impulse_i u_i [n]. */
void propagative_impact_add(const instant *x, const double *impulse, double *p);

/** Random impacts of several contacts: numbers below /measures. */
CAROM_MUST_CHECK carom_status propagative_impact_write_cones(const propagation *x);

/** Write /blocks and /groups: blocks and a wall, finite groups of reflections. */
CAROM_MUST_CHECK carom_status propagative_impact_write_groups(const propagation *x);

/* --- pairs.c ---------------------------------------------------------------------------------- */

/** Random impacts of two contacts, their counts and bounds: numbers below /measures. */
CAROM_MUST_CHECK carom_status propagative_impact_write_pairs(const propagation *x);

/** Write /table and /spectrum: longest sequences and indeterminacy by the cosine. */
CAROM_MUST_CHECK carom_status propagative_impact_write_table(const propagation *x);

/** The pair of two unit normals of cosine c. */
CAROM_MUST_CHECK carom_status propagative_impact_pair(double c, carom_propagative_pair *out,
                                                      carom_report *report);

#endif
