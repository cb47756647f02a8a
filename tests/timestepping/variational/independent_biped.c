/* The variational integrator of seghete-2014 section VI against a second one that shares no
 * formula with it (independent_variational.h): the biped from the places of its bodies. */
#include "independent_systems.h"

#include <carom/models/trex/internal.h>
#include <carom/models/trex/trex.h>

#include <gsl/gsl_math.h>

/* --------------------------------------------------------------------------------- the biped */

/** TREX from its seven bodies. */
typedef struct biped {
    carom_trex_params params;
    double tail;
    double mass[7];
    double spin[7];
} biped;

/* Centres and turning angles of anterior and posterior body, left leg, right leg, tail; places of
 * the tips. */
static void biped_bodies(const long double *q, const biped *robot, long double *z,
                         long double *tips) {
    const carom_trex_params *p = &robot->params;
    const long double apart = (long double)p->anterior_radius + p->posterior_radius;
    const long double pitch = q[CAROM_TREX_PITCH];
    const long double rear = pitch + q[CAROM_TREX_BODY_JOINT];
    const long double e_pitch[2] = {cosl(pitch), sinl(pitch)};
    const long double e_rear[2] = {cosl(rear), sinl(rear)};
    const long double hip[2] = {q[CAROM_TREX_X], q[CAROM_TREX_Y]};
    for (int k = 0; k < 2; k++) {
        z[k] = hip[k];
        z[3 + k] = hip[k] + apart * e_pitch[k];
        z[18 + k] = z[3 + k] + 0.5L * robot->tail * e_rear[k];
        tips[2 * CAROM_TREX_TAIL_TIP + k] = z[3 + k] + robot->tail * e_rear[k];
    }
    z[2] = pitch;
    z[5] = rear;
    z[20] = rear;
    for (int leg = 0; leg < 2; leg++) {
        const int tip = leg == 0 ? CAROM_TREX_LEFT_FOOT : CAROM_TREX_RIGHT_FOOT;
        const long double thigh = pitch + q[leg == 0 ? CAROM_TREX_LEFT_HIP : CAROM_TREX_RIGHT_HIP];
        const long double shank =
            thigh + q[leg == 0 ? CAROM_TREX_LEFT_KNEE : CAROM_TREX_RIGHT_KNEE];
        const long double e_thigh[2] = {cosl(thigh), sinl(thigh)};
        const long double e_shank[2] = {cosl(shank), sinl(shank)};
        for (int k = 0; k < 2; k++) {
            const long double knee = hip[k] + p->upper_length * e_thigh[k];
            z[6 + 6 * leg + k] = hip[k] + 0.5L * p->upper_length * e_thigh[k];
            z[9 + 6 * leg + k] = knee + 0.5L * p->lower_length * e_shank[k];
            tips[2 * tip + k] = knee + p->lower_length * e_shank[k];
        }
        z[8 + 6 * leg] = thigh;
        z[11 + 6 * leg] = shank;
    }
}

static void biped_place(const long double *q, long double *z, const void *context) {
    long double tips[2 * CAROM_TREX_CONTACTS] = {0.0L};
    biped_bodies(q, context, z, tips);
}

static long double biped_energy(const long double *q, const void *context) {
    const biped *robot = context;
    const carom_trex_params *p = &robot->params;
    long double z[21] = {0.0L};
    long double tips[2 * CAROM_TREX_CONTACTS] = {0.0L};
    biped_bodies(q, robot, z, tips);
    long double energy = 0.0L;
    for (int body = 0; body < 7; body++) {
        energy += p->gravity * robot->mass[body] * z[3 * body + 1];
    }
    const int joint[3] = {CAROM_TREX_LEFT_KNEE, CAROM_TREX_RIGHT_KNEE, CAROM_TREX_BODY_JOINT};
    for (int j = 0; j < 3; j++) {
        const long double turn = q[joint[j]] - p->stance[joint[j]];
        energy += 0.5L * (j < 2 ? p->knee_stiffness : p->body_stiffness) * turn * turn;
    }
    return energy;
}

static void biped_loads(long double t, const long double *q, const long double *v, long double *f,
                        const void *context) {
    const biped *robot = context;
    const carom_trex_params *p = &robot->params;
    memset(f, 0, CAROM_TREX_COORDINATES * sizeof *f);
    f[CAROM_TREX_LEFT_KNEE] = -p->knee_damping * v[CAROM_TREX_LEFT_KNEE];
    f[CAROM_TREX_RIGHT_KNEE] = -p->knee_damping * v[CAROM_TREX_RIGHT_KNEE];
    f[CAROM_TREX_BODY_JOINT] = -p->body_damping * v[CAROM_TREX_BODY_JOINT];
    const long double since = t - p->hip_start_time;
    for (int leg = 0; leg < 2; leg++) {
        const int hip = leg == 0 ? CAROM_TREX_LEFT_HIP : CAROM_TREX_RIGHT_HIP;
        const long double rate = since > 0.0L ? (long double)p->hip_rates[leg] : 0.0L;
        f[hip] = -p->hip_stiffness * (q[hip] - p->stance[hip] - rate * since) -
                 p->hip_damping * (v[hip] - rate);
    }
}

