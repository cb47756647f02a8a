/** What is measured of the two runs of a gait, and its group of the record. */
#include "results.h"

#include <carom/models/trex/internal.h>

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** A change, a force, a gap: the larger one; of no value yet (NaN), this one. */
static void raise_to(double *largest, double value) {
    *largest = fmax(*largest, value);
}

/** No force at any contact in the step that ends at row k. */
static bool is_flight(const carom_trajectory *run, int k) {
    bool flies = true;
    for (int i = 0; i < CONTACTS; i++) {
        flies = flies && !(fabs(run->contact_force[(size_t)k * CONTACTS + (size_t)i]) > 0.0);
    }
    return flies;
}

/** Momenta that a step of flight keeps: p_x, and p_y + m g t. */
static void watch_flight(const carom_trex_params *robot, const carom_trajectory *run,
                         pair_measures *out) {
    const double mass = carom_trex_inertia_of(robot).mass;
    const double scale = mass * sqrt(2.0 * robot->gravity * robot->drop_height);
    for (int k = 1; k < run->row_count; k++) {
        if (!is_flight(run, k)) {
            continue;
        }
        const double *p = run->momentum + (size_t)k * COORDINATES;
        const double *before = p - COORDINATES;
        const double fall = mass * robot->gravity * (run->time[k] - run->time[k - 1]);
        raise_to(&out->flight_error, fabs(p[CAROM_TREX_X] - before[CAROM_TREX_X]) / scale);
        raise_to(&out->flight_error, fabs(p[CAROM_TREX_Y] - before[CAROM_TREX_Y] + fall) / scale);
    }
}

/** The fall keeps the stance; x in unit lengths. */
static void watch_fall(const carom_trex_params *robot, const carom_trajectory *run,
                       pair_measures *out) {
    const double unit = carom_trex_design_unit_length(robot);
    for (int k = 1; k < run->row_count && run->time[k] < out->impact_time; k++) {
        for (int j = 0; j < COORDINATES; j++) {
            const double change =
                run->position[(size_t)k * COORDINATES + (size_t)j] - run->position[j];
            const double error = j == CAROM_TREX_X ? fabs(change) / unit : fabs(change);
            raise_to(&out->fall_error, j == CAROM_TREX_Y ? 0.0 : error);
        }
    }
}

/** Gaps and holding at the ends of the steps. */
static void watch_contacts(const carom_trajectory *run, int order, pair_measures *out) {
    for (int k = 1; k < run->row_count; k++) {
        bool holds = false;
        for (int i = 0; i < CONTACTS; i++) {
            const size_t at = (size_t)k * CONTACTS + (size_t)i;
            const bool is_held = run->held[at] != 0;
            holds = holds || is_held;
            out->least_gap = fmin(out->least_gap, run->gap[at]);
            raise_to(&out->held_gap, is_held ? fabs(run->gap[at]) : 0.0);
            out->releases[order] += run->held[at - CONTACTS] != 0 && !is_held;
        }
        out->held_steps[order] += holds;
    }
}

/** Bodies above the floor: the contacts are feet and tail tip alone. */
static void watch_bodies(const carom_trex_params *robot, const carom_trajectory *run,
                         pair_measures *out) {
    for (int k = 0; k < run->row_count; k++) {
        double at[CAROM_TREX_POINTS][2];
        carom_trex_points(robot, run->position + (size_t)k * COORDINATES, &at[0][0]);
        const double clearance = fmin(at[CAROM_TREX_POINT_ANTERIOR][1] - robot->anterior_radius,
                                      at[CAROM_TREX_POINT_POSTERIOR][1] - robot->posterior_radius);
        out->least_clearance = fmin(out->least_clearance, clearance);
        if (clearance < 0.0 && !(out->strike_time <= run->time[k])) {
            out->strike_time = run->time[k];
        }
    }
}

