/** The same mechanism in other units of mass, length and time: the same motion, other numbers. */
#ifndef CAROM_TESTS_UNITS_H
#define CAROM_TESTS_UNITS_H

#include <carom/mechanism/mechanism.h>

#include "support.h"

#include <stdio.h>
#include <string.h>

enum { UNITS_MAX_COORDINATES = 24, UNITS_MAX_ROWS = 48 };

/** What a number of kg, of m, of s is multiplied by. */
typedef struct test_units {
    double mass;
    double length;
    double time;
} test_units;

/** The changes that every method must follow: each unit alone, then all at once. */
static const test_units CHANGES_OF_UNITS[] = {
    {1e-12, 1, 1}, {1e-6, 1, 1}, {1e6, 1, 1},        {1e12, 1, 1},      {1, 1e-12, 1},
    {1, 1e-6, 1},  {1, 1e6, 1},  {1, 1e12, 1},       {1, 1, 1e-12},     {1, 1, 1e-6},
    {1, 1, 1e6},   {1, 1, 1e12}, {1e6, 1e-6, 1e-12}, {1e-12, 1e6, 1e6},
};
enum { CHANGE_OF_UNITS_COUNT = sizeof CHANGES_OF_UNITS / sizeof CHANGES_OF_UNITS[0] };

/** Powers of two: the same bits where all coordinates have one unit. */
static const test_units BINARY_CHANGES_OF_UNITS[] = {
    {0x1p-40, 1, 1},
    {0x1p40, 1, 1},
    {1, 0x1p-40, 1},
    {1, 0x1p40, 1},
    {1, 1, 0x1p-40},
    {1, 1, 0x1p40},
    {0x1p20, 0x1p-20, 0x1p-40},
};
enum {
    BINARY_CHANGE_OF_UNITS_COUNT =
        sizeof BINARY_CHANGES_OF_UNITS / sizeof BINARY_CHANGES_OF_UNITS[0]
};

static inline double units_speed(test_units u) {
    return u.length / u.time;
}

static inline double units_energy(test_units u) {
    return u.mass * u.length / u.time * u.length / u.time;
}

static inline double units_impulse(test_units u) {
    return u.mass * u.length / u.time;
}

/** A mechanism whose coordinates are metres, or radians where its position_units say "rad". Must
 * not move: `mechanism` points to it. */
typedef struct other_units {
    carom_mechanism mechanism;
    const carom_mechanism *inner;
    test_units units;
    double factor[UNITS_MAX_COORDINATES]; /* of coordinate i: units.length, or 1 of an angle */
} other_units;

static inline void units_inner(const other_units *u, double divisor, const double *x,
                               double *inner) {
    for (int i = 0; i < u->mechanism.coordinate_count; i++) {
        inner[i] = x[i] / u->factor[i] / divisor;
    }
}

/** A position and a velocity of the inner mechanism. */
typedef struct units_state {
    double position[UNITS_MAX_COORDINATES];
    double velocity[UNITS_MAX_COORDINATES];
} units_state;

/** Of q and v; a v in units of `time`, 1 where it stands for a direction. */
static inline units_state units_inner_state(const other_units *u, const double *q, const double *v,
                                            double time) {
    units_state inner = {0};
    units_inner(u, 1.0, q, inner.position);
    units_inner(u, 1.0 / time, v, inner.velocity);
    return inner;
}

/** Entries [layout] of a square matrix, A_ij *= factor / (factor_i factor_j). */
static inline void units_scale_square(const other_units *u, double factor, double *A) {
    const carom_layout layout = u->mechanism.layout;
    for (int i = 0; i < layout.size; i++) {
        for (int j = carom_layout_first_column(layout, i); j < carom_layout_end_column(layout, i);
             j++) {
            A[carom_layout_index(layout, i, j)] *= factor / u->factor[i] / u->factor[j];
        }
    }
}

/** Rows [count][n], A_cj *= length / factor_j. */
static inline void units_scale_rows(const other_units *u, int count, double *A) {
    const int n = u->mechanism.coordinate_count;
    for (int i = 0; i < count * n; i++) {
        A[i] *= u->units.length / u->factor[i % n];
    }
}

static inline double units_of_mass(const other_units *u) {
    return u->units.mass * u->units.length * u->units.length;
}

static inline void units_mass(const double *q, double *M, void *context) {
    const other_units *u = context;
    double inner[UNITS_MAX_COORDINATES];
    units_inner(u, 1.0, q, inner);
    u->inner->mass(inner, M, u->inner->context);
    units_scale_square(u, units_of_mass(u), M);
}

static inline void units_mass_derivative(const double *q, const double *a, double *D,
                                         void *context) {
    const other_units *u = context;
    const units_state at = units_inner_state(u, q, a, 1.0);
    u->inner->mass_derivative(at.position, at.velocity, D, u->inner->context);
    units_scale_square(u, units_of_mass(u), D);
}

