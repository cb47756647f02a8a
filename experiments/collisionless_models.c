/**
 * collisionless_models: motions without collisions of systems with two degrees of freedom: hopper,
 * juggler, extended rimless wheel, coronal rocking (pankov-2024 section 4, figure 1, appendix C).
 *
 *     m x'' + k x = e_2 F_2,   F_2 = 0 or x_2 = x_2^0,   x_2' = x_2'' = 0 at every impact
 *
 * Impact times by the closed forms (24), (26), (28) and by the solver for any number of degrees of
 * freedom; the motion of one root extended over a period, and integrated event by event with
 * perfectly plastic contact. The paper prints no parameters and no matrices for these systems: unit
 * masses, lengths, stiffness and gravity are chosen, and unit half angles, the motion being
 * proportional to them. What the paper says is asked of the record, in
 * data/published/collisionless_models.csv.
 */
#include <carom/collisionless/motion/internal.h>

#include "collisionless_models/gaits.h"

#include <gsl/gsl_math.h>

/* --- series ----------------------------------------------------------------------------------- */

/** n = 2, 4, .., 512 for powers of 1/n; n from the first usable one for exponentials. */
enum { DOUBLINGS = 9, EXPONENTIALS = 12 };

/** Errors of the two series of a root, and the size of the first term that each leaves out. */
typedef struct series_error {
    double n;
    double root;
    double root_next;
    double phase;
    double phase_next;
} series_error;

static const carom_field POWER_FIELDS[] = {
    CAROM_FIELD("n", series_error, n, "1", "n of the root"),
    CAROM_FIELD("alpha_error", series_error, root, "rad", "error of the series of alpha_n"),
    CAROM_FIELD("alpha_next", series_error, root_next, "rad", "first term left out, 1/(2 pi n2)"),
    CAROM_FIELD("phase_error", series_error, phase, "rad",
                "error of the series of the hopper's o'_1"),
    CAROM_FIELD("phase_next", series_error, phase_next, "rad",
                "first term left out, |r - r3|/(2 pi3 n4)"),
};

static const carom_field EXPONENTIAL_FIELDS[] = {
    CAROM_FIELD("n", series_error, n, "1", "n of the root"),
    CAROM_FIELD("root_error", series_error, root, "rad",
                "error of the series of beta_n or gamma_n"),
    CAROM_FIELD("root_next", series_error, root_next, "rad", "size of the first term left out"),
    CAROM_FIELD("phase_error", series_error, phase, "rad", "distance of o'_1 from its limit"),
    CAROM_FIELD("phase_next", series_error, phase_next, "rad", "size of the first term left out"),
};

/** alpha_n, and o'_1 of the hopper: /series/powers. */
static carom_status write_powers(gaits *all) {
    const gait *g = &all->models[HOPPER];
    const double ratio = sqrt(g->spectrum[1] / g->constrained);
    series_error rows[DOUBLINGS];
    for (int k = 0; k < DOUBLINGS; k++) {
        const int n = 2 << k;
        carom_two_modes_impact impact;
        CAROM_TRY(carom_two_modes_hop(g->spectrum, g->constrained, n, 0, &impact, all->report));
        const double root = carom_two_modes_root_series(CAROM_TWO_MODES_ALPHA, n, 1.0);
        rows[k] = (series_error){
            .n = n,
            .root = fabs(impact.fast_phase - root),
            .root_next = 1.0 / (2.0 * M_PI * gsl_pow_2(n)),
            .phase = fabs(impact.constrained_phase - carom_two_modes_hop_phase_series(ratio, n)),
            .phase_next = fabs(ratio - gsl_pow_3(ratio)) / (2.0 * gsl_pow_3(M_PI) * gsl_pow_4(n)),
        };
    }
    carom_record group = carom_record_group(all->record, "/series/powers");
    carom_record_rows(&group, "n", rows, DOUBLINGS, sizeof *rows, POWER_FIELDS,
                      COUNT(POWER_FIELDS));
    return CAROM_OK;
}

/** beta_n or gamma_n, and o'_1, of a wheel or of rocking: /series/MODEL. */
static carom_status write_exponentials(gaits *all, const gait *g) {
    const double rho = sqrt(-g->spectrum[0] / g->spectrum[1]);
    const double s = sqrt(-g->spectrum[0] / g->constrained);
    const double limit = carom_two_modes_phase_limit(g->spectrum[0], g->constrained);
    series_error rows[EXPONENTIALS];
    for (int k = 0; k < EXPONENTIALS; k++) {
        const int n = g->kind->first_column + k;
        carom_two_modes_impact impact;
        CAROM_TRY(g->kind->solve(g->spectrum, g->constrained, n, 0, &impact, all->report));
        const double o_2 = impact.fast_phase;
        rows[k] = (series_error){
            .n = n,
            .root = fabs(o_2 - carom_two_modes_root_series(g->kind->sequence, n, rho)),
            .root_next = 2.0 * rho / (1.0 + rho * rho) * exp(-2.0 * rho * o_2),
            .phase = fabs(impact.constrained_phase - limit),
            .phase_next = 2.0 * s / (1.0 + s * s) * exp(-2.0 * impact.slow_phase),
        };
    }
    carom_record group = carom_record_group(all->record, "/series/%s", g->name);
    carom_record_rows(&group, "n", rows, EXPONENTIALS, sizeof *rows, EXPONENTIAL_FIELDS,
                      COUNT(EXPONENTIAL_FIELDS));
    return CAROM_OK;
}

