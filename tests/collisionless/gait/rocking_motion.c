/**
 * carom/collisionless/gait/rocking_motion.h, gaits as nonsmooth motions with plastic landings,
 * which know neither modes nor shooting, and the path of the mass centre. Expected values:
 * reference tables A.1 and A.6 (tests/collisionless/motion/motion_cases.h), the equations of the
 * gap at a landing, a polygon.
 */
#include "../../failing_malloc.h"
#include "gait_cases.h"

#include <carom/collisionless/gait/gait.h>
#include <carom/collisionless/gait/internal.h>
#include <carom/collisionless/gait/rocking_motion.h>
#include <carom/collisionless/roots/impact_roots.h>

#include <string.h>

/** Reference table A.6: theta, tau, tau'. */
static const double TABLE[][3] = {
    {0.01, 3.0894719039, 0.7759122616},
    {0.02, 3.1207417273, 0.7695687495},
    {0.05, 3.4195276577, 0.6875785539},
    {0.08, 4.5459104326, 0.3456236303},
};

/** A gait of the unit biped, and the biped on its way. */
typedef struct rocking_biped {
    carom_nonlinear_gait *gait;
    carom_rocking_motion *motion;
    carom_rocking_log log;
} rocking_biped;

static rocking_biped begin(double half_step_angle) {
    const carom_armed_biped_params biped = unit_biped(half_step_angle);
    rocking_biped walker = {.gait = unit_gait(half_step_angle), .log = carom_rocking_log_empty()};
    assert_ok(carom_rocking_motion_exact(&biped, walker.gait, &walker.motion, NULL));
    return walker;
}

static void end(rocking_biped *walker) {
    carom_rocking_motion_free(walker->motion);
    carom_nonlinear_gait_free(walker->gait);
}

/* --------------------------------------------------------------------------------------- exact */

TEST(unit, exact_gaits_come_back_to_P_on_the_other_foot) {
    for (size_t i = 0; i < sizeof TABLE / sizeof TABLE[0]; i++) {
        rocking_biped walker = begin(TABLE[i][0]);
        const double half_period = 2.0 * (TABLE[i][1] + TABLE[i][2]);
        const carom_rocking_reference *of_gait = carom_rocking_motion_reference(walker.motion);
        assert_close(of_gait->half_period, half_period, 1e-9, 0.0);
        assert_close(of_gait->time, TABLE[i][1], 1e-9, 0.0);
        assert_ok(carom_rocking_motion_advance(walker.motion, half_period, &walker.log, NULL));
        ck_assert(!walker.log.has_ended);
        ck_assert_int_eq(walker.log.exchanges, 1);
        ck_assert_int_eq(walker.log.landings, 1);

        // The gap closes with the third power: rounding, grown a thousand times and more by then,
        // displaces the landing by its cube root. Energy follows with the fourth power.
        assert_close(walker.log.first_landing, TABLE[i][1], 0.0, 2e-3);
        ck_assert_msg(walker.log.energy_lost < 1e-13 * of_gait->energy, "theta = %g: lost %g",
                      TABLE[i][0], walker.log.energy_lost);

        // Rounding grows some 1e7 to 1e9 times from P to P; times of the table have ten digits.
        const carom_rocking_state state = carom_rocking_motion_compare(walker.motion);
        assert_close(state.energy_change, 0.0, 0.0, 1e-14 * of_gait->energy);
        ck_assert_double_lt(state.deviation, 1e-6);
        // Weights and lengths are one, so that a torque is at most 4 N m.
        ck_assert_double_lt(state.joint_work, 12.0 * state.deviation + 1e-12);
        end(&walker);
    }
}

