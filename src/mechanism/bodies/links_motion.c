#include <carom/mechanism/bodies/links.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* With N = dx/dq and w = N v, and M, f, g of the places: the mass N'MN, the force N'f less the
 * inertia of the tree at constant v, and the rows G N. */

static const carom_mechanism *of_places(const carom_bodies *s) {
    return &s->mechanism;
}

static const carom_mechanism *of_tree(const carom_bodies *s) {
    return carom_planar_tree_mechanism(s->links->tree);
}

/* --- from places to coordinates ----------------------------------------------------------------
 */

static void clear_matrix(const carom_bodies *s, double *A) {
    memset(A, 0, carom_layout_entry_count(s->links->mechanism.layout) * sizeof *A);
}

/* B += N'A E of the matrix of the places in l->matrix, with E = N or d(N v)/dq. */
static void pull_matrix(const carom_bodies *s, const double *E, double *B) {
    const carom_bodies_links *l = s->links;
    const carom_layout layout = of_places(s)->layout;
    for (int i = 0; i < layout.size; i++) {
        for (int j = carom_layout_first_column(layout, i); j < carom_layout_end_column(layout, i);
             j++) {
            const double entry = l->matrix[carom_layout_index(layout, i, j)];
            if (!(fabs(entry) > 0.0)) {
                continue; /* what is apart may have no place in B */
            }
            for (int k = l->start[i]; k < l->start[i + 1]; k++) {
                for (int m = l->start[j]; m < l->start[j + 1]; m++) {
                    B[carom_layout_index(l->mechanism.layout, l->column[k], l->column[m])] +=
                        l->slope[k] * entry * E[m];
                }
            }
        }
    }
}

/* B += the matrix of the tree in l->block; what is apart in it is zero. */
static void add_block(const carom_bodies *s, double *B) {
    const carom_bodies_links *l = s->links;
    const carom_layout layout = l->mechanism.layout;
    const int n = of_tree(s)->coordinate_count;
    const int first = l->first_coordinate;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            const double entry = l->block[i * n + j];
            if (fabs(entry) > 0.0) {
                B[carom_layout_index(layout, first + i, first + j)] += entry;
            }
        }
    }
}

/* l->block += sign F . d2x/dq dq of the links, with the forces on them in l->force. */
static void add_bends(const carom_bodies *s, const double *q, double sign) {
    const carom_bodies_links *l = s->links;
    const int n = of_tree(s)->coordinate_count;
    for (int link = 0; link < carom_planar_tree_body_count(l->tree); link++) {
        const double *own = l->force + CAROM_BODIES_OF_BODY * (l->first + link);
        const double F[2] = {sign * own[0], sign * own[1]};
        carom_planar_chain chain;
        carom_links_chain(s, q, link, &chain);
        carom_planar_chain_add_second(&chain, F, n, l->block);
    }
}

/* Rows of G or of H, by the places and in q. */
typedef struct rows {
    int count;
    carom_mechanism_pattern places;
    carom_mechanism_pattern own;
    void (*jacobian)(const double *x, double *G, void *context);
    void (*rate)(const double *x, const double *w, double *D, void *context);
} rows;

static rows normal_rows(const carom_bodies *s) {
    const carom_mechanism *m = of_places(s);
    return (rows){carom_mechanism_constraint_count(m), m->constraint_pattern,
                  s->links->mechanism.constraint_pattern, m->constraint_jacobian,
                  m->constraint_rate_derivative};
}

static rows tangent_rows(const carom_bodies *s) {
    const carom_mechanism *m = of_places(s);
    return (rows){m->contact_count, m->tangential_pattern, s->links->mechanism.tangential_pattern,
                  m->tangential_jacobian, m->tangential_rate_derivative};
}

