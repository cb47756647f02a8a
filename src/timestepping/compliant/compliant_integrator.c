#include <carom/timestepping/compliant/internal.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The run is at its end where less of the time span is left than this many of its roundings. */
static const double LEAST_REST = 16.0;

/* A step shorter than this many roundings of the time since the last event fails. */
static const double LEAST_STEP = 1024.0;

/* Bisections of a part of a step, down to its rounding. */
enum { BISECTIONS = 64 };

/* The next step is aimed at this part of what the error allows, and changes by these factors; one
 * whose equations cannot be solved is shortened by the last. */
static const double SAFETY = 0.9;
static const double LARGEST_GROWTH = 8.0;
static const double LARGEST_REDUCTION = 0.1;
static const double REDUCTION = 0.25;

/* An event before the first node is looked for again in a step of this many times its time. */
static const double SEARCH_LENGTH = 2.0;

/* A step that would leave less than this part of itself to the end of the time span goes there. */
static const double STRETCH = 1e-3;

struct carom_compliant_integrator {
    carom_compliant_system *system;
    carom_compliant_step step;
    double origin;    /* time of the last restart, s */
    double elapsed;   /* since then, s, so that what follows an event is resolved relative to it */
    double time;      /* reached, s */
    double step_size; /* to be tried next, s */
    double *state;    /* [size] */
    double *probe;    /* [size] within a step */
    double *weight;   /* [size] tolerated errors */
    double *before;   /* [event count] event functions at the beginning of the step */
    double *after;    /* [event count] and within it */
    bool *found;      /* [event count] */
    carom_status failure;
    carom_compliant_counts counts;
    double *memory; /* owns the numbers */
};

