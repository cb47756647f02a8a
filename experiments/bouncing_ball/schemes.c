#include "answers.h"
#include "questions.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double LATEST_REST_STEPS = 200.0; /* after the accumulation, if consistent */
static const double CONSISTENT_ERROR = 0.05;   /* of the gap in L1, relative: O(h) at h = 2e-3 s */

enum { NAME_SIZE = 96 };

/* ------------------------------------------------------------------- statements about a run */

static int decide_no_penetration(const results *r, const carom_trajectory *t) {
    return bouncing_ball_decide(true, carom_trajectory_smallest_gap(t) >= -r->length_tolerance);
}

/** A scheme follows the exact motion and comes to rest about when that does. */
static int decide_consistent(const results *r, const carom_trajectory *t) {
    const bool rests = bouncing_ball_rest_time(t) <
                       r->exact.accumulation + LATEST_REST_STEPS * r->values->schemes.step;
    const double error = bouncing_ball_gap_error(r, t);
    return bouncing_ball_decide(isfinite(r->exact.settled) && isfinite(error),
                                rests && error < CONSISTENT_ERROR);
}

/** The first impact reverses the velocity within one step, to O(h). */
static int decide_jump(const results *r, const carom_trajectory *t) {
    int row = 0;
    if (carom_trajectory_impacts(t, 0, 1, &row) == 0) {
        return UNDECIDED;
    }
    const carom_bouncing_ball_params *ball = &r->values->ball;
    const double jump = t->velocity[row] - t->velocity[row - 1];
    const double exact =
        (1.0 + ball->restitution) * carom_bouncing_ball_exact_impact(ball, 0).speed;
    const double one_step_of_fall = t->step * ball->gravity;
    return bouncing_ball_decide(true,
                                fabs(jump - exact) <= (1.0 + ball->restitution) * one_step_of_fall);
}

static int decide_staircase(const results *r, const carom_trajectory *t) {
    const int drops = bouncing_ball_energy_changes(r, t).drops;
    return bouncing_ball_decide(bouncing_ball_has_staircase(r),
                                abs(drops - bouncing_ball_exact_drops(r)) <= 1);
}

/** Before the accumulation no two steps in a row have a contact. */
static int decide_single_impacts(const results *r, const carom_trajectory *t) {
    const double end = STAIRCASE_END * r->exact.accumulation;
    bool is_single = true;
    for (int row = 2; row < t->row_count && t->time[row] < end; row++) {
        is_single = is_single && !(carom_trajectory_is_pressed(t, 0, row) &&
                                   carom_trajectory_is_pressed(t, 0, row - 1));
    }
    return bouncing_ball_decide(bouncing_ball_has_staircase(r), is_single);
}

/** After the accumulation every step has one. */
static int decide_steady_contact(const results *r, const carom_trajectory *t) {
    const carom_series settled = bouncing_ball_series_from(t, t->gap, r->exact.settled);
    bool is_steady = true;
    for (int row = settled.first; row < settled.end; row++) {
        is_steady = is_steady && carom_trajectory_is_pressed(t, 0, row);
    }
    return bouncing_ball_decide(isfinite(r->exact.settled), is_steady);
}

/* ------------------------------------------------------------------- measures and claims */

/** Time of the second contact, which for the data of the paper is a tie; NaN if there is none. */
static double second_contact_time(const carom_trajectory *t) {
    int rows[2];
    return carom_trajectory_impacts(t, 0, 2, rows) == 2 ? t->time[rows[1]] : (double)NAN;
}

static void write_scheme_measures(const results *r, const char *scheme, const carom_trajectory *t) {
    measure list[] = {
        {"gap_error", bouncing_ball_gap_error(r, t), "1",
         "L1 error of the gap, relative to the exact gap"},
        {"smallest_gap", carom_trajectory_smallest_gap(t), "m", "smallest gap"},
        {"first_impulse", bouncing_ball_first_impulse(t), "N s", "impulse of the first impact"},
        {"second_contact_time", second_contact_time(t), "s", "time of the second contact"},
        {"rest_time", bouncing_ball_rest_time(t), "s", "last time at which the ball moves"},
    };
    for (int i = 0; i < LENGTH(list); i++) {
        char name[NAME_SIZE];
        (void)snprintf(name, sizeof name, "%s_%s", scheme, list[i].name);
        list[i].name = name;
        bouncing_ball_write_measures(r->record, 1, &list[i]);
    }
}

static void write_scheme_claims(const results *r, const char *scheme, const carom_trajectory *t) {
    static const struct {
        const char *name;
        int (*decide)(const results *, const carom_trajectory *);
        const char *statement;
    } table[] = {
        {"does_not_penetrate", decide_no_penetration, "the gap is never negative"},
        {"is_consistent", decide_consistent,
         "the gap follows the exact one and the ball rests soon after the accumulation"},
        {"jumps", decide_jump, "the velocity jumps at the first impact as the exact one, to O(h)"},
        {"energy_is_a_staircase", decide_staircase,
         "the energy drops as often as the exact one, up to once"},
        {"impacts_are_single_steps", decide_single_impacts,
         "impacts before the accumulation are impulses of single steps"},
        {"contact_is_steady", decide_steady_contact,
         "the contact acts in every step after the accumulation"},
    };
    for (int i = 0; i < LENGTH(table); i++) {
        char name[NAME_SIZE];
        (void)snprintf(name, sizeof name, "%s_%s", scheme, table[i].name);
        const claim named = {name, table[i].decide(r, t), table[i].statement};
        bouncing_ball_write_claims(r->record, 1, &named);
    }
}

void bouncing_ball_judge_schemes(const results *r) {
    for (int i = 0; i < r->run_count; i++) {
        // Variants are only compared with their scheme.
        if (!r->runs[i].may_fail) {
            const char *scheme = carom_scheme_name(r->runs[i].params.scheme);
            write_scheme_measures(r, scheme, r->runs[i].trajectory);
            write_scheme_claims(r, scheme, r->runs[i].trajectory);
        }
    }
}
