/** Families of motions: two impacts at constant period, that of figure 12, and the bridge to
 * motions with one impact (figures 13 and 14); the continuum with seven impacts and its symmetric
 * member (figures 4 and 15). */
#include "results.h"

#include <math.h>
#include <stdlib.h>

/** A grazing end found on two ways, as a root and as an end of the branch. */
static const double SAME_END = 1e-8;

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
    const int count = o->values->points;
    const double T = members->orbits[0]->period;
    CAROM_AUTO_VALUE(sheet) s = {0};
    CAROM_AUTO_MEMORY double *time = malloc((size_t)count * sizeof *time);
    CAROM_TRY(time == NULL ? CAROM_STATUS_OUT_OF_MEMORY : sheet_init(&s, MEMBER_COUNT, count));
    for (int i = 0; i < count; i++) {
        time[i] = i < count - 1 ? T * i / (count - 1) : T;
    }
    for (int j = 0; j < MEMBER_COUNT; j++) {
        sheet_fill(o, &s, j, members->orbits[j], 1.0, time);
    }
    carom_record_scalar(group, "period", T, "s", "period of all members");
    carom_record_axis(group, "lambda_1", MEMBER_COUNT, members->lambda_1, "J0.5",
                      "lambda_1, that of the other impact is the rest of the sum");
    carom_record_axis(group, "time", count, time, "s", "time over one period");
    const carom_column columns[] = {
        {"position", s.last, "m", "position of the last mass"},
        {"position_before", s.before_last, "m", "position of the mass before the last"},
        {"velocity", s.velocity, "m s-1", "velocity of the last mass"},
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
        carom_orbit_periodic_motion(o->basis, members->orbits[i], time, o->position, NULL,
                                    o->state);
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
        image[i] = carom_orbit_difference(o->basis, one, members->orbits[end - i], -1.0,
                                          2.0 * (0.5 * t_1), o->work);
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
        carom_orbit_periodic_motion(o->basis, first, grazes[i], o->position, o->velocity, o->state);
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
            *difference = carom_orbit_difference(o->basis, first, single, 1.0, 0.0, o->work);
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
         carom_orbit_difference(o->basis, members.orbits[MEMBER_COUNT - 1], first, 1.0, -t_1,
                                o->work),
         "1", "last member against the first, shifted by t_1"},
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
        carom_orbit_periodic_motion(o->basis, single, time, o->position, NULL, o->state);
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
    CAROM_AUTO(carom_constant_period_families) bridges = NULL;
    CAROM_TRY(serial_oscillator_write_table(o, &bridges));
    CAROM_TRY(write_family(o));
    return write_bridge(o, bridges);
}

/* --- seven impacts (figures 4 and 15) --------------------------------------------------------- */

/** Motions 1 to 4 of figure 15. */
enum { FIRST_END, BETWEEN, SYMMETRIC, LAST_END, MOTION_COUNT };
/** The impact that vanishes at the end which is motion 4, from 1. */
enum { SEVENTH = 7 };
/** Points beyond each end that are looked at, and points of the continuation: at least thrice those
 * of the admissible branch. */
enum { BEYOND = 5, POTENTIAL_POINTS = 400 };

/** Symmetric in the sense of section 6: flight times solved to 1e-12 of a period. */
static const double SYMMETRY = 1e-9;

/** The motion at a point of the branch; NULL where there is none. */
static carom_status make_point(const oscillator *o, const carom_orbit_branch *branch, int point,
                               carom_orbit **out) {
    CAROM_AUTO(carom_orbit) orbit = NULL;
    CAROM_TRY(carom_orbit_alloc(o->basis, SEVEN, &orbit));
    if (carom_orbit_branch_motion(o->basis, branch, point, orbit) == CAROM_OK) {
        CAROM_HAND_OVER(orbit, out);
    }
    return CAROM_OK;
}

/** Write /seven/case_NUMBER. */
static carom_status write_case(oscillator *o, int number, const carom_orbit *orbit) {
    carom_record group = carom_record_group(o->record, "/seven/case_%d", number);
    const carom_column columns[] = {
        {"flight_times", orbit->flight_times, "s", "duration of the flight before the impact"},
        {"lambda", orbit->lambda, "J0.5", "lambda of the impact"},
    };
    carom_record_columns(&group, "/seven/impact", NULL, columns, COUNT(columns));
    return serial_oscillator_write_motion(o, &group, orbit);
}

/** The least lambda of an impact at a point, over that of the first motion. */
static double least_lambda(const carom_orbit_branch *branch, int point, double unit) {
    const double *lambda = branch->lambda + SEVEN * (size_t)point;
    double least = INFINITY;
    for (int j = 0; j < SEVEN; j++) {
        least = fmin(least, lambda[j] / unit);
    }
    return least;
}

