/** The impact equations of section 4 as they are printed, at roots that were found without them. */
#include "results.h"

/*[collisionlessModelRate]*/
double collisionless_models_rate(double lambda, bool is_odd, double t) {
    const double omega = sqrt(fabs(lambda));
    if (lambda < 0.0) { // (19): - tanh^sigma(nu t) nu
        return -omega * (is_odd ? tanh(omega * t) : 1.0 / tanh(omega * t));
    }
    if (lambda > 0.0) { // sigma tan^sigma(omega t) omega
        return is_odd ? omega * tan(omega * t) : -omega / tan(omega * t);
    }
    return is_odd ? 0.0 : -1.0 / t; // the limit lambda -> 0
}
/*[end collisionlessModelRate]*/

/**
 * A tangent multiplies the rounding of its argument o by about o (1 + tan^2 o) / |tan o|. In units
 * of that a residual is rounding, however large o.
 */
static double relative_residual(double actual, double expected, double o) {
    return fabs(actual - expected) / (1.0 + o * o) / fmax(fabs(actual), fabs(expected));
}

/** (18), and with it (17), where G_i1 = -(w_i/lambda_i) / (w'_1/lambda'_1) by (31). */
static void insert_into_18(gait *g, const carom_impact_root *root) {
    const bool is_odd = g->model.is_unconstrained_odd;
    const double constrained_rate = collisionless_models_rate(
        g->constrained, g->model.is_constrained_odd, root->constrained_time);
    const double o = sqrt(g->spectrum[1]) * root->time;
    for (int i = 0; i < COORDINATES; i++) {
        const double lambda = g->spectrum[i];
        const double rate = collisionless_models_rate(lambda, is_odd, root->time);
        g->rate_residual =
            fmax(g->rate_residual, relative_residual(rate / constrained_rate, -1.0, o));
        if (lambda < 0.0 || lambda > 0.0) { // lambda_1 = 0: no G_11
            const double G = -(rate / lambda) / (constrained_rate / g->constrained);
            g->ratio_residual =
                fmax(g->ratio_residual, relative_residual(G, g->constrained / lambda, o));
        }
    }
}

/** The two equations of a section, in impact phases: (23), (25) or (27). */
static void insert_into_section(gait *g, const carom_impact_root *root) {
    const double o_1 = sqrt(-g->spectrum[0]) * root->time;
    const double o_2 = sqrt(g->spectrum[1]) * root->time;
    const double o = sqrt(g->constrained) * root->constrained_time;
    const double mu = root->time / root->constrained_time;
    double left[2] = {o_2 / tan(o_2), mu * o * tan(o)};
    double right[2] = {o_1 / tanh(o_1), o_1 / tanh(o_1)};
    if (g->kind == &COLLISIONLESS_HOP) {
        left[1] = mu * o / tan(o);
        right[0] = 1.0;
        right[1] = -1.0;
    } else if (g->kind == &COLLISIONLESS_ROLL) {
        left[0] = o_2 * tan(o_2);
        right[0] = -o_1 * tanh(o_1);
        right[1] = o_1 * tanh(o_1);
    }
    for (int line = 0; line < 2; line++) {
        g->printed_residual =
            fmax(g->printed_residual, relative_residual(left[line], right[line], fmax(o_2, o)));
    }
}

void collisionless_models_insert_roots(gait *g, int count) {
    for (int k = 0; k < count; k++) {
        insert_into_18(g, &g->general[k]);
        insert_into_section(g, &g->general[k]);
    }
}

sides_of_53 collisionless_models_evaluate_53(const gait *g, const carom_impact_root *root) {
    const double nu = sqrt(-g->spectrum[0]);
    const double omega = sqrt(g->spectrum[1]);
    const double sigma = g->model.is_unconstrained_odd ? 1.0 : -1.0;
    const double hyperbolic = tanh(nu * root->time) * pow(nu, sigma);
    // sigma_1 sigma_2 = 1: both modes have one parity
    return (sides_of_53){
        .left = sigma * hyperbolic,
        .derived_left = hyperbolic,
        .right = -sigma * tan(omega * root->time) * pow(omega, sigma),
    };
}
