/** Which runs the record of the elastic bar is made of, and running them. */
#include "results.h"

#include <stdio.h>

/** What sets a run apart from the plain run of its scheme. */
typedef enum variant { PLAIN, FULL_NEWTON, ALGORITHM_1, HALF_STEP, OTHER_MASS } variant;

static const struct {
    carom_scheme scheme;
    variant kind;
} plan[RUN_COUNT] = {
    [NONSMOOTH] = {CAROM_SCHEME_NONSMOOTH_GALPHA, PLAIN},
    [MOREAU] = {CAROM_SCHEME_MOREAU_JEAN, PLAIN},
    [SMOOTH] = {CAROM_SCHEME_SMOOTH_GALPHA, PLAIN},
    [MODIFIED] = {CAROM_SCHEME_MODIFIED_LCP, PLAIN},
    [VELOCITY] = {CAROM_SCHEME_VELOCITY_GALPHA, PLAIN},
    [NEWTON] = {CAROM_SCHEME_NONSMOOTH_GALPHA, FULL_NEWTON},
    [SEQUENTIAL] = {CAROM_SCHEME_NONSMOOTH_GALPHA, ALGORITHM_1},
    [MODIFIED_HALF] = {CAROM_SCHEME_MODIFIED_LCP, HALF_STEP},
    [OTHER_NONSMOOTH] = {CAROM_SCHEME_NONSMOOTH_GALPHA, OTHER_MASS},
    [OTHER_MOREAU] = {CAROM_SCHEME_MOREAU_JEAN, OTHER_MASS},
    [OTHER_SMOOTH] = {CAROM_SCHEME_SMOOTH_GALPHA, OTHER_MASS},
};

/* The block that algorithm 1 drops grows with the Courant number, and its iterations with it. */
static const int SEQUENTIAL_ITERATIONS = 200;

/* Takes the modified step from the paper's Courant number to where it has a solution. */
static const double HALF = 0.5;

/** The mass matrix that was not asked for. */
static carom_elastic_bar_mass other_mass(const settings *values) {
    return values->bar.mass_matrix == CAROM_ELASTIC_BAR_LUMPED ? CAROM_ELASTIC_BAR_CONSISTENT
                                                               : CAROM_ELASTIC_BAR_LUMPED;
}

/** Group and parameters of a run. */
static carom_scheme_run prepare(const settings *values, int number) {
    const char *const suffix[] = {
        [PLAIN] = "",
        [FULL_NEWTON] = "_newton",
        [ALGORITHM_1] = "_sequential",
        [HALF_STEP] = "_half_step",
        [OTHER_MASS] = other_mass(values) == CAROM_ELASTIC_BAR_LUMPED ? "_lumped" : "_consistent",
    };
    const carom_scheme scheme = plan[number].scheme;
    const variant kind = plan[number].kind;
    carom_scheme_run run = {.params = carom_scheme_options_params(&values->schemes, scheme)};
    (void)snprintf(run.group, sizeof run.group, "/%s%s", carom_scheme_name(scheme), suffix[kind]);
    if (kind == FULL_NEWTON) {
        run.params.newton = CAROM_NEWTON_MONOLITHIC;
        run.params.use_linear_step = false;
    } else if (kind == ALGORITHM_1) {
        run.params.newton = CAROM_NEWTON_SEQUENTIAL;
        run.params.use_linear_step = false;
        run.params.max_iterations = SEQUENTIAL_ITERATIONS;
    } else if (kind == HALF_STEP) {
        run.params.step *= HALF;
    }
    // What nobody asked for by name may fail, and the modified step need not have a solution.
    const bool is_one_of_all = values->schemes.scheme == CAROM_SCHEME_COUNT;
    run.may_fail = kind != PLAIN || (scheme == CAROM_SCHEME_MODIFIED_LCP && is_one_of_all);
    return run;
}

/** Append the selected ones of the runs first .. end-1. */
static void select_runs(results *all, int first, int end) {
    for (int number = first; number < end; number++) {
        if (carom_scheme_options_selects(&all->values->schemes, plan[number].scheme)) {
            all->number[all->count] = number;
            all->runs[all->count] = prepare(all->values, number);
            all->count++;
        }
    }
}

/** Select, compute and record the runs first .. end-1, which are of one bar. */
static carom_status run_bar(results *all, const carom_elastic_bar_params *bar, int first, int end,
                            const carom_common_options *common, carom_record *record,
                            carom_report *report) {
    const int before = all->count;
    select_runs(all, first, end);
    if (all->count == before) {
        return CAROM_OK;
    }
    carom_model *model = NULL;
    CAROM_TRY(carom_elastic_bar_alloc(bar, &model, report));
    const carom_status status =
        carom_scheme_runs(model, all->values->schemes.duration, all->runs + before,
                          all->count - before, common, record, report);
    for (int k = before; k < all->count; k++) {
        all->motion[all->number[k]] = all->runs[k].trajectory;
    }
    carom_model_free(model);
    return status;
}

carom_status elastic_bar_run_all(results *all, const carom_common_options *common,
                                 carom_record *record, carom_report *report) {
    const carom_elastic_bar_params *bar = &all->values->bar;
    carom_elastic_bar_params other = *bar;
    other.mass_matrix = other_mass(all->values);
    CAROM_TRY(run_bar(all, bar, 0, OTHER_NONSMOOTH, common, record, report));
    return run_bar(all, &other, OTHER_NONSMOOTH, RUN_COUNT, common, record, report);
}
