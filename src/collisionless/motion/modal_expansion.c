#include <carom/collisionless/motion/internal.h>

#include <math.h>

/** g, dg/dt, d2g/dt2, d3g/dt3 of the paper (11). */
static void evaluate(double lambda, carom_parity parity, double t, double g[4]) {
    // h has h'' = 1 - lambda h (even) or -lambda h (odd); g = h'' or nu h.
    const carom_modal_function h = carom_modal_function_evaluate(lambda, parity, t);
    const double factor = exp(h.log_scale);
    if (parity == CAROM_PARITY_EVEN) {
        g[0] = factor * h.acceleration;
        g[1] = factor * h.jerk;
    } else {
        g[0] = factor * sqrt(fabs(lambda)) * h.displacement;
        g[1] = factor * sqrt(fabs(lambda)) * h.velocity;
    }
    g[2] = -lambda * g[0];
    g[3] = -lambda * g[1];
}

/** What the sum of a phase runs over. */
typedef struct phase_sum {
    int mode_count;
    const double *lambda;       /**< [mode_count] */
    const carom_parity *parity; /**< [mode_count] */
    const double *amplitude;    /**< q or q' [mode_count] */
    const double *shape;        /**< X or X' [n][mode_count] */
    const double *origin;       /**< x^0 [n]; NULL: zero */
} phase_sum;

static phase_sum sum_of(const carom_collisionless_motion *motion, carom_motion_phase phase) {
    const carom_phase_modes *modes = motion->modes;
    const carom_phase_spectra *s = modes->spectra;
    if (phase == CAROM_MOTION_UNCONSTRAINED) {
        return (phase_sum){s->mode_count,     s->unconstrained, s->unconstrained_parity,
                           motion->amplitude, modes->shape,     NULL};
    }
    return (phase_sum){s->mode_count - 1,        s->constrained,
                       s->constrained_parity,    motion->constrained_amplitude,
                       modes->constrained_shape, motion->static_position};
}

void carom_collisionless_motion_expand(const carom_collisionless_motion *motion,
                                       carom_motion_phase phase, double t, double *state) {
    CAROM_ASSERT(motion != NULL && state != NULL);
    const int n = motion->modes->coordinate_count;
    const phase_sum sum = sum_of(motion, phase);
    for (int a = 0; a < 4 * n; a++) {
        state[a] = a < n && sum.origin != NULL ? sum.origin[a] : 0.0;
    }
    for (int i = 0; i < sum.mode_count; i++) {
        double g[4];
        evaluate(sum.lambda[i], sum.parity[i], t, g);
        for (int a = 0; a < 4 * n; a++) {
            state[a] += sum.shape[(a % n) * sum.mode_count + i] * sum.amplitude[i] * g[a / n];
        }
    }
}
