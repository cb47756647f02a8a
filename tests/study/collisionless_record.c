/**
 * Roots and motions in a record: against the tables of pankov-2024 and the reference tables
 *, and against the equations of motion.
 */
#include "recorded_impact.h"

#include "../collisionless/motion/motion_cases.h"
#include "../failing_malloc.h"

#include <carom/study/collisionless_record.h>

/** Room for one more digit than the tables print. */
static const double PRINTED = 1e-9;

/** A system with the list of its roots in a box. */
typedef struct found_system {
    carom_phase_modes *modes;
    carom_root_list *roots;
} found_system;

static found_system find_system(const motion_case *c, double max_time, double max_constrained) {
    found_system found;
    assert_ok(carom_phase_modes_compute(c->n, c->mass, c->stiffness, c->parity,
                                        c->constrained_parity, &found.modes, NULL));
    carom_root_search_params params = carom_root_search_params_default();
    params.max_time = max_time;
    params.max_constrained_time = max_constrained;
    assert_ok(carom_impact_roots_find(found.modes->spectra, &params, &found.roots, NULL));
    return found;
}

static void forget_system(found_system *found) {
    carom_root_list_free(found->roots);
    carom_phase_modes_free(found->modes);
}

/** What writes the motions of a system. */
static carom_collisionless_record writer_of(carom_record *record, const carom_phase_modes *modes,
                                            carom_motion_scale scale, double size) {
    return (carom_collisionless_record){
        .record = record,
        .modes = modes,
        .scale = scale,
        .size = size,
        .samples = 41,
        .units = carom_collisionless_units_default(),
    };
}

/** A record of all roots of a system, open for reading. */
static record_scene write_system(const found_system *found, carom_motion_scale scale, double size) {
    record_scene scene = scene_begin();
    const carom_collisionless_record writer = writer_of(scene.record, found->modes, scale, size);
    assert_ok(carom_collisionless_record_write(&writer, found->roots, NULL));
    scene_read(&scene);
    return scene;
}

/** An element of a dataset. */
static double entry(const record_scene *scene, const char *dataset, int row, int column) {
    char path[128];
    if (column < 0) {
        snprintf(path, sizeof path, "%s[%d]", dataset, row);
    } else {
        snprintf(path, sizeof path, "%s[%d,%d]", dataset, row, column);
    }
    return number_at(scene, path);
}

