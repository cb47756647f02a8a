/** Internal: what bodies consist of. */
#ifndef CAROM_MECHANISM_BODIES_INTERNAL_H
#define CAROM_MECHANISM_BODIES_INTERNAL_H

#include <carom/mechanism/bodies/bodies.h>

/* ---------------------------------------------------------------------------------------- planes
 */

static inline double carom_plane_dot(const double a[2], const double b[2]) {
    return a[0] * b[0] + a[1] * b[1];
}

/** a turned by a right angle, counter-clockwise: its derivative with respect to an angle. */
static inline void carom_plane_turn(const double a[2], double turned[2]) {
    turned[0] = -a[1];
    turned[1] = a[0];
}

/** a turned by the angle of a cosine and a sine. */
static inline void carom_plane_rotate(const double turn[2], const double a[2], double rotated[2]) {
    rotated[0] = turn[0] * a[0] - turn[1] * a[1];
    rotated[1] = turn[1] * a[0] + turn[0] * a[1];
}

/** Where a body is: zeros and no turn of the ground. */
typedef struct carom_bodies_frame {
    double place[2]; /**< of its centre of mass, m */
    double turn[2];  /**< cosine and sine of its angle */
} carom_bodies_frame;

/** That of a body at q. */
carom_bodies_frame carom_bodies_frame_of(const double *q, int body);

/* ---------------------------------------------------------------------------------------- shapes
 */

/** A shape in a frame at the centre of mass, and in the world of the present step. */
typedef struct carom_bodies_hull {
    int body;
    bool is_half_plane;   /**< or half space */
    int count;            /**< of points; 1 of a half plane */
    double *local;        /**< [count][2] in its body; in space [count][3], of a box corner j, whose
                             coordinate i is the larger one where bit i of j is set */
    double *local_normal; /**< [count][2] outward, of the edge from each point to the next one; in
                             space [1][3] of a half space */
    double *point;        /**< [count][2] in the world, in space [count][3] */
    double *normal;       /**< [count][2] in the world */
    double radius;
    double reach; /**< farthest of its points from the centre of mass of its body, m */
    double size;  /**< larger side of its box as built, m; 0 of a half plane */
    double friction;
    double restitution;
    double surface_speed;
} carom_bodies_hull;

/** Refuse what is no shape. */
CAROM_MUST_CHECK carom_status carom_bodies_check_shape(const carom_bodies_shape *shape,
                                                       int body_count, int index,
                                                       carom_report *report);

/** Fill a hull, whose four arrays there are, by a shape and the centre of mass of its body. */
void carom_bodies_fill_hull(const carom_bodies_shape *shape, const double center[2],
                            carom_bodies_hull *hull);

/** Put a hull into the world. */
void carom_bodies_move_hull(carom_bodies_hull *hull, const carom_bodies_frame *frame);

/** Points or points and edge. */
typedef enum carom_bodies_touch_kind {
    CAROM_BODIES_POINT_LINE,  /**< a point beside an edge, in space above a plane */
    CAROM_BODIES_POINT_POINT, /**< two points with radii */
    CAROM_BODIES_POINT_AXIS   /**< in space: a point about a line with a radius */
} carom_bodies_touch_kind;

/** What touches what within a step; the normal is from the first hull here, which may be the later
 * one of the two, to the second. */
typedef struct carom_bodies_touch {
    carom_bodies_touch_kind kind;
    int hulls[2];     /**< of the edge, or the first point; and of the point */
    int bodies[2];    /**< of these */
    int end;          /**< of an edge against an edge, 0 or 1 */
    double normal[3]; /**< of an edge, in its body; direction of an axis */
    double offset;    /**< of an edge from the centre of mass of its body, m */
    double point[3];  /**< of the first, in its body, m; not of an edge */
    double other[3];  /**< of the second, in its body, m */
    double radii[2];  /**< m */
    double friction;
    double restitution;
    double surface_speed; /**< sum of both */
    int aside;            /**< in space: axis of the world from which tangents are taken */
} carom_bodies_touch;

/** Most contacts of two hulls. */
enum { CAROM_BODIES_MOST_TOUCHES = 8 };

