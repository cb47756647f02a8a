/** The runs of a set: drop, first impact, and what follows, in both orders, and how far apart they
 * are (figure 8). */
#include "gaits.h"

#include <carom/base/linear_algebra.h>
#include <carom/base/parallel.h>

#include <stdio.h>
#include <stdlib.h>

/* --- series of a run ---------------------------------------------------------------------------
 */

/** Instants of /strip. */
enum { POSES = 7 };

enum { OWN = CAROM_TRAJECTORY_VARIATIONAL };
#define ARRAY CAROM_TRAJECTORY_ARRAY

/** Of a robot in centimetres, with one tangent a contact. */
static const carom_trajectory_column COLUMNS[] = {
    {ARRAY(position, COORDINATE), false, OWN, "cm, rad", "coordinates"},
    {ARRAY(momentum, COORDINATE), false, OWN, "kg cm s-1, kg cm2 s-1", "momenta"},
    {ARRAY(gap, CONTACT), false, OWN, "cm", "heights of the tips"},
    {ARRAY(contact_force, CONTACT), false, OWN, "kg cm s-2",
     "normal impulse of the step over its length, impacts included"},
    {ARRAY(holding_force, CONTACT), false, OWN, "kg cm s-2", "normal force of held contacts"},
    {ARRAY(friction_force, CONTACT), false, OWN, "kg cm s-2", "force of friction along +x"},
    {ARRAY(energy, ROW), false, OWN, "kg cm2 s-2", "kinetic and potential energy"},
    {ARRAY(kinetic_energy, ROW), false, OWN, "kg cm2 s-2", "kinetic energy"},
    {ARRAY(potential_energy, ROW), false, OWN, "kg cm2 s-2", "potential energy, of springs too"},
    {ARRAY(friction_work, ROW), false, OWN, "kg cm2 s-2", "lost to friction so far"},
    {ARRAY(impact_loss, ROW), false, OWN, "kg cm2 s-2", "lost in plastic impacts so far"},
    {ARRAY(held, CONTACT), true, OWN, "1", "contacts held at the end of the step, 0 or 1"},
};

/** An impact of the record. */
typedef struct impact {
    double time;
    int closed;
    int reflections;
    bool is_plastic;
    int first; /**< -1: none */
} impact;

static const carom_field IMPACT_FIELDS[] = {
    CAROM_FIELD("time", impact, time, "s", "time of the impact"),
    CAROM_FIELD("closed", impact, closed, "1", "contacts that took part"),
    CAROM_FIELD("reflections", impact, reflections, "1", "reflections"),
    CAROM_FIELD("plastic", impact, is_plastic, "1", "1: projected, as a contact chatters"),
    CAROM_FIELD("first", impact, first, "1", "contact of the first reflection, -1: none"),
};

/** GROUP/impacts/{time, closed, reflections, plastic, first}; nothing without an impact. */
static carom_status write_impacts(carom_record *run_group,
                                  const carom_variational_trajectory *run) {
    CAROM_AUTO_MEMORY impact *impacts = calloc((size_t)run->impact_count + 1, sizeof *impacts);
    if (impacts == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int i = 0; i < run->impact_count; i++) {
        const bool is_reflected = run->impacts[i].reflection_count > 0;
        impacts[i] = (impact){
            .time = run->impacts[i].time,
            .closed = run->impacts[i].closed_count,
            .reflections = run->impacts[i].reflection_count,
            .is_plastic = run->impacts[i].is_plastic,
            .first = is_reflected ? run->reflection[run->impacts[i].first_reflection] : -1,
        };
    }
    carom_record group = carom_record_group(run_group, "impacts");
    carom_record_rows(&group, "time", impacts, run->impact_count, sizeof *impacts, IMPACT_FIELDS,
                      sizeof IMPACT_FIELDS / sizeof IMPACT_FIELDS[0]);
    return CAROM_OK;
}

