/* carom/models/elastic_bar.h against the numbers of bruls-2014 section 10.3, the balances of energy
 * and momentum, and the central difference scheme, which is exact at Courant number one. */
#include <carom/mechanism/mechanism.h>
#include <carom/models/elastic_bar.h>

#include "../support.h"

#include <limits.h>

/** A bar with every parameter of its own. */
static carom_elastic_bar_params random_bar(gsl_rng *generator, int elements) {
    carom_elastic_bar_params params = carom_elastic_bar_params_default();
    params.young_modulus = uniform(generator, 200.0, 2000.0);
    params.density = uniform(generator, 0.3, 3.0);
    params.length = uniform(generator, 2.0, 20.0);
    params.section = uniform(generator, 0.2, 2.0);
    params.initial_gap = uniform(generator, 0.0, 6.0);
    params.initial_velocity = uniform(generator, 1.0, 12.0);
    params.restitution = uniform(generator, 0.0, 1.0);
    params.elements = elements;
    return params;
}

TEST(unit, the_default_bar_is_that_of_the_paper) {
    const carom_elastic_bar_params params = carom_elastic_bar_params_default();
    assert_close(params.young_modulus, 900.0, 0.0, 0.0);
    assert_close(params.density, 1.0, 0.0, 0.0);
    assert_close(params.length, 10.0, 0.0, 0.0);
    assert_close(params.section, 1.0, 0.0, 0.0);
    assert_close(params.initial_gap, 5.005, 0.0, 0.0);
    assert_close(params.initial_velocity, 10.0, 0.0, 0.0);
    assert_close(params.restitution, 0.0, 0.0, 0.0);
    ck_assert_int_eq(params.elements, 200);
    ck_assert_int_eq(params.mass_matrix, CAROM_ELASTIC_BAR_CONSISTENT);
}

TEST(unit, two_elements_give_the_matrices_written_out_by_hand) {
    carom_elastic_bar_params params = {
        .young_modulus = 700.0,
        .density = 1.2,
        .length = 3.0,
        .section = 0.5,
        .initial_gap = 0.4,
        .initial_velocity = 2.5,
        .restitution = 0.3,
        .elements = 2,
        .mass_matrix = CAROM_ELASTIC_BAR_CONSISTENT,
    };
    /* dx = 1.5 m: rho A dx / 6 = 0.15 kg, E A / dx = 700/3 N/m. */
    const double k = 700.0 / 3.0;
    const double consistent[3][3] = {{0.3, 0.15, 0.0}, {0.15, 0.6, 0.15}, {0.0, 0.15, 0.3}};
    const double lumped[3][3] = {{0.45, 0.0, 0.0}, {0.0, 0.9, 0.0}, {0.0, 0.0, 0.45}};
    const double stiffness[3][3] = {{k, -k, 0.0}, {-k, 2.0 * k, -k}, {0.0, -k, k}};
    for (int kind = 0; kind < 2; kind++) {
        params.mass_matrix = kind == 0 ? CAROM_ELASTIC_BAR_CONSISTENT : CAROM_ELASTIC_BAR_LUMPED;
        carom_model *model = NULL;
        assert_ok(carom_elastic_bar_alloc(&params, &model, NULL));
        const carom_mechanism *mechanism = &model->mechanism;
        const carom_layout layout = mechanism->layout;
        double M[9];
        double K[9];
        mechanism->mass(model->initial_position, M, mechanism->context);
        mechanism->stiffness(0.0, model->initial_position, model->initial_velocity, K,
                             mechanism->context);
        for (int i = 0; i < 3; i++) {
            for (int j = carom_layout_first_column(layout, i);
                 j < carom_layout_end_column(layout, i); j++) {
                const size_t at = carom_layout_index(layout, i, j);
                assert_close(M[at], kind == 0 ? consistent[i][j] : lumped[i][j], 1e-15, 0.0);
                assert_close(K[at], stiffness[i][j], 1e-15, 0.0);
            }
        }
        carom_model_free(model);
    }
}

