#include "answers.h"
#include "questions.h"

#include <math.h>

static const double SLOW_LOSS = 0.01;     /* of E_0, in all flights together */
static const double GROWN_ENERGY = 5.0;   /* times E_0 after one impact: no discretisation error */
static const double REBOUND_ERROR = 0.15; /* of the first heights, relative: O(h) */
static const double CHATTER_GAP = 12.5; /* in h^2 a_g: what the limit cycle for e = 0.8 swings by */
static const double CHATTER_SPEED = 2.5; /* in h a_g: half of what the limit cycle reaches */

enum {
    MOST_CONTACTS = 256, /* looked at */
    REBOUNDS = 5         /* compared with the exact ones: well before the accumulation */
};

/* ------------------------------------------------------------------- Moreau-Jean */

/** Smallest gap of a run; NaN if it is not part of this record or failed. */
static double smallest_gap_of(const results *r, const char *group) {
    const carom_trajectory *t = bouncing_ball_run(r, group);
    return t != NULL ? carom_trajectory_smallest_gap(t) : (double)NAN;
}

/** Penetration, with every predictor, and the numerical dissipation in flight. */
static void judge_moreau_jean(const results *r) {
    const carom_trajectory *t = bouncing_ball_run(r, "/moreau_jean");
    if (t == NULL) {
        return;
    }
    const energy_changes energy = bouncing_ball_energy_changes(r, t);
    const double mean_change = energy.sum_in_flight / (double)energy.flight_steps;
    // A flight step loses (theta - 1/2) m (a_g h)^2.
    const double fall = r->values->ball.gravity * t->step;
    const double theta =
        fall > 0.0 ? 0.5 - mean_change / (r->values->ball.mass * fall * fall) : (double)NAN;
    const double initial_energy = t->energy[0] > 0.0 ? t->energy[0] : (double)NAN;
    const double smallest_gap = carom_trajectory_smallest_gap(t);
    const measure measures[] = {
        {"moreau_jean_smallest_gap_full_step", smallest_gap_of(r, "/moreau_jean_full_step"), "m",
         "smallest gap with the predictor q_n + h v_n"},
        {"moreau_jean_smallest_gap_current", smallest_gap_of(r, "/moreau_jean_current"), "m",
         "smallest gap with the predictor q_n"},
        {"moreau_jean_final_gap", t->gap[t->row_count - 1], "m", "gap at the end of the run"},
        {"moreau_jean_flight_energy_change", mean_change, "J",
         "mean change of energy in a step of flight"},
        {"moreau_jean_flight_energy_change_spread",
         energy.largest_in_flight - energy.smallest_in_flight, "J",
         "its largest minus its smallest value"},
        {"moreau_jean_flight_loss", -energy.sum_in_flight / initial_energy, "1",
         "energy lost in all flights together over the initial energy"},
        {"moreau_jean_theta", theta, "1", "theta of the scheme, from what a flight step loses"},
    };
    bouncing_ball_write_measures(r->record, LENGTH(measures), measures);
    const bool is_slow =
        energy.largest_in_flight < 0.0 && -energy.sum_in_flight < SLOW_LOSS * t->energy[0];
    const claim claims[] = {
        {"moreau_jean_penetrates", bouncing_ball_decide(true, smallest_gap < -r->length_tolerance),
         "the gap is negative at times"},
        {"moreau_jean_flight_loses_energy", bouncing_ball_decide(energy.flight_steps > 0, is_slow),
         "the energy decreases in every step of flight, slowly"},
    };
    bouncing_ball_write_claims(r->record, LENGTH(claims), claims);
}

/* ------------------------------------------------------------------- smooth generalized-alpha */

/** Energy of the flight that follows an impact, at its end: the row before the next impact. */
static double flight_energy(const carom_trajectory *t, const int *impacts, int count, int k) {
    return t->energy[k + 1 < count ? impacts[k + 1] - 1 : t->row_count - 1];
}

/** Energy that the contacts make. */
static void judge_smooth_galpha(const results *r) {
    const carom_trajectory *t = bouncing_ball_run(r, "/smooth_galpha");
    int impacts[MOST_CONTACTS];
    const int count = t != NULL ? carom_trajectory_impacts(t, 0, MOST_CONTACTS, impacts) : 0;
    if (count == 0) {
        return;
    }
    bool grows = true;
    double before = t->energy[0];
    for (int k = 0; k < count; k++) {
        const double after = flight_energy(t, impacts, count, k);
        grows = grows && after > before;
        before = after;
    }
    const double initial_energy = t->energy[0] > 0.0 ? t->energy[0] : (double)NAN;
    const double ratio = flight_energy(t, impacts, count, 0) / initial_energy;
    const double error = bouncing_ball_gap_error(r, t);
    const measure measures[] = {
        {"smooth_galpha_contacts", (double)count, "1", "number of contacts"},
        {"smooth_galpha_energy_ratio", ratio, "1", "energy after the first contact over E_0"},
        {"smooth_galpha_final_energy_ratio", before / initial_energy, "1",
         "energy at the end over E_0"},
        {"smooth_galpha_first_force", t->contact_force[impacts[0]], "N",
         "contact force of the first contact"},
    };
    bouncing_ball_write_measures(r->record, LENGTH(measures), measures);
    const claim claims[] = {
        {"smooth_galpha_gains_energy",
         bouncing_ball_decide(isfinite(ratio), grows && ratio > GROWN_ENERGY),
         "every contact increases the energy, the first more than five times"},
        {"smooth_galpha_is_not_consistent",
         bouncing_ball_decide(isfinite(r->exact.settled) && isfinite(error), error > 1.0),
         "the error of the gap is larger than the gap"},
    };
    bouncing_ball_write_claims(r->record, LENGTH(claims), claims);
}

