/** Figure 2: the set-valued direction Unit, and v' in -Unit(v). */
#include "results.h"

#include <stdio.h>

/** The axes of figure 2 reach this far on both sides. */
#define REACH 1.0

/** Cells of the field along an axis: an even number, so that none is at zero. */
enum { CELLS = 12, FIELD = CELLS * CELLS };

/** Points of a drawn solution. */
enum { TIMES = 21 };

/** A solution of figure 2: its start, and the part of |v0| after which it ends. */
typedef struct start {
    const char *group;
    double v[2];
    double part;
} start;

/** From the authors' programs; the first is drawn until 0.3 v0 is left. */
static const start starts[] = {{"/unit/path_1", {-0.4, 0.7}, 0.7},
                               {"/unit/path_2", {0.7, 0.2}, 1.0}};

/** Errors of up to this are rounding of speeds of order one by an integration in many steps. */
static const double ROUNDING = 1e-12;

/** One value of Unit in one dimension, and the interval at zero. */
static double unit(double v) {
    return v > 0.0 ? 1.0 : -1.0;
}

/** The graph: both constants and the interval between them. */
static void write_graph(const results *r) {
    const double x[] = {-REACH, 0.0, 0.0, REACH};
    const double y[] = {unit(-REACH), -1.0, 1.0, unit(REACH)};
    const carom_column columns[] = {{"v", x, "1", "argument"}, {"unit", y, "1", "values of Unit"}};
    write_columns(r, "/unit/graph", "corner", 4, columns, 2);
    // Upper semicontinuity: limits from both sides belong to the value at zero.
    const double left = unit(-1e-300);
    const double right = unit(1e-300);
    carom_record_claim(r->record, "unit_holds_both_limits",
                       left >= y[1] && left <= y[2] && right >= y[1] && right <= y[2],
                       "Unit(0) contains the limits of Unit from both sides");
}

/** The field -v/|v| in the plane. */
static void write_field(const results *r) {
    double x[FIELD];
    double y[FIELD];
    double dx[FIELD];
    double dy[FIELD];
    for (int i = 0; i < FIELD; i++) {
        x[i] = REACH * (2 * (i % CELLS) + 1 - CELLS) / CELLS;
        y[i] = REACH * (2.0 * floor((double)i / CELLS) + 1 - CELLS) / CELLS;
        dx[i] = -x[i] / hypot(x[i], y[i]);
        dy[i] = -y[i] / hypot(x[i], y[i]);
    }
    const carom_column columns[] = {{"x", x, "1", "first entry of v"},
                                    {"y", y, "1", "second entry of v"},
                                    {"dx", dx, "1", "first entry of -Unit(v)"},
                                    {"dy", dy, "1", "second entry of -Unit(v)"}};
    write_columns(r, "/unit/field", "cell", FIELD, columns, 4);
}

/**
 * v(t) by Routh's method in space: for C = 1, mu = 1 the sliding velocity of a contact obeys v' in
 * -Unit(v), and a normal speed -t ends the impact at s = t.
 */
static carom_status follow(const results *r, const double *v0, double t, double *v) {
    const carom_routh_spatial_contact contact = {1.0, {0.0, 0.0}, {1.0, 0.0, 1.0}, 1.0};
    const double c[] = {-t, v0[0], v0[1]};
    carom_routh_spatial_path path;
    CAROM_TRY(carom_routh_resolve_spatial(&contact, c, &path, r->report));
    v[0] = path.speed[path.point_count - 1][1];
    v[1] = path.speed[path.point_count - 1][2];
    return CAROM_OK;
}

/** One solution beside (5); `error` gets its largest deviation. */
static carom_status write_solution(const results *r, const start *from, double *error) {
    double t[TIMES];
    double x[TIMES];
    double y[TIMES];
    const double speed = hypot(from->v[0], from->v[1]);
    for (int i = 0; i < TIMES; i++) {
        double v[2];
        t[i] = from->part * speed * i / (TIMES - 1);
        CAROM_TRY(follow(r, from->v, t[i], v));
        x[i] = v[0];
        y[i] = v[1];
        const double left = fmax(speed - t[i], 0.0) / speed;
        *error = fmax(*error, hypot(x[i] - left * from->v[0], y[i] - left * from->v[1]));
    }
    const carom_column columns[] = {{"time", t, "1", "t"},
                                    {"x", x, "1", "first entry of v"},
                                    {"y", y, "1", "second entry of v"}};
    write_columns(r, from->group, "point", TIMES, columns, 3);
    return CAROM_OK;
}

/** When v comes to rest: the corner of the path of a contact that goes on long enough. */
static carom_status arrival(const results *r, const double *v0, double *time) {
    const carom_routh_spatial_contact contact = {1.0, {0.0, 0.0}, {1.0, 0.0, 1.0}, 1.0};
    const double c[] = {-2.0 * hypot(v0[0], v0[1]), v0[0], v0[1]};
    carom_routh_spatial_path path;
    CAROM_TRY(carom_routh_resolve_spatial(&contact, c, &path, r->report));
    *time = path.impulse[1][0];
    return CAROM_OK;
}

carom_status write_unit(const results *r) {
    double error = 0.0;
    double late = 0.0;
    write_graph(r);
    write_field(r);
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
        double time = 0.0;
        CAROM_TRY(write_solution(r, starts + i, &error));
        CAROM_TRY(arrival(r, starts[i].v, &time));
        late = fmax(late, fabs(time - hypot(starts[i].v[0], starts[i].v[1])));
    }
    carom_record_measure(r->record, "unit_error", error, "1",
                         "largest deviation of both solutions from (5)");
    carom_record_measure(r->record, "unit_arrival_error", late, "1",
                         "largest deviation of the times of arrival from |v0|");
    carom_record_claim(r->record, "unit_solution_is_5", error <= ROUNDING && late <= ROUNDING,
                       "solutions of v' in -Unit(v) are (5): at rest from |v0| on");
    return CAROM_OK;
}
