/** What the paper says of the runs, asked of every scheme and of those that it compares: /measures,
 * numbers, and /claims, 0 or 1. */
#include "questions.h"

#include <stdio.h>
#include <stdlib.h>

static const double LATEST_REST_STEPS = 200.0; /* after the accumulation, if consistent */
static const double CONSISTENT_ERROR = 0.05;   /* of the gap in L1, relative: O(h) at h = 2e-3 s */
static const double SLOW_LOSS = 0.01;          /* of E_0, in all flights together */
static const double GROWN_ENERGY = 5.0;   /* times E_0 after one impact: no discretisation error */
static const double REBOUND_ERROR = 0.15; /* of the first heights, relative: O(h) */
static const double CHATTER_GAP = 12.5; /* in h^2 a_g: what the limit cycle for e = 0.8 swings by */
static const double CHATTER_SPEED = 2.5; /* in h a_g: half of what the limit cycle reaches */

enum {
    MOST_CONTACTS = 256, /* looked at */
    REBOUNDS = 5,        /* compared with the exact ones: well before the accumulation */
    NAME_SIZE = 96
};

/* --- every scheme ----------------------------------------------------------------------------- */

/** The first impact reverses the velocity within one step, to O(h). */
static bool jumps(const results *r, const carom_trajectory *t, int row) {
    const carom_bouncing_ball_params *ball = &r->values->ball;
    const double jump = t->velocity[row] - t->velocity[row - 1];
    const double exact =
        (1.0 + ball->restitution) * carom_bouncing_ball_exact_impact(ball, 0).speed;
    const double one_step_of_fall = t->step * ball->gravity;
    return fabs(jump - exact) <= (1.0 + ball->restitution) * one_step_of_fall;
}

/** Before the accumulation no two steps in a row have a contact. */
static bool has_single_impacts(const results *r, const carom_trajectory *t) {
    const double end = STAIRCASE_END * r->accumulation;
    bool is_single = true;
    for (int row = 2; row < t->row_count && t->time[row] < end; row++) {
        is_single = is_single && !(carom_trajectory_is_pressed(t, 0, row) &&
                                   carom_trajectory_is_pressed(t, 0, row - 1));
    }
    return is_single;
}

/** After the accumulation every step has one. */
static bool has_steady_contact(const results *r, const carom_trajectory *t) {
    const carom_series settled = settled_of(r, t, t->gap);
    bool is_steady = true;
    for (int row = settled.first; row < settled.end; row++) {
        is_steady = is_steady && carom_trajectory_is_pressed(t, 0, row);
    }
    return is_steady;
}

static void measure_scheme(const results *r, const char *scheme, const carom_trajectory *t) {
    carom_measure list[] = {
        {"gap_error", gap_error(r, t), "1", "L1 error of the gap, relative to the exact gap"},
        {"smallest_gap", carom_trajectory_smallest_gap(t), "m", "smallest gap"},
        {"first_impulse", first_impulse(t), "N s", "impulse of the first impact"},
        {"second_contact_time", second_contact_time(t), "s", "time of the second contact"},
        {"rest_time", last_above(t, t->velocity, rest_speed(t)), "s",
         "last time at which the ball moves"},
    };
    for (int i = 0; i < COUNT(list); i++) {
        char name[NAME_SIZE];
        (void)snprintf(name, sizeof name, "%s_%s", scheme, list[i].name);
        list[i].name = name;
        carom_record_measures(r->record, &list[i], 1);
    }
}

static void judge_scheme(const results *r, const char *scheme, const carom_trajectory *t) {
    const bool settles = isfinite(r->settled);
    const double error = gap_error(r, t);
    const double latest_rest = r->accumulation + LATEST_REST_STEPS * r->values->schemes.step;
    const int drops = find_energy_changes(r, t).drops;
    int impact = 0;
    const bool has_impact = carom_trajectory_impacts(t, 0, 1, &impact) > 0;
    const struct {
        const char *name;
        bool is_asked;
        bool holds;
        const char *statement;
    } claims[] = {
        {"does_not_penetrate", true, carom_trajectory_smallest_gap(t) >= -r->length_tolerance,
         "the gap is never negative"},
        {"is_consistent", settles && isfinite(error),
         last_above(t, t->velocity, rest_speed(t)) < latest_rest && error < CONSISTENT_ERROR,
         "the gap follows the exact one and the ball rests soon after the accumulation"},
        {"jumps", has_impact, has_impact && jumps(r, t, impact),
         "the velocity jumps at the first impact as the exact one, to O(h)"},
        {"energy_is_a_staircase", has_staircase(r), abs(drops - exact_drops(r)) <= 1,
         "the energy drops as often as the exact one, up to once"},
        {"impacts_are_single_steps", has_staircase(r), has_single_impacts(r, t),
         "impacts before the accumulation are impulses of single steps"},
        {"contact_is_steady", settles, has_steady_contact(r, t),
         "the contact acts in every step after the accumulation"},
    };
    for (int i = 0; i < COUNT(claims); i++) {
        char name[NAME_SIZE];
        (void)snprintf(name, sizeof name, "%s_%s", scheme, claims[i].name);
        bouncing_ball_claim(r, name, claims[i].is_asked, claims[i].holds, claims[i].statement);
    }
}

