/** Impulses that alternate between the feet: what the paths of some outcomes have in common. */
#include "results.h"

#include <carom/study/contact_mode_classes.h>
#include <carom/study/impact_options.h>

#include <stdlib.h>

/** Samples whose paths are looked at. */
enum { MOST_SAMPLES = 1 << 16 };

/** What is noted of one sample: samples are watched by several threads. */
typedef struct note {
    bool moves_a;  /**< A lifts off or slides at the end, and B is in contact */
    bool closes_b; /**< at some point between, B was closing, which it was not before the impact */
} note;

/** All notes, and the problem that tells what is rest. */
typedef struct notebook {
    const carom_impact_problem *problem;
    note *notes; /**< [samples] */
} notebook;

/** Whether A lifts off or slides and B is in contact. */
static bool is_moving_a(const carom_impact_problem *problem, const double *c) {
    return carom_contact_mode_is_at_rest(problem, c, NORMAL_B) &&
           c[NORMAL_A] >= -carom_impact_colliding_speed(problem, NORMAL_A) &&
           (c[NORMAL_A] > carom_contact_mode_resting_speed(problem, NORMAL_A) ||
            !carom_contact_mode_is_at_rest(problem, c, TANGENTIAL_A));
}

/*[compassGaitPath]*/
/** Note what a path does. */
static void watch(int sample, int point_count, const double *path, void *context) {
    const notebook *all = context;
    note *of = all->notes + sample;
    const double colliding = carom_impact_colliding_speed(all->problem, NORMAL_B);
    const double start = path[NORMAL_B];
    of->moves_a = is_moving_a(all->problem, path + (point_count - 1) * ROWS);
    for (int i = 1; i < point_count - 1; i++) {
        const double speed = path[i * ROWS + NORMAL_B];
        of->closes_b = of->closes_b || speed < fmin(start, 0.0) - colliding;
    }
}
/*[end compassGaitPath]*/

/** Count paths; with every branch followed, a sample has no path of its own. */
static carom_status count(const results *r, note *notes, int samples,
                          compass_gait_alternation *out) {
    carom_impact_sampling_params params =
        carom_impact_options_params(r->study->options, r->study->common);
    params.samples = samples;
    if (params.selection == CAROM_SELECTION_ALL) {
        params.selection = CAROM_SELECTION_RANDOM;
    }
    params.observer = watch;
    notebook all = {r->study->target.problem, notes};
    params.observer_context = &all;
    carom_impact_samples *sampled = NULL;
    CAROM_TRY(carom_impact_sample(r->study->target.problem, &params, &sampled, r->report));
    carom_impact_samples_free(sampled);
    *out = (compass_gait_alternation){.moving = 0};
    for (int i = 0; i < samples; i++) {
        out->moving += notes[i].moves_a;
        out->alternating += notes[i].moves_a && notes[i].closes_b;
    }
    return CAROM_OK;
}

carom_status compass_gait_count_alternation(const results *r, compass_gait_alternation *out) {
    const int wanted = r->values->sampling.samples;
    const int samples = wanted < MOST_SAMPLES ? wanted : MOST_SAMPLES;
    note *notes = calloc((size_t)samples, sizeof *notes);
    const carom_status status =
        notes == NULL ? CAROM_STATUS_OUT_OF_MEMORY : count(r, notes, samples, out);
    free(notes);
    return status;
}
