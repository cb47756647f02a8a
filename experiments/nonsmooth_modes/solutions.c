/** All motions that were found, one row each of tables that share their axes: however many there
 * are, the record has the same number of datasets. */
#include "results.h"

#include <math.h>
#include <stdlib.h>

/** Axis of the motions, one of the impacts of a period, and one of instants of all motions. */
#define SOLUTION "/solutions/solution"
#define IMPACT "/solutions/impact"
#define INSTANT "/solutions/instant"
#define ROW "/solutions/row"

/** Columns of numbers that a motion has one of. */
enum {
    PERIOD,
    ENERGY,
    RESIDUAL,
    GAP_VIOLATION,
    SPECTRAL_RADIUS,
    CLOSURE_ERROR,
    SCALAR_COUNT,
};

/** Columns of integers likewise. */
enum { IMPACTS, HITS, ADMISSIBLE, INTEGER_COUNT };

/** Columns of a number for each impact, NaN beyond the last one of a motion. */
enum { FLIGHT_TIMES, IMPACT_TIMES, LAMBDA, SPEED, IMPACT_COLUMN_COUNT };

/** All columns, in one piece of memory for each type. */
typedef struct table {
    int count; /**< motions */
    int width; /**< most impacts of a motion */
    double *memory;
    int *integers;      /**< [INTEGER_COUNT][count] */
    double *scalars;    /**< [SCALAR_COUNT][count] */
    double *impacts;    /**< [IMPACT_COLUMN_COUNT][count][width] */
    double *position;   /**< [count][n] at t = 0 */
    double *velocity;   /**< [count][n] */
    double *multiplier; /**< [2][count][2n - 2] real parts, then imaginary parts */
    double *time;       /**< [count][instants] */
    double *positions;  /**< [count][instants][n] */
    double *velocities; /**< [count][instants][n] */
} table;

/** Numbers of multipliers of a motion. */
static int multiplier_count(const analysis *a) {
    return 2 * a->basis->coordinate_count - 2;
}

static void table_free(table *t) {
    free(t->memory);
    free(t->integers);
}

/** Room for all columns; false if there is none. */
static bool table_alloc(const analysis *a, table *t) {
    const size_t count = (size_t)t->count;
    const size_t n = (size_t)a->basis->coordinate_count;
    const size_t width = (size_t)t->width;
    const size_t multipliers = (size_t)multiplier_count(a);
    const size_t instants = (size_t)a->values->trajectory;
    const size_t row = SCALAR_COUNT + IMPACT_COLUMN_COUNT * width + 2 * n + 2 * multipliers +
                       instants * (1 + 2 * n);
    t->memory = malloc(count * row * sizeof *t->memory);
    t->integers = malloc(count * INTEGER_COUNT * sizeof *t->integers);
    if (t->memory == NULL || t->integers == NULL) {
        return false;
    }
    t->scalars = t->memory;
    t->impacts = t->scalars + SCALAR_COUNT * count;
    t->position = t->impacts + IMPACT_COLUMN_COUNT * count * width;
    t->velocity = t->position + count * n;
    t->multiplier = t->velocity + count * n;
    t->time = t->multiplier + 2 * count * multipliers;
    t->positions = t->time + count * instants;
    t->velocities = t->positions + count * instants * n;
    return true;
}

/** What belongs to each impact of a motion. */
static void fill_impacts(const analysis *a, const carom_orbit *orbit, int solution, table *t) {
    const size_t size = (size_t)t->count * (size_t)t->width;
    double *row = t->impacts + (size_t)solution * (size_t)t->width;
    for (int j = 0; j < t->width; j++) {
        const bool is_impact = j < orbit->impact_count;
        const double before = j > 0 ? row[IMPACT_TIMES * size + (size_t)j - 1] : 0.0;
        const double lambda = is_impact ? orbit->lambda[j] : (double)NAN;
        const double flight = is_impact ? orbit->flight_times[j] : (double)NAN;
        row[FLIGHT_TIMES * size + (size_t)j] = flight;
        row[IMPACT_TIMES * size + (size_t)j] = before + flight;
        row[LAMBDA * size + (size_t)j] = lambda;
        row[SPEED * size + (size_t)j] = a->basis->root_inverse_mass * lambda;
    }
}

