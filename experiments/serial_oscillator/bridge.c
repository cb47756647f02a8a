/** The bridge between motions with one and with two impacts (figures 13 and 14). */
#include "results.h"

#include <math.h>
#include <stdlib.h>

/** Two evaluations of one motion agree: rounding, enlarged by slopes of some ten times the size. */
static const double SAME = 1e-10;
/** A double eigenvalue is known to the root of rounding. */
static const double DOUBLE_EIGENVALUE = 1e-6;
/** A bridge is an end of a branch of one impact, located as a root. */
static const double SAME_END = 1e-8;

/** What is measured on the bridge. */
typedef struct study_results {
    double symmetry;   /**< largest asymmetry about T_0/2 */
    double central;    /**< central member against the motion of half the period */
    double graze;      /**< gap and speed of the first member at T_0/2 */
    double ruled;      /**< deviation from positions linear in lambda_1 */
    double multiplier; /**< distance of the two multipliers nearest to -1 from it */
    bool is_admissible;
} study_results;

/** Distance from -1 of the second nearest multiplier, from the work memory. */
static double distance_from_minus_one(const oscillator *o) {
    double nearest = INFINITY;
    double second = INFINITY;
    for (int i = 0; i < 2 * o->basis->coordinate_count - 2; i++) {
        const double distance = hypot(o->multipliers[2 * i] + 1.0, o->multipliers[2 * i + 1]);
        second = fmin(second, fmax(nearest, distance));
        nearest = fmin(nearest, distance);
    }
    return second;
}

/** Measure everything. */
static study_results examine(const oscillator *o, const member_list *members,
                             const carom_orbit *single) {
    study_results f = {.is_admissible = true, .multiplier = NAN};
    const carom_orbit *first = members->orbits[0];
    const double half = 0.5 * first->period;
    for (int i = 0; i < MEMBER_COUNT; i++) {
        const carom_orbit *one = members->orbits[i];
        f.symmetry = fmax(f.symmetry, serial_oscillator_asymmetry(o, one, half));
        f.is_admissible = f.is_admissible && serial_oscillator_is_admissible(o, one);
    }
    f.central = serial_oscillator_difference(o, members->orbits[MIDDLE_MEMBER], single, 0.0);
    f.ruled = serial_oscillator_ruled_error(o, members);
    const int last = o->basis->coordinate_count - 1;
    serial_oscillator_motion(o, first, half, o->position, o->velocity);
    f.graze = fmax(fabs(o->position[last] / o->basis->gap_at_rest - 1.0),
                   fabs(o->velocity[last]) / (o->basis->root_inverse_mass * first->lambda[1]));
    if (isfinite(serial_oscillator_radius(o, single))) {
        f.multiplier = distance_from_minus_one(o);
    }
    return f;
}

/** Write the motion of half the period over the time of the members, and its multipliers. */
static carom_status write_single(const oscillator *o, const carom_orbit *single) {
    const int count = o->values->points;
    const int n = o->basis->coordinate_count;
    double *memory = malloc(3 * (size_t)count * sizeof *memory);
    if (memory == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int i = 0; i < count; i++) {
        // The last sample is before the impact, as it is for the members.
        const double time = i < count - 1 ? 2.0 * single->period * i / (count - 1) : single->period;
        serial_oscillator_motion(o, single, time, o->position, o->velocity);
        memory[i] = o->position[n - 1];
        memory[count + i] = n > 1 ? o->position[n - 2] : 0.0;
        memory[2 * count + i] = o->velocity[n - 1];
    }
    const carom_column columns[] = {
        {"single", memory, "m", "position of the last mass, one impact of period T_0/2"},
        {"single_before", memory + count, "m", "position of the mass before the last"},
        {"single_velocity", memory + 2 * count, "m s-1", "velocity of the last mass"},
    };
    serial_oscillator_write_columns(o, "/bridge", "/bridge/time", NULL, columns, COUNT(columns));
    free(memory);
    if (n == 1 || !isfinite(serial_oscillator_radius(o, single))) {
        return CAROM_OK;
    }
    carom_record_index_axis(o->record, "/bridge/multiplier", 2 * n - 2, "multiplier");
    carom_record_index_axis(o->record, "/bridge/part", 2, "real and imaginary part");
    carom_record_series(o->record, "/bridge/multipliers", o->multipliers, "/bridge/multiplier",
                        "/bridge/part", "1", "multipliers of the motion of period T_0/2");
    return CAROM_OK;
}