TEST(unit, the_hanging_chain_is_realizable_once_although_its_static_force_attracts) {
    // Reference: tau, tau', F_N^0 = -0.5 at the level -1, force from 0 to 3.6754 at P'.
    found_system found = find_system(&HANGING_CHAIN, 6.0, 6.0);
    record_scene scene = write_system(&found, CAROM_MOTION_SCALE_CONTACT_LEVEL, -1.0);
    assert_close(number_at(&scene, "/roots/count"), 3.0, 0.0, 0.0);
    assert_text(&scene, "/roots/method", "subdivision");
    assert_close(number_at(&scene, "/roots/is_complete"), 1.0, 0.0, 0.0);
    assert_close(number_at(&scene, "/roots/undecided"), 0.0, 0.0, 0.0);
    ck_assert(number_at(&scene, "/roots/boxes") > 1.0);
    assert_absent(&scene, "/roots/reason");
    for (int k = 0; k < 3; k++) {
        assert_close(entry(&scene, "/roots/time", k, -1), 2.9773315704, 0.0, PRINTED);
        // Further rows are half periods of the one constrained mode, omega'^2 = 2, higher.
        assert_close(entry(&scene, "/roots/constrained_time", k, -1),
                     1.0258420358 + k * M_PI / M_SQRT2, 0.0, PRINTED);
        assert_close(entry(&scene, "/roots/realizable", k, -1), k == 0 ? 1.0 : 0.0, 0.0, 0.0);
        assert_close(entry(&scene, "/roots/column", k, -1), 0.0, 0.0, 0.0);
        assert_close(entry(&scene, "/roots/row", k, -1), -1.0, 0.0, 0.0);
        ck_assert(entry(&scene, "/roots/residual", k, -1) < 1e-13);
        ck_assert(entry(&scene, "/roots/smallest_singular_value", k, -1) < 1e-13);
    }
    assert_close(entry(&scene, "/roots/minimum_gap", 0, -1), 0.0, 0.0, 1e-15);
    // The force is F^0 (1 - cos(omega' t')/cos(omega' tau')): beyond the first row it falls below
    // zero by as much as it rises above -F^0 in the first.
    const double ratio = 1.0 / fabs(cos(M_SQRT2 * 1.0258420358));
    assert_close(entry(&scene, "/roots/minimum_force_ratio", 0, -1), 0.0, 0.0, 1e-15);
    assert_close(entry(&scene, "/roots/minimum_force_ratio", 1, -1), -1.0 - ratio, 1e-8, 0.0);
    assert_close(number_at(&scene, "/solution_00/static_force"), -0.5, 1e-12, 0.0);
    assert_close(number_at(&scene, "/solution_00/contact_sign"), 1.0, 0.0, 0.0);
    assert_close(number_at(&scene, "/solution_00/contact_level"), -1.0, 1e-14, 0.0);
    assert_text(&scene, "/solution_00/size_given_by", "contact level");
    // Printed to four digits after the point.
    assert_close(number_at(&scene, "/solution_00/force[-1]"), 3.6754, 0.0, 5e-5);
    assert_close(number_at(&scene, "/solution_00/force_ratio[-1]"), 3.6754 / -0.5, 0.0, 1e-4);
    // Instants are shared by durations: 41 tau/(tau + tau') = 30.5.
    assert_close(entry(&scene, "/solution_00/phase", 29, -1), 0.0, 0.0, 0.0);
    assert_close(entry(&scene, "/solution_00/phase", 30, -1), 1.0, 0.0, 0.0);
    for (int k = 0; k < 41; k++) {
        const bool is_open = entry(&scene, "/solution_00/phase", k, -1) < 0.5;
        ck_assert(is_open == (entry(&scene, "/solution_00/time", k, -1) < 2.9773315));
        ck_assert(entry(&scene, "/solution_00/gap", k, -1) >= 0.0);
        // Zero at the impact to rounding.
        ck_assert(entry(&scene, "/solution_00/force", k, -1) >= -1e-14);
        ck_assert((entry(&scene, "/solution_00/gap", k, -1) > 0.0) == is_open);
    }
    scene_end(&scene);
    forget_system(&found);
}

TEST(unit, a_penetration_is_measured_in_the_size_of_the_motion) {
    // The second column of the chain: against the least of 400 sampled gaps; they open upwards and
    // are quadratic at the least, (7/270)^2/8 of an acceleration of some 10 away from it.
    found_system found = find_system(&HANGING_CHAIN, 7.0, 2.0);
    ck_assert_int_eq(found.roots->count, 2);
    record_scene scene = scene_begin();
    carom_collisionless_record writer =
        writer_of(scene.record, found.modes, CAROM_MOTION_SCALE_CONTACT_LEVEL, -2.385);
    writer.samples = 400;
    assert_ok(carom_collisionless_record_write(&writer, found.roots, NULL));
    scene_read(&scene);
    assert_close(entry(&scene, "/roots/realizable", 1, -1), 0.0, 0.0, 0.0);
    carom_dataset gap;
    assert_ok(carom_reader_dataset(scene.reader, "/solution_01/gap", &gap));
    double least = HUGE_VAL;
    int last_open = 0;
    for (int k = 0; k < gap.rows; k++) {
        least = fmin(least, gap.values[k]);
        // Closed it is zero, exactly.
        last_open = fabs(gap.values[k]) > 0.0 ? k : last_open;
    }
    assert_close(entry(&scene, "/roots/minimum_gap", 1, -1), least, 0.0, 1e-3);
    ck_assert(least < -1.0);
    // Here the obstacle is above; the gap counts from it all the same: open before the impact.
    assert_close(number_at(&scene, "/solution_01/contact_sign"), -1.0, 0.0, 0.0);
    ck_assert(gap.values[last_open] > 0.0);
    carom_dataset_clear(&gap);
    scene_end(&scene);
    forget_system(&found);
}

