/* Contact problems: one contact by itself, piles of discs in the plane from no impulses, towers of
 * boxes, columns of balls: the set-up and a step at rest. */
#include "../contact/sphere_pile.h"
#include "bench.h"

#include <carom/base/random.h>
#include <carom/contact/contact.h>
#include <carom/models/disc_pile.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const bench_unit MICROSECONDS = {.name = "us", .factor = 1e6};
static const bench_unit MILLISECONDS = {.name = "ms", .factor = 1e3};
static const bench_unit SECONDS = {.name = "s", .factor = 1.0};
static const unsigned long SEED = 20261127;
static const long MANY = 1L << 24;

static double drawn(int i, int j) {
    return 2.0 * carom_counter_uniform(SEED, (unsigned long)i, (unsigned long)j) - 1.0;
}

/* ---------------------------------------------------------------------------------- one contact */

enum { LOCAL_COUNT = 1024 };

typedef struct local_problems {
    int tangent_count;
    double W[LOCAL_COUNT][9];
    double q[LOCAL_COUNT][3];
    double friction[LOCAL_COUNT];
} local_problems;

/* W = J J' of five coordinates; every contact closes. */
static void draw_local(int t, local_problems *p) {
    p->tangent_count = t;
    for (int k = 0; k < LOCAL_COUNT; k++) {
        p->friction[k] = 0.5 * (1.0 + drawn(k, 50));
        for (int i = 0; i <= t; i++) {
            p->q[k][i] = drawn(k, 40 + i);
            for (int j = 0; j <= t; j++) {
                double sum = 0.0;
                for (int c = 0; c < 5; c++) {
                    sum += drawn(k, 5 * i + c) * drawn(k, 5 * j + c);
                }
                p->W[k][i * (1 + t) + j] = sum;
            }
        }
        p->q[k][0] = -fabs(p->q[k][0]);
    }
}

static double time_local(long count, void *context) {
    const local_problems *p = context;
    const double begin = bench_seconds();
    for (long i = 0; i < count; i++) {
        const int k = (int)(i % LOCAL_COUNT);
        double r[3];
        if (!carom_contact_solve_local(p->tangent_count, p->W[k], p->friction[k], p->q[k], r)) {
            return -1.0;
        }
    }
    return bench_seconds() - begin;
}

static int bench_local(bench_table *t) {
    static local_problems p;
    int failures = 0;
    for (int tangents = 1; tangents <= 2; tangents++) {
        draw_local(tangents, &p);
        const bench_row row = {.system = "contact",
                               .method = tangents == 1 ? "local, plane" : "local, space",
                               .contacts = 1,
                               .unit = MICROSECONDS,
                               .work = (double)NAN,
                               .target = 0.1};
        failures += bench_measure(t, row, time_local, MANY, &p);
    }
    return failures;
}

/* -------------------------------------------------------------------------------------- solving */

/* A problem that is solved from the same impulses each time. */
typedef struct solving {
    carom_contact_problem *problem;
    carom_contact_solver *solver;
    carom_contact_params params;
    double *start; /* [rows] */
    double *r;     /* [rows] */
} solving;

static void solving_clear(solving *s) {
    carom_contact_problem_free(s->problem);
    carom_contact_solver_free(s->solver);
    free(s->start);
    free(s->r);
}

/* Memory for the problem that it has, from no impulses. */
static bool prepare(solving *s, double tolerance) {
    const size_t rows = (size_t)s->problem->row_count;
    s->params = carom_contact_params_default();
    s->params.tolerance = tolerance;
    s->start = calloc(rows, sizeof(double));
    s->r = calloc(rows, sizeof(double));
    return s->start != NULL && s->r != NULL && carom_contact_solver_alloc(&s->solver) == CAROM_OK;
}

static double time_solving(long count, void *context) {
    solving *s = context;
    const double begin = bench_seconds();
    for (long i = 0; i < count; i++) {
        memcpy(s->r, s->start, (size_t)s->problem->row_count * sizeof(double));
        if (carom_contact_solve(s->solver, s->problem, &s->params, s->r, NULL, NULL, NULL) !=
            CAROM_OK) {
            return -1.0;
        }
    }
    return bench_seconds() - begin;
}

static int measure_solving(bench_table *t, const char *system, const char *method, solving *s,
                           bench_unit unit, double target) {
    const bench_row row = {.system = system,
                           .method = method,
                           .contacts = s->problem->contact_count,
                           .unit = unit,
                           .work = s->problem->contact_count,
                           .target = target};
    return bench_measure(t, row, time_solving, MANY, s);
}

