/**
 * elastic_bar: an elastic bar flies against a rigid wall, rests on it while a wave runs through it
 * and back, and takes off (bruls-2014 section 10.3, figures 17 to 19).
 *
 *     M dv/dt + K u = 0 between impacts,   gap d_0 + u_0 >= 0,   du_0/dt+ = -e du_0/dt- at impacts
 *
 * u_0 .. u_N are the displacements of the nodes of N two-node elements, node 0 facing the wall.
 *
 * Printed in the paper: E = 900 Pa, rho = 1 kg/m3, L = 10 m, d_0 = 5.005 m, v_0 = 10 m/s, e = 0,
 * N = 200, h = 2e-3 s, rho_infinity = 0.8. Chosen, because the paper is silent: cross-section 1 m2
 * (forces and energies scale with it), consistent mass (the lumped one is run too), end at 2 s (the
 * exact bar takes off at 1.167 s), tolerance, predictor of Moreau-Jean.
 */
#include <carom/carom.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- runs ----------------------------------------------------------------------------------- */

/** Parameters of the command line. */
typedef struct settings {
    carom_elastic_bar_params bar;
    int mass_matrix; /**< index into "consistent|lumped" */
    carom_scheme_options schemes;
} settings;

/** What sets a run apart from the plain run of its scheme. */
typedef enum variant { PLAIN, FULL_NEWTON, ALGORITHM_1, HALF_STEP, OTHER_MASS } variant;

/** Every run of the record; the plain ones have the numbers of their schemes. */
enum {
    NONSMOOTH = CAROM_SCHEME_NONSMOOTH_GALPHA,
    MOREAU = CAROM_SCHEME_MOREAU_JEAN,
    SMOOTH = CAROM_SCHEME_SMOOTH_GALPHA,
    MODIFIED = CAROM_SCHEME_MODIFIED_LCP,
    VELOCITY = CAROM_SCHEME_VELOCITY_GALPHA,
    NEWTON,
    SEQUENTIAL,
    MODIFIED_HALF,
    OTHER_NONSMOOTH, /* from here on: the other mass matrix */
    OTHER_MOREAU,
    OTHER_SMOOTH,
    RUN_COUNT
};

static const struct {
    carom_scheme scheme;
    variant kind;
} plan[RUN_COUNT] = {
    [NONSMOOTH] = {CAROM_SCHEME_NONSMOOTH_GALPHA, PLAIN},
    [MOREAU] = {CAROM_SCHEME_MOREAU_JEAN, PLAIN},
    [SMOOTH] = {CAROM_SCHEME_SMOOTH_GALPHA, PLAIN},
    [MODIFIED] = {CAROM_SCHEME_MODIFIED_LCP, PLAIN},
    [VELOCITY] = {CAROM_SCHEME_VELOCITY_GALPHA, PLAIN},
    [NEWTON] = {CAROM_SCHEME_NONSMOOTH_GALPHA, FULL_NEWTON},
    [SEQUENTIAL] = {CAROM_SCHEME_NONSMOOTH_GALPHA, ALGORITHM_1},
    [MODIFIED_HALF] = {CAROM_SCHEME_MODIFIED_LCP, HALF_STEP},
    [OTHER_NONSMOOTH] = {CAROM_SCHEME_NONSMOOTH_GALPHA, OTHER_MASS},
    [OTHER_MOREAU] = {CAROM_SCHEME_MOREAU_JEAN, OTHER_MASS},
    [OTHER_SMOOTH] = {CAROM_SCHEME_SMOOTH_GALPHA, OTHER_MASS},
};

/** What is asked of every run; see `measures`. */
typedef enum measure {
    SMALLEST_GAP,
    BEGIN_DELAY,
    END_DELAY,
    CLOSED_DURATION,
    SPELLS,
    CLOSED_RATE,
    ENERGY_GAIN,
    LARGEST_ENERGY,
    ENERGY_LOST,
    PEAK_FORCE,
    PLATEAU_FORCE,
    EARLY_ZEROS,
    GAP_ERROR,
    FINAL_GAP_ERROR,
    ITERATIONS,
    DISTANCE,
    FAILURE_DELAY,
    MEASURE_COUNT
} measure;

/** Everything that was computed. */
typedef struct results {
    const settings *values;
    carom_scheme_run runs[RUN_COUNT]; /**< [count] the selected ones, in the order of `plan` */
    int slots[RUN_COUNT];             /**< [count] their numbers in `plan` */
    int count;
    int other_first;                          /**< first run with the other mass matrix */
    const carom_trajectory *of[RUN_COUNT];    /**< by number in `plan`; NULL if not selected */
    double numbers[RUN_COUNT][MEASURE_COUNT]; /**< NaN where not defined */
} results;

