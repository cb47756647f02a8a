/* carom/models: hopper, juggler, rimless wheels and rocking biped with two degrees of freedom. */
#include "../failing_malloc.h"
#include "two_mode_cases.h"

#include <carom/mechanism/mechanism.h>
#include <carom/models/internal.h>

#include <gsl/gsl_eigen.h>
#include <stddef.h>
#include <string.h>

/** A point mass at one of a drawing's points. */
typedef struct point_mass {
    int point;
    double mass;
} point_mass;

typedef void place_points(const void *params, const double *x, double *points);

/** A drawing with masses: the energies of a model as they follow from places alone. */
typedef struct drawing {
    place_points *place;
    const void *params;
    double gravity;
    int mass_count;
    point_mass masses[3];
} drawing;

static void place_hopper(const void *params, const double *x, double *points) {
    carom_hopper_points(params, x, points);
}

static void place_juggler(const void *params, const double *x, double *points) {
    carom_juggler_points(params, x, points);
}

static void place_reaction_wheel(const void *params, const double *x, double *points) {
    carom_reaction_wheel_points(params, x, points);
}

static void place_pendulum_wheel(const void *params, const double *x, double *points) {
    carom_pendulum_wheel_points(params, x, points);
}

static void place_rocker(const void *params, const double *x, double *points) {
    carom_coronal_rocker_points(params, x, points);
}

/** Potential energy of the weights at x + (a, b). */
static double weight_energy(const drawing *self, const double *x, double a, double b) {
    const double moved[2] = {x[0] + a, x[1] + b};
    double points[10] = {0.0};
    self->place(self->params, moved, points);
    double energy = 0.0;
    for (int i = 0; i < self->mass_count; i++) {
        energy += self->masses[i].mass * self->gravity * points[2 * self->masses[i].point + 1];
    }
    return energy;
}

/** Step of the differences below, and the error of second ones: rounding/h^2 and h^2. */
static const double DIFFERENCE = 1e-3;
static const double DIFFERENCE_ERROR = 2e-5;

/** Gradient and Hessian of the weights' energy by differences. */
static void weight_derivatives(const drawing *self, const double *x, double *gradient,
                               double *hessian) {
    const double h = DIFFERENCE;
    const double V = weight_energy(self, x, 0.0, 0.0);
    for (int i = 0; i < 2; i++) {
        const double a = i == 0 ? h : 0.0;
        const double b = i == 1 ? h : 0.0;
        const double up = weight_energy(self, x, a, b);
        const double down = weight_energy(self, x, -a, -b);
        gradient[i] = (up - down) / (2.0 * h);
        hessian[3 * i] = (up - 2.0 * V + down) / (h * h);
    }
    hessian[1] = (weight_energy(self, x, h, h) - weight_energy(self, x, h, -h) -
                  weight_energy(self, x, -h, h) + weight_energy(self, x, -h, -h)) /
                 (4.0 * h * h);
    hessian[2] = hessian[1];
}

/** Mass matrix of the point masses by differences of their places. */
static void point_mass_matrix(const drawing *self, const double *x, double *M) {
    double slope[2][10] = {{0.0}};
    for (int i = 0; i < 2; i++) {
        double moved[2][10] = {{0.0}};
        for (int side = 0; side < 2; side++) {
            double at[2] = {x[0], x[1]};
            at[i] += side == 0 ? DIFFERENCE : -DIFFERENCE;
            self->place(self->params, at, moved[side]);
        }
        for (int k = 0; k < 10; k++) {
            slope[i][k] = (moved[0][k] - moved[1][k]) / (2.0 * DIFFERENCE);
        }
    }
    for (int entry = 0; entry < 4; entry++) {
        M[entry] = 0.0;
        for (int i = 0; i < self->mass_count; i++) {
            for (int axis = 0; axis < 2; axis++) {
                const int k = 2 * self->masses[i].point + axis;
                M[entry] += self->masses[i].mass * slope[entry / 2][k] * slope[entry % 2][k];
            }
        }
    }
}

/** m, k and load of a model against those of its drawing, plus springs and inertias apart. */
static void assert_drawn(const carom_two_mode_model *model, const drawing *drawn, const double *x,
                         const double *extra_mass, const double *extra_stiffness) {
    double M[4];
    double gradient[2];
    double hessian[4];
    point_mass_matrix(drawn, x, M);
    weight_derivatives(drawn, x, gradient, hessian);
    for (int i = 0; i < 2; i++) {
        /* dV/dx = k x - load. */
        double pull = -model->load[i];
        for (int j = 0; j < 2; j++) {
            const int entry = 2 * i + j;
            assert_close(model->mass[i][j], M[entry] + extra_mass[entry], DIFFERENCE_ERROR,
                         DIFFERENCE_ERROR);
            assert_close(model->stiffness[i][j], hessian[entry] + extra_stiffness[entry],
                         DIFFERENCE_ERROR, DIFFERENCE_ERROR);
            pull += (model->stiffness[i][j] - extra_stiffness[entry]) * x[j];
        }
        assert_close(gradient[i], pull, DIFFERENCE_ERROR, DIFFERENCE_ERROR);
    }
}

