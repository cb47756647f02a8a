/* A ball dropped on a floor, in time, with the nonsmooth generalized-alpha scheme: it bounces lower
 * and lower and comes to rest after infinitely many impacts. Prints when it rests, beside the sum
 * of the geometric series of its flights, and how high its centre then is. */
#include <carom/carom.h>
#include <stdio.h>

static carom_status drop(carom_report *why) {
    carom_bouncing_ball_params ball = carom_bouncing_ball_params_default();
    ball.radius = 0.03;        /* m */
    ball.initial_height = 1.5; /* m, of the centre */
    ball.restitution = 0.7;
    carom_stepper_params scheme = carom_stepper_params_default(CAROM_SCHEME_NONSMOOTH_GALPHA);
    scheme.step = 1e-4; /* s */

    CAROM_AUTO(carom_model) model = NULL; /* freed where the function ends */
    CAROM_AUTO(carom_trajectory) motion = NULL;
    CAROM_TRY(carom_bouncing_ball_alloc(&ball, &model, why));
    CAROM_TRY(carom_trajectory_run(&model->mechanism, &scheme, model->initial_position,
                                   model->initial_velocity, 4.0, NULL, NULL, &motion, why));

    int last = motion->row_count - 1;
    int rest = last; /* the first row from which on the ball does not leave the floor any more */
    while (rest > 0 && motion->gap[rest - 1] < 1e-9) {
        rest--;
    }
    printf("at rest after %.3f s, in closed form %.3f s\n", motion->time[rest],
           carom_bouncing_ball_exact_accumulation_time(&ball));
    printf("height of the centre %.4f m\n", motion->position[last]);
    return CAROM_OK;
}

int main(void) {
    carom_report why = carom_report_empty();
    const carom_status status = drop(&why);
    if (status != CAROM_OK) {
        carom_report_print(stderr, status, &why);
    }
    return status != CAROM_OK;
}