static inline void units_force(double t, const double *q, const double *v, double *f,
                               void *context) {
    const other_units *u = context;
    const units_state at = units_inner_state(u, q, v, u->units.time);
    u->inner->force(t / u->units.time, at.position, at.velocity, f, u->inner->context);
    for (int i = 0; i < u->mechanism.coordinate_count; i++) {
        f[i] *= units_energy(u->units) / u->factor[i];
    }
}

static inline void units_stiffness(double t, const double *q, const double *v, double *K,
                                   void *context) {
    const other_units *u = context;
    const units_state at = units_inner_state(u, q, v, u->units.time);
    u->inner->stiffness(t / u->units.time, at.position, at.velocity, K, u->inner->context);
    units_scale_square(u, units_energy(u->units), K);
}

static inline void units_damping(double t, const double *q, const double *v, double *C,
                                 void *context) {
    const other_units *u = context;
    const units_state at = units_inner_state(u, q, v, u->units.time);
    u->inner->damping(t / u->units.time, at.position, at.velocity, C, u->inner->context);
    units_scale_square(u, units_energy(u->units) * u->units.time, C);
}

static inline double units_potential_energy(const double *q, void *context) {
    const other_units *u = context;
    double position[UNITS_MAX_COORDINATES];
    units_inner(u, 1.0, q, position);
    return u->inner->potential_energy(position, u->inner->context) * units_energy(u->units);
}

static inline int units_row_count(const other_units *u) {
    return carom_mechanism_constraint_count(&u->mechanism);
}

static inline int units_tangent_row_count(const other_units *u) {
    return u->mechanism.contact_count * u->mechanism.tangent_count;
}

static inline void units_constraints(const double *q, double *g, void *context) {
    const other_units *u = context;
    double position[UNITS_MAX_COORDINATES];
    units_inner(u, 1.0, q, position);
    u->inner->constraints(position, g, u->inner->context);
    for (int i = 0; i < units_row_count(u); i++) {
        g[i] *= u->units.length;
    }
}

static inline void units_constraint_offset(double t, double *s, void *context) {
    const other_units *u = context;
    u->inner->constraint_offset(t / u->units.time, s, u->inner->context);
    for (int i = 0; i < units_row_count(u); i++) {
        s[i] *= u->units.length;
    }
}

static inline void units_constraint_velocity(double t, double *w, void *context) {
    const other_units *u = context;
    u->inner->constraint_velocity(t / u->units.time, w, u->inner->context);
    for (int i = 0; i < units_row_count(u) + units_tangent_row_count(u); i++) {
        w[i] *= u->units.length / u->units.time;
    }
}

static inline void units_constraint_jacobian(const double *q, double *G, void *context) {
    const other_units *u = context;
    double position[UNITS_MAX_COORDINATES];
    units_inner(u, 1.0, q, position);
    carom_mechanism_constraint_jacobian(u->inner, position, G);
    units_scale_rows(u, units_row_count(u), G);
}

/** Linear in lambda, whose unit may be that of a force, an impulse or another. */
static inline void units_constraint_force_derivative(const double *q, const double *lambda,
                                                     double *D, void *context) {
    const other_units *u = context;
    double position[UNITS_MAX_COORDINATES];
    units_inner(u, 1.0, q, position);
    u->inner->constraint_force_derivative(position, lambda, D, u->inner->context);
    units_scale_square(u, u->units.length, D);
}

static inline void units_constraint_rate_derivative(const double *q, const double *v, double *D,
                                                    void *context) {
    const other_units *u = context;
    const units_state at = units_inner_state(u, q, v, 1.0);
    carom_mechanism_constraint_rate_derivative(u->inner, at.position, at.velocity, D);
    units_scale_rows(u, units_row_count(u), D);
}

static inline void units_tangential_jacobian(const double *q, double *H, void *context) {
    const other_units *u = context;
    double position[UNITS_MAX_COORDINATES];
    units_inner(u, 1.0, q, position);
    carom_mechanism_tangential_jacobian(u->inner, position, H);
    units_scale_rows(u, units_tangent_row_count(u), H);
}

static inline void units_tangential_rate_derivative(const double *q, const double *v, double *D,
                                                    void *context) {
    const other_units *u = context;
    const units_state at = units_inner_state(u, q, v, 1.0);
    carom_mechanism_tangential_rate_derivative(u->inner, at.position, at.velocity, D);
    units_scale_rows(u, units_tangent_row_count(u), D);
}

/** Whether word i of a list of units ("m, m, rad"; one word stands for all) is an angle. */
static inline bool units_is_angle(const char *list, int i) {
    const char *word = list;
    for (int k = 0; k < i && strchr(word, ',') != NULL; k++) {
        word = strchr(word, ',') + 1;
    }
    return strncmp(word + strspn(word, " "), "rad", 3) == 0;
}

