/**
 * differential_inclusion: what the set-valued laws of impact rest on (halm-2023 figures 2 and 3,
 * sections 2.1, 2.2.2 and 3.3, equations (3)-(5), (36), (39)-(42)).
 *
 *     v' in -Unit(v);      M dv/ds in J_n' - mu J_t' Unit(J_t v)
 *
 * Four small systems: a point that slides to rest (figure 2), one contact in the plane whose path
 * slides and then sticks (figure 3), a uniform rod whose end reverses its slip or jams, and the
 * corner of a cuboid in space. Increments of impulse are compared with the inclusion for steps
 * h -> 0, polyhedral friction cones with the round one. Printed in the paper: (5), the system of
 * (42). From the authors' programs: both starts of figure 2, rays and path of figure 3. Chosen: rod
 * (specification 4.4), cuboid, block with less friction than its corners need to stick.
 */
#include "differential_inclusion/differential_inclusion.h"

/* --- what the parts share -------------------------------------------------------------------- */

void differential_inclusion_columns(const results *r, const char *group, const char *index,
                                    int count, const carom_column *columns, int column_count) {
    carom_record to = carom_record_group(r->record, "%s", group);
    carom_record_index_axis(&to, index, count, index);
    carom_record_columns(&to, index, NULL, columns, column_count);
}

/* --- figure 2: the set-valued direction Unit, and v' in -Unit(v) ------------------------------ */

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

/** One value of Unit in one dimension, and the interval at zero. */
static double unit(double v) {
    return v > 0.0 ? 1.0 : -1.0;
}

/** The graph: both constants and the interval between them. */
static void write_graph(const results *r) {
    const double x[] = {-REACH, 0.0, 0.0, REACH};
    const double y[] = {unit(-REACH), -1.0, 1.0, unit(REACH)};
    const carom_column columns[] = {{"v", x, "1", "argument"}, {"unit", y, "1", "values of Unit"}};
    differential_inclusion_columns(r, "/unit/graph", "corner", 4, columns, 2);
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
    differential_inclusion_columns(r, "/unit/field", "cell", FIELD, columns, 4);
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
    differential_inclusion_columns(r, from->group, "point", TIMES, columns, 3);
    return CAROM_OK;
}

/** Figure 2: the graph of Unit, the field of -Unit and two solutions. */
static carom_status write_unit(const results *r) {
    double error = 0.0;
    write_graph(r);
    write_field(r);
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
        CAROM_TRY(write_solution(r, starts + i, &error));
    }
    carom_record_scalar(r->record, "/unit/error", error, "1",
                        "largest deviation of both solutions from (5)");
    return CAROM_OK;
}

/* --- the program ------------------------------------------------------------------------------ */

static carom_status body(carom_record *record, const carom_common_options *common, void *context,
                         carom_report *report) {
    const results r = {context, common, record, report};
    CAROM_TRY(write_unit(&r));
    CAROM_TRY(differential_inclusion_write_contact(&r));
    CAROM_TRY(differential_inclusion_write_paths(&r));
    return differential_inclusion_write_facets(&r);
}

/** The parameters, as the command line sets them. */
static const carom_option options[] = {
    CAROM_REAL("mass", settings, mass, "kg", "mass of the rod", "positive"),
    CAROM_REAL("length", settings, length, "m", "length of the rod", "positive"),
    CAROM_REAL("lean", settings, lean, "deg", "angle between floor and rod, between 0 and 180",
               "(0, 180)"),
    CAROM_REAL("friction", settings, friction, "1", "coefficient of friction mu of the rod's end",
               "not negative"),
    CAROM_REAL("closing-velocity", settings, closing_speed, "m s-1",
               "speed with which the rod's end strikes", "positive"),
    CAROM_REAL("tangential-velocity", settings, tangential_velocity, "m s-1",
               "velocity with which it slides", "any"),
    CAROM_REAL("jam-friction", settings, jam_friction, "1",
               "friction of the rod that does not strike but jams", "not negative"),
    CAROM_REAL("jam-velocity", settings, jam_velocity, "m s-1",
               "velocity with which that one slides", "any"),
    CAROM_INTEGER("decades", settings, decades, "1",
                  "decimal exponent of the largest number of increments", "[1, 6]"),
    CAROM_REAL("block-friction", settings, block_friction, "1",
               "friction of the block of the random paths", "not negative"),
    CAROM_INTEGER("paths", settings, paths, "1", "random paths of the block", "[1, 100000]"),
    CAROM_REAL("scale", settings, scale, "1", "factor that multiplies velocities and impulses",
               "positive"),
    CAROM_REAL("space-friction", settings, space_friction, "1",
               "friction of the cuboid's corner in space", "positive"),
    CAROM_REAL("space-speed", settings, space_speed, "m s-1",
               "speed with which that corner slides; it strikes with 1 m/s", "positive"),
    CAROM_INTEGER("directions", settings, directions, "1", "directions of its sliding",
                  "[1, 100000]"),
    CAROM_INTEGER("largest-facets", settings, largest_facets, "1",
                  "most directions of a polyhedral cone; 4 and its doubles up to this, at most 128",
                  "[4, 128]"),
    CAROM_INTEGER("space-increments", settings, space_increments, "1",
                  "increments of an impact in space", "[1, 100000]"),
};

static const carom_table_column columns[] = {
    {.head = "facets", .expression = "count"},
    {.head = "mean error", .expression = "mean"},
    {.head = "largest error", .expression = "largest"},
    {.head = "with coarse increments", .expression = "coarse"},
};

static const carom_table tables[] = {
    {.groups = "/facets", CAROM_COLUMNS(columns)},
};

int main(int argc, char **argv) {
    settings v = {
        .mass = 1.0,
        .length = 2.0,
        .lean = 50.0,
        .friction = 0.25,
        .closing_speed = 1.0,
        .tangential_velocity = 0.3,
        .jam_friction = 2.1,
        .jam_velocity = -0.3,
        .decades = 4,
        .block_friction = 0.2,
        .paths = 256,
        .scale = 2.385,
        .space_friction = 0.3,
        .space_speed = 1.5,
        .directions = 36,
        .largest_facets = 64,
        .space_increments = 256,
    };
    const carom_program program = {
        .name = "differential_inclusion",
        .title = "Differential inclusions of friction and impact, and what increments make of them",
        .source = "halm-2023",
        .schema = "differential_inclusion 1",
        .options = CAROM_OPTIONS(options),
        CAROM_TABLES(tables),
    };
    return carom_experiment_main(&program, argc, argv, NULL, body, &v);
}