/** GROUP/{time, position, ..} of a run. */
static carom_status write_run(const results *r, const char *group,
                              const carom_variational_trajectory *run) {
    carom_record to = carom_record_group(r->record, "%s", group);
    carom_record_index_axis(&to, "coordinate", COORDINATES,
                            "coordinate: x, y, theta, phi_L, gamma_L, phi_R, gamma_R, phi_T");
    carom_record_index_axis(&to, "contact", CONTACTS, "contact: left foot, right foot, tail tip");
    carom_record_trajectory_columns(&to, run->rows, COLUMNS, sizeof COLUMNS / sizeof COLUMNS[0]);
    return write_impacts(&to, run);
}

/** /strip: the robot at some instants of a run. */
static void write_strip(const results *r, const carom_trex_params *robot,
                        const carom_trajectory *run) {
    const double end = run->time[run->row_count - 1];
    double time[POSES];
    for (int i = 0; i < POSES; i++) {
        // The start, and from the impact to the end in equal parts of time.
        const double share = (i - 1.0) / (POSES - 2.0);
        const double wanted =
            i == 0 ? 0.0 : robot->hip_start_time + share * (end - robot->hip_start_time);
        const int row = (int)lround(wanted / end * (run->row_count - 1));
        char group[GROUP_SIZE];
        snprintf(group, sizeof group, "/strip/pose_%d", i);
        trex_draw_pose(r, group, robot, run->position + (size_t)row * COORDINATES);
        time[i] = run->time[row];
    }
    carom_record_index_axis(r->record, "/strip/pose", POSES, "pose");
    carom_record_series(r->record, "/strip/time", time, "/strip/pose", NULL, "s",
                        "time of the pose");
}

/* --- the measure of figure 8 -------------------------------------------------------------------
 */

/** |d|_g^2 = d M^-1 d' of a covector [n], M factored. */
static double squared_norm(const carom_factor *factor, const double *d) {
    double x[COORDINATES];
    for (int j = 0; j < COORDINATES; j++) {
        x[j] = d[j];
    }
    carom_factor_solve(factor, x);
    double sum = 0.0;
    for (int j = 0; j < COORDINATES; j++) {
        sum += d[j] * x[j];
    }
    return sum;
}

/*[trexIndeterminacy]*/
/** xi at one instant, in the metric of the first motion. */
static carom_status compare_at(const carom_mechanism *mechanism, carom_factor *factor,
                               const double *q_1, const double *p_1, const double *p_2,
                               double *by_norm, double *by_energy) {
    double M[COORDINATES * COORDINATES];
    double d[COORDINATES];
    mechanism->mass(q_1, M, mechanism->context);
    CAROM_TRY(carom_factor_compute(factor, M));
    for (int j = 0; j < COORDINATES; j++) {
        d[j] = p_1[j] - p_2[j];
    }
    const double distance = sqrt(squared_norm(factor, d));
    const double momentum = squared_norm(factor, p_1);
    // At rest there is nothing to compare with.
    *by_norm = momentum > 0.0 ? distance / sqrt(momentum) : 0.0;
    *by_energy = momentum > 0.0 ? distance / (0.5 * momentum) : 0.0;
    return CAROM_OK;
}
/*[end trexIndeterminacy]*/

/** xi of two runs in the metric of the first, [row] each: |p_1 - p_2|/|p_1|, and over the kinetic
 * energy. */
static carom_status compare_runs(const carom_mechanism *mechanism, const carom_trajectory *one,
                                 const carom_trajectory *other, double *by_norm, double *by_energy,
                                 carom_report *report) {
    CAROM_AUTO(carom_factor) factor = NULL;
    CAROM_TRY(carom_factor_alloc(mechanism->layout, &factor));
    for (int k = 0; k < one->row_count; k++) {
        const size_t at = (size_t)k * COORDINATES;
        const carom_status status =
            compare_at(mechanism, factor, one->position + at, one->momentum + at,
                       other->momentum + at, &by_norm[k], &by_energy[k]);
        if (status != CAROM_OK) {
            return carom_report_fail(report, status, "mass matrix", (double)NAN, -1);
        }
    }
    return CAROM_OK;
}

/* --- all runs of a set -------------------------------------------------------------------------
 */

