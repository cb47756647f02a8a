#include <carom/modes/orbit_search.h>

#include <carom/base/parallel.h>
#include <carom/base/random.h>
#include <carom/modes/impact_equations.h>
#include <carom/modes/internal.h>
#include <carom/modes/orbit.h>
#include <carom/modes/orbit_search_internal.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/** Guesses that share one workspace: enough to make its allocation nothing. */
#define CHUNK_SIZE 32

/** Guesses between two reports of progress; what they lead to is merged in their order. */
#define BATCH_SIZE 4096

/** Steps from a guess: most guesses that lead somewhere need fewer, another guess is worth more. */
#define GUESS_ITERATIONS 50

/** A motion is kept if events bring it back after a period to this part of its state. */
static const double LARGEST_CLOSURE_ERROR = 1e-9;

/** Least weight of a flight in a guess, against 1: most found motions keep within it. */
static const double SHORTEST_WEIGHT = 0.15;

/** The result of one guess. */
typedef struct outcome {
    bool is_converged;
    bool is_repeat;
    bool is_potential;
    bool is_unclosed;
    bool is_outside;
    carom_found_orbit found; /* orbit NULL: nothing to keep */
} outcome;

/** The search, shared by all threads. */
typedef struct search {
    const carom_modal_basis *basis;
    const carom_orbit_search_params *params;
    int batch_first;   /* first guess of the batch */
    int batch_count;   /* its number of guesses */
    outcome *outcomes; /* [batch_count] */
} search;

/** What one thread needs; solvers and orbits by number of impacts, the divisors of k. */
typedef struct worker {
    const carom_modal_basis *basis;
    const carom_orbit_search_params *params;
    carom_orbit_solver **solvers; /* [k + 1] NULL where not a divisor */
    carom_orbit **orbits;         /* [k + 1] */
    carom_contact_motion *motion;
    double *state;        /* [m][2] */
    double *flight_times; /* [k] guess */
    double *lambda;       /* [k] guess */
} worker;

carom_orbit_search_params carom_orbit_search_params_default(int impact_count, double max_period) {
    return (carom_orbit_search_params){
        .impact_count = impact_count,
        .start_count = 1000,
        .max_period = max_period,
        .seed = 1,
        .keep_potential = false,
        .keep_unclosed = false,
        .keep_repeats = false,
        .smallest_flight = 1e-4,
        .tolerance = 1e-7,
    };
}

/** Refuse parameters outside of their ranges. */
static carom_status check_params(const carom_orbit_search_params *params, carom_report *report) {
    if (params->impact_count < 1) {
        return carom_report_refuse(report, "impact count", params->impact_count, -1, ">= 1");
    }
    if (params->start_count < 1) {
        return carom_report_refuse(report, "start count", params->start_count, -1, ">= 1");
    }
    if (!(params->max_period > 0.0) || !isfinite(params->max_period)) {
        return carom_report_refuse(report, "largest period", params->max_period, -1, "> 0, finite");
    }
    if (params->workers.threads < 0) {
        return carom_report_refuse(report, "threads", params->workers.threads, -1, ">= 0");
    }
    // k flights of more than 1/k of the period each do not exist.
    const double smallest = params->smallest_flight;
    if (!(smallest >= 0.0) || !(smallest * (double)params->impact_count < 1.0)) {
        return carom_report_bound(report, "smallest flight", smallest, ">= 0, below",
                                  1.0 / params->impact_count);
    }
    // Half the mean flight time: the cells of carom_orbit_collection need less than that.
    if (!(params->tolerance > 0.0) || !(params->tolerance * (double)params->impact_count <= 0.5)) {
        return carom_report_bound(report, "tolerance", params->tolerance, "> 0, up to",
                                  0.5 / params->impact_count);
    }
    return CAROM_OK;
}

static void worker_clear(worker *w) {
    for (int d = 1; d <= w->params->impact_count; d++) {
        if (w->solvers != NULL) {
            carom_orbit_solver_free(w->solvers[d]);
        }
        if (w->orbits != NULL) {
            carom_orbit_free(w->orbits[d]);
        }
    }
    free(w->solvers);
    free(w->orbits);
    carom_contact_motion_free(w->motion);
    free(w->state);
}