/* The block that algorithm 1 drops grows with the Courant number, and its iterations with it. */
static const int SEQUENTIAL_ITERATIONS = 200;

/* Takes the modified step from the paper's Courant number to where it has a solution. */
static const double HALF = 0.5;

/** Group and parameters of a run. */
static carom_scheme_run prepare(const settings *values, int number) {
    const bool is_lumped = values->bar.mass_matrix == CAROM_ELASTIC_BAR_LUMPED;
    const char *const suffix[] = {
        [PLAIN] = "",
        [FULL_NEWTON] = "_newton",
        [ALGORITHM_1] = "_sequential",
        [HALF_STEP] = "_half_step",
        [OTHER_MASS] = is_lumped ? "_consistent" : "_lumped",
    };
    const carom_scheme scheme = plan[number].scheme;
    const variant kind = plan[number].kind;
    carom_scheme_run run = {.params = carom_scheme_options_params(&values->schemes, scheme)};
    (void)snprintf(run.group, sizeof run.group, "/%s%s", carom_scheme_name(scheme), suffix[kind]);
    if (kind == FULL_NEWTON) {
        run.params.newton = CAROM_NEWTON_MONOLITHIC;
        run.params.use_linear_step = false;
    } else if (kind == ALGORITHM_1) {
        run.params.newton = CAROM_NEWTON_SEQUENTIAL;
        run.params.use_linear_step = false;
        run.params.max_iterations = SEQUENTIAL_ITERATIONS;
    } else if (kind == HALF_STEP) {
        run.params.step *= HALF;
    }
    // What nobody asked for by name may fail, and the modified step need not have a solution.
    run.may_fail = kind != PLAIN || (scheme == CAROM_SCHEME_MODIFIED_LCP &&
                                     values->schemes.scheme == CAROM_SCHEME_COUNT);
    return run;
}

/** The selected runs. */
static void select_runs(results *all) {
    for (int number = 0; number < RUN_COUNT; number++) {
        if (carom_scheme_options_selects(&all->values->schemes, plan[number].scheme)) {
            all->slots[all->count] = number;
            all->runs[all->count++] = prepare(all->values, number);
        }
        if (number < OTHER_NONSMOOTH) {
            all->other_first = all->count;
        }
    }
}

/** Compute and record the runs first .. end-1 with one bar. */
static carom_status run_bar(results *all, const carom_elastic_bar_params *bar, int first, int end,
                            const carom_common_options *common, carom_record *record,
                            carom_report *report) {
    if (first == end) {
        return CAROM_OK;
    }
    carom_model *model = NULL;
    CAROM_TRY(carom_elastic_bar_alloc(bar, &model, report));
    const carom_status status =
        carom_scheme_runs(model, all->values->schemes.duration, all->runs + first, end - first,
                          common, record, report);
    for (int k = first; k < end; k++) {
        all->of[all->slots[k]] = all->runs[k].trajectory;
    }
    carom_model_free(model);
    return status;
}

/** All runs, those with the other mass matrix last. */
static carom_status run_all(results *all, const carom_common_options *common, carom_record *record,
                            carom_report *report) {
    const carom_elastic_bar_params *bar = &all->values->bar;
    carom_elastic_bar_params other = *bar;
    other.mass_matrix = bar->mass_matrix == CAROM_ELASTIC_BAR_LUMPED ? CAROM_ELASTIC_BAR_CONSISTENT
                                                                     : CAROM_ELASTIC_BAR_LUMPED;
    select_runs(all);
    CAROM_TRY(run_bar(all, bar, 0, all->other_first, common, record, report));
    return run_bar(all, &other, all->other_first, all->count, common, record, report);
}

/* --- the exact solution ---------------------------------------------------------------------- */

/** Exact gap at a time. */
static double exact_gap(const carom_elastic_bar_params *bar, double t) {
    double displacement = 0.0;
    double velocity = 0.0;
    carom_elastic_bar_exact_state(bar, 0.0, t, &displacement, &velocity);
    return bar->initial_gap + displacement;
}

/** Exact instant of take-off. */
static double exact_take_off(const carom_elastic_bar_params *bar) {
    return carom_elastic_bar_exact_impact_time(bar) + carom_elastic_bar_exact_contact_duration(bar);
}