/* B += A E of rows of the places in l->rows. */
static void pull_rows(const carom_bodies *s, const rows *r, const double *E, double *B) {
    const carom_bodies_links *l = s->links;
    const carom_mechanism_pattern places = r->places;
    const carom_mechanism_pattern own = r->own;
    for (int row = 0; row < r->count; row++) {
        for (int k = own.start[row]; k < own.start[row + 1]; k++) {
            l->mark[own.column[k]] = k;
        }
        for (int k = places.start[row]; k < places.start[row + 1]; k++) {
            const int i = places.column[k];
            for (int e = l->start[i]; e < l->start[i + 1]; e++) {
                B[l->mark[l->column[e]]] += l->rows[k] * E[e];
            }
        }
    }
}

static void form_jacobian(carom_bodies *s, rows r, const double *q, double *G) {
    const carom_bodies_links *l = s->links;
    carom_links_move(s, q, NULL);
    memset(G, 0, (size_t)r.own.start[r.count] * sizeof *G);
    r.jacobian(l->place, l->rows, s);
    pull_rows(s, &r, l->slope, G);
}

/* d(G N v)/dq = d(G w)/dx N + G d(N v)/dq. */
static void form_rates(carom_bodies *s, rows r, const double *q, const double *v, double *D) {
    const carom_bodies_links *l = s->links;
    carom_links_move(s, q, v);
    memset(D, 0, (size_t)r.own.start[r.count] * sizeof *D);
    r.rate(l->place, l->speed, l->rows, s);
    pull_rows(s, &r, l->slope, D);
    r.jacobian(l->place, l->rows, s);
    pull_rows(s, &r, l->rate, D);
}

/* --- dynamics ----------------------------------------------------------------------------------
 */

static void mass(const double *q, double *M, void *context) {
    carom_bodies *s = context;
    carom_links_move(s, q, NULL);
    clear_matrix(s, M);
    of_places(s)->mass(s->links->place, s->links->matrix, s);
    pull_matrix(s, s->links->slope, M);
}

static void mass_derivative(const double *q, const double *a, double *D, void *context) {
    const carom_bodies *s = context;
    const int first = s->links->first_coordinate;
    const carom_mechanism *tree = of_tree(s);
    clear_matrix(s, D);
    tree->mass_derivative(q + first, a + first, s->links->block, tree->context);
    add_block(s, D);
}

/* On the places, at those that l has. */
static void force_on_places(double t, carom_bodies *s) {
    const carom_bodies_links *l = s->links;
    of_places(s)->force(t, l->place, l->speed, l->force, s);
}

static void force(double t, const double *q, const double *v, double *f, void *context) {
    carom_bodies *s = context;
    const carom_bodies_links *l = s->links;
    const carom_mechanism *tree = of_tree(s);
    const int first = l->first_coordinate;
    carom_links_move(s, q, v);
    force_on_places(t, s);
    memset(f, 0, (size_t)l->mechanism.coordinate_count * sizeof *f);
    tree->force(t, q + first, v + first, f + first, tree->context);
    for (int i = 0; i < l->place_count; i++) {
        for (int e = l->start[i]; e < l->start[i + 1]; e++) {
            f[l->column[e]] += l->slope[e] * l->force[i];
        }
    }
}

/* K = N'K N + N'C d(N v)/dq - f . dN/dq, and that of the tree. */
static void stiffness(double t, const double *q, const double *v, double *K, void *context) {
    carom_bodies *s = context;
    const carom_bodies_links *l = s->links;
    const carom_mechanism *tree = of_tree(s);
    carom_links_move(s, q, v);
    clear_matrix(s, K);
    if (s->spring_count > 0) {
        of_places(s)->stiffness(t, l->place, l->speed, l->matrix, s);
        pull_matrix(s, l->slope, K);
        of_places(s)->damping(t, l->place, l->speed, l->matrix, s);
        pull_matrix(s, l->rate, K);
    }
    tree->stiffness(t, q + l->first_coordinate, v + l->first_coordinate, l->block, tree->context);
    force_on_places(t, s);
    add_bends(s, q, -1.0);
    add_block(s, K);
}

