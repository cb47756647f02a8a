/** The exact biped: the harmonic gait continued in theta to where the family ends, or one of its
 * gaits; and both bipeds left to plastic landings. */
#include "results.h"

#include <carom/collisionless/gait/rocking_motion.h>
#include <carom/drawing/models.h>

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/** Gaits that are written in full, as far as the family has them: amplitudes in rad. */
static const double CASES[] = {0.02, 0.05, 0.08, 0.1};

/** The amplitude that the first terms in theta are read at, over the largest. */
static const double SMALL_PART = 0.02;

/** Arclength between points that are drawn as a curve, 1. */
static const double CURVE_STEP = 0.08;

/** Largest angle at P of the first gait, rad. */
static const double FIRST_ANGLE = 0.01;

/** Impact time tau up to which gaits are followed, over the harmonic one. */
static const double LONGEST = 6.0;

/** Just less than straight legs: the family ends earlier. */
static const double STRAIGHT = 1.5;

/* --- one gait --------------------------------------------------------------------------------- */

/** The harmonic gait that the family begins with; `position` [N] is borrowed. */
static carom_gait_start start_of(const results *r, double *position) {
    const carom_motion_state state = {.position = position};
    carom_collisionless_motion_state(r->gait, CAROM_MOTION_UNCONSTRAINED, 0.0,
                                     CAROM_MOTION_FROM_EQUILIBRIUM, &state);
    for (int j = 0; j < r->coordinate_count; j++) {
        position[j] /= r->biped.half_step_angle;
    }
    return (carom_gait_start){position, r->root.time, r->root.constrained_time};
}

/** The exact gait at theta; NOT_CONVERGED if the family does not get there. */
static carom_status find_gait(const results *r, const carom_gait_start *start, double theta,
                              carom_exact_gait *out, carom_report *report) {
    enum { MOST_SAMPLES = 100000 };
    const int samples = r->values->samples < MOST_SAMPLES ? r->values->samples : MOST_SAMPLES;
    carom_armed_biped_params biped = r->biped;
    biped.half_step_angle = theta;
    return carom_exact_gait_find(&biped, start, samples, out, report);
}

/** Numbers of a gait. */
typedef struct gait_numbers {
    double amplitude;
    double time;
    double constrained_time;
    double period;
    double energy;
    double residual;
    double arm;
    carom_gait_conditions conditions;
    double realizable;
} gait_numbers;

#define NUMBER(name, member, units, long_name) \
    CAROM_FIELD(name, gait_numbers, member, units, long_name)
static const carom_field NUMBERS[] = {
    NUMBER("amplitude", amplitude, "rad", "theta, half the angle between the legs"),
    NUMBER("impact_time", time, "s", "tau, from P to the landing"),
    NUMBER("constrained_time", constrained_time, "s", "tau', from the landing to P'"),
    NUMBER("period", period, "s", "of the cycle, 4 (tau + tau')"),
    NUMBER("energy", energy, "J", "above the equilibrium on one foot"),
    NUMBER("residual", residual, "1", "largest scaled equation of the shooting"),
    NUMBER("arm_at_P", arm, "rad", "angle of the arm at P from hanging"),
    NUMBER("clearance", conditions.clearance, "m s-3",
           "least height of the free foot over (tau - t)^3"),
    NUMBER("peak_gap", conditions.peak_gap, "m", "largest height of the free foot"),
    NUMBER("landing_force_slope", conditions.landing_force_slope, "s-1",
           "least force on the landing foot over weight and time from then"),
    NUMBER("max_landing_force", conditions.max_landing_force, "1",
           "largest vertical force on the landing foot up to P', over weight"),
    NUMBER("min_single_support", conditions.min_single_support, "1",
           "least vertical force on one foot, over weight"),
    NUMBER("min_double_support", conditions.min_double_support, "1",
           "least vertical force on the other of two feet, over weight"),
    NUMBER("friction_demand", conditions.friction_demand, "1",
           "largest horizontal over vertical force on one foot"),
    NUMBER("double_friction_demand", conditions.double_friction_demand, "1",
           "of both feet on the ground together"),
    NUMBER("energy_spread", conditions.energy_spread, "1",
           "largest less least energy along the gait, over m_t g h"),
    NUMBER("realizable", realizable, "1", "1: the free foot is clear, no foot is pulled"),
};