static carom_status write_series(gaits *all) {
    CAROM_TRY(write_powers(all));
    CAROM_TRY(write_exponentials(all, &all->models[REACTION_WHEEL]));
    return write_exponentials(all, &all->models[ROCKER]);
}

/* --- the edge --------------------------------------------------------------------------------- */

/** lambda'_1 of the sweep: 0.1, 0.01, .., times lambda_2. */
enum { DECADES = 6 };

/** The first impact at one lambda'_1. */
typedef struct edge_row {
    double constrained_eigenvalue;
    carom_impact_root root;
    double constrained_phase;
} edge_row;

static const carom_field EDGE_FIELDS[] = {
    CAROM_FIELD("constrained_eigenvalue", edge_row, constrained_eigenvalue, "s-2", "lambda'_1"),
    CAROM_FIELD("time", edge_row, root.time, "s", "tau"),
    CAROM_FIELD("constrained_time", edge_row, root.constrained_time, "s", "tau'"),
    CAROM_FIELD("constrained_phase", edge_row, constrained_phase, "rad", "o'_1"),
};

/** The first impact of a model's lambda_1 and lambda_2 with another lambda'_1, by the general
 * solver. */
static carom_status find_first(const gait *g, double constrained, carom_impact_root *root,
                               carom_report *report) {
    const carom_phase_spectra *own = g->modes->spectra;
    CAROM_AUTO(carom_phase_spectra) spectra = NULL;
    CAROM_TRY(carom_phase_spectra_make(COORDINATES, g->spectrum, &constrained,
                                       own->unconstrained_parity[0], own->constrained_parity[0],
                                       &spectra, report));
    return carom_impact_roots_cell(spectra, g->kind->first_column, 0, root, report);
}

static carom_status write_edge(gaits *all, const gait *g) {
    edge_row rows[DECADES];
    for (int k = 0; k < DECADES; k++) {
        edge_row *row = &rows[k];
        row->constrained_eigenvalue = g->spectrum[1] * gsl_pow_int(0.1, k + 1);
        CAROM_TRY(find_first(g, row->constrained_eigenvalue, &row->root, all->report));
        row->constrained_phase = sqrt(row->constrained_eigenvalue) * row->root.constrained_time;
    }
    carom_record group = carom_record_group(all->record, "/critical/%s", g->name);
    carom_record_rows(&group, "constrained_eigenvalue", rows, DECADES, sizeof *rows, EDGE_FIELDS,
                      COUNT(EDGE_FIELDS));
    return CAROM_OK;
}

static carom_status write_edges(gaits *all) {
    CAROM_TRY(write_edge(all, &all->models[PENDULUM_WHEEL]));
    return write_edge(all, &all->models[ROCKER]);
}

/* --- all roots -------------------------------------------------------------------------------- */

/** Roots of a model by subdivision, which knows of no cells. */
typedef struct root_count {
    double count;      /**< up to the last column, in rows 0, 1, 2 */
    double first_cell; /**< with o_2 < pi */
} root_count;

static const carom_field COUNT_FIELDS[] = {
    CAROM_FIELD("root_count", root_count, count, "1",
                "roots up to the last column, in rows 0, 1 and 2; NaN: some not decided"),
    CAROM_FIELD("first_cell_count", root_count, first_cell, "1",
                "of which with o_2 < pi; NaN: some not decided"),
};

/** Roots of rows 0, 1, 2 with o_2 up to `half_turns` pi, but for the trivial one at tau = 0. */
static carom_status count_roots(const gait *g, int half_turns, double *count,
                                carom_report *report) {
    const double omega = sqrt(g->spectrum[1]);
    const double constrained_omega = sqrt(g->constrained);
    carom_root_search_params box = carom_root_search_params_default();
    box.use_subdivision = true;
    box.min_time = 0.05 / omega;
    box.max_time = half_turns * M_PI / omega;
    box.min_constrained_time = 0.05 / constrained_omega;
    box.max_constrained_time = ROWS * M_PI / constrained_omega;
    CAROM_AUTO(carom_root_list) list = NULL;
    CAROM_TRY(carom_impact_roots_find(g->modes->spectra, &box, &list, report));
    *count = list->is_complete ? list->count : (double)NAN;
    return CAROM_OK;
}