TEST(unit, the_mechanism_has_one_contact_at_its_first_node) {
    carom_elastic_bar_params params = carom_elastic_bar_params_default();
    params.elements = 3;
    params.initial_gap = 0.7;
    params.initial_velocity = 2.5;
    params.restitution = 0.3;
    carom_model *model = NULL;
    assert_ok(carom_elastic_bar_alloc(&params, &model, NULL));
    const carom_mechanism *mechanism = &model->mechanism;
    ck_assert_int_eq(mechanism->coordinate_count, 4);
    ck_assert_int_eq(mechanism->joint_count, 0);
    ck_assert_int_eq(mechanism->contact_count, 1);
    ck_assert(mechanism->is_linear && mechanism->layout.is_banded);
    ck_assert_int_eq(mechanism->layout.half_bandwidth, 1);
    assert_close(mechanism->restitution[0], 0.3, 0.0, 0.0);
    const double u[4] = {-0.3, 0.2, 0.1, 0.6};
    double g = (double)NAN;
    double G[4] = {(double)NAN, (double)NAN, (double)NAN, (double)NAN};
    mechanism->constraints(u, &g, mechanism->context);
    mechanism->constraint_jacobian(u, G, mechanism->context);
    assert_close(g, 0.4, 1e-15, 0.0);
    for (int i = 0; i < 4; i++) {
        assert_close(G[i], i == 0 ? 1.0 : 0.0, 0.0, 0.0);
        assert_close(model->initial_position[i], 0.0, 0.0, 0.0);
        assert_close(model->initial_velocity[i], -2.5, 0.0, 0.0);
    }
    /* V = (k/2) (0.5^2 + 0.1^2 + 0.5^2), k = 270 N/m. */
    assert_close(mechanism->potential_energy(u, mechanism->context), 135.0 * 0.51, 1e-15, 0.0);
    carom_model_free(model);
}

TEST(unit, the_initial_energy_is_that_of_the_paper_for_both_masses) {
    carom_elastic_bar_params params = carom_elastic_bar_params_default();
    for (int kind = 0; kind < 2; kind++) {
        params.mass_matrix = kind == 0 ? CAROM_ELASTIC_BAR_CONSISTENT : CAROM_ELASTIC_BAR_LUMPED;
        carom_model *model = NULL;
        assert_ok(carom_elastic_bar_alloc(&params, &model, NULL));
        double work[3 * 201 + 201];
        assert_close(carom_mechanism_kinetic_energy(&model->mechanism, model->initial_position,
                                                    model->initial_velocity, work),
                     500.0, 1e-13, 0.0);
        carom_model_free(model);
    }
}

TEST(unit, the_exact_solution_has_the_numbers_of_the_paper) {
    const carom_elastic_bar_params params = carom_elastic_bar_params_default();
    const double impact = carom_elastic_bar_exact_impact_time(&params);
    const double duration = carom_elastic_bar_exact_contact_duration(&params);
    const double force = carom_elastic_bar_exact_contact_force(&params);
    assert_close(impact, 0.5005, 1e-15, 0.0);
    assert_close(duration, 2.0 / 3.0, 1e-15, 0.0);
    assert_close(impact + duration, 1.1671667, 0.0, 5e-8);
    assert_close(force, 300.0, 1e-15, 0.0);
    assert_close(force * duration, 200.0, 1e-15, 0.0);

    /* The gap at 2 s, and the strain -v_0/c of what the front has passed. */
    double u;
    double v;
    carom_elastic_bar_exact_state(&params, 0.0, 2.0, &u, &v);
    assert_close(5.005 + u, 8.3283333, 0.0, 5e-8);
    assert_close(v, 10.0, 0.0, 0.0);
    double at_2;
    double at_1;
    carom_elastic_bar_exact_state(&params, 2.0, impact + 0.2, &at_2, &v);
    carom_elastic_bar_exact_state(&params, 1.0, impact + 0.2, &at_1, &v);
    assert_close(at_2 - at_1, -1.0 / 3.0, 1e-14, 0.0);
    assert_close(v, 0.0, 0.0, 0.0);
}