TEST(unit, a_motion_follows_its_gait_for_half_a_cycle) {
    const carom_armed_biped_params biped = unit_biped(0.05);
    rocking_biped walker = begin(0.05);
    carom_gait_trajectory *quarter = NULL;
    assert_ok(carom_gait_trajectory_quarter(&biped, walker.gait, 12, 4, &quarter, NULL));
    carom_rocking_sample sample;
    for (int i = 0; i <= 32; i++) {
        assert_ok(
            carom_rocking_motion_follow(walker.motion, quarter, 0, i, &walker.log, &sample, NULL));
        // By the symmetry of the cycle, instant 32 - i lies as far before the next P.
        const double time =
            i <= 16 ? quarter->time[i] : 2.0 * (TABLE[2][1] + TABLE[2][2]) - quarter->time[32 - i];
        assert_close(sample.time, time, 1e-9, 0.0);
        ck_assert_double_lt(sample.deviation, 1e-6);
        ck_assert(!sample.has_fallen && !walker.log.has_ended);
        assert_close(sample.energy_change, 0.0, 0.0, 1e-13);
    }
    ck_assert_int_eq(walker.log.exchanges, 1);
    // The torso lies on the ground: the angle of its link is beyond a right one.
    walker.gait->states[1] = 1.6;
    carom_rocking_motion *fallen = NULL;
    walker.log = carom_rocking_log_empty();
    assert_ok(carom_rocking_motion_exact(&biped, walker.gait, &fallen, NULL));
    assert_ok(carom_rocking_motion_follow(fallen, quarter, 0, 0, &walker.log, &sample, NULL));
    ck_assert(sample.has_fallen);
    assert_close(sample.deviation, 1.6 - quarter->position[1], 1e-14, 0.0);
    carom_rocking_motion_free(fallen);
    carom_gait_trajectory_free(quarter);
    end(&walker);
}

TEST(unit, a_motion_set_back_to_P_follows_its_gait_for_the_next_half_cycle) {
    const carom_armed_biped_params biped = unit_biped(0.05);
    const double half_period = 2.0 * (TABLE[2][1] + TABLE[2][2]);
    rocking_biped walker = begin(0.05);
    carom_gait_trajectory *quarter = NULL;
    assert_ok(carom_gait_trajectory_quarter(&biped, walker.gait, 12, 4, &quarter, NULL));
    carom_rocking_sample sample;
    for (int half_cycle = 0; half_cycle < 3; half_cycle++) {
        for (int i = 0; i <= 32; i++) {
            assert_ok(carom_rocking_motion_follow(walker.motion, quarter, half_cycle, i,
                                                  &walker.log, &sample, NULL));
            ck_assert_double_lt(sample.deviation, 1e-6);
        }
        assert_close(sample.time, (half_cycle + 1) * half_period, 1e-9, 0.0);
        ck_assert_int_eq(walker.log.exchanges, half_cycle + 1);
        assert_ok(carom_rocking_motion_reset(walker.motion, sample.time, NULL));
    }
    carom_gait_trajectory_free(quarter);
    end(&walker);
}

TEST(unit, losses_of_samples_add_up_to_that_of_the_landings) {
    const carom_armed_biped_params biped = unit_biped(0.05);
    carom_nonlinear_gait *gait = unit_gait(0.05);
    carom_gait_trajectory *quarter = NULL;
    assert_ok(carom_gait_trajectory_quarter(&biped, gait, 12, 4, &quarter, NULL));
    gait->states[0] -= 1e-6;
    carom_rocking_motion *motion = NULL;
    carom_rocking_log log = carom_rocking_log_empty();
    assert_ok(carom_rocking_motion_exact(&biped, gait, &motion, NULL));
    double lost = 0.0;
    double at_start = 0.0;
    for (int i = 0; i <= 16; i++) {
        carom_rocking_sample sample;
        assert_ok(carom_rocking_motion_follow(motion, quarter, 0, i, &log, &sample, NULL));
        lost += sample.energy_lost;
        // What is lost is missing in the energy from then on.
        at_start = i == 0 ? sample.energy_change : at_start;
        assert_close(sample.energy_change, at_start - lost, 0.0, 1e-13);
    }
    ck_assert(!log.has_ended);
    ck_assert_double_gt(lost, 1e-10);
    assert_close(lost, log.energy_lost, 1e-14, 0.0);
    carom_rocking_motion_free(motion);
    carom_gait_trajectory_free(quarter);
    carom_nonlinear_gait_free(gait);
}

/** Potential energy of the unit biped, theta = 0.05, and its slope: heights of all points. */
static double unit_potential(const double *q, double *slope) {
    slope[0] = -sin(q[0]);
    slope[1] = -2.0 * sin(q[1]);
    slope[2] = -4.0 * sin(q[2]) + sin(q[2] + 0.1);
    return cos(q[0]) + 2.0 * cos(q[1]) + 4.0 * cos(q[2]) - cos(q[2] + 0.1);
}

