#include <carom/impact/impact_law.h>
#include <carom/impact/sequential_impact.h>

#include <carom/impact/internal.h>

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

carom_sequential_params carom_sequential_params_default(void) {
    return (carom_sequential_params){.most_rounds = 10, .tolerance = 2.2e-6};
}

void carom_sequential_impact_free(carom_sequential_impact *sequence) {
    if (sequence == NULL) {
        return;
    }
    free(sequence->order);
    free(sequence->contact);
    free(sequence->contact_velocity);
    free(sequence->velocity);
    free(sequence->impulse);
    free(sequence->kinetic_energy);
    free(sequence);
}

static carom_status sequence_alloc(const carom_impact_problem *problem, int stages,
                                   carom_sequential_impact **out) {
    *out = NULL;
    CAROM_AUTO(carom_sequential_impact) s = calloc(1, sizeof *s);
    if (s == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    s->contact_count = problem->contact_count;
    s->coordinate_count = problem->coordinate_count;
    s->row_count = problem->row_count;
    const size_t r = (size_t)s->row_count;
    const size_t count = (size_t)stages;
    s->order = calloc((size_t)s->contact_count, sizeof(int));
    s->contact = calloc(count, sizeof(int));
    s->contact_velocity = calloc(count * r, sizeof(double));
    s->velocity = calloc(count * (size_t)s->coordinate_count, sizeof(double));
    s->impulse = calloc(count * r, sizeof(double));
    s->kinetic_energy = calloc(count, sizeof(double));
    if (s->order == NULL || s->contact == NULL || s->contact_velocity == NULL ||
        s->velocity == NULL || s->impulse == NULL || s->kinetic_energy == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_HAND_OVER(s, out);
    return CAROM_OK;
}

/** The order of a round must be a permutation. */
static carom_status copy_order(const int *order, int m, int *copy, carom_report *report) {
    for (int i = 0; i < m; i++) {
        copy[i] = order == NULL ? i : order[i];
        bool is_new = copy[i] >= 0 && copy[i] < m;
        for (int j = 0; j < i; j++) {
            is_new = is_new && copy[j] != copy[i];
        }
        if (!is_new) {
            return carom_report_refuse(report, "order of the contacts", copy[i], i,
                                       "each contact once");
        }
    }
    return CAROM_OK;
}

static carom_status refuse(const carom_impact_problem *problem,
                           const carom_sequential_params *params, carom_report *report) {
    CAROM_TRY(carom_impact_require_inelastic(problem, "sequential", report));
    const int m = problem->contact_count;
    const int width = problem->row_count + problem->coordinate_count;
    if (params->most_rounds < 1 || params->most_rounds > INT_MAX / m / width) {
        return carom_report_refuse(report, "rounds", params->most_rounds, -1, "at least 1");
    }
    if (!(params->tolerance >= 0.0) || !isfinite(params->tolerance)) {
        return carom_report_refuse(report, "tolerance", params->tolerance, -1, ">= 0");
    }
    return CAROM_OK;
}

/** Resolve contact i from the state after the last stage; record the next one. */
static carom_status add_stage(const carom_impact_problem *problem, int i, double tolerance,
                              carom_sequential_impact *s) {
    const int r = s->row_count;
    const int stage = s->stage_count;
    const double *c =
        stage == 0 ? problem->contact_velocity : s->contact_velocity + (stage - 1) * r;
    double *total = s->impulse + stage * r;
    if (stage > 0) {
        memcpy(total, total - r, (size_t)r * sizeof(double));
    }
    // A contact that is not colliding gets no impulse, whatever else (31) allows.
    double L[3] = {0.0, 0.0, 0.0};
    const double scale = problem->speed_scale[i];
    double residual = c[i] < 0.0 ? -c[i] / scale : 0.0;
    if (c[i] < -fmin(tolerance, CAROM_IMPACT_COLLIDING_PART) * scale) {
        CAROM_TRY(carom_contact_resolve(problem, i, c, L, &residual));
    }
    const int tangent = problem->contact_count + problem->tangent_count * i;
    total[i] += L[0];
    total[tangent] += L[1];
    if (problem->tangent_count == 2) {
        total[tangent + 1] += L[2];
    }
    double *velocity = s->velocity + stage * s->coordinate_count;
    carom_impact_add_impulse(problem, total, problem->contact_velocity,
                             s->contact_velocity + stage * r);
    carom_impact_velocity(problem, total, velocity);
    s->kinetic_energy[stage] = carom_impact_kinetic_energy(problem, velocity);
    s->contact[stage] = i;
    s->residual = fmax(s->residual, residual);
    s->stage_count++;
    return CAROM_OK;
}

/** Whether some contact closes faster than the tolerance allows. */
static bool is_colliding(const carom_impact_problem *problem, const double *c, double tolerance) {
    for (int i = 0; i < problem->contact_count; i++) {
        if (c[i] < -tolerance * problem->speed_scale[i]) {
            return true;
        }
    }
    return false;
}

/** All stages, into a sequence with room for them. */
static carom_status run(const carom_impact_problem *problem, const carom_sequential_params *params,
                        carom_sequential_impact *s, carom_report *report) {
    const int m = problem->contact_count;
    const int most_stages = params->most_rounds * m;
    s->stage_count = 0;
    s->residual = 0.0;
    const double *c = problem->contact_velocity;
    while (s->stage_count < most_stages && is_colliding(problem, c, params->tolerance)) {
        const int i = s->order[s->stage_count % m];
        const carom_status status = add_stage(problem, i, params->tolerance, s);
        if (status != CAROM_OK) {
            return carom_report_fail(report, status, "impact of a contact", c[i], i);
        }
        c = s->contact_velocity + (s->stage_count - 1) * s->row_count;
    }
    s->is_finished = !is_colliding(problem, c, params->tolerance);
    return CAROM_OK;
}

/** A copy of just the size of its stages. */
static carom_status trim(const carom_impact_problem *problem, const carom_sequential_impact *s,
                         carom_sequential_impact **out) {
    const size_t stages = (size_t)s->stage_count;
    const size_t r = (size_t)s->row_count;
    const size_t n = (size_t)s->coordinate_count;
    CAROM_TRY(sequence_alloc(problem, s->stage_count > 0 ? s->stage_count : 1, out));
    carom_sequential_impact *copy = *out;
    memcpy(copy->order, s->order, (size_t)s->contact_count * sizeof(int));
    memcpy(copy->contact, s->contact, stages * sizeof(int));
    memcpy(copy->contact_velocity, s->contact_velocity, stages * r * sizeof(double));
    memcpy(copy->velocity, s->velocity, stages * n * sizeof(double));
    memcpy(copy->impulse, s->impulse, stages * r * sizeof(double));
    memcpy(copy->kinetic_energy, s->kinetic_energy, stages * sizeof(double));
    copy->stage_count = s->stage_count;
    copy->residual = s->residual;
    copy->is_finished = s->is_finished;
    return CAROM_OK;
}

/** The next permutation of x [m] in lexicographic order; false after the last one. */
static bool permute(int m, int *x) {
    int left = m - 2;
    while (left >= 0 && x[left] > x[left + 1]) {
        left--;
    }
    if (left < 0) {
        return false;
    }
    int right = m - 1;
    while (x[right] < x[left]) {
        right--;
    }
    const int held = x[left];
    x[left] = x[right];
    x[right] = held;
    // What follows was decreasing: turn it round.
    for (int a = left + 1, b = m - 1; a < b; a++, b--) {
        const int other = x[a];
        x[a] = x[b];
        x[b] = other;
    }
    return true;
}

/** The next order of a kind; false after the last one. */
static bool next_order(carom_sequential_orders orders, int m, int *order) {
    if (orders == CAROM_SEQUENTIAL_PERMUTATIONS) {
        return permute(m, order);
    }
    const int first = order[0];
    memmove(order, order + 1, (size_t)(m - 1) * sizeof(int));
    order[m - 1] = first;
    return order[0] != 0;
}

carom_status carom_sequential_impact_run(const carom_impact_problem *problem, const int *order,
                                         const carom_sequential_params *params,
                                         carom_sequential_impact **out, carom_report *report) {
    CAROM_ASSERT(problem != NULL && params != NULL && out != NULL);
    *out = NULL;
    CAROM_TRY(refuse(problem, params, report));
    const int m = problem->contact_count;
    CAROM_AUTO(carom_sequential_impact) s = NULL;
    CAROM_TRY(sequence_alloc(problem, params->most_rounds * m, &s));
    CAROM_TRY(copy_order(order, m, s->order, report));
    CAROM_TRY(run(problem, params, s, report));
    return trim(problem, s, out);
}

void carom_sequential_impacts_free(carom_sequential_impacts *impacts) {
    if (impacts == NULL) {
        return;
    }
    for (int k = 0; k < impacts->count; k++) {
        carom_sequential_impact_free(impacts->sequences[k]);
    }
    free(impacts->sequences);
    free(impacts);
}

/** m, or m!. */
static int order_count(carom_sequential_orders orders, int m) {
    int count = m;
    for (int i = m - 1; orders == CAROM_SEQUENTIAL_PERMUTATIONS && i > 1; i--) {
        count *= i;
    }
    return count;
}

carom_status carom_sequential_impacts_run(const carom_impact_problem *problem,
                                          carom_sequential_orders orders,
                                          const carom_sequential_params *params,
                                          carom_sequential_impacts **out, carom_report *report) {
    CAROM_ASSERT(problem != NULL && params != NULL && out != NULL);
    *out = NULL;
    const int m = problem->contact_count;
    if (orders == CAROM_SEQUENTIAL_PERMUTATIONS && m > CAROM_SEQUENTIAL_MOST_CONTACTS) {
        return carom_report_refuse(report, "number of contacts", m, -1, "at most 8 for all orders");
    }
    const int count = order_count(orders, m);
    CAROM_AUTO_MEMORY int *order = calloc((size_t)m, sizeof(int));
    CAROM_AUTO(carom_sequential_impacts) impacts = calloc(1, sizeof *impacts);
    if (order == NULL || impacts == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    impacts->sequences = calloc((size_t)count, sizeof(carom_sequential_impact *));
    if (impacts->sequences == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int i = 0; i < m; i++) {
        order[i] = i;
    }
    do {
        CAROM_TRY(carom_sequential_impact_run(problem, order, params,
                                              &impacts->sequences[impacts->count], report));
        impacts->count++;
    } while (next_order(orders, m, order));
    CAROM_HAND_OVER(impacts, out);
    return CAROM_OK;
}

carom_status carom_sequential_impacts_add_outcomes(const carom_sequential_impacts *impacts,
                                                   const carom_impact_problem *problem,
                                                   carom_impact_outcomes *outcomes) {
    CAROM_ASSERT(impacts != NULL && problem != NULL && outcomes != NULL);
    CAROM_AUTO_MEMORY double *none = calloc((size_t)problem->row_count, sizeof(double));
    if (none == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int k = 0; k < impacts->count; k++) {
        const carom_sequential_impact *s = impacts->sequences[k];
        const double *L =
            s->stage_count == 0 ? none : s->impulse + (s->stage_count - 1) * s->row_count;
        if (s->is_finished) {
            CAROM_TRY(
                carom_impact_outcomes_add(outcomes, problem, L, s->residual, CAROM_IMPACT_MERGING));
        }
    }
    return CAROM_OK;
}

static carom_status run_law(const carom_impact_problem *problem,
                            const carom_impact_law_params *params, carom_impact_result *result,
                            carom_report *report) {
    CAROM_TRY(carom_sequential_impacts_run(problem, params->orders, &params->sequential,
                                           &result->sequences, report));
    CAROM_ASSERT(result->sequences != NULL);
    int left = 0;
    for (int i = 0; i < result->sequences->count; i++) {
        result->cost += result->sequences->sequences[i]->stage_count;
        left += result->sequences->sequences[i]->is_finished ? 0 : 1;
    }
    result->unfinished = (double)left / result->sequences->count;
    return carom_sequential_impacts_add_outcomes(result->sequences, problem, result->outcomes);
}

const carom_impact_law carom_impact_law_sequential = {
    .name = "sequential",
    .title = "inelastic impacts of single contacts, one after the other",
    .cost = "single impacts in all orders",
    .has_friction = true,
    .run = run_law,
};
