/** The exact biped: the harmonic gait continued in theta to where the family ends, or one of its
 * gaits. */
#include "nonlinear.h"

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

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
static const double LARGEST_ANGLE = 1.5;

/** The most samples of a quarter of the cycle. */
enum { MOST_SAMPLES = 100000 };

void biped_rocking_intervals(const settings *values, int *intervals, int *constrained_intervals) {
    const int samples = values->samples < MOST_SAMPLES ? values->samples : MOST_SAMPLES;
    const int eighths = samples / 8;
    *constrained_intervals = eighths < 1 ? 2 : 2 * eighths;
    *intervals = 3 * *constrained_intervals;
}

void biped_rocking_gait_start(const results *r, double *position, carom_gait_start *start) {
    const carom_motion_state state = {.position = position};
    carom_collisionless_motion_state(r->gait, CAROM_MOTION_UNCONSTRAINED, 0.0,
                                     CAROM_MOTION_FROM_EQUILIBRIUM, &state);
    for (int j = 0; j < r->coordinate_count; j++) {
        position[j] /= r->biped.half_step_angle;
    }
    *start = (carom_gait_start){position, r->root.time, r->root.constrained_time};
}

double biped_rocking_largest_angle(const results *r, const carom_gait_start *start) {
    double largest = 0.0;
    for (int j = 0; j < r->coordinate_count; j++) {
        largest = fmax(largest, fabs(start->position[j]));
    }
    return largest;
}

/* --- small angles ----------------------------------------------------------------------------- */

/** The impact times of a gait. */
static carom_status times_at(const results *r, const carom_gait_start *start, double theta,
                             double times[2]) {
    carom_armed_biped_params biped = r->biped;
    biped.half_step_angle = theta;
    carom_nonlinear_gait *gait = NULL;
    CAROM_TRY(carom_nonlinear_gait_solve(&biped, start, NULL, &gait, r->report));
    times[0] = gait->time;
    times[1] = gait->constrained_time;
    carom_nonlinear_gait_free(gait);
    return CAROM_OK;
}

/** d(tau)/d(theta^2) and d(tau')/d(theta^2) at theta = 0: from theta and 2 theta, without the terms
 * of fourth order. */
static carom_status write_small_angles(const results *r, const carom_gait_start *start,
                                       double theta) {
    double once[2];
    double twice[2];
    CAROM_TRY(times_at(r, start, theta, once));
    CAROM_TRY(times_at(r, start, 2.0 * theta, twice));
    const double limit[2] = {start->time, start->constrained_time};
    double slope[2];
    for (int i = 0; i < 2; i++) {
        const double squared = theta * theta;
        slope[i] = (4.0 * (once[i] - limit[i]) - 0.25 * (twice[i] - limit[i])) / (3.0 * squared);
    }
    const double unit = r->biped.half_step_angle;
    const carom_measure numbers[] = {
        {"harmonic_impact_time", limit[0], "s", "tau at theta = 0"},
        {"harmonic_constrained_time", limit[1], "s", "tau' at theta = 0"},
        {"harmonic_energy", r->gait->energy / gsl_pow_2(unit), "J rad-2",
         "energy over theta^2 at theta = 0"},
        {"harmonic_arm_at_P", start->position[0], "1",
         "angle of the arm at P from hanging, over theta"},
        {"impact_time_slope", slope[0], "s rad-2", "of tau over theta^2 at theta = 0"},
        {"constrained_time_slope", slope[1], "s rad-2", "of tau' over theta^2 at theta = 0"},
    };
    carom_record to = carom_record_group(r->record, "/nonlinear");
    carom_record_scalars(&to, numbers, COUNT(numbers));
    return CAROM_OK;
}

/* --- the branch ------------------------------------------------------------------------------- */

/** The largest angle is not always the last: the family may turn round. */
static int largest_point(const carom_gait_branch *branch) {
    int largest = 0;
    for (int i = 1; i < branch->count; i++) {
        if (branch->gaits[i].half_step_angle > branch->gaits[largest].half_step_angle) {
            largest = i;
        }
    }
    return largest;
}

static int realizable_count(const carom_gait_branch *branch) {
    int count = 0;
    for (int i = 0; i < branch->count; i++) {
        count += branch->conditions[i].is_realizable ? 1 : 0;
    }
    return count;
}

/** Largest residual and largest spread of the energy of all points. */
static void write_accuracy(const results *r, const carom_gait_branch *branch) {
    double residual = 0.0;
    double spread = 0.0;
    for (int i = 0; i < branch->count; i++) {
        residual = fmax(residual, branch->gaits[i].residual);
        spread = fmax(spread, branch->conditions[i].energy_spread);
    }
    const carom_measure numbers[] = {
        {"largest_residual", residual, "1", "of the shooting equations of all points"},
        {"largest_energy_spread", spread, "1",
         "of all points: largest less least energy along the gait, over m_t g h"},
    };
    carom_record to = carom_record_group(r->record, "/nonlinear");
    carom_record_scalars(&to, numbers, COUNT(numbers));
}

