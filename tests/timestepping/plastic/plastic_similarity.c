/* carom/timestepping/plastic/plastic_events.h in other units: the same events, whatever a kilogram,
 * a metre and a second are. */
#include "../../units.h"
#include "plastic_bodies.h"

enum { EVENTS = 6 };

/* A motion, to be followed in any units over some events; what differs is the rounding of the
 * change of units, through some hundred steps. */
typedef struct motion {
    const carom_mechanism *mechanism;
    double q[2];
    double v[2];
    bool is_closed;
    double duration; /* s */
} motion;

static const double SIMILARITY = 1e-9;

/* What came of it, in the first units. */
typedef struct story {
    int events;
    int kinds[EVENTS];
    double times[EVENTS];
    double gap_rates[EVENTS];
    double losses[EVENTS];
    double forces[EVENTS];
    double q[2];
    double v[2];
} story;

static story follow(const motion *m, test_units u) {
    other_units other;
    other_units_init(&other, m->mechanism, u);
    double q[2];
    double v[2];
    units_position(&other, m->q, q);
    units_velocity(&other, m->v, v);
    carom_plastic_params params = carom_plastic_params_default();
    params.check_derivatives = false; /* the bodies leave them out */
    carom_plastic_motion *plastic = NULL;
    assert_ok(carom_plastic_motion_alloc(&other.mechanism, &params, &plastic, NULL));
    assert_ok(carom_plastic_motion_start(plastic, 0.0, q, v, m->is_closed, NULL));
    story s = {.events = 0};
    for (; s.events < EVENTS; s.events++) {
        carom_plastic_event event;
        assert_ok(carom_plastic_motion_advance(plastic, m->duration * u.time, &event, NULL));
        s.kinds[s.events] = (int)event.kind;
        s.times[s.events] = event.time / u.time;
        s.gap_rates[s.events] = event.gap_rate_before / units_speed(u);
        s.losses[s.events] = event.energy_lost / units_energy(u);
        s.forces[s.events] = event.contact_force / (units_energy(u) / u.length);
        if (event.kind == CAROM_PLASTIC_END) {
            break;
        }
    }
    units_inner(&other, 1.0, carom_plastic_motion_position(plastic), s.q);
    units_inner(&other, 1.0 / u.time, carom_plastic_motion_velocity(plastic), s.v);
    carom_plastic_motion_free(plastic);
    return s;
}

/* None differs by more than a part of the largest of its kind. */
static void check_similar(const char *name, const double *ours, const double *first, int count,
                          double tolerance) {
    double scale = 0.0;
    for (int i = 0; i < count; i++) {
        scale = fmax(scale, isnan(first[i]) ? 0.0 : fabs(first[i]));
    }
    for (int i = 0; i < count; i++) {
        ck_assert_msg(fabs(ours[i] - first[i]) <= tolerance * scale ||
                          (isnan(ours[i]) && isnan(first[i])),
                      "%s %d: %.17g instead of %.17g", name, i, ours[i], first[i]);
    }
}

static void check_motion(const motion *m, const test_units *changes, int count, double tolerance) {
    const story first = follow(m, (test_units){1.0, 1.0, 1.0});
    ck_assert_int_ge(first.events, 1);
    const int n = m->mechanism->coordinate_count;
    for (int i = 0; i < count; i++) {
        const story ours = follow(m, changes[i]);
        ck_assert_int_eq(ours.events, first.events);
        ck_assert_mem_eq(ours.kinds, first.kinds, sizeof first.kinds);
        check_similar("time", ours.times, first.times, first.events, tolerance);
        check_similar("gap rate", ours.gap_rates, first.gap_rates, first.events, tolerance);
        check_similar("loss", ours.losses, first.losses, first.events, tolerance);
        check_similar("force", ours.forces, first.forces, first.events, tolerance);
        check_similar("position", ours.q, first.q, n, tolerance);
        check_similar("velocity", ours.v, first.v, n, tolerance);
    }
}

static const hopper HOPPER = {.upper = 2.385, .lower = 0.71, .spring = 317.0, .gravity = 9.731};

/* Thrown, landing, lifted off by a force that grows; hopping; on a hill, where it leaves. */
static void check_straight(const test_units *changes, int count, double tolerance) {
    ball thrown = {.mass = 2.385, .gravity = 9.731, .growth = 3.71};
    hopper hopping = HOPPER;
    bead sliding = {.mass = 1.31, .radius = 0.731, .gravity = 9.731};
    const carom_mechanism mechanisms[3] = {ball_mechanism(&thrown), hopper_mechanism(&hopping),
                                           bead_mechanism(&sliding)};
    const double angle = 0.131;
    const motion motions[3] = {
        {&mechanisms[0], {0.713, 0.0}, {1.31, 0.0}, false, 3.1},
        {&mechanisms[1], {0.385, 0.217}, {0.31, -0.17}, false, 1.7},
        {&mechanisms[2],
         {0.731 * sin(angle), 0.731 * cos(angle)},
         {0.471 * cos(angle), -0.471 * sin(angle)},
         true,
         1.3},
    };
    for (int i = 0; i < 3; i++) {
        check_motion(&motions[i], changes, count, tolerance);
    }
}

START_TEST(bodies_land_and_leave_alike_in_all_units) {
    check_straight(CHANGES_OF_UNITS, CHANGE_OF_UNITS_COUNT, SIMILARITY);
}
END_TEST

START_TEST(powers_of_two_change_no_bit) {
    check_straight(BINARY_CHANGES_OF_UNITS, BINARY_CHANGE_OF_UNITS_COUNT, 0.0);
}
END_TEST

/* Angles keep their unit. */
START_TEST(pendulum_strikes_its_wall_alike_in_all_units) {
    double_pendulum p = {
        .mass = {1.31, 0.71}, .length = {0.731, 0.471}, .gravity = 9.731, .distance = 0.217};
    carom_mechanism mechanism = pendulum_mechanism(&p);
    mechanism.position_units = "rad";
    const motion m = {&mechanism, {0.31, 0.17}, {-0.71, 0.471}, false, 1.7};
    check_motion(&m, CHANGES_OF_UNITS, CHANGE_OF_UNITS_COUNT, SIMILARITY);
}
END_TEST

static Suite *suite(void) {
    Suite *all = suite_create("timestepping/plastic_similarity");
    TCase *property = tcase_create("property");
    tcase_add_test(property, bodies_land_and_leave_alike_in_all_units);
    tcase_add_test(property, powers_of_two_change_no_bit);
    tcase_add_test(property, pendulum_strikes_its_wall_alike_in_all_units);
    suite_add_tcase(all, property);
    return all;
}

int main(void) {
    return run_suite(suite());
}