TEST(property, matrices_and_loads_follow_from_the_places_of_the_masses) {
    gsl_rng *generator = seeded_generator(24);
    const double none[4] = {0.0, 0.0, 0.0, 0.0};
    const double rest[2] = {0.0, 0.0};
    for (int sample = 0; sample < SAMPLES; sample++) {
        carom_two_mode_model model;
        const double x[2] = {uniform(generator, -1.0, 1.0), uniform(generator, 0.0, 1.0)};

        const carom_hopper_params hopper = random_hopper(generator);
        const drawing hopping = {place_hopper,
                                 &hopper,
                                 hopper.gravity,
                                 2,
                                 {{0, hopper.lower_mass}, {1, hopper.upper_mass}}};
        const double k = hopper.spring_stiffness;
        const double spring[4] = {k, -k, -k, k};
        assert_ok(carom_hopper_model(&hopper, &model, NULL));
        assert_drawn(&model, &hopping, x, none, spring);

        const carom_juggler_params juggler = random_juggler(generator);
        const drawing juggling = {place_juggler,
                                  &juggler,
                                  juggler.gravity,
                                  2,
                                  {{1, juggler.paddle_mass}, {2, juggler.ball_mass}}};
        const double paddle_spring[4] = {juggler.spring_stiffness, 0.0, 0.0, 0.0};
        assert_ok(carom_juggler_model(&juggler, &model, NULL));
        assert_drawn(&model, &juggling, x, none, paddle_spring);

        /* The hub's own part of J_w is M l^2. */
        const carom_reaction_wheel_params reaction = random_reaction_wheel(generator);
        const drawing turning = {
            place_reaction_wheel, &reaction, reaction.gravity, 1, {{1, reaction.mass}}};
        const double inertia[4] = {reaction.reaction_inertia, 0.0, 0.0,
                                   reaction.wheel_inertia -
                                       reaction.mass * gsl_pow_2(reaction.spoke_length)};
        const double c = reaction.spring_stiffness;
        const double torsion[4] = {c, -c, -c, c};
        assert_ok(carom_reaction_wheel_model(&reaction, &model, NULL));
        assert_drawn(&model, &turning, rest, inertia, torsion);

        const carom_pendulum_wheel_params pendulum = random_pendulum_wheel(generator);
        const drawing swinging = {place_pendulum_wheel,
                                  &pendulum,
                                  pendulum.gravity,
                                  2,
                                  {{1, pendulum.hub_mass}, {4, pendulum.pendulum_mass}}};
        assert_ok(carom_pendulum_wheel_model(&pendulum, &model, NULL));
        assert_drawn(&model, &swinging, rest, none, none);
    }
    gsl_rng_free(generator);
}

TEST(property, the_rocking_biped_is_that_of_its_drawing_to_first_order_in_theta) {
    gsl_rng *generator = seeded_generator(25);
    for (int sample = 0; sample < SAMPLES; sample++) {
        /* Left out is the lifted foot's inertia, and its weight to higher order: theta^2. */
        carom_coronal_rocker_params rocker = random_rocker(generator);
        rocker.half_leg_angle = 1e-4;
        const drawing rocking = {
            place_rocker,
            &rocker,
            rocker.gravity,
            3,
            {{1, rocker.hip_mass}, {2, rocker.foot_mass}, {3, rocker.pendulum_mass}}};
        const double none[4] = {0.0, 0.0, 0.0, 0.0};
        const double rest[2] = {0.0, 0.0};
        carom_two_mode_model model;
        assert_ok(carom_coronal_rocker_model(&rocker, &model, NULL));
        assert_drawn(&model, &rocking, rest, none, none);

        /* x = 0 is the equilibrium on one foot: where the torque vanishes, to theta^2 of it. */
        double gradient[2];
        double hessian[4];
        weight_derivatives(&rocking, rest, gradient, hessian);
        assert_close(gradient[1] / model.contact_force, 0.0, 0.0, 1e-6);
    }
    gsl_rng_free(generator);
}

