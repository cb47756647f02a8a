/* carom/collisionless: the direction of velocity and acceleration of a mode. */
#include <carom/collisionless/motion/internal.h>

#include "../independent.h"

static const unsigned long SEED = 24021601;

/** h' and h'' of a mode, (S, C) or (C, -lambda S), without scaling. */
typedef struct pair {
    long double velocity;
    long double acceleration;
} pair;

static pair pair_at(double lambda, carom_parity parity, long double t) {
    const long double l = (long double)lambda;
    const long double w = sqrtl(fabsl(l));
    const long double C = lambda > 0.0 ? cosl(w * t) : coshl(w * t);
    const bool is_free = fpclassify(lambda) == FP_ZERO;
    const long double S = is_free ? t : (lambda > 0.0 ? sinl(w * t) : sinhl(w * t)) / w;
    return parity == CAROM_PARITY_EVEN ? (pair){S, C} : (pair){C, -l * S};
}

/** The direction from the pair; its rate kappa (h''2 - h' h''')/(kappa2 h'2 + h''2), h''' = -lambda
 * h', in the form of the header, whose numerator does not cancel. */
static carom_modal_direction expected_direction(double lambda, carom_parity parity, double scale,
                                                double t) {
    const pair p = pair_at(lambda, parity, (long double)t);
    const long double k = (long double)scale;
    const long double length = hypotl(k * p.velocity, p.acceleration);
    const long double numerator = k * (parity == CAROM_PARITY_EVEN ? 1.0L : (long double)lambda);
    return (carom_modal_direction){(double)(k * p.velocity / length),
                                   (double)(p.acceleration / length),
                                   (double)(numerator / length / length)};
}

/** Largest |nu t| of a random case: cosh of it, squared, is far from overflow in long double. */
static const double LARGEST_ANGLE = 30.0;

/** A random mode and time: eigenvalues of both signs, over four orders of magnitude. */
typedef struct moment {
    double lambda;
    carom_parity parity;
    double scale;
    double t;
} moment;

static moment random_moment(unsigned long sample) {
    draws d = {SEED, sample, 0};
    const double sign = draw(&d, 0.0, 1.0) < 0.5 ? -1.0 : 1.0;
    const double lambda = sign * pow(10.0, draw(&d, -2.0, 2.0));
    const carom_parity parity = (carom_parity)(draw(&d, 0.0, 1.0) < 0.5);
    const double scale = sqrt(fabs(lambda)) * pow(10.0, draw(&d, -1.0, 1.0));
    const double angle = LARGEST_ANGLE * pow(10.0, draw(&d, -3.0, 0.0));
    return (moment){lambda, parity, scale, angle / sqrt(fabs(lambda))};
}

TEST(unit, directions_of_single_modes_have_their_closed_forms) {
    // kappa = omega: the angle is omega t (even), omega t + pi/2 (odd).
    const double w = 1.385;
    const double t = 0.731;
    const carom_modal_direction even = carom_modal_direction_at(w * w, CAROM_PARITY_EVEN, w, t);
    assert_close(even.sine, sin(w * t), 1e-15, 0.0);
    assert_close(even.cosine, cos(w * t), 1e-15, 0.0);
    assert_close(even.rate, w, 1e-15, 0.0);
    const carom_modal_direction odd = carom_modal_direction_at(w * w, CAROM_PARITY_ODD, w, t);
    assert_close(odd.sine, cos(w * t), 1e-15, 0.0);
    assert_close(odd.cosine, -sin(w * t), 1e-15, 0.0);
    assert_close(odd.rate, w, 1e-15, 0.0);
    // kappa = nu: tan of the angle is tanh(nu t) (even) or coth(nu t) (odd), rate +-nu / cosh(2 nu
    // t).
    const carom_modal_direction rising = carom_modal_direction_at(-w * w, CAROM_PARITY_EVEN, w, t);
    assert_close(rising.sine / rising.cosine, tanh(w * t), 1e-15, 0.0);
    assert_close(rising.rate, w / cosh(2.0 * w * t), 2e-15, 0.0);
    ck_assert(rising.cosine > 0.0);
    const carom_modal_direction falling = carom_modal_direction_at(-w * w, CAROM_PARITY_ODD, w, t);
    assert_close(falling.cosine / falling.sine, tanh(w * t), 1e-15, 0.0);
    assert_close(falling.rate, -w / cosh(2.0 * w * t), 2e-15, 0.0);
    ck_assert(falling.sine > 0.0);
}

