/*
 * Samples are computed in blocks, each by one thread into a list of its own; the lists are joined
 * in the order of the samples, so that nothing depends on the number of threads.
 */
#include <carom/base/parallel.h>
#include <carom/base/random.h>
#include <carom/impact/contact_modes.h>
#include <carom/impact/impact_inclusion.h>
#include <carom/impact/impact_law.h>
#include <carom/impact/impulse_increment.h>
#include <carom/impact/internal.h>

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/** Samples of a block: long enough that its work memory costs nothing. */
enum { BLOCK = 256 };

/** Velocities of one increment that are followed with CAROM_SELECTION_ALL; more were never met. */
enum { MOST_CANDIDATES = 32 };

/** Energy that rounding may add to an increment, relative to that before the impact. */
static const double ENERGY_ROUNDING = 1e-12;

/** What a dozen increments may leave of a normal speed that vanishes, beside its scale. */
static const double SPEED_ROUNDING = 1e-13;

/** Random covering vectors spread over this factor to either side of that of the others. */
static const double COVER_SPREAD = 10.0;

/** What all blocks share. */
typedef struct sampling {
    const carom_impact_problem *problem;
    const carom_impact_sampling_params *params;
    double impulse_step; /**< h, N s */
    carom_cap_sampler *sampler;
    carom_impulse_increment *increment;
    carom_contact_modes *modes; /**< of enumerating selections, else NULL */
    double *covering;           /**< [size] of Lemke's method; random ones are multiples */
    carom_sample_list *lists;   /**< one for each block */
} sampling;

/** One thread's way through the increments of a sample, with all branches where asked for. */
typedef struct traversal {
    const sampling *of;
    carom_sample_list *list;
    carom_increment_work *work;
    carom_contact_mode_solutions *solutions; /**< NULL unless enumerating */
    double *covering;                        /**< [size] random */
    double *path;                            /**< [N+2][r] speeds after each increment */
    double *impulse;                         /**< [N+2][r] accumulated */
    double *candidates;                      /**< [N+1][width][r] impulses of the increment */
    int *candidate_count;                    /**< [N+1] */
    int *candidate_next;                     /**< [N+1] */
    int candidate_width;                     /**< candidates that fit */
    double *caps;                            /**< [m] */
    double *velocity;                        /**< [n] */
    int branches;                            /**< outcomes of this sample so far */
    bool is_truncated;                       /**< some of its branches are not followed */
} traversal;

carom_impact_sampling_params carom_impact_sampling_params_default(void) {
    return (carom_impact_sampling_params){
        .samples = 1 << 14,
        .trajectory_length = 10,
        .distribution = CAROM_CAPS_UNIFORM,
        .selection = CAROM_SELECTION_LEMKE,
        .facets = 8,
        .most_branches = 64,
    };
}

static bool is_enumerating(carom_increment_selection selection) {
    return selection == CAROM_SELECTION_RANDOM || selection == CAROM_SELECTION_FIRST ||
           selection == CAROM_SELECTION_ALL;
}

static carom_status refuse(const carom_impact_sampling_params *params, carom_report *report) {
    const struct {
        const char *quantity;
        double value;
        bool is_refused;
        const char *accepted;
    } checks[] = {
        {"number of samples", params->samples, params->samples < 1, "at least 1"},
        {"trajectory length", params->trajectory_length, params->trajectory_length < 1,
         "at least 1"},
        {"first sample", params->first_sample,
         params->first_sample < 0 || params->first_sample > INT_MAX - params->samples,
         ">= 0, and less than 2^31 to the last"},
        {"impulse step", params->impulse_step,
         !(params->impulse_step >= 0.0 && isfinite(params->impulse_step)), ">= 0"},
        {"final step", params->final_step,
         !(params->final_step >= 0.0 && isfinite(params->final_step)), ">= 0"},
        {"covering mass", params->covering_mass,
         !(params->covering_mass >= 0.0 && isfinite(params->covering_mass)), ">= 0"},
        {"number of branches", params->most_branches, params->most_branches < 1, "at least 1"},
        {"number of threads", params->workers.threads, params->workers.threads < 0, ">= 0"},
        {"selection", params->selection, params->selection > CAROM_SELECTION_ALL,
         "one of its list"},
        {"distribution of caps", params->distribution, params->distribution > CAROM_CAPS_CORNERS,
         "one of its list"},
    };
    for (size_t k = 0; k < sizeof checks / sizeof *checks; k++) {
        if (checks[k].is_refused) {
            return carom_report_refuse(report, checks[k].quantity, checks[k].value, -1,
                                       checks[k].accepted);
        }
    }
    return CAROM_OK;
}

