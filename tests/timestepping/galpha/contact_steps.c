/* Steps of Moreau-Jean as contact problems: what sticks does not creep in a million steps, towers
 * stand by the weights above, the energy lost is the work of the contacts, units and order do not
 * matter, and a step that fails says where. */
#include "../../units.h"
#include "friction_bodies.h"

#include <carom/models/box_tower.h>
#include <carom/models/disc_pile.h>

#include <gsl/gsl_math.h>

enum { BOXES = 10, MOST_COORDINATES = 3 * BOXES };

static carom_model *tower_of(const carom_box_tower_params *params) {
    carom_model *model = NULL;
    assert_ok(carom_box_tower_alloc(params, &model, NULL));
    return model;
}

static carom_stepper *started_at(const carom_model *model, const carom_stepper_params *params) {
    carom_stepper *stepper = NULL;
    assert_ok(carom_stepper_alloc(&model->mechanism, params, &stepper, NULL));
    assert_ok(
        carom_stepper_start(stepper, 0.0, model->initial_position, model->initial_velocity, NULL));
    return stepper;
}

static void advance(carom_stepper *stepper, int steps) {
    for (int k = 0; k < steps; k++) {
        assert_ok(carom_stepper_advance(stepper, NULL));
    }
}

/* One box, 1 % below the friction angle and 1 % above: x'' = g (sin - mu cos). */
TEST(property, a_box_does_not_creep_in_a_million_steps_and_slides_above_the_friction_angle) {
    carom_box_tower_params params = carom_box_tower_params_default();
    const carom_stepper_params scheme = scheme_with_step(CAROM_SCHEME_MOREAU_JEAN, 1e-3);
    params.boxes = 1;
    params.slope = 0.99 * atan(params.friction);
    carom_model *model = tower_of(&params);
    carom_stepper *stepper = started_at(model, &scheme);
    advance(stepper, 1000000);
    const carom_step *step = carom_stepper_result(stepper);
    for (int i = 0; i < 3; i++) {
        assert_close(step->position[i], model->initial_position[i], 0.0, 1e-12 * params.width);
    }
    carom_stepper_free(stepper);
    carom_model_free(model);

    params.slope = 1.01 * atan(params.friction);
    model = tower_of(&params);
    stepper = started_at(model, &scheme);
    advance(stepper, 1000);
    step = carom_stepper_result(stepper);
    const double acceleration =
        params.gravity * (sin(params.slope) - params.friction * cos(params.slope));
    assert_close(step->velocity[0], acceleration * 1.0, 1e-9, 0.0);
    carom_stepper_free(stepper);
    carom_model_free(model);
}

/* The corners of box k carry the weight of the boxes k .. N-1 across the slope, and along it, with
 * what rounding leaves of their momenta. */
TEST(property, a_tower_stands_by_the_weights_above_each_box) {
    for (int tilted = 0; tilted < 2; tilted++) {
        carom_box_tower_params params = carom_box_tower_params_default();
        params.slope = tilted == 0 ? 0.0 : 0.05;
        const carom_stepper_params scheme = scheme_with_step(CAROM_SCHEME_MOREAU_JEAN, 1e-3);
        carom_model *model = tower_of(&params);
        carom_stepper *stepper = started_at(model, &scheme);
        double before[MOST_COORDINATES] = {0.0};
        for (int k = 0; k < 2000; k++) {
            advance(stepper, 1);
            const carom_step *step = carom_stepper_result(stepper);
            double change[2] = {0.0, 0.0}; /* of the momenta from box b up */
            ck_assert_double_le(step->velocity_residual, scheme.tolerance);
            const double most = params.mass * params.gravity * scheme.step * BOXES;
            for (int b = BOXES - 1; b >= 0; b--) {
                for (int a = 0; a < 2; a++) {
                    const double speed = step->velocity[3 * b + a];
                    ck_assert_double_le(fabs(speed), 1e-12);
                    change[a] += params.mass * (speed - before[3 * b + a]);
                    before[3 * b + a] = speed;
                }
                const double weight = params.mass * params.gravity * scheme.step * (BOXES - b);
                assert_close(step->impulse[2 * b] + step->impulse[2 * b + 1],
                             weight * cos(params.slope) + change[1], 0.0, 1e-12 * most);
                assert_close(step->friction_impulse[2 * b] + step->friction_impulse[2 * b + 1],
                             -weight * sin(params.slope) + change[0], 0.0, 1e-12 * most);
            }
        }
        const carom_step *step = carom_stepper_result(stepper);
        for (int i = 0; i < MOST_COORDINATES; i++) {
            assert_close(step->position[i], model->initial_position[i], 0.0, 1e-12);
        }
        carom_stepper_free(stepper);
        carom_model_free(model);
    }
}

