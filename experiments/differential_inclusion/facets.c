/** Polyhedral friction cones in space: the corner of a cuboid that strikes while it slides. */
#include "differential_inclusion.h"

#include <carom/base/parallel.h>
#include <carom/impact/contact_modes.h>
#include <carom/impact/impulse_increment.h>

#include <stdlib.h>
#include <string.h>

/** Velocity: centre of mass, angular velocity. Rows of contact space: normal, two tangents. */
enum { COORDINATES = 6, ROWS = 3 };

/** Numbers of facets: 4, 8, ..., 128. */
enum { MOST_COUNTS = 6 };

/** Each impact with all increments and with a quarter of them: what is left of the step. */
enum { LEVELS = 2, COARSER = 4 };

/** Increments allowed for each one expected. */
enum { ROOM = 3 };

/** Points of a drawn exact path, and paths with facets that are drawn. */
enum { DRAWN_POINTS = 65, DRAWN_PATHS = 3 };

/** Direction of the drawn paths, deg: between facets of all small numbers. */
static const double DRAWN_DIRECTION = 30.0;

/** Half sides of the cuboid, m, its centre above the corner that touches; different, so that no
 * direction is distinguished. Mass 1 kg, closing with 1 m/s. */
static const double half_sides[] = {0.5, 1.0, 1.5};
static const double CLOSING_SPEED = 1.0;

/** Everything that an impact needs, and where its error goes. */
typedef struct study {
    const results *r;
    int count;                    /**< numbers of facets */
    int facets[MOST_COUNTS];      /**< ascending */
    carom_impact_problem *corner; /**< v- as for direction zero */
    double *error;                /**< [LEVELS][count][directions] m/s */
} study;

/** Speeds of a corner that slides in a direction, rad. */
static void start(const results *r, double direction, double *c) {
    c[0] = -CLOSING_SPEED;
    c[1] = r->values->space_speed * cos(direction);
    c[2] = r->values->space_speed * sin(direction);
}

/** The corner of the cuboid as an impact problem. */
static carom_status corner_alloc(const results *r, carom_impact_problem **out) {
    const double *a = half_sides;
    double M[COORDINATES * COORDINATES] = {0.0};
    const double v[COORDINATES] = {r->values->space_speed, 0.0, -CLOSING_SPEED};
    for (int j = 0; j < 3; j++) {
        const double b = a[(j + 1) % 3];
        const double c = a[(j + 2) % 3];
        M[j * (COORDINATES + 1)] = 1.0;
        M[(j + 3) * (COORDINATES + 1)] = (b * b + c * c) / 3.0;
    }
    // The corner is at -a from the centre: its velocity is v + omega x (-a).
    const double J_n[] = {0.0, 0.0, 1.0, -a[1], a[0], 0.0};
    const double J_t[] = {1.0, 0.0, 0.0, 0.0, -a[2], a[1], 0.0, 1.0, 0.0, a[2], 0.0, -a[0]};
    return carom_impact_problem_alloc(COORDINATES, 1, 2, M, J_n, J_t, &r->values->space_friction, v,
                                      out, r->report);
}

/** Increments with the cap s/n from speeds c until the corner is not colliding. */
static carom_status run(const study *self, int facets, double cap, int limit, double *c,
                        double *path, int *used, carom_report *report) {
    CAROM_AUTO(carom_impulse_increment) increment = NULL;
    CAROM_AUTO(carom_increment_work) work = NULL;
    CAROM_TRY(carom_impulse_increment_alloc(self->corner, facets, &increment, report));
    CAROM_TRY(carom_increment_work_alloc(increment, &work));
    return carom_impulse_increment_run(increment, &cap, limit, c, path, used, work);
}

/** Item: level, number of facets, direction. */
static carom_status compare(int item, void *context, carom_report *report) {
    const study *self = context;
    const settings *s = self->r->values;
    const int direction = item % s->directions;
    const int kind = item / s->directions % self->count;
    const int level = item / (s->directions * self->count);
    const carom_routh_spatial_contact contact =
        carom_routh_spatial_contact_of_problem(self->corner, 0);
    carom_routh_spatial_path exact;
    double c[ROWS];
    int used = 0;
    start(self->r, 360.0 * DEGREE * direction / s->directions, c);
    CAROM_TRY(carom_routh_resolve_spatial(&contact, c, &exact, report));
    const int n = level == 0 ? s->space_increments : (s->space_increments + COARSER - 1) / COARSER;
    const int last = exact.point_count - 1;
    CAROM_TRY(run(self, self->facets[kind], exact.impulse[last][0] / n, ROOM * (n + 1), c, NULL,
                  &used, report));
    self->error[item] = hypot(c[1] - exact.speed[last][1], c[2] - exact.speed[last][2]);
    return CAROM_OK;
}

/** A point of a drawn path. */
typedef struct point {
    double c[ROWS];
} point;