/** State just after the impact at t = 0, multipliers, and the time history. */
static void fill_motion(const analysis *a, const carom_orbit *orbit, int solution, table *t) {
    const size_t n = (size_t)a->basis->coordinate_count;
    const size_t row = (size_t)solution;
    carom_modal_basis_expand(a->basis, orbit->state, t->position + row * n, t->velocity + row * n);
    const size_t multipliers = (size_t)multiplier_count(a);
    double *multiplier = t->multiplier + row * multipliers;
    for (size_t i = 0; i < multipliers; i++) {
        multiplier[i] = a->multipliers[2 * i];
        multiplier[(size_t)t->count * multipliers + i] = a->multipliers[2 * i + 1];
    }
    const size_t first = row * (size_t)a->values->trajectory;
    nonsmooth_modes_history(a, orbit, t->time + first, t->positions + first * n,
                            t->velocities + first * n);
}

/** Examine one found motion and fill its row. */
static void fill_row(const analysis *a, const carom_found_orbit *found, int solution, table *t) {
    const carom_orbit *orbit = found->orbit;
    const examination known = nonsmooth_modes_examine(a, orbit);
    const double scalars[SCALAR_COUNT] = {
        [PERIOD] = orbit->period,
        [ENERGY] = orbit->energy,
        [RESIDUAL] = orbit->residual,
        [GAP_VIOLATION] = known.admissibility.largest_gap_violation,
        [SPECTRAL_RADIUS] = known.spectral_radius,
        [CLOSURE_ERROR] = found->closure_error,
    };
    for (int i = 0; i < SCALAR_COUNT; i++) {
        t->scalars[(size_t)i * (size_t)t->count + (size_t)solution] = scalars[i];
    }
    const int integers[INTEGER_COUNT] = {
        [IMPACTS] = orbit->impact_count,
        [HITS] = found->hits,
        [ADMISSIBLE] = known.admissibility.is_admissible ? 1 : 0,
    };
    for (int i = 0; i < INTEGER_COUNT; i++) {
        t->integers[(size_t)i * (size_t)t->count + (size_t)solution] = integers[i];
    }
    fill_impacts(a, orbit, solution, t);
    fill_motion(a, orbit, solution, t);
}

/** Write the columns over the axis of motions alone. */
static void write_scalars(const analysis *a, const table *t) {
    static const struct {
        const char *path;
        const char *long_name;
    } integers[INTEGER_COUNT] = {
        [IMPACTS] = {"/solutions/impacts", "impacts k of the shortest period"},
        [HITS] = {"/solutions/hits", "guesses that led to it"},
        [ADMISSIBLE] = {"/solutions/admissible", "1 if certified not to penetrate and not to pull"},
    };
    static const struct {
        const char *path;
        const char *units;
        const char *long_name;
    } scalars[SCALAR_COUNT] = {
        [PERIOD] = {"/solutions/period", "s", "period T"},
        [ENERGY] = {"/solutions/energy", "J", "energy E"},
        [RESIDUAL] = {"/solutions/residual", "1", "scaled residual of the impact equations"},
        [GAP_VIOLATION] = {"/solutions/largest_interior_gap_violation", "m",
                           "largest maximum of -gap inside the flights; negative: open; NaN: no "
                           "maximum inside"},
        [SPECTRAL_RADIUS] =
            {"/solutions/spectral_radius", "1",
             "largest modulus of the multipliers; 1: neutrally stable; NaN at a graze"},
        [CLOSURE_ERROR] =
            {"/solutions/closure_error", "1",
             "error of one period of event-driven motion, relative; NaN: not followed"},
    };
    const size_t count = (size_t)t->count;
    for (int i = 0; i < INTEGER_COUNT; i++) {
        carom_record_integer_series(a->record, integers[i].path, t->integers + (size_t)i * count,
                                    SOLUTION, NULL, "1", integers[i].long_name);
    }
    for (int i = 0; i < SCALAR_COUNT; i++) {
        carom_record_series(a->record, scalars[i].path, t->scalars + (size_t)i * count, SOLUTION,
                            NULL, scalars[i].units, scalars[i].long_name);
    }
}

