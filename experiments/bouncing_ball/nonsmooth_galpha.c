/** What the paper proves or says of the nonsmooth generalized-alpha scheme alone. */
#include "questions.h"

static const double SAME_MOTION = 5e-11; /* of the motion: the same equations solved twice */

enum { FEW_ITERATIONS = 3 /* of Newton's method in a step */ };

/** Largest violations of what holds in every step of the nonsmooth generalized-alpha scheme. */
typedef struct violations {
    double energy_rise;   /**< J, Property 3 */
    double identity;      /**< J, its exact loss m a_g q_n + m (1 - e^2) v_n^2 / 2 of a contact */
    double impact_law;    /**< m/s, v + e v_n of a contact */
    double complementary; /**< m, gap where nu > 0 */
    double correction;    /**< N s2, nu beyond m (h |v_n| + h^2 a_g / 2) */
    int levels_apart;     /**< steps in which one level acts and the other does not */
} violations;

/*[ballPropertyThree]*/
static violations observe_violations(const results *r, const carom_trajectory *t) {
    const carom_bouncing_ball_params *ball = &r->values->ball;
    const double m = ball->mass;
    const double e = ball->restitution;
    const double h = t->step;
    violations seen = {.energy_rise = -(double)INFINITY};
    for (int row = 1; row < t->row_count; row++) {
        const double q_n = t->gap[row - 1];
        const double v_n = t->velocity[row - 1];
        const double nu = t->contact_position_multiplier[row];
        const double change = t->energy[row] - t->energy[row - 1];
        const bool acts = t->velocity_active[row] != 0;

        // Energy: kept in flight, lost by the exact amount in a contact step, never gained.
        const double loss =
            acts ? m * ball->gravity * q_n + 0.5 * m * (1.0 - e * e) * v_n * v_n : 0.0;
        seen.energy_rise = fmax(seen.energy_rise, change);
        seen.identity = fmax(seen.identity, fabs(change + loss));

        // Impact law, complementarity and both levels at once.
        seen.impact_law = fmax(seen.impact_law, acts ? fabs(t->velocity[row] + e * v_n) : 0.0);
        seen.complementary = fmax(seen.complementary, nu > 0.0 ? fabs(t->gap[row]) : 0.0);
        const bool is_closed = t->position_active[row] != 0 || t->gap[row] <= r->length_tolerance;
        seen.levels_apart += acts != is_closed ? 1 : 0;

        // The correction takes out no more than one step of fall.
        const double most = m * h * (fabs(v_n) + 0.5 * h * ball->gravity);
        seen.correction = fmax(seen.correction, nu - most);
    }
    return seen;
}
/*[end ballPropertyThree]*/

