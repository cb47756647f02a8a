/** The family of figure 12. */
#include "results.h"

#include <math.h>
#include <stdlib.h>

/** Two evaluations of one motion agree: its flight times are solved to rounding, which energies and
 * slopes of some ten times the size enlarge. */
static const double SAME = 1e-10;
/** Members that are not symmetric differ from their image by more than this. */
static const double ASYMMETRIC = 1e-3;
/** A grazing end found on two ways, as a root and as an end of the branch. */
static const double SAME_END = 1e-8;
/** Smallest singular value of an invertible Sigma, over the largest: that of a singular one is the
 * rounding of the flight times, 1e-15, times the slope of its entries, below a thousand. */
static const double INVERTIBLE = 1e-9;

/** Fixed points in each period. */
enum { FIXED_COUNT = 2 };

/** What is measured on the family. */
typedef struct study_results {
    double sum_spread;      /**< of the impact speeds before and after, from the motions */
    double shift;           /**< first member against the last, shifted by t_1 */
    double graze;           /**< gap and speed at the two grazes of the first member */
    double single;          /**< its difference from the end of the branch; NaN if there is none */
    double singular_value;  /**< smallest one of Sigma over the largest */
    double set;             /**< members against mirrored opposite ones */
    double asymmetry;       /**< largest of the three symmetric members */
    double least_asymmetry; /**< smallest of the others */
    double fixed_time[FIXED_COUNT];
    double fixed_point[FIXED_COUNT];
    double fixed_spread[FIXED_COUNT];
    double speed_sum[MEMBER_COUNT]; /**< m/s */
    bool is_admissible;
} study_results;

/** Speed of the contact just before impact j = 1, 2. */
static double speed_before(const oscillator *o, const carom_orbit *orbit, int j) {
    carom_orbit_state_after(o->basis, orbit, j - 1, o->state);
    carom_modal_basis_rotate(o->basis, orbit->flight_times[j - 1], o->state);
    return carom_modal_basis_contact_velocity(o->basis, o->state);
}

/** Speeds, from the motions themselves. */
static void find_speeds(const oscillator *o, const member_list *members, study_results *f) {
    double low = INFINITY;
    double high = -INFINITY;
    for (int i = 0; i < MEMBER_COUNT; i++) {
        f->speed_sum[i] =
            speed_before(o, members->orbits[i], 1) + speed_before(o, members->orbits[i], 2);
        low = fmin(low, f->speed_sum[i]);
        high = fmax(high, f->speed_sum[i]);
    }
    f->sum_spread = (high - low) / high;
}

/** Points through which all members pass. */
static void find_fixed_points(const oscillator *o, const member_list *members, study_results *f) {
    const int last = o->basis->coordinate_count - 1;
    const carom_orbit *first = members->orbits[0];
    f->fixed_time[0] = 0.5 * first->flight_times[0];
    f->fixed_time[1] = 0.5 * (first->flight_times[0] + first->period);
    for (int c = 0; c < FIXED_COUNT; c++) {
        double low = INFINITY;
        double high = -INFINITY;
        for (int i = 0; i < MEMBER_COUNT; i++) {
            serial_oscillator_motion(o, members->orbits[i], f->fixed_time[c], o->position, NULL);
            low = fmin(low, o->position[last]);
            high = fmax(high, o->position[last]);
        }
        f->fixed_point[c] = 0.5 * (low + high);
        f->fixed_spread[c] = high - low;
    }
}

/** Symmetric members, and the symmetry of all of them together: x(t; lambda_1) = x(t_1 - t;
 * lambda_2). */
static void find_symmetry(const oscillator *o, const member_list *members, study_results *f) {
    const double t_1 = members->orbits[0]->flight_times[0];
    const int end = MEMBER_COUNT - 1;
    // With one impact only: about that, which is at T or at t_1.
    f->asymmetry = serial_oscillator_asymmetry(o, members->orbits[0], 0.0);
    f->asymmetry = fmax(f->asymmetry, serial_oscillator_asymmetry(o, members->orbits[end], t_1));
    f->least_asymmetry = NAN;
    for (int i = 1; i < end; i++) {
        // With two different flights, these axes are the only ones that map impacts to impacts.
        const double asymmetry =
            fmin(serial_oscillator_asymmetry(o, members->orbits[i], 0.5 * t_1),
                 serial_oscillator_asymmetry(o, members->orbits[i], f->fixed_time[1]));
        if (i == MIDDLE_MEMBER) {
            f->asymmetry = fmax(f->asymmetry, asymmetry);
        } else {
            f->least_asymmetry = fmin(f->least_asymmetry, asymmetry);
        }
    }
    for (int i = 0; i < MEMBER_COUNT; i++) {
        f->set = fmax(f->set, serial_oscillator_mirror_difference(
                                  o, members->orbits[i], members->orbits[end - i], 0.5 * t_1));
    }
}

