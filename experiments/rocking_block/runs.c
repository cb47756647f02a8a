/** The runs: which belong to the record, with which parameters, and running them. */
#include "results.h"

#include <stdio.h>

const char *rocking_block_group(int run) {
    switch (run) {
    case REFERENCE:
        return "reference";
    case SEQUENTIAL:
        return "nonsmooth_galpha_sequential";
    default:
        return carom_scheme_name((carom_scheme)run);
    }
}

/** Whether a run belongs to the record: the selected schemes, always the reference, and algorithm 1
 * beside the scheme it solves. */
static bool is_selected(const settings *values, int run) {
    switch (run) {
    case REFERENCE:
        return true;
    case SEQUENTIAL:
        return carom_scheme_options_selects(&values->schemes, CAROM_SCHEME_NONSMOOTH_GALPHA);
    default:
        return carom_scheme_options_selects(&values->schemes, (carom_scheme)run);
    }
}

/** Group and parameters of a run, and whether it may fail. */
static carom_scheme_run plan_run(const settings *values, int number) {
    const bool is_scheme = number < CAROM_SCHEME_COUNT;
    const carom_scheme scheme = is_scheme ? (carom_scheme)number : CAROM_SCHEME_NONSMOOTH_GALPHA;
    carom_scheme_run run = {.params = carom_scheme_options_params(&values->schemes, scheme)};
    (void)snprintf(run.group, sizeof run.group, "/%s", rocking_block_group(number));
    if (number == REFERENCE) {
        run.params.step /= REFERENCE_STEPS;
    } else if (number == SEQUENTIAL) {
        run.params.newton = CAROM_NEWTON_SEQUENTIAL;
    }
    // What was not asked for by name may fail: what stands beside the schemes, and among all
    // schemes the two that the paper warns of.
    const bool is_doubtful = number == SMOOTH || number == MODIFIED;
    run.may_fail = !is_scheme || (is_doubtful && values->schemes.scheme == CAROM_SCHEME_COUNT);
    return run;
}

carom_status rocking_block_make_runs(results *r, const carom_common_options *common,
                                     carom_record *record, carom_report *report) {
    int numbers[RUN_COUNT];
    for (int number = 0; number < RUN_COUNT; number++) {
        if (is_selected(r->values, number)) {
            numbers[r->run_count] = number;
            r->runs[r->run_count++] = plan_run(r->values, number);
        }
    }
    const carom_scheme_options *schemes = &r->values->schemes;
    CAROM_TRY(carom_scheme_runs(r->model, schemes->duration, r->runs, r->run_count, common, record,
                                report));
    // A run that ended early is in the record, but has no measures.
    for (int i = 0; i < r->run_count; i++) {
        const carom_trajectory *t = r->runs[i].trajectory;
        r->of[numbers[i]] = t->outcome == CAROM_OK ? t : NULL;
    }
    carom_record_scalar(record, "/reference/step", schemes->step / REFERENCE_STEPS, "s",
                        "step size of the reference");
    return CAROM_OK;
}

void rocking_block_free_runs(results *r) {
    for (int i = 0; i < r->run_count; i++) {
        carom_trajectory_free(r->runs[i].trajectory);
    }
}
