/** Discs piled in a pyramid on the ground, each against its neighbours: a contact problem, and a
 * mechanism, with more contacts than coordinates hold apart. */
#ifndef CAROM_MODELS_DISC_PILE_H
#define CAROM_MODELS_DISC_PILE_H

#include <carom/base/base.h>
#include <carom/contact/contact.h>
#include <carom/models/model.h>

CAROM_BEGIN_DECLARATIONS

/** What a pile is made of. */
typedef struct carom_disc_pile_params {
    int rows;          /**< N >= 1; row k from 0 below has N - k discs */
    double mass;       /**< of a disc of the lowest row, kg */
    double mass_ratio; /**< of a disc at the top to that, by equal factors from row to row, 1 */
    double radius;     /**< m */
    double friction;   /**< mu of every contact, 1 */
    double gravity;    /**< m/s2 */
    double step;       /**< over which gravity acts, s */
} carom_disc_pile_params;

/** 16 rows of 1 kg and 0.1 m, friction 0.3, 9.81 m/s2, 1 ms. */
carom_disc_pile_params carom_disc_pile_params_default(void);

/** One contact, in the order of the problem. */
typedef struct carom_disc_pile_contact {
    int lower;          /**< disc, by rows from below; -1: the ground */
    int upper;          /**< disc */
    double position[2]; /**< m, the first disc of the lowest row stands at x = 0 */
    double normal[2];   /**< from the lower to the upper, 1 */
} carom_disc_pile_contact;

/** Discs, N (N + 1)/2. */
int carom_disc_pile_disc_count(const carom_disc_pile_params *params);

/** Contacts: N of the ground, N (N - 1)/2 side by side, N (N - 1) of a disc on two. */
int carom_disc_pile_contact_count(const carom_disc_pile_params *params);

/** Centre of a disc, m. */
void carom_disc_pile_centre(const carom_disc_pile_params *params, int disc, double centre[2]);

/** Fill the contacts [carom_disc_pile_contact_count]: of the ground, then row by row the sides and
 * what lies on them. */
void carom_disc_pile_contacts(const carom_disc_pile_params *params,
                              carom_disc_pile_contact *contacts);

/**
 * The pile at rest, after gravity has acted for a step: u_t is along the normal turned by a right
 * angle counter-clockwise.
 * @return CAROM_OK; OUT_OF_RANGE or NOT_FINITE with the parameter in the report; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_disc_pile_problem(const carom_disc_pile_params *params,
                                                      carom_contact_problem **out,
                                                      carom_report *report);

/**
 * The pile in small motions: q = displacements (x, y, turn) of each disc, gaps and sliding
 * velocities by the normals of the pile at rest. Linear, diagonal mass, no restitution, Jacobians
 * by their entries; the step of the parameters is not used.
 * @return CAROM_OK; OUT_OF_RANGE or NOT_FINITE with the parameter in the report; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_disc_pile_alloc(const carom_disc_pile_params *params,
                                                    carom_model **out, carom_report *report);

CAROM_END_DECLARATIONS

#endif
