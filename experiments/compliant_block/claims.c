/** The statements of the paper about the compliant block, decided from both sweeps. */
#include "results.h"

/** Places on each segment of the exact set that are looked at for gaps between outcomes. */
enum { PLACES = 1000 };

/** Speeds up to this part of v0 count as zero beside the closing speed that is left at the end:
 * errors of the integration, see its tolerances. */
static const double INTEGRATION = 1e-7;

/** A set is nearly covered if no point of it is further from an outcome than this part of its
 * length: two neighbouring runs of the middle of the sweep lie about so far apart. */
static const double NEARLY = 0.1;

/** More by up to this part is slightly more. */
static const double SLIGHTLY = 0.05;

/** Energies of up to this relative difference are the same: rounding of a dozen operations. */
static const double SAME = 1e-12;

/** A first corner with more of its impulse than this when the second one touches is done, and the
 * impacts are nearly sequential. */
static const double NEARLY_ALL = 0.9999;

/** Speed that no error of integration and no remainder of closing reaches. */
static double resolution(const results *r) {
    return CORNERS * r->values->stop_speed + INTEGRATION * r->values->block.initial_speed;
}

/** Distance of the nearest outcome from normal speeds [2]. */
static double nearest(const sweep *s, const double *speeds) {
    double least = INFINITY;
    for (int i = 0; i < s->count; i++) {
        const double *c = s->runs[i].normal_velocity;
        least = fmin(least, hypot(c[0] - speeds[0], c[1] - speeds[1]));
    }
    return least;
}

/** Largest distance of a place of the exact set from the nearest outcome. */
static double coverage_of(const results *r, const sweep *s) {
    double largest = 0.0;
    for (int k = 0; k <= PLACES; k++) {
        const double a = r->exact.largest_rebound * k / PLACES;
        const double on_a[CORNERS] = {a, 0.0};
        const double on_b[CORNERS] = {0.0, a};
        largest = fmax(largest, fmax(nearest(s, on_a), nearest(s, on_b)));
    }
    return largest;
}

/** Look through a sweep. */
static sweep_measures measure_sweep(const results *r, const sweep *s) {
    sweep_measures out = {.all_stopped = true, .largest = -INFINITY, .exceeding = NAN};
    for (int i = 0; i < s->count; i++) {
        const block_run *run = s->runs + i;
        const double fastest = fmax(run->normal_velocity[0], run->normal_velocity[1]);
        out.all_stopped = out.all_stopped && run->has_stopped != 0;
        out.largest = fmax(out.largest, fastest);
        for (int k = 0; k < CORNERS; k++) {
            out.slip = fmax(out.slip, fabs(run->tangential_velocity[k]));
        }
        if (r->has_exact) {
            out.set_distance =
                fmax(out.set_distance,
                     carom_rigid_block_exact_distance(&r->exact, run->normal_velocity));
            if (fastest > r->exact.largest_rebound) {
                out.exceeding = fmin(out.exceeding, fabs(s->values[i]));
            }
        }
    }
    out.coverage = r->has_exact ? coverage_of(r, s) : (double)NAN;
    return out;
}

/** Measures of one sweep, with its name in front. */
static void write_sweep_claims(const results *r, const sweep_measures *s,
                               const char *const *names) {
    const double rebound = r->exact.largest_rebound;
    carom_record_measure(r->record, names[0], s->largest, "m s-1",
                         "largest normal velocity of an outcome");
    carom_record_measure(r->record, names[1], s->slip, "m s-1",
                         "largest tangential speed of an outcome");
    if (!r->has_exact) {
        return;
    }
    carom_record_measure(
        r->record, names[2], rebound > 0.0 ? s->largest / rebound : (double)NAN, "1",
        "the same as a part of the largest rigid outcome; NaN: that is no rebound");
    carom_record_measure(r->record, names[3], s->set_distance, "m s-1",
                         "largest distance of an outcome from the rigid set");
    carom_record_measure(r->record, names[4], s->coverage, "m s-1",
                         "largest distance of the rigid set from an outcome");
}

