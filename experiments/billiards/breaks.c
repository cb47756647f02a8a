/** One break: its contacts, both orders of its impacts, and what they differ by. */
#include "results.h"

#include <carom/impact/propagative_pair.h>

#include <gsl/gsl_math.h>

enum { VELOCITIES = 2 * BALLS };

settings billiards_defaults(void) {
    return (settings){
        .cue = carom_billiard_break_params_default(),
        .angle = 60.0,
        .angles = 2001,
        .map_angles = 181,
        .map_ratios = 101,
        .least_ratio = 1e-2,
        .largest_ratio = 1e3,
    };
}

double billiards_degrees(double radians) {
    return radians * (180.0 / M_PI);
}

carom_status billiards_check(settings *v, carom_report *report) {
    if (!(v->least_ratio < v->largest_ratio)) {
        return carom_report_bound(report, "least ratio", v->least_ratio,
                                  "below --largest-ratio =", v->largest_ratio);
    }
    const double smallest = billiards_degrees(carom_billiard_break_smallest_angle(v->cue.radii));
    // Typed degrees meet the angle of contact as far as they are printed.
    if (!(v->angle >= smallest - 1e-9)) {
        return carom_report_bound(report, "angle", v->angle,
                                  "up to 180 deg, and from where a and b touch,", smallest);
    }
    v->cue.angle = fmax(v->angle, smallest) * (M_PI / 180.0);
    // Volumes that overflow or vanish, and contacts that rounding hides.
    instant x;
    const carom_status status = billiards_open(&v->cue, &x, report);
    billiards_close(&x);
    return status;
}

void billiards_close(instant *x) {
    carom_propagative_contacts_free(x->contacts);
    carom_impact_problem_free(x->problem);
}

carom_status billiards_open(const carom_billiard_break_params *cue, instant *out,
                            carom_report *report) {
    *out = (instant){NULL, NULL};
    carom_impact_scene *scene = NULL;
    CAROM_TRY(carom_billiard_break_alloc(cue, &scene, report));
    carom_status status = carom_impact_problem_of_scene(scene, &out->problem, report);
    carom_impact_scene_free(scene);
    if (status == CAROM_OK) {
        status = carom_propagative_contacts_of_problem(out->problem, &out->contacts, report);
    }
    return status;
}

/*[billiardsOrders]*/
/** Velocities after the order that begins with a contact. */
static carom_status run_order(const instant *x, double restitution, int first,
                              carom_propagative_impact *impact, double *velocity, outcome *out,
                              carom_report *report) {
    carom_propagative_params params = carom_propagative_params_default();
    params.rule = CAROM_PROPAGATIVE_CYCLIC;
    params.first = first;
    CAROM_TRY(carom_propagative_impact_run(x->contacts, &params, restitution,
                                           x->problem->contact_velocity, x->problem->kinetic_energy,
                                           impact, report));
    // Normal impulses of both contacts; there is no friction.
    const double impulse[2 * PAIR] = {impact->impulse[A], impact->impulse[B], 0.0, 0.0};
    carom_impact_velocity(x->problem, impulse, velocity);
    out->reflections[first] = impact->step_count;
    out->energy_error = fmax(out->energy_error, impact->energy_error);
    return CAROM_OK;
}
/*[end billiardsOrders]*/

/** Change of the sum of m v over the balls, against |m_c v_c|. */
static double momentum_error(const carom_impact_problem *problem, const double *velocity) {
    double sum[2] = {0.0, 0.0};
    double size = 0.0;
    for (int k = 0; k < VELOCITIES; k++) {
        const double mass = problem->mass[k * VELOCITIES + k];
        sum[k % 2] += mass * (velocity[k] - problem->velocity[k]);
        size = fmax(size, fabs(mass * problem->velocity[k]));
    }
    return hypot(sum[0], sum[1]) / size;
}

static carom_status compare(const instant *x, double restitution, carom_propagative_impact *impact,
                            outcome *out, carom_report *report) {
    double velocity[PAIR][VELOCITIES] = {{0.0}};
    double difference[VELOCITIES];
    for (int first = A; first < PAIR; first++) {
        CAROM_TRY(run_order(x, restitution, first, impact, velocity[first], out, report));
        out->momentum_error =
            fmax(out->momentum_error, momentum_error(x->problem, velocity[first]));
    }
    for (int k = 0; k < VELOCITIES; k++) {
        difference[k] = velocity[A][k] - velocity[B][k];
    }
    out->energy_ratio =
        carom_impact_kinetic_energy(x->problem, difference) / x->problem->kinetic_energy;
    out->indeterminacy = sqrt(out->energy_ratio);
    const carom_propagative_pair pair = carom_propagative_pair_of(x->contacts, A, B);
    const double *length = x->contacts->length;
    out->cosine = pair.cosine;
    out->product = pair.cosine * length[A] * length[B];
    out->half_opening = pair.half_opening;
    out->closed_form =
        restitution *
        carom_propagative_pair_spread(&pair, x->problem->contact_velocity[A] / length[A],
                                      x->problem->contact_velocity[B] / length[B]) /
        sqrt(2.0 * x->problem->kinetic_energy);
    return CAROM_OK;
}

carom_status billiards_run(const carom_billiard_break_params *cue, outcome *out,
                           carom_report *report) {
    *out = (outcome){.cosine = 0.0};
    instant x;
    carom_propagative_impact *impact = NULL;
    carom_status status = billiards_open(cue, &x, report);
    if (status == CAROM_OK) {
        const carom_propagative_pair pair = carom_propagative_pair_of(x.contacts, A, B);
        status = carom_propagative_impact_alloc(PAIR, (int)pair.longest + 1, &impact);
    }
    if (status == CAROM_OK) {
        status = compare(&x, cue->restitution, impact, out, report);
    }
    carom_propagative_impact_free(impact);
    billiards_close(&x);
    return status;
}
