#include <carom/collisionless/motion/internal.h>

#include <float.h>
#include <gsl/gsl_math.h>
#include <math.h>

carom_modal_direction carom_modal_direction_at(double lambda, carom_parity parity, double scale,
                                               double t) {
    /* C and S, divided by cosh for a hyperbolic mode; C2 + lambda S2 = 1/cosh2. */
    double C = 1.0;
    double S = t;
    double wronskian = 1.0;
    if (lambda > 0.0) {
        const double omega = sqrt(lambda);
        C = cos(omega * t);
        S = sin(omega * t) / omega;
    } else if (lambda < 0.0) {
        const double nu = sqrt(-lambda);
        const double decay = 1.0 / cosh(nu * t);
        S = tanh(nu * t) / nu;
        wronskian = decay * decay;
    }
    const bool is_even = parity == CAROM_PARITY_EVEN;
    const double velocity = scale * (is_even ? S : C);
    const double acceleration = is_even ? C : -lambda * S;
    const double square = velocity * velocity + acceleration * acceleration;
    const double length = sqrt(square);
    return (carom_modal_direction){
        .sine = velocity / length,
        .cosine = acceleration / length,
        .rate = scale * (is_even ? 1.0 : lambda) * wronskian / square,
    };
}

/** Roundings of the largest rate, as a part of it. */
static const double RATE_ROUNDING = 16.0 * DBL_EPSILON;

/**
 * Least and largest sin2(x) for x in [from, to], which has its zeros at k pi and its maxima half
 * way between; from the sine itself, so that small values keep their digits.
 */
static void sine_square_range(double from, double to, double *least, double *largest) {
    const double a = sin(from);
    const double b = sin(to);
    *least = fmin(a * a, b * b);
    *largest = fmax(a * a, b * b);
    if (floor(to / M_PI) > floor(from / M_PI)) {
        *least = 0.0;
    }
    if (floor(to / M_PI - 0.5) > floor(from / M_PI - 0.5)) {
        *largest = 1.0;
    }
}

double carom_modal_direction_largest_rate(double lambda, carom_parity parity, double scale,
                                          double from, double to) {
    /* Hyperbolic: C2 and S2 grow with time, so the rate falls. */
    if (lambda <= 0.0) {
        return fabs(carom_modal_direction_at(lambda, parity, scale, from).rate);
    }
    /* Oscillating, x = sqrt(lambda) t: kappa2 S2 + C2 = 1 + (kappa2/lambda - 1) sin2 x (even), and
     * 1/lambda times kappa2 C2 + lambda2 S2 = kappa2/lambda + (1 - kappa2/lambda) sin2 x (odd). */
    const double omega = sqrt(lambda);
    double least = 0.0;
    double largest = 1.0;
    sine_square_range(omega * from, omega * to, &least, &largest);
    /* Finite, for the smallest numbers too: it may be multiplied by zero. */
    const double ratio = fmin(scale * scale / lambda, DBL_MAX);
    const bool is_even = parity == CAROM_PARITY_EVEN;
    const double at_zero = is_even ? 1.0 : ratio;
    const double at_one = is_even ? ratio : 1.0;
    const double smallest = fmin(at_zero * (1.0 - least) + at_one * least,
                                 at_zero * (1.0 - largest) + at_one * largest);
    return scale / smallest * (1.0 + RATE_ROUNDING);
}

double carom_modal_direction_curvature(double lambda, double scale, double rate) {
    return rate * fabs(lambda - scale * scale) / scale;
}