static carom_status write_subdivision(gaits *all) {
    root_count rows[MODELS];
    for (int i = 0; i < MODELS; i++) {
        const gait *g = &all->models[i];
        const int last = g->kind->first_column + all->values->columns - 1;
        CAROM_TRY(count_roots(g, last, &rows[i].count, all->report));
        CAROM_TRY(count_roots(g, 1, &rows[i].first_cell, all->report));
    }
    carom_record group = carom_record_group(all->record, "/subdivision");
    carom_record_index_axis(&group, "model", MODELS,
                            "0: hopper, 1: juggler, 2: reaction wheel, 3: pendulum wheel, 4: "
                            "rocking");
    carom_record_rows(&group, "model", rows, MODELS, sizeof *rows, COUNT_FIELDS,
                      COUNT(COUNT_FIELDS));
    return CAROM_OK;
}

/* --- the program ------------------------------------------------------------------------------ */

/** Refuse options that do not fit together. */
static carom_status check(void *context, carom_report *report) {
    const settings *values = context;
    if (values->root > values->columns) {
        return carom_report_bound(report, "root", values->root,
                                  "up to --columns =", values->columns);
    }
    gaits all = {.values = values, .report = report};
    const carom_status status = collisionless_models_prepare(&all);
    collisionless_models_clear(&all);
    return status;
}

/** One model: its impact times, and one of its motions by two ways. */
static carom_status compute_gait(gaits *all, gait *g) {
    CAROM_TRY(collisionless_models_write_roots(all, g));
    CAROM_TRY(collisionless_models_write_motion(all, g));
    return collisionless_models_simulate(all, g);
}

/** Solve, follow, compare, and write everything. */
static carom_status compute(gaits *all, bool is_quiet) {
    CAROM_TRY(collisionless_models_prepare(all));
    carom_progress *progress = carom_progress_start("models", MODELS, "models", is_quiet);
    carom_status status = CAROM_OK;
    for (int i = 0; i < MODELS && status == CAROM_OK; i++) {
        gait *g = &all->models[i];
        status = compute_gait(all, g);
        if (status != CAROM_OK) {
            carom_report_set_context(all->report, g->name);
        }
        carom_progress_add(progress, 1);
    }
    carom_progress_finish(progress);
    CAROM_TRY(status);
    CAROM_TRY(collisionless_models_draw(all));
    CAROM_TRY(write_series(all));
    CAROM_TRY(write_edges(all));
    return write_subdivision(all);
}

static carom_status body(carom_record *record, const carom_common_options *common, void *context,
                         carom_report *report) {
    gaits all = {.values = context, .record = record, .report = report};
    const carom_status status = compute(&all, common->is_quiet);
    collisionless_models_clear(&all);
    return status;
}

