/** The chain of the options, and the chain at its first impact. */
#include "results.h"

#include <stdlib.h>
#include <string.h>

/** Balls of a chain that takes all speeds of a band; longer ones take fewer in proportion. */
enum { FULL_BAND_BALLS = 10 };

/** Steps of a motion. */
static const double MOST_STEPS = 1e6;

/** Gaps that rounding leaves between balls that meet, in parts of the length of the chain. */
static const double TOUCHING = 1e-12;

double newtons_cradle_speed(const settings *values) {
    double largest = 0.0;
    for (int i = 0; i < values->balls; i++) {
        largest = fmax(largest, fabs(values->velocity[i]));
    }
    return largest;
}

double newtons_cradle_closing_speed(const settings *values) {
    double fastest = 0.0;
    for (int i = 0; i + 1 < values->balls; i++) {
        fastest = fmax(fastest, values->velocity[i] - values->velocity[i + 1]);
    }
    return fastest;
}

int newtons_cradle_most_reflections(int balls) {
    return 1000 + 4 * balls * balls;
}

/** Take over a list, or the default of a ball. */
static carom_status fill(const settings *v, const char *name, const carom_real_list *list,
                         double first, double other, double **out, carom_report *report) {
    if (list->count != 0 && list->count != v->balls) {
        return carom_report_say(report, CAROM_STATUS_CONFLICT, "the number of %s is %d, --balls %d",
                                name, list->count, v->balls);
    }
    *out = malloc((size_t)v->balls * sizeof(double));
    if (*out == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int i = 0; i < v->balls; i++) {
        (*out)[i] = i == 0 ? first : other;
    }
    if (list->count != 0) {
        memcpy(*out, list->values, (size_t)v->balls * sizeof(double));
    }
    return CAROM_OK;
}

/** Refuse sweeps that are none or would not end. */
static carom_status check_sweep(const settings *v, carom_report *report) {
    const int curves[] = {v->coefficients.count, v->frequencies.count};
    const char *names[] = {"number of --coefficients", "number of --frequencies"};
    for (int i = 0; i < 2; i++) {
        if (curves[i] > MOST_CURVES) {
            return carom_report_bound(report, names[i], curves[i], "at most", MOST_CURVES);
        }
    }
    if (v->slowest > v->fastest) {
        return carom_report_bound(report, "slowest", v->slowest, "up to --fastest =", v->fastest);
    }
    return CAROM_OK;
}

carom_status newtons_cradle_check(settings *values, carom_report *report) {
    settings *v = values;
    CAROM_TRY(fill(v, "--masses", &v->masses, 1.0, 1.0, &v->mass, report));
    CAROM_TRY(fill(v, "--velocities", &v->velocities, 1.0, 0.0, &v->velocity, report));
    if (!(newtons_cradle_closing_speed(v) > 0.0)) {
        return carom_report_say(report, CAROM_STATUS_CONFLICT,
                                "by --velocities no ball closes on its right neighbour");
    }
    CAROM_TRY(carom_model_require_within("step", v->step, v->duration / MOST_STEPS,
                                         2.0 * v->duration, report));
    CAROM_TRY(check_sweep(v, report));
    if (v->balls > FULL_BAND_BALLS) {
        v->speeds = (v->speeds * FULL_BAND_BALLS + v->balls - 1) / v->balls;
        v->stepped_speeds = (v->stepped_speeds * FULL_BAND_BALLS + v->balls - 1) / v->balls;
    }
    carom_model *model = NULL;
    CAROM_TRY(newtons_cradle_model(v, 1.0, v->gap, v->restitution, &model, report));
    carom_model_free(model);
    return CAROM_OK;
}

carom_status newtons_cradle_model(const settings *values, double factor, double gap,
                                  double restitution, carom_model **out, carom_report *report) {
    const int n = values->balls;
    const double closing = newtons_cradle_closing_speed(values);
    double *memory = calloc(3 * (size_t)n, sizeof(double));
    if (memory == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    double *radii = memory;
    double *velocities = radii + n;
    double *gaps = velocities + n;
    for (int i = 0; i < n; i++) {
        radii[i] = values->radius;
        velocities[i] = factor * values->velocity[i];
        const double closes = i + 1 < n ? values->velocity[i] - values->velocity[i + 1] : 0.0;
        gaps[i] = gap * fmax(closes, 0.0) / closing;
    }
    const carom_ball_chain_params params = {
        .balls = n,
        .masses = values->mass,
        .radii = radii,
        .velocities = velocities,
        .gaps = gaps,
        .restitution = restitution,
    };
    const carom_status status = carom_ball_chain_alloc(&params, out, report);
    free(memory);

    return status;
}

carom_propagative_params newtons_cradle_rule(const settings *values, int contact_count) {
    carom_propagative_params params = carom_propagative_params_default();
    switch ((cradle_order)values->order) {
    case ORDER_LEAST:
        params.rule = CAROM_PROPAGATIVE_LEAST_APPROACHING;
        break;
    case ORDER_INDEX:
        params.rule = CAROM_PROPAGATIVE_LOWEST_INDEX;
        break;
    case ORDER_FIRST_LEFT:
    case ORDER_FIRST_RIGHT:
        params.rule = CAROM_PROPAGATIVE_CYCLIC;
        params.first = values->order == ORDER_FIRST_RIGHT ? contact_count - 1 : 0;
        break;
    case ORDER_RANDOM:
        params.rule = CAROM_PROPAGATIVE_RANDOM;
        break;
    case ORDER_MOST:
    case ORDER_COUNT:
        break;
    }
    return params;
}

carom_status newtons_cradle_prepare(results *r) {
    const settings *values = r->values;
    CAROM_TRY(
        newtons_cradle_model(values, 1.0, values->gap, values->restitution, &r->model, r->report));
    r->arrival = values->gap / newtons_cradle_closing_speed(values);
    const int n = values->balls;
    double *q = malloc((size_t)n * sizeof(double));
    if (q == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int i = 0; i < n; i++) {
        q[i] = r->model->initial_position[i] + r->arrival * r->model->initial_velocity[i];
    }
    const double touching = TOUCHING * (2.0 * values->radius + values->gap) * n;
    carom_status status =
        carom_impact_problem_of_mechanism(&r->model->mechanism, q, r->model->initial_velocity,
                                          touching, NULL, &r->problem, r->report);
    free(q);
    CAROM_TRY(status);
    CAROM_TRY(carom_propagative_contacts_of_problem(r->problem, &r->contacts, r->report));
    double *v_post = malloc((size_t)n * sizeof(double));
    if (v_post == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    double change = 0.0;
    status = newtons_cradle_impact(values, r->problem, 0.0, v_post, &change, r->report);
    r->plastic_share = -change / r->problem->kinetic_energy;
    free(v_post);
    return status;
}

void newtons_cradle_clear(results *r) {
    free(r->points.speed);
    free(r->points.baseline);
    free(r->points.stepped);
    carom_propagative_outcomes_free(r->outcomes);
    carom_propagative_contacts_free(r->contacts);
    carom_impact_problem_free(r->problem);
    carom_model_free(r->model);
}
