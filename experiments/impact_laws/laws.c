/** All laws of the table on all scenes in all settings. */
#include "results.h"

#include <carom/base/parallel.h>
#include <carom/study/problem_file.h>

#include <stdio.h>
#include <stdlib.h>

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

/** Apply a law. Only lack of memory is an error: whatever else goes wrong is told by kind and
 * reason. */
static carom_status apply(carom_impact_law_id law, const law_input *input, law_outcomes *a) {
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

/* --- the scenes ------------------------------------------------------------------------------- */

/** The friction of the options, or the scene's own. */
static carom_status change_friction(const settings *v, scene_result *s, carom_report *report) {
    if (isnan(v->friction) || !impact_laws_can_slide(s->problem)) {
        return CAROM_OK;
    }
    carom_impact_problem *changed = NULL;
    CAROM_TRY(impact_laws_with_friction(s->problem, v->friction, &changed, report));
    carom_impact_problem_free(s->problem);
    s->problem = changed;
    return CAROM_OK;
}

/** The problems of a scene, and which settings differ. */
static carom_status make(const settings *v, scene_result *s, carom_report *report) {
    CAROM_TRY(s->entry->make(&s->problem, report));
    CAROM_TRY(change_friction(v, s, report));
    CAROM_TRY(impact_laws_with_friction(s->problem, 0.0, &s->smooth, report));
    s->restitution = isnan(v->restitution) ? s->entry->restitution : v->restitution;
    for (int i = 0; i < s->problem->contact_count; i++) {
        s->has_friction = s->has_friction || s->problem->friction[i] > 0.0;
    }
    const bool is_between = s->restitution > 0.0 && s->restitution < 1.0;
    s->is_asked[SETTING_ELASTIC] = true;
    s->is_asked[SETTING_PLASTIC] = true;
    s->is_asked[SETTING_FRICTION] = s->has_friction;
    s->is_asked[SETTING_OWN] = is_between || (s->has_friction && s->restitution > 0.0);
    return CAROM_OK;
}

/** The input of a setting in a scene: its problem, whose contacts get the restitution of the
 * setting.
 */
static carom_status ask_in(const results *r, scene_result *s, impact_setting setting,
                           law_input *input, carom_report *report) {
    const bool is_smooth = setting == SETTING_ELASTIC || setting == SETTING_PLASTIC;
    carom_impact_problem *problem = is_smooth ? s->smooth : s->problem;
    const int m = problem->contact_count;
    double e[CAROM_PROBLEM_FILE_MOST_CONTACTS];
    CAROM_ASSERT(m <= CAROM_PROBLEM_FILE_MOST_CONTACTS);
    for (int i = 0; i < m; i++) {
        e[i] = setting == SETTING_ELASTIC ? 1.0 : setting == SETTING_OWN ? s->restitution : 0.0;
    }
    *input = (law_input){.problem = problem, .values = r->values, .seed = r->common->seed};
    return carom_impact_problem_set_restitution(problem, e, report);
}

/** How far the outcomes of the laws are from each other. */
static void measure(const carom_impact_problem *p, scene_result *s, impact_setting setting) {
    for (int i = 0; i < LAWS; i++) {
        for (int k = 0; k < LAWS; k++) {
            s->distance[setting][i][k] =
                impact_laws_distance(p, &s->outcomes[setting][i], &s->outcomes[setting][k]);
        }
    }
}

/** Scene number `item`. */
static carom_status compare(int item, void *context, carom_report *report) {
    const results *r = context;
    scene_result *s = r->scenes + item;
    const carom_status made = make(r->values, s, report);
    if (made != CAROM_OK) {
        carom_report_set_context(report, s->entry->name);
        return made;
    }
    for (int setting = 0; setting < SETTINGS; setting++) {
        law_input input;
        CAROM_TRY(ask_in(r, s, (impact_setting)setting, &input, report));
        for (int law = 0; law < LAWS && s->is_asked[setting]; law++) {
            if (r->values->law == LAWS || r->values->law == law) {
                CAROM_TRY(apply((carom_impact_law_id)law, &input, &s->outcomes[setting][law]));
            }
        }
        measure(input.problem, s, (impact_setting)setting);
    }
    return CAROM_OK;
}

carom_status impact_laws_compare(results *r) {
    int total = 0;
    const scene_entry *entries = impact_laws_scenes(&total);
    const bool has_all = r->values->scene >= total;
    r->count = has_all ? total : 1;
    r->scenes = calloc((size_t)r->count, sizeof *r->scenes);
    if (r->scenes == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int i = 0; i < r->count; i++) {
        r->scenes[i].entry = entries + (has_all ? i : r->values->scene);
    }
    return carom_parallel_map(r->count, r->common->threads, compare, r, r->report);
}

void impact_laws_clear(results *r) {
    for (int i = 0; i < r->count && r->scenes != NULL; i++) {
        scene_result *s = r->scenes + i;
        for (int setting = 0; setting < SETTINGS; setting++) {
            for (int law = 0; law < LAWS; law++) {
                impact_laws_outcomes_clear(&s->outcomes[setting][law]);
            }
        }
        carom_impact_problem_free(s->problem);
        carom_impact_problem_free(s->smooth);
    }
    free(r->scenes);
    r->scenes = NULL;
}