/** How two hulls of the world touch, by the points and edges that are nearest. @return 1 or 2, in
 * the order of their ends */
int carom_bodies_find_touches(const carom_bodies_hull *hulls, int first, int second,
                              carom_bodies_touch touches[CAROM_BODIES_MOST_TOUCHES]);

/** The same in space. @return up to 8; -1: not computed */
int carom_solid_find_touches(const carom_bodies_hull *hulls, int first, int second,
                             carom_bodies_touch touches[CAROM_BODIES_MOST_TOUCHES]);

/** Whether two hulls whose contact is not computed are surely farther apart than that: separated
 * along an edge of one, across two edges, or from a corner to a corner. */
bool carom_solid_are_apart(const carom_bodies_hull *a, const carom_bodies_hull *b, double near);

/** The touch of two hulls, of which `owner` has the edge, without its geometry. */
carom_bodies_touch carom_bodies_touch_of(const carom_bodies_hull *hulls,
                                         carom_bodies_touch_kind kind, int owner, int other,
                                         int end);

/* -------------------------------------------------------------------------------- pairs of boxes
 */

/** Boxes with sides along the axes, of which pairs that overlap are found. */
typedef struct carom_box_pairs carom_box_pairs;

/** Room for boxes with 2 or 3 axes. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_box_pairs_alloc(int count, int axes, carom_box_pairs **out);

/** Free; NULL is accepted. */
void carom_box_pairs_free(carom_box_pairs *pairs);
CAROM_AUTO_TYPE(carom_box_pairs)

/**
 * Find the pairs that overlap, in the order of the first, then of the second.
 *
 * @param[in]  boxes [count][2 axes] the least corner, then the largest; boxes of which one
 * coordinate of the least is above that of the largest take no part
 * @param[out] list  [pair_count][2] borrowed until the next call
 * Cost: O(count + pairs), and for each power of two among the sizes O(count).
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_box_pairs_find(carom_box_pairs *pairs, const double *boxes,
                                                   int *pair_count, const int (**list)[2]);

/* ------------------------------------------------------------------------------------------ rows
 */

/** Entries of a row in the coordinates of two bodies, those of the ground left out. */
enum { CAROM_BODIES_OF_BODY = 3, CAROM_BODIES_OF_PAIR = 6 };

/** A contact, a joint's line or a spring at a position: its normal n, tangent t = (n_y, -n_x). */
typedef struct carom_bodies_span {
    carom_bodies_touch_kind kind;
    double normal[2];
    double tangent[2];
    double arm[2];          /**< from the first centre to its point; of an edge to the other's */
    double other[2];        /**< from the second centre to its point */
    double arm_turned[2];   /**< derivative of arm with respect to the first angle */
    double other_turned[2]; /**< of other with respect to the second */
    double distance;        /**< between the points; of an edge the height above the centre */
    double gap;
    const carom_bodies_touch *touch;
} carom_bodies_span;

/** It at q. */
carom_bodies_span carom_bodies_span_at(const carom_bodies_touch *touch, const double *q);

/** dg/dq by (x, y, theta) of both. */
void carom_bodies_normal_row(const carom_bodies_span *span, double row[CAROM_BODIES_OF_PAIR]);

/** Of the sliding speed of the second body beside the first along t. */
void carom_bodies_tangent_row(const carom_bodies_span *span, double row[CAROM_BODIES_OF_PAIR]);

/** d(G v)/dq and d(H v)/dq with the velocities (x', y', theta') of both. */
void carom_bodies_normal_rate_row(const carom_bodies_span *span,
                                  const double velocity[CAROM_BODIES_OF_PAIR],
                                  double row[CAROM_BODIES_OF_PAIR]);
void carom_bodies_tangent_rate_row(const carom_bodies_span *span,
                                   const double velocity[CAROM_BODIES_OF_PAIR],
                                   double row[CAROM_BODIES_OF_PAIR]);

/** Velocities of two bodies, zeros of the ground. */
void carom_bodies_pair_velocity(const int bodies[2], const double *v,
                                double velocity[CAROM_BODIES_OF_PAIR]);

