/* carom/collisionless: impact times of two degrees of freedom in closed form (pankov-2024 section
 * 4 and appendix C). */
#include <carom/base/random.h>

#include <carom/collisionless/motion/internal.h>
#include <carom/collisionless/motion/two_modes.h>
#include <carom/models/two_mode_models.h>

#include "../../failing_malloc.h"
#include "../../support.h"

#include <float.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_roots.h>

/* GSL's own allocation ends here, and its iteration fails on request. */
gsl_root_fsolver *__real_gsl_root_fsolver_alloc(const gsl_root_fsolver_type *type);
gsl_root_fsolver *__wrap_gsl_root_fsolver_alloc(const gsl_root_fsolver_type *type);
int __real_gsl_root_fsolver_iterate(gsl_root_fsolver *solver);
int __wrap_gsl_root_fsolver_iterate(gsl_root_fsolver *solver);

static bool iteration_fails = false;

gsl_root_fsolver *__wrap_gsl_root_fsolver_alloc(const gsl_root_fsolver_type *type) {
    return may_allocate() ? __real_gsl_root_fsolver_alloc(type) : NULL;
}

int __wrap_gsl_root_fsolver_iterate(gsl_root_fsolver *solver) {
    return iteration_fails ? GSL_EBADFUNC : __real_gsl_root_fsolver_iterate(solver);
}

static const unsigned long SEED = 20240216;
enum { SAMPLES = 200 };

/** Half a unit of the last digit of numbers given to ten decimals. */
static const double TEN_DECIMALS = 0.51e-10;

/** Rounding of closed forms of a few functions, at values near one. */
static const double ROUNDING = 1e-13;

/** A random number in [low, high) of sample i. */
static double draw(int sample, int dimension, double low, double high) {
    return low + (high - low) *
                     carom_counter_uniform(SEED, (unsigned long)sample, (unsigned long)dimension);
}

static double root_of(carom_two_modes_root_kind kind, int n, double rho) {
    double root;
    assert_ok(carom_two_modes_root(kind, n, rho, &root));
    return root;
}

TEST(unit, alpha_has_the_tabulated_roots) {
    const double alpha[] = {4.493409457909,  7.725251836938,  10.904121659429,
                            14.066193912831, 17.220755271931, 20.371302959288};
    for (int i = 0; i < 6; i++) {
        assert_close(root_of(CAROM_TWO_MODES_ALPHA, i + 2, 0.0), alpha[i], 0.0, 0.51e-12);
    }
}

TEST(unit, beta_and_gamma_have_the_tabulated_roots) {
    const struct {
        double rho;
        double beta[3];
        double gamma[3];
    } rows[] = {
        {0.3,
         {2.9327805741776, 6.0063776836317, 9.1356051407026},
         {4.3786134244587, 7.5565604345658, 10.703221500562}},
        {1.0,
         {2.3650203724314, 5.4978039190008, 8.6393798286997},
         {3.9266023120479, 7.0685827456287, 10.210176122813}},
        {2.5,
         {1.9513426398099, 5.0928953575031, 8.2344880110868},
         {3.5220990151965, 6.6636916842919, 9.8052843378817}},
    };
    for (int i = 0; i < 3; i++) {
        for (int n = 1; n <= 3; n++) {
            /* gamma_4 has twelve decimals. */
            const double last = n == 3 ? 0.51e-12 : 0.51e-13;
            assert_close(root_of(CAROM_TWO_MODES_BETA, n, rows[i].rho), rows[i].beta[n - 1], 0.0,
                         0.6e-13);
            assert_close(root_of(CAROM_TWO_MODES_GAMMA, n + 1, rows[i].rho), rows[i].gamma[n - 1],
                         0.0, last + 1e-14);
        }
    }
}

/** (22) free of poles, in extended precision: sin y - a tanh(b y) cos y. */
static long double pole_free(carom_two_modes_root_kind kind, double rho, long double y) {
    const long double r = (long double)rho;
    const long double tangent = kind == CAROM_TWO_MODES_ALPHA  ? y
                                : kind == CAROM_TWO_MODES_BETA ? -r * tanhl(r * y)
                                                               : tanhl(r * y) / r;
    return sinl(y) - tangent * cosl(y);
}

TEST(property, every_root_changes_the_sign_of_its_equation_within_two_roundings) {
    const carom_two_modes_root_kind kinds[] = {CAROM_TWO_MODES_ALPHA, CAROM_TWO_MODES_BETA,
                                               CAROM_TWO_MODES_GAMMA};
    for (int sample = 0; sample < SAMPLES; sample++) {
        const double rho = exp(draw(sample, 0, -9.0, 9.0));
        for (int k = 0; k < 3; k++) {
            for (int n = 2; n <= 1000; n = 3 * n - 4 + (n == 2)) {
                const double y = root_of(kinds[k], n, rho);
                const long double step = 2.0L * (long double)DBL_EPSILON * (long double)y;
                const long double below = pole_free(kinds[k], rho, (long double)y - step);
                const long double above = pole_free(kinds[k], rho, (long double)y + step);
                ck_assert_msg(below * above < 0.0L, "kind %d, n = %d, rho = %.17g", k, n, rho);
                /* In the half turn where (22) has its root. */
                const double turns = y / M_PI - (n - 1);
                const bool is_beta = kinds[k] == CAROM_TWO_MODES_BETA;
                ck_assert(turns > (is_beta ? 0.5 : 0.0) - 1e-12);
                ck_assert(turns < (is_beta ? 1.0 : 0.5) + 1e-12);
            }
        }
    }
}

