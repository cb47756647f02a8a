#include <carom/mechanism/bodies/internal.h>

#include <math.h>
#include <string.h>

/* Contacts are kept while their gap is below this part of the smaller shape: more than what a step
 * moves is only a matter of how many rows there are. */
static const double MARGIN = 1.0 / 64.0;

/* Earlier and later hull of a contact. */
static int earlier(const carom_bodies_touch *touch) {
    return touch->hulls[0] < touch->hulls[1] ? touch->hulls[0] : touch->hulls[1];
}

static int later(const carom_bodies_touch *touch) {
    return touch->hulls[0] < touch->hulls[1] ? touch->hulls[1] : touch->hulls[0];
}

/* < 0 if a contact stands before another one: by its hulls, then by its end. */
static int compare(const carom_bodies_touch *a, const carom_bodies_touch *b) {
    const int by_first = earlier(a) - earlier(b);
    const int by_second = later(a) - later(b);
    return by_first != 0 ? by_first : by_second != 0 ? by_second : a->end - b->end;
}

/* --- where the shapes are ----------------------------------------------------------------------
 */

static void fill_box(carom_bodies *s, int i) {
    const carom_bodies_hull *hull = &s->hulls[i];
    double *box = s->boxes + 2 * (size_t)s->axes * (size_t)i;
    for (int axis = 0; axis < s->axes; axis++) {
        box[axis] = (double)INFINITY;
        box[s->axes + axis] = -(double)INFINITY;
    }
    if (hull->is_half_plane) {
        return; /* takes no part: it is asked about every other hull */
    }
    const double further = hull->radius + s->way[i] + MARGIN * hull->size;
    for (int k = 0; k < hull->count; k++) {
        const double *p = hull->point + (size_t)s->axes * (size_t)k;
        for (int axis = 0; axis < s->axes; axis++) {
            box[axis] = fmin(box[axis], p[axis] - further);
            box[s->axes + axis] = fmax(box[s->axes + axis], p[axis] + further);
        }
    }
}

static void move_hull(const carom_bodies *s, carom_bodies_hull *hull, const double *q) {
    if (s->axes == 2) {
        const carom_bodies_frame frame = carom_bodies_frame_of(q, hull->body);
        carom_bodies_move_hull(hull, &frame);
    } else {
        const carom_solid_frame frame = carom_solid_frame_of(q, hull->body);
        carom_solid_move_hull(hull, &frame);
    }
}

/* The fastest point of a hull. */
static double speed_of(const carom_bodies *s, const carom_bodies_hull *hull, const double *v) {
    const double *own = v + (size_t)s->of_body * (size_t)hull->body;
    return s->axes == 2 ? hypot(own[0], own[1]) + fabs(own[2]) * hull->reach
                        : hypot(hypot(own[0], own[1]), own[2]) +
                              hypot(hypot(own[3], own[4]), own[5]) * hull->reach;
}

/* All hulls at q, and how far each of them may come in the step. */
static void place_hulls(carom_bodies *s, double h, const double *q, const double *v) {
    for (int i = 0; i < s->hull_count; i++) {
        carom_bodies_hull *hull = &s->hulls[i];
        move_hull(s, hull, q);
        s->way[i] = hull->body >= 0 && v != NULL ? h * speed_of(s, hull, v) : 0.0;
        fill_box(s, i);
    }
}

/* --- pairs -------------------------------------------------------------------------------------
 */

/* Whether two bodies may touch: not one body, not the ground and itself, not what a joint keeps
 * apart. */
static bool may_touch(const carom_bodies *s, int a, int b) {
    a = carom_bodies_rigid(s, a);
    b = carom_bodies_rigid(s, b);
    const int low = a < b ? a : b;
    const int high = a < b ? b : a;
    if (low == high || (carom_bodies_is_still(s, a) && carom_bodies_is_still(s, b))) {
        return false;
    }
    int begin = 0;
    int end = s->excluded_count;
    while (begin < end) {
        const int middle = begin + (end - begin) / 2;
        const int *pair = s->excluded[middle];
        if (pair[0] == low && pair[1] == high) {
            return false;
        }
        if (pair[0] < low || (pair[0] == low && pair[1] < high)) {
            begin = middle + 1;
        } else {
            end = middle;
        }
    }
    return true;
}

/* Append what of two hulls is near enough. @return false if there is no room, or if theirs is not
 * computed */
