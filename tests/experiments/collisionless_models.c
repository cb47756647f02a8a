/**
 * The models of pankov-2024 section 4 with random parameters: the extended motion over several
 * steps beside the same motion integrated event by event with plastic contact, spokes and feet
 * exchanged where the other one has unloaded; and the tabulated motions of unit models
 * (reference table A.8).
 */
#include "../support.h"

#include <carom/collisionless/motion/collisionless_motion.h>
#include <carom/collisionless/motion/spectral_motion.h>
#include <carom/collisionless/roots/impact_roots.h>
#include <carom/models/two_mode_models.h>
#include <carom/timestepping/plastic/plastic.h>

#include <gsl/gsl_math.h>

enum { COORDINATES = 2, MODELS = 5, SAMPLES = 8, STEPS = 3, INSTANTS = 12 };

enum { HOPPER, JUGGLER, REACTION_WHEEL, PENDULUM_WHEEL, ROCKER };

static const int FIRST_COLUMN[MODELS] = {2, 2, 1, 1, 2};

/** Half a unit of the last digit of numbers given to ten decimals, and a rounding. */
static const double TEN_DECIMALS = 0.6e-10;

/** A model, its modes, and its motion of one column. */
typedef struct case_of_model {
    carom_two_mode_model model;
    carom_phase_modes *modes;
    carom_collisionless_motion *motion;
    double step; /**< 2 (tau + tau'), s */
} case_of_model;

static carom_parity parity_of(bool is_odd) {
    return is_odd ? CAROM_PARITY_ODD : CAROM_PARITY_EVEN;
}

/** Column n, row 0. */
static void open_case(case_of_model *c, int n) {
    carom_impact_root root;
    assert_ok(carom_phase_modes_compute(COORDINATES, &c->model.mass[0][0],
                                        &c->model.stiffness[0][0],
                                        parity_of(c->model.is_unconstrained_odd),
                                        parity_of(c->model.is_constrained_odd), &c->modes, NULL));
    assert_ok(carom_impact_roots_cell(c->modes->spectra, n, 0, &root, NULL));
    assert_ok(carom_collisionless_motion_compute(c->modes, root.time, root.constrained_time,
                                                 CAROM_MOTION_SCALE_STATIC_FORCE,
                                                 c->model.contact_force, &c->motion, NULL));
    c->step = 2.0 * (root.time + root.constrained_time);
}

static void close_case(case_of_model *c) {
    carom_collisionless_motion_free(c->motion);
    carom_phase_modes_free(c->modes);
}

/** Parameters of all models. */
typedef struct all_params {
    carom_hopper_params hopper;
    carom_juggler_params juggler;
    carom_reaction_wheel_params reaction;
    carom_pendulum_wheel_params pendulum;
    carom_coronal_rocker_params rocker;
} all_params;

static all_params unit_params(void) {
    return (all_params){
        carom_hopper_params_default(),         carom_juggler_params_default(),
        carom_reaction_wheel_params_default(), carom_pendulum_wheel_params_default(),
        carom_coronal_rocker_params_default(),
    };
}

/** Masses, lengths and the like in [0.7, 1.5): flights grow by less than 1e4. */
static all_params random_params(gsl_rng *generator) {
    double u[7];
    for (int i = 0; i < 7; i++) {
        u[i] = uniform(generator, 0.7, 1.5);
    }
    const double angle = uniform(generator, 0.05, 1.2);
    const double wheel_inertia = u[3] * u[5] * u[5] * (1.0 + u[1]);
    return (all_params){
        .hopper = {u[0], u[1], u[2], u[3], u[4]},
        .juggler = {u[0], u[1], u[2], u[3], u[4]},
        .reaction = {u[0], wheel_inertia, u[2], u[3], u[4], u[5], angle, u[6]},
        .pendulum = {u[0], u[1], u[2], u[3], u[4], angle},
        .rocker = {u[0], u[1], u[2], u[3], u[4], u[5], angle},
    };
}

static void build_model(const all_params *params, int which, carom_two_mode_model *model) {
    switch (which) {
    case HOPPER:
        assert_ok(carom_hopper_model(&params->hopper, model, NULL));
        break;
    case JUGGLER:
        assert_ok(carom_juggler_model(&params->juggler, model, NULL));
        break;
    case REACTION_WHEEL:
        assert_ok(carom_reaction_wheel_model(&params->reaction, model, NULL));
        break;
    case PENDULUM_WHEEL:
        assert_ok(carom_pendulum_wheel_model(&params->pendulum, model, NULL));
        break;
    default:
        assert_ok(carom_coronal_rocker_model(&params->rocker, model, NULL));
        break;
    }
}