/* A pyramid with 376 contacts under its weight: what rests, what slides, and what nearly holds. */
static int bench_pyramids(bench_table *t) {
    static const struct {
        const char *method;
        double mass_ratio;
        double friction;
    } PILES[] = {{"cold, equal masses, mu 0.2", 1.0, 0.2},
                 {"cold, equal masses, mu 0.25", 1.0, 0.25},
                 {"cold, equal masses, mu 0.3", 1.0, 0.3},
                 {"cold, equal masses, mu 0.4", 1.0, 0.4},
                 {"cold, masses 1 to 1e-3, mu 0.4", 1e-3, 0.4},
                 {"cold, masses 1 to 1e-3, mu 1", 1e-3, 1.0},
                 {"cold, masses 1 to 1e3, mu 0", 1e3, 0.0},
                 {"cold, masses 1 to 1e3, mu 0.25", 1e3, 0.25},
                 {"cold, masses 1 to 1e3, mu 0.4", 1e3, 0.4},
                 {"cold, masses 1 to 1e3, mu 0.6", 1e3, 0.6}};
    int failures = 0;
    for (size_t k = 0; k < sizeof PILES / sizeof *PILES; k++) {
        carom_disc_pile_params params = carom_disc_pile_params_default();
        solving s = {0};
        params.mass_ratio = PILES[k].mass_ratio;
        params.friction = PILES[k].friction;
        failures +=
            carom_disc_pile_problem(&params, &s.problem, NULL) == CAROM_OK && prepare(&s, 1e-10)
                ? measure_solving(t, "pyramid of discs", PILES[k].method, &s, MILLISECONDS, 20.0)
                : 1;
        solving_clear(&s);
    }
    return failures;
}

/* ---------------------------------------------------------------------------------- free bodies */

/* Bodies of some coordinates each, and the rows of their contacts, appended one after the other. */
typedef struct scene {
    int size;         /* coordinates in all */
    int rows;         /* so far */
    int used;         /* entries so far */
    double *mass;     /* [size] */
    double *fall;     /* [size] */
    int *start;       /* [rows+1] */
    int *column;      /* [entries] */
    double *value;    /* [entries] */
    double *friction; /* [contacts] */
} scene;

static void scene_clear(scene *s) {
    free(s->mass);
    free(s->fall);
    free(s->start);
    free(s->column);
    free(s->value);
    free(s->friction);
}

static bool scene_init(int size, int most_rows, int entries_per_row, double friction, scene *s) {
    const size_t rows = (size_t)most_rows;
    const size_t entries = rows * (size_t)entries_per_row;
    *s = (scene){.size = size,
                 .mass = calloc((size_t)size, sizeof(double)),
                 .fall = calloc((size_t)size, sizeof(double)),
                 .start = calloc(rows + 1, sizeof(int)),
                 .column = malloc(entries * sizeof(int)),
                 .value = malloc(entries * sizeof(double)),
                 .friction = malloc(rows * sizeof(double))};
    for (size_t i = 0; i < rows && s->friction != NULL; i++) {
        s->friction[i] = friction;
    }
    return s->mass != NULL && s->fall != NULL && s->start != NULL && s->column != NULL &&
           s->value != NULL && s->friction != NULL;
}

/* Add sign J of a body of n coordinates to the row being written; the body -1 is the ground. */
static void scene_add(scene *s, int body, int n, double sign, const double *J) {
    for (int i = 0; i < n && body >= 0; i++) {
        if (fabs(J[i]) > 0.0) {
            s->column[s->used] = body * n + i;
            s->value[s->used++] = sign * J[i];
        }
    }
}

static void scene_end_row(scene *s) {
    s->start[++s->rows] = s->used;
}

static bool scene_problem(const scene *s, int t, carom_contact_problem **out) {
    const carom_contact_bodies bodies = {.layout = carom_layout_banded(s->size, 0),
                                         .mass = s->mass,
                                         .contact_count = s->rows / (1 + t),
                                         .tangent_count = t,
                                         .row_start = s->start,
                                         .row_column = s->column,
                                         .row_value = s->value,
                                         .free_velocity = s->fall,
                                         .friction = t == 0 ? NULL : s->friction};
    return carom_contact_problem_of_bodies(&bodies, out, NULL) == CAROM_OK;
}

