/** The runs of a set: drop, first impact, and what follows, in both orders, what they leave, and
 * how far apart they are (figure 8). */
#include "gaits.h"

#include <carom/base/parallel.h>
#include <carom/base/vector.h>
#include <carom/drawing/models.h>
#include <carom/timestepping/internal.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
typedef struct impact_row {
    double time;
    int closed;
    int reflections;
    bool is_plastic;
    int first; /**< -1: none */
} impact_row;

static const carom_field IMPACT_FIELDS[] = {
    CAROM_FIELD("time", impact_row, time, "s", "time of the impact"),
    CAROM_FIELD("closed", impact_row, closed, "1", "contacts that took part"),
    CAROM_FIELD("reflections", impact_row, reflections, "1", "reflections"),
    CAROM_FIELD("plastic", impact_row, is_plastic, "1", "1: projected, as a contact chatters"),
    CAROM_FIELD("first", impact_row, first, "1", "contact of the first reflection, -1: none"),
};

/** GROUP/impacts/{time, closed, reflections, plastic, first}; nothing without an impact. */
static carom_status write_impacts(carom_record *run_group,
                                  const carom_variational_trajectory *run) {
    CAROM_AUTO_MEMORY impact_row *impacts = calloc((size_t)run->impact_count + 1, sizeof *impacts);
    if (impacts == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int i = 0; i < run->impact_count; i++) {
        const bool is_reflected = run->impacts[i].reflection_count > 0;
        impacts[i] = (impact_row){
            .time = run->impacts[i].time,
            .closed = run->impacts[i].closed_count,
            .reflections = run->impacts[i].reflection_count,
            .is_plastic = run->impacts[i].is_plastic,
            .first = is_reflected ? run->reflection[run->impacts[i].first_reflection] : -1,
        };
    }
    carom_record group = carom_record_group(run_group, "impacts");
    carom_record_rows(&group, "time", impacts, run->impact_count, sizeof *impacts, IMPACT_FIELDS,
                      COUNT(IMPACT_FIELDS));
    return CAROM_OK;
}