/** `inner` in other units; borrowed. */
static inline void other_units_init(other_units *u, const carom_mechanism *inner,
                                    test_units units) {
    ck_assert_int_le(inner->coordinate_count, UNITS_MAX_COORDINATES);
    ck_assert_int_le(carom_mechanism_constraint_count(inner), UNITS_MAX_ROWS);
    memset(u, 0, sizeof *u);
    u->inner = inner;
    u->units = units;
    u->mechanism = *inner;
    u->mechanism.constraint_pattern = (carom_mechanism_pattern){0};
    u->mechanism.tangential_pattern = (carom_mechanism_pattern){0};
    for (int i = 0; i < inner->coordinate_count; i++) {
        u->factor[i] = units_is_angle(inner->position_units, i) ? 1.0 : units.length;
    }
    carom_mechanism *m = &u->mechanism;
    m->context = u;
    m->mass = units_mass;
    m->mass_derivative = inner->mass_derivative != NULL ? units_mass_derivative : NULL;
    m->force = units_force;
    m->stiffness = inner->stiffness != NULL ? units_stiffness : NULL;
    m->damping = inner->damping != NULL ? units_damping : NULL;
    m->potential_energy = units_potential_energy;
    m->constraints = inner->constraints != NULL ? units_constraints : NULL;
    m->constraint_jacobian = inner->constraint_jacobian != NULL ? units_constraint_jacobian : NULL;
    m->constraint_force_derivative =
        inner->constraint_force_derivative != NULL ? units_constraint_force_derivative : NULL;
    m->constraint_rate_derivative =
        inner->constraint_rate_derivative != NULL ? units_constraint_rate_derivative : NULL;
    m->tangential_jacobian = inner->tangential_jacobian != NULL ? units_tangential_jacobian : NULL;
    m->tangential_rate_derivative =
        inner->tangential_rate_derivative != NULL ? units_tangential_rate_derivative : NULL;
    m->constraint_offset = inner->constraint_offset != NULL ? units_constraint_offset : NULL;
    m->constraint_velocity = inner->constraint_velocity != NULL ? units_constraint_velocity : NULL;
}

/** A position of the inner mechanism in the other units; both [n]. */
static inline void units_position(const other_units *u, const double *inner, double *q) {
    for (int i = 0; i < u->mechanism.coordinate_count; i++) {
        q[i] = inner[i] * u->factor[i];
    }
}

/** A velocity of the inner mechanism in the other units; both [n]. */
static inline void units_velocity(const other_units *u, const double *inner, double *v) {
    for (int i = 0; i < u->mechanism.coordinate_count; i++) {
        v[i] = inner[i] * u->factor[i] / u->units.time;
    }
}

/** Change k of all: those that every method must follow, then the powers of two. */
enum { ALL_CHANGES_OF_UNITS_COUNT = CHANGE_OF_UNITS_COUNT + BINARY_CHANGE_OF_UNITS_COUNT };

static inline test_units change_of_units(int k) {
    return k < CHANGE_OF_UNITS_COUNT ? CHANGES_OF_UNITS[k]
                                     : BINARY_CHANGES_OF_UNITS[k - CHANGE_OF_UNITS_COUNT];
}

/** What its motion may differ by in change k: nothing by powers of two where no coordinate is an
 * angle. */
static inline double tolerance_of_change(const carom_mechanism *mechanism, int k, double alike) {
    const bool has_angle = strstr(mechanism->position_units, "rad") != NULL;
    return k >= CHANGE_OF_UNITS_COUNT && !has_angle ? 0.0 : alike;
}

/** A run in other units has come to its end. */
static inline void assert_ran(const other_units *u, carom_status status,
                              const carom_report *report) {
    ck_assert_msg(status == CAROM_OK, "%s %g %g %g: %s %s %g of %d at %g", u->mechanism.name,
                  u->units.mass, u->units.length, u->units.time, carom_status_name(status),
                  report->quantity == NULL ? report->sentence : report->quantity, report->value,
                  report->index, report->time / u->units.time);
}

/** Columns [rows][columns] that are `unit` [columns] times those expected, up to a part of the
 * largest value of a unit, or of `least` if that is more; 0: to the bit. NaN is NaN. */