static bool add_pair(carom_bodies *s, int first, int second, const double *q) {
    const carom_bodies_hull *a = &s->hulls[first];
    const carom_bodies_hull *b = &s->hulls[second];
    if ((a->is_half_plane && b->is_half_plane) || !may_touch(s, a->body, b->body)) {
        return true;
    }
    carom_bodies_touch found[CAROM_BODIES_MOST_TOUCHES];
    const int count = s->axes == 2 ? carom_bodies_find_touches(s->hulls, first, second, found)
                                   : carom_solid_find_touches(s->hulls, first, second, found);
    const double smaller = a->is_half_plane    ? b->size
                           : b->is_half_plane  ? a->size
                           : a->size < b->size ? a->size
                                               : b->size;
    const double near = MARGIN * smaller + s->way[first] + s->way[second];
    if (count < 0 && !carom_solid_are_apart(a, b, near)) {
        s->uncomputed[0] = first;
        s->uncomputed[1] = second;
        return false;
    }
    for (int k = 0; k < count; k++) {
        const double gap = s->axes == 2 ? carom_bodies_span_at(&found[k], q).gap
                                        : carom_solid_settle(&found[k], q);
        if (!(gap <= near)) {
            continue;
        }
        if (s->contact_count == s->capacity) {
            return false;
        }
        s->touches[s->contact_count++] = found[k];
    }
    return true;
}

/* All pairs in the order of their hulls: what the boxes found, and between them the half planes. */
static bool add_pairs(carom_bodies *s, const double *q, int pair_count, const int (*pairs)[2]) {
    int next = 0;
    for (int i = 0; i < s->hull_count; i++) {
        int plane = 0; /* of the list of half planes */
        for (int j = i + 1; s->hulls[i].is_half_plane && j < s->hull_count; j++) {
            if (!add_pair(s, i, j, q)) {
                return false;
            }
        }
        while (!s->hulls[i].is_half_plane) {
            while (plane < s->plane_count && s->planes[plane] <= i) {
                plane++;
            }
            const int with =
                next < pair_count && pairs[next][0] == i ? pairs[next][1] : s->hull_count;
            const int against = plane < s->plane_count ? s->planes[plane] : s->hull_count;
            const int partner = with < against ? with : against;
            if (partner == s->hull_count) {
                break;
            }
            next += partner == with ? 1 : 0;
            plane += partner == against ? 1 : 0;
            if (!add_pair(s, i, partner, q)) {
                return false;
            }
        }
    }
    return true;
}

/* --- rows --------------------------------------------------------------------------------------
 */

/* Rows of the same contacts before: both lists are in order. */
static void find_previous(const carom_bodies *s, int *previous) {
    int k = 0;
    for (int j = 0; j < s->limit_count; j++) {
        *previous++ = j;
    }
    for (int j = 0; j < s->capacity; j++) {
        previous[j] = -1;
        while (j < s->contact_count && k < s->last_count &&
               compare(&s->last[k], &s->touches[j]) < 0) {
            k++;
        }
        if (j < s->contact_count && k < s->last_count &&
            compare(&s->last[k], &s->touches[j]) == 0) {
            previous[j] = s->limit_count + k;
        }
    }
}

static void append_columns(int *start, int *column, int row, int count, const int *columns) {
    memcpy(column + start[row], columns, (size_t)count * sizeof *column);
    start[row + 1] = start[row] + count;
}

void carom_bodies_fill_patterns(carom_bodies *s) {
    int row = 0;
    int columns[CAROM_SOLID_OF_PAIR];
    for (int k = 0; k < s->joint_count; k++) {
        const int bodies[2] = {s->joints[k].first, s->joints[k].second};
        const int count = carom_bodies_row_columns(bodies, s->of_body, columns);
        for (int i = 0; i < carom_bodies_joint_rows(&s->joints[k]); i++) {
            append_columns(s->start, s->column, row++, count, columns);
        }
    }
    int tangent = 0;
    for (int j = 0; j < s->limit_count; j++) {
        const carom_bodies_limit *limit = &s->limits[j];
        const carom_bodies_joint *joint = &s->joints[limit->joint];
        int count = carom_bodies_limit_columns(joint, limit, columns);
        append_columns(s->start, s->column, row++, count, columns);
        count = carom_bodies_limit_tangent_columns(joint, limit, columns);
        append_columns(s->tangent_start, s->tangent_column, tangent++, count, columns);
    }
    for (int j = 0; j < s->capacity; j++) {
        const bool is_there = j < s->contact_count;
        const int count =
            is_there ? carom_bodies_row_columns(s->touches[j].bodies, s->of_body, columns) : 0;
        append_columns(s->start, s->column, row++, count, columns);
        for (int i = 1; i < s->axes; i++) {
            append_columns(s->tangent_start, s->tangent_column, tangent++, count, columns);
        }
    }
    if (s->links != NULL) {
        carom_links_fill_patterns(s);
    }
}

/* Lengths in its gap, beside the places of the bodies. */
static double size_of(const carom_bodies_touch *touch) {
    double size = fabs(touch->offset) + touch->radii[0] + touch->radii[1];
    for (int k = 0; k < 3; k++) {
        size += fabs(touch->point[k]) + fabs(touch->other[k]);
    }
    return size;
}