bool bench_make_tower(int t, int boxes, carom_contact_problem **out) {
    const int n = t == 1 ? 3 : 6;
    const int corners = t == 1 ? 2 : 4;
    scene s;
    bool is_made = scene_init(boxes * n, boxes * corners * (1 + t), 2 * n, 0.5, &s);
    for (int b = 0; b < boxes && is_made; b++) {
        for (int i = 0; i < n; i++) {
            s.mass[b * n + i] = i <= t ? 1.0 : 2.0 / 3.0;
        }
        s.fall[b * n + t] = -9.81e-3;
        for (int k = 0; k < corners * (1 + t); k++) {
            const double x = k / (1 + t) % 2 == 0 ? -1.0 : 1.0;
            const double y = k / (1 + t) < 2 ? -1.0 : 1.0;
            for (int body = b - 1; body <= b; body++) {
                const double z = body < b ? 1.0 : -1.0;
                // Velocity of the corner (x, y, z) along the normal, then along the tangents.
                const double plane[2][3] = {{0.0, 1.0, x}, {1.0, 0.0, -z}};
                const double space[3][6] = {{0.0, 0.0, 1.0, y, -x, 0.0},
                                            {1.0, 0.0, 0.0, 0.0, z, -y},
                                            {0.0, 1.0, 0.0, -z, 0.0, x}};
                scene_add(&s, body, n, -z, t == 1 ? plane[k % 2] : space[k % 3]);
            }
            scene_end_row(&s);
        }
    }
    is_made = is_made && scene_problem(&s, t, out);
    scene_clear(&s);
    return is_made;
}

/* A contact of two discs, or of one with a wall, along the normal (x, y) to the second. */
static void add_disc_contact(scene *s, int one, int other, double x, double y) {
    const double J[2][2][3] = {{{x, y, 0.0}, {x, y, 0.0}}, {{-y, x, -1.0}, {-y, x, 1.0}}};
    for (int row = 0; row < 2; row++) {
        scene_add(s, one, 3, -1.0, J[row][0]);
        scene_add(s, other, 3, 1.0, J[row][1]);
        scene_end_row(s);
    }
}

bool bench_make_box_of_discs(double mass_ratio, double friction, carom_contact_problem **out) {
    enum { WIDTH = 12, ROWS = 11, DISCS = WIDTH * ROWS };
    double x[DISCS];
    double y[DISCS];
    int count = 0;
    scene s;
    bool is_made = scene_init(3 * (DISCS - ROWS / 2), 2 * 6 * DISCS, 6, friction, &s);
    for (int i = 0; i < ROWS && is_made; i++) {
        for (int j = 0; j < WIDTH - i % 2; j++, count++) {
            const double mass = pow(mass_ratio, 0.5 * (1.0 + drawn(count, 60)));
            x[count] = 2.0 * j + 1.0 + i % 2;
            y[count] = 1.0 + sqrt(3.0) * i;
            s.mass[3 * count] = s.mass[3 * count + 1] = mass;
            s.mass[3 * count + 2] = 0.5 * mass;
            s.fall[3 * count] = 5e-3 * drawn(count, 61);
            s.fall[3 * count + 1] = -9.81e-3;
        }
    }
    for (int i = 0; i < count; i++) {
        const double side = x[i] < 1.5 ? 1.0 : x[i] > 2.0 * WIDTH - 1.5 ? -1.0 : 0.0;
        if (y[i] < 1.5) {
            add_disc_contact(&s, -1, i, 0.0, 1.0);
        }
        if (fabs(side) > 0.0) {
            add_disc_contact(&s, -1, i, side, 0.0);
        }
        for (int j = 0; j < i; j++) {
            const double distance = hypot(x[i] - x[j], y[i] - y[j]);
            if (distance < 2.5) {
                add_disc_contact(&s, j, i, (x[i] - x[j]) / distance, (y[i] - y[j]) / distance);
            }
        }
    }
    is_made = is_made && scene_problem(&s, 1, out);
    scene_clear(&s);
    return is_made;
}

static int bench_boxes_of_discs(bench_table *t) {
    static const struct {
        const char *method;
        double mass_ratio;
        double friction;
    } BOXES[] = {{"cold, equal masses, mu 0.3", 1.0, 0.3},
                 {"cold, masses 1 to 1e3, mu 0", 1e3, 0.0},
                 {"cold, masses 1 to 1e3, mu 0.3", 1e3, 0.3},
                 {"cold, masses 1 to 1e3, mu 1", 1e3, 1.0}};
    int failures = 0;
    for (size_t k = 0; k < sizeof BOXES / sizeof *BOXES; k++) {
        solving s = {0};
        failures +=
            bench_make_box_of_discs(BOXES[k].mass_ratio, BOXES[k].friction, &s.problem) &&
                    prepare(&s, 1e-10)
                ? measure_solving(t, "box of discs", BOXES[k].method, &s, MILLISECONDS, 20.0)
                : 1;
        solving_clear(&s);
    }
    return failures;
}

