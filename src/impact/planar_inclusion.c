#include <carom/base/random.h>
#include <carom/impact/contact_modes.h>
#include <carom/impact/impact_inclusion.h>
#include <carom/impact/impact_law.h>
#include <carom/impact/internal.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/**
 * Speeds below this part of the largest initial one are zero: two speeds that vanish together do so
 * up to the roundings of the segments before. Kinetic energy falls, so that speeds stay of one
 * size.
 */
static const double VANISHING_SPEED = 1e-13;

/** Half the distance of uniform numbers, in place of their zero: lengths are positive. */
static const double LEAST_UNIFORM = 0x1p-54;

/** Work memory of a run. */
typedef struct inclusion_run {
    const carom_impact_problem *problem;
    const carom_planar_inclusion_params *params;
    carom_friction_rates *rates;
    double *weights;    /**< [m] */
    double *speed_rate; /**< [r] c' */
    double small_speed; /**< m/s */
    int capacity;       /**< segments that fit into the path */
} inclusion_run;

static void inclusion_run_clear(inclusion_run *run) {
    carom_friction_rates_free(run->rates);
    free(run->weights);
    free(run->speed_rate);
}

double carom_inclusion_policy_fixed(int segment, double s, const double *c, double *weights,
                                    void *context) {
    (void)segment;
    (void)s;
    (void)c;
    const carom_inclusion_mixtures *shares = context;
    memcpy(weights, shares->weights, (size_t)shares->contact_count * sizeof(double));
    return INFINITY;
}

double carom_inclusion_policy_random(int segment, double s, const double *c, double *weights,
                                     void *context) {
    (void)s;
    (void)c;
    const carom_inclusion_random *random = context;
    const int m = random->contact_count;
    const unsigned long first = (unsigned long)segment * ((unsigned long)m + 1);
    // Exponential numbers, divided by their sum, are uniform on the simplex.
    for (int i = 0; i < m; i++) {
        const double u =
            carom_counter_uniform(random->seed, random->sample, first + (unsigned long)i);
        weights[i] = -log1p(-u);
    }
    if (!isfinite(random->mean_length)) {
        return INFINITY;
    }
    const double u = carom_counter_uniform(random->seed, random->sample, first + (unsigned long)m);
    return -random->mean_length * log1p(-fmax(u, LEAST_UNIFORM));
}

carom_planar_inclusion_params carom_planar_inclusion_params_default(void) {
    return (carom_planar_inclusion_params){.most_segments = 10000};
}

double carom_planar_inclusion_energy_error(const carom_impact_problem *problem,
                                           const carom_planar_inclusion_path *path) {
    const int m = problem->contact_count;
    double largest = 0.0;
    for (int k = 0; k < path->segment_count; k++) {
        const double *rate = path->rate + (size_t)k * (size_t)path->row_count;
        double mean = 0.0;
        for (int end = 0; end < 2; end++) {
            const double *c = path->speed + (size_t)(k + end) * (size_t)path->row_count;
            for (int i = 0; i < m; i++) {
                mean += 0.5 * rate[i] * (c[i] - problem->friction[i] * fabs(c[m + i]));
            }
        }
        const double change = path->kinetic_energy[k + 1] - path->kinetic_energy[k];
        const double expected = mean * (path->s[k + 1] - path->s[k]);
        largest = fmax(largest, fabs(change - expected) / problem->kinetic_energy);
    }
    return largest;
}

void carom_planar_inclusion_path_free(carom_planar_inclusion_path *path) {
    if (path == NULL) {
        return;
    }
    free(path->s);
    free(path->speed);
    free(path->rate);
    free(path->impulse);
    free(path->velocity);
    free(path->kinetic_energy);
    free(path);
}