TEST(property, frequencies_are_those_of_the_literature) {
    gsl_rng *generator = seeded_generator(26);
    for (int sample = 0; sample < SAMPLES; sample++) {
        carom_two_mode_model model;
        double lambda[2];
        double constrained;
        const carom_hopper_params hopper = random_hopper(generator);
        assert_ok(carom_hopper_model(&hopper, &model, NULL));
        carom_two_mode_model_spectrum(&model, lambda, &constrained);
        assert_close(lambda[0], 0.0, 0.0, 0.0);
        assert_close(lambda[1],
                     hopper.spring_stiffness * (1.0 / hopper.upper_mass + 1.0 / hopper.lower_mass),
                     ROUNDING, 0.0);
        assert_close(constrained, hopper.spring_stiffness / hopper.upper_mass, ROUNDING, 0.0);

        const carom_juggler_params juggler = random_juggler(generator);
        assert_ok(carom_juggler_model(&juggler, &model, NULL));
        carom_two_mode_model_spectrum(&model, lambda, &constrained);
        assert_close(lambda[0], 0.0, 0.0, 0.0);
        assert_close(lambda[1], juggler.spring_stiffness / juggler.paddle_mass, ROUNDING, 0.0);
        assert_close(constrained,
                     juggler.spring_stiffness / (juggler.paddle_mass + juggler.ball_mass), ROUNDING,
                     0.0);

        const carom_reaction_wheel_params reaction = random_reaction_wheel(generator);
        assert_ok(carom_reaction_wheel_model(&reaction, &model, NULL));
        carom_two_mode_model_spectrum(&model, lambda, &constrained);
        assert_close(constrained, reaction.spring_stiffness / reaction.reaction_inertia, ROUNDING,
                     0.0);

        const carom_pendulum_wheel_params pendulum = random_pendulum_wheel(generator);
        assert_ok(carom_pendulum_wheel_model(&pendulum, &model, NULL));
        carom_two_mode_model_spectrum(&model, lambda, &constrained);
        assert_close(constrained, pendulum.gravity / pendulum.pendulum_length, ROUNDING, 0.0);

        const carom_coronal_rocker_params rocker = random_rocker(generator);
        assert_ok(carom_coronal_rocker_model(&rocker, &model, NULL));
        carom_two_mode_model_spectrum(&model, lambda, &constrained);
        assert_close(constrained, rocker.gravity / rocker.pendulum_length, ROUNDING, 0.0);
    }
    gsl_rng_free(generator);
}

TEST(unit, the_unit_wheels_have_the_spectra_of_their_quadratics) {
    /* 2 L^2 - 2 L - 1 = 0 and L^2 - 2 = 0. */
    const carom_reaction_wheel_params reaction = carom_reaction_wheel_params_default();
    const carom_pendulum_wheel_params pendulum = carom_pendulum_wheel_params_default();
    const carom_coronal_rocker_params rocker = carom_coronal_rocker_params_default();
    carom_two_mode_model model;
    double lambda[2];
    double constrained;
    assert_ok(carom_reaction_wheel_model(&reaction, &model, NULL));
    carom_two_mode_model_spectrum(&model, lambda, &constrained);
    assert_close(lambda[0], 0.5 - 0.5 * sqrt(3.0), 1e-15, 0.0);
    assert_close(lambda[1], 0.5 + 0.5 * sqrt(3.0), 1e-15, 0.0);
    assert_close(model.contact_level, 1.0, 0.0, 0.0);
    assert_close(model.contact_force, -1.0, 0.0, 0.0);

    assert_ok(carom_pendulum_wheel_model(&pendulum, &model, NULL));
    carom_two_mode_model_spectrum(&model, lambda, &constrained);
    assert_close(lambda[0], -M_SQRT2, 1e-15, 0.0);
    assert_close(lambda[1], M_SQRT2, 1e-15, 0.0);
    assert_close(model.contact_force, -2.0, 0.0, 0.0);

    assert_ok(carom_coronal_rocker_model(&rocker, &model, NULL));
    carom_two_mode_model_spectrum(&model, lambda, &constrained);
    assert_close(lambda[0], -M_SQRT2, 1e-15, 0.0);
    assert_close(lambda[1], M_SQRT2, 1e-15, 0.0);
    assert_close(model.contact_level, -2.0, 0.0, 0.0);
    assert_close(model.contact_force, 4.0, 0.0, 0.0);
    assert_close(model.weight, 4.0, 0.0, 0.0);
}