TEST(unit, the_exact_solution_goes_through_its_phases) {
    const carom_elastic_bar_params params = carom_elastic_bar_params_default();
    /* c = 30 m/s: the front is at x = 6 m at impact + 0.2 s, and back there 0.2667 s later. */
    const struct {
        double x;
        double tau;
        double displacement;
        double velocity;
    } cases[] = {
        {4.0, -0.1005, -4.0, -10.0},                 /* before */
        {3.0, 0.2, -5.005 - 1.0, 0.0},               /* compressed */
        {9.0, 0.2, -5.005 - 2.0, -10.0},             /* not reached yet */
        {3.0, 0.4, -5.005 - 1.0, 0.0},               /* not yet released */
        {9.0, 0.4, -5.005 + 4.0 - 20.0 / 3.0, 10.0}, /* released */
        {0.0, 1.0 / 3.0, -5.005, 0.0},               /* at the wall */
        {9.0, 2.0 / 3.0 + 0.3, -5.005 + 3.0, 10.0},  /* taken off */
        {0.0, 2.0 / 3.0 + 0.3, -5.005 + 3.0, 10.0},  /* taken off */
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        double u;
        double v;
        carom_elastic_bar_exact_state(&params, cases[i].x, 0.5005 + cases[i].tau, &u, &v);
        assert_close(u, cases[i].displacement, 1e-14, 0.0);
        assert_close(v, cases[i].velocity, 0.0, 0.0);
    }
}

TEST(unit, a_bar_that_does_not_approach_never_hits) {
    carom_elastic_bar_params params = carom_elastic_bar_params_default();
    const double velocities[] = {0.0, -3.0};
    for (int i = 0; i < 2; i++) {
        params.initial_velocity = velocities[i];
        ck_assert(isinf(carom_elastic_bar_exact_impact_time(&params)));
        assert_close(carom_elastic_bar_exact_contact_force(&params), 0.0, 0.0, 0.0);
        double u;
        double v;
        carom_elastic_bar_exact_state(&params, 4.0, 2.5, &u, &v);
        assert_close(u, -2.5 * velocities[i], 0.0, 0.0);
        assert_close(v, -velocities[i], 0.0, 0.0);
    }
}

TEST(unit, a_bar_of_one_element_works) {
    carom_elastic_bar_params params = carom_elastic_bar_params_default();
    params.elements = 1;
    carom_model *model = NULL;
    assert_ok(carom_elastic_bar_alloc(&params, &model, NULL));
    const double u[2] = {0.3, -0.4};
    const double v[2] = {1.0, 2.0};
    double f[2];
    model->mechanism.force(0.0, u, v, f, model->mechanism.context);
    assert_close(f[0], -63.0, 1e-15, 0.0);
    assert_close(f[1], 63.0, 1e-15, 0.0);
    assert_ok(carom_mechanism_validate(&model->mechanism, 0.0, u, v, NULL));
    assert_ok(carom_mechanism_check(&model->mechanism, 0.0, u, v, 1e-8, 1, NULL));
    carom_model_free(model);
}

TEST(unit, a_bar_of_a_million_elements_keeps_its_mass) {
    carom_elastic_bar_params params = carom_elastic_bar_params_default();
    params.elements = 1000000;
    carom_model *model = NULL;
    assert_ok(carom_elastic_bar_alloc(&params, &model, NULL));
    const int n = 1000001;
    double *work = malloc((size_t)n * 4 * sizeof(double));
    ck_assert_ptr_nonnull(work);
    assert_close(carom_mechanism_kinetic_energy(&model->mechanism, model->initial_position,
                                                model->initial_velocity, work),
                 500.0, 1e-9, 0.0);
    free(work);
    carom_model_free(model);
}

/** Energy and momentum of the exact solution by the midpoint rule on `cells` cells. */
static void integrate(const carom_elastic_bar_params *params, double t, int cells, double *energy,
                      double *momentum) {
    const double dx = params->length / cells;
    *energy = 0.0;
    *momentum = 0.0;
    for (int i = 0; i < cells; i++) {
        double left;
        double right;
        double u;
        double v;
        carom_elastic_bar_exact_state(params, i * dx, t, &left, &v);
        carom_elastic_bar_exact_state(params, (i + 1) * dx, t, &right, &v);
        carom_elastic_bar_exact_state(params, (i + 0.5) * dx, t, &u, &v);
        const double strain = (right - left) / dx;
        *energy += 0.5 * params->section * dx *
                   (params->density * v * v + params->young_modulus * strain * strain);
        *momentum += params->density * params->section * dx * v;
    }
}