/** All runs of a set; NULL where one is not asked for. */
typedef struct batch {
    const results *r;
    const run_set *set;
    carom_variational_trajectory *runs[GAITS][ORDERS];
} batch;

/** Both gaits in both orders were asked for. */
static bool is_whole(const settings *values) {
    return values->gait == CHOICE_BOTH && values->order == CHOICE_BOTH;
}

/** The further gaits and sets belong to the whole experiment alone. */
static bool is_wanted(const settings *values, const run_set *set, int gait, int order) {
    if (is_whole(values)) {
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
    CAROM_AUTO(carom_model) model = NULL;
    carom_status status = carom_trex_alloc(&robot, &model, report);
    if (status == CAROM_OK) {
        status = carom_variational_trajectory_run(
            &model->mechanism, &params, 0.0, model->initial_position, model->initial_velocity,
            values->duration, NULL, NULL, &b->runs[gait][order], report);
    }
    if (status != CAROM_OK && report != NULL) {
        char name[CAROM_REPORT_CONTEXT_SIZE];
        snprintf(name, sizeof name, "%s %s", b->set->group + 1, b->r->gaits[gait].name);
        carom_report_set_context(report, name);
    }
    return status;
}

/** GROUP/GAIT: the two runs of a gait side by side, if both were asked for. */
static carom_status compare(const results *r, const batch *b, int gait) {
    const carom_variational_trajectory *one = b->runs[gait][ORDER_MOST];
    const carom_variational_trajectory *other = b->runs[gait][ORDER_LEAST];
    if (one == NULL || other == NULL) {
        return CAROM_OK;
    }
    const carom_trajectory *rows = one->rows;
    CAROM_AUTO_MEMORY double *xi = malloc(2 * (size_t)rows->row_count * sizeof *xi);
    if (xi == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    double *by_energy = xi + rows->row_count;
    const carom_trex_params robot = robot_of(r, b->set, gait);
    CAROM_AUTO(carom_model) model = NULL;
    CAROM_TRY(carom_trex_alloc(&robot, &model, r->report));
    CAROM_TRY(compare_runs(&model->mechanism, rows, other->rows, xi, by_energy, r->report));
    char name[GROUP_SIZE];
    snprintf(name, sizeof name, "%s/%s", b->set->group, r->gaits[gait].name);
    const carom_column columns[] = {
        {"indeterminacy", xi, "1",
         "xi = |p_1 - p_2|/|p_1| of the two orders, in the metric of the first"},
        {"indeterminacy_by_energy", by_energy, "kg-1/2 cm-1 s",
         "|p_1 - p_2| of the two orders over the kinetic energy of the first"},
    };
    carom_record group = carom_record_group(r->record, "%s", name);
    carom_record_axis(&group, "time", rows->row_count, rows->time, "s", "time");
    carom_record_columns(&group, "time", NULL, columns, COUNT(columns));
    return trex_write_measures(r, name, &robot, &model->mechanism, b->runs[gait], xi);
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
            CAROM_TRY(write_run(r, group, run));
            drawn_gait = drawn == NULL ? gait : drawn_gait;
            drawn = drawn == NULL ? run : drawn;
        }
    }
    if (drawn != NULL) {
        write_strip(r, &r->gaits[drawn_gait].robot, drawn->rows);
    }
    return CAROM_OK;
}

/** What is recorded of a batch. */
static carom_status finish(const results *r, const batch *b) {
    for (int gait = 0; gait < GAITS; gait++) {
        CAROM_TRY(compare(r, b, gait));
    }
    return b->set->is_asked_for ? write_motions(r, b) : CAROM_OK;
}

carom_status trex_run_set(const results *r, const run_set *set) {
    batch b = {.r = r, .set = set};
    carom_status status =
        carom_parallel_map(GAITS * ORDERS, r->common->threads, run_one, &b, r->report);
    if (status == CAROM_OK) {
        status = finish(r, &b);
    }
    for (int item = 0; item < GAITS * ORDERS; item++) {
        carom_variational_trajectory_free(b.runs[item / ORDERS][item % ORDERS]);
    }
    return status;
}
