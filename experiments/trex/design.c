/** The design whose double impact does not depend on the order, and the gaits: /design. */
#include "results.h"

#include <carom/models/trex/internal.h>

#include <stdio.h>
#include <string.h>

/** So near to the floor a tip of a gait's stance touches it, of a leg: gaps of the root are below
 * 1e-12 cm of 18 cm. */
static const double TOUCHING = 1e-10;

bool trex_is_whole(const settings *values) {
    return values->gait == CHOICE_BOTH && values->order == CHOICE_BOTH;
}

carom_trex_params trex_start(const settings *values) {
    carom_trex_params start = values->start;
    start.tail = (carom_trex_tail)values->tail;
    start.hip_rates[0] = values->hip_rate;
    start.hip_rates[1] = values->hip_rate;
    start.hip_start_time = sqrt(2.0 * start.drop_height / start.gravity);
    return start;
}

/** Move a robot to the cosine that is wanted, by steps of minimum norm in all variables. */
static carom_status relax(const results *r, carom_trex_params *robot) {
    carom_trex_design_params params = carom_trex_design_params_default();
    params.cosine = r->values->residual;
    params.unit_length = carom_trex_design_unit_length(&r->values->start);
    const carom_status status = carom_trex_design_optimize(robot, &params, NULL, r->report);
    // A step left the robots there are: its own report would speak of a radius.
    return status == CAROM_STATUS_OUT_OF_RANGE
               ? carom_report_fail(r->report, status,
                                   "residual, which steps from the root do not reach,",
                                   params.cosine, -1)
               : status;
}

/** Say in which part a failure was. */
static carom_status told(const results *r, const char *part, carom_status status) {
    if (status != CAROM_OK) {
        carom_report_set_context(r->report, part);
    }
    return status;
}

/** The stances, all of the optimized design. */
static carom_status set_gaits(results *r, const carom_trex_params *optimized) {
    static const char *const NAMES[GAITS] = {"optimized", "initial", "initial_ahead",
                                             "published_residual"};
    for (int i = 0; i < GAITS; i++) {
        r->gaits[i].name = NAMES[i];
        r->gaits[i].robot = *optimized;
    }
    CAROM_TRY(carom_trex_straight_stance(optimized, false, r->gaits[GAIT_INITIAL].robot.stance,
                                         r->report));
    CAROM_TRY(carom_trex_straight_stance(optimized, true, r->gaits[GAIT_INITIAL_AHEAD].robot.stance,
                                         r->report));
    return told(r, r->gaits[GAIT_RESIDUAL].name, relax(r, &r->gaits[GAIT_RESIDUAL].robot));
}

carom_status trex_design(results *r) {
    carom_trex_params robot = trex_start(r->values);
    carom_trex_design_params params = carom_trex_design_params_default();
    params.scope = (carom_trex_design_scope)r->values->scope;
    CAROM_TRY(told(r, "optimization",
                   carom_trex_design_optimize(&robot, &params, &r->design, r->report)));
    CAROM_TRY(set_gaits(r, &robot));
    const double touching = TOUCHING * (robot.upper_length + robot.lower_length);
    for (int i = 0; i < GAITS; i++) {
        trex_gait *g = &r->gaits[i];
        CAROM_TRY(told(r, g->name, trex_strike(&g->robot, touching, &g->first, r->report)));
    }
    return CAROM_OK;
}

/** A number of GROUP. */
static void write_number(const results *r, const char *group, const char *name, double value,
                         const char *units, const char *long_name) {
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/%s", group, name);
    carom_record_scalar(r->record, path, value, units, long_name);
}

/** The design variables by their names. */
static void write_variables(const results *r, const char *group, const carom_trex_params *robot) {
    static const struct {
        const char *name;
        const char *units;
        const char *long_name;
    } ITEMS[VARIABLES] = {
        {"height", "cm", "y of the hips"},
        {"pitch", "rad", "theta"},
        {"left_hip", "rad", "phi of the leg in the air"},
        {"left_knee", "rad", "gamma of the leg in the air"},
        {"right_hip", "rad", "phi of the leg on the floor"},
        {"right_knee", "rad", "gamma of the leg on the floor"},
        {"body_joint", "rad", "phi_T"},
        {"anterior_radius", "cm", "r_1"},
        {"posterior_radius", "cm", "r_2"},
        {"upper_length", "cm", "l_u"},
        {"lower_length", "cm", "l_l"},
    };
    double z[VARIABLES];
    carom_trex_design_get(robot, z);
    for (int j = 0; j < VARIABLES; j++) {
        write_number(r, group, ITEMS[j].name, z[j], ITEMS[j].units, ITEMS[j].long_name);
    }
}