TEST(unit, the_biped_has_the_printed_amplitudes_and_tabulated_states) {
    // pankov-2024 (64) to (68), section 6: every entry to the last printed digit; A.1, A.2.
    found_system found = find_system(&BIPED, 4.0, 2.0);
    record_scene scene = write_system(&found, CAROM_MOTION_SCALE_STATIC_FORCE, 5.0);
    assert_close(number_at(&scene, "/roots/count"), 1.0, 0.0, 0.0);
    assert_text(&scene, "/roots/method", "cells");
    assert_close(entry(&scene, "/roots/column", 0, -1), 2.0, 0.0, 0.0);
    assert_close(entry(&scene, "/roots/row", 0, -1), 0.0, 0.0, 0.0);
    const double lambda[3] = {-5.85028, -0.67319, 1.52348};
    const double q[3] = {-0.000031265, -0.034423, 1.1687};
    const double q_unit[3] = {5e-10, 5e-7, 5e-5};
    for (int i = 0; i < 3; i++) {
        assert_close(entry(&scene, "/solution_00/spectrum", i, -1), lambda[i], 0.0, 5e-6);
        assert_close(entry(&scene, "/solution_00/amplitudes", i, -1), q[i], 0.0, q_unit[i]);
    }
    const double q_constrained[2] = {-0.0087462, 0.1357027};
    for (int j = 0; j < 2; j++) {
        assert_close(entry(&scene, "/solution_00/constrained_spectrum", j, -1),
                     j == 0 ? -1.4142 : 1.4142, 0.0, 5e-5);
        assert_close(entry(&scene, "/solution_00/constrained_amplitudes", j, -1), q_constrained[j],
                     0.0, 5e-8);
    }
    assert_close(number_at(&scene, "/solution_00/normalisation"), 0.01981638744731682, 1e-13, 0.0);
    assert_close(number_at(&scene, "/solution_00/period"), 15.429288744, 0.0, PRINTED);
    assert_close(number_at(&scene, "/solution_00/energy"), 52.481137629, 0.0, 1e-8);
    assert_close(number_at(&scene, "/solution_00/contact_level"), -5.0 / 3.0, 1e-13, 0.0);
    assert_close(number_at(&scene, "/solution_00/impact_time"), 3.079477155345, 0.0, 1e-11);
    assert_close(number_at(&scene, "/solution_00/constrained_time"), 0.777845030699, 0.0, 1e-11);
    assert_text(&scene, "/solution_00/size_given_by", "static force");
    assert_text(&scene, "/solution_00/origin", "static equilibrium without contact");
    const double start[3] = {11.015420561, 2.538611152, 1.078289034};
    const double start_acceleration[3] = {-16.953618818, -4.095843054, -1.842355203};
    const double end_velocity[3] = {13.748424747, 3.809410824, 0.0};
    for (int i = 0; i < 3; i++) {
        assert_close(entry(&scene, "/solution_00/position", 0, i), start[i], 0.0, 1e-8);
        assert_close(entry(&scene, "/solution_00/velocity", 0, i), 0.0, 0.0, 1e-12);
        assert_close(entry(&scene, "/solution_00/acceleration", 0, i), start_acceleration[i], 0.0,
                     1e-8);
        assert_close(entry(&scene, "/solution_00/position", -1, i), i == 2 ? -5.0 / 3.0 : 0.0, 0.0,
                     1e-11);
        assert_close(entry(&scene, "/solution_00/velocity", -1, i), end_velocity[i], 0.0, 1e-8);
    }
    assert_close(number_at(&scene, "/solution_00/force[-1]"), 5.0, 1e-12, 0.0);
    assert_close(number_at(&scene, "/solution_00/time[-1]"), 3.857322186, 0.0, PRINTED);
    scene_end(&scene);
    forget_system(&found);
}

