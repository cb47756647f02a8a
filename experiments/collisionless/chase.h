/** A motion being followed by events. */
#ifndef CAROM_EXPERIMENTS_COLLISIONLESS_CHASE_H
#define CAROM_EXPERIMENTS_COLLISIONLESS_CHASE_H

#include "results.h"

#include <carom/timestepping/plastic/plastic.h>

/** Instants of a step that are looked at. */
enum { CHASE_INSTANTS = 48 };

/** A motion that is being followed. */
typedef struct chase {
    carom_collisionless_motion *motion; /**< in closed form, of size one */
    double size;                        /**< factor to the size that was asked for */
    int n;                              /**< coordinates */
    const double *mass;                 /**< m [n][n], of the settings */
    carom_model *model;                 /**< positions from those at the impact, owned */
    double shared_force; /**< both feet together, with odd constrained modes, over size one */
    carom_plastic_motion *plastic;
    double *position;       /**< [n] scratch */
    double *velocity;       /**< [n] */
    double *start_position; /**< [n] at P */
    double *start_velocity; /**< [n] */
    double fastest;         /**< largest velocity of the motion */
    double energy;          /**< largest kinetic energy */

    double energy_lost;
    int landings;
    int releases;
    double time[CHASE_INSTANTS + 1];
    double gap[CHASE_INSTANTS + 1];
    double force[CHASE_INSTANTS + 1];
} chase;

/**
 * The motion of a root in closed form, of size one, and the mechanism that is to do the same.
 *
 * @return CAROM_OK; what carom_collisionless_motion_compute and carom_plastic_motion_alloc return;
 * OUT_OF_MEMORY. To be closed in any case.
 */
CAROM_MUST_CHECK carom_status collisionless_chase_open(const analysis *a,
                                                       const carom_impact_root *root, chase *c);

/** Free what a chase holds. */
void collisionless_chase_close(chase *c);

/** From P to the next P, looking at it at equal intervals; what the events return. */
CAROM_MUST_CHECK carom_status collisionless_chase_follow(chase *c);

/** How far the body is from where it was at P, in the coordinates of the step that begins: largest
 * difference of a position or velocity, over the largest of the motion. */
double collisionless_chase_distance(chase *c);

#endif