static const carom_field POINT_FIELDS[] = {
    CAROM_FIELD("x", point, c[1], "m s-1", "first tangential velocity"),
    CAROM_FIELD("y", point, c[2], "m s-1", "second tangential velocity"),
};

static void write_points(carom_record *group, const point *points, int count) {
    carom_record_index_axis(group, "point", count, "point");
    carom_record_rows(group, "point", points, count, sizeof *points, POINT_FIELDS,
                      COUNT(POINT_FIELDS));
}

/** The exact curve: sliding does not know v_n, so that a smaller closing speed ends it earlier. */
static carom_status write_exact(const results *r, const carom_impact_problem *corner,
                                double *length) {
    const carom_routh_spatial_contact contact = carom_routh_spatial_contact_of_problem(corner, 0);
    point points[DRAWN_POINTS];
    double c[ROWS];
    carom_routh_spatial_path path;
    start(r, DRAWN_DIRECTION * DEGREE, c);
    for (int i = 0; i < DRAWN_POINTS; i++) {
        c[0] = -CLOSING_SPEED * i / (DRAWN_POINTS - 1);
        CAROM_TRY(carom_routh_resolve_spatial(&contact, c, &path, r->report));
        memcpy(points[i].c, path.speed[path.point_count - 1], sizeof points[i].c);
    }
    *length = path.impulse[path.point_count - 1][0];
    const double *end = points[DRAWN_POINTS - 1].c;
    carom_record group = carom_record_group(r->record, "/facets/exact");
    carom_record_scalar(&group, "turn", atan2(end[2], end[1]) / DEGREE - DRAWN_DIRECTION, "deg",
                        "by which the direction of sliding turns");
    write_points(&group, points, DRAWN_POINTS);
    return CAROM_OK;
}

/** One path with facets. */
static carom_status write_drawn(const study *self, int facets, double length) {
    const int n = self->r->values->space_increments;
    const int limit = ROOM * (n + 1);
    CAROM_AUTO_MEMORY point *points = calloc((size_t)limit + 1, sizeof *points);
    if (points == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    double c[ROWS];
    int used = 0;
    start(self->r, DRAWN_DIRECTION * DEGREE, c);
    CAROM_TRY(run(self, facets, length / n, limit, c, points[0].c, &used, self->r->report));
    carom_record group = carom_record_group(self->r->record, "/facets/path_%d", facets);
    write_points(&group, points, used + 1);
    return CAROM_OK;
}

/** Errors of a polyhedral cone over all directions. */
typedef struct cone_row {
    double count;
    double largest;
    double mean;
    double coarse;
} cone_row;

static const carom_field CONE_FIELDS[] = {
    CAROM_FIELD("count", cone_row, count, "1", "directions k of the polyhedral cone"),
    CAROM_FIELD("largest", cone_row, largest, "m s-1",
                "largest deviation of the tangential velocity after the impact"),
    CAROM_FIELD("mean", cone_row, mean, "m s-1", "mean deviation of all directions"),
    CAROM_FIELD("coarse", cone_row, coarse, "m s-1",
                "largest deviation with a quarter of the increments"),
};

/** Largest and mean error over the directions for each number of facets. */
static void write_errors(const study *self) {
    const int directions = self->r->values->directions;
    cone_row rows[MOST_COUNTS];
    for (int k = 0; k < self->count; k++) {
        const double *error = self->error + k * directions;
        const double *coarse = error + self->count * directions;
        rows[k] = (cone_row){.count = self->facets[k]};
        for (int i = 0; i < directions; i++) {
            rows[k].largest = fmax(rows[k].largest, error[i]);
            rows[k].coarse = fmax(rows[k].coarse, coarse[i]);
            rows[k].mean += error[i] / directions;
        }
    }
    carom_record group = carom_record_group(self->r->record, "/facets");
    carom_record_rows(&group, "count", rows, self->count, sizeof *rows, CONE_FIELDS,
                      COUNT(CONE_FIELDS));
}

carom_status differential_inclusion_write_facets(const results *r) {
    study self = {.r = r};
    int facets = CAROM_FRICTION_FEWEST_FACETS;
    do {
        self.facets[self.count++] = facets;
        facets *= 2;
    } while (facets <= r->values->largest_facets);
    const int items = LEVELS * self.count * r->values->directions;
    CAROM_AUTO(carom_impact_problem) corner = NULL;
    CAROM_AUTO_MEMORY double *error = calloc((size_t)items, sizeof *error);
    if (error == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_TRY(corner_alloc(r, &corner));
    self.corner = corner;
    self.error = error;
    double length = 0.0;
    CAROM_TRY(carom_parallel_map(r->common->workers, items, compare, &self,
                                 CAROM_PARALLEL_ROWS(error, items), r->report));
    write_errors(&self);
    CAROM_TRY(write_exact(r, self.corner, &length));
    for (int k = 0; k < DRAWN_PATHS && k < self.count; k++) {
        CAROM_TRY(write_drawn(&self, self.facets[k], length));
    }
    return CAROM_OK;
}