TEST(unit, parities_are_those_of_section_4) {
    gsl_rng *generator = seeded_generator(27);
    carom_two_mode_model models[MODELS];
    random_models(generator, models);
    gsl_rng_free(generator);
    const bool unconstrained[] = {false, false, true, true, false};
    const bool constrained[] = {false, false, true, true, true};
    const double gap_sign[] = {1.0, 1.0, -1.0, -1.0, 1.0};
    const char *const names[] = {"hopper", "juggler", "reaction_wheel", "pendulum_wheel",
                                 "coronal_rocker"};
    const char *const coordinates[][2] = {{"upper mass", "lower mass"},
                                          {"paddle", "ball above paddle"},
                                          {"reaction wheel", "stance spoke"},
                                          {"pendulum", "stance spoke"},
                                          {"pendulum", "stance leg"}};
    for (int i = 0; i < MODELS; i++) {
        ck_assert_int_eq(models[i].is_unconstrained_odd, unconstrained[i]);
        ck_assert_int_eq(models[i].is_constrained_odd, constrained[i]);
        assert_close(models[i].gap_sign, gap_sign[i], 0.0, 0.0);
        ck_assert_str_eq(models[i].name, names[i]);
        ck_assert_str_eq(models[i].coordinates[0], coordinates[i][0]);
        ck_assert_str_eq(models[i].coordinates[1], coordinates[i][1]);
        ck_assert_str_eq(models[i].units, i < 2 ? "m" : "rad");
    }
}

TEST(property, feet_stand_on_the_ground_at_the_contact) {
    gsl_rng *generator = seeded_generator(28);
    for (int sample = 0; sample < SAMPLES; sample++) {
        double points[10];
        const double any = uniform(generator, -1.0, 1.0);
        carom_two_mode_model model;

        const carom_hopper_params hopper = random_hopper(generator);
        const double hop[2] = {any, 0.0};
        carom_hopper_points(&hopper, hop, points);
        assert_close(points[1], 0.0, 0.0, 0.0);
        assert_close(points[3], hopper.spring_length + any, ROUNDING, 0.0);

        const carom_juggler_params juggler = random_juggler(generator);
        carom_juggler_points(&juggler, hop, points);
        assert_close(points[5] - points[3], 0.0, 0.0, 0.0);
        assert_close(points[3] - points[1], juggler.spring_length + any, ROUNDING, 0.0);

        /* A step of the wheel is 2 l sin(eps) long; the mark and the pendulum are where they hang.
         */
        const carom_reaction_wheel_params reaction = random_reaction_wheel(generator);
        assert_ok(carom_reaction_wheel_model(&reaction, &model, NULL));
        const double turned[2] = {any, model.contact_coordinate};
        carom_reaction_wheel_points(&reaction, turned, points);
        const double step = 2.0 * reaction.spoke_length * sin(reaction.half_spoke_angle);
        assert_close(points[4], step, ROUNDING, ROUNDING);
        assert_close(points[5], 0.0, 0.0, ROUNDING);
        assert_close(points[8] - points[2], reaction.reaction_radius * sin(any), ROUNDING,
                     ROUNDING);
        assert_close(points[9] - points[3], reaction.reaction_radius * cos(any), ROUNDING,
                     ROUNDING);
        /* As it starts, the last spoke still stands. */
        const double started[2] = {any, -model.contact_coordinate};
        carom_reaction_wheel_points(&reaction, started, points);
        assert_close(points[6], -step, ROUNDING, ROUNDING);
        assert_close(points[7], 0.0, 0.0, ROUNDING);

        const carom_pendulum_wheel_params pendulum = random_pendulum_wheel(generator);
        const double swung[2] = {any, pendulum.half_spoke_angle};
        carom_pendulum_wheel_points(&pendulum, swung, points);
        assert_close(points[5], 0.0, 0.0, ROUNDING);
        assert_close(points[2], pendulum.spoke_length * sin(pendulum.half_spoke_angle), ROUNDING,
                     0.0);
        assert_close(points[8], points[2] - pendulum.pendulum_length * sin(any), ROUNDING,
                     ROUNDING);

        const carom_coronal_rocker_params rocker = random_rocker(generator);
        assert_ok(carom_coronal_rocker_model(&rocker, &model, NULL));
        const double rocked[2] = {any, model.contact_coordinate};
        carom_coronal_rocker_points(&rocker, rocked, points);
        assert_close(points[0], 0.0, 0.0, 0.0);
        assert_close(points[4], -2.0 * rocker.leg_length * sin(rocker.half_leg_angle), ROUNDING,
                     ROUNDING);
        assert_close(points[5], 0.0, 0.0, ROUNDING);
        assert_close(points[2], 0.5 * points[4], ROUNDING, ROUNDING);
        assert_close(points[6], points[2] - rocker.pendulum_length * sin(any), ROUNDING, ROUNDING);
        assert_close(points[7], points[3] - rocker.pendulum_length * cos(any), ROUNDING, ROUNDING);
        /* Beyond it the other foot is in the air. */
        const double lifted[2] = {any, model.contact_coordinate + 0.1};
        carom_coronal_rocker_points(&rocker, lifted, points);
        ck_assert(points[5] > 0.0);
    }
    gsl_rng_free(generator);
}