/** Impacts of a run. */
static void watch_impacts(const carom_variational_trajectory *run, int order, bool is_elastic,
                          double scale, pair_measures *out) {
    out->impacts[order] = run->impact_count;
    for (int i = 0; i < run->impact_count; i++) {
        const carom_variational_impact *impact = &run->impacts[i];
        out->double_impacts[order] += impact->closed_count > 1;
        out->plastic[order] += impact->is_plastic;
        if (!impact->is_plastic && is_elastic) {
            const double size = fmax(scale, fabs(impact->energy_before));
            raise_to(&out->energy_error, fabs(impact->energy_after - impact->energy_before) / size);
        }
    }
}

/** Whether the same contacts reflect, one after the other. */
static bool reflects_alike(const carom_variational_trajectory *one, int i,
                           const carom_variational_trajectory *other) {
    const carom_variational_impact *a = &one->impacts[i];
    const carom_variational_impact *b = &other->impacts[i];
    bool is_alike = a->is_plastic == b->is_plastic && a->reflection_count == b->reflection_count;
    for (int k = 0; is_alike && k < a->reflection_count; k++) {
        is_alike =
            one->reflection[a->first_reflection + k] == other->reflection[b->first_reflection + k];
    }
    return is_alike;
}

/** Where several contacts approach, argmin and argmax reflect different ones: impacts that are
 * alike had no choice. */
static int count_parted(const carom_variational_trajectory *one,
                        const carom_variational_trajectory *other) {
    const int fewer =
        one->impact_count < other->impact_count ? one->impact_count : other->impact_count;
    int parted = one->impact_count + other->impact_count - 2 * fewer;
    for (int i = 1; i < fewer; i++) {
        parted += !reflects_alike(one, i, other);
    }
    return parted;
}

