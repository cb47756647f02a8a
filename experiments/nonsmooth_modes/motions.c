/** Motions: a table of those that a random search finds, or one from a guess with the branch
 * through it. */
#include "results.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* --- a table of motions ----------------------------------------------------------------------- */

/** The numbers that a motion has one of. */
typedef struct motion_row {
    carom_admissibility admissibility;
    int admissible;
    double period;
    double energy;
    double residual;
    double spectral_radius; /**< NaN at a graze */
    int impacts;
    int hits;
    double closure_error;
} motion_row;

/** Those of them that a search does not know more of. */
enum { COMMON_FIELDS = 6 };

static const carom_field MOTION_FIELDS[] = {
    CAROM_FIELD("admissible", motion_row, admissible, "1",
                "1 if certified not to penetrate and not to pull"),
    CAROM_FIELD("period", motion_row, period, "s", "period T"),
    CAROM_FIELD("energy", motion_row, energy, "J", "energy E"),
    CAROM_FIELD("residual", motion_row, residual, "1", "scaled residual of the impact equations"),
    CAROM_FIELD(
        "largest_interior_gap_violation", motion_row, admissibility.largest_gap_violation, "m",
        "largest maximum of -gap inside the flights; negative: open; NaN: no maximum inside"),
    CAROM_FIELD("spectral_radius", motion_row, spectral_radius, "1",
                "largest modulus of the multipliers; 1: neutrally stable; NaN at a graze"),
    CAROM_FIELD("impacts", motion_row, impacts, "1", "impacts k of the shortest period"),
    CAROM_FIELD("hits", motion_row, hits, "1", "guesses that led to it"),
    CAROM_FIELD("closure_error", motion_row, closure_error, "1",
                "error of one period of event-driven motion, relative; NaN: not followed, or its "
                "impacts are "
                "others"),
};

/** Columns of a number for each impact, NaN beyond the last one of a motion. */
enum { FLIGHT_TIMES, IMPACT_TIMES, LAMBDA, SPEED, IMPACT_COLUMN_COUNT };

