/** Figure 2b: energy change over the speed, by the baseline and by time stepping of the law. */
#include "cradle.h"

#include <carom/base/parallel.h>
#include <carom/base/random.h>

#include <stdlib.h>

/** Runs begin so many steps before the impact, and a random part of one more. */
static const double STEPS_BEFORE = 4.0;

/** Steps of a run: what penetration the impact leaves is corrected in the last ones. */
enum { RUN_STEPS = 10 };

/** An impact changes a velocity by more than this part of the speed. */
static const double STRUCK = 1e-6;

/** One point of figure 2b. */
typedef struct scatter_point {
    double energy_change; /**< of the energy before, 1 */
    double penetration;   /**< f: penetration where the impact is found / (closing speed h), 1 */
    double velocity_gap;  /**< largest difference to the outcome of the law / speed, 1 */
} scatter_point;

/** The points of a coefficient and a speed, one for each frequency. */
typedef struct band_row {
    double energy_change[MOST_CURVES];
    double penetration[MOST_CURVES];
    double velocity_gap[MOST_CURVES];
} band_row;

static const carom_field BASELINE_FIELDS[] = {
    CAROM_FIELD_ARRAY("baseline", band_row, energy_change, "/scatter/frequency", "1",
                      "energy change by the baseline / energy before"),
    CAROM_FIELD_ARRAY("penetration", band_row, penetration, "/scatter/frequency", "1",
                      "penetration where the baseline finds the impact / way of a step"),
    CAROM_FIELD_ARRAY("distance", band_row, velocity_gap, "/scatter/frequency", "1",
                      "largest difference of velocities to the propagative law / speed"),
};

static const carom_field STEPPED_FIELDS[] = {
    CAROM_FIELD_ARRAY("variational", band_row, energy_change, "/scatter/frequency", "1",
                      "energy change by time stepping with the law / energy before"),
};

/** All points. */
typedef struct scatter {
    const results *r;
    int coefficient_count;
    int frequency_count;
    int speed_count;
    int stepped_count;
    double *speed;         /**< [speed_count] m/s, increasing */
    double *stepped_speed; /**< [stepped_count] every so many of them */
    band_row *baseline;    /**< [coefficient][speed_count] */
    band_row *stepped;     /**< [coefficient][stepped_count] */
    double *law;           /**< [coefficient][N] v+ of the law for the velocities of the options */
    double line[MOST_CURVES]; /**< energy change of the propagative law, 1 */
    carom_progress *progress;
} scatter;

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