/** The instants and sizes of the exact contact, and the Courant number c h / dx. */
static carom_status write_exact(const results *all, carom_record *record) {
    const carom_elastic_bar_params *bar = &all->values->bar;
    const double t_i = carom_elastic_bar_exact_impact_time(bar);
    const double duration = carom_elastic_bar_exact_contact_duration(bar);
    const double force = carom_elastic_bar_exact_contact_force(bar);
    const double courant = 2.0 * bar->elements * all->values->schemes.step / duration;
    CAROM_TRY(carom_record_measure(record, "courant_number", courant, "1",
                                   "Courant number c h / dx of the default step"));
    CAROM_TRY(carom_record_scalar(record, "/exact/contact_duration", duration, "s",
                                  "time that the wave takes to the free end and back"));
    CAROM_TRY(carom_record_scalar(record, "/exact/contact_force", force, "N",
                                  "force on the wall while the contact is closed"));
    if (!isfinite(t_i)) {
        return CAROM_OK;
    }
    const double t_o = exact_take_off(bar);
    const double impulse = force * duration;
    const char axis[] = "/exact/impacts/time";
    CAROM_TRY(carom_record_scalar(record, "/exact/take_off_time", t_o, "s",
                                  "instant at which the wave is back at the wall"));
    CAROM_TRY(carom_record_axis(record, axis, 1, &t_i, "s", "instant of the impact"));
    return carom_record_series(record, "/exact/impacts/impulse", &impulse, axis, NULL, "N s",
                               "impulse of the whole contact");
}