TEST(unit, roots_survive_extreme_arguments) {
    /* gamma -> alpha as rho -> 0, both by rho^2 or less. */
    const double alpha = root_of(CAROM_TWO_MODES_ALPHA, 3, 0.0);
    assert_close(root_of(CAROM_TWO_MODES_GAMMA, 3, 1e-9), alpha, 1e-15, 0.0);
    assert_close(root_of(CAROM_TWO_MODES_GAMMA, 3, DBL_MIN), alpha, 1e-15, 0.0);
    assert_close(root_of(CAROM_TWO_MODES_GAMMA, 3, 0x1p-1070), alpha, 1e-15, 0.0);
    /* beta -> n pi for rho -> 0 and (n - 1/2) pi for rho -> infinity; gamma -> (n - 1) pi. */
    assert_close(root_of(CAROM_TWO_MODES_BETA, 1, 1e-200), M_PI, 1e-15, 0.0);
    assert_close(root_of(CAROM_TWO_MODES_BETA, 2, 1e200), 1.5 * M_PI, 1e-15, 0.0);
    assert_close(root_of(CAROM_TWO_MODES_GAMMA, 2, DBL_MAX), M_PI, 1e-15, 0.0);
    /* Multiples of pi keep their digits: n pi - 1/(n pi) with n pi from extended precision. */
    const int n = 2000000000;
    const long double half_turns = (long double)n - 0.5L;
    assert_close(root_of(CAROM_TWO_MODES_ALPHA, n, 0.0),
                 (double)(half_turns * 3.14159265358979323846264338327950288L), DBL_EPSILON, 0.0);
}

TEST(property, alpha_is_the_limit_of_gamma_approached_in_proportion_to_rho_squared) {
    /* tan y = y - rho^2 y^3/3 + .. moves alpha_n by -rho^2 alpha_n/3, up to (rho alpha_n)^2 of it.
     */
    for (int n = 2; n <= 8; n++) {
        const double alpha = root_of(CAROM_TWO_MODES_ALPHA, n, 0.0);
        const double rho = 1e-3;
        const double shift = alpha - root_of(CAROM_TWO_MODES_GAMMA, n, rho);
        assert_close(shift / (rho * rho * alpha / 3.0), 1.0, 0.0, gsl_pow_2(rho * alpha));
    }
}

/** A closed form: its function, parities and bounds of its spectra. */
typedef carom_status closed_form(const double *lambda, double lambda_constrained, int n, int row,
                                 carom_two_modes_impact *impact, carom_report *report);

typedef struct gait {
    closed_form *solve;
    carom_two_modes_root_kind kind;
    bool is_odd;
    bool is_constrained_odd;
} gait;

static const gait GAITS[] = {
    {carom_two_modes_hop, CAROM_TWO_MODES_ALPHA, false, false},
    {carom_two_modes_wheel, CAROM_TWO_MODES_BETA, true, true},
    {carom_two_modes_rock, CAROM_TWO_MODES_GAMMA, false, true},
};

/** A random spectrum of a gait: lambda_1, lambda_2, lambda'_1. */
static void random_spectrum(int sample, int gait_index, double *lambda, double *constrained) {
    lambda[0] = gait_index == 0 ? 0.0 : -exp(draw(sample, 1, -4.0, 3.0));
    lambda[1] = exp(draw(sample, 2, -3.0, 4.0));
    *constrained = lambda[1] * draw(sample, 3, 1e-3, 0.999);
}

static int first_column(int gait_index) {
    return gait_index == 1 ? 1 : 2;
}

TEST(property, the_closed_forms_solve_the_impact_equations_in_every_column_and_row) {
    for (int sample = 0; sample < SAMPLES; sample++) {
        for (int k = 0; k < 3; k++) {
            double lambda[2];
            double constrained;
            random_spectrum(sample, k, lambda, &constrained);
            const bool is_odd[2] = {GAITS[k].is_odd, GAITS[k].is_odd};
            for (int n = first_column(k); n <= 6; n++) {
                for (int row = 0; row < 3; row++) {
                    carom_two_modes_impact impact;
                    assert_ok(GAITS[k].solve(lambda, constrained, n, row, &impact, NULL));
                    double residual[2];
                    carom_two_modes_residual(lambda, constrained, is_odd,
                                             GAITS[k].is_constrained_odd, impact.time,
                                             impact.constrained_time, residual);
                    /* A rounding of the phases, at most 20, turns the vectors by itself. */
                    assert_close(residual[0], 0.0, 0.0, ROUNDING);
                    assert_close(residual[1], 0.0, 0.0, ROUNDING);
                    assert_close(impact.fast_phase, sqrt(lambda[1]) * impact.time, 1e-15, 0.0);
                    assert_close(impact.slow_phase, sqrt(-lambda[0]) * impact.time, 1e-15, 0.0);
                    assert_close(impact.constrained_phase,
                                 sqrt(constrained) * impact.constrained_time, 1e-15, 0.0);
                    assert_close(impact.fast_phase,
                                 root_of(GAITS[k].kind, n, sqrt(-lambda[0] / lambda[1])), 1e-14,
                                 0.0);
                    /* w'_1 > 0 in every row: o'_1 in the half turn of its parity. */
                    const double turns = impact.constrained_phase / M_PI - row;
                    ck_assert(turns > (k == 0 ? 0.5 : 0.0) && turns < (k == 0 ? 1.0 : 0.5));
                }
            }
        }
    }
}

TEST(property, the_phases_solve_the_equations_as_printed) {
    for (int sample = 0; sample < SAMPLES; sample++) {
        for (int k = 0; k < 3; k++) {
            double lambda[2];
            double constrained;
            random_spectrum(sample, k, lambda, &constrained);
            /* Tangents that are not near their poles. */
            carom_two_modes_impact impact;
            assert_ok(GAITS[k].solve(lambda, constrained, 3, 0, &impact, NULL));
            const double o_1 = impact.slow_phase;
            const double o_2 = impact.fast_phase;
            const double o = impact.constrained_phase;
            const double mu = impact.time / impact.constrained_time;
            if (k == 0) { /* (23) */
                assert_close(o_2 / tan(o_2), 1.0, 1e-11, 0.0);
                assert_close(mu * o / tan(o), -1.0, 1e-11, 0.0);
            } else if (k == 1) { /* (25) */
                assert_close(o_2 * tan(o_2), -o_1 * tanh(o_1), 1e-11, 1e-13);
                assert_close(mu * o * tan(o), o_1 * tanh(o_1), 1e-11, 0.0);
            } else { /* (27) */
                assert_close(o_2 / tan(o_2), o_1 / tanh(o_1), 1e-11, 0.0);
                assert_close(mu * o * tan(o), o_1 / tanh(o_1), 1e-11, 0.0);
            }
            /* (24), (26), (28) as printed. */
            const double ratio = sqrt(lambda[1] / constrained);
            const double printed = k == 0   ? M_PI - atan(o_2 / ratio)
                                   : k == 1 ? -atan(ratio * tan(o_2))
                                            : atan(ratio / tan(o_2));
            assert_close(o, printed, 1e-11, 1e-13);
        }
    }
}

