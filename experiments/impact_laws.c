/**
 * impact_laws: every impact law on every impact of the five papers.
 *
 *     M (v+ - v-) = J_n' L_n + J_t' L_t,   the position stays as it is
 *
 * Newton and Moreau's law, Anitescu and Potra's, single impacts one after the other, propagative
 * reflections, the sampled set of Routh's impacts, and compliant contacts in the limit of infinite
 * stiffness get the same settings: elastic and plastic without friction, plastic with the
 * friction of the scene, and those of the paper itself. A law that does not know restitution or
 * friction says so. Velocities, energies, numbers of outcomes, costs, and the distances of the laws
 * from each other are recorded (impact_laws/writing.c). Scenes are those of the papers with their
 * parameters; what had to be chosen besides is said where they are made (impact_laws/scenes.c).
 */
#include "impact_laws/results.h"

#include <carom/base/parallel.h>
#include <carom/study/impacts.h>
#include <carom/study/problem_file.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- the laws --------------------------------------------------------------------------------- */

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
static carom_status choose(const results *r, carom_impact_law_id law,
                           const carom_impact_problem *problem, carom_impact_law_params *params,
                           carom_report *report) {
    const int m = problem->contact_count;
    double largest = 0.0;
    if (law == CAROM_IMPACT_LAW_SAMPLING) {
        CAROM_TRY(find_largest_impulse(problem, &largest, report));
    }
    *params = carom_impact_law_params_default();
    params->orders = m <= MOST_PERMUTED ? CAROM_SEQUENTIAL_PERMUTATIONS : CAROM_SEQUENTIAL_CYCLIC;
    params->sequential.most_rounds = MOST_ROUNDS;
    params->sequential.tolerance = AT_REST;
    params->stiffness_ratio = r->values->ratio;
    params->damping_ratio = r->values->damping;
    params->sampling.samples = r->values->samples;
    params->sampling.trajectory_length = TRAJECTORY_LENGTH;
    params->sampling.impulse_step = 2.0 * largest;
    params->sampling.distribution = CAROM_CAPS_CORNERS;
    params->sampling.selection =
        m <= MOST_ENUMERATED ? CAROM_SELECTION_RANDOM : CAROM_SELECTION_LEMKE;
    params->sampling.seed = r->common->seed;
    params->sampling.workers.threads = 1;
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

/** Run a law that applies to the problem. */
static carom_status run_law(const results *r, carom_impact_law_id law,
                            const carom_impact_problem *problem, law_outcomes *a,
                            carom_report *report) {
    carom_impact_law_params params;
    CAROM_AUTO(carom_impact_result) result = NULL;
    CAROM_TRY(choose(r, law, problem, &params, report));
    CAROM_TRY(carom_impact_law_run(carom_impact_law_of(law), problem, &params, &result, report));
    CAROM_TRY(carom_outcome_set_fill(problem, result, &a->set));
    a->cost = result->cost;
    a->unfinished = result->samples != NULL ? result->unfinished : 0.0;
    a->residual = result->residual;
    a->kind = OUTCOMES_FOUND;
    return CAROM_OK;
}

/** Apply a law. Only lack of memory is an error: whatever else goes wrong is told by kind and
 * reason. */
static carom_status apply(const results *r, carom_impact_law_id law,
                          const carom_impact_problem *problem, law_outcomes *a) {
    const char *unknown = carom_impact_law_lacks(carom_impact_law_of(law), problem);
    if (unknown != NULL) {
        a->kind = OUTCOMES_INAPPLICABLE;
        snprintf(a->reason, sizeof a->reason, "the law has no %s", unknown);
        return CAROM_OK;
    }
    carom_report report = carom_report_empty();
    const carom_status status = run_law(r, law, problem, a, &report);
    if (status == CAROM_STATUS_OUT_OF_MEMORY) {
        return status;
    }
    if (status != CAROM_OK) {
        explain(status, &report, a);
    } else if (a->set.count == 0) {
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

/** The problem of a setting in a scene, whose contacts get the restitution of the setting. */
static carom_status ask_in(scene_result *s, int setting, carom_impact_problem **problem,
                           carom_report *report) {
    const bool is_smooth = setting == SETTING_ELASTIC || setting == SETTING_PLASTIC;
    *problem = is_smooth ? s->smooth : s->problem;
    const int m = (*problem)->contact_count;
    double e[CAROM_PROBLEM_FILE_MOST_CONTACTS];
    CAROM_ASSERT(m <= CAROM_PROBLEM_FILE_MOST_CONTACTS);
    for (int i = 0; i < m; i++) {
        e[i] = setting == SETTING_ELASTIC ? 1.0 : setting == SETTING_OWN ? s->restitution : 0.0;
    }
    return carom_impact_problem_set_restitution(*problem, e, report);
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
        law_outcomes *outcomes = s->outcomes[setting];
        carom_impact_problem *problem = NULL;
        CAROM_TRY(ask_in(s, setting, &problem, report));
        for (int law = 0; law < LAWS && s->is_asked[setting]; law++) {
            if (r->values->law == LAWS || r->values->law == law) {
                CAROM_TRY(apply(r, (carom_impact_law_id)law, problem, &outcomes[law]));
            }
        }
        for (int i = 0; i < LAWS * LAWS; i++) {
            s->distance[setting][i / LAWS][i % LAWS] = carom_outcome_set_distance(
                problem, &outcomes[i / LAWS].set, &outcomes[i % LAWS].set);
        }
    }
    return CAROM_OK;
}

/** What the laws found in a scene, the problem of which anyone can make. */
static carom_status pack_scene(int item, void *context, carom_parallel_bytes *bytes) {
    const results *r = context;
    const scene_result *s = r->scenes + item;
    for (int i = 0; i < SETTINGS * LAWS; i++) {
        const law_outcomes *a = &s->outcomes[i / LAWS][i % LAWS];
        CAROM_TRY(carom_parallel_append(bytes, a, sizeof *a));
        CAROM_TRY(carom_outcome_set_pack(s->problem, &a->set, bytes));
    }
    return carom_parallel_append(bytes, s->distance, sizeof s->distance);
}

static carom_status unpack_scene(int item, const unsigned char *data, size_t size, void *context) {
    const results *r = context;
    scene_result *s = r->scenes + item;
    carom_impact_problem *problem = NULL;
    CAROM_TRY(make(r->values, s, NULL));
    for (int setting = 0; setting < SETTINGS; setting++) {
        CAROM_TRY(ask_in(s, setting, &problem, NULL)); // its restitution is that of the last one
    }
    for (int i = 0; i < SETTINGS * LAWS; i++) {
        law_outcomes *a = &s->outcomes[i / LAWS][i % LAWS];
        CAROM_TRY(carom_parallel_take(&data, &size, a, sizeof *a));
        a->set = (carom_outcome_set){.count = 0};
        CAROM_TRY(carom_outcome_set_unpack(s->problem, &data, &size, &a->set));
    }
    return carom_parallel_take(&data, &size, s->distance, sizeof s->distance);
}

/** Make all selected scenes and apply all laws to them. */
static carom_status compare_all(results *r) {
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
    const carom_parallel_results found = {.pack = pack_scene, .unpack = unpack_scene};
    return carom_parallel_map(r->common->workers, r->count, compare, r, &found, r->report);
}

static void results_clear(results *r) {
    for (int i = 0; i < r->count && r->scenes != NULL; i++) {
        scene_result *s = r->scenes + i;
        for (int setting = 0; setting < SETTINGS; setting++) {
            for (int law = 0; law < LAWS; law++) {
                carom_outcome_set_clear(&s->outcomes[setting][law].set);
            }
        }
        carom_impact_problem_free(s->problem);
        carom_impact_problem_free(s->smooth);
    }
    free(r->scenes);
}

/* --- the program ------------------------------------------------------------------------------ */

/** Choices as the tables of scenes and laws have them, listed by main. */
static char scene_names[1024];
static char law_names[1024];

/** Say how many laws failed: the record tells why. */
static void announce(const results *r) {
    int failed = 0;
    for (int i = 0; i < r->count * SETTINGS * LAWS; i++) {
        const scene_result *s = r->scenes + i / (SETTINGS * LAWS);
        failed += s->outcomes[i / LAWS % SETTINGS][i % LAWS].kind == OUTCOMES_FAILED ? 1 : 0;
    }
    if (failed > 0 && !r->common->is_quiet) {
        printf("impact_laws: %d answers failed: see /SCENE/SETTING/LAW/status\n", failed);
    }
}

static carom_status body(carom_record *record, const carom_common_options *common, void *context,
                         carom_report *report) {
    CAROM_AUTO_VALUE(results)
    r = {.values = context, .common = common, .record = record, .report = report};
    CAROM_TRY(compare_all(&r));
    CAROM_TRY(impact_laws_write(&r));
    announce(&r);
    return CAROM_OK;
}

/** Fill scene_names. */
static void list_scenes(void) {
    int count = 0;
    const scene_entry *scenes = impact_laws_scenes(&count);
    for (int i = 0; i < count; i++) {
        strncat(scene_names, scenes[i].name, sizeof scene_names - strlen(scene_names) - 1);
        strncat(scene_names, "|", sizeof scene_names - strlen(scene_names) - 1);
    }
    strncat(scene_names, "all", sizeof scene_names - strlen(scene_names) - 1);
}

/** The parameters, as the command line sets them. */
static const carom_option options[] = {
    CAROM_CHOICE("scene", settings, scene, "impact", scene_names),
    CAROM_CHOICE("law", settings, law, "impact law", law_names),
    CAROM_INTEGER("samples", settings, samples, "1", "samples of the set of outcomes",
                  "[1, 1048576]"),
    // Larger ratios are beyond what the integrator tells apart.
    CAROM_REAL(
        "stiffness-ratio", settings, ratio, "1",
        "stiffness of one contact, each in turn, over that of the others; equal ones come first",
        "[1e-6, 1e6]"),
    CAROM_REAL("damping-ratio", settings, damping, "1",
               "zeta of inelastic compliant contacts, which give back 1/(4 zeta^2) of the speed",
               "(0, 1e6]"),
    CAROM_REAL("restitution", settings, restitution, "1",
               "coefficient e of all contacts in the setting `own`; else that of each paper",
               "[0, 1]"),
    CAROM_REAL("friction", settings, friction, "1",
               "coefficient mu of all contacts that can slide; else that of each paper",
               "[0, 1e7]"),
};

/** The largest energy that a law leaves, by scene, without restitution. */
static const carom_table_column columns[] = {
    {.head = "scene", .expression = "/scene", .words = "@scenes"},
    {.head = "Newton / E before", .expression = "/overview/plastic/most_energy[:,0]"},
    {.head = "Anitescu / E before", .expression = "/overview/plastic/most_energy[:,1]"},
    {.head = "sequential / E before", .expression = "/overview/plastic/most_energy[:,2]"},
    {.head = "propagative / E before", .expression = "/overview/plastic/most_energy[:,3]"},
    {.head = "sampling / E before", .expression = "/overview/plastic/most_energy[:,4]"},
    {.head = "compliant / E before", .expression = "/overview/plastic/most_energy[:,5]"},
};

static const carom_table tables[] = {
    {.groups = "/overview", CAROM_COLUMNS(columns)},
};

int main(int argc, char **argv) {
    list_scenes();
    carom_impact_options_list_laws(LAWS, "all", sizeof law_names, law_names);
    settings v = {
        .law = LAWS,
        .samples = 1024,
        .ratio = 1e3,
        .damping = 200.0,
        .restitution = NAN,
        .friction = NAN,
    };
    (void)impact_laws_scenes(&v.scene);
    const carom_program program = {
        .name = "impact_laws",
        .title = "Every impact law on every impact of the five papers",
        .source = "bruls-2014, thorin-2017, halm-2023, pankov-2024, seghete-2014",
        .schema = "impact_laws 1",
        .options = CAROM_OPTIONS(options),
        CAROM_TABLES(tables),
    };
    return carom_experiment_main(&program, argc, argv, NULL, body, &v);
}
