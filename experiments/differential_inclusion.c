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

#include <carom/impact/impact_inclusion.h>
#include <carom/impact/impulse_increment.h>

#include <string.h>

/** Write GROUP/index and columns over it, of `count` numbers each. */
static void write_columns(const results *r, const char *group, const char *index, int count,
                          const carom_column *columns, int column_count) {
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

/** The graph of Unit: both constants and the interval between them. */
static void write_graph(const results *r) {
    const double x[] = {-REACH, 0.0, 0.0, REACH};
    const double y[] = {-1.0, -1.0, 1.0, 1.0};
    const carom_column columns[] = {{"v", x, "1", "argument"}, {"unit", y, "1", "values of Unit"}};
    write_columns(r, "/unit/graph", "corner", 4, columns, 2);
}

/** A point of the plane of v: of a solution, or of the field. */
typedef struct plane_row {
    double time;
    double v[2];
    double field[2];
} plane_row;

static const carom_field PLANE_FIELDS[] = {
    CAROM_FIELD("time", plane_row, time, "1", "t"),
    CAROM_FIELD("x", plane_row, v[0], "1", "first entry of v"),
    CAROM_FIELD("y", plane_row, v[1], "1", "second entry of v"),
    CAROM_FIELD("dx", plane_row, field[0], "1", "first entry of -Unit(v)"),
    CAROM_FIELD("dy", plane_row, field[1], "1", "second entry of -Unit(v)"),
};

/** The field -v/|v| in the plane. */
static void write_field(const results *r) {
    plane_row rows[FIELD];
    for (int i = 0; i < FIELD; i++) {
        const double x = REACH * (2 * (i % CELLS) + 1 - CELLS) / CELLS;
        const double y = REACH * (2.0 * floor((double)i / CELLS) + 1 - CELLS) / CELLS;
        rows[i] = (plane_row){.v = {x, y}, .field = {-x / hypot(x, y), -y / hypot(x, y)}};
    }
    carom_record group = carom_record_group(r->record, "/unit/field");
    carom_record_index_axis(&group, "cell", FIELD, "cell");
    carom_record_rows(&group, "cell", rows, FIELD, sizeof *rows, PLANE_FIELDS + 1, 4);
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
    plane_row rows[TIMES] = {{0}};
    const double speed = hypot(from->v[0], from->v[1]);
    for (int i = 0; i < TIMES; i++) {
        double *v = rows[i].v;
        const double t = from->part * speed * i / (TIMES - 1);
        rows[i].time = t;
        CAROM_TRY(follow(r, from->v, t, v));
        const double left = fmax(speed - t, 0.0) / speed;
        *error = fmax(*error, hypot(v[0] - left * from->v[0], v[1] - left * from->v[1]));
    }
    carom_record group = carom_record_group(r->record, "%s", from->group);
    carom_record_index_axis(&group, "point", TIMES, "point");
    carom_record_rows(&group, "point", rows, TIMES, sizeof *rows, PLANE_FIELDS, 3);
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

/* --- Routh's paths ---------------------------------------------------------------------------- */

/** The rod as an impact problem in (x, y, angle): its lower end touches; with given friction and
 * speeds of that end. */
static carom_status rod_alloc(const results *r, double friction, double v_n, double v_t,
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

/** Write a path of Routh's impact over its corners. */
static void write_path(const results *r, const char *group, const carom_routh_path *path) {
    const carom_column columns[] = {
        {"impulse", path->normal_impulse, "N s", "normal impulse s"},
        {"normal_velocity", path->normal_speed, "m s-1", "normal velocity of the contact"},
        {"tangential_velocity", path->tangential_speed, "m s-1", "tangential velocity"},
    };
    write_columns(r, group, "corner", path->point_count, columns, COUNT(columns));
}

/** Angles of the extreme rays of figure 3 from the normal axis, and the start of its path: from the
 * authors' programs. */
static const double SLIDING_RAY = 80.0;
static const double OPPOSITE_RAY = 25.0;

/** Length of the opposite ray for a sliding ray of one: mu > 0 needs less than cos 80/cos 25. */
static const double OPPOSITE_LENGTH = 0.1;

/**
 * The contact whose rays C (1, -mu) and C (1, mu) lie at the angles of figure 3; the symmetry of C
 * gives mu.
 */
static carom_routh_contact contact_of_rays(void) {
    const double minus_n = cos(SLIDING_RAY * DEGREE);
    const double minus_t = -sin(SLIDING_RAY * DEGREE);
    const double plus_n = OPPOSITE_LENGTH * cos(OPPOSITE_RAY * DEGREE);
    const double plus_t = OPPOSITE_LENGTH * sin(OPPOSITE_RAY * DEGREE);
    const double mu = (plus_n - minus_n) / (plus_t + minus_t);
    return (carom_routh_contact){.c_nn = 0.5 * (plus_n + minus_n),
                                 .c_nt = 0.5 * (plus_t + minus_t),
                                 .c_tt = 0.5 * (plus_t - minus_t) / mu,
                                 .mu = mu};
}

/** The cone of velocity rates as arrows of length one. */
static void write_rays(const results *r, const char *group, const carom_routh_contact *contact) {
    double normal[2];
    double tangential[2];
    for (int k = 0; k < 2; k++) {
        const double l = k == 0 ? -contact->mu : contact->mu;
        const double n = contact->c_nn + contact->c_nt * l;
        const double t = contact->c_nt + contact->c_tt * l;
        normal[k] = n / hypot(n, t);
        tangential[k] = t / hypot(n, t);
    }
    const carom_column columns[] = {{"normal", normal, "1", "normal entry of the ray"},
                                    {"tangential", tangential, "1", "tangential entry of the ray"}};
    write_columns(r, group, "ray", 2, columns, 2);
}

/** The path of figure 3 from (v_t, v_n) = 2 (sin 80, cos 80) beyond its corner (0, -1). */
static carom_status write_figure_3(const results *r) {
    const carom_routh_contact contact = contact_of_rays();
    const double v_t = 2.0 * sin(SLIDING_RAY * DEGREE);
    const double v_n = -1.0 - 2.0 * cos(SLIDING_RAY * DEGREE);
    carom_routh_path path;
    CAROM_TRY(carom_routh_resolve_planar(&contact, v_n, v_t, &path, r->report));
    write_path(r, "/figure_3", &path);
    write_rays(r, "/figure_3/rays", &contact);
    carom_record_scalar(r->record, "/figure_3/friction", contact.mu, "1",
                        "friction of the contact with these rays");
    return CAROM_OK;
}

/** How far the general solver of the planar inclusion is from the path at its end, m/s. */
static carom_status compare(const results *r, const carom_impact_problem *problem,
                            const carom_routh_path *path, double *deviation) {
    const carom_planar_inclusion_params params = carom_planar_inclusion_params_default();
    CAROM_AUTO(carom_planar_inclusion_path) other = NULL;
    CAROM_TRY(carom_planar_inclusion_run(problem, &params, &other, r->report));
    const int last = path->point_count - 1;
    const double *end = other->speed + (size_t)other->segment_count * (size_t)other->row_count;
    *deviation =
        fmax(hypot(end[0] - path->normal_speed[last], end[1] - path->tangential_speed[last]),
             fabs(other->s[other->segment_count] - path->normal_impulse[last]));
    return CAROM_OK;
}

/** The rod that strikes, and its bound of lemma 2. */
static carom_status write_reversal(const results *r, const carom_impact_problem *problem,
                                   const carom_routh_contact *contact,
                                   const carom_routh_path *path) {
    double deviation = 0.0;
    const double *c = problem->contact_velocity;
    write_path(r, "/reversal", path);
    CAROM_TRY(compare(r, problem, path, &deviation));
    carom_record_scalar(r->record, "/reversal/deviation", deviation, "m s-1",
                        "difference between the inclusion and the closed form");
    const double bound = carom_routh_impulse_bound(contact, c[0], c[1]);
    if (isfinite(bound)) {
        carom_record_scalar(r->record, "/reversal/impulse_bound", bound, "N s",
                            "bound of the normal impulse by lemma 2");
    }
    return CAROM_OK;
}

/** The rod that only slides: friction may jam it. */
static carom_status write_jam(const results *r, carom_record *around) {
    const settings *s = r->values;
    CAROM_AUTO(carom_impact_problem) problem = NULL;
    carom_routh_path path;
    CAROM_TRY(rod_alloc(r, s->jam_friction, 0.0, s->jam_velocity, &problem));
    const carom_routh_contact contact = carom_routh_contact_of_problem(problem, 0);
    CAROM_TRY(carom_routh_resolve_planar(&contact, 0.0, s->jam_velocity, &path, r->report));
    write_path(r, "/jam", &path);
    return differential_inclusion_write_motion(r, problem, &path, around, "jam");
}

/* --- the rod in increments -------------------------------------------------------------------- */

/** Steps of a decade. */
enum { LEVELS_PER_DECADE = 4, MOST_LEVELS = 6 * LEVELS_PER_DECADE + 1 };

/** Increments of the path that is drawn: so few that their corner is seen. */
enum { DRAWN_INCREMENTS = 4, DRAWN_POINTS = 4 * DRAWN_INCREMENTS };

/** Increments allowed for each one expected: a path that is not that of the inclusion may be
 * longer, but not by much. */
enum { ROOM = 3 };

/** An impact in increments. */
typedef struct stepping {
    carom_impulse_increment *increment;
    carom_increment_work *work;
    double longest; /**< s of the exact path, N s */
} stepping;

/** Increments with the cap s/n until the contact is not colliding; c becomes the speeds after. */
static carom_status run(const results *r, const stepping *self, double cap, int limit, double *c,
                        double *path, int *used) {
    const carom_impact_problem *problem = self->increment->problem;
    memcpy(c, problem->contact_velocity, 2 * sizeof *c);
    CAROM_TRY(carom_impulse_increment_run(self->increment, &cap, limit, c, path, used, self->work));
    return carom_impact_is_colliding(problem, c)
               ? carom_report_fail(r->report, CAROM_STATUS_NOT_CONVERGED, "increments", *used, -1)
               : CAROM_OK;
}

/** A point of the path that is drawn. */
typedef struct corner_row {
    double c[2];
} corner_row;

static const carom_field CORNER_FIELDS[] = {
    CAROM_FIELD("normal_velocity", corner_row, c[0], "m s-1", "normal velocity"),
    CAROM_FIELD("tangential_velocity", corner_row, c[1], "m s-1", "tangential velocity"),
};

/** The path of few increments. */
static carom_status write_drawn(const results *r, const stepping *self) {
    corner_row path[DRAWN_POINTS + 1];
    double c[2];
    int used = 0;
    CAROM_TRY(run(r, self, self->longest / DRAWN_INCREMENTS, DRAWN_POINTS, c, path[0].c, &used));
    carom_record group = carom_record_group(r->record, "/increments/drawn");
    carom_record_index_axis(&group, "point", used + 1, "point");
    carom_record_rows(&group, "point", path, used + 1, sizeof *path, CORNER_FIELDS,
                      COUNT(CORNER_FIELDS));
    return CAROM_OK;
}

/** An impact in n increments with the cap s/n. */
typedef struct level {
    double count;
    double tangential_velocity;
    double error;
    double error_bound;
} level;

static const carom_field LEVEL_FIELDS[] = {
    CAROM_FIELD("count", level, count, "1", "number n of increments with the cap s/n"),
    CAROM_FIELD("tangential_velocity", level, tangential_velocity, "m s-1",
                "tangential velocity after the impact"),
    CAROM_FIELD("error", level, error, "m s-1", "its deviation from Routh's"),
    CAROM_FIELD("error_bound", level, error_bound, "m s-1",
                "what the one increment in which sliding ends may change"),
};

/** All numbers of increments. */
static carom_status write_levels(const results *r, const stepping *self,
                                 const carom_routh_contact *contact, const carom_routh_path *path) {
    level levels[MOST_LEVELS];
    const int count = LEVELS_PER_DECADE * r->values->decades + 1;
    for (int k = 0; k < count; k++) {
        double c[2];
        int used = 0;
        const double n = round(pow(10.0, (double)k / LEVELS_PER_DECADE));
        const double cap = self->longest / n;
        CAROM_TRY(run(r, self, cap, ROOM * ((int)n + 1), c, NULL, &used));
        levels[k] = (level){
            .count = n,
            .tangential_velocity = c[1],
            .error = fabs(c[1] - path->tangential_speed[path->point_count - 1]),
            .error_bound = carom_routh_increment_error(contact, path) * cap,
        };
    }
    carom_record group = carom_record_group(r->record, "/increments");
    carom_record_rows(&group, "count", levels, count, sizeof *levels, LEVEL_FIELDS,
                      COUNT(LEVEL_FIELDS));
    return CAROM_OK;
}

/** One increment without a cap: Anitescu and Potra's law. */
static carom_status write_large(const results *r, const carom_impact_problem *problem) {
    CAROM_AUTO(carom_impact_outcomes) outcomes = NULL;
    CAROM_TRY(carom_impact_outcomes_alloc(problem, &outcomes));
    CAROM_TRY(carom_anitescu_potra_all(problem, outcomes, r->report));
    if (outcomes->count == 1) {
        carom_record_scalar(r->record, "/increments/without_cap", outcomes->contact_velocity[1],
                            "m s-1", "tangential velocity after one increment without cap");
    }
    return CAROM_OK;
}

/** The rod's impact in increments: /increments. */
static carom_status write_increments(const results *r, const carom_impact_problem *problem,
                                     const carom_routh_contact *contact,
                                     const carom_routh_path *path) {
    CAROM_AUTO(carom_impulse_increment) increment = NULL;
    CAROM_AUTO(carom_increment_work) work = NULL;
    CAROM_TRY(carom_impulse_increment_alloc(problem, 2, &increment, r->report));
    CAROM_TRY(carom_increment_work_alloc(increment, &work));
    const stepping self = {increment, work, path->normal_impulse[path->point_count - 1]};
    CAROM_TRY(write_drawn(r, &self));
    CAROM_TRY(write_levels(r, &self, contact, path));
    return write_large(r, problem);
}

/** Figure 3, and the rod's impact beside increments. */
static carom_status write_contact(const results *r) {
    const settings *s = r->values;
    CAROM_AUTO(carom_impact_problem) problem = NULL;
    carom_routh_path path;
    CAROM_TRY(write_figure_3(r));
    CAROM_TRY(rod_alloc(r, s->friction, -s->closing_speed, s->tangential_velocity, &problem));
    const carom_routh_contact contact = carom_routh_contact_of_problem(problem, 0);
    const double *c = problem->contact_velocity;
    CAROM_TRY(carom_routh_resolve_planar(&contact, c[0], c[1], &path, r->report));
    CAROM_TRY(write_reversal(r, problem, &contact, &path));
    carom_record around = carom_record_group(r->record, "/around_impact");
    CAROM_TRY(differential_inclusion_write_motion(r, problem, &path, &around, "reversal"));
    CAROM_TRY(write_jam(r, &around));
    CAROM_TRY(differential_inclusion_write_rod(r, &around));
    return write_increments(r, problem, &contact, &path);
}

/* --- the program ------------------------------------------------------------------------------ */

static carom_status body(carom_record *record, const carom_common_options *common, void *context,
                         carom_report *report) {
    const results r = {context, common, record, report};
    CAROM_TRY(write_unit(&r));
    CAROM_TRY(write_contact(&r));
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