/** w of (30), -acceleration/velocity of a mode at its time, with (19) where lambda < 0. */
static double printed_rate(double lambda, bool is_odd, double t) {
    const double w = sqrt(fabs(lambda));
    const double tangent = lambda < 0.0 ? -tanh(w * t) : tan(w * t);
    if (lambda < 0.0) {
        return is_odd ? tangent * w : w / tangent;
    }
    return is_odd ? tangent * w : -w / tangent;
}

TEST(property, the_residual_is_the_angle_between_the_rates_of_18) {
    for (int sample = 0; sample < SAMPLES; sample++) {
        const double lambda[2] = {draw(sample, 1, -3.0, 1.0), draw(sample, 2, -1.0, 4.0)};
        const double constrained = draw(sample, 3, -3.0, 4.0);
        const double time = draw(sample, 4, 0.1, 5.0);
        const double constrained_time = draw(sample, 5, 0.1, 5.0);
        const double scale = sqrt(fmax(fabs(constrained), fmax(fabs(lambda[0]), fabs(lambda[1]))));
        for (int parities = 0; parities < 8; parities++) {
            const bool is_odd[2] = {parities % 2 == 1, parities / 2 % 2 == 1};
            const bool is_constrained_odd = parities / 4 == 1;
            double residual[2];
            carom_two_modes_residual(lambda, constrained, is_odd, is_constrained_odd, time,
                                     constrained_time, residual);
            const double v = printed_rate(constrained, is_constrained_odd, constrained_time);
            for (int i = 0; i < 2; i++) {
                const double w = printed_rate(lambda[i], is_odd[i], time);
                const double sine = (w + v) / scale / hypot(1.0, w / scale) / hypot(1.0, v / scale);
                assert_close(fabs(residual[i]), fabs(sine), 1e-12, 1e-13);
            }
        }
    }
}

TEST(unit, the_residual_is_continuous_through_zero_and_finite_far_out) {
    const bool parities[2] = {false, true};
    for (int i = 0; i < 2; i++) {
        const bool is_odd[2] = {parities[i], parities[i]};
        double at_zero[2];
        double near[2];
        const double lambda[2] = {0.0, 1.7};
        carom_two_modes_residual(lambda, 0.9, is_odd, parities[i], 1.3, 0.7, at_zero);
        for (int side = -1; side <= 1; side += 2) {
            /* Up to and beyond the change to the series, at |lambda| t^2 = 1e-8. */
            for (int power = 5; power <= 12; power++) {
                const double tiny[2] = {side * gsl_pow_int(0.1, power), 1.7};
                carom_two_modes_residual(tiny, 0.9, is_odd, parities[i], 1.3, 0.7, near);
                assert_close(near[0], at_zero[0], 0.0, 5.0 * fabs(tiny[0]) + 1e-15);
                const double rate = printed_rate(tiny[0], parities[i], 1.3) / sqrt(1.7);
                const double other = printed_rate(0.9, parities[i], 0.7) / sqrt(1.7);
                assert_close(fabs(near[0]),
                             fabs(rate + other) / hypot(1.0, rate) / hypot(1.0, other), 0.0, 1e-15);
                assert_close(near[1], at_zero[1], 0.0, 1e-15);
            }
        }
        /* Of a free mode: even, it falls, w = -1/tau; odd, it drifts, w = 0. */
        const double v = printed_rate(0.9, parities[i], 0.7) / sqrt(1.7);
        const double w = parities[i] ? 0.0 : -1.0 / (1.3 * sqrt(1.7));
        assert_close(fabs(at_zero[0]), fabs(w + v) / hypot(1.0, w) / hypot(1.0, v), 1e-14, 0.0);

        /* cosh(1e4) overflows; its ratio does not. */
        const double steep[2] = {-1e8, 1.7};
        double far[2];
        carom_two_modes_residual(steep, -0.9e7, is_odd, parities[i], 1.0, 1.0, far);
        ck_assert(isfinite(far[0]) && isfinite(far[1]));
        const double rates[] = {-1.0, -sqrt(0.09)};
        assert_close(fabs(far[0]),
                     fabs(rates[0] + rates[1]) / hypot(1.0, rates[0]) / hypot(1.0, rates[1]), 1e-13,
                     0.0);
    }
}

TEST(property, a_constrained_mode_that_does_not_oscillate_has_no_solution) {
    /* (51): both rates are negative, so that their sum, and the residual, never vanish. */
    for (int parities = 0; parities < 4; parities++) {
        const bool is_odd[2] = {parities % 2 == 1, true};
        const bool is_constrained_odd = parities / 2 == 1;
        double sign = 0.0;
        for (int sample = 0; sample < SAMPLES; sample++) {
            const double constrained = -exp(draw(sample, 1, -4.0, 3.0));
            const double lambda[2] = {constrained - exp(draw(sample, 2, -4.0, 3.0)),
                                      exp(draw(sample, 3, -4.0, 3.0))};
            double residual[2];
            carom_two_modes_residual(lambda, constrained, is_odd, is_constrained_odd,
                                     draw(sample, 4, 0.1, 9.0), draw(sample, 5, 0.1, 9.0),
                                     residual);
            sign = sample == 0 ? copysign(1.0, residual[0]) : sign;
            ck_assert(sign * residual[0] > 1e-6);
        }
    }
}

/** tanh(nu_1 tau) nu_1^s1 + s2 tan^(s1 s2)(omega_2 tau) omega_2^s1, (53) without its factor s1. */
static double corrected_53(double nu, double omega, int sigma_1, int sigma_2, double tau) {
    return tanh(nu * tau) * pow(nu, sigma_1) +
           sigma_2 * pow(tan(omega * tau), sigma_1 * sigma_2) * pow(omega, sigma_1);
}