TEST(unit, datasets_have_their_shapes_and_units) {
    found_system found = find_system(&BIPED, 4.0, 2.0);
    record_scene scene = scene_begin();
    carom_collisionless_record writer =
        writer_of(scene.record, found.modes, CAROM_MOTION_SCALE_STATIC_FORCE, 5.0);
    writer.units = (carom_collisionless_units){"rad", "rad s-1", "rad s-2", "N m", "kg-1 m-2"};
    writer.samples = 4;
    assert_ok(carom_collisionless_record_write(&writer, found.roots, NULL));
    scene_read(&scene);
    assert_shape(&scene, "/roots/time", 1, 1, "s");
    assert_shape(&scene, "/roots/minimum_gap", 1, 1, "rad");
    assert_shape(&scene, "/solution_00/position", 4, 3, "rad");
    assert_shape(&scene, "/solution_00/velocity", 4, 3, "rad s-1");
    assert_shape(&scene, "/solution_00/acceleration", 4, 3, "rad s-2");
    assert_shape(&scene, "/solution_00/gap", 4, 1, "rad");
    assert_shape(&scene, "/solution_00/force", 4, 1, "N m");
    assert_shape(&scene, "/solution_00/amplitudes", 3, 1, "rad");
    // X' is a product with 1/(lambda - lambda').
    assert_shape(&scene, "/solution_00/constrained_amplitudes", 2, 1, "rad s-2");
    assert_shape(&scene, "/solution_00/spectrum", 3, 1, "s-2");
    // With four instants both phases have two: P and half way; the impact and P'.
    const double times[4] = {0.0, 0.5 * 3.0794771553, 3.0794771553, 3.857322186};
    for (int k = 0; k < 4; k++) {
        assert_close(entry(&scene, "/solution_00/time", k, -1), times[k], 0.0, PRINTED);
        assert_close(entry(&scene, "/solution_00/phase", k, -1), k < 2 ? 0.0 : 1.0, 0.0, 0.0);
    }
    scene_end(&scene);
    forget_system(&found);
}

TEST(unit, bodies_without_an_equilibrium_have_another_origin) {
    // A hopper in flight has none; its weight is what the floor carries at rest.
    found_system found = find_system(&HOPPER_2, 4.0, 3.0);
    record_scene scene = write_system(&found, CAROM_MOTION_SCALE_STATIC_FORCE, 2.0);
    assert_text(&scene, "/solution_00/origin", "static equilibrium with the contact closed");
    ck_assert(isnan(number_at(&scene, "/solution_00/contact_level")));
    ck_assert(isnan(number_at(&scene, "/solution_00/energy")));
    // Reference table A.8: gap at P, largest force over the weight, both with g = 1.
    assert_close(entry(&scene, "/solution_00/gap", 0, -1), 7.8493515635, 0.0, PRINTED);
    assert_close(number_at(&scene, "/solution_00/force_ratio[-1]"), 4.3309704709, 0.0, PRINTED);
    assert_close(number_at(&scene, "/solution_00/force[-1]"), 2.0 * 4.3309704709, 0.0, 1e-8);
    assert_close(number_at(&scene, "/solution_00/position[-1,1]"), 0.0, 0.0, 1e-14);
    scene_end(&scene);
    forget_system(&found);
}

