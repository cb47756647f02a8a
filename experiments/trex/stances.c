/** The design whose double impact does not depend on the order, the stances that are dropped, their
 * first impact, and table I. */
#include "gaits.h"

#include <gsl/gsl_math.h>

/* --- the first impact --------------------------------------------------------------------------
 */

/** Reflections of two contacts that are nearly opposite; the robot's need two. */
enum { MOST_REFLECTIONS = 1000 };

/** So near a tip of the hand-picked row of table I counts as on the floor, cm: its digits leave
 * some tenths. */
static const double NEARLY_TOUCHING = 1.0;

/** What one order gives. */
typedef struct outcome {
    double impulse[TIPS];
    double approach[TIPS]; /**< (p,u_i) after, unnormalized */
} outcome;

/** Reflect, beginning with contact `first`. */
static carom_status reflect(const carom_propagative_contacts *contacts, const double *c,
                            double energy, int first, outcome *out, int *reflections,
                            carom_report *report) {
    carom_propagative_params params = carom_propagative_params_default();
    params.rule = CAROM_PROPAGATIVE_CYCLIC;
    params.first = first;
    CAROM_AUTO(carom_propagative_impact) impact = NULL;
    CAROM_TRY(carom_propagative_impact_alloc(TIPS, MOST_REFLECTIONS, &impact));
    CAROM_TRY(carom_propagative_impact_run(contacts, &params, 1.0, c, energy, impact, report));
    for (int i = 0; i < TIPS; i++) {
        out->impulse[i] = impact->impulse[i];
        out->approach[i] = impact->normal_velocity[i];
    }
    *reflections = impact->step_count;
    return CAROM_OK;
}

/** The same momentum reflected in both orders: what lies between the two is in the span of the
 * normals, d = sum (Lambda_1 - Lambda_2)_i u_i. */
static carom_status compare_orders(const carom_propagative_contacts *contacts, const double *c,
                                   double energy, double_impact *out, carom_report *report) {
    outcome ends[TIPS];
    for (int first = 0; first < TIPS; first++) {
        CAROM_TRY(
            reflect(contacts, c, energy, first, &ends[first], &out->reflections[first], report));
    }
    /*[trexOrders]*/
    // p_1 - p_2 = d_u u + d_v v in unit normals.
    const double d_u = (ends[0].impulse[0] - ends[1].impulse[0]) * contacts->length[0];
    const double d_v = (ends[0].impulse[1] - ends[1].impulse[1]) * contacts->length[1];
    const double cosine = contacts->cosine[1];
    const double distance = sqrt(fmax(0.0, d_u * d_u + d_v * d_v + 2.0 * cosine * d_u * d_v));
    out->indeterminacy = distance / out->momentum;
    /*[end trexOrders]*/
    out->energy_ratio = distance / energy;
    out->least_separation = HUGE_VAL;
    for (int i = 0; i < TIPS; i++) {
        for (int k = 0; k < TIPS; k++) {
            const double separation = ends[k].approach[i] / (contacts->length[i] * out->momentum);
            out->least_separation = fmin(out->least_separation, separation);
        }
    }
    return CAROM_OK;
}

/** Everything about the impact of two contacts. */
static carom_status study(const carom_impact_problem *problem,
                          const carom_propagative_contacts *contacts, double_impact *out,
                          carom_report *report) {
    const double *c = problem->contact_velocity;
    const double energy = problem->kinetic_energy;
    out->pair = carom_propagative_pair_of(contacts, 0, 1);
    out->momentum = sqrt(2.0 * energy);
    for (int i = 0; i < TIPS; i++) {
        out->length[i] = contacts->length[i];
        out->approach[i] = c[i] / (contacts->length[i] * out->momentum);
    }
    CAROM_TRY(compare_orders(contacts, c, energy, out, report));
    out->closed_form = carom_propagative_pair_distance(&out->pair, out->approach[0],
                                                       out->approach[1], out->reflections[0]);
    return CAROM_OK;
}

