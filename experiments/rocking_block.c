/**
 * rocking_block: a rigid block falls onto a floor, rocks from corner to corner and comes to rest
 * (bruls-2014 section 10.4, figures 20 to 24).
 *
 *     m x'' = 0,   m y'' + m a_g = Lambda^1 + Lambda^2,   J theta'' = sum of arm^j Lambda^j,
 *     gaps g^j = y - (l/2) cos theta +- (L/2) sin theta >= 0                                  (53)
 *
 * with impacts of Newton's law at both corners. Printed in the paper: m, L, l, J = m (L^2 +
 * l^2)/12, a_g, e, q_0 = (0, 1, 0.2), v_0 = 0, h = 1e-2 s, the step 2e-4 s = h/50 of the reference,
 * rho = 0.8 and theta = 1/(1 + rho). Inferred: SI units. Chosen: the duration (rest is reached in
 * the first half), the half-step predictor of the Moreau-Jean scheme, the tolerance, the Newton
 * matrix.
 *
 * The runs of the schemes and of the reference are compared with the motion from impact to impact
 * in closed form. What the paper says of them is asked of the record, in
 * data/published/rocking_block.csv.
 */
#include <carom/carom.h>

#include <carom/drawing/models.h>
#include <carom/study/scheme_options.h>

#include <math.h>

/** Number of rows of a table. */
#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/** q = (x, y, theta). */
enum { COORDINATES = 3, HEIGHT = 1 };

/** Steps of the reference in one step: 1e-2 s against 2e-4 s in the paper. */
enum { REFERENCE_STEPS = 50 };

/** Everything that options set. */
typedef struct settings {
    carom_rocking_block_params block;
    carom_scheme_options schemes;
} settings;

/* --- the runs --------------------------------------------------------------------------------- */

/** Beside the selected schemes: always the reference, and algorithm 1, which has no friction,
 * beside the scheme it solves. These may fail, and among all schemes the two that the paper warns
 * of. */
static void plan_runs(carom_scheme_plan *plan, bool has_friction) {
    static const carom_scheme proposed = CAROM_SCHEME_NONSMOOTH_GALPHA;
    for (int i = 0; plan->options->scheme == CAROM_SCHEME_COUNT && i < plan->count; i++) {
        const carom_scheme scheme = plan->runs[i].params.scheme;
        plan->runs[i].may_fail =
            scheme == CAROM_SCHEME_SMOOTH_GALPHA || scheme == CAROM_SCHEME_MODIFIED_LCP;
    }
    carom_scheme_plan_add(plan, proposed, "reference")->params.step /= REFERENCE_STEPS;
    if (!has_friction && carom_scheme_options_selects(plan->options, proposed)) {
        carom_scheme_plan_add(plan, proposed, "nonsmooth_galpha_sequential")->params.newton =
            CAROM_NEWTON_SEQUENTIAL;
    }
}

/* --- the exact motion ------------------------------------------------------------------------- */

/** Longest list of exact impacts: thrice that of the paper's motion. Rounding errors grow from
 * impact to impact, so that a long list of a nearly elastic block would mean nothing. */
enum { EXACT_IMPACTS_MAX = 64 };

/** Impacts of one corner that are closer than this part of the step of the reference count as
 * accumulated: far above the rounding of times. */
static const double RESOLVED_STEP = 0.01;

/** The event-driven motion as far as it was found. */
typedef struct exact_motion {
    carom_rocking_block_impact impacts[EXACT_IMPACTS_MAX];
    int count;
    double end; /**< s, up to where it is known; NaN if it is not known at all */
} exact_motion;

static const carom_field IMPACT_FIELDS[] = {
    CAROM_FIELD("time", carom_rocking_block_impact, time, "s", "times of the event-driven impacts"),
    CAROM_FIELD("corner", carom_rocking_block_impact, corner, "1",
                "corner that strikes, as on the contact axis"),
    CAROM_FIELD("impulse", carom_rocking_block_impact, impulse, "N s", "impulse of Newton's law"),
};