TEST(unit, work_back_to_P_is_that_of_weights_and_of_the_speed) {
    // In flight, where the energy is that at rest at P.
    rocking_biped walker = begin(0.05);
    double start[3];
    double slope[3];
    memcpy(start, carom_rocking_motion_position(walker.motion), sizeof start);
    assert_ok(carom_rocking_motion_advance(walker.motion, 2.385, &walker.log, NULL));
    ck_assert_int_eq(walker.log.events, 0);
    const double *q = carom_rocking_motion_position(walker.motion);
    const double now = unit_potential(q, slope);
    double work = unit_potential(start, slope) - now;
    for (int j = 0; j < 3; j++) {
        work += fabs(slope[j] * (q[j] - start[j]));
    }
    assert_close(carom_rocking_motion_compare(walker.motion).joint_work, work, 1e-11, 0.0);
    end(&walker);
}

TEST(unit, reset_begins_again_at_any_time) {
    rocking_biped walker = begin(0.05);
    assert_ok(carom_rocking_motion_advance(walker.motion, 2.385, &walker.log, NULL));
    ck_assert_double_gt(carom_rocking_motion_compare(walker.motion).deviation, 0.1);
    assert_ok(carom_rocking_motion_reset(walker.motion, 17.0, NULL));
    assert_close(carom_rocking_motion_compare(walker.motion).deviation, 0.0, 0.0, 0.0);
    walker.log = carom_rocking_log_empty();
    assert_ok(carom_rocking_motion_advance(walker.motion, 17.0 + 4.0, &walker.log, NULL));
    assert_close(walker.log.first_landing - 17.0, TABLE[2][1], 0.0, 2e-3);
    end(&walker);
}

TEST(unit, a_landing_beside_the_gait_costs_the_power_four_thirds_of_the_distance) {
    // The gap is c (tau - t)^3 less a distance d: zero s = (d/c)^(1/3) early, at the rate 3 c s^2,
    // and the loss goes with the square of that.
    const carom_armed_biped_params biped = unit_biped(0.05);
    double lost[2];
    double rate[2];
    for (int i = 0; i < 2; i++) {
        carom_nonlinear_gait *gait = unit_gait(0.05);
        gait->states[0] -= i == 0 ? 1e-9 : 1e-10;
        carom_rocking_motion *motion = NULL;
        carom_rocking_log log = carom_rocking_log_empty();
        assert_ok(carom_rocking_motion_exact(&biped, gait, &motion, NULL));
        assert_ok(carom_rocking_motion_advance(motion, 1.2 * gait->time, &log, NULL));
        ck_assert_double_lt(log.first_landing, gait->time);
        lost[i] = log.energy_lost;
        rate[i] = log.gap_rate;
        carom_rocking_motion_free(motion);
        carom_nonlinear_gait_free(gait);
    }
    // The next term of the gap is smaller by s, some 5e-2 s, over the time of the motion.
    assert_close(lost[0] / lost[1], pow(10.0, 4.0 / 3.0), 0.03, 0.0);
    assert_close(rate[0] / rate[1], pow(10.0, 2.0 / 3.0), 0.03, 0.0);
}

TEST(unit, a_foot_that_unloads_while_the_other_is_in_the_air_ends_the_motion) {
    // Far off the gait the arm swings round and pulls the biped up.
    const carom_armed_biped_params biped = unit_biped(0.05);
    carom_nonlinear_gait *gait = unit_gait(0.05);
    gait->states[0] += 2.0;
    gait->states[1] += 0.9;
    carom_rocking_motion *motion = NULL;
    carom_rocking_log log = carom_rocking_log_empty();
    assert_ok(carom_rocking_motion_exact(&biped, gait, &motion, NULL));
    assert_ok(carom_rocking_motion_advance(motion, 200.0, &log, NULL));
    ck_assert(log.has_ended);
    const int events = log.events;
    assert_ok(carom_rocking_motion_advance(motion, 300.0, &log, NULL));
    ck_assert_int_eq(log.events, events);
    carom_rocking_motion_free(motion);
    carom_nonlinear_gait_free(gait);
}

/* ------------------------------------------------------------------------------------ harmonic */

/** The harmonic biped with its gait, theta = 1: reference table A.1. */
typedef struct harmonic_biped {
    double mass[9];
    double stiffness[9];
    double equilibrium[3];
    carom_armed_biped_statics statics;
    carom_phase_modes *modes;
    carom_collisionless_motion *gait;
} harmonic_biped;

