/**
 * compliant_block: the falling block on springs and dampers (halm-2023 figure 12, section 5.4.1).
 *
 *     L_n' = max(0, -k phi - 2 zeta sqrt(k m) phi')  where phi <= 0
 *     L_t' = -mu L_n' r / max(|r|, epsilon),         r the sliding velocity of the corner
 *
 * Two sweeps show that the rigid block's set of outcomes is what small causes make of a stiff one:
 * the ratio of the stiffnesses of both corners, and the angle at which the block arrives. Printed
 * in the paper: zeta = 5, stiffnesses of 1e6 N/m at least, epsilon = 1e-10 m/s, delta = 1e-9 m/s,
 * both ranges, 51 runs each. From the authors' programs: exponents of the ratio in equal steps,
 * tolerances, time span, and that both corners have got 1 % of m v0 before a run ends. (88) prints
 * the damping as 2 zeta sqrt(k/m): the same for a mass of 1 kg.
 */
#include "compliant_block/results.h"

#include <float.h>

/** Of the softer corner, N/m. */
#define STIFFNESS 1e6

/** Radians of a degree. */
#define DEGREE 0.017453292519943295

/** Parameters that are not given scale from the printed ones: with the speed of the block, the
 * larger of v0 and g sqrt(m/k), and with its contact time sqrt(m/k). Sticking contacts creep with
 * epsilon/mu, so that a mu beyond 100 multiplies epsilon. */
static void fill_in(settings *values) {
    const carom_rigid_block_params printed = carom_rigid_block_params_default();
    const double time = sqrt(values->block.mass / printed.mass * (STIFFNESS / values->stiffness));
    const double weight = values->block.gravity * sqrt(values->block.mass / values->stiffness);
    const double speed = fmax(values->block.initial_speed, weight) / printed.initial_speed;
    if (isnan(values->regularisation_speed)) {
        values->regularisation_speed = 1e-10 * speed * fmax(1.0, 0.01 * values->block.friction);
    }
    if (isnan(values->stop_speed)) {
        values->stop_speed = 1e-9 * speed;
    }
    if (isnan(values->time_span)) {
        values->time_span = 0.1 * time;
    }
}

/** Fill in what is not set, and refuse options that do not fit together. */
static carom_status check(void *context, carom_report *report) {
    settings *values = context;
    fill_in(values);
    carom_rigid_block_params tilted = values->block;
    tilted.tilt = values->largest_angle * DEGREE;
    CAROM_TRY(carom_rigid_block_params_check(&values->block, report));
    CAROM_TRY(carom_rigid_block_params_check(&tilted, report));
    if (!isfinite(values->stiffness * pow(10.0, values->largest_exponent))) {
        return carom_report_bound(report, "largest exponent", values->largest_exponent, "at most",
                                  floor(log10(DBL_MAX / values->stiffness)));
    }
    return CAROM_OK;
}

static carom_status body(carom_record *record, const carom_common_options *common, void *context,
                         carom_report *report) {
    results r = {.values = context, .common = common, .record = record, .report = report};
    carom_status status = compliant_block_run(&r);
    if (status == CAROM_OK) {
        carom_record_index_axis(record, "/contact", CORNERS, "corner: A, B");

        carom_record_index_axis(record, "/coordinate", COORDINATES, "x, y, theta");

        compliant_block_write_exact(&r);

        status = compliant_block_write_sweep(&r, &r.stiffness);
    }
    if (status == CAROM_OK) {
        status = compliant_block_write_sweep(&r, &r.angle);
    }
    if (status == CAROM_OK) {
        status = compliant_block_write_variants(&r);
    }
    if (status == CAROM_OK) {
        compliant_block_write_claims(&r);
    }
    compliant_block_free(&r);
    return status;
}