/** Write the columns over motions and another axis. */
static void write_vectors(const analysis *a, const table *t) {
    const size_t size = (size_t)t->count * (size_t)t->width;
    const size_t multipliers = (size_t)t->count * (size_t)multiplier_count(a);
    const struct {
        const char *path;
        const double *values;
        const char *column_axis;
        const char *units;
        const char *long_name;
    } vectors[] = {
        {"/solutions/flight_times", t->impacts + FLIGHT_TIMES * size, IMPACT, "s",
         "duration sigma of the flight before the impact; NaN beyond the last impact"},
        {"/solutions/impact_times", t->impacts + IMPACT_TIMES * size, IMPACT, "s",
         "instant of the impact; NaN beyond the last one"},
        {"/solutions/impact_lambda", t->impacts + LAMBDA * size, IMPACT, "J0.5",
         "lambda: speed before the impact over the root of G; NaN beyond the last one"},
        {"/solutions/pre_impact_speed", t->impacts + SPEED * size, IMPACT, "m s-1",
         "speed of the contact towards the obstacle before the impact; NaN beyond the last one"},
        {"/solutions/initial_position", t->position, "/coordinate", "m", "position at t = 0"},
        {"/solutions/initial_velocity", t->velocity, "/coordinate", "m s-1",
         "velocity just after the impact at t = 0"},
        {"/solutions/multiplier_real", t->multiplier, "/multiplier", "1",
         "multipliers of the reduced return map, real parts; NaN at a graze"},
        {"/solutions/multiplier_imaginary", t->multiplier + multipliers, "/multiplier", "1",
         "multipliers of the reduced return map, imaginary parts; NaN at a graze"},
    };
    const size_t vector_count = sizeof vectors / sizeof vectors[0];
    // A single mass has no multipliers.
    const size_t written = multiplier_count(a) > 0 ? vector_count : vector_count - 2;
    for (size_t i = 0; i < written; i++) {
        carom_record_series(a->record, vectors[i].path, vectors[i].values, SOLUTION,
                            vectors[i].column_axis, vectors[i].units, vectors[i].long_name);
    }
}

/** Write the time histories, those of all motions one after the other. */
static void write_histories(const analysis *a, const table *t) {
    const int instants = a->values->trajectory;
    carom_record_index_axis(a->record, INSTANT, instants, "instant of a time history");
    carom_record_series(a->record, "/solutions/time", t->time, SOLUTION, INSTANT, "s",
                        "time from impact to impact over a period");
    carom_record_index_axis(a->record, ROW, t->count * instants,
                            "solution times the number of instants, plus the instant");
    carom_record_series(a->record, "/solutions/position", t->positions, ROW, "/coordinate", "m",
                        "position, motion by motion");
    carom_record_series(a->record, "/solutions/velocity", t->velocities, ROW, "/coordinate",
                        "m s-1", "velocity, motion by motion; at an impact just after it");
}

/** Write all columns. */
static void write_table(const analysis *a, const table *t) {
    carom_record_index_axis(a->record, SOLUTION, t->count, "motion");
    carom_record_index_axis(a->record, IMPACT, t->width,
                            "impact of the period; the last is that at t = 0");
    write_scalars(a, t);
    write_vectors(a, t);
    if (a->values->trajectory > 0) {
        write_histories(a, t);
    }
}

carom_status nonsmooth_modes_write_solutions(const analysis *a, carom_orbit_list *const *lists,
                                             int list_count) {
    table t = {.count = 0};
    for (int l = 0; l < list_count; l++) {
        for (int i = 0; i < lists[l]->count; i++) {
            const int impacts = lists[l]->found[i].orbit->impact_count;
            t.width = impacts > t.width ? impacts : t.width;
        }
        t.count += lists[l]->count;
    }
    if (t.count == 0) {
        return CAROM_OK;
    }
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    if (table_alloc(a, &t)) {
        int row = 0;
        for (int l = 0; l < list_count; l++) {
            for (int i = 0; i < lists[l]->count; i++) {
                fill_row(a, &lists[l]->found[i], row++, &t);
            }
        }
        write_table(a, &t);
        status = CAROM_OK;
    }
    table_free(&t);
    return status;
}
