/* carom/timestepping/plastic/plastic.h in other units: the same events, whatever a kilogram,
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

/* What came of it. */
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

static story follow(const motion *m, const other_units *u) {
    double q[2];
    double v[2];
    units_position(u, m->q, q);
    units_velocity(u, m->v, v);
    carom_plastic_params params = carom_plastic_params_default();
    params.check_derivatives = false; /* the bodies leave them out */
    carom_plastic_motion *plastic = NULL;
    assert_ok(carom_plastic_motion_alloc(&u->mechanism, &params, &plastic, NULL));
    assert_ok(carom_plastic_motion_start(plastic, 0.0, q, v, m->is_closed, NULL));
    story s = {.events = 0};
    for (; s.events < EVENTS; s.events++) {
        carom_plastic_event event;
        assert_ok(carom_plastic_motion_advance(plastic, m->duration * u->units.time, &event, NULL));
        s.kinds[s.events] = (int)event.kind;
        s.times[s.events] = event.time;
        s.gap_rates[s.events] = event.gap_rate_before;
        s.losses[s.events] = event.energy_lost;
        s.forces[s.events] = event.contact_force;
        if (event.kind == CAROM_PLASTIC_END) {
            break;
        }
    }
    const size_t size = (size_t)m->mechanism->coordinate_count * sizeof(double);
    memcpy(s.q, carom_plastic_motion_position(plastic), size);
    memcpy(s.v, carom_plastic_motion_velocity(plastic), size);
    carom_plastic_motion_free(plastic);
    return s;
}

static void check_motion(const motion *m, const test_units *changes, int count, double tolerance) {
    other_units u;
    other_units_init(&u, m->mechanism, (test_units){1.0, 1.0, 1.0});
    const story first = follow(m, &u);
    const int events = first.events;
    ck_assert_int_ge(events, 1);
    for (int i = 0; i < count; i++) {
        other_units_init(&u, m->mechanism, changes[i]);
        const story ours = follow(m, &u);
        ck_assert_int_eq(ours.events, events);
        ck_assert_mem_eq(ours.kinds, first.kinds, sizeof first.kinds);
        assert_numbers("time", &u, events, 1, ours.times, first.times, u.units.time, 0.0,
                       tolerance);
        assert_numbers("gap rate", &u, events, 1, ours.gap_rates, first.gap_rates,
                       units_speed(u.units), 0.0, tolerance);
        assert_numbers("loss", &u, events, 1, ours.losses, first.losses, units_energy(u.units), 0.0,
                       tolerance);
        assert_numbers("force", &u, events, 1, ours.forces, first.forces,
                       units_impulse(u.units) / u.units.time, 0.0, tolerance);
        assert_states("position", &u, 1, ours.q, first.q, false, 0.0, tolerance);
        assert_states("velocity", &u, 1, ours.v, first.v, true, 0.0, tolerance);
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

TEST(property, bodies_land_and_leave_alike_in_all_units) {
    check_straight(CHANGES_OF_UNITS, CHANGE_OF_UNITS_COUNT, SIMILARITY);
}

TEST(property, powers_of_two_change_no_bit) {
    check_straight(BINARY_CHANGES_OF_UNITS, BINARY_CHANGE_OF_UNITS_COUNT, 0.0);
}

/* Angles keep their unit. */
TEST(property, pendulum_strikes_its_wall_alike_in_all_units) {
    double_pendulum p = {
        .mass = {1.31, 0.71}, .length = {0.731, 0.471}, .gravity = 9.731, .distance = 0.217};
    carom_mechanism mechanism = pendulum_mechanism(&p);
    mechanism.position_units = "rad";
    const motion m = {&mechanism, {0.31, 0.17}, {-0.71, 0.471}, false, 1.7};
    check_motion(&m, CHANGES_OF_UNITS, CHANGE_OF_UNITS_COUNT, SIMILARITY);
}
