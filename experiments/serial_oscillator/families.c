/** Two impacts at constant period: all families up to the longest, that of figure 12, and the
 * bridge to motions with one impact (figures 13 and 14). */
#include "results.h"

#include <math.h>
#include <stdlib.h>

/** Cells along a side of the grid on which the curves are found that hold the families. */
enum { FAMILY_CELLS = 200 };

/** A grazing end found on two ways, as a root and as an end of the branch. */
static const double SAME_END = 1e-8;

/* --- all families ----------------------------------------------------------------------------- */

/** A family as it is recorded. */
typedef struct family_row {
    double sigma_1;
    double period;
    double lambda_sum;
    double energy_end;
    double energy_middle;
    int is_bridge;
    int is_full;
} family_row;

static const carom_field FAMILY_FIELDS[] = {
    CAROM_FIELD("sigma_1", family_row, sigma_1, "s", "first flight"),
    CAROM_FIELD("period", family_row, period, "s", "period T"),
    CAROM_FIELD("lambda_sum", family_row, lambda_sum, "J0.5", "lambda_1 + lambda_2 of all members"),
    CAROM_FIELD("energy_end", family_row, energy_end, "J", "energy of the member lambda_1 = 0"),
    CAROM_FIELD("energy_middle", family_row, energy_middle, "J",
                "energy of the member lambda_1 = lambda_2"),
    CAROM_FIELD("is_bridge", family_row, is_bridge, "1", "1 if both flights are equal"),
    CAROM_FIELD("is_full", family_row, is_full, "1",
                "1 if all members with lambda >= 0 are admissible"),
};

/** Append the families of a list that have admissible members. */
static carom_status append(const oscillator *o, const carom_constant_period_families *list,
                           carom_orbit *orbit, family_row *rows, int *count) {
    for (int i = 0; i < list->count; i++) {
        const carom_constant_period_family *one = &list->families[i];
        if (isnan(one->lower_lambda)) {
            continue;
        }
        family_row *row = &rows[(*count)++];
        *row = (family_row){
            .sigma_1 = one->sigma_1,
            .period = one->sigma_1 + one->sigma_2,
            .lambda_sum = one->lambda_sum,
            .is_bridge = one->is_bridge,
            .is_full = one->is_full,
        };
        CAROM_TRY(carom_constant_period_member(o->basis, one, 0.0, orbit));
        row->energy_end = orbit->energy;
        CAROM_TRY(carom_constant_period_member(o->basis, one, 0.5 * one->lambda_sum, orbit));
        row->energy_middle = orbit->energy;
    }
    return CAROM_OK;
}

