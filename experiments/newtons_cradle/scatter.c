/** Figure 2b: energy change over the speed, by the baseline and by time stepping of the law. */
#include "results.h"

#include <carom/base/parallel.h>
#include <carom/base/random.h>

#include <stdlib.h>

/** Runs begin so many steps before the impact, and a random part of one more. */
static const double STEPS_BEFORE = 4.0;

/** Steps of a run: what penetration the impact leaves is corrected in the last ones. */
enum { RUN_STEPS = 10 };

/** An impact changes a velocity by more than this part of the speed. */
static const double STRUCK = 1e-6;

/** What one point is computed from. */
typedef struct run_case {
    const settings *values;
    double restitution;
    double step;   /**< s */
    double factor; /**< on the velocities of the options */
    double gap;    /**< of the fastest closing pair at the start, m */
    double energy; /**< before, J */
    double speed;  /**< of the fastest ball, m/s */
} run_case;

/** Changes of energy and momentum at the end, and the distance of the velocities from those of the
 * law. */
static void judge(const run_case *c, const double *law, const double *velocity, double energy,
                  scatter_point *point) {
    double moved = 0.0;
    double size = 0.0;
    point->energy_change = (energy - c->energy) / c->energy;
    point->velocity_gap = 0.0;
    for (int i = 0; i < c->values->balls; i++) {
        const double m = c->values->mass[i];
        const double before = c->factor * c->values->velocity[i];
        moved += m * (velocity[i] - before);
        size += m * fabs(before);
        point->velocity_gap =
            fmax(point->velocity_gap, fabs(velocity[i] - c->factor * law[i]) / c->speed);
    }
    point->momentum_gap = fabs(moved) / size;
}

/** Part of a step's way that the fastest closing pair has penetrated. */
static double penetrated(const run_case *c, const double *gap) {
    double deepest = 0.0;
    for (int i = 0; i + 1 < c->values->balls; i++) {
        deepest = fmax(deepest, -gap[i]);
    }
    return deepest / (c->factor * newtons_cradle_closing_speed(c->values) * c->step);
}

/** Whether the impact has happened. Rounding of the gaps of resting balls moves them a little. */
static bool is_struck(const run_case *c, const double *velocity) {
    double largest = 0.0;
    for (int i = 0; i < c->values->balls; i++) {
        largest = fmax(largest, fabs(velocity[i] - c->factor * c->values->velocity[i]));
    }
    return largest > STRUCK * c->speed;
}

static carom_status step_baseline(const run_case *c, const carom_model *model,
                                  carom_error_reduction_stepper *stepper, scatter_point *point,
                                  carom_report *report) {
    const carom_error_reduction_result *now = carom_error_reduction_stepper_result(stepper);
    CAROM_TRY(carom_error_reduction_stepper_start(stepper, 0.0, model->initial_position,
                                                  model->initial_velocity, report));
    bool is_over = false;
    for (int k = 0; k < RUN_STEPS; k++) {
        const double depth = penetrated(c, now->gap);
        CAROM_TRY(carom_error_reduction_stepper_advance(stepper, report));
        if (!is_over && is_struck(c, now->velocity)) {
            is_over = true;
            point->penetration = depth;
        }
    }
    return CAROM_OK;
}

static carom_status run_baseline(const run_case *c, const double *law, scatter_point *point,
                                 carom_report *report) {
    CAROM_AUTO(carom_model) model = NULL;
    CAROM_AUTO(carom_error_reduction_stepper) stepper = NULL;
    carom_error_reduction_params params = c->values->baseline;
    params.step = c->step;
    CAROM_TRY(newtons_cradle_model(c->values, c->factor, c->gap, c->restitution, &model, report));
    CAROM_TRY(carom_error_reduction_stepper_alloc(&model->mechanism, &params, &stepper, report));
    CAROM_TRY(step_baseline(c, model, stepper, point, report));
    const carom_error_reduction_result *end = carom_error_reduction_stepper_result(stepper);
    judge(c, law, end->velocity, end->kinetic_energy, point);
    return CAROM_OK;
}

static carom_status step_variational(const carom_model *model, carom_variational_stepper *stepper,
                                     carom_report *report) {
    CAROM_TRY(carom_variational_stepper_start(stepper, 0.0, model->initial_position,
                                              model->initial_velocity, NULL, report));
    for (int k = 0; k < RUN_STEPS; k++) {
        CAROM_TRY(carom_variational_stepper_advance(stepper, report));
    }
    return CAROM_OK;
}

