#include <carom/collisionless/motion/internal.h>

#include <float.h>
#include <math.h>
#include <stddef.h>

/** Phases below which sin(x)/x = 1 - x2/6 and tanh(x)/x = 1 - x2/3 are 1 to rounding. */
static const double SMALL_PHASE = 1e-8;

static const double LOG_TWO = 0.69314718055994530941723212145818;

/** Phase sqrt|lambda| t of a mode as value + rest: of a long time only its rest mod 2 pi counts. */
typedef struct mode_phase {
    double rate;  /**< sqrt|lambda|, 1/s */
    double value; /**< rounded, rad */
    double rest;  /**< what the roundings of the root and of the product took, rad */
} mode_phase;

/** C and S of a time, both over cosh for lambda < 0. */
typedef struct mode_pair {
    double C;             /**< 1 */
    double S;             /**< s */
    double inverse_scale; /**< 1/cosh(nu t) for lambda < 0, else 1 */
} mode_pair;

static mode_phase phase_of(double lambda, double t) {
    mode_phase phase = {.rate = sqrt(fabs(lambda))};
    phase.value = phase.rate * t;
    if (fabs(phase.value) > SMALL_PHASE) {
        const double root_rest = fma(-phase.rate, phase.rate, fabs(lambda)) / (2.0 * phase.rate);
        phase.rest = fma(phase.rate, t, -phase.value) + root_rest * t;
    }
    return phase;
}

/** sin(phase), the rest to first order: its square is below rounding for phases up to 1e8. */
static double phase_sine(const mode_phase *phase) {
    return sin(phase->value) + phase->rest * cos(phase->value);
}

static double phase_cosine(const mode_phase *phase) {
    return cos(phase->value) - phase->rest * sin(phase->value);
}

/** 1/cosh(phase) = 2 e/(1 + e2) with e = exp(-|phase|): nothing overflows. */
static double phase_sech(const mode_phase *phase) {
    const double rest = phase->value < 0.0 ? -phase->rest : phase->rest;
    const double e = exp(-fabs(phase->value)) * (1.0 - rest);
    return 2.0 * e / (1.0 + e * e);
}

/** tanh(phase): its derivative is 1/cosh2, below 4 exp(-2 |phase|). */
static double phase_tanh(const mode_phase *phase) {
    return tanh(phase->value) + phase->rest * 4.0 * exp(-2.0 * fabs(phase->value));
}

/** S(t) for lambda > 0, S(t)/cosh(nu t) for lambda < 0. */
static double scaled_sine(double lambda, double t, const mode_phase *phase) {
    if (!(fabs(phase->value) > SMALL_PHASE)) {
        return t;
    }
    return (lambda > 0.0 ? phase_sine(phase) : phase_tanh(phase)) / phase->rate;
}

static mode_pair pair_of(double lambda, double t) {
    const mode_phase phase = phase_of(lambda, t);
    mode_pair pair = {.C = 1.0, .S = scaled_sine(lambda, t, &phase), .inverse_scale = 1.0};
    if (lambda > 0.0) {
        pair.C = phase_cosine(&phase);
    } else if (lambda < 0.0) {
        pair.inverse_scale = phase_sech(&phase);
    }
    return pair;
}

/** (1 - C)/lambda = 2 S(t/2)2, over cosh(nu t) = 2 cosh2(nu t/2)/(1 + 1/cosh(nu t)). */
static double even_displacement(double lambda, double t, double inverse_scale) {
    const mode_phase phase = phase_of(lambda, 0.5 * t);
    const double half = scaled_sine(lambda, 0.5 * t, &phase);
    return half * half * (1.0 + inverse_scale);
}

/** log cosh y without overflow for large y and without cancellation for small y. */
static double log_cosh(double y) {
    if (fabs(y) < 1.0) {
        const double half = sinh(0.5 * y);
        return log1p(2.0 * half * half);
    }
    return fabs(y) - LOG_TWO + log1p(exp(-2.0 * fabs(y)));
}

carom_modal_function carom_modal_function_evaluate(double lambda, carom_parity parity, double t) {
    const mode_pair pair = pair_of(lambda, t);
    carom_modal_function mode = {0};
    if (parity == CAROM_PARITY_EVEN) {
        mode.displacement = even_displacement(lambda, t, pair.inverse_scale);
        mode.velocity = pair.S;
        mode.acceleration = pair.C;
        mode.jerk = -lambda * pair.S;
    } else {
        mode.displacement = pair.S;
        mode.velocity = pair.C;
        mode.acceleration = -lambda * pair.S;
        mode.jerk = -lambda * pair.C;
    }
    if (lambda < 0.0) {
        mode.log_scale = log_cosh(phase_of(lambda, t).value);
    }
    return mode;
}

double carom_modal_function_amplitude_factor(double lambda, carom_parity parity) {
    return parity == CAROM_PARITY_EVEN ? -1.0 / lambda : 1.0 / sqrt(fabs(lambda));
}