/** Write the numbers and what they decide. */
static void write_findings(const oscillator *o, const carom_constant_period_family *bridge,
                           const study_results *f) {
    const double T = bridge->sigma_1 + bridge->sigma_2;
    bool is_end = false;
    for (int i = 0; i < o->intervals->count; i++) {
        const carom_period_interval *one = &o->intervals->intervals[i];
        is_end = is_end || (one->lower_end == CAROM_BRANCH_END_NEW_CONTACT &&
                            fabs(one->lower - T) < SAME_END * T);
    }
    const carom_measure measures[] = {
        {"bridge_period", T, "s", "period T_0"},
        {"bridge_lambda_sum", bridge->lambda_sum, "J0.5", "lambda_1 + lambda_2"},
        {"bridge_symmetry_error", f->symmetry, "1", "largest asymmetry about T_0/2"},
        {"bridge_central_error", f->central, "1", "central member against one impact in T_0/2"},
        {"bridge_graze_error", f->graze, "1", "gap and speed at T_0/2 of the first member"},
        {"bridge_ruled_error", f->ruled, "1", "deviation from positions linear in lambda_1"},
        {"bridge_multiplier_error", f->multiplier, "1", "distance of two multipliers from -1"},
    };
    const carom_claim claims[] = {
        {"bridge_admissible", f->is_admissible, "no member penetrates"},
        {"bridge_symmetric", f->symmetry < SAME, "all members are symmetric about T_0/2"},
        {"bridge_central_member", f->central < SAME,
         "the central member is the motion with one impact in T_0/2"},
        {"bridge_end_grazes", f->graze < SAME && is_end,
         "the first member is a grazing end of motions with one impact, at T_0/2"},
        {"bridge_ruled", f->ruled < SAME, "positions are linear in lambda_1, at one period"},
        {"bridge_double_multiplier", f->multiplier < DOUBLE_EIGENVALUE,
         "two multipliers of the motion with one impact are -1"},
    };
    carom_record_measures(o->record, measures, COUNT(measures));
    carom_record_claims(o->record, claims, COUNT(claims));
}

/** Write /bridge from its members and the motion of half the period. */
static carom_status write(const oscillator *o, const carom_constant_period_family *bridge,
                          const member_list *members, const carom_orbit *single) {
    CAROM_TRY(serial_oscillator_write_members(o, "/bridge", members));
    const carom_measure scalars[] = {
        {"period", bridge->sigma_1 + bridge->sigma_2, "s", "period T_0"},
        {"lambda_sum", bridge->lambda_sum, "J0.5", "lambda_1 + lambda_2"},
    };
    serial_oscillator_write_scalars(o, "/bridge", scalars, COUNT(scalars));
    CAROM_TRY(write_single(o, single));
    const study_results f = examine(o, members, single);
    write_findings(o, bridge, &f);
    return CAROM_OK;
}

carom_status serial_oscillator_write_bridge(const oscillator *o,
                                            const carom_constant_period_family *bridge) {
    carom_orbit *single = NULL;
    CAROM_TRY(carom_orbit_alloc(o->basis, 1, &single));
    member_list members;
    carom_status status = serial_oscillator_make_members(o, bridge, &members);
    if (status == CAROM_OK) {
        status = carom_single_impact_orbit(o->basis, bridge->sigma_1, single);
    }
    if (status == CAROM_OK) {
        status = write(o, bridge, &members, single);
    }
    serial_oscillator_free_members(&members);
    carom_orbit_free(single);
    return status;
}
