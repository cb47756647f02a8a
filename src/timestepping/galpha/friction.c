#include <carom/timestepping/galpha/internal.h>

#include <math.h>

/*[frictionResidual]*/
void carom_step_friction_residual(const carom_step_context *step, double *residual) {
    const carom_evaluation *at = &step->evaluation;
    const carom_step_state *x = step->next;
    const int t = at->tangent_count;
    for (int j = 0; j < step->m - step->joint_count; j++) {
        const int first = step->m + j * t;
        const double limit =
            step->mechanism->friction[j] * fmax(x->impulse[step->joint_count + j], 0.0);
        double tried[2] = {0.0, 0.0}; /* Lambda_t - r H v */
        for (int a = 0; a < t; a++) {
            tried[a] = x->impulse[first + a] - step->activation[first + a] * at->rate[first + a];
        }
        const double length = hypot(tried[0], tried[1]);
        const double part = length > limit ? limit / length : 1.0;
        for (int a = 0; a < t; a++) {
            residual[j * t + a] = x->impulse[first + a] - part * tried[a];
        }
    }
}
/*[end frictionResidual]*/

void carom_step_friction_scale(const carom_step_context *step, double *scale) {
    const int t = step->evaluation.tangent_count;
    for (int k = 0; k < step->evaluation.row_count - step->m; k++) {
        const int first = step->m + k - k % t;
        double rate = step->scales.rate[step->joint_count + k / t];
        for (int a = 0; a < t; a++) {
            rate = fmax(rate, step->scales.rate[first + a]);
        }
        scale[k] = step->activation[step->m + k] * rate;
    }
}