/** The impact of right foot and tail tip, and of no other contact, at (q, v). */
static carom_status strike_at(const carom_mechanism *mechanism, const double *q, const double *v,
                              double touching, double_impact *out, carom_report *report) {
    int touched[CONTACTS] = {0};
    CAROM_AUTO(carom_impact_problem) problem = NULL;
    CAROM_AUTO(carom_propagative_contacts) contacts = NULL;
    CAROM_TRY(
        carom_impact_problem_of_mechanism(mechanism, q, v, touching, touched, &problem, report));
    if (!(problem->contact_count == TIPS && touched[0] == CAROM_TREX_RIGHT_FOOT &&
          touched[1] == CAROM_TREX_TAIL_TIP)) {
        return carom_report_say(report, CAROM_STATUS_CONFLICT,
                                "%d contacts are closed in the stance, right foot and tail alone "
                                "expected",
                                problem->contact_count);
    }
    CAROM_TRY(carom_propagative_contacts_of_problem(problem, &contacts, report));
    return study(problem, contacts, out, report);
}

/** The impact of right foot and tail tip in both orders, after the drop and without time stepping;
 * tips up to `touching` cm above the floor count as on it. */
static carom_status strike(const carom_trex_params *robot, double touching, double_impact *out,
                           carom_report *report) {
    *out = (double_impact){.momentum = (double)NAN};
    CAROM_AUTO(carom_model) model = NULL;
    CAROM_TRY(carom_trex_alloc(robot, &model, report));
    // Free fall keeps the stance: springs are at rest and hips are held.
    double v[COORDINATES] = {0.0};
    v[CAROM_TREX_Y] = -sqrt(2.0 * robot->gravity * robot->drop_height);
    return strike_at(&model->mechanism, robot->stance, v, touching, out, report);
}

/* --- the design and the gaits ------------------------------------------------------------------
 */

/** So near to the floor a tip of a gait's stance touches it, of a leg: gaps of the root are below
 * 1e-12 cm of 18 cm. */
static const double TOUCHING = 1e-10;

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

/** Optimize the design and set the gaits. */
static carom_status design(results *r) {
    carom_trex_params robot = trex_start(r->values);
    carom_trex_design_params params = carom_trex_design_params_default();
    params.scope = (carom_trex_design_scope)r->values->scope;
    CAROM_TRY(told(r, "optimization",
                   carom_trex_design_optimize(&robot, &params, &r->design, r->report)));
    CAROM_TRY(set_gaits(r, &robot));
    const double touching = TOUCHING * (robot.upper_length + robot.lower_length);
    for (int i = 0; i < GAITS; i++) {
        trex_gait *g = &r->gaits[i];
        CAROM_TRY(told(r, g->name, strike(&g->robot, touching, &g->first, r->report)));
    }
    return CAROM_OK;
}

/* --- the record --------------------------------------------------------------------------------
 */

/** A robot in its stance: variables, conditions and masses. */
static carom_status write_robot(carom_record *group, const carom_trex_params *robot,
                                carom_report *report) {
    double F[CONDITIONS];
    double z[VARIABLES];
    double centre[2];
    CAROM_TRY(carom_trex_design_conditions(robot, F, NULL, report));
    carom_trex_design_get(robot, z);
    carom_trex_centre_of_mass(robot, robot->stance, centre);
    const double tail =
        carom_trex_tail_length(robot->tail, robot->anterior_radius, robot->posterior_radius);
    const carom_measure numbers[] = {
        {"x", robot->stance[CAROM_TREX_X], "cm", "x of the hips"},
        {"height", z[CAROM_TREX_DESIGN_HEIGHT], "cm", "y of the hips"},
        {"pitch", z[CAROM_TREX_DESIGN_PITCH], "rad", "theta"},
        {"left_hip", z[CAROM_TREX_DESIGN_LEFT_HIP], "rad", "phi of the leg in the air"},
        {"left_knee", z[CAROM_TREX_DESIGN_LEFT_KNEE], "rad", "gamma of the leg in the air"},
        {"right_hip", z[CAROM_TREX_DESIGN_RIGHT_HIP], "rad", "phi of the leg on the floor"},
        {"right_knee", z[CAROM_TREX_DESIGN_RIGHT_KNEE], "rad", "gamma of the leg on the floor"},
        {"body_joint", z[CAROM_TREX_DESIGN_BODY_JOINT], "rad", "phi_T"},
        {"anterior_radius", robot->anterior_radius, "cm", "r_1"},
        {"posterior_radius", robot->posterior_radius, "cm", "r_2"},
        {"upper_length", robot->upper_length, "cm", "l_u"},
        {"lower_length", robot->lower_length, "cm", "l_l"},
        {"tail_length", tail, "cm",
         "length of the tail, from the centre of the posterior body to the tip"},
        {"cosine", F[CAROM_TREX_DESIGN_COSINE], "1",
         "(u,v) of the unit normals of right foot and tail tip"},
        {"foot_gap", F[CAROM_TREX_DESIGN_FOOT_GAP], "cm", "height of the right foot"},
        {"tail_gap", F[CAROM_TREX_DESIGN_TAIL_GAP], "cm", "height of the tail tip"},
        {"mass", carom_trex_inertia_of(robot).mass, "kg", "mass of the robot"},
        {"centre_of_mass", centre[0], "cm", "x of the centre of mass"},
    };
    carom_record_scalars(group, numbers, COUNT(numbers));
    return CAROM_OK;
}

