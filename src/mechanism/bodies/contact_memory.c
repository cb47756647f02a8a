#include <carom/mechanism/bodies/links.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

carom_bodies *carom_bodies_begin(int axes, const char *name, int body_count, int hull_count) {
    carom_bodies *s = calloc(1, sizeof *s);
    if (s != NULL) {
        (void)snprintf(s->name, sizeof s->name, "%s", name != NULL ? name : "bodies");
        s->axes = axes;
        s->of_body = axes == 2 ? CAROM_BODIES_OF_BODY : CAROM_SOLID_VELOCITIES;
        s->body_count = body_count;
        s->hull_count = hull_count;
    }
    return s;
}

carom_status carom_bodies_alloc_contacts(carom_bodies *s, size_t points) {
    const size_t hulls = (size_t)s->hull_count + 1;
    const size_t touches = (size_t)s->capacity + 1;
    const size_t rows = touches + (size_t)s->limit_count;
    const size_t all = (size_t)s->joint_rows + rows;
    const size_t tangents = rows * (size_t)(s->axes - 1);
    const size_t of_pair = 2 * (size_t)s->of_body;
    s->hulls = calloc(hulls, sizeof *s->hulls);
    s->numbers = calloc(4 * (size_t)s->axes * points + 1, sizeof *s->numbers);
    s->touches = calloc(touches, sizeof *s->touches);
    s->last = calloc(touches, sizeof *s->last);
    s->friction = calloc(rows, sizeof *s->friction);
    s->restitution = calloc(rows, sizeof *s->restitution);
    s->sizes = calloc(all, sizeof *s->sizes);
    s->start = calloc(all + 1, sizeof *s->start);
    s->column = calloc(all * of_pair, sizeof *s->column);
    s->tangent_start = calloc(tangents + 1, sizeof *s->tangent_start);
    s->tangent_column = calloc(tangents * of_pair, sizeof *s->tangent_column);
    s->boxes = calloc(2 * (size_t)s->axes * hulls, sizeof *s->boxes);
    s->way = calloc(hulls, sizeof *s->way);
    s->planes = calloc(hulls, sizeof *s->planes);
    const void *const arrays[] = {
        s->hulls,  s->numbers,       s->touches, s->last, s->friction, s->restitution,    s->start,
        s->column, s->tangent_start, s->boxes,   s->way,  s->planes,   s->tangent_column, s->sizes};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) {
        if (arrays[k] == NULL) {
            return CAROM_STATUS_OUT_OF_MEMORY;
        }
    }
    return carom_box_pairs_alloc(s->hull_count, s->axes, &s->pairs);
}

void carom_bodies_give_room(carom_bodies_hull *hull, int axes, size_t points, double **room) {
    const size_t numbers = (size_t)axes * points;
    hull->local = *room;
    hull->local_normal = hull->local + numbers;
    hull->point = hull->local_normal + numbers;
    hull->normal = hull->point + numbers;
    *room = hull->normal + numbers;
}

void carom_bodies_finish_hulls(carom_bodies *s) {
    double friction = 0.0;
    double restitution = 0.0;
    for (int k = 0; k < s->hull_count; k++) {
        const carom_bodies_hull *hull = &s->hulls[k];
        friction = fmax(friction, hull->friction);
        restitution = fmax(restitution, hull->restitution);
        s->far = fmax(s->far, hull->size);
        if (hull->is_half_plane) {
            s->planes[s->plane_count++] = k;
        }
    }
    for (int j = 0; j < s->capacity; j++) {
        s->friction[s->limit_count + j] = friction;
        s->restitution[s->limit_count + j] = restitution;
    }
}

void carom_bodies_free(carom_bodies *bodies) {
    if (bodies == NULL) {
        return;
    }
    void *const arrays[] = {
        bodies->bodies,         bodies->hulls,   bodies->joints,    bodies->springs,
        bodies->numbers,        bodies->touches, bodies->last,      bodies->friction,
        bodies->restitution,    bodies->start,   bodies->column,    bodies->tangent_start,
        bodies->tangent_column, bodies->boxes,   bodies->way,       bodies->planes,
        bodies->excluded,       bodies->limits,  bodies->pad_joint, bodies->masses,
        bodies->rotations,      bodies->sizes};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) {
        free(arrays[k]);
    }
    carom_box_pairs_free(bodies->pairs);
    carom_links_free(bodies->links);
    free(bodies);
}

const carom_mechanism *carom_bodies_mechanism(const carom_bodies *bodies) {
    return bodies->links != NULL ? &bodies->links->mechanism : &bodies->mechanism;
}