static void damping(double t, const double *q, const double *v, double *C, void *context) {
    carom_bodies *s = context;
    const carom_bodies_links *l = s->links;
    const carom_mechanism *tree = of_tree(s);
    carom_links_move(s, q, v);
    clear_matrix(s, C);
    if (s->spring_count > 0) {
        of_places(s)->damping(t, l->place, l->speed, l->matrix, s);
        pull_matrix(s, l->slope, C);
    }
    tree->damping(t, q + l->first_coordinate, v + l->first_coordinate, l->block, tree->context);
    add_block(s, C);
}

static double potential_energy(const double *q, void *context) {
    carom_bodies *s = context;
    return of_places(s)->potential_energy(carom_bodies_places(s, q), s);
}

/* --- constraints -------------------------------------------------------------------------------
 */

static void constraints(const double *q, double *g, void *context) {
    carom_bodies *s = context;
    of_places(s)->constraints(carom_bodies_places(s, q), g, s);
}

static void constraint_jacobian(const double *q, double *G, void *context) {
    form_jacobian(context, normal_rows(context), q, G);
}

static void constraint_rate_derivative(const double *q, const double *v, double *D, void *context) {
    form_rates(context, normal_rows(context), q, v, D);
}

static void tangential_jacobian(const double *q, double *H, void *context) {
    form_jacobian(context, tangent_rows(context), q, H);
}

static void tangential_rate_derivative(const double *q, const double *v, double *D, void *context) {
    form_rates(context, tangent_rows(context), q, v, D);
}

/* d(N'G'lambda)/dq = N'd(G'lambda)/dx N + (G'lambda) . dN/dq. */
static void constraint_force_derivative(const double *q, const double *lambda, double *D,
                                        void *context) {
    carom_bodies *s = context;
    const carom_bodies_links *l = s->links;
    const int n = of_tree(s)->coordinate_count;
    carom_links_move(s, q, NULL);
    clear_matrix(s, D);
    of_places(s)->constraint_force_derivative(l->place, lambda, l->matrix, s);
    pull_matrix(s, l->slope, D);
    of_places(s)->constraint_jacobian(l->place, l->rows, s);
    memset(l->force, 0, (size_t)l->place_count * sizeof *l->force);
    for (int row = 0; row < carom_mechanism_constraint_count(of_places(s)); row++) {
        for (int k = s->start[row]; k < s->start[row + 1]; k++) {
            l->force[s->column[k]] += lambda[row] * l->rows[k];
        }
    }
    memset(l->block, 0, (size_t)n * (size_t)n * sizeof *l->block);
    add_bends(s, q, 1.0);
    add_block(s, D);
}

static carom_status update_contacts(double t, double h, const double *q, const double *v,
                                    int *previous, carom_report *report, void *context) {
    carom_bodies *s = context;
    carom_links_move(s, q, v);
    return carom_bodies_update_contacts(t, h, s->links->place, v != NULL ? s->links->speed : NULL,
                                        previous, report, s);
}

/* --- the mechanism -----------------------------------------------------------------------------
 */

/* First and last coordinate that move a body; of the ground none. */
static void widen(const carom_bodies *s, int body, int *least, int *largest) {
    const carom_bodies_links *l = s->links;
    if (body < 0) {
        return;
    }
    const int begin = l->start[CAROM_BODIES_OF_BODY * body];
    const int end = l->start[CAROM_BODIES_OF_BODY * (body + 1)];
    for (int e = begin; e < end; e++) {
        *least = l->column[e] < *least ? l->column[e] : *least;
        *largest = l->column[e] > *largest ? l->column[e] : *largest;
    }
}

/* How many places apart the coordinates of two bodies are at most. */
static int reach_of(const carom_bodies *s, int first, int second) {
    int least = s->links->mechanism.coordinate_count;
    int largest = 0;
    widen(s, first, &least, &largest);
    widen(s, second, &least, &largest);
    return largest > least ? largest - least : 0;
}

