/** All laws of the table on all scenes in all settings. */
#include "results.h"

#include <carom/base/parallel.h>
#include <carom/study/problem_file.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *impact_laws_setting_name(impact_setting setting) {
    static const char *const names[SETTINGS] = {"elastic", "plastic", "friction", "own"};
    return names[setting];
}

/* --- outcomes, and how far apart those of two laws are -----------------------------------------
 */

/** Outcomes whose contact speeds differ by less, in parts of the largest one before, are one:
 * beyond what samples, sequences and reflections leave of a closing speed, 1e-6 at most. */
static const double MERGING = 1e-5;

/** Contact speeds up to this part of the largest one before count as zero in a mode: more than what
 * inelastic compliant contacts give back. */
static const double RESTING = 1e-4;

static void outcomes_clear(law_outcomes *a) {
    free(a->velocity);
    free(a->contact_velocity);
    free(a->impulse);
    free(a->energy_ratio);
    free(a->weighted);
    *a = (law_outcomes){.kind = OUTCOMES_MISSING};
}

/** Room for `count` outcomes; impulses are unknown. */
static carom_status reserve(const carom_impact_problem *p, int count, law_outcomes *a) {
    const size_t rows = (size_t)(count > 0 ? count : 1);
    const size_t n = (size_t)p->coordinate_count;
    const size_t r = (size_t)p->row_count;
    a->velocity = calloc(rows * n, sizeof(double));
    a->contact_velocity = calloc(rows * r, sizeof(double));
    a->impulse = calloc(rows * r, sizeof(double));
    a->energy_ratio = calloc(rows, sizeof(double));
    a->weighted = calloc(rows * n, sizeof(double));
    if (a->velocity == NULL || a->contact_velocity == NULL || a->impulse == NULL ||
        a->energy_ratio == NULL || a->weighted == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (size_t i = 0; i < rows * r; i++) {
        a->impulse[i] = NAN;
    }
    return CAROM_OK;
}

/** w = L' v, M = L L': |w|^2 is twice the kinetic energy. */
static void weigh(const carom_impact_problem *p, const double *v, double *w) {
    const int n = p->coordinate_count;
    for (int j = 0; j < n; j++) {
        w[j] = 0.0;
        for (int i = j; i < n; i++) {
            w[j] += p->mass_factor[i * n + j] * v[i];
        }
    }
}

/** Largest contact speed before the impact, m/s. */
static double fastest_before(const carom_impact_problem *p) {
    double fastest = 0.0;
    for (int i = 0; i < p->row_count; i++) {
        fastest = fmax(fastest, fabs(p->contact_velocity[i]));
    }
    return fastest;
}

/** The mode of each contact, L lifting, s sliding, S at rest: m letters, zero-terminated. */
static void name_modes(const carom_impact_problem *p, const double *c, double resting,
                       char *letters) {
    const int m = p->contact_count;
    const int t = p->tangent_count;
    for (int i = 0; i < m; i++) {
        double square = 0.0;
        for (int j = 0; j < t; j++) {
            square += c[m + t * i + j] * c[m + t * i + j];
        }
        letters[i] = (char)(c[i] > resting ? 'L' : sqrt(square) > resting ? 's' : 'S');
    }
    letters[m] = '\0';
}

/** How many modes the contacts of the outcomes end in; 0 without memory for their letters. */
static int count_modes(const carom_impact_problem *p, const law_outcomes *a) {
    const size_t length = (size_t)p->contact_count + 1;
    const double resting = RESTING * fastest_before(p);
    char *letters = calloc((size_t)a->count * length + 1, sizeof *letters);
    int count = 0;
    for (int k = 0; k < a->count && letters != NULL; k++) {
        char *own = letters + (size_t)count * length;
        name_modes(p, a->contact_velocity + (size_t)k * (size_t)p->row_count, resting, own);
        bool is_new = true;
        for (int i = 0; i < count && is_new; i++) {
            is_new = strcmp(letters + (size_t)i * length, own) != 0;
        }
        count += is_new ? 1 : 0;
    }
    free(letters);
    return count;
}

/** What follows from the velocities. */
static void complete(const carom_impact_problem *p, law_outcomes *a) {
    const size_t n = (size_t)p->coordinate_count;
    for (size_t k = 0; k < (size_t)a->count; k++) {
        const double *v = a->velocity + k * n;
        weigh(p, v, a->weighted + k * n);
        a->energy_ratio[k] = carom_impact_kinetic_energy(p, v) / p->kinetic_energy;
    }
    a->mode_count = count_modes(p, a);
    a->kind = OUTCOMES_FOUND;
}

/** Whether contact speeds are those of an outcome already in the list. */
static bool is_known(const law_outcomes *a, const double *c, int r, double merging) {
    for (int k = 0; k < a->count; k++) {
        double largest = 0.0;
        for (int i = 0; i < r; i++) {
            largest = fmax(largest, fabs(c[i] - a->contact_velocity[k * r + i]));
        }
        if (largest <= merging) {
            return true;
        }
    }
    return false;
}

/** Add an outcome that is not known yet; L may be NULL. */
static void add(const carom_impact_problem *p, const double *v, const double *c, const double *L,
                double merging, law_outcomes *a) {
    const size_t n = (size_t)p->coordinate_count;
    const size_t r = (size_t)p->row_count;
    const size_t k = (size_t)a->count;
    if (is_known(a, c, p->row_count, merging)) {
        return;
    }
    memcpy(a->velocity + k * n, v, n * sizeof(double));
    memcpy(a->contact_velocity + k * r, c, r * sizeof(double));
    if (L != NULL) {
        memcpy(a->impulse + k * r, L, r * sizeof(double));
    }
    a->count++;
}

/** Copy from the result of a law: finished outcomes, those with nearly equal velocities once. */
static carom_status take(const carom_impact_problem *problem, const carom_impact_result *result,
                         law_outcomes *a) {
    const size_t n = (size_t)problem->coordinate_count;
    const size_t r = (size_t)problem->row_count;
    const double merging = MERGING * fastest_before(problem);
    CAROM_TRY(reserve(problem, result->count, a));
    for (size_t k = 0; k < (size_t)result->count; k++) {
        if (result->is_finished == NULL || result->is_finished[k] != 0) {
            add(problem, result->velocity + k * n, result->contact_velocity + k * r,
                result->impulse != NULL ? result->impulse + k * r : NULL, merging, a);
        }
    }
    a->cost = result->cost;
    a->unfinished = result->samples != NULL ? result->unfinished : 0.0;
    a->residual = result->residual;
    complete(problem, a);
    return CAROM_OK;
}

/** Largest distance of an outcome of `from` from the nearest one of `to`, in the kinetic metric and
 * in parts of the velocity before; NaN if one of them has none. */
/*[impactLawsDistance]*/
static double distance_of(const carom_impact_problem *problem, const law_outcomes *from,
                          const law_outcomes *to) {
    if (from->count < 1 || to->count < 1) {
        return (double)NAN;
    }
    const int n = problem->coordinate_count;
    double farthest = 0.0;
    for (int i = 0; i < from->count; i++) {
        double nearest = HUGE_VAL;
        for (int k = 0; k < to->count && nearest > farthest; k++) {
            double square = 0.0;
            for (int j = 0; j < n; j++) {
                const double d = from->weighted[i * n + j] - to->weighted[k * n + j];
                square += d * d;
            }
            nearest = fmin(nearest, square);
        }
        farthest = fmax(farthest, nearest);
    }
    return sqrt(farthest / (2.0 * problem->kinetic_energy));
}
/*[end impactLawsDistance]*/

double impact_laws_least_energy(const law_outcomes *a) {
    double least = a->count > 0 ? HUGE_VAL : (double)NAN;
    for (int k = 0; k < a->count; k++) {
        least = fmin(least, a->energy_ratio[k]);
    }
    return least;
}

double impact_laws_most_energy(const law_outcomes *a) {
    double most = a->count > 0 ? 0.0 : (double)NAN;
    for (int k = 0; k < a->count; k++) {
        most = fmax(most, a->energy_ratio[k]);
    }
    return most;
}

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
    return take(input->problem, result, a);
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
                distance_of(p, &s->outcomes[setting][i], &s->outcomes[setting][k]);
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
                outcomes_clear(&s->outcomes[setting][law]);
            }
        }
        carom_impact_problem_free(s->problem);
        carom_impact_problem_free(s->smooth);
    }
    free(r->scenes);
    r->scenes = NULL;
}