TEST(property, eigenvalues_are_those_of_an_independent_solver_and_interlace) {
    gsl_rng *generator = seeded_generator(30);
    gsl_eigen_gensymm_workspace *work = gsl_eigen_gensymm_alloc(2);
    gsl_matrix *m = gsl_matrix_alloc(2, 2);
    gsl_matrix *k = gsl_matrix_alloc(2, 2);
    gsl_vector *values = gsl_vector_alloc(2);
    for (int sample = 0; sample < SAMPLES; sample++) {
        carom_two_mode_model models[MODELS + 1];
        random_models(generator, models);
        /* None of them is coupled in both matrices: one that is. */
        models[MODELS] = models[3];
        models[MODELS].stiffness[0][1] = 0.4 * models[3].stiffness[0][0];
        models[MODELS].stiffness[1][0] = models[MODELS].stiffness[0][1];
        for (int i = 0; i <= MODELS; i++) {
            double lambda[2];
            double constrained;
            carom_two_mode_model_spectrum(&models[i], lambda, &constrained);
            for (size_t entry = 0; entry < 4; entry++) {
                gsl_matrix_set(m, entry / 2, entry % 2, models[i].mass[entry / 2][entry % 2]);
                gsl_matrix_set(k, entry / 2, entry % 2, models[i].stiffness[entry / 2][entry % 2]);
            }
            ck_assert_int_eq(gsl_eigen_gensymm(k, m, values, work), 0);
            /* Conditions of these masses are below 1e3. */
            const double size = fmax(fabs(lambda[0]), fabs(lambda[1]));
            assert_close(lambda[0], gsl_vector_min(values), 0.0, 1e-12 * size);
            assert_close(lambda[1], gsl_vector_max(values), 0.0, 1e-12 * size);
            ck_assert(lambda[0] < constrained && constrained < lambda[1]);
            ck_assert(i < 2 || lambda[0] < 0.0);
            ck_assert(constrained > 0.0);
        }
    }
    gsl_vector_free(values);
    gsl_matrix_free(k);
    gsl_matrix_free(m);
    gsl_eigen_gensymm_free(work);
    gsl_rng_free(generator);
}

TEST(property, the_static_contact_force_is_that_of_the_equilibrium) {
    gsl_rng *generator = seeded_generator(31);
    for (int sample = 0; sample < SAMPLES; sample++) {
        carom_two_mode_model models[MODELS];
        random_models(generator, models);
        for (int i = 0; i < MODELS; i++) {
            const carom_two_mode_model *model = &models[i];
            carom_model *made = NULL;
            assert_ok(carom_two_mode_model_mechanism(model, &made));
            const double *x = made->initial_position;
            const double size = fabs(model->contact_force);
            double pull[2];
            for (int row = 0; row < 2; row++) {
                pull[row] = model->stiffness[row][0] * x[0] + model->stiffness[row][1] * x[1] -
                            model->load[row];
            }
            assert_close(pull[0] / size, 0.0, 0.0, ROUNDING);
            assert_close(pull[1], model->contact_force, ROUNDING, 0.0);
            /* It pushes the bodies apart. */
            ck_assert(model->gap_sign * model->contact_force > 0.0);
            assert_close(x[1], model->contact_coordinate, 0.0, 0.0);

            /* x_N^0 = (k^-1)_NN F_N^0, where k has an inverse. */
            const double(*k)[2] = model->stiffness;
            const double determinant = k[0][0] * k[1][1] - k[0][1] * k[1][0];
            if (i < 2) {
                ck_assert(isnan(model->contact_level));
                assert_close(determinant, 0.0, 0.0, 0.0);
                ck_assert(model->load[0] < 0.0 && model->load[1] < 0.0);
            } else {
                assert_close(model->contact_level, k[0][0] / determinant * model->contact_force,
                             ROUNDING, 0.0);
                assert_close(model->contact_coordinate, model->contact_level, 0.0, 0.0);
            }
            carom_model_free(made);
        }
    }
    gsl_rng_free(generator);
}