/** GROUP/{time, position, ..} of a run. */
static carom_status write_run(carom_record *group, const carom_variational_trajectory *run) {
    carom_record_index_axis(group, "coordinate", COORDINATES,
                            "coordinate: x, y, theta, phi_L, gamma_L, phi_R, gamma_R, phi_T");
    carom_record_index_axis(group, "contact", CONTACTS, "contact: left foot, right foot, tail tip");
    carom_record_trajectory_columns(group, run->rows, COLUMNS, COUNT(COLUMNS));
    return write_impacts(group, run);
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

/* --- what the runs of a gait leave ------------------------------------------------------------ */

/** Numbers of the two runs of a gait; those of a single run are of the first order, argmin. */
typedef struct numbers {
    double impact_time;
    double first_closed;
    double first_indeterminacy;
    double peak_indeterminacy;
    double energy_error;
    double held_gap;
    double least_clearance;
    double strike_time;
    double flight_error;
    double balance_error;
    double distance;
    double impacts;
    double parted;
    double double_impacts;
    double plastic;
} numbers;

static const carom_field NUMBERS[] = {
    CAROM_FIELD("impact_time", numbers, impact_time, "s", "time of the first impact; NaN: none"),
    CAROM_FIELD("first_closed", numbers, first_closed, "1", "contacts that take part in it"),
    CAROM_FIELD("first_indeterminacy", numbers, first_indeterminacy, "1",
                "xi at the first row after it"),
    CAROM_FIELD("peak_indeterminacy", numbers, peak_indeterminacy, "1", "largest xi from there on"),
    CAROM_FIELD("energy_error", numbers, energy_error, "1",
                "largest change of energy in an elastic impact, over the energy before or that of "
                "the fall; NaN: none"),
    CAROM_FIELD("held_gap", numbers, held_gap, "cm", "largest height of a held tip"),
    CAROM_FIELD("least_clearance", numbers, least_clearance, "cm",
                "least height of a body above the floor, which does not hold it"),
    CAROM_FIELD("strike_time", numbers, strike_time, "s",
                "when a body is first below the floor; NaN: never"),
    CAROM_FIELD("flight_error", numbers, flight_error, "1",
                "largest change of p_x or p_y + m g t in a step of flight, over that of the fall; "
                "NaN: none"),
    CAROM_FIELD("balance_error", numbers, balance_error, "1",
                "largest error of the balance of p_x and p_y with all forces in a step, over that "
                "of the fall"),
    CAROM_FIELD("distance_most", numbers, distance, "cm", "of the hips along x, argmin"),
    CAROM_FIELD("impacts_most", numbers, impacts, "1", "impacts, argmin"),
    CAROM_FIELD("parted", numbers, parted, "1",
                "impacts after the first in which the orders reflect other contacts, or one has "
                "none"),
    CAROM_FIELD("double_impacts_most", numbers, double_impacts, "1",
                "impacts with several closed contacts, argmin"),
    CAROM_FIELD("plastic_most", numbers, plastic, "1", "impacts that chatter, argmin"),
};

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

/** Momentum of the whole in a step: p_x changes by friction, p_y by weight and contacts, impacts
 * included; a step of flight keeps p_x and p_y + m g t. */
static void watch_momentum(const carom_trex_params *robot, const carom_trajectory *run,
                           numbers *out) {
    const double mass = carom_trex_inertia_of(robot).mass;
    const double scale = mass * sqrt(2.0 * robot->gravity * robot->drop_height);
    for (int k = 1; k < run->row_count; k++) {
        const double *p = run->momentum + (size_t)k * COORDINATES;
        const double h = run->time[k] - run->time[k - 1];
        const double change_x = p[CAROM_TREX_X] - p[CAROM_TREX_X - COORDINATES];
        const double change_y = p[CAROM_TREX_Y] - p[CAROM_TREX_Y - COORDINATES];
        double along = 0.0;
        double up = -mass * robot->gravity;
        for (int i = 0; i < CONTACTS; i++) {
            along += run->friction_force[(size_t)k * CONTACTS + (size_t)i];
            up += run->contact_force[(size_t)k * CONTACTS + (size_t)i];
        }
        raise_to(&out->balance_error, fabs(change_x - h * along) / scale);
        raise_to(&out->balance_error, fabs(change_y - h * up) / scale);
        if (is_flight(run, k)) {
            raise_to(&out->flight_error, fabs(change_x) / scale);
            raise_to(&out->flight_error, fabs(change_y + mass * robot->gravity * h) / scale);
        }
    }
}

/** Heights of held contacts at the ends of the steps. */
static void watch_contacts(const carom_trajectory *run, numbers *out) {
    for (int k = CONTACTS; k < run->row_count * CONTACTS; k++) {
        raise_to(&out->held_gap, run->held[k] != 0 ? fabs(run->gap[k]) : 0.0);
    }
}

/** Bodies above the floor: the contacts are feet and tail tip alone. */
static void watch_bodies(const carom_trex_params *robot, const carom_trajectory *run,
                         numbers *out) {
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

/** What elastic impacts of a run do to the energy. */
static void watch_energy(const carom_variational_trajectory *run, double scale, numbers *out) {
    for (int i = 0; i < run->impact_count; i++) {
        const carom_variational_impact *impact = &run->impacts[i];
        if (!impact->is_plastic) {
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
static void watch_indeterminacy(const carom_trajectory *run, const double *xi, numbers *out) {
    int first = 0;
    while (first < run->row_count - 1 && run->time[first] < out->impact_time) {
        first++;
    }
    out->first_indeterminacy = xi[first];
    out->peak_indeterminacy = carom_vector_largest(run->row_count - first, xi + first);
}

/** Write the numbers of two runs; xi is [row]. */
static carom_status write_numbers(carom_record *group, const carom_trex_params *robot,
                                  carom_variational_trajectory *const runs[ORDERS],
                                  const double *xi) {
    const carom_variational_trajectory *one = runs[ORDER_MOST];
    const double *hips = one->rows->position + CAROM_TREX_X;
    numbers of = {
        .impact_time = one->impact_count > 0 ? one->impacts[0].time : (double)NAN,
        .first_closed = one->impact_count > 0 ? one->impacts[0].closed_count : 0,
        .energy_error = (double)NAN,
        .least_clearance = HUGE_VAL,
        .strike_time = (double)NAN,
        .flight_error = (double)NAN,
        .distance = hips[(size_t)(one->rows->row_count - 1) * COORDINATES] - hips[0],
        .impacts = one->impact_count,
        .parted = count_parted(one, runs[ORDER_LEAST]),
    };
    for (int i = 0; i < one->impact_count; i++) {
        of.double_impacts += one->impacts[i].closed_count > 1 ? 1 : 0;
        of.plastic += one->impacts[i].is_plastic ? 1 : 0;
    }
    watch_indeterminacy(one->rows, xi, &of);
    const double fall = carom_trex_inertia_of(robot).mass * robot->gravity * robot->drop_height;
    for (int order = 0; order < ORDERS; order++) {
        watch_momentum(robot, runs[order]->rows, &of);
        watch_contacts(runs[order]->rows, &of);
        watch_bodies(robot, runs[order]->rows, &of);
        if (!(robot->restitution < 1.0)) {
            watch_energy(runs[order], fall, &of);
        }
    }
    carom_record_rows(group, NULL, &of, 1, sizeof of, NUMBERS, COUNT(NUMBERS));
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

/** The run of an item, if it is asked for. */
static carom_status pack_run(int item, void *context, carom_parallel_bytes *bytes) {
    const batch *b = context;
    const carom_variational_trajectory *run = b->runs[item / ORDERS][item % ORDERS];
    return run == NULL ? CAROM_OK : carom_variational_trajectory_pack(run, bytes);
}

static carom_status unpack_run(int item, const unsigned char *data, size_t size, void *context) {
    batch *b = context;
    if (size == 0) {
        return CAROM_OK;
    }
    const carom_trex_params robot = robot_of(b->r, b->set, item / ORDERS);
    CAROM_AUTO(carom_model) model = NULL;
    CAROM_TRY(carom_trex_alloc(&robot, &model, NULL));
    return carom_variational_trajectory_unpack(&model->mechanism, &data, &size,
                                               &b->runs[item / ORDERS][item % ORDERS]);
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
    CAROM_TRY(carom_variational_difference(&model->mechanism, rows, other->rows, xi, by_energy,
                                           r->report));
    const carom_column columns[] = {
        {"indeterminacy", xi, "1",
         "xi = |p_1 - p_2|/|p_1| of the two orders, in the metric of the first"},
        {"indeterminacy_by_energy", by_energy, "kg-1/2 cm-1 s",
         "|p_1 - p_2| of the two orders over the kinetic energy of the first"},
    };
    carom_record group = carom_record_group(r->record, "%s/%s", b->set->group, r->gaits[gait].name);
    carom_record_axis(&group, "time", rows->row_count, rows->time, "s", "time");
    carom_record_columns(&group, "time", NULL, columns, COUNT(columns));
    return write_numbers(&group, &robot, b->runs[gait], xi);
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
            carom_record group = carom_record_group(r->record, "%s/%s_%s", b->set->group,
                                                    r->gaits[gait].name, ORDER_NAMES[order]);
            CAROM_TRY(write_run(&group, run));
            CAROM_TRY(carom_geometry_record_trex(&group, &r->gaits[gait].robot));
            drawn_gait = drawn == NULL ? gait : drawn_gait;
            drawn = drawn == NULL ? run : drawn;
        }
    }
    if (drawn != NULL) {
        write_strip(r, &r->gaits[drawn_gait].robot, drawn->rows);
    }
    return CAROM_OK;
}

static void batch_clear(batch *b) {
    for (int item = 0; item < GAITS * ORDERS; item++) {
        carom_variational_trajectory_free(b->runs[item / ORDERS][item % ORDERS]);
    }
}

carom_status trex_run_set(const results *r, const run_set *set) {
    CAROM_AUTO_VALUE(batch) b = {.r = r, .set = set};
    const carom_parallel_results runs = {.pack = pack_run, .unpack = unpack_run};
    CAROM_TRY(
        carom_parallel_map(r->common->workers, GAITS * ORDERS, run_one, &b, &runs, r->report));
    for (int gait = 0; gait < GAITS; gait++) {
        CAROM_TRY(compare(r, &b, gait));
    }
    return set->is_asked_for ? write_motions(r, &b) : CAROM_OK;
}