static carom_status run_stepped(const run_case *c, const double *law, scatter_point *point,
                                carom_report *report) {
    CAROM_AUTO(carom_model) model = NULL;
    CAROM_AUTO(carom_variational_stepper) stepper = NULL;
    carom_variational_params params = carom_variational_params_default();
    newtons_cradle_stepping(c->values, c->step, &params);
    CAROM_TRY(newtons_cradle_model(c->values, c->factor, c->gap, c->restitution, &model, report));
    CAROM_TRY(carom_variational_stepper_alloc(&model->mechanism, &params, &stepper, report));
    CAROM_TRY(step_variational(model, stepper, report));
    const carom_variational_result *end = carom_variational_stepper_result(stepper);
    judge(c, law, end->velocity, end->kinetic_energy, point);
    return CAROM_OK;
}

/** All runs of the map. */
typedef struct sweep {
    results *r;
    carom_progress *progress;
    double *law; /**< [coefficient][N] v+ of the law for the velocities of the options */
} sweep;

/** Item i: a coefficient, a frequency and a speed; the time stepping takes every so many speeds. */
static carom_status run_item(int item, void *context, carom_report *report) {
    const sweep *s = context;
    results *r = s->r;
    scatter *p = &r->points;
    const settings *values = r->values;
    const int pair_count = p->coefficient_count * p->frequency_count;
    const bool is_stepped = item >= pair_count * p->speed_count;
    const int count = is_stepped ? p->stepped_count : p->speed_count;
    const int entry = is_stepped ? item - pair_count * p->speed_count : item;
    const int pair = entry / count;
    const int coefficient = pair / p->frequency_count;
    const double speed =
        is_stepped ? newtons_cradle_stepped_speed(p, entry % count) : p->speed[entry % count];
    const double factor = speed / newtons_cradle_speed(values);
    const double step = 1.0 / values->frequencies.values[pair % p->frequency_count];
    const double way = factor * newtons_cradle_closing_speed(values) * step;
    const double part = carom_counter_uniform(r->common->seed, (unsigned long)item, 1);
    const run_case c = {
        .values = values,
        .restitution = values->coefficients.values[coefficient],
        .step = step,
        .factor = factor,
        .gap = (STEPS_BEFORE + part) * way,
        .energy = factor * factor * r->problem->kinetic_energy,
        .speed = speed,
    };
    const double *law = s->law + (size_t)coefficient * (size_t)values->balls;
    const carom_status status = is_stepped ? run_stepped(&c, law, &p->stepped[entry], report)
                                           : run_baseline(&c, law, &p->baseline[entry], report);
    carom_progress_add(s->progress, 1);
    return status;
}

double newtons_cradle_stepped_speed(const scatter *points, int i) {
    return points->speed[(long)i * points->speed_count / points->stepped_count];
}

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

static carom_status alloc_points(results *r) {
    scatter *p = &r->points;
    const settings *values = r->values;
    p->coefficient_count = values->coefficients.count;
    p->frequency_count = values->frequencies.count;
    p->speed_count = values->speeds;
    p->stepped_count =
        values->stepped_speeds < values->speeds ? values->stepped_speeds : values->speeds;
    const size_t pairs = (size_t)p->coefficient_count * (size_t)p->frequency_count;
    p->speed = calloc((size_t)p->speed_count, sizeof *p->speed);
    p->baseline = calloc(pairs * (size_t)p->speed_count, sizeof *p->baseline);
    p->stepped = calloc(pairs * (size_t)p->stepped_count + 1, sizeof *p->stepped);
    if (p->speed == NULL || p->baseline == NULL || p->stepped == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    // Uniform in the logarithm.
    for (int i = 0; i < p->speed_count; i++) {
        const double u = carom_counter_uniform(r->common->seed, (unsigned long)i, 0);
        p->speed[i] = values->slowest * pow(values->fastest / values->slowest, u);
    }
    qsort(p->speed, (size_t)p->speed_count, sizeof *p->speed, by_size);
    return CAROM_OK;
}

carom_status newtons_cradle_run_scatter(results *r) {
    scatter *p = &r->points;
    CAROM_TRY(alloc_points(r));
    sweep s = {.r = r};
    s.law = malloc((size_t)p->coefficient_count * (size_t)r->values->balls * sizeof(double));
    carom_status status = s.law == NULL ? CAROM_STATUS_OUT_OF_MEMORY : CAROM_OK;
    for (int k = 0; k < p->coefficient_count && status == CAROM_OK; k++) {
        status = newtons_cradle_impact(r->values, r->problem, r->values->coefficients.values[k],
                                       s.law + (size_t)k * (size_t)r->values->balls, &p->line[k],
                                       r->report);
        p->line[k] /= r->problem->kinetic_energy;
    }
    const int runs =
        p->coefficient_count * p->frequency_count * (p->speed_count + p->stepped_count);
    if (status == CAROM_OK) {
        s.progress = carom_progress_start("sweep", runs, "runs", r->common->is_quiet);
        status = carom_parallel_map(runs, r->common->threads, run_item, &s, r->report);
        carom_progress_finish(s.progress);
    }
    free(s.law);
    return status;
}
