#include <carom/collisionless/gait/gait.h>

#include <carom/collisionless/gait/internal.h>

#include <math.h>
#include <stdlib.h>

/* Angles up to which the harmonic gait is close enough to start Newton's method from. */
static const double FIRST_ANGLE = 1e-3;

/* Steps along the family: that of the first, the shortest, the longest, and how many. */
static const double FIRST_STEP = 0.05;
static const double LEAST_STEP = 1e-6;
static const double LARGEST_STEP = 0.3;
enum { MOST_STEPS = 400 };

/* Nearer to the upper vertical, rad, the arm is at its equilibrium but for tau: theta hardly grows.
 */
static const double LEAST_ARM_REACH = 0.01;

/* Walk to the first gait with this angle, or as far as the family goes. */
static carom_status walk_to_angle(carom_gait_continuation *path, double theta) {
    double step = FIRST_STEP;
    for (int i = 0; carom_gait_continuation_angle(path) < theta; i++) {
        if (i == MOST_STEPS || carom_gait_continuation_arm_reach(path) < LEAST_ARM_REACH) {
            return CAROM_STATUS_NOT_CONVERGED;
        }
        CAROM_TRY(carom_gait_continuation_advance(path, LEAST_STEP, LARGEST_STEP, &step));
    }
    return carom_gait_continuation_angle(path) > theta
               ? carom_gait_continuation_return_to_angle(path, theta)
               : CAROM_OK;
}

static carom_status make_gait(carom_gait_continuation *path, carom_nonlinear_gait **out) {
    CAROM_AUTO(carom_nonlinear_gait) gait = calloc(1, sizeof *gait);
    if (gait == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    gait->states = calloc(carom_gait_continuation_state_size(path), sizeof *gait->states);
    if (gait->states == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_TRY(carom_gait_continuation_store(path, gait));
    CAROM_HAND_OVER(gait, out);
    return CAROM_OK;
}

carom_status carom_nonlinear_gait_solve(const carom_armed_biped_params *biped,
                                        const carom_gait_start *start,
                                        const carom_gait_params *params, carom_nonlinear_gait **out,
                                        carom_report *report) {
    CAROM_ASSERT(biped != NULL && start != NULL && out != NULL);
    *out = NULL;
    const carom_gait_params used = params != NULL ? *params : carom_gait_params_default();
    CAROM_TRY(carom_armed_biped_check(biped, report));
    CAROM_TRY(carom_gait_start_check(biped, start, report));
    CAROM_TRY(carom_gait_params_check(&used, report));
    CAROM_AUTO(carom_gait_continuation) path = NULL;
    CAROM_TRY(carom_gait_continuation_alloc(biped, &used, &path, report));
    const double theta = biped->half_step_angle;
    CAROM_TRY(carom_gait_continuation_begin(path, start, fmin(theta, FIRST_ANGLE), report));
    const carom_status status = walk_to_angle(path, theta);
    if (status != CAROM_OK) {
        return carom_report_fail(report, status, "half step angle",
                                 carom_gait_continuation_angle(path), -1);
    }
    return make_gait(path, out);
}

void carom_nonlinear_gait_free(carom_nonlinear_gait *gait) {
    if (gait == NULL) {
        return;
    }
    free(gait->states);
    free(gait);
}
