/** The double impact after the drop, solved in both orders without any time stepping:
 * /first_impact. */
#include "results.h"

#include <carom/impact/propagative_pair.h>

#include <stdio.h>

/** Reflections of two contacts that are nearly opposite; the robot's need two. */
enum { MOST_REFLECTIONS = 1000 };

/** So near a tip of the hand-picked row of table I counts as on the floor, cm: its digits leave
 * some tenths. */
static const double NEARLY_TOUCHING = 1.0;

/** What one order gives. */
typedef struct outcome {
    double impulse[TIPS];
    double approach[TIPS]; /**< (p,u_i) after, unnormalized */
    double energy_error;
} outcome;

/** Reflect, beginning with contact `first`. */
static carom_status reflect(const carom_propagative_contacts *contacts, const double *c,
                            double energy, int first, outcome *out, int *reflections,
                            carom_report *report) {
    carom_propagative_params params = carom_propagative_params_default();
    params.rule = CAROM_PROPAGATIVE_CYCLIC;
    params.first = first;
    carom_propagative_impact *impact = NULL;
    CAROM_TRY(carom_propagative_impact_alloc(TIPS, MOST_REFLECTIONS, &impact));
    const carom_status status =
        carom_propagative_impact_run(contacts, &params, 1.0, c, energy, impact, report);
    for (int i = 0; i < TIPS; i++) {
        out->impulse[i] = impact->impulse[i];
        out->approach[i] = impact->normal_velocity[i];
    }
    out->energy_error = impact->energy_error;
    *reflections = impact->step_count;
    carom_propagative_impact_free(impact);
    return status;
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
    out->energy_error = fmax(ends[0].energy_error, ends[1].energy_error);
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
    carom_impact_problem *problem = NULL;
    carom_propagative_contacts *contacts = NULL;
    carom_status status =
        carom_impact_problem_of_mechanism(mechanism, q, v, touching, touched, &problem, report);
    if (status == CAROM_OK &&
        !(problem->contact_count == TIPS && touched[0] == CAROM_TREX_RIGHT_FOOT &&
          touched[1] == CAROM_TREX_TAIL_TIP)) {
        status = carom_report_say(report, CAROM_STATUS_CONFLICT,
                                  "%d contacts are closed in the stance, right foot and tail alone "
                                  "expected",
                                  problem->contact_count);
    }
    if (status == CAROM_OK) {
        status = carom_propagative_contacts_of_problem(problem, &contacts, report);
    }
    if (status == CAROM_OK) {
        status = study(problem, contacts, out, report);
    }
    carom_propagative_contacts_free(contacts);
    carom_impact_problem_free(problem);
    return status;
}

carom_status trex_strike(const carom_trex_params *robot, double touching, double_impact *out,
                         carom_report *report) {
    *out = (double_impact){.momentum = (double)NAN};
    carom_model *model = NULL;
    CAROM_TRY(carom_trex_alloc(robot, &model, report));
    // Free fall keeps the stance: springs are at rest and hips are held.
    double v[COORDINATES] = {0.0};
    v[CAROM_TREX_Y] = -sqrt(2.0 * robot->gravity * robot->drop_height);
    const carom_status status =
        strike_at(&model->mechanism, robot->stance, v, touching, out, report);
    carom_model_free(model);
    return status;
}

/** GROUP/{cosine, ..}. */
static void write_impact(const results *r, const char *name, const double_impact *of) {
    const struct {
        const char *name;
        double value;
        const char *units;
        const char *long_name;
    } items[] = {
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
        {"energy_error", of->energy_error, "1", "relative change of the energy by the reflections"},
        {"least_separation", of->least_separation, "1", "least (p,w)/|p| after, of both orders"},
    };
    for (size_t i = 0; i < sizeof items / sizeof items[0]; i++) {
        char path[PATH_SIZE];
        snprintf(path, sizeof path, "/first_impact/%s/%s", name, items[i].name);
        carom_record_scalar(r->record, path, items[i].value, items[i].units, items[i].long_name);
    }
}

carom_status trex_write_first_impacts(const results *r) {
    for (int i = 0; i < GAITS; i++) {
        write_impact(r, r->gaits[i].name, &r->gaits[i].first);
    }
    const carom_trex_params row = carom_trex_params_hand_picked();
    double_impact first;
    CAROM_TRY(trex_strike(&row, NEARLY_TOUCHING, &first, r->report));
    write_impact(r, "table_initial", &first);
    return CAROM_OK;
}
