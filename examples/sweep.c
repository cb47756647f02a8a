/* A threaded sweep into one record, sweep.h5: a ball is dropped with coefficients of restitution
 * from 0.2 to 0.9, in runs side by side (with -fopenmp) that share nothing, and one thread writes
 * how high it rebounds first. The example read_record prints them. */
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

static carom_status drop(run *it, carom_report *why) {
    carom_bouncing_ball_params ball = carom_bouncing_ball_params_default();
    ball.restitution = it->restitution;
    carom_stepper_params scheme = carom_stepper_params_default(CAROM_SCHEME_MOREAU_JEAN);
    scheme.step = 1e-4; /* s */

    CAROM_AUTO(carom_model) model = NULL;
    CAROM_AUTO(carom_trajectory) motion = NULL;
    CAROM_TRY(carom_bouncing_ball_alloc(&ball, &model, why));
    CAROM_TRY(carom_trajectory_run(&model->mechanism, &scheme, model->initial_position,
                                   model->initial_velocity, 1.0, NULL, NULL, &motion, why));
    /* It strikes after 0.4 s, and turns between 0.48 s and 0.76 s. */
    it->height = carom_series_maximum(carom_series_window(motion, motion->gap, 1, 0, 0.45, 1.0));
    return CAROM_OK;
}

static carom_status keep(const run *runs) {
    const carom_record_header header = {
        "First rebounds of a ball", "own", "sweep 1", "-", "-", "-", 1};
    carom_record *record = NULL;
    CAROM_TRY(carom_record_create("sweep.h5", &header, &record));
    carom_record_rows(record, "restitution", runs, RUNS, sizeof *runs, FIELDS, 2);
    printf("%d rebounds for sweep.h5\n", RUNS);
    return carom_record_commit(record, NULL); /* tells the first failure of all writes, and frees */
}

int main(void) {
    run runs[RUNS];
    int failures = 0;
#pragma omp parallel for reduction(+ : failures)
    for (int i = 0; i < RUNS; i++) {
        carom_report why = carom_report_empty();
        runs[i].restitution = 0.2 + 0.1 * i;
        const carom_status status = drop(&runs[i], &why);
        if (status != CAROM_OK) {
            carom_report_print(stderr, status, &why);
            failures++;
        }
    }
    const carom_status kept = failures == 0 ? keep(runs) : CAROM_OK;
    if (kept != CAROM_OK) {
        carom_report_print(stderr, kept, NULL);
    }
    return failures > 0 || kept != CAROM_OK;
}