TEST(unit, motions_that_no_force_could_size_have_amplitude_one) {
    // Between two walls no force acts at rest.
    found_system found = find_system(&BETWEEN_WALLS, 3.0, 2.0);
    record_scene scene = write_system(&found, CAROM_MOTION_SCALE_STATIC_FORCE, 7.0);
    assert_close(number_at(&scene, "/roots/count"), 1.0, 0.0, 0.0);
    assert_close(entry(&scene, "/roots/realizable", 0, -1), 1.0, 0.0, 0.0);
    assert_text(&scene, "/solution_00/size_given_by", "amplitude");
    assert_close(number_at(&scene, "/solution_00/static_force"), 0.0, 0.0, 0.0);
    const carom_collisionless_record writer =
        writer_of(NULL, found.modes, CAROM_MOTION_SCALE_AMPLITUDE, 1.0);
    carom_collisionless_motion *motion = NULL;
    assert_ok(carom_collisionless_motion_compute(writer.modes, found.roots->roots[0].time,
                                                 found.roots->roots[0].constrained_time,
                                                 writer.scale, writer.size, &motion, NULL));
    assert_close(number_at(&scene, "/solution_00/contact_level"), motion->contact_level, 1e-14,
                 0.0);
    carom_collisionless_motion_free(motion);
    scene_end(&scene);
    forget_system(&found);
}

TEST(unit, an_empty_list_says_why) {
    const struct {
        carom_root_list list;
        const char *reason;
    } cases[] = {
        {{.method = CAROM_ROOTS_NONE, .is_complete = true},
         "the constrained phase has no oscillating mode: there is no collisionless motion"},
        {{.method = CAROM_ROOTS_CELLS, .is_complete = true},
         "no root lies in the box of impact times"},
        {{.method = CAROM_ROOTS_SUBDIVISION, .undecided = 3},
         "no root was found; parts of the box are undecided"},
    };
    found_system found = find_system(&BIPED, 1.0, 0.1);
    ck_assert_int_eq(found.roots->count, 0);
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        record_scene scene = scene_begin();
        const carom_collisionless_record writer =
            writer_of(scene.record, found.modes, CAROM_MOTION_SCALE_STATIC_FORCE, 1.0);
        assert_ok(carom_collisionless_record_write(&writer, &cases[k].list, NULL));
        scene_read(&scene);
        assert_close(number_at(&scene, "/roots/count"), 0.0, 0.0, 0.0);
        assert_close(number_at(&scene, "/roots/undecided"), k == 2 ? 3.0 : 0.0, 0.0, 0.0);
        assert_close(number_at(&scene, "/roots/is_complete"), k == 2 ? 0.0 : 1.0, 0.0, 0.0);
        assert_text(&scene, "/roots/reason", cases[k].reason);
        assert_absent(&scene, "/roots/time");
        assert_absent(&scene, "/solution_00/time");
        scene_end(&scene);
    }
    forget_system(&found);
}

/** m x'' + k x - e_N F_N at all instants, x from the equilibrium without contact: its largest entry
 * over the largest term. */
static double equation_error(const record_scene *scene, int n, const double *mass,
                             const double *stiffness) {
    const double sign = number_at(scene, "/solution_00/contact_sign");
    double error = 0.0;
    double size = 0.0;
    for (int k = 0; k < 41; k++) {
        for (int i = 0; i < n; i++) {
            double sum = i == n - 1 ? -sign * entry(scene, "/solution_00/force", k, -1) : 0.0;
            size = fmax(size, fabs(sum));
            for (int j = 0; j < n; j++) {
                const double inertia =
                    mass[i * n + j] * entry(scene, "/solution_00/acceleration", k, j);
                const double spring =
                    stiffness[i * n + j] * entry(scene, "/solution_00/position", k, j);
                sum += inertia + spring;
                size = fmax(size, fmax(fabs(inertia), fabs(spring)));
            }
            error = fmax(error, fabs(sum));
        }
    }
    return error / size;
}

