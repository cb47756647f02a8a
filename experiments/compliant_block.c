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
#include <carom/carom.h>

#include <carom/base/parallel.h>
#include <carom/base/vector.h>
#include <carom/drawing/models.h>
#include <carom/models/internal.h>
#include <carom/program/program.h>
#include <carom/study/scenes.h>
#include <carom/timestepping/compliant/compliant.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/** Number of entries of an array. */
#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/** Radians of a degree. */
#define DEGREE 0.017453292519943295

/** Contacts A and B, and q = (x, y, theta). */
enum { CORNERS = 2, COORDINATES = 3 };

/** Everything that options set. */
typedef struct settings {
    carom_rigid_block_params block; /**< flat; the tilts are those of the sweep */
    double stiffness;               /**< of the softer corner, N/m */
    double damping_ratio;           /**< zeta, 1 */
    int damping;                    /**< carom_compliant_damping */
    double regularisation_speed;    /**< epsilon, m/s */
    double stop_speed;              /**< delta, m/s */
    double least_impulse;           /**< of each corner before a run may stop, as a part of m v0 */
    double largest_exponent;        /**< of the ratio of stiffnesses, base 10 */
    double largest_angle;           /**< deg */
    int ratios;                     /**< runs of the first sweep */
    int angles;                     /**< runs of the second sweep */
    double relative_tolerance;
    double absolute_tolerance;
    double time_span; /**< s */
} settings;

/* --- one run ---------------------------------------------------------------------------------- */

/** What is varied, and what came of it. */
typedef struct block_run {
    double value;              /**< of the parameter of the sweep */
    double stiffness[CORNERS]; /**< N/m */
    double tilt;               /**< rad */
    double energy;
    double velocity[COORDINATES];
    double normal_velocity[CORNERS];
    double tangential_velocity[CORNERS];
    double normal_impulse[CORNERS];
    double end_time;
    double first_share;
    int first_contact;
    int has_stopped;
    int steps;
} block_run;

