/** The statements of section 4.3, decided from the results: /claims. */
#include "results.h"

/** The constructed solution satisfies the equations to this part of their terms: differences of the
 * fourth order over a thousandth of a phase, and s rounded. */
static const double MEMBER = 1e-7;

/** Positions and velocities of closed forms agree to this part of the block's size and speed; left
 * limits are taken 1e-9 of a phase before its end. */
static const double SAME = 1e-8;

/** Rounding of sums of some hundred half cycles. */
static const double ROUNDING = 1e-12;

/** What closing a gap may lift the block by in a step of the integrator, of the way of a step: its
 * closed gap is 1e-8 of it. */
static const double LIFT = 1e-7;

/** Order of the integrator up to the first impact. */
static const double LEAST_ORDER = 0.9;
static const double MOST_ORDER = 1.1;

/** Order of its largest errors over all s at least: each impact adds an error of the first order,
 * and the shorter the step, the more impacts there are before the last that it resolves. */
static const double LEAST_OVERALL_ORDER = 0.5;

/** A step at rest has the rates of rest to this part. */
static const double RESTING = 1e-9;

/** Half cycles that are compared by the time between their impacts: their number is that of the
 * whole, but the last ones drown in the rounding of t*. */
static const double COMPARED = 1e-6;

/** What makes the constructed trajectory a solution of (53). */
static void write_membership(const results *r) {
    const membership *m = &r->member;
    const double speed = SAME * zeno_block_speed(r);
    const double size = SAME * r->exact->half_diagonal;
    carom_record *record = r->record;
    carom_record_claim(record, "satisfies_equations_of_motion",
                       m->balance <= MEMBER && m->kinematics <= MEMBER * zeno_block_speed(r),
                       "q' = t' v and M v' = t' f + J' lambda along s");
    carom_record_claim(record, "time_and_impulse_share_s",
                       m->share <= ROUNDING && m->least_force >= 0.0 && m->least_time_rate >= 0.0 &&
                           m->most_time_rate <= 1.0,
                       "dt/ds is in [0, 1], and with the normal rates it gives 1");
    carom_record_claim(record, "only_touching_corners_are_pressed",
                       m->pressed_gap <= size && m->pressed_speed <= speed,
                       "forces act only on corners that touch and do not separate");
    carom_record_claim(record, "time_stands_while_a_corner_closes", m->moving_approach <= speed,
                       "time passes only while no touching corner closes");
    carom_record_claim(record, "corners_stick", m->slip <= speed && m->cone_excess <= ROUNDING,
                       "pressed corners stick, with forces inside the friction cone");
    carom_record_claim(record, "never_penetrates", m->least_gap >= -size,
                       "no gap becomes negative (Lemma 4)");
}

/** Largest difference of two states; `sign` -1 compares with the mirror image. */
static double difference(const results *r, const carom_zeno_state *a, const carom_zeno_state *b,
                         double factor, double sign) {
    const double flip[COORDINATES] = {sign, 1.0, sign};
    const double speed = zeno_block_speed(r);
    double largest = 0.0;
    for (int i = 0; i < COORDINATES; i++) {
        const double length = i == ANGLE ? r->exact->half_diagonal : 1.0;
        const double place = flip[i] * a->position[i] - b->position[i];
        const double change = factor * flip[i] * a->velocity[i] - b->velocity[i];
        largest = fmax(largest, length * fabs(place) / r->exact->half_diagonal);
        largest = fmax(largest, length * fabs(change) / speed);
    }
    return largest;
}

/** The captions of figure 7 and the sentences around (57) and (68). */
static void write_half_cycle(const results *r) {
    const carom_zeno_block *e = r->exact;
    const carom_zeno_half_cycle *first = &e->half_cycles[0];
    const double swing = first->impact_s - first->start_s;
    const carom_zeno_state start = carom_zeno_block_state(e, 0.0);
    const carom_zeno_state before = carom_zeno_block_state(e, first->impact_s - SAME * swing);
    const carom_zeno_state impact = carom_zeno_block_state(e, first->impact_s);
    const carom_zeno_state last =
        carom_zeno_block_state(e, first->impact_s + (1.0 - SAME) * first->impact_length);
    carom_record *record = r->record;
    carom_record_claim(record, "mass_centre_stays_right_of_pivot",
                       first->apex_angle + e->corner_angle < 2.0 * atan(1.0),
                       "at the apex the mass centre is still to the right of A");
    // SAME of the swing and of the impact were left out, and each moves the state a few times it.
    const double few = 10.0 * SAME;
    carom_record_claim(record, "falls_back_with_initial_rate",
                       fabs(before.velocity[ANGLE] + start.velocity[ANGLE]) <=
                           few * start.velocity[ANGLE],
                       "the block hits the floor with minus the rate it started with");
    bool is_frozen = impact.time >= last.time && impact.time <= last.time;
    for (int i = 0; i < COORDINATES; i++) {
        is_frozen = is_frozen && impact.position[i] >= last.position[i] &&
                    impact.position[i] <= last.position[i];
    }
    carom_record_claim(record, "impacts_freeze_time", is_frozen,
                       "time and configuration do not change during an impact");
    carom_record_claim(record, "impact_gives_mirror_image",
                       difference(r, &start, &last, e->transfer, -1.0) <= few,
                       "after the impact the block is a slower mirror image of its start");
}