static inline void assert_columns(const char *name, const other_units *u, int rows, int columns,
                                  const double *actual, const double *expected, const double *unit,
                                  double least, double tolerance) {
    for (int c = 0; c < columns; c++) {
        double largest = least;
        for (int i = 0; i < rows * columns; i++) {
            const bool is_alike = !(fabs(unit[i % columns] - unit[c]) > 0.0);
            largest = is_alike ? fmax(largest, fabs(expected[i])) : largest;
        }
        for (int i = c; i < rows * columns; i += columns) {
            const double error = fabs(actual[i] / unit[c] - expected[i]);
            const bool is_nan = isnan(actual[i]) && isnan(expected[i]);
            ck_assert_msg(is_nan || error <= tolerance * largest,
                          "%s in units %g kg, %g m, %g s: %s %d of row %d is wrong by %.3g of %.3g",
                          u->mechanism.name, u->units.mass, u->units.length, u->units.time, name, c,
                          i / columns, error, largest);
        }
    }
}

/** Columns of one unit. */
static inline void assert_numbers(const char *name, const other_units *u, int rows, int columns,
                                  const double *actual, const double *expected, double unit,
                                  double least, double tolerance) {
    double units[UNITS_MAX_ROWS];
    ck_assert_int_le(columns, UNITS_MAX_ROWS);
    for (int c = 0; c < columns; c++) {
        units[c] = unit;
    }
    assert_columns(name, u, rows, columns, actual, expected, units, least, tolerance);
}

/** Positions [rows][n], or velocities. */
static inline void assert_states(const char *name, const other_units *u, int rows,
                                 const double *actual, const double *expected, bool is_velocity,
                                 double least, double tolerance) {
    double unit[UNITS_MAX_COORDINATES];
    for (int i = 0; i < u->mechanism.coordinate_count; i++) {
        unit[i] = u->factor[i] / (is_velocity ? u->units.time : 1.0);
    }
    assert_columns(name, u, rows, u->mechanism.coordinate_count, actual, expected, unit, least,
                   tolerance);
}

enum { OUTCOME_MOST_NUMBERS = 20000 };

/** What was computed: numbers, each with its unit. */
typedef struct outcome {
    int count;
    double value[OUTCOME_MOST_NUMBERS];
    char unit[OUTCOME_MOST_NUMBERS]; /* s, m, v(elocity), N, J, M (kg), k (1/kg), K (N/m), q (1/s2),
                                        f (1/s), h (root of J), r (root of 1/kg), 1, d (1, of half
                                        the digits), or 0 for what is rounding alone */
} outcome;

static inline void put(outcome *o, char unit, double value) {
    ck_assert_int_lt(o->count, OUTCOME_MOST_NUMBERS);
    o->value[o->count] = value;
    o->unit[o->count++] = unit;
}

static inline void put_all(outcome *o, char unit, int count, const double *values) {
    for (int i = 0; i < count; i++) {
        put(o, unit, values[i]);
    }
}

static inline double factor_of(test_units u, char unit) {
    switch (unit) {
    case 's':
        return u.time;
    case 'm':
        return u.length;
    case 'v':
        return units_speed(u);
    case 'N':
        return units_energy(u) / u.length;
    case 'J':
        return units_energy(u);
    case 'M':
        return u.mass;
    case 'k':
        return 1.0 / u.mass;
    case 'K':
        return u.mass / u.time / u.time;
    case 'q':
        return 1.0 / u.time / u.time;
    case 'f':
        return 1.0 / u.time;
    case 'h':
        return sqrt(u.mass) * units_speed(u);
    case 'r':
        return 1.0 / sqrt(u.mass);
    default:
        return 1.0;
    }
}

/** The outcome in other units, of system `which`: to the bit, or up to a part of each number and a
 * thousandth of it of the largest of its unit. */
static inline void assert_same_outcome(const outcome *actual, const outcome *expected, test_units u,
                                       int which, double relative) {
    double largest[128] = {0.0};
    for (int i = 0; i < expected->count; i++) {
        double *of_unit = &largest[(int)expected->unit[i]];
        *of_unit =
            isfinite(expected->value[i]) ? fmax(*of_unit, fabs(expected->value[i])) : *of_unit;
    }
    ck_assert_int_eq(actual->count, expected->count);
    for (int i = 0; i < expected->count; i++) {
        const char unit = expected->unit[i];
        const double factor = factor_of(u, unit);
        const double value = expected->value[i] * factor;
        // Half of the digits are three less, of the nine or so that are asked for.
        const double part = unit == 'd' ? 1e3 * relative : relative;
        const double allowed =
            unit == '0' && relative > 0.0
                ? HUGE_VAL
                : part * (fabs(expected->value[i]) + 1e-3 * largest[(int)unit]) * factor;
        const bool is_same = isfinite(value) ? fabs(actual->value[i] - value) <= allowed
                                             : isnan(value) == isnan(actual->value[i]) &&
                                                   isinf(value) == isinf(actual->value[i]);
        ck_assert_msg(is_same, "system %d, number %d of %d in %c: %.17g instead of %.17g", which, i,
                      expected->count, unit, actual->value[i], value);
    }
}

#endif
