#include <carom/timestepping/galpha/internal.h>

/*[galphaCoefficients]*/
carom_galpha_coefficients carom_galpha_coefficients_from_radius(double spectral_radius) {
    const double rho = spectral_radius;
    const double alpha_m = (2.0 * rho - 1.0) / (rho + 1.0);
    const double alpha_f = rho / (rho + 1.0);
    const double gamma = 0.5 + alpha_f - alpha_m;
    const double beta = 0.25 * (gamma + 0.5) * (gamma + 0.5);
    const carom_galpha_coefficients coefficients = {alpha_m, alpha_f, gamma, beta};
    return coefficients;
}
/*[end galphaCoefficients]*/

/* da/dv~' of (30e). */
static double pseudo_factor(const carom_galpha_coefficients *c) {
    return (1.0 - c->alpha_f) / (1.0 - c->alpha_m);
}

/* Prediction for the last v~', or for none: one sum each, or what sticks would creep by its
 * roundings. */
static void predict(carom_step_context *step, bool goes_on) {
    const carom_galpha_coefficients *c = &step->galpha;
    const carom_step_state *last = step->last;
    carom_step_state *next = step->next;
    const double h = step->params.step;
    /* a = x v~'_n + y a_n;  v~ = v_n + h (1-gamma) a_n + h gamma a;  q likewise */
    const double from_acceleration = c->alpha_f / (1.0 - c->alpha_m);
    const double from_pseudo = -c->alpha_m / (1.0 - c->alpha_m);
    const double velocity_last = h * (1.0 - c->gamma);
    const double velocity_next = h * c->gamma;
    const double position_last = h * h * (0.5 - c->beta);
    const double position_next = h * h * c->beta;
    const double factor = pseudo_factor(c);
    for (int i = 0; i < step->n; i++) {
        const double smooth = goes_on ? last->smooth_acceleration[i] : 0.0;
        const double a_n = last->pseudo_acceleration[i];
        const double v_n = last->velocity[i];
        const double a = from_acceleration * last->smooth_acceleration[i] + from_pseudo * a_n;
        const double a_next = a + factor * smooth;
        const double v = v_n + (velocity_last * a_n + velocity_next * a_next);
        next->pseudo_acceleration[i] = a;
        next->smooth_acceleration[i] = smooth;
        next->smooth_velocity[i] = v;
        next->velocity[i] = v;
        next->position[i] =
            last->position[i] + h * v_n + (position_last * a_n + position_next * a_next);
    }
}

void carom_galpha_predict(carom_step_context *step) {
    predict(step, false);
}

void carom_galpha_predict_on(carom_step_context *step) {
    predict(step, true);
}

void carom_galpha_finish(carom_step_context *step) {
    const double factor = pseudo_factor(&step->galpha);
    for (int i = 0; i < step->n; i++) {
        step->next->pseudo_acceleration[i] += factor * step->next->smooth_acceleration[i];
    }
}