TEST(unit, a_free_mode_falls_or_glides) {
    // lambda = 0: (h', h'') = (t, 1) and (1, 0)
    const double k = 2.385;
    const double t = -0.731;
    const carom_modal_direction fall = carom_modal_direction_at(0.0, CAROM_PARITY_EVEN, k, t);
    assert_close(fall.sine, k * t / hypot(k * t, 1.0), 1e-15, 0.0);
    assert_close(fall.cosine, 1.0 / hypot(k * t, 1.0), 1e-15, 0.0);
    assert_close(fall.rate, k / (k * k * t * t + 1.0), 1e-15, 0.0);
    const carom_modal_direction glide = carom_modal_direction_at(0.0, CAROM_PARITY_ODD, k, t);
    assert_close(glide.sine, 1.0, 0.0, 0.0);
    assert_close(glide.cosine, 0.0, 0.0, 0.0);
    assert_close(glide.rate, 0.0, 0.0, 0.0);
    assert_close(carom_modal_direction_largest_rate(0.0, CAROM_PARITY_EVEN, k, 0.3, 2.0),
                 k / (k * k * 0.09 + 1.0), 1e-15, 0.0);
    assert_close(carom_modal_direction_largest_rate(0.0, CAROM_PARITY_ODD, k, 0.3, 2.0), 0.0, 0.0,
                 0.0);
}

TEST(unit, slow_modes_pass_into_free_ones_without_a_jump) {
    // to first order in lambda t2 = 1e-7 and smaller; the series starts at |lambda| t2 ~ 1e-6
    const double t = 1.731;
    for (int sign = -1; sign <= 1; sign += 2) {
        for (int power = 7; power < 300; power += 4) {
            const double lambda = sign * pow(10.0, -power);
            for (carom_parity p = CAROM_PARITY_EVEN; p <= CAROM_PARITY_ODD; p++) {
                const carom_modal_direction slow = carom_modal_direction_at(lambda, p, 0.83, t);
                const carom_modal_direction exact = expected_direction(lambda, p, 0.83, t);
                assert_close(slow.sine, exact.sine, 4e-16, 0.0);
                assert_close(slow.cosine, exact.cosine, 4e-16, 0.0);
                assert_close(slow.rate, exact.rate, 2e-15, 0.0);
            }
        }
    }
}

TEST(unit, fast_hyperbolic_modes_come_to_rest_without_overflow) {
    const double angles[] = {19.0, 360.0, 800.0, 1e5, 1e300};
    for (int i = 0; i < 5; i++) {
        const double nu = 2.385;
        const double k = 0.731;
        const double t = angles[i] / nu;
        const double length = hypot(k / nu, 1.0);
        const carom_modal_direction even =
            carom_modal_direction_at(-nu * nu, CAROM_PARITY_EVEN, k, t);
        assert_close(even.sine, k / nu / length, 1e-15, 0.0);
        assert_close(even.cosine, 1.0 / length, 1e-15, 0.0);
        // 4 exp(-2 angle)/(k2/nu2 + 1)
        const double rate = k * 4.0 * exp(-2.0 * angles[i]) / (length * length);
        assert_close(even.rate, rate, 1e-13, 0.0);
        const carom_modal_direction odd =
            carom_modal_direction_at(-nu * nu, CAROM_PARITY_ODD, k, -t);
        assert_close(odd.sine, k / nu / length, 1e-15, 0.0);
        assert_close(odd.cosine, -1.0 / length, 1e-15, 0.0);
        assert_close(odd.rate, -rate, 1e-13, 0.0);
        ck_assert(carom_modal_direction_largest_rate(-nu * nu, CAROM_PARITY_ODD, k, t, 2.0 * t) <=
                  rate * (1.0 + 1e-13));
    }
}