/** How far the optimization went. */
static void write_search(carom_record *group, const carom_trex_design_result *search) {
    const carom_measure numbers[] = {
        {"iterations", search->iterations, "1", "steps"},
        {"distance", search->distance, "1",
         "distance from the start, cm and rad together; of other robots, an eighteenth of a leg "
         "and rad"},
        {"condition", search->condition, "1",
         "ratio of the extreme singular values of the Jacobian at the root"},
    };
    carom_record_scalars(group, numbers, COUNT(numbers));
}

/** The root at the least distance from the same start. */
static carom_status write_nearest(const results *r) {
    carom_trex_params robot = trex_start(r->values);
    carom_trex_design_params params = carom_trex_design_params_default();
    params.scope = (carom_trex_design_scope)r->values->scope;
    carom_trex_design_result search = {.iterations = 0};
    CAROM_TRY(
        told(r, "nearest root", carom_trex_design_nearest(&robot, &params, &search, r->report)));
    carom_record group = carom_record_group(r->record, "/design/nearest");
    CAROM_TRY(write_robot(&group, &robot, r->report));
    write_search(&group, &search);
    return CAROM_OK;
}

static carom_status write_design(const results *r) {
    const carom_trex_params start = trex_start(r->values);
    carom_record before = carom_record_group(r->record, "/design/before");
    carom_record after = carom_record_group(r->record, "/design/after");
    CAROM_TRY(write_robot(&before, &start, r->report));
    CAROM_TRY(write_robot(&after, &r->gaits[GAIT_OPTIMIZED].robot, r->report));
    write_search(&after, &r->design);
    for (int i = 0; i < GAITS; i++) {
        carom_record stance = carom_record_group(r->record, "/stance/%s", r->gaits[i].name);
        CAROM_TRY(write_robot(&stance, &r->gaits[i].robot, r->report));
    }
    return write_nearest(r);
}

static void write_impact(const results *r, const char *name, const double_impact *of) {
    const carom_measure numbers[] = {
        {"cosine", of->pair.cosine, "1", "(u,v) of the unit normals of right foot and tail tip"},
        {"half_opening", of->pair.half_opening, "rad", "gamma of the two normals"},
        {"foot_normal", of->length[0], "kg-1/2", "|u| of the right foot"},
        {"tail_normal", of->length[1], "kg-1/2", "|v| of the tail tip"},
        {"foot_approach", of->approach[0], "1", "(p,u)/|p| before, u a unit normal"},
        {"tail_approach", of->approach[1], "1", "(p,v)/|p| before, v a unit normal"},
        {"momentum", of->momentum, "kg1/2 cm s-1", "|p| before"},
        {"reflections_foot_first", of->reflections[0], "1", "reflections, the foot's first"},
        {"reflections_tail_first", of->reflections[1], "1", "reflections, the tail tip's first"},
        {"indeterminacy", of->indeterminacy, "1", "xi = |p_1 - p_2|/|p| of the two orders"},
        {"indeterminacy_by_energy", of->energy_ratio, "kg-1/2 cm-1 s",
         "|p_1 - p_2| of the two orders over the kinetic energy"},
        {"closed_form", of->closed_form, "1", "xi by 2 |sin(2 n gamma)|/sin(2 gamma) sqrt(..)"},
        {"least_separation", of->least_separation, "1", "least (p,w)/|p| after, of both orders"},
    };
    carom_record group = carom_record_group(r->record, "/first_impact/%s", name);
    carom_record_scalars(&group, numbers, COUNT(numbers));
}

/** All gaits, and the hand-picked row of table I. */
static carom_status write_first_impacts(const results *r) {
    for (int i = 0; i < GAITS; i++) {
        write_impact(r, r->gaits[i].name, &r->gaits[i].first);
    }
    const carom_trex_params row = carom_trex_params_hand_picked();
    double_impact first;
    CAROM_TRY(strike(&row, NEARLY_TOUCHING, &first, r->report));
    write_impact(r, "table_initial", &first);
    return CAROM_OK;
}