/* Energy and the work of the contacts in a step by theta = 1/2 with constant rows: M dv = h f + G'
 * Lambda, dq = h (v- + v+)/2. */
TEST(property, the_energy_of_a_pile_that_collapses_is_lost_to_its_contacts) {
    carom_disc_pile_params params = carom_disc_pile_params_default();
    params.rows = 6;
    params.friction = 0.1;
    carom_model *model = NULL;
    assert_ok(carom_disc_pile_alloc(&params, &model, NULL));
    const carom_mechanism *m = &model->mechanism;
    carom_stepper_params scheme = scheme_with_step(CAROM_SCHEME_MOREAU_JEAN, 1e-3);
    scheme.theta = 0.5;
    carom_stepper *stepper = started_at(model, &scheme);
    enum { MOST = 3 * 21, CONTACTS = 51 };
    ck_assert(m->coordinate_count == MOST && m->contact_count == CONTACTS);
    double scratch[2 * MOST];
    double rate[2][CONTACTS] = {{0.0}};
    double work = 0.0;
    double last = 0.0; /* of the energy at rest */
    for (int k = 0; k < 400; k++) {
        advance(stepper, 1);
        const carom_step *step = carom_stepper_result(stepper);
        for (int j = 0; j < CONTACTS; j++) {
            work += step->impulse[j] * 0.5 * (rate[0][j] + step->constraint_rate[j]) +
                    step->friction_impulse[j] * 0.5 * (rate[1][j] + step->sliding_velocity[j]);
            rate[0][j] = step->constraint_rate[j];
            rate[1][j] = step->sliding_velocity[j];
        }
        const double energy =
            carom_mechanism_kinetic_energy(m, step->position, step->velocity, scratch) +
            m->potential_energy(step->position, m->context);
        ck_assert_double_le(energy, last + 1e-10 * (1.0 + fabs(last)));
        last = energy;
    }
    ck_assert(last < -1.0); /* J: it has come down */
    assert_close(last, work, 1e-10, 0.0);
    carom_stepper_free(stepper);
    carom_model_free(model);
}

/* A tower that falls on a steep slope, in grams and in tonnes. */
TEST(property, units_do_not_matter) {
    const test_units systems[] = {{.mass = 1e3, .length = 1e2, .time = 1.0},
                                  {.mass = 1e-3, .length = 1e-3, .time = 1.0}};
    carom_box_tower_params params = carom_box_tower_params_default();
    params.boxes = 3;
    params.slope = 0.6;
    params.restitution = 0.3;
    carom_model *model = tower_of(&params);
    const carom_stepper_params scheme = scheme_with_step(CAROM_SCHEME_MOREAU_JEAN, 1e-3);
    for (size_t k = 0; k < sizeof systems / sizeof *systems; k++) {
        other_units other;
        other_units_init(&other, &model->mechanism, systems[k]);
        double q[9];
        double v[9] = {0.0};
        for (int i = 0; i < 9; i++) {
            q[i] = model->initial_position[i] * other.factor[i];
        }
        carom_stepper *stepper = started_at(model, &scheme);
        carom_stepper *scaled = NULL;
        assert_ok(carom_stepper_alloc(&other.mechanism, &scheme, &scaled, NULL));
        assert_ok(carom_stepper_start(scaled, 0.0, q, v, NULL));
        advance(stepper, 300);
        advance(scaled, 300);
        const carom_step *one = carom_stepper_result(stepper);
        const carom_step *two = carom_stepper_result(scaled);
        for (int i = 0; i < 9; i++) {
            assert_close(two->position[i] / other.factor[i], one->position[i], 0.0, 1e-8);
        }
        carom_stepper_free(stepper);
        carom_stepper_free(scaled);
    }
    carom_model_free(model);
}