/** Change of the energy at the end, and the distance of the velocities from those of the law. */
static void judge(const run_case *c, const double *law, const double *velocity, double energy,
                  scatter_point *point) {
    point->energy_change = (energy - c->energy) / c->energy;
    point->velocity_gap = 0.0;
    for (int i = 0; i < c->values->balls; i++) {
        point->velocity_gap =
            fmax(point->velocity_gap, fabs(velocity[i] - c->factor * law[i]) / c->speed);
    }
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

/** Where an item belongs: a coefficient, a frequency and a speed; the time stepping takes every so
 * many speeds. */
typedef struct item_place {
    bool is_stepped;
    int coefficient;
    int frequency;
    int place;     /**< of its speed */
    band_row *row; /**< that its point is a part of */
} item_place;

static item_place find_place(const scatter *p, int item) {
    const int pair_count = p->coefficient_count * p->frequency_count;
    const bool is_stepped = item >= pair_count * p->speed_count;
    const int count = is_stepped ? p->stepped_count : p->speed_count;
    const int entry = is_stepped ? item - pair_count * p->speed_count : item;
    const int pair = entry / count;
    const int coefficient = pair / p->frequency_count;
    const int place = entry % count;
    band_row *rows = is_stepped ? p->stepped : p->baseline;
    return (item_place){is_stepped, coefficient, pair % p->frequency_count, place,
                        rows + (size_t)(coefficient * count + place)};
}

/** The point of an item in its row. */
static carom_status pack_item(int item, void *context, carom_parallel_bytes *bytes) {
    const item_place at = find_place(context, item);
    const scatter_point point = {at.row->energy_change[at.frequency],
                                 at.row->penetration[at.frequency],
                                 at.row->velocity_gap[at.frequency]};
    return carom_parallel_append(bytes, &point, sizeof point);
}

static carom_status unpack_item(int item, const unsigned char *data, size_t size, void *context) {
    const scatter *p = context;
    const item_place at = find_place(p, item);
    scatter_point point;
    CAROM_TRY(carom_parallel_take(&data, &size, &point, sizeof point));
    at.row->energy_change[at.frequency] = point.energy_change;
    at.row->penetration[at.frequency] = point.penetration;
    at.row->velocity_gap[at.frequency] = point.velocity_gap;
    carom_progress_skip(p->progress, 1);
    return CAROM_OK;
}

/** Item i. */
static carom_status run_item(int item, void *context, carom_report *report) {
    scatter *p = context;
    const results *r = p->r;
    const settings *values = r->values;
    const item_place at = find_place(p, item);
    const double speed = at.is_stepped ? p->stepped_speed[at.place] : p->speed[at.place];
    const double factor = speed / newtons_cradle_speed(values);
    const double step = 1.0 / values->frequencies.values[at.frequency];
    const double way = factor * newtons_cradle_closing_speed(values) * step;
    const double part = carom_counter_uniform(r->common->seed, (unsigned long)item, 1);
    const run_case c = {
        .values = values,
        .restitution = values->coefficients.values[at.coefficient],
        .step = step,
        .factor = factor,
        .gap = (STEPS_BEFORE + part) * way,
        .energy = factor * factor * r->problem->kinetic_energy,
        .speed = speed,
    };
    const double *law = p->law + (size_t)at.coefficient * (size_t)values->balls;
    scatter_point point = {.penetration = 0.0};
    CAROM_TRY(at.is_stepped ? run_stepped(&c, law, &point, report)
                            : run_baseline(&c, law, &point, report));
    at.row->energy_change[at.frequency] = point.energy_change;
    at.row->penetration[at.frequency] = point.penetration;
    at.row->velocity_gap[at.frequency] = point.velocity_gap;
    carom_progress_add(p->progress, 1);
    return CAROM_OK;
}

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

static carom_status alloc_points(scatter *p) {
    const settings *values = p->r->values;
    p->coefficient_count = values->coefficients.count;
    p->frequency_count = values->frequencies.count;
    p->speed_count = values->speeds;
    p->stepped_count =
        values->stepped_speeds < values->speeds ? values->stepped_speeds : values->speeds;
    const size_t coefficients = (size_t)p->coefficient_count;
    p->speed = calloc((size_t)p->speed_count + (size_t)p->stepped_count, sizeof *p->speed);
    p->baseline = calloc(coefficients * (size_t)p->speed_count, sizeof *p->baseline);
    p->stepped = calloc(coefficients * (size_t)p->stepped_count + 1, sizeof *p->stepped);
    p->law = calloc(coefficients * (size_t)values->balls, sizeof *p->law);
    if (p->speed == NULL || p->baseline == NULL || p->stepped == NULL || p->law == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    // Uniform in the logarithm.
    for (int i = 0; i < p->speed_count; i++) {
        const double u = carom_counter_uniform(p->r->common->seed, (unsigned long)i, 0);
        p->speed[i] = values->slowest * pow(values->fastest / values->slowest, u);
    }
    qsort(p->speed, (size_t)p->speed_count, sizeof *p->speed, by_size);
    p->stepped_speed = p->speed + p->speed_count;
    for (int i = 0; i < p->stepped_count; i++) {
        p->stepped_speed[i] = p->speed[(long)i * p->speed_count / p->stepped_count];
    }
    return CAROM_OK;
}

static carom_status run_points(scatter *p) {
    const results *r = p->r;
    for (int k = 0; k < p->coefficient_count; k++) {
        CAROM_TRY(newtons_cradle_impact(r->values, r->problem, r->values->coefficients.values[k],
                                        p->law + (size_t)k * (size_t)r->values->balls, &p->line[k],
                                        r->report));
        p->line[k] /= r->problem->kinetic_energy;
    }
    const int runs =
        p->coefficient_count * p->frequency_count * (p->speed_count + p->stepped_count);
    p->progress = carom_progress_start("sweep", runs, "runs", r->common->is_quiet);
    const carom_parallel_results points = {.pack = pack_item, .unpack = unpack_item};
    const carom_status status =
        carom_parallel_map(r->common->workers, runs, run_item, p, &points, r->report);
    carom_progress_finish(p->progress);
    return status;
}

/* --- the record ------------------------------------------------------------------------------- */

/** The largest energy change of a coefficient; how much both ends of its bands differ between
 * frequencies. */
static double ends_of_bands(const scatter *p, const band_row *band, double *spread) {
    double most[2] = {-HUGE_VAL, HUGE_VAL};  // extremes of the largest of a frequency
    double least[2] = {-HUGE_VAL, HUGE_VAL}; // and of the smallest
    for (int j = 0; j < p->frequency_count; j++) {
        double high = -HUGE_VAL;
        double low = HUGE_VAL;
        for (int i = 0; i < p->speed_count; i++) {
            high = fmax(high, band[i].energy_change[j]);
            low = fmin(low, band[i].energy_change[j]);
        }
        most[0] = fmax(most[0], high);
        most[1] = fmin(most[1], high);
        least[0] = fmax(least[0], low);
        least[1] = fmin(least[1], low);
    }
    *spread = fmax(*spread, fmax(most[0] - most[1], least[0] - least[1]));
    return most[0];
}

/** A coefficient: its numbers and its bands. */
static void write_coefficient(const scatter *p, int k, double *spread) {
    carom_record group = carom_record_group(p->r->record, "/scatter/coefficient_%02d", k);
    const band_row *band = p->baseline + (size_t)(k * p->speed_count);
    const carom_measure numbers[] = {
        {"restitution", p->r->values->coefficients.values[k], "1", "coefficient of restitution"},
        {"propagative", p->line[k], "1", "energy change by the propagative law / energy before"},
        {"largest", ends_of_bands(p, band, spread), "1",
         "largest energy change of the baseline / energy before"},
    };
    carom_record_scalars(&group, numbers, COUNT(numbers));
    carom_record_rows(&group, "/scatter/speed", band, p->speed_count, sizeof *band, BASELINE_FIELDS,
                      COUNT(BASELINE_FIELDS));
    carom_record_rows(&group, "/scatter/stepped_speed", p->stepped + (size_t)(k * p->stepped_count),
                      p->stepped_count, sizeof *p->stepped, STEPPED_FIELDS, COUNT(STEPPED_FIELDS));
}

/** How far the time stepping is from the law. */
static void write_stepped_errors(const scatter *p) {
    double energy = 0.0;
    double velocity = 0.0;
    for (int i = 0; i < p->coefficient_count * p->stepped_count; i++) {
        const double line = p->line[i / p->stepped_count];
        for (int j = 0; j < p->frequency_count; j++) {
            energy = fmax(energy, fabs(p->stepped[i].energy_change[j] - line));
            velocity = fmax(velocity, p->stepped[i].velocity_gap[j]);
        }
    }
    const carom_measure measures[] = {
        {"stepped_energy_error", energy, "1", "largest difference of time stepping to the lines"},
        {"stepped_velocity_error", velocity, "1",
         "largest difference of its velocities to the law / speed"},
    };
    carom_record_measures(p->r->record, measures, COUNT(measures));
}

static void write_points(const scatter *p) {
    carom_record *record = p->r->record;
    double spread = 0.0;
    carom_record_axis(record, "/scatter/speed", p->speed_count, p->speed, "m s-1",
                      "speed of the fastest ball");
    carom_record_axis(record, "/scatter/frequency", p->frequency_count,
                      p->r->values->frequencies.values, "Hz", "time steps per second");
    if (p->stepped_count > 0) {
        carom_record_axis(record, "/scatter/stepped_speed", p->stepped_count, p->stepped_speed,
                          "m s-1", "speed of the fastest ball");
        write_stepped_errors(p);
    }
    for (int k = 0; k < p->coefficient_count; k++) {
        write_coefficient(p, k, &spread);
    }
    carom_record_measure(record, "frequency_spread", spread, "1",
                         "largest difference of band ends between frequencies");
}

static void scatter_clear(scatter *p) {
    free(p->speed);
    free(p->baseline);
    free(p->stepped);
    free(p->law);
}

carom_status newtons_cradle_write_bands(const results *r) {
    CAROM_AUTO_VALUE(scatter) p = {.r = r};
    CAROM_TRY(alloc_points(&p));
    CAROM_TRY(run_points(&p));
    write_points(&p);
    return CAROM_OK;
}
