/** The impact of a walker in the plane that puts its leading foot A down while its trailing foot B
 * is on the floor: what the compass gait and RAMone are asked alike (halm-2023, sections 5.4.2 and
 * 5.4.4). */
#ifndef CAROM_STUDY_WALKER_IMPACT_H
#define CAROM_STUDY_WALKER_IMPACT_H

#include <carom/impact/impact_inclusion.h>

#include <stdbool.h>

/** Rows of contact space. */
enum {
    CAROM_WALKER_NORMAL_A,
    CAROM_WALKER_NORMAL_B,
    CAROM_WALKER_TANGENTIAL_A,
    CAROM_WALKER_TANGENTIAL_B,
    CAROM_WALKER_ROWS
};

/** Whether both speeds of A in c [4] count as zero. */
bool carom_walker_sticks(const carom_impact_problem *problem, const double *c);

/** Index of the first outcome in a class of modes of A and B ("SL", carom_contact_mode_letters);
 * -1 if there is none. */
int carom_walker_find(const carom_impact_problem *problem, const carom_impact_outcomes *outcomes,
                      const char *modes);

/** Least friction with which both feet come to rest: the largest ratio |L_t| / L_n of the outcome
 * "SS", whose impulses, those of C L = -c-, do not depend on friction. NaN without that outcome. */
double carom_walker_rest_friction(const carom_impact_problem *problem,
                                  const carom_impact_outcomes *outcomes);

/** Where finished samples lie beside the triangle of B's speeds in the outcomes "SL" (B lifts off),
 * "Ss" (it slides) and "SS" (it rests). */
typedef struct carom_walker_triangle {
    bool is_known;   /**< there are these three, not in a line; else only the first two counts */
    int finished;    /**< samples */
    int sticking;    /**< of which A sticks */
    int inside;      /**< of these, B in the triangle, its edges included */
    int interior;    /**< of these, B away from all edges */
    double farthest; /**< largest distance of B from the triangle, of all finished samples, m/s */
} carom_walker_triangle;

/**
 * Compare samples with the triangle.
 *
 * @param[in] problem  two contacts in the plane
 * @param[in] outcomes of the simultaneous law
 * @param[in] samples  of any sampling
 * @param[in] edge     barycentric coordinates up to this count as on an edge, >= 0
 * @param[in,out] triangle of the samples before these, zeroed at first
 */
void carom_walker_compare(const carom_impact_problem *problem,
                          const carom_impact_outcomes *outcomes,
                          const carom_impact_samples *samples, double edge,
                          carom_walker_triangle *triangle);

#endif