static void biped_contact(const long double *q, long double *gap, long double *along,
                          const void *context) {
    long double z[21] = {0.0L};
    long double tips[2 * CAROM_TREX_CONTACTS] = {0.0L};
    biped_bodies(q, context, z, tips);
    for (int c = 0; c < CAROM_TREX_CONTACTS; c++) {
        gap[c] = tips[2 * c + 1];
        along[c] = tips[2 * c];
    }
}

static void biped_init(biped *robot, const carom_trex_params *params, discrete_system *system) {
    robot->params = *params;
    robot->tail =
        carom_trex_tail_length(params->tail, params->anterior_radius, params->posterior_radius);
    const double rod = params->limb_density * params->limb_section;
    const double radius[2] = {params->anterior_radius, params->posterior_radius};
    const double length[5] = {params->upper_length, params->lower_length, params->upper_length,
                              params->lower_length, robot->tail};
    for (int i = 0; i < 7; i++) {
        const double ball = i < 2 ? radius[i] : 0.0;
        const double limb = i < 2 ? 0.0 : length[i - 2];
        robot->mass[i] = 4.0 / 3.0 * M_PI * params->body_density * ball * ball * ball + rod * limb;
        robot->spin[i] = robot->mass[i] * (0.4 * ball * ball + limb * limb / 12.0);
    }
    *system = (discrete_system){.coordinates = CAROM_TREX_COORDINATES,
                                .inertias = 21,
                                .contacts = CAROM_TREX_CONTACTS,
                                .place = biped_place,
                                .potential = biped_energy,
                                .force = biped_loads,
                                .contact = biped_contact,
                                .context = robot};
    for (int i = 0; i < 21; i++) {
        system->inertia[i] = i % 3 == 2 ? robot->spin[i / 3] : robot->mass[i / 3];
    }
    for (int c = 0; c < CAROM_TREX_CONTACTS; c++) {
        system->friction[c] = params->friction;
    }
}

EXTENDED_TEST(unit, the_biped_flies_fifty_steps_as_its_seven_bodies_do) {
    carom_trex_params params = carom_trex_params_default();
    params.hip_start_time = 0.02;
    params.hip_rates[0] = 5.0;
    params.hip_rates[1] = -7.0;
    biped robot;
    discrete_system system;
    biped_init(&robot, &params, &system);
    carom_model *model;
    assert_ok(carom_trex_alloc(&params, &model, NULL));
    carom_variational_params run = carom_variational_params_default();
    run.step = 1e-3;
    double q[CAROM_TREX_COORDINATES] = {0.0};
    double v[CAROM_TREX_COORDINATES] = {0.0};
    for (unsigned long i = 0; i < CAROM_TREX_COORDINATES; i++) {
        q[i] = model->initial_position[i] + random_in(7, i, -0.2, 0.2);
        v[i] = random_in(7, 20 + i, -6.0, 6.0);
    }
    carom_variational_stepper *stepper;
    assert_ok(carom_variational_stepper_alloc(&model->mechanism, &run, &stepper, NULL));
    assert_ok(carom_variational_stepper_start(stepper, 0.0, q, v, NULL, NULL));
    discrete_state state = state_of(&system, 0.0, q, v);
    const carom_variational_result *result = carom_variational_stepper_result(stepper);
    discrete_matrix near = {.is_set = false};
    for (int k = 0; k < 50; k++) {
        discrete_step next;
        ck_assert(discrete_solve_near(&system, &state, 1e-3L, NULL, &near, &next));
        state = next.end;
        assert_ok(carom_variational_stepper_advance(stepper, NULL));
        result = carom_variational_stepper_result(stepper);
        ck_assert_int_eq(result->impact_count, 0);
    }
    // sizes of some ten cm and rad; momenta of several thousand
    assert_state(&state, CAROM_TREX_COORDINATES, result->position, result->momentum, SOLVED);
    assert_close(result->kinetic_energy + result->potential_energy,
                 (double)discrete_energy(&system, &state), 1e-11, 0.0);
    carom_variational_stepper_free(stepper);
    carom_model_free(model);
}