TEST(property, recorded_histories_satisfy_the_equations_of_motion) {
    const unsigned long seed = 41;
    int compared = 0;
    for (unsigned long sample = 0; sample < 24; sample++) {
        const int N = 2 + (int)(sample % 3);
        carom_phase_spectra *spectra = draw_spectra(seed, sample, N, sample % 2 == 1);
        double mass[MOST * MOST] = {0.0};
        double stiffness[MOST * MOST] = {0.0};
        realise_spectra(seed, sample, spectra, 1.3, mass, stiffness);
        found_system found = {.modes = realised_modes(spectra, mass, stiffness)};
        carom_root_search_params params = carom_root_search_params_default();
        params.max_time = 4.0;
        params.max_constrained_time = 4.0;
        assert_ok(carom_impact_roots_find(found.modes->spectra, &params, &found.roots, NULL));
        if (found.roots->count > 0) {
            found.roots->count = 1;
            record_scene scene = write_system(&found, CAROM_MOTION_SCALE_STATIC_FORCE, 3.0);
            // Modes and roots to some ten roundings, grown by a few hyperbolic times.
            const double error = equation_error(&scene, N, mass, stiffness);
            ck_assert_msg(error < 1e-9, "seed %lu sample %lu: %.3g", seed, sample, error);
            // Half a step to a whole one, or to two that mirror each other; none for mixed
            // parities.
            const double period = number_at(&scene, "/solution_00/period");
            ck_assert(isnan(period) == !carom_phase_spectra_has_uniform_parity(spectra));
            compared++;
            scene_end(&scene);
        }
        forget_system(&found);
        carom_phase_spectra_free(spectra);
    }
    ck_assert_int_ge(compared, 8);
}

TEST(errors, times_that_are_no_root_are_refused) {
    found_system found = find_system(&BIPED, 4.0, 2.0);
    carom_impact_root wrong = found.roots->roots[0];
    wrong.time += 0.3;
    record_scene scene = scene_begin();
    const carom_collisionless_record writer =
        writer_of(scene.record, found.modes, CAROM_MOTION_SCALE_STATIC_FORCE, 5.0);
    carom_report report = carom_report_empty();
    carom_collisionless_realizability realizability = {1, 1.0, 1.0};
    assert_status(carom_collisionless_record_judge(&writer, &wrong, &realizability, &report),
                  CONFLICT);
    ck_assert(realizability.realizable == -1 && isnan(realizability.minimum_force_ratio) &&
              isnan(realizability.minimum_gap));
    ck_assert_ptr_nonnull(strstr(report.quantity, "no root"));
    carom_record solution = carom_record_group(scene.record, "/solution_00");
    assert_status(carom_collisionless_record_solution(&writer, &solution, &wrong, NULL), CONFLICT);
    const carom_root_list list = {.count = 1, .roots = &wrong, .method = CAROM_ROOTS_CELLS};
    assert_status(carom_collisionless_record_roots(&writer, &list, NULL, NULL), CONFLICT);
    scene_end(&scene);
    forget_system(&found);
}

/** The example of the document's chapter on which both determinants vanish where no root is. */
static carom_phase_spectra *two_oscillating(void) {
    const double lambda[4] = {-2.0, -0.5, 1.1, 3.1};
    const double constrained[3] = {-1.3, 0.35, 1.7};
    carom_phase_spectra *spectra = NULL;
    assert_ok(carom_phase_spectra_make(4, lambda, constrained, CAROM_PARITY_EVEN, CAROM_PARITY_ODD,
                                       &spectra, NULL));
    return spectra;
}