TEST(unit, the_weight_is_that_of_all_masses) {
    const carom_hopper_params hopper = {1.3, 0.7, 2.1, 3.7, 1.0};
    const carom_juggler_params juggler = {1.3, 0.7, 2.1, 3.7, 1.0};
    const carom_reaction_wheel_params reaction = {1.3, 2.9, 1.1, 1.7, 3.7, 0.9, 0.3, 0.2};
    const carom_pendulum_wheel_params pendulum = {1.3, 0.7, 0.9, 1.1, 3.7, 0.3};
    const carom_coronal_rocker_params rocker = {0.4, 0.5, 1.1, 0.9, 1.2, 3.7, 0.3};
    carom_two_mode_model model;
    assert_ok(carom_hopper_model(&hopper, &model, NULL));
    assert_close(model.weight, 7.4, 1e-15, 0.0);
    assert_ok(carom_juggler_model(&juggler, &model, NULL));
    assert_close(model.weight, 7.4, 1e-15, 0.0);
    assert_close(model.contact_force, 0.7 * 3.7, 1e-15, 0.0);
    assert_ok(carom_reaction_wheel_model(&reaction, &model, NULL));
    assert_close(model.weight, 1.7 * 3.7, 1e-15, 0.0);
    assert_ok(carom_pendulum_wheel_model(&pendulum, &model, NULL));
    assert_close(model.weight, 7.4, 1e-15, 0.0);
    assert_ok(carom_coronal_rocker_model(&rocker, &model, NULL));
    assert_close(model.weight, 2.4 * 3.7, 1e-15, 0.0);
}

TEST(property, the_mechanisms_pass_the_check_and_rest_in_contact) {
    gsl_rng *generator = seeded_generator(32);
    for (int sample = 0; sample < SAMPLES; sample++) {
        carom_two_mode_model models[MODELS];
        random_models(generator, models);
        for (int i = 0; i < MODELS; i++) {
            carom_model *made = NULL;
            assert_ok(carom_two_mode_model_mechanism(&models[i], &made));
            const carom_mechanism *mechanism = &made->mechanism;
            const double q[2] = {uniform(generator, -2.0, 2.0), uniform(generator, -2.0, 2.0)};
            const double v[2] = {uniform(generator, -2.0, 2.0), uniform(generator, -2.0, 2.0)};
            assert_ok(carom_mechanism_validate(mechanism, 0.0, q, v, NULL));
            assert_ok(carom_mechanism_check(mechanism, 0.3, q, v, 1e-7, 5, NULL));
            ck_assert(mechanism->is_linear);
            ck_assert_int_eq(mechanism->contact_count, 1);
            assert_close(mechanism->restitution[0], 0.0, 0.0, 0.0);
            ck_assert_str_eq(mechanism->position_units, i < 2 ? "m" : "rad");
            ck_assert_str_eq(mechanism->velocity_units, i < 2 ? "m s-1" : "rad s-1");

            /* At rest the contact is closed and G' F balances f. */
            double f[2];
            double g;
            double G[2];
            const double *rest = made->initial_position;
            mechanism->force(0.0, rest, made->initial_velocity, f, mechanism->context);
            mechanism->constraints(rest, &g, mechanism->context);
            mechanism->constraint_jacobian(rest, G, mechanism->context);
            const double F = models[i].gap_sign * models[i].contact_force;
            assert_close(g, 0.0, 0.0, 0.0);
            assert_close((f[0] + G[0] * F) / F, 0.0, 0.0, ROUNDING);
            assert_close((f[1] + G[1] * F) / F, 0.0, 0.0, ROUNDING);
            assert_close(made->initial_velocity[0], 0.0, 0.0, 0.0);
            assert_close(made->initial_velocity[1], 0.0, 0.0, 0.0);

            /* The gap opens with gap_sign; V falls by the work of f: exact differences of a
             * quadratic. */
            const double apart[2] = {q[0], models[i].contact_coordinate + 0.3 * models[i].gap_sign};
            mechanism->constraints(apart, &g, mechanism->context);
            assert_close(g, 0.3, 1e-14, 0.0);
            mechanism->force(0.0, q, v, f, mechanism->context);
            const double ahead[2] = {q[0] + 0.5 * v[0], q[1] + 0.5 * v[1]};
            const double behind[2] = {q[0] - 0.5 * v[0], q[1] - 0.5 * v[1]};
            const double fall = mechanism->potential_energy(behind, mechanism->context) -
                                mechanism->potential_energy(ahead, mechanism->context);
            assert_close(fall, f[0] * v[0] + f[1] * v[1], ROUNDING, 1e-11);
            carom_model_free(made);
        }
    }
    gsl_rng_free(generator);
}