/** Index in q of entry i of the row of two bodies; -1 of the ground. */
int carom_bodies_pair_coordinate(const int bodies[2], int i);

/** Where a row of two bodies, each with so many entries, has them: those of the earlier body first,
 * none of the ground. @return their number */
int carom_bodies_row_columns(const int bodies[2], int of_body, int *columns);

/** Store a row of two bodies so. @return entries */
int carom_bodies_store_row(const int bodies[2], int of_body, const double *row, double *entries);

/* ---------------------------------------------------------------------------------------- joints
 */

/** Equations of a joint. */
int carom_bodies_joint_rows(const carom_bodies_joint *joint);

/** Residuals, then their rows by the entries of both bodies: position level, and d(G v)/dq. */
void carom_bodies_joint_residuals(const carom_bodies_joint *joint, const double *q, double *g);
void carom_bodies_joint_jacobian(const carom_bodies_joint *joint, const double *q,
                                 double rows[][CAROM_BODIES_OF_PAIR]);
void carom_bodies_joint_rates(const carom_bodies_joint *joint, const double *q,
                              const double velocity[CAROM_BODIES_OF_PAIR],
                              double rows[][CAROM_BODIES_OF_PAIR]);

/** s(t) and ds/dt of a driven joint, 0 of the others. */
double carom_bodies_joint_offset(const carom_bodies_joint *joint, double t);
double carom_bodies_joint_speed(const carom_bodies_joint *joint, double t);

/** Coordinate of a revolute or prismatic joint, its row, and d(row v)/dq. */
double carom_bodies_joint_coordinate(const carom_bodies_joint *joint, const double *q);
void carom_bodies_joint_coordinate_row(const carom_bodies_joint *joint, const double *q,
                                       double row[CAROM_BODIES_OF_PAIR]);
void carom_bodies_joint_coordinate_rate(const carom_bodies_joint *joint, const double *q,
                                        const double velocity[CAROM_BODIES_OF_PAIR],
                                        double row[CAROM_BODIES_OF_PAIR]);

enum { CAROM_BODIES_MOST_LIMITS = 3 };

/** Limits of a joint, at most three. @return their number */
int carom_bodies_joint_limits(const carom_bodies_joint *joint,
                              carom_bodies_limit_kind kinds[CAROM_BODIES_MOST_LIMITS]);

/** Refuse what a joint with this kind cannot have. */
CAROM_MUST_CHECK carom_status carom_bodies_check_limits(const carom_bodies_joint *joint, int index,
                                                        carom_report *report);

/** Gap of a limit at q. */
double carom_bodies_limit_gap(const carom_bodies_joint *joint, const carom_bodies_limit *limit,
                              const double *q);

/** Its entries as stored: of G and of d(G v)/dq, or with v NULL of G. @return their number */
int carom_bodies_store_limit(const carom_bodies_joint *joint, const carom_bodies_limit *limit,
                             const double *q, const double *v, double *entries);

/** Those of H and d(H v)/dq: none of a stop. */
int carom_bodies_store_limit_tangent(const carom_bodies_joint *joint,
                                     const carom_bodies_limit *limit, const double *q,
                                     const double *v, double *entries);

/** Where they are. @return their number */
int carom_bodies_limit_columns(const carom_bodies_joint *joint, const carom_bodies_limit *limit,
                               int columns[CAROM_BODIES_OF_PAIR]);
int carom_bodies_limit_tangent_columns(const carom_bodies_joint *joint,
                                       const carom_bodies_limit *limit,
                                       int columns[CAROM_BODIES_OF_PAIR]);

/* --------------------------------------------------------------------------------------- springs
 */

/** f += its force. */
void carom_bodies_spring_force(const carom_bodies_spring *spring, const double *q, const double *v,
                               double *f);
/** K += -df/dq, C += -df/dv [layout]. */
void carom_bodies_spring_stiffness(const carom_bodies_spring *spring, const double *q,
                                   const double *v, carom_layout layout, double *K);
void carom_bodies_spring_damping(const carom_bodies_spring *spring, const double *q,
                                 carom_layout layout, double *C);
