/**
 * Gaits of the biped of pankov-2024 section 6 as nonsmooth motions: an event-driven integrator with
 * plastic landings that knows neither modes nor shooting, and torsos of many links. Expected
 * values: reference tables A.1 and A.6 (tests/collisionless/motion/motion_cases.h), and identities
 * of the chain.
 */
#include "../collisionless/gait/gait_cases.h"

#include <carom/collisionless/motion/collisionless_motion.h>
#include <carom/collisionless/motion/spectral_motion.h>
#include <carom/collisionless/roots/impact_roots.h>
#include <carom/timestepping/plastic/plastic.h>

#include <string.h>

/* ----------------------------------------------------------------------------- simulated gaits */

/** Vertical force on the foot that the biped stands on. */
static double stance_force(double t, const double *q, const double *v, const double *a,
                           double contact_force, void *context) {
    (void)t;
    (void)contact_force;
    return carom_armed_biped_foot_forces(context, q, v, a).stance_vertical;
}

/** A biped that is simulated. */
typedef struct walker {
    carom_armed_biped_params biped;
    carom_model *model;
    carom_plastic_motion *motion;
} walker;

/** Place it at rest, on one foot. */
static void begin(walker *w, const carom_armed_biped_params *biped, const double *q) {
    static const double rest[3] = {0.0, 0.0, 0.0};
    w->biped = *biped;
    assert_ok(carom_armed_biped_alloc(&w->biped, &w->model, NULL));
    carom_plastic_params params = carom_plastic_params_default();
    params.user_quantity = stance_force;
    params.user_context = &w->biped;
    assert_ok(carom_plastic_motion_alloc(&w->model->mechanism, &params, &w->motion, NULL));
    assert_ok(carom_plastic_motion_start(w->motion, 0.0, q, rest, false, NULL));
}

static void end(walker *w) {
    carom_plastic_motion_free(w->motion);
    carom_model_free(w->model);
}

static double energy_of(const walker *w) {
    double work[12];
    const carom_mechanism *mechanism = &w->model->mechanism;
    const double *q = carom_plastic_motion_position(w->motion);
    return mechanism->potential_energy(q, mechanism->context) +
           carom_mechanism_kinetic_energy(mechanism, q, carom_plastic_motion_velocity(w->motion),
                                          work);
}

/** Go on to a time through landings and exchanges of feet; the energy that landings take. */
static double advance(walker *w, double until, double *first_landing, int *exchanges) {
    double lost = 0.0;
    *first_landing = (double)NAN;
    *exchanges = 0;
    carom_plastic_event event = {.kind = CAROM_PLASTIC_RELEASE};
    while (event.kind != CAROM_PLASTIC_END) {
        assert_ok(carom_plastic_motion_advance(w->motion, until, &event, NULL));
        lost += event.energy_lost;
        if (event.kind == CAROM_PLASTIC_LANDING && isnan(*first_landing)) {
            *first_landing = event.time;
        }
        if (event.kind == CAROM_PLASTIC_USER) {
            ck_assert(carom_plastic_motion_is_closed(w->motion));
            double q[3];
            double v[3];
            memcpy(q, carom_plastic_motion_position(w->motion), sizeof q);
            memcpy(v, carom_plastic_motion_velocity(w->motion), sizeof v);
            carom_armed_biped_mirror(&w->biped, q, v);
            assert_ok(carom_plastic_motion_start(w->motion, event.time, q, v, false, NULL));
            (*exchanges)++;
        }
    }
    return lost;
}

/** Reference table A.6: theta, tau, tau'. */
static const double TABLE[][3] = {
    {0.01, 3.0894719039, 0.7759122616},
    {0.02, 3.1207417273, 0.7695687495},
    {0.05, 3.4195276577, 0.6875785539},
    {0.08, 4.5459104326, 0.3456236303},
};

TEST(unit, exact_gaits_come_back_to_P_on_the_other_foot) {
    for (size_t i = 0; i < sizeof TABLE / sizeof TABLE[0]; i++) {
        const carom_armed_biped_params biped = unit_biped(TABLE[i][0]);
        carom_nonlinear_gait *gait = unit_gait(TABLE[i][0]);
        walker w;
        double landing = 0.0;
        int exchanges = 0;
        begin(&w, &biped, gait->states);
        const double energy = energy_of(&w);
        const double lost = advance(&w, 2.0 * (TABLE[i][1] + TABLE[i][2]), &landing, &exchanges);
        ck_assert_int_eq(exchanges, 1);

        // The gap closes with the third power: rounding, grown a thousand times and more by then,
        // displaces the landing by its cube root. Energy follows with the fourth power.
        assert_close(landing, TABLE[i][1], 0.0, 2e-3);
        ck_assert_msg(lost < 1e-13 * energy, "theta = %g: lost %g", TABLE[i][0], lost);
        assert_close(energy_of(&w), energy, 1e-14, 0.0);

        // Rounding grows some 1e7 to 1e9 times from P to P; times of the table have ten digits.
        for (int j = 0; j < 3; j++) {
            assert_close(carom_plastic_motion_position(w.motion)[j], gait->states[j], 0.0, 1e-6);
            assert_close(carom_plastic_motion_velocity(w.motion)[j], 0.0, 0.0, 1e-6);
        }
        end(&w);
        carom_nonlinear_gait_free(gait);
    }
}

