/** Claims of the caption of figure 6 and of section 4, decided from the results: /measures,
 * /claims. */
#include "results.h"

/** Rounding of a few operations, relative. */
static const double ROUNDING = 1e-12;

/** The step at rest has its rates to this part. */
static const double RESTING = 1e-9;

/** Speeds of the rod's end against Routh's, relative: sums of a thousand steps. */
static const double ROD = 1e-10;

/** Its impact ends so many steps from Routh's: within one, and rounding may move the last one. */
static const double ROD_STEPS = 2.0;

/** Order of the integrator: errors of the flight are proportional to the step, the impact begins
 * somewhere inside one. */
static const double LEAST_ORDER = 0.8;
static const double MOST_ORDER = 1.2;

/** How far the ball may be lifted in a step as its gap is closed, as a part of its way in the step:
 * the gap that counts as closed is 1e-8 of it. */
static const double LIFT = 1e-7;

/** Order of an error from the coarsest to the finest run. */
static double order_of(double coarse, double fine) {
    return coarse > 0.0 && fine > 0.0 ? log2(coarse / fine) / (RUNS - 1) : (double)NAN;
}

/** Whether errors are of first order, or there are none beyond rounding: of a ball at rest. */
static bool is_first_order(double coarse, double fine, double scale) {
    const double order = order_of(coarse, fine);
    return coarse <= ROUNDING * scale || (order >= LEAST_ORDER && order <= MOST_ORDER);
}

/** Why the inclusion prevents penetration: the caption of figure 6. */
static void write_field(const results *r) {
    const field_measures *field = &r->field;
    const carom_falling_disk_params *ball = &r->values->ball;
    carom_record *record = r->record;
    carom_record_claim(record, "flow_points_right_above", field->least_rise > 0.0,
                       "where dz/dt > 0, z grows");
    carom_record_claim(record, "flow_is_vertical_in_impact",
                       field->largest_drift <= 0.0 && field->least_push > 0.0,
                       "where z < 0 and dz/dt < 0, only the velocity changes, upwards");
    carom_record_claim(record, "flow_is_free_elsewhere",
                       field->largest_acceleration <= ROUNDING * ball->gravity,
                       "everywhere else the ball flies");
}

/** The trajectory, exact and integrated. */
static void write_trajectory(const results *r) {
    const ball_run *coarse = &r->runs[0];
    const ball_run *fine = &r->runs[RUNS - 1];
    const carom_falling_disk_params *ball = &r->values->ball;
    const double height = 0.5 * r->landing.speed * r->landing.speed / ball->gravity + ball->radius;
    const double speed = sqrt(ball->gravity * height);
    const double energy = ball->mass * ball->gravity * height;
    carom_record *record = r->record;
    carom_record_claim(record, "never_penetrates", r->exact_least_gap >= 0.0,
                       "the exact solution does not penetrate (Lemma 4)");
    carom_record_claim(record, "integrator_never_penetrates", fine->least_gap >= -ROUNDING * height,
                       "the integrator does not penetrate");
    carom_record_claim(
        record, "integrator_rests",
        fabs(fine->resting_share - r->landing.resting_share) <= RESTING &&
            fabs(fine->resting_rate + r->landing.resting_share - 1.0) <= RESTING,
        "the integrator ends at rest, with dt/ds = 1/(1 + m g/kappa): time advances (Theorem 5)");
    carom_record_claim(record, "integrator_is_of_first_order",
                       is_first_order(coarse->gap_error, fine->gap_error, height) &&
                           is_first_order(coarse->velocity_error, fine->velocity_error, speed),
                       "errors of z and dz/dt over all s are proportional to the step");
    carom_record_claim(record, "integrator_energy_never_rises",
                       fine->energy_rise <= ROUNDING * energy + LIFT * fine->step * speed *
                                                                    ball->mass * ball->gravity,
                       "no step of the integrator raises the energy");
}

/** The rod of section 4.3. */
static void write_rod(const results *r) {
    const rod_measures *rod = &r->rod;
    carom_record *record = r->record;
    carom_record_claim(record, "rod_is_stopped_without_collision", rod->is_without_collision,
                       "the rod gets a finite impulse although nothing collides");
    if (!rod->is_without_collision) {
        return;
    }
    carom_record_measure(record, "rod_impulse", rod->impulse, "N s",
                         "normal impulse of the impact without collision");
    carom_record_measure(record, "rod_speed_error", rod->speed_error, "m s-1",
                         "largest error of the integrator's speeds of the end");
    carom_record_measure(record, "rod_duration_error", rod->duration_error, "N s",
                         "error of the integrator's length of the impact");
    carom_record_claim(record, "rod_follows_routh",
                       rod->speed_error <= ROD * rod->speed &&
                           rod->duration_error <=
                               ROD_STEPS * rod->step * r->values->rod.reference_force,
                       "the integrator follows Routh's path and ends it within two steps");
    carom_record_claim(record, "rod_impact_freezes_time", rod->largest_time <= rod->step,
                       "no more time than a step passes until Routh's impact ends");
    carom_record_claim(record, "rod_sticks", rod->is_sticking,
                       "the impact ends with the end of the rod sticking");
    carom_record_claim(record, "rod_never_penetrates",
                       rod->least_gap >= -ROUNDING * r->values->rod.length,
                       "the rod does not penetrate the ground");
}

void falling_ball_write_claims(const results *r) {
    const ball_run *coarse = &r->runs[0];
    const ball_run *fine = &r->runs[RUNS - 1];
    carom_record_measure(r->record, "order_of_gap", order_of(coarse->gap_error, fine->gap_error),
                         "1", "order of the integrator's z(s); NaN without error");
    carom_record_measure(r->record, "order_of_velocity",
                         order_of(coarse->velocity_error, fine->velocity_error), "1",
                         "order of the integrator's dz/dt(s); NaN without error");
    write_field(r);
    write_trajectory(r);
    write_rod(r);
}
