#include <carom/mechanism/bodies/links.h>

#include <stdlib.h>
#include <string.h>

/* --- where links are ---------------------------------------------------------------------------
 */

void carom_links_chain(const carom_bodies *s, const double *q, int link,
                       carom_planar_chain *chain) {
    const carom_bodies_links *l = s->links;
    carom_planar_chain_at(l->tree, q + l->first_coordinate, link, s->bodies[l->first + link].center,
                          chain);
}

/* The three rows of a link, and its place. */
static void move_link(const carom_bodies *s, const double *q, const double *v, int link) {
    carom_bodies_links *l = s->links;
    const int row = CAROM_BODIES_OF_BODY * (l->first + link);
    carom_planar_chain chain;
    carom_links_chain(s, q, link, &chain);
    memcpy(l->place + row, chain.place, sizeof chain.place);
    l->place[row + 2] = chain.angle;
    for (int k = 0; k < chain.count; k++) {
        for (int axis = 0; axis < 2; axis++) {
            l->slope[l->start[row + axis] + k] = chain.derivative[k][axis];
        }
        l->slope[l->start[row + 2] + k] = chain.is_angle[k] ? 1.0 : 0.0;
    }
    if (v == NULL) {
        return;
    }
    double w[CAROM_PLANAR_CHAIN_SIZE];
    double E[CAROM_PLANAR_CHAIN_SIZE][2];
    carom_planar_chain_gather(&chain, v + l->first_coordinate, w);
    carom_planar_chain_differentiate(&chain, w, E);
    for (int k = 0; k < 2 * chain.count; k++) {
        l->rate[l->start[row + k % 2] + k / 2] = E[k / 2][k % 2];
    }
}

void carom_links_move(const carom_bodies *s, const double *q, const double *v) {
    carom_bodies_links *l = s->links;
    const size_t free_numbers = CAROM_BODIES_OF_BODY * (size_t)l->first;
    const size_t pads = (size_t)s->pad_count;
    memcpy(l->place, q, free_numbers * sizeof *q);
    memcpy(l->place + (size_t)l->place_count - pads,
           q + (size_t)l->mechanism.coordinate_count - pads, pads * sizeof *q);
    for (int link = 0; link < carom_planar_tree_body_count(l->tree); link++) {
        move_link(s, q, v, link);
    }
    for (int i = 0; i < l->place_count && v != NULL; i++) {
        l->speed[i] = 0.0;
        for (int e = l->start[i]; e < l->start[i + 1]; e++) {
            l->speed[i] += l->slope[e] * v[l->column[e]];
        }
    }
}

const double *carom_bodies_places(const carom_bodies *bodies, const double *q) {
    if (bodies->links == NULL) {
        return q;
    }
    carom_links_move(bodies, q, NULL);
    return bodies->links->place;
}

int carom_bodies_rigid(const carom_bodies *bodies, int body) {
    const carom_bodies_links *l = bodies->links;
    return l == NULL || body < l->first ? body : l->rigid[body - l->first];
}

bool carom_bodies_is_still(const carom_bodies *bodies, int body) {
    const carom_bodies_links *l = bodies->links;
    return body < 0 || (l != NULL && l->start[CAROM_BODIES_OF_BODY * body] ==
                                         l->start[CAROM_BODIES_OF_BODY * (body + 1)]);
}

/* --- patterns ----------------------------------------------------------------------------------
 */

/* Columns in q of rows by places: those of each place, once and increasing. */
static void fill_pattern(const carom_bodies *s, int rows, const int *place_start,
                         const int *place_column, int *start, int *column) {
    const carom_bodies_links *l = s->links;
    for (int i = 0; i < l->mechanism.coordinate_count; i++) {
        l->mark[i] = -1;
    }
    int end = 0;
    for (int row = 0; row < rows; row++) {
        start[row] = end;
        for (int k = place_start[row]; k < place_start[row + 1]; k++) {
            for (int e = l->start[place_column[k]]; e < l->start[place_column[k] + 1]; e++) {
                if (l->mark[l->column[e]] == row) {
                    continue;
                }
                l->mark[l->column[e]] = row;
                int at = end++;
                for (; at > start[row] && column[at - 1] > l->column[e]; at--) {
                    column[at] = column[at - 1];
                }
                column[at] = l->column[e];
            }
        }
    }
    start[rows] = end;
}

void carom_links_fill_patterns(carom_bodies *s) {
    carom_bodies_links *l = s->links;
    const int contacts = s->limit_count + s->capacity;
    fill_pattern(s, s->joint_rows + contacts, s->start, s->column, l->row_start, l->row_column);
    fill_pattern(s, contacts, s->tangent_start, s->tangent_column, l->tangent_start,
                 l->tangent_column);
}

/* --- memory ------------------------------------------------------------------------------------
 */

/* Coordinates between a link and the ground. */
static int chain_length(const carom_planar_tree *tree, int link) {
    int count = 0;
    for (int i = link; i >= 0; i = carom_planar_tree_body(tree, i)->parent) {
        count += carom_planar_joint_coordinate_count(carom_planar_tree_body(tree, i)->type);
    }
    return count;
}

