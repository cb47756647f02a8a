/** The gait left alone: how rounding grows to a fall. */
#include "simulation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/** The most half cycles that are followed. */
enum { MOST_HALF_CYCLES = 20 };

/** A half cycle repeats the gait if no angle differs from it by more, rad. */
static const double REPEATED = 1e-6;

/** A landing is a collision if it costs more of the energy of the gait. */
static const double COLLISION = 1e-3;

/** The motion beside the gait. */
typedef struct free_run {
    int count; /**< samples */
    double *time;
    double *deviation;       /**< largest angle from the gait at this time, rad */
    double *energy_change;   /**< J */
    int half_cycles;         /**< ended */
    double *at_P;            /**< [half_cycles] deviation at their ends, rad */
    int repeated;            /**< half cycles in a row, from the first, that repeat the gait */
    double collision_time;   /**< of the first collision, to one sample; NaN without one, s */
    double collision_energy; /**< that it took, J */
    double fall_time;        /**< when a link of the torso has fallen below the horizontal, s */
    double *memory;
} free_run;

static carom_status free_run_alloc(int samples, free_run *run) {
    const size_t n = (size_t)samples;
    *run = (free_run){
        .collision_time = (double)NAN,
        .collision_energy = (double)NAN,
        .fall_time = (double)NAN,
    };
    run->memory = malloc((3 * n + MOST_HALF_CYCLES) * sizeof *run->memory);
    if (run->memory == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    run->time = run->memory;
    run->deviation = run->time + n;
    run->energy_change = run->deviation + n;
    run->at_P = run->energy_change + n;
    return CAROM_OK;
}

/** Largest angle between a motion and the gait at a sample of the quarter, in the coordinates of
 * the foot that the motion stands on. */
static double deviation_from(const rocker *body, const exact_gait *exact, int sample,
                             bool is_exchanged, const double *q) {
    const size_t N = (size_t)exact->gait->coordinate_count;
    double *expected = body->exchanged;
    memcpy(expected, exact->quarter->position + (size_t)sample * N, N * sizeof *expected);
    if (is_exchanged) {
        body->mirror(body, expected, expected + N);
    }
    double deviation = 0.0;
    for (size_t j = 0; j < N; j++) {
        deviation = fmax(deviation, fabs(q[j] - expected[j]));
    }
    return deviation;
}

/** A link of the torso hangs. */
static bool has_fallen(int N, const double *q) {
    for (int j = 1; j < N - 1; j++) {
        if (cos(q[j]) < 0.0) {
            return true;
        }
    }
    return false;
}

/** Go on to sample i of a half cycle, 0 at its P; false at the end of the motion. */
static carom_status follow(const rocker *body, const exact_gait *exact,
                           carom_plastic_motion *motion, int i, rocking_log *log, double *work,
                           free_run *run, bool *goes_on, carom_report *report) {
    /* After P' the gait is its own past, seen from the other foot. */
    const carom_gait_trajectory *quarter = exact->quarter;
    const int last = quarter->count - 1;
    const bool is_past = i > last;
    const int sample = is_past ? 2 * last - i : i;
    const double since = is_past ? body->half_period - quarter->time[sample] : quarter->time[i];
    const double time = run->half_cycles * body->half_period + since;
    const double lost = log->energy_lost;
    CAROM_TRY(biped_rocking_motion_advance(body, motion, time, log, report));
    *goes_on = !log->has_ended;
    if (log->has_ended) {
        return CAROM_OK;
    }

    const bool is_exchanged = log->exchanges > run->half_cycles;
    const double *q = carom_plastic_motion_position(motion);
    const int k = run->count++;
    run->time[k] = time;
    run->deviation[k] = deviation_from(body, exact, sample, is_exchanged != is_past, q);
    run->energy_change[k] = biped_rocking_motion_energy(body, motion, work) - body->energy;
    if (isnan(run->collision_time) && log->energy_lost - lost > COLLISION * body->excess_energy) {
        run->collision_time = time;
        run->collision_energy = log->energy_lost - lost;
    }
    if (has_fallen(exact->gait->coordinate_count, q)) {
        run->fall_time = time;
        *goes_on = false;
    }
    return CAROM_OK;
}

/** Half cycle by half cycle. */
static carom_status run_free(const rocker *body, const exact_gait *exact,
                             carom_plastic_motion *motion, double *work, free_run *run,
                             carom_report *report) {
    const int samples = 2 * (exact->quarter->count - 1);
    rocking_log log = biped_rocking_log_empty();
    bool goes_on = true;
    CAROM_TRY(biped_rocking_motion_reset(body, motion, 0.0, report));
    CAROM_TRY(follow(body, exact, motion, 0, &log, work, run, &goes_on, report));
    while (goes_on && run->half_cycles < MOST_HALF_CYCLES) {
        for (int i = 1; i <= samples && goes_on; i++) {
            CAROM_TRY(follow(body, exact, motion, i, &log, work, run, &goes_on, report));
        }
        if (goes_on) {
            const double deviation = run->deviation[run->count - 1];
            const bool is_repeated = run->repeated == run->half_cycles && deviation <= REPEATED;
            run->repeated += is_repeated ? 1 : 0;
            run->at_P[run->half_cycles++] = deviation;
        }
    }
    return CAROM_OK;
}

static void write_free(const results *r, const free_run *run) {
    carom_record group = carom_record_group(r->record, "/simulation/free");
    const carom_column columns[] = {
        {"deviation", run->deviation, "rad", "largest angle from the gait"},
        {"energy_change", run->energy_change, "J", "energy less that of the gait"},
    };
    carom_record_axis(&group, "time", run->count, run->time, "s", "from P");
    carom_record_columns(&group, "time", NULL, columns, 2);
    if (run->half_cycles > 0) {
        const carom_column at_P = {"deviation_at_P", run->at_P, "rad", "at the end of half cycles"};
        carom_record_index_axis(&group, "half_cycle", run->half_cycles, "from one P to the next");
        carom_record_columns(&group, "half_cycle", NULL, &at_P, 1);
    }
    const carom_measure numbers[] = {
        {"half_cycles", run->half_cycles, "1", "completed"},
        {"repeated_half_cycles", run->repeated, "1", "with deviations up to 1e-6 rad at P"},
        {"growth", run->half_cycles > 1 ? run->at_P[1] / run->at_P[0] : (double)NAN, "1",
         "of the deviation in the second half cycle; NaN: the motion ended before, by a fall, a "
         "foot that would leave the ground, or events that pile up"},
        {"collision_time", run->collision_time, "s",
         "first landing that costs more than 1e-3 of the energy of the gait, to one sample; "
         "NaN: none"},
        {"collision_energy", run->collision_energy, "J", "that it takes; NaN: no such landing"},
        {"fall_time", run->fall_time, "s",
         "a link of the torso passes the horizontal; NaN: none does before the motion ends"},
    };
    carom_record_scalars(&group, numbers, COUNT(numbers));
}

carom_status biped_rocking_write_free(const results *r, const exact_gait *exact, rocker *body) {
    const size_t N = (size_t)r->coordinate_count;
    carom_plastic_motion *motion = NULL;
    CAROM_TRY(biped_rocking_motion_alloc(body, &motion, r->report));
    free_run run = {.memory = NULL};
    double *work = malloc(N * (N + 1) * sizeof *work);
    carom_status status = work == NULL ? CAROM_STATUS_OUT_OF_MEMORY : CAROM_OK;
    if (status == CAROM_OK) {
        status = free_run_alloc(2 * MOST_HALF_CYCLES * (exact->quarter->count - 1) + 1, &run);
    }
    if (status == CAROM_OK) {
        carom_report_set_context(r->report, "/simulation/free");
        status = run_free(body, exact, motion, work, &run, r->report);
    }
    if (status == CAROM_OK) {
        carom_report_set_context(r->report, "");
        write_free(r, &run);
    }
    free(run.memory);
    free(work);
    carom_plastic_motion_free(motion);
    return status;
}