static void hold_harmonic(harmonic_biped *h) {
    const carom_armed_biped_params biped = unit_biped(1.0);
    carom_impact_root root;
    assert_ok(
        carom_armed_biped_linear(&biped, h->mass, h->stiffness, h->equilibrium, &h->statics, NULL));
    assert_ok(carom_phase_modes_compute(3, h->mass, h->stiffness, CAROM_PARITY_EVEN,
                                        CAROM_PARITY_ODD, &h->modes, NULL));
    assert_ok(carom_impact_roots_cell(h->modes->spectra, 2, 0, &root, NULL));
    assert_ok(carom_collisionless_motion_compute(h->modes, root.time, root.constrained_time,
                                                 CAROM_MOTION_SCALE_CONTACT_LEVEL,
                                                 h->statics.contact_level, &h->gait, NULL));
}

static void release_harmonic(harmonic_biped *h) {
    carom_collisionless_motion_free(h->gait);
    carom_phase_modes_free(h->modes);
}

TEST(unit, the_harmonic_gait_comes_back_to_P_by_itself) {
    harmonic_biped h;
    hold_harmonic(&h);
    carom_rocking_motion *motion = NULL;
    carom_rocking_log log = carom_rocking_log_empty();
    assert_ok(
        carom_rocking_motion_harmonic(h.gait, h.mass, h.stiffness, &h.statics, &motion, NULL));
    const carom_rocking_reference *of_gait = carom_rocking_motion_reference(motion);
    // Reference tables A.1 and A.2.
    assert_close(of_gait->half_period, 2.0 * (UNIT_START.time + UNIT_START.constrained_time), 1e-14,
                 0.0);
    assert_close(of_gait->energy, 52.481137629, 1e-10, 0.0);
    for (int j = 0; j < 3; j++) {
        assert_close(carom_rocking_motion_position(motion)[j], UNIT_POSITION[j], 0.0, 1e-9);
    }
    assert_ok(carom_rocking_motion_advance(motion, of_gait->half_period, &log, NULL));
    ck_assert_int_eq(log.exchanges, 1);
    ck_assert_int_eq(log.landings, 1);
    assert_close(log.first_landing, UNIT_START.time, 0.0, 2e-3);
    // The unstable mode grows by exp(2 sqrt(5.85) tau), 3e6, in a half cycle.
    const carom_rocking_state state = carom_rocking_motion_compare(motion);
    ck_assert_double_lt(state.deviation, 1e-6);
    assert_close(state.energy_change, 0.0, 0.0, 1e-11 * of_gait->energy);
    carom_rocking_motion_free(motion);
    release_harmonic(&h);
}

TEST(property, twice_mirrored_is_the_same_state_with_both_feet_down) {
    harmonic_biped h;
    hold_harmonic(&h);
    rocking_biped walker = begin(0.05);
    carom_rocking_motion *harmonic = NULL;
    assert_ok(
        carom_rocking_motion_harmonic(h.gait, h.mass, h.stiffness, &h.statics, &harmonic, NULL));
    const carom_rocking_motion *const motions[] = {walker.motion, harmonic};
    for (int i = 0; i < 2; i++) {
        const double leg = i == 0 ? -0.05 : h.statics.contact_level;
        double q[3] = {2.385, 0.271, leg};
        double v[3] = {-0.617, 0.853, 0.0};
        carom_rocking_motion_mirror(motions[i], q, v);
        assert_close(v[0], 0.617, 0.0, 0.0);
        assert_close(q[1], -0.271, 1e-15, 0.0);
        assert_close(q[2], leg, 0.0, 0.0);
        carom_rocking_motion_mirror(motions[i], q, v);
        assert_close(q[0], 2.385, 1e-15, 0.0);
        assert_close(q[1], 0.271, 1e-15, 0.0);
        assert_close(v[1], 0.853, 0.0, 0.0);
    }
    carom_rocking_motion_free(harmonic);
    end(&walker);
    release_harmonic(&h);
}

/* ------------------------------------------------------------------- the path of the mass centre
 */