carom_status carom_bodies_update_contacts(double t, double h, const double *q, const double *v,
                                          int *previous, carom_report *report, void *context) {
    carom_bodies *s = context;
    carom_bodies_touch *before = s->touches;
    s->touches = s->last;
    s->last = before;
    s->last_count = s->contact_count;
    s->contact_count = 0;
    s->uncomputed[0] = -1;
    place_hulls(s, h, q, v);
    int pair_count = 0;
    const int(*pairs)[2] = NULL;
    CAROM_TRY(carom_box_pairs_find(s->pairs, s->boxes, &pair_count, &pairs));
    if (!add_pairs(s, q, pair_count, pairs)) {
        s->contact_count = 0;
        carom_bodies_fill_patterns(s);
        if (s->uncomputed[0] >= 0) {
            return carom_report_say(report, CAROM_STATUS_UNSUPPORTED,
                                    "mechanism '%s': solids %d and %d come near each other at t = "
                                    "%g s, and contacts of such are not computed",
                                    s->name, s->uncomputed[0], s->uncomputed[1], t);
        }
        return carom_report_say(report, CAROM_STATUS_OUT_OF_RANGE,
                                "mechanism '%s': more than %d contacts at t = %g s", s->name,
                                s->capacity, t);
    }
    for (int j = 0; j < s->contact_count; j++) {
        s->friction[s->limit_count + j] = s->touches[j].friction;
        s->restitution[s->limit_count + j] = s->touches[j].restitution;
        s->sizes[s->joint_rows + s->limit_count + j] = size_of(&s->touches[j]);
    }
    carom_bodies_fill_patterns(s);
    if (previous != NULL) {
        find_previous(s, previous);
    }
    return CAROM_OK;
}

/* --- what there is -----------------------------------------------------------------------------
 */

int carom_bodies_contact_count(const carom_bodies *bodies) {
    return bodies->contact_count;
}

bool carom_bodies_uncomputed(const carom_bodies *bodies, int solids[2]) {
    solids[0] = bodies->uncomputed[0];
    solids[1] = bodies->uncomputed[1];
    return bodies->uncomputed[0] >= 0;
}

/* Gap, normal, and the second point, which is a radius behind the surface. */
static void locate(const carom_bodies *s, const carom_bodies_touch *touch, const double *q,
                   carom_bodies_contact *contact) {
    if (s->axes == 2) {
        const carom_bodies_span span = carom_bodies_span_at(touch, q);
        const carom_bodies_frame frame = carom_bodies_frame_of(q, touch->bodies[1]);
        contact->gap = span.gap;
        memcpy(contact->normal, span.normal, sizeof span.normal);
        contact->point[0] = frame.place[0] + span.other[0];
        contact->point[1] = frame.place[1] + span.other[1];
        return;
    }
    const carom_solid_span span = carom_solid_span_at(touch, q);
    contact->gap = span.gap;
    memcpy(contact->normal, span.directions[0], sizeof contact->normal);
    for (int k = 0; k < 3; k++) {
        contact->point[k] = span.frames[1].place[k] + span.second[k];
    }
}

/* At the places of the bodies. */
static carom_bodies_contact contact_of(const carom_bodies *bodies, const double *x, int index) {
    const carom_bodies_touch *touch = &bodies->touches[index];
    carom_bodies_contact contact = {
        .first = earlier(touch),
        .second = later(touch),
        .end = touch->end,
        .friction = touch->friction,
        .restitution = touch->restitution,
    };
    locate(bodies, touch, x, &contact);
    const double back = touch->radii[1] + 0.5 * contact.gap;
    for (int k = 0; k < 3; k++) {
        contact.point[k] -= back * contact.normal[k];
        contact.normal[k] *= touch->hulls[0] < touch->hulls[1] ? 1.0 : -1.0;
    }
    return contact;
}

carom_bodies_contact carom_bodies_contact_at(const carom_bodies *bodies, const double *q,
                                             int index) {
    CAROM_ASSERT(index >= 0 && index < bodies->contact_count);
    return contact_of(bodies, carom_bodies_places(bodies, q), index);
}

carom_status carom_bodies_find_overlap(carom_bodies *bodies, const double *q,
                                       carom_bodies_contact *deepest) {
    CAROM_ASSERT(bodies != NULL && q != NULL && deepest != NULL);
    *deepest = (carom_bodies_contact){.gap = (double)INFINITY};
    const double *x = carom_bodies_places(bodies, q);
    CAROM_TRY(carom_bodies_update_contacts(0.0, 0.0, x, NULL, NULL, NULL, bodies));
    for (int j = 0; j < bodies->contact_count; j++) {
        const carom_bodies_contact contact = contact_of(bodies, x, j);
        if (contact.gap < deepest->gap) {
            *deepest = contact;
        }
    }
    return CAROM_OK;
}
