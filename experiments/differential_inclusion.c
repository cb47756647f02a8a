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
#include "differential_inclusion/results.h"

#include <stdio.h>

carom_status rod_alloc(const results *r, double friction, double v_n, double v_t,
                       carom_impact_problem **out) {
    const settings *s = r->values;
    const double angle = s->lean * DEGREE;
    const double half = 0.5 * s->length;
    const double inertia = s->mass * half * half / 3.0;
    const double M[] = {s->mass, 0.0, 0.0, 0.0, s->mass, 0.0, 0.0, 0.0, inertia};
    // The end that touches is at -half (cos, sin) from the centre of mass; the rod does not turn.
    const double J_n[] = {0.0, 1.0, -half * cos(angle)};
    const double J_t[] = {1.0, 0.0, half * sin(angle)};
    const double v[] = {v_t, v_n, 0.0};
    return carom_impact_problem_alloc(3, 1, 1, M, J_n, J_t, &friction, v, out, r->report);
}

void write_columns(const results *r, const char *group, const char *index, int count,
                   const carom_column *columns, int column_count) {
    carom_record to = carom_record_group(r->record, "%s", group);
    carom_record_index_axis(&to, index, count, index);
    carom_record_columns(&to, index, NULL, columns, column_count);
}

void write_path(const results *r, const char *group, const carom_routh_path *path) {
    const carom_column columns[] = {
        {"impulse", path->normal_impulse, "N s", "normal impulse s"},
        {"tangential_impulse", path->tangential_impulse, "N s", "tangential impulse"},
        {"normal_velocity", path->normal_speed, "m s-1", "normal velocity of the contact"},
        {"tangential_velocity", path->tangential_speed, "m s-1", "tangential velocity"},
    };
    write_columns(r, group, "corner", path->point_count, columns,
                  (int)(sizeof columns / sizeof columns[0]));
}

static carom_status body(carom_record *record, const carom_common_options *common, void *context,
                         carom_report *report) {
    const results r = {context, common, record, report};
    CAROM_TRY(write_unit(&r));
    CAROM_TRY(write_routh(&r));
    CAROM_TRY(write_increments(&r));
    CAROM_TRY(write_slow(&r));
    CAROM_TRY(write_homogeneity(&r));
    return write_facets(&r);
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