/* --- the schemes that the paper compares ------------------------------------------------------ */

/** Smallest gap of a run; NaN if it is not part of this record or failed. */
static double smallest_gap_of(const results *r, const char *name) {
    const carom_trajectory *t = run_of(r, name);
    return t != NULL ? carom_trajectory_smallest_gap(t) : (double)NAN;
}

/** Penetration, with every predictor, and the numerical dissipation in flight. */
static void judge_moreau_jean(const results *r, const carom_trajectory *t) {
    const energy_changes energy = find_energy_changes(r, t);
    const double mean_change = energy.sum_in_flight / (double)energy.flight_steps;
    // A flight step loses (theta - 1/2) m (a_g h)^2.
    const double fall = r->values->ball.gravity * t->step;
    const double theta = 0.5 - mean_change / (r->values->ball.mass * fall * fall);
    const double initial_energy = if_asked(t->energy[0] > 0.0, t->energy[0]);
    const carom_measure measures[] = {
        {"moreau_jean_smallest_gap_full_step", smallest_gap_of(r, "moreau_jean_full_step"), "m",
         "smallest gap with the predictor q_n + h v_n"},
        {"moreau_jean_smallest_gap_current", smallest_gap_of(r, "moreau_jean_current"), "m",
         "smallest gap with the predictor q_n"},
        {"moreau_jean_final_gap", t->gap[t->row_count - 1], "m", "gap at the end of the run"},
        {"moreau_jean_flight_energy_change", mean_change, "J",
         "mean change of energy in a step of flight"},
        {"moreau_jean_flight_energy_change_spread",
         energy.largest_in_flight - energy.smallest_in_flight, "J",
         "its largest minus its smallest value"},
        {"moreau_jean_flight_loss", -energy.sum_in_flight / initial_energy, "1",
         "energy lost in all flights together over the initial energy"},
        {"moreau_jean_theta", if_asked(fall > 0.0, theta), "1",
         "theta of the scheme, from what a flight step loses"},
    };
    carom_record_measures(r->record, measures, COUNT(measures));
    const bool is_slow =
        energy.largest_in_flight < 0.0 && -energy.sum_in_flight < SLOW_LOSS * t->energy[0];
    bouncing_ball_claim(r, "moreau_jean_penetrates", true,
                        carom_trajectory_smallest_gap(t) < -r->length_tolerance,
                        "the gap is negative at times");
    bouncing_ball_claim(r, "moreau_jean_flight_loses_energy", energy.flight_steps > 0, is_slow,
                        "the energy decreases in every step of flight, slowly");
}

/** Energy of the flight that follows an impact, at its end: the row before the next impact. */
static double flight_energy(const carom_trajectory *t, const int *impacts, int count, int k) {
    return t->energy[k + 1 < count ? impacts[k + 1] - 1 : t->row_count - 1];
}

/** Energy that the contacts make. */
static void judge_smooth_galpha(const results *r, const carom_trajectory *t) {
    int impacts[MOST_CONTACTS];
    const int count = carom_trajectory_impacts(t, 0, MOST_CONTACTS, impacts);
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
    const double initial_energy = if_asked(t->energy[0] > 0.0, t->energy[0]);
    const double ratio = flight_energy(t, impacts, count, 0) / initial_energy;
    const double error = gap_error(r, t);
    const carom_measure measures[] = {
        {"smooth_galpha_contacts", count, "1", "number of contacts"},
        {"smooth_galpha_energy_ratio", ratio, "1", "energy after the first contact over E_0"},
        {"smooth_galpha_final_energy_ratio", before / initial_energy, "1",
         "energy at the end over E_0"},
        {"smooth_galpha_first_force", t->contact_force[impacts[0]], "N",
         "contact force of the first contact"},
    };
    carom_record_measures(r->record, measures, COUNT(measures));
    bouncing_ball_claim(r, "smooth_galpha_gains_energy", isfinite(ratio),
                        grows && ratio > GROWN_ENERGY,
                        "every contact increases the energy, the first more than five times");
    bouncing_ball_claim(r, "smooth_galpha_is_not_consistent",
                        isfinite(r->settled) && isfinite(error), error > 1.0,
                        "the error of the gap is larger than the gap");
}

/** Largest relative deviation of the first rebounds; NaN if the run or the exact motion has fewer.
 */