/** Write the travelling wave at the times of a run as /reference; its energy never changes. */
static carom_status write_reference(const carom_elastic_bar_params *bar,
                                    const carom_trajectory *like, carom_record *record) {
    const size_t rows = (size_t)like->row_count;
    const size_t nodes = (size_t)like->coordinate_count;
    double *position = calloc(2 * rows * nodes + 4 * rows, sizeof *position);
    if (position == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    double *velocity = position + rows * nodes;
    double *gap = velocity + rows * nodes;
    double *gap_rate = gap + rows;
    double *force = gap_rate + rows;
    double *energy = force + rows;
    for (size_t row = 0; row < rows; row++) {
        const double t = like->time[row];
        for (size_t i = 0; i < nodes; i++) {
            const double x = bar->length * (double)i / bar->elements;
            const size_t k = row * nodes + i;
            carom_elastic_bar_exact_state(bar, x, t, position + k, velocity + k);
        }
        gap[row] = exact_gap(bar, t);
        gap_rate[row] = velocity[row * nodes];
        const bool is_closed =
            t >= carom_elastic_bar_exact_impact_time(bar) && t < exact_take_off(bar);
        force[row] = is_closed ? carom_elastic_bar_exact_contact_force(bar) : 0.0;
        energy[row] = like->energy[0];
    }

    const char time[] = "/reference/time";
    const char node[] = "/reference/coordinate";
    const char contact[] = "/reference/contact";
    const struct {
        const char *path, *axis, *units, *long_name;
        const double *values;
    } list[] = {
        {"/reference/position", node, "m", "exact displacement of the nodes", position},
        {"/reference/velocity", node, "m s-1", "exact velocity of the nodes", velocity},
        {"/reference/gap", contact, "m", "exact gap", gap},
        {"/reference/gap_rate", contact, "m s-1", "exact rate of the gap", gap_rate},
        {"/reference/contact_force", contact, "N", "exact contact force", force},
        {"/reference/energy", NULL, "J", "mechanical energy, constant", energy},
    };
    carom_status status = carom_record_axis(record, time, like->row_count, like->time, "s", "time");
    if (status == CAROM_OK) {
        status = carom_record_index_axis(record, node, like->coordinate_count,
                                         "number of the generalized coordinate");
    }
    if (status == CAROM_OK) {
        status = carom_record_index_axis(record, contact, 1, "number of the contact");
    }
    for (size_t k = 0; k < sizeof list / sizeof list[0] && status == CAROM_OK; k++) {
        status = carom_record_series(record, list[k].path, list[k].values, time, list[k].axis,
                                     list[k].units, list[k].long_name);
    }
    free(position);
    return status;
}

/* --- questions to a run ---------------------------------------------------------------------- */

/* The plateau of the contact force: this part of the exact contact, without its ends. */
static const double PLATEAU_FROM = 0.3;
static const double PLATEAU_TO = 0.75;

/* A contact counts as over this many steps after the exact take-off. */
static const double STEPS_TO_BE_OVER = 5.0;

/* First steps of the contact, in which one that rattles shows it; most spells that are counted. */
enum { EARLY_STEPS = 10, SPELLS_MAX = 4096 };

static const struct {
    const char *name, *units, *long_name;
} measures[MEASURE_COUNT] = {
    [SMALLEST_GAP] = {"smallest_gap", "m", "smallest gap"},
    [BEGIN_DELAY] = {"begin_delay", "s", "first step with contact minus exact impact"},
    [END_DELAY] = {"end_delay", "s", "last step with contact minus exact take-off"},
    [CLOSED_DURATION] = {"closed_duration", "s", "step size times steps with contact"},
    [SPELLS] = {"spells", "1", "number of times that the contact closes"},
    [CLOSED_RATE] = {"closed_rate", "m s-1", "largest rate from first to last step with contact"},
    [ENERGY_GAIN] = {"energy_gain", "J", "largest gain of energy in a step"},
    [LARGEST_ENERGY] = {"largest_energy", "J", "largest energy"},
    [ENERGY_LOST] = {"energy_lost", "J", "energy lost at the end of the run"},
    [PEAK_FORCE] = {"peak_force", "N", "largest contact force"},
    [PLATEAU_FORCE] = {"plateau_force", "N", "mean force in the middle of the contact"},
    [EARLY_ZEROS] = {"early_zeros", "1", "steps without force among the first ten of the contact"},
    [GAP_ERROR] = {"gap_error", "m s", "integral of the error of the gap"},
    [FINAL_GAP_ERROR] = {"final_gap_error", "m", "error of the gap at the end of the run"},
    [ITERATIONS] = {"iterations", "1", "most iterations of a step"},
    [DISTANCE] = {"distance", "m", "largest difference of the gap from nonsmooth_galpha"},
    [FAILURE_DELAY] = {"failure_delay", "s",
                       "time not reached minus first contact of nonsmooth_galpha"},
};

/** Contact force of a row: lambda, or Lambda / h of the schemes with impulses. */
static double force_at(const carom_trajectory *t, int row) {
    return t->contact_force[row] + t->contact_impulse[row] / t->step;
}

/** First row with a contact force; the number of rows if there is none. */
static int first_closed(const carom_trajectory *t) {
    int row = 0;
    while (row < t->row_count && !(force_at(t, row) > 0.0)) {
        row++;
    }
    return row;
}

/** Last row with a contact force; the first one must exist. */
static int last_closed(const carom_trajectory *t) {
    int row = t->row_count - 1;
    while (!(force_at(t, row) > 0.0)) {
        row--;
    }
    return row;
}

/** What a run with a contact says while the contact may last. */
static void ask_about_contact(const carom_elastic_bar_params *bar, const carom_trajectory *t,
                              double *answer) {
    const int first = first_closed(t);
    const carom_series rate = {t->gap_rate, 1, 0, first, last_closed(t) + 1};
    const carom_series energy = {t->energy, 1, 0, 0, t->row_count};
    int rows[SPELLS_MAX];
    answer[SMALLEST_GAP] = carom_trajectory_smallest_gap(t);
    answer[BEGIN_DELAY] = t->time[first] - carom_elastic_bar_exact_impact_time(bar);
    answer[SPELLS] = carom_trajectory_impacts(t, 0, SPELLS_MAX, rows);
    answer[CLOSED_RATE] = carom_series_magnitude(rate);
    answer[ENERGY_GAIN] = carom_series_largest_increase(energy);
    answer[LARGEST_ENERGY] = carom_series_maximum(energy);
    answer[ITERATIONS] = carom_trajectory_most_iterations(t);
    answer[PEAK_FORCE] = 0.0;
    answer[EARLY_ZEROS] = 0.0;
    for (int row = first; row < t->row_count; row++) {
        const double force = force_at(t, row);
        answer[PEAK_FORCE] = fmax(answer[PEAK_FORCE], force);
        answer[EARLY_ZEROS] += row < first + EARLY_STEPS && !(force > 0.0) ? 1.0 : 0.0;
    }
}

/** What a run says after the contact. */
static void ask_about_rebound(const carom_elastic_bar_params *bar, const carom_trajectory *t,
                              double *answer) {
    const double t_i = carom_elastic_bar_exact_impact_time(bar);
    const double duration = carom_elastic_bar_exact_contact_duration(bar);
    const double from = t_i + PLATEAU_FROM * duration;
    const double to = t_i + PLATEAU_TO * duration;
    const carom_series force = carom_series_window(t, t->contact_force, 1, 0, from, to);
    const carom_series impulse = carom_series_window(t, t->contact_impulse, 1, 0, from, to);
    answer[END_DELAY] = t->time[last_closed(t)] - exact_take_off(bar);
    answer[ENERGY_LOST] = t->energy[0] - t->energy[t->row_count - 1];
    answer[PLATEAU_FORCE] = carom_series_mean(force) + carom_series_mean(impulse) / t->step;
    answer[CLOSED_DURATION] = 0.0;
    answer[GAP_ERROR] = 0.0;
    for (int row = 0; row < t->row_count; row++) {
        answer[CLOSED_DURATION] += force_at(t, row) > 0.0 ? t->step : 0.0;
        answer[FINAL_GAP_ERROR] = fabs(t->gap[row] - exact_gap(bar, t->time[row]));
        answer[GAP_ERROR] += answer[FINAL_GAP_ERROR] * t->step;
    }
}

/** All answers of a run; NaN where a question has none, as after a failure or without a contact. */
static void ask(const carom_elastic_bar_params *bar, const carom_trajectory *t, double *answer) {
    for (int m = 0; m < MEASURE_COUNT; m++) {
        answer[m] = (double)NAN;
    }
    if (t == NULL || t->outcome != CAROM_OK || first_closed(t) == t->row_count) {
        return;
    }
    ask_about_contact(bar, t, answer);
    const double over = exact_take_off(bar) + STEPS_TO_BE_OVER * t->step;
    if (t->time[t->row_count - 1] >= over) {
        ask_about_rebound(bar, t, answer);
    }
}

/** Compare a run with that of the nonsmooth scheme, once it has a contact: its gaps, or where it
 * failed. */
static void compare(const carom_trajectory *t, const carom_trajectory *nonsmooth, double *answer) {
    if (t == NULL || nonsmooth == NULL || t == nonsmooth) {
        return;
    }
    const int first = first_closed(nonsmooth);
    if (first == nonsmooth->row_count) {
        return;
    }
    if (t->outcome != CAROM_OK) {
        answer[FAILURE_DELAY] = t->failure_time - nonsmooth->time[first];
    } else if (t->row_count == nonsmooth->row_count) {
        answer[DISTANCE] = 0.0;
        for (int row = 0; row < t->row_count; row++) {
            answer[DISTANCE] = fmax(answer[DISTANCE], fabs(t->gap[row] - nonsmooth->gap[row]));
        }
    }
}

/** Ask every run everything, and write what has an answer. */
static carom_status write_measures(results *all, carom_record *record) {
    for (int i = 0; i < RUN_COUNT; i++) {
        ask(&all->values->bar, all->of[i], all->numbers[i]);
        compare(all->of[i], all->of[NONSMOOTH], all->numbers[i]);
    }
    char name[96];
    for (int k = 0; k < all->count; k++) {
        for (int m = 0; m < MEASURE_COUNT; m++) {
            const double number = all->numbers[all->slots[k]][m];
            (void)snprintf(name, sizeof name, "%s_%s", measures[m].name, all->runs[k].group + 1);
            if (!isnan(number)) {
                CAROM_TRY(carom_record_measure(record, name, number, measures[m].units,
                                               measures[m].long_name));
            }
        }
    }
    return CAROM_OK;
}

/* --- statements ------------------------------------------------------------------------------ */

/** What a bound is a multiple of. */
typedef enum scale {
    ONE,
    LENGTH,    /**< the larger of d_0 and L */
    SPEED,     /**< v_0 */
    FORCE,     /**< exact contact force */
    ENERGY,    /**< initial energy */
    STEP,      /**< h */
    TRAVEL,    /**< h v_0 */
    WAY_BACK,  /**< exact gap at the end */
    OF_MOREAU, /**< the same measure of Moreau-Jean on the same bar */
} scale;

/** A set of runs. */
#define IN(run) (1u << (run))
#define THE_THREE (IN(NONSMOOTH) | IN(MOREAU) | IN(SMOOTH))
#define THE_TWO (IN(NONSMOOTH) | IN(MOREAU))

/** lower < a measure of every run of a set < upper, in units of a scale. */
typedef struct condition {
    const char *claim;     /**< conditions of one name follow each other and hold together */
    const char *statement; /**< with the first of them */
    unsigned runs;
    measure what;
    double lower;
    double upper;
    scale unit;
} condition;

/* Roundoff of numbers of this size, with a margin of some hundred units in the last place. */
#define ROUNDOFF 1e-13
/* A contact is timed to two steps at either end. */
#define TIMING 2.0
/* Visible in the paper's figures: of a step's travel, of the way back, of the energy. */
#define VISIBLE_DEPTH 0.01
#define VISIBLE_WAY 0.05
#define VISIBLE_GAIN 0.002
/* Below a hundredth of what the eye sees, above what the restarts of the smooth motion add. */
#define INVISIBLE_GAIN 1e-5
/* The overshoot of a front that the mesh smears, against that of a contact that rattles. */
#define OVERSHOOT 1.05
#define RATTLE 2.0
/* The force of the plateau has been reached: 0.01 N in 300 N. */
#define PLATEAU (0.01 / 300.0)
/* Two solutions of the same steps agree to their tolerance, added up over the run. */
#define SAME_MOTION 1e-9

/*[elasticBarClaims]*/
static const condition conditions[] = {
    {"nonsmooth_galpha_does_not_penetrate", "the nonsmooth scheme does not penetrate the wall",
     IN(NONSMOOTH) | IN(OTHER_NONSMOOTH), SMALLEST_GAP, -ROUNDOFF, HUGE_VAL, LENGTH},
    {"moreau_jean_penetrates", "the Moreau-Jean scheme penetrates the wall", IN(MOREAU),
     SMALLEST_GAP, -HUGE_VAL, -VISIBLE_DEPTH, TRAVEL},
    {"velocity_constraint_is_satisfied",
     "in the contact the wall end rests under the nonsmooth and Moreau-Jean schemes", THE_TWO,
     CLOSED_RATE, -1.0, ROUNDOFF, SPEED},
    {"nonsmooth_galpha_dissipates_less",
     "the nonsmooth scheme loses less than a quarter of the energy that Moreau-Jean loses",
     IN(NONSMOOTH) | IN(OTHER_NONSMOOTH), ENERGY_LOST, 0.0, 0.25, OF_MOREAU},
    /*[end elasticBarClaims]*/
    {"contact_is_closed_for_a_finite_time",
     "the three schemes close and open the contact within two steps of the exact instants",
     THE_THREE, BEGIN_DELAY, -TIMING, TIMING, STEP},
    {"contact_is_closed_for_a_finite_time", NULL, THE_THREE, END_DELAY, -TIMING, TIMING, STEP},
    {"results_are_reasonable", "the three schemes return the bar to within 5 % of the exact gap",
     THE_THREE, FINAL_GAP_ERROR, 0.0, VISIBLE_WAY, WAY_BACK},
    {"smooth_galpha_oscillates", "under the smooth scheme the contact opens again before take-off",
     IN(SMOOTH), SPELLS, RATTLE, HUGE_VAL, ONE},
    {"nonsmooth_galpha_returns_closer",
     "the nonsmooth scheme returns the bar closer to its exact position than Moreau-Jean",
     IN(NONSMOOTH), FINAL_GAP_ERROR, 0.0, 1.0, OF_MOREAU},
    {"smooth_galpha_violates_the_velocity_constraint",
     "under the smooth scheme the wall end moves at half the impact speed in the contact",
     IN(SMOOTH), CLOSED_RATE, 0.5, HUGE_VAL, SPEED},
    {"smooth_galpha_energy_is_not_monotone", "the energy of the smooth scheme rises and falls",
     IN(SMOOTH), ENERGY_GAIN, VISIBLE_GAIN, HUGE_VAL, ENERGY},
    {"nonsmooth_energies_are_monotone", "the other schemes never gain energy that could be seen",
     THE_TWO | IN(OTHER_NONSMOOTH) | IN(OTHER_MOREAU), ENERGY_GAIN, -1.0, INVISIBLE_GAIN, ENERGY},
    {"smooth_galpha_force_oscillates",
     "the contact force of the smooth scheme overshoots twofold and vanishes within ten steps",
     IN(SMOOTH), PEAK_FORCE, RATTLE, HUGE_VAL, FORCE},
    {"smooth_galpha_force_oscillates", NULL, IN(SMOOTH), EARLY_ZEROS, 0.5, HUGE_VAL, ONE},
    {"nonsmooth_forces_are_stable",
     "the nonsmooth and Moreau-Jean contact forces overshoot by less than 5 % and never vanish",
     THE_TWO, PEAK_FORCE, 1.0, OVERSHOOT, FORCE},
    {"nonsmooth_forces_are_stable", NULL, THE_TWO, EARLY_ZEROS, -0.5, 0.5, ONE},
    {"impulse_over_step_is_the_force", "Lambda / h settles on the exact contact force", THE_TWO,
     PLATEAU_FORCE, 1.0 - PLATEAU, 1.0 + PLATEAU, FORCE},
    {"full_newton_is_fast", "the full Newton matrix gives each step in three iterations or fewer",
     IN(NEWTON), ITERATIONS, 0.5, 3.5, ONE},
    {"full_newton_is_fast", NULL, IN(NEWTON), DISTANCE, -1.0, SAME_MOTION, LENGTH},
    {"sequential_algorithm_converges", "algorithm 1 converges in every step to the same motion",
     IN(SEQUENTIAL), DISTANCE, -1.0, SAME_MOTION, LENGTH},
    {"modified_lcp_step_has_no_solution",
     "the modified step in which the contact is to close fails", IN(MODIFIED), FAILURE_DELAY, -0.5,
     0.5, STEP},
    {"modified_lcp_chatters", "at half the step size the modified scheme chatters",
     IN(MODIFIED_HALF), SPELLS, RATTLE, HUGE_VAL, ONE},
};
enum { CONDITION_COUNT = sizeof conditions / sizeof conditions[0] };

/** The unit of a condition's bounds for one run. */
static double unit_of(const results *all, const condition *is, int run) {
    const carom_elastic_bar_params *bar = &all->values->bar;
    const double h = all->values->schemes.step;
    switch (is->unit) {
    case ONE:
        return 1.0;
    case LENGTH:
        return fmax(bar->initial_gap, bar->length);
    case SPEED:
        return bar->initial_velocity;
    case FORCE:
        return carom_elastic_bar_exact_contact_force(bar);
    case ENERGY:
        return all->of[run]->energy[0];
    case STEP:
        return h;
    case TRAVEL:
        return h * bar->initial_velocity;
    case WAY_BACK:
        return exact_gap(bar, all->values->schemes.duration);
    case OF_MOREAU:
        return all->numbers[run >= OTHER_NONSMOOTH ? OTHER_MOREAU : MOREAU][is->what];
    }
    return (double)NAN;
}

/** Whether a condition holds in its runs; is_answered becomes false if one of them has no answer.
 */
static bool holds(const results *all, const condition *is, bool *is_answered) {
    bool is_true = true;
    for (int run = 0; run < RUN_COUNT; run++) {
        if ((is->runs & IN(run)) != 0) {
            const double number = all->numbers[run][is->what];
            const double unit = isnan(number) ? (double)NAN : unit_of(all, is, run);
            *is_answered = *is_answered && !isnan(unit);
            is_true = is_true && number > is->lower * unit && number < is->upper * unit;
        }
    }
    return is_true;
}

/** Decide and write the statements that these runs can answer. */
static carom_status write_claims(const results *all, carom_record *record) {
    int next = 0;
    for (int first = 0; first < CONDITION_COUNT; first = next) {
        const char *claim = conditions[first].claim;
        bool is_answered = true;
        bool is_true = true;
        for (next = first; next < CONDITION_COUNT && strcmp(conditions[next].claim, claim) == 0;
             next++) {
            is_true = holds(all, &conditions[next], &is_answered) && is_true;
        }
        if (is_answered) {
            CAROM_TRY(carom_record_claim(record, claim, is_true, conditions[first].statement));
        }
    }
    return CAROM_OK;
}

/* --- refinement ------------------------------------------------------------------------------ */

/* Meshes of N/8, N/4, N/2 and N elements, each with the Courant number of the last. */
enum { LEVELS = 4, COARSEST = 8 };

/** Energy lost and error of the gap of one scheme on one mesh. */
static carom_status refine(const results *all, carom_scheme scheme, int divisor, double *lost,
                           double *error, carom_report *report) {
    const settings *values = all->values;
    carom_elastic_bar_params bar = values->bar;
    carom_stepper_params params = carom_scheme_options_params(&values->schemes, scheme);
    bar.elements /= divisor;
    params.step *= divisor;
    carom_model *model = NULL;
    carom_trajectory *run = NULL;
    CAROM_TRY(carom_elastic_bar_alloc(&bar, &model, report));
    const carom_status status = carom_trajectory_run(
        &model->mechanism, &params, model->initial_position, model->initial_velocity,
        values->schemes.duration, NULL, NULL, &run, report);
    double answer[MEASURE_COUNT];
    ask(&bar, run, answer);
    *lost = answer[ENERGY_LOST];
    *error = answer[GAP_ERROR];
    carom_trajectory_free(run);
    carom_model_free(model);
    return status;
}

/** Write one scheme over all meshes, and the order of its error. */
static carom_status write_refined(const results *all, carom_scheme scheme, const char *axis,
                                  carom_record *record, carom_report *report) {
    double lost[LEVELS];
    double error[LEVELS];
    for (int k = 0; k < LEVELS; k++) {
        CAROM_TRY(refine(all, scheme, COARSEST >> k, &lost[k], &error[k], report));
    }
    char path[96];
    const char *name = carom_scheme_name(scheme);
    (void)snprintf(path, sizeof path, "/refinement/%s_energy_lost", name);
    CAROM_TRY(carom_record_series(record, path, lost, axis, NULL, "J",
                                  "energy lost at the end of the run"));
    (void)snprintf(path, sizeof path, "/refinement/%s_gap_error", name);
    CAROM_TRY(carom_record_series(record, path, error, axis, NULL, "m s",
                                  "integral of the error of the gap"));

    /* Mean slope from the coarsest to the finest mesh. */
    const double order = log2(error[0] / error[LEVELS - 1]) / log2(COARSEST);
    if (!isfinite(order)) {
        return CAROM_OK;
    }
    (void)snprintf(path, sizeof path, "refinement_order_%s", name);
    return carom_record_measure(record, path, order, "1", "mean order of the error of the gap");
}

/** Both nonsmooth schemes on refined meshes, where the mesh and the duration allow four levels. */
static carom_status write_refinement(const results *all, carom_record *record,
                                     carom_report *report) {
    const carom_scheme schemes[] = {CAROM_SCHEME_NONSMOOTH_GALPHA, CAROM_SCHEME_MOREAU_JEAN};
    const settings *values = all->values;
    const int elements = values->bar.elements;
    if ((all->of[NONSMOOTH] == NULL && all->of[MOREAU] == NULL) || elements % COARSEST != 0 ||
        values->schemes.step * COARSEST > values->schemes.duration) {
        return CAROM_OK;
    }
    double numbers[LEVELS];
    double steps[LEVELS];
    for (int k = 0; k < LEVELS; k++) {
        const int divisor = COARSEST >> k;
        const int divided = elements / divisor;
        numbers[k] = divided;
        steps[k] = values->schemes.step * divisor;
    }
    const char axis[] = "/refinement/elements";
    CAROM_TRY(carom_record_axis(record, axis, LEVELS, numbers, "1", "number of elements"));
    CAROM_TRY(
        carom_record_series(record, "/refinement/step", steps, axis, NULL, "s", "step size h"));
    for (int k = 0; k < 2; k++) {
        if (all->of[schemes[k]] != NULL) {
            CAROM_TRY(write_refined(all, schemes[k], axis, record, report));
        }
    }
    return CAROM_OK;
}

/* --- program --------------------------------------------------------------------------------- */

/** Refuse what the options cannot see one by one, before anything is written. */
static carom_status check(void *context, carom_report *report) {
    settings *values = context;
    values->bar.mass_matrix = (carom_elastic_bar_mass)values->mass_matrix;
    CAROM_TRY(carom_scheme_options_check(&values->schemes, report));
    carom_model *model = NULL;
    CAROM_TRY(carom_elastic_bar_alloc(&values->bar, &model, report));
    carom_model_free(model);
    return CAROM_OK;
}

/** Everything that follows from the runs. */
static carom_status write_answers(results *all, carom_record *record, carom_report *report) {
    CAROM_TRY(write_exact(all, record));
    CAROM_TRY(write_reference(&all->values->bar, all->runs[0].trajectory, record));
    CAROM_TRY(write_measures(all, record));
    CAROM_TRY(write_claims(all, record));
    return write_refinement(all, record, report);
}

static carom_status body(carom_record *record, const carom_common_options *common, void *context,
                         carom_report *report) {
    results *all = calloc(1, sizeof *all);
    if (all == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    all->values = context;
    carom_status status = run_all(all, common, record, report);
    if (status == CAROM_OK) {
        status = write_answers(all, record, report);
    }
    for (int k = 0; k < all->count; k++) {
        carom_trajectory_free(all->runs[k].trajectory);
    }
    free(all);
    return status;
}

int main(int argc, char **argv) {
    settings values = {
        .bar = carom_elastic_bar_params_default(),
        .mass_matrix = CAROM_ELASTIC_BAR_CONSISTENT,
        .schemes = carom_scheme_options_default(2e-3, 2.0),
    };
    carom_elastic_bar_params *bar = &values.bar;
    enum { OWN_OPTION_COUNT = 9, OPTION_COUNT = OWN_OPTION_COUNT + CAROM_SCHEME_OPTION_COUNT };
    carom_option options[OPTION_COUNT] = {
        {"young-modulus", CAROM_OPTION_REAL, &bar->young_modulus, "Pa", "Young's modulus E",
         CAROM_RANGE_POSITIVE, NULL},
        {"density", CAROM_OPTION_REAL, &bar->density, "kg m-3", "density rho", CAROM_RANGE_POSITIVE,
         NULL},
        {"length", CAROM_OPTION_REAL, &bar->length, "m", "undeformed length L",
         CAROM_RANGE_POSITIVE, NULL},
        {"section", CAROM_OPTION_REAL, &bar->section, "m2", "area A of the cross-section",
         CAROM_RANGE_POSITIVE, NULL},
        {"initial-gap", CAROM_OPTION_REAL, &bar->initial_gap, "m", "distance d_0 from the wall",
         CAROM_RANGE_ANY, NULL},
        {"initial-velocity", CAROM_OPTION_REAL, &bar->initial_velocity, "m s-1",
         "speed v_0 towards the wall", CAROM_RANGE_ANY, NULL},
        {"restitution", CAROM_OPTION_REAL, &bar->restitution, "1", "coefficient e of the impacts",
         CAROM_RANGE_UNIT_INTERVAL, NULL},
        {"elements", CAROM_OPTION_INTEGER, &bar->elements, "1", "number of elements",
         CAROM_RANGE_POSITIVE, NULL},
        {"mass-matrix", CAROM_OPTION_CHOICE, &values.mass_matrix, NULL,
         "how the mass of an element is shared between its nodes", CAROM_RANGE_ANY,
         "consistent|lumped"},
    };
    carom_scheme_options_append(&values.schemes, options + OWN_OPTION_COUNT);
    const carom_program program = {
        .name = "elastic_bar",
        .title = "An elastic bar against a rigid wall",
        .source = "bruls-2014",
        .schema = "elastic_bar 1",
    };
    return carom_experiment_main(&program, argc, argv, options, OPTION_COUNT, check, body, &values);
}