TEST(errors, a_step_that_fails_names_its_time_its_contact_and_its_residual) {
    carom_box_tower_params params = carom_box_tower_params_default();
    params.boxes = 3;
    params.restitution = 0.5;
    carom_model *model = tower_of(&params);
    carom_stepper_params scheme = scheme_with_step(CAROM_SCHEME_MOREAU_JEAN, 1e-2);
    scheme.max_iterations = 1;
    scheme.tolerance = 1e-15;
    model->initial_position[1] += 0.05; /* it falls */
    model->initial_position[4] += 0.05;
    model->initial_position[7] += 0.05;
    model->initial_velocity[2] = 3.0;
    carom_stepper *stepper = started_at(model, &scheme);
    carom_report report = carom_report_empty();
    carom_status status = CAROM_OK;
    int steps = 0;
    while (status == CAROM_OK && steps < 100) {
        status = carom_stepper_advance(stepper, &report);
        steps += status == CAROM_OK ? 1 : 0;
    }
    assert_status(status, NOT_CONVERGED);
    ck_assert_str_eq(report.quantity, "contact");
    ck_assert(report.index >= 0 && report.index < 6);
    ck_assert(report.residual > scheme.tolerance);
    assert_close(report.time, scheme.step * (steps + 1), 1e-12, 0.0);
    carom_stepper_free(stepper);
    carom_model_free(model);
}

/* Forces of a mechanism that fail at one evaluation of many. */
static struct {
    const carom_mechanism *mechanism;
    int evaluations; /* until the one that fails */
} failing;

static void failing_force(double t, const double *q, const double *v, double *f, void *context) {
    failing.mechanism->force(t, q, v, f, context);
    f[0] = --failing.evaluations == 0 ? (double)NAN : f[0];
}

/* A tower falls askew and rattles: its corners stick in more places than its boxes can rebound
 * from, and are let rest. A step that fails after that leaves their speeds, which the step that is
 * tried again needs. */
TEST(errors, a_failed_step_leaves_the_speeds_of_contacts_that_rest) {
    carom_box_tower_params params = carom_box_tower_params_default();
    params.friction = 0.4;
    params.restitution = 0.1;
    carom_model *model = tower_of(&params);
    for (int i = 0; i < 3 * BOXES; i++) {
        const int row = i / 3;
        model->initial_position[i] += i % 3 == 1 ? 0.03 * (1 + row) : 0.0;
        model->initial_velocity[i] = i % 3 == 2 ? 0.1 * sin(i) : 0.02 * i * cos(i);
    }
    const carom_stepper_params scheme = scheme_with_step(CAROM_SCHEME_MOREAU_JEAN, 1e-2);
    failing.mechanism = &model->mechanism;
    carom_model failing_model = *model;
    failing_model.mechanism.force = failing_force;
    carom_stepper *stepper = started_at(&failing_model, &scheme);
    double speeds[2 * BOXES];
    for (int k = 0; k < 300; k++) {
        memcpy(speeds, carom_stepper_result(stepper)->constraint_rate, sizeof speeds);
        carom_status status = CAROM_STATUS_NOT_FINITE;
        for (int evaluation = 1; status != CAROM_OK; evaluation++) {
            const carom_step *step = carom_stepper_result(stepper);
            assert_status(status, NOT_FINITE);
            ck_assert_mem_eq(step->constraint_rate, speeds, sizeof speeds);
            failing.evaluations = evaluation;
            status = carom_stepper_advance(stepper, NULL);
        }
    }
    carom_stepper_free(stepper);
    carom_model_free(model);
}

/* Without forces a gap is closed from where the next step would leave none: the step that stops
 * what comes at a speed v still moves it by (1 - w) h v, w = theta or 1/2, and leaves from 0 to h
 * v.
 */
TEST(property, what_is_foreseen_stops_within_a_step_before_it_touches) {
    enum { GAPS = 80 };
    static const double thetas[] = {0.5, 0.5, 0.7, 1.0}; /* the first of velocity_galpha */
    static const double speed = 2.3;
    static const double h = 1e-3;
    for (int k = 0; k < 4 * GAPS; k++) {
        body b;
        point_init(&b, 0.37, 0.0);
        const int gap = k / 4;
        b.q[1] = h * speed * (4.0 + (gap + 0.5) / GAPS);
        b.v[1] = -speed;
        carom_stepper_params params = scheme_with_step(
            k % 4 == 0 ? CAROM_SCHEME_VELOCITY_GALPHA : CAROM_SCHEME_MOREAU_JEAN, h);
        params.predictor = CAROM_PREDICTOR_NEXT_STEP;
        params.theta = thetas[k % 4];
        carom_stepper *stepper = stepped(&b.mechanism, &params, b.q, b.v, 10);
        const carom_step *step = carom_stepper_result(stepper);
        assert_close(step->velocity[1], 0.0, 0.0, 1e-12 * speed);
        ck_assert_double_ge(step->position[1], -1e-12 * h * speed);
        ck_assert_double_le(step->position[1], (1.0 + 1e-12) * h * speed);
        carom_stepper_free(stepper);
    }
}
