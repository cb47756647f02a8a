/* The same systems in other units of mass, length and time: every computation of collisionless/
 * gives the same motions in these units, in the same bits where the units change by powers of two.
 */
#include "../units.h"
#include "gait/gait_cases.h"
#include "motion/motion_cases.h"

#include <carom/collisionless/curves/determinant.h>
#include <carom/collisionless/motion/collisionless_motion.h>
#include <carom/collisionless/motion/spectral_motion.h>

enum { SAMPLES = 7 };

static outcome reference;
static outcome scaled;

/** Systems by cells, by subdivision, with a free mode, and one of its own. */
static const motion_case *const SYSTEMS[] = {&BIPED, &HANGING_CHAIN, &HOPPER_2, &REACTION_WHEEL_1};
enum { SYSTEM_COUNT = 4 };

/** Modes of a system in some units. */
static carom_phase_modes *modes_in(test_units u, const motion_case *system) {
    double mass[MOST * MOST];
    double stiffness[MOST * MOST];
    for (int i = 0; i < system->n * system->n; i++) {
        mass[i] = system->mass[i] * u.mass;
        stiffness[i] = system->stiffness[i] * u.mass / u.time / u.time;
    }
    carom_phase_modes *modes = NULL;
    assert_ok(carom_phase_modes_compute(system->n, mass, stiffness, system->parity,
                                        system->constrained_parity, &modes, NULL));
    return modes;
}

static void put_modes(outcome *o, const carom_phase_modes *modes) {
    const carom_phase_spectra *s = modes->spectra;
    put(o, '1', s->mode_count);
    put_all(o, 'q', s->mode_count, s->unconstrained);
    put_all(o, 'q', s->mode_count - 1, s->constrained);
    put_all(o, '1', modes->coordinate_count * s->mode_count, modes->shape);
    put(o, 'k', modes->inverse_mass);
    put(o, 'k', modes->normalisation);
}

/** A motion of a size, its verdict, and what it does at some instants. */
static void put_motion(outcome *o, test_units u, const carom_phase_modes *modes,
                       const carom_impact_root *root) {
    carom_collisionless_motion *motion = NULL;
    const carom_status status = carom_collisionless_motion_compute(
        modes, root->time, root->constrained_time, CAROM_MOTION_SCALE_STATIC_FORCE,
        0.7 * units_energy(u) / u.length, &motion, NULL);
    put(o, '1', status);
    if (status != CAROM_OK) {
        return;
    }
    const carom_motion_bounds bounds = carom_motion_bounds_compute(motion->spectral);
    put(o, '1', bounds.is_realizable);
    put(o, '1', bounds.is_gap_decided);
    put(o, '1', bounds.is_force_decided);
    put(o, 'm', motion->scale * bounds.minimum_gap);
    put(o, 'm', motion->scale * bounds.maximum_gap);
    put(o, '1', bounds.minimum_force_ratio);
    put(o, '1', bounds.maximum_force_ratio);
    put(o, 'N', motion->static_force);
    put(o, 'm', motion->contact_level);
    put(o, '1', motion->contact_sign);
    put(o, 'J', motion->energy);
    put(o, 'J', motion->constrained_energy);
    double x[MOST];
    double v[MOST];
    const carom_motion_state state = {x, v, NULL, NULL};
    for (int i = 0; i < SAMPLES; i++) {
        const double t = root->time * i / SAMPLES;
        carom_collisionless_motion_state(motion, CAROM_MOTION_UNCONSTRAINED, t,
                                         CAROM_MOTION_FROM_IMPACT, &state);
        put_all(o, 'm', modes->coordinate_count, x);
        put_all(o, 'v', modes->coordinate_count, v);
    }
    carom_collisionless_motion_free(motion);
}

/** The roots of a box, by theorem and by subdivision, and their motions. */
static void put_roots(outcome *o, test_units u, const carom_phase_modes *modes, bool is_binary) {
    for (int way = 0; way < 2; way++) {
        carom_root_search_params box = carom_root_search_params_default();
        box.min_time = 0.11 * u.time;
        box.max_time = 7.3 * u.time;
        box.min_constrained_time = 0.11 * u.time;
        box.max_constrained_time = 4.9 * u.time;
        box.use_subdivision = way == 1;
        carom_root_list *roots = NULL;
        assert_ok(carom_impact_roots_find(modes->spectra, &box, &roots, NULL));
        ck_assert(roots->is_complete && roots->count > 0);
        put(o, '1', roots->count);
        put(o, '1', is_binary ? roots->boxes : 0);
        for (int i = 0; i < roots->count; i++) {
            const carom_impact_root *root = &roots->roots[i];
            put(o, 's', root->time);
            put(o, 's', root->constrained_time);
            put(o, '0', root->residual);
            put(o, '1', root->second_singular_value);
            put_motion(o, u, modes, root);
        }
        carom_root_list_free(roots);
    }
}

