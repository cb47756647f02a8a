/** What the two runs of a gait leave, and how far apart they are. */
#include "gaits.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>

#include <stdlib.h>
#include <string.h>

/** What is drawn from the two runs of a gait. */
typedef struct pair_measures {
    double impact_time;          /**< of the first impact, s */
    int first_closed;            /**< contacts that take part in it */
    double first_indeterminacy;  /**< xi at the first row after it */
    double median_indeterminacy; /**< over the rows from there on */
    double peak_indeterminacy;
    double energy_error;    /**< largest relative change in an elastic impact; NaN: none */
    double held_gap;        /**< largest |gap| of a held contact, cm */
    double least_clearance; /**< of the bodies above the floor, which does not hold them, cm */
    double strike_time;     /**< when a body is first below it, s; NaN: never */
    double flight_error;    /**< largest change of p_x, p_y + m g t in a step of flight, of |p|;
                               NaN: none */
    double balance_error;   /**< of p_x and p_y with all forces in a step, of |p| */
    double push;        /**< largest friction along the sliding, of the weight; NaN: none slides */
    double cone_excess; /**< largest friction less mu times the normal force, likewise */
    int sliding_rows;   /**< contacts that slide in a step without impact, steps together */
    double distance[ORDERS]; /**< of the hips along x, cm */
    int impacts[ORDERS];     /**< of the run */
    int parted; /**< impacts after the first that one order alone has, or in which other
                   contacts reflect */
    int double_impacts[ORDERS]; /**< with several closed contacts */
    int plastic[ORDERS];        /**< by chatter */
} pair_measures;

/* --- forces ------------------------------------------------------------------------------------
 */

/** Speeds up to this part of the fall's are no sliding. */
static const double RESTING = 1e-9;

/** A run under watch. */
typedef struct watch {
    const carom_mechanism *mechanism;
    const carom_trajectory *run;
    double friction; /**< mu */
    double mass;     /**< of the robot, kg */
    double gravity;  /**< cm/s^2 */
    double speed;    /**< at the end of the fall, cm/s */
} watch;

/** Momentum of the whole in a step: p_x changes by friction, p_y by weight and contacts, impacts
 * included. */
static void balance(const watch *w, int k, pair_measures *out) {
    const carom_trajectory *run = w->run;
    const double *p = run->momentum + (size_t)k * COORDINATES;
    const double h = run->time[k] - run->time[k - 1];
    double along = 0.0;
    double up = -w->mass * w->gravity;
    for (int i = 0; i < CONTACTS; i++) {
        along += run->friction_force[(size_t)k * CONTACTS + (size_t)i];
        up += run->contact_force[(size_t)k * CONTACTS + (size_t)i];
    }
    const double scale = w->mass * w->speed;
    const double change_x = p[CAROM_TREX_X] - p[CAROM_TREX_X - COORDINATES];
    const double change_y = p[CAROM_TREX_Y] - p[CAROM_TREX_Y - COORDINATES];
    out->balance_error = fmax(out->balance_error, fabs(change_x - h * along) / scale);
    out->balance_error = fmax(out->balance_error, fabs(change_y - h * up) / scale);
}

/** Speeds of the tips along +x at the middle of a step, [CONTACTS]. */
static void find_sliding(const watch *w, int k, double *sliding) {
    const double *q = w->run->position + (size_t)k * COORDINATES;
    const double *before = q - COORDINATES;
    const double h = w->run->time[k] - w->run->time[k - 1];
    double middle[COORDINATES];
    double H[CONTACTS * COORDINATES];
    for (int j = 0; j < COORDINATES; j++) {
        middle[j] = 0.5 * (q[j] + before[j]);
    }
    w->mechanism->tangential_jacobian(middle, H, w->mechanism->context);
    for (int i = 0; i < CONTACTS; i++) {
        sliding[i] = 0.0;
        for (int j = 0; j < COORDINATES; j++) {
            sliding[i] += H[i * COORDINATES + j] * (q[j] - before[j]) / h;
        }
    }
}

/** Coulomb's law in a step without impact: friction is at most mu times the normal force, and
 * against the sliding at the middle of the step. Where a contact is about to open, the second half
 * of its last step pulls without friction: the sum of both halves says nothing of the bound there.
 */
static void watch_law(const watch *w, int k, pair_measures *out) {
    const carom_trajectory *run = w->run;
    const double weight = w->mass * w->gravity;
    double sliding[CONTACTS];
    find_sliding(w, k, sliding);
    for (int i = 0; i < CONTACTS; i++) {
        const size_t at = (size_t)k * CONTACTS + (size_t)i;
        if (run->held[at] == 0) {
            continue;
        }
        const double force = run->friction_force[at];
        if (k + 1 < run->row_count && run->held[at + CONTACTS] != 0) {
            const double excess = fabs(force) - w->friction * run->holding_force[at];
            out->cone_excess = fmax(out->cone_excess, excess / weight);
        }
        if (fabs(sliding[i]) > RESTING * w->speed) {
            const double push = sliding[i] > 0.0 ? force : -force;
            out->push = fmax(out->push, push / weight);
            out->sliding_rows++;
        }
    }
}