/** Masses of the bodies together, and M(q) at the stance. */
static carom_status write_masses(const results *r, const char *group,
                                 const carom_trex_params *robot) {
    const carom_trex_inertia inertia = carom_trex_inertia_of(robot);
    double centre[2];
    carom_trex_centre_of_mass(robot, robot->stance, centre);
    write_number(r, group, "mass", inertia.mass, "kg", "mass of the robot");
    write_number(r, group, "centre_of_mass", centre[0], "cm", "x of the centre of mass");
    carom_model *model = NULL;
    CAROM_TRY(carom_trex_alloc(robot, &model, r->report));
    double M[COORDINATES * COORDINATES];
    model->mechanism.mass(robot->stance, M, model->mechanism.context);
    carom_model_free(model);
    char row[PATH_SIZE];
    char column[PATH_SIZE];
    char path[PATH_SIZE];
    snprintf(row, sizeof row, "%s/coordinate", group);
    snprintf(column, sizeof column, "%s/coordinate_column", group);
    snprintf(path, sizeof path, "%s/mass_matrix", group);
    carom_record_index_axis(r->record, row, COORDINATES,
                            "coordinate: x, y, theta, phi_L, gamma_L, phi_R, gamma_R, "
                            "phi_T");
    carom_record_index_axis(r->record, column, COORDINATES, "coordinate");
    carom_record_series(r->record, path, M, row, column, "kg, kg cm, kg cm2",
                        "mass matrix at the stance");
    return CAROM_OK;
}

carom_status trex_write_robot(const results *r, const char *group, const carom_trex_params *robot) {
    double F[CONDITIONS];
    CAROM_TRY(carom_trex_design_conditions(robot, F, NULL, r->report));
    write_number(r, group, "x", robot->stance[CAROM_TREX_X], "cm", "x of the hips");
    write_variables(r, group, robot);
    write_number(
        r, group, "tail_length",
        carom_trex_tail_length(robot->tail, robot->anterior_radius, robot->posterior_radius), "cm",
        "length of the tail, from the centre of the posterior body to the tip");
    write_number(r, group, "cosine", F[CAROM_TREX_DESIGN_COSINE], "1",
                 "(u,v) of the unit normals of right foot and tail tip");
    write_number(r, group, "foot_gap", F[CAROM_TREX_DESIGN_FOOT_GAP], "cm",
                 "height of the right foot");
    write_number(r, group, "tail_gap", F[CAROM_TREX_DESIGN_TAIL_GAP], "cm",
                 "height of the tail tip");
    return write_masses(r, group, robot);
}

/** How far the optimization went. */
static void write_search(const results *r, const char *group,
                         const carom_trex_design_result *search) {
    write_number(r, group, "iterations", search->iterations, "1", "steps");
    write_number(r, group, "distance", search->distance, "1",
                 "distance from the start, cm and rad together; of other robots, an eighteenth "
                 "of a leg and rad");
    write_number(r, group, "condition", search->condition, "1",
                 "ratio of the extreme singular values of the Jacobian at the root");
}

/** The root at the least distance from the same start. */
static carom_status write_nearest(const results *r) {
    carom_trex_params robot = trex_start(r->values);
    carom_trex_design_params params = carom_trex_design_params_default();
    params.scope = (carom_trex_design_scope)r->values->scope;
    carom_trex_design_result search = {.iterations = 0};
    CAROM_TRY(
        told(r, "nearest root", carom_trex_design_nearest(&robot, &params, &search, r->report)));
    CAROM_TRY(trex_write_robot(r, "/design/nearest", &robot));
    write_search(r, "/design/nearest", &search);
    return CAROM_OK;
}

carom_status trex_write_design(const results *r) {
    const carom_trex_params start = trex_start(r->values);
    CAROM_TRY(trex_write_robot(r, "/design/before", &start));
    CAROM_TRY(trex_write_robot(r, "/design/after", &r->gaits[GAIT_OPTIMIZED].robot));
    write_search(r, "/design/after", &r->design);
    for (int i = 0; i < GAITS; i++) {
        char group[GROUP_SIZE];
        snprintf(group, sizeof group, "/stance/%s", r->gaits[i].name);
        CAROM_TRY(trex_write_robot(r, group, &r->gaits[i].robot));
    }
    return write_nearest(r);
}
