/* What the section on the elastic bar derives beyond the paper: for which Courant numbers the
 * modified step, and that of the velocity-level scheme, can close the contact. */
#include <carom/models/elastic_bar.h>
#include <carom/timestepping/galpha/galpha.h>

#include "../support.h"

/** How a scheme takes the first step in which the contact is to close. */
static carom_status close_contact(const carom_elastic_bar_params *bar, carom_scheme scheme,
                                  double step, double spectral_radius, double *failure_time) {
    carom_stepper_params params = carom_stepper_params_default(scheme);
    params.step = step;
    params.spectral_radius = spectral_radius;
    carom_model *model = NULL;
    carom_trajectory *run = NULL;
    assert_ok(carom_elastic_bar_alloc(bar, &model, NULL));
    /* The last row is the first beyond the impact. */
    const double impact = carom_elastic_bar_exact_impact_time(bar);
    assert_ok(carom_trajectory_run_to_failure(&model->mechanism, &params, model->initial_position,
                                              model->initial_velocity, ceil(impact / step) * step,
                                              NULL, NULL, &run, NULL));
    const carom_status outcome = run->outcome;
    *failure_time = run->failure_time;
    if (outcome == CAROM_OK) {
        ck_assert(run->contact_impulse[run->row_count - 1] > 0.0);
    }
    carom_trajectory_free(run);
    carom_model_free(model);
    return outcome;
}

/** A bar that meets the wall between two of its steps; its far end is of no influence. */
static carom_elastic_bar_params stiff_bar(carom_elastic_bar_mass mass, double step) {
    carom_elastic_bar_params bar = carom_elastic_bar_params_default();
    bar.elements = 120;
    bar.mass_matrix = mass;
    bar.initial_gap = 3.4 * step * bar.initial_velocity;
    return bar;
}

/**
 * D_p / D_v - (1 - b) at the end of a long bar: the modified step has a solution where it is
 * positive. D_p / D_v = (1 + kappa (b / c_M) C^2)^(-1/2), kappa = 12 (consistent) or 4 (lumped).
 */
static double margin(carom_elastic_bar_mass mass, double courant, double rho) {
    const double alpha_m = (2.0 * rho - 1.0) / (rho + 1.0);
    const double alpha_f = rho / (rho + 1.0);
    const double gamma = 0.5 + alpha_f - alpha_m;
    const double beta = 0.25 * (gamma + 0.5) * (gamma + 0.5);
    const double b = beta / gamma;
    const double c_M = (1.0 - alpha_m) / ((1.0 - alpha_f) * gamma);
    const double kappa = mass == CAROM_ELASTIC_BAR_CONSISTENT ? 12.0 : 4.0;
    return 1.0 / sqrt(1.0 + kappa * b / c_M * courant * courant) - (1.0 - b);
}

TEST(unit, the_modified_step_of_the_paper_has_no_solution_with_consistent_mass_only) {
    const double step = 2e-3;
    double failure_time = 0.0;
    carom_elastic_bar_params bar = carom_elastic_bar_params_default();
    assert_status(close_contact(&bar, CAROM_SCHEME_MODIFIED_LCP, step, 0.8, &failure_time), RAY);
    assert_close(failure_time, 0.502, 1e-12, 0.0);
    bar.mass_matrix = CAROM_ELASTIC_BAR_LUMPED;
    assert_ok(close_contact(&bar, CAROM_SCHEME_MODIFIED_LCP, step, 0.8, &failure_time));
}

TEST(property, the_modified_step_exists_where_its_compliance_is_positive) {
    gsl_rng *generator = seeded_generator(20140725);
    int solved = 0;
    int failed = 0;
    for (int sample = 0; sample < 200; sample++) {
        const carom_elastic_bar_mass mass =
            sample % 2 == 0 ? CAROM_ELASTIC_BAR_CONSISTENT : CAROM_ELASTIC_BAR_LUMPED;
        const double rho = uniform(generator, 0.0, 1.0);
        const double courant = uniform(generator, 0.3, 3.5);
        const double expected = margin(mass, courant, rho);
        /* Leave out what roundoff decides. */
        if (fabs(expected) < 1e-6) {
            continue;
        }
        carom_elastic_bar_params bar = stiff_bar(mass, 1e-3);
        const double speed = courant * bar.length / bar.elements / 1e-3;
        bar.young_modulus = bar.density * speed * speed;
        double failure_time = 0.0;
        const carom_status outcome =
            close_contact(&bar, CAROM_SCHEME_MODIFIED_LCP, 1e-3, rho, &failure_time);
        ck_assert_msg((outcome == CAROM_OK) == (expected > 0.0), "C = %.17g, rho = %.17g: %s",
                      courant, rho, carom_status_name(outcome));
        solved += outcome == CAROM_OK ? 1 : 0;
        failed += outcome == CAROM_OK ? 0 : 1;
    }
    ck_assert_int_gt(solved, 20);
    ck_assert_int_gt(failed, 20);
    gsl_rng_free(generator);
}

TEST(property, nonsmooth_and_velocity_level_steps_exist_for_every_courant_number) {
    gsl_rng *generator = seeded_generator(20140725);
    for (int sample = 0; sample < 100; sample++) {
        const carom_elastic_bar_mass mass =
            sample % 2 == 0 ? CAROM_ELASTIC_BAR_CONSISTENT : CAROM_ELASTIC_BAR_LUMPED;
        carom_elastic_bar_params bar = stiff_bar(mass, 1e-3);
        const double speed = uniform(generator, 0.1, 30.0) * bar.length / bar.elements / 1e-3;
        bar.young_modulus = bar.density * speed * speed;
        const double rho = uniform(generator, 0.0, 1.0);
        double failure_time = 0.0;
        assert_ok(close_contact(&bar, CAROM_SCHEME_NONSMOOTH_GALPHA, 1e-3, rho, &failure_time));
        assert_ok(close_contact(&bar, CAROM_SCHEME_VELOCITY_GALPHA, 1e-3, rho, &failure_time));
    }
    gsl_rng_free(generator);
}
