#include <carom/collisionless/gait/rocking_motion.h>

carom_status carom_exact_gait_find(const carom_armed_biped_params *biped,
                                   const carom_gait_start *start, int samples,
                                   carom_exact_gait *out, carom_report *report) {
    CAROM_ASSERT(biped != NULL && start != NULL && out != NULL);
    // Even numbers in both phases, together about those asked for.
    const int constrained = samples < 16 ? 2 : 2 * (samples / 8);
    CAROM_AUTO(carom_nonlinear_gait) gait = NULL;
    CAROM_AUTO(carom_gait_trajectory) quarter = NULL;
    *out = (carom_exact_gait){.biped = *biped};
    CAROM_TRY(carom_nonlinear_gait_solve(biped, start, NULL, &gait, report));
    CAROM_TRY(
        carom_gait_trajectory_quarter(biped, gait, 3 * constrained, constrained, &quarter, report));
    out->conditions = carom_gait_conditions_evaluate(biped, gait, quarter);
    CAROM_HAND_OVER(gait, &out->gait);
    CAROM_HAND_OVER(quarter, &out->quarter);
    return CAROM_OK;
}

void carom_exact_gait_clear(carom_exact_gait *exact) {
    carom_gait_trajectory_free(exact->quarter);
    carom_nonlinear_gait_free(exact->gait);
}

carom_status carom_exact_gait_time_slopes(const carom_armed_biped_params *biped,
                                          const carom_gait_start *start, double theta,
                                          double slopes[2], carom_report *report) {
    CAROM_ASSERT(biped != NULL && start != NULL && slopes != NULL);
    double differences[2][2]; // of tau and tau', from those of theta = 0
    for (int k = 0; k < 2; k++) {
        carom_armed_biped_params at_angle = *biped;
        CAROM_AUTO(carom_nonlinear_gait) gait = NULL;
        at_angle.half_step_angle = (k + 1) * theta;
        CAROM_TRY(carom_nonlinear_gait_solve(&at_angle, start, NULL, &gait, report));
        differences[0][k] = gait->time - start->time;
        differences[1][k] = gait->constrained_time - start->constrained_time;
    }
    for (int i = 0; i < 2; i++) {
        slopes[i] = (4.0 * differences[i][0] - 0.25 * differences[i][1]) / (3.0 * (theta * theta));
    }
    return CAROM_OK;
}
