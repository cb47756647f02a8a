#include <carom/study/impacts.h>

#include <carom/impact/contact_modes.h>
#include <carom/impact/impact_problem.h>
#include <math.h>
#include <stdio.h>

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

void carom_impact_options_list_laws(int count, const char *others, size_t size, char *choices) {
    CAROM_ASSERT(others != NULL && choices != NULL);
    size_t length = 0;
    for (int i = 0; i < count && length < size; i++) {
        const char *name = carom_impact_law_of((carom_impact_law_id)i)->name;
        length += (size_t)snprintf(choices + length, size - length, "%s|", name);
    }
    if (length < size) {
        snprintf(choices + length, size - length, "%s", others);
    }
    for (char *c = choices; *c != '\0'; c++) {
        *c = *c == '_' ? '-' : *c;
    }
}

/** Place of the impulse step, for which an experiment may have a row of its own. */
enum { STEP_ROW = 2 };

static const carom_option rows[] = {
    // Counts: 128 times the samples of the largest published set, and trajectories beyond any bound
    // of a problem that ends.
    CAROM_INTEGER("samples", carom_impact_options, samples, "1",
                  "sampled sequences of impulse increments", "[1, 134217728]"),
    CAROM_INTEGER("trajectory-length", carom_impact_options, trajectory_length, "1",
                  "most impulse increments of a sample", "[1, 100000]"),
    [STEP_ROW] = CAROM_REAL("impulse-step", carom_impact_options, impulse_step, "N s",
                            "largest normal impulse of a contact in an increment; else the "
                            "published one in proportion to what stops one contact alone",
                            "positive"),
    CAROM_CHOICE("sampling", carom_impact_options, sampling,
                 "distribution of the caps of normal impulses", "uniform|sobol|simplex|corners"),
    CAROM_CHOICE("selection", carom_impact_options, selection,
                 "solution taken where an increment has several; the last three in the plane only",
                 "lemke|lemke-scaled|lemke-random-cover|random|first|all"),
    CAROM_REAL("final-step", carom_impact_options, final_step, "N s",
               "cap of one last increment of every sample (Algorithm 2); 0: none", "not negative"),
    CAROM_INTEGER("branches", carom_impact_options, branches, "1",
                  "most outcomes of one sample with --selection all", "positive"),
};

const carom_option_table carom_impact_options_table = CAROM_OPTIONS(rows);

const carom_option_table carom_impact_options_before_step = {rows, STEP_ROW};

const carom_option_table carom_impact_options_after_step = {
    rows + STEP_ROW + 1, (int)(sizeof rows / sizeof rows[0]) - STEP_ROW - 1};

/** The mean inverse mass that the contacts of a problem feel, 1/kg. */
static double mean_inverse_mass(const carom_impact_problem *problem) {
    double sum = 0.0;
    for (int i = 0; i < problem->contact_count; i++) {
        sum += problem->delassus_matrix[i * (problem->row_count + 1)];
    }
    return sum / problem->contact_count;
}

carom_status carom_impact_options_scale(carom_impact_options *values,
                                        const carom_impact_scene *scene,
                                        const carom_impact_scene *published, double step,
                                        carom_report *report) {
    CAROM_AUTO(carom_impact_problem) problem = NULL;
    CAROM_AUTO(carom_impact_problem) other = NULL;
    CAROM_TRY(carom_impact_problem_of_scene(scene, &problem, report));
    CAROM_TRY(carom_impact_problem_of_scene(published, &other, report));
    const double impulse =
        carom_impact_stopping_impulse(problem) / carom_impact_stopping_impulse(other);
    values->impulse_step = isnan(values->impulse_step) ? step * impulse : values->impulse_step;
    values->covering_mass = mean_inverse_mass(other) / mean_inverse_mass(problem);
    return CAROM_OK;
}

carom_impact_sampling_params carom_impact_options_params(const carom_impact_options *values,
                                                         const carom_common_options *common) {
    carom_impact_sampling_params params = carom_impact_sampling_params_default();
    params.samples = values->samples;
    params.trajectory_length = values->trajectory_length;
    params.impulse_step = isnan(values->impulse_step) ? 0.0 : values->impulse_step;
    params.covering_mass = values->covering_mass;
    params.distribution = (carom_cap_distribution)values->sampling;
    params.selection = (carom_increment_selection)values->selection;
    params.final_step = values->final_step;
    params.most_branches = values->branches;
    params.seed = common->seed;
    params.workers = common->workers;
    return params;
}

carom_status carom_impact_options_check(const carom_impact_options *values, int contact_count,
                                        int tangent_count, carom_report *report) {
    CAROM_ASSERT(values != NULL);
    const bool enumerates = values->selection >= (int)CAROM_SELECTION_RANDOM;
    if (enumerates && tangent_count != 1) {
        return carom_report_say(report, CAROM_STATUS_CONFLICT,
                                "--selection random, first and all are for contacts in the plane, "
                                "these are in space");
    }
    if (enumerates && contact_count > CAROM_CONTACT_MODES_MOST_CAPPED) {
        return carom_report_bound(report, "number of contacts for --selection random, first or all",
                                  contact_count, "at most", CAROM_CONTACT_MODES_MOST_CAPPED);
    }
    const double dimensions = (double)values->trajectory_length * contact_count;
    if (values->sampling == (int)CAROM_CAPS_SOBOL && dimensions > CAROM_CAPS_MOST_DIMENSIONS) {
        return carom_report_bound(report, "contacts times --trajectory-length for --sampling sobol",
                                  dimensions, "at most", CAROM_CAPS_MOST_DIMENSIONS);
    }
    return CAROM_OK;
}

carom_impact_law_params carom_impact_study_params(const carom_impact_study *self) {
    CAROM_ASSERT(self != NULL);
    carom_impact_law_params params = carom_impact_law_params_default();
    params.facets = self->facets > 0 ? self->facets : params.facets;
    params.sampling = carom_impact_options_params(self->options, self->common);
    params.sampling.facets = params.facets;
    return params;
}
