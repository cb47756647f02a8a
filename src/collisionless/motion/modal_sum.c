#include <carom/collisionless/motion/spectral_motion.h>

#include <carom/collisionless/motion/internal.h>

#include <float.h>
#include <math.h>

void carom_modal_sum_anchor(carom_modal_sum *sum) {
    sum->offset = 0.0;
    for (int i = 0; i < sum->count; i++) {
        const carom_modal_function h =
            carom_modal_function_evaluate(sum->lambda[i], sum->parity[i], sum->impact_time);
        sum->offset += sum->weight[i] * h.displacement;
    }
}

void carom_modal_sum_evaluate(const carom_modal_sum *sum, double t, double *derivative) {
    derivative[0] = 0.0;
    derivative[1] = 0.0;
    derivative[2] = 0.0;
    derivative[3] = 0.0;
    for (int i = 0; i < sum->count; i++) {
        const carom_modal_function h =
            carom_modal_function_evaluate(sum->lambda[i], sum->parity[i], t);
        const double weight = sum->weight[i] * exp(h.log_scale - sum->log_scale[i]);
        derivative[0] += weight * h.displacement;
        derivative[1] += weight * h.velocity;
        derivative[2] += weight * h.acceleration;
        derivative[3] += weight * h.jerk;
    }
    derivative[0] -= sum->offset;
}

/** max |C| and max |S| up to a time t >= 0, times exp(-log_scale) of the mode at the impact. */
static void largest_functions(double lambda, double log_scale, double t, double *C, double *S) {
    if (lambda > 0.0) {
        const double factor = exp(-log_scale);
        *C = factor;
        *S = factor * fmin(t, 1.0 / sqrt(lambda));
        return;
    }
    const carom_modal_function odd = carom_modal_function_evaluate(lambda, CAROM_PARITY_ODD, t);
    const double factor = exp(odd.log_scale - log_scale);
    *C = factor * odd.velocity;
    *S = factor * odd.displacement;
}

/** max |h^(order)| of a mode up to a time. */
static double largest_derivative(const carom_modal_sum *sum, int i, int order, double t) {
    const double lambda = sum->lambda[i];
    double C;
    double S;
    largest_functions(lambda, sum->log_scale[i], t, &C, &S);
    /* An even mode is the integral of an odd one: (1 - C)/lambda <= t^2/2 max C, S, C, ... */
    const int odd_order = sum->parity[i] == CAROM_PARITY_EVEN ? order - 1 : order;
    if (odd_order < 0) {
        return lambda > 0.0 ? fmin(0.5 * t * t, 2.0 / lambda) : 0.5 * t * t * C;
    }
    /* S, C, -lambda S, -lambda C, lambda^2 S. */
    const double power = odd_order >= 4 ? lambda * lambda : odd_order >= 2 ? fabs(lambda) : 1.0;
    return power * (odd_order % 2 == 0 ? S : C);
}

double carom_modal_sum_bound(const carom_modal_sum *sum, int order, double t) {
    double bound = 0.0;
    for (int i = 0; i < sum->count; i++) {
        bound += fabs(sum->weight[i]) * largest_derivative(sum, i, order, t);
    }
    return bound;
}

double carom_modal_sum_rounding(const carom_modal_sum *sum, double t, double radius) {
    /* Every term is right to a few roundings of its own and of its argument, which counts times
     * the next derivative. */
    const double T = fabs(sum->impact_time);
    const double anchor = carom_modal_sum_bound(sum, 0, T) + T * carom_modal_sum_bound(sum, 1, T);
    double bound[4];
    for (int order = 0; order < 4; order++) {
        bound[order] = carom_modal_sum_bound(sum, order, t) + (order == 0 ? anchor : 0.0);
    }
    const double value = bound[0] + t * bound[1];
    const double slope = bound[1] + t * bound[2];
    const double curvature = bound[2] + t * bound[3];
    return (sum->count + 8) * DBL_EPSILON *
           (value + radius * slope + 0.5 * radius * radius * curvature);
}