/** An impact in a step adds to the contact forces what is not of held contacts. */
static bool has_impact(const carom_trajectory *run, int k) {
    bool strikes = false;
    for (int i = 0; i < CONTACTS; i++) {
        const size_t at = (size_t)k * CONTACTS + (size_t)i;
        strikes = strikes || fabs(run->contact_force[at] - run->holding_force[at]) > 0.0;
    }
    return strikes;
}

/** Raise what a run leaves of the balance of momentum and of Coulomb's law. */
static void watch_friction(const carom_trex_params *robot, const carom_mechanism *mechanism,
                           const carom_trajectory *run, pair_measures *out) {
    const watch w = {.mechanism = mechanism,
                     .run = run,
                     .friction = robot->friction,
                     .mass = carom_trex_inertia_of(robot).mass,
                     .gravity = robot->gravity,
                     .speed = sqrt(2.0 * robot->gravity * robot->drop_height)};
    for (int k = 1; k < run->row_count; k++) {
        balance(&w, k, out);
        if (!has_impact(run, k)) {
            watch_law(&w, k, out);
        }
    }
}

/* --- the runs ----------------------------------------------------------------------------------
 */

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

/** Heights of held contacts at the ends of the steps. */
static void watch_contacts(const carom_trajectory *run, pair_measures *out) {
    for (int k = CONTACTS; k < run->row_count * CONTACTS; k++) {
        raise_to(&out->held_gap, run->held[k] != 0 ? fabs(run->gap[k]) : 0.0);
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

static carom_status measure(const carom_trex_params *robot, const carom_mechanism *mechanism,
                            carom_variational_trajectory *const runs[ORDERS], const double *xi,
                            pair_measures *out) {
    *out = (pair_measures){.energy_error = (double)NAN,
                           .flight_error = (double)NAN,
                           .push = (double)NAN,
                           .cone_excess = (double)NAN,
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
        watch_flight(robot, run, out);
        watch_contacts(run, out);
        watch_friction(robot, mechanism, run, out);
        watch_bodies(robot, run, out);
        watch_impacts(runs[order], order, !(robot->restitution < 1.0), fall, out);
    }
    return CAROM_OK;
}

carom_status trex_write_measures(const results *r, const char *group,
                                 const carom_trex_params *robot, const carom_mechanism *mechanism,
                                 carom_variational_trajectory *const runs[ORDERS],
                                 const double *xi) {
    pair_measures of;
    CAROM_TRY(measure(robot, mechanism, runs, xi, &of));
    const carom_measure numbers[] = {
        {"impact_time", of.impact_time, "s", "time of the first impact; NaN: none"},
        {"first_closed", of.first_closed, "1", "contacts that take part in it"},
        {"first_indeterminacy", of.first_indeterminacy, "1", "xi at the first row after it"},
        {"median_indeterminacy", of.median_indeterminacy, "1", "median of xi from there on"},
        {"peak_indeterminacy", of.peak_indeterminacy, "1", "largest xi from there on"},
        {"energy_error", of.energy_error, "1",
         "largest change of energy in an elastic impact, over the energy before or that of the "
         "fall; "
         "NaN: none"},
        {"held_gap", of.held_gap, "cm", "largest height of a held tip"},
        {"least_clearance", of.least_clearance, "cm",
         "least height of a body above the floor, which does not hold it"},
        {"strike_time", of.strike_time, "s", "when a body is first below the floor; NaN: never"},
        {"flight_error", of.flight_error, "1",
         "largest change of p_x or p_y + m g t in a step of flight, over that of the fall; NaN: "
         "none"},
        {"balance_error", of.balance_error, "1",
         "largest error of the balance of p_x and p_y with all forces in a step, over that of the "
         "fall"},
        {"sliding_rows", of.sliding_rows, "1",
         "held contacts that slide in steps without impact, steps together"},
        {"friction_push", of.push, "1",
         "largest friction along the sliding in such a step, over the weight; negative: against "
         "it; "
         "NaN: none slides"},
        {"cone_excess", of.cone_excess, "1",
         "largest friction less mu times the normal force in such a step, over the weight, of "
         "contacts "
         "held beyond it; NaN: none"},
        {"distance_most", of.distance[ORDER_MOST], "cm", "of the hips along x, argmin"},
        {"distance_least", of.distance[ORDER_LEAST], "cm", "of the hips along x, argmax"},
        {"impacts_most", of.impacts[ORDER_MOST], "1", "impacts, argmin"},
        {"impacts_least", of.impacts[ORDER_LEAST], "1", "impacts, argmax"},
        {"parted", of.parted, "1",
         "impacts after the first in which the orders reflect other contacts, or one has none"},
        {"double_impacts_most", of.double_impacts[ORDER_MOST], "1",
         "impacts with several closed contacts, argmin"},
        {"double_impacts_least", of.double_impacts[ORDER_LEAST], "1",
         "impacts with several closed contacts, argmax"},
        {"plastic_most", of.plastic[ORDER_MOST], "1", "impacts that chatter, argmin"},
        {"plastic_least", of.plastic[ORDER_LEAST], "1", "impacts that chatter, argmax"},
    };
    carom_record to = carom_record_group(r->record, "%s", group);
    carom_record_scalars(&to, numbers, COUNT(numbers));
    return CAROM_OK;
}
