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
 *
 * The schemes are compared with the travelling wave of d'Alembert, and two of them repeated on
 * coarser meshes; elastic_bar/dissipation.c adds what they leave of a free vibration. What the
 * paper says of them is asked of the record, in data/published/elastic_bar.csv.
 */
#include "elastic_bar/dissipation.h"

#include <carom/drawing/models.h>
#include <carom/program/memory.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** Number of rows of a table. */
#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/** Bytes of an element at least: two rows of the initial state, mass and stiffness in bands. */
#define ELEMENT_SIZE 64.0

/** Parameters of the command line. */
typedef struct settings {
    carom_elastic_bar_params bar;
    int mass_matrix; /**< the option behind bar.mass_matrix: index into "consistent|lumped" */
    carom_scheme_options schemes;
} settings;

/* --- the runs --------------------------------------------------------------------------------- */

/* The block that algorithm 1 drops grows with the Courant number, and its iterations with it. */
static const int SEQUENTIAL_ITERATIONS = 200;

/** Beside the selected schemes: the proposed one with the full Newton matrix instead of the exact
 * linear step, and by algorithm 1; the modified one at half the step, since at the paper's Courant
 * number it need not have a solution. */
static void plan_bar(carom_scheme_plan *plan) {
    static const carom_scheme proposed = CAROM_SCHEME_NONSMOOTH_GALPHA;
    static const carom_scheme modified = CAROM_SCHEME_MODIFIED_LCP;
    for (int i = 0; plan->options->scheme == CAROM_SCHEME_COUNT && i < plan->count; i++) {
        plan->runs[i].may_fail = plan->runs[i].params.scheme == modified;
    }
    if (carom_scheme_options_selects(plan->options, proposed)) {
        carom_scheme_run *run = carom_scheme_plan_add(plan, proposed, "nonsmooth_galpha_newton");
        run->params.newton = CAROM_NEWTON_MONOLITHIC;
        run->params.use_linear_step = false;
        run = carom_scheme_plan_add(plan, proposed, "nonsmooth_galpha_sequential");
        run->params.newton = CAROM_NEWTON_SEQUENTIAL;
        run->params.use_linear_step = false;
        run->params.max_iterations = SEQUENTIAL_ITERATIONS;
    }
    if (carom_scheme_options_selects(plan->options, modified)) {
        carom_scheme_plan_add(plan, modified, "modified_lcp_half_step")->params.step *= 0.5;
    }
}

/** The schemes of the figures with the mass matrix that was not asked for; they may fail. */
static void plan_other_bar(carom_scheme_plan *plan, carom_elastic_bar_mass mass) {
    static const carom_scheme schemes[] = {CAROM_SCHEME_NONSMOOTH_GALPHA, CAROM_SCHEME_MOREAU_JEAN,
                                           CAROM_SCHEME_SMOOTH_GALPHA};
    plan->count = 0;
    for (int i = 0; i < COUNT(schemes); i++) {
        if (carom_scheme_options_selects(plan->options, schemes[i])) {
            char group[48];
            (void)snprintf(group, sizeof group, "%s_%s", carom_scheme_name(schemes[i]),
                           mass == CAROM_ELASTIC_BAR_LUMPED ? "lumped" : "consistent");
            (void)carom_scheme_plan_add(plan, schemes[i], group);
        }
    }
}

/** Run the schemes on the bar with the other mass matrix. */
static carom_status run_other_bar(const settings *values, const carom_common_options *common,
                                  carom_record *record, carom_report *report) {
    carom_elastic_bar_params bar = values->bar;
    bar.mass_matrix = bar.mass_matrix == CAROM_ELASTIC_BAR_LUMPED ? CAROM_ELASTIC_BAR_CONSISTENT
                                                                  : CAROM_ELASTIC_BAR_LUMPED;
    CAROM_AUTO(carom_model) model = NULL;
    CAROM_AUTO(carom_scheme_plan) plan = NULL;
    CAROM_TRY(carom_elastic_bar_alloc(&bar, &model, report));
    CAROM_TRY(carom_scheme_plan_alloc(&values->schemes, &model->mechanism, &plan));
    plan_other_bar(plan, bar.mass_matrix);
    return plan->count == 0 ? CAROM_OK
                            : carom_scheme_runs(model, values->schemes.duration, plan->runs,
                                                plan->count, common, record, report);
}