/** The parameters, as the command line sets them. */
static const carom_option options[] = {
    CAROM_REAL("gravity", settings, gravity, "m s-2", "gravitational acceleration g", "positive"),
    CAROM_INTEGER("columns", settings, columns, "1",
                  "roots of each model, from its first that is no trivial one, at most 64",
                  "[1, 64]"),
    CAROM_INTEGER("root", settings, root, "1", "which of them is followed over a period, from 1",
                  "positive"),
    CAROM_INTEGER("row", settings, row, "1",
                  "r, further half oscillations of the constrained phase; only 0 is realizable",
                  "[0, 64]"),
    CAROM_INTEGER("samples", settings, samples, "1", "instants of a period", "[2, 100000]"),
    CAROM_INTEGER("periods", settings, periods, "1",
                  "periods that are integrated event by event, at most 64", "[1, 64]"),
    CAROM_REAL(
        "drawn-angle", settings, drawn_angle, "rad",
        "half angle of spokes and legs in figure 1, below 1; the wheel has pi over it spokes",
        "(0, 1)"),
    CAROM_REAL("drawn-pendulum-length", settings, drawn_pendulum, "m",
               "length of pendulums in figure 1", "positive"),
    CAROM_REAL("hopper-upper-mass", settings, hopper.upper_mass, "kg", "upper mass m_u",
               "positive"),
    CAROM_REAL("hopper-lower-mass", settings, hopper.lower_mass, "kg",
               "mass m_l that meets the ground", "positive"),
    CAROM_REAL("hopper-spring-stiffness", settings, hopper.spring_stiffness, "N m-1",
               "stiffness kappa of the spring between the masses", "positive"),
    CAROM_REAL("hopper-spring-length", settings, hopper.spring_length, "m",
               "natural length of that spring, for the drawing", "positive"),
    CAROM_REAL("juggler-paddle-mass", settings, juggler.paddle_mass, "kg", "mass m_1 of the paddle",
               "positive"),
    CAROM_REAL("juggler-ball-mass", settings, juggler.ball_mass, "kg", "mass m_2 of the ball",
               "positive"),
    CAROM_REAL("juggler-spring-stiffness", settings, juggler.spring_stiffness, "N m-1",
               "stiffness kappa of the spring under the paddle", "positive"),
    CAROM_REAL("juggler-spring-length", settings, juggler.spring_length, "m",
               "natural length of that spring, for the drawing", "positive"),
    CAROM_REAL("reaction-wheel-reaction-inertia", settings, reaction_wheel.reaction_inertia,
               "kg m2", "J_r of the reaction wheel about the hub", "positive"),
    CAROM_REAL("reaction-wheel-wheel-inertia", settings, reaction_wheel.wheel_inertia, "kg m2",
               "J_w of the rest about the contact, at least M l2", "positive"),
    CAROM_REAL("reaction-wheel-spring-stiffness", settings, reaction_wheel.spring_stiffness,
               "N m rad-1", "stiffness kappa of the torsional spring", "positive"),
    CAROM_REAL("reaction-wheel-mass", settings, reaction_wheel.mass, "kg", "mass M of everything",
               "positive"),
    CAROM_REAL("reaction-wheel-spoke-length", settings, reaction_wheel.spoke_length, "m",
               "length l of a spoke", "positive"),
    CAROM_REAL("reaction-wheel-half-angle", settings, reaction_wheel.half_spoke_angle, "rad",
               "half the angle eps between spokes: the unit of the harmonic motion", "positive"),
    CAROM_REAL("pendulum-wheel-hub-mass", settings, pendulum_wheel.hub_mass, "kg",
               "mass M at the hub", "positive"),
    CAROM_REAL("pendulum-wheel-pendulum-mass", settings, pendulum_wheel.pendulum_mass, "kg",
               "mass m_p of the pendulum", "positive"),
    CAROM_REAL("pendulum-wheel-spoke-length", settings, pendulum_wheel.spoke_length, "m",
               "length l of a spoke", "positive"),
    CAROM_REAL("pendulum-wheel-pendulum-length", settings, pendulum_wheel.pendulum_length, "m",
               "length a of the pendulum", "positive"),
    CAROM_REAL("pendulum-wheel-half-angle", settings, pendulum_wheel.half_spoke_angle, "rad",
               "half the angle eps between spokes: the unit of the harmonic motion", "positive"),
    CAROM_REAL("rocking-foot-mass", settings, rocker.foot_mass, "kg", "mass m_0 of each foot",
               "not negative"),
    CAROM_REAL("rocking-pendulum-mass", settings, rocker.pendulum_mass, "kg",
               "mass m_1 of the pendulum", "positive"),
    CAROM_REAL("rocking-hip-mass", settings, rocker.hip_mass, "kg", "mass m_2 of the hip",
               "positive"),
    CAROM_REAL("rocking-leg-length", settings, rocker.leg_length, "m", "length l of a leg",
               "positive"),
    CAROM_REAL("rocking-pendulum-length", settings, rocker.pendulum_length, "m",
               "length a of the pendulum", "positive"),
    CAROM_REAL("rocking-half-angle", settings, rocker.half_leg_angle, "rad",
               "half the angle theta between the legs: the unit of the harmonic motion",
               "positive"),
};

static const carom_table_column columns[] = {
    {.head = "tau", .expression = "time"},
    {.head = "tau'", .expression = "constrained_time"},
    {.head = "least gap", .expression = "least_gap"},
    {.head = "largest force", .expression = "largest_force_ratio"},
};

static const carom_table tables[] = {
    {.groups = "/*/roots", .group_head = "roots", CAROM_COLUMNS(columns)},
};

int main(int argc, char **argv) {
    settings v = {
        .hopper = carom_hopper_params_default(),
        .juggler = carom_juggler_params_default(),
        .reaction_wheel = carom_reaction_wheel_params_default(),
        .pendulum_wheel = carom_pendulum_wheel_params_default(),
        .rocker = carom_coronal_rocker_params_default(),
        .gravity = 1.0,
        .columns = 8,
        .root = 1,
        .row = 0,
        .samples = 401,
        .periods = 10,
        .drawn_angle = M_PI / 16.0,
        .drawn_pendulum = 0.5,
    };
    const carom_program program = {
        .name = "collisionless_models",
        .title = "Motion without collisions with two degrees of freedom",
        .source = "pankov-2024",
        .schema = "collisionless_models 1",
        .options = CAROM_OPTIONS(options),
        CAROM_TABLES(tables),
    };
    return carom_experiment_main(&program, argc, argv, check, body, &v);
}