/** Of the ends of the second sweep, where the corners are struck almost one after the other. */
static void write_ends(const results *r) {
    const block_run *b_first = r->angle.runs;
    const block_run *a_first = r->angle.runs + (r->angle.count - 1);
    carom_record_measure(r->record, "share_a_first", 100.0 * a_first->first_share, "percent",
                         "impulse of A before B touches, largest angle");
    carom_record_measure(r->record, "share_b_first", 100.0 * b_first->first_share, "percent",
                         "impulse of B before A touches, smallest angle");
    carom_record_claim(r->record, "extreme_angles_are_nearly_sequential",
                       a_first->first_contact == 0 && b_first->first_contact == 1 &&
                           fmin(a_first->first_share, b_first->first_share) > NEARLY_ALL,
                       "at the largest angles the first corner is done before the second");
}

/** All angles begin with the same energy, and the lower corner touches. */
static void write_starts(const results *r) {
    const carom_rigid_block_params *block = &r->values->block;
    const double flat = 0.5 * block->mass * block->initial_speed * block->initial_speed;
    double largest = 0.0;
    bool is_lower_first = true;
    for (int i = 0; i < r->angle.count; i++) {
        const block_run *run = r->angle.runs + i;
        const int lower = run->tilt < 0.0 ? 1 : 0;
        largest = fmax(largest, fabs(run->energy - flat) / flat);
        // The run begins when the lower corner has come down to the floor.
        is_lower_first =
            is_lower_first && run->first_contact == lower && run->start_time[lower] <= 0.0;
    }
    carom_record_claim(r->record, "angles_begin_with_the_same_energy", largest <= SAME,
                       "kinetic and potential energy are the same for all angles");
    carom_record_claim(r->record, "lower_corner_touches_at_the_start", is_lower_first,
                       "the runs of the second sweep begin with one corner on the floor");
}

/** Whether the corners behave as in the section on stiffnesses: contained, and nearly covering. */
static void write_stiffness(const results *r, const sweep_measures *s) {
    const double rebound = r->exact.largest_rebound;
    carom_record_claim(r->record, "stiffness_outcomes_are_contained",
                       s->all_stopped && s->set_distance <= resolution(r) && s->largest <= rebound,
                       "all stiffness ratios end within the rigid set");
    carom_record_claim(r->record, "stiffness_outcomes_nearly_cover",
                       s->coverage <= NEARLY * rebound,
                       "their outcomes nearly cover the rigid set");
}

/** The same of the angles: nearly covering, and slightly beyond. */
static void write_angle(const results *r, const sweep_measures *s) {
    const double rebound = r->exact.largest_rebound;
    carom_record_measure(r->record, "angle_exceeding", s->exceeding, "deg",
                         "smallest angle with more than the largest rigid outcome; NaN: none");
    carom_record_claim(r->record, "angle_outcomes_nearly_cover", s->coverage <= NEARLY * rebound,
                       "outcomes of all angles nearly cover the rigid set");
    carom_record_claim(
        r->record, "angle_outcomes_exceed_slightly",
        s->all_stopped && s->set_distance <= SLIGHTLY * rebound && s->largest > rebound,
        "the largest separating velocity is slightly larger than that of the rigid set");
}

void compliant_block_write_claims(const results *r) {
    static const char *const of_stiffness[] = {"stiffness_largest", "stiffness_slip",
                                               "stiffness_reach", "stiffness_set_distance",
                                               "stiffness_coverage"};
    static const char *const of_angle[] = {"angle_largest", "angle_slip", "angle_reach",
                                           "angle_set_distance", "angle_coverage"};
    const sweep_measures stiffness = measure_sweep(r, &r->stiffness);
    const sweep_measures angle = measure_sweep(r, &r->angle);
    write_sweep_claims(r, &stiffness, of_stiffness);
    write_sweep_claims(r, &angle, of_angle);
    carom_record_claim(r->record, "all_runs_end", stiffness.all_stopped && angle.all_stopped,
                       "in every run both corners stop closing");
    write_ends(r);
    write_starts(r);
    if (!r->has_exact) {
        return;
    }
    write_stiffness(r, &stiffness);
    write_angle(r, &angle);
}