TEST(unit, crossings_are_told_from_roots_by_their_distance) {
    carom_phase_spectra *spectra = two_oscillating();
    carom_root_search_params box = carom_root_search_params_default();
    box.min_time = 2.0;
    box.max_time = 6.0;
    box.min_constrained_time = 3.0;
    box.max_constrained_time = 5.0;
    const carom_impact_phase_window window = carom_impact_phase_window_of_box(&box, spectra);
    carom_root_list *roots = NULL;
    assert_ok(carom_impact_roots_find(spectra, &box, &roots, NULL));
    record_scene scene = scene_begin();
    carom_record group = carom_record_group(scene.record, "/plane");
    assert_ok(carom_collisionless_record_crossings(&group, spectra, &window, roots, NULL));
    carom_record_index_axis(&group, "roots/root", roots->count, "root");
    assert_ok(carom_collisionless_record_phases(&group, spectra, roots));
    scene_read(&scene);
    const int count = (int)number_at(&scene, "/plane/crossings/count");
    int spurious = 0;
    for (int k = 0; k < count; k++) {
        const bool is_none = entry(&scene, "/plane/crossings/spurious", k, -1) > 0.5;
        const double distance = entry(&scene, "/plane/crossings/root_distance", k, -1);
        ck_assert(is_none ? distance > 1e-3 : distance < 1e-9);
        spurious += is_none ? 1 : 0;
    }
    // Both that the reference knows (4.2): tau = 2.41611 and 5.40294.
    ck_assert_int_eq(spurious, 2);
    ck_assert_int_eq(count - spurious, roots->count);
    for (int k = 0; k < roots->count; k++) {
        assert_close(entry(&scene, "/plane/roots/phase", k, -1), sqrt(3.1) * roots->roots[k].time,
                     1e-15, 0.0);
        assert_close(entry(&scene, "/plane/roots/constrained_phase", k, -1),
                     sqrt(1.7) * roots->roots[k].constrained_time, 1e-15, 0.0);
    }
    scene_end(&scene);
    carom_root_list_free(roots);
    carom_phase_spectra_free(spectra);
}

TEST(unit, curves_end_with_a_row_of_NaN) {
    found_system found = find_system(&BIPED, 4.0, 2.0);
    const carom_phase_spectra *spectra = found.modes->spectra;
    carom_impact_phase_window window = carom_impact_phase_window_default();
    window.columns = 100;
    window.rows = 60;
    carom_determinant_curves *curves = NULL;
    assert_ok(carom_determinant_curves_trace(spectra, &window, &curves, NULL));
    record_scene scene = scene_begin();
    carom_record times = carom_record_group(scene.record, "/times");
    assert_ok(carom_collisionless_record_curves(scene.record, spectra, curves, false));
    assert_ok(carom_collisionless_record_curves(&times, spectra, curves, true));
    scene_read(&scene);
    int rows = 0;
    int row = 0; // of the second family, which follows the first
    rows += (int)number_at(&scene, "rows(/curves/without_mode/phase)");
    rows += (int)number_at(&scene, "rows(/curves/without_force/phase)");
    ck_assert_int_eq(rows, curves->point_count + curves->polyline_count);
    for (int p = 0; p < curves->polyline_count; p++) {
        if (curves->family[curves->first[p]] != CAROM_DETERMINANT_WITHOUT_FORCE) {
            continue;
        }
        for (int i = curves->first[p]; i < curves->first[p + 1]; i += 7) {
            const int at = row + i - curves->first[p];
            assert_close(entry(&scene, "/curves/without_force/phase", at, -1), curves->phase[i],
                         0.0, 0.0);
            assert_close(entry(&scene, "/curves/without_force/constrained_phase", at, -1),
                         curves->constrained_phase[i], 0.0, 0.0);
            // (64): lambda_3, and lambda'_2 = sqrt 2.
            assert_close(entry(&scene, "/times/curves/without_force/time", at, -1),
                         curves->phase[i] / sqrt(1.52348), 5e-6, 0.0);
            assert_close(entry(&scene, "/times/curves/without_force/constrained_time", at, -1),
                         curves->constrained_phase[i] / sqrt(M_SQRT2), 1e-14, 0.0);
        }
        row += curves->first[p + 1] - curves->first[p] + 1;
        ck_assert(number_at(&scene, "count(!known(/curves/without_force/phase))") > 0.0);
    }
    assert_close(number_at(&scene, "count(!known(/curves/without_mode/phase)) + "
                                   "count(!known(/curves/without_force/constrained_phase))"),
                 curves->polyline_count, 0.0, 0.0);
    scene_end(&scene);
    carom_determinant_curves_free(curves);
    forget_system(&found);
}