TEST(property, directions_are_those_of_the_pair) {
    for (unsigned long sample = 0; sample < 2000; sample++) {
        const moment m = random_moment(sample);
        for (int sign = -1; sign <= 1; sign += 2) {
            const carom_modal_direction got =
                carom_modal_direction_at(m.lambda, m.parity, m.scale, sign * m.t);
            const carom_modal_direction expected =
                expected_direction(m.lambda, m.parity, m.scale, sign * m.t);
            // the phase omega t <= 30 and its root are rounded to 1e-16 of themselves, the angle
            // turns at most scale/omega or omega/scale <= 10 as fast
            const double tolerance = 4e-15 + 1e-16 * 10.0 * LARGEST_ANGLE;
            assert_close(got.sine, expected.sine, 0.0, tolerance);
            assert_close(got.cosine, expected.cosine, 0.0, tolerance);
            assert_close(hypot(got.sine, got.cosine), 1.0, 4e-16, 0.0);
            assert_close(got.rate, expected.rate, 2.0 * tolerance * 10.0, 0.0);
        }
    }
}

TEST(property, time_reversal_mirrors_even_modes_and_turns_odd_ones) {
    for (unsigned long sample = 0; sample < 200; sample++) {
        const moment m = random_moment(sample);
        const carom_modal_direction plus =
            carom_modal_direction_at(m.lambda, m.parity, m.scale, m.t);
        const carom_modal_direction minus =
            carom_modal_direction_at(m.lambda, m.parity, m.scale, -m.t);
        const double sign = m.parity == CAROM_PARITY_EVEN ? -1.0 : 1.0;
        assert_close(minus.sine, sign * plus.sine, 0.0, 0.0);
        assert_close(minus.cosine, -sign * plus.cosine, 0.0, 0.0);
        assert_close(minus.rate, plus.rate, 0.0, 0.0);
    }
}

TEST(property, the_rate_is_the_derivative_of_the_angle) {
    for (unsigned long sample = 0; sample < 1000; sample++) {
        const moment m = random_moment(sample);
        // central difference of the long-double angle: h2 of third derivatives 1e3 w3, h = 1e-5/w
        const long double h = 1e-5L / sqrtl(fabsl((long double)m.lambda));
        const pair before = pair_at(m.lambda, m.parity, (long double)m.t - h);
        const pair after = pair_at(m.lambda, m.parity, (long double)m.t + h);
        const long double k = (long double)m.scale;
        const long double turned = atan2l(
            k * (after.velocity * before.acceleration - before.velocity * after.acceleration),
            after.acceleration * before.acceleration + k * k * after.velocity * before.velocity);
        const carom_modal_direction got =
            carom_modal_direction_at(m.lambda, m.parity, m.scale, m.t);
        const double w = sqrt(fabs(m.lambda));
        assert_close(got.rate / w, (double)(turned / (2.0L * h)) / w, 0.0, 2e-6);
    }
}

TEST(property, the_largest_rate_is_a_bound_and_is_reached) {
    for (unsigned long sample = 0; sample < 1000; sample++) {
        moment m = random_moment(sample);
        draws d = {SEED + 1, sample, 0};
        const double from = sample % 5 == 0 ? 0.0 : m.t * draw(&d, 0.0, 1.0);
        const double to = sample % 7 == 0 ? from : m.t;
        const double largest =
            carom_modal_direction_largest_rate(m.lambda, m.parity, m.scale, from, to);
        double sampled = 0.0;
        for (int i = 0; i <= 1000; i++) {
            const double t = i == 1000 ? to : from + i / 1000.0 * (to - from);
            sampled = fmax(sampled, fabs(expected_direction(m.lambda, m.parity, m.scale, t).rate));
        }
        // 1e-12: as above. The samples are at most 0.015 of a phase from the largest rate, which
        // falls to second order with a factor (ratio of the frequencies)2 <= 100.
        ck_assert_msg(sampled <= largest * (1.0 + 1e-12), "seed %lu sample %lu: %g > %g", SEED,
                      sample, sampled, largest);
        ck_assert_msg(sampled >= largest * 0.97, "seed %lu sample %lu: %g < %g", SEED, sample,
                      sampled, largest);
    }
}

