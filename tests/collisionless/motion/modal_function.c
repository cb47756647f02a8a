/* carom/collisionless/motion/internal.h against its defining formulas in extended precision,
 * the equation of motion and limits in closed form. */
#include "../../support.h"

#include <carom/base/random.h>
#include <carom/collisionless/motion/internal.h>

#include <float.h>
#include <gsl/gsl_math.h>

/** Samples of each property. */
enum { SAMPLES = 2000 };

static const carom_parity PARITIES[2] = {CAROM_PARITY_EVEN, CAROM_PARITY_ODD};

/** A number between low and high, uniform in its logarithm. */
static double log_uniform(unsigned long seed, unsigned long sample, unsigned long dimension,
                          double low, double high) {
    return low * pow(high / low, carom_counter_uniform(seed, sample, dimension));
}

/** -1 or 1. */
static double random_sign(unsigned long seed, unsigned long sample, unsigned long dimension) {
    return carom_counter_uniform(seed, sample, dimension) < 0.5 ? -1.0 : 1.0;
}

/** C, S and (1 - C)/lambda, divided by cosh for lambda < 0, in extended precision. */
typedef struct extended_functions {
    long double C;
    long double S;
    long double D;
    long double log_scale;
} extended_functions;

/** By their power series, |lambda| t2 < 1: the terms of index 20 are below 1e-47. */
static extended_functions series(long double lambda, long double t) {
    extended_functions f = {0.0L, 0.0L, 0.0L, 0.0L};
    long double term = 1.0L;
    for (int k = 0; k < 20; k++) {
        f.C += term;
        f.S += term * t / (long double)(2 * k + 1);
        f.D += term * t * t / (long double)((2 * k + 1) * (2 * k + 2));
        term *= -lambda * t * t / (long double)((2 * k + 1) * (2 * k + 2));
    }
    return f;
}

static extended_functions extended(double lambda, double t) {
    const long double rate = sqrtl(fabsl((long double)lambda));
    const long double x = rate * (long double)t;
    extended_functions f;
    if (fabsl(x) < 1.0L) {
        f = series((long double)lambda, (long double)t);
    } else if (lambda > 0.0) {
        f.C = cosl(x);
        f.S = sinl(x) / rate;
        f.D = (1.0L - f.C) / (long double)lambda;
    } else {
        f.C = coshl(x);
        f.S = sinhl(x) / rate;
        f.D = (1.0L - f.C) / (long double)lambda;
    }
    const long double scale = lambda < 0.0 ? coshl(x) : 1.0L;
    f.C /= scale;
    f.S /= scale;
    f.log_scale = lambda < 0.0 ? log1pl(-(long double)lambda * f.D) : 0.0L;
    f.D /= scale;
    return f;
}

EXTENDED_TEST(property, both_parities_are_the_formulas_in_extended_precision) {
    for (unsigned long sample = 0; sample < SAMPLES; sample++) {
        const double lambda = random_sign(1, sample, 0) * log_uniform(1, sample, 1, 1e-4, 1e4);
        const double phase = random_sign(1, sample, 2) * log_uniform(1, sample, 3, 1e-12, 1e3);
        const double rate = sqrt(fabs(lambda));
        const double t = phase / rate;
        const extended_functions f = extended(lambda, t);
        const carom_modal_function even =
            carom_modal_function_evaluate(lambda, CAROM_PARITY_EVEN, t);
        const carom_modal_function odd = carom_modal_function_evaluate(lambda, CAROM_PARITY_ODD, t);
        /* Half a dozen roundings; near a zero those of the extended phase, 1e3 times 5e-20. A phase
         * in double precision alone would be off by 1e-13. */
        const double rel = 6.0 * DBL_EPSILON;
        const double abs = 1e-16;
        assert_close(even.displacement, (double)f.D, rel, abs * fmin(fabs(t), 1.0 / rate) / rate);
        assert_close(even.velocity, (double)f.S, rel, abs / rate);
        assert_close(even.acceleration, (double)f.C, rel, abs);
        assert_close(even.jerk, -lambda * (double)f.S, rel, abs * rate);
        assert_close(odd.displacement, (double)f.S, rel, abs / rate);
        assert_close(odd.velocity, (double)f.C, rel, abs);
        assert_close(odd.acceleration, -lambda * (double)f.S, rel, abs * rate);
        assert_close(odd.jerk, -lambda * (double)f.C, rel, abs * fabs(lambda));
        assert_close(even.log_scale, (double)f.log_scale, rel, 0.0);
        assert_close(odd.log_scale, even.log_scale, 0.0, 0.0);
    }
}