/** xi from the first row after the impact on. */
static carom_status watch_indeterminacy(const carom_trajectory *run, const double *xi,
                                        pair_measures *out) {
    int first = 0;
    while (first < run->row_count - 1 && run->time[first] < out->impact_time) {
        first++;
    }
    const size_t count = (size_t)(run->row_count - first);
    double *sorted = malloc(count * sizeof *sorted);
    if (sorted == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    memcpy(sorted, xi + first, count * sizeof *sorted);
    gsl_sort(sorted, 1, count);
    out->first_indeterminacy = xi[first];
    out->median_indeterminacy = gsl_stats_median_from_sorted_data(sorted, 1, count);
    out->peak_indeterminacy = sorted[count - 1];
    free(sorted);
    return CAROM_OK;
}

carom_status trex_measure(const carom_trex_params *robot, const carom_mechanism *mechanism,
                          carom_variational_trajectory *const runs[ORDERS], const double *xi,
                          pair_measures *out) {
    *out = (pair_measures){.is_known = true,
                           .energy_error = (double)NAN,
                           .flight_error = (double)NAN,
                           .push = (double)NAN,
                           .cone_excess = (double)NAN,
                           .least_gap = HUGE_VAL,
                           .least_clearance = HUGE_VAL,
                           .strike_time = (double)NAN};
    const carom_variational_trajectory *one = runs[ORDER_MOST];
    out->impact_time = one->impact_count > 0 ? one->impacts[0].time : (double)NAN;
    out->first_closed = one->impact_count > 0 ? one->impacts[0].closed_count : 0;
    out->parted = count_parted(one, runs[ORDER_LEAST]);
    CAROM_TRY(watch_indeterminacy(one->rows, xi, out));
    const double fall = carom_trex_inertia_of(robot).mass * robot->gravity * robot->drop_height;
    for (int order = 0; order < ORDERS; order++) {
        const carom_trajectory *run = runs[order]->rows;
        const size_t last = (size_t)(run->row_count - 1) * COORDINATES;
        out->distance[order] = run->position[last + CAROM_TREX_X] - run->position[CAROM_TREX_X];
        watch_fall(robot, run, out);
        watch_flight(robot, run, out);
        watch_contacts(run, order, out);
        trex_watch_friction(robot, mechanism, run, out);
        watch_bodies(robot, run, out);
        watch_impacts(runs[order], order, !(robot->restitution < 1.0), fall, out);
    }
    return CAROM_OK;
}

/** GROUP/{impact_time, ..}. */
void trex_write_measures(const results *r, const char *group, const pair_measures *of) {
    const struct {
        const char *name;
        double value;
        const char *units;
        const char *long_name;
    } items[] = {
        {"impact_time", of->impact_time, "s", "time of the first impact; NaN: none"},
        {"first_closed", of->first_closed, "1", "contacts that take part in it"},
        {"fall_error", of->fall_error, "1",
         "largest change of x or an angle before it, of an "
         "eighteenth of a leg, rad"},
        {"first_indeterminacy", of->first_indeterminacy, "1", "xi at the first row after it"},
        {"median_indeterminacy", of->median_indeterminacy, "1", "median of xi from there on"},
        {"peak_indeterminacy", of->peak_indeterminacy, "1", "largest xi from there on"},
        {"energy_error", of->energy_error, "1",
         "largest change of energy in an elastic impact, over the energy before or that of the "
         "fall; "
         "NaN: none"},
        {"held_gap", of->held_gap, "cm", "largest height of a held tip"},
        {"least_gap", of->least_gap, "cm", "least height of a tip at the end of a step"},
        {"least_clearance", of->least_clearance, "cm",
         "least height of a body above the floor, which does not hold it"},
        {"strike_time", of->strike_time, "s", "when a body is first below the floor; NaN: never"},
        {"flight_error", of->flight_error, "1",
         "largest change of p_x or p_y + m g t in a step of flight, over that of the fall; NaN: "
         "none"},
        {"balance_error", of->balance_error, "1",
         "largest error of the balance of p_x and p_y with all forces in a step, over that of the "
         "fall"},
        {"sliding_rows", of->sliding_rows, "1",
         "held contacts that slide in steps without impact, steps together"},
        {"friction_push", of->push, "1",
         "largest friction along the sliding in such a step, over the weight; negative: against "
         "it; "
         "NaN: none slides"},
        {"cone_excess", of->cone_excess, "1",
         "largest friction less mu times the normal force in such a step, over the weight, of "
         "contacts "
         "held beyond it; NaN: none"},
        {"distance_most", of->distance[ORDER_MOST], "cm", "of the hips along x, argmin"},
        {"distance_least", of->distance[ORDER_LEAST], "cm", "of the hips along x, argmax"},
        {"impacts_most", of->impacts[ORDER_MOST], "1", "impacts, argmin"},
        {"impacts_least", of->impacts[ORDER_LEAST], "1", "impacts, argmax"},
        {"parted", of->parted, "1",
         "impacts after the first in which the orders reflect other contacts, or one has none"},
        {"double_impacts_most", of->double_impacts[ORDER_MOST], "1",
         "impacts with several closed contacts, argmin"},
        {"double_impacts_least", of->double_impacts[ORDER_LEAST], "1",
         "impacts with several closed contacts, argmax"},
        {"plastic_most", of->plastic[ORDER_MOST], "1", "impacts that chatter, argmin"},
        {"plastic_least", of->plastic[ORDER_LEAST], "1", "impacts that chatter, argmax"},
        {"held_steps_most", of->held_steps[ORDER_MOST], "1", "steps with a held contact, argmin"},
        {"held_steps_least", of->held_steps[ORDER_LEAST], "1", "steps with a held contact, argmax"},
        {"releases_most", of->releases[ORDER_MOST], "1", "releases of held contacts, argmin"},
        {"releases_least", of->releases[ORDER_LEAST], "1", "releases of held contacts, argmax"},
    };
    for (size_t i = 0; i < sizeof items / sizeof items[0]; i++) {
        char path[PATH_SIZE];
        snprintf(path, sizeof path, "%s/%s", group, items[i].name);
        carom_record_scalar(r->record, path, items[i].value, items[i].units, items[i].long_name);
    }
}