carom_status carom_compliant_integrator_alloc(carom_compliant_system *system, const double *v,
                                              carom_compliant_integrator **out) {
    *out = NULL;
    CAROM_AUTO(carom_compliant_integrator) at = calloc(1, sizeof *at);
    if (at == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    at->system = system;
    const size_t events = (size_t)carom_compliant_event_count(system);
    const size_t size = (size_t)system->size;
    at->found = calloc(events, sizeof *at->found);
    at->memory = calloc(3 * size + 2 * events, sizeof *at->memory);
    if (at->found == NULL || at->memory == NULL ||
        carom_compliant_step_init(&at->step, system) != CAROM_OK) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    at->state = at->memory;
    at->probe = at->state + size;
    at->weight = at->probe + size;
    at->before = at->weight + size;
    at->after = at->before + events;
    at->step_size = system->params->time_span;
    memcpy(at->state + system->n, v, (size_t)system->n * sizeof *v);
    CAROM_HAND_OVER(at, out);
    return CAROM_OK;
}

void carom_compliant_integrator_free(carom_compliant_integrator *at) {
    if (at == NULL) {
        return;
    }
    carom_compliant_step_clear(&at->step);
    free(at->memory);
    free(at->found);
    free(at);
}

double carom_compliant_integrator_time(const carom_compliant_integrator *at) {
    return at->time;
}

const double *carom_compliant_integrator_state(const carom_compliant_integrator *at) {
    return at->state;
}

const bool *carom_compliant_integrator_events(const carom_compliant_integrator *at) {
    return at->found;
}

double carom_compliant_integrator_step_size(const carom_compliant_integrator *at) {
    return at->step_size;
}

carom_status carom_compliant_integrator_failure(const carom_compliant_integrator *at) {
    return at->failure;
}

carom_compliant_counts carom_compliant_integrator_counts(const carom_compliant_integrator *at) {
    carom_compliant_counts counts = at->counts;
    counts.force_evaluations = at->step.force_evaluations;
    counts.jacobian_evaluations = at->step.jacobian_evaluations;
    return counts;
}

bool carom_compliant_integrator_restart(carom_compliant_integrator *at) {
    const double span = at->system->params->time_span;
    at->origin = at->time;
    at->elapsed = 0.0;
    return span - at->time > LEAST_REST * DBL_EPSILON * span;
}

/* --------------------------------------------------------------------------------------- events */

/* Whether there are events up to a part of the step. */
static bool has_events(carom_compliant_integrator *at, double part) {
    carom_compliant_step_state(&at->step, part, at->probe);
    carom_compliant_event_values(at->system, at->probe, at->after);
    return carom_compliant_find_events(at->system, at->before, at->after, at->found);
}

/* Narrow (left, right], no event on the left and one on the right, down to the event. */
static double bisect(carom_compliant_integrator *at, double left, double right) {
    for (int i = 0; i < BISECTIONS; i++) {
        const double middle = 0.5 * (left + right);
        if (!(middle > left && middle < right)) {
            break;
        }
        if (has_events(at, middle)) {
            right = middle;
        } else {
            left = middle;
        }
    }
    return right;
}

/* The part of the step before its first event, or the whole; the probe is there. */
static bool search(carom_compliant_integrator *at, double *part) {
    double left = 0.0;
    bool is_found = false;
    for (int j = 0; j < CAROM_RADAU_STAGES && !is_found; j++) {
        *part = carom_radau_nodes[j];
        is_found = has_events(at, *part);
        left = is_found ? left : *part;
    }
    if (is_found) {
        *part = bisect(at, left, *part);
        is_found = has_events(at, *part);
    }
    return is_found;
}

/* ---------------------------------------------------------------------------------------- steps */

/* Try ever shorter steps until one has errors within the tolerance; its length, or NaN. */
static double accepted_length(carom_compliant_integrator *at, double longest, double rest) {
    const double least = LEAST_STEP * DBL_EPSILON * at->elapsed;
    double h = fmin(at->step_size, longest);
    double growth = LARGEST_GROWTH;
    at->failure = CAROM_STATUS_NOT_CONVERGED;
    while (h > least || h >= rest) {
        h = h >= (1.0 - STRETCH) * rest ? rest : h;
        double error = 0.0;
        const carom_status status = carom_compliant_step_try(&at->step, h, at->weight, &error);
        const double factor = SAFETY * pow(error, -1.0 / (CAROM_RADAU_STAGES + 1));
        if (status == CAROM_OK && error <= 1.0) {
            const double next = h * fmin(growth, factor);
            /* a step cut short by the end says nothing about the next */
            at->step_size = h < rest ? next : fmax(next, at->step_size);
            return h;
        }
        growth = 1.0;
        if (status == CAROM_OK) {
            at->counts.error_test_failures++;
            h *= fmax(LARGEST_REDUCTION, factor);
        } else {
            /* a trial state where the equations cannot be evaluated: a reason for a smaller step */
            at->failure = status;
            at->counts.convergence_failures++;
            h *= REDUCTION;
        }
    }
    at->step_size = h;
    return (double)NAN;
}

/* Whether the event found lies before the first node of the step, where the polynomial does not
 * resolve how a stiff law relaxes from the initial state, so that a shorter step has to look for it
 * again. Not if the initial state was beyond that event already. */
static bool is_unresolved(const carom_compliant_integrator *at, double part, double h) {
    const double least = LEAST_STEP * DBL_EPSILON * at->elapsed;
    for (int e = 0; e < carom_compliant_event_count(at->system); e++) {
        if (at->found[e] && at->before[e] >= 0.0) {
            return false;
        }
    }
    return part < carom_radau_nodes[0] && SEARCH_LENGTH * part * h > least;
}

/* An accepted step and its first event, if there is one; the length, or NaN. */
static double find_step(carom_compliant_integrator *at, double rest, double *part, bool *is_event) {
    double h = accepted_length(at, rest, rest);
    const double next = at->step_size;
    while (!isnan(h)) {
        *part = 1.0;
        *is_event = search(at, part);
        if (!*is_event || !is_unresolved(at, *part, h)) {
            break;
        }
        h = accepted_length(at, SEARCH_LENGTH * *part * h, rest);
    }
    /* steps shortened for an event say nothing about those of the next law */
    at->step_size = !isnan(h) && *is_event ? next : at->step_size;
    return h;
}

carom_compliant_progress carom_compliant_integrator_step(carom_compliant_integrator *at) {
    const double span = at->system->params->time_span;
    const double rest = span - at->origin - at->elapsed;
    at->failure = carom_compliant_step_begin(&at->step, at->origin + at->elapsed, at->state);
    if (at->failure == CAROM_OK) {
        at->failure = carom_compliant_weigh(at->system, at->state, at->weight);
    }
    if (at->failure != CAROM_OK) {
        return CAROM_COMPLIANT_FAILED;
    }
    carom_compliant_event_values(at->system, at->state, at->before);
    double part = 1.0;
    bool is_event = false;
    const double h = find_step(at, rest, &part, &is_event);
    if (isnan(h)) {
        return CAROM_COMPLIANT_FAILED;
    }
    memcpy(at->state, at->probe, (size_t)at->system->size * sizeof *at->state);
    at->counts.steps++;
    at->elapsed += part * h;
    at->time = at->origin + at->elapsed;
    if (is_event) {
        return CAROM_COMPLIANT_EVENT;
    }
    if (h < rest) {
        return CAROM_COMPLIANT_STEPPED;
    }
    at->time = span;
    return CAROM_COMPLIANT_FINISHED;
}
