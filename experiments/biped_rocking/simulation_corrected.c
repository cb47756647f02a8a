/** Many half cycles, each begun at P of the gait, with what that costs. */
#include "simulation.h"

#include <math.h>
#include <stdlib.h>

/** Columns over the half cycles. */
enum { DEVIATION, LOST, CORRECTION, JOINT_WORK, GAP_RATE, LANDING_TIME, LANDINGS, COLUMNS };

/** Add a half cycle that has ended at `state`. */
static void add(corrected_run *run, const rocking_log *log, const rocking_state *state,
                double landing_time_error) {
    run->completed++;
    run->landings += log->landings;
    run->deviation = fmax(run->deviation, state->deviation);
    run->gap_rate = fmax(run->gap_rate, log->gap_rate);
    run->landing_time_error = fmax(run->landing_time_error, landing_time_error);
    run->energy_lost += log->energy_lost;
    run->correction += fabs(state->energy_change);
    run->joint_work += state->joint_work;
}

/** Go from P to P, again and again; `columns` [COLUMNS][half_cycles]. */
static carom_status run_corrected(const rocker *body, carom_plastic_motion *motion, double *work,
                                  double *columns, corrected_run *run, carom_report *report) {
    const int n = run->half_cycles;
    for (int k = 0; k < n; k++) {
        const double begin = k * body->half_period;
        rocking_log log = biped_rocking_log_empty();
        CAROM_TRY(biped_rocking_motion_reset(body, motion, begin, report));
        CAROM_TRY(
            biped_rocking_motion_advance(body, motion, (k + 1) * body->half_period, &log, report));
        if (log.has_ended) {
            return CAROM_OK;
        }
        const rocking_state state = biped_rocking_motion_compare(body, motion, work);
        const double landing_time = log.first_landing - begin;
        columns[DEVIATION * n + k] = state.deviation;
        columns[LOST * n + k] = log.energy_lost;
        columns[CORRECTION * n + k] = -state.energy_change;
        columns[JOINT_WORK * n + k] = state.joint_work;
        columns[GAP_RATE * n + k] = log.gap_rate;
        columns[LANDING_TIME * n + k] = landing_time;
        columns[LANDINGS * n + k] = log.landings;
        add(run, &log, &state, fabs(landing_time - body->time));
    }
    return CAROM_OK;
}

static void write_columns(const results *r, const char *group, const rocker *body,
                          const double *values, int n) {
    carom_record to = carom_record_group(r->record, "%s", group);
    carom_record_index_axis(&to, "half_cycle", n,
                            "from one P to the next, which is its mirror image");
    const carom_column columns[COLUMNS] = {
        [DEVIATION] = {"deviation", values + (size_t)DEVIATION * (size_t)n, "rad",
                       "largest angle at the end from P of the gait"},
        [LOST] = {"energy_lost", values + (size_t)LOST * (size_t)n, "J", "in landings"},
        [CORRECTION] = {"correction", values + (size_t)CORRECTION * (size_t)n, "J",
                        "energy that setting the state to P adds"},
        [JOINT_WORK] = {"joint_work", values + (size_t)JOINT_WORK * (size_t)n, "J",
                        "work of that correction, its parts counted as positive"},
        [GAP_RATE] = {"gap_rate", values + (size_t)GAP_RATE * (size_t)n, body->gap_rate_units,
                      "largest at which a gap closes"},
        [LANDING_TIME] = {"landing_time", values + (size_t)LANDING_TIME * (size_t)n, "s",
                          "first landing, from P"},
        [LANDINGS] = {"landings", values + (size_t)LANDINGS * (size_t)n, "1",
                      "of feet that had left the ground by more than rounding"},
    };
    carom_record_columns(&to, "half_cycle", NULL, columns, COLUMNS);
}

static void write_sums(const results *r, const char *group, const rocker *body,
                       const corrected_run *run) {
    const double cycles = 0.5 * run->completed;
    const double spent = run->energy_lost + run->correction;
    const carom_measure numbers[] = {
        {"half_cycles", run->half_cycles, "1", "asked for"},
        {"completed", run->completed, "1", "up to the first that ends before P"},
        {"total_landings", run->landings, "1", "of all half cycles, one of each in the gait"},
        {"half_period", body->half_period, "s", "from P to P"},
        {"excess_energy", body->excess_energy, "J",
         "of the gait, above the equilibrium on one foot"},
        {"largest_deviation", run->deviation, "rad", "of all half cycles"},
        {"largest_gap_rate", run->gap_rate, body->gap_rate_units, "of all landings"},
        {"largest_landing_time_error", run->landing_time_error, "s",
         "first landing of a half cycle less tau"},
        {"total_energy_lost", run->energy_lost, "J", "in all landings"},
        {"total_correction", run->correction, "J", "sum of |energy of a correction|"},
        {"total_joint_work", run->joint_work, "J", "the same counted joint by joint"},
        {"lost_fraction", spent / (cycles * body->excess_energy), "1",
         "landings and corrections in a cycle over the energy of the gait"},
    };
    carom_record to = carom_record_group(r->record, "%s", group);
    carom_record_scalars(&to, numbers, COUNT(numbers));
}

carom_status biped_rocking_write_corrected(const results *r, const char *group, rocker *body,
                                           int half_cycles, corrected_run *run) {
    const size_t N = (size_t)r->coordinate_count;
    const size_t n = (size_t)half_cycles;
    *run = (corrected_run){.half_cycles = half_cycles};
    CAROM_AUTO(carom_plastic_motion) motion = NULL;
    CAROM_TRY(biped_rocking_motion_alloc(body, &motion, r->report));
    CAROM_AUTO_MEMORY double *memory = malloc((COLUMNS * n + N * (N + 1)) * sizeof *memory);
    CAROM_TRY(memory == NULL ? CAROM_STATUS_OUT_OF_MEMORY : CAROM_OK);
    for (size_t i = 0; i < COLUMNS * n; i++) {
        memory[i] = (double)NAN;
    }
    carom_report_set_context(r->report, group);
    CAROM_TRY(run_corrected(body, motion, memory + COLUMNS * n, memory, run, r->report));
    carom_report_set_context(r->report, "");
    write_columns(r, group, body, memory, half_cycles);
    write_sums(r, group, body, run);
    return CAROM_OK;
}