TEST(unit, the_defaults_are_units) {
    const carom_hopper_params hopper = carom_hopper_params_default();
    const carom_juggler_params juggler = carom_juggler_params_default();
    /* The spring is never pressed to nothing in the motion of the second column. */
    const double phase = stance_phase(ALPHA[0], M_SQRT2);
    double x[2];
    double v[2];
    carom_hopper_stance(&hopper, phase, 0.0, x, v);
    ck_assert(hopper.spring_length + x[0] > 0.0);
    carom_juggler_stance(&juggler, phase, 0.0, x, v);
    ck_assert(juggler.spring_length + x[0] > 0.0);
    carom_two_mode_model model;
    assert_ok(carom_hopper_model(&hopper, &model, NULL));
    assert_close(model.weight, 2.0, 0.0, 0.0);
    assert_ok(carom_juggler_model(&juggler, &model, NULL));
    assert_close(model.stiffness[0][0], 1.0, 0.0, 0.0);
    const carom_reaction_wheel_params reaction = carom_reaction_wheel_params_default();
    assert_ok(carom_reaction_wheel_model(&reaction, &model, NULL));
    assert_close(reaction.wheel_inertia, 2.0, 0.0, 0.0);
}

/** A parameter at an offset, wrong in each way; `check` sees the parameters' bytes. */
typedef carom_status check_bytes(const void *params, carom_report *report);

typedef struct bad_parameter {
    const char *quantity;
    size_t offset;
    double value;
} bad_parameter;

static carom_status make_hopper(const void *params, carom_report *report) {
    carom_two_mode_model model;
    return carom_hopper_model(params, &model, report);
}

static carom_status make_juggler(const void *params, carom_report *report) {
    carom_two_mode_model model;
    return carom_juggler_model(params, &model, report);
}

static carom_status make_reaction_wheel(const void *params, carom_report *report) {
    carom_two_mode_model model;
    return carom_reaction_wheel_model(params, &model, report);
}

static carom_status make_pendulum_wheel(const void *params, carom_report *report) {
    carom_two_mode_model model;
    return carom_pendulum_wheel_model(params, &model, report);
}

static carom_status make_rocker(const void *params, carom_report *report) {
    carom_two_mode_model model;
    return carom_coronal_rocker_model(params, &model, report);
}

/** Each listed value is out of range, and NaN and infinity are not finite. */
static void assert_refused(const void *params, size_t size, check_bytes *make,
                           const bad_parameter *cases, int count) {
    const double wrong[] = {(double)NAN, HUGE_VAL};
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++) {
            double changed[8];
            const double value = k < 2 ? wrong[k] : cases[i].value;
            carom_report report = carom_report_empty();
            memcpy(changed, params, size);
            assert_ok(make(changed, &report));
            memcpy((char *)changed + cases[i].offset, &value, sizeof(value));
            if (k < 2) {
                assert_status(make(changed, &report), NOT_FINITE);
            } else {
                assert_status(make(changed, &report), OUT_OF_RANGE);
                assert_close(report.value, value, 0.0, 0.0);
            }
            ck_assert_str_eq(report.quantity, cases[i].quantity);
        }
    }
}

