/**
 * bouncing_pendulum: a rigid pendulum in redundant coordinates against a wall (bruls-2014,
 * section 10.2, figures 8 to 16).
 *
 *     q = (x, y, theta),  M = diag(m, m, J),  f = (0, -m a_g, 0)
 *     joints   g1 = x - l cos theta = 0,  g2 = y - l sin theta = 0
 *     contact  g3 = x - x_wall >= 0,  Newton's law with e
 *
 * Printed: m, J, l, a_g, theta_0, release from rest, x_wall, e, h, the step of the reference and
 * the spectral radius 0.8. Inferred: x_0, y_0 from the joints. Chosen, since the paper is silent:
 * the duration of 6 s, which covers the accumulation of the impacts; the spectral radius 0.4 beside
 * 0.8 and 0; the predictor of Moreau-Jean; the tolerance.
 *
 * Beside the schemes that of the paper is run with one thing changed: a tenth and half of the step,
 * other spectral radii, algorithm 1. The runs are compared with the exact motion, in energies and
 * joint forces; runs with ever smaller steps give orders of convergence. What the paper says of all
 * this is asked of the record, in data/published/bouncing_pendulum.csv.
 */
#include <carom/carom.h>

#include <carom/base/parallel.h>
#include <carom/drawing/models.h>
#include <carom/study/pendulum_motion.h>
#include <carom/study/scheme_options.h>

#include <math.h>
#include <stdlib.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

enum { JOINTS = CAROM_PENDULUM_JOINTS };

/** Everything that options set. */
typedef struct settings {
    carom_bouncing_pendulum_params pendulum;
    carom_scheme_options schemes;
} settings;

/** Some parameters have no exact solution, no rest against the wall: the record then goes without.
 * Only a lack of memory is an error. */
static carom_status unless_unknown(carom_status status) {
    return status == CAROM_STATUS_OUT_OF_MEMORY ? status : CAROM_OK;
}

/* --- the runs --------------------------------------------------------------------------------- */

static const carom_scheme PROPOSED = CAROM_SCHEME_NONSMOOTH_GALPHA;

/** Runs whose energies and reactions are compared. */
static const char *const COMPARED[] = {"nonsmooth_galpha", "moreau_jean"};

/** Steps after an impact in which the joint force is watched: 0.8^100 is 1e-10. */
enum { OSCILLATION_STEPS = 100 };

/** Beside the selected schemes: always the reference, and algorithm 1 beside the scheme it solves.
 * A comparator that cannot go on is a result; the scheme asked for alone must go on. */
static void plan_runs(carom_scheme_plan *plan) {
    const carom_scheme_options *options = plan->options;
    for (int i = 0; i < plan->count; i++) {
        plan->runs[i].may_fail =
            options->scheme == CAROM_SCHEME_COUNT && plan->runs[i].params.scheme != PROPOSED;
    }
    carom_scheme_plan_add(plan, PROPOSED, "reference")->params.step *= 0.1;
    if (carom_scheme_options_selects(options, PROPOSED) &&
        options->newton != CAROM_NEWTON_SEQUENTIAL) {
        carom_scheme_plan_add(plan, PROPOSED, "nonsmooth_galpha_sequential")->params.newton =
            CAROM_NEWTON_SEQUENTIAL;
    }
}

/** All runs are compared from impact to impact: they stay in memory. */
static void keep_runs(carom_scheme_plan *plan) {
    for (int i = 0; i < plan->count; i++) {
        plan->runs[i].is_kept = true;
    }
}

/** Other spectral radii and half the step, up to the end of the oscillation after the first impact
 * of the run of the paper. */
