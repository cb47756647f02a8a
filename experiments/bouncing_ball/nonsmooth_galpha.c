#include "answers.h"

#include "questions.h"
#include <carom/study/scheme_options.h>

#include <math.h>

static const double SAME_MOTION =
    5e-11; /* of the motion, between two solutions of the same equations */

enum { FEW_ITERATIONS = 3 /* of Newton's method in a step */ };

/* ------------------------------------------------------------------- every step */

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
    const energy_changes energy = bouncing_ball_energy_changes(r, t);
    const double flight = fmax(energy.largest_in_flight, -energy.smallest_in_flight);
    const bool has_staircase = bouncing_ball_has_staircase(r);
    const carom_series nu = bouncing_ball_series(t, t->contact_position_multiplier);
    const carom_series impulse = bouncing_ball_series(t, t->contact_impulse);
    const double exact_impulse = carom_bouncing_ball_exact_impact(&r->values->ball, 0).impulse;
    const measure measures[] = {
        {"smallest_position_multiplier", carom_series_minimum(nu), "N s2", "smallest nu"},
        {"largest_position_multiplier", carom_series_maximum(nu), "N s2", "largest nu"},
        {"first_impulse_error", fabs(bouncing_ball_first_impulse(t) - exact_impulse), "N s",
         "distance of the first impulse from the exact one"},
        {"nonsmooth_galpha_flight_energy_change", flight, "J",
         "largest change of energy in a step of flight"},
        {"largest_energy_rise", worst.energy_rise, "J", "largest increase of energy in a step"},
        {"property_three_deviation", worst.identity, "J",
         "largest deviation from the exact energy loss of a step"},
        {"impact_law_deviation", worst.impact_law, "m s-1", "largest |v + e v_n| of a contact"},
        {"staircase_drops", has_staircase ? (double)energy.drops : (double)NAN, "1",
         "drops of energy in the first 5/6 of the time to the accumulation"},
    };
    bouncing_ball_write_measures(r->record, LENGTH(measures), measures);

    const bool is_never_negative = carom_series_minimum(nu) >= 0.0 &&
                                   carom_series_minimum(impulse) >= 0.0 &&
                                   carom_trajectory_smallest_gap(t) >= -r->length_tolerance;
    const bool is_complementary = worst.complementary <= r->length_tolerance;
    const double correction_tolerance = r->values->ball.mass * r->length_tolerance;
    const claim claims[] = {
        {"nonsmooth_galpha_flight_keeps_energy",
         bouncing_ball_decide(energy.flight_steps > 0, flight <= r->energy_tolerance),
         "the energy is constant in flight"},
        {"energy_never_increases",
         bouncing_ball_decide(true, worst.energy_rise <= r->energy_tolerance),
         "Property 3: the energy decays monotonically"},
        {"property_three_identity",
         bouncing_ball_decide(true, worst.identity <= r->energy_tolerance),
         "a contact step loses exactly m a_g q_n + m (1 - e^2) v_n^2 / 2"},
        {"levels_act_together", bouncing_ball_decide(true, worst.levels_apart == 0),
         "position and velocity level are active in the same steps"},
        {"complementarity_is_exact",
         bouncing_ball_decide(true, is_never_negative && is_complementary),
         "gap and multipliers are never negative, and the gap is zero where nu is positive"},
        {"impact_law_is_exact",
         bouncing_ball_decide(true, worst.impact_law <= bouncing_ball_rest_speed(t)),
         "every active contact leaves with -e times the velocity at the beginning of the step"},
        {"position_multiplier_is_bounded",
         bouncing_ball_decide(true, worst.correction <= correction_tolerance),
         "nu is at most m (h |v_n| + h^2 a_g / 2)"},
    };
    bouncing_ball_write_claims(r->record, LENGTH(claims), claims);
}

/* ------------------------------------------------------------------- rest */

/** What the closed contact shows after the accumulation. */
static void judge_rest(const results *r, const carom_trajectory *t) {
    const double settled = r->exact.settled;
    const bool is_asked = isfinite(settled);
    const carom_series impulse = bouncing_ball_series_from(t, t->contact_impulse, settled);
    const carom_series nu = bouncing_ball_series_from(t, t->contact_position_multiplier, settled);
    const double gap = carom_series_magnitude(bouncing_ball_series_from(t, t->gap, settled));
    const double speed = carom_series_magnitude(bouncing_ball_series_from(t, t->velocity, settled));
    const double last_open =
        carom_series_last_above(bouncing_ball_series(t, t->gap), t, r->length_tolerance);
    const bool closes = last_open < t->time[t->row_count - 1];
    // Without rows, extremes and means of the impulses are NaN; a magnitude would be zero.
    const measure measures[] = {
        {"rest_impulse", carom_series_mean(impulse), "N s",
         "mean contact impulse of a step after the accumulation"},
        {"rest_impulse_spread", carom_series_maximum(impulse) - carom_series_minimum(impulse),
         "N s", "its largest minus its smallest value"},
        {"rest_force", carom_series_mean(impulse) / t->step, "N",
         "contact impulse over step size after the accumulation"},
        {"rest_position_multiplier", carom_series_mean(nu), "N s2",
         "mean position multiplier after the accumulation"},
        {"rest_gap", is_asked ? gap : (double)NAN, "m", "largest gap after the accumulation"},
        {"rest_speed", is_asked ? speed : (double)NAN, "m s-1",
         "largest speed after the accumulation"},
        {"closing_time", closes ? last_open : (double)NAN, "s",
         "last time at which the contact is open"},
    };
    bouncing_ball_write_measures(r->record, LENGTH(measures), measures);
    const bool is_at_rest = speed < bouncing_ball_rest_speed(t) && gap <= r->length_tolerance;
    const claim claims[] = {
        {"nonsmooth_galpha_rests", bouncing_ball_decide(is_asked, is_at_rest),
         "after the accumulation the contact is closed and the ball does not move"},
    };
    bouncing_ball_write_claims(r->record, LENGTH(claims), claims);
}

