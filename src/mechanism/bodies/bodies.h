/** Free rigid bodies, in the plane with shapes of which any two may touch, joints, springs and
 * trees of bodies among them, or in space with spheres, capsules, boxes and half spaces; contacts
 * appear and vanish as the bodies move. */
#ifndef CAROM_MECHANISM_BODIES_BODIES_H
#define CAROM_MECHANISM_BODIES_BODIES_H

#include <carom/base/base.h>
#include <carom/mechanism/mechanism.h>
#include <carom/mechanism/planar_tree.h>

#include <stdbool.h>

CAROM_BEGIN_DECLARATIONS

/* --------------------------------------------------------------------------------------- shapes */
/* What touches: a point, a segment or a convex polygon, as it is or all that is within a radius of
 * it; or a half plane. */

/** A body that is no body: the ground. */
enum { CAROM_BODIES_GROUND = -1 };

/**
 * One point with a radius is a disc, two with a radius a capsule, without one a segment; three and
 * more are the corners of a convex polygon, counter-clockwise. Of a half plane the first point is
 * on its edge and the second is its normal, of any length but zero, into the free side; it stands
 * on the ground.
 *
 * Two shapes touch with the geometric means of their coefficients: of equal ones that is their own.
 */
typedef struct carom_bodies_shape {
    int body;             /**< that it is fixed to; CAROM_BODIES_GROUND */
    bool is_half_plane;   /**< of two points, see above */
    int point_count;      /**< >= 1 */
    const double *points; /**< [point_count][2] in the frame of the body, m */
    double radius;        /**< >= 0, m; > 0 of one point, 0 of polygons and half planes */
    double friction;      /**< Coulomb coefficient mu >= 0 */
    double restitution;   /**< Newton coefficient, in [0,1] */
    double surface_speed; /**< of its surface along itself, clockwise about the shape: to the right
                             on a floor; m/s */
} carom_bodies_shape;

/** Area of a shape, m2; 0 of points, segments and half planes. */
double carom_bodies_area(const carom_bodies_shape *shape);

/**
 * Mass, centre and inertia of uniform shapes of one body: masses by their areas, of overlaps twice.
 * Where none has an area, that of thin rods by their lengths.
 *
 * @param[in]  count  shapes, >= 1
 * @param[in]  shapes [count] as carom_bodies_alloc takes them
 * @param[in]  mass   of all, kg
 * @return centre (0, 0) and no inertia of what has neither area nor length
 */
carom_planar_shape carom_bodies_uniform(int count, const carom_bodies_shape *shapes, double mass);

/* ------------------------------------------------------------------------------ joints, springs */

/** How two bodies are joined, and its equations. */
typedef enum carom_bodies_joint_kind {
    CAROM_BODIES_REVOLUTE,  /**< their points coincide: 2 */
    CAROM_BODIES_PRISMATIC, /**< the second's point is on a line of the first, the angle between
                               them is kept: 2 */
    CAROM_BODIES_FIXED,     /**< points coincide and the angle is kept: 3 */
    CAROM_BODIES_DRIVEN     /**< one number between them follows time: 1 */
} carom_bodies_joint_kind;

/** A number of time, a + b t + c sin(d t + e): a place in m, or an angle in rad. */
typedef struct carom_bodies_motion {
    double offset;    /**< a, m or rad */
    double speed;     /**< b, m/s or rad/s */
    double amplitude; /**< c, m or rad */
    double frequency; /**< d, rad/s */
    double phase;     /**< e, rad */
} carom_bodies_motion;

/**
 * A joint; angles are those of the second body minus the first's.
 *
 * The coordinate of a revolute joint is that angle beside `angle`, that of a prismatic one how far
 * along its line the second point is from the first: stops are contacts that keep it within two
 * numbers, and friction is dry, a moment or a force of at most what is stated against its rate,
 * whatever the joint carries. It is that of a pad, a coordinate of its own, which is pressed
 * against a support at rest by as much and rubs with a coefficient of 1.
 */