/** Ends of the family: one impact, two grazes, and the end of the branch of one impact. */
static carom_status find_ends(const oscillator *o, const member_list *members, study_results *f) {
    const carom_orbit *first = members->orbits[0];
    const double T = first->period;
    const double t_1 = first->flight_times[0];
    const int last = o->basis->coordinate_count - 1;
    f->shift = serial_oscillator_difference(o, members->orbits[MEMBER_COUNT - 1], first, -t_1);
    const double grazes[] = {t_1, T - t_1};
    const double largest_speed = speed_before(o, first, 2);
    for (int i = 0; i < COUNT(grazes); i++) {
        serial_oscillator_motion(o, first, grazes[i], o->position, o->velocity);
        f->graze = fmax(f->graze, fabs(o->position[last] / o->basis->gap_at_rest - 1.0));
        f->graze = fmax(f->graze, fabs(o->velocity[last]) / largest_speed);
    }
    f->single = NAN;
    carom_orbit *single = NULL;
    CAROM_TRY(carom_orbit_alloc(o->basis, 1, &single));
    for (int i = 0; i < o->intervals->count; i++) {
        const carom_period_interval *one = &o->intervals->intervals[i];
        if (one->lower_end == CAROM_BRANCH_END_NEW_CONTACT && fabs(one->lower - T) < SAME_END * T &&
            carom_single_impact_orbit(o->basis, one->lower, single) == CAROM_OK) {
            f->single = serial_oscillator_difference(o, first, single, 0.0);
        }
    }
    carom_orbit_free(single);
    return CAROM_OK;
}

/** Singular values of Sigma at the flight times that all members share. */
static carom_status find_singular_value(const oscillator *o, const member_list *members,
                                        study_results *f) {
    double Pi[4];
    double Sigma[4];
    carom_impact_equations *equations = NULL;
    CAROM_TRY(carom_impact_equations_alloc(o->basis, 2, &equations));
    const carom_status status =
        carom_impact_equations_matrices(equations, members->orbits[0]->flight_times, Pi, Sigma);
    carom_impact_equations_free(equations);
    CAROM_TRY(status);
    double values[2];
    double work[6];
    CAROM_TRY(serial_oscillator_singular_values(2, 2, Sigma, values, NULL, work));
    f->singular_value = values[1] / values[0];
    return CAROM_OK;
}

/** Write /family. */
static carom_status write_group(const oscillator *o, const carom_constant_period_family *family,
                                const member_list *members, const study_results *f) {
    CAROM_TRY(serial_oscillator_write_members(o, "/family", members));
    carom_record_index_axis(o->record, "/family/flight", 2, "flight of the period");
    carom_record_index_axis(o->record, "/family/fixed", FIXED_COUNT, "fixed point");
    carom_record_series(o->record, "/family/sigma", members->orbits[0]->flight_times,
                        "/family/flight", NULL, "s", "duration of the flights");
    const carom_measure scalars[] = {
        {"period", family->sigma_1 + family->sigma_2, "s", "period T"},
        {"lambda_sum", family->lambda_sum, "J0.5", "lambda_1 + lambda_2"},
    };
    serial_oscillator_write_scalars(o, "/family", scalars, COUNT(scalars));
    const carom_column fixed[] = {
        {"fixed_time", f->fixed_time, "s", "t_1/2 and (t_1 + T)/2"},
        {"fixed_point", f->fixed_point, "m", "position of the last mass there"},
        {"fixed_spread", f->fixed_spread, "m", "its range over the members"},
    };
    serial_oscillator_write_columns(o, "/family", "/family/fixed", NULL, fixed, COUNT(fixed));
    const carom_column speeds = {"speed_sum", f->speed_sum, "m s-1",
                                 "sum of the speeds at the impacts"};
    serial_oscillator_write_columns(o, "/family", "/family/lambda_1", NULL, &speeds, 1);
    return CAROM_OK;
}