TEST(property, small_phases_keep_all_digits) {
    // Where the phase is below 1e-3, even h = t2/2 - lambda t4/24, S = t - lambda t3/6, relatively.
    for (unsigned long sample = 0; sample < SAMPLES; sample++) {
        const double lambda = random_sign(2, sample, 0) * log_uniform(2, sample, 1, 1e-30, 1e3);
        const double t = log_uniform(2, sample, 2, 1e-14, 1e-3) / sqrt(fabs(lambda));
        const double square = lambda * t * t;
        const double cosh_series = lambda < 0.0 ? 1.0 - 0.5 * square : 1.0;
        const carom_modal_function even =
            carom_modal_function_evaluate(lambda, CAROM_PARITY_EVEN, t);
        const double rel = 8.0 * DBL_EPSILON;
        // Next terms: 1e-12/360, 1e-12/120 and, of cosh, 1e-12/24, all against 1.
        const double next = 1e-12 / 12.0 * (square / 1e-6) * (square / 1e-6);
        assert_close(even.displacement, t * t * (0.5 - square / 24.0) / cosh_series, rel + next,
                     0.0);
        assert_close(even.velocity, t * (1.0 - square / 6.0) / cosh_series, rel + next, 0.0);
    }
}

TEST(unit, a_free_mode_is_a_polynomial) {
    const carom_modal_function even = carom_modal_function_evaluate(0.0, CAROM_PARITY_EVEN, -2.5);
    assert_close(even.displacement, 3.125, 0.0, 0.0);
    assert_close(even.velocity, -2.5, 0.0, 0.0);
    assert_close(even.acceleration, 1.0, 0.0, 0.0);
    assert_close(even.jerk, 0.0, 0.0, 0.0);
    assert_close(even.log_scale, 0.0, 0.0, 0.0);
    const carom_modal_function odd = carom_modal_function_evaluate(0.0, CAROM_PARITY_ODD, -2.5);
    assert_close(odd.displacement, -2.5, 0.0, 0.0);
    assert_close(odd.velocity, 1.0, 0.0, 0.0);
    assert_close(odd.acceleration, 0.0, 0.0, 0.0);
    assert_close(odd.jerk, 0.0, 0.0, 0.0);
    // Its neighbours, down to the smallest numbers: lambda t2/6 is all they differ by.
    for (int decade = -320; decade <= -18; decade++) {
        const double lambda = pow(10.0, (double)decade);
        for (int sign = -1; sign <= 1; sign += 2) {
            const carom_modal_function near =
                carom_modal_function_evaluate(sign * lambda, CAROM_PARITY_EVEN, -2.5);
            assert_close(near.displacement, 3.125, 4.0 * DBL_EPSILON, 0.0);
            assert_close(near.velocity, -2.5, 4.0 * DBL_EPSILON, 0.0);
            assert_close(near.acceleration, 1.0, 4.0 * DBL_EPSILON, 0.0);
        }
    }
}

TEST(property, a_mode_obeys_its_equation_of_motion) {
    for (unsigned long sample = 0; sample < SAMPLES; sample++) {
        const double lambda = random_sign(3, sample, 0) * log_uniform(3, sample, 1, 1e-4, 1e4);
        const double t = log_uniform(3, sample, 2, 1e-6, 300.0) / sqrt(fabs(lambda));
        const carom_modal_function even =
            carom_modal_function_evaluate(lambda, CAROM_PARITY_EVEN, t);
        const carom_modal_function odd = carom_modal_function_evaluate(lambda, CAROM_PARITY_ODD, t);
        // h'' = 1 - lambda h and h''' = -lambda h', all over the scale; terms of size 1 to 2. The
        // scale is known to the rounding of its logarithm, 300.
        const double one = exp(-even.log_scale);
        assert_close(even.acceleration, one - lambda * even.displacement, 0.0,
                     8.0 * DBL_EPSILON + 300.0 * DBL_EPSILON * one);
        assert_close(even.jerk, -lambda * even.velocity, 2.0 * DBL_EPSILON, 0.0);
        assert_close(odd.acceleration, -lambda * odd.displacement, 2.0 * DBL_EPSILON, 0.0);
        assert_close(odd.jerk, -lambda * odd.velocity, 2.0 * DBL_EPSILON, 0.0);
        // C2 + lambda S2 = 1: the energy of an odd mode.
        assert_close(odd.velocity * odd.velocity - odd.acceleration * odd.displacement, one * one,
                     0.0, 8.0 * DBL_EPSILON + 600.0 * DBL_EPSILON * one * one);
    }
}