/** All columns; those over a second axis in one piece of memory. */
typedef struct table {
    int count; /**< motions */
    int width; /**< most impacts of a motion */
    motion_row *rows;
    double *memory;
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

static void table_clear(table *t) {
    free(t->memory);
    free(t->rows);
}

/** Room for all columns. */
static carom_status table_alloc(const analysis *a, int motions, int impacts, table *t) {
    const size_t count = (size_t)motions;
    const size_t n = (size_t)a->basis->coordinate_count;
    const size_t width = (size_t)impacts;
    t->count = motions;
    t->width = impacts;
    const size_t multipliers = (size_t)multiplier_count(a);
    const size_t instants = (size_t)a->values->trajectory;
    const size_t row =
        IMPACT_COLUMN_COUNT * width + 2 * n + 2 * multipliers + instants * (1 + 2 * n);
    t->memory = malloc(count * row * sizeof *t->memory);
    t->rows = malloc(count * sizeof *t->rows);
    if (t->memory == NULL || t->rows == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    t->impacts = t->memory;
    t->position = t->impacts + IMPACT_COLUMN_COUNT * count * width;
    t->velocity = t->position + count * n;
    t->multiplier = t->velocity + count * n;
    t->time = t->multiplier + 2 * count * multipliers;
    t->positions = t->time + count * instants;
    t->velocities = t->positions + count * instants * n;
    return CAROM_OK;
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

/** State just after the impact at t = 0, multipliers, and the motion at --trajectory instants. */
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
    const int instants = a->values->trajectory;
    for (int i = 0; i < instants; i++) {
        const size_t k = row * (size_t)instants + (size_t)i;
        t->time[k] = orbit->period * i / (instants - 1);
        carom_orbit_motion(a->basis, orbit, t->time[k], t->positions + k * n, t->velocities + k * n,
                           a->state);
    }
}

/** Certify a motion, compute its multipliers, which stay in the work memory, and fill its row. */
static void fill_row(const analysis *a, const carom_orbit *orbit, int solution, table *t) {
    motion_row *row = &t->rows[solution];
    *row = (motion_row){
        .admissibility = carom_orbit_certify(a->basis, a->motion, orbit, a->state,
                                             CAROM_ADMISSIBILITY_TOLERANCE),
        .period = orbit->period,
        .energy = orbit->energy,
        .residual = orbit->residual,
        .impacts = orbit->impact_count,
    };
    row->admissible = row->admissibility.is_admissible ? 1 : 0;
    // A graze has no linearization: what was not computed is NaN in the record.
    if (carom_stability_multipliers(a->stability, orbit, a->multipliers, &row->spectral_radius) !=
        CAROM_OK) {
        row->spectral_radius = NAN;
    }
    fill_impacts(a, orbit, solution, t);
    fill_motion(a, orbit, solution, t);
}

/** Write what a motion has at each impact and as a state: over the motions too, if `motions` is
 * their axis. */
static void write_columns(carom_record *group, const table *t, const char *motions) {
    const size_t size = (size_t)t->count * (size_t)t->width;
    const carom_column impacts[] = {
        {"flight_times", t->impacts + FLIGHT_TIMES * size, "s",
         "duration sigma of the flight before the impact; NaN beyond the last impact"},
        {"impact_times", t->impacts + IMPACT_TIMES * size, "s",
         "instant of the impact; NaN beyond the last one"},
        {"impact_lambda", t->impacts + LAMBDA * size, "J0.5",
         "lambda: speed before the impact over the root of G; NaN beyond the last one"},
        {"pre_impact_speed", t->impacts + SPEED * size, "m s-1",
         "speed of the contact towards the obstacle before the impact; NaN beyond the last one"},
    };
    const carom_column states[] = {
        {"initial_position", t->position, "m", "position at t = 0"},
        {"initial_velocity", t->velocity, "m s-1", "velocity just after the impact at t = 0"},
    };
    carom_record_index_axis(group, "impact", t->width,
                            "impact of the period; the last is that at t = 0");
    carom_record_columns(group, motions != NULL ? motions : "impact",
                         motions != NULL ? "impact" : NULL, impacts, COUNT(impacts));
    carom_record_columns(group, motions != NULL ? motions : "/coordinate",
                         motions != NULL ? "/coordinate" : NULL, states, COUNT(states));
}

/** Write the states of the time histories over an axis of instants, of all motions in turn. */
static void write_histories(carom_record *group, const table *t, const char *axis) {
    const carom_column columns[] = {
        {"position", t->positions, "m", "position"},
        {"velocity", t->velocities, "m s-1", "velocity; at an impact just after it"},
    };
    carom_record_columns(group, axis, "/coordinate", columns, COUNT(columns));
}

/* --- random search ---------------------------------------------------------------------------- */

/** Pass on how many guesses are done. */
static void advance(int done, void *context) {
    carom_progress_reach(context, done);
}

carom_status nonsmooth_modes_search(const analysis *a, int impacts, int guesses,
                                    carom_orbit_list **out) {
    carom_orbit_search_params params = carom_orbit_search_params_default(impacts, a->max_period);
    params.start_count = guesses;
    params.seed = a->common->seed;
    params.workers = a->common->workers;
    // The picture shows all that is certified: motions with one impact too, wherever they come
    // from, and the most unstable ones.
    const bool is_picture = nonsmooth_modes_is_picture(a->values);
    params.keep_unclosed = a->values->keep_unclosed || is_picture;
    params.keep_repeats = a->values->keep_repeats || is_picture;
    char label[32];
    (void)snprintf(label, sizeof label, "search k = %d", impacts);
    carom_progress *progress = carom_progress_start(label, guesses, "guesses", a->common->is_quiet);
    const carom_status status =
        carom_orbit_search(a->basis, &params, advance, progress, out, a->report);
    carom_progress_finish(progress);
    return status;
}

/** What became of the guesses. */
static const carom_field COUNT_FIELDS[] = {
    CAROM_FIELD("count", carom_orbit_list, count, "1", "number of motions found"),
    CAROM_FIELD("converged", carom_orbit_list, converged, "1", "guesses that led to a solution"),
    CAROM_FIELD("repeats", carom_orbit_list, repeats, "1",
                "of these, with fewer impacts in a shorter period"),
    CAROM_FIELD("potential", carom_orbit_list, potential, "1",
                "of these, that pass the obstacle or pull"),
    CAROM_FIELD("outside", carom_orbit_list, outside, "1",
                "of these, with too short a flight or too long a period"),
    CAROM_FIELD("unclosed", carom_orbit_list, unclosed, "1",
                "certified, but too unstable to follow by events"),
};

/** Say if there is nothing, and how many guesses only repeated a motion with fewer impacts, which
 * is not kept. */
static void tell_repeats(const analysis *a, const carom_orbit_list *list) {
    if (!a->common->is_quiet && list->count == 0) {
        printf("nonsmooth_modes: no motion was found\n");
    }
    if (!a->common->is_quiet && !a->values->keep_repeats && list->repeats > 0 &&
        !nonsmooth_modes_is_picture(a->values)) {
        printf("nonsmooth_modes: %d of %d solutions repeat motions with fewer than %d impacts, "
               "kept with --keep-repeats\n",
               list->repeats, list->converged, a->values->impacts);
    }
}

/** Write all columns: however many motions there are, the same number of data sets. */
static void write_table(const analysis *a, carom_record *group, const table *t) {
    const size_t multipliers = (size_t)t->count * (size_t)multiplier_count(a);
    const int instants = a->values->trajectory;
    const carom_column parts[] = {
        {"multiplier_real", t->multiplier, "1",
         "multipliers of the reduced return map, real parts; NaN at a graze"},
        {"multiplier_imaginary", t->multiplier + multipliers, "1",
         "multipliers of the reduced return map, imaginary parts; NaN at a graze"},
    };
    carom_record_index_axis(group, "solution", t->count, "motion");
    carom_record_rows(group, "solution", t->rows, t->count, sizeof *t->rows, MOTION_FIELDS,
                      COUNT(MOTION_FIELDS));
    write_columns(group, t, "solution");
    // A single mass has no multipliers.
    carom_record_columns(group, "solution", "/multiplier", parts, multipliers > 0 ? 2 : 0);
    if (instants > 0) {
        carom_record_index_axis(group, "instant", instants, "instant of a time history");
        carom_record_series(group, "time", t->time, "solution", "instant", "s",
                            "time from impact to impact over a period");
        carom_record_index_axis(group, "row", t->count * instants,
                                "solution times the number of instants, plus the instant");
        write_histories(group, t, "row");
    }
}

carom_status nonsmooth_modes_write_found(const analysis *a, carom_orbit_list *const *lists,
                                         int list_count) {
    CAROM_AUTO_VALUE(table) t = {.width = 0};
    carom_orbit_list sum = {.count = 0};
    for (int l = 0; l < list_count; l++) {
        const carom_orbit_list *list = lists[l];
        tell_repeats(a, list);
        sum.count += list->count;
        sum.converged += list->converged;
        sum.repeats += list->repeats;
        sum.unclosed += list->unclosed;
        sum.outside += list->outside;
        sum.potential += list->potential;
        for (int i = 0; i < list->count; i++) {
            const int impacts = list->found[i].orbit->impact_count;
            t.width = impacts > t.width ? impacts : t.width;
        }
    }
    carom_record group = carom_record_group(a->record, "/solutions");
    carom_record_rows(&group, NULL, &sum, 1, sizeof sum, COUNT_FIELDS, COUNT(COUNT_FIELDS));
    if (sum.count == 0) {
        return CAROM_OK;
    }
    CAROM_TRY(table_alloc(a, sum.count, t.width, &t));
    int row = 0;
    for (int l = 0; l < list_count; l++) {
        for (int i = 0; i < lists[l]->count; i++, row++) {
            const carom_found_orbit *found = &lists[l]->found[i];
            fill_row(a, found->orbit, row, &t);
            t.rows[row].hits = found->hits;
            t.rows[row].closure_error = found->closure_error;
        }
    }
    write_table(a, &group, &t);
    return CAROM_OK;
}

/* --- one motion ------------------------------------------------------------------------------- */

/** Solve the impact equations from the guess. */
static carom_status solve(const analysis *a, carom_orbit *orbit) {
    const settings *v = a->values;
    carom_orbit_target target = carom_orbit_target_default(a->basis);
    target.period = v->period;
    target.grazing_impact = v->grazing_impact;
    CAROM_AUTO(carom_orbit_solver) solver = NULL;
    CAROM_TRY(carom_orbit_solver_alloc(a->basis, v->impacts, &solver));
    const int k = v->impact_speeds.count;
    CAROM_AUTO_MEMORY double *lambda = k > 0 ? malloc((size_t)k * sizeof *lambda) : NULL;
    if (lambda == NULL && k > 0) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int j = 0; j < k; j++) {
        lambda[j] = v->impact_speeds.values[j] / a->basis->root_inverse_mass;
    }
    return carom_orbit_solve(solver, v->flight_times.values, lambda, &target, NULL, orbit,
                             a->report);
}

/** Say that a solution is no motion. */
static void tell_potential(const analysis *a, const carom_admissibility *admissibility) {
    if (a->common->is_quiet || admissibility->is_admissible) {
        return;
    }
    if (admissibility->largest_gap_violation > 0.0) {
        printf("nonsmooth_modes: the solution is only potential: it passes the obstacle by %.6g m "
               "at t = %.6g s\n",
               admissibility->largest_gap_violation, admissibility->time);
    } else {
        printf("nonsmooth_modes: the solution is only potential: its smallest lambda is %.6g\n",
               admissibility->smallest_lambda);
    }
}

/** Follow the branch through the solution; a potential one as far as its equations go. */
static carom_status follow(const analysis *a, const carom_orbit *orbit, bool is_admissible) {
    carom_orbit_branch_params params = carom_orbit_branch_params_default();
    if (!isnan(a->values->max_period)) {
        params.max_period = a->values->max_period;
    }
    params.max_step = a->values->branch_step;
    params.step = fmin(params.step, params.max_step);
    params.follow_potential = !is_admissible;
    CAROM_AUTO(carom_orbit_branch) branch = NULL;
    CAROM_TRY(carom_orbit_branch_follow(a->basis, orbit, &params, NULL, NULL, &branch, a->report));
    for (int side = 0; side < 2 && !a->common->is_quiet; side++) {
        if (branch->ends[side] == CAROM_BRANCH_END_FAILED) {
            printf("nonsmooth_modes: the branch could not be followed beyond T = %.12g s; try a "
                   "shorter --branch-step\n",
                   branch->period[side == 0 ? 0 : branch->point_count - 1]);
        }
    }
    carom_record group = carom_record_group(a->record, "/branch");
    nonsmooth_modes_write_branch(&group, branch);
    return CAROM_OK;
}

carom_status nonsmooth_modes_solve(const analysis *a) {
    const int instants = a->values->trajectory;
    CAROM_AUTO_VALUE(table) t = {.count = 0};
    CAROM_AUTO(carom_orbit) orbit = NULL;
    CAROM_TRY(carom_orbit_alloc(a->basis, a->values->impacts, &orbit));
    CAROM_TRY(solve(a, orbit));
    CAROM_TRY(table_alloc(a, 1, orbit->impact_count, &t));
    fill_row(a, orbit, 0, &t);
    carom_record group = carom_record_group(a->record, "/solution");
    carom_record_rows(&group, NULL, t.rows, 1, sizeof *t.rows, MOTION_FIELDS, COMMON_FIELDS);
    write_columns(&group, &t, NULL);
    if (multiplier_count(a) > 0) {
        carom_record_series(&group, "multipliers", a->multipliers, "/multiplier", "/part", "1",
                            "multipliers of the reduced return map; NaN at a graze");
    }
    if (instants > 0) {
        carom_record_axis(&group, "time", instants, t.time, "s", "time");
        write_histories(&group, &t, "time");
    }
    const carom_admissibility *known = &t.rows[0].admissibility;
    tell_potential(a, known);
    return a->values->has_branch ? follow(a, orbit, known->is_admissible) : CAROM_OK;
}