/** Solvers and orbits for k impacts and for all that k impacts may repeat. */
static carom_status worker_init(const search *s, worker *w) {
    const size_t k = (size_t)s->params->impact_count;
    const size_t m = (size_t)s->basis->visible_count;
    w->solvers = calloc(k + 1, sizeof(carom_orbit_solver *));
    w->orbits = calloc(k + 1, sizeof(carom_orbit *));
    w->state = malloc((2 * m + 2 * k) * sizeof *w->state);
    if (w->solvers == NULL || w->orbits == NULL || w->state == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    w->flight_times = w->state + 2 * m;
    w->lambda = w->flight_times + k;
    CAROM_TRY(carom_contact_motion_alloc(s->basis, &w->motion));
    for (int d = 1; d <= s->params->impact_count; d++) {
        if (s->params->impact_count % d == 0) {
            CAROM_TRY(carom_orbit_solver_alloc(s->basis, d, &w->solvers[d]));
            CAROM_TRY(carom_orbit_alloc(s->basis, d, &w->orbits[d]));
        }
    }
    return CAROM_OK;
}

/**
 * Guess: a period in (0, max_period], divided by random weights in [SHORTEST_WEIGHT, 1), and
 * impacts that push alike, with the speed that crosses the gap within a mean flight. Lambda that
 * meets the equations best at random times is mostly near zero or pulls, and so does what it leads
 * to.
 */
/*[searchGuess]*/
static void draw_guess(const carom_modal_basis *basis, const carom_orbit_search_params *params,
                       int start, double *flight_times, double *lambda) {
    const unsigned long sample = (unsigned long)start;
    const int k = params->impact_count;
    const double period =
        params->max_period * (1.0 - carom_counter_uniform(params->seed, sample, 0));
    double sum = 0.0;
    for (int i = 0; i < k; i++) {
        const double u = carom_counter_uniform(params->seed, sample, (unsigned long)i + 1);
        flight_times[i] = SHORTEST_WEIGHT + (1.0 - SHORTEST_WEIGHT) * u;
        sum += flight_times[i];
    }
    const double speed = fabs(basis->gap_at_rest) * k / period;
    for (int i = 0; i < k; i++) {
        flight_times[i] *= period / sum;
        lambda[i] = speed / basis->root_inverse_mass;
    }
}
/*[end searchGuess]*/

/** Whether no impact pulls, to the tolerance of the certificate. */
static bool pushes(const carom_orbit *orbit) {
    double largest = 0.0;
    double smallest = INFINITY;
    for (int j = 0; j < orbit->impact_count; j++) {
        largest = fmax(largest, fabs(orbit->lambda[j]));
        smallest = fmin(smallest, orbit->lambda[j]);
    }
    return smallest >= -CAROM_ADMISSIBILITY_TOLERANCE * largest;
}

/** Whether all flights are long enough and the period short enough. */
static bool has_wanted_times(const carom_orbit_search_params *params, const carom_orbit *orbit) {
    double shortest = INFINITY;
    for (int j = 0; j < orbit->impact_count; j++) {
        shortest = fmin(shortest, orbit->flight_times[j]);
    }
    return shortest >= params->smallest_flight * orbit->period &&
           orbit->period <= params->max_period;
}

/**
 * The motion of d impacts that an orbit of k repeats k/d times: the mean of its repetitions, solved
 * again. NULL if that fails.
 */
static carom_orbit *reduce(worker *w, const carom_orbit *orbit, int d) {
    const int k = orbit->impact_count;
    const double weight = (double)d / (double)k;
    for (int i = 0; i < d; i++) {
        w->flight_times[i] = 0.0;
        w->lambda[i] = 0.0;
        for (int j = i; j < k; j += d) {
            w->flight_times[i] += weight * orbit->flight_times[j];
            w->lambda[i] += weight * orbit->lambda[j];
        }
    }
    const carom_status status = carom_orbit_solve(w->solvers[d], w->flight_times, w->lambda, NULL,
                                                  NULL, w->orbits[d], NULL);
    if (status != CAROM_OK) {
        return NULL;
    }
    return w->orbits[d];
}

/** The same motion from another impact on, or backwards: the canonical form, with its state. */
static void bring_to_canonical_form(worker *w, carom_orbit *orbit) {
    const int k = orbit->impact_count;
    const carom_sequence_form form =
        carom_sequence_canonical_form(k, orbit->flight_times, orbit->lambda, w->params->tolerance);
    if (form.is_reversed) {
        // After the impact at t = 0 of the reversed motion is before that of the motion itself.
        for (int l = 0; l < orbit->mode_count; l++) {
            const double jump = 2.0 * orbit->lambda[k - 1] * w->basis->participation[l];
            orbit->state[2 * l + 1] = -(orbit->state[2 * l + 1] + jump);
        }
        carom_sequence_reverse(k, orbit->flight_times, orbit->lambda);
    }
    carom_orbit_state_after(w->basis, orbit, form.rotation, w->state);
    memcpy(orbit->state, w->state, 2 * (size_t)orbit->mode_count * sizeof(double));
    carom_sequence_rotate(k, form.rotation, orbit->flight_times, orbit->lambda);
}

/** Certify and propagate a solution in place; whether it is to be kept, and whether it is
 * admissible. */
static bool judge(worker *w, carom_orbit *orbit, carom_found_orbit *found) {
    bring_to_canonical_form(w, orbit);
    const carom_admissibility admissibility =
        carom_orbit_certify(w->basis, w->motion, orbit, w->state, CAROM_ADMISSIBILITY_TOLERANCE);
    found->is_admissible = admissibility.is_admissible;
    found->largest_gap_violation = admissibility.largest_gap_violation;
    found->closure_error = (double)NAN;
    if (!admissibility.is_admissible) {
        return w->params->keep_potential;
    }
    found->closure_error = carom_orbit_closure_error(w->basis, w->motion, orbit, w->state);
    return found->closure_error <= LARGEST_CLOSURE_ERROR || w->params->keep_unclosed;
}

/** Follow one guess to what it leads to. */
static carom_status follow_guess(worker *w, int start, outcome *result) {
    const carom_orbit_search_params *params = w->params;
    const int k = params->impact_count;
    carom_orbit *orbit = w->orbits[k];
    draw_guess(w->basis, params, start, w->flight_times, w->lambda);
    // One impact is known at any period; without a gap lambda has no scale. The solver finds both.
    const bool is_given = k > 1 && fabs(w->basis->gap_at_rest) > 0.0;
    const double *lambda = is_given ? w->lambda : NULL;
    carom_orbit_solver_params quick = carom_orbit_solver_params_default();
    quick.max_iterations = GUESS_ITERATIONS;
    const carom_status status =
        carom_orbit_solve(w->solvers[k], w->flight_times, lambda, NULL, &quick, orbit, NULL);
    if (status != CAROM_OK) {
        return CAROM_OK;
    }
    result->is_converged = true;
    const int d =
        carom_sequence_primitive(k, orbit->flight_times, orbit->lambda, params->tolerance);
    result->is_repeat = d < k;
    const bool is_pushing = pushes(orbit);
    result->is_potential = !is_pushing;
    if (!is_pushing && !params->keep_potential) {
        return CAROM_OK;
    }
    if (result->is_repeat && !params->keep_repeats) {
        return CAROM_OK;
    }
    if (result->is_repeat) {
        orbit = reduce(w, orbit, d);
    }
    if (orbit == NULL || !has_wanted_times(params, orbit)) {
        result->is_outside = is_pushing;
        return CAROM_OK;
    }
    const bool is_kept = judge(w, orbit, &result->found);
    result->is_unclosed =
        result->found.is_admissible && !(result->found.closure_error <= LARGEST_CLOSURE_ERROR);
    result->is_potential = result->is_potential || !result->found.is_admissible;
    if (!is_kept) {
        return CAROM_OK;
    }
    result->found.start = start;
    result->found.hits = 1;
    CAROM_TRY(carom_orbit_alloc(w->basis, orbit->impact_count, &result->found.orbit));
    carom_orbit_copy(orbit, result->found.orbit);
    return CAROM_OK;
}

/** One chunk of guesses with one workspace. */
static carom_status search_chunk(int item, void *context, carom_report *report) {
    const search *s = context;
    (void)report;
    const int first = item * CHUNK_SIZE;
    const int rest = s->batch_count - first;
    const int count = rest < CHUNK_SIZE ? rest : CHUNK_SIZE;
    CAROM_AUTO_VALUE(worker) w = {.basis = s->basis, .params = s->params};
    CAROM_TRY(worker_init(s, &w));
    for (int i = first; i < first + count; i++) {
        CAROM_TRY(follow_guess(&w, s->batch_first + i, &s->outcomes[i]));
    }
    return CAROM_OK;
}

/** The guesses of a chunk. */
static outcome *outcomes_of(const search *s, int item, int *count) {
    const int rest = s->batch_count - item * CHUNK_SIZE;
    *count = rest < CHUNK_SIZE ? rest : CHUNK_SIZE;
    return s->outcomes + item * CHUNK_SIZE;
}

/** Flight times, lambda and state of an orbit lie behind each other. */
static size_t numbers_size(const carom_orbit *orbit) {
    return 2 * (size_t)(orbit->impact_count + orbit->mode_count) * sizeof(double);
}

static carom_status pack_chunk(int item, void *context, carom_parallel_bytes *bytes) {
    int count = 0;
    const outcome *results = outcomes_of(context, item, &count);
    for (int i = 0; i < count; i++) {
        const carom_orbit *orbit = results[i].found.orbit;
        outcome bare = results[i];
        bare.found.orbit = NULL;
        CAROM_TRY(carom_parallel_append(bytes, &bare, sizeof bare));
        const int impact_count = orbit != NULL ? orbit->impact_count : 0;
        CAROM_TRY(carom_parallel_append(bytes, &impact_count, sizeof impact_count));
        if (orbit != NULL) {
            const double rest[] = {orbit->period, orbit->energy, orbit->residual};
            CAROM_TRY(carom_parallel_append(bytes, rest, sizeof rest));
            CAROM_TRY(carom_parallel_append(bytes, orbit->flight_times, numbers_size(orbit)));
        }
    }
    return CAROM_OK;
}

/** Copy the next bytes of some data; false if it has fewer. */
static bool take_bytes(const unsigned char **data, size_t *left, void *bytes, size_t size) {
    if (size > *left) {
        return false;
    }
    memcpy(bytes, *data, size);
    *data += size;
    *left -= size;
    return true;
}

static carom_status unpack_chunk(int item, const unsigned char *data, size_t size, void *context) {
    const search *s = context;
    int count = 0;
    outcome *results = outcomes_of(s, item, &count);
    for (int i = 0; i < count; i++) {
        int impact_count = 0;
        if (!take_bytes(&data, &size, &results[i], sizeof results[i]) ||
            !take_bytes(&data, &size, &impact_count, sizeof impact_count)) {
            return CAROM_STATUS_BAD_FORMAT;
        }
        if (impact_count == 0) {
            continue;
        }
        CAROM_TRY(carom_orbit_alloc(s->basis, impact_count, &results[i].found.orbit));
        carom_orbit *orbit = results[i].found.orbit;
        double rest[3];
        if (!take_bytes(&data, &size, rest, sizeof rest) ||
            !take_bytes(&data, &size, orbit->flight_times, numbers_size(orbit))) {
            return CAROM_STATUS_BAD_FORMAT;
        }
        orbit->period = rest[0];
        orbit->energy = rest[1];
        orbit->residual = rest[2];
    }
    return CAROM_OK;
}

/** Add what a batch found, in the order of the guesses; after a failure only free it. */
static carom_status merge_batch(const search *s, carom_status status,
                                carom_orbit_collection *collection, carom_orbit_list *list) {
    for (int i = 0; i < s->batch_count; i++) {
        outcome *result = &s->outcomes[i];
        list->converged += result->is_converged;
        list->repeats += result->is_repeat;
        list->potential += result->is_potential;
        list->outside += result->is_outside;
        list->unclosed += result->is_unclosed;
        if (result->found.orbit == NULL) {
            continue;
        }
        if (status == CAROM_OK) {
            status = carom_orbit_collection_add(collection, &result->found);
        } else {
            carom_orbit_free(result->found.orbit);
        }
    }
    return status;
}

carom_status carom_orbit_search(const carom_modal_basis *basis,
                                const carom_orbit_search_params *params,
                                carom_orbit_search_progress progress, void *context,
                                carom_orbit_list **out, carom_report *report) {
    CAROM_ASSERT(basis != NULL && params != NULL && out != NULL);
    *out = NULL;
    CAROM_TRY(check_params(params, report));
    const int batch_size = params->start_count < BATCH_SIZE ? params->start_count : BATCH_SIZE;
    CAROM_AUTO(carom_orbit_collection) collection = NULL;
    CAROM_AUTO(carom_orbit_list) list = calloc(1, sizeof *list);
    CAROM_AUTO_MEMORY outcome *outcomes = malloc((size_t)batch_size * sizeof *outcomes);
    if (list == NULL || outcomes == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_TRY(carom_orbit_collection_alloc(params->start_count, params->impact_count,
                                           params->tolerance, &collection));
    search s = {.basis = basis, .params = params, .outcomes = outcomes};
    for (int done = 0; done < params->start_count; done += s.batch_count) {
        const int rest = params->start_count - done;
        s.batch_first = done;
        s.batch_count = rest < batch_size ? rest : batch_size;
        memset(s.outcomes, 0, (size_t)s.batch_count * sizeof *s.outcomes);
        const int chunks = (s.batch_count - 1) / CHUNK_SIZE + 1;
        const carom_parallel_results left = {.pack = pack_chunk, .unpack = unpack_chunk};
        const carom_status status =
            carom_parallel_map(params->workers, chunks, search_chunk, &s, &left, report);
        CAROM_TRY(merge_batch(&s, status, collection, list));
        if (progress != NULL) {
            progress(done + s.batch_count, context);
        }
    }
    carom_orbit_collection_hand_over(collection, list);
    CAROM_HAND_OVER(list, out);
    return CAROM_OK;
}