/** The parameters, as the command line sets them. */
static const carom_option options[] = {
    CAROM_REAL("width", settings, block.width, "m", "width w", "positive"),
    CAROM_REAL("height", settings, block.height, "m", "height h", "positive"),
    CAROM_REAL("mass", settings, block.mass, "kg", "mass m", "positive"),
    CAROM_REAL("friction", settings, block.friction, "1",
               "coefficient of friction mu of both corners", "not negative"),
    CAROM_REAL("initial-velocity", settings, block.initial_speed, "m s-1",
               "downward velocity v0 of the flat block at the floor", "positive"),
    CAROM_REAL("gravity", settings, block.gravity, "m s-2", "gravity g", "not negative"),
    CAROM_REAL("stiffness", settings, stiffness, "N m-1", "stiffness k of the softer corner",
               "positive"),
    CAROM_REAL("damping-ratio", settings, damping_ratio, "1", "damping ratio zeta", "not negative"),
    CAROM_CHOICE("damping", settings, damping,
                 "damper 2 zeta sqrt(k m), or as printed 2 zeta sqrt(k/m)", "consistent|printed"),
    CAROM_REAL("regularisation-speed", settings, regularisation_speed, "m s-1",
               "sliding speed epsilon up to which friction grows, else 1e-10 m/s times v0 over "
               "0.4429 m/s, and times mu/100 where that is more than 1",
               "positive"),
    CAROM_REAL(
        "stop-speed", settings, stop_speed, "m s-1",
        "a run ends when no corner closes faster than this delta, else ten epsilon of this default",
        "not negative"),
    CAROM_REAL("least-impulse", settings, least_impulse, "1",
               "and each corner has got this part of m v0", "not negative"),
    CAROM_INTEGER("ratios", settings, ratios, "1", "runs with different stiffness ratios",
                  "[1, 100000]"),
    CAROM_REAL("largest-exponent", settings, largest_exponent, "1",
               "largest decimal exponent of the ratio k_A/k_B", "positive"),
    CAROM_INTEGER("angles", settings, angles, "1", "runs with different initial angles",
                  "[1, 100000]"),
    CAROM_REAL("largest-angle", settings, largest_angle, "deg", "largest initial angle theta_0",
               "positive"),
    CAROM_REAL("relative-tolerance", settings, relative_tolerance, "1", "of the integrator",
               "positive"),
    CAROM_REAL("absolute-tolerance", settings, absolute_tolerance, "1",
               "of the integrator, in parts of what the energy of the run can bring about",
               "positive"),
    CAROM_REAL("time-span", settings, time_span, "s", "longest run, else a hundred times sqrt(m/k)",
               "positive"),
};

static const carom_table_column columns[] = {
    {.head = "impacts", .expression = "rows(energy)"},
    {.head = "least energy / J", .expression = "min(energy)"},
    {.head = "largest energy / J", .expression = "max(energy)"},
    {.head = "longest / s", .expression = "max(end_time)"},
    {.head = "most steps", .expression = "max(steps)"},
};

static const carom_table tables[] = {
    {.groups = "/stiffness_sweep /angle_sweep", .group_head = "sweep", CAROM_COLUMNS(columns)},
};

int main(int argc, char **argv) {
    const carom_compliant_params compliant = carom_compliant_params_default();
    settings v = {
        .block = carom_rigid_block_params_default(),
        .stiffness = STIFFNESS,
        .damping_ratio = compliant.damping_ratio,
        .damping = CAROM_COMPLIANT_DAMPING_CONSISTENT,
        .regularisation_speed = (double)NAN,
        .stop_speed = (double)NAN,
        .least_impulse = 0.01,
        .largest_exponent = 5.0,
        .largest_angle = 0.01,
        .ratios = 51,
        .angles = 51,
        .relative_tolerance = compliant.relative_tolerance,
        .absolute_tolerance = compliant.absolute_tolerance,
        .time_span = (double)NAN,
    };
    const carom_program program = {
        .name = "compliant_block",
        .title = "A block that falls on two stiff corners: outcomes for small perturbations",
        .source = "halm-2023",
        .schema = "compliant_block 1",
        .options = CAROM_OPTIONS(options),
        CAROM_TABLES(tables),
    };
    return carom_experiment_main(&program, argc, argv, check, body, &v);
}