/* --- the exact motion ------------------------------------------------------------------------- */

/** Exact gap at a time, m. */
static double exact_gap(const carom_elastic_bar_params *bar, double t) {
    double displacement = 0.0;
    double velocity = 0.0;
    carom_elastic_bar_exact_state(bar, 0.0, t, &displacement, &velocity);
    return bar->initial_gap + displacement;
}

/** Exact instant of take-off, s; infinite if there is no impact. */
static double exact_take_off(const carom_elastic_bar_params *bar) {
    return carom_elastic_bar_exact_impact_time(bar) + carom_elastic_bar_exact_contact_duration(bar);
}

/** The end at the wall, and what the wall does, at a time of the runs. */
typedef struct exact_row {
    double time;     /**< s */
    double gap[1];   /**< m */
    double rate[1];  /**< m/s */
    double force[1]; /**< N */
    double energy;   /**< J: the exact bar keeps that of the beginning */
} exact_row;

static const carom_field EXACT_FIELDS[] = {
    CAROM_FIELD("time", exact_row, time, "s", "time"),
    CAROM_FIELD_ARRAY("gap", exact_row, gap, "contact", "m", "exact gap"),
    CAROM_FIELD_ARRAY("gap_rate", exact_row, rate, "contact", "m s-1", "exact rate of the gap"),
    CAROM_FIELD_ARRAY("contact_force", exact_row, force, "contact", "N", "exact contact force"),
    CAROM_FIELD("energy", exact_row, energy, "J", "mechanical energy, constant"),
};

/** Times of a run that are recorded, 8 bytes against its rows of kilobytes. */
typedef struct time_grid {
    double *times; /**< [count] s, owned */
    int count;
    double energy; /**< at the first of them, J */
} time_grid;

static void time_grid_clear(time_grid *grid) {
    free(grid->times);
}