typedef struct carom_bodies_joint {
    carom_bodies_joint_kind kind; /**< and its equations */
    int first;                    /**< body, or CAROM_BODIES_GROUND */
    int second;                   /**< body, another one */
    double first_point[2];        /**< in the frame of the first, m */
    double second_point[2];       /**< in the frame of the second, m */
    double axis_angle;            /**< prismatic: of its line, from the x axis of the first, rad */
    double angle;                 /**< kept by prismatic and fixed ones; of a revolute one that from
                                     which its stops count; rad */
    int coordinate; /**< driven: 0 x, 1 y of the second point from the first, in the ground's
                       directions, 2 the angle */
    carom_bodies_motion motion; /**< driven: of that number */
    bool collides;              /**< whether the bodies that it joins may touch */
    bool has_stops;             /**< revolute, prismatic */
    double stops[2];    /**< least and largest coordinate, rad or m; infinite: none on that side */
    double restitution; /**< of the stops, in [0,1] */
    double friction;    /**< revolute, prismatic: >= 0, N m or N */
} carom_bodies_joint;

/** A spring with a damper between two points: -(k (l - l_0) + c l') along the line. The points may
 * not meet. A torsion spring is one between angles: l is that of the second body minus the first's.
 */
typedef struct carom_bodies_spring {
    int first;              /**< body, or CAROM_BODIES_GROUND */
    int second;             /**< body, another one */
    double first_point[2];  /**< in the frame of the first, m */
    double second_point[2]; /**< in the frame of the second, m */
    double stiffness;       /**< k >= 0, N/m or N m/rad */
    double damping;         /**< c >= 0, N s/m or N m s/rad */
    double length;          /**< l_0 >= 0, m; of any sign, rad */
    bool is_torsion;        /**< between angles; the points are not used */
} carom_bodies_spring;

/* ------------------------------------------------------------------------------------ the bodies
 */

/** All that there is; copied, borrowed only during the call. */
typedef struct carom_bodies_spec {
    const char *name;                   /**< lower-case identifier, copied; NULL: "bodies" */
    int body_count;                     /**< free ones, >= 1; beside a tree >= 0 */
    const carom_planar_shape *bodies;   /**< [body_count] masses > 0, inertias > 0, centres */
    int shape_count;                    /**< >= 0 */
    const carom_bodies_shape *shapes;   /**< [shape_count] */
    int joint_count;                    /**< >= 0 */
    const carom_bodies_joint *joints;   /**< [joint_count] */
    int spring_count;                   /**< >= 0 */
    const carom_bodies_spring *springs; /**< [spring_count] */
    double gravity[2];                  /**< acceleration, m/s2 */
    int most_contacts; /**< rows of the mechanism; 0: as many as convex shapes side by side can
                          have, two for each pair of a planar graph, three pairs a shape */
    const carom_planar_tree *tree; /**< NULL: none. Its body i is a link here, the body
                                      body_count + i of shapes, joints and springs; without contacts
                                      of its own, and with the gravity above */
} carom_bodies_spec;

/** No bodies yet, gravity (0, -9.81). */
carom_bodies_spec carom_bodies_spec_default(void);

/** Bodies with their contacts of the present step: one motion at a time. */
typedef struct carom_bodies carom_bodies;

/**
 * Build it.
 *
 * @param[in]  spec   bodies, shapes, joints, springs, gravity
 * @param[out] out    belongs to the caller, to be freed by carom_bodies_free; NULL on failure
 * @param[out] report what was refused, with its value and the index of the body, shape, joint or
 * spring; may be NULL
 * @return CAROM_OK; OUT_OF_RANGE: no body, a mass or an inertia that is not positive, bodies that
 * do not exist, what joins a body with itself, a polygon that is not convex or not
 * counter-clockwise, negative radii, friction, stiffness, restitution outside [0,1], stops or
 * friction of a joint that has no coordinate; a tree with contacts or another gravity, friction of
 * a joint at a link that has no mass for it; NOT_FINITE; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_bodies_alloc(const carom_bodies_spec *spec, carom_bodies **out,
                                                 carom_report *report);

/** Free; NULL is accepted. */
void carom_bodies_free(carom_bodies *bodies);
CAROM_AUTO_TYPE(carom_bodies)