static carom_status make_short_runs(const carom_model *model, const carom_trajectory *t,
                                    carom_scheme_plan *plan, const carom_common_options *common,
                                    carom_record *record, carom_report *report) {
    static const struct {
        const char *group;
        double radius;
    } radii[] = {{"nonsmooth_galpha_radius_04", 0.4}, {"nonsmooth_galpha_radius_00", 0.0}};
    int row = 0;
    plan->count = 0;
    if (t == NULL || carom_trajectory_impacts(t, 0, 1, &row) == 0) {
        return CAROM_OK;
    }
    for (int i = 0; i < COUNT(radii); i++) {
        carom_scheme_plan_add(plan, PROPOSED, radii[i].group)->params.spectral_radius =
            radii[i].radius;
    }
    carom_scheme_plan_add(plan, PROPOSED, "nonsmooth_galpha_half_step")->params.step *= 0.5;
    const double until =
        fmin(t->time[row] + OSCILLATION_STEPS * t->step, t->time[t->row_count - 1]);
    keep_runs(plan);
    CAROM_TRY(carom_scheme_runs(model, until, plan->runs, plan->count, common, record, report));
    for (int i = 0; i < COUNT(radii); i++) {
        carom_record group = carom_record_group(record, "/%s", radii[i].group);
        carom_record_scalar(&group, "spectral_radius", radii[i].radius, "1",
                            "spectral radius of this run");
    }
    return CAROM_OK;
}

/* --- the exact motion ------------------------------------------------------------------------- */

/** Exact impacts that are kept: for e = 0.8 the last has 1e-3 of the speed of the first. */
enum { EXACT_IMPACTS = 32 };

static const carom_field IMPACT_FIELDS[] = {
    CAROM_FIELD("time", carom_bouncing_pendulum_impact, time, "s", "times of the impacts"),
    CAROM_FIELD("rate", carom_bouncing_pendulum_impact, rate, "rad s-1",
                "rate of the angle before the impact"),
    CAROM_FIELD("contact_impulse", carom_bouncing_pendulum_impact, contact_impulse, "N s",
                "impulse of the contact"),
    CAROM_FIELD_ARRAY("joint_impulse", carom_bouncing_pendulum_impact, joint_impulse, "joint",
                      "N s", "impulses of the joints"),
};

/** Impacts and accumulation, as far as they are known, and the smooth joint force at the times of a
 * run: /exact. */
