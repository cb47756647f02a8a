/** Polyhedral friction cones in space: the corner of a cuboid that strikes while it slides. */
#include "differential_inclusion.h"

#include <carom/base/parallel.h>
#include <carom/impact/contact_modes.h>
#include <carom/impact/impulse_increment.h>

#include <stdio.h>
#include <stdlib.h>

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

/** Velocity before the impact of a corner that slides in a direction, rad. */
static void velocity_of(const results *r, double direction, double *v) {
    const double before[COORDINATES] = {r->values->space_speed * cos(direction),
                                        r->values->space_speed * sin(direction), -CLOSING_SPEED};
    for (int j = 0; j < COORDINATES; j++) {
        v[j] = before[j];
    }
}

/** Speeds of the corner from the velocity: it does not turn before the impact. */
static void speeds_of(const double *v, double *c) {
    c[0] = v[2];
    c[1] = v[0];
    c[2] = v[1];
}

/** The corner of the cuboid as an impact problem. */
static carom_status corner_alloc(const results *r, carom_impact_problem **out) {
    const double *a = half_sides;
    double M[COORDINATES * COORDINATES] = {0.0};
    double v[COORDINATES];
    for (int j = 0; j < 3; j++) {
        const double b = a[(j + 1) % 3];
        const double c = a[(j + 2) % 3];
        M[j * (COORDINATES + 1)] = 1.0;
        M[(j + 3) * (COORDINATES + 1)] = (b * b + c * c) / 3.0;
    }
    // The corner is at -a from the centre: its velocity is v + omega x (-a).
    const double J_n[] = {0.0, 0.0, 1.0, -a[1], a[0], 0.0};
    const double J_t[] = {1.0, 0.0, 0.0, 0.0, -a[2], a[1], 0.0, 1.0, 0.0, a[2], 0.0, -a[0]};
    velocity_of(r, 0.0, v);
    return carom_impact_problem_alloc(COORDINATES, 1, 2, M, J_n, J_t, &r->values->space_friction, v,
                                      out, r->report);
}

/** Increments with the cap s/n from speeds c until the corner is not colliding; every point of the
 * path is kept in `path` [limit+1][3] unless it is NULL. */
static carom_status run(const carom_impact_problem *corner, int facets, double cap, int limit,
                        double *c, double *path, int *used, carom_report *report) {
    CAROM_AUTO(carom_impulse_increment) increment = NULL;
    CAROM_AUTO(carom_increment_work) work = NULL;
    double L[ROWS];
    CAROM_TRY(carom_impulse_increment_alloc(corner, facets, &increment, report));
    CAROM_TRY(carom_increment_work_alloc(increment, &work));
    *used = 0;
    while (carom_impact_is_colliding(corner, c) && *used < limit) {
        CAROM_TRY(carom_impulse_increment_solve(increment, c, &cap, NULL, L, work, NULL));
        carom_impact_add_impulse(corner, L, c, c);
        ++*used;
        for (int i = 0; i < ROWS && path != NULL; i++) {
            path[*used * ROWS + i] = c[i];
        }
    }
    return CAROM_OK;
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
    double v[COORDINATES];
    double c[ROWS];
    int used = 0;
    velocity_of(self->r, 360.0 * DEGREE * direction / s->directions, v);
    speeds_of(v, c);
    CAROM_TRY(carom_routh_resolve_spatial(&contact, c, &exact, report));
    const int n = level == 0 ? s->space_increments : (s->space_increments + COARSER - 1) / COARSER;
    const int last = exact.point_count - 1;
    CAROM_TRY(run(self->corner, self->facets[kind], exact.impulse[last][0] / n, ROOM * (n + 1), c,
                  NULL, &used, report));
    self->error[item] = hypot(c[1] - exact.speed[last][1], c[2] - exact.speed[last][2]);
    return CAROM_OK;
}

/** The exact curve: sliding does not know v_n, so that a smaller closing speed ends it earlier. */
static carom_status write_exact(const results *r, const carom_impact_problem *corner,
                                double *length) {
    const carom_routh_spatial_contact contact = carom_routh_spatial_contact_of_problem(corner, 0);
    double x[DRAWN_POINTS];
    double y[DRAWN_POINTS];
    double v[COORDINATES];
    double c[ROWS];
    carom_routh_spatial_path path;
    velocity_of(r, DRAWN_DIRECTION * DEGREE, v);
    speeds_of(v, c);
    for (int i = 0; i < DRAWN_POINTS; i++) {
        c[0] = -CLOSING_SPEED * i / (DRAWN_POINTS - 1);
        CAROM_TRY(carom_routh_resolve_spatial(&contact, c, &path, r->report));
        x[i] = path.speed[path.point_count - 1][1];
        y[i] = path.speed[path.point_count - 1][2];
    }
    *length = path.impulse[path.point_count - 1][0];
    carom_record_scalar(r->record, "/facets/exact/taylor_steps", path.step_count, "1",
                        "steps of the Taylor series along this curve");
    const double turn = atan2(y[DRAWN_POINTS - 1], x[DRAWN_POINTS - 1]) / DEGREE;
    carom_record_scalar(r->record, "/facets/exact/turn", turn - DRAWN_DIRECTION, "deg",
                        "by which the direction of sliding turns");
    const carom_column columns[] = {{"x", x, "m s-1", "first tangential velocity"},
                                    {"y", y, "m s-1", "second tangential velocity"}};
    differential_inclusion_columns(r, "/facets/exact", "point", DRAWN_POINTS, columns, 2);
    return CAROM_OK;
}

/** One path with facets. */
static carom_status write_drawn(const study *self, int facets, double length) {
    const int n = self->r->values->space_increments;
    const int limit = ROOM * (n + 1);
    CAROM_AUTO_MEMORY double *path = calloc((size_t)(limit + 1) * (ROWS + 2), sizeof *path);
    if (path == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    double *x = path + (size_t)(limit + 1) * ROWS;
    double *y = x + limit + 1;
    double v[COORDINATES];
    double c[ROWS];
    int used = 0;
    velocity_of(self->r, DRAWN_DIRECTION * DEGREE, v);
    speeds_of(v, c);
    speeds_of(v, path);
    CAROM_TRY(run(self->corner, facets, length / n, limit, c, path, &used, self->r->report));
    char group[sizeof "/facets/path_128"];
    for (int i = 0; i <= used; i++) {
        x[i] = path[i * ROWS + 1];
        y[i] = path[i * ROWS + 2];
    }
    snprintf(group, sizeof group, "/facets/path_%d", facets);
    const carom_column columns[] = {{"x", x, "m s-1", "first tangential velocity"},
                                    {"y", y, "m s-1", "second tangential velocity"}};
    differential_inclusion_columns(self->r, group, "point", used + 1, columns, 2);
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
    CAROM_TRY(carom_parallel_map(items, r->common->threads, compare, &self, r->report));
    write_errors(&self);
    CAROM_TRY(write_exact(r, self.corner, &length));
    for (int k = 0; k < DRAWN_PATHS && k < self.count; k++) {
        CAROM_TRY(write_drawn(&self, self.facets[k], length));
    }
    return CAROM_OK;
}
