/** All scenes, all settings, all laws. */
#include "results.h"

#include <carom/base/parallel.h>
#include <carom/study/problem_file.h>
#include <stdlib.h>
#include <string.h>

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
                CAROM_TRY(impact_laws_apply((carom_impact_law_id)law, &input,
                                            &s->outcomes[setting][law]));
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