static void traversal_clear(traversal *w) {
    carom_increment_work_free(w->work);
    carom_contact_mode_solutions_free(w->solutions);
    free(w->covering);
    free(w->path);
    free(w->impulse);
    free(w->candidates);
    free(w->candidate_count);
    free(w->candidate_next);
    free(w->caps);
    free(w->velocity);
}

static carom_status traversal_init(const sampling *s, traversal *w) {
    const size_t length = (size_t)s->params->trajectory_length + 2;
    const size_t r = (size_t)s->problem->row_count;
    w->candidate_width = s->params->selection == CAROM_SELECTION_ALL ? MOST_CANDIDATES : 1;
    w->covering = calloc((size_t)s->increment->size, sizeof(double));
    w->path = calloc(length * r, sizeof(double));
    w->impulse = calloc(length * r, sizeof(double));
    w->candidates = calloc(length * (size_t)w->candidate_width * r, sizeof(double));
    w->candidate_count = calloc(length, sizeof(int));
    w->candidate_next = calloc(length, sizeof(int));
    w->caps = calloc((size_t)s->problem->contact_count, sizeof(double));
    w->velocity = calloc((size_t)s->problem->coordinate_count, sizeof(double));
    if (w->covering == NULL || w->path == NULL || w->impulse == NULL || w->candidates == NULL ||
        w->candidate_count == NULL || w->candidate_next == NULL || w->caps == NULL ||
        w->velocity == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_TRY(carom_increment_work_alloc(s->increment, &w->work));
    return s->modes == NULL ? CAROM_OK
                            : carom_contact_mode_solutions_alloc(s->modes, &w->solutions);
}

/** Random numbers of a sample beyond those of its caps: one for each choice among solutions. */
static double choice(const sampling *s, int sample, int depth, int index) {
    const unsigned long length = (unsigned long)s->params->trajectory_length;
    const unsigned long caps = length * (unsigned long)s->problem->contact_count;
    const unsigned long stride = (unsigned long)s->increment->size + 1;
    return carom_counter_uniform(s->params->seed, (unsigned long)sample,
                                 caps + (unsigned long)depth * stride + (unsigned long)index);
}

/** The covering vector of an increment; NULL unless the selection names one. */
static const double *choose_covering(traversal *w, int sample, int depth) {
    const sampling *s = w->of;
    if (s->params->selection != CAROM_SELECTION_LEMKE_RANDOM_COVER) {
        return s->covering;
    }
    for (int i = 0; i < s->increment->size; i++) {
        const double factor = pow(COVER_SPREAD, 2.0 * choice(s, sample, depth, 1 + i) - 1.0);
        w->covering[i] = s->covering[i] * factor;
    }
    return w->covering;
}

/** Lemke's solution of an increment as the one candidate. Whether there is one. */
static bool solve_lemke(traversal *w, const double *c, const double *covering, double *L) {
    carom_increment_report report;
    const carom_status status =
        carom_impulse_increment_solve(w->of->increment, c, w->caps, covering, L, w->work, &report);
    w->list->pivot_count += report.pivots;
    w->list->rescue_count += report.rescues > 0;
    if (status != CAROM_OK) {
        w->list->unsolved_count++;
        return false;
    }
    w->list->largest_residual = fmax(w->list->largest_residual, report.residual);
    return true;
}

/** Candidates of an enumerating selection at a depth. */
static carom_status enumerate(traversal *w, int sample, int depth, const double *c) {
    const sampling *s = w->of;
    const int r = s->problem->row_count;
    double *candidates = w->candidates + depth * w->candidate_width * r;
    CAROM_TRY(carom_contact_modes_solve(s->modes, c, w->caps, w->solutions));
    const int found = w->solutions->count;
    w->list->multivalued_count += found > 1;
    if (found == 0) {
        // Rounding has hidden it: Lemke's method needs no decision about signs.
        w->list->rescue_count++;
        w->candidate_count[depth] = solve_lemke(w, c, s->covering, candidates) ? 1 : 0;
        return CAROM_OK;
    }
    int first = 0;
    int count = 1;
    if (s->params->selection == CAROM_SELECTION_RANDOM && found > 1) {
        first = (int)(choice(s, sample, depth, 0) * found);
    } else if (s->params->selection == CAROM_SELECTION_ALL) {
        count = found < w->candidate_width ? found : w->candidate_width;
        w->is_truncated = w->is_truncated || count < found;
    }
    for (int k = 0; k < count; k++) {
        memcpy(candidates + k * r, w->solutions->impulse + (first + k) * r,
               (size_t)r * sizeof(double));
        w->list->largest_residual =
            fmax(w->list->largest_residual, w->solutions->residual[first + k]);
    }
    w->candidate_count[depth] = count;
    return CAROM_OK;
}

/** Impulses that may follow at a depth, for caps already drawn. */
static carom_status find_candidates(traversal *w, int sample, int depth) {
    const int r = w->of->problem->row_count;
    const double *c = w->path + depth * r;
    w->candidate_next[depth] = 0;
    w->list->increment_count++;
    if (w->of->modes != NULL) {
        return enumerate(w, sample, depth, c);
    }
    double *L = w->candidates + depth * w->candidate_width * r;
    const double *covering = choose_covering(w, sample, depth);
    w->candidate_count[depth] = solve_lemke(w, c, covering, L) ? 1 : 0;
    return CAROM_OK;
}

/** Go from a depth to the next by its next candidate. */
static void take(traversal *w, int depth) {
    const carom_impact_problem *problem = w->of->problem;
    const int r = problem->row_count;
    const int candidate = w->candidate_next[depth]++;
    const double *L = w->candidates + (depth * w->candidate_width + candidate) * r;
    const double *c = w->path + depth * r;
    double *c_post = w->path + (depth + 1) * r;
    carom_impact_add_impulse(problem, L, c, c_post);
    for (int a = 0; a < r; a++) {
        w->impulse[(depth + 1) * r + a] = w->impulse[depth * r + a] + L[a];
    }
    const double change = carom_impact_energy_change(problem, L, c, c_post);
    w->list->energy_rise_count += change > ENERGY_ROUNDING * problem->kinetic_energy;
}

/** Whether any normal speed is negative, however little beyond rounding. */
static bool is_closing(const carom_impact_problem *problem, const double *c) {
    for (int i = 0; i < problem->contact_count; i++) {
        if (c[i] < -SPEED_ROUNDING * problem->speed_scale[i]) {
            return true;
        }
    }
    return false;
}

/** Algorithm 2: one more, small increment. Returns the depth reached. */
static carom_status take_final_step(traversal *w, int sample, int *depth) {
    const carom_impact_problem *problem = w->of->problem;
    const double cap = w->of->params->final_step;
    if (!(cap > 0.0) || !is_closing(problem, w->path + *depth * problem->row_count)) {
        return CAROM_OK;
    }
    for (int i = 0; i < problem->contact_count; i++) {
        w->caps[i] = cap;
    }
    CAROM_TRY(find_candidates(w, sample, *depth));
    if (w->candidate_count[*depth] > 0) {
        take(w, *depth);
        // One candidate: further ones of a last step are not followed.
        w->candidate_next[*depth] = w->candidate_count[*depth];
        (*depth)++;
    }
    return CAROM_OK;
}

/** The end of a branch at a depth. */
static carom_status record(traversal *w, int sample, int depth) {
    const sampling *s = w->of;
    CAROM_TRY(take_final_step(w, sample, &depth));
    const carom_impact_problem *problem = s->problem;
    const double *c = w->path + depth * problem->row_count;
    const double *L = w->impulse + depth * problem->row_count;
    carom_impact_velocity(problem, L, w->velocity);
    carom_sample_entry entry = {.sample = sample, .velocity = w->velocity, .contact_velocity = c};
    entry.kinetic_energy = carom_impact_kinetic_energy(problem, w->velocity);
    for (int i = 0; i < problem->contact_count; i++) {
        entry.impulse += L[i];
    }
    entry.increments = depth;
    entry.is_finished = !carom_impact_is_colliding(problem, c);
    if (s->params->observer != NULL) {
        s->params->observer(sample, depth + 1, w->path, s->params->observer_context);
    }
    w->branches++;
    return carom_sample_list_append(w->list, &entry);
}

/** Whether a branch ends at a depth; otherwise its candidates are found. */
static carom_status visit(traversal *w, int sample, int depth) {
    const sampling *s = w->of;
    const double *c = w->path + depth * s->problem->row_count;
    w->candidate_count[depth] = 0;
    w->candidate_next[depth] = 0;
    if (depth < s->params->trajectory_length && carom_impact_is_colliding(s->problem, c)) {
        carom_cap_sampler_draw(s->sampler, sample, depth, w->caps);
        for (int i = 0; i < s->problem->contact_count; i++) {
            w->caps[i] *= s->impulse_step;
        }
        CAROM_TRY(find_candidates(w, sample, depth));
    }
    return w->candidate_count[depth] == 0 ? record(w, sample, depth) : CAROM_OK;
}

/*[sampleImpact]*/
/** Algorithm 1 for one sample, depth first through all its branches. */
static carom_status run_sample(traversal *w, int sample) {
    const sampling *s = w->of;
    const size_t r = (size_t)s->problem->row_count;
    memcpy(w->path, s->problem->contact_velocity, r * sizeof(double));
    w->branches = 0;
    w->is_truncated = false;
    int depth = 0;
    CAROM_TRY(visit(w, sample, depth));
    while (depth >= 0) {
        if (w->candidate_next[depth] == w->candidate_count[depth]) {
            depth--;
        } else if (w->branches == s->params->most_branches) {
            w->is_truncated = true;
            break;
        } else {
            take(w, depth);
            depth++;
            CAROM_TRY(visit(w, sample, depth));
        }
    }
    w->list->truncated_count += w->is_truncated;
    return CAROM_OK;
}
/*[end sampleImpact]*/

/** All samples of a block. */
static carom_status run_block(int block, void *context, carom_report *report) {
    (void)report;
    const sampling *s = context;
    CAROM_AUTO_VALUE(traversal) w = {.of = s, .list = &s->lists[block]};
    CAROM_TRY(traversal_init(s, &w));
    const int begin = block * BLOCK;
    const int rest = s->params->samples - begin;
    const int end = begin + (rest < BLOCK ? rest : BLOCK);
    for (int sample = begin; sample < end; sample++) {
        CAROM_TRY(run_sample(&w, s->params->first_sample + sample));
    }
    return CAROM_OK;
}

static carom_status pack_block(int block, void *context, carom_parallel_bytes *bytes) {
    const sampling *s = context;
    return carom_sample_list_pack(&s->lists[block], bytes);
}

static carom_status unpack_block(int block, const unsigned char *data, size_t size, void *context) {
    const sampling *s = context;
    return carom_sample_list_unpack(data, size, &s->lists[block]);
}

/** All blocks, by whoever computes them: what they leave is their lists, and what the observer
 * notes of their samples. */
static carom_status run_blocks(sampling *s, int block_count, carom_report *report) {
    const carom_impact_sampling_params *params = s->params;
    const carom_parallel_results none = {.array_count = 0};
    const carom_parallel_results *observed = params->observed != NULL ? params->observed : &none;
    carom_parallel_results results = *observed;
    results.pack = pack_block;
    results.unpack = unpack_block;
    CAROM_AUTO_MEMORY carom_parallel_array *arrays =
        calloc((size_t)observed->array_count + 1, sizeof *arrays);
    if (arrays == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int i = 0; i < observed->array_count; i++) {
        arrays[i] = observed->arrays[i];
        arrays[i].item_size *= BLOCK;
    }
    results.arrays = arrays;
    const bool is_known = params->observer == NULL || params->observed != NULL;
    return carom_parallel_map_beside(params->workers, block_count, run_block, s,
                                     is_known ? &results : NULL, params->beside, report);
}

static void clear(sampling *s, int block_count) {
    carom_cap_sampler_free(s->sampler);
    carom_impulse_increment_free(s->increment);
    carom_contact_modes_free(s->modes);
    free(s->covering);
    for (int b = 0; s->lists != NULL && b < block_count; b++) {
        carom_sample_list_clear(&s->lists[b]);
    }
    free(s->lists);
}

/** Everything that the blocks share. */
static carom_status prepare(sampling *s, int block_count, carom_report *report) {
    const carom_impact_problem *problem = s->problem;
    const carom_impact_sampling_params *params = s->params;
    CAROM_TRY(carom_cap_sampler_alloc(params->distribution, params->trajectory_length,
                                      problem->contact_count, params->seed, &s->sampler, report));
    CAROM_TRY(carom_impulse_increment_alloc(problem, params->facets, &s->increment, report));
    if (is_enumerating(params->selection)) {
        CAROM_TRY(
            carom_contact_modes_alloc(problem, CAROM_CONTACT_MODES_CAPPED, &s->modes, report));
    }
    s->covering = calloc((size_t)s->increment->size, sizeof(double));
    s->lists = calloc((size_t)block_count, sizeof(carom_sample_list));
    if (s->covering == NULL || s->lists == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int b = 0; b < block_count; b++) {
        carom_sample_list_init(problem, &s->lists[b]);
    }
    if (params->selection == CAROM_SELECTION_LEMKE_SCALED) {
        carom_impulse_increment_scaled_cover(s->increment, params->covering_mass, s->covering);
    } else {
        carom_cone_complementarity_covering(s->increment, params->covering_mass, s->covering);
    }
    return CAROM_OK;
}

carom_status carom_impact_sample(const carom_impact_problem *problem,
                                 const carom_impact_sampling_params *params,
                                 carom_impact_samples **out, carom_report *report) {
    CAROM_ASSERT(problem != NULL && params != NULL && out != NULL);
    *out = NULL;
    CAROM_TRY(refuse(params, report));
    CAROM_TRY(carom_impact_require_inelastic(problem, "sampling", report));
    const int block_count = (params->samples - 1) / BLOCK + 1;
    sampling s = {.problem = problem, .params = params, .impulse_step = params->impulse_step};
    if (!(s.impulse_step > 0.0)) {
        s.impulse_step = CAROM_IMPACT_STEP_PART * carom_impact_stopping_impulse(problem);
    }
    carom_status status = prepare(&s, block_count, report);
    if (status == CAROM_OK) {
        status = run_blocks(&s, block_count, report);
    }
    if (status == CAROM_OK) {
        status = carom_sample_lists_join(block_count, s.lists, params->workers.threads, out);
    }
    clear(&s, block_count);
    return status;
}

static carom_status run_law(const carom_impact_problem *problem,
                            const carom_impact_law_params *params, carom_impact_result *result,
                            carom_report *report) {
    carom_impact_sampling_params own = params->sampling;
    own.facets = params->facets;
    CAROM_TRY(carom_impact_sample(problem, &own, &result->samples, report));
    result->cost = (int)fmin((double)result->samples->increment_count, INT_MAX);
    return CAROM_OK;
}

const carom_impact_law carom_impact_law_sampling = {
    .name = "sampling",
    .title = "the set of all inelastic outcomes, by random increments of the impulses",
    .cost = "increments of impulse in all samples",
    .has_friction = true,
    .run = run_law,
};
