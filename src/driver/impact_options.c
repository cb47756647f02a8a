#include <carom/driver/impact_options.h>

#include <carom/impact/contact_modes.h>
#include <math.h>

carom_impact_options carom_impact_options_default(int samples, int trajectory_length,
                                                  double impulse_step) {
    const carom_impact_sampling_params params = carom_impact_sampling_params_default();
    const carom_impact_options values = {
        .samples = samples,
        .trajectory_length = trajectory_length,
        .impulse_step = impulse_step,
        .sampling = (int)params.distribution,
        .selection = (int)params.selection,
        .final_step = params.final_step,
        .branches = params.most_branches,
    };
    return values;
}

void carom_impact_options_append(carom_impact_options *values, carom_option *rows) {
    const carom_option all[CAROM_IMPACT_OPTION_COUNT] = {
        {.name = "samples",
         .kind = CAROM_OPTION_INTEGER,
         .target = &values->samples,
         .units = "1",
         .help = "sampled sequences of impulse increments",
         .range = CAROM_RANGE_POSITIVE},
        {.name = "trajectory-length",
         .kind = CAROM_OPTION_INTEGER,
         .target = &values->trajectory_length,
         .units = "1",
         .help = "most impulse increments of a sample",
         .range = CAROM_RANGE_POSITIVE},
        {.name = "impulse-step",
         .kind = CAROM_OPTION_REAL,
         .target = &values->impulse_step,
         .units = "N s",
         .help = "largest normal impulse of a contact in an increment",
         .range = CAROM_RANGE_POSITIVE},
        {.name = "sampling",
         .kind = CAROM_OPTION_CHOICE,
         .target = &values->sampling,
         .help = "distribution of the caps of normal impulses",
         .choices = "uniform|sobol|simplex|corners"},
        {.name = "selection",
         .kind = CAROM_OPTION_CHOICE,
         .target = &values->selection,
         .help = "solution taken where an increment has several; the last three in the plane only",
         .choices = "lemke|lemke-scaled|lemke-random-cover|random|first|all"},
        {.name = "final-step",
         .kind = CAROM_OPTION_REAL,
         .target = &values->final_step,
         .units = "N s",
         .help = "cap of one last increment of every sample (Algorithm 2); 0: none",
         .range = CAROM_RANGE_NON_NEGATIVE},
        {.name = "branches",
         .kind = CAROM_OPTION_INTEGER,
         .target = &values->branches,
         .units = "1",
         .help = "most outcomes of one sample with --selection all",
         .range = CAROM_RANGE_POSITIVE},
    };
    for (int i = 0; i < CAROM_IMPACT_OPTION_COUNT; i++) {
        rows[i] = all[i];
    }
}

carom_impact_sampling_params carom_impact_options_params(const carom_impact_options *values,
                                                         const carom_common_options *common) {
    carom_impact_sampling_params params = carom_impact_sampling_params_default();
    params.samples = values->samples;
    params.trajectory_length = values->trajectory_length;
    params.impulse_step = values->impulse_step;
    params.distribution = (carom_cap_distribution)values->sampling;
    params.selection = (carom_increment_selection)values->selection;
    params.final_step = values->final_step;
    params.most_branches = values->branches;
    params.seed = common->seed;
    params.threads = common->threads;
    return params;
}

carom_status carom_impact_options_check(const carom_impact_options *values, int contact_count,
                                        int tangent_count, carom_report *report) {
    if (values->samples > CAROM_IMPACT_MOST_SAMPLES) {
        return carom_report_fail(report, CAROM_STATUS_OUT_OF_RANGE, "samples", values->samples, -1);
    }
    if (values->trajectory_length > CAROM_IMPACT_MOST_INCREMENTS) {
        return carom_report_fail(report, CAROM_STATUS_OUT_OF_RANGE, "trajectory length",
                                 values->trajectory_length, -1);
    }
    const bool enumerates = values->selection >= (int)CAROM_SELECTION_RANDOM;
    if (enumerates && tangent_count != 1) {
        return carom_report_fail(report, CAROM_STATUS_CONFLICT,
                                 "--selection random, first or all for contacts in space",
                                 (double)NAN, -1);
    }
    if (enumerates && contact_count > CAROM_MODES_MOST_CAPPED) {
        return carom_report_fail(report, CAROM_STATUS_OUT_OF_RANGE,
                                 "number of contacts for --selection random, first or all",
                                 contact_count, -1);
    }
    const double dimensions = (double)values->trajectory_length * contact_count;
    if (values->sampling == (int)CAROM_CAPS_SOBOL && dimensions > CAROM_CAPS_MOST_DIMENSIONS) {
        return carom_report_fail(report, CAROM_STATUS_OUT_OF_RANGE,
                                 "contacts times --trajectory-length for --sampling sobol",
                                 dimensions, -1);
    }
    return CAROM_OK;
}