/** The impacts within the duration. Whatever stops the search (an accumulation, a corner that stays
 * down, both corners at once) ends the list; without gravity there is none. */
static exact_motion find_exact(const settings *values) {
    const carom_scheme_options *schemes = &values->schemes;
    exact_motion exact = {.count = 0};
    const carom_status status = carom_rocking_block_exact_impacts(
        &values->block, RESOLVED_STEP * schemes->step / REFERENCE_STEPS, EXACT_IMPACTS_MAX,
        exact.impacts, &exact.count, NULL);
    (void)status;
    exact.end = exact.count > 0 ? fmin(exact.impacts[exact.count - 1].time, schemes->duration)
                                : (double)NAN;
    while (exact.count > 0 && exact.impacts[exact.count - 1].time > exact.end) {
        exact.count--;
    }
    return exact;
}

/** Energy of a state, J. */
static double energy_of(const carom_mechanism *mechanism, const double *position,
                        const double *velocity) {
    double work[COORDINATES * COORDINATES + COORDINATES];
    return carom_mechanism_kinetic_energy(mechanism, position, velocity, work) +
           mechanism->potential_energy(position, mechanism->context);
}

/** Runs of the figures, which are compared with the exact motion. */
static const char *const COMPARED[] = {"nonsmooth_galpha", "moreau_jean", "reference"};

/** Sums of the deviations of a run from the event-driven motion, while that is known. */
typedef struct deviations {
    const settings *values;
    const carom_mechanism *mechanism;
    const exact_motion *exact;
    struct {
        double height; /**< m */
        double energy; /**< J */
        double rows;
    } sum;
} deviations;

/** Add those of the next rows. */
static carom_status add_deviations(const carom_trajectory *t, void *context, carom_report *report) {
    (void)report;
    deviations *sums = context;
    const exact_motion *exact = sums->exact;
    for (int row = 0; row < t->row_count && t->time[row] <= exact->end; row++) {
        double q[COORDINATES];
        double v[COORDINATES];
        carom_rocking_block_exact_state(&sums->values->block, exact->count, exact->impacts,
                                        t->time[row], q, v);
        sums->sum.rows += 1.0;
        sums->sum.height += fabs(t->position[row * COORDINATES + HEIGHT] - q[HEIGHT]);
        sums->sum.energy += fabs(t->energy[row] - energy_of(sums->mechanism, q, v));
    }
    return CAROM_OK;
}

/** Their means: /errors. */
static void write_errors(const deviations *sums, const char *group, carom_record *record) {
    carom_record errors = carom_record_group(record, "/errors/%s", group);
    carom_record_scalar(&errors, "height", sums->sum.height / sums->sum.rows, "m",
                        "mean deviation from the event-driven height");
    carom_record_scalar(&errors, "energy", sums->sum.energy / sums->sum.rows, "J",
                        "mean deviation from the event-driven energy");
}

/* --- the program ------------------------------------------------------------------------------ */

