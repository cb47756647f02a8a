/** Apply a law of the table to a scene. */
#include "results.h"

#include <stdio.h>

/** Increments of a sample: more than any scene here needs. */
enum { TRAJECTORY_LENGTH = 64 };

/** Contacts up to which all solutions of an increment are enumerated, of which one is drawn: the
 * table of modes of three is made in no time. Beyond, Lemke's solution is taken. */
enum { MOST_ENUMERATED = 3 };

/** Contacts up to which the sequential law is run in all orders; beyond, in cyclic ones. */
enum { MOST_PERMUTED = 5 };

/** Rounds of the sequential law: where contacts hand on what they get for ever, impacts go on until
 * its tolerance. */
enum { MOST_ROUNDS = 1000 };

/** Closing speed at which a sequence of impacts has ended, in parts of its scale. */
static const double AT_REST = 1e-7;

const char *impact_laws_setting_name(impact_setting setting) {
    static const char *const names[SETTINGS] = {"elastic", "plastic", "friction", "own"};
    return names[setting];
}

/** Largest normal impulse of a contact: of those that stop one alone without friction, and of all
 * outcomes of Anitescu and Potra's law, where friction may press contacts together. */
static carom_status find_largest_impulse(const carom_impact_problem *p, double *largest,
                                         carom_report *report) {
    const int r = p->row_count;
    CAROM_AUTO(carom_impact_result) result = NULL;
    CAROM_TRY(carom_impact_law_run(&carom_impact_law_anitescu_potra, p, NULL, &result, report));
    *largest = 0.0;
    for (int i = 0; i < p->contact_count; i++) {
        *largest = fmax(*largest, -p->contact_velocity[i] / p->delassus_matrix[i * r + i]);
        for (int k = 0; k < result->count; k++) {
            *largest = fmax(*largest, result->impulse[k * r + i]);
        }
    }
    return CAROM_OK;
}

/** What the laws leave open; caps of the sampled set reach its extremes too. */
static carom_status choose(carom_impact_law_id law, const law_input *input,
                           carom_impact_law_params *params, carom_report *report) {
    const int m = input->problem->contact_count;
    double largest = 0.0;
    if (law == CAROM_IMPACT_LAW_SAMPLING) {
        CAROM_TRY(find_largest_impulse(input->problem, &largest, report));
    }
    *params = carom_impact_law_params_default();
    params->orders = m <= MOST_PERMUTED ? CAROM_SEQUENTIAL_PERMUTATIONS : CAROM_SEQUENTIAL_CYCLIC;
    params->sequential.most_rounds = MOST_ROUNDS;
    params->sequential.tolerance = AT_REST;
    params->stiffness_ratio = input->values->ratio;
    params->damping_ratio = input->values->damping;
    params->sampling.samples = input->values->samples;
    params->sampling.trajectory_length = TRAJECTORY_LENGTH;
    params->sampling.impulse_step = 2.0 * largest;
    params->sampling.distribution = CAROM_CAPS_CORNERS;
    params->sampling.selection =
        m <= MOST_ENUMERATED ? CAROM_SELECTION_RANDOM : CAROM_SELECTION_LEMKE;
    params->sampling.seed = input->seed;
    params->sampling.threads = 1;
    return CAROM_OK;
}

/** Why a law has no outcome. */
static void explain(carom_status status, const carom_report *report, law_outcomes *a) {
    a->kind = OUTCOMES_FAILED;
    const char *sentence =
        report->sentence[0] != '\0' ? report->sentence : carom_status_sentence(status);
    snprintf(a->reason, sizeof a->reason, "%s%s%s", sentence, report->quantity != NULL ? ": " : "",
             report->quantity != NULL ? report->quantity : "");
}

/** Run a law that applies to the input. */
static carom_status run_law(carom_impact_law_id law, const law_input *input, law_outcomes *a,
                            carom_report *report) {
    carom_impact_law_params params;
    CAROM_AUTO(carom_impact_result) result = NULL;
    CAROM_TRY(choose(law, input, &params, report));
    CAROM_TRY(
        carom_impact_law_run(carom_impact_law_of(law), input->problem, &params, &result, report));
    return impact_laws_outcomes_take(input->problem, result, a);
}

carom_status impact_laws_apply(carom_impact_law_id law, const law_input *input, law_outcomes *a) {
    const char *unknown = carom_impact_law_lacks(carom_impact_law_of(law), input->problem);
    if (unknown != NULL) {
        a->kind = OUTCOMES_INAPPLICABLE;
        snprintf(a->reason, sizeof a->reason, "the law has no %s", unknown);
        return CAROM_OK;
    }
    carom_report report = carom_report_empty();
    const carom_status status = run_law(law, input, a, &report);
    if (status == CAROM_STATUS_OUT_OF_MEMORY) {
        return status;
    }
    if (status != CAROM_OK) {
        explain(status, &report, a);
    } else if (a->count == 0) {
        a->kind = OUTCOMES_FAILED;
        snprintf(a->reason, sizeof a->reason, "no end within the rounds or increments allowed");
    }
    return CAROM_OK;
}