/* The right hip that brings foot and tail tip to one height. */
static void level_tips(const discrete_system *system, double *q) {
    double low = q[CAROM_TREX_RIGHT_HIP] - 0.1;
    double high = q[CAROM_TREX_RIGHT_HIP] + 0.1;
    long double difference[2] = {0.0L};
    for (int halving = 0; halving < 70; halving++) {
        for (int side = 0; side < 2; side++) {
            long double place[CAROM_TREX_COORDINATES] = {0.0L};
            long double gap[CAROM_TREX_CONTACTS] = {0.0L};
            long double along[CAROM_TREX_CONTACTS] = {0.0L};
            q[CAROM_TREX_RIGHT_HIP] = side == 0 ? low : 0.5 * (low + high);
            for (int i = 0; i < CAROM_TREX_COORDINATES; i++) {
                place[i] = q[i];
            }
            system->contact(place, gap, along, system->context);
            difference[side] = gap[CAROM_TREX_RIGHT_FOOT] - gap[CAROM_TREX_TAIL_TIP];
        }
        const bool is_beyond = (difference[0] < 0.0L) == (difference[1] < 0.0L);
        low = is_beyond ? q[CAROM_TREX_RIGHT_HIP] : low;
        high = is_beyond ? high : q[CAROM_TREX_RIGHT_HIP];
    }
}

/* Flights and impacts of the reference up to an instant. @return impacts; counts what closed */
static int fall_until(const discrete_system *system, long double end, int order,
                      discrete_state *state, int *closed_count) {
    int impacts = 0;
    while (end - state->time > 1e-15L) {
        discrete_step next;
        const int contact = discrete_first_impact(system, state, end - state->time, &next);
        ck_assert_int_ge(contact, -1);
        *state = next.end;
        if (contact >= 0) {
            bool closed[DISCRETE_CONTACTS] = {false};
            int sequence[DISCRETE_REFLECTIONS] = {0};
            for (int c = 0; c < system->contacts; c++) {
                closed[c] = fabsl(next.gap[c]) < 1e-9L;
                *closed_count += closed[c];
            }
            impacts++;
            ck_assert_int_ge(discrete_impact(system, closed, order, 1.0L, state, sequence), 1);
        }
    }
    return impacts;
}

EXTENDED_TEST(unit, the_biped_lands_in_both_orders_as_its_seven_bodies_do) {
    for (int run = 0; run < 3; run++) {
        const int order = run % 2 == 0 ? -1 : 1;
        const bool is_shaken = run >= 2;
        const double h = 1e-3;
        carom_trex_params params = carom_trex_params_default();
        params.hip_start_time = 0.0;
        biped robot;
        discrete_system system;
        biped_init(&robot, &params, &system);
        // frozen as it falls, foot and tail together, or with all joints moving
        level_tips(&system, params.stance);
        params.hip_rates[0] = is_shaken ? 6.0 : 0.0;
        params.hip_rates[1] = is_shaken ? 6.0 : 0.0;
        robot.params = params;
        carom_model *model;
        assert_ok(carom_trex_alloc(&params, &model, NULL));
        double q[CAROM_TREX_COORDINATES] = {0.0};
        double v[CAROM_TREX_COORDINATES] = {0.0};
        memcpy(q, params.stance, sizeof q);
        for (unsigned long i = 2; i < CAROM_TREX_COORDINATES && is_shaken; i++) {
            v[i] = random_in(8, i, -0.5, 0.5);
        }
        q[CAROM_TREX_Y] += 0.05;
        v[CAROM_TREX_Y] = -40.0;
        carom_variational_params stepping = carom_variational_params_default();
        stepping.step = h;
        stepping.impacts_without_friction = true;
        stepping.rule =
            order < 0 ? CAROM_PROPAGATIVE_MOST_APPROACHING : CAROM_PROPAGATIVE_LEAST_APPROACHING;
        carom_variational_stepper *stepper;
        assert_ok(carom_variational_stepper_alloc(&model->mechanism, &stepping, &stepper, NULL));
        assert_ok(carom_variational_stepper_start(stepper, 0.0, q, v, NULL, NULL));
        discrete_state state = state_of(&system, 0.0, q, v);
        int impacts = 0;
        int closed = 0;
        for (int k = 1; k <= (is_shaken ? 3 : 2); k++) {
            const int expected = fall_until(&system, (long double)k * h, order, &state, &closed);
            impacts += expected;
            assert_ok(carom_variational_stepper_advance(stepper, NULL));
            ck_assert_int_eq(carom_variational_stepper_result(stepper)->impact_count, expected);
        }
        const carom_variational_result *result = carom_variational_stepper_result(stepper);
        ck_assert_int_ge(impacts, 1);
        ck_assert_int_eq(closed > impacts, !is_shaken);
        assert_state(&state, CAROM_TREX_COORDINATES, result->position, result->momentum, LOCATED);
        carom_variational_stepper_free(stepper);
        carom_model_free(model);
    }
}
