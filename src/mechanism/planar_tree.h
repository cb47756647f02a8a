/** Trees of rigid bodies in the plane: bodies, joints and contacts are named, the equations of
 * motion and all their derivatives follow in closed form. */
#ifndef CAROM_MECHANISM_PLANAR_TREE_H
#define CAROM_MECHANISM_PLANAR_TREE_H

#include <carom/base/base.h>
#include <carom/mechanism/mechanism.h>

#include <stdbool.h>

CAROM_BEGIN_DECLARATIONS

/* --------------------------------------------------------------------------------------- shapes */
/* Mass, moment of inertia and centre of mass of the usual planar bodies. */

/** What the motion of a rigid body in the plane depends on. */
typedef struct carom_planar_shape {
    double mass;      /**< m >= 0, kg */
    double inertia;   /**< about the centre of mass, >= 0, kg m2 */
    double center[2]; /**< centre of mass in the body frame, m */
} carom_planar_shape;

/** No mass at all: a hip that only carries legs. */
carom_planar_shape carom_planar_massless(void);

/** All mass, kg, at the point (x, y) of the body frame, m, no inertia. */
carom_planar_shape carom_planar_point_mass(double mass, double x, double y);

/** Thin uniform rod that hangs from the origin along -y: centre (0, -length/2), m length^2/12; kg,
 * m. */
carom_planar_shape carom_planar_rod(double mass, double length);

/** Uniform rectangle about the origin: m (width^2 + height^2)/12; kg, m. */
carom_planar_shape carom_planar_box(double mass, double width, double height);

/** Uniform disc about the origin: m radius^2/2; kg, m. */
carom_planar_shape carom_planar_disc(double mass, double radius);

/* ------------------------------------------------------------------------------------- contacts */
/* Contacts of planar rigid bodies: corners and discs against walls, discs against discs. */

/** A half plane fixed to the ground. */
typedef struct carom_planar_wall {
    double point[2];  /**< any point of its edge, m */
    double normal[2]; /**< into the free side; of any length but zero */
} carom_planar_wall;

/** The horizontal floor at a height, m, free above. */
carom_planar_wall carom_planar_floor(double height);

/** What touches what. */
typedef enum carom_planar_contact_kind {
    CAROM_PLANAR_CORNER_WALL, /**< a point of a body above a wall */
    CAROM_PLANAR_DISC_WALL,   /**< a disc fixed to a body above a wall */
    CAROM_PLANAR_DISC_DISC    /**< a disc of one body beside a disc of another */
} carom_planar_contact_kind;

/**
 * One contact. The unit normal n points from the wall to the body, or from the first disc to the
 * second; the tangent is t = (n_y, -n_x), or its opposite if reversed. Normal and sliding speeds
 * are n.u and t.u of the velocity u of the body's material point of contact, or of the second
 * disc's point minus the first's.
 */
typedef struct carom_planar_contact {
    carom_planar_contact_kind kind; /**< of what with what */
    int body;                       /**< of the corner or the (first) disc */
    double point[2];                /**< corner or centre of the disc in its body frame, m */
    double radius;                  /**< of the disc, > 0, m; ignored for a corner */
    carom_planar_wall wall;         /**< of the contacts with a wall */
    int other_body;                 /**< of the second disc; here and above -1 is the ground */
    double other_point[2];          /**< its centre in its body frame, m */
    double other_radius;            /**< > 0, m */
    double friction;                /**< Coulomb coefficient mu >= 0 */
    double restitution;             /**< Newton coefficient, in [0,1]; the makers below give 0 */
    bool is_tangent_reversed;       /**< t = (-n_y, n_x); the makers below give false */
} carom_planar_contact;

/** The point (x, y), m, of a body above a wall, with friction mu. */
carom_planar_contact carom_planar_corner_on_wall(int body, double x, double y,
                                                 carom_planar_wall wall, double friction);