/** Energy, impact law and complementarity of every step. */
static void judge_steps(const results *r, const carom_trajectory *t) {
    const violations worst = observe_violations(r, t);
    const energy_changes energy = find_energy_changes(r, t);
    const double flight = fmax(energy.largest_in_flight, -energy.smallest_in_flight);
    const carom_series nu = all_of(t, t->contact_position_multiplier);
    const carom_series impulse = all_of(t, t->contact_impulse);
    const double exact_impulse = carom_bouncing_ball_exact_impact(&r->values->ball, 0).impulse;
    const carom_measure measures[] = {
        {"smallest_position_multiplier", carom_series_minimum(nu), "N s2", "smallest nu"},
        {"largest_position_multiplier", carom_series_maximum(nu), "N s2", "largest nu"},
        {"first_impulse_error", fabs(first_impulse(t) - exact_impulse), "N s",
         "distance of the first impulse from the exact one"},
        {"nonsmooth_galpha_flight_energy_change", flight, "J",
         "largest change of energy in a step of flight"},
        {"largest_energy_rise", worst.energy_rise, "J", "largest increase of energy in a step"},
        {"property_three_deviation", worst.identity, "J",
         "largest deviation from the exact energy loss of a step"},
        {"impact_law_deviation", worst.impact_law, "m s-1", "largest |v + e v_n| of a contact"},
        {"staircase_drops", if_asked(has_staircase(r), energy.drops), "1",
         "drops of energy in the first 5/6 of the time to the accumulation"},
    };
    carom_record_measures(r->record, measures, COUNT(measures));

    const bool is_never_negative = carom_series_minimum(nu) >= 0.0 &&
                                   carom_series_minimum(impulse) >= 0.0 &&
                                   carom_trajectory_smallest_gap(t) >= -r->length_tolerance;
    const bool is_complementary = worst.complementary <= r->length_tolerance;
    bouncing_ball_claim(r, "nonsmooth_galpha_flight_keeps_energy", energy.flight_steps > 0,
                        flight <= r->energy_tolerance, "the energy is constant in flight");
    bouncing_ball_claim(r, "energy_never_increases", true, worst.energy_rise <= r->energy_tolerance,
                        "Property 3: the energy decays monotonically");
    bouncing_ball_claim(r, "property_three_identity", true, worst.identity <= r->energy_tolerance,
                        "a contact step loses exactly m a_g q_n + m (1 - e^2) v_n^2 / 2");
    bouncing_ball_claim(r, "levels_act_together", true, worst.levels_apart == 0,
                        "position and velocity level are active in the same steps");
    bouncing_ball_claim(
        r, "complementarity_is_exact", true, is_never_negative && is_complementary,
        "gap and multipliers are never negative, and the gap is zero where nu is positive");
    bouncing_ball_claim(
        r, "impact_law_is_exact", true, worst.impact_law <= rest_speed(t),
        "every active contact leaves with -e times the velocity at the beginning of the step");
    bouncing_ball_claim(r, "position_multiplier_is_bounded", true,
                        worst.correction <= r->values->ball.mass * r->length_tolerance,
                        "nu is at most m (h |v_n| + h^2 a_g / 2)");
}

/* --- rest, solvers and equilibrium ------------------------------------------------------------ */

/** What the closed contact shows after the accumulation. */
static void judge_rest(const results *r, const carom_trajectory *t) {
    const bool is_asked = isfinite(r->settled);
    const carom_series impulse = settled_of(r, t, t->contact_impulse);
    const carom_series nu = settled_of(r, t, t->contact_position_multiplier);
    const double gap = carom_series_magnitude(settled_of(r, t, t->gap));
    const double speed = carom_series_magnitude(settled_of(r, t, t->velocity));
    // Without rows, extremes and means of the impulses are NaN; a magnitude would be zero.
    const carom_measure measures[] = {
        {"rest_impulse", carom_series_mean(impulse), "N s",
         "mean contact impulse of a step after the accumulation"},
        {"rest_impulse_spread", carom_series_maximum(impulse) - carom_series_minimum(impulse),
         "N s", "its largest minus its smallest value"},
        {"rest_force", carom_series_mean(impulse) / t->step, "N",
         "contact impulse over step size after the accumulation"},
        {"rest_position_multiplier", carom_series_mean(nu), "N s2",
         "mean position multiplier after the accumulation"},
        {"rest_gap", if_asked(is_asked, gap), "m", "largest gap after the accumulation"},
        {"rest_speed", if_asked(is_asked, speed), "m s-1", "largest speed after the accumulation"},
        {"closing_time", last_above(t, t->gap, r->length_tolerance), "s",
         "last time at which the contact is open"},
    };
    carom_record_measures(r->record, measures, COUNT(measures));
    bouncing_ball_claim(r, "nonsmooth_galpha_rests", is_asked,
                        speed < rest_speed(t) && gap <= r->length_tolerance,
                        "after the accumulation the contact is closed and the ball does not move");
}

/** Largest difference of two series, in the largest value of the first. */
static double part_apart(const carom_trajectory *a, const double *x, const carom_trajectory *b,
                         const double *y) {
    const double size = carom_series_magnitude(all_of(a, x));
    const double apart = carom_series_largest_difference(all_of(a, x), all_of(b, y));
    return apart > 0.0 ? apart / (size > 0.0 ? size : (double)NAN) : 0.0;
}

/** Largest distance between two runs in gap and velocity, each in its largest value; NaN without
 * one of them. */