TEST(errors, parameters_that_are_no_model_are_refused) {
    const carom_hopper_params hopper = carom_hopper_params_default();
    const bad_parameter of_hopper[] = {
        {"upper mass", offsetof(carom_hopper_params, upper_mass), 0.0},
        {"lower mass", offsetof(carom_hopper_params, lower_mass), -1.0},
        {"spring stiffness", offsetof(carom_hopper_params, spring_stiffness), 0.0},
        {"gravity", offsetof(carom_hopper_params, gravity), 0.0},
        {"spring length", offsetof(carom_hopper_params, spring_length), -0.5},
    };
    assert_refused(&hopper, sizeof(hopper), make_hopper, of_hopper, 5);

    const carom_juggler_params juggler = carom_juggler_params_default();
    const bad_parameter of_juggler[] = {
        {"paddle mass", offsetof(carom_juggler_params, paddle_mass), 0.0},
        {"ball mass", offsetof(carom_juggler_params, ball_mass), -1.0},
        {"spring stiffness", offsetof(carom_juggler_params, spring_stiffness), 0.0},
        {"gravity", offsetof(carom_juggler_params, gravity), 0.0},
        {"spring length", offsetof(carom_juggler_params, spring_length), -0.5},
    };
    assert_refused(&juggler, sizeof(juggler), make_juggler, of_juggler, 5);

    const carom_reaction_wheel_params reaction = carom_reaction_wheel_params_default();
    const bad_parameter of_reaction[] = {
        {"reaction inertia", offsetof(carom_reaction_wheel_params, reaction_inertia), 0.0},
        {"wheel inertia", offsetof(carom_reaction_wheel_params, wheel_inertia), -1.0},
        {"spring stiffness", offsetof(carom_reaction_wheel_params, spring_stiffness), 0.0},
        {"mass", offsetof(carom_reaction_wheel_params, mass), 0.0},
        {"gravity", offsetof(carom_reaction_wheel_params, gravity), 0.0},
        {"spoke length", offsetof(carom_reaction_wheel_params, spoke_length), 0.0},
        {"half spoke angle", offsetof(carom_reaction_wheel_params, half_spoke_angle), 0.0},
        {"half spoke angle", offsetof(carom_reaction_wheel_params, half_spoke_angle), M_PI_2},
        {"reaction radius", offsetof(carom_reaction_wheel_params, reaction_radius), 0.0},
    };
    assert_refused(&reaction, sizeof(reaction), make_reaction_wheel, of_reaction, 9);

    const carom_pendulum_wheel_params pendulum = carom_pendulum_wheel_params_default();
    const bad_parameter of_pendulum[] = {
        {"hub mass", offsetof(carom_pendulum_wheel_params, hub_mass), 0.0},
        {"pendulum mass", offsetof(carom_pendulum_wheel_params, pendulum_mass), 0.0},
        {"spoke length", offsetof(carom_pendulum_wheel_params, spoke_length), 0.0},
        {"pendulum length", offsetof(carom_pendulum_wheel_params, pendulum_length), 0.0},
        {"gravity", offsetof(carom_pendulum_wheel_params, gravity), 0.0},
        {"half spoke angle", offsetof(carom_pendulum_wheel_params, half_spoke_angle), M_PI_2},
    };
    assert_refused(&pendulum, sizeof(pendulum), make_pendulum_wheel, of_pendulum, 6);

    const carom_coronal_rocker_params rocker = carom_coronal_rocker_params_default();
    const bad_parameter of_rocker[] = {
        {"foot mass", offsetof(carom_coronal_rocker_params, foot_mass), -0.1},
        {"pendulum mass", offsetof(carom_coronal_rocker_params, pendulum_mass), 0.0},
        {"hip mass", offsetof(carom_coronal_rocker_params, hip_mass), 0.0},
        {"leg length", offsetof(carom_coronal_rocker_params, leg_length), 0.0},
        {"pendulum length", offsetof(carom_coronal_rocker_params, pendulum_length), 0.0},
        {"gravity", offsetof(carom_coronal_rocker_params, gravity), 0.0},
        {"half leg angle", offsetof(carom_coronal_rocker_params, half_leg_angle), 1.6},
    };
    assert_refused(&rocker, sizeof(rocker), make_rocker, of_rocker, 7);
}

TEST(errors, a_wheel_lighter_to_turn_than_its_mass_is_refused) {
    carom_reaction_wheel_params params = carom_reaction_wheel_params_default();
    carom_report report = carom_report_empty();
    carom_two_mode_model model;
    params.spoke_length = 1.5;
    assert_status(carom_reaction_wheel_model(&params, &model, &report), CONFLICT);
    ck_assert_str_eq(report.quantity, "wheel inertia");
    assert_close(report.value, 2.0, 0.0, 0.0);
    /* All mass at the hub is the limit, and allowed. */
    params.wheel_inertia = 2.25;
    assert_ok(carom_reaction_wheel_model(&params, &model, &report));
}

TEST(errors, feet_without_mass_are_allowed) {
    carom_coronal_rocker_params params = carom_coronal_rocker_params_default();
    params.foot_mass = 0.0;
    carom_two_mode_model model;
    assert_ok(carom_coronal_rocker_model(&params, &model, NULL));
    assert_close(model.contact_level, -1.0, 0.0, 0.0);
}

TEST(errors, every_allocation_failure_is_reported) {
    const carom_hopper_params params = carom_hopper_params_default();
    carom_two_mode_model model;
    assert_ok(carom_hopper_model(&params, &model, NULL));
    for (int successes = 0;; successes++) {
        carom_model *made = NULL;
        successes_left = successes;
        const carom_status status = carom_two_mode_model_mechanism(&model, &made);
        successes_left = -1;
        if (status == CAROM_OK) {
            ck_assert_int_ge(successes, 4);
            carom_model_free(made);
            break;
        }
        ck_assert_int_eq(status, CAROM_STATUS_OUT_OF_MEMORY);
        ck_assert_ptr_null(made);
    }
}