static gait_numbers numbers_of(const carom_nonlinear_gait *gait,
                               const carom_gait_conditions *conditions) {
    return (gait_numbers){
        .amplitude = gait->half_step_angle,
        .time = gait->time,
        .constrained_time = gait->constrained_time,
        .period = 4.0 * (gait->time + gait->constrained_time),
        .energy = gait->excess_energy,
        .residual = gait->residual,
        .arm = gait->states[0] - M_PI,
        .conditions = *conditions,
        .realizable = conditions->is_realizable ? 1.0 : 0.0,
    };
}

/** A quarter of the cycle. */
static void write_quarter(carom_record *group, const carom_gait_trajectory *quarter) {
    const carom_column columns[] = {
        {"gap", quarter->gap, "m", "height of the free foot"},
        {"landing_force", quarter->landing_force, "N", "vertical, on the landing foot"},
        {"stance_force", quarter->stance_force, "N", "vertical, on the other foot"},
        {"horizontal_force", quarter->horizontal_force, "N", "on both feet"},
        {"total_energy", quarter->energy, "J", "kinetic and potential, the ground at height 0"},
    };
    const carom_column states[] = {
        {"position", quarter->position, "rad", "absolute angles"},
        {"velocity", quarter->velocity, "rad s-1", "their rates"},
        {"acceleration", quarter->acceleration, "rad s-2", "and theirs"},
    };
    carom_record_axis(group, "time", quarter->count, quarter->time, "s",
                      "from P over the landing to P'");
    carom_record_columns(group, "time", NULL, columns, COUNT(columns));
    carom_record_columns(group, "time", "/nonlinear/coordinate", states, COUNT(states));
}

/** A biped as one line; `points` [2N + 5] is scratch. */
static void write_pose(carom_record *group, const char *name, const carom_armed_biped_params *biped,
                       const double *q, point *points) {
    const int N = carom_armed_biped_coordinate_count(biped);
    point *line = points + N + 2;
    carom_armed_biped_points(biped, q, &points->x);
    for (int i = 0; i < N + 3; i++) {
        const int legs[] = {N + 1, 1, 0};
        line[i] = points[i < 3 ? legs[i] : i - 2];
    }
    biped_rocking_write_points(carom_record_group(group, "%s", name), N + 3, line,
                               "free foot, hip, stance foot, hip, tops of the torso links, hand");
}

/** The exact biped at P and at the landing; and the harmonic gait of the same theta, drawn as
 * the paper's figure 6 is: angles to scale. */