TEST(errors, a_motion_that_fails_is_named) {
    found_system found = find_system(&BIPED, 4.0, 2.0);
    record_scene scene = scene_begin();
    const carom_collisionless_record writer =
        writer_of(scene.record, found.modes, CAROM_MOTION_SCALE_STATIC_FORCE, 5.0);
    // The group is there already.
    carom_record_scalar(scene.record, "/solution_00/period", 1.0, "s", "period");
    carom_report report = carom_report_empty();
    assert_ok(carom_collisionless_record_write(&writer, found.roots, &report));
    assert_status(carom_record_status(scene.record), IO);
    ck_assert_str_eq(carom_record_failure(scene.record),
                     "/solution_00/period: name already exists");
    scene_end(&scene);
    forget_system(&found);
}

TEST(errors, a_size_of_zero_is_refused_once) {
    found_system found = find_system(&BIPED, 4.0, 2.0);
    record_scene scene = scene_begin();
    const carom_collisionless_record writer =
        writer_of(scene.record, found.modes, CAROM_MOTION_SCALE_STATIC_FORCE, 0.0);
    carom_report report = carom_report_empty();
    assert_status(carom_collisionless_record_write(&writer, found.roots, &report), OUT_OF_RANGE);
    ck_assert_str_eq(report.quantity, "scale");
    scene_end(&scene);
    forget_system(&found);
}

TEST(errors, every_allocation_may_fail) {
    found_system found = find_system(&BETWEEN_WALLS, 3.0, 2.0);
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    int failures = 0;
    for (; status != CAROM_OK; failures++) {
        record_scene scene = scene_begin();
        const carom_collisionless_record writer =
            writer_of(scene.record, found.modes, CAROM_MOTION_SCALE_STATIC_FORCE, 5.0);
        successes_left = failures;
        status = carom_collisionless_record_write(&writer, found.roots, NULL);
        successes_left = -1;
        status = status == CAROM_OK ? carom_record_status(scene.record) : status;
        ck_assert_msg(status == CAROM_OK || status == CAROM_STATUS_OUT_OF_MEMORY, "%s",
                      carom_status_name(status));
        scene_end(&scene);
    }
    ck_assert_int_gt(failures, 20);
    forget_system(&found);

    // Curves, crossings and phases.
    found = find_system(&BIPED, 4.0, 2.0);
    const carom_phase_spectra *spectra = found.modes->spectra;
    carom_impact_phase_window window = carom_impact_phase_window_default();
    window.columns = 64;
    window.rows = 40;
    carom_determinant_curves *curves = NULL;
    assert_ok(carom_determinant_curves_trace(spectra, &window, &curves, NULL));
    status = CAROM_STATUS_OUT_OF_MEMORY;
    for (failures = 0; status != CAROM_OK; failures++) {
        record_scene scene = scene_begin();
        carom_record_index_axis(scene.record, "/roots/root", found.roots->count, "root");
        successes_left = failures;
        status = carom_collisionless_record_curves(scene.record, spectra, curves, false);
        if (status == CAROM_OK) {
            status = carom_collisionless_record_phases(scene.record, spectra, found.roots);
        }
        if (status == CAROM_OK) {
            status = carom_collisionless_record_crossings(scene.record, spectra, &window,
                                                          found.roots, NULL);
        }
        successes_left = -1;
        status = status == CAROM_OK ? carom_record_status(scene.record) : status;
        ck_assert_str_eq(carom_status_name(status),
                         status == CAROM_OK ? carom_status_name(CAROM_OK) : "OUT_OF_MEMORY");
        scene_end(&scene);
    }
    ck_assert_int_gt(failures, 10);
    carom_determinant_curves_free(curves);
    forget_system(&found);
}