TEST(unit, unit_models_have_the_tabulated_periods_gaps_and_forces) {
    // Reference table A.8: model, n, period, largest gap, its largest force over the static one.
    const struct {
        int model;
        int n;
        double time;
        double constrained_time;
        double period;
        double gap;
        double force;
    } rows[] = {
        {HOPPER, 2, 3.1773202983, 1.8757120725, 10.1060647417, 7.8493515635, 4.3309704709},
        {HOPPER, 3, 5.4625779603, 1.7518552707, 14.4288664619, 17.1307873882, 6.5533555597},
        {JUGGLER, 2, 4.4934094579, 2.6526574521, 14.2921338200, 15.6987031270, 4.3309704709},
        // An odd flight begins 2 eps away from the next spoke; odd forces end at twice the static
        // one; an even flight of rocking begins at x_2 = 1.374258705, 2 + that above the ground.
        {REACTION_WHEEL, 1, 2.3199872833, 0.4921138220, 5.6242022106, 2.0, 2.0},
        {REACTION_WHEEL, 2, 4.9689149276, 0.5419219742, 11.0216738036, 2.0, 2.0},
        {PENDULUM_WHEEL, 1, 1.9887371532, 0.8629029622, 5.7032802308, 2.0, 2.0},
        {ROCKER, 2, 3.3018658083, 0.8719938807, 16.6954387560, 3.374258705, 2.0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        case_of_model c;
        const all_params params = unit_params();
        build_model(&params, rows[i].model, &c.model);
        open_case(&c, rows[i].n);
        double period;
        assert_ok(carom_symmetry_extension_period(c.modes->spectra, c.motion->spectral->time,
                                                  c.motion->spectral->constrained_time, &period,
                                                  NULL));
        const carom_motion_bounds bounds = carom_motion_bounds_compute(c.motion->spectral);
        assert_close(c.motion->spectral->time, rows[i].time, 0.0, TEN_DECIMALS);
        assert_close(c.motion->spectral->constrained_time, rows[i].constrained_time, 0.0,
                     TEN_DECIMALS);
        // Periods are two or four times the sum of two rounded times.
        assert_close(period, rows[i].period, 0.0, 4.0 * TEN_DECIMALS);
        // Gaps from the table are rounded to nine or ten decimals.
        assert_close(fabs(c.motion->scale) * bounds.maximum_gap, rows[i].gap, 0.0, 1e-9);
        assert_close(bounds.maximum_force_ratio, rows[i].force, 0.0, TEN_DECIMALS);
        ck_assert(bounds.is_realizable);
        // The side of the obstacle, which the motion decides, is that of the model.
        ck_assert_int_eq(c.motion->contact_sign, (int)c.model.gap_sign);
        close_case(&c);
    }
}

/** What the standing foot carries over F_N^0, which is shared equally at P'. */
static double load_of_standing_foot(double t, const double *q, const double *v, const double *a,
                                    double contact_force, void *context) {
    (void)t;
    (void)q;
    (void)v;
    (void)a;
    const carom_two_mode_model *model = context;
    return 2.0 - model->gap_sign * contact_force / model->contact_force;
}

/** A mechanism under way, and which copy of the motion its coordinates describe. */
typedef struct follower {
    const case_of_model *c;
    carom_plastic_motion *motion;
    const double *rest; /**< static equilibrium in contact, coordinates of the mechanism */
    long copies;
    int landings;
    double lost; /**< J */
} follower;

/** x = sign y + shift: from coordinates of the present copy to those of the first. */
static double to_first_copy(const follower *f, int i, double y) {
    const bool is_mirrored = !f->c->model.is_unconstrained_odd && f->copies % 2 == 1;
    if (f->c->model.is_unconstrained_odd) {
        return y + 2.0 * (double)f->copies * f->rest[i];
    }
    return is_mirrored ? 2.0 * f->rest[i] - y : y;
}

/** Stand on the next spoke, or on the other foot. */
static void exchange(follower *f) {
    double q[COORDINATES];
    double v[COORDINATES];
    const double *x = carom_plastic_motion_position(f->motion);
    const double *x_dot = carom_plastic_motion_velocity(f->motion);
    const bool rolls = f->c->model.is_unconstrained_odd;
    for (int i = 0; i < COORDINATES; i++) {
        q[i] = rolls ? x[i] - 2.0 * f->rest[i] : 2.0 * f->rest[i] - x[i];
        v[i] = rolls ? x_dot[i] : -x_dot[i];
    }
    f->copies++;
    assert_ok(carom_plastic_motion_start(f->motion, carom_plastic_motion_time(f->motion), q, v,
                                         !rolls, NULL));
}

/** Go on to a time, through whatever happens. */
static void advance(follower *f, double until) {
    carom_plastic_event event = {.kind = CAROM_PLASTIC_USER};
    while (event.kind != CAROM_PLASTIC_END) {
        assert_ok(carom_plastic_motion_advance(f->motion, until, &event, NULL));
        if (event.kind == CAROM_PLASTIC_LANDING) {
            f->landings++;
            f->lost += event.energy_lost;
        } else if (event.kind == CAROM_PLASTIC_USER) {
            exchange(f);
        }
    }
}

/** The state of a motion in the mechanism's coordinates of copy 0, and the largest of its size. */
static void extended_state(const case_of_model *c, const double *rest, double t, double *x,
                           double *v) {
    const carom_motion_state state = {.position = x, .velocity = v};
    assert_ok(carom_symmetry_extension_state(
        c->motion, t, CAROM_MOTION_FROM_CONSTRAINED_EQUILIBRIUM, NULL, &state, NULL));
    for (int i = 0; i < COORDINATES; i++) {
        x[i] += rest[i];
    }
}

/** Follow a motion over some steps, beside its extension. */
static void assert_followed(const case_of_model *c) {
    carom_model *mechanism = NULL;
    carom_plastic_params params = carom_plastic_params_default();
    assert_ok(carom_two_mode_model_mechanism(&c->model, &mechanism));
    carom_two_mode_model model = c->model;
    if (model.is_constrained_odd) {
        params.user_quantity = load_of_standing_foot;
        params.user_level = 1.0;
        params.user_context = &model;
    }
    follower f = {.c = c, .rest = mechanism->initial_position};
    assert_ok(carom_plastic_motion_alloc(&mechanism->mechanism, &params, &f.motion, NULL));
    double x[COORDINATES];
    double v[COORDINATES];
    extended_state(c, f.rest, 0.0, x, v);
    assert_ok(carom_plastic_motion_start(f.motion, 0.0, x, v, false, NULL));

    double size = 0.0;
    double speed = 0.0;
    for (int k = 1; k <= STEPS * INSTANTS; k++) {
        const double t = c->step * (double)k / INSTANTS;
        advance(&f, t);
        extended_state(c, f.rest, t, x, v);
        const double *q = carom_plastic_motion_position(f.motion);
        const double *q_dot = carom_plastic_motion_velocity(f.motion);
        const bool is_mirrored =
            model.is_constrained_odd && !model.is_unconstrained_odd && f.copies % 2 == 1;
        for (int i = 0; i < COORDINATES; i++) {
            const double sign = is_mirrored ? -1.0 : 1.0;
            size = fmax(size, fabs(x[i] - f.rest[i]));
            speed = fmax(speed, fabs(v[i]));
            // Tolerances of 1e-13 and landings displaced by rounding, in flights that grow by 1e4.
            assert_close(to_first_copy(&f, i, q[i]), x[i], 0.0, 1e-7 * size);
            assert_close(sign * q_dot[i], v[i], 0.0, 1e-7 * speed);
        }
    }
    ck_assert_int_ge(f.landings, STEPS);
    ck_assert_int_eq((int)f.copies, model.is_constrained_odd ? STEPS : 0);
    // Of the size of the kinetic energy, the fourth power of displacements below 1e-2 of a period.
    assert_close(f.lost / (model.mass[1][1] * speed * speed), 0.0, 0.0, 1e-10);
    carom_plastic_motion_free(f.motion);
    carom_model_free(mechanism);
}

TEST(property, extended_motions_are_those_of_mechanisms_with_plastic_contact) {
    gsl_rng *generator = seeded_generator(41);
    for (int sample = 0; sample < SAMPLES; sample++) {
        const all_params params = random_params(generator);
        for (int which = 0; which < MODELS; which++) {
            case_of_model c;
            build_model(&params, which, &c.model);
            open_case(&c, FIRST_COLUMN[which]);
            assert_followed(&c);
            close_case(&c);
        }
    }
    gsl_rng_free(generator);
}