/**
 * The bodies as a mechanism, borrowed until they are freed. q = (x, y, theta) of each body: the
 * place of its centre of mass and the angle of its frame; then the coordinates of the tree; then
 * the pads of joints with friction, in their order, zero at the start. M is constant and diagonal
 * but for the block of the tree, Jacobians have their entries by a pattern, d(G'lambda)/dq is left
 * to no one (carom_mechanism).
 *
 * Links move by the coordinates of their tree alone: x = F(q) of their places and angles, rows
 * G dF/dq of all that touches, joins or pulls them, and the second derivatives of F with those of
 * G. A joint or a drive between links closes a loop or leads them. A link does not touch the one on
 * which it turns or slides, and what is fixed to each other is one body.
 *
 * Contacts are found anew for each step (carom_mechanism.update_contacts), in the order of their
 * shapes: those that are near enough to close in it. Within the step a contact is that of a point
 * of one shape with an edge of the other, or of two points with radii; an edge against an edge has
 * two.
 *
 * Cost of a step, the search included: proportional to shapes and contacts, whatever their sizes.
 */
const carom_mechanism *carom_bodies_mechanism(const carom_bodies *bodies);

/** Place of the origin of the frame of a body or a link and its angle, (x, y, theta), at q; of the
 * ground zeros. */
void carom_bodies_pose(const carom_bodies *bodies, const double *q, int body, double pose[3]);

/** Coordinates (x, y, theta) of a free body whose frame has this pose. */
void carom_bodies_place(const carom_bodies *bodies, int body, const double pose[3],
                        double coordinates[3]);

/** One contact of the present step; in the plane the third coordinates are zero. */
typedef struct carom_bodies_contact {
    int first;          /**< shape */
    int second;         /**< shape, a later one */
    int end;            /**< 0 or 1, of an edge against an edge; of a half space and a capsule, a
                           box the end or the corner; else 0 */
    double gap;         /**< m */
    double point[3];    /**< where they touch, or midway between, m */
    double normal[3];   /**< from the first to the second, 1 */
    double friction;    /**< of the pair, 1 */
    double restitution; /**< of the pair, 1 */
} carom_bodies_contact;

/** What bounds the coordinate of a joint, or rubs on it. */
typedef enum carom_bodies_limit_kind {
    CAROM_BODIES_LOW,  /**< coordinate - least >= 0 */
    CAROM_BODIES_HIGH, /**< largest - coordinate >= 0 */
    CAROM_BODIES_RUBS  /**< z >= 0 of its pad, sliding with the rate of the coordinate */
} carom_bodies_limit_kind;

/** One contact that a joint always has. */
typedef struct carom_bodies_limit {
    carom_bodies_limit_kind kind;
    int joint;
    int pad; /**< coordinate of its pad; -1 of a stop */
} carom_bodies_limit;

/** Stops of joints, and frictions in them: the first contacts of the mechanism, of each joint its
 * lower stop, its upper one and its friction. */
int carom_bodies_limit_count(const carom_bodies *bodies);

/** One of them, 0 <= index < limit_count. */
carom_bodies_limit carom_bodies_limit_at(const carom_bodies *bodies, int index);

/** Where a joint is at q: its second point, in the world. */
void carom_bodies_joint_place(const carom_bodies *bodies, int joint, const double *q,
                              double place[2]);

/** Contacts of the present step: those of the mechanism behind the limits of joints. */
int carom_bodies_contact_count(const carom_bodies *bodies);

/** Contact 0 <= index < contact_count at the positions q. */
carom_bodies_contact carom_bodies_contact_at(const carom_bodies *bodies, const double *q,
                                             int index);

/**
 * The deepest of the overlaps of shapes at q, by which a motion cannot start.
 *
 * @param[in,out] bodies  their contacts become those near q
 * @param[in]     q       [n_q] of their mechanism
 * @param[out]    deepest its gap is negative where there is one, and not where there is none
 * @return CAROM_OK; OUT_OF_RANGE: more contacts than there are rows; UNSUPPORTED: shapes that are
 * near each other and whose contact is not computed; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_bodies_find_overlap(carom_bodies *bodies, const double *q,
                                                        carom_bodies_contact *deepest);

/* ------------------------------------------------------------------------------ bodies in space */
/* The same in three dimensions, without joints and springs. */