static double rebound_deviation(const results *r, const carom_trajectory *t) {
    int impacts[REBOUNDS + 1];
    if (carom_trajectory_impacts(t, 0, REBOUNDS + 1, impacts) <= REBOUNDS) {
        return (double)NAN;
    }
    double largest = 0.0;
    for (int k = 0; k < REBOUNDS; k++) {
        carom_series gap = all_of(t, t->gap);
        gap.first = impacts[k];
        gap.end = impacts[k + 1];
        const double exact = bouncing_ball_exact_rebound(r, k);
        if (!(exact > 0.0)) {
            return (double)NAN;
        }
        largest = fmax(largest, fabs(carom_series_maximum(gap) / exact - 1.0));
    }
    return largest;
}

/** Smallest over the windows after the accumulation of the largest value in the window; NaN without
 * a window. */
static double persistent_magnitude(const results *r, const carom_trajectory *t,
                                   const double *values) {
    double smallest = (double)NAN;
    for (int k = 0;; k++) {
        const double from = r->settled + r->window * (double)k;
        if (!(from + r->window <= r->values->schemes.duration)) {
            return smallest;
        }
        const carom_series window = carom_series_window(t, values, 1, 0, from, from + r->window);
        smallest = fmin(smallest, carom_series_magnitude(window));
    }
}

/** The first rebounds, and the chatter after the accumulation. */
static void judge_modified_lcp(const results *r, const carom_trajectory *t) {
    const carom_series gap = settled_of(r, t, t->gap);
    int switches = 0;
    int position_steps = 0;
    for (int row = gap.first + 1; row < gap.end; row++) {
        switches += t->velocity_active[row] != t->velocity_active[row - 1] ? 1 : 0;
        position_steps += t->position_active[row];
    }
    const bool is_asked = isfinite(r->settled);
    const double deviation = rebound_deviation(r, t);
    const double window_gap = persistent_magnitude(r, t, t->gap);
    const double window_speed = persistent_magnitude(r, t, t->velocity);
    const double smallest_gap = carom_series_minimum(gap);
    const carom_measure measures[] = {
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
        {"modified_lcp_switches", if_asked(is_asked, switches), "1",
         "changes of the velocity level between active and inactive after the accumulation"},
        {"modified_lcp_position_steps", if_asked(is_asked, position_steps), "1",
         "steps with an active position level after the accumulation"},
    };
    carom_record_measures(r->record, measures, COUNT(measures));
    const double fall = r->values->ball.gravity * t->step;
    const bool position_switches = position_steps > 0 && position_steps < gap.end - gap.first - 1;
    bouncing_ball_claim(r, "modified_lcp_follows_before_accumulation", isfinite(deviation),
                        deviation < REBOUND_ERROR,
                        "the first five rebounds are close to the exact ones");
    bouncing_ball_claim(r, "modified_lcp_gap_chatters", is_asked,
                        window_gap > CHATTER_GAP * t->step * fall && smallest_gap > 0.0,
                        "after the accumulation the gap opens again and again and never closes");
    bouncing_ball_claim(r, "modified_lcp_velocity_chatters", is_asked,
                        window_speed > CHATTER_SPEED * fall,
                        "after the accumulation the velocity keeps oscillating");
    bouncing_ball_claim(
        r, "modified_lcp_velocity_level_switches", is_asked, switches > 1,
        "after the accumulation the velocity level changes between active and inactive");
    bouncing_ball_claim(
        r, "modified_lcp_position_level_switches", is_asked, position_switches,
        "after the accumulation the position level changes between active and inactive");
}

/* --- all of them ------------------------------------------------------------------------------ */

carom_status bouncing_ball_judge(const results *r, carom_report *report) {
    const carom_measure drops = {"exact_drops", if_asked(has_staircase(r), exact_drops(r)), "1",
                                 "exact impacts in the first 5/6 of the time to the accumulation"};
    carom_record_measures(r->record, &drops, 1);
    // Variants are only compared with their scheme.
    for (int i = 0; i < r->run_count && !r->runs[i].may_fail; i++) {
        const char *scheme = carom_scheme_name(r->runs[i].params.scheme);
        measure_scheme(r, scheme, r->runs[i].trajectory);
        judge_scheme(r, scheme, r->runs[i].trajectory);
    }
    static const struct {
        const char *scheme;
        void (*judge)(const results *, const carom_trajectory *);
    } comparators[] = {
        {"moreau_jean", judge_moreau_jean},
        {"smooth_galpha", judge_smooth_galpha},
        {"modified_lcp", judge_modified_lcp},
    };
    for (int i = 0; i < COUNT(comparators); i++) {
        const carom_trajectory *t = run_of(r, comparators[i].scheme);
        if (t != NULL) {
            comparators[i].judge(r, t);
        }
    }
    const carom_trajectory *t = run_of(r, "nonsmooth_galpha");
    return t != NULL ? bouncing_ball_judge_nonsmooth_galpha(r, t, report) : CAROM_OK;
}