TEST(property, equation_53_holds_without_its_first_sign) {
    for (int sample = 0; sample < SAMPLES; sample++) {
        const double nu = exp(draw(sample, 1, -1.0, 1.0));
        const double omega = exp(draw(sample, 2, -1.0, 1.0));
        const double lambda[2] = {-nu * nu, omega * omega};
        const double constrained = 0.37 * lambda[1];
        carom_two_modes_impact wheel;
        carom_two_modes_impact rock;
        assert_ok(carom_two_modes_wheel(lambda, constrained, 2, 0, &wheel, NULL));
        assert_ok(carom_two_modes_rock(lambda, constrained, 2, 0, &rock, NULL));
        assert_close(corrected_53(nu, omega, 1, 1, wheel.time), 0.0, 0.0, 1e-12);
        assert_close(corrected_53(nu, omega, -1, -1, rock.time), 0.0, 0.0, 1e-12);
        /* As printed the left side of the second would be -tanh(nu tau)/nu: not a solution. */
        const double left = tanh(nu * rock.time) / nu;
        ck_assert(fabs(corrected_53(nu, omega, -1, -1, rock.time) - 2.0 * left) > 1e-2);
    }
}

TEST(property, every_pair_of_parities_has_common_rates_for_an_oscillating_mode) {
    /* (52), (53): between two poles of the fast rate it takes every value, the slow one's too. */
    for (int sample = 0; sample < SAMPLES; sample++) {
        const double lambda[2] = {-exp(draw(sample, 1, -3.0, 2.0)),
                                  exp(draw(sample, 2, -3.0, 2.0))};
        const double omega = sqrt(lambda[1]);
        for (int parities = 0; parities < 4; parities++) {
            const bool slow = parities % 2 == 1;
            const bool fast = parities / 2 == 1;
            const double pole = (fast ? 1.5 : 2.0) * M_PI;
            const double ends[] = {(pole + 1e-3) / omega, (pole + M_PI - 1e-3) / omega};
            double difference[2];
            for (int side = 0; side < 2; side++) {
                difference[side] = tanh((printed_rate(lambda[1], fast, ends[side]) -
                                         printed_rate(lambda[0], slow, ends[side])) /
                                        omega);
            }
            ck_assert(difference[0] * difference[1] < 0.0);
        }
    }
}

TEST(property, hopper_and_juggler_of_equal_frequencies_move_alike) {
    for (int sample = 0; sample < SAMPLES; sample++) {
        const carom_hopper_params hopper = {
            .upper_mass = draw(sample, 1, 0.3, 2.9),
            .lower_mass = draw(sample, 2, 0.3, 2.9),
            .spring_stiffness = draw(sample, 3, 0.3, 2.9),
            .gravity = 3.7,
            .spring_length = 1.0,
        };
        const double total = hopper.upper_mass + hopper.lower_mass;
        const carom_juggler_params juggler = {
            .paddle_mass = hopper.lower_mass,
            .ball_mass = hopper.upper_mass,
            .spring_stiffness = hopper.spring_stiffness * total / hopper.upper_mass,
            .gravity = 3.7,
            .spring_length = 1.0,
        };
        carom_two_mode_model models[2];
        carom_two_modes_impact impacts[2];
        assert_ok(carom_hopper_model(&hopper, &models[0], NULL));
        assert_ok(carom_juggler_model(&juggler, &models[1], NULL));
        for (int n = 2; n <= 5; n++) {
            for (int i = 0; i < 2; i++) {
                double lambda[2];
                double constrained;
                carom_two_mode_model_spectrum(&models[i], lambda, &constrained);
                assert_ok(carom_two_modes_hop(lambda, constrained, n, 0, &impacts[i], NULL));
            }
            assert_close(impacts[0].time, impacts[1].time, 1e-14, 0.0);
            assert_close(impacts[0].constrained_time, impacts[1].constrained_time, 1e-14, 0.0);
            double x[2][2];
            double v[2][2];
            const double t = 0.37 * impacts[0].time;
            carom_hopper_flight(&hopper, impacts[0].fast_phase, t, x[0], v[0]);
            carom_juggler_flight(&juggler, impacts[0].fast_phase, t, x[1], v[1]);
            assert_close(x[0][1], x[1][1], 1e-12, 0.0);
            assert_close(v[0][1], v[1][1], 1e-12, 1e-12);
            const double stance = 0.37 * impacts[0].constrained_time;
            const double o = impacts[0].constrained_phase;
            const double force = carom_hopper_stance(&hopper, o, stance, x[0], v[0]);
            assert_close(force, carom_juggler_stance(&juggler, o, stance, x[1], v[1]), 1e-12, 0.0);
            assert_close(force, carom_two_modes_force_ratio(false, o, 0.37 * o), 1e-12, 0.0);
        }
    }
}

/** Impact times of the unit hopper and juggler. */
static carom_two_modes_impact unit_hop(const carom_two_mode_model *model, int n) {
    double lambda[2];
    double constrained;
    carom_two_modes_impact impact;
    carom_two_mode_model_spectrum(model, lambda, &constrained);
    assert_ok(carom_two_modes_hop(lambda, constrained, n, 0, &impact, NULL));
    return impact;
}

TEST(unit, the_unit_hopper_and_juggler_have_the_tabulated_times) {
    const carom_hopper_params hopper = carom_hopper_params_default();
    const carom_juggler_params juggler = carom_juggler_params_default();
    carom_two_mode_model model;
    assert_ok(carom_hopper_model(&hopper, &model, NULL));
    const carom_two_modes_impact second = unit_hop(&model, 2);
    assert_close(second.time, 3.1773202983, 0.0, TEN_DECIMALS);
    assert_close(second.constrained_time, 1.8757120725, 0.0, TEN_DECIMALS);
    assert_close(2.0 * (second.time + second.constrained_time), 10.1060647417, 0.0, TEN_DECIMALS);
    assert_close(carom_two_modes_force_ratio(false, second.constrained_phase, 0.0), 4.3309704709,
                 0.0, TEN_DECIMALS);
    const carom_two_modes_impact third = unit_hop(&model, 3);
    assert_close(third.time, 5.4625779603, 0.0, TEN_DECIMALS);
    assert_close(third.constrained_time, 1.7518552707, 0.0, TEN_DECIMALS);
    assert_close(2.0 * (third.time + third.constrained_time), 14.4288664619, 0.0, TEN_DECIMALS);
    assert_ok(carom_juggler_model(&juggler, &model, NULL));
    const carom_two_modes_impact ball = unit_hop(&model, 2);
    assert_close(ball.time, 4.4934094579, 0.0, TEN_DECIMALS);
    assert_close(ball.constrained_time, 2.6526574521, 0.0, TEN_DECIMALS);
}