/** Each half cycle takes at most e times the time and the s of the one before. */
static bool half_cycles_shrink(const results *r) {
    const carom_zeno_block *e = r->exact;
    const int count = zeno_block_resolved(r, COMPARED);
    for (int i = 1; i < count; i++) {
        const carom_zeno_half_cycle *a = &e->half_cycles[i - 1];
        const carom_zeno_half_cycle *b = &e->half_cycles[i];
        const double slack = 1.0 + ROUNDING / COMPARED;
        if (b->impact_time - b->start_time >
                slack * e->transfer * (a->impact_time - a->start_time) ||
            b->impact_s - b->start_s > slack * e->transfer * (a->impact_s - a->start_s)) {
            return false;
        }
    }
    return true;
}

/** The bounds, and what becomes of the infinitely many half cycles. */
static carom_status write_accumulation(const results *r) {
    const carom_zeno_block *e = r->exact;
    const double rate = r->values->block.initial_rate;
    carom_record *record = r->record;
    bool printed = false;
    bool printed_slower = false;
    CAROM_TRY(zeno_block_printed_bound_holds(r, rate, &printed));
    CAROM_TRY(zeno_block_printed_bound_holds(r, e->transfer * rate, &printed_slower));
    carom_record_claim(record, "first_swing_within_bound",
                       e->half_cycles[0].impact_time <= e->first_swing_bound,
                       "t_1 is at most 2 rate over the least deceleration (58), (59)");
    carom_record_claim(record, "first_swing_within_printed_bound", printed && printed_slower,
                       "t_1 <= L rate, L as printed, for this rate and the next one");
    carom_record_claim(record, "half_cycles_shrink", half_cycles_shrink(r),
                       "each half cycle is at most e times as long, in t and in s");
    carom_record_claim(record, "s_within_bound", e->accumulation_s <= e->s_bound,
                       "s* is at most the geometric series (69)");
    carom_record_claim(record, "time_within_bound", e->accumulation_time <= e->time_bound,
                       "t* is at most the geometric series (70)");
    const carom_zeno_state rest = carom_zeno_block_state(e, r->length);
    const double passed = (r->length - e->accumulation_s) * e->resting_share;
    carom_record_claim(record, "rests_after_accumulation",
                       rest.phase == CAROM_ZENO_REST && fabs(rest.velocity[ANGLE]) <= 0.0 &&
                           fabs(rest.time - e->accumulation_time - passed) <= ROUNDING * rest.time,
                       "after s* the block rests, and t = t* + (s - s*)/(1 + m g/kappa)");
    carom_record_claim(record, "path_is_continuous",
                       r->largest_jump <= 10.0 * SAME * zeno_block_speed(r),
                       "q and v are continuous in s, impacts included");
    carom_record_claim(record, "time_advances", r->slowest_time > 0.0,
                       "time passes in every s as long as two first impacts");
    carom_record_claim(record, "energy_never_rises",
                       r->energy_rise <= ROUNDING * zeno_block_energy(r) +
                                             ROUNDING * r->values->block.mass *
                                                 r->values->block.gravity * r->values->block.height,
                       "kinetic and potential energy never rise along s");
    return CAROM_OK;
}

/** The integrator, which knows no impacts. */
static void write_inclusion(const results *r) {
    const run_measures *coarse = &r->runs[0];
    const run_measures *fine = &r->runs[RUNS - 1];
    const double weight = r->values->block.mass * r->values->block.gravity;
    carom_record *record = r->record;
    const double first = zeno_block_order(coarse->impact_time_error, fine->impact_time_error);
    carom_record_claim(record, "integrator_is_of_first_order",
                       first >= LEAST_ORDER && first <= MOST_ORDER,
                       "the error of t at the first impact is proportional to the step");
    carom_record_claim(
        record, "integrator_converges",
        zeno_block_order(coarse->time_error, fine->time_error) >= LEAST_OVERALL_ORDER &&
            zeno_block_order(coarse->angle_error, fine->angle_error) >= LEAST_OVERALL_ORDER &&
            zeno_block_order(coarse->rate_error, fine->rate_error) >= LEAST_OVERALL_ORDER,
        "t, theta and its rate converge uniformly, through the accumulation");
    const double each = 0.5 * (1.0 - r->exact->resting_share);
    carom_record_claim(record, "integrator_comes_to_rest",
                       fabs(fine->resting_share - r->exact->resting_share) <= RESTING &&
                           fabs(fine->resting_rate[0] - each) <= RESTING &&
                           fabs(fine->resting_rate[1] - each) <= RESTING &&
                           fine->rest_s < r->length,
                       "the integrator passes the accumulation and rests on both corners");
    carom_record_claim(record, "integrator_never_penetrates",
                       fine->least_gap >= -ROUNDING * r->exact->half_diagonal,
                       "no gap of the integrator becomes negative");
    carom_record_claim(record, "integrator_energy_never_rises",
                       fine->energy_rise <= LIFT * fine->step * zeno_block_speed(r) * weight +
                                                ROUNDING * zeno_block_energy(r),
                       "no step of the integrator raises the energy");
}

carom_status zeno_block_write_claims(const results *r) {
    write_membership(r);
    write_half_cycle(r);
    carom_record_claim(r->record, "friction_exceeds_slenderness",
                       r->values->block.friction >
                               r->values->block.width / r->values->block.height &&
                           r->exact->stick_friction <= r->values->block.friction,
                       "mu > w/h, and no corner slides");
    CAROM_TRY(write_accumulation(r));
    write_inclusion(r);
    return CAROM_OK;
}