/** Its energy, J. */
double carom_bodies_spring_energy(const carom_bodies_spring *spring, const double *q);

/* ------------------------------------------------------------------------------------- the bodies
 */

/** What a tree adds (carom/mechanism/bodies/links.h). */
typedef struct carom_bodies_links carom_bodies_links;

struct carom_bodies {
    carom_mechanism mechanism; /**< in the places of all bodies, links of a tree among them */
    carom_bodies_links *links; /**< NULL: no tree; else with the mechanism in its coordinates */
    char name[48];
    int axes;    /**< 2 in the plane, 3 in space */
    int of_body; /**< velocities of a body: 3 or 6 */
    int body_count;
    int hull_count;
    int joint_count;
    int spring_count;
    int joint_rows;  /**< equations of all joints */
    int limit_count; /**< of the joints: rows of contacts before those that come and go */
    int pad_count;   /**< coordinates behind those of the bodies */
    double gravity[3];
    carom_planar_shape *bodies;   /**< [body_count] in the plane */
    carom_bodies_mass *masses;    /**< [body_count] in space */
    int *rotations;               /**< [body_count] in space: first velocities of their turns */
    carom_bodies_hull *hulls;     /**< [hull_count] */
    carom_bodies_joint *joints;   /**< [joint_count] points from the centres of mass */
    carom_bodies_spring *springs; /**< [spring_count] likewise */
    carom_bodies_limit *limits;   /**< [limit_count] by their joints */
    int *pad_joint;               /**< [pad_count] */
    double *numbers;              /**< of the hulls */

    /* contacts of the present step, and of the one before */
    int capacity; /**< rows n_u, but those of limits */
    int contact_count;
    int last_count;
    carom_bodies_touch *touches; /**< [capacity] */
    carom_bodies_touch *last;    /**< [capacity] */
    double *friction;            /**< [limit_count + capacity] */
    double *restitution;         /**< [limit_count + capacity] */
    double *sizes; /**< [joint_rows + limit_count + capacity] lengths in g, those of bodies */
    int *start;    /**< [joint_rows + limit_count + capacity + 1] pattern of G, then that of H */
    int *column;
    int *tangent_start; /**< [limit_count + capacity + 1] */
    int *tangent_column;
    double far; /**< gap of a row without a contact: what all shapes reach, m */

    /* the search */
    carom_box_pairs *pairs;
    double *boxes; /**< [hull_count][2 axes] */
    double *way;   /**< [hull_count] how far a hull may move in the step, m */
    int plane_count;
    int *planes;        /**< [plane_count] hulls that are half planes, increasing */
    int excluded_count; /**< pairs of bodies that do not touch */
    int (*excluded)[2]; /**< [excluded_count] the lower first, sorted */
    int uncomputed[2];  /**< hulls whose contact ended the search; -1: none */
};

/** Bodies along so many axes, with nothing but their counts and a name, NULL: "bodies". NULL
 * without memory. */
carom_bodies *carom_bodies_begin(int axes, const char *name, int body_count, int hull_count);

/** Arrays for hulls with so many points, contacts and the search, when the counts are filled in. */
CAROM_MUST_CHECK carom_status carom_bodies_alloc_contacts(carom_bodies *bodies, size_t points);

/** The next hull, with arrays of so many points. */
void carom_bodies_give_room(carom_bodies_hull *hull, int axes, size_t points, double **room);

/** What follows from all hulls: the half planes, how far they reach, and coefficients before there
 * are contacts, whether there is any friction and restitution at all. */
void carom_bodies_finish_hulls(carom_bodies *bodies);

/** What a hull with points and a radius has beside them. */
void carom_bodies_measure_hull(carom_bodies_hull *hull, int axes);

/** Find the contacts of a step: carom_mechanism.update_contacts. */
carom_status carom_bodies_update_contacts(double t, double h, const double *q, const double *v,
                                          int *previous, carom_report *report, void *context);

/** Fill the mechanism, of whose matrices the layout is given. */
void carom_bodies_fill_mechanism(carom_bodies *bodies, carom_layout layout);

