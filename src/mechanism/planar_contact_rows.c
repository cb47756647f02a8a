#include <carom/mechanism/planar_internal.h>

#include <math.h>
#include <string.h>

/**
 * A contact at q. The vector X of its gap n.X - const runs to the point P of the body from the
 * wall, or from the first centre to the second: X = sum sign P over one or two sides. The sliding
 * speed is t.X' plus radius times rate of rotation of each disc, as t.S n = -1.
 */
typedef struct contact_state {
    double gap;
    double n[2];
    double t[2];      /**< (n_y, -n_x) */
    double direction; /**< -1: the tangent is reversed */
    double curvature; /**< 1/|X| between discs, else 0: dn = t (t.dX)/|X|, dt = -n (t.dX)/|X| */
    int side_count;
    struct contact_side {
        double sign;
        double radius; /**< 0 for a corner */
        carom_planar_chain chain;
    } sides[2];
} contact_state;

static void add_side(const carom_planar_tree *tree, const double *q, int body, const double *point,
                     double sign, double radius, contact_state *at) {
    struct contact_side *side = &at->sides[at->side_count++];
    side->sign = sign;
    side->radius = radius;
    carom_planar_chain_at(tree, q, body, point, &side->chain);
}

/** A corner or a disc above a wall. */
static void find_wall_contact(const carom_planar_tree *tree, const double *q,
                              const carom_planar_contact *contact, contact_state *at) {
    const double radius = contact->kind == CAROM_PLANAR_DISC_WALL ? contact->radius : 0.0;
    const carom_planar_wall *wall = &contact->wall;
    add_side(tree, q, contact->body, contact->point, 1.0, radius, at);
    const double *P = at->sides[0].chain.place;
    const double X[2] = {P[0] - wall->point[0], P[1] - wall->point[1]};
    at->curvature = 0.0;
    at->n[0] = wall->normal[0];
    at->n[1] = wall->normal[1];
    at->gap = carom_planar_dot(at->n, X) - radius;
}

/** Two discs. */
static void find_disc_contact(const carom_planar_tree *tree, const double *q,
                              const carom_planar_contact *contact, contact_state *at) {
    add_side(tree, q, contact->other_body, contact->other_point, 1.0, contact->other_radius, at);
    add_side(tree, q, contact->body, contact->point, -1.0, contact->radius, at);
    const double *P = at->sides[0].chain.place;
    const double *P_first = at->sides[1].chain.place;
    const double X[2] = {P[0] - P_first[0], P[1] - P_first[1]};
    const double distance = hypot(X[0], X[1]);
    at->curvature = 1.0 / distance;
    at->n[0] = X[0] / distance;
    at->n[1] = X[1] / distance;
    at->gap = distance - contact->radius - contact->other_radius;
}

static void find_contact(const carom_planar_tree *tree, const double *q, int contact,
                         contact_state *at) {
    const carom_planar_contact *it = &tree->contacts[contact];
    at->side_count = 0;
    if (it->kind == CAROM_PLANAR_DISC_DISC) {
        find_disc_contact(tree, q, it, at);
    } else {
        find_wall_contact(tree, q, it, at);
    }
    at->t[0] = at->n[1];
    at->t[1] = -at->n[0];
    at->direction = it->is_tangent_reversed ? -1.0 : 1.0;
}

/** Clear a matrix [contacts][n]. */
static void clear_rows(const carom_planar_tree *tree, double *A) {
    const size_t n = (size_t)tree->mechanism.coordinate_count;
    memset(A, 0, (size_t)tree->contact_count * n * sizeof(double));
}

static double *row_of(const carom_planar_tree *tree, double *A, int contact) {
    return A + (size_t)contact * (size_t)tree->mechanism.coordinate_count;
}

/** row += factor d(direction.X)/dq, the direction [2] held fixed. */
static void add_speed(const contact_state *at, double factor, const double *direction,
                      double *row) {
    for (int s = 0; s < at->side_count; s++) {
        const carom_planar_chain *chain = &at->sides[s].chain;
        const double signed_factor = factor * at->sides[s].sign;
        for (int k = 0; k < chain->count; k++) {
            row[chain->coordinate[k]] +=
                signed_factor * carom_planar_dot(direction, chain->derivative[k]);
        }
    }
}

/** row += factor d(direction.X')/dq, direction [2] and v held fixed; the relative velocity X'. */
static void add_speed_derivative(const contact_state *at, double factor, const double *direction,
                                 const double *v, double *velocity, double *row) {
    double w[CAROM_PLANAR_CHAIN_SIZE];
    double E[CAROM_PLANAR_CHAIN_SIZE][2];
    velocity[0] = 0.0;
    velocity[1] = 0.0;
    for (int s = 0; s < at->side_count; s++) {
        const carom_planar_chain *chain = &at->sides[s].chain;
        const double sign = at->sides[s].sign;
        double part[2];
        carom_planar_chain_gather(chain, v, w);
        carom_planar_chain_combine(chain, w, part);
        velocity[0] += sign * part[0];
        velocity[1] += sign * part[1];
        carom_planar_chain_differentiate(chain, w, E);
        for (int k = 0; k < chain->count; k++) {
            row[chain->coordinate[k]] += factor * sign * carom_planar_dot(direction, E[k]);
        }
    }
}

static void gaps(const double *q, double *g, void *context) {
    const carom_planar_tree *tree = context;
    contact_state at;
    for (int i = 0; i < tree->contact_count; i++) {
        find_contact(tree, q, i, &at);
        g[i] = at.gap;
    }
}