TEST(unit, a_landing_beside_the_gait_costs_the_power_four_thirds_of_the_distance) {
    // The gap is c (tau - t)^3 less a distance d: zero s = (d/c)^(1/3) early, at the rate 3 c s^2,
    // and the loss goes with the square of that.
    const carom_armed_biped_params biped = unit_biped(0.05);
    carom_nonlinear_gait *gait = unit_gait(0.05);
    double lost[2];
    for (int i = 0; i < 2; i++) {
        const double away = i == 0 ? -1e-9 : -1e-10;
        const double q[3] = {gait->states[0] + away, gait->states[1], gait->states[2]};
        walker w;
        double landing = 0.0;
        int exchanges = 0;
        begin(&w, &biped, q);
        lost[i] = advance(&w, 1.2 * gait->time, &landing, &exchanges);
        ck_assert_double_lt(landing, gait->time);
        end(&w);
    }
    // The next term of the gap is smaller by s, some 5e-2 s, over the time of the motion.
    assert_close(lost[0] / lost[1], pow(10.0, 4.0 / 3.0), 0.03, 0.0);
    carom_nonlinear_gait_free(gait);
}

/* --------------------------------------------------------------------------------------- chains */

enum { MOST = 12 };

static const double UNITS[MOST + 1] = {1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0,
                                       1.0, 1.0, 1.0, 1.0, 1.0, 1.0};

/** Modes of a biped of unit links with N coordinates, theta = 1. */
static carom_phase_modes *modes_of(int N, bool has_arm, carom_armed_biped_statics *statics) {
    const carom_armed_biped_params biped = {.torso_count = N - 1 - (has_arm ? 1 : 0),
                                            .has_arm = has_arm,
                                            .lengths = UNITS,
                                            .masses = UNITS,
                                            .gravity = 1.0,
                                            .half_step_angle = 1.0};
    double mass[MOST * MOST];
    double stiffness[MOST * MOST];
    double equilibrium[MOST];
    assert_ok(carom_armed_biped_linear(&biped, mass, stiffness, equilibrium, statics, NULL));
    carom_phase_modes *modes = NULL;
    assert_ok(carom_phase_modes_compute(N, mass, stiffness, CAROM_PARITY_EVEN, CAROM_PARITY_ODD,
                                        &modes, NULL));
    return modes;
}

TEST(property, an_arm_suffices_for_torsos_of_one_to_ten_links) {
    double below[MOST];
    for (int N = 3; N <= MOST; N++) {
        carom_armed_biped_statics statics;
        carom_phase_modes *modes = modes_of(N, true, &statics);
        const carom_phase_spectra *spectra = modes->spectra;
        ck_assert_int_eq(carom_phase_spectra_oscillating_count(spectra), 1);
        ck_assert_int_eq(carom_phase_spectra_constrained_oscillating_count(spectra), 1);

        // With the leg held, what stands on the hip is the biped of one link less on its foot.
        for (int j = 0; N > 3 && j < N - 1; j++) {
            assert_close(spectra->constrained[j], below[j], 1e-11, 0.0);
        }
        memcpy(below, spectra->unconstrained, (size_t)N * sizeof *below);

        carom_impact_root root;
        assert_ok(carom_impact_roots_cell(spectra, 2, 0, &root, NULL));
        carom_collisionless_motion *motion = NULL;
        assert_ok(carom_collisionless_motion_compute(modes, root.time, root.constrained_time,
                                                     CAROM_MOTION_SCALE_CONTACT_LEVEL,
                                                     statics.contact_level, &motion, NULL));
        ck_assert(carom_motion_bounds_compute(motion->spectral).is_realizable);
        if (N == 3) {
            // Reference tables A.1, A.2.
            assert_close(root.time, 3.079477155345059583920, 1e-14, 0.0);
            assert_close(root.constrained_time, 0.777845030699011117356, 1e-14, 0.0);
            assert_close(motion->energy, 52.481137629, 1e-10, 0.0);
        }
        carom_collisionless_motion_free(motion);
        carom_phase_modes_free(modes);
    }
}

TEST(property, without_an_arm_there_is_no_gait) {
    for (int N = 2; N <= MOST; N++) {
        carom_armed_biped_statics statics;
        carom_phase_modes *modes = modes_of(N, false, &statics);
        ck_assert_int_eq(carom_phase_spectra_constrained_oscillating_count(modes->spectra), 0);
        carom_root_search_params box = carom_root_search_params_default();
        carom_root_list *roots = NULL;
        assert_ok(carom_impact_roots_find(modes->spectra, &box, &roots, NULL));
        ck_assert_int_eq(roots->count, 0);
        ck_assert_int_eq((int)roots->method, (int)CAROM_ROOTS_NONE);
        carom_root_list_free(roots);
        carom_phase_modes_free(modes);
    }
}