/* 225, 637 and 1377 contacts of which some half slide. */
static int bench_sphere_piles(bench_table *t) {
    static const int LAYERS[] = {5, 7, 9};
    int failures = 0;
    for (size_t k = 0; k < sizeof LAYERS / sizeof *LAYERS; k++) {
        solving s = {0};
        failures +=
            make_sphere_pile(LAYERS[k], 0.3, false, &s.problem) == CAROM_OK && prepare(&s, 1e-10)
                ? measure_solving(t, "pyramid of spheres", "cold, equal masses, mu 0.3", &s,
                                  MILLISECONDS, (double)NAN)
                : 1;
        solving_clear(&s);
    }
    return failures;
}

/* From the impulses of the step before, whose weights were others by a part. */
static int bench_towers(bench_table *t) {
    static const struct {
        const char *system;
        const char *method;
        int tangents;
        int boxes;
        double part;   /* infinite: from no impulses */
        double target; /* us */
    } TOWERS[] = {{"tower of 10 boxes", "warm, at rest", 1, 10, 1e-12, 20.0},
                  {"tower of 10 boxes", "warm, weight changed by 1e-6", 1, 10, 1e-6, (double)NAN},
                  {"10 boxes in space", "warm, at rest", 2, 10, 1e-12, (double)NAN},
                  {"10 boxes in space", "cold", 2, 10, HUGE_VAL, (double)NAN},
                  {"1000 boxes in space", "warm, at rest", 2, 1000, 1e-12, (double)NAN},
                  {"1000 boxes in space", "cold", 2, 1000, HUGE_VAL, (double)NAN}};
    int failures = 0;
    for (size_t k = 0; k < sizeof TOWERS / sizeof *TOWERS; k++) {
        solving s = {0};
        bool is_made =
            bench_make_tower(TOWERS[k].tangents, TOWERS[k].boxes, &s.problem) && prepare(&s, 1e-10);
        if (is_made && isfinite(TOWERS[k].part)) {
            is_made = carom_contact_solve(s.solver, s.problem, NULL, s.start, NULL, NULL, NULL) ==
                      CAROM_OK;
            for (int i = 0; i < s.problem->row_count; i++) {
                s.problem->free_velocity[i] *= 1.0 + TOWERS[k].part;
            }
        }
        failures += is_made ? measure_solving(t, TOWERS[k].system, TOWERS[k].method, &s,
                                              MICROSECONDS, TOWERS[k].target)
                            : 1;
        solving_clear(&s);
    }
    return failures;
}

/* -------------------------------------------------------------------------------------- columns */

/* Balls of one coordinate each, on the ground and each other. */
static bool column_init(int balls, scene *s) {
    static const double UP[1] = {1.0};
    if (!scene_init(balls, balls, 2, 0.0, s)) {
        return false;
    }
    for (int i = 0; i < balls; i++) {
        s->mass[i] = 2.385;
        s->fall[i] = -9.81e-3;
        scene_add(s, i - 1, 1, -1.0, UP);
        scene_add(s, i, 1, 1.0, UP);
        scene_end_row(s);
    }
    return true;
}

static double time_setup(long count, void *context) {
    const double begin = bench_seconds();
    for (long i = 0; i < count; i++) {
        CAROM_AUTO(carom_contact_problem) problem = NULL;
        if (!scene_problem(context, 0, &problem)) {
            return -1.0;
        }
    }
    return bench_seconds() - begin;
}

/* One step at rest from its own impulses, and of the longest column the set-up. */
static int bench_contact_columns(bench_table *t) {
    static const int BALLS[] = {100, 1000, 10000, 100000};
    int failures = 0;
    for (size_t k = 0; k < sizeof BALLS / sizeof *BALLS; k++) {
        scene c;
        solving s = {0};
        bool is_made =
            column_init(BALLS[k], &c) && scene_problem(&c, 0, &s.problem) && prepare(&s, 1e-12);
        for (int i = 0; i < BALLS[k] && is_made; i++) {
            s.start[i] = (BALLS[k] - i) * 2.385 * 9.81e-3;
        }
        failures +=
            is_made ? measure_solving(t, "column", "step at rest", &s, MICROSECONDS, (double)NAN)
                    : 1;
        if (is_made && k + 1 == sizeof BALLS / sizeof *BALLS) {
            const bench_row row = {.system = "column",
                                   .method = "set-up",
                                   .coordinates = c.size,
                                   .contacts = c.size,
                                   .unit = SECONDS,
                                   .work = (double)NAN,
                                   .target = 1.0};
            failures += bench_measure(t, row, time_setup, MANY, &c);
        }
        solving_clear(&s);
        scene_clear(&c);
    }
    return failures;
}

int bench_contact(bench_table *t) {
    return bench_local(t) + bench_pyramids(t) + bench_boxes_of_discs(t) + bench_towers(t) +
           bench_sphere_piles(t) + bench_contact_columns(t);
}