#define FIELD(name, units, long_name) CAROM_FIELD(#name, block_run, name, units, long_name)
#define FIELD_ARRAY(name, axis, units, long_name) \
    CAROM_FIELD_ARRAY(#name, block_run, name, axis, units, long_name)
static const carom_field RUN_FIELDS[] = {
    FIELD(value, "1", "named as the sweep does"),
    FIELD_ARRAY(normal_velocity, "/contact", "m s-1", "normal velocity of the corner at the end"),
    FIELD_ARRAY(tangential_velocity, "/contact", "m s-1",
                "tangential velocity of the corner at the end"),
    FIELD_ARRAY(normal_impulse, "/contact", "N s", "normal impulse of the corner"),
    FIELD_ARRAY(velocity, "/coordinate", "m s-1", "velocity at the end; of theta in rad s-1"),
    FIELD(energy, "J", "energy before, zero height: flat"),
    FIELD(end_time, "s", "end of the run"),
    FIELD(first_share, "1",
          "part of the first corner's impulse that it has got when the second one touches; NaN: "
          "none touches"),
    FIELD(first_contact, "1", "corner that touches first: 0 A, also if both do at once, 1 B"),
    FIELD(has_stopped, "1", "1: no corner closes at the end; 0: the time was over"),
    FIELD(steps, "1", "steps of the integrator"),
};

/** Steps of a run, a hundred times what those of the paper take: less than a second. */
enum { MOST_STEPS = 5000 };

/** Parameters of the integration of one run. */
static carom_compliant_params params_of(const settings *v, const block_run *run) {
    carom_compliant_params params = carom_compliant_params_default();
    params.stiffness = run->stiffness;
    params.damping_ratio = v->damping_ratio;
    params.reference_mass = v->block.mass;
    params.damping = (carom_compliant_damping)v->damping;
    params.regularisation_speed = v->regularisation_speed;
    params.relative_tolerance = v->relative_tolerance;
    params.absolute_tolerance = v->absolute_tolerance;
    params.time_span = v->time_span;
    params.most_steps = MOST_STEPS;
    params.stop_speed = v->stop_speed;
    params.least_impulse = v->least_impulse * v->block.mass * v->block.initial_speed;
    return params;
}

/** Kinetic energy and that of the height above the floor of the lower corners of the flat block. */
static double energy_before(const carom_rigid_block_params *block,
                            const carom_impact_scene *scene) {
    const double speed = scene->velocity[1];
    const double rise = scene->position[1] - 0.5 * block->height;
    return block->mass * (0.5 * speed * speed + block->gravity * rise);
}

/** Keep what the record needs of a run. */
static void keep(const carom_mechanism *block, const carom_compliant_run *end, block_run *run) {
    double tangents[CORNERS * COORDINATES];
    block->tangential_jacobian(end->position, tangents, block->context);
    memcpy(run->velocity, end->velocity, sizeof run->velocity);
    for (int i = 0; i < CORNERS; i++) {
        run->normal_velocity[i] = end->gap_rate[i];
        run->tangential_velocity[i] =
            carom_vector_dot(COORDINATES, tangents + i * COORDINATES, end->velocity);
        run->normal_impulse[i] = end->normal_impulse[i];
    }
    run->end_time = end->end_time;
    run->first_share = end->first_share;
    run->first_contact = end->first_contact;
    run->has_stopped = end->has_stopped ? 1 : 0;
    run->steps = (int)end->steps;
}

/** Runs of both sweeps. */
typedef struct study {
    const settings *values;
    block_run *runs;          /**< [ratios + angles] */
    carom_progress *progress; /**< NULL: not shown */
} study;

/*[compliantBlockRun]*/
static carom_status simulate(int item, void *context, carom_report *report) {
    const study *self = context;
    block_run *run = self->runs + item;
    carom_rigid_block_params block = self->values->block;
    block.tilt = run->tilt;
    CAROM_AUTO(carom_impact_scene) scene = NULL;
    CAROM_AUTO(carom_compliant_run) end = NULL;
    CAROM_TRY(carom_rigid_block_alloc(&block, &scene, report));
    const carom_mechanism *mechanism = carom_impact_scene_mechanism(scene);
    const carom_compliant_params params = params_of(self->values, run);
    CAROM_TRY(carom_compliant_simulate(mechanism, &params, scene->position, scene->velocity, &end,
                                       report));
    run->energy = energy_before(&block, scene);
    keep(mechanism, end, run);
    carom_progress_add(self->progress, 1);
    return CAROM_OK;
}
/*[end compliantBlockRun]*/

/* --- the sweeps ------------------------------------------------------------------------------- */

/** Value i of `count` from -largest to largest, zero if there is one. */
static double value_of(int i, int count, double largest) {
    return count > 1 ? largest * (2 * i - (count - 1)) / (count - 1) : 0.0;
}

/** Run both sweeps: ratios of the stiffnesses, then angles. */
static carom_status run_sweeps(const settings *v, const carom_common_options *common,
                               block_run *runs, carom_report *report) {
    for (int i = 0; i < v->ratios; i++) {
        const double exponent = value_of(i, v->ratios, v->largest_exponent);
        runs[i].value = exponent;
        runs[i].stiffness[0] = v->stiffness * pow(10.0, fmax(exponent, 0.0));
        runs[i].stiffness[1] = v->stiffness * pow(10.0, fmax(-exponent, 0.0));
    }
    for (int i = 0; i < v->angles; i++) {
        block_run *run = runs + v->ratios + i;
        run->value = value_of(i, v->angles, v->largest_angle);
        run->stiffness[0] = v->stiffness;
        run->stiffness[1] = v->stiffness;
        run->tilt = run->value * DEGREE;
    }
    const int count = v->ratios + v->angles;
    study self = {.values = v, .runs = runs};
    self.progress = carom_progress_start("falls", count, "runs", common->is_quiet);
    const carom_status status = carom_parallel_map(common->workers, count, simulate, &self,
                                                   CAROM_PARALLEL_ROWS(runs, count), report);
    carom_progress_finish(self.progress);
    return status;
}

/** Largest distance of a place of the exact set, (a, 0) or (0, a), from the nearest outcome. */
static double coverage(const carom_rigid_block_exact *exact, const block_run *runs, int count) {
    enum { PLACES = 1000 };
    double largest = 0.0;
    for (int k = 0; k <= PLACES; k++) {
        const double a = exact->largest_rebound * k / PLACES;
        double nearest[CORNERS] = {INFINITY, INFINITY};
        for (int i = 0; i < count; i++) {
            const double *c = runs[i].normal_velocity;
            nearest[0] = fmin(nearest[0], hypot(c[0] - a, c[1]));
            nearest[1] = fmin(nearest[1], hypot(c[0], c[1] - a));
        }
        largest = fmax(largest, fmax(nearest[0], nearest[1]));
    }
    return largest;
}

/** A sweep: its group, its parameter and its runs. */
static void write_sweep(carom_record *record, const char *name, const char *parameter,
                        const char *units, const char *long_name, const block_run *runs, int count,
                        const carom_rigid_block_exact *exact) {
    carom_field fields[COUNT(RUN_FIELDS)];
    memcpy(fields, RUN_FIELDS, sizeof fields);
    fields[0].name = parameter;
    fields[0].units = units;
    fields[0].long_name = long_name;
    carom_record group = carom_record_group(record, "%s", name);
    carom_record_rows(&group, parameter, runs, count, sizeof *runs, fields, COUNT(fields));
    if (exact != NULL) {
        carom_record_scalar(&group, "coverage", coverage(exact, runs, count), "m s-1",
                            "largest distance of the rigid set from an outcome");
    }
}

/** The impact of some runs as a motion: /around_impact. */
static carom_status write_motions(const settings *v, const block_run *runs, carom_record *record,
                                  carom_report *report) {
    const struct {
        const char *name;
        int run;
    } drawn[] = {{"stiffer_b", 0},
                 {"stiffer_a", v->ratios - 1},
                 {"b_first", v->ratios},
                 {"a_first", v->ratios + v->angles - 1}};
    carom_record around = carom_record_group(record, "/around_impact");
    for (int k = 0; k < COUNT(drawn); k++) {
        const block_run *run = &runs[drawn[k].run];
        carom_rigid_block_params block = v->block;
        block.tilt = run->tilt;
        CAROM_AUTO(carom_impact_scene) scene = NULL;
        CAROM_TRY(carom_rigid_block_alloc(&block, &scene, report));
        carom_record group = carom_record_group(&around, "%s", drawn[k].name);
        CAROM_TRY(carom_scene_record_passage(&group, COORDINATES, scene->position, scene->velocity,
                                             run->velocity));
    }
    return carom_geometry_record_block(&around, v->block.width, v->block.height);
}

/* --- the rigid block -------------------------------------------------------------------------- */

/** The two segments of outcomes as a line from (a, 0) over the origin to (0, a): /exact. */
static void write_exact(carom_record *record, double a) {
    const double x[] = {a, 0.0, 0.0};
    const double y[] = {0.0, 0.0, a};
    carom_record_scalar(record, "/exact/largest_rebound", a, "m s-1",
                        "largest normal velocity of a rigid outcome");
    carom_record set = carom_record_group(record, "/exact/set");
    carom_record_index_axis(&set, "corner", COUNT(x), "corner of the set of rigid outcomes");
    carom_record_series(&set, "x", x, "corner", NULL, "m s-1", "normal velocity of A");
    carom_record_series(&set, "y", y, "corner", NULL, "m s-1", "normal velocity of B");
}

/** What is multiplied; angles fall with the square root of the stiffness, on which alone they act.
 */
typedef struct variant {
    const char *name;
    double gravity;
    double stiffness;
    double damping;
    const char *long_name;
} variant;

static const variant variants[] = {
    {"weightless", 0.0, 1.0, 1.0, "without gravity"},
    {"stiffer", 1.0, 100.0, 1.0, "corners a hundred times as stiff"},
    {"damped", 0.0, 1.0, 4.0, "without gravity, four times the damping ratio"},
};

/** Largest normal velocity of runs as a part of the largest rigid one. */
static double reach(const block_run *runs, int count, double rebound) {
    double largest = 0.0;
    for (int i = 0; i < count; i++) {
        largest = fmax(largest, fmax(runs[i].normal_velocity[0], runs[i].normal_velocity[1]));
    }
    return largest / rebound;
}

/** The two ends of each sweep with other gravity, stiffness and damping: /variants. */
static carom_status run_variants(const settings *values, const carom_common_options *common,
                                 double rebound, carom_record *record, carom_report *report) {
    enum { ENDS = 2 };
    for (int k = 0; k < COUNT(variants); k++) {
        const variant *v = &variants[k];
        settings changed = *values;
        changed.ratios = ENDS;
        changed.angles = ENDS;
        changed.block.gravity *= v->gravity;
        changed.stiffness *= v->stiffness;
        changed.largest_angle /= sqrt(v->stiffness);
        changed.damping_ratio *= v->damping;
        block_run runs[2 * ENDS] = {{0}};
        CAROM_TRY(run_sweeps(&changed, common, runs, report));
        carom_record group = carom_record_group(record, "/variants/%s", v->name);
        carom_record_attribute(&group, ".", "long_name", v->long_name);
        carom_record_scalar(&group, "stiffness_reach", reach(runs, ENDS, rebound), "1",
                            "largest normal velocity over the rigid one, stiffness ratios");
        carom_record_scalar(&group, "angle_reach", reach(runs + ENDS, ENDS, rebound), "1",
                            "largest normal velocity over the rigid one, angles");
    }
    return CAROM_OK;
}

/* --- the program ------------------------------------------------------------------------------ */

/** Of the softer corner, N/m. */
#define STIFFNESS 1e6

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

/** Refuse a stiffness for which what is filled in overflows, or is nothing. */
static carom_status refuse_overflow(const settings *values, carom_report *report) {
    const double time = values->time_span;
    const double speed = values->regularisation_speed;
    if (isfinite(time) && time > 0.0 && isfinite(speed) && speed > 0.0 &&
        isfinite(values->stop_speed)) {
        return CAROM_OK;
    }
    return carom_report_refuse(report, "stiffness", values->stiffness, -1,
                               "where the contact time sqrt(m/k) and the speed v0 or g sqrt(m/k) "
                               "neither overflow nor underflow");
}

/** Fill in what is not set, and refuse options that do not fit together. */
static carom_status check(void *context, carom_report *report) {
    settings *values = context;
    fill_in(values);
    carom_rigid_block_params tilted = values->block;
    tilted.tilt = values->largest_angle * DEGREE;
    CAROM_TRY(carom_rigid_block_params_check(&values->block, report));
    CAROM_TRY(carom_rigid_block_params_check(&tilted, report));
    CAROM_TRY(refuse_overflow(values, report));
    if (!isfinite(values->stiffness * pow(10.0, values->largest_exponent))) {
        return carom_report_bound(report, "largest exponent", values->largest_exponent, "at most",
                                  floor(log10(DBL_MAX / values->stiffness)));
    }
    return CAROM_OK;
}

static carom_status body(carom_record *record, const carom_common_options *common, void *context,
                         carom_report *report) {
    const settings *v = context;
    CAROM_AUTO_MEMORY block_run *runs = calloc((size_t)v->ratios + (size_t)v->angles, sizeof *runs);
    if (runs == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_TRY(run_sweeps(v, common, runs, report));
    carom_rigid_block_exact closed;
    const bool has_exact = carom_rigid_block_exact_compute(&v->block, &closed, NULL) == CAROM_OK;
    const carom_rigid_block_exact *exact = has_exact ? &closed : NULL;
    carom_record_index_axis(record, "/contact", CORNERS, "corner: A, B");
    carom_record_index_axis(record, "/coordinate", COORDINATES, "x, y, theta");
    carom_record_integer(record, "/exact/is_available", has_exact ? 1 : 0, "1",
                         "0: a corner slides, no closed form");
    write_sweep(record, "/stiffness_sweep", "exponent", "1",
                "decimal exponent of the ratio k_A/k_B; the softer one is fixed", runs, v->ratios,
                exact);
    write_sweep(record, "/angle_sweep", "angle", "deg",
                "initial angle theta_0, positive: the left corner A is lower", runs + v->ratios,
                v->angles, exact);
    CAROM_TRY(write_motions(v, runs, record, report));
    if (!has_exact) {
        return CAROM_OK;
    }
    write_exact(record, closed.largest_rebound);
    return closed.largest_rebound > 0.0
               ? run_variants(v, common, closed.largest_rebound, record, report)
               : CAROM_OK;
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
               "(0, 1)"),
    CAROM_REAL("absolute-tolerance", settings, absolute_tolerance, "1",
               "of the integrator, in parts of what the energy of the run can bring about",
               "(0, 1)"),
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