/** Keep the times of the next rows. */
static carom_status keep_times(const carom_trajectory *rows, void *context, carom_report *report) {
    (void)report;
    time_grid *grid = context;
    const size_t more = (size_t)rows->row_count;
    double *times = realloc(grid->times, ((size_t)grid->count + more + 1) * sizeof *times);
    if (times == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    memcpy(times + grid->count, rows->time, more * sizeof *times);
    grid->energy = rows->first_row == 0 ? rows->energy[0] : grid->energy;
    grid->times = times;
    grid->count += rows->row_count;
    return CAROM_OK;
}

static exact_row exact_row_at(const carom_elastic_bar_params *bar, double energy, double time) {
    const double impact = carom_elastic_bar_exact_impact_time(bar);
    exact_row row = {.time = time, .energy = energy};
    double displacement = 0.0;
    carom_elastic_bar_exact_state(bar, 0.0, time, &displacement, row.rate);
    row.gap[0] = bar->initial_gap + displacement;
    row.force[0] = time >= impact && time < exact_take_off(bar)
                       ? carom_elastic_bar_exact_contact_force(bar)
                       : 0.0;
    return row;
}

/** The exact motion at the times of a run: /reference. */
static void write_reference(const carom_elastic_bar_params *bar, const time_grid *grid,
                            carom_record *record) {
    enum { BLOCK_ROWS = 1024 };
    exact_row rows[BLOCK_ROWS];
    carom_record group = carom_record_group(record, "/reference");
    carom_record_index_axis(&group, "contact", 1, "number of the contact");
    carom_recorder recorder = carom_recorder_begin(&group, "time", grid->count);
    for (int first = 0, count = 0; first < grid->count; first += count) {
        const int left = grid->count - first;
        count = left < BLOCK_ROWS ? left : BLOCK_ROWS;
        for (int i = 0; i < count; i++) {
            rows[i] = exact_row_at(bar, grid->energy, grid->times[first + i]);
        }
        carom_recorder_append_rows(&recorder, rows, count, sizeof *rows, EXACT_FIELDS,
                                   COUNT(EXACT_FIELDS));
    }
    carom_recorder_end(&recorder);
}

/** Instants and force of the exact contact: /exact. */
static void write_contact(const carom_elastic_bar_params *bar, carom_record *record) {
    const double impact = carom_elastic_bar_exact_impact_time(bar);
    carom_record exact = carom_record_group(record, "/exact");
    carom_record_scalar(&exact, "contact_duration", carom_elastic_bar_exact_contact_duration(bar),
                        "s", "time that the wave takes to the free end and back");
    carom_record_scalar(&exact, "contact_force", carom_elastic_bar_exact_contact_force(bar), "N",
                        "force on the wall while the contact is closed");
    if (isfinite(impact)) {
        carom_record_scalar(&exact, "take_off_time", exact_take_off(bar), "s",
                            "instant at which the wave is back at the wall");
        carom_record_axis(&exact, "impacts/time", 1, &impact, "s", "instant of the impact");
    }
}

/* --- coarser meshes --------------------------------------------------------------------------- */

/* Meshes of N/8, N/4, N/2 and N elements, each with the Courant number of the last. */
enum { LEVELS = 4, COARSEST = 8 };

/* A contact counts as over this many steps after the exact take-off. */
static const double STEPS_TO_BE_OVER = 5.0;

/** A mesh, and what the two schemes with impulses make of it; NaN if a run does not tell. */
typedef struct mesh {
    double elements;
    double step;            /**< s */
    double nonsmooth_lost;  /**< J */
    double nonsmooth_error; /**< m s */
    double moreau_lost;     /**< J */
    double moreau_error;    /**< m s */
} mesh;

static const carom_field MESH_FIELDS[] = {
    CAROM_FIELD("elements", mesh, elements, "1", "number of elements"),
    CAROM_FIELD("step", mesh, step, "s", "step size h"),
};
#define LOST "energy lost at the end of the run; NaN: it ends before the rebound"
#define ERROR "integral of the error of the gap; NaN: the run ends before the rebound"
static const carom_field NONSMOOTH_FIELDS[] = {
    CAROM_FIELD("nonsmooth_galpha_energy_lost", mesh, nonsmooth_lost, "J", LOST),
    CAROM_FIELD("nonsmooth_galpha_gap_error", mesh, nonsmooth_error, "m s", ERROR),
};
static const carom_field MOREAU_FIELDS[] = {
    CAROM_FIELD("moreau_jean_energy_lost", mesh, moreau_lost, "J", LOST),
    CAROM_FIELD("moreau_jean_gap_error", mesh, moreau_error, "m s", ERROR),
};

/** What is seen of a run on a mesh on the way. */
typedef struct mesh_run {
    bool has_contact; /**< some impact has been seen */
    double start;     /**< energy, J */
    double end;       /**< energy of the last row, J */
    double time;      /**< of the last row, s */
    double error;     /**< integral of the error of the gap, m s */
} mesh_run;

/** Look at the next rows. An impact is the first row of a spell of contact, not that of the start.
 */
static void watch_mesh(const carom_elastic_bar_params *bar, const carom_trajectory *t,
                       bool *was_pressed, mesh_run *seen) {
    for (int row = 0; row < t->row_count; row++) {
        const bool is_pressed = carom_trajectory_is_pressed(t, 0, row);
        const bool is_start = t->first_row + row == 0;
        seen->has_contact = seen->has_contact || (!is_start && is_pressed && !*was_pressed);
        *was_pressed = is_pressed;
        seen->start = is_start ? t->energy[row] : seen->start;
        seen->end = t->energy[row];
        seen->time = t->time[row];
        seen->error += fabs(t->gap[row] - exact_gap(bar, t->time[row])) * t->step;
    }
}

/** Energy lost and error of the gap of one scheme on one mesh. */
static carom_status refine(const settings *values, carom_scheme scheme, int divisor, double *lost,
                           double *error, carom_report *report) {
    enum { BLOCK_ROWS = 1024 };
    carom_elastic_bar_params bar = values->bar;
    carom_stepper_params params = carom_scheme_options_params(&values->schemes, scheme);
    bar.elements /= divisor;
    params.step *= divisor;
    const carom_stepper_run_params asked = {.duration = values->schemes.duration,
                                            .block_rows = BLOCK_ROWS};
    CAROM_AUTO(carom_model) model = NULL;
    CAROM_AUTO(carom_stepper_run) run = NULL;
    const carom_trajectory *t = NULL;
    mesh_run seen = {.has_contact = false};
    bool was_pressed = false;
    CAROM_TRY(carom_elastic_bar_alloc(&bar, &model, report));
    CAROM_TRY(carom_stepper_run_alloc(&model->mechanism, &params, &asked, model->initial_position,
                                      model->initial_velocity, &run, report));
    do {
        CAROM_TRY(carom_stepper_run_next(run, &t, report));
        watch_mesh(&bar, t, &was_pressed, &seen);
    } while (t->row_count > 0);
    const double over = exact_take_off(&bar) + STEPS_TO_BE_OVER * t->step;
    const bool is_told = seen.has_contact && seen.time >= over;
    *lost = is_told ? seen.start - seen.end : (double)NAN;
    *error = is_told ? seen.error : (double)NAN;
    return CAROM_OK;
}

/** Run and write the selected schemes with impulses on coarser meshes, where number of elements and
 * duration allow all levels: /refinement. */
static carom_status write_refinement(const settings *values, carom_record *record,
                                     carom_report *report) {
    const carom_scheme_options *schemes = &values->schemes;
    const bool with_nonsmooth =
        carom_scheme_options_selects(schemes, CAROM_SCHEME_NONSMOOTH_GALPHA);
    const bool with_moreau = carom_scheme_options_selects(schemes, CAROM_SCHEME_MOREAU_JEAN);
    if ((!with_nonsmooth && !with_moreau) || values->bar.elements % COARSEST != 0 ||
        schemes->step * COARSEST > schemes->duration) {
        return CAROM_OK;
    }
    mesh meshes[LEVELS] = {{0}};
    for (int k = 0; k < LEVELS; k++) {
        mesh *m = &meshes[k];
        const int divisor = COARSEST >> k;
        const int elements = values->bar.elements / divisor;
        m->elements = elements;
        m->step = schemes->step * divisor;
        if (with_nonsmooth) {
            CAROM_TRY(refine(values, CAROM_SCHEME_NONSMOOTH_GALPHA, divisor, &m->nonsmooth_lost,
                             &m->nonsmooth_error, report));
        }
        if (with_moreau) {
            CAROM_TRY(refine(values, CAROM_SCHEME_MOREAU_JEAN, divisor, &m->moreau_lost,
                             &m->moreau_error, report));
        }
    }
    carom_record group = carom_record_group(record, "/refinement");
    carom_record_rows(&group, "elements", meshes, LEVELS, sizeof *meshes, MESH_FIELDS,
                      COUNT(MESH_FIELDS));
    if (with_nonsmooth) {
        carom_record_rows(&group, "elements", meshes, LEVELS, sizeof *meshes, NONSMOOTH_FIELDS,
                          COUNT(NONSMOOTH_FIELDS));
    }
    if (with_moreau) {
        carom_record_rows(&group, "elements", meshes, LEVELS, sizeof *meshes, MOREAU_FIELDS,
                          COUNT(MOREAU_FIELDS));
    }
    return CAROM_OK;
}

/* --- the program ------------------------------------------------------------------------------ */

/** Refuse options that do not fit together, before anything is written. */
static carom_status check(void *context, carom_report *report) {
    settings *values = context;
    values->bar.mass_matrix = (carom_elastic_bar_mass)values->mass_matrix;
    CAROM_AUTO(carom_model) model = NULL;
    CAROM_TRY(carom_scheme_options_check(&values->schemes, report));
    CAROM_TRY(carom_memory_check(values->bar.elements, ELEMENT_SIZE, "elements", report));
    return carom_elastic_bar_alloc(&values->bar, &model, report);
}

static carom_status body(carom_record *record, const carom_common_options *common, void *context,
                         carom_report *report) {
    const settings *values = context;
    CAROM_AUTO(carom_model) model = NULL;
    CAROM_AUTO(carom_scheme_plan) plan = NULL;
    CAROM_TRY(carom_elastic_bar_alloc(&values->bar, &model, report));
    CAROM_TRY(carom_scheme_plan_alloc(&values->schemes, &model->mechanism, &plan));
    plan_bar(plan);
    CAROM_AUTO_VALUE(time_grid) grid = {.count = 0};
    plan->runs[0].beside = (carom_trajectory_listener){keep_times, &grid};
    CAROM_TRY(carom_scheme_runs(model, values->schemes.duration, plan->runs, plan->count, common,
                                record, report));
    CAROM_TRY(carom_geometry_record_elastic_bar(record, &values->bar));
    CAROM_TRY(run_other_bar(values, common, record, report));
    write_contact(&values->bar, record);
    write_reference(&values->bar, &grid, record);
    CAROM_TRY(write_refinement(values, record, report));
    return elastic_bar_write_dissipation(&values->schemes, record);
}

/** The parameters, as the command line sets them. */
static const carom_option options[] = {
    CAROM_REAL("young-modulus", settings, bar.young_modulus, "Pa", "Young's modulus E", "positive"),
    CAROM_REAL("density", settings, bar.density, "kg m-3", "density rho", "positive"),
    CAROM_REAL("length", settings, bar.length, "m", "undeformed length L", "positive"),
    CAROM_REAL("section", settings, bar.section, "m2", "area A of the cross-section", "positive"),
    CAROM_REAL("initial-gap", settings, bar.initial_gap, "m", "distance d_0 from the wall", "any"),
    CAROM_REAL("initial-velocity", settings, bar.initial_velocity, "m s-1",
               "speed v_0 towards the wall", "any"),
    CAROM_REAL("restitution", settings, bar.restitution, "1", "coefficient e of the impacts",
               "[0, 1]"),
    CAROM_INTEGER("elements", settings, bar.elements, "1", "number of elements", "positive"),
    CAROM_CHOICE("mass-matrix", settings, mass_matrix,
                 "how the mass of an element is shared between its nodes", "consistent|lumped"),
    CAROM_OPTIONS_OF(settings, schemes, carom_scheme_options_table),
};

int main(int argc, char **argv) {
    settings values = {
        .bar = carom_elastic_bar_params_default(),
        .mass_matrix = CAROM_ELASTIC_BAR_CONSISTENT,
        .schemes = carom_scheme_options_default(2e-3, 2.0),
    };
    const carom_program program = {
        .name = "elastic_bar",
        .title = "An elastic bar against a rigid wall",
        .source = "bruls-2014",
        .schema = "elastic_bar 1",
        .options = CAROM_OPTIONS(options),
        .has_contact_steps = true,
        .has_recorded_steps = true,
        CAROM_TABLES(carom_scheme_tables),
    };
    return carom_experiment_main(&program, argc, argv, check, body, &values);
}