static carom_status write_poses(const results *r, carom_record *group,
                                const carom_exact_gait *exact) {
    const carom_gait_trajectory *quarter = exact->quarter;
    const size_t N = (size_t)r->coordinate_count;
    const double unit = exact->biped.half_step_angle / r->biped.half_step_angle;
    CAROM_AUTO_MEMORY point *points = malloc((2 * N + 5) * sizeof *points);
    CAROM_AUTO_MEMORY double *q = malloc(N * sizeof *q);
    if (points == NULL || q == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    write_pose(group, "pose_P", &exact->biped, quarter->position, points);
    write_pose(group, "pose_landing", &exact->biped,
               quarter->position + (size_t)quarter->landing * N, points);
    for (int i = 0; i < 2; i++) {
        const carom_motion_state state = {.position = q};
        carom_collisionless_motion_state(r->gait, CAROM_MOTION_UNCONSTRAINED,
                                         i == 0 ? 0.0 : r->root.time, CAROM_MOTION_FROM_EQUILIBRIUM,
                                         &state);
        for (size_t j = 0; j < N; j++) {
            // Only the leg's place of equilibrium depends on theta.
            q[j] = unit * q[j] + (j == N - 1 ? unit : 1.0) * r->equilibrium[j];
        }
        write_pose(group, i == 0 ? "harmonic_pose_P" : "harmonic_pose_landing", &exact->biped, q,
                   points);
    }
    return CAROM_OK;
}

/** A gait as a group: its numbers beside those of the harmonic one, a quarter of its cycle, the
 * biped drawn. */
static carom_status write_gait(const results *r, const carom_gait_start *start, int number,
                               const carom_exact_gait *exact) {
    const double theta = exact->biped.half_step_angle;
    const gait_numbers numbers = numbers_of(exact->gait, &exact->conditions);
    const carom_measure harmonic[] = {
        {"harmonic_energy", r->gait->energy * gsl_pow_2(theta / r->biped.half_step_angle), "J",
         "of the harmonic gait"},
        {"harmonic_arm_at_P", theta * start->position[0], "rad", "of the harmonic gait"},
    };
    carom_record group = carom_record_group(r->record, "/nonlinear/case_%d", number);
    carom_record_rows(&group, NULL, &numbers, 1, sizeof numbers, NUMBERS, COUNT(NUMBERS));
    carom_record_scalars(&group, harmonic, COUNT(harmonic));
    write_quarter(&group, exact->quarter);
    CAROM_TRY(carom_geometry_record_armed_biped(&group, &exact->biped));
    return write_poses(r, &group, exact);
}

/* --- the family ------------------------------------------------------------------------------- */

/** Numbers of gaits and where they begin, along the axis /nonlinear/point. */
static carom_status write_gaits(const results *r, int count, const carom_nonlinear_gait *gaits,
                                const carom_gait_conditions *conditions) {
    const size_t n = (size_t)count;
    const size_t N = (size_t)r->coordinate_count;
    CAROM_AUTO_MEMORY gait_numbers *numbers = malloc(n * sizeof *numbers);
    CAROM_AUTO_MEMORY double *positions = malloc(n * N * sizeof *positions);
    if (numbers == NULL || positions == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (size_t i = 0; i < n; i++) {
        numbers[i] = numbers_of(&gaits[i], &conditions[i]);
        memcpy(positions + i * N, gaits[i].states, N * sizeof *positions);
    }
    carom_record group = carom_record_group(r->record, "/nonlinear");
    carom_record_index_axis(&group, "point", count, "gait, along the branch");
    carom_record_rows(&group, "point", numbers, count, sizeof *numbers, NUMBERS, COUNT(NUMBERS));
    carom_record_series(&group, "position_P", positions, "point", "coordinate", "rad",
                        "absolute angles at P, at rest");
    return CAROM_OK;
}

/** First terms in theta. */
static carom_status write_small_angles(const results *r, const carom_gait_start *start,
                                       double theta) {
    double slope[2];
    CAROM_TRY(carom_exact_gait_time_slopes(&r->biped, start, theta, slope, r->report));
    const carom_measure numbers[] = {
        {"harmonic_impact_time", start->time, "s", "tau at theta = 0"},
        {"harmonic_constrained_time", start->constrained_time, "s", "tau' at theta = 0"},
        {"harmonic_energy", r->gait->energy / gsl_pow_2(r->biped.half_step_angle), "J rad-2",
         "energy over theta^2 at theta = 0"},
        {"harmonic_arm_at_P", start->position[0], "1",
         "angle of the arm at P from hanging, over theta"},
        {"impact_time_slope", slope[0], "s rad-2", "of tau over theta^2 at theta = 0"},
        {"constrained_time_slope", slope[1], "s rad-2", "of tau' over theta^2 at theta = 0"},
    };
    carom_record group = carom_record_group(r->record, "/nonlinear");
    carom_record_scalars(&group, numbers, COUNT(numbers));
    return CAROM_OK;
}

/** Gaits at round amplitudes, as far as the family has them before it turns round. */
static carom_status write_cases(const results *r, const carom_gait_start *start, double largest) {
    int count = 0;
    carom_status status = CAROM_OK;
    while (count < COUNT(CASES) && CASES[count] <= largest && status == CAROM_OK) {
        CAROM_AUTO_VALUE(carom_exact_gait) exact = {.gait = NULL};
        carom_report attempt = carom_report_empty();
        status = find_gait(r, start, CASES[count], &exact, &attempt);
        if (status == CAROM_OK) {
            status = write_gait(r, start, ++count, &exact);
        } else if (status != CAROM_STATUS_NOT_CONVERGED) {
            *r->report = attempt;
        }
    }
    carom_record_integer(r->record, "/nonlinear/case_count", count, "1",
                         "gaits that are written in full, case_1 to case_COUNT");
    return status == CAROM_STATUS_NOT_CONVERGED ? CAROM_OK : status;
}

/** Largest angle at P of the harmonic gait, over theta. */
static double largest_angle(const results *r, const carom_gait_start *start) {
    double largest = 0.0;
    for (int j = 0; j < r->coordinate_count; j++) {
        largest = fmax(largest, fabs(start->position[j]));
    }
    return largest;
}

/** The first gait is small in all angles; the others follow to where the branch ends. */
static carom_status write_branch(const results *r, const carom_gait_start *start) {
    const double max_amplitude = r->values->max_amplitude;
    carom_gait_branch_params params = carom_gait_branch_params_default();
    params.max_angle = isnan(max_amplitude) ? STRAIGHT : max_amplitude;
    params.first_angle = fmin(FIRST_ANGLE / largest_angle(r, start), 0.5 * params.max_angle);
    params.max_step = CURVE_STEP;
    params.max_time = LONGEST * start->time;
    CAROM_AUTO(carom_gait_branch) branch = NULL;
    const carom_status status =
        carom_gait_branch_trace(&r->biped, start, &params, &branch, r->report);
    if (status == CAROM_STATUS_NOT_CONVERGED) {
        return carom_report_fail(r->report, status,
                                 "first gait of the exact biped, half step angle",
                                 params.first_angle, -1);
    }
    CAROM_TRY(status);
    CAROM_TRY(write_gaits(r, branch->count, branch->gaits, branch->conditions));
    carom_record group = carom_record_group(r->record, "/nonlinear");
    carom_record_string(&group, "end", carom_gait_end_name(branch->end), "what ended the branch");
    carom_record_integer(&group, "fold_count", branch->fold_count, "1", "turning points of theta");
    // The last angle is not always the largest: the family may turn round.
    double largest = 0.0;
    for (int i = 0; i < branch->count; i++) {
        largest = fmax(largest, branch->gaits[i].half_step_angle);
    }
    CAROM_TRY(write_small_angles(r, start, SMALL_PART * largest));
    return write_cases(r, start, largest);
}

/** Only the gait at the amplitude of the options. */
static carom_status write_one(const results *r, const carom_gait_start *start) {
    CAROM_AUTO_VALUE(carom_exact_gait) exact = {.gait = NULL};
    const carom_status status = find_gait(r, start, r->biped.half_step_angle, &exact, r->report);
    if (status == CAROM_STATUS_NOT_CONVERGED) {
        r->report->quantity = "amplitude that the family of gaits was followed up to";
    }
    CAROM_TRY(status);
    CAROM_TRY(write_gaits(r, 1, exact.gait, &exact.conditions));
    return write_gait(r, start, 1, &exact);
}

carom_status biped_rocking_write_exact(const results *r) {
    const settings *values = r->values;
    CAROM_AUTO_MEMORY double *position = malloc((size_t)r->coordinate_count * sizeof *position);
    if (position == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    const carom_gait_start start = start_of(r, position);
    carom_record_index_axis(r->record, "/nonlinear/coordinate", r->coordinate_count,
                            "arm, torso links from above, stance leg");
    return !isnan(values->amplitude) && isnan(values->max_amplitude) ? write_one(r, &start)
                                                                     : write_branch(r, &start);
}

/* --- half cycles that each begin at P --------------------------------------------------------- */

/** Half cycles of the exact gait, 100 cycles, and of the harmonic one. */
enum { EXACT_HALF_CYCLES = 200, HARMONIC_HALF_CYCLES = 20 };

/** A half cycle as it is recorded. */
typedef struct half_cycle_row {
    carom_rocking_half_cycle of;
    double landings;
} half_cycle_row;

#define COLUMN(name, member, units, long_name) \
    CAROM_FIELD(name, half_cycle_row, member, units, long_name)
/** Go from P to P, again and again, and write what that costs, up to the first half cycle that ends
 * before P. */
static carom_status write_corrected(const results *r, const char *name, const char *gap_rate_units,
                                    carom_rocking_motion *motion, int half_cycles) {
    const carom_rocking_reference *of_gait = carom_rocking_motion_reference(motion);
    const carom_field fields[] = {
        COLUMN("deviation", of.state.deviation, "rad",
               "largest angle at the end from P of the gait"),
        COLUMN("energy_lost", of.log.energy_lost, "J", "in landings"),
        COLUMN("correction", of.correction, "J", "energy that setting the state to P adds"),
        COLUMN("joint_work", of.state.joint_work, "J",
               "work of that correction, its parts counted as positive"),
        COLUMN("gap_rate", of.log.gap_rate, gap_rate_units, "largest at which a gap closes"),
        COLUMN("landing_time", of.landing_time, "s", "first landing, from P; NaN: none"),
        COLUMN("landings", landings, "1", "of feet that had left the ground by more than rounding"),
    };
    CAROM_AUTO_MEMORY half_cycle_row *rows = malloc((size_t)half_cycles * sizeof *rows);
    if (rows == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    carom_report_set_context(r->report, name);
    int completed = 0;
    while (completed < half_cycles) {
        half_cycle_row *row = &rows[completed];
        CAROM_TRY(carom_rocking_motion_half_cycle(motion, completed, &row->of, r->report));
        if (row->of.log.has_ended) {
            break;
        }
        row->landings = row->of.log.landings;
        completed++;
    }
    carom_report_set_context(r->report, "");
    const carom_measure numbers[] = {
        {"half_cycles", half_cycles, "1", "asked for"},
        {"impact_time", of_gait->time, "s", "tau of the gait"},
        {"half_period", of_gait->half_period, "s", "from P to P"},
        {"excess_energy", of_gait->excess_energy, "J",
         "of the gait, above the equilibrium on one foot"},
    };
    carom_record group = carom_record_group(r->record, "%s", name);
    carom_record_scalars(&group, numbers, COUNT(numbers));
    if (completed > 0) {
        carom_record_index_axis(&group, "half_cycle", completed,
                                "from one P to the next, which is its mirror image");
        carom_record_rows(&group, "half_cycle", rows, completed, sizeof *rows, fields,
                          COUNT(fields));
    }
    return CAROM_OK;
}

/* --- without corrections ---------------------------------------------------------------------- */

/** The most half cycles that are followed. */
enum { MOST_HALF_CYCLES = 20 };

/** A landing is a collision if it costs more of the energy of the gait. */
static const double COLLISION = 1e-3;

static const carom_field FREE_FIELDS[] = {
    CAROM_FIELD("time", carom_rocking_sample, time, "s", "from P"),
    CAROM_FIELD("deviation", carom_rocking_sample, deviation, "rad", "largest angle from the gait"),
    CAROM_FIELD("energy_change", carom_rocking_sample, energy_change, "J",
                "energy less that of the gait"),
};

/** When a collision is first seen and the torso has fallen. */
static void write_end(carom_record *group, const carom_rocking_run *run, double excess_energy) {
    const carom_rocking_sample *last = &run->samples[run->count - 1];
    const carom_rocking_sample *collision =
        carom_rocking_run_collision(run, COLLISION * excess_energy);
    const carom_measure numbers[] = {
        {"collision_time", collision != NULL ? collision->time : (double)NAN, "s",
         "first landing that costs more than 1e-3 of the energy of the gait, to one sample; "
         "NaN: none"},
        {"collision_energy", collision != NULL ? collision->energy_lost : (double)NAN, "J",
         "that it takes; NaN: no such landing"},
        {"fall_time", last->has_fallen ? last->time : (double)NAN, "s",
         "a link of the torso passes the horizontal; NaN: none does before the motion ends"},
    };
    carom_record_scalars(group, numbers, COUNT(numbers));
}

/** The gait left alone: how rounding grows to a fall. */
static carom_status write_free(const results *r, const carom_exact_gait *exact,
                               carom_rocking_motion *motion) {
    CAROM_AUTO_VALUE(carom_rocking_run) run = {.count = 0};
    carom_report_set_context(r->report, "/simulation/free");
    CAROM_TRY(carom_rocking_run_alone(motion, exact->quarter, MOST_HALF_CYCLES, &run, r->report));
    carom_report_set_context(r->report, "");
    carom_record group = carom_record_group(r->record, "/simulation/free");
    carom_record_rows(&group, "time", run.samples, run.count, sizeof *run.samples, FREE_FIELDS,
                      COUNT(FREE_FIELDS));
    if (run.half_cycles > 0) {
        carom_record_index_axis(&group, "half_cycle", run.half_cycles, "from one P to the next");
        carom_record_series(&group, "deviation_at_P", run.at_P, "half_cycle", NULL, "rad",
                            "at the end of half cycles");
    }
    write_end(&group, &run, carom_rocking_motion_reference(motion)->excess_energy);
    return CAROM_OK;
}

/* --- what is simulated ------------------------------------------------------------------------ */

/** Theta of the exact gait, rad: impact times and arm differ by more than a tenth from the harmonic
 * ones, and rounding grows no more than some 1e7 times in a half cycle. For bipeds that swing
 * farther less, so that no harmonic angle at P is larger; halved until the family has it. */
static const double AMPLITUDE = 0.05;
static const double LARGEST_ANGLE = 0.6;
enum { MOST_HALVINGS = 6 };

/** The exact gait without corrections and with them, which are put over weight and length of the
 * path of the mass centre: the body goes nowhere. */
static carom_status write_exact(const results *r, const carom_exact_gait *exact) {
    double weight = exact->biped.masses[0];
    for (int i = 0; i <= r->coordinate_count; i++) {
        weight += exact->biped.masses[i];
    }
    const carom_measure numbers[] = {
        {"amplitude", exact->biped.half_step_angle, "rad", "theta of the exact gait"},
        {"weight", weight * exact->biped.gravity, "N", "m_t g"},
        {"cycle_path", 4.0 * carom_gait_trajectory_path(&exact->biped, exact->quarter), "m",
         "path of the mass centre in a cycle"},
    };
    CAROM_AUTO(carom_rocking_motion) motion = NULL;
    CAROM_TRY(carom_rocking_motion_exact(&exact->biped, exact->gait, &motion, r->report));
    carom_record group = carom_record_group(r->record, "/simulation");
    carom_record_scalars(&group, numbers, COUNT(numbers));
    CAROM_TRY(write_corrected(r, "/simulation/exact", "m s-1", motion, EXACT_HALF_CYCLES));
    return write_free(r, exact, motion);
}

carom_status biped_rocking_write_simulation(const results *r) {
    if (!carom_motion_bounds_compute(r->gait->spectral).is_realizable) {
        carom_record_string(r->record, "/simulation/reason",
                            "the gait is not realizable: no ground lets it run",
                            "why nothing is simulated");
        return CAROM_OK;
    }
    CAROM_AUTO(carom_rocking_motion) harmonic = NULL;
    CAROM_TRY(carom_rocking_motion_harmonic(r->gait, r->mass, r->stiffness, &r->statics, &harmonic,
                                            r->report));
    CAROM_TRY(
        write_corrected(r, "/simulation/harmonic", "rad s-1", harmonic, HARMONIC_HALF_CYCLES));
    CAROM_AUTO_MEMORY double *position = malloc((size_t)r->coordinate_count * sizeof *position);
    if (position == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    const carom_gait_start start = start_of(r, position);
    const double first = fmin(AMPLITUDE, LARGEST_ANGLE / largest_angle(r, &start));
    for (int i = 0;; i++) {
        CAROM_AUTO_VALUE(carom_exact_gait) exact = {.gait = NULL};
        carom_report attempt = carom_report_empty();
        const carom_status status = find_gait(r, &start, ldexp(first, -i), &exact, &attempt);
        if (status == CAROM_OK) {
            return write_exact(r, &exact);
        }
        if (status != CAROM_STATUS_NOT_CONVERGED || i == MOST_HALVINGS) {
            *r->report = attempt;
            return status;
        }
    }
}