TEST(unit, the_path_of_the_mass_centre_is_as_long_as_a_polygon_along_it) {
    // Along the angles of a gait, for a biped of other masses and lengths than the gait's.
    static const double LENGTHS[] = {1.385, 0.731, 0.617};
    static const double MASSES[] = {0.853, 2.117, 1.463, 0.271};
    const double total = 2.0 * MASSES[0] + MASSES[1] + MASSES[2] + MASSES[3];
    carom_armed_biped_params biped = unit_biped(0.05);
    carom_nonlinear_gait *gait = unit_gait(0.05);
    carom_gait_trajectory *coarse = NULL;
    carom_gait_trajectory *fine = NULL;
    assert_ok(carom_gait_trajectory_quarter(&biped, gait, 60, 20, &coarse, NULL));
    assert_ok(carom_gait_trajectory_quarter(&biped, gait, 3000, 1000, &fine, NULL));
    biped.lengths = LENGTHS;
    biped.masses = MASSES;
    double length = 0.0;
    double last[2] = {0.0, 0.0};
    for (int i = 0; i < fine->count; i++) {
        const double *q = fine->position + 3 * i;
        double place[2] = {0.0, 0.0};
        for (int axis = 0; axis < 2; axis++) {
            const double phase = axis * asin(1.0);
            const double hip = LENGTHS[0] * sin(q[2] + phase);
            const double top = hip + LENGTHS[1] * sin(q[1] + phase);
            const double hand = top + LENGTHS[2] * sin(q[0] + phase);
            const double foot = hip - LENGTHS[0] * sin(q[2] + 0.1 + phase);
            place[axis] =
                (MASSES[0] * foot + MASSES[1] * hip + MASSES[2] * top + MASSES[3] * hand) / total;
        }
        length += i > 0 ? hypot(place[0] - last[0], place[1] - last[1]) : 0.0;
        memcpy(last, place, sizeof last);
    }
    // A chord is shorter by the square of its angle over 24, here some 1e-7.
    assert_close(carom_gait_trajectory_path(&biped, fine), length, 1e-6, 0.0);
    // Simpson's rule with a fiftieth of the points: the fourth power of the step.
    assert_close(carom_gait_trajectory_path(&biped, coarse), length, 1e-5, 0.0);
    carom_gait_trajectory_free(coarse);
    const carom_armed_biped_params unit = unit_biped(0.05);
    assert_ok(carom_gait_trajectory_quarter(&unit, gait, 61, 20, &coarse, NULL));
    ck_assert(isnan(carom_gait_trajectory_path(&biped, coarse)));
    carom_gait_trajectory_free(coarse);
    carom_gait_trajectory_free(fine);
    carom_nonlinear_gait_free(gait);
}

/* -------------------------------------------------------------------------------------- errors */

TEST(errors, the_gait_of_another_biped_is_refused) {
    carom_armed_biped_params biped = unit_biped(0.05);
    carom_nonlinear_gait *gait = unit_gait(0.05);
    carom_rocking_motion *motion = NULL;
    carom_report report = carom_report_empty();
    biped.torso_count = 2;
    biped.lengths = ONES;
    biped.masses = ONES;
    assert_status(carom_rocking_motion_exact(&biped, gait, &motion, &report), CONFLICT);
    ck_assert_str_eq(report.quantity, "coordinate count");
    ck_assert_ptr_null(motion);
    biped.gravity = -1.0;
    assert_status(carom_rocking_motion_exact(&biped, gait, &motion, NULL), OUT_OF_RANGE);
    ck_assert_ptr_null(motion);
    carom_rocking_motion_free(NULL);
    carom_nonlinear_gait_free(gait);
}

TEST(errors, every_failing_allocation_is_reported) {
    harmonic_biped h;
    hold_harmonic(&h);
    const carom_armed_biped_params biped = unit_biped(0.05);
    carom_nonlinear_gait *gait = unit_gait(0.05);
    for (int is_exact = 0; is_exact < 2; is_exact++) {
        carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
        for (int tries = 0; status != CAROM_OK; tries++) {
            carom_rocking_motion *motion = NULL;
            ck_assert_int_lt(tries, 200);
            successes_left = tries;
            status = is_exact ? carom_rocking_motion_exact(&biped, gait, &motion, NULL)
                              : carom_rocking_motion_harmonic(h.gait, h.mass, h.stiffness,
                                                              &h.statics, &motion, NULL);
            successes_left = -1;
            if (status != CAROM_OK) {
                ck_assert_str_eq(carom_status_name(status), "OUT_OF_MEMORY");
                ck_assert_ptr_null(motion);
            }
            carom_rocking_motion_free(motion);
        }
    }
    carom_nonlinear_gait_free(gait);
    release_harmonic(&h);
}
