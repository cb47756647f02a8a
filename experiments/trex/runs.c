/** The runs of a set: drop, first impact, and what follows, in both orders. */
#include "results.h"

#include <carom/base/parallel.h>

#include <stdio.h>
#include <stdlib.h>

/** All runs of a set; NULL where one is not asked for. */
typedef struct batch {
    const results *r;
    const run_set *set;
    carom_variational_trajectory *runs[GAITS][ORDERS];
} batch;

/** The further gaits and sets belong to the whole experiment alone. */
static bool is_wanted(const settings *values, const run_set *set, int gait, int order) {
    if (trex_is_whole(values)) {
        return true;
    }
    return set->is_asked_for && (gait == values->gait || values->gait == CHOICE_BOTH) &&
           gait < GAIT_INITIAL_AHEAD && (order == values->order || values->order == CHOICE_BOTH);
}

/** The robot of a gait in a set. */
static carom_trex_params robot_of(const results *r, const run_set *set, int gait) {
    carom_trex_params robot = r->gaits[gait].robot;
    robot.friction = set->friction;
    robot.knee_stiffness *= set->stiffening;
    robot.body_stiffness *= set->stiffening;
    return robot;
}

/** One run: item = gait ORDERS + order. */
static carom_status run_one(int item, void *context, carom_report *report) {
    batch *b = context;
    const settings *values = b->r->values;
    const int gait = item / ORDERS;
    const int order = item % ORDERS;
    if (!is_wanted(values, b->set, gait, order)) {
        return CAROM_OK;
    }
    carom_variational_params params = carom_variational_params_default();
    params.step = b->set->step;
    params.most_hits = values->most_hits;
    params.impacts_without_friction = true;
    params.rule = order == ORDER_MOST ? CAROM_PROPAGATIVE_MOST_APPROACHING
                                      : CAROM_PROPAGATIVE_LEAST_APPROACHING;
    const carom_trex_params robot = robot_of(b->r, b->set, gait);
    carom_model *model = NULL;
    carom_status status = carom_trex_alloc(&robot, &model, report);
    if (status == CAROM_OK) {
        status = carom_variational_trajectory_run(
            &model->mechanism, &params, 0.0, model->initial_position, model->initial_velocity,
            values->duration, NULL, NULL, &b->runs[gait][order], report);
    }
    carom_model_free(model);
    if (status != CAROM_OK && report != NULL) {
        char name[CAROM_REPORT_CONTEXT_SIZE];
        snprintf(name, sizeof name, "%s %s", b->set->group + 1, b->r->gaits[gait].name);
        carom_report_set_context(report, name);
    }
    return status;
}

/** GROUP/GAIT/{time, indeterminacy, indeterminacy_by_energy}. */
static void write_indeterminacy(const results *r, const char *group, const carom_trajectory *run,
                                const double *by_norm, const double *by_energy) {
    char axis[PATH_SIZE];
    char path[PATH_SIZE];
    snprintf(axis, sizeof axis, "%s/time", group);
    carom_record_axis(r->record, axis, run->row_count, run->time, "s", "time");
    snprintf(path, sizeof path, "%s/indeterminacy", group);
    carom_record_series(r->record, path, by_norm, axis, NULL, "1",
                        "xi = |p_1 - p_2|/|p_1| of the two orders, in the metric of the "
                        "first");
    snprintf(path, sizeof path, "%s/indeterminacy_by_energy", group);
    carom_record_series(r->record, path, by_energy, axis, NULL, "kg-1/2 cm-1 s",
                        "|p_1 - p_2| of the two orders over the kinetic energy of the first");
}

/** Compare the two runs of a gait, xi [2][row]. */
static carom_status compare(results *r, const batch *b, int gait, double *xi,
                            pair_measures *measures) {
    const carom_variational_trajectory *one = b->runs[gait][ORDER_MOST];
    const carom_variational_trajectory *other = b->runs[gait][ORDER_LEAST];
    double *by_energy = xi + one->rows->row_count;
    const carom_trex_params robot = robot_of(r, b->set, gait);
    carom_model *model = NULL;
    CAROM_TRY(carom_trex_alloc(&robot, &model, r->report));
    carom_status status =
        trex_compare_runs(&model->mechanism, one->rows, other->rows, xi, by_energy, r->report);
    if (status == CAROM_OK) {
        status = trex_measure(&robot, &model->mechanism, b->runs[gait], xi, measures);
    }
    carom_model_free(model);
    CAROM_TRY(status);
    char group[GROUP_SIZE];
    snprintf(group, sizeof group, "%s/%s", b->set->group, r->gaits[gait].name);
    write_indeterminacy(r, group, one->rows, xi, by_energy);
    trex_write_measures(r, group, measures);
    return CAROM_OK;
}

/** The two runs of a gait side by side. */
static carom_status finish_gait(results *r, const batch *b, int gait, pair_measures *measures) {
    const carom_variational_trajectory *one = b->runs[gait][ORDER_MOST];
    if (one == NULL || b->runs[gait][ORDER_LEAST] == NULL) {
        return CAROM_OK;
    }
    double *xi = malloc(2 * (size_t)one->rows->row_count * sizeof *xi);
    if (xi == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    const carom_status status = compare(r, b, gait, xi, measures);
    free(xi);
    return status;
}

/** Motions that were asked for, and instants of one of them. */
static carom_status write_motions(const results *r, const batch *b) {
    static const char *const ORDER_NAMES[ORDERS] = {"most", "least"};
    const carom_variational_trajectory *drawn = NULL;
    int drawn_gait = GAIT_OPTIMIZED;
    for (int gait = 0; gait < GAITS; gait++) {
        for (int order = 0; order < ORDERS; order++) {
            const carom_variational_trajectory *run = b->runs[gait][order];
            if (run == NULL) {
                continue;
            }
            char group[GROUP_SIZE];
            snprintf(group, sizeof group, "%s/%s_%s", b->set->group, r->gaits[gait].name,
                     ORDER_NAMES[order]);
            CAROM_TRY(trex_write_run(r, group, run));
            drawn_gait = drawn == NULL ? gait : drawn_gait;
            drawn = drawn == NULL ? run : drawn;
        }
    }
    if (drawn != NULL) {
        trex_write_strip(r, &r->gaits[drawn_gait].robot, drawn->rows);
    }
    return CAROM_OK;
}

/** What is recorded of a batch. */
static carom_status finish(results *r, const batch *b, pair_measures *measures) {
    for (int gait = 0; gait < GAITS; gait++) {
        CAROM_TRY(finish_gait(r, b, gait, &measures[gait]));
    }
    return b->set->is_asked_for ? write_motions(r, b) : CAROM_OK;
}

carom_status trex_run_set(results *r, int set) {
    batch b = {.r = r, .set = &r->sets[set]};
    carom_status status =
        carom_parallel_map(GAITS * ORDERS, r->common->threads, run_one, &b, r->report);
    if (status == CAROM_OK) {
        status = finish(r, &b, r->sets[set].measures);
    }
    for (int item = 0; item < GAITS * ORDERS; item++) {
        carom_variational_trajectory_free(b.runs[item / ORDERS][item % ORDERS]);
    }
    return status;
}