/** Write how hard an impact pulls on potential motions beyond both ends. */
static carom_status write_beyond(const oscillator *o, const carom_orbit *start) {
    carom_orbit_branch_params params = carom_orbit_branch_params_default();
    params.follow_potential = true;
    params.with_stability = false;
    params.max_points = POTENTIAL_POINTS;
    CAROM_AUTO(carom_orbit_branch) branch = NULL;
    bool found = false;
    CAROM_TRY(serial_oscillator_may_miss(
        carom_orbit_branch_follow(o->basis, start, &params, NULL, NULL, &branch, NULL), &found));
    double most[2] = {-INFINITY, -INFINITY};
    for (int side = 0; side < 2 && found; side++) {
        const int step = 2 * side - 1;
        int i = branch->start;
        while (i >= 0 && i < branch->point_count && branch->admissible[i] != 0) {
            i += step;
        }
        for (int beyond = 0; beyond < BEYOND; beyond++, i += step) {
            const bool exists = i >= 0 && i < branch->point_count;
            most[side] = fmax(most[side], exists ? least_lambda(branch, i, start->lambda[0])
                                                 : (double)INFINITY);
        }
    }
    if (isfinite(most[0]) && isfinite(most[1])) {
        carom_record_index_axis(o->record, "/seven/end", 2, "end of the branch");
        carom_record_series(o->record, "/seven/beyond", most, "/seven/end", NULL, "1",
                            "least lambda of an impact over that of motion 3, at the best of five "
                            "points beyond the end");
    }
    return CAROM_OK;
}

/** Write what figure 4 and section 7.4 say of the symmetric motion. */
static void write_seven_symmetry(oscillator *o, const carom_orbit *orbit, int a) {
    double axes[2];
    carom_sequence_axes(SEVEN, orbit->flight_times, a, axes);
    const double asymmetry = fmax(serial_oscillator_asymmetry(o, orbit, axes[0]),
                                  serial_oscillator_asymmetry(o, orbit, axes[1]));
    const carom_measure scalars[] = {
        {"/seven/axis_1", axes[0], "s", "first axis of symmetry of motion 3"},
        {"/seven/axis_2", axes[1], "s", "second axis of symmetry of motion 3"},
        {"/seven/asymmetry", asymmetry, "1", "largest asymmetry of motion 3 about both"},
        {"/seven/closure", carom_orbit_closure_error(o->basis, o->motion, orbit, o->state), "1",
         "error of one period of motion 3 by events; NaN: its impacts are others"},
    };
    carom_record_scalars(o->record, scalars, COUNT(scalars));
    carom_record_integer(o->record, "/seven/symmetry_number", a, "1",
                         "a with sigma_n = sigma_{a-n} of motion 3");
}

/** Write everything if all motions exist. */
static carom_status write(oscillator *o, const carom_orbit_branch *branch,
                          carom_orbit *motions[MOTION_COUNT]) {
    const carom_orbit *symmetric = motions[SYMMETRIC];
    for (int i = 0; i < MOTION_COUNT; i++) {
        if (motions[i] == NULL) {
            return CAROM_OK;
        }
    }
    const int a =
        carom_sequence_symmetry(SEVEN, symmetric->flight_times, symmetric->lambda, SYMMETRY);
    if (a <= 0) {
        return CAROM_OK;
    }
    carom_record_index_axis(o->record, "/seven/impact", SEVEN, "impact of the period");
    carom_record_index_axis(o->record, "/seven/branch/point", branch->point_count,
                            "point of the branch");
    carom_record_series(o->record, "/seven/branch/period", branch->period, "/seven/branch/point",
                        NULL, "s", "period T");
    for (int i = 0; i < MOTION_COUNT; i++) {
        CAROM_TRY(write_case(o, i + 1, motions[i]));
    }
    write_seven_symmetry(o, symmetric, a);
    return write_beyond(o, symmetric);
}

carom_status serial_oscillator_write_seven(oscillator *o) {
    CAROM_AUTO(carom_orbit) given = NULL;
    CAROM_AUTO(carom_orbit_branch) branch = NULL;
    CAROM_TRY(serial_oscillator_solve(o, SEVEN, o->values->seven_times.values, NAN, &given));
    CAROM_TRY(serial_oscillator_follow(o, given, &branch));
    if (branch == NULL) {
        return CAROM_OK;
    }
    // Motion 1 is the end without fifth impact.
    const int last = branch->point_count - 1;
    const int first_end = branch->end_impact[0] == SEVENTH ? last : 0;
    CAROM_AUTO(carom_orbit) first = NULL;
    CAROM_AUTO(carom_orbit) between = NULL;
    CAROM_AUTO(carom_orbit) symmetric = NULL;
    CAROM_AUTO(carom_orbit) other = NULL;
    CAROM_TRY(make_point(o, branch, first_end, &first));
    CAROM_TRY(make_point(o, branch, (first_end + branch->start) / 2, &between));
    double guess[SEVEN];
    (void)carom_sequence_most_symmetric(SEVEN, branch->point_count, branch->flight_times, guess);
    CAROM_TRY(serial_oscillator_solve(o, SEVEN, guess, NAN, &symmetric));
    CAROM_TRY(make_point(o, branch, last - first_end, &other));
    return write(o, branch, (carom_orbit *[]){first, between, symmetric, other});
}