/** Whether d(G'lambda)/dq has its place in the layout. */
static inline bool carom_bodies_has_curvature(const carom_bodies *bodies) {
    const bool is_coupled = bodies->spring_count > 0 || bodies->links != NULL;
    return bodies->capacity == 0 && is_coupled && bodies->joint_count > 0;
}

/** Fill the patterns with the joints and the contacts that there are. */
void carom_bodies_fill_patterns(carom_bodies *bodies);

/** Let the last bodies be the links of a tree. */
CAROM_MUST_CHECK carom_status carom_links_alloc(const carom_planar_tree *tree,
                                                carom_bodies *bodies);

/** Free; NULL is accepted. */
void carom_links_free(carom_bodies_links *links);

/** The mechanism in coordinates of the tree, when that of the places is filled in. */
CAROM_MUST_CHECK carom_status carom_links_fill_mechanism(carom_bodies *bodies);

/** The patterns of G and H likewise. */
void carom_links_fill_patterns(carom_bodies *bodies);

/** (x, y, theta) of all bodies and the pads at q: q itself without a tree; borrowed until the next
 * call. */
const double *carom_bodies_places(const carom_bodies *bodies, const double *q);

/** The first of the links that are fixed to each other; other bodies are their own. */
int carom_bodies_rigid(const carom_bodies *bodies, int body);

/** Whether a body never moves: the ground and what is fixed to it. */
bool carom_bodies_is_still(const carom_bodies *bodies, int body);

/* -------------------------------------------------------------------------------------- in space
 */

/** Velocities and positions of a body in space, and entries of a row. */
enum { CAROM_SOLID_VELOCITIES = 6, CAROM_SOLID_POSITIONS = 7, CAROM_SOLID_OF_PAIR = 12 };

/** Where a body is, and the axes of its frame as columns. */
typedef struct carom_solid_frame {
    double place[3];
    double turn[9];
} carom_solid_frame;

/** That of a body at q. */
carom_solid_frame carom_solid_frame_of(const double *q, int body);

/** Refuse what is no solid. */
CAROM_MUST_CHECK carom_status carom_solid_check(const carom_bodies_solid *solid, int body_count,
                                                int index, carom_report *report);

/** Refuse what is no body. */
CAROM_MUST_CHECK carom_status carom_solid_check_mass(const carom_bodies_mass *mass, int index,
                                                     carom_report *report);

/** Points of a solid. */
int carom_solid_point_count(const carom_bodies_solid *solid);

/** Fill a hull, whose arrays there are, by a solid and the centre of mass of its body. */
void carom_solid_fill_hull(const carom_bodies_solid *solid, const double center[3],
                           carom_bodies_hull *hull);

/** Put a hull into the world. */
void carom_solid_move_hull(carom_bodies_hull *hull, const carom_solid_frame *frame);

/** A contact in space at a position; directions in the world. */
typedef struct carom_solid_span {
    const carom_bodies_touch *touch;
    carom_solid_frame frames[2];
    double directions[3][3]; /**< normal, from the first to the second, and two tangents */
    double axis[3];          /**< of an axis */
    double first[3];         /**< from the first centre to its point */
    double second[3];        /**< from the second centre to its point */
    double between[3];       /**< from the first point to the second, of a plane from the centre */
    double aside;            /**< what of the axis `aside` is across the normal */
    double distance;         /**< between point and point, axis or centre */
    double gap;
} carom_solid_span;

/** It at q. */
carom_solid_span carom_solid_span_at(const carom_bodies_touch *touch, const double *q);

/** Of direction 0: dg/dq; of 1, 2: how fast the second body slides on the first along it. */
void carom_solid_row(const carom_solid_span *span, int direction, double row[CAROM_SOLID_OF_PAIR]);

/** d(row v)/dq with the velocities of both bodies held. */
void carom_solid_rate_row(const carom_solid_span *span, int direction,
                          const double velocity[CAROM_SOLID_OF_PAIR],
                          double row[CAROM_SOLID_OF_PAIR]);

/** Take its tangents from the axis of the world that is most across its normal. @return its gap */
double carom_solid_settle(carom_bodies_touch *touch, const double *q);

#endif
