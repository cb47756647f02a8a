/**
 * @NAME@: a mass on a spring that strikes a wall at the spring's rest position.
 *
 *     m d2x/dt2 + k x = Lambda,   gap x >= 0,   dx/dt+ = -e dx/dt- at an impact
 *
 * Released at rest at x_0 > 0 it strikes after a quarter period, pi / (2 omega), and rebounds to
 * e x_0, omega = sqrt(k/m). Parameters: our own (nothing published is behind this template).
 */
#include <carom/carom.h>
#include <carom/study/scheme_options.h>

#include <math.h>

/** The system; these are the options of the command line. */
typedef struct oscillator_params {
    double mass;             /**< m, kg */
    double stiffness;        /**< k, N/m */
    double initial_position; /**< x_0, m */
    double restitution;      /**< e, 1 */
} oscillator_params;

/** Everything the body needs. */
typedef struct settings {
    oscillator_params system;
    carom_scheme_options schemes;
} settings;

/* The mechanism: one function a term of the equation of motion. One coordinate, so that every
 * matrix is a single number. */
/*[@MARKER@Mechanism]*/
static void mass(const double *q, double *M, void *context) {
    (void)q;
    M[0] = ((const oscillator_params *)context)->mass;
}

static void force(double t, const double *q, const double *v, double *f, void *context) {
    (void)t;
    (void)v;
    f[0] = -((const oscillator_params *)context)->stiffness * q[0];
}

static void stiffness(double t, const double *q, const double *v, double *K, void *context) {
    (void)t;
    (void)q;
    (void)v;
    K[0] = ((const oscillator_params *)context)->stiffness;
}

static double potential_energy(const double *q, void *context) {
    return 0.5 * ((const oscillator_params *)context)->stiffness * q[0] * q[0];
}

static void gap(const double *q, double *g, void *context) {
    (void)context;
    g[0] = q[0];
}

static void gap_jacobian(const double *q, double *G, void *context) {
    (void)q;
    (void)context;
    G[0] = 1.0;
}
/*[end @MARKER@Mechanism]*/

/** The mechanism and its initial state, to be freed by carom_model_free. */
static carom_status oscillator_alloc(const oscillator_params *params, carom_model **out) {
    carom_model *model = NULL;
    CAROM_TRY(carom_model_alloc(1, sizeof(oscillator_params), &model));
    oscillator_params *kept = model->parameters;
    *kept = *params;
    model->initial_position[0] = params->initial_position;
    model->mechanism = (carom_mechanism){
        .name = "@NAME@",
        .coordinate_count = 1,
        .contact_count = 1,
        .layout = carom_layout_banded(1, 0),
        .is_linear = true,
        .position_units = "m",
        .velocity_units = "m s-1",
        .restitution = &kept->restitution,
        .mass = mass,
        .force = force,
        .stiffness = stiffness,
        .potential_energy = potential_energy,
        .constraints = gap,
        .constraint_jacobian = gap_jacobian,
        .context = kept,
    };
    *out = model;
    return CAROM_OK;
}

/** What is compared with the closed form: when the mass first turns, and how far it returns. */
static void write_rebound(const carom_scheme_run *run, carom_record *record) {
    const carom_trajectory *motion = run->trajectory;
    double impact_time = (double)NAN;
    double rebound = (double)NAN;
    for (int row = 1; row < motion->row_count; ++row) {
        const bool turns = motion->velocity[row - 1] < 0.0 && motion->velocity[row] > 0.0;
        // The second impact ends the first rebound.
        if (turns && !isnan(impact_time)) {
            break;
        }
        impact_time = turns ? motion->time[row] : impact_time;
        rebound = isnan(impact_time) ? rebound : fmax(rebound, motion->position[row]);
    }
    carom_record group = carom_record_group(record, "%s", run->group);
    carom_record_scalar(&group, "first_impact_time", impact_time, "s",
                        "time of the first impact; NaN: none");
    carom_record_scalar(&group, "rebound_position", rebound, "m",
                        "largest position after the first impact; NaN: no impact");
}

/** Refuse options that do not fit together. */
static carom_status check(void *context, carom_report *report) {
    const settings *values = context;
    return carom_scheme_options_check(&values->schemes, report);
}

/** Run the selected schemes and write them, each with its rebound. */
static carom_status body(carom_record *record, const carom_common_options *common, void *context,
                         carom_report *report) {
    const settings *values = context;
    CAROM_AUTO(carom_model) model = NULL;
    CAROM_AUTO(carom_scheme_plan) plan = NULL;
    CAROM_TRY(oscillator_alloc(&values->system, &model));
    CAROM_TRY(carom_scheme_plan_alloc(&values->schemes, &model->mechanism, &plan));
    for (int i = 0; i < plan->count; ++i) {
        plan->runs[i].is_kept = true;
    }
    CAROM_TRY(carom_scheme_runs(model, values->schemes.duration, plan->runs, plan->count, common,
                                record, report));
    for (int i = 0; i < plan->count; ++i) {
        write_rebound(&plan->runs[i], record);
    }
    return CAROM_OK;
}

/** What the program says at its end, read from the record. */
static const carom_table_column COLUMNS[] = {
    {.head = "first impact", .expression = "first_impact_time"},
    {.head = "rebound", .expression = "rebound_position"},
};
static const carom_table TABLES[] = {
    {.groups = "/*", .group_head = "scheme", CAROM_COLUMNS(COLUMNS)},
};

/** The parameters, as the command line sets them. */
static const carom_option options[] = {
    CAROM_REAL("mass", settings, system.mass, "kg", "mass m", "positive"),
    CAROM_REAL("stiffness", settings, system.stiffness, "N m-1", "stiffness k of the spring",
               "positive"),
    CAROM_REAL("initial-position", settings, system.initial_position, "m",
               "distance x_0 from the wall at release", "not negative"),
    CAROM_REAL("restitution", settings, system.restitution, "1", "coefficient e of the impacts",
               "[0, 1]"),
    CAROM_OPTIONS_OF(settings, schemes, carom_scheme_options_table),
};

int main(int argc, char **argv) {
    settings values = {
        .system = {.mass = 2.0, .stiffness = 50.0, .initial_position = 0.25, .restitution = 0.6},
        .schemes = carom_scheme_options_default(1e-3, 2.0),
    };
    const carom_program program = {
        .name = "@NAME@",
        .title = "A mass on a spring against a wall",
        .source = "own",
        .schema = "@NAME@ 1",
        .options = CAROM_OPTIONS(options),
        CAROM_TABLES(TABLES),
    };
    return carom_experiment_main(&program, argc, argv, check, body, &values);
}