static double distance(const carom_trajectory *a, const carom_trajectory *b) {
    if (a == NULL || b == NULL) {
        return (double)NAN;
    }
    return fmax(part_apart(a, a->gap, b, b->gap), part_apart(a, a->velocity, b, b->velocity));
}

/** The same step by the condensed problems, by Newton's method and by algorithm 1; and for another
 * spectral radius, on which the ball must not depend. */
static void judge_solvers(const results *r, const carom_trajectory *exact) {
    const carom_trajectory *newton = run_of(r, "nonsmooth_galpha_monolithic");
    const double from_newton = distance(exact, newton);
    const double from_sequential = distance(exact, run_of(r, "nonsmooth_galpha_sequential"));
    const double from_radius = distance(exact, run_of(r, "nonsmooth_galpha_radius_0"));
    const int most = newton != NULL ? carom_trajectory_most_iterations(newton) : 0;
    const carom_measure measures[] = {
        {"newton_iterations", if_asked(most > 0, most), "1",
         "most iterations of Newton's method in a step"},
        {"monolithic_distance", from_newton, "1",
         "largest difference of gap or velocity between Newton's method and the exact linear step"},
        {"sequential_distance", from_sequential, "1",
         "largest difference of gap or velocity between algorithm 1 and the exact linear step"},
        {"spectral_radius_distance", from_radius, "1",
         "largest difference of gap or velocity between the runs for two spectral radii"},
    };
    carom_record_measures(r->record, measures, COUNT(measures));
    bouncing_ball_claim(
        r, "newton_takes_few_iterations", newton != NULL, most <= FEW_ITERATIONS,
        "Newton's method with the full matrix takes at most three iterations in a step");
    bouncing_ball_claim(r, "sequential_variant_converges", isfinite(from_sequential),
                        from_sequential <= SAME_MOTION,
                        "algorithm 1 converges in every step, to the same motion");
    bouncing_ball_claim(r, "spectral_radius_does_not_matter", isfinite(from_radius),
                        from_radius <= SAME_MOTION,
                        "the motion does not depend on the spectral radius");
}

/** Whether a ball at rest with this gap stays as it is for a step. */
static carom_status stays(const results *r, double gap, bool *result, carom_report *report) {
    carom_stepper_params params =
        carom_scheme_options_params(&r->values->schemes, CAROM_SCHEME_NONSMOOTH_GALPHA);
    const double position = r->values->ball.radius + gap;
    const double velocity = 0.0;
    CAROM_AUTO(carom_trajectory) t = NULL;
    CAROM_TRY(carom_trajectory_run(&r->model->mechanism, &params, &position, &velocity, params.step,
                                   NULL, NULL, &t, report));
    const double fall = params.step * r->values->ball.gravity;
    *result =
        fabs(t->gap[1] - gap) <= r->length_tolerance && fabs(t->velocity[1]) <= REST_PART * fall;
    return CAROM_OK;
}

/** Property 2: of the balls at rest only that on the floor stays; tried around h^2 a_g / 2. */
static carom_status judge_equilibrium(const results *r, carom_report *report) {
    static const double share[] = {0.0, 0.25, 0.75, 1.5};
    const double h = r->values->schemes.step;
    const double critical = 0.5 * h * h * r->values->ball.gravity;
    bool holds = true;
    // Gaps that rounding hides show nothing: the smallest tried is twice the tolerance.
    const bool is_asked = critical > 8.0 * r->length_tolerance;
    for (int i = 0; is_asked && i < COUNT(share); i++) {
        bool is_equilibrium = false;
        CAROM_TRY(stays(r, share[i] * critical, &is_equilibrium, report));
        holds = holds && is_equilibrium == (i == 0);
    }
    bouncing_ball_claim(r, "floor_is_the_only_equilibrium", is_asked, holds,
                        "Property 2: of the states at rest only that of zero gap remains");
    return CAROM_OK;
}

carom_status bouncing_ball_judge_nonsmooth_galpha(const results *r, const carom_trajectory *t,
                                                  carom_report *report) {
    judge_steps(r, t);
    judge_rest(r, t);
    judge_solvers(r, t);
    return judge_equilibrium(r, report);
}