static carom_status body(carom_record *record, const carom_common_options *common, void *context,
                         carom_report *report) {
    const settings *values = context;
    CAROM_AUTO(carom_model) model = NULL;
    CAROM_AUTO(carom_scheme_plan) plan = NULL;
    CAROM_TRY(carom_rocking_block_alloc(&values->block, &model, report));
    CAROM_TRY(carom_scheme_plan_alloc(&values->schemes, &model->mechanism, &plan));
    plan_runs(plan, values->block.friction > 0.0);
    const exact_motion exact = find_exact(values);
    deviations sums[COUNT(COMPARED)];
    for (int i = 0; i < COUNT(COMPARED); i++) {
        sums[i] = (deviations){values, &model->mechanism, &exact, {0.0, 0.0, 0.0}};
        carom_scheme_run *run = carom_scheme_plan_run(plan, COMPARED[i]);
        if (run != NULL && !isnan(exact.end)) {
            run->watch = (carom_trajectory_listener){add_deviations, &sums[i]};
            run->watched = &sums[i].sum;
            run->watched_size = sizeof sums[i].sum;
        }
    }
    CAROM_TRY(carom_scheme_runs(model, values->schemes.duration, plan->runs, plan->count, common,
                                record, report));
    CAROM_TRY(carom_geometry_record_block(record, values->block.width, values->block.height));
    carom_record_scalar(record, "/reference/step", values->schemes.step / REFERENCE_STEPS, "s",
                        "step size of the reference");

    // The runs of the figures against the exact motion, as far as that is known.
    carom_record impacts = carom_record_group(record, "/exact/impacts");
    carom_record_rows(&impacts, "time", exact.impacts, exact.count, sizeof *exact.impacts,
                      IMPACT_FIELDS, COUNT(IMPACT_FIELDS));
    for (int i = 0; i < COUNT(COMPARED); i++) {
        const carom_scheme_run *run = carom_scheme_plan_run(plan, COMPARED[i]);
        if (run != NULL && run->watch.tell != NULL && run->outcome == CAROM_OK) {
            write_errors(&sums[i], COMPARED[i], record);
        }
    }
    return CAROM_OK;
}

/** Refuse options that do not fit together. */
static carom_status check(void *context, carom_report *report) {
    const settings *values = context;
    CAROM_TRY(carom_scheme_options_check(&values->schemes, report));
    return carom_rocking_block_params_check(&values->block, report);
}

/** The parameters, as the command line sets them. */
static const carom_option options[] = {
    CAROM_REAL("mass", settings, block.mass, "kg", "mass m", "positive"),
    CAROM_REAL("width", settings, block.width, "m", "width L", "positive"),
    CAROM_REAL("height", settings, block.height, "m", "height l", "positive"),
    CAROM_REAL("gravity", settings, block.gravity, "m s-2", "gravitational acceleration a_g",
               "not negative"),
    CAROM_REAL("restitution", settings, block.restitution, "1",
               "coefficient of restitution e of both corners", "[0, 1]"),
    CAROM_REAL("friction", settings, block.friction, "1",
               "friction of both corners, in the schemes that have it; 0 in the paper",
               "not negative"),
    CAROM_REAL("initial-x", settings, block.initial_x, "m",
               "initial horizontal position of the mass centre", "any"),
    CAROM_REAL("initial-y", settings, block.initial_y, "m", "initial height of the mass centre",
               "any"),
    CAROM_REAL("initial-angle", settings, block.initial_angle, "rad",
               "initial angle theta, anticlockwise from upright", "[-1e8, 1e8]"),
    CAROM_REAL("initial-x-velocity", settings, block.initial_x_velocity, "m s-1",
               "initial horizontal velocity", "any"),
    CAROM_REAL("initial-y-velocity", settings, block.initial_y_velocity, "m s-1",
               "initial vertical velocity", "any"),
    CAROM_REAL("initial-rate", settings, block.initial_rate, "rad s-1", "initial angular velocity",
               "any"),
    CAROM_OPTIONS_OF(settings, schemes, carom_scheme_options_table),
};

int main(int argc, char **argv) {
    settings values = {
        .block = carom_rocking_block_params_default(),
        .schemes = carom_scheme_options_default(1e-2, 2.0),
    };
    const carom_program program = {
        .name = "rocking_block",
        .title = "A rigid block that falls and rocks on two corners",
        .source = "bruls-2014",
        .schema = "rocking_block 1",
        .options = CAROM_OPTIONS(options),
        .has_contact_steps = true,
        .has_recorded_steps = true,
        CAROM_TABLES(carom_scheme_tables),
    };
    return carom_experiment_main(&program, argc, argv, check, body, &values);
}