/* The tree as given, but for gravity and contacts. */
static carom_status copy_tree(const carom_planar_tree *given, carom_planar_tree **out) {
    const carom_planar_tree_spec spec = {.body_count = carom_planar_tree_body_count(given),
                                         .bodies = carom_planar_tree_body(given, 0)};
    return carom_planar_tree_alloc(&spec, out, NULL);
}

/* Rows of dx/dq: one entry of free bodies and pads, of links those of their chains. */
static void fill_map(const carom_bodies *s) {
    carom_bodies_links *l = s->links;
    const int links_end = CAROM_BODIES_OF_BODY * s->body_count;
    int end = 0;
    for (int i = 0; i < l->place_count; i++) {
        const int link = i / CAROM_BODIES_OF_BODY - l->first;
        l->start[i] = end;
        if (link >= 0 && i < links_end) {
            carom_planar_chain chain;
            const double zero[2] = {0.0, 0.0};
            carom_planar_chain_at(l->tree, l->place, link, zero, &chain);
            for (int k = 0; k < chain.count; k++) {
                l->column[end++] = l->first_coordinate + chain.coordinate[k];
            }
        } else {
            const int back = i < links_end ? 0 : l->place_count - l->mechanism.coordinate_count;
            l->slope[end] = 1.0;
            l->column[end++] = i - back;
        }
    }
    l->start[l->place_count] = end;
}

/* Both arrays, divided. */
static carom_status alloc_numbers(const carom_bodies *s, size_t entries) {
    carom_bodies_links *l = s->links;
    const size_t places = (size_t)l->place_count;
    const size_t n = (size_t)l->mechanism.coordinate_count;
    const size_t of_tree = (size_t)carom_planar_tree_mechanism(l->tree)->coordinate_count;
    const size_t contacts = (size_t)s->limit_count + (size_t)s->capacity;
    const size_t rows = (size_t)s->joint_rows + contacts;
    const size_t room = (size_t)l->row_room;
    const size_t links = (size_t)carom_planar_tree_body_count(l->tree);
    l->numbers = calloc(3 * places + 2 * entries + of_tree * of_tree + rows * CAROM_BODIES_OF_PAIR,
                        sizeof *l->numbers);
    l->indices = calloc(places + 1 + entries + rows + 1 + rows * room + contacts + 1 +
                            contacts * room + n + links,
                        sizeof *l->indices);
    if (l->numbers == NULL || l->indices == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    l->slope = l->numbers;
    l->rate = l->slope + entries;
    l->place = l->rate + entries;
    l->speed = l->place + places;
    l->force = l->speed + places;
    l->block = l->force + places;
    l->rows = l->block + of_tree * of_tree;
    l->start = l->indices;
    l->column = l->start + places + 1;
    l->row_start = l->column + entries;
    l->row_column = l->row_start + rows + 1;
    l->tangent_start = l->row_column + rows * room;
    l->tangent_column = l->tangent_start + contacts + 1;
    l->mark = l->tangent_column + contacts * room;
    l->rigid = l->mark + n;
    return CAROM_OK;
}

carom_status carom_links_alloc(const carom_planar_tree *tree, carom_bodies *s) {
    carom_bodies_links *l = calloc(1, sizeof *l);
    if (l == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    s->links = l;
    CAROM_TRY(copy_tree(tree, &l->tree));
    const int links = carom_planar_tree_body_count(tree);
    l->first = s->body_count - links;
    l->first_coordinate = CAROM_BODIES_OF_BODY * l->first;
    l->place_count = CAROM_BODIES_OF_BODY * s->body_count + s->pad_count;
    const carom_mechanism *own = carom_planar_tree_mechanism(l->tree);
    l->mechanism.coordinate_count = l->first_coordinate + own->coordinate_count + s->pad_count;
    int widest = CAROM_BODIES_OF_BODY;
    size_t entries = (size_t)l->first_coordinate + (size_t)s->pad_count;
    for (int link = 0; link < links; link++) {
        const int length = chain_length(l->tree, link);
        widest = length > widest ? length : widest;
        entries += CAROM_BODIES_OF_BODY * (size_t)length;
    }
    l->row_room = 2 * widest;
    CAROM_TRY(alloc_numbers(s, entries));
    fill_map(s);
    for (int link = 0; link < links; link++) {
        const carom_planar_body *body = carom_planar_tree_body(tree, link);
        const bool is_own = body->type != CAROM_PLANAR_FIXED || body->parent < 0;
        l->rigid[link] = is_own ? l->first + link : l->rigid[body->parent];
    }
    return CAROM_OK;
}

void carom_links_free(carom_bodies_links *links) {
    if (links == NULL) {
        return;
    }
    carom_planar_tree_free(links->tree);
    free(links->position_units);
    free(links->velocity_units);
    free(links->matrix);
    free(links->numbers);
    free(links->indices);
    free(links);
}