TEST(property, the_exact_solution_keeps_its_energy_and_gains_the_momentum_of_the_force) {
    gsl_rng *generator = seeded_generator(23);
    for (int sample = 0; sample < 20; sample++) {
        const carom_elastic_bar_params params = random_bar(generator, 10);
        const double mass = params.density * params.section * params.length;
        const double v_0 = params.initial_velocity;
        const double impact = carom_elastic_bar_exact_impact_time(&params);
        const double duration = carom_elastic_bar_exact_contact_duration(&params);
        const double force = carom_elastic_bar_exact_contact_force(&params);
        for (int k = 0; k < 12; k++) {
            const double tau = duration * (k - 1.37) / 8.0;
            const double in_contact = fmin(fmax(tau, 0.0), duration);
            if (impact + tau < 0.0) {
                continue;
            }
            double energy;
            double momentum;
            integrate(&params, impact + tau, 5000, &energy, &momentum);
            /* The cell that holds the front is wrong by its own share, 1/5000. */
            assert_close(energy, 0.5 * mass * v_0 * v_0, 4e-4, 0.0);
            assert_close(momentum, -mass * v_0 + force * in_contact, 0.0, 4e-4 * mass * v_0);
        }
    }
    gsl_rng_free(generator);
}

TEST(property, the_wall_is_never_passed) {
    const carom_elastic_bar_params params = carom_elastic_bar_params_default();
    for (int i = 0; i <= 2000; i++) {
        double u;
        double v;
        carom_elastic_bar_exact_state(&params, 0.0, 1e-3 * i, &u, &v);
        ck_assert(5.005 + u >= -1e-14);
    }
}

TEST(property, central_differences_at_courant_number_one_give_the_exact_solution) {
    enum { ELEMENTS = 40, STEPS = 2 * ELEMENTS };
    gsl_rng *generator = seeded_generator(41);
    carom_elastic_bar_params params = random_bar(generator, ELEMENTS);
    gsl_rng_free(generator);
    params.initial_gap = 0.0;
    params.mass_matrix = CAROM_ELASTIC_BAR_LUMPED;
    carom_model *model = NULL;
    assert_ok(carom_elastic_bar_alloc(&params, &model, NULL));
    const carom_mechanism *mechanism = &model->mechanism;
    const double c = sqrt(params.young_modulus / params.density);
    const double h = params.length / ELEMENTS / c;
    const double expected_force = carom_elastic_bar_exact_contact_force(&params);

    /* From the impact on, node 0 held; the start is u(h) = -v_0 h. */
    double M[3 * (ELEMENTS + 1)];
    double before[ELEMENTS + 1] = {0.0};
    double now[ELEMENTS + 1] = {0.0};
    double f[ELEMENTS + 1];
    mechanism->mass(now, M, mechanism->context);
    for (int i = 1; i <= ELEMENTS; i++) {
        now[i] = h * model->initial_velocity[i];
    }
    for (int step = 1; step < STEPS; step++) {
        for (int i = 0; i <= ELEMENTS; i++) {
            double u;
            double v;
            carom_elastic_bar_exact_state(&params, i * params.length / ELEMENTS, step * h, &u, &v);
            assert_close(now[i], u, 1e-11, 1e-11);
        }
        mechanism->force(step * h, now, now, f, mechanism->context);
        /* The wall balances what the first element presses. */
        assert_close(-f[0], expected_force, 1e-10, 0.0);
        for (int i = 1; i <= ELEMENTS; i++) {
            const double next = 2.0 * now[i] - before[i] + h * h * f[i] / M[3 * i + 1];
            before[i] = now[i];
            now[i] = next;
        }
    }
    carom_model_free(model);
}

