#include <carom/study/pendulum_motion.h>

#include <math.h>
#include <stdlib.h>

enum {
    COORDINATES = CAROM_PENDULUM_COORDINATES,
    ANGLE = CAROM_PENDULUM_ANGLE,
    JOINTS = CAROM_PENDULUM_JOINTS
};

/** Impacts whose energies are compared: later ones are displaced by the errors of the earlier. */
enum { COMPARED_IMPACTS = 3 };

carom_status carom_pendulum_impacts_until(const carom_bouncing_pendulum_params *params,
                                          double until, int most,
                                          carom_bouncing_pendulum_impact *impacts, int *count) {
    *count = 0;
    CAROM_TRY(carom_bouncing_pendulum_exact_impacts(params, most, impacts, NULL));
    // Impacts that share the time of the accumulation are none.
    double previous = -1.0;
    while (*count < most && impacts[*count].time > previous && impacts[*count].time <= until) {
        previous = impacts[*count].time;
        ++*count;
    }
    return CAROM_OK;
}

carom_status carom_pendulum_exact_forces(const carom_bouncing_pendulum_params *params, int count,
                                         const double *times, double *forces) {
    CAROM_AUTO_MEMORY double *angle = malloc((size_t)count * 2 * sizeof *angle);
    if (angle == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    double *rate = angle + count;
    CAROM_TRY(carom_bouncing_pendulum_exact_states(params, count, times, angle, rate, NULL));
    for (int i = 0; i < count; i++) {
        carom_bouncing_pendulum_exact_joint_force(params, angle[i], rate[i],
                                                  &forces[(size_t)i * JOINTS]);
    }
    return CAROM_OK;
}

double carom_pendulum_plateau_error(const carom_trajectory *run,
                                    const carom_bouncing_pendulum_impact *impacts, int count) {
    int row[COMPARED_IMPACTS + 1];
    const int found = carom_trajectory_impacts(run, 0, COMPARED_IMPACTS + 1, row);
    const int known = found < count ? found : count;
    double largest = 0.0;
    for (int k = 0; k + 1 < known; k++) {
        const carom_series plateau = {run->energy, 1, 0, row[k], row[k + 1]};
        largest = fmax(largest, fabs(carom_series_mean(plateau) - impacts[k].energy));
    }
    const double lost = known > 1 ? run->energy[0] - run->energy[run->row_count - 1] : 0.0;
    return lost > 0.0 ? largest / lost : (double)NAN;
}

/*[bouncingPendulumDeviation]*/
carom_pendulum_force carom_pendulum_force_of(const carom_bouncing_pendulum_params *params,
                                             const carom_trajectory *run, int row) {
    const size_t k = (size_t)row * COORDINATES + ANGLE;
    const double force = run->joint_force[(size_t)row * JOINTS];
    double exact[JOINTS];
    carom_bouncing_pendulum_exact_joint_force(params, run->position[k], run->velocity[k], exact);
    return (carom_pendulum_force){
        .time = run->time[row],
        .deviation = force - exact[0],
        .reaction = run->joint_impulse[(size_t)row * JOINTS] / run->step + force,
        .exact = exact[0],
    };
}
/*[end bouncingPendulumDeviation]*/

carom_status carom_pendulum_compare(const carom_bouncing_pendulum_params *params,
                                    const carom_trajectory *run, carom_pendulum_errors *errors) {
    *errors = (carom_pendulum_errors){.is_known = false};
    CAROM_AUTO_MEMORY double *angle = malloc((size_t)run->row_count * 2 * sizeof *angle);
    if (angle == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    double *rate = angle + run->row_count;
    const carom_status known =
        carom_bouncing_pendulum_exact_states(params, run->row_count, run->time, angle, rate, NULL);
    errors->is_known = known == CAROM_OK && run->outcome == CAROM_OK;
    for (int row = 1; errors->is_known && row < run->row_count; row++) {
        const size_t k = (size_t)row * COORDINATES + ANGLE;
        const double weight = 1.0 / (run->row_count - 1);
        const double reaction = carom_pendulum_force_of(params, run, row).reaction;
        double force[JOINTS];
        carom_bouncing_pendulum_exact_joint_force(params, angle[row], rate[row], force);
        errors->angle += weight * fabs(run->position[k] - angle[row]);
        errors->rate += weight * fabs(run->velocity[k] - rate[row]);
        errors->reaction += weight * fabs(reaction - force[0]);
    }
    return known == CAROM_STATUS_OUT_OF_MEMORY ? known : CAROM_OK;
}

/** The same; any failure is returned. */
static carom_status find_condition(const carom_bouncing_pendulum_params *params,
                                   const carom_stepper_params *stepper_params, double *condition) {
    CAROM_AUTO(carom_model) model = NULL;
    CAROM_AUTO(carom_stepper) stepper = NULL;
    CAROM_TRY(carom_bouncing_pendulum_alloc(params, &model, NULL));
    CAROM_TRY(carom_stepper_alloc(&model->mechanism, stepper_params, &stepper, NULL));
    CAROM_TRY(
        carom_stepper_start(stepper, 0.0, model->initial_position, model->initial_velocity, NULL));
    CAROM_TRY(carom_stepper_advance(stepper, NULL));
    const carom_step *result = carom_stepper_result(stepper);
    // The contact comes after the joints.
    if (result->position_active[JOINTS] && result->velocity_active[JOINTS]) {
        CAROM_TRY(carom_stepper_condition_number(stepper, condition));
    }
    return CAROM_OK;
}

carom_status carom_pendulum_condition(const carom_bouncing_pendulum_params *params,
                                      const carom_stepper_params *stepper, double *condition) {
    carom_bouncing_pendulum_params at_rest = *params;
    at_rest.initial_angle = -acos(params->wall_position / params->length);
    at_rest.initial_rate = 0.0;
    carom_stepper_params monolithic = *stepper;
    monolithic.newton = CAROM_NEWTON_MONOLITHIC;
    double found = (double)NAN;
    const carom_status status = find_condition(&at_rest, &monolithic, &found);
    *condition = status == CAROM_OK ? found : (double)NAN;
    return status == CAROM_STATUS_OUT_OF_MEMORY ? status : CAROM_OK;
}
