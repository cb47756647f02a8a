/* carom/timestepping/compliant/compliant.h in other units: the same motion, whatever a
 * kilogram, a metre and a second are. */
#include "../../units.h"
#include "compliant_bodies.h"

/* A motion, to be followed in any units; its tolerances are so tight that what is left is the
 * rounding of the change of units, of 1e-16 m in gaps beside compressions of 1e-4 m, times 50 of
 * the outcome of a tilted block. */
typedef struct motion {
    const carom_mechanism *mechanism;
    const double *q;
    const double *v;
    double stiffness[2];
    double damping_ratio;
    bool has_own_scales; /* false: epsilon, delta, mass, time span and least impulse are given */
    bool stops;
} motion;

static const double SIMILARITY = 1e-9;

static carom_compliant_run *run_in(const motion *m, test_units u) {
    other_units other;
    other_units_init(&other, m->mechanism, u);
    double q[UNITS_MAX_COORDINATES];
    double v[UNITS_MAX_COORDINATES];
    units_position(&other, m->q, q);
    units_velocity(&other, m->v, v);
    double stiffness[2];
    for (int i = 0; i < 2; i++) {
        stiffness[i] = m->stiffness[i] * u.mass / u.time / u.time;
    }
    carom_compliant_params params = carom_compliant_params_default();
    params.stiffness = stiffness;
    params.damping_ratio = m->damping_ratio;
    params.relative_tolerance = 1e-12;
    params.absolute_tolerance = 1e-13;
    params.stops_when_separating = m->stops;
    if (!m->has_own_scales) {
        params.reference_mass = 1.31 * u.mass;
        params.regularisation_speed = 1e-10 * units_speed(u);
        params.stop_speed = 1e-9 * units_speed(u);
        params.time_span = 0.0131 * u.time;
        params.least_impulse = 0.01 * units_impulse(u);
    }
    return run_compliant(&other.mechanism, &params, q, v);
}

static void check_runs(const motion *m, const carom_compliant_run *ours,
                       const carom_compliant_run *first, const other_units *other,
                       double tolerance) {
    const int n = ours->coordinate_count;
    const int contacts = ours->contact_count;
    const test_units u = other->units;
    double speed = 0.0;
    for (int j = 0; j < n; j++) {
        speed = fmax(speed, fabs(m->v[j]));
    }
    assert_states("velocity", other, 1, ours->velocity, first->velocity, true, speed, tolerance);
    assert_states("position", other, 1, ours->position, first->position, false, 0.0, tolerance);
    assert_numbers("normal impulse", other, 1, contacts, ours->normal_impulse,
                   first->normal_impulse, units_impulse(u), 0.0, tolerance);
    assert_numbers("tangential impulse", other, 1, contacts * ours->tangent_count,
                   ours->tangential_impulse, first->tangential_impulse, units_impulse(u), 0.0,
                   tolerance);
    assert_numbers("start time", other, 1, contacts, ours->start_time, first->start_time, u.time,
                   0.0, tolerance);
    assert_numbers("end time", other, 1, 1, &ours->end_time, &first->end_time, u.time, 0.0,
                   tolerance);
    ck_assert_int_eq(ours->has_stopped, first->has_stopped);
    ck_assert_int_eq(ours->events, first->events);
    ck_assert_int_eq(ours->first_contact, first->first_contact);
}

static void check_motion(const motion *m, const test_units *changes, int count, double tolerance) {
    carom_compliant_run *first = run_in(m, (test_units){1.0, 1.0, 1.0});
    for (int i = 0; i < count; i++) {
        other_units other;
        other_units_init(&other, m->mechanism, changes[i]);
        carom_compliant_run *ours = run_in(m, changes[i]);
        check_runs(m, ours, first, &other, tolerance);
        if (!(tolerance > 0.0)) {
            ck_assert_int_eq(ours->steps, first->steps);
        }
        carom_compliant_run_free(ours);
    }
    carom_compliant_run_free(first);
}

/* A sledge in space, pressed, sliding, at last at rest; and one that falls from rest, bounces and
 * is shaken. */
static void check_particles(const test_units *changes, int count, double tolerance) {
    particle sledge = {
        .dimension = 3, .mass = {2.385, 1.31, 3.97}, .lift = -9.731, .friction = 0.471};
    particle ball = {.dimension = 2, .mass = {2.385, 1.31, 0.0}, .lift = -9.731, .shaking = 0.731};
    const carom_mechanism sliding = particle_mechanism(&sledge);
    const carom_mechanism falling = particle_mechanism(&ball);
    const double pressed[3] = {-2.385 * 9.731 / 7.31e5, 0.385, -0.217};
    const double high[2] = {0.00385, 0.0};
    const double rest[2] = {0.0, 0.0};
    const motion motions[] = {
        {&sliding,
         pressed,
         (const double[]){0.0, 0.0131, -0.0217},
         {7.31e5, 1.0},
         0.385,
         false,
         false},
        {&sliding,
         pressed,
         (const double[]){0.0, 0.0131, -0.0217},
         {7.31e5, 1.0},
         0.385,
         true,
         false},
        {&falling, high, rest, {7.31e5, 1.0}, 0.385, true, false},
        {&falling, high, rest, {7.31e5, 1.0}, 0.0, true, true},
    };
    for (size_t i = 0; i < sizeof motions / sizeof motions[0]; i++) {
        check_motion(&motions[i], changes, count, tolerance);
    }
}

TEST(property, particles_move_alike_in_all_units) {
    check_particles(CHANGES_OF_UNITS, CHANGE_OF_UNITS_COUNT, SIMILARITY);
}

TEST(property, powers_of_two_change_no_bit) {
    check_particles(BINARY_CHANGES_OF_UNITS, BINARY_CHANGE_OF_UNITS_COUNT, 0.0);
}

/* Halm's block, flat on unequal springs and tilted. */
TEST(property, blocks_end_alike_in_all_units) {
    const double degrees[3] = {0.0, 0.0023, 0.0087};
    const double stiffness[3] = {3.7e8, 1e6, 4.1e6};
    for (int i = 0; i < 3; i++) {
        carom_rigid_block_params block = carom_rigid_block_params_default();
        block.mass = 1.31;
        block.tilt = radians(degrees[i]);
        carom_impact_scene *scene = NULL;
        assert_ok(carom_rigid_block_alloc(&block, &scene, NULL));
        for (int own = 0; own < 2; own++) {
            const motion m = {
                .mechanism = carom_impact_scene_mechanism(scene),
                .q = scene->position,
                .v = scene->velocity,
                .stiffness = {stiffness[i], 1e6},
                .damping_ratio = 5.0,
                .has_own_scales = own == 1,
                .stops = true,
            };
            check_motion(&m, CHANGES_OF_UNITS, CHANGE_OF_UNITS_COUNT, SIMILARITY);
        }
        carom_impact_scene_free(scene);
    }
}