/* --- table I -----------------------------------------------------------------------------------
 */

/** Half a unit of the last digit of the table's entries, cm and rad. */
static const double HALF_UNIT = 0.005;

/** A row of the table. */
typedef struct table_row {
    const char *group;
    carom_trex_params robot;
    carom_trex_rounding rounding;
    double printed_closure; /**< closure with the printed length of the tail, half units */
    double printed_tail;    /**< height of the tail tip with it, cm */
    double paired_foot[2];  /**< heights of the feet of the legs as the table pairs them, cm */
} table_row;

/** The robot of a row with the printed length of the tail. */
static carom_trex_params with_printed_tail(const table_row *row) {
    carom_trex_params printed = row->robot;
    printed.tail = CAROM_TREX_TAIL_PRINTED;
    return printed;
}

/** What rounding explains. */
static carom_status find_closures(table_row *row, carom_report *report) {
    const carom_trex_params printed = with_printed_tail(row);
    carom_trex_rounding rounding;
    CAROM_TRY(carom_trex_rounding_of(&row->robot, NULL, HALF_UNIT, &row->rounding, report));
    CAROM_TRY(carom_trex_rounding_of(&printed, NULL, HALF_UNIT, &rounding, report));
    row->printed_closure = rounding.closure;
    return CAROM_OK;
}

/** Heights with the tail and with the legs as they are printed: the columns phi_L and gamma_L
 * belong to one leg there, to two of ours. */
static void find_printed_heights(table_row *row) {
    double at[CAROM_TREX_POINTS][2];
    const carom_trex_params printed = with_printed_tail(row);
    carom_trex_points(&printed, printed.stance, &at[0][0]);
    row->printed_tail = at[CAROM_TREX_POINT_TAIL_TIP][1];

    double q[COORDINATES];
    for (int j = 0; j < COORDINATES; j++) {
        q[j] = row->robot.stance[j];
    }
    q[CAROM_TREX_LEFT_HIP] = row->robot.stance[CAROM_TREX_RIGHT_HIP];
    q[CAROM_TREX_RIGHT_HIP] = row->robot.stance[CAROM_TREX_LEFT_HIP];
    carom_trex_points(&row->robot, q, &at[0][0]);
    row->paired_foot[0] = at[CAROM_TREX_POINT_LEFT_FOOT][1];
    row->paired_foot[1] = at[CAROM_TREX_POINT_RIGHT_FOOT][1];
}

static carom_status write_row(const results *r, const table_row *row) {
    const carom_measure numbers[] = {
        {"closure", row->rounding.closure, "1",
         "least change of the entries that puts both tips on the floor, in half units of the last "
         "digit"},
        {"printed_closure", row->printed_closure, "1",
         "the same with the printed formula of the tail's length"},
        {"cosine_spread", row->rounding.cosine_spread, "1",
         "what rounding of the entries may move the cosine by"},
        {"printed_tail_gap", row->printed_tail, "cm",
         "height of the tail tip with the printed formula of its length"},
        {"paired_left_foot_gap", row->paired_foot[0], "cm",
         "height of the foot of the columns phi_L and gamma_L"},
        {"paired_right_foot_gap", row->paired_foot[1], "cm",
         "height of the foot of the columns phi_R and gamma_R"},
    };
    carom_record group = carom_record_group(r->record, "%s", row->group);
    CAROM_TRY(write_robot(&group, &row->robot, r->report));
    carom_record_scalars(&group, numbers, COUNT(numbers));
    return CAROM_OK;
}

/** Both rows of table I. */
static carom_status write_table(const results *r) {
    table_row rows[] = {{.group = "/table/initial", .robot = carom_trex_params_hand_picked()},
                        {.group = "/table/optimized", .robot = carom_trex_params_default()}};
    for (int i = 0; i < 2; i++) {
        CAROM_TRY(find_closures(&rows[i], r->report));
        find_printed_heights(&rows[i]);
        CAROM_TRY(write_row(r, &rows[i]));
    }
    return CAROM_OK;
}

carom_status trex_write_stances(results *r) {
    CAROM_TRY(design(r));
    CAROM_TRY(write_design(r));
    CAROM_TRY(write_first_impacts(r));
    return write_table(r);
}