TEST(property, even_modes_are_mirrored_and_odd_ones_reversed_in_time) {
    for (unsigned long sample = 0; sample < SAMPLES; sample++) {
        const double lambda = 4.0 - 8.0 * carom_counter_uniform(4, sample, 0);
        const double t = 20.0 * carom_counter_uniform(4, sample, 1);
        for (int k = 0; k < 2; k++) {
            const double sign = PARITIES[k] == CAROM_PARITY_EVEN ? 1.0 : -1.0;
            const carom_modal_function after =
                carom_modal_function_evaluate(lambda, PARITIES[k], t);
            const carom_modal_function before =
                carom_modal_function_evaluate(lambda, PARITIES[k], -t);
            assert_close(before.displacement, sign * after.displacement, 0.0, 0.0);
            assert_close(before.velocity, -sign * after.velocity, 0.0, 0.0);
            assert_close(before.acceleration, sign * after.acceleration, 0.0, 0.0);
            assert_close(before.jerk, -sign * after.jerk, 0.0, 0.0);
            assert_close(before.log_scale, after.log_scale, 0.0, 0.0);
        }
    }
}

TEST(unit, nothing_overflows_far_beyond_the_range_of_cosh) {
    // nu = 3, nu t = 3e4: h'' and h' of both parities saturate.
    const carom_modal_function even = carom_modal_function_evaluate(-9.0, CAROM_PARITY_EVEN, 1e4);
    assert_close(even.displacement, 1.0 / 9.0, 2.0 * DBL_EPSILON, 0.0);
    assert_close(even.velocity, 1.0 / 3.0, 2.0 * DBL_EPSILON, 0.0);
    assert_close(even.acceleration, 1.0, 0.0, 0.0);
    assert_close(even.jerk, 3.0, 2.0 * DBL_EPSILON, 0.0);
    assert_close(even.log_scale, 3e4 - M_LN2, 2.0 * DBL_EPSILON, 0.0);
    const carom_modal_function odd = carom_modal_function_evaluate(-9.0, CAROM_PARITY_ODD, 1e4);
    assert_close(odd.displacement, 1.0 / 3.0, 2.0 * DBL_EPSILON, 0.0);
    assert_close(odd.velocity, 1.0, 0.0, 0.0);
    assert_close(odd.acceleration, 3.0, 2.0 * DBL_EPSILON, 0.0);
    assert_close(odd.jerk, 9.0, 2.0 * DBL_EPSILON, 0.0);
}

TEST(property, amplitudes_are_those_of_the_time_functions_of_the_paper) {
    for (unsigned long sample = 0; sample < 200; sample++) {
        const double lambda = random_sign(5, sample, 0) * log_uniform(5, sample, 1, 0.1, 10.0);
        const double t = log_uniform(5, sample, 2, 1.0, 3.0) / sqrt(fabs(lambda));
        const double x = sqrt(fabs(lambda)) * t;
        // (11): cos, sin, cosh, sinh; even h is the way from the symmetry point.
        const double even = lambda > 0.0 ? cos(x) : cosh(x);
        const double odd = lambda > 0.0 ? sin(x) : sinh(x);
        const carom_modal_function h = carom_modal_function_evaluate(lambda, CAROM_PARITY_EVEN, t);
        const carom_modal_function s = carom_modal_function_evaluate(lambda, CAROM_PARITY_ODD, t);
        const double scale = exp(h.log_scale);
        // Roundings of a phase up to 3 and of cosh 3 = 10.
        assert_close(scale * h.displacement,
                     carom_modal_function_amplitude_factor(lambda, CAROM_PARITY_EVEN) *
                         (even - 1.0),
                     64.0 * DBL_EPSILON, 0.0);
        assert_close(scale * s.displacement,
                     carom_modal_function_amplitude_factor(lambda, CAROM_PARITY_ODD) * odd,
                     64.0 * DBL_EPSILON, 4.0 * DBL_EPSILON / sqrt(fabs(lambda)));
    }
    ck_assert(isinf(carom_modal_function_amplitude_factor(0.0, CAROM_PARITY_EVEN)));
    ck_assert(isinf(carom_modal_function_amplitude_factor(0.0, CAROM_PARITY_ODD)));
}