/** What the amplitudes of a closed form are, by matching the trajectory at the impact. */
typedef struct matched_motion {
    carom_two_modes_impact impact;
    double lambda[2];
    double constrained;
    double X[2][2];   /**< columns: modes with c X' m X = 1, X_22 = 1, X_2i > 0 */
    double q[2];      /**< amplitudes of the unconstrained modes */
    double X_1;       /**< of the constrained mode X' = X X_N M (8) */
    double amplitude; /**< q' */
    double static_x;  /**< x_1 at rest in contact */
} matched_motion;

/** Derivative of the time function of (11). */
static double time_function(double lambda, bool is_odd, double t, int order) {
    const double w = sqrt(fabs(lambda));
    const bool is_growing = lambda < 0.0;
    /* Two derivatives multiply by -lambda; one turns the parity and leaves a sign. */
    const double factor = order >= 2 ? -lambda : 1.0;
    const bool is_sine = is_odd != (order % 2 == 1);
    double value =
        is_growing ? (is_sine ? sinh(w * t) : cosh(w * t)) : (is_sine ? sin(w * t) : cos(w * t));
    if (order % 2 == 1) {
        value *= is_odd || is_growing ? w : -w;
    }
    return factor * value;
}

/** Amplitudes from x_2 = x_N^0, v_2 = 0 and v_1 continuous; x_1 and a_1, a_2 are left to check. */
static matched_motion match(const carom_two_mode_model *model, closed_form *solve, int n) {
    matched_motion motion;
    carom_two_mode_model_spectrum(model, motion.lambda, &motion.constrained);
    assert_ok(solve(motion.lambda, motion.constrained, n, 0, &motion.impact, NULL));
    const double tau = motion.impact.time;
    const double(*m)[2] = model->mass;
    const double(*k)[2] = model->stiffness;

    /* Modes (k - lambda m) X = 0 with X_2 = 1, then scaled to the mass of the last. */
    double norm[2];
    for (int i = 0; i < 2; i++) {
        const double L = motion.lambda[i];
        const double X_1 = -(k[0][1] - L * m[0][1]) / (k[0][0] - L * m[0][0]);
        norm[i] = m[0][0] * X_1 * X_1 + 2.0 * m[0][1] * X_1 + m[1][1];
        motion.X[0][i] = X_1;
        motion.X[1][i] = 1.0;
    }
    const double scale = sqrt(norm[1] / norm[0]);
    motion.X[0][0] *= scale;
    motion.X[1][0] = scale;
    motion.X_1 = 0.0;
    for (int i = 0; i < 2; i++) {
        motion.X_1 += motion.X[0][i] * motion.X[1][i] / (motion.lambda[i] - motion.constrained);
    }

    double g[2][2];
    for (int i = 0; i < 2; i++) {
        for (int order = 0; order < 2; order++) {
            g[order][i] = motion.X[1][i] *
                          time_function(motion.lambda[i], model->is_unconstrained_odd, tau, order);
        }
    }
    const double determinant = g[0][0] * g[1][1] - g[0][1] * g[1][0];
    motion.q[0] = model->contact_level * g[1][1] / determinant;
    motion.q[1] = -model->contact_level * g[1][0] / determinant;
    double v = 0.0;
    for (int i = 0; i < 2; i++) {
        v += motion.X[0][i] * motion.q[i] *
             time_function(motion.lambda[i], model->is_unconstrained_odd, tau, 1);
    }
    motion.amplitude =
        v / (motion.X_1 * time_function(motion.constrained, model->is_constrained_odd,
                                        -motion.impact.constrained_time, 1));
    motion.static_x = -k[0][1] * model->contact_level / k[0][0];
    return motion;
}

/** Derivative of x at time t from P. */
static double unconstrained(const carom_two_mode_model *model, const matched_motion *motion,
                            int coordinate, double t, int order) {
    double x = 0.0;
    for (int i = 0; i < 2; i++) {
        x += motion->X[coordinate][i] * motion->q[i] *
             time_function(motion->lambda[i], model->is_unconstrained_odd, t, order);
    }
    return x;
}

/** Derivative of x_1 at time t from P'. */
static double constrained(const carom_two_mode_model *model, const matched_motion *motion, double t,
                          int order) {
    return (order == 0 ? motion->static_x : 0.0) +
           motion->X_1 * motion->amplitude *
               time_function(motion->constrained, model->is_constrained_odd, t, order);
}

/** What matching left over: x_1 and both accelerations continuous, a_2 = 0, gap and force >= 0. */
static void assert_matched(const carom_two_mode_model *model, const matched_motion *motion) {
    const double tau = motion->impact.time;
    const double ctau = motion->impact.constrained_time;
    for (int order = 0; order <= 2; order++) {
        assert_close(unconstrained(model, motion, 0, tau, order),
                     constrained(model, motion, -ctau, order), 1e-12, 1e-12);
    }
    assert_close(unconstrained(model, motion, 1, tau, 2), 0.0, 0.0, 1e-12);
    for (int i = -99; i <= 99; i++) {
        const double gap = model->gap_sign * (unconstrained(model, motion, 1, 0.01 * i * tau, 0) -
                                              model->contact_level);
        ck_assert(gap > 0.0);
        /* Force on x_2 in contact, from its equation of motion. */
        const double t = 0.01 * i * ctau;
        const double force = model->mass[1][0] * constrained(model, motion, t, 2) +
                             model->stiffness[1][0] * constrained(model, motion, t, 0) +
                             model->stiffness[1][1] * model->contact_level;
        ck_assert(model->gap_sign * force > 0.0);
        assert_close(force / model->contact_force,
                     carom_two_modes_force_ratio(model->is_constrained_odd,
                                                 motion->impact.constrained_phase,
                                                 0.01 * i * motion->impact.constrained_phase),
                     1e-11, 1e-12);
    }
}