/** Crossings of the determinants in a window of phases. Those of one phase stand in the order of
 * its rounding: where that is another, sums over all of them. */
static void put_crossings(outcome *o, const carom_phase_modes *modes, bool is_binary) {
    carom_impact_phase_window window = carom_impact_phase_window_default();
    window.max_phase = 8.0;
    window.max_constrained_phase = 5.0;
    window.columns = 60;
    window.rows = 40;
    carom_determinant_crossings *found = NULL;
    const carom_status status =
        carom_determinant_crossings_find(modes->spectra, &window, &found, NULL);
    put(o, '1', status);
    double time = 0.0;
    double constrained_time = 0.0;
    for (int i = 0; status == CAROM_OK && i < found->count; i++) {
        time += found->crossings[i].time;
        constrained_time += found->crossings[i].constrained_time;
        put(o, 's', is_binary ? found->crossings[i].time : (double)NAN);
        put(o, 's', is_binary ? found->crossings[i].constrained_time : (double)NAN);
    }
    put(o, '1', status == CAROM_OK ? found->true_count : 0);
    put(o, 's', time);
    put(o, 's', constrained_time);
    carom_determinant_crossings_free(found);
}

/** A system of equal masses with the same spectra. */
static void put_realization(outcome *o, test_units u, const carom_phase_modes *modes) {
    const int N = modes->spectra->mode_count;
    double mass[MOST * MOST];
    double stiffness[MOST * MOST];
    carom_phase_modes *other = NULL;
    assert_ok(
        carom_phase_modes_realize(modes->spectra, 1.7 / u.mass, mass, stiffness, &other, NULL));
    put_all(o, 'M', N * N, mass);
    put_all(o, 'K', N * N, stiffness);
    carom_phase_modes_free(other);
}

static void compute(test_units u, int which, bool is_binary, outcome *o) {
    o->count = 0;
    carom_phase_modes *modes = modes_in(u, SYSTEMS[which]);
    put_modes(o, modes);
    put_roots(o, u, modes, is_binary);
    put_crossings(o, modes, is_binary);
    put_realization(o, u, modes);
    carom_phase_modes_free(modes);
}

LOOP_TEST(property, powers_of_two_change_no_bit, SYSTEM_COUNT *BINARY_CHANGE_OF_UNITS_COUNT) {
    const int which = _i % SYSTEM_COUNT;
    const test_units u = BINARY_CHANGES_OF_UNITS[_i / SYSTEM_COUNT];
    compute((test_units){1, 1, 1}, which, true, &reference);
    compute(u, which, true, &scaled);
    assert_same_outcome(&scaled, &reference, u, which, 0.0);
}

LOOP_TEST(property, other_units_give_the_same_motions, SYSTEM_COUNT *CHANGE_OF_UNITS_COUNT) {
    const int which = _i % SYSTEM_COUNT;
    const test_units u = CHANGES_OF_UNITS[_i / SYSTEM_COUNT];
    compute((test_units){1, 1, 1}, which, false, &reference);
    compute(u, which, false, &scaled);
    assert_same_outcome(&scaled, &reference, u, which, 1e-9);
}

/** The exact gait of a biped, whose angles have no unit. */
static void compute_gait(test_units u, outcome *o) {
    static const double LENGTHS[] = {1.0, 1.0, 1.0};
    static const double MASSES[] = {1.0, 1.0, 1.0, 1.0};
    double lengths[3];
    double masses[4];
    for (int i = 0; i < 3; i++) {
        lengths[i] = LENGTHS[i] * u.length;
    }
    for (int i = 0; i < 4; i++) {
        masses[i] = MASSES[i] * u.mass;
    }
    const carom_armed_biped_params biped = {1,   true, lengths, masses, u.length / u.time / u.time,
                                            0.03};
    const carom_gait_start start = {UNIT_POSITION, UNIT_START.time * u.time,
                                    UNIT_START.constrained_time * u.time};
    carom_nonlinear_gait *gait = gait_of(&biped, &start);
    o->count = 0;
    put(o, 's', gait->time);
    put(o, 's', gait->constrained_time);
    put(o, 'J', gait->energy);
    put(o, 'J', gait->excess_energy);
    const int n = gait->coordinate_count;
    for (int k = 0; k <= gait->segment_count + gait->constrained_segment_count; k++) {
        put_all(o, '1', n, gait->states + (size_t)(2 * n * k));
        put_all(o, 'f', n, gait->states + (size_t)(2 * n * k + n));
    }
    carom_nonlinear_gait_free(gait);
}

LOOP_TEST(property, an_exact_gait_is_the_same_in_other_units, CHANGE_OF_UNITS_COUNT) {
    const test_units u = CHANGES_OF_UNITS[_i];
    compute_gait((test_units){1, 1, 1}, &reference);
    compute_gait(u, &scaled);
    assert_same_outcome(&scaled, &reference, u, 0, 1e-9);
}