/** G = n.dX/dq. */
static void normal_jacobian(const double *q, double *G, void *context) {
    const carom_planar_tree *tree = context;
    contact_state at;
    clear_rows(tree, G);
    for (int i = 0; i < tree->contact_count; i++) {
        find_contact(tree, q, i, &at);
        add_speed(&at, 1.0, at.n, row_of(tree, G, i));
    }
}

/** H = t.dX/dq + radius d(angle)/dq of each disc. */
static void tangential_jacobian(const double *q, double *H, void *context) {
    const carom_planar_tree *tree = context;
    contact_state at;
    clear_rows(tree, H);
    for (int i = 0; i < tree->contact_count; i++) {
        double *row = row_of(tree, H, i);
        find_contact(tree, q, i, &at);
        add_speed(&at, at.direction, at.t, row);
        for (int s = 0; s < at.side_count; s++) {
            const carom_planar_chain *chain = &at.sides[s].chain;
            const double arm = at.direction * at.sides[s].radius;
            for (int k = 0; k < chain->count; k++) {
                row[chain->coordinate[k]] += chain->is_angle[k] ? arm : 0.0;
            }
        }
    }
}

/** D += factor (t.dX/dq)' (t.dX/dq): what the turning normal adds to n.d2X/dq2. */
static void add_turning(const contact_state *at, double factor, int n, double *D) {
    for (int r = 0; r < at->side_count; r++) {
        const carom_planar_chain *rows = &at->sides[r].chain;
        for (int s = 0; s < at->side_count; s++) {
            const carom_planar_chain *columns = &at->sides[s].chain;
            const double signed_factor = factor * at->sides[r].sign * at->sides[s].sign;
            for (int k = 0; k < rows->count; k++) {
                const double along = carom_planar_dot(at->t, rows->derivative[k]);
                double *row = D + (size_t)rows->coordinate[k] * (size_t)n;
                for (int l = 0; l < columns->count; l++) {
                    row[columns->coordinate[l]] +=
                        signed_factor * along * carom_planar_dot(at->t, columns->derivative[l]);
                }
            }
        }
    }
}

/** d(G' lambda)/dq = sum lambda (n.d2X/dq2 + (t.dX/dq)' (t.dX/dq)/|X|). */
static void normal_force_derivative(const double *q, const double *lambda, double *D,
                                    void *context) {
    const carom_planar_tree *tree = context;
    const int n = tree->mechanism.coordinate_count;
    contact_state at;
    memset(D, 0, (size_t)n * (size_t)n * sizeof(double));
    for (int i = 0; i < tree->contact_count; i++) {
        find_contact(tree, q, i, &at);
        for (int s = 0; s < at.side_count; s++) {
            const double factor = lambda[i] * at.sides[s].sign;
            const double F[2] = {factor * at.n[0], factor * at.n[1]};
            carom_planar_chain_add_second(&at.sides[s].chain, F, n, D);
        }
        if (at.curvature > 0.0) {
            add_turning(&at, lambda[i] * at.curvature, n, D);
        }
    }
}

/** d(n.X')/dq = n.dX'/dq + (t.X') (t.dX/dq)/|X|. */
static void normal_rate_derivative(const double *q, const double *v, double *D, void *context) {
    const carom_planar_tree *tree = context;
    contact_state at;
    clear_rows(tree, D);
    for (int i = 0; i < tree->contact_count; i++) {
        double velocity[2];
        double *row = row_of(tree, D, i);
        find_contact(tree, q, i, &at);
        add_speed_derivative(&at, 1.0, at.n, v, velocity, row);
        if (at.curvature > 0.0) {
            add_speed(&at, at.curvature * carom_planar_dot(at.t, velocity), at.t, row);
        }
    }
}

/** d(t.X')/dq = t.dX'/dq - (n.X') (t.dX/dq)/|X|; the discs' rotation adds a constant row. */
static void tangential_rate_derivative(const double *q, const double *v, double *D, void *context) {
    const carom_planar_tree *tree = context;
    contact_state at;
    clear_rows(tree, D);
    for (int i = 0; i < tree->contact_count; i++) {
        double velocity[2];
        double *row = row_of(tree, D, i);
        find_contact(tree, q, i, &at);
        add_speed_derivative(&at, at.direction, at.t, v, velocity, row);
        if (at.curvature > 0.0) {
            const double closing = -carom_planar_dot(at.n, velocity);
            add_speed(&at, at.direction * at.curvature * closing, at.t, row);
        }
    }
}

void carom_planar_contact_rows_install(carom_mechanism *mechanism) {
    mechanism->constraints = gaps;
    mechanism->constraint_jacobian = normal_jacobian;
    mechanism->constraint_force_derivative = normal_force_derivative;
    mechanism->constraint_rate_derivative = normal_rate_derivative;
    mechanism->tangential_jacobian = tangential_jacobian;
    mechanism->tangential_rate_derivative = tangential_rate_derivative;
}

carom_planar_contact_place carom_planar_tree_contact_place(const carom_planar_tree *tree,
                                                           const double *q, int contact) {
    CAROM_ASSERT(contact >= 0 && contact < tree->contact_count);
    contact_state at;
    find_contact(tree, q, contact, &at);
    /* from the body towards the wall; from the second disc towards the first, half the gap more */
    const double *P = at.sides[0].chain.place;
    const bool is_between_discs = tree->contacts[contact].kind == CAROM_PLANAR_DISC_DISC;
    const double back = at.sides[0].radius + (is_between_discs ? 0.5 * at.gap : 0.0);
    return (carom_planar_contact_place){
        .gap = at.gap,
        .point = {P[0] - back * at.n[0], P[1] - back * at.n[1]},
        .normal = {at.n[0], at.n[1]},
        .tangent = {at.direction * at.t[0], at.direction * at.t[1]},
    };
}