TEST(unit, the_unit_wheels_have_the_tabulated_motions) {
    const carom_reaction_wheel_params reaction = carom_reaction_wheel_params_default();
    carom_two_mode_model model;
    assert_ok(carom_reaction_wheel_model(&reaction, &model, NULL));
    const matched_motion first = match(&model, carom_two_modes_wheel, 1);
    assert_matched(&model, &first);
    assert_close(first.lambda[0], -0.3660254038, 0.0, TEN_DECIMALS);
    assert_close(first.lambda[1], 1.3660254038, 0.0, TEN_DECIMALS);
    assert_close(first.impact.fast_phase, 2.7115336123, 0.0, TEN_DECIMALS);
    assert_close(first.impact.time, 2.3199872833, 0.0, TEN_DECIMALS);
    assert_close(first.impact.constrained_time, 0.4921138220, 0.0, TEN_DECIMALS);
    assert_close(first.q[0], 0.213514272097, 0.0, 0.51e-12);
    assert_close(first.q[1], 0.506866066919, 0.0, 0.51e-12);
    assert_close(first.amplitude, -0.223628962230, 0.0, 0.51e-12);
    const double tau = first.impact.time;
    assert_close(unconstrained(&model, &first, 0, tau, 0), 0.0, 0.0, 1e-13);
    assert_close(unconstrained(&model, &first, 1, tau, 0), 1.0, 1e-13, 0.0);
    assert_close(unconstrained(&model, &first, 0, tau, 3),
                 constrained(&model, &first, -first.impact.constrained_time, 3), 1e-12, 0.0);

    const matched_motion second = match(&model, carom_two_modes_wheel, 2);
    assert_matched(&model, &second);
    assert_close(second.impact.time, 4.9689149276, 0.0, TEN_DECIMALS);
    assert_close(second.impact.constrained_time, 0.5419219742, 0.0, TEN_DECIMALS);
    assert_close(second.q[0], 0.040499060097, 0.0, 0.51e-12);
    assert_close(second.q[1], -0.461481353116, 0.0, 0.51e-12);
    assert_close(second.amplitude, -0.204858095564, 0.0, 0.51e-12);

    const carom_pendulum_wheel_params pendulum = carom_pendulum_wheel_params_default();
    assert_ok(carom_pendulum_wheel_model(&pendulum, &model, NULL));
    const matched_motion swing = match(&model, carom_two_modes_wheel, 1);
    assert_matched(&model, &swing);
    assert_close(swing.impact.time, 1.9887371532, 0.0, TEN_DECIMALS);
    assert_close(swing.impact.constrained_time, 0.8629029622, 0.0, TEN_DECIMALS);
    assert_close(swing.q[0], 0.039260801812, 0.0, 0.51e-12);
    assert_close(swing.q[1], 0.713431145320, 0.0, 0.51e-12);
    assert_close(swing.amplitude, -0.385521067031, 0.0, 0.51e-12);
}

TEST(unit, the_unit_rocking_biped_has_the_tabulated_motions) {
    const carom_coronal_rocker_params params = carom_coronal_rocker_params_default();
    carom_two_mode_model model;
    assert_ok(carom_coronal_rocker_model(&params, &model, NULL));
    const matched_motion second = match(&model, carom_two_modes_rock, 2);
    assert_matched(&model, &second);
    assert_close(second.impact.time, 3.3018658083, 0.0, TEN_DECIMALS);
    assert_close(second.impact.constrained_time, 0.8719938807, 0.0, TEN_DECIMALS);
    assert_close(second.q[0], -0.016322395649, 0.0, 0.51e-12);
    assert_close(second.q[1], 1.413664453451, 0.0, 0.51e-12);
    assert_close(second.amplitude, 0.765120684599, 0.0, 0.51e-12);
    assert_close(unconstrained(&model, &second, 0, 0.0, 0), 4.803468996, 0.0, 0.51e-9);
    assert_close(unconstrained(&model, &second, 1, 0.0, 0), 1.374258705, 0.0, 0.51e-9);

    const matched_motion third = match(&model, carom_two_modes_rock, 3);
    assert_matched(&model, &third);
    assert_close(third.impact.time, 5.9439458917, 0.0, TEN_DECIMALS);
    assert_close(third.impact.constrained_time, 0.8716118765, 0.0, TEN_DECIMALS);
    assert_close(third.q[0], -0.000705354618, 0.0, 0.51e-12);
    assert_close(third.q[1], -1.414212537142, 0.0, 0.51e-12);
    assert_close(third.amplitude, 0.765366405077, 0.0, 0.51e-12);
}

TEST(property, random_models_move_without_collision) {
    for (int sample = 0; sample < 40; sample++) {
        const double length = draw(sample, 1, 0.5, 1.5);
        const double mass = draw(sample, 2, 0.5, 1.5);
        const carom_reaction_wheel_params reaction = {
            .reaction_inertia = draw(sample, 3, 0.5, 1.5),
            .wheel_inertia = mass * length * length * draw(sample, 4, 1.1, 1.9),
            .spring_stiffness = draw(sample, 5, 0.5, 1.5),
            .mass = mass,
            .gravity = draw(sample, 6, 0.5, 1.5),
            .spoke_length = length,
            .half_spoke_angle = draw(sample, 7, 0.1, 1.2),
            .reaction_radius = 0.3,
        };
        const carom_coronal_rocker_params rocker = {
            .foot_mass = draw(sample, 8, 0.0, 1.0),
            .pendulum_mass = draw(sample, 9, 0.5, 1.5),
            .hip_mass = draw(sample, 10, 0.5, 1.5),
            .leg_length = draw(sample, 11, 0.5, 1.5),
            .pendulum_length = draw(sample, 12, 0.5, 1.5),
            .gravity = draw(sample, 13, 0.5, 1.5),
            .half_leg_angle = draw(sample, 14, 0.1, 1.2),
        };
        carom_two_mode_model model;
        assert_ok(carom_reaction_wheel_model(&reaction, &model, NULL));
        const matched_motion rolling = match(&model, carom_two_modes_wheel, 1 + sample % 2);
        assert_matched(&model, &rolling);
        assert_ok(carom_coronal_rocker_model(&rocker, &model, NULL));
        const matched_motion rocking = match(&model, carom_two_modes_rock, 2 + sample % 2);
        assert_matched(&model, &rocking);
    }
}