static carom_status write_exact(const settings *values, const carom_trajectory *grid,
                                const carom_bouncing_pendulum_impact *impacts, int impact_count,
                                carom_record *record) {
    const carom_bouncing_pendulum_params *pendulum = &values->pendulum;
    carom_record exact = carom_record_group(record, "/exact");
    double accumulation = (double)NAN;
    carom_status known =
        carom_bouncing_pendulum_exact_accumulation_time(pendulum, &accumulation, NULL);
    CAROM_TRY(unless_unknown(known));
    if (isfinite(accumulation)) { // infinite for e = 1, that is never
        carom_record_scalar(&exact, "accumulation_time", accumulation, "s",
                            "instant at which the impacts accumulate");
    }
    if (impact_count > 0) {
        carom_record group = carom_record_group(&exact, "impacts");
        carom_record_index_axis(&group, "joint", JOINTS, "number of the joint");
        carom_record_rows(&group, "time", impacts, impact_count, sizeof *impacts, IMPACT_FIELDS,
                          COUNT(IMPACT_FIELDS));
    }

    CAROM_AUTO_MEMORY double *forces = malloc((size_t)grid->row_count * JOINTS * sizeof *forces);
    if (forces == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    known = carom_pendulum_exact_forces(pendulum, grid->row_count, grid->time, forces);
    if (known == CAROM_OK) {
        carom_record_axis(&exact, "time", grid->row_count, grid->time, "s", "time");
        carom_record_index_axis(&exact, "joint", JOINTS, "number of the joint");
        carom_record_series(&exact, "joint_force", forces, "time", "joint", "N",
                            "smooth joint force lambda");
    }
    return unless_unknown(known);
}

/* --- the force of the first joint ------------------------------------------------------------- */

/** The oscillation has died out at this fraction of its first deviation. */
static const double DAMPED_FRACTION = 0.01;

/** Steps after an impact until the oscillation of the joint force is out of the comparison. */
enum { SETTLING_STEPS = 30 };

/** The horizontal force of a step. */
typedef struct force_row {
    carom_pendulum_force force;
    int step; /**< after the impact */
} force_row;

static const carom_field OSCILLATION_FIELDS[] = {
    CAROM_FIELD("step", force_row, step, "1", "steps after the first impact"),
    CAROM_FIELD("deviation", force_row, force.deviation, "N",
                "smooth force of joint 1 less the exact one of the same state"),
};
static const carom_field FLIGHT_FIELDS[] = {
    CAROM_FIELD("time", carom_pendulum_force, time, "s", "time"),
    CAROM_FIELD("reaction", carom_pendulum_force, reaction, "N",
                "smooth force and impulse / h of joint 1"),
    CAROM_FIELD("exact", carom_pendulum_force, exact, "N", "exact smooth force of the same state"),
};

/** The steps from the first impact on, and how many pass until the oscillation has died out:
 * /oscillation; nothing if there is no whole oscillation. */
static void write_oscillation(const settings *values, const char *group, const carom_trajectory *t,
                              carom_record *record) {
    force_row rows[OSCILLATION_STEPS + 1];
    int hits[2];
    const int count = t == NULL ? 0 : carom_trajectory_impacts(t, 0, 2, hits);
    if (count == 0 || hits[0] + COUNT(rows) > (count == 2 ? hits[1] : t->row_count)) {
        return;
    }
    for (int i = 0; i < COUNT(rows); i++) {
        rows[i] = (force_row){carom_pendulum_force_of(&values->pendulum, t, hits[0] + i), i};
    }
    carom_record oscillation = carom_record_group(record, "/oscillation/%s", group);
    carom_record_rows(&oscillation, "step", rows, COUNT(rows), sizeof *rows, OSCILLATION_FIELDS,
                      COUNT(OSCILLATION_FIELDS));
    const double limit = DAMPED_FRACTION * fabs(rows[1].force.deviation);
    int last = 1;
    while (last < COUNT(rows) && fabs(rows[last].force.deviation) > limit) {
        last++;
    }
    if (last < COUNT(rows)) {
        carom_record_integer(&oscillation, "damped", last - 1, "1",
                             "steps until the deviation is a hundredth of the first");
    }
}

/** Both schemes in the first flight, between the oscillation and the earlier of the second impacts:
 * /flight; nothing without a flight. */
static carom_status write_flight(const settings *values, const carom_scheme_plan *plan,
                                 carom_record *record) {
    const carom_trajectory *runs[COUNT(COMPARED)];
    int first = 0;
    int end = 0;
    for (int i = 0; i < COUNT(runs); i++) {
        int hits[2];
        runs[i] = carom_scheme_plan_find(plan, COMPARED[i]);
        if (runs[i] == NULL || carom_trajectory_impacts(runs[i], 0, 2, hits) < 2) {
            return CAROM_OK;
        }
        first = hits[0] > first ? hits[0] : first;
        end = i == 0 || hits[1] < end ? hits[1] : end;
    }
    first += SETTLING_STEPS;
    if (first >= end) {
        return CAROM_OK;
    }
    CAROM_AUTO_MEMORY carom_pendulum_force *rows = calloc((size_t)(end - first), sizeof *rows);
    if (rows == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int i = 0; i < COUNT(runs); i++) {
        for (int row = first; row < end; row++) {
            rows[row - first] = carom_pendulum_force_of(&values->pendulum, runs[i], row);
        }
        carom_record group = carom_record_group(record, "/flight/%s", COMPARED[i]);
        carom_record_rows(&group, "time", rows, end - first, sizeof *rows, FLIGHT_FIELDS,
                          COUNT(FLIGHT_FIELDS));
    }
    return CAROM_OK;
}

/* --- orders of convergence -------------------------------------------------------------------- */

enum { MOST_STEPS = 13 };

/** One sequence of runs. */
typedef struct order_study {
    const char *group;
    carom_scheme scheme;
    bool is_smooth;  /**< the flight to a distant wall, or the motion with its impacts */
    double coarsest; /**< largest step over that of the options; smooth: over the duration */
    double ratio;    /**< of a step to the one before */
    int count;       /**< steps */
} order_study;

/** The square root of one half. */
#define HALF_OCTAVE 0.70710678118654752

/** Smooth: whole numbers of steps. With impacts: from ten times the step of the options to a sixth
 * of it, two steps to the octave, since an impact is met early or late by chance. */
static const order_study STUDIES[] = {
    {"smooth_nonsmooth_galpha", CAROM_SCHEME_NONSMOOTH_GALPHA, true, 1.0 / 30.0, 0.5, 4},
    {"smooth_moreau_jean", CAROM_SCHEME_MOREAU_JEAN, true, 1.0 / 30.0, 0.5, 4},
    {"impacts_nonsmooth_galpha", CAROM_SCHEME_NONSMOOTH_GALPHA, false, 10.0, HALF_OCTAVE,
     MOST_STEPS},
};

/** A wall beside the lowest point, in lengths: the flight to it is smooth and as long as can be. */
static const double DISTANT_WALL = 0.01;
/** The part of that flight that is used, and the longest motion with impacts in units of
 * sqrt(l/a_g): three of them, 2.2 s of the paper's pendulum. */
static const double SMOOTH_PART = 0.8;
static const double LONGEST_IMPACTS = 6.957010852370434;

/** One step size, and the mean errors over its run. */
typedef struct order_row {
    double step; /**< s */
    carom_pendulum_errors errors;
} order_row;

/* With impacts the reaction has peaks of 1/h: only its smooth part has an order, and stands last.
 */
static const carom_field ORDER_FIELDS[] = {
    CAROM_FIELD("step", order_row, step, "s", "step size"),
    CAROM_FIELD("angle_error", order_row, errors.angle, "rad", "mean error over the run"),
    CAROM_FIELD("rate_error", order_row, errors.rate, "rad s-1", "mean error over the run"),
    CAROM_FIELD("joint_force_error", order_row, errors.reaction, "N", "mean error over the run"),
};

/** A study under way. */
typedef struct convergence {
    const order_study *study;
    settings values; /**< with the wall and the duration of the study */
    order_row rows[MOST_STEPS];
} convergence;

/** Run with step i, and compare. */
static carom_status study_step(int i, void *context, carom_report *report) {
    convergence *c = context;
    carom_stepper_params params = carom_scheme_options_params(&c->values.schemes, c->study->scheme);
    params.step = c->rows[i].step;
    CAROM_AUTO(carom_model) model = NULL;
    CAROM_AUTO(carom_trajectory) t = NULL;
    CAROM_TRY(carom_bouncing_pendulum_alloc(&c->values.pendulum, &model, report));
    CAROM_TRY(carom_trajectory_run_to_failure(&model->mechanism, &params, model->initial_position,
                                              model->initial_velocity, c->values.schemes.duration,
                                              NULL, NULL, &t, report));
    return carom_pendulum_compare(&c->values.pendulum, t, &c->rows[i].errors);
}

/** Pendulum, duration and steps of a study; false without an exact motion or without impacts. */
static bool prepare_study(convergence *c) {
    carom_bouncing_pendulum_params *pendulum = &c->values.pendulum;
    double *duration = &c->values.schemes.duration;
    carom_bouncing_pendulum_impact impact;
    double coarsest = c->study->coarsest * c->values.schemes.step;
    *duration = fmin(*duration, LONGEST_IMPACTS * sqrt(pendulum->length / pendulum->gravity));
    if (c->study->is_smooth) {
        pendulum->wall_position = DISTANT_WALL * pendulum->length;
    }
    if (carom_bouncing_pendulum_exact_impacts(pendulum, 1, &impact, NULL) != CAROM_OK) {
        return false;
    }
    if (c->study->is_smooth) {
        *duration = SMOOTH_PART * impact.time;
        coarsest = c->study->coarsest * *duration;
    } else if (impact.time > *duration) {
        return false;
    }
    for (int i = 0; i < c->study->count; i++) {
        c->rows[i].step = coarsest * pow(c->study->ratio, i);
    }
    return coarsest < *duration;
}

/** Run and record the studies whose scheme is selected: /convergence. */
static carom_status study_orders(const settings *values, carom_workers workers,
                                 carom_record *record, carom_report *report) {
    for (int s = 0; s < COUNT(STUDIES); s++) {
        const int count = STUDIES[s].count;
        convergence c = {.values = *values, .study = &STUDIES[s]};
        if (!carom_scheme_options_selects(&values->schemes, STUDIES[s].scheme) ||
            !prepare_study(&c)) {
            continue;
        }
        CAROM_TRY(carom_parallel_map(workers, count, study_step, &c,
                                     CAROM_PARALLEL_ROWS(c.rows, count), report));
        int known = 0;
        for (int i = 0; i < count; i++) {
            known += c.rows[i].errors.is_known;
        }
        carom_record group = carom_record_group(record, "/convergence/%s", STUDIES[s].group);
        carom_record_rows(&group, "step", c.rows, known == count ? count : 0, sizeof *c.rows,
                          ORDER_FIELDS, COUNT(ORDER_FIELDS) - (STUDIES[s].is_smooth ? 0 : 1));
    }
    return CAROM_OK;
}

/* --- conditioning ----------------------------------------------------------------------------- */

/** Condition number of the Newton matrix for two steps, three decades apart, since a dependence on
 * the step would show as a factor of a thousand or more: /condition. */
static carom_status study_conditioning(const settings *values, carom_record *record) {
    static const double parts[] = {10.0, 0.01}; // of the step of the options
    double condition[COUNT(parts)];
    if (!carom_scheme_options_selects(&values->schemes, PROPOSED)) {
        return CAROM_OK;
    }
    for (int i = 0; i < COUNT(parts); i++) {
        carom_stepper_params params = carom_scheme_options_params(&values->schemes, PROPOSED);
        params.step = parts[i] * values->schemes.step;
        CAROM_TRY(carom_pendulum_condition(&values->pendulum, &params, &condition[i]));
    }
    if (isfinite(condition[0]) && isfinite(condition[1])) {
        carom_record_scalar(record, "/condition/coarse", condition[0], "1",
                            "condition number of the Newton matrix at rest against the wall, ten "
                            "times the step");
        carom_record_scalar(record, "/condition/fine", condition[1], "1",
                            "the same, a hundredth of the step");
    }
    return CAROM_OK;
}

/* --- the program ------------------------------------------------------------------------------ */

/** Exact motion, energies and joint forces of the runs. */
static carom_status compare(const settings *values, const carom_scheme_plan *plan,
                            const carom_scheme_plan *short_plan, carom_record *record) {
    static const char *const oscillating[] = {"nonsmooth_galpha", "reference"};
    carom_bouncing_pendulum_impact impacts[EXACT_IMPACTS];
    int count = 0;
    CAROM_TRY(unless_unknown(carom_pendulum_impacts_until(
        &values->pendulum, values->schemes.duration, EXACT_IMPACTS, impacts, &count)));
    CAROM_TRY(write_exact(values, plan->runs[0].trajectory, impacts, count, record));
    for (int i = 0; i < COUNT(COMPARED); i++) {
        const carom_trajectory *t = carom_scheme_plan_find(plan, COMPARED[i]);
        const double error =
            t == NULL ? (double)NAN : carom_pendulum_plateau_error(t, impacts, count);
        if (!isnan(error)) {
            carom_record errors = carom_record_group(record, "/errors/%s", COMPARED[i]);
            carom_record_scalar(&errors, "energy_plateau", error, "1",
                                "largest error of the energy between impacts, in all that is lost");
        }
    }
    for (int i = 0; i < COUNT(oscillating); i++) {
        write_oscillation(values, oscillating[i], carom_scheme_plan_find(plan, oscillating[i]),
                          record);
    }
    for (int i = 0; i < short_plan->count; i++) {
        const char *group = short_plan->runs[i].group;
        write_oscillation(values, group, carom_scheme_plan_find(short_plan, group), record);
    }
    return write_flight(values, plan, record);
}

static carom_status body(carom_record *record, const carom_common_options *common, void *context,
                         carom_report *report) {
    const settings *values = context;
    CAROM_AUTO(carom_model) model = NULL;
    CAROM_AUTO(carom_scheme_plan) plan = NULL;
    CAROM_AUTO(carom_scheme_plan) short_plan = NULL;
    CAROM_TRY(carom_bouncing_pendulum_alloc(&values->pendulum, &model, report));
    CAROM_TRY(carom_scheme_plan_alloc(&values->schemes, &model->mechanism, &plan));
    CAROM_TRY(carom_scheme_plan_alloc(&values->schemes, &model->mechanism, &short_plan));
    plan_runs(plan);
    keep_runs(plan);
    CAROM_TRY(carom_scheme_runs(model, values->schemes.duration, plan->runs, plan->count, common,
                                record, report));
    CAROM_TRY(make_short_runs(model, carom_scheme_plan_find(plan, "nonsmooth_galpha"), short_plan,
                              common, record, report));
    CAROM_TRY(carom_geometry_record_bouncing_pendulum(record, &values->pendulum));
    CAROM_TRY(compare(values, plan, short_plan, record));
    CAROM_TRY(study_orders(values, common->workers, record, report));
    return study_conditioning(values, record);
}

/** Refuse options that do not fit together. */
static carom_status check(void *context, carom_report *report) {
    const settings *values = context;
    CAROM_TRY(carom_bouncing_pendulum_params_check(&values->pendulum, report));
    return carom_scheme_options_check(&values->schemes, report);
}

/** The parameters, as the command line sets them. */
static const carom_option options[] = {
    CAROM_REAL("mass", settings, pendulum.mass, "kg", "mass m", "positive"),
    CAROM_REAL("inertia", settings, pendulum.inertia, "kg m2", "inertia J about the mass centre",
               "positive"),
    CAROM_REAL("length", settings, pendulum.length, "m",
               "length l from the pivot to the mass centre", "positive"),
    CAROM_REAL("gravity", settings, pendulum.gravity, "m s-2", "gravitational acceleration a_g",
               "not negative"),
    CAROM_REAL("initial-angle", settings, pendulum.initial_angle, "rad",
               "angle theta_0 above the horizontal at release", "[-1e8, 1e8]"),
    CAROM_REAL("initial-rate", settings, pendulum.initial_rate, "rad s-1",
               "rate of the angle at release", "any"),
    CAROM_REAL("wall-position", settings, pendulum.wall_position, "m",
               "position x of the wall, left of the pendulum", "any"),
    CAROM_REAL("restitution", settings, pendulum.restitution, "1", "coefficient e of the impacts",
               "[0, 1]"),
    CAROM_OPTIONS_OF(settings, schemes, carom_scheme_options_table),
};

int main(int argc, char **argv) {
    settings values = {
        .pendulum = carom_bouncing_pendulum_params_default(),
        .schemes = carom_scheme_options_default(1e-3, 6.0),
    };
    const carom_program program = {
        .name = "bouncing_pendulum",
        .title = "A rigid pendulum in redundant coordinates against a wall",
        .source = "bruls-2014",
        .schema = "bouncing_pendulum 1",
        .options = CAROM_OPTIONS(options),
        .has_contact_steps = true,
        .has_recorded_steps = true,
        CAROM_TABLES(carom_scheme_tables),
    };
    return carom_experiment_main(&program, argc, argv, check, body, &values);
}