/* As wide as what the chain of a link couples, a spring, and a joint where the places have it. */
static carom_layout layout_of(const carom_bodies *s) {
    int half = 0;
    for (int k = s->links->first; k < s->body_count; k++) {
        const int reach = reach_of(s, k, k);
        half = reach > half ? reach : half;
    }
    for (int k = 0; k < s->spring_count; k++) {
        const int reach = reach_of(s, s->springs[k].first, s->springs[k].second);
        half = reach > half ? reach : half;
    }
    for (int k = 0; k < s->joint_count && carom_bodies_has_curvature(s); k++) {
        const int reach = reach_of(s, s->joints[k].first, s->joints[k].second);
        half = reach > half ? reach : half;
    }
    return carom_layout_banded(s->links->mechanism.coordinate_count, half);
}

/* Of each free body, of the tree, of each pad. */
static char *list_units(const carom_bodies *s, const char *of_body, const char *of_tree,
                        const char *length, const char *angle) {
    const carom_bodies_links *l = s->links;
    const int parts = l->first + 1 + s->pad_count;
    const size_t size = (size_t)parts * (strlen(of_body) + 2) + strlen(of_tree) + 1;
    char *list = calloc(size, 1);
    size_t end = 0;
    for (int k = 0; list != NULL && k < parts; k++) {
        const carom_bodies_joint *joint =
            k > l->first ? &s->joints[s->pad_joint[k - l->first - 1]] : NULL;
        const char *part = k < l->first                           ? of_body
                           : k == l->first                        ? of_tree
                           : joint->kind == CAROM_BODIES_REVOLUTE ? angle
                                                                  : length;
        const int added = snprintf(list + end, size - end, "%s%s", k > 0 ? ", " : "", part);
        end += added > 0 ? (size_t)added : 0;
    }
    return list;
}

carom_status carom_links_fill_mechanism(carom_bodies *s) {
    carom_bodies_links *l = s->links;
    carom_mechanism *m = &l->mechanism;
    const int n = m->coordinate_count;
    const carom_layout layout = layout_of(s);
    l->position_units = list_units(s, "m, m, rad", of_tree(s)->position_units, "m", "rad");
    l->velocity_units =
        list_units(s, "m s-1, m s-1, rad s-1", of_tree(s)->velocity_units, "m s-1", "rad s-1");
    l->matrix = calloc(carom_layout_entry_count(of_places(s)->layout), sizeof *l->matrix);
    if (l->position_units == NULL || l->velocity_units == NULL || l->matrix == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    *m = *of_places(s); /* counts, coefficients, and what is of time alone */
    m->coordinate_count = n;
    m->layout = layout;
    m->position_units = l->position_units;
    m->velocity_units = l->velocity_units;
    m->mass = mass;
    m->mass_derivative = mass_derivative;
    m->force = force;
    m->stiffness = stiffness;
    m->damping = damping;
    m->potential_energy = potential_energy;
    if (carom_mechanism_constraint_count(m) > 0) {
        m->constraint_pattern = (carom_mechanism_pattern){l->row_start, l->row_column};
        m->constraints = constraints;
        m->constraint_jacobian = constraint_jacobian;
        m->constraint_rate_derivative = constraint_rate_derivative;
        m->constraint_force_derivative =
            m->constraint_force_derivative != NULL ? constraint_force_derivative : NULL;
    }
    if (m->contact_count > 0) {
        m->tangential_pattern = (carom_mechanism_pattern){l->tangent_start, l->tangent_column};
        m->tangential_jacobian = tangential_jacobian;
        m->tangential_rate_derivative = tangential_rate_derivative;
    }
    if (m->update_contacts != NULL) {
        m->update_contacts = update_contacts;
        m->contact_entry_count = l->row_room;
    }
    return CAROM_OK;
}