/* ------------------------------------------------------------------- solvers and equilibrium */

/** Largest difference of two series, in the largest value of the first. */
static double part_apart(const carom_trajectory *a, const double *x, const carom_trajectory *b,
                         const double *y) {
    const double size = carom_series_magnitude(bouncing_ball_series(a, x));
    const double apart =
        carom_series_largest_difference(bouncing_ball_series(a, x), bouncing_ball_series(b, y));
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
    const carom_trajectory *newton = bouncing_ball_run(r, "/nonsmooth_galpha_monolithic");
    const carom_trajectory *sequential = bouncing_ball_run(r, "/nonsmooth_galpha_sequential");
    const double from_newton = distance(exact, newton);
    const double from_sequential = distance(exact, sequential);
    const double from_radius = distance(exact, bouncing_ball_run(r, "/nonsmooth_galpha_radius_0"));
    const int most = newton != NULL ? carom_trajectory_most_iterations(newton) : 0;
    const measure measures[] = {
        {"newton_iterations", most > 0 ? (double)most : (double)NAN, "1",
         "most iterations of Newton's method in a step"},
        {"monolithic_distance", from_newton, "1",
         "largest difference of gap or velocity between Newton's method and the exact linear step"},
        {"sequential_distance", from_sequential, "1",
         "largest difference of gap or velocity between algorithm 1 and the exact linear step"},
        {"spectral_radius_distance", from_radius, "1",
         "largest difference of gap or velocity between the runs for two spectral radii"},
    };
    bouncing_ball_write_measures(r->record, LENGTH(measures), measures);
    const claim claims[] = {
        {"newton_takes_few_iterations",
         bouncing_ball_decide(newton != NULL, most <= FEW_ITERATIONS),
         "Newton's method with the full matrix takes at most three iterations in a step"},
        {"sequential_variant_converges",
         bouncing_ball_decide(isfinite(from_sequential), from_sequential <= SAME_MOTION),
         "algorithm 1 converges in every step, to the same motion"},
        {"spectral_radius_does_not_matter",
         bouncing_ball_decide(isfinite(from_radius), from_radius <= SAME_MOTION),
         "the motion does not depend on the spectral radius"},
    };
    bouncing_ball_write_claims(r->record, LENGTH(claims), claims);
}

/** Whether a ball at rest with this gap stays as it is for a step. */
static carom_status stays(const results *r, double gap, bool *result, carom_report *report) {
    carom_stepper_params params =
        carom_scheme_options_params(&r->values->schemes, CAROM_SCHEME_NONSMOOTH_GALPHA);
    const double position = r->values->ball.radius + gap;
    const double velocity = 0.0;
    carom_trajectory *t = NULL;
    CAROM_TRY(carom_trajectory_run(&r->model->mechanism, &params, &position, &velocity, params.step,
                                   NULL, NULL, &t, report));
    const double fall = params.step * r->values->ball.gravity;
    *result =
        fabs(t->gap[1] - gap) <= r->length_tolerance && fabs(t->velocity[1]) <= REST_PART * fall;
    carom_trajectory_free(t);
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
    for (int i = 0; is_asked && i < LENGTH(share); i++) {
        bool is_equilibrium = false;
        CAROM_TRY(stays(r, share[i] * critical, &is_equilibrium, report));
        holds = holds && is_equilibrium == (i == 0);
    }
    const claim claims[] = {
        {"floor_is_the_only_equilibrium", bouncing_ball_decide(is_asked, holds),
         "Property 2: of the states at rest only that of zero gap remains"},
    };
    bouncing_ball_write_claims(r->record, LENGTH(claims), claims);
    return CAROM_OK;
}

carom_status bouncing_ball_judge_nonsmooth_galpha(const results *r, carom_report *report) {
    const carom_trajectory *t = bouncing_ball_run(r, "/nonsmooth_galpha");
    if (t == NULL) {
        return CAROM_OK;
    }
    judge_steps(r, t);
    judge_rest(r, t);
    judge_solvers(r, t);
    return judge_equilibrium(r, report);
}
