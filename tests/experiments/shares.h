/** Shares of random outcomes in classes of modes. To be included by suites. */
#ifndef CAROM_TESTS_EXPERIMENTS_SHARES_H
#define CAROM_TESTS_EXPERIMENTS_SHARES_H

#include "../support.h"

#include <carom/impact/impact_inclusion.h>
#include <carom/study/impacts.h>

#include <string.h>

/** Rows of contact space. */
enum { NORMAL_A, NORMAL_B, TANGENTIAL_A, TANGENTIAL_B, ROWS };

/** Samples of an impact; all are solved and none gains energy. */
static inline carom_impact_samples *sample(const carom_impact_problem *problem,
                                           const carom_impact_sampling_params *params) {
    carom_impact_samples *samples = NULL;
    assert_ok(carom_impact_sample(problem, params, &samples, NULL));
    ck_assert_int_eq(samples->unsolved_count, 0);
    ck_assert_int_eq(samples->energy_rise_count, 0);
    return samples;
}

/** Share of finished samples in a class of modes. */
static inline double share_of(const carom_impact_problem *problem,
                              const carom_impact_samples *samples, const char *modes) {
    int count = 0;
    int finished = 0;
    for (int i = 0; i < samples->count; i++) {
        char letters[3];
        carom_contact_mode_letters(problem, samples->contact_velocity + i * ROWS, letters);
        finished += samples->is_finished[i] != 0;
        count += samples->is_finished[i] != 0 && strcmp(letters, modes) == 0;
    }
    return (double)count / finished;
}

#endif