static carom_status enlarge(double **values, size_t count) {
    double *larger = realloc(*values, count * sizeof(double));
    if (larger == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    *values = larger;
    return CAROM_OK;
}

/** Room for as many segments; what is there is kept. */
static carom_status reserve(carom_planar_inclusion_path *path, int segments) {
    const size_t corners = (size_t)segments + 1;
    const size_t r = (size_t)path->row_count;
    CAROM_TRY(enlarge(&path->s, corners));
    CAROM_TRY(enlarge(&path->speed, corners * r));
    CAROM_TRY(enlarge(&path->rate, corners * r));
    return enlarge(&path->kinetic_energy, corners);
}

/** Room for one more segment. */
static carom_status grow(inclusion_run *run, carom_planar_inclusion_path *path) {
    if (path->segment_count < run->capacity) {
        return CAROM_OK;
    }
    CAROM_TRY(reserve(path, 2 * run->capacity));
    run->capacity *= 2;
    return CAROM_OK;
}

/** Speeds that have vanished become exactly zero. */
static void clear_vanished(const inclusion_run *run, double *c) {
    for (int a = 0; a < run->problem->row_count; a++) {
        if (fabs(c[a]) <= run->small_speed) {
            c[a] = 0.0;
        }
    }
}

/** Whether all c_n >= 0. */
static bool has_separated(const carom_impact_problem *problem, const double *c) {
    for (int i = 0; i < problem->contact_count; i++) {
        if (c[i] < 0.0) {
            return false;
        }
    }
    return true;
}

/** The stretch in s to the first speed that comes to zero, at most `longest`. */
static double next_event(const inclusion_run *run, const double *c, double longest) {
    double length = longest;
    for (int a = 0; a < run->problem->row_count; a++) {
        const bool is_approaching_zero = c[a] * run->speed_rate[a] < 0.0;
        if (is_approaching_zero) {
            length = fmin(length, -c[a] / run->speed_rate[a]);
        }
    }
    return length;
}

/** Append the next corner, `length` further. */
static void append(const inclusion_run *run, carom_planar_inclusion_path *path, double length) {
    const int r = path->row_count;
    const int k = path->segment_count;
    const double *c = path->speed + (size_t)k * (size_t)r;
    const double *rate = path->rate + (size_t)k * (size_t)r;
    double *next = path->speed + ((size_t)k + 1) * (size_t)r;
    double work = 0.0;
    for (int a = 0; a < r; a++) {
        next[a] = c[a] + length * run->speed_rate[a];
        work += 0.5 * length * rate[a] * (c[a] + next[a]);
        path->impulse[a] += length * rate[a];
    }
    clear_vanished(run, next);
    path->s[k + 1] = path->s[k] + length;
    path->kinetic_energy[k + 1] = path->kinetic_energy[k] + work;
    path->segment_count++;
}

/** Whether an impact goes on from the last corner; its rates are then in place. */
static carom_status continues(inclusion_run *run, carom_planar_inclusion_path *path,
                              double *longest, bool *has_rates, carom_report *report) {
    const carom_impact_problem *problem = run->problem;
    const int m = problem->contact_count;
    const int k = path->segment_count;
    const double *c = path->speed + (size_t)k * (size_t)path->row_count;
    double *rate = path->rate + (size_t)k * (size_t)path->row_count;
    *has_rates = false;
    const bool is_over = has_separated(problem, c);
    if (is_over && !(k == 0 && run->params->starts_pressed)) {
        return CAROM_OK;
    }
    for (int i = 0; i < m; i++) {
        run->weights[i] = 1.0;
    }
    *longest = INFINITY;
    if (run->params->policy != NULL) {
        *longest = run->params->policy(k, path->s[k], c, run->weights, run->params->context);
    }
    if (!(*longest > 0.0)) {
        return carom_report_refuse(report, "length of a segment", *longest, k, "> 0");
    }
    double residual = 0.0;
    const carom_status status =
        is_over ? carom_friction_rates_compute_pressed(run->rates, run->weights, c, rate,
                                                       run->speed_rate, &residual)
                : carom_friction_rates_compute(run->rates, run->weights, c, rate, run->speed_rate,
                                               &residual);
    if (status != CAROM_OK) {
        return carom_report_fail(report, status, "shares of an impulse", residual, k);
    }
    path->largest_residual = fmax(path->largest_residual, residual);
    // From c_n >= 0 it is an impact only if pressing makes a pressed contact collide.
    *has_rates = !is_over;
    for (int i = 0; i < m; i++) {
        *has_rates = *has_rates || (rate[i] > 0.0 && run->speed_rate[i] < 0.0);
    }
    return CAROM_OK;
}

static carom_status run_path(inclusion_run *run, carom_planar_inclusion_path *path,
                             carom_report *report) {
    for (;;) {
        double longest;
        bool has_rates;
        CAROM_TRY(grow(run, path));
        CAROM_TRY(continues(run, path, &longest, &has_rates, report));
        if (!has_rates) {
            path->is_finished = true;
            return CAROM_OK;
        }
        if (path->segment_count == run->params->most_segments) {
            return CAROM_OK;
        }
        const double *c = path->speed + (size_t)path->segment_count * (size_t)path->row_count;
        const double length = next_event(run, c, longest);
        if (!isfinite(length)) {
            return carom_report_fail(report, CAROM_STATUS_NOT_CONVERGED, "length of a segment",
                                     length, path->segment_count);
        }
        append(run, path, length);
    }
}

/** The first corner and everything that the path needs. */
static carom_status start(const carom_impact_problem *problem, inclusion_run *run,
                          carom_planar_inclusion_path *path, carom_report *report) {
    enum { FIRST_CAPACITY = 16 };
    path->coordinate_count = problem->coordinate_count;
    path->contact_count = problem->contact_count;
    path->row_count = problem->row_count;
    CAROM_TRY(carom_friction_rates_alloc(problem, &run->rates, report));
    run->weights = calloc((size_t)problem->contact_count, sizeof(double));
    run->speed_rate = calloc((size_t)problem->row_count, sizeof(double));
    path->impulse = calloc((size_t)problem->row_count, sizeof(double));
    path->velocity = calloc((size_t)problem->coordinate_count, sizeof(double));
    if (run->weights == NULL || run->speed_rate == NULL || path->impulse == NULL ||
        path->velocity == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_TRY(reserve(path, FIRST_CAPACITY));
    run->capacity = FIRST_CAPACITY;
    double fastest = 0.0;
    for (int a = 0; a < problem->row_count; a++) {
        fastest = fmax(fastest, fabs(problem->contact_velocity[a]));
    }
    run->small_speed = VANISHING_SPEED * fastest;
    memcpy(path->speed, problem->contact_velocity, (size_t)problem->row_count * sizeof(double));
    clear_vanished(run, path->speed);
    path->s[0] = 0.0;
    path->kinetic_energy[0] = problem->kinetic_energy;
    return CAROM_OK;
}

carom_status carom_planar_inclusion_run(const carom_impact_problem *problem,
                                        const carom_planar_inclusion_params *params,
                                        carom_planar_inclusion_path **out, carom_report *report) {
    CAROM_ASSERT(problem != NULL && params != NULL && out != NULL);
    *out = NULL;
    if (params->most_segments < 1) {
        return carom_report_refuse(report, "most segments", params->most_segments, -1,
                                   "at least 1");
    }
    CAROM_TRY(carom_impact_require_inelastic(problem, "inclusion", report));
    CAROM_AUTO(carom_planar_inclusion_path) path = calloc(1, sizeof *path);
    if (path == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_AUTO_VALUE(inclusion_run) run = {.problem = problem, .params = params};
    CAROM_TRY(start(problem, &run, path, report));
    CAROM_TRY(run_path(&run, path, report));
    carom_impact_velocity(problem, path->impulse, path->velocity);
    CAROM_HAND_OVER(path, out);
    return CAROM_OK;
}

static carom_status run_law(const carom_impact_problem *problem,
                            const carom_impact_law_params *params, carom_impact_result *result,
                            carom_report *report) {
    CAROM_TRY(carom_planar_inclusion_run(problem, &params->inclusion, &result->path, report));
    const carom_planar_inclusion_path *path = result->path;
    CAROM_ASSERT(path != NULL);
    result->cost = path->segment_count;
    result->unfinished = path->is_finished ? 0.0 : 1.0;
    return path->is_finished ? carom_impact_outcomes_add(result->outcomes, problem, path->impulse,
                                                         path->largest_residual, 0.0)
                             : CAROM_OK;
}

const carom_impact_law carom_impact_law_inclusion = {
    .name = "inclusion",
    .title = "the exact inelastic path of given shares of the impulse",
    .cost = "straight segments of the path",
    .choice = "shares of the impulse",
    .has_friction = true,
    .is_planar = true,
    .run = run_law,
};