TEST(property, the_curvature_is_a_bound_and_is_reached) {
    for (unsigned long sample = 0; sample < 1000; sample++) {
        const moment m = random_moment(sample);
        const double h = 1e-4 / fmax(m.scale, sqrt(fabs(m.lambda)));
        const double rate = fabs(carom_modal_direction_at(m.lambda, m.parity, m.scale, m.t).rate);
        const double later = carom_modal_direction_at(m.lambda, m.parity, m.scale, m.t + h).rate;
        const double earlier = carom_modal_direction_at(m.lambda, m.parity, m.scale, m.t - h).rate;
        const double bound = carom_modal_direction_curvature(m.lambda, m.scale, rate);
        // of the difference: h2/6 of the third derivative, some (10 w)2 rate / w; rounding eps/h
        const double slack = 1e-4 * rate * fmax(m.scale, fabs(m.lambda) / m.scale);
        ck_assert_msg(fabs(later - earlier) / (2.0 * h) <= bound + slack,
                      "seed %lu sample %lu: %g > %g", SEED, sample,
                      fabs(later - earlier) / (2.0 * h), bound);
    }
    // reached where kappa S = C (even), kappa C = omega2 S (odd)
    const double w = 1.385;
    const double k = 2.213;
    for (carom_parity p = CAROM_PARITY_EVEN; p <= CAROM_PARITY_ODD; p++) {
        const double t = (p == CAROM_PARITY_EVEN ? atan2(w, k) : atan2(k, w)) / w;
        const double h = 1e-5;
        const double rate = carom_modal_direction_at(w * w, p, k, t).rate;
        const double change = carom_modal_direction_at(w * w, p, k, t + h).rate -
                              carom_modal_direction_at(w * w, p, k, t - h).rate;
        assert_close(carom_modal_direction_curvature(w * w, k, rate), fabs(change) / (2.0 * h),
                     1e-8, 0.0);
    }
}

TEST(property, a_change_of_the_unit_of_time_changes_rates_alone) {
    for (unsigned long sample = 0; sample < 200; sample++) {
        const moment m = random_moment(sample);
        const double unit = 0x1p7;
        const carom_modal_direction slow =
            carom_modal_direction_at(m.lambda, m.parity, m.scale, m.t);
        const carom_modal_direction fast =
            carom_modal_direction_at(m.lambda * unit * unit, m.parity, m.scale * unit, m.t / unit);
        // a power of two: not even rounding differs, except in a switch to a series
        assert_close(fast.sine, slow.sine, 0.0, 1e-15);
        assert_close(fast.cosine, slow.cosine, 0.0, 1e-15);
        assert_close(fast.rate, slow.rate * unit, 1e-14, 0.0);
        const double from = 0.3 * m.t;
        assert_close(carom_modal_direction_largest_rate(m.lambda * unit * unit, m.parity,
                                                        m.scale * unit, from / unit, m.t / unit),
                     unit *
                         carom_modal_direction_largest_rate(m.lambda, m.parity, m.scale, from, m.t),
                     1e-14, 0.0);
    }
}

TEST(errors, extreme_arguments_stay_finite) {
    const double lambdas[] = {-1e300, -1e-300, -5e-324, 0.0, 5e-324, 1e-300, 1e300};
    const double times[] = {0.0, 5e-324, 1e-150, 1.0, 1e100};
    for (int i = 0; i < 7 * 5; i++) {
        for (carom_parity p = CAROM_PARITY_EVEN; p <= CAROM_PARITY_ODD; p++) {
            const carom_modal_direction got =
                carom_modal_direction_at(lambdas[i / 5], p, 1.731, times[i % 5]);
            assert_close(hypot(got.sine, got.cosine), 1.0, 1e-15, 0.0);
            ck_assert(isfinite(got.rate));
            const double largest =
                carom_modal_direction_largest_rate(lambdas[i / 5], p, 1.731, 0.0, times[i % 5]);
            ck_assert(isfinite(largest) && largest >= 0.0);
        }
    }
}