/** How far the family goes and how it ends. */
static void write_end(const results *r, const carom_gait_branch *branch) {
    const carom_nonlinear_gait *last = &branch->gaits[branch->count - 1];
    const carom_measure numbers[] = {
        {"largest_amplitude", branch->gaits[largest_point(branch)].half_step_angle, "rad",
         "largest theta of the branch"},
        {"last_impact_time", last->time, "s", "tau where the branch ends"},
        {"last_constrained_time", last->constrained_time, "s", "tau' where the branch ends"},
        {"last_arm_to_upper_vertical", fabs(remainder(last->states[0], 2.0 * M_PI)), "rad",
         "angle of the arm at P to the upper vertical where the branch ends"},
    };
    carom_record to = carom_record_group(r->record, "/nonlinear");
    carom_record_scalars(&to, numbers, COUNT(numbers));
    carom_record_string(r->record, "/nonlinear/end", carom_gait_end_name(branch->end),
                        "what ended the branch");
    carom_record_integer(r->record, "/nonlinear/fold_count", branch->fold_count, "1",
                         "turning points of theta");
    carom_record_integer(r->record, "/nonlinear/realizable_count", realizable_count(branch), "1",
                         "points whose feet can do what the gait asks");
}

/** One gait in full; NOT_CONVERGED if the family turns round before it. */
static carom_status write_case(const results *r, const char *group, double theta,
                               carom_report *report) {
    exact_gait exact;
    carom_status status = biped_rocking_gait_find(r, theta, &exact, report);
    if (status == CAROM_OK) {
        status = biped_rocking_write_gait(r, group, &exact);
    }
    biped_rocking_gait_clear(&exact);
    return status;
}

/** Gaits at round amplitudes, as far as the family has them before it turns round. */
static carom_status write_cases(const results *r, double largest) {
    int count = 0;
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0] && CASES[i] <= largest; i++) {
        char group[sizeof "/nonlinear/case_99"];
        snprintf(group, sizeof group, "/nonlinear/case_%d", count + 1);
        carom_report attempt = carom_report_empty();
        const carom_status status = write_case(r, group, CASES[i], &attempt);
        if (status == CAROM_STATUS_NOT_CONVERGED) {
            break;
        }
        if (status != CAROM_OK) {
            *r->report = attempt;
            return status;
        }
        count++;
    }
    carom_record_integer(r->record, "/nonlinear/case_count", count, "1",
                         "gaits that are written in full, case_1 to case_COUNT");
    return CAROM_OK;
}

/** The first gait is small in all angles; the others follow to where the branch ends. */
static carom_gait_branch_params branch_params(const results *r, const carom_gait_start *start) {
    const settings *values = r->values;
    const double unit = biped_rocking_largest_angle(r, start);
    carom_gait_branch_params params = carom_gait_branch_params_default();
    params.max_angle = isnan(values->max_amplitude) ? LARGEST_ANGLE : values->max_amplitude;
    params.first_angle = fmin(FIRST_ANGLE / unit, 0.5 * params.max_angle);
    params.max_step = CURVE_STEP;
    params.max_time = LONGEST * start->time;
    return params;
}

static carom_status write_branch(const results *r, const carom_gait_start *start) {
    const carom_gait_branch_params params = branch_params(r, start);
    carom_gait_branch *branch = NULL;
    carom_status status = carom_gait_branch_trace(&r->biped, start, &params, &branch, r->report);
    if (status == CAROM_STATUS_NOT_CONVERGED) {
        return carom_report_fail(r->report, status,
                                 "first gait of the exact biped, half step angle",
                                 params.first_angle, -1);
    }
    CAROM_TRY(status);
    const double largest = branch->gaits[largest_point(branch)].half_step_angle;
    status = biped_rocking_write_points(r, branch->count, branch->gaits, branch->conditions);
    if (status == CAROM_OK) {
        carom_record_series(r->record, "/nonlinear/arclength", branch->arclength,
                            "/nonlinear/point", NULL, "1", "from the first point");

        write_end(r, branch);

        write_accuracy(r, branch);
    }
    carom_gait_branch_free(branch);
    CAROM_TRY(status);
    CAROM_TRY(write_small_angles(r, start, SMALL_PART * largest));
    CAROM_TRY(write_cases(r, largest));
    return CAROM_OK;
}

/** Only the gait at the amplitude of the options. */
static carom_status write_one(const results *r) {
    exact_gait exact;
    carom_status status =
        biped_rocking_gait_find(r, biped_rocking_amplitude(r->values), &exact, r->report);
    if (status == CAROM_STATUS_NOT_CONVERGED) {
        r->report->quantity = "amplitude that the family of gaits was followed up to";
    }
    if (status == CAROM_OK) {
        status = biped_rocking_write_points(r, 1, exact.gait, &exact.conditions);
    }
    if (status == CAROM_OK) {
        status = biped_rocking_write_gait(r, "/nonlinear/case_1", &exact);
    }
    biped_rocking_gait_clear(&exact);
    return status;
}

carom_status biped_rocking_write_nonlinear(const results *r) {
    const settings *values = r->values;
    carom_record_index_axis(r->record, "/nonlinear/coordinate", r->coordinate_count,
                            "arm, torso links from above, stance leg");
    if (!isnan(values->amplitude) && isnan(values->max_amplitude)) {
        return write_one(r);
    }
    double *position = malloc((size_t)r->coordinate_count * sizeof *position);
    if (position == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    carom_gait_start start;
    biped_rocking_gait_start(r, position, &start);
    const carom_status status = write_branch(r, &start);
    free(position);
    return status;
}
