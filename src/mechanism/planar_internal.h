/** The parts of a planar tree. */
#ifndef CAROM_MECHANISM_PLANAR_INTERNAL_H
#define CAROM_MECHANISM_PLANAR_INTERNAL_H

#include <carom/mechanism/mechanism.h>
#include <carom/mechanism/planar_tree.h>

/* --------------------------------------------------------------------------------------- chains */
/* Internal: a built tree, and how a point of one of its bodies moves with the coordinates. */

enum {
    CAROM_PLANAR_JOINT_COORDINATES = 3, /**< most of one joint */
    CAROM_PLANAR_CHAIN_SIZE = CAROM_PLANAR_JOINT_COORDINATES * CAROM_PLANAR_LARGEST_DEPTH
};

struct carom_planar_tree {
    carom_mechanism mechanism; /**< its context is the tree */
    int body_count;
    carom_planar_body *bodies; /**< [body_count] */
    int *first_coordinate;     /**< [body_count + 1], the last one is n */
    int contact_count;
    carom_planar_contact *contacts; /**< [contact_count], wall normals of unit length */
    double *friction;               /**< [contact_count] */
    double *restitution;            /**< [contact_count] */
    double gravity[2];              /**< m/s2 */
    char *name;
    char *position_units;
    char *velocity_units;
};

/**
 * A point P of a body and its derivatives d_k = dP/dq_k by the coordinates between the ground and
 * the body, in that order; P depends on no other. For k <= l, d2P/dq_k dq_l is S d_l if q_k is an
 * angle, else zero; S turns a vector by a right angle, counter-clockwise.
 */
typedef struct carom_planar_chain {
    double place[2];                         /**< P in the world, m */
    double angle;                            /**< of the body, rad */
    int count;                               /**< of coordinates */
    int coordinate[CAROM_PLANAR_CHAIN_SIZE]; /**< index in q, increasing */
    bool is_angle[CAROM_PLANAR_CHAIN_SIZE];
    double derivative[CAROM_PLANAR_CHAIN_SIZE][2]; /**< d_k, m or 1 */
} carom_planar_chain;

/** Coordinates of a joint. */
int carom_planar_joint_coordinate_count(carom_planar_joint type);

/** Whether coordinate k of a joint is an angle. */
bool carom_planar_joint_is_angle(carom_planar_joint type, int k);

/** x y of two vectors. */
static inline double carom_planar_dot(const double *x, const double *y) {
    return x[0] * y[0] + x[1] * y[1];
}

/** The chain of point `local` [2] of a body, -1 for the ground. */
void carom_planar_chain_at(const carom_planar_tree *tree, const double *q, int body,
                           const double *local, carom_planar_chain *chain);

/** The entries of a vector [n] that belong to the chain: w [count]. */
void carom_planar_chain_gather(const carom_planar_chain *chain, const double *v, double *w);

/** sum d_k w_k, [2]. */
void carom_planar_chain_combine(const carom_planar_chain *chain, const double *w, double *sum);

/** E_j = d(sum d_k w_k)/dq_j with w [count] held fixed; E [count][2]. */
void carom_planar_chain_differentiate(const carom_planar_chain *chain, const double *w,
                                      double (*E)[2]);

/** D_kl += F . d2P/dq_k dq_l for a vector F [2]; D [n][n]. */
void carom_planar_chain_add_second(const carom_planar_chain *chain, const double *F, int n,
                                   double *D);

/* ----------------------------------------------------------------------------- rows of contacts */
/* Internal: gaps, Jacobians and their derivatives of the contacts of a planar tree. */

/** Set g, G, H and their derivatives; the context of the mechanism is its carom_planar_tree. */
void carom_planar_contact_rows_install(carom_mechanism *mechanism);

/**
 * Refuse a contact outside of its ranges, and bring the wall normal to unit length.
 *
 * @param[in,out] contact    the contact
 * @param[in]     body_count bodies of the tree
 * @param[in]     index      of the contact, for the report
 * @param[out]    report     may be NULL
 * @return CAROM_OK; OUT_OF_RANGE; NOT_FINITE
 */
CAROM_MUST_CHECK carom_status carom_planar_contact_prepare(carom_planar_contact *contact,
                                                           int body_count, int index,
                                                           carom_report *report);

/* ------------------------------------------------------------------------------------- dynamics */
/* Internal: the equations of motion of a planar tree. */

/** Set M, f, V and their derivatives; the context of the mechanism is its carom_planar_tree. */
void carom_planar_dynamics_install(carom_mechanism *mechanism);

#endif