/** What a solid is. */
typedef enum carom_bodies_solid_kind {
    CAROM_BODIES_SPHERE,
    CAROM_BODIES_CAPSULE,   /**< all within the radius of a segment */
    CAROM_BODIES_CUBOID,    /**< a box */
    CAROM_BODIES_HALF_SPACE /**< on the ground only */
} carom_bodies_solid_kind;

/**
 * A solid. Half spaces touch all others, spheres all others. Capsules and boxes among themselves
 * are not computed: a step that could bring two of them together is refused.
 */
typedef struct carom_bodies_solid {
    carom_bodies_solid_kind kind;
    int body;           /**< that it is fixed to; CAROM_BODIES_GROUND */
    double place[3];    /**< in the frame of the body: the centre, an end of a capsule's segment, a
                           point of the plane of a half space; m */
    double to[3];       /**< other end of a capsule's segment, m; normal of a half space into its
                           free side, of any length but zero */
    double radius;      /**< > 0 of a sphere, a capsule, m */
    double edges[3];    /**< > 0 of a box, m */
    double turn[4];     /**< of a box in the frame of the body, unit quaternion (w, x, y, z) */
    double friction;    /**< Coulomb coefficient mu >= 0 */
    double restitution; /**< Newton coefficient, in [0,1] */
} carom_bodies_solid;

/** Mass, centre and tensor of inertia of a body in space. */
typedef struct carom_bodies_mass {
    double mass;       /**< kg */
    double center[3];  /**< centre of mass in the frame of the body, m */
    double inertia[6]; /**< about it by the axes of the frame: xx, yy, zz, xy, xz, yz, the last
                          three with their signs in the matrix, kg m2 */
} carom_bodies_mass;

/** Volume of a solid, m3; infinite of a half space. */
double carom_bodies_volume(const carom_bodies_solid *solid);

/**
 * Mass, centre and inertia of uniform solids of one body: masses by their volumes, of overlaps
 * twice.
 *
 * @param[in] count  solids, >= 1, no half space among them
 * @param[in] solids [count] as carom_bodies_alloc_in_space takes them
 * @param[in] mass   of all, kg
 */
carom_bodies_mass carom_bodies_uniform_in_space(int count, const carom_bodies_solid *solids,
                                                double mass);

/** All that there is in space; copied, borrowed only during the call. */
typedef struct carom_bodies_space_spec {
    const char *name;                 /**< lower-case identifier, copied; NULL: "bodies" */
    int body_count;                   /**< >= 1 */
    const carom_bodies_mass *bodies;  /**< [body_count] */
    int solid_count;                  /**< >= 0 */
    const carom_bodies_solid *solids; /**< [solid_count] */
    double gravity[3];                /**< acceleration, m/s2 */
    int most_contacts; /**< rows of the mechanism; 0: eight for each solid, and those of each solid
                          with six half spaces */
} carom_bodies_space_spec;

/** No bodies yet, gravity (0, 0, -9.81). */
carom_bodies_space_spec carom_bodies_space_spec_default(void);

/**
 * Build bodies in space. Their mechanism has q = (x, y, z, w, i, j, k) of each body, its centre of
 * mass and the unit quaternion of its frame (carom/mechanism/rotation.h), and v = (x', y', z', w),
 * w about the axes of the frame; M is constant, f has the gyroscopic term -w x J w. Friction is in
 * the second-order cone. Contacts are found as in the plane.
 *
 * @return CAROM_OK; OUT_OF_RANGE: as carom_bodies_alloc, and a tensor of inertia that no body has:
 * a moment not positive or above the sum of the other two; NOT_FINITE; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_bodies_alloc_in_space(const carom_bodies_space_spec *spec,
                                                          carom_bodies **out, carom_report *report);

/** Place of the origin of a body's frame and its quaternion [7] at q; of the ground no turn. */
void carom_bodies_pose_in_space(const carom_bodies *bodies, const double *q, int body,
                                double pose[7]);

/** Coordinates [7] of a body whose frame has this pose [7]. */
void carom_bodies_place_in_space(const carom_bodies *bodies, int body, const double pose[7],
                                 double coordinates[7]);

/**
 * Which solids ended the last search of contacts because theirs is not computed.
 *
 * @return whether there are any
 */
bool carom_bodies_uncomputed(const carom_bodies *bodies, int solids[2]);

CAROM_END_DECLARATIONS

#endif
