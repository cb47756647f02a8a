#include <carom/collisionless/gait/rocking_motion.h>

#include <stdlib.h>

carom_status carom_rocking_motion_half_cycle(carom_rocking_motion *motion, int half_cycle,
                                             carom_rocking_half_cycle *out, carom_report *report) {
    CAROM_ASSERT(motion != NULL && half_cycle >= 0 && out != NULL);
    const double half_period = carom_rocking_motion_reference(motion)->half_period;
    const double begin = half_cycle * half_period;
    *out = (carom_rocking_half_cycle){.log = carom_rocking_log_empty()};
    CAROM_TRY(carom_rocking_motion_reset(motion, begin, report));
    CAROM_TRY(
        carom_rocking_motion_advance(motion, (half_cycle + 1) * half_period, &out->log, report));
    if (!out->log.has_ended) {
        out->state = carom_rocking_motion_compare(motion);
        out->correction = -out->state.energy_change;
        out->landing_time = out->log.first_landing - begin;
    }
    return CAROM_OK;
}

/* Half cycle by half cycle, into samples for all of them. */
static carom_status follow(carom_rocking_motion *motion, const carom_gait_trajectory *quarter,
                           int half_cycles, carom_rocking_run *run, carom_report *report) {
    const int last = 2 * (quarter->count - 1);
    carom_rocking_log log = carom_rocking_log_empty();
    CAROM_TRY(carom_rocking_motion_reset(motion, 0.0, report));
    while (run->half_cycles < half_cycles) {
        for (int i = run->count == 0 ? 0 : 1; i <= last; i++) {
            carom_rocking_sample *sample = &run->samples[run->count];
            CAROM_TRY(carom_rocking_motion_follow(motion, quarter, run->half_cycles, i, &log,
                                                  sample, report));
            run->count += log.has_ended ? 0 : 1;
            if (log.has_ended || sample->has_fallen) {
                return CAROM_OK;
            }
        }
        run->at_P[run->half_cycles++] = run->samples[run->count - 1].deviation;
    }
    return CAROM_OK;
}

carom_status carom_rocking_run_alone(carom_rocking_motion *motion,
                                     const carom_gait_trajectory *quarter, int half_cycles,
                                     carom_rocking_run *out, carom_report *report) {
    CAROM_ASSERT(motion != NULL && quarter != NULL && half_cycles > 0 && out != NULL);
    const size_t most = 2 * (size_t)half_cycles * (size_t)(quarter->count - 1) + 1;
    *out = (carom_rocking_run){.count = 0};
    CAROM_AUTO_VALUE(carom_rocking_run)
    run = {.samples = calloc(most, sizeof *run.samples),
           .at_P = calloc((size_t)half_cycles, sizeof *run.at_P)};
    if (run.samples == NULL || run.at_P == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_TRY(follow(motion, quarter, half_cycles, &run, report));
    *out = run;
    run = (carom_rocking_run){.count = 0};
    return CAROM_OK;
}

const carom_rocking_sample *carom_rocking_run_collision(const carom_rocking_run *run,
                                                        double energy) {
    for (int k = 0; k < run->count; k++) {
        if (run->samples[k].energy_lost > energy) {
            return &run->samples[k];
        }
    }
    return NULL;
}

void carom_rocking_run_clear(carom_rocking_run *run) {
    free(run->samples);
    free(run->at_P);
}