TEST(unit, only_the_first_row_never_pulls_on_the_ground) {
    for (int k = 0; k < 3; k++) {
        double lambda[2];
        double constrained_lambda;
        random_spectrum(7, k, lambda, &constrained_lambda);
        for (int row = 0; row < 4; row++) {
            carom_two_modes_impact impact;
            assert_ok(GAITS[k].solve(lambda, constrained_lambda, 3, row, &impact, NULL));
            const double o = impact.constrained_phase;
            double least = HUGE_VAL;
            for (int i = -2000; i <= 2000; i++) {
                const double ratio =
                    carom_two_modes_force_ratio(GAITS[k].is_constrained_odd, o, o * i / 2000.0);
                least = fmin(least, ratio);
            }
            const double reach = GAITS[k].is_constrained_odd ? fabs(sin(o)) : fabs(cos(o));
            /* A minimum on a grid of o/2000 < 0.01. */
            if (row == 0) {
                assert_close(least, 0.0, 0.0, ROUNDING);
            } else {
                assert_close(least, 1.0 - 1.0 / reach, 0.0, 5e-5 / reach);
                ck_assert(least < 0.0);
            }
        }
    }
}

TEST(property, alpha_and_the_hop_phase_approach_their_series_with_the_next_term) {
    /* The term after it is one order of 1/n smaller, with prefactors of order one. */
    for (int n = 20; n <= 320; n *= 2) {
        const double alpha = root_of(CAROM_TWO_MODES_ALPHA, n, 0.0);
        const double left = alpha - carom_two_modes_root_series(CAROM_TWO_MODES_ALPHA, n, 0.0);
        assert_close(left * n * n, -1.0 / (2.0 * M_PI), 2.0 / n, 0.0);
        for (int i = 0; i < 4; i++) {
            const double r = 1.1 + 0.4 * i;
            const double lambda[2] = {0.0, 1.7 * r * r};
            carom_two_modes_impact impact;
            assert_ok(carom_two_modes_hop(lambda, 1.7, n, 0, &impact, NULL));
            const double rest = impact.constrained_phase - carom_two_modes_hop_phase_series(r, n);
            /* n^4 enlarges the rounding of o'. */
            const double expected = (r - r * r * r) / (2.0 * gsl_pow_3(M_PI));
            assert_close(rest * gsl_pow_4(n), expected, 6.0 / n, 4e-16 * gsl_pow_4(n));
        }
    }
}

TEST(property, beta_and_gamma_approach_their_limits_exponentially) {
    for (int sample = 0; sample < SAMPLES; sample++) {
        const double rho = draw(sample, 1, 0.1, 0.4);
        const double s = draw(sample, 2, 0.2, 3.0) * rho + rho;
        /* nu_1 = rho, omega_2 = 1, omega'_1 = rho/s < 1. */
        const double lambda[2] = {-rho * rho, 1.0};
        const double constrained_lambda = gsl_pow_2(rho / s);
        for (int n = 4; n <= 9; n++) {
            const double beta = root_of(CAROM_TWO_MODES_BETA, n, rho);
            const double gamma = root_of(CAROM_TWO_MODES_GAMMA, n, rho);
            const double slope = 2.0 * rho / (1.0 + rho * rho);
            const double beta_rest =
                beta - carom_two_modes_root_series(CAROM_TWO_MODES_BETA, n, rho);
            const double gamma_rest =
                gamma - carom_two_modes_root_series(CAROM_TWO_MODES_GAMMA, n, rho);
            const double decay[2] = {exp(-2.0 * rho * beta), exp(-2.0 * rho * gamma)};
            /* The square of the small term follows, with prefactors below 5. */
            assert_close(beta_rest, slope * decay[0], 5.0 * decay[0], 1e-14);
            assert_close(gamma_rest, -slope * decay[1], 5.0 * decay[1], 1e-14);
            /* Stated order: exp(-2 pi n rho), up to a constant factor. */
            assert_close(beta_rest * exp(2.0 * M_PI * n * rho), slope * exp(2.0 * rho * atan(rho)),
                         5.0 * decay[0], 1e-14 * exp(2.0 * M_PI * n * rho));

            carom_two_modes_impact wheel;
            carom_two_modes_impact rock;
            assert_ok(carom_two_modes_wheel(lambda, constrained_lambda, n, 0, &wheel, NULL));
            assert_ok(carom_two_modes_rock(lambda, constrained_lambda, n, 0, &rock, NULL));
            const double limit = carom_two_modes_phase_limit(lambda[0], constrained_lambda);
            const double phase_slope = 2.0 * s / (1.0 + s * s);
            assert_close(limit, atan(s), 1e-14, 0.0);
            assert_close(wheel.constrained_phase - limit, -phase_slope * decay[0], 5.0 * decay[0],
                         1e-14);
            assert_close(rock.constrained_phase - limit, phase_slope * decay[1], 5.0 * decay[1],
                         1e-14);
        }
    }
}

TEST(property, a_change_of_the_unit_of_time_changes_times_alone) {
    for (int sample = 0; sample < SAMPLES; sample++) {
        const double s = exp(draw(sample, 9, -5.0, 5.0));
        for (int k = 0; k < 3; k++) {
            double lambda[2];
            double constrained_lambda;
            random_spectrum(sample, k, lambda, &constrained_lambda);
            const double scaled[2] = {lambda[0] * s * s, lambda[1] * s * s};
            carom_two_modes_impact a;
            carom_two_modes_impact b;
            assert_ok(GAITS[k].solve(lambda, constrained_lambda, 3, 1, &a, NULL));
            assert_ok(GAITS[k].solve(scaled, constrained_lambda * s * s, 3, 1, &b, NULL));
            assert_close(b.constrained_phase, a.constrained_phase, 1e-14, 0.0);
            assert_close(b.time * s, a.time, 1e-14, 0.0);
            assert_close(b.constrained_time * s, a.constrained_time, 1e-14, 0.0);
            const bool is_odd[2] = {false, true};
            double residual[2][2];
            carom_two_modes_residual(lambda, constrained_lambda, is_odd, true, 0.3, 0.7,
                                     residual[0]);
            carom_two_modes_residual(scaled, constrained_lambda * s * s, is_odd, true, 0.3 / s,
                                     0.7 / s, residual[1]);
            assert_close(residual[1][0], residual[0][0], 1e-12, 1e-13);
            assert_close(residual[1][1], residual[0][1], 1e-12, 1e-13);
        }
    }
}

