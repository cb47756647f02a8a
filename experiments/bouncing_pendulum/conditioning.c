/**
 * Conditioning of the Newton matrix (bruls-2014 section 8). Residual and unknowns are scaled by
 * powers of h such that the matrix tends to a regular constant one as h -> 0 (46): its condition
 * number does not depend on the step. Without the scaling it would grow as 1/h^2.
 */
#include "results.h"

#include <carom/study/scheme_options.h>

#include <math.h>

/** Steps over that of the options, three decades apart: a dependence on the step would show as a
 * factor of a thousand or more. */
static const double COARSE_STEP = 10.0;
static const double FINE_STEP = 0.01;
/** Terms of order h may be left at the coarse step. */
static const double SAME_CONDITION = 0.05;

/** The pendulum at rest against the wall, where both joints and the contact are in the matrix. */
static carom_bouncing_pendulum_params at_wall(carom_bouncing_pendulum_params pendulum) {
    pendulum.initial_angle = -acos(pendulum.wall_position / pendulum.length);
    pendulum.initial_rate = 0.0;
    return pendulum;
}

/** The contact, which comes after the joints, acts at position and velocity level. */
static bool is_closed(const carom_step *step) {
    return step->position_active[JOINTS] && step->velocity_active[JOINTS];
}

/** Condition number after one step from rest against the wall. */
static carom_status first_step(const carom_model *model, const carom_stepper_params *params,
                               double *condition) {
    carom_stepper *stepper = NULL;
    CAROM_TRY(carom_stepper_alloc(&model->mechanism, params, &stepper, NULL));
    carom_status status =
        carom_stepper_start(stepper, 0.0, model->initial_position, model->initial_velocity, NULL);
    if (status == CAROM_OK) {
        status = carom_stepper_advance(stepper, NULL);
    }
    if (status == CAROM_OK && is_closed(carom_stepper_result(stepper))) {
        status = carom_stepper_condition_number(stepper, condition);
    }
    carom_stepper_free(stepper);
    return status;
}

/** The full matrix (44) for a multiple of the step; NaN if the pendulum cannot rest against the
 * wall. */
static carom_status find_condition(const settings *values, double step, double *condition) {
    const carom_bouncing_pendulum_params pendulum = at_wall(values->pendulum);
    carom_stepper_params params =
        carom_scheme_options_params(&values->schemes, CAROM_SCHEME_NONSMOOTH_GALPHA);
    params.step = step * values->schemes.step;
    params.newton = CAROM_NEWTON_MONOLITHIC;
    carom_model *model = NULL;
    double found = (double)NAN;
    carom_status status = carom_bouncing_pendulum_alloc(&pendulum, &model, NULL);
    if (status == CAROM_OK) {
        status = first_step(model, &params, &found);
    }
    carom_model_free(model);
    *condition = status == CAROM_OK ? found : (double)NAN;
    return bouncing_pendulum_unless_unknown(status);
}

carom_status bouncing_pendulum_study_conditioning(const settings *values, carom_record *record) {
    if (!carom_scheme_options_selects(&values->schemes, CAROM_SCHEME_NONSMOOTH_GALPHA)) {
        return CAROM_OK;
    }
    double coarse = (double)NAN;
    double fine = (double)NAN;
    CAROM_TRY(find_condition(values, COARSE_STEP, &coarse));
    CAROM_TRY(find_condition(values, FINE_STEP, &fine));
    if (!isfinite(coarse) || !isfinite(fine)) {
        return CAROM_OK;
    }
    carom_record_measure(
        record, "newton_condition_coarse", coarse, "1",
        "condition number of the Newton matrix at rest against the wall, ten times the step");
    carom_record_measure(
        record, "newton_condition_fine", fine, "1",
        "condition number of the Newton matrix at rest against the wall, a hundredth of the step");
    carom_record_claim(record, "newton_matrix_stays_well_conditioned",
                       fabs(coarse / fine - 1.0) <= SAME_CONDITION,
                       "the condition number of the Newton matrix does not depend on the "
                       "step");
    return CAROM_OK;
}