/** Write the numbers and what they decide. */
static void write_findings(const oscillator *o, const carom_constant_period_family *family,
                           const member_list *members, const study_results *f) {
    const double spread = fmax(f->fixed_spread[0], f->fixed_spread[1]) / fabs(o->values->gap);
    const double ruled = serial_oscillator_ruled_error(o, members);
    const carom_measure measures[] = {
        {"family_sigma_1", family->sigma_1, "s", "shorter flight"},
        {"family_period", family->sigma_1 + family->sigma_2, "s", "period of all members"},
        {"family_speed_sum", f->speed_sum[0], "m s-1", "sum of the speeds at the impacts"},
        {"family_sum_spread", f->sum_spread, "1", "its range over the members"},
        {"family_shift_error", f->shift, "1", "last member against the first, shifted by t_1"},
        {"family_graze_error", f->graze, "1", "gap and speed at the grazes of the first member"},
        {"family_single_error", f->single, "1", "first member against the end of one impact"},
        {"family_set_error", f->set, "1", "members against mirrored opposite ones"},
        {"family_symmetry_error", f->asymmetry, "1", "asymmetry of the three symmetric members"},
        {"family_least_asymmetry", f->least_asymmetry, "1", "smallest of the other members"},
        {"family_fixed_spread", spread, "1", "range of the fixed points over the gap"},
        {"family_ruled_error", ruled, "1", "deviation from positions linear in lambda_1"},
    };
    carom_record_measures(o->record, measures, COUNT(measures));
    if (isfinite(f->single)) {
        const carom_claim claim = {"family_ends_single", f->single < SAME_END,
                                   "the first member is the grazing end of a branch of one impact"};
        carom_record_claims(o->record, &claim, 1);
    }
    const carom_claim claims[] = {
        {"family_admissible", f->is_admissible, "no member penetrates"},
        {"family_sum_constant", f->sum_spread < SAME, "the sum of the speeds is constant"},
        {"family_ends_are_shifts", f->shift < SAME,
         "lambda_1 = 0 and lambda_2 = 0 are one motion, shifted in time"},
        {"family_ends_graze_twice", f->graze < SAME,
         "this motion has one impact and two grazing contacts"},
        {"family_three_symmetric", f->asymmetry < SAME && f->least_asymmetry > ASYMMETRIC,
         "only lambda_1 = 0, lambda_2 = 0 and lambda_1 = lambda_2 are symmetric"},
        {"family_set_symmetric", f->set < SAME,
         "the family is symmetric about t_1/2 and (t_1 + T)/2"},
        {"family_fixed_points", spread < SAME, "all members meet at t_1/2 and at (t_1 + T)/2"},
        {"family_ruled", ruled < SAME, "positions are linear in lambda_1"},
        {"family_as_printed_invertible", f->singular_value > INVERTIBLE,
         "Sigma is invertible at the flight times of the family (as printed)"},
    };
    carom_record_claims(o->record, claims, COUNT(claims));
}

/** All of one family whose members are admissible. */
static carom_status examine(const oscillator *o, const carom_constant_period_family *family,
                            const member_list *members) {
    study_results f = {.is_admissible = true};
    for (int i = 0; i < MEMBER_COUNT; i++) {
        f.is_admissible = f.is_admissible && serial_oscillator_is_admissible(o, members->orbits[i]);
    }
    find_speeds(o, members, &f);
    find_fixed_points(o, members, &f);
    find_symmetry(o, members, &f);
    CAROM_TRY(find_ends(o, members, &f));
    CAROM_TRY(find_singular_value(o, members, &f));
    CAROM_TRY(write_group(o, family, members, &f));
    write_findings(o, family, members, &f);
    return CAROM_OK;
}

carom_status serial_oscillator_write_family(const oscillator *o) {
    const carom_real_list *times = &o->values->family_times;
    carom_constant_period_family family = {.is_full = 0};
    bool found = false;
    CAROM_TRY(serial_oscillator_may_miss(
        carom_constant_period_solve(o->basis, times->values[0], times->values[1], &family, NULL),
        &found));
    if (!found || family.is_full == 0 || family.is_bridge != 0) {
        return CAROM_OK;
    }
    member_list members;
    carom_status status = serial_oscillator_make_members(o, &family, &members);
    if (status == CAROM_OK) {
        status = examine(o, &family, &members);
    }
    serial_oscillator_free_members(&members);
    return status;
}