/** A disc about the point (x, y) of a body above a wall; m; with friction mu. */
carom_planar_contact carom_planar_disc_on_wall(int body, double x, double y, double radius,
                                               carom_planar_wall wall, double friction);

/** A disc about the origin of a body frame beside another one; m; with friction mu. */
carom_planar_contact carom_planar_disc_on_disc(int body, double radius, int other_body,
                                               double other_radius, double friction);

/* ------------------------------------------------------------------------------------- the tree */

/** Bodies between one and the ground, itself included, in a tree. */
enum { CAROM_PLANAR_LARGEST_DEPTH = 256 };

/** How a body moves relative to its parent, and its coordinates, in this order. */
typedef enum carom_planar_joint {
    CAROM_PLANAR_FLOATING,    /**< x, y along the parent's axes, theta */
    CAROM_PLANAR_TRANSLATING, /**< x, y along the parent's axes */
    CAROM_PLANAR_REVOLUTE,    /**< theta */
    CAROM_PLANAR_PRISMATIC,   /**< displacement along an axis of the parent */
    CAROM_PLANAR_FIXED        /**< none */
} carom_planar_joint;

/**
 * A body and the joint to its parent. The body frame has its origin at the joint: in the parent
 * frame at joint_point + displacement, turned by joint_angle + theta, counter-clockwise. A frame
 * turned by psi in the world has its -y axis along (sin psi, -cos psi), where links hang.
 */
typedef struct carom_planar_body {
    int parent;               /**< index of an earlier body; -1: the ground */
    carom_planar_joint type;  /**< of the joint */
    double joint_point[2];    /**< place at zero coordinates, in the parent frame, m */
    double joint_angle;       /**< angle at zero coordinates, relative to the parent, rad */
    double axis_angle;        /**< prismatic: from the parent's x axis to the axis, rad */
    carom_planar_shape shape; /**< mass, inertia and mass centre */
} carom_planar_body;

/** Free in the plane: q = (x, y, theta) of its frame in the world. */
carom_planar_body carom_planar_floating(carom_planar_shape shape);

/** Free to move but not to turn: q = (x, y). Revolute joints on it have absolute angles. */
carom_planar_body carom_planar_translating(carom_planar_shape shape);

/** Turning about the point (x, y) of its parent, m. */
carom_planar_body carom_planar_revolute(int parent, double x, double y, carom_planar_shape shape);

/** Sliding from the point (x, y) of its parent, m, in the direction axis_angle, rad. */
carom_planar_body carom_planar_prismatic(int parent, double x, double y, double axis_angle,
                                         carom_planar_shape shape);

/** Fixed at the point (x, y) of its parent, m. */
carom_planar_body carom_planar_fixed(int parent, double x, double y, carom_planar_shape shape);

/** All that a tree is made of; copied, borrowed only during the call. */
typedef struct carom_planar_tree_spec {
    const char *name;                     /**< lower-case identifier, copied; NULL: "planar_tree" */
    int body_count;                       /**< >= 1 */
    const carom_planar_body *bodies;      /**< [body_count], parents before children */
    int contact_count;                    /**< >= 0 */
    const carom_planar_contact *contacts; /**< [contact_count] */
    double gravity[2];                    /**< acceleration, m/s2 */
} carom_planar_tree_spec;

/** No bodies and no contacts yet, gravity (0, -9.81). */
carom_planar_tree_spec carom_planar_tree_spec_default(void);

/** A built tree: constant, shared by any number of threads. */
typedef struct carom_planar_tree carom_planar_tree;