/** Write /families. */
static carom_status write_table(const oscillator *o, const carom_constant_period_families *pairs,
                                const carom_constant_period_families *bridges) {
    CAROM_AUTO(carom_orbit) orbit = NULL;
    CAROM_TRY(carom_orbit_alloc(o->basis, 2, &orbit));
    const size_t capacity = (size_t)pairs->count + (size_t)bridges->count + 1;
    CAROM_AUTO_MEMORY family_row *rows = malloc(capacity * sizeof *rows);
    if (rows == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    int count = 0;
    CAROM_TRY(append(o, pairs, orbit, rows, &count));
    CAROM_TRY(append(o, bridges, orbit, rows, &count));
    if (count > 0) {
        carom_record group = carom_record_group(o->record, "/families");
        carom_record_index_axis(&group, "family", count,
                                "families with admissible members, bridges last");
        carom_record_rows(&group, "family", rows, count, sizeof *rows, FAMILY_FIELDS,
                          COUNT(FAMILY_FIELDS));
    }
    return CAROM_OK;
}

/* --- members ---------------------------------------------------------------------------------- */

/** Members of a family that are drawn, the ends included. */
enum { MEMBER_COUNT = 11 };

/** Members at equal steps of lambda_1, from 0 to the sum. */
typedef struct member_list {
    double lambda_1[MEMBER_COUNT]; /**< J^1/2 */
    carom_orbit *orbits[MEMBER_COUNT];
} member_list;

static void member_list_clear(member_list *members) {
    for (int i = 0; i < MEMBER_COUNT; i++) {
        carom_orbit_free(members->orbits[i]);
    }
}

static carom_status make_members(const oscillator *o, const carom_constant_period_family *family,
                                 member_list *members) {
    for (int i = 0; i < MEMBER_COUNT; i++) {
        members->lambda_1[i] = family->lambda_sum * i / (MEMBER_COUNT - 1);
        CAROM_TRY(carom_orbit_alloc(o->basis, 2, &members->orbits[i]));
        CAROM_TRY(carom_constant_period_member(o->basis, family, members->lambda_1[i],
                                               members->orbits[i]));
    }
    return CAROM_OK;
}

/** Write period, lambda_1, time and the motions of the last two masses. */
static carom_status write_members(oscillator *o, carom_record *group, const member_list *members) {
    const int n = o->basis->coordinate_count;
    const int count = o->values->points;
    const size_t block = MEMBER_COUNT * (size_t)count;
    const double T = members->orbits[0]->period;
    CAROM_AUTO_MEMORY double *last = malloc((3 * block + (size_t)count) * sizeof *last);
    if (last == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    double *before = last + block;
    double *velocity = last + 2 * block;
    double *time = last + 3 * block;
    for (int i = 0; i < count; i++) {
        time[i] = i < count - 1 ? T * i / (count - 1) : T;
    }
    for (int j = 0; j < MEMBER_COUNT; j++) {
        const carom_orbit *orbit = members->orbits[j];
        for (int i = 0; i < count; i++) {
            serial_oscillator_motion(o, orbit, i < count - 1 ? time[i] : orbit->period, o->position,
                                     o->velocity);
            last[j * count + i] = o->position[n - 1];
            before[j * count + i] = n > 1 ? o->position[n - 2] : 0.0;
            velocity[j * count + i] = o->velocity[n - 1];
        }
    }
    carom_record_scalar(group, "period", T, "s", "period of all members");
    carom_record_axis(group, "lambda_1", MEMBER_COUNT, members->lambda_1, "J0.5",
                      "lambda_1, that of the other impact is the rest of the sum");
    carom_record_axis(group, "time", count, time, "s", "time over one period");
    const carom_column columns[] = {
        {"position", last, "m", "position of the last mass"},
        {"position_before", before, "m", "position of the mass before the last"},
        {"velocity", velocity, "m s-1", "velocity of the last mass"},
    };
    carom_record_columns(group, "lambda_1", "time", columns, COUNT(columns));
    return CAROM_OK;
}

/* --- the family of figure 12 ------------------------------------------------------------------ */

/** Points through which all members pass. */
typedef struct fixed_point {
    double time;
    double position;
    double spread;
} fixed_point;

static const carom_field FIXED_FIELDS[] = {
    CAROM_FIELD("fixed_time", fixed_point, time, "s", "t_1/2 and (t_1 + T)/2"),
    CAROM_FIELD("fixed_point", fixed_point, position, "m", "position of the last mass there"),
    CAROM_FIELD("fixed_spread", fixed_point, spread, "m", "its range over the members"),
};

static fixed_point find_fixed_point(oscillator *o, const member_list *members, double time) {
    double low = INFINITY;
    double high = -INFINITY;
    for (int i = 0; i < MEMBER_COUNT; i++) {
        serial_oscillator_motion(o, members->orbits[i], time, o->position, NULL);
        low = fmin(low, o->position[o->basis->coordinate_count - 1]);
        high = fmax(high, o->position[o->basis->coordinate_count - 1]);
    }
    return (fixed_point){time, 0.5 * (low + high), high - low};
}

/** Speed of the contact just before impact j = 1, 2. */
static double speed_before(oscillator *o, const carom_orbit *orbit, int j) {
    carom_orbit_state_after(o->basis, orbit, j - 1, o->state);
    carom_modal_basis_rotate(o->basis, orbit->flight_times[j - 1], o->state);
    return carom_modal_basis_contact_velocity(o->basis, o->state);
}

/** Write the fixed points and the sums of the speeds, from the motions themselves. */
static void write_common(oscillator *o, carom_record *group, const member_list *members) {
    const carom_orbit *first = members->orbits[0];
    const double t_1 = first->flight_times[0];
    const fixed_point fixed[] = {
        find_fixed_point(o, members, 0.5 * t_1),
        find_fixed_point(o, members, 0.5 * (t_1 + first->period)),
    };
    double speed_sum[MEMBER_COUNT];
    for (int i = 0; i < MEMBER_COUNT; i++) {
        speed_sum[i] =
            speed_before(o, members->orbits[i], 1) + speed_before(o, members->orbits[i], 2);
    }
    carom_record_index_axis(group, "flight", 2, "flight of the period");
    carom_record_series(group, "sigma", first->flight_times, "flight", NULL, "s",
                        "duration of the flights");
    carom_record_index_axis(group, "fixed", COUNT(fixed), "fixed point");
    carom_record_rows(group, "fixed", fixed, COUNT(fixed), sizeof *fixed, FIXED_FIELDS,
                      COUNT(FIXED_FIELDS));
    carom_record_series(group, "speed_sum", speed_sum, "lambda_1", NULL, "m s-1",
                        "sum of the speeds at the impacts");
}

/** Write how symmetric each member is, and how well each is the image x(t_1 - t) of the opposite
 * one. */
static void write_symmetry(oscillator *o, carom_record *group, const member_list *members) {
    const carom_orbit *first = members->orbits[0];
    const double t_1 = first->flight_times[0];
    const int end = MEMBER_COUNT - 1;
    double asymmetry[MEMBER_COUNT];
    double image[MEMBER_COUNT];
    for (int i = 0; i < MEMBER_COUNT; i++) {
        const carom_orbit *one = members->orbits[i];
        // With two different flights, these axes are the only ones that map impacts to impacts.
        asymmetry[i] = fmin(serial_oscillator_asymmetry(o, one, 0.5 * t_1),
                            serial_oscillator_asymmetry(o, one, 0.5 * (t_1 + first->period)));
        image[i] =
            serial_oscillator_difference(o, one, members->orbits[end - i], -1.0, 2.0 * (0.5 * t_1));
    }
    // With one impact only: about that, which is at T or at t_1.
    asymmetry[0] = serial_oscillator_asymmetry(o, first, 0.0);
    asymmetry[end] = serial_oscillator_asymmetry(o, members->orbits[end], t_1);
    const carom_column columns[] = {
        {"asymmetry", asymmetry, "1", "difference from the own mirror image, relative"},
        {"image_difference", image, "1",
         "difference from the mirror image, about t_1/2, of the member with speeds exchanged"},
    };
    carom_record_columns(group, "lambda_1", NULL, columns, COUNT(columns));
}

/** Gap and speed at the two grazes of the first member, relative. */
static double graze_error(oscillator *o, const carom_orbit *first) {
    const int last = o->basis->coordinate_count - 1;
    const double t_1 = first->flight_times[0];
    const double grazes[] = {t_1, first->period - t_1};
    const double largest_speed = speed_before(o, first, 2);
    double error = 0.0;
    for (int i = 0; i < COUNT(grazes); i++) {
        serial_oscillator_motion(o, first, grazes[i], o->position, o->velocity);
        error = fmax(error, fabs(o->position[last] / o->basis->gap_at_rest - 1.0));
        error = fmax(error, fabs(o->velocity[last]) / largest_speed);
    }
    return error;
}

/** Difference of the first member from the end of the branch of one impact; NaN if there is none.
 */
static carom_status compare_single(oscillator *o, const carom_orbit *first, double *difference) {
    const double T = first->period;
    CAROM_AUTO(carom_orbit) single = NULL;
    CAROM_TRY(carom_orbit_alloc(o->basis, 1, &single));
    *difference = NAN;
    for (int i = 0; i < o->intervals->count; i++) {
        const carom_period_interval *one = &o->intervals->intervals[i];
        if (one->lower_end == CAROM_BRANCH_END_NEW_CONTACT && fabs(one->lower - T) < SAME_END * T &&
            carom_single_impact_orbit(o->basis, one->lower, single) == CAROM_OK) {
            *difference = serial_oscillator_difference(o, first, single, 1.0, 0.0);
        }
    }
    return CAROM_OK;
}

/** Write /family if its members are all admissible. */
static carom_status write_family(oscillator *o) {
    const double *times = o->values->family_times.values;
    carom_constant_period_family family = {.is_full = 0};
    bool found = false;
    CAROM_TRY(serial_oscillator_may_miss(
        carom_constant_period_solve(o->basis, times[0], times[1], &family, NULL), &found));
    if (!found || family.is_full == 0 || family.is_bridge != 0) {
        return CAROM_OK;
    }
    CAROM_AUTO_VALUE(member_list) members = {.orbits = {NULL}};
    CAROM_TRY(make_members(o, &family, &members));
    carom_record group = carom_record_group(o->record, "/family");
    CAROM_TRY(write_members(o, &group, &members));
    write_common(o, &group, &members);
    write_symmetry(o, &group, &members);
    const carom_orbit *first = members.orbits[0];
    const double t_1 = first->flight_times[0];
    const double T = first->period;
    double single = NAN;
    CAROM_TRY(compare_single(o, first, &single));
    const carom_measure scalars[] = {
        {"alpha", carom_kernels_evaluate(o->basis, T, T).gap, "m J-0.5", "diagonal of Sigma"},
        {"beta", carom_kernels_evaluate(o->basis, T, first->flight_times[1] - t_1).gap, "m J-0.5",
         "the other entry of Sigma"},
        {"shift_error",
         serial_oscillator_difference(o, members.orbits[MEMBER_COUNT - 1], first, 1.0, -t_1), "1",
         "last member against the first, shifted by t_1"},
        {"graze_error", graze_error(o, first), "1", "gap and speed at the grazes of the first"},
        {"single_error", single, "1",
         "first member against the end of one impact; NaN: there is none"},
    };
    carom_record_scalars(&group, scalars, COUNT(scalars));
    return CAROM_OK;
}

/* --- the bridge ------------------------------------------------------------------------------- */

/** Distance from -1 of the second nearest multiplier of a motion; NaN if there are none. */
static double distance_from_minus_one(oscillator *o, const carom_orbit *single) {
    if (!isfinite(serial_oscillator_radius(o, single))) {
        return NAN;
    }
    double nearest = INFINITY;
    double second = INFINITY;
    for (int i = 0; i < 2 * o->basis->coordinate_count - 2; i++) {
        const double distance = hypot(o->multipliers[2 * i] + 1.0, o->multipliers[2 * i + 1]);
        second = fmin(second, fmax(nearest, distance));
        nearest = fmin(nearest, distance);
    }
    return isfinite(second) ? second : (double)NAN;
}

/** Write the motion of half the period over the time of the members. */
static carom_status write_single(oscillator *o, carom_record *group, const carom_orbit *single) {
    const int count = o->values->points;
    CAROM_AUTO_MEMORY double *position = malloc((size_t)count * sizeof *position);
    if (position == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int i = 0; i < count; i++) {
        // The last sample is before the impact, as it is for the members.
        const double time = i < count - 1 ? 2.0 * single->period * i / (count - 1) : single->period;
        serial_oscillator_motion(o, single, time, o->position, NULL);
        position[i] = o->position[o->basis->coordinate_count - 1];
    }
    carom_record_series(group, "single", position, "time", NULL, "m",
                        "position of the last mass, one impact of period T_0/2");
    carom_record_scalar(group, "multiplier_error", distance_from_minus_one(o, single), "1",
                        "distance from -1 of two multipliers of that motion; NaN: there are none");
    return CAROM_OK;
}

/** Write /bridge: the first whose members are all admissible. */
static carom_status write_bridge(oscillator *o, const carom_constant_period_families *bridges) {
    int first = 0;
    while (first < bridges->count && bridges->families[first].is_full == 0) {
        first++;
    }
    if (first == bridges->count) {
        return CAROM_OK;
    }
    CAROM_AUTO_VALUE(member_list) members = {.orbits = {NULL}};
    CAROM_AUTO(carom_orbit) single = NULL;
    CAROM_TRY(make_members(o, &bridges->families[first], &members));
    CAROM_TRY(carom_orbit_alloc(o->basis, 1, &single));
    CAROM_TRY(carom_single_impact_orbit(o->basis, bridges->families[first].sigma_1, single));
    carom_record group = carom_record_group(o->record, "/bridge");
    CAROM_TRY(write_members(o, &group, &members));
    return write_single(o, &group, single);
}

carom_status serial_oscillator_write_families(oscillator *o) {
    const double end = o->values->max_period;
    CAROM_AUTO(carom_flight_time_curves) curves = NULL;
    CAROM_AUTO(carom_constant_period_families) pairs = NULL;
    CAROM_AUTO(carom_constant_period_families) bridges = NULL;
    CAROM_TRY(carom_two_impacts_curves(o->basis, end, FAMILY_CELLS, &curves, o->report));
    CAROM_TRY(carom_constant_period_on_curves(o->basis, curves, &pairs, o->report));
    CAROM_TRY(carom_constant_period_bridges(o->basis, end, &bridges, o->report));
    CAROM_TRY(write_table(o, pairs, bridges));
    CAROM_TRY(write_family(o));
    return write_bridge(o, bridges);
}