TEST(errors, trivial_roots_and_wrong_arguments_are_refused) {
    double root = 0.0;
    assert_status(carom_two_modes_root(CAROM_TWO_MODES_ALPHA, 1, 1.0, &root), OUT_OF_RANGE);
    ck_assert(isnan(root));
    root = 0.0;
    assert_status(carom_two_modes_root(CAROM_TWO_MODES_GAMMA, 1, 1.0, &root), OUT_OF_RANGE);
    ck_assert(isnan(root));
    assert_status(carom_two_modes_root(CAROM_TWO_MODES_BETA, 0, 1.0, &root), OUT_OF_RANGE);
    assert_status(carom_two_modes_root(CAROM_TWO_MODES_BETA, 1, 0.0, &root), OUT_OF_RANGE);
    assert_status(carom_two_modes_root(CAROM_TWO_MODES_GAMMA, 2, -0.1, &root), OUT_OF_RANGE);
    root = 0.0;
    assert_status(carom_two_modes_root(CAROM_TWO_MODES_BETA, 1, (double)NAN, &root), NOT_FINITE);
    ck_assert(isnan(root));
    assert_status(carom_two_modes_root(CAROM_TWO_MODES_GAMMA, 2, HUGE_VAL, &root), NOT_FINITE);
    /* alpha does not read rho. */
    assert_ok(carom_two_modes_root(CAROM_TWO_MODES_ALPHA, 2, (double)NAN, &root));
}

/** Refused with this code, quantity and value, and NaN everywhere. */
#define assert_refused(k, lambda_1, lambda_2, constrained_lambda, n, row, code, expected_quantity, \
                       expected_value)                                                             \
    do {                                                                                           \
        const double refused_lambda[2] = {lambda_1, lambda_2};                                     \
        carom_two_modes_impact refused = {0.0, 0.0, 0.0, 0.0, 0.0};                                \
        carom_report refusal = carom_report_empty();                                               \
        assert_status(                                                                             \
            GAITS[k].solve(refused_lambda, constrained_lambda, n, row, &refused, &refusal), code); \
        ck_assert_str_eq(refusal.quantity, expected_quantity);                                     \
        ck_assert(isnan(expected_value)                                                            \
                      ? isnan(refusal.value)                                                       \
                      : refusal.value >= (expected_value) && refusal.value <= (expected_value));   \
        ck_assert(isnan(refused.slow_phase) && isnan(refused.fast_phase) &&                        \
                  isnan(refused.constrained_phase) && isnan(refused.time) &&                       \
                  isnan(refused.constrained_time));                                                \
        assert_status(GAITS[k].solve(refused_lambda, constrained_lambda, n, row, &refused, NULL),  \
                      code);                                                                       \
    } while (0)

TEST(errors, spectra_of_another_kind_are_refused) {
    const double nan = (double)NAN;
    const char *const first = "first unconstrained eigenvalue";
    const char *const second = "second unconstrained eigenvalue";
    const char *const held = "constrained eigenvalue";
    for (int k = 0; k < 3; k++) {
        const double slow = k == 0 ? 0.0 : -1.0;
        assert_refused(k, nan, 2.0, 1.0, 3, 0, NOT_FINITE, first, nan);
        assert_refused(k, slow, HUGE_VAL, 1.0, 3, 0, NOT_FINITE, second, HUGE_VAL);
        assert_refused(k, slow, 2.0, nan, 3, 0, NOT_FINITE, held, nan);
        /* (20) */
        assert_refused(k, slow, 2.0, 0.0, 3, 0, OUT_OF_RANGE, held, 0.0);
        assert_refused(k, slow, 2.0, -0.5, 3, 0, OUT_OF_RANGE, held, -0.5);
        /* (6) */
        assert_refused(k, slow, 1.0, 1.0, 3, 0, OUT_OF_RANGE, second, 1.0);
        assert_refused(k, 0.3, 2.0, 1.0, 3, 0, OUT_OF_RANGE, first, 0.3);
        assert_refused(k, slow, 2.0, 1.0, 3, -1, OUT_OF_RANGE, "row", -1.0);
        assert_refused(k, slow, 2.0, 1.0, 0, 0, OUT_OF_RANGE, "column", 0.0);
        if (k != 1) {
            assert_refused(k, slow, 2.0, 1.0, 1, 0, OUT_OF_RANGE, "column", 1.0);
        }
    }
    assert_refused(0, -0.1, 2.0, 1.0, 3, 0, OUT_OF_RANGE, first, -0.1);
    assert_refused(1, 0.0, 2.0, 1.0, 3, 0, OUT_OF_RANGE, first, 0.0);
    assert_refused(2, 0.0, 2.0, 1.0, 3, 0, OUT_OF_RANGE, first, 0.0);
}

TEST(errors, an_eigenvalue_of_zero_may_have_the_rounding_of_its_solver) {
    const double lambda[2] = {-3e-16, 2.0};
    carom_two_modes_impact impact;
    assert_ok(carom_two_modes_hop(lambda, 1.0, 2, 0, &impact, NULL));
    /* The free mode then counts as one. */
    assert_close(impact.slow_phase, 0.0, 0.0, 0.0);
}

TEST(errors, a_failing_root_solver_is_reported) {
    const double lambda[2] = {-1.0, 2.0};
    carom_two_modes_impact impact;
    carom_report report = carom_report_empty();
    successes_left = 0;
    assert_status(carom_two_modes_rock(lambda, 1.0, 2, 0, &impact, &report), OUT_OF_MEMORY);
    successes_left = -1;
    ck_assert(isnan(impact.time));
    double root = 0.0;
    iteration_fails = true;
    assert_status(carom_two_modes_root(CAROM_TWO_MODES_BETA, 2, 0.7, &root), NOT_CONVERGED);
    iteration_fails = false;
    ck_assert(isnan(root));
}