/**
 * Build a tree. Coordinates come in the order of the bodies; contacts keep theirs.
 *
 * @param[in]  spec   bodies, contacts, gravity
 * @param[out] out    belongs to the caller, to be freed by carom_planar_tree_free; NULL on failure
 * @param[out] report what was refused, with its value and the index of the body or contact; may be
 * NULL
 * @return CAROM_OK; OUT_OF_RANGE: no body, no coordinate, a parent that is no earlier body,
 * negative mass or inertia, a tree deeper than CAROM_PLANAR_LARGEST_DEPTH, a contact of a body that
 * does not exist or of a body with itself, a radius not positive, a wall normal of zero length,
 * negative friction, restitution outside [0,1]; NOT_FINITE; OUT_OF_MEMORY
 *
 * A mass matrix that is singular (massless bodies at the ends of a tree) is not refused: who
 * factorizes M finds it. Discs that are concentric in a disc-disc contact have no normal: its gap
 * is finite, its rows are NaN.
 */
CAROM_MUST_CHECK carom_status carom_planar_tree_alloc(const carom_planar_tree_spec *spec,
                                                      carom_planar_tree **out,
                                                      carom_report *report);

/** Free; NULL is accepted. */
void carom_planar_tree_free(carom_planar_tree *tree);
CAROM_AUTO_TYPE(carom_planar_tree)

/**
 * The tree as a mechanism without joint equations, borrowed until the tree is freed: M(q),
 * f = gravity - Coriolis forces, V(q), gaps, G, H (one tangent a contact) and every derivative in
 * closed form. Its friction is NULL if all coefficients are zero; H is there in any case if there
 * are contacts.
 *
 * Source: M = sum m J'J + I w'w, f = sum m J'(g - a) with the velocity J v, J = dP/dq, of each
 * centre of mass P, its acceleration a at constant v, and its rate of rotation w v: the principle
 * of virtual power. In the plane d2P/dq_k dq_l, k <= l on the way from the ground to the body, is
 * dP/dq_l turned by a right angle if k is an angle, else zero.
 * Cost: of M and the n x n derivatives O(n^2) to clear them, and O(d^2) for each body with d
 * coordinates between itself and the ground; of a force or a gap O(d).
 */
const carom_mechanism *carom_planar_tree_mechanism(const carom_planar_tree *tree);

/** Number of bodies. */
int carom_planar_tree_body_count(const carom_planar_tree *tree);

/** A body as built, borrowed; 0 <= body < body_count. */
const carom_planar_body *carom_planar_tree_body(const carom_planar_tree *tree, int body);

/** A contact as built, its wall normal of unit length; borrowed. */
const carom_planar_contact *carom_planar_tree_contact(const carom_planar_tree *tree, int contact);

/** Index in q of the first coordinate of a body; of the next one's if it has none. */
int carom_planar_tree_first_coordinate(const carom_planar_tree *tree, int body);

/** Place and angle (x, y, psi) of a body frame in the world; q [n], pose [3]; body -1: zeros. */
void carom_planar_tree_pose(const carom_planar_tree *tree, const double *q, int body, double *pose);

/**
 * World place of a point of a body, and its velocity.
 *
 * @param[in]  tree     the tree
 * @param[in]  q        [n]
 * @param[in]  v        [n]; may be NULL if velocity is
 * @param[in]  body     index, -1 for the ground
 * @param[in]  local    [2] in the body frame, m
 * @param[out] place    [2] m; may be NULL
 * @param[out] velocity [2] m/s; may be NULL
 */
void carom_planar_tree_point(const carom_planar_tree *tree, const double *q, const double *v,
                             int body, const double *local, double *place, double *velocity);

/** A contact in the world. */
typedef struct carom_planar_contact_place {
    double gap;        /**< m */
    double point[2];   /**< the corner, the disc's point nearest to the wall, or midway between the
                          discs' nearest points, m */
    double normal[2];  /**< n */
    double tangent[2]; /**< t, as used: reversed if asked for */
} carom_planar_contact_place;

/** Where a contact is and where it points at q [n]. */
carom_planar_contact_place carom_planar_tree_contact_place(const carom_planar_tree *tree,
                                                           const double *q, int contact);

CAROM_END_DECLARATIONS

#endif