TEST(property, the_mechanism_passes_the_check_and_keeps_its_energy_balance) {
    enum { LARGEST = 30 };
    for (int elements = 1; elements <= LARGEST; elements++) {
        gsl_rng *generator = seeded_generator((unsigned long)elements);
        carom_elastic_bar_params params = random_bar(generator, elements);
        params.mass_matrix =
            elements % 2 == 0 ? CAROM_ELASTIC_BAR_CONSISTENT : CAROM_ELASTIC_BAR_LUMPED;
        double u[LARGEST + 1];
        double v[LARGEST + 1];
        for (int i = 0; i <= elements; i++) {
            u[i] = uniform(generator, -1.0, 1.0);
            v[i] = uniform(generator, -9.0, 9.0);
        }
        gsl_rng_free(generator);
        carom_model *model = NULL;
        assert_ok(carom_elastic_bar_alloc(&params, &model, NULL));
        const carom_mechanism *mechanism = &model->mechanism;
        assert_ok(carom_mechanism_validate(mechanism, 0.0, u, v, NULL));
        assert_ok(carom_mechanism_check(mechanism, 0.3, u, v, 1e-8, 5, NULL));

        /* f = -dV/du = -K u: V is quadratic, so its central difference is exact. */
        double f[LARGEST + 1];
        double K[3 * (LARGEST + 1)];
        mechanism->force(0.0, u, v, f, mechanism->context);
        mechanism->stiffness(0.0, u, v, K, mechanism->context);
        double resistance[LARGEST + 1] = {0.0};
        carom_layout_multiply_add(mechanism->layout, 1.0, K, u, resistance);
        const double stiffness = params.young_modulus * params.section * elements / params.length;
        for (int i = 0; i <= elements; i++) {
            u[i] += 0.5;
            const double above = mechanism->potential_energy(u, mechanism->context);
            u[i] -= 1.0;
            const double below = mechanism->potential_energy(u, mechanism->context);
            u[i] += 0.5;
            assert_close(below - above, f[i], 0.0, 1e-12 * stiffness);
            assert_close(-resistance[i], f[i], 0.0, 1e-14 * stiffness);
        }
        carom_model_free(model);
    }
}

/** Refused with this code and quantity. */
static void assert_refused(carom_elastic_bar_params params, carom_status code,
                           const char *quantity) {
    carom_model *model = NULL;
    carom_report report = carom_report_empty();
    ck_assert_int_eq(carom_elastic_bar_alloc(&params, &model, &report), code);
    ck_assert_ptr_null(model);
    ck_assert_str_eq(report.quantity, quantity);
}

/** The default bar with one of its numbers replaced. */
static carom_elastic_bar_params replaced(int which, double value) {
    carom_elastic_bar_params params = carom_elastic_bar_params_default();
    double *const members[] = {
        &params.young_modulus, &params.density,          &params.length,      &params.section,
        &params.initial_gap,   &params.initial_velocity, &params.restitution,
    };
    *members[which] = value;
    return params;
}

static const char *const MEMBERS[] = {"young modulus", "density",          "length",     "section",
                                      "initial gap",   "initial velocity", "restitution"};

TEST(errors, parameters_that_are_no_bar_are_refused) {
    for (int i = 0; i < 4; i++) {
        assert_refused(replaced(i, 0.0), CAROM_STATUS_OUT_OF_RANGE, MEMBERS[i]);
        assert_refused(replaced(i, -1.0), CAROM_STATUS_OUT_OF_RANGE, MEMBERS[i]);
    }
    assert_refused(replaced(6, -0.1), CAROM_STATUS_OUT_OF_RANGE, "restitution");
    assert_refused(replaced(6, 1.1), CAROM_STATUS_OUT_OF_RANGE, "restitution");
    carom_elastic_bar_params params = carom_elastic_bar_params_default();
    params.elements = 0;
    assert_refused(params, CAROM_STATUS_OUT_OF_RANGE, "elements");
    params.elements = INT_MAX;
    assert_refused(params, CAROM_STATUS_OUT_OF_RANGE, "elements");
    params = carom_elastic_bar_params_default();
    params.mass_matrix = (carom_elastic_bar_mass)2;
    assert_refused(params, CAROM_STATUS_OUT_OF_RANGE, "mass matrix");
}

TEST(errors, parameters_that_are_not_finite_are_refused) {
    for (int i = 0; i < 7; i++) {
        assert_refused(replaced(i, (double)NAN), CAROM_STATUS_NOT_FINITE, MEMBERS[i]);
        assert_refused(replaced(i, (double)INFINITY), CAROM_STATUS_NOT_FINITE, MEMBERS[i]);
    }
}

TEST(errors, a_bar_inside_the_wall_is_refused_with_its_gap) {
    const carom_elastic_bar_params params = replaced(4, -0.25);
    assert_refused(params, CAROM_STATUS_PENETRATION, "initial gap");
    carom_model *model = NULL;
    carom_report report;
    assert_status(carom_elastic_bar_alloc(&params, &model, &report), PENETRATION);
    assert_close(report.value, -0.25, 0.0, 0.0);
    ck_assert_int_eq(report.index, 0);
}
