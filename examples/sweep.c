/* A threaded sweep into one record: a ball is dropped with coefficients of restitution from 0.2 to
 * 0.9, the runs side by side (with -fopenmp), and one thread writes what all of them gave. Prints
 * the heights of the first rebounds. The record is sweep.h5. */
#include <carom/carom.h>
#include <stdio.h>

enum { RUNS = 8 };

typedef struct run {
    double restitution, height; /* 1, m */
} run;

static const carom_field FIELDS[] = {
    CAROM_FIELD("restitution", run, restitution, "1", "coefficient of restitution"),
    CAROM_FIELD("height", run, height, "m", "height of the first rebound"),
};

/* One run; it shares nothing with the others. */
static carom_status drop(double restitution, double *height, carom_report *why) {
    carom_bouncing_ball_params ball = carom_bouncing_ball_params_default();
    ball.restitution = restitution;
    carom_stepper_params scheme = carom_stepper_params_default(CAROM_SCHEME_MOREAU_JEAN);
    scheme.step = 1e-4; /* s */

    CAROM_AUTO(carom_model) model = NULL;
    CAROM_AUTO(carom_trajectory) motion = NULL;
    CAROM_TRY(carom_bouncing_ball_alloc(&ball, &model, why));
    CAROM_TRY(carom_trajectory_run(&model->mechanism, &scheme, model->initial_position,
                                   model->initial_velocity, 1.0, NULL, NULL, &motion, why));
    /* It strikes after 0.4 s, and turns between 0.48 s and 0.76 s. */
    *height = carom_series_maximum(carom_series_window(motion, motion->gap, 1, 0, 0.45, 1.0));
    return CAROM_OK;
}

int main(void) {
    run runs[RUNS];
    int failures = 0;
#pragma omp parallel for reduction(+ : failures)
    for (int i = 0; i < RUNS; i++) {
        carom_report why = carom_report_empty();
        runs[i].restitution = 0.2 + 0.1 * i;
        const carom_status status = drop(runs[i].restitution, &runs[i].height, &why);
        if (status != CAROM_OK) {
            carom_report_print(stderr, status, &why);
            failures++;
        }
    }
    if (failures > 0) {
        return 1;
    }
    for (int i = 0; i < RUNS; i++) {
        printf("e = %.1f: %.4f m\n", runs[i].restitution, runs[i].height);
    }
    const carom_record_header header = {
        "First rebounds of a ball", "own", "sweep 1", "-", "-", "-", 1};
    carom_record *record = NULL;
    carom_status written = carom_record_create("sweep.h5", &header, &record);
    if (written == CAROM_OK) { /* a commit tells the first failure of all writes, and frees */
        carom_record_rows(record, "restitution", runs, RUNS, sizeof *runs, FIELDS, 2);
        written = carom_record_commit(record, NULL);
    }
    if (written != CAROM_OK) {
        carom_report_print(stderr, written, NULL);
    }
    return written != CAROM_OK;
}