/* ------------------------------------------------------------------- modified LCP */

/** Largest relative deviation of the first rebounds; NaN if the run or the exact motion has fewer.
 */
static double rebound_deviation(const results *r, const carom_trajectory *t) {
    int impacts[REBOUNDS + 1];
    if (carom_trajectory_impacts(t, 0, REBOUNDS + 1, impacts) <= REBOUNDS) {
        return (double)NAN;
    }
    double largest = 0.0;
    for (int k = 0; k < REBOUNDS; k++) {
        carom_series gap = bouncing_ball_series(t, t->gap);
        gap.first = impacts[k];
        gap.end = impacts[k + 1];
        const double rebound = carom_series_maximum(gap);
        const double exact = bouncing_ball_exact_rebound(r, k);
        if (!(exact > 0.0)) {
            return (double)NAN;
        }
        largest = fmax(largest, fabs(rebound / exact - 1.0));
    }
    return largest;
}

/** Smallest over the windows after the accumulation of the largest value in the window; NaN without
 * a window. */
static double persistent_magnitude(const results *r, const carom_trajectory *t,
                                   const double *values) {
    double smallest = (double)NAN;
    for (int k = 0;; k++) {
        const double from = r->exact.settled + r->window * (double)k;
        if (!(from + r->window <= r->values->schemes.duration)) {
            return smallest;
        }
        const carom_series window = carom_series_window(t, values, 1, 0, from, from + r->window);
        smallest = fmin(smallest, carom_series_magnitude(window));
    }
}

/** The first rebounds, and the chatter after the accumulation. */
static void judge_modified_lcp(const results *r) {
    const carom_trajectory *t = bouncing_ball_run(r, "/modified_lcp");
    if (t == NULL) {
        return;
    }
    const carom_series gap = bouncing_ball_series_from(t, t->gap, r->exact.settled);
    int switches = 0;
    int position_steps = 0;
    for (int row = gap.first + 1; row < gap.end; row++) {
        switches += t->velocity_active[row] != t->velocity_active[row - 1] ? 1 : 0;
        position_steps += t->position_active[row];
    }
    const bool is_asked = isfinite(r->exact.settled);
    const double deviation = rebound_deviation(r, t);
    const double window_gap = persistent_magnitude(r, t, t->gap);
    const double window_speed = persistent_magnitude(r, t, t->velocity);
    const double smallest_gap = carom_series_minimum(gap);
    const measure measures[] = {
        {"modified_lcp_rebound_deviation", deviation, "1",
         "largest relative deviation of the first five rebounds"},
        {"modified_lcp_window_gap", window_gap, "m",
         "gap that every 0.1 s after the accumulation reaches"},
        {"modified_lcp_window_speed", window_speed, "m s-1",
         "speed that every 0.1 s after the accumulation reaches"},
        {"modified_lcp_late_largest_gap", carom_series_maximum(gap), "m",
         "largest gap after the accumulation"},
        {"modified_lcp_late_smallest_gap", smallest_gap, "m",
         "smallest gap after the accumulation"},
        {"modified_lcp_switches", is_asked ? (double)switches : (double)NAN, "1",
         "changes of the velocity level between active and inactive after the accumulation"},
        {"modified_lcp_position_steps", is_asked ? (double)position_steps : (double)NAN, "1",
         "steps with an active position level after the accumulation"},
    };
    bouncing_ball_write_measures(r->record, LENGTH(measures), measures);
    const double fall = r->values->ball.gravity * t->step;
    const bool opens = window_gap > CHATTER_GAP * t->step * fall && smallest_gap > 0.0;
    const bool position_switches = position_steps > 0 && position_steps < gap.end - gap.first - 1;
    const claim claims[] = {
        {"modified_lcp_follows_before_accumulation",
         bouncing_ball_decide(isfinite(deviation), deviation < REBOUND_ERROR),
         "the first five rebounds are close to the exact ones"},
        {"modified_lcp_gap_chatters", bouncing_ball_decide(is_asked, opens),
         "after the accumulation the gap opens again and again and never closes"},
        {"modified_lcp_velocity_chatters",
         bouncing_ball_decide(is_asked, window_speed > CHATTER_SPEED * fall),
         "after the accumulation the velocity keeps oscillating"},
        {"modified_lcp_velocity_level_switches", bouncing_ball_decide(is_asked, switches > 1),
         "after the accumulation the velocity level changes between active and inactive"},
        {"modified_lcp_position_level_switches", bouncing_ball_decide(is_asked, position_switches),
         "after the accumulation the position level changes between active and inactive"},
    };
    bouncing_ball_write_claims(r->record, LENGTH(claims), claims);
}

/* ------------------------------------------------------------------- all of them */

void bouncing_ball_judge_comparators(const results *r) {
    judge_moreau_jean(r);
    judge_smooth_galpha(r);
    judge_modified_lcp(r);
}
